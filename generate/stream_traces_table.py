#!/usr/bin/python3
"""Prints the table of bodies and figures of docs/stream.md, by quatsimd-bench-streams. Usage:
  generate/stream_traces_table.py BENCH_STREAMS FOLDER
  generate/stream_traces_table.py --check PAGE BENCH_STREAMS FOLDER    fails if the page lacks a line, the last cells aside

FOLDER has the traces, *.bin or *.bin.gz; bench/README.md explains their format. Beside the streams: the smallest three at 9 bits of
each rotation, positions in steps of 1/512 of a metre (bodies) or 1/4096 (figures) and weights in steps of 0.02, as differences from
the same baseline; zigzag codes, low bytes before high bytes, deflated packet by packet, with 5 bytes of head."""
import gzip
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy

FIGURE = {"figure": 1, "delay": 3}
ROWS = [  # what it is, trace, settings
    ("64 boxes, stirred: positions within 1 mm, rotations within 0.25°", "stirred", {}),
    ("64 boxes that fall and rest, the same", "drop", {}),
    ("64 boxes, stirred, rotations alone", "stirred", {"rotations": 1}),
    ("64 boxes, stirred, at most 192 bytes a packet", "stirred", {"limit": 192}),
    ("CMU 01_01: root and 31 joints, points within 5 mm", "01_01", {**FIGURE, "points": 5}),
    ("CMU 01_03, the same", "01_03", {**FIGURE, "points": 5}),
    ("a speaker: root, 135 joints, points within 1 mm, 52 weights within 0.01", "talkw", {**FIGURE, "points": 1, "track": 0.01}),
]
LOSSES = [0, 5, 20]  # %
HEAD = ["trace", *(f"{loss} % lost" for loss in LOSSES), "worst error", "differences, deflated"]


def run(bench, path, settings):
    """Returns kbit/s, and the worst error in mm or degrees."""
    arguments = [bench, path, *(f"{name}={value}" for name, value in settings.items())]
    text = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True).stdout
    if "limit" not in settings and "trembles 0 " not in text:
        sys.exit(f"what rests trembles: {text}")
    number = r"([\d.]+)"
    degrees, mm = re.search(f"worst {number} deg {number} mm", text).groups()
    points = re.search(f"points: worst {number}", text)
    error = degrees if "rotations" in settings else points[1] if "points" in settings else mm
    return float(re.search(f"{number} kbit/s", text)[1]), float(error)


def zigzag(values):
    """The bytes of differences: each number's low byte, then each one's high byte."""
    flat = values.T.ravel()
    return ((flat << 1) ^ (flat >> 63)).astype("<u2").view("u1").reshape(-1, 2).T.ravel()


def deflated(path, settings):
    """Returns kbit/s of differences without loss."""
    frames, bodies, tracks, rate = (int(n) for n in numpy.fromfile(path, "<i4", 4))
    figure, delay = "figure" in settings, settings.get("delay", 6)
    values = numpy.fromfile(path, "<f4", offset=16 + 16 * bodies * figure).reshape(frames, -1)
    if figure:
        positions, rotations = values[:, None, :3], values[:, 3 : 3 + 4 * bodies].reshape(frames, bodies, 4)
    else:
        positions, rotations = numpy.split(values[:, : 7 * bodies].reshape(frames, bodies, 7), [3], axis=-1)
    weights = numpy.round(values[:, values.shape[1] - tracks :] / 0.02).astype(int)
    rotations = rotations / numpy.linalg.norm(rotations, axis=-1, keepdims=True)
    largest = numpy.abs(rotations).argmax(-1)
    rotations *= numpy.sign(numpy.take_along_axis(rotations, largest[..., None], -1))
    others = numpy.stack([numpy.delete(numpy.arange(4), i) for i in range(4)])[largest]
    three = numpy.round((numpy.take_along_axis(rotations, others, -1) * 2**0.5 + 1) / 2 * 511).astype(int)
    places = numpy.round(positions * (4096 if figure else 512)).astype(int)
    parts = [three, largest] + ([] if "rotations" in settings else [places]) + ([weights] if tracks else [])
    size = 0
    for n in range(frames):
        raw = b"".join(zigzag(part[n] - (part[n - delay] if n >= delay else 0)).tobytes() for part in parts)
        size += 5 + len(zlib.compress(raw, 6)) - 6  # without zlib's own head
    return size * 8 / frames * rate / 1000


def main():
    arguments = sys.argv[1:]
    page = arguments[1] if arguments[:1] == ["--check"] else None
    bench, folder = arguments[2:] if page else arguments
    lines = [HEAD, ["---"] * len(HEAD)]
    with tempfile.TemporaryDirectory() as temporary:
        for what, name, settings in ROWS:
            path = Path(folder, f"{name}.bin")
            if not path.exists():
                path = Path(temporary, f"{name}.bin")
                path.write_bytes(gzip.decompress(Path(folder, f"{name}.bin.gz").read_bytes()))
            results = [run(bench, str(path), {**settings, "loss": loss / 100}) for loss in LOSSES]
            cells = [f"{rate:.1f}" for rate, _ in results]
            lines.append(
                [
                    what,
                    *cells,
                    f"{max(error for _, error in results):.2f}" + ("°" if "rotations" in settings else " mm"),
                    "" if "limit" in settings else f"{deflated(path, settings):.0f}",
                ]
            )
    lines = ["| " + " | ".join(cells).strip() + " |" for cells in lines]
    if not page:
        print("\n".join(lines))
        return
    text = Path(page).read_text(encoding="utf-8")
    missing = [line for line in lines if line.rsplit(" | ", 1)[0] not in text]
    if missing:
        sys.exit(f"{page} lacks\n" + "\n".join(missing))


main()
