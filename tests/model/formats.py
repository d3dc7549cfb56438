"""The formats of docs/codec.md, written from that page alone."""
import numpy as np

from arithmetic import (
    components,
    derive_largest,
    derive_w,
    f32,
    four_components,
    join,
    join_largest,
    normsquare,
    one_over_sqrt,
    replace_invalid,
    rha,
    signed,
    split,
    split_largest,
)
from table import HALF, KNOWN_QUATERNIONS, KNOWN_WORDS, TINY, add

# ---- float4 ----


def float4(quats):
    """Both directions, float32[n, 4] to the same. Doubles and back keep denormal numbers and the sign of zero."""
    q, n2 = replace_invalid(components(quats))
    v = f32(q * one_over_sqrt(n2))
    v = np.where(np.abs(v) >= 2.0**-60, v, 0.0)
    copy = (n2 >= 1 - 2.0**-21) & (n2 <= 1 + 2.0**-21)
    return np.where(copy, q, v).T.astype(np.float32)


add("float4", 128, None, None, 1e-6, keeps_sign=True)


# ---- half4 ----


def to_half(t):
    """float32 to the bits of the binary16, half to even."""
    a = np.abs(t)
    exponent = np.where(a < 2.0**-14, -14, np.frexp(a)[1] - 1)  # 2^exponent <= a; -14 for subnormals and zero
    mantissa = np.rint(np.ldexp(a, 10 - exponent))  # 1024..2048; up to 1024 for the subnormals
    bits = (exponent + 14) * 1024 + mantissa  # a mantissa of 2048 carries into the exponent
    return np.where(np.signbit(t), 0x8000, 0) + np.minimum(bits, 0x7C00).astype(np.int64)


def from_half(bits):
    sign, exponent, mantissa = bits >> 15, (bits >> 10) & 31, bits & 1023
    a = np.ldexp(mantissa + np.where(exponent == 0, 0.0, 1024.0), np.maximum(exponent, 1) - 25)
    a = np.where(exponent == 31, np.where(mantissa == 0, np.inf, np.nan), a)
    return np.where(sign == 1, -a, a)


def pack_half4(q, n2):
    x, y, z, w = to_half(f32(q * one_over_sqrt(n2)))
    return join((w, 16), (z, 16), (y, 16), (x, 16))


def unpack_half4(word):
    w, z, y, x = split(word, 16, 16, 16, 16)
    return four_components(from_half(np.stack([x, y, z, w])))


add("half4", 64, pack_half4, unpack_half4, 2 * 2.0**-11 * 1.01, keeps_sign=True)  # half a unit in the last place of 11 bits


# ---- snorm16x3 ----


def from_snorm16(code):
    return np.maximum(f32(signed(code, 16) * f32(1 / 32767)), -1)


def pack_snorm16x3(q, n2):
    k = f32(32767 / f32(np.sqrt(n2)))
    x, y, z = rha(f32(q[:3] * np.where(q[3] < 0, -k, k)))
    return join((z, 16), (y, 16), (x, 16))


def unpack_snorm16x3(word):
    z, y, x = (from_snorm16(c) for c in split(word, 16, 16, 16))
    return derive_w(x, y, z)


# w near 0: half a quantum in x, y, z moves 1 - s by half * 2 * sqrt(3)
add("snorm16x3", 48, pack_snorm16x3, unpack_snorm16x3, 2 * np.sqrt(2 * np.sqrt(3) * 0.5 / 32767) * 1.01)


# ---- vertex32 ----


def pack_vertex32(q, n2):
    k = f32(127 / f32(np.sqrt(n2)))
    x, y, z = rha(f32(q[:3] * k))
    w = rha(f32(f32(f32(q[3] * k) * 0.5) + 63.5))
    return join((0, 1), (w, 7), (z, 8), (y, 8), (x, 8))


def unpack_vertex32(word):
    _, w, z, y, x = split(word, 1, 7, 8, 8, 8)
    x, y, z = (np.maximum(f32(signed(c, 8) * f32(1 / 127)), -1) for c in (x, y, z))
    w = f32(f32(w * f32(2 / 127)) - 1)
    return f32(np.stack([x, y, z, w]) * one_over_sqrt(normsquare(x, y, z, w)))


# half a quantum: 1/254 in x, y, z and 1/127 in w
add("vertex32", 32, pack_vertex32, unpack_vertex32, 2 * np.sqrt(3 * (1 / 254) ** 2 + (1 / 127) ** 2) * 1.05, keeps_sign=True)


