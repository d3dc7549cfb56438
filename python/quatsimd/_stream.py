"""Streams: rotations, positions and tracks in packets over a network that may lose some (stream.h)."""
import ctypes
import threading
import typing

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT, check_quaternions, whole
from ._encode import number
from ._files import raw
from ._library import check, lib
from ._pose import kept, pose_of, pose_view
from ._skeleton import skeleton_of

STATUSES = {
    c.QUATSIMD_OK: "decoded",
    c.QUATSIMD_ERROR_NEED_KEY: "need_key",
    c.QUATSIMD_ERROR_OLD_PACKET: "old",
    c.QUATSIMD_ERROR_RESTARTED: "restarted",
    c.QUATSIMD_ERROR_BAD_PACKET: "bad",
}
LARGEST = 2.0**40  # component of a position, and track
MOST = 2**24  # bodies and tracks
BOUND, DISTANCE = (1e-5, 1), (2.0**-40, 2.0**30)


class Frame(typing.NamedTuple):
    """The outcome of a packet.

    status: 'decoded': time, rotations (bodies, 4), positions and tracks are there. 'need_key': the receiver lacks what the packet
    builds on; acknowledging helps. 'old': it was decoded before, or is late. 'restarted': the sender has probably begun again: make
    the Receiver again and give it this packet. 'bad': damaged, or of another stream."""

    status: str
    time: typing.Optional[int] = None
    rotations: typing.Optional[np.ndarray] = None
    positions: typing.Optional[np.ndarray] = None
    tracks: typing.Optional[np.ndarray] = None


def between(name, value, least, most):
    value = number(name, value) if isinstance(least, float) or isinstance(most, float) else whole(name, value)
    if not least <= value <= most:
        raise ValueError(f"{name}: {value} is not from {least:.6g} to {most:.6g}")
    return value


def array_of(name, value, shape, largest=LARGEST):
    array = kept(name, value, shape[1:])
    if array.shape != shape:
        raise ValueError(f"{name}: the shape must be {shape}, and it is {array.shape}")
    if array.size and abs(array).max() > largest:
        raise ValueError(f"{name}: there are numbers beyond {largest:.6g}")
    return array


