#!/usr/bin/python3
"""Holds README.md to the sources: its C example is examples/readme.c, its format table is what the command prints.
Usage: check_docs.py SOURCE_DIR QUATSIMD_COMMAND"""
import json
import pathlib
import re
import subprocess
import sys

source, command = pathlib.Path(sys.argv[1]), sys.argv[2]
readme = (source / "README.md").read_text(encoding="utf-8")
wrong = []

example = re.search(r"```c\n(.*?)```", readme, re.S)
if not example or example[1] != (source / "examples/readme.c").read_text(encoding="utf-8"):
    wrong.append("the C example is not examples/readme.c")

# | `name` | bits | worst | mean | exact | ...
rows = {m[1]: m.groups()[1:] for m in re.finditer(r"^\| `([^`]+)` \| (\S+) \| (\S+) \| (\S+) \| (yes|no) \|", readme, re.M)}
listed = json.loads(subprocess.run([command, "formats", "--json"], check=True, capture_output=True).stdout)
formats = {f["name"]: f for f in listed}
for name, f in formats.items():
    if re.search(r":(?!9$|10$|16$)", name):
        continue  # of the parameterised formats a few widths
    want = (str(f["bits"]), f"{f['worst_error_degrees']:.3g}", f"{f['mean_error_degrees']:.3g}",
            "yes" if f["exact_identity"] else "no")
    if rows.get(name) != want:
        wrong.append(f"format table: {name} is {rows.get(name)}, the command says {want}")
wrong += [f"format table: there is no format {name}" for name in rows if name not in formats]

for text in wrong:
    print("README.md:", text)
sys.exit(1 if wrong else 0)
