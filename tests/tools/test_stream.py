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
            packets, others = entry["packets"], entry["packets"] - entry["key_packets"]
            self.assertAlmostEqual(entry["bits_per_rotation"], 8 * entry["bytes"] / entry["rotations"])
            self.assertAlmostEqual(entry["bits_per_second"], 8 * entry["bytes"] / entry["seconds"])
            self.assertAlmostEqual(entry["packets_per_second"], packets / entry["seconds"])
            self.assertAlmostEqual(entry["payload_bits_per_rotation"], 8 * (entry["bytes"] - 4 * packets) / entry["rotations"])
            self.assertEqual(entry["payload_bits_per_rotation_of_others"] is None, others == 0)
            self.assertEqual(packets, entry["arrived"] + entry["lost"])
            self.assertLessEqual(entry["bytes"] / packets, entry["longest_packet_bytes"])
            self.assertLessEqual(entry["longest_packet_bytes"], entry["bytes"])
            self.assertEqual(entry["arrived"], entry["decoded"] + entry["late"])
            if entry["worst_error_degrees"] is not None:
                self.assertEqual(entry["decoded_share"], 1)
                self.assertLessEqual(entry["worst_error_degrees"], report["bound_degrees"])
                self.assertLessEqual(entry["mean_error_degrees"], entry["worst_error_degrees"])
            if entry["median_age_milliseconds"] is not None:
                self.assertLessEqual(entry["median_age_milliseconds"], entry["age_milliseconds_99_percent"])
        for key in "bytes", "packets", "rotations", "key_packets", "invalid", "lost", "arrived", "duplicates", "late", "decoded":
            self.assertEqual(total[key], sum(entry[key] for entry in report["streams"]))
        self.assertEqual(total["longest_packet_bytes"], max(entry["longest_packet_bytes"] for entry in report["streams"]))
        self.assertAlmostEqual(total["seconds"], sum(entry["seconds"] for entry in report["streams"]))
        for entry in report["streams"]:
            self.assertEqual(entry["rotations"], entry["packets"] * entry["bodies"])
            key, other = (entry["payload_bits_per_rotation_of_" + kind] or 0 for kind in ("key_packets", "others"))
            payload = entry["key_packets"] * key + (entry["packets"] - entry["key_packets"]) * other
            self.assertAlmostEqual(payload, entry["packets"] * entry["payload_bits_per_rotation"])
        return report

    def one(self, *arguments):
        """Of all streams together."""
        return self.check(self.stream(*arguments))["all"]

    def test_arrays(self):
        q = walk(200, 6)
        for shape, bodies in ((200, 6, 4), 6), ((200, 2, 3, 4), 6), ((1200, 4), 1), ((2, 600, 4), 600):
            with self.subTest(shape=shape):
                report = self.check(self.stream(self.save("in.npy", q.reshape(shape))))
                (entry,) = report["streams"]
                self.assertEqual((entry["bodies"], entry["packets"], entry["key_packets"]), (bodies, shape[0], 1))
                self.assertEqual((entry["file"], entry["animation"]), (self.path("in.npy"), ""))
                self.assertEqual((report["bound_degrees"], report["states"], report["key"]), (0.25, 64, 0))
                self.assertEqual((entry["lost"], entry["late"], entry["duplicates"]), (0, 0, 0))
                self.assertEqual((entry["median_age_milliseconds"], entry["age_milliseconds_99_percent"]), (0, 0))
                self.assertAlmostEqual(entry["packets_per_second"], 60)
        doubles = self.stream(self.save("in.npy", q.astype(">f8")))
        self.assertEqual(doubles, self.stream(self.save("in.npy", q)))

    def test_bounds(self):
        source, last = self.save("in.npy", walk(300, 8)), 0
        for bound in 57, 10, 1, 0.25, 0.05, 0.01, 0.001, 0.000573:
            with self.subTest(bound=bound):
                report = self.check(self.stream("--bound", bound, source))
                self.assertEqual(report["bound_degrees"], bound)
                self.assertGreater(report["all"]["worst_error_degrees"], bound / 4 if bound < 10 else 0)
                self.assertGreater(report["all"]["bytes"], last)
                last = report["all"]["bytes"]

    def test_key_packets(self):
        source, last = self.save("in.npy", walk(100, 5)), 0
        for key, expected in (0, 1), (1000, 1), (100, 1), (50, 2), (33, 4), (1, 100):
            total = self.one("--key", key, source)
            self.assertEqual(total["key_packets"], expected)
            self.assertGreaterEqual(total["bytes"], last)
            last = total["bytes"]

    def test_without_a_link_each_is_against_the_one_before(self):
        source = self.save("in.npy", walk(500, 5))
        for options in [], ["--key", "70"]:
            total, reliable = self.one(*options, source), self.one(*options, "--reliable", source)
            self.assertEqual(total, reliable)
        late = self.one("--reliable", "--delay", "95ms", "--jitter", "50ms", source)  # nobody acknowledges
        self.assertEqual((late["bytes"], late["key_packets"]), (self.one(source)["bytes"], 1))
        self.assertGreater(late["median_age_milliseconds"], 95)

    def test_rate(self):
        q = walk(600, 3)
        source, part = self.save("in.npy", q), self.save("part.npy", q[::4])
        for fps, rate, packets in (
            (120, 30, 150),
            (120, 31, 150),
            (120, 200, 600),
            (120, 1, 5),
            (120, 0.01, 1),
            (24, 10, 300),
            (60, 60, 600),
        ):
            with self.subTest(fps=fps, rate=rate):
                total = self.one("--fps", fps, "--rate", rate, source)
                self.assertEqual(total["packets"], packets)
                if packets > 1:
                    self.assertAlmostEqual(total["seconds"], 600 / fps)
        some, few = self.one("--fps", 120, "--rate", 30, source), self.one("--fps", 30, part)
        for key in "worst_error_degrees", "mean_error_degrees", "seconds", "packets":  # the same rotations
            self.assertAlmostEqual(some[key], few[key])

    def animations(self, **times):
        """A file with an animation of one body for each."""
        q = walk(40, 1)
        return self.write("clip.gltf", gltf_of_curves({name: [(t, q[: len(t), 0])] for name, t in times.items()}))

    def test_times_of_animations(self):
        nonsense = {"falling": [0, 3, 1, 4], "long": np.arange(4) * 1e30, "short": np.arange(4) * 1e-30, "still": [5, 3, 4, 5]}
        odd = np.array([0, 1, 2, 4, 8, 9, 10, 11, 12]) / 10
        path = self.animations(even=np.arange(9) / 25, odd=odd, **nonsense)
        found = {e["animation"]: e for e in self.check(self.stream("--fps", 50, "--delay", "0.55s", path))["streams"]}
        self.assertAlmostEqual(found["even"]["packets_per_second"], 25, places=5)
        self.assertAlmostEqual(found["odd"]["packets_per_second"], 8 / 1.2, places=5)
        for name in nonsense:
            self.assertAlmostEqual(found[name]["packets_per_second"], 50)
            self.assertIsNone(found[name]["median_age_milliseconds"])  # when others go out nothing is there
        # of 0.8, 0.9, 1, 1.1 and 1.2 s there are 0.2, 0.2, 0.4, 0.4 and 0.4
        self.assertAlmostEqual(found["odd"]["median_age_milliseconds"], 700, places=3)
        self.assertAlmostEqual(found["odd"]["age_milliseconds_99_percent"], 800, places=3)

    def test_ages_of_all(self):
        slow, quick = np.arange(9) / 10, np.arange(11) / 25 + 1  # the ages of eight are 100 ms, of ten 40 ms
        for times in {"a": slow, "b": quick}, {"b": quick, "a": slow}:
            total = self.one("--delay", "30ms", self.animations(**times))
            self.assertAlmostEqual(total["median_age_milliseconds"], 40, places=3)
            self.assertAlmostEqual(total["age_milliseconds_99_percent"], 100, places=3)
        total = self.one("--delay", "30ms", self.animations(a=slow, b=quick[:9]))  # the smaller one of the two in the middle
        self.assertAlmostEqual(total["median_age_milliseconds"], 40, places=3)

    def test_motion_is_foretold_by_uneven_times(self):
        times = np.cumsum(np.random.default_rng(1).integers(5, 50, size=300)) / 1000
        q = np.zeros((300, 4), np.float32)
        q[:, 2], q[:, 3] = np.sin(5 * times), np.cos(5 * times)
        clip = self.write("odd.gltf", gltf_of_curves({"turn": [(times, q)] * 4}))
        odd, even = (self.one(path)["payload_bits_per_rotation_of_others"] for path in (clip, self.save("even.npy", np.stack([q] * 4, 1))))
        self.assertLess(odd, 5)
        self.assertGreater(even, 7)

    def test_delay(self):
        source = self.save("in.npy", walk(400, 3))  # at 100 frames per second what comes after 24 ms is there at 30
        for delay, age, keys in ("24ms", 30, 5), ("0.026s", 30, 6), ("0ms", 0, 1), ("4ms", 10, 1), ("6ms", 10, 2), ("31ms", 40, 7):
            with self.subTest(delay):
                total = self.one("--fps", 100, "--delay", delay, source)
                self.assertAlmostEqual(total["median_age_milliseconds"], age)
                self.assertAlmostEqual(total["age_milliseconds_99_percent"], age)
                self.assertEqual(total["key_packets"], keys)  # until the first acknowledgement
                self.assertEqual((total["arrived"], total["lost"]), (400, 0))  # those that come after the last has gone, too

    def test_states(self):
        source = self.save("in.npy", walk(400, 3))
        for states, most in (16, 12), (32, 24), (64, 48), (128, 96), (256, 192):  # packets in a round trip
            for packets, keys in (most, most), (most + 1, 400):
                with self.subTest(states=states, packets=packets):
                    delay = "%.1fms" % ((packets - 0.5) / 2 * 10)
                    report = self.check(self.stream("--fps", 100, "--states", states, "--delay", delay, source))
                    self.assertEqual((report["states"], report["all"]["key_packets"]), (states, keys))

    def test_loss(self):
        source = self.save("in.npy", walk(20000, 1))
        for loss, share in ("2%", 0.02), ("0.2", 0.2), ("60%", 0.6):
            for burst in [], ["--burst", "3"]:
                with self.subTest(loss=loss, burst=burst):
                    report = self.check(self.stream("--loss", loss, *burst, source))
                    self.assertAlmostEqual(report["all"]["lost"] / 20000, share, delta=0.15 * share)
                    self.assertAlmostEqual(report["link"]["loss"], share)
                    self.assertEqual(report["all"]["late"], 0)
                    self.assertAlmostEqual(report["link"]["burst"], 3 if burst else 1 / (1 - share))

    def test_age_of_what_is_lost(self):
        source = self.save("in.npy", walk(20000, 1))
        total = self.one("--fps", 1000, "--loss", "35%", source)  # it is n ms or more if the last n were lost: 0.35^n
        self.assertAlmostEqual(total["median_age_milliseconds"], 0, places=6)
        self.assertAlmostEqual(total["age_milliseconds_99_percent"], 4, places=6)
        self.assertAlmostEqual(self.one("--fps", 1000, "--loss", "60%", source)["median_age_milliseconds"], 1, places=6)

    def test_acknowledgements_are_lost_too(self):
        """Where half of them are, baselines of a walk at random are older, and packets longer."""
        source = self.save("in.npy", walk(4000, 10, turn=0.05))
        payload = {options: self.one(*options, source)["payload_bits_per_rotation_of_others"] for options in ((), ("--loss", "50%"))}
        self.assertGreater(payload["--loss", "50%"] - payload[()], 2)

    def test_duplicates(self):
        source = self.save("in.npy", walk(1000, 2))
        total = self.one("--duplicate", "100%", "--delay", "100ms", "--jitter", "100ms", "--loss", "10%", source)
        self.assertEqual(total["duplicates"], total["arrived"])
        self.assertEqual(self.one("--duplicate", "10%", source)["bytes"], self.one(source)["bytes"])
        self.assertAlmostEqual(self.one("--duplicate", "10%", source)["duplicates"], 100, delta=30)

    def test_order(self):
        source = self.save("in.npy", walk(2000, 2))
        link = ["--states", "16", "--delay", "10ms", "--jitter", "150ms"]
        late = [self.one(*link, *order, source, source)["late"] for order in ([], ["--reorder"])]
        self.assertEqual(late[0], 0)
        self.assertGreater(late[1], 0)
        # all but the latest ones are decoded: none of them is late with more states
        self.assertEqual(self.one(*link[2:], "--reorder", source)["late"], 0)

    def test_so_late_that_numbers_come_round(self):
        link = ["--states", "256", "--fps", "9.6", "--jitter", "3600s", "--reorder", "--seed", "1"]
        self.assertGreater(self.one(*link, self.save("in.npy", walk(200000, 1)))["late"], 100000)

    def test_a_bad_link(self):
        source = self.save("in.npy", walk(2000, 5))
        link = ["--delay", "50ms", "--jitter", "20ms", "--reorder", "--loss", "20%", "--burst", "3", "--duplicate", "1%"]
        for options in [], ["--states", "16"], ["--states", "256", "--key", "100"], ["--bound", "0.01"]:
            for seed in range(5):
                with self.subTest(options=options, seed=seed):
                    report = self.check(self.stream(*link, *options, "--seed", seed, source))
                    self.assertEqual(report["link"]["seed"], seed)
                    self.assertGreater(report["all"]["lost"], 0)

    def test_seed(self):
        a, b = self.save("a.npy", walk(300, 2)), self.save("b.npy", walk(300, 2))
        link = ["--loss", "20%", "--jitter", "20ms"]
        reports = [self.stream(*link, *seed, a, b) for seed in ([], ["--seed", "0"], ["--seed", "1"], ["--seed", "-1"])]
        self.assertEqual(reports[0], reports[1])
        found = [[entry["lost"], entry["bytes"]] for report in reports[1:] for entry in report["streams"]]
        self.assertEqual(len(set(map(tuple, found))), 6)  # others have other luck: two streams, three seeds
        self.assertGreater(len({lost for lost, size in found}), 3)
        self.assertNotEqual(found[0][0], found[1][0])

    def test_nothing_arrives(self):
        source = self.save("in.npy", walk(2, 2))
        seed = next(s for s in range(9) if self.stream("--loss", "99%", "--seed", s, source)["all"]["arrived"] == 0)
        total = self.one("--loss", "99%", "--seed", seed, source)
        for key in "decoded_share", "worst_error_degrees", "mean_error_degrees", "median_age_milliseconds":
            self.assertIsNone(total[key])
        self.assertIn(" -  ", self.good("stream", "--no-speed", "--loss", "99%", "--seed", seed, source).stdout)

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
        self.assertEqual(report["all"]["longest_packet_bytes"], 12 + 40 * 31 / 8)  # the first, a key packet

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
        for options in [], ["--no-speed"], ["--key", "10"], ["--loss", "30%", "--delay", "1s"]:
            with self.subTest(options):
                lines = self.good("stream", *options, a, b).stdout.splitlines()
                self.assertEqual([line for line in lines if line != line.rstrip()], [])
                self.assertIn("bound 0.25 degrees, 64 states; key packets: those needed", lines[1])
                self.assertIn("the link: ", lines[2])
                rules = [i for i, line in enumerate(lines) if line.startswith("-----")]
                self.assertEqual(len(rules), 2)
                for rule, last, names in zip(rules, ("sent", "received"), (("bodies", "packets", "bytes"), ("lost", "twice", "late"))):
                    head, rows = lines[rule - 1], lines[rule + 1 : rule + 4]
                    column = head.index(last)
                    self.assertLessEqual(column, 90)
                    self.assertEqual([row[column:] for row in rows], [a, b, "all 2 streams"])
                    self.assertEqual(
                        tuple(word for word in head.split() if word in names)[:3],
                        names if last == "received" else ("bodies", "packets", "packets"),
                    )
                    for row in rows:
                        self.assertEqual(row[column - 2 : column], "  ")
                        self.assertEqual(len(row[:column].split()), len(head.split()) - 1)
                        for word in names:
                            end = head.index(word) + len(word)
                            self.assertRegex(row[end - 1 : end + 1], r"[0-9-] ")
                self.assertEqual("encode" in lines[rules[0] - 2], "--no-speed" not in options)

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
        self.bad(1, "stream", splats, says=splats + ": is a scene of splats, which does not move")

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
        for options, packets, keys, most in (
            ([], 2752, 1, 4.31),
            (["--rate", "30"], 688, 1, 7.43),
            (["--delay", "49ms"], 2752, 12, 10.68),
            (["--rate", "30", "--delay", "49ms"], 688, 3, 10.57),
        ):
            report = self.check(self.stream(*options, model("BVH/01_01.bvh")))
            (entry,) = report["streams"]
            self.assertEqual((entry["bodies"], entry["packets"], entry["key_packets"]), (31, packets, keys))
            self.assertEqual(entry["animation"], "Motion")
            self.assertAlmostEqual(entry["seconds"], 2752 / 120)
            self.assertLessEqual(entry["payload_bits_per_rotation_of_others"], most)

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
        clips = [model("BVH/01_01.bvh"), model("BVH/01_03.bvh")]
        result = subprocess.run(
            [sys.executable, docs + "/../generate/stream_table.py", "--check", docs + "/stream.md", TOOL, *clips],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
