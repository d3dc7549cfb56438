#!/usr/bin/python3
"""An independent decoder of clips, written from docs/clip-format.md alone. Needs numpy and xxhash.

  clip.py GOLDENS COMMAND...    COMMAND... FOLDER writes clips; do poses have the hashes that GOLDENS (tests/clip/clips.txt) has?"""
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import xxhash

import codec

ROOT = pathlib.Path(__file__).parents[2]
F32, F64 = np.float32, np.float64
ROTATION, SCALE, TRACK, KINDS = 0, 2, 3, range(4)
NONE, REST, CONSTANT, MOVING, KEYED = range(5)
VALUE = [[0, 0, 0, 1], [0, 0, 0], [1, 1, 1], [0]]
AXES = [3, 3, 3, 1]
FORMATS = [("lattice32", 4), ("cayley40", 5), ("lattice48", 6), ("lattice64", 8)]
GROUP, RAW, PADDING = 8, 15, 32


def numbers_of(name, macro):
    text = (ROOT / "src/clip" / name).read_text(encoding="ascii")
    return [[int(x) for x in line.split(",")] for line in re.findall(rf"^{macro}\((.*)\)", text, re.M)]


PROFILES = [(row[0], row[2:18], row[18:]) for row in numbers_of("profiles.def", "PROFILE")]
ROWS = np.zeros((18, 18, 16), np.int32)
for length, n, *row in numbers_of("basis.def", "ROW"):
    ROWS[length, n] = row
QUANTUM = F32([1.1 * 2 ** (c / 8) for c in range(15)] + [0])
SIXTEENTH = F32([2 ** (-i / 16) for i in range(16)])
NORM = F32([0] + [(2 / length) ** 0.5 / 32767 for length in range(1, 18)])


class Refused(Exception):
    pass


def require(good):
    if not good:
        raise Refused


def within(x, power):
    require(np.all(np.abs(x) <= 2.0**power))  # NaN is not


def field(bits, at, width):
    """Of a number whose bits are those of some bytes."""
    value = bits >> at & (1 << width) - 1
    return value - (value >> width - 1 << width) if width else 0


def number(data):
    return int.from_bytes(data, "little")


def floats(data, kind="<f4"):
    return np.frombuffer(bytes(data), kind)


def groups_of(count):
    return [range(first, min(first + GROUP, count)) for first in range(0, count, GROUP)]


def rising(times):
    within(times, 100)
    require(np.all(times[1:] > times[:-1]))


# ---- rotations, arrays of [..., 4] ----


def dot(a, b):
    products = a * b
    return (products[..., 0] + products[..., 1]) + (products[..., 2] + products[..., 3])


def square(v):
    return (v[..., 0] * v[..., 0] + v[..., 1] * v[..., 1]) + v[..., 2] * v[..., 2]


def cayley(v):
    m = square(v)
    d = F32(1) / (F32(1) + m)
    return np.concatenate([v * (d + d)[..., None], ((F32(1) - m) * d)[..., None]], axis=-1)


def base(words):
    v = (np.stack([words >> 10 * a & 1023 for a in range(3)], axis=-1).astype(F32) - F32(512)) / F32(512)
    return np.concatenate([F32(2) * v, (F32(1) - square(v))[..., None]], axis=-1)


def product(a, b):
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            (aw * bx + ax * bw) + (ay * bz - az * by),
            (aw * by + ay * bw) + (az * bx - ax * bz),
            (aw * bz + az * bw) + (ax * by - ay * bx),
            (aw * bw - ax * bx) - (ay * by + az * bz),
        ],
        axis=-1,
    )


def unit(q):
    return q * (F32(1) / np.sqrt(dot(q, q)))[..., None]


def sum_of(a, b, weight_a, weight_b, same_way):
    """Toward b, or toward its negative where same_way is below 0. Not of length 1."""
    return a * weight_a[..., None] + b * np.where(same_way < 0, -weight_b, weight_b)[..., None]


def key(v):
    """The quaternion of a Cayley vector, not of length 1."""
    return np.concatenate([v, ((F32(1) - square(v)) * F32(0.5))[..., None]], axis=-1)


