"""Poses of a .glb at any time, from the glTF specification alone: for keys that are LINEAR or STEP."""
import json
import struct

import numpy as np

REST = {"rotation": [0.0, 0, 0, 1], "translation": [0.0, 0, 0], "scale": [1.0, 1, 1]}


def rotated(q, t, s):
    """Matrices [..., 3, 4] of rotations, translations and scales."""
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    x, y, z, w = np.moveaxis(q, -1, 0)
    m = np.stack(
        [
            1 - 2 * (y * y + z * z),
            2 * (x * y - z * w),
            2 * (x * z + y * w),
            2 * (x * y + z * w),
            1 - 2 * (x * x + z * z),
            2 * (y * z - x * w),
            2 * (x * z - y * w),
            2 * (y * z + x * w),
            1 - 2 * (x * x + y * y),
        ],
        axis=-1,
    )
    return np.concatenate([m.reshape(q.shape[:-1] + (3, 3)) * s[..., None, :], t[..., None]], axis=-1)


def under(parent, child):
    """The product of two affine transforms."""
    m = parent[..., :3] @ child
    m[..., 3] += parent[..., 3]
    return m


def model_space(locals_, parents):
    """[joint, time, 3, 4] along the parents, which come first."""
    worlds = []
    for local, parent in zip(locals_, parents):
        worlds.append(local if parent < 0 else under(worlds[parent], local))
    return np.array(worlds)


class File:
    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        length = struct.unpack_from("<I", content, 12)[0]
        self.tree, self.buffer = json.loads(content[20 : 20 + length]), content[28 + length :]
        self.nodes = self.tree["nodes"]
        self.parent = {child: n for n, node in enumerate(self.nodes) for child in node.get("children", [])}

    def accessor(self, index):
        a = self.tree["accessors"][index]
        view = self.tree["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
        assert a["componentType"] == 5126 and "sparse" not in a and "byteStride" not in view
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        return np.frombuffer(self.buffer, "<f4", a["count"] * width, start).reshape(-1, width).astype(np.float64)

    def depth_first(self):
        """All nodes, parents before children, siblings in the file's order."""
        order, waiting = [], [n for n in range(len(self.nodes)) if n not in self.parent][::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += self.nodes[order[-1]].get("children", [])[::-1]
        return order

    def joints(self):
        """Nodes of skins, nodes that move, and those above: depth first."""
        found = {joint for skin in self.tree.get("skins", []) for joint in skin["joints"]}
        found |= {
            channel["target"]["node"]
            for animation in self.tree.get("animations", [])
            for channel in animation["channels"]
            if channel["target"]["path"] in REST
        }
        for node in list(found):
            while node in self.parent:
                node = self.parent[node]
                found.add(node)
        return [node for node in self.depth_first() if node in found]

    def curves(self, animation):
        """{(node, path): (times, keys, interpolation)}"""
        samplers = self.tree["animations"][animation]["samplers"]
        result = {}
        for channel in self.tree["animations"][animation]["channels"]:
            sampler = samplers[channel["sampler"]]
            if channel["target"]["path"] in REST:
                result[channel["target"]["node"], channel["target"]["path"]] = (
                    self.accessor(sampler["input"])[:, 0],
                    self.accessor(sampler["output"]),
                    sampler.get("interpolation", "LINEAR"),
                )
        return result

    def value(self, node, path, curves, times):
        if (node, path) not in curves:
            assert "matrix" not in self.nodes[node]
            return np.tile(self.nodes[node].get(path, REST[path]), (len(times), 1)).astype(np.float64)
        at, keys, interpolation = curves[node, path]
        if path == "rotation":
            keys = keys / np.linalg.norm(keys, axis=1, keepdims=True)
        first = np.clip(np.searchsorted(at, times, "right") - 1, 0, len(at) - 1)
        second = np.minimum(first + 1, len(at) - 1)
        apart = np.where(second > first, at[second] - at[first], 1)
        part = np.clip((times - at[first]) / apart, 0, 1)[:, None]
        assert interpolation in ("LINEAR", "STEP")
        if interpolation == "STEP":
            return keys[first]
        p, q = keys[first], keys[second]
        if path != "rotation":
            return p + part * (q - p)
        dot = np.sum(p * q, axis=1, keepdims=True)
        q, dot = np.where(dot < 0, -q, q), np.minimum(np.abs(dot), 1)
        angle = np.arccos(dot)
        sine = np.where(angle > 1e-6, np.sin(angle), 1)
        return np.where(angle > 1e-6, (np.sin((1 - part) * angle) * p + np.sin(part * angle) * q) / sine, p + part * (q - p))

    def model(self, animation, times):
        """Of each joint [joint, time, 3, 4] at times; animation None: at rest."""
        joints = self.joints()
        curves = {} if animation is None else self.curves(animation)
        place = {node: j for j, node in enumerate(joints)}
        locals_ = [rotated(*(self.value(node, path, curves, times) for path in REST)) for node in joints]
        return model_space(locals_, [place[self.parent[node]] if node in self.parent else -1 for node in joints])
