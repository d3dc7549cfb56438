"""Tests of the command quatsimd, from outside.

QUATSIMD_TOOL names the binary, QUATSIMD_DATA the folder of real rotation data. Tests of what is missing are
skipped and say so. QUATSIMD_PRINT_SCENE names the program that prints what the command reads from animations.
"""
import base64
import glob
import io
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

TOOL = os.environ.get("QUATSIMD_TOOL", "quatsimd")
DATA = os.environ.get("QUATSIMD_DATA", "")
MODELS = "/usr/share/assimp/models"  # Debian's assimp-testmodels


def run(*arguments, **options):
    """Runs the command; the result has text in stdout and stderr."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([TOOL, *map(str, arguments)], encoding="utf-8", timeout=300, **options)


def data(name):
    path = os.path.join(DATA, name)
    if not DATA or not os.path.exists(path):
        raise unittest.SkipTest("no %s: QUATSIMD_DATA is %r" % (name, DATA))
    return path


def model(name):
    path = os.path.join(MODELS, name)
    if not os.path.exists(path):
        raise unittest.SkipTest("no %s: assimp-testmodels is not installed" % path)
    return path


def need_assimp():
    if "no Assimp" in run("--version").stdout:
        raise unittest.SkipTest("built without Assimp")


FORMATS = json.loads(run("formats", "--json").stdout)


def is_bit_packed(format):
    return format["name"].startswith(("smallest3:", "mirage:"))


def rotations(*shape, seed=1, dtype=np.float32):
    q = np.random.default_rng(seed).normal(size=(*shape, 4))
    return (q / np.linalg.norm(q, axis=-1, keepdims=True)).astype(dtype)


def degrees_between(p, q):
    """Angle of the rotation from p to q, of arrays (..., 4), directions alone."""
    p, q = (
        a.astype(np.float64) / np.linalg.norm(a.astype(np.float64), axis=-1, keepdims=True) for a in (p, q)
    )
    q = q * np.where((p * q).sum(-1, keepdims=True) < 0, -1, 1)
    return np.degrees(4 * np.arcsin(np.linalg.norm(p - q, axis=-1) / 2))


def smallest3_codes(q, bits):
    """The value of smallest3:bits for every row, as docs/codec.md has it, in float32 step by step."""
    f = np.float32
    m = f(2 ** (bits - 1) - 1)
    e = m / (f(1) / f(1.414214))
    n2 = (q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1]) + (q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3])
    largest = np.abs(q).argmax(axis=1)
    k = e / np.sqrt(n2)
    k = np.where(q[np.arange(len(q)), largest] < 0, -k, k)
    values = []
    for row, index, scale in zip(q, largest, k):
        value = int(index)
        for i in range(4):
            if i != index:
                value = value << bits | (int(np.rint(row[i] * scale)) & (2**bits - 1))
        values.append(value)
    return values


class Directory(unittest.TestCase):
    """A test with a directory of its own, which must hold nothing unexpected in the end."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = temporary.name

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def save(self, name, array, **options):
        np.save(self.path(name), array, **options)
        return self.path(name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def good(self, *arguments, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def bad(self, status, *arguments, says, **options):
        """The command fails with that status, says every text of says, and leaves no new files."""
        before = sorted(os.listdir(self.directory))
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.stderr)
        self.assertEqual(sorted(os.listdir(self.directory)), before)
        return result


class RoundTrips(Directory):
    def check(self, format, array):
        name = format["name"]
        source = self.save("in.npy", array)
        self.good("pack", "--format", name, source, self.path("packed.npy"))
        self.good("unpack", "--format", name, self.path("packed.npy"), self.path("back.npy"))
        packed, back = np.load(self.path("packed.npy")), np.load(self.path("back.npy"))
        count = array.size // 4
        if is_bit_packed(format):
            self.assertEqual((packed.dtype, packed.ndim), (np.uint8, 1))
            axes = int(packed[-8:].view("<u8")[0])
            self.assertEqual(tuple(packed[-8 * axes - 8 : -8].view("<u8")), array.shape[:-1])
            self.assertEqual(packed.size - 8 * axes - 8, (count * format["bits"] + 7) // 8)
        else:
            dtype, last = {
                32: (np.uint32, ()),
                64: (np.uint64, ()),
                48: (np.uint16, (3,)),
                24: (np.uint8, (3,)),
                128: (np.uint32, (4,)),
            }[format["bits"]]
            self.assertEqual((packed.dtype, packed.shape), (dtype, array.shape[:-1] + last))
            self.assertEqual(packed.nbytes, count * format["bits"] // 8)
        self.assertEqual((back.dtype, back.shape), (np.float32, array.shape))
        if count:
            self.assertLess(np.abs(np.linalg.norm(back.astype(float), axis=-1) - 1).max(), 4e-7)
            limit = format["worst_error_degrees"] or 45
            self.assertLessEqual(
                degrees_between(array.astype(np.float32), back).max(), limit * (1 + 1e-6) + 1e-5
            )
        return packed, back

    def test_every_format(self):
        for format in FORMATS:
            with self.subTest(format["name"]):
                self.check(format, rotations(1003))

    def test_shapes(self):
        shapes = [(), (0,), (1,), (7,), (0, 5), (3, 5), (2, 3, 4), (1, 1, 1, 2, 1)]
        for format in FORMATS:
            if format["name"] in ("float4", "half4", "snorm16x3", "cube32", "smallest3:9", "mirage:20"):
                for shape in shapes:
                    with self.subTest(format["name"], shape=shape):
                        self.check(format, rotations(*shape))

    def test_dtypes_and_byte_orders(self):
        expected = {}
        for dtype in "<f4", ">f4", "<f8", ">f8":
            for format in FORMATS:
                if format["name"] in ("smallest3_32", "mirage:10"):
                    with self.subTest(format["name"], dtype=dtype):
                        packed, _ = self.check(format, rotations(50).astype(dtype))
                        self.assertEqual(
                            packed.tobytes(), expected.setdefault(format["name"], packed.tobytes())
                        )

    def test_big_endian_words_unpack(self):
        q = rotations(20)
        for format in FORMATS[:9]:
            with self.subTest(format["name"]):
                packed, back = self.check(format, q)
                swapped = self.save("swapped.npy", packed.astype(packed.dtype.newbyteorder(">")))
                self.good("unpack", "-f", format["name"], swapped, self.path("again.npy"))
                self.assertEqual(np.load(self.path("again.npy")).tobytes(), back.tobytes())

    def test_all_npy_versions(self):
        q = rotations(5)
        for version in (1, 0), (2, 0), (3, 0):
            with self.subTest(version=version):
                buffer = io.BytesIO()
                np.lib.format.write_array(buffer, q, version=version)
                source = self.write("in.npy", buffer.getvalue())
                self.good("pack", "-f", "float4", source, self.path("out.npy"))
                self.assertEqual(np.load(self.path("out.npy")).view(np.float32).tobytes(), q.tobytes())

    def test_odd_but_valid_headers(self):
        q = rotations(3)
        for text in (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L)}",
            '{"shape":(3,4,),"fortran_order"' ':False,"descr":"<f4"}',
            "  { 'shape' : ( 3 , 4 ) , 'descr' : '<f4' , 'fortran_order' : False , }  ",
        ):
            with self.subTest(text):
                source = self.write("in.npy", header(text) + q.tobytes())
                self.good("pack", "-f", "float4", source, self.path("out.npy"))
                self.assertEqual(np.load(self.path("out.npy")).view(np.float32).tobytes(), q.tobytes())

    def test_one_quaternion_may_be_in_fortran_order(self):
        source = self.write(
            "in.npy", header("{'descr': '<f4', 'fortran_order': True, 'shape': (4,)}") + bytes(16)
        )
        self.good("pack", "-f", "half4", source, self.path("out.npy"))
        self.assertEqual(np.load(self.path("out.npy")).shape, ())

    def test_through_a_pipe(self):
        source = self.save("in.npy", rotations(100))
        with open(source, "rb") as file:
            content = file.read()
        result = subprocess.run(
            [TOOL, "pack", "-f", "cube32", "/dev/stdin", "/dev/stdout"], input=content, stdout=subprocess.PIPE
        )
        self.assertEqual(result.returncode, 0)
        self.good("pack", "-f", "cube32", source, self.path("out.npy"))
        self.assertEqual(
            np.load(io.BytesIO(result.stdout)).tobytes(), np.load(self.path("out.npy")).tobytes()
        )

    def test_input_is_not_the_output(self):
        path, link = self.save("both.npy", rotations(10)), self.path("link.npy")
        os.symlink(path, link)
        for command in "pack", "unpack":
            for out in path, link:
                self.bad(2, command, "-f", "snorm16x3", path, out, says=out + " is what it is made from, and would be lost")
        self.assertEqual(np.load(path).shape, (10, 4))


class Words(Directory):
    """Against arithmetic of our own."""

    def packed(self, name, q):
        self.good("pack", "--format", name, self.save("in.npy", q), self.path("out.npy"))
        return np.load(self.path("out.npy"))

    def test_smallest3_32(self):
        q = rotations(500) * np.float32(3)
        self.assertEqual(list(self.packed("smallest3_32", q)), smallest3_codes(q, 10))

    def test_smallest3_64(self):
        q = rotations(500)
        self.assertEqual([int(w) for w in self.packed("smallest3_64", q)], smallest3_codes(q, 20))

    def test_smallest3_9(self):
        q = rotations(333)
        array, bits = 0, 29
        for i, value in enumerate(smallest3_codes(q, 9)):
            array |= value << (i * bits)
        expected = array.to_bytes((333 * bits + 7) // 8, "little") + struct.pack("<QQ", 333, 1)
        self.assertEqual(self.packed("smallest3:9", q).tobytes(), expected)

    def test_snorm16x3(self):
        q = rotations(500)
        n2 = (q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1]) + (q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3])
        k = np.float32(32767) / np.sqrt(n2)
        t = (q * np.where(q[:, 3] < 0, -k, k)[:, None])[:, :3].astype(np.float64)
        codes = np.copysign(np.floor(np.abs(t) + 0.5), t).astype(np.int16)
        self.assertEqual(self.packed("snorm16x3", q).tobytes(), codes.tobytes())

    def test_half4(self):
        q = rotations(500)
        n2 = (q[:, 0] * q[:, 0] + q[:, 1] * q[:, 1]) + (q[:, 2] * q[:, 2] + q[:, 3] * q[:, 3])
        halves = (q * (np.float32(1) / np.sqrt(n2))[:, None]).astype(np.float16)
        self.assertEqual(self.packed("half4", q).tobytes(), halves.tobytes())


def header(text, version=1, length=None, magic=b"\x93NUMPY"):
    text = text.encode("latin-1") + b"\n"
    length = len(text) if length is None else length
    return magic + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", length) + text


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 28, 1 << 28))


# None where the command does not start with limited memory: built with a sanitizer, it reserves more than there is.
MEMORY_LIMIT = limit_memory if run("--version", preexec_fn=limit_memory).returncode == 0 else None


GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }"


