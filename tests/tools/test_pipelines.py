"""Tests of what content pipelines ask of compress: loops where they close, bases, animations by name, extras."""
import json
import os
import re
import shutil

import numpy as np

from support.command import run
from support.compressing import Case, listing
from support.gltf import glb_of, gltf_text, gltf_tree, read_gltf_curves
from support.gltf_pose import values_at
from support.page import largest_share, page_run
from support.rotations import degrees_between, product, turns, walk

TIMES = np.arange(31) / 30
NODES = [
    {"name": "hip", "children": [1, 2]},
    {"name": "left hand", "translation": [0, 1, 0]},
    {"name": "right hand", "translation": [0, 0, 1]},
]


def curves(seed, times=TIMES, turn=0.1):
    n = len(times)
    return [(0, "translation", times, walk(n, 1, seed=seed, turn=0.02)[:, 0, :3], None)] + [
        (j, "rotation", times, walk(n, 1, seed=seed + j, turn=turn)[:, 0], None) for j in range(3)
    ]


class Pipelines(Case):
    def file(self, name, animations, nodes=None, **changes):
        tree, content = gltf_tree(nodes or NODES, animations)
        tree.update(changes)
        return self.put(name, (glb_of if name.endswith(".glb") else gltf_text)(tree, content))

    def measured(self, *arguments):
        return self.json("compress", "--time", "0", *arguments)["animations"]

    def info(self, name="hero"):
        """{name: what info says of a clip} of a bundle."""
        (tree,) = self.json("info", self.out(name + ".qsb"))
        return {clip["name"]: clip for clip in tree["clips"]}

    def made(self, name="hero"):
        """What a bundle says of the file that it was made from."""
        (file,) = self.making(self.out(name + ".qsb"))["files"]
        return file

    def made_again(self, *arguments, because="it was made by other options"):
        """Whether compress makes a bundle again; then it says why."""
        result = self.compress(*arguments)
        if ": up to date\n" in result.stdout:
            return False
        self.assertIn("qsb: is replaced: %s\n" % because, result.stderr)
        return True


class Loops(Pipelines):
    def loops(self):
        q = walk(31, 1, turn=0.1)[:, 0]
        there = np.concatenate((q[:16], q[14::-1]))
        open_ = [(0, "rotation", TIMES, q, None)]
        both = [(0, "rotation", TIMES, there, None), (1, "rotation", TIMES, q, None)]  # one of the curves does not close
        return self.file(
            "loops.glb",
            {"closed": [(0, "rotation", TIMES, there, None)], "open": open_, "both": both, "pose": [(0, "rotation", [0.0], q[:1], None)]},
        )

    def test_auto(self):
        path, wanted = self.loops(), {"closed": True, "open": False, "both": False, "pose": False}
        for option in ["--loop", "auto"], ["--loop=auto"]:
            self.assertEqual({e["animation"]: e["loop"] for e in self.measured(*option, path)}, wanted)
        self.assertEqual({e["animation"]: e["loop"] for e in self.measured(path, "--loop", "auto")}, wanted)
        self.assertIn(", those loop that close\n", self.good("compress", "--time", "0", path, "--loop", "auto").stdout)
        self.compress("--loop", "auto", path)
        self.assertEqual({name: clip["loop"] for name, clip in self.info("loops").items()}, wanted)
        self.assertIn("4 within", self.good("verify", self.out()).stdout)
        self.assertFalse(self.made_again("--loop", "auto", path))
        self.assertTrue(self.made_again(path))

    def test_alone(self):
        """As it was: all of them, or it is an error."""
        path = self.loops()
        self.assertIn("the loop does not close", self.compress("--loop", path, status=1).stderr)
        self.assertFalse(os.path.exists(self.out()))
        self.compress("--loop", "--partial", path, status=1)
        self.assertEqual({name: clip["loop"] for name, clip in self.info("loops").items()}, {"closed": True, "pose": True})

    def test_other_faults_are_told(self):
        """A key that is bad with a loop and without one."""
        q = turns(3)
        path = self.file("bad.gltf", {"walk": [(0, "rotation", [0, 0.5, 1], np.array([q[0], q[1] * np.nan, q[0]]), None)]})
        self.bad(1, "compress", "--loop", "auto", path, says="key 1: a component is not a number")

    def test_usage(self):
        path = self.loops()
        self.bad(2, "compress", "--loop=often", path, says='--loop: "often" is not auto')
        self.bad(2, "compress", "--loop", "auto", says="no file given")
        self.bad(2, "compress", "--loop", "--loop", "auto", path, says="--loop is given twice")
        self.bad(1, "compress", "--loop", "--", "auto", says="auto: cannot open")
        self.bad(1, "compress", "--", "--loop", "auto", says="--loop: cannot open")


