"""Files of former releases read to the bits that tests/frozen has, through this package."""
import pathlib
import struct
import unittest

import numpy as np

import quatsimd
from quatsimd._library import lib

try:
    import xxhash
except ImportError:
    xxhash = None

FROZEN = pathlib.Path(__file__).parent.parent / "frozen"
TIMES = 41


def whole(number):
    return struct.pack("<Q", number % 2**64)


def floats(pose):
    """The floats of poses, pose by pose."""
    count = pose.shape[0]
    flat = [array.reshape(count, -1) for array in pose.arrays()]
    return np.concatenate(flat, axis=1).astype("<f4")


def rest_of(joints, tracks):
    """The same as rest_in in test_frozen.c."""
    j = np.arange(joints)[:, None]
    rotations = np.array([[0.6, 0, 0, 0.8], [0, 0.8, 0, 0.6], [0, 0, -0.6, 0.8], [0.2, 0.4, 0.4, 0.8]])[np.arange(joints) % 4]
    axis = np.arange(3)
    return quatsimd.Pose(rotations.reshape(joints, 4), j % 64 + 0.25 * axis, 1 + 0.5 * ((j + axis) % 3), 0.125 * (np.arange(tracks) % 16))


def identity(joints, tracks):
    return quatsimd.Pose(np.tile([0, 0, 0, 1], (joints, 1)), np.zeros((joints, 3)), np.ones((joints, 3)), np.zeros(tracks))


class Hash:
    def __init__(self):
        self.value = 0

    def add(self, data):
        self.value = xxhash.xxh64(data, self.value).intdigest()

    def clip(self, clip):
        joints, tracks, frames = clip.joint_count, clip.track_count, clip.frame_count
        for number in (joints, tracks, frames):
            self.add(whole(number))
        for number in (clip.rate or 0, clip.start, clip.duration):
            self.add(struct.pack("<d", number))
        for number in (clip.is_looping, [None, "first", "base"].index(clip.additive), clip.skeleton_hash):
            self.add(whole(number))
        for kind, count in enumerate((joints, joints, joints, tracks)):
            for j in range(count):
                self.add(whole(lib.quatsimd_clip_curve_state(clip._handle, kind, j)))
        rests = [identity(joints, tracks), rest_of(joints, tracks)]
        at_frames = [floats(clip.sample(clip.frame_times, rest, "clamp")) for rest in rests]
        for f in range(frames):
            self.add(struct.pack("<d", clip.frame_times[f]))
            self.add(at_frames[f % 2][f].tobytes())
        for wrap in ("clip", "clamp", "loop"):
            times = [clip.start + clip.duration * (2 * i - TIMES // 2) / TIMES for i in range(TIMES)]
            found = [floats(clip.sample(times, rest, wrap)) for rest in rests]
            for i in range(TIMES):
                self.add(found[i % 2][i].tobytes())

    def skeleton(self, skeleton):
        for number in (skeleton.joint_count, skeleton.track_count, skeleton.hash):
            self.add(whole(number))
        self.add(struct.pack("<d", skeleton.metres or 0))
        for j, name in enumerate(skeleton.joint_names):
            self.add(name.encode() + b"\0")
            self.add(whole(int(skeleton.parents[j])))
            self.add(whole(skeleton.find(name)))
            matrix = skeleton.inverse_bind[j, :3] if skeleton.has_inverse_bind[j] else np.zeros((3, 4))
            self.add(matrix.astype("<f4").tobytes())
        for name in skeleton.track_names:
            self.add(name.encode() + b"\0")
            self.add(whole(skeleton.find_track(name)))
        self.add(b"".join(array.astype("<f4").tobytes() for array in skeleton.rest.arrays()[:3]))

    def bundle(self, bundle):
        bundle.check()
        self.skeleton(bundle.skeleton)
        self.add(whole(bundle.skeleton.hash))
        for i, name in enumerate(bundle):
            self.add(name.encode() + b"\0")
            self.add(whole(i))
            self.clip(bundle[name])


@unittest.skipIf(xxhash is None, "python3-xxhash is not there")
class Frozen(unittest.TestCase):
    def test_files(self):
        lines = [line.split() for line in (FROZEN / "frozen.txt").read_text().splitlines() if not line.startswith("#")]
        self.assertGreater(len(lines), 60)
        for name, wanted in lines:
            with self.subTest(name):
                path, found = FROZEN / name, Hash()
                found.add(path.read_bytes())
                kind = {".qsc": quatsimd.Clip, ".qsk": quatsimd.Skeleton, ".qsb": quatsimd.Bundle}[path.suffix]
                getattr(found, kind.__name__.lower())(kind(path))
                self.assertEqual(f"{found.value:016x}", wanted)


if __name__ == "__main__":
    unittest.main()
