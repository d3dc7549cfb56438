#!/usr/bin/python3
"""Prints src/stream/first_models.h: the first probabilities of a stream's models, as motions have them on average. Usage:
  generate/stream_models.py QUATSIMD_COMMAND COUNTER FILE...
COUNTER is generate/stream_models.c, compiled behind ./dev demo:
  cc -O2 -Iinclude -Isrc -Ithird_party/xxhash -o counter generate/stream_models.c build/demo/libquatsimd.a -lcpu_features -lm
The header that is there was made of kaykit/Knight.glb, raylib/robot.glb, mesh2motion/*.glb and
imu/*.npy of shared/data: none of those that docs/stream.md measures."""
import pathlib
import subprocess
import sys
import tempfile

import numpy

HEAD = """/* Made by generate/stream_models.py: first probabilities of a stream's models. Byte m means 256 m + 128. */
#ifndef QUATSIMD_STREAM_FIRST_MODELS_H
#define QUATSIMD_STREAM_FIRST_MODELS_H

#include "stream/point.h"

/* clang-format off */
static const uint8_t first_models[sizeof(point_models) / sizeof(model)] = {
"""
TAIL = """};
/* clang-format on */

static inline void quatsimd_stream_first_models(point_models *m) {
  model *const all = (model *)(void *)m;
  for (size_t i = 0; i < sizeof first_models; i++) all[i].fast = all[i].slow = (uint16_t)(first_models[i] << 8 | 128);
}

#endif"""


def motions(command, path):
    """Arrays of frames, bodies, 4: of an animation the curves with as many keys as most have."""
    if path.endswith(".npy"):
        values = numpy.load(path)
        yield values[numpy.isfinite(values).all(axis=1)][:, None, :]
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, "import", path, folder], check=True, stdout=subprocess.DEVNULL)
        for animation in sorted(p for p in pathlib.Path(folder).iterdir() if p.is_dir()):
            curves = [numpy.load(p) for p in sorted(animation.glob("*.npy"))]
            lengths = [len(c) for c in curves]
            most = max(set(lengths), key=lengths.count) if lengths else 0
            if most >= 24:
                yield numpy.stack([c for c in curves if len(c) == most], axis=1)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    command, counter, *files = sys.argv[1:]
    data = b"".join(numpy.array(m.shape[:2], "<i4").tobytes() + m.astype("<f4").tobytes() for path in files for m in motions(command, path))
    rows = subprocess.run([counter], input=data, stdout=subprocess.PIPE, check=True).stdout.decode()
    print(HEAD + "".join(f"  {row.rstrip()}\n" for row in rows.splitlines()) + TAIL)


main()
