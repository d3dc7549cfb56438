"""The encoders of Debian's libmeshoptimizer, and glTF whose bufferViews they compress."""
import ctypes
import ctypes.util
import unittest

import numpy as np

NAME = "EXT_meshopt_compression"


def library():
    name = ctypes.util.find_library("meshoptimizer")
    if not name:
        raise unittest.SkipTest("no libmeshoptimizer")
    found = ctypes.CDLL(name)
    for kind in "VertexBuffer", "IndexBuffer", "IndexSequence":
        for end in "", "Bound":
            getattr(found, "meshopt_encode" + kind + end).restype = ctypes.c_size_t
    return found


def _encoded(encode, bound, array, *sizes):
    size = getattr(library(), bound)(*map(ctypes.c_size_t, sizes))
    room = ctypes.create_string_buffer(size)
    array = np.ascontiguousarray(array)
    encoded = getattr(library(), encode)(
        room, ctypes.c_size_t(size), array.ctypes.data_as(ctypes.c_void_p), *map(ctypes.c_size_t, sizes[: 2 if "Vertex" in encode else 1])
    )
    assert encoded > 0
    return room.raw[:encoded]


def encode(content, mode, stride):
    """Bytes of elements as their mode has them compressed. Of triangles, corners may change places."""
    if mode == "ATTRIBUTES":
        elements = np.frombuffer(content, "u1").reshape(-1, stride)
        return _encoded("meshopt_encodeVertexBuffer", "meshopt_encodeVertexBufferBound", elements, *elements.shape)
    indices = np.frombuffer(content, "<u%d" % stride).astype("u4")
    name = "meshopt_encodeIndexBuffer" if mode == "TRIANGLES" else "meshopt_encodeIndexSequence"
    return _encoded(name, name + "Bound", indices, indices.size, int(indices.max()) + 1)


def _filtered(name, floats, stride, bits, kind):
    floats = np.ascontiguousarray(floats, "f4")
    to = np.zeros(len(floats) * stride, "u1")
    getattr(library(), name)(
        to.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_size_t(len(floats)),
        ctypes.c_size_t(stride),
        ctypes.c_int(bits),
        floats.ctypes.data_as(ctypes.c_void_p),
    )
    return to.view(kind).reshape(len(floats), -1)


def exponential(floats, bits=15):
    """Floats (count, width) as the filter has them, and what it makes of these words: m * 2^e."""
    words = _filtered("meshopt_encodeFilterExp", floats, 4 * np.shape(floats)[1], bits, "<u4")
    mantissa = (words << 8).view("i4") >> 8
    return words, np.ldexp(mantissa.astype(float), words.view("i4") >> 24).astype("<f4")


def quaternion(rotations, bits=12):
    """The same of rotations, as shorts. The last short has the bits, and which component is left out."""
    words = _filtered("meshopt_encodeFilterQuat", rotations, 8, bits, "<i2")
    three = words[:, :3] / (words[:, 3:] | 3) / np.sqrt(2)
    back = np.zeros((len(words), 4))
    for i, (xyz, last) in enumerate(zip(three, words[:, 3] & 3)):
        back[i, [(last + 1) % 4, (last + 2) % 4, (last + 3) % 4]] = xyz
        back[i, last] = np.sqrt(max(0, 1 - (xyz**2).sum()))
    return words, np.round(32767 * back).astype("<i2")


def compress_views(tree, content, how, name=NAME):
    """Compresses bufferViews: how is {number: (mode, stride, filter or None)}. Returns the tree, whose buffer 1 is a fallback that is
    not in the file, and what its buffer 0 has: the other views, and the compressed ones behind them."""
    fallback = 0
    for v, (mode, stride, filter_) in how.items():
        view = tree["bufferViews"][v]
        start = view.get("byteOffset", 0)
        encoded = encode(content[start : start + view["byteLength"]], mode, stride)
        content += bytes(-len(content) % 4)
        count = view["byteLength"] // stride
        entry = {"buffer": 0, "byteOffset": len(content), "byteLength": len(encoded), "byteStride": stride, "mode": mode, "count": count}
        if filter_:
            entry["filter"] = filter_
        view.update(buffer=1, byteOffset=fallback, extensions={name: entry})
        content += encoded
        fallback += view["byteLength"] + -view["byteLength"] % 4
    tree["buffers"] = [{"byteLength": len(content)}, {"byteLength": fallback, "extensions": {name: {"fallback": True}}}]
    tree["extensionsUsed"] = tree["extensionsRequired"] = [name]
    return tree, content
