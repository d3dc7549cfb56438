"""Tests of the command on Windows, run by wine: what depends on the system. All else is tested elsewhere, as the code is the same.

QUATSIMD_EXE is quatsimd.exe, QUATSIMD_WINE the wine that runs it, and QUATSIMD_TOOL the command of this machine, for comparison.
"""
import filecmp
import json
import os
import signal
import subprocess
import time
import unittest

import numpy as np

from support.command import TOOL, Directory, model
from support.compressing import animation, listing, small
from support.gltf import glb_of, gltf_tree
from support.rotations import rotations

WINE, EXE = os.environ["QUATSIMD_WINE"], os.environ["QUATSIMD_EXE"]


def windows(path):
    """A path of this machine as a program on Windows has it."""
    return "Z:" + path.replace("/", "\\")


def start(*arguments, **options):
    environment = dict(os.environ, WINEDEBUG="-all")
    environment.update(options.pop("env", {}))
    return subprocess.Popen([WINE, EXE, *map(str, arguments)], env=environment, stdin=subprocess.DEVNULL, **options)


def run(*arguments, **options):
    process = start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    stdout, stderr = process.communicate(timeout=300)
    return process.returncode, stdout.decode(), stderr.decode()  # strictly: all is UTF-8


class Windows(Directory):
    def there(self, *names):
        """A path of the test's directory as Windows has it."""
        return windows(self.path(*names))

    def good(self, *arguments, **options):
        status, stdout, stderr = run(*arguments, **options)
        self.assertEqual((status, stderr), (0, ""))
        self.assertNotIn("\r", stdout)
        return stdout

    def bad(self, *arguments, says, **options):
        before = listing(self.directory)
        status, _, stderr = run(*arguments, **options)
        self.assertEqual((status, listing(self.directory)), (1, before), stderr)
        self.assertIn(says, stderr)

    def native(self, *arguments):
        return subprocess.run([TOOL, *arguments], check=True, capture_output=True, encoding="utf-8").stdout

    def same(self, a, b):
        """Folders of bundles."""
        one, other = listing(a), listing(b)
        self.assertEqual(sorted(one), sorted(other))
        for name in one:
            self.assertTrue(filecmp.cmp(os.path.join(a, name), os.path.join(b, name), shallow=False), name)

    # paths

    def test_paths(self):
        self.save("in.npy", rotations(100))
        self.native("pack", "-f", "smallest3_48", self.path("in.npy"), self.path("native.npy"))
        os.makedirs(self.path("a b", "c"))
        for source, to, folder in (
            (self.there("in.npy"), self.there("a b", "1.npy"), None),
            ("Z:" + self.path("in.npy"), "Z:" + self.path("a b", "2.npy"), None),
            ("in.npy", "a b\\3.npy", ""),
            ("..\\..\\in.npy", "..\\.\\4.npy", "a b/c"),
            ("\\\\?\\" + self.there("in.npy"), "\\\\?\\" + self.there("a b", "5.npy"), None),
        ):
            with self.subTest(source):
                self.good("pack", "-f", "smallest3_48", source, to, cwd=folder is not None and self.path(folder) or None)
        for i in range(1, 6):
            self.assertTrue(filecmp.cmp(self.path("native.npy"), self.path("a b", "%d.npy" % i), shallow=False))

    def test_patterns(self):
        for name in ("b.glb", "a.glb", "c.bin", ".d.glb"):
            self.write(name, small())
        found = json.loads(self.good("compress", "--json", self.there("?.glb")))
        self.assertEqual([os.path.basename(file["file"].replace("\\", "/")) for file in found["animations"]], ["a.glb", "b.glb"])
        self.bad("compress", self.there("*.fbx"), says="*.fbx: cannot open: No such file")

    def test_folders_that_are_made(self):
        """Below what cannot be made: a drive, or a root of another kind."""
        self.write("in.glb", small())
        for out in "\\\\?\\" + self.there("a", "b"), self.there("c", "d") + "\\":
            self.good("compress", "-o", out, self.there("in.glb"))
        self.same(self.path("a", "b"), self.path("c", "d"))
        self.bad("compress", "-o", "Q:\\none", self.there("in.glb"), says="Q:: cannot make the directory")

    def test_folder_of_a_drive(self):
        """Z:in.glb is in the folder where the command runs."""
        self.write("in.glb", small())
        self.good("compress", "-o", "Z:out", "Z:in.glb", cwd=self.directory)
        self.assertEqual(os.listdir(self.path("out")), ["in.qsb"])

    def test_files_beside_one_of_another_drive(self):
        nodes, curves = animation(2, 3)
        tree, binary = gltf_tree(nodes, {"Walk": curves})
        tree["buffers"][0]["uri"] = "keys.bin"
        os.makedirs(self.path("beside"))
        self.write("beside/in.gltf", json.dumps(tree).encode()), self.write("beside/keys.bin", binary)
        drive = os.path.join(os.environ["WINEPREFIX"], "dosdevices", "r:")
        os.symlink(self.path("beside"), drive)
        self.addCleanup(os.remove, drive)
        self.assertIn("1 animation", self.good("import", "R:in.gltf", self.there("keys")))

    def test_capital_letters(self):
        """They are the same letters to Windows: nothing replaces anything."""
        nodes, curves = animation(2, 3)
        names = "Walk", "walk", "ÄÖ", "äö", "ЖЯ", "жя"
        self.write("in.glb", glb_of(*gltf_tree(nodes, {name: curves for name in names})))
        self.good("compress", "-o", self.there("out"), self.there("in.glb"))
        self.native("compress", "-o", self.path("native"), self.path("in.glb"))
        self.same(self.path("out"), self.path("native"))
        self.good("extract", self.there("out", "in.qsb"), "-o", self.there("clips"))
        self.assertEqual(len(os.listdir(self.path("clips"))), len(names) + 1)
        for folder, name in ("a", "Fox"), ("b", "fox"):
            os.makedirs(self.path(folder))
            self.write("%s/%s.glb" % (folder, name), small())
        self.bad("compress", "-o", self.there("two"), self.there("a", "Fox.glb"), self.there("b", "fox.glb"), says="has the same name as ")

    def test_options_with_paths(self):
        self.write("in.glb", small())
        file, bundle = self.there("in.glb"), self.there("in.qsb")
        options = "--report", self.there("page.html"), "--skeleton=" + file, "--additive", file + "#Walk"
        self.good("compress", "-o", bundle, *options, file)
        self.assertIn("Walk", self.good("verify", bundle, "--against", file, "--base", file))
        self.good("decompress", bundle, "--base", file, "-o", self.there("new.glb"))
        self.assertGreater(os.path.getsize(self.path("new.glb")), 100)

    def test_long_paths(self):
        folder = self.path(*["folder%03d-%s" % (i, "x" * 90) for i in range(4)])
        os.makedirs(folder)
        self.assertGreater(len(folder), 400)
        np.save(os.path.join(folder, "in.npy"), rotations(10))
        self.good("pack", "-f", "cube32", windows(folder + "/in.npy"), windows(folder + "/out.npy"))
        self.assertEqual(sorted(os.listdir(folder)), ["in.npy", "out.npy"])

    def test_names_that_windows_keeps(self):
        nodes, curves = animation(2, 9)
        names = ["con", "Aux.1", "nul", "COM7", "lpt1.x.y", "console", "a:b", "tail.", "x\\y"]
        self.write("in.glb", glb_of(*gltf_tree(nodes, {name: curves for name in names})))
        self.good("compress", "-o", self.there("out"), self.there("in.glb"))
        self.native("compress", "-o", self.path("native"), self.path("in.glb"))
        self.same(self.path("out"), self.path("native"))
        self.good("extract", self.there("out", "in.qsb"), "-o", self.there("clips"))
        made = sorted(name for name in os.listdir(self.path("clips")) if name.endswith(".qsc"))
        self.assertEqual(
            made,
            sorted(["_con.qsc", "_Aux.1.qsc", "_nul.qsc", "_COM7.qsc", "_lpt1.x.y.qsc", "console.qsc", "a_b.qsc", "tail_.qsc", "x_y.qsc"]),
        )

    def test_bad_files(self):
        source = windows(self.save("in.npy", rotations(4)))
        os.mkdir(self.path("folder"))
        for arguments, says in (
            ((self.there("none.npy"), "out.npy"), "none.npy: cannot open: No such file or directory"),
            ((self.there("folder"), "out.npy"), "folder: is a directory"),
            ((source, self.there("no", "out.npy")), "out.npy: cannot write: No such file or directory"),
            ((source, self.there("folder")), "folder: cannot write: Permission denied"),
            (("Q:\\in.npy", "out.npy"), "cannot open: No such file or directory"),
            (("a|b?.npy", "out.npy"), "cannot open: No such file or directory"),
        ):
            with self.subTest(says):
                self.bad("pack", "-f", "cube32", *arguments, says=says, cwd=self.directory)

    # Unicode

    def test_unicode(self):
        nodes, curves = animation(2, 9)
        names = ["走る", "Ünïcödé", "\U0001f3c3", "e\u0301"]
        folder = "папка 走"
        os.makedirs(self.path("in", folder))
        file = self.write(os.path.join("in", folder, "\U0001f9d1‍🎤.glb"), glb_of(*gltf_tree(nodes, {name: curves for name in names})))
        text = self.good("compress", "-o", self.there("aus Ä"), self.there("in"))
        self.native("compress", "-o", self.path("native"), self.path("in"))
        self.same(self.path("aus Ä"), self.path("native"))
        self.assertIn("%s/%s.qsb" % (folder, os.path.basename(file)[:-4]), text)
        self.assertIn(names[0], self.good("compress", "--animation", "走*", windows(file)))
        _, _, stderr = run("info", self.there("下.qsc"))
        self.assertIn("下.qsc: cannot open", stderr)

    # lines

    def test_lines(self):
        path = model("BVH/01_01.bvh")
        with open(path, "rb") as file:
            text = file.read().replace(b"\r\n", b"\n")
        self.write("lf.bvh", text), self.write("crlf.bvh", text.replace(b"\n", b"\r\n"))
        for name in "lf", "crlf":
            self.good("import", self.there(name + ".bvh"), self.there(name))
        self.assertEqual(listing(self.path("lf")), listing(self.path("crlf")))
        self.native("import", path, self.path("native"))
        self.assertEqual(listing(self.path("lf")), listing(self.path("native")))

    # files that are replaced

    def test_replaced(self):
        source, out = self.save("in.npy", rotations(1000)), self.write("out.npy", b"old")
        self.good("pack", "-f", "cube32", windows(source), windows(out))
        self.native("pack", "-f", "cube32", source, self.path("native.npy"))
        self.assertTrue(filecmp.cmp(out, self.path("native.npy"), shallow=False))
        self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "native.npy", "out.npy"])
        os.chmod(out, 0o444)  # read-only
        self.bad("pack", "-f", "float4", windows(source), windows(out), says="cannot write: Permission denied")

    def test_bundles_that_cannot_be_replaced(self):
        source, bundle = self.write("in.glb", small()), self.path("in.qsb")
        again = "compress", "-o", windows(bundle), "--object", "1mm@3cm", windows(source)
        self.good("compress", "-o", windows(bundle), windows(source))
        os.chmod(bundle, 0o444)  # read-only
        self.bad(*again, says="in.qsb: cannot write: Permission denied")
        os.chmod(bundle, 0o644)
        null = subprocess.DEVNULL
        holder = subprocess.Popen([WINE, "cmd", "/c", "ping -n 20 127.0.0.1<" + windows(bundle)], stdin=null, stdout=null, stderr=null)
        time.sleep(5)
        self.bad(*again, says="in.qsb: cannot write: Permission denied")
        self.assertIsNone(holder.poll())  # it held the bundle
        holder.wait()
        self.assertEqual(run(*again)[0], 0)  # it says that it replaces the bundle
        self.assertEqual([name for name in listing(self.directory) if ".quatsimd-" in name], [])

    def library(self, files, keys=60):
        nodes, curves = animation(4, keys)
        for i in range(files):
            content = glb_of(*gltf_tree(nodes, {"Walk %d" % i: curves}))
            os.makedirs(self.path("in", "%d" % (i % 3)), exist_ok=True)
            self.write(os.path.join("in", "%d" % (i % 3), "%03d.glb" % i), content if i != 7 else content[:200])

    def test_jobs(self):
        self.library(20)
        for jobs in 1, 4, 30:
            with self.subTest(jobs=jobs):
                out = "out%d" % jobs
                status, stdout, stderr = run("compress", "--jobs", jobs, "-o", self.there(out), self.there("in"))
                self.assertEqual((status, stderr.count("007.glb")), (1, 2), stderr)
                self.assertIn("as 19 bundles", stdout)
        self.assertEqual(subprocess.run([TOOL, "compress", "-o", self.path("native"), self.path("in")], capture_output=True).returncode, 1)
        for jobs in 1, 4, 30:
            self.same(self.path("out%d" % jobs), self.path("native"))

    def test_a_run_that_is_killed(self):
        """What it left is removed by the next one."""
        self.library(40, keys=2000)
        process = start("compress", "-o", self.there("out"), self.there("in"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        status, stdout, _ = run("compress", "-o", self.there("out"), self.there("in"))
        self.assertEqual(status, 1)  # the broken file
        self.assertIn("as 39 bundles", stdout)
        self.assertEqual([name for name in listing(self.path("out")) if ".quatsimd-" in name], [])

    # the console

    def test_pipes_take_no_escapes(self):
        self.library(3)
        _, stdout, stderr = run("compress", "-o", self.there("out"), self.there("in"))
        self.assertNotIn("\x1b", stdout + stderr)

    def test_every_command(self):
        bvh = windows(model("BVH/01_01.bvh"))
        array, out = windows(self.save("in.npy", rotations(50))), self.there("out")
        text = self.good("--version")
        self.assertIn("quatsimd", text)
        self.assertEqual(self.good("formats"), self.native("formats"))
        status, stdout, stderr = run("help", "compress")
        self.assertEqual((status, stdout), (0, self.native("help", "compress")))
        self.assertEqual(stderr, "")
        for arguments in (
            ("measure", "--no-speed", array),
            ("measure", "--no-speed", bvh),
            ("measure", "--no-speed", windows(model("FBX/huesitos.fbx"))),
            ("compress", "--time", "0", bvh),
            ("compress", "-o", out, bvh),
            ("info", out),
            ("verify", out),
            ("info", out + "\\01_01.qsb"),
        ):
            with self.subTest(arguments[0]):
                self.assertTrue(self.good(*arguments))


if __name__ == "__main__":
    unittest.main()
