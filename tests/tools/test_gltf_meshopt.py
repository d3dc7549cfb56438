"""Tests of glTF with EXT_meshopt_compression, made by the encoders of Debian's libmeshoptimizer."""
import base64
import copy
import json
import os
import unittest

import numpy as np

from support.command import MEMORY_LIMIT, PRINT_SCENE, Directory, limited_memory, run, with_meshopt, without_meshopt
from support.gltf import append, glb_of, gltf_tree
from support.meshopt import NAME, compress_views, encode, exponential, library, quaternion
from support.playing import curves_of, read_scene
from support.rotations import moves, walk

NODES = [{"name": "hip", "children": [1]}, {"name": "knee"}]
KEYS = 75  # several groups of 16, and a part of one
TIMES = (np.arange(KEYS) / 30).astype("<f4")
VIEWS = {0: ("ATTRIBUTES", 4, None), 1: ("ATTRIBUTES", 12, "EXPONENTIAL"), 2: ("ATTRIBUTES", 4, None), 3: ("ATTRIBUTES", 8, "QUATERNION")}
KHR = "KHR_meshopt_compression"


def tree_of(translations, rotations):
    return gltf_tree(NODES, {"move": [(0, "translation", TIMES, translations, None), (1, "rotation", TIMES, rotations, None)]})


