"""Key times that were rounded to floats: clips keep the rate, and verify moves the keys as compress did."""
import json
import re

import numpy as np

from support.bvh import bvh_of, read_bvh
from support.command import model, run
from support.compressing import Case, turns
from support.gltf import glb_of, gltf_tree
from support.rotations import moves

RATES = [n * 1000 / per for per in (1000, 1001) for n in (24, 25, 30, 50, 60, 90, 100, 120, 240)]


def walk(rate, keys=900, start=0.0, joints=3, seed=1, name="Walk"):
    """A .glb, whose times are floats, of joints below one another."""
    nodes = [{"name": "joint %d" % j, "children": [j + 1]} for j in range(joints - 1)] + [{"name": "last"}]
    times = start + np.arange(keys) / rate
    curves = [(j, "rotation", times, turns(keys, seed * 1000 + j), None) for j in range(joints)]
    return glb_of(*gltf_tree(nodes, {name: curves + [(0, "translation", times, moves(keys, seed), None)]}))


def half_step(time):
    return float(np.spacing(np.float32(time))) / 2


class Rates(Case):
    def measured(self, path, *options, says=""):
        result = self.good("compress", "--json", "--time", "0", *options, path)
        self.assertEqual(bool(result.stderr), bool(says), result.stderr)
        self.assertIn(says, result.stderr)
        return json.loads(result.stdout)["animations"][0]

    def assert_rate(self, made, rate):
        """JSON has 15 digits."""
        self.assertAlmostEqual(made["rate"] / rate, 1, delta=4e-16)

    def verified(self, *arguments):
        """The only clip of a bundle, or a clip."""
        bundle = str(arguments[0]).endswith(".qsb")
        result = self.good("verify", "--json", *arguments[:1], *["Walk"] * bundle, *arguments[1:])
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def test_usual(self):
        for i, rate in enumerate(RATES):
            with self.subTest(rate=rate):
                start = (0, 12.34)[i % 2]
                path = self.put("walk.glb", walk(rate, start=start))
                made = self.measured(path)
                self.assert_rate(made, rate)
                self.assertEqual(made["frames"], 900)
                self.assertTrue(0 < made["moved_ms"] <= 1001 * half_step(start + 900 / rate), made["moved_ms"])
                self.assertLess(made["worst_object_error"], 1e-4)

    def test_said_and_verified(self):
        path = self.put("walk.glb", walk(60000 / 1001))
        moved = self.measured(path)["moved_ms"]
        said = "keys moved by at most %.3g ms" % moved
        self.assertIn(said, run("compress", "--time", "0", path).stdout)
        for _ in range(2):  # also if it is up to date
            self.assertIn(said, self.compress(path).stdout)
        bundle, clip = self.out("walk.qsb"), self.path("Walk.qsc")
        info = self.json("info", bundle)[0]
        self.assertEqual(info["clips"][0]["rate"], 60000 / 1001)
        self.assertAlmostEqual(info["making"]["files"][0]["clips"][0]["moved"] * 1000 / moved, 1, delta=5e-6)
        self.assertIn(said, run("verify", bundle, "Walk").stdout)
        self.assertEqual(self.verified(bundle)["moved_ms"], moved)
        self.good("extract", bundle, "Walk", "-o", clip)  # without a record, verify looks for the rate
        self.assertEqual(self.verified(clip, "--against", path)["moved_ms"], moved)
        result = self.good("compress", "--glb", self.path("packed.glb"), path)
        self.assertEqual((said in result.stdout, result.stderr), (True, ""))

    def test_ten_hours(self):
        for rate in 24, 30000 / 1001, 30:
            with self.subTest(rate=rate):
                self.assert_rate(self.measured(self.put("late.glb", walk(rate, start=36000))), rate)
        for rate in 50000 / 1001, 60, 240:
            with self.subTest(rate=rate):
                path = self.put("late.glb", walk(rate, start=36000))
                own = self.measured(path, says="`--rate ")
                self.assertEqual(own["moved_ms"], 0)
                self.assertNotAlmostEqual(own["rate"], rate)
                result = run("compress", "--time", "0", path)
                given = re.search("`--rate ([^ ]*)`", result.stderr)[1]
                self.assertEqual(float(given), rate)
                self.compress(path)
                self.verified(self.out("late.qsb"))
                made = self.measured(path, "--rate", given)
                self.assert_rate(made, rate)
                self.assertTrue(0 < made["moved_ms"] <= 1001 * half_step(36000), made["moved_ms"])
                self.assertLess(made["bytes"], own["bytes"])
                self.compress("--rate", given, path)
                self.assertEqual(self.verified(self.out("late.qsb"))["moved_ms"], made["moved_ms"])

    def test_base(self):
        """A base with a rate of its own."""
        for rate, start, keys in (24, 12.34, 400), (60, 12.34, 900), (60, 14, 300):
            with self.subTest(rate=rate, start=start):
                base = self.put("base.glb", walk(rate, keys, start, seed=2))
                path = self.put("walk.glb", walk(60, 600, 12.34))
                self.compress("--additive", base, "--object", "1mm@3cm", path)
                found = self.verified(self.out("walk.qsb"))
                self.assertTrue(0 < found["moved_ms"] <= 1001 * half_step(40))


