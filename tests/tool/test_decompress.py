"""Tests of the command decompress, from outside. The environment is that of test_tool.py."""
import base64
import copy
import json
import os
import struct
import subprocess
import unittest

import numpy as np

from test_tool import (
    Directory,
    degrees_between,
    glb_of,
    gltf_text,
    gltf_tree,
    model,
    moves,
    need_assimp,
    read_bvh,
    read_gltf_curves,
    run,
    turns,
    walk,
)

ROTATION, TRANSLATION, SCALE = 0.05, 0.01, 0.001  # the bounds without options; degrees


def load(path, **options):
    """The JSON of a .glb or .gltf, the .glb's own bytes (None if there are none), and what chunks follow."""
    with open(path, "rb") as file:
        content = file.read()
    if content[:4] != b"glTF":
        return json.loads(content, **options), None, b""
    version, size, length, kind = struct.unpack_from("<IIII", content, 4)
    assert (version, size, length % 4, kind) == (2, len(content), 0, 0x4E4F534A)
    rest, binary = content[20 + length :], None
    if rest[4:8] == b"BIN\0":
        end = 8 + struct.unpack_from("<I", rest)[0]
        assert end % 4 == 0
        binary, rest = rest[8:end], rest[end:]
    return json.loads(content[20 : 20 + length], **options), binary, rest


def literally(path):
    """The same JSON, numbers as they are written."""
    return load(path, parse_int=lambda s: "n" + s, parse_float=lambda s: "n" + s)[0]


def buffers_of(path):
    tree, binary, _ = load(path)
    return [base64.b64decode(b["uri"].split(",", 1)[1]) if "uri" in b else binary for b in tree["buffers"]]


