"""Clips: round trips beside the bounds, times, rest poses, threads and lifetimes."""
import gc
import pathlib
import pickle
import tempfile
import threading
import unittest

import made
import numpy as np

import quatsimd
from quatsimd import Clip, Curve, Pose

NEAR = 1 + 1e-3  # floats are rounded, and errors between frames are measured at points


def angles(a, b):
    return quatsimd.angle_between(a, made.unit(np.asarray(b)))


class RoundTrips(unittest.TestCase):
    def test_bounds_hold_at_keys(self):
        keys = made.keys()
        bounds = {"rotation_bound": 2e-3, "translation_bound": 5e-3, "scale_bound": 1e-2, "track_bound": 3e-3}
        data = made.clip_bytes(**bounds)
        pose = Clip(data).sample(keys["times"])
        worst = [angles(pose.rotations, keys["rotations"]).max(), np.linalg.norm(pose.translations - keys["translations"], axis=-1).max()]
        worst += [abs(pose.scales - keys["scales"]).max(), abs(pose.tracks - keys["tracks"]).max()]
        for (name, bound), error, reported in zip(bounds.items(), worst, data.report.worst.values()):
            with self.subTest(name):
                self.assertLess(error, bound * NEAR)
                self.assertGreater(error, bound / 10)  # the bytes are not spent on finer values
                self.assertLess(error, reported + 1e-5)

    def test_object_bound(self):
        keys = made.keys()
        keys["scales"] = None
        skeleton = quatsimd.Skeleton(made.skeleton_bytes())
        data = Clip.encode(**keys, object_bound=0.01, object_distance=0.1, skeleton=skeleton)
        found = Clip(data, skeleton).sample(keys["times"]).to_model(skeleton)
        wanted = Pose(keys["rotations"], keys["translations"]).to_model(skeleton)
        points = np.concatenate([0.1 * np.eye(3), np.ones((1, 3))])  # a point in each column
        error = np.linalg.norm((found - wanted) @ points, axis=-2).max()
        self.assertLess(error, 0.01 * NEAR)
        self.assertGreater(error, 0.001)

    def test_each_joint_has_its_bound(self):
        keys, bound = made.keys(), np.array([1e-4, 1e-3, 1e-2, 1e-3, 1e-2])
        pose = Clip(made.clip_bytes(rotation_bound=bound, track_bound=[1e-2, 1e-4])).sample(keys["times"])
        error = angles(pose.rotations, keys["rotations"]).max(axis=0)
        self.assertTrue((error < bound * NEAR).all() and (error > bound / 10).all(), error)
        self.assertLess(abs(pose.tracks - keys["tracks"])[:, 1].max(), 1e-4 * NEAR)

    def test_curves(self):
        turn = np.array([[0, 0, 0, 1], [0, 0, 1, 1]]) / np.array([[1], [np.sqrt(2)]])
        place = np.zeros((2, 3, 3))
        place[1, 1] = 6, 0, 0
        data = Clip.encode(
            rotations=[None, Curve([0, 2], turn, "hold")],
            translations=[Curve([0, 2], place, "cubic"), None],
            tracks=[Curve([0, 2], [0, 1])],
            rotation_bound=1e-3,
            translation_bound=1e-3,
        )
        pose = Clip(data).sample([0, 0.5, 1, 1.99, 2])
        self.assertLess(angles(pose.rotations[:, 1], turn[[0, 0, 0, 0, 1]]).max(), 1e-3 * NEAR)
        t = np.array([0, 0.25, 0.5, 0.995, 1])
        self.assertLess(abs(pose.translations[:, 0, 0] - 6 * t * t * (3 - 2 * t)).max(), 1e-3 * NEAR)
        self.assertLess(abs(pose.tracks[:, 0] - t).max(), 1e-3 * NEAR)
        np.testing.assert_array_equal(pose.rotations[:, 0], [[0, 0, 0, 1]] * 5)

    def test_rate_stands_for_times(self):
        keys = made.keys()
        keys.pop("times")
        self.assertEqual(Clip.encode(**keys, **made.BOUNDS, rate=made.RATE), made.clip_bytes(rate=made.RATE))

    def test_layout_of_arrays_does_not_matter(self):
        keys = made.keys()
        wide = np.asfortranarray(keys["rotations"].astype(np.float32))
        self.assertEqual(made.clip_bytes(rotations=wide, times=np.repeat(keys["times"], 2)[::2]), made.clip_bytes())

    def test_additive(self):
        keys, base = made.keys(), made.keys(seed=9)
        names = ("rotations", "translations", "scales", "tracks")
        for additive, below in (
            ("first", {name: keys[name][0] for name in names}),
            (base, {name: base[name] for name in names}),
        ):
            clip = Clip(made.clip_bytes(additive=additive))
            self.assertEqual(clip.additive, "first" if additive == "first" else "base")
            pose = Pose(**below).add(clip.sample(keys["times"]))
            self.assertLess(angles(pose.rotations, keys["rotations"]).max(), 1e-3 * NEAR)
            self.assertLess(abs(pose.translations - keys["translations"]).max(), 1e-3 * NEAR)
            self.assertLess(abs(pose.scales - keys["scales"]).max(), 1e-3 * NEAR)

    def test_report(self):
        data = made.clip_bytes(translations=None)
        report = pickle.loads(pickle.dumps(data)).report  # as from another process
        self.assertEqual((report.rate, report.frame_count, report.moving_count["rotations"]), (made.RATE, made.FRAMES, made.JOINTS))
        self.assertEqual(report.moving_count["translations"], 0)
        self.assertLess(report.nearest["rotations"].ratio, NEAR)
        self.assertFalse(hasattr(report, "error"))

    def test_close_loop(self):
        clip = Clip(made.clip_bytes(close_loop=True, translations=None))
        self.assertTrue(clip.is_looping)
        self.assertEqual(clip.frame_count, made.FRAMES + 1)
        self.assertAlmostEqual(clip.duration, made.FRAMES / made.RATE)


