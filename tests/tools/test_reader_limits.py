"""Tests of the limits of reading: a file takes no more memory and time than it may."""
import base64
import json
import os
import resource
import struct
import time

import numpy as np

from support.bvh import bvh_of
from support.command import Directory, limited_memory, run
from support.fbx import fbx_binary, fbx_text
from support.fbx_curves import Curve
from support.fbx_figures import plain
from support.gltf import gltf_text, gltf_tree


PLY = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000\n%send_header\n" % b"".join(
    b"property float rot_%d\n" % i for i in range(4)
)


def gltf_at(uri):
    """A .gltf of 5,000 rotations whose buffer is at `uri`, and what the buffer has."""
    tree, content = gltf_tree([{"name": "hip"}], {"turn": [(0, "rotation", np.arange(5000), [[0.0, 0, 0, 1]] * 5000, None)]})
    tree["buffers"][0]["uri"] = uri or "data:;base64," + base64.b64encode(content).decode()
    return json.dumps(tree).encode(), content


def long_figure(keys):
    models = plain()
    models[1]["curves"]["R"]["X"] = (range(keys), [k % 90 for k in range(keys)])
    return models


class ReaderLimits(Directory):
    @limited_memory
    def test_memory(self):
        path = self.write("long.fbx", fbx_binary(long_figure(20000)))
        said = path + ": takes more than 0.0003 GB of memory (--reader-memory allows more)"
        for command in ["compress"], ["measure"], ["import"]:
            behind = [self.path("out")] if command == ["import"] else []
            self.bad(1, *command, "--reader-memory", "0.0003", path, *behind, says=said)
        start = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
        self.bad(1, "measure", self.write("large.fbx", start + bytes(64 << 20)), says="no rotation curves in this file")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)  # in KiB

    def test_memory_of_each_reader(self):
        """A file and its keys count; so do a buffer beside it, one in base64, and the tree of the JSON."""
        keys = np.random.default_rng(1).normal(size=(4000, 4)).astype(np.float32)
        np.save(self.path("keys.npy"), keys)
        np.savez_compressed(self.path("keys.npz"), keys)
        for name, uri in ("base64", None), ("beside", "beside.bin"):
            text, data = gltf_at(uri)
            self.write(name + ".gltf", text)
        self.write("beside.bin", data)
        self.write("tree.gltf", b'{"asset": {"version": "2.0"}, "extras": [%s0]}' % (b"0," * 2000))
        self.write("long.bvh", bvh_of(["0 0 0"] * 4000))
        self.write("long.splat", bytes(32 * 4000))
        self.write("long.ply", PLY + bytes(16 * 4000))
        for name in "keys.npy", "keys.npz", "beside.gltf", "base64.gltf", "tree.gltf", "long.bvh", "long.splat", "long.ply":
            with self.subTest(name):
                path = self.path(name)
                says = path + ": ", "GB of memory (--reader-memory allows more)"
                # the file itself is within it; of splats the rotations alone are kept
                limit = os.path.getsize(path) / 2**30 * (0.9 if name.endswith(("splat", "ply")) else 1.02)
                result = self.bad(1, "measure", "--no-speed", "--reader-memory", "%.9f" % limit, path, says=says)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                if name != "tree.gltf":
                    self.good("measure", "--no-speed", "--reader-memory", "0.002", path)
        self.bad(1, "pack", "-f", "cube32", "--reader-memory", "0.00007", self.path("keys.npy"), self.path("out.npy"), says=says[1])

    def test_seconds(self):
        path, start = self.write("slow.fbx", fbx_binary(long_figure(200000))), time.monotonic()
        self.bad(1, "measure", "--reader-seconds", "0.001", path, says="slow.fbx: takes more than 0.001 seconds (--reader-seconds")
        self.assertLess(time.monotonic() - start, 10)

    def test_circles_of_properties(self):
        for links in [("hip", "X", "hip", "X")] * 200, [("hip", "X%d" % i, "hip", "X%d" % (i + 1)) for i in range(3000)]:
            start = time.monotonic()
            path = self.write("circle.fbx", fbx_binary(plain(), links=links))
            result = run("compress", "--time", "0", "--reader-seconds", "1", path)
            self.assertIn(result.returncode, (0, 1))
            self.assertLess(time.monotonic() - start, 10)

    def test_times_count(self):
        """A curve that repeats has keys as far as the take goes."""
        models = plain()
        models[1]["curves"]["R"]["X"] = Curve([0, 0.5, 1], [0, 10, 0], after=("R", -1))
        path = self.write("long.fbx", fbx_binary(models, takes=[("walk", 0, 1e6)]))
        self.assertLess(os.path.getsize(path), 30000)
        says = path + ": takes more than 0.01 GB of memory (--reader-memory allows more)"
        self.bad(1, "measure", "--no-speed", "--reader-memory", "0.01", path, says=says)

    def test_many_nodes_of_one_mesh(self):
        """Morph targets are tracks of each node, so they grow as the square of the file."""
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], np.float32([[0, 0, 0, 1]] * 2), None)]})
        tree["meshes"] = [{"primitives": [{"attributes": {}, "targets": [{}] * 3000}]}]
        tree["nodes"] += [{"name": "n%d" % i, "mesh": 0} for i in range(3000)]
        path = self.write("many.gltf", gltf_text(tree, content))
        self.bad(1, "measure", "--no-speed", "--reader-memory", "0.05", path, says=path + ": takes more than 0.05 GB of memory")
        bvh = b"HIERARCHY ROOT a { OFFSET 0 0 0 " + b"JOINT b { OFFSET 0 0 0 " * 3000 + b"}" * 3001 + b"MOTION Frames: 0 Frame Time: 1\n"
        self.bad(1, "measure", "--reader-memory", "0.001", self.write("deep.bvh", bvh), says="deep.bvh: takes more than 0.001 GB of memory")

    def test_limits_are_numbers(self):
        path = self.write("a.fbx", fbx_text(plain()))
        for given in "-1", "nan", "4GB", "":
            self.bad(2, "measure", "--reader-memory", given, path, says="--reader-memory: ")
        self.good("measure", "--no-speed", "--reader-memory", "0", "--reader-seconds", "0", path)
