"""Tests of what lengths of bounds are in: metres where a file says its unit, else the height of its rest pose."""
import json
import re

import numpy as np

from support.bvh import ROTATIONS, bvh_of
from support.command import Directory, model, run
from support.compressing import animation, small
from support.gltf import glb_of, gltf_text, gltf_tree
from support.page import page_run
from support.rotations import turns

HEIGHT = 0.6273941136457415  # of a figure, as part of its longest chain


class Lengths(Directory):
    def gltf(self, name, height, place=(0, 0, 0), aside=0.0, moved=(0, 1, 2)):
        """Three joints, the last so high above the first, below a node that stands at a place."""
        nodes = [
            {"name": "hip", "children": [1]},
            {"name": "chest", "children": [2], "translation": [aside, height / 2, 0]},
            {"name": "head", "translation": [0, height / 2, 0]},
            {"name": "world", "children": [0], "translation": list(place)},
        ]
        tree, content = gltf_tree(nodes, {"walk": [(n, "rotation", np.arange(5) / 10, turns(5, n), None) for n in moved]})
        tree["scenes"], tree["scene"] = [{"nodes": [3]}], 0
        return self.write(name, gltf_text(tree, content))

    def bvh(self, name, height):
        """A chain as long as that of a figure of a height."""
        hip = "hip", 0, "Xposition Yposition Zposition " + ROTATIONS, ("chest", height / HEIGHT, ROTATIONS)
        return self.write(name, bvh_of(["0 %d 0 %d 0 0 0 %d 0" % (i, 10 * i, 20 * i) for i in range(3)], hip, end=0))

    def bounds(self, *arguments):
        """Of the clips of files, which hold: the one in object space, its distance, of translations, and what counts as a metre."""
        report = self.json("compress", "--time", "0", *arguments)
        for entry in report["animations"]:
            if entry["object_bound"]:
                self.assertLessEqual(entry["worst_object_error"], entry["object_bound"] * (1 + 1e-6))
                self.assertGreater(entry["worst_object_error"], entry["object_bound"] / 20)
        return [
            tuple(entry[key] for key in ("object_bound", "object_distance", "translation_bound", "rest_pose_height"))
            for entry in report["animations"]
        ]

    def check(self, found, expected):
        self.assertEqual([[value is None for value in row] for row in found], [[value is None for value in row] for row in expected])
        for row, wanted in zip(found, expected):
            np.testing.assert_allclose([v for v in row if v], [v for v in wanted if v], rtol=1e-6)

    def test_of_gltf(self):
        metres = [(1e-4, 0.03, None, None)]
        self.check(self.bounds(self.gltf("small.gltf", 0.01)), metres)
        self.check(self.bounds(self.gltf("tall.gltf", 19.9)), metres)
        self.check(self.bounds(self.gltf("centimetres.gltf", 180)), [(180e-4, 180 * 0.03, None, 180)])
        # where it stands does not count, nor how wide it is, nor joints that nothing moves
        self.check(self.bounds(self.gltf("far.gltf", 1.8, place=(0, 500, 0))), metres)
        self.check(self.bounds(self.gltf("wide.gltf", 1.8, aside=30.0)), metres)
        self.check(self.bounds(self.gltf("still.gltf", 38, moved=(0, 1))), metres)

    def test_of_bvh(self):
        self.check(self.bounds(self.bvh("a.bvh", 172)), [(172e-4, 172 * 0.03, None, 172)])
        self.check(self.bounds(self.bvh("b.bvh", 0.5)), [(0.5e-4, 0.5 * 0.03, None, 0.5)])
        self.check(self.bounds(self.bvh("c.bvh", 0)), [(1e-4, 0.03, None, None)])  # no height
        self.check(self.bounds("--object", "1mm@3cm", self.bvh("a.bvh", 172)), [(172e-3, 172 * 0.03, None, 172)])
        self.check(self.bounds("--object", "0.5@3cm", self.bvh("a.bvh", 172)), [(0.5, 172 * 0.03, None, 172)])
        self.check(self.bounds("--object", "0.5@3", self.bvh("a.bvh", 172)), [(0.5, 3, None, None)])
        self.check(self.bounds("-t", "1cm", self.bvh("a.bvh", 172)), [(None, None, 1.72, 172)])

    def test_zero_poses_of_bvh(self):
        """One figure has one bound, whatever the pose of its OFFSETs, and whether all is below one joint or not."""

        def figure(name, turn, legs=2):
            generator, limbs = np.random.default_rng(turn), []
            for limb in [[40, 20, 10], *[[45, 40, 8]] * legs]:
                below = []
                for length in limb[::-1]:
                    at = np.array([0, length, 0.0]) if turn == 0 else generator.normal(size=3)
                    at *= length / np.linalg.norm(at)
                    below = [("part", tuple(at.tolist()), ROTATIONS if below else "", *below)]
                limbs += below
            numbers = [" ".join(map(str, row)) for row in np.arange(2 * 3 * (1 + 2 * (1 + legs))).reshape(2, -1)]
            return self.write(name, bvh_of(numbers, ("hip", 94, ROTATIONS, *limbs), end=0))

        height = HEIGHT * (93 + 93)
        for turn in 0, 1, 2:
            self.check(self.bounds(figure("figure%d.bvh" % turn, turn)), [(1e-4 * height, 0.03 * height, None, height)])
        hierarchy, motion = self.text("figure0.bvh").split("MOTION\n")
        head, rows = motion.splitlines()[:2], motion.splitlines()[2:]
        two = hierarchy + hierarchy[hierarchy.index("ROOT") :] + "\n".join(["MOTION", *head, *(row + " " + row for row in rows), ""])
        self.check(self.bounds(self.write("two.bvh", two.encode())), [(1e-4 * height, 0.03 * height, None, height)])  # not twice as high
        for turn in 0, 1:  # a tail alone
            self.check(self.bounds(figure("tail.bvh", turn, 0)), [(1e-4 * 70 * HEIGHT, 0.03 * 70 * HEIGHT, None, 70 * HEIGHT)])

    def test_of_fbx(self):
        path = model("FBX/huesitos.fbx")  # says that it is in centimetres
        self.check(self.bounds("--object", "0.1mm@3cm", path), [(0.01, 3, None, None)])
        self.check(self.bounds("--object", "1mm@3cm", path), [(0.1, 3, None, None)])
        self.check(self.bounds("--object", "1@3", path), [(1, 3, None, None)])
        self.check(self.bounds("-r", "0.1", path), [(None, None, 0.01, None)])
        self.check(self.bounds("-t", "2mm", path), [(None, None, 0.2, None)])

    def test_lengths_that_are_given_are_metres(self):
        path = self.gltf("centimetres.gltf", 180)
        self.check(self.bounds("--object", "2mm@3cm", path), [(0.002, 0.03, None, None)])
        self.check(self.bounds("-t", "2mm", path), [(None, None, 0.002, None)])
        self.check(self.bounds("-s", "0.01", path), [(None, None, 180e-4, 180)])  # a length that is not given
        self.check(self.bounds("--only", "rotation", path), [(None, None, None, None)])

    def test_it_is_said(self):
        metres, height = self.gltf("a.gltf", 1.8), self.bvh("b.bvh", 172)
        bound = "\nbound 0.1 mm for points at a distance of 3 cm from any joint; in "
        for file, says in (
            (metres, "the file's unit 0.0001 at 0.03\n"),
            (height, "the file's unit 0.0172 at 5.16; the rest pose is 172 high, which counts as a metre\n"),
        ):
            self.assertIn(bound + says, self.good("compress", "--time", "0", file).stdout)
        rule = bound + "files without a unit, or over 20 m high, the rest pose's height counts as a metre\n"
        result = self.good("compress", "--time", "0", metres, height).stdout
        self.assertIn(rule, result)
        self.assertIn("b.bvh: the rest pose is 172 high\n", result)
        self.assertRegex(result, r" -  +-  +[\d.]+ %  all 2 animations\n")  # lengths are of two units
        result = self.good("compress", "--time", "0", "--only", "rotation", metres, height).stdout
        self.assertIn("\nbounds: rotation 0.05 degrees\n", result)
        result = self.good("compress", "-o", self.path("out"), "--report", self.path("page.html"), metres, height).stdout
        self.assertIn(rule, result)
        self.assertIn("b.bvh: the rest pose is 172 high\n", result)
        share = 100 * float(re.search(r"at most ([\d.]+) of 0.1 mm at 3 cm \(", result)[1])
        self.assertTrue(50 < share < 100.01, share)
        page = page_run(self.path("page.html"))
        self.assertIsNone(page["object_bound"])
        units = [(entry["metres_per_unit"], entry["rest_pose_height"], entry["object_bound"]) for entry in page["animations"]]
        np.testing.assert_allclose(np.float64(units), [(1, np.nan, 0.0001), (1 / 172, 172, 0.0172)])
        self.assertAlmostEqual(max(entry["nearest"]["of_bound"] for entry in page["animations"]), share / 100, delta=0.005)

    def test_of_cmu(self):
        """Its unit is stated nowhere."""
        result = self.good("compress", "--time", "0", model("BVH/01_01.bvh"))
        self.assertIn("in the file's unit 0.002607 at 0.782; the rest pose is 26.07 high, which counts as a metre", result.stdout)

    def test_verify(self):
        """By the bundle, and by options, which are in metres as those of compress."""
        files = [self.gltf("a.gltf", 1.8), self.gltf("c.gltf", 180), self.bvh("b.bvh", 172)]
        self.good("compress", "-o", self.path("out"), *files)
        self.assertIn("3 within their bounds, 0 beyond", self.good("verify", self.path("out")).stdout)
        for options, bounds, status in (
            ([], [1e-4, 1.72e-2, 1.8e-2], 0),
            (["--object", "0.1mm@3cm"], [1e-4, 1.72e-2, 1e-4], 1),  # 180 are a metre by default alone
            (["--object", "2cm@3cm"], [0.02, 3.44, 0.02], 0),
        ):
            result = run("verify", "--json", *options, self.path("out"))
            np.testing.assert_allclose([clip["object"]["bound"] for clip in json.loads(result.stdout)["clips"]], bounds)
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(run("verify", "--object", "0.001mm@3cm", self.path("out", "b.qsb"), "Motion").returncode, 1)

    def chain(self, joints, place):
        """Joints one above the other, a metre apart, the first of which slides so far away."""
        nodes, curves = animation(joints, 12)
        for node in nodes[1:]:
            node["translation"] = [0, 1, 0]
        curves[-1] = (0, "translation", np.arange(12) / 30, curves[-1][3] + np.float32([place, 0, 0]), None)
        return glb_of(*gltf_tree(nodes, {"Walk": curves}))

    def test_no_clip_can_be_more_exact(self):
        """Errors above a bound are no fault where floats hold nothing nearer, and then both commands say it."""
        said = r"points are up to \S+ off, and the bound is \S+: no clip can be more exact\n"
        own = self.write("own.json", b'{"files": ["own.glb"], "joints": [{"match": "*", "bound": "1e-30@1"}]}')
        tight = ["--object", "1e-8@0.03"]
        for name, content, options in (
            ("plain.glb", small(), tight),
            ("own.glb", small(), None),
            ("far.glb", self.chain(3, 20000), []),
            ("deep.glb", self.chain(150, 0), tight),
        ):
            with self.subTest(name):
                out, path = self.path(name + ".qsb"), self.write(name, content)
                result = self.good("compress", "-o", out, *([own] if options is None else [*options, path]))
                self.assertRegex(result.stderr, name + ": .*" + said)
                result = self.good("verify", out)
                self.assertRegex(result.stderr, name + r"\.qsb: animation 0, Walk: " + said)
                self.assertIn("1 within their bounds, 0 beyond", result.stdout)
        self.assertEqual(self.good("compress", "--time", "0", self.path("plain.glb")).stderr, "")

    def test_beyond(self):
        """Any other miss is a fault, and both commands say of which joint, when, and by how much."""
        said = r'"(joint 1|spin)" at \S+ seconds: a point fixed to it is \S+ off, (\S+) times its bound of \S+\n'
        walk = self.write("walk.glb", small())
        self.good("compress", "--object", "1mm@3cm", "-o", self.path("walk.qsb"), walk)
        for options in ["--object", "1e-5@0.03"], ["--object", "1e-8@0.03"]:
            self.bad(1, "verify", *options, self.path("walk.qsb"), "Walk", says=re.compile(said.replace("joint 1", "joint .|last")))
        # sampling follows slerp of keys that are far apart within 0.0005 degrees
        keys = np.float32([[0, 0, 0, 1], [0, 0, 0.5, 0.75**0.5]])
        tree = gltf_tree(
            [{"name": "spin", "children": [1]}, {"name": "tip", "translation": [0, 1, 0]}],
            {"flip": [(0, "rotation", [0, 1], keys, "LINEAR")]},
        )
        flip, tight, bundle = self.write("flip.glb", glb_of(*tree)), ["--object", "3e-8@0.03"], self.path("flip.qsb")
        self.good("compress", "-o", bundle, flip)
        for options in ["--time", "0"], ["-o", bundle]:
            with self.subTest(options):
                result = run("compress", *tight, *options, flip)
                self.assertEqual(result.returncode, 1)
                self.assertGreater(float(re.search(said, result.stderr)[2]), 2, result.stderr)
                self.assertNotIn("more exact", result.stderr)
                self.assertIn("1 clip beyond a bound", result.stdout)
        # the clip is there all the same
        result = run("verify", bundle)
        self.assertEqual(result.returncode, 1)
        self.assertGreater(float(re.search(said, result.stderr)[2]), 2, result.stderr)

    def test_other_bounds_than_those_it_was_made_with(self):
        """Rounding may explain a miss, but another clip might be more exact."""
        self.good("compress", "--object", "1@0.1", "-o", self.path("far.qsb"), self.write("far.glb", self.chain(3, 2**21)))
        result = self.good("verify", "--object", "0.2@0.1", self.path("far.qsb"))
        self.assertRegex(result.stderr, r"points are up to \S+ off, and the bound is 0\.2: the rounding of floats explains it\n")

    def test_far_joints_excuse_no_near_ones(self):
        """The rounding of a joint two kilometres away is none of a joint at the root."""
        nodes, curves = animation(2, 12)
        nodes[0]["children"], nodes[1]["translation"] = [1, 2], [0, 0.1, 0]
        nodes.append({"name": "moon", "translation": [2000, 0, 0]})
        curves = [*curves[:2], (2, *curves[1][1:])]  # the moon turns, too, or it would be no joint
        moon = self.write("moon.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))
        self.good("compress", "--object", "1mm@3cm", "-o", self.path("moon.qsb"), moon)
        self.bad(1, "verify", "--object", "0.3mm@3cm", self.path("moon.qsb"), says='"last" at ')

    def test_own_bounds_along_a_chain(self):
        """A coarse bound of a joint leaves the finer ones of those below it."""
        spline = np.zeros((9, 3), np.float32)
        spline[[0, 2], 0], spline[[6, 8], 0], spline[4, 0] = 3.14159, -3.14159, 1
        nodes = [{"name": "cart", "children": [1]}, {"name": "arm", "children": [2]}, {"name": "hand"}]
        curves = [(0, "translation", [0, 1, 2], spline, "CUBICSPLINE"), (2, "rotation", np.arange(3), turns(3, 1), None)]
        self.write("cart.glb", glb_of(*gltf_tree(nodes, {"roll": curves})))
        coarse, out = b'{"match": "cart", "bound": "10@1"}', self.path("cart.qsb")
        for rules in coarse, coarse + b', {"match": "hand", "bound": "1e-5@1"}':
            recipe = self.write("cart.json", b'{"files": ["cart.glb"], "joints": [%s]}' % rules)
            said = "" if rules == coarse else "quatsimd: %s: is replaced: it was made by other options\n" % out
            self.assertEqual(self.good("compress", recipe, "-o", out).stderr, said)
            result = self.good("verify", out)
            self.assertEqual(result.stderr, "")
            self.assertIn("1 within their bounds, 0 beyond", result.stdout)

    def test_other_lengths_are_another_clip(self):
        """A metre of an option is not a unit of the file: clips are made again."""
        path, out = self.bvh("b.bvh", 172), self.path("b.qsb")
        for option, made in ("0.0001@0.03", True), ("0.1mm@3cm", True), ("0.1mm@0.03", True), ("0.1mm@0.03", False):
            result = self.good("compress", "-o", out, "--object", option, path)
            self.assertEqual(out + ": up to date\n" in result.stdout, not made, option)
        self.assertNotIn("up to date", self.good("compress", "-o", out, path).stdout)