class Samples(unittest.TestCase):
    clip = Clip(made.clip_bytes())

    def test_properties(self):
        clip = self.clip
        self.assertEqual((clip.joint_count, clip.track_count, clip.frame_count), (made.JOINTS, 2, made.FRAMES))
        self.assertEqual((clip.rate, clip.start, clip.duration), (made.RATE, 0, 2))
        self.assertEqual((clip.is_looping, clip.additive, clip.skeleton_hash, clip.events), (False, None, 0, ()))
        np.testing.assert_array_equal(clip.frame_times, np.arange(made.FRAMES) / made.RATE)
        uneven = Clip(Clip.encode(tracks=np.ones((3, 1)), times=[0.5, 0.6, 2.0]))
        self.assertEqual(uneven.start, 0.5)

    def test_shapes_follow_times(self):
        times = np.linspace(-1, 3, 24).reshape(2, 3, 4)
        pose, speed = self.clip.sample(times), self.clip.velocities(times)
        self.assertEqual(pose.rotations.shape, (2, 3, 4, made.JOINTS, 4))
        self.assertEqual(pose.tracks.shape, (2, 3, 4, 2))
        self.assertEqual(speed.angular.shape, (2, 3, 4, made.JOINTS, 3))
        for where in np.ndindex(times.shape):
            one, turn = self.clip.sample(times[where]), self.clip.velocities(times[where])
            for many, single in zip((*pose.arrays(), *speed), (*one.arrays(), *turn)):
                np.testing.assert_array_equal(many[where], single)
        self.assertEqual(self.clip.sample(1).translations.shape, (made.JOINTS, 3))
        self.assertEqual(self.clip.sample(np.empty((0, 2))).scales.shape, (0, 2, made.JOINTS, 3))
        self.assertEqual(self.clip.sample(1).rotations.dtype, np.float32)

    def test_times_are_doubles(self):
        late = Clip(made.clip_bytes(times=made.keys()["times"] + 100_000))
        a, b = late.sample([100_001.01, 100_001.011]).tracks[:, 0]
        self.assertNotEqual(a, b)

    def test_wrap(self):
        inside = self.clip.sample([0.5, 2.0])
        np.testing.assert_array_equal(self.clip.sample([-7, 9], wrap="clamp").rotations[1], inside.rotations[1])
        np.testing.assert_allclose(self.clip.sample(8.5, wrap="loop").rotations, inside.rotations[0], atol=1e-6)
        np.testing.assert_array_equal(self.clip.sample(9).rotations, inside.rotations[1])

    def test_velocities_are_differences(self):
        t, step = 0.71, 1e-3
        speed, pose = self.clip.velocities(t), self.clip.sample([t, t + step])
        np.testing.assert_allclose(speed.linear, (pose.translations[1] - pose.translations[0]) / step, atol=1e-2)
        np.testing.assert_allclose(speed.angular, quatsimd.angular_velocity(*pose.rotations, step), atol=1e-2)

    def test_want(self):
        pose = self.clip.sample([0.5, 1], want=("tracks", "translations"))
        self.assertIsNone(pose.rotations)
        self.assertIsNone(pose.scales)
        whole = self.clip.sample([0.5, 1])
        np.testing.assert_array_equal(pose.translations, whole.translations)
        np.testing.assert_array_equal(pose.tracks, whole.tracks)


