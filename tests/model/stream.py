#!/usr/bin/python3
"""An independent receiver of streams, written from docs/stream.md alone. Needs numpy and xxhash.

  stream.py COMMAND...    COMMAND... FILE writes packets as they arrive, and what the library makes of each (tests/stream/write_packets.c):
                          does the model find the same status, time, rotations, positions and acknowledgement, bit by bit?"""
import pathlib
import struct
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple

import numpy as np
import xxhash

from stream_code import BAD, F32, NEED_KEY, NONE, OK, OLD, RESTARTED, WORD, Code, Models, Refused
from stream_code import coarser, learnt, require, take_exact, take_point, take_whole
from stream_rotations import SHARES, between, never_tiny, turned, unit
from stream_tracks import Tracks

STATUS = {OK: "decoded", NEED_KEY: "need a key", OLD: "old", BAD: "bad", RESTARTED: "restarted"}
HOLD, LINE, FALL = range(3)
Last = namedtuple("Last", "still way moves zero position_zero")


def hash32(data, seed):
    return xxhash.xxh32(data, seed=seed).intdigest()


def kept_all(n):
    drop = np.maximum(np.frexp(n)[1] - 5, 0)
    return n + (1 << drop >> 1) >> drop << drop


def signed(n):
    return (n + WORD // 2) % WORD - WORD // 2


def folded(h):
    return (h ^ h >> 16) & 0xFFFF


def take_exact_position(code):
    return np.array([take_exact(code) for _ in range(3)], np.uint32).view(F32)


# ---- the receiver ----

Options = namedtuple("Options", "bodies bound states session positions position_bound gravity tracks track_bound bounds known")


class State:
    """What a packet leaves: see "A state"."""

    number = time = interval = distance = coarse = anchors = hash = models = None
    bodies_models = rotation = position = errors = scales = position_scales = last = tracks = None


class Receiver:
    def __init__(self, o):
        self.o, self.states, self.newest, self.first = o, {}, 0, 0
        self.old_keys = self.old_key = 0
        self.tracks, self.parts = Tracks(o.tracks, o.track_bound), None
        bounds = np.full(o.bodies, o.bound) if o.bounds is None else o.bounds
        h = (bounds.astype(np.float64) * (1 - 2**-9) - 2e-6) / np.sqrt(1.25)
        h = np.where(bounds == 0, 2.0**-17, h)
        self.turns = bounds > 0
        self.quantum, self.per_quantum = h.astype(F32), (1 / h).astype(F32)
        self.widths = [next(w for w in range(64) if 2**w >= 3.1416 / x + 4) for x in h]
        self.position_quantum = F32(np.float64(o.position_bound) * (1 - 2**-9) / np.sqrt(1.25)) if o.positions else F32(0)
        placed = (o.position_bound.tobytes() + o.gravity.tobytes()) if o.positions else bytes(16)
        head = struct.pack("<I4sHBQI", o.bodies, o.bound.tobytes(), o.states, 3, o.session, o.positions)
        weighed = struct.pack("<I", o.tracks) + (o.track_bound.tobytes() if o.tracks else bytes(4))
        self.seed = hash32(head + placed + weighed, 0)
        for bound in [] if o.bounds is None else o.bounds:
            self.seed = hash32(bound.tobytes(), self.seed)
        self.in_keys = self.turns if o.known is not None else np.full(o.bodies, True)
        self.first_rotation = np.tile(F32([0, 0, 0, 1]), (o.bodies, 1))
        for i in np.flatnonzero(~self.in_keys):
            self.seed = hash32(o.known[i].tobytes(), self.seed)
            self.first_rotation[i] = unit(o.known[i])
        bits = sum(1 + 3 * w for w, coded in zip(self.widths, self.in_keys) if coded) + 97 * o.positions + 5 * (o.positions > 0)
        bits += 33 * o.tracks + 5 * (o.tracks > 0)
        bits += 8 + bits // 4096
        self.longest = 12 + (bits + 7) // 8

    def acknowledgement(self):
        exists = [(self.newest - i) % WORD in self.states for i in range(min(32, self.o.states))]
        mask = sum(x << i for i, x in enumerate(exists))
        data = struct.pack("<IIH", self.newest, mask, self.first & 0xFFFF)
        return data + struct.pack("<H", folded(hash32(data, self.seed ^ 0xACACACAC)))

    def take(self, data):
        """A packet. Returns the state it leaves, or raises Refused."""
        require(4 <= len(data) <= self.longest + 256)
        low = struct.unpack_from("<H", data)[0]
        new, used = State(), [None] * 6
        if low & 1:
            require(len(data) >= 12)
            (key,) = struct.unpack_from("<I", data, 4)
            part = ((low >> 1) - key) % 32768
            new.number = (key + part) % WORD
            require(part <= self.o.states * 3 // 4)
            self.check(data, new, used)
            if self.is_old(key):
                require(not part or key not in self.states, OLD)
                self.refuse_old_key(new.number)
            if part:
                new.number, data = key, self.take_part(key, data[8:])
                new.hash = self.hash(data, new, used)
            (new.time,) = struct.unpack_from("<I", data, 8)
            code = Code(data[12:])
        else:
            require(self.states, NEED_KEY)
            new.number = (self.newest + ((low >> 1) - self.newest + 16384) % 32768 - 16384) % WORD
            require(not self.is_old(new.number), OLD)
            code = Code(data[4:])
            used = self.take_head(code, new)
            self.check(data, new, used)
            require(len(data) <= self.longest)
        self.take_bodies(code, new, *used)
        new.tracks = self.tracks.take(code, new.bodies_models, new, *used[:2], used[4]) if used[0] else self.tracks.take_key(code)
        code.end()
        self.keep(new)
        return new

    def take_part(self, key, data):
        """Returns the key packet if all parts are there."""
        require(len(data) >= 6)
        size, i, count = struct.unpack_from("<IBB", data)
        require(i < count <= self.o.states * 3 // 8 and 8 <= size <= self.longest - 4)
        require(len(data) - 6 == (size - 4) * (i + 1) // count - (size - 4) * i // count)
        if self.parts:
            require(not 1 <= (self.parts[0][0] - key) % WORD <= self.o.states, NEED_KEY)
        if not self.parts or self.parts[0] != (key, size, count):
            self.parts = (key, size, count), {}
        parts = self.parts[1]
        parts[i] = data[6:]
        require(len(parts) == count, NEED_KEY)
        self.parts = None
        return struct.pack("<II", 0, key) + b"".join(parts[i] for i in range(count))

    def is_old(self, number):
        return bool(self.states) and (number in self.states or signed(number - self.newest) <= -self.o.states)

    def refuse_old_key(self, number):
        later = signed(number - self.old_key)
        if self.old_keys == 0 or later < 0:
            self.old_keys = 1
        elif later > 0:
            self.old_keys += 1
        self.old_key = number
        raise Refused(RESTARTED if self.old_keys >= 20 else OLD)

    def keep(self, new):
        if not self.states:
            self.first = new.number
        if not self.states or signed(new.number - self.newest) > 0:
            self.newest = new.number
        self.states = {n: state for n, state in self.states.items() if (n - new.number) % self.o.states}
        self.states[new.number] = new
        self.old_keys = 0

    def hash(self, data, new, used):
        hashes = [state.hash if state else 0 for state in used]
        seed = hash32(struct.pack("<7IB", new.number, *hashes, used[0] is not None), self.seed)
        return hash32(data[4:], seed)

    def check(self, data, new, used):
        new.hash = self.hash(data, new, used)
        require(struct.unpack_from("<H", data, 2)[0] == folded(new.hash))

    def state(self, new, number):
        near = 0 < (new.number - number) % WORD <= self.o.states * 3 // 4
        return self.states.get(number % WORD) if near else None

    def take_head(self, code, new):
        most = self.o.states * 3 // 4
        new.distance = code.gamma()
        require(new.distance <= most)
        b = (new.number - new.distance) % WORD
        base = self.state(new, b)
        require(base, NEED_KEY)
        models = new.models = Models(base.models)
        time = base.time + (base.interval * new.distance // base.distance if base.distance else 0)
        if not code.bit(models["head", "steady"]):
            earlier, by = code.plain(1), code.gamma()
            time += -by if earlier else by
        new.time = time % WORD
        new.interval = (new.time - base.time) % WORD
        apart = self.o.states // 16
        back = 0
        if not code.bit(models["head", "models"]):
            back = code.gamma()
            require(back <= 16)
        left_by = None if back == 1 else self.state(new, b // apart * apart - max(back - 1, 0) * apart)
        require(back == 1 or left_by, NEED_KEY)
        new.bodies_models = Models(left_by and left_by.bodies_models)
        new.coarse = e = self.take_coarse(code, models, base.coarse)
        back = new.distance if code.bit(models["head", "chain"]) else code.gamma() - 1
        require(back <= most)
        g = max(new.distance // (2 if e else 4), 1)
        numbers = [b - back if back else None]
        numbers += [b - i * g if code.bit(models["head", "line", i]) else None for i in (1, 2)]
        new.anchors = base.anchors if code.bit(models["head", "anchors"]) else code.plain(4)
        require(new.anchors <= 8)
        anchor = b >> new.anchors << new.anchors
        numbers.append(anchor if anchor != b and code.bit(models["head", "anchor"]) else b)
        used = [n is not None and self.state(new, n) for n in numbers]
        require(None not in used, NEED_KEY)
        return [base, *(state or None for state in used), left_by]

    @staticmethod
    def take_coarse(code, models, last):
        e = 0
        while e < 20 and code.bit(models["head", "coarse", last > e, min(e, 3)]):
            e += 1
        return e

    # ---- prediction ----

    @staticmethod
    def horizon(past, ahead):
        return min(F32(ahead) / F32(past), F32(64)) if past else F32(0)

    def course(self, new, base, chain, line):
        """The states of the line with their shares, and what gravity adds."""
        ahead, through, ago = new.interval, [None, None], [0.0, 0.0]
        nothing = [], np.zeros(3, F32)
        states = [line[0] or (None if line[1] else chain), line[1]]
        for i, state in enumerate(states):
            past = (base.time - state.time) % WORD if state else 0
            if 0 < past < 2**30 and ahead < 2**30 and past != ago[0]:
                through[i], ago[i] = state, float(past)
        if not any(through):
            return nothing
        t, n = float(ahead), 1 + sum(map(bool, through))
        s, q = -(ago[0] + ago[1]), ago[0] * ago[0] + ago[1] * ago[1]
        scale, bend, result = n * q - s * s, t * t, []
        for state, a in zip(through, ago):
            if state:
                share = ((q + s * a) - (n * a + s) * t) / scale
                if not abs(share) <= 64:
                    return nothing
                result.append((state, F32(share if abs(share) > 2.0**-30 else 0)))
                bend -= share * (a * a)
        fall = self.o.gravity.astype(np.float64) * (bend * 0.5)
        return result, np.where((np.abs(fall) < 2.0**40) & (np.abs(fall) > 2.0**-60), fall, 0).astype(F32)

    def take_bodies(self, code, new, base, chain, first, second, anchor, _):
        n, placed = self.o.bodies, self.o.positions
        if base is None:
            return self.take_key(code, new)
        line, fall = self.course(new, base, chain, (first, second))
        motion = np.zeros((4, n, 3), F32)
        if chain:
            past = between(chain.rotation, base.rotation)
            horizon = self.horizon((base.time - chain.time) % WORD, new.interval)
            motion = np.stack([past * (share * horizon) for share in SHARES])
        ahead, shift = np.zeros((n, 3), F32), np.zeros((placed, 3), F32)
        for state, share in line:
            ahead = ahead + between(base.rotation, state.rotation) * share
            shift = shift + (state.position - base.position) * share
        best = motion[np.argmin(base.errors, axis=1), np.arange(n)]
        stays = np.all(best == 0, axis=1)
        start = np.where(stays[:, None], base.rotation, turned(base.rotation, best))
        along = turned(base.rotation, ahead)
        ways = np.stack([base.position, base.position + shift, (base.position + shift) + fall])

        points, places, exact = np.zeros((n, 3), np.int64), np.zeros((placed, 3), np.int64), {}
        new.last, new.scales, new.position_scales = [], [], []
        for i in range(n):
            last, k, p = self.take_body(code, new, base, i, bool(stays[i]), exact)
            new.last.append(last)
            new.scales.append(learnt(base.scales[i], k, new.coarse))
            points[i] = k
            if i < placed:
                places[i] = p
                new.position_scales.append(learnt(base.position_scales[i], p, new.coarse))
        still, way, moves, zero, _ = np.array(new.last).T
        still, larger = still.astype(bool), F32(1 << new.coarse // 2) * F32(float.fromhex("0x1.6a09e6p0") if new.coarse % 2 else 1)

        rotation = turned(np.where(moves[:, None] > 0, along, start), points.astype(F32) * (self.quantum * larger)[:, None])
        rotation = np.where((stays & (zero > 0) & (moves == 0))[:, None], base.rotation, rotation)
        new.rotation = np.where(still[:, None], anchor.rotation, rotation)
        position = ways[way[:placed], np.arange(placed)] + places.astype(F32) * (self.position_quantum * larger)
        position = never_tiny(position)
        for i, p in exact.items():
            position[i] = p
        new.position = np.where(still[:placed, None], anchor.position, position)
        require(np.all(np.abs(new.position) <= 2.0**41))

        went = np.abs(between(base.rotation, new.rotation) - motion)
        missed = ((went[..., 0] + went[..., 1]) + went[..., 2]) * self.per_quantum * F32(4)
        errors = base.errors
        new.errors = kept_all(errors - (errors >> 3) + np.where(missed < 8191, missed, 8191).astype(np.int64).T)

    def take_body(self, code, new, base, i, stays, exact):
        models, last, e = new.bodies_models, base.last[i], new.coarse
        placed, turns = i < self.o.positions, bool(self.turns[i])
        k = p = NONE
        still = way = moves = 0
        if placed or turns:
            rested = 4 * (last.zero and last.position_zero) + 2 * (last.way == HOLD and not last.moves) + last.still
            still = code.bit(models["body", "still", rested])
        if placed and not still:
            way = last.way
            if not code.bit(models["body", "same", way]):
                lower, higher = (w for w in range(3) if w != last.way)
                way = higher if code.bit(models["body", "higher", last.way]) else lower
            if code.bit(models["body", "exact"]):
                exact[i] = take_exact_position(code)
            else:
                context = 2 * last.position_zero + last.zero
                p = take_point(code, models, "position", context, coarser(base.position_scales[i], e))
        if turns and not still:
            moves = code.bit(models["body", "moves", stays, last.moves])
            if placed:
                size = sum(map(abs, p))
                context = 4 * ((size > 0) + (size > 2) + (size > 8)) + 2 * last.zero + last.position_zero
            else:
                context = 2 * (2 if moves else stays) + last.zero
            k = take_point(code, models, "rotation", context, coarser(base.scales[i], e))
        return Last(still, way, moves, int(k == NONE), int(p == NONE and i not in exact)), k, p

    def take_key(self, code, new):
        n, placed = self.o.bodies, self.o.positions
        if placed:
            v = code.plain(5)
            require(1 <= v <= 20)
        points, position = np.zeros((n, 3)), np.zeros((placed, 3), F32)
        for i in range(n):
            if self.in_keys[i]:
                points[i] = take_whole(code, self.widths[i])
            if i < placed:
                position[i] = (
                    take_exact_position(code)
                    if code.plain(1)
                    else never_tiny(np.array(take_whole(code, v)).astype(F32) * self.position_quantum)
                )
        new.rotation = turned(self.first_rotation, points.astype(F32) * self.quantum[:, None])
        require(np.all(np.abs(position) <= 2.0**41))
        new.position, new.errors = position, np.zeros((n, 4), np.int64)
        new.scales, new.position_scales = [(32, 32, 32)] * n, [(32, 32, 32)] * placed
        new.last = [Last(0, 0, 0, 0, 0)] * n
        new.coarse = new.anchors = new.interval = new.distance = 0
        new.models, new.bodies_models = Models(), Models()


# ---- what the library made of packets ----


class File:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        self.at += size
        return self.data[self.at - size : self.at]

    def words(self, count):
        return struct.unpack(f"<{count}I", self.take(4 * count))

    def floats(self, count):
        return np.frombuffer(self.take(4 * count), "<f4")


def compare(file, seen):
    """A stream. Returns what differs first."""
    bodies, states, low, high, positions, has_gravity, tracks, has_bounds, is_known, packets = file.words(10)
    bound, position_bound, track_bound = file.floats(3)
    gravity = file.floats(3) if has_gravity else np.zeros(3, F32)
    bounds = file.floats(bodies) if has_bounds else None
    known = file.floats(4 * bodies).reshape(-1, 4) if is_known else None
    o = Options(bodies, bound, states, high << 32 | low, positions, position_bound, gravity, tracks, track_bound, bounds, known)
    receiver = Receiver(o)
    wrong = None
    for packet in range(packets):
        anew, size, status = struct.unpack("<IIi", file.take(12))
        data = file.take(size)
        expected = file.take(4 + 16 * bodies + 12 * positions + 4 * tracks) if status == OK else b""
        acknowledgement = file.take(12)
        if wrong:
            continue
        if anew:
            receiver = Receiver(o)
        got, now = b"", OK
        try:
            new = receiver.take(data)
            got = struct.pack("<I", new.time) + new.rotation.tobytes() + new.position.tobytes()
            got += receiver.tracks.values(new.tracks).tobytes()
        except Refused as refused:
            now = refused.status
        seen[now] += 1
        if now != status:
            wrong = f"packet {packet}: {STATUS[now]}, not {STATUS[status]}"
        elif got != expected:
            wrong = f"packet {packet}: other bits"
        elif receiver.acknowledgement() != acknowledgement:
            wrong = f"packet {packet}: another acknowledgement"
    return wrong and f"{bodies} bodies, {positions} positions, {tracks} tracks, {states} states: {wrong}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "packets"
        subprocess.run([*sys.argv[1:], path], check=True)
        file, seen, streams, wrong = File(path.read_bytes()), Counter(), 0, []
    while file.at < len(file.data):
        line = compare(file, seen)
        wrong += [f"stream {streams}: {line}"] if line else []
        streams += 1
    counts = ", ".join(f"{seen[status]} {name}" for status, name in STATUS.items())
    print(*wrong, f"{streams} streams, {sum(seen.values())} packets ({counts}), {len(wrong)} streams differ", sep="\n")
    sys.exit(1 if wrong or not streams else 0)


if __name__ == "__main__":
    main()