# ---- cube32, cube32c ----


def pack_cube32(q, n2):
    largest, value, others = split_largest(q)
    v = f32(others * f32(1 / value))
    a, b, c = np.trunc(f32(f32(f32(v + 1) * 511.5) + 0.5))
    return join((largest, 2), (a, 10), (b, 10), (c, 10))


def unpack_cube32_around(centre):
    def unpack(word):
        largest, *codes = split(word, 2, 10, 10, 10)
        d = f32((np.stack(codes) - centre) * f32(2 / 1023))
        a, b, c = f32(d * d)
        r = one_over_sqrt(f32(f32(f32(a + b) + c) + 1))
        return join_largest(largest, r, f32(d * r))

    return unpack


# a quantum, and half a quantum, on a cube at distance 1
add("cube32", 32, pack_cube32, unpack_cube32_around(512), 2 * np.sqrt(3) * 2 / 1023 * 1.01)
add("cube32c", 32, pack_cube32, unpack_cube32_around(511.5), 2 * np.sqrt(3) * 1 / 1023 * 1.01)


# ---- smallest3, mirage ----


def smallest3_constants(bits):
    m = 2.0 ** (bits - 1) - 1
    big_m = f32(1 / f32(1.414214))
    e = f32(m / big_m)
    return m, e, f32(1 / e)  # m, E, D


def pack_smallest3(bits, flip):
    """flip is 3 to count L from the other end, or 0."""
    m, e, _ = smallest3_constants(bits)

    def pack(q, n2):
        largest, value, others = split_largest(q)
        k = f32(e / f32(np.sqrt(n2)))
        codes = np.rint(f32(others * np.where(value < 0, -k, k)))
        assert np.all(np.abs(codes) <= m)  # nothing saturates
        a, b, c = codes
        return join((largest ^ flip, 2), (a, bits), (b, bits), (c, bits))

    return pack


def unpack_smallest3(bits, flip):
    d = smallest3_constants(bits)[2]

    def unpack(word):
        largest, *codes = split(word, 2, bits, bits, bits)
        return derive_largest(largest ^ flip, f32(np.stack([signed(c, bits) for c in codes]) * d))

    return unpack


def smallest3_bound(half):
    """Three components err by half a quantum. At (1, 1, 1, 1) / 2 the derived one errs by three halves."""
    return 2 * half * np.sqrt(3 + 9) * (1 + 4 * half)


def add_smallest3(name, width, bits, flip):
    add(name, width, pack_smallest3(bits, flip), unpack_smallest3(bits, flip), smallest3_bound(smallest3_constants(bits)[2] / 2) + 2e-6)


for W, B in (32, 10), (48, 15), (64, 20):
    add_smallest3(f"smallest3_{W}", W, B, 0)
for B in range(4, 21):
    add_smallest3(f"smallest3:{B}", 2 + 3 * B, B, 0)
    add_smallest3(f"mirage:{B}", 2 + 3 * B, B, 3)


# ---- lattice24, lattice32, lattice48, lattice64 ----

# bits of the word: h, a, C, bits of an i
LATTICES = {
    24: (63, float.fromhex("0x1.510d2cp+13"), float.fromhex("0x1.c5e0d8p+19"), 7),
    32: (405, float.fromhex("0x1.b34958p+18"), float.fromhex("0x1.d7061ap+27"), None),
    48: (16383, float.fromhex("0x1.5bcb4p+29"), float.fromhex("0x1.dbbfdp+43"), 15),
    64: (524287, float.fromhex("0x1.5bd5cap+39"), float.fromhex("0x1.dbd56ep+58"), 20),
}
UNWARP = "0x1.5dd6d4p+0 -0x1.c6a41ep-1 0x1.5058e2p+0 -0x1.8dea44p+0 0x1.1145fap+0 -0x1.38fe56p-2"


def dot(u, v):
    a, b, c = f32(u * v)
    return f32(f32(a + b) + c)


def digits203(m):
    """m to e0, e1, e2."""
    high = np.rint(f32(m * f32(1 / 203)))
    e0 = np.rint(f32(high * f32(1 / 203)))
    return e0, f32(high - f32(203 * e0)), f32(m - f32(203 * high))


