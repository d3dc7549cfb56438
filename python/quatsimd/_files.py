"""Bytes of files, names, and what libquatsimd opens and encodes."""
import ctypes
import mmap
import os

import numpy as np

from . import _declarations as c
from ._library import check, lib

NOWHERE = ctypes.c_size_t(-1).value  # a number in a report: none


def raw(name, value):
    """The bytes of an object, as an array that keeps them. Those that could change are copied."""
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"{name}: bytes are needed, not {type(value).__name__}") from None
    return np.frombuffer(view if view.readonly and view.c_contiguous else view.tobytes(), np.uint8)


def contents(name, source, mapped=False):
    """The bytes at a path, or those of an object."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            empty = not mapped or os.fstat(file.fileno()).st_size == 0  # mmap refuses an empty file
            source = file.read() if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return raw(name, source)


def text(name, value):
    """A name in UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: a str is needed, not {type(value).__name__}")
    try:
        found = value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {value!r} has no form in UTF-8") from None
    if b"\0" in found:
        raise ValueError(f"{name}: {value!r} has a NUL")
    return found


def texts(name, values):
    if isinstance(values, str):
        raise TypeError(f"{name}: a list of names is needed, not one str")
    return [text(f"{name}[{i}]", value) for i, value in enumerate(values)]


def opened(where, kind, size, function, kept, before=(), after=()):
    """Opens an object in memory of `size` bytes. The handle keeps the memory, and what the object points to."""
    memory = (ctypes.c_uint64 * (size // 8 + 1))()
    handle = ctypes.POINTER(kind)()
    check(function(*before, ctypes.byref(handle), memory, ctypes.sizeof(memory), *after), where)
    handle.kept = memory, kept
    return handle


def opened_bytes(name, source, kind, mapped=False):
    """Opens the bytes at a path, or those of an object: a skeleton, clip or bundle."""
    data = contents(name, source, mapped)
    where = os.fspath(source) if isinstance(source, (str, os.PathLike)) else name
    size, function = (getattr(lib, f"quatsimd_{kind}_{name}") for name in ("memory_size", "open"))
    return opened(where, getattr(c, f"quatsimd_{kind}"), size(), function, data, after=(data.ctypes.data, data.size))


def encoded(kind, source, extra, place):
    """The bytes that quatsimd_{kind}_encode makes, in an array of ctypes, and its report. place(report) begins an error."""
    report = getattr(c, f"quatsimd_{kind}_report")()
    getattr(lib, f"quatsimd_{kind}_report_init")(ctypes.byref(report), ctypes.sizeof(report))
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    encode = getattr(lib, f"quatsimd_{kind}_encode")
    status = encode(ctypes.byref(data), ctypes.byref(size), ctypes.byref(source), extra, ctypes.byref(report))
    if status < 0:
        check(status, place(report), report)
    try:
        return bytes((ctypes.c_ubyte * size.value).from_address(data.value)), report
    finally:
        getattr(lib, f"quatsimd_{kind}_free")(None, data)
