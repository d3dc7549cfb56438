"""The motion library: many clips of one skeleton, of which a call samples thousands of poses."""
import ctypes
import itertools
import math
import os
import threading
import weakref

import numpy as np

from . import _declarations as c
from ._arrays import place, whole
from ._library import check, lib

# The arrays that sampling gives, with the axes that follow those of the times: J joints, T tracks, numbers of components.
AXES = {
    "rotations": ("J", 4),
    "translations": ("J", 3),
    "scales": ("J", 3),
    "tracks": ("T",),
    "local_linear": ("J", 3),
    "local_angular": ("J", 3),
    "model_rotations": ("J", 4),
    "model_positions": ("J", 3),
    "model_linear": ("J", 3),
    "model_angular": ("J", 3),
    "root_rotations": (4,),
    "root_positions": (3,),
    "root_linear": (3,),
    "root_angular": (3,),
}
USUAL = ("rotations", "model_rotations", "model_positions", "model_linear", "model_angular", "root_rotations", "root_positions")
WRAPS = {"clip": c.QUATSIMD_CLIP_WRAP_CLIP, "clamp": c.QUATSIMD_CLIP_WRAP_CLAMP, "loop": c.QUATSIMD_CLIP_WRAP_LOOP}
MOST = 2**53  # random numbers are whole numbers below it, which a double has exactly


def processors():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def storage(union):
    """Memory for an opened object."""
    return union(), ctypes.sizeof(union)


