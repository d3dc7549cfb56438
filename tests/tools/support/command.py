"""Running the command quatsimd.

QUATSIMD_TOOL names the binary, QUATSIMD_DATA the folder of real rotation data, QUATSIMD_PRINT_SCENE a program that prints
what the command reads of an animation. Tests of what is missing are skipped and say so.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import unittest

import numpy as np

TOOL = os.environ.get("QUATSIMD_TOOL", "quatsimd")
DATA = os.environ.get("QUATSIMD_DATA", "")
PRINT_SCENE = os.environ.get("QUATSIMD_PRINT_SCENE", "")
MODELS = "/usr/share/assimp/models"  # Debian's assimp-testmodels


def run(*arguments, tool=TOOL, **options):
    """Runs the command or another program; the result has text in stdout and stderr."""
    if not tool:
        raise unittest.SkipTest("there is no program for this test")
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([tool, *map(str, arguments)], encoding="utf-8", timeout=300, **options)


def data(name):
    path = os.path.join(DATA, name)
    if not DATA or not os.path.exists(path):
        raise unittest.SkipTest("no %s: QUATSIMD_DATA is %r" % (name, DATA))
    return path


def model(name):
    path = os.path.join(MODELS, name)
    if not os.path.exists(path):
        raise unittest.SkipTest("no %s: assimp-testmodels is not installed" % path)
    return path


# Bounds of each curve by itself, with which many tests compare keys.
BOUNDS = ["--rotation", "0.05deg", "--translation", "0.01", "--scale", "0.001"]

FORMATS = json.loads(run("formats", "--json").stdout)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 28, 1 << 28))


# None where the command does not start with limited memory: built with a sanitizer, it reserves more than there is.
MEMORY_LIMIT = limit_memory if run("--version", preexec_fn=limit_memory).returncode == 0 else None


limited_memory = unittest.skipIf(MEMORY_LIMIT is None, "does not start with limited memory (built with a sanitizer?)")
without_meshopt = "no meshoptimizer" in run("--version").stdout
with_meshopt = unittest.skipIf(without_meshopt, "built without meshoptimizer")


def with_failing(test, function):
    """An environment in which this function of the C library fails: see fail_files.c."""
    environment = dict(os.environ, LD_PRELOAD=os.environ.get("QUATSIMD_SHIM", ""), QUATSIMD_FAIL=function)
    if not environment["LD_PRELOAD"] or run("--version", env=environment).returncode != 0:
        test.skipTest("nothing can be loaded before the C library")
    return environment


class Directory(unittest.TestCase):
    """A test with a directory of its own, which must hold nothing unexpected in the end."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = temporary.name

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def save(self, name, array, **options):
        np.save(self.path(name), array, **options)
        return self.path(name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def content(self, *names):
        return pathlib.Path(self.path(*names)).read_bytes()

    def text(self, *names):
        return self.content(*names).decode()

    def json(self, command, *arguments, status=0, **options):
        """What the command says with --json."""
        result = run(command, "--json", *arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def clips_of(self, path, into, *options, status=0):
        """Puts the clips of a file into a folder, by themselves and without a skeleton; what compress says of them. Without
        options of bounds they are BOUNDS."""
        scratch = self.path("scratch.qsb")
        if not {"-r", "-t", "-s", "--rotation", "--translation", "--scale", "--object"} & set(options):
            options = [*BOUNDS, *options]
        report = self.json("compress", "--partial", *options, "-o", scratch, path, status=status)
        lines = self.good("extract", scratch, "-o", into).stdout.splitlines()
        output = [line.rsplit(": ", 1)[0] for line in lines]
        os.remove(output.pop(0))
        os.remove(scratch)
        for entry, name in zip(sorted(report["animations"], key=lambda entry: entry["clip"].encode()), output, strict=True):
            entry["output"], entry["bytes"] = name, os.path.getsize(name)
        return report

    def tables(self, text):
        """The rows of each table in a text: [(cells before the last column, the last column)]. Its columns line up."""
        lines, found = [*text.splitlines(), ""], []
        for i, line in enumerate(lines):
            if re.fullmatch("-{9,}", line):
                column, rows = lines[i - 1].rindex("  ") + 2, lines[i + 1 : lines.index("", i)]
                rows = [row for row in rows if not row.startswith("* ")]  # notes
                for row in rows:
                    self.assertTrue(row[column - 2 : column] == "  " or len(row) == len(line), text)
                found.append([(row[:column].split(), row[column:]) for row in rows])
        return found

    def clip(self, bundle, name):
        """A clip of a bundle, by itself."""
        path = self.path(name + ".qsc")
        self.good("extract", bundle, name, "-o", path)
        return path

    def arrays(self, clip, *options):
        """What decompress writes of a clip: {name of a .npy without its end: array, name of a .json: content}."""
        with tempfile.TemporaryDirectory() as folder:
            self.good("decompress", *([clip] if isinstance(clip, str) else clip), *options, "-o", folder)
            paths = pathlib.Path(folder).iterdir()
            return dict((p.stem, np.load(p)) if p.suffix == ".npy" else (p.name, json.loads(p.read_text())) for p in paths)

    def good(self, *arguments, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def bad(self, status, *arguments, says, **options):
        """The command fails with that status, says every text (or what every pattern matches) of says, and leaves no new files."""
        before = sorted(os.listdir(self.directory))
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        for text in [says] if isinstance(says, (str, re.Pattern)) else says:
            if isinstance(text, re.Pattern):
                self.assertRegex(result.stderr, text)
            else:
                self.assertIn(text, result.stderr)
        self.assertEqual(sorted(os.listdir(self.directory)), before)
        return result
