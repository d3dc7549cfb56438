"""Bundles: names, clips, masks, events, and what stays when they close."""
import gc
import pathlib
import tempfile
import unittest

import made
import numpy as np

import quatsimd
from quatsimd import Bundle, Clip, Skeleton, encode_bundle


class Bundles(unittest.TestCase):
    data = made.bundle_bytes()

    def test_names(self):
        bundle = Bundle(self.data)
        self.assertEqual(bundle.names, ("Stand", "Walk"))
        self.assertEqual((list(bundle), len(bundle)), (["Stand", "Walk"], 2))
        self.assertIn("Walk", bundle)
        self.assertNotIn("Run", bundle)
        self.assertEqual([clip.frame_count for clip in bundle.values()], [made.FRAMES] * 2)
        with self.assertRaises(KeyError):
            bundle["Run"]
        self.assertIsNone(bundle.get("Run"))

    def test_clips_have_the_bits_of_separate_ones(self):
        bundle, skeleton = Bundle(self.data), Skeleton(made.skeleton_bytes())
        times = np.linspace(-1, 3, 50)
        alone = Clip(made.clip_bytes(skeleton=skeleton, bundled=True), skeleton).sample(times)
        for a, b in zip(bundle["Walk"].sample(times).arrays(), alone.arrays()):
            np.testing.assert_array_equal(a, b)
        stand = bundle["Stand"]
        np.testing.assert_array_equal(stand.sample(1).rotations, skeleton.rest.rotations)
        self.assertEqual(stand.skeleton_hash, bundle.skeleton.hash)

    def test_order_of_the_source_does_not_matter(self):
        skeleton = Skeleton(made.skeleton_bytes())
        clip = made.clip_bytes(skeleton=skeleton)
        a = encode_bundle(made.skeleton_bytes(), {"a": clip, "b": clip}, events={"a": [(1, "x"), (0, "y")]})
        b = encode_bundle(made.skeleton_bytes(), {"b": clip, "a": clip}, events={"a": [(0, "y"), (1, "x")]})
        self.assertEqual(a, b)

    def test_masks_events_making(self):
        bundle = Bundle(self.data)
        self.assertEqual(list(bundle.masks), ["face", "upper"])
        self.assertEqual(bundle.masks["upper"].joints.tolist(), [0, 1, 1, 1, 1])
        self.assertEqual(bundle.masks["upper"].tracks.tolist(), [1, 1])
        self.assertEqual(bundle.masks["face"].tracks.tolist(), [1, 0.5])
        self.assertEqual(bundle.making, b"made here")
        walk = bundle["Walk"]
        self.assertEqual([event[:2] for event in walk.events], [("left", 0.5), ("right", 1.5)])
        self.assertEqual(bundle["Stand"].events, ())
        self.assertEqual(
            [(e.name, e.clock) for e in walk.events_between(1, 5, "loop")], [("right", 1.5), ("left", 2.5), ("right", 3.5), ("left", 4.5)]
        )
        self.assertEqual([e.name for e in walk.events_between(1.6, 0)], ["right", "left"])
        empty = Bundle(encode_bundle(made.skeleton_bytes(), {}))
        self.assertEqual((len(empty), empty.making, empty.masks), (0, b"", {}))

    def test_check(self):
        Bundle(self.data).check()
        broken = bytearray(self.data)
        at = self.data.index(self.curves())
        broken[at] ^= 1
        bundle = Bundle(broken)
        with self.assertRaisesRegex(quatsimd.Error, "^clip 'Walk': the clip is damaged"):
            bundle.check()
        with self.assertRaisesRegex(quatsimd.Error, "^Walk: "):
            bundle["Walk"]
        self.assertEqual(bundle["Stand"].frame_count, made.FRAMES)

    def curves(self):
        """Bytes of Walk alone."""
        walk = made.clip_bytes(skeleton=Skeleton(made.skeleton_bytes()), bundled=True)
        return next(walk[i : i + 64] for i in range(200, len(walk)) if walk[i : i + 64] in self.data)

    def test_two_bundles_are_not_equal(self):
        bundle = Bundle(self.data)
        self.assertTrue(bundle == bundle and bundle != Bundle(self.data))
        self.assertEqual(len({bundle, Bundle(self.data)}), 2)


class Mapped(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, "hero.qsb")
        self.path.write_bytes(made.bundle_bytes())
        self.addCleanup(self.folder.cleanup)

    def is_mapped(self):
        maps = pathlib.Path("/proc/self/maps")
        return str(self.path) in maps.read_text() if maps.exists() else None

    def test_what_it_gave_outlives_it(self):
        bundle = Bundle(self.path)
        wanted = bundle["Walk"].sample([0.3, 1.7]).rotations
        clip, skeleton = bundle["Walk"], bundle.skeleton
        del bundle
        gc.collect()
        np.testing.assert_array_equal(clip.sample([0.3, 1.7]).rotations, wanted)
        self.assertEqual(clip.events[0].name, "left")
        del clip
        gc.collect()
        self.assertEqual(skeleton.joint_names, tuple(made.NAMES))
        self.assertIn(self.is_mapped(), (True, None))
        del skeleton
        gc.collect()
        self.assertIn(self.is_mapped(), (False, None))

    def test_close(self):
        with Bundle(self.path) as bundle:
            clip = bundle["Stand"]
            wanted = clip.sample([0.3, 1.7]).translations
        np.testing.assert_array_equal(clip.sample([0.3, 1.7]).translations, wanted)
        np.testing.assert_array_equal(clip.sample(0.3).rotations, clip.skeleton.rest.rotations)
        for use in (lambda: bundle["Walk"], lambda: "Walk" in bundle, lambda: len(bundle), lambda: list(bundle), lambda: bundle.skeleton):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()
        self.assertEqual(repr(bundle), "<Bundle: closed>")
        bundle.close()
        del clip
        gc.collect()
        self.assertIn(self.is_mapped(), (False, None))

    def test_files_that_are_none(self):
        for data in (b"", b"quatsimd", self.path.read_bytes()[:-1]):
            self.path.write_bytes(data)
            with self.assertRaisesRegex(quatsimd.Error, "hero.qsb: "):
                Bundle(self.path)


if __name__ == "__main__":
    unittest.main()
