#!/usr/bin/python3
"""What the warp and the steps of the encoder do to the errors of lattice32; lattice.md explains it. Needs NumPy, takes
a quarter of a minute."""
import itertools

import numpy as np

QUANTA = 405  # from the middle of a chart to its border
WARP = 0.269
DEGREES = 180 / np.pi
SUPERBASE = np.array([[-1, 1, 1], [1, -1, 1], [1, 1, -1], [-1, -1, -1]])  # of the lattice, in half quanta


# ---- warps: pairs of f and its derivative ----


def polynomial(k, k2=0.0):
    return (lambda u: u * (1 + (u * u - 1) * (k + k2 * u * u)), lambda u: 1 + (3 * u * u - 1) * k + k2 * (5 * u * u - 3) * u * u)


def tangent(c):
    return lambda u: np.tan(c * u) / np.tan(c), lambda u: c / np.cos(c * u) ** 2 / np.tan(c)


# ---- the worst error by the local metric: no rotations, no rounding ----


def selling(v):
    """v[point, vector]: superbases, made obtuse: no two of their four vectors have a positive product."""
    pairs = list(itertools.combinations(range(4), 2))
    while True:
        dots = np.stack([(v[:, i] * v[:, j]).sum(-1) for i, j in pairs], -1)
        pair = np.where(dots.max(-1) > 1e-12, dots.argmax(-1), -1)
        if (pair < 0).all():
            return v
        for n, (i, j) in enumerate(pairs):
            at = pair == n
            for k in {0, 1, 2, 3} - {i, j}:
                v[at, k] += v[at, i]
            v[at, i] *= -1


def worst_error(warp, n=40):
    """Degrees. Everywhere in the chart the lattice is a sheared one on the 3-sphere; its covering radius is the largest
    circumradius of its Delaunay tetrahedra, and the rotation's angle is twice that."""
    f, derivative = warp
    u = np.array(list(itertools.combinations_with_replacement(range(n + 1), 3))) / n  # the rest is mirrored and permuted
    x = f(u)[:, None]
    s = np.sqrt(1 + (x * x).sum(-1, keepdims=True))
    e = SUPERBASE * derivative(u)[:, None]
    v = selling((e - x * (e * x).sum(-1, keepdims=True) / (s * (s + 1))) / s)  # |v|^2 = (|e|^2 - (e.x)^2/s^2)/s^2
    worst = 0
    for order in itertools.permutations(range(3)):
        corners = np.cumsum(v[:, order], 1)  # of a tetrahedron; 0 is the fourth
        centre = np.linalg.solve(corners, (corners * corners).sum(-1, keepdims=True) / 2)
        worst = max(worst, (centre * centre).sum((1, 2)).max())
    return 2 * np.sqrt(worst) / (2 * QUANTA) * DEGREES


def print_warps():
    print(f"Worst error of 32 bits ({QUANTA} quanta) by the local metric, degrees")
    for k in sorted([0, 0.05, 0.1, 0.15, 0.2, 0.22, 0.24, 0.26, WARP, 0.28, 0.3, 0.35, 0.4]):
        print(f"  cubic, k = {k:.3f}{', no warp' if k == 0 else '':9}        {worst_error(polynomial(k)):.4f}")
    k = min(np.arange(0.255, 0.285, 0.001), key=lambda k: worst_error(polynomial(k)))
    print(f"  best cubic, k = {k:.3f}            {worst_error(polynomial(k), 80):.4f}")
    k, k2 = min(itertools.product(np.arange(0.2, 0.3, 0.005), np.arange(0, 0.105, 0.01)), key=lambda ks: worst_error(polynomial(*ks), 20))
    print(f"  best quintic, k = {k:.3f}, {k2:.2f}    {worst_error(polynomial(k, k2), 80):.4f}")
    print(f"  tan(u*c)/tan(c), c = 45 degrees   {worst_error(tangent(np.pi / 4), 80):.4f}")
    c = min(np.arange(30, 60), key=lambda c: worst_error(tangent(c / DEGREES)))
    print(f"  the same, best c = {c} degrees     {worst_error(tangent(c / DEGREES), 80):.4f}")
    sizes = (f"{h} quanta {worst_error(polynomial(WARP)) * QUANTA / h:.3g}" for h in (63, 405, 16383, 524287))
    print(f"Cubic, k = {WARP}, at other sizes: {', '.join(sizes)}")


# ---- encoders, in double precision ----

f, f_derivative = polynomial(WARP)


def unwarp_exactly(x):
    u = x
    for _ in range(8):
        u = u - (f(u) - x) / f_derivative(u)
    return u


