#!/usr/bin/env python3
"""Seeds for the fuzzers, the same ones every time: FOLDER/TARGET/*.

Usage: seeds.py BUILD FOLDER
BUILD is the build tree, which has make_clips and make_bundles. Files of others come along where they are small: Assimp's test models, if they are
installed, and those in $QUATSIMD_DATA. The inputs' first bytes are as the targets' C files read them.
"""
import base64
import json
import math
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "tools"))
from support import fbx, fbx_figures  # noqa: E402

FORMATS = 70  # at least as many as there are; targets take them modulo
OPERATIONS = 50  # the same
LARGEST = 64 << 10  # bytes of a file of others
MODELS = Path("/usr/share/assimp/models")


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def rotation(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def rotations(rng, count):
    return [x for _ in range(count) for x in rotation(rng)]


HARD = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.70710678,
    0.57735027,
    float("nan"),
    float("inf"),
    -float("inf"),
    1e-40,
    -1e-45,
    2.0**-32,
    2.0**32,
    3e38,
    2.0**-126,
    1e-20,
    1.00000012,
    2.0**-33,
    6e9,
]


def any_floats(rng, count):
    return [rng.choice(HARD) if rng.random() < 0.4 else rng.uniform(-1, 1) for _ in range(count)]


# ---- the library ----


def pack_seeds(rng):
    for f in range(FORMATS):
        shape = bytes([rng.randrange(256), rng.randrange(256)])
        yield bytes([f]) + shape + floats(rotations(rng, 37))
        yield bytes([f]) + shape + floats(any_floats(rng, 4 * 19))
        yield bytes([f]) + shape + floats([rng.choice([0.0, -0.0, 0.5, -0.5, 1.0, -1.0]) for _ in range(4 * 19)])  # ties


def unpack_seeds(rng):
    for f in range(FORMATS):
        yield bytes([f]) + rng.randbytes(4) + rng.randbytes(160)
        yield bytes([f]) + rng.randbytes(4) + bytes([rng.choice([0, 255])]) * 77


def transcode_seeds(rng):
    for f in range(FORMATS):
        yield bytes([f, rng.randrange(FORMATS)]) + rng.randbytes(2) + rng.randbytes(rng.choice([60, 500, 5000]))


def operations_seeds(rng):
    for op in range(OPERATIONS):
        for how in (0, rng.randrange(256)):
            yield bytes([op, how]) + floats(rotations(rng, 20))
            yield bytes([op, how]) + floats(any_floats(rng, 70))


def relative_seeds(rng):
    for f in range(1, 7):
        for largest in (1e-6, 0.5, math.pi):
            count = rng.randrange(1, 20)
            yield bytes([f]) + rng.randbytes(2) + floats([largest] + rotations(rng, 2 * count)) + rng.randbytes(6 * count)
            yield bytes([f | rng.choice([8, 24])]) + rng.randbytes(2) + floats([largest] + rotations(rng, 2 * count)) + rng.randbytes(
                6 * count
            )
            yield bytes([f]) + rng.randbytes(2) + floats([largest] + any_floats(rng, 8 * count)) + rng.randbytes(6 * count)


def turned(q, angle):
    return [q[0] * math.cos(angle) + q[3] * math.sin(angle), q[1], q[2], q[3] * math.cos(angle) - q[0] * math.sin(angle)]


