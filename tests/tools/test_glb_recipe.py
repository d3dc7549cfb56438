"""Tests of `quatsimd compress --glb` with a recipe, and of additive clips in glTF."""
import json
import os

from support.command import run
from support.compressing import Case, listing, turns
from support.gltf import glb_of, gltf_tree
from test_glb import EXTENSION, File
from test_recipe import NODES, closed, curves

import bundle as bundle_model

ADDITIVE = [
    {"match": "Walk", "loop": True},
    {"match": "Aim", "additive": "first", "only": "spine+"},
    {"match": "Lean", "additive": {"animation": "Idle"}},
]


class GlbRecipes(Case):
    def hero(self, **animations):
        """Lean and T-Pose have fewer bytes as keys than as clips."""
        lean, pose = ([(1, "rotation", [0, 1], turns(2, seed), None)] for seed in (4, 5))
        animations = animations or {"Walk": closed(1), "Aim": curves(2), "Idle": curves(3), "Lean": lean, "T-Pose": pose}
        return self.put("hero.glb", glb_of(*gltf_tree(json.loads(json.dumps(NODES)), animations)))

    def make(self, *options, status=0, **members):
        recipe = self.put("hero.json", json.dumps({"files": ["hero.glb"], "bound": "0.1mm@3cm", **members}).encode())
        result = run("compress", recipe, "--glb", self.path("out.glb"), *options)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result

    def extension(self):
        return File(self.path("out.glb")).plain["extensions"][EXTENSION]

    def entries(self):
        return [(entry["name"], entry["clip"]) for entry in self.extension()["animations"]]

    def bundle(self):
        file = File(self.path("out.glb"))
        return bundle_model.Bundle(file.range(file.plain["bufferViews"][self.extension()["bufferView"]]))

    def clips(self, path="out.glb"):
        (tree,) = self.json("info", self.path(path))
        return {clip["name"]: clip for clip in tree["clips"]}

    def test_additive(self):
        """Its clips have the bytes of those of -o, which verify compares with the sums. The file has no keys of them."""
        self.hero()
        masks = [{"name": "upper", "joints": "spine+"}]
        result = self.make(animations=ADDITIVE, masks=masks)
        self.assertEqual(self.extension()["version"], 2)
        self.assertEqual(
            {name: clip["additive"] for name, clip in self.clips().items()}, dict(Walk="none", Aim="first", Idle="none", Lean="base")
        )
        self.assertEqual(self.entries(), [(name, name) for name in ("Walk", "Aim", "Idle", "Lean")])
        self.assertIn('line 1, "Aim": Aim\n', result.stdout)
        self.good("compress", self.path("hero.json"), "-o", self.path("hero.qsb"))
        self.assertIn(" 0 beyond, 0 without bounds, 0 not compared", self.good("verify", self.path("hero.qsb")).stdout)
        ours, theirs = self.bundle(), bundle_model.Bundle(self.content("hero.qsb"))
        clips = {record.name: record.data for record in theirs.clips if record.name != b"T-Pose"}
        self.assertEqual({record.name: record.data for record in ours.clips}, clips)
        self.assertEqual(ours.masks, theirs.masks)
        self.assertEqual(File(self.path("out.glb")).plain["animations"][0]["name"], "T-Pose")
        self.assertRegex(
            result.stderr, r"\A[^\n]*animation 4, T-Pose stays as it is: its clip would have \d+ bytes, and its keys have \d+\n\Z"
        )

    def test_read_back(self):
        """Additive clips are no animations by themselves: those that read the file leave them out, and name them."""
        self.hero()
        self.make(animations=ADDITIVE)
        for arguments in ["compress", "--time", "0", self.path("out.glb")], ["import", self.path("out.glb"), self.path("curves")]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 1)
            for number, name in (2, "Aim"), (4, "Lean"):
                self.assertIn(
                    "out.glb: animation %d, %s: its clip is additive: it is no animation by itself\n" % (number, name), result.stderr
                )
            self.assertNotIn("Idle", result.stderr)
        self.good("compress", self.path("hero.glb"), "--animation", "Idle", "-o", self.path("idle.qsb"))
        against = "verify", self.path("idle.qsb"), "Idle", "--against", self.path("out.glb"), "--animation"
        self.good(*against, "Idle", "--object", "0.2mm@3cm")
        self.bad(1, *against, "Lean", says="Lean: its clip is additive: it is no animation by itself")

    def test_on_the_base(self):
        """verify holds an additive clip to the bound of the sum, and decompress makes the animation of it again."""
        hero, out = self.hero(), self.path("out.glb")
        self.make(animations=[{"match": "Aim", "additive": "first"}, {"match": "Lean", "additive": {"animation": "Idle"}}])
        against = ["--against", hero, "--object", "0.1mm@3cm", "--animation"]
        self.good("verify", out, "Lean", *against, "Lean", "--base", hero + "#Idle")
        self.bad(1, "verify", out, "Lean", *against, "Lean", "--base", hero + "#Walk", says="times its bound of 0.0001")
        self.bad(1, "verify", out, "Lean", *against, "Lean", says="is additive to another animation, and does not say which; give --base")
        self.good("verify", out, "Aim", *against, "Aim")
        self.good("decompress", out, "Lean", "--base", out + "#Idle", "-o", self.path("lean.glb"))
        self.good("compress", hero, "--animation", "Lean", "--object", "0.1mm@3cm", "-o", self.path("lean.qsb"))
        self.good("verify", self.path("lean.qsb"), "Lean", "--against", self.path("lean.glb"), "--object", "0.3mm@3cm")

    def test_option(self):
        """Without a recipe all clips are additive; a small one does not stay as keys."""
        self.hero()
        out = self.path("out.glb")
        for base, kind in ("first", "first"), (self.path("hero.glb") + "#Idle", "base"):
            self.good("compress", "--glb", out, "--additive", base, self.path("hero.glb"), "--animation", "Lean", "--animation", "Aim")
            self.assertEqual({name: clip["additive"] for name, clip in self.clips().items()}, {"Aim": kind, "Lean": kind})

    def test_parts_and_names(self):
        """Several clips of an animation, which has no keys then; joints and events as in a bundle. Skipped ones stay."""
        tree, content = gltf_tree(json.loads(json.dumps(NODES)), {"Walk": closed(1), "Take": curves(2, 61), "T-Pose": curves(5, 61)})
        tree["animations"][1]["extras"] = {"a": 1.50}
        path = self.put("hero.glb", glb_of(tree, content))
        result = self.make(
            joints=[{"match": "control", "leave_out": True}],
            rename=[{"match": "h*", "to": "H*"}],
            animations=[
                {"match": "Take", "name": "Start", "range": [0, 0.5], "events": [{"time": 0.25, "name": "foot"}]},
                {"match": "Take", "name": "End", "range": [1.5, 2], "additive": "first"},
                {"match": "T-*", "skip": True},
            ],
        )
        self.assertEqual(self.entries(), [("Walk", "Walk"), ("Start", "Start"), ("End", "End")])
        self.assertEqual([entry.get("extras") for entry in self.extension()["animations"]], [None, {"a": 1.5}, {"a": 1.5}])
        self.assertIn("\n1 animation stays as it is\n", result.stdout)
        bundle, after = self.bundle(), File(self.path("out.glb"))
        self.assertEqual(bundle.skeleton.joints, [b"Hips", b"spine", b"Head", b"Hand", b"leg"])
        self.assertEqual(self.extension()["joints"], [0, 1, 2, 3, 4])
        self.assertEqual(after.plain["nodes"], File(path).plain["nodes"])
        self.assertEqual([animation["name"] for animation in after.plain["animations"]], ["T-Pose"])
        clips = self.clips()
        self.assertAlmostEqual(clips["Start"]["seconds"], 0.5, places=5)
        self.assertEqual(clips["Start"]["events"], [{"time": 0.25, "name": "foot"}])
        self.assertEqual((clips["Start"]["additive"], clips["End"]["additive"]), ("none", "first"))

    def test_small(self):
        """Keys that are smaller than their clip stay only if the clip is nothing else than the animation."""
        self.hero()
        mark = [{"time": 0.5, "name": "nod"}]
        for entry in {"name": "Nod"}, {"events": mark}, {"range": [0, 1]}, {"loop": "close"}, {"additive": "first"}:
            with self.subTest(entry):
                self.make(animations=[{"match": "Lean", **entry}])
                self.assertIn(entry.get("name", "Lean"), self.clips())
        self.make(animations=[{"match": "Lean", "bound": "1mm@3cm"}])
        self.assertNotIn("Lean", self.clips())

    def test_one_clip_fails(self):
        """An animation stays if one of its clips is not made, and none of its clips is in the bundle."""
        self.hero()
        parts = [{"match": "Aim", "name": "Good", "range": [0, 0.5]}, {"match": "Aim", "name": "Bad", "range": [0, 0.5], "loop": True}]
        said = self.make(status=1, animations=parts).stderr
        self.assertIn("animation 1, Aim stays as it is: not all of its clips can be encoded\n", said)
        self.assertEqual(sorted(self.clips()), ["Idle", "Walk"])
        self.assertIn("Aim", [animation["name"] for animation in File(self.path("out.glb")).plain["animations"]])

    def test_names_that_stay(self):
        """An animation that the recipe does not name keeps its name, also one that others have, or none."""
        animations = {str(i): curves(i) for i in range(4)}
        tree, content = gltf_tree(json.loads(json.dumps(NODES)), animations)
        for animation, name in zip(tree["animations"], ("Walk", "Walk", None, "Run")):
            animation["name"] = name
            if name is None:
                del animation["name"]
        self.put("hero.glb", glb_of(tree, content))
        self.make(animations=[{"match": "Run", "name": "Flee"}])
        entries = [(entry.get("name"), entry["clip"]) for entry in self.extension()["animations"]]
        self.assertEqual(entries, [("Walk", "Walk"), ("Walk", "Walk-2"), (None, "animation"), ("Flee", "Flee")])

    def test_own_bounds(self):
        """The report says the bound of most clips, though the first clip has another one."""
        self.hero()
        said = self.make(animations=[{"match": "Walk", "bound": "0.01mm@3cm"}]).stdout
        self.assertIn("\nbound 0.1 mm for points at a distance of 3 cm from any joint", said)
        report = json.loads(self.make("--json", animations=[{"match": "Walk", "bound": "0.01mm@3cm"}]).stdout)
        self.assertEqual(report["recipe"], [{"line": 1, "match": "Walk", "met": ["Walk"]}])
        walk, aim = (animation["worst_object_error"] for animation in report["animations"][:2])
        self.assertTrue(walk <= 1e-5 < aim <= 1e-4, (walk, aim))

    def test_wrong(self):
        """Nothing is written."""
        self.hero()
        self.put("other.glb", self.content("hero.glb"))
        before = listing(self.directory)
        for members, says in (
            ({"files": ["hero.glb", "other.glb"]}, "hero.json: names 2 files; --glb writes one file, and needs a recipe of that alone"),
            ({"skeleton": "other.glb"}, "other.glb; clips of --glb have that of "),
            ({"animations": [{"match": "Wolk"}]}, 'no animation is like "Wolk"; did you mean Walk?'),
            ({"animations": [{"match": "Lean", "additive": {"animation": "Fly"}}]}, 'no animation that can be read is called "Fly"'),
            ({"animations": [{"match": "Walk", "range": [0, 9]}]}, 'the range of "Walk" is from 0 to 9 s'),
            ({"animations": [{"match": "*l*", "name": "Same"}]}, 'two clips are called "Same"'),
            ({"masks": [{"name": "tail", "joints": "tail+"}]}, 'no joint of the skeleton is like "tail+"'),
            ({"animations": [{"match": "*", "skip": True}]}, "none of its animations can be replaced, so nothing is written"),
        ):
            with self.subTest(members):
                said = self.make(status=1, **members).stderr
                self.assertIn(says, said)
                self.assertEqual(said.count("none of its animations"), says.count("none of its animations"))
                os.remove(self.path("hero.json"))
                self.assertEqual(listing(self.directory), before)
        self.make(skeleton="./hero.glb")
        recipe = self.path("hero.json")
        self.bad(1, "compress", recipe, "--glb", self.path("hero.glb"), says="hero.glb")
        self.bad(2, "compress", recipe, "--glb", self.path("out.glb"), "--additive", "first", says="--additive does not go with a recipe")
