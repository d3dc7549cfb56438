#!/usr/bin/python3
"""Compresses real animations and compares the velocities of their clips with the model of test_velocities.
Usage: velocities_of_data.py QUATSIMD_COMMAND TEST_VELOCITIES FOLDER
The exit status is that of the test, or 77 if FOLDER is no folder."""
import os
import pathlib
import subprocess
import sys
import tempfile

# a character, motion capture, an animal, a face
FILES = ["kaykit/Knight.glb", "cmu/002_03.bvh", "mesh2motion/horse-animations.glb", "sumerian/alien_emote.glb"]
OPTIONS = [[], ["--object", "0.1mm@3cm"], ["--rotation", "0.5"]]


def main(tool, test, folder):
    data = pathlib.Path(os.path.expandvars(folder))
    if not data.is_dir():
        print("SKIP: QUATSIMD_DATA names no folder")
        return 77
    with tempfile.TemporaryDirectory() as out:
        for i, options in enumerate(OPTIONS):
            for file in FILES:
                target = pathlib.Path(out, str(i), file.replace("/", "-"))
                target.mkdir(parents=True)
                command = [tool, "compress", *options, "-o", target, data / file]
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        bundles = sorted(pathlib.Path(out).rglob("*.qsb"))
        assert len(bundles) > len(FILES) * len(OPTIONS) / 2, bundles
        return subprocess.run([test, "--bundles", *bundles]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
