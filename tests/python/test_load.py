"""load: keys of files against what the test wrote, their samples, and what cannot be read."""
import base64
import json
import os
import pathlib
import tempfile
import threading
import unittest
import warnings

import numpy as np

import quatsimd

BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 10 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT head
{
OFFSET 0 5 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
}
MOTION
Frames: 3
Frame Time: 0.1
0 10 0 0 0 0 0 0 0
1 10 0 90 0 0 0 0 0
2 10 0 90 0 0 0 90 0
"""


def gltf_of(curves, names=("root", "arm")):
    """glTF with two nodes; curves: (node, path, interpolation, times, values)."""
    data, views, accessors, samplers, channels = b"", [], [], [], []
    for node, path, interpolation, *arrays in curves:
        for array in arrays:
            array = np.asarray(array, np.float32)
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
            kind = "SCALAR" if array.ndim == 1 else {3: "VEC3", 4: "VEC4"}[array.shape[-1]]
            count = array.size // {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
            bounds = {"min": [float(array.min())], "max": [float(array.max())]} if kind == "SCALAR" else {}
            accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": count, "type": kind, **bounds})
            data += array.tobytes()
        samplers.append({"input": len(views) - 2, "output": len(views) - 1, "interpolation": interpolation})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    nodes = [{"name": names[0], "children": [1]}, {"name": names[1], "translation": [0, 1, 0], "rotation": [0, 0, 1, 0]}]
    animation = {"name": "Wave", "samplers": samplers, "channels": channels}
    buffers = [{"uri": uri, "byteLength": len(data)}]
    tree = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": nodes, "animations": [animation]}
    return json.dumps({**tree, "buffers": buffers, "bufferViews": views, "accessors": accessors})


class Load(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_bvh(self):
        scene = quatsimd.load(self.write("wålk.bvh", BVH))
        self.assertEqual(scene.skeleton.joint_names, ("hip", "head"))
        self.assertEqual(scene.skeleton.parents.tolist(), [-1, 0])
        self.assertEqual(scene.skeleton.rest.translations.tolist(), [[0, 10, 0], [0, 5, 0]])
        self.assertEqual(scene.skeleton.rest.rotations.tolist(), [[0, 0, 0, 1]] * 2)
        (animation,) = scene.animations
        self.assertEqual(animation.span(), (0, 0.2))
        hip, head = animation.rotations
        np.testing.assert_allclose(hip.times, [0, 0.1, 0.2])
        half = np.sqrt(0.5)
        np.testing.assert_allclose(hip.values, [[0, 0, 0, 1], [0, 0, half, half], [0, 0, half, half]], atol=1e-7)
        np.testing.assert_allclose(head.values[2], [half, 0, 0, half], atol=1e-7)
        self.assertEqual((hip.interpolation, hip.times.dtype, hip.values.dtype), ("linear", np.float64, np.float32))
        np.testing.assert_array_equal(animation.translations[0].values, [[0, 10, 0], [1, 10, 0], [2, 10, 0]])
        self.assertEqual([animation.translations[1], *animation.scales], [None] * 3)

    def test_samples(self):
        scene = quatsimd.load(str(self.write("walk.bvh", BVH)))
        pose = scene.sample(scene.animations[0], [[-1, 0.05], [0.2, 9]])
        rotations, translations, scales, tracks = pose.rotations, pose.translations, pose.scales, pose.tracks
        self.assertEqual((rotations.shape, translations.shape, tracks.shape), ((2, 2, 2, 4), (2, 2, 2, 3), (2, 2, 0)))
        angle = np.radians(45) / 2
        np.testing.assert_allclose(rotations[0, :, 0], [[0, 0, 0, 1], [0, 0, np.sin(angle), np.cos(angle)]], atol=1e-6)
        np.testing.assert_allclose(translations[..., 0, 0], [[0, 0.5], [2, 2]], atol=1e-6)
        np.testing.assert_array_equal(translations[..., 1, :], np.broadcast_to([0, 5, 0], (2, 2, 3)))
        np.testing.assert_array_equal(scales, np.ones((2, 2, 2, 3)))
        with self.assertRaisesRegex(ValueError, "times.* is nan: the numbers must be finite"):
            scene.sample(scene.animations[0], [np.nan])
        with self.assertRaisesRegex(TypeError, "times: numbers are needed"):
            scene.sample(scene.animations[0], "now")

    def test_interpolations(self):
        cubic = np.zeros((2, 3, 3))
        cubic[0, 1:] = [[1, 0, 0], [6, 0, 0]]  # a value, and the slope behind it
        cubic[1, 0] = [0, 3, 0]  # the slope before
        spins = np.zeros((2, 3, 4))
        spins[:, 1] = [[0, 0, 0, 1], [0, 0, 1, 0]]
        curves = [
            (0, "scale", "STEP", [0, 2], [[1, 1, 1], [2, 2, 2]]),
            (0, "translation", "CUBICSPLINE", [0, 2], cubic),
            (1, "rotation", "CUBICSPLINE", [0, 2], spins),
            (1, "scale", "LINEAR", [1], [[3, 3, 3]]),
        ]
        scene = quatsimd.load(self.write("wave.gltf", gltf_of(curves)))
        animation = scene.animations[0]
        self.assertEqual((animation.name, scene.skeleton.joint_names, scene.skeleton.metres), ("Wave", ("root", "arm"), 1))
        self.assertEqual([animation.scales[0].interpolation, animation.translations[0].interpolation], ["hold", "cubic"])
        np.testing.assert_array_equal(animation.translations[0].values, cubic.astype(np.float32))
        np.testing.assert_array_equal(animation.scales[0].sample([0, 1.99, 2]), [[1] * 3, [1] * 3, [2] * 3])
        np.testing.assert_array_equal(animation.scales[1].sample(5), [3, 3, 3])
        # halfway: half of the values, an eighth of the difference of slopes times the length
        np.testing.assert_allclose(animation.translations[0].sample(1), [0.5 + 2 * 6 / 8, -2 * 3 / 8, 0], atol=1e-6)
        np.testing.assert_allclose(animation.rotations[1].sample(1), [0, 0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-6)
        np.testing.assert_array_equal(scene.skeleton.rest.rotations[1], [0, 0, 1, 0])

    def test_shared_keys_are_read_only(self):
        tree = json.loads(gltf_of([(0, "scale", "LINEAR", [0, 1], [[1, 1, 1], [2, 2, 2]])]))
        tree["animations"][0]["channels"].append({"sampler": 0, "target": {"node": 1, "path": "scale"}})
        root, arm = quatsimd.load(self.write("two.gltf", json.dumps(tree))).animations[0].scales
        self.assertIs(root.values, arm.values)
        with self.assertRaises(ValueError):
            root.times[0] = 1

    def test_arrays(self):
        q = np.random.default_rng(1).normal(size=(2, 3, 4)).astype(np.float32)
        np.save(self.folder / "q.npy", q)
        np.savez(self.folder / "q.npz", q)
        for name in ("q.npy", "q.npz"):
            np.testing.assert_array_equal(quatsimd.load(self.folder / name), q)
        np.testing.assert_array_equal(quatsimd.load(self.folder / "q.npy", order="wxyz"), q[..., [1, 2, 3, 0]])
        with self.assertRaisesRegex(ValueError, "order"):
            quatsimd.load(self.folder / "q.npy", order="zyx")

    def test_errors_have_file_and_reason(self):
        bad = self.write("bad.bvh", BVH.replace("CHANNELS 3", "CHANNELS three"))
        cases = [
            (self.folder / "none.bvh", "none.bvh: cannot open: No such file"),
            (bad, "bad.bvh: line 9:"),
            (self.write("text.csv", "1,2"), "text.csv: is a text of numbers"),
            (self.write("bad.gltf", "{"), "bad.gltf: "),
        ]
        for path, text in cases:
            with self.assertRaisesRegex(quatsimd.Error, text) as caught:
                quatsimd.load(path)
            self.assertFalse(str(caught.exception).startswith("quatsimd"), caught.exception)
        with self.assertRaisesRegex(quatsimd.Error, "reader_memory"):
            quatsimd.load(self.write("walk.bvh", BVH), reader_memory=1e-9)
        with self.assertRaises(TypeError):
            quatsimd.load(5.5)

    def test_what_is_left_out_is_a_warning(self):
        curves = [(0, "weights", "LINEAR", [0, 1], [0, 1]), (1, "scale", "LINEAR", [0, 1], [[1, 1, 1], [2, 2, 2]])]
        path = self.write("left.gltf", gltf_of(curves))
        with self.assertWarnsRegex(UserWarning, "left.gltf"):
            quatsimd.load(path)

    def test_threads(self):
        path, found = self.write("walk.bvh", BVH), []
        threads = [
            threading.Thread(target=lambda: found.extend(quatsimd.load(path).skeleton.joint_names for _ in range(20))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [("hip", "head")] * 80)

    def test_data(self):
        data = os.environ.get("QUATSIMD_DATA")
        if not data:
            self.skipTest("QUATSIMD_DATA is not set: files of other programs are not read")
        paths = [path for ending in ("bvh", "fbx", "glb") for path in sorted(pathlib.Path(data).rglob("*." + ending))[:3]]
        self.assertTrue(paths)
        for path in paths:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                scene = quatsimd.load(path)
            for animation in scene.animations[:2]:
                self.assertTrue(np.isfinite(scene.sample(animation, np.linspace(*animation.span(), 7)).rotations).all(), path)


if __name__ == "__main__":
    unittest.main()
