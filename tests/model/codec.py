"""All formats in the order of the library; arrays of them."""
import pathlib
import re
import sys

import numpy as np

import others
from arithmetic import bytes_to_words, components, replace_invalid, words_to_bytes
from formats import float4
from table import ADDED

assert others  # importing it adds its formats
FORMATS_DEF = (pathlib.Path(__file__).parents[2] / "src" / "codec" / "formats.def").read_text(encoding="ascii")
# name, storage, bits, exact
LIBRARY = re.findall(r'^(?:FORMAT|VARIANT)\(.*?"(.*?)", (\w+), (\d+), ([01]),', FORMATS_DEF, re.MULTILINE)
if sorted(ADDED) != sorted(row[0] for row in LIBRARY):
    sys.exit("formats that are not both here and in formats.def: " + " ".join(ADDED.keys() ^ {row[0] for row in LIBRARY}))
FORMATS = {row[0]: ADDED[row[0]] for row in LIBRARY}


def packed_size(name, n):
    return (n * FORMATS[name].width + 7) // 8


def pack(name, quats):
    """float32[n, 4] to bytes."""
    quats = np.ascontiguousarray(quats, np.float32)
    if name == "float4":
        return float4(quats).astype("<f4").tobytes()
    q, n2 = replace_invalid(components(quats))
    return words_to_bytes(FORMATS[name].pack(q, n2), FORMATS[name].width)


def unpack(name, data, n):
    """bytes to float32[n, 4]."""
    assert len(data) >= packed_size(name, n)
    if name == "float4":
        return float4(np.frombuffer(data, "<f4", 4 * n).astype(np.float32).reshape(n, 4))
    q = FORMATS[name].unpack(bytes_to_words(data, FORMATS[name].width, n))
    return np.ascontiguousarray(q.T.astype(np.float32))
