"""Tests of formats, pack and unpack: round trips, packed words, and what unpack refuses."""
import io
import struct
import subprocess

import numpy as np

from support.command import FORMATS, TOOL, Directory
from support.npy import header
from support.rotations import degrees_between, rotations


def is_bit_packed(format):
    return format["name"].startswith(("smallest3:", "mirage:"))


class RoundTrips(Directory):
    def packed(self, content):
        """The floats that pack has of a .npy file of these bytes."""
        self.good("pack", "-f", "float4", self.write("in.npy", content), self.path("out.npy"))
        return np.load(self.path("out.npy")).view(np.float32)

    def check(self, format, array):
        name = format["name"]
        source = self.save("in.npy", array)
        self.good("pack", "--format", name, source, self.path("packed.npy"))
        self.good("unpack", "--format", name, self.path("packed.npy"), self.path("back.npy"))
        packed, back = np.load(self.path("packed.npy")), np.load(self.path("back.npy"))
        count = array.size // 4
        if is_bit_packed(format):
            self.assertEqual((packed.dtype, packed.ndim), (np.uint8, 1))
            axes = int(packed[-8:].view("<u8")[0])
            self.assertEqual(tuple(packed[-8 * axes - 8 : -8].view("<u8")), array.shape[:-1])
            self.assertEqual(packed.size - 8 * axes - 8, (count * format["bits"] + 7) // 8)
        else:
            words = {32: ("u4", ()), 64: ("u8", ()), 48: ("u2", (3,)), 24: ("u1", (3,)), 128: ("u4", (4,))}
            dtype, last = words[format["bits"]]
            self.assertEqual((packed.dtype, packed.shape), (dtype, array.shape[:-1] + last))
            self.assertEqual(packed.nbytes, count * format["bits"] // 8)
        self.assertEqual((back.dtype, back.shape), (np.float32, array.shape))
        if count:
            self.assertLess(np.abs(np.linalg.norm(back.astype(float), axis=-1) - 1).max(), 4e-7)
            limit = format["worst_error_degrees"] or 45
            self.assertLessEqual(degrees_between(array.astype(np.float32), back).max(), limit * (1 + 1e-6) + 1e-5)
        return packed, back

    def test_every_format(self):
        for format in FORMATS:
            with self.subTest(format["name"]):
                self.check(format, rotations(1003))

    def test_shapes(self):
        shapes = [(), (0,), (1,), (7,), (0, 5), (3, 5), (2, 3, 4), (1, 1, 1, 2, 1)]
        for format in FORMATS:
            if format["name"] in ("float4", "half4", "snorm16x3", "cube32", "smallest3:9", "mirage:20"):
                for shape in shapes:
                    with self.subTest(format["name"], shape=shape):
                        self.check(format, rotations(*shape))

    def test_dtypes_and_byte_orders(self):
        expected = {}
        for dtype in "<f4", ">f4", "<f8", ">f8":
            for format in FORMATS:
                if format["name"] in ("smallest3_32", "mirage:10"):
                    with self.subTest(format["name"], dtype=dtype):
                        packed, _ = self.check(format, rotations(50).astype(dtype))
                        self.assertEqual(packed.tobytes(), expected.setdefault(format["name"], packed.tobytes()))

    def test_big_endian_words_unpack(self):
        q = rotations(20)
        for format in FORMATS[:9]:
            with self.subTest(format["name"]):
                packed, back = self.check(format, q)
                swapped = self.save("swapped.npy", packed.astype(packed.dtype.newbyteorder(">")))
                self.good("unpack", "-f", format["name"], swapped, self.path("again.npy"))
                self.assertEqual(np.load(self.path("again.npy")).tobytes(), back.tobytes())

    def test_odd_but_valid_headers(self):
        q = rotations(3)
        for version in (1, 0), (2, 0), (3, 0):
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, q, version=version)
            self.assertEqual(self.packed(buffer.getvalue()).tobytes(), q.tobytes(), version)
        for text in (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L)}",
            '{"shape":(3,4,),"fortran_order"' ':False,"descr":"<f4"}',
            "  { 'shape' : ( 3 , 4 ) , 'descr' : '<f4' , 'fortran_order' : False , }  ",
        ):
            self.assertEqual(self.packed(header(text) + q.tobytes()).tobytes(), q.tobytes(), text)

    def test_one_quaternion_may_be_in_fortran_order(self):
        content = header("{'descr': '<f4', 'fortran_order': True, 'shape': (4,)}") + bytes(16)
        self.assertEqual(self.packed(content).shape, (4,))

    def test_through_a_pipe(self):
        source = self.save("in.npy", rotations(100))
        content = self.content(source)
        result = subprocess.run([TOOL, "pack", "-f", "cube32", "/dev/stdin", "/dev/stdout"], input=content, stdout=subprocess.PIPE)
        self.assertEqual(result.returncode, 0)
        self.good("pack", "-f", "cube32", source, self.path("out.npy"))
        self.assertEqual(np.load(io.BytesIO(result.stdout)).tobytes(), np.load(self.path("out.npy")).tobytes())