class Stream:
    """One side of a stream. Threads may share it: its calls wait for each other."""

    def __init__(self, options):
        self._options, self._lock, self._arrays = c.quatsimd_stream_options(), threading.Lock(), {}
        lib.quatsimd_stream_options_init(ctypes.byref(self._options), ctypes.sizeof(self._options))
        for name, value in options.items():
            if value is not None:
                setattr(self._options, name, self._option(name, value))
        size = lib.quatsimd_stream_memory_size(ctypes.byref(self._options))
        if not size:
            self._explain()
        self._memory, self._handle = (ctypes.c_uint64 * (size // 8 + 1))(), ctypes.POINTER(c.quatsimd_stream)()
        here = ctypes.byref(self._options)
        check(lib.quatsimd_stream_init(ctypes.byref(self._handle), self._memory, ctypes.sizeof(self._memory), here))
        self._packet = (ctypes.c_char * lib.quatsimd_stream_max_packet_size(here))()

    def _option(self, name, value):
        """A member of the options."""
        bodies = self._options.body_count
        if name == "state_count" and value not in (16, 32, 64, 128, 256):
            raise ValueError(f"state_count: {value!r} is none of 16, 32, 64, 128 and 256")
        ranges = {"body_count": (1, MOST), "state_count": (16, 256), "receiver_count": (1, 65536), "session": (0, 2**64 - 1)}
        ranges.update(position_count=(0, bodies), track_count=(0, MOST), limit=(0, 2**31), reliable=(0, 1))
        ranges.update(bound=BOUND, position_bound=DISTANCE, track_bound=DISTANCE, object_bound=DISTANCE, object_distance=(0.0, 2.0**30))
        if name in ranges:
            return between(name, value, *ranges[name])
        if name == "skeleton":
            return skeleton_of(name, value)._handle
        shape, largest = {"bounds": ((bodies,), 1), "gravity": ((3,), LARGEST), "rest": ((bodies, 4), LARGEST)}[name]
        self._arrays[name] = array = array_of(name, value, shape, largest)
        if name == "bounds" and ((array != 0) & ~(array >= np.float32(BOUND[0]))).any():
            raise ValueError("bounds: each must be 0 or from 1e-5 to 1")
        return array.ctypes.data

    def _explain(self):
        """Raises for options that the library refuses together."""
        for name, default, why in (
            ("rest", None, "rotations of bodies with bound 0 must be valid"),
            ("skeleton", None, "`bounds` and `position_bound` must be those of stream_bounds, or smaller, for this object_bound"),
            ("limit", 0, "it is too small for this stream (stream.h)"),
        ):
            setattr(self._options, name, default)
            if lib.quatsimd_stream_memory_size(ctypes.byref(self._options)):
                raise ValueError(f"{name}: {why}")
        missing = [name for name in ("position", "track") if getattr(self._options, f"{name}_count")]
        raise ValueError(f"{' or '.join(f'{name}_bound' for name in missing)}: it is needed")


class Sender(Stream):
    """Encodes packets for receivers. Both sides need the same options, except those named in Sender alone.

    body_count: rotations in a packet. bound: their largest error in radians. state_count: 16, 32, 64, 128 or 256 states that each
    side keeps. session: tells streams apart. position_count: bodies with a position, the first ones; position_bound: its largest
    error. gravity (3): of bodies in free fall. bounds (bodies): each body's bound in place of `bound`; 0: it never turns. rest
    (bodies, 4): rotations of those that never turn, which both sides know. track_count, track_bound: of float tracks.

    receiver_count: how many may acknowledge. reliable: no packet is ever lost. limit: the most bytes of a packet; 0: none. skeleton:
    the bodies are its joints, and no point at object_distance from one is off by more than object_bound in model space."""

    def __init__(
        self,
        body_count,
        *,
        bound=0.00436,
        state_count=64,
        session=0,
        position_count=0,
        position_bound=None,
        gravity=None,
        bounds=None,
        rest=None,
        track_count=0,
        track_bound=None,
        receiver_count=1,
        reliable=False,
        limit=0,
        skeleton=None,
        object_bound=None,
        object_distance=None,
    ):
        super().__init__({name: value for name, value in locals().items() if name not in ("self", "__class__")})

    def encode(self, rotations, time, positions=None, tracks=None, key=False):
        """A packet of rotations (bodies, 4), positions (position_count, 3) and tracks (track_count) at a time, an int in any unit.

        key: makes a packet that needs no other."""
        counts = self._options
        rotations = array_of("rotations", rotations, (counts.body_count, 4), np.inf)
        check_quaternions("rotations", rotations, rotations.shape[:1], 0, False)
        arrays = [rotations, None, None, None]
        for i, name, value, shape in (
            (1, "positions", positions, (counts.position_count, 3)),
            (3, "tracks", tracks, (counts.track_count,)),
        ):
            if (value is not None) != (shape[0] > 0):
                raise ValueError(f"{name}: the stream has {shape[0]} of them")
            arrays[i] = None if value is None else array_of(name, value, shape)
        pose, written, time = pose_view(arrays, c.quatsimd_pose_in, c.quatsimd_in), ctypes.c_size_t(), whole("time", time)
        with self._lock:
            place = self._handle, self._packet, len(self._packet), ctypes.byref(written)
            check(lib.quatsimd_stream_encode_pose(*place, ctypes.byref(pose), time % 2**32, bool(key)))
            return self._packet[: written.value]

    def encode_pose(self, pose, time, key=False):
        """A packet of one Pose, whose joints are the bodies."""
        places, tracks = self._options.position_count, self._options.track_count
        if pose_of("pose", pose).shape or pose.rotations is None:
            raise ValueError(f"pose: one pose with rotations is needed, not {pose}")
        positions = None if not places or pose.translations is None else pose.translations[:places]
        return self.encode(pose.rotations, time, positions, pose.tracks if tracks else None, key)

    def acknowledged(self, acknowledgement, receiver=0):
        """Reads what a receiver acknowledges. False: it is damaged or of another stream, and changes nothing."""
        data, receiver = raw("acknowledgement", acknowledgement), between("receiver", receiver, 0, self._options.receiver_count - 1)
        with self._lock:
            status = lib.quatsimd_stream_acknowledged(self._handle, receiver, data.ctypes.data, data.size)
        return status != c.QUATSIMD_ERROR_BAD_PACKET and check(status) == c.QUATSIMD_OK

    def leave(self, receiver):
        """Removes a receiver, until it acknowledges again."""
        receiver = between("receiver", receiver, 0, self._options.receiver_count - 1)
        with self._lock:
            check(lib.quatsimd_stream_leave(self._handle, receiver))


class Receiver(Stream):
    """Decodes packets. The options are those of the Sender."""

    def __init__(
        self,
        body_count,
        *,
        bound=0.00436,
        state_count=64,
        session=0,
        position_count=0,
        position_bound=None,
        gravity=None,
        bounds=None,
        rest=None,
        track_count=0,
        track_bound=None,
    ):
        super().__init__({name: value for name, value in locals().items() if name not in ("self", "__class__")})

    def decode(self, packet):
        """The Frame of a packet. Packets may be lost, repeated and late: `time` says which frame is newer."""
        data, time = raw("packet", packet), ctypes.c_uint32()
        places, tracks = self._options.position_count, self._options.track_count
        arrays = [np.empty((self._options.body_count, 4), FLOAT), np.empty((places, 3), FLOAT) if places else None, None]
        arrays.append(np.empty(tracks, FLOAT) if tracks else None)
        pose = pose_view(arrays, c.quatsimd_pose_out, c.quatsimd_out)
        with self._lock:
            status = lib.quatsimd_stream_decode_pose(self._handle, ctypes.byref(pose), ctypes.byref(time), data.ctypes.data, data.size)
        if status not in STATUSES:
            check(status)
        return Frame(STATUSES[status], time.value, arrays[0], arrays[1], arrays[3]) if status == c.QUATSIMD_OK else Frame(STATUSES[status])

    def acknowledge(self):
        """The 12 bytes to send back after each packet, whatever it gave, and at the same rate while none arrive."""
        found = (ctypes.c_char * c.QUATSIMD_STREAM_ACKNOWLEDGEMENT_SIZE)()
        with self._lock:
            check(lib.quatsimd_stream_acknowledge(self._handle, found))
        return found.raw


def stream_bounds(skeleton, object_bound, object_distance, position_count=0, still=()):
    """The bounds of a figure's joints (J) and of its positions, for both sides of a stream. See `skeleton` of Sender.

    still: the joints that never turn. Make them once and ship them: machines may differ in the last bits."""
    handle, count = skeleton_of("skeleton", skeleton)._handle, skeleton.joint_count
    position_count = between("position_count", position_count, 0, count)
    object_bound, distance = between("object_bound", object_bound, *DISTANCE), between("object_distance", object_distance, 0.0, 2.0**30)
    bounds, place = np.ones(count, FLOAT), ctypes.c_float()
    for joint in still:
        bounds[between("still", joint, 0, count - 1)] = 0
    status = lib.quatsimd_stream_bounds(bounds.ctypes.data, ctypes.byref(place), handle, position_count, object_bound, distance)
    if status < 0:
        raise ValueError("object_bound: a joint would need a bound below 1e-5, or scales of the skeleton differ by axis")
    return bounds, place.value if position_count else None