class BadArrays(Directory):
    def refuse(self, content, says):
        """pack and measure both refuse the file."""
        path = self.write("bad.npy", content)
        self.bad(1, "pack", "-f", "cube32", path, self.path("out.npy"), says=[path, says])
        self.bad(1, "measure", "--no-speed", path, says=[path, says])

    def test_truncated_anywhere(self):
        buffer = io.BytesIO()
        np.save(buffer, rotations(2))
        content = buffer.getvalue()
        for length in list(range(0, 12)) + [20, 127, 128, 129, len(content) - 1]:
            with self.subTest(length=length):
                part = ["it does not begin with", "ends within the .npy header", "the file holds"]
                self.refuse(content[:length], part[(length >= 8) + (length >= 128)])

    def test_goes_on(self):
        self.refuse(header(GOOD) + bytes(17), "the file goes on behind the 16 bytes")

    def test_magic_and_version(self):
        self.refuse(header(GOOD, magic=b"\x93NUMPZ") + bytes(16), "not a .npy file")
        self.refuse(header(GOOD, version=4)[:10] + bytes(200), "version 4.0")
        self.refuse(b"PK\x03\x04" + bytes(100), "not a .npy file")  # .npz

    def test_broken_headers(self):
        for text in (
            "",
            "{",
            "}",
            "{}",
            "[1]",
            "{'descr': '<f4'}",
            GOOD[:-1],
            GOOD + "x",
            GOOD + GOOD,
            GOOD.replace("False", "false"),
            GOOD.replace("False", "0"),
            GOOD.replace("(1, 4)", "[1, 4]"),
            GOOD.replace("(1, 4)", "(1 4)"),
            GOOD.replace("(1, 4)", "(1,, 4)"),
            GOOD.replace("(1, 4)", "(4)"),
            GOOD.replace("(1, 4)", "(-1, 4)"),
            GOOD.replace("(1, 4)", "(1.0, 4)"),
            GOOD.replace("(1, 4)", "(" + "1, " * 40 + "4)"),
            GOOD.replace("(1, 4)", "(1, 4"),
            GOOD.replace("}", "'more': 1}"),
            GOOD.replace("}", "'descr': '<f4'}"),
            GOOD.replace("'<f4'", "<f4"),
            GOOD.replace("'<f4'", "'<f4\""),
            GOOD.replace("descr", "d" * 100),
            GOOD.replace("<f4", "x" * 100),
            GOOD.replace(" ", "\0"),
            GOOD.replace("4)", "99999999999999999999999)"),
        ):
            with self.subTest(text):
                self.refuse(header(text) + bytes(16), "header is broken")
        self.refuse(header(GOOD, version=2, length=2**31) + bytes(16), "header claims 2147483648 bytes")

    def test_huge_shapes_take_no_memory(self):
        if MEMORY_LIMIT is None:
            self.skipTest("does not start with limited memory (built with a sanitizer?)")
        for shape in (
            "(4000000000, 4)",
            "(1152921504606846975, 4)",
            "(4611686018427387904, 4)",
            "(4294967296, 4294967296)",
        ):
            with self.subTest(shape):
                path = self.write("bad.npy", header(GOOD.replace("(1, 4)", shape)) + bytes(64))
                self.bad(
                    1, "pack", "-f", "cube32", path, self.path("out.npy"), says=path, preexec_fn=MEMORY_LIMIT
                )

    def test_dtypes(self):
        cases = [
            (np.ones((2, 4), np.float16), "dtype is '<f2'"),
            (np.ones((2, 4), np.int32), "dtype is '<i4'"),
            (np.ones((2, 4), np.complex64), "dtype is '<c8'"),
            (np.ones((2, 4), bool), "dtype is '|b1'"),
            (np.ones((2, 4), np.longdouble), "dtype is '<f16'"),
            (np.array([["a"] * 4]), "dtype is '<U1'"),
            (np.ones((2, 4), np.uint32), "dtype is '<u4'"),
            (np.zeros(2, [("x", "f4"), ("y", "f4")]), "structured dtype"),
        ]
        for array, says in cases:
            with self.subTest(says):
                buffer = io.BytesIO()
                np.save(buffer, array)
                self.refuse(buffer.getvalue(), says)

    def test_objects(self):
        buffer = io.BytesIO()
        np.save(buffer, np.array([[None] * 4]), allow_pickle=True)
        self.refuse(buffer.getvalue(), "dtype is '|O'")

    def test_fortran_order(self):
        buffer = io.BytesIO()
        np.save(buffer, np.asfortranarray(rotations(6)))
        self.refuse(buffer.getvalue(), "Fortran order")

    def test_shapes(self):
        for shape in (), (3,), (4, 3), (4, 0), (2, 4, 5):
            with self.subTest(shape=shape):
                buffer = io.BytesIO()
                np.save(buffer, np.ones(shape, np.float32))
                self.refuse(buffer.getvalue(), "rotations are (..., 4)")

    def test_unpack_wants_what_pack_writes(self):
        out = self.path("out.npy")
        for format, array, says in (
            ("cube32", np.zeros(3, np.uint64), "cube32 is uint32 of shape (...)"),
            ("cube32", np.zeros(3, np.int32), "dtype is '<i4'"),
            ("cube32", rotations(3), "dtype is '<f4'"),
            ("half4", np.zeros(3, np.uint32), "half4 is uint64 of shape (...)"),
            ("snorm16x3", np.zeros((3, 4), np.uint16), "snorm16x3 is uint16 of shape (..., 3)"),
            ("snorm16x3", np.uint16(3), "snorm16x3 is uint16 of shape (..., 3)"),
            ("float4", np.zeros(4, np.uint8), "float4 is uint32 of shape (..., 4)"),
            ("smallest3:9", np.zeros(30, np.uint32), "smallest3:9 is uint8 of shape (N,)"),
            ("smallest3:9", np.zeros((4, 8), np.uint8), "smallest3:9 is uint8 of shape (N,)"),
            ("smallest3:9", np.zeros(0, np.uint8), "not the 0 bytes"),
            ("smallest3:9", np.zeros(7, np.uint8), "not the 7 bytes"),
            ("smallest3:9", np.zeros(9, np.uint8), "not the 9 bytes"),
            ("smallest3:9", np.full(64, 255, np.uint8), "not the 64 bytes"),
            (
                "smallest3:9",
                np.frombuffer(struct.pack("<4sQQ", b"", 2**61, 1), np.uint8),
                "not the 20 bytes",
            ),
            (
                "smallest3:9",
                np.frombuffer(struct.pack("<4sQQQ", b"", 2**32, 2**32, 2), np.uint8),
                "not the 28",
            ),
            ("smallest3:9", np.frombuffer(struct.pack("<4sQQ", b"", 2, 1), np.uint8), "not the 20 bytes"),
        ):
            with self.subTest(says):
                source = self.save("in.npy", array)
                self.bad(1, "unpack", "-f", format, source, out, says=[source, says])

    def test_unpack_notices_another_format(self):
        source = self.save("in.npy", rotations(100))
        self.good("pack", "-f", "smallest3:9", source, self.path("packed.npy"))
        self.bad(
            1,
            "unpack",
            "-f",
            "smallest3:10",
            self.path("packed.npy"),
            self.path("out.npy"),
            says="not the 379 bytes of an array that `quatsimd pack --format smallest3:10` wrote",
        )

    def test_mutated_files_never_crash(self):
        generator = np.random.default_rng(5)
        buffer = io.BytesIO()
        np.save(buffer, rotations(3))
        for _ in range(150):
            content = bytearray(buffer.getvalue())
            for _ in range(generator.integers(1, 5)):
                content[generator.integers(0, 128)] = generator.integers(0, 256)
            path = self.write("bad.npy", content[: generator.integers(0, 2 * len(content))])
            self.assertIn(run("pack", "-f", "half4", path, self.path("out.npy")).returncode, (0, 1))


class Files(Directory):
    def test_missing(self):
        path = self.path("none.npy")
        for command in (
            ["pack", "-f", "cube32", path, self.path("o")],
            ["unpack", "-f", "cube32", path, self.path("o")],
            ["measure", path],
            ["measure", self.path("none.bvh")],
            ["import", path, self.path("o")],
        ):
            with self.subTest(command[0]):
                self.bad(1, *command, says=["none.", "No such file or directory"])

    def test_directories(self):
        good = self.save("in.npy", rotations(2))
        for command in (
            ["pack", "-f", "cube32", self.directory, self.path("o")],
            ["measure", self.directory],
            ["unpack", "-f", "cube32", self.directory, self.path("o")],
            ["import", self.directory, self.path("o")],
        ):
            with self.subTest(command[0]):
                self.bad(1, *command, says=self.directory + ": is a directory")
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            good,
            self.directory,
            says=self.directory + ": cannot write: Is a directory",
        )

    def test_every_bad_file_is_named(self):
        good = self.save("good.npy", rotations(2))
        result = self.bad(1, "measure", "--no-speed", self.path("a.npy"), good, self.path("b.npy"), says=["a.npy", "b.npy"])
        self.assertIn("2 rotations", result.stdout)  # and the good one is measured
        self.assertEqual(self.bad(1, "measure", self.path("a.npy"), says="a.npy").stdout, "")

    def test_empty_array(self):
        path = self.save("empty.npy", rotations(0))
        self.bad(1, "measure", path, says=path + ": the array is empty")

    def test_unwritable(self):
        source = self.save("in.npy", rotations(2))
        for out in self.path("no", "out.npy"), source + "/out.npy", "/proc/out.npy":
            with self.subTest(out):
                self.bad(1, "pack", "-f", "cube32", source, out, says=out + ": cannot write")
                self.bad(1, "pack", "-f", "smallest3:4", source, out, says=out + ": cannot write")

    def test_read_only_directory_and_file(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        source = self.save("in.npy", rotations(2))
        old = self.write("old.npy", b"old")
        os.chmod(old, 0o444)
        self.bad(1, "pack", "-f", "cube32", source, old, says=old + ": cannot write: Permission denied")
        os.mkdir(self.path("shut"), 0o555)
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            self.path("shut", "o.npy"),
            says="cannot write: Permission denied",
        )

    def test_failure_leaves_the_old_file(self):
        source, old = self.save("in.npy", rotations(10000)), self.write("out.npy", b"old")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

        for format in "cube32", "smallest3:20", "float4":
            self.bad(
                1,
                "pack",
                "-f",
                format,
                source,
                old,
                says=old + ": cannot write: File too large",
                preexec_fn=limit_files,
                restore_signals=False,
            )
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"old")

    def test_interrupted(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        arguments = [TOOL, "pack", "-f", "float4", source, out]
        start = time.monotonic()
        subprocess.run(arguments, check=True)
        whole = time.monotonic() - start
        for ending in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            for tenth in range(1, 11):
                process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
                time.sleep(whole * tenth / 10)
                process.send_signal(ending)
                self.assertIn(process.wait(), (-ending, 0))
                self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "out.npy"])

    def test_hangup_is_ignored_under_nohup(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        process = subprocess.Popen(
            [TOOL, "pack", "-f", "float4", source, out],
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        self.assertEqual((process.wait(), os.listdir(self.directory).count("out.npy")), (0, 1))

    def test_full_disk(self):
        mount = self.path("disk")
        os.mkdir(mount)
        if (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=65536", "none", mount], stderr=subprocess.DEVNULL
            ).returncode
            != 0
        ):
            self.skipTest("cannot mount a small tmpfs here")
        self.addCleanup(subprocess.run, ["umount", mount], check=True)
        source = self.save("in.npy", rotations(50000))
        self.bad(
            1, "pack", "-f", "half4", source, os.path.join(mount, "out.npy"), says="No space left on device"
        )
        self.assertEqual(os.listdir(mount), [])

    def test_full_devices(self):
        source = self.save("in.npy", rotations(5))
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            "/dev/full",
            says="/dev/full: cannot write: No space left on device",
        )
        for arguments in (
            ["formats"],
            ["measure", "--no-speed", source],
            ["help"],
            ["--version"],
            ["formats", "--json"],
        ):
            with self.subTest(arguments[0]), open("/dev/full", "w") as full:
                self.bad(1, *arguments, says="standard output: cannot write", stdout=full)

    def test_devices_are_not_replaced(self):
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_links_and_modes_stay(self):
        source, target = self.save("in.npy", rotations(5)), self.write("target.npy", b"")
        os.chmod(target, 0o640)
        os.symlink("target.npy", self.path("link.npy"))
        self.good("pack", "-f", "cube32", source, self.path("link.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(target).shape, (5,))
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "link.npy", "target.npy"])

    def test_long_names(self):
        out = self.path("x" * 251 + ".npy")
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), out)
        self.assertEqual(np.load(out).shape, (5,))

    def test_names_cannot_write_to_the_terminal(self):
        self.assertNotIn(
            "\x1b", self.bad(1, "measure", self.path("\x1b[2J.npy"), says="\ufffd[2J.npy").stderr
        )
        result = subprocess.run(
            [TOOL, "measure", os.fsencode(self.directory) + b"/\xff.npy"], stderr=subprocess.PIPE
        )
        self.assertIn("\ufffd.npy", result.stderr.decode("utf-8"))


class SomeFilesAreBad(Directory):
    def test_the_good_ones_are_measured(self):
        good, bad = self.save("good.npy", rotations(6)), self.save("bad.npy", np.zeros((4, 3), np.float32))
        result = self.bad(1, "measure", "--json", "--no-speed", "-f", "half4", bad, good, bad, says=bad + ": the array's shape is (4, 3)")
        both, alone = json.loads(result.stdout), json.loads(self.good("measure", "--json", "--no-speed", "-f", "half4", good).stdout)
        self.assertEqual(both, alone)
        self.assertEqual((both["files"], both["keys"]), (1, 6))

    def test_what_no_animation_is(self):
        array, clip = self.save("in.npy", rotations(6)), self.write("in.qsc", b"QSC")
        self.bad(1, "import", array, self.path("out"), says=array + ": is an array")
        self.bad(1, "clip", array, says=array + ": is an array")
        self.bad(1, "measure", clip, says=clip + ": is a clip already")
        self.bad(1, "measure", "", says='quatsimd: "": cannot open')

    def test_a_page_replaces_no_input(self):
        path = self.write("walk.bvh", b"HIERARCHY")
        self.bad(1, "clip", "-o", self.path("out"), "--report", path, path, says="is one of the files")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"HIERARCHY")


