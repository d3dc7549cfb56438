#!/usr/bin/python3
"""The shared library through ctypes and NumPy, with types made from the headers by scripts/ctypes_bindings.py, as bindings of other
languages have it. Usage: test_ctypes.py SOURCE_FOLDER LIBRARY"""
import ctypes
import pathlib
import subprocess
import sys
import types
import unittest

import numpy as np

SOURCE, LIBRARY = pathlib.Path(sys.argv[1]), sys.argv[2]
text = subprocess.run(
    [sys.executable, SOURCE / "scripts/ctypes_bindings.py", SOURCE / "include"], check=True, stdout=subprocess.PIPE, text=True
).stdout
q = types.ModuleType("quatsimd")
exec(compile(text, "quatsimd.py", "exec"), q.__dict__)  # pylint: disable=exec-used
lib = q.load(LIBRARY)


def floats(array):
    return array.ctypes.data


def aos(array):
    return lib.quatsimd_view_aos(floats(array))


def aos_out(array):
    return lib.quatsimd_view_aos_out(floats(array))


def rotations(count, seed=1):
    found = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def angle(a, b):
    a, b = a.astype(np.float64), b.astype(np.float64)
    return 4 * np.arcsin(np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)) / 2)


class Pose:
    """Arrays of a pose, and the views of them."""

    def __init__(self, joints):
        self.rotations, self.translations, self.scales = (np.zeros((joints, n), np.float32) for n in (4, 3, 3))
        self.views = [self.rotations, self.translations, self.scales]
        self.out = q.quatsimd_pose_out(*(aos_out(view) for view in self.views))
        self.into = q.quatsimd_pose_in(*(aos(view) for view in self.views))


class Ctypes(unittest.TestCase):
    def good(self, status):
        self.assertFalse(lib.quatsimd_status_failed(status), lib.quatsimd_status_string(status))
        self.assertEqual(lib.quatsimd_status_string(status), lib.quatsimd_status_string(q.QUATSIMD_OK))

    def test_every_function_is_there(self):
        self.assertGreater(len(q.FUNCTIONS), 80)
        self.assertEqual(lib.quatsimd_version_number() // 100, 2)

    def test_pack_and_unpack(self):
        given, back = rotations(1000), np.zeros((1000, 4), np.float32)
        size = lib.quatsimd_packed_size(q.QUATSIMD_FORMAT_LATTICE32, len(given))
        packed = np.zeros(size, np.uint8)
        self.assertEqual(size, 4000)
        self.good(lib.quatsimd_pack(q.QUATSIMD_FORMAT_LATTICE32, packed.ctypes.data, size, aos(given), len(given)))
        self.good(lib.quatsimd_unpack(q.QUATSIMD_FORMAT_LATTICE32, aos_out(back), packed.ctypes.data, size, 0, len(given)))
        self.assertLess(np.degrees(angle(given, back).max()), 0.1178)
        self.assertNotEqual(
            lib.quatsimd_pack(q.QUATSIMD_FORMAT_LATTICE32, packed.ctypes.data, size - 1, aos(given), len(given)), q.QUATSIMD_OK
        )

    def test_views_and_formats_of_every_kind(self):
        given, back = rotations(64), np.zeros((4, 64), np.float32)
        form, last = lib.quatsimd_format_smallest3(12), np.roll(given, 1, axis=1).copy()  # w x y z
        packed = np.zeros(lib.quatsimd_packed_size(form, 64), np.uint8)
        self.assertEqual(packed.nbytes, 64 * (2 + 3 * 12) // 8)
        self.good(lib.quatsimd_pack(form, packed.ctypes.data, packed.nbytes, lib.quatsimd_view_wxyz(aos(last)), 64))
        self.good(lib.quatsimd_unpack(form, lib.quatsimd_view_soa_out(*map(floats, back)), packed.ctypes.data, packed.nbytes, 0, 64))
        self.assertLess(angle(given, back.T).max(), 1e-3)
        self.assertTrue(
            lib.quatsimd_status_failed(
                lib.quatsimd_pack(lib.quatsimd_format_smallest3(21), packed.ctypes.data, packed.nbytes, aos(given), 64)
            )
        )

    def encode(self, keys):
        """A clip of one joint that turns from key to key, opened, with what it needs to stay."""
        times = np.arange(len(keys), dtype=np.float64) / 30
        joint = q.quatsimd_clip_joint(parent=-1)
        joint.rotation = q.quatsimd_curve(len(keys), times.ctypes.data, floats(keys), q.QUATSIMD_CURVE_LINEAR)
        source = q.quatsimd_clip_source(joint_count=1, joints=ctypes.pointer(joint))
        options, report = q.quatsimd_clip_options(), q.quatsimd_clip_report()
        self.good(lib.quatsimd_clip_options_init(options, ctypes.sizeof(options)))
        self.good(lib.quatsimd_clip_report_init(report, ctypes.sizeof(report)))
        options.rotation_bound = 1e-3
        data, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.good(lib.quatsimd_clip_encode(data, ctypes.byref(size), source, options, report))
        kept = ctypes.create_string_buffer(ctypes.string_at(data, size.value), size.value)
        lib.quatsimd_clip_free(None, data)
        storage = (ctypes.c_uint64 * (lib.quatsimd_clip_memory_size() // 8 + 1))()
        clip = ctypes.POINTER(q.quatsimd_clip)()
        self.good(lib.quatsimd_clip_open(clip, storage, ctypes.sizeof(storage), kept, size.value))
        return clip, (kept, storage)

    def test_encode_open_and_sample(self):
        turn = np.linspace(0, 2, 60)
        keys = np.zeros((60, 4), np.float32)
        keys[:, 1], keys[:, 3] = np.sin(turn / 2), np.cos(turn / 2)
        clip, kept = self.encode(keys)
        pose = Pose(1)
        for k in (0, 7, 31, 59):
            self.good(lib.quatsimd_clip_sample(clip, pose.out, None, k / 30, q.QUATSIMD_CLIP_WRAP_CLAMP, 0))
            self.assertLess(angle(pose.rotations, keys[k : k + 1])[0], 1e-3 + 1e-6)
        self.assertEqual(lib.quatsimd_clip_joint_count(clip), 1)
        self.assertLess(len(kept[0]), keys.nbytes)

    def test_blend(self):
        one, two, out = Pose(3), Pose(3), Pose(3)
        one.rotations[:], two.rotations[:] = (0, 0, 0, 1), (0, 0, 1, 0)
        one.scales[:], two.scales[:] = 1, 1
        two.translations[:] = (2, 4, 6)
        layers = (q.quatsimd_weighted_poses * 2)(q.quatsimd_weighted_poses(one.into), q.quatsimd_weighted_poses(two.into))
        self.good(lib.quatsimd_pose_blend(out.out, layers, 2, None, q.quatsimd_pose_counts(joint_count=3, pose_count=1)))
        np.testing.assert_allclose(out.translations, [[1, 2, 3]] * 3)
        np.testing.assert_allclose(np.abs(out.rotations), [[0, 0, np.sqrt(0.5), np.sqrt(0.5)]] * 3, rtol=1e-6)

    def test_sizes_are_those_of_c(self):
        for handle in ("clip", "skeleton", "bundle"):
            self.assertLessEqual(getattr(lib, f"quatsimd_{handle}_memory_size")(), ctypes.sizeof(getattr(q, f"quatsimd_{handle}_storage")))


unittest.main(argv=sys.argv[:1])
