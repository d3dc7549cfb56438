#!/usr/bin/python3
"""Puts every file of folders through `quatsimd compress`, `verify` (at keys and between them) and `decompress`. Usage:
  every_file.py QUATSIMD_COMMAND FOLDER...
  every_file.py --check TABLE QUATSIMD_COMMAND FOLDER    checks that the table has all lines of the file TABLE; other files may be there, too
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


READ_BACK = 2  # so many decompressed files of each file are read again


class Wrong(Exception):
    pass


def run(command, *arguments):
    result = subprocess.run([command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400)
    if result.returncode not in (0, 1):
        raise Wrong(f"{arguments[0]} ends with status {result.returncode}")
    return result


def reasons(path, stderr, made=None):
    """The messages about a file, each once and without its name; those about a file that was made of it begin with OUT."""
    found = []
    for line in stderr.splitlines():
        start = f"quatsimd: {path}: "
        if made:
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
    """Degrees between keys of the same time; infinite if one has no partner. Keys may have been added."""
    nearest = np.abs(now[0][:, None] - was[0]).argmin(axis=0)
    if not np.allclose(now[0][nearest], was[0], rtol=1e-5, atol=1e-5):
        return np.inf
    p, q = (k / np.linalg.norm(k, axis=1, keepdims=True) for k in (was[1], now[1][nearest]))
    return np.degrees(4 * np.arcsin(np.minimum(np.minimum(np.linalg.norm(p - q, axis=1), np.linalg.norm(p + q, axis=1)) / 2, 1))).max()


def check_back(command, bundle, original, entry, namesakes, before, folder):
    """What decompress says besides. The file that it makes has keys as far from those of the original (before, may be None) as it says."""
    text = original.suffix.lower() == ".bvh"
    back = folder / ("back.bvh" if text else "back.glb")
    if original.suffix.lower() == ".gltf":  # the new file names the same files beside it
        for other in original.absolute().parent.iterdir():
            (folder / other.name).symlink_to(other)
    result = run(command, "decompress", bundle, entry["clip"], "--into", original, "--animation", entry["number"], "-o", back)
    if result.returncode:
        raise Wrong(f"decompress: {result.stderr}")
    why = reasons(original, result.stderr, back)
    said = re.search(r"rotations: at most ([\d.e-]+) degrees off", result.stdout)
    if said and before:
        after = rotations(command, back, folder / "after")
        allowed = float(said[1]) * 1.01 + (0.02 if text else 0.002)  # in a .bvh 6 digits, near gimbal lock; in a .glb floats
        names = {name for name, _ in after}
        for (name, node), curves in before.items():
            if name != entry["animation"]:
                continue
            now = [n for key, all_of in after.items() if key[1] == node and key[0] in ({name} & names or names) for n in all_of]
            was = curves[namesakes : namesakes + 1] or curves  # animations of one name may move different nodes
            if not all(min([farthest(c, n) for n in now], default=np.inf) <= allowed for c in was):
                raise Wrong(f"{entry['clip']} comes back wrong: {node}")
    return why


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
        said = {why: None} if why else {}
        before = rotations(command, path, pathlib.Path(scratch, "before"))
        for number, entry in enumerate(animations):
            with tempfile.TemporaryDirectory() as folder:
                namesakes = sum(e["animation"] == entry["animation"] for e in animations[:number])
                if why := check_back(command, bundle, path, entry, namesakes, before if number < READ_BACK else None, pathlib.Path(folder)):
                    said[why] = None
        return "; ".join([f"{len(animations)} clip{'s' * (len(animations) > 1)}", *said])


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


if len(sys.argv) == 5 and sys.argv[1] == "--check":
    directory = os.path.expandvars(sys.argv[4])
    if not os.path.isdir(directory):
        print(f"SKIP: no folder {directory}")
        sys.exit(77)
    found, bad = main(sys.argv[3], [directory])
    known = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    names = {line.split(" | ")[0] for line in known}
    new = [line for line in found if line.split(" | ")[0] not in names]
    other = sorted(set(known) ^ set(found) - set(new))
    print(*(("- " if line in known else "+ ") + line for line in other), sep="\n")
    print(f"{len(new)} files that {sys.argv[2]} does not name")
    sys.exit(1 if bad or other else 0)
elif len(sys.argv) > 2 and not sys.argv[1].startswith("-"):
    sys.exit(1 if main(sys.argv[1], sys.argv[2:])[1] else 0)
else:
    sys.exit(__doc__)