def stream_seeds(rng):
    """As fuzz_stream takes events: packets that come and are acknowledged, or not, and others between them."""
    for kind in (0, 1, 2, 6, 32, 98):
        for bound in (1e-5, 0.01, 1.0):
            bodies = rng.choice([1, 2, 17, 130])
            out = bytes([kind, bodies - 1 if bodies < 20 else 240 + (bodies - 120) // 2, 0]) + floats([bound])
            now = [rotation(rng) for _ in range(min(bodies, 3 if kind & 2 else 6))]
            for frame in range(24 if kind & 2 else 12):
                out += bytes([32 if frame < 2 else rng.choice([0, 16, 32, 32, 32, 32 + 8 + 128 + 64]), rng.choice([16, 16, 16, 3, 0])])
                out += bytes([bodies - len(now), len(now) - 1]) + floats([x for q in now for x in q])
                if frame % 4 == 3:
                    event = rng.randrange(6)
                    if event == 0:  # a packet of the last ones, and word of it
                        out += bytes([2 | rng.randrange(8) << 3, 3])
                    elif event == 1:  # damaged
                        out += bytes([4, 200, 0, 1]) + struct.pack("<HB", rng.randrange(4, 40), 1 << rng.randrange(8))
                    elif event == 2:  # made up, with the right checksum
                        out += bytes([4 | 8 | 16 | rng.choice([0, 32])]) + struct.pack("<H", 60) + b"\xff" + rng.randbytes(59)
                    elif event == 3:  # what the receivers do not have
                        out += bytes([5 | 16 | rng.choice([0, 0, 32]), 1, 5, 7, 4])
                    elif event == 4:  # they leave, or begin anew
                        out += bytes([6 | rng.choice([0, 8, 16])])
                    else:  # an acknowledgement is kept, one comes late
                        out += bytes([7 | 32, 7])
                now = [turned(q, rng.choice([0, 0.01, 0.3])) for q in now]
            yield out
    for shape in range(4):
        for more in (64, 64 + 1, 64 + 1 + 128, 64 + 128 + 2, 64 + 1 + 16, 64 + 1 + 128 + 16 + 32):
            yield figure_seed(rng, shape, more)


def some_floats(rng, count, how):
    """As fuzz_stream's take_floats takes all of count: bytes."""
    return bytes([how, 0, count - 1]) + (bytes(rng.randrange(120, 137) for _ in range(count)) if how % 4 == 2 else rng.randbytes(count))


def figure_seed(rng, shape, more):
    joints, positions, tracks = rng.randrange(2, 9), 0, 0
    out = bytes([rng.choice([0, 2]), joints - 1, more]) + floats([0.01])
    if more & 1:
        positions = rng.randrange(1, joints + 1)
        out += bytes([positions]) + floats([0.01])
    if more & 2:
        tracks = rng.randrange(1, 40)
        out += bytes([tracks - 1]) + floats([0.01])
    out += bytes([shape])
    for _ in range(joints):
        out += bytes([rng.randrange(128), rng.choice([1, 1, 1, 0, 230])]) + rng.randbytes(3)
    out += bytes([8 * rng.randrange(8, 16), 4 * 28 + 1, rng.choice([0, 0, 2])]) + (b"\0" if more & 128 else b"") + rng.randbytes(4 * joints)
    if more & 16:
        out += bytes([rng.randrange(60)] if more & 32 else [rng.randrange(60), 0])
    for frame in range(24):
        out += bytes([32 if frame < 2 else rng.choice([0, 16, 32, 32, 32, 32 + 8 + 128 + 64]), 16])
        out += some_floats(rng, 4 * joints, 1 if frame == 0 else 2)
        if positions:
            out += some_floats(rng, 3 * positions, 1 if frame == 0 else 2)
        if tracks:
            out += some_floats(rng, tracks, 1 if frame == 0 else 2)
    return out


def mesh_seeds(rng):
    for how in range(0, 256, 3):
        yield bytes([how | 1, 9]) + struct.pack("<H", 24) + bytes(rng.randrange(9) for _ in range(24)) + floats(rotations(rng, 9))
        yield bytes([how & 254, 9, 5]) + bytes(rng.randrange(5) for _ in range(60)) + floats([rng.uniform(-1, 1) for _ in range(140)])


def curve_seed(rng, width):
    """As fuzz_clip_encode takes a curve: even times mostly; values as bytes."""
    keys, how = rng.choice([0, 1, 2, 20]), rng.choice([4, 8, 0, 20, 6, 32 + 4])
    width *= 3 if how & 32 else 1
    out = bytes([how, keys, 0])
    for k in range(keys):
        out += floats([1 / 30]) if how & 2 else b""
        out += bytes(128 + round(20 * math.sin(k / 4 + c)) for c in range(width))
    return out


def clip_encode_seeds(rng):
    for i in range(60):
        joints, tracks, bundled = i % 4, i % 5 == 1, i % 7 > 4
        how = (i // 4 % 8) << 2 if i % 3 else 0
        out = bytes([joints | how | bundled << 6 | tracks << 7, rng.choice([0, 0, 157]), 3, 3, 4, rng.choice([0, 0, 3, 5])])
        for _ in range(joints):
            out += bytes([rng.randrange(4)])
            out += b"".join(curve_seed(rng, width) for width in (4, 3, 3))
        for _ in range(2 if tracks else 0):
            out += curve_seed(rng, 1) + bytes([rng.randrange(7)])
        yield out


def pose_seeds(rng):
    """How many of what; a parent for each joint; weights and masks; poses."""
    for joints, how in (0, 1), (3, 0x15), (9, 0x3A), (20, 0xFB), (50, 0x69), (1, 0x8A):
        for odd in (), (0, -1, 2, 1e30), (float("nan"), float("inf"), 1e-40):
            weights = [rng.choice(odd) if odd and rng.random() < 0.2 else rng.random() for _ in range(9 + joints)]
            poses = b""
            for _ in range(4 * 3):
                poses += floats(rotations(rng, joints)) + floats(
                    [rng.choice(odd) if odd and rng.random() < 0.1 else rng.uniform(-9, 9) for _ in range(6 * joints + 2)]
                )
            yield bytes([how, joints]) + rng.randbytes(joints) + floats(weights) + poses


def jobs_seeds(rng):
    """How many jobs; masks, a root; of each job joints, how and what is wanted, of each layer which clip and mode, how, time and weight;
    of each job how and how many events, of each goal which joint, how, and the target, of each layer how long its step is."""
    for jobs in range(3):
        for _ in range(6):
            masks = rng.randbytes(19 + 3) + floats([rng.uniform(-2, 2) for _ in range(16)])
            yield bytes([jobs]) + masks + b"".join(
                bytes([rng.randrange(251), rng.randrange(64), rng.randrange(64)])
                + b"".join(
                    bytes([rng.choice([0, 1, 2, 3, 130, 144, 145, 147]), rng.randrange(64) * 2]) + floats([rng.uniform(-1, 3)])
                    for _ in range(3)
                )
                for _ in range(3)
            ) + b"".join(
                bytes([rng.randrange(256), rng.randrange(8)])
                + b"".join(bytes([1 + 3 * rng.randrange(6), rng.randrange(2)] + [rng.randrange(16) for _ in range(3)]) for _ in range(3))
                + bytes(2 * rng.randrange(128) for _ in range(3))
                for _ in range(jobs + 1)
            )


def skeleton_seeds(rng):
    """As docs/skeleton.md has it; the first byte asks for size, hash and checksum."""

    def shorts(values):
        return struct.pack(f"<{len(values)}H", *values)

    words = [b"", b"hip", b"a", b"ab", b"abc", b"J_Bip_L_Hand", "\u00e9\u9aa8\U0001f9b4".encode(), b"n" * 60]
    for joints, tracks, share in (0, 0, 0), (1, 0, 1), (0, 3, 0), (4, 1, 0), (9, 2, 0.5), (17, 17, 1), (30, 0, 0.7):
        for metres in (0.0, 0.01):
            names = [rng.choice(words) + (b"%d" % rng.randrange(9)) * rng.randrange(2) for _ in range(joints + tracks)]
            text = b"".join(name + b"\0" for name in names)
            has = [rng.random() < share for _ in range(joints)]
            out = (
                struct.pack("<II", joints, tracks)
                + shorts([rng.randrange(j) if j and rng.random() < 0.9 else 0xFFFF for j in range(joints)])
                + text
            )
            out += shorts([sum(len(name) + 1 for name in names[:item]) for item in range(joints + tracks)])
            for part in names[:joints], names[joints:]:
                out += shorts(sorted(range(len(part)), key=lambda i, part=part: (part[i], i)))
            out += floats(rotations(rng, joints)) + floats([rng.uniform(-9, 9) for _ in range(6 * joints + tracks)])
            if any(has):
                for j in range(0, joints, 8):
                    out += struct.pack("<BH", sum(1 << i for i, one in enumerate(has[j : j + 8]) if one), sum(has[:j]))
                out += floats([rng.gauss(0, 1) for _ in range(12 * sum(has))])
            head = b"QSK\1" + bytes(8) + struct.pack("<IIdQ", len(text), sum(has), metres, 0)
            yield b"\1" + head + out


# ---- files ----


def npy(header, data, version=1):
    text = header.encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return (
        b"\x93NUMPY" + bytes([version, 0]) + (struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", len(text))) + text + data
    )


def npy_seeds(rng):
    for descr, size in (("<f4", 4), (">f8", 8), ("=f4", 4), ("|u1", 1), ("<u8", 8), ("<i4", 4)):
        for shape in ((), (3,), (2, 4), (0, 4), (1, 1, 3)):
            head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
            yield npy(head, rng.randbytes(size * math.prod(shape)), 1 + len(shape) % 3)
    yield npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 4)}", bytes(32))
    yield npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 4)}", bytes(32))
    yield npy("{'shape': (18446744073709551615,), \"descr\": '<f8', 'fortran_order': False}", b"")


