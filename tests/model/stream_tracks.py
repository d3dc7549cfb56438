"""Tracks of streams: docs/stream.md, "Tracks". A track is a whole number x, or the bits of a float if it is exact."""
from collections import namedtuple

import numpy as np

from stream_code import F32, kept, level_of, require, take_exact, take_size

Track = namedtuple("Track", "x exact errors scale zero sign", defaults=((0, 0, 0, 0), 32, 0, 0))
Prediction = namedtuple("Prediction", "x place shares")


class Tracks:
    def __init__(self, count, bound):
        self.count = count
        self.unit = 2 * float(bound) * (1 - 2**-9) / 16
        self.one = min(int(1 / self.unit + 0.5), 2**30) if count else 0

    def values(self, tracks):
        return np.array([np.uint32(t.x).view(F32) if t.exact else F32(self.unit * t.x) for t in tracks], F32)

    def take_key(self, code):
        if self.count == 0:
            return []
        y = code.plain(5)
        require(1 <= y <= 20)
        return [Track(take_exact(code), 1) if code.plain(1) else Track(16 * (code.wide(y) - 2 ** (y - 1)), 0) for _ in range(self.count)]

    def predict(self, base, chain, anchor, third, step):
        if base.exact:
            return Prediction(0, 2, None)
        motion = 0 if chain is None or chain.exact else base.x - chain.x
        continued = motion if abs(motion) <= 2**24 else 0
        least, most = (0, self.one) if 0 <= base.x <= self.one else (-(2**30), 2**30)
        shares = []
        for w in range(4):
            way = w * continued * third
            by = (abs(way) + 0x8000) >> 16
            shares.append(min(max(base.x + (-by if way < 0 else by), least), most))
        x = shares[base.errors.index(min(base.errors))]
        if abs(motion) <= 16:
            x = base.x
            if base.zero and not anchor.exact and abs(anchor.x - x) <= 16:
                x = anchor.x
        place = 0 if 2 * abs(x) < step else 1 if 2 * abs(x - self.one) < step else 2
        return Prediction(x, place, shares)

    def take(self, code, models, new, base, chain, anchor):
        """base, chain, anchor: states."""
        past = (base.time - chain.time) % 2**32 if chain else 0
        third = min(65536 * new.interval // (3 * past), 1398101) if past else 0
        step = (22 if new.coarse % 2 else 16) << new.coarse // 2
        return [
            self.take_one(code, models, b, self.predict(b, chain and chain.tracks[i], anchor.tracks[i], third, step), step)
            for i, b in enumerate(base.tracks)
        ]

    @staticmethod
    def take_one(code, models, base, p, step):
        scale = max(16 * base.scale // step, 7)
        zero = code.bit(models["track", "same", min(level_of(scale), 9), base.zero, p.place])
        x, exact, number = base.x if base.exact else p.x, base.exact, 0
        if not zero:
            exact = code.bit(models["track", "exact", base.exact])
            if exact:
                x = take_exact(code)
            else:
                up = code.bit(models["track", "up", p.place if p.place < 2 else 2 + base.sign])
                number = 1 + take_size(code, scale, lambda row, step: models["track", "track_more", row, step], 32)
                number = number if up else -number
                x = p.x + number * step
        require(exact or abs(x) <= 2**30)
        off = [0 if exact or base.exact else min(abs(x - share), 8191) for share in p.shares or [0] * 4]
        errors = tuple(kept(a - (a >> 3) + d) for a, d in zip(base.errors, off))
        scale = kept(base.scale - (base.scale >> 3) + 4 * min(abs(number) * step // 16, 2047))
        sign = base.sign if number == 0 else 1 if number > 0 else 2
        return Track(x, exact, errors, scale, zero, sign)
