"""Arrays of NumPy as the views of libquatsimd (view.h): shapes, broadcasting, strides, results."""
import math

import numpy as np

from . import _declarations as c
from ._library import lib

STRIDED, SOA = c.QUATSIMD_VIEW_STRIDED, c.QUATSIMD_VIEW_SOA
ORDERS = {"xyzw": c.QUATSIMD_VIEW_XYZW, "wxyz": c.QUATSIMD_VIEW_WXYZ}
QUATERNION, VECTOR, SCALAR, MATRIX = (4,), (3,), (), (3, 3)
FLOAT = np.dtype(np.float32)


def order_of(order):
    try:
        return ORDERS[order]
    except (KeyError, TypeError):
        raise ValueError(f"order: {order!r} is neither 'xyzw' nor 'wxyz'") from None


def floats(name, value, element):
    """The argument as an array of float32 whose last axes are those of an element."""
    array = value if type(value) is np.ndarray else np.asarray(value)
    if array.dtype != FLOAT:
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{name}: numbers are needed, not {array.dtype}")
        with np.errstate(over="ignore"):  # an infinity is refused with its place
            array = array.astype(FLOAT)
    axes = len(element)
    if array.ndim < axes or array.shape[array.ndim - axes :] != element:
        wanted = "(..., " + ", ".join(map(str, element)) + ")" if element else "(...)"
        raise ValueError(f"{name}: the shape must be {wanted}, and it is {array.shape}")
    return array


def whole(name, value):
    """The argument as an int."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(f"{name}: a whole number is needed, not {value!r}") from None


def lead(array, element):
    return array.shape[: array.ndim - len(element)]


def pitch(shape, strides):
    """Bytes from one element to the next, if they are the same through the whole array; 0: one element for all; else None."""
    found, count = 0, 1
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size == 1:
            continue
        if count == 1:
            found = stride
        elif stride != found * count:
            return None
        count *= size
    return found if found >= 0 and found % 4 == 0 else None


def view(array, shape, element, order, struct):
    """A view of the array's elements, broadcast to `shape`; None if no view can say where they are."""
    address = array.ctypes.data
    if array.flags.c_contiguous and lead(array, element) == shape:
        size = 4 * math.prod(element)
        return None if address % 4 else struct(address, None, None, None, size, STRIDED, order)
    axes = len(element)
    own = lead(array, element)
    strides = [0] * (len(shape) - len(own)) + [0 if size == 1 else s for size, s in zip(own, array.strides)]
    step = pitch(shape, strides)
    inner = array.strides[array.ndim - axes :]
    if step is None or address % 4 or (struct is c.quatsimd_out and step == 0 and math.prod(shape) > 1):
        return None
    packed = inner == (4,) or not element or (axes == 2 and inner == (4 * element[1], 4))
    if packed:
        step = step or (0 if struct is c.quatsimd_in else 4 * math.prod(element))
        return struct(address, None, None, None, step, STRIDED, order)
    if axes == 1 and step == 4 and inner[0] % 4 == 0:
        places = [address + i * inner[0] for i in range(element[0])]
        if order:
            places = places[1:] + places[:1]
        return struct(*places, *[None] * (4 - len(places)), 0, SOA, 0)
    return None


def viewed(array, shape, element, order):
    """An input's view, and the array that it points into: a copy where no view can say where the elements are."""
    found = view(array, shape, element, order, c.quatsimd_in)
    if found is None:
        array = np.ascontiguousarray(np.broadcast_to(array, shape + element))
        found = view(array, shape, element, order, c.quatsimd_in)
    return found, array


class Result:
    """An array to write: the caller's `out`, or a new one."""

    def __init__(self, name, out, shape, element, order):
        self.out = out
        if out is None:
            self.array = np.empty(shape + element, FLOAT)
        else:
            if not isinstance(out, np.ndarray):
                raise TypeError(f"{name}: an array of NumPy is needed, not {type(out).__name__}")
            if out.shape != shape + element:
                raise ValueError(f"{name}: the shape must be {shape + element}, and it is {out.shape}")
            if out.dtype.kind != "f":
                raise TypeError(f"{name}: an array of floats is needed, not {out.dtype}")
            if not out.flags.writeable:
                raise ValueError(f"{name}: the array is read-only")
            self.array = out if out.dtype == FLOAT else np.empty(shape + element, FLOAT)
        self.view = view(self.array, shape, element, order, c.quatsimd_out)
        if self.view is None:
            self.array = np.empty(shape + element, FLOAT)
            self.view = view(self.array, shape, element, order, c.quatsimd_out)

    def done(self):
        if self.out is None:
            return self.array
        if self.array is not self.out:
            self.out[...] = self.array
        return self.out


