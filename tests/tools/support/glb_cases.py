"""Files for `compress --glb`, which refer to accessors and bufferViews wherever glTF and its extensions do.

  glb_cases.py FOLDER    writes them"""
import base64
import json
import os
import struct
import sys
import unittest

import numpy as np

from support.gltf import append, glb_of
from support.meshopt import compress_views
from support.rotations import moves, walk

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
KEYS = 25


class Maker:
    """Accessors and bufferViews one after another, in one buffer."""

    def __init__(self):
        self.content, self.tree = b"", {"bufferViews": [], "accessors": [], "buffers": [{}]}
        self.views, self.accessors = self.tree["bufferViews"], self.tree["accessors"]

    def view(self, content, align=4):
        self.content += bytes(-len(self.content) % align)
        self.views.append({"buffer": 0, "byteOffset": len(self.content), "byteLength": len(content)})
        self.content += content
        return len(self.views) - 1

    def accessor(self, array, view=None, offset=0, **members):
        """A new one, or of bytes in a view that is there."""
        rows = array.reshape(len(array), -1)
        members.update(byteOffset=offset, min=rows.min(0).tolist(), max=rows.max(0).tolist())
        before = self.content, [*self.views]
        number, self.content = append(self.tree, self.content, np.ascontiguousarray(array), **members)
        if view is not None:
            (self.content, self.views[:]), self.accessors[number]["bufferView"] = before, view
        return number

    def curves(self, seed, count, cubic=False):
        """Samplers of rotations, and one of translations, with one accessor of times. cubic: the first is a spline."""
        times = self.accessor((np.arange(KEYS) / 30).astype("f4"))
        turns = walk(KEYS, count, seed=seed, turn=0.05).astype("f4")
        outputs = [self.accessor(np.ascontiguousarray(turns[:, c])) for c in range(count)] + [self.accessor(moves(KEYS, seed).astype("f4"))]
        samplers = [{"input": times, "output": output} for output in outputs]
        if cubic:
            half = 0.3 * np.sin(np.linspace(0, 1, KEYS))  # so slow that the clip is smaller than the keys
            turn = np.stack([0 * half, np.sin(half), 0 * half, np.cos(half)], axis=1)
            samplers[0] = {"input": times, "output": self.accessor(spline(turn, 30)), "interpolation": "CUBICSPLINE"}
        return samplers


def spline(values, rate):
    """In-tangent, value and out-tangent of each key."""
    tangents = rate * np.gradient(values, axis=0)
    return np.stack([tangents, values, tangents], axis=1).reshape(-1, *values.shape[1:]).astype("f4")


def channels(nodes):
    """Of samplers as Maker.curves has them."""
    return [{"sampler": c, "target": {"node": n, "path": "rotation"}} for c, n in enumerate(nodes)] + [
        {"sampler": len(nodes), "target": {"node": nodes[0], "path": "translation"}}
    ]