def swing(rate, keys, turn, loop=True, gap=0):
    """A .glb with a joint that swings to and fro by so many radians, and one that holds still between steps."""
    times = np.arange(keys) / rate
    phase = 2 * np.pi * np.arange(keys) / (keys - 1 if loop else keys)
    half = turn / 2 * np.sin(phase) + gap / 2 * np.arange(keys) / (keys - 1)
    zero = np.zeros(keys)
    rotations = np.stack([zero, zero, np.sin(half), np.cos(half)], axis=1).astype(np.float32)
    steps = np.array([[0, 0, 0], [0, 0.1, 0], [0, 0, 0]], np.float32)
    curves = [(0, "rotation", times, rotations, None), (1, "translation", times[[0, 7, 14]], steps, "STEP")]
    return glb_of(*gltf_tree([{"name": "arm", "children": [1]}, {"name": "hand"}], {"Swing": curves}))


class Lower(Case):
    """A rate below that of the keys: fewer frames as long as these keep the bound."""

    def made(self, path, *options):
        bound = () if path.endswith(".json") else ("--object", "1mm@10cm")
        result = run("compress", "--json", *bound, "--time", "0", *options, path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["animations"][0], result.stderr

    def test_lower(self):
        for keys, asked, rate, frames in (61, 15, 15, 16), (61, 10, 10, 11), (62, 15, 15 / 61 * 60, 16), (61, 24, 24, 25):
            for loop in ((), ("--loop", "auto")):
                with self.subTest(keys=keys, asked=asked, loop=loop):
                    path = self.put("swing.glb", swing(60, keys, 0.02))
                    own, _ = self.made(path, *loop)
                    made, said = self.made(path, *loop, "--rate", str(asked))
                    self.assertEqual(said, "")
                    self.assertAlmostEqual(made["rate"] / rate, 1, delta=2.0**-22)
                    self.assertEqual((made["frames"], own["frames"]), (frames, keys))
                    self.assertEqual((made["seconds"], made["loop"]), (own["seconds"], bool(loop)))
                    self.assertLess(made["bytes"], own["bytes"])
                    self.compress(*loop, "--rate", str(asked), "--object", "1mm@10cm", path)
                    self.assertTrue(json.loads(self.good("verify", "--json", self.out("swing.qsb")).stdout)["clips"][0]["within"])

    def test_too_low(self):
        for turn, asked, has in (0.3, "3", "24"), (0.3, "12", "24"), (1.5, "40", "the rate of its keys"):
            with self.subTest(asked):
                path = self.put("swing.glb", swing(60, 61, turn))
                own, _ = self.made(path)
                made, said = self.made(path, "--rate", asked)
                self.assertRegex(said, r"Swing: at %s frames per second it is off by [0-9.]+ times its bound" % asked)
                self.assertRegex(said, r"\((arm|hand), ")
                self.assertIn("; it has %s\n" % has, said)
                if asked == "40":
                    self.assertEqual((made["rate"], made["bytes"]), (own["rate"], own["bytes"]))

    def test_closed(self):
        """The frame that closes a loop has the keys' own length."""
        self.put("swing.glb", swing(60, 60, 0.02, loop=False))
        recipe = {"files": ["swing.glb"], "bound": "1mm@10cm", "animations": [{"match": "*", "loop": "close"}]}
        own, _ = self.made(self.put("own.json", json.dumps(recipe).encode()))
        recipe["animations"][0]["rate"] = 15
        made, said = self.made(self.put("lower.json", json.dumps(recipe).encode()))
        self.assertIn("it cannot loop as it does; it has the rate of its keys", said)
        self.assertEqual((made["bytes"], made["rate"], made["loop"]), (own["bytes"], 60, True))

    def test_loops_within_the_bound(self):
        """Ends that are as near as the bound allows, and not equal."""
        path = self.put("swing.glb", swing(60, 61, 0.02, gap=0.0008))
        for loop in ["--loop"], ["--loop", "auto"]:
            made, said = self.made(path, *loop, "--rate", "15")
            self.assertEqual((made["loop"], made["rate"], said), (True, 15, ""))
        open_path = self.put("open.glb", swing(60, 61, 0.02, gap=0.02))
        made, said = self.made(open_path, "--loop", "auto", "--rate", "15")
        self.assertEqual((made["loop"], made["rate"], said), (False, 15, ""))
        result = run("compress", "--loop", "--rate", "15", open_path)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 1), result.stderr)
        self.assertIn("the loop does not close", result.stderr)

    def test_never_larger(self):
        """A rate just below that of the keys, and clips relative to another one: all keys, if they take fewer bytes."""
        base = self.put("base.glb", swing(60, 61, 0.5))
        for keys, rate, more in (61, "59.94", ()), (601, "59.94", ()), (61, "15", ("--additive", base)), (61, "45", ("--additive", base)):
            with self.subTest(keys=keys, rate=rate, more=more):
                path = self.put("swing.glb", swing(60, keys, 1.5))
                own, _ = self.made(path, *more)
                made, said = self.made(path, *more, "--rate", rate)
                self.assertLessEqual(made["bytes"], own["bytes"])
                if (keys, rate) == (61, "59.94"):  # a second has 60 whole frames at either rate
                    self.assertEqual((made["rate"], said), (60, ""))
                else:
                    self.assertIn("; it has the rate of its keys\n", said)

    def test_higher(self):
        """The last frame is at the last key, so a rate above that of the keys becomes one with whole frames."""
        for rate, frames in ("47.95", 49), ("119.88", 121):
            with self.subTest(rate=rate):
                made, said = self.made(self.put("swing.glb", swing(24, 25, 1)), "--rate", rate)
                self.assertEqual((made["frames"], made["rate"], said), (frames, frames - 1, ""))

    def test_backward(self):
        """Files whose keys do not rise are refused at any rate."""
        tree = swing(60, 15, 1)
        times = np.arange(15, dtype=np.float32) / np.float32(60)
        path = self.put("swing.glb", tree.replace(times.tobytes(), times[::-1].tobytes()))
        self.assertIn("the time is not later", run("compress", "--rate", "15", path).stderr)


