"""Tests of the command's skeletons: skeleton.qsk beside clips, --skeleton, --order, and info of them."""
import math
import os
import shutil

import numpy as np

from support.bvh import ROTATIONS, bvh_of
from support.command import data, model
from support.compressing import Case, listing
from support.fbx import fbx_text
from support.fbx_figures import plain
from support.gltf import append, elements, glb_of, gltf_tree, parsed, read_gltf_curves
from support.rotations import degrees_between, turns, walk
import clip as clip_model
import skeleton as skeleton_model

TIMES = np.arange(21) / 20
KEYS = walk(21, 40, seed=3, turn=0.1)  # rotations of 40 joints
# Name: parent, translation. Siblings are in this order.
RIG = {
    "top": (None, [0, 1, 0]),
    "hips": ("top", [0, 0.5, 0]),
    "tail": ("hips", [0, 0, -0.25]),
    "spine": ("hips", [0, 0.5, 0]),
    "arm.l": ("spine", [0.5, 0, 0]),
    "hand.l": ("arm.l", [0.5, 0, 0]),
    "arm.r": ("spine", [-0.5, 0, 0]),
    "head": ("spine", [0, 0.25, 0]),
    "leg": ("hips", [0, -1, 0]),
    "foot": ("leg", [0, -1, 0.125]),
    "mesh": ("top", [3, 0, 0]),
}
MOVED = "spine", "arm.l", "hand.l", "arm.r", "leg"
SKIN = "hips", "tail", "head", "foot"
JOINTS = list(RIG)[:-1]
# near the root first, of these those whose limbs reach far; then as depth first
IMPORTANT = ["top", "hips", "leg", "spine", "arm.l", "tail", "arm.r", "head", "foot", "hand.l"]


def key(name):
    return KEYS[:, list(RIG).index(name)] if name in RIG else KEYS[:, 30]


def bind(name, skin=0):
    """Three rows of four; of one skin others than of another."""
    return np.arange(12, dtype="<f4").reshape(3, 4) * (1 + len(name)) + 1000 * skin


def put_matrices(tree, content, names, skin=0):
    """Appends an accessor of these joints' matrices, 16 floats by columns. Its number, and the buffer."""
    return append(tree, content, np.array([np.vstack([bind(name, skin), [[0, 0, 0, 1]]]).T for name in names], "<f4"))


class Skeletons(Case):
    def rig(self, rig=None, moved=MOVED, skins=(SKIN,), seed=None, animations=("Walk",), rests={}, matrices=True):
        """The JSON and the buffer of a file with such a rig; with a seed its nodes are numbered at random."""
        rig = RIG if rig is None else rig
        names = list(rig)
        if seed is not None:
            np.random.default_rng(seed).shuffle(names)
        nodes = []
        for name in names:
            node = {"name": name, "translation": rig[name][1], **rests.get(name, {})}
            children = [names.index(child) for child in rig if rig[child][0] == name]
            nodes.append({**node, "children": children} if children else node)
        curves = [(names.index(name), "rotation", TIMES, key(name), None) for name in moved]
        tree, content = gltf_tree(nodes, {name: curves for name in animations})
        tree["scenes"] = [{"nodes": [names.index(name) for name in names if rig[name][0] is None]}]
        for i, skin in enumerate(skins):
            tree.setdefault("skins", []).append({"joints": [names.index(name) for name in skin]})
            if matrices:
                tree["skins"][i]["inverseBindMatrices"], content = put_matrices(tree, content, skin, i)
        return tree, content

    def save_rig(self, file, *arguments, **options):
        return self.write(file, glb_of(*self.rig(*arguments, **options)))

    def separate(self, name, *clip):
        """The bytes of a bundle's skeleton, or of a clip, by itself."""
        path = self.path("separate.qsc" if clip else "separate.qsk")
        self.good("extract", self.out(name + ".qsb"), *(clip or ["--skeleton"]), "-o", path)
        return self.content(path)

    def skeleton(self, name):
        return skeleton_model.Skeleton(self.separate(name))

    def names(self, skeleton):
        return [name.decode() for name in skeleton.joints]

    def rotations(self, clip, *options):
        """{name: rotations of all frames}, with the names of the bundle."""
        found = self.arrays(clip, *options)
        return {joint["name"]: q for joint, q in zip(found["joints.json"], np.moveaxis(found["rotations"], 1, 0), strict=True)}

    def check_rig(self, skeleton, order=JOINTS, rig=RIG, binds=SKIN):
        self.assertEqual(self.names(skeleton), order)
        parents = [rig[name][0] for name in order]
        self.assertEqual(skeleton.parents, [-1 if parent is None else order.index(parent) for parent in parents])
        np.testing.assert_array_equal(skeleton.translations, [rig[name][1] for name in order])
        self.assertEqual([name for name, has in zip(order, skeleton.has) if has], [name for name in order if name in binds])
        np.testing.assert_array_equal(skeleton.matrices.reshape(-1, 3, 4), [bind(name) for name in order if name in binds])