def same(a, b):
    """Whether each element of one array occupies the same bytes in the other."""
    return a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.strides == b.strides


def place(index, shape):
    """The place of element number `index`, as a reader of NumPy writes it."""
    return "[" + ", ".join(str(int(i)) for i in np.unravel_index(index, shape)) + "]" if shape else ""


def refuse(name, array, shape, element, found, why):
    where = tuple(int(i) for i in np.unravel_index(found, shape)) if shape else ()
    value = np.broadcast_to(array, shape + element)[where]
    text = np.array2string(np.asarray(value), separator=", ").replace("\n", "")
    raise ValueError(f"{name}{place(found, shape)} is {text}: {why}")


def check_quaternions(name, array, shape, order, is_unit):
    """Refuses quaternions with a NaN, an infinity or a length that is not 1, or if any will do, that no rotation has."""
    own = lead(array, QUATERNION)
    points, array = viewed(array, own, QUATERNION, order)
    count = math.prod(own)
    found = lib.quatsimd_python_find_not_unit(points, count) if is_unit else lib.quatsimd_find_invalid(points, count, 0)
    if found < count:
        why = "its length must be 1 within 1e-4; quatsimd.normalize makes it so" if is_unit else "this is no rotation"
        refuse(name, array, own, QUATERNION, found, why)


def check_finite(name, array, shape, element):
    """Refuses numbers with a NaN or an infinity."""
    if not np.isfinite(array).all():
        own = lead(array, element)
        bad = ~np.isfinite(array).reshape(own + (-1,)).all(axis=-1)
        refuse(name, array, own, element, int(np.flatnonzero(bad)[0]), "the numbers must be finite")


def compute(function, results, arguments, order="xyzw", extra=()):
    """Calls a function of libquatsimd on arrays.

    results: (name, out, element) of each; arguments: (name, value, element, is_unit) of each, where is_unit is of quaternions alone:
    whether their length must be 1. Returns the array, or a tuple of them."""
    number = order_of(order)
    arrays = [floats(name, value, element) for name, value, element, *_ in arguments]
    shapes = [lead(array, one[2]) for array, one in zip(arrays, arguments)]
    shape = shapes[0]
    if any(other != shape for other in shapes):
        try:
            shape = np.broadcast_shapes(*shapes)
        except ValueError:
            text = ", ".join(f"{one[0]} {array.shape}" for one, array in zip(arguments, arrays))
            raise ValueError(f"these shapes do not go together: {text}") from None
    for (name, _, element, *unit), array in zip(arguments, arrays):
        if element == QUATERNION:
            check_quaternions(name, array, shape, number, unit[0])
        else:
            check_finite(name, array, shape, element)
    made = [Result(name, out, shape, element, number if element == QUATERNION else 0) for name, out, element in results]
    for i, one in enumerate(made):
        for other in made[:i]:
            if one.out is not None and other.out is not None and np.may_share_memory(one.out, other.out):
                raise ValueError(f"{results[i][0]}: the array shares memory with another result")
    views, kept = [], []
    for (_, _, element, *_), array in zip(arguments, arrays):
        if any(one.out is not None and np.may_share_memory(one.array, array) and not same(one.array, array) for one in made):
            array = array.copy()
        points, array = viewed(array, shape, element, number if element == QUATERNION else 0)
        views.append(points)
        kept.append(array)
    status = function(*(one.view for one in made), *views, *extra, math.prod(shape))
    if status < 0:
        raise RuntimeError(f"quatsimd: {lib.quatsimd_status_string(status).decode()}")  # a mistake of this package
    done = tuple(one.done() for one in made)
    return done[0] if len(done) == 1 else done
