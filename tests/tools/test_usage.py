"""Tests of arguments, help and messages."""
import os

from support.command import Directory
from support.rotations import rotations


class Usage(Directory):
    def test_bad_usage(self):
        source = self.save("in.npy", rotations(2))
        out = self.path("out.npy")
        for arguments, says in (
            ([], "Usage"),
            (["frobnicate"], 'no command "frobnicate"'),
            (["clip"], 'no command "clip"\n'),
            (["help", "x"], 'no command "x"\n'),
            (["compres"], 'no command "compres"; did you mean compress?\n'),
            (["decomp"], 'no command "decomp"; did you mean decompress?\n'),
            (["inof"], 'no command "inof"; did you mean info?\n'),
            (["in"], 'no command "in"; did you mean info?\n'),
            (["unpak"], 'no command "unpak"; did you mean unpack?\n'),
            (["hlep"], 'no command "hlep"; did you mean help?\n'),
            (["--verison"], "--verison: unknown option; did you mean --version?\n"),
            (["help", "--verbose"], "--verbose: unknown option\n"),
            (["help", "--help", "pack"], "pack: one argument too many"),
            (["help", "verfiy"], 'no command "verfiy"; did you mean verify?\n'),
            (["measure"], "no file given"),
            (["pack", "-f", "cube32"], "no file given"),
            (["pack", "-f", "cube32", source], "one more file is needed"),
            (["pack", source, out], "--format is missing"),
            (["pack", "-f", "cube32", source, out, out], "one argument too many"),
            (["pack", "-f", "cube32", "-f", "half4", source, out], "takes one format"),
            (["pack", "-f", "all", source, out], "takes one format"),
            (["pack", "-f", "cube", source, out], 'unknown format "cube"'),
            (["unpack", "-f", "smallest3:3", source, out], 'unknown format "smallest3:3"'),
            (["measure", "--format", "CUBE32", source], 'unknown format "CUBE32"'),
            (["measure", "--format"], "missing argument"),
            (["measure", "--what", source], "--what: unknown option"),
            (["formats", "x"], "one argument too many"),
            (["import", source], "one more file is needed"),
            (["pack", "-f", "", source, out], 'unknown format ""'),
            (["compress", "--jobs", "often", source], '--jobs: "often" is not a whole number'),
            (["compress", "--jobs=often", source], '--jobs: "often" is not a whole number'),
            (["compress", "-joften", source], '-j: "often" is not a whole number'),
            (["compress", "often", "-j", "often", source], '-j: "often" is not a whole number'),
            (["compress", "--jobs", "99999999999", source], '--jobs: "99999999999" is too large or too small a number'),
            (["compress", "--jobs", "0x10", source], '--jobs: "0x10" is not a whole number'),
            (["compress", "--jobs", "", source], '--jobs: "" is not a whole number'),
            (["compress", "--scale", "1", "-s2", source], "--scale is given twice, and only one can count"),
            (["compress", "--jobs=1", source, "-j1"], "--jobs is given twice, and only one can count"),
            (["compress", "--rate", "1e999", source], '--rate: "1e999" is too large or too small a number'),
            (["measure", "--json", "--json", source], "--json is given twice, and only one can count"),
            (["measure", "--js", source], "--js: unknown option; did you mean --json?\n"),
            (["measure", "--jso", source], "--jso: unknown option; did you mean --json?\n"),
            (["measure", "--hel", source], "--hel: unknown option; did you mean --help?\n"),
            (["measure", "--no-s", source], "--no-s: unknown option; did you mean --no-speed?\n"),
            (["compress", "--rotatoin=1", source], "--rotatoin: unknown option; did you mean --rotation?\n"),
            (["compress", "--jsno", source], "--jsno: unknown option; did you mean --json?\n"),
            (["compress", "--rot", "1", source], "--rot: unknown option; did you mean --rotation?\n"),
            (["compress", "--objects", "1", source], "--objects: unknown option; did you mean --object?\n"),
            (["compress", "--" + 60 * "x", source], ": unknown option\n"),
            (["measure", "-q", source], "-q: unknown option\n"),
            (["measure", "--json=yes", source], "--json takes no value"),
            (["measure", "--help=yes", source], "--help takes no value"),
            (["measure", "-fcube32", "-q", source], "-q: unknown option"),
            (["measure", source, "-f"], "-f: missing argument"),
            (["measure", "-f=cube32", source], "-f=cube32: a short option has no = before its value; write -f cube32 or --format=cube32\n"),
            (["compress", "-o=" + out, source], "a short option has no = before its value; write -o %s or --output=%s\n" % (out, out)),
            (["compress", "-j=2", "-o", out, source], "write -j 2 or --jobs=2\n"),
            (["measure", "--"], "no file given"),
            (["formats", "--", "--json"], "--json: one argument too many"),
            (["compress", "--rate", "fast", source], '--rate: "fast" is not a number'),
            (["compress", "-o", out, "--jobs", "1.5", source], '--jobs: "1.5" is not a whole number'),
            (["--what"], "--what: unknown option"),
            (["compress"], "no file given"),
            (["compress", "--rotation"], "missing argument"),
            (["compress", "--rotation", "fine", source], '--rotation: "fine" is not an angle from'),
            (["compress", "--rotation", "0", source], '--rotation: "0" is not an angle from'),
            (["compress", "--rotation", "-1deg", source], '--rotation: "-1deg" is not an angle from'),
            (["compress", "--rotation", "0.0005", source], '--rotation: "0.0005" is not an angle from'),
            (["compress", "--rotation", "0.000009rad", source], '--rotation: "0.000009rad" is not an angle from'),
            (["compress", "--rotation", "57.3", source], '--rotation: "57.3" is not an angle from'),
            (["compress", "--rotation", "nan", source], '--rotation: "nan" is not an angle from'),
            (["compress", "--rotation", "1mm", source], '--rotation: "1mm" is not an angle from'),
            (["compress", "--rotation", "1degrees", source], '--rotation: "1degrees" is not an angle from'),
            (["compress", "--translation", "1km", source], '--translation: "1km" is not a length'),
            (["compress", "--translation", "0", source], '--translation: "0" is not a length'),
            (["compress", "--translation", "inf", source], '--translation: "inf" is not a length'),
            (["compress", "--translation", "", source], '--translation: "" is not a length'),
            (["compress", "--scale", "1mm", source], '--scale: "1mm" is not a positive number'),
            (["compress", "--object", "1", source], '--object: "1" is not LENGTH@DISTANCE'),
            (["compress", "--object", "@1", source], '--object: "@1" is not LENGTH@DISTANCE'),
            (["compress", "--object", "1@", source], '--object: "1@" is not LENGTH@DISTANCE'),
            (["compress", "--object", "1@2@3", source], '--object: "1@2@3" is not LENGTH@DISTANCE'),
            (["compress", "--object", "1@-2", source], '--object: "1@-2" is not LENGTH@DISTANCE'),
            (["compress", "--object", "1@2", "--scale", "1", source], "--object does not go with --rotation"),
            (["compress", "--object", "1@2", "--only", "rotation", source], "--only does not go with --object"),
            (["compress", "--only", "", source], '--only: "" is not rotation, translation or scale'),
            (["compress", "--additive", "", source], '--additive: "" is neither first nor a file'),
            (["compress", "--loop=all", source], '--loop: "all" is not auto'),
            (["compress", "--rate", "-1", source], "--rate: -1 is not from 0"),
            (["compress", "--rate", "nan", source], "--rate: nan is not from 0"),
            (["compress", "--time", "-1", source], "--time: -1 is not from 0"),
            (["compress", "--time", "nan", source], "--time: nan is not from 0"),
            (["compress", "--time", "-inf", source], "--time: -inf is not from 0"),
            (["compress", "--jobs", "-2147483648", source], "--jobs: -2147483648 is not from 1"),
            (["compress", "-o", self.path("x.glb"), source], "--glb writes glTF, and `quatsimd extract` takes clips out of a bundle"),
            (["compress", "--shard", "1/2", "-o", self.path("x"), source], "--shard: unknown option"),
            (["compress", "--bundle", "-o", self.path("x"), source], "--bundle: unknown option"),
            (["compress", "--release", "--glb", self.path("x.glb"), source], "--release does not go with --glb"),
            (["extract", "x.qsb"], "-o OUT is missing"),
            (["extract", "x.qsb", "Walk", "-o", self.path("Walk")], 'Walk" does not end in .qsc, as clips do'),
            (["extract", "x.qsb", "--skeleton", "-o", self.path("x")], 'x" does not end in .qsk, as skeletons do'),
            (["extract", "x.qsb", "Walk", "--skeleton", "-o", self.path("x.qsk")], "--skeleton does not go with the name of a clip"),
            (["extract", "x.qsb", "Walk", "Run", "-o", self.path("x.qsc")], "Run: one argument too many"),
            (["info"], "no file given"),
            (["info", "--what", "x.qsc"], "--what: unknown option"),
            (["verify"], "no file given"),
            (["verify", self.directory, "-a", "x.glb", "--animation", "0"], "--animation goes with one clip, not with all of a bundle"),
            (["verify", "x.qsb", "Walk", "Run", "-a", "z.glb"], "Run: one argument too many"),
            (["verify", "x.qsc", "-a"], "missing argument"),
            (["verify", "x.qsc", "-a", "z.glb", "-r", "1m"], '--rotation: "1m" is not an angle from'),
            (["verify", "x.qsc", "-a", "z.glb", "-t", "0"], '--translation: "0" is not a length'),
            (["verify", "x.qsc", "-a", "z.glb", "-s", "a"], '--scale: "a" is not a positive number'),
            (["verify", "x.qsc", "-a", "z.glb", "--object", "1"], '--object: "1" is not LENGTH@DISTANCE'),
        ):
            with self.subTest(arguments):
                result = self.bad(2, *arguments, says=says)
                self.assertEqual(result.stdout, "")
                if arguments:
                    self.assertRegex(result.stderr, r"\nTry `quatsimd help( %s)?`\.\n$" % arguments[0])

    def test_help(self):
        commands = ["measure", "formats", "pack", "unpack", "import", "compress"]
        commands += ["extract", "bundle", "info", "verify", "decompress"]
        top = self.good("--help").stdout
        for arguments in ["help"], ["-h"], ["help", "--help"], ["help", "-h"], ["help", "help"], ["--help", "--help"]:
            self.assertEqual(top, self.good(*arguments).stdout)
        for command in commands:
            self.assertIn("\n  %s " % command, top)
            text = self.good("help", command).stdout
            self.assertEqual(text, self.good(command, "--help").stdout)
            self.assertEqual(text, self.good(command, "-h").stdout)
            self.assertIn("Usage: quatsimd " + command, text)
            with self.subTest(command):
                self.assertEqual([line for line in text.splitlines() if len(line) >= 80], [])
                self.assertLessEqual(text.count("\n"), 40)
                self.assertRegex(text, r"\n\ndocs/\w+\.md:? [^\n]*\n$")
        self.assertEqual([line for line in top.splitlines() if len(line) >= 80], [])
        self.assertLessEqual(top.count("\n"), 30)

    def test_options_anywhere(self):
        source = self.save("in.npy", rotations(3))
        wanted = self.good("measure", "--format", "half4", "--format", "cube32", "--no-speed", "--json", source).stdout
        for arguments in (
            [source, "--json", "-fhalf4", "--no-speed", "-f", "cube32"],
            ["--json", "--format=half4", "-fcube32", "--no-speed", "--format", "half4", "--", source],
        ):
            self.assertEqual(self.good("measure", *arguments).stdout, wanted)
        os.rename(source, self.path("-f"))
        self.assertIn("3 rotations", self.good("measure", "--no-speed", "--", "-f", cwd=self.directory).stdout)

    def test_value_that_begins_with_an_equals_sign(self):
        """Behind a space, it is meant."""
        source = self.save("in.npy", rotations(3))
        for value in "=packed.npy", "./=packed.npy":
            self.good("pack", "-f", "cube32", source, value, cwd=self.directory)
            os.remove(self.path("=packed.npy"))
        self.bad(2, "measure", "-f", "=cube32", source, says='"=cube32"')

    def test_version(self):
        self.assertRegex(self.good("--version").stdout, r"^quatsimd \d+\.\d+\.\d+ \(\w+ kernels; .*\)\n$")

    def test_ignored_isa_is_said(self):
        source = self.save("in.npy", rotations(2))
        environment = dict(os.environ, QUATSIMD_ISA="nonsense")
        result = self.good("measure", "--no-speed", source, env=environment)
        self.assertIn('QUATSIMD_ISA: "nonsense" is unknown', result.stderr)
        for good in "scalar", "":
            self.assertEqual(self.good("measure", "--no-speed", source, env=dict(environment, QUATSIMD_ISA=good)).stderr, "")

    def test_no_progress_without_a_terminal(self):
        self.assertEqual(self.good("measure", "--no-speed", self.save("in.npy", rotations(2))).stderr, "")
