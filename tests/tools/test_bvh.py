"""BVH files as our reader reads them, against numbers that Python reads: those of Debian's assimp-testmodels, and random ones.

The reader takes numbers in double, computes in double and rounds to float once."""
import glob
import os
import random

import numpy as np

from support.bvh import compose, random_bvh, read_channels
from support.command import MODELS, Directory, model
from support.playing import read_scene
from support.rotations import degrees_between

U = 2.0**-24


def values_of(scene, channel, kind, frames):
    """The key of each frame; where there is no curve, or one of a single key, they are all the same."""
    rest = {"values": scene["nodes"][channel["node"]][kind]}
    values = np.array(channel.get(kind, rest)["values"]).reshape(-1, 4 if kind == "rotation" else 3)
    return values if len(values) == frames else np.broadcast_to(values, (frames, values.shape[1]))


class Bvh(Directory):
    def check_channel(self, ours, a, times, wanted):
        name, axes, turns, numbers = wanted
        self.assertEqual(a["name"], name)
        moved = np.tile(np.array(ours["nodes"][a["node"]]["translation"], float), (len(times), 1))
        for c, axis in enumerate(axes):
            if not turns[c]:
                moved[:, axis] = numbers[:, c].astype(np.float32)
        np.testing.assert_array_equal(values_of(ours, a, "translation", len(times)), moved)
        turn = values_of(ours, a, "rotation", len(times))
        self.assertLess(degrees_between(turn, compose(axes, turns, numbers)).max(), np.degrees(2 * U))
        for kind in "rotation", "translation":
            if kind in a:
                np.testing.assert_array_equal(a[kind]["times"], times)

    def check(self, path):
        ours = read_scene(path)
        for node in ours["nodes"]:
            self.assertEqual(node["in_skin"], not node["name"].startswith("EndSite_"))
        (a,) = ours["animations"]
        self.assertEqual((a["name"], a["number"]), ("Motion", 0))
        times, wanted = read_channels(path)
        self.assertEqual(len(a["channels"]), len(wanted))
        for channel, of in zip(a["channels"], wanted):
            self.check_channel(ours, channel, times, of)

    def test_models(self):
        model("BVH/01_01.bvh")
        for path in sorted(glob.glob(os.path.join(MODELS, "BVH", "*.bvh"))):
            with self.subTest(path):
                if path.endswith("Boxing_Toes.bvh"):
                    # It holds 3070 frames. The reader refuses it (test_measure.py).
                    text = self.content(path).replace(b"Frames:    3069", b"Frames:    3070")
                    path = self.write("toes.bvh", text)
                self.check(path)

    def test_numbers_are_rounded_once(self):
        """A double halfway between two floats: what is left of the decimal says to which."""
        half, next_half = "1.000000059604644775390625", "1.000000178813934326171875"
        below, next_below = half[:-1] + "4999", next_half[:-1] + "4999"
        words = half, half + "00001", below, "-" + next_below, next_half, next_half + "1e+0"
        floats = np.array([0, 1, 0, -1, 2, 2]) * 2 * U + [1, 1, 1, -1, 1, 1]
        path = self.write(
            "half.bvh",
            b"HIERARCHY ROOT a { OFFSET %s %s %s CHANNELS 3 Xposition Yposition Zposition }\n"
            b"MOTION Frames: 1 Frame Time: 1 %s %s %s" % tuple(word.encode() for word in words),
        )
        scene = read_scene(path)
        values = scene["animations"][0]["channels"][0]["translation"]["values"]
        self.assertEqual(scene["nodes"][0]["translation"] + values, list(floats))

    def test_random_files(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                self.check(self.write("random.bvh", random_bvh(random.Random(seed)).encode()))
