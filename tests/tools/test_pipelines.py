"""Tests of what content pipelines ask of compress: loops where they close, bases, bounds of joints, animations by name, extras."""
import json
import os
import shutil
import unittest

import numpy as np

from support.command import run
from support.compressing import Case, listing
from support.gltf import glb_of, gltf_text, gltf_tree, read_gltf_curves
from support.page import largest_share, page_run
from support.rotations import degrees_between, turns, walk

TIMES = np.arange(31) / 30
NODES = [
    {"name": "hip", "children": [1, 2]},
    {"name": "left hand", "translation": [0, 1, 0]},
    {"name": "right hand", "translation": [0, 0, 1]},
]


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = np.moveaxis(np.asarray(a, float), -1, 0), np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack(
        (
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by + ay * bw + az * bx - ax * bz,
            aw * bz + az * bw + ax * by - ay * bx,
            aw * bw - ax * bx - ay * by - az * bz,
        ),
        -1,
    )


def slerp(times, keys, at):
    """A curve of rotations at any times, by its own arithmetic: held beyond its ends."""
    out = np.empty((len(at), 4))
    for n, t in enumerate(np.clip(at, times[0], times[-1])):
        k = min(int(np.searchsorted(times, t, "right")) - 1, len(times) - 2)
        p, q = (keys[i].astype(float) / np.linalg.norm(keys[i].astype(float)) for i in (k, k + 1))
        q = q * (1 if p @ q >= 0 else -1)
        part, angle = (t - times[k]) / (times[k + 1] - times[k]), np.arccos(min(p @ q, 1))
        out[n] = p if angle < 1e-9 else (np.sin((1 - part) * angle) * p + np.sin(part * angle) * q) / np.sin(angle)
    return out


def lerp(times, keys, at):
    return np.stack([np.interp(at, times, keys[:, i]) for i in range(3)], -1)


