#!/usr/bin/python3
"""An independent reader of bundles, written from docs/bundle.md, docs/clip-format.md and docs/skeleton.md alone. Needs numpy and xxhash.

  bundle.py GOLDENS COMMAND...    COMMAND... FOLDER writes bundles of both versions, their clips by themselves, and what else is in them:
                                  does this make the same clips of the bundles, byte by byte, and find the same events, masks and
                                  records of the making? Have the bundles the hashes that GOLDENS (tests/bundle/bundles.txt) has? Of
                                  changed ones: are the same refused?"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import xxhash

import clip
import skeleton

HEAD = struct.Struct("<4sIQII")
SECTION = struct.Struct("<IIQQ")
FORMER_HEAD = struct.Struct("<4sIIIII")
REQUIRED = 1 << 31
SKELETON, SETTINGS, INDEX, NAMES, CLIPS, EVENTS, MASKS, MAKING = range(1, 9)
KNOWN = {kind | (REQUIRED if kind <= CLIPS else 0): kind for kind in range(1, 9)}
TAIL = 32  # zeros behind the last clip
FLAGS = (1 << 30) - 1 - (3 << 23)
HAS_SKELETON, HAS_TRACKS, LONG, CLIPS_3 = 1 << 23, 1 << 24, 1 << 29, 1 << 30
FINE = 5  # bits that coarse components do without
NO_ROTATION = 512 << 20 | 512 << 10 | 512
Refused, require, number = clip.Refused, clip.require, clip.number


class Bits:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, width):
        end = self.at + width
        require(end <= 8 * len(self.data))
        taken = number(self.data[self.at // 8 : (end + 7) // 8]) >> self.at % 8 & (1 << width) - 1
        self.at = end
        return taken

    def bytes_taken(self):
        return (self.at + 7) // 8


class Record:
    """A clip of a bundle, made into one by itself: `data`. It is read from a record of version 1."""

    def __init__(self, bundle, name, data):
        self.name, self.bundle, self.rest = name, bundle, data
        flags, self.rate, *self.units = bundle.setting(number(self.take(bundle.index_bytes)))
        require(not flags & ~(FLAGS | CLIPS_3))
        self.newer = bool(flags & CLIPS_3)
        require(not (self.newer and bundle.version == 1))
        self.own_flags = flags
        self.flags = flags & HAS_SKELETON - 1 | HAS_SKELETON | (HAS_TRACKS if bundle.tracks else 0)
        self.frames = number(self.take(4 if flags & LONG else 2))
        require(1 <= self.frames <= 2**26)
        self.blocks = -(-(self.frames - 1) // 17)
        head = self.take(8) if self.flag(19) and self.rate else b""
        head += struct.pack("<Q", bundle.hash) + (struct.pack("<I", bundle.tracks) if bundle.tracks else b"")
        times = self.take((8 if self.flag(19) else 4) * self.frames) if self.rate == 0 else b""
        self.masks, self.plans, self.block_bytes, self.knots, self.others = ([] for _ in range(5))
        for kind in clip.KINDS:
            if self.flag(kind):
                self.read_kind(kind)
        require(not self.rest)
        parts = [b"".join(part) for part in (self.masks, self.plans, self.block_bytes, self.knots, self.others)]
        if self.plans:
            parts.append(bytes(max(32 - len(parts[-1]), 0)))
        body = struct.pack("<IIdI", bundle.joints, self.frames, self.rate, self.flags) + head + times + b"".join(parts)
        body = struct.pack("<I", len(body) + 12) + body
        self.data = (b"QSC\3" if self.newer else b"QSC\2") + struct.pack("<I", xxhash.xxh32(body).intdigest()) + body

    def flag(self, bit):
        return self.flags >> bit & 1

    def take(self, size):
        require(size <= len(self.rest))
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def read_kind(self, kind):
        elements = self.bundle.elements(kind)
        usual, varies = self.bundle.states[kind]
        states = usual.copy()
        own = np.frombuffer(self.take((np.count_nonzero(varies) + 3) // 4), np.uint8)
        states[varies] = (own[:, None] >> np.arange(0, 8, 2) & 3).ravel()[: np.count_nonzero(varies)]
        padded = np.concatenate([states, np.zeros(-elements % 4, np.uint8)]).reshape(-1, 4)
        self.masks.append((padded << np.arange(0, 8, 2)).sum(axis=1).astype(np.uint8).tobytes())
        keyed = np.zeros(elements, bool)
        if self.flag(12 + kind):
            bits = self.take((elements + 7) // 8)
            self.masks.append(bits)
            keyed = (np.frombuffer(bits, np.uint8)[:, None] >> np.arange(8) & 1).ravel()[:elements].astype(bool)
        moving = np.nonzero(states == clip.MOVING)[0]
        require(self.frames > 1 or not len(moving))
        if len(moving):
            self.read_moving(kind, elements, moving)
        size = clip.FORMATS[self.flags >> 21 & 3][1] if kind == clip.ROTATION else 4 * clip.AXES[kind]
        self.others.append(self.take(size * np.count_nonzero((states == clip.CONSTANT) & ~keyed)))
        for _ in range(np.count_nonzero((states == clip.CONSTANT) & keyed)):
            while self.read_keys(kind, size):  # the base of a pair follows
                pass

    def read_keys(self, kind, size):
        head = self.take(4)
        word = number(head)
        count, newer = word & 2 ** (26 if self.newer else 29) - 1, word >> 26 & 7 if self.newer else 0
        self.others.append(head + self.take(((8 if word >> 30 & 1 else 4) >> (newer >> 1 & 1)) * count))
        if newer >> 2:
            self.read_spline(len(clip.VALUE[kind]), count, word >> 29 & 1)
        else:
            self.others.append(self.take((16 if word >> 29 & 1 else size) * count))
        return newer & 1

    def read_spline(self, n, count, as_floats):
        require(count >= 2)
        if as_floats:
            self.others.append(self.take(4 * n * (3 * count - 2)))
            return
        head = self.take(4 + 2 * n)
        widths = list(head[4:])
        self.others.append(head + self.take((count * sum(widths[:n]) + 2 * (count - 1) * sum(widths[n:]) + 7) // 8))

    def read_moving(self, kind, elements, moving):
        axes, groups, slot_bytes = clip.AXES[kind], clip.groups_of(len(moving)), 1 if elements <= 256 else 2
        ends = self.take((4 if self.flag(8 + kind) else 2) * self.blocks)
        units = self.take(len(moving)) if self.flag(4 + kind) else b""
        slots = None
        if self.own_flags >> 25 + kind & 1:
            slots = self.take(slot_bytes * len(moving))
        bits = Bits(self.rest)
        if slots is None:
            members = [[] for _ in groups]
            for joint in moving:
                group = bits.take((len(groups) - 1).bit_length())
                require(group < len(groups))
                members[group].append(int(joint))
            require([len(group) for group in groups] == [len(member) for member in members])
            slots = b"".join(joint.to_bytes(slot_bytes, "little") for member in members for joint in member)
        widths = bytes(bits.take(5) for _ in range(axes * len(groups)))
        bases = self.rotations(bits, len(moving)) if kind == clip.ROTATION else self.middles(bits, axes, len(moving))
        self.take(bits.bytes_taken())
        self.plans.append(struct.pack("<f", self.units[kind]) + widths + ends + units)
        self.block_bytes.append(self.take(number(ends[-(len(ends) // self.blocks) :])))
        row = sum((width * len(group) + 7) // 8 for g, group in enumerate(groups) for width in widths[axes * g : axes * (g + 1)])
        self.knots.append(self.take((self.blocks + 1) * row))
        self.others.append(bases + slots)

    def rotations(self, bits, count):
        right, left = [], []

        def word(coarse):
            without = FINE if coarse else 0
            return sum(bits.take(10 - without) << 10 * i + without for i in range(3))

        for _ in range(count):
            coarse = bits.take(1)
            has_axes = self.flag(20) and bits.take(1)
            coarse_axes = has_axes and bits.take(1)
            right.append(word(coarse))
            left.append(word(coarse_axes) if has_axes else NO_ROTATION)
        return struct.pack(f"<{count}I", *right) + (struct.pack(f"<{count}I", *left) if self.flag(20) else b"")

    @staticmethod
    def middles(bits, axes, count):
        words = []
        for _ in range(count):
            coarse = bits.take(1)
            words += [(0 if coarse else bits.take(16)) | bits.take(16) << 16 for _ in range(axes)]
        return struct.pack(f"<{len(words)}I", *words)


class Section:
    """Bytes that are taken from the first to the last."""

    take = Record.take

    def __init__(self, rest):
        self.rest = rest

    def numbers(self, count, size):
        data = self.take(count * size)
        return [number(data[at : at + size]) for at in range(0, len(data), size)]

    def names(self):
        """All that is left: names in their order, by the places where they begin."""
        found, at = {}, 0
        require(not self.rest or self.rest[-1] == 0)
        for name in self.rest.split(b"\0")[:-1]:
            name.decode("utf-8")  # strict, as RFC 3629 is
            found[at] = name
            at += len(name) + 1
        names = list(found.values())
        require(all(a < b for a, b in zip(names, names[1:])))
        return found


class Bundle:
    """Both versions. events: of each clip, (time, name); masks: (name, weights)."""

    def __init__(self, data):
        require(data[:3] == b"QSB" and data[3:4] in (b"\1", b"\2"))
        self.version, self.masks, self.making = data[3], [], None
        if data[3] == 1:
            names, records = self.read_former(data)
        else:
            names, records = self.read(data)
        require(all(a < b for a, b in zip(names, names[1:])))
        self.clips = [Record(self, name, record) for name, record in zip(names, records)]
        self.events = getattr(self, "events", [[] for _ in names])

    def read_former(self, data):
        require(len(data) >= FORMER_HEAD.size)
        magic, checksum, size, clips, settings, skeleton_at = FORMER_HEAD.unpack_from(data)
        require(size == len(data) and checksum == xxhash.xxh32(data[8:]).intdigest())
        require(clips <= 2**20 and skeleton_at <= size)
        self.read_skeleton(data[skeleton_at:])
        rest = Section(data[FORMER_HEAD.size : skeleton_at])
        self.read_settings(rest, settings, clips)
        offsets = rest.numbers(clips, 3 if size <= 2**24 else 4) + [skeleton_at]
        require(offsets[0] == skeleton_at - len(rest.rest) and sorted(offsets) == offsets)
        names, records = [], []
        for a, b in zip(offsets, offsets[1:]):
            record = Section(data[a:b])
            require(0 in record.rest)
            names.append(record.take(record.rest.index(0) + 1)[:-1])
            names[-1].decode("utf-8")
            records.append(record.rest)
        return names, records

    def read(self, data):
        require(len(data) >= HEAD.size)
        magic, checksum, size, clips, count = HEAD.unpack_from(data)
        end = HEAD.size + SECTION.size * count
        require(size == len(data) and end <= size and checksum == xxhash.xxh32(data[8:end]).intdigest())
        sections, before = {}, 0
        for i in range(count):
            kind, checksum, place, bytes_of = SECTION.unpack_from(data, HEAD.size + SECTION.size * i)
            require(before < kind & ~REQUIRED and place == -(-end // 16) * 16 and place + bytes_of <= size)
            require(not any(data[end:place]) and checksum == xxhash.xxh32(data[place : place + bytes_of]).intdigest())
            require(kind in KNOWN or not kind & REQUIRED)
            if kind in KNOWN:
                sections[KNOWN[kind]] = Section(data[place : place + bytes_of])
            before, end = kind & ~REQUIRED, place + bytes_of
        require(end == size and set(range(SKELETON, CLIPS + 1)) <= set(sections) and clips <= 2**20)
        self.read_skeleton(sections[SKELETON].rest)
        self.read_settings(sections[SETTINGS], number(sections[SETTINGS].take(4)), clips)
        require(not sections[SETTINGS].rest)
        names, records = self.read_index(sections, clips)
        if EVENTS in sections:
            self.read_events(sections[EVENTS], clips)
        if MASKS in sections:
            self.read_masks(sections[MASKS])
        if MAKING in sections:
            self.making = sections[MAKING].rest
        return names, records

    def read_index(self, sections, clips):
        records, names = sections[CLIPS].rest, sections[NAMES].rest
        widths = [4 if len(data) < 2**32 else 8 for data in (names, records)]
        require(len(records) >= TAIL and not any(records[-TAIL:]))
        index, places = sections[INDEX], []
        for _ in range(clips):
            places.append([number(index.take(width)) for width in widths] + [number(index.take(4))])
        require(not index.rest)
        names = sections[NAMES].names()
        require(list(names) == [place for place, *_ in places])
        ends = [at for _, at, _ in places[1:]] + [len(records) - TAIL]
        require((places[0][1] if places else len(records) - TAIL) == 0)
        found = []
        for (_, at, checksum), end in zip(places, ends):
            require(at < end and checksum == xxhash.xxh32(records[at:end]).intdigest() and records[at] == 1)
            found.append(records[at + 1 : end])
        return list(names.values()), found

    def read_events(self, section, clips):
        count = number(section.take(4))
        ends = section.numbers(clips, 4)
        events = [(section.take(8), number(section.take(4))) for _ in range(count)]
        text = section.names()
        require(all(math.isfinite(struct.unpack("<d", time)[0]) and place in text for time, place in events))

        def order(event):
            bits = number(event[0])
            return ~bits & 2**64 - 1 if bits >> 63 else bits | 1 << 63, event[1]

        starts = [0] + ends
        require(sorted(starts) == starts and starts[-1] == count)
        of_clips = [events[a:b] for a, b in zip(starts, ends)]
        require(all(sorted(of_clip, key=order) == of_clip for of_clip in of_clips))
        self.events = [[(struct.unpack("<d", time)[0], text[place]) for time, place in of_clip] for of_clip in of_clips]

    def read_masks(self, section):
        count, each = number(section.take(4)), self.joints + self.tracks
        places = section.numbers(count, 4)
        weights = [struct.unpack(f"<{each}f", section.take(4 * each)) for _ in range(count)]
        text = section.names()
        require(places == list(text) and all(math.isfinite(weight) for of_mask in weights for weight in of_mask))
        self.masks = list(zip(text.values(), weights))

    def read_skeleton(self, data):
        self.skeleton = skeleton.Skeleton(data)
        self.joints, self.tracks, self.hash = len(self.skeleton.joints), len(self.skeleton.tracks), self.skeleton.hash

    def read_settings(self, section, settings, clips):
        require(settings <= clips)
        self.index_bytes = 1 if settings <= 256 else 2 if settings <= 65536 else 3
        self.settings = [struct.unpack("<Id4f", section.take(28)) for _ in range(settings)]
        self.states = {}
        for kind in clip.KINDS:
            if any(flags >> kind & 1 for flags, *_ in self.settings):
                n = self.elements(kind)
                usual = np.frombuffer(section.take((n + 3) // 4), np.uint8)
                varies = np.frombuffer(section.take((n + 7) // 8), np.uint8)
                self.states[kind] = (usual[:, None] >> np.arange(0, 8, 2) & 3).ravel()[:n], (varies[:, None] >> np.arange(8) & 1).ravel()[
                    :n
                ].astype(bool)

    def setting(self, i):
        require(i < len(self.settings))
        return self.settings[i]

    def elements(self, kind):
        return self.tracks if kind == clip.TRACK else self.joints


def opens(data):
    try:
        return all(clip.Clip(record.data) for record in Bundle(data).clips)
    except (Refused, skeleton.Refused, ValueError):  # the last of what is too short, and of names that are not UTF-8
        return False


def agrees(changed, size):
    """Is each of the files in `changed` refused here that the library refuses, and no other?"""
    return all(opens(changed[at + 1 : at + 1 + size]) == changed[at] for at in range(0, len(changed), size + 1))


def same_marks(bundle, marks):
    """Has it the events, masks and the record of the making of the JSON `marks`?"""
    events = [(record.name.decode(), time, name.decode()) for record, of_clip in zip(bundle.clips, bundle.events) for time, name in of_clip]
    masks = [[name.decode(), *weights] for name, weights in bundle.masks]
    making = json.loads(bundle.making) if bundle.making is not None else None
    return sorted(events) == sorted(map(tuple, marks["events"])) and masks == sorted(marks["masks"]) and making == marks["making"]


def faults(folder, name, golden, former_golden):
    clips = (folder / f"{name}.clips").read_bytes()
    marks = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    for ending, known in ("qsb", golden), ("qsb1", former_golden):
        if not (folder / f"{name}.{ending}").exists():
            continue  # version 1 has no splines
        data = (folder / f"{name}.{ending}").read_bytes()
        bundle, changed = Bundle(data), folder / f"{name}.{ending}.changed"
        if b"".join(record.data for record in bundle.clips) != clips:
            yield "clips"
        if (len(bundle.clips), len(data), xxhash.xxh64(data).intdigest()) != known:
            yield "bytes"
        if ending == "qsb" and not same_marks(bundle, marks):
            yield "marks"
        if changed.exists() and not agrees(changed.read_bytes(), len(data)):
            yield "changed"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = [line for line in pathlib.Path(sys.argv[1]).read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*sys.argv[2:], folder], check=True)
        for name, clips, *known in map(str.split, lines):
            goldens = [(int(clips), int(known[i]), int(known[i + 1], 16)) for i in (0, 2)]
            wrong += [f"{name} ({fault})" for fault in faults(pathlib.Path(folder), name, *goldens)]
    print(f"{len(lines)} bundles, different: {' '.join(wrong) or 'none'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
