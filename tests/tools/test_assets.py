"""Tests of examples/assets: make and GNU parallel make a bundle of each file, and say if one fails."""
import os
import shutil
import subprocess

from support.command import TOOL, data
from support.compressing import Case, small

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "assets")


class Assets(Case):
    def call(self, *command):
        folder = self.path("bin")
        os.makedirs(folder, exist_ok=True)
        if not os.path.lexists(os.path.join(folder, "quatsimd")):
            os.symlink(os.path.abspath(TOOL), os.path.join(folder, "quatsimd"))
        environment = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
        return subprocess.run(command, cwd=self.directory, env=environment, capture_output=True, encoding="utf-8", timeout=300)

    def check(self, *command):
        if not shutil.which(command[0] if command[0] == "make" else "parallel"):
            self.skipTest("there is no " + command[0])
        for name in "a", "b":
            self.put("animations/%s.glb" % name, small(name))
        shutil.copy(data("cmu/005_13.bvh"), self.path("animations"))
        result = self.call(*command)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 within their bounds, 0 beyond", result.stdout)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["005_13.bvh.qsb", "a.glb.qsb", "b.glb.qsb"])
        before = os.path.getsize(self.path("out/b.glb.qsb"))
        self.put("animations/b.glb", b"glTF")
        os.utime(self.path("animations/b.glb"), (2e9, 2e9))
        result = self.call(*command)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("b.glb", result.stderr)
        self.assertEqual(os.path.getsize(self.path("out/b.glb.qsb")), before)

    def test_make(self):
        self.check("make", "-f", os.path.join(os.path.abspath(EXAMPLES), "Makefile"))

    def test_parallel(self):
        self.check(os.path.join(os.path.abspath(EXAMPLES), "parallel.sh"), "animations", "out")
