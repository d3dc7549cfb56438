"""Animations of VRM (.vrma) on avatars whose joints have other names, axes and sizes: the bones turn alike in the world."""

import numpy as np

from support.command import Directory
from support.gltf import glb_of, gltf_tree
from support.gltf_pose import model_space, rotated
from support.rotations import turns

BONES = ["hips", "spine", "chest", "leftUpperArm", "leftThumbMetacarpal"]  # a chain
OLD = {"leftThumbMetacarpal": "leftThumbProximal"}  # as VRM 0 calls it
TIMES = np.linspace(0, 1, 9).astype("f4")


def unit(random):
    q = random.normal(size=4)
    return (q / np.linalg.norm(q)).tolist()


def chain(names, seed, size):
    """A node above the chain, which has a scale, and a rest pose of its own."""
    random = np.random.default_rng(seed)
    nodes = [{"name": "root", "rotation": unit(random), "scale": [0.5 + seed / 4] * 3, "children": [1]}]
    for i, name in enumerate(names):
        at = (size * random.uniform(0.1, 1, 3)).tolist()
        nodes.append({"name": name, "rotation": unit(random), "translation": at, "children": [i + 2]})
    del nodes[-1]["children"]
    return nodes


def extensions(kind, first=1):
    numbers = {bone: first + i for i, bone in enumerate(BONES)}
    if kind == "VRM":
        bones = [{"bone": OLD.get(bone, bone), "node": node} for bone, node in numbers.items()]
    else:
        bones = {bone: {"node": node} for bone, node in numbers.items()}
    return {kind: {"humanoid": {"humanBones": bones}}}


def worlds(nodes, moved, time):
    """Of each node: its world, with the values that move at that time (None: at rest)."""
    kinds = {"rotation": [0, 0, 0, 1], "translation": [0, 0, 0], "scale": [1, 1, 1]}
    values = {kind: np.array([node.get(kind, rest) for node in nodes], float) for kind, rest in kinds.items()}
    for (node, kind), keys in moved.items() if time is not None else ():
        values[kind][node] = keys[time]
    return model_space(rotated(values["rotation"], values["translation"], values["scale"]), [-1] + list(range(len(nodes) - 1)))


class HumanBones(Directory):
    def files(self, kind):
        """The avatar, the dance, and their nodes."""
        avatar, dancer = chain(["J_%d" % i for i in range(len(BONES))], 1, 2.0), chain(BONES, 2, 1.0)
        moved = {(n + 1, "rotation"): turns(len(TIMES), seed=n) for n in range(len(BONES))}
        moved[1, "translation"] = np.random.default_rng(3).uniform(-1, 1, (len(TIMES), 3)).astype("f4")
        curves = [(node, path, TIMES, keys, None) for (node, path), keys in moved.items()]
        still = [(n, "rotation", TIMES[:2], np.tile(np.float32(avatar[n]["rotation"]), (2, 1)), None) for n in range(1, len(avatar))]
        for name, nodes, animations, extension in (
            ("avatar.vrm", avatar, {"still": still}, extensions(kind)),
            ("dance.vrma", dancer, {"dance": curves}, extensions("VRMC_vrm_animation")),
        ):
            tree, content = gltf_tree(nodes, animations)
            self.write(name, glb_of(dict(tree, extensions=extension), content))
        return avatar, dancer, moved

    def compress(self):
        bounds = "-r", "0.001", "-t", "1e-5"
        bundle = self.path("dance.qsb")
        self.good("compress", "-o", bundle, *bounds, "--skeleton", self.path("avatar.vrm"), self.path("dance.vrma"))
        return bundle

    def test_bones_turn_alike(self):
        for kind in "VRMC_vrm", "VRM":
            with self.subTest(kind):
                avatar, dancer, moved = self.files(kind)
                turn = np.diag([-1, 1, -1] if kind == "VRM" else [1, 1, 1])  # VRM 0 faces -z
                arrays = self.arrays(self.compress())
                self.assertEqual([joint["name"] for joint in arrays["joints.json"]], [node["name"] for node in avatar])
                found = {(n, path): arrays[path + "s"][:, n] for path in ("rotation", "translation") for n in range(len(avatar))}
                ends = arrays["times"]
                for k, time in enumerate(TIMES):
                    frame = int(np.abs(ends - time).argmin())
                    self.assertLess(abs(ends[frame] - time), 1e-6)
                    for n in range(1, len(avatar)):
                        own = worlds(dancer, moved, k)[n][:, :3] @ np.linalg.inv(worlds(dancer, moved, None)[n][:, :3])
                        other = worlds(avatar, found, frame)[n][:, :3] @ np.linalg.inv(worlds(avatar, found, None)[n][:, :3])
                        np.testing.assert_allclose(other, turn @ own @ turn, atol=1e-3)
                    rests = [worlds(nodes, {}, None)[1][1, 3] for nodes in (avatar, dancer)]
                    size = rests[0] / rests[1] if min(rests) > 0 else 1
                    wanted = turn @ (size * worlds(dancer, moved, k)[1][:, 3])
                    np.testing.assert_allclose(worlds(avatar, found, frame)[1][:, 3], wanted, atol=1e-3)

    def test_verify(self):
        self.files("VRMC_vrm")
        bundle = self.compress()
        for clip in [bundle], [bundle, "dance"]:
            self.good("verify", "--skeleton", self.path("avatar.vrm"), *clip)
            self.bad(1, "verify", *clip, says="dance.vrma: has human bones")
        self.good("compress", "-o", bundle, self.path("dance.vrma"))  # with its own skeleton as any file
        self.good("verify", bundle)

    def test_other_translations(self):
        """Those of VRM's animations are of the hips alone."""
        self.files("VRMC_vrm")
        places = np.ones((len(TIMES), 3), "f4") * TIMES[:, None]
        curves = [(2, "translation", TIMES, places, None), (1, "rotation", TIMES, turns(len(TIMES)), None)]
        tree, content = gltf_tree(chain(BONES, 2, 1.0), {"dance": curves})
        self.write("dance.vrma", glb_of(dict(tree, extensions=extensions("VRMC_vrm_animation")), content))
        result = self.good("compress", "--time", "0", "--skeleton", self.path("avatar.vrm"), self.path("dance.vrma"))
        self.assertIn("dance.vrma: 1 translation of a human bone other than the hips is left out", result.stderr)
