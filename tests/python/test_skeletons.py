"""Skeletons and poses."""
import gc
import unittest

import made
import numpy as np

import quatsimd
from quatsimd import Mask, Pose, Skeleton


class Skeletons(unittest.TestCase):
    def test_round_trip(self):
        rest, skeleton = made.rest(), Skeleton(made.skeleton_bytes())
        self.assertEqual(skeleton.joint_names, tuple(made.NAMES))
        self.assertEqual(skeleton.track_names, ("smile", "blink"))
        self.assertEqual(skeleton.parents.tolist(), made.PARENTS)
        self.assertEqual(skeleton.metres, 0.01)
        self.assertEqual((skeleton.joint_count, skeleton.track_count), (made.JOINTS, 2))
        for a, b in zip(skeleton.rest.arrays(), rest.arrays()):
            np.testing.assert_allclose(a, b, atol=3e-7)
        self.assertEqual([skeleton.find(name) for name in made.NAMES], list(range(made.JOINTS)))
        self.assertEqual(skeleton.find_track("blink"), 1)
        with self.assertRaises(KeyError):
            skeleton.find("tail")

    def test_inverse_bind(self):
        rng = np.random.default_rng(3)
        matrices = rng.normal(size=(made.JOINTS, 4, 4)).astype(np.float32)
        matrices[:, 3] = 0, 0, 0, 1
        some = [m if j % 2 else None for j, m in enumerate(matrices)]
        skeleton = Skeleton(Skeleton.encode(made.NAMES, made.PARENTS, inverse_bind=some))
        self.assertEqual(skeleton.has_inverse_bind.tolist(), [False, True, False, True, False])
        np.testing.assert_array_equal(skeleton.inverse_bind[1::2], matrices[1::2])
        np.testing.assert_array_equal(skeleton.inverse_bind[::2], [np.eye(4)] * 3)
        whole = Skeleton(Skeleton.encode(made.NAMES, made.PARENTS, inverse_bind=matrices))
        np.testing.assert_array_equal(whole.inverse_bind, matrices)

    def test_defaults(self):
        skeleton = Skeleton(Skeleton.encode(made.NAMES, made.PARENTS))
        np.testing.assert_array_equal(skeleton.rest.rotations, made.IDENTITY)
        np.testing.assert_array_equal(skeleton.rest.scales, np.ones((made.JOINTS, 3)))
        self.assertEqual((skeleton.metres, skeleton.track_names), (None, ()))
        self.assertEqual(Skeleton(Skeleton.encode([], [])).joint_count, 0)
        self.assertNotEqual(skeleton.hash, Skeleton(made.skeleton_bytes()).hash)

    def test_arrays_are_shared_and_read_only(self):
        skeleton = Skeleton(made.skeleton_bytes())
        self.assertIs(skeleton.rest, skeleton.rest)
        for array in (skeleton.rest.rotations, skeleton.parents, skeleton.inverse_bind):
            with self.assertRaises(ValueError):
                array[0] = 0

    def test_bytes_live_as_long(self):
        skeleton = Skeleton(bytearray(made.skeleton_bytes()))
        gc.collect()
        self.assertEqual(skeleton.joint_names, tuple(made.NAMES))


def matrices_by_hand(pose, parents):
    """Model space in doubles."""
    local = np.zeros(pose.rotations.shape[:-1] + (4, 4))
    local[..., :3, :3] = quatsimd.as_matrix(pose.rotations) * pose.scales[..., None, :]
    local[..., :3, 3], local[..., 3, 3] = pose.translations, 1
    for j, parent in enumerate(parents):
        if parent >= 0:
            local[..., j, :, :] = local[..., parent, :, :] @ local[..., j, :, :]
    return local


def poses(*shape, seed=1):
    rng = np.random.default_rng(seed)
    joints = shape + (made.JOINTS,)
    return Pose(
        made.unit(rng.normal(size=joints + (4,))),
        rng.normal(size=joints + (3,)),
        rng.uniform(0.5, 2, joints + (3,)),
        rng.normal(size=shape + (2,)),
    )


