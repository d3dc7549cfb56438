"""Tests of the process in which Assimp reads a file: it takes no more memory and time than it may, and ends with the
command."""
import os
import resource
import signal
import struct
import subprocess
import time
import unittest

from support.command import MEMORY_LIMIT, TOOL, Directory, need_assimp


def iqm_of_meshes(meshes):
    """The head of an .iqm, all 124 bytes of it, that promises meshes."""
    numbers = [2, 124, 0, 0, 124, meshes] + 21 * [0]
    return b"INTERQUAKEMODEL\0" + struct.pack("<27I", *numbers)


def collada_of_nodes(count):
    """A valid .dae on which Assimp spends time by the square of the count: 14 seconds for 20,000."""
    animations = "".join(
        f'<animation id="a{i}"><source id="t{i}"><float_array id="ta{i}" count="2">0 1</float_array><technique_common>'
        f'<accessor source="#ta{i}" count="2"><param name="TIME" type="float"/></accessor></technique_common></source>'
        f'<source id="v{i}"><float_array id="va{i}" count="2">0 1</float_array><technique_common>'
        f'<accessor source="#va{i}" count="2"><param name="ANGLE" type="float"/></accessor></technique_common></source>'
        f'<sampler id="s{i}"><input semantic="INPUT" source="#t{i}"/><input semantic="OUTPUT" source="#v{i}"/></sampler>'
        f'<channel source="#s{i}" target="n{i}/r.ANGLE"/></animation>'
        for i in range(count)
    )
    nodes = "".join(f'<node id="n{i}" name="n{i}"><rotate sid="r">1 0 0 0</rotate></node>' for i in range(count))
    return (
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        f"<library_animations>{animations}</library_animations>"
        f'<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    ).encode()


def processes_in(group):
    """Those that run: one that ended and is not waited for is none."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                state, _, its_group = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state not in "ZX":
            found.append(int(process))
    return found


class ReaderLimits(Directory):
    def setUp(self):
        super().setUp()
        need_assimp()

    def test_memory(self):
        if not MEMORY_LIMIT:
            self.skipTest("built with a sanitizer, which takes terabytes of addresses")
        path = self.write("hostile.iqm", iqm_of_meshes(1 << 27))
        said = path + ": takes more than 0.25 GB of memory (--reader-memory allows more)"
        for command in ["compress"], ["measure"], ["stream"], ["import"]:
            behind = [self.path("out")] if command == ["import"] else []
            self.bad(1, *command, "--reader-memory", "0.25", path, *behind, says=said)
        start = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
        fbx = self.write("large.fbx", start + bytes(64 << 20))
        self.bad(1, "measure", "--reader-memory", "0.02", fbx, says="takes more than 0.02 GB of memory (--reader-memory")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)  # in KiB
        self.bad(1, "measure", self.write("vast.iqm", iqm_of_meshes((1 << 31) - 1)), says="takes more than 4 GB of memory")

    def test_seconds(self):
        path = self.write("slow.dae", collada_of_nodes(20000))
        start = time.monotonic()
        self.bad(1, "measure", "--reader-seconds", "1", path, says="slow.dae: takes more than 1 seconds (--reader-seconds")
        self.assertLess(time.monotonic() - start, 10)

    def test_the_reader_ends_with_the_command(self):
        path = self.write("slow.dae", collada_of_nodes(20000))
        with subprocess.Popen([TOOL, "measure", path], start_new_session=True) as command:
            end = time.monotonic() + 60
            while len(processes_in(command.pid)) < 2 and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(len(processes_in(command.pid)), 2)
            command.send_signal(signal.SIGKILL)
        end = time.monotonic() + 3  # it has 14 seconds of work
        while (left := processes_in(command.pid)) and time.monotonic() < end:
            time.sleep(0.01)
        for process in left:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(left, [])

    def test_limits_are_numbers(self):
        path = self.write("a.dae", collada_of_nodes(1))
        for given in "-1", "nan", "4GB", "":
            self.bad(2, "measure", "--reader-memory", given, path, says="--reader-memory: ")
        self.good("measure", "--no-speed", "--reader-memory", "0", "--reader-seconds", "0", path)


class WithoutAssimp(Directory):
    def test_there_are_no_such_options(self):
        if "no Assimp" not in self.good("--version").stdout:
            self.skipTest("built with Assimp")
        for option in "--reader-memory", "--reader-seconds":
            says = option + ": only for files that Assimp reads; this quatsimd is built without Assimp\n"
            self.bad(2, "measure", option, "1", "a.bvh", says=says)
            self.assertNotIn(option, self.good("measure", "--list-options").stdout)
        for arguments in ["help"], ["help", "measure"], ["measure", "--help"]:
            self.assertIn("this quatsimd is built without Assimp", self.good(*arguments).stderr)
        self.assertEqual(self.good("help", "formats").stderr, "")


if __name__ == "__main__":
    unittest.main()