def xxh32(data):
    """XXH32 with seed 0."""
    p = 2654435761, 2246822519, 3266489917, 668265263, 374761393
    mask = 0xFFFFFFFF
    turn = lambda x, r: (x << r | x >> (32 - r)) & mask
    lanes, at = [(p[0] + p[1]) & mask, p[1], 0, -p[0] & mask], 0
    while len(data) - at >= 16:
        for i, word in enumerate(struct.unpack_from("<4I", data, at)):
            lanes[i] = turn((lanes[i] + word * p[1]) & mask, 13) * p[0] & mask
        at += 16
    h = sum(turn(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) if len(data) >= 16 else p[4]
    h = (h + len(data)) & mask
    while len(data) - at >= 4:
        h = turn((h + struct.unpack_from("<I", data, at)[0] * p[2]) & mask, 17) * p[3] & mask
        at += 4
    for byte in data[at:]:
        h = turn((h + byte * p[4]) & mask, 11) * p[0] & mask
    h = (h ^ h >> 15) * p[1] & mask
    h = (h ^ h >> 13) * p[2] & mask
    return h ^ h >> 16


class Tools(Directory):
    def clips(self, path, *options, into="clips"):
        self.good("clip", "--time", "0", *options, "-o", self.path(into), path)
        return lambda name: self.path(into, name + ".qsc")

    def put(self, clip, into, out, *options, says=""):
        result = self.good("decompress", clip, "--into", into, "-o", self.path(out), *options)
        self.assertEqual(result.stderr, says)
        return self.path(out)

    def check_curves(self, before, after, loose=1e-4):
        """Within the bounds, at the same times. loose: of angles that are written as Euler's."""
        self.assertEqual(before.keys(), after.keys())
        for key, (times, values, step) in before.items():
            np.testing.assert_array_equal(after[key][0], times)
            self.assertEqual(after[key][2], step)
            if key[1] == "rotation":
                self.assertLess(degrees_between(values, after[key][1]).max(), ROTATION + loose)
                self.assertTrue(((values * after[key][1]).sum(-1) > 0).all())
            elif key[1] == "translation":
                distance = np.linalg.norm(values.astype(float) - after[key][1], axis=-1)
                self.assertLess(distance.max(), TRANSLATION * (1 + 1e-5))
            else:
                self.assertLess(np.abs(values.astype(float) - after[key][1]).max(), SCALE * (1 + 1e-5))

    def tree(self, **changes):
        nodes = [
            {"name": "hip", "children": [1, 2]},
            {"name": "arm", "translation": [0, 5, 0], "extras": {"\u00e4\u0001": [0.1, 1e-7]}},
            {"name": "leg", "translation": [0, -5, 0], "rotation": [1, 0, 0, 0]},
        ]
        times = np.arange(31) / 30
        curves = {
            "hip": (0, "translation", times, walk(31, 1, turn=0.02)[:, 0, :3] * 3 + 1, None),
            "arm": (1, "rotation", times, walk(31, 1, seed=2, turn=0.1)[:, 0], "LINEAR"),
            "leg": (2, "rotation", [0, 0.5], turns(2), "STEP"),
            "size": (0, "scale", [0, 1], [[1.0, 1, 1], [1, 2, 1]], None),
        }
        for key, (values, mode) in changes.items():
            curves[key] = (*curves[key][:3], values, mode)
        wave = [(1, "rotation", [0, 0.25, 0.5], turns(3, seed=9), None)]
        tree, content = gltf_tree(nodes, {"walk": list(curves.values()), "wave": wave})
        tree["extensionsUsed"] = ["VENDOR_thing"]
        tree["extensions"] = {"VENDOR_thing": {"weights": [0.1, 1], "text": 'a "1" \\ \U0001f600'}}
        return tree, content

    def save_as(self, name, tree, content):
        return self.write(name, (glb_of if name.endswith(".glb") else gltf_text)(tree, content))


class Gltf(Tools):
    def check_rest(self, before, after, number, edited=None):
        """All that is not keys of that animation is as it was, numbers digit for digit."""
        old, new = literally(before), literally(after)
        self.assertEqual(list(old), list(new))
        for key in old:
            if key in ("accessors", "bufferViews"):
                self.assertEqual(new[key][: len(old[key])], old[key])
            elif key not in ("animations", "buffers"):
                self.assertEqual(new[key], old[key])
        for a, (was, now) in enumerate(zip(old["animations"], new["animations"])):
            if a != number:
                self.assertEqual(was, now)
                continue
            self.assertEqual({**was, "samplers": 0, "channels": 0}, {**now, "samplers": 0, "channels": 0})
            used = set()
            for p, q in zip(was["channels"], now["channels"]):
                self.assertEqual({**p, "sampler": 0}, {**q, "sampler": 0})
                p, q = (o["samplers"][int(c["sampler"][1:])] for o, c in ((was, p), (now, q)))
                self.assertEqual({**p, "output": 0}, {**q, "output": 0})
                if p != q:
                    self.assertNotIn(q["output"], used)
                    used.add(q["output"])
            self.assertEqual(len(was["channels"]), len(now["channels"]))
            self.assertEqual(len(new["accessors"]) - len(old["accessors"]), len(used))
            if edited is not None:
                self.assertEqual(len(used), edited)
        for was, now in zip(buffers_of(before), buffers_of(after)):
            self.assertEqual(now[: len(was)], was)
        for buffer, content in zip(load(after)[0]["buffers"], buffers_of(after)):
            self.assertLessEqual(buffer["byteLength"], len(content))

    def curves(self, path):
        """Of files whose .glb has data: addresses, too."""
        tree = load(path)[0]
        for buffer, content in zip(tree["buffers"], buffers_of(path)):
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
        for animation in tree["animations"]:
            animation["channels"] = [c for c in animation["channels"] if "node" in c["target"]]
        return read_gltf_curves(self.write("curves.gltf", json.dumps(tree).encode()))

    def check(self, before, after, number, edited=None):
        self.check_rest(before, after, number, edited)
        for a, ((_, was), (_, now)) in enumerate(zip(self.curves(before), self.curves(after))):
            if a == number:
                self.check_curves(was, now)
            else:
                self.assertEqual(repr(was), repr(now))
        report = self.good("clip", "--time", "0", after).stdout  # and what has been written can be read
        self.assertIn("all 2 animations", report)

    def test_every_kind(self):
        tree, content = self.tree()
        for before in "hero.glb", "hero.gltf":
            path = self.save_as(before, tree, content)
            clip = self.clips(path)
            for after in "out.glb", "out.gltf", "OUT.GLB":
                with self.subTest(before=before, after=after):
                    out = self.put(clip("walk"), path, after, "--animation", "walk")
                    self.check(path, out, 0, edited=4)
                    self.assertNotEqual(self.curves(path)[0][1]["arm", "rotation"][1].tobytes(),
                                        self.curves(out)[0][1]["arm", "rotation"][1].tobytes())
                    again = self.put(clip("wave"), out, "again" + after[-5:], "--animation", "1")
                    self.check(out, again, 1, edited=1)

    def test_literals(self):
        tree, content = self.tree()
        text = gltf_text(tree, content).decode()
        odd = '{"extras": {"a\\"1": [0.30000000000000004, 12345678901234567890, -0, 1E+2, 5e-324, true, null], "n": "1\\u0000\\\\\\"2"}, '
        path = self.write("odd.gltf", ("\ufeff" + odd + text[1:]).encode())
        out = self.put(self.clips(path)("walk"), path, "out.gltf", "--animation", "0")
        with open(out, encoding="utf-8") as file:
            written = file.read()
        for literal in "0.30000000000000004", "12345678901234567890", "-0,", "1E+2", "5e-324", '"1\\u0000\\\\\\"2"':
            self.assertIn(literal, written)
        with open(path, "wb") as file:
            file.write((odd + text[1:]).encode())  # Python takes no mark
        self.check(path, out, 0)

    def test_shared_samplers(self):
        tree, content = self.tree()
        walking = tree["animations"][0]
        tree["nodes"][0]["children"].append(3)
        tree["nodes"].append({"name": "tail"})
        walking["channels"] += [
            {"sampler": 1, "target": {"node": 3, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 0, "path": "rotation"}, "extras": 1},
            {"sampler": 1, "target": {"path": "rotation"}},  # to be ignored
        ]
        path = self.save_as("shared.glb", tree, content)
        self.check(path, self.put(self.clips(path)("walk"), path, "out.glb", "--animation", "0"), 0, edited=6)

    def test_integers(self):
        for dtype, most in ("<i2", 32767), ("|i1", 127):
            values = np.rint(walk(31, 1, seed=2, turn=0.1)[:, 0] * most).astype(dtype)
            path = self.save_as("integers.glb", *self.tree(arm=(values, None)))
            out = self.put(self.clips(path)("walk"), path, "out.glb", "--animation", "0")
            self.check_rest(path, out, 0, edited=4)
            after = self.curves(out)[0][1]["arm", "rotation"][1]
            self.assertLess(degrees_between(values, after).max(), ROTATION + 1e-4)

    def test_only_one_kind(self):
        path = self.save_as("hero.glb", *self.tree())
        for kind, edited in ("rotation", 2), ("translation", 1), ("scale", 1):
            clip = self.clips(path, "--only", kind)("walk")
            out = self.put(clip, path, "out.glb", "--animation", "walk")
            self.check(path, out, 0, edited=edited)
        printed = self.good("decompress", clip, "--into", path, "-o", out, "--animation", "walk").stdout
        self.assertIn("rotations: as they were", printed)
        self.assertIn("scales: at most", printed)

    def test_additive_and_loops_and_objects(self):
        times = np.arange(31) / 30
        around = np.stack([0 * times, 0 * times, np.sin(np.pi * times), np.cos(np.pi * times)], -1)
        around[:, 0] = 0.2 * np.sin(2 * np.pi * times)
        path = self.save_as("hero.glb", *self.tree(arm=(2 * around, None)))  # of any length
        for options in ["--additive", "first"], ["--object", "0.0001@1"], ["--rate", "90"]:
            with self.subTest(options):
                clip = self.clips(path, *options)("walk")
                out = self.put(clip, path, "out.glb", "--animation", "walk")
                self.check(path, out, 0)
                lengths = np.linalg.norm(self.curves(out)[0][1]["arm", "rotation"][1], axis=1)
                self.assertLess(np.abs(lengths - 1).max(), 1e-5)
        nodes = [{"name": "wheel"}, {"name": "other"}]
        tree, content = gltf_tree(
            nodes, {"turn": [(0, "rotation", times, around, None)], "b": [(1, "rotation", [0], turns(1), None)]}
        )
        path = self.save_as("wheel.glb", tree, content)
        clip = self.clips(path, "--loop")("turn")
        self.check(path, self.put(clip, path, "out.glb", "--animation", "turn"), 0, edited=1)

    def test_one_frame(self):
        nodes = [{"name": "hip", "children": [1]}, {"name": "arm"}]
        pose = [(0, "rotation", [0], turns(1, 4), None), (1, "translation", [0.5], moves(1), "STEP")]
        path = self.save_as("pose.glb", *gltf_tree(nodes, {"pose": pose, "again": pose[:1]}))
        self.check(path, self.put(self.clips(path)("pose"), path, "out.glb", "--animation", "0"), 0, edited=2)

    def test_nothing_to_replace(self):
        nodes, still = [{"name": "hip"}], [(0, "rotation", [0, 1], [[0.0, 0, 0, 1]] * 2, None)]
        path = self.save_as("still.glb", *gltf_tree(nodes, {"still": still, "more": still}))
        clip = self.clips(path)("still")  # no curves: all is as without them
        for after in "out.glb", "out.gltf":
            self.check(path, self.put(clip, path, after, "--animation", "0"), 0, edited=0)

    def test_which_animation(self):
        tree, content = self.tree()
        path = self.save_as("hero.glb", tree, content)
        clip, out = self.clips(path), self.path("out.glb")
        list_of = "  0  walk\n  1  wave\n"
        self.bad(1, "decompress", clip("wave"), "--into", path, "-o", out, says=[path, "has 2 animations; choose one with --animation:\n" + list_of])
        for wrong in "Wave", "2", "-1", "", "1x":
            self.bad(1, "decompress", clip("wave"), "--into", path, "-o", out, "--animation", wrong,
                     says='there is no animation "%s" but these numbers and names:\n%s' % (wrong, list_of))
        manifest = {"manifest": 1, "animations": [{"output": "walk.qsc", "number": 0}, {"output": "wave.qsc", "number": 1}]}

        def say(manifest):
            with open(self.path("clips", "quatsimd.json"), "w") as file:
                file.write(manifest if isinstance(manifest, str) else json.dumps(manifest))

        say(manifest)
        self.check(path, self.put(clip("walk"), path, "out.glb"), 0)
        self.check(path, self.put(clip("wave"), path, "out.glb"), 1)
        result = subprocess.run(
            [os.path.abspath(os.environ.get("QUATSIMD_TOOL", "quatsimd")), "decompress", "wave.qsc", "--into", path, "-o", out],
            cwd=self.path("clips"),
            stdout=subprocess.PIPE,
        )
        self.assertEqual(result.returncode, 0)
        self.check(path, out, 1)
        self.check(path, self.put(clip("wave"), path, "out.glb", "--animation", "wave"), 1)
        os.remove(out)
        for broken in "", "{", "[]", '{"manifest": 1, "animations": 3}', '{"manifest": 1, "animations": [3, {"output": 3}, {"output": "wave.qsc"}]}', \
                '{"manifest": 1, "animations": [{"output": "wave.qsc", "number": "1"}]}':
            say(broken)
            self.bad(1, "decompress", clip("wave"), "--into", path, "-o", out, says="quatsimd.json: ")
        say('{"manifest": 1, "animations": [{"output": "wave.qsc", "number": 2}]}')
        self.bad(1, "decompress", clip("wave"), "--into", path, "-o", out, says=list_of)
        tree["animations"][1]["name"] = "walk"
        path = self.save_as("same.glb", tree, content)
        self.bad(1, "decompress", clip("wave"), "--into", path, "-o", out, "--animation", "walk", says='2 animations are named "walk"')
        self.check(path, self.put(clip("wave"), path, "out.glb", "--animation", "1"), 1)
        tree["animations"].pop()
        path = self.save_as("one.glb", tree, content)
        self.put(self.clips(path)("walk"), path, "out.glb")

    def test_a_number_is_that_of_the_file(self):
        """Animations that cannot be read count, too."""
        tree, content = self.tree()
        tree["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"
        path = self.save_as("hero.glb", tree, content)
        self.assertEqual(run("clip", "--time", "0", "-o", self.path("clips"), path).returncode, 1)
        out = self.path("out.glb")
        result = self.good("decompress", self.path("clips", "wave.qsc"), "--into", path, "-o", out)
        self.assertIn("animation 1, wave", result.stdout)
        self.check_rest(path, out, 1, edited=1)
        self.bad(1, "decompress", self.path("clips", "wave.qsc"), "--into", path, "-o", self.path("no.glb"),
                 "--animation", "0", says="numbers and names:\n  1  wave\n")

    def test_wrong_animations_show(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        printed = self.good("decompress", clip, "--into", path, "--animation", "wave", "-o", self.path("out.glb")).stdout
        worst = float(printed.split("rotations: at most ")[1].split()[0])
        self.assertGreater(worst, 1)

    def test_chunks(self):
        tree, content = self.tree()
        more = struct.pack("<I4s", 8, b"MORE") + b"whatever"
        binary = glb_of(tree, content) + more
        binary = binary[:8] + struct.pack("<I", len(binary)) + binary[12:]
        path = self.write("more.glb", binary)
        clip = self.clips(path)("walk")
        out = self.put(clip, path, "out.glb", "--animation", "0")
        self.check(path, out, 0)
        self.assertEqual(load(out)[2], more)
        self.bad(1, "decompress", clip, "--into", path, "-o", self.path("out.gltf"), "--animation", "0", says="chunks")

    def test_a_binary_chunk_that_is_no_buffer(self):
        tree, content = self.tree()
        tree = json.loads(gltf_text(tree, content))
        path = self.write("odd.glb", glb_of(tree, b"whatever"))
        for after in "out.glb", "out.gltf":
            out = self.put(self.clips(path)("walk"), path, after, "--animation", "0")
            self.check(path, out, 0)
            self.assertEqual(load(out)[1], b"whatever" if after == "out.glb" else None)

    def test_unpadded_binary(self):
        """A buffer that ends in the middle of a word, and is shorter than its chunk."""
        tree, content = self.tree()
        tree["bufferViews"].append({"buffer": 0, "byteOffset": len(content), "byteLength": 1})
        tree["buffers"][0]["byteLength"] += 1
        path = self.save_as("hero.glb", tree, content + b"x\0\0\0")
        for after in "out.glb", "out.gltf":
            self.check(path, self.put(self.clips(path)("walk"), path, after, "--animation", "0"), 0)

    def test_files_beside(self):
        tree, content = self.tree()
        tree["buffers"][0]["uri"] = "hero.bin"
        tree["images"] = [{"uri": "skin.png"}]
        self.write("hero.bin", content)
        path = self.write("hero.gltf", json.dumps(tree).encode())
        clip = self.clips(path)("walk")
        out = self.put(clip, path, "out.gltf", "--animation", "0")
        with open(out) as file:
            new = json.load(file)
        self.assertEqual((new["buffers"][0], new["images"]), (tree["buffers"][0], tree["images"]))
        self.assertIn("animation 0", self.good("decompress", clip, "--into", out, "-o", self.path("again.gltf"), "--animation", "0").stdout)
        os.mkdir(self.path("away"))
        says = "quatsimd: %s: needs hero.bin beside it, as %s does\n" % (self.path("away", "out.gltf"), path)
        self.put(clip, path, "away/out.gltf", "--animation", "0", says=says)

    def test_in_place(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        for lost in path, clip:
            with open(lost, "rb") as file:
                before = file.read()
            self.bad(2, "decompress", clip, "--into", path, "-o", lost, "--animation", "0", says="is what it is made from, and would be lost")
            with open(lost, "rb") as file:
                self.assertEqual(file.read(), before)

    def test_broken_clips(self):
        path = self.save_as("hero.glb", *self.tree())
        with open(self.clips(path)("walk"), "rb") as file:
            clip = file.read()
        arguments = "--into", path, "--animation", "0", "-o", self.path("out.glb")
        for broken in b"", clip[:1], clip[:40], clip[:-1], clip + b"\0", clip[:60] + b"?" + clip[61:], b"?" * 1000:
            self.bad(1, "decompress", self.write("broken.qsc", broken), *arguments, says="broken.qsc: ")
        self.bad(1, "decompress", path, *arguments, says=[path, "not a clip"])
        self.bad(1, "decompress", self.path("missing.qsc"), *arguments, says=["missing.qsc", "cannot open"])
        self.bad(1, "decompress", self.directory, *arguments, says="is a directory")
        flags = struct.unpack_from("<H", clip, 28)[0] | 2 << 4
        changed = clip[8:28] + struct.pack("<H", flags) + clip[30:]
        self.assertEqual(struct.unpack_from("<I", clip, 4)[0], xxh32(clip[8:]))
        relative = clip[:4] + struct.pack("<I", xxh32(changed)) + changed
        self.bad(1, "decompress", self.write("relative.qsc", relative), *arguments, says="is the difference of two animations")

    def test_clips_of_other_files(self):
        tree, content = self.tree()
        path = self.save_as("hero.glb", tree, content)
        clip = self.clips(path)("walk")
        other = copy.deepcopy(tree)
        other["animations"].pop()
        other["animations"][0]["channels"].pop(2)  # the leg is no joint then
        for name in "other.glb", "other.gltf":
            out = "--into", self.save_as(name, other, content), "-o", self.path("out.glb")
            self.bad(1, "decompress", clip, *out, says=[clip, "has 3 joints, and", name + " has 2", "another file"])
        self.bad(1, "decompress", clip, "--arrays", "--into", self.path("other.glb"), "-o", self.path("arrays"), says="3 joints")
        still = self.save_as("still.glb", {**tree, "animations": []}, content)
        self.bad(1, "decompress", clip, "--into", still, "-o", self.path("out.glb"), says="nothing moves")
        missing = self.path("missing.glb")
        self.bad(1, "decompress", clip, "--into", missing, "-o", self.path("out.glb"), says=[missing, "cannot open"])
        self.bad(1, "decompress", clip, "--into", self.write("text.glb", b"text"), "-o", self.path("out.glb"), says="text.glb")
        falling = copy.deepcopy(tree)
        falling["animations"].pop()
        start = tree["bufferViews"][tree["accessors"][tree["animations"][0]["samplers"][0]["input"]]["bufferView"]]["byteOffset"]
        for time in 5.0, float("nan"):
            changed = content[:start] + struct.pack("<f", time) + content[start + 4 :]
            path = self.save_as("falling.glb", falling, changed)
            self.bad(1, "decompress", clip, "--into", path, "-o", self.path("out.glb"), says='times of "hip" do not rise')

    def test_unwritable(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        arguments = "decompress", clip, "--into", path, "--animation", "0", "-o"
        self.bad(1, *arguments, self.path("out.bvh"), says=["out.bvh", "glTF", ".glb or .gltf"])
        self.bad(1, *arguments, self.path("out"), says=".glb or .gltf")
        self.bad(1, *arguments, self.path("none", "out.glb"), says="cannot write")
        os.mkdir(self.path("folder.glb"))
        self.bad(1, *arguments, self.path("folder.glb"), says="cannot write")
        os.symlink("/dev/full", self.path("full.glb"))
        self.bad(1, *arguments, self.path("full.glb"), says=["full.glb", "cannot write"])
        os.symlink("/dev/full", self.path("full.gltf"))
        self.bad(1, *arguments, self.path("full.gltf"), says=["full.gltf", "cannot write"])
        old = self.write("old.glb", b"old")
        self.bad(1, "decompress", clip, "--into", path, "--animation", "7", "-o", old, says='no animation "7"')
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"old")

    def test_usage(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        for arguments, says in (
            ([], "no file given"),
            ([clip], "-o"),
            ([clip, "--into", path], "-o"),
            ([clip, "-o", self.path("out.glb")], "neither --into nor --arrays"),
            ([clip, clip, "--into", path, "-o", self.path("out.glb")], "one argument too many"),
            ([clip, "--arrays", "--animation", "1", "-o", self.path("out")], "--animation"),
            ([clip, "--what"], "--what"),
        ):
            self.bad(2, "decompress", *arguments, says=["decompress", says])
        text = self.good("help", "decompress").stdout
        self.assertEqual(text, self.good("decompress", "--help").stdout)
        self.assertLess(max(map(len, text.splitlines())), 80)

    def test_mutated_files_do_not_crash(self):
        path = self.save_as("hero.glb", *self.tree())
        clip, random = self.clips(path)("walk"), np.random.default_rng(3)
        with open(path, "rb") as file:
            content = file.read()
        for _ in range(60):
            mutated = bytearray(content)
            for at in random.integers(len(mutated) * 3 // 4, size=3):
                mutated[at] = random.integers(32, 127)
            result = run("decompress", clip, "--into", self.write("mutated.glb", mutated), "--animation", "0", "-o", self.path("out.glb"))
            self.assertIn(result.returncode, (0, 1), result.stderr)
            self.assertNotRegex(result.stderr, "Sanitizer|runtime error")




class Arrays(Tools):
    def arrays(self, clip, *options, out="arrays"):
        result = self.good("decompress", clip, "--arrays", "-o", self.path(out), *options)
        self.assertEqual(result.stderr, "")
        found = {}
        for name in os.listdir(self.path(out)):
            stem, ending = os.path.splitext(name)
            if ending == ".npy":
                found[stem] = np.load(self.path(out, name))
            else:
                self.assertEqual(name, "joints.json")
                with open(self.path(out, name)) as file:
                    found["joints"] = json.load(file)
        return found

    def test_all(self):
        path = self.save_as("hero.glb", *self.tree())
        found = self.arrays(self.clips(path)("walk"), "--into", path)
        self.assertEqual(found.keys(), {"rotations", "translations", "scales", "times", "joints"})
        self.assertEqual(found["joints"], [{"name": n, "parent": p} for n, p in (("hip", -1), ("arm", 0), ("leg", 0))])
        np.testing.assert_allclose(found["times"], np.arange(31) / 30, atol=1e-6)
        self.assertEqual([found[name].dtype.str for name in ("rotations", "times")], ["<f4", "<f8"])
        curves = read_gltf_curves(path)[0][1]
        self.assertEqual(found["rotations"].shape, (31, 3, 4))
        self.assertLess(degrees_between(found["rotations"][:, 1], curves["arm", "rotation"][1]).max(), ROTATION + 1e-4)
        leg = curves["leg", "rotation"][1][(found["times"] > 0.5 - 1e-6).astype(int)]
        self.assertLess(degrees_between(found["rotations"][:, 2], leg).max(), ROTATION + 1e-4)
        np.testing.assert_array_equal(found["rotations"][:, 0], [[0, 0, 0, 1]] * 31)
        self.assertEqual(found["translations"].shape, (31, 3, 3))
        off = np.linalg.norm(found["translations"][:, 0] - curves["hip", "translation"][1], axis=-1)
        self.assertLess(off.max(), TRANSLATION * (1 + 1e-5))
        self.assertLess(np.abs(found["scales"][:, 0, 1] - 1 - found["times"]).max(), SCALE + 1e-5)

    def test_without(self):
        path = self.save_as("hero.glb", *self.tree())
        found = self.arrays(self.clips(path, "--only", "translation")("walk"), out="few")
        self.assertEqual(found.keys(), {"translations", "times"})
        clip = self.clips(path, "--additive", "first", into="additive")("walk")
        self.assertIn("to be added", self.good("decompress", clip, "--arrays", "-o", self.path("arrays")).stdout)
        added = self.arrays(clip)
        self.assertLess(degrees_between(added["rotations"][:1], np.array([[0.0, 0, 0, 1]])).max(), ROTATION + 1e-4)

    def test_many_frames_are_decoded_in_parts(self):
        keys, joints = 5000, 40  # more than are decoded at once
        q = walk(keys, joints, turn=0.02)
        curves = [(n, "rotation", np.arange(keys) / 64, q[:, n], None) for n in range(joints)]
        nodes = [{"name": str(n)} for n in range(joints)]
        path = self.save_as("long.glb", *gltf_tree(nodes, {"long": curves}))
        found = self.arrays(self.clips(path)("long"))
        self.assertEqual(found["rotations"].shape, q.shape)
        self.assertLess(degrees_between(found["rotations"], q).max(), ROTATION + 1e-4)

    def test_unwritable(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        self.bad(1, "decompress", clip, "--arrays", "-o", self.path("none", "arrays"), says="cannot make the directory")
        self.bad(1, "decompress", clip, "--arrays", "-o", path, says="cannot make the directory")
        os.mkdir(self.path("full"))
        os.symlink("/dev/full", self.path("full", "rotations.npy"))
        self.bad(1, "decompress", clip, "--arrays", "-o", self.path("full"), says=["rotations.npy", "cannot write"])


def bvh_values(path):
    """The numbers of MOTION: (frames, columns)."""
    with open(path, newline="") as file:
        words = file.read().split("MOTION")[1].split()
    return np.array(words[5:], float).reshape(int(words[1]), -1)


class Bvh(Tools):
    def setUp(self):
        need_assimp()
        super().setUp()

    def check(self, before, after, loose=1e-4):
        with open(before, newline="") as file, open(after, newline="") as file_after:
            self.assertEqual(file.read().split("Frame Time:")[0], file_after.read().split("Frame Time:")[0])
        for (name, q), (name_after, q_after) in zip(read_bvh(before), read_bvh(after)):
            self.assertEqual(name, name_after)
            self.assertLess(degrees_between(q, q_after).max(), ROTATION + loose, name)

    def bvh(self, name, joints, values, end="\n"):
        """joints: (name, channels), each below the one before; values: (frames, columns)."""
        lines = ["HIERARCHY"]
        for i, (joint, channels) in enumerate(joints):
            lines += ["JOINT " + joint if i else "ROOT " + joint, "{", "OFFSET 0 %d 0" % i]
            lines += ["CHANNELS %d %s" % (len(channels.split()), channels)]
        lines += ["End Site", "{", "OFFSET 0 1 0", "}"] + ["}"] * len(joints)
        lines += ["MOTION", "Frames: %d" % len(values), "Frame Time: 0.0333333"]
        lines += [" ".join("%.4f" % v for v in row) for row in values]
        return self.write(name, end.join(lines + [""]).encode())

    def test_recorded(self):
        path = model("BVH/01_01.bvh")
        out = self.put(self.clips(path)("Motion"), path, "out.bvh")
        self.check(path, out)
        before, after = bvh_values(path), bvh_values(out)
        off = np.linalg.norm(before[:, :3] - after[:, :3], axis=1)
        self.assertLess(off.max(), TRANSLATION * (1 + 1e-4))
        self.assertGreater(off.max(), 0)
        with open(out) as file:
            self.assertNotIn("-0.000000 ", file.read())
        steps = np.abs(np.diff(after[:, 3:], axis=0)).max()  # no turn of 180 degrees from frame to frame
        self.assertLess(steps, max(90, np.abs(np.diff(before[:, 3:], axis=0)).max() + 1))

    def test_only_rotations(self):
        path = model("BVH/01_03.bvh")
        out = self.put(self.clips(path, "--only", "rotation")("Motion"), path, "out.bvh")
        with open(path) as file, open(out) as file_after:
            for line, line_after in zip(file, file_after):
                if line.count(" ") > 50:
                    self.assertEqual(line.split()[:3], line_after.split()[:3])
        self.check(path, out)
        out = self.put(self.clips(path, "--only", "translation")("Motion"), path, "moved.bvh")
        with open(path) as file, open(out) as file_after:
            self.assertEqual([line.split()[3:] for line in file], [line.split()[3:] for line in file_after])

    def test_orders(self):
        """Any axes in any order, also fewer than three, and positions in any."""
        orders = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"]
        orders += ["XY", "ZY", "YX", "X", "Y", "Z"]
        joints = [("hip", "Yposition Zrotation Xposition Xrotation Zposition Yrotation")]
        joints += [(order, " ".join(axis + "rotation" for axis in order)) for order in orders] + [("none", "")]
        columns = sum(len(channels.split()) for _, channels in joints)
        values = np.cumsum(np.random.default_rng(5).normal(size=(120, columns), scale=6), axis=0)
        for end in "\n", "\r\n":
            path = self.bvh("orders.bvh", joints, values, end)
            out = self.put(self.clips(path)("Motion"), path, "out.bvh")
            self.check(path, out)
            after = bvh_values(out)
            off = np.linalg.norm(after[:, [0, 2, 4]] - values[:, [0, 2, 4]], axis=1)
            self.assertLess(off.max(), TRANSLATION + 1e-4)
            before = np.delete(bvh_values(path), [0, 2, 4], axis=1)
            after = np.delete(after, [0, 2, 4], axis=1)
            # the representative of the first frame, and from there no turns; errors are large only where a middle angle is locked
            self.assertLess(np.median(np.abs(after - before)[0]), 0.1)
            self.assertLess(np.quantile(np.abs(np.diff(after, axis=0)), 0.999), 120)
            for column in range(columns - 3 - 6, columns - 3 - 3):
                self.assertLess(np.abs(after - before)[:, column].max(), 200)
            with open(out, newline="") as file:
                text = file.read()
            self.assertEqual(text.count("\r"), text.count("\n") if end == "\r\n" else 0)

    def test_gimbal_lock(self):
        joints = [("hip", "Zrotation Xrotation Yrotation"), ("arm", "Xrotation Yrotation Zrotation"),
                  ("leg", "Zrotation Xrotation Zrotation")]
        time = np.linspace(0, 1, 61)[:, None]
        values = np.concatenate([300 * time, 0 * time + 90, 40 + 0 * time, 20 * time, 0 * time - 90, 50 - 30 * time,
                                 30 * time, 0 * time, 20 + 10 * time], axis=1)
        path = self.bvh("locked.bvh", joints, values)
        out = self.put(self.clips(path)("Motion"), path, "out.bvh")
        self.check(path, out, loose=2e-3)

    def test_equal_names_and_additive(self):
        joints = [("toe", "Zrotation Xrotation Yrotation")] * 3
        path = self.bvh("toes.bvh", joints, np.cumsum(np.random.default_rng(6).normal(size=(50, 9)), axis=0))
        for options in [], ["--additive", "first"]:
            out = self.put(self.clips(path, *options)("Motion"), path, "out.bvh")
            self.check(path, out)
            self.assertNotEqual(bvh_values(path).tolist(), bvh_values(out).tolist())

    def test_one_frame(self):
        joints = [("hip", "Xposition Yposition Zposition Zrotation Xrotation Yrotation"), ("arm", "Zrotation Xrotation Yrotation")]
        path = self.bvh("pose.bvh", joints, np.array([[1.0, 2, 3, 40, 50, 60, 170, 80, 190]]))
        out = self.put(self.clips(path)("Motion"), path, "out.bvh")
        self.check(path, out)
        self.assertLess(np.abs(bvh_values(path) - bvh_values(out)).max(), 0.5)

    def test_what_follows_stays(self):
        """More numbers than the file says."""
        path = model("BVH/Boxing_Toes.bvh")
        out = self.put(self.clips(path)("Motion"), path, "out.bvh")
        with open(path) as file, open(out) as file_after:
            before, after = file.read(), file_after.read()
        self.assertEqual(len(before.splitlines()), len(after.splitlines()))
        self.assertEqual(before.splitlines()[-1], after.splitlines()[-1])

    def test_broken(self):
        joints = [("hip", "Zrotation Xrotation Yrotation"), ("arm", "Zrotation Xrotation Yrotation")]
        values = np.cumsum(np.random.default_rng(6).normal(size=(5, 6)), axis=0)
        path = self.bvh("fine.bvh", joints, values)
        clip = self.clips(path)("Motion")
        with open(path) as file:
            text = file.read()
        for wrong, right, says in (
            ("CHANNELS 3 Zrotation Xrotation Yrotation\nEnd", "CHANNELS 3 Zrotation Zrotation Yrotation\nEnd", "axes that change"),
            ("Frames: 5", "Frames: 50", "broken.bvh"),
            ("arm", "a{m", "broken.bvh"),
            ("MOTION", "MOVES", "broken.bvh"),
        ):
            broken = self.write("broken.bvh", text.replace(wrong, right).encode())
            with self.subTest(says=right):
                self.bad(1, "decompress", clip, "--into", broken, "-o", self.path("out.bvh"), says=says)
        out = self.path("out.glb.txt")
        self.bad(1, "decompress", clip, "--into", path, "-o", out, says=[out, ".glb or a .bvh"])
        self.bad(1, "decompress", clip, "--into", path, "-o", self.path("none", "out.bvh"), says="cannot write")
        os.symlink("/dev/full", self.path("full.bvh"))
        self.bad(1, "decompress", clip, "--into", path, "-o", self.path("full.bvh"), says="cannot write")
        three = self.bvh("three.bvh", joints + [("leg", "Zrotation Xrotation Yrotation")], np.ones((5, 9)))
        self.bad(1, "decompress", clip, "--into", three, "-o", self.path("out.bvh"), says=["has 2 joints, and", "has 3"])

    def test_mutated_files_do_not_crash(self):
        joints = [("hip", "Zrotation Xrotation Yrotation"), ("arm", "Zrotation Xrotation Yrotation")]
        path = self.bvh("fine.bvh", joints, np.cumsum(np.random.default_rng(6).normal(size=(3, 6)), axis=0))
        clip, random = self.clips(path)("Motion"), np.random.default_rng(3)
        with open(path, "rb") as file:
            content = file.read()
        for _ in range(60):
            mutated = bytearray(content)
            mutated[random.integers(len(content))] = random.choice(list(b"{}\n 0X\0-"))
            result = run("decompress", clip, "--into", self.write("mutated.bvh", mutated), "-o", self.path("out.bvh"))
            self.assertIn(result.returncode, (0, 1), result.stderr)
            self.assertNotRegex(result.stderr, "Sanitizer|runtime error")


class Assimp(Tools):
    def setUp(self):
        need_assimp()
        if not os.path.exists(os.environ.get("QUATSIMD_PRINT_SCENE", "")):
            raise unittest.SkipTest("QUATSIMD_PRINT_SCENE is not set")
        super().setUp()

    def curves(self, path, number):
        scene = json.loads(subprocess.check_output([os.environ["QUATSIMD_PRINT_SCENE"], path]))
        curves = {}
        for channel in scene["animations"][number]["channels"]:
            for kind in "rotation", "translation", "scale":
                if kind in channel and not channel[kind]["made_up"]:
                    values = np.array(channel[kind]["values"]).reshape(len(channel[kind]["times"]), -1)
                    curves[channel["name"], kind] = channel[kind]["times"], values
        return curves

    def check(self, before, number, after):
        """What the clip has no curves of becomes keys of its own in Assimp's file."""
        was, now = self.curves(before, number), self.curves(after, number)
        for key, (times, values) in was.items():
            np.testing.assert_allclose(now[key][0], times, rtol=1e-6, atol=1e-6)
            if key[1] == "rotation":
                self.assertLess(degrees_between(values, now[key][1]).max(), ROTATION + 1e-3)
            else:
                bound = TRANSLATION if key[1] == "translation" else SCALE
                self.assertLess(np.linalg.norm(values - now[key][1], axis=-1).max(), 1.01 * bound)
        return was, now

    def test_formats(self):
        for name, animation, number, keys in (
            ("FBX/huesitos.fbx", "Armature_Action", 0, 804),
            ("FBX/animation_with_skeleton.fbx", "Armature_ArmatureAction", 0, 126),
            ("X/Testwuson.X", "Wuson_Walk", 1, 897 ),
            ("Collada/anims_with_full_rotations_between_keys.DAE", "animation", 0, 320),
            ("BVH/01_01.bvh", "Motion", 0, 88064),
        ):
            with self.subTest(name):
                path = model(name)
                clip = self.clips(path)(animation)
                result = self.good("decompress", clip, "--into", path, "-o", self.path("out.glb"), "--animation", number)
                self.assertIn("keys of animation %d" % number, result.stdout)
                was, now = self.check(path, number, self.path("out.glb"))
                self.assertNotEqual(*[np.concatenate([v.ravel() for k, (_, v) in c.items() if k in was]).tolist() for c in (was, now)])

    def test_additive(self):
        path = model("FBX/huesitos.fbx")
        clip = self.clips(path, "--additive", "first")("Armature_Action")
        self.check(path, 0, self.put(clip, path, "out.glb"))

    def test_bad(self):
        path = model("FBX/huesitos.fbx")
        clip = self.clips(path)("Armature_Action")
        for name in "out.fbx", "out.gltf", "out":
            self.bad(1, "decompress", clip, "--into", path, "-o", self.path(name), says=[name, "comes a .glb, and"])
        self.bad(1, "decompress", clip, "--into", path, "-o", self.path("none", "out.glb"), says="cannot write")
        other = model("X/Testwuson.X")
        self.bad(1, "decompress", clip, "--into", other, "-o", self.path("out.glb"), says=["has 11 joints", "has 39"])

    def test_where_the_exporter_fails(self):
        """Assimp 5.2 crashes on some skins; others may have other files."""
        path = model("X/anim_test.x")
        clip = self.clips(path)("cylinder_test")
        result = run("decompress", clip, "--into", path, "-o", self.path("out.glb"))
        if result.returncode == 0:
            self.check(path, 0, self.path("out.glb"))
        else:
            self.assertEqual(result.returncode, 1)
            self.assertIn("cannot be written as .glb", result.stderr)
            self.assertFalse(os.path.exists(self.path("out.glb")))


if __name__ == "__main__":
    unittest.main()
