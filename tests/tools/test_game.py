#!/usr/bin/python3
"""examples/game.c with the bundle of examples/game.json: its steps beside the formulas of docs/game.md, its picture, and the times and
lengths of the recipe and the program beside the file. QUATSIMD_GAME names the program.

  test_game.py --write    makes docs/game.svg, which a test compares with what it is made of again."""
import json
import os
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

import numpy as np

from support.command import data, run
from support.compressing import Case
from support.gltf_pose import File

ROOT = pathlib.Path(__file__).parents[2]
PICTURE, RECIPE = ROOT / "docs" / "game.svg", ROOT / "examples" / "game.json"
GAME = os.environ.get("QUATSIMD_GAME", "")
# As in game.c and game.json: seconds and metres of a pass, and where in it feet step.
WALK, RUN = (32 / 30, 0.9, {"left": 0.117, "right": 0.648}), (24 / 30, 3.65, {"left": 0.14, "right": 0.54})
JUMP_FRAME, JUMP, LAND = 340, 35 / 30, 0.7


def hill(z):
    t = np.clip((np.asarray(z) - 2) / 15, 0, 1)
    return 17 * (t * (1 - t)) ** 2


def seen(time, duration):
    """The weight of a clip that fades in and out in an eighth of a second."""
    return min(max(8 * min(time, duration - time), 0), 1)


def steps():
    """Frames, clips and names of the events that the program prints, by the formulas of the page."""
    speed, phase, found = 0, 0, []
    for frame in range(600):
        wanted = 0 if frame < 30 else 0.84 if frame < 240 else 4.5 if frame < 420 else 0
        speed += min(max(wanted - speed, -3 / 60), 3 / 60)
        (d0, s0, _), (d1, s1, _) = WALK, RUN
        run_weight = min(max((speed * d0 - s0) / (s1 - s0 - speed * (d1 - d0)), 0), 1)
        moving = min(speed * d0 / s0, 1)
        before, phase = phase, phase + 1 / 60 / ((1 - run_weight) * d0 + run_weight * d1)
        jump = (frame - JUMP_FRAME + 1) / 60
        for name, weight, (duration, _, events) in ("walk", moving * (1 - run_weight), WALK), ("run", moving * run_weight, RUN):
            if weight < 0.5 or (jump > 0 and seen(jump, JUMP) > 0.5):
                continue
            for event, time in events.items():
                if np.floor(phase - time / duration) > np.floor(before - time / duration):
                    found.append((frame, name, event))
        if jump - 1 / 60 < LAND <= jump:
            found.append((frame, "jump", "land"))
    return found


class Game(Case):
    def play(self):
        """What the program says, and its picture."""
        if not GAME:
            self.skipTest("there is no examples/game.c")
        os.symlink(data("kaykit/Knight.glb"), self.path("Knight.glb"))
        self.put("game.json", RECIPE.read_bytes())
        self.good("compress", self.path("game.json"), "-o", self.path("game.qsb"))
        result = run(self.path("game.qsb"), self.path("game.svg"), tool=GAME)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, self.content("game.svg").decode()

    def test_game(self):
        said, picture = self.play()
        *lines, crowd = said.splitlines()
        self.assertRegex(crowd, r"^1000 characters: [\d.]+ ms a frame on one thread, [\d.]+ ms on \d+$")
        wanted = ["%6.3f s  %s: %s" % (frame / 60, clip, name) for frame, clip, name in steps()]
        self.assertEqual(lines, wanted)
        self.assertGreater(len(lines), 12)
        self.assertEqual(picture, PICTURE.read_text(), "run tests/tools/test_game.py --write")
        scalar = run(self.path("game.qsb"), self.path("scalar.svg"), tool=GAME, env=dict(os.environ, QUATSIMD_ISA="scalar"))
        self.assertEqual(scalar.stdout.splitlines()[:-1], lines)
        self.assertEqual(self.content("scalar.svg").decode(), picture)

    def test_figures_stand_on_the_hill(self):
        _, picture = self.play()
        root = xml.etree.ElementTree.fromstring(picture)
        figures = [
            (item.get("stroke"), np.array(re.findall(r"[ML](\S+) ([-.\d]+)", item.get("d")), float))
            for item in root.iter("{http://www.w3.org/2000/svg}path")
        ][1:]
        self.assertEqual(len({colour for colour, _ in figures}), 6)
        for colour, points in figures:
            above = -points[:, 1] / 100 - hill(points[:, 0] / 100)
            with self.subTest(colour=colour, place=points[0, 0]):
                self.assertGreater(above.min(), -0.05)
                if colour in ("#777", "#06c"):  # in a run both feet may be off the ground
                    self.assertLess(above.min(), 0.06)
        marks = [(float(item.get("cx")), float(item.get("cy"))) for item in root.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(len(marks), len(steps()))
        for x, y in marks:
            self.assertAlmostEqual(-y, 100 * hill(x / 100), delta=0.8)

    def test_times_and_lengths(self):
        """A foot steps when its toes are first less than 2 cm above their lowest place, and as long as they are the ground moves by."""
        file = File(data("kaykit/Knight.glb"))
        joints = [file.nodes[node].get("name") for node in file.joints()]
        recipe = json.loads(re.sub(r"//.*", "", RECIPE.read_text()))
        for clip, name, (duration, stride, events) in ("Walking_A", "walk", WALK), ("Running_A", "run", RUN):
            times = np.arange(0, 2 * duration, 0.001)
            at = file.model([item["name"] for item in file.tree["animations"]].index(clip), times % duration)
            speeds = []
            for event, toes in ("left", "toes.l"), ("right", "toes.r"):
                place = at[joints.index(toes), :, :, 3]
                low = place[:, 1] < place[:, 1].min() + 0.02
                first = times[1:][low[1:] & ~low[:-1]][0]
                self.assertAlmostEqual(first, events[event], delta=0.002)
                speeds.append(-np.gradient(place[:, 2], 0.001)[low].mean())
            self.assertAlmostEqual(np.mean(speeds) * duration, stride, delta=0.02 * stride)
            [entry] = [entry for entry in recipe["animations"] if entry.get("name") == name]
            self.assertEqual({event["name"]: event["time"] for event in entry["events"]}, events)

    def test_wrong(self):
        if not GAME:
            self.skipTest("there is no examples/game.c")
        knight = data("kaykit/Knight.glb")
        self.compress("--animation", "Idle", knight)
        for arguments, wrong in (
            ([], "usage: game"),
            ([self.path("none")], "none"),
            ([knight], "not a bundle"),
            ([self.out("Knight.qsb")], "idle"),
        ):
            result = run(*arguments, tool=GAME)
            self.assertEqual(result.returncode, 1)
            self.assertIn(wrong, result.stderr)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:

        class Writer(Game):
            def runTest(self):
                PICTURE.write_text(self.play()[1], encoding="ascii")

        sys.exit(not unittest.TextTestRunner().run(Writer()).wasSuccessful())
    unittest.main()
