"""Bundles made of arrays, by the C functions alone."""
import ctypes

import numpy as np

from quatsimd import _declarations as c
from quatsimd._library import check, lib


def curve(keep, values, times):
    """The curve of an array (frames, components); None: there is none."""
    if values is None:
        return c.quatsimd_curve()
    values, times = np.ascontiguousarray(values, np.float32), np.ascontiguousarray(times, np.float64)
    keep += [values, times]
    return c.quatsimd_curve(len(times), times.ctypes.data, values.ctypes.data, c.QUATSIMD_CURVE_LINEAR)


def taken(data, size, free):
    made = ctypes.string_at(data, size.value)
    free(None, data)
    return made


def encode_skeleton(names, parents, translations, scales=None):
    joints = (c.quatsimd_skeleton_joint * len(names))()
    for j, (name, parent) in enumerate(zip(names, parents)):
        joints[j].name, joints[j].parent = name.encode(), parent
        joints[j].rotation[:], joints[j].translation[:] = (0, 0, 0, 1), [float(x) for x in translations[j]]
        joints[j].scale[:] = (1, 1, 1) if scales is None else [float(x) for x in scales[j]]
    source = c.quatsimd_skeleton_source(len(names), joints, 0, None, 1.0, None)
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(lib.quatsimd_skeleton_encode(ctypes.byref(data), ctypes.byref(size), ctypes.byref(source), None, None), "skeleton")
    return taken(data, size, lib.quatsimd_skeleton_free)


def encode_clip(skeleton, parents, times, rotations, translations, scales=None, options=None, keyed=None):
    """A clip of arrays (frames, joints, components). `options`: members of quatsimd_clip_options. `keyed`: by the number of a joint,
    times and values of keys of its rotation and of its translation."""
    memory, opened = c.quatsimd_skeleton_storage(), ctypes.POINTER(c.quatsimd_skeleton)()
    check(lib.quatsimd_skeleton_open(opened, ctypes.byref(memory), ctypes.sizeof(memory), skeleton, len(skeleton)), "skeleton")
    keep, joints = [], (c.quatsimd_clip_joint * len(parents))()
    for j, parent in enumerate(parents):
        joints[j].parent = parent
        joints[j].rotation = curve(keep, rotations[:, j], times)
        joints[j].translation = curve(keep, translations[:, j], times)
        joints[j].scale = curve(keep, None if scales is None else scales[:, j], times)
    for j, (rotation, translation) in (keyed or {}).items():
        joints[j].rotation, joints[j].translation = curve(keep, rotation[1], rotation[0]), curve(keep, translation[1], translation[0])
    chosen, report = c.quatsimd_clip_options(), c.quatsimd_clip_report()
    lib.quatsimd_clip_options_init(ctypes.byref(chosen), ctypes.sizeof(chosen))
    lib.quatsimd_clip_report_init(ctypes.byref(report), ctypes.sizeof(report))
    for name, value in (options or {}).items():
        setattr(chosen, name, value)
    chosen.skeleton, chosen.bundled = opened, 1
    source = c.quatsimd_clip_source(len(parents), joints, 0, None)
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    status = lib.quatsimd_clip_encode(
        ctypes.byref(data), ctypes.byref(size), ctypes.byref(source), ctypes.byref(chosen), ctypes.byref(report)
    )
    check(status, "clip", report)
    return taken(data, size, lib.quatsimd_clip_free)


def encode_bundle(skeleton, clips):
    """A bundle of clips: their bytes by name."""
    entries = (c.quatsimd_bundle_entry * max(len(clips), 1))()
    keep = [ctypes.create_string_buffer(data, len(data)) for data in clips.values()]
    for entry, name, data in zip(entries, clips, keep):
        entry.name, entry.data, entry.data_size = name.encode(), ctypes.addressof(data), len(data)
    source = c.quatsimd_bundle_source()
    lib.quatsimd_bundle_source_init(ctypes.byref(source), ctypes.sizeof(source), ctypes.sizeof(c.quatsimd_bundle_entry))
    text = ctypes.create_string_buffer(skeleton, len(skeleton))
    source.skeleton, source.skeleton_size = ctypes.addressof(text), len(skeleton)
    source.clips, source.clip_count = entries, len(clips)
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(lib.quatsimd_bundle_encode(ctypes.byref(data), ctypes.byref(size), ctypes.byref(source), None, None), "bundle")
    return taken(data, size, lib.quatsimd_bundle_free)
