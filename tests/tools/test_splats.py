"""Tests of scenes of splats, .ply and .splat, which pack and measure take as they take arrays."""
import os
import subprocess

import numpy as np

from support.command import MEMORY_LIMIT, TOOL, Directory
from support.rotations import rotations

TYPES_OF_PLY = dict(i1="char", u1="uchar", i2="short", u2="ushort", i4="int", u4="uint", f4="float", f8="double")
SIZED_TYPES_OF_PLY = dict(i1="int8", u1="uint8", i2="int16", u2="uint16", i4="int32", u4="uint32", f4="float32", f8="float64")


def ply_of(elements, types=TYPES_OF_PLY, big_endian=False, end="\n"):
    """A PLY file of pairs of a name and a structured array."""
    order = "big" if big_endian else "little"
    lines = ["ply", "format binary_%s_endian 1.0" % order, "comment x  y z 1 2 3 4"]
    content = b""
    for name, array in elements:
        lines.append("element %s %d" % (name, len(array)))
        lines += ["property %s %s" % (types[array.dtype[n].str[1:]], n) for n in array.dtype.names]
        content += array.astype(array.dtype.newbyteorder(">" if big_endian else "<")).tobytes()
    return end.join([*lines, "obj_info", "end_header", ""]).encode() + content


def structured(count, seed=5, **types):
    """Random numbers of those types, those of floats within [-1, 1]."""
    generator = np.random.default_rng(seed)
    array = np.zeros(count, list(types.items()))
    for name in types:
        real = array.dtype[name].kind == "f"
        array[name] = generator.uniform(-1, 1, count) if real else generator.integers(0, 100, count)
    return array


def splats_of(q, before={}, after={}, type="f4"):
    """Vertices with those rotations, given as x, y, z, w, among other properties."""
    types = {**before, **{"rot_%d" % i: type for i in range(4)}, **after}
    array = structured(len(q), **types)
    for i, component in enumerate((3, 0, 1, 2)):
        array["rot_%d" % i] = q[:, component]
    return array


