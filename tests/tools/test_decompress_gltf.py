"""Tests of the command decompress into glTF files."""
import base64
import copy
import json
import os
import struct
import unittest

import numpy as np
import xxhash

from support.command import run
from support.decompress import ROTATION, Decompress
from support.gltf import glb_of, gltf_text, gltf_tree, read_gltf_curves
from support.rotations import degrees_between, moves, turns, walk


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


class Gltf(Decompress):
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
        report = self.good("compress", "--time", "0", after).stdout  # and what has been written can be read
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
                    self.assertNotEqual(
                        self.curves(path)[0][1]["arm", "rotation"][1].tobytes(), self.curves(out)[0][1]["arm", "rotation"][1].tobytes()
                    )
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

    def test_jumps(self):
        """Two keys at one time: the first one has the value from before the jump, where a clip may be late."""
        for times in [0, 1, 1], [0, 0.5, 1, 1], [0, 1, 1, 3], [0, 0.4, 0.4, 0.4, 1]:
            with self.subTest(times):
                values = np.cumsum(np.arange(3 * len(times)).reshape(-1, 3), axis=0).astype(np.float32)
                curves = [(0, "translation", times, values, None), (0, "rotation", times, turns(len(times)), None)]
                path = self.write("jump.gltf", gltf_text(*gltf_tree([{"name": "a"}], {"move": curves})))
                out = self.put(self.clips(path)("move"), path, "out.glb")
                last = len(times) - 1
                found = {key[1]: after for key, after in self.curves(out)[0][1].items()}
                for kind, wanted in ("translation", values), ("rotation", turns(len(times))):
                    kept = [k for k, time in enumerate(times) if not 0 < k < last or not times[k - 1] == time == times[k + 1]]
                    self.assertEqual(len(found[kind][0]), len(kept))
                    self.assertTrue((np.diff(found[kind][0]) > 0).all())
                    np.testing.assert_allclose(found[kind][0], np.array(times)[kept], rtol=1e-6)
                    signs = np.sign((found[kind][1] * wanted[kept]).sum(-1, keepdims=True)) if kind == "rotation" else 1
                    np.testing.assert_allclose(found[kind][1], signs * wanted[kept], atol=0.011 if kind == "translation" else 1e-3)

    def test_jumps_among_many_frames(self):
        """Either side of a jump, where a clip may be early or late by the rounding of times; far from 0, too."""
        for start, rate in (0, "60"), (0, "30"), (0, "24"), (-20, "30"), (1000, "60"), (5, None):
            for every in 7, 11, 61:
                with self.subTest(start=start, rate=rate, every=every):
                    frames = np.sort(np.r_[np.arange(301), np.arange(every, 300, every)])
                    times = (start + frames / 30).astype(np.float32)
                    jumps = np.flatnonzero(np.diff(frames) == 0)
                    values = np.cumsum(np.random.default_rng(0).normal(size=(301, 3)) * 0.02, axis=0)[frames]
                    for jump in jumps:
                        values[jump + 1 :, 0] += 5
                    curve = (0, "translation", times, values.astype(np.float32), None)
                    path = self.write("jump.gltf", gltf_text(*gltf_tree([{"name": "a"}], {"move": [curve]})))
                    options = ["--object", "0.0001@0.03", *(["--rate", rate] if rate else [])]
                    found = self.curves(self.put(self.clips(path, *options)("move"), path, "out.glb"))[0][1]["a", "translation"][1]
                    self.assertEqual(found.shape, values.shape)
                    slope = np.abs(np.diff(values, axis=0))[np.diff(frames) > 0].max() * 30  # what the rounding of times comes to
                    np.testing.assert_allclose(found, values, atol=2e-4 + slope * 2.0**-21 * times[-1])

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
        says = "quatsimd: %s: animation 0, walk: 1 channel is left out: a target without a node\n" % path
        self.check(path, self.put(self.clips(path)("walk"), path, "out.glb", "--animation", "0", says=says), 0, edited=6)

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
        tree, content = gltf_tree(nodes, {"turn": [(0, "rotation", times, around, None)], "b": [(1, "rotation", [0], turns(1), None)]})
        path = self.save_as("wheel.glb", tree, content)
        clip = self.clips(path, "--loop")("turn")
        self.check(path, self.put(clip, path, "out.glb", "--animation", "turn"), 0, edited=1)

    def test_one_frame(self):
        nodes = [{"name": "hip", "children": [1]}, {"name": "arm"}]
        pose = [(0, "rotation", [0], turns(1, 4), None), (1, "translation", [0.5], moves(1), "STEP")]
        path = self.save_as("pose.glb", *gltf_tree(nodes, {"pose": pose, "again": pose[:1]}))
        self.check(path, self.put(self.clips(path)("pose"), path, "out.glb", "--animation", "0"), 0, edited=2)

    def test_accessors_without_views(self):
        """All of their numbers are 0, and there are neither views nor buffers."""
        tree = {
            "asset": {"version": "2.0"},
            "nodes": [{"name": "hip", "translation": [1, 2, 3]}],
            "accessors": [{"componentType": 5126, "count": 1, "type": kind} for kind in ("SCALAR", "VEC3")],
            "animations": [
                {
                    "name": "zero",
                    "samplers": [{"input": 0, "output": 1}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                }
            ],
        }
        path = self.write("zeros.gltf", json.dumps(tree).encode())
        out = self.put(self.clips(path)("zero"), path, "out.gltf", "--animation", "0")
        after = load(out)[0]
        self.assertEqual(after["accessors"][after["animations"][0]["samplers"][0]["output"]]["bufferView"], 0)
        self.assertEqual([buffer[:12] for buffer in buffers_of(out)], [bytes(12)])
        self.assertEqual(after["bufferViews"], [{"buffer": 0, "byteOffset": 0, "byteLength": 12}])
        self.good("compress", "--time", "0", out)

    def test_curve_at_rest(self):
        nodes, still = [{"name": "hip"}], [(0, "rotation", [0, 1], [[0.0, 0, 0, 1]] * 2, None)]
        path = self.save_as("still.glb", *gltf_tree(nodes, {"still": still, "more": still}))
        clip = self.clips(path)("still")
        for after in "out.glb", "out.gltf":
            self.check(path, self.put(clip, path, after, "--animation", "0"), 0, edited=1)

    def test_which_animation(self):
        tree, content = self.tree()
        path = self.save_as("hero.glb", tree, content)
        clip, out = self.clips(path), self.path("out.glb")
        list_of = "  0  walk\n  1  wave\n"
        self.bad(
            1,
            "decompress",
            clip("wave"),
            "--into",
            path,
            "-o",
            out,
            says=[path, "has 2 animations; choose one with --animation:\n" + list_of],
        )
        for wrong in "Wave", "2", "-1", "", "1x":
            self.bad(
                1,
                "decompress",
                clip("wave"),
                "--into",
                path,
                "-o",
                out,
                "--animation",
                wrong,
                says='there is no animation "%s"; there are these numbers and names:\n%s' % (wrong, list_of),
            )
        bundle = self.path("hero.qsb")
        self.good("compress", "-r", "0.05", "-t", "0.01", "-o", bundle, path)
        for number, name in enumerate(["walk", "wave"]):
            self.good("decompress", bundle, name, "--into", path, "-o", out)
            self.check(path, out, number)
        self.bad(1, "decompress", bundle, "--into", path, "-o", out, says=bundle + ": has 2 clips; name one of them:\n  walk\n  wave\n")
        self.bad(1, "decompress", bundle, "run", "--into", path, "-o", out, says='has no clip "run"; there are:\n  walk\n  wave\n')
        self.check(path, self.put(clip("wave"), path, "out.glb", "--animation", "wave"), 1)
        os.remove(out)
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
        tree["animations"][0]["samplers"][0]["interpolation"] = "BEZIER"
        path = self.save_as("hero.glb", tree, content)
        self.clips_of(path, self.path("clips"), status=1)
        out = self.path("out.glb")
        result = self.good("decompress", self.path("clips", "wave.qsc"), "--into", path, "-o", out)
        self.assertIn("animation 1, wave", result.stdout)
        self.check_rest(path, out, 1, edited=1)
        self.bad(
            1,
            "decompress",
            self.path("clips", "wave.qsc"),
            "--into",
            path,
            "-o",
            self.path("no.glb"),
            "--animation",
            "0",
            says="numbers and names:\n  1  wave\n",
        )

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
        says = "quatsimd: %s: needs hero.bin beside it, which is now beside %s\n" % (self.path("away", "out.gltf"), path)
        self.put(clip, path, "away/out.gltf", "--animation", "0", says=says)

    def test_in_place(self):
        path = self.save_as("hero.glb", *self.tree())
        clip = self.clips(path)("walk")
        for lost in path, clip:
            with open(lost, "rb") as file:
                before = file.read()
            self.bad(
                2, "decompress", clip, "--into", path, "-o", lost, "--animation", "0", says="is also an input, and would be overwritten"
            )
            with open(lost, "rb") as file:
                self.assertEqual(file.read(), before)
        # a file that the original refers to
        tree, content = self.tree()
        tree["buffers"][0]["uri"] = "data.glb"
        needed, path = self.write("data.glb", content), self.write("apart.gltf", json.dumps(tree).encode())
        says = "%s: is also an input, and would be overwritten" % needed
        self.bad(1, "decompress", self.clips(path)("walk"), "--into", path, "-o", needed, "--animation", "0", says=says)
        with open(needed, "rb") as file:
            self.assertEqual(file.read(), content)

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
        flags = struct.unpack_from("<I", clip, 28)[0] | 2 << 17
        changed = clip[8:28] + struct.pack("<I", flags) + clip[32:]
        self.assertEqual(struct.unpack_from("<I", clip, 4)[0], xxhash.xxh32(clip[8:]).intdigest())
        relative = clip[:4] + struct.pack("<I", xxhash.xxh32(changed).intdigest()) + changed
        self.bad(
            1,
            "decompress",
            self.write("relative.qsc", relative),
            *arguments,
            says="is additive to another animation, and does not say which; give --base",
        )

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
        self.bad(1, "decompress", clip, "--into", still, "-o", self.path("out.glb"), says="no node moves")
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
        self.bad(1, *arguments, "/proc/out.glb", says="cannot write")
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
            ([clip, clip, clip, "--into", path, "-o", self.path("out.glb")], "one argument too many"),
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


if __name__ == "__main__":
    unittest.main()
