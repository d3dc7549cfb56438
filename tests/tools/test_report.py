"""Tests of the page that `quatsimd compress --report` writes."""
import html.parser
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

import numpy as np

from support.clips import Clips
from support.command import BOUNDS, TOOL, data, model, run
from support.gltf import gltf_text, gltf_tree
from support.page import largest_share, page_run, page_source
from support.rotations import turns, walk

NASTY = "</script><!--<q>&\"'\\"
TEMPLATE = page_source(pathlib.Path(__file__).parents[2] / "tools/report/page.html")
BROWSER = os.environ.get("QUATSIMD_BROWSER") or shutil.which("chromium")
PAGE_ONLY = "detail", "metres_per_unit", "mesh_bound"


class Elements(html.parser.HTMLParser):
    """The tags of a page, the texts that people see, and those that stand for charts."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.texts, self.charts, self.hidden = [], [], [], False
        self.feed(source)
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.hidden = tag in ("style", "script", "noscript")
        if tag == "svg" and "aria-label" in dict(attributes):
            self.charts.append(dict(attributes)["aria-label"])

    def handle_endtag(self, tag):
        self.hidden = False

    def handle_data(self, text):
        if not self.hidden:
            self.texts.append(text)


class Report(Clips):
    def page(self, *arguments, status=0):
        """The run in the page, which is what --json prints but for what the page alone has. BOUNDS if there are none."""
        if not {"-r", "--rotation", "--object", "--only"} & set(arguments):
            arguments = [*BOUNDS, *arguments]
        result = run("compress", "--json", "-o", self.path("out"), "--report", self.path("page.html"), *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertNotRegex(page_source(self.path("page.html")), r'[ ":-](nan|inf)\b')
        page = page_run(self.path("page.html"))
        plain = {**page, "animations": [{k: v for k, v in entry.items() if k not in PAGE_ONLY} for entry in page["animations"]]}
        self.assertEqual(plain, json.loads(result.stdout))
        return page

    def seen(self, script=""):
        """What a browser makes of the page."""
        if not BROWSER:
            self.skipTest("SKIP: there is no Chromium: the page's JavaScript is not tested")
        path = self.write(
            "seen.html", page_source(self.path("page.html")).replace("</body>", "<script>%s</script></body>" % script).encode()
        )
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=30000",
            "--run-all-compositor-stages-before-draw",
            "--user-data-dir=" + self.path("browser"),
        )
        result = subprocess.run([BROWSER, *options, "--dump-dom", "file://" + path], capture_output=True, encoding="utf-8", timeout=100)
        return Elements(re.sub(r'(id="json">).*?</script>', r"\1</script>", result.stdout, flags=re.S))

    def check_detail(self, entry):
        """Errors of joints are those of verify; the largest is that of the clip, by joint and by time; the curve is near."""
        detail, name = entry["detail"], os.path.splitext(os.path.basename(entry["file"]))[0]
        shares = [joint["of_bound"] for joint in detail["joints"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        largest = largest_share(entry)
        # the page looks at more times, where errors differ by what floats are rounded
        np.testing.assert_allclose([shares[0], max(detail["of_bound"]), entry["nearest"]["of_bound"]], largest, rtol=1e-4)
        self.assertEqual(entry["nearest"]["joint"], detail["joints"][0]["joint"])
        self.assertLessEqual(len(detail["times"]), 400)
        self.assertTrue((np.diff(detail["times"]) > 0).all())
        verified = json.loads(run("verify", "--json", self.path("out", name + ".qsb"), entry["clip"]).stdout)
        errors = {joint["joint"]: joint for joint in verified["joints"]}
        for joint in detail["joints"]:
            said = errors[joint["joint"]][joint["of"]]
            value = said.get("worst_error_degrees", said.get("worst_error"))
            np.testing.assert_allclose(joint["error"], value, rtol=1e-3, atol=1e-7)

    def test_numbers(self):
        for options in [], ["--object", "0.01@3"], ["--only", "rotation"], ["--rate", "100", "-r", "5"]:
            with self.subTest(options):
                page = self.page(*options, self.hero())
                for entry in page["animations"]:
                    self.check_detail(entry)
                    self.assertEqual(entry["metres_per_unit"], 1)
                (bundle,) = json.loads(self.good("info", "--json", self.path("out", "hero.qsb")).stdout)
                self.assertEqual([clip["bytes"] for clip in bundle["clips"]], [entry["bytes"] for entry in page["animations"]])
                self.assertEqual(page["all"]["bytes"], sum(entry["bytes"] for entry in page["animations"]))

    def test_curve(self):
        """The keys of the file, and values of the clip that are as near as the bound, whatever it is put on."""
        for only, width in ("rotation", 4), ("translation", 3):
            for options in [], ["--additive", "first"]:
                with self.subTest(only, options=options):
                    curve = self.page("--only", only, *options, self.hero())["animations"][0]["detail"]["curve"]
                    self.assertEqual((curve["of"], curve["keys"], curve["joint"]), (only, 31, {4: "arm", 3: "hip"}[width]))
                    _, _, times, values, _ = self.curves()["arm" if width == 4 else "hip"]
                    before, after = (np.reshape(curve[name], (-1, width)) for name in ("before", "after"))
                    np.testing.assert_allclose(before, values, atol=1e-6)
                    np.testing.assert_allclose(curve["times"][:: curve["parts"]], times, atol=1e-6)
                    self.assertEqual(len(curve["times"]), 30 * curve["parts"] + 1)
                    after = after[:: curve["parts"]]
                    if width == 4:  # q and -q are the same
                        after = after * np.sign((after * before).sum(axis=1))[:, None]
                    off = np.linalg.norm(after - before, axis=1).max() / (np.pi / 360 if width == 4 else 1)
                    self.assertTrue(0 < off <= curve["bound"] * 1.01, off)

    def test_curve_of_points(self):
        """Of the joint that is nearest to its bound and those above it."""
        (entry, _) = self.page("--object", "0.01@3", self.hero())["animations"]
        self.assertIn(entry["detail"]["curve"]["joint"], ("hip", entry["detail"]["joints"][0]["joint"]))
        self.assertIsNone(entry["detail"]["curve"]["bound"])

    def test_many_clips(self):
        poses = turns(301)
        animations = {"turn %d" % i: [(0, "rotation", [0, 1], [poses[0], poses[i]], "STEP" if i % 2 else None)] for i in range(1, 300)}
        animations["long"] = [(0, "rotation", np.arange(31) / 30, walk(31, 1, seed=2, turn=0.1)[:, 0], None)]
        page = self.page(self.write("many.gltf", gltf_text(*gltf_tree([{"name": "hip"}], animations))))
        entries = page["animations"]
        share = [largest_share(entry) for entry in entries]
        nearest, largest = int(np.argmax(share)), int(np.argmax([entry["bytes"] for entry in entries]))
        self.assertEqual([i for i, entry in enumerate(entries) if "detail" in entry], sorted({nearest, largest}))
        seen = self.seen("document.querySelectorAll('thead button')[2].click(); document.querySelector('tbody tr:nth-child(9)').click()")
        self.assertIn(" 300 clips ", seen.text)
        self.assertEqual(seen.tags.count("tr"), 1 + 100)
        self.assertIn("This page has charts of the largest clip and of the one nearest to its bound alone.", seen.text)
        found = self.seen("const s = document.getElementById('search'); s.value = 'LONG'; s.oninput()")
        self.assertIn(" 1 of 300 clips ", found.text)

    def test_motion_capture(self):
        page = self.page(model("BVH/01_01.bvh"))
        (entry,) = page["animations"]
        self.check_detail(entry)
        self.assertEqual((entry["detail"]["curve"]["keys"], entry["metres_per_unit"]), (2752, None))
        self.assertEqual(len(entry["detail"]["curve"]["before"]), 120 * 4)
        self.assertLess(os.path.getsize(self.path("page.html")), 200000)
        self.assertIn(" units; scale 0.001", self.seen().text)

    def test_mesh(self):
        path, page = data("kaykit/Knight.glb"), self.path("page.html")
        lines = self.good("compress", "-o", self.path("m.qsb"), "--object", "0.2mm@mesh", "--report", page, path).stdout
        said = re.search(r"no vertex is off by more than ([\d.]+ mm) (\(.*\))", lines)
        for entry in page_run(page)["animations"]:
            self.assertAlmostEqual(entry["mesh_bound"], 0.0002)
            self.assertAlmostEqual(entry["vertex_bound"], 0.0002)
            if "detail" in entry:
                self.assertGreater(entry["nearest"]["of_bound"] * 1.0001, entry["detail"]["joints"][0]["of_bound"])
        rounded = "%.3g mm" % float(said[1].split()[0])
        worst = max(entry["worst_vertex_error"] for entry in page_run(page)["animations"])
        self.assertEqual("%.4g mm" % (1000 * worst), said[1])
        self.assertIn("No vertex is off by more than %s %s." % (rounded, said[2]), self.seen().text.replace("\u00a0", " "))

    def test_names_are_escaped(self):
        page = self.page(self.hero(NASTY.replace("/", "") + ".gltf", joint=NASTY, animation=NASTY))
        self.assertEqual(page["animations"][0]["animation"], NASTY)
        self.assertIn(NASTY, [joint["joint"] for joint in page["animations"][0]["detail"]["joints"]])
        source = page_source(self.path("page.html"))
        self.assertEqual(source.count("</script"), TEMPLATE.count("</script"))
        self.assertNotIn("<!--", source)
        seen = self.seen()
        self.assertNotIn("q", seen.tags)
        self.assertGreaterEqual(seen.text.count(NASTY), 2)

    def test_texts(self):
        """Messages in the order of the files, totals, the table, the errors of the worst clip, and charts with words."""
        files = [self.write("a.gltf", b"broken"), self.hero(), self.write("z.gltf", b"broken, too")]
        page = self.page(*files, status=1)
        self.assertEqual([entry["file"] for entry in page["failures"]], [files[0], files[2]])
        total, seen = page["all"], self.seen()
        text = seen.text.replace("\u00a0", " ")
        for wanted in (
            "2 animations or files failed " + " ".join(text for entry in page["failures"] for text in entry["messages"]),
            "Clips 2 of 1 file, ",
            "Bytes {:,} ".format(total["bytes"]),
            "Share of the raw floats %.1f %%" % (100 * total["bytes"] / total["raw_bytes"]),
            "Bounds rotation 0.05°; translation 10 mm; scale 0.001",
            "Nearest to its bound %.1f %%" % (100 * max(entry["nearest"]["of_bound"] for entry in page["animations"])),
            "Touching the line is the aim",
            "clip seconds bytes of bound nearest at",
            "walk with charts 1.00 {:,} ".format(page["animations"][0]["bytes"]),
            "Error by joint",
            "Error over time",
            "The curve to blame: the ",
            "After less before",
        ):
            self.assertIn(wanted, text)
        self.assertLess(text.index("failed"), text.index("Clips"))
        self.assertEqual([len(chart) > 60 for chart in seen.charts], [True] * 3)
        self.assertNotRegex(text, r"(?i)\b(nan|infinity|undefined|null)\b")

    def test_template(self):
        self.assertLessEqual(TEMPLATE.count("\n"), 500)
        self.assertNotRegex(TEMPLATE.replace("http://www.w3.org/2000/svg", ""), r"(?i)https?:|url\(|@import|<link|<img|fetch\(|innerHTML")

    def test_animations_that_are_left_out(self):
        with open(self.hero()) as file:
            tree = json.load(file)
        tree["animations"][1]["samplers"][0]["interpolation"] = "BEZIER"
        path = self.write("bad.gltf", json.dumps(tree).encode())
        page = self.page(path, status=1)
        self.assertEqual(page["animations_left_out"], 1)
        self.assertRegex(page["animations"][0]["detail"]["error"], "The bundle was not written")
        self.check_detail(self.page("--partial", path, status=1)["animations"][0])

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
                details = [entry["detail"] for entry in page_run(self.path("page.html"))["animations"]]
                self.assertEqual(["could not be read again" in detail.get("error", "") for detail in details], [True, True, False])
                shutil.rmtree(out)
                self.hero()

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
        """Or not at all, on a disk that is full."""
        self.write("page.html", b"before")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

        command = [TOOL, "compress", "-o", self.path("out"), "--report", self.path("page.html"), self.hero()]
        result = subprocess.run(command, preexec_fn=limit_files, capture_output=True, encoding="utf-8")
        self.assertEqual((result.returncode, result.stderr), (1, "quatsimd: %s: cannot write: File too large\n" % self.path("page.html")))
        self.assertEqual(page_source(self.path("page.html")), "before")
        self.page(self.hero())
        self.assertEqual(sorted(os.listdir(self.directory)), ["hero.gltf", "out", "page.html"])
