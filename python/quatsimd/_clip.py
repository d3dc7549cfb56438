"""Clips: compressed animations of joints and tracks, sampled at any times (clip.h)."""
import functools
import typing

import numpy as np

from . import _declarations as c
from . import _sampling
from ._curve import seconds
from ._encode import encode_clip
from ._files import opened_bytes
from ._library import Error, lib
from ._pose import KINDS, Pose, pose_of
from ._skeleton import frozen, skeleton_of

WRAPS = {"clip": c.QUATSIMD_CLIP_WRAP_CLIP, "clamp": c.QUATSIMD_CLIP_WRAP_CLAMP, "loop": c.QUATSIMD_CLIP_WRAP_LOOP}
ADDITIVE = {c.QUATSIMD_CLIP_ADDITIVE_NONE: None, c.QUATSIMD_CLIP_ADDITIVE_FIRST: "first", c.QUATSIMD_CLIP_ADDITIVE_BASE: "base"}


class Event(typing.NamedTuple):
    """A mark in a clip's time. `clock` is the moment at which a clock passed it; both are in seconds."""

    name: str
    time: float
    clock: float


class Velocities(typing.NamedTuple):
    """Velocities in the space of each joint's parent, float32 (..., J, 3): in radians and in units of translations per second."""

    angular: np.ndarray
    linear: np.ndarray


def wrap_of(wrap):
    try:
        return WRAPS[wrap]
    except (KeyError, TypeError):
        raise ValueError(f"wrap: {wrap!r} is none of 'clip' (as it was encoded), 'clamp' and 'loop'") from None


class Clip:
    """An animation, from the bytes of a clip or its path. Its skeleton's rest pose gives the values of joints that it does not move.

    Clips are read in place: they keep their bytes, or their bundle's, and any number of threads may read one."""

    def __init__(self, source, skeleton=None):
        self._handle = opened_bytes("source", source, "clip")
        self.skeleton = skeleton
        if skeleton is not None:
            skeleton_of("skeleton", skeleton)
            same = (self.joint_count, self.track_count) == (skeleton.joint_count, skeleton.track_count)
            if not same or self.skeleton_hash not in (0, skeleton.hash):
                raise Error("skeleton: the clip was encoded with another one", c.QUATSIMD_ERROR_WRONG_SKELETON)

    @classmethod
    def _of(cls, handle, skeleton):
        made = object.__new__(cls)
        made._handle, made.skeleton = handle, skeleton
        return made

    def __repr__(self):
        return f"<Clip: {self.joint_count} joints, {self.track_count} tracks, {self.duration:.6g} s>"

    @property
    def joint_count(self):
        return lib.quatsimd_clip_joint_count(self._handle)

    @property
    def track_count(self):
        return lib.quatsimd_clip_track_count(self._handle)

    @property
    def frame_count(self):
        return lib.quatsimd_clip_frame_count(self._handle)

    @property
    def rate(self):
        """Frames per second; None: frames have their own times."""
        return lib.quatsimd_clip_rate(self._handle) or None

    @property
    def start(self):
        """The time of the first frame, in seconds."""
        return lib.quatsimd_clip_start(self._handle)

    @property
    def duration(self):
        """The time from the first frame to the last, in seconds."""
        return lib.quatsimd_clip_duration(self._handle)

    @functools.cached_property
    def frame_times(self):
        """The times of the frames, in seconds: float64 (frame_count)."""
        return frozen(np.array([lib.quatsimd_clip_frame_time(self._handle, f) for f in range(self.frame_count)]))

    @property
    def is_looping(self):
        return bool(lib.quatsimd_clip_is_looping(self._handle))

    @property
    def additive(self):
        """None, or what Pose.add adds the clip's poses to: 'first' for its own first keys, 'base' for another animation."""
        return ADDITIVE[lib.quatsimd_clip_additive(self._handle)]

    @property
    def skeleton_hash(self):
        """The hash of the skeleton that the clip was encoded with; 0: it was encoded without one."""
        return lib.quatsimd_clip_skeleton_hash(self._handle)

    @functools.cached_property
    def _needs_rest(self):
        """The clip leaves values to a rest pose that it does not have."""
        kinds = range(c.QUATSIMD_CLIP_KIND_COUNT)
        counts = [self.joint_count] * c.QUATSIMD_CLIP_JOINT_KIND_COUNT + [self.track_count]
        states = (lib.quatsimd_clip_curve_state(self._handle, kind, j) for kind in kinds for j in range(counts[kind]))
        left = (c.QUATSIMD_CLIP_REST, c.QUATSIMD_CLIP_ABSENT)
        return bool(self.skeleton_hash) and self.additive is None and any(state in left for state in states)

    def _rest(self, rest):
        if rest is None:
            if self.skeleton is not None:
                return self.skeleton.rest
            if self._needs_rest:
                raise ValueError("rest: this clip leaves values to its skeleton's rest pose: give one, or open Clip(source, skeleton)")
            return None
        counts = (self.joint_count if pose_of("rest", rest)._has_joints() else 0, 0 if rest.tracks is None else self.track_count)
        if rest.shape or (rest.joint_count, rest.track_count) != counts:
            raise ValueError(f"rest: one pose of {self.joint_count} joints and {self.track_count} tracks is needed, not {rest}")
        return rest

    def sample(self, times, rest=None, wrap="clip", want=KINDS):
        """Poses at times in seconds, a number or an array of any shape, which gives the poses their leading axes.

        rest: the pose of joints that the clip does not move; without one that of the skeleton. wrap: the meaning of times outside
        the clip. want: the kinds to compute."""
        times, want = seconds("times", times), tuple(want)
        unknown = [kind for kind in want if kind not in KINDS]
        if unknown or not want:
            raise ValueError(f"want: {unknown[0] if unknown else want!r} is none of {', '.join(KINDS)}")
        arrays = _sampling.sample([self._handle], times.ravel(), wrap_of(wrap), self._rest(rest), want)
        return Pose._of([None if array is None else array.reshape(times.shape + array.shape[1:]) for array in arrays])

    def velocities(self, times, wrap="clip"):
        """Velocities of joints relative to their parents at times, which are as in sample."""
        times = seconds("times", times)
        arrays = _sampling.velocities([self._handle], times.ravel(), wrap_of(wrap))
        return Velocities(*(array.reshape(times.shape + array.shape[1:]) for array in arrays))

    @functools.cached_property
    def events(self):
        """The events that a bundle has for this clip, in the order of their times. `clock` is their time."""
        numbers = range(lib.quatsimd_clip_event_count(self._handle))
        times = [lib.quatsimd_clip_event_time(self._handle, i) for i in numbers]
        return tuple(Event(lib.quatsimd_clip_event_name(self._handle, i).decode(), times[i], times[i]) for i in numbers)

    def events_between(self, a, b, wrap="clip"):
        """The events that a clock passes from a (not included) to b (included), in seconds; backward if b < a. See clip.h."""
        ends = [seconds(name, value) for name, value in (("a", a), ("b", b))]
        for name, end in zip("ab", ends):
            if end.shape:
                raise ValueError(f"{name}: a number is needed, not an array {end.shape}")
        count = lib.quatsimd_clip_events_between(self._handle, None, 0, *ends, wrap_of(wrap))
        events = (c.quatsimd_clip_event * count)()
        lib.quatsimd_clip_events_between(self._handle, events, count, *ends, wrap_of(wrap))
        return [Event(event.name.decode(), event.time, event.clock) for event in events]

    encode = staticmethod(encode_clip)
