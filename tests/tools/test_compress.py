"""Tests of `quatsimd compress`: what it makes, and what it says of files that it cannot use."""
import json
import math
import os
import resource
import subprocess

import numpy as np

from support.command import MEMORY_LIMIT, TOOL, data, limited_memory, model, run
from support.compressing import Case, animation, listing, small
from support.gltf import glb_of, gltf_tree
from support.page import page_run


def spoiled(curves):
    """The curves with a key that is not a number."""
    return [(node, path, times, np.where(np.arange(len(times))[:, None] == 4, np.nan, v), None) for node, path, times, v, _ in curves]


class Compress(Case):
    def report(self, *arguments, status=0):
        return self.json("compress", *arguments, status=status)

    def bundle(self, *names):
        return self.json("info", self.path(*names))[0]

    def clips(self, *names):
        return [clip["name"] for clip in self.bundle(*names)["clips"]]

    def same(self, a, b, where="report"):
        """Records have six digits of errors."""
        self.assertEqual(type(a), type(b), where)
        if isinstance(a, dict):
            self.assertEqual(list(a), list(b), where)
            for key in a:
                self.same(a[key], b[key], "%s.%s" % (where, key))
        elif isinstance(a, list):
            for i, (one, other) in enumerate(zip(a, b, strict=True)):
                self.same(one, other, "%s[%d]" % (where, i))
        elif isinstance(a, float):
            self.assertTrue(math.isclose(a, b, rel_tol=6e-6), (where, a, b))
        else:
            self.assertEqual(a, b, where)

    def test_same_figures_however_they_are_found(self):
        """Written and read from the record of a bundle. Clips by themselves are larger."""
        for name, *call in ("Fox.qsb", "--object", "0.0054@1.62", data("khronos/Fox.glb")), ("01_03.qsb", model("BVH/01_03.bvh")):
            path, measured = self.out(name), self.report("--time", "0", *call)
            written, again = (self.report("-o", self.out(), *call) for _ in range(2))
            for report, current in (measured, False), (written, False), (again, True):
                for entry in [report["all"], *report["animations"]]:
                    speed = entry.pop("encode_keys_per_second")
                    self.assertTrue(speed is None if current else speed > 0)
                    self.assertLessEqual(entry["worst_object_error"], report["object_bound"])
                for bundle in report["bundles"]:
                    found = bundle["output"], bundle.pop("up_to_date"), bundle["clips"]
                    self.assertEqual(found, (path, current, len(report["animations"])))
                    self.assertEqual(os.path.getsize(path), bundle["bytes"] + bundle["record_bytes"])
            self.same(written, again)
            self.assertEqual((measured["bundles"], len(written["bundles"])), ([], 1))
            for one, other in zip([measured["all"], *measured["animations"]], [written["all"], *written["animations"]], strict=True):
                for key in {*one} - {"clip", "bytes", "bits_per_key", "times_smaller", "of_bound", "nearest"}:
                    if not key.startswith("worst"):
                        self.assertEqual(one[key], other[key], key)
                self.assertGreater(one["bytes"], other["bytes"])
            bytes_of = sorted((entry["clip"], entry["bytes"]) for entry in written["animations"])
            self.assertEqual([(clip["name"], clip["bytes"]) for clip in self.bundle("out", name)["clips"]], bytes_of)

    def test_folders_and_lines(self):
        files = "a/avatar.vrm", "a/dance.VRMA", "a/one.glb", "a/ONE.vrm", "two.GLB", "two.x.glb"
        for seed, name in enumerate(files):
            self.put("in/" + name, small(seed=seed))
        self.put("in/notes.txt", b"no animation")
        self.put("in/.hidden.glb", b"")
        os.symlink("..", self.path("in", "a", "round"))  # not followed, which could go round for ever
        os.makedirs(self.path("in", "below"))
        os.symlink(self.path("in", "two.GLB"), self.path("in", "below", "link.glb"))
        lines = self.compress(self.path("in") + "/").stdout.splitlines()
        bundles = ["a/ONE.vrm.qsb", "a/avatar.qsb", "a/dance.qsb", "a/one.glb.qsb", "below/link.qsb", "two.qsb", "two.x.qsb"]
        for name, line in zip(bundles, lines):
            self.assertRegex(line, r"^%s: [\d,]+ bytes, 1 clip$" % self.out(name))
        text = "\n".join(lines[7:])
        self.assertRegex(text, r"off by at most [\d.]+ degrees, \S+ in translation, 0 in scale\n")
        self.assertRegex(text, r"\n7 clips, 560 keys: [\d,]+ bytes as 7 bundles, skeletons included, [\d.]+ times smaller\n")
        self.assertIn("\n1 in the folders left out, whose names do not end as those of animations\n", text)
        self.assertEqual(sorted(listing(self.out())), bundles)

    def test_one_bundle(self):
        """Clips are called as their files, and as their animations where a file has several."""
        nodes, curves = animation(3, 9)
        self.put("in/run/fast.glb", small(seed=1))
        self.put("in/moves.glb", glb_of(*gltf_tree(nodes, {"Jump": curves, "Sit": curves})))
        other = self.put("more/moves.glb", small("Roll", seed=2))
        self.put("in/run/fast.vrm", small(seed=3))
        bundle = self.path("sub", "all.qsb")
        said = self.good("compress", "-o", bundle, self.path("in"), other)
        self.assertRegex(said.stdout, r"^%s: [\d,]+ bytes, 5 clips\n" % bundle)
        self.assertIn(" bytes as 1 bundle", said.stdout)
        self.assertEqual(os.listdir(self.path("sub")), ["all.qsb"])
        self.assertEqual(self.clips("sub", "all.qsb"), ["moves", "moves/Jump", "moves/Sit", "run/fast", "run/fast-2"])
        files = self.bundle("sub", "all.qsb")["making"]["files"]
        made = {file["path"]: (file["name"], [c["clip"] for c in file["clips"]]) for file in files}
        wanted = {
            "../in/moves.glb": ("moves.glb", ["moves/Jump", "moves/Sit"]),
            "../in/run/fast.glb": ("run/fast.glb", ["run/fast"]),
            "../in/run/fast.vrm": ("run/fast.vrm", ["run/fast-2"]),
            "../more/moves.glb": ("moves.glb", ["moves"]),
        }
        self.assertEqual(made, wanted)
        self.assertIn("5 within their bounds", self.good("verify", bundle).stdout)
        again = self.good("compress", "-o", bundle, self.path("in"), other)
        self.assertEqual((again.stdout.splitlines()[0], again.stderr), (bundle + ": up to date", ""))
        os.remove(other)
        self.put("in/run/fast.vrm", small(seed=3, joints=4))
        self.bad(1, "compress", "-o", bundle, self.path("in"), says=["fast.vrm: ", "all.qsb: is not written: 1 animation or file failed"])

    def test_up_to_date(self):
        one, _ = self.put("in/one.glb", small()), self.put("in/two.glb", small(seed=2))
        bundles = self.out("one.qsb"), self.out("two.qsb")

        def expect(*made, why="", options=()):
            """Bundles 0 and 1 of those are made, and the others are up to date."""
            result = self.compress(*options, self.path("in"))
            for i, bundle in enumerate(bundles):
                self.assertIn(bundle + (": up to date\n" if i not in made else ": "), result.stdout)
                self.assertEqual(bundle + ": up to date" in result.stdout, i not in made)
                self.assertEqual("quatsimd: %s: is replaced: %s\n" % (bundle, why) in result.stderr, bool(why) and i in made)
            self.assertEqual(result.stderr.count("\n"), len(made) if why else 0)
            self.assertEqual("; %d up to date" % (2 - len(made)) in result.stdout, len(made) < 2)

        expect(0, 1)
        first = listing(self.out())
        expect()
        os.utime(one)  # another time, the same content
        expect()
        self.assertEqual(listing(self.out()), first)
        with open(bundles[0], "r+b") as file:
            file.seek(200)
            file.write(b"damage")
        expect(0, why="it is damaged")
        os.remove(bundles[1])
        expect(1)
        self.assertEqual(listing(self.out()), first)
        expect(0, 1, why="it was made by other options", options=["--rotation", "0.1deg"])
        expect(options=["--rotation", "0.1"])
        expect(0, 1, why="it was made by other options")
        self.assertEqual(listing(self.out()), first)
        nodes, curves = animation(2, 9)
        self.put("in/two.glb", glb_of(*gltf_tree(nodes, {"Run": curves, "Jump": curves})))
        expect(1, why="it was made of other files")
        self.assertEqual(self.clips("out", "two.qsb"), ["Jump", "Run"])  # not Walk
        self.good("extract", bundles[0], "-o", self.path("parts"))
        self.good("bundle", "--skeleton", self.path("parts", "skeleton.qsk"), "-o", bundles[0], self.path("parts", "Walk.qsc"))
        expect(0, why="it does not say how it was made")

    def test_release(self):
        """The record has neither names nor paths, and is enough to know that the bundle is up to date."""
        self.put("in/secret.glb", small())
        whole = self.compress(self.path("in"))
        self.assertRegex(whole.stdout, r"\n[\d,]+ bytes more say what was made of what, and how near; --release leaves them out\n$")
        clips = self.bundle("out", "secret.qsb")["clips"]
        said = self.compress("--release", self.path("in"))
        self.assertIn("secret.qsb: is replaced: ", said.stderr)
        self.assertNotIn("other files", said.stderr)  # nor by other ones: they are the same
        self.assertNotIn("--release", said.stdout)
        bundle = self.bundle("out", "secret.qsb")
        self.assertEqual(bundle["clips"], clips)
        self.assertEqual(sorted(bundle["making"]), ["digest", "files", "quatsimd", "record"])
        self.assertEqual([bundle["making"]["files"][0][key] for key in ("object_bound", "object_distance")], [0.0001, 0.03])
        self.assertNotIn(b"secret", self.read("secret.qsb"))
        again = self.compress("--release", self.path("in"))
        self.assertEqual((again.stdout.splitlines()[0], again.stderr), (self.out("secret.qsb") + ": up to date", ""))
        for nonsense in "no node moves", "inf ", "nan ":
            self.assertNotIn(nonsense, again.stdout)

    def test_buffers_beside(self):
        nodes, curves = animation(2, 9)
        tree, content = gltf_tree(nodes, {"Walk": curves})
        tree["buffers"][0]["uri"] = "some%20bytes.bin"
        self.put("in/a.gltf", json.dumps(tree).encode())
        self.put("in/some bytes.bin", content)
        self.compress(self.path("in"))
        first = self.read("a.qsb")
        self.put("in/some bytes.bin", content[:-24] + bytes(24))
        self.assertIn("is replaced: it was made of other files", self.compress(self.path("in")).stderr)
        self.assertNotEqual(self.read("a.qsb"), first)
        self.assertIn("a.qsb: up to date", self.compress(self.path("in")).stdout)
        self.put("in/a.gltf", glb_of(tree, b""))  # the same of a .glb
        self.compress(self.path("in"))
        self.put("in/some bytes.bin", content)
        self.assertIn("is replaced: it was made of other files", self.compress(self.path("in")).stderr)
        os.remove(self.path("in", "some bytes.bin"))
        says = "a.gltf: cannot open %s: No such file or directory\n" % self.path("in", "some bytes.bin")
        self.assertTrue(self.compress(self.path("in"), status=1).stderr.endswith(says))

    def test_buffers_beside_however_they_are_written(self):
        """Escapes in the JSON hide no file."""
        nodes, curves = animation(2, 9)
        tree, content = gltf_tree(nodes, {"Walk": curves})
        tree["buffers"][0]["uri"] = "a.bin"
        for i, key in enumerate((b'"uri"', b'"\\u0075ri"', b'"ur\\u0069"', b'"u\\u0072i"', b'"\\u0075\\u0072\\u0069" ')):
            written = json.dumps(tree).encode().replace(b'"uri"', key)
            self.assertEqual(json.loads(written), tree)
            self.put("in/text%d.gltf" % i, written)
            self.put("in/binary%d.glb" % i, glb_of(written, b""))
        for changed, current in (content, 0), (content[:-24] + bytes(24), 0), (content[:-24] + bytes(24), 10):
            self.put("in/a.bin", changed)
            self.assertEqual(self.compress(self.path("in")).stdout.count(": up to date\n"), current)

    def test_broken_ones(self):
        good = small()
        nodes, curves = animation(2, 9)
        self.put("in/a.glb", good[: len(good) // 2])
        self.put("in/b.glb", good)
        self.put("in/c.glb", b"")
        self.put("in/still.glb", glb_of(*gltf_tree(nodes, {})))
        self.put("in/part.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Fall": spoiled(curves)})))
        none = self.path("in", "none.glb")
        what = "in/a.glb: ", "in/c.glb: ", none + ": cannot open: No such file", 'animation 1, Fall: rotation of "joint 0", key 4: '
        for _ in range(2):  # a second run reports them again
            result = self.compress(self.path("in"), none, status=1)
            for text in what:
                self.assertIn(text, result.stderr)
            for text in "b.glb", "still.glb":
                self.assertNotIn(text, result.stderr)
            part = "quatsimd: %s: is not written: 1 animation or file failed; --partial writes it without\n" % self.out("part.qsb")
            self.assertIn(part, result.stderr)
            said, again = result.stderr.split("quatsimd: 4 failed:\n")  # once more at the end
            for line in again.splitlines():
                self.assertIn(line + "\n", said)
            self.assertEqual(len(again.splitlines()), 4)
            self.assertEqual(os.listdir(self.out()), ["b.qsb"])
        report = self.report("-o", self.out(), self.path("in"), none, status=1)
        self.assertEqual(["quatsimd: " + text for entry in report["failures"] for text in entry["messages"]], again.splitlines())
        wanted = [(self.path("in", name + ".glb"), reason) for name, reason in (("a", "file"), ("c", "file"), ("part", "animation"))]
        self.assertEqual([(entry["file"], entry["reason"]) for entry in report["failures"]], [("", "file"), *wanted])
        self.assertEqual([(b["output"], b["up_to_date"]) for b in report["bundles"]], [(self.out("b.qsb"), True)])
        # bundles that were made of a file before it broke stay
        self.put("in/b.glb", good[:-50])
        before = listing(self.out())
        self.compress(self.path("in"), status=1)
        self.assertEqual(listing(self.out()), before)

    def test_a_missing_file_is_a_failure(self):
        """A bundle of several files stays as it was."""
        bundle = self.path("all.qsb")
        paths = [self.put("in/%d.glb" % i, small(seed=i + 1)) for i in range(2)]
        self.good("compress", "-o", bundle, *paths)
        before = self.content(bundle)
        os.remove(paths[1])
        self.bad(1, "compress", "-o", bundle, *paths, says=["1.glb: cannot open", "all.qsb: is not written: 1 animation or file failed"])
        self.assertEqual(self.content(bundle), before)
        self.assertEqual(run("compress", "--partial", "-o", bundle, *paths).returncode, 1)
        self.assertNotIn("up to date", run("compress", "-o", bundle, paths[0]).stdout)

    def test_patterns_stay_apart(self):
        """Two names of animations are not one that has both in it."""
        bundle, path = self.path("hero.qsb"), self.put("in/a.glb", small())
        self.good("compress", "--animation", "W*", "--animation", "Wa*", "-o", bundle, path)
        self.bad(1, "compress", "--animation", "W* animation Wa*", "-o", bundle, path, says='no animation is called "W* animation Wa*"')

    def test_partial(self):
        """Bundles without what failed are never up to date."""
        nodes, curves = animation(2, 9)
        part = self.put("in/part.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Run": curves})))
        self.compress(part)
        before = listing(self.out())
        self.put("in/part.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Fall": spoiled(curves)})))
        self.compress(part, status=1)
        self.assertEqual(listing(self.out()), before)  # what there was stays
        for why in "is replaced: it was made of other files\n", "":
            stderr = self.compress("--partial", part, status=1).stderr
            self.assertIn("part.qsb: is written without 1 that failed\n", stderr)
            self.assertIn(why, stderr)
            self.assertEqual("other files" in stderr, bool(why))
            self.assertEqual(self.clips("out", "part.qsb"), ["Walk"])
        self.compress(part, status=1)
        self.assertEqual(self.clips("out", "part.qsb"), ["Walk"])

    def test_part_of_several_files(self):
        nodes, curves = animation(2, 9)
        self.put("in/part.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Fall": spoiled(curves)})))
        self.put("in/z.glb", small()[:100])  # the skeleton is that of the first file
        bundle = self.path("all.qsb")
        says = "all.qsb: is not written: 2 animations or files failed; --partial writes"
        self.bad(1, "compress", "-o", bundle, self.path("in"), says=says)
        result = run("compress", "--partial", "-o", bundle, self.path("in"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("all.qsb: is written without 2 that failed\n", result.stderr)
        self.assertEqual(self.clips("all.qsb"), ["part"])
        os.remove(bundle)
        self.bad(1, "compress", "--partial", "-o", bundle, self.path("in", "z.glb"), says="z.glb: the file is cut off")

    def test_same_names(self):
        one, two = self.put("a/x.glb", small()), self.put("b/x.glb", small(seed=2))
        for operands in [one, two], [self.path("a"), self.path("b")]:
            self.assertIn("x.glb: has the same name as ", self.compress(*operands, status=1).stderr)
            self.assertFalse(os.path.exists(self.out()))
        self.assertIn("1 clip, ", self.compress(one, self.path("a"), self.path("a", "..", "a", "x.glb")).stdout)  # one file

    def test_nothing(self):
        os.mkdir(self.path("in"))
        self.put("in/notes.txt", b"")
        self.assertIn("in: no file has a name that ends as those of animations", self.compress(self.path("in"), status=1).stderr)
        for options in [], ["--report", self.path("page.html")], ["--json"]:
            result = self.compress(*options, self.path("none.glb"), status=1)
            says = "quatsimd: %s: cannot open: No such file or directory\n" % self.path("none.glb")
            self.assertEqual((result.stdout, result.stderr), ("", says))
        self.assertEqual(os.listdir(self.path()), ["in"])
        still = self.put("in/still.glb", glb_of(*gltf_tree(animation(2, 9)[0], {})))
        self.assertIn("no node moves", self.compress(still).stdout)
        self.assertFalse(os.path.exists(self.out()))
        self.bad(1, "compress", "-o", self.path("still.qsb"), still, says="still.qsb: is not written: no node moves in any file")

    def test_empty(self):
        """Animations in which nothing moves are named."""
        nodes, curves = animation(2, 9)
        file = self.put("in/a.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "Take 001": []})))
        says = "quatsimd: %s: animation %d, Take 001, moves no joint of the skeleton and is left out\n"
        self.assertEqual(self.compress(file).stderr, says % (file, 1))
        unnamed = self.put("in/b.glb", glb_of(*gltf_tree(nodes, {"Walk": curves, "": []})))
        self.assertIn("b.glb: animation 1 moves no joint of the skeleton and is left out\n", self.compress(unnamed).stderr)
        file = self.put("in/a.glb", glb_of(*gltf_tree(nodes, {"Take 001": []})))
        self.bad(1, "compress", "-o", self.path("new.qsb"), file, says=[says % (file, 0), "no node moves in any file"])

    def test_below_a_scale_of_0(self):
        """There a bound of points keeps no motion, and a message says so; bounds of curves do."""
        nodes, curves = animation(4, 9)
        for joint, scale, count in (1, [0, 0, 0], 2), (2, [0, 0, 0], 1), (3, [0, 0, 0], 0), (1, [1, 0, 1], 0):
            scaled = [dict(node, scale=scale) if n == joint else node for n, node in enumerate(nodes)]
            for more, never in ([], False), ([(joint, "scale", [0, 0.1], [[1.0, 1, 1], scale], None)], True):
                file = self.put("in/a.glb", glb_of(*gltf_tree(scaled, {"Walk": curves + more})))
                said = self.compress("--partial", file).stderr
                says = 'animation 0, Walk: "%s" %s below a joint whose scale is 0' % (
                    nodes[min(joint + 1, 3)]["name"],
                    "and others move" if count > 1 else "moves",
                )
                self.assertEqual(says in said, count > 0 and not never, said)
                self.assertEqual(self.compress("-r", "0.1", "-t", "0.01", "-s", "0.01", file).stderr.count("below a joint"), 0)

    def test_larger(self):
        """A clip and a bundle that are larger than their keys."""
        file = self.put("in/a.glb", small(joints=1, keys=2))
        words = lambda of, raw: "%.2f times larger" % (of["bytes"] / raw["raw_bytes"])
        clip = self.report("--time", "0", file)["all"]
        table = run("compress", "--time", "0", file).stdout
        self.assertEqual((table.count(words(clip, clip)), table.count("smaller")), (1, 0), table)
        report = self.report("-o", self.out(), file)
        said = self.compress(file).stdout  # up to date
        self.assertEqual((said.count(words(report["bundles"][0], clip)), said.count("smaller")), (1, 0), said)

    def test_in_the_way(self):
        """No other file is replaced, and no input."""
        file = self.put("in/a.glb", small())
        self.put("in/mine.html", b"mine")
        self.put("former/quatsimd.json", b"{}")
        for out, status, says in (
            (self.path("former"), 1, "former/quatsimd.json: is of quatsimd 0.1, "),
            (self.path("in"), 2, "-o: %s is itself to be compressed" % self.path("in")),
            (file, 2, '-o: "%s" is neither a folder nor a bundle (.qsb); --glb writes glTF' % file),
            (self.path("a.qsc"), 2, '-o: "%s" is neither a folder nor a bundle (.qsb)' % self.path("a.qsc")),
            (self.path("in", "mine.html"), 1, "mine.html: cannot make the directory: there is a file of that name"),
            (self.path("in", "mine.html", "b.qsb"), 1, "mine.html: cannot make the directory: there is a file of that name"),
        ):
            with self.subTest(out):
                before = listing(self.path())
                self.assertEqual(self.bad(status, "compress", "-o", out, self.path("in"), says=says).stdout, "")
                self.assertEqual(listing(self.path()), before)
        os.mkdir(self.path("out.glb"))  # an existing folder may be called as it likes
        self.good("compress", "-o", self.path("out.glb"), file)
        self.assertEqual(os.listdir(self.path("out.glb")), ["a.qsb"])
        self.assertEqual(run("compress", "-o", ".", "a.glb", cwd=self.path("in")).returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("in"))), ["a.glb", "a.qsb", "mine.html"])
        for page in file, self.out("a.qsb"):
            self.bad(1, "compress", "-o", self.out(), "--report", page, file, says=os.path.basename(page) + ": is ")
        victim, bundle = self.put("victim", b"mine"), self.out("a.qsb")
        os.mkdir(self.out())
        for out in self.out(), bundle:
            for make in lambda: os.symlink(victim, bundle), lambda: os.mkdir(bundle), lambda: self.put("out/a.qsb", b"mine"):
                make()
                says = "a.qsb: is in the way and is not a bundle: move it away, or give another output\n"
                self.bad(1, "compress", "-o", out, file, says=says)
                (os.rmdir if os.path.isdir(bundle) else os.remove)(bundle)
                self.assertEqual(self.content(victim), b"mine")

    def test_messages_stay_apart(self):
        """Of several threads, on a terminal and elsewhere."""
        for i in range(100):
            self.put("in/%02d.glb" % i, b"broken")
        lines = self.compress("--jobs", "8", self.path("in"), status=1).stderr.splitlines()
        self.assertEqual((len(lines), lines[100], lines[:100]), (201, "quatsimd: 100 failed:", lines[101:]))
        self.assertTrue(all(line.startswith("quatsimd: ") and line.count("quatsimd: ") == 1 for line in lines))
        command = "%s compress --jobs 2 -o %s %s" % (TOOL, self.out(), self.path("in"))
        text = subprocess.run(["script", "-qc", command, "/dev/null"], stdout=subprocess.PIPE).stdout.decode()
        shown = [part for part in text.replace("\r\n", "\r\x1b[K").split("\r\x1b[K") if "reading" in part]
        self.assertEqual(shown, ["reading %d of 100: %02d.glb" % (i + 1, i) for i in range(100)])

    def test_usage(self):
        file = self.put("x.glb", small())
        for arguments, what in (
            (["--release", file], "--release needs -o OUT"),
            (["--partial", file], "--partial needs -o OUT"),
            (["--report", self.path("page.html"), file], "--report needs -o OUT"),
            (["--jobs", "-1", "-o", self.out(), file], "--jobs: -1 is not from 1 to 10000"),
            (["--jobs", "0", "-o", self.out(), file], "--jobs: 0 is not from 1 to 10000"),
            (["-o", "", file], "-o: the name is empty"),
            (["-o", self.path("."), self.path("")], "is itself to be compressed"),
            (["--object", "1@1", "--scale", "1", "-o", self.out(), file], "--object does not go with --rotation, --translation or --scale"),
        ):
            self.bad(2, "compress", *arguments, says=what)

    def test_object(self):
        nodes, curves = animation(2, 9)
        result = self.compress("--object", "0.01cm@3cm", self.put("in/a.glb", small(joints=5)))
        made = self.bundle("out", "a.qsb")["making"]["files"][0]
        self.assertAlmostEqual(made["object_bound"], 0.0001)
        self.assertAlmostEqual(made["object_distance"], 0.03)
        self.assertIsNone(made["rotation_bound_degrees"])
        self.assertLessEqual(made["clips"][0]["worst"][3], 0.0001)
        self.assertRegex(result.stdout, r"at most [\d.]+ of 0.1 mm at 3 cm \(last, [\d.]+ s of Walk\)")
        # the Fox is not in metres; Run turns so fast that exact keys are 0.00022 off between them, which sampling's slerp adds
        report = self.report("--object", "0.3mm@3cm", data("khronos/Fox.glb"))
        self.assertTrue(all(clip["worst_object_error"] <= 0.0003 for clip in report["animations"]))
        self.compress("--object", "1@1", self.put("in/broken.glb", glb_of(*gltf_tree(nodes, {"Walk": spoiled(curves)}))), status=1)
        # a loop that does not close is no matter of the bound, though it would close within a larger one
        for _, _, _, values, _ in curves:
            values[-1] = values[0] + (values.shape[1] == 3) * np.float32(0.02)
        ajar = self.put("in/ajar.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))
        stderr = self.compress("--loop", "--object", "0.01@1", ajar, status=1).stderr
        self.assertIn("the loop does not close", stderr)
        self.assertNotIn("can be held", stderr)

    def test_report(self):
        """Of what is up to date, too, and where other files are broken; and before any work, if it cannot be written."""
        self.put("in/a.glb", small("Fast <walk>"))
        self.put("in/b/c.glb", small(seed=2))
        page = self.path("page.html")
        self.compress("--report", page, self.path("in"))
        (a_clip, c_clip) = page_run(page)["animations"]
        self.assertEqual((a_clip["animation"], c_clip["file"]), ("Fast <walk>", self.path("in", "b/c.glb")))
        self.assertEqual(a_clip["bytes"], self.bundle("out", "a.qsb")["clips"][0]["bytes"])
        self.assertIn("joint 0", [joint["joint"] for joint in a_clip["detail"]["joints"]])
        os.remove(page)
        self.put("in/d.glb", b"broken")
        self.compress("--report", page, self.path("in"), status=1)  # of what is up to date, too
        self.assertEqual(len(page_run(page)["animations"]), 2)
        result = self.compress("--report", self.path("none", "page.html"), self.path("in/a.glb"), status=1)
        self.assertIn("none/page.html: cannot write: No such file or directory", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_changed_files(self):
        a = self.put("in/a.glb", small("Fast <walk>"))
        self.compress(a)
        bundle = self.out("a.qsb")
        for changed in False, True:
            for options in ["--json", bundle], ["--json", bundle, "Fast <walk>"], ["--json", bundle, "--against", a]:
                found = run("verify", *options)
                self.assertEqual((found.returncode, "a.glb: is not the file that " in found.stderr), (0, changed))
                report = json.loads(found.stdout)
                self.assertEqual(report.get("clips", [report])[0]["file_changed"], changed)
            self.put("in/a.glb", small("Fast <walk>") + b"\0\0\0\0")

    @limited_memory
    def test_too_large(self):
        """A file that memory cannot hold is one that fails, and the others are read. It is not read to the end for that."""

        def limit():
            MEMORY_LIMIT()
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

        for name in "big.glb", "big.gltf":
            with open(self.put("in/" + name, b""), "wb") as file:
                file.truncate(300 << 30)
        self.put("in/small.glb", small())
        for memory, says in (
            ("4", "takes more than 4 GB of memory (--reader-memory allows more)"),
            ("0", "is too large: there is not enough memory for its 322,122,547,200 bytes"),
        ):
            for out in ["--time", "0"], ["-o", self.out()]:
                result = run("compress", *out, "--reader-memory", memory, self.path("in"), preexec_fn=limit)
                self.assertEqual(result.returncode, 1)
                for name in "big.glb", "big.gltf":
                    self.assertIn("%s: %s\n" % (self.path("in", name), says), result.stderr)
                self.assertIn("small.", result.stdout)
                self.assertNotIn("out of memory", result.stderr)
        bundle = self.put("huge.qsb", b"QSB")
        os.truncate(bundle, 300 << 30)
        self.assertIn("huge.qsb: is too large: ", run("info", bundle, preexec_fn=limit).stderr)

    def test_few_files_may_be_open(self):
        """Nor is there a file more for each thread, or for each folder above."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        for i in range(60):
            self.put("in/%02d.glb" % i, small(seed=i + 1))
        self.put("in/" + "d/" * 100 + "a.glb", small())
        self.assertIn("61 clips, ", self.compress("--jobs", "2000", self.path("in"), preexec_fn=limit).stdout)

    def test_closed_streams(self):
        for name in "abc":
            self.put("in/%s.glb" % name, small())
        for stream in 1, 2:
            result = run("compress", "-o", self.out(str(stream)), self.path("in"), preexec_fn=lambda: os.close(stream))
            self.assertEqual(result.returncode, 1 if stream == 1 else 0)
            self.assertEqual(sorted(os.listdir(self.out(str(stream)))), ["a.qsb", "b.qsb", "c.qsb"])