def ply_seeds(rng):
    for order in ("little", "big"):
        for kind, code in (("float", "f"), ("double", "d")):
            for before in (
                "",
                "element camera 2\nproperty uchar a\nproperty double b\n",
                "comment c\nelement face 0\nproperty list uchar int i\n",
            ):
                head = f"ply\nformat binary_{order}_endian 1.0\n{before}element vertex 3\nproperty float x\n"
                head += "".join(f"property {kind} rot_{i}\n" for i in range(4)) + "end_header\n"
                data = bytes(18) if "camera" in before else b""
                for _ in range(3):
                    data += struct.pack(("<" if order == "little" else ">") + "f4" + code, 1, *rotation(rng))
                yield (head.replace("\n", "\r\n") if kind == "double" else head).encode() + data
    yield b"ply\nformat binary_little_endian 1.0\nelement vertex 99999999999999999999\nend_header\n"
    yield b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float rot_0\nend_header\n1\n"


def splat_seeds(rng):
    for records in (1, 3, 40):
        yield rng.randbytes(32 * records)


def gltf_tree(rng, step):
    keys = 5
    data = (
        struct.pack(f"<{keys}f", *[k / 30 for k in range(keys)])
        + floats(rotations(rng, keys))
        + floats([rng.random() for _ in range(3 * keys)])
    )
    data += struct.pack(f"<{4 * keys}h", *[round(32767 * x) for x in rotations(rng, keys)])
    data += floats([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1] * 2)
    views, at = [], 0
    for size in (4 * keys, 16 * keys, 12 * keys, 8 * keys, 128):
        views.append({"buffer": 0, "byteOffset": at, "byteLength": size})
        at += size
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": keys, "type": "SCALAR"},
        {"bufferView": 1, "componentType": 5126, "count": keys, "type": "VEC4"},
        {"bufferView": 2, "componentType": 5126, "count": keys, "type": "VEC3"},
        {"bufferView": 3, "componentType": 5122, "normalized": True, "count": keys, "type": "VEC4", "byteOffset": 0},
        {"bufferView": 4, "componentType": 5126, "count": 2, "type": "MAT4"},
    ]
    samplers = [
        {"input": 0, "output": 1},
        {"input": 0, "output": 2, "interpolation": "STEP" if step else "LINEAR"},
        {"input": 0, "output": 3},
    ]
    channels = [
        {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
        {"sampler": 1, "target": {"node": 1, "path": "translation"}},
        {"sampler": 1, "target": {"node": 2, "path": "scale"}},
        {"sampler": 2, "target": {"node": 2, "path": "rotation"}},
    ]
    nodes = [
        {"name": "root", "children": [1], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]},
        {"name": "a\u00e9\u0001", "children": [2], "rotation": [0, 0, 0, 1]},
        {"translation": [0.5, 1e-3, 2e10]},
    ]
    tree = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "accessors": accessors,
        "bufferViews": views,
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 4}, {"joints": [2]}],
        "animations": [{"name": "walk", "samplers": samplers, "channels": channels}, {"samplers": samplers[:1], "channels": channels[:1]}],
    }
    return tree, data


