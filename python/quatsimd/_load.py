"""Files of animations and rotations, by the readers of the command: load."""
import ctypes
import math
import os
import threading
import typing
import warnings

import numpy as np

from . import _declarations as c
from ._arrays import order_of
from ._library import Error, check, find, lib
from ._rotations import normalize, slerp

INTERPOLATIONS = {c.QUATSIMD_CURVE_LINEAR: "linear", c.QUATSIMD_CURVE_HOLD: "hold", c.QUATSIMD_CURVE_CUBIC: "cubic"}
WIDTHS = (4, 3, 3)
one_at_a_time = threading.Lock()
loaded = []


def command_library():
    """The library of the command, which is loaded when it is needed."""
    if not loaded:
        loaded.append(c.load(find("quatsimd_command")))
    return loaded[0]


class Curve(typing.NamedTuple):
    """The keys of a file as they are there. Of "cubic" curves the values are (keys, 3, ...): the tangent that comes in, the value, and
    the tangent that goes out, as in glTF."""

    times: np.ndarray  # seconds, float64 (keys,)
    values: np.ndarray  # float32 (keys, 4) of rotations x, y, z, w; (keys, 3) of translations and scales; (keys,) of tracks
    interpolation: str  # "linear", which is slerp between rotations, "hold" or "cubic"

    def sample(self, times):
        """The values at these times; before the first key and after the last those of the key."""
        times = np.asarray(times, np.float64)
        values = self.values[:, 1] if self.interpolation == "cubic" else self.values
        count = len(self.times)
        if count == 1:
            return np.broadcast_to(values[0], times.shape + values.shape[1:]).copy()
        at = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, count - 1)
        if self.interpolation == "hold":
            return values[at]
        at = np.minimum(at, count - 2)
        length = self.times[at + 1] - self.times[at]
        part = np.clip((times - self.times[at]) / length, 0, 1)
        is_rotation = values.shape[1:] == (4,)
        if self.interpolation == "linear" and is_rotation:
            return slerp(normalize(values[at]), normalize(values[at + 1]), part)
        axes = times.shape + (1,) * (values.ndim - 1)
        t, length = part.reshape(axes), length.reshape(axes)
        if self.interpolation == "linear":
            return ((1 - t) * values[at] + t * values[at + 1]).astype(np.float32)
        leaving, coming = length * self.values[at, 2], length * self.values[at + 1, 0]
        result = (2 * t**3 - 3 * t**2 + 1) * values[at] + (t**3 - 2 * t**2 + t) * leaving
        result += (3 * t**2 - 2 * t**3) * values[at + 1] + (t**3 - t**2) * coming
        if is_rotation:
            result /= np.linalg.norm(result, axis=-1, keepdims=True)
        return result.astype(np.float32)


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
    """The joints of a file, in an order in which parents come first, and its animations. Lengths are in the file's unit."""

    names: list  # of joints
    parents: np.ndarray  # numbers of joints, int32 (joints,); -1: none
    rotations: np.ndarray  # of the rest pose, float32 (joints, 4)
    translations: np.ndarray  # (joints, 3)
    scales: np.ndarray  # (joints, 3)
    track_names: list  # weights of morph targets
    tracks: np.ndarray  # at rest, float32 (tracks,)
    metres: float  # one of the unit; 0: the file does not say
    skeleton: bytes  # the same joints as .qsk
    animations: list

    def sample(self, animation, times):
        """Poses at these times (...): rotations (..., joints, 4), translations and scales (..., joints, 3), tracks (..., tracks).
        `animation` is one of this scene's."""
        times = floats64("times", times)
        found = []
        for rest, curves in zip((self.rotations, self.translations, self.scales, self.tracks), animation[1:]):
            values = np.empty(times.shape + rest.shape, np.float32)
            for number, curve in enumerate(curves):
                place = (slice(None),) * times.ndim + (number,)
                values[place] = curve.sample(times) if curve else rest[number]
            found.append(values)
        return tuple(found)


def floats64(name, value):
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are needed, not {array.dtype}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: the numbers must be finite")
    return array.astype(np.float64)


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
        return Curve(times, self.array(of.values, ctypes.c_float, shape), INTERPOLATIONS[of.interpolation])

    def animation(self, of, joints, tracks):
        kinds = [[self.curve(of.curve[3 * joint + kind], WIDTHS[kind]) for joint in joints] for kind in range(3)]
        return Animation(of.name.decode(), *kinds, [self.curve(of.curve[3 * len(joints) + track]) for track in tracks])


def scene_of(file):
    data = ctypes.string_at(file.skeleton, file.skeleton_size)
    size = lib.quatsimd_skeleton_memory_size()
    storage, skeleton = (ctypes.c_double * (size // 8 + 1))(), ctypes.POINTER(c.quatsimd_skeleton)()
    check(lib.quatsimd_skeleton_open(ctypes.byref(skeleton), storage, size, data, len(data)))
    joints, tracks, curves = range(file.joints), range(file.tracks), Curves()
    rest = [np.empty((file.joints, width), np.float32) for width in WIDTHS] + [np.empty(file.tracks, np.float32)]
    views = [c.quatsimd_out(a.ctypes.data, None, None, None, 0, c.QUATSIMD_VIEW_AOS, 0) for a in rest[:3]]
    check(lib.quatsimd_skeleton_rest_pose(skeleton, c.quatsimd_pose_out(*views, rest[3].ctypes.data), 0, file.joints))
    return Scene(
        [lib.quatsimd_skeleton_joint_name(skeleton, joint).decode() for joint in joints],
        np.array([lib.quatsimd_skeleton_parent(skeleton, joint) for joint in joints], np.int32),
        *rest[:3],
        [lib.quatsimd_skeleton_track_name(skeleton, track).decode() for track in tracks],
        rest[3],
        lib.quatsimd_skeleton_metres(skeleton),
        data,
        [curves.animation(file.animation[number], joints, tracks) for number in range(file.animations)],
    )


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