def join_lattice(bits, largest, s, i):
    width = LATTICES[bits][3]
    if width:
        assert np.all((i >= -(2.0 ** (width - 1))) & (i < 2.0 ** (width - 1)))  # nothing wraps
        if bits == 48:
            return join((s, 1), (i[0], width), (largest, 2), (i[1], width), (i[2], width))
        return join((largest, 2), (s, 1), *((c, width) for c in i))
    e = np.floor((i + 2) / 4)
    assert np.all(np.abs(e) <= 101)
    m = (e[0] * 203 + e[1]) * 203 + e[2]
    return join((largest, 2), (m, 23), (s, 1), *((c, 2) for c in i - 4 * e))


def split_lattice(bits, word):
    width = LATTICES[bits][3]
    if width:
        if bits == 48:
            s, i0, largest, i1, i2 = split(word, 1, width, 2, width, width)
            i = i0, i1, i2
        else:
            largest, s, *i = split(word, 2, 1, width, width, width)
        return largest, s, np.stack([signed(c, width) for c in i])
    largest, m, s, *low = split(word, 2, 23, 1, 2, 2, 2)
    return largest, s, 4 * np.stack(digits203(signed(m, 23))) + np.stack([signed(c, 2) for c in low])


def best_move(e, y, step):
    """Of the point with errors e: its cost after the best move, and the move of H, one axis or none."""
    p = dot(e, y)
    c = f32(e - f32(p * y))
    d = f32(step * f32(f32(step * f32(1 - f32(y * y))) - np.abs(c)))
    m = np.minimum(np.min(d, axis=0), 0)
    first = (d <= m) & (np.cumsum(d <= m, axis=0) == 1)
    cost = f32(f32(dot(e, e) - f32(p * p)) + f32(4 * m))
    return cost, np.where(first, np.where(c >= 0, -2, 2), 0)


def pack_lattice(bits):
    h, a, big_c, _ = LATTICES[bits]
    coefficients = [f32(h * float.fromhex(c)) for c in UNWARP.split()]

    def pack(q, n2):
        largest, value, others = split_largest(q)
        x = f32(others * f32(1 / value))
        y = f32(others * one_over_sqrt(n2))
        scaled = f32(x * big_c)  # X
        z = f32(x * x)
        zz = f32(z * z)
        c0, c1, c2, c3, c4, c5 = coefficients
        upper = f32(f32(zz * f32(f32(z * c5) + c4)) + f32(f32(z * c3) + c2))
        t = f32(x * f32(f32(zz * upper) + f32(f32(z * c1) + c0)))
        if bits >= 48:
            w = f32(t * t)
            t = f32(t - f32(f32(f32(t * f32(a + w)) - scaled) / f32(a + f32(3 * w))))
        k = np.rint(t)
        gg = f32(k * k)
        step = f32(f32(1.5 * gg) + f32(a * 0.5))  # G
        even = f32(f32(k * f32(a + gg)) - f32(scaled - 2.0**-32))  # e of the even point
        side = np.where(even >= 0, 1, -1)
        odd = f32(even - side * step)  # of the odd one
        cost_even, move_even = best_move(even, y, step)
        cost_odd, move_odd = best_move(odd, y, step)
        s = cost_odd < cost_even
        big_h = 2 * k + np.where(s, move_odd - side, move_even)
        return join_lattice(bits, largest, s, np.floor(big_h / 2))

    return pack


def unpack_lattice(bits):
    _, a, big_c, _ = LATTICES[bits]

    def unpack(word):
        largest, s, i = split_lattice(bits, word)
        g = (2 * i + s) / 2
        v = f32(g * f32(a + f32(g * g)))
        r = one_over_sqrt(f32(dot(v, v) + f32(big_c * big_c)))
        return join_largest(largest, f32(big_c * r), f32(v * r))

    return unpack


for W in LATTICES:  # 0.765 degrees at h = 63, and what float32 adds
    add(f"lattice{W}", W, pack_lattice(W), unpack_lattice(W), np.deg2rad(0.765) * 63 / LATTICES[W][0] * 1.01 + 5e-7)


# ---- worked out by hand ----