def bundled_gltf(bundle, name):
    """glTF with the extension QUATSIMD_bundle: a node for each joint, and one for each track. The bundle has clips of this name."""
    at = struct.unpack_from("<I", bundle, 20 if bundle[3] == 1 else 24 + 8)[0]  # version 2: the place of the first section
    skeleton = bundle[at:]
    joints, tracks = struct.unpack_from("<II", skeleton, 36)
    nodes = [{"name": f"joint {j}"} for j in range(joints)] + [{"mesh": 0} for _ in range(tracks)]
    extension = {
        "version": bundle[3],
        "bufferView": 0,
        "joints": list(range(joints)),
        "tracks": [{"node": joints + t, "target": 0} for t in range(tracks)],
        "animations": [{"name": name, "clip": name}, {"clip": name + " short"}],
    }
    tree = {
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "meshes": [{"primitives": [{"targets": [{}]}]}],
        "extensions": {"QUATSIMD_bundle": extension},
        "bufferViews": [{"buffer": 0, "byteLength": len(bundle)}],
        "buffers": [{"byteLength": len(bundle)}],
    }
    return glb(tree, bundle)


def glb(tree, data, more=b""):
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data + more
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def gltf_seeds(rng):
    for step in (False, True):
        tree, data = gltf_tree(rng, step)
        tree["buffers"] = [{"byteLength": len(data)}]
        yield glb(tree, data)
        yield glb(tree, data, struct.pack("<II", 4, 0x12345678) + b"abcd")
        tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        yield json.dumps(tree).encode()
        yield json.dumps(tree, indent=1).encode() + b"\n"
        tree["buffers"][0]["uri"] = "no%20such.bin"
        yield json.dumps(tree).encode()
    tree, data = gltf_tree(rng, False)  # arrays where objects belong
    tree["buffers"], tree["extensions"] = [{"byteLength": len(data), "extensions": [0]}], {"QUATSIMD_bundle": [0]}
    for item in (
        tree["nodes"][0],
        tree["animations"][0],
        tree["animations"][0]["channels"][0]["target"],
        tree["animations"][0]["samplers"][0],
        tree["bufferViews"][0],
    ):
        item["extensions"] = item["extras"] = [0]
    yield glb(tree, data)
    yield from meshopt_gltf(rng)


