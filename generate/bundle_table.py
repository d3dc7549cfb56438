#!/usr/bin/python3
"""Prints the table of docs/bundle.md, by bundle_figures. Usage:
  generate/bundle_table.py BUNDLE_FIGURES
  generate/bundle_table.py --check BUNDLE_FIGURES    does the page have these lines? Is the bundle of the Knight at most 1 % larger than in version 1, and of
                                                     rotations alone at most 81,000 bytes? Do its clips take at most 40,000 when all are open?
Files are those of the folder QUATSIMD_DATA, or ../shared/data; those that are not there are left out, aloud."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/bundle.md"
DATA = pathlib.Path(os.environ.get("QUATSIMD_DATA") or ROOT.parent / "shared/data")
FILES = [
    ("KayKit Knight", "kaykit/Knight.glb"),
    ("Mesh2Motion fox", "mesh2motion/fox-animations.glb"),
    ("Mesh2Motion horse", "mesh2motion/horse-animations.glb"),
    ("Mesh2Motion dragon", "mesh2motion/dragon-animations.glb"),
    ("Mesh2Motion bird", "mesh2motion/bird-animations.glb"),
    ("raylib robot", "raylib/robot.glb"),
]
BOUNDS = [("0.05 degrees, rotations alone", ["0.05"]), ("0.1 mm at 3 cm, all curves", ["0.0001", "0.03"])]
LIMIT = ("KayKit Knight", BOUNDS[0][0], 81000)  # bytes without the skeleton
MEMORY_LIMIT = ("KayKit Knight", BOUNDS[1][0], 40000)  # bytes that the bundle and all its clips take, opened


def rows(command):
    """Lines, and complaints; one may be about what the page says of memory, which is not in the table."""
    found, wrong = [], []
    for name, file in FILES:
        if not (DATA / file).exists():
            print(f"SKIP: no {DATA / file}", file=sys.stderr)
            continue
        for bound, options in BOUNDS:
            figures = json.loads(subprocess.run([command, DATA / file, *options], check=True, stdout=subprocess.PIPE).stdout)
            own, former = (figures[key] - figures["skeleton"] for key in ("bundle", "version_1"))
            cells = [
                name,
                str(figures["clips"]),
                bound,
                *(f"{figures[key]:,}" for key in ("plain", "with_skeleton")),
                f"{own:,}",
                f"{own / figures['with_skeleton'] - 1:+.1%}".replace("%", " %"),
                f"{former:,}",
                f"{figures['skeleton']:,}",
            ]
            found.append(f"| {' | '.join(cells)} |")
            if (name, bound) == LIMIT[:2] and own > LIMIT[2]:
                wrong.append(f"{name}: {own} bytes; the limit is {LIMIT[2]}")
            if (name, bound) == MEMORY_LIMIT[:2]:
                memory = f"All {figures['clips']} clips of the {name} and their bundle take {figures['memory']:,} bytes when they are open"
                if figures["memory"] > MEMORY_LIMIT[2]:
                    wrong.append(f"{memory}; the limit is {MEMORY_LIMIT[2]}")
                if memory not in PAGE.read_text(encoding="utf-8"):
                    wrong.append(f"{PAGE.name} does not say what is measured: {memory}")
            if (name, bound) == (LIMIT[0], BOUNDS[1][0]) and figures["bundle"] > 1.01 * figures["version_1"]:
                wrong.append(f"{name}: {figures['bundle']} bytes; in version 1 {figures['version_1']}")
    return found, wrong


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        found, wrong = rows(sys.argv[2])
        page = PAGE.read_text(encoding="utf-8").splitlines()
        wrong += [f"{PAGE.name} has not the line that is measured: {line}" for line in found if line not in page]
        print(*wrong, f"{len(found)} rows, {len(wrong)} wrong" if found else "SKIP: none of the files is there", sep="\n")
        sys.exit(1 if wrong else 0)
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(
        "| file | animations | bound | clips by themselves | clips of the skeleton | in a bundle | | in version 1 | the skeleton |",
        "|---|---|---|---|---|---|---|---|---|",
        *rows(sys.argv[1])[0],
        sep="\n",
    )


main()
