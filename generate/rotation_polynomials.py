#!/usr/bin/python3
"""The coefficients of src/simd/kernels/rotation.h and their errors. PAST_HALF is the one of
src/clip/sample/velocity.c. Needs NumPy."""
import numpy as np
from numpy.polynomial import chebyshev, polynomial


def of_square(f, x, at_0):
    """f(sqrt(x)) / sqrt(x), at_0 its limit."""
    y = np.sqrt(np.maximum(x, 1e-16))
    return np.where(x < 1e-16, at_0, f(y) / y)


def fit(f, start, end, terms):
    """A polynomial for f on start..end, nearly the best one, and the worst of its relative error."""
    t = np.cos((np.arange(400) + 0.5) * np.pi / 400)
    p = chebyshev.cheb2poly(chebyshev.chebfit(t, f(start + (t + 1) * (end - start) / 2), terms - 1))
    coefficients = np.zeros(1)
    for c in p[::-1]:  # t = (2 x - start - end) / (end - start)
        t_of_x = [-(start + end) / (end - start), 2 / (end - start)]
        coefficients = polynomial.polyadd(polynomial.polymul(coefficients, t_of_x), [c])
    coefficients = coefficients[:terms]
    x = np.linspace(start, end, 20001)
    return coefficients, np.max(np.abs(polynomial.polyval(x, coefficients) - f(x)) / np.maximum(np.abs(f(x)), 0.1))


QUARTER = (np.pi / 2) ** 2


def cosine_over_distance(x):
    """cos(sqrt(x)) / (QUARTER - x), which has no zero; its limit at QUARTER is 1 / pi."""
    distance = QUARTER - x
    near = np.abs(distance) < 1e-8
    return np.where(near, 1 / np.pi, np.cos(np.sqrt(x)) / np.where(near, 1, distance))


def angle_over_sine(cosine):
    """s / sin(s) by the cosine of s."""
    s = np.arccos(np.minimum(cosine, 1))
    return np.where(s < 1e-6, 1, s / np.maximum(np.sin(s), 1e-9))


for name, f, start, end, terms in [
    ("SIN", lambda x: of_square(np.sin, x, 1), 0, QUARTER, 6),
    ("COS", lambda x: np.cos(np.sqrt(x)), 0, QUARTER, 6),
    ("ATAN", lambda x: of_square(np.arctan, x, 1), 0, 1, 10),
    ("ARC2", lambda u: 4 * of_square(np.arcsin, u, 1) ** 2, 0, 0.5, 9),
    ("ARC_SIN", lambda u: angle_over_sine(1 - 2 * u), 0, 0.5, 10),
    ("ARC", lambda w: 2 * angle_over_sine(w), 0, 1, 10),
    ("PAST_HALF", lambda w: 2 * angle_over_sine(w), -0.07, 1, 11),
]:
    found, error = fit(f, start, end, terms)
    print(f"/* within {error:.0e} */")
    print(f"static const double ROTATION_{name}[] = {{{', '.join(float(c).hex() for c in found)}}};")

for name, f in [("HALF_SIN", lambda x: of_square(np.sin, x, 1)), ("HALF_COS", cosine_over_distance)]:
    found, error = fit(f, 0, QUARTER, 5)
    print(f"/* within {error:.0e} */")
    print(f"static const float ROTATION_{name}[] = {{{', '.join(float(np.float32(c)).hex() + 'f' for c in found)}}};")
