#!/usr/bin/env python3
"""Fuzzes the whole command: changed files, a process for each run.

Usage: command.py TOOL SEEDS FINDINGS SECONDS [SEED]

TOOL is the command with sanitizers, SEEDS a folder of files, SEED a number for other changes (the time, if it is left out). A run must
end in time, with status 0, or with 1 or 2 and a message, without a report of a sanitizer; outputs are whole or as they were before.
"""
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMEOUT = 20
SANITIZER_STATUS = 99
NUMBERS = [b"0", b"-1", b"1e999", b"nan", b"99999999999", b"-0.0", b"4294967295", b"1e-320", b"2147483648", b""]
ARRAYS = {".npy", ".ply", ".splat"}
BEFORE = b"what was here before"


def change(rng, data, others):
    """One to some changes of the kinds that files suffer."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        size = rng.choice([1, 1, 2, 4, 8, 32, 200])
        what = rng.randrange(8)
        if what == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            data[at : at + size] = rng.randbytes(len(data[at : at + size]))
        elif what == 2:
            del data[at : at + size]
        elif what == 3:
            data[at:at] = data[at : at + size]
        elif what == 4 and rng.random() < 0.3:
            del data[at:]
        elif what == 5:  # a number of a text
            found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
            if found:
                m = rng.choice(found)
                data[m.start() : m.end()] = rng.choice(NUMBERS)
        elif what == 6:  # a line twice, or not at all
            lines = bytes(data).split(b"\n")
            line = rng.randrange(len(lines))
            lines[line : line + 1] = rng.choice([[], [lines[line]] * 2, [rng.choice(lines)]])
            data = bytearray(b"\n".join(lines))
        elif what == 7 and at + 4 <= len(data):
            struct.pack_into("<I", data, at, rng.choice([0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, len(data), 65536]))
    return bytes(data)


def jobs(rng, path, folder):
    """A command line and what it writes."""
    kind = path.suffix.lower()
    out = folder / "out"
    if kind in ARRAYS:
        return ["pack", "--format", rng.choice(["smallest3_48", "cube32", "float4"]), path, out / "packed.npy"], out / "packed.npy"
    if kind == ".qsc":
        made = out / rng.choice(["new.glb", "new.bvh", "arrays"])
        return rng.choice([(["info", path], None), (["decompress", path, "-o", made], made if made.suffix else None)])
    if kind == ".qsb":
        return rng.choice(
            [
                (["info", "--json", path], None),
                (["verify", path], None),
                (["extract", path, "-o", out / "clips"], None),
                (["decompress", path, "-o", out / "all.glb"], out / "all.glb"),
            ]
        )
    return rng.choice(
        [
            (["import", path, out / "curves"], None),
            (["compress", "--rotation", "0.5deg", "--only", "rotation", "--time", "0", "--json", path], None),
            (["compress", "--rotation", "0.5deg", "-o", out / "library.qsb", path], None),
        ]
    )


def is_whole(path):
    """Whether a file ends where it says."""
    data = path.read_bytes()
    if path.suffix == ".npy":
        shape = re.search(rb"'<([fu])(\d)'.*\(([\d, ]*)\)", data[:128])
        if not shape or data[:6] != b"\x93NUMPY":
            return False
        size = int(shape[2])
        for n in shape[3].split(b","):
            size *= int(n) if n.strip() else 1
        return len(data) == 10 + struct.unpack_from("<H", data, 8)[0] + size
    if path.suffix in (".glb", ".qsc"):  # both have their bytes at 8
        return data[:4] == {".glb": b"glTF", ".qsc": b"QSC\2"}[path.suffix] and data[8:12] == struct.pack("<I", len(data))
    if path.suffix in (".gltf", ".json"):
        try:
            json.loads(data.decode(errors="replace"), strict=False)  # names are as they were
        except ValueError:
            return False
    if path.suffix == ".bvh":
        return data.startswith(b"HIERARCHY") and data.endswith(b"\n")
    return True


def broken_file(folder, output, failed):
    """What is wrong with what a run wrote."""
    if output and (output.read_bytes() == BEFORE) != failed:
        return f"{output.name} is {'changed' if failed else 'as it was'}"
    for path in folder.rglob("*"):
        if path == output and failed:
            continue
        if path.name.startswith(".quatsimd-"):
            return f"{path.name} is left behind"
        if path.is_file() and not is_whole(path):
            return f"{path.name} is not whole"
    return None


def execute(tool, line, folder):
    """Exit status and message; of one that does not end in time, whose children are killed with it, what is wrong."""
    options = f"exitcode={SANITIZER_STATUS}:allocator_may_return_null=1:max_allocation_size_mb=2048:hard_rss_limit_mb=4096:log_path={folder}/report"
    env = dict(os.environ, ASAN_OPTIONS=options, UBSAN_OPTIONS=options + ":print_stacktrace=1", LC_ALL="C.UTF-8")
    process = subprocess.Popen(
        [tool, *line], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, start_new_session=True
    )
    try:
        message = process.communicate(timeout=TIMEOUT)[1]
        return process.returncode, message
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"not done after {TIMEOUT} seconds", b""


def run(tool, line, folder, output):
    """What is wrong with a run, None."""
    status, message = execute(tool, line, folder)
    if isinstance(status, str):
        return status
    for report in folder.glob("report.*"):
        text = report.read_text(errors="replace")
        if "ERROR: " in text or "runtime error" in text:
            return f"a sanitizer:\n{text}"
    if status not in (0, 1, 2):
        return f"exit status {status}"
    if status and not message.startswith(b"quatsimd"):
        return f"exit status {status} and no message, but: {message[:300]!r}"
    return broken_file(folder / "out", output, status != 0)


def make_clips(tool, seeds, folder):
    """A clip of each file that is an animation."""
    clips = []
    for seed in seeds:
        if seed.suffix in ARRAYS:
            continue
        bundle, to = folder / f"{seed.name}.qsb", folder / f"clips-{seed.name}"
        execute(tool, ["compress", "--rotation", "0.5deg", "--scale", "0.01", "-o", bundle, seed], folder)
        if bundle.exists():
            execute(tool, ["extract", bundle, "-o", to], folder)
            clips.append(sorted(to.glob("*.qsc"))[0])
    return clips


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    tool, findings, seconds = Path(sys.argv[1]).resolve(), Path(sys.argv[3]), float(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
    rng = random.Random(seed)
    runs = 0
    with tempfile.TemporaryDirectory(prefix="quatsimd-fuzz-") as temporary:
        top = Path(temporary)
        seeds = sorted(Path(sys.argv[2]).iterdir())
        clips = make_clips(tool, seeds, top)
        seeds += sorted(clips) + sorted(top.glob("*.qsb"))
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            folder = top / "run"
            (folder / "out").mkdir(parents=True)
            source = rng.choice(seeds)
            path = folder / f"changed-{source.name}"
            path.write_bytes(change(rng, source.read_bytes(), seeds))
            line, output = jobs(rng, path, folder)
            if output:
                output.write_bytes(BEFORE)
            wrong = run(tool, line, folder, output)
            runs += 1
            if wrong:
                kept = findings / f"command-{seed}-{runs}{path.suffix}"
                shutil.copy(path, kept)
                print(f"{wrong}\nfile: {kept}\nran: quatsimd {' '.join(map(str, line))}")
                print(f"REPRODUCER {kept}")
                break
            shutil.rmtree(folder)
        taken = time.monotonic() - start
    print(f"stat::number_of_executed_units: {runs}\nstat::average_exec_per_sec: {runs / taken:.0f}")
    sys.exit(1 if wrong else 0)


main()