def meshopt_gltf(rng):
    """Compressed views, as a simple encoder makes them: all bytes are stored, of up to 16 elements."""

    def attributes(elements, stride):
        count = len(elements) // stride
        data, last = b"\xa0", elements[:stride]
        for k in range(stride):
            plane = [elements[k]] + [elements[i * stride + k] for i in range(count)]
            deltas = [(b - a) % 256 for a, b in zip(plane, plane[1:])]
            data += b"\x03" + bytes((d << 1) & 255 ^ (255 if d > 127 else 0) for d in deltas) + bytes(16 - count)
        return data + bytes(max(32 - stride, 0)) + last

    indices = b"\xd1" + bytes([4, 4, 4]) + bytes(4)  # 1, 2, 3
    triangles = b"\xe1\xf0" + bytes(16)  # 0, 1, 2
    for filters in ((None, None, None, None), ("NONE", "EXPONENTIAL", "EXPONENTIAL", "QUATERNION"), (None, "NONE", "NONE", "OCTAHEDRAL")):
        tree, data = gltf_tree(rng, False)
        packed, fallback = b"", len(data)
        for view, stride, chosen in zip(tree["bufferViews"], (4, 16, 12, 8), filters):
            plain = data[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
            part = attributes(plain, stride)
            entry = {"buffer": 0, "byteOffset": len(packed), "byteLength": len(part), "byteStride": stride, "mode": "ATTRIBUTES"}
            entry["count"] = len(plain) // stride
            if chosen:
                entry["filter"] = chosen
            view.update(buffer=1, extensions={"EXT_meshopt_compression": entry})
            packed += part
        for mode, part, width in ("INDICES", indices, 2), ("TRIANGLES", triangles, 4):
            entry = {"buffer": 0, "byteOffset": len(packed), "byteLength": len(part), "byteStride": width, "count": 3, "mode": mode}
            tree["bufferViews"].append({"buffer": 1, "byteLength": 3 * width, "extensions": {"EXT_meshopt_compression": entry}})
            packed += part
        tree["bufferViews"].append({"buffer": 0, "byteOffset": len(packed), "byteLength": 36})
        packed += floats([rng.random() for _ in range(9)])
        sparse = {"count": 3, "indices": {"bufferView": 4, "componentType": 5123}, "values": {"bufferView": 6}}
        tree["accessors"][2]["sparse"] = sparse
        tree["buffers"] = [
            {"byteLength": len(packed)},
            {"byteLength": fallback, "extensions": {"EXT_meshopt_compression": {"fallback": True}}},
        ]
        tree["extensionsRequired"] = ["EXT_meshopt_compression"]
        yield glb(tree, packed)
        sparse["indices"].update(bufferView=5, componentType=5125)
        yield glb(tree, packed)
        tree["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(packed).decode()
        yield json.dumps(tree).replace("EXT_", "KHR_").encode()


RECIPE_NAMES = (
    "skeleton files bound track rate keep without_vertices order joints rename masks animations match distance leave_out to name skip loop"
    " additive animation only range events time rotation translation scale"
).split()


def recipe_seeds(rng):
    entries = [
        {"match": "W*", "loop": "close", "range": [0.1, 0.8], "events": [{"time": 0.5, "name": "foot"}]},
        {"match": "*", "additive": {"animation": "Take 001"}, "bound": "2mm@10cm", "rate": 15},
        {"match": "Take*", "name": "Run", "only": ["rig:spine+", "h*"], "range": [0, 0.3]},
        {"match": "Run", "skip": True, "additive": "first", "bound": {"rotation": "1deg"}},
    ]
    whole = {
        "files": ["a.glb", "b/*.fbx"],
        "bound": "0.2mm@mesh",
        "keep": "skin",
        "joints": [{"match": "h*", "bound": "1mm@3cm", "distance": "9cm"}, {"match": "IK", "leave_out": True}],
        "rename": [{"match": "r*:*", "to": "*"}],
        "masks": [{"name": "m", "joints": "*+"}],
    }
    for i in range(12):
        some = {name: value for name, value in whole.items() if name == "files" or rng.random() < 0.6}
        some["animations"] = rng.sample(entries, rng.randrange(5))
        yield ("// a recipe\n" if i % 2 else "").encode() + json.dumps(some, indent=i % 3 or None).encode()


def bvh_text(rng, order="ZXY", frames=3):
    turns = " ".join(f"{c}rotation" for c in order)
    text = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS %d Xposition Yposition Zposition %s\n" % (3 + len(order), turns)
    text += "  JOINT Spine\n  {\n    OFFSET 0 5 0\n    CHANNELS %d %s\n    End Site\n    {\n      OFFSET 0 1 0\n    }\n  }\n}\n" % (
        len(order),
        turns,
    )
    text += f"MOTION\nFrames: {frames}\nFrame Time: 0.033333\n"
    for _ in range(frames):
        text += " ".join(f"{rng.uniform(-90, 90):.4f}" for _ in range(3 + 2 * len(order))) + "\n"
    return text.encode()


def bvh_seeds(rng):
    for order in ("ZXY", "XYZ", "ZXZ", "YX", "X"):
        for frames in (1, 3, 11):
            yield bvh_text(rng, order, frames)
            yield b"\xef\xbb\xbf" + bvh_text(rng, order, frames).replace(b"\n", b"\r\n").upper()


def fbx_seeds(rng):
    """Figures with pivots, orders and scales that are not handed down, as text and as binary."""
    for make in fbx_figures.FIGURES:
        yield fbx.fbx_text(make())
        yield fbx.fbx_binary(make())


# ---- files of others ----


def small_files(folder, endings):
    if not folder or not Path(folder).is_dir():
        return []
    files = [p for p in Path(folder).rglob("*") if p.suffix.lower() in endings and p.is_file() and p.stat().st_size <= LARGEST]
    return sorted(files)[:40]


def others(target):
    endings = {
        "npy": {".npy"},
        "ply": {".ply"},
        "splat": {".splat"},
        "gltf": {".gltf", ".glb"},
        "bvh": {".bvh"},
        "fbx": {".fbx"},
        "command": {".bvh", ".glb", ".gltf", ".fbx", ".npy", ".ply", ".splat"},
    }.get(target, set())
    for folder in (MODELS, os.environ.get("QUATSIMD_DATA")):
        for path in small_files(folder, endings) if endings else []:
            yield path


def command_seeds(rng):
    """Name and bytes: the command goes by the ending."""
    tree, data = gltf_tree(rng, False)
    tree["buffers"] = [{"byteLength": len(data)}]
    yield "own.glb", glb(tree, data)
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    yield "own.gltf", json.dumps(tree).encode()
    for order in ("ZXY", "ZXZ", "YX"):
        yield f"own-{order}.bvh", bvh_text(rng, order, 8)
    yield "own.npy", next(s for i, s in enumerate(npy_seeds(rng)) if i == 2)
    yield "own.ply", next(ply_seeds(rng))
    yield "own.splat", next(splat_seeds(rng))


WORDS = {
    "npy": ["\\x93NUMPY", "'descr': ", "'<f4'", "'>f8'", "'|u1'", "'fortran_order': ", "True", "False", "'shape': ", "(3,)", "(", "), "],
    "ply": [
        "ply\\x0a",
        "format binary_little_endian 1.0\\x0a",
        "format binary_big_endian 1.0\\x0a",
        "element vertex ",
        "element face ",
        "property list uchar int ",
        "property float ",
        "property double ",
        "rot_0",
        "rot_1",
        "rot_2",
        "rot_3",
        "end_header\\x0a",
        "comment ",
        "18446744073709551615",
    ],
    "gltf": [
        "glTF",
        "JSON",
        "BIN\\x00",
        '\\"nodes\\":',
        '\\"children\\":',
        '\\"accessors\\":',
        '\\"bufferViews\\":',
        '\\"byteStride\\":',
        '\\"byteOffset\\":',
        '\\"byteLength\\":',
        '\\"count\\":',
        '\\"componentType\\":',
        "5126",
        "5120",
        "5121",
        "5123",
        '\\"normalized\\":true',
        '\\"sparse\\":{}',
        '\\"VEC4\\"',
        '\\"SCALAR\\"',
        '\\"interpolation\\":',
        '\\"STEP\\"',
        '\\"CUBICSPLINE\\"',
        '\\"target\\":',
        '\\"path\\":',
        '\\"weights\\"',
        '\\"uri\\":',
        "data:;base64,",
        '\\"matrix\\":',
        "9007199254740991",
        "4294967295",
        "1e308",
        "-1",
        "\\\\u0000",
        '\\"animations\\":',
        '\\"samplers\\":',
        '\\"extensions\\":',
        '\\"EXT_meshopt_compression\\":',
        '\\"KHR_meshopt_compression\\":',
        '\\"mode\\":',
        '\\"ATTRIBUTES\\"',
        '\\"TRIANGLES\\"',
        '\\"INDICES\\"',
        '\\"filter\\":',
        '\\"OCTAHEDRAL\\"',
        '\\"QUATERNION\\"',
        '\\"EXPONENTIAL\\"',
        '\\"fallback\\":true',
        '\\"extensionsRequired\\":[]',
        '\\"QUATSIMD_bundle\\":',
        '\\"MOZ_hubs_components\\":',
        '\\"loop-animation\\":',
        '\\"activeClipIndices\\":',
        '\\"bufferView\\":',
        '\\"joints\\":',
        '\\"tracks\\":',
        '\\"clip\\":',
    ],
    "recipe": [
        *(f'\\"{name}\\": ' for name in RECIPE_NAMES),
        '\\"0.2mm@mesh\\"',
        '\\"0.1mm@3cm\\"',
        '\\"first\\"',
        '\\"close\\"',
        '\\"skin\\"',
        '\\"spine+\\"',
        "true",
        "//",
        "/*",
        "*/",
    ],
    "bvh": [
        "HIERARCHY",
        "ROOT ",
        "JOINT ",
        "End Site",
        "OFFSET ",
        "CHANNELS ",
        "Xposition ",
        "Zrotation ",
        "Yrotation ",
        "Xrotation ",
        "MOTION\\x0a",
        "Frames: ",
        "Frame Time: ",
        "{",
        "}",
        "99999999999999999999",
        "nan",
        "1e38",
        "1e-999",
        "\\xef\\xbb\\xbf",
    ],
}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    targets = {name[: -len("_seeds")]: make for name, make in globals().items() if name.endswith("_seeds")}
    for target, words in WORDS.items():
        (folder / f"{target}.dict").write_text("".join(f'"{word}"\n' for word in words))
    for target in [*targets, "clip", "bundle"]:
        to = folder / target
        to.mkdir(parents=True, exist_ok=True)
        for old in to.iterdir():
            old.unlink()
        rng = random.Random(target)
        if target in ("clip", "bundle"):
            subprocess.run([build / "fuzz" / f"make_{target}s", to], check=True)
            if target == "bundle":
                for path in to.iterdir():  # whose first byte is the fuzzer's
                    (folder / "gltf" / f"bundle-{path.name}").write_bytes(
                        bundled_gltf(path.read_bytes()[1:], path.name.removesuffix("-version1"))
                    )
            continue
        for i, seed in enumerate(targets[target](rng)):
            name, content = seed if isinstance(seed, tuple) else (f"{i:04}", seed)
            (to / name).write_bytes(content)
        for i, path in enumerate(others(target)):
            (to / f"file{i:02}-{path.name}").write_bytes(path.read_bytes())


main()
