"""Tests of the command decompress into arrays, BVH files and FBX files."""
import json
import os
import re
import struct
import subprocess
import unittest

import numpy as np

from support.bvh import read_bvh
from support.command import model, run
from support.decompress import ROTATION, SCALE, TRANSLATION, Decompress
from support.gltf import gltf_tree, read_gltf_curves
from support.rotations import degrees_between, walk


class Arrays(Decompress):
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
        for folder in self.path("none", "arrays"), self.path("none", "more", "arrays"):
            self.good("decompress", clip, "--arrays", "-o", folder)
        self.bad(1, "decompress", clip, "--arrays", "-o", "", says="cannot make the directory")
        self.put(clip, path, "none/new/hero.glb", "--animation", "walk")
        self.bad(1, "decompress", clip, "--into", path, "--animation", "walk", "-o", path + "/x.glb", says="cannot make the directory")
        self.bad(1, "decompress", clip, "--arrays", "-o", path, says="cannot make the directory")
        os.mkdir(self.path("full"))
        os.symlink("/dev/full", self.path("full", "rotations.npy"))
        self.bad(1, "decompress", clip, "--arrays", "-o", self.path("full"), says=["rotations.npy", "cannot write"])


def bvh_values(path):
    """The numbers of MOTION: (frames, columns)."""
    with open(path, newline="") as file:
        words = file.read().split("MOTION")[1].split()
    return np.array(words[5:], float).reshape(int(words[1]), -1)


class Bvh(Decompress):
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
        joints = [
            ("hip", "Zrotation Xrotation Yrotation"),
            ("arm", "Xrotation Yrotation Zrotation"),
            ("leg", "Zrotation Xrotation Zrotation"),
        ]
        time = np.linspace(0, 1, 61)[:, None]
        values = np.concatenate(
            [300 * time, 0 * time + 90, 40 + 0 * time, 20 * time, 0 * time - 90, 50 - 30 * time, 30 * time, 0 * time, 20 + 10 * time],
            axis=1,
        )
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

    def test_frames_of_no_time(self):
        """All keys have one time: no reader takes such a file again."""
        path = self.bvh("some.bvh", [("hip", "Zrotation Xrotation Yrotation")], np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]))
        clip, none = self.clips(path)("Motion"), self.path("none.bvh")
        with open(path) as file, open(none, "w") as changed:
            lines = [line if "Frame Time:" not in line else "Frame Time: 0\n" for line in file]
            changed.write("".join(lines))
        self.assertIn("Frame Time: 0\n", lines)
        for out in "out.bvh", "out.glb":
            self.good("decompress", clip, "--into", path, "-o", self.path(out))
            os.remove(self.path(out))
            self.bad(1, "decompress", clip, "--into", none, "-o", self.path(out), says=none)

    def test_one_frame(self):
        joints = [("hip", "Xposition Yposition Zposition Zrotation Xrotation Yrotation"), ("arm", "Zrotation Xrotation Yrotation")]
        path = self.bvh("pose.bvh", joints, np.array([[1.0, 2, 3, 40, 50, 60, 170, 80, 190]]))
        out = self.put(self.clips(path)("Motion"), path, "out.bvh")
        self.check(path, out)
        self.assertLess(np.abs(bvh_values(path) - bvh_values(out)).max(), 0.5)

    def test_as_glb(self):
        """Nodes, curves and their times are those of the BVH, and lines lead from joint to joint."""
        text = (
            "HIERARCHY\nROOT hip {\nOFFSET 1 2 3\nCHANNELS 4 YPOSITION Zrotation Xrotation Yrotation\nJOINT arm { OFFSET 0 5 -1\n"
            "CHANNELS 1 Zrotation\nEnd Site { OFFSET 0 1.5 0 } }\nJOINT arm { OFFSET 4 0 0\nCHANNELS 0 } }\n"
            "ROOT ball {\nCHANNELS 3 Xposition Yposition Zposition }\nMOTION\nFrames: 4\nFrame Time: 0.1\n"
        )
        rows = [[5, 10, 20, 30, 0, 7, 8, 9], [6, 11, 21, 31, 80, 6, 8, 7], [7, 12, 22, 32, 170, 5, 8, 5], [8, 13, 23, 33, -10, 4, 8, 3]]
        text += "\n".join(" ".join(map(str, row)) for row in rows)
        path = self.write("two.bvh", text.encode())
        clip = self.clips(path, "-t", "0.01")("Motion")
        out = self.path("out.glb")
        result = self.good("decompress", clip, "--into", path, "-o", out)
        self.assertIn("1 more key, where rotations turn so far", result.stdout)
        with open(out, "rb") as file:
            content = file.read()
        size = struct.unpack_from("<I", content, 12)[0]
        tree, binary = json.loads(content[20 : 20 + size]), content[28 + size :]
        self.assertEqual(struct.unpack_from("<II", content, 4), (2, len(content)))
        self.assertEqual(tree["buffers"], [{"byteLength": len(binary)}])
        self.assertEqual([node["name"] for node in tree["nodes"]], ["hip", "arm", "EndSite_arm", "arm", "ball"])
        self.assertEqual([node.get("children") for node in tree["nodes"]], [[1, 3], [2], None, None, None])
        self.assertEqual(tree["scenes"], [{"nodes": [0, 4]}])
        self.assertEqual([n["translation"] for n in tree["nodes"]], [[1, 2, 3], [0, 5, -1], [0, 1.5, 0], [4, 0, 0], [0, 0, 0]])
        lines = {}
        for node in tree["nodes"]:
            self.assertEqual((node["rotation"], node["scale"]), ([0, 0, 0, 1], [1, 1, 1]))
            if "mesh" in node:
                (primitive,) = tree["meshes"][node["mesh"]]["primitives"]
                self.assertEqual(primitive["mode"], 1)
                accessor = tree["accessors"][primitive["attributes"]["POSITION"]]
                view = tree["bufferViews"][accessor["bufferView"]]
                self.assertEqual((accessor["type"], view["byteLength"]), ("VEC3", accessor["count"] * 12))
                ends = np.frombuffer(binary, "<f4", accessor["count"] * 3, view["byteOffset"]).reshape(-1, 3)
                self.assertEqual((accessor["min"], accessor["max"]), (ends.min(axis=0).tolist(), ends.max(axis=0).tolist()))
                lines[node["name"]] = ends.tolist()
        self.assertEqual(lines, {"hip": [[0, 0, 0], [0, 5, -1], [0, 0, 0], [4, 0, 0]], "arm": [[0, 0, 0], [0, 1.5, 0]]})
        ((name, after),) = read_gltf_curves(out)
        self.assertEqual((name, len(after)), ("Motion", 4))
        times = np.float32(np.arange(4) * 0.1)
        q = dict(read_bvh(path)[:2])
        for key, values in (
            (("hip", "rotation"), q["hip"]),
            (("arm", "rotation"), q["arm"]),
            (("hip", "translation"), [[1, row[0], 3] for row in rows]),
            (("ball", "translation"), [row[5:] for row in rows]),
        ):
            new_times, new, step = after[key]
            these = np.searchsorted(new_times, times)
            np.testing.assert_array_equal(new_times[these], times)
            self.assertEqual((step, len(new_times) > 4), (False, key == ("arm", "rotation")))
            if key[1] == "rotation":
                self.assertLess(degrees_between(new[these], values).max(), ROTATION + 1e-4)
            else:
                self.assertLess(np.linalg.norm(new[these] - values, axis=1).max(), TRANSLATION * (1 + 1e-4))
        # of the joints without channels the .glb does not say that they are joints
        self.bad(1, "verify", clip, "--against", out, says=["has 4 joints, and", "has 3"])
        samplers = tree["animations"][0]["samplers"]
        self.assertEqual(len({sampler["input"] for sampler in samplers}), 3)
        for sampler in samplers:
            count = tree["accessors"][sampler["input"]]["count"]
            self.assertEqual(tree["accessors"][sampler["output"]]["count"], count)
        fast = self.write("fast.bvh", text.replace("0.1\n", "1e-46\n").encode())
        self.bad(1, "decompress", clip, "--into", fast, "-o", out, says=fast + ': two keys of "hip" would have equal times in glTF')

    def test_text_stays(self):
        """All but the numbers: marks, spaces, line ends, rows that go on in the next line, and numbers of what the clip
        has no curves of."""
        head = "HIERARCHY\r\nroot hip {\r\noffset 1 2 3 channels 4 YPOSITION ZROTATION xrotation Yrotation\r\n end site { OFFSET 0 1 0 } }\r\nROOT arm\n{\nCHANNELS 1\tZrotation\n}\nMOTION\nFrames:2\nFrame Time:0.1\n"
        rows = "  5.25e0\t+10. 20 30\n\n 40   \n6 11 21\t31 41\n \n"
        path = self.write("odd.bvh", b"\xef\xbb\xbf" + (head + rows).encode())
        clip = self.clips(path, "--only", "rotation")("Motion")
        with open(self.put(clip, path, "out.bvh"), "rb") as file:
            after = file.read().decode("utf-8-sig")
        self.assertEqual(after[: len(head)], head)
        with_numbers = re.sub(r"-?[0-9]+\.[0-9]{6}\b", "N", after[len(head) :])
        self.assertEqual(with_numbers, "  5.25e0\tN N N\n\n N   \n6 N N\tN N\n \n")
        numbers = [float(word) for word in after[len(head) :].split()]
        np.testing.assert_allclose(numbers, [5.25, 10, 20, 30, 40, 6, 11, 21, 31, 41], atol=0.3)

    def test_broken(self):
        joints = [("hip", "Zrotation Xrotation Yrotation"), ("arm", "Zrotation Xrotation Yrotation")]
        values = np.cumsum(np.random.default_rng(6).normal(size=(5, 6)), axis=0)
        path = self.bvh("fine.bvh", joints, values)
        clip = self.clips(path)("Motion")
        with open(path) as file:
            text = file.read()
        for wrong, right, says in (
            ("CHANNELS 3 Zrotation Xrotation Yrotation\nEnd", "CHANNELS 3 Zrotation Zrotation Yrotation\nEnd", "axes that change"),
            ("arm", "a{m", "broken.bvh"),
            ("MOTION", "MOVES", "broken.bvh"),
        ):
            broken = self.write("broken.bvh", text.replace(wrong, right).encode())
            with self.subTest(says=right):
                self.bad(1, "decompress", clip, "--into", broken, "-o", self.path("out.bvh"), says=says)
        out = self.path("out.glb.txt")
        self.bad(1, "decompress", clip, "--into", path, "-o", out, says=[out, ".glb or .bvh"])
        self.bad(1, "decompress", clip, "--into", path, "-o", "/proc/out.bvh", says="cannot write")
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


