"""Tests of the command measure."""

import numpy as np

from support.command import FORMATS, Directory, data
from support.rotations import degrees_between, rotations


class Measure(Directory):
    def measure(self, *arguments):
        return self.json("measure", *arguments)

    def check_errors(self, report):
        listed = {format["name"]: format for format in FORMATS}
        for entry in report["formats"]:
            worst = listed[entry["format"]]["worst_error_degrees"]
            if worst > 0:
                self.assertLessEqual(entry["worst_error_degrees"], worst * (1 + 1e-9), entry["format"])
            self.assertLessEqual(entry["mean_error_degrees"], entry["worst_error_degrees"] * (1 + 1e-9))
            angle = np.radians(entry["worst_error_degrees"])
            np.testing.assert_allclose(entry["worst_one_minus_dot"], 2 * np.sin(angle / 4) ** 2, rtol=1e-6)

    def test_default_and_all_formats(self):
        source = self.save("in.npy", rotations(5000))
        names = [entry["format"] for entry in self.measure("--no-speed", source)["formats"]]
        usual = "smallest3:9", "mirage:10"
        self.assertEqual(names, [format["name"] for format in FORMATS if ":" not in format["name"] or format["name"] in usual])
        report = self.measure("--no-speed", "--format", "all", source)
        self.assertEqual([entry["format"] for entry in report["formats"]], [format["name"] for format in FORMATS])
        self.check_errors(report)
        report = self.measure("--no-speed", "-f", "mirage:4", "-f", "half4", "-f", "mirage:4", source)
        self.assertEqual([entry["format"] for entry in report["formats"]], ["mirage:4", "half4"])

    def test_errors_are_those_of_the_round_trip(self):
        q = rotations(2000) * np.float32(7)
        source = self.save("in.npy", q)
        report = self.measure("--no-speed", "--format", "all", source)
        for entry in report["formats"]:
            name = entry["format"]
            self.good("pack", "-f", name, source, self.path("p.npy"))
            self.good("unpack", "-f", name, self.path("p.npy"), self.path("b.npy"))
            angles = degrees_between(q, np.load(self.path("b.npy")))
            np.testing.assert_allclose(entry["worst_error_degrees"], angles.max(), rtol=1e-6, atol=1e-11)
            np.testing.assert_allclose(entry["mean_error_degrees"], angles.mean(), rtol=1e-6, atol=1e-11)

    def test_sums_over_files(self):
        a, b = self.save("a.npy", rotations(3)), self.save("b.npy", rotations(5, 2))
        report = self.measure("--no-speed", "-f", "smallest3:4", "-f", "half4", a, b)
        self.assertEqual((report["keys"], report["files"], report["curves"]), (13, 2, 2))
        self.assertEqual([entry["file"] for entry in report["animations"]], [a, b])
        # every file is packed as one array: 3 and 10 rotations of 14 bits are 6 and 18 bytes
        self.assertEqual([entry["packed_bytes"] for entry in report["formats"]], [24, 104])
        self.assertEqual(report["formats"][1]["times_smaller"], 2)

    def test_invalid_keys(self):
        q = rotations(100)
        q[3, 1], q[50, 0], q[51], q[99, 3] = np.nan, np.inf, 0, 1e30
        source = self.save("in.npy", q)
        report = self.measure("--no-speed", "--format", "all", source)
        self.assertEqual((report["replaced"], report["animations"][0]["replaced"], report["keys"]), (4, 4, 100))
        self.check_errors(report)
        self.assertIn("4 invalid rotations replaced", self.good("measure", "--no-speed", source).stdout)
        result = self.good("pack", "-f", "half4", source, self.path("out.npy"))
        self.assertEqual(result.stderr, "quatsimd: %s: 4 of 100 rotations invalid, packed as the identity\n" % source)
        packed = np.load(self.path("out.npy"))
        for i in 3, 50, 51, 99:
            self.assertEqual(packed[i], 0x3C00000000000000)

    def test_doubles_beyond_float_are_invalid(self):
        q = rotations(3, dtype=np.float64)
        q[1] *= 1e300
        result = self.good("pack", "-f", "half4", self.save("in.npy", q), self.path("out.npy"))
        self.assertIn("1 of 3 rotations invalid", result.stderr)

    def test_nothing_but_invalid_keys(self):
        source = self.save("in.npy", np.full((3, 4), np.nan, np.float32))
        report = self.measure("--no-speed", source)
        self.assertEqual(report["replaced"], 3)
        self.assertIsNone(report["formats"][0]["worst_error_degrees"])
        self.good("measure", "--no-speed", source)

    def test_speed(self):
        source = self.save("in.npy", rotations(100))
        report = self.measure("-f", "half4", "-f", "smallest3:9", source)
        self.assertEqual(report["timed_rotations"], 262144)
        for entry in report["formats"]:
            for speed in entry["speed"], entry["scalar_speed"]:
                self.assertGreater(min(speed.values()), 1e5)
        lines = self.good("measure", "-f", "half4", source).stdout.splitlines()
        self.assertIn(report["kernels"], lines[5])
        self.assertEqual(len(lines[-1]), len(lines[-2]))  # it lines up with its rule

    def test_imu(self):
        path = data("imu/broad_07_optical_xyzw.npy")
        report = self.measure("--no-speed", "--format", "all", path)
        self.assertEqual(report["keys"], 50000)
        self.assertEqual(report["replaced"], int(np.isnan(np.load(path)).any(axis=1).sum()))
        self.check_errors(report)

    def test_gltf(self):
        paths = [data("kaykit/Knight.glb"), data("raylib/robot.glb")]
        report = self.measure("--no-speed", "--format", "all", *paths)
        self.assertEqual((report["keys"], len(report["animations"])), (59079 + 20726, 76 + 14))
        self.check_errors(report)
