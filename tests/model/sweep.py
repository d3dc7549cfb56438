"""The fixed inputs of the golden hashes. tests/support/sweep.h makes the same ones in C."""
import numpy as np

COUNT = 65536 + 3  # odd, so that bit-packed arrays end inside a byte
SEED_QUATERNIONS = 0x7175617473696D64  # "quatsimd"
SEED_WORDS = 0x756E7061636B0000  # "unpack\0\0"

GAMMA = 0x9E3779B97F4A7C15
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)


def splitmix64(seed, n):
    """The first n outputs; unsigned array arithmetic wraps around."""
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(GAMMA) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * MIX1
    z = (z ^ (z >> np.uint64(27))) * MIX2
    return z ^ (z >> np.uint64(31))


def quaternions(n=COUNT):
    """float32[n, 4]. Most of them uniform in the cube, the others of kinds that try special cases. Every step but the
    normalisation is exact in float32, so that doubles serve as well."""
    u = splitmix64(SEED_QUATERNIONS, 4 * n).reshape(n, 4)
    u0, u1, u2, u3 = u.view(np.int64).T  # only low bits are taken from here on; the sign does not matter
    q = ((u >> np.uint64(40)).astype(np.int64) - 2**23).astype(np.float64) * 2.0**-23
    kind = u3 & 0xFF

    def rows(first, last):
        return np.flatnonzero((kind >= first) & (kind <= last))

    i = rows(0, 15)  # any length, many of them invalid
    q[i] *= np.ldexp(1.0, (u2[i] & 127) - 64)[:, None]

    i = rows(16, 31)  # ties
    q[i, u1[i] & 3] = np.where(u0[i] & 4, -q[i, u0[i] & 3], q[i, u0[i] & 3])

    i = rows(32, 47)  # zeros of both signs
    for k in range(4):
        z = i[(u1[i] & 3) != k]
        q[z, k] = np.where(u0[z] & (8 << k), -0.0, 0.0)

    i = rows(48, 63)  # nearly the identity
    q[i, :3] *= 2.0**-12
    q[i, 3] = np.where(u0[i] & 1, -1.0, 1.0)

    i = rows(64, 67)  # invalid
    q[i, u1[i] & 3] = np.choose(u0[i] & 3, [np.nan, np.inf, -np.inf, 0.0])
    q[i[(u0[i] & 3) == 3]] = 0.0

    i = rows(68, 75)  # a denormal number
    q[i, u1[i] & 3] = np.where(u0[i] & 1, -(2.0**-140), 2.0**-140)

    i = rows(76, 91)  # normalised, as nearly as float32 can; the sum is exact
    length = np.sqrt(((q[i, 0] ** 2 + q[i, 1] ** 2) + q[i, 2] ** 2) + q[i, 3] ** 2)
    q[i] /= np.where(length == 0, 1.0, length)[:, None]

    i = rows(92, 99)  # a component that is normal here and denormal once it is divided by the length
    tiny = np.arange(4) == (u1[i] & 3)[:, None]
    q[i] *= np.where(tiny, 2.0**-100, 2.0**30)

    i = rows(100, 107)  # the largest denormal number in the shortest valid quaternions, where it weighs most
    q[i] *= 2.0**-32
    q[i, u1[i] & 3] = np.where(u0[i] & 1, -1, 1) * (2.0**-126 - 2.0**-149)

    out = q.astype(np.float32)
    out.view(np.uint32)[np.isnan(q)] = 0x7FC00000
    return out


def words(size):
    """size pseudo-random bytes."""
    return splitmix64(SEED_WORDS, -(-size // 8)).astype("<u8").tobytes()[:size]
