"""Clips that decompress puts back, and files that they come from."""
import numpy as np

from support.command import Directory
from support.gltf import glb_of, gltf_text, gltf_tree
from support.rotations import degrees_between, turns, walk

ROTATION, TRANSLATION, SCALE = 0.05, 0.01, 0.001  # BOUNDS; degrees


class Decompress(Directory):
    def clips(self, path, *options, into="clips"):
        self.clips_of(path, self.path(into), *options)
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