class Bases(Pipelines):
    """Clips relative to an animation of another file."""

    other = [{"name": "right hand"}, {"name": "hip", "children": [0, 2]}, {"name": "left hand"}]  # in another order
    fine = np.arange(41) / 40

    def base(self, name="base.glb", times=None, seed=50, nodes=None, **changes):
        """Joints are in another order, and one has another name."""
        times = self.fine if times is None else times
        place = {0: 1, 1: 2, 2: 0} if nodes is None else {0: 0, 1: 1, 2: 2}
        moved = [(place[node], *rest) for node, *rest in curves(seed, times)]
        still = [(place[0], "rotation", [0.0], turns(1, 3), None)]
        return self.file(name, {"stand": still, "lean": moved}, nodes or self.other, **changes)

    def hero(self, name="hero.gltf", times=TIMES):
        return self.file(name, {"walk": curves(10, times)})

    def sum(self, clip, base, node_of, at=None):
        """A clip's own frames on a base, evaluated here."""
        found = self.arrays(clip)
        times, rotations, translations = (found[name] for name in ("times", "rotations", "translations"))
        moving = dict(read_gltf_curves(base))["lean"]
        out = {}
        for joint, name in enumerate(("hip", "left hand", "right hand")):
            t, keys, _ = moving[name, "rotation"]
            out[name, "rotation"] = times, product(values_at(t, keys, times), rotations[:, joint])
        t, keys, _ = moving["hip", "translation"]
        out["hip", "translation"] = times, values_at(t, keys, times) + translations[:, 0]
        return out

    def check(self, found, hero, degrees=0.05, length=1e-4):
        worst = 0
        for (name, kind), (times, values) in found.items():
            t, keys, _ = dict(read_gltf_curves(hero))["walk"][name, kind]
            if kind == "rotation":
                off = degrees_between(values_at(t, keys, times), values).max()
                worst = max(worst, off)
                self.assertLess(off, degrees + 1e-4)
            else:
                self.assertLess(np.linalg.norm(values_at(t, keys, times) - values, axis=-1).max(), length + 1e-6)
        self.assertGreater(worst, degrees / 1000)  # it is compressed, and compared

    def test_sum_is_the_source(self):
        hero = self.hero()
        for name, times in (
            ("same", TIMES),
            ("other keys", self.fine),
            ("shorter", np.arange(11) / 23),
            ("longer", np.arange(90) / 30 - 0.5),
        ):
            with self.subTest(name):
                base = self.base(times=times)
                self.compress("-r", "0.05", "--additive", base + "#lean", hero)
                clip = self.out("hero.qsb")
                found = self.sum(clip, base, self.other)
                self.check(found, hero)
                self.assertAlmostEqual(found["hip", "rotation"][0][0], 0, places=6)
                self.assertAlmostEqual(found["hip", "rotation"][0][-1], 1, places=6)  # as long as the animation
                self.assertIn("within", self.good("verify", clip).stdout)
                self.good("decompress", clip, "-o", self.path("again.glb"))
                again = dict(read_gltf_curves(self.path("again.glb")))["walk"]
                again = {key: curve for key, curve in again.items() if key in found}
                self.check({key: (t, values) for key, (t, values, _) in again.items()}, hero)

    def test_object_space(self):
        hero, base = self.hero(), self.base()
        self.compress("--additive", base + "#1", "--report", self.path("page.html"), hero)
        result = self.json("verify", self.out("hero.qsb"), "walk")
        self.assertTrue(result["object"]["within"])
        self.assertGreater(result["object"]["worst_error"], 1e-6)
        page = page_run(self.path("page.html"))
        self.assertEqual(page["additive"], "base")
        self.assertLessEqual(max(map(largest_share, page["animations"])), 1)

    def test_what_does_not_move(self):
        """Of the base: its rest, where it has such a joint, else the source's. Of the source: its rest."""
        turned = turns(2, 7)
        nodes = [{"name": "hip", "children": [1, 2]}, {"name": "left hand", "rotation": turned[0].tolist()}, {"name": "hook"}]
        moving = walk(31, 1, seed=4, turn=0.1)[:, 0]
        base = self.file("base.gltf", {"lean": [(0, "rotation", TIMES, moving, None), (2, "rotation", TIMES, moving, None)]}, nodes)
        source = [{"name": "hip", "children": [1, 2], "rotation": turned[1].tolist()}, {"name": "left hand"}, {"name": "right hand"}]
        own = walk(31, 2, seed=5, turn=0.1)
        hero = self.file("hero.gltf", {"walk": [(1, "rotation", TIMES, own[:, 0], None), (2, "rotation", TIMES, own[:, 1], None)]}, source)
        self.compress("-r", "0.01", "--additive", base, hero)
        clip = self.out("hero.qsb")
        found, close = self.arrays(clip), lambda p, q: self.assertLess(degrees_between(p, q).max(), 0.0102)
        times, found = found["times"], found["rotations"]
        at = lambda keys: values_at(TIMES, keys, times)
        close(product(at(moving), found[:, 0]), np.tile(turned[1], (len(times), 1)))
        close(product(np.tile(turned[0], (len(times), 1)), found[:, 1]), at(own[:, 0]))
        close(found[:, 2], at(own[:, 1]))  # there is no such joint
        self.assertIn("within", self.good("verify", clip).stdout)

    def test_verify_compares_what_only_the_base_moves(self):
        """A joint that the animation does not move stands at rest, whatever the base does."""
        q = walk(31, 1, seed=5, turn=0.1)[:, 0]
        hero = self.file("hero.gltf", {"walk": [(1, "rotation", TIMES, q, None)], "wave": [(2, "rotation", TIMES, q, None)]})
        turning = lambda seed: {
            "lean": [(1, "rotation", TIMES, q, None), (2, "rotation", TIMES, walk(31, 1, seed=seed, turn=0.1)[:, 0], None)]
        }
        base, wrong = self.file("base.gltf", turning(6)), self.file("wrong.gltf", turning(7))
        self.compress("-r", "0.05", "--animation", "walk", "--additive", base, hero)
        clip = self.out("hero.qsb")
        self.good("verify", clip)
        self.bad(1, "verify", clip, "--base", wrong, says=re.compile(r'"right hand" at .* degrees off, \S+ times its bound of 0\.05'))
        only = self.file("only.gltf", {"lean": [(0, "rotation", TIMES, q, None)]})
        says = 'has no rotation of "hip", but the base %s moves it: the clip was made with another base' % only
        self.bad(1, "verify", clip, "--base", only, says=says)

    def test_steps_and_splines(self):
        """Bases that jump, and that bend between keys; cut where the animation begins and ends."""
        hero = self.hero()
        steps = self.file(
            "steps.gltf", {"lean": [(j, "rotation", np.arange(7) / 4.1, walk(7, 1, seed=j, turn=0.3)[:, 0], "STEP") for j in range(3)]}
        )
        spline = np.zeros((5, 3, 4), np.float32)
        spline[:, 1] = walk(5, 1, seed=8, turn=0.3)[:, 0]
        spline[:, 0] = spline[:, 2] = 0.4 * walk(5, 1, seed=9, turn=0.3)[:, 0]
        splines = self.file("splines.gltf", {"lean": [(0, "rotation", np.arange(5) / 2.5 - 0.3, spline.reshape(-1, 4), "CUBICSPLINE")]})
        for base in steps, splines:
            for bounds in ["-r", "0.05"], ["--object", "1mm@10cm"]:
                with self.subTest(base=base, bounds=bounds):
                    self.compress(*bounds, "--additive", base, hero)
                    self.assertIn(" 0 beyond", self.good("verify", self.out()).stdout)
                    self.good("decompress", self.out("hero.qsb"), "-o", self.path("again.glb"))
        self.compress("-r", "0.01", "--additive", splines, hero)
        found = self.arrays(self.out("hero.qsb"))
        wanted = values_at(*dict(read_gltf_curves(hero))["walk"]["hip", "rotation"][:2], found["times"])
        under = values_at((np.arange(5) / 2.5 - 0.3).astype("f4"), spline, found["times"], cubic=True)
        self.assertLess(degrees_between(product(under, found["rotations"][:, 0]), wanted).max(), 0.0102)

    def test_another_base_is_noticed(self):
        """The sum is compared, not the clip alone."""
        hero, base = self.hero(), self.base()
        self.compress("-r", "0.05", "--additive", base + "#lean", hero)
        clip, wrong = self.out("hero.qsb"), self.base("wrong.glb", seed=51)
        self.bad(
            1, "verify", clip, "--base", wrong, says=[re.compile(r"degrees off, \S+ times its bound of 0\.05"), "is not the base that"]
        )
        moved = shutil.move(base, self.path("moved.glb"))
        self.bad(1, "verify", clip, says="base.glb: cannot open")
        for given in moved, moved + "#lean", moved + "#1":
            self.good("verify", clip, "--base", given)
        self.assertEqual(run("verify", clip, "--base", moved + "#stand").returncode, 1)
        self.good("decompress", clip, "--base", moved, "-o", self.path("again.glb"))
        alone = self.clip(clip, "walk")
        needs = "walk.qsc: is additive to another animation, and does not say which; give --base"
        self.bad(1, "verify", alone, "-a", hero, "-r", "0.05", says=needs)
        self.good("verify", alone, "-a", hero, "-r", "0.05", "--base", moved + "#lean")

    def test_record_and_resume(self):
        hero, base = self.hero(), self.base()
        options = ["--additive", base + "#lean", hero]
        self.compress(*options)
        made = self.made()["base"]
        self.assertEqual((made["path"], made["number"]), ("../base.glb", 1))
        self.assertEqual(self.info()["walk"]["additive"], "base")
        self.assertIn("; the base is animation 1 of %s\n" % base, self.good("info", self.out("hero.qsb")).stdout)
        self.assertFalse(self.made_again(*options))
        self.assertTrue(self.made_again("--additive", base, hero))  # another animation of it
        self.assertTrue(self.made_again(*options))
        before = self.read("hero.qsb")
        self.base(seed=77)
        self.assertTrue(self.made_again(*options))
        self.assertNotEqual(self.read("hero.qsb"), before)
        self.assertTrue(self.made_again("--additive", "first", hero))
        self.assertNotIn("base", self.made())
        self.assertEqual(self.info()["walk"]["additive"], "first")

    def test_a_mark_in_a_name(self):
        hero, base = self.hero(), self.base("a#b.glb")
        for option, number in (base, 0), (base + "#lean", 1):
            self.compress("--additive", option, hero)
            self.assertEqual(self.made()["base"]["number"], number)

    def test_first_animation_and_itself(self):
        hero = self.hero()
        self.compress("--additive", hero, hero)
        self.assertLess(self.info()["walk"]["bytes"], 40)  # no difference

    def test_refused(self):
        hero, base = self.hero(), self.base()
        self.bad(1, "compress", "--additive", self.path("none.glb"), hero, says="none.glb: cannot open")
        says = 'there is no animation "sit"; there are these numbers and names:\n  0  stand\n  1  lean\n'
        self.bad(1, "compress", "--additive", base + "#sit", hero, says=says)
        self.bad(1, "compress", "--additive", self.directory, hero, says=self.directory)
        self.bad(2, "compress", "--additive", "", hero, says="is neither first nor a file")
        self.bad(1, "compress", "--additive", self.file("still.gltf", {}), hero, says="still.gltf: has no animation")
        stranger = self.base("stranger.glb", nodes=[{"name": "a", "children": [1, 2]}, {"name": "b"}, {"name": "c"}])
        self.bad(1, "compress", "--additive", stranger + "#lean", hero, says="moves no joint or track that has the name of one here")
        flat = self.file("flat.gltf", {"lean": [(0, "scale", [0, 1], [[1.0, 1, 1], [1, 0, 1]], None)]})
        self.bad(1, "compress", "-r", "0.05", "--additive", flat, hero, says='scale of "hip", key 1: the scale of the base is 0 there')


