"""Known answers and properties of the model itself: model.py --self-test."""
import numpy as np

import sweep
from arithmetic import bytes_to_words, components, f32, is_valid, join, join_largest, normsquare, rha
from codec import FORMATS, LIBRARY, pack, packed_size, unpack
from formats import LATTICES, digits203, float4, from_half, split_lattice, to_half
from table import HALF, KNOWN_QUATERNIONS, KNOWN_WORDS, TINY

IDENTITY = np.array([0, 0, 0, 1], np.float32)

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
