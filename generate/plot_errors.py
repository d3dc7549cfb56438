#!/usr/bin/python3
"""Draws the errors of all formats over their size with gnuplot (Debian: gnuplot-nox), and prints them as a table.
Usage: generate/plot_errors.py QUATSIMD_COMMAND OUT.svg"""
import json
import math
import re
import subprocess
import sys

BESIDE = 0.8  # bits by which some formats are drawn beside others of their size
# Title, pattern of the names, colour, gnuplot's point types for worst and mean, their size, shift in bits
SERIES = [
    ("smallest3:4 to :20 and mirage:4 to :20, equal", r"(smallest3|mirage):\d+", "#4060c0", 5, 4, 0.6, 0),
    ("smallest3_32, _48, _64", r"smallest3_\d+", "#4060c0", 13, 12, 0.8, 0),
    ("cube32", r"cube32", "#108040", 9, 8, 0.8, -BESIDE),
    ("cube32c", r"cube32c", "#108040", 11, 10, 0.8, BESIDE),
    ("half4", r"half4", "#8030a0", 15, 14, 0.8, 0),
    ("snorm16x3", r"snorm16x3", "#b06000", 15, 14, 0.8, BESIDE),
    ("vertex32", r"vertex32", "#606060", 9, 8, 0.8, 0),
    ("lattice24, 32, 48, 64", r"lattice\d+", "#c00000", 7, 6, 0.8, 0),
]
OTHERS = ("formats of others, for interchange", r"", "#909090", 11, 10, 0.5, 0)  # what has no series of its own
LEFT_OUT = "float4"


def bound(bits):
    """Degrees: 2^bits balls on half of a 3-sphere, whose volume is pi^2, that cover it as thinly as balls around a
    body-centred cubic lattice cover space. The angle of a rotation is twice that on the sphere."""
    thickness = 5 * math.sqrt(5) * math.pi / 24
    return math.degrees(2 * (thickness * 3 * math.pi / (4 * 2.0**bits)) ** (1 / 3))


def print_table(formats):
    print("| format | bits | worst | mean | limit | worst/limit |\n|---|---|---|---|---|---|")
    for f in formats:
        worst, mean, least = f["worst_error_degrees"], f["mean_error_degrees"], bound(f["bits"])
        print(f"| `{f['name']}` | {f['bits']} | {worst:.3g} | {mean:.3g} | {least:.3g} | {worst / least:.3g} |")


def script(formats, path):
    (left_out,) = (f for f in formats if f["name"] == LEFT_OUT)
    shifted = [", ".join(title for title, *_, shift in SERIES if shift == to) for to in (-BESIDE, BESIDE)]
    notes = (
        f"{LEFT_OUT} ({left_out['bits']} bits) is left out.\\nDrawn {BESIDE} bits beside their size:\\n"
        f"{shifted[0]} to the left,\\n{shifted[1]} to the right."
    )
    lines = [
        'set terminal svg size 880,720 font "sans-serif,13" noenhanced background "white"',
        f"set output {json.dumps(path)}",
        'set title "Angle between a rotation and its round trip, by size of the packed rotation"',
        f'set label "{notes}" at 69,130 right textcolor "#606060"',
        'set xlabel "bits per rotation"',
        'set ylabel "degrees"',
        "set logscale y",
        "set xrange [0:70]",
        "set yrange [1e-5:200]",
        'set format y "%g"',
        "set xtics 8",
        "set ytics 10",
        "set mytics 1",
        'set grid xtics ytics linetype 1 linecolor "#dddddd"',
        "set key bottom left Left reverse samplen 2 spacing 1.1 width -10",
        "set samples 2",
    ]
    plots = [
        f'{bound(0):.6g} * 2**(-x / 3.0) with lines linecolor "black" dashtype 2' ' title "best worst error known for 2^bits rotations"',
        'keyentry with points pointtype 7 pointsize 0.8 linecolor "black" title "filled: worst error"',
        'keyentry with points pointtype 6 pointsize 0.8 linecolor "black" title "hollow: mean error"',
    ]
    members = [[f for f in formats if re.fullmatch(pattern, f["name"])] for _, pattern, *_ in SERIES]
    others = [f for f in formats if f["name"] != LEFT_OUT and not any(f in rows for rows in members)]
    series = [(OTHERS, others)] * bool(others) + list(zip(SERIES, members))
    for n, ((title, _, colour, worst_type, mean_type, size, shift), rows) in enumerate(series):
        points = {(f["bits"] + shift, f["worst_error_degrees"], f["mean_error_degrees"]) for f in rows}
        lines += [f"$series{n} << END"] + [f"{x} {worst} {mean}" for x, worst, mean in sorted(points)] + ["END"]
        how = "linespoints" if ":" in title else "points"
        style = f'pointsize {size} linecolor "{colour}"'
        for column, kind, name in ((2, worst_type, f'title "{title}"'), (3, mean_type, "notitle")):
            plots.append(f"$series{n} using 1:{column} with {how} pointtype {kind} {style} {name}")
        if title.startswith("lattice"):
            lines += [
                f'set label "{f["name"]}" at {f["bits"] - 1},{f["mean_error_degrees"] * 0.7} right textcolor "{colour}"' for f in rows
            ]
    return "\n".join(lines + ["plot " + ", \\\n  ".join(plots)]) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    output = subprocess.run([sys.argv[1], "formats", "--json"], check=True, capture_output=True).stdout
    formats = json.loads(output)
    subprocess.run(["gnuplot"], input=script(formats, sys.argv[2]), text=True, check=True)
    print_table(formats)


if __name__ == "__main__":
    main()
