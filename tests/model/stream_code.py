"""What packets of streams are written in: the range coder, models, numbers and points of docs/stream.md."""
import numpy as np

F32 = np.float32
OK, NEED_KEY, OLD, BAD, RESTARTED = 0, -4, -5, -6, -21
WORD = 2**32
NONE = (0, 0, 0)


class Refused(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


def require(good, status=BAD):
    if not good:
        raise Refused(status)


class Models:
    """By name, made when they are used first: a probability and a count."""

    def __init__(self, of=None):
        self.of = {name: list(model) for name, model in of.of.items()} if of else {}

    def __getitem__(self, name):
        if name not in self.of:
            self.of[name] = self.first(name[1:])
        return self.of[name]

    @staticmethod
    def first(name):
        if name[:1] == ("more",):
            return [(0xA800, 0x9000, 0xC800)[name[1]] + 0x600 * name[4], 4]
        if name[:1] == ("track_more",):
            return [0xC000, 3]
        if name[:1] == ("zero",):
            return [0xF000 >> max(name[1] - 3, 0), 1]
        return [32768, 0]


class Code:
    def __init__(self, data):
        self.data, self.at, self.range, self.number = data, 0, 2**64 - 1, 0
        self.number = self.take() << 32 | self.take()

    def take(self):
        self.at += 4
        return int.from_bytes(self.data[self.at - 4 : self.at].ljust(4, b"\0"), "big")

    def grow(self):
        if self.range < WORD:
            self.range <<= 32
            self.number = (self.number << 32 | self.take()) % 2**64

    def bit(self, model):
        p, count = model
        part, step = (self.range >> 16) * p, 131072 // (2 * count + 3)
        one = self.number < part
        if one:
            self.range = part
            model[0] = p + ((65535 - p) * step >> 16)
        else:
            self.number -= part
            self.range -= part
            model[0] = p - (p * step >> 16)
        model[1] = min(count + 1, 62)
        self.grow()
        return int(one)

    def plain(self, bits):
        self.range >>= bits
        value = min(self.number // self.range, (1 << bits) - 1)
        self.number -= value * self.range
        self.grow()
        return value

    def gamma(self):
        zeros = 0
        while not self.plain(1):
            zeros += 1
            require(zeros < 32)
        n = 1
        for _ in range(zeros):
            n = n << 1 | self.plain(1)
        return n

    def wide(self, bits):
        """In two parts, the upper one first."""
        return self.plain(bits - bits // 2) << bits // 2 | self.plain(bits // 2)

    def end(self):
        require(len(self.data) <= self.at and self.data[-1:] != b"\0")


# ---- points ----


def level_of(s):
    log = (s + 4).bit_length() - 1
    return 2 * log + (s + 4 >> log - 1 & 1) - 6


def coarser(s, e):
    return [max((x * 181 >> 8 if e % 2 else x) >> e // 2, 7) for x in s]


def kept(n):
    """As a byte has it."""
    n = min(n, 63488)
    drop = max(n.bit_length() - 5, 0)
    return n + (1 << drop >> 1) >> drop << drop


def learnt(s, k, e):
    fine = (((abs(x) * (362 if e % 2 else 256)) << e // 2) >> 8 for x in k)
    return tuple(kept(x - (x >> 3) + 2 * min(y, 4095)) for x, y in zip(s, fine))


def take_size(code, scale, more, most, first=0):
    """The half of a number, or what is like it. more: from the row and step to the model."""
    l = level_of(scale)
    lower, row = (0, l) if l < 8 else ((l - 8) // 2 + 1, 8 + l % 2)
    t = first if lower == 0 else 0
    while t < most and code.bit(more(row, min(t, 5))):
        t += 1
    if t == most:
        t += code.gamma() - 1
    size = t << lower | (code.plain(lower) if lower else 0)
    require(size < 2**20)
    return size


def take_point(code, models, kind, context, s):
    level = min(level_of(sum(s)), 9)
    if code.bit(models[kind, "zero", level, context]):
        return NONE
    odd = code.bit(models[kind, "odd", level])
    sizes = []
    for i in range(3):
        surprise = 0 if i == 0 else 2 if 16 * sum(sizes) > sum(s[:i]) else 1
        first = int(i == 2 and not odd and sizes == [0, 0])
        half = take_size(code, s[i], lambda row, step: models[kind, "more", surprise, row, odd, step], 20, first)
        sizes.append(2 * half + odd)
    require(any(sizes))
    signs = code.plain(sum(map(bool, sizes)))
    k = []
    for size in sizes:
        k.append(-size if size and signs & 1 else size)
        signs >>= bool(size)
    return tuple(k)


def take_whole(code, w):
    parity = code.plain(1)
    return tuple(2 * (code.wide(w) - 2 ** (w - 1)) + parity for _ in range(3))


def take_exact(code):
    """The bits of a float."""
    bits = code.wide(32)
    x = abs(float(np.uint32(bits).view(F32)))
    require(bits == 0 or 2.0**-60 < x <= 2.0**40)  # NaN is not
    return bits
