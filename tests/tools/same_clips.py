#!/usr/bin/python3
"""docs/policy.md: the same input gives the same bytes. Compresses the files of a folder and compares the clips' digests with those recorded.
Usage:
  same_clips.py QUATSIMD_COMMAND FOLDER TABLE
  same_clips.py --record QUATSIMD_COMMAND FOLDER > TABLE
A line of TABLE is a digest and the path of a clip or skeleton out of a bundle. Others may be there, too. Clips of BVH and FBX are left out where another libm
reads the files otherwise. The exit status is 1 if a clip differs or is missing, 77 if some are left out."""
import hashlib
import os
import subprocess
import sys
import tempfile


def digests(tool, folder):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([tool, "compress", "--release", "-o", out, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = {}
        for above, _, names in os.walk(out):
            for name in names:
                clips = os.path.join(above, name[: -len(".qsb")])
                subprocess.run([tool, "extract", clips + ".qsb", "-o", clips], stdout=subprocess.DEVNULL, check=True)
                for clip in os.listdir(clips):
                    with open(os.path.join(clips, clip), "rb") as file:
                        found[os.path.relpath(os.path.join(clips, clip), out)] = hashlib.blake2b(file.read(), digest_size=8).hexdigest()
        return found


def main(arguments):
    if arguments[0] == "--record":
        for path, digest in sorted(digests(*arguments[1:]).items()):
            print(digest, path)
        return 0
    tool, folder, table = map(os.path.expandvars, arguments)
    if not os.path.isdir(folder):
        print("SKIP: QUATSIMD_DATA names no folder")
        return 77
    found, wrong, left_out = digests(tool, folder), 0, 0
    with open(table, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(" ", 1) for line in file]
    for digest, path in lines:
        if found.get(path) == digest:
            continue
        if path in found and path.startswith(("cmu/", "fbx/")):
            left_out += 1
            print("SKIP: %s is read otherwise here, or has other bytes than recorded" % path)
        else:
            wrong += 1
            print("%s %s" % (path, "has other bytes than recorded" if path in found else "is missing"))
    print("%d clips have the recorded bytes" % (len(lines) - wrong - left_out))
    return 1 if wrong or len(lines) < 300 else 77 if left_out else 0


sys.exit(main(sys.argv[1:]))
