"""Tests of the command decompress: what it writes plays as the clip does by itself (tests/model/clip.py)."""
import json
import os
import pathlib
import shutil

import numpy as np

from support.bvh import compose, read_channels
from support.command import Directory, data
from support.gltf import elements, glb_of, gltf_tree, parsed
from support.playing import read_scene, value_at
from support.rotations import degrees_between, product, turns, walk
import clip as clip_model
import skeleton as skeleton_model

KINDS = "rotation", "translation", "scale"
TIMES = np.arange(31) / 30
NODES = [
    {"name": "H\u00fcfte", "children": [1, 2], "translation": [0, 1, 0]},
    {"name": "\u8155\U0001f9be", "translation": [0.5, 0, 0], "rotation": [0, 0.6, 0, 0.8]},
    {"name": "leg", "translation": [0, -0.5, 0], "scale": [1, 2, 1]},
    {"name": "ball", "translation": [3, 0, 0]},
]


def read_glb(path):
    """Its JSON, and a function that gives an accessor's numbers, which are floats with their least and largest."""
    tree, buffers = parsed(path)

    def numbers(index):
        accessor, values = tree["accessors"][index], elements(tree, buffers, index)
        ends = np.float32([accessor["min"], accessor["max"]])
        assert values.dtype == np.float32 and (ends == [values.min(0), values.max(0)]).all()
        assert tree["bufferViews"][accessor["bufferView"]]["byteLength"] == values.nbytes
        return values.astype(float)

    return tree, numbers


def curve_of(times, values, mode):
    return {"times": np.array(times, float), "values": np.array(values, float), "cubic": mode == "CUBICSPLINE", "hold": mode == "STEP"}


def spline():
    tangents = 0.4 * walk(4, 1, seed=9, turn=0.3)
    return np.concatenate((tangents, walk(4, 1, seed=8, turn=0.3), tangents), axis=1).reshape(-1, 4)


