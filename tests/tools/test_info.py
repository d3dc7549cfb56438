"""Tests of the command info, against an independent decoder."""
import os
import re
import sys

import numpy as np

from support.clips import KINDS, TIMES, Clips
from support.command import data, model
from support.rotations import moves, turns, walk

import clip as clip_model


class Sections(clip_model.Clip):
    """What an independent decoder takes from a clip."""

    def __init__(self, content):
        self.spent, self.coefficients = {}, [0] * 4
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

    def read_block(self, part, b, axes):
        codes = (part.moving + 1) // 2
        profiles = self.rest[codes : codes + axes * part.moving]
        self.coefficients[self.parts.index(part)] += sum(clip_model.PROFILES[profile][0] for profile in profiles)
        super().read_block(part, b, axes)


class Info(Clips):
    def check(self, path):
        """Against the independent decoder. Returns both."""
        content = bytes(self.content(path))
        (found,), expected = self.json("info", path), Sections(content)
        self.assertEqual((found["file"], found["bytes"], found["version"]), (path, len(content), 2))
        self.assertEqual(found["checksum"], "%08x" % int.from_bytes(content[4:8], "little"))
        self.assertEqual(
            [found[key] for key in ("joints", "frames", "rate", "start", "seconds")],
            [expected.joints, expected.frames, expected.rate, expected.start, expected.duration],
        )
        self.assertEqual(found["loop"], bool(expected.flag(16)))
        self.assertEqual(found["additive"], ["none", "first", "base"][expected.flags >> 17 & 3])
        moving = any(part.moving for part in expected.parts)
        self.assertEqual(found["blocks"], expected.blocks if moving else 0)
        sections = found["sections"]
        self.assertEqual(sections["head"] + sections["times"], expected.spent["__init__", None])
        self.assertEqual(sections["times"], 0 if expected.rate else 4 * expected.frames)
        self.assertEqual(sections["padding"], expected.padding)
        for kind, name in enumerate([*KINDS, "track"]):
            part, spent = expected.parts[kind], lambda step: expected.spent.get((step, kind), 0)
            states = getattr(part, "state", np.zeros(expected.elements(kind)))
            counts = {s: int(np.count_nonzero(states == i)) for i, s in enumerate(("absent", "rest", "constant", "moving", "keyed"))}
            self.assertEqual({state: found[state][name] for state in counts}, counts)
            bytes_of = {key: value[name] for key, value in sections.items() if isinstance(value, dict)}
            self.assertEqual(bytes_of["masks"], spent("read_masks"))
            self.assertEqual(bytes_of["plans"], spent("read_plan"))
            self.assertEqual(bytes_of["knots"], spent("read_knots"))
            axes = clip_model.AXES[kind]
            codes = expected.blocks * ((part.moving + 1) // 2 + axes * part.moving)
            self.assertEqual(bytes_of["codes"], codes)
            self.assertEqual(bytes_of["coefficients"], expected.coefficients[kind])
            self.assertEqual(bytes_of["raw"], spent("read_block") - codes - expected.coefficients[kind])
            value = clip_model.FORMATS[expected.flags >> 21 & 3][1] if kind == 0 else 4 * axes
            base = 4 * axes if kind else 8 if expected.flag(20) else 4
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
            self.clips_of(path, folder, "--loop", status=1)  # wave does not close
            self.assertTrue(self.check(os.path.join(folder, "walk.qsc"))[0]["loop"])
        with self.subTest("one frame"):
            still = {name: ([0], curve[3][:1]) for name, curve in self.curves().items()}
            self.assertEqual(self.check(self.walking(**still))[0]["blocks"], 0)

    def test_recorded_clips(self):
        walking = model("BVH/01_03.bvh")
        for path, options in (data("khronos/Fox.glb"), []), (walking, []), (walking, ["--object", "0.1@3"]):
            folder, report = self.encode(path, *options)
            for entry in report["animations"]:
                found, decoder = self.check(entry["output"])
                self.assertEqual(decoder.flag(4), bool(options))  # units of their own
                for key in "moving", "constant", "keyed":
                    self.assertEqual(entry[key], {kind: found[key][kind] for kind in KINDS})  # no file has tracks
                self.assertEqual(entry["at_rest"], {kind: found["rest"][kind] for kind in KINDS})

    def test_bundle(self):
        path, bundle = self.hero(), self.path("hero.qsb")
        self.good("compress", "-r", "0.05", "-o", bundle, path)
        (found,) = self.json("info", bundle)
        (made,) = found["making"]["files"]
        self.assertEqual((made["path"], made["name"], made["rotation_bound_degrees"]), ("hero.gltf", "hero.gltf", 0.05))
        self.assertEqual([(clip["clip"], clip["number"]) for clip in made["clips"]], [("walk", 0), ("wave", 1)])
        self.assertIn("2 clips of hero.gltf; bounds: rotation 0.05 degrees", self.good("info", bundle).stdout)
        self.good("compress", "-r", "0.05", "--release", "-o", bundle, path)
        (made,) = self.json("info", bundle)[0]["making"]["files"]
        self.assertEqual((set(made) & {"path", "name"}, made["rotation_bound_degrees"]), (set(), 0.05))
        self.assertEqual(made["clips"], [{"clip": "walk"}, {"clip": "wave"}])

    def test_folders(self):
        """All clips below, in the order of their names; operands stay in theirs."""
        path = self.walking()
        wave = self.path("clips", "wave.qsc")
        deep, cut = self.path("clips", "more", "deep", "A.QSC"), self.path("clips", "more", "cut.qsc")
        self.write(deep, self.content(path))
        self.write(self.path("clips", "notes.txt"), b"")
        folder = self.path("clips")
        self.assertEqual([entry["file"] for entry in self.json("info", folder)], [deep, path, wave])
        self.assertEqual([entry["file"] for entry in self.json("info", wave, folder + "/")], [wave, deep, path, wave])
        self.write(cut, self.content(path)[:-1])
        result = self.bad(1, "info", folder, says=cut + ": the clip is cut off")
        self.assertEqual(result.stdout.count(" format version "), 3)
        os.mkdir(self.path("empty"))
        for options in [], ["--json"]:
            says = self.path("empty") + ": there are no clips, skeletons or bundles in it"
            self.bad(1, "info", *options, self.path("empty"), path, says=says)

    def test_tables(self):
        text = self.good("info", self.walking()).stdout
        curves, sizes = self.tables(text)
        self.assertEqual([cells[0] for cells, _ in curves], [*KINDS, "track"])
        total = {
            " ".join(re.findall("[a-z]+", " ".join(cells))): int(re.findall(r"\d+", " ".join([*cells, last]))[-1]) for cells, last in sizes
        }
        self.assertEqual(sum(size for name, size in total.items() if name != "all"), total["all"])
        self.assertIn(" %d bytes" % total["all"], text.splitlines()[0])
        self.assertIn("\n3 joints, 31 frames at 30 per second in 2 blocks, 1 seconds from 0\n", text)
