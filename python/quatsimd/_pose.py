"""Poses: rotations, translations and scales of joints relative to their parents, and tracks (pose.h)."""
import ctypes
import math
import typing

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT, SCALAR, STRIDED, check_finite, floats, lead
from ._library import check, lib

KINDS = ("rotations", "translations", "scales", "tracks")
SIZES = {"rotations": 4, "translations": 3, "scales": 3}  # components; a track has one


class Mask(typing.NamedTuple):
    """Factors of a weight: `joints` (J) and `tracks` (K), or None for 1."""

    joints: typing.Optional[np.ndarray]
    tracks: typing.Optional[np.ndarray] = None


def view(array, struct):
    """A view of joints, C-contiguous; of nothing for None."""
    return struct() if array is None else struct(array.ctypes.data, None, None, None, 4 * array.shape[-1], STRIDED, 0)


def pose_view(arrays, struct, element):
    """A quatsimd_pose_in or _out of arrays of the four kinds."""
    return struct(*(view(array, element) for array in arrays[:3]), None if arrays[3] is None else arrays[3].ctypes.data)


def kept(name, value, element):
    array = np.require(floats(name, value, element), requirements=["C", "A"])
    check_finite(name, array, lead(array, element), element)
    return array


class Pose:
    """A pose, or an array of them: rotations (..., J, 4) as x, y, z, w, translations (..., J, 3), scales (..., J, 3), tracks (..., K).

    All are float32, and all leading axes are the same. None stands for the identity, 0, scale 1 and tracks of 0."""

    __slots__ = KINDS

    def __init__(self, rotations=None, translations=None, scales=None, tracks=None):
        lead_of_joints = shape = None
        for name, value in zip(KINDS, (rotations, translations, scales, tracks)):
            array = value
            if value is not None:
                array = kept(name, value, (SIZES[name],) if name in SIZES else SCALAR)
                own = array.shape[:-1]
                if name in SIZES:
                    if not own:
                        raise ValueError(f"{name}: the shape must be (..., J, {SIZES[name]}), and it is {array.shape}")
                    lead_of_joints = lead_of_joints or own
                    if own != lead_of_joints:
                        raise ValueError(f"{name}: the shape must be {lead_of_joints + array.shape[-1:]}, and it is {array.shape}")
                    shape = own[:-1]
                elif array.ndim == 0 or shape not in (None, own):
                    wanted = "(..., K)" if shape is None else "(" + ", ".join([*map(str, shape), "K"]) + ")"
                    raise ValueError(f"tracks: the shape must be {wanted}, and it is {array.shape}")
            object.__setattr__(self, name, array)
        if all(array is None for array in self.arrays()):
            raise ValueError("rotations: one of rotations, translations, scales and tracks is needed")

    def __setattr__(self, name, value):
        raise AttributeError(f"{name}: a Pose keeps its arrays; make another Pose")

    @classmethod
    def _of(cls, arrays):
        """The pose of arrays that this package made."""
        made = object.__new__(cls)
        for name, array in zip(KINDS, arrays):
            object.__setattr__(made, name, array)
        return made

    def arrays(self):
        """The four arrays, of which some may be None."""
        return self.rotations, self.translations, self.scales, self.tracks

    @property
    def shape(self):
        """The leading axes."""
        for array in self.arrays()[:3]:
            if array is not None:
                return array.shape[:-2]
        return self.tracks.shape[:-1]

    def _has_joints(self):
        return any(array is not None for array in self.arrays()[:3])

    @property
    def joint_count(self):
        return next((a.shape[-2] for a in self.arrays()[:3] if a is not None), 0)

    @property
    def track_count(self):
        return 0 if self.tracks is None else self.tracks.shape[-1]

    def __repr__(self):
        shapes = (f"{name} {array.shape}" for name, array in zip(KINDS, self.arrays()) if array is not None)
        return f"<Pose: {', '.join(shapes)}>"

    def __getitem__(self, index):
        """The poses at an index of the leading axes."""
        shape = self.shape
        count = math.prod(shape)
        picked = np.arange(count).reshape(shape)[index]
        rows = [None if a is None else a.reshape((count,) + a.shape[len(shape) :]) for a in self.arrays()]
        return Pose._of([None if row is None else np.ascontiguousarray(row[picked]) for row in rows])

    def _spread(self, shape):
        """The pose with other leading axes, to which its own broadcast."""
        if self.shape == shape:
            return self
        axes = len(self.shape)
        return Pose._of([None if a is None else np.ascontiguousarray(np.broadcast_to(a, shape + a.shape[axes:])) for a in self.arrays()])

    def _read(self):
        """A quatsimd_pose_in."""
        return pose_view(self.arrays(), c.quatsimd_pose_in, c.quatsimd_in)

    def to_model(self, skeleton, root=None):
        """Matrices in model space, (..., J, 4, 4) as m[..., row, column]. `root` is the matrix (4, 4) above joints without a parent."""
        handle = getattr(skeleton, "_handle", None)
        if not isinstance(handle, ctypes.POINTER(c.quatsimd_skeleton)):
            raise TypeError(f"skeleton: a Skeleton is needed, not {type(skeleton).__name__}")
        if self.joint_count > skeleton.joint_count:
            raise ValueError(f"skeleton: it has {skeleton.joint_count} joints, and the pose {self.joint_count}")
        columns = np.empty(self.shape + (self.joint_count, 4, 4), FLOAT)
        place = None
        if root is not None:
            root = np.ascontiguousarray(kept("root", root, (4, 4)).swapaxes(-1, -2))
            if root.shape != (4, 4):
                raise ValueError(f"root: the shape must be (4, 4), and it is {root.shape}")
            place = root.ctypes.data
        count, layout = math.prod(self.shape), c.QUATSIMD_MATRIX_4X4
        pose = ctypes.byref(self._read())
        check(lib.quatsimd_pose_to_model(handle, columns.ctypes.data, layout, pose, place, self.joint_count, count))
        return columns.swapaxes(-1, -2)

    @staticmethod
    def blend(poses, weights=None, masks=None, rest=None):
        """The weighted mean of poses. A weight is a number, or an array over leading axes; a mask is (J), a Mask, or None.

        Where weights sum to less than 1 the remainder is that of `rest`, one pose, or of the identity."""
        poses = list(poses)
        shape = together("poses", poses)
        weights = listed("weights", weights, 1.0, len(poses))
        masks = listed("masks", masks, None, len(poses))
        layers = [weighted(f"weights[{i}]", f"masks[{i}]", *one, shape) for i, one in enumerate(zip(poses, weights, masks))]
        if rest is not None:
            if together("rest", [*poses, rest]) != shape or rest.shape:
                raise ValueError(f"rest: one pose is needed, not {rest.shape}")
        made = Made(shape, [*poses, rest] if rest is not None else poses)
        structs = (c.quatsimd_weighted_poses * len(layers))(*(layer[0] for layer in layers))
        below = None if rest is None else ctypes.byref(rest._read())
        return made.by(lib.quatsimd_pose_blend, structs, len(layers), below)

    def add(self, additive, weight=1.0, mask=None):
        """This pose with an additive pose on top: a sample of an additive clip, or a result of subtract."""
        shape = together("additive", [self, additive])
        base = self._spread(shape)
        layer, _kept = weighted("weight", "mask", additive, weight, mask, shape)
        return Made(shape, [self, additive]).by(lib.quatsimd_pose_add, ctypes.byref(base._read()), ctypes.byref(layer))

    def subtract(self, base):
        """The additive pose that leads from `base` to this pose."""
        shape = together("base", [self, base])
        pose, base = self._spread(shape), base._spread(shape)
        return Made(shape, [pose, base]).by(lib.quatsimd_pose_subtract, ctypes.byref(pose._read()), ctypes.byref(base._read()))


