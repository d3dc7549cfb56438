"""The formats: formats.py and others.py add each behind its functions."""
from collections import namedtuple

import numpy as np

# width: bits per element. pack(q, n2) makes words of valid quaternions, unpack(words) makes double[4, n]. bound: of the angle
# between a rotation and its round trip, in radians, from above, within four times: twice the largest error of the quaternion,
# plus a little for what is not linear in it. keeps_sign: q and -q are packed to different words.
Format = namedtuple("Format", "width pack unpack bound keeps_sign")
ADDED = {}


def add(name, width, pack, unpack, bound, keeps_sign=False):
    assert name not in ADDED, name
    ADDED[name] = Format(width, pack, unpack, bound, keeps_sign)


def four_bound(error):
    """Of four components that err by as much each."""
    return 2 * np.sqrt(4) * error


# ---- known answers, which they add, too ----

KNOWN_WORDS, KNOWN_QUATERNIONS = [], []
HALF = [0.5, 0.5, 0.5, -0.5]
TINY = 2.0**-140  # denormal