TURN = F32(
    [
        [0.8583, 0.8525, 0.7804, 1.3035],
        [-0.2807, -1.3649, -2.0461, -5.5366],
        [0.1276, 0.7562, 1.8494, 8.3203],
        [-0.0403, -0.254, -0.6058, -4.3027],
    ]
)


def share(t, c):
    """What the second of two keys weighs, of 2^-32; c is a quarter of the cosine of half the turn between them."""
    half = t - F32(0.5)
    s, k = half * half, t * half * (t - F32(1))
    g = [k * (((a[3] * s + a[2]) * s + a[1]) * s + a[0]) * F32(2 ** (2 * i - 30)) for i, a in enumerate(TURN)]
    return t * F32(2**-32) + (F32(0.25) - c) * (((g[3] * c + g[2]) * c + g[1]) * c + g[0])


def between(v, w, t):
    a, b, m, n = key(v), key(w), F32(1) + square(v), F32(1) + square(w)
    c = dot(a, b) / (m * n)
    same_way = c + F32(2**-6)
    second = share(t, np.where(same_way < 0, -c, c))
    return sum_of(a, b, (F32(2**-32) - second) * n, second * m, same_way)


# ---- the clip ----


class Part:
    """The curves of one kind."""

    def __init__(self):
        self.moving, self.keys = 0, []


