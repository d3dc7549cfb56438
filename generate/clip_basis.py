#!/usr/bin/env python3
"""Prints src/clip/basis.def: the sine transform's rows, as integers, that encoder and decoder share."""

from decimal import Decimal, getcontext

getcontext().prec = 40
PI = Decimal("3.14159265358979323846264338327950288419716939937510582")
MOST_INTERVALS = 17


def sine(turns):
    """sin(pi * turns) by its series."""
    x = PI * turns
    term = total = x
    n = 1
    while abs(term) > Decimal(10) ** -35:
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def entry(intervals, frame, k):
    if k + 1 >= intervals:
        return 0
    return int((32767 * sine(Decimal((k + 1) * frame % (2 * intervals)) / intervals)).to_integral_value())


for intervals in range(1, MOST_INTERVALS + 1):
    for frame in range(intervals + 1):
        row = ", ".join(str(entry(intervals, frame, k)) for k in range(16))
        print(f"ROW({intervals}, {frame}, {row})")