def pose_of(name, value):
    if not isinstance(value, Pose):
        raise TypeError(f"{name}: a Pose is needed, not {type(value).__name__}")
    return value


def together(name, poses):
    """The leading axes of poses of the same joints and tracks."""
    if not poses:
        raise ValueError(f"{name}: there are no poses")
    poses = [pose_of(name, pose) for pose in poses]
    joints = {pose.joint_count for pose in poses if pose._has_joints()}
    tracks = {pose.track_count for pose in poses if pose.tracks is not None}
    for what, counts in (("joints", joints), ("tracks", tracks)):
        if len(counts) > 1:
            raise ValueError(f"{name}: the poses have {' and '.join(map(str, sorted(counts)))} {what}")
    try:
        return np.broadcast_shapes(*(pose.shape for pose in poses))
    except ValueError:
        shapes = ", ".join(str(pose.shape) for pose in poses)
        raise ValueError(f"{name}: these leading axes do not go together: {shapes}") from None


def listed(name, values, default, count):
    values = [default] * count if values is None else list(values)
    if len(values) != count:
        raise ValueError(f"{name}: {count} are needed, and there are {len(values)}")
    return values


def weights_of(name, value, count):
    """A number, or a bool, for each joint or track; None for None."""
    if value is None:
        return None
    array = np.asarray(value)
    array = kept(name, array.astype(FLOAT) if array.dtype == bool else array, SCALAR)
    if array.shape != (count,):
        raise ValueError(f"{name}: the shape must be ({count},), and it is {array.shape}")
    return array


def weighted(weight_name, mask_name, pose, weight, mask, shape):
    """Poses with weights for C, and the arrays that they point into."""
    weight = kept(weight_name, weight, SCALAR)
    try:
        weight = np.ascontiguousarray(np.broadcast_to(weight, shape))
    except ValueError:
        raise ValueError(f"{weight_name}: the shape {weight.shape} does not go with the poses' {shape}") from None
    mask = mask if isinstance(mask, Mask) else Mask(mask)
    factors = [weights_of(mask_name, mask.joints, pose.joint_count), weights_of(f"{mask_name}.tracks", mask.tracks, pose.track_count)]
    pose = pose._spread(shape)
    places = [None if array is None else array.ctypes.data for array in factors]
    return c.quatsimd_weighted_poses(pose._read(), weight.ctypes.data, *places), (pose, weight, factors)


class Made:
    """A pose to be made of others: of the kinds that any of them has."""

    def __init__(self, shape, poses):
        self.counts = c.quatsimd_pose_counts(max(p.joint_count for p in poses), max(p.track_count for p in poses), math.prod(shape))
        ends = [(self.counts.joint_count, size) for size in SIZES.values()] + [(self.counts.track_count,)]
        has = [any(p.arrays()[kind] is not None for p in poses) for kind in range(4)]
        self.arrays = [np.empty(shape + end, FLOAT) if wanted else None for wanted, end in zip(has, ends)]

    def by(self, function, *arguments):
        check(function(ctypes.byref(pose_view(self.arrays, c.quatsimd_pose_out, c.quatsimd_out)), *arguments, self.counts))
        return Pose._of(self.arrays)
