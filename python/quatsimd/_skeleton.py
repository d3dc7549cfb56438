"""Skeletons: names, parents and rest pose of joints (skeleton.h)."""
import ctypes
import functools
import math

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT
from ._files import NOWHERE, encoded, opened_bytes, text, texts
from ._library import check, lib
from ._pose import Pose, kept, pose_of, pose_view


def frozen(array):
    array.flags.writeable = False
    return array


class Skeleton:
    """The joints of a character and its tracks, from the bytes of a skeleton or its path (.qsk)."""

    def __init__(self, source):
        self._handle = opened_bytes("source", source, "skeleton")

    @classmethod
    def _of(cls, handle):
        made = object.__new__(cls)
        made._handle = handle
        return made

    def __repr__(self):
        return f"<Skeleton: {self.joint_count} joints, {self.track_count} tracks>"

    @property
    def joint_count(self):
        return lib.quatsimd_skeleton_joint_count(self._handle)

    @property
    def track_count(self):
        return lib.quatsimd_skeleton_track_count(self._handle)

    @functools.cached_property
    def joint_names(self):
        return tuple(lib.quatsimd_skeleton_joint_name(self._handle, j).decode() for j in range(self.joint_count))

    @functools.cached_property
    def track_names(self):
        return tuple(lib.quatsimd_skeleton_track_name(self._handle, t).decode() for t in range(self.track_count))

    @functools.cached_property
    def parents(self):
        """The number of each joint's parent, which comes before it: int64 (J). -1: none."""
        return frozen(np.array([lib.quatsimd_skeleton_parent(self._handle, j) for j in range(self.joint_count)], np.int64))

    @functools.cached_property
    def rest(self):
        """The rest pose."""
        joints = self.joint_count
        arrays = [np.empty(shape, FLOAT) for shape in ((joints, 4), (joints, 3), (joints, 3), (self.track_count,))]
        to = pose_view(arrays, c.quatsimd_pose_out, c.quatsimd_out)
        check(lib.quatsimd_skeleton_rest_pose(self._handle, ctypes.byref(to), 0, joints))
        return Pose._of([frozen(array) for array in arrays])

    @functools.cached_property
    def inverse_bind(self):
        """Matrices from model space to the joints' own, float32 (J, 4, 4). Joints without one have the identity."""
        found = np.tile(np.eye(4, dtype=FLOAT), (self.joint_count, 1, 1))
        rows = (ctypes.c_float * 12)()
        for j in np.flatnonzero(self.has_inverse_bind):
            check(lib.quatsimd_skeleton_inverse_bind(self._handle, rows, j))
            found[j, :3] = np.reshape(rows, (3, 4))
        return frozen(found)

    @functools.cached_property
    def has_inverse_bind(self):
        """The joints that have such a matrix: bool (J)."""
        return frozen(np.array([lib.quatsimd_skeleton_has_inverse_bind(self._handle, j) for j in range(self.joint_count)], bool))

    @property
    def metres(self):
        """The length of the unit of translations; None: not known."""
        return lib.quatsimd_skeleton_metres(self._handle) or None

    @property
    def hash(self):
        """A number of the names and parents, which clips of this skeleton have (Clip.skeleton_hash)."""
        return lib.quatsimd_skeleton_hash(self._handle)

    def find(self, name):
        """The number of the first joint with this name. KeyError: there is none."""
        return found(name, lib.quatsimd_skeleton_find_joint(self._handle, text("name", name)))

    def find_track(self, name):
        """The number of the first track with this name. KeyError: there is none."""
        return found(name, lib.quatsimd_skeleton_find_track(self._handle, text("name", name)))

    @staticmethod
    def encode(joint_names, parents, rest=None, inverse_bind=None, track_names=(), metres=None):
        """The bytes of a skeleton. A parent is the number of a joint before its child, or -1.

        rest: one Pose; without one the identity. inverse_bind: (J, 4, 4), or J matrices of which None stands for none."""
        names, track_names = texts("joint_names", joint_names), texts("track_names", track_names)
        count = len(names)
        parents = np.asarray(parents)
        if parents.shape != (count,) or (count and parents.dtype.kind not in "iu"):
            raise ValueError(f"parents: {count} whole numbers are needed, not {parents.dtype} {parents.shape}")
        rest = Pose(np.tile(FLOAT.type([0, 0, 0, 1]), (count, 1))) if rest is None else pose_of("rest", rest)
        for what, has, number, wanted in (
            ("joints", rest._has_joints(), rest.joint_count, count),
            ("tracks", rest.tracks is not None, rest.track_count, len(track_names)),
        ):
            if rest.shape or (has and number != wanted):
                raise ValueError(f"rest: one pose of {wanted} {what} is needed, not {rest}")
        binds = matrices(inverse_bind, count)
        joints = (c.quatsimd_skeleton_joint * count)()
        defaults = ((0, 0, 0, 1), (0, 0, 0), (1, 1, 1))
        for j, joint in enumerate(joints):
            joint.name, joint.parent = names[j], int(parents[j])
            joint.inverse_bind = None if binds[j] is None else binds[j].ctypes.data
            values = [a[j].tolist() if a is not None else default for a, default in zip(rest.arrays(), defaults)]
            joint.rotation[:], joint.translation[:], joint.scale[:] = values
        tracks = (ctypes.c_char_p * len(track_names))(*track_names)
        values = rest.tracks.ctypes.data if rest.track_count else None
        source = c.quatsimd_skeleton_source(count, joints, len(tracks), tracks, unit(metres), values)
        return encoded("skeleton", source, None, lambda report: place(report, names))[0]


def skeleton_of(name, value):
    if not isinstance(value, Skeleton):
        raise TypeError(f"{name}: a Skeleton is needed, not {type(value).__name__}")
    return value


def found(name, number):
    if number < 0:
        raise KeyError(name)
    return number


def unit(metres):
    try:
        value = float(0 if metres is None else metres)
    except (TypeError, ValueError):
        raise TypeError(f"metres: a number is needed, not {metres!r}") from None
    if metres is not None and not 0 < value < math.inf:
        raise ValueError(f"metres: {metres} is not above 0 and finite")
    return value


def matrices(value, count):
    """Inverse bind matrices as three rows of four floats, or None for each joint."""
    values = [None] * count if value is None else list(value)
    if len(values) != count:
        raise ValueError(f"inverse_bind: {count} matrices are needed, not {len(values)}")
    made = []
    for j, one in enumerate(values):
        one = one if one is None else kept(f"inverse_bind[{j}]", one, (4, 4))
        if one is not None and (one.ndim > 2 or (one[3] != (0, 0, 0, 1)).any()):
            raise ValueError(f"inverse_bind[{j}]: a matrix (4, 4) with the last row 0, 0, 0, 1 is needed")
        made.append(one)
    return made


def place(report, names):
    if report.joint != NOWHERE:
        return f"joint {report.joint} ({names[report.joint].decode()!r})"
    return "" if report.track == NOWHERE else f"track {report.track}"
