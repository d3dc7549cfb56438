"""The formats of docs/codec.md, written from that page alone."""
from collections import namedtuple

import numpy as np

from arithmetic import (
    bytes_to_words, components, derive_largest, derive_w, f32, four_components, join, join_largest, normsquare,
    one_over_sqrt, replace_invalid, rha, signed, split, split_largest, words_to_bytes,
)

# ---- float4 ----


def float4(quats):
    """Both directions, float32[n, 4] to the same. Doubles and back keep denormal numbers and the sign of zero."""
    q, n2 = replace_invalid(components(quats))
    v = f32(q * one_over_sqrt(n2))
    v = np.where(np.abs(v) >= 2.0**-60, v, 0.0)
    copy = (n2 >= 1 - 2.0**-21) & (n2 <= 1 + 2.0**-21)
    return np.where(copy, q, v).T.astype(np.float32)


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


def pack_spz24(q, n2):
    x, y, z = fits(rha(f32(f32(unit(q[:3], n2, q[3]) * 127.5) + 127.5)), 255)
    return join((z, 8), (y, 8), (x, 8))


def unpack_spz24(word):
    z, y, x = (f32(f32(c * f32(1 / 127.5)) - 1) for c in split(word, 8, 8, 8))
    return derive_w(x, y, z)


def pack_mirror32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(unit(others, n2, value) + MIRROR_HALF) * f32(1023 / MIRROR_ROOT2))
    a, b, c = fits(np.trunc(t), 1023)
    return join((largest, 2), (a, 10), (b, 10), (c, 10))


def unpack_mirror32(word):
    largest, *codes = split(word, 2, 10, 10, 10)
    return derive_largest(largest, f32(f32(np.stack(codes) * f32(MIRROR_ROOT2 / 1023)) - MIRROR_HALF))


def pack_jolt32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(f32(unit(others, n2, value) + HALF_ROOT2) * f32(510 / ROOT2)) + 0.5)
    a, b, c = fits(np.trunc(t), 510)
    return join((value < 0, 1), (largest, 2), (0, 2), (c, 9), (b, 9), (a, 9))


def unpack_jolt32(word):
    negative, largest, _, c, b, a = split(word, 1, 2, 2, 9, 9, 9)
    v = f32((np.stack([a, b, c]) - 255) * f32(ROOT2 / 510))
    return derive_largest(largest, np.where(negative == 1, -v, v), negative == 1)


def pack_splat32(q, n2):
    t = f32(f32(f32(q * one_over_sqrt(n2)) * 128) + 128)
    x, y, z, w = fits(np.rint(np.minimum(t, 255)), 255)
    return join((z, 8), (y, 8), (x, 8), (w, 8))


def unpack_splat32(word):
    z, y, x, w = split(word, 8, 8, 8, 8)
    return four_components(f32((np.stack([x, y, z, w]) - 128) * f32(1 / 128)))


# ---- all formats, in the order of the library ----

# width: bits per element. pack(q, n2) makes words of valid quaternions, unpack(words) makes double[4, n].
Format = namedtuple("Format", "width pack unpack")

FORMATS = {
    **{f"lattice{bits}": Format(bits, pack_lattice(bits), unpack_lattice(bits)) for bits in LATTICES},
    "float4": Format(128, None, None),
    "half4": Format(64, pack_half4, unpack_half4),
    "snorm16x3": Format(48, pack_snorm16x3, unpack_snorm16x3),
    "vertex32": Format(32, pack_vertex32, unpack_vertex32),
    "cube32": Format(32, pack_cube32, unpack_cube32_around(512)),
    "cube32c": Format(32, pack_cube32, unpack_cube32_around(511.5)),
    "smallest3_32": Format(32, pack_smallest3(10, 0), unpack_smallest3(10, 0)),
    "smallest3_48": Format(48, pack_smallest3(15, 0), unpack_smallest3(15, 0)),
    "smallest3_64": Format(64, pack_smallest3(20, 0), unpack_smallest3(20, 0)),
    "snorm16x4": Format(64, pack_snorm16x4, unpack_snorm16x4),
    "ozz48": Format(48, pack_ozz48, unpack_ozz48),
    "unreal48": Format(48, pack_unreal(UNREAL48), unpack_unreal(UNREAL48)),
    "unreal32": Format(32, pack_unreal(UNREAL32), unpack_unreal(UNREAL32)),
    "spz32": Format(32, pack_spz32, unpack_spz32),
    "spz24": Format(24, pack_spz24, unpack_spz24),
    "mirror32": Format(32, pack_mirror32, unpack_mirror32),
    "jolt32": Format(32, pack_jolt32, unpack_jolt32),
    "splat32": Format(32, pack_splat32, unpack_splat32),
}
for family, flip in ("smallest3", 0), ("mirage", 3):
    for B in range(4, 21):
        FORMATS[f"{family}:{B}"] = Format(2 + 3 * B, pack_smallest3(B, flip), unpack_smallest3(B, flip))
for B in range(4, 17):
    FORMATS[f"meshopt:{B}"] = Format(64, pack_meshopt(B), unpack_meshopt)


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
