"""Makes glTF files, and reads the curves of any."""
import base64
import json
import struct

import numpy as np


def read_gltf_curves(path):
    """Animations of a .glb or of a .gltf with embedded buffers: [(name, {(node name, path): (times, keys, step)})]. Nodes
    without a name are called as Assimp does."""
    with open(path, "rb") as file:
        content = file.read()
    if content[:4] == b"glTF":
        length = struct.unpack_from("<I", content, 12)[0]
        tree, buffers = json.loads(content[20 : 20 + length]), [content[28 + length :]]
    else:
        tree = json.loads(content)
        buffers = [base64.b64decode(buffer["uri"].split(",", 1)[1]) for buffer in tree["buffers"]]

    def accessor(index, width):
        a = tree["accessors"][index]
        view = tree["bufferViews"][a["bufferView"]]
        assert a["componentType"] == 5126 and view.get("byteStride", 4 * width) == 4 * width
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        return np.frombuffer(buffers[view["buffer"]], "<f4", a["count"] * width, start).reshape(a["count"], width)

    animations = []
    for animation in tree.get("animations", []):
        curves = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            if path in ("rotation", "translation", "scale") and "node" in channel["target"]:
                sampler = animation["samplers"][channel["sampler"]]
                curves[tree["nodes"][node].get("name") or "nodes[%d]" % node, path] = (
                    accessor(sampler["input"], 1)[:, 0],
                    accessor(sampler["output"], 4 if path == "rotation" else 3),
                    sampler.get("interpolation") == "STEP",
                )
        animations.append((animation.get("name", ""), curves))
    return animations


def read_gltf(path):
    """The rotations alone: [(name, {node name: (times, keys)})]."""
    return [
        (name, {node: curve[:2] for (node, kind), curve in curves.items() if kind == "rotation"}) for name, curves in read_gltf_curves(path)
    ]


def gltf_of(animations, names):
    """A .gltf text: one animation per name, each with one rotation key for every node of those names."""
    key = base64.b64encode(struct.pack("<f4f", 0, 0, 0, 0, 1)).decode()
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(names)))}],
            "nodes": [{"name": name} for name in names],
            "buffers": [{"byteLength": 20, "uri": "data:application/octet-stream;base64," + key}],
            "bufferViews": [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 16}],
            "accessors": [
                {
                    "bufferView": 0,
                    "componentType": 5126,
                    "count": 1,
                    "type": "SCALAR",
                    "min": [0],
                    "max": [0],
                },
                {"bufferView": 1, "componentType": 5126, "count": 1, "type": "VEC4"},
            ],
            "animations": [
                {
                    "name": animation,
                    "samplers": [{"input": 0, "output": 1}],
                    "channels": [{"sampler": 0, "target": {"node": n, "path": "rotation"}} for n in range(len(names))],
                }
                for animation in animations
            ],
        }
    ).encode()


def gltf_of_curves(animations):
    """A .gltf text of animations {name: [(times, keys)]}; curve i turns node i."""
    content, views, accessors, entries = b"", [], [], []
    for name, curves in animations.items():
        samplers = []
        for times, keys in curves:
            for array, kind in (np.asarray(times, "<f4"), "SCALAR"), (np.asarray(keys, "<f4"), "VEC4"):
                views.append({"buffer": 0, "byteOffset": len(content), "byteLength": array.nbytes})
                accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(array), "type": kind})
                if kind == "SCALAR":
                    accessors[-1].update(min=[float(array.min())], max=[float(array.max())])
                content += array.tobytes()
            samplers.append({"input": len(views) - 2, "output": len(views) - 1})
        channels = [{"sampler": i, "target": {"node": i, "path": "rotation"}} for i in range(len(curves))]
        entries.append({"name": name, "samplers": samplers, "channels": channels})
    nodes = max(map(len, animations.values()))
    uri = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": list(range(nodes))}],
            "nodes": [{"name": "node%d" % i} for i in range(nodes)],
            "buffers": [{"byteLength": len(content), "uri": uri}],
            "bufferViews": views,
            "accessors": accessors,
            "animations": entries,
        }
    ).encode()


INTEGERS = {"<f4": 5126, "<i1": 5120, "|i1": 5120, "|u1": 5121, "<i2": 5122, "<u2": 5123}


def gltf_tree(nodes, animations):
    """The JSON of a .gltf file as a dict, and its only buffer. nodes as in glTF, animations are {name: [(node, path, times, values,
    interpolation or None)]}; values that are integers become normalized ones. All have samplers and accessors of their own."""
    content, views, accessors, entries = b"", [], [], []

    def put(array, kind):
        nonlocal content
        views.append({"buffer": 0, "byteOffset": len(content), "byteLength": array.nbytes})
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": INTEGERS[array.dtype.str],
                "count": len(array),
                "type": kind,
            }
        )
        if array.dtype.kind != "f":
            accessors[-1]["normalized"] = True
        content += array.tobytes() + bytes(-array.nbytes % 4)
        return len(accessors) - 1

    for name, curves in animations.items():
        samplers, channels = [], []
        for node, path, times, values, interpolation in curves:
            values = np.asarray(values)
            values = values.astype("<f4") if values.dtype.kind == "f" else values
            sampler = {
                "input": put(np.asarray(times, "<f4"), "SCALAR"),
                "output": put(values, "VEC4" if path == "rotation" else "VEC3"),
            }
            if interpolation:
                sampler["interpolation"] = interpolation
            samplers.append(sampler)
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        entries.append({"name": name, "samplers": samplers, "channels": channels})
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "buffers": [{"byteLength": len(content)}],
        "bufferViews": views,
        "accessors": accessors,
        "animations": entries,
    }
    return tree, content


def gltf_text(tree, content):
    uri = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    return json.dumps(dict(tree, buffers=[{"byteLength": len(content), "uri": uri}])).encode()


def glb_of(tree, content):
    """tree: as gltf_tree makes it, or its text."""
    text = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(content), b"BIN\0") + content
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks
