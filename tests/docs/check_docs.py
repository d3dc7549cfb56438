#!/usr/bin/python3
"""Holds pages to the sources: README's first C example is examples/readme.c, every other C example of it, of
headers' pages and of docs/game.md is lines of an example, functions in their GLSL are those of shaders/, links lead to files, each header has a
page, docs/status.md has every status, tests/frozen/numbers.def has every enumerator, format tables have what the command prints; and what the command takes is what
it explains.
Usage: check_docs.py SOURCE_DIR QUATSIMD_COMMAND"""
import json
import pathlib
import re
import subprocess
import sys

source, command = pathlib.Path(sys.argv[1]), sys.argv[2]
readme = (source / "README.md").read_text(encoding="utf-8")
headers = {path.stem for path in source.glob("include/quatsimd/*.h")} - {"quatsimd"}
pages = sorted(source.glob("docs/*.md"))
wrong = []

examples = {path.name: " ".join(path.read_text(encoding="utf-8").split()) for path in source.glob("examples/*.c")}
glsl = (source / "shaders/quatsimd.glsl").read_text(encoding="utf-8")
for page in [source / "README.md", *(page for page in pages if page.stem in headers | {"game"})]:
    for block in re.findall(r"```glsl\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        wrong += [
            f"{page.name}: no function {name} in shaders/"
            for name in re.findall(r"\w+(?=\()", block)
            if name.startswith("quatsimd_") and f" {name}(" not in glsl
        ]
    for i, block in enumerate(re.findall(r"```c\n(.*?)```", page.read_text(encoding="utf-8"), re.S)):
        lines = " ".join(block.split())  # white space is free
        if page.name == "README.md" and i == 0 and lines != examples["readme.c"]:
            wrong.append("README's first C example is not examples/readme.c")
        if not any(lines in text for text in examples.values()):
            wrong.append(f"{page.name}: no file of examples/ has these lines:\n{block}")


# | `name` | bits | worst | mean | exact | ...
def table(text):
    return {m[1]: m.groups()[1:] for m in re.finditer(r"^\| `([^`]+)` \| (\S+) \| (\S+) \| (\S+) \| (yes|no) \|", text, re.M)}


rows = table((source / "docs/codec.md").read_text(encoding="utf-8"))
listed = json.loads(subprocess.run([command, "formats", "--json"], check=True, capture_output=True).stdout)
formats = {f["name"]: f for f in listed}
for name, f in formats.items():
    if re.search(r":(?!9$|10$|16$)", name):
        continue  # of the parameterised formats a few widths
    want = (str(f["bits"]), f"{f['worst_error_degrees']:.3g}", f"{f['mean_error_degrees']:.3g}", "yes" if f["exact_identity"] else "no")
    if rows.get(name) != want:
        wrong.append(f"docs/codec.md: format table: {name} is {rows.get(name)}, the command says {want}")
wrong += [f"docs/codec.md: format table: there is no format {name}" for name in rows if name not in formats]
wrong += [f"README.md: format table: {name} is not as in docs/codec.md" for name, row in table(readme).items() if rows.get(name) != row]
if not table(readme):
    wrong.append("README.md: there is no format table")

# Numbers that no version changes.
frozen = (source / "tests/frozen/numbers.def").read_text(encoding="utf-8")
for name in sorted(headers):
    text = re.sub(r"/\*.*?\*/", "", (source / f"include/quatsimd/{name}.h").read_text(encoding="utf-8"), flags=re.S)
    for body in re.findall(r"\benum\b[^{;]*\{(.*?)\}", text, re.S):
        wrong += [
            f"tests/frozen/numbers.def: there is no {number}"
            for number in re.findall(r"\bQUATSIMD_[A-Z0-9_]+(?=\s*[=,]|\s*$)", body)
            if f"NUMBER({number}, " not in frozen
        ]

# Links, each from where its page is.
for page in [*source.glob("*.md"), *source.glob("*/*.md"), *source.glob("examples/*/*.md")]:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in link and not (page.parent / link).exists():
            wrong.append(f"{page.relative_to(source)}: there is no {link}")

# The index has a page for each header, and all other pages.
index = (source / "docs/README.md").read_text(encoding="utf-8")
wrong += [
    f"docs/README.md: nothing of {name}.md"
    for name in sorted(headers | {page.stem for page in pages} - {"README"})
    if f"]({name}.md)" not in index
]

