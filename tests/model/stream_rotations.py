"""Rotations of streams, float arrays of [body, component]: stream_unit, stream_turn and stream_between of src/scalar/stream.h."""
import numpy as np

from stream_code import F32


def hexes(*text):
    return [F32(float.fromhex(x)) for x in text]


ARC = hexes("0x1.921fb4p+1", "-0x1.ffff88p+0", "0x1.920f7ap+0", "-0x1.54770ap+0", "0x1.276a48p+0")
ARC += hexes("-0x1.edcdc8p-1", "0x1.6784dap-1", "-0x1.8ed7dap-2", "0x1.1bb9eap-3", "-0x1.77da22p-6")
HALF_SIN = hexes("0x1.0p+0", "-0x1.55554ap-3", "0x1.110eb2p-7", "-0x1.9f6cfap-13", "0x1.5da854p-19")
HALF_COS = hexes("0x1.9f02f6p-2", "-0x1.3a76ap-5", "0x1.5c78fp-10", "-0x1.947522p-16", "0x1.15189cp-22")
QUARTER2, COS_REST = hexes("0x1.3bd3ccp+1", "0x1.04p-25")
SHARES = hexes("0x0p+0", "0x1.555556p-2", "0x1.555556p-1", "0x1p+0")


def never_tiny(x):
    return np.where(np.abs(x) > F32(2.0**-60), x, F32(0))


def product(a, b):
    ax, ay, az, aw = a.T
    bx, by, bz, bw = b.T
    return np.stack(
        [
            (aw * bx + ax * bw) + (ay * bz - az * by),
            (aw * by + ay * bw) + (az * bx - ax * bz),
            (aw * bz + az * bw) + (ax * by - ay * bx),
            (aw * bw - ax * bx) - (ay * by + az * bz),
        ],
        axis=-1,
    )


def square(v):
    return (v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1]) + v[:, 2] * v[:, 2]


def polynomial(c, x):
    return ((c[4] * x + c[3]) * (x * x) + (c[2] * x + c[1])) * x + c[0]


def between(start, end):
    """The rotation vectors from one to the other, as stream_between has them."""
    q = product(start * F32([-1, -1, -1, 1]), end)
    w = np.abs(q[:, 3])
    arc = np.full_like(w, ARC[-1])
    for c in ARC[-2::-1]:
        arc = arc * w + c
    return never_tiny(q[:, :3] * np.where(q[:, 3] < 0, -arc, arc)[:, None])


def unit(q):
    x, y, z, w = q.T
    return never_tiny((q.T * (F32(1) / np.sqrt((x * x + y * y) + (z * z + w * w)))).T)


def turned(q, v):
    x = np.minimum(square(v) * F32(0.25), F32(3))
    half = polynomial(HALF_SIN, x) * F32(0.5)
    cosine = (QUARTER2 - x) * polynomial(HALF_COS, x) + COS_REST
    r = product(q, np.concatenate([v * half[:, None], cosine[:, None]], axis=1))
    return unit(r)