def finite(name, value):
    """The argument as an array of finite doubles."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are needed, not {array.dtype}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        first = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name}{place(first, array.shape)} is {array.flat[first]}: the numbers must be finite")
    return array


class MotionLibrary:
    """The clips of a bundle (docs/bundle.md), sampled at random by one call.

    The file is mapped, so that processes share its memory, and only its head is read at once. A clip is opened when it is first
    sampled, or by `open`. `root` is the name or the number of the joint that the arrays root_* describe. `threads` is the number of
    threads of a call, by default one for each processor; results do not depend on it. With `trust` the checksums of clips are not
    computed. Any number of threads may use a library. It can be pickled: a process that unpickles it opens the file again.
    """

    def __init__(self, path, root=0, threads=None, trust=False):
        self.path, self.threads, self._trust = os.fspath(path), processors() if threads is None else whole("threads", threads), bool(trust)
        if self.threads < 1:
            raise ValueError(f"threads: {self.threads} is less than 1")
        size = os.stat(self.path).st_size
        self._bytes = np.memmap(self.path, np.uint8, "r") if size else np.empty(0, np.uint8)
        self._bundle, self._memory = ctypes.POINTER(c.quatsimd_bundle)(), storage(c.quatsimd_bundle_storage)
        memory, room = self._memory
        check(lib.quatsimd_bundle_open(self._bundle, ctypes.byref(memory), room, self._bytes.ctypes.data, size), self.path)
        if trust:
            lib.quatsimd_bundle_trust(self._bundle)
        self._skeleton, self._skeleton_memory = ctypes.POINTER(c.quatsimd_skeleton)(), storage(c.quatsimd_skeleton_storage)
        memory, room = self._skeleton_memory
        check(lib.quatsimd_bundle_open_skeleton(self._bundle, self._skeleton, ctypes.byref(memory), room), self.path)
        self._count = lib.quatsimd_bundle_clip_count(self._bundle)
        joints, tracks = lib.quatsimd_skeleton_joint_count(self._skeleton), lib.quatsimd_skeleton_track_count(self._skeleton)
        self.joint_names = [lib.quatsimd_skeleton_joint_name(self._skeleton, j).decode() for j in range(joints)]
        self.track_names = [lib.quatsimd_skeleton_track_name(self._skeleton, t).decode() for t in range(tracks)]
        self.parents = np.array([lib.quatsimd_skeleton_parent(self._skeleton, j) for j in range(joints)], np.int64)
        self.root = self._joint(root)
        self.opened_bytes, self._lock = 0, threading.Lock()
        self._pointers = np.zeros(self._count, np.uintp)
        self._clips = ctypes.cast(self._pointers.ctypes.data, ctypes.POINTER(ctypes.POINTER(c.quatsimd_clip)))
        self._times = None
        weakref.finalize(self, self._close, self._pointers, self._clips)

    @staticmethod
    def _close(pointers, clips):
        lib.quatsimd_python_close_clips(clips, len(pointers))

    def __getstate__(self):
        return {"path": self.path, "root": self.root, "threads": self.threads, "trust": self._trust}

    def __setstate__(self, state):
        self.__init__(**state)

    def __len__(self):
        return self._count

    def __repr__(self):
        return f"MotionLibrary({self.path!r}): {self._count} clips of {len(self.joint_names)} joints"

    def _joint(self, joint):
        if isinstance(joint, str):
            if joint not in self.joint_names:
                raise ValueError(f"root: the skeleton has no joint {joint!r}")
            return self.joint_names.index(joint)
        number = whole("root", joint)
        if self.joint_names and not 0 <= number < len(self.joint_names):
            raise ValueError(f"root: the skeleton has {len(self.joint_names)} joints, and no joint {number}")
        return number

    def name(self, clip):
        """The name of a clip. Clips are numbered in the order of their names."""
        number = whole("clip", clip)
        if not 0 <= number < self._count:
            raise ValueError(f"clip: the library has {self._count} clips, and no clip {number}")
        return lib.quatsimd_bundle_clip_name(self._bundle, number).decode()

    def find(self, name):
        """The number of the clip of this name."""
        if not isinstance(name, str):
            raise TypeError(f"name: a name is needed, not {name!r}")
        number = lib.quatsimd_bundle_find_clip(self._bundle, name.encode())
        if number < 0:
            raise ValueError(f"name: {self.path} has no clip {name!r}")
        return number

    def _numbers(self, clips):
        array = np.asarray(clips)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"clips: whole numbers are needed, not {array.dtype}")
        if array.size and not (0 <= array.min() and array.max() < self._count):
            bad = int(np.flatnonzero((array < 0) | (array >= self._count))[0])
            raise ValueError(f"clips{place(bad, array.shape)} is {array.flat[bad]}: the library has {self._count} clips")
        return array.astype(np.uint32)

    def open(self, clips=None):
        """Opens these clips, or all of them, unless they are open. `opened_bytes` is the memory that open clips take."""
        wanted = np.arange(self._count, dtype=np.uint32) if clips is None else self._numbers(clips)
        if self._pointers[wanted].all():
            return
        with self._lock:
            numbers = np.unique(wanted[self._pointers[wanted] == 0])
            grown, failed = ctypes.c_size_t(self.opened_bytes), ctypes.c_size_t()
            status = lib.quatsimd_python_open_clips(
                self._clips,
                self._bundle,
                numbers.ctypes.data,
                len(numbers),
                self.threads,
                ctypes.byref(grown),
                ctypes.byref(failed),
            )
            self.opened_bytes = grown.value
        if status < 0:
            about = f"{self.path}: clip {self.name(numbers[failed.value])!r}"
            if status == c.QUATSIMD_ERROR_BAD_CLIP:
                raise ValueError(f"{about}: it is additive, a difference of two motions and none by itself")
            check(status, about)

    def _all_times(self):
        if self._times is None:
            self.open()
            starts, durations = np.empty(self._count), np.empty(self._count)
            lib.quatsimd_python_clip_times(self._clips, self._count, starts.ctypes.data, durations.ctypes.data)
            starts.flags.writeable = durations.flags.writeable = False
            self._times = starts, durations
        return self._times

    @property
    def starts(self):
        """The time of each clip's first frame, in seconds. Opens all clips."""
        return self._all_times()[0]

    @property
    def durations(self):
        """The time from each clip's first frame to its last, in seconds. Opens all clips."""
        return self._all_times()[1]

    def draw(self, count, seed, weights=None):
        """Draws clips and times at random: arrays of `count` numbers of clips, and of times in them, in seconds.

        A clip is drawn with a probability as its weight; without weights each is as likely as another. With `weights=library.durations`
        each moment is. Times are even between the clip's start and its end. Opens all clips. `seed` is a number or several, such as
        (seed, worker, step), from 0 to 2**32 - 1 each.

        The same arguments give the same numbers on every machine and with every version of NumPy. They are made of the raw numbers of
        PCG64, which NumPy keeps the same (NEP 19), unlike what its methods make of them; and by sums, products and quotients of
        doubles, each rounded by itself in a fixed order.
        """
        count = whole("count", count)
        if count < 0:
            raise ValueError(f"count: {count} is negative")
        if seed is None:
            raise TypeError("seed: a number is needed, not None")
        seeds = [whole("seed", one) for one in (seed if isinstance(seed, (tuple, list)) else [seed])]
        if not all(0 <= one < 2**32 for one in seeds):
            raise ValueError(f"seed: {seed} is not from 0 to 2**32 - 1")
        weights = np.ones(self._count) if weights is None else finite("weights", weights)
        if weights.shape != (self._count,):
            raise ValueError(f"weights: the shape must be ({self._count},), and it is {weights.shape}")
        if (weights < 0).any():
            bad = int(np.flatnonzero(weights < 0)[0])
            raise ValueError(f"weights[{bad}] is {weights[bad]}: a weight must not be negative")
        ends = np.cumsum(weights)
        if not (self._count and 0 < ends[-1] < math.inf):
            raise ValueError("weights: their sum must be more than 0, and finite")
        raw = np.random.PCG64(seeds).random_raw(2 * count).reshape(count, 2) >> np.uint64(11)
        clips = np.searchsorted((ends / ends[-1] * MOST).astype(np.uint64), raw[:, 0], side="right")
        return clips, self.starts[clips] + raw[:, 1].astype(np.float64) / MOST * self.durations[clips]

    def _arrays(self, want, out, shape):
        sizes = {"J": len(self.joint_names), "T": len(self.track_names)}
        if not (out is None or isinstance(out, dict)):
            raise TypeError(f"out: a dict of arrays is needed, not {type(out).__name__}")
        for name in want if out is None else out:
            if name not in AXES:
                raise ValueError(f"{'want' if out is None else 'out'}: {name!r} is none of {', '.join(AXES)}")
        shapes = {name: shape + tuple(sizes.get(n, n) for n in AXES[name]) for name in (want if out is None else out)}
        if out is None:
            return {name: np.empty(wanted, np.float32) for name, wanted in shapes.items()}
        for name, wanted in shapes.items():
            array = out[name]
            if not isinstance(array, np.ndarray):
                raise TypeError(f"out[{name!r}]: an array of NumPy is needed, not {type(array).__name__}")
            if array.shape != wanted:
                raise ValueError(f"out[{name!r}]: the shape must be {wanted}, and it is {array.shape}")
            if array.dtype != np.float32:
                raise TypeError(f"out[{name!r}]: an array of float32 is needed, not {array.dtype}")
            if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
                raise ValueError(f"out[{name!r}]: the array must be writable, aligned and without gaps")
        for name, other in itertools.combinations(out, 2):
            if np.may_share_memory(out[name], out[other]):
                raise ValueError(f"out[{name!r}]: the array shares memory with out[{other!r}]")
        return dict(out)

    def sample(self, clips, times, want=USUAL, out=None, wrap="clip"):
        """Samples a pose for each number of `clips` and time of `times`, in seconds: a dict of float32 arrays.

        The shapes of `clips` and `times` are broadcast, and come first in those of the arrays. `want` names the arrays; `out`, a dict of
        arrays to write, does so instead.

        rotations (J, 4), translations (J, 3), scales (J, 3), tracks (T): relative to the parent.
        model_rotations (J, 4), model_positions (J, 3): in model space, which is the world if the clips move a character.
        model_linear, model_angular (J, 3): velocities of each joint's origin, in units per second, and of the joint, in rad/s about the
        axes of model space. These are what a simulator calls the velocities of a body in the world.
        local_linear, local_angular (J, 3): velocities relative to the parent, in the parent's space: those of a spherical joint.
        root_rotations (4), root_positions, root_linear, root_angular (3): those of the joint `root`, in model space.

        Velocities are the derivatives of what sampling gives, so they are constant between two frames; scales count as constant.
        Quaternions are x, y, z, w. `wrap` says what times outside a clip mean: "clamp" the nearer end, "loop" another round, "clip" what
        the clip was made for. A scale that differs by axis, at a joint with joints below it, is refused in model space.
        """
        if wrap not in WRAPS:
            raise ValueError(f"wrap: {wrap!r} is none of {', '.join(WRAPS)}")
        numbers, moments = self._numbers(clips), finite("times", times)
        try:
            numbers, moments = np.broadcast_arrays(numbers, moments)
        except ValueError:
            raise ValueError(f"these shapes do not go together: clips {numbers.shape}, times {moments.shape}") from None
        arrays = self._arrays(want, out, numbers.shape)
        self.open(numbers)
        shape, numbers, moments = numbers.shape, np.ascontiguousarray(numbers), np.ascontiguousarray(moments)
        to = c.quatsimd_python_poses(**{name: array.ctypes.data for name, array in arrays.items()})
        motions = c.quatsimd_python_motions(self._skeleton, self._clips, self.root)
        failed = ctypes.c_size_t()
        status = lib.quatsimd_python_sample(
            ctypes.byref(to),
            ctypes.byref(motions),
            numbers.ctypes.data,
            moments.ctypes.data,
            numbers.size,
            WRAPS[wrap],
            self.threads,
            ctypes.byref(failed),
        )
        if status == c.QUATSIMD_ERROR_BAD_ARGUMENT:
            name = self.name(numbers.flat[failed.value])
            raise ValueError(f"clips{place(failed.value, shape)}: clip {name!r} has a scale that differs by axis, above other joints")
        check(status)
        return arrays


