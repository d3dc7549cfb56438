"""Rotation algebra over arrays (rotation.h), by the names of SciPy's Rotation where it has one."""
import math

import numpy as np

from . import _declarations as c
from ._arrays import MATRIX, QUATERNION, SCALAR, VECTOR, check_finite, check_quaternions, compute, floats, lead, order_of, viewed
from ._library import lib

UNIT, ANY = (QUATERNION, True), (QUATERNION, False)  # quaternions of length 1, and of any


def one(function, out, element, order, *arguments, extra=()):
    return compute(function, [("out", out, element)], arguments, order, extra)


def normalize(q, out=None, order="xyzw"):
    """Quaternions of length 1: q / |q|."""
    return one(lib.quatsimd_normalize, out, QUATERNION, order, ("q", q, *ANY))


def conjugate(q, out=None, order="xyzw"):
    """(-x, -y, -z, w), which is the inverse of a quaternion of length 1."""
    return one(lib.quatsimd_conjugate, out, QUATERNION, order, ("q", q, *ANY))


def inv(q, out=None, order="xyzw"):
    """The inverse, of quaternions of any length."""
    return one(lib.quatsimd_inverse, out, QUATERNION, order, ("q", q, *ANY))


def multiply(a, b, out=None, order="xyzw"):
    """Hamilton's product a b, which rotates by b first, then by a. Of quaternions of any length."""
    return one(lib.quatsimd_multiply, out, QUATERNION, order, ("a", a, *ANY), ("b", b, *ANY))


def dot(a, b, out=None, order="xyzw"):
    """The sum of the products of components, of quaternions of any length: float32 (...)."""
    return one(lib.quatsimd_dot, out, SCALAR, order, ("a", a, *ANY), ("b", b, *ANY))


def norm(q, out=None, order="xyzw"):
    """The length |q|: float32 (...)."""
    return one(lib.quatsimd_norm, out, SCALAR, order, ("q", q, *ANY))


def angle_between(a, b, out=None, order="xyzw"):
    """The angle of the rotation from a to b, in radians from 0 to pi: float32 (...)."""
    return one(lib.quatsimd_angle_between, out, SCALAR, order, ("a", a, *UNIT), ("b", b, *UNIT))


def magnitude(q, out=None, order="xyzw"):
    """The angle of rotations, in radians from 0 to pi: float32 (...)."""
    identity = (0, 0, 0, 1) if order == "xyzw" else (1, 0, 0, 0)
    return one(lib.quatsimd_angle_between, out, SCALAR, order, ("q", q, *UNIT), ("identity", identity, *UNIT))


def apply(q, v, out=None, order="xyzw"):
    """Vectors v (..., 3), rotated by q: q v q^-1."""
    return one(lib.quatsimd_rotate, out, VECTOR, order, ("q", q, *UNIT), ("v", v, VECTOR))


def slerp(a, b, t, out=None, order="xyzw"):
    """Rotations on the shorter way from a (t = 0) to b (t = 1) at constant speed."""
    return one(lib.quatsimd_slerp, out, QUATERNION, order, ("a", a, *UNIT), ("b", b, *UNIT), ("t", t, SCALAR))


def nlerp(a, b, t, out=None, order="xyzw"):
    """Rotations on the shorter way from a (t = 0) to b (t = 1): linear interpolation, normalised. Its speed is not constant."""
    return one(lib.quatsimd_nlerp, out, QUATERNION, order, ("a", a, *UNIT), ("b", b, *UNIT), ("t", t, SCALAR))


def squad(a, a_control, b_control, b, t, out=None, order="xyzw"):
    """Rotations from a (t = 0) to b (t = 1) on a smooth curve (Shoemake 1987); squad_control makes the controls."""
    keys = (("a", a, *UNIT), ("a_control", a_control, *UNIT), ("b_control", b_control, *UNIT), ("b", b, *UNIT))
    return one(lib.quatsimd_squad, out, QUATERNION, order, *keys, ("t", t, SCALAR))


def squad_control(before, q, after, out=None, order="xyzw"):
    """The control quaternion of a key for squad, from the keys before and after it."""
    return one(lib.quatsimd_squad_control, out, QUATERNION, order, ("before", before, *UNIT), ("q", q, *UNIT), ("after", after, *UNIT))


def from_rotvec(rotvec, out=None, order="xyzw"):
    """Rotations of rotation vectors (..., 3): an axis times an angle in radians."""
    return one(lib.quatsimd_exp, out, QUATERNION, order, ("rotvec", rotvec, VECTOR))


def as_rotvec(q, out=None, order="xyzw"):
    """Rotation vectors (..., 3): an axis times an angle in radians, from 0 to pi."""
    return one(lib.quatsimd_log, out, VECTOR, order, ("q", q, *UNIT))


def from_mrp(mrp, out=None, order="xyzw"):
    """Rotations of modified Rodrigues parameters (..., 3): an axis times tan(angle / 4)."""
    return one(lib.quatsimd_from_cayley, out, QUATERNION, order, ("mrp", mrp, VECTOR))


def as_mrp(q, out=None, order="xyzw"):
    """Modified Rodrigues parameters (..., 3): an axis times tan(angle / 4), of length 0 to 1."""
    return one(lib.quatsimd_to_cayley, out, VECTOR, order, ("q", q, *UNIT))


def from_axis_angle(axis, angle, out=None, order="xyzw"):
    """Rotations about axes (..., 3) of any length, by angles (...) in radians."""
    return one(lib.quatsimd_from_axis_angle, out, QUATERNION, order, ("axis", axis, VECTOR), ("angle", angle, SCALAR))


