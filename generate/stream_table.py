#!/usr/bin/python3
"""Prints the tables of docs/stream.md, by quatsimd-bench-stream, for motion of 120 frames per second. Usage:
  generate/stream_table.py QUATSIMD_COMMAND BENCH_STREAM FILE...
  generate/stream_table.py --check PAGE QUATSIMD_COMMAND BENCH_STREAM FILE...    fails if the page lacks a line, zlib's cells aside

The first table is of bits per rotation. payload: without key packets, which begin each stream, and without heads; all: all bytes.
Beside them the format smallest3:9, and the differences of its numbers from those of the same baseline, through zlib: of all packets
together where each is against the one before, of each by itself where packets may be lost. The second is of a link that loses some."""
import json
import os
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy

FRAMES = 120  # a second
# packets a second, packets from a baseline to what is coded against it, one way
WAYS = [
    ("120 a second, against the one before", 120, 1, 0),
    ("30 a second, against the one before", 30, 1, 0),
    ("120 a second, against 12 before: 100 ms", 120, 12, 0.049),
    ("30 a second, against 3 before: 100 ms", 30, 3, 0.049),
]
LINK = {"every": 2, "delay": 0.05, "jitter": 0.02, "twice": 0.01}
LOSSES = [0, 2, 5, 20]  # %
BITS = 9  # of each of the smallest three
HEADS = [
    ["clip", "packets", "payload", "all", f"smallest3:{BITS}", "its differences, zlib"],
    ["clip", "lost", "kbit per second", "decoded", "age, ms: median", "99 %", "worst error, degrees"],
]


def stream(bench, rotations, **settings):
    settings.update(bodies=rotations.shape[1], fps=FRAMES)
    arguments = [bench, *(f"{name}={value}" for name, value in settings.items())]
    result = subprocess.run(arguments, check=True, input=rotations.astype("f4").tobytes(), stdout=subprocess.PIPE)
    return json.loads(result.stdout)


def read(command, file):
    """The rotations of a file, (frames, bodies, 4), and the same as smallest three: three components and which is left out."""
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"check": True, "stdout": subprocess.DEVNULL}
        subprocess.run([command, "import", file, f"{folder}/curves"], **quiet)
        content = Path(file).read_bytes()
        paths = sorted(Path(folder).rglob("*.npy"), key=lambda path: (content.find(path.stem.encode()), path))  # as in the file
        curves = [c for c in map(numpy.load, paths) if c.ndim == 2]
        rotations = numpy.stack([c for c in curves if len(c) == max(map(len, curves))], axis=1)
        numpy.save(f"{folder}/in.npy", rotations)
        subprocess.run([command, "pack", "-f", f"smallest3:{BITS}", f"{folder}/in.npy", f"{folder}/out.npy"], **quiet)
        packed = numpy.load(f"{folder}/out.npy")
    each = 3 * BITS + 2
    bits = numpy.unpackbits(packed.reshape(-1), bitorder="little")[: rotations.size // 4 * each].reshape(-1, each).astype(int)
    fields = [bits[:, at : at + BITS] @ (1 << numpy.arange(BITS)) for at in range(0, 3 * BITS, BITS)] + [bits[:, -2:] @ [1, 2]]
    return rotations, numpy.stack(fields, axis=-1).reshape(*rotations.shape[:2], 4)


def differences(numbers, distance, together):
    """Bits per rotation. Small ones of either sign are small numbers, and bytes of one kind are side by side: zlib takes half of them otherwise."""
    wide, most = numbers[distance:] - numbers[:-distance], [2**BITS] * 3 + [4]
    signed = (wide + numpy.array(most) // 2) % most - numpy.array(most) // 2
    small = numpy.where(signed < 0, -2 * signed - 1, 2 * signed).astype("<u2").transpose(0, 2, 1)
    size, deflate = 0, zlib.compressobj(9, zlib.DEFLATED, -15)
    for packet in small:
        content = (packet & 255).astype("u1").tobytes() + (packet >> 8).astype("u1").tobytes()
        if together:  # each flush ends with the same four bytes, which need not be sent
            size += len(deflate.compress(content) + deflate.flush(zlib.Z_SYNC_FLUSH)) - 4
        else:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            size += len(deflate.compress(content) + deflate.flush())
    return 8 * size / (signed.size / 4)


def costs(bench, rotations, numbers):
    for name, rate, distance, delay in WAYS:
        sent = stream(bench, rotations, every=FRAMES // rate, delay=delay)
        rival = differences(numbers[:: FRAMES // rate], distance, together=distance == 1)
        yield [name, f"{sent['payload_bits']:.2f}", f"{sent['bits_per_rotation']:.2f}", str(3 * BITS + 2), f"{rival:.1f}"]


def losses(bench, rotations, numbers):
    for loss in LOSSES:
        sent = stream(bench, rotations, **LINK, **({"loss": loss / 100, "burst": 3} if loss else {}))
        yield [
            f"{loss} %",
            f"{sent['bits_per_second'] / 1000:.1f}",
            f"{100 * sent['decoded'] / (sent['packets'] - sent['lost'] - sent['late']):g} %",
            f"{1000 * sent['median_age']:.0f}",
            f"{1000 * sent['age_99_percent']:.0f}",
            f"{sent['worst_error']:.4f}",
        ]


def line(cells):
    return f"| {' | '.join(cells)} |"


def main():
    page, arguments = None, sys.argv[1:]
    if arguments[:1] == ["--check"]:
        page, arguments = "".join(arguments[1:2]), arguments[2:]
    if len(arguments) < 3:
        sys.exit(__doc__)
    command, bench, *files = arguments
    motions = {file: read(command, file) for file in files}
    tables = [[[f"`{os.path.basename(f)}`", *row] for f in files for row in rows(bench, *motions[f])] for rows in (costs, losses)]
    if page is None:
        for head, rows in zip(HEADS, tables):
            print("\n".join([line(head), "|---" * len(head) + "|", *map(line, rows)]), end="\n\n")
        return
    there = Path(page).read_text(encoding="utf-8").splitlines()
    sought = [line(row[:-1]) for row in tables[0]] + [line(row) for row in tables[1]]
    wrong = [f"{page}: measured {row}, which is not there" for row in sought if not any(text.startswith(row) for text in there)]
    print("\n".join(wrong) or f"{page}: {len(sought)} rows are as measured")
    sys.exit(1 if wrong else 0)


main()
