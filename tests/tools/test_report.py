"""Tests of the page that `quatsimd compress --report` writes."""
import html.parser
import json
import os
import re
import shutil
import subprocess
import time
import unittest

import numpy as np

from support.clips import Clips
from support.command import BOUNDS, TOOL, data, model, run
from support.gltf import gltf_text, gltf_tree
from support.rotations import turns, walk

NASTY = "<b>&\"'</b>"
VOID = ("br", "meta")
DEGREES = 180 / np.pi


class Page(html.parser.HTMLParser):
    """What is on a page: texts, tables as lists of rows of cells, lines and dots of its charts."""

    def __init__(self, path):
        super().__init__()
        self.open, self.texts, self.tables, self.values = [], [], [], []
        self.charts, self.lines, self.dots, self.headings, self.over = [], [], 0, [], 0
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.feed(self.source)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
            self.values.append([])
        if tag == "tr":
            self.tables[-1].append([])
            self.values[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.values[-1][-1].append(float(attributes["data-v"]) if "data-v" in attributes else None)
        if tag == "svg":
            self.charts.append(attributes["aria-label"])
        if tag == "path":
            kind = attributes.get("class", "")
            self.dots += kind.startswith("dots") or "M" in attributes["d"] and kind in ("", "over")
            self.over += kind == "over"
            if kind.startswith("line"):
                self.lines.append([1000 - float(y) for y in re.findall("[ML][^ ]* ([^MLh]*)", attributes["d"])])
        for name, value in attributes.items():
            assert name not in ("src", "href"), value

    def handle_endtag(self, tag):
        assert tag not in VOID
        assert self.open.pop() == tag, tag

    def handle_startendtag(self, tag, attributes):
        assert tag == "path"  # only in SVG
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_data(self, text):
        if self.open and self.open[-1] in ("style", "script"):
            return
        self.texts.append(text)
        if "table" in self.open and {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += text
        if self.open and self.open[-1] == "h3":
            self.headings.append(text)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


class Report(Clips):
    def page(self, *arguments, status=0):
        """The page and the JSON of the same run, with BOUNDS if there are none."""
        if not {"-r", "--rotation", "--object", "--only"} & set(arguments):
            arguments = [*BOUNDS, *arguments]
        result = run("compress", "--json", "-o", self.path("out"), "--report", self.path("page.html"), *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        page = Page(self.path("page.html"))
        self.assertNotRegex(page.source, "(?i)http|url\\(|@import|<link|<img")
        self.assertNotRegex(page.text, r"(?i)\b(nan|inf)\b")
        self.assertNotRegex(page.source, r'[ ":-](nan|inf)\b')
        return page, json.loads(result.stdout)

    def check_clips(self, page, report):
        """The first table has a row for each animation, and what the JSON says of it."""
        head, *rows = page.tables[0]
        columns = [re.sub(r"\W+", " ", name).strip() for name in head]
        self.assertEqual(len(rows), len(report["animations"]))
        rows = {row[0]: dict(zip(columns, values)) for row, values in zip(rows, page.values[0][1:])}
        for entry in report["animations"]:
            row = rows[entry["animation"] + os.path.basename(entry["file"])]
            for column, value in (
                ("seconds", entry["seconds"]),
                ("frames", entry["frames"]),
                ("joints", entry["joints"]),
                ("keys", sum(entry["keys"].values())),
                ("bytes before", entry["raw_bytes"]),
                ("bytes after", entry["bytes"]),
                ("bits a key", entry["bits_per_key"]),
                ("against floats", entry["times_smaller"]),
                ("rotation errordegrees", entry["worst_rotation_error_degrees"]),
                ("translation errorthe file s unit", entry["worst_translation_error"]),
                ("scale error", entry["worst_scale_error"]),
                ("object space errorthe file s unit", entry["worst_object_error"]),
            ):
                if column in row:
                    np.testing.assert_allclose(row[column], -1 if value is None else value, rtol=1e-8, err_msg=column)
                else:
                    self.assertTrue(column.endswith("error") or "error" in column, column)
                    self.assertIsNone(report[column.split()[0] + "_bound" + "_degrees" * column.startswith("rot")])
        total = report["all"]
        for number in sum(total["keys"].values()), int(total["raw_bytes"]), total["bytes"]:
            self.assertIn(" {:,} ".format(number), page.text)
        ratio = total["times_smaller"]
        words = "%.2f times smaller" % ratio if ratio >= 1 else "%.2f times larger" % (1 / ratio)
        self.assertIn("Against floats " + words, page.text)

    def check_joints(self, page, table, entry):
        """A table of joints adds up to the clip by itself, and has its worst errors."""
        head, *rows = page.values[table]
        clip, stem = self.path("clip.qsc"), os.path.splitext(os.path.basename(entry["file"]))[0]
        self.good("extract", self.path("out", stem + ".qsb"), entry["clip"], "-o", clip)
        self.assertLess(abs(sum(row[1] for row in rows) - os.path.getsize(clip)), 1e-3 * len(rows))
        os.remove(clip)
        self.assertEqual([row[1] for row in rows[:-1]], sorted((row[1] for row in rows[:-1]), reverse=True))
        kinds = ["object"] if entry["worst_object_error"] is not None else ["rotation", "translation", "scale"]
        errors = [entry["worst_%s_error" % kind + "_degrees" * (kind == "rotation")] for kind in kinds]
        worst = [max(column) for column in zip(*(row[2:] for row in rows[:-1]))]
        # the page looks at more times, where errors differ by what floats are rounded
        np.testing.assert_allclose(worst, [e for e in errors if e is not None], rtol=1e-8, atol=3e-8)

    def test_numbers(self):
        page, report = self.page(self.hero())
        self.check_clips(page, report)
        self.assertEqual(len(page.tables), 3)  # all, as there are no more than four
        for table, entry in enumerate(report["animations"], 1):
            self.check_joints(page, table, entry)
            joints = [row[0] for row in page.tables[table][1:]]
            self.assertEqual(sorted(joints[:-1]), ["arm", "hip", "leg"])
        bytes = {row[0]: values[1] for row, values in zip(page.tables[1], page.values[1])}
        self.assertIn(bytes["leg"], [4 + 2 * (4 + value) for value in (4, 5, 6, 8)])  # two keys of its own
        self.assertIn("of 1 file,", page.text)

    def test_details(self):
        page, report = self.page(self.hero())
        self.assertEqual([re.sub(".*: ", "", h) for h in page.headings], ["walk", "wave"])
        titles = [re.sub(r"\..*", "", c) for c in page.charts]
        of_each = ["Error over time", "Before and after", "The difference"]
        self.assertEqual([t.split(":")[0] for t in titles], ["Size and error of each clip", *of_each, *of_each])
        for chart in page.charts:
            self.assertGreater(len(chart), 60)  # says what is to be seen
        # rotation, translation and scale at 31, 31 and 2 times; a curve of 31 keys and its difference
        self.assertEqual(list(map(len, page.lines[:9])), 6 * [30 * 6 + 1] + 3 * [31])
        for line, kind in zip(page.lines, ("rotation_%s_degrees", "translation_%s", "scale_%s")):
            error = report["animations"][0]["worst_" + kind % "error"]
            self.assertAlmostEqual(max(line), 1000 * error / report[kind % "bound"], delta=0.1)
        self.assertIn("31 of 31 keys", page.text)

    def test_names_are_escaped(self):
        page, report = self.page(self.hero(NASTY.replace("/", "") + ".gltf", joint=NASTY, animation=NASTY))
        self.check_clips(page, report)
        self.assertNotIn("<b>", page.source)
        self.assertIn(NASTY, [row[0] for row in page.tables[1]])
        self.assertIn("Before and after: the rotation of “%s”" % NASTY, page.text)
        self.assertTrue(any(NASTY in chart for chart in page.charts))
        self.assertTrue(page.headings[0].endswith(".gltf: " + NASTY), page.headings)

    def test_other_clips(self):
        """Bounds in object space, additive ones, one kind alone, loops; each shows errors of what has bounds alone."""
        hero = self.hero()
        for options, errors in (
            (["--object", "0.01@3"], 1),
            (["--additive", "first"], 3),
            (["--only", "rotation"], 1),
            (["--rate", "100", "-r", "5"], 3),
        ):
            with self.subTest(options):
                page, report = self.page(*options, hero)
                self.check_clips(page, report)
                self.assertEqual(len(page.tables[1][0]), 2 + errors)
                self.check_joints(page, 1, report["animations"][0])

    def test_difference_of_additive_clips(self):
        """What an additive clip is put on is put on for the curves, too: they are as near as the bound."""
        for options in [], ["--additive", "first"]:
            for only in "rotation", "translation":
                page, report = self.page("--only", only, *options, self.hero())
                at = page.source.index("<h4>The difference")
                chart = page.source[at : page.source.index("</figure>", at)]
                ticks = [float(t.replace("−", "-")) for t in re.findall(r"bottom:[^>]*>([^<]*)<", chart)]
                bound = report["rotation_bound_degrees"] if only == "rotation" else report["translation_bound"]
                self.assertLessEqual(max(ticks), 2 * bound)

    def test_many_clips(self):
        nodes = [{"name": "hip"}]
        poses = turns(1010)
        animations = {"turn %d" % i: [(0, "rotation", [0, 1], [poses[0], poses[i]], "STEP" if i % 2 else None)] for i in range(1, 1010)}
        page, report = self.page(self.write("many.gltf", gltf_text(*gltf_tree(nodes, animations))))
        self.assertEqual(len(page.tables[0]), 1 + 1000)
        self.assertIn("The 1,000 largest of 1,009 clips; totals are of all.", page.text)
        self.assertIn("{:,}".format(report["all"]["bytes"]), page.text)
        sizes = [row[6] for row in page.values[0][1:]]
        largest = sorted((entry["bytes"] for entry in report["animations"]), reverse=True)
        self.assertEqual(sizes, largest[:1000])
        self.assertLessEqual(len(page.headings), 2)

    def test_the_nearest_to_its_bound_is_shown(self):
        page, report = self.page(data("khronos/Fox.glb"), data("kaykit/Knight.glb"))
        self.check_clips(page, report)
        self.assertIn("of 2 files", page.text)

        def share(entry):
            return max(
                (entry[error] or 0) / bound
                for error, bound in (
                    ("worst_rotation_error_degrees", 0.05),
                    ("worst_translation_error", 0.01),
                    ("worst_scale_error", 0.001),
                )
            )

        entries = report["animations"]
        nearest, largest = max(entries, key=share), max(entries, key=lambda entry: entry["bytes"])
        shown = [e for e in entries if e is nearest or e is largest]
        self.assertEqual(len(shown), 2)
        self.assertEqual(page.headings, ["%s: %s" % (os.path.basename(e["file"]), e["animation"]) for e in shown])
        for table, entry in enumerate(shown, 1):
            self.check_joints(page, table, entry)

    def test_motion_capture(self):
        page, report = self.page(model("BVH/01_01.bvh"))
        self.check_clips(page, report)
        self.check_joints(page, 1, report["animations"][0])
        self.assertIn("120 of 2752 keys", page.text)
        self.assertLess(len(page.source), 200000)

    def test_animations_that_are_left_out(self):
        path = self.hero()
        with open(path) as file:
            tree = json.load(file)
        tree["animations"][1]["samplers"][0]["interpolation"] = "BEZIER"
        page, report = self.page(self.write("bad.gltf", json.dumps(tree).encode()), status=1)
        self.assertEqual(report["animations_left_out"], 1)
        self.assertIn("1 animation is left out", page.text)
        self.assertIn("The bundle was not written", page.text)
        page, report = self.page("--partial", self.path("bad.gltf"), status=1)
        self.assertNotIn("The bundle was not written", page.text)
        self.check_joints(page, 1, report["animations"][0])

    def test_what_cannot_be_read_again(self):
        """A file of the first 64 or its bundle is taken away while the next file is encoded, which takes a second."""
        times = np.arange(2000) / 30
        nodes = [{"name": "joint %d" % i, "children": [i + 1]} for i in range(19)] + [{"name": "last"}]
        curves = [(i, "rotation", times, walk(2000, 1, seed=i, turn=0.1)[:, 0], None) for i in range(20)]
        still = [self.write("still %d.gltf" % i, gltf_text(*gltf_tree(nodes, {}))) for i in range(63)]
        files = [self.hero(), *still, self.write("then.gltf", gltf_text(*gltf_tree(nodes, {"long": curves})))]
        out, bundle = self.path("out"), self.path("out", "hero.qsb")
        for gone in bundle, self.path("hero.gltf"):
            with self.subTest(gone):
                command = [TOOL, "compress", "-j", "1", "-o", out, "--report", self.path("page.html"), *files]
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
                while not os.path.exists(bundle):
                    self.assertIsNone(process.poll())
                    time.sleep(0.001)
                os.remove(gone)
                self.assertIn(gone + ": cannot open", process.communicate()[1])
                self.assertEqual(process.returncode, 1)
                page = Page(self.path("page.html"))
                shutil.rmtree(out)
                self.hero()
                report = json.loads(self.good("compress", "--json", "-o", out, *files).stdout)
                self.check_clips(page, report)
                self.assertEqual(page.text.count("could not be read again"), 2)
                self.check_joints(page, 1, report["animations"][2])
                shutil.rmtree(out)

    def test_usage(self):
        hero = self.hero()
        self.bad(2, "compress", "--report", self.path("page.html"), hero, says=["--report needs -o OUT"])
        os.mkdir(self.path("out"))
        os.mkdir(self.path("folder.html"))
        other = self.write("other.bvh", b"an animation")
        for place, says in (
            (self.path("none", "page.html"), "cannot write"),
            (self.path("folder.html"), "cannot write"),
            (other, "is not a name for a page: it must end in .html"),
        ):
            with self.subTest(place):
                self.bad(1, "compress", "-o", self.path("out"), "--report", place, hero, says=[place, says])
                self.assertEqual(os.listdir(self.path("out")), [])  # it is told before the work
        self.good("compress", "-o", self.path("new"), "--report", self.path("new", "page.html"), hero)

    def test_a_page_is_replaced_whole(self):
        self.write("page.html", b"before")
        self.page(self.hero())
        self.assertEqual(sorted(os.listdir(self.directory)), ["hero.gltf", "out", "page.html"])


if __name__ == "__main__":
    unittest.main()
