"""Formats of others, written from docs/codec.md alone."""
import numpy as np

from arithmetic import derive_largest, derive_w, f32, four_components, join, one_over_sqrt, rha, signed, split, split_largest
from formats import from_snorm16, smallest3_bound, smallest3_constants
from table import HALF, KNOWN_QUATERNIONS, KNOWN_WORDS, TINY, add, four_bound

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


# w near 0, as of snorm16x3: a quantum moves 1 - s
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


add("spz24", 24, pack_spz24, unpack_spz24, 2 * np.sqrt(np.sqrt(3) / 127.5) * 1.01)  # w near 0: half a quantum


def pack_mirror32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(unit(others, n2, value) + MIRROR_HALF) * f32(1023 / MIRROR_ROOT2))
    a, b, c = fits(np.trunc(t), 1023)
    return join((largest, 2), (a, 10), (b, 10), (c, 10))


def unpack_mirror32(word):
    largest, *codes = split(word, 2, 10, 10, 10)
    return derive_largest(largest, f32(f32(np.stack(codes) * f32(MIRROR_ROOT2 / 1023)) - MIRROR_HALF))


add("mirror32", 32, pack_mirror32, unpack_mirror32, smallest3_bound(ROOT2 / 1023))  # a quantum


def pack_jolt32(q, n2):
    largest, value, others = split_largest(q)
    t = f32(f32(f32(unit(others, n2, value) + HALF_ROOT2) * f32(510 / ROOT2)) + 0.5)
    a, b, c = fits(np.trunc(t), 510)
    return join((value < 0, 1), (largest, 2), (0, 2), (c, 9), (b, 9), (a, 9))


def unpack_jolt32(word):
    negative, largest, _, c, b, a = split(word, 1, 2, 2, 9, 9, 9)
    v = f32((np.stack([a, b, c]) - 255) * f32(ROOT2 / 510))
    return derive_largest(largest, np.where(negative == 1, -v, v), negative == 1) + 0.0  # -0 + 0 is 0


add("jolt32", 32, pack_jolt32, unpack_jolt32, smallest3_bound(ROOT2 / 1020), keeps_sign=True)


def pack_splat32(q, n2):
    t = f32(f32(f32(q * one_over_sqrt(n2)) * 128) + 128)
    x, y, z, w = fits(np.rint(np.minimum(t, 255)), 255)
    return join((z, 8), (y, 8), (x, 8), (w, 8))


def unpack_splat32(word):
    z, y, x, w = split(word, 8, 8, 8, 8)
    return four_components(f32((np.stack([x, y, z, w]) - 128) * f32(1 / 128)))


add("splat32", 32, pack_splat32, unpack_splat32, four_bound(0.5 / 128) * 1.05, keeps_sign=True)


# ---- worked out by hand ----

# format, quaternion, packed bytes as a number; worked out by hand
KNOWN_WORDS += [
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
KNOWN_QUATERNIONS += [
    ("snorm16x4", 0, [0, 0, 0, 1]),
    ("snorm16x4", 0x8000, [-1, 0, 0, 0]),
    ("ozz48", 4, [0, 0, 0, 1]),  # s > 1, in spite of the sign
    ("unreal48", 0x7FFF7FFF7FFF, [0, 0, 0, 1]),
    ("unreal32", 1023 << 21 | 1023 << 10 | 511, [0, 0, 0, 1]),
    ("unreal32", 1023 << 21 | 1023 << 10 | 1023, [0, 0, 1, 0]),  # 512 / 511: s > 1
    ("spz32", 1 << 30 | 512 << 10, [0, 1, -0.0, 0]),
    ("spz32", 2**30 - 1, [0, 0, 0, 1]),  # s > 1
    ("jolt32", 3 << 29 | 3 << 27 | 255 << 18 | 255 << 9 | 255, [0, 0, 0, 1]),  # unused bits are ignored
    ("jolt32", 1 << 31 | 255 << 18 | 255 << 9 | 255, [-1, 0, 0, 0]),
    ("jolt32", 1 << 31, [0, 0, 0, 1]),  # s > 1
    ("mirror32", 0, [0, 0, 0, 1]),
    ("splat32", 0x80808080, [0, 0, 0, 1]),
    ("splat32", 0x80800080, [-1, 0, 0, 0]),
    ("meshopt:4", 0, [1, 0, 0, 0]),
    ("meshopt:4", 0x8000, [0, 0, 0, 1]),  # s > 1
    ("meshopt:16", 0xFFFE << 48, [-0.0, -0.0, 1, -0.0]),  # the divisor is -1
]
