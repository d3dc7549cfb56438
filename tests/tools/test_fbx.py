"""FBX files of our own, by the formula of FBX: pivots, offsets, rotations before and after, orders, mirrors, scales that
are not handed down. QUATSIMD_PRINT_SCENE names the program that prints what the command reads."""
import glob
import json
import os
import unittest

import numpy as np

from support.command import Directory, model, need_assimp, run
from support.compressing import small
from support.fbx import fbx_binary, fbx_text, local_at, read_fbx, rotation, scaling, times_of, translation, worlds_at
from support.fbx_figures import FIGURES, TIMES, arcs, figure, partly, plain, vector, without_parents_scale
from support.playing import difference, key_times, matrix, read_scene, scene_at, value_at

DEGREES, HEIGHT = 0.1, 1e-3  # the latter: a part of the figure's height


def height(models):
    places = [world[:3, 3] for world in worlds_at(models, None).values()]
    return np.linalg.norm(np.ptp(places, axis=0))


class Fbx(Directory):
    def setUp(self):
        if not os.path.exists(os.environ.get("QUATSIMD_PRINT_SCENE", "")):
            raise unittest.SkipTest("QUATSIMD_PRINT_SCENE is not set")
        need_assimp()
        super().setUp()

    def each(self, check, figures=FIGURES):
        for make in figures:
            for name, write in ("text", fbx_text), ("binary", fbx_binary):
                with self.subTest(make.__name__, file=name):
                    check(make, self.write("%s-%s.fbx" % (make.__name__, name), write(make())))

    def check_scene(self, scene, models, times, among=1.0):
        names = {node["name"]: node.get("parent", "RootNode") for node in models}
        found = {node["name"]: scene["nodes"][node["parent"]]["name"] for node in scene["nodes"] if node["parent"] >= 0}
        self.assertEqual(found, names)
        for time in [None, *times]:
            worlds, expected = scene_at(scene, time), worlds_at(models, time)
            for name, world in expected.items():
                degrees, distance = difference(worlds[name], world)
                self.assertLess(degrees, among * DEGREES, (name, time))
                self.assertLess(distance, among * HEIGHT * height(models), (name, time))

    def test_figures(self):
        def check(make, path):
            times = TIMES if make not in (partly, without_parents_scale) else []
            self.check_scene(read_scene(path), make(), times, 0.01)

        self.each(check)

    def check_locals(self, models, scene):
        """Of each node at the keys of its curves, when other nodes may have none."""
        for node in models:
            for time in times_of(node):
                channel = next(channel for channel in scene["animations"][0]["channels"] if channel["name"] == node["name"])
                self.assertLess(np.abs(np.array(channel["rotation"]["times"]) - time).min(), 1e-6)
                at = {kind: value_at(channel[kind], time) for kind in ("translation", "rotation", "scale")}
                degrees, distance = difference(matrix(**at), local_at(node, time))
                self.assertLess(degrees, 0.01 * DEGREES, (node["name"], time))
                self.assertLess(distance, 0.01 * HEIGHT * height(models), (node["name"], time))

    def test_keys_of_each_node(self):
        self.each(
            lambda make, path: self.check_locals(make(), read_scene(path)), [make for make in FIGURES if make is not without_parents_scale]
        )

    def test_a_scale_that_is_not_handed_down(self):
        """Where the parent's scale has a key, its child has one, which has no curves of its own."""

        def check(make, path):
            models, scene = make(), read_scene(path)
            channel = next(channel for channel in scene["animations"][0]["channels"] if channel["name"] == "clavicle")
            self.assertIn(0.35, np.round(channel["scale"]["times"], 6))
            for time in 0, 1.25:
                for name, world in worlds_at(models, time).items():
                    degrees, distance = difference(scene_at(scene, time)[name], world)
                    self.assertLess(degrees, 0.01 * DEGREES, (name, time))
                    self.assertLess(distance, 0.01 * HEIGHT * height(models), (name, time))

        self.each(check, [without_parents_scale])

    def test_shears_are_mentioned(self):
        """FBX can shear a node below one that is scaled by axis; nothing else can, and it is said."""
        for kind, size, says in (0, [1, 2, 1], True), (2, [1, 2, 1], True), (1, [1, 2, 1], False), (0, [2, 2, 2], False):
            models = plain()
            for node in models:
                node["InheritType"] = kind
            models[1]["Lcl Scaling"] = size
            result = self.good("compress", "--time", "0", self.write("scaled.fbx", fbx_binary(models)))
            self.assertEqual("InheritType asks for a shear" in result.stderr, says, (kind, size))

    def test_curves_that_assimp_leaves_out(self):
        models = plain()
        curve = models[1]["curves"]["R"]["X"]
        models[1]["curves"]["R"]["X"] = ([0, 1, 1], list(curve[1])[:3])
        result = self.good("compress", "--time", "0", self.write("equal.fbx", fbx_text(models)))
        self.assertIn("Assimp leaves out 1 part that it cannot read: FBX-DOM", result.stderr)

    def test_between_keys(self):
        """Turns about one axis, however wide, also about a pivot."""
        models = arcs()
        path = self.write("arcs.fbx", fbx_text(models))
        self.check_scene(read_scene(path), models, np.linspace(0, 1.25, 101))

    def test_decompress(self):
        def check(make, path):
            clips, out = path[:-4], path[:-4] + ".glb"
            self.good("compress", "-r", "0.001", "-t", "1e-4", "-s", "1e-5", "-o", clips, path)
            clip = os.path.join(clips, os.path.basename(path), "walk.qsc")
            self.good("decompress", clip, "--into", path, "-o", out)
            with open(out, "rb") as file:
                self.assertNotRegex(file.read(), b"AssimpFbx|.(reRotation|otationPivot)")
            self.check_scene(read_scene(out), make(), TIMES if make not in (partly, without_parents_scale) else [0, 1.25])

        self.each(check)

    def test_files_of_others(self):
        """At all keys, and what decompress makes of them. Their axes have keys at different times."""
        for name, joints in ("huesitos", 10), ("animation_with_skeleton", 15):
            with self.subTest(name):
                path, out = model("FBX/%s.fbx" % name), self.path(name + ".glb")
                models, scene = read_fbx(path), read_scene(path)
                self.assertEqual(len(models), joints)
                self.good("compress", "-r", "0.001", "-t", "1e-4", "-s", "1e-5", "-o", self.path(name), path)
                (clip,) = glob.glob(self.path(name, "*", "*.qsc"))
                self.good("decompress", clip, "--into", path, "-o", out)
                made = read_scene(out)
                for time in [None, *key_times(scene)]:
                    expected = worlds_at(models, time)
                    for found, among in (scene, 0.01), (made, 1):
                        worlds = scene_at(found, time)
                        for node, world in expected.items():
                            degrees, distance = difference(worlds[node], world)
                            self.assertLess(degrees, among * DEGREES, (node, time))
                            self.assertLess(distance, among * HEIGHT * height(models), (node, time))

    def test_not_exact(self):
        """Said of each FBX once, whatever its name is, and of nothing else; and what verify compares with."""
        says = "FBX is not read exactly: stepped and cubic keys become linear, and layers, takes that are ranges of time, morph weights and negative scales can be lost"
        other = self.write("walk.glb", small())
        for name, content in (
            ("text.fbx", fbx_text(plain())),
            ("binary.fbx", fbx_binary(plain())),
            ("text.dat", fbx_text(plain())),
            ("binary.dat", fbx_binary(plain())),
        ):
            with self.subTest(name):
                path, out, page = self.write(name, content), self.path("out-" + name), self.path(name + ".html")
                line = "quatsimd: %s: %s; for exact results convert it to .glb with Blender\n" % (path, says)
                for command in (
                    ["compress", "--time", "0", other],
                    ["compress", "-o", out, "--report", page, other],
                    ["measure", "--no-speed", other],
                ):
                    self.assertEqual(self.good(*command, path).stderr, line, command)
                result = run("info", path)
                self.assertEqual((result.returncode, result.stderr.count(line)), (1, 1), result.stderr)
                clip = os.path.join(out, name, "walk.qsc")
                self.assertIn("%s against %s as Assimp reads it, animation 0" % (clip, path), self.good("verify", clip).stdout)
                self.assertEqual(json.loads(self.good("verify", "--json", clip).stdout)["compared_with"], "the FBX as Assimp reads it")
                self.assertIn("\n1 compared with FBX as Assimp reads it. " + says, self.good("verify", out).stdout)
                self.assertEqual(says in self.good("info", clip).stdout, name.endswith(".fbx"))
                for shown in (
                    run("verify", os.path.join(out, "walk.glb", "Walk.qsc")),
                    run("info", os.path.join(out, "walk.glb", "Walk.qsc")),
                    run("info", other),
                ):
                    self.assertNotIn("FBX", shown.stdout + shown.stderr)
                self.assertNotIn("compared_with", self.good("verify", "--json", os.path.join(out, "walk.glb", "Walk.qsc")).stdout)

    def test_meshes_beside_their_node(self):
        """The geometric transform is that of a node's meshes and not of its children."""
        models = figure(12, PreRotation=vector(90), RotationPivot=vector(5))
        models[1].update(mesh=True, GeometricTranslation=[1, 2, 3], GeometricRotation=[30, -40, 50], GeometricScaling=[1, 2, 3])
        moved = translation([1, 2, 3]) @ rotation([30, -40, 50]) @ scaling([1, 2, 3])
        path, out = self.write("mesh.fbx", fbx_text(models)), self.path("out.glb")
        self.check_scene(read_scene(path), models, TIMES, 0.01)
        self.good("compress", "-o", self.path("clips"), path)
        self.good("decompress", self.path("clips", "mesh.fbx", "walk.qsc"), "--into", path, "-o", out)
        worlds, expected = scene_at(read_scene(out), None), worlds_at(models, None)
        np.testing.assert_allclose(worlds["spine_geometry"], expected["spine"] @ moved, atol=1e-4)
        np.testing.assert_allclose(worlds["hand"], expected["hand"], atol=1e-4)


if __name__ == "__main__":
    unittest.main()
