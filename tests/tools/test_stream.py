"""Tests of the command stream."""
import json
import os
import subprocess
import sys
import unittest

import numpy as np

from support.command import TOOL, Directory, data, model
from support.gltf import gltf_of, gltf_of_curves
from support.rotations import rotations, walk


class Stream(Directory):
    def stream(self, *arguments):
        return json.loads(self.good("stream", "--no-speed", "--json", *arguments).stdout)

    def check(self, report):
        """What holds of every report."""
        total = report["all"]
        for entry in [*report["streams"], total]:
            self.assertAlmostEqual(entry["bits_per_rotation"], 8 * entry["bytes"] / entry["rotations"])
            if entry["worst_error_degrees"] is not None:
                self.assertLessEqual(entry["worst_error_degrees"], report["bound_degrees"])
                self.assertLessEqual(entry["mean_error_degrees"], entry["worst_error_degrees"])
        for key in "bytes", "packets", "rotations", "key_packets", "invalid":
            self.assertEqual(total[key], sum(entry[key] for entry in report["streams"]))
        for entry in report["streams"]:
            self.assertEqual(entry["rotations"], entry["packets"] * entry["bodies"])
            every = report["key"] or entry["packets"]
            if report["predict"] != "none":
                self.assertEqual(entry["key_packets"], -(-entry["packets"] // every))
        return report

    def test_arrays(self):
        q = walk(200, 6)
        for shape, bodies in ((200, 6, 4), 6), ((200, 2, 3, 4), 6), ((1200, 4), 1), ((2, 600, 4), 600):
            with self.subTest(shape=shape):
                report = self.check(self.stream(self.save("in.npy", q.reshape(shape))))
                (entry,) = report["streams"]
                self.assertEqual((entry["bodies"], entry["packets"]), (bodies, shape[0]))
                self.assertEqual((entry["file"], entry["animation"]), (self.path("in.npy"), ""))
                self.assertEqual((report["bound_degrees"], report["map"]), (0.25, "cayley"))
                self.assertEqual((report["predict"], report["key"]), ("both", 0))
        doubles = self.stream(self.save("in.npy", q.astype(">f8")))
        self.assertEqual(doubles, self.stream(self.save("in.npy", q)))

    def test_bounds(self):
        source, last = self.save("in.npy", walk(300, 8)), 0
        for bound in 57, 10, 1, 0.25, 0.05, 0.01, 0.001, 0.000573:
            for options in [], ["--exponential"]:
                with self.subTest(bound=bound, options=options):
                    report = self.check(self.stream("--bound", bound, *options, source))
                    self.assertEqual(report["bound_degrees"], bound)
                    self.assertEqual(report["map"], "exponential" if options else "cayley")
                    self.assertGreater(report["all"]["worst_error_degrees"], bound / 4 if bound < 10 else 0)
            self.assertGreater(report["all"]["bytes"], last)
            last = report["all"]["bytes"]

    def test_predictors(self):
        turn = np.arange(400)[:, None] * np.array([0.05, 0.03, 0.08, 0.01])  # half angles: each at its speed
        q = np.zeros((400, 4, 4))
        q[..., 2], q[..., 3] = np.sin(turn), np.cos(turn)
        source = self.save("in.npy", q)
        size = {p: self.check(self.stream("-p", p, source))["all"]["bytes"] for p in ("both", "last", "free", "none")}
        self.assertLess(size["free"], 0.75 * size["last"])  # nothing forces these bodies
        self.assertLess(size["both"], 1.1 * size["free"])
        self.assertLess(size["last"], size["none"])
        report = self.stream("--predict", "none", source)
        self.assertEqual(report["all"]["key_packets"], 400)

    def test_key_packets(self):
        source, last = self.save("in.npy", walk(100, 5)), 0
        for key, expected in (0, 1), (1000, 1), (100, 1), (50, 2), (33, 4), (1, 100):
            report = self.check(self.stream("--key", key, source))
            self.assertEqual(report["all"]["key_packets"], expected)
            self.assertGreaterEqual(report["all"]["bytes"], last)
            last = report["all"]["bytes"]

    def test_the_mean_over_streams_is_that_over_rotations(self):
        report = self.check(self.stream(self.save("a.npy", walk(300, 2)), self.save("b.npy", np.tile(rotations(1), (50, 1, 1)))))
        a, b = (entry["mean_error_degrees"] for entry in report["streams"])
        self.assertGreater(abs(a - b), 0.005)
        self.assertAlmostEqual(report["all"]["mean_error_degrees"], (600 * a + 50 * b) / 650)

    def test_standing_still_costs_little(self):
        q = np.tile(rotations(40), (500, 1, 1))
        q[1::2] *= -1  # the same rotations
        report = self.check(self.stream(self.save("in.npy", q)))
        self.assertLess(report["all"]["bits_per_rotation"], 3)

    def test_invalid_rotations(self):
        q = walk(100, 3)
        q[0, 1], q[5, 0, 2], q[6, 0], q[99, 2, 3], q[50] = np.nan, np.inf, 0, 1e30, np.nan
        source = self.save("in.npy", q)
        report = self.check(self.stream(source))
        self.assertEqual(report["streams"][0]["invalid"], 7)
        self.assertIn("7 invalid rotations passed over", self.good("stream", source).stdout)
        report = self.check(self.stream(self.save("none.npy", np.full((9, 4), np.nan, np.float32))))
        self.assertEqual(report["all"]["worst_error_degrees"], None)
        self.assertEqual(report["all"]["invalid"], 9)

    def test_bytes_are_those_of_every_kernel(self):
        source = self.save("in.npy", walk(100, 21))
        reports = []
        for isa in "scalar", "sse2", "avx2", "avx512", "neon":
            environment = dict(os.environ, QUATSIMD_ISA=isa)
            result = self.good("stream", "--no-speed", "--json", source, env=environment)
            reports.append(json.loads(result.stdout))
            del reports[-1]["kernels"]
            self.assertEqual(reports[-1], reports[0])

    def test_table_lines_up(self):
        a, b = self.save("a.npy", walk(2000, 10)), self.save("b.npy", walk(3, 1))
        for options in [], ["--no-speed"], ["--key", "10"]:
            with self.subTest(options):
                lines = self.good("stream", *options, a, b).stdout.splitlines()
                rule = next(i for i, line in enumerate(lines) if line.startswith("-----"))
                self.assertIn("bound 0.25 degrees, Cayley map, predictors: both", lines[1])
                column = lines[rule - 1].index("animation")
                self.assertEqual([line[column:] for line in lines[rule + 1 :]], [a, b, "all 2 streams"])
                words = lines[rule - 1].split()
                self.assertEqual(words[:4], ["bodies", "packets", "bytes", "rotation"])
                for line in lines[rule + 1 :]:
                    self.assertEqual(line[column - 2 : column], "  ")
                    self.assertEqual(len(line[:column].split()), len(words) - 1)
                    for word in "bodies", "packets", "bytes":
                        end = lines[rule - 1].index(word) + len(word)
                        self.assertRegex(line[end - 1 : end + 1], r"[0-9-] ")
        for name in "encode", "decode":
            self.assertEqual(name in lines[rule - 2], True)

    def test_speed(self):
        report = json.loads(self.good("stream", "--json", self.save("in.npy", walk(100, 3))).stdout)
        for entry in [*report["streams"], report["all"]]:
            for way in "encode", "decode":
                self.assertGreater(entry[way + "_nanoseconds_per_rotation"], 0)
                self.assertLess(entry[way + "_nanoseconds_per_rotation"], 1e6)

    def test_bad_arrays(self):
        for array, says in (
            (rotations(1), "the array's shape is (1, 4); a motion is (frames, 4) or (frames, bodies, 4)"),
            (rotations(), "the array's shape is (4,)"),
            (rotations(1, 5), "the array's shape is (1, 5, 4)"),
            (np.zeros((0, 4), np.float32), "the array is empty"),
            (np.zeros((5, 0, 4), np.float32), "the array is empty"),
            (np.zeros((5, 3), np.float32), "rotations are (..., 4)"),
            (np.zeros((5, 4), np.int32), "dtype is '<i4'"),
        ):
            with self.subTest(says):
                path = self.save("bad.npy", array)
                self.assertEqual(self.bad(1, "stream", path, says=[path + ": ", says]).stdout, "")

    def test_bad_files(self):
        good = self.save("good.npy", walk(5, 2))
        with open(good, "rb") as file:
            content = file.read()
        cut, empty = self.write("cut.npy", content[:-1]), self.write("empty.npy", b"")
        result = self.bad(
            1,
            "stream",
            self.path("none.npy"),
            cut,
            good,
            empty,
            self.directory,
            says=[
                self.path("none.npy") + ": cannot open: No such file",
                cut + ": the file holds",
                empty + ": ",
                self.directory + ": is a directory",
            ],
        )
        self.assertEqual(result.stderr.count("\n"), 4)  # every bad one is named, and the good one is sent
        self.assertIn("10 rotations in 1 stream;", result.stdout)
        splats = self.write("scene.splat", bytes(64))
        self.bad(1, "stream", splats, says=splats + ": is a scene of splats, and they do not move")

    def test_full_device(self):
        source = self.save("in.npy", walk(5, 2))
        for options in [], ["--json"]:
            with open("/dev/full", "w") as full:
                self.bad(1, "stream", *options, source, says="standard output: cannot write", stdout=full)

    def test_through_a_pipe(self):
        with open(self.save("in.npy", walk(50, 2)), "rb") as file:
            result = self.good("stream", "--no-speed", "--json", "/dev/stdin", stdin=file)
        self.assertEqual(json.loads(result.stdout)["all"]["rotations"], 100)

    def test_curves_of_equal_times_are_one_stream(self):
        q = walk(9, 6)
        even, odd = np.arange(9) / 30, np.arange(9) / 25
        curves = [(even, q[:, 0]), (odd, q[:, 1]), (even, q[:, 2]), (even[:5], q[:5, 3]), (even, q[:, 4])]
        curves.append(([0], q[:1, 5]))
        path = self.write("clip.gltf", gltf_of_curves({"walk": curves, "nod": curves[3:5], "stand": curves[5:]}))
        report = self.check(self.stream(path))
        self.assertEqual(report["curves_left_out"], 2)
        found = sorted((entry["animation"], entry["packets"], entry["bodies"]) for entry in report["streams"])
        self.assertEqual(found, [("nod", 5, 1), ("nod", 9, 1), ("walk", 5, 1), ("walk", 9, 1), ("walk", 9, 3)])
        self.assertIn("2 curves of one key left out", self.good("stream", path).stdout)
        # the same bytes as those of an array with the same bodies
        one = next(entry for entry in report["streams"] if entry["bodies"] == 3)
        array = self.stream(self.save("in.npy", q[:, [0, 2, 4]]))["streams"][0]
        for key in "bytes", "worst_error_degrees", "mean_error_degrees":
            self.assertAlmostEqual(one[key], array[key])

    def test_bad_clips(self):
        path = self.write("still.gltf", gltf_of(["walk"], ["a", "b"]))
        self.bad(1, "stream", path, says=path + ": no curve has more than one key: nothing moves in this file")
        for name, content in ("text.txt", b"hello\n"), ("cut.bvh", b"HIERARCHY\nROOT a\n{\n"):
            path = self.write(name, content)
            self.assertEqual(self.bad(1, "stream", path, says=path + ": ").stdout, "")

    def test_cmu(self):
        for options in [], ["--exponential"]:
            report = self.check(self.stream("--bound", 0.25, *options, model("BVH/01_01.bvh")))
            (entry,) = report["streams"]
            self.assertEqual((entry["bodies"], entry["packets"], entry["key_packets"]), (31, 2752, 1))
            self.assertEqual(entry["animation"], "Motion")
            self.assertLessEqual(entry["bits_per_rotation"], 7)
            self.assertLessEqual(entry["worst_error_degrees"], 0.25)

    def test_knight(self):
        for bound in 0.25, 0.01:
            report = self.check(self.stream("--bound", bound, data("kaykit/Knight.glb")))
            self.assertEqual(report["all"]["rotations"] + report["curves_left_out"], 59079)
            self.assertLessEqual(report["all"]["worst_error_degrees"], bound)

    def test_imu(self):
        path = data("imu/broad_07_optical_xyzw.npy")
        invalid = int((~np.isfinite(np.load(path)).all(axis=1)).sum())
        for bound in 0.25, 0.01:
            report = self.check(self.stream("--bound", bound, path))
            (entry,) = report["streams"]
            self.assertEqual((entry["bodies"], entry["packets"], entry["invalid"]), (1, 50000, invalid))
            self.assertGreater(invalid, 0)
            self.assertLessEqual(entry["worst_error_degrees"], bound)

    def test_table_of_the_docs(self):
        docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
        clips = [model("BVH/01_01.bvh"), data("kaykit/Knight.glb"), data("imu/broad_07_optical_xyzw.npy")]
        result = subprocess.run(
            [sys.executable, docs + "/../generate/stream_table.py", "--check", docs + "/stream.md", TOOL, *clips],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
