"""Tests of outputs: they are whole or as they were before, whatever fails."""
import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest

import numpy as np

from support.command import TOOL, Directory, need_assimp, run, with_failing
from support.compressing import listing, small
from support.rotations import rotations


class Outputs(Directory):
    def test_unwritable(self):
        source = self.save("in.npy", rotations(2))
        for out in self.path("no", "out.npy"), source + "/out.npy", "/proc/out.npy":
            with self.subTest(out):
                self.bad(1, "pack", "-f", "cube32", source, out, says=out + ": cannot write")
                self.bad(1, "pack", "-f", "smallest3:4", source, out, says=out + ": cannot write")

    def test_read_only_directory_and_file(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        source = self.save("in.npy", rotations(2))
        old = self.write("old.npy", b"old")
        os.chmod(old, 0o444)
        self.bad(1, "pack", "-f", "cube32", source, old, says=old + ": cannot write: Permission denied")
        os.mkdir(self.path("shut"), 0o555)
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            self.path("shut", "o.npy"),
            says="cannot write: Permission denied",
        )

    def test_failure_leaves_the_old_file(self):
        source, old = self.save("in.npy", rotations(10000)), self.write("out.npy", b"old")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

        for format in "cube32", "smallest3:20", "float4":
            self.bad(
                1,
                "pack",
                "-f",
                format,
                source,
                old,
                says=old + ": cannot write: File too large",
                preexec_fn=limit_files,
                restore_signals=False,
            )
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"old")

    def test_interrupted(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        arguments = [TOOL, "pack", "-f", "float4", source, out]
        start = time.monotonic()
        subprocess.run(arguments, check=True)
        whole = time.monotonic() - start
        for ending in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            for tenth in range(1, 11):
                process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
                time.sleep(whole * tenth / 10)
                process.send_signal(ending)
                self.assertIn(process.wait(), (-ending, 0))
                self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "out.npy"])

    def test_hangup_is_ignored_under_nohup(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        process = subprocess.Popen(
            [TOOL, "pack", "-f", "float4", source, out],
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        self.assertEqual((process.wait(), os.listdir(self.directory).count("out.npy")), (0, 1))

    def test_full_disk(self):
        mount = self.path("disk")
        os.mkdir(mount)
        if (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=65536", "none", mount], stderr=subprocess.DEVNULL
            ).returncode
            != 0
        ):
            self.skipTest("cannot mount a small tmpfs here")
        self.addCleanup(subprocess.run, ["umount", mount], check=True)
        source = self.save("in.npy", rotations(50000))
        self.bad(
            1, "pack", "-f", "half4", source, os.path.join(mount, "out.npy"), says="No space left on device"
        )
        self.assertEqual(os.listdir(mount), [])

    def test_full_devices(self):
        source = self.save("in.npy", rotations(5))
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            "/dev/full",
            says="/dev/full: cannot write: No space left on device",
        )
        for arguments in (
            ["formats"],
            ["measure", "--no-speed", source],
            ["help"],
            ["--version"],
            ["formats", "--json"],
        ):
            with self.subTest(arguments[0]), open("/dev/full", "w") as full:
                self.bad(1, *arguments, says="standard output: cannot write", stdout=full)

    def failing(self, function, *arguments, says, **options):
        """With a function of the C library that fails; what is there stays as it is."""
        environment, before = with_failing(self, function), listing(self.directory)
        result = run(*arguments, env=environment, **options)
        self.assertEqual((result.returncode, listing(self.directory)), (1, before))
        self.assertIn("quatsimd: %s: cannot write: Input/output error\n" % says, result.stderr)

    def each_failing(self, *calls):
        for function in "fclose", "rename":
            for arguments, says in calls:
                with self.subTest(function, command=arguments[0], file=says):
                    self.failing(function, *arguments, says=says)

    def test_files_that_cannot_be_closed_or_renamed(self):
        array, hero, packed = self.save("in.npy", rotations(5)), self.write("in.glb", small()), self.path("packed.npy")
        out, page, curves = self.path("out"), self.path("page.html"), self.path("curves")
        self.good("pack", "-f", "half4", array, packed)
        self.good("compress", "-o", out, hero)
        self.good("import", hero, curves)
        clip, manifest = os.path.join(out, "in.glb", "Walk.qsc"), os.path.join(out, "in.glb", "quatsimd.json")
        self.each_failing(
            (["pack", "-f", "half4", array, packed], packed),
            (["pack", "-f", "half4", array, self.path("new.npy")], self.path("new.npy")),
            (["unpack", "-f", "half4", packed, self.path("back.npy")], self.path("back.npy")),
            (["import", hero, curves], os.path.join(curves, "Walk", "joint 0.npy")),
            (["compress", "-r", "1", "-o", out, hero], manifest),
            (["compress", "-o", out, "--report", page, hero], page),
            (["decompress", clip, "--arrays", "-o", self.directory], self.path("rotations.npy")),
            (["decompress", clip, "--into", hero, "-o", self.path("new.glb")], self.path("new.glb")),
        )
        with tempfile.TemporaryFile() as said:
            self.failing("fclose", "--version", says="standard output", stdout=said)

    def test_what_assimp_makes_cannot_be_closed_or_renamed(self):
        need_assimp()
        bvh = self.write("in.bvh", b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                         b"End Site\n{\nOFFSET 1 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n")
        self.good("compress", "-o", self.path("out"), bvh)
        clip = self.path("out", "in.bvh", "Motion.qsc")
        files = self.path("new.bvh"), self.path("new.glb")
        self.each_failing(*((["decompress", clip, "--into", bvh, "-o", file], file) for file in files))

    def test_devices_are_not_replaced(self):
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_links_and_modes_stay(self):
        source, target = self.save("in.npy", rotations(5)), self.write("target.npy", b"")
        os.chmod(target, 0o640)
        os.symlink("target.npy", self.path("link.npy"))
        self.good("pack", "-f", "cube32", source, self.path("link.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(target).shape, (5,))
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "link.npy", "target.npy"])

    def test_long_names(self):
        out = self.path("x" * 251 + ".npy")
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), out)
        self.assertEqual(np.load(out).shape, (5,))


if __name__ == "__main__":
    unittest.main()
