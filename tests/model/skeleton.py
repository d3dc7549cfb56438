#!/usr/bin/python3
"""An independent reader of skeletons, written from docs/skeleton.md alone. Needs numpy and xxhash.

  skeleton.py GOLDENS COMMAND...    COMMAND... FOLDER writes skeletons, and what the library reads from them as text: is that what this
                                    reads, and have they the hashes that GOLDENS (tests/skeleton/skeletons.txt) has? Of changed ones: are the same refused?"""
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import xxhash

HEAD = struct.Struct("<4sIIIIdQII")
MOST = 65536


class Refused(Exception):
    pass


def require(good):
    if not good:
        raise Refused


class Skeleton:
    def __init__(self, data):
        require(len(data) >= HEAD.size == 44)
        magic, checksum, size, names, matrices, self.metres, self.hash, joints, tracks = HEAD.unpack_from(data)
        require(magic == b"QSK\x01" and size == len(data))
        require(checksum == xxhash.xxh32(data[8:], seed=0).intdigest())
        require(joints <= MOST and tracks <= MOST and matrices <= joints)
        require(not data[27] & 128 and np.isfinite(self.metres))
        self.at, self.data = HEAD.size, data
        parents = self.take("<u2", joints)
        text = self.take("u1", names).tobytes()
        require(self.hash == xxhash.xxh64(data[36 : self.at], seed=0).intdigest())
        offsets = self.take("<u2" if names <= 65536 else "<u4", joints + tracks)
        order = self.take("<u2", joints), self.take("<u2", tracks)
        self.rotations, self.translations, self.scales = (self.take("<f4", n * joints).reshape(joints, n) for n in (4, 3, 3))
        self.track_rests = self.take("<f4", tracks)
        binds = self.take("u1", (joints + 7) // 8 * 3 if matrices else 0).reshape(-1, 3)
        self.matrices = self.take("<f4", 12 * matrices).reshape(matrices, 12)
        require(self.at == len(data))
        require(all(parent < joint or parent == 0xFFFF for joint, parent in enumerate(parents)))
        self.parents = [-1 if parent == 0xFFFF else int(parent) for parent in parents]
        self.names = self.read_names(text, offsets, joints + tracks)
        self.joints, self.tracks = self.names[:joints], self.names[joints:]
        self.first = [self.check_order(*pair) for pair in zip((self.joints, self.tracks), order)]
        self.has = self.check_binds(binds, joints, matrices)
        squares = self.rotations.astype(np.float64) ** 2
        norm2 = (squares[:, 0] + squares[:, 1]) + (squares[:, 2] + squares[:, 3])
        require(np.all((norm2 >= 1 - 2.0**-20) & (norm2 <= 1 + 2.0**-20)))
        require(all(np.all(np.isfinite(floats)) for floats in (self.translations, self.scales, self.track_rests, self.matrices)))

    def take(self, kind, count):
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    @staticmethod
    def read_names(text, offsets, items):
        require(text == b"" if items == 0 else text.endswith(b"\0"))
        names = text.split(b"\0")[:-1]
        require(len(names) == items)
        for name in names:
            name.decode("utf-8")  # strict, as RFC 3629 is
        ends = np.cumsum([0] + [len(name) + 1 for name in names])
        require(np.array_equal(offsets, ends[:-1]))
        return names

    @staticmethod
    def check_order(names, order):
        require(sorted(range(len(names)), key=lambda number: (names[number], number)) == list(order))
        first = {}
        for number, name in enumerate(names):
            first.setdefault(name, number)
        return first

    @staticmethod
    def check_binds(binds, joints, matrices):
        if not matrices:
            return [False] * joints
        bits = np.unpackbits(binds[:, 0], bitorder="little")
        require(not np.any(bits[joints:]) and np.sum(bits) == matrices)
        before = binds[:, 1] + 256 * binds[:, 2].astype(int)
        require(np.array_equal(before, np.cumsum(np.concatenate([[0], bits]))[:-1:8]))
        return [bool(bit) for bit in bits[:joints]]

    def lines(self):
        """As tests/skeleton/test_skeleton_goldens.c writes them."""

        def hexes(floats):
            return [f"{bits:08x}" for bits in floats.view("<u4")]

        yield f"{len(self.joints)} {len(self.tracks)} {struct.unpack('<Q', struct.pack('<d', self.metres))[0]:016x} {self.hash:016x}"
        matrices = iter(self.matrices)
        for j, name in enumerate(self.joints):
            words = [f"{self.parents[j]}", f"{self.first[0][name]}", "n" + name.hex()]
            words += hexes(self.rotations[j]) + hexes(self.translations[j]) + hexes(self.scales[j])
            words += hexes(next(matrices)) if self.has[j] else []
            yield " ".join(words)
        for name, rest in zip(self.tracks, hexes(self.track_rests)):
            yield f"{self.first[1][name]} n{name.hex()} {rest}"


def opens(data):
    try:
        return bool(Skeleton(data))
    except (Refused, ValueError):  # the latter of what is too short, and of names that are not UTF-8
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
        for name, size, file_hash, own_hash in (line.split() for line in lines if not line.startswith("#")):
            path = pathlib.Path(folder) / f"{name}.qsk"
            data = path.read_bytes()
            skeleton = Skeleton(data)
            same = list(skeleton.lines()) == path.with_suffix(".txt").read_text(encoding="ascii").splitlines()
            known = (len(data), xxhash.xxh64(data).intdigest(), skeleton.hash) == (int(size), int(file_hash, 16), int(own_hash, 16))
            changed = path.with_suffix(".changed")
            if not same or not known or (changed.exists() and not agrees(changed.read_bytes(), len(data))):
                wrong.append(name)
    print(f"{len(lines) - 1} skeletons, different: {' '.join(wrong) or 'none'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