class Usage(Directory):
    def test_bad_usage(self):
        source = self.save("in.npy", rotations(2))
        out = self.path("out.npy")
        for arguments, says in (
            ([], "Usage"),
            (["frobnicate"], 'no command "frobnicate"'),
            (["help", "x"], 'no command "x"'),
            (["measure"], "no file given"),
            (["pack", "-f", "cube32"], "no file given"),
            (["pack", "-f", "cube32", source], "a file is missing"),
            (["pack", source, out], "--format is missing"),
            (["pack", "-f", "cube32", source, out, out], "one argument too many"),
            (["pack", "-f", "cube32", "-f", "half4", source, out], "takes one format"),
            (["pack", "-f", "all", source, out], "takes one format"),
            (["pack", "-f", "cube", source, out], 'unknown format "cube"'),
            (["unpack", "-f", "smallest3:3", source, out], 'unknown format "smallest3:3"'),
            (["measure", "--format", "CUBE32", source], 'unknown format "CUBE32"'),
            (["measure", "--format"], "missing argument"),
            (["measure", "--what", source], "--what: unknown option"),
            (["formats", "x"], "one argument too many"),
            (["import", source], "a file is missing"),
            (["pack", "-f", "", source, out], 'unknown format ""'),
            (["stream"], "no file given"),
            (["stream", "--bound"], "missing argument"),
            (["stream", "--bound", "fine", source], '--bound: "fine" is not an angle from'),
            (["stream", "--bound", "0", source], '--bound: "0" is not an angle from'),
            (["stream", "--bound", "-1", source], '--bound: "-1" is not an angle from'),
            (["stream", "--bound", "0.0005", source], '--bound: "0.0005" is not an angle from'),
            (["stream", "--bound", "57.3", source], '--bound: "57.3" is not an angle from'),
            (["stream", "--bound", "nan", source], '--bound: "nan" is not an angle from'),
            (["stream", "--bound", "inf", source], '--bound: "inf" is not an angle from'),
            (["stream", "--predict", "luck", source], '--predict: "luck" is not both, last, free or none'),
            (["stream", "--predict", "", source], '--predict: "" is not'),
            (["stream", "--key", "-1", source], "--key: -1 is negative"),
            (["stream", "--bound", "1mm", source], '--bound: "1mm" is not an angle from'),
            (["stream", "--key", "often", source], '--key: "often" is not a number that it takes'),
            (["stream", "--key=often", source], '--key: "often" is not a number that it takes'),
            (["stream", "-koften", source], '-k: "often" is not a number that it takes'),
            (["stream", "often", "-k", "often", source], '-k: "often" is not a number that it takes'),
            (["stream", "--key", "99999999999", source], '--key: "99999999999" is too large or too small a number'),
            (["stream", "--key", "-1.5", source], '--key: "-1.5" is not a number that it takes'),
            (["clip", "--rate", "fast", source], '--rate: "fast" is not a number that it takes'),
            (["compress", "-o", out, "--jobs", "1.5", source], '--jobs: "1.5" is not a number that it takes'),
            (["--what"], "--what: unknown option"),
            (["stream", "--what", source], "--what: unknown option"),
            (["clip"], "no file given"),
            (["clip", "--rotation"], "missing argument"),
            (["clip", "--rotation", "fine", source], '--rotation: "fine" is not an angle from'),
            (["clip", "--rotation", "0", source], '--rotation: "0" is not an angle from'),
            (["clip", "--rotation", "-1deg", source], '--rotation: "-1deg" is not an angle from'),
            (["clip", "--rotation", "0.0005", source], '--rotation: "0.0005" is not an angle from'),
            (["clip", "--rotation", "0.000009rad", source], '--rotation: "0.000009rad" is not an angle from'),
            (["clip", "--rotation", "57.3", source], '--rotation: "57.3" is not an angle from'),
            (["clip", "--rotation", "nan", source], '--rotation: "nan" is not an angle from'),
            (["clip", "--rotation", "1mm", source], '--rotation: "1mm" is not an angle from'),
            (["clip", "--rotation", "1degrees", source], '--rotation: "1degrees" is not an angle from'),
            (["clip", "--translation", "1km", source], '--translation: "1km" is not a length'),
            (["clip", "--translation", "0", source], '--translation: "0" is not a length'),
            (["clip", "--translation", "inf", source], '--translation: "inf" is not a length'),
            (["clip", "--translation", "", source], '--translation: "" is not a length'),
            (["clip", "--scale", "1mm", source], '--scale: "1mm" is not a positive number'),
            (["clip", "--object", "1", source], '--object: "1" is not LENGTH@DISTANCE'),
            (["clip", "--object", "@1", source], '--object: "@1" is not LENGTH@DISTANCE'),
            (["clip", "--object", "1@", source], '--object: "1@" is not LENGTH@DISTANCE'),
            (["clip", "--object", "1@2@3", source], '--object: "1@2@3" is not LENGTH@DISTANCE'),
            (["clip", "--object", "1@-2", source], '--object: "1@-2" is not LENGTH@DISTANCE'),
            (["clip", "--object", "1@2", "--scale", "1", source], "--object stands for the other bounds"),
            (["clip", "--object", "1@2", "--only", "rotation", source], "--only: --object needs all curves"),
            (["clip", "--rotation", "1", "--tolerance", "2", source], "--tolerance and --rotation are the same; give one of them"),
            (["clip", "--tolerance", "1mm", source], '--tolerance: "1mm" is not an angle from'),
            (["clip", "--only", "", source], '--only: "" is not rotation, translation or scale'),
            (["clip", "--additive", "base", source], '--additive: "base" is not first'),
            (["clip", "--rate", "-1", source], "--rate: -1 is not from 0"),
            (["clip", "--rate", "nan", source], "--rate: nan is not from 0"),
            (["clip", "--time", "-1", source], "--time: -1 is not from 0"),
            (["clip", "--time", "nan", source], "--time: nan is not from 0"),
        ):
            with self.subTest(arguments):
                self.assertEqual(self.bad(2, *arguments, says=says).stdout, "")

    def test_help(self):
        commands = ["measure", "formats", "pack", "unpack", "import", "stream", "clip", "compress", "info", "verify", "decompress"]
        top = self.good("--help").stdout
        self.assertEqual(top, self.good("help").stdout)
        self.assertLess(max(map(len, top.splitlines())), 80)
        for command in commands:
            self.assertIn(command, top)
            text = self.good("help", command).stdout
            self.assertEqual(text, self.good(command, "--help").stdout)
            self.assertEqual(text, self.good(command, "-h").stdout)
            self.assertIn("Usage: quatsimd " + command, text)
            self.assertLess(max(map(len, text.splitlines())), 80)
        self.assertLess(max(map(len, top.splitlines())), 90)

    def test_version(self):
        self.assertRegex(self.good("--version").stdout, r"^quatsimd \d+\.\d+\.\d+ \(\w+ kernels; .*\)\n$")

    def test_examples_of_the_help_parse(self):
        for command in "pack", "unpack":
            self.assertIn("--format", self.good("help", command).stdout)

    def test_ignored_isa_is_said(self):
        source = self.save("in.npy", rotations(2))
        environment = dict(os.environ, QUATSIMD_ISA="nonsense")
        result = self.good("measure", "--no-speed", source, env=environment)
        self.assertIn('QUATSIMD_ISA: "nonsense" is unknown', result.stderr)
        for good in "scalar", "":
            self.assertEqual(
                self.good("measure", "--no-speed", source, env=dict(environment, QUATSIMD_ISA=good)).stderr,
                "",
            )

    def test_no_progress_without_a_terminal(self):
        self.assertEqual(self.good("measure", "--no-speed", self.save("in.npy", rotations(2))).stderr, "")


class Formats(Directory):
    def test_json(self):
        names = [format["name"] for format in FORMATS]
        self.assertEqual(len(set(names)), len(names))
        self.assertTrue({"float4", "cube32", "smallest3:4", "smallest3:20", "mirage:10"} <= set(names))
        for format in FORMATS:
            self.assertEqual(format["bytes_per_1000"], (format["bits"] * 1000 + 7) // 8)
            self.assertGreaterEqual(format["worst_error_degrees"], format["mean_error_degrees"])
            self.assertIsInstance(format["exact_identity"], bool)

    def test_table_lines_up(self):
        lines = self.good("formats").stdout.splitlines()
        self.assertEqual(len(lines), len(FORMATS) + 3)
        column = lines[1].index("origin")
        for line, format in zip(lines[3:], FORMATS):
            self.assertTrue(line.startswith(format["name"] + " "))
            self.assertEqual(line[column:], format["origin"])
            self.assertEqual(line[column - 2 : column], "  ")

    def test_exact_identity(self):
        identity = np.array([[0, 0, 0, 1]], np.float32)
        for format in FORMATS:
            with self.subTest(format["name"]):
                self.good("pack", "-f", format["name"], self.save("in.npy", identity), self.path("p.npy"))
                self.good("unpack", "-f", format["name"], self.path("p.npy"), self.path("b.npy"))
                self.assertEqual(
                    bool((np.load(self.path("b.npy")) == identity).all()), format["exact_identity"]
                )


class Measure(Directory):
    def measure(self, *arguments):
        return json.loads(self.good("measure", "--json", *arguments).stdout)

    def check_errors(self, report):
        listed = {format["name"]: format for format in FORMATS}
        for entry in report["formats"]:
            worst = listed[entry["format"]]["worst_error_degrees"]
            if worst > 0:
                self.assertLessEqual(entry["worst_error_degrees"], worst * (1 + 1e-9), entry["format"])
            self.assertLessEqual(entry["mean_error_degrees"], entry["worst_error_degrees"] * (1 + 1e-9))
            angle = np.radians(entry["worst_error_degrees"])
            np.testing.assert_allclose(entry["worst_one_minus_dot"], 2 * np.sin(angle / 4) ** 2, rtol=1e-6)

    def test_default_and_all_formats(self):
        source = self.save("in.npy", rotations(5000))
        names = [entry["format"] for entry in self.measure("--no-speed", source)["formats"]]
        self.assertEqual(
            names,
            [
                format["name"]
                for format in FORMATS
                if ":" not in format["name"] or format["name"] in ("smallest3:9", "mirage:10")
            ],
        )
        report = self.measure("--no-speed", "--format", "all", source)
        self.assertEqual(
            [entry["format"] for entry in report["formats"]], [format["name"] for format in FORMATS]
        )
        self.check_errors(report)
        names = [
            entry["format"]
            for entry in self.measure(
                "--no-speed", "-f", "mirage:4", "-f", "half4", "-f", "mirage:4", source
            )["formats"]
        ]
        self.assertEqual(names, ["mirage:4", "half4"])

    def test_errors_are_those_of_the_round_trip(self):
        q = rotations(2000) * np.float32(7)
        source = self.save("in.npy", q)
        report = self.measure("--no-speed", "--format", "all", source)
        for entry in report["formats"]:
            name = entry["format"]
            self.good("pack", "-f", name, source, self.path("p.npy"))
            self.good("unpack", "-f", name, self.path("p.npy"), self.path("b.npy"))
            angles = degrees_between(q, np.load(self.path("b.npy")))
            np.testing.assert_allclose(entry["worst_error_degrees"], angles.max(), rtol=1e-6, atol=1e-11)
            np.testing.assert_allclose(entry["mean_error_degrees"], angles.mean(), rtol=1e-6, atol=1e-11)

    def test_sums_over_files(self):
        a, b = self.save("a.npy", rotations(3)), self.save("b.npy", rotations(5, 2))
        report = self.measure("--no-speed", "-f", "smallest3:4", "-f", "half4", a, b)
        self.assertEqual((report["keys"], report["files"], report["tracks"]), (13, 2, 2))
        self.assertEqual([clip["file"] for clip in report["clips"]], [a, b])
        # every file is packed as one array: 3 and 10 rotations of 14 bits are 6 and 18 bytes
        self.assertEqual([entry["packed_bytes"] for entry in report["formats"]], [24, 104])
        self.assertEqual(report["formats"][1]["times_smaller"], 2)

    def test_invalid_keys(self):
        q = rotations(100)
        q[3, 1], q[50, 0], q[51], q[99, 3] = np.nan, np.inf, 0, 1e30
        source = self.save("in.npy", q)
        report = self.measure("--no-speed", "--format", "all", source)
        self.assertEqual((report["replaced"], report["clips"][0]["replaced"], report["keys"]), (4, 4, 100))
        self.check_errors(report)
        self.assertIn("4 invalid rotations replaced", self.good("measure", "--no-speed", source).stdout)
        result = self.good("pack", "-f", "half4", source, self.path("out.npy"))
        self.assertEqual(
            result.stderr, "quatsimd: %s: 4 of 100 rotations invalid, packed as the identity\n" % source
        )
        packed = np.load(self.path("out.npy"))
        for i in 3, 50, 51, 99:
            self.assertEqual(packed[i], 0x3C00000000000000)

    def test_doubles_beyond_float_are_invalid(self):
        q = rotations(3, dtype=np.float64)
        q[1] *= 1e300
        result = self.good("pack", "-f", "half4", self.save("in.npy", q), self.path("out.npy"))
        self.assertIn("1 of 3 rotations invalid", result.stderr)

    def test_nothing_but_invalid_keys(self):
        source = self.save("in.npy", np.full((3, 4), np.nan, np.float32))
        report = self.measure("--no-speed", source)
        self.assertEqual(report["replaced"], 3)
        self.assertIsNone(report["formats"][0]["worst_error_degrees"])
        self.good("measure", "--no-speed", source)

    def test_speed(self):
        source = self.save("in.npy", rotations(100))
        report = self.measure("-f", "half4", "-f", "smallest3:9", source)
        self.assertEqual(report["timed_rotations"], 262144)
        for entry in report["formats"]:
            for speed in entry["speed"], entry["scalar_speed"]:
                self.assertGreater(min(speed.values()), 1e5)
        lines = self.good("measure", "-f", "half4", source).stdout.splitlines()
        self.assertIn(report["kernels"], lines[5])
        self.assertEqual(len(lines[-1]), len(lines[-2]))  # it lines up with its rule

    def test_imu(self):
        path = data("imu/broad_07_optical_xyzw.npy")
        report = self.measure("--no-speed", "--format", "all", path)
        self.assertEqual(report["keys"], 50000)
        self.assertEqual(report["replaced"], int(np.isnan(np.load(path)).any(axis=1).sum()))
        self.check_errors(report)


TYPES_OF_PLY = dict(
    i1="char", u1="uchar", i2="short", u2="ushort", i4="int", u4="uint", f4="float", f8="double"
)
SIZED_TYPES_OF_PLY = dict(
    i1="int8", u1="uint8", i2="int16", u2="uint16", i4="int32", u4="uint32", f4="float32", f8="float64"
)


def ply_of(elements, types=TYPES_OF_PLY, big_endian=False, end="\n"):
    """A PLY file of pairs of a name and a structured array."""
    lines = [
        "ply",
        "format binary_%s_endian 1.0" % ("big" if big_endian else "little"),
        "comment x  y z 1 2 3 4",
    ]
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
        return json.loads(self.good("measure", "--no-speed", "--json", *options, path).stdout)

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
        self.assertEqual(reports[0]["clips"][0].pop("file"), path)
        self.assertEqual(reports[1]["clips"][0].pop("file"), array)
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
                    [
                        ("camera", other),
                        ("none", other[:0]),
                        ("vertex", splats_of(q, every)),
                        ("more", other),
                    ],
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
        self.refuse(
            "mesh.ply",
            within,
            "line 9 of the PLY header, `property list uchar float weights`: lists within vertices",
        )

    def test_ply_truncated_anywhere(self):
        content = ply_of(
            [("camera", structured(2, a="f4")), ("vertex", splats_of(rotations(3), dict(x="f8")))]
        )
        header = content.index(b"end_header\n") + 11
        for length in range(4, len(content)):
            with self.subTest(length=length):
                splats = max(0, length - header - 8) // 24
                says = "the file holds %d of 3 splats" % splats
                self.bad(
                    1,
                    "measure",
                    self.write("cut.ply", content[:length]),
                    says="the file ends within the PLY header" if length < header else says,
                )
        self.refuse("cut.ply", content[:-1], "the file holds 2 of 3 splats")

    def test_ply_begins_with_a_line(self):
        for name in "short.npy", "short.ply":
            for content in b"", b"ply", b"plyx", b"PLY\n":
                self.bad(
                    1,
                    "pack",
                    "-f",
                    "half4",
                    self.write(name, content),
                    self.path("o"),
                    says="not a .npy file",
                )

    def test_lying_counts_take_no_memory(self):
        content = ply_of([("camera", structured(1, a="f8")), ("vertex", splats_of(rotations(3)))])
        for count, text in (
            (4, "4"),
            (10**9, "1,000,000,000"),
            (2**60, "1,152,921,504,606,846,976"),
            (2**64 - 1, "18,446,744,073,709,551,615"),
        ):
            with self.subTest(count=count):
                lying = content.replace(b"vertex 3", b"vertex %d" % count)
                self.refuse("lying.ply", lying, "the file holds 3 of %s splats" % text)
                lying = content.replace(b"camera 1", b"camera %d" % count)
                self.refuse("lying.ply", lying, "the file holds %d of 3 splats" % (count == 4))
        for count in b"-1", b"+3", b"3x", b"0x3", b"3.0", b"nan":
            with self.subTest(count=count):
                self.refuse(
                    "lying.ply",
                    content.replace(b"vertex 3", b"vertex " + count),
                    "line 6 of the PLY header, `element vertex %s`: the count is no number" % count.decode(),
                )
        for count in 2**64, 10**300:
            lying = content.replace(b"vertex 3", b"vertex %d" % count)
            self.refuse(
                "lying.ply", lying, "line 6 of the PLY header, `element vertex %d`: the count is too" % count
            )

    def test_broken_ply_headers(self):
        start = ["format binary_little_endian 1.0", "element vertex 2"]
        rotation = ["property float rot_%d" % i for i in range(4)]
        self.refuse_header(rotation, "line 2 of the PLY header, `property float rot_0`: there is no element")
        self.refuse_header(
            ["property list int int x"], "line 2 of the PLY header, `property list int int x`: there"
        )
        self.refuse_header(start[1:] + rotation, "the PLY header has no format")
        self.refuse_header(start[:1] + ["element face 2"] + rotation, "the PLY file has no vertices")
        self.refuse_header([start[0], "element vertex 0", *rotation], "the scene is empty")
        for missing in range(4):
            self.refuse_header(
                start + rotation[:missing] + rotation[missing + 1 :], "its vertices have no rotations"
            )
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
                if b"char" in new:
                    changed = b"".join(
                        [changed[: changed.index(b"end_header\n") + 11]]
                        + [content[-48:][16 * i : 16 * i + 16] + b"abc" for i in range(3)]
                    )
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
            self.bad(
                1, "measure", path, says="%s: the file ends within a splat: it has %d bytes" % (path, length)
            )
        self.refuse(
            "cut.splat", content[:63], "the file ends within a splat: it has 63 bytes, a splat has 32"
        )

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

    def test_mutated_files_never_crash(self):
        original = ply_of(
            [("camera", structured(2, a="u1")), ("vertex", splats_of(rotations(4), dict(x="f4")))]
        )
        header = original.index(b"end_header\n") + 11
        generator = np.random.default_rng(6)
        for _ in range(150):
            content = bytearray(original)
            for _ in range(generator.integers(1, 4)):
                content[generator.integers(4, header)] = generator.integers(0, 256)
            path = self.write("mutant.ply", content)
            result = run("measure", "--no-speed", "-f", "half4", path, preexec_fn=MEMORY_LIMIT)
            self.assertIn(result.returncode, (0, 1))
            self.assertEqual(result.stderr.count("\n"), result.returncode)

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
        options = ["measure", "--no-speed", "--json", "-f", "smallest3_32", "-f", "half4"]
        reports = [
            json.loads(self.good(*options, path, preexec_fn=MEMORY_LIMIT).stdout)
            for path in (self.path("large.ply"), self.save("large.npy", q))
        ]
        self.assertEqual(reports[0]["keys"], len(q))
        self.assertEqual(reports[0]["formats"], reports[1]["formats"])


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
        return np.frombuffer(buffers[view["buffer"]], "<f4", a["count"] * width, start).reshape(
            a["count"], width
        )

    animations = []
    for animation in tree.get("animations", []):
        curves = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            if path in ("rotation", "translation", "scale"):
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
        (name, {node: curve[:2] for (node, kind), curve in curves.items() if kind == "rotation"})
        for name, curves in read_gltf_curves(path)
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
                    "channels": [
                        {"sampler": 0, "target": {"node": n, "path": "rotation"}} for n in range(len(names))
                    ],
                }
                for animation in animations
            ],
        }
    ).encode()


