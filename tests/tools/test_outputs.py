"""Tests of outputs: they are whole or as they were before, whatever fails."""
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import numpy as np

from support.command import TOOL, Directory, run, with_failing
from support.compressing import Case, animation as make_animation, listing, small
from support.gltf import gltf_tree
from support.rotations import rotations


PACK = ["pack", "-f", "cube32"]


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))


class Outputs(Directory):
    def test_unwritable(self):
        source = self.save("in.npy", rotations(2))
        for out in self.path("no", "out.npy"), source + "/out.npy", "/proc/out.npy":
            with self.subTest(out):
                self.bad(1, *PACK, source, out, says=out + ": cannot write")
                self.bad(1, "pack", "-f", "smallest3:4", source, out, says=out + ": cannot write")
        self.bad(1, *PACK, source, self.directory, says=self.directory + ": cannot write: Is a directory")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only(self):
        source, old, hero = self.save("in.npy", rotations(2)), self.write("old.npy", b"old"), self.write("in/a.glb", small())
        os.chmod(old, 0o444)
        self.bad(1, *PACK, source, old, says=old + ": cannot write: Permission denied")
        os.mkdir(self.path("shut"), 0o555)
        self.bad(1, *PACK, source, self.path("shut", "o.npy"), says="cannot write: Permission denied")
        self.bad(1, "compress", "-o", self.path("shut"), hero, says="shut/a.qsb: cannot write: Permission denied")

    def test_failure_leaves_the_old_file(self):
        source, old = self.save("in.npy", rotations(10000)), self.write("out.npy", b"old")
        limits = {"preexec_fn": limit_files, "restore_signals": False}
        for format in "cube32", "smallest3:20", "float4":
            self.bad(1, "pack", "-f", format, source, old, says=old + ": cannot write: File too large", **limits)
        self.assertEqual(self.content(old), b"old")

    def test_interrupted(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        arguments = [TOOL, "pack", "-f", "float4", source, out]
        start = time.monotonic()
        subprocess.run(arguments, check=True)
        whole = time.monotonic() - start
        for ending in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            for tenth in range(1, 11):
                process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
                time.sleep(whole * tenth / 10)
                process.send_signal(ending)
                self.assertIn(process.wait(), (-ending, 0))
                self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "out.npy"])

    def test_hangup_is_ignored_under_nohup(self):
        source, out = self.save("in.npy", rotations(500000)), self.path("out.npy")
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = subprocess.Popen([TOOL, "pack", "-f", "float4", source, out], preexec_fn=ignore)
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        self.assertEqual((process.wait(), os.listdir(self.directory).count("out.npy")), (0, 1))

    def test_full_disk(self):
        mount = self.path("disk")
        os.mkdir(mount)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=65536", "none", mount], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("cannot mount a small tmpfs here")
        self.addCleanup(subprocess.run, ["umount", mount], check=True)
        source = self.save("in.npy", rotations(50000))
        self.bad(1, "pack", "-f", "half4", source, os.path.join(mount, "out.npy"), says="No space left on device")
        self.assertEqual(os.listdir(mount), [])

    def test_full_devices(self):
        source, hero, clip = self.save("in.npy", rotations(5)), self.write("in.glb", small()), self.path("Walk.qsc")
        self.bad(1, *PACK, source, "/dev/full", says="/dev/full: cannot write: No space left on device")
        self.good("compress", "-o", self.path("in.qsb"), hero)
        self.good("extract", self.path("in.qsb"), "Walk", "-o", clip)
        commands = "formats", "measure --no-speed " + source, "help", "--version", "formats --json", "compress --time 0 " + hero
        for arguments in *commands, "verify %s -a %s" % (clip, hero), "info " + clip:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.bad(1, *arguments.split(), says="standard output: cannot write", stdout=full)

    def failing(self, function, *arguments, says, **options):
        """With a function of the C library that fails; what is there stays as it is."""
        environment, before = with_failing(self, function), listing(self.directory)
        result = run(*arguments, env=environment, **options)
        self.assertEqual((result.returncode, listing(self.directory)), (1, before))
        self.assertIn("quatsimd: %s: cannot write: Input/output error\n" % says, result.stderr)

    def each_failing(self, *calls):
        for function in "fclose", "rename":
            for arguments, says in calls:
                with self.subTest(function, command=arguments[0], file=says):
                    self.failing(function, *arguments, says=says)

    def test_files_that_cannot_be_closed_or_renamed(self):
        array, hero, packed = self.save("in.npy", rotations(5)), self.write("in.glb", small()), self.path("packed.npy")
        out, page, curves = self.path("out"), self.path("page.html"), self.path("curves")
        self.good("pack", "-f", "half4", array, packed)
        self.good("compress", "-o", out, hero)
        self.good("import", hero, curves)
        bundle, clip = os.path.join(out, "in.qsb"), self.path("in.qsc")
        self.good("extract", bundle, "Walk", "-o", clip)
        self.each_failing(
            (["pack", "-f", "half4", array, packed], packed),
            (["pack", "-f", "half4", array, self.path("new.npy")], self.path("new.npy")),
            (["unpack", "-f", "half4", packed, self.path("back.npy")], self.path("back.npy")),
            (["import", hero, curves], os.path.join(curves, "Walk", "joint 0.npy")),
            (["compress", "-r", "1", "-o", out, hero], bundle),
            (["compress", "-o", self.path("new.qsb"), hero], self.path("new.qsb")),
            (["extract", bundle, "Walk", "-o", clip], clip),
            (["extract", bundle, "--skeleton", "-o", self.path("new.qsk")], self.path("new.qsk")),
            (["compress", "-o", out, "--report", page, hero], page),
            (["decompress", bundle, "-o", self.directory], self.path("rotations.npy")),
            (["decompress", bundle, "-o", self.path("new.glb")], self.path("new.glb")),
            (["decompress", bundle, "-o", self.path("new.bvh")], self.path("new.bvh")),
        )
        with tempfile.TemporaryFile() as said:
            self.failing("fclose", "--version", says="standard output", stdout=said)

    def test_devices_are_not_replaced(self):
        self.good(*PACK, self.save("in.npy", rotations(5)), "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_links_and_modes_stay(self):
        source, target = self.save("in.npy", rotations(5)), self.write("target.npy", b"")
        os.chmod(target, 0o640)
        os.symlink("target.npy", self.path("link.npy"))
        self.good(*PACK, source, self.path("link.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(target).shape, (5,))
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "link.npy", "target.npy"])

    def test_long_names(self):
        out = self.path("x" * 251 + ".npy")
        self.good(*PACK, self.save("in.npy", rotations(5)), out)
        self.assertEqual(np.load(out).shape, (5,))


OVERWRITTEN = "is also an input, and would be overwritten"


class NoInput(Case):
    """No output replaces an input, which the user or another file names, by whatever name the output has."""

    def gltf(self, name, seed=1, joints=3, animation="Walk", **members):
        """With a buffer in a file beside it, NAME.bin."""
        nodes, curves = make_animation(joints, 20, seed)
        tree, content = gltf_tree(nodes, {animation: curves})
        tree["buffers"] = [{"byteLength": len(content), "uri": os.path.basename(name) + ".bin"}, *members.pop("buffers", [])]
        self.put(name + ".bin", content)
        return self.put(name, json.dumps({**tree, **members}).encode())

    def names(self, path, ending):
        """Names with this ending of the file: a hard link and a symbolic one in other folders."""
        for make, folder in (os.link, "hard"), (os.symlink, "soft"):
            with tempfile.TemporaryDirectory(dir=self.directory) as scratch:
                name = os.path.join(scratch, folder + ending)
                make(path, name)
                yield name

    def spares(self, inputs, ending, *arguments, status=1):
        """As OUT in the arguments, any name of any of the inputs is refused, before anything is written."""
        for path in inputs:
            for name in self.names(path, ending):
                with self.subTest(arguments[0], input=os.path.basename(path), name=os.path.basename(name)):
                    before = listing(self.directory)
                    result = run(*(name if a == "OUT" else a for a in arguments))
                    self.assertEqual(result.returncode, status, result.stderr + result.stdout)
                    self.assertRegex(result.stderr, re.escape(name) + ":? " + OVERWRITTEN)
                    self.assertEqual(listing(self.directory), before)

    def test_page(self):
        one, two, base = self.gltf("in/a.gltf", images=[{"uri": "a.png"}]), self.gltf("in/b.gltf", 2), self.gltf("base.gltf", 3)
        self.put("in/a.png", b"PNG")
        self.compress(one)
        skeleton = self.path("s.qsk")
        self.good("extract", self.out("a.qsb"), "--skeleton", "-o", skeleton)
        shutil.rmtree(self.out())
        for options, read in (
            ([], []),
            (["--additive", base], [base, base + ".bin"]),
            (["--skeleton", two], []),
            (["--skeleton", skeleton], [skeleton]),
        ):
            inputs = [one, one + ".bin", two, two + ".bin", self.path("in/a.png"), *read]
            for out in self.out(), self.path("all.qsb"):
                self.spares(inputs, ".html", "compress", *options, "-o", out, "--report", "OUT", self.path("in"))
        recipe = self.put("hero.json", b'{"skeleton": "base.gltf", "files": "in/*.gltf"}')
        inputs = [recipe, base, base + ".bin", one, one + ".bin", two, two + ".bin", self.path("in/a.png")]
        self.spares(inputs, ".html", "compress", recipe, "-o", self.path("all.qsb"), "--report", "OUT")
        self.spares(inputs[1:], ".qsb", "compress", recipe, "-o", "OUT")
        for name in self.names(recipe, ".qsb"):
            self.bad(2, "compress", recipe, "-o", name, says="is itself to be compressed")
        page = self.path("page.html")
        for _ in range(2):  # a page of an earlier run is replaced
            self.compress("-r", "1", "--report", page, self.path("in"))
            self.compress("--report", page, self.path("in"))

    def test_glb(self):
        lights = {"EXT_lights_ies": {"lights": [{"uri": "lights/lamp.ies"}]}}
        path = self.gltf("in.gltf", images=[{"uri": "my%20skin.png"}], extensions=lights)
        inputs = [path + ".bin", self.put("my skin.png", b"PNG"), self.put("lights/lamp.ies", b"IES")]
        self.spares(inputs, ".glb", "compress", "--glb", "OUT", path)
        os.rename(path + ".bin", self.path("keys.glb"))
        self.put("in.gltf", self.content(path).replace(b"in.gltf.bin", b"keys.glb"))
        os.symlink(self.directory, self.path("around"))
        for out in self.path("keys.glb"), self.path("lights/../keys.glb"), self.path("around/keys.glb"):
            self.bad(1, "compress", "--glb", out, path, says=out + ": " + OVERWRITTEN)
        for _ in range(2):
            self.good("compress", "--glb", self.path("out.glb"), path)

    def test_bundles(self):
        """A bundle of an earlier run that another file names is not replaced, in a folder or alone."""
        for name in "a.gltf", "z.gltf":  # read before the other file, and behind it
            for out in self.out(), self.out(name[0] + ".qsb"):
                with self.subTest(name, out=os.path.basename(out)):
                    path = self.gltf(name)
                    self.good("compress", "-o", out, path)
                    bundle = self.out(name[0] + ".qsb")
                    before = self.read(bundle)
                    other = self.gltf("m.gltf", 2, images=[{"uri": "out/%s.qsb" % name[0]}])
                    self.assertEqual(run("compress", "-o", out, path, other).returncode, int(out == bundle))
                    self.bad(1, "compress", "-r", "1", "-o", out, path, other, says=bundle + ": " + OVERWRITTEN)
                    self.assertEqual((self.read(bundle), os.path.exists(self.out("m.qsb"))), (before, out != bundle))
                    self.gltf("m.gltf", 2)
                    self.good("compress", "-r", "1", "-o", out, path, other)
                    self.assertNotEqual(self.read(bundle), before)
                    shutil.rmtree(self.out())

    def test_decompress(self):
        """Also the base that only the record names, and the skeleton beside a clip."""
        hero, base, image = self.gltf("hero.gltf"), self.gltf("base.gltf", 2, images=[{"uri": "hero.png"}]), self.put("hero.png", b"PNG")
        self.compress("--additive", base, hero)
        bundle, clip, skeleton = self.out("hero.qsb"), self.path("parts", "Walk.qsc"), self.path("parts", "skeleton.qsk")
        self.good("extract", bundle, "-o", self.path("parts"))
        for ending in ".glb", ".bvh":
            for given, read in ([bundle], [bundle]), ([clip, "--base", base + "#Walk"], [clip, skeleton]):
                self.spares([image, base, base + ".bin", *read], ending, "decompress", *given, "-o", "OUT")
        for _ in range(2):
            self.good("decompress", bundle, "-o", self.path("new.glb"))

    def test_arrays(self):
        """Where one of the files to write is an input, none is written."""
        hero = self.gltf("hero.gltf")
        self.compress(hero)
        bundle = self.out("hero.qsb")
        for path in [bundle]:
            for name in "rotations.npy", "translations.npy", "times.npy", "joints.json":
                with self.subTest(os.path.basename(path), name=name), tempfile.TemporaryDirectory(dir=self.directory) as folder:
                    os.link(path, os.path.join(folder, name))
                    before = listing(self.directory)
                    says = name + ": is also an input, and would be overwritten"
                    self.bad(1, "decompress", bundle, "-o", folder, says=says)
                    self.assertEqual(listing(self.directory), before)
        os.mkdir(self.path("arrays"))
        os.link(bundle, self.path("arrays", "scales.npy"))  # the clip has none, so none are written
        for _ in range(2):
            self.good("decompress", bundle, "-o", self.path("arrays"))

    def test_parts_of_bundles(self):
        """extract and bundle."""
        self.compress(self.gltf("hero.gltf"))
        bundle, parts = self.out("hero.qsb"), self.path("parts")
        self.good("extract", bundle, "-o", parts)
        clip, skeleton = (os.path.join(parts, name) for name in ("Walk.qsc", "skeleton.qsk"))
        self.spares([bundle], ".qsc", "extract", bundle, "Walk", "-o", "OUT")
        self.spares([bundle], ".qsk", "extract", bundle, "--skeleton", "-o", "OUT")
        self.spares([clip, skeleton], ".qsb", "bundle", "--skeleton", skeleton, "-o", "OUT", clip)
        for name in "Walk.qsc", "skeleton.qsk":
            with tempfile.TemporaryDirectory(dir=self.directory) as folder:
                os.link(bundle, os.path.join(folder, name))
                self.bad(1, "extract", bundle, "-o", folder, says=name + ": " + OVERWRITTEN)
        for _ in range(2):
            self.good("extract", bundle, "-o", parts)

    def test_import(self):
        """The same; the last of its files is the input."""
        hero = self.gltf("hero.gltf")
        for path in hero, hero + ".bin":
            for name in "last.npy", "times/last.npy":
                with self.subTest(os.path.basename(path), name=name), tempfile.TemporaryDirectory(dir=self.directory) as folder:
                    os.makedirs(os.path.join(folder, "Walk", "times"))
                    os.link(path, os.path.join(folder, "Walk", name))
                    before = listing(self.directory)
                    self.bad(1, "import", hero, folder, says="Walk/%s: %s" % (name, OVERWRITTEN))
                    self.assertEqual(listing(self.directory), before)
        for _ in range(2):
            self.good("import", hero, self.path("curves"))

    def test_pack(self):
        path, packed = self.save("in.npy", rotations(5)), self.path("packed.npy")
        for _ in range(2):
            self.good(*PACK, path, packed)
            self.good("unpack", "-f", "cube32", packed, self.path("back.npy"))
        for command, source in ("pack", path), ("unpack", packed):
            self.bad(2, command, "-f", "cube32", source, source, says=source + " is also the input, and would be overwritten")
            for name in self.names(source, ".npy"):
                self.bad(2, command, "-f", "cube32", source, name, says=name + " is also the input, and would be overwritten")

    def test_base_that_is_not_used(self):
        hero, base = self.gltf("hero.gltf"), self.gltf("base.gltf", 2)
        self.compress(hero)
        bundle = self.out("hero.qsb")
        says = "base.gltf: is given as --base, but no clip that was compared is additive to another animation"
        for operands in [bundle], [bundle, "Walk"], [self.out()]:
            for json_too in [], ["--json"]:
                self.bad(1, "verify", *operands, "--base", base, *json_too, says=says)
        self.compress("--additive", base, self.gltf("other.gltf", 3))
        self.good("verify", self.out(), "--base", base)  # of one of the two


class Bundles(Case):
    """Bundles of compress are whole or as they were, whatever comes between, and drafts do not stay."""

    def test_drafts_alone_are_removed(self):
        """Those of the same bundle, which nobody writes any more. Files of others may begin as drafts do."""
        file = self.put("a.glb", small())
        shim = with_failing(self, "kill rename 1")
        self.assertEqual(run("compress", "-o", self.out(), file, env=shim).returncode, -signal.SIGKILL)
        [draft] = os.listdir(self.out())
        self.assertRegex(draft, r"^\.quatsimd-[0-9a-f]{16}-0$")
        start = draft[:-1]
        mine = [".quatsimd-notes", start, start + "0.txt", start + "x", draft.replace("-0", "-1")[:20] + "0-0", "notes.txt"]
        for name in [*mine, start + "1"]:
            self.put("out/" + name, b"left")
        with open(self.out(start + "1")) as other:  # another run writes it
            fcntl.flock(other, fcntl.LOCK_EX)
            self.compress(file)
        self.assertEqual(sorted(os.listdir(self.out())), sorted([*mine, start + "1", "a.qsb"]))
        self.assertEqual({self.read(name) for name in [*mine, start + "1"]}, {b"left"})

    def test_stopped_while_files_are_replaced(self):
        """By a call that fails or by its death: each bundle is the former or the new one, and the next run ends the work."""
        files = [self.put("%s.glb" % name, small(seed=ord(name))) for name in "abc"]
        for out in self.out(), self.out("all.qsb"):
            self.good("compress", "-r", "1", "-o", out, *files)
            after = listing(self.out())
            self.good("compress", "-o", out, *files)
            before = listing(self.out())
            for how in "", "kill ":
                for call in range(1, 4 if out == self.out() else 2):
                    with self.subTest(out=os.path.basename(out), call=how + "rename %d" % call):
                        result = run("compress", "-r", "1", "-o", out, *files, env=with_failing(self, how + "rename %d" % call))
                        self.assertEqual(result.returncode, -signal.SIGKILL if how else 1)
                        found, new = listing(self.out()), 0
                        for name in before:
                            self.assertIn(found[name], (before[name], after[name]))
                            new += found[name] == after[name] != before[name]
                        self.assertEqual(new, (call - 1 if how else 2) if out == self.out() else 0)
                        if not how:
                            self.assertRegex(result.stderr, r"out/\w+\.qsb: cannot write: Input/output error\n")
                            self.assertEqual(sorted(found), sorted(before))
                        self.good("compress", "-r", "1", "-o", out, *files)
                        self.assertEqual(listing(self.out()), after)
                        self.good("compress", "-o", out, *files)

    def test_unwritten(self):
        """A bundle that is too large for the disk leaves the former one."""
        file = self.put("a.glb", small(joints=8, keys=400))
        self.compress(file)
        before, size = listing(self.out()), len(self.read("a.qsb"))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, size - 1))

        result = self.compress("--rotation", "0.001", file, status=1, preexec_fn=limit)
        self.assertIn("a.qsb: cannot write: File too large\n", result.stderr)
        self.assertNotIn("is replaced", result.stderr)
        self.assertEqual(listing(self.out()), before)

    def test_full_disk(self):
        os.mkdir(self.out())
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", self.out()], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("cannot mount a small tmpfs")
        self.addCleanup(subprocess.run, ["umount", self.out()], check=True)
        content = small(joints=8, keys=200)
        for i in range(30):
            self.put("in/%02d.glb" % i, content)
        result = self.compress(self.path("in"), "--jobs", "2", status=1)
        self.assertRegex(result.stderr, r"out/\d\d\.qsb: cannot write: No space left on device")
        whole = os.listdir(self.out())
        self.assertGreater(len(whole), 3)
        for name in whole:  # what was finished stays
            self.good("verify", self.out(name))

    def test_two_runs_at_once(self):
        for i in range(60):
            self.put("in/%03d.glb" % i, small(seed=i + 1))
        for out in self.out(), self.path("all.qsb"):
            arguments = [TOOL, "compress", "-o", out, self.path("in")]
            runs = [subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
            self.assertEqual([process.wait() for process in runs], [0, 0, 0])
            self.assertEqual(self.good(*arguments[1:]).stdout.count(": up to date\n"), 60 if out == self.out() else 1)
        self.assertEqual((len(os.listdir(self.out())), sorted(os.listdir(self.directory))), (60, ["all.qsb", "in", "out"]))

    def test_interrupt(self):
        content = small(joints=8, keys=200)
        for i in range(300):
            self.put("in/%03d.glb" % i, content)
        process = subprocess.Popen([TOOL, "compress", "-o", self.out(), self.path("in")], stdout=subprocess.DEVNULL)
        while len(os.listdir(self.out()) if os.path.exists(self.out()) else []) < 20:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), -signal.SIGINT)
        found = os.listdir(self.out())
        self.assertTrue(1 <= len(found) < 300 and all(name.endswith(".qsb") for name in found), found)
        self.good("verify", self.out(found[-1]))
