"""Poses of a .glb at any time, from the glTF specification alone."""
import numpy as np

from support.gltf import elements, parsed

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


def values_at(times, values, at, hold=False, cubic=False):
    """A curve at some times, as in glTF 2.0, appendix C; before its first key and behind its last one it stands still."""
    times, at = np.asarray(times, float), np.asarray(at, float)
    values = np.asarray(values, float).reshape(len(times), 3 if cubic else 1, -1)  # with tangents before and behind each
    first = np.clip(np.searchsorted(times, at, "right") - 1, 0, len(times) - 1)
    second = np.minimum(first + 1, len(times) - 1)
    seconds = np.where(second > first, times[second] - times[first], np.inf)[:, None]  # behind the last key
    u = np.clip((at - times[first])[:, None] / seconds, 0, 1)
    p, q = values[first, int(cubic)], values[second, int(cubic)]
    length = lambda v: np.linalg.norm(v, axis=1, keepdims=True) if v.shape[1] == 4 else 1
    if hold:
        return p
    if cubic:
        p, q = (2 * u**3 - 3 * u**2 + 1) * p, (3 * u**2 - 2 * u**3) * q
        v = (
            p
            + q
            + np.nan_to_num(seconds, posinf=0) * ((u**3 - 2 * u**2 + u) * values[first, 2] + (u**3 - u**2) * values[second, 0])
        )
        return v / length(v)
    p, q = p / length(p), q / length(q)
    if p.shape[1] != 4:
        return p + u * (q - p)
    dot = (p * q).sum(axis=1, keepdims=True)
    q, angle = np.where(dot < 0, -q, q), np.arccos(np.minimum(np.abs(dot), 1))
    turned = np.sin((1 - u) * angle) * p + np.sin(u * angle) * q
    return np.where(angle > 1e-6, turned / np.where(angle > 1e-6, np.sin(angle), 1), p + u * (q - p))


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
        self.tree, self.buffers = parsed(path)
        self.nodes = self.tree["nodes"]
        self.parent = {child: n for n, node in enumerate(self.nodes) for child in node.get("children", [])}

    def accessor(self, index):
        found = elements(self.tree, self.buffers, index)
        most = np.iinfo(found.dtype).max if self.tree["accessors"][index].get("normalized") else 1
        return np.maximum(found.astype(np.float64) / most, -1) if most > 1 else found.astype(np.float64)

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
            return np.tile(self.nodes[node].get(path, REST[path]), (len(times), 1)).astype(np.float64)
        at, keys, interpolation = curves[node, path]
        return values_at(at, keys, times, interpolation == "STEP", interpolation == "CUBICSPLINE")

    def local(self, node, curves, times):
        """[time, 3, 4] in the space of the node above."""
        if "matrix" in self.nodes[node]:
            return np.tile(np.reshape(self.nodes[node]["matrix"], (4, 4)).T[:3].astype(float), (len(times), 1, 1))
        return rotated(*(self.value(node, path, curves, times) for path in REST))

    def model(self, animation, times):
        """Of each joint [joint, time, 3, 4] at times; animation None: at rest."""
        joints = self.joints()
        curves = {} if animation is None else self.curves(animation)
        place = {node: j for j, node in enumerate(joints)}
        locals_ = [self.local(node, curves, times) for node in joints]
        return model_space(locals_, [place[self.parent[node]] if node in self.parent else -1 for node in joints])
