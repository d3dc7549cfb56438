"""Tests of what is said of several files at once: exit status, worst errors, means; and of encoders that break their bounds."""
import json
import os
import re

import numpy as np

from support.command import BOUNDS, run
from support.compressing import Case, small, turns
from support.gltf import glb_of, gltf_tree
from support.rotations import degrees_between, walk

KINDS = "rotation", "translation", "scale"


def figures(text):
    """The numbers of a text, without the commas in them."""
    return [float(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", text)]


class Status(Case):
    """It is 1 where a file cannot be read, whether there are others or not."""

    def test_bad_file(self):
        good = self.put("good.glb", small())
        self.compress(good)
        clip = self.clip(self.out("good.qsb"), "Walk")
        content = small()
        files = {
            "missing": self.path("none.glb"),
            "empty": self.put("empty.glb", b""),
            "cut": self.put("cut.glb", content[: len(content) // 2]),
            "zeros": self.put("x.fbx", bytes(100)),
            "text": self.put("text.bvh", b"hello\n"),
            "cut text": self.put("cut.bvh", b"HIERARCHY\nROOT a\n{\n"),
        }
        commands = (
            ["measure", "--no-speed"],
            ["measure", "--no-speed", "--json"],
            ["compress", "--time", "0"],
            ["compress", "--time", "0", "--json"],
            ["compress", "-o", self.path("to")],
            ["compress", "--json", "-o", self.path("to")],
            ["info"],
            ["info", "--json"],
        )
        for how, bad in files.items():
            for command in commands:
                with self.subTest(command, how=how):
                    well = clip if command[0] == "info" else good
                    for given in [bad], [bad, well], [well, bad]:
                        result = run(*command, *given)
                        self.assertEqual(result.returncode, 1)
                        again = 2 if command[0] == "compress" and len(given) > 1 and how != "missing" else 0  # once more at the end
                        self.assertEqual(result.stderr.count("\n"), 1 + again, result.stderr)
                        self.assertIn(bad, result.stderr)
                    self.assertEqual(run(*command, well).returncode, 0)
            for command in (
                ["verify", clip, "-a", bad],
                ["verify", bad, "-a", good],
                ["import", bad, self.path("curves")],
                ["pack", "-f", "cube32", bad, self.path("o")],
                ["unpack", "-f", "cube32", bad, self.path("o")],
                ["decompress", bad, "-o", self.path("new.glb")],
            ):
                with self.subTest(command, how=how):
                    result = run(*command)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(result.stdout, ("", "0 within their bounds, 0 beyond, 0 without bounds, 1 not compared\n"))
                    self.assertIn(bad, result.stderr)

    def test_no_files_to_read(self):
        self.bad(1, "measure", self.put("noext", bytes(9)), says="noext: has a format that quatsimd does not read")
        for command in ["pack", "-f", "cube32"], ["unpack", "-f", "cube32"], ["import"], ["measure"]:
            out = [] if command == ["measure"] else [self.path("o")]
            self.bad(1, *command, self.directory, *out, says=self.directory + ": is a directory")

    def test_bad_folder(self):
        """One that has nothing but a broken file."""
        self.put("in/x.glb", b"broken")
        for options in ["--time", "0"], ["--json"], ["-o", self.out()], ["-o", self.out(), "--json"]:
            self.assertEqual(run("compress", *options, self.path("in")).returncode, 1)


class Summaries(Case):
    """Of clips of which now the first, now the last, is the worst of a kind."""

    def setUp(self):
        super().setUp()
        times = np.arange(20) / 30
        paths = np.random.default_rng(1).normal(size=(20, 3)).astype(np.float32)
        turning, resting = turns(20, 1), np.repeat(turns(1, 2), 20, axis=0)
        sizes = (1 + 0.1 * np.abs(paths)).astype(np.float32)
        files = {"a": (turning, 0 * paths, 1 + 0 * sizes), "b": (resting, paths, 1 + 0 * sizes), "c": (resting, 0 * paths, sizes)}
        standing = [(0, kind, [0], value[:1], None) for kind, value in zip(KINDS, (resting, paths, sizes))]
        for name, values in files.items():
            curves = [(0, kind, times, value, None) for kind, value in zip(KINDS, values)]
            more = [(1, "rotation", np.arange(5) / 30, turns(5, 7), None)] if name == "a" else []
            nodes = [{"name": "hip", "children": [1]}, {"name": "knee"}]
            self.put("in/%s.glb" % name, glb_of(*gltf_tree(nodes, {"Walk": curves + more, "Stand": standing})))
        self.files = [self.path("in", name + ".glb") for name in sorted(files)]

    def worst(self, entries):
        return [max(entry["worst_%s_error%s" % (kind, "_degrees" * (kind == "rotation"))] for entry in entries) for kind in KINDS]

    def expected(self):
        """From verify, clip by clip; a different one is the worst of each kind."""
        found = [self.json("verify", self.out(os.path.basename(file)[0] + ".qsb"), "Walk") for file in self.files]
        names = ["worst_error_degrees", "worst_error", "worst_error"]
        worst = [[entry[kind][name] for kind, name in zip(KINDS, names)] for entry in found]
        self.assertEqual([int(np.argmax(column)) for column in zip(*worst)], [0, 1, 2])
        return np.max(worst, axis=0)

    def test_compress(self):
        text = self.compress("--jobs", "1", *BOUNDS, self.path("in")).stdout
        worst = self.expected()
        by_themselves = [run("compress", "--json", "--time", "0", *BOUNDS, *files).stdout for files in (self.files, self.files[::-1])]
        for text_of in *by_themselves, self.compress("--json", *BOUNDS, self.path("in")).stdout:
            report = json.loads(text_of)
            errors = self.worst(report["animations"])
            np.testing.assert_allclose(self.worst([report["all"]]), errors, rtol=1e-9)
            np.testing.assert_allclose(errors, worst, rtol=1e-5 if report.get("bundles") else 0.2)  # records have six digits
            keys = sum(report["all"]["keys"].values())
        for again in text, self.compress(*BOUNDS, self.path("in")).stdout:  # the second time from records
            lines = again.splitlines()
            np.testing.assert_allclose(figures([line for line in lines if line.startswith("off by at most")][0])[::2], worst, rtol=5e-3)
            bundles = sum(bundle["bytes"] for bundle in report["bundles"])
            self.assertIn("6 clips, %d keys: %s bytes as 3 bundles" % (keys, format(bundles, ",")), again)
        lines = run("compress", "--time", "0", *BOUNDS, *self.files).stdout.splitlines()
        (row,) = [line for line in lines if line.endswith("all 6 animations")]
        np.testing.assert_allclose(figures(row)[-3:-1], worst[:2], rtol=0.2)

    def test_verify(self):
        """Joints of 20 keys and of 5."""
        self.compress(self.path("in"))
        found = self.json("verify", self.out("a.qsb"), "Walk")
        knee = [joint["rotation"] for joint in found["joints"]]
        self.assertEqual([joint["keys"] for joint in knee], [20, 5])
        mean = sum(joint["mean_error_degrees"] * joint["keys"] for joint in knee) / 25
        self.assertAlmostEqual(found["rotation"]["mean_error_degrees"], mean, delta=1e-12)
        self.assertGreater(abs(mean - sum(joint["mean_error_degrees"] for joint in knee) / 2), 1e-6)
        self.assertEqual(found["rotation"]["worst_error_degrees"], max(joint["worst_error_degrees"] for joint in knee))
        lines = run("verify", self.out("a.qsb"), "Walk").stdout.splitlines()
        line = [line for line in lines if line.startswith("rotation,")][0]
        np.testing.assert_allclose(figures(line)[3], mean, rtol=1e-4)

    def arrays(self):
        """A long one with small errors and a short one with large errors, at 0.25 degrees."""
        still = np.repeat(walk(1, 1), 400, axis=0)[:, 0]
        invalid = walk(50, 1, turn=0.3)[:, 0]
        invalid[20:30] = np.nan
        arrays = [still, invalid, walk(50, 2, seed=3, turn=0.1)]
        for i, array in enumerate(arrays):
            np.save(self.path("%d.npy" % i), array)
        return [self.path("%d.npy" % i) for i in range(len(arrays))]

    def test_measure(self):
        q = np.concatenate([np.load(file).reshape(-1, 4) for file in self.arrays()])
        np.save(self.path("all.npy"), q)
        run("pack", "-f", "smallest3:4", self.path("all.npy"), self.path("packed.npy"))
        run("unpack", "-f", "smallest3:4", self.path("packed.npy"), self.path("back.npy"))
        valid = np.isfinite(q).all(axis=1)
        off = degrees_between(q[valid], np.load(self.path("back.npy"))[valid])
        for order in self.arrays(), self.arrays()[::-1]:
            report = self.json("measure", "--no-speed", "-f", "smallest3:4", *order)["formats"][0]
            np.testing.assert_allclose([report["worst_error_degrees"], report["mean_error_degrees"]], [off.max(), off.mean()], rtol=1e-6)
            row = figures(run("measure", "--no-speed", "-f", "smallest3:4", *order).stdout.splitlines()[-1].split(" ", 1)[1])
            np.testing.assert_allclose(row[2:4], [off.max(), off.mean()], atol=1e-6)


class Loose(Case):
    """Encoders that go 1.04 times as far as they may, and 1.25 times in object space."""

    def setUp(self):
        super().setUp()
        self.tool = os.environ.get("QUATSIMD_LOOSE")
        if not self.tool:
            self.skipTest("there is no command with such encoders here")

    def test_compress(self):
        times, seeds = np.arange(200) / 30, np.random.default_rng(2).normal(size=(2, 200, 3))
        places, sizes = np.cumsum(seeds[0], axis=0), 2 + 0.01 * np.cumsum(seeds[1], axis=0)
        curves = [(0, kind, times, values.astype("f4"), None) for kind, values in zip(KINDS, (turns(200, 1), places, sizes))]
        file = self.put("x.glb", glb_of(*gltf_tree([{"name": "hip"}], {"Walk": curves})))
        for options in ["--only", "rotation"], ["--only", "translation", "-t", "0.01"], ["--only", "scale"], ["--object", "0.01@1"]:
            with self.subTest(options):
                self.assertEqual(run("compress", "--time", "0", *options, file).returncode, 0)
                for out in [], ["-o", self.out(), "--jobs", "1"]:
                    result = run("compress", "--time", "0", *out, *options, file, tool=self.tool)
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, r'animation 0, Walk: "hip" at [\d.]+ seconds: .* off, [\d.]+ times its bound of ')
        self.assertFalse(os.path.exists(self.out()))  # nothing is written
