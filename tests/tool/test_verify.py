"""Tests of the commands info and verify, from outside. QUATSIMD_TOOL and QUATSIMD_DATA as in test_tool.py."""
import json
import os
import pathlib
import re
import sys
import unittest

import numpy as np
import xxhash

from test_tool import Directory, data, gltf_text, gltf_tree, model, moves, need_assimp, run, turns, walk

sys.path.append(str(pathlib.Path(__file__).parents[1] / "model"))
import clip as clip_model  # noqa: E402

KINDS = "rotation", "translation", "scale"
TIMES = np.arange(31) / 30
NONE, CONSTANT, MOVING, KEYED = range(4)


def turned(q, degrees):
    """Quaternions after a turn about x."""
    x, y, z, w = np.asarray(q, float).T
    s, c = np.sin(np.radians(degrees) / 2), np.cos(np.radians(degrees) / 2)
    return np.stack((c * x + s * w, c * y + s * z, c * z - s * y, c * w - s * x), -1).astype(np.float32)


class Sections(clip_model.Clip):
    """What an independent decoder takes from a clip."""

    def __init__(self, content):
        self.spent, self.coefficients = {}, [0, 0, 0]
        super().__init__(content)
        self.padding = len(self.rest)

    def take(self, size):
        frame = sys._getframe(1)
        while not frame.f_code.co_name.startswith(("read_", "__init__")):
            frame = frame.f_back
        kind = self.parts.index(frame.f_locals["part"]) if "part" in frame.f_locals else None
        key = frame.f_code.co_name, kind
        self.spent[key] = self.spent.get(key, 0) + size
        return super().take(size)

    def read_block(self, part, b):
        codes = (part.moving + 1) // 2
        profiles = self.rest[codes : codes + 3 * part.moving]
        self.coefficients[self.parts.index(part)] += sum(clip_model.PROFILES[profile][0] for profile in profiles)
        super().read_block(part, b)


class Clips(Directory):
    """A file of two animations, walk and wave, and clips of it."""

    def curves(self, **changes):
        """{name: [node, path, times, values, interpolation]} of walk; `changes` are (times, values)."""
        curves = {
            "hip": [0, "translation", TIMES, walk(31, 1, turn=0.02)[:, 0, :3] * 3, None],
            "arm": [1, "rotation", TIMES, walk(31, 1, seed=2, turn=0.1)[:, 0], "LINEAR"],
            "leg": [2, "rotation", [0, 0.5], turns(2), "STEP"],
            "size": [0, "scale", [0, 1], [[1.0, 1, 1], [1, 2, 1]], None],
        }
        for name, (times, values) in changes.items():
            curves[name][2:4] = times, values
        return curves

    def hero(self, name="hero.gltf", **changes):
        nodes = [
            {"name": "hip", "children": [1, 2]},
            {"name": "arm", "translation": [0, 5, 0]},
            {"name": "leg", "translation": [0, -5, 0], "rotation": [1, 0, 0, 0]},
        ]
        wave = [(1, "rotation", [0, 0.25, 0.5], turns(3, seed=9), None)]
        animations = {"walk": list(self.curves(**changes).values()), "wave": wave}
        return self.write(name, gltf_text(*gltf_tree(nodes, animations)))

    def encode(self, path, *options):
        """The folder of its clips, and what clip says of them."""
        folder = self.path("clips")
        return folder, json.loads(self.good("clip", "--time", "0", "--json", "-o", folder, *options, path).stdout)

    def walking(self, *options, **changes):
        return os.path.join(self.encode(self.hero(**changes), *options)[0], "walk.qsc")

    def content(self, path):
        with open(path, "rb") as file:
            return bytearray(file.read())

    def sealed(self, path, content):
        """Writes the clip with the checksum that its bytes have."""
        content[4:8] = xxhash.xxh32(bytes(content[8:])).intdigest().to_bytes(4, "little")
        with open(path, "wb") as file:
            file.write(content)
        return path

    def manifest(self, path, **changes):
        """Writes one beside the clip; `changes` go into it and, those the clip's entry has, into that."""
        entry = {
            "number": 0,
            "animation": "walk",
            "output": os.path.basename(path),
            "xxh64": xxhash.xxh64(bytes(self.content(path))).hexdigest(),
        }
        tree = {
            "quatsimd": "0.1.0",
            "manifest": 1,
            "input": "hero.gltf",
            "rotation_bound_degrees": 0.05,
            "translation_bound": 0.01,
            "scale_bound": 0.001,
            "object_bound": None,
            "object_distance": None,
            "animations": [{"number": 9, "animation": "other", "output": "other.qsc"}, entry],
        }
        for key, value in changes.items():
            (entry if key in entry else tree)[key] = value
        with open(os.path.join(os.path.dirname(path), "quatsimd.json"), "w") as file:
            json.dump(tree, file)