class Names(Pipelines):
    def hero(self, name="hero.glb", names=("Walk", "Walk fast", "Run", "")):
        return self.file(name, {n: curves(10 + i) for i, n in enumerate(names)})

    def chosen(self, *patterns):
        options = [part for pattern in patterns for part in ("--animation", pattern)]
        return [entry["animation"] for entry in self.measured(*options, self.path("hero.glb"))]

    def test_by_name(self):
        hero = self.hero()
        for patterns, names in (
            (["Walk"], ["Walk"]),
            (["Walk*"], ["Walk", "Walk fast"]),
            (["R?n", "Walk"], ["Walk", "Run"]),
            (["*"], ["Walk", "Walk fast", "Run", ""]),
            ([""], [""]),
            (["* *", "*a*"], ["Walk", "Walk fast"]),
        ):
            with self.subTest(patterns):
                self.assertEqual(self.chosen(*patterns), names)
        self.compress("--animation", "W*", hero)
        self.assertEqual([(clip["clip"], clip["number"]) for clip in self.made()["clips"]], [("Walk", 0), ("Walk fast", 1)])
        self.assertFalse(self.made_again("--animation", "W*", hero))
        self.assertTrue(self.made_again("--animation", "Run", hero))
        self.assertIn("1 within", self.good("verify", self.out()).stdout)

    def test_no_match(self):
        hero = self.hero()
        there = 'hero.glb: no animation is called "walk"; there are "Walk", "Walk fast", "Run", ""\n'
        self.bad(1, "compress", "--animation", "walk", hero, says=there)
        self.compress(hero)
        before = self.read("hero.qsb")
        for names in ["--animation", "walk"], ["--animation", "walk", "--animation", "Run"]:
            self.assertIn(there, self.compress(*names, hero, status=1).stderr)
            self.assertEqual(self.read("hero.qsb"), before)
        result = self.compress("--partial", *names, hero, status=1)
        self.assertIn(there, result.stderr)
        self.assertEqual(list(self.info()), ["Run"])

    def test_folders_are_sifted(self):
        self.hero("in/a.glb", ("Walk", "Run"))
        self.hero("in/b.glb", ("Sit",))
        for out in self.out(), self.path("all.qsb"):
            options = ["-o", out, self.path("in")]
            self.good("compress", "--animation", "R*", *options)
            self.assertIn(": up to date\n", self.good("compress", "--animation", "R*", *options).stdout)
            self.bad(1, "compress", "--animation", "R?", *options, says="R?: no animation that moves has this name in 2 files")
        self.assertEqual(os.listdir(self.out()), ["a.qsb"])
        self.assertEqual(list(self.info("a")), ["Run"])
        self.assertEqual([entry["animation"] for entry in self.measured("--animation", "R*", self.path("in"))], ["Run"])
        self.assertIn("no animation that moves has this name", run("compress", "--animation", "x", self.path("in")).stderr)

    def test_skipped_files_keep_their_clips(self):
        """A name that is misspelt does not cost what earlier runs made."""
        self.hero("in/a.glb", ("Walk", "Run"))
        self.hero("in/b.glb", ("Sit",))
        for out in self.out(), self.out("all.qsb"):
            with self.subTest(out):
                options = "-o", out, "--report", self.path("page.html"), self.path("in")
                self.good("compress", *options)
                before = listing(self.out())
                result = run("compress", "--animation", "Rnu", *options)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(listing(self.out()), before)
                self.good("compress", "--animation", "R*", *options)
                if out == self.out():
                    self.assertEqual((list(self.info("a")), list(self.info("b"))), (["Run"], ["Sit"]))
                else:
                    self.assertEqual(list(self.info("all")), ["a"])
                self.good("verify", self.out())


