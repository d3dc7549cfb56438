#!/usr/bin/env python3
"""Prints tools/files/letter_cases.def: which characters become which capital letters, by Unicode as this Python has it."""
import sys

runs = []  # first, last, step, what is added
for c in range(0x80, 0x110000):
    capital = min(chr(c).upper(), chr(c).title(), key=len)  # upper() may have two, where one character is the title
    if len(capital) != 1 or ord(capital) == c:
        continue
    add = ord(capital) - c
    if runs and runs[-1][3] == add:
        first, last, step, _ = runs[-1]
        if c - last <= 2 and (first == last or c - last == step):
            runs[-1] = (first, c, c - last, add)
            continue
    runs.append((c, c, 1, add))
print("/* First, last, step, and what is added to become capital. By generate/letter_cases.py. */")
for run in runs:
    print("{0x%04x, 0x%04x, %d, %d}," % run)
print("%d runs" % len(runs), file=sys.stderr)
