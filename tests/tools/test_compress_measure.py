"""Tests of `quatsimd compress` without -o, and of what it encodes. Times and keys are checked in test_scenes.py."""
import json
import os
import re

import numpy as np

from support.clips import KINDS, TIMES, Clips
from support.command import BOUNDS, run
from support.gltf import gltf_text, gltf_tree
from support.rotations import moves, turns, walk


class Measure(Clips):
    def report(self, *arguments, status=0):
        return self.json("compress", "--time", "0", *arguments, status=status)

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
            self.assertEqual(report["all"]["keys"][kind], sum(entry["keys"][kind] for entry in report["animations"]))
        for error in bounds:
            worst = [entry[error] for entry in report["animations"] if entry[error] is not None]
            self.assertEqual(report["all"][error], max(worst, default=None))
        return report

    def test_report(self):
        report = self.check(self.report(*BOUNDS, self.hero()))
        walking, waving = report["animations"]
        self.assertEqual((walking["animation"], waving["animation"]), ("walk", "wave"))
        self.assertEqual(walking["keys"], {"rotation": 33, "translation": 31, "scale": 2})
        self.assertEqual(waving["keys"], {"rotation": 3, "translation": 0, "scale": 0})
        for kind, curves in (("rotation", 2), ("translation", 1), ("scale", 1)):
            self.assertEqual(sum(walking[how][kind] for how in ("moving", "constant", "keyed")), curves)
        for kind in "rotation", "translation", "scale":  # what is not in the file is not in the clip
            self.assertEqual(sum(waving[how][kind] for how in ("moving", "constant", "keyed")), kind == "rotation")
        self.assertEqual((walking["joints"], waving["joints"]), (3, 3))
        self.assertEqual((walking["seconds"], waving["seconds"]), (1, 0.5))
        self.assertEqual((walking["frames"], walking["rate"]), (31, 30))
        self.assertEqual((walking["clip"], report["bundles"], report["failures"]), (None, [], []))

    def test_bounds(self):
        hero = self.hero()
        for options, bounds in (
            (["-r", "0.05"], (0.05, 0.0001, 0.001)),
            (["-r", "0.5", "-t", "0.2", "-s", "0.1"], (0.5, 0.2, 0.1)),
            (["--rotation", "0.02deg", "--translation", "0.5mm"], (0.02, 0.0005, 0.001)),
            (["--rotation", "0.001rad", "--translation", "0.5cm"], (0.001 * 180 / np.pi, 0.005, 0.001)),
            (["--translation", "0.5m", "--scale", "1e-4"], (0.05, 0.5, 0.0001)),
            (["--scale", "0.01"], (0.05, 0.0001, 0.01)),
        ):
            with self.subTest(options):
                report = self.check(self.report(*options, hero))
                found = [report[key] for key in ("rotation_bound_degrees", "translation_bound", "scale_bound")]
                np.testing.assert_allclose(found, bounds, rtol=1e-12)
                self.assertEqual((report["object_bound"], report["object_distance"]), (None, None))

    def test_coarse_clips_have_errors_and_are_small(self):
        hero = self.hero()
        fine, coarse = self.report(*BOUNDS, hero), self.report("-r", "5", "-t", "0.3", hero)
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
            for state in "constant", "at_rest", "keyed":  # what stands at rest is in the skeleton alone
                self.assertEqual(waving[state], {"rotation": 0, "translation": 0, "scale": 0})

    def test_without_such_curves(self):
        tree, content = gltf_tree([{"name": "a"}], {"walk": [(0, "rotation", [0, 1], turns(2), None)]})
        path = self.write("turns.gltf", gltf_text(tree, content))
        still = self.write("still.gltf", gltf_text(*gltf_tree([{"name": "a"}], {})))
        for file in path, still:  # the same with -o
            self.assertIn("no node moves", self.good("compress", "--only", "scale", file).stdout)
            self.assertIn("no node moves", self.good("compress", "--only", "scale", "-o", self.path("out"), file).stdout)
            report = self.json("compress", "--only", "scale", file)
            self.assertEqual((report["animations"], report["all"]["bits_per_key"], report["all"]["times_smaller"]), ([], None, None))

    def test_loop(self):
        round_trip = walk(31, 1, seed=2, turn=0.1)[:, 0]
        round_trip[-1] = -round_trip[0]
        closed = self.hero(arm=(TIMES, round_trip), leg=([0], turns(1)))
        result = run("compress", "--time", "0", "--json", "--loop", "--only", "rotation", closed)
        report = json.loads(result.stdout)
        self.assertEqual(report["animations"][0]["animation"], "walk")  # wave does not close
        self.assertTrue(report["loop"])
        self.assertEqual(result.returncode, 1)
        self.assertIn(closed + ': animation 1, wave: rotation of "arm", key 2: ', result.stderr)
        self.assertEqual((report["animations_left_out"], result.stderr.count("\n")), (1, 1))

    def test_bad_animations_do_not_stop_the_others(self):
        bad_turns, late = walk(31, 1)[:, 0], TIMES.copy()
        bad_turns[7, 2], late[20] = np.nan, late[18]
        for changes, says in (
            ({"arm": (TIMES, bad_turns)}, 'animation 0, walk: rotation of "arm", key 7: '),
            ({"hip": (late, moves(31))}, 'animation 0, walk: translation of "hip", key 20: '),
            ({"size": ([0, 1], [[1.0, 1, 1], [1, np.inf, 1]])}, 'animation 0, walk: scale of "hip", key 1: '),
        ):
            with self.subTest(says):
                path = self.hero("bad.gltf", **changes)
                result = self.bad(1, "compress", "--time", "0", "--json", path, self.hero(), says=path + ": " + says)
                self.assertEqual(result.stderr.count("\n"), 3)
                report = self.check(json.loads(result.stdout))
                lines = result.stderr.splitlines()
                self.assertEqual(lines[1:], ["quatsimd: 1 failed:", lines[0]])
                (failed,) = report["failures"]
                self.assertEqual((failed["file"], failed["reason"]), (path, "animation"))
                self.assertEqual(["quatsimd: " + text for text in failed["messages"]], lines[:1])
                names = [entry["animation"] for entry in report["animations"]]
                self.assertEqual((names, report["animations_left_out"]), (["wave", "walk", "wave"], 1))

    def test_bad_files(self):
        none, text, folder = self.path("none.glb"), self.write("text.bvh", b"hello\n"), self.path("folder")
        os.mkdir(folder)
        os.symlink(none, os.path.join(folder, "gone.glb"))
        result = run("compress", "--time", "0", none, folder, self.hero(), text, "/dev/null")
        self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 9))  # each twice, and a heading
        for says in none + ": cannot open", os.path.join(folder, "gone.glb") + ": cannot open", text + ": ", "/dev/null: not a regular":
            self.assertIn("quatsimd: " + says, result.stderr)
        self.assertIn("hero.gltf: walk", result.stdout)
        self.bad(1, "compress", "--json", none, text, says=[none, text])

    def test_names_become_files(self):
        """By extract, and never above the folder."""
        names = ["../../up", "a/b", "..", "", "\x1b[31m", "WALK", "walk", "run ", "hop."]
        files = ["_._.._up", "a_b", "__", "animation", "\ufffd[31m", "WALK", "WALK-2", "run_", "hop_", "a_b-2"]
        tree, content = gltf_tree([{"name": "a"}], {name: [(0, "rotation", [0, 1], turns(2), None)] for name in names})
        tree["animations"].append(dict(tree["animations"][1]))
        self.good("compress", "-o", self.path("names.qsb"), self.write("names.gltf", gltf_text(tree, content)))
        self.good("extract", self.path("names.qsb"), "-o", self.path("out"))
        self.assertEqual(sorted(os.listdir(self.directory)), ["names.gltf", "names.qsb", "out"])
        self.assertEqual(sorted(os.listdir(self.path("out"))), sorted([*(name + ".qsc" for name in files), "skeleton.qsk"]))

    def test_bytes_are_those_of_every_kernel(self):
        hero = self.hero()
        bundles = self.path("here.qsb"), self.path("there.qsb")
        self.good("compress", "-o", bundles[0], hero)
        self.good("compress", "-o", bundles[1], hero, env=dict(os.environ, QUATSIMD_ISA="scalar"))
        self.assertEqual(*map(self.content, bundles))

    def test_options_of_what_is_written(self):
        """Each goes into the clips and the record, and bundles of others are not up to date."""
        hero, bundle = self.hero(), self.path("out.qsb")
        only = [(["--only", kind], {"animations_without_curves": kind != "rotation"}, {}) for kind in KINDS]
        for options, whole, first in (
            ([], {"additive": "none"}, {"rate": 30, "frames": 31}),
            *only,
            (["--rate", "60"], {}, {"rate": 60, "frames": 61}),
            (["--additive", "first"], {"additive": "first"}, {}),
            (["--rate", "60", "--additive", "first"], {"additive": "first"}, {"rate": 60}),
        ):
            with self.subTest(options):
                measured = self.check(self.report(*options, hero))
                walking = measured["animations"][0]
                self.assertEqual(({key: measured[key] for key in whole}, {key: walking[key] for key in first}), (whole, first))
                self.assertEqual([kind for kind in KINDS if walking["keys"][kind]], options[1:] if "--only" in options else list(KINDS))
                for current in False, True:
                    written = self.json("compress", "-o", bundle, *options, hero)
                    self.assertEqual(written["bundles"][0]["up_to_date"], current)
                    for one, other in zip(measured["animations"], written["animations"], strict=True):
                        for key in "animation", "rate", "frames", "moving", "constant", "keyed", "keys":
                            self.assertEqual(one[key], other[key], key)
                    for key in "additive", "loop", "animations_without_curves", "animations_left_out":
                        self.assertEqual(measured[key], written[key], key)
                self.assertEqual(self.good("verify", bundle).stderr, "")
                making = self.json("info", bundle)[0]["making"]
                made, bounds = making["options"], making["files"][0]
                bounds = [kind for kind in KINDS if bounds[kind + "_bound" + "_degrees" * (kind == "rotation")] is not None]
                self.assertEqual(bounds, options[1:] if "--only" in options else [])
                for option, value in zip(options[::2], options[1::2]):
                    self.assertIn(" additive" if option == "--additive" else " %s %s" % (option[2:], value), made)

    def test_folders_without_output(self):
        """Files of a folder are measured, and names may be equal."""
        for name in "a", "b":
            self.hero(os.path.join(name, "x.gltf"))
        report = self.check(self.report(self.path("a"), self.path("b")))
        files = [os.path.relpath(entry["file"], self.directory) for entry in report["animations"]]
        self.assertEqual(files, ["a/x.gltf"] * 2 + ["b/x.gltf"] * 2)

    def test_table(self):
        hero = self.hero()
        for options, said, cells in (BOUNDS, "bounds: rotation 0.05 degrees", 14), (["--object", "0.1@2"], "bound 0.1 for points", 17):
            text = self.good("compress", "--time", "0", *options, hero).stdout
            ((*rows,),) = self.tables(re.sub("\n.*; encoding", "\n\n", text))
            self.assertIn("2 animations, keys: 36 rotation, 31 translation, 2 scale", text)
            self.assertIn("\n" + said, text)
            self.assertEqual([name for _, name in rows], [hero + ": walk", hero + ": wave", "all 2 animations"])
            self.assertEqual([len(row) for row, _ in rows], [cells] * 3)  # of them "3.14 times smaller"

    def test_speed(self):
        report = self.json("compress", "--time", "0.01", self.hero())
        for way in "random", "playback", "decode":
            for nanoseconds in report["speed"][way].values():
                self.assertTrue(0.01 < nanoseconds < 1e6)
        text = self.good("compress", "--time", "0.01", self.hero()).stdout
        for words in "random poses", "playback at 60 Hz", "all frames", "keys per second":
            self.assertIn(words, text)
        self.assertNotIn("speed", self.report(self.hero()))
        out = ["-o", self.path("out"), self.hero()]
        self.assertNotIn("random poses", self.good("compress", *out).stdout)
        text = self.good("compress", "--time", "0.01", *out).stdout  # and makes them again
        for words in "random poses", "playback at 60 Hz", "all frames", "keys per second":
            self.assertIn(words, text)
        self.assertNotIn("speed", self.json("compress", *out))
        written = self.json("compress", "--time", "0.01", *out)
        self.assertGreater(written["speed"]["random"]["nanoseconds_per_moving_curve"], 0.01)
