#!/usr/bin/python3
"""Prints the tables of sizes of docs/embedding.md. Usage:
  scripts/embedding_sizes.py QUATSIMD_C            by CC (cc), -O2, in KB of text as `size` counts it: code and constants
  scripts/embedding_sizes.py --check QUATSIMD_C    are those with a limit below it? x86-64, gcc"""
import os
import pathlib
import shlex
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
# The library in a plug-in: name, macro, limit in KB
PLUGINS = [
    ("exported", None, None),
    ("hidden", "API=", 126),
    ("static", "STATIC", 122),
]
PLUGIN = """
#include "quatsimd.c"
__attribute__((visibility("default"))) quatsimd_status play(quatsimd_clip_storage *memory, const void *data, size_t size,
                                                            quatsimd_pose_out *pose) {
  quatsimd_clip *clip;
  quatsimd_status status = quatsimd_clip_open(&clip, memory, sizeof *memory, data, size);
  return status ? status : quatsimd_clip_sample(clip, pose, NULL, 0, QUATSIMD_CLIP_WRAP_LOOP, 0);
}
"""


def text_size(macros, arguments, source=None):
    """Bytes of what the compiler makes of its arguments, or of a source in its input."""
    with tempfile.TemporaryDirectory() as folder:
        to = pathlib.Path(folder) / "quatsimd"
        defined = [f"-DQUATSIMD_{macro}" for macro in macros]
        subprocess.run(
            [*shlex.split(os.environ.get("CC", "cc")), "-O2", *defined, *arguments, "-o", to], check=True, input=source, text=True
        )
        return int(subprocess.run(["size", to], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[1].split()[0])


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + check or arguments[-1].startswith("-"):
        sys.exit(__doc__)
    library = arguments[-1]
    wrong = False

    def row(cells, limit, size):
        print(f"| {' | '.join(cells)} | {size / 1000:,.0f} |", flush=True)
        if check and size > 1000 * limit:
            print(f"{cells[0]}: {size / 1000:.1f} KB, the limit is {limit}")
            return True
        return False

    print("| parts | macros, each with `QUATSIMD_` before it | KB |", "| --- | --- | --- |", sep="\n")
    for name, macros, limit in CONFIGURATIONS:
        if not check or limit:
            wrong |= row([name, ", ".join(f"`{macro}`" for macro in macros)], limit, text_size(macros, ["-c", library]))
    print("\n| functions | macro | KB |", "| --- | --- | --- |", sep="\n")
    shared = ["-shared", "-fPIC", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", f"-I{pathlib.Path(library).parent}"]
    for name, macro, limit in PLUGINS:
        if not check or limit:
            macros = ["PLAYER", "NO_AVX512"] + ([macro] if macro else [])
            size = text_size(macros, [*shared, "-xc", "-"], PLUGIN)
            wrong |= row([name, f"`QUATSIMD_{macro}`" if macro else ""], limit, size)
    sys.exit(wrong)


main()
