#!/usr/bin/python3
"""Puts every file of folders through `quatsimd compress`, `verify` (at keys and between them) and `decompress`. Usage:
  every_file.py QUATSIMD_COMMAND FOLDER...
  every_file.py --check TABLE QUATSIMD_COMMAND FOLDER    compares with the file TABLE; other files may be there, too
TABLE has lines that it printed. Files that it does not name must have clips, or nothing that moves, and nothing is said of them; those with
other endings than READ must all be refused for that. same_clips.txt has the numbers of clips of the data.
It prints a table of the files with what came of each: how many clips, in which no node moves, or refused and why. The exit status is 1 if
a clip is beyond its bound, does not come back as it was, or if a command fails without a reason or says it without naming the file."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from support.gltf_pose import values_at

READ = ".bvh", ".csv", ".fbx", ".glb", ".gltf", ".npy", ".npz", ".ply", ".qsb", ".qsc", ".qsk", ".splat", ".vrm", ".vrma"
NOT_READ = "| refused: has a format that quatsimd does not read; Blender opens many others and exports .glb"
READ_BACK = 2  # so many decompressed files of each file are read again


class Wrong(Exception):
    pass


def run(command, *arguments):
    result = subprocess.run([command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400)
    if result.returncode not in (0, 1):
        raise Wrong(f"{arguments[0]} ends with status {result.returncode}")
    return result


def reasons(path, stderr, made):
    """The messages about a file, each once and without its name; those about the bundle that was made of it begin with OUT."""
    found = []
    for line in stderr.splitlines():
        start = f"quatsimd: {path}: "
        line = line.replace(f"quatsimd: {made}: ", f"{start}OUT: ").replace(str(made), "OUT")
        if not line.startswith("quatsimd: "):
            raise Wrong(f"a message without a beginning: {line}")
        if not line.startswith(start):
            raise Wrong(f"a message that does not name {path}: {line}")
        reason = re.sub("^(FBX is not read exactly):.*", r"\1", line.removeprefix(start))
        if reason not in found:
            found.append(reason)
    return "; ".join(found)


def check_verified(command, out):
    """Every clip within its bound, between keys too. How many there are."""
    result = run(command, "verify", "--json", out)
    if result.returncode:
        raise Wrong(f"verify: {result.stderr}")
    report = json.loads(result.stdout)
    found = report["all"]
    if found["beyond"] or found["without_bounds"] or found["not_compared"]:
        raise Wrong(f"verify: {found}")
    return found["within"]


def rotations(command, path, folder):
    """Of every animation and node, in the order of the file: times and keys of each curve."""
    result = run(command, "import", "--json", path, folder)
    if result.returncode and "no rotation curves in this file" in result.stderr:
        return {}
    if not result.stdout:
        raise Wrong(f"import of {path.name}: {result.stderr}")
    found = {}
    for entry in json.loads(result.stdout):
        curve = np.load(entry["times"]), np.load(entry["file"]).astype(float)
        found.setdefault((entry["animation"], entry["node"]), []).append(curve)
    return found


def farthest(was, now):
    """Degrees between keys and the curve at their times; at a jump, on the side that is nearer."""
    p = was[1] / np.linalg.norm(was[1], axis=1, keepdims=True)
    near = [values_at(*now, was[0] + shift * (1e-5 + 1e-6 * np.abs(was[0]))) for shift in (-1, 0, 1)]
    off = np.min([np.minimum(np.linalg.norm(p - q, axis=1), np.linalg.norm(p + q, axis=1)) for q in near], axis=0)
    return np.degrees(4 * np.arcsin(np.minimum(off / 2, 1))).max()


def check_back(command, bundle, original, entry, namesakes, before, folder):
    """The file that decompress makes has rotations as far from those of the original (before, may be None) as the clip."""
    back = folder / ("back.bvh" if original.suffix.lower() == ".bvh" else "back.glb")
    result = run(command, "decompress", bundle, entry["clip"], "-o", back)
    if result.returncode and not (result.stderr.endswith("moves no joint\n") and entry["keys"]["track"]):
        raise Wrong(f"decompress: {result.stderr}")
    if result.returncode or not before or entry["worst_rotation_error_degrees"] is None:
        return
    after = rotations(command, back, folder / "after")
    for (name, node), curves in before.items():
        now = [n for key, all_of in after.items() if key[1] == node for n in all_of]
        was = curves[namesakes : namesakes + 1] or curves  # animations of one name may move different nodes
        if name != entry["animation"]:
            continue
        if not all(min([farthest(c, n) for n in now], default=np.inf) <= entry["worst_rotation_error_degrees"] * 1.01 + 0.003 for c in was):
            raise Wrong(f"{entry['clip']} comes back wrong: {node}")


def outcome(command, path):
    """A cell of the table."""
    with tempfile.TemporaryDirectory() as scratch:
        bundle = pathlib.Path(scratch, "out.qsb")
        result = run(command, "compress", "-o", bundle, "--json", "--partial", path)
        why = reasons(path, result.stderr, bundle)
        if not bundle.exists():
            still = "OUT: is not written: no node moves in any file"
            why, not_moving = "; ".join(w for w in why.split("; ") if not w.startswith("OUT: is not written")), still in why
            if not_moving:
                return "no node moves" + (f"; {why}" if why else "")
            if not why:
                raise Wrong("refused without a reason")
            return f"refused: {why}"
        why = "; ".join(w for w in why.split("; ") if not w.startswith("OUT: "))
        if result.returncode and not why:
            raise Wrong("compress fails without a reason")
        animations = json.loads(result.stdout)["animations"]
        if check_verified(command, bundle) != len(animations):
            raise Wrong("not all clips are verified")
        before = rotations(command, path, pathlib.Path(scratch, "before"))
        for number, entry in enumerate(animations):
            with tempfile.TemporaryDirectory() as folder:
                namesakes = sum(e["animation"] == entry["animation"] for e in animations[:number])
                check_back(command, bundle, path, entry, namesakes, before if number < READ_BACK else None, pathlib.Path(folder))
        return "; ".join([f"{len(animations)} clip{'s' * (len(animations) > 1)}", *filter(None, [why])])


def main(command, folders):
    lines, wrong = [], []
    for folder in map(pathlib.Path, folders):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = path.relative_to(folder)
            try:
                lines.append(f"{name} | {outcome(command, path)}".replace(str(folder) + "/", ""))
            except (Wrong, subprocess.TimeoutExpired, OSError, ValueError) as error:
                lines.append(f"{name} | WRONG: {error}".replace(str(folder) + "/", ""))
                wrong.append(lines[-1])
            print(lines[-1], flush=True)
    kinds = [line.split(" | ")[1].split()[0] for line in lines]
    refused, still = kinds.count("refused:"), kinds.count("no")
    print(
        f"{len(lines)} files: {len(lines) - refused - still - len(wrong)} with clips, {still} in which no node moves, {refused} refused, {len(wrong)} wrong"
    )
    return lines, wrong


def lines_of_table(lines):
    """All lines but those of files of other formats that are refused for that."""
    return {line for line in lines if is_read(line) or not line.endswith(NOT_READ)}


def is_read(line):
    return pathlib.PurePath(line.split(" | ")[0].lower()).suffix in READ


def check(known, command, folder):
    lines, wrong = main(command, [folder])
    found, known = lines_of_table(lines), set(pathlib.Path(known).read_text(encoding="utf-8").splitlines())
    names = {line.split(" | ")[0] for line in known}
    plain = re.compile(r"[^|]* \| (\d+ clips?|no node moves)")
    new = {line for line in found if is_read(line) and line.split(" | ")[0] not in names and plain.fullmatch(line)}
    other = sorted(known ^ found - new)
    print(*(("- " if line in known else "+ ") + line for line in other), sep="\n")
    print(f"{len(new)} files that the table does not name")
    return 1 if wrong or other else 0


arguments = [os.path.expandvars(argument) for argument in sys.argv[1:]]
if len(arguments) < 2 or arguments[0].startswith("-") and (arguments[0] != "--check" or len(arguments) != 4):
    sys.exit(__doc__)
if arguments[0] != "--check":
    sys.exit(1 if main(arguments[0], arguments[1:])[1] else 0)
if not os.path.isdir(arguments[3]):
    print(f"SKIP: no folder {arguments[3]}")
    sys.exit(77)
sys.exit(check(*arguments[1:]))
