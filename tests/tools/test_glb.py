"""Tests of `quatsimd compress --glb`."""
import base64
import hashlib
import json
import os
import pathlib
import struct

import numpy as np

from support import glb_cases
from support.command import data, model, run, with_meshopt, without_meshopt
from support.compressing import Case, listing, small
from support.gltf import changed, glb_of, json_and_chunks, parsed
from support.meshopt import compress_views

import bundle as bundle_model

EXTENSION = "QUATSIMD_bundle"


class File:
    """A .glb or .gltf: its JSON with numbers as they are written ("n1.50"), and the bytes of its buffers."""

    def __init__(self, path):
        content = pathlib.Path(path).read_bytes()
        text, chunks = json_and_chunks(content)
        self.plain, self.buffers = parsed(path)
        self.rest = chunks[8 + struct.unpack_from("<I", chunks)[0] :] if chunks[4:8] == b"BIN\0" else chunks
        self.text = text.decode()
        self.tree = json.loads(text, parse_int=lambda s: "n" + s, parse_float=lambda s: "n" + s)

    def range(self, holder):
        """Its bytes; None: those of a buffer that is not there."""
        start, buffer = holder.get("byteOffset", 0), self.buffers[holder["buffer"]]
        if buffer is None:
            return None
        assert start + holder["byteLength"] <= len(buffer)
        return buffer[start : start + holder["byteLength"]]


def is_reference(path):
    """The array that a number at this path is of; None: of none of those that are renumbered. Written apart from the command's list."""
    top, last = path[0], path[-1]
    if "activeClipIndices" in path[:-1]:
        return "animations"
    if "extras" in path or top == "buffers":
        return None
    if last == "buffer":
        return "buffers"
    if last == "bufferView" or (top == "extensions" and last in ("values", "stringOffsets")):
        return "bufferViews"
    if last in ("input", "output", "indices", "inverseBindMatrices") and top != "accessors":
        return "accessors"
    of_attribute = len(path) > 1 and (path[-2] == "attributes" or "targets" in path)
    return "accessors" if of_attribute and top in ("meshes", "nodes") and "KHR_draco_mesh_compression" not in path else None


class Meaning:
    """A file's JSON in which the item itself stands where a number refers to one. `used` are the numbers that were met."""

    def __init__(self, file):
        self.file, self.items = file, {}
        self.used = {array: set() for array in ("animations", "accessors", "bufferViews", "buffers")}

    def item(self, array, number):
        if (array, number) not in self.items:
            self.items[array, number] = self.new_item(array, number)
        return self.items[array, number]

    def new_item(self, array, number):
        """Of a view also the bytes, and those it has compressed, and how it is aligned. Buffers may be put together."""
        if array == "buffers":
            return self.file.buffers[number] is None
        own = self.of(self.file.tree[array][number], (array, number))
        if array != "bufferViews":
            return own
        view = self.file.plain[array][number]
        holders = [view, *(e for e in view.get("extensions", {}).values() if "buffer" in e)]
        return own, [hashlib.sha256(self.file.range(h) or b"").hexdigest() for h in holders], view.get("byteOffset", 0) % 8

    def of(self, value, path=()):
        """Objects as the pairs that they have, in this order."""
        array = is_reference(path) if path else None
        if array and isinstance(value, str):
            self.used[array].add(int(value[1:]))
            return self.item(array, int(value[1:]))
        if isinstance(value, dict):
            return [(k, self.of(v, (*path, k))) for k, v in value.items() if (path[:1], k) != (("bufferViews",), "byteOffset")]
        return [self.of(v, (*path, i)) for i, v in enumerate(value)] if isinstance(value, list) else value


