"""Bundles: a skeleton with all its clips in one file, found by name (bundle.h)."""
import collections.abc
import ctypes
import functools

import numpy as np

from . import _declarations as c
from ._arrays import FLOAT
from ._clip import Clip, seconds
from ._files import NOWHERE, contents, encoded, opened, opened_bytes, text
from ._library import check, lib
from ._pose import Mask, weights_of
from ._skeleton import Skeleton


class Bundle(collections.abc.Mapping):
    """A skeleton and its clips by name, from the bytes of a bundle or its path (.qsb).

    A file is mapped: opening reads its head, and each clip is read and checked as it is taken. It stays mapped until the bundle,
    its skeleton and its clips are gone. While it is, it must not change."""

    def __init__(self, source):
        self._opened = opened_bytes("source", source, "bundle", mapped=True)

    @property
    def _handle(self):
        if self._opened is None:
            raise ValueError("the bundle is closed")
        return self._opened

    def close(self):
        """Lets go of the file. Its skeleton and clips that are in use stay as they are."""
        self._opened = None
        self.__dict__.pop("skeleton", None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __repr__(self):
        return f"<Bundle: {len(self)} clips>" if self._opened else "<Bundle: closed>"

    def __len__(self):
        return lib.quatsimd_bundle_clip_count(self._handle)

    def __iter__(self):
        handle = self._handle
        return (lib.quatsimd_bundle_clip_name(handle, i).decode() for i in range(len(self)))

    def __contains__(self, name):
        return lib.quatsimd_bundle_find_clip(self._handle, text("name", name)) >= 0

    def __getitem__(self, name):
        handle = self._handle
        number = lib.quatsimd_bundle_find_clip(handle, text("name", name))
        if number < 0:
            raise KeyError(name)
        size = lib.quatsimd_bundle_clip_memory_size(handle, number)
        found = opened(name, c.quatsimd_clip, size, lib.quatsimd_bundle_open_clip, handle, before=(handle, number))
        return Clip._of(found, self.skeleton)

    @property
    def names(self):
        """The clips' names, in the order of their bytes in UTF-8."""
        return tuple(self)

    @functools.cached_property
    def skeleton(self):
        size, handle = lib.quatsimd_skeleton_memory_size(), self._handle
        return Skeleton._of(opened("skeleton", c.quatsimd_skeleton, size, lib.quatsimd_bundle_open_skeleton, handle, before=(handle,)))

    @property
    def masks(self):
        """Weights of joints and tracks by name: a Mask each."""
        handle, found = self._handle, {}
        for i in range(lib.quatsimd_bundle_mask_count(handle)):
            name = lib.quatsimd_bundle_mask_name(handle, i)
            mask = Mask(np.empty(self.skeleton.joint_count, FLOAT), np.empty(self.skeleton.track_count, FLOAT))
            check(lib.quatsimd_bundle_mask(handle, name, mask.joints.ctypes.data, mask.tracks.ctypes.data))
            found[name.decode()] = mask
        return found

    @property
    def making(self):
        """The record of how the bundle was made, as it was given: bytes, of which there may be none."""
        data, size, handle = ctypes.c_void_p(), ctypes.c_size_t(), self._handle
        check(lib.quatsimd_bundle_making(handle, ctypes.byref(data), ctypes.byref(size)), "making")
        return bytes((ctypes.c_ubyte * size.value).from_address(data.value)) if data else b""

    def check(self):
        """Reads the whole bundle with all its checksums, and raises Error for what is damaged."""
        report, names, handle = c.quatsimd_bundle_report(), self.names, self._handle
        lib.quatsimd_bundle_report_init(ctypes.byref(report), ctypes.sizeof(report))
        status = lib.quatsimd_bundle_check(handle, ctypes.byref(report))
        check(status, "bundle" if report.clip == NOWHERE else f"clip {names[report.clip]!r}", report)


def events_of(name, value):
    """The events of one clip, for C."""
    made = []
    for i, event in enumerate(value):
        try:
            time, mark = event[:2]
        except (TypeError, ValueError):
            raise TypeError(f"{name}[{i}]: a time and a name are needed, not {event!r}") from None
        made.append((float(seconds(f"{name}[{i}]", time)), text(f"{name}[{i}]", mark)))
    return (c.quatsimd_bundle_event * len(made))(*made)


def clip_entries(clips, events, kept):
    """The clips for C, and in `kept` what they point to."""
    if unknown := set(events) - set(clips):
        raise ValueError(f"events: there is no clip {unknown.pop()!r}")
    entries = (c.quatsimd_bundle_entry * len(clips))()
    for entry, (name, clip) in zip(entries, clips.items()):
        data, marks = contents(f"clips[{name!r}]", clip), events_of(f"events[{name!r}]", events.get(name, ()))
        kept.append(data)
        entry.name, entry.data, entry.data_size = text("clips", name), data.ctypes.data, data.size
        entry.events, entry.event_count = marks, len(marks)
    return entries


def mask_entries(masks, skeleton, kept):
    """The masks for C, and in `kept` what they point to."""
    entries = (c.quatsimd_bundle_mask_entry * len(masks))()
    for entry, (name, mask) in zip(entries, masks.items()):
        joints, tracks = mask if isinstance(mask, Mask) else Mask(mask)
        joints = weights_of(f"masks[{name!r}]", np.ones(skeleton.joint_count) if joints is None else joints, skeleton.joint_count)
        tracks = weights_of(f"masks[{name!r}].tracks", tracks, skeleton.track_count)
        kept += [joints, tracks]
        entry.name, entry.joint_weights = text("masks", name), joints.ctypes.data
        entry.track_weights = None if tracks is None else tracks.ctypes.data
    return entries


def encode_bundle(skeleton, clips, events=None, masks=None, making=b""):
    """The bytes of a bundle.

    skeleton: the bytes of a skeleton, or a path. clips: by name the bytes of each clip, encoded with this skeleton and with
    bundled=True, or a path. events: by the clip's name a list of (time, name). masks: by name a Mask, or weights of joints (J).
    making: any bytes that say how the bundle was made."""
    for name, value in (("clips", clips), ("events", events or {}), ("masks", masks or {})):
        if not isinstance(value, collections.abc.Mapping):
            raise TypeError(f"{name}: a dict is needed, not {type(value).__name__}")
    handle, making, kept = opened_bytes("skeleton", skeleton, "skeleton"), contents("making", making), []
    skeleton = handle.kept[1]
    source = c.quatsimd_bundle_source()
    lib.quatsimd_bundle_source_init(ctypes.byref(source), ctypes.sizeof(source), ctypes.sizeof(c.quatsimd_bundle_entry))
    source.skeleton, source.skeleton_size = skeleton.ctypes.data, skeleton.size
    source.clips, source.clip_count = clip_entries(clips, events or {}, kept), len(clips)
    source.masks, source.mask_count = mask_entries(masks or {}, Skeleton._of(handle), kept), len(masks or {})
    source.making, source.making_size = making.ctypes.data, making.size
    names = list(clips)
    return encoded("bundle", source, None, lambda r: "" if r.clip == NOWHERE else f"clips[{names[r.clip]!r}]")[0]
