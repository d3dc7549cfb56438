"""Tests of what the command reads from animations. QUATSIMD_PRINT_SCENE names the program that prints it."""
import base64
import json
import os
import re
import struct
import textwrap

import numpy as np

from support.bvh import ROTATIONS, bvh_of
from support.command import PRINT_SCENE, Directory, data, run
from support.fbx import fbx_text
from support.fbx_figures import plain
from support.gltf import changed, glb_of, gltf_text, gltf_tree, read_gltf_curves
from support.playing import curves_of, matrix
from support.rotations import degrees_between, moves, rotations, turns


class Scenes(Directory):
    def scene(self, path, says=()):
        """What the command reads, None for nothing; and it says these texts, all in one line."""
        result, says = run(path, tool=PRINT_SCENE), [says] if isinstance(says, str) else says
        for text in says:
            self.assertIn(text, result.stderr)
        self.assertEqual(result.stderr.count("\n"), len(says[:1]))
        self.assertEqual(result.returncode, 0 if result.stdout else 1)
        return json.loads(result.stdout or "null")

    def check_curve(self, curve, times, values, step=False):
        np.testing.assert_array_equal(curve[0], np.asarray(times, "<f4").astype(float))
        np.testing.assert_array_equal(curve[1], np.asarray(values, "<f4"))
        self.assertEqual(curve[2], step)

    def check_hierarchy(self, scene):
        for i, node in enumerate(scene["nodes"]):
            above = i - 1  # depth first: what comes before, or one above that
            while above != node["parent"]:
                self.assertGreaterEqual(above, 0)
                above = scene["nodes"][above]["parent"]
        channels = [channel for animation in scene["animations"] for channel in animation["channels"]]
        moved = {channel["node"] for channel in channels if len(channel) > len(("name", "node"))}
        for node in moved | {i for i, node in enumerate(scene["nodes"]) if node["in_skin"]}:
            moved.add(node)
            while node >= 0:
                moved.add(node)
                node = scene["nodes"][node]["parent"]
        numbers = [joint["node"] for joint in scene["joints"]]
        self.assertEqual(numbers, sorted(moved))
        for joint in scene["joints"]:
            parent = scene["nodes"][joint["node"]]["parent"]
            self.assertEqual(joint["parent"], -1 if parent < 0 else numbers.index(parent))

    def test_files_as_stored(self):
        for name, curves, steps in (
            ("kaykit/Knight.glb", 8712, 0),
            ("khronos/Fox.glb", 63, 0),
            ("khronos/cesium_man.gltf", 57, 0),
            ("khronos/box_animated.gltf", 2, 0),
            ("mesh2motion/bird-animations.glb", 825, 751),
            ("mesh2motion/dragon-animations.glb", 1500, 1151),
            ("mesh2motion/fox-animations.glb", 2058, 1714),
            ("mesh2motion/horse-animations.glb", 2352, 1313),
            ("raylib/robot.glb", 1806, 0),
        ):
            with self.subTest(name):
                path = data(name)
                scene, files = self.scene(path), read_gltf_curves(path)
                self.assertEqual([a["name"] for a in scene["animations"]], [name for name, _ in files])
                self.assertEqual(sum(len(found) for _, found in files), curves)
                self.assertEqual(sum(step for _, found in files for _, _, step in found.values()), steps)
                self.check_hierarchy(scene)
                for a, (_, expected) in enumerate(files):
                    found = curves_of(scene, a)
                    self.assertEqual(found.keys(), expected.keys())
                    for key, (times, values, step) in expected.items():
                        self.check_curve(found[key], times, values, step)

    def test_hand_made(self):
        nodes = [
            {"name": "root", "children": [5, 1]},
            {"name": "arm", "rotation": [0, 0.6, 0, 0.8], "translation": [1, 2, 3], "scale": [2, 2, 2]},
            {"name": "still", "children": [3]},
            {"name": "still too"},
            {"children": [2]},
            {"name": "hip", "children": [6, 4]},
            {"name": "leg"},
        ]
        steps, lines = turns(2), turns(4, seed=2)
        walking = [
            (1, "rotation", [0.5, 2.5], steps, "STEP"),
            (6, "rotation", [0, 0.1, 0.2, 1 / 3], lines, None),
            (6, "translation", [0.1, 0.7, 7.1], moves(3), "LINEAR"),
            (4, "scale", [3], moves(1), "STEP"),
        ]
        tree, content = gltf_tree(nodes, {"walk": walking, "rest": walking[:1]})
        for name, file in ("hand.gltf", gltf_text(tree, content)), ("hand.glb", glb_of(tree, content)):
            with self.subTest(name):
                scene = self.scene(self.write(name, file))
                names = ["root", "hip", "leg", "nodes[4]", "still", "still too", "arm"]
                self.assertEqual([node["name"] for node in scene["nodes"]], names)
                self.assertEqual([node["parent"] for node in scene["nodes"]], [-1, 0, 1, 1, 3, 4, 0])
                self.check_hierarchy(scene)
                self.assertEqual([joint["node"] for joint in scene["joints"]], [0, 1, 2, 3, 6])
                arm = scene["nodes"][6]
                np.testing.assert_array_equal(np.float32(arm["rotation"]), np.float32([0, 0.6, 0, 0.8]))
                self.assertEqual((arm["translation"], arm["scale"]), ([1, 2, 3], [2, 2, 2]))
                leg = scene["nodes"][2]
                self.assertEqual((leg["rotation"], leg["scale"]), ([0, 0, 0, 1], [1, 1, 1]))
                found = curves_of(scene, 0)
                self.assertEqual(len(found), 4)
                self.check_curve(found["arm", "rotation"], [0.5, 2.5], steps, True)
                self.check_curve(found["leg", "rotation"], [0, 0.1, 0.2, 1 / 3], lines)
                self.check_curve(found["leg", "translation"], [0.1, 0.7, 7.1], moves(3))
                self.check_curve(found["nodes[4]", "scale"], [3], moves(1), True)
                self.assertEqual(list(curves_of(scene, 1)), [("arm", "rotation")])

    def test_matrix(self):
        q = rotations(1)[0].astype(float)
        for scale in [2, 3, 4], [-2, -3, -4]:
            m = matrix([5, 6, 7], q, scale)
            nodes = [{"name": "root", "children": [1], "matrix": list(m.T.reshape(-1))}, {"name": "a"}]
            tree, content = gltf_tree(nodes, {"walk": [(1, "rotation", [0, 1], turns(2), None)]})
            root = self.scene(self.write("matrix.gltf", gltf_text(tree, content)))["nodes"][0]
            np.testing.assert_allclose(root["scale"], scale, rtol=1e-6)
            np.testing.assert_allclose(root["translation"], [5, 6, 7], rtol=1e-6)
            self.assertLess(degrees_between(np.array(root["rotation"]), q), 1e-4)

    def test_sheared_matrix(self):
        """A clip cannot have it. Nodes that are no joints are not mentioned."""
        sheared, right = matrix([5, 6, 7], rotations(1)[0].astype(float), [2, 3, 4]), np.eye(4)
        sheared[:, 0] += 0.001 * sheared[:, 1]
        columns = lambda m: list(m.T.reshape(-1))
        has = "which clips have not: "
        for matrices, says in (
            ([right, sheared], "1 joint has a matrix with a shear, " + has + '"b" is in the wrong place, and what is below'),
            (
                [sheared, sheared],
                "2 joints have a matrix with a shear, " + has + '"a" and others are in the wrong place, and what is below',
            ),
        ):
            nodes = [{"name": name, "matrix": columns(m), "children": [n]} for n, (name, m) in enumerate(zip("ab", matrices), 1)]
            nodes += [{"name": "c"}, {"name": "lamp", "matrix": columns(sheared)}]
            tree, content = gltf_tree(nodes, {"walk": [(2, "rotation", [0, 1], turns(2), None)]})
            path = self.write("sheared.gltf", gltf_text(tree, content))
            self.scene(path, says=path + ": " + says)
            del nodes[0]["children"], nodes[1]["children"]  # no joints any more
            self.scene(self.write("lamps.gltf", gltf_text({**tree, "nodes": nodes}, content)))

    def test_keys_outside(self):
        """And in base64 that is broken into lines."""
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        self.write("keys.bin", content)
        tree["buffers"] = [{"byteLength": len(content), "uri": "../keys.bin"}]
        path = self.write("in/outside.gltf", json.dumps(tree).encode())
        self.bad(1, "measure", "--no-speed", path, says="../keys.bin may be outside of the file's folder (--allow-outside reads it)")
        self.assertEqual(self.json("measure", "--no-speed", "--allow-outside", path)["keys"], 2)
        self.write("sec/keys.bin", content)
        self.write("sec/deep/other.bin", b"")
        os.symlink(self.path("sec", "deep"), self.path("in", "a"))
        tree["buffers"][0]["uri"] = "a/../keys.bin"  # of sec
        path = self.write("in/link.gltf", json.dumps(tree).encode())
        self.bad(1, "measure", "--no-speed", path, says="a/../keys.bin may be outside of the file's folder (--allow-outside reads it)")
        self.assertEqual(self.json("measure", "--no-speed", "--allow-outside", path)["keys"], 2)
        for end in "\n", "\r\n", " ":
            lines = end.join(textwrap.wrap(base64.b64encode(content).decode(), 7))
            tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + end + lines + end
            scene = self.scene(self.write("lines.gltf", json.dumps(tree).encode()))
            self.check_curve(curves_of(scene, 0)["a", "rotation"], [0, 1], turns(2))

    def test_metres(self):
        """A unit of lengths: of glTF by definition, of FBX as the file says."""
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        self.assertEqual(self.scene(self.write("a.gltf", gltf_text(tree, content)))["metres"], 1)
        self.assertEqual(self.scene(self.write("odd.bvh", self.ODD.encode()))["metres"], 0)
        self.assertAlmostEqual(self.scene(self.write("inches.fbx", fbx_text(plain(), unit=2.54)))["metres"], 0.0254)

    def test_nodes_of_one_name(self):
        nodes = [{"name": "root", "children": [3, 2, 1]}] + [{"name": "twin"}] * 3
        curves = [(n, "rotation", [0, n], turns(2, seed=n), ["STEP", None][n % 2]) for n in (1, 3, 2)]
        tree, content = gltf_tree(nodes, {"walk": curves})
        scene = self.scene(self.write("twins.gltf", gltf_text(tree, content)))
        self.check_hierarchy(scene)
        for channel, n, place in zip(scene["animations"][0]["channels"], (1, 3, 2), (3, 1, 2)):
            self.assertEqual(channel["node"], place)
            self.assertEqual(channel["rotation"]["times"], [0, n])
            self.assertEqual(channel["rotation"]["hold"], n == 2)

    def test_integers(self):
        for dtype, largest in ("<i1", 127), ("|u1", 255), ("<i2", 32767), ("<u2", 65535):
            with self.subTest(dtype):
                info = np.iinfo(dtype)
                keys = np.array([[info.min, info.max, 1, 0], [5, info.min + 1, 0, info.max - 1]], dtype)
                keys[1, 2] = -1 if info.min < 0 else info.max // 2
                tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], keys, None)]})
                if keys.itemsize == 1:  # as padded structs have them
                    tree["bufferViews"][-1].update(byteStride=4)
                scene = self.scene(self.write("integers.gltf", gltf_text(tree, content)))
                found = curves_of(scene, 0)["a", "rotation"][1]
                np.testing.assert_array_equal(found, np.maximum(keys.astype(np.float32) / largest, -1).astype("<f4"))

    def test_strides_and_buffers_beside(self):
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        padded = content[:8] + b"".join(bytes(4) + content[8 + 16 * i :][:16] + bytes(4) for i in range(2))
        tree["bufferViews"][1].update(byteStride=24, byteLength=48)
        tree["accessors"][1]["byteOffset"] = 4
        tree["buffers"] = [{"byteLength": len(padded), "uri": "my%20keys.bin"}]
        path = self.write("beside.gltf", json.dumps(tree).encode())
        self.assertIn("my keys.bin: No such file", self.bad(1, "compress", path, says="cannot open").stderr)
        self.write("my keys.bin", padded)
        self.check_curve(curves_of(self.scene(path), 0)["a", "rotation"], [0, 1], turns(2))
        self.write("my keys.bin", padded[:-9])
        self.scene(path, says="bufferView 1 goes beyond the 47 bytes of its buffer")

    def test_broken_gltf(self):
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        curve = (1, "rotation", [0, 1], turns(2), None)
        whole, content = gltf_tree(nodes, {"bad": [curve], "good": [(0, "rotation", [0], turns(1), None)]})
        channel, samplers = whole["animations"][0]["channels"][0], [animation["samplers"][0] for animation in whole["animations"]]
        two = {"name": "bad", "channels": [channel, {**channel, "sampler": 1}], "samplers": samplers}
        sparse = {"count": 1, "indices": {"bufferView": 0, "byteOffset": 6, "componentType": 5121}, "values": {"bufferView": 1}}
        for where, value, says in (
            (["animations", 0, "channels", 0, "sampler"], 1, "b: rotation: its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], -1, "its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], 0.5, "its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], "0", "its channel has no sampler"),
            (["animations", 0, "channels", 0, "target", "node"], 2, "a channel's node is not in the file"),
            (["animations", 0, "channels", 0, "target", "node"], 1e300, "a channel's node is not in the file"),
            (["animations", 0, "channels", 0, "target", "path"], "scale", "accessor 1: is not VEC3"),
            (["animations", 0, "channels"], 5, "it has no channels"),
            (["animations", 0], two, "two channels of the animation"),
            (["animations", 0, "samplers"], {}, "its channel has no sampler"),
            (["animations", 0, "samplers", 0, "input"], 4, "its sampler has no accessor"),
            (["animations", 0, "samplers", 0, "output"], None, "its sampler has no accessor"),
            (["animations", 0, "samplers", 0, "output"], 0, "accessor 0: is not VEC4"),
            (["animations", 0, "samplers", 0, "interpolation"], "SPLINE", "its interpolation is unknown"),
            (["animations", 0, "samplers", 0, "interpolation"], 3, "its interpolation is unknown"),
            (["accessors", 1, "count"], 1, "it has 2 times for 1 keys"),
            (["accessors", 1, "count"], 0, "accessor 1: has no elements"),
            (["accessors", 1, "count"], 3, "accessor 1: goes beyond the 32 bytes of its bufferView"),
            (["accessors", 1, "count"], 1e15, "accessor 1: goes beyond"),
            (["accessors", 1, "count"], 2**53, "accessor 1: its count, 9007199254740992, is no number of elements"),
            (["accessors", 1, "count"], -3, "accessor 1: its count, -3, is no number of elements"),
            (["accessors", 1, "count"], 1.5, "accessor 1: its count, 1.5, is no number of elements"),
            (["accessors", 1, "count"], "two", "accessor 1: its count is no number"),
            (["accessors", 1, "byteOffset"], 1, "accessor 1: goes beyond"),
            (["accessors", 1, "byteOffset"], 2**52, "accessor 1: goes beyond"),
            (["accessors", 1, "byteOffset"], -1, "accessor 1: is not in a bufferView"),
            (["accessors", 1, "bufferView"], 99, "accessor 1: is not in a bufferView"),
            (["accessors", 1, "componentType"], 5125, "accessor 1: its componentType is not one of animations"),
            (["accessors", 1, "componentType"], 5122, "accessor 1: has integers that are not normalized"),
            (["accessors", 1, "sparse"], {"count": 1}, "accessor 1: its sparse indices are no numbers"),
            (["accessors", 1], 7, "accessor 1: has no elements"),
            (["bufferViews", 1, "buffer"], 1, "bufferView 1 is broken"),
            (["bufferViews", 1, "byteStride"], 8, "elements of bufferView 1 overlap"),
            (["bufferViews", 1, "byteStride"], 17, "accessor 1: goes beyond"),
            (["bufferViews", 1, "byteLength"], 10**9, "bufferView 1 goes beyond the"),
            (["bufferViews", 1, "byteOffset"], 2**52, "bufferView 1 goes beyond the"),
            (["bufferViews", 1, "extensions"], {"EXT_meshopt_compression": {}}, "bufferView 1, EXT_meshopt_compression: is broken"),
            *(
                (["accessors", 1, "sparse"], {**sparse, **change}, "accessor 1: " + says)
                for change, says in (
                    ({"count": 3}, "its sparse elements have no count"),
                    ({"count": 0}, "its sparse elements have no count"),
                    ({"indices": {}}, "its sparse indices are no numbers"),
                    ({"indices": {"bufferView": 2, "componentType": 5126}}, "its sparse indices are no numbers"),
                    ({"values": {"bufferView": 9}}, "is not in a bufferView"),
                    ({"values": {"bufferView": 1, "byteOffset": 20}}, "goes beyond the 32 bytes of its bufferView"),
                    ({}, "sparse index 128 is not below its count of 2"),
                )
            ),
        ):
            with self.subTest(where=where, value=value):
                path = self.write("broken.gltf", gltf_text(changed(whole, where, value), content))
                scene = self.scene(path, says=[path + ": animation 0, bad: ", says])
                self.assertEqual((scene["unread"], [a["name"] for a in scene["animations"]]), (1, ["good"]))

    def test_odd_channels(self):
        """Channels that are there twice, or have no keys, and rotations of length 0."""
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        turned, still = turns(3), np.zeros((3, 4), np.float32)
        curves = {"walk": [(0, "rotation", [0, 1, 2], turned, None), (1, "rotation", [0, 1, 2], turns(3, seed=5), None)]}
        tree, content = gltf_tree(nodes, curves)
        channels = tree["animations"][0]["channels"]
        whole = self.scene(self.write("whole.gltf", gltf_text(tree, content)))["animations"][0]["channels"]
        tree["animations"][0]["channels"] = [*channels, channels[0]]
        twice = self.scene(self.write("twice.gltf", gltf_text(tree, content)), says="1 channel is left out: a channel that is there twice")
        self.assertEqual(twice["animations"][0]["channels"], whole)
        self.good("compress", "--glb", self.path("one.glb"), self.path("twice.gltf"))  # it has all that moves
        tree["animations"][0]["channels"] = channels
        tree["accessors"][tree["animations"][0]["samplers"][1]["input"]]["count"] = 0
        found = self.scene(self.write("empty.gltf", gltf_text(tree, content)), says="1 channel is left out: a channel without keys")
        self.assertEqual([channel["name"] for channel in found["animations"][0]["channels"] if "rotation" in channel], ["a"])
        for how in None, "STEP", "CUBICSPLINE":
            for keys, stands_in in ([1], [0]), ([0], [1]), ([0, 2], [1, 1]):
                zeroed = np.random.default_rng(3).normal(size=(3, 3, 4)).astype("f4")[:, : 3 if how == "CUBICSPLINE" else 1]
                values = zeroed[:, zeroed.shape[1] // 2]  # between the tangents
                values[:] = turned
                values[keys] = 0
                tree, content = gltf_tree(nodes, {"walk": [(0, "rotation", [0, 1, 2], zeroed.reshape(-1, 4), how)]})
                says = "%d rotation%s of length 0: the one before stands in, or at the start the next one"
                says %= len(keys), "s are" if len(keys) > 1 else " is"
                scene = self.scene(self.write("zero.gltf", gltf_text(tree, content)), says=says)
                values[keys] = turned[stands_in]
                found = np.array(scene["animations"][0]["channels"][0]["rotation"]["values"])
                np.testing.assert_array_equal(found.reshape(zeroed.shape), zeroed)
            values = turns(9)[: 9 if how == "CUBICSPLINE" else 3]
            tree, content = gltf_tree(nodes, {"walk": [(n, "rotation", [0, 1, 2], values, how) for n in (1, 0, 1, 0, 1)]})
            scene = self.scene(
                self.write("thrice.gltf", gltf_text(tree, content)), says="3 channels are left out: a channel that is there twice"
            )
            self.assertEqual([channel["node"] for channel in scene["animations"][0]["channels"]], [1, 0])
        tree, content = gltf_tree(nodes, {"walk": [(0, "rotation", [0, 1, 2], still, None), (1, "rotation", [0, 1, 2], turned, None)]})
        self.scene(self.write("none.gltf", gltf_text(tree, content)), says="1 channel is left out: rotations of length 0")

    def test_odd_weights(self):
        """Channels of morph weights that are there twice, or have no keys."""
        tree, content = gltf_tree([{"name": "a", "mesh": 0}], {"walk": [(0, "translation", [0, 1, 2], np.ones((3, 3), "f4"), None)]})
        tree["meshes"] = [{"primitives": [{"attributes": {}, "targets": [{}] * 3}]}]
        (channel,) = tree["animations"][0]["channels"]
        tree["accessors"][1].update(type="SCALAR", count=9)  # three weights of each key
        channel["target"]["path"] = "weights"
        tree["animations"][0]["channels"] = [channel, channel]
        scene = self.scene(self.write("twice.gltf", gltf_text(tree, content)), says="1 channel is left out: a channel that is there twice")
        self.assertEqual([len(track["times"]) for track in scene["animations"][0]["tracks"]], [3, 3, 3])
        tree["accessors"][0]["count"] = 0
        result = self.good("compress", "--time", "0", self.write("none.gltf", gltf_text(tree, content)))
        self.assertIn("2 channels are left out: a channel without keys", result.stderr)

    def test_buffers_of_git_lfs(self):
        tree, _ = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        tree["buffers"][0]["uri"] = "keys.bin"
        self.write("keys.bin", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 40\n")
        path = self.write("lfs.gltf", json.dumps(dict(tree)).encode())
        self.bad(1, "compress", path, says=["lfs.gltf: ", "keys.bin is not the file itself, but a pointer of Git LFS"])

    def test_images_are_not_read(self):
        """A pipe in the place of an image would wait for ever."""
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        os.mkfifo(self.path("skin.png"))
        tree["images"] = [{"uri": "skin.png"}, {"uri": "there-is-none.png"}]
        self.good("compress", "--time", "0", self.write("images.gltf", gltf_text(tree, content)))

    def test_broken_files(self):
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        tree, content = gltf_tree(nodes, {"walk": [(1, "rotation", [0, 1], turns(2), None)]})
        text, glb = gltf_text(tree, content), glb_of(tree, content)
        chunk = 20 + struct.unpack_from("<I", glb, 12)[0]

        def but(**changes):
            return json.dumps(dict(json.loads(text), **changes)).encode()

        for name, file, says in (
            ("empty.gltf", b"", "empty.gltf: the file is empty"),
            ("empty.glb", b"", "empty.glb: the file is empty"),
            ("cut.gltf", text[:-1], "is not JSON: broken at byte"),
            ("more.gltf", text + b"}", "is not JSON: broken at byte %d" % len(text)),
            ("deep.gltf", b"[" * 10**6, "its JSON is nested too deeply: byte 1000 begins an array or object within 1000 others"),
            ("nested.gltf", b'{"extras": ' + b"[" * 1500 + b'"{"' + b"]" * 1500 + b"}", "its JSON is nested too deeply: byte 1010 begins"),
            ("brackets.gltf", text[:1] + b'"extras": "' + b"[" * 1500 + b'" {, ' + text[1:], "is not JSON: broken at byte"),
            ("control.gltf", text[:1] + b"\1" + text[1:], "is not JSON: broken at byte 1: a control character outside of strings"),
            ("zero.gltf", text[:1] + b"\0" + text[1:], "is not JSON: broken at byte 1: a control character outside of strings"),
            *(
                ("number.gltf", text[:1] + b'"x": %s, ' % number + text[1:], "is not JSON: broken at byte ")
                for number in (b"00", b"-01", b"1.", b"1.e5", b"1e", b"1e+", b"+1", b"1-2")
            ),
            ("escape.gltf", text.replace(b'"a"', b'"\\u12g4"'), "is not JSON: broken at byte %d" % (text.index(b'"a"') + 1)),
            ("array.gltf", b"[]", "there is no asset.version"),
            ("none.gltf", but(asset={}), "there is no asset.version"),
            ("old.gltf", but(asset={"version": "1.0"}), "is glTF 1.0, and only glTF 2.0 is read"),
            ("old.glb", glb[:4] + struct.pack("<I", 1) + glb[8:], "is glTF 1, and only glTF 2.0 is read"),
            ("head.glb", glb[:19], "the file is cut off"),
            ("cut.glb", glb[:-1], "the file is cut off"),
            ("cut2.glb", glb[: chunk - 1], "the file is cut off"),
            ("kind.glb", glb[:16] + b"BIN\0" + glb[20:], "does not begin with a chunk of JSON"),
            ("still.gltf", but(animations=[]), "no node moves in this file"),
            ("still2.gltf", but(animations=7), "no node moves in this file"),
            ("loop.gltf", but(nodes=[{"children": [1]}, {"children": [0]}]), "node 0 is above itself"),
            ("self.gltf", but(nodes=[{"children": [0]}, {}]), "node 0 is above itself"),
            ("loop2.gltf", but(nodes=[{}, {}, {"children": [3, 1]}, {"children": [2]}]), "node 3 is above itself"),
            ("number.gltf", but(nodes=[{}, {"children": 0}]), "node 1: its children are not an array"),
            ("object.gltf", but(nodes=[{"children": {"b": 1}}, {}]), "node 0: its children are not an array"),
            ("child.gltf", but(nodes=[{"children": [2]}, {}]), "node 0 has a child that is not in the file"),
            ("child2.gltf", but(nodes=[{"children": ["x"]}, {}]), "node 0 has a child that is not in the file"),
            ("two.gltf", but(nodes=[{"children": [1, 1]}, {}]), "node 1 is a child of two nodes"),
            ("short.gltf", but(nodes=[{"rotation": [1]}, {}]), "node 0: its transform is broken"),
            ("words.gltf", but(nodes=[{}, {"scale": [1, "x", 1]}]), "node 1: its transform is broken"),
            ("matrix.gltf", but(nodes=[{"matrix": [1] * 15}, {}]), "node 0: its transform is broken"),
        ):
            with self.subTest(name):
                path = self.write(name, file)
                self.assertIsNone(self.scene(path, says=[path + ": ", says]))
        none = but(nodes=[{"name": "a", "children": [1]}, {"name": "b", "children": None}])
        self.assertEqual(len(self.scene(self.write("null.gltf", none))["joints"]), 2)
        for name, file, says in (
            ("none.glb", glb[:chunk], "buffer 0 is not in the file"),
            ("nouri.gltf", but(buffers=[{}]), "buffer 0 is not in the file"),
            ("text.gltf", but(buffers=[{"uri": "data:text/plain,AAAA"}]), "buffer 0 is not base64"),
            ("base.gltf", but(buffers=[{"uri": "data:x;base64,AA!A"}]), "buffer 0 is not base64"),
            (
                "device.gltf",
                but(buffers=[{"uri": "/dev/zero"}]),
                "/dev/zero may be outside of the file's folder (--allow-outside reads it)",
            ),
            ("above.gltf", but(buffers=[{"uri": "..%2Fa.bin"}]), "..%2Fa.bin may be outside of the file's folder"),
            ("drive.gltf", but(buffers=[{"uri": "C:/a.bin"}]), "C:/a.bin may be outside of the file's folder"),
            ("deep.gltf", but(buffers=[{"uri": "b/../a.bin"}]), "b/../a.bin may be outside of the file's folder"),
        ):
            with self.subTest(name):
                path = self.write(name, file)
                scene = self.scene(path, says=[path + ": animation 0, walk: b: rotation: accessor 0: ", says])
                self.assertEqual((scene["unread"], scene["joints"]), (1, []))

    def test_a_deep_hierarchy(self):
        for deep in 65535, 65536:  # the joints of a skeleton are 65,536 at most
            nodes = [{"children": [n + 1]} for n in range(deep)] + [{"name": "end"}]
            tree, content = gltf_tree(nodes, {"walk": [(deep, "rotation", [0, 1], turns(2), None)]})
            path = self.write("deep.gltf", gltf_text(tree, content))
            scene = self.scene(path, says=[path, "its skeleton: there are more than 65,536 joints"] if deep > 65535 else ())
            self.assertEqual(scene and [joint["parent"] for joint in scene["joints"]], None if deep > 65535 else list(range(-1, deep)))

    ODD = (
        "hierarchy\nROOT left hip {\n  OFFSET 1 2 3\n  CHANNELS 5 Zposition ZROTATION XPosition yrotation xrotation\n"
        "  JOINT mixamorig:Knee\n  {\n    JOINT still\n    { End Site { OFFSET 0 -1e1 0 } }\n    CHANNELS 1 Yposition\n"
        "    OFFSET 4 5 6\n  }\n}\nROOT ball{\n  CHANNELS 1 Yrotation }\nMOTION\nFrames:2\nFrame Time:.1\n"
        "10 90 11 0 180 20 30\n12 0 13 90 0 21 31"
    )

    def check_odd(self, path):
        scene = self.scene(path)
        self.check_hierarchy(scene)
        nodes = [(node["name"], node["parent"], node["translation"]) for node in scene["nodes"]]
        hip, knee = ("left hip", -1, [1, 2, 3]), ("mixamorig:Knee", 0, [4, 5, 6])
        self.assertEqual(nodes, [hip, knee, ("still", 1, [0, 0, 0]), ("EndSite_still", 2, [0, -10, 0]), ("ball", -1, [0, 0, 0])])
        found = curves_of(scene, 0)
        self.assertEqual(
            {key: values.tolist() for key, (_, values, *_) in found.items() if key[1] == "translation"},
            {("left hip", "translation"): [[11, 2, 10], [13, 2, 12]], ("mixamorig:Knee", "translation"): [[4, 20, 6], [4, 21, 6]]},
        )
        turned = {key[0]: values for key, (_, values, *_) in found.items() if key[1] == "rotation"}
        self.assertEqual(turned.keys(), {"left hip", "ball"})
        s = np.sqrt(0.5)
        np.testing.assert_allclose(turned["left hip"], [[s, s, 0, 0], [0, s, 0, s]], atol=1e-7)
        half = np.radians([15, 15.5])
        np.testing.assert_allclose(turned["ball"], np.array([0 * half, np.sin(half), 0 * half, np.cos(half)]).T, atol=1e-7)
        for times, _, step, _ in found.values():
            self.assertEqual((times.tolist(), step), ([0, 0.1], False))

    def test_odd_bvh(self):
        """Two roots, capital letters, names of two words, positions of some axes, joints without channels or OFFSET."""
        names = {name.upper(): name for name in ("left hip", "mixamorig:Knee", "still", "ball")}
        for name, text in (
            ("plain", self.ODD),
            ("newline", self.ODD + "\n\n \n"),
            ("windows", self.ODD.replace("\n", "\r\n")),
            ("mac", self.ODD.replace("\n", "\r")),
            ("capitals", re.sub("LEFT HIP|MIXAMORIG:KNEE|STILL|BALL", lambda name: names[name[0]], self.ODD.upper())),
            ("rows go on", self.ODD.replace(" 11 ", "\n11\n\n")),
            ("spaces", self.ODD.replace(" 11 ", "\t\t 11  ").replace("30\n", "30 \t \n")),
        ):
            for mark, end in (b"", b""), (b"\xef\xbb\xbf", b"\x1a"):  # a byte-order mark, DOS's end of a text
                with self.subTest(name, mark=mark):
                    self.check_odd(self.write("odd.bvh", mark + text.encode() + end))

    def test_bvh_where_nothing_moves(self):
        head = self.ODD.split("10 90")[0]
        still = re.sub(r"CHANNELS (\d [^\n}]*)", "CHANNELS 0 ", head)
        for text in head.replace("Frames:2", "Frames: 0"), still.replace("Frames:2", "Frames: 99999999999999"):
            self.assertIsNone(self.scene(self.write("still.bvh", text.encode()), says="no node moves in this file"))

    def test_broken_bvh(self):
        for line, wrong, right, says in (
            (1, "hierarchy", "hierarchies", 'there is "hierarchies" where HIERARCHY must be'),
            (2, "ROOT left hip {", "JOINT a {", "a JOINT of no joint"),
            (2, "left hip ", "", "a joint has no name"),
            (2, "left hip", "x" * 1001, "a name has more than 1,000 bytes"),
            (2, "hip {", "hip }", 'there is "}" where { must be'),
            (5, "1 2 3", "1 2\n", '"CHANNELS" is not a number'),
            (3, "1 2 3", "1 0x2 3", '"0x2" is not a number'),
            (3, "1 2 3", "1 2,5 3", '"2,5" is not a number'),
            (3, "1 2 3", "1 nan 3", '"nan" is not a number'),
            (3, "1 2 3", "1 inf 3", '"inf" is not a number'),
            (3, "1 2 3", "1 - 3", '"-" is not a number'),
            (3, "1 2 3", "1 1e39 3", "1e39 is too large"),
            (3, "1 2 3", "1 2 3 4", 'there is "4" where } must be'),
            (4, "CHANNELS 5", "CHANNELS 10", "more CHANNELS than nine"),
            (4, "CHANNELS 5", "CHANNELS -1", "more CHANNELS than nine"),
            (5, "CHANNELS 5", "CHANNELS 6", 'the channel "JOINT" is no rotation'),
            (4, "CHANNELS 5", "CHANNELS 4", 'there is "xrotation" where } must be'),
            (4, "XPosition", "Wposition", 'the channel "Wposition" is no rotation'),
            (4, "XPosition", "Xpositions", 'the channel "Xpositions" is no rotation'),
            (4, "XPosition", "zposition", 'there is "zposition" twice'),
            (4, "yrotation xrotation", "xrotation Xrotation", "rotations are not one to three about axes that change"),
            (4, "yrotation xrotation", "zrotation xrotation", "rotations are not one to three about axes that change"),
            (4, "CHANNELS 5", "CHANNELS 6 yrotation", "rotations are not one to three about axes that change"),
            (5, "JOINT mix", "ROOT mix", "a ROOT within a joint"),
            (8, "{ End Site {", "{ End Site", 'there is "}" where { must be'),
            (8, "End Site", "End Joint", 'there is "Joint" where Site must be'),
            (8, "0 -1e1 0", "0 -1e1 0 JOINT a {", "a JOINT of no joint"),
            (8, "0 -1e1 0", "0 -1e1 0 End Site {", "an End Site of no joint"),
            (9, "CHANNELS 1 Yposition", "CHANNELS 1 Yposition CHANNELS 1 Xposition", "the joint has CHANNELS twice"),
            (12, "  }\n}\nROOT", "  }\nROOT", "a ROOT within a joint"),
            (13, "  }\n}\nROOT", "  }\n}\n}\nROOT", 'there is "}" where MOTION must be'),
            (15, "Yrotation }", "Yrotation", 'there is "MOTION" where } must be'),
            (15, "MOTION\nFrames", "Frames", 'there is "Frames:2" where MOTION must be'),
            (16, "Frames:2", "Frame:2", 'there is "Frame:2" where Frames must be'),
            (16, "Frames:2", "Frames:2.5", '"2.5" is not a number of frames'),
            (16, "Frames:2", "Frames: -2", '"-2" is not a number of frames'),
            (17, "Frame Time", "Time", 'there is "Time:.1" where Frame must be'),
            (17, ":.1", ": -.1", "the Frame Time must be more than 0"),
            (17, ":.1", ": 0", "the Frame Time must be more than 0"),
            (17, ":.1", ": 1e-999", "the Frame Time must be more than 0"),
            (17, ":.1", ": nan", '"nan" is not a number'),
            (17, ":.1", ": inf", '"inf" is not a number'),
            (18, "20 30\n", "20 30 1\n", "frame 1, of 7 numbers, does not end with its line"),
            (19, "20 30\n", "20\n", "frame 1, of 7 numbers, does not end with its line"),
            (18, "20 30\n", "20 NaN\n", '"NaN" is not a number'),
            (18, "20 30\n", "20 -1e39\n", "-1e39 is too large"),
            (18, "20 30\n", "20 } 30\n", '"}" is not a number'),
            (18, "20 30\n", "20\0 30\n", "there is a NUL, a byte of 0, in the text"),
            (5, "JOINT mix", "JOINT\0mix", "there is a NUL, a byte of 0, in the text"),
            (19, "21 31", "21 31\0\n1 2", "there is a NUL, a byte of 0, in the text"),
            (19, "21 31", "21 31 1", "frame 2, of 7 numbers, does not end with its line"),
        ):
            with self.subTest(wrong=wrong, right=right):
                self.assertEqual(self.ODD.count(wrong), 1)
                path = self.write("broken.bvh", self.ODD.replace(wrong, right).encode())
                self.assertIsNone(self.scene(path, says=[path + ": line %d: " % line, says]))
        for newline in "\r", "\r\n":
            path = self.write("broken.bvh", self.ODD.replace("21 31", "21 31 5").replace("\n", newline).encode())
            self.assertIsNone(self.scene(path, says=path + ": line 19: frame 2, of 7 numbers, does not end with its line"))
        for end in range(0, self.ODD.index("Time") + 7, 3):
            path = self.write("cut.bvh", self.ODD[:end].encode())
            self.assertIsNone(self.scene(path, says=path + ": line "))

    def frames_of(self, text, says=()):
        """How many frames are read, and the numbers of the joints."""
        scene = self.scene(self.write("frames.bvh", text.encode()), says=says)
        return {channel["name"]: channel for channel in scene["animations"][0]["channels"]}

    def test_frames_of_bvh(self):
        """Whole frames are read, however many the text claims."""
        whole = self.frames_of(self.ODD)
        for claimed in 0, 1, 3, 2000000000:
            says = "the text says that there are %d frames, and has 2: these are read" % claimed
            self.assertEqual(self.frames_of(self.ODD.replace("Frames:2", "Frames:%d" % claimed), [says]), whole)
        for right in "21 31\n1", "21 31\n1 2 3 4 5 6":
            numbers = len(right.split()) - 2
            says = "the last frame is cut: it has %d of 7 numbers, and is left out" % numbers
            self.assertEqual(self.frames_of(self.ODD.replace("21 31", right), [says]), whole)
        one = self.frames_of(self.ODD.replace("21 31", "21"), ["the last frame is cut: it has 6 of 7 numbers, and is left out"])
        self.assertEqual({len(curve["times"]) for channel in one.values() for curve in channel.values() if isinstance(curve, dict)}, {1})
        for right in "21 31\0\0", "21 31\0\0\r\n", "21 31 # the end", "21 31\n// the end\n":
            self.assertEqual(self.frames_of(self.ODD.replace("21 31", right)), whole)
        self.assertEqual(self.frames_of(self.ODD.replace("Frames:2", "# two\nFrames : 2").replace("Time:.1", "Time : .1")), whole)

    def test_channels_of_bvh(self):
        """Scales, end sites with a name or with channels, and one frame that takes no time."""
        text = (
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 9 Xposition Yposition Zposition Zrotation Xrotation Yrotation Xscale Yscale Zscale\n"
            "End Site tip\n{\nOFFSET 0 1 0\nCHANNELS 1 Yposition\n}\nEndSite\n{\nOFFSET 0 2 0\n}\n}\n"
            "MOTION\nFrames: 1\nFrame Time: 0\n1 2 3 90 0 0 2 3 4 5\n"
        )
        scene = self.scene(self.write("channels.bvh", text.encode()))
        self.assertEqual([node["name"] for node in scene["nodes"]], ["a", "tip", "EndSite_a"])
        a, tip = scene["animations"][0]["channels"]
        self.assertEqual((a["translation"]["values"], a["scale"]["values"]), ([1, 2, 3], [2, 3, 4]))
        np.testing.assert_allclose(a["rotation"]["values"], [0, 0, 0.5**0.5, 0.5**0.5], atol=1e-7)
        self.assertEqual((tip["name"], tip["translation"]["values"]), ("tip", [0, 5, 0]))

    def test_a_deep_bvh(self):
        deep = 50000
        text = "HIERARCHY\nROOT a{" + "JOINT a{" * deep + "}" * deep + "CHANNELS 1 Xrotation}MOTION Frames: 1 Frame Time: 1 5"
        scene = self.scene(self.write("deep.bvh", text.encode()))
        self.assertEqual((len(scene["nodes"]), len(scene["joints"])), (deep + 1, deep + 1))

    def test_bvh_of_equal_names(self):
        toe = lambda *below: ("toe", 1, ROTATIONS, *below)
        rows = ["0 0 0 0 0 0 10 0 0 20 0 0 30 0 0"] * 2
        text = bvh_of(rows, ("hip", 0, "Xposition Yposition Zposition " + ROTATIONS, toe(toe()), toe()))
        scene = self.scene(self.write("toes.bvh", text))
        toes = [n for n, node in enumerate(scene["nodes"]) if node["name"] == "toe"]
        self.assertEqual(len(toes), 3)
        for channel in scene["animations"][0]["channels"]:
            if channel["name"] == "toe":
                turn = 10 * (1 + toes.index(channel["node"]))
                values = np.array(channel["rotation"]["values"]).reshape(2, 4)
                np.testing.assert_allclose(np.degrees(2 * np.arcsin(values[:, 2])), turn, rtol=1e-5)
        self.assertEqual([joint["parent"] for joint in scene["joints"]], [-1, 0, 1, 0])
