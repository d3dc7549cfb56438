"""Tests of the command import."""
import glob
import os
import resource

import numpy as np

from support.command import Directory, data, model
from support.gltf import gltf_of, read_gltf


class Import(Directory):
    def imported(self, path):
        """{(animation, node): (times, keys)} through import."""
        curves = {}
        for entry in self.json("import", path, self.path("out")):
            times, keys = np.load(entry["times"]), np.load(entry["file"])
            self.assertEqual((times.dtype, keys.dtype), (np.float64, np.float32))
            self.assertEqual((times.shape, keys.shape), ((entry["keys"],), (entry["keys"], 4)))
            curves[entry["animation"], entry["node"]] = times, keys
        return curves

    def test_gltf_keys_as_stored(self):
        for name, keys in (
            ("kaykit/Knight.glb", 59079),
            ("khronos/cesium_man.gltf", 931),
            ("khronos/box_animated.gltf", 2),  # a second node moves and never turns: it has no curve
            ("mesh2motion/bird-animations.glb", 1592),
        ):
            with self.subTest(name):
                path = data(name)
                curves, counted = self.imported(path), 0
                for animation, nodes in read_gltf(path):
                    for node, (times, values) in nodes.items():
                        got_times, got_values = curves[animation, node]
                        np.testing.assert_array_equal(got_values, values)
                        np.testing.assert_array_equal(got_times, times.astype(np.float64))
                        counted += len(values)
                self.assertEqual(sum(len(values) for _, values in curves.values()), keys)
                self.assertEqual(counted, keys)

    def test_folders_are_made(self):
        path = self.write("clip.gltf", gltf_of(["walk"], ["a", "b"]))
        for out in "a/b/out", "a/b/out", "a/c/d/":  # anew, there already, with a slash
            self.good("import", path, self.path(out))
            self.assertEqual(os.listdir(self.path(out)), ["walk"])

    def test_names_become_files(self):
        names = ["a/b", "a:b", "A_B", "..", ".hidden", "a_b-2", "dot.", "\u00e4\u00f6", "n" * 400, "\x1b[2J", "con|trol"]
        names.append("x" * 199 + "\u00e4" + "x" * 20)
        path = self.write("names.gltf", gltf_of(["walk", "WALK", "../../up", ""], names))
        entries = self.json("import", path, self.path("out"))
        self.assertEqual(len(entries), 4 * len(names))
        files = [os.path.join(directory, name) for directory, _, found in os.walk(self.path("out")) for name in found]
        listed = [entry[key] for entry in entries for key in ("file", "times")]
        self.assertEqual(sorted(listed), sorted(files))
        self.assertEqual(len({name.lower() for name in files}), 2 * len(entries))
        self.assertEqual(sorted(os.listdir(self.directory)), ["names.gltf", "out"])
        for name in files:
            self.assertLessEqual(len(os.path.basename(name).encode()), 255)
            self.assertFalse(os.path.basename(name).startswith("."))
        again = self.json("import", path, self.path("out"))  # replaces them
        self.assertEqual(again, entries)

    def test_many_equal_names(self):
        """They cost hardly more than different ones: processor time of the same work."""

        def seconds(names, out):
            path = self.write(out + ".gltf", gltf_of(["walk"], names))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            entries = self.json("import", path, self.path(out))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertEqual(len({entry["file"] for entry in entries}), len(names))
            return after.ru_utime - before.ru_utime

        for n in range(3):  # a busy machine makes any of them longer; and 50 ms, since clocks may be coarse
            different = seconds(["bone %d" % i for i in range(1500)], "different%d" % n)
            equal = seconds(["bone"] * 1500, "equal%d" % n)
            if equal < 3 * different + 0.05:
                return
        self.fail("%.2f s, and %.2f s of different names" % (equal, different))

    def test_what_was_imported_is_measured(self):
        self.good("import", self.write("clip.gltf", gltf_of(["walk"], ["a", "b"])), self.path("out"))
        arrays = glob.glob(self.path("out", "walk", "*.npy"))
        report = self.json("measure", "--no-speed", *arrays)
        self.assertEqual((report["files"], report["keys"]), (2, 2))

    def test_summary(self):
        path = self.write("clip.gltf", gltf_of(["walk"], ["a", "b"]))
        said = self.good("import", path, self.path("out")).stdout
        self.assertEqual(said, "1 animation, 2 curves, 2 keys in %s\n" % self.path("out"))

    def test_where_nothing_can_be_written(self):
        path = self.write("clip.gltf", gltf_of(["walk"], ["a", "b"]))
        self.bad(1, "import", path, path, says=path + ": cannot make the directory: there is a file of that name")
        self.bad(1, "import", path, os.path.join(path, "no", "out"), says=": cannot make the directory: ")

    def test_bad_clips(self):
        for name, says in (
            ("glTF2/wrongTypes/badArray.gltf", "no rotation curves"),
            ("glTF2/wrongTypes/badUint.gltf", "no rotation curves"),
            ("glTF2/wrongTypes/badExtension.gltf", ""),
            ("glTF2/wrongTypes/badNumber.gltf", ""),
            ("glTF2/wrongTypes/badObject.gltf", ""),
            ("glTF2/wrongTypes/badString.gltf", ""),
            ("glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf", "no rotation curves"),
            ("glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "no rotation curves"),
            ("glTF2/MissingBin/BoxTextured.gltf", "no rotation curves"),
            ("OpenGEX/empty_camera.ogex", "has a format that quatsimd does not read"),
        ):
            with self.subTest(name):
                path = model(name)
                for command in (["measure", path], ["import", path, self.path("out")]):
                    result = self.bad(1, *command, says=[path + ": ", says])
                    self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))