def read_bvh(path):
    """Joint names and quaternions x, y, z, w of all frames, in double: [(name, array)]. Rotations compose in
    the order of the channels."""
    with open(path) as file:
        head, motion = file.read().split("MOTION")
    joints, columns, name = [], 0, None
    for line in head.splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words and words[0] == "CHANNELS":
            axes = [
                (columns + i, "XYZ".index(channel[0]))
                for i, channel in enumerate(words[2:])
                if channel.endswith("rotation")
            ]
            joints.append((name, axes))
            columns += int(words[1])
    values = np.array(motion.split()[5:], float)
    frames = values[: len(values) // columns * columns].reshape(-1, columns)
    tracks = []
    for name, axes in joints:
        q = np.tile([0.0, 0, 0, 1], (len(frames), 1))
        for column, axis in axes:
            half = np.radians(frames[:, column]) / 2
            r = np.zeros((len(frames), 4))
            r[:, axis], r[:, 3] = np.sin(half), np.cos(half)
            q = np.column_stack(
                (
                    q[:, 3:] * r[:, :3] + r[:, 3:] * q[:, :3] + np.cross(q[:, :3], r[:, :3]),
                    q[:, 3] * r[:, 3] - (q[:, :3] * r[:, :3]).sum(axis=1),
                )
            )
        tracks.append((name, q))
    return tracks


class Clips(Directory):
    def setUp(self):
        need_assimp()
        super().setUp()

    def imported(self, path):
        """{(animation, node): (times, keys)} through import."""
        tracks = {}
        for entry in json.loads(self.good("import", "--json", path, self.path("out")).stdout):
            times, keys = np.load(entry["times"]), np.load(entry["file"])
            self.assertEqual((times.dtype, keys.dtype), (np.float64, np.float32))
            self.assertEqual((times.shape, keys.shape), ((entry["keys"],), (entry["keys"], 4)))
            tracks[entry["animation"], entry["node"]] = times, keys
        return tracks

    def test_gltf_keys_as_stored(self):
        for name, keys in (
            ("kaykit/Knight.glb", 59079),
            ("khronos/Fox.glb", 2520),
            ("khronos/cesium_man.gltf", 931),
            ("khronos/rigged_simple.gltf", 50),
            ("mesh2motion/bird-animations.glb", 1592),
            ("mesh2motion/dragon-animations.glb", 5878),
            ("mesh2motion/fox-animations.glb", 14377),
            ("mesh2motion/horse-animations.glb", 21454),
            ("raylib/robot.glb", 20726),
        ):
            with self.subTest(name):
                path = data(name)
                tracks, counted = self.imported(path), 0
                for animation, nodes in read_gltf(path):
                    for node, (times, values) in nodes.items():
                        got_times, got_values = tracks[animation, node]
                        np.testing.assert_array_equal(got_values, values)
                        np.testing.assert_allclose(got_times, times, rtol=1e-6)
                        counted += len(values)
                self.assertEqual(sum(len(values) for _, values in tracks.values()), keys)
                self.assertEqual(counted, keys)

    def test_gltf_of_two_keys(self):
        tracks = self.imported(data("khronos/box_animated.gltf"))
        # a second node moves and never turns: Assimp gives it one key with its rest rotation
        self.assertEqual(sorted(len(values) for _, values in tracks.values()), [1, 2])

    def test_bvh(self):
        path = model("BVH/01_01.bvh")
        tracks = self.imported(path)
        self.assertEqual(len(tracks), 31)
        for name, expected in read_bvh(path):
            times, keys = tracks["Motion", name]
            self.assertEqual(len(keys), 2752)
            self.assertLess(degrees_between(keys, expected).max(), 1e-3)
            np.testing.assert_allclose(times, np.arange(2752) / 120, atol=1e-4)

    def test_measure_bvh(self):
        paths = [model("BVH/01_01.bvh"), model("BVH/01_03.bvh")]
        report = json.loads(self.good("measure", "--json", "--no-speed", "--format", "all", *paths).stdout)
        self.assertEqual((report["keys"], report["tracks"], report["replaced"]), (225153, 62, 0))
        self.assertEqual([clip["animation"] for clip in report["clips"]], ["Motion", "Motion"])
        Measure.check_errors(self, report)

    def test_bvh_with_a_frame_too_many(self):
        report = json.loads(self.good("measure", "--json", "--no-speed", model("BVH/Boxing_Toes.bvh")).stdout)
        self.assertEqual(report["keys"], 3069 * 21)  # Assimp reads as many as the file says

    def test_measure_gltf(self):
        paths = [data("kaykit/Knight.glb"), data("raylib/robot.glb")]
        report = json.loads(self.good("measure", "--json", "--no-speed", "--format", "all", *paths).stdout)
        self.assertEqual((report["keys"], len(report["clips"])), (59079 + 20726, 76 + 14))
        Measure.check_errors(self, report)

    def test_names_become_files(self):
        names = [
            "a/b",
            "a:b",
            "A_B",
            "..",
            ".hidden",
            "a_b-2",
            "dot.",
            "\u00e4\u00f6",
            "n" * 400,
            "\x1b[2J",
            "con|trol",
            "x" * 199 + "\u00e4" + "x" * 20,
        ]
        path = self.write("names.gltf", gltf_of(["walk", "WALK", "../../up", ""], names))
        entries = json.loads(self.good("import", "--json", path, self.path("out")).stdout)
        self.assertEqual(len(entries), 4 * len(names))
        files = [
            os.path.join(directory, name)
            for directory, _, found in os.walk(self.path("out"))
            for name in found
        ]
        listed = [entry[key] for entry in entries for key in ("file", "times")]
        self.assertEqual(sorted(listed), sorted(files))
        self.assertEqual(len({name.lower() for name in files}), 2 * len(entries))
        self.assertEqual(sorted(os.listdir(self.directory)), ["names.gltf", "out"])
        for name in files:
            self.assertLessEqual(len(os.path.basename(name).encode()), 255)
            self.assertFalse(os.path.basename(name).startswith("."))
        again = json.loads(self.good("import", "--json", path, self.path("out")).stdout)  # replaces them
        self.assertEqual(again, entries)

    def test_many_equal_names(self):
        path = self.write("names.gltf", gltf_of(["walk"], ["bone"] * 3000))
        start = time.monotonic()
        entries = json.loads(self.good("import", "--json", path, self.path("out")).stdout)
        self.assertLess(time.monotonic() - start, 30)
        self.assertEqual(len({entry["file"] for entry in entries}), 3000)

    def test_what_was_imported_is_measured(self):
        self.good("import", self.write("clip.gltf", gltf_of(["walk"], ["a", "b"])), self.path("out"))
        arrays = glob.glob(self.path("out", "walk", "*.npy"))
        report = json.loads(self.good("measure", "--json", "--no-speed", *arrays).stdout)
        self.assertEqual((report["files"], report["keys"]), (2, 2))

    def test_summary(self):
        path = self.write("clip.gltf", gltf_of(["walk"], ["a", "b"]))
        self.assertEqual(
            self.good("import", path, self.path("out")).stdout,
            "1 animation, 2 tracks, 2 keys in %s\n" % self.path("out"),
        )

    def test_where_nothing_can_be_written(self):
        path = self.write("clip.gltf", gltf_of(["walk"], ["a", "b"]))
        self.bad(1, "import", path, path, says=path + ": cannot make the directory: there is a file of that name")
        self.bad(1, "import", path, self.path("no", "out"), says="cannot make the directory: No such file")

    def test_bad_clips(self):
        for name, says in (
            ("glTF2/wrongTypes/badArray.gltf", "primitives"),
            ("glTF2/wrongTypes/badUint.gltf", "index"),
            ("glTF2/wrongTypes/badExtension.gltf", ""),
            ("glTF2/wrongTypes/badNumber.gltf", ""),
            ("glTF2/wrongTypes/badObject.gltf", ""),
            ("glTF2/wrongTypes/badString.gltf", ""),
            ("glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf", "no faces"),
            ("glTF2/IndexOutOfRange/IndexOutOfRange.gltf", "no rotation tracks"),
            ("glTF2/MissingBin/BoxTextured.gltf", "BoxTextured0.bin"),
            ("OpenGEX/empty_camera.ogex", "no rotation tracks"),
        ):
            with self.subTest(name):
                path = model(name)
                for command in (["measure", path], ["import", path, self.path("out")]):
                    result = self.bad(1, *command, says=[path + ": ", says])
                    self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))

    def test_not_clips(self):
        for name, content in (
            ("text.txt", b"hello\n"),
            ("empty.bvh", b""),
            ("empty.glb", b""),
            ("x.fbx", bytes(100)),
            ("cut.bvh", b"HIERARCHY\nROOT a\n{\n"),
            ("noext", b"\0" * 9),
        ):
            with self.subTest(name):
                path = self.write(name, content)
                self.bad(1, "measure", path, says=path + ": ")

    def test_mutated_clips_do_not_crash_the_command(self):
        """Assimp itself crashes on some of them."""
        generator = np.random.default_rng(3)
        for name in "Collada/box_nested_animation.dae", "FBX/huesitos.fbx", "X/anim_test.x":
            with open(model(name), "rb") as file:
                original = file.read()
            for _ in range(15):
                content = bytearray(original)
                for _ in range(generator.integers(1, 30)):
                    content[generator.integers(0, len(content))] = generator.integers(0, 256)
                path = self.write("mutant" + os.path.splitext(name)[1], content)
                result = run("measure", "--no-speed", "-f", "half4", path)
                self.assertIn(result.returncode, (0, 1))
                self.assertEqual(bool(result.stderr), result.returncode == 1)


