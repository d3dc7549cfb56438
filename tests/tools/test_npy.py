"""Tests of .npy files that the command refuses."""
import io
import unittest

import numpy as np

from support.command import MEMORY_LIMIT, Directory, run
from support.npy import header
from support.rotations import rotations

GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }"


class BadArrays(Directory):
    def refuse(self, content, says):
        """pack and measure both refuse the file."""
        path = self.write("bad.npy", content)
        self.bad(1, "pack", "-f", "cube32", path, self.path("out.npy"), says=[path, says])
        self.bad(1, "measure", "--no-speed", path, says=[path, says])

    def test_truncated_anywhere(self):
        buffer = io.BytesIO()
        np.save(buffer, rotations(2))
        content = buffer.getvalue()
        for length in list(range(0, 12)) + [20, 127, 128, 129, len(content) - 1]:
            with self.subTest(length=length):
                part = ["it does not begin with", "ends within the .npy header", "the file holds"]
                self.refuse(content[:length], part[(length >= 8) + (length >= 128)])

    def test_goes_on(self):
        self.refuse(header(GOOD) + bytes(17), "the file goes on behind the 16 bytes")

    def test_magic_and_version(self):
        self.refuse(header(GOOD, magic=b"\x93NUMPZ") + bytes(16), "not a .npy file")
        self.refuse(header(GOOD, version=4)[:10] + bytes(200), "version 4.0")
        self.refuse(b"PK\x03\x04" + bytes(100), "not a .npy file")  # .npz

    def test_broken_headers(self):
        for text in (
            "",
            "{",
            "}",
            "{}",
            "[1]",
            "{'descr': '<f4'}",
            GOOD[:-1],
            GOOD + "x",
            GOOD + GOOD,
            GOOD.replace("False", "false"),
            GOOD.replace("False", "0"),
            GOOD.replace("(1, 4)", "[1, 4]"),
            GOOD.replace("(1, 4)", "(1 4)"),
            GOOD.replace("(1, 4)", "(1,, 4)"),
            GOOD.replace("(1, 4)", "(4)"),
            GOOD.replace("(1, 4)", "(-1, 4)"),
            GOOD.replace("(1, 4)", "(1.0, 4)"),
            GOOD.replace("(1, 4)", "(" + "1, " * 40 + "4)"),
            GOOD.replace("(1, 4)", "(1, 4"),
            GOOD.replace("}", "'more': 1}"),
            GOOD.replace("}", "'descr': '<f4'}"),
            GOOD.replace("'<f4'", "<f4"),
            GOOD.replace("'<f4'", "'<f4\""),
            GOOD.replace("descr", "d" * 100),
            GOOD.replace("<f4", "x" * 100),
            GOOD.replace(" ", "\0"),
            GOOD.replace("4)", "99999999999999999999999)"),
        ):
            with self.subTest(text):
                self.refuse(header(text) + bytes(16), "header is broken")
        self.refuse(header(GOOD, version=2, length=2**31) + bytes(16), "header claims 2147483648 bytes")

    def test_huge_shapes_take_no_memory(self):
        if MEMORY_LIMIT is None:
            self.skipTest("does not start with limited memory (built with a sanitizer?)")
        for shape in (
            "(4000000000, 4)",
            "(1152921504606846975, 4)",
            "(4611686018427387904, 4)",
            "(4294967296, 4294967296)",
        ):
            with self.subTest(shape):
                path = self.write("bad.npy", header(GOOD.replace("(1, 4)", shape)) + bytes(64))
                self.bad(
                    1, "pack", "-f", "cube32", path, self.path("out.npy"), says=path, preexec_fn=MEMORY_LIMIT
                )

    def test_dtypes(self):
        cases = [
            (np.ones((2, 4), np.float16), "dtype is '<f2'"),
            (np.ones((2, 4), np.int32), "dtype is '<i4'"),
            (np.ones((2, 4), np.complex64), "dtype is '<c8'"),
            (np.ones((2, 4), bool), "dtype is '|b1'"),
            (np.ones((2, 4), np.longdouble), "dtype is '<f16'"),
            (np.array([["a"] * 4]), "dtype is '<U1'"),
            (np.ones((2, 4), np.uint32), "dtype is '<u4'"),
            (np.zeros(2, [("x", "f4"), ("y", "f4")]), "structured dtype"),
        ]
        for array, says in cases:
            with self.subTest(says):
                buffer = io.BytesIO()
                np.save(buffer, array)
                self.refuse(buffer.getvalue(), says)

    def test_objects(self):
        buffer = io.BytesIO()
        np.save(buffer, np.array([[None] * 4]), allow_pickle=True)
        self.refuse(buffer.getvalue(), "dtype is '|O'")

    def test_fortran_order(self):
        buffer = io.BytesIO()
        np.save(buffer, np.asfortranarray(rotations(6)))
        self.refuse(buffer.getvalue(), "Fortran order")

    def test_shapes(self):
        for shape in (), (3,), (4, 3), (4, 0), (2, 4, 5):
            with self.subTest(shape=shape):
                buffer = io.BytesIO()
                np.save(buffer, np.ones(shape, np.float32))
                self.refuse(buffer.getvalue(), "rotations are (..., 4)")

    def test_mutated_files_never_crash(self):
        generator = np.random.default_rng(5)
        buffer = io.BytesIO()
        np.save(buffer, rotations(3))
        for _ in range(150):
            content = bytearray(buffer.getvalue())
            for _ in range(generator.integers(1, 5)):
                content[generator.integers(0, 128)] = generator.integers(0, 256)
            path = self.write("bad.npy", content[: generator.integers(0, 2 * len(content))])
            self.assertIn(run("pack", "-f", "half4", path, self.path("out.npy")).returncode, (0, 1))


if __name__ == "__main__":
    unittest.main()