def hermite(times, keys, at):
    """The same of glTF's splines: in-tangents, values and out-tangents."""
    keys, out = keys.reshape(len(times), 3, -1).astype(float), []
    for t in np.clip(at, times[0], times[-1]):
        k = min(int(np.searchsorted(times, t, "right")) - 1, len(times) - 2)
        d = times[k + 1] - times[k]
        s = (t - times[k]) / d
        out.append(
            (2 * s**3 - 3 * s**2 + 1) * keys[k, 1]
            + d * (s**3 - 2 * s**2 + s) * keys[k, 2]
            + (3 * s**2 - 2 * s**3) * keys[k + 1, 1]
            + d * (s**3 - s**2) * keys[k + 1, 0]
        )
    return np.array(out)


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
        return json.loads(self.good("compress", "--json", "--time", "0", *arguments).stdout)["animations"]

    def info(self, name="hero"):
        """{name: what info says of a clip} of a bundle."""
        (tree,) = json.loads(self.good("info", "--json", self.out(name + ".qsb")).stdout)
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
        self.good("decompress", clip, "-o", self.path("arrays"))
        times = np.load(self.path("arrays", "times.npy"))
        rotations, translations = (np.load(self.path("arrays", kind + ".npy")) for kind in ("rotations", "translations"))
        shutil.rmtree(self.path("arrays"))
        moving = dict(read_gltf_curves(base))["lean"]
        out = {}
        for joint, name in enumerate(("hip", "left hand", "right hand")):
            t, keys, _ = moving[name, "rotation"]
            out[name, "rotation"] = times, product(slerp(t, keys, times), rotations[:, joint])
        t, keys, _ = moving["hip", "translation"]
        out["hip", "translation"] = times, lerp(t, keys, times) + translations[:, 0]
        return out

    def check(self, found, hero, degrees=0.05, length=1e-4):
        worst = 0
        for (name, kind), (times, values) in found.items():
            t, keys, _ = dict(read_gltf_curves(hero))["walk"][name, kind]
            if kind == "rotation":
                off = degrees_between(slerp(t, keys, times), values).max()
                worst = max(worst, off)
                self.assertLess(off, degrees + 1e-4)
            else:
                self.assertLess(np.linalg.norm(lerp(t, keys, times) - values, axis=-1).max(), length + 1e-6)
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
        result = json.loads(self.good("verify", "--json", self.out("hero.qsb"), "walk").stdout)
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
        self.good("decompress", clip, "-o", self.path("arrays"))
        times, found = np.load(self.path("arrays", "times.npy")), np.load(self.path("arrays", "rotations.npy"))
        self.assertLess(
            degrees_between(product(slerp(TIMES, moving, times), found[:, 0]), np.tile(turned[1], (len(times), 1))).max(), 0.0102
        )
        self.assertLess(
            degrees_between(product(np.tile(turned[0], (len(times), 1)), found[:, 1]), slerp(TIMES, own[:, 0], times)).max(), 0.0102
        )
        self.assertLess(degrees_between(found[:, 2], slerp(TIMES, own[:, 1], times)).max(), 0.0102)  # there is no such joint
        self.assertIn("within", self.good("verify", clip).stdout)

    def test_verify_compares_what_only_the_base_moves(self):
        """A joint that the animation does not move stands at rest, whatever the base does."""
        q = walk(31, 1, seed=5, turn=0.1)[:, 0]
        hero = self.file("hero.gltf", {"walk": [(1, "rotation", TIMES, q, None)], "wave": [(2, "rotation", TIMES, q, None)]})
        base = self.file(
            "base.gltf", {"lean": [(1, "rotation", TIMES, q, None), (2, "rotation", TIMES, walk(31, 1, seed=6, turn=0.1)[:, 0], None)]}
        )
        wrong = self.file(
            "wrong.gltf", {"lean": [(1, "rotation", TIMES, q, None), (2, "rotation", TIMES, walk(31, 1, seed=7, turn=0.1)[:, 0], None)]}
        )
        self.compress("-r", "0.05", "--animation", "walk", "--additive", base, hero)
        clip = self.out("hero.qsb")
        self.good("verify", clip)
        result = run("verify", clip, "--base", wrong)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r'"right hand" at .* degrees off, \S+ times its bound of 0\.05')
        only = self.file("only.gltf", {"lean": [(0, "rotation", TIMES, q, None)]})
        self.bad(
            1,
            "verify",
            clip,
            "--base",
            only,
            says='has no rotation of "hip", but the base %s moves it: the clip was made with another base' % only,
        )

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
        self.good("decompress", self.out("hero.qsb"), "-o", self.path("arrays"))
        times, found = np.load(self.path("arrays", "times.npy")), np.load(self.path("arrays", "rotations.npy"))[:, 0]
        wanted = slerp(*dict(read_gltf_curves(hero))["walk"]["hip", "rotation"][:2], times)
        under = hermite((np.arange(5) / 2.5 - 0.3).astype(np.float32), spline, times)
        self.assertLess(degrees_between(product(under / np.linalg.norm(under, axis=-1, keepdims=True), found), wanted).max(), 0.0102)

    def test_another_base_is_noticed(self):
        """The sum is compared, not the clip alone."""
        hero, base = self.hero(), self.base()
        self.compress("-r", "0.05", "--additive", base + "#lean", hero)
        clip, wrong = self.out("hero.qsb"), self.base("wrong.glb", seed=51)
        result = run("verify", clip, "--base", wrong)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"degrees off, \S+ times its bound of 0\.05")
        self.assertIn("is not the base that", result.stderr)
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
        self.bad(
            1,
            "compress",
            "--additive",
            base + "#sit",
            hero,
            says='there is no animation "sit"; there are these numbers and names:\n  0  stand\n  1  lean\n',
        )
        self.bad(1, "compress", "--additive", self.directory, hero, says=self.directory)
        self.bad(2, "compress", "--additive", "", hero, says="is neither first nor a file")
        self.bad(1, "compress", "--additive", self.file("still.gltf", {}), hero, says="still.gltf: has no animation")
        stranger = self.base("stranger.glb", nodes=[{"name": "a", "children": [1, 2]}, {"name": "b"}, {"name": "c"}])
        self.bad(1, "compress", "--additive", stranger + "#lean", hero, says="moves no joint or track that has the name of one here")
        flat = self.file("flat.gltf", {"lean": [(0, "scale", [0, 1], [[1.0, 1, 1], [1, 0, 1]], None)]})
        self.bad(1, "compress", "-r", "0.05", "--additive", flat, hero, says='scale of "hip", key 1: the scale of the base is 0 there')


