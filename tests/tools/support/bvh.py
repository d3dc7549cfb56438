"""Reads BVH files, and makes random ones."""
from fractions import Fraction

import numpy as np

USUAL = [Fraction(n * 1000, per) for per in (1000, 1001) for n in (24, 25, 30, 50, 60, 90, 100, 120, 240)]


ROTATIONS = "Zrotation Xrotation Yrotation"


def bvh_of(rows, root=("a", 0, ROTATIONS), end=1, seconds="0.1"):
    """A text of rows and joints: (name, its place or its height above the one before, channels, joints below it...)."""

    def joint(word, name, at, channels, *below):
        inside = [line for each in below for line in joint("JOINT", *each)] or ["End Site", "{", "OFFSET 0 %r 0" % end, "}"]
        at = "OFFSET %r %r %r" % (at if isinstance(at, tuple) else (0, at, 0))
        return [word + " " + name, "{", at, "CHANNELS %d %s" % (len(channels.split()), channels), *inside, "}"]

    lines = ["HIERARCHY", *joint("ROOT", *root), "MOTION", "Frames: %d" % len(rows), "Frame Time: " + seconds, *rows, ""]
    return "\n".join(lines).encode()


def times_of(text, rows):
    """The times of the rows: at the nearest of the usual rates that round to the text of Frame Time, and are
    off by less than 1/16 of a frame in the last row; else multiples of what the text says."""
    number, _, power = text.lower().partition("e")
    digits = len(number.partition(".")[2]) - int(power or 0)
    seconds, half = Fraction(text), Fraction(10) ** -digits / 2
    near = [
        (abs(seconds - 1 / rate), rate)
        for rate in USUAL
        if abs(seconds - 1 / rate) <= half and abs(seconds - 1 / rate) * (rows - 1) * rate < Fraction(1, 16)
    ]
    return np.arange(rows) / float(min(near)[1]) if near else np.arange(rows) * float(text)


def read_channels(path):
    """The times of the frames, and of each joint with CHANNELS its name, their axes (0 to 2), whether they
    are rotations, and their numbers in all frames, in double."""
    with open(path, encoding="utf-8") as file:
        head, motion = file.read().split("MOTION")
    joints, columns, name = [], 0, None
    for line in head.splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words and words[0] == "CHANNELS":
            count = int(words[1])
            joints.append((name, [word.lower() for word in words[2 : 2 + count]], columns))
            columns += count
    _, frames, _, _, seconds, *numbers = motion.split()
    values = np.array(numbers, float).reshape(-1, columns)
    return times_of(seconds, int(frames)), [
        (
            name,
            ["xyz".index(word[0]) for word in words],
            [word.endswith("rotation") for word in words],
            values[:, at : at + len(words)],
        )
        for name, words, at in joints
    ]


def compose(axes, turns, values):
    """Quaternions x, y, z, w of all frames, in double: rotations compose in the order of the channels."""
    q = np.tile([0.0, 0, 0, 1], (len(values), 1))
    for axis, turn, column in zip(axes, turns, values.T):
        if turn:
            half = np.radians(column) / 2
            r = np.zeros((len(values), 4))
            r[:, axis], r[:, 3] = np.sin(half), np.cos(half)
            q = np.column_stack(
                (
                    q[:, 3:] * r[:, :3] + r[:, 3:] * q[:, :3] + np.cross(q[:, :3], r[:, :3]),
                    q[:, 3] * r[:, 3] - (q[:, :3] * r[:, :3]).sum(axis=1),
                )
            )
    return q


def read_bvh(path):
    """Joint names and quaternions: [(name, array)]."""
    return [(name, compose(*channels)) for name, *channels in read_channels(path)[1]]


def random_number(random, power):
    """In one of the ways to write a number, at most 10^power but for three digits before the point."""
    digits = "".join(random.choices("0123456789", k=random.choice((1, 2, 6, 6, 17, 25))))
    whole = random.choice(("0", "00", "7", "42", "180", "999"))
    text = random.choice((whole, whole + ".", whole + "." + digits, "." + digits, whole + "." + digits))
    exponent = random.choice(("", "", "", "e%d", "E%+d", "e%+03d"))
    return random.choice("+-  ").strip() + text + (exponent % random.randint(-12, power) if exponent else "")


def random_channels(random):
    """Mostly of the usual kinds; rotations about axes of which no neighbours are equal, among positions."""
    turns, moves = random.choice(((3, 0), (3, 3), (3, 3), (random.randint(0, 3), random.randint(0, 3))))
    axes = ""
    while len(axes) < turns:
        axes += random.choice("XYZ".replace(axes[-1:] or " ", ""))
    places = random.sample(range(turns + moves), turns)
    axes, moved = iter(axes), iter(random.sample("XYZ", moves))
    count = range(turns + moves)
    return [next(axes) + "rotation" if c in places else next(moved) + "position" for c in count]


def random_bvh(random):
    """A text with one ROOT, words and braces apart, CHANNELS before the joints below."""
    lines, columns = [], []

    def line(*words):
        blanks = [random.choice((" ", " ", "   ", "\t", " \t ")) for _ in words]
        text = "".join(word + blank for word, blank in zip(words, blanks))
        lines.append(random.choice(("", "  ", "\t")) + text)

    def numbers(count, power):
        return [random_number(random, power) for _ in range(count)]

    def joint(word, deep):
        line(word, random.choice(("hip", "toe", "mixamorig:Knee", "Hüfte", "joint%d" % len(lines))))
        line("{")
        channels = random_channels(random)
        while not channels and not deep:  # or nothing may move
            channels = random_channels(random)
        columns.extend(channels)
        line("CHANNELS", str(len(channels)), *channels)
        parts = [lambda: line("OFFSET", *numbers(3, 12))] * (random.random() < 0.9)
        parts += [lambda: joint("JOINT", deep + 1)] * (random.randint(not deep, 3) if deep < 4 else 0)
        parts += [end_site] * (random.random() < 0.4)
        for part in random.sample(parts, len(parts)):
            part()
        line("}")

    def end_site():
        line("End", "Site")
        line("{")
        line("OFFSET", *numbers(3, 12))
        line("}")

    line("HIERARCHY")
    joint("ROOT", 0)
    line("MOTION")
    frames = random.randint(2, 9)
    line("Frames:", str(frames))
    times = ".1", "1", "+1e-2", "0.0083333", "0.041666666666666666667", "3.3366700E-02", "17.5e+0"
    line("Frame", "Time:", random.choice(times))
    for _ in range(frames):
        row = [random_number(random, 1 if name.endswith("rotation") else 12) for name in columns]
        broken = random.randint(0, len(row)) if random.random() < 0.3 else 0  # it goes on in the next line
        for words in row[:broken], row[broken:]:
            line(*words)
    return random.choice(("\n", "\r\n")).join(lines + [""] * random.randint(0, 2))
