"""FBX files of our own, by the formula of FBX: pivots, offsets, rotations before and after, orders, mirrors, scales that
are not handed down. QUATSIMD_PRINT_SCENE names the program that prints what the command reads, QUATSIMD_FBX_FILES the one
that compares it with ufbx's evaluation."""

import os

import numpy as np

from support.command import Directory, run
from support.fbx import fbx_binary, fbx_old, fbx_text, local_at, times_of, worlds_at
from support.fbx_figures import FIGURES, TIMES, arcs, partly, plain, without_parents_scale
from support.playing import difference, matrix, read_scene, scene_at, value_at

DEGREES, HEIGHT = 0.1, 1e-3  # the latter: a part of the figure's height


def height(models):
    places = [world[:3, 3] for world in worlds_at(models, None).values()]
    return np.linalg.norm(np.ptp(places, axis=0))


class Fbx(Directory):
    def each(self, check, figures=FIGURES):
        for make in figures:
            for name, write in ("text", fbx_text), ("binary", fbx_binary):
                with self.subTest(make.__name__, file=name):
                    check(make, self.write("%s-%s.fbx" % (make.__name__, name), write(make())))

    def check_scene(self, scene, models, times, among=1.0):
        names = {node["name"]: node.get("parent") for node in models}
        found = {node["name"]: scene["nodes"][node["parent"]]["name"] if node["parent"] >= 0 else None for node in scene["nodes"]}
        self.assertEqual(found, names)
        for time in [None, *times]:
            self.check_worlds(scene, models, time, among)

    def close(self, p, q, models, among, what):
        degrees, distance = difference(p, q)
        self.assertLess(degrees, among * DEGREES, what)
        self.assertLess(distance, among * HEIGHT * height(models), what)

    def check_worlds(self, scene, models, time, among):
        found = scene_at(scene, time)
        for name, world in worlds_at(models, time).items():
            self.close(found[name], world, models, among, (name, time))

    def check_with_ufbx(self, path):
        result = run(path, tool=os.environ.get("QUATSIMD_FBX_FILES"))
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_figures(self):
        def check(make, path):
            self.check_with_ufbx(path)
            times = TIMES if make not in (partly, without_parents_scale) else []
            self.check_scene(read_scene(path), make(), times, 0.01)

        self.each(check)

    def test_old_versions(self):
        """Before 6, nodes have no pivots, and what they are at rest is not in the file."""
        for version, figures in (6100, FIGURES), (5800, [plain]), (5000, [plain]), (4000, [plain]), (3000, [plain]):
            for make in figures:
                with self.subTest(make.__name__, version=version):
                    path = self.write("old.fbx", fbx_old(make(), version))
                    self.check_with_ufbx(path)
                    times = TIMES if make not in (partly, without_parents_scale) else []
                    for time in [None, *times] if version > 6000 else times:
                        self.check_worlds(read_scene(path), make(), time, 0.01)

    def check_locals(self, models, scene):
        """Of each node at the keys of its curves, when other nodes may have none."""
        for node in models:
            for time in times_of(node):
                channel = next(channel for channel in scene["animations"][0]["channels"] if channel["name"] == node["name"])
                self.assertLess(np.abs(np.array(channel["rotation"]["times"]) - time).min(), 1e-6)
                (rest,) = (other for other in scene["nodes"] if other["name"] == node["name"])
                kinds = "translation", "rotation", "scale"
                at = {kind: value_at(channel[kind], time) if kind in channel else rest[kind] for kind in kinds}
                self.close(matrix(**at), local_at(node, time), models, 0.01, (node["name"], time))

    def test_keys_of_each_node(self):
        figures = [make for make in FIGURES if make is not without_parents_scale]
        self.each(lambda make, path: self.check_locals(make(), read_scene(path)), figures)

    def test_a_scale_that_is_not_handed_down(self):
        """Where the parent's scale has a key, its child has one, which has no curves of its own."""

        def check(make, path):
            models, scene = make(), read_scene(path)
            channel = next(channel for channel in scene["animations"][0]["channels"] if channel["name"] == "clavicle")
            self.assertIn(0.35, np.round(channel["scale"]["times"], 6))
            for time in 0, 1.25:
                self.check_worlds(scene, models, time, 0.01)

        self.each(check, [without_parents_scale])

    def test_shears_are_mentioned(self):
        """FBX can shear a node below one that is scaled by axis; nothing else can, and it is said."""
        for kind, size, says in (0, [1, 2, 1], True), (2, [1, 2, 1], True), (1, [1, 2, 1], False), (0, [2, 2, 2], False):
            models = plain()
            for node in models:
                node["InheritType"] = kind
            models[1]["Lcl Scaling"] = size
            path = self.write("scaled.fbx", fbx_binary(models))
            self.check_with_ufbx(path)
            result = self.good("compress", "--time", "0", path)
            self.assertEqual("InheritType asks for a shear" in result.stderr, says, (kind, size))

    def test_texts_that_are_cut(self):
        """ufbx reads what is there of a text."""
        content = fbx_text(plain())
        for part in 0.3, 0.6, 0.9, 0.99:
            path = self.write("cut.fbx", content[: int(part * len(content))])
            self.bad(1, "compress", path, says="cut.fbx: is cut: its text ends within braces or quotes")
        comment = b'; a comment with { and "\n'
        self.good("compress", "--time", "0", self.write("whole.fbx", content.replace(b"Objects:", comment + b"Objects:")))

    def test_too_deep(self):
        content = fbx_text(plain())
        chain = [{"name": str(i), **({"parent": str(i - 1)} if i else {})} for i in range(10001)]
        nested = content + b"A: {\n" * 40 + b"}\n" * 40
        for text, why in (nested, "Failed to load"), (fbx_text(chain + plain()), "Node depth limit exceeded"):
            self.bad(1, "compress", self.write("deep.fbx", text), says="deep.fbx: is no FBX file that ufbx reads: " + why)

    def test_keys_at_one_time(self):
        models = plain()
        curve = models[1]["curves"]["R"]["X"]
        models[1]["curves"]["R"]["X"] = ([0, 1, 1], list(curve[1])[:3])
        self.good("compress", "--time", "0", self.write("equal.fbx", fbx_text(models)))

    def test_between_keys(self):
        """Turns about one axis, however wide, also about a pivot."""
        models = arcs()
        path = self.write("arcs.fbx", fbx_text(models))
        self.check_scene(read_scene(path), models, np.linspace(0, 1.25, 101))

    def decompressed(self, path):
        """The scene that decompress makes of the file's clip, in the file's unit again."""
        bundle, out = self.path("clips.qsb"), self.path("made.glb")
        self.good("compress", "-r", "0.001", "-t", "1e-4", "-s", "1e-5", "-o", bundle, path)
        self.good("decompress", bundle, "-o", out)
        scene, metres = read_scene(out), read_scene(path)["metres"]
        for part in scene["nodes"] + [c["translation"] for c in scene["animations"][0]["channels"] if "translation" in c]:
            key = "values" if "values" in part else "translation"
            part[key] = (np.array(part[key]) / metres).tolist()
        return scene

    def test_decompress(self):
        def check(make, path):
            self.check_scene(self.decompressed(path), make(), TIMES if make not in (partly, without_parents_scale) else [0, 1.25])

        self.each(check)

    def test_units_and_axes(self):
        """The skeleton knows the unit; the bound's height is along y only if that is up."""
        for unit, up in (1, 1), (2.54, 1), (100, 2):
            scene = read_scene(self.write("unit.fbx", fbx_binary(plain(), unit=unit, up=up)))
            self.assertAlmostEqual(scene["metres"], unit / 100)
            self.assertEqual(scene["y_up"], up == 1)

    def test_names_that_are_no_text(self):
        for write in fbx_text, fbx_binary:
            models = plain()
            for node in models:
                for key in "name", "parent":
                    if node.get(key) in ("arm", "hand"):
                        node[key] = {"arm": "x\udcff", "hand": "x\udcfe"}[node[key]]
            names = [node["name"] for node in read_scene(self.write("names.fbx", write(models)))["nodes"]]
            self.assertEqual(names[-2:], ["x\\xFF", "x\\xFE"])
