"""Tests of .npy files that the command refuses."""
import io
import json
import random
import struct
import zipfile

import numpy as np

from support.command import MEMORY_LIMIT, Directory, limited_memory, run
from support.npy import header
from support.rotations import rotations

GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }"


def saved(array, **options):
    """The bytes of its .npy file."""
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


class BadArrays(Directory):
    def refuse(self, content, says):
        """pack and measure both refuse the file."""
        path = self.write("bad.npy", content)
        self.bad(1, "pack", "-f", "cube32", path, self.path("out.npy"), says=[path, says])
        self.bad(1, "measure", "--no-speed", path, says=[path, says])

    def test_truncated_anywhere(self):
        content = saved(rotations(2))
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
        shapes = (
            "[1, 4]",
            "(1 4)",
            "(1,, 4)",
            "(4)",
            "(-1, 4)",
            "(1.0, 4)",
            "(" + "1, " * 40 + "4)",
            "(1, 4",
            "(1, 99999999999999999999999)",
        )
        changes = ("False", "false"), ("False", "0"), ("}", "'more': 1}"), ("}", "'descr': '<f4'}"), ("'<f4'", "<f4"), ("'<f4'", "'<f4\"")
        changes += ("descr", "d" * 100), ("<f4", "x" * 100), (" ", "\0")
        texts = ["", "{", "}", "{}", "[1]", "{'descr': '<f4'}", GOOD[:-1], GOOD + "x", GOOD + GOOD]
        for text in texts + [GOOD.replace(*c) for c in changes] + [GOOD.replace("(1, 4)", shape) for shape in shapes]:
            with self.subTest(text):
                self.refuse(header(text) + bytes(16), "header is broken")
        self.refuse(header(GOOD, version=2, length=2**31) + bytes(16), "header claims 2147483648 bytes")

    @limited_memory
    def test_huge_shapes_take_no_memory(self):
        missing, overflow = "the file holds 64 bytes of array, its shape ", " is too large for this machine"
        for shape, says in (
            ("(4000000000, 4)", missing),
            ("(1152921504606846975, 4)", missing),  # the last that size_t can count
            ("(1152921504606846976, 4)", overflow),
            ("(4611686018427387904, 4)", overflow),
            ("(4294967296, 4294967296)", overflow),
        ):
            for order in "False", "True":
                with self.subTest(shape, fortran=order):
                    text = GOOD.replace("(1, 4)", shape).replace("False", order)
                    path = self.write("bad.npy", header(text) + bytes(64))
                    out = self.path("out.npy")
                    self.bad(1, "pack", "-f", "cube32", path, out, says=[path, says], preexec_fn=MEMORY_LIMIT)

    def test_dtypes(self):
        for array, says in (
            (np.ones((2, 4), np.int16), "dtype is '<i2'"),
            (np.ones((2, 4), np.int32), "dtype is '<i4'"),
            (np.ones((2, 4), np.complex64), "dtype is '<c8'"),
            (np.ones((2, 4), bool), "dtype is '|b1'"),
            (np.ones((2, 4), np.longdouble), "dtype is '<f16'"),
            (np.array([["a"] * 4]), "dtype is '<U1'"),
            (np.ones((2, 4), np.uint32), "dtype is '<u4'"),
            (np.zeros(2, [("x", "f4"), ("y", "f4")]), "structured dtype"),
            (np.array([[None] * 4]), "dtype is '|O'"),
        ):
            with self.subTest(says):
                self.refuse(saved(array, allow_pickle=True), says)

    def test_shapes(self):
        for shape in (), (3,), (4, 3), (4, 0), (2, 4, 5):
            with self.subTest(shape=shape):
                self.refuse(saved(np.ones(shape, np.float32)), "rotations are (..., 4)")