class Words(Directory):
    """Against arithmetic of our own, of one format: the library's tests have them all."""

    def packed(self, name, q):
        self.good("pack", "--format", name, self.save("in.npy", q), self.path("out.npy"))
        return np.load(self.path("out.npy"))

    def test_snorm16x3(self):
        q = rotations(500)
        n2 = (q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1]) + (q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3])
        k = np.float32(32767) / np.sqrt(n2)
        t = (q * np.where(q[:, 3] < 0, -k, k)[:, None])[:, :3].astype(np.float64)
        codes = np.copysign(np.floor(np.abs(t) + 0.5), t).astype(np.int16)
        self.assertEqual(self.packed("snorm16x3", q).tobytes(), codes.tobytes())


class Unpack(Directory):
    def test_unpack_wants_what_pack_writes(self):
        out = self.path("out.npy")
        for format, array, says in (
            ("cube32", np.zeros(3, np.uint64), "cube32 is uint32 of shape (...)"),
            ("cube32", np.zeros(3, np.int32), "dtype is '<i4'"),
            ("cube32", rotations(3), "dtype is '<f4'"),
            ("half4", np.zeros(3, np.uint32), "half4 is uint64 of shape (...)"),
            ("snorm16x3", np.zeros((3, 4), np.uint16), "snorm16x3 is uint16 of shape (..., 3)"),
            ("snorm16x3", np.uint16(3), "snorm16x3 is uint16 of shape (..., 3)"),
            ("float4", np.zeros(4, np.uint8), "float4 is uint32 of shape (..., 4)"),
            ("smallest3:9", np.zeros(30, np.uint32), "smallest3:9 is uint8 of shape (N,)"),
            ("smallest3:9", np.zeros((4, 8), np.uint8), "smallest3:9 is uint8 of shape (N,)"),
            ("smallest3:9", np.zeros(0, np.uint8), "the 0 bytes are not"),
            ("smallest3:9", np.zeros(7, np.uint8), "the 7 bytes are not"),
            ("smallest3:9", np.zeros(9, np.uint8), "the 9 bytes are not"),
            ("smallest3:9", np.full(64, 255, np.uint8), "the 64 bytes are not"),
            ("smallest3:9", np.frombuffer(struct.pack("<4sQQ", b"", 2**61, 1), np.uint8), "the 20 bytes are not"),
            ("smallest3:9", np.frombuffer(struct.pack("<4sQQQ", b"", 2**32, 2**32, 2), np.uint8), "the 28 bytes are not"),
            ("smallest3:9", np.frombuffer(struct.pack("<4sQQ", b"", 2, 1), np.uint8), "the 20 bytes are not"),
            # as many rotations as fit into the bytes, but for a multiple of 2^64
            ("smallest3:9", np.frombuffer(struct.pack("<QQQ", 2**32, 2**32, 2), np.uint8), "the 24 bytes are not"),
            ("smallest3:9", np.frombuffer(struct.pack("<4sQQQ", b"", 3, 0xAAAAAAAAAAAAAAAB, 2), np.uint8), "the 28 bytes are not"),
        ):
            with self.subTest(says):
                source = self.save("in.npy", array)
                self.bad(1, "unpack", "-f", format, source, out, says=[source, says])

    def test_unpack_notices_another_format(self):
        source = self.save("in.npy", rotations(100))
        self.good("pack", "-f", "smallest3:9", source, self.path("packed.npy"))
        says = "the 379 bytes are not an array that `quatsimd pack --format smallest3:10` wrote"
        self.bad(1, "unpack", "-f", "smallest3:10", self.path("packed.npy"), self.path("out.npy"), says=says)


class Formats(Directory):
    def test_json(self):
        names = [format["name"] for format in FORMATS]
        self.assertEqual(len(set(names)), len(names))
        self.assertTrue({"float4", "cube32", "smallest3:4", "smallest3:20", "mirage:10"} <= set(names))
        for format in FORMATS:
            self.assertEqual(format["bytes_per_1000"], (format["bits"] * 1000 + 7) // 8)
            self.assertGreaterEqual(format["worst_error_degrees"], format["mean_error_degrees"])
            self.assertIsInstance(format["exact_identity"], bool)

    def test_table(self):
        ((*rows,),) = self.tables(self.good("formats").stdout)
        self.assertEqual([(cells[0], origin) for cells, origin in rows], [(format["name"], format["origin"]) for format in FORMATS])

    def test_exact_identity(self):
        identity = np.array([[0, 0, 0, 1]], np.float32)
        for format in FORMATS:
            with self.subTest(format["name"]):
                self.good("pack", "-f", format["name"], self.save("in.npy", identity), self.path("p.npy"))
                self.good("unpack", "-f", format["name"], self.path("p.npy"), self.path("b.npy"))
                self.assertEqual(bool((np.load(self.path("b.npy")) == identity).all()), format["exact_identity"])
