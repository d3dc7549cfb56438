"""Tests of `quatsimd compress`: what it makes, and what it says of files that it cannot use."""
import copy
import hashlib
import json
import os
import re
import resource
import subprocess
import unittest

import numpy as np

from support.command import MEMORY_LIMIT, TOOL, data, model, run
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
        self.assertRegex(
            lines[0],
            r": [\d,]+ bytes, [\d.]+ times smaller, off by at most [\d.]+ degrees, translation \S+, scale 0, object \S+ of 0.0001$",
        )
        self.assertTrue(lines[4].startswith("4 files: 4 compressed, 0 up to date, 0 with nothing to compress, 0 failed"))
        self.assertEqual(lines[5], "1 in the folders left out, whose names do not end as those of animations")
        self.assertEqual(
            sorted(listing(self.out())), [name + file for name in names for file in ("/Walk.qsc", "/quatsimd.json", "/skeleton.qsk")]
        )

    def test_up_to_date(self):
        one, two = self.put("in/one.glb", small()), self.put("in/two.glb", small(seed=2))
        done = "2 files: %d compressed, %d up to date, 0 with nothing to compress, 0 failed"

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
            for what in (
                "a.glb: ",
                "c.glb: ",
                "none.glb: cannot open: No such file",
                'part.glb: animation 1, Fall: rotation of "joint 0", key 4: ',
            ):
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
            self.assertEqual(
                (result.stdout, result.stderr), ("", "quatsimd: %s: cannot open: No such file or directory\n" % self.path("none.glb"))
            )
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
        self.assertIn("is also an input, and would be overwritten", self.compress("--report", file, self.path("in"), status=1).stderr)
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
            text = subprocess.run(
                ["script", "-qc", "stty cols %d; %s" % (columns, command), "/dev/null"], stdout=subprocess.PIPE
            ).stdout.decode()
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
            (["--shard", s, "-o", self.out(), file], '--shard: "%s" is not K/N' % s)
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
        for memory, says in ("4", "takes more than 4 GB of memory (--reader-memory allows more)"), (
            "0",
            "is too large: there is not enough memory for its 322,122,547,200 bytes",
        ):
            result = run("compress", "--time", "0", "--reader-memory", memory, self.path("in"), preexec_fn=MEMORY_LIMIT)
            self.assertEqual(result.returncode, 1)
            for name in "big.glb", "big.gltf":
                self.assertIn("%s: %s\n" % (self.path("in", name), says), result.stderr)
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
            {"output": "notes.txt"},
            {"output": "quatsimd.json"},
            {"output": "../../victim"},
            {"output": "../../fifo"},
            {"output": ""},
            {"output": 3},
            {"bytes": 0, "xxh64": "", "output": "gone.qsc"},
            {"bytes": -1},
            {"bytes": 1e300},
            {"keys": None},
            {"worst_rotation_error_degrees": 1e999},
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
                self.assertIn(
                    "out/a.glb/%s: is in the way and is not a regular file" % name, self.compress(self.path("in"), status=1).stderr
                )
                (os.rmdir if os.path.isdir(self.out("a.glb", name)) else os.remove)(self.out("a.glb", name))
                self.compress(self.path("in"))
                self.assertEqual(listing(self.out()), whole)
        with open(victim, "rb") as file:
            self.assertEqual(file.read(), b"mine")

    def test_few_files_may_be_open(self):
        for i in range(60):
            self.put("in/%02d.glb" % i, small(seed=i + 1))
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        self.assertIn("60 compressed", self.compress("--jobs", "2000", self.path("in"), preexec_fn=limit).stdout)

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

    def test_closed_streams(self):
        for name in "abc":
            self.put("in/%s.glb" % name, small())
        for stream in 1, 2:
            result = run("compress", "-o", self.out(str(stream)), self.path("in"), preexec_fn=lambda: os.close(stream))
            self.assertEqual(result.returncode, 1 if stream == 1 else 0)
            self.assertEqual(sorted(os.listdir(self.out(str(stream)))), ["a.glb", "b.glb", "c.glb"])


if __name__ == "__main__":
    unittest.main()
