#!/usr/bin/python3
"""Prints the table of docs/stream.md. Usage:
  generate/stream_table.py QUATSIMD_COMMAND FILE...   bits per rotation of streams, by `quatsimd stream`
  generate/stream_table.py --check PAGE QUATSIMD_COMMAND FILE...
                                                    does the page have these lines? Of the column `both`, which is quick"""
import json
import os
import re
import subprocess
import sys

BOUNDS = ["1", "0.25", "0.05", "0.01"]  # degrees
PREDICTORS = ["none", "last", "free", "both"]
MAPS = [[], ["--exponential"]]


def measure(command, files, bound, predict):
    """{file: "Cayley / exponential"} in bits per rotation, all that is sent."""
    cells = {}
    for options in MAPS:
        arguments = ["stream", "--no-speed", "--json", "--bound", bound, "--predict", predict, *options, *files]
        report = json.loads(subprocess.run([command, *arguments], check=True, stdout=subprocess.PIPE).stdout)
        for file in files:
            streams = [s for s in report["streams"] if s["file"] == file]
            bits = 8 * sum(s["bytes"] for s in streams) / sum(s["rotations"] for s in streams)
            cells.setdefault(file, []).append(f"{bits:.2f}")
    return {file: " / ".join(pair) for file, pair in cells.items()}


def rows(command, files, predictors):
    cells = {(bound, p): measure(command, files, bound, p) for bound in BOUNDS for p in predictors}
    return [[f"`{os.path.basename(file)}`", bound, *(cells[bound, p][file] for p in predictors)]
            for file in files for bound in BOUNDS]


def main():
    arguments = sys.argv[1:]
    page = arguments.pop(0) and arguments.pop(0) if arguments[:1] == ["--check"] else None
    if len(arguments) < 2:
        sys.exit(__doc__)
    command, *files = arguments
    if page is None:
        print(f"| clip | bound | {' | '.join(PREDICTORS)} |\n|---|---|{'---|' * len(PREDICTORS)}")
        for row in rows(command, files, PREDICTORS):
            print(f"| {' | '.join(row)} |")
        return
    with open(page, encoding="utf-8") as file:
        lines = [re.split(r" *\| *", line.strip().strip("|").strip()) for line in file if line.startswith("|")]
    found = {(line[0], line[1]): line[-1] for line in lines if len(line) == 2 + len(PREDICTORS)}
    wrong = [(row, found.get((row[0], row[1]))) for row in rows(command, files, ["both"])]
    wrong = [f"{page}: {row[0]} at {row[1]} degrees is {has}, measured {row[2]}" for row, has in wrong if has != row[2]]
    print("\n".join(wrong) or f"{page}: {len(files) * len(BOUNDS)} rows are as measured")
    sys.exit(1 if wrong else 0)


main()
