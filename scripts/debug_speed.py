#!/usr/bin/python3
"""Prints the table of debug builds of docs/embedding.md: how many times the time of -O2 the library takes, with AVX2 at most. Usage:
  scripts/debug_speed.py QUATSIMD_C    by CC (cc); minutes"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "tests/package/one_speed.c"
BUILDS = ["-O2", "-O0", "-O0 -DQUATSIMD_OPTIMIZE"]


def times(source, flags):
    """Each step's, in nanoseconds."""
    with tempfile.TemporaryDirectory() as folder:
        app = pathlib.Path(folder) / "app"
        compiler = [*shlex.split(os.environ.get("CC", "cc")), "-DQUATSIMD_NO_AVX512", *flags.split()]
        subprocess.run([*compiler, f"-I{source.parent}", PROGRAM, source, "-o", app, "-lm"], check=True)
        found = subprocess.run([app], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: float(time) for name, time in (line.split(": ") for line in found.splitlines())}


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    first = times(source, BUILDS[0])
    print(f"| flags | {' | '.join(first)} |")
    print("|" + " --- |" * (len(first) + 1))
    for flags in BUILDS[1:]:
        print(f"| `{flags}` |", " | ".join(f"{time / first[name]:.2g}" for name, time in times(source, flags).items()), "|", flush=True)


main()