@with_meshopt
class Meshopt(Directory):
    def setUp(self):
        library()
        super().setUp()
        words, self.translations = exponential(moves(KEYS))
        shorts, self.rotations = quaternion(walk(KEYS, 1, turn=0.05)[:, 0])
        self.tree, self.packed = compress_views(*tree_of(words.view("<f4"), shorts), VIEWS)

    def scene(self, path):
        """The values read, by node's name and kind."""
        curves = curves_of(read_scene(path))
        for times, *_ in curves.values():
            np.testing.assert_array_equal(np.float32(times), TIMES)
        return {key: values for key, (_, values, *_) in curves.items()}

    def check_scene(self, path, names=("translation", "rotation")):
        read = self.scene(path)
        if "translation" in names:
            np.testing.assert_array_equal(read["hip", "translation"], self.translations)
        if "rotation" in names:  # rounding may tell the decoder and the model apart
            np.testing.assert_allclose(read["knee", "rotation"], self.rotations / 32767, atol=1.01 / 32767)
        self.assertEqual(len(read), len(names))

    def refused(self, tree, content, says, view=1):
        """By the file, the bufferView and the reason; in little memory."""
        path = self.write("bad.glb", glb_of(tree, content))
        result = run("compress", "--time", "0", path, preexec_fn=MEMORY_LIMIT)
        name = next(iter(tree["bufferViews"][view]["extensions"]))
        self.assertIn("quatsimd: %s: animation 0, move: " % path, result.stderr)
        self.assertRegex(result.stderr, "bufferView %d, %s: .*%s" % (view, name, says))
        self.assertEqual(result.returncode, 1)

    def changed(self, view=1, **changes):
        """The tree with other members of an extension; None: without them."""
        tree = copy.deepcopy(self.tree)
        (entry,) = tree["bufferViews"][view]["extensions"].values()
        entry.update(changes)
        for member in [m for m in entry if entry[m] is None]:
            del entry[member]
        return tree

    # ---- what is read ----

    def test_wherever_the_bytes_are(self):
        self.check_scene(self.write("in.glb", glb_of(self.tree, self.packed)))
        for uri in "data:application/octet-stream;base64," + base64.b64encode(self.packed).decode(), "keys.bin":
            self.tree["buffers"][0]["uri"] = uri
            for fallback in None, "not there.bin":
                if fallback:
                    self.tree["buffers"][1]["uri"] = fallback
                self.write("keys.bin", self.packed)
                self.check_scene(self.write("in.gltf", json.dumps(self.tree).encode()))

    def test_filters_are_optional(self):
        random = np.random.default_rng(4)
        for kind, stride in ("|i1", 4), ("|u1", 4), ("<i2", 8), ("<u2", 8), ("<f4", 16):
            with self.subTest(kind):
                values = random.integers(0, 127, (KEYS, 4)).astype(kind)
                how = {0: VIEWS[0], 3: ("ATTRIBUTES", stride, "NONE" if kind == "<i2" else None)}
                tree, content = compress_views(*tree_of(self.translations, values), how)
                read = self.scene(self.write("in.glb", glb_of(tree, content)))
                most = 1 if kind == "<f4" else np.iinfo(kind).max
                np.testing.assert_allclose(read["knee", "rotation"], values / most, atol=1e-6)
                np.testing.assert_array_equal(read["hip", "translation"], self.translations)

    def test_octahedral(self):
        """It is for normals, and a file may have it of anything: the third of four numbers is the one that becomes z."""
        for kind, stride in ("|i1", 4), ("<i2", 8):
            one = np.iinfo(kind).max
            angle = np.linspace(0, 6, KEYS)
            words = np.stack([one * np.cos(angle), one * np.sin(angle), np.full(KEYS, one), np.full(KEYS, one)], 1).astype(kind)
            tree, content = compress_views(*tree_of(self.translations, words), {3: ("ATTRIBUTES", stride, "OCTAHEDRAL")})
            x, y, z = words[:, :3].astype(float).T
            z = z - abs(x) - abs(y)
            t = np.minimum(z, 0)
            normal = np.stack([x + np.where(x >= 0, t, -t), y + np.where(y >= 0, t, -t), z], 1)
            normal /= np.linalg.norm(normal, axis=1)[:, None]
            read = self.scene(self.write("in.glb", glb_of(tree, content)))["knee", "rotation"]
            np.testing.assert_allclose(read[:, :3], normal, atol=1.6 / one)
            np.testing.assert_array_equal(read[:, 3], 1)

    def test_lengths(self):
        """All parts of blocks and groups."""
        random = np.random.default_rng(5)
        for keys in (1, 2, 15, 16, 17, 31, 255, 256, 257, 600):
            values = np.cumsum(random.normal(size=(keys, 3)), 0).astype("<f4")
            tree, content = gltf_tree(NODES, {"move": [(0, "translation", np.arange(keys), values, None)]})
            tree, content = compress_views(tree, content, {0: VIEWS[0], 1: ("ATTRIBUTES", 12, None)})
            (curve,) = curves_of(read_scene(self.write("in.glb", glb_of(tree, content)))).values()
            np.testing.assert_array_equal(curve[1], values)

    def test_elements_of_larger_ones(self):
        """Accessors with offsets in a view that says its stride."""
        both = np.concatenate([self.translations, np.tile([0, 0, 0, 1], (KEYS, 1)), TIMES[:, None]], 1).astype("<f4")
        view = {"buffer": 0, "byteLength": both.nbytes, "byteStride": 32}
        tree, _ = tree_of(self.translations, self.rotations)
        tree["bufferViews"] = [view]
        for accessor, offset in zip(tree["accessors"], (28, 0, 28, 12)):
            accessor.update(bufferView=0, byteOffset=offset, componentType=5126)
        tree, content = compress_views(tree, both.tobytes(), {0: ("ATTRIBUTES", 32, None)})
        read = self.scene(self.write("in.glb", glb_of(tree, content)))
        np.testing.assert_array_equal(read["hip", "translation"], self.translations)
        np.testing.assert_array_equal(read["knee", "rotation"], np.tile([0, 0, 0, 1], (KEYS, 1)))
        tree["bufferViews"][0]["byteStride"] = 28
        self.refused(tree, content, "its byteStride is not that of the bufferView", view=0)

    def test_sparse_accessors(self):
        """Base, indices (of each mode) and values compressed, and a base of zeros."""
        index, change = np.array([3, 20, 74]), moves(3, seed=8).astype("<f4")
        for mode, width in ("INDICES", 2), ("INDICES", 4), ("TRIANGLES", 2), ("TRIANGLES", 4), ("ATTRIBUTES", 4):
            for base in True, False:
                with self.subTest(mode=mode, width=width, base=base):
                    tree, content = tree_of(self.translations, self.rotations)
                    at, content = append(tree, content, index.astype("<u%d" % width).reshape(-1, 1))
                    values, content = append(tree, content, change)
                    tree["accessors"][1]["sparse"] = {
                        "count": 3,
                        "values": {"bufferView": tree["accessors"][values]["bufferView"]},
                        "indices": {key: tree["accessors"][at][key] for key in ("bufferView", "componentType")},
                    }
                    if not base:
                        del tree["accessors"][1]["bufferView"]
                    how = {1: ("ATTRIBUTES", 12, None), 4: (mode, width, None), 5: ("ATTRIBUTES", 12, None)}
                    tree, content = compress_views(tree, content, how)
                    expected = self.translations.copy() if base else np.zeros_like(self.translations)
                    expected[index] = change
                    read = self.scene(self.write("in.glb", glb_of(tree, content)))["hip", "translation"]
                    if mode == "TRIANGLES":  # whose corners turn
                        np.testing.assert_array_equal(sorted(read[index, 0]), sorted(change[:, 0]))
                        expected[index] = read[index]
                    np.testing.assert_array_equal(read, expected)

    def test_other_views_are_let_alone(self):
        """Views that no animation has are not decoded: they may be of any kind, and damaged."""
        for entry in (
            {"mode": "LATER"},
            {"buffer": 0, "byteOffset": 0, "byteLength": 9, "byteStride": 2, "count": 3, "mode": "TRIANGLES"},
            7,
        ):
            self.tree["bufferViews"].append({"buffer": 1, "byteLength": 6, "extensions": {NAME: entry}})
        self.check_scene(self.write("in.glb", glb_of(self.tree, self.packed)))

    @limited_memory
    def test_views_are_decoded_once(self):
        size, joints = 24 << 20, 100  # each time would take 24 MB, and the limit is 256 MB
        nodes = [{"name": "n%d" % i} for i in range(joints)]
        tree, content = gltf_tree(nodes, {"move": [(n, "translation", [0, 1], np.zeros((2, 3)), None) for n in range(joints)]})
        view = len(tree["bufferViews"])
        tree["bufferViews"].append({"buffer": 0, "byteOffset": len(content), "byteLength": size})
        for a in range(1, 2 * joints, 2):
            tree["accessors"][a].update(bufferView=view, byteOffset=24 * a)
        tree, content = compress_views(tree, content + bytes(size), {view: ("ATTRIBUTES", 4, None)})
        entry = tree["bufferViews"][view]["extensions"][NAME]
        start = entry["byteOffset"]
        plain, packed = content[: start - size], content[start:]
        entry["byteOffset"] = len(plain)
        tree["buffers"][0]["byteLength"] = len(plain + packed)
        path = self.write("in.glb", glb_of(tree, plain + packed))
        self.assertLess(os.path.getsize(path), 1 << 20)
        self.good("compress", "--only", "scale", path, preexec_fn=MEMORY_LIMIT)

    # ---- the name of KHR, and readers that do without ----

    def as_khr(self, **changes):
        return json.loads(json.dumps(self.changed(**changes)).replace(NAME, KHR))

    def test_khr(self):
        self.check_scene(self.write("in.glb", glb_of(self.as_khr(), self.packed)))
        self.refused(self.as_khr(filter="COLOR"), self.packed, "its filter 'COLOR' is not read")
        self.refused(self.as_khr(mode="POINTS"), self.packed, "its mode 'POINTS' is not read")
        start = self.tree["bufferViews"][1]["extensions"][NAME]["byteOffset"]
        later = self.packed[:start] + b"\xa1" + self.packed[start + 1 :]
        self.refused(self.as_khr(), later, "its ATTRIBUTES are of version 1, which is not read")

    def test_where_plain_bytes_are_there_too(self):
        """A file that does not require the extension has them; what is not known is read from these."""
        tree = self.as_khr(filter="COLOR")
        del tree["extensionsRequired"]
        self.refused(tree, self.packed, "its filter 'COLOR' is not read")  # there are none
        size = tree["buffers"][1]["byteLength"]
        start = tree["bufferViews"][1]["byteOffset"]
        plain = bytes(start) + (self.translations + 1).tobytes()
        tree["buffers"][1]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(plain + bytes(size - len(plain))).decode()
        self.translations += 1
        self.check_scene(self.write("in.glb", glb_of(tree, self.packed)))
        tree["extensionsRequired"] = ["OTHER_thing", KHR]
        self.refused(tree, self.packed, "its filter 'COLOR' is not read")
        damaged = self.changed(mode="TRIANGLES", filter=None)
        del damaged["extensionsRequired"]
        damaged["buffers"][1]["uri"] = tree["buffers"][1]["uri"]
        self.refused(damaged, self.packed, "TRIANGLES have no elements of 12 bytes")  # which is no file of later days

    # ---- what is refused ----

    def test_broken_extensions(self):
        length = self.tree["bufferViews"][1]["extensions"][NAME]["byteLength"]
        for changes, says in (
            ({"buffer": 2}, "is broken"),
            ({"buffer": None}, "is broken"),
            ({"buffer": 1}, "buffer 1 is not in the file"),
            ({"byteOffset": -1}, "is broken"),
            ({"byteOffset": 2**52}, "it goes beyond the"),
            ({"byteOffset": len(self.packed) - length + 1}, "it goes beyond the"),
            ({"byteLength": 1.5}, "is broken"),
            ({"byteLength": 2**52}, "it goes beyond the"),
            ({"byteLength": None}, "its 0 bytes are too few for 75 elements"),
            ({"byteLength": length - 1}, "its %d bytes are not those of 75 elements" % (length - 1)),
            ({"byteLength": length - 20}, "its %d bytes end before 75 elements" % (length - 20)),
            ({"byteLength": 15}, "its 15 bytes end before 75 elements"),
            ({"byteLength": 14}, "its 14 bytes are too few for 75 elements"),
            ({"byteLength": 1}, "its 1 bytes are too few for 75 elements"),
            ({"byteStride": None}, "the bufferView is not of 75 elements of 0 bytes"),
            ({"byteStride": "12"}, "is broken"),
            ({"byteStride": 16}, "the bufferView is not of 75 elements of 16 bytes"),
            ({"count": None}, "the bufferView is not of 0 elements of 12 bytes"),
            ({"count": 76}, "the bufferView is not of 76 elements of 12 bytes"),
            ({"count": 2**52}, "the bufferView is not of"),
            ({"mode": None}, "its mode '' is not read"),
            ({"mode": 1}, "its mode '' is not read"),
            ({"mode": "attributes"}, "its mode 'attributes' is not read"),
            ({"mode": "ATTRIBUTES\u0007" * 99}, "its mode 'ATTRIBUTES"),
            ({"mode": "TRIANGLES"}, "TRIANGLES have no filter"),
            ({"mode": "TRIANGLES", "filter": None}, "TRIANGLES have no elements of 12 bytes"),
            ({"mode": "INDICES", "filter": "NONE"}, "INDICES have no elements of 12 bytes"),
            ({"filter": "none"}, "its filter 'none' is not read"),
            ({"filter": None, "byteOffset": 0}, "its bytes do not begin as ATTRIBUTES do"),
            ({"filter": "OCTAHEDRAL"}, "OCTAHEDRAL have no elements of 12 bytes"),
            ({"filter": "QUATERNION"}, "QUATERNION have no elements of 12 bytes"),
            ({"filter": 7}, "its filter '' is not read"),
        ):
            with self.subTest(changes):
                self.refused(self.changed(**changes), self.packed, says)
        for broken in None, 7, [], {}, "x":
            with self.subTest(broken):
                tree = copy.deepcopy(self.tree)
                tree["bufferViews"][1]["extensions"][NAME] = broken
                self.refused(tree, self.packed, "is broken")

    def sized(self, count, stride, **changes):
        """The tree with a view of other elements, and its size to match."""
        tree = self.changed(count=count, byteStride=stride, filter=None, **changes)
        tree["bufferViews"][1]["byteLength"] = count * stride
        return tree

    def test_shapes(self):
        for count, stride, mode, says in (
            (129, 12, "ATTRIBUTES", "bytes are not those of 129 elements"),
            (64, 12, "ATTRIBUTES", "bytes are not those of 64 elements"),
            (75, 8, "ATTRIBUTES", "bytes are not those of 75 elements"),
            (75, 16, "ATTRIBUTES", "bytes "),
            (75, 6, "ATTRIBUTES", "ATTRIBUTES have no elements of 6 bytes"),
            (3, 260, "ATTRIBUTES", "ATTRIBUTES have no elements of 260 bytes"),
            (75, 4, "TRIANGLES", "its bytes do not begin as TRIANGLES do"),
            (75, 1, "TRIANGLES", "TRIANGLES have no elements of 1 bytes"),
            (76, 4, "TRIANGLES", "triangles have no 76 corners"),
            (75, 4, "INDICES", "its bytes do not begin as INDICES do"),
            (2**24, 256, "ATTRIBUTES", "bytes are too few for 16777216 elements"),
            (2**40, 256, "ATTRIBUTES", "bytes are too few for 1099511627776 elements"),
            (2**42, 4, "INDICES", "bytes are too few for"),
            (3 * 2**40, 4, "TRIANGLES", "bytes are too few for"),
        ):
            with self.subTest(count=count, stride=stride, mode=mode):
                self.refused(self.sized(count, stride, mode=mode), self.packed, says)

    def test_versions(self):
        index = np.array([3, 20, 74], "<u2").tobytes()
        for mode, stride, last in ("ATTRIBUTES", 4, 0), ("TRIANGLES", 2, 1), ("INDICES", 2, 1):
            encoded = encode(bytes(4 * KEYS) if mode == "ATTRIBUTES" else index, mode, stride)
            tree, content = tree_of(self.translations, self.rotations)
            tree["extensionsRequired"] = [NAME]
            count = KEYS if mode == "ATTRIBUTES" else 3
            tree["bufferViews"][0] = {"buffer": 0, "byteLength": count * stride, "extensions": {}}
            for version in range(16):
                head = bytes([encoded[0] & 0xF0 | version])
                entry = {
                    "buffer": 0,
                    "byteOffset": len(content),
                    "byteLength": len(encoded),
                    "byteStride": stride,
                    "count": count,
                    "mode": mode,
                }
                tree["bufferViews"][0]["extensions"][NAME] = entry
                says = "its %s are of version %d, which is not read" % (mode, version)
                path = self.write("in.glb", glb_of(tree, content + head + encoded[1:]))
                self.assertEqual(says in run("compress", path).stderr, version > last)

    def test_flipped_bytes(self):
        """Each byte of a small view, by one bit and by all: read, or refused with a message."""
        words, _ = quaternion(walk(20, 1)[:, 0])
        tree, content = gltf_tree(NODES, {"move": [(0, "rotation", np.arange(20), words, None)]})
        tree, content = compress_views(tree, content, {1: VIEWS[3]})
        start = tree["bufferViews"][1]["extensions"][NAME]["byteOffset"]
        good = 0
        for at in range(start, len(content)):
            for change in 1 << at % 8, 0xFF:
                changed = bytearray(content)
                changed[at] ^= change
                result = run(self.write("in.glb", glb_of(tree, bytes(changed))), tool=PRINT_SCENE)
                self.assertEqual(result.returncode, 0, result.stderr)
                scene = json.loads(result.stdout)
                self.assertEqual(scene["unread"], int("bufferView 1, " + NAME in result.stderr))
                good += scene["unread"] == 0
        self.assertGreater(good, 0)
        self.assertLess(good, 2 * (len(content) - start))

    def test_truncated(self):
        """Fewer bytes are never enough, wherever they end."""
        length = self.tree["bufferViews"][1]["extensions"][NAME]["byteLength"]
        for size in range(length):
            path = self.write("in.glb", glb_of(self.changed(byteLength=size), self.packed))
            result = run(path, tool=PRINT_SCENE)
            says = "bufferView 1, %s: its %d bytes (are too few for|end before|are not those of) 75 elements" % (NAME, size)
            self.assertRegex(result.stderr, says)

    @limited_memory
    def test_memory_follows_the_buffers(self):
        """A thousand views of the same compressed bytes, each 64 times as large as these."""
        views, size = 1000, 16 << 20
        packed = encode(bytes(size), "ATTRIBUTES", 32)
        nodes = [{"name": "n%d" % i} for i in range(views)]
        tree, content = gltf_tree(nodes, {"move": [(n, "translation", [0, 1], np.zeros((2, 3)), None) for n in range(views)]})
        start = len(content)
        entry = {"buffer": 0, "byteOffset": start, "byteLength": len(packed), "byteStride": 32, "mode": "ATTRIBUTES", "count": size // 32}
        for a in range(1, 2 * views, 2):
            tree["bufferViews"][a] = {"buffer": 0, "byteLength": size, "extensions": {NAME: entry}}
        tree["buffers"] = [{"byteLength": start + len(packed)}]
        path = self.write("in.glb", glb_of(tree, content + packed))
        says = "with it, bufferViews have more than 64 times the bytes of their buffers"
        self.bad(1, "compress", path, says=["bufferView ", says], preexec_fn=MEMORY_LIMIT)

    def test_a_fallback_in_front(self):
        """It may be the .glb's own buffer."""
        tree = json.loads(
            json.dumps(self.tree)
            .replace('"buffer": 0', '"buffer": 2')
            .replace('"buffer": 1', '"buffer": 0')
            .replace('"buffer": 2', '"buffer": 1')
        )
        tree["buffers"].reverse()
        tree["buffers"][1]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.packed).decode()
        for name, binary in ("in.glb", bytes(tree["buffers"][0]["byteLength"])), ("none.gltf", None):
            path = self.write(name, json.dumps(tree).encode() if binary is None else glb_of(tree, binary))
            self.check_scene(path)

    # ---- files beside ----

    def test_files_beside_are_looked_at(self):
        """A change of compressed bytes is noticed; a fallback need not be there."""
        self.tree["buffers"][0]["uri"], self.tree["buffers"][1]["uri"] = "packed.bin", "plain.bin"
        path, entry = self.write("a.gltf", json.dumps(self.tree).encode()), self.tree["bufferViews"][1]["extensions"][NAME]
        changed = bytearray(self.packed)
        changed[entry["byteOffset"] + entry["byteLength"] - 8] ^= 1  # of the first element
        for packed in self.packed, bytes(changed):
            self.write("packed.bin", packed)
            for current in False, True:
                said = self.good("compress", "-o", self.path("out"), path).stdout
                self.assertEqual("a.qsb: up to date" in said, current)


class WithoutDecoders(Directory):
    @unittest.skipUnless(without_meshopt, "built with meshoptimizer")
    def test_it_is_said(self):
        tree, content = tree_of(moves(KEYS), walk(KEYS, 1)[:, 0])
        entry = {"buffer": 0, "byteLength": 900, "byteStride": 12, "count": KEYS, "mode": "ATTRIBUTES"}
        tree["bufferViews"][1]["extensions"] = {NAME: entry}
        self.good("compress", self.write("in.glb", glb_of(tree, content)))  # it has plain bytes
        tree["extensionsRequired"] = [NAME]
        path = self.write("in.glb", glb_of(tree, content))
        says = "bufferView 1, EXT_meshopt_compression: this quatsimd was built without meshoptimizer, which decodes it"
        self.bad(1, "compress", path, says=[path, says])
