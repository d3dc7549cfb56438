"""Tests of the limits of reading: a file takes no more memory and time than it may."""
import resource
import struct
import time
import unittest

from support.command import MEMORY_LIMIT, Directory
from support.fbx import fbx_binary, fbx_text
from support.fbx_figures import plain


def long_figure(keys):
    models = plain()
    models[1]["curves"]["R"]["X"] = (range(keys), [k % 90 for k in range(keys)])
    return models


class ReaderLimits(Directory):
    def test_memory(self):
        if not MEMORY_LIMIT:
            self.skipTest("built with a sanitizer, which takes memory of its own")
        path = self.write("long.fbx", fbx_binary(long_figure(20000)))
        said = path + ": takes more than 0.0001 GB of memory (--reader-memory allows more)"
        for command in ["compress"], ["measure"], ["stream"], ["import"]:
            behind = [self.path("out")] if command == ["import"] else []
            self.bad(1, *command, "--reader-memory", "0.0001", path, *behind, says=said)
        start = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
        self.bad(1, "measure", self.write("large.fbx", start + bytes(64 << 20)), says="no rotation curves in this file")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)  # in KiB

    def test_seconds(self):
        path, start = self.write("slow.fbx", fbx_binary(long_figure(200000))), time.monotonic()
        self.bad(1, "measure", "--reader-seconds", "0.001", path, says="slow.fbx: takes more than 0.001 seconds (--reader-seconds")
        self.assertLess(time.monotonic() - start, 10)

    def test_limits_are_numbers(self):
        path = self.write("a.fbx", fbx_text(plain()))
        for given in "-1", "nan", "4GB", "":
            self.bad(2, "measure", "--reader-memory", given, path, says="--reader-memory: ")
        self.good("measure", "--no-speed", "--reader-memory", "0", "--reader-seconds", "0", path)


if __name__ == "__main__":
    unittest.main()