def everything(shared=True):
    """A tree and its buffer. Animations: Walk (two of this name), one without a name that moves weights, one that moves a material, one
    with extras of a channel, Wave. shared: the mesh has a part of the view with the weights, a morph target one of another's, and an image
    bytes of Walk; the validator minds."""
    m = Maker()
    triangle = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "f4")
    animations = [{"name": "Walk", "samplers": m.curves(1, 3), "channels": channels([0, 1, 2]), "extras": {"loop": True, "speed": 1.50}}]
    positions = m.accessor(triangle)
    animations += [{"name": "Walk", "samplers": m.curves(2, 2, cubic=True), "channels": channels([0, 1])}]
    indices = m.accessor(np.arange(3, dtype="u2"))  # 6 bytes
    image = m.view(PNG)  # an odd number
    targets = [m.accessor(triangle / 2), m.accessor(triangle / 3)]
    up, share = np.tile(np.array([0, 0, 1], "f4"), (3, 1)), spline(np.linspace(0, 1, 2 * KEYS).reshape(-1, 2), 24).reshape(-1)
    both = m.view(share.tobytes() + up.tobytes()) if shared else None
    weights = m.accessor(share, both)
    normals = m.accessor(up, both, 24 * KEYS if shared else 0)
    skin = [m.accessor(np.zeros((3, 4), "u1")), m.accessor(np.tile(np.array([1, 0, 0, 0], "f4"), (3, 1)))]
    times = m.accessor((np.arange(KEYS) / 24).astype("f4"))
    bending = {"input": times, "output": weights, "interpolation": "CUBICSPLINE"}
    animations += [{"samplers": [bending], "channels": [{"sampler": 0, "target": {"node": 3, "path": "weights"}}]}]
    colors = m.accessor(np.linspace(0, 1, 4 * KEYS, dtype="f4").reshape(-1, 4))
    pointer = {"KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/baseColorFactor"}}
    glowing = {"sampler": 0, "target": {"path": "pointer", "extensions": pointer}}
    animations += [{"name": "Glow", "samplers": [{"input": times, "output": colors}], "channels": [glowing]}]
    matrices = m.accessor(np.tile(np.eye(4, dtype="f4").reshape(16), (2, 1)))
    instances = [m.accessor(triangle * 2), m.accessor(np.tile(np.array([0, 0, 0, 1], "f4"), (3, 1)))]
    marked = {"name": "Marked", "samplers": m.curves(3, 1), "channels": channels([2])}
    marked["channels"][0]["extras"] = {"who": "\u00e4"}
    # sparse values of what the mesh has, and of an animation
    places, values = m.view(np.array([0, 2], "u1").tobytes()), m.view(np.ones((2, 3), "f4").tobytes())
    sparse = {"count": 2, "indices": {"bufferView": places, "componentType": 5121}, "values": {"bufferView": values}}
    m.accessors.append({"componentType": 5126, "count": KEYS, "type": "VEC3", "sparse": sparse})
    scales = {"input": times, "output": len(m.accessors) - 1, "interpolation": "STEP"}
    wave = {"name": 'Wave "\u2192"', "samplers": [*m.curves(4, 1), scales], "channels": channels([1])}
    wave["channels"].append({"sampler": 2, "target": {"node": 2, "path": "scale"}})
    wave["extensions"] = {"KHR_xmp_json_ld": {"packet": 0}}
    animations += [marked, wave]
    places, values = m.view(np.array([1], "u1").tobytes()), m.view(np.full((1, 3), 0.5, "f4").tobytes())
    view = m.accessors[targets[0]]["bufferView"] if shared else m.view((triangle / 2).tobytes())
    sparse = {"count": 1, "indices": {"bufferView": places, "componentType": 5121}, "values": {"bufferView": values}}
    ends = {"min": [0, 0, 0], "max": [0.5, 0.5, 0.5]}
    m.accessors.append({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3", **ends, "sparse": sparse})
    targets[1] = len(m.accessors) - 1
    draco = m.view(b"DRACO not really")
    table = {"values": m.view(struct.pack("<3d", 1, 2, 3), align=8), "stringOffsets": m.view(struct.pack("<4I", 0, 1, 2, 3))}
    unused = m.accessor(triangle * 5)
    images = [{"bufferView": image, "mimeType": "image/png"}]
    if shared:
        images.append({"bufferView": len(m.views), "mimeType": "image/jpeg"})
        m.views.append({"buffer": 0, "byteOffset": m.views[1]["byteOffset"] + 101, "byteLength": 33})
    primitive = {
        "attributes": {"POSITION": positions, "NORMAL": normals, "JOINTS_0": skin[0], "WEIGHTS_0": skin[1]},
        "indices": indices,
        "targets": [{"POSITION": target} for target in targets],
    }
    of_grass = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": instances[0], "ROTATION": instances[1]}}}
    of_draco = {"KHR_draco_mesh_compression": {"bufferView": draco, "attributes": {"POSITION": 0}}}
    tree = {
        "asset": {"version": "2.0", "extras": {"bufferView": 0, "note": "no reference \\ \u00fc", "extensions": {"NOBODY_knows": {}}}},
        "scene": 0,
        "scenes": [{"nodes": [0, 3, 4]}],
        "extensionsUsed": ["KHR_animation_pointer", *of_grass, *of_draco, "EXT_structural_metadata", "KHR_xmp_json_ld"],
        "extensions": {
            "EXT_structural_metadata": {"propertyTables": [{"class": "a", "count": 3, "properties": {"height": table}}]},
            "KHR_xmp_json_ld": {"packets": [{}]},
        },
        "nodes": [
            {"name": "hip", "children": [1], "translation": [0, 1.0, 0]},
            {"name": "knee", "children": [2], "translation": [0, -0.50, 0]},
            {"name": "foot"},
            {"name": "face", "mesh": 0, "skin": 0},
            {"name": "grass", "mesh": 1, "extensions": of_grass},
        ],
        "meshes": [
            {"primitives": [primitive], "weights": [0.25, 0]},
            {"primitives": [{"attributes": {"POSITION": positions}, "extensions": of_draco}]},
        ],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": matrices}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}],
        "textures": [{"source": 0}],
        "images": images,
        "animations": animations,
        "accessors": m.accessors,
        "bufferViews": m.views,
        "buffers": [{"byteLength": len(m.content), "name": "all \u2026", "extras": [1e3, 1.0]}],
    }
    assert unused == len(tree["accessors"]) - 1
    return tree, m.content


def in_buffers(tree, content):
    """The same as .gltf with three buffers, of which each has a third of the views: one in the text and two files. Returns the tree and
    {name: content}."""
    buffers, files = [b"", b"", b""], {}
    for v, view in enumerate(tree["bufferViews"]):
        own = content[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        b = v % 3
        buffers[b] += bytes(-len(buffers[b]) % 8)
        view.update(buffer=b, byteOffset=len(buffers[b]))
        buffers[b] += own
    tree["buffers"] = [{"byteLength": len(own)} for own in buffers]
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(buffers[0]).decode()
    for b in 1, 2:
        tree["buffers"][b]["uri"] = name = "part%%20%d.bin" % b
        files[name.replace("%20", " ")] = buffers[b]
    return tree, files


def unknown():
    tree, content = everything()
    tree["nodes"][2]["extensions"] = {"ACME_strange": {"input": 3}}
    tree["extensionsUsed"].append("ACME_strange")
    return tree, content


def fallback():
    """Views of animations alone are compressed by meshoptimizer: then nothing has the fallback of these any more."""
    tree, content = everything()
    going, staying = (
        {s[key] for a in animations for s in tree["animations"][a]["samplers"] for key in ("input", "output")}
        for animations in ((0, 1, 5), (2, 3, 4))
    )
    how = {
        tree["accessors"][i]["bufferView"]: ("ATTRIBUTES", 4, None) for i in sorted(going - staying) if "bufferView" in tree["accessors"][i]
    }
    tree["images"].pop()  # which has some of their bytes
    tree["bufferViews"].pop()
    used = tree["extensionsUsed"]
    tree, content = compress_views(tree, content, how)
    tree["extensionsUsed"] += used
    tree["buffers"].append({"byteLength": 3, "uri": "data:application/octet-stream;base64,AAEC"})
    return tree, content


def main():
    for name, make in ("everything", everything), ("unknown", unknown), ("fallback", fallback), ("valid", lambda: everything(shared=False)):
        try:
            tree, content = make()
        except unittest.SkipTest:
            continue
        with open(os.path.join(sys.argv[1], name + ".glb"), "wb") as file:
            file.write(glb_of(json.dumps(tree).encode(), content))


if __name__ == "__main__":
    main()