def as_axis_angle(q, order="xyzw"):
    """Unit axes (..., 3) and angles (...) in radians, from 0 to pi. The axis of the identity is (1, 0, 0)."""
    return compute(lib.quatsimd_to_axis_angle, [("axis", None, VECTOR), ("angle", None, SCALAR)], [("q", q, *UNIT)], order)


def from_matrix(matrix, out=None, order="xyzw"):
    """Rotations of matrices (..., 3, 3), m[..., row, column], which must be rotations within rounding."""
    array = floats("matrix", matrix, MATRIX)  # C reads columns, which are the rows of the inverse
    result = one(lib.quatsimd_from_matrix3, out, QUATERNION, order, ("matrix", array, MATRIX))
    return one(lib.quatsimd_conjugate, result, QUATERNION, order, ("q", result, *ANY))


def as_matrix(q, out=None, order="xyzw"):
    """Matrices (..., 3, 3), m[..., row, column], that rotate vectors as q does: m @ v."""
    inverse = one(lib.quatsimd_conjugate, None, QUATERNION, order, ("q", q, *UNIT))
    return one(lib.quatsimd_to_matrix3, out, MATRIX, order, ("q", inverse, *UNIT))


def euler_order(seq):
    name = f"QUATSIMD_{'INTRINSIC' if seq.isupper() else 'EXTRINSIC'}_{seq.upper()}" if isinstance(seq, str) else ""
    if not isinstance(seq, str) or seq not in (seq.upper(), seq.lower()) or not hasattr(c, name):
        raise ValueError(f"seq: {seq!r} is not three axes such as 'xyz' (about fixed axes) or 'ZXY' (about those of the body)")
    return getattr(c, name)


def from_euler(seq, angles, degrees=False, out=None, order="xyzw"):
    """Rotations of three angles (..., 3) about the axes of `seq`, as SciPy has them: 'xyz' turns about fixed axes, x first, and
    'XYZ' about those of the body."""
    number = euler_order(seq)
    angles = np.radians(angles) if degrees else angles
    return one(lib.quatsimd_from_euler, out, QUATERNION, order, ("angles", angles, VECTOR), extra=(number,))


def as_euler(q, seq, degrees=False, out=None, order="xyzw"):
    """Three angles (..., 3) about the axes of `seq`, as from_euler takes them. The second is from -pi/2 to pi/2, or from 0 to pi
    if the first axis is the third one, too."""
    number = euler_order(seq)
    angles = one(lib.quatsimd_to_euler, out, VECTOR, order, ("q", q, *UNIT), extra=(number,))
    return np.degrees(angles, out=angles) if degrees else angles


def integrate(q, velocity, dt, out=None, order="xyzw"):
    """Orientations after a time dt at a constant angular velocity (..., 3), in radians per unit of time, in the world's axes."""
    return one(lib.quatsimd_integrate, out, QUATERNION, order, ("q", q, *UNIT), ("velocity", velocity, VECTOR), ("dt", dt, SCALAR))


def angular_velocity(a, b, dt, out=None, order="xyzw"):
    """The constant angular velocity (..., 3) that takes a to b by the shorter way in the time dt, in the world's axes."""
    return one(lib.quatsimd_angular_velocity, out, VECTOR, order, ("a", a, *UNIT), ("b", b, *UNIT), ("dt", dt, SCALAR))


def predict(before, last, out=None, order="xyzw"):
    """The next orientation of bodies that keep turning as from `before` to `last`."""
    return one(lib.quatsimd_predict, out, QUATERNION, order, ("before", before, *UNIT), ("last", last, *UNIT))


def mean(q, weights=None, order="xyzw"):
    """The mean of rotations (n, 4), with weights (n): the eigenvector of the largest eigenvalue of the sum of q q^T."""
    number = order_of(order)
    array = floats("q", q, QUATERNION)
    shape = lead(array, QUATERNION)
    if math.prod(shape) == 0:
        raise ValueError("q: there are no rotations")
    check_quaternions("q", array, shape, number, False)
    points, array = viewed(array, shape, QUATERNION, number)
    scalars = None
    if weights is not None:
        weights = floats("weights", weights, SCALAR)
        if weights.shape != shape:
            raise ValueError(f"weights: the shape must be {shape}, and it is {weights.shape}")
        check_finite("weights", weights, shape, SCALAR)
        if not (weights >= 0).all() or not weights.any():
            raise ValueError("weights: none may be negative, and they may not all be 0")
        scalars, weights = viewed(weights, shape, SCALAR, 0)
    result = np.empty(4, np.float32)
    lib.quatsimd_mean(result.ctypes.data, points, scalars, math.prod(shape))
    return result if order == "xyzw" else np.roll(result, 1)


def make_continuous(q, order="xyzw"):
    """The keys (n, 4) of a curve with signs such that no two neighbours have a negative dot product."""
    number = order_of(order)
    array = floats("q", q, QUATERNION)
    if array.ndim != 2:
        raise ValueError(f"q: the shape must be (n, 4), and it is {array.shape}")
    check_quaternions("q", array, array.shape[:1], number, False)
    result = np.array(array, np.float32, order="C")
    lib.quatsimd_make_continuous(c.quatsimd_out(result.ctypes.data, None, None, None, 16, c.QUATSIMD_VIEW_STRIDED, number), len(result))
    return result
