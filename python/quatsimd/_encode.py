"""Keys of joints and tracks, encoded as a clip (clip.h)."""
import ctypes
import math
import types

import numpy as np

from . import _declarations as c
from ._arrays import SCALAR, check_finite, floats
from ._curve import INTERPOLATIONS, Curve
from ._files import NOWHERE, encoded
from ._library import lib
from ._pose import KINDS, SIZES
from ._skeleton import skeleton_of


class EncodedClip(bytes):
    """The bytes of a clip. `report` has the members of quatsimd_clip_report in clip.h, such as report.worst["rotations"]."""

    report: types.SimpleNamespace


def number(name, value):
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a number is needed, not {value!r}") from None
    if not math.isfinite(found):
        raise ValueError(f"{name}: {value!r} is not finite")
    return found


def times_of(name, value, count):
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: numbers are needed, not {array.dtype}")
    if array.shape != (count,):
        raise ValueError(f"{name}: the shape must be ({count},), a time for each key, and it is {array.shape}")
    return np.ascontiguousarray(array, np.float64)


def curve_of(times, values, first, interpolation, kept):
    """A curve whose values begin at index `first` of an array."""
    kept += [times, values]
    place = values.ctypes.data + (first * values.strides[0] if len(values) else 0)
    return c.quatsimd_curve(len(times), times.ctypes.data, place, interpolation)


def whole(kind, value, times, rate, kept):
    """The curves of an array with keys of all joints (T, J, size), or of all tracks (T, K)."""
    size = (SIZES[kind],) if kind in SIZES else ()
    array = floats(kind, value, size)
    if array.ndim != 2 + len(size):
        raise ValueError(f"{kind}: the shape must be {f'(T, J, {size[0]})' if size else '(T, K)'}, and it is {array.shape}")
    count, values = len(array), np.ascontiguousarray(array.swapaxes(0, 1))
    if times is None:
        if count > 1 and not rate > 0:
            raise ValueError(f"times: {kind} need times, or a rate above 0")
        times = np.arange(count) / (rate or 1)
    times = times_of("times", times, count)
    return [curve_of(times, values, i, c.QUATSIMD_CURVE_LINEAR, kept) for i in range(len(values))]


def single(name, kind, curve, kept):
    """The curve of one joint or track."""
    if curve is None:
        return c.quatsimd_curve()
    if not isinstance(curve, Curve):
        raise TypeError(f"{name}: a Curve or None is needed, not {type(curve).__name__}")
    if curve.interpolation not in INTERPOLATIONS:
        raise ValueError(f"{name}.interpolation: {curve.interpolation!r} is none of {', '.join(INTERPOLATIONS)}")
    element = ((3,) if curve.interpolation == "cubic" else ()) + ((SIZES[kind],) if kind in SIZES else ())
    values = np.ascontiguousarray(floats(f"{name}.values", curve.values, element))
    if values.ndim != 1 + len(element):
        raise ValueError(f"{name}.values: the shape must be ({', '.join(map(str, ('n', *element)))}), and it is {values.shape}")
    return curve_of(times_of(f"{name}.times", curve.times, len(values)), values, 0, INTERPOLATIONS[curve.interpolation], kept)


def source_of(keys, rate, counts, kept):
    """A quatsimd_clip_source of arrays and curves by kind. `counts` are of joints and tracks that have none."""
    found = {}
    for kind in KINDS:
        value = keys.get(kind)
        if isinstance(value, (list, tuple)) and any(one is None or isinstance(one, Curve) for one in value):
            found[kind] = [single(f"{kind}[{i}]", kind, one, kept) for i, one in enumerate(value)]
        elif value is not None:
            found[kind] = whole(kind, value, keys.get("times"), rate, kept)
    tracks = found.pop("tracks", [c.quatsimd_curve()] * counts[1])
    joint_count = next(map(len, found.values()), counts[0])
    joints = (c.quatsimd_clip_joint * joint_count)()
    for kind, curves in found.items():
        if len(curves) != joint_count:
            raise ValueError(f"{kind}: there are {len(curves)} joints, and {joint_count} in {next(iter(found))}")
        for joint, curve in zip(joints, curves):
            setattr(joint, kind[:-1], curve)
    made = (c.quatsimd_clip_track * len(tracks))(*((curve, 0) for curve in tracks))
    return c.quatsimd_clip_source(joint_count, joints, len(made), made)


def set_bound(name, value, options, member, each):
    """Sets a bound: a number in the options, an array in `each` joint or track."""
    array = floats(name, 0 if value is None else value, SCALAR)
    check_finite(name, array, array.shape, SCALAR)
    if array.ndim == 0:
        setattr(options, name, float(array))
    elif array.shape != (len(each),):
        raise ValueError(f"{name}: a number or {len(each)} of them are needed, and the shape is {array.shape}")
    else:
        for one, bound in zip(each, array.tolist()):
            setattr(one, member, bound)
    return array


def set_bounds(options, joints, tracks, bounds):
    for name, value in bounds.items():
        on_track = name == "track_bound"
        array = set_bound(name, value, options, "bound" if on_track else name, tracks if on_track else joints)
        if name == "object_bound" and array.ndim:  # the options need one, and a joint's 0 would stand for it
            if not (array > 0).all():
                raise ValueError("object_bound: each joint needs one above 0")
            options.object_bound = array.max(initial=0)


