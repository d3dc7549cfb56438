"""Packed formats: pack, unpack, transcode, formats."""
import ctypes
import functools
import math
import typing

import numpy as np

from . import _declarations as c
from ._arrays import QUATERNION, Result, check_quaternions, floats, lead, order_of, viewed, whole
from ._library import check, lib

# The type of a code, and what it adds to the shape. Codes of other sizes have no gaps between them: bytes in one row.
CODES = {24: ("u1", (3,)), 32: ("<u4", ()), 48: ("<u2", (3,)), 64: ("<u8", ()), 128: ("<f4", (4,))}


class Format(typing.NamedTuple):
    """A packed format. Errors are angles in radians between a rotation and its round trip."""

    name: str
    bits: int
    worst_error: float
    mean_error: float
    exact_identity: bool
    origin: str


def describe(number):
    info = lib.quatsimd_get_format_info(number).contents
    return Format(info.name.decode(), info.bits, info.worst_error, info.mean_error, bool(info.exact_identity), info.origin.decode())


@functools.lru_cache(maxsize=None)
def format_of(name, argument="format"):
    """The number and the description of a format."""
    found = ctypes.c_int()
    if not isinstance(name, str):
        raise TypeError(f"{argument}: the name of a format is needed, not {name!r}")
    if lib.quatsimd_format_from_name(ctypes.byref(found), name.encode()) < 0:
        raise ValueError(f"{argument}: there is no format {name!r}; quatsimd.formats() lists them")
    return found.value, describe(found.value)


def formats():
    """All packed formats, with their size and their errors."""
    found, number = [], ctypes.c_int()
    while lib.quatsimd_format_at(ctypes.byref(number), len(found)) >= 0:
        found.append(describe(number.value))
    return found


def codes(packed, bits, argument, shape):
    """The bytes of packed rotations without gaps, and the shape of the array of rotations."""
    packed = np.asarray(packed)
    dtype, more = CODES.get(bits, ("u1", None))
    if packed.dtype.newbyteorder("=") != np.dtype(dtype).newbyteorder("="):
        raise TypeError(f"{argument}: codes of {bits} bits are {np.dtype(dtype).name}, not {packed.dtype}")
    packed = np.ascontiguousarray(packed, dtype)
    if more is None:
        if shape is None:
            raise ValueError(f"shape: codes of {bits} bits lie in bytes without gaps, which do not say how many there are")
        shape = tuple(whole("shape", n) for n in (shape if isinstance(shape, (tuple, list)) else [shape]))
        if any(n < 0 for n in shape):
            raise ValueError(f"shape: {shape} has a negative number")
        size = (math.prod(shape) * bits + 7) // 8
        if packed.shape != (size,):
            raise ValueError(f"{argument}: {math.prod(shape)} codes of {bits} bits are an array of {size} bytes, not {packed.shape}")
        return packed, shape
    if packed.shape[packed.ndim - len(more) :] != more or packed.ndim < len(more):
        raise ValueError(f"{argument}: the shape must be (..., {more[0]}), and it is {packed.shape}")
    found = packed.shape[: packed.ndim - len(more)]
    if shape is not None and math.prod(shape if isinstance(shape, (tuple, list)) else [shape]) != math.prod(found):
        raise ValueError(f"shape: {argument} has {math.prod(found)} codes, not {shape}")
    return packed, found


def empty_codes(bits, shape):
    dtype, more = CODES.get(bits, ("u1", None))
    return np.empty((math.prod(shape) * bits + 7) // 8 if more is None else shape + more, dtype)


def pack(q, format, order="xyzw", invalid="raise"):  # pylint: disable=redefined-builtin
    """Packs rotations, an array (..., 4) of quaternions of any length.

    Formats of 32 bits give uint32 (...), of 64 bits uint64 (...), of 24 bits uint8 (..., 3), of 48 bits uint16 (..., 3), float4
    float32 (..., 4), and others uint8 without gaps. The numbers, and their bytes in a file, are the same on every machine.
    invalid: "raise", or "identity", which takes the place of quaternions that are no rotations: with a NaN, or of length 0.
    """
    if invalid not in ("raise", "identity"):
        raise ValueError(f"invalid: {invalid!r} is neither 'raise' nor 'identity'")
    number, info = format_of(format)
    order = order_of(order)
    array = floats("q", q, QUATERNION)
    shape = lead(array, QUATERNION)
    points, array = viewed(array, shape, QUATERNION, order)
    packed = empty_codes(info.bits, shape)
    status = lib.quatsimd_pack(number, packed.ctypes.data, packed.nbytes, points, math.prod(shape))
    if status == c.QUATSIMD_WARNING_REPLACED_INVALID and invalid == "raise":
        check_quaternions("q", array, shape, order, False)
    check(status)
    return packed


def unpack(packed, format, shape=None, order="xyzw", out=None):  # pylint: disable=redefined-builtin
    """Unpacks codes to unit quaternions, float32 (..., 4). `shape` is needed for formats whose codes have no whole bytes."""
    number, info = format_of(format)
    packed, shape = codes(packed, info.bits, "packed", shape)
    result = Result("out", out, shape, QUATERNION, order_of(order))
    if result.out is not None and np.may_share_memory(result.array, packed):
        packed = packed.copy()
    check(lib.quatsimd_unpack(number, result.view, packed.ctypes.data, packed.nbytes, 0, math.prod(shape)))
    return result.done()


def transcode(packed, from_format, to_format, shape=None):
    """Converts codes of one format to another, with the bits of pack(unpack(packed, from_format), to_format)."""
    from_number, from_info = format_of(from_format, "from_format")
    to_number, to_info = format_of(to_format, "to_format")
    packed, shape = codes(packed, from_info.bits, "packed", shape)
    result = empty_codes(to_info.bits, shape)
    check(
        lib.quatsimd_transcode(
            to_number, result.ctypes.data, result.nbytes, from_number, packed.ctypes.data, packed.nbytes, math.prod(shape)
        )
    )
    return result
