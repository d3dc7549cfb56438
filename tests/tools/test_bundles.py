"""Tests of bundles: their clips, names, info and faults, examples/player.c, examples/blend.c and examples/crowd.c.

QUATSIMD_PLAYER, QUATSIMD_BLEND and QUATSIMD_CROWD name the programs of these examples; without them, they are left out.
"""
import json
import os
import re
import struct
import subprocess
import xml.etree.ElementTree

import numpy as np

from support.command import TOOL, data, run
from support.compressing import Case, animation, listing
from support.gltf import glb_of, gltf_tree, parsed
from support.gltf_pose import File

import bundle as bundle_model

PLAYER, BLEND, CROWD = (os.environ.get(name, "") for name in ("QUATSIMD_PLAYER", "QUATSIMD_BLEND", "QUATSIMD_CROWD"))


def several(names, joints=3, keys=20):
    """A .glb of animations of these names."""
    nodes, _ = animation(joints, keys)
    tree, content = gltf_tree(nodes, {"animation %d" % i: animation(joints, keys, seed=i + 1)[1] for i in range(len(names))})
    for item, name in zip(tree["animations"], names):
        item["name"] = name
        if name is None:
            del item["name"]
    return glb_of(tree, content)


class Bundles(Case):
    def bundle(self, name):
        return bundle_model.Bundle(self.read(name))

    def names(self, name):
        return [record.name.decode() for record in self.bundle(name).clips]

    def says(self, program, *arguments, wrong=None):
        """What an example says, or that it fails with these words."""
        result = run(*arguments, tool=program)
        self.assertEqual(result.returncode, 1 if wrong else 0, result.stderr)
        self.assertIn(wrong or "", result.stderr)
        return result.stdout

    def hero(self):
        """The path of a bundle of two clips."""
        self.compress("--loop", "auto", self.put("hero.glb", several(["Walk", "Run"])))
        return self.out("hero.qsb")

    def test_an_independent_reader(self):
        """It finds the clips and the skeleton that `extract` writes, and these make a bundle of the same clips."""
        self.put("in/a/hero.v2.glb", several(["Walk", "Run", "\u00c4pfel"]))
        self.compress(self.path("in"))
        self.assertEqual(list(listing(self.out())), ["a/hero.v2.qsb"])
        bundle, apart = self.bundle("a/hero.v2.qsb"), self.path("apart")
        self.assertEqual([record.name.decode() for record in bundle.clips], ["Run", "Walk", "\u00c4pfel"])
        files = [name + ".qsc" for name in ("Run", "Walk", "\u00c4pfel")]
        said = self.good("extract", self.out("a/hero.v2.qsb"), "-o", apart).stdout
        self.assertEqual(sorted(os.listdir(apart)), sorted([*files, "skeleton.qsk"]))
        for name in os.listdir(apart):
            path = os.path.join(apart, name)
            self.assertIn("%s: %s bytes\n" % (path, "{:,}".format(os.path.getsize(path))), said)
        for record, name in zip(bundle.clips, files):
            self.assertEqual(record.data, self.read(apart, name))
        skeleton = self.read(apart, "skeleton.qsk")
        self.assertIn(skeleton, self.read("a/hero.v2.qsb"))
        again, clips = self.out("again.qsb"), [os.path.join(apart, name) for name in files]
        self.good("bundle", "--skeleton", os.path.join(apart, "skeleton.qsk"), "-o", again, *clips)
        found = self.bundle("again.qsb")
        self.assertIsNone(found.making)
        self.assertEqual([(r.name, r.data) for r in found.clips], [(r.name, r.data) for r in bundle.clips])
        # without head, tables and gaps
        size = len(self.read("again.qsb")) - len(skeleton) - (24 + 5 * 24 + 3 * 12 + 32 + 5 * 15)
        self.assertLess(size, sum(len(record.data) for record in bundle.clips))

    def test_names(self):
        for names, wanted in (
            (["Walk", "Run", "Walk"], ["Run", "Walk", "Walk-2"]),
            (["Walk", "Walk", "Walk-2", "Walk"], ["Walk", "Walk-2", "Walk-3", "Walk-4"]),  # a name of the file stays
            (
                ["a", "a-2", "a", "a", "a-2", "", "animation", "a", "", "a-2-2"],
                ["a", "a-2", "a-2-2", "a-2-3", "a-3", "a-4", "a-5", "animation", "animation-2", "animation-3"],
            ),
            ([None, "Run", None], ["Run", "animation", "animation-2"]),
        ):
            self.compress(self.put("hero.glb", several(names)))
            self.assertEqual(self.names("hero.qsb"), wanted)
            self.good("compress", "--glb", self.path("out.glb"), self.path("hero.glb"))
            entries = parsed(self.path("out.glb"))[0]["extensions"]["QUATSIMD_bundle"]["animations"]
            self.assertEqual(([entry.get("name") for entry in entries], sorted(entry["clip"] for entry in entries)), (names, wanted))
            self.assertTrue(all(entry["clip"].startswith(name or "animation") for entry, name in zip(entries, names)))

    def test_names_of_files(self):
        """The next run finds a bundle, whatever the file is called."""
        files = {b"a:b": "a:b", b".hero": ".hero", b"back\\slash": "back\\slash", b"new\nline": "new\ufffdline", b"bad\xff": "bad\\xFF"}
        for name, stem in files.items():
            with self.subTest(name):
                path, bundle = os.path.join(os.fsencode(self.directory), name + b".glb"), self.out(stem + ".qsb")
                with open(path, "wb") as file:
                    file.write(several(["Walk", "Run"]))
                command = TOOL, "compress", "-o", self.out(), path
                call = lambda *more: subprocess.run([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
                made = call("--json")
                self.assertEqual((made.returncode, made.stderr), (0, b""))
                self.assertEqual(len(json.loads(made.stdout)["animations"]), 2)
                self.assertIn(b": up to date\n", call().stdout)
                other = call("--object", "1mm@3cm")
                self.assertIn(b": is replaced: it was made by other options\n", other.stderr)
                self.assertIn("2 within their bounds", self.good("verify", bundle, "--against", os.fsdecode(path)).stdout)

    def test_another_skeleton(self):
        """A bundle of it replaces the former one."""
        for tail in False, True:
            nodes, curves = animation(3, 20)
            if tail:
                nodes[0]["children"].append(len(nodes))
                nodes.append({"name": "tail"})
            rig, content = gltf_tree(nodes, {"Bind": curves})
            rig["skins"] = [{"joints": list(range(len(nodes)))}]
            self.compress("--skeleton", self.put("rig.glb", glb_of(rig, content)), self.put("hero.glb", several(["Walk"])))
            self.assertEqual(self.bundle("hero.qsb").joints, len(nodes))

    def test_info(self):
        path = self.hero()
        lines = run("info", path).stdout.splitlines()
        self.assertRegex(lines[0], "hero.qsb: [0-9,]+ bytes, format version 2, 2 clips")
        self.assertRegex(lines[1], "^2 clips of hero.glb; bound 0.0001 for points at a distance of 0.03 from any joint")
        self.assertRegex(lines[5], "^ +0 +0.633 +20 +no +none +[0-9,]+ +Run$")
        self.assertTrue(any(re.search("joint 1$", line) for line in lines))
        (tree,) = self.json("info", path)
        self.assertEqual([(clip["name"], clip["frames"], clip["rate"]) for clip in tree["clips"]], [("Run", 20, 30), ("Walk", 20, 30)])
        content = self.read("hero.qsb")
        self.assertEqual(tree["bytes"], len(content))
        self.assertEqual([clip["bytes"] for clip in tree["clips"]], self.record_bytes(content))
        self.assertEqual(json.loads(self.bundle("hero.qsb").making), tree["making"])
        self.assertEqual([joint["name"] for joint in tree["skeleton"]["skeleton"]], ["joint 0", "joint 1", "last"])
        self.good("extract", path, "-o", self.out())
        self.assertEqual(len(self.json("info", self.out())), 4)  # of the folder, with clips and skeleton

    @staticmethod
    def record_bytes(content):
        sections = [struct.unpack_from("<IIQQ", content, 24 + 24 * i) for i in range(struct.unpack_from("<I", content, 20)[0])]
        (index, clips) = ((place, size) for kind, _, place, size in sections if kind & 0xFF in (3, 5))
        places = [struct.unpack_from("<I", content, index[0] + 12 * i + 4)[0] for i in range(index[1] // 12)] + [clips[1] - 32]
        return [end - at for at, end in zip(places, places[1:])]

    def test_bundles_are_no_animations(self):
        bundle = self.hero()
        for options in [bundle], ["-o", self.path("o"), "--skeleton", bundle, self.path("hero.glb")]:
            self.bad(1, "compress", *options, says="is a bundle")

    def test_crowd(self):
        self.compress(data("khronos/Fox.glb"))
        bundle, picture = self.out("Fox.qsb"), self.path("crowd.svg")
        said = self.says(CROWD, bundle, picture)
        self.assertRegex(said, r"^1000 characters of 25 joints, two of 3 clips each: [\d.]+ ms a frame, \d+ ns a character\n$")
        [path] = xml.etree.ElementTree.parse(picture).getroot()
        lines = np.array([[float(x) for x in re.split("[ L]", line)] for line in path.get("d")[1:].split("M")])
        self.assertEqual(len(lines) % 60, 0)
        self.assertGreater(len(lines), 60 * 15)
        for arguments, wrong in ([], "usage: crowd"), ([self.path("none")], "none"), ([data("khronos/Fox.glb")], "Fox.glb"):
            self.says(CROWD, *arguments, wrong=wrong)

    def test_blend(self):
        path = data("khronos/Fox.glb")
        self.compress(path)
        file = File(path)
        skin, joints = file.tree["skins"][0], file.joints()
        binds = file.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)  # from columns

        def blend(*clips):
            said = self.says(BLEND, self.out("Fox.qsb"), *clips, "0.3")
            return np.array([line.split() for line in said.splitlines()], float).reshape(-1, 3, 4)

        names = [item["name"] for item in file.tree["animations"]]
        walk, run_ = (file.model(names.index(name), np.array([0.3]))[:, 0] for name in ("Walk", "Run"))
        alone, both = blend("Walk", "Walk"), blend("Walk", "Run")
        self.assertEqual(len(alone), len(joints))
        places = np.linalg.inv(binds)[:, :, 3]  # of the skin's joints in the mesh: their skinning matrices take them to their places
        of_skin = [joints.index(joint) for joint in skin["joints"]]
        places_of_clip = np.einsum("jrc,jc->jr", alone[of_skin], places)  # as the player's, and six digits
        self.assertLess(np.abs(places_of_clip - walk[of_skin, :, 3]).max(), 0.0061)
        hips = of_skin[2]  # above it nothing moves, and so its place is half way
        self.assertLess(np.abs(both[hips] @ places[2] - (walk[hips] + run_[hips])[:, 3] / 2).max(), 0.0061)
        self.assertGreater(np.abs(walk[hips] - run_[hips])[:, 3].max(), 1)
        for arguments, wrong in ([], "usage: blend"), ([self.out("Fox.qsb"), "Walk", "none", "0"], "none"):
            self.says(BLEND, *arguments, wrong=wrong)

    def test_player(self):
        path = data("khronos/Fox.glb")
        self.compress("--object", "0.0054@1.62", path)
        file, joints = File(path), ["b_Head_05", "b_Tail03_014", "b_RightHand_08"]
        numbers = [[file.nodes[node].get("name") for node in file.joints()].index(name) for name in joints]
        for a, item in enumerate(file.tree["animations"]):
            said = self.says(PLAYER, self.out("Fox.qsb"), item["name"], *joints)
            found = np.array([[float(x) for x in line.split()[3:]] for line in said.splitlines()]).reshape(-1, 3, 3)
            self.assertEqual([line.split()[2] for line in said.splitlines()[:3]], joints)
            wanted = file.model(a, np.arange(len(found)) / 10)[numbers, :, :, 3].transpose(1, 0, 2)
            self.assertGreater(len(found), 6)
            self.assertLess(np.abs(found - wanted).max(), 0.0056)  # and four digits
        self.good("compress", "--additive", "first", "-o", self.path("additive.qsb"), path)
        for arguments, wrong in (
            ([], "usage: player FILE.qsb CLIP JOINT..."),
            ([self.path("none.qsb"), "Walk", "a"], "cannot map it"),
            ([path, "Walk", "a"], "not a bundle"),
            ([self.out("Fox.qsb"), "walk", "a"], "there is no such clip"),
            ([self.out("Fox.qsb"), "Walk", "a"], "there is no such joint"),
            ([self.path("additive.qsb"), "Walk", "a"], "Walk: is additive"),
        ):
            self.says(PLAYER, *arguments, wrong=wrong)