class Poses(unittest.TestCase):
    skeleton = Skeleton(made.skeleton_bytes())

    def near(self, a, b, limit=1e-5):
        """Rotations may differ in sign."""
        same = np.sign((a.rotations * b.rotations).sum(axis=-1, keepdims=True))
        np.testing.assert_allclose(a.rotations * same, b.rotations, atol=limit)
        for one, other in zip(a.arrays()[1:], b.arrays()[1:]):
            np.testing.assert_allclose(one, other, atol=limit)

    def test_to_model(self):
        for shape in ((), (3,), (2, 3), (0,)):
            pose = poses(*shape)
            found = pose.to_model(self.skeleton)
            self.assertEqual(found.shape, shape + (made.JOINTS, 4, 4))
            np.testing.assert_allclose(found, matrices_by_hand(pose, made.PARENTS), atol=2e-5)

    def test_root(self):
        pose, root = poses(3), np.eye(4)
        root[:3] = np.random.default_rng(8).normal(size=(3, 4))
        np.testing.assert_allclose(pose.to_model(self.skeleton, root), root @ matrices_by_hand(pose, made.PARENTS), atol=1e-4)

    def test_what_is_absent_is_the_identity(self):
        pose = Pose(translations=np.ones((made.JOINTS, 3)))
        np.testing.assert_array_equal(pose.to_model(self.skeleton)[4, :, 3], [4, 4, 4, 1])

    def test_add_takes_back_subtract(self):
        pose, base = poses(2, 3), poses(2, 3, seed=2)
        self.near(base.add(pose.subtract(base)), pose)
        self.near(base.add(pose.subtract(base), weight=0), base)
        mask = np.arange(made.JOINTS) == 2
        one = base.add(pose.subtract(base), mask=Mask(mask, [0, 1]))
        np.testing.assert_allclose(abs(one.rotations[:, :, 2]), abs(pose.rotations[:, :, 2]), atol=1e-6)
        np.testing.assert_allclose(one.rotations[:, :, :2], base.rotations[:, :, :2], atol=1e-6)
        np.testing.assert_allclose(one.tracks[..., 0], base.tracks[..., 0], atol=1e-6)

    def test_leading_axes_broadcast(self):
        pose, base = poses(2, 3), poses(seed=2)
        for i in np.ndindex(2, 3):
            self.near(pose.subtract(base)[i], pose[i].subtract(base), 0)
        self.assertEqual(base.add(pose).shape, (2, 3))

    def test_blend(self):
        a, b, c = poses(4), poses(4, seed=2), poses(4, seed=3)
        weights = np.array([0, 0.25, 0.5, 1])
        mixed = Pose.blend([a, b], [1 - weights, weights])
        np.testing.assert_allclose(
            mixed.translations, a.translations + weights[:, None, None] * (b.translations - a.translations), atol=1e-6
        )
        sign = np.where((a.rotations * b.rotations).sum(-1) < 0, -1, 1)
        both = (1 - weights)[:, None, None] * a.rotations + (weights[:, None] * sign)[..., None] * b.rotations
        np.testing.assert_allclose(abs((mixed.rotations * made.unit(both)).sum(-1)), 1, atol=1e-6)
        self.near(Pose.blend([a, b, c], [0, 1, 0]), b)
        rest = self.skeleton.rest
        self.near(Pose.blend([a], [0], rest=rest)[2], rest)
        masked = Pose.blend([a], masks=[[1, 1, 0, 0, 0]], rest=rest)
        np.testing.assert_allclose(masked.translations[1, :2], a.translations[1, :2])
        np.testing.assert_allclose(masked.translations[1, 2:], rest.translations[2:])
        third = Pose.blend([a, b, c])
        np.testing.assert_allclose(third.tracks, (a.tracks + b.tracks + c.tracks) / 3, atol=1e-6)

    def test_layout_of_arrays_does_not_matter(self):
        pose = poses(3)
        odd = np.frombuffer(b"." + np.asfortranarray(pose.rotations).astype(">f4").tobytes(), ">f4", offset=1).reshape(pose.rotations.shape)
        np.testing.assert_array_equal(Pose(odd).to_model(self.skeleton), Pose(pose.rotations).to_model(self.skeleton))
        reverse = Pose(pose.rotations[::-1], pose.translations[::-1], pose.scales[::-1], pose.tracks[::-1])
        np.testing.assert_array_equal(reverse.to_model(self.skeleton), pose.to_model(self.skeleton)[::-1])

    def test_index(self):
        pose = poses(2, 3)
        np.testing.assert_array_equal(pose[1].rotations, pose.rotations[1])
        np.testing.assert_array_equal(pose[:, 2].tracks, pose.tracks[:, 2])
        self.assertEqual([one.shape for one in pose], [(3,), (3,)])
        with self.assertRaises(IndexError):
            poses()[0]
        self.assertIsNone(Pose(tracks=[[1], [2]])[1].rotations)
        many = poses(2, 3, 4)
        for index in ((slice(None), slice(None, None, -1), slice(1, None)), np.array([[1, 0], [0, 1]]).T, many.tracks[..., 0] > 0):
            np.testing.assert_array_equal(many[index].to_model(self.skeleton), many.to_model(self.skeleton)[index])


if __name__ == "__main__":
    unittest.main()
