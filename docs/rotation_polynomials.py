#!/usr/bin/python3
"""The coefficients of src/simd/kernel_rotation.h and their errors. Needs NumPy."""
import numpy as np
from numpy.polynomial import chebyshev, polynomial


def of_square(f, x, at_0):
    """f(sqrt(x)) / sqrt(x), at_0 its limit."""
    y = np.sqrt(np.maximum(x, 1e-16))
    return np.where(x < 1e-16, at_0, f(y) / y)


def fit(f, end, terms):
    """A polynomial for f on 0..end, nearly the best one, and the worst of its relative error."""
    t = np.cos((np.arange(400) + 0.5) * np.pi / 400)
    p = chebyshev.cheb2poly(chebyshev.chebfit(t, f((t + 1) * end / 2), terms - 1))
    coefficients = np.zeros(1)
    for c in p[::-1]:  # t = 2 x / end - 1
        coefficients = polynomial.polyadd(polynomial.polymul(coefficients, [-1, 2 / end]), [c])
    coefficients = coefficients[:terms]
    x = np.linspace(0, end, 20001)
    return coefficients, np.max(np.abs(polynomial.polyval(x, coefficients) - f(x)) / np.maximum(np.abs(f(x)), 0.1))


QUARTER = (np.pi / 2) ** 2
for name, f, end, terms in [
        ("SIN", lambda x: of_square(np.sin, x, 1), QUARTER, 6),
        ("COS", lambda x: np.cos(np.sqrt(x)), QUARTER, 6),
        ("ATAN", lambda x: of_square(np.arctan, x, 1), 1, 10),
        ("ARC2", lambda x: 4 * of_square(np.arcsin, x, 1) ** 2, 0.5, 9)]:
    found, error = fit(f, end, terms)
    print(f"/* within {error:.0e} */")
    print(f"static const double {name}[] = {{{', '.join(float(c).hex() for c in found)}}};")
