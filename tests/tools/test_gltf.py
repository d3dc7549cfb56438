"""Tests of glTF files as exporters make them: splines, sparse accessors, pointers, equal times, and what clips do not have."""

import numpy as np

from support.command import MEMORY_LIMIT, Directory, limited_memory, run
from support.gltf import append, glb_of, gltf_text, gltf_tree
from support.gltf_pose import values_at
from support.playing import curves_of, read_scene
from support.rotations import degrees_between, moves, turns

ROTATION, TRANSLATION = 0.05, 0.01  # the bounds without options; degrees
NODES = [{"name": "hip", "children": [1]}, {"name": "knee"}]


def spline(keys, width, seed):
    """Values between tangents before and behind them, as glTF has them."""
    random = np.random.default_rng(seed)
    values = turns(keys) if width == 4 else moves(keys, seed)
    tangents = random.normal(scale=0.5, size=(2, keys, width))
    return np.stack([tangents[0], values, tangents[1]], axis=1).reshape(3 * keys, width).astype("<f4")


class Gltf(Directory):
    def scene(self, path, says=""):
        return curves_of(read_scene(path, says and "quatsimd: %s: %s\n" % (path, says)))

    def save_as(self, name, tree, content):
        return self.write(name, (glb_of if name.endswith(".glb") else gltf_text)(tree, content))

    def compressed(self, path, *options):
        bundle, clip = self.path("clips.qsb"), self.path("move.qsc")
        self.good("compress", "-o", bundle, "-r", "0.05", "-t", "0.01", *options, path)
        self.good("extract", bundle, "move", "-o", clip)
        return clip

    # ---- splines ----

    def splines(self):
        times = np.array([0, 0.25, 0.75, 1, 1.5], "<f4")
        curves = [
            (0, "translation", times, spline(5, 3, 1), "CUBICSPLINE"),
            (0, "rotation", times, spline(5, 4, 2), "CUBICSPLINE"),
            (1, "rotation", times[:2], turns(2), None),
        ]
        return curves, self.save_as("in.glb", *gltf_tree(NODES, {"move": curves}))

    def test_splines_are_read_whole(self):
        curves, path = self.splines()
        read = self.scene(path)
        for node, kind, times, values, interpolation in curves:
            found = read[NODES[node]["name"], kind]
            np.testing.assert_array_equal(found[0], times.astype(float))
            np.testing.assert_array_equal(found[1], np.asarray(values, "<f4"))
            self.assertEqual(found[2:], (False, interpolation == "CUBICSPLINE"))

    def test_splines_there_and_back(self):
        curves, path = self.splines()
        clip = self.compressed(path)
        self.good("verify", clip, "-a", path, "-r", "0.0501", "-t", "0.01001")
        self.bad(1, "verify", clip, "-a", path, "-r", "0.001", "-t", "0.01", says="")
        self.good("decompress", self.path("clips.qsb"), "-o", self.path("out.glb"))
        back = self.scene(self.path("out.glb"))
        for node, kind, times, values, interpolation in curves[:2]:
            found = back[NODES[node]["name"], kind]
            values = np.asarray(values, "<f4")
            here, there = (values_at(times, v, np.linspace(-0.1, 1.6, 200), cubic=True) for v in (values, found[1]))
            if kind == "rotation":
                self.assertLess(degrees_between(here, there).max(), 3 * ROTATION)
            else:
                self.assertLess(np.linalg.norm(here - there, axis=1).max(), 1.001 * TRANSLATION)

    def test_commands_that_take_keys_take_no_tangents(self):
        curves, path = self.splines()
        report = self.json("measure", "--no-speed", path)
        self.assertEqual(report["keys"], 7)
        entry = self.json("import", path, self.path("out"))[0]
        np.testing.assert_array_equal(np.load(entry["file"]), curves[1][3][1::3])

    def test_splines_with_too_few_tangents(self):
        short = [(0, "rotation", [0, 1], turns(2), "CUBICSPLINE")]
        path = self.save_as("in.glb", *gltf_tree(NODES, {"move": short}))
        self.bad(1, "compress", path, says=path + ": animation 0, move: hip: rotation: it has 2 times for 2 values and tangents")

    # ---- accessors ----

    def sparse(self, base, at_, change, kind="<u2"):
        """A translation whose accessor has other elements at some places; base None: zeros."""
        keys = np.zeros((6, 3), "<f4") if base is None else base.copy()
        tree, content = gltf_tree(NODES, {"move": [(0, "translation", np.arange(6) / 8, keys, None)]})
        index, content = append(tree, content, np.asarray(at_, kind).reshape(-1, 1))
        values, content = append(tree, content, np.asarray(change, "<f4"))
        accessors = tree["accessors"]
        accessors[1]["sparse"] = {
            "count": len(at_),
            "indices": {key: accessors[index][key] for key in ("bufferView", "componentType")},
            "values": {"bufferView": accessors[values]["bufferView"]},
        }
        if base is None:
            del tree["accessors"][1]["bufferView"]
        keys[list(at_)] = change
        return tree, content, keys

    def test_sparse_accessors(self):
        for base in moves(6), None:
            for kind in "|u1", "<u2", "<u4":
                with self.subTest(base=base is not None, kind=kind):
                    tree, content, keys = self.sparse(base, [1, 4], [[1, 2, 3], [4, 5, 6]], kind)
                    read = self.scene(self.save_as("in.glb", tree, content))
                    np.testing.assert_array_equal(read["hip", "translation"][1], keys)

    def test_accessors_without_a_view(self):
        """They are zeros."""
        tree, content = gltf_tree([{"name": "hip"}], {"walk": [(0, "translation", [0, 1, 2], moves(3), None)]})
        del tree["accessors"][1]["bufferView"]
        read = self.scene(self.save_as("in.glb", tree, content))
        np.testing.assert_array_equal(read["hip", "translation"][1], np.zeros((3, 3)))

    def test_accessors_that_are_too_long(self):
        tree, content, _ = self.sparse(None, [1, 4], [[1, 2, 3], [4, 5, 6]])
        tree["accessors"][1]["count"] = 1 << 40
        path = self.save_as("in.glb", tree, content)
        says = "hip: translation: accessor 1: has no bufferView, and more elements than are read so"
        self.bad(1, "compress", path, says="%s: animation 0, move: %s" % (path, says))

    @limited_memory
    def test_shared_accessors_take_memory_once(self):
        """docs/command.md says how much."""
        keys, joints = 20000, 8000  # copies of times and values would be 3.2 GB, more than the limit
        nodes = [{"name": "n%d" % i} for i in range(joints)]
        tree, content = gltf_tree(nodes, {"move": [(0, "rotation", np.arange(keys) / 30, turns(keys), None)]})
        tree["animations"][0]["channels"] = [{"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in range(joints)]
        path = self.save_as("in.glb", tree, content)
        # reading alone: nothing is scaled
        self.good("compress", "--only", "scale", path, preexec_fn=MEMORY_LIMIT)

    # ---- targets ----

    def test_pointers_to_nodes(self):
        tree, content = gltf_tree(NODES, {"move": [(1, "rotation", [0, 1], turns(2), None), (0, "scale", [0, 1], moves(2) + 5, None)]})
        channels = tree["animations"][0]["channels"]
        for channel, pointer in zip(channels, ("/nodes/1/rotation", "/nodes/0/scale")):
            channel["target"] = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
        path = self.save_as("in.glb", tree, content)
        self.assertEqual(set(self.scene(path)), {("knee", "rotation"), ("hip", "scale")})
        channels[0]["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = "/nodes/2/rotation"
        path = self.save_as("out.gltf", tree, content)
        self.bad(1, "compress", path, says="a channel's node is not in the file")

    def test_what_moves_no_node_is_named(self):
        keys = [(0, "rotation", [0, 1], turns(2), None), (1, "translation", [0, 1], moves(2), None)]
        pointer = lambda text: {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": text}}}
        for target, name in (
            ({"node": 0, "path": "weights"}, "weights of a node without morph targets"),
            ({"path": "translation"}, "a target without a node"),
            ({"node": 0}, "a target without a path"),
            ({"node": 0, "path": "turn"}, "turn"),
            (pointer("/materials/0/emissiveFactor"), "/materials/0/emissiveFactor"),
            (pointer("/nodes/0/weights"), "weights of a node without morph targets"),
            (pointer("/nodes/0"), "/nodes/0"),
        ):
            with self.subTest(name):
                tree, content = gltf_tree(NODES, {"move": keys})
                tree["animations"][0]["channels"][1]["target"] = target
                path = self.save_as("in.glb", tree, content)
                says = "animation 0, move: 1 channel is left out: " + name
                self.assertEqual(set(self.scene(path, says)), {("hip", "rotation")})
                result = run("compress", path)
                self.assertEqual((result.returncode, result.stderr), (0, "quatsimd: %s: %s\n" % (path, says)))

    def test_weights_of_nothing_alone(self):
        tree, content = gltf_tree(NODES, {"move": [(0, "rotation", [0, 1], turns(2), None)]})
        tree["animations"][0]["channels"][0]["target"]["path"] = "weights"
        path = self.save_as("in.glb", tree, content)
        result = run("compress", path)
        self.assertIn("1 channel is left out: weights of a node without morph targets", result.stderr)
        self.assertNotIn("nothing moves", result.stdout + result.stderr)

    # ---- equal times ----

    def test_equal_times(self):
        places = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]], "<f4")
        for times, kept, merged in (
            ([0, 1, 1, 2, 3], ([0, 1, 2, 3], [0, 1, 5, 6]), 1),  # the same value: merged
            ([0, 1, 2, 2, 3], ([0, 1, np.nextafter(2, 0), 2, 3], [0, 1, 1, 5, 6]), 0),  # it jumps
            ([0, 1, 1, 1, 3], ([0, np.nextafter(1, 0), 1, 3], [0, 1, 5, 6]), 0),
            ([0, 0, 1, 2, 3], ([0, 1, 2, 3], [1, 1, 5, 6]), 1),  # nothing is before the first
        ):
            with self.subTest(times):
                curves = [(0, "translation", times, places, None), (1, "rotation", times, turns(5), "STEP")]
                path = self.save_as("in.glb", *gltf_tree(NODES, {"move": curves}))
                steps = len(times) - len(set(times))
                count = merged + steps
                text = "%d key%s merged with the next key, which has the same time" % (count, "s are" if count > 1 else " is")
                read = self.scene(path, "animation 0, move: " + text)
                np.testing.assert_array_equal(read["hip", "translation"][0], kept[0])
                np.testing.assert_array_equal(read["hip", "translation"][1][:, 0], kept[1])
                self.assertEqual(len(read["knee", "rotation"][0]), 5 - steps)
                clip = self.compressed(path)
                self.good("verify", clip, "-a", path, "-r", "0.0501", "-t", "0.01001")

    def test_equal_times_of_splines(self):
        """A merged key has the tangent before the first and that behind the last."""
        values = spline(4, 3, 3).reshape(4, 3, 3)
        values[2, 1] = values[1, 1]
        curves = [(0, "translation", [0, 1, 1, 2], values.reshape(12, 3), "CUBICSPLINE")]
        path = self.save_as("in.glb", *gltf_tree(NODES, {"move": curves}))
        says = "animation 0, move: 1 key is merged with the next key, which has the same time"
        times, read, _, cubic = self.scene(path, says)["hip", "translation"]
        np.testing.assert_array_equal(times, [0, 1, 2])
        self.assertTrue(cubic)
        merged = [values[1, 0], values[1, 1], values[2, 2]]
        np.testing.assert_array_equal(read.reshape(3, 3, 3), [values[0], merged, values[3]])
