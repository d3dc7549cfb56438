#!/usr/bin/python3
"""Prints the tables of docs/clip.md, by `quatsimd compress`. Usage:
  generate/clip_table.py QUATSIMD_COMMAND
  generate/clip_table.py --check QUATSIMD_COMMAND    does the page have these lines? Is every size of the first and the last table below its limit?
Files are those of Debian's assimp-testmodels and of the folder QUATSIMD_DATA, or ../shared/data; clips whose files are not there are left out, aloud."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

BVH = pathlib.Path("/usr/share/assimp/models/BVH")
PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs/clip.md"
DATA = pathlib.Path(os.environ.get("QUATSIMD_DATA") or pathlib.Path(__file__).resolve().parents[2] / "shared/data")
BOUNDS = ["0.2", "0.05", "0.01"]  # degrees
# clips, files, is the profile table trained on them, limits
CLIPS = [
    ("CMU 01_01, 01_03", [BVH / "01_01.bvh", BVH / "01_03.bvh"], "01_01", [204000, 305000, 439000]),
    ("KayKit Knight", [DATA / "kaykit/Knight.glb"], "yes", [75000, 97500, 130000]),
    ("Mesh2Motion fox", [DATA / "mesh2motion/fox-animations.glb"], "no", [14700, 18400, 24300]),
    ("Mesh2Motion horse", [DATA / "mesh2motion/horse-animations.glb"], "yes", [22600, 29100, 39500]),
    ("Mesh2Motion dragon", [DATA / "mesh2motion/dragon-animations.glb"], "yes", [6450, 7750, 10050]),
    ("Khronos Fox", [DATA / "khronos/Fox.glb"], "no", [2550, 3300, 4650]),
    ("raylib robot", [DATA / "raylib/robot.glb"], "yes", [8900, 10600, 13400]),
]
# at ACL's own metric, all curves: clips, file, bound, bytes with ACL as bench/peers/run prints them, limits
METRIC = [
    ("KayKit Knight", DATA / "kaykit/Knight.glb", "0.1mm@3cm", 386902, 180000),
    ("Mesh2Motion fox", DATA / "mesh2motion/fox-animations.glb", "0.1mm@3cm", 63767, 30000),
    ("Mesh2Motion horse", DATA / "mesh2motion/horse-animations.glb", "0.1mm@3cm", 102529, 50000),
    ("Mesh2Motion dragon", DATA / "mesh2motion/dragon-animations.glb", "0.1mm@3cm", 27826, 15500),
    ("Mesh2Motion bird", DATA / "mesh2motion/bird-animations.glb", "0.1mm@3cm", 6853, 3900),
    ("raylib robot", DATA / "raylib/robot.glb", "0.1mm@3cm", 31477, 18500),
    ("Khronos Fox", DATA / "khronos/Fox.glb", "0.01@3", 10771, 5000),
    ("CMU 01_01", BVH / "01_01.bvh", "0.01@3", 208741, 125000),
    ("CMU 01_03", BVH / "01_03.bvh", "0.01@3", 356441, 215000),
]
ALL = ["--rotation", "0.05", "--translation", "0.01", "--scale", "0.001"]
OBJECT = ["--object", "0.01@3"]
# bounds for points 3 cm from a joint, in millimetres
USES = [("cinematic: a face fills the screen", 0.02), ("hero", 0.1), ("crowd", 1), ("background", 5)]
USED = ["CMU 01_01, 01_03", "KayKit Knight", "Mesh2Motion fox", "Mesh2Motion dragon"]
PIXEL = 2 * math.tan(math.radians(60 / 2)) / 1080  # of a screen of 1,080 lines that shows 60 degrees, at a distance of 1


def measure(command, files, *options):
    """What `quatsimd compress` says of all animations together, and how many there are. It fails by itself if a bound is not held."""
    arguments = [command, "compress", *options, "--json", "--time", "0", *map(str, files)]
    report = json.loads(subprocess.run(arguments, check=True, stdout=subprocess.PIPE).stdout)
    return report["all"], len(report["animations"])


def present(clips=CLIPS):
    """The clips that there are."""
    for clip in clips:
        missing = [file for file in clip[1] if not file.exists()]
        if missing:
            print(f"SKIP: no {missing[0]}", file=sys.stderr)
        else:
            yield clip


def row(*cells):
    return f"| {' | '.join(cells)} |"


def rotation_rows(command, clips):
    """Lines of the first table, and complaints."""
    rows, wrong = [], []
    for name, files, trained, limits in clips:
        for bound, limit in zip(BOUNDS, limits):
            found, _ = measure(command, files, "--only", "rotation", "--rotation", bound)
            size, error = found["bytes"], found["worst_rotation_error_degrees"]
            rows.append(row(name, trained, bound, f"{size:,}", f"{error:.5f}"))
            if size > limit or error > float(bound):
                wrong.append(f"{name} at {bound} degrees: {size} bytes, {error} degrees; the limit is {limit} bytes")
    return rows, wrong


def all_rows(command, clips):
    """Lines of the second table."""
    for name, files, *_ in clips:
        found, animations = measure(command, files, *ALL)
        points, _ = measure(command, files, *OBJECT)
        errors = [found[f"worst_{kind}"] for kind in ("rotation_error_degrees", "translation_error", "scale_error")]
        yield row(
            name,
            str(animations),
            f"{sum(found['keys'].values()):,}",
            f"{found['raw_bytes']:,}",
            f"{found['bytes']:,}",
            ", ".join(f"{e:.2g}" for e in errors if e is not None),
            f"{points['bytes']:,}",
            f"{points['worst_object_error']:.5f}",
        )


def use_rows(command, clips):
    """Lines of the third table: bytes, and bits per key. A line has all of these clips, so there is none where one is not there."""
    if not set(USED) <= {name for name, *_ in clips}:
        print("SKIP: the third table: not all of its clips are there", file=sys.stderr)
        return
    for use, millimetres in USES:
        option = f"{millimetres}mm@3cm"
        found = [measure(command, files, "--object", option)[0] for name, files, *_ in clips if name in USED]
        cells = [f"{f['bytes']:,} ({f['bits_per_key']:.1f})" for f in found]
        yield row(use, f"`--object {option}`", f"{millimetres / 1000 / (PIXEL / 4):.2g} m", *cells)


def metric_rows(command):
    """Lines of the fourth table, and complaints."""
    rows, wrong = [], []
    for name, *_ in present([(name, [file]) for name, file, *_ in METRIC]):
        _, file, option, acl, limit = next(line for line in METRIC if line[0] == name)
        found, animations = measure(command, [file], "--object", option)
        rows.append(
            row(name, str(animations), f"`{option}`", f"{found['bytes']:,}", f"{acl:,}", f"{found['bytes'] / acl:.0%}".replace("%", " %"))
        )
        if found["bytes"] > limit:
            wrong.append(f"{name} at {option}: {found['bytes']} bytes, the limit is {limit}")
    return rows, wrong


def tables(command):
    clips = list(present())
    print(row("clips", "trained on", "bound", "bytes", "worst error"), row(*["---"] * 5), sep="\n")
    print(*rotation_rows(command, clips)[0], "", sep="\n")
    print(
        row("clips", "animations", "keys", "as floats", "bounds of curves", "worst errors", "bound of points", "worst error"),
        row(*["---"] * 8),
        sep="\n",
    )
    print(*all_rows(command, clips), "", sep="\n")
    uses = list(use_rows(command, clips))
    if uses:
        print(row("use", "option", "a quarter of a pixel from", *USED), row(*["---"] * (3 + len(USED))), *uses, "", sep="\n")
    print(row("clips", "animations", "bound", "bytes", "ACL", "share of ACL's"), row(*["---"] * 6), *metric_rows(command)[0], sep="\n")


def check(command):
    clips = list(present())
    rows, wrong = rotation_rows(command, clips)
    rows += all_rows(command, clips)
    rows += use_rows(command, clips)
    for found, complaints in zip((rows, wrong), metric_rows(command)):
        found += complaints
    page = PAGE.read_text(encoding="utf-8").splitlines()
    wrong += [f"{PAGE.name} has not the line that is measured: {line}" for line in rows if line not in page]
    print(*wrong, f"{len(rows)} rows, {len(wrong)} wrong" if rows else "SKIP: none of the clips is there", sep="\n")
    sys.exit(1 if wrong else 0)


if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") and not shutil.which(sys.argv[-1]):
    sys.exit(f"{sys.argv[-1]} is no command: give the path of the built quatsimd, build/demo/tools/quatsimd after ./dev demo")
if len(sys.argv) == 3 and sys.argv[1] == "--check":
    check(sys.argv[2])
elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
    tables(sys.argv[1])
else:
    sys.exit(__doc__)