def walk(frames, bodies, seed=1, turn=0.01):
    """Rotations that turn a little from frame to frame: (frames, bodies, 4) in float32."""
    generator = np.random.default_rng(seed)
    q = np.empty((frames, bodies, 4))
    q[0] = rotations(bodies, seed=seed, dtype=float)
    for f in range(1, frames):
        v, u, w = turn * generator.normal(size=(bodies, 3)), q[f - 1, :, :3], q[f - 1, :, 3:]
        q[f] = np.concatenate((w * v + u + np.cross(v, u), w - (u * v).sum(-1, keepdims=True)), -1)
        q[f] /= np.linalg.norm(q[f], axis=-1, keepdims=True)
    return q.astype(np.float32)


def gltf_of_tracks(animations):
    """A .gltf text of animations {name: [(times, keys)]}; track i turns node i."""
    content, views, accessors, entries = b"", [], [], []
    for name, tracks in animations.items():
        samplers = []
        for times, keys in tracks:
            for array, kind in (np.asarray(times, "<f4"), "SCALAR"), (np.asarray(keys, "<f4"), "VEC4"):
                views.append({"buffer": 0, "byteOffset": len(content), "byteLength": array.nbytes})
                accessors.append(
                    {"bufferView": len(views) - 1, "componentType": 5126, "count": len(array), "type": kind}
                )
                if kind == "SCALAR":
                    accessors[-1].update(min=[float(array.min())], max=[float(array.max())])
                content += array.tobytes()
            samplers.append({"input": len(views) - 2, "output": len(views) - 1})
        channels = [{"sampler": i, "target": {"node": i, "path": "rotation"}} for i in range(len(tracks))]
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


