"""Makes glTF files, and reads the curves of any."""
import base64
import json
import pathlib
import struct

import numpy as np

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {width: kind for kind, width in WIDTHS.items()}
INTEGERS = {"<f4": 5126, "<i1": 5120, "|i1": 5120, "|u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125}


def json_and_chunks(content):
    """The JSON of a .glb or a .gltf, and the chunks behind it."""
    if content[:4] != b"glTF":
        return content, b""
    version, size, length = struct.unpack_from("<III", content, 4)
    assert (version, size, length % 4) == (2, len(content), 0)
    end = 20 + length
    return content[20:end], content[end:]


def parsed(path):
    """The tree and the buffers, each in the file or in one beside it; None for those that are nowhere."""
    text, chunks = json_and_chunks(pathlib.Path(path).read_bytes())
    tree, buffers = json.loads(text), []
    for b, buffer in enumerate(tree.get("buffers", [])):
        uri = buffer.get("uri", "")
        beside = pathlib.Path(path).parent / uri.replace("%20", " ")
        if uri.startswith("data:"):
            buffers.append(base64.b64decode(uri.split(",", 1)[1]))
        elif uri:
            buffers.append(beside.read_bytes() if beside.exists() else None)
        else:
            buffers.append(chunks[8 : 8 + struct.unpack_from("<I", chunks)[0]] if b == 0 and chunks[4:8] == b"BIN\0" else None)
    return tree, buffers


def elements(tree, buffers, index):
    """An accessor, a row for each element."""
    a = tree["accessors"][index]
    view, width = tree["bufferViews"][a["bufferView"]], WIDTHS[a["type"]]
    kind = np.dtype(next(kind for kind, number in INTEGERS.items() if number == a["componentType"]))
    assert "sparse" not in a
    start, stride = view.get("byteOffset", 0) + a.get("byteOffset", 0), view.get("byteStride", kind.itemsize * width)
    return np.ndarray((a["count"], width), kind, buffers[view["buffer"]], start, (stride, kind.itemsize))


def read_gltf_curves(path):
    """Animations: [(name, {(node name, path): (times, keys, step)})]. Nodes without a name are called as Assimp does."""
    tree, buffers = parsed(path)
    animations = []
    for animation in tree.get("animations", []):
        curves = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            if path in ("rotation", "translation", "scale") and "node" in channel["target"]:
                sampler = animation["samplers"][channel["sampler"]]
                curves[tree["nodes"][node].get("name") or "nodes[%d]" % node, path] = (
                    elements(tree, buffers, sampler["input"])[:, 0],
                    elements(tree, buffers, sampler["output"]),
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
    curves = [(n, "rotation", [0], [[0.0, 0, 0, 1]], None) for n in range(len(names))]
    return gltf_text(*gltf_tree([{"name": name} for name in names], {animation: curves for animation in animations}))


def append(tree, content, array, **members):
    """Appends an accessor of an array's rows, which begins at a multiple of four. Returns its number and the buffer."""
    array = np.asarray(array)
    rows, start = array.reshape(len(array), -1), len(content) + -len(content) % 4
    tree["bufferViews"].append({"buffer": 0, "byteOffset": start, "byteLength": array.nbytes})
    how = {"componentType": INTEGERS[array.dtype.str], "count": len(array), "type": KINDS[rows.shape[1]]}
    tree["accessors"].append({"bufferView": len(tree["bufferViews"]) - 1, **how, **members})
    content += bytes(-len(content) % 4) + array.tobytes()
    tree["buffers"][0]["byteLength"] = len(content)
    return len(tree["accessors"]) - 1, content


def gltf_tree(nodes, animations):
    """The JSON of a .gltf file as a dict, and its only buffer. nodes as in glTF, animations are {name: [(node, path, times, values,
    interpolation or None)]}; values that are integers become normalized ones. All have samplers and accessors of their own."""
    tree = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, "buffers": [{"byteLength": 0}]}
    tree.update(bufferViews=[], accessors=[], animations=[])
    content = b""
    for name, curves in animations.items():
        entry = {"name": name, "samplers": [], "channels": []}
        for node, path, times, values, interpolation in curves:
            values = np.asarray(values)
            floats = values.dtype.kind == "f"
            start, content = append(tree, content, np.asarray(times, "<f4"))
            end, content = append(tree, content, values.astype("<f4") if floats else values, **({} if floats else {"normalized": True}))
            how = {"interpolation": interpolation} if interpolation else {}
            entry["channels"].append({"sampler": len(entry["samplers"]), "target": {"node": node, "path": path}})
            entry["samplers"].append({"input": start, "output": end, **how})
        tree["animations"].append(entry)
    return tree, content


def gltf_text(tree, content):
    uri = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    return json.dumps(dict(tree, buffers=[{"byteLength": len(content), "uri": uri}])).encode()


def changed(tree, where, value):
    """A copy with another value at a place, which is a list of keys."""
    tree = place = json.loads(json.dumps(tree))
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    return tree


def glb_of(tree, content):
    """tree: as gltf_tree makes it, or its text."""
    text = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(content), b"BIN\0") + content
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks
