"""Tests of the command decompress: files turn the right way between keys, too."""
import json
import struct
import unittest

import numpy as np

from support.decompress import Decompress
from support.gltf import glb_of, gltf_text, gltf_tree, read_gltf_curves
from support.rotations import degrees_between, walk


def about_z(*degrees):
    half = np.radians(degrees) / 2
    return np.stack((0 * half, 0 * half, np.sin(half), np.cos(half)), -1)


def play(times, keys, at):
    """As glTF has it: slerp, toward the negative of the next key where the dot product is negative."""
    times, keys = times.astype(float), keys.astype(float)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    k = np.clip(np.searchsorted(times, at, "right") - 1, 0, len(times) - 2)
    t = np.clip((at - times[k]) / (times[k + 1] - times[k]), 0, 1)[:, None]
    p, q = keys[k], keys[k + 1]
    dot = (p * q).sum(-1, keepdims=True)
    q, dot = np.where(dot < 0, -q, q), np.minimum(np.abs(dot), 1)
    angle = np.arccos(dot)
    sine = np.where(angle > 1e-6, np.sin(angle), 1)
    a, b = (np.where(angle > 1e-6, np.sin(s * angle) / sine, s) for s in (1 - t, t))
    return a * p + b * q


TURNS = {
    "wheel": about_z(0, 180, 360, 540, 720),
    "back": about_z(0, -180, -360, -540, -720),
    "exact": np.array([[0, 0, 0, 1.0], [0, 0, 1, 0], [0, 0, 0, -1], [0, 0, -1, 0], [0, 0, 0, 1]]),
    "gate": np.array([[0, 0, 0, 1.0], [0, 0, -1, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]),
    "door": about_z(0, 179.98, 0, -179.97, 0.01),
    "far": about_z(10, 190, 10.001, 189.99, 10),
    "near": about_z(0, 100, 200, 300, 360),
}
TIMES = np.array([0, 0.5, 1, 1.75, 2])


class Turns(Decompress):
    def scene(self, fine=False):
        """All of them, the first two with the times of a translation, and one curve that moves two nodes. fine: with so
        many keys that no clip can take another way."""
        nodes = [{"name": name, "translation": [i, 0, 0]} for i, name in enumerate(TURNS)] + [{"name": "twin"}]
        nodes[0]["children"] = list(range(1, len(nodes)))
        at = np.arange(121) / 60
        turns = [(at, play(TIMES, q.astype("f4"), at)) if fine else (TIMES, q) for q in TURNS.values()]
        curves = [(i, "rotation", *turn, None) for i, turn in enumerate(turns)]
        curves.append((0, "translation", TIMES, walk(5, 1, turn=0.5)[:, 0, :3], None))
        tree, content = gltf_tree(nodes, {"turn": curves})
        samplers, channels = tree["animations"][0]["samplers"], tree["animations"][0]["channels"]
        if not fine:
            samplers[0]["input"] = samplers[1]["input"] = samplers[-1]["input"]
        channels.append({"sampler": 0, "target": {"node": len(nodes) - 1, "path": "rotation"}})
        channels.append({"sampler": 0, "target": {"path": "rotation"}})  # of no node: it keeps that sampler
        return tree, content

    def check_turns(self, fine):
        at = np.linspace(0, 2, 2001)
        for bound in 0.05, 1:
            for name in "turns.gltf", "turns.glb":
                with self.subTest(bound=bound, name=name):
                    path, new = self.save_as(name, *self.scene()), self.path("new" + name)
                    source = self.save_as("fine.glb", *self.scene(fine=True)) if fine else path
                    clip = self.clips(source, "-r", bound)("turn")
                    result = self.good("decompress", clip, "--into", path, "-o", new)
                    self.assertRegex(result.stdout, "\n[0-9]+ more keys, where rotations turn so far")
                    after = self.played(new)
                    for key, (times, values, _) in self.played(path).items():
                        new_times, new_values, _ = after[key]
                        if key[1] == "translation":
                            np.testing.assert_array_equal(times, new_times)
                            continue
                        self.assertLess(set(times), set(new_times)) if key[0] != "near" else self.assertEqual(set(times), set(new_times))
                        self.assertTrue((np.diff(new_times) > 0).all())
                        self.assertLess(degrees_between(new_values[:-1], new_values[1:]).max(), 120.1)
                        off = degrees_between(play(times, values, at), play(new_times, new_values, at))
                        self.assertLess(off.max(), bound + 1e-3, key)  # and floats are rounded
                    self.check_accessors(new)
                    self.good("verify", clip, "--against", path, "-r", bound)

    def test_every_time(self):
        self.check_turns(fine=False)

    def test_every_time_of_finer_clips(self):
        self.check_turns(fine=True)

    def played(self, path):
        """The curves of the channels that have a node."""
        tree, content = self.tree_of(path)
        channels = tree["animations"][0]["channels"]
        tree["animations"][0]["channels"] = [c for c in channels if "node" in c["target"]]
        return read_gltf_curves(self.save_as("played.glb" if content else "played.gltf", tree, content))[0][1]

    def save_as(self, name, tree, content):
        if name == "played.gltf":  # with its own buffers
            return self.write(name, json.dumps(tree).encode())
        return self.write(name, (glb_of if name.endswith(".glb") else gltf_text)(tree, content))

    def tree_of(self, path):
        with open(path, "rb") as file:
            content = file.read()
        if content[:4] != b"glTF":
            return json.loads(content), b""
        length = struct.unpack_from("<I", content, 12)[0]
        return json.loads(content[20 : 20 + length]), content[28 + length :]

    def check_accessors(self, path):
        """Inputs have their least and largest time; as many elements as the outputs; what was there is as it was."""
        tree, _ = self.tree_of(path)
        old, _ = self.scene()
        self.assertEqual(tree["accessors"][: len(old["accessors"])], old["accessors"])
        animation = tree["animations"][0]
        self.assertEqual(animation["channels"][-1]["sampler"], 0)
        self.assertEqual(animation["samplers"][0], old["animations"][0]["samplers"][0])
        for sampler in animation["samplers"]:
            times, values = (tree["accessors"][sampler[key]] for key in ("input", "output"))
            self.assertEqual(times["count"], values["count"])
            if sampler["input"] >= len(old["accessors"]):
                self.assertEqual((times["type"], times["min"], times["max"]), ("SCALAR", [0], [2]))

    def test_what_needs_no_more_keys(self):
        """Has none; nor has STEP, whose keys may be as far apart as they like."""
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        step, slow = about_z(0, 180, 360), walk(31, 1, seed=2, turn=0.1)[:, 0]
        animations = {"turn": [(0, "rotation", [0, 0.5, 1], step, "STEP"), (1, "rotation", np.arange(31) / 30, slow, None)]}
        path = self.save_as("still.glb", *gltf_tree(nodes, animations))
        out = self.put(self.clips(path)("turn"), path, "out.glb")
        for key, (times, _, _) in read_gltf_curves(path)[0][1].items():
            np.testing.assert_array_equal(read_gltf_curves(out)[0][1][key][0], times)


if __name__ == "__main__":
    unittest.main()