class Glb(Case):
    def glb(self, path, *options, out="out.glb", status=0):
        result = run("compress", "--glb", self.path(out), *options, path)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result

    def packs(self, tree, content, *options, **more):
        """The same of a .glb of these, in.glb."""
        return self.glb(self.put("in.glb", glb_of(tree, content)), *options, **more)

    def refuses(self, says, path, *options, out="out.glb", status=1):
        """And leaves what is there: also a former OUT, and no new folder."""
        there = lambda: (listing(self.directory), sorted(above for above, *_ in os.walk(self.directory)))

        def refuse(out):
            before = there()
            self.assertIn(says, self.glb(path, *options, out=out, status=status).stderr)
            self.assertEqual(there(), before)

        refuse(out)
        if status == 1:
            refuse("new/folder/" + out)
        if not os.path.exists(self.path(out)):
            refuse(os.path.relpath(self.put(out, b"former"), self.directory))
            os.remove(self.path(out))

    def refused(self, says, tree, content):
        """The same of a .glb of these."""
        self.refuses(says, self.put("in.glb", glb_of(tree, content)), out="none.glb")

    def check(self, path, gone, out="out.glb", stays=False):
        """All but the animations `gone` is as before. stays: accessors, too, that nothing has any more. Returns the file and its
        bundle."""
        before, after = File(path), File(self.path(out))
        extension = after.plain["extensions"][EXTENSION]
        number = extension["bufferView"]
        self.assertEqual(number, len(after.plain["bufferViews"]) - 1)
        view = after.plain["bufferViews"][number]
        self.assertEqual(set(view), {"buffer", "byteOffset", "byteLength"})
        self.assertEqual(view["byteOffset"] + view["byteLength"], after.plain["buffers"][0]["byteLength"])
        self.assertEqual(after.rest, before.rest)

        old, new = dict(before.tree), dict(after.tree)
        extensions = {k: v for k, v in new.pop("extensions").items() if k != EXTENSION}
        old.pop("extensions", None)
        self.assertEqual(new.pop("extensionsUsed"), old.pop("extensionsUsed", []) + [EXTENSION])
        was, now = old.pop("animations"), new.pop("animations", [])
        for array in "accessors", "bufferViews", "buffers":
            old.pop(array, None), new.pop(array, None)
        of_old, of_new = Meaning(before), Meaning(after)
        self.assertEqual(of_old.of(old), of_new.of(new))
        self.assertEqual(of_old.of(before.tree.get("extensions", {}), ("extensions",)), of_new.of(extensions, ("extensions",)))

        def check_array(array, numbers, count):
            """Of those before, these numbers are there now, in this order."""
            self.assertEqual([of_old.item(array, i) for i in numbers], [of_new.item(array, i) for i in range(count)], array)

        check_array("animations", [i for i in range(len(was)) if i not in gone], len(now))
        # what nothing had before stays; what only these animations had is gone
        alone = Meaning(before)
        for i in gone:
            alone.of(was[i]["samplers"], ("animations", i, "samplers"))
        for array, more in ("accessors", 0), ("bufferViews", 1):  # one is the bundle's
            numbers = range(len(before.tree.get(array, [])))
            kept = [i for i in numbers if stays or i in of_old.used[array] or i not in alone.used[array]]
            check_array(array, kept, len(after.tree.get(array, [])) - more)
        for i, entry in enumerate(extension["animations"]):
            for key in "name", "extras", "extensions":
                self.assertEqual(after.tree["extensions"][EXTENSION]["animations"][i].get(key), was[gone[i]].get(key))
        bundle = bundle_model.Bundle(after.range(view))
        self.assertEqual(sorted(entry["clip"].encode() for entry in extension["animations"]), [record.name for record in bundle.clips])
        names = [before.plain["nodes"][node].get("name") or "nodes[%d]" % node for node in extension.get("joints", [])]
        self.assertEqual(bundle.skeleton.joints, [name.encode() for name in names])
        self.assertEqual(len(bundle.skeleton.tracks), len(extension.get("tracks", [])))
        return after, bundle

    def check_bundle(self, path, bundle):
        """It is the one that -o writes, but for the inverse bind matrices and the record."""
        self.good("compress", "-o", self.path("other.qsb"), path)
        other = bundle_model.Bundle(self.content("other.qsb"))
        self.assertEqual([(r.name, r.data) for r in bundle.clips], [(r.name, r.data) for r in other.clips])
        for member in "joints", "parents", "tracks", "hash":
            self.assertEqual(getattr(bundle.skeleton, member), getattr(other.skeleton, member))
        for member in "rotations", "translations", "scales", "track_rests":
            self.assertEqual(getattr(bundle.skeleton, member).tobytes(), getattr(other.skeleton, member).tobytes())
        self.assertEqual(len(bundle.skeleton.matrices), 0)

    def test_real_files(self):
        names = "khronos/Fox.glb", "kaykit/Knight.glb", "khronos/cesium_man.gltf", "raylib/robot.glb", "mesh2motion/bird-animations.glb"
        for name in names:
            with self.subTest(name):
                path = data(name)
                result = self.glb(path)
                gone = range(len(File(path).plain["animations"]))
                after, bundle = self.check(path, gone)
                self.assertNotIn("animations", after.tree)
                self.assertEqual(result.stderr, "")
                self.assertIn("%d animation%s a bundle of" % (len(gone), "s are" if len(gone) > 1 else " is"), result.stdout)
                last = (
                    "\ngltfpack drops bundles: run it before this command. "
                    "gltf-transform drops them, too, without quatsimd/gltf-transform.\n"
                )
                self.assertTrue(result.stdout.endswith(last), result.stdout)
                self.check_bundle(path, bundle)

    def test_larger_than_keys(self):
        """Keys stay if the clip would have more bytes than they have in the file, where an accessor counts once; others go."""
        m = glb_cases.Maker()
        half = np.random.default_rng(3).uniform(0, 1.5, 9)
        times = m.accessor(np.array([0, 0.13, 0.4, 0.77, 1.3, 1.9, 2.41, 3.3, 4], "f4"))
        turn = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
        spline = {"input": times, "output": m.accessor(glb_cases.spline(turn, 3)), "interpolation": "CUBICSPLINE"}
        short = {"input": times, "output": m.accessor(np.rint(turn * 65535).astype("u2"), normalized=True)}
        channels = [{"sampler": 0, "target": {"node": node, "path": "rotation"}} for node in range(8)]
        act = {"name": "act", "samplers": [spline], "channels": channels}
        turns = {"name": "turns", "samplers": [short], "channels": glb_cases.channels([1])[:1]}
        walk = {"name": "Walk", "samplers": m.curves(1, 2), "channels": glb_cases.channels([0, 1])}
        tree = {
            "asset": {"version": "2.0"},
            "nodes": [{"name": "hip", "children": [1]}, {"name": "knee"}] + [{"name": "toe %d" % i} for i in range(6)],
            "accessors": m.accessors,
            "bufferViews": m.views,
        }
        tree["buffers"] = [{"byteLength": len(m.content)}]
        says = {
            "act": "act stays as it is: its clip would have [0-9,]+ bytes, and its keys have %d" % (9 * (4 + 3 * 16)),
            "turns": "turns stays as it is: its clip would have [0-9,]+ bytes, and its keys have %d" % (9 * (4 + 4 * 2)),
        }
        for animations in ([act, walk], [walk, act], [walk, turns, walk, act], [turns, walk]):
            with self.subTest([a["name"] for a in animations]):
                tree["animations"] = animations
                result = self.packs(tree, m.content)
                self.check(self.path("in.glb"), [i for i, a in enumerate(animations) if a is walk])
                for i, a in enumerate(animations):
                    if a is not walk:
                        self.assertRegex(result.stderr, "animation %d, %s\n" % (i, says[a["name"]]))
                self.assertEqual(result.stderr.count("\n"), len([a for a in animations if a is not walk]))
        tree["animations"] = [act, turns]
        os.remove(self.path("out.glb"))
        self.refuses("none of its animations can be replaced, so nothing is written", self.put("in.glb", glb_of(tree, m.content)))

        if without_meshopt:
            self.skipTest("built without meshoptimizer")
        tree["animations"] = [walk, act]
        views = [m.accessors[a]["bufferView"] for a in spline.values() if isinstance(a, int)]
        tree, content = compress_views(tree, m.content, {v: ("ATTRIBUTES", 4, None) for v in views})
        keys = sum(tree["bufferViews"][v]["extensions"]["EXT_meshopt_compression"]["byteLength"] for v in views)
        self.assertNotEqual(keys, 9 * (4 + 3 * 16))
        self.assertRegex(self.packs(tree, content).stderr, "and its keys have %d\n" % keys)

    def test_keys_in_one_view(self):
        """As gltfpack writes them: keys that are smaller than their clip would keep those of all animations, so they go."""
        m = glb_cases.Maker()
        turn = {"input": m.accessor(np.array([0, 1], "f4")), "output": m.accessor(np.array([[0, 0, 0, 1], [0, 0.6, 0, 0.8]], "f4"))}
        act = {"name": "act", "samplers": [turn], "channels": glb_cases.channels([0])[:1]}
        walk = {"name": "Walk", "samplers": m.curves(1, 2), "channels": glb_cases.channels([0, 1])}
        for accessor in m.accessors:
            accessor["byteOffset"] = accessor.get("byteOffset", 0) + m.views[accessor["bufferView"]].get("byteOffset", 0)
            accessor["bufferView"] = 0
        tree = {
            "asset": {"version": "2.0"},
            "nodes": [{"name": "hip", "children": [1]}, {"name": "knee"}],
            "accessors": m.accessors,
            "bufferViews": [{"buffer": 0, "byteLength": len(m.content)}],
            "buffers": [{"byteLength": len(m.content)}],
            "animations": [act, walk],
        }
        self.assertEqual(self.packs(tree, m.content).stderr, "")
        self.check(self.path("in.glb"), [0, 1])

    def test_weights_and_files_beside(self):
        path = model("glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf")
        result = self.glb(path)
        after, bundle = self.check(path, [0])
        self.assertEqual(after.plain["extensions"][EXTENSION]["tracks"], [{"node": 0, "target": 0}, {"node": 0, "target": 1}])
        self.assertEqual([record.name for record in bundle.clips], [b"Square"])
        self.assertEqual(after.plain["buffers"], [{"byteLength": len(after.buffers[0]) - (-after.plain["buffers"][0]["byteLength"] % 4)}])
        self.assertNotIn("beside it", result.stderr)

    def everything(self):
        """As a file, with digits of its own and a chunk that nobody knows."""
        tree, content = glb_cases.everything()
        text = json.dumps(tree).replace('"speed": 1.5', '"speed": 1.50').replace("-0.5, 0]", "-5.0e-1, 0]").encode()
        file = glb_of(text, content + bytes(-len(content) % 4)) + struct.pack("<I4s", 4, b"ODD ") + b"abcd"
        return self.put("in.glb", file[:8] + struct.pack("<I", len(file)) + file[12:])

    def test_everything(self):
        """Indices wherever there can be some; two animations of one name and one without; what a clip cannot say stays."""
        path = self.everything()
        result = self.glb(path)
        after, bundle = self.check(path, [0, 1, 2, 5])
        self.assertIn("animation 3, Glow stays as it is: it moves something else than nodes and morph weights", result.stderr)
        self.assertIn("animation 4, Marked stays as it is: a channel of it has extras", result.stderr)
        self.assertIn("2 animations stay as they are", result.stdout)
        self.assertNotIn("left out", result.stdout + result.stderr)
        extension = after.tree["extensions"][EXTENSION]
        clips = [("Walk", "Walk"), ("Walk", "Walk-2"), (None, "animation"), ('Wave "\u2192"', 'Wave "\u2192"')]
        self.assertEqual([(a.get("name"), a["clip"]) for a in extension["animations"]], clips)
        self.assertEqual(extension["animations"][0]["extras"], {"loop": True, "speed": "n1.50"})
        self.assertIn("-5.0e-1", after.text)
        self.assertEqual([a["name"] for a in after.plain["animations"]], ["Glow", "Marked"])
        self.assertEqual(after.plain["asset"]["extras"]["bufferView"], 0)
        del after.tree["buffers"][0]["byteLength"]
        self.assertEqual(after.tree["buffers"][0], {"name": "all \u2026", "extras": ["n1000.0", "n1.0"]})
        self.assertEqual(extension["tracks"], [{"node": "n3", "target": "n0"}, {"node": "n3", "target": "n1"}])
        report, out = json.loads(self.glb(path, "--json").stdout), self.path("out.glb")
        sizes = {
            "bytes": os.path.getsize(out),
            "bytes_before": os.path.getsize(path),
            "bundle_bytes": after.plain["bufferViews"][-1]["byteLength"],
        }
        self.assertEqual(report["glb"], {"output": out, "animations_that_stay": 2, **sizes})
        self.assertEqual([entry["animation"] for entry in report["animations"]], ["Walk", "Walk", "", 'Wave "\u2192"'])
        self.assertLess(after.plain["bufferViews"][-1]["byteOffset"], len(File(path).buffers[0]))
        self.assertEqual(len(bundle.clips), 4)

    def test_chosen(self):
        path = self.everything()
        self.glb(path, "--animation", "W*")
        after, _ = self.check(path, [0, 1, 5])
        self.assertEqual([a.get("name") for a in after.plain["animations"]], [None, "Glow", "Marked"])
        self.refuses('no animation is called "Fly"', path, "--animation", "Fly", out="none.glb")
        self.refuses("none of its animations can be replaced, so nothing is written", path, "--animation", "Glow", out="none.glb")

    def test_buffers(self):
        tree, files = glb_cases.in_buffers(*glb_cases.everything())
        for name, content in files.items():
            self.put("a/" + name, content)
        path = self.put("a/in.gltf", json.dumps(tree).encode())
        result = self.glb(path)
        self.assertNotIn("beside it", result.stderr)
        after, _ = self.check(path, [0, 1, 2, 5])
        self.assertEqual(len(after.buffers), 1)
        self.assertNotIn("uri", after.plain["buffers"][0])
        before = sum(os.path.getsize(self.path("a", name)) for name in ("in.gltf", *files))
        self.assertEqual(json.loads(self.glb(path, "--json").stdout)["glb"]["bytes_before"], before)
        tree["images"] = [{"uri": "skin.png"}]
        path = self.put("a/in.gltf", json.dumps(tree).encode())
        self.assertIn(
            'out.glb: needs other files for 1 of its buffers and images, "skin.png": 1 has a path that begins in its folder',
            self.glb(path).stderr,
        )
        self.check(path, [0, 1, 2, 5])
        os.remove(self.path("a", "part 2.bin"))
        self.refuses("part 2.bin: No such file", path, out="none.glb")

    def test_first_buffer_without_bytes(self):
        """Whether or not an animation needs it: a chunk is before the binary one, or there is none."""
        tree, content = glb_cases.everything()
        file = glb_of(tree, content)
        end = 20 + struct.unpack_from("<I", file, 12)[0]
        file = file[:8] + struct.pack("<I", len(file) + 12) + file[12:end] + struct.pack("<I4s", 4, b"ODD ") + b"abcd" + file[end:]
        self.refuses("buffer 0 is not in the file", self.put("in.glb", file), out="none.glb")
        for view in tree["bufferViews"]:
            view["buffer"] = 1
        uri = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
        tree["buffers"] = [{"byteLength": 4}, {"byteLength": len(content), "uri": uri}]
        self.refuses("buffer 0 is not in the file", self.put("in.gltf", json.dumps(tree).encode()), out="none.glb")

    def test_unknown_extension(self):
        tree, content = glb_cases.unknown()
        path, result = self.path("in.glb"), self.packs(tree, content)
        says = "has the unknown extension ACME_strange, which may refer to accessors and animations by their numbers: "
        self.assertIn(says + "all accessors and their bytes stay", result.stderr)
        after, _ = self.check(path, [0, 1, 2, 5], stays=True)
        self.assertEqual(after.buffers[0][: len(content)], content)
        self.assertEqual(after.plain["accessors"], tree["accessors"])
        self.assertEqual(after.plain["bufferViews"][:-1], tree["bufferViews"])
        tree, files = glb_cases.in_buffers(tree, content)  # buffers keep their numbers
        for name, content in files.items():
            self.put("a/" + name, content)
        path = self.put("a/in.gltf", json.dumps(tree).encode())
        says = 'images, "part%201.bin" and others: 2 have paths that begin in its folder, and are where ' + path + " is\n"
        self.assertIn(says, self.glb(path).stderr)
        self.assertEqual(json.loads(self.glb(path, "--json").stdout)["glb"]["bytes_before"], os.path.getsize(path))  # others stay
        self.glb(path, out="a/out.glb")
        self.check(path, [0, 1, 2, 5], out="a/out.glb", stays=True)
        tree["extensions"]["KHR_interactivity"] = {}
        path = self.put("a/in.gltf", json.dumps(tree).encode())
        self.refuses("KHR_interactivity, which starts animations by their numbers", path, out="none.glb")

    def test_unknown_extension_of_animations(self):
        """Numbers of animations that nobody can follow: by the names of members, and by JSON pointers."""
        tree, content = glb_cases.everything()
        deep = {"animation": 5}
        for _ in range(300):
            deep = {"a long name " * 5: [deep]}
        for extension, place in (
            ({"expressions": [{"animation": 1}]}, "expressions/0/animation"),
            ({"clips": {"idleAnimations": [2, 0]}}, "clips/idleAnimations"),
            ({"extras": {"ANIMATION_index": 0.0}}, "extras/ANIMATION_index"),
            ({"extensions": {"KHR_node_x": {"animation": 0}}}, "extensions/KHR_node_x/animation"),
            ({"tracks": ["/nodes/0", "/animations/0/name"]}, "tracks/1"),
            (deep, "a long name"),
        ):
            with self.subTest(place):
                tree["nodes"][2]["extensions"] = {"KHR_character_expression": extension}
                says = "has the unknown extension KHR_character_expression, which seems to refer to an animation at "
                self.refused(says + "/nodes/2/extensions/KHR_character_expression/" + place, tree, content)
        for extension in (
            {"animation": "Walk"},
            {"animated": 1},
            {"animations": [], "animationSpeed": 1.5},
            {"animationFps": 30, "animation": -1},
            {"animationWeights": [1, 0.5]},
            {"text": "see /animations/0"},
        ):
            with self.subTest(extension):
                tree["nodes"][2]["extensions"] = {"KHR_character_expression": extension}
                self.packs(tree, content)
                self.check(self.path("in.glb"), [0, 1, 2, 5], stays=True)
        tree["nodes"][2] = {"name": "foot", "extras": {"extensions": {"KHR_character_expression": {"animation": 1}}, "animation": 1}}
        self.packs(tree, content)

    def test_animations_by_number(self):
        """What an extension refers to stays, and its numbers follow."""
        tree, content = glb_cases.everything()
        tree["nodes"][2]["extensions"] = {"MOZ_hubs_components": {"loop-animation": {"activeClipIndices": [5, 3], "clip": "Wave"}}}
        path = self.put("in.glb", glb_of(tree, content))
        self.assertIn('animation 5, Wave "\u2192" stays as it is: an extension refers to it by its number', self.glb(path).stderr)
        after, _ = self.check(path, [0, 1, 2])
        self.assertEqual(after.plain["nodes"][2]["extensions"]["MOZ_hubs_components"]["loop-animation"]["activeClipIndices"], [2, 0])
        tree["nodes"][2]["extensions"]["MOZ_hubs_components"]["loop-animation"]["activeClipIndices"] = [6]
        self.refused("loop-animation/activeClipIndices/0 is not the number of one of its 6 animations", tree, content)

    def test_behind_the_end(self):
        """What is behind the length that a .glb says is none of its own."""
        content = self.content(self.everything())
        self.glb(self.path("in.glb"))
        before = self.content("out.glb")
        for more in b"\n", struct.pack("<I4s", 4, b"ODD ") + b"abcd":
            self.glb(self.put("in.glb", content + more))
            self.assertEqual(self.content("out.glb"), before)
        cut = content[:8] + struct.pack("<I", len(content) // 2) + content[12:]
        self.refuses("the file is cut off", self.put("in.glb", cut), out="none.glb")

    def test_outside(self):
        """What is not in the file's folder stays where it is, and in the file."""
        tree, content = glb_cases.everything()
        tree["buffers"].append({"uri": "../secret.bin", "byteLength": 8})
        tree["bufferViews"].append({"buffer": len(tree["buffers"]) - 1, "byteLength": 8})
        tree.setdefault("images", []).append({"bufferView": len(tree["bufferViews"]) - 1, "mimeType": "image/png"})
        path = self.put("folder/in.glb", glb_of(tree, content))
        self.put("secret.bin", b"8 secret")
        for options, embedded in ([], False), (["--allow-outside"], True):
            self.glb(path, *options, out="folder/out.glb")
            made = self.content("folder/out.glb")
            self.assertEqual((b"8 secret" in made, b"../secret.bin" in made), (embedded, not embedded))
        self.put("folder/secret.bin", b"9 secret"), self.put("folder/a/b", b"")
        tree["buffers"][-1]["uri"] = "./a/../secret.bin"  # would be elsewhere if a were a link
        self.assertIn("other files", self.glb(self.put("folder/in.glb", glb_of(tree, content)), out="folder/out.glb").stderr)
        self.assertNotIn(b"9 secret", self.content("folder/out.glb"))
        tree["buffers"][-1]["uri"] = "./secret.bin"
        self.assertNotIn("other files", self.glb(self.put("folder/in.glb", glb_of(tree, content)), out="folder/out.glb").stderr)
        self.assertIn(b"9 secret", self.content("folder/out.glb"))

    def test_images_stay(self):
        """With a message: their paths begin in the file's folder, which may be another one now."""
        where_in = "where %s is" % self.path("folder", "in.gltf")
        one_moves = ": 1 has a path that begins in its folder, and is " + where_in
        two_move = ": 2 have paths that begin in its folder, and are " + where_in
        above, two, absolute = ["../a.png"], ["../a.png", "b.png"], ["/a.png", "http://a/b.png"]
        for out, uris, where, first in (
            ("folder/out.glb", above, "", 0),
            ("folder/../folder/out.glb", above, "", 0),
            ("folder/out.glb", two + absolute, "", 0),
            ("folder/out.glb", absolute + two, "", 0),
            ("out.glb", above, one_moves, 0),
            ("new/out.glb", two, two_move, 0),
            ("out.glb", absolute + two, two_move, 2),
            ("out.glb", absolute, "", 0),
            ("out.glb", ["data:image/png;base64,AA=="], None, 0),
        ):
            with self.subTest(out=out, uris=uris):
                tree, files = glb_cases.in_buffers(*glb_cases.everything())
                for name, content in files.items():
                    self.put("folder/" + name, content)
                tree["images"] = [{"uri": uri} for uri in uris]
                said = self.glb(self.put("folder/in.gltf", json.dumps(tree).encode()), out=out).stderr
                self.assertEqual(File(self.path(out)).plain["images"], tree["images"])
                more = len(uris), uris[first], " and others" * (len(uris) > 1), where
                says = ['%s: needs other files for %d of its buffers and images, "%s"%s%s' % (self.path(out), *more)] * (where is not None)
                self.assertEqual([line[10:] for line in said.splitlines() if "needs other" in line], says)

    def test_left_out(self):
        """Animations that are empty, or broken, stay: they are in the JSON, and said once."""
        tree, content = glb_cases.everything()
        tree["animations"].insert(1, {"name": "Still", "samplers": [], "channels": []})
        path, result = self.path("in.glb"), self.packs(tree, content)
        self.check(path, [0, 2, 3, 6])
        self.assertIn("animation 1, Still stays as it is: nothing moves in it", result.stderr)
        self.assertIn("3 animations stay as they are", result.stdout)
        self.assertNotIn("left out", result.stdout)
        tree["animations"][0]["samplers"][0]["interpolation"] = "ODD"
        result = self.packs(tree, content, "--json", status=1)
        report = json.loads(result.stdout)
        found = report["animations_left_out"], report["animations_without_curves"], report["glb"]["animations_that_stay"]
        self.assertEqual(found, (1, 1, 4))
        self.check(path, [2, 3, 6])
        self.glb(path, "--animation", "Wave*", status=1)  # though the broken one was not asked for

    def test_as_written(self):
        """extensionsUsed may name the extension before the file has it, and names it once. Extras keep their digits."""
        tree, content = glb_cases.everything()
        text = json.dumps(tree).replace('{"loop": true, "speed": 1.5}', '{"id": 9007199254740993, "x": 1.50}')
        for listed in '"QUATSIMD_bundle"', '"QUATSIMD\\u005fbundle"':
            self.glb(self.put("in.glb", glb_of(text.replace('"KHR_xmp_json_ld"]', '"KHR_xmp_json_ld", %s]' % listed).encode(), content)))
            self.assertEqual(File(self.path("out.glb")).plain["extensionsUsed"], [*tree["extensionsUsed"], EXTENSION])
        self.good("compress", "-o", self.path("again.qsb"), self.path("out.glb"))
        said = self.good("info", "--json", self.path("again.qsb")).stdout
        self.assertIn('{"id":9007199254740993,"x":1.50}', said.replace(" ", ""))

    @with_meshopt
    def test_meshopt(self):
        tree, content = glb_cases.everything()
        views = {a["bufferView"] for a in tree["accessors"] if "bufferView" in a and a["componentType"] == 5126}
        how = {v: ("ATTRIBUTES", 4, None) for v in sorted(views) if "byteStride" not in tree["bufferViews"][v]}
        used = tree["extensionsUsed"]
        tree, content = compress_views(tree, content, how)
        tree["extensionsUsed"] += used
        path = self.put("in.glb", glb_of(tree, content))
        self.glb(path)
        after, _ = self.check(path, [0, 1, 2, 5])
        self.assertLess(after.plain["bufferViews"][-1]["byteOffset"], len(content))
        self.assertEqual(after.tree["buffers"][1], File(path).tree["buffers"][1])
        tree["buffers"] = tree["buffers"][::-1]  # the fallback is the first one
        for view in tree["bufferViews"]:
            for holder in [view, *view.get("extensions", {}).values()]:
                holder["buffer"] = 1 - holder["buffer"]
        tree["buffers"][1]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
        path = self.put("in.gltf", json.dumps(tree).encode())
        self.glb(path)
        after, _ = self.check(path, [0, 1, 2, 5])
        self.assertEqual([buffer is None for buffer in after.buffers], [False, True])
        self.assertIn("EXT_meshopt_compression", after.plain["extensionsRequired"])

        path = self.put("in.glb", glb_of(*glb_cases.fallback()))
        self.glb(path)
        after, _ = self.check(path, [0, 1, 2, 5])
        self.assertEqual(len(after.plain["buffers"]), 1)

    def test_broken(self):
        whole, content = glb_cases.everything()
        accessors, last, size = len(whole["accessors"]), len(whole["bufferViews"]) - 2, len(content)
        of_sampler, of_mesh = ["animations", 0, "samplers", 0, "input"], ["meshes", 1, "primitives", 0, "attributes", "POSITION"]
        for where, value, says in (
            (of_sampler, 999, "/animations/0/samplers/0/input is not the number of one of its %d accessors" % accessors),
            (of_mesh, 77, "/meshes/1/primitives/0/attributes/POSITION is not the number of one of its %d accessors" % accessors),
            (["bufferViews", last, "byteLength"], size, "a bufferView goes beyond the %d bytes of buffer 0" % size),
            (["bufferViews", last, "byteLength"], 0, "bufferView %d is broken" % last),
            (["buffers", 0, "byteLength"], size + 99, "buffer 0 has %d bytes, and should have %d" % (size, size + 99)),
            (["extensions"], [], "extensions is not an object"),
            (["extensionsUsed"], "QUATSIMD_bundle", "extensionsUsed is not an array"),
        ):
            with self.subTest(where, value=value):
                self.refused(says, changed(whole, where, value), content)
        file = self.content(self.everything()).replace(b"KHR_xmp", b"KHR\0xmp", 1)  # which would end the text that is written
        self.refuses("is not JSON: broken at byte %d" % file.index(b"\0xmp"), self.put("in.glb", file), out="none.glb")

    def test_broken_animations_stay(self):
        whole, content = glb_cases.everything()
        tree = changed(whole, ["animations", 0, "channels", 1, "target"], {"path": "rotation", "node": 0})
        result = self.packs(tree, content, status=1)
        self.assertIn("animation 0, Walk: hip: rotation: two channels of the animation move it", result.stderr)
        self.check(self.path("in.glb"), [1, 2, 5])
        # an extension that is none of those that are known
        self.packs(changed(whole, ["animations", 0, "channels", 0, "target", "extensions"], [0]), content)
        self.check(self.path("in.glb"), [1, 2, 5])

    def test_control_characters(self):
        """Which JSON has as escapes alone."""
        for character in b"\0\n\t\x01\x1f":
            for name in b"packets", b"hip":
                content = self.content(self.everything()).replace(b'"%s"' % name, b'"_%c_"' % character, 1)
                says = "in.glb: is not JSON: broken at byte %d: a control character in a string" % (content.index(b"_%c_" % character) + 1)
                self.refuses(says, self.put("in.glb", content), out="none.glb")

    def test_refused(self):
        path = self.put("hero.glb", small())
        for option, value in ("-o", "o"), ("--only", "rotation"), ("--skeleton", path), ("--report", "p.html"):
            self.refuses(option + " does not go with --glb", path, option, value, status=2)
        self.refuses("--glb writes one file, and needs one FILE", path, path, status=2)
        self.refuses('"%s" does not end in .glb, .vrm or .vrma' % self.path("out.gltf"), path, out="out.gltf", status=2)
        self.refuses("is the file to compress, and would be overwritten", path, out="hero.glb", status=2)
        os.mkdir(self.path("folder"))
        self.refuses("--glb writes one file, and needs one FILE", self.path("folder"), status=2)
        nodes = {"asset": {"version": "2.0"}, "nodes": [{}]}
        self.refuses("there are no animations in it", self.put("still.glb", glb_of(nodes, b"")))
        self.refuses("; --glb takes only glTF", model("BVH/01_01.bvh"))
        self.glb(path)
        self.refuses("already has its animations as a bundle; take the file that it was made from", self.path("out.glb"), out="again.glb")
        self.refuses("No such file", self.path("nothing.glb"))

    def test_where(self):
        path = self.put("hero.vrm", small())
        self.glb(path, out="new/folder/out.vrm")
        before = len(self.content("new/folder/out.vrm"))
        self.glb(path, "--object", "5cm@1m", out="new/folder/out.vrm")  # is replaced
        self.assertLess(len(self.content("new/folder/out.vrm")), before)
        self.assertEqual(os.listdir(self.path("new/folder")), ["out.vrm"])

    def test_only_animations(self):
        """Nothing else has accessors: the file has none any more."""
        path = self.put("hero.glb", small())
        self.glb(path)
        after, _ = self.check(path, [0])
        self.assertNotIn("accessors", after.plain)
        self.assertEqual(len(after.plain["bufferViews"]), 1)
        self.assertEqual(after.plain["bufferViews"][0]["byteOffset"], 0)

    def test_read_back(self):
        """Its animations are those of the clips, for all commands; info shows the bundle."""
        tree, content = glb_cases.everything()
        made = self.put("in.glb", glb_of(tree, content))
        for path, clips in (
            (data("kaykit/Knight.glb"), 3),
            (data("raylib/robot.glb"), 3),
            (made, 6),
            (model("glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf"), 1),
        ):
            with self.subTest(path):
                self.glb(path, out="packed.glb")
                packed = File(self.path("packed.glb"))
                entries = packed.plain["extensions"][EXTENSION]["animations"]
                stay = len(packed.plain.get("animations", []))
                bundle = self.path("other.qsb")
                before = File(path)
                self.good("compress", "-o", bundle, path)
                stays = [*packed.plain.get("animations", [])]
                stays = [a in stays or a.get("name") in ("Glow", "Marked") for a in before.plain["animations"]]
                numbers = [i for i, there in enumerate(stays) if not there]
                names = {entry["number"]: entry["clip"] for entry in self.making(bundle)["files"][0]["clips"]}
                close = (
                    ["--object", "0.0002@0.03", "--track", "0.002"] if clips == 6 else ["--object", "0.00002@0.03", "--track", "0.00001"]
                )
                for i, number in list(enumerate(numbers))[:clips]:
                    into = "--against", self.path("packed.glb"), "--animation", stay + i
                    self.good("verify", bundle, names[number], *into, *close)
                result = run("import", self.path("packed.glb"), self.path("curves"))
                self.assertEqual(result.returncode, 0 if clips > 1 else 1, result.stderr)
                self.assertIn("its animations are from a bundle", result.stderr)
                report = self.json("compress", "--time", "0", self.path("packed.glb"))
                found = [a["animation"] for a in report["animations"]]
                self.assertEqual(found[-len(entries) :], [entry.get("name", "") for entry in entries])
                (shown,) = self.json("info", self.path("packed.glb"))
                self.assertEqual(sorted(clip["name"] for clip in shown["clips"]), sorted(entry["clip"] for entry in entries))
        self.bad(1, "info", made, says="in.glb: is glTF without a bundle; `quatsimd compress --glb` makes glTF with one")

    def test_broken_extensions(self):
        path = self.everything()
        self.glb(path)
        file = File(self.path("out.glb"))
        count = len(file.plain["bufferViews"])

        view = file.plain["bufferViews"][-1]
        for where, value, says in (
            *((["version"], version, "its version is a later one") for version in (0, 3, 1.5, "2", None)),
            (["bufferView"], count, "its bundle is in no bufferView"),
            (["bufferView"], 0, "its bundle: "),
            (["..", "..", "bufferViews", count - 1, "byteLength"], view["byteLength"] - 1, "its bundle: "),
            (["joints"], [0, 1], "it has nodes of 2 joints, and its bundle 3"),
            (["joints"], [0, 99, 2], "the node of its joint 1 is not in the file"),
            (["joints"], [0, 1, 1], "two of its joints are node 1"),
            (["tracks"], None, "it has targets of 0 tracks, and its bundle 2"),
            (["tracks", 1, "node"], 5, "the node of its track 1 is not in the file"),
            (["tracks", 0, "target"], 2, "the node of its track 0 has 2 morph targets"),
            (["tracks", 0, "target"], 1, "two of its tracks are target 1 of node 3"),
            (["animations", 1, "clip"], "Walk", 'animation 3, Walk: its clip "Walk" is another one\'s, too'),
            (["animations", 1, "clip"], "walk", "animation 3, Walk: its bundle has no clip"),
        ):
            with self.subTest(where, value=value):
                where = where[2:] if where[0] == ".." else ["extensions", EXTENSION, *where]
                path = self.put("broken.glb", glb_of(changed(json.loads(file.text), where, value), file.buffers[0]))
                self.bad(1, "compress", "--time", "0", path, says=says)

    def test_random_places(self):
        """Views that overlap, at odd places, in any order."""
        random = np.random.default_rng(5)
        for turn in range(20):
            tree, content = glb_cases.everything()
            views = list(range(len(tree["bufferViews"])))
            random.shuffle(views)
            moved, at = b"", {}
            for v in views:
                view = tree["bufferViews"][v]
                own = content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
                moved += random.bytes(int(random.integers(12)))
                moved += bytes(-len(moved) % 4)
                at[v] = len(moved)
                moved += own
            for v in views:
                tree["bufferViews"][v]["byteOffset"] = at[v]
            for _ in range(4):  # more views of the same bytes, which nothing has, and images that have them
                start = int(random.integers(len(moved) - 40))
                tree["bufferViews"].append({"buffer": 0, "byteOffset": start, "byteLength": int(random.integers(1, 40))})
            tree["images"] += [{"bufferView": len(tree["bufferViews"]) - 1, "mimeType": "image/png"}]
            tree["buffers"][0]["byteLength"] = len(moved)
            path = self.put("in.glb", glb_of(tree, moved + bytes(-len(moved) % 4)))
            with self.subTest(turn=turn):
                self.glb(path, "--animation", ["W*", "", "Walk"][turn % 3])
                self.check(path, [[0, 1, 5], [2], [0, 1]][turn % 3])
