"""BVH files as our reader and Assimp read them: those of Debian's assimp-testmodels, and random ones.

Our reader takes numbers in double, computes in double and rounds to float once; Assimp computes in float. One
rounding to float is off by at most U, relatively. The bounds:
- A number: Assimp's fast_atof rounds the part before the point, that behind it, and their sum (2 U in all);
  of an exponent the power of ten (2 U, as powf has it) and the product (1 U). Ours is off by 1 U. Together 6
  U.
- An angle: 5 U as a number, then pi as a float (1/2 U), a product and a quotient: 8 U of each angle.
- A rotation: sines and cosines make each of three matrices wrong by 2 U at most, in the Frobenius norm, and
  each of two products 4 U: 14 U. The quaternion of a matrix turns by at most 2.2 times that (31 U), and by 8
  U for its own arithmetic. Ours turns by 2 U as its components are rounded. Less than 48 U beside the angles'
  own.

Assimp 5.2 differs from other readers of BVH, and is not asked for
- positions of joints that have other than six CHANNELS: it drops them (BVHLoader::CreateAnimation). It is
  held to the OFFSET.
- several ROOTs, small letters in keywords, names of two words, braces and Frames:2 without a blank between, a
  byte-order mark: it refuses them.
- CHANNELS behind a JOINT: it writes to where the joint was before a vector grew (ReadNode), and takes
  gigabytes or crashes.
- 2^64 or more before the point, which it wraps or refuses; 0.00000000000000001e17, as it ignores digits
  behind the 15th; 0.001e40, as a float cannot hold that power of ten.
test_scenes.py has our reader read most of these. Random files have two frames at least: assimp_import.c
leaves out one key that is as at rest.
"""
import glob
import json
import os
import random
import subprocess
import unittest

import numpy as np

from support.bvh import compose, random_bvh, read_channels
from support.command import MODELS, Directory, model, need_assimp
from support.rotations import degrees_between

U = 2.0**-24


def values_of(scene, channel, kind, frames):
    """The key of each frame; where there is no curve, or one of a single key, they are all the same."""
    rest = {"values": scene["nodes"][channel["node"]][kind]}
    values = np.array(channel.get(kind, rest)["values"]).reshape(-1, 4 if kind == "rotation" else 3)
    return values if len(values) == frames else np.broadcast_to(values, (frames, values.shape[1]))


class Bvh(Directory):
    def setUp(self):
        if not os.path.exists(os.environ.get("QUATSIMD_PRINT_SCENE", "")):
            raise unittest.SkipTest("QUATSIMD_PRINT_SCENE is not set")
        super().setUp()

    def scene(self, path, *options):
        command = [os.environ["QUATSIMD_PRINT_SCENE"], path, *options]
        printed = subprocess.run(command, capture_output=True, timeout=60)
        self.assertEqual((printed.returncode, printed.stderr), (0, b""))
        return json.loads(printed.stdout)

    def check_nodes(self, ours, theirs):
        for a, b in zip(ours["nodes"], theirs["nodes"]):
            np.testing.assert_allclose(a["translation"], b["translation"], rtol=6 * U)
            # Assimp does not know what is a joint and what is an end site
            self.assertEqual((a["in_skin"], b["in_skin"]), (not a["name"].startswith("EndSite_"), False))
        same = "name", "parent", "rotation", "scale"
        a, b = ([[node[key] for key in same] for node in scene["nodes"]] for scene in (ours, theirs))
        self.assertEqual(a, b)

    def check_channel(self, ours, a, theirs, b, times, printed, wanted):
        name, axes, turns, numbers = wanted
        self.assertEqual((a["name"], a["node"], name), (b["name"], b["node"], name))
        offset = np.array(ours["nodes"][a["node"]]["translation"], float)
        moved = np.tile(offset, (len(times), 1))
        for c, axis in enumerate(axes):
            if not turns[c]:
                moved[:, axis] = numbers[:, c].astype(np.float32)
        at, their_at = (values_of(*of, "translation", len(times)) for of in ((ours, a), (theirs, b)))
        np.testing.assert_array_equal(at, moved)
        wanted_of_them = at if len(axes) == 6 else np.tile(offset, (len(times), 1))
        np.testing.assert_allclose(their_at, wanted_of_them, rtol=6 * U)
        turn, their_turn = (values_of(*of, "rotation", len(times)) for of in ((ours, a), (theirs, b)))
        self.assertLess(degrees_between(turn, compose(axes, turns, numbers)).max(), np.degrees(2 * U))
        bound = U * (8 * np.radians(np.abs(numbers[:, turns]).sum(axis=1)) + 48)
        between = np.radians(degrees_between(turn, their_turn)) / bound
        self.assertLess(between.max(), 1, "frame %d of %s" % (between.argmax(), name))
        for kind in "rotation", "translation":
            if kind in a:
                np.testing.assert_array_equal(a[kind]["times"], times)
            if len(b.get(kind, {"times": [0]})["times"]) > 1:
                np.testing.assert_allclose(b[kind]["times"], printed, rtol=6 * U)

    def check(self, path):
        need_assimp()
        ours, theirs = self.scene(path), self.scene(path, "assimp")
        self.check_nodes(ours, theirs)
        (a,), (b,) = ours["animations"], theirs["animations"]
        self.assertEqual((a["name"], a["number"]), (b["name"], b["number"]))
        times, wanted = read_channels(path)
        with open(path, encoding="utf-8") as file:  # Assimp does not know of usual rates
            printed = np.arange(len(times)) * float(file.read().split("Time:")[1].split()[0])
        self.assertEqual((len(a["channels"]), len(b["channels"])), (len(wanted), len(wanted)))
        for of in zip(a["channels"], b["channels"], wanted):
            self.check_channel(ours, of[0], theirs, of[1], times, printed, of[2])

    def test_models(self):
        model("BVH/01_01.bvh")
        for path in sorted(glob.glob(os.path.join(MODELS, "BVH", "*.bvh"))):
            with self.subTest(path):
                if path.endswith("Boxing_Toes.bvh"):
                    # It holds 3070 frames. Our reader refuses it (test_measure.py), Assimp ignores the last.
                    with open(path, "rb") as file:
                        text = file.read().replace(b"Frames:    3069", b"Frames:    3070")
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
        scene = self.scene(path)
        values = scene["animations"][0]["channels"][0]["translation"]["values"]
        self.assertEqual(scene["nodes"][0]["translation"] + values, list(floats))

    def test_random_files(self):
        for seed in range(60):
            with self.subTest(seed=seed):
                self.check(self.write("random.bvh", random_bvh(random.Random(seed)).encode()))


if __name__ == "__main__":
    unittest.main()
