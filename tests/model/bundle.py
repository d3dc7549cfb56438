#!/usr/bin/python3
"""An independent reader of bundles, written from docs/bundle.md, docs/clip-format.md and docs/skeleton.md alone. Needs numpy and xxhash.

  bundle.py GOLDENS COMMAND...    COMMAND... FOLDER writes bundles, and their clips by themselves: does this make the same clips of the
                                  bundles, byte by byte, and have these the hashes that GOLDENS (tests/bundle/bundles.txt) has? Of changed
                                  ones: are the same refused?"""
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import xxhash

import clip
import skeleton

HEAD = struct.Struct("<4sIIIII")
FLAGS = (1 << 30) - 1 - (3 << 23)
HAS_SKELETON, HAS_TRACKS, LONG = 1 << 23, 1 << 24, 1 << 29
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
    """A clip of a bundle, made into one by itself: `data`."""

    def __init__(self, bundle, data):
        end = data.index(0)
        self.name = data[:end]
        self.name.decode("utf-8")  # strict, as RFC 3629 is
        self.bundle, self.rest = bundle, data[end + 1 :]
        flags, self.rate, *self.units = bundle.setting(number(self.take(bundle.index_bytes)))
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
        self.data = b"QSC\2" + struct.pack("<I", xxhash.xxh32(body).intdigest()) + body

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
            head = self.take(4)
            word = number(head)
            each = (8 if word >> 30 & 1 else 4) + (16 if word >> 29 & 1 else size)
            self.others.append(head + self.take(each * (word & 2**29 - 1)))

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


class Bundle:
    def __init__(self, data):
        require(len(data) >= HEAD.size)
        magic, checksum, size, clips, settings, skeleton_at = HEAD.unpack_from(data)
        require(magic == b"QSB\1" and size == len(data) and checksum == xxhash.xxh32(data[8:]).intdigest())
        require(clips <= 2**20 and settings <= clips and skeleton_at <= size)
        self.skeleton = skeleton.Skeleton(data[skeleton_at:])
        self.joints, self.tracks, self.hash = len(self.skeleton.joints), len(self.skeleton.tracks), self.skeleton.hash
        self.index_bytes = 1 if settings <= 256 else 2 if settings <= 65536 else 3
        self.rest = data[HEAD.size : skeleton_at]
        self.settings = [struct.unpack("<Id4f", self.take(28)) for _ in range(settings)]
        require(not any(flags & ~FLAGS for flags, *_ in self.settings))
        self.states = {}
        for kind in clip.KINDS:
            if any(flags >> kind & 1 for flags, *_ in self.settings):
                n = self.elements(kind)
                usual = np.frombuffer(self.take((n + 3) // 4), np.uint8)
                varies = np.frombuffer(self.take((n + 7) // 8), np.uint8)
                self.states[kind] = (usual[:, None] >> np.arange(0, 8, 2) & 3).ravel()[:n], (varies[:, None] >> np.arange(8) & 1).ravel()[:n].astype(bool)
        width = 3 if size <= 2**24 else 4
        offsets = [number(self.take(width)) for _ in range(clips)] + [skeleton_at]
        require(offsets[0] == skeleton_at - len(self.rest) and sorted(offsets) == offsets)
        self.clips = [Record(self, data[a:b]) for a, b in zip(offsets, offsets[1:])]
        names = [record.name for record in self.clips]
        require(all(a < b for a, b in zip(names, names[1:])))

    def setting(self, i):
        require(i < len(self.settings))
        return self.settings[i]

    def elements(self, kind):
        return self.tracks if kind == clip.TRACK else self.joints

    take = Record.take


def opens(data):
    try:
        return all(clip.Clip(record.data) for record in Bundle(data).clips)
    except (Refused, skeleton.Refused, ValueError):  # the last of what is too short, and of names that are not UTF-8
        return False


def agrees(changed, size):
    """Is each of the files in `changed` refused here that the library refuses, and no other?"""
    return all(opens(changed[at + 1 : at + 1 + size]) == changed[at] for at in range(0, len(changed), size + 1))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = pathlib.Path(sys.argv[1]).read_text(encoding="ascii").splitlines()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*sys.argv[2:], folder], check=True)
        for name, clips, size, file_hash in (line.split() for line in lines if not line.startswith("#")):
            path = pathlib.Path(folder) / f"{name}.qsb"
            data = path.read_bytes()
            bundle = Bundle(data)
            same = b"".join(record.data for record in bundle.clips) == path.with_suffix(".clips").read_bytes()
            known = (len(bundle.clips), len(data), xxhash.xxh64(data).intdigest()) == (int(clips), int(size), int(file_hash, 16))
            changed = path.with_suffix(".changed")
            if not same or not known or (changed.exists() and not agrees(changed.read_bytes(), len(data))):
                wrong.append(name)
    print(f"{len(lines) - 1} bundles, different: {' '.join(wrong) or 'none'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
