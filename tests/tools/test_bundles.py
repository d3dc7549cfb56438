"""Tests of `quatsimd compress --bundle`, info of bundles, examples/player.c, examples/blend.c and examples/crowd.c.

QUATSIMD_PLAYER, QUATSIMD_BLEND and QUATSIMD_CROWD name the programs of these examples; without them, they are left out.
"""
import json
import os
import pathlib
import re
import struct
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import numpy as np

from support.command import TOOL, data, run, with_failing
from support.compressing import Case, animation, listing, small
from support.gltf import glb_of, gltf_tree
from support.gltf_pose import File

sys.path.append(str(pathlib.Path(__file__).parents[1] / "model"))
import bundle as bundle_model  # noqa: E402

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


def parts(glb):
    """Its JSON and its buffer."""
    length = int.from_bytes(glb[12:16], "little")
    return json.loads(glb[20 : 20 + length]), glb[28 + length :]


class Bundles(Case):
    def bundle(self, *names):
        return bundle_model.Bundle(self.read(*names))

    def names(self, *names):
        return [record.name.decode() for record in self.bundle(*names).clips]

    def complains(self, says, *arguments):
        result = self.compress("--bundle", *arguments, status=1)
        self.assertIn(says, result.stderr)
        return result

    def test_one_file(self):
        self.put("in/a/hero.v2.glb", several(["Walk", "Run", "Äpfel"]))
        result = self.compress("--bundle", self.path("in"))
        self.assertIn("a/hero.v2.glb/hero.v2.qsb: ", result.stdout)
        folder = "a/hero.v2.glb"
        self.assertEqual(
            sorted(os.listdir(self.out(folder))),
            sorted(["quatsimd.json", "skeleton.qsk", "hero.v2.qsb", "Walk.qsc", "Run.qsc", "Äpfel.qsc"]),
        )
        bundle = self.bundle(folder, "hero.v2.qsb")
        self.assertEqual([record.name.decode() for record in bundle.clips], ["Run", "Walk", "Äpfel"])
        for record in bundle.clips:  # what the independent reader makes of it are the clips beside it
            self.assertEqual(record.data, self.read(folder, record.name.decode() + ".qsc"))
        content = self.read(folder, "hero.v2.qsb")
        self.assertIn(self.read(folder, "skeleton.qsk"), content)
        clips = sum(len(record.data) for record in bundle.clips)
        self.assertLess(
            len(content) - len(self.read(folder, "skeleton.qsk")) - (24 + 5 * 24 + 3 * 12 + 32 + 5 * 15), clips
        )  # without head, tables and gaps
        made = self.manifest(folder)["bundle"]
        self.assertEqual((made["output"], made["bytes"]), ("hero.v2.qsb", len(content)))

        # it is up to date, and made again where it is not
        before = listing(self.out())
        self.assertIn("1 up to date", self.compress("--bundle", self.path("in")).stdout)
        for change in (b"", content[:-1], None):
            if change is None:
                os.remove(self.out(folder, "hero.v2.qsb"))
            else:
                self.put("out/" + folder + "/hero.v2.qsb", change)
            self.assertIn("1 compressed", self.compress("--bundle", self.path("in")).stdout)
            self.assertEqual(listing(self.out()), before)

        # without --bundle clips are others, and it is gone
        result = self.compress(self.path("in"))
        self.assertIn("removed 1 file of an earlier run", result.stderr)
        self.assertFalse(os.path.exists(self.out(folder, "hero.v2.qsb")))
        self.assertNotIn("bundle", self.manifest(folder))
        self.assertTrue(all(listing(self.out())[name] != digest for name, digest in before.items() if name.endswith(".qsc")))
        self.compress("--bundle", self.path("in"))
        self.assertEqual(listing(self.out()), before)

        # a file of somebody else is not replaced
        shutil.rmtree(self.out())
        self.put("out/" + folder + "/hero.v2.qsb", b"mine")
        self.complains("hero.v2.qsb: is in the way: quatsimd.json does not name it", self.path("in"))
        self.assertEqual(os.listdir(self.out(folder)), ["hero.v2.qsb"])
        self.assertEqual(self.read(folder, "hero.v2.qsb"), b"mine")

    def test_names(self):
        path = self.put("hero.glb", several(["Walk", "Run", "Walk"]))
        self.compress("--bundle", path)
        self.assertEqual(sorted(self.names("hero.glb", "hero.qsb")), ["Run", "Walk", "Walk-2"])
        path = self.put("third.glb", several(["Walk", "Walk", "Walk-2", "Walk"]))  # a name of the file stays
        self.compress("--bundle", path)
        self.assertEqual(sorted(self.names("third.glb", "third.qsb")), ["Walk", "Walk-2", "Walk-3", "Walk-4"])
        path = self.put("other.glb", several([None, "Run", None]))  # those without a name are called as their files
        self.compress("--bundle", path)
        self.assertEqual(
            self.names("other.glb", "other.qsb"), sorted(name[:-4] for name in os.listdir(self.out("other.glb")) if name.endswith(".qsc"))
        )
        self.assertEqual(len(self.names("other.glb", "other.qsb")), 3)

    def test_names_of_files(self):
        """The manifest names a bundle so that the next run reads it, whatever the file is called."""
        files = {
            b"a:b.glb": "a_b",
            b".hero.glb": "_hero",
            b"back\\slash.glb": "back_slash",
            b"new\nline.glb": "new\ufffdline",
            b"bad\xff.glb": "bad_xFF",
        }
        for name, stem in files.items():
            with self.subTest(name):
                path = os.path.join(os.fsencode(self.directory), name)
                with open(path, "wb") as file:
                    file.write(several(["Walk", "Run"]))
                page, out = self.path("page.html"), self.path("out of " + stem)
                arguments = "compress", "--bundle", "--report", page, "-o", out
                call = lambda *more: subprocess.run(
                    [TOOL, *arguments, *more, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300
                )
                made = call("--json")
                self.assertEqual((made.returncode, made.stderr), (0, b""))
                self.assertEqual(len(json.loads(made.stdout)["animations"]), 2)
                (folder,) = os.listdir(out)
                with open(os.path.join(out, folder, "quatsimd.json"), encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["bundle"]["output"], stem + ".qsb")
                self.assertTrue(os.path.exists(os.path.join(out, folder, stem + ".qsb")))
                self.assertIn(b"1 up to date", call().stdout)
                other = call("--object", "1mm@3cm")
                self.assertEqual((other.returncode, other.stderr), (0, b""))

    def test_manifest_that_cannot_be_read_back(self):
        """The clips of this run are not passed over in silence."""
        path = self.put("hero.glb", small())
        self.compress(path)
        manifest = self.out("hero.glb", "quatsimd.json")
        shim = with_failing(self, "read back")
        for options in ["--json"], ["--report", self.path("page.html")]:
            self.assertIn(manifest + ": is missing, or not as this run left it", self.compress(*options, path, status=1, env=shim).stderr)

    def test_no_clips(self):
        nodes, _ = animation(3, 5)
        self.compress("--bundle", self.put("still.glb", glb_of(*gltf_tree(nodes, {}))))
        self.assertFalse(os.path.exists(self.out("still.glb", "still.qsb")))

    def test_left_out(self):
        """One without some of its clips is not written, and a whole one of an earlier run stays."""
        good = several(["Walk", "Run"])
        path = self.put("hero.glb", good)
        self.compress("--bundle", path)
        before = self.read("hero.glb", "hero.qsb")
        tree, content = parts(good)
        tree["animations"][1]["samplers"][0]["input"] = 999
        path = self.put("hero.glb", glb_of(tree, content))
        self.complains("hero.qsb is not updated, because not all clips could be made", path)
        self.assertEqual(self.read("hero.glb", "hero.qsb"), before)
        shutil.rmtree(self.out())
        self.compress("--bundle", path, status=1)
        self.assertFalse(os.path.exists(self.out("hero.glb", "hero.qsb")))
        self.compress("--bundle", self.put("hero.glb", good))  # of the mended file it is the same again
        self.assertEqual(self.read("hero.glb", "hero.qsb"), before)

    def test_of_all_files(self):
        rig = self.put("hero.glb", several(["Bind"]))
        for name, content in (
            ("Walk.glb", several(["mixamo.com"])),
            ("run/Fast.glb", several(["mixamo.com"])),
            ("run/Both.glb", several(["A", "B"])),
            ("run/Two.glb", several([None, "C"])),
        ):
            self.put("in/" + name, content)
        arguments = "--skeleton", rig, self.path("in")
        result = self.compress("--bundle", *arguments)
        self.assertIn("hero.qsb: 6 clips, ", result.stdout)
        self.assertEqual(self.names("hero.qsb"), ["Walk", "run/Both/A", "run/Both/B", "run/Fast", "run/Two/C", "run/Two/animation"])
        found = {record.name.decode(): record.data for record in self.bundle("hero.qsb").clips}
        self.assertEqual(found["run/Both/B"], self.read("run/Both.glb/B.qsc"))
        self.assertEqual([name for name in os.listdir(self.out("Walk.glb")) if name.endswith(".qsb")], [])
        before = listing(self.out())
        self.assertRegex(self.compress("--bundle", *arguments).stdout, "hero.qsb: 6 clips, [0-9,]+ bytes, up to date")

        # shares make none; the last run does
        shutil.rmtree(self.out())
        for share in ("1/2", "2/2"):
            self.compress("--bundle", *arguments, "--shard", share)
            self.assertFalse(os.path.exists(self.out("hero.qsb")))
        self.compress("--bundle", *arguments)
        self.assertEqual(listing(self.out()), before)

        # a file that cannot be read, a name that two have, which gets a number, something in the way
        self.put("in/broken.glb", b"glTF")
        self.complains("the bundle is not written, because not all clips could be made", *arguments)
        os.remove(self.path("in", "broken.glb"))
        self.assertEqual(listing(self.out()), before)
        self.put("in/run/Fast.gltf.glb", several(["mixamo.com"]))
        self.put("in/run/Both/A.glb", several(["x"]))
        self.compress("--bundle", *arguments)
        self.assertEqual([name for name in self.names("hero.qsb") if "Both" in name], ["run/Both/A", "run/Both/A-2", "run/Both/B"])
        os.remove(self.path("in", "run/Both/A.glb"))
        os.remove(self.out("hero.qsb"))
        self.put("out/hero.qsb", b"mine")
        self.complains("hero.qsb: is in the way and is not a bundle", *arguments)
        self.assertEqual(self.read("hero.qsb"), b"mine")
        os.remove(self.out("hero.qsb"))
        self.compress("--bundle", *arguments)
        self.assertEqual(
            self.names("hero.qsb"), ["Walk", "run/Both/A", "run/Both/B", "run/Fast", "run/Fast.gltf", "run/Two/C", "run/Two/animation"]
        )

        # of another skeleton it is replaced
        tree, content = parts(several(["Bind"]))
        tree["nodes"][0]["children"].append(len(tree["nodes"]))
        tree["nodes"].append({"name": "tail"})
        tree["skins"] = [{"joints": [len(tree["nodes"]) - 1]}]
        self.compress("--bundle", "--skeleton", self.put("hero.glb", glb_of(tree, content)), self.path("in"))
        self.assertEqual(self.bundle("hero.qsb").joints, 4)

    def test_usage(self):
        result = run("compress", "--bundle", self.put("a.glb", small()))
        self.assertEqual((result.returncode, "--bundle needs -o OUT" in result.stderr), (2, True))

    def test_info(self):
        self.compress("--bundle", "--loop", "auto", self.put("hero.glb", several(["Walk", "Run"])))
        path = self.out("hero.glb", "hero.qsb")
        lines = run("info", path).stdout.splitlines()
        self.assertRegex(lines[0], "hero.qsb: [0-9,]+ bytes, format version 2, 2 clips")
        self.assertRegex(lines[4], "^ +0 +0.633 +20 +no +none +[0-9,]+ +Run$")
        self.assertTrue(any(re.search("joint 1$", line) for line in lines))
        (tree,) = json.loads(run("info", "--json", path).stdout)
        self.assertEqual([(clip["name"], clip["frames"], clip["rate"]) for clip in tree["clips"]], [("Run", 20, 30), ("Walk", 20, 30)])
        content = self.read("hero.glb", "hero.qsb")
        self.assertEqual(tree["bytes"], len(content))
        self.assertEqual([clip["bytes"] for clip in tree["clips"]], self.record_bytes(content))
        self.assertEqual([joint["name"] for joint in tree["skeleton"]["skeleton"]], ["joint 0", "joint 1", "last"])
        self.assertEqual(len(json.loads(run("info", "--json", self.out()).stdout)), 4)  # of the folder, with clips and skeleton

    @staticmethod
    def record_bytes(content):
        sections = [struct.unpack_from("<IIQQ", content, 24 + 24 * i) for i in range(5)]
        (index, clips) = ((place, size) for kind, _, place, size in sections if kind & 0xFF in (3, 5))
        places = [struct.unpack_from("<I", content, index[0] + 12 * i + 4)[0] for i in range(index[1] // 12)] + [clips[1] - 32]
        return [end - at for at, end in zip(places, places[1:])]

    def test_broken(self):
        self.compress("--bundle", self.put("hero.glb", several(["Walk", "Run"])))
        good = self.read("hero.glb", "hero.qsb")
        wrong, sealed = bytearray(good), bytearray(good)
        of_clip = bytearray(good)
        of_part = bytearray(good)
        of_part[200] ^= 1  # of the skeleton
        wrong[60] ^= 1
        of_clip[-40] ^= 1  # of the last one
        sealed[16] += 1  # one more clip
        sealed[4:8] = bundle_model.xxhash.xxh32(bytes(sealed[8:144])).intdigest().to_bytes(4, "little")
        later = bytearray(good)
        later[24 + 24 * 4] = 9  # a section that nobody knows, and that is required
        later[4:8] = bundle_model.xxhash.xxh32(bytes(later[8:144])).intdigest().to_bytes(4, "little")
        for name, content, says in (
            ("empty.qsb", b"", "the file is empty"),
            ("text.qsb", b"some text that is no bundle, longer than its head", "not a bundle: bundles begin with QSB"),
            ("later.qsb", good[:3] + b"\3" + good[4:], "the bundle has version 3; this quatsimd reads"),
            ("parts.qsb", later, "the bundle has parts that only a later quatsimd reads"),
            ("clip.qsb", of_clip, 'clip "Walk" of the bundle: the clip is damaged'),
            ("tail.qsb", good[:-1] + b"\1", "the bundle is damaged: a checksum is not that of the bytes"),
            ("short.qsb", good[:23], "too short for a bundle: it has 23 bytes"),
            ("cut.qsb", good[:-1], "the bundle is cut off: it has {:,} bytes, and its head says {:,}".format(len(good) - 1, len(good))),
            ("more.qsb", good + b"\0", "the file goes on after the bundle"),
            ("wrong.qsb", wrong, "the bundle is damaged: its checksum should be"),
            ("part.qsb", of_part, "the bundle is damaged: its checksum should be"),
            ("sealed.qsb", sealed, "the bundle is broken"),
        ):
            with self.subTest(name):
                given = self.put(name, bytes(content))
                result = run("info", given)
                self.assertEqual(result.returncode, 1)
                self.assertIn("quatsimd: %s: %s" % (given, says), result.stderr)
        path = self.put("good.qsb", good)
        for arguments in (["compress", path], ["compress", "-o", self.path("o"), "--skeleton", path, self.path("hero.glb")]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("is a bundle", result.stderr)

    @unittest.skipUnless(CROWD, "no QUATSIMD_CROWD")
    def test_crowd(self):
        self.compress("--bundle", data("khronos/Fox.glb"))
        bundle, picture = self.out("Fox.glb/Fox.qsb"), self.path("crowd.svg")
        said = subprocess.run([CROWD, bundle, picture], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertRegex(said, r"^1000 characters of 25 joints, two of 3 clips each: [\d.]+ ms a frame, \d+ ns a character\n$")
        [path] = xml.etree.ElementTree.parse(picture).getroot()
        lines = np.array([[float(x) for x in re.split("[ L]", line)] for line in path.get("d")[1:].split("M")])
        self.assertEqual(len(lines) % 60, 0)
        self.assertGreater(len(lines), 60 * 15)
        for arguments, says in (([], "usage: crowd"), ([self.path("none")], "none"), ([data("khronos/Fox.glb")], "Fox.glb")):
            result = subprocess.run([CROWD, *arguments], stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual((result.returncode, says in result.stderr), (1, True), result.stderr)

    @unittest.skipUnless(BLEND, "no QUATSIMD_BLEND")
    def test_blend(self):
        path = data("khronos/Fox.glb")
        self.compress("--bundle", path)
        file = File(path)
        skin, joints = file.tree["skins"][0], file.joints()
        binds = file.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)  # from columns

        def blend(*clips):
            said = subprocess.run(
                [BLEND, self.out("Fox.glb/Fox.qsb"), *clips, "0.3"], check=True, stdout=subprocess.PIPE, encoding="utf-8"
            ).stdout
            return np.array([[float(x) for x in line.split()] for line in said.splitlines()]).reshape(-1, 3, 4)

        names = [item["name"] for item in file.tree["animations"]]
        walk, run_ = (file.model(names.index(name), np.array([0.3]))[:, 0] for name in ("Walk", "Run"))
        alone, both = blend("Walk", "Walk"), blend("Walk", "Run")
        self.assertEqual(len(alone), len(joints))
        places = np.linalg.inv(binds)[:, :, 3]  # of the skin's joints in the mesh: their skinning matrices take them to their places
        of_skin = [joints.index(joint) for joint in skin["joints"]]
        self.assertLess(
            np.abs(np.einsum("jrc,jc->jr", alone[of_skin], places) - walk[of_skin, :, 3]).max(), 0.0061
        )  # as the player's, and six digits
        hips = of_skin[2]  # above it nothing moves, and so its place is half way
        self.assertLess(np.abs(both[hips] @ places[2] - (walk[hips] + run_[hips])[:, 3] / 2).max(), 0.0061)
        self.assertGreater(np.abs(walk[hips] - run_[hips])[:, 3].max(), 1)
        for arguments, says in (([], "usage: blend"), ([self.out("Fox.glb/Fox.qsb"), "Walk", "none", "0"], "none")):
            result = subprocess.run([BLEND, *arguments], stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual((result.returncode, says in result.stderr), (1, True), result.stderr)

    @unittest.skipUnless(PLAYER, "no QUATSIMD_PLAYER")
    def test_player(self):
        path = data("khronos/Fox.glb")
        self.compress("--bundle", path)
        file, joints = File(path), ["b_Head_05", "b_Tail03_014", "b_RightHand_08"]
        numbers = [[file.nodes[node].get("name") for node in file.joints()].index(name) for name in joints]
        for a, item in enumerate(file.tree["animations"]):
            lines = subprocess.run(
                [PLAYER, self.out("Fox.glb/Fox.qsb"), item["name"], *joints], check=True, stdout=subprocess.PIPE, encoding="utf-8"
            ).stdout.splitlines()
            found = np.array([[float(x) for x in line.split()[3:]] for line in lines]).reshape(-1, 3, 3)
            self.assertEqual([line.split()[2] for line in lines[:3]], joints)
            wanted = file.model(a, np.arange(len(found)) / 10)[numbers, :, :, 3].transpose(1, 0, 2)
            self.assertGreater(len(found), 6)
            self.assertLess(np.abs(found - wanted).max(), 0.0056)  # 0.1 mm of a metre that is 54.03 high, and four digits
        self.good("compress", "--bundle", "--additive", "first", "-o", self.path("additive"), path)
        for arguments, says in (
            ([], "usage: player FILE.qsb CLIP JOINT..."),
            ([self.path("none.qsb"), "Walk", "a"], "cannot map it"),
            ([path, "Walk", "a"], "not a bundle"),
            ([self.out("Fox.glb/Fox.qsb"), "walk", "a"], "there is no such clip"),
            ([self.out("Fox.glb/Fox.qsb"), "Walk", "a"], "there is no such joint"),
            ([self.path("additive/Fox.glb/Fox.qsb"), "Walk", "a"], "Walk: is additive"),
        ):
            result = subprocess.run([PLAYER, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
            self.assertEqual((result.returncode, says in result.stderr), (1, True), result.stderr)


if __name__ == "__main__":
    unittest.main()