def unwarp_by_polynomial(degree):
    """u/x as a polynomial of that degree in x^2, whose largest error in u is about the least possible."""
    u = (1 - np.cos(np.linspace(0, np.pi, 2001)))[1:] / 2
    x, weight = f(u), np.ones_like(u)
    for _ in range(200):  # of least squares, with more weight where the error is large
        c = np.polynomial.chebyshev.chebfit(2 * x * x - 1, u / x, degree, w=np.sqrt(weight) * x)
        error = abs(np.polynomial.chebyshev.chebval(2 * x * x - 1, c) * x - u)
        weight *= error / error.max() + 1e-3
        weight /= weight.max()
    return lambda x: x * np.polynomial.chebyshev.chebval(2 * x * x - 1, c), error.max()


def angle(x, y):
    """Between the rotations at x and y in a chart, degrees: of the quaternions (1, x) and (1, y)."""
    d, n2 = y - x, 1 + (x * x).sum(-1)
    sin2 = ((d * d).sum(-1) * n2 - (d * x).sum(-1) ** 2) / n2 / (1 + (y * y).sum(-1))
    return 2 * DEGREES * np.arcsin(np.sqrt(sin2))


def encode(x, unwarp, moves):
    """The point of the lattice, in the chart, as docs/codec.md computes it."""
    t, n2 = QUANTA * unwarp(x), 1 + (x * x).sum(-1, keepdims=True)
    even = np.rint(t)
    e = f(even / QUANTA) - x
    half = f_derivative(even / QUANTA) / (2 * QUANTA)
    down = np.where(e >= 0, -1, 1)
    result = None
    for point, e in ((even, e), (even + down / 2, e + down * half)):
        p = (e * x).sum(-1, keepdims=True)
        c = e - p * x / n2
        d = half * (half * (1 - x * x / n2) - abs(c))
        axis = d.argmin(-1)[:, None]
        m = np.minimum(np.take_along_axis(d, axis, -1), 0) * moves
        move = np.where(c >= 0, -1, 1) * (np.arange(3) == axis) * (m < 0)
        cost = (e * e).sum(-1, keepdims=True) - p * p / n2 + 4 * m
        result = (cost, point + move) if result is None else (cost, np.where(cost < result[0], point + move, result[1]))
    return f(result[1] / QUANTA)


def nearest_angle(x):
    """Of the 54 points around x."""
    t = QUANTA * unwarp_exactly(x)
    best = np.full(len(x), np.inf)
    for s in (0, 0.5):
        for step in itertools.product((-1, 0, 1), repeat=3):
            best = np.minimum(best, angle(x, f((np.rint(t - s) + s + step) / QUANTA)))
    return best


def random_charts(count, random):
    q = random.standard_normal((count, 4))
    order = abs(q).argsort(-1)
    q = np.take_along_axis(q, order, -1)
    return q[:, :3] / q[:, 3:]


def climb(x, encoder, random):
    """The worst error near the points x: the best of steps of all sizes, again and again."""
    best = angle(x, encode(x, *encoder))
    for scale in np.geomspace(1, 1e-4, 400):
        y = np.clip(x + random.standard_normal(x.shape) * scale / QUANTA, -1, 1)
        error = angle(y, encode(y, *encoder))
        x, best = np.where((error > best)[:, None], y, x), np.maximum(error, best)
    return best.max()


def print_encoders(count=400000):
    random = np.random.default_rng(1)
    x = random_charts(count, random)
    nearest = nearest_angle(x)
    print(
        f"\nEncoders of 32 bits, {count} random rotations, in double precision: worst error in degrees, climbing from the"
        "\nworst; rotations of 10,000 that are 1 % of 0.1176 further than the nearest point of the chart"
    )
    encoders = [("no moved axes", unwarp_exactly, 0), ("moved axes", unwarp_exactly, 1)]
    for degree in (3, 4, 5, 6):
        unwarp, error = unwarp_by_polynomial(degree)
        encoders.append((f"moved axes, degree {degree}: u within {error:.0e}", unwarp, 1))
    for name, *encoder in encoders:
        error = angle(x, encode(x, *encoder))
        misses = (error > nearest + 0.01 * 0.1176).mean() * 1e4
        worst = climb(x[error.argsort()[-2000:]], encoder, random)
        print(f"  {name:40} {worst:.4f} {misses:8.2f}")
    print(f"  {'the nearest point':40} {nearest.max():.4f}")


if __name__ == "__main__":
    print_warps()
    print_encoders()
