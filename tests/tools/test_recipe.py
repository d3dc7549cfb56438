"""Tests of recipes: what they choose, that their clips hold, and what is wrong with bad ones."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import numpy as np

from support.bvh import ROTATIONS, bvh_of
from support.command import data, run
from support.compressing import Case, turns
from support.gltf import glb_of, gltf_tree
from support.gltf_pose import File
from support.page import largest_share, page_run
from support.rotations import moves, product

import bundle as bundle_model

PLAYER = os.environ.get("QUATSIMD_PLAYER", "")

# hips, with a spine that carries a head and a hand, and a leg; "control" moves no vertex
NODES = [
    {"name": "hips", "children": [1, 4, 5]},
    {"name": "spine", "children": [2, 3], "translation": [0, 0.3, 0]},
    {"name": "head", "translation": [0, 0.4, 0]},
    {"name": "hand", "translation": [0.5, 0.2, 0]},
    {"name": "leg", "translation": [0.1, -0.5, 0]},
    {"name": "control", "translation": [0, 0, 1]},
]


def curves(seed, keys=31, rate=30):
    """All joints turn; the hips move."""
    times = np.arange(keys) / rate
    own = [(j, "rotation", times, turns(keys, 10 * seed + j), None) for j in range(len(NODES))]
    return own + [(0, "translation", times, moves(keys, seed), None)]


def closed(seed, keys=31, rate=30):
    """The same, in which the last key is the first one again."""
    there = np.abs(np.arange(keys) - keys // 2)
    return [(node, kind, times, values[there], way) for node, kind, times, values, way in curves(seed, keys, rate)]


def read_marks(path):
    """Events of each clip, and weights of masks, of a bundle."""
    bundle = bundle_model.Bundle(pathlib.Path(path).read_bytes())
    events = [[(time, name.decode()) for time, name in of_clip] for of_clip in bundle.events]
    return events, {name.decode(): tuple(weights) for name, weights in bundle.masks}


class Recipes(Case):
    def hero(self, name="hero.glb", **animations):
        animations = animations or {"Walk": closed(1), "Aim": curves(2), "Idle": curves(3), "T-Pose": curves(4, 2)}
        return self.put(name, glb_of(*gltf_tree(json.loads(json.dumps(NODES)), animations)))

    def recipe(self, name="hero.json", **members):
        return self.put(name, json.dumps({"files": ["hero.glb"], **members}).encode())

    def make(self, status=0, out="hero.qsb", **members):
        result = run("compress", self.recipe(**members), "-o", self.path(out))
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        if status == 0:
            self.assertIn(" 0 beyond, 0 without bounds, 0 not compared", self.good("verify", self.path(out)).stdout)
        return result

    def clips(self, out="hero.qsb"):
        (tree,) = self.json("info", self.path(out))
        return {clip["name"]: clip for clip in tree["clips"]}

    def errors(self, clip, kind="object", out="hero.qsb"):
        return {joint["joint"]: joint[kind] for joint in self.json("verify", self.path(out), clip)["joints"]}

    def fails(self, text, says, name="bad.json"):
        """A message with line and column, status 1, and no bundle."""
        path = self.put(name, text if isinstance(text, bytes) else text.encode())
        result = run("compress", path, "-o", self.path("bad.qsb"))
        self.assertEqual((result.returncode, result.stdout), (1, ""), text)
        self.assertIn("quatsimd: %s: %s" % (path, says), result.stderr)
        self.assertFalse(os.path.exists(self.path("bad.qsb")))

    # What it makes. -----------------------------------------------------------------------------------------

    def test_all_at_once(self):
        """Each animation has its own settings, and all clips hold, as verify finds by the record alone."""
        self.hero()
        self.put("takes/Jump.glb", glb_of(*gltf_tree(NODES, {"Take 001": curves(5, 61)})))
        result = self.make(
            files=["hero.glb", "takes/*.glb"],
            bound="1mm@3cm",
            animations=[
                {"match": "Walk", "loop": True},
                {"match": "Aim", "additive": "first", "only": "spine+"},
                {"match": "Idle", "bound": "0.1mm@3cm", "rate": 15, "loop": "close"},
                {"match": "T-*", "skip": True},
                {
                    "match": "Jump",
                    "name": "Land",
                    "range": [0.5, 1.25],
                    "events": [{"time": 0.75, "name": "foot"}, {"time": 0.2, "name": "no"}],
                },
                {"match": "Take 001", "name": "Start", "range": [0, 0.5], "additive": {"animation": "Idle"}},
            ],
        )
        clips = self.clips()
        self.assertEqual(sorted(clips), ["Aim", "Idle", "Land", "Start", "Walk"])
        self.assertEqual(
            {name: clip["loop"] for name, clip in clips.items()}, {"Aim": False, "Idle": True, "Land": False, "Start": False, "Walk": True}
        )
        self.assertAlmostEqual(clips["Land"]["seconds"], 0.75, places=5)
        self.assertAlmostEqual(clips["Start"]["seconds"], 0.5, places=5)
        self.assertEqual(clips["Idle"]["rate"], 30)
        self.assertIn("Idle: at 15 frames per second it cannot loop as it does; it has the rate of its keys", result.stderr)
        self.assertEqual({clip["additive"] for name, clip in clips.items() if name == "Aim"}, {"first"})
        self.assertIn('line 1, "T-*": T-Pose\n', result.stdout)
        for clip, bound in ("Walk", 1e-3), ("Idle", 1e-4):
            worst = max(error["worst_error"] for error in self.errors(clip).values())
            self.assertTrue((clip == "Idle" or bound / 5 < worst) and worst <= bound, (clip, worst))

    def test_events_at_the_ends(self):
        """Times that were rounded are those of the clip's ends, so that loops pass them."""
        tree, content = gltf_tree(NODES, {"Walk": curves(1)})
        self.put("hero.glb", glb_of(tree, content))
        marks = [{"time": 0.29995, "name": "start"}, {"time": 0.70005, "name": "end"}, {"time": 0.5, "name": "inside"}]
        self.make(animations=[{"match": "Walk", "events": marks, "range": [0.3, 0.7]}])
        (shown,) = self.json("info", self.path("hero.qsb"))
        (clip,) = shown["clips"]
        events = {event["name"]: event["time"] for event in clip["events"]}
        self.assertEqual((events["start"], events["end"]), (0, clip["seconds"]))
        self.assertAlmostEqual(events["inside"], 0.2)

    def test_events_and_masks(self):
        """Of recipes, within a range, and of glTF's extras; masks by names, and all below."""
        tree, content = gltf_tree(NODES, {"Walk": curves(1), "Run": curves(2)})
        tree["animations"][1]["extras"] = {"events": [{"time": 0.5, "name": "left"}, {"time": "x"}], "more": 1}
        self.put("hero.glb", glb_of(tree, content))
        marks = [{"time": 0.75, "name": "foot"}, {"time": 0.25, "name": "hand \u00e4"}, {"time": 0.1, "name": "out"}]
        result = self.make(
            animations=[{"match": "Walk", "events": marks, "range": [0.25, 1]}],
            masks=[{"name": "upper", "joints": "spine+"}, {"name": "ends", "joints": ["h?*d", "leg"]}],
        )
        self.assertIn('animation 1, Run: 1 of extras.events is without "time" and "name"', result.stderr)
        self.assertIn('Walk: event "out" at 0.1 s is outside the clip, and left out', result.stderr)
        (shown,) = self.json("info", self.path("hero.qsb"))
        self.assertEqual([clip.get("events", []) for clip in shown["clips"]][0], [{"time": 0.5, "name": "left"}])
        self.assertEqual([mask["joints"] for mask in shown["masks"]], [["head", "hand", "leg"], ["spine", "head", "hand"]])
        events, masks = read_marks(self.path("hero.qsb"))
        self.assertEqual(events, [[(0.5, "left")], [(0.0, "hand \u00e4"), (0.5, "foot")]])  # clips by name: Run, Walk
        # joints depth first: hips, spine, head, hand, leg, control
        self.assertEqual(masks, {"upper": (0, 1, 1, 1, 0, 0), "ends": (0, 0, 1, 1, 1, 0)})
        text = self.good("info", self.path("hero.qsb")).stdout
        events = ["clip     at  event", "--------------------", "   0  0.500  left", "   1  0.000  hand \u00e4", "   1  0.500  foot"]
        masks = ["joints  tracks  mask", "---------------------", "     3       0  ends", "     3       0  upper"]
        self.assertIn("\n\n" + "\n".join(events + [""] + masks) + "\n\n", text)
        self.good("compress", self.path("hero.glb"), "-o", self.path("plain.qsb"), "--release")
        self.assertEqual(read_marks(self.path("plain.qsb"))[0], [[(0.5, "left")], []])

    def test_masks_of_tracks(self):
        """Patterns choose joints and tracks alike; several of them come together."""
        tree, content = gltf_tree(NODES, {"Walk": curves(1)})
        points = len(tree["accessors"]) - 1  # of the hips' translation: three floats each, as of vertices
        tree["nodes"][2]["mesh"] = 0
        targets = {"targets": [{"POSITION": points}] * 3}
        tree["meshes"] = [
            {"primitives": [{"attributes": {"POSITION": points}, **targets}], "extras": {"targetNames": ["head.l", "head.r", "leg"]}}
        ]
        self.put("hero.glb", glb_of(tree, content))
        self.make(
            bound="0.1mm@3cm",
            masks=[
                {"name": "head", "joints": "*head*"},
                {"name": "left", "joints": ["*.l", "spine+"]},
                {"name": "right", "joints": ["*.r", "*l?g"]},
                {"name": "all", "joints": "*"},
            ],
        )
        (shown,) = self.json("info", self.path("hero.qsb"))
        found = shown["masks"]
        self.assertEqual([mask["name"] for mask in found], ["all", "head", "left", "right"])
        self.assertEqual(
            [(len(mask["joints"]), len(mask["tracks"])) for mask in found],
            [(6, 3), (1, 2), (3, 1), (1, 2)],
            [mask["tracks"] for mask in found],
        )
        _, masks = read_marks(self.path("hero.qsb"))
        # joints depth first: hips, spine, head, hand, leg, control; then the three tracks
        self.assertEqual(masks["head"], (0, 0, 1, 0, 0, 0, 1, 1, 0))
        self.assertEqual(masks["left"], (0, 1, 1, 1, 0, 0, 1, 0, 0))
        self.assertEqual(masks["right"], (0, 0, 0, 0, 1, 0, 0, 1, 1))

    def test_up_to_date(self):
        self.hero()
        path, out = self.recipe(animations=[{"match": "Walk", "loop": True}]), self.path("hero.qsb")
        for made in True, False:
            self.assertEqual("up to date" in self.good("compress", path, "-o", out).stdout, not made)
        self.recipe(animations=[{"match": "Walk"}])
        self.assertIn("is replaced: it was made by other options", self.good("compress", path, "-o", out).stderr)

    def test_measure_only(self):
        """Without -o nothing is written."""
        self.hero()
        self.assertIn("Walk", self.good("compress", "--time", "0", self.recipe()).stdout)
        self.assertEqual(sorted(os.listdir(self.directory)), ["hero.glb", "hero.json"])

    def test_comments(self):
        self.hero()
        self.put("hero.json", b'\xef\xbb\xbf// the hero\n{ /* one\n file */ "files": ["hero.glb",], "bound": "1mm@3cm", // "//"\n}\n')
        self.good("compress", self.path("hero.json"), "-o", self.path("hero.qsb"))
        self.assertEqual(len(self.clips()), 4)

    def test_files(self):
        """Files and folders are beside the recipe, wherever it is read from; a * is no slash."""
        for name in "a/run.glb", "a/b/walk.glb", "a/c/idle.glb", "a/b/deep/no.glb":
            self.put("rig/" + name, glb_of(*gltf_tree(NODES, {"Take 001": curves(len(name))})))
        self.put("rig/a/b/notes.txt", b"")
        for files, names in (
            (["a/*.glb"], ["run"]),
            (["a/?/*.glb"], ["idle", "walk"]),
            ("a/b", ["no", "walk"]),
            (["a/run.glb", "a/c"], ["idle", "run"]),
        ):
            self.put("rig/r.json", json.dumps({"files": files}).encode())
            self.good("compress", self.path("rig/r.json"), "-o", self.path("r.qsb"))
            found = sorted(self.clips("r.qsb"))
            self.assertEqual(found, names if len(names) > 1 else ["Take 001"])

    def test_joints(self):
        """Rules come on top of one another; a distance by hand; joints that are left out, and rename."""
        self.hero()
        self.make(
            bound="1mm@3cm",
            rename=[{"match": "h*", "to": "rig:h*"}],
            joints=[
                {"match": "rig:h*", "bound": "0.2mm@2cm"},
                {"match": "*hand", "distance": "50cm"},
                {"match": "control", "leave_out": True},
            ],
        )
        errors = self.errors("Aim")
        self.assertEqual(sorted(errors), ["leg", "rig:hand", "rig:head", "rig:hips", "spine"])
        self.assertAlmostEqual(errors["rig:hand"]["own_bound"], 2e-4, places=9)
        self.assertAlmostEqual(errors["rig:hand"]["own_distance"], 0.5, places=6)
        self.assertAlmostEqual(errors["rig:head"]["own_distance"], 0.02, places=6)
        self.assertNotIn("own_bound", errors["leg"])
        self.make(bound={"rotation": "1deg"}, joints=[{"match": "hand", "bound": {"rotation": "0.01deg"}}])
        errors = self.errors("Aim", "rotation")
        self.assertLess(errors["hand"]["worst_error_degrees"], 0.0101)
        self.assertGreater(errors["leg"]["worst_error_degrees"], 0.1)

    def test_points_at_their_own_distance(self):
        """Those around two joints, in the file and in what decompress makes of the clip, both evaluated here."""
        hero = self.hero(Aim=curves(2))
        self.make(bound="1cm@10cm", joints=[{"match": "hand", "bound": "0.1mm@50cm"}])
        self.good("decompress", self.path("hero.qsb"), "-o", self.path("again.glb"))
        points = np.random.default_rng(1).normal(size=(3, 200))
        points /= np.linalg.norm(points, axis=0)
        for joint, distance, bound in ("hand", 0.5, 1e-4), ("leg", 0.1, 1e-2):
            places = []
            for file in File(hero), File(self.path("again.glb")):
                number = [file.nodes[node]["name"] for node in file.joints()].index(joint)
                at = file.model(0, np.arange(31) / 30)[number]
                places.append(at[..., :3] @ (distance * points) + at[..., 3:])
            far = np.linalg.norm(places[0] - places[1], axis=1).max()  # at keys alone, in some directions
            self.assertTrue(bound / 4 < far < 1.01 * bound, (joint, far))
            said = self.errors("Aim")[joint]["worst_error"]
            self.assertTrue(0.98 * far < said < 1.001 * bound, (joint, far, said))

    def test_verify_holds_each_joint_to_its_own(self):
        """An error that is good by the bound of all is beyond that of its joint, and the other way round."""
        aim, bundle, page = curves(2), self.path("hero.qsb"), self.path("page.html")
        self.hero(Aim=aim)
        turn = [0, 0, np.sin(np.radians(0.05)), np.cos(np.radians(0.05))]  # by 0.1 degrees
        aim[3] = *aim[3][:3], product(aim[3][3], turn), None
        other = "--against", self.hero("other.glb", Aim=aim)
        self.make(bound={"rotation": "0.5deg"}, joints=[{"match": "hand", "bound": {"rotation": "0.01deg"}}])
        result = self.bad(1, "verify", bundle, *other, says=re.compile(r'"hand" at .* degrees off, \S+ times its bound of 0\.(01|00999)'))
        self.assertNotIn('"hips"', result.stderr)
        self.good("verify", "-r", "0.5", bundle, *other)  # options replace them
        self.make(bound={"rotation": "0.01deg"}, joints=[{"match": "*", "bound": {"rotation": "0.5deg"}}])
        self.assertEqual(run("verify", "-r", "0.01", bundle).returncode, 1)
        self.good("compress", self.path("hero.json"), "-o", bundle, "--report", page)
        self.assertTrue(page_run(page)["joint_bounds"])
        self.assertLessEqual(max(map(largest_share, page_run(page)["animations"])), 1)

    def test_loose_encoder_is_noticed(self):
        """The command with an encoder that goes beyond its bounds, but not those of joints: of them none is complained of."""
        self.hero()
        for rules, beyond in ([], True), ([{"match": "*", "bound": {"rotation": "0.4deg", "translation": "0.1mm"}}], False):
            path = self.recipe(bound={"rotation": "0.5deg"}, joints=rules)
            result = run("compress", "--time", "0", path, tool=os.environ.get("QUATSIMD_LOOSE", ""))
            self.assertEqual(" times its bound of " in result.stderr, beyond, result.stderr)

    def test_globs(self):
        """* and ? stand for characters, also beyond ASCII, and nothing else stands for another one."""
        nodes = [{"name": "\u00e4\u00f6\u2603x", "children": [1, 2]}, {"name": "aaab"}, {"name": "*"}]
        turning = [(j, "rotation", np.arange(31) / 30, turns(31, j), None) for j in range(3)]
        self.put("hero.glb", glb_of(*gltf_tree(nodes, {"Walk": turning})))
        for pattern, joints in (
            ("?\u00f6??", [0]),
            ("????", [0, 1]),
            ("?????", []),
            ("a*ab", [1]),
            ("*a*a*a*b", [1]),
            ("*a*a*a*a*b", []),
            ("*", [0, 1, 2]),
            ("?", [2]),
            ("A*", []),
        ):
            with self.subTest(pattern):
                rules = [{"match": pattern, "bound": {"rotation": "0.1deg"}}]
                result = self.make(status=int(not joints), bound={"rotation": "0.5deg"}, joints=rules)
                if joints:
                    own = [name for name, error in self.errors("Walk", "rotation").items() if "own_bound_degrees" in error]
                    self.assertEqual(own, [nodes[j]["name"] for j in joints])
                else:
                    self.assertIn('no joint is like "%s"' % pattern, result.stderr)

    def test_units(self):
        """Lengths are as the options have them: a metre of a file without a unit is the height by its bones."""
        hip = "hip", 0, "Xposition Yposition Zposition " + ROTATIONS, ("chest", 50, ROTATIONS)
        self.put("a.bvh", bvh_of(["0 0 0 0 0 0 0 0 0", "0 1 0 10 0 0 0 20 0"], hip, end=10))
        self.make(files="a.bvh", joints=[{"match": "chest", "bound": "1mm@0.5"}, {"match": "hip", "bound": "2@3cm"}])
        height, errors = 0.6273941136457415 * 60, self.errors("Motion")
        found = [[errors[name][key] for key in ("own_bound", "own_distance")] for name in ("chest", "hip")]
        np.testing.assert_allclose(found, [[1e-3 * height, 0.5], [2, 0.03 * height]], rtol=1e-6)

    def test_joints_of_other_files(self):
        """Files become clips of one skeleton, by names that are made the same; others have no match."""
        self.hero()
        self.put("b.glb", glb_of(*gltf_tree([dict(node, name="mixamorig7:" + node["name"]) for node in NODES], {"Run": curves(7)})))
        self.make(files=["hero.glb", "b.glb"], rename=[{"match": "mixamorig*:*", "to": "*"}])
        self.assertEqual(len(self.clips()), 5)
        nodes = [*NODES[:2], dict(NODES[2], children=[6]), *NODES[3:], {"name": "tail"}]
        own = curves(7) + [(6, "rotation", np.arange(31) / 30, turns(31, 9), None)]
        self.put("b.glb", glb_of(*gltf_tree(nodes, {"Run": own})))
        result = self.make(status=1, files=["hero.glb", "b.glb"])
        self.assertIn("1 joint moves and has no match", result.stderr)
        self.assertIn('("ignore_unmatched": true leaves them out): "tail"', result.stderr)
        self.make(files=["hero.glb", "b.glb"], ignore_unmatched=True)

    def test_only(self):
        self.hero()
        self.make(animations=[{"match": "Aim", "only": ["spine+", "l?g"]}])
        for clip, joints in ("Aim", {"spine", "head", "hand", "leg"}), ("Idle", {node["name"] for node in NODES}):
            compared = {name for name, error in self.errors(clip, "rotation").items() if error}
            self.assertEqual(compared, joints, clip)

    def test_keep_skin(self):
        """The Knight without controls: joints that hold meshes, and those above, stay."""
        knight = data("kaykit/Knight.glb")
        shutil.copy(knight, self.path("hero.glb"))
        result = self.make(bound="0.1mm@3cm", keep="skin", joints=[{"match": "kneeIK.l"}])
        self.assertIn("17 of 42 joints are left out: control-toe-roll.l", result.stderr)
        self.assertIn("handslot.r", self.errors("Idle"))
        self.assertIn("kneeIK.l", self.errors("Idle"))
        self.make(bound="0.1mm@3cm", keep="skin")
        self.assertIn("hero.qsb: 112,", self.good("compress", self.path("hero.json"), "-o", self.path("again/hero.qsb")).stdout)

    @unittest.skipUnless(PLAYER, "no QUATSIMD_PLAYER")
    def test_character(self):
        """The Knight as a game ships it, played by examples/player.c: joints are where all joints' bundle has them."""
        shutil.copy(data("kaykit/Knight.glb"), self.path("hero.glb"))
        self.make(
            keep="skin",
            masks=[{"name": "upper", "joints": "spine+"}],
            animations=[
                {"match": "*", "bound": "1mm@mesh"},
                {"match": "Walking_*", "bound": "0.2mm@mesh", "loop": "close"},
                {"match": "Walking_A", "events": [{"time": 0.31, "name": "foot.l"}]},
                {"match": "Cheer", "additive": {"animation": "Idle"}, "only": "spine+"},
                {"match": "Sit_*", "rate": 15},
                {"match": "T-Pose", "skip": True},
                {"match": "1H_Melee_Attack_Chop", "name": "Chop", "range": [0.2, 0.9]},
                {"match": "1H_Melee_Attack_Chop", "name": "Wind up", "range": [0, 0.2]},
            ],
        )
        self.good("compress", "--object", "0.01mm@3cm", self.path("hero.glb"), "-o", self.path("fine.qsb"))

        def play(bundle, clip):
            lines = subprocess.run(
                [PLAYER, self.path(bundle), clip, "head", "hand.l", "toes.r"], check=True, capture_output=True, encoding="utf-8"
            )
            return np.array([line.split()[3:] for line in lines.stdout.splitlines()], float).reshape(-1, 3, 3)

        for clip, of, start, bound in (
            ("Walking_A", "Walking_A", 0, 2e-4),
            ("Chop", "1H_Melee_Attack_Chop", 2, 1e-3),
            ("Idle", "Idle", 0, 1e-3),
        ):
            found, wanted = play("hero.qsb", clip), play("fine.qsb", of)[start:]
            count = min(len(found), len(wanted))
            self.assertGreater(count, 5)
            self.assertLess(np.abs(found[:count] - wanted[:count]).max(), bound + 1e-4, clip)
        result = subprocess.run([PLAYER, self.path("hero.qsb"), "Cheer", "head"], capture_output=True, encoding="utf-8")
        self.assertIn("Cheer: is additive", result.stderr)

    def test_names_of_files(self):
        """Clips of one name in several files are told apart; a * of the name is what one of the match stands for."""
        for name in "a/walk.glb", "b/walk.glb":
            self.put(name, glb_of(*gltf_tree(NODES, {"Take 001": curves(len(name))})))
        self.make(files=["a", "b"], animations=[{"match": "w*k", "file": "b/*", "name": "b-*"}])
        self.assertEqual(sorted(self.clips()), ["b-al", "walk"])

    def test_part_of_a_pose(self):
        """A part in which nothing moves is as long as it is."""
        still = [(0, "rotation", np.arange(3) / 2, np.tile(np.float32([0, 0, 0.6, 0.8]), (3, 1)), None)]
        self.put("hero.glb", glb_of(*gltf_tree(NODES, {"Hold": still, "Walk": curves(1)})))
        self.make(animations=[{"match": "Hold", "range": [0.25, 0.99999]}])
        self.assertAlmostEqual(self.clips()["Hold"]["seconds"], 0.75, places=5)

    def test_bounds_by_hand(self):
        """The sentence on vertices leaves out those that have another bound."""
        knight = data("kaykit/Knight.glb")
        shutil.copy(knight, self.path("hero.glb"))
        one = {"match": "*", "skip": True}, {"match": "Idle", "skip": False}
        self.assertIn("no vertex is off by more than 0.1", self.make(animations=one).stdout)
        result = self.make(animations=one, joints=[{"match": "handslot.*", "distance": "1cm"}])
        self.assertIn("no vertex but those of joints and clips with bounds of their own is off by more than 0.1", result.stdout)
        self.assertIn("no vertex but those of joints", self.good("verify", self.path("hero.qsb")).stdout)
        result = self.make(animations=one, joints=[{"match": ["hand.r", "hand.l+"], "bound": "0.05mm@mesh"}])
        self.assertIn("no vertex is off by more than 0.1", result.stdout)

    def test_release(self):
        """A bundle to ship keeps its bounds, and verify holds it to them."""
        self.hero()
        recipe = self.recipe(animations=[{"match": "Walk", "name": "Go", "range": [0.2, 0.8], "bound": "1mm@3cm"}])
        bundle, hero = self.path("r.qsb"), self.path("hero.glb")
        self.good("compress", recipe, "-o", bundle, "--release")
        self.assertNotIn(b"hero.glb", self.content(bundle))
        self.bad(1, "verify", bundle, says="does not say which file it was made from; give --against")
        self.assertIn("within", self.good("verify", bundle, "Aim", "--against", hero).stdout)
        self.assertIn("within", self.good("verify", bundle, "Go", "--against", hero, "--animation", "Walk").stdout)
        self.bad(1, "verify", bundle, "Go", "--against", hero, "--animation", "Aim", says="")

    # Bad recipes. -------------------------------------------------------------------------------------------

    def test_bad_json(self):
        deep = '{"files": ' + "[" * 10000
        for text, says in (
            ("", "line 1, column 1: this is not JSON"),
            ("[]", "line 1, column 1: this must be an object {...}"),
            ('{"files": ["a.glb"]} x', "line 1, column 22: this is not JSON"),
            ('{\n "files" ["a.glb"]}', "line 2, column 10: this is not JSON"),
            ('{ /* "files": 1 }', "line 1, column 4: this is not JSON"),
            (deep, "line 1, column 1"),
            (deep + "]" * 10000 + "}", "line 1, column 1"),
            (b'{"files": "\xff"}', "is not text in UTF-8"),
            (b'{"files": "a"}\0', "is not text in UTF-8"),
        ):
            self.fails(text, says)

    def test_bad_members(self):
        """Every type wrong, and names that are near others."""
        row = '{"files": ["hero.glb"],\n  "%s": %s}'
        self.hero()
        for name, value, says in (
            ("bounds", '"1mm@3cm"', '3: there is no member "bounds" here; did you mean bound?'),
            ("xyz", "1", '3: there is no member "xyz" here; there are $schema, skeleton, files, bound,'),
            ("files", "[]", '3: "files" is there twice'),
            ("skeleton", "1", '15: "skeleton" must be a text such as "hero.glb"'),
            ("bound", "0.1", "12: a bound must be a text such as"),
            ("bound", '"0.1mm"', '12: "0.1mm" is not LENGTH@DISTANCE'),
            ("bound", "{}", "12: there is neither rotation, translation nor scale"),
            ("bound", '{"rotation": "1mm"}', '25: "1mm" is not an angle'),
            ("keep", '"some"', '11: this must be "all" or "skin"'),
            ("order", "true", '12: this must be "depth" or "importance"'),
            ("track", "-1", '12: "track" must be a number above 0'),
            ("rate", '"15"', '11: "rate" must be a number above 0'),
            ("without_vertices", '"1mm@mesh"', "23: joints without vertices need a distance"),
            ("joints", "{}", "13: this must be an array [...]"),
            ("joints", "[7]", "14: this must be an object {...}"),
            ("joints", "[{}]", '14: there is no "match", which chooses joints'),
            ("joints", '[{"match": ""}]', "24: this must be a text"),
            ("joints", '[{"match": "*", "leave_out": 1}]', "42: this must be true or false"),
            ("joints", '[{"match": "*", "distance": "1deg"}]', '41: "distance" must be a length'),
            ("joints", '[{"match": "nose"}]', '14: no joint is like "nose"'),
            ("joints", '[{"match": "spine", "leave_out": true}]', '14: "spine" cannot be left out: "hand" below it stays'),
            ("rename", '[{"match": "a"}]', '14: "match" and "to" must both be there'),
            ("rename", '[{"match": "a*", "to": "**"}]', '14: "to" has more * than "match"'),
            ("masks", '[{"name": "upper", "joints": []}]', "41: the array is empty"),
            ("masks", '[{"name": "a", "joints": "*"}, {"name": "a", "joints": "*"}]', '43: another mask has the name "a"'),
            ("animations", '["Walk"]', "18: this must be an object {...}"),
            ("animations", '[{"loop": true}]', '18: there is no "match", which chooses animations'),
            ("animations", '[{"match": "Walk", "lop": true}]', '36: there is no member "lop" here; did you mean loop?'),
            ("animations", '[{"match": "Walk", "loop": "yes"}]', '44: "loop" must be true, false, "close" or "auto"'),
            ("animations", '[{"match": "Walk", "additive": "last"}]', '48: "additive" must be "first"'),
            ("animations", '[{"match": "Walk", "additive": {"clip": "a"}}]', '49: there is no member "clip" here'),
            ("animations", '[{"match": "Walk", "range": [1]}]', '45: "range" must be two times in seconds'),
            ("animations", '[{"match": "Walk", "range": [1, 1]}]', "45: the end of a range must be after its start"),
            ("animations", '[{"match": "Walk", "events": [{"time": 1}]}]', '47: "time" and "name" must both be there'),
            ("animations", '[{"match": "Walk", "events": [{"time": "1", "name": "a"}]}]', '56: "time" must be a number'),
            ("animations", '[{"match": "Wolk"}]', '18: no animation is like "Wolk"; did you mean Walk?'),
            ("animations", '[{"match": "W*", "file": "b*.glb"}]', '18: no animation is like "W*" in such files; there are "Walk",'),
            ("animations", '[{"match": "Walk", "only": "Spine+"}]', '18: no joint and no track is like "Spine+"'),
            ("rename", '[{"match": "x*", "to": "*"}]', '14: no joint is like "x*"'),
            (
                "joints",
                '[{"match": "hand", "bound": {"rotation": "1deg"}}]',
                "14: this has no bound of a kind that the bound of all joints has",
            ),
            (
                "animations",
                '[{"match": "Walk", "range": [0.5, 2]}]',
                '18: the range of "Walk" is from 0.5 to 2 s, and in hero.glb it is from 0 to 1 s',
            ),
            ("animations", '[{"match": "Walk", "additive": {"animation": "Fly"}}]', '18: no animation that can be read is called "Fly"'),
            ("animations", '[{"match": "Walk", "additive": {"animation": "Walk"}}]', '18: "Walk" is additive to itself'),
            (
                "animations",
                '[{"match": "Walk", "additive": {"animation": "Aim"}}, {"match": "Aim", "additive": {"animation": "Walk"}}]',
                '18: "Walk" is additive to itself, by "Aim"',
            ),
        ):
            with self.subTest(name=name, value=value):
                self.fails(row % (name, value), "line 2, column " + says)
        self.fails("{}", 'line 1, column 1: there is no "files"')
        self.fails('{"files": ["no*.glb"]}', 'line 1, column 12: no file is like "no*.glb"')

    def test_what_the_files_do_not_allow(self):
        """It is said of which joint or clip, and nothing is written."""
        self.hero()
        self.put("Walk.glb", glb_of(*gltf_tree(NODES, {"Take 001": curves(5)})))
        open_loop = r'Aim: rotation of "hips", key 30: the loop does not close: .*: \S+ degrees apart\n'
        for members, says in (
            ({"animations": [{"match": "Aim", "loop": True}]}, open_loop),
            ({"rename": [{"match": "h*d", "to": "h"}]}, '"rename" gives "hand" and "head" one name, "h"'),
            ({"animations": [{"match": "*l*", "name": "Same"}]}, r'two clips are called "Same": of animation 0 of \S+ and \d'),
            ({"files": ["hero.glb", "Walk.glb"]}, 'two clips are called "Walk"'),
            ({"masks": [{"name": "tail", "joints": "tail+"}]}, r'no joint of the skeleton is like "tail\+"'),
        ):
            with self.subTest(members):
                self.assertRegex(self.make(status=1, **members).stderr, says)
                self.assertFalse(os.path.exists(self.path("hero.qsb")))

    def test_options_beside(self):
        path = self.recipe()
        out = ["-o", self.path("out")]
        for options in ["--object", "1mm@3cm"], ["--rate", "30"], ["--loop"], ["--skeleton", path], out:
            self.bad(2, "compress", path, *options, says="recipe")
        self.bad(2, "compress", path, self.path("hero.glb"), says="a recipe (.json) is the only FILE")