class Bvh(Case):
    def rate(self, text, rows):
        numbers = ["%.2f" % x for x in np.cumsum(np.random.default_rng(1).normal(size=rows))]
        path = self.put("a.bvh", bvh_of(numbers, ("hip", 0, "Xrotation"), seconds=text))
        result = run("compress", "--json", "--time", "0", "--rotation", "0.5", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        made = json.loads(result.stdout)["animations"][0]
        self.assertEqual(made["moved_ms"], 0)
        return made["rate"]

    def test_usual(self):
        for text, rate in (
            ("0.0333333", 30),
            ("3.33667E-02", 30000 / 1001),
            ("0.033367", 30000 / 1001),
            ("0.0083333", 120),
            (".0166667", 60),
            ("0.016683", 60000 / 1001),
            ("0.041708", 24000 / 1001),
            ("0.0400000", 25),
            ("0.04", 25),
            ("41.6667e-3", 24),
            ("0.1", 10),
        ):
            with self.subTest(text):
                self.assertAlmostEqual(self.rate(text, 1000) / rate, 1, delta=4e-16)

    def test_far(self):
        """A rate that does not round to the text, or with which the last row is off by 1/16 of a frame."""
        for text, rows in (
            ("0.0333334", 1000),
            ("0.03333330", 1000),
            ("3.3366700E-02", 1000),
            ("0.0083333", 16000),
            ("0.0333", 70),
            ("0.03", 200),
        ):
            with self.subTest(text):
                self.assertAlmostEqual(self.rate(text, rows) * float(text), 1, delta=1e-9)
        self.assertEqual(self.rate("0.0083333", 15000), 120)
        self.assertEqual(self.rate("0.0333", 60), 30)

    def test_as_glb(self):
        """Motion capture keeps its rate in glTF, whose times are floats."""
        joints = read_bvh(model("BVH/01_01.bvh"))
        times = np.arange(len(joints[0][1])) / 120
        curves = [(n, "rotation", times, keys.astype(np.float32), None) for n, (_, keys) in enumerate(joints)]
        path = self.put("01_01.glb", glb_of(*gltf_tree([{"name": name} for name, _ in joints], {"Motion": curves})))
        own, given = (self.json("compress", "--time", "0", *rate, path)["animations"][0] for rate in ([], ["--rate", "120"]))
        self.assertEqual((own["rate"], own["bytes"], own["moved_ms"]), (120, given["bytes"], given["moved_ms"]))
