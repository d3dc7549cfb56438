"""Bounds of the mesh: each joint's distance is that of the farthest vertex that it moves, in its own space."""
import os
import re
import unittest

import numpy as np

from support.command import Directory, data
from support.decoded import compressed
from support.fbx import fbx_binary, fbx_text, rotation, translation
from support.gltf import append, glb_of, gltf_text, gltf_tree
from support.playing import matrix
from support.rotations import turns
from support.skinned import Skinned

TIMES = np.linspace(0, 1, 7).astype("f4")
NODES = [
    {"name": "hip", "children": [1, 2], "mesh": 0, "skin": 0},
    {"name": "arm", "children": [3], "translation": [0, 1, 0]},
    {"name": "still", "translation": [0, 0, 5], "rotation": [0, 0, 1, 0], "scale": [2, 2, 2], "mesh": 1},
    {"name": "tip", "translation": [0, 0.1, 0]},
]


class Mesh:
    """A .gltf with a mesh of two joints' skin and one of a node that stands still below a joint."""

    def __init__(self, seed=1, nodes=NODES):
        self.random = np.random.default_rng(seed)
        moves = [(0, "rotation", TIMES, turns(len(TIMES)), None), (1, "rotation", TIMES, turns(len(TIMES), seed=4), None)]
        self.tree, self.content = gltf_tree([dict(node) for node in nodes], {"walk": moves})
        self.points = self.random.uniform(-2, 2, (30, 3)).astype("f4")
        self.weights = self.random.dirichlet([1, 1, 1, 1], 30).astype("f4")
        self.weights[:20, 1:] = 0
        self.joints = np.tile(np.array([0, 1, 0, 1], "u1"), (30, 1))
        self.joints[:10] = 1
        self.binds = np.array([np.diag([2.0, 2, 2, 1]), np.eye(4)])
        self.binds[1, :3, 3] = 1, 2, 3
        self.other = self.random.uniform(-1, 1, (5, 3)).astype("f4")
        self.tree["skins"] = [
            {"joints": [0, 1], "inverseBindMatrices": self.put(self.binds.transpose(0, 2, 1).astype("f4").reshape(2, 16))}
        ]
        attributes = {"POSITION": self.put(self.points), "JOINTS_0": self.put(self.joints), "WEIGHTS_0": self.put(self.weights)}
        self.tree["meshes"] = [
            {"primitives": [{"attributes": attributes}]},
            {"primitives": [{"attributes": {"POSITION": self.put(self.other)}}]},
        ]
        self.distances = {
            "hip": max(self.farthest(self.binds[0], self.weights_of(0)), self.farthest(matrix(**NODES[2]), None, self.other)),
            "arm": self.farthest(self.binds[1], self.weights_of(1)),
        }

    def put(self, array, **more):
        """The number of an accessor."""
        number, self.content = append(self.tree, self.content, array, **more)
        return number

    def add_targets(self, moved, keys, rest):
        """Morph targets of the skinned mesh, and their weights at two times."""
        mesh, animation = self.tree["meshes"][0], self.tree["animations"][0]
        mesh["primitives"][0]["targets"] = [{"POSITION": self.put(m.astype("f4"))} for m in moved]
        mesh["weights"] = rest
        weights = self.put(np.array(keys, "f4").reshape(-1, 1))
        animation["samplers"].append({"input": self.put(np.array([[0], [1]], "f4"), min=[0], max=[1]), "output": weights})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": 0, "path": "weights"}})

    def weights_of(self, joint):
        return ((self.joints == joint) & (self.weights > 0)).any(axis=1)

    def farthest(self, matrix, chosen=None, points=None):
        points = self.points if points is None else points
        places = points[chosen] if chosen is not None else points
        return np.linalg.norm(places @ matrix[:3, :3].T + matrix[:3, 3], axis=1).max()

    def glb(self):
        return glb_of(self.tree, self.content)


