"""Files to compress, and a case that compresses them."""
import hashlib
import os

import numpy as np

from support.command import Directory, run
from support.gltf import glb_of, gltf_tree
from support.rotations import moves


def turns(keys, seed):
    v = np.cumsum(np.random.default_rng(seed).normal(scale=0.05, size=(keys, 3)), axis=0)
    q = np.concatenate([v, np.ones((keys, 1))], axis=1)
    return (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(np.float32)


def animation(joints, keys, seed=1, rate=30):
    """Joints below one another, all turning, the first one moving."""
    nodes = [{"name": "joint %d" % j, "children": [j + 1]} for j in range(joints - 1)] + [{"name": "last"}]
    times = np.arange(keys) / rate
    curves = [(j, "rotation", times, turns(keys, seed * 1000 + j), None) for j in range(joints)]
    return nodes, curves + [(0, "translation", times, moves(keys, seed), None)]


def small(name="Walk", joints=3, keys=20, seed=1):
    nodes, curves = animation(joints, keys, seed)
    return glb_of(*gltf_tree(nodes, {name: curves}))


def listing(folder):
    """What is in a folder: the digest of every file."""
    found = {}
    for above, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(above, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


class Case(Directory):
    put = Directory.write

    def compress(self, *arguments, status=0, **options):
        result = run("compress", "-o", self.path("out"), *arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result

    def out(self, *names):
        return self.path("out", *names)

    def read(self, *names):
        return self.content(self.out(*names))

    def making(self, bundle):
        """What a bundle says of how it was made."""
        return self.json("info", bundle)[0]["making"]