class Info(Clips):
    def info(self, *paths):
        return json.loads(self.good("info", "--json", *paths).stdout)

    def check(self, path):
        """Against the independent decoder. Returns both."""
        content = bytes(self.content(path))
        (found,), expected = self.info(path), Sections(content)
        self.assertEqual((found["file"], found["bytes"], found["version"]), (path, len(content), 1))
        self.assertEqual(found["checksum"], "%08x" % int.from_bytes(content[4:8], "little"))
        self.assertEqual(
            [found[key] for key in ("joints", "frames", "rate", "start", "seconds")],
            [expected.joints, expected.frames, expected.rate, expected.start, expected.duration],
        )
        self.assertEqual(found["loop"], bool(expected.flag(3)))
        self.assertEqual(found["additive"], ["none", "first", "base"][expected.flags >> 4 & 3])
        moving = any(part.moving for part in expected.parts)
        self.assertEqual(found["blocks"], expected.blocks if moving else 0)
        sections = found["sections"]
        self.assertEqual(sections["head"] + sections["times"], expected.spent["__init__", None])
        self.assertEqual(sections["times"], 0 if expected.rate else 4 * expected.frames)
        self.assertEqual(sections["padding"], expected.padding)
        for kind, name in enumerate(KINDS):
            part, spent = expected.parts[kind], lambda step: expected.spent.get((step, kind), 0)
            states = getattr(part, "state", np.zeros(expected.joints))
            counts = {s: int(np.count_nonzero(states == i)) for i, s in enumerate(("absent", "constant", "moving", "keyed"))}
            self.assertEqual({state: found[state][name] for state in counts}, counts)
            bytes_of = {key: value[name] for key, value in sections.items() if isinstance(value, dict)}
            self.assertEqual(bytes_of["masks"], spent("read_masks"))
            self.assertEqual(bytes_of["plans"], spent("read_plan"))
            self.assertEqual(bytes_of["knots"], spent("read_knots"))
            codes = expected.blocks * ((part.moving + 1) // 2 + 3 * part.moving)
            self.assertEqual(bytes_of["codes"], codes)
            self.assertEqual(bytes_of["coefficients"], expected.coefficients[kind])
            self.assertEqual(bytes_of["raw"], spent("read_block") - codes - expected.coefficients[kind])
            value = clip_model.FORMATS[expected.flags >> 8 & 3][1] if kind == 0 else 12
            base = 12 if kind else 8 if expected.flag(7) else 4
            self.assertEqual(bytes_of["bases"], base * part.moving)
            self.assertEqual(bytes_of["slots"], part.moving)
            self.assertEqual(bytes_of["constants"], value * counts["constant"])
            rest = sum(bytes_of[key] for key in ("bases", "slots", "constants", "keys"))
            self.assertEqual(rest, spent("read_rest"))
        total = sum(sum(v.values()) if isinstance(v, dict) else v for v in sections.values())
        self.assertEqual(total, len(content))
        return found, expected

    def test_against_an_independent_decoder(self):
        closed = walk(31, 1, seed=2, turn=0.1)[:, 0]
        closed[-1] = -closed[0]
        jumps = walk(200, 1, seed=4, turn=0.02)[:, 0]
        jumps[100::2] = turns(50, seed=5)
        uneven = np.cumsum(np.random.default_rng(1).uniform(0.01, 0.1, 31))
        for name, options, changes in (
            ("plain", [], {}),
            ("object", ["--object", "0.01@1"], {}),
            ("additive", ["--additive", "first"], {}),
            ("start", ["--only", "rotation"], {"arm": (TIMES + 0.5, walk(31, 1, seed=2)[:, 0]), "leg": ([0.5], turns(1))}),
            ("uneven", ["--only", "rotation"], {"arm": (uneven, walk(31, 1, seed=2)[:, 0])}),
            ("raw", ["--only", "rotation"], {"arm": (np.arange(200) / 30, jumps)}),
            ("fine", ["-r", "0.001"], {"leg": ([0], turns(1))}),
            ("coarse", ["-r", "3"], {}),
        ):
            with self.subTest(name):
                found, _ = self.check(self.walking(*options, **changes))
                if name == "raw":
                    self.assertGreater(found["sections"]["raw"]["rotation"], 0)
                if name == "start":
                    self.assertAlmostEqual(found["start"], 0.5)
                if name == "uneven":
                    self.assertEqual(found["rate"], 0)
        with self.subTest("loop"):
            still = {"leg": ([0], turns(1)), "size": ([0], [[1.0, 1, 1]]), "hip": ([0], moves(1))}
            path, folder = self.hero(arm=(TIMES, closed), **still), self.path("clips")
            run("clip", "--time", "0", "--loop", "-o", folder, path)
            self.assertTrue(self.check(os.path.join(folder, "walk.qsc"))[0]["loop"])
        with self.subTest("one frame"):
            still = {name: ([0], curve[3][:1]) for name, curve in self.curves().items()}
            self.assertEqual(self.check(self.walking(**still))[0]["blocks"], 0)

    def test_recorded_clips(self):
        need_assimp()
        walking = model("BVH/01_03.bvh")
        for path, options in (data("khronos/Fox.glb"), []), (walking, []), (walking, ["--object", "0.1@3"]):
            folder, report = self.encode(path, *options)
            for entry in report["animations"]:
                found, decoder = self.check(entry["output"])
                self.assertEqual(decoder.flag(10), bool(options))  # units of their own
                self.assertEqual({key: entry[key] for key in ("moving", "constant", "keyed")},
                                 {key: found[key] for key in ("moving", "constant", "keyed")})

    def test_manifest(self):
        path = self.walking()
        (plain,) = self.info(path)
        self.assertEqual([plain[key] for key in ("input", "animation", "number", "rotation_bound_degrees")], [None] * 4)
        self.manifest(path)
        (found,) = self.info(path)
        self.assertEqual((found["input"], found["animation"], found["number"]), ("hero.gltf", "walk", 0))
        self.assertAlmostEqual(found["rotation_bound_degrees"], 0.05)
        self.assertEqual((found["translation_bound"], found["scale_bound"], found["object_bound"]), (0.01, 0.001, None))
        text = self.good("info", path).stdout
        self.assertIn("animation 0, walk of hero.gltf; bounds: rotation 0.05 degrees, translation 0.01, scale 0.001", text)
        here = self.good("info", "walk.qsc", cwd=self.path("clips")).stdout
        self.assertIn("of hero.gltf", here)
        self.manifest(path, rotation_bound_degrees=None, translation_bound=None, scale_bound=None, object_bound=0.1,
                      object_distance=3)
        (found,) = self.info(path)
        self.assertEqual((found["object_bound"], found["object_distance"], found["scale_bound"]), (0.1, 3, None))
        self.assertIn("bound 0.1 for points at a distance of 3", self.good("info", path).stdout)
        self.manifest(path, output="else.qsc")
        self.assertEqual(self.info(path)[0]["input"], None)

    def test_bad_manifests(self):
        path = self.walking()
        beside = self.path("clips", "quatsimd.json")
        for text, says in (
            ("{", "is not JSON"),
            ("[]", "is not a manifest of clips"),
            ('{"manifest": 1}', "is not a manifest of clips"),
            ('{"manifest": 2, "animations": []}', "a manifest of version 2; this quatsimd reads version 1"),
        ):
            with self.subTest(text):
                self.write(beside, text.encode())
                result = self.bad(1, "info", path, says=beside + ": " + says)
                self.assertIn(path + ": ", result.stdout)  # and the clip is shown
                self.assertEqual(self.bad(1, "verify", path, "-a", self.path("hero.gltf"), says=beside + ": ").stdout, "")
        self.manifest(path, xxh64="0123456789abcdef")
        self.bad(1, "info", path, says=beside + ": is of another walk.qsc than the one beside it")

    def test_broken_clips(self):
        good = bytes(self.content(self.walking()))
        empty, directory = self.write("empty", b""), self.path("clips")
        damaged = bytearray(good)
        damaged[50] ^= 4
        inside = bytearray(good)
        inside[12:16] = (77).to_bytes(4, "little")  # joints
        cases = {
            empty: "the file is empty",
            self.write("text", b"hello"): "not a clip: clips begin with QSC",
            self.write("q", b"QX"): "not a clip: clips begin with QSC",
            self.write("magic", good[:4]): "too short for a clip: it has 4 bytes, a clip's head has 30",
            self.write("head", good[:29]): "too short for a clip: it has 29 bytes",
            self.write("version", b"QSC\2" + good[4:]): "a clip of version 2; this quatsimd reads version 1",
            self.write("cut", good[:-1]): "the clip is cut off: it has %d bytes, and its head says %d" % (len(good) - 1, len(good)),
            self.write("more", good + b"x"): "there is more than the clip: it has %d bytes" % (len(good) + 1),
            self.write("damaged", damaged): "the clip is damaged: its checksum should be ",
            self.sealed(self.path("inside"), inside): "the clip is broken inside: its checksum is right",
            directory: "is a directory",
            self.path("none"): "cannot open: No such file",
            "/dev/null": "not a regular file",
        }
        for path, says in cases.items():
            with self.subTest(says):
                result = self.bad(1, "info", path, says="quatsimd: %s: %s" % (path, says))
                self.assertEqual((result.stdout, result.stderr.count("\n")), ("", 1))
                self.bad(1, "verify", path, "-a", self.path("hero.gltf"), says=path + ": " + says)
        walk_path, wave_path = self.path("clips", "walk.qsc"), self.path("clips", "wave.qsc")
        result = self.bad(1, "info", empty, walk_path, self.path("cut"), wave_path, says=[empty, "cut off"])
        self.assertEqual([line.split(":")[0] for line in result.stdout.splitlines() if " format version " in line],
                         [walk_path, wave_path])
        self.assertFalse(result.stdout.startswith("\n"))
        listed = self.bad(1, "info", "--json", empty, walk_path, wave_path, says=empty)
        self.assertEqual([entry["file"] for entry in json.loads(listed.stdout)], [walk_path, wave_path])

    def test_table_lines_up(self):
        lines = self.good("info", self.walking()).stdout.splitlines()
        for title in "curves", "bytes":
            top = next(i for i, line in enumerate(lines) if line.startswith(title + " "))
            end = next((i for i in range(top, len(lines)) if not lines[i]), len(lines))
            self.assertEqual({len(line) for line in lines[top:end]}, {len(lines[top])})
        rows = {row[:20].strip(): row[20:].split() for row in lines}
        self.assertEqual(sum(map(int, rows["all"][:3])) + int(rows["head and times"][3]) + int(rows["padding"][3]),
                         int(rows["all"][3]))
        self.assertIn(" %s bytes" % rows["all"][3], lines[0])
        self.assertIn("3 joints, 31 frames at 30 per second in 2 blocks, 1 seconds from 0", lines)


class Verify(Clips):
    def verify(self, *arguments, status=0):
        result = run("verify", "--json", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def test_errors_are_those_that_clip_finds(self):
        need_assimp()
        for path in self.hero(), data("khronos/Fox.glb"), model("BVH/01_03.bvh"):
            folder, report = self.encode(path)
            for entry in report["animations"]:
                with self.subTest(entry["output"]):
                    found = self.verify(entry["output"], "-a", path, "--animation", entry["animation"], "-r", "0.05", "-t", "0.01")
                    self.assertIs(found["within"], True)
                    for kind, unit in (("rotation", "_degrees"), ("translation", ""), ("scale", "")):
                        if not entry["keys"][kind]:
                            self.assertIsNone(found[kind])
                            continue
                        self.assertEqual(found[kind]["keys"], entry["keys"][kind])
                        worst = entry["worst_%s_error%s" % (kind, unit)]
                        self.assertAlmostEqual(found[kind]["worst_error" + unit], worst, delta=1e-12)
                        joints = [j[kind] for j in found["joints"] if j[kind]]
                        self.assertEqual(max(j["worst_error" + unit] for j in joints), found[kind]["worst_error" + unit])
                        mean = sum(j["mean_error" + unit] * j["keys"] for j in joints) / found[kind]["keys"]
                        self.assertAlmostEqual(mean, found[kind]["mean_error" + unit])

    def test_known_differences(self):
        clip = self.walking("-t", "0.0001")
        curves = self.curves()
        hip, size = np.array(curves["hip"][3]), np.array(curves["size"][3])
        arm = turned(curves["arm"][3], 2)
        arm[7] = turned(curves["arm"][3][7:8], 5)[0]
        hip[11] += [0.3, 0.4, 0]
        size[1, 2] += 0.125
        other = self.hero("other.gltf", arm=(TIMES, arm), hip=(TIMES, hip), size=([0, 1], size))
        result = self.bad(1, "verify", clip, "-a", other, "--animation", "walk", "--rotation", "1deg", "--scale", "0.2", says=[
            clip + ': "arm" at 0.233333', " seconds: the rotation is ", " degrees off, and the tolerance is 1"])
        self.assertEqual(result.stderr.count("\n"), 1)  # of scale nothing
        found = self.verify(clip, "-a", other, "--animation", "walk", "-r", "1", "-s", "0.2", status=1)
        rotation, translation, scale = (found[kind] for kind in KINDS)
        self.assertAlmostEqual(rotation["worst_error_degrees"], 5, delta=0.051)
        self.assertAlmostEqual(rotation["seconds_of_worst"], 7 / 30, places=6)
        self.assertAlmostEqual(translation["worst_error"], 0.5, delta=0.0002)
        self.assertAlmostEqual(translation["seconds_of_worst"], 11 / 30, places=6)
        self.assertAlmostEqual(translation["mean_error"], 0.5 / 31, delta=0.0002)
        self.assertAlmostEqual(scale["worst_error"], 0.125, delta=0.0011)
        self.assertEqual([k["joint_of_worst"] for k in (rotation, translation, scale)], ["arm", "hip", "hip"])
        self.assertEqual([k["within"] for k in (rotation, translation, scale)], [False, None, True])
        self.assertEqual((rotation["tolerance_degrees"], translation["tolerance"], found["within"]), (1, None, False))
        hip, arm, leg = found["joints"]
        self.assertEqual([j["joint"] for j in (hip, arm, leg)], ["hip", "arm", "leg"])
        self.assertAlmostEqual(arm["rotation"]["mean_error_degrees"], (30 * 2 + 5) / 31, delta=0.051)
        self.assertEqual((arm["rotation"]["keys"], leg["rotation"]["keys"], hip["rotation"]), (31, 2, None))
        self.assertLess(leg["rotation"]["worst_error_degrees"], 0.05)
        self.assertAlmostEqual(arm["rotation"]["seconds_of_worst"], 7 / 30, places=6)
        self.assertAlmostEqual(hip["translation"]["seconds_of_worst"], 11 / 30, places=6)
        self.assertIsNone(arm["object"])

    def two_bones(self, name, degrees):
        """A bone that turns, and another at rest, five from it; the first one turned by so much more at 1/6 s."""
        q = walk(31, 1, seed=3, turn=0.05)[:, 0]
        q[5] = turned(q[5:6], degrees)[0]
        nodes = [{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 0, 4.0], "children": [2]}, {"name": "c", "translation": [0, 3.0, 0]}]
        animations = {"walk": [(0, "rotation", TIMES, q, None), (2, "rotation", TIMES, walk(31, 1, seed=6)[:, 0], None)]}
        return self.write(name, gltf_text(*gltf_tree(nodes, animations)))

    def test_object(self):
        """The farthest point is beyond the last joint; rests count whether the clip has them or not."""
        path, other = self.two_bones("bones.gltf", 0), self.two_bones("other.gltf", 10)
        for options in ["-r", "0.001"], ["--object", "0.001@2"], ["-r", "0.001", "--additive", "first"]:
            with self.subTest(options):
                folder, _ = self.encode(path, *options)
                clip = os.path.join(folder, "walk.qsc")
                good = self.verify(clip, "-a", path, "--object", "2mm@200cm")
                self.assertEqual((good["object"]["within"], good["object"]["tolerance"], good["object_distance"]), (True, 0.002, 2))
                self.assertEqual(good["object"]["times"], 3 * 31)
                bad = self.verify(clip, "-a", other, "--object", "0.5@2", status=1)
                worst = [joint["object"]["worst_error"] for joint in bad["joints"]]
                chord = 2 * np.sin(np.radians(5))
                np.testing.assert_allclose(worst, [2 * chord, 6 * chord, 7 * chord], atol=0.003)
                self.assertEqual(bad["object"]["joint_of_worst"], "c")
                self.assertAlmostEqual(bad["object"]["seconds_of_worst"], 5 / 30, places=6)
                self.assertAlmostEqual(bad["joints"][2]["object"]["mean_error"], 7 * chord / 31, delta=0.003)

    def test_tolerance(self):
        clip = self.walking("-r", "0.5", "-t", "0.1")
        hero = self.path("hero.gltf")
        one = [clip, "-a", hero, "--animation", "walk"]
        text = self.good("verify", *one).stdout
        self.assertIn("there is no tolerance to compare with", text)
        self.assertNotIn("within", text)
        self.assertIsNone(self.verify(*one)["within"])
        self.manifest(clip)  # says 0.05 degrees
        found = self.verify(*one, status=1)
        self.assertEqual([found[kind]["within"] for kind in KINDS], [False, False, True])
        self.assertAlmostEqual(found["rotation"]["tolerance_degrees"], 0.05)
        found = self.verify(*one, "--rotation", "0.6deg", status=1)  # the rest is the manifest's
        self.assertEqual([found[kind]["within"] for kind in KINDS], [True, False, True])
        self.assertEqual(found["translation"]["tolerance"], 0.01)
        found = self.verify(*one, "-r", "0.01rad", "-t", "15cm")
        self.assertAlmostEqual(found["rotation"]["tolerance_degrees"], np.degrees(0.01))
        self.assertEqual(found["translation"]["tolerance"], 0.15)
        self.assertIn("beyond", run("verify", *one).stdout)
        self.manifest(clip, rotation_bound_degrees=0.5, translation_bound=0.1)
        beside = "\ntolerances are those of " + self.path("clips", "quatsimd.json")
        self.assertIn(beside + "\n", self.good("verify", *one).stdout)
        self.assertIn(beside + ", but for those of the options\n", self.good("verify", *one, "-r", "0.6").stdout)
        self.manifest(clip, rotation_bound_degrees=None, translation_bound=None, scale_bound=None, object_bound=1e-5, object_distance=3)
        found = self.verify(*one, status=1)
        self.assertEqual((found["object"]["tolerance"], found["object_distance"], found["rotation"]["within"]), (1e-5, 3, None))

    def test_which_animation(self):
        clip, hero = self.walking(), self.path("hero.gltf")
        wave = self.path("clips", "wave.qsc")
        listed = "  0  walk\n  1  wave\n"
        self.bad(1, "verify", clip, "-a", hero, says=hero + ": has 2 animations; choose one with --animation:\n" + listed)
        for path, wanted, number in (clip, "walk", 0), (clip, "0", 0), (wave, "wave", 1), (wave, "1", 1):
            found = self.verify(path, "-a", hero, "--animation", wanted, "-r", "0.05")
            self.assertEqual((found["number"], found["animation"]), (number, ["walk", "wave"][number]))
        for wanted in "2", "-1", "run", "", "1x", "99999999999999999999":
            self.bad(1, "verify", clip, "-a", hero, "--animation", wanted, says=[
                '%s: there is no animation "%s" but these numbers and names:\n' % (hero, wanted), listed])
        self.manifest(wave, number=1, animation="wave")
        self.assertEqual(self.verify(wave, "-a", hero)["animation"], "wave")
        self.bad(1, "verify", wave, "-a", hero, "--animation", "walk", says="")  # what was asked for, and the manifest's bounds
        self.manifest(wave, number=0, animation="wave")
        self.bad(1, "verify", wave, "-a", hero, says=['animation 0 is not "wave", as ', listed])
        self.manifest(wave, number=7, animation="wave")
        self.bad(1, "verify", wave, "-a", hero, says='animation 7 is not "wave", as ')
        os.remove(self.path("clips", "quatsimd.json"))
        one = self.two_bones("bones.gltf", 0)
        folder, _ = self.encode(one)
        self.assertEqual(self.verify(os.path.join(folder, "walk.qsc"), "-a", one)["number"], 0)
        turning = [(0, "rotation", TIMES, walk(31, 1)[:, 0], None)]
        tree, content = gltf_tree([{"name": "a"}], {"same": turning, "1": turning})
        tree["animations"][1]["name"] = "same"
        tree["animations"].append(dict(tree["animations"][0], name="0"))
        same = self.write("same.gltf", gltf_text(tree, content))
        self.encode(same)
        clip = self.path("clips", "same.qsc")
        self.bad(1, "verify", clip, "-a", same, "--animation", "same", says='2 animations are named "same"')
        self.assertEqual(self.verify(clip, "-a", same, "--animation", "1")["number"], 1)
        self.assertEqual(self.verify(clip, "-a", same, "--animation", "0")["number"], 2)  # its name comes first
        tree["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"
        tree["animations"][2]["samplers"] = tree["animations"][1]["samplers"]
        rest = self.write("rest.gltf", gltf_text(tree, content))  # without number 0, which cannot be read
        self.manifest(clip, number=1, animation="same")
        self.assertEqual(self.verify(clip, "-a", rest)["number"], 1)
        self.assertEqual(self.verify(clip, "-a", rest, "--animation", "1")["number"], 1)

    def test_what_does_not_belong_together(self):
        clip, hero, bones = self.walking(), self.path("hero.gltf"), self.write("one.gltf", gltf_text(*gltf_tree(
            [{"name": "a"}], {"walk": [(0, "rotation", TIMES, walk(31, 1)[:, 0], None)]})))
        self.bad(1, "verify", clip, "-a", bones, says="%s: has 3 joints, and %s has 1: it is not a clip of that file" % (clip, bones))
        self.bad(1, "verify", clip, "-a", hero, "--animation", "wave", says=[
            clip + ': has a translation of "hip", and animation 1, wave of ', " has none: it is not a clip of that"])
        content = self.content(clip)
        content[28] |= 2 << 4  # additive to a base
        self.bad(1, "verify", self.sealed(self.path("base.qsc"), content), "-a", hero, "--animation", "walk",
                 says=self.path("base.qsc") + ": is additive to another animation")
        self.bad(1, "verify", clip, "-a", self.path("none.glb"), says=self.path("none.glb") + ": cannot open")
        self.bad(1, "verify", clip, "-a", self.write("text.bvh", b"hello\n"), says=self.path("text.bvh"))

    def test_bad_keys_of_the_file(self):
        clip = self.walking()
        late = TIMES.copy()
        late[20] = late[19]
        bad = self.hero("late.gltf", arm=(late, walk(31, 1, seed=2, turn=0.1)[:, 0]))
        self.bad(1, "verify", clip, "-a", bad, "--animation", "walk", says=bad + ': animation 0, walk: rotation of "arm", key 20: its time is not after')
        for value in 0, np.nan:
            q = walk(31, 1, seed=2, turn=0.1)[:, 0]
            q[7] = value
            bad = self.hero("bad.gltf", arm=(TIMES, q))
            self.bad(1, "verify", clip, "-a", bad, "--animation", "walk", "-r", "50deg", says='"arm" at 0.233333')

    def test_missing_curves_are_errors(self):
        clip = self.walking("--only", "rotation")
        self.bad(1, "verify", clip, "-a", self.path("hero.gltf"), "--animation", "walk", "-r", "1", "-t", "0.1", "-s", "0.1",
                 says=['"hip" at ', "the translation is ", "the scale is "])

    def test_additive_clips(self):
        clip = self.walking("--additive", "first")
        self.assertIs(self.verify(clip, "-a", self.path("hero.gltf"), "--animation", "walk", "-r", "0.05", "-t", "0.01", "-s", "0.001")["within"], True)

    def test_table(self):
        clip, hero = self.walking(), self.path("hero.gltf")
        for options in [], ["--object", "1@2"], ["-r", "0.01"]:
            lines = run("verify", clip, "-a", hero, "--animation", "walk", *options).stdout.splitlines()
            self.assertEqual(lines[0], "%s against %s, animation 0, walk" % (clip, hero))
            rules = [i for i, line in enumerate(lines) if line.startswith("-----")]
            column = lines[rules[0] - 1].index("joint")
            rows = lines[rules[0] + 1 : rules[0] + 4]
            self.assertEqual([row[column:] for row in rows], ["hip", "arm", "leg"])
            self.assertEqual({len(row[:column].split()) for row in rows}, {12 if "--object" in options else 9})
            self.assertIn("31", rows[1].split())
            marks = {mark for row in rows for mark in re.findall(r"\d([*!])", row)}
            self.assertEqual(marks, {"*", "!"} if "-r" in options else {"*"})
            column = lines[rules[1] - 1].index("joint")
            totals = {row.split(",")[0].split()[0]: row for row in lines[rules[1] + 1 :]}
            self.assertEqual(totals["rotation"][column:], "arm")
            self.assertEqual(totals["translation"][column:], "hip")
            self.assertEqual("object" in totals, "--object" in options)
            self.assertEqual("beyond" in totals["rotation"], "-r" in options)

    def test_full_device(self):
        with open("/dev/full", "w") as full:
            for arguments in ["verify", self.walking(), "-a", self.path("hero.gltf"), "--animation", "walk"], ["info", self.walking()]:
                self.bad(1, *arguments, says="standard output: cannot write", stdout=full)


class Usage(Directory):
    def test_bad_usage(self):
        for arguments, says in (
            (["info"], "no file given"),
            (["info", "--what", "x.qsc"], "--what: unknown option"),
            (["verify"], "no file given"),
            (["verify", "x.qsc"], "--against is missing"),
            (["verify", "x.qsc", "y.qsc", "-a", "z.glb"], "y.qsc: one argument too many"),
            (["verify", "x.qsc", "-a"], "missing argument"),
            (["verify", "x.qsc", "-a", "z.glb", "-r", "1m"], '--rotation: "1m" is not an angle from'),
            (["verify", "x.qsc", "-a", "z.glb", "-t", "0"], '--translation: "0" is not a length'),
            (["verify", "x.qsc", "-a", "z.glb", "-s", "a"], '--scale: "a" is not a positive number'),
            (["verify", "x.qsc", "-a", "z.glb", "--object", "1"], '--object: "1" is not LENGTH@DISTANCE'),
        ):
            with self.subTest(arguments):
                result = self.bad(2, *arguments, says=says)
                self.assertEqual(result.stdout, "")
                self.assertIn("Try `quatsimd help %s`" % arguments[0], result.stderr)

    def test_help(self):
        for command in "info", "verify":
            self.assertIn(command, self.good("--help").stdout)
            text = self.good("help", command).stdout
            self.assertEqual(text, self.good(command, "--help").stdout)
            self.assertIn("Usage: quatsimd " + command, text)
            self.assertLess(max(map(len, text.splitlines())), 80)


if __name__ == "__main__":
    unittest.main()
