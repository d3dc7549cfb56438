#!/usr/bin/python3
"""Compares clips that combine features with the independent decoder of clip.py. Needs numpy and xxhash.

  combinations.py COMMAND...    COMMAND... FOLDER writes clips and poses (tests/combinations/write.h); does the model sample the same bits?"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import clip


def differs(path):
    model = clip.Clip(path.read_bytes())
    size = 8 + 4 * (10 * model.joints + model.tracks)
    poses = path.with_suffix(".poses").read_bytes()
    for at in range(0, len(poses), size):
        time = np.frombuffer(poses, "<f8", 1, at)[0]
        values = b"".join(kind.tobytes() for kind in model.sample(time))
        if values != poses[at + 8 : at + size]:
            return f"{path.stem}: other bits at {time!r} s"
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*sys.argv[1:], folder], check=True)
        clips = sorted(pathlib.Path(folder).glob("*.qsc"))
        wrong = [line for line in map(differs, clips) if line]
    print(*wrong, f"{len(clips)} clips, {len(wrong)} differ", sep="\n")
    sys.exit(1 if wrong or not clips else 0)


if __name__ == "__main__":
    main()
