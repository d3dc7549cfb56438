#!/usr/bin/python3
"""An independent model of the formats of docs/codec.md, and the maker of tests/codec/goldens.txt.

Written from that page alone. All arithmetic is in doubles, and f32() stands for each float32 step.
Needs numpy, and xxhash for the golden hashes."""
import argparse
import sys

import sweep
from formats import FORMATS, pack, packed_size, unpack
from self_test import self_test
from share import share

GOLDEN_HEAD = """\
# Made by tests/model/model.py --write. XXH64, seed 0, of three results per format: the quaternions of tests/support/sweep.h
# packed; those unpacked again, as little-endian floats; and the random words of tests/support/sweep.h unpacked.
"""


def golden_hashes():
    """Name to three hashes in hexadecimal."""
    import xxhash

    quats = sweep.quaternions()
    n = len(quats)
    hashes = {}
    for name in FORMATS:
        packed = pack(name, quats)
        words = sweep.words(packed_size(name, n))
        results = packed, unpack(name, packed, n).astype("<f4"), unpack(name, words, n).astype("<f4")
        hashes[name] = [xxhash.xxh64_hexdigest(r) for r in results]
    return hashes


def write_goldens(path):
    with open(path, "w", encoding="ascii", newline="\n") as f:
        f.write(GOLDEN_HEAD)
        for name, hashes in golden_hashes().items():
            f.write(f"{name:<12} {' '.join(hashes)}\n")


def check_goldens(path):
    with open(path, encoding="ascii") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    got, expected = golden_hashes(), {row[0]: row[1:] for row in rows}
    bad = 0
    if list(got) != [row[0] for row in rows]:
        bad += 1
        print("the formats of the file are not those of the model, or not in their order")
    for name in got.keys() & expected.keys():
        if len(expected[name]) != 3:
            bad += 1
            print(f"{name}: not three hashes")
        for what, a, b in zip(("packed", "unpacked", "random words unpacked"), got[name], expected[name]):
            if a != b:
                bad += 1
                print(f"{name}: {what}: {a}, the file has {b}")
    print(f"{len(got)} formats, {bad} differences")
    return bad == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", metavar="FILE", help="write the golden hashes")
    what.add_argument("--check", metavar="FILE", help="make the hashes again and compare; status 1 if any differs")
    what.add_argument("--self-test", action="store_true", help="known answers and properties of the model itself")
    what.add_argument("--share", action="store_true", help="how often a double encoder gives another word")
    parser.add_argument("--verbose", action="store_true", help="with --self-test: a line for each format")
    args = parser.parse_args()
    if args.write:
        write_goldens(args.write)
    elif args.check:
        return 0 if check_goldens(args.check) else 1
    elif args.self_test:
        self_test(args.verbose)
    else:
        share(1000000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
