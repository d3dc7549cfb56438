"""Tests of files that are missing, bad among good ones, or of no kind that a command takes."""
import json
import os
import subprocess

import numpy as np

from support.bvh import bvh_of
from support.command import TOOL, Directory, run
from support.gltf import glb_of, gltf_of, gltf_tree
from support.rotations import rotations


class Inputs(Directory):
    def test_empty_array(self):
        path = self.save("empty.npy", rotations(0))
        self.bad(1, "measure", path, says=path + ": the array is empty")

    def test_names_cannot_write_to_the_terminal(self):
        self.assertNotIn("\x1b", self.bad(1, "measure", self.path("\x1b[2J.npy"), says="\ufffd[2J.npy").stderr)
        # no character, an overlong one, half of a pair of UTF-16, beyond the last one
        for name in b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80":
            result = subprocess.run([TOOL, "measure", os.fsencode(self.directory) + b"/" + name + b".npy"], stderr=subprocess.PIPE)
            self.assertIn("/" + "".join("\\x%02X" % byte for byte in name) + ".npy", result.stderr.decode("utf-8"))

    def test_the_good_ones_are_measured(self):
        good, bad = self.save("good.npy", rotations(6)), self.save("bad.npy", np.zeros((4, 3), np.float32))
        result = self.bad(1, "measure", "--json", "--no-speed", "-f", "half4", bad, good, bad, says=bad + ": the array's shape is (4, 3)")
        both, alone = json.loads(result.stdout), self.json("measure", "--no-speed", "-f", "half4", good)
        self.assertEqual(both, alone)
        self.assertEqual((both["files"], both["keys"]), (1, 6))

    def test_what_no_animation_is(self):
        array, clip = self.save("in.npy", rotations(6)), self.write("in.qsc", b"QSC")
        self.bad(1, "import", array, self.path("out"), says=array + ": is an array")
        self.bad(1, "compress", array, says=array + ": is an array")
        self.bad(1, "measure", clip, says=clip + ": is a clip already")
        self.bad(1, "measure", "", says='quatsimd: "": cannot open')

    def test_content_decides(self):
        """Names may say what they want, where the content has a mark."""
        q = rotations(6)
        array = self.save("array.npy", q)
        glb = glb_of(*gltf_tree([{"name": "a"}], {"turn": [(0, "rotation", [0, 1], q[:2], "STEP")]}))
        bvh = bvh_of(["1 2 3", "4 5 6", "7 8 9"])
        contents = {"npy": (self.content(array), 6), "glb": (glb, 2), "gltf": (gltf_of(["turn"], ["a"]), 1)}
        contents["gltf with a mark"] = b"\xef\xbb\xbf" + contents["gltf"][0], 1
        contents["bvh"] = bvh, 3
        contents["bvh with a mark"] = b"\xef\xbb\xbf" + bvh, 3
        for kind, (content, keys) in contents.items():
            for ending in ".npy", ".ply", ".glb", ".gltf", ".bvh", ".fbx", ".txt", "":
                with self.subTest(kind, ending=ending):
                    path = self.write("file" + ending, content)
                    self.assertEqual(self.json("measure", "--no-speed", path)["keys"], keys)
                    os.remove(path)

    def test_glTF_is_read_as_it_is(self):
        """By every command: integers are normalized, nodes of one name are told apart, what never turns has no curve."""
        nodes = [{"name": "a"}, {"name": "a"}, {"name": "b"}]
        whole = np.round(rotations(3, 2) * 32767).astype("<i2")
        curves = [(n, "rotation", [0, 0.25, 0.5], whole[:, n], None) for n in range(2)] + [(2, "translation", [0], [[1.0, 2, 3]], None)]
        spline = [(2, "rotation", [0], rotations(3), "BEZIER")]
        path = self.write("in.glb", glb_of(*gltf_tree(nodes, {"turn": curves})))
        report = self.json("measure", "--no-speed", path)
        self.assertEqual([(c["curves"], c["keys"]) for c in report["animations"]], [(2, 6)])
        for n, entry in enumerate(json.loads(self.good("import", "--json", path, self.path("out")).stdout)):
            np.testing.assert_array_equal(np.load(entry["file"]), (whole[:, n] / 32767).astype("<f4"))
            np.testing.assert_array_equal(np.load(entry["times"]), [0, 0.25, 0.5])
        # an animation that is not read is told of; the others go on, and the exit status is 1
        path = self.write("in.glb", glb_of(*gltf_tree(nodes, {"turn": curves, "ease": spline})))
        for command in ["measure", "--no-speed"], ["import"]:
            result = run(*command, path, *[self.path("out")] * (command == ["import"]))
            self.assertEqual(result.returncode, 1)
            self.assertIn("in.glb: animation 1, ease: b: rotation: its interpolation is unknown", result.stderr)
            self.assertIn("2 curves", result.stdout)
