#!/usr/bin/python3
"""Finds C files that call each other in a circle: a calls b, and b calls a, or another file that does in the end.
Usage: circles.py FOLDER...; each folder is a graph of its own. --self-test plants circles and must find each."""
import pathlib
import re
import sys
import tempfile

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DEFINED = re.compile(r"^(?!static\b|typedef\b)(?:__attribute__\(\(.*?\)\) *)?[A-Za-z_][\w *]*?\b(\w+)\([^;{}]*\) \{", re.MULTILINE)

BY_MACRO = re.compile(r"^FUNCTION_OF_\d\((\w+)\)", re.MULTILINE)


def calls_of(folder):
    """{file: {file that it calls: functions}}"""
    texts = {str(p): COMMENT_OR_TEXT.sub(" ", p.read_text(encoding="utf-8")) for p in sorted(folder.rglob("*.c"))}
    home = {name: path for path, text in texts.items() for name in DEFINED.findall(text)}
    home.update(("quatsimd_" + name, path) for path, text in texts.items() for name in BY_MACRO.findall(text))
    calls = {path: {} for path in texts}
    for path, text in texts.items():
        for name in sorted(set(re.findall(r"(?<!\.)(?<!->)\b\w+\b", text)) & home.keys()):
            if home[name] != path and not re.search(rf"\bstatic\b[^;{{}}]*\b{name}\(", text):
                calls[path].setdefault(home[name], []).append(name)
    return calls


def way(calls, start, end):
    """The shortest list of files from one to the other, each called by the one before; None if there is none."""
    paths, seen = [[start]], set()
    for path in paths:
        for file in calls[path[-1]]:
            if file == end:
                return path + [file]
            if file not in seen:
                seen.add(file)
                paths.append(path + [file])
    return None


def circles(folder):
    calls, found = calls_of(folder), set()
    for file in calls:
        circle = way(calls, file, file)
        if circle and not found & set(circle):
            found |= set(circle)
            yield ", ".join(f"{a} calls {b} ({' '.join(calls[a][b])})" for a, b in zip(circle, circle[1:]))


def self_test():
    files = {
        "a.c": "int a(int x) {\n  return b(x);\n}\n",
        "b.c": "int b(int x) {\n  return c(x);\n}\n",
        "c.c": "/* a(x) */\nint c(int x) {\n  return x;\n}\n",
    }
    plants = {"of two": ("b.c", "c(x)", "a(x)"), "of three": ("c.c", "return x", "return a(x)")}
    files["d.c"] = "__attribute__((cold)) int d(int x) {\n  return e(x.e);\n}\n"
    files["e.c"] = "int e(int x) {\n  return x.d;\n}\n"
    plants["with an attribute"] = ("e.c", "x.d", "d(x)")
    with tempfile.TemporaryDirectory() as folder:
        for name, (planted, old, new) in {"none": ("a.c", "", ""), **plants}.items():
            for file, text in files.items():
                pathlib.Path(folder, file).write_text(text.replace(old, new) if file == planted else text)
            if bool(list(circles(pathlib.Path(folder)))) != (name != "none"):
                sys.exit(f"circle that was to be found: {name}")


if sys.argv[1:] == ["--self-test"]:
    self_test()
elif sys.argv[1:]:
    for folder in sys.argv[1:]:
        if not list(pathlib.Path(folder).rglob("*.c")):
            sys.exit(f"{folder}: no C files")
    bad = [circle for folder in sys.argv[1:] for circle in circles(pathlib.Path(folder))]
    if bad:
        sys.exit("\n".join(bad))
else:
    sys.exit(__doc__)
