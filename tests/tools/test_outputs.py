"""Tests of outputs: they are whole or as they were before, whatever fails."""
import itertools
import json
import os
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
from support.fbx import fbx_text
from support.fbx_figures import plain
from support.gltf import gltf_tree
from support.rotations import rotations


class Outputs(Directory):
    def test_unwritable(self):
        source = self.save("in.npy", rotations(2))
        for out in self.path("no", "out.npy"), source + "/out.npy", "/proc/out.npy":
            with self.subTest(out):
                self.bad(1, "pack", "-f", "cube32", source, out, says=out + ": cannot write")
                self.bad(1, "pack", "-f", "smallest3:4", source, out, says=out + ": cannot write")

    def test_read_only_directory_and_file(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        source = self.save("in.npy", rotations(2))
        old = self.write("old.npy", b"old")
        os.chmod(old, 0o444)
        self.bad(1, "pack", "-f", "cube32", source, old, says=old + ": cannot write: Permission denied")
        os.mkdir(self.path("shut"), 0o555)
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            self.path("shut", "o.npy"),
            says="cannot write: Permission denied",
        )

    def test_failure_leaves_the_old_file(self):
        source, old = self.save("in.npy", rotations(10000)), self.write("out.npy", b"old")

        def limit_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

        for format in "cube32", "smallest3:20", "float4":
            self.bad(
                1,
                "pack",
                "-f",
                format,
                source,
                old,
                says=old + ": cannot write: File too large",
                preexec_fn=limit_files,
                restore_signals=False,
            )
        with open(old, "rb") as file:
            self.assertEqual(file.read(), b"old")

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
        process = subprocess.Popen(
            [TOOL, "pack", "-f", "float4", source, out],
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
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
        source = self.save("in.npy", rotations(5))
        self.bad(
            1,
            "pack",
            "-f",
            "cube32",
            source,
            "/dev/full",
            says="/dev/full: cannot write: No space left on device",
        )
        for arguments in (
            ["formats"],
            ["measure", "--no-speed", source],
            ["help"],
            ["--version"],
            ["formats", "--json"],
        ):
            with self.subTest(arguments[0]), open("/dev/full", "w") as full:
                self.bad(1, *arguments, says="standard output: cannot write", stdout=full)

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
        clip, manifest = os.path.join(out, "in.glb", "Walk.qsc"), os.path.join(out, "in.glb", "quatsimd.json")
        self.each_failing(
            (["pack", "-f", "half4", array, packed], packed),
            (["pack", "-f", "half4", array, self.path("new.npy")], self.path("new.npy")),
            (["unpack", "-f", "half4", packed, self.path("back.npy")], self.path("back.npy")),
            (["import", hero, curves], os.path.join(curves, "Walk", "joint 0.npy")),
            (["compress", "-r", "1", "-o", out, hero], manifest),
            (["compress", "-o", out, "--report", page, hero], page),
            (["decompress", clip, "--arrays", "-o", self.directory], self.path("rotations.npy")),
            (["decompress", clip, "--into", hero, "-o", self.path("new.glb")], self.path("new.glb")),
        )
        with tempfile.TemporaryFile() as said:
            self.failing("fclose", "--version", says="standard output", stdout=said)

    def test_what_is_made_of_bvh_cannot_be_closed_or_renamed(self):
        bvh = self.write(
            "in.bvh",
            b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            b"End Site\n{\nOFFSET 1 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n",
        )
        self.good("compress", "-o", self.path("out"), bvh)
        clip = self.path("out", "in.bvh", "Motion.qsc")
        files = self.path("new.bvh"), self.path("new.glb")
        self.each_failing(*((["decompress", clip, "--into", bvh, "-o", file], file) for file in files))

    def test_devices_are_not_replaced(self):
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_links_and_modes_stay(self):
        source, target = self.save("in.npy", rotations(5)), self.write("target.npy", b"")
        os.chmod(target, 0o640)
        os.symlink("target.npy", self.path("link.npy"))
        self.good("pack", "-f", "cube32", source, self.path("link.npy"))
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(target).shape, (5,))
        self.assertEqual(os.stat(target).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["in.npy", "link.npy", "target.npy"])

    def test_long_names(self):
        out = self.path("x" * 251 + ".npy")
        self.good("pack", "-f", "cube32", self.save("in.npy", rotations(5)), out)
        self.assertEqual(np.load(out).shape, (5,))


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
                    self.assertIn(name + ": is also an input, and would be overwritten", result.stderr)
                    self.assertEqual(listing(self.directory), before)

    def test_page(self):
        one, two, base = self.gltf("in/a.gltf", images=[{"uri": "a.png"}]), self.gltf("in/b.gltf", 2), self.gltf("base.gltf", 3)
        self.put("in/a.png", b"PNG")
        self.compress(one)
        skeleton, bounds = self.out("a.gltf", "skeleton.qsk"), self.put("bounds.json", b'{"joints": [{"name": "*", "object": "1mm@3cm"}]}')
        shutil.rmtree(self.out())
        for options, read in (
            ([], []),
            (["--additive", base], [base, base + ".bin"]),
            (["--skeleton", two], []),
            (["--bounds", bounds], [bounds]),
        ):
            inputs = [one, one + ".bin", two, two + ".bin", self.path("in/a.png"), *read]
            self.spares(inputs, ".html", "compress", *options, "-o", self.out(), "--report", "OUT", self.path("in"))
            self.spares(inputs, ".html", "compress", *options, "-o", self.out(), "--report", "OUT", "--shard", "1/2", two, one)
        self.compress(one)
        self.spares([skeleton], ".html", "compress", "-o", self.path("new"), "--report", "OUT", "--skeleton", skeleton, two)
        page = self.path("page.html")
        for _ in range(2):  # a page of an earlier run is replaced
            self.compress("-r", "1", "--report", page, self.path("in"))
            self.compress("--report", page, self.path("in"))

    def test_glb(self):
        path, bounds = self.gltf("in.gltf", images=[{"uri": "my%20skin.png"}]), self.put(
            "bounds.json", b'{"joints": [{"name": "*", "object": "1mm@3cm"}]}'
        )
        inputs = [path + ".bin", self.put("my skin.png", b"PNG"), bounds]
        self.spares(inputs, ".glb", "compress", "--bounds", bounds, "--glb", "OUT", path)
        for _ in range(2):
            self.good("compress", "--bounds", bounds, "--glb", self.path("out.glb"), path)

    def test_clips(self):
        """What an earlier run made of one file and another file names is not replaced or removed. The same bytes are no loss."""
        for name, part in itertools.product(
            ("a.gltf", "z.gltf"), ("Walk.qsc", "skeleton.qsk", "hero.qsb")
        ):  # read before the other file, and behind it
            part = part.replace("hero", name[0])
            with self.subTest(name, part=part):
                path = self.gltf(name)
                self.compress("--bundle", path)
                other = self.gltf("m.gltf", 2, images=[{"uri": "out/%s/%s" % (name, part)}])
                before = listing(self.out(name))
                self.compress("--bundle", path, other)  # up to date
                self.gltf(name, 5, joints=4)
                result = self.compress("--bundle", "-r", "1", path, other, status=1)
                self.assertIn(part + ": is also an input, and would be overwritten", result.stderr)
                self.assertEqual(listing(self.out(name)), before)
                self.assertTrue(os.path.exists(self.out("m.gltf", "Walk.qsc")))
                shutil.rmtree(self.out())

    def test_clips_that_are_no_more(self):
        path = self.gltf("a.gltf")
        self.compress(path)
        self.gltf("a.gltf", animation="Run")
        self.compress(path, self.gltf("m.gltf", 2, images=[{"uri": "out/a.gltf/Walk.qsc"}]))
        self.assertEqual(sorted(os.listdir(self.out("a.gltf"))), ["Run.qsc", "Walk.qsc", "quatsimd.json", "skeleton.qsk"])
        self.gltf("a.gltf", 3)
        self.assertIn("Walk.qsc: is in the way", self.compress(path, status=1).stderr)  # nobody's any more

    def test_skeleton_of_an_earlier_run(self):
        path = self.gltf("a.gltf")
        self.compress(path)
        before = self.read("a.gltf", "skeleton.qsk")
        self.compress("-r", "1", "--skeleton", self.out("a.gltf", "skeleton.qsk"), path)
        self.assertEqual(self.read("a.gltf", "skeleton.qsk"), before)

    def test_bundle_of_all(self):
        hero, bundle = self.gltf("hero.gltf"), self.out("hero.qsb")
        self.compress("--bundle", "--skeleton", hero, hero)
        before = self.read("hero.qsb")
        other = self.gltf("m.gltf", 2, images=[{"uri": "out/hero.qsb"}])
        result = self.compress("--bundle", "--skeleton", hero, hero, other, status=1)
        self.assertIn(bundle + ": is also an input", result.stderr)
        self.assertEqual(self.read("hero.qsb"), before)
        self.gltf("m.gltf", 2)
        self.compress("--bundle", "--skeleton", hero, hero, other)
        self.assertNotEqual(self.read("hero.qsb"), before)

    def test_decompress(self):
        """Also the base that only the manifest names, and what is beside the clip."""
        hero, base, image = self.gltf("hero.gltf", images=[{"uri": "hero.png"}]), self.gltf("base.gltf", 2), self.put("hero.png", b"PNG")
        self.compress("--additive", base, hero)
        clip, beside = self.out("hero.gltf", "Walk.qsc"), [self.out("hero.gltf", name) for name in ("skeleton.qsk", "quatsimd.json")]
        inputs = [hero + ".bin", image, base, base + ".bin", *beside]
        for ending in ".gltf", ".glb":
            self.spares(inputs, ending, "decompress", clip, "--into", hero, "-o", "OUT")
            self.spares(inputs, ending, "decompress", clip, "--base", base + "#Walk", "--into", hero, "-o", "OUT")
        for out in base, os.path.join(self.directory, "out", "..", "base.gltf"):
            before = listing(self.directory)
            for given in [], ["--base", base]:
                self.bad(
                    1, "decompress", clip, *given, "--into", hero, "-o", out, says=out + ": is also an input, and would be overwritten"
                )
            self.assertEqual(listing(self.directory), before)
        for _ in range(2):
            self.good("decompress", clip, "--into", hero, "-o", self.path("new.gltf"))

    def test_decompress_others(self):
        """BVH and FBX."""
        bvh = self.put(
            "in.bvh",
            b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            b"End Site\n{\nOFFSET 1 0 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n",
        )
        fbx = self.put("in.fbx", fbx_text(plain()))
        self.compress(bvh, fbx)
        for path, clip, ending in (bvh, self.out("in.bvh", "Motion.qsc"), ".bvh"), (fbx, self.out("in.fbx", "walk.qsc"), ".glb"):
            self.spares([os.path.join(os.path.dirname(clip), "skeleton.qsk")], ending, "decompress", clip, "--into", path, "-o", "OUT")
            self.bad(2, "decompress", clip, "--into", path, "-o", path, says="is also an input, and would be overwritten")
        self.spares([fbx], ".html", "compress", "-o", self.path("new"), "--report", "OUT", bvh, fbx)

    def test_arrays(self):
        """Where one of the files to write is an input, none is written."""
        hero = self.gltf("hero.gltf")
        self.compress(hero)
        clip = self.out("hero.gltf", "Walk.qsc")
        names = "rotations.npy", "translations.npy", "times.npy", "joints.json"
        for path in hero, hero + ".bin", clip, self.out("hero.gltf", "skeleton.qsk"), self.out("hero.gltf", "quatsimd.json"):
            for name in names:
                with self.subTest(os.path.basename(path), name=name), tempfile.TemporaryDirectory(dir=self.directory) as folder:
                    os.link(path, os.path.join(folder, name))
                    before = listing(self.directory)
                    self.bad(
                        1,
                        "decompress",
                        clip,
                        "--arrays",
                        "--into",
                        hero,
                        "-o",
                        folder,
                        says=name + ": is also an input, and would be overwritten",
                    )
                    self.assertEqual(listing(self.directory), before)
        os.mkdir(self.path("arrays"))
        os.link(hero, self.path("arrays", "scales.npy"))  # the clip has none, so none are written
        for _ in range(2):
            self.good("decompress", clip, "--arrays", "--into", hero, "-o", self.path("arrays"))

    def test_import(self):
        """The same; the last of its files is the input."""
        hero = self.gltf("hero.gltf")
        for path in hero, hero + ".bin":
            for name in "last.npy", "times/last.npy":
                with self.subTest(os.path.basename(path), name=name), tempfile.TemporaryDirectory(dir=self.directory) as folder:
                    os.makedirs(os.path.join(folder, "Walk", "times"))
                    os.link(path, os.path.join(folder, "Walk", name))
                    before = listing(self.directory)
                    self.bad(1, "import", hero, folder, says="Walk/%s: is also an input, and would be overwritten" % name)
                    self.assertEqual(listing(self.directory), before)
        for _ in range(2):
            self.good("import", hero, self.path("curves"))

    def test_pack(self):
        path, packed = self.save("in.npy", rotations(5)), self.path("packed.npy")
        for _ in range(2):
            self.good("pack", "-f", "cube32", path, packed)
            self.good("unpack", "-f", "cube32", packed, self.path("back.npy"))
        for command, source in ("pack", path), ("unpack", packed):
            for name in self.names(source, ".npy"):
                self.bad(2, command, "-f", "cube32", source, name, says=name + " is also the input, and would be overwritten")

    def test_base_that_is_not_used(self):
        hero, base = self.gltf("hero.gltf"), self.gltf("base.gltf", 2)
        self.compress(hero)
        clip = self.out("hero.gltf", "Walk.qsc")
        says = "base.gltf: is given as --base, but no clip that was compared is additive to another animation"
        for operand in clip, self.out():
            for json_too in [], ["--json"]:
                self.bad(1, "verify", operand, "--base", base, *json_too, says=says)
        self.bad(
            1,
            "decompress",
            clip,
            "--into",
            hero,
            "--base",
            base,
            "-o",
            self.path("new.gltf"),
            says="Walk.qsc: is not additive to another animation, so --base does not go with it",
        )
        other = self.gltf("other.gltf", 3)
        self.good("compress", "-o", self.path("out"), "--additive", base, other)
        self.good("verify", self.out(), "--base", base)  # of one of the two


if __name__ == "__main__":
    unittest.main()
