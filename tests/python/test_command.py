"""python -m quatsimd: the same output, files and exit status as the command's program, and its ends by signals."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import quatsimd
from quatsimd import _library

BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 0 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
MOTION
Frames: %d
Frame Time: 0.1
%s"""


def program():
    """The command beside the libraries of a build, or None."""
    path = _library.FOLDER.parent / "tools" / ("quatsimd.exe" if os.name == "nt" else "quatsimd")
    return [str(path)] if path.exists() else None


def module():
    return [sys.executable, "-m", "quatsimd"]


def start(command, folder, **options):
    package = str(pathlib.Path(quatsimd.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": package, "QUATSIMD_LIBRARIES": str(_library.FOLDER)}
    environment.pop("PYTHONUNBUFFERED", None)  # the C library would follow it, too
    return subprocess.Popen(command, cwd=folder, env=environment, **options)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        rows = "".join("%d 0 0\n" % angle for angle in range(30))
        (self.folder / "wålk.bvh").write_text(BVH % (30, rows), encoding="utf-8")

    def run_it(self, command, *arguments):
        with start([*command, *arguments], self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            output, errors = process.communicate()
        return process.returncode, output, errors

    def test_as_the_program(self):
        if not program():
            self.skipTest("there is no program of the command beside the libraries")
        cases = [
            ["--version"],
            ["frobnicate"],
            ["formats", "--json"],
            ["compress", "wålk.bvh", "-o", "out/w.qsb", "--json", "-j", "1"],
            ["info", "out/w.qsb"],
            ["info", b"none-\xff.qsb".decode(errors="surrogateescape")],
        ]
        for arguments in cases:
            found = []
            for command in (program(), module()):
                for old in self.folder.glob("out/*"):
                    if arguments[0] == "compress":
                        old.unlink()
                found.append(self.run_it(command, *arguments))
            (status, output, errors), (other_status, other_output, other_errors) = found
            if arguments[0] == "compress":  # has the seconds that it took
                self.assertEqual((status, other_status), (0, 0), other_errors)
                self.assertEqual(len(output.splitlines()), len(other_output.splitlines()))
            else:
                self.assertEqual((status, output, errors), (other_status, other_output, other_errors))

    def test_status_and_messages(self):
        self.assertEqual(
            self.run_it(module(), "info", "none.qsb"), (1, b"", b"quatsimd: none.qsb: cannot open: No such file or directory\n")
        )
        status, output, errors = self.run_it(module())
        self.assertEqual((status, output, errors[:6]), (2, b"", b"Usage:"))

    @unittest.skipIf(os.name == "nt", "Windows has no such signals")
    def test_output_that_nobody_reads(self):
        reading, writing = os.pipe()
        os.close(reading)
        with start([*module(), "help", "compress"], self.folder, stdout=writing, stderr=subprocess.PIPE) as process:
            os.close(writing)
            errors = process.communicate()[1]
        self.assertEqual((process.returncode, errors), (-signal.SIGPIPE, b""))

    @unittest.skipIf(os.name == "nt", "Windows has no such signals")
    def test_interrupt(self):
        fifo = self.folder / "rotations.npy"
        os.mkfifo(fifo)  # the command waits for it
        for number in (signal.SIGINT, signal.SIGTERM):
            with start([*module(), "measure", "rotations.npy"], self.folder, stderr=subprocess.PIPE) as process:
                with open(fifo, "wb"):
                    time.sleep(0.2)
                    process.send_signal(number)
                    errors = process.communicate(timeout=60)[1]
            self.assertEqual((process.returncode, errors), (-number, b""))

    @unittest.skipIf(os.name == "nt", "there is no full device")
    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            with start([*module(), "--version"], self.folder, stdout=full, stderr=subprocess.PIPE) as process:
                errors = process.communicate()[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"quatsimd: standard output: cannot write: No space left", errors)


if __name__ == "__main__":
    unittest.main()
