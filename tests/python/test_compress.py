"""compress: the same bytes whatever runs it, names, records, recipes, failures, lost workers, and wrong calls."""
import concurrent.futures
import ctypes
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import quatsimd
from quatsimd import _compress, _library

BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT %s
{
OFFSET 0 1 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
}
MOTION
Frames: 20
Frame Time: 0.05
"""


def bvh(seed, joint="spine"):
    rows = ["%g 1 0 %g %g 0 %g 0 %g" % (i * 0.1, 40 * math.sin(i * seed), i, i * seed, 9 * math.cos(i)) for i in range(20)]
    return BVH % joint + "\n".join(rows) + "\n"


def die(*_):
    os._exit(3)


class Lossy:
    """An executor that loses the worker of the first tasks."""

    def __init__(self, executor, losses):
        self.executor, self.losses = executor, losses

    def submit(self, function, *arguments):
        self.losses -= 1
        return self.executor.submit(die if self.losses >= 0 else function, *arguments)


class Raising(Lossy):
    """The same, where a loss is an exception and the others stay."""

    def submit(self, function, *arguments):
        self.losses -= 1
        if self.losses < 0:
            return self.executor.submit(function, *arguments)
        future = concurrent.futures.Future()
        future.set_exception(concurrent.futures.BrokenExecutor("the worker is lost"))
        return future


def bare(data):
    """The bundle without its record, which differs, and its names."""
    names = _compress.record_of(data)[1]
    part, result, size = ctypes.c_char_p(data), ctypes.c_void_p(), ctypes.c_size_t()
    parts, sizes = (ctypes.c_void_p * 1)(ctypes.cast(part, ctypes.c_void_p)), (ctypes.c_size_t * 1)(len(data))
    texts = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
    arguments = parts, ctypes.addressof(sizes), 1, texts, None, 0, None
    _library.check(_library.lib.quatsimd_python_join(ctypes.byref(result), ctypes.byref(size), *arguments))
    found = ctypes.string_at(result, size.value)
    _library.lib.quatsimd_bundle_free(None, result)
    return found, names


class Compress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for number, name in enumerate(["takes/a/walk.bvh", "takes/b/walk.bvh", "takes/b/rün.bvh", "idle.bvh"]):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(bvh(0.2 + number / 10), encoding="utf-8")
        (self.folder / "takes/notes.txt").write_text("none", encoding="utf-8")
        self.files = [self.folder / "idle.bvh", str(self.folder / "takes")]
        self.out = self.folder / "out/all.qsb"
        few = mock.patch.object(_compress, "SHARE_FILES", 2)
        few.start()
        self.addCleanup(few.stop)

    def command(self, *arguments):
        package = str(pathlib.Path(quatsimd.__file__).parent.parent)
        environment = {**os.environ, "PYTHONPATH": package, "QUATSIMD_LIBRARIES": str(_library.FOLDER)}
        command = [sys.executable, "-m", "quatsimd", *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, check=False)

    def compressed(self, **options):
        result = quatsimd.compress(self.files, self.out, **options)
        self.assertEqual((result.path, result.bytes, result.files, result.failures), (str(self.out), self.out.stat().st_size, 4, []))
        return self.out.read_bytes()

    def test_as_the_command(self):
        calls = []
        data = self.compressed(progress=lambda done, total: calls.append((done, total)))
        self.assertEqual(calls, [(2, 4), (4, 4)])
        done = self.command("compress", *self.files, "--skeleton", self.files[0], "-o", "direct.qsb")
        self.assertEqual(done.returncode, 0, done.stderr)
        direct = (self.folder / "direct.qsb").read_bytes()
        self.assertEqual(bare(data), bare(direct))
        self.assertEqual(bare(data)[1], ["a/walk", "b/rün", "b/walk", "idle"])
        own, other = _compress.record_of(data)[0], _compress.record_of(direct)[0]
        order = lambda record: sorted(record["files"], key=lambda item: item["name"])  # noqa: E731
        for item in other["files"]:
            item["path"] = "../" + item["path"]  # of the folder beside
        self.assertEqual((order(own), own["options"]), (order(other), other["options"]))
        verified = self.command("verify", self.out)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_same_bytes(self):
        data = self.compressed()
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            self.assertEqual(self.compressed(executor=threads), data)
            self.assertEqual(self.compressed(executor=Raising(threads, 2)), data)
        with concurrent.futures.ProcessPoolExecutor(1) as processes:
            self.assertEqual(self.compressed(executor=processes), data)
        with concurrent.futures.ProcessPoolExecutor(1) as processes:
            self.assertEqual(self.compressed(executor=Lossy(processes, 1)), data)

    def test_a_worker_that_is_lost_twice(self):
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            with self.assertRaisesRegex(quatsimd.CompressError, "the worker is lost") as caught:
                self.compressed(executor=Raising(threads, 9))
        self.assertEqual([failure.reason for failure in caught.exception.failures], ["worker"] * 4)
        self.assertFalse(self.out.exists())

    def test_failures(self):
        bad = self.folder / "takes/a/bad.bvh"
        bad.write_text("HIERARCHY", encoding="utf-8")
        with self.assertRaisesRegex(quatsimd.CompressError, r"1 failed:\n.*bad.bvh: ") as caught:
            quatsimd.compress(self.files, self.out)
        (failure,) = caught.exception.failures
        self.assertEqual((failure.file, failure.reason), (str(bad), "file"))
        self.assertFalse(self.out.exists())
        result = quatsimd.compress(self.files, self.out, partial=True)
        self.assertEqual((result.clips, result.failures), (4, [failure]))
        self.assertEqual(len(bare(self.out.read_bytes())[1]), 4)

    def test_another_skeleton(self):
        (self.folder / "takes/other.bvh").write_text(bvh(1, "neck"), encoding="utf-8")
        with self.assertRaisesRegex(quatsimd.CompressError, "other.bvh.*neck"):
            quatsimd.compress(self.files, self.out)
        self.assertEqual(quatsimd.compress(self.files, self.out, ignore_unmatched=True).clips, 5)

    def test_one_file_and_options(self):
        result = quatsimd.compress(self.files[0], self.out, object="5mm@10cm", rate=20, release=True)
        self.assertEqual(bare(self.out.read_bytes())[1], ["Motion"])
        self.assertNotIn(b"idle.bvh", self.out.read_bytes())
        finer = quatsimd.compress(self.files[0], self.out, object="0.01mm@10cm")
        self.assertGreater(finer.bytes, result.bytes)

    def test_recipe(self):
        recipe = {
            "bound": "1mm@10cm",
            "masks": [{"name": "upper", "joints": "spine"}],
            "animations": [
                {"match": "*", "file": "./takes/*/*.bvh", "loop": "close"},
                {"match": "walk", "file": "takes/b/*.bvh", "name": "walk of b", "events": [{"time": 0.3, "name": "foot"}]},
            ],
        }
        text = _compress.json.dumps({"files": ["idle.bvh", "takes"], **recipe})
        (self.folder / "hero.json").write_text("/* all, */ // of it\n" + text[:-1] + ", // [1,]\n}", encoding="utf-8")
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            result = quatsimd.compress(None, self.out, recipe=self.folder / "hero.json", executor=threads)
        done = self.command("compress", "hero.json", "-o", "direct.qsb")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(bare(self.out.read_bytes()), bare((self.folder / "direct.qsb").read_bytes()))
        self.assertEqual((result.clips, bare(self.out.read_bytes())[1]), (4, ["idle", "rün", "walk", "walk of b"]))
        self.assertEqual(self.command("verify", self.out).returncode, 0)
        shown = self.command("info", self.out).stdout
        self.assertIn(b"foot", shown)
        self.assertIn(b"upper", shown)

    def test_same_bytes_in_another_folder(self):
        found = []
        for folder in (self.folder, self.folder / "copy"):
            for name in ("takes/a/walk.bvh", "idle.bvh"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes((self.folder / name).read_bytes())
            quatsimd.compress([folder / "idle.bvh", folder / "takes/a"], folder / "out.qsb", recipe={"bound": "1mm@10cm"})
            found.append((folder / "out.qsb").read_bytes())
        self.assertEqual(*found)

    def test_recipe_that_cannot_be_followed(self):
        cases = [
            ({"animations": [{"match": "jump"}]}, 'no animation is like "jump"'),
            ({"animations": [{"match": "walk", "additive": {"animation": "sit"}}]}, 'is called "sit"'),
            ({"speed": 2}, "speed"),
            ({}, 'two clips are called "walk"'),
        ]
        for recipe, text in cases:
            with self.assertRaisesRegex(quatsimd.Error, text):
                quatsimd.compress(self.files, self.out, recipe=recipe)
        (self.folder / "bad.json").write_text("{", encoding="utf-8")
        with self.assertRaisesRegex(quatsimd.Error, "bad.json"):
            quatsimd.compress(None, self.out, recipe=self.folder / "bad.json")
        self.assertFalse(self.out.exists())

    def test_clips_that_are_relative_to_another_file(self):
        recipe = {"animations": [{"match": "rün", "additive": {"animation": "idle"}}, {"match": "walk", "skip": True}]}
        self.assertEqual(quatsimd.compress(self.files, self.out, recipe=recipe).clips, 2)

    def test_wrong_calls(self):
        cases = [
            (TypeError, "speed: compress has no such argument", {"speed": 1}),
            (TypeError, "executor: 4 has no submit", {"executor": 4}),
            (TypeError, "progress: 'x' has no __call__", {"progress": "x"}),
            (TypeError, "rate: a recipe says it", {"rate": 3, "recipe": {}}),
            (ValueError, "does not end in .qsb", {"out": "all.glb"}),
            (ValueError, "is also an input", {"out": self.folder / "idle.qsb", "files": [self.folder / "idle.qsb"]}),
            (ValueError, "no file of animations", {"files": [self.folder / "out"]}),
            (ValueError, "none.bvh: cannot open", {"files": ["none.bvh"]}),
            (ValueError, "--rate: -1 is not from 0", {"rate": -1}),
            (ValueError, "none.qsk: cannot open", {"skeleton": "none.qsk"}),
            (TypeError, "files: paths are needed", {"files": 5}),
            (TypeError, "files: paths are needed", {"files": None}),
        ]
        (self.folder / "idle.qsb").touch()
        (self.folder / "out").mkdir()
        for error, text, options in cases:
            with self.assertRaisesRegex(error, text):
                quatsimd.compress(**{"files": self.files, "out": self.out, **options})


if __name__ == "__main__":
    unittest.main()