class RestPoses(unittest.TestCase):
    def setUp(self):
        self.skeleton = quatsimd.Skeleton(made.skeleton_bytes())
        keys = made.keys()
        self.data = Clip.encode(translations=keys["translations"], times=keys["times"], translation_bound=1e-3, skeleton=self.skeleton)

    def test_of_the_skeleton(self):
        clip, rest = Clip(self.data, self.skeleton), self.skeleton.rest
        pose = clip.sample([0, 1])
        for i in range(2):
            np.testing.assert_array_equal(pose.rotations[i], rest.rotations)
            np.testing.assert_array_equal(pose.tracks[i], rest.tracks)
        self.assertFalse((pose.translations == rest.translations).any())
        self.assertIs(clip.skeleton, self.skeleton)

    def test_of_the_caller(self):
        rest = Pose(made.IDENTITY[:, [3, 0, 1, 2]])
        np.testing.assert_array_equal(Clip(self.data, self.skeleton).sample(1, rest=rest).rotations, rest.rotations)
        np.testing.assert_array_equal(Clip(self.data).sample(1, rest=rest).rotations, rest.rotations)

    def test_none_is_refused_where_values_depend_on_it(self):
        with self.assertRaisesRegex(ValueError, "^rest: "):
            Clip(self.data).sample(1)
        Clip(made.clip_bytes(skeleton=self.skeleton)).sample(1)  # all curves move


class Lives(unittest.TestCase):
    def test_bytes_live_as_long_as_the_clip(self):
        wanted = Clip(made.clip_bytes()).sample(0.3).rotations
        changing = bytearray(made.clip_bytes())
        clip = Clip(changing)
        changing[:] = bytes(len(changing))
        np.testing.assert_array_equal(clip.sample(0.3).rotations, wanted)
        clip = Clip(bytes(made.clip_bytes()))
        gc.collect()
        junk = [bytes(2000) for _ in range(100)]
        np.testing.assert_array_equal(clip.sample(0.3).rotations, wanted)
        del junk

    def test_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "wälk.qsc")
            path.write_bytes(made.clip_bytes())
            self.assertEqual(Clip(path).frame_count, made.FRAMES)
            self.assertEqual(Clip(str(path)).frame_count, made.FRAMES)
            path.write_bytes(made.clip_bytes()[:-1])
            with self.assertRaisesRegex(quatsimd.Error, "wälk.qsc: "):
                Clip(path)
            with self.assertRaises(FileNotFoundError):
                Clip(pathlib.Path(folder, "none.qsc"))

    def test_threads_sample_one_clip(self):
        clip, times, found = Clip(made.clip_bytes()), np.linspace(0, 2, 400), {}
        wanted = clip.sample(times)

        def work(i):
            found[i] = [clip.sample(times) for _ in range(5)]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for poses in found.values():
            for pose in poses:
                for a, b in zip(pose.arrays(), wanted.arrays()):
                    np.testing.assert_array_equal(a, b)
        self.assertEqual(len(found), 2)


if __name__ == "__main__":
    unittest.main()
