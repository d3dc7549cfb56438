"""Tests of `quatsimd compress`: what it makes, and that nothing is lost or half-made whatever comes between."""
import copy
import fcntl
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import time
import unittest

import numpy as np

from support.command import MEMORY_LIMIT, TOOL, data, model, run, with_failing
from support.compressing import Case, animation, listing, small
from support.gltf import glb_of, gltf_tree


def rounded(tree):
    """Numbers of a report with the digits that two ways of adding have in common."""
    if isinstance(tree, dict):
        return {key: rounded(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [rounded(value) for value in tree]
    return float("%.12g" % tree) if isinstance(tree, float) else tree


class Compress(Case):
    def same_report(self, measured, written):
        """But for where clips are, and how fast they were encoded."""
        for entry in [measured["all"], *measured["animations"]]:
            self.assertGreater(entry.pop("encode_keys_per_second"), 0)
        for entry in [written["all"], *written["animations"]]:
            self.assertIsNone(entry.pop("encode_keys_per_second"))
        for entry, there in zip(measured["animations"], written["animations"]):
            self.assertEqual(there["output"], self.out(os.path.basename(there["file"]), there["animation"] + ".qsc"))
            self.assertIsNone(entry.pop("output"))
            there.pop("output")
        self.assertEqual(repr(rounded(measured)), repr(rounded(written)))

    def test_same_clips_as_measured(self):
        for name, file in (("Fox.glb", data("khronos/Fox.glb")), ("01_03.bvh", model("BVH/01_03.bvh"))):
            self.compress(file)
            manifest = self.manifest(name)
            report = json.loads(run("compress", "--time", "0", "--json", file).stdout)
            self.assertEqual([entry["output"] for entry in report["animations"]], [None] * len(report["animations"]))
            again = json.loads(run("compress", "--json", "-o", self.out(), file).stdout)  # all up to date
            for entry in again["animations"]:
                with open(entry["output"], "rb") as clip:
                    self.assertEqual(len(clip.read()), entry["bytes"])
            self.same_report(copy.deepcopy(report), again)
            self.assertEqual(len(manifest["animations"]), len(report["animations"]))
            for mine, wanted in zip(manifest["animations"], report["animations"]):
                for key in ("animation", "joints", "frames", "seconds", "keys", "bytes", "raw_bytes"):
                    self.assertEqual(mine[key], wanted[key], key)
                self.assertAlmostEqual(mine["worst_rotation_error_degrees"], wanted["worst_rotation_error_degrees"], 9)
                self.assertLessEqual(mine["worst_object_error"], manifest["object_bound"])

    def test_folders_and_lines(self):
        self.put("in/a/one.glb", small())
        self.put("in/two.GLB", small(seed=2))
        self.put("in/a/avatar.vrm", small(seed=3))
        self.put("in/a/dance.VRMA", small(seed=4))
        self.put("in/notes.txt", b"no animation")
        self.put("in/.hidden.glb", b"")
        os.symlink(self.path("in"), self.path("in", "a", "around"))
        lines = self.compress(self.path("in") + "/").stdout.splitlines()
        names = ["a/avatar.vrm", "a/dance.VRMA", "a/one.glb", "two.GLB"]
        self.assertEqual(sorted(line.split(":")[0] for line in lines[:4]), [name + "/Walk.qsc" for name in names])
        self.assertRegex(lines[0], r": [\d,]+ bytes, [\d.]+ times smaller, off by at most [\d.]+ degrees, translation \S+, scale 0, object \S+ of 0.0001$")
        self.assertTrue(lines[4].startswith("4 files: 4 compressed, 0 up to date, 0 in which no node moves, 0 failed"))
        self.assertEqual(lines[5], "1 in the folders left out, whose names do not end as those of animations")
        self.assertEqual(sorted(listing(self.out())), [name + file for name in names for file in ("/Walk.qsc", "/quatsimd.json", "/skeleton.qsk")])

    def test_up_to_date(self):
        one, two = self.put("in/one.glb", small()), self.put("in/two.glb", small(seed=2))
        done = "2 files: %d compressed, %d up to date, 0 in which no node moves, 0 failed"

        def expect(made, *options):
            self.assertIn(done % (made, 2 - made), self.compress(*options, self.path("in")).stdout)

        expect(2)
        first = listing(self.out())
        expect(0)
        self.assertEqual(listing(self.out()), first)
        os.utime(one)  # another time, the same content
        expect(0)
        with open(self.out("one.glb", "Walk.qsc"), "r+b") as file:  # a damaged clip
            file.write(b"?")
        expect(1)
        os.remove(self.out("two.glb", "Walk.qsc"))
        expect(1)
        with open(self.out("two.glb", "quatsimd.json"), "w") as file:
            file.write("{")
        expect(1)
        manifest = self.manifest("two.glb")
        self.put("out/two.glb/quatsimd.json", json.dumps(dict(manifest, manifest=manifest["manifest"] + 1)).encode())  # of another version
        expect(1)
        self.assertEqual(listing(self.out()), first)
        expect(2, "--rotation", "0.1deg")
        expect(0, "--rotation", "0.1")
        expect(2)
        self.assertEqual(listing(self.out()), first)
        nodes, curves = animation(2, 9)
        tree = glb_of(*gltf_tree(nodes, {"Run": curves, "Jump": curves}))
        self.put("in/two.glb", tree)
        expect(1)
        self.assertEqual(sorted(os.listdir(self.out("two.glb"))), ["Jump.qsc", "Run.qsc", "quatsimd.json", "skeleton.qsk"])  # not Walk
        self.assertNotEqual(two, one)

    def test_every_file_is_in_a_share(self):
        for i in range(20):
            self.put("in/%d.glb" % i, small(seed=i))
        for share in range(1, 6):
            self.compress("--shard", "%d/5" % share, self.path("in"))
        self.assertIn("20 up to date", self.compress(self.path("in")).stdout)

    def test_buffers_beside(self):
        nodes, curves = animation(2, 9)
        tree, content = gltf_tree(nodes, {"Walk": curves})
        tree["buffers"][0]["uri"] = "some%20bytes.bin"
        self.put("in/a.gltf", json.dumps(tree).encode())
        self.put("in/some bytes.bin", content)
        self.compress(self.path("in"))
        first = self.read("a.gltf", "Walk.qsc")
        self.put("in/some bytes.bin", content[:-24] + bytes(24))
        self.assertIn("1 compressed", self.compress(self.path("in")).stdout)
        self.assertNotEqual(self.read("a.gltf", "Walk.qsc"), first)
        self.assertIn("1 up to date", self.compress(self.path("in")).stdout)
        self.put("in/a.gltf", glb_of(tree, b""))  # the same of a .glb
        self.compress(self.path("in"))
        self.put("in/some bytes.bin", content)
        self.assertIn("1 compressed", self.compress(self.path("in")).stdout)
        os.remove(self.path("in", "some bytes.bin"))
        self.assertEqual(
            self.compress(self.path("in"), status=1).stderr,
            "quatsimd: %s: cannot open %s: No such file or directory\n" % (self.path("in", "a.gltf"), self.path("in", "some bytes.bin")),
        )

    def test_buffers_beside_however_they_are_written(self):
        """Escapes in the JSON hide no file."""
        nodes, curves = animation(2, 9)
        tree, content = gltf_tree(nodes, {"Walk": curves})
        tree["buffers"][0]["uri"] = "a.bin"
        files = {}
        for i, key in enumerate((b'"uri"', b'"\\u0075ri"', b'"ur\\u0069"', b'"u\\u0072i"', b'"\\u0075\\u0072\\u0069" ')):
            written = json.dumps(tree).encode().replace(b'"uri"', key)
            self.assertEqual(json.loads(written), tree)
            files["text%d.gltf" % i] = written
            files["binary%d.glb" % i] = glb_of(written, b"")
        for name, file in files.items():
            self.put("in/" + name, file)
        done = "%d files: %d compressed, %d up to date, "
        for changed in content, content[:-24] + bytes(24):
            self.put("in/a.bin", changed)
            self.assertIn(done % (len(files), len(files), 0), self.compress(self.path("in")).stdout)
        self.assertIn(done % (len(files), 0, len(files)), self.compress(self.path("in")).stdout)

    def test_broken_ones(self):
        good = small()
        self.put("in/a.glb", good[: len(good) // 2])
        self.put("in/b.glb", good)
        self.put("in/c.glb", b"")
        nodes, curves = animation(2, 9)
        self.put("in/still.glb", glb_of(*gltf_tree(nodes, {})))
        bad = [(node, path, times, np.where(np.arange(9)[:, None] == 4, np.nan, values), None) for node, path, times, values, _ in curves]
        self.put("in/part.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Fall": bad})))
        for _ in range(2):  # a second run reports them again
            result = self.compress(self.path("in"), self.path("in", "none.glb"), status=1)
            for what in ("a.glb: ", "c.glb: ", "none.glb: cannot open: No such file", "part.glb: animation 1, Fall: rotation of \"joint 0\", key 4: "):
                self.assertIn(what, result.stderr)
            self.assertNotIn("b.glb", result.stderr)
            self.assertIn("6 files: %d compressed, 1 in part, " % (not _), result.stdout)
            self.assertIn(" 3 failed", result.stdout)
        self.assertEqual(sorted(os.listdir(self.out())), ["b.glb", "part.glb", "still.glb"])
        self.assertEqual(sorted(os.listdir(self.out("part.glb"))), ["Walk.qsc", "quatsimd.json", "skeleton.qsk"])
        self.assertEqual(self.manifest("part.glb")["animations_left_out"], 1)
        self.assertEqual(os.listdir(self.out("still.glb")), ["quatsimd.json"])
        # Clips that were made of a file before it broke stay.
        self.put("in/b.glb", good[:-50])
        before = listing(self.out("b.glb"))
        self.compress(self.path("in"), status=1)
        self.assertEqual(listing(self.out("b.glb")), before)

    def test_same_names(self):
        one, two = self.put("a/x.glb", small()), self.put("b/x.glb", small(seed=2))
        result = self.compress(one, two, status=1)
        self.assertIn("x.glb: its clips would go to the same folder as those of ", result.stderr)
        self.assertFalse(os.path.exists(self.out()))
        self.compress(self.path("a"), self.path("b"), status=1)
        self.assertIn("1 file: 1 compressed", self.compress(one, self.path("a"), self.path("a", "..", "a", "x.glb")).stdout)  # one file

    def test_idle_jobs_do_no_other_work(self):
        share = re.search(r"encoding took (\d+) %", self.compress("--jobs", "100", data("khronos/Fox.glb")).stdout)
        self.assertGreaterEqual(int(share.group(1)), 10)  # 50 to 80; of 100 jobs' time it would be at most 1

    def test_nothing(self):
        os.mkdir(self.path("in"))
        self.put("in/notes.txt", b"")
        self.assertIn("in: no file has a name that ends as those of animations", self.compress(self.path("in"), status=1).stderr)
        for options in [], ["--report", self.path("page.html")], ["--json"]:
            result = self.compress(*options, self.path("none.glb"), status=1)
            self.assertEqual((result.stdout, result.stderr), ("", "quatsimd: %s: cannot open: No such file or directory\n" % self.path("none.glb")))
        self.assertEqual(os.listdir(self.path()), ["in"])

    def test_larger(self):
        """A clip that is larger than its keys."""
        self.put("in/a.glb", small(joints=1, keys=2))
        lines = self.compress(self.path("in")).stdout
        clip = self.manifest("a.glb")["animations"][0]
        words = "%.2f times larger" % (clip["bytes"] / clip["raw_bytes"])
        self.assertEqual((lines.count(words), lines.count("smaller")), (2, 0), lines)
        table = run("compress", "--time", "0", self.path("in", "a.glb")).stdout
        self.assertEqual((table.count(words), table.count("smaller")), (1, 0), table)
        self.compress("--report", self.path("page.html"), self.path("in"))
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual((page.count(words), page.count("smaller")), (2, 0))

    def test_page_in_the_way(self):
        file = self.put("in/a.glb", small())
        before = listing(self.path("in"))
        self.assertIn("is one of the files to read", self.compress("--report", file, self.path("in"), status=1).stderr)
        self.assertEqual(listing(self.path("in")), before)
        folder = self.put("in/x.html", small())  # whose clips go to a folder of that name
        for page in self.out("x.html"), self.path("out", "..", "out", "x.html"):
            result = self.compress("--report", page, folder, status=1)
            self.assertIn("x.html: is the folder for the clips of %s; give the page another name" % folder, result.stderr)
            self.assertEqual((result.stdout, os.listdir(self.out())), ("", []))

    def test_folder_in_the_way(self):
        file = self.put("in/a.glb", small())
        result = run("compress", "-o", ".", "a.glb", cwd=self.path("in"))
        self.assertEqual((result.returncode, result.stdout, os.listdir(self.path("in"))), (1, "", ["a.glb"]))
        self.assertIn("a.glb: its clips would go to the folder ./a.glb, but that is the file itself; give another OUT", result.stderr)
        os.mkdir(self.path("in", "b"))
        self.assertEqual(run("compress", "-o", ".", file, cwd=self.path("in", "b")).returncode, 0)

    def test_only_is_verified_so(self):
        file = self.put("in/a.glb", small())
        for only, bound in ("rotation", "rotation_bound_degrees"), ("translation", "translation_bound"):
            self.compress("--only", only, file)
            manifest = self.manifest("a.glb")
            bounds = "rotation_bound_degrees", "translation_bound", "scale_bound"
            self.assertEqual([name for name in bounds if manifest[name] is not None], [bound])
            result = run("verify", self.out("a.glb", "Walk.qsc"), "--against", file)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(result.stdout.count("within"), 1)

    def test_messages_stay_apart(self):
        """Of several processes, on a terminal and elsewhere."""
        for i in range(100):
            self.put("in/%02d.glb" % i, b"broken")
        lines = self.compress("--jobs", "8", self.path("in"), status=1).stderr.splitlines()
        self.assertEqual(len(lines), 100)
        self.assertTrue(all(line.startswith("quatsimd: ") and line.count("quatsimd: ") == 1 for line in lines))
        command = "%s compress --jobs 2 -o %s %s" % (TOOL, self.out(), self.path("in"))
        for columns in (80, 40, 24):
            text = subprocess.run(["script", "-qc", "stty cols %d; %s" % (columns, command), "/dev/null"], stdout=subprocess.PIPE).stdout.decode()
            for line in text.split("\r\n")[:-1]:
                shown = [part for part in line.split("\r\x1b[K") if "quatsimd: " not in part and " of 100 files" in part]
                self.assertTrue(all(len(part) < columns for part in shown), shown)
                self.assertNotRegex(line, r"left *quatsimd: ")

    def test_usage(self):
        file = self.put("x.glb", small())
        for arguments, what in (
            (["--jobs", "2", file], "--jobs needs -o OUT or --glb OUT.glb"),
            (["--report", self.path("page.html"), file], "--report needs -o OUT"),
            (["-o", self.out()], "no file given"),
            (["--jobs", "-1", "-o", self.out(), file], "--jobs: -1 is not from 1 to 10000"),
            (["--jobs", "0", "-o", self.out(), file], "--jobs: 0 is not from 1 to 10000"),
            (["-o", "", file], "-o: the name of the folder is empty"),
            (["-o", self.path("."), self.path("")], "is itself to be compressed"),
            (["--rotation", "0", "-o", self.out(), file], "--rotation"),
            (["--translation", "3 feet", "-o", self.out(), file], "--translation"),
            (["--object", "1", "-o", self.out(), file], "--object"),
            (["--object", "1@1", "--scale", "1", "-o", self.out(), file], "--object does not go with --rotation, --translation or --scale"),
        ) + tuple(
            (["--shard", s, "-o", self.out(), file], "--shard: \"%s\" is not K/N" % s)
            for s in ("0/2", "3/2", "1", "1/", "/2", "1/2/3", "-1/2", "1/0", " 1/2", "")
        ):
            result = run("compress", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(what, result.stderr)
        self.assertFalse(os.path.exists(self.out()))

    def test_object(self):
        self.put("in/a.glb", small(joints=5))
        result = self.compress("--object", "0.01cm@3cm", self.path("in"))
        manifest = self.manifest("a.glb")
        self.assertAlmostEqual(manifest["object_bound"], 0.0001)
        self.assertAlmostEqual(manifest["object_distance"], 0.03)
        self.assertIsNone(manifest["rotation_bound_degrees"])
        self.assertLessEqual(manifest["animations"][0]["worst_object_error"], 0.0001)
        self.assertRegex(result.stdout, r"in object space \([\d.]+ % of the bound\)")
        fox = data("khronos/Fox.glb")  # which is not in metres
        # Run turns so fast that keys stored exactly are 0.00022 off between them, which sampling's slerp adds
        self.compress("--object", "0.3mm@3cm", fox)
        self.assertTrue(all(clip["worst_object_error"] <= 0.0003 for clip in self.manifest("Fox.glb")["animations"]))
        nodes, curves = animation(2, 9)
        bad = [(node, path, times, np.full_like(values, np.nan), None) for node, path, times, values, _ in curves]
        broken = self.put("in/broken.glb", glb_of(*gltf_tree(nodes, {"Walk": bad})))
        self.compress("--object", "1@1", broken, status=1)
        # a loop that does not close is no matter of the bound, though it would close within a larger one
        for _, _, _, values, _ in curves:
            values[-1] = values[0] + (values.shape[1] == 3) * np.float32(0.02)
        ajar = self.put("in/ajar.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))
        stderr = self.compress("--loop", "--object", "0.01@1", ajar, status=1).stderr
        self.assertIn("the loop does not close", stderr)
        self.assertNotIn("can be held", stderr)

    def test_report(self):
        self.put("in/a.glb", small("Fast <walk>"))
        self.put("in/b/c.glb", small(seed=2))
        page = self.path("page.html")
        self.compress("--report", page, self.path("in"))
        with open(page) as file:
            text = file.read()
        for wanted in ("Fast &lt;walk&gt;", "b/c.glb", "joint 0", "%d" % self.manifest("a.glb")["animations"][0]["bytes"]):
            self.assertIn(wanted, text)
        os.remove(page)
        self.put("in/d.glb", b"broken")
        self.compress("--report", page, self.path("in"), status=1)  # of what is up to date, too
        with open(page) as file:
            self.assertIn("b/c.glb", file.read())
        result = self.compress("--report", self.path("none", "page.html"), self.path("in", "a.glb"), status=1)
        self.assertIn("none/page.html: cannot write: No such file or directory", result.stderr)
        self.assertEqual(result.stdout, "")  # before any work
        verify = lambda file: run("verify", self.out("a.glb", "Fast _walk_.qsc"), "--against", file)
        self.assertEqual(verify(self.path("in", "a.glb")).stderr, "")
        self.put("in/a.glb", small("Fast <walk>") + b"\0\0\0\0")
        self.assertIn("a.glb: is not the file that ", verify(self.path("in", "a.glb")).stderr)
        for options in ["-o", self.path("again.glb")], ["--arrays", "-o", self.path("arrays")]:
            again = run("decompress", self.out("a.glb", "Fast _walk_.qsc"), "--into", self.path("in", "a.glb"), *options)
            self.assertEqual(again.returncode, 0)
            self.assertIn("a.glb: is not the file that ", again.stderr)
        for changed in True, False:
            found = run("verify", "--json", self.out("a.glb", "Fast _walk_.qsc"), "--against", self.path("in", "a.glb"))
            self.assertEqual((found.returncode, json.loads(found.stdout)["file_changed"]), (0, changed))
            self.put("in/a.glb", small("Fast <walk>"))

    def test_animations_that_come_and_go(self):
        nodes, curves = animation(2, 9)
        bad = [(node, path, times, np.full_like(values, np.nan), None) for node, path, times, values, _ in curves]

        def save(**animations):
            self.put("in/a.glb", glb_of(*gltf_tree(nodes, animations)))

        save(Run=curves, Walk=curves)
        self.compress(self.path("in"))
        page = self.path("page.html")
        save(Run=bad, Walk=curves)
        for said in "a.glb: removed 1 file of an earlier run", "":
            result = self.compress("--report", page, self.path("in"), status=1)
            self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Walk.qsc", "quatsimd.json", "skeleton.qsk"])  # no stale clip
            self.assertIn(said, result.stderr)
            self.assertEqual("removed" in result.stderr, said != "")
            self.assertIn("1 file: 0 compressed, 1 in part, 0 up to date, 0 in which no node moves, 0 failed\n", result.stdout)
            self.assertIn("\n1 clip, ", result.stdout)
        save(Run=bad, Walk=bad)  # what was made before stays where nothing can be made, and its manifest
        self.compress(self.path("in"), status=1)
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Walk.qsc", "quatsimd.json", "skeleton.qsk"])
        self.assertEqual([clip["output"] for clip in self.manifest("a.glb")["animations"]], ["Walk.qsc"])
        save(Empty=[], Walk=bad)
        self.compress("--report", page, self.path("in"), status=1)
        with open(page) as file:
            self.assertNotIn("a.glb", file.read())
        save(Jump=curves)
        self.assertIn("out/a.glb: removed 1 file of an earlier run", self.compress(self.path("in")).stderr)
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Jump.qsc", "quatsimd.json", "skeleton.qsk"])
        nodes, curves = animation(2, 9, seed=5)
        other = self.put("other/a.glb", glb_of(*gltf_tree(nodes, {"Sit": curves, "Sleep": curves})))
        self.assertIn("out/a.glb: removed 1 file of an earlier run", self.compress(other).stderr)
        self.assertIn("out/a.glb: removed 2 files of an earlier run", self.compress(self.path("in")).stderr)

    def test_files_of_others_stay(self):
        """Only clips that the manifest of an earlier run names are removed or replaced."""
        self.put("in/a.glb", small())
        self.compress(self.path("in"))
        manifest, clip, skeleton = (self.read("a.glb", name) for name in ("quatsimd.json", "Walk.qsc", "skeleton.qsk"))
        self.put("out/a.glb/mine.qsc", b"mine")
        self.put("out/a.glb/copy.qsc", clip)
        self.put("in/a.glb", small("Run"))
        self.assertIn("out/a.glb: removed 1 file of an earlier run\n", self.compress(self.path("in")).stderr)  # Walk.qsc
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Run.qsc", "copy.qsc", "mine.qsc", "quatsimd.json", "skeleton.qsk"])
        nodes, curves = animation(2, 9)
        self.put("in/a.glb", glb_of(*gltf_tree(nodes, {"Jump": curves, "mine": curves})))  # one has the name of another's
        before = listing(self.out())
        result = self.compress(self.path("in"), status=1)
        self.assertIn(
            "out/a.glb/mine.qsc: is in the way: quatsimd.json does not name it as a file of an earlier run; move it away, or give another OUT\n",
            result.stderr,
        )
        self.assertIn(" 1 failed\n", result.stdout)
        self.assertEqual(listing(self.out()), before)  # nothing of the file is written, nothing removed
        os.rename(self.out("a.glb", "mine.qsc"), self.path("mine.qsc"))
        self.assertIn("removed 1 file of an earlier run\n", self.compress(self.path("in")).stderr)
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Jump.qsc", "copy.qsc", "mine.qsc", "quatsimd.json", "skeleton.qsk"])
        # In a folder without a manifest, too; but a file that has the same bytes already is not in the way.
        os.remove(self.out("a.glb", "quatsimd.json"))
        self.put("in/a.glb", small())
        self.put("out/a.glb/Walk.qsc", clip[:-1] + b"?")
        before = listing(self.out())
        self.assertIn("out/a.glb/Walk.qsc: is in the way", self.compress(self.path("in"), status=1).stderr)
        self.assertEqual(listing(self.out()), before)
        self.put("out/a.glb/Walk.qsc", clip)
        self.assertIn("out/a.glb/skeleton.qsk: is in the way", self.compress(self.path("in"), status=1).stderr)  # that of Jump
        self.put("out/a.glb/skeleton.qsk", skeleton)
        self.assertEqual(self.compress(self.path("in")).stderr, "")
        self.assertEqual(self.read("a.glb", "quatsimd.json"), manifest)
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Jump.qsc", "Walk.qsc", "copy.qsc", "mine.qsc", "quatsimd.json", "skeleton.qsk"])

    def test_drafts_alone_are_removed(self):
        """Files of others may begin as drafts do."""
        self.put("in/a.glb", small())
        mine = [".quatsimd-notes", ".quatsimd-1", ".quatsimd-1-", ".quatsimd--1", ".quatsimd-1-0.txt", ".quatsimd-1-0-", ".quatsimd-1-0-2-3", ".quatsimd-x-0"]
        for name in [*mine, ".quatsimd-1-0", ".quatsimd-1-0-2", ".quatsimd-4194304-99", ".quatsimd-4194304-99-0"]:
            self.put("out/a.glb/" + name, b"left")
        others = [".quatsimd-2-0", ".quatsimd-2-0-7"]  # that a run beside this one writes
        for name in others:
            self.put("out/a.glb/" + name, b"held")
        with open(self.out("a.glb", others[0])) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.compress(self.path("in"))
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), sorted([*mine, *others, "Walk.qsc", "quatsimd.json", "skeleton.qsk"]))
        before = listing(self.out())
        self.put("out/a.glb/.quatsimd-1-0", b"left")  # by a run with other options
        self.assertIn("up to date", self.compress(self.path("in")).stdout)
        del before["a.glb/" + others[0]], before["a.glb/" + others[1]]  # that run ended
        self.assertEqual(listing(self.out()), before)

    def test_two_runs_with_other_options(self):
        """One waits for the other, and then takes its files for those of an earlier run."""
        nodes, curves = animation(3, 9)
        path = self.put("a.glb", glb_of(*gltf_tree(nodes, {"Jump": curves, "Walk": curves})))
        self.compress("--animation", "Jump", path)
        os.rename(self.out("a.glb"), self.path("jump"))
        os.mkdir(self.out("a.glb"))
        folder = os.open(self.out("a.glb"), os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        process = subprocess.Popen([TOOL, "compress", "--animation", "Walk", "-o", self.out(), path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        shutil.copytree(self.path("jump"), self.out("a.glb"), dirs_exist_ok=True)
        os.close(folder)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(sorted(os.listdir(self.out("a.glb"))), ["Walk.qsc", "quatsimd.json", "skeleton.qsk"])

    def test_manifest_that_cannot_be_read(self):
        """It may name files that this run would lose."""
        path = self.put("a.glb", small())
        self.compress(path)
        before = listing(self.out())
        said = run("compress", "-r", "1", "-o", self.out(), path, env=with_failing(self, "read"))
        self.assertEqual((said.returncode, listing(self.out())), (1, before))
        self.assertIn("out/a.glb/quatsimd.json: cannot read: Input/output error\n", said.stderr)

    def test_links_to_folders(self):
        """They are not followed, which could go round for ever, and the help says so; links to files are."""
        path = self.put("in/a.glb", small())
        os.makedirs(self.path("in", "below"))
        os.symlink("..", self.path("in", "below", "round"))
        os.symlink(path, self.path("in", "below", "b.glb"))
        self.compress(self.path("in"))
        self.assertEqual(sorted(path for path in listing(self.out()) if path.endswith(".qsc")), ["a.glb/Walk.qsc", "below/b.glb/Walk.qsc"])
        self.assertIn("Links to folders in a DIR are not followed.", " ".join(run("help", "compress").stdout.split()))

    def test_too_large(self):
        """A file that memory cannot hold is one that fails, and the others are read."""
        if not MEMORY_LIMIT:
            self.skipTest("the command does not start with limited memory")
        for name in "big.glb", "big.gltf":
            with open(self.put("in/" + name, b""), "wb") as file:
                file.truncate(300 << 30)
        self.put("in/small.glb", small())
        result = run("compress", "--time", "0", self.path("in"), preexec_fn=MEMORY_LIMIT)
        self.assertEqual(result.returncode, 1)
        for name in "big.glb", "big.gltf":
            self.assertIn("%s: is too large: there is not enough memory for its 322,122,547,200 bytes\n" % self.path("in", name), result.stderr)
        self.assertIn("small.glb", result.stdout)
        self.assertNotIn("out of memory", result.stderr)
        bundle = self.put("huge.qsb", b"QSB")
        os.truncate(bundle, 300 << 30)
        self.assertIn("huge.qsb: is too large: ", run("info", bundle, preexec_fn=MEMORY_LIMIT).stderr)

    def test_hostile_folders(self):
        self.put("in/a.glb", small())
        self.compress(self.path("in"))
        whole, manifest = listing(self.out()), self.manifest("a.glb")
        victim, notes = self.put("victim", b"mine"), self.put("out/a.glb/notes.txt", b"mine")
        os.mkfifo(self.path("fifo"))
        for change in (
            {"output": "notes.txt"}, {"output": "quatsimd.json"}, {"output": "../../victim"}, {"output": "../../fifo"}, {"output": ""}, {"output": 3},
            {"bytes": 0, "xxh64": "", "output": "gone.qsc"}, {"bytes": -1}, {"bytes": 1e300}, {"keys": None}, {"worst_rotation_error_degrees": 1e999},
        ):
            changed = dict(manifest, animations=[dict(manifest["animations"][0], **change)], hash="another")
            self.put("out/a.glb/quatsimd.json", json.dumps(changed).encode())
            self.compress("--report", self.path("page.html"), self.path("in"))
            found = listing(self.out())
            self.assertEqual(found.pop("a.glb/notes.txt"), hashlib.sha256(b"mine").hexdigest())
            self.assertEqual(found, whole, change)
        os.remove(notes)
        for name in "Walk.qsc", "quatsimd.json":
            for make in (lambda path: os.symlink(victim, path), os.mkfifo, os.mkdir):
                os.remove(self.out("a.glb", name))
                make(self.out("a.glb", name))
                self.assertIn("out/a.glb/%s: is in the way and is not a regular file" % name, self.compress(self.path("in"), status=1).stderr)
                (os.rmdir if os.path.isdir(self.out("a.glb", name)) else os.remove)(self.out("a.glb", name))
                self.compress(self.path("in"))
                self.assertEqual(listing(self.out()), whole)
        with open(victim, "rb") as file:
            self.assertEqual(file.read(), b"mine")

    def test_manifests_that_name_files_elsewhere(self):
        """All else of them is right: the folder is done again, and those files stay."""
        contents = [small(), small("Run")]
        self.put("in/a.glb", contents[0])
        self.put("in/b.glb", small(seed=2))
        self.compress(self.path("in"))
        for name in ".hidden.qsc", "sub/Walk.qsc":
            self.put("out/a.glb/" + name, self.read("b.glb", "Walk.qsc"))
        manifest, other, before = self.manifest("a.glb"), self.manifest("b.glb")["animations"][0], listing(self.out())
        for name in "../b.glb/Walk.qsc", ".hidden.qsc", "sub/Walk.qsc":
            for content in contents:
                named = dict(manifest, animations=[*manifest["animations"], dict(other, output=name)])
                self.put("out/a.glb/quatsimd.json", json.dumps(named).encode())
                self.put("in/a.glb", content)
                result = self.compress(self.path("in", "a.glb"))
                self.assertIn("1 file: 1 compressed, 0 up to date", result.stdout)
                self.assertEqual(listing(self.out())[os.path.normpath(os.path.join("a.glb", name))], before["b.glb/Walk.qsc"])
                if content == contents[1]:
                    os.remove(self.out("a.glb", "Run.qsc"))

    def test_few_files_may_be_open(self):
        for i in range(60):
            self.put("in/%02d.glb" % i, small(seed=i + 1))
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        self.assertIn("60 compressed", self.compress("--jobs", "2000", self.path("in"), preexec_fn=limit).stdout)

    def test_two_runs_at_once(self):
        for i in range(60):
            self.put("in/%03d.glb" % i, small(seed=i + 1))
        runs = [subprocess.Popen([TOOL, "compress", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL) for _ in range(3)]
        self.assertEqual([process.wait() for process in runs], [0, 0, 0])
        self.assertIn("60 up to date", self.compress(self.path("in")).stdout)
        self.assertFalse([path for path in listing(self.out()) if "/.quatsimd" in path])

    def test_deep_folders(self):
        self.put("in/" + "d/" * 100 + "a.glb", small())
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        self.assertIn("1 compressed", self.compress(self.path("in"), preexec_fn=limit).stdout)

    def test_no_place(self):
        file = self.put("x.glb", small())
        blocked = self.put("blocked", b"")
        result = run("compress", "-o", os.path.join(blocked, "out"), file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("blocked: cannot make the directory: there is a file of that name", result.stderr)
        self.put("out/x.glb", b"in the way")
        result = self.compress(file, status=1)
        self.assertIn("out/x.glb: cannot make the directory: there is a file of that name", result.stderr)
        self.assertEqual(self.read("x.glb"), b"in the way")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only(self):
        self.put("in/a.glb", small())
        os.mkdir(self.out(), 0o500)
        self.assertIn("out/a.glb: cannot make the directory: Permission denied", self.compress(self.path("in"), status=1).stderr)

    def test_full_disk(self):
        os.mkdir(self.out())
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", self.out()], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("cannot mount a small tmpfs")
        self.addCleanup(subprocess.run, ["umount", self.out()], check=True)
        content = small(joints=8, keys=200)
        for i in range(20):
            self.put("in/%02d.glb" % i, content)
        result = self.compress(self.path("in"), "--jobs", "2", status=1)
        self.assertRegex(result.stderr, r"out/\d\d\.glb/(Walk\.qsc|quatsimd\.json|skeleton\.qsk): cannot write: No space left on device")
        whole = [name for name in os.listdir(self.out()) if os.path.exists(self.out(name, "quatsimd.json"))]
        self.assertGreater(len(whole), 3)
        for name in whole:  # what was finished stays
            self.assertEqual(self.manifest(name)["animations"][0]["bytes"], len(self.read(name, "Walk.qsc")))
        self.assertFalse([path for path in listing(self.out()) if "/.quatsimd" in path])

    def test_unwritten(self):
        """Where one file cannot be written, all that was made before stays: no clip is beside another's skeleton."""
        nodes, curves = animation(2, 9)
        _, long = animation(8, 400)
        save = lambda **animations: self.put("in/a.glb", glb_of(*gltf_tree(animation(8, 9)[0], animations)))
        save(Jump=curves, Run=long, Walk=curves)
        self.compress(self.path("in"))
        before, size = listing(self.out()), len(self.read("a.glb", "Run.qsc"))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, size - 1))

        save(Run=long, Walk=curves)
        result = self.compress("--rotation", "0.001", self.path("in"), status=1, preexec_fn=limit)
        self.assertIn("a.glb/Run.qsc: cannot write: File too large\n", result.stderr)
        self.assertIn("1 file: 0 compressed, 0 up to date, 0 in which no node moves, 1 failed\n", result.stdout)
        self.assertNotIn("removed", result.stderr)
        self.assertEqual(listing(self.out()), before)
        self.assertIn("removed 1 file", self.compress(self.path("in")).stderr)  # all is well again

    def test_stopped_while_files_are_replaced(self):
        """By a call that fails or by its death, at each of them: the next run takes what is there for its own."""
        nodes, curves = animation(3, 9)
        save = lambda *names: self.put("in/a.glb", glb_of(*gltf_tree(nodes, {name: curves for name in names})))
        other = "--rotation", "1"
        save("Run", "Walk")
        self.compress(*other, self.path("in"))
        wanted = listing(self.out())
        calls = ["rename %d" % call for call in range(1, 6)]
        for former, calls in ((), calls), (("Jump", "Walk"), [*calls, "unlink 1"]):
            for how in "", "kill ":
                for call in calls:
                    with self.subTest(former=former, call=how + call):
                        shim = with_failing(self, how + call)
                        shutil.rmtree(self.out())
                        if former:
                            save(*former)
                            self.compress(self.path("in"))
                            save("Run", "Walk")
                        stopped = run("compress", "-o", self.out(), self.path("in"), env=shim)
                        self.assertEqual(stopped.returncode, 1)
                        if how:
                            self.assertIn("the process that compressed it was ended by signal 9", stopped.stderr)
                        else:
                            self.assertRegex(stopped.stderr, r"out/a\.glb/\w+\.\w+: (cannot write|is of an earlier run and cannot be removed): Input/output error\n$")
                            self.assertFalse([name for name in os.listdir(self.out("a.glb")) if name.startswith(".")])
                        self.assertEqual(os.path.exists(self.out("a.glb", "Jump.qsc")), former != () and call != "rename 5")
                        if os.path.exists(self.out("a.glb", "Walk.qsc")) and call != "rename 1":
                            said = run("verify", self.out()).stderr
                            self.assertIn("a run of compress replaces these files, or could not do so to the end; run it again", said)
                        self.compress(*other, self.path("in"))
                        self.assertEqual(listing(self.out()), wanted)

    def test_closed_streams(self):
        for name in "abc":
            self.put("in/%s.glb" % name, small())
        for stream in 1, 2:
            result = run("compress", "-o", self.out(str(stream)), self.path("in"), preexec_fn=lambda: os.close(stream))
            self.assertEqual(result.returncode, 1 if stream == 1 else 0)
            self.assertEqual(sorted(os.listdir(self.out(str(stream)))), ["a.glb", "b.glb", "c.glb"])

    def test_killed(self):
        """Its workers do not go on beside the next run."""
        nodes, curves = animation(40, 15000)
        self.put("in/huge.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))
        self.put("in/a.glb", small())
        process = subprocess.Popen([TOOL, "compress", "--object", "0.01@3", "--jobs", "2", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL)
        while not os.path.exists(self.out("a.glb", "quatsimd.json")):
            time.sleep(0.01)
        with open("/proc/%d/task/%d/children" % (process.pid, process.pid)) as file:
            children = file.read().split()
        self.assertEqual(len(children), 2)

        def lives(child):  # and is not a zombie that nobody has asked for
            try:
                with open("/proc/%s/stat" % child) as file:
                    return file.read().rsplit(")", 1)[1].split()[0] != "Z"
            except FileNotFoundError:
                return False

        self.assertTrue(any(map(lives, children)))
        process.kill()
        process.wait()
        until = time.monotonic() + 1  # huge.glb takes many seconds
        while any(map(lives, children)) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse(any(map(lives, children)))

    def test_interrupt(self):
        content = small(joints=8, keys=200)
        for i in range(300):
            self.put("in/%03d.glb" % i, content)
        process = subprocess.Popen([TOOL, "compress", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL, start_new_session=True)
        while len(os.listdir(self.out()) if os.path.exists(self.out()) else []) < 20:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(), -signal.SIGINT)
        time.sleep(0.2)
        self.assertFalse([path for path in listing(self.out()) if "/.quatsimd" in path])

    def test_dead_worker(self):
        """A process that dies takes one file with it, and no other."""
        for i in range(6):
            self.put("in/%d.glb" % i, small(seed=i + 1))
        nodes, curves = animation(40, 15000)
        self.put("in/huge.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (1, 1))  # of each process

        # a bound in object space takes seconds here
        result = self.compress("--object", "0.01@3", self.path("in"), "--jobs", "2", status=1, preexec_fn=limit)
        self.assertRegex(result.stderr, r"huge\.glb: the process that compressed it was ended by signal \d+")
        self.assertIn("7 files: 6 compressed, 0 up to date, 0 in which no node moves, 1 failed", result.stdout)


if __name__ == "__main__":
    unittest.main()
