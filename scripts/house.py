#!/usr/bin/python3
"""Prints the numbers of the house at a commit, as Markdown: lines by room, files per folder, the longest files and functions.
Only C counts (.c, .h, .def, .inc.h), in the files that git has; not third_party/. Lines are all lines, comments and empty ones among them."""
import argparse
import collections
import re
import subprocess
import sys

TOP = 8  # longest files and functions


def git(*arguments):
    done = subprocess.run(["git", *arguments], stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(1)  # git has said why
    return done.stdout.decode("utf-8", "replace")


def room_of(path):
    """src/clip/encode/write.c: src/clip; tools/main.c: tools."""
    folders = path.split("/")[:-1]
    return "/".join(folders[:2]) or "."


def functions(text):
    """Name and lines of each function: a head that begins a line, has a parenthesis and ends with {, to the } that begins a line."""
    for found in re.finditer(r"^[A-Za-z_][^;={}\n]*\([^;={}]*\{$.*?^\}", text, re.M | re.S):
        name = re.search(r"(\w+)\(", found[0])
        yield name[1], found[0].count("\n") + 1


def measure(commit):
    """Names of all files; lines of the C files, by path; functions, the longest first; bytes of the C files."""
    names = [name for name in git("ls-tree", "-r", "--name-only", commit).splitlines() if not name.startswith("third_party/")]
    c, lengths, size = {}, [], 0
    for name in names:
        if re.search(r"\.(c|h|def)$", name):
            text = git("show", f"{commit}:{name}")
            c[name] = text.count("\n")
            size += len(text)
            lengths += [(length, f"`{function}` in {name}") for function, length in functions(text)]
    return names, c, sorted(lengths, reverse=True), size


def table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) + " |")
    print()


def by_key(commits, key, each):
    """A row for each key, with a column for each commit: `each` makes a Counter of a measurement."""
    counts = [each(measurement) for measurement in commits.values()]
    for name in sorted(set().union(*counts)):
        yield [name] + [count.get(name, "") for count in counts]
    yield [key] + [sum(count.values()) for count in counts]


def lines_by_room(measurement):
    rooms = collections.Counter()
    for name, lines in measurement[1].items():
        rooms[room_of(name)] += lines
    return rooms


def files_by_folder(measurement):
    return collections.Counter(name.rpartition("/")[0] or "." for name in measurement[0])


def side_by_side(lists):
    for i in range(TOP):
        yield [f"{cells[i][0]}: {cells[i][1]}" if i < len(cells) else "" for cells in lists]


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("commit", nargs="?", default="HEAD", help="any name that git has for it; without one, the last commit")
parser.add_argument("other", nargs="?", help="another one, which is put beside the first")
options = parser.parse_args()
commits = {name: measure(name) for name in filter(None, (options.commit, options.other))}
heads = [git("rev-parse", "--short", name).strip() for name in commits]
print("Lines of C by room:\n")
table(["room", *heads], by_key(commits, "all", lines_by_room))
print("Files per folder:\n")
table(["folder", *heads], by_key(commits, "all", files_by_folder))
print("Longest C files, lines:\n")
table(heads, side_by_side([sorted(((n, name) for name, n in m[1].items()), reverse=True) for m in commits.values()]))
print("Longest functions, lines:\n")
table(heads, side_by_side([m[2] for m in commits.values()]))
print("Of all:\n")
table(
    ["", *heads],
    [
        ["KiB of C, whatever the lines' length"] + [m[3] // 1024 for m in commits.values()],
        ["C files of more than 500 lines"] + [sum(n > 500 for n in m[1].values()) for m in commits.values()],
        ["folders of more than 25 files"] + [sum(n > 25 for n in files_by_folder(m).values()) for m in commits.values()],
        ["functions of more than 50 lines"] + [sum(n > 50 for n, _ in m[2]) for m in commits.values()],
    ],
)