class Clip:
    def __init__(self, data):
        self.rest = data = memoryview(data)
        require(len(data) >= 32 and data[:4] in (b"QSC\2", b"QSC\3") and number(data[8:12]) == len(data))
        self.newer, self.needed = data[3] == 3, 0
        require(number(data[4:8]) == xxhash.xxh32(data[8:]).intdigest())
        head = self.take(32)
        self.joints, self.frames, self.flags = number(head[12:16]), number(head[16:20]), number(head[28:32])
        self.rate = floats(head[20:28], "<f8")[0]
        require(self.joints <= 2**20 and 1 <= self.frames <= 2**26 and self.flags >> 17 & 3 != 3)
        require(self.rate == 0 or 2.0**-100 <= self.rate <= 2.0**100)
        self.start = floats(self.take(8), "<f8")[0] if self.flag(19) and self.rate else F64(0)
        self.skeleton = number(self.take(8)) if self.flag(23) else 0
        self.tracks = number(self.take(4)) if self.flag(24) else 0
        require(self.tracks <= 2**20)
        within(self.start, 100)
        if self.rate == 0:
            self.times = (floats(self.take(8 * self.frames), "<f8") if self.flag(19) else floats(self.take(4 * self.frames))).astype(F64)
            rising(self.times)
            self.start = self.times[0]
            self.duration = self.times[-1] - self.start
        else:
            self.duration = F64(self.frames - 1) / self.rate
            most = max(abs(self.start), abs(self.start + self.duration))
            require(self.frames == 1 or 1 / self.rate >= 2.0**-48 * most)
        self.blocks = -(-(self.frames - 1) // 17)
        self.starts = np.arange(self.blocks + 1) * (self.frames - 1) // max(self.blocks, 1)
        self.parts = [Part() for _ in KINDS]
        there = [kind for kind in KINDS if self.flag(kind)]
        for step in self.read_masks, self.read_plan, self.read_blocks, self.read_knots, self.read_rest:
            for kind in there:
                if step in (self.read_masks, self.read_rest) or self.parts[kind].moving:
                    step(kind, self.parts[kind])
        require(len(self.rest) <= PADDING and not any(self.rest))
        require(self.newer == bool(self.needed))

    def elements(self, kind):
        return self.tracks if kind == TRACK else self.joints

    def flag(self, bit):
        return self.flags >> bit & 1

    def take(self, size):
        require(size <= len(self.rest))
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def read_masks(self, kind, part):
        elements = self.elements(kind)
        masks = np.frombuffer(self.take((elements + 3) // 4), np.uint8)
        part.state = (masks[:, None] >> np.arange(0, 8, 2) & 3).ravel()[:elements]
        if self.flag(12 + kind):
            bits = np.frombuffer(self.take((elements + 7) // 8), np.uint8)
            own = (bits[:, None] >> np.arange(8) & 1).ravel()[:elements].astype(bool)
            part.state[own & (part.state == CONSTANT)] = KEYED
        part.moving = np.count_nonzero(part.state == MOVING)
        require(self.frames > 1 or part.moving == 0)

    def read_plan(self, kind, part):
        unit_ = floats(self.take(4))[0]
        require(2.0**-100 <= unit_ <= (1 if kind == ROTATION else 2.0**70))
        part.groups = groups_of(part.moving)
        axes = AXES[kind]
        part.widths = list(zip(*[iter(self.take(axes * len(part.groups)))] * axes))
        require(all(w <= 22 for widths in part.widths for w in widths))
        size = 4 if self.flag(8 + kind) else 2
        part.ends = np.frombuffer(self.take(size * self.blocks), f"<u{size}").tolist()
        part.unit = np.full(part.moving, unit_, F32)
        if self.flag(4 + kind):
            e = np.frombuffer(self.take(part.moving), np.uint8)
            part.unit = unit_ * SIXTEENTH[e % 16] * (2.0 ** -(e // 16).astype(F64)).astype(F32)

    def read_blocks(self, kind, part):
        """codes [block, curve], coefficients and frames of raw curves [block, curve, axis, 16]."""
        part.codes = np.zeros((self.blocks, part.moving), np.uint8)
        part.coefficients = np.zeros((self.blocks, part.moving, AXES[kind], 16), np.int32)
        part.raw = np.zeros((self.blocks, part.moving, AXES[kind], 16), F32)
        for b, end in enumerate(part.ends):
            start = part.ends[b - 1] if b else 0
            require(start <= end)
            after = self.rest[max(end - start, 0) :]
            self.rest = self.take(end - start)
            self.read_block(part, b, AXES[kind])
            require(not self.rest)
            self.rest = after

    def read_block(self, part, b, axes):
        inner = self.starts[b + 1] - self.starts[b] - 1
        packed = self.take((part.moving + 1) // 2)
        codes = [packed[i // 2] >> 4 * (i % 2) & 15 for i in range(part.moving)]
        part.codes[b] = codes
        profiles = self.take(axes * part.moving)
        for group in part.groups:
            own, profiles = profiles[: axes * len(group)], profiles[axes * len(group) :]
            for at, profile in enumerate(own):
                size, widths, offsets = PROFILES[profile]
                bits = number(self.take(size))
                if profile:
                    part.coefficients[b, group[at % len(group)], at // len(group)] = [field(bits, o, w) for o, w in zip(offsets, widths)]
            for at, i in enumerate(group):
                if codes[i] != RAW:
                    continue
                require(not any(own[at :: len(group)]))
                widths = self.take(axes)
                require(max(widths) <= 22)
                bits, o = number(self.take((sum(widths) * inner + 7) // 8)), 0
                for a, w in enumerate(widths):
                    part.raw[b, i, a, :inner] = [field(bits, o + w * n, w) for n in range(inner)]
                    o += w * inner

    def read_knots(self, kind, part):
        part.knots = np.zeros((self.blocks + 1, part.moving, AXES[kind]), F32)
        for row in part.knots:
            for group, widths in zip(part.groups, part.widths):
                for a, width in enumerate(widths):
                    bits = number(self.take((width * len(group) + 7) // 8))
                    row[group, a] = [field(bits, width * i, width) for i in range(len(group))]
        require(len(self.rest) >= PADDING)

    def read_rest(self, kind, part):
        n = part.moving
        if kind == ROTATION:
            part.right = base(np.frombuffer(self.take(4 * n), "<u4").astype(np.int64))
            part.left = base(np.frombuffer(self.take(4 * n), "<u4").astype(np.int64)) if self.flag(20) else None
        else:
            part.middle = floats(self.take(4 * AXES[kind] * n)).reshape(n, AXES[kind])
            within(part.middle, 100)
        elements = self.elements(kind)
        size = 1 if elements <= 256 else 2 if elements <= 65536 else 3
        slots = np.frombuffer(self.take(size * n), np.uint8).reshape(n, size).astype(np.int64)
        part.slots = slots @ (256 ** np.arange(size))
        require(np.array_equal(np.sort(part.slots), np.nonzero(part.state == MOVING)[0]))
        part.still = np.tile(F32(VALUE[kind]), (elements, 1))
        constant = part.state == CONSTANT
        part.still[constant] = self.values(kind, np.count_nonzero(constant))
        for joint in np.nonzero(part.state == KEYED)[0]:
            own, pair = self.keys_of(kind)
            other, another = self.keys_of(kind) if pair else (None, 0)
            require(not another)
            part.keys.append((joint, own, other))

    def keys_of(self, kind):
        """A curve with its own keys: whether it holds (None: it is a spline), times, values; and whether its base follows."""
        word = number(self.take(4))
        count, bits = word & 2 ** (26 if self.newer else 29) - 1, [word >> bit & 1 for bit in range(32)]
        pair, by_frames, spline = bits[26:29] if self.newer else (0, 0, 0)
        self.needed |= pair | by_frames | spline
        require(count > 0 and (kind == ROTATION or spline or not bits[29]) and not (spline and (count < 2 or bits[31])))
        size = (8 if bits[30] else 4) >> by_frames
        data = self.take(size * count)
        if by_frames:
            frames = np.frombuffer(data, f"<u{size}").astype(np.int64)
            require(np.all(frames < self.frames))
            times = self.times[frames] if self.rate == 0 else self.start + frames / self.rate
        else:
            times = floats(data, f"<f{size}").astype(F64)
        rising(times)
        if spline:
            return (None, times, self.spline(3 * count - 2, len(VALUE[kind]), bits[29])), pair
        return (bits[31], times, self.quaternions(count) if bits[29] else self.values(kind, count)), pair

    def spline(self, count, n, as_floats):
        """Values and tangents, [number, component], and whether tangents must be multiplied by the time between keys."""
        if as_floats:
            values = floats(self.take(4 * n * count)).reshape(count, n)
            within(values, 100)
            return np.where(np.abs(values) < 2.0**-90, 0, values.astype(F64)), True
        unit_ = F64(floats(self.take(4))[0])
        require(2.0**-100 <= unit_ <= 2.0**70)
        widths = list(self.take(2 * n))
        require(max(widths) <= 25)
        rows = [widths[n:] if i % 3 else widths[:n] for i in range(count)]
        bits, at, result = number(self.take((sum(map(sum, rows)) + 7) // 8)), 0, np.zeros((count, n))
        for i, row in enumerate(rows):
            for c, width in enumerate(row):
                result[i, c] = field(bits, at, width) * (8 * unit_ if i % 3 else unit_)
                at += width
        return result, False

    def quaternions(self, count):
        values = floats(self.take(16 * count)).reshape(count, 4)
        norm2 = dot(values, values)
        require(np.all((norm2 >= 0.25) & (norm2 <= 4)))  # NaN is not
        return unit(values) + F32(0)

    def values(self, kind, count):
        if kind != ROTATION:
            values = floats(self.take(4 * AXES[kind] * count)).reshape(count, AXES[kind])
            within(values, 100)
            return values
        name, size = FORMATS[self.flags >> 21 & 3]
        data = self.take(size * count)
        if name != "cayley40":
            return codec.unpack(name, data, count)
        words = np.array([number(data[5 * i : 5 * i + 5]) for i in range(count)], np.int64)
        fields = np.stack([words & 8191, words >> 13 & 8191, words >> 26], axis=-1).astype(F32)
        return cayley((fields - F32([4096, 4096, 8192])) / F32([4095, 4095, 8191]))

    # ---- moving curves ----

    def vectors(self, part, b, n):
        """[..., curve, axis] at frames n of blocks b."""
        length = self.starts[b + 1] - self.starts[b]
        quantum, knot_quantum = QUANTUM[part.codes[b]] * part.unit * NORM[length][:, None], part.unit * F32(1.1)
        before, after = ((x.astype(F32) / length.astype(F32))[:, None, None] for x in (length - n, n))
        line = part.knots[b] * before + part.knots[b + 1] * after
        total = np.sum(part.coefficients[b] * ROWS[length, n][:, None, None], axis=-1, dtype=np.int32)  # wraps
        p = line * knot_quantum[:, None] + total.astype(F32) * quantum[..., None]
        inner = ((0 < n) & (n < length))[:, None] & (part.codes[b] == RAW)
        raw = part.raw[b, :, :, np.clip(n - 1, 0, 15)]
        return np.where(inner[..., None], p + raw * knot_quantum[:, None], p)

    def moving(self, kind, frame, t):
        """The values of moving curves, [frame, curve, component]."""
        part, b = self.parts[kind], np.minimum(np.searchsorted(self.starts, frame, "right") - 1, self.blocks - 1)
        n, t = frame - self.starts[b], t[:, None]
        p = self.vectors(part, b, n)
        following = self.vectors(part, b, n + (t[:, 0] > 0))
        if kind != ROTATION:
            t = t[..., None]
            return part.middle + np.where(t > 0, p * (F32(1) - t) + following * t, p)
        q = np.where(t[..., None] > 0, between(p, following, t), key(p))
        q = product(q, part.right)
        if part.left is not None:
            q = product(part.left, q)
        return unit(q) + F32(0)

    # ---- poses ----

    @staticmethod
    def direction(q):
        n = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])
        return q / np.sqrt(n) if n > 2.0**-80 else None

    def on_spline(self, kind, times, numbers, scaled, i, time):
        value = at = numbers[3 * i]
        if i + 1 < len(times) and time > times[i]:
            length = times[i + 1] - times[i]
            t = (time - times[i]) / length
            out, into, after = numbers[3 * i + 1], numbers[3 * i + 2], numbers[3 * i + 3]
            if scaled:
                out, into = out * length, into * length
            t2 = t * t
            t3 = t2 * t
            at = ((2 * t3 - 3 * t2 + 1) * value + (3 * t2 - 2 * t3) * after) + ((t3 - 2 * t2 + t) * out + (t3 - t2) * into)
        if kind == ROTATION:
            at = self.direction(at)
            at = self.direction(value) if at is None else at
            at = np.float64(VALUE[ROTATION]) if at is None else at
        return at

    def keyed(self, kind, own, base, time):
        if base is None:
            value = self.keyed_alone(kind, *own, time)
            return self.rounded(value) if own[0] is None else value
        a, b = (self.keyed_alone(kind, *part, time, double=True).astype(F64) for part in (own, base))
        if kind == ROTATION:
            x, y, z, w = b
            at = np.array(
                [
                    w * a[0] - x * a[3] - y * a[2] + z * a[1],
                    w * a[1] - y * a[3] - z * a[0] + x * a[2],
                    w * a[2] - z * a[3] - x * a[1] + y * a[0],
                    w * a[3] + x * a[0] + y * a[1] + z * a[2],
                ]
            )
            at /= np.sqrt((at[0] * at[0] + at[1] * at[1]) + (at[2] * at[2] + at[3] * at[3]))
        elif kind == SCALE:
            with np.errstate(divide="ignore", invalid="ignore"):
                at = np.where((a == b) | (np.abs(b) < 2.0**-90), 1, a / b)
        else:
            at = a - b
        return self.rounded(at)

    @staticmethod
    def rounded(at):
        at = np.clip(at, -(2.0**100), 2.0**100)
        return np.where(np.abs(at) < 2.0**-90, 0, at).astype(F32) + F32(0)

    def keyed_alone(self, kind, hold, times, values, time, double=False):
        i = max(int(np.searchsorted(times, time, "right")) - 1, 0)
        if hold is None:
            return self.on_spline(kind, times, *values, i, time)
        if hold or i + 1 == len(times) or time <= times[i]:
            return values[i]
        apart = times[i + 1] - times[i]
        share_of_next = (time - times[i]) / apart if apart else 0
        if double and kind != ROTATION:
            return values[i].astype(F64) * (1 - share_of_next) + values[i + 1].astype(F64) * share_of_next
        t = F32(share_of_next)
        if kind == ROTATION:
            d = dot(values[i], values[i + 1])
            second = share(t, np.abs(d) * F32(0.25))
            return unit(sum_of(values[i], values[i + 1], F32(2**-32) - second, second, d))
        return values[i] * (F32(1) - t) + values[i + 1] * t

    def poses(self, frame, t, times):
        """Of each kind [frame, joint or track, component]."""
        result = []
        for kind in KINDS:
            part = self.parts[kind]
            values = np.tile(part.still if self.flag(kind) else np.tile(F32(VALUE[kind]), (self.elements(kind), 1)), (len(frame), 1, 1))
            if part.moving:
                values[:, part.slots] = self.moving(kind, frame, t)
            for joint, *keys in part.keys:
                values[:, joint] = [self.keyed(kind, *keys, time) for time in times]
            result.append(values)
        return result

    def at(self, first, count):
        frame = np.arange(first, first + count)
        time = self.start + frame / self.rate if self.rate else self.times[frame]
        return self.poses(frame, np.zeros(count, F32), time)

    def sample(self, time):
        """By the clip's flag."""
        loop, y, length = self.flag(16), self.start, self.duration
        z = y + length if self.rate else self.times[-1]
        time = y if np.isnan(time) else min(max(F64(time), -(2.0**900)), 2.0**900)
        slack = self.slack(time)
        if loop and not y <= time <= z:
            slack = max(self.slack(y), self.slack(z))
            x = min(max(time - y, -(2.0**52) * length), 2.0**52 * length)
            x = np.fmod(x, length) if length > 0 else F64(0)  # exact, with the sign of x
            time = y + (x + length if x < 0 else x)
        frame, t, a, at, d = (self.even if self.rate else self.listed)(time, slack, loop)
        return self.poses(np.array([frame]), np.array([t]), [a if t == 0 and abs(d) <= slack else at])

    def slack(self, time):
        """Half of a time's rounding in float."""
        return 0.0 if self.flag(18) else 2.0**-24 * abs(time)

    def even(self, time, slack, loop):
        end, exact = F64(self.frames - 1), (time - self.start) * self.rate
        x = exact
        if abs(x) < 2.0**52:
            nearest = np.trunc(x - 0.5 if x < 0 else x + 0.5)
            most = max(abs(self.start), abs(self.start + self.duration))
            if abs(x - nearest) <= min((max(slack, self.slack(self.start)) + 2.0**-50 * most) * self.rate, 0.125):
                x = nearest
        next_round = loop and x >= end
        inside = F64(0) if next_round else min(max(x, F64(0)), end)
        frame, t = int(inside), F32(inside - np.trunc(inside))
        if t == 1:
            frame, t = frame + 1, F32(0)
        a = self.start + inside / self.rate
        if next_round:
            d = (exact - x) / self.rate
            return frame, t, a, a + d, d
        return frame, t, a, time, time - a

    def listed(self, time, near, loop):
        last = self.frames - 1
        frame, t = max(int(np.searchsorted(self.times, time, "right")) - 1, 0), F32(0)
        if frame < last:
            p, n = self.times[frame : frame + 2]
            slack = min(near, 0.125 * (n - p))
            if n - time <= slack:
                frame += 1
            elif time - p > slack:
                t = F32((time - p) / (n - p))
                if t == 1:
                    frame, t = frame + 1, F32(0)
        if loop and frame == last:
            frame, time = 0, self.times[0]
        return frame, t, self.times[frame], time, time - self.times[frame]


# ---- the goldens ----


def hash_of(clip):
    """As tests/clip/test_clip_kernels.c has it: all frames, some at a time, then fifty poses, then six of long clocks."""
    most, seed = 2**16 // clip.joints + 1 if clip.joints else 1, 0
    for first in range(0, clip.frames, most):
        poses = clip.at(first, min(most, clip.frames - first))
        seed = xxhash.xxh64(b"".join(values.tobytes() for values in poses), seed).intdigest()
    for i, clock in enumerate([0] * 50 + [1, -1, 3600, 86400, -31557600, 31557600]):
        poses = clip.sample(clip.start + clip.duration * i / 47 + clock)
        seed = xxhash.xxh64(b"".join(values.tobytes() for values in poses), seed).intdigest()
    return seed


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = pathlib.Path(sys.argv[1]).read_text(encoding="ascii").splitlines()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*sys.argv[2:], folder], check=True)
        for name, size, _, poses in (line.split() for line in lines if not line.startswith("#")):
            data = (pathlib.Path(folder) / f"{name}.qsc").read_bytes()
            if len(data) != int(size) or hash_of(Clip(data)) != int(poses, 16):
                wrong.append(name)
    print(f"{len(lines) - 1} clips, different: {' '.join(wrong) or 'none'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
