"""Packed formats: the goldens, every kind of array, errors beside those that formats() states."""
import pathlib
import sys
import unittest

import numpy as np
import quatsimd
import xxhash

from support import raises, rotations

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "model"))
import sweep  # pylint: disable=wrong-import-position,wrong-import-order

SHAPES = {24: ("uint8", (3,)), 32: ("uint32", ()), 48: ("uint16", (3,)), 64: ("uint64", ()), 128: ("float32", (4,))}


def hashed(array):
    return xxhash.xxh64(array.astype(array.dtype.newbyteorder("<")).tobytes()).hexdigest()


class Codec(unittest.TestCase):
    def test_goldens_of_all_formats(self):
        lines = [line.split() for line in (TESTS / "codec/goldens.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
        quaternions = np.array(sweep.quaternions(), np.float32)
        self.assertEqual({line[0] for line in lines}, {form.name for form in quatsimd.formats()})
        for name, packed_hash, unpacked_hash, _ in lines:
            packed = quatsimd.pack(quaternions, name, invalid="identity")
            self.assertEqual(hashed(packed), packed_hash, name)
            self.assertEqual(hashed(quatsimd.unpack(packed, name, shape=len(quaternions))), unpacked_hash, name)

    def test_errors_are_those_that_formats_state(self):
        q = rotations(5000)
        for form in quatsimd.formats():
            back = quatsimd.unpack(quatsimd.pack(q, form.name), form.name, shape=5000)
            error = quatsimd.angle_between(back, q.astype(np.float32)).max()
            self.assertLess(error, form.worst_error + 1e-6, form.name)
            self.assertGreater(error, form.worst_error / 4 - 1e-6, form.name)

    def test_shapes_and_types(self):
        for form in quatsimd.formats():
            packed = quatsimd.pack(rotations(6, 5), form.name)
            if form.bits in SHAPES:
                dtype, more = SHAPES[form.bits]
                self.assertEqual((packed.dtype.name, packed.shape), (dtype, (6, 5) + more), form.name)
                self.assertEqual(quatsimd.unpack(packed, form.name).shape, (6, 5, 4))
            else:
                self.assertEqual((packed.dtype.name, packed.shape), ("uint8", ((30 * form.bits + 7) // 8,)), form.name)
            self.assertEqual(quatsimd.unpack(packed, form.name, shape=(6, 5)).shape, (6, 5, 4))

    def test_order_and_one_rotation(self):
        q = rotations(100)
        last = np.roll(q, 1, axis=-1)
        self.assertTrue((quatsimd.pack(q, "lattice32") == quatsimd.pack(last, "lattice32", order="wxyz")).all())
        back = quatsimd.unpack(quatsimd.pack(q, "lattice48"), "lattice48", order="wxyz")
        self.assertTrue((np.roll(back, -1, axis=-1) == quatsimd.unpack(quatsimd.pack(q, "lattice48"), "lattice48")).all())
        self.assertEqual(quatsimd.pack((0, 0, 0, 1), "lattice32").shape, ())
        self.assertEqual(quatsimd.pack(np.empty((0, 4)), "lattice32").shape, (0,))

    def test_transcode(self):
        packed = quatsimd.pack(rotations(7, 9), "lattice32")
        through = quatsimd.pack(quatsimd.unpack(packed, "lattice32"), "ozz48")
        self.assertTrue((quatsimd.transcode(packed, "lattice32", "ozz48") == through).all())
        bits = quatsimd.transcode(packed, "lattice32", "smallest3:9")
        self.assertEqual(quatsimd.transcode(bits, "smallest3:9", "lattice32", shape=(7, 9)).shape, (7, 9))

    def test_result_in_an_array_of_the_caller(self):
        packed = quatsimd.pack(rotations(50), "lattice64")
        for dtype in (np.float32, np.float64):
            for out in (
                np.zeros((50, 4), dtype),
                np.zeros((50, 9), dtype)[:, 2:6],
                np.zeros((4, 50), dtype).T,
                np.zeros((100, 4), dtype)[::-2],
            ):
                self.assertIs(quatsimd.unpack(packed, "lattice64", out=out), out)
                self.assertTrue((out == quatsimd.unpack(packed, "lattice64")).all())

        packed = quatsimd.pack(2 * rotations(50), "float4")
        wanted = quatsimd.unpack(packed, "float4")
        self.assertTrue((quatsimd.unpack(packed, "float4", out=packed) == wanted).all())

    def test_wrong_calls(self):
        q, packed, bits = rotations(5), quatsimd.pack(rotations(5), "lattice32"), quatsimd.pack(rotations(5), "smallest3:9")
        hole = rotations(3, 4)
        hole[1, 2, 0] = np.nan
        raises(self, ValueError, r"^q: the shape must be \(\.\.\., 4\), and it is \(5, 3\)", quatsimd.pack, q[:, :3], "lattice32")
        raises(self, ValueError, r"^q: the shape", quatsimd.pack, 1.0, "lattice32")
        raises(self, TypeError, r"^q: numbers", quatsimd.pack, ["x", "y", "z", "w"], "lattice32")
        raises(self, TypeError, r"^q: numbers", quatsimd.pack, q.astype(complex), "lattice32")
        raises(self, ValueError, r"^q\[1, 2\] is .*nan", quatsimd.pack, hole, "lattice32")
        raises(self, ValueError, r"^q\[0\] is .*0", quatsimd.pack, np.zeros((2, 4)), "lattice32")
        raises(self, ValueError, r"^q\[0\] is .*inf", quatsimd.pack, np.full((2, 4), 1e300), "lattice32")
        raises(self, ValueError, r"^format: .*'lattice33'", quatsimd.pack, q, "lattice33")
        raises(self, TypeError, r"^format: ", quatsimd.pack, q, 11)
        raises(self, ValueError, r"^order: 'zyxw'", quatsimd.pack, q, "lattice32", order="zyxw")
        raises(self, ValueError, r"^invalid: 'skip'", quatsimd.pack, q, "lattice32", invalid="skip")
        raises(self, TypeError, r"^packed: codes of 24 bits are uint8", quatsimd.unpack, packed, "lattice24")
        raises(self, TypeError, r"^packed: codes of 32 bits are uint32, not int64", quatsimd.unpack, packed.astype(int), "lattice32")
        raises(self, ValueError, r"^packed: the shape must be \(\.\.\., 3\)", quatsimd.unpack, np.zeros(4, np.uint8), "lattice24")
        raises(self, ValueError, r"^shape: ", quatsimd.unpack, bits, "smallest3:9")
        raises(self, ValueError, r"^packed: 6 codes .* 22 bytes", quatsimd.unpack, bits, "smallest3:9", shape=6)
        raises(self, ValueError, r"^shape: .*-1", quatsimd.unpack, bits, "smallest3:9", shape=-1)
        raises(self, TypeError, r"^shape: ", quatsimd.unpack, bits, "smallest3:9", shape="5")
        raises(self, ValueError, r"^shape: packed has 5 codes", quatsimd.unpack, packed, "lattice32", shape=(2, 3))
        raises(self, ValueError, r"^out: the shape must be \(5, 4\)", quatsimd.unpack, packed, "lattice32", out=np.empty((4, 4)))
        raises(self, TypeError, r"^out: .* not int64", quatsimd.unpack, packed, "lattice32", out=np.empty((5, 4), int))
        raises(self, ValueError, r"^to_format: ", quatsimd.transcode, packed, "lattice32", "x")
        raises(self, ValueError, r"^from_format: ", quatsimd.transcode, packed, "x", "lattice32")


if __name__ == "__main__":
    unittest.main()
