"""Arithmetic of float32 in doubles, words, and what several formats have in common."""
import numpy as np


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


# ---- derived by several formats when unpacking ----


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
