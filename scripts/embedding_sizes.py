#!/usr/bin/python3
"""Prints the table of sizes of docs/embedding.md. Usage:
  scripts/embedding_sizes.py QUATSIMD_C            by CC (cc), -O2, in KB of text as `size` counts it: code and constants
  scripts/embedding_sizes.py --check QUATSIMD_C    are those with a limit below it? x86-64, gcc"""
import os
import pathlib
import subprocess
import sys
import tempfile

# name, macros without QUATSIMD_, limit in KB
CONFIGURATIONS = [
    ("everything", [], None),
    ("clips, skeletons, bundles and poses, with the encoder", ["ONLY_CLIPS"], None),
    ("the same, played", ["PLAYER"], None),
    ("the same, AVX2, SSE4.1 and SSE2", ["PLAYER", "NO_AVX512"], 235),
    ("the same, SSE4.1 and SSE2", ["PLAYER", "NO_AVX2"], 205),
    ("the same, SSE2", ["PLAYER", "NO_AVX2", "NO_SSE41"], 197),
]


def text_size(source, macros):
    """Bytes."""
    with tempfile.TemporaryDirectory() as folder:
        to = pathlib.Path(folder) / "quatsimd.o"
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-c", *(f"-DQUATSIMD_{macro}" for macro in macros), source, "-o", to], check=True
        )
        return int(subprocess.run(["size", to], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[1].split()[0])


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check or arguments[-1].startswith("-"):
        sys.exit(__doc__)
    wrong = False
    print("| parts | macros, each with `QUATSIMD_` before it | KB |", "| --- | --- | --- |", sep="\n")
    for name, macros, limit in CONFIGURATIONS:
        if check and limit is None:
            continue
        size = text_size(arguments[-1], macros) / 1000
        print(f"| {name} | {', '.join(f'`{macro}`' for macro in macros)} | {size:,.0f} |", flush=True)
        if check and size > limit:
            print(f"{name}: {size:.1f} KB, the limit is {limit}")
            wrong = True
    sys.exit(wrong)


main()