class Others(Decompress):
    def setUp(self):
        if not os.path.exists(os.environ.get("QUATSIMD_PRINT_SCENE", "")):
            raise unittest.SkipTest("QUATSIMD_PRINT_SCENE is not set")
        super().setUp()

    def curves(self, path, number):
        scene = json.loads(subprocess.check_output([os.environ["QUATSIMD_PRINT_SCENE"], path]))
        curves = {}
        for channel in scene["animations"][number]["channels"]:
            for kind in "rotation", "translation", "scale":
                if kind in channel:
                    values = np.array(channel[kind]["values"]).reshape(len(channel[kind]["times"]), -1)
                    curves[channel["name"], kind] = channel[kind]["times"], values
        return curves

    def check(self, before, number, after):
        """Rotations may have more keys."""
        was, now = self.curves(before, number), self.curves(after, number)
        for key, (times, values) in was.items():
            if key[1] == "rotation" and len(now[key][0]) > len(times):
                these = [np.abs(np.subtract(now[key][0], time)).argmin() for time in times]
                now[key] = np.array(now[key][0])[these], now[key][1][these]
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
            self.bad(1, "decompress", clip, "--into", path, "-o", self.path(name), says=[name, "the name must end in .glb, because"])
        self.bad(1, "decompress", clip, "--into", path, "-o", "/proc/out.glb", says="cannot write")
        other = model("FBX/animation_with_skeleton.fbx")
        self.bad(1, "decompress", clip, "--into", other, "-o", self.path("out.glb"), says=["has 10 joints", "has 15"])


if __name__ == "__main__":
    unittest.main()