class Stream(Directory):
    def stream(self, *arguments):
        return json.loads(self.good("stream", "--no-speed", "--json", *arguments).stdout)

    def check(self, report):
        """What holds of every report."""
        total = report["all"]
        for entry in [*report["streams"], total]:
            self.assertAlmostEqual(entry["bits_per_rotation"], 8 * entry["bytes"] / entry["rotations"])
            if entry["worst_error_degrees"] is not None:
                self.assertLessEqual(entry["worst_error_degrees"], report["bound_degrees"])
                self.assertLessEqual(entry["mean_error_degrees"], entry["worst_error_degrees"])
        for key in "bytes", "frames", "rotations", "key_frames", "invalid":
            self.assertEqual(total[key], sum(entry[key] for entry in report["streams"]))
        for entry in report["streams"]:
            self.assertEqual(entry["rotations"], entry["frames"] * entry["bodies"])
            every = report["key"] or entry["frames"]
            if report["predict"] != "none":
                self.assertEqual(entry["key_frames"], -(-entry["frames"] // every))
        return report

    def test_arrays(self):
        q = walk(200, 6)
        for shape, bodies in ((200, 6, 4), 6), ((200, 2, 3, 4), 6), ((1200, 4), 1), ((2, 600, 4), 600):
            with self.subTest(shape=shape):
                report = self.check(self.stream(self.save("in.npy", q.reshape(shape))))
                (entry,) = report["streams"]
                self.assertEqual((entry["bodies"], entry["frames"]), (bodies, shape[0]))
                self.assertEqual((entry["file"], entry["animation"]), (self.path("in.npy"), ""))
                self.assertEqual((report["bound_degrees"], report["map"]), (0.25, "cayley"))
                self.assertEqual((report["predict"], report["key"]), ("both", 0))
        doubles = self.stream(self.save("in.npy", q.astype(">f8")))
        self.assertEqual(doubles, self.stream(self.save("in.npy", q)))

    def test_bounds(self):
        source, last = self.save("in.npy", walk(300, 8)), 0
        for bound in 57, 10, 1, 0.25, 0.05, 0.01, 0.001, 0.000573:
            for options in [], ["--exponential"]:
                with self.subTest(bound=bound, options=options):
                    report = self.check(self.stream("--bound", bound, *options, source))
                    self.assertEqual(report["bound_degrees"], bound)
                    self.assertEqual(report["map"], "exponential" if options else "cayley")
                    self.assertGreater(report["all"]["worst_error_degrees"], bound / 4 if bound < 10 else 0)
            self.assertGreater(report["all"]["bytes"], last)
            last = report["all"]["bytes"]

    def test_predictors(self):
        turn = np.arange(400)[:, None] * np.array([0.05, 0.03, 0.08, 0.01])  # half angles: each at its speed
        q = np.zeros((400, 4, 4))
        q[..., 2], q[..., 3] = np.sin(turn), np.cos(turn)
        source = self.save("in.npy", q)
        size = {p: self.check(self.stream("-p", p, source))["all"]["bytes"] for p in ("both", "last", "free", "none")}
        self.assertLess(size["free"], 0.75 * size["last"])  # nothing forces these bodies
        self.assertLess(size["both"], 1.1 * size["free"])
        self.assertLess(size["last"], size["none"])
        report = self.stream("--predict", "none", source)
        self.assertEqual(report["all"]["key_frames"], 400)

    def test_key_frames(self):
        source, last = self.save("in.npy", walk(100, 5)), 0
        for key, expected in (0, 1), (1000, 1), (100, 1), (50, 2), (33, 4), (1, 100):
            report = self.check(self.stream("--key", key, source))
            self.assertEqual(report["all"]["key_frames"], expected)
            self.assertGreaterEqual(report["all"]["bytes"], last)
            last = report["all"]["bytes"]

    def test_standing_still_costs_little(self):
        q = np.tile(rotations(40), (500, 1, 1))
        q[1::2] *= -1  # the same rotations
        report = self.check(self.stream(self.save("in.npy", q)))
        self.assertLess(report["all"]["bits_per_rotation"], 3)

    def test_invalid_rotations(self):
        q = walk(100, 3)
        q[0, 1], q[5, 0, 2], q[6, 0], q[99, 2, 3], q[50] = np.nan, np.inf, 0, 1e30, np.nan
        source = self.save("in.npy", q)
        report = self.check(self.stream(source))
        self.assertEqual(report["streams"][0]["invalid"], 7)
        self.assertIn("7 invalid rotations passed over", self.good("stream", source).stdout)
        report = self.check(self.stream(self.save("none.npy", np.full((9, 4), np.nan, np.float32))))
        self.assertEqual(report["all"]["worst_error_degrees"], None)
        self.assertEqual(report["all"]["invalid"], 9)

    def test_bytes_are_those_of_every_kernel(self):
        source = self.save("in.npy", walk(100, 21))
        reports = []
        for isa in "scalar", "sse2", "avx2", "avx512", "neon":
            environment = dict(os.environ, QUATSIMD_ISA=isa)
            result = self.good("stream", "--no-speed", "--json", source, env=environment)
            reports.append(json.loads(result.stdout))
            del reports[-1]["kernels"]
            self.assertEqual(reports[-1], reports[0])

    def test_table_lines_up(self):
        a, b = self.save("a.npy", walk(2000, 10)), self.save("b.npy", walk(3, 1))
        for options in [], ["--no-speed"], ["--key", "10"]:
            with self.subTest(options):
                lines = self.good("stream", *options, a, b).stdout.splitlines()
                rule = next(i for i, line in enumerate(lines) if line.startswith("-----"))
                self.assertIn("bound 0.25 degrees, Cayley map, predictors: both", lines[1])
                column = lines[rule - 1].index("clip")
                self.assertEqual([line[column:] for line in lines[rule + 1 :]], [a, b, "all 2 streams"])
                words = lines[rule - 1].split()
                self.assertEqual(words[:4], ["bodies", "frames", "bytes", "rotation"])
                for line in lines[rule + 1 :]:
                    self.assertEqual(line[column - 2 : column], "  ")
                    self.assertEqual(len(line[:column].split()), len(words) - 1)
                    for word in "bodies", "frames", "bytes":
                        end = lines[rule - 1].index(word) + len(word)
                        self.assertRegex(line[end - 1 : end + 1], r"[0-9-] ")
        for name in "encode", "decode":
            self.assertEqual(name in lines[rule - 2], True)

    def test_speed(self):
        report = json.loads(self.good("stream", "--json", self.save("in.npy", walk(100, 3))).stdout)
        for entry in [*report["streams"], report["all"]]:
            for way in "encode", "decode":
                self.assertGreater(entry[way + "_nanoseconds_per_rotation"], 0)
                self.assertLess(entry[way + "_nanoseconds_per_rotation"], 1e6)

    def test_bad_arrays(self):
        for array, says in (
            (rotations(1), "the array's shape is (1, 4); a motion is (frames, 4) or (frames, bodies, 4)"),
            (rotations(), "the array's shape is (4,)"),
            (rotations(1, 5), "the array's shape is (1, 5, 4)"),
            (np.zeros((0, 4), np.float32), "the array is empty"),
            (np.zeros((5, 0, 4), np.float32), "the array is empty"),
            (np.zeros((5, 3), np.float32), "rotations are (..., 4)"),
            (np.zeros((5, 4), np.int32), "dtype is '<i4'"),
        ):
            with self.subTest(says):
                path = self.save("bad.npy", array)
                self.assertEqual(self.bad(1, "stream", path, says=[path + ": ", says]).stdout, "")

    def test_bad_files(self):
        good = self.save("good.npy", walk(5, 2))
        with open(good, "rb") as file:
            content = file.read()
        cut, empty = self.write("cut.npy", content[:-1]), self.write("empty.npy", b"")
        result = self.bad(
            1,
            "stream",
            self.path("none.npy"),
            cut,
            good,
            empty,
            self.directory,
            says=[
                self.path("none.npy") + ": cannot open: No such file",
                cut + ": the file holds",
                empty + ": ",
                self.directory + ": is a directory",
            ],
        )
        self.assertEqual(result.stderr.count("\n"), 4)  # every bad one is named, and the good one is sent
        self.assertIn("10 rotations in 1 stream;", result.stdout)
        splats = self.write("scene.splat", bytes(64))
        self.bad(1, "stream", splats, says=splats + ": is a scene of splats, and they do not move")

    def test_full_device(self):
        source = self.save("in.npy", walk(5, 2))
        for options in [], ["--json"]:
            with open("/dev/full", "w") as full:
                self.bad(1, "stream", *options, source, says="standard output: cannot write", stdout=full)

    def test_through_a_pipe(self):
        with open(self.save("in.npy", walk(50, 2)), "rb") as file:
            result = self.good("stream", "--no-speed", "--json", "/dev/stdin", stdin=file)
        self.assertEqual(json.loads(result.stdout)["all"]["rotations"], 100)

    def test_tracks_of_equal_times_are_one_stream(self):
        need_assimp()
        q = walk(9, 6)
        even, odd = np.arange(9) / 30, np.arange(9) / 25
        tracks = [(even, q[:, 0]), (odd, q[:, 1]), (even, q[:, 2]), (even[:5], q[:5, 3]), (even, q[:, 4])]
        tracks.append(([0], q[:1, 5]))
        path = self.write("clip.gltf", gltf_of_tracks({"walk": tracks, "nod": tracks[3:5], "stand": tracks[5:]}))
        report = self.check(self.stream(path))
        self.assertEqual(report["tracks_left_out"], 2)
        found = sorted((entry["animation"], entry["frames"], entry["bodies"]) for entry in report["streams"])
        self.assertEqual(found, [("nod", 5, 1), ("nod", 9, 1), ("walk", 5, 1), ("walk", 9, 1), ("walk", 9, 3)])
        self.assertIn("2 tracks of one key left out", self.good("stream", path).stdout)
        # the same bytes as those of an array with the same bodies
        one = next(entry for entry in report["streams"] if entry["bodies"] == 3)
        array = self.stream(self.save("in.npy", q[:, [0, 2, 4]]))["streams"][0]
        for key in "bytes", "worst_error_degrees", "mean_error_degrees":
            self.assertAlmostEqual(one[key], array[key])

    def test_bad_clips(self):
        need_assimp()
        path = self.write("still.gltf", gltf_of(["walk"], ["a", "b"]))
        self.bad(1, "stream", path, says=path + ": no track has more than one key: nothing moves in this file")
        for name, content in ("text.txt", b"hello\n"), ("cut.bvh", b"HIERARCHY\nROOT a\n{\n"):
            path = self.write(name, content)
            self.assertEqual(self.bad(1, "stream", path, says=path + ": ").stdout, "")

    def test_cmu(self):
        need_assimp()
        for options in [], ["--exponential"]:
            report = self.check(self.stream("--bound", 0.25, *options, model("BVH/01_01.bvh")))
            (entry,) = report["streams"]
            self.assertEqual((entry["bodies"], entry["frames"], entry["key_frames"]), (31, 2752, 1))
            self.assertEqual(entry["animation"], "Motion")
            self.assertLessEqual(entry["bits_per_rotation"], 7)
            self.assertLessEqual(entry["worst_error_degrees"], 0.25)

    def test_knight(self):
        need_assimp()
        for bound in 0.25, 0.01:
            report = self.check(self.stream("--bound", bound, data("kaykit/Knight.glb")))
            self.assertEqual(report["all"]["rotations"] + report["tracks_left_out"], 59079)
            self.assertLessEqual(report["all"]["worst_error_degrees"], bound)

    def test_imu(self):
        path = data("imu/broad_07_optical_xyzw.npy")
        invalid = int((~np.isfinite(np.load(path)).all(axis=1)).sum())
        for bound in 0.25, 0.01:
            report = self.check(self.stream("--bound", bound, path))
            (entry,) = report["streams"]
            self.assertEqual((entry["bodies"], entry["frames"], entry["invalid"]), (1, 50000, invalid))
            self.assertGreater(invalid, 0)
            self.assertLessEqual(entry["worst_error_degrees"], bound)

    def test_table_of_the_docs(self):
        need_assimp()
        docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
        clips = [model("BVH/01_01.bvh"), data("kaykit/Knight.glb"), data("imu/broad_07_optical_xyzw.npy")]
        result = subprocess.run(
            [sys.executable, docs + "/relative_table.py", "--check", docs + "/relative.md", TOOL, *clips],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.assertEqual(result.returncode, 0, result.stdout)


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
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(content), b"BIN\0") + content
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def turns(keys, seed=1):
    return walk(keys, 1, seed=seed, turn=0.2)[:, 0]


def moves(keys, seed=1):
    return np.random.default_rng(seed).normal(size=(keys, 3)).astype(np.float32)


class Scenes(Directory):
    """What the command reads from animations. QUATSIMD_PRINT_SCENE names the program that prints it."""

    def setUp(self):
        if not os.path.exists(os.environ.get("QUATSIMD_PRINT_SCENE", "")):
            raise unittest.SkipTest("QUATSIMD_PRINT_SCENE is not set")
        super().setUp()

    def scene(self, path, *options, says=()):
        result = subprocess.run(
            [os.environ["QUATSIMD_PRINT_SCENE"], path, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.stderr)
        self.assertEqual(result.stderr.count("\n"), len([says] if isinstance(says, str) else says[:1]))
        if not result.stdout:
            self.assertEqual(result.returncode, 1)
            return None
        return json.loads(result.stdout)

    def curves(self, scene, animation):
        """{(node's name, path): (times, values, step)}; no node may have two channels."""
        curves = {}
        for channel in scene["animations"][animation]["channels"]:
            name = scene["nodes"][channel["node"]]["name"]
            self.assertEqual(name, channel["name"])
            for path in "rotation", "translation", "scale":
                if path in channel and not channel[path]["made_up"]:
                    curve = channel[path]
                    values = np.array(curve["values"], np.float32).reshape(len(curve["times"]), -1)
                    self.assertNotIn((name, path), curves)
                    curves[name, path] = np.array(curve["times"]), values, curve["step"]
        return curves

    def check_curve(self, curve, times, values, step=False):
        np.testing.assert_array_equal(curve[0], np.asarray(times, "<f4").astype(float))
        np.testing.assert_array_equal(curve[1], np.asarray(values, "<f4"))
        self.assertEqual(curve[2], step)

    def check_hierarchy(self, scene):
        for i, node in enumerate(scene["nodes"]):
            self.assertLess(node["parent"], i)
        moved = {channel["node"] for animation in scene["animations"] for channel in animation["channels"]}
        for node in list(moved):
            while node >= 0:
                moved.add(node)
                node = scene["nodes"][node]["parent"]
        numbers = [joint["node"] for joint in scene["joints"]]
        self.assertEqual(numbers, sorted(moved))
        for joint in scene["joints"]:
            parent = scene["nodes"][joint["node"]]["parent"]
            self.assertEqual(joint["parent"], -1 if parent < 0 else numbers.index(parent))

    def test_files_as_stored(self):
        for name, curves, steps in (
            ("kaykit/Knight.glb", 8712, 0),
            ("khronos/Fox.glb", 63, 0),
            ("khronos/cesium_man.gltf", 57, 0),
            ("khronos/box_animated.gltf", 2, 0),
            ("mesh2motion/bird-animations.glb", 825, 751),
            ("mesh2motion/dragon-animations.glb", 1500, 1151),
            ("mesh2motion/fox-animations.glb", 2058, 1714),
            ("mesh2motion/horse-animations.glb", 2352, 1313),
            ("raylib/robot.glb", 1806, 0),
        ):
            with self.subTest(name):
                path = data(name)
                scene, files = self.scene(path), read_gltf_curves(path)
                self.assertEqual([a["name"] for a in scene["animations"]], [name for name, _ in files])
                self.assertEqual(sum(len(found) for _, found in files), curves)
                self.assertEqual(sum(step for _, found in files for _, _, step in found.values()), steps)
                self.check_hierarchy(scene)
                for a, (_, expected) in enumerate(files):
                    found = self.curves(scene, a)
                    self.assertEqual(found.keys(), expected.keys())
                    for key, (times, values, step) in expected.items():
                        self.check_curve(found[key], times, values, step)

    def test_hand_made(self):
        nodes = [
            {"name": "root", "children": [5, 1]},
            {"name": "arm", "rotation": [0, 0.6, 0, 0.8], "translation": [1, 2, 3], "scale": [2, 2, 2]},
            {"name": "still", "children": [3]},
            {"name": "still too"},
            {"children": [2]},
            {"name": "hip", "children": [6, 4]},
            {"name": "leg"},
        ]
        steps, lines = turns(2), turns(4, seed=2)
        walking = [
            (1, "rotation", [0.5, 2.5], steps, "STEP"),
            (6, "rotation", [0, 0.1, 0.2, 1 / 3], lines, None),
            (6, "translation", [0.1, 0.7, 7.1], moves(3), "LINEAR"),
            (4, "scale", [3], moves(1), "STEP"),
        ]
        tree, content = gltf_tree(nodes, {"walk": walking, "rest": walking[:1]})
        for name, file in ("hand.gltf", gltf_text(tree, content)), ("hand.glb", glb_of(tree, content)):
            with self.subTest(name):
                scene = self.scene(self.write(name, file))
                names = ["root", "hip", "leg", "nodes[4]", "still", "still too", "arm"]
                self.assertEqual([node["name"] for node in scene["nodes"]], names)
                self.assertEqual([node["parent"] for node in scene["nodes"]], [-1, 0, 1, 1, 3, 4, 0])
                self.check_hierarchy(scene)
                self.assertEqual([joint["node"] for joint in scene["joints"]], [0, 1, 2, 3, 6])
                arm = scene["nodes"][6]
                np.testing.assert_array_equal(np.float32(arm["rotation"]), np.float32([0, 0.6, 0, 0.8]))
                self.assertEqual((arm["translation"], arm["scale"]), ([1, 2, 3], [2, 2, 2]))
                leg = scene["nodes"][2]
                self.assertEqual((leg["rotation"], leg["scale"]), ([0, 0, 0, 1], [1, 1, 1]))
                found = self.curves(scene, 0)
                self.assertEqual(len(found), 4)
                self.check_curve(found["arm", "rotation"], [0.5, 2.5], steps, True)
                self.check_curve(found["leg", "rotation"], [0, 0.1, 0.2, 1 / 3], lines)
                self.check_curve(found["leg", "translation"], [0.1, 0.7, 7.1], moves(3))
                self.check_curve(found["nodes[4]", "scale"], [3], moves(1), True)
                self.assertEqual(list(self.curves(scene, 1)), [("arm", "rotation")])

    def test_matrix(self):
        q = rotations(1)[0].astype(float)
        x, y, z, w = q / np.linalg.norm(q)
        r = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        for scale in [2, 3, 4], [-2, -3, -4]:
            m = np.eye(4)
            m[:3, :3], m[:3, 3] = r * scale, [5, 6, 7]
            nodes = [{"name": "root", "children": [1], "matrix": list(m.T.reshape(-1))}, {"name": "a"}]
            tree, content = gltf_tree(nodes, {"walk": [(1, "rotation", [0, 1], turns(2), None)]})
            root = self.scene(self.write("matrix.gltf", gltf_text(tree, content)))["nodes"][0]
            np.testing.assert_allclose(root["scale"], scale, rtol=1e-6)
            np.testing.assert_allclose(root["translation"], [5, 6, 7], rtol=1e-6)
            self.assertLess(degrees_between(np.array(root["rotation"]), q), 1e-4)

    def test_nodes_of_one_name(self):
        nodes = [{"name": "root", "children": [3, 2, 1]}] + [{"name": "twin"}] * 3
        curves = [(n, "rotation", [0, n], turns(2, seed=n), ["STEP", None][n % 2]) for n in (1, 3, 2)]
        tree, content = gltf_tree(nodes, {"walk": curves})
        scene = self.scene(self.write("twins.gltf", gltf_text(tree, content)))
        self.check_hierarchy(scene)
        for channel, n, place in zip(scene["animations"][0]["channels"], (1, 3, 2), (3, 1, 2)):
            self.assertEqual(channel["node"], place)
            self.assertEqual(channel["rotation"]["times"], [0, n])
            self.assertEqual(channel["rotation"]["step"], n == 2)

    def test_integers(self):
        for dtype, largest in ("<i1", 127), ("|u1", 255), ("<i2", 32767), ("<u2", 65535):
            with self.subTest(dtype):
                info = np.iinfo(dtype)
                keys = np.array([[info.min, info.max, 1, 0], [5, info.min + 1, 0, info.max - 1]], dtype)
                keys[1, 2] = -1 if info.min < 0 else info.max // 2
                tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], keys, None)]})
                if keys.itemsize == 1:  # as padded structs have them
                    tree["bufferViews"][-1].update(byteStride=4)
                scene = self.scene(self.write("integers.gltf", gltf_text(tree, content)))
                found = self.curves(scene, 0)["a", "rotation"][1]
                np.testing.assert_array_equal(found, np.maximum(keys.astype(np.float32) / largest, -1).astype("<f4"))

    def test_strides_and_buffers_beside(self):
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        padded = content[:8] + b"".join(bytes(4) + content[8 + 16 * i :][:16] + bytes(4) for i in range(2))
        tree["bufferViews"][1].update(byteStride=24, byteLength=48)
        tree["accessors"][1]["byteOffset"] = 4
        tree["buffers"] = [{"byteLength": len(padded), "uri": "my%20keys.bin"}]
        path = self.write("beside.gltf", json.dumps(tree).encode())
        self.assertIn("my keys.bin: No such file", self.bad(1, "clip", path, says="cannot open").stderr)
        self.write("my keys.bin", padded)
        self.check_curve(self.curves(self.scene(path), 0)["a", "rotation"], [0, 1], turns(2))
        self.write("my keys.bin", padded[:-9])
        self.scene(path, says="bufferView 1 goes beyond the 47 bytes of its buffer")

    def test_cubic_splines_are_refused(self):
        splines = (1, "rotation", [0, 1], np.repeat(turns(2), 3, axis=0), "CUBICSPLINE")
        tree, content = gltf_tree(
            [{"name": "hip", "children": [1]}, {"name": "knee"}],
            {
                "fly": [(0, "translation", [0, 1], moves(2), None), splines],
                "walk": [(0, "rotation", [0, 1], turns(2), None)],
            },
        )
        path = self.write("cubic.gltf", gltf_text(tree, content))
        scene = self.scene(path, says=path + ": animation 0, fly: knee: rotation: its keys are CUBICSPLINE")
        self.assertEqual([(a["name"], a["number"]) for a in scene["animations"]], [("walk", 1)])
        self.assertEqual((scene["unread"], len(scene["joints"])), (1, 1))

    def test_what_moves_no_node_is_left_out(self):
        tree, content = gltf_tree(
            [{"name": "a"}],
            {"walk": [(0, "rotation", [0, 1], turns(2), None), (0, "translation", [0, 1], moves(2), None)]},
        )
        target = tree["animations"][0]["channels"][1]["target"]
        for path in {"path": "translation"}, {"path": "pointer"}, {"path": "weights", "node": 0}:
            with self.subTest(path):
                target.clear()
                target.update(path)
                scene = self.scene(self.write("some.gltf", gltf_text(tree, content)))
                self.assertEqual(list(self.curves(scene, 0)), [("a", "rotation")])

    def test_broken_gltf(self):
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        curve = (1, "rotation", [0, 1], turns(2), None)
        whole, content = gltf_tree(nodes, {"bad": [curve], "good": [(0, "rotation", [0], turns(1), None)]})
        for where, value, says in (
            (["animations", 0, "channels", 0, "sampler"], 1, "b: rotation: its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], -1, "its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], 0.5, "its channel has no sampler"),
            (["animations", 0, "channels", 0, "sampler"], "0", "its channel has no sampler"),
            (["animations", 0, "channels", 0, "target", "node"], 2, "a channel's node is not in the file"),
            (["animations", 0, "channels", 0, "target", "node"], 1e300, "a channel's node is not in the file"),
            (["animations", 0, "channels", 0, "target", "path"], "turn", "a channel moves something unknown"),
            (["animations", 0, "channels", 0, "target", "path"], None, "a channel moves something unknown"),
            (["animations", 0, "channels", 0, "target", "path"], "scale", "accessor 1: is not VEC3"),
            (["animations", 0, "channels"], 5, "it has no channels"),
            (["animations", 0, "channels"], whole["animations"][0]["channels"] * 2, "two channels of the animation"),
            (["animations", 0, "samplers"], {}, "its channel has no sampler"),
            (["animations", 0, "samplers", 0, "input"], 4, "its sampler has no accessor"),
            (["animations", 0, "samplers", 0, "output"], None, "its sampler has no accessor"),
            (["animations", 0, "samplers", 0, "output"], 0, "accessor 0: is not VEC4"),
            (["animations", 0, "samplers", 0, "interpolation"], "SPLINE", "its interpolation is unknown"),
            (["animations", 0, "samplers", 0, "interpolation"], 3, "its interpolation is unknown"),
            (["accessors", 1, "count"], 1, "it has 2 times for 1 keys"),
            (["accessors", 1, "count"], 0, "accessor 1: has no elements"),
            (["accessors", 1, "count"], 3, "accessor 1: goes beyond the 32 bytes of its bufferView"),
            (["accessors", 1, "count"], 1e15, "accessor 1: goes beyond"),
            (["accessors", 1, "count"], 2**53, "accessor 1: has no elements"),
            (["accessors", 1, "byteOffset"], 1, "accessor 1: goes beyond"),
            (["accessors", 1, "byteOffset"], 2**52, "accessor 1: goes beyond"),
            (["accessors", 1, "byteOffset"], -1, "accessor 1: is not in a bufferView"),
            (["accessors", 1, "bufferView"], 99, "accessor 1: is not in a bufferView"),
            (["accessors", 1, "bufferView"], None, "accessor 1: is not in a bufferView"),
            (["accessors", 1, "componentType"], 5125, "accessor 1: its componentType is not one of animations"),
            (["accessors", 1, "componentType"], 5122, "accessor 1: has integers that are not normalized"),
            (["accessors", 1, "sparse"], {"count": 1}, "accessor 1: is sparse"),
            (["accessors", 1], 7, "accessor 1: has no elements"),
            (["bufferViews", 1, "buffer"], 1, "bufferView 1 is broken"),
            (["bufferViews", 1, "byteStride"], 8, "elements of bufferView 1 overlap"),
            (["bufferViews", 1, "byteStride"], 17, "accessor 1: goes beyond"),
            (["bufferViews", 1, "byteLength"], 10**9, "bufferView 1 goes beyond the"),
            (["bufferViews", 1, "byteOffset"], 2**52, "bufferView 1 goes beyond the"),
            (
                ["bufferViews", 1, "extensions"],
                {"EXT_meshopt_compression": {}},
                "accessor 1: is packed with EXT_meshopt_compression, which is not read",
            ),
        ):
            with self.subTest(where=where, value=value):
                tree = json.loads(json.dumps(whole))
                place = tree
                for key in where[:-1]:
                    place = place[key]
                place[where[-1]] = value
                path = self.write("broken.gltf", gltf_text(tree, content))
                scene = self.scene(path, says=[path + ": animation 0, bad: ", says])
                self.assertEqual((scene["unread"], [a["name"] for a in scene["animations"]]), (1, ["good"]))

    def test_broken_files(self):
        nodes = [{"name": "a", "children": [1]}, {"name": "b"}]
        tree, content = gltf_tree(nodes, {"walk": [(1, "rotation", [0, 1], turns(2), None)]})
        text, glb = gltf_text(tree, content), glb_of(tree, content)
        chunk = 20 + struct.unpack_from("<I", glb, 12)[0]

        def but(**changes):
            return json.dumps(dict(json.loads(text), **changes)).encode()

        for name, file, says in (
            ("empty.gltf", b"", "is not JSON: broken at byte 0"),
            ("cut.gltf", text[:-1], "is not JSON: broken at byte"),
            ("more.gltf", text + b"}", "is not JSON: broken at byte %d" % len(text)),
            ("deep.gltf", b"[" * 10**6, "is not JSON"),
            *(("number.gltf", text[:1] + b'"x": %s, ' % number + text[1:], "is not JSON: broken at byte ")
              for number in (b"00", b"-01", b"1.", b"1.e5", b"1e", b"1e+", b"+1", b"1-2")),
            ("escape.gltf", text.replace(b'"a"', b'"\\u12g4"'), "is not JSON: broken at byte %d" % (text.index(b'"a"') + 1)),
            ("array.gltf", b"[]", "there is no asset.version"),
            ("none.gltf", but(asset={}), "there is no asset.version"),
            ("old.gltf", but(asset={"version": "1.0"}), "is glTF 1.0, and only glTF 2.0 is read"),
            ("old.glb", glb[:4] + struct.pack("<I", 1) + glb[8:], "is glTF 1, and only glTF 2.0 is read"),
            ("head.glb", glb[:19], "the file is cut off"),
            ("cut.glb", glb[:-1], "the file is cut off"),
            ("cut2.glb", glb[: chunk - 1], "the file is cut off"),
            ("kind.glb", glb[:16] + b"BIN\0" + glb[20:], "does not begin with a chunk of JSON"),
            ("still.gltf", but(animations=[]), "nothing moves in this file"),
            ("still2.gltf", but(animations=7), "nothing moves in this file"),
            ("loop.gltf", but(nodes=[{"children": [1]}, {"children": [0]}]), "nodes are children of themselves"),
            ("self.gltf", but(nodes=[{"children": [0]}, {}]), "nodes are children of themselves"),
            ("child.gltf", but(nodes=[{"children": [2]}, {}]), "node 0 has a child that is not in the file"),
            ("child2.gltf", but(nodes=[{"children": ["x"]}, {}]), "node 0 has a child that is not in the file"),
            ("two.gltf", but(nodes=[{"children": [1, 1]}, {}]), "node 1 is a child of two nodes"),
            ("short.gltf", but(nodes=[{"rotation": [1]}, {}]), "node 0: its transform is broken"),
            ("words.gltf", but(nodes=[{}, {"scale": [1, "x", 1]}]), "node 1: its transform is broken"),
            ("matrix.gltf", but(nodes=[{"matrix": [1] * 15}, {}]), "node 0: its transform is broken"),
        ):
            with self.subTest(name):
                path = self.write(name, file)
                self.assertIsNone(self.scene(path, says=[path + ": ", says]))
        for name, file, says in (
            ("none.glb", glb[:chunk], "buffer 0 is not in the file"),
            ("nouri.gltf", but(buffers=[{}]), "buffer 0 is not in the file"),
            ("text.gltf", but(buffers=[{"uri": "data:text/plain,AAAA"}]), "buffer 0 is not base64"),
            ("base.gltf", but(buffers=[{"uri": "data:x;base64,AA!A"}]), "buffer 0 is not base64"),
            ("device.gltf", but(buffers=[{"uri": "/dev/zero"}]), "/dev/zero is not a regular file"),
        ):
            with self.subTest(name):
                path = self.write(name, file)
                scene = self.scene(path, says=[path + ": animation 0, walk: b: rotation: accessor 0: ", says])
                self.assertEqual((scene["unread"], scene["joints"]), (1, []))

    def test_a_deep_hierarchy(self):
        deep = 100000
        nodes = [{"children": [n + 1]} for n in range(deep)] + [{"name": "end"}]
        tree, content = gltf_tree(nodes, {"walk": [(deep, "rotation", [0, 1], turns(2), None)]})
        scene = self.scene(self.write("deep.gltf", gltf_text(tree, content)))
        self.assertEqual([joint["parent"] for joint in scene["joints"]], list(range(-1, deep)))

    def test_mutated_gltf_does_not_crash(self):
        generator = np.random.default_rng(5)
        tree, content = gltf_tree(
            [{"name": "a", "children": [1]}, {"name": "b", "scale": [1, 2, 3]}],
            {"walk": [(1, "rotation", [0, 1], turns(2), "STEP"), (0, "scale", [0, 1, 2], moves(3), None)]},
        )
        for original, suffix in (gltf_text(tree, content), "gltf"), (glb_of(tree, content), "glb"):
            for _ in range(150):
                file = bytearray(original)
                for _ in range(generator.integers(1, 6)):
                    at = generator.integers(0, len(file))
                    file[at] = generator.choice(np.frombuffer(b"0123456789-[]{},.e\0\xff", np.uint8))
                result = subprocess.run(
                    [os.environ["QUATSIMD_PRINT_SCENE"], self.write("mutant." + suffix, file)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
                self.assertEqual(result.returncode, 0 if result.stdout else 1)

    def test_bvh(self):
        need_assimp()
        path = model("BVH/01_01.bvh")
        scene = self.scene(path)
        self.check_hierarchy(scene)
        found, expected = self.curves(scene, 0), read_bvh(path)
        self.assertEqual(len(scene["joints"]), len(expected))
        paths = {(name, "rotation") for name, _ in expected} | {(expected[0][0], "translation")}
        self.assertEqual(found.keys(), paths)  # offsets are the skeleton's
        for name, q in expected:
            times, values, step = found[name, "rotation"]
            self.assertFalse(step)
            np.testing.assert_allclose(times, np.arange(len(q)) * float(np.float32(0.0083333)), rtol=1e-6)
            self.assertLess(degrees_between(values, q).max(), 1e-3)

    def test_bvh_of_equal_names(self):
        need_assimp()
        joint = "JOINT toe\n{\nOFFSET %d 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n%s}\n"
        end = "End Site\n{\nOFFSET 1 0 0\n}\n"
        text = (
            "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            + joint % (1, joint % (2, end))
            + joint % (3, end)
            + "}\nMOTION\nFrames: 2\nFrame Time: 0.5\n"
            + "0 0 0 0 0 0 10 0 0 20 0 0 30 0 0\n" * 2
        )
        scene = self.scene(self.write("toes.bvh", text.encode()))
        toes = [n for n, node in enumerate(scene["nodes"]) if node["name"] == "toe"]
        self.assertEqual(len(toes), 3)
        for channel in scene["animations"][0]["channels"]:
            if channel["name"] == "toe":
                turn = 10 * (1 + toes.index(channel["node"]))
                values = np.array(channel["rotation"]["values"]).reshape(2, 4)
                np.testing.assert_allclose(np.degrees(2 * np.arcsin(values[:, 2])), turn, rtol=1e-5)
        self.assertEqual([joint["parent"] for joint in scene["joints"]], [-1, 0, 1, 0])


class Clip(Directory):
    """The command clip. Times and keys are checked in Scenes."""

    def report(self, *arguments, status=0):
        result = run("clip", "--time", "0", "--json", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def check(self, report):
        bounds = {
            "worst_rotation_error_degrees": report["rotation_bound_degrees"],
            "worst_translation_error": report["translation_bound"],
            "worst_scale_error": report["scale_bound"],
            "worst_object_error": report["object_bound"],
        }
        for entry in [*report["animations"], report["all"]]:
            keys = entry["keys"]
            number = sum(keys.values())
            self.assertEqual(entry["raw_bytes"], 16 * keys["rotation"] + 12 * (keys["translation"] + keys["scale"]))
            self.assertAlmostEqual(entry["bits_per_key"], 8 * entry["bytes"] / number)
            self.assertAlmostEqual(entry["times_smaller"], entry["raw_bytes"] / entry["bytes"])
            self.assertGreater(entry["encode_keys_per_second"], 0)
            for error, bound in bounds.items():
                kind = error.split("_")[1]
                if keys.get(kind, bound) and bound:
                    self.assertLessEqual(entry[error], bound * (1 + 1e-6))
                elif not keys.get(kind, bound):
                    self.assertIsNone(entry[error])
        for name in "bytes", "raw_bytes", "frames":
            self.assertEqual(report["all"][name], sum(entry[name] for entry in report["animations"]))
        for kind in "rotation", "translation", "scale":
            self.assertEqual(
                report["all"]["keys"][kind], sum(entry["keys"][kind] for entry in report["animations"])
            )
        for error in bounds:
            worst = [entry[error] for entry in report["animations"] if entry[error] is not None]
            self.assertEqual(report["all"][error], max(worst, default=None))
        return report

    def hero(self, name="hero.gltf", **changes):
        """A file of two animations, walk and wave; `changes` go into the curves of walk: path=(times, values)."""
        nodes = [
            {"name": "hip", "children": [1, 2]},
            {"name": "arm", "translation": [0, 5, 0]},
            {"name": "leg", "translation": [0, -5, 0], "rotation": [1, 0, 0, 0]},
        ]
        times = np.arange(31) / 30
        curves = {
            "hip": (0, "translation", times, walk(31, 1, turn=0.02)[:, 0, :3] * 3, None),
            "arm": (1, "rotation", times, walk(31, 1, seed=2, turn=0.1)[:, 0], "LINEAR"),
            "leg": (2, "rotation", [0, 0.5], turns(2), "STEP"),
            "size": (0, "scale", [0, 1], [[1.0, 1, 1], [1, 2, 1]], None),
        }
        for key, (times, values) in changes.items():
            curves[key] = (*curves[key][:2], times, values, curves[key][4])
        wave = [(1, "rotation", [0, 0.25, 0.5], turns(3, seed=9), None)]
        return self.write(name, gltf_text(*gltf_tree(nodes, {"walk": list(curves.values()), "wave": wave})))

    def test_report(self):
        report = self.check(self.report(self.hero()))
        walking, waving = report["animations"]
        self.assertEqual((walking["animation"], waving["animation"]), ("walk", "wave"))
        self.assertEqual(walking["keys"], {"rotation": 33, "translation": 31, "scale": 2})
        self.assertEqual(waving["keys"], {"rotation": 3, "translation": 0, "scale": 0})
        for kind, curves in (("rotation", 2), ("translation", 1), ("scale", 1)):
            self.assertEqual(sum(walking[how][kind] for how in ("moving", "constant", "keyed")), curves)
        for kind in "rotation", "translation", "scale":  # what is not in the file is not in the clip
            self.assertEqual(
                sum(waving[how][kind] for how in ("moving", "constant", "keyed")), kind == "rotation"
            )
        self.assertEqual((walking["joints"], waving["joints"]), (3, 3))
        self.assertEqual((walking["seconds"], waving["seconds"]), (1, 0.5))
        self.assertEqual((walking["frames"], walking["rate"]), (31, 30))
        self.assertIsNone(walking["output"])

    def test_bounds(self):
        hero = self.hero()
        for options, bounds in (
            ([], (0.05, 0.01, 0.001)),
            (["-r", "0.5", "-t", "0.2", "-s", "0.1"], (0.5, 0.2, 0.1)),
            (["--rotation", "0.02deg", "--translation", "0.5mm"], (0.02, 0.0005, 0.001)),
            (["--rotation", "0.001rad", "--translation", "0.5cm"], (0.001 * 180 / np.pi, 0.005, 0.001)),
            (["--translation", "0.5m", "--scale", "1e-4"], (0.05, 0.5, 0.0001)),
        ):
            with self.subTest(options):
                report = self.check(self.report(*options, hero))
                found = [report[key] for key in ("rotation_bound_degrees", "translation_bound", "scale_bound")]
                np.testing.assert_allclose(found, bounds, rtol=1e-12)
                self.assertEqual((report["object_bound"], report["object_distance"]), (None, None))

    def test_coarse_clips_have_errors_and_are_small(self):
        hero = self.hero()
        fine, coarse = self.report(hero), self.report("-r", "5", "-t", "0.3", hero)
        self.assertGreater(coarse["all"]["worst_rotation_error_degrees"], 0.05)
        self.assertGreater(coarse["all"]["worst_translation_error"], 0.01)
        self.assertGreater(coarse["all"]["times_smaller"], 1.2 * fine["all"]["times_smaller"])

    def test_object(self):
        for option, bound, distance in ("0.02@3", 0.02, 3), ("2cm@300cm", 0.02, 3), ("20mm@3", 0.02, 3):
            report = self.check(self.report("--object", option, self.hero()))
            np.testing.assert_allclose([report["object_bound"], report["object_distance"]], [bound, distance])
            self.assertIsNone(report["rotation_bound_degrees"])
            waving = report["animations"][1]
            self.assertEqual(waving["keys"], {"rotation": 3, "translation": 0, "scale": 0})
            self.assertEqual(waving["constant"], {"rotation": 1, "translation": 2, "scale": 0})  # at rest

    def test_only(self):
        hero = self.hero()
        for kind in "rotation", "translation", "scale":
            report = self.check(self.report("--only", kind, hero))
            for entry in report["animations"]:
                self.assertEqual([key for key, n in entry["keys"].items() if n], [kind])
            self.assertEqual(report["animations_without_curves"], 2 - len(report["animations"]))

    def test_without_such_curves(self):
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        path = self.write("turns.gltf", gltf_text(tree, content))
        result = self.bad(1, "clip", "--only", "scale", path, says=path + ": no animation has such curves")
        self.assertEqual(result.stdout, "")

    def test_rate(self):
        report = self.check(self.report("--rate", "60", self.hero()))
        self.assertEqual(report["animations"][0]["rate"], 60)
        self.assertEqual(report["animations"][0]["frames"], 61)

    def test_additive(self):
        report = self.check(self.report("--additive", "first", self.hero()))
        self.assertEqual(report["additive"], "first")

    def test_loop(self):
        times = np.arange(31) / 30
        round_trip = walk(31, 1, seed=2, turn=0.1)[:, 0]
        round_trip[-1] = -round_trip[0]
        path = moves(31) * np.float32(0.1)
        path[-1] = path[0]
        size = ([0, 0.5, 1], [[1.0, 1, 1], [2, 2, 2], [1, 1, 1]])
        closed = self.hero(arm=(times, round_trip), hip=(times, path), size=size, leg=([0], turns(1)))
        result = run("clip", "--time", "0", "--json", "--loop", "--only", "rotation", closed)
        report = json.loads(result.stdout)
        self.assertEqual(report["animations"][0]["animation"], "walk")  # wave does not close
        self.assertTrue(report["loop"])
        self.assertEqual(result.returncode, 1)
        self.assertIn(closed + ': animation 1, wave: rotation of "arm", key 2: ', result.stderr)
        self.assertEqual((report["animations_left_out"], result.stderr.count("\n")), (1, 1))

    def test_bad_animations_do_not_stop_the_others(self):
        times = np.arange(31) / 30
        bad_turns = walk(31, 1)[:, 0]
        bad_turns[7, 2] = np.nan
        late = times.copy()
        late[20] = late[19]
        for changes, says in (
            ({"arm": (times, bad_turns)}, 'animation 0, walk: rotation of "arm", key 7: '),
            ({"hip": (late, moves(31))}, 'animation 0, walk: translation of "hip", key 20: '),
            ({"size": ([0, 1], [[1.0, 1, 1], [1, np.inf, 1]])}, 'animation 0, walk: scale of "hip", key 1: '),
        ):
            with self.subTest(says):
                path = self.hero("bad.gltf", **changes)
                result = run("clip", "--time", "0", "--json", path, self.hero())
                self.assertEqual(result.returncode, 1)
                self.assertIn(path + ": " + says, result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1)
                report = self.check(json.loads(result.stdout))
                names = [entry["animation"] for entry in report["animations"]]
                self.assertEqual((names, report["animations_left_out"]), (["wave", "walk", "wave"], 1))

    def test_bad_files(self):
        none, text = self.path("none.glb"), self.write("text.bvh", b"hello\n")
        result = run("clip", "--time", "0", none, self.directory, self.hero(), text, "/dev/null")
        self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 4))
        for says in none + ": cannot open", self.directory + ": is a directory", text + ": ", "/dev/null: not a regular":
            self.assertIn("quatsimd: " + says, result.stderr)
        self.assertIn("hero.gltf: walk", result.stdout)
        self.bad(1, "clip", "--json", none, text, says=[none, text])

    def test_output(self):
        hero, again = self.hero(), self.hero("again.gltf")
        for _ in range(2):  # the second time files are replaced
            report = self.report("-o", self.path("out"), hero, again)
            names = ["walk.qsc", "wave.qsc", "walk-2.qsc", "wave-2.qsc"]
            self.assertEqual(sorted(os.listdir(self.path("out"))), sorted(names))
            for name, entry in zip(names, report["animations"]):
                self.assertEqual(entry["output"], self.path("out", name))
                self.assertEqual(os.path.getsize(entry["output"]), entry["bytes"])
        self.bad(1, "clip", "--time", "0", "-o", hero, hero, says=hero + ": cannot make the directory")
        os.mkdir(self.path("out2"))
        os.mkdir(self.path("out2", "walk.qsc"))
        result = run("clip", "--time", "0", "-o", self.path("out2"), hero)
        self.assertEqual(result.returncode, 1)
        self.assertIn("walk.qsc: cannot write", result.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out2"))), ["walk.qsc", "wave.qsc"])

    def test_names_become_files(self):
        curve = [(0, "rotation", [0, 1], turns(2), None)]
        names = ["../../up", "a/b", "..", "", "\x1b[31m", "WALK", "walk"]
        tree, content = gltf_tree([{"name": "a"}], {name: curve for name in names})
        self.good("clip", "--time", "0", "-o", self.path("out"), self.write("names.gltf", gltf_text(tree, content)))
        self.assertEqual(sorted(os.listdir(self.directory)), ["names.gltf", "out"])
        self.assertEqual(
            sorted(os.listdir(self.path("out"))),
            sorted(["_._.._up.qsc", "a_b.qsc", "__.qsc", "animation.qsc", "\ufffd[31m.qsc", "WALK.qsc", "WALK-2.qsc"]),
        )

    def test_bytes_are_those_of_every_kernel(self):
        hero = self.hero()
        self.good("clip", "--time", "0", "-o", self.path("here"), hero)
        environment = dict(os.environ, QUATSIMD_ISA="scalar")
        self.good("clip", "--time", "0", "-o", self.path("scalar"), hero, env=environment)
        for name in "walk.qsc", "wave.qsc":
            with open(self.path("here", name), "rb") as a, open(self.path("scalar", name), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_table_lines_up(self):
        hero = self.hero()
        for options in [], ["--object", "0.1@2"]:
            with self.subTest(options):
                lines = self.good("clip", "--time", "0", *options, hero).stdout.splitlines()
                rule = next(i for i, line in enumerate(lines) if line.startswith("-----"))
                self.assertIn("2 animations, keys: 36 rotation, 31 translation, 2 scale", lines[0])
                self.assertIn("bound 0.1 for points" if options else "bounds: rotation 0.05 degrees", lines[1])
                column = lines[rule - 1].index("animation")
                rows = lines[rule + 1 :]
                self.assertEqual(
                    [line[column:] for line in rows], [hero + ": walk", hero + ": wave", "all 2 animations"]
                )
                for line in rows:
                    self.assertEqual(line[column - 2 : column], "  ")
                    self.assertEqual(len(line[:column].split()), 12 if options else 11)

    def test_speed(self):
        report = json.loads(self.good("clip", "--time", "0.01", "--json", self.hero()).stdout)
        for way in "random", "playback", "decode":
            for nanoseconds in report["speed"][way].values():
                self.assertTrue(0.01 < nanoseconds < 1e6)
        text = self.good("clip", "--time", "0.01", self.hero()).stdout
        for words in "random poses", "playback at 60 Hz", "all frames", "keys per second":
            self.assertIn(words, text)
        self.assertNotIn("speed", self.report(self.hero()))

    def test_full_device(self):
        with open("/dev/full", "w") as full:
            self.bad(1, "clip", "--time", "0", self.hero(), says="standard output: cannot write", stdout=full)

    def test_recorded_clips(self):
        need_assimp()
        for path, keys in (
            (data("khronos/Fox.glb"), {"rotation": 2520, "translation": 126, "scale": 0}),
            (data("mesh2motion/bird-animations.glb"), {"rotation": 1592, "translation": 602, "scale": 550}),
            (model("BVH/01_01.bvh"), {"rotation": 2752 * 31, "translation": 2752, "scale": 0}),
        ):
            with self.subTest(path):
                report = self.check(self.report(path))
                self.assertEqual(report["all"]["keys"], keys)


if __name__ == "__main__":
    unittest.main()