class MotionDataset:
    """All frames of a library at a rate, as a data set for torch's DataLoader: frame i of len(dataset), clip by clip.

    dataset[i] is a dict of arrays of one pose; dataset[[i, j, ...]] has these poses in arrays, by one call. With
    DataLoader(dataset, batch_size=None, sampler=BatchSampler(RandomSampler(dataset), 4096, False)) a batch is one call and no copy.
    Workers map the same file, so they share its memory, whether they are forked or spawned.
    """

    def __init__(self, library, rate=30, want=USUAL):
        if not isinstance(library, MotionLibrary):
            raise TypeError(f"library: a MotionLibrary is needed, not {type(library).__name__}")
        if not (isinstance(rate, (int, float)) and 0 < rate < math.inf):
            raise ValueError(f"rate: a number above 0 is needed, not {rate!r}")
        self.library, self.rate, self.want = library, rate, tuple(want)
        self._starts = library.starts
        self._ends = np.cumsum(np.floor(library.durations * rate + 1e-6).astype(np.int64) + 1)

    def __len__(self):
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, index):
        frames = np.asarray(index)
        if frames.dtype.kind not in "iu":
            raise TypeError(f"index: whole numbers are needed, not {frames.dtype}")
        if frames.size and not (0 <= frames.min() and frames.max() < len(self)):
            raise IndexError(f"index: the data set has {len(self)} frames")
        clips = np.searchsorted(self._ends, frames, side="right")
        first = np.concatenate(([0], self._ends))[clips]
        return self.library.sample(clips, self._starts[clips] + (frames - first) / self.rate, self.want)

    def __getitems__(self, indices):
        arrays = self[np.asarray(indices, np.int64)]
        return [{name: array[i] for name, array in arrays.items()} for i in range(len(indices))]