class Orders(Directory):
    def packed(self, array, *options):
        self.good("pack", "-f", "float4", *options, self.save("in.npy", array), self.path("out.npy"))
        return np.load(self.path("out.npy")).view(np.float32)

    def test_fortran_order(self):
        for shape in (6,), (1,), (3, 5), (2, 3, 4), (2, 1, 5, 3), (0, 3):
            for dtype in "<f4", ">f8":
                with self.subTest(shape=shape, dtype=dtype):
                    q = rotations(*shape).astype(dtype)
                    np.testing.assert_array_equal(self.packed(np.asfortranarray(q)), self.packed(q))
        w_first = rotations(6)
        q = w_first[:, [1, 2, 3, 0]]  # as it is made everywhere
        self.assertFalse(q.flags.c_contiguous)
        np.testing.assert_array_equal(self.packed(q), q)
        codes = np.asfortranarray(np.arange(60, dtype=np.uint64).reshape(3, 4, 5) << 40)
        for name, array in ("plain", np.ascontiguousarray(codes)), ("fortran", codes):
            self.good("unpack", "-f", "smallest3_64", self.save("in.npy", array), self.path(name + ".npy"))
        np.testing.assert_array_equal(np.load(self.path("fortran.npy")), np.load(self.path("plain.npy")))

    def test_broken_fortran_order(self):
        head = header(GOOD.replace("False", "True").replace("(1, 4)", "(2, 4)"))
        for bytes_there, says in (31, "the file holds 31 bytes"), (33, "the file goes on"):
            path = self.write("bad.npy", head + bytes(bytes_there))
            self.bad(1, "pack", "-f", "cube32", path, self.path("out.npy"), says=[path, says])

    def test_order_of_components(self):
        q, w_first = rotations(2, 60), np.roll(rotations(2, 60), 1, axis=-1)
        np.testing.assert_array_equal(self.packed(w_first, "--order", "wxyz"), q)
        np.testing.assert_array_equal(self.packed(np.asfortranarray(w_first), "--order=wxyz"), q)
        np.testing.assert_array_equal(self.packed(q, "--order", "xyzw"), q)

        def report(array, *options):
            return self.good("measure", "-f", "cube32", "--no-speed", "--json", *options, self.save("in.npy", array)).stdout

        self.assertEqual(report(w_first, "--order", "wxyz"), report(q))
        self.assertEqual(report(q, "--order", "xyzw"), report(q))
        self.assertNotEqual(report(w_first), report(q))
        self.bad(2, "measure", "--order", "wzyx", self.path("in.npy"), says='--order: "wzyx" is neither xyzw nor wxyz')
        self.bad(2, "pack", "-f", "cube32", "--order", "w", self.path("in.npy"), "o", says='--order: "w" is neither xyzw nor wxyz')

    def test_order_of_what_is_unpacked(self):
        packed, back = self.save("in.npy", rotations(2, 3).view(np.uint32)), self.path("back.npy")
        for options, order in ([], [0, 1, 2, 3]), (["--order", "xyzw"], [0, 1, 2, 3]), (["--order", "wxyz"], [3, 0, 1, 2]):
            self.good("unpack", "-f", "float4", *options, packed, back)
            np.testing.assert_array_equal(np.load(back), rotations(2, 3)[..., order])

    def test_order_is_of_arrays_alone(self):
        """Splats and animations say theirs."""
        splat = self.write("one.splat", bytes(28) + bytes([228, 128, 128, 128]))
        for options in [], ["--order", "wxyz"]:
            self.good("pack", "-f", "float4", *options, splat, self.path("out.npy"))
            np.testing.assert_array_equal(np.load(self.path("out.npy")).view(np.float32), [[0, 0, 0, 1]])


class OtherArrays(Directory):
    def measured(self, path, *options):
        result = self.good("measure", "--json", "--no-speed", "-f", "half4", *options, path)
        return json.loads(result.stdout)

    def test_float16(self):
        """Halves pack as the floats that they are."""
        q = rotations(50).astype(np.float16)
        q[0], q[1] = [6e-8, 0, 0, 1], [0, 2**-14, -0.0, 1]  # the least half, and the least that is normal
        for order in "<f2", ">f2":
            self.good("pack", "-f", "half4", self.save("half.npy", q.astype(order)), self.path("half.packed.npy"))
            self.good("pack", "-f", "half4", self.save("float.npy", q.astype(np.float32)), self.path("float.packed.npy"))
            np.testing.assert_array_equal(np.load(self.path("half.packed.npy")), np.load(self.path("float.packed.npy")))

    def test_archives(self):
        q = rotations(60).reshape(30, 2, 4)
        expected = self.measured(self.save("q.npy", q))["keys"]
        for save, name in (np.savez, "stored.npz"), (np.savez_compressed, "deflated.npz"):
            path = self.path(name)
            save(path, poses=q, fps=30, names=np.array(["a", "b"]), roots=np.zeros((30, 3)))
            self.assertEqual(self.measured(path)["keys"], expected)
            self.assertEqual(self.measured(path, "--order", "wxyz")["keys"], expected)
            content = self.content(path)
            generator = random.Random(1)
            for _ in range(60):
                broken = bytearray(content[: generator.choice([len(content), generator.randrange(len(content))])])
                for _ in range(3):
                    broken[generator.randrange(len(broken))] = generator.randrange(256)
                result = run("measure", "--no-speed", "-f", "half4", self.write("broken.npz", bytes(broken)))
                self.assertIn(result.returncode, (0, 1), result.stderr)
                self.assertTrue(result.stderr or result.returncode == 0)

    def test_archives_that_lie(self):
        """A flipped bit of a stored array; a directory that names one member many times."""
        path = self.path("stored.npz")
        np.savez(path, keys=np.random.default_rng(1).normal(size=(1000, 4)))
        content = bytearray(self.content(path))
        content[5000] ^= 1
        self.bad(1, "measure", "--no-speed", self.write("flipped.npz", bytes(content)), says='flipped.npz: its "keys.npy" is damaged')
        content[5000] ^= 1
        with zipfile.ZipFile(self.path("bzip2.npz"), "w", zipfile.ZIP_BZIP2) as archive:
            archive.writestr("keys.npy", saved(rotations(5)))
        says = 'bzip2.npz: its "keys.npy" was packed in an unknown way'
        self.bad(1, "measure", "--no-speed", self.path("bzip2.npz"), says=says)
        end = content.rindex(b"PK\5\6")
        start = struct.unpack_from("<I", content, end + 16)[0]
        many = content[:start] + content[start:end] * 1000 + content[end : end + 8] + struct.pack("<HH", 1000, 1000) + content[end + 12 :]
        says = "many.npz: takes more than 0.02 GB of memory"
        self.bad(1, "measure", "--no-speed", "--reader-memory", "0.02", self.write("many.npz", bytes(many)), says=says)

    def test_archives_that_are_refused(self):
        path = self.path("some.npz")
        for arrays, says in (
            ({"a": rotations(5), "b": rotations(6)}, 'has several arrays of rotations, "a.npy", "b.npy": save one as .npy'),
            ({"a": np.zeros((5, 3))}, "has no array of floats of shape (..., 4)"),
        ):
            np.savez(path, **arrays)
            self.bad(1, "measure", path, says=path + ": " + says)
