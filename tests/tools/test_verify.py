"""Tests of the command verify."""
import os
import re

import numpy as np

from support.clips import KINDS, TIMES, Clips
from support.command import BOUNDS, data, model, run
from support.gltf import gltf_text, gltf_tree
from support.rotations import product, walk


def turned(q, degrees):
    """Quaternions after a turn about their own x."""
    half = np.radians(degrees) / 2
    return product(q, [np.sin(half), 0, 0, np.cos(half)]).astype(np.float32)


class Verify(Clips):
    def verify(self, *arguments, status=0):
        return self.json("verify", *arguments, status=status)

    def walk(self, clip, file="hero.gltf"):
        """Arguments that compare a clip with the animation walk of a file."""
        return [clip, "-a", self.path(file), "--animation", "walk"]

    def test_errors_are_those_that_clip_finds(self):
        for path in self.hero(), data("khronos/Fox.glb"), model("BVH/01_03.bvh"):
            folder, report = self.encode(path)
            for entry in report["animations"]:
                with self.subTest(entry["output"]):
                    found = self.verify(entry["output"], "-a", path, "--animation", entry["animation"], "-r", "0.05", "-t", "0.01")
                    self.assertIs(found["within"], True)
                    for kind, unit in (("rotation", "_degrees"), ("translation", ""), ("scale", "")):
                        if not entry["keys"][kind]:
                            self.assertIsNone(found[kind])
                            continue
                        self.assertEqual(found[kind]["keys"], entry["keys"][kind])
                        worst = entry["worst_%s_error%s" % (kind, unit)]
                        self.assertAlmostEqual(found[kind]["worst_error" + unit], worst, delta=1e-12)
                        joints = [j[kind] for j in found["joints"] if j[kind]]
                        self.assertEqual(max(j["worst_error" + unit] for j in joints), found[kind]["worst_error" + unit])
                        mean = sum(j["mean_error" + unit] * j["keys"] for j in joints) / found[kind]["keys"]
                        self.assertAlmostEqual(mean, found[kind]["mean_error" + unit])

    def test_known_differences(self):
        clip = self.walking("-t", "0.0001")
        curves = self.curves()
        hip, size = np.array(curves["hip"][3]), np.array(curves["size"][3])
        arm = turned(curves["arm"][3], 2)
        arm[7] = turned(curves["arm"][3][7:8], 5)[0]
        hip[11] += [0.3, 0.4, 0]
        size[1, 2] += 0.125
        other = self.hero("other.gltf", arm=(TIMES, arm), hip=(TIMES, hip), size=([0, 1], size))
        says = [clip + ': "arm" at 0.233333', " seconds: the rotation is ", " degrees off, 5.0", " times its bound of 1 degrees"]
        result = self.bad(1, "verify", *self.walk(clip, other), "-r", "1deg", "-s", "0.2", says=says)
        self.assertEqual(result.stderr.count("\n"), 1)  # of scale nothing
        found = self.verify(*self.walk(clip, other), "-r", "1", "-s", "0.2", status=1)
        rotation, translation, scale = (found[kind] for kind in KINDS)
        self.assertAlmostEqual(rotation["worst_error_degrees"], 5, delta=0.051)
        self.assertAlmostEqual(rotation["seconds_of_worst"], 7 / 30, places=6)
        self.assertAlmostEqual(translation["worst_error"], 0.5, delta=0.0002)
        self.assertAlmostEqual(translation["seconds_of_worst"], 11 / 30, places=6)
        self.assertAlmostEqual(translation["mean_error"], 0.5 / 31, delta=0.0002)
        self.assertAlmostEqual(scale["worst_error"], 0.125, delta=0.0011)
        self.assertEqual([k["joint_of_worst"] for k in (rotation, translation, scale)], ["arm", "hip", "hip"])
        self.assertEqual([k["within"] for k in (rotation, translation, scale)], [False, None, True])
        self.assertEqual((rotation["bound_degrees"], translation["bound"], found["within"]), (1, None, False))
        hip, arm, leg = found["joints"]
        self.assertEqual([j["joint"] for j in (hip, arm, leg)], ["hip", "arm", "leg"])
        self.assertAlmostEqual(arm["rotation"]["mean_error_degrees"], (30 * 2 + 5) / 31, delta=0.051)
        self.assertEqual((arm["rotation"]["keys"], leg["rotation"]["keys"], hip["rotation"]), (31, 2, None))
        self.assertLess(leg["rotation"]["worst_error_degrees"], 0.05)
        self.assertAlmostEqual(arm["rotation"]["seconds_of_worst"], 7 / 30, places=6)
        self.assertAlmostEqual(hip["translation"]["seconds_of_worst"], 11 / 30, places=6)
        self.assertIsNone(arm["object"])

    def test_right_at_keys_and_wrong_between(self):
        """The clip has keys between those of the file, where an arm goes another way and a hip another step."""
        fine = np.arange(61) / 60
        q = walk(61, 1, seed=2, turn=0.05)[:, 0]
        hip = np.linspace((0, 0, 0), (3, 0, 0), 61)
        rough = {"arm": (fine[::2], q[::2]), "hip": (fine[::2], hip[::2])}
        halves = q[:-2:2] + q[2::2] * np.sign((q[:-2:2] * q[2::2]).sum(-1, keepdims=True))
        q[1::2] = halves / np.linalg.norm(halves, axis=-1, keepdims=True)
        q[31] = turned(q[31:32], 10)[0]
        hip[15, 1] = 0.25
        clip = self.walking(arm=(fine, q), hip=(fine, hip))
        file = self.hero("rough.gltf", **rough)
        found = self.verify(*self.walk(clip, file), "-r", "0.05", "-t", "0.01", status=1)
        rotation, translation = found["rotation"], found["translation"]
        self.assertEqual((rotation["within"], translation["within"]), (False, False))
        self.assertLess(rotation["worst_error_at_keys_degrees"], 0.0501)
        self.assertLess(translation["worst_error_at_keys"], 0.01001)
        self.assertAlmostEqual(rotation["worst_error_between_keys_degrees"], 10, delta=0.06)
        self.assertAlmostEqual(translation["worst_error_between_keys"], 0.25, delta=0.011)
        for errors, unit, seconds, joint in (rotation, "_degrees", 31 / 60, "arm"), (translation, "", 15 / 60, "hip"):
            self.assertEqual(errors["worst_error" + unit], errors["worst_error_between_keys" + unit])
            self.assertAlmostEqual(errors["seconds_of_worst"], seconds, places=5)
            self.assertEqual(errors["joint_of_worst"], joint)
        lines = run("verify", *self.walk(clip, file), "-r", "0.05").stdout.splitlines()
        self.assertRegex([line for line in lines if line.startswith("rotation,")][0], r"0\.0\d+ +(9|10)\.\d+ .*beyond .*arm")
        fine = self.verify(*self.walk(clip), "-r", "0.05")
        self.assertLess(fine["rotation"]["worst_error_degrees"], 0.0501)

    def two_bones(self, name, degrees):
        """A bone that turns, and another at rest, five from it; the first one turned by so much more at 1/6 s."""
        q = walk(31, 1, seed=3, turn=0.05)[:, 0]
        q[5] = turned(q[5:6], degrees)[0]
        nodes = [
            {"name": "a", "children": [1]},
            {"name": "b", "translation": [0, 0, 4.0], "children": [2]},
            {"name": "c", "translation": [0, 3.0, 0]},
        ]
        animations = {"walk": [(0, "rotation", TIMES, q, None), (2, "rotation", TIMES, walk(31, 1, seed=6)[:, 0], None)]}
        return self.write(name, gltf_text(*gltf_tree(nodes, animations)))

    def test_object(self):
        """The farthest point is beyond the last joint; rests count whether the clip has them or not."""
        path, other = self.two_bones("bones.gltf", 0), self.two_bones("other.gltf", 10)
        for options in ["-r", "0.001"], ["--object", "0.001@2"], ["-r", "0.001", "--additive", "first"]:
            with self.subTest(options):
                folder, _ = self.encode(path, *options)
                clip = os.path.join(folder, "walk.qsc")
                good = self.verify(clip, "-a", path, "--object", "2mm@200cm")
                self.assertEqual((good["object"]["within"], good["object"]["bound"], good["object_distance"]), (True, 0.002, 2))
                self.assertEqual(good["object"]["times"], 3 * 31)
                bad = self.verify(clip, "-a", other, "--object", "0.5@2", status=1)
                worst = [joint["object"]["worst_error"] for joint in bad["joints"]]
                chord = 2 * np.sin(np.radians(5))
                np.testing.assert_allclose(worst, [2 * chord, 6 * chord, 7 * chord], atol=0.003)
                self.assertEqual(bad["object"]["joint_of_worst"], "c")
                self.assertAlmostEqual(bad["object"]["seconds_of_worst"], 5 / 30, places=6)
                self.assertAlmostEqual(bad["joints"][2]["object"]["mean_error"], 7 * chord / 31, delta=0.003)

    def test_rounding_is_forgiven_once(self):
        one = self.walk(self.walking("-r", "0.5", "-t", "0.1", "-s", "0.1"))
        found = self.verify(*one)
        for kind, option, worst, unit, rounding in (
            ("rotation", "-r", np.radians(found["rotation"]["worst_error_degrees"]), "rad", 1e-6),
            ("translation", "-t", found["translation"]["worst_error"], "", 2**-21 * np.abs(self.curves()["hip"][3]).max()),
            ("scale", "-s", found["scale"]["worst_error"], "", 2**-21 * 2),
        ):
            for part, within in (0.9, True), (1.1, False):
                with self.subTest(kind, part=part):
                    found = self.verify(*one, option, "%.17g%s" % (worst - part * rounding, unit), status=not within)
                    self.assertIs(found[kind]["within"], within)

    def test_bounds(self):
        one, hero = self.walk(self.walking("-r", "0.5", "-t", "0.1")), self.path("hero.gltf")
        text = self.good("verify", *one).stdout
        self.assertIn("there is no bound to compare with", text)
        self.assertNotIn("within", text)
        self.assertIsNone(self.verify(*one)["within"])
        bundle = self.path("hero.qsb")
        self.good("compress", *BOUNDS, "-o", bundle, hero)
        found = self.verify(bundle, "walk", "--rotation", "0.001deg", status=1)  # the rest is the bundle's
        self.assertEqual([found[kind]["within"] for kind in KINDS], [False, True, True])
        self.assertEqual((found["translation"]["bound"], found["bundle"], found["clip"]), (0.01, bundle, "walk"))
        found = self.verify(*one, "-r", "0.01rad", "-t", "15cm")
        self.assertAlmostEqual(found["rotation"]["bound_degrees"], np.degrees(0.01))
        self.assertEqual(found["translation"]["bound"], 0.15)
        beside = "\nbounds are those of the bundle"
        self.assertIn(beside + "\n", self.good("verify", bundle, "walk").stdout)
        self.assertIn(beside + ", but for those of the options\n", self.good("verify", bundle, "walk", "-r", "0.6").stdout)
        self.good("compress", "--object", "1e-4@3", "-o", bundle, hero)
        found = self.verify(bundle, "walk")
        self.assertEqual((found["object"]["bound"], found["object_distance"], found["rotation"]["within"]), (1e-4, 3, None))

    def test_which_animation(self):
        clip, hero = self.walking(), self.path("hero.gltf")
        wave = self.path("clips", "wave.qsc")
        listed = "  0  walk\n  1  wave\n"
        self.bad(1, "verify", clip, "-a", hero, says=hero + ": has 2 animations; choose one with --animation:\n" + listed)
        for path, wanted, number in (clip, "walk", 0), (clip, "0", 0), (wave, "wave", 1), (wave, "1", 1):
            found = self.verify(path, "-a", hero, "--animation", wanted, "-r", "0.05")
            self.assertEqual((found["number"], found["animation"]), (number, ["walk", "wave"][number]))
        for wanted in "2", "-1", "run", "", "1x", "99999999999999999999":
            says = ['%s: there is no animation "%s"; there are these numbers and names:\n' % (hero, wanted), listed]
            self.bad(1, "verify", clip, "-a", hero, "--animation", wanted, says=says)
        bundle = self.path("hero.qsb")
        self.good("compress", *BOUNDS, "-o", bundle, hero)
        self.assertEqual(self.verify(bundle, "wave", "-a", hero)["animation"], "wave")
        self.bad(1, "verify", bundle, "wave", "--animation", "walk", says="")  # what was asked for, and the bundle's bounds
        self.write("other.gltf", self.content(self.hero("hero.gltf", animation="run")))
        self.bad(1, "verify", bundle, "walk", says=['animation 0 does not have the name "walk", of which the clip was made', "  0  run\n"])
        one = self.two_bones("bones.gltf", 0)
        folder, _ = self.encode(one)
        self.assertEqual(self.verify(os.path.join(folder, "walk.qsc"), "-a", one)["number"], 0)
        turning = [(0, "rotation", TIMES, walk(31, 1)[:, 0], None)]
        tree, content = gltf_tree([{"name": "a"}], {"same": turning, "1": turning})
        tree["animations"][1]["name"] = "same"
        tree["animations"].append(dict(tree["animations"][0], name="0"))
        same = self.write("same.gltf", gltf_text(tree, content))
        self.encode(same)
        clip = self.path("clips", "same.qsc")
        self.bad(1, "verify", clip, "-a", same, "--animation", "same", says='2 animations are named "same"')
        self.assertEqual(self.verify(clip, "-a", same, "--animation", "1")["number"], 1)
        self.assertEqual(self.verify(clip, "-a", same, "--animation", "0")["number"], 2)  # its name comes first
        tree["animations"][0]["samplers"][0]["interpolation"] = "BEZIER"
        tree["animations"][2]["samplers"] = tree["animations"][1]["samplers"]
        rest = self.write("rest.gltf", gltf_text(tree, content))  # without number 0, which cannot be read
        self.assertEqual(self.verify(clip, "-a", rest, "--animation", "1")["number"], 1)

    def test_what_does_not_belong_together(self):
        clip, hero = self.walking(), self.path("hero.gltf")
        one = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", TIMES, walk(31, 1)[:, 0], None)]})
        bones = self.write("one.gltf", gltf_text(*one))
        self.bad(1, "verify", clip, "-a", bones, says="%s: has 3 joints, and %s has 1: it is a clip of another file" % (clip, bones))
        says = [clip + ': has a translation of "hip", but animation 1, wave of ', " has none: it is a clip of another animation"]
        self.bad(1, "verify", clip, "-a", hero, "--animation", "wave", says=says)
        content = self.content(clip)
        content[30] |= 2 << 1  # additive to a base: bits 18-17
        base = self.sealed(self.path("base.qsc"), content)
        self.bad(1, "verify", *self.walk(base), says=base + ": is additive to another animation")
        self.bad(1, "verify", clip, "-a", self.path("none.glb"), says=self.path("none.glb") + ": cannot open")
        self.bad(1, "verify", clip, "-a", self.write("text.bvh", b"hello\n"), says=self.path("text.bvh"))

    def test_bad_keys_of_the_file(self):
        clip = self.walking()
        late = TIMES.copy()
        late[20] = late[18]
        bad = self.hero("late.gltf", arm=(late, walk(31, 1, seed=2, turn=0.1)[:, 0]))
        says = bad + ': animation 0, walk: rotation of "arm", key 20: its time is not after'
        self.bad(1, "verify", *self.walk(clip, bad), says=says)
        q = walk(31, 1, seed=2, turn=0.1)[:, 0]
        q[7] = np.nan
        bad = self.hero("bad.gltf", arm=(TIMES, q))
        self.bad(1, "verify", *self.walk(clip, bad), "-r", "50deg", says='"arm" at 0.2')

    def test_missing_curves_are_errors(self):
        one = self.walk(self.walking("--only", "rotation"))
        self.bad(1, "verify", *one, "-r", "1", "-t", "0.1", "-s", "0.1", says=['"hip" at ', "the translation is ", "the scale is "])

    def test_table(self):
        one = self.walk(self.walking())
        for options in [], ["--object", "1@2"], ["-r", "0.01"]:
            text = run("verify", *one, *options).stdout
            self.assertTrue(text.startswith("%s against %s, animation 0, walk\n" % (one[0], one[2])))
            joints, totals = self.tables(text)
            self.assertEqual([joint for _, joint in joints], ["hip", "arm", "leg"])
            self.assertEqual({len(cells) for cells, _ in joints}, {16 if "--object" in options else 12})
            self.assertEqual(set(re.findall(r"\d([*!])", text)), {"*", "!"} if "-r" in options else {"*"})
            totals = {cells[0].rstrip(","): (cells, joint) for cells, joint in totals}
            self.assertEqual([totals[kind][1] for kind in ("rotation", "translation")], ["arm", "hip"])
            self.assertEqual(("object" in totals, "beyond" in totals["rotation"][0]), ("--object" in options, "-r" in options))

    def library(self):
        """Bundles of two files in folders."""
        self.hero(os.path.join("in", "a", "hero.gltf"))
        times = np.arange(8) / 30
        other = {"arm": (times, walk(8, 1, seed=5, turn=0.1)[:, 0]), "hip": ([0], [[1.0, 2, 3]]), "size": ([0], [[1.0, 1, 1]])}
        self.hero(os.path.join("in", "other.gltf"), **other)
        self.good("compress", *BOUNDS, "-o", self.path("out"), self.path("in"))
        return self.path("out")

    def test_folders(self):
        out = self.library()
        bundles, files = ["a/hero.qsb"] * 2 + ["other.qsb"] * 2, ["a/hero.gltf"] * 2 + ["other.gltf"] * 2
        files, names = [self.path("in", file) for file in files], ["walk", "wave"] * 2
        found = self.verify(out)
        self.assertEqual(found, self.verify(out + "/", "-a", self.path("in")))
        self.assertEqual(found, self.verify(out, "-a", files[0], "-a", files[2]))
        self.assertEqual(
            [(clip["bundle"], clip["clip"], clip["file"]) for clip in found["clips"]],
            [(os.path.join(out, bundle), name, file) for bundle, name, file in zip(bundles, names, files)],
        )
        for bundle, name, file, clip in zip(bundles, names, files, found["clips"]):
            one = os.path.join(out, bundle)
            self.assertEqual(clip, self.verify(one, name, "-a", file))
            self.assertEqual(clip, self.verify(one, name))  # by the record
            self.assertEqual(clip, self.verify(one, name, "-a", os.path.dirname(file)))
        self.assertEqual(found["clips"][:2], self.verify(os.path.join(out, "a"), "-a", self.path("in", "a"))["clips"])
        self.assertEqual(found["clips"][:2], self.verify(os.path.join(out, "a"), "-a", files[0])["clips"])
        # the worst of all, and means of all keys
        counts = [found["all"][key] for key in ("within", "beyond", "without_bounds", "not_compared")]
        self.assertEqual(counts, [4, 0, 0, 0])
        for kind, unit in (("rotation", "_degrees"), ("translation", ""), ("scale", "")):
            clips = [clip[kind] for clip in found["clips"] if clip[kind]]
            total = found["all"][kind]
            self.assertEqual(total["keys"], sum(clip["keys"] for clip in clips))
            for error in "worst_error", "worst_error_at_keys", "worst_error_between_keys":
                self.assertEqual(total[error + unit], max(clip[error + unit] for clip in clips))
            mean = sum(clip["keys"] * clip["mean_error" + unit] for clip in clips) / total["keys"]
            self.assertAlmostEqual(total["mean_error" + unit], mean, delta=1e-12)
            plain = np.mean([clip["mean_error" + unit] for clip in clips])
            self.assertGreater(abs(plain - mean), 1e-4 * mean)
        self.assertIsNone(found["all"]["object"])
        lines = self.good("verify", out).stdout.splitlines()
        self.assertEqual([line.split()[-2:] for line in lines[3:7]], [[bundle + ":", name] for bundle, name in zip(bundles, names)])
        row = [float(word) for word in lines[7].split()[:6]]
        kinds = [(found["all"]["rotation"], "_degrees"), (found["all"]["translation"], ""), (found["all"]["scale"], "")]
        np.testing.assert_allclose(row, [total[key + unit] for total, unit in kinds for key in ("worst_error", "mean_error")], rtol=1e-3)
        self.assertTrue(lines[7].endswith("within  all 4 clips"))
        self.assertEqual(lines[9], "4 within their bounds, 0 beyond, 0 without bounds, 0 not compared")
        self.assertFalse([line for line in lines if line.endswith(" ")])
        self.assertIn(" object ", self.good("verify", out, "--object", "1@1").stdout)

    def test_folders_in_which_something_is_wrong(self):
        out, counts = self.library(), "%d within their bounds, %d beyond, %d without bounds, %d not compared"
        hero, other = os.path.join(out, "a", "hero.qsb"), os.path.join(out, "other.qsb")

        def check(*options, says, numbers, folder=out):
            result = self.bad(1, "verify", folder, *options, says=says)
            self.assertIn(counts % numbers, result.stdout)
            found = self.verify(folder, *options, status=1)["all"]
            self.assertEqual(tuple(found[key] for key in ("within", "beyond", "without_bounds", "not_compared")), numbers)
            return result

        says = [hero + ': animation 0, walk: "arm" at ', "times its bound of 0.02 "]
        result = check("-r", "0.02", "-t", "0.001", says=says, numbers=(0, 4, 0, 0))
        self.assertEqual(result.stderr.count("\n"), 5)  # of one clip two kinds
        os.rename(self.path("in", "a"), self.path("in", "b"))
        check(says=self.path("in", "a", "hero.gltf") + ": cannot open", numbers=(2, 0, 0, 2))
        self.good("verify", hero, "-a", self.path("in", "b"))
        content = self.content(self.path("in", "other.gltf"))
        self.hero(os.path.join("in", "other.gltf"), joint="wing")
        check(folder=other, says='other.qsb: has a rotation of "arm", but animation 0, walk of ', numbers=(0, 0, 0, 2))
        self.write(self.path("in", "other.gltf"), content + b" ")
        changed = "is not the file that %s was made from, other.gltf, or has changed since" % other
        self.assertIn(changed, self.good("verify", other).stderr)
        os.mkdir(self.path("empty"))
        check(folder=self.path("empty"), says="empty: there are no bundles in it", numbers=(0, 0, 0, 0))
        self.write(self.path("empty", "a.qsb"), self.content(other)[:-1])
        check(folder=self.path("empty"), says="a.qsb: the bundle is cut off", numbers=(0, 0, 0, 1))

    def test_release(self):
        """A bundle that does not say what it was made of."""
        bundle = self.path("hero.qsb")
        self.good("compress", *BOUNDS, "--release", "-o", bundle, self.hero())
        found = self.verify(bundle, "wave", "--against", self.path("hero.gltf"), "--animation", "wave", "-r", "0.05")
        self.assertIs(found["within"], True)
        self.bad(1, "verify", bundle, says="hero.qsb: does not say which file it was made from; give --against")