class Joints(Skeletons):
    def test_joints_of_skins_and_those_that_move(self):
        for seed in None, 1, 2, 3:
            self.save_rig("in/%s.glb" % seed, seed=seed)
        self.compress(self.path("in"))
        for seed in None, 1, 2, 3:
            skeleton = self.skeleton(str(seed))
            self.check_rig(skeleton)
            self.assertEqual((skeleton.metres, skeleton.tracks), (1, []))
            clip = clip_model.Clip(self.separate(str(seed), "Walk"))
            self.assertEqual((clip.joints, clip.skeleton), (len(JOINTS), skeleton.hash))
        self.assertEqual(len({self.separate(str(seed)) for seed in (None, 1, 2, 3)}), 1)
        self.good("verify", self.out())

    def test_rest_pose(self):
        q, half = turns(1)[0].tolist(), np.sqrt(0.5)
        rests = {"arm.l": {"rotation": q}, "head": {"scale": [2, 3, -4]}, "leg": {"rotation": [0, 6e-1, 0, 8e-1]}}
        tree, content = self.rig(rests=rests)
        node = next(node for node in tree["nodes"] if node["name"] == "foot")
        del node["translation"]  # a quarter turn about z, twice as large, at 1, 2, 3
        node["matrix"] = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]
        self.compress(self.write("rest.glb", glb_of(tree, content)))
        skeleton = self.skeleton("rest")
        at = self.names(skeleton).index
        np.testing.assert_allclose(skeleton.rotations[at("arm.l")], np.float32(q), atol=2e-7)
        np.testing.assert_array_equal(skeleton.rotations[at("leg")], np.float32([0, 0.6, 0, 0.8]))
        np.testing.assert_array_equal(skeleton.rotations[at("top")], [0, 0, 0, 1])
        np.testing.assert_allclose(skeleton.rotations[at("foot")], [0, 0, half, half], atol=1e-6)
        np.testing.assert_array_equal(skeleton.scales[[at("head"), at("foot"), at("top")]], [[2, 3, -4], [2, 2, 2], [1, 1, 1]])
        np.testing.assert_array_equal(skeleton.translations[at("foot")], [1, 2, 3])
        self.good("verify", self.out())

    def test_several_skins(self):
        """The first one that a joint is in has its matrix."""
        others = "inverse bind matrices than a skin before: these are left out\n"
        said = self.compress(self.save_rig("two.glb", skins=(SKIN, ("mesh", "foot", "head")))).stderr
        self.assertEqual(said, "quatsimd: %s: 1 skin has other %s" % (self.path("two.glb"), others))
        skeleton = self.skeleton("two")
        self.assertEqual(self.names(skeleton), list(RIG))
        found = dict(zip([name for name, has in zip(RIG, skeleton.has) if has], skeleton.matrices.reshape(-1, 3, 4)))
        self.assertEqual(found.keys(), {*SKIN, "mesh"})
        for name, matrix in found.items():
            np.testing.assert_array_equal(matrix, bind(name, name == "mesh"))
        self.assertIn(": 2 skins have other " + others, self.compress(self.save_rig("three.glb", skins=(SKIN, SKIN, SKIN))).stderr)
        self.compress(self.save_rig("one.glb", matrices=False))  # which glTF says are 1
        np.testing.assert_array_equal(self.skeleton("one").matrices.reshape(-1, 3, 4), [np.eye(4)[:3]] * len(SKIN))
        self.compress(self.save_rig("none.glb", skins=()))
        self.assertEqual(self.names(self.skeleton("none")), ["top", "hips", "spine", "arm.l", "hand.l", "arm.r", "leg"])
        self.assertEqual(self.skeleton("none").matrices.size, 0)

    def test_bvh(self):
        still = "still", (1, 0, 0), "", ("toe", (2, 0, 0), "Xrotation")
        text = bvh_of(["1 2 3 4", "5 6 7 8"], ("hip", 5, ROTATIONS, still, ("last", (3, 0, 0), "")))
        self.compress(self.write("walk.bvh", text))
        skeleton = self.skeleton("walk")
        self.assertEqual((self.names(skeleton), skeleton.parents, skeleton.metres), (["hip", "still", "toe", "last"], [-1, 0, 1, 0], 0))
        np.testing.assert_array_equal(skeleton.translations, [[0, 5, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])
        self.good("verify", self.out())

    def test_where_nothing_moves(self):
        """There is no clip, so there is no bundle, though a skin would be a skeleton."""
        for name, skins in ("hero.glb", (SKIN,)), ("box.glb", ()):
            result = self.compress(self.save_rig(name, moved=(), animations=(), skins=skins))
            self.assertIn("no node moves\n", result.stdout)
        self.assertFalse(os.path.exists(self.out()))

    def test_broken_skins(self):
        def changed(change):
            tree, content = self.rig()
            change(tree, tree["skins"][0], tree["accessors"][tree["skins"][0]["inverseBindMatrices"]])
            return glb_of(tree, content)

        tree, content = self.rig()
        nan = content[:-16] + np.float32([np.nan]).tobytes() + content[-12:]
        for name, file, says in (
            ("joint", changed(lambda t, s, a: s["joints"].__setitem__(2, 99)), "skin 0: its joint 2 is not in the file"),
            ("half", changed(lambda t, s, a: s["joints"].__setitem__(1, 0.5)), "skin 0: its joint 1 is not in the file"),
            ("none", changed(lambda t, s, a: s.pop("joints")), "skin 0: it has no joints"),
            ("few", changed(lambda t, s, a: a.update(count=3)), "skin 0: it has 3 matrices for more joints"),
            ("many", changed(lambda t, s, a: a.update(count=5)), "skin 0: accessor 10: goes beyond the 256 bytes of its bufferView"),
            ("type", changed(lambda t, s, a: a.update(type="VEC4")), "skin 0: accessor 10: is not MAT4"),
            ("lost", changed(lambda t, s, a: s.update(inverseBindMatrices=77)), "skin 0: its matrices are in no accessor"),
            ("nan", glb_of(tree, nan), 'joint "foot": '),
            ("turn", glb_of(*self.rig(rests={"tail": {"rotation": [0, 0, 0, 0]}})), 'joint "tail": '),
        ):
            with self.subTest(name):
                path = self.write(name + ".glb", file)
                result = self.compress(path, status=1)
                self.assertIn("quatsimd: %s: %s" % (path, says), result.stderr)
                self.assertFalse(os.path.exists(self.out()))


def movers(path):
    """The names of joints that move vertices. All skins of the file have the same joints."""
    tree, buffers = parsed(path)
    parts = [primitive["attributes"] for mesh in tree["meshes"] for primitive in mesh["primitives"]]
    numbers = {n for p in parts for n in elements(tree, buffers, p["JOINTS_0"])[elements(tree, buffers, p["WEIGHTS_0"]) > 0]}
    return {tree["nodes"][tree["skins"][0]["joints"][n]]["name"].encode() for n in numbers}


def by_importance(skeleton, needed):
    """The numbers of the joints of one that is depth first: those first that are needed, or have such joints below; of these those below
    which limbs reach far, of equals those near the root."""
    count = len(skeleton.joints)
    needed = [name in needed for name in skeleton.joints]
    length = lambda v: math.sqrt(float(v[0]) ** 2 + float(v[1]) ** 2 + float(v[2]) ** 2)
    depth, scale, reach = [0] * count, [0.0] * count, [0.0] * count
    for j, parent in enumerate(skeleton.parents):
        depth[j] = depth[parent] + 1 if parent >= 0 else 0
        scale[j] = float(np.abs(skeleton.scales[j]).max()) * (scale[parent] if parent >= 0 else 1)
    for j in reversed(range(count)):
        if (parent := skeleton.parents[j]) >= 0:
            reach[parent] = max(reach[parent], scale[parent] * length(skeleton.translations[j]) + reach[j])
            needed[parent] |= needed[j]
    return sorted(range(count), key=lambda j: (not needed[j], -reach[j], depth[j], j))


class Order(Skeletons):
    def test_importance(self):
        path, bundle = self.save_rig("a.glb", seed=5), self.out("a.qsb")
        self.compress(path)
        plain = self.rotations(bundle)
        self.assertIn("a.qsb: is replaced: it was made by other options", self.compress("--order", "importance", path).stderr)
        self.check_rig(self.skeleton("a"), IMPORTANT)
        self.good("verify", bundle)
        found = self.rotations(bundle)
        self.assertEqual(list(found), IMPORTANT)
        for name in plain:  # the clip is not the same but as near
            self.assertLess(degrees_between(found[name], plain[name]).max(), 0.4)
        self.good("decompress", bundle, "-o", self.path("back.glb"))
        ((_, before),), ((_, after),) = read_gltf_curves(path), read_gltf_curves(self.path("back.glb"))
        for curve in before:
            self.assertLess(degrees_between(after[curve][1], before[curve][1]).max(), 0.4)
        alone = self.write("alone.qsc", self.separate("a", "Walk"))  # the order is known by the clip's hash
        self.good("verify", alone, "-a", path)
        self.compress("--order", "importance", "--report", self.path("page.html"), path)

    def test_importance_of_any(self):
        """Parents first, and the same joints as without it."""
        for path in data("khronos/Fox.glb"), data("raylib/robot.glb"):
            name = os.path.basename(path)[:-4]
            self.compress(path)
            depth = self.skeleton(name)
            self.compress("--order", "importance", path)
            found = self.skeleton(name)
            self.assertNotEqual(depth.joints, found.joints)
            self.assertTrue(all(parent < j for j, parent in enumerate(found.parents)))
            edges = lambda s: sorted(
                (n, s.joints[p] if p >= 0 else None, t.tolist()) for n, p, t in zip(s.joints, s.parents, s.translations)
            )
            self.assertEqual(repr(edges(depth)), repr(edges(found)))
            self.assertEqual(found.joints, [depth.joints[j] for j in by_importance(depth, movers(path))])
            self.good("verify", self.out())

    def test_extent(self):
        """Of all children the one that reaches farthest counts, along its bones, with their scales."""
        rig = {"top": (None, [0, 0, 0])}
        rests = {"big": {"scale": [1, -3, 1]}}
        for name, bones in ("none", []), ("long", [2]), ("two", [1.25, 1.25]), ("big", [1]), ("back", [1.5, -1.5]):
            rig[name] = "top", [0, 1, 0]
            below = name
            for i, length in enumerate(bones):
                rig["%s %d" % (name, i)] = below, [length, 0, 0]
                below = "%s %d" % (name, i)
            rig[name + " end"] = name, [0.125, 0, 0]  # a child that reaches less far, behind the other
        path = self.save_rig("a.glb", rig, moved=[name for name in rig if name.endswith("end")], skins=(tuple(rig),), rests=rests)
        self.compress("--order", "importance", path)
        self.assertEqual(self.names(self.skeleton("a"))[:6], ["top", "big", "back", "two", "long", "back 0"])


class Given(Skeletons):
    """--skeleton FILE."""

    def test_one_rig_in_many_files(self):
        hero = self.save_rig("hero.glb", animations=("Idle",))
        some = {name: RIG[name] for name in RIG if name not in ("tail", "foot", "hand.l", "mesh")}
        below = {"root": (None, [0, 0, 0]), **some, "top": ("root", [0, 1, 0]), "hat": ("head", [0, 1, 0])}
        self.save_rig("in/whole.glb", seed=7)
        self.save_rig("in/some.glb", some, moved=("spine", "arm.r", "head"), skins=(), seed=8)
        self.save_rig("in/below.glb", below, moved=("arm.l", "leg"), skins=(("head", "hat"),), seed=9)
        self.compress("--skeleton", hero, self.path("in"))
        self.compress(hero)
        expected = self.separate("hero")
        for name, moved in ("whole", MOVED), ("some", ("spine", "arm.r", "head")), ("below", ("arm.l", "leg")):
            self.assertEqual(self.separate(name), expected)
            found = self.rotations(self.out(name + ".qsb"))
            self.assertEqual(list(found), JOINTS)
            self.assertEqual(clip_model.Clip(self.separate(name, "Walk")).skeleton, self.skeleton("hero").hash)
            for joint, q in found.items():
                self.assertLess(degrees_between(q, key(joint) if joint in moved else np.float32([[0, 0, 0, 1]] * len(q))).max(), 0.4, joint)
        self.good("verify", self.out())
        self.assertEqual(self.compress("--skeleton", hero, self.path("in")).stdout.count(": up to date"), 3)
        self.compress("--skeleton", hero, "--report", self.path("page.html"), self.path("in"))
        measured = self.json("compress", "--time", "0", "--skeleton", hero, self.path("in"))
        self.assertEqual([entry["joints"] for entry in measured["animations"]], [len(JOINTS)] * 3)
        # one bundle of all has that skeleton, too; without --skeleton it has that of the first file
        many, first = self.path("many.qsb"), self.path("first.qsb")
        self.good("compress", "-o", many, "--skeleton", hero, self.path("in"))
        self.good("compress", "-o", first, hero, self.path("in"))
        self.good("verify", many)
        self.good("verify", first)
        for bundle in many, first:
            (tree,) = self.json("info", bundle)
            self.assertEqual([joint["name"] for joint in tree["skeleton"]["skeleton"]], JOINTS)
            self.assertEqual(
                [clip["name"] for clip in tree["clips"]],
                ["below", "hero", "some", "whole"] if bundle == first else ["below", "some", "whole"],
            )

    def test_kinds_of_files(self):
        """A .qsk, with its own order, a .bvh and an .fbx."""
        path, other = self.save_rig("a.glb"), self.save_rig("b.glb", seed=3)
        self.compress("--order", "importance", path)
        given = self.write("given.dat", self.separate("a"))  # the content decides
        self.compress("--skeleton", given, other)
        self.check_rig(self.skeleton("b"), IMPORTANT)
        self.good("verify", self.out())
        self.compress("--skeleton", path, "--order", "importance", other)
        self.check_rig(self.skeleton("b"), IMPORTANT)
        bvh = model("BVH/01_01.bvh")
        self.compress("--rate", 5, "--skeleton", bvh, model("BVH/01_03.bvh"))
        self.compress("--rate", 5, bvh)
        self.assertEqual(self.separate("01_03"), self.separate("01_01"))
        fbx = model("FBX/huesitos.fbx")
        name = os.path.basename(fbx)[:-4]
        self.compress(fbx)
        before, bundle = self.separate(name), self.out(name + ".qsb")
        clips = self.json("info", bundle)[0]["clips"]
        self.compress("--skeleton", fbx, fbx)
        self.assertEqual((self.separate(name), self.json("info", bundle)[0]["clips"]), (before, clips))
        self.good("verify", self.out())

    def test_names_that_are_not_utf8(self):
        """Each byte makes another name."""
        rows = ["0 0 0 0 0 0 10 20 30", "0 0 0 0 0 0 11 21 31"]
        text = bvh_of(rows, ("root", 0, "Xposition Yposition Zposition " + ROTATIONS, ("kn@e", 1, ROTATIONS)))
        hero, walk = (self.write(name, text.replace(b"@", b"\xe4")) for name in ("hero.bvh", "walk.bvh"))
        self.assertEqual(self.compress("--skeleton", hero, walk).stderr, "")
        self.assertEqual(self.names(self.skeleton("walk"))[:2], ["root", "kn\\xE4e"])
        other = self.write("other.bvh", text.replace(b"@", b"\xeb"))
        self.assertIn("1 joint moves and has no match in", self.compress("--skeleton", hero, other, status=1).stderr)

    def prefixed(self, file, prefix, **options):
        rig = {prefix + name: (parent and prefix + parent, at) for name, (parent, at) in RIG.items()}
        return self.save_rig(file, rig, moved=[prefix + name for name in MOVED], skins=([prefix + name for name in SKIN],), **options)

    def test_prefixes(self):
        """They are passed over if rig and animation have another one each, or one of them none."""
        for own, others, how in (
            ("mixamorig1:", "mixamorig:", 'without "mixamorig1:", and those of %s without "mixamorig:"'),
            ("", "mixamorig:", 'those of %s if these are without "mixamorig:"'),
            ("a:mixamorig:", "", 'those of %s without "a:mixamorig:"'),
        ):
            with self.subTest(own=own, others=others):
                hero, walk = self.prefixed("hero.glb", others), self.prefixed("walk.glb", own, seed=4)
                says = "quatsimd: %s: names match %s\n" % (walk, how % hero)
                self.assertEqual(self.compress("--skeleton", hero, walk).stderr, says)
                self.good("verify", self.out())
                shutil.rmtree(self.out())
        walk = self.prefixed("walk.glb", "a:", seed=4)
        self.assertEqual(self.compress("--skeleton", self.prefixed("hero.glb", "a:"), walk).stderr, "")
        two = {"a:top": (None, [0, 0, 0]), "b:arm": ("a:top", [0, 1, 0])}
        path = self.save_rig("two.glb", two, moved=["b:arm"], skins=())
        self.assertIn("1 joint moves and has no match in", self.compress("--skeleton", walk, path, status=1).stderr)

    def test_equal_names_match_by_their_parents(self):
        """The right hand's motion stays on the right."""

        def bvh(name, *sides):
            joints = [(side, (x, 0, 0), "", ("hand", (1, 0, 0), axis + "rotation")) for side, x, axis in sides]
            return self.write(name, bvh_of(["10 10", "40 40"], ("hip", 0, "", *joints)))

        left, right = ("left", 1, "X"), ("right", -1, "Y")
        self.compress("--skeleton", bvh("rig.bvh", left, right), bvh("walk.bvh", right, left))
        found = self.arrays(self.out("walk.qsb"))
        self.assertEqual([joint["name"] for joint in found["joints.json"]], ["hip", "left", "hand", "right", "hand"])
        turned = np.abs(found["rotations"][-1])
        np.testing.assert_allclose(turned[[2, 4]].argmax(axis=1), [3, 3])
        np.testing.assert_allclose(turned[[2, 4], [0, 1]], np.sin(np.radians(20)), atol=1e-3)

    def test_joints_without_a_partner(self):
        hero = self.save_rig("hero.glb")
        more = {**RIG, "hat": ("head", [0, 1, 0]), "sword": ("hand.l", [1, 0, 0]), "still": ("top", [0, 0, 1])}
        self.save_rig("in/armed.glb", more, moved=(*MOVED, "hat", "sword"), skins=((*SKIN, "still"),), animations=("Walk", "Run"))
        self.save_rig("in/plain.glb", seed=2)
        long = {**RIG, **{"a joint that has no partner %d" % i: ("head", [0, 1, 0]) for i in range(200)}}
        path = self.save_rig("long.glb", long, moved=[*MOVED, *[name for name in long if name not in RIG]])
        lines = self.compress("--skeleton", hero, path, status=1).stderr.splitlines()
        self.assertEqual(([lines[0].count('"a joint that has no partner %d"' % i) for i in range(200)], len(lines)), ([1] * 200, 1))
        result = self.compress("--skeleton", hero, self.path("in"), status=1)
        says = 'quatsimd: %s: 2 joints move and have no match in %s (--ignore-unmatched leaves them out): "sword", "hat"\n'
        says %= self.path("in", "armed.glb"), hero
        self.assertEqual(result.stderr, says + "quatsimd: 1 failed:\n" + says)
        self.assertEqual(os.listdir(self.out()), ["plain.qsb"])
        result = self.compress("--skeleton", hero, "--ignore-unmatched", self.path("in"))
        self.assertIn('2 joints move and have no match in %s, so their curves are left out: "sword", "hat"' % hero, result.stderr)
        self.assertIn("4 curves left out, of joints without a match in " + hero, result.stdout)
        tree, content = self.rig(more, moved=("sword", "hat"))
        says = "sword.glb: animation 0, Walk, moves no joint of the skeleton and is left out\n"
        sword = self.write("sword.glb", glb_of(tree, content))
        self.assertIn(says, self.compress("--skeleton", hero, "--ignore-unmatched", sword).stderr)
        armed = self.out("armed.qsb")
        (made,) = self.json("info", armed)[0]["making"]["files"]
        self.assertEqual(made["clips"][0]["keys"][0], len(MOVED) * len(TIMES))
        self.assertEqual(self.good("verify", self.out()).stderr, "")
        found = self.rotations([armed, "Run"])
        for name in MOVED:
            self.assertLess(degrees_between(found[name], key(name)).max(), 0.4)

    def test_equal_names(self):
        """The first one counts."""
        rig = {"top": (None, [0, 0, 0]), "arm": ("top", [1, 0, 0])}
        hero = self.save_rig("hero.glb", rig, moved=("arm",), skins=(("top", "arm"),))
        tree, content = self.rig({**rig, "leg": ("top", [2, 0, 0])}, moved=("arm", "leg"), skins=())
        tree["nodes"][2]["name"] = "arm"
        path = self.write("arms.glb", glb_of(tree, content))
        result = self.compress("--skeleton", hero, path, status=1)
        self.assertIn(
            '1 joint moves and has no match in %s (--ignore-unmatched leaves them out): "arm" (another one of this name)' % hero,
            result.stderr,
        )
        self.compress("--skeleton", hero, "--ignore-unmatched", path)
        found = self.rotations(self.out("arms.qsb"))
        self.assertLess(degrees_between(found["arm"], key("arm")).max(), 0.4)
        self.good("verify", self.out())
        self.compress(path)  # its own joints: both, and no names are needed
        self.assertEqual(self.names(self.skeleton("arms")), ["top", "arm", "arm"])
        self.good("verify", self.out())

    def test_names_of_other_nodes(self):
        """A mesh may have the name of a joint, and come before it."""
        hero = self.save_rig("hero.glb")
        tree, content = self.rig({"top": RIG["top"], "mesh": RIG["mesh"], **RIG})
        tree["nodes"][1]["name"] = "spine"
        self.compress("--skeleton", hero, self.write("mesh.glb", glb_of(tree, content)))
        self.assertLess(degrees_between(self.rotations(self.out("mesh.qsb"))["spine"], key("spine")).max(), 0.4)
        self.good("verify", self.out())

    def test_skeletons_that_differ(self):
        hero = self.save_rig("hero.glb")
        below = 'joint "%s" is below %s, but in %s it is below "%s"'
        for name, changes, above, there in (
            ("foot", {"foot": ("hips", [0, -2, 0])}, '"hips"', "leg"),
            ("spine", {"new": ("hips", [0, 0, 0]), "spine": ("new", [0, 1, 0])}, '"new"', "hips"),
            ("leg", {"leg": (None, [0, 0, 0])}, "no joint", "hips"),
            ("tail", {"hips": None, **{n: ("top", [0, 0, 0]) for n in ("tail", "spine", "leg")}}, '"top"', "hips"),
        ):
            with self.subTest(name):
                rig = {n: changes.get(n, RIG.get(n)) for n in [*RIG, *[n for n in changes if n not in RIG]]}
                rig = {n: value for n, value in rig.items() if value}
                path = self.save_rig(name + ".glb", rig, skins=([n for n in SKIN if n in rig],))
                result = self.compress("--skeleton", hero, "--ignore-unmatched", path, status=1)
                self.assertEqual(result.stderr, "quatsimd: %s: %s\n" % (path, below % (name, above, hero, there)))
                self.assertFalse(os.path.exists(self.out()))
        other = {"a": (None, [0, 0, 0]), "b": ("a", [0, 0, 0])}
        path = self.save_rig("other.glb", other, moved=("b",), skins=())
        result = self.compress("--skeleton", hero, "--ignore-unmatched", path, status=1)
        self.assertEqual((result.stderr, listing(self.out())), ("quatsimd: %s: has no joint in common with %s\n" % (path, hero), {}))

    def test_units_differ(self):
        path = model("FBX/huesitos.fbx")
        self.compress(path)
        content = bytearray(self.separate("huesitos"))
        for metres, status in (1.0, 1), (0.0, 0):
            content[20:28] = np.float64(metres).tobytes()
            content[4:8] = skeleton_model.xxhash.xxh32(bytes(content[8:]), seed=0).intdigest().to_bytes(4, "little")
            given = self.write("given.qsk", content)
            result = self.compress("--skeleton", given, path, status=status)
            if status:
                self.assertIn("its unit of lengths is 0.01 m, and that of %s is 1 m" % given, result.stderr)

    def test_lengths_differ(self):
        """Positions are not fitted to the rig's bones."""
        self.save_rig("rig.glb")
        for scale, says in (1, False), (2, False), (100, True), (0.01, True):
            other = {name: (parent, (scale * np.array(at)).tolist()) for name, (parent, at) in RIG.items()}
            path = self.save_rig("other.glb", other)
            told = self.good("compress", "--time", "0", "--skeleton", self.path("rig.glb"), path).stderr
            self.assertEqual("its bones are %g times as long as those of" % scale in told, says, told)

    def test_axes_differ(self):
        """A file whose y is up with a rig whose z is, and the other way round: nothing is turned, and that is said."""
        ups = [self.write("%s.fbx" % name, fbx_text(plain(), up=up)) for name, up in (("y", 1), ("z", 2))]
        for rig in ups:
            for path in ups:
                says = "quatsimd: %s: y is %s in it, and %s in %s: values are not turned, so the motion may lie on its side"
                says %= (path, *(("up", "not up") if path == ups[0] else ("not up", "up")), rig)
                self.assertEqual(says in self.compress("--skeleton", rig, path).stderr, rig != path)
        self.assertEqual(self.compress("--skeleton", self.write("z.qsk", self.separate("z")), ups[0]).stderr.count("up in"), 0)

    def test_rigs_without_motion(self):
        """All nodes are joints where there is no skin either."""
        moves = self.write("moves.fbx", fbx_text(plain()))
        still = [{key: value for key, value in node.items() if key != "curves"} for node in plain()]
        rig = self.write("rig.fbx", fbx_text(still, takes=[("walk", 0, 0)]))
        self.compress("--skeleton", rig, moves)
        self.assertEqual(self.names(self.skeleton("moves")), [node["name"] for node in still])
        self.good("verify", self.out("moves.qsb"))

    def test_bad_skeletons(self):
        path = self.save_rig("a.glb")
        self.compress(path)
        good, clip = self.separate("a"), self.write("clip.qsc", self.separate("a", "Walk"))
        shutil.rmtree(self.out())
        empty = self.write("empty.gltf", b'{"asset": {"version": "2.0"}}')
        points = self.save("points.npy", turns(5))
        for given, says in (
            (points, "is an array, and has no animations"),
            (self.path("missing.qsk"), "cannot open: No such file"),
            (self.path("missing.glb"), "cannot open: No such file"),
            (self.directory, "is a directory"),
            (empty, "has no nodes, which joints could be"),
        ):
            self.bad(1, "compress", "-o", self.out(), "--skeleton", given, path, says=["quatsimd: %s: " % given, says])
        self.bad(1, "compress", "-o", self.out(), "--skeleton", clip, path, says="is a clip already")
        given = self.write("good.qsk", good)
        self.bad(1, "compress", given, says="is a skeleton, and has no animations")
        self.bad(1, "compress", "-o", self.out(), "--skeleton", given, "--order", "importance", path, says="so --order does not go with it")
        for arguments, says in (
            (["--ignore-unmatched"], "--ignore-unmatched needs --skeleton"),
            (["--order", "name"], '--order: "name" is not depth or importance'),
            (["--order", "depth", "--order", "depth"], "--order"),
        ):
            self.bad(2, "compress", "-o", self.out(), *arguments, path, says=says)
        self.bad(1, "compress", "-o", self.out(), "--skeleton", given, "--report", given, path, says=given)


class Beside(Skeletons):
    """What is beside clips."""

    def test_up_to_date(self):
        path, hero = self.save_rig("a.glb"), self.save_rig("hero.glb")
        self.compress(path)
        again = self.out("a.qsb") + ": up to date\n"
        for options in (["--order", "importance"], [], ["--skeleton", hero], ["--skeleton", hero, "--ignore-unmatched"]):
            self.assertNotIn(again, self.compress(*options, path).stdout)
            self.assertIn(again, self.compress(*options, path).stdout)
        self.save_rig("hero.glb", rests={"head": {"scale": [2, 2, 2]}})
        self.assertNotIn(again, self.compress("--skeleton", hero, "--ignore-unmatched", path).stdout)
        self.assertEqual(self.skeleton("a").scales[JOINTS.index("head")].tolist(), [2, 2, 2])

    def test_skeletons_of_others(self):
        """Clips with another file's skeleton beside them, a broken one, or none."""
        path, other = self.save_rig("a.glb"), self.save_rig("b.glb", {n: RIG[n] for n in list(RIG)[:6]}, moved=("spine",), skins=())
        renamed = self.write("renamed.glb", self.content(path).replace(b'"arm.l"', b'"arm.x"'))
        self.compress(path, other, renamed)
        self.good("extract", self.out("a.qsb"), "-o", self.out())
        clip, beside = self.out("Walk.qsc"), self.out("skeleton.qsk")
        calls = (
            ["verify", clip, "-a", path],
            ["decompress", clip, "-o", self.path("new.glb")],
            ["decompress", clip, "-o", self.path("new")],
        )
        for name in "b", "renamed":  # of other joints; of as many, with other names
            self.write(beside, self.separate(name))
            for call in calls:
                self.bad(1, *call, says="%s: is not the skeleton of %s: it has other joints or tracks" % (beside, clip))
            self.assertIn("frames", self.bad(1, "info", clip, says="is not the skeleton of").stdout)
        self.write(beside, self.separate("a")[:-1])
        for call in calls:
            self.bad(1, *call, says=beside + ": the skeleton is cut off")
        os.remove(beside)
        self.good("verify", clip, "-a", path)
        says = "%s: is a clip of another file than %s: joints or tracks have other names or parents" % (clip, renamed)
        self.bad(1, "verify", clip, "-a", renamed, says=says)
        self.assertIsNone(self.json("info", clip)[0]["joint_names"])

    def test_at_rest(self):
        """What stands at rest is not in the clip, and comes back from the skeleton."""
        q = turns(1)[0]
        path = self.save_rig("a.glb", rests={"head": {"rotation": q.tolist()}})
        self.compress(path)
        bundle = self.out("a.qsb")
        found = self.rotations(bundle)
        np.testing.assert_allclose(found["head"], np.tile(np.float32(q), (len(TIMES), 1)), atol=2e-7)
        self.good("verify", "--object", "0.1mm@3cm", bundle)
        tree, content = self.rig(moved=("head",))
        still = np.tile(np.float32([0, 0, 0, 1]), (2, 1))  # keys that are the rest pose
        curves = [
            (tree["animations"][0]["channels"][0]["target"]["node"], "rotation", [0, 1], still, None),
            (1, "rotation", [0, 1], turns(2), None),
        ]
        moving, content = gltf_tree(tree["nodes"], {"Walk": curves})
        self.compress(self.write("b.glb", glb_of(moving, content)))
        alone = self.write("alone.qsc", self.separate("b", "Walk"))
        self.bad(1, "decompress", alone, "-o", self.path("arrays"), says=alone + ": has no skeleton.qsk beside it")
        self.assertEqual(self.good("decompress", self.out("b.qsb"), "-o", self.path("arrays")).stderr, "")

    def test_info(self):
        rests = {"head": {"rotation": [0, 0.6, 0, -0.8], "scale": [1, 2, 1]}}
        self.compress(self.save_rig("a.glb", rests=rests))
        self.good("extract", self.out("a.qsb"), "-o", self.path("a"))
        path, clip = self.path("a", "skeleton.qsk"), self.path("a", "Walk.qsc")
        skeleton = self.skeleton("a")
        text = self.good("info", path).stdout
        head = "%s: %s bytes, format version 1, hash %016x" % (path, "{:,}".format(os.path.getsize(path)), skeleton.hash)
        self.assertTrue(text.startswith(head + "\n10 joints, translations in units of 1 m\n"), text)
        (rows,) = self.tables(text)
        self.assertEqual([name.strip() for _, name in rows], JOINTS)
        self.assertEqual((" ".join(rows[7][0]), rows[7][1]), ("7 0, 0.25, 0 73.74 about 0, -1, 0 1, 2, 1 yes", "      head"))
        self.assertEqual((" ".join(rows[8][0]), rows[8][1]), ("8 0, -1, 0 0 1 no", "    leg"))
        (entry,) = self.json("info", path)
        self.assertEqual((entry["file"], entry["hash"], entry["metres"], entry["joints"]), (path, "%016x" % skeleton.hash, 1, 10))
        self.assertEqual([joint["name"] for joint in entry["skeleton"]], JOINTS)
        self.assertEqual([joint["parent"] for joint in entry["skeleton"]], skeleton.parents)
        for kind in "rotation", "translation", "scale":
            np.testing.assert_array_equal(np.float32([joint[kind] for joint in entry["skeleton"]]), getattr(skeleton, kind + "s"))
        binds = [joint["inverse_bind"] for joint in entry["skeleton"]]
        self.assertEqual([bool(matrix) for matrix in binds], skeleton.has)
        np.testing.assert_array_equal(np.float32([matrix for matrix in binds if matrix]), skeleton.matrices)
        both = self.good("info", self.path("a")).stdout
        self.assertIn(text, both)
        rows = self.tables(self.good("info", clip).stdout)[-1]
        self.assertEqual([name for _, name in rows], JOINTS)
        self.assertEqual([rows[7][0], rows[8][0]], [["7", "absent", "absent", "absent"], ["8", "moving", "absent", "absent"]])
        entries = self.json("info", self.path("a"))
        self.assertEqual([entry["file"] for entry in entries], [clip, path])
        self.assertEqual(entries[0]["joint_names"], JOINTS)
        deep = {"n%d" % i: ("n%d" % (i - 1) if i else None, [0, 0, 0]) for i in range(100)}  # wider than any screen
        self.compress(self.save_rig("deep.glb", deep, moved=("n99",), skins=()))
        self.assertLess(max(map(len, self.good("info", self.out("deep.qsb")).stdout.splitlines())), 200)
