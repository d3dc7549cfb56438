"""Tests of `quatsimd compress` on what an earlier run left, or one beside it: nothing is lost or half-made whatever comes between."""
import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from support.command import TOOL, run, with_failing
from support.compressing import Case, animation, listing, small
from support.gltf import glb_of, gltf_tree


class Replaced(Case):
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
            self.assertIn("1 file: 0 compressed, 1 in part, 0 up to date, 0 with nothing to compress, 0 failed\n", result.stdout)
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
        self.assertEqual(
            sorted(os.listdir(self.out("a.glb"))), ["Jump.qsc", "Walk.qsc", "copy.qsc", "mine.qsc", "quatsimd.json", "skeleton.qsk"]
        )

    def test_drafts_alone_are_removed(self):
        """Files of others may begin as drafts do."""
        self.put("in/a.glb", small())
        mine = [
            ".quatsimd-notes",
            ".quatsimd-1",
            ".quatsimd-1-",
            ".quatsimd--1",
            ".quatsimd-1-0.txt",
            ".quatsimd-1-0-",
            ".quatsimd-1-0-2-3",
            ".quatsimd-x-0",
        ]
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
        process = subprocess.Popen(
            [TOOL, "compress", "--animation", "Walk", "-o", self.out(), path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
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

    def test_what_is_no_manifest(self):
        """Somebody else's, or of a later version: the clips that it names would stay beside another skeleton."""
        path = self.put("a.glb", small())
        self.compress(path)
        manifest = self.manifest("a.glb")
        for other in dict(manifest, manifest=2), dict(manifest, manifest="1"), {"mine": 1}, [], 3:
            self.put("out/a.glb/quatsimd.json", json.dumps(other).encode())
            before = listing(self.out())
            said = self.compress("-r", "1", path, status=1)
            self.assertIn(
                "out/a.glb/quatsimd.json: is in the way: not a manifest of version 1; move its folder away, or give another OUT\n",
                said.stderr,
            )
            self.assertEqual(listing(self.out()), before)
        for damaged in b"", b"\0" * 4096, b'{"manifest": 1, ':
            self.put("out/a.glb/quatsimd.json", damaged)
            self.compress(path)
            self.assertEqual(self.manifest("a.glb"), manifest)

    def test_volumes_that_ignore_case(self):
        """A new name may be that of a file of an earlier run, which is not removed then."""
        environment = with_failing(self, "ignore case")
        path = self.put("hero.glb", small())
        self.compress(path, env=environment)
        for name, seed in ("walk", 1), ("WALK", 2), ("Walk", 2):  # the first with the same bytes
            self.put("hero.glb", small(name, seed=seed))
            said = self.compress(path, env=environment)
            self.assertEqual(said.stderr, "")
            self.assertEqual(sorted(os.listdir(self.out("hero.glb"))), ["Walk.qsc", "quatsimd.json", "skeleton.qsk"])
            self.assertEqual(self.manifest("hero.glb")["animations"][0]["output"], name + ".qsc")
            self.assertIn("1 up to date", self.compress(path, env=environment).stdout)
        self.put("hero.glb", small("Run"))
        self.assertIn("removed 1 file of an earlier run", self.compress(path, env=environment).stderr)
        self.assertEqual(sorted(os.listdir(self.out("hero.glb"))), ["Run.qsc", "quatsimd.json", "skeleton.qsk"])

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

    def test_two_runs_at_once(self):
        for i in range(60):
            self.put("in/%03d.glb" % i, small(seed=i + 1))
        runs = [subprocess.Popen([TOOL, "compress", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL) for _ in range(3)]
        self.assertEqual([process.wait() for process in runs], [0, 0, 0])
        self.assertIn("60 up to date", self.compress(self.path("in")).stdout)
        self.assertFalse([path for path in listing(self.out()) if "/.quatsimd" in path])

    def test_full_disk(self):
        os.mkdir(self.out())
        if (
            os.geteuid() != 0
            or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", self.out()], stderr=subprocess.DEVNULL).returncode
        ):
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
        self.assertIn("1 file: 0 compressed, 0 up to date, 0 with nothing to compress, 1 failed\n", result.stdout)
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
                            self.assertRegex(
                                stopped.stderr,
                                r"out/a\.glb/\w+\.\w+: (cannot write|is of an earlier run and cannot be removed): Input/output error\n$",
                            )
                            self.assertFalse([name for name in os.listdir(self.out("a.glb")) if name.startswith(".")])
                        self.assertEqual(os.path.exists(self.out("a.glb", "Jump.qsc")), former != () and call != "rename 5")
                        if os.path.exists(self.out("a.glb", "Walk.qsc")) and call != "rename 1":
                            said = run("verify", self.out()).stderr
                            self.assertIn("a run of compress replaces these files, or could not do so to the end; run it again", said)
                        self.compress(*other, self.path("in"))
                        self.assertEqual(listing(self.out()), wanted)

    def test_killed(self):
        """Its workers do not go on beside the next run."""
        nodes, curves = animation(40, 15000)
        self.put("in/huge.glb", glb_of(*gltf_tree(nodes, {"Walk": curves})))
        self.put("in/a.glb", small())
        process = subprocess.Popen(
            [TOOL, "compress", "--object", "0.01@3", "--jobs", "2", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL
        )
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
        self.assertIn("7 files: 6 compressed, 0 up to date, 0 with nothing to compress, 1 failed", result.stdout)


if __name__ == "__main__":
    unittest.main()
