"""Known answers and properties of the model itself: model.py --self-test."""
import pathlib
import re

import numpy as np

import sweep
from arithmetic import bytes_to_words, components, f32, is_valid, join, join_largest, normsquare, rha
from formats import (
    FORMATS, LATTICES, ROOT2, digits203, float4, from_half, pack, packed_size, smallest3_constants, split_lattice,
    to_half, unpack,
)

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


def error_bound(name):
    """An upper bound of the angle between a rotation and its round trip, in radians: twice the largest error of the
    quaternion, plus a little for what is not linear in it."""
    if name.startswith("lattice"):  # 0.765 degrees at h = 63, and what float32 adds
        return np.deg2rad(0.765) * 63 / LATTICES[int(name[7:])][0] * 1.01 + 5e-7
    if name == "float4":
        return 1e-6
    if name == "half4":
        return 2 * 2.0**-11 * 1.01  # half a unit in the last place of 11 bits
    if name == "snorm16x3":  # w near 0: half a step in x, y, z moves 1 - s by half * 2 * sqrt(3)
        return 2 * np.sqrt(2 * np.sqrt(3) * 0.5 / 32767) * 1.01
    if name == "vertex32":  # half a step: 1/254 in x, y, z and 1/127 in w
        return 2 * np.sqrt(3 * (1 / 254) ** 2 + (1 / 127) ** 2) * 1.05
    if name in ("cube32", "cube32c"):  # a step, and half a step, on a cube at distance 1
        return 2 * np.sqrt(3) * (2 if name == "cube32" else 1) / 1023 * 1.01
    if name == "snorm16x4":  # half a step in four
        return 2 * np.sqrt(4) * 0.5 / 32767 * 1.01
    if name == "splat32":
        return 2 * np.sqrt(4) * 0.5 / 128 * 1.05
    if name in ("unreal48", "unreal32", "spz24"):  # w near 0, as of snorm16x3: what moves 1 - s, a step or half a step
        moves = {"unreal48": 2 * np.sqrt(3) / 32767, "unreal32": 2 * np.sqrt(6) / 1023, "spz24": np.sqrt(3) / 127.5}
        return 2 * np.sqrt(moves[name]) * 1.01
    if name in ("ozz48", "spz32", "mirror32", "jolt32"):  # half a step, or a step, and three times that in component L
        half = ROOT2 / {"ozz48": 65534, "spz32": 2 * 1022, "mirror32": 1023, "jolt32": 1020}[name]
        return 2 * half * np.sqrt(3 + 9) * (1 + 4 * half)
    bits = int(re.sub(r".*:", "", name)) if ":" in name else {"32": 10, "48": 15, "64": 20}[name[-2:]]
    half = smallest3_constants(bits)[2] / 2  # at (1, 1, 1, 1) / 2 the derived component errs by three halves
    return 2 * half * np.sqrt(3 + 9) * (1 + 4 * half) + 2e-6


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
        assert np.max(angles(uniform, back)) <= error_bound(name), name


def test_sweep():
    assert int(sweep.splitmix64(0, 1)[0]) == 0xE220A8397B1DCDAF  # the published generator's first output
    quats = sweep.quaternions()
    valid = is_valid(normsquare(*components(quats)))
    assert 0 < np.count_nonzero(~valid) < len(quats) // 10
    tiny = (quats != 0) & (np.abs(quats) < 2.0**-126)
    assert np.count_nonzero(tiny) > 1000 and set(np.abs(quats[tiny])) == {np.float32(TINY), np.float32(2.0**-126 - 2.0**-149)}


def test_formats_def():
    """Names, order and widths are those of the library."""
    text = (pathlib.Path(__file__).parents[2] / "src" / "codec" / "formats.def").read_text(encoding="ascii")
    table = re.findall(r'^(?:FORMAT|VARIANT)\(.*?"(.*?)", (\w+), [12], (\d+), ([01]),', text, re.MULTILINE)
    assert [row[0] for row in table] == list(FORMATS)
    for name, storage, bits, exact in table:
        assert int(bits) == FORMATS[name].width
        assert storage == "PACKED" or int(bits) == int(storage[1:])
        got = unpack(name, pack(name, rows(IDENTITY)), 1)
        assert same_bits(got[0], IDENTITY) == (exact == "1"), f"{name}: the identity becomes {got}"
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
        bound = error_bound(name)
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
