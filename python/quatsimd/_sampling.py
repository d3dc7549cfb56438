"""Many poses of opened clips."""
import ctypes

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT
from ._library import check, lib
from ._pose import KINDS, SIZES, pose_view, view


def sample(clips, times, wrap, rest, want):
    """Poses of clips at times, float64 (N,): arrays of the four kinds, each (N, ...) or None.

    clips: handles, one for all times or one for each, with the same joints and tracks. rest: a Pose of one, or None."""
    joints, tracks = lib.quatsimd_clip_joint_count(clips[0]), lib.quatsimd_clip_track_count(clips[0])
    ends = [(joints, size) for size in SIZES.values()] + [(tracks,)]
    arrays = [np.empty((len(times),) + end, FLOAT) if kind in want else None for kind, end in zip(KINDS, ends)]
    to = pose_view(arrays, c.quatsimd_pose_out, c.quatsimd_out)
    pointer, below = ctypes.byref(to), None if rest is None else ctypes.byref(rest._read())
    steps = [(to.rotations, 16 * joints), (to.translations, 12 * joints), (to.scales, 12 * joints)]
    steps = [one for one, array in zip(steps, arrays) if array is not None]
    for i, time in enumerate(times.tolist()):
        check(lib.quatsimd_clip_sample(clips[i % len(clips)], pointer, below, time, wrap, 0))
        for one, step in steps:
            one.x += step
        if to.tracks:
            to.tracks += 4 * tracks
    return arrays


def velocities(clips, times, wrap):
    """Angular and linear velocities of clips at times, as in sample: float32 (N, J, 3) each."""
    joints = lib.quatsimd_clip_joint_count(clips[0])
    arrays = [np.empty((len(times), joints, 3), FLOAT) for _ in range(2)]
    to = c.quatsimd_velocities_out(*(view(array, c.quatsimd_out) for array in arrays))
    for i, time in enumerate(times.tolist()):
        check(lib.quatsimd_clip_sample_velocities(clips[i % len(clips)], ctypes.byref(to), time, wrap))
        to.angular.x += 12 * joints
        to.linear.x += 12 * joints
    return arrays