class JointBounds(Pipelines):
    def hero(self):
        return self.file("hero.glb", {"walk": curves(10, turn=0.3), "run": curves(20, turn=0.3)})

    def bounds(self, *rows, name="bounds.json"):
        return self.put(name, json.dumps({"joints": rows}).encode())

    def errors(self, kind="rotation", unit="_degrees", name="hero"):
        tree = json.loads(self.good("verify", "--json", self.out(name + ".qsb"), "walk").stdout)
        return {joint["joint"]: joint[kind]["worst_error" + unit] for joint in tree["joints"]}, tree

    def test_finer_and_coarser(self):
        hero = self.hero()
        self.compress("-r", "0.5", hero)
        (plain, _), size = self.errors(), self.info()["walk"]["bytes"]
        self.compress("-r", "0.5", "--bounds", self.bounds({"name": "*hand", "rotation": "0.01deg"}), hero)
        fine, tree = self.errors()
        self.assertGreater(self.info()["walk"]["bytes"], size)
        for joint, off in fine.items():
            low, bound = (0.001, 0.0101) if joint.endswith("hand") else (0.05, 0.501)
            self.assertTrue(low < off < bound, (joint, off))
        self.assertEqual(fine["hip"], plain["hip"])  # untouched
        own = {joint["joint"]: joint["rotation"].get("own_bound_degrees") for joint in tree["joints"]}
        self.assertIsNone(own["hip"])
        self.assertAlmostEqual(own["left hand"], 0.01, places=6)
        self.compress("-r", "0.5", "--bounds", self.bounds({"name": "left*", "rotation": "5deg"}), hero)
        coarse, tree = self.errors()
        self.assertGreater(coarse["left hand"], 0.51)
        self.assertLess(coarse["right hand"], 0.501)
        self.assertTrue(tree["rotation"]["within"] and tree["within"])
        self.assertLess(self.info()["walk"]["bytes"], size)
        self.assertLessEqual(self.made()["clips"][0]["share"][0], 1.001)

    def test_objects(self):
        hero = self.hero()
        self.compress("--object", "1cm@10cm", hero)
        size = self.info()["walk"]["bytes"]
        self.compress("--object", "1cm@10cm", "--bounds", self.bounds({"name": "right*", "object": "0.1mm@50cm", "rotation": "1deg"}), hero)
        errors, tree = self.errors("object", "")
        clip = self.out("hero.qsb"), "walk"
        self.good("decompress", *clip, "-o", self.path("again.glb"))
        before, after = (dict(read_gltf_curves(path))["walk"] for path in (hero, self.path("again.glb")))
        for joint, child, distance, bound in ("right hand", [0, 0, 1], 0.5, 1e-4), ("left hand", [0, 1, 0], 0.1, 1e-2):
            off = np.abs(self.points(before, joint, child, distance) - self.points(after, joint, child, distance))
            far = np.linalg.norm(off, axis=-1).max()  # at keys alone, in some directions
            self.assertTrue(bound / 4 < far < 1.01 * bound, (joint, far))
            self.assertTrue(0.98 * far < errors[joint] < 1.001 * bound, (joint, far, errors[joint]))
        self.assertGreater(self.info()["walk"]["bytes"], size)
        self.assertTrue(tree["within"])
        # what is at 50 cm is far off where it is held at 10 cm alone
        self.assertEqual(run("verify", "--object", "0.1mm@10cm", *clip).returncode, 1)

    @staticmethod
    def points(curves, joint, child, distance):
        """Some points around a hand, where the root is, at all keys."""

        def turned(q, v):
            return product(product(q, np.concatenate((v, np.zeros((*v.shape[:-1], 1))), -1)), q * [-1, -1, -1, 1])[..., :3]

        p = np.random.default_rng(1).normal(size=(200, 1, 3))
        p *= distance / np.linalg.norm(p, axis=-1, keepdims=True)
        hip, hand = (curves[name, "rotation"][1][None].astype(float) for name in ("hip", joint))
        hand = np.broadcast_to(hand / np.linalg.norm(hand, axis=-1, keepdims=True), (200, *hand.shape[1:]))
        hip = np.broadcast_to(hip / np.linalg.norm(hip, axis=-1, keepdims=True), hand.shape)
        return curves["hip", "translation"][1] + turned(hip, np.array(child) + turned(hand, np.broadcast_to(p, (*hand.shape[:-1], 3))))

    def test_verify_holds_each_joint_to_its_own(self):
        """An error that is good by the bound of all is beyond that of its joint, and the other way round."""
        tree, bundle = curves(10, turn=0.3), self.out("hero.qsb")
        hero = self.file("hero.glb", {"walk": tree})
        turned = [0, 0, np.sin(np.radians(0.05)), np.cos(np.radians(0.05))]  # by 0.1 degrees
        node, kind, times, keys, _ = tree[2]
        tree[2] = node, kind, times, product(keys, turned).astype(np.float32), None
        other = ["--against", self.file("other.glb", {"walk": tree})]
        self.compress("-r", "0.5", "--bounds", self.bounds({"name": "left ?and", "rotation": "0.01deg"}), hero)
        self.good("verify", bundle)
        result = run("verify", bundle, *other)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r'"left hand" at .* degrees off, \S+ times its bound of 0\.0(1|0999)')
        self.assertNotIn('"hip"', result.stderr)
        self.good("verify", "-r", "0.5", bundle, *other)  # options replace them
        self.compress("-r", "0.01", "--bounds", self.bounds({"name": "*", "rotation": "0.5deg"}), hero)
        self.good("verify", bundle)
        self.assertEqual(run("verify", "-r", "0.01", bundle).returncode, 1)

    def test_loose_encoder_is_noticed(self):
        """The command with an encoder that goes beyond its bounds, but not those of joints: of them none is complained of."""
        loose = os.environ.get("QUATSIMD_LOOSE")
        if not loose:
            raise unittest.SkipTest("no QUATSIMD_LOOSE")
        hero = self.hero()
        call = "compress", "-r", "0.5", "--time", "0", hero
        self.assertIn(" times its bound of ", run(*call, tool=loose).stderr)
        bounds = self.bounds({"name": "*", "rotation": "0.4deg", "translation": "0.1mm"})
        self.assertNotIn(" times its bound of ", run(*call, "--bounds", bounds, tool=loose).stderr)

    def test_globs(self):
        """The first entry that a name is like counts, and it alone; * and ? as everywhere."""
        hero = self.hero()
        rows = [
            {"name": "left hand", "translation": "1mm", "rotation": "0.3deg"},
            {"name": "?eft hand", "rotation": "0.001deg"},
            {"name": "**t*n?", "rotation": "0.1deg"},
            {"name": "h?p?", "rotation": "1deg"},
        ]
        result = self.compress("-r", "0.5", "--bounds", self.bounds(*rows), hero)
        self.assertIn('hero.glb: no joint matches these names in %s: "h?p?"\n' % self.path("bounds.json"), result.stderr)
        errors, tree = self.errors()
        own = {joint["joint"]: joint["rotation"].get("own_bound_degrees", 0) for joint in tree["joints"]}
        for joint, bound in ("hip", 0), ("left hand", 0.3), ("right hand", 0.1):
            self.assertAlmostEqual(own[joint], bound, places=6)
        names = [{"name": "\u00e4\u00f6\u2603x", "children": [1, 2]}, {"name": "aaab"}, {"name": "*"}]
        path = self.file("names.glb", {"walk": curves(10)}, names)
        for pattern, joints in (
            ("?\u00f6??", [0]),
            ("????", [0, 1]),
            ("?????", []),
            ("a*ab", [1]),
            ("*a*a*a*b", [1]),
            ("*a*a*a*a*b", []),
            ("", []),
            ("*", [0, 1, 2]),
            ("?", [2]),
            ("A*", []),
        ):
            with self.subTest(pattern):
                result = self.compress("-r", "0.5", "--bounds", self.bounds({"name": pattern, "rotation": "0.1deg"}), path)
                _, tree = self.errors(name="names")
                found = [j for j, joint in enumerate(tree["joints"]) if "own_bound_degrees" in joint["rotation"]]
                self.assertEqual(found, joints)
                self.assertEqual("no joint matches" in result.stderr, not joints)

    def test_units(self):
        """Lengths are as the options have them: a metre of a file without a unit is the height by its bones."""
        bvh = b"""HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n JOINT chest\n {\n  OFFSET 0 50 0
  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 10 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n0 1 0 10 0 0 0 20 0\n"""
        path = self.put("a.bvh", bvh)
        self.compress("--bounds", self.bounds({"name": "chest", "object": "1mm@0.5"}, {"name": "hip", "object": "2@3cm"}), path)
        rows = self.made("a")["joint_bounds"]
        height = 0.6273941136457415 * 60
        np.testing.assert_allclose(
            [[row["object_bound"], row["object_distance"]] for row in rows], [[1e-3 * height, 0.5], [2, 0.03 * height]]
        )
        self.good("verify", self.out())

    def test_record_and_resume(self):
        hero, rows = self.hero(), [{"name": "*hand", "rotation": "0.01deg"}]
        options = ["-r", "0.5", "--bounds", self.bounds(*rows), hero]
        self.compress(*options)
        (row,) = self.made()["joint_bounds"]
        self.assertEqual(row["name"], "*hand")
        self.assertAlmostEqual(row["rotation_bound_degrees"], 0.01)
        self.assertFalse(self.made_again(*options))
        self.put("bounds.json", json.dumps({"joints": rows}, indent=4).encode())  # the same
        self.assertFalse(self.made_again(*options))
        for row in {"name": "*hand", "rotation": "0.02deg"}, {"name": "*Hand", "rotation": "0.02deg"}:
            self.bounds(row)
            self.assertTrue(self.made_again(*options))
        self.assertTrue(self.made_again("-r", "0.5", hero))
        self.assertNotIn("joint_bounds", self.made())

    def test_page(self):
        """A joint within its own bound is not beyond, though it is beyond that of the others."""
        hero = self.hero()
        self.compress("-r", "0.5", "--bounds", self.bounds({"name": "left*", "rotation": "5deg"}), "--report", self.path("page.html"), hero)
        page = page_run(self.path("page.html"))
        self.assertTrue(page["joint_bounds"])
        self.assertLessEqual(max(map(largest_share, page["animations"])), 1)

    def test_refused(self):
        hero, path = self.hero(), self.path("bounds.json")
        row = '{"joints": [{"name": "a", "object": "1mm@1cm"}, %s]}'
        for text, says in (
            ("", "line 1, character 1: not JSON"),
            ('{"joints": [\n  {"name": "a",\n   "object" "1mm@1cm"}]}', "line 3, character 13: not JSON"),
            ('{"joints": []} x', "line 1, character 16: not JSON"),
            ("[]", 'is not an object {"joints": [...]}'),
            ("{}", "has no joints"),
            ('{"joints": {}}', "joints is not an array [...]"),
            ('{"joints": [], "bones": []}', "bones: there is no such member; the only member is joints"),
            ('{"joints": [], "joints": []}', "joints is there twice"),
            (row % "7", "joints[1] is not an object {...}"),
            (row % '{"object": "1mm@1cm"}', "joints[1] has no name"),
            (row % '{"name": "b"}', 'joints[1] ("b") has no object, the only bound that is used'),
            (row % '{"name": "b", "rotation": "1deg"}', 'joints[1] ("b") has no object, the only bound that is used'),
            (row % '{"name": "b", "bound": "1"}', "joints[1].bound: there is no such member"),
            (row % '{"name": "b", "Object": "1"}', "joints[1].Object: there is no such member"),
            (row % '{"name": 7}', 'joints[1].name is not a text, as "*hand*"'),
            (row % '{"name": "b", "object": 0.1}', 'joints[1].object is not a text, as "0.1mm@3cm"'),
            (row % '{"name": "b", "scale": null}', 'joints[1].scale is not a text, as "0.001"'),
            (row % '{"name": "b", "object": "1mm"}', 'joints[1].object: "1mm" is not LENGTH@DISTANCE'),
            (row % '{"name": "b", "object": "1mm@1km"}', 'joints[1].object: "1mm@1km" is not LENGTH@DISTANCE'),
            (row % '{"name": "b", "rotation": "1mm"}', 'joints[1].rotation: "1mm" is not an angle from'),
            (row % '{"name": "b", "translation": "-1"}', 'joints[1].translation: "-1" is not a length'),
            (row % '{"name": "b", "scale": "x"}', 'joints[1].scale: "x" is not a positive number'),
            (row % '{"name": "b", "object": "1mm@1cm", "object": "2mm@1cm"}', "joints[1].object is there twice"),
            (row % '{"name": "b", "name": "c", "object": "1mm@1cm"}', "joints[1].name is there twice"),
        ):
            with self.subTest(text):
                self.put("bounds.json", text.encode())
                self.bad(1, "compress", "-o", self.path("out"), "--bounds", path, hero, says="%s: %s" % (path, says))
        self.bounds({"name": "a", "object": "1mm@1cm"})
        self.bad(1, "compress", "-r", "1", "--bounds", path, hero, says='joints[0] ("a") has no bound that is used')
        self.bounds({"name": "a", "rotation": "1deg"})
        self.bad(1, "compress", "--only", "scale", "--bounds", path, hero, says='joints[0] ("a") has no bound that is used')
        self.bad(1, "compress", "--bounds", self.path("none.json"), hero, says="none.json: cannot open")
        self.bad(1, "compress", "--bounds", self.directory, hero, says=self.directory)
        self.bad(1, "compress", "-o", self.path("out"), "--report", path, "--bounds", path, "-r", "1", hero, says="bounds.json")


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
            result = run("compress", "--animation", "R?", *options)
            self.assertEqual(result.returncode, 1)
            self.assertIn("R?: no animation that moves has this name in 2 files", result.stderr)
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


if __name__ == "__main__":
    unittest.main()
