"""Tests of files that are missing, bad among good ones, or of no kind that a command takes."""
import json
import os
import subprocess
import unittest

import numpy as np

from support.command import TOOL, Directory
from support.rotations import rotations


class Inputs(Directory):
    def test_missing(self):
        path = self.path("none.npy")
        for command in (
            ["pack", "-f", "cube32", path, self.path("o")],
            ["unpack", "-f", "cube32", path, self.path("o")],
            ["measure", path],
            ["measure", self.path("none.bvh")],
            ["import", path, self.path("o")],
        ):
            with self.subTest(command[0]):
                self.bad(1, *command, says=["none.", "No such file or directory"])

    def test_directories(self):
        good = self.save("in.npy", rotations(2))
        for command in (
            ["pack", "-f", "cube32", self.directory, self.path("o")],
            ["measure", self.directory],
            ["unpack", "-f", "cube32", self.directory, self.path("o")],
            ["import", self.directory, self.path("o")],
        ):
            with self.subTest(command[0]):
                self.bad(1, *command, says=self.directory + ": is a directory")
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            good,
            self.directory,
            says=self.directory + ": cannot write: Is a directory",
        )

    def test_every_bad_file_is_named(self):
        good = self.save("good.npy", rotations(2))
        result = self.bad(1, "measure", "--no-speed", self.path("a.npy"), good, self.path("b.npy"), says=["a.npy", "b.npy"])
        self.assertIn("2 rotations", result.stdout)  # and the good one is measured
        self.assertEqual(self.bad(1, "measure", self.path("a.npy"), says="a.npy").stdout, "")

    def test_empty_array(self):
        path = self.save("empty.npy", rotations(0))
        self.bad(1, "measure", path, says=path + ": the array is empty")

    def test_names_cannot_write_to_the_terminal(self):
        self.assertNotIn(
            "\x1b", self.bad(1, "measure", self.path("\x1b[2J.npy"), says="\ufffd[2J.npy").stderr
        )
        result = subprocess.run(
            [TOOL, "measure", os.fsencode(self.directory) + b"/\xff.npy"], stderr=subprocess.PIPE
        )
        self.assertIn("\ufffd.npy", result.stderr.decode("utf-8"))


class SomeFilesAreBad(Directory):
    def test_the_good_ones_are_measured(self):
        good, bad = self.save("good.npy", rotations(6)), self.save("bad.npy", np.zeros((4, 3), np.float32))
        result = self.bad(1, "measure", "--json", "--no-speed", "-f", "half4", bad, good, bad, says=bad + ": the array's shape is (4, 3)")
        both, alone = json.loads(result.stdout), json.loads(self.good("measure", "--json", "--no-speed", "-f", "half4", good).stdout)
        self.assertEqual(both, alone)
        self.assertEqual((both["files"], both["keys"]), (1, 6))

    def test_what_no_animation_is(self):
        array, clip = self.save("in.npy", rotations(6)), self.write("in.qsc", b"QSC")
        self.bad(1, "import", array, self.path("out"), says=array + ": is an array")
        self.bad(1, "compress", array, says=array + ": is an array")
        self.bad(1, "measure", clip, says=clip + ": is a clip already")
        self.bad(1, "measure", "", says='quatsimd: "": cannot open')

    def test_a_page_replaces_no_input(self):
        path = self.write("walk.bvh", b"HIERARCHY")
        self.bad(1, "compress", "-o", self.path("out"), "--report", path, path, says="is one of the files")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"HIERARCHY")


if __name__ == "__main__":
    unittest.main()