statuses = (source / "include/quatsimd/status.h").read_text(encoding="utf-8")
defined = set(re.findall(r"^ *(QUATSIMD_\w+) = ", statuses, re.M))
told = set(re.findall(r"^\| `(QUATSIMD_\w+)` \|", (source / "docs/status.md").read_text(encoding="utf-8"), re.M))
wrong += [f"docs/status.md: nothing of {name}" for name in sorted(defined - told)]
wrong += [f"docs/status.md: there is no {name}" for name in sorted(told - defined)]

# CONTRIBUTING: each name of the walks is in the file behind it, and the table has every folder.
guide = (source / "CONTRIBUTING.md").read_text(encoding="utf-8")
section = {part.split("\n")[0]: part for part in guide.split("\n## ")}
walked = []
for step in re.findall(r"((?:`\w+`[^`()]*)+)\(([\w./]+\.\w+)\)", section["Three walks"]):
    for name in re.findall(r"`(\w+)`", step[0]):
        walked.append(name)
        if not (source / step[1]).is_file() or not re.search(rf"\b{name}\b", (source / step[1]).read_text(encoding="utf-8")):
            wrong.append(f"CONTRIBUTING.md: {step[1]} has no {name}")
if walked != re.findall(r"`(\w+)`", section["Three walks"]) or not walked:
    wrong.append("CONTRIBUTING.md: a name of the walks has no file behind it")

placed = set()
for row in re.findall(r"^\| (`.*?`) \|", section["Where things are"], re.M):
    places = re.findall(r"`([^`]+)`", row)
    for place in places:  # of one row the others are beside the first
        found = [path for path in (source / place, (source / places[0]).parent / place) if path.exists()]
        placed |= set(found[:1])
        if not found:
            wrong.append(f"CONTRIBUTING.md: there is no {place}")
wrong += [
    f"CONTRIBUTING.md: nothing of {path.relative_to(source)}"
    for path in sorted(source.glob("src/*/"))
    if path not in placed and not any(path in place.parents for place in placed)
]

# Every instruction set is where people look for its name.
for isa in ["scalar", *(path.stem.removeprefix("isa_") for path in sorted(source.glob("src/simd/isa_*.c")))]:
    wrong += [
        f"{page}: nothing of the kernels {isa}"
        for page in ("docs/version.md", "include/quatsimd/version.h", "scripts/man_page.py")
        if not re.search(rf"\b{isa}\b", (source / page).read_text(encoding="utf-8"))
    ]

# Options: those that a command takes and what `quatsimd help` explains. docs/command.md has a section for each command, with no others.
an_option = r"(?<![\w-])--[a-z][\w-]*"
sections = {part.split("\n")[0]: part for part in (source / "docs/command.md").read_text(encoding="utf-8").split("\n## ")}
for name in re.findall(r"^  COMMAND\((\w+)\)", (source / "tools/commands/command.h").read_text(encoding="utf-8"), re.M):
    table = (source / f"tools/commands/{'pack' if name == 'unpack' else name}.c").read_text(encoding="utf-8")
    for rows, header in ("BOUNDS_OPTIONS", "clips/bounds.h"), ("READER_OPTIONS", "readers/limits.h"):
        if rows in table:
            table += (source / "tools" / header).read_text(encoding="utf-8")
    taken = {
        f"--{option}" for option in re.findall(r'\{[\s\\]*"([\w-]+)",\s*[^,{}]+,\s*\.(?:flag|texts?|whole|number|amount) =', table)
    } | {"--help"}
    text = subprocess.run([command, "help", name], check=True, capture_output=True, encoding="utf-8").stdout
    own = re.sub(r"`[^`]*`|\([^)]*\)|^ *quatsimd .*(?:\n {30}.*)*", "", text.split("\nExample")[0], flags=re.M)
    told = set(re.findall(an_option, own))
    wrong += [f"quatsimd help {name}: nothing of {option}" for option in sorted(taken - told)]
    wrong += [f"quatsimd help {name}: there is no {option}" for option in sorted(told - taken)]
    wrong += [f"quatsimd help {name}: there is no {page}" for page in re.findall(r"docs/\w+\.md", text) if not (source / page).exists()]
    section = re.sub(r"`quatsimd [^`]*`", "", sections.get(f"quatsimd {name}", ""))
    wrong += [f"docs/command.md: {name} has no {option}" for option in sorted(set(re.findall(an_option, section)) - taken)]
    wrong += [] if section else [f"docs/command.md: nothing of quatsimd {name}"]

for text in wrong:
    print(text)
sys.exit(1 if wrong else 0)
