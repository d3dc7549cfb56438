"""Files of animations and rotations, by the readers of the command: load."""
import ctypes
import math
import os
import threading
import typing
import warnings

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT, order_of
from ._curve import INTERPOLATIONS, Curve, seconds
from ._library import Error, find
from ._pose import Pose
from ._skeleton import Skeleton

NAMES = {number: name for name, number in INTERPOLATIONS.items()}
WIDTHS = (4, 3, 3)
one_at_a_time = threading.Lock()
loaded = []


def command_library():
    """The library of the command, which is loaded when it is needed."""
    if not loaded:
        loaded.append(c.load(find("quatsimd_command")))
    return loaded[0]


class Animation(typing.NamedTuple):
    """An animation of a file. Each list has a Curve for each joint, or for each track; None: nothing moves it, and it is at rest."""

    name: str
    rotations: list
    translations: list
    scales: list
    tracks: list

    def span(self):
        """The times of the first and of the last key, in seconds."""
        curves = [curve for curves in self[1:] for curve in curves if curve]
        return min((curve.times[0] for curve in curves), default=0.0), max((curve.times[-1] for curve in curves), default=0.0)


class Scene(typing.NamedTuple):
    """The joints of a file and its animations. Lengths are in the file's unit."""

    skeleton: Skeleton
    animations: list

    def sample(self, animation, times):
        """The poses of one of this scene's animations at times in seconds, which give the poses their leading axes."""
        times, found = seconds("times", times), []
        for rest, curves in zip(self.skeleton.rest.arrays(), animation[1:]):
            values = np.empty(times.shape + rest.shape, FLOAT)
            for number, curve in enumerate(curves):
                values[(..., number) + (slice(None),) * (rest.ndim - 1)] = curve.sample(times) if curve else rest[number]
            found.append(values)
        return Pose._of(found)


def copied(address, type_, shape):
    """A copy of an array of C."""
    if math.prod(shape) == 0:
        return np.empty(shape, type_)
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(type_)), shape).copy()


class Curves:
    """The curves of a file. Those that share keys there share arrays, which therefore are read-only."""

    def __init__(self):
        self.arrays = {}

    def array(self, address, type_, shape):
        if (address, shape) not in self.arrays:
            self.arrays[address, shape] = copied(address, type_, shape)
            self.arrays[address, shape].flags.writeable = False
        return self.arrays[address, shape]

    def curve(self, of, *width):
        if of.keys == 0:
            return None
        shape = (of.keys, 3, *width) if of.interpolation == c.QUATSIMD_CURVE_CUBIC else (of.keys, *width)
        times = self.array(of.seconds, ctypes.c_double, (of.keys,))
        return Curve(times, self.array(of.values, ctypes.c_float, shape), NAMES[of.interpolation])

    def animation(self, of, joints, tracks):
        kinds = [[self.curve(of.curve[3 * joint + kind], WIDTHS[kind]) for joint in joints] for kind in range(3)]
        return Animation(of.name.decode(), *kinds, [self.curve(of.curve[3 * len(joints) + track]) for track in tracks])


def scene_of(file):
    joints, tracks, curves = range(file.joints), range(file.tracks), Curves()
    animations = [curves.animation(file.animation[number], joints, tracks) for number in range(file.animations)]
    return Scene(Skeleton(ctypes.string_at(file.skeleton, file.skeleton_size)), animations)


def sentences(text):
    """What the command says, without its name before each line."""
    return "\n".join(line[len("quatsimd: ") :] if line.startswith("quatsimd: ") else line for line in text.decode().splitlines())


def load(path, order="xyzw", reader_memory=4, reader_seconds=300, allow_outside=False):
    """Reads the file of any program: .bvh, .glb, .gltf, .vrm, .vrma and .fbx give a Scene, with the keys as they are in the file;
    .npy, .npz, .splat and .ply give their rotations, float32 (..., 4) in x, y, z, w.

    `order` is that of arrays in .npy and .npz. The limits are those of the command: 2^30 bytes of memory, seconds for .fbx (0: none),
    and files outside the folder of the file. A file that cannot be read is an Error; what of it is not in the result, a warning."""
    is_wxyz = order_of(order) == c.QUATSIMD_VIEW_WXYZ
    library, file, name = command_library(), c.quatsimd_python_file(), os.fsdecode(path)
    limits = c.quatsimd_python_limits(reader_memory, reader_seconds, allow_outside)
    with one_at_a_time:
        status = library.quatsimd_python_load(file, os.fsencode(name.replace(os.sep, "/")), is_wxyz, limits)
        if status < 0:
            raise MemoryError(f"{name}: there is not enough memory to read it")
        try:
            messages = sentences(file.messages) if file.messages else ""
            if not status:
                raise Error(messages, c.QUATSIMD_ERROR_BAD_ARGUMENT)
            if file.rotation:
                shape = copied(file.shape, ctypes.c_size_t, (file.axes,))
                result = copied(file.rotation, ctypes.c_float, (*map(int, shape), 4))
            else:
                result = scene_of(file)
        finally:
            library.quatsimd_python_free(file)
    if messages:
        warnings.warn(messages, stacklevel=2)
    return result
