"""Clips that tests look at, and files that they come from."""
import os

import numpy as np
import xxhash

from support.command import Directory
from support.gltf import gltf_text, gltf_tree
from support.rotations import turns, walk

KINDS = "rotation", "translation", "scale"
TIMES = np.arange(31) / 30


class Clips(Directory):
    """A file of two animations, walk and wave, and clips of it."""

    def curves(self, **changes):
        """{name: [node, path, times, values, interpolation]} of walk; `changes` are (times, values)."""
        curves = {
            "hip": [0, "translation", TIMES, walk(31, 1, turn=0.02)[:, 0, :3] * 3, None],
            "arm": [1, "rotation", TIMES, walk(31, 1, seed=2, turn=0.1)[:, 0], "LINEAR"],
            "leg": [2, "rotation", [0, 0.5], turns(2), "STEP"],
            "size": [0, "scale", [0, 1], [[1.0, 1, 1], [1, 2, 1]], None],
        }
        for name, (times, values) in changes.items():
            curves[name][2:4] = times, values
        return curves

    def hero(self, name="hero.gltf", joint="arm", animation="walk", **changes):
        nodes = [
            {"name": "hip", "children": [1, 2]},
            {"name": joint, "translation": [0, 5, 0]},
            {"name": "leg", "translation": [0, -5, 0], "rotation": [1, 0, 0, 0]},
        ]
        wave = [(1, "rotation", [0, 0.25, 0.5], turns(3, seed=9), None)]
        animations = {animation: list(self.curves(**changes).values()), "wave": wave}
        return self.write(name, gltf_text(*gltf_tree(nodes, animations)))

    def encode(self, path, *options):
        """The folder of its clips, by themselves, and what compress says of them."""
        return self.path("clips"), self.clips_of(path, self.path("clips"), *options)

    def walking(self, *options, **changes):
        return os.path.join(self.encode(self.hero(**changes), *options)[0], "walk.qsc")

    def content(self, *names):
        return bytearray(super().content(*names))

    def sealed(self, path, content):
        """Writes the clip with the checksum that its bytes have."""
        content[4:8] = xxhash.xxh32(bytes(content[8:])).intdigest().to_bytes(4, "little")
        return self.write(path, content)