class Extras(Pipelines):
    texts = [
        '{ "events": [ {"time":0.10000000000000001, "name" : "step \\u00e4\\/"} ],\n\t"big": 12345678901234567890, "e": 1E-7, "n": null }',
        '[1.0, "\u00e4\\"]},{[", {"animations": [{"extras": 1}]}]',
        '"text"',
        "0.30",
        "false",
        None,
    ]

    def test_verbatim(self):
        tree, content = gltf_tree(NODES, {"clip %d" % i: curves(i) for i in range(len(self.texts))})
        tree["extras"] = {"not": "these"}
        for i, text in enumerate(self.texts):
            if text is not None:
                tree["animations"][i]["extras"] = "EXTRAS %d" % i
        text = json.dumps(dict(tree, extensions={"animations": [{"extras": "no"}]}))
        for i, extras in enumerate(self.texts):
            text = text.replace('"EXTRAS %d"' % i, extras or "")
        path = self.put("hero.glb", glb_of(text.encode(), content))
        self.compress(path)
        record = self.good("info", "--json", self.out("hero.qsb")).stdout
        clips = self.made()["clips"]
        for clip, extras in zip(clips, self.texts, strict=True):
            if extras is None:
                self.assertNotIn("extras", clip)
                continue
            self.assertIn('"extras":%s' % extras, record)
            self.assertEqual(clip["extras"], json.loads(extras))
        self.assertFalse(self.made_again(path))
        self.compress("--animation", "clip 2", path)
        self.assertEqual([clip["extras"] for clip in self.made()["clips"]], ["text"])

    def test_bytes_that_are_no_text(self):
        tree, content = gltf_tree(NODES, {"walk": curves(1)})
        tree["animations"][0]["extras"] = "@"
        path = self.put("hero.glb", glb_of(json.dumps(tree).encode().replace(b'"@"', b'{"a":\n "\xff b"}'), content))
        self.compress(path)
        self.assertEqual(self.made()["clips"][0]["extras"], {"a": "\ufffd b"})