# format, quaternion, packed bytes as a number; worked out by hand
KNOWN_WORDS += [
    ("lattice24", [0, 0, 0, 1], 3 << 22),
    ("lattice24", [0, 0, -TINY, -1], 3 << 22),
    ("lattice24", HALF, 63 << 14 | 63 << 7 | 128 - 63),  # L = 0, a corner of the chart
    ("lattice32", [0, 0, 0, -1], 3 << 30),
    ("lattice32", [-0.0, TINY, 3, 0], 2 << 30),
    ("lattice32", HALF, ((101 * 203 + 101) * 203 - 101) << 7 | 0b01_01_11),  # 405 = 4 * 101 + 1
    ("lattice48", [0, 0, 0, 7], 3 << 30),
    ("lattice48", HALF, 16383 << 32 | 16383 << 15 | 32768 - 16383),
    ("lattice64", [0, 0, 0, 2.0**31], 3 << 61),
    ("lattice64", [0, 1, 1, 0], 1 << 61 | 524287 << 20),  # L = 1
    ("half4", [0, 0, 0, 1], 0x3C00000000000000),
    ("half4", HALF, 0xB800380038003800),
    ("half4", [-0.0, 0, -TINY, 2], 0x3C00800000008000),
    ("snorm16x3", [0, 0, 0, 1], 0),
    ("snorm16x3", [3, 0, 0, 0], 0x7FFF),
    ("snorm16x3", [3, 0, 0, -0.0], 0x7FFF),  # -0 is not negative
    ("snorm16x3", [3, 0, 0, -TINY], 0x8001),
    ("snorm16x3", HALF, 0xC000C000C000),  # -16383.5, a half, away from zero
    ("snorm16x3", [float.fromhex("0x1.8003p-17"), 0, 0, 0.75], 0),  # just below 0.5; 1 if 0.5 is added in float32
    ("vertex32", [0, 0, 0, 1], 0x7F000000),
    ("vertex32", [float.fromhex("0x1.02048ap-8"), 0, 0, 1], 0x7F000000),  # likewise
    ("vertex32", [0, 0, 0, -1], 0),
    ("vertex32", [-8, 0, 0, 0], 0x40000081),
    ("vertex32", HALF, 0x20404040),  # 63.5 and 31.75
    ("cube32", [0, 0, 0, 1], 0xE0080200),
    ("cube32", [0, 0, 0, -1], 0xE0080200),
    ("cube32", HALF, 0x3FFFFC00),  # L = 0; 1023, 1023, 0
    ("cube32", [-0.5, -0.5, -0.5, 0.5], 0x3FFFFC00),
    ("smallest3_32", [0, 0, 0, 1], 0xC0000000),
    ("smallest3_32", HALF, 361 << 20 | 361 << 10 | 1024 - 361),  # 0.5 * 511 * 1.414214 = 361.3
    ("smallest3_32", [0, 0, -1, 1], 2 << 30 | 1024 - 511),  # L = 2, negated; a, b = 0; c at its end
    ("smallest3_48", [0, 0, 0, -7], 3 << 45),
    ("smallest3_64", [0, 0, 0, 2.0**31], 3 << 60),
    ("smallest3:9", [1, 0, 0, 0], 0),
    ("mirage:9", [1, 0, 0, 0], 3 << 27),
    ("mirage:9", [0, 0, 0, 1], 0),
    ("mirage:9", [0, 0, 0.25, 0], 1 << 27),
]

# format, word, quaternion
KNOWN_QUATERNIONS += [
    ("lattice24", 0, [1, 0, 0, 0]),
    ("lattice32", 1 << 30, [0, 1, 0, 0]),
    ("lattice48", 2 << 30, [0, 0, 1, 0]),
    ("lattice64", 3 << 61, [0, 0, 0, 1]),
    ("lattice64", 1 << 63 | 3 << 61, [0, 0, 0, 1]),  # the unused bit is ignored
    ("half4", 0x7C00, [0, 0, 0, 1]),  # infinite
    ("half4", 0x7E00, [0, 0, 0, 1]),  # NaN
    ("half4", 0, [0, 0, 0, 1]),
    ("half4", 0x8001, [-1, 0, 0, 0]),  # the smallest half
    ("half4", 0x8000800080007BFF, [1, -0.0, -0.0, -0.0]),  # the largest
    ("snorm16x3", 0x8000, [-1, 0, 0, 0]),
    ("vertex32", 0xFF000000, [0, 0, 0, 1]),  # handedness is ignored
    ("vertex32", 0, [0, 0, 0, -1]),
    ("cube32", 0xE0080200, [0, 0, 0, 1]),
    ("smallest3_32", 0xE0080200, [0, 0, 0, 1]),  # -512 three times: s > 1
    ("smallest3_48", 1 << 47 | 2 << 45, [0, 0, 1, 0]),  # the unused bit is ignored
    ("smallest3_64", 3 << 62 | 1 << 60, [0, 1, 0, 0]),
    ("smallest3:4", 2 << 12, [0, 0, 1, 0]),
    ("mirage:4", 2 << 12, [0, 1, 0, 0]),
]
