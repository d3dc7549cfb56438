"""Curves: keys of one joint or track, as animation files have them and encoding takes them."""
import typing

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT, SCALAR, check_finite
from ._rotations import normalize, slerp

INTERPOLATIONS = {"linear": c.QUATSIMD_CURVE_LINEAR, "hold": c.QUATSIMD_CURVE_HOLD, "cubic": c.QUATSIMD_CURVE_CUBIC}


def seconds(name, value):
    """Times as float64."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are needed, not {array.dtype}")
    array = array.astype(np.float64, copy=False)
    check_finite(name, array, array.shape, SCALAR)
    return array


class Curve(typing.NamedTuple):
    """Keys of one joint's rotation (n, 4), translation or scale (n, 3), or of a track (n), at times (n) in seconds.

    interpolation: 'linear' (rotations: slerp), 'hold', or 'cubic' as in glTF, with values (n, 3, ...): for each key the tangent
    before it, its value, and the tangent behind it."""

    times: np.ndarray
    values: np.ndarray
    interpolation: str = "linear"

    def sample(self, times):
        """The values at these times; before the first key and after the last those of the key."""
        times, keys, values = seconds("times", times), np.asarray(self.times, np.float64), np.asarray(self.values, FLOAT)
        knots, count = values, len(keys)
        if self.interpolation == "cubic":
            values = knots[:, 1]
        if count == 1:
            return np.broadcast_to(values[0], times.shape + values.shape[1:]).copy()
        at = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, count - 1)
        if self.interpolation == "hold":
            return values[at]
        at = np.minimum(at, count - 2)
        length = keys[at + 1] - keys[at]
        part = np.clip((times - keys[at]) / length, 0, 1)
        is_rotation = values.shape[1:] == (4,)
        if self.interpolation == "linear" and is_rotation:
            return slerp(normalize(values[at]), normalize(values[at + 1]), part)
        axes = times.shape + (1,) * (values.ndim - 1)
        t, length = part.reshape(axes), length.reshape(axes)
        if self.interpolation == "linear":
            return ((1 - t) * values[at] + t * values[at + 1]).astype(np.float32)
        leaving, coming = length * knots[at, 2], length * knots[at + 1, 0]
        result = (2 * t**3 - 3 * t**2 + 1) * values[at] + (t**3 - 2 * t**2 + t) * leaving
        result += (3 * t**2 - 2 * t**3) * values[at + 1] + (t**3 - t**2) * coming
        if is_rotation:
            result /= np.linalg.norm(result, axis=-1, keepdims=True)
        return result.astype(np.float32)