class Splats(Directory):
    def measure(self, path, *options):
        return self.json("measure", "--no-speed", *options, path)

    def check(self, name, content, q):
        """pack and measure take the file as they take the rotations from an array."""
        path, array = self.write(name, content), self.save("same.npy", q)
        packed = []
        for source in path, array:
            self.good("pack", "-f", "float4", source, self.path("out.npy"))
            packed.append(np.load(self.path("out.npy")))
        self.assertEqual(packed[0].shape, (len(q), 4))
        np.testing.assert_array_equal(packed[0], packed[1])
        reports = [self.measure(source, "-f", "smallest3_32", "-f", "half4") for source in (path, array)]
        self.assertEqual(reports[0]["animations"][0].pop("file"), path)
        self.assertEqual(reports[1]["animations"][0].pop("file"), array)
        self.assertEqual(reports[0], reports[1])

    def refuse(self, name, content, says):
        path = self.write(name, content)
        for command in ["measure", "--no-speed", path], ["pack", "-f", "half4", path, self.path("out.npy")]:
            result = self.bad(1, *command, says=path + ": " + says, preexec_fn=MEMORY_LIMIT)
            self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))

    def refuse_header(self, lines, says):
        """A header of these lines before data enough for whatever it means."""
        self.refuse("bad.ply", ("\n".join(["ply", *lines, "end_header", ""])).encode() + bytes(1000), says)

    def test_ply(self):
        q = rotations(300) * np.linspace(0.01, 50, 300, dtype=np.float32)[:, None]
        position = dict(x="f4", y="f4", z="f4")
        every = dict(a="i1", b="u1", c="i2", d="u2", e="i4", f="u4", g="f4", h="f8")
        other = structured(7, **every)
        for big_endian in False, True:
            for types in TYPES_OF_PLY, SIZED_TYPES_OF_PLY:
                for elements in (
                    [("vertex", splats_of(q))],
                    [("vertex", splats_of(q, before=position))],
                    [("vertex", splats_of(q, after=every))],
                    [("vertex", splats_of(q, every, position, type="f8"))],
                    [("camera", other), ("none", other[:0]), ("vertex", splats_of(q, every)), ("more", other)],
                ):
                    with self.subTest(big_endian=big_endian, elements=elements[0][0]):
                        self.check("scene.ply", ply_of(elements, types, big_endian), q)

    def test_order_of_properties_is_that_of_the_header(self):
        q = rotations(50)
        vertices = splats_of(q, dict(x="f4"), dict(y="u1"))[["rot_3", "y", "rot_0", "x", "rot_2", "rot_1"]]
        packed = np.zeros(50, [(n, vertices.dtype[n]) for n in vertices.dtype.names])
        for name in packed.dtype.names:
            packed[name] = vertices[name]
        self.check("scene.ply", ply_of([("vertex", packed)]), q)

    def test_rotations_of_other_elements_are_not_taken(self):
        q = rotations(20)
        other = splats_of(rotations(20, seed=9))
        elements = [("a", other), ("vertex", splats_of(q)), ("b", other)]
        self.check("scene.ply", ply_of(elements), q)

    def test_ply_is_known_by_its_content(self):
        q = rotations(10)
        for name in "scene", "scene.splat", "scene.bin":
            self.check(name, ply_of([("vertex", splats_of(q))]), q)
        self.check("dos.ply", ply_of([("vertex", splats_of(q))], end="\r\n"), q)

    def test_lists(self):
        q = rotations(10)
        vertices = ply_of([("vertex", splats_of(q))])
        face = b"element face 1\nproperty list uchar int vertex_indices\n"
        behind = vertices.replace(b"obj_info", face + b"obj_info")
        self.check("mesh.ply", behind + b"\3" + bytes(12), q)
        before = vertices.replace(b"element vertex", face + b"element vertex")
        self.refuse("mesh.ply", before, "an element before the vertices has lists")
        self.check("mesh.ply", before.replace(b"face 1", b"face 0"), q)
        within = vertices.replace(b"obj_info", b"property list uchar float weights\nobj_info")
        says = "line 9 of the PLY header, `property list uchar float weights`: lists within vertices"
        self.refuse("mesh.ply", within, says)

    def test_ply_truncated_anywhere(self):
        content = ply_of([("camera", structured(2, a="f4")), ("vertex", splats_of(rotations(3), dict(x="f8")))])
        header = content.index(b"end_header\n") + 11
        for length in range(4, len(content)):
            with self.subTest(length=length):
                says = "the file holds %d of 3 splats" % (max(0, length - header - 8) // 24)
                says = "the file ends within the PLY header" if length < header else says
                self.bad(1, "measure", self.write("cut.ply", content[:length]), says=says)
        self.refuse("cut.ply", content[:-1], "the file holds 2 of 3 splats")

    def test_ply_begins_with_a_line(self):
        whole = ply_of([("vertex", splats_of(rotations(3)))])
        for name, says in ("short.npy", "not a .npy file"), ("short.ply", "PLY"):
            for content in b"", b"ply", b"plyx", b"PLY\n", b"PLY" + whole[3:]:
                self.bad(1, "pack", "-f", "half4", self.write(name, content), self.path("o"), says=says)

    def test_lying_counts_take_no_memory(self):
        content = ply_of([("camera", structured(1, a="f8")), ("vertex", splats_of(rotations(3)))])
        for count in 4, 10**9, 2**60, 2**64 - 1:
            with self.subTest(count=count):
                lying = content.replace(b"vertex 3", b"vertex %d" % count)
                self.refuse("lying.ply", lying, "the file holds 3 of {:,} splats".format(count))
                lying = content.replace(b"camera 1", b"camera %d" % count)
                self.refuse("lying.ply", lying, "the file holds %d of 3 splats" % (count == 4))
        for count in b"-1", b"+3", b"3x", b"0x3", b"3.0", b"nan":
            with self.subTest(count=count):
                says = "line 6 of the PLY header, `element vertex %s`: the count is no number" % count.decode()
                self.refuse("lying.ply", content.replace(b"vertex 3", b"vertex " + count), says)
        for count in 2**64, 10**300:
            lying = content.replace(b"vertex 3", b"vertex %d" % count)
            self.refuse("lying.ply", lying, "line 6 of the PLY header, `element vertex %d`: the count is too" % count)

    def test_broken_ply_headers(self):
        start = ["format binary_little_endian 1.0", "element vertex 2"]
        rotation = ["property float rot_%d" % i for i in range(4)]
        self.refuse_header(rotation, "line 2 of the PLY header, `property float rot_0`: there is no element")
        self.refuse_header(["property list int int x"], "line 2 of the PLY header, `property list int int x`: there")
        self.refuse_header(start[1:] + rotation, "the PLY header has no format")
        self.refuse_header(start[:1] + ["element face 2"] + rotation, "the PLY file has no vertices")
        self.refuse_header([start[0], "element vertex 0", *rotation], "the scene is empty")
        for missing in range(4):
            self.refuse_header(start + rotation[:missing] + rotation[missing + 1 :], "its vertices have no rotations")
        self.refuse_header([*start, "property uint packed_rotation"], "its vertices have no rotations")
        for line, says in (
            ("", "not a line"),
            ("   ", "not a line"),
            ("ply", "not a line"),
            ("nonsense", "not a line"),
            ("end_header x", "not a line"),
            ("property", "not a line"),
            ("property float", "not a line"),
            ("property float x y", "not a line"),
            ("property list int", "the type is unknown"),  # `list`
            ("property list int int", "not a line"),
            ("property list int int a b", "not a line"),
            ("property list int int a b c d e f", "not a line"),
            ("element face", "not a line"),
            ("element face 2 3", "not a line"),
            ("property flot x", "the type is unknown"),
            ("property FLOAT x", "the type is unknown"),
            ("property float16 x", "the type is unknown"),
            ("property list uchar int64 x", "the type is unknown"),
            ("property list long int x", "the type is unknown"),
            ("property uchar rot_0", "rotations are float or double"),
            ("property double rot_3", "the property was given before"),
            ("element vertex 3", "there were vertices before"),
            ("element face 1e3", "the count is no number"),
            ("format binary_little_endian 1.0", "the format was given before"),
            ("\x1b[31m", "not a line"),
        ):
            with self.subTest(line):
                shown = line.replace("\x1b", "\ufffd")
                broken = start + rotation[3:] + [line] + rotation[:3]
                self.refuse_header(broken, "line 5 of the PLY header, `%s`: %s" % (shown, says))
        for line, says in (
            ("format ascii 1.0", "only binary PLY files are read"),
            ("format binary_little_endian 2.0", "the version is unknown"),
            ("format binary_middle_endian 1.0", "the format is unknown"),
            ("format binary_little_endian", "not a line"),
        ):
            with self.subTest(line):
                broken = [line, *start[1:], *rotation]
                self.refuse_header(broken, "line 2 of the PLY header, `%s`: %s" % (line, says))
        for line in "a\0b", "\0", "comment " + 1015 * "x", 5000 * "x":
            with self.subTest(line[:10]):
                self.refuse_header([*start, line, *rotation], "the PLY header has a line with")

    def test_unusual_ply_headers(self):
        q = rotations(3)
        content = ply_of([("vertex", splats_of(q))])
        for old, new in (
            (b"comment x", b"comment " + 1000 * b"x"),
            (b"property float rot_1", b"  property \t float  rot_1 "),
            (b"obj_info", b"property char rot_\nproperty char rot_4\nproperty char rot_00\nobj_info"),
        ):
            with self.subTest(new[:20]):
                changed = content.replace(old, new)
                if b"char" in new:  # three bytes behind each
                    changed = changed[:-48] + b"".join(content[-48:][16 * i :][:16] + b"abc" for i in range(3))
                self.check("scene.ply", changed, q)

    def test_not_rotations(self):
        q = rotations(10, dtype=np.float64)
        q[2], q[3, 0], q[4, 1], q[5, 2] = 0, np.nan, np.inf, 1e300
        path = self.write("scene.ply", ply_of([("vertex", splats_of(q, type="f8"))]))
        self.assertEqual(self.measure(path)["replaced"], 4)
        path = self.write("zero.splat", bytes([128] * 32))
        self.assertEqual(self.measure(path)["replaced"], 1)

    def splat_of(self, codes):
        records = np.random.default_rng(4).integers(0, 256, (len(codes), 32), np.uint8)
        records[:, 28:] = codes
        return records.tobytes()

    def test_splat(self):
        codes = np.random.default_rng(8).integers(0, 256, (1000, 4), np.uint8)  # w, x, y, z
        codes[:4] = 0, 255, 127, 1
        q = np.ascontiguousarray((codes[:, [1, 2, 3, 0]].astype(np.float32) - 128) / 128)
        self.check("scene.splat", self.splat_of(codes), q)
        self.check("scene.splat", self.splat_of(codes[:1]), q[:1])

    def test_splat_truncated(self):
        content = self.splat_of(np.full((2, 4), 200))
        self.refuse("empty.splat", b"", "the file is empty")
        for length in [*range(1, 32), *range(33, 64)]:
            path = self.write("cut.splat", content[:length])
            self.bad(1, "measure", path, says="%s: the file ends within a splat: it has %d bytes" % (path, length))
        self.refuse("cut.splat", content[:63], "the file ends within a splat: it has 63 bytes, a splat has 32")

    def test_pipes_and_directories(self):
        content = ply_of([("vertex", splats_of(rotations(3)))])
        os.mkdir(self.path("dir.splat"))
        self.bad(1, "measure", self.path("dir.splat"), says="dir.splat: is a directory")
        for command in "measure /dev/stdin", "pack -f half4 /dev/stdin " + self.path("out.npy"):
            result = subprocess.run([TOOL, *command.split()], input=content, capture_output=True, timeout=30)
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"/dev/stdin: not a .npy file", result.stderr)
        for name in "fifo.splat", "fifo.ply":
            os.mkfifo(self.path(name))
            with subprocess.Popen([TOOL, "measure", self.path(name)], stderr=subprocess.PIPE) as process:
                with open(self.path(name), "wb") as pipe:
                    pipe.write(content)
                self.assertIn(b"not a .npy file", process.communicate(timeout=30)[1])
            self.assertEqual(process.returncode, 1)

    def test_a_large_scene(self):
        """A million splats of 62 floats, as the training programs write them, without the file in memory."""
        q = rotations(1 << 20)
        names = ["x", "y", "z", "nx", "ny", "nz", *("f_dc_%d" % i for i in range(3))]
        names += [*("f_rest_%d" % i for i in range(45)), "opacity", *("scale_%d" % i for i in range(3))]
        vertices = np.zeros(len(q), [(name, "<f4") for name in names + ["rot_%d" % i for i in range(4)]])
        self.assertEqual(vertices.itemsize, 62 * 4)
        for i, component in enumerate((3, 0, 1, 2)):
            vertices["rot_%d" % i] = q[:, component]
        with open(self.path("large.ply"), "wb") as file:
            file.write(ply_of([("vertex", vertices[:0])]).replace(b"vertex 0", b"vertex %d" % len(q)))
            vertices.tofile(file)
        del vertices
        paths = self.path("large.ply"), self.save("large.npy", q)
        reports = [self.json("measure", "--no-speed", "-f", "smallest3_32", "-f", "half4", path, preexec_fn=MEMORY_LIMIT) for path in paths]
        self.assertEqual((reports[0]["keys"], reports[0]["formats"]), (len(q), reports[1]["formats"]))
