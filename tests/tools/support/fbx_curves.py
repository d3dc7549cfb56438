"""Curves of FBX: what their keys, their ends and layers of them give, and how a file writes them."""
import numpy as np

HOLD, HOLD_NEXT, LINEAR, CUBIC = 0x2, 0x102, 0x4, 0x8 | 0x400 | 0x800  # the last: with tangents of its own on both sides
WEIGHTED = 0x3000000  # both tangents of a piece
ADDITIVE, OVERRIDE, PASSTHROUGH = 0, 1, 2  # of layers


class Curve(tuple):
    """(times, values). Of each key: its flags, and the slopes and weights (parts of the piece) at both ends of the piece behind it.
    before, after: (mode, how often), modes as FBX has them: C constant, R repeat, M mirror, A repeat relative, K slope."""

    def __new__(cls, times, values, flags=None, slopes=None, weights=None, before=("C", -1), after=("C", -1)):
        curve = super().__new__(cls, (list(times), list(values)))
        curve.flags = flags or [LINEAR] * len(times)
        curve.slopes = slopes or [(0.0, 0.0)] * len(times)
        curve.weights = weights or [None] * len(times)
        curve.before, curve.after = before, after
        return curve

    def attributes(self):
        """Flags and numbers of the keys, as KeyAttrFlags and KeyAttrDataFloat have them."""
        numbers = np.zeros((len(self.flags), 4), "<f4")
        numbers[:, :2] = self.slopes
        for i, weights in enumerate(self.weights):
            first, second = (round(10000 * w) for w in weights or (1 / 3, 1 / 3))
            numbers[i, 2:3] = np.array([first | second << 16], "<u4").view("<f4")
        flags = [flag | (WEIGHTED if weights else 0) for flag, weights in zip(self.flags, self.weights)]
        return np.array(flags, np.int32), numbers.ravel()

    def piece(self, k, time):
        (times, values), length = self, self[0][k + 1] - self[0][k]
        if self.flags[k] in (HOLD, HOLD_NEXT) and time > times[k]:
            return values[k + (self.flags[k] == HOLD_NEXT)]
        if self.flags[k] != CUBIC:
            return np.interp(time, times, values)
        first, second = self.weights[k] or (1 / 3, 1 / 3)
        right, left = self.slopes[k]
        x, y = (0, first, 1 - second, 1), (
            values[k],
            values[k] + first * length * right,
            values[k + 1] - second * length * left,
            values[k + 1],
        )
        low, high, wanted = 0.0, 1.0, (time - times[k]) / length
        for _ in range(60):
            low, high = (low, (low + high) / 2) if bezier(x, (low + high) / 2) > wanted else ((low + high) / 2, high)
        return bezier(y, low)

    def inside(self, time):
        times, values = self
        k = np.searchsorted(times, time, "right") - 1
        return values[max(min(k, len(times) - 1), 0)] if k < 0 or k >= len(times) - 1 else self.piece(k, time)

    def slope(self, k):
        """At the beginning of the piece k, at the end of the piece before it: k < 0."""
        begins, k = k >= 0, k if k >= 0 else len(self[0]) - 2
        if self.flags[k] == CUBIC:
            return self.slopes[k][0 if begins else 1]
        return 0 if self.flags[k] in (HOLD, HOLD_NEXT) else np.diff(self[1])[k] / np.diff(self[0])[k]

    def at(self, time):
        (times, values), outside = self, self[0][0] if time < self[0][0] else self[0][-1]
        if times[0] <= time <= times[-1] or len(times) == 1:
            return self.inside(time)
        (mode, most), end = (self.before, 0) if time < times[0] else (self.after, -1)
        if mode == "C" or (mode != "K" and most == 0):
            return values[end]
        if mode == "K":
            return values[end] + self.slope(end) * (time - outside)
        length, beyond = times[-1] - times[0], abs(time - outside)
        turn, rest = int(beyond // length), beyond % length
        if 0 <= most <= turn:
            turn, rest = most - 1, length
        back = (time < times[0]) != (mode == "M" and turn % 2 == 0)
        value = self.inside(times[0] + (length - rest if back else rest))
        step = (values[-1] - values[0]) * (turn + 1) * (-1 if end == 0 else 1)
        return value + (step if mode == "A" else 0)


def bezier(p, u):
    return (1 - u) ** 3 * p[0] + 3 * (1 - u) ** 2 * u * p[1] + 3 * (1 - u) * u * u * p[2] + u**3 * p[3]


def layered(base, layers, time, scale=False):
    """layers: [(mode, weight in percent as a number or a Curve, Curve)], above the base, a Curve."""
    value = base.at(time)
    for mode, weight, curve in layers:
        part = min(max((weight.at(time) if isinstance(weight, Curve) else weight) / 100, 0), 1)
        other = curve.at(time)
        if mode == ADDITIVE:
            value = value * other**part if scale else value + part * other
        elif mode == PASSTHROUGH:
            value = value ** (1 - part) * other**part if scale else value * (1 - part) + part * other
        else:
            value = other
    return value