def set_parents(joints, parents, skeleton):
    if skeleton is not None and parents is None:
        parents = skeleton.parents
    array = np.full(len(joints), -1) if parents is None else np.asarray(parents)
    if array.shape != (len(joints),) or (len(joints) and array.dtype.kind not in "iu"):
        raise ValueError(f"parents: {len(joints)} whole numbers are needed, not {array.dtype} {array.shape}")
    for joint, parent in zip(joints, array.tolist()):
        joint.parent = parent


def members(struct, without=()):
    """The members of a struct of C. An array of the four kinds is a dict."""
    found = {name: getattr(struct, name) for name, _ in struct._fields_ if name not in without}
    for name, value in found.items():
        if isinstance(value, ctypes.Array):
            found[name] = {kind: members(one) if isinstance(one, ctypes.Structure) else one for kind, one in zip(KINDS, value)}
        elif isinstance(value, ctypes.Structure):
            found[name] = members(value)
    return types.SimpleNamespace(**found)


def place(report):
    """The argument of an error, and its place in it."""
    if report.joint == NOWHERE:
        return ""  # the error names the argument
    found = [] if report.kind >= len(KINDS) else [KINDS[report.kind]]
    found.append(f"{'track' if report.kind == c.QUATSIMD_CLIP_TRACK else 'joint'} {report.joint}")
    if report.key != NOWHERE:
        found.append(f"key {report.key}")
    return ", ".join(found)


def encode_clip(
    rotations=None,
    translations=None,
    scales=None,
    tracks=None,
    times=None,
    *,
    rate=None,
    rotation_bound=0,
    translation_bound=0,
    scale_bound=0,
    track_bound=0.001,
    object_bound=0,
    object_distance=0,
    parents=None,
    skeleton=None,
    looping=False,
    close_loop=False,
    additive=None,
    snap_times=False,
    bundled=False,
):
    """Encodes an animation as a clip: its bytes, with a `report`.

    rotations (T, J, 4), translations (T, J, 3), scales (T, J, 3) and tracks (T, K) are keys at `times` (T) in seconds, or at `rate`
    frames a second from 0 on; or lists with a Curve, or None, for each joint or track. Rotations have any length and sign.

    Bounds are the largest errors at any time: an angle in radians, a distance, the difference of a component. object_bound takes
    the place of the first three: no point at object_distance from a joint is off by more in model space. It needs `parents` (J), or
    a skeleton. An array has a bound for each joint or track.

    rate: the clip's frames a second; without it the encoder chooses. skeleton: joints that stay at its rest pose take no bytes. looping: the
    last keys are the first ones again. close_loop: these last keys were left out. additive: 'first' stores differences from the
    first keys, and a dict of rotations, translations, scales, tracks and times those from that animation. snap_times: times that
    were rounded become even. bundled: the clip is for a bundle. clip.h has more on each of these."""
    kept = []  # arrays that C reads
    rate = 0.0 if rate is None else number("rate", rate)
    counts = (0, 0) if skeleton is None else (skeleton_of("skeleton", skeleton).joint_count, skeleton.track_count)
    keys = {"rotations": rotations, "translations": translations, "scales": scales, "tracks": tracks, "times": times}
    source = source_of(keys, rate, counts, kept)
    if skeleton is not None and counts != (source.joint_count, source.track_count):
        count = f"{source.joint_count} joints and {source.track_count} tracks"
        raise ValueError(f"skeleton: it has {counts[0]} joints and {counts[1]} tracks, and the animation {count}")
    joints, made = source.joints[: source.joint_count], source.tracks[: source.track_count]
    options = c.quatsimd_clip_options()
    lib.quatsimd_clip_options_init(ctypes.byref(options), ctypes.sizeof(options))
    options.rate = rate
    options.looping, options.close_loop, options.snap_times, options.bundled = map(bool, (looping, close_loop, snap_times, bundled))
    options.skeleton = None if skeleton is None else skeleton._handle
    bounds = {"rotation_bound": rotation_bound, "translation_bound": translation_bound, "scale_bound": scale_bound}
    bounds.update(track_bound=track_bound, object_bound=object_bound, object_distance=object_distance)
    set_bounds(options, joints, made, bounds)
    if options.object_bound and parents is None and skeleton is None:
        raise ValueError("parents: object_bound needs them, or a skeleton")
    set_parents(joints, parents, skeleton)
    if isinstance(additive, dict):
        if unknown := set(additive) - {*KINDS, "times"}:
            raise ValueError(f"additive: {unknown.pop()!r} is none of {', '.join(KINDS)}, times")
        base = source_of(additive, rate, (source.joint_count, source.track_count), kept)
        options.additive, options.additive_base = c.QUATSIMD_CLIP_ADDITIVE_BASE, ctypes.pointer(base)
    elif additive == "first":
        options.additive = c.QUATSIMD_CLIP_ADDITIVE_FIRST
    elif additive is not None:
        raise ValueError(f"additive: {additive!r} is none of None, 'first' and a dict of the base's arrays")
    data, report = encoded("clip", source, ctypes.byref(options), place)
    made = EncodedClip(data)
    made.report = members(report, without=("struct_size", "joint", "key", "kind", "error"))
    return made
