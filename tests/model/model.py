#!/usr/bin/python3
"""An independent model of the formats of docs/codec.md, and the maker of tests/codec/goldens.txt.

Written from that page alone. All arithmetic is in doubles, and f32() stands for each float32 step.
Needs numpy, and xxhash for the golden hashes."""
import argparse
import pathlib
import re
import sys
from collections import namedtuple

import numpy as np

import sweep

# ---- arithmetic ----


def f32(x):
    """The float32 nearest to x, as a double. Around one +, -, *, / or sqrt of float32 values this is the correctly
    rounded float32 operation: a double has 53 >= 2 * 24 + 2 bits, so rounding twice changes nothing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(x, np.float64).astype(np.float32).astype(np.float64)


def rha(t):
    """The nearest integer, halves away from zero. t has 24 bits, so the sum is exact wherever it matters."""
    return np.copysign(np.floor(np.abs(t) + 0.5), t)


def normsquare(x, y, z, w):
    return f32(f32(f32(x * x) + f32(y * y)) + f32(f32(z * z) + f32(w * w)))


def is_valid(n2):
    return (n2 >= 2.0**-64) & (n2 <= 2.0**64)


def one_over_sqrt(n2):
    return f32(1 / f32(np.sqrt(n2)))


def components(quats):
    """float32[n, 4] to double[4, n]."""
    with np.errstate(invalid="ignore"):  # signalling NaN
        return quats.T.astype(np.float64)


def replace_invalid(q):
    """q is double[4, n]. Returns it and n2, the invalid ones being the identity."""
    with np.errstate(invalid="ignore"):
        n2 = normsquare(*q)
    bad = ~is_valid(n2)
    q = np.where(bad, [[0.0], [0.0], [0.0], [1.0]], q)
    return q, np.where(bad, 1.0, n2)


# ---- words: a layout is a list of (value, bits) or of bit counts, from the high end down ----


def join(*fields):
    word = np.uint64(0)
    for value, bits in fields:
        value = np.asarray(value).astype(np.int64).view(np.uint64)
        word = (word << np.uint64(bits)) | (value & np.uint64(2**bits - 1))
    return word


def split(word, *bits):
    shift = sum(bits)
    for b in bits:
        shift -= b
        yield ((word >> np.uint64(shift)) & np.uint64(2**b - 1)).astype(np.int64)


def signed(field, bits):
    return np.where(field >= 2 ** (bits - 1), field - 2**bits, field).astype(np.float64)


def words_to_bytes(words, width):
    """A bit-packed array. Whole words are one whose width is a multiple of 8."""
    rows = words.astype("<u8").view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, :width]
    return np.packbits(bits, bitorder="little").tobytes()


def bytes_to_words(data, width, n):
    bits = np.unpackbits(np.frombuffer(data, np.uint8), count=n * width, bitorder="little")
    rows = np.zeros((n, 64), np.uint8)
    rows[:, :width] = bits.reshape(n, width)
    return np.packbits(rows, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64)


# ---- the largest component and the others ----

OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


def split_largest(q):
    """L, q[L], and the other three in ascending order."""
    largest = np.argmax(np.abs(q), axis=0)  # the first one on ties
    each = np.arange(q.shape[1])
    return largest, q[largest, each], q[OTHERS[largest].T, each]


def join_largest(largest, value, others, order=OTHERS):
    q = np.empty((4, len(largest)))
    each = np.arange(len(largest))
    q[largest, each] = value
    q[order[largest].T, each] = others
    return q


# ---- what several formats derive when unpacking ----


def derive_largest(largest, v, negative=False, order=OTHERS):
    a, b, c = f32(v * v)
    s = f32(f32(a + b) + c)
    value = f32(np.sqrt(f32(1 - np.minimum(s, 1))))
    q = join_largest(largest, np.where(negative, -value, value), v, order)
    return np.where(s > 1, [[0.0], [0.0], [0.0], [1.0]], q)


def derive_w(x, y, z):
    s = f32(f32(f32(x * x) + f32(y * y)) + f32(z * z))
    long = s > 1
    scale = np.where(long, one_over_sqrt(np.maximum(s, 1)), 1.0)
    w = f32(np.sqrt(f32(1 - np.minimum(s, 1))))
    return np.stack([f32(x * scale), f32(y * scale), f32(z * scale), np.where(long, 0.0, w)])


def four_components(q):
    q, n2 = replace_invalid(q)
    return f32(q * one_over_sqrt(n2))


# ---- all formats: each is added behind its functions ----

# width: bits per element. pack(q, n2) makes words of valid quaternions, unpack(words) makes double[4, n]. bound: of the angle
# between a rotation and its round trip, in radians, from above, within four times: twice the largest error of the quaternion,
# plus a little for what is not linear in it. keeps_sign: q and -q are packed to different words.
Format = namedtuple("Format", "width pack unpack bound keeps_sign")
FORMATS = {}


def add(name, width, pack, unpack, bound, keeps_sign=False):
    assert name not in FORMATS, name
    FORMATS[name] = Format(width, pack, unpack, bound, keeps_sign)


def four_bound(error):
    """Of four components that err by as much each."""
    return 2 * np.sqrt(4) * error


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


# w near 0: half a step in x, y, z moves 1 - s by half * 2 * sqrt(3)
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


# half a step: 1/254 in x, y, z and 1/127 in w
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


# a step, and half a step, on a cube at distance 1
add("cube32", 32, pack_cube32, unpack_cube32_around(512), 2 * np.sqrt(3) * 2 / 1023 * 1.01)
add("cube32c", 32, pack_cube32, unpack_cube32_around(511.5), 2 * np.sqrt(3) * 1 / 1023 * 1.01)


# ---- smallest3, mirage ----


def smallest3_constants(bits):
    m = 2.0 ** (bits - 1) - 1
    big_m = f32(1 / f32(1.414214))
    return m, f32(m / big_m), f32(big_m / m)  # m, E, D


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
    """Three components err by half a step. At (1, 1, 1, 1) / 2 the derived one errs by three halves."""
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


# ---- formats of others ----

ROOT2 = float.fromhex("0x1.6a09e6p+0")  # S
HALF_ROOT2 = ROOT2 / 2  # H
MIRROR_ROOT2, MIRROR_HALF = f32(1.414214), f32(0.707107)
FOLLOWING = (np.arange(4)[:, np.newaxis] + [1, 2, 3]) % 4  # the order of meshopt


def unit(q, n2, sign):
    """q times r, which is negated where sign is negative."""
    r = one_over_sqrt(n2)
    return f32(q * np.where(sign < 0, -r, r))


def fits(codes, top):
    assert np.all((codes >= 0) & (codes <= top))
    return codes


def pack_snorm16x4(q, n2):
    x, y, z, w = rha(f32(q * f32(32767 / f32(np.sqrt(n2)))))
    return join((w, 16), (z, 16), (y, 16), (x, 16))


def unpack_snorm16x4(word):
    w, z, y, x = (from_snorm16(c) for c in split(word, 16, 16, 16, 16))
    return four_components(np.stack([x, y, z, w]))


add("snorm16x4", 64, pack_snorm16x4, unpack_snorm16x4, four_bound(0.5 / 32767) * 1.01, keeps_sign=True)


def pack_meshopt(bits):
    m = 2 ** (bits - 1) - 1

    def pack(q, n2):
        largest, value, _ = split_largest(q)
        k = f32(f32(m * ROOT2) / f32(np.sqrt(n2)))
        following = q[FOLLOWING[largest].T, np.arange(len(largest))]
        d0, d1, d2 = fits(rha(f32(following * np.where(value < 0, -k, k))) + m, 2 * m) - m
        return join((m & ~3 | largest, 16), (d2, 16), (d1, 16), (d0, 16))

    return pack


def unpack_meshopt(word):
    d3, d2, d1, d0 = (signed(c, 16) for c in split(word, 16, 16, 16, 16))
    d3 = d3.astype(np.int64)
    u = f32(HALF_ROOT2 / (d3 | 3))
    return derive_largest(d3 & 3, f32(np.stack([d0, d1, d2]) * u), order=FOLLOWING)


for B in range(4, 17):
    add(f"meshopt:{B}", 64, pack_meshopt(B), unpack_meshopt, smallest3_bound(smallest3_constants(B)[2] / 2) + 2e-6)


def pack_ozz48(q, n2):
    largest, value, others = split_largest(q)
    v = f32(others * one_over_sqrt(n2))
    t = f32(f32(f32(v + HALF_ROOT2) * f32(32767 / ROOT2)) + 0.5)
    a, b, c = fits(np.trunc(t), 32767)
    return join((c, 15), (b, 15), (a, 15), (value < 0, 1), (largest, 2))


def unpack_ozz48(word):
    c, b, a, negative, largest = split(word, 15, 15, 15, 1, 2)
    v = f32(f32(np.stack([a, b, c]) * f32(ROOT2 / 32767)) - HALF_ROOT2)
    return derive_largest(largest, v, negative == 1)


add("ozz48", 48, pack_ozz48, unpack_ozz48, smallest3_bound(ROOT2 / 65534), keeps_sign=True)


UNREAL48 = (32767, 16), (32767, 16), (32767, 16)  # scale and bits of x, y, z
UNREAL32 = (1023, 11), (1023, 11), (511, 10)


def pack_unreal(axes):
    def pack(q, n2):
        v = unit(q[:3], n2, q[3])
        fields = [(fits(np.trunc(f32(c * m)) + m, 2 * m), bits) for c, (m, bits) in zip(v, axes)]
        return join(*(fields[::-1] if axes is UNREAL48 else fields))

    return pack


def unpack_unreal(axes):
    def unpack(word):
        codes = list(split(word, *(bits for _, bits in axes)))
        if axes is UNREAL48:
            codes.reverse()
        return derive_w(*(f32((c - m) * f32(1 / m)) for c, (m, _) in zip(codes, axes)))

    return unpack


# w near 0, as of snorm16x3: a step moves 1 - s
add("unreal48", 48, pack_unreal(UNREAL48), unpack_unreal(UNREAL48), 2 * np.sqrt(2 * np.sqrt(3) / 32767) * 1.01)
add("unreal32", 32, pack_unreal(UNREAL32), unpack_unreal(UNREAL32), 2 * np.sqrt(2 * np.sqrt(6) / 1023) * 1.01)


def pack_spz32(q, n2):
    largest, value, others = split_largest(q)
    k = f32(f32(511 * ROOT2) / f32(np.sqrt(n2)))
    magnitude = fits(np.trunc(f32(f32(np.abs(others) * k) + 0.5)), 511)
    a, b, c = magnitude + 512 * ((others < 0) != (value < 0))
    return join((largest, 2), (a, 10), (b, 10), (c, 10))


def unpack_spz32(word):
    largest, *codes = split(word, 2, 10, 10, 10)
    codes = np.stack(codes)
    v = f32((codes & 511) * f32(HALF_ROOT2 / 511))
    return derive_largest(largest, np.where(codes > 511, -v, v))


add("spz32", 32, pack_spz32, unpack_spz32, smallest3_bound(ROOT2 / (2 * 1022)))


def pack_spz24(q, n2):
    x, y, z = fits(rha(f32(f32(unit(q[:3], n2, q[3]) * 127.5) + 127.5)), 255)
    return join((z, 8), (y, 8), (x, 8))


def unpack_spz24(word):
    z, y, x = (f32(f32(c * f32(1 / 127.5)) - 1) for c in split(word, 8, 8, 8))
    return derive_w(x, y, z)


add("spz24", 24, pack_spz24, unpack_spz24, 2 * np.sqrt(np.sqrt(3) / 127.5) * 1.01)  # w near 0: half a step


def pack_mirror32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(unit(others, n2, value) + MIRROR_HALF) * f32(1023 / MIRROR_ROOT2))
    a, b, c = fits(np.trunc(t), 1023)
    return join((largest, 2), (a, 10), (b, 10), (c, 10))


def unpack_mirror32(word):
    largest, *codes = split(word, 2, 10, 10, 10)
    return derive_largest(largest, f32(f32(np.stack(codes) * f32(MIRROR_ROOT2 / 1023)) - MIRROR_HALF))


add("mirror32", 32, pack_mirror32, unpack_mirror32, smallest3_bound(ROOT2 / 1023))  # a step


def pack_jolt32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(f32(unit(others, n2, value) + HALF_ROOT2) * f32(510 / ROOT2)) + 0.5)
    a, b, c = fits(np.trunc(t), 510)
    return join((value < 0, 1), (largest, 2), (0, 2), (c, 9), (b, 9), (a, 9))


def unpack_jolt32(word):
    negative, largest, _, c, b, a = split(word, 1, 2, 2, 9, 9, 9)
    v = f32((np.stack([a, b, c]) - 255) * f32(ROOT2 / 510))
    return derive_largest(largest, np.where(negative == 1, -v, v), negative == 1)


add("jolt32", 32, pack_jolt32, unpack_jolt32, smallest3_bound(ROOT2 / 1020), keeps_sign=True)


def pack_splat32(q, n2):
    t = f32(f32(f32(q * one_over_sqrt(n2)) * 128) + 128)
    x, y, z, w = fits(np.rint(np.minimum(t, 255)), 255)
    return join((z, 8), (y, 8), (x, 8), (w, 8))


def unpack_splat32(word):
    z, y, x, w = split(word, 8, 8, 8, 8)
    return four_components(f32((np.stack([x, y, z, w]) - 128) * f32(1 / 128)))


add("splat32", 32, pack_splat32, unpack_splat32, four_bound(0.5 / 128) * 1.05, keeps_sign=True)


# ---- the formats in the order of the library ----

FORMATS_DEF = (pathlib.Path(__file__).parents[2] / "src" / "codec" / "formats.def").read_text(encoding="ascii")
# name, storage, bits, exact
LIBRARY = re.findall(r'^(?:FORMAT|VARIANT)\(.*?"(.*?)", (\w+), [12], (\d+), ([01]),', FORMATS_DEF, re.MULTILINE)
if sorted(FORMATS) != sorted(row[0] for row in LIBRARY):
    sys.exit("formats that are not both here and in formats.def: " + " ".join(FORMATS.keys() ^ {row[0] for row in LIBRARY}))
FORMATS = {row[0]: FORMATS[row[0]] for row in LIBRARY}


def packed_size(name, n):
    return (n * FORMATS[name].width + 7) // 8


def pack(name, quats):
    """float32[n, 4] to bytes."""
    quats = np.ascontiguousarray(quats, np.float32)
    if name == "float4":
        return float4(quats).astype("<f4").tobytes()
    q, n2 = replace_invalid(components(quats))
    return words_to_bytes(FORMATS[name].pack(q, n2), FORMATS[name].width)


def unpack(name, data, n):
    """bytes to float32[n, 4]."""
    assert len(data) >= packed_size(name, n)
    if name == "float4":
        return float4(np.frombuffer(data, "<f4", 4 * n).astype(np.float32).reshape(n, 4))
    q = FORMATS[name].unpack(bytes_to_words(data, FORMATS[name].width, n))
    return np.ascontiguousarray(q.T.astype(np.float32))


# ---- golden hashes ----

GOLDEN_HEAD = """\
# Made by tests/model/model.py --write. XXH64, seed 0, of three results per format: the quaternions of tests/support/sweep.h
# packed; those unpacked again, as little-endian floats; and the random words of tests/support/sweep.h unpacked.
"""


def golden_hashes():
    """Name to three hashes in hexadecimal."""
    import xxhash

    quats = sweep.quaternions()
    n = len(quats)
    hashes = {}
    for name in FORMATS:
        packed = pack(name, quats)
        words = sweep.words(packed_size(name, n))
        results = packed, unpack(name, packed, n).astype("<f4"), unpack(name, words, n).astype("<f4")
        hashes[name] = [xxhash.xxh64_hexdigest(r) for r in results]
    return hashes


def write_goldens(path):
    with open(path, "w", encoding="ascii", newline="\n") as f:
        f.write(GOLDEN_HEAD)
        for name, hashes in golden_hashes().items():
            f.write(f"{name:<12} {' '.join(hashes)}\n")


def check_goldens(path):
    with open(path, encoding="ascii") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    got, expected = golden_hashes(), {row[0]: row[1:] for row in rows}
    bad = 0
    if list(got) != [row[0] for row in rows]:
        bad += 1
        print("the formats of the file are not those of the model, or not in their order")
    for name in got.keys() & expected.keys():
        if len(expected[name]) != 3:
            bad += 1
            print(f"{name}: not three hashes")
        for what, a, b in zip(("packed", "unpacked", "random words unpacked"), got[name], expected[name]):
            if a != b:
                bad += 1
                print(f"{name}: {what}: {a}, the file has {b}")
    print(f"{len(got)} formats, {bad} differences")
    return bad == 0


# ---- self-test ----

IDENTITY = np.array([0, 0, 0, 1], np.float32)
HALF = [0.5, 0.5, 0.5, -0.5]
TINY = 2.0**-140  # denormal

# format, quaternion, packed bytes as a number; worked out by hand
KNOWN_WORDS = [
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
    ("snorm16x4", [0, -0.0, -TINY, 1], 0x7FFF000000000000),
    ("snorm16x4", HALF, 0xC000400040004000),  # 16383.5
    ("ozz48", [0, 0, 0, 1], 16383 << 33 | 16383 << 18 | 16383 << 3 | 3),  # H * 23169.768 in float is below 16383.5
    ("ozz48", HALF, 4799 << 33 | 27968 << 18 | 27968 << 3),  # 0.5 * 23169.77 + 16383.5 = 27968.4; 4798.6
    ("ozz48", [0, 0, -1, 1], 32767 << 33 | 16383 << 18 | 16383 << 3 | 4 | 2),
    ("unreal48", [0, 0, 0, 1], 0x7FFF7FFF7FFF),
    ("unreal48", HALF, 0x400040004000),  # -16383.5, toward zero
    ("unreal48", [3, 0, 0, -0.0], 0x7FFF7FFFFFFE),  # -0 is not negative
    ("unreal48", [3, 0, 0, -TINY], 0x7FFF7FFF0000),
    ("unreal32", [0, 0, 0, -1], 1023 << 21 | 1023 << 10 | 511),
    ("unreal32", HALF, 512 << 21 | 512 << 10 | 256),
    ("spz32", [-0.0, -TINY, 0, 1], 3 << 30 | 512 << 10),
    ("spz32", [-0.0, -TINY, 0, -1], 3 << 30 | 512 << 20 | 512),
    ("spz32", HALF, 361 << 20 | 361 << 10 | 512 + 361),
    ("spz32", [0, 0, -1, 1], 2 << 30 | 512 << 20 | 512 << 10 | 512 + 511),
    ("spz24", [0, 0, 0, 1], 0x808080),  # 127.5
    ("spz24", HALF, 0x404040),  # 63.75
    ("spz24", [3, 0, 0, -TINY], 0x808000),
    ("mirror32", [0, 0, 0, -1], 3 << 30 | 511 << 20 | 511 << 10 | 511),  # 511.5
    ("mirror32", HALF, 873 << 20 | 873 << 10 | 149),  # 361.7 + 511.5 = 873.2; 149.8
    ("mirror32", [0, 0, 1, 1], 2 << 30 | 511 << 20 | 511 << 10 | 1022),  # 1022.9998
    ("jolt32", [0, 0, 0, -1], 1 << 31 | 3 << 29 | 255 << 18 | 255 << 9 | 255),
    ("jolt32", HALF, 75 << 18 | 435 << 9 | 435),  # 180.3 + 255 + 0.5 = 435.8; 75.2
    ("splat32", [0, 0, 0, 1], 0x808080FF),  # 256, cut off
    ("splat32", [0, 0, 0, -1], 0x80808000),
    ("splat32", HALF, 0xC0C0C040),
    ("meshopt:4", [0, 0, 0, -1], 7 << 48),
    ("meshopt:8", HALF, 124 << 48 | 0xFFA6 << 32 | 90 << 16 | 90),  # L = 0; 0.5 * 127 * 1.41421 = 89.8
    ("meshopt:8", [0, -1, 0, 1], 125 << 48 | 0xFF81 << 16),  # L = 1, negated; z, w, x
    ("meshopt:16", [0, 0, 7, 0], 0x7FFE << 48),
]

# format, word, quaternion
KNOWN_QUATERNIONS = [
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
    ("snorm16x4", 0, [0, 0, 0, 1]),
    ("snorm16x4", 0x8000, [-1, 0, 0, 0]),
    ("ozz48", 4, [0, 0, 0, 1]),  # s > 1, in spite of the sign
    ("unreal48", 0x7FFF7FFF7FFF, [0, 0, 0, 1]),
    ("unreal32", 1023 << 21 | 1023 << 10 | 511, [0, 0, 0, 1]),
    ("unreal32", 1023 << 21 | 1023 << 10 | 1023, [0, 0, 1, 0]),  # 512 / 511: s > 1
    ("spz32", 1 << 30 | 512 << 10, [0, 1, -0.0, 0]),
    ("spz32", 2**30 - 1, [0, 0, 0, 1]),  # s > 1
    ("jolt32", 3 << 29 | 3 << 27 | 255 << 18 | 255 << 9 | 255, [0, 0, 0, 1]),  # unused bits are ignored
    ("jolt32", 1 << 31 | 255 << 18 | 255 << 9 | 255, [-1, -0.0, -0.0, -0.0]),
    ("jolt32", 1 << 31, [0, 0, 0, 1]),  # s > 1
    ("mirror32", 0, [0, 0, 0, 1]),
    ("splat32", 0x80808080, [0, 0, 0, 1]),
    ("splat32", 0x80800080, [-1, 0, 0, 0]),
    ("meshopt:4", 0, [1, 0, 0, 0]),
    ("meshopt:4", 0x8000, [0, 0, 0, 1]),  # s > 1
    ("meshopt:16", 0xFFFE << 48, [-0.0, -0.0, 1, -0.0]),  # the divisor is -1
]

INVALID = np.array(
    [
        [np.nan, 0, 0, 1],
        [0, np.inf, 0, 1],
        [0, 0, -np.inf, 1],
        [0, 0, 0, 0],
        [0, 0, 0, TINY],
        [2.0**-33, 0, 0, 0],
        [2.0**33, 0, 0, 0],
        [3e38, 3e38, 3e38, 3e38],
    ],
    np.float32,
)


def rows(*quats):
    return np.array(quats, np.float32).reshape(-1, 4)


def same_bits(a, b):
    return np.array_equal(np.asarray(a, np.float32).view(np.uint32), np.asarray(b, np.float32).view(np.uint32))


def angles(a, b):
    """Between rotations, from the chord, which keeps small angles."""
    a, b = (q.astype(np.float64) / np.linalg.norm(q.astype(np.float64), axis=1, keepdims=True) for q in (a, b))
    chord = np.minimum(np.linalg.norm(a - b, axis=1), np.linalg.norm(a + b, axis=1))
    return 4 * np.arcsin(np.minimum(chord / 2, 1))


def test_halves():
    every = np.arange(65536)
    wide = every.astype(np.uint16).view(np.float16).astype(np.float64)
    assert np.array_equal(from_half(every), wide, equal_nan=True)
    assert np.array_equal(np.signbit(from_half(every))[~np.isnan(wide)], np.signbit(wide)[~np.isnan(wide)])

    # Floats from 2^-30 to 65519 and every tie between halves, with both neighbours of the tie.
    random = sweep.splitmix64(1, 400000)
    exponent = (random >> np.uint64(40)).astype(int) % 46 - 30
    f = np.ldexp(1 + (random & np.uint64(0x7FFFFF)).astype(np.float64) * 2.0**-23, exponent)
    finite = np.arange(0x7BFF)
    ties = ((from_half(finite) + from_half(finite + 1)) / 2).astype(np.float32)
    below, above = np.nextafter(ties, np.float32(0)), np.nextafter(ties, np.float32(1e9))
    f = np.concatenate([f[f < 65520], [0, TINY], ties, below, above])
    f = np.concatenate([f, -f]).astype(np.float32)
    assert np.array_equal(to_half(f.astype(np.float64)), f.astype(np.float16).view(np.uint16))


def test_rounding():
    t = np.array([0.5, 1.5, 2.5, -0.5, -2.5, 0.49999997, -0.49999997, 32766.5])
    assert list(rha(t)) == [1, 2, 3, -1, -3, 0, 0, 32767]
    assert list(np.rint(t)) == [0, 2, 2, 0, -2, 0, 0, 32766]


def test_known():
    for name, quat, word in KNOWN_WORDS:
        got = int.from_bytes(pack(name, rows(quat)), "little")
        assert got == word, f"{name} {quat}: {got:#x}, not {word:#x}"
        if name == "cube32":
            assert pack("cube32c", rows(quat)) == pack("cube32", rows(quat))
    for name, word, quat in KNOWN_QUATERNIONS:
        got = unpack(name, word.to_bytes(packed_size(name, 1), "little"), 1)
        assert same_bits(got, rows(quat)), f"{name} {word:#x}: {got}"
    # s = 1 exactly is not s > 1
    word = join((1, 2), (-15776, 15), (-11899, 15), (12097, 15))
    x, y, z, w = unpack("smallest3:15", int(word).to_bytes(6, "little"), 1)[0]
    assert y == 0 and x < z < 0 < w
    # 14 bits twice: 0x3000 | 0x3000 << 14
    assert pack("smallest3:4", rows(IDENTITY, IDENTITY)) == bytes([0x00, 0x30, 0x00, 0x0C])
    # float4 copies what is of length 1, signs of zeros and denormal numbers included, and else keeps neither
    assert same_bits(float4(rows([-0.0, TINY, 0, 1])), rows([-0.0, TINY, 0, 1]))
    assert same_bits(float4(rows([-0.0, TINY, 0, 2])), rows([0, 0, 0, 1]))


def test_lattices():
    e1, e2 = np.divmod(np.arange(203.0**2), 203)
    for e0 in np.arange(-101.0, 102.0):
        m = (e0 * 203 + (e1 - 101)) * 203 + (e2 - 101)
        assert np.array_equal(digits203(m), [np.full(m.shape, e0), e1 - 101, e2 - 101])

    # The rotations of the cube, quarter and half turns among them: the same up to sign, within a unit in the last place
    grid = np.stack(np.meshgrid(*[[-1, 0, 1]] * 4), axis=-1).reshape(-1, 4)
    used = np.count_nonzero(grid, axis=1)
    cube = grid[(used > 0) & (used != 3)] / np.sqrt(used[(used > 0) & (used != 3), np.newaxis])
    cube = cube.astype(np.float32)
    assert len(cube) == 48
    uniform = np.random.default_rng(1).standard_normal((65536, 4))
    uniform = (uniform / np.linalg.norm(uniform, axis=1, keepdims=True)).astype(np.float32)
    for bits, (h, a, big_c, _) in LATTICES.items():
        name = f"lattice{bits}"
        assert f32(h * f32(a + h * h)) == big_c  # u = 1 is exact
        back = unpack(name, pack(name, cube), len(cube))
        back *= np.sign(np.sum(back * cube, axis=1, keepdims=True))
        assert np.all(np.abs(back - cube) <= np.spacing(np.abs(cube)) * (cube != 0)), name

        # The warp as it is defined, in doubles: of random words, and of what encoders write
        for data in sweep.words(65536 * bits // 8), pack(name, uniform):
            words = bytes_to_words(bytes(data), bits, 65536)
            largest, s, i = split_lattice(bits, words)
            u = (2 * i + s) / (2 * h)
            exact = join_largest(largest, 1.0, u * (1 - 0.269 + 0.269 * u * u)).T
            back = unpack(name, data, 65536)
            assert np.max(angles(exact, back)) < 4e-7, name
        assert np.max(np.abs(u)) <= 1 + 1 / (2 * h), name  # one beyond, at most
        assert np.max(angles(uniform, back)) <= FORMATS[name].bound, name


def test_sweep():
    assert int(sweep.splitmix64(0, 1)[0]) == 0xE220A8397B1DCDAF  # the published generator's first output
    quats = sweep.quaternions()
    valid = is_valid(normsquare(*components(quats)))
    assert 0 < np.count_nonzero(~valid) < len(quats) // 10
    tiny = (quats != 0) & (np.abs(quats) < 2.0**-126)
    assert np.count_nonzero(tiny) > 1000 and set(np.abs(quats[tiny])) == {np.float32(TINY), np.float32(2.0**-126 - 2.0**-149)}


def test_formats_def():
    """Names and widths are those of the library."""
    for name, storage, bits, exact in LIBRARY:
        assert int(bits) == FORMATS[name].width
        assert storage == "PACKED" or int(bits) == int(storage[1:])
        got = unpack(name, pack(name, rows(IDENTITY)), 1)
        assert same_bits(got[0], IDENTITY) == (exact == "1"), f"{name}: the identity becomes {got}"
        same = pack(name, rows(HALF)) == pack(name, -rows(HALF))
        assert same != FORMATS[name].keeps_sign, f"{name}: the sign is {'not ' if same else ''}kept"
        for quat in INVALID:
            assert pack(name, rows(quat)) == pack(name, rows(IDENTITY)), f"{name} {quat}"
        for size in 2.0**-32, 2.0**32:  # the ends of the valid lengths, and powers of 2 change nothing
            if name != "float4":
                assert pack(name, size * rows(HALF)) == pack(name, rows(HALF)), name


def test_units_and_errors(verbose):
    quats = sweep.quaternions()
    valid = is_valid(normsquare(*components(quats)))
    for name in FORMATS:
        packed = pack(name, quats)
        assert len(packed) == packed_size(name, len(quats))
        back = unpack(name, packed, len(quats))
        noise = unpack(name, sweep.words(len(packed)), len(quats))
        norms = np.linalg.norm(np.concatenate([back, noise]).astype(np.float64), axis=1)
        worst_norm = np.max(np.abs(norms - 1))  # NaN fails below, too
        assert worst_norm <= 4e-7, f"{name}: length off by {worst_norm}"
        angle = np.max(angles(quats[valid], back[valid]))
        bound = FORMATS[name].bound
        assert angle <= bound and (name == "float4" or angle >= bound / 4), f"{name}: {angle}, bound {bound}"
        if verbose:
            print(f"{name:<12}  length within {worst_norm:.1e}   error {angle:.2e}, bound {bound:.2e}")


def self_test(verbose):
    test_halves()
    test_rounding()
    test_known()
    test_lattices()
    test_sweep()
    test_formats_def()
    test_units_and_errors(verbose)
    print("self-test passed")


# ---- the float32 steps against a plain double encoder ----

ULP = 2.0**-24  # half a unit in the last place, relative


def share(count):
    """Words that a plain double encoder rounds otherwise than the float32 steps do. Those are neighbouring cells, and
    the exact value is within the rounding errors of the steps of the boundary, or this fails."""
    q = np.random.default_rng(1).standard_normal((4, count))
    q = (q / np.sqrt(np.sum(q * q, axis=0))).astype(np.float32).astype(np.float64)
    n2 = normsquare(*q)
    _, value, others = split_largest(q)
    unit = others / np.sqrt(np.sum(q * q, axis=0)) * np.where(value < 0, -1, 1)

    def compare(name, exact, codes, bound):
        """exact: scaled such that its nearest integer is the code."""
        differ = np.rint(exact) != codes
        step = np.abs(np.rint(exact) - codes)[differ]
        near = (np.abs(np.abs(exact - np.floor(exact) - 0.5)) / bound)[differ]
        assert np.all(step == 1), name
        assert np.all(near <= 1), name
        words = np.count_nonzero(np.any(differ, axis=0))
        print(f"{name:<12} {words / count * 10000:9.3f} {np.max(near, initial=0):9.2f}")

    print("Words per 10,000 that a double encoder rounds otherwise, and how near the exact value then is")
    print("to the boundary, 1 being all the rounding errors of the float32 steps added up.")
    # 1/q[L], the product and the sum, times 511.5: 3 * 511.5; the product below 1024 and its sum with 0.5: 512 each
    _, *codes = split(pack_cube32(q, n2), 2, 10, 10, 10)
    compare("cube32", (others / value + 1) * 511.5, np.stack(codes), 2560 * ULP)
    for bits in range(4, 21):
        # 1.414214f, M, E; n2 1.5; sqrt, k, the product
        exact = unit * (2.0 ** (bits - 1) - 1) * 1.414214
        _, *codes = split(pack_smallest3(bits, 0)(q, n2), 2, bits, bits, bits)
        codes = np.stack([signed(c, bits) for c in codes])
        compare(f"smallest3:{bits}", exact, codes, 7.5 * ULP * np.abs(exact))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", metavar="FILE", help="write the golden hashes")
    what.add_argument("--check", metavar="FILE", help="make the hashes again and compare; status 1 if any differs")
    what.add_argument("--self-test", action="store_true", help="known answers and properties of the model itself")
    what.add_argument("--share", action="store_true", help="how often a double encoder gives another word")
    parser.add_argument("--verbose", action="store_true", help="with --self-test: a line for each format")
    args = parser.parse_args()
    if args.write:
        write_goldens(args.write)
    elif args.check:
        return 0 if check_goldens(args.check) else 1
    elif args.self_test:
        self_test(args.verbose)
    else:
        share(1000000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
