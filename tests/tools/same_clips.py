#!/usr/bin/python3
"""docs/policy.md: the same input gives the same bytes. Compresses the files of a folder and compares the digests of bundles with those recorded.
Usage:
  same_clips.py QUATSIMD_COMMAND FOLDER TABLE
  same_clips.py --record QUATSIMD_COMMAND FOLDER > TABLE
  same_clips.py --parts QUATSIMD_COMMAND FOLDER    a line for each clip and skeleton, to compare those of two commands
A line of TABLE is a digest of a bundle's clips, skeleton and names, how many there are, and the bundle's path. Others may be there, too. Bundles of
BVH and FBX are left out where another libm reads the files otherwise. The exit status is 1 if a bundle differs or is missing, 77 if some are left out."""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile


def digest(content):
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def parts_of(tool, folder):
    """{bundle: {name of a clip or a skeleton: digest}}"""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run(
            [tool, "compress", "--object", "0.1mm@3cm", "--release", "-o", out, folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        found = {}
        for bundle in sorted(pathlib.Path(out).rglob("*.qsb")):
            clips = bundle.with_suffix(".clips")
            subprocess.run([tool, "extract", bundle, "-o", clips], stdout=subprocess.DEVNULL, check=True)
            found[str(bundle.relative_to(out))] = {clip.name: digest(clip.read_bytes()) for clip in sorted(clips.iterdir())}
        return found


def main(arguments):
    mode = arguments.pop(0) if arguments[0].startswith("--") else None
    tool, folder, *table = map(os.path.expandvars, arguments)
    if not os.path.isdir(folder):
        print("SKIP: QUATSIMD_DATA names no folder")
        return 77
    found = parts_of(tool, folder)
    if mode == "--parts":
        print(*(f"{of} {bundle} {name}" for bundle, parts in found.items() for name, of in parts.items()), sep="\n")
        return 0
    lines = {bundle: f"{digest(repr(parts).encode())} {len(parts)} {bundle}" for bundle, parts in found.items()}
    if mode == "--record":
        print(*lines.values(), sep="\n")
        return 0
    known = pathlib.Path(*table).read_text(encoding="utf-8").splitlines()
    wrong, left_out = 0, 0
    for line in known:
        bundle = line.split(" ", 2)[2]
        if lines.get(bundle) == line:
            continue
        if bundle in lines and bundle.startswith(("cmu/", "fbx/")):
            left_out += 1
            print(f"SKIP: {bundle} is read otherwise here, or has other bytes than recorded")
        else:
            wrong += 1
            print(f"{bundle} {'has other bytes than recorded' if bundle in lines else 'is missing'}")
    print(f"{len(known) - wrong - left_out} bundles have the recorded bytes")
    return 1 if wrong or len(known) < 40 else 77 if left_out else 0


sys.exit(main(sys.argv[1:]))