class MeshBounds(Directory):
    def off(self, path):
        """The largest error of any vertex at 200 times, in parts of a bound of 0.2 mm."""
        file, (clips, skeleton) = Skinned(path), compressed(self, path, "0.2mm@mesh")
        self.assertEqual(len(clips), len(file.tree["animations"]))
        return max(file.off(number, clip, skeleton) for number, clip in clips) / 2e-4

    def distances(self, path, *options, says=""):
        """{joint: (bound, distance)}, as the bundle has them. Its record of the file is kept in self.made."""
        bundle = self.path("out.qsb")
        result = self.good("compress", "--object", "0.2mm@mesh", "-o", bundle, *options, path)
        self.assertEqual(result.stderr, says)
        self.good("verify", bundle)
        (self.made,) = self.json("info", bundle)[0]["making"]["files"]
        os.remove(bundle)
        return {row["name"]: (row["object_bound"], row["object_distance"]) for row in self.made.get("joint_bounds", [])}

    def check(self, found, distances, bound=2e-4):
        self.assertEqual(found.keys(), distances.keys())
        for joint, distance in distances.items():
            self.assertAlmostEqual(found[joint][0], bound)
            self.assertLess(abs(found[joint][1] / distance - 1), 1e-5, joint)

    def test_skins_and_nodes(self):
        for seed in range(5):
            mesh = Mesh(seed)
            self.check(self.distances(self.write("mesh%d.glb" % seed, mesh.glb())), mesh.distances)

    def test_instances(self):
        """EXT_mesh_gpu_instancing: of each instance, in the space of its node. Those left out are as in a node."""
        turned = np.array([[0, 0, 0.6, 0.8], [0, 1, 0, 0]], "f4")
        all_ = {
            "TRANSLATION": np.array([[0, 2, 0], [3, 0, 0]], "f4"),
            "ROTATION": turned,
            "SCALE": np.array([[1, 3, 1], [-2, 1, 1]], "f4"),
        }
        for kinds in all_, ["TRANSLATION"], ["ROTATION", "SCALE"]:
            mesh = Mesh()
            mesh.tree["nodes"][2]["extensions"] = {
                "EXT_mesh_gpu_instancing": {"attributes": {kind: mesh.put(all_[kind]) for kind in kinds}}
            }
            own = [matrix(**{kind.lower(): all_[kind][i] for kind in kinds}) for i in range(2)]
            farthest = max(mesh.farthest(matrix(**NODES[2]) @ m, None, mesh.other) for m in own)
            mesh.distances["hip"] = max(mesh.farthest(mesh.binds[0], mesh.weights_of(0)), farthest)
            self.check(self.distances(self.write("mesh.glb", mesh.glb())), mesh.distances)

    def test_quantized(self):
        """Positions of integers (KHR_mesh_quantization), weights of bytes."""
        mesh = Mesh()
        mesh.points = mesh.random.integers(-3, 4, (30, 3)).astype("i2")
        bytes_ = np.round(mesh.weights * 255).astype("u1")
        mesh.weights = bytes_ / 255
        padded = np.zeros((30, 4), "i2")
        padded[:, :3] = mesh.points
        attributes = mesh.tree["meshes"][0]["primitives"][0]["attributes"]
        attributes["POSITION"] = mesh.put(padded, type="VEC3")
        mesh.tree["bufferViews"][-1]["byteStride"] = 8
        attributes["WEIGHTS_0"] = mesh.put(bytes_, normalized=True)
        points = mesh.points.astype(float)
        mesh.distances["hip"] = mesh.farthest(mesh.binds[0], mesh.weights_of(0), points)
        mesh.distances["arm"] = mesh.farthest(mesh.binds[1], mesh.weights_of(1), points)
        self.check(self.distances(self.write("mesh.glb", mesh.glb())), mesh.distances)

    def test_morph_targets(self):
        """As far as their weights go, in any animation, or at rest."""
        mesh = Mesh()
        moved = mesh.random.uniform(-1, 1, (2, 30, 3))
        mesh.add_targets(moved, [0, 0, -2, 0.5], [0.25, -3])
        of_tracks = 2e-4 * 2 / (2 + 3 * 2)  # two tracks, two joints of three numbers
        factors = np.zeros(2)
        for joint, name in enumerate(("hip", "arm")):
            bind, chosen = mesh.binds[joint], mesh.weights_of(joint)
            lengths = np.linalg.norm(mesh.points @ bind[:3, :3].T + bind[:3, 3], axis=1)
            by = np.linalg.norm(moved @ bind[:3, :3].T, axis=2)
            mesh.distances[name] = (lengths + 2 * by[0] + 3 * by[1])[chosen].max() + of_tracks
            roots = np.sqrt(by)
            factors = np.maximum(factors, (roots * roots.sum(axis=0))[:, chosen].max(axis=1))
        path = self.write("mesh.glb", mesh.glb())
        self.check(self.distances(path), mesh.distances, bound=2e-4 - of_tracks)
        np.testing.assert_allclose(self.made["track_bounds"], of_tracks / factors, rtol=1e-6)
        self.distances(path, "--track", "0.00002")
        np.testing.assert_allclose(self.made["track_bounds"], np.minimum(of_tracks / factors, 2e-5), rtol=1e-6)
        self.assertLess(self.off(path), 1)

    def test_a_target_of_a_metre(self):
        """Its weight gets a part of the length. Without joints it gets all of it. 0.001 would be too much."""
        mesh = Mesh()
        mesh.add_targets([np.tile([0.6, 0, 0.8], (30, 1))], [0, 0.7], [0])
        path = self.write("mesh.glb", mesh.glb())
        self.distances(path)
        np.testing.assert_allclose(self.made["track_bounds"], 2e-4 / 7 / 2, rtol=1e-6)  # the hip's bind matrix doubles it
        self.assertLess(self.off(path), 1)
        for channel in "nodes", "skin":
            del mesh.tree["animations"][0]["channels"][0]
        del mesh.tree["nodes"][0]["skin"], mesh.tree["skins"]
        path = self.write("still.glb", mesh.glb())
        self.assertEqual(self.distances(path), {})
        np.testing.assert_allclose(self.made["track_bounds"], [2e-4], rtol=1e-6)
        self.assertTrue(0.1 < self.off(path) < 1)

    def test_errors_of_vertices(self):
        """Rigs of other units, weights whose sum is not 1 and scaled joints: the largest error is near the bound."""
        for scale in 0.01, 100:  # as of a rig in centimetres, and the other way
            nodes = [dict(node, translation=list(np.array(node.get("translation", [0, 0, 0])) / scale)) for node in NODES]
            mesh = Mesh(nodes=nodes + [{"name": "armature", "children": [0], "scale": [scale] * 3}])
            mesh.binds[:, :3] /= scale
            mesh.tree["skins"][0]["inverseBindMatrices"] = mesh.put(mesh.binds.transpose(0, 2, 1).astype("f4").reshape(2, 16))
            mesh.tree["meshes"][1]["primitives"][0]["attributes"]["POSITION"] = mesh.put((mesh.other / scale).astype("f4"))
            mesh.add_targets([np.ones((30, 3))], [0, 1], [0])
            self.near("scale%g.glb" % scale, mesh)
            np.testing.assert_allclose(self.made["track_bounds"], 2e-4 / 10 / 2 / 3**0.5, rtol=1e-5)
        mesh = Mesh()
        attributes = mesh.tree["meshes"][0]["primitives"][0]["attributes"]
        attributes["WEIGHTS_0"] = mesh.put(mesh.weights * np.float32(0.9))
        self.near("weights.glb", mesh)
        nodes = [dict(node) for node in NODES]
        nodes[1]["scale"] = [0.5, 4, 1]
        self.near("scaled.glb", Mesh(nodes=nodes))

    def near(self, name, mesh):
        path = self.write(name, mesh.glb())
        self.distances(path)
        off = self.off(path)
        self.assertTrue(0.4 < off < 1, (name, off))
        said = self.good("compress", "--object", "0.2mm@mesh", path).stdout
        bound, joint, animation = re.search(r"no vertex is off by more than ([\d.]+) mm \((\w+), [\d.]+ s of (\w+)\)", said).groups()
        self.assertTrue(0.2 * off <= float(bound) * 1.001 and float(bound) <= 0.2, (bound, off))
        self.assertIn(joint, ("hip", "arm"))

    def test_the_mesh_of_the_skeleton(self):
        """Files of animations alone get the distances of the file that has the mesh."""
        mesh = Mesh()
        hero = self.write("hero.glb", mesh.glb())
        nodes = [{key: value for key, value in node.items() if key not in ("mesh", "skin")} for node in NODES]
        tree, content = gltf_tree(nodes, {"run": [(1, "rotation", TIMES, turns(len(TIMES), seed=9), None)]})
        path = self.write("run.gltf", gltf_text(tree, content))
        self.check(self.distances(path, "--skeleton", hero), mesh.distances)
        says = "quatsimd: %s: has no mesh: the bound of the mesh does not count\n" % path
        self.assertEqual(self.distances(path, says=says), {})
        for name, most in ("hero.glb", 0.1), ("talk.glb", 5):  # weights are those of the animation
            mesh = Mesh()
            mesh.add_targets([np.ones((30, 3))], [0, most], [0])
            path = self.write(name, mesh.glb())
        self.assertEqual(self.distances(path, "--skeleton", hero), self.distances(path))

    def test_fbx(self):
        """A triangle, moved by its geometric transform."""
        model = {"name": "box", "mesh": True, "GeometricTranslation": [1, 2, 3], "GeometricRotation": [30, 0, 0]}
        model["curves"] = {"R": {"X": ([0, 1], [0, 90])}}
        points = np.array([[0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]]).T
        wanted = np.linalg.norm((translation([1, 2, 3]) @ rotation([30, 0, 0]) @ points)[:3], axis=0).max()
        for write in fbx_text, fbx_binary:
            found = self.distances(self.write("box.fbx", write([model])))
            self.check(found, {"box": wanted}, bound=0.02)  # centimetres
        model["morph"] = {"smile": ([0, 1], [0, 200])}  # moves the first vertex by 1 if it is 100
        for write in fbx_text, fbx_binary:
            found = self.distances(self.write("box.fbx", write([model])))
            self.check(found, {"box": np.linalg.norm([1, 2, 3]) + 2 + 0.005}, bound=0.015)
            np.testing.assert_allclose(self.made["track_bounds"], 0.005, rtol=1e-6)

    def test_defaults(self):
        """0.2mm@mesh. Without a mesh it is 0.1mm@3cm, and where the mesh cannot be read, which is said."""
        mesh, bundle = Mesh(), self.path("default.qsb")

        def made(name, content, says=""):
            self.assertEqual(self.good("compress", "-o", bundle, self.write(name, content)).stderr, says)
            self.good("verify", bundle)
            (record,) = self.json("info", bundle)[0]["making"]["files"]
            os.remove(bundle)
            return record

        found = made("mesh.glb", mesh.glb())
        self.check(self.distances(self.path("mesh.glb")), mesh.distances)
        self.assertEqual(found, self.made)
        mesh.tree["meshes"][1]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {}}
        lost = "mesh 1, primitive 0: is compressed by Draco, which is not read", "its mesh cannot be read, so its vertices have no bound"
        says = "".join("quatsimd: %s: %s\n" % (self.path("draco.glb"), text) for text in lost)
        still = gltf_tree(NODES[3:], {"walk": [(0, "rotation", TIMES, turns(len(TIMES)), None)]})
        for record in made("draco.glb", mesh.glb(), says), made("none.glb", glb_of(*still)):
            np.testing.assert_allclose([record["object_bound"], record["object_distance"]], [1e-4, 0.03], rtol=1e-6)
            self.assertNotIn("joint_bounds", record)

    def test_what_cannot_be_read(self):
        mesh = Mesh()
        mesh.joints[3, 0] = 2
        mesh.weights[3, 0] = 1
        mesh.tree["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = mesh.put(mesh.joints)
        path = self.write("joint.glb", mesh.glb())
        self.bad(1, "compress", "--object", "1mm@mesh", path, says=path + ": mesh 0, primitive 0: has a joint that its skin lacks")
        self.good("compress", "--time", "0", path)
        mesh = Mesh()
        mesh.tree["meshes"][1]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {}}
        path = self.write("draco.glb", mesh.glb())
        self.bad(1, "compress", "--object", "1mm@mesh", path, says=path + ": mesh 1, primitive 0: is compressed by Draco")
        for given in "mesh", "@mesh", "1mm@meshes", "-1mm@mesh":
            self.bad(2, "compress", "--object", given, path, says="--object: ")
        self.bad(2, "verify", "--object", "1mm@mesh", self.path("out"), says="--object: clips have a bound of the mesh")


@unittest.skipUnless(os.environ.get("QUATSIMD_MESHES"), "QUATSIMD_MESHES asks for the meshes of files, which take minutes")
class Files(Directory):
    off = MeshBounds.off

    def test_vertices(self):
        for name in (
            "blender-io/01_cs_morph/01_cs_morph.gltf",
            "kaykit/Knight.glb",
            "khronos/box_animated.gltf",
            "khronos/cesium_man.gltf",
            "khronos/rigged_simple.gltf",
            "mesh2motion/dragon-animations.glb",
            "mesh2motion/fox-animations.glb",
            "quaternius/Alpaca.glb",
            "quaternius/Character.glb",
            "quaternius/Rat.glb",
            "raylib/robot.glb",
            "sumerian/alien_lipsync.glb",
        ):
            with self.subTest(name):
                off = self.off(data(name))
                print(name, off)
                self.assertLessEqual(off, 1.0001)