class Decompress(Directory):
    def compressed(self, path, *options):
        """A bundle of a file with coarse bounds; the model of its skeleton and those of its clips."""
        bundle, parts = self.path("clips.qsb"), self.path("parts")
        bounds = [] if {"-r", "--object"} & set(options) else ["-r", "0.5", "-t", "0.01", "-s", "0.01"]
        self.good("compress", *bounds, *options, "-o", bundle, path)
        shutil.rmtree(parts, ignore_errors=True)
        self.good("extract", bundle, "-o", parts)
        files = {entry.stem: entry.read_bytes() for entry in pathlib.Path(parts).iterdir()}
        skeleton = skeleton_model.Skeleton(files.pop("skeleton"))
        names = [clip["name"] for clip in json.loads(self.good("info", "--json", bundle).stdout)[0]["clips"]]
        assert len(files) == len(names)
        return bundle, skeleton, {name: clip_model.Clip(files[name.replace("|", "_")]) for name in names}

    def clip_at(self, clip, skeleton, time, base=None):
        """What the clip gives, an additive one on the base {(joint, path): curve} or the rest pose: values of all joints."""
        pose = []
        for kind, (own, rest) in enumerate(zip(clip.sample(time), (skeleton.rotations, skeleton.translations, skeleton.scales))):
            state, own, under = clip.parts[kind].state if clip.flag(kind) else 0, own[0].astype(float), rest.astype(float)
            if clip.flag(17) or clip.flag(18):
                for (joint, path), curve in (base or {}).items():
                    if path == KINDS[kind]:
                        under[joint] = value_at(curve, time)
                own = product(under, own) if kind == 0 else under + own if kind == 1 else under * own
            pose.append(np.where(np.reshape(state, (-1, 1)) < (1 if clip.flag(17) or clip.flag(18) else 2), rest, own))
        return pose

    def same(self, was, now, what, degrees=2e-3, size=1.0, kinds=3):
        """0.0014 degrees is as near as a clip's own interpolation is to slerp."""
        self.assertLess(degrees_between(was[0], now[0]).max(), degrees, what)
        for kind in range(1, kinds):
            np.testing.assert_allclose(now[kind], was[kind], rtol=2e-6, atol=2e-6 * size, err_msg=str(what))

    def play(self, path, skeleton, unit):
        """{name of an animation: function of a time that gives its pose}; the file is checked on the way."""
        tree, numbers = read_glb(path)
        self.assertEqual([node["name"].encode() for node in tree["nodes"]], skeleton.joints)
        parents = {child: n for n, node in enumerate(tree["nodes"]) for child in node.get("children", [])}
        self.assertEqual([parents.get(n, -1) for n in range(len(tree["nodes"]))], skeleton.parents)
        self.assertEqual(sorted(j for skin in tree["skins"] for j in skin["joints"]), list(range(len(skeleton.joints))))
        self.assertEqual(tree["scenes"], [{"nodes": [n for n, parent in enumerate(skeleton.parents) if parent < 0]}])
        for node in tree["nodes"]:  # a line to each child
            if "mesh" in node:
                ends = numbers(tree["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"])
                np.testing.assert_array_equal(ends[1::2], np.float32([tree["nodes"][child]["translation"] for child in node["children"]]))
            self.assertEqual("mesh" in node, "children" in node)

        def pose(curves, time):
            at = [np.array([node[kind] for node in tree["nodes"]], float) for kind in KINDS]
            for (node, path), curve in curves.items():
                at[KINDS.index(path)][node] = value_at(curve, time)
            at[1] /= unit
            return at

        playing = {}
        for animation in tree["animations"]:
            curves = {}
            for channel in animation["channels"]:
                sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
                times = numbers(sampler["input"])[:, 0]
                self.assertTrue((np.diff(times) > 0).all() and times[0] >= 0)
                mode = sampler.get("interpolation", "LINEAR")
                curves[target["node"], target["path"]] = curve_of(times, numbers(sampler["output"]), mode)
                if target["path"] == "rotation" and mode == "LINEAR" and len(times) > 1:
                    q = numbers(sampler["output"])
                    self.assertTrue(((q[1:] * q[:-1]).sum(-1) >= 0).all())
                    self.assertLess(degrees_between(q[1:], q[:-1]).max(), 121)
            playing[animation["name"]] = lambda time, curves=curves: pose(curves, time)
            self.modes = {(tree["nodes"][n]["name"], path): (curve["cubic"], curve["hold"]) for (n, path), curve in curves.items()}
        return playing

    def check(self, path, *options, unit=1.0, most=1, base=None, **looseness):
        """Everything that is written, beside the clips."""
        bundle, skeleton, clips = self.compressed(path, *options)
        made, rows, arrays = self.path("made.glb"), self.path("made.bvh"), self.path("arrays")
        said = self.good("decompress", bundle, "-o", made)
        playing = self.play(made, skeleton, unit)
        self.assertEqual(playing.keys(), clips.keys())
        self.assertIn(": %d animation%s of " % (len(clips), "s" * (len(clips) > 1)), said.stdout)
        for name, clip in list(clips.items())[:most]:
            size = max(1e-3, np.abs(skeleton.translations).max())
            self.compare(clip, skeleton, playing[name], size, base, **looseness)
            self.good("decompress", bundle, name, "-o", arrays)
            found = {file.stem: np.load(file) for file in pathlib.Path(arrays).glob("*.npy")}
            additive = clip.flag(17) or clip.flag(18)  # arrays have the difference
            frames = [self.clip_at(clip, skeleton, time, base) for time in found["times"]]
            for kind, of in enumerate(KINDS):
                self.assertEqual(of + "s" in found, bool(clip.flag(kind)))
                if clip.flag(kind):
                    own = [clip.sample(time)[kind][0] for time in found["times"]] if additive else [frame[kind] for frame in frames]
                    np.testing.assert_allclose(found[of + "s"], own, rtol=1e-6, atol=1e-6 * size)
            with open(os.path.join(arrays, "joints.json"), encoding="utf-8") as file:
                self.assertEqual([(j["name"].encode(), j["parent"]) for j in json.load(file)], [*zip(skeleton.joints, skeleton.parents)])
            shutil.rmtree(arrays)
            self.good("decompress", bundle, name, "-o", rows)
            if clip.rate:
                own = len(frames) == clip.frames  # between them slerp is a bit different
                self.check_bvh(rows, skeleton, found["times"], frames, size, 2e-5 if own else 2e-3)
        return said.stderr, bundle, made

    def compare(self, clip, skeleton, play, size, base=None, **looseness):
        """At 200 times."""
        first = min(clip.start, 0)  # glTF has no times before 0
        for time in np.r_[clip.start, clip.start + np.random.default_rng(1).random(199) * clip.duration]:
            self.same(self.clip_at(clip, skeleton, time, base), play(time - first), time, size=size, **looseness)

    def check_bvh(self, path, skeleton, times, frames, size, degrees):
        row_times, joints = read_channels(path)
        np.testing.assert_allclose(row_times, times - times[0], rtol=1e-6, atol=1e-12)
        self.assertEqual([name for name, *_ in joints], [name.decode() for name in skeleton.joints])
        for j, (name, axes, turning, values) in enumerate(joints):
            was = [np.array([frame[kind][j] for frame in frames]) for kind in range(2)]
            now = compose(axes, turning, values), values[:, :3] if len(axes) > 3 else np.tile(skeleton.translations[j], (len(values), 1))
            self.same(was, now, (path, name), degrees=degrees, size=size, kinds=2)
            self.assertLess(np.abs(np.diff(values[:, -3:], axis=0)).max(initial=0), 360)

    def test_files(self):
        """Of others, played at 200 times; the .glb is a source of clips again, and within their bounds."""
        for name, unit in ("kaykit/Knight.glb", 1), ("khronos/Fox.glb", 1), ("cmu/002_03.bvh", 1), ("fbx/Snake.fbx", 0.01):
            with self.subTest(name):
                _, bundle, made = self.check(data(name), unit=unit, most=2)
                again = json.loads(self.good("compress", "--json", "-o", self.path("again.qsb"), made).stdout)
                *_, of = names = [animation["name"] for animation in read_glb(made)[0]["animations"]]
                self.assertEqual([animation["animation"] for animation in again["animations"]], names)
                if unit == 1:
                    self.assertIn("within", self.good("verify", bundle, of, "-a", made, "--animation", of).stdout)

    def test_a_fault_is_found(self):
        """The comparison above fails where two neighbouring keys of a joint change places."""
        bundle, skeleton, clips = self.compressed(self.hero())
        self.good("decompress", bundle, "-o", made := self.path("made.glb"))
        tree, numbers = read_glb(made)
        keys = numbers(tree["animations"][0]["samplers"][0]["output"]).astype("<f4")
        changed = keys[[*range(10), 11, 10, *range(12, len(keys))]]
        self.write("made.glb", pathlib.Path(made).read_bytes().replace(keys.tobytes(), changed.tobytes()))
        with self.assertRaises(AssertionError):
            self.compare(clips["walk"], skeleton, self.play(made, skeleton, 1)["walk"], 1)

    def hero(self, name="hero.glb", curves=None, nodes=NODES):
        moving = [(i, "rotation", TIMES, walk(31, 1, seed=i, turn=0.1)[:, 0], None) for i in range(3)]
        moving.append((0, "translation", TIMES, walk(31, 1, seed=5, turn=0.1)[:, 0, :3] + [0, 1, 0], None))
        return self.write(name, glb_of(*gltf_tree(nodes, {"walk": curves or moving})))

    def test_every_state(self):
        """Roots, names that are not ASCII, scales, curves at rest, loops, frames of their own times, a start before 0."""
        self.assertEqual(self.check(self.hero())[0], "")
        self.assertIn("scales are left out", self.good("decompress", self.path("clips.qsb"), "-o", self.path("made.bvh")).stderr)
        close = np.r_[walk(30, 1, turn=0.05)[:, 0], walk(1, 1, turn=0.05)[:, 0]]
        self.check(self.hero(curves=[(1, "rotation", TIMES, close, None)]), "--loop")
        uneven = (1, "rotation", np.sort(np.random.default_rng(2).random(31)), walk(31, 1, turn=0.1)[:, 0], None)
        self.check(self.hero(curves=[uneven, (2, "scale", [0, 1], [[1.0, 2, 1]] * 2, None)]))
        early = self.hero(curves=[(2, "rotation", TIMES - 3, walk(31, 1, turn=0.1)[:, 0], None)])
        self.assertIn('made.glb: "walk" began at -3 s, and begins at 0 now', self.check(early)[0])
        self.check(self.hero(curves=[(2, "rotation", [0.5], turns(1), None)]))

    def test_own_keys(self):
        """Steps and splines stay what they are."""
        times, places = [0, 0.31, 1.7, 2.2], np.random.default_rng(3).normal(size=(12, 3)).astype(np.float32)
        curves = [(0, "rotation", times, turns(4, 2), "STEP"), (1, "rotation", times, spline(), "CUBICSPLINE")]
        curves.append((2, "translation", times, places, "CUBICSPLINE"))
        expected = {(NODES[node]["name"], path): (mode == "CUBICSPLINE", mode == "STEP") for node, path, _, _, mode in curves}
        for additive in [], ["--additive", "first"]:
            self.check(self.hero(curves=curves), "-r", "0.01", "-t", "1e-4", *additive)
            self.assertEqual({key: self.modes[key] for key in expected}, expected)

    def test_frames_of_own_keys(self):
        """Keys that hold, and jumps, are in the frames, at the keys' own times although files round them."""
        for mode, times, degrees, last in (
            ("STEP", [0, 1, 2], [0, 90, 0], 121),
            ("STEP", np.arange(31) / 30, [0, 90, 0, *[90, 10] * 14], 61),
            (None, [0, 1, 1, 2], [0, 0, 90, 90], 121),
            (None, [0, 1, 2], [0, 90, 0], 3),
            (None, [0, 2], [90, 90], 2),
        ):
            with self.subTest(mode=mode, times=times):
                half = np.radians(degrees) / 2
                q = np.stack((0 * half, 0 * half, np.sin(half), np.cos(half)), -1)
                bundle, *_ = self.compressed(self.hero(curves=[(1, "rotation", times, q, mode)]), "-r", "0.01")
                self.good("decompress", bundle, "-o", self.path("made.bvh"))
                said = self.good("decompress", bundle, "-o", made := self.path("rows")).stderr
                self.assertEqual("few frames, and curves with keys of their own: these are 60 in a second" in said, last > 3)
                found, (_, joints) = np.load(os.path.join(made, "times.npy")), read_channels(self.path("made.bvh"))
                turned = compose(*joints[1][1:3], joints[1][3])
                self.assertEqual((len(found), len(turned)), (last, last))
                at = np.searchsorted(np.float32(times), np.float32(found), "right") - 1
                for frames in np.load(os.path.join(made, "rotations.npy"))[:, 1], turned:
                    self.assertLess(degrees_between(frames, q[at]).max(), 0.02)

    def test_film_keeps_its_frames(self):
        """At 23.976 a second a clip has enough of them, also with a curve that holds."""
        film = (0, "rotation", np.arange(48) / 23.976, walk(48, 1, turn=0.05)[:, 0], None)
        bundle, *_ = self.compressed(self.hero(curves=[film, (1, "rotation", [0, 1], turns(2), "STEP")]))
        for out in "made.bvh", "rows":
            self.assertNotIn("60 in a second", self.good("decompress", bundle, "-o", self.path(out)).stderr)
        self.assertEqual((len(np.load(self.path("rows", "times.npy"))), len(read_channels(self.path("made.bvh"))[0])), (48, 48))

    def test_keys_that_a_bvh_leaves_out(self):
        """Scales with keys of their own are no reason for 60 frames a second."""
        moves = (0, "rotation", np.arange(24) / 12, walk(24, 1, turn=0.05)[:, 0], None)
        bundle, *_ = self.compressed(self.hero(curves=[moves, (1, "scale", [0, 1], [[1.0, 1, 1], [2, 2, 2]], "STEP")]))
        for out, many in ("made.bvh", False), ("rows", True):
            self.assertEqual("60 in a second" in self.good("decompress", bundle, "-o", self.path(out)).stderr, many)

    def test_late_frames(self):
        """Arrays have the values of their times where floats are coarse: of a fast curve and, from its key on, of one that holds."""
        steps, late = [0, 7 / 60, 1], 1000
        fast = (0, "rotation", late + np.arange(37) / 12, walk(37, 1, turn=0.3)[:, 0], None)
        held = turns(3, 2)
        path = self.hero(curves=[fast, (1, "rotation", np.float32(late + np.array(steps)), held, "STEP")])
        bundle, _, clips = self.compressed(path, "-r", "0.001")
        self.good("decompress", bundle, "-o", made := self.path("rows"))
        times, found = (np.load(os.path.join(made, name)) for name in ("times.npy", "rotations.npy"))
        np.testing.assert_allclose(times, late + np.arange(181) / 60, rtol=1e-12)
        exact = np.array([clips["walk"].sample(time)[0][0][0] for time in times])
        self.assertLess(degrees_between(found[:, 0], exact).max(), 1e-4)
        at = np.searchsorted(np.round(60 * np.array(steps)), np.arange(181), "right") - 1
        self.assertLess(degrees_between(found[:, 1], held[at]).max(), 0.002)

    def test_turns(self):
        """By half turns, where an error within the bound can change which way is the short one; in a .bvh with a locked gimbal."""
        for degrees in [0, 180, 360, 540, 720], [0, -180, -360], [0, 179.98, 0, -179.97, 0.01], [10, 190, 10.001, 189.99], [0, 100, 200]:
            for tilt, rate in (0, []), (np.pi / 4, ["--rate", "2"]):
                half = np.radians(degrees) / 2
                q = product(np.stack((0 * half, 0 * half, np.sin(half), np.cos(half)), -1), [[np.sin(tilt), 0, 0, np.cos(tilt)]])
                self.check(self.hero(curves=[(0, "rotation", np.arange(len(q)) / 2, q, None)]), "-r", "1", *rate, degrees=1e-2)

    def test_additive(self):
        """On the rest pose; on a base that moves, holds, bends, is longer, or has other joints; by the record or --base."""
        differs = "is a difference to its first keys, which it does not have: it is put on the rest pose"
        self.assertIn(differs, self.check(self.hero(), "--additive", "first")[0])
        moves = (0, "rotation", np.arange(9) / 7, walk(9, 1, seed=20, turn=0.4)[:, 0], None)
        for curves in (
            [moves, (0, "translation", [-1, 0.3, 2], [[0, 0, 0], [1, 2, 3], [1.5, 0, 0]], None)],
            [(1, "rotation", [0, 0.35, 0.8], turns(3, 4), "STEP")],
            [(2, "rotation", [-0.1, 0.4, 0.9, 1.2], spline(), "CUBICSPLINE")],
            [(1, "rotation", [0], turns(1, 4), None), (0, "scale", [0, 1], [[1, 1, 1], [2, 1, 0.5]], None)],
        ):
            base = self.hero("base.glb", curves)
            under = {curve[:2]: curve_of(*curve[2:]) for curve in curves}
            said, bundle, made = self.check(self.hero(), "--additive", base, base=under)
            self.assertEqual(said, "")
            moved = shutil.move(base, self.path("moved.glb"))
            self.bad(1, "decompress", bundle, "-o", self.path("no.glb"), says="base.glb: cannot open")
            self.good("decompress", bundle, "--base", moved, "-o", self.path("again.glb"))
            self.assertEqual(pathlib.Path(made).read_bytes(), pathlib.Path(self.path("again.glb")).read_bytes())
            unknown = self.good("decompress", self.path("parts", "walk.qsc"), "-o", self.path("rest.glb"))
            self.assertIn("is a difference to an animation that it does not name; see --base: it is put on the rest pose", unknown.stderr)
            self.bad(1, "decompress", bundle, "walk", "--base", moved, "-o", self.path("x"), says="arrays have the clip as it is")
        bundle = self.compressed(self.hero())[0]
        self.bad(1, "decompress", bundle, "--base", moved, "-o", self.path("no.glb"), says="no clip is additive to another animation")

    def test_refused(self):
        two = glb_of(*gltf_tree(NODES, {name: [(0, "rotation", [0], turns(1), None)] for name in "ab"}))
        bundle, *_ = self.compressed(self.write("two.glb", two))
        for arguments, says in (
            ([bundle], "-o OUT is missing"),
            ([bundle, "-o", self.path("new.gltf")], "only .glb, .bvh and folders of .npy can be written"),
            ([bundle, "a", "b", "-o", self.path("new.glb")], "one argument too many"),
            ([bundle, "-o", self.path("new"), "--into", "x"], "--into"),
        ):
            self.bad(2, "decompress", *arguments, says=says)
        for out in "new.bvh", "new":
            self.bad(1, "decompress", bundle, "-o", self.path(out), says="has 2 clips; name one of them:")
        self.bad(1, "decompress", bundle, "c", "-o", self.path("new.glb"), says='has no clip "c"; there are:\n  a\n  b')
        self.bad(1, "decompress", bundle, "-o", "/proc/new.glb", says="/proc/new.glb: cannot write")
        self.bad(1, "decompress", bundle, "a", "-o", "", says="cannot make the directory")
        os.remove(self.path("parts", "skeleton.qsk"))
        for out in "new.glb", "new.bvh":
            self.bad(1, "decompress", self.path("parts", "a.qsc"), "-o", self.path(out), says="has no skeleton.qsk beside it")
        made = self.path("new", "folder", "new.glb")
        for _ in range(2):  # missing folders are made, and a former file is replaced
            self.good("decompress", bundle, "-o", made)
        late = self.hero(curves=[(0, "rotation", 20000 + np.arange(300) / 400, walk(300, 1, turn=0.01)[:, 0], None)])
        bundle, *_ = self.compressed(late, "--rate", "2000")
        self.good("decompress", bundle, "-o", self.path("late.glb"))
        (channel,) = read_scene(self.path("late.glb"))["animations"][0]["channels"]
        times = np.array(channel["rotation"]["times"])
        self.assertTrue((np.diff(times) > 0).all())  # glTF's times are floats, and these are 0.002 s apart

    def test_names_in_bvh(self):
        """Names without spaces and braces, and roots without an OFFSET."""
        nodes = [{"name": "a b{}", "children": [1], "translation": [1, 2, 3]}, {"name": "", "translation": [0, 1, 0]}, {"name": "c"}]
        curves = [(i, "rotation", TIMES, walk(31, 1, seed=i, turn=0.1)[:, 0], None) for i in range(3)]
        bundle, *_ = self.compressed(self.hero(curves=curves, nodes=nodes))
        self.good("decompress", bundle, "-o", made := self.path("made.bvh"))
        head = [line for line in pathlib.Path(made).read_text().split("MOTION")[0].splitlines() if line[0] in "RJO"]
        names = "ROOT a_b__", "OFFSET 0 0 0", "JOINT nodes[1]", "OFFSET 0 1 0", "OFFSET 0 0 0", "ROOT c", "OFFSET 0 0 0", "OFFSET 0 0 0"
        self.assertEqual(tuple(head), names)
        self.good("compress", "-o", self.path("again.qsb"), made)
