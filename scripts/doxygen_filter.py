#!/usr/bin/python3
"""Prints a public header as Doxygen wants it. The headers' comments are plain ones, for people who read headers:
  - the first is the file's, and what its paragraphs begin with (Threads.) their headings;
  - one above a declaration is its, and of those that follow it up to the next comment or empty line;
  - one behind something, on its line, is that thing's;
  - one that begins with ---- is a heading of all that follows, with what is behind the second ---- as its text;
  - in enumerations, one that begins with "of" is a heading for the reader alone; another above a value is its;
  - lines that are indented are shown as they are.
Lines stay on their lines, so that warnings have the right numbers. In pages, links to files that are not in the reference
become text, and headings get labels, so that links lead to them. Usage: doxygen_filter.py HEADER|PAGE.md"""
import pathlib
import re
import sys

DECLARATION = re.compile(r"(?:QUATSIMD_API|static inline) .*?(\w+)\(|typedef \w+ (\w+)|#define (\w+)")


ROOT = pathlib.Path(__file__).resolve().parents[1]

# Of functions and enumeration values, which Doxygen makes links of if they are marked.
NAMES = set(
    re.findall(
        r"^QUATSIMD_API .*?(quatsimd_\w+)\(|^ +(QUATSIMD_\w+) = ",
        "\n".join(path.read_text(encoding="utf-8") for path in pathlib.Path(sys.argv[1]).parent.glob("*.h")),
        re.M,
    )
)
NAMES = {name for pair in NAMES for name in pair}


def prose(comment):
    """A comment's text: without stars, and what is indented as it is."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment[2:-2].split("\n")]
    out, verbatim = [], False
    for i, line in enumerate(lines):
        indented = i > 0 and line.startswith(" ") and line.strip() != ""
        if indented and not verbatim:
            out[-1] += "\\verbatim"
        elif verbatim and not indented:
            line = "\\endverbatim " + line
        if not indented:
            line = re.sub(r"[*<>#%|]", r"\\\g<0>", line.replace("\\endverbatim", "\0")).replace("\0", "\\endverbatim")
            line = re.sub(
                r"\b(quatsimd_\w+|QUATSIMD_\w+)\b(?!\()", lambda m: "#" + m[1] if m[1] in NAMES else m[1], line.replace("\\*", "&lowast;")
            )
        verbatim = indented
        out.append(line)
    return "\n".join(out) + ("\\endverbatim " if verbatim else "")


def heading(comment, is_open):
    title, _, text = prose(comment).strip(" -").partition(" ----")
    text = "\n" + text.strip("\n") if text.strip() else ""
    return ("/**@}*/ " if is_open else "") + f"/** @name {title[0].upper()}{title[1:]}{text} */ /**@{{*/"


def one_line(text):
    return text.replace("\n", " ")


def several(line):
    """Each of several members that are declared together by itself; Doxygen takes a comment for one of them alone."""
    m = re.match(r"( *)((?:const |struct |unsigned )*\w+) ([^;(]*,[^;(]*);([^;]*)$", line)
    if not m:
        return [line]
    found = [f"{m[2]} {name.strip()};" for name in m[3].split(",")]
    return [m[1] + found[0]] + found[1:-1] + [found[-1] + m[4]]


class Filter:
    def __init__(self):
        self.out = ""
        self.block = None  # what kind of { } it is in: enum, struct or inline
        self.section = False
        self.member = None  # the comment above members of a struct
        self.above = None  # the declaration whose comment the next ones share; "": that is the next one

    def comment(self, text, behind):
        if not self.out:
            text = re.sub(r"(\n \*\n \* )([A-Z][\w ()]+)([.:])(?= )", r"\1__\2\3__", text)  # what a paragraph is about, bold
            return "/**" + prose(text) + "@file */"
        self.above = self.member = None
        if not (self.out.endswith("\n") or self.out.rsplit("\n", 1)[1].isspace()):
            lines, line = self.out.rpartition("\n")[::2]
            *others, last = several(line)
            self.out = lines + "\n" + "".join(f"{other} /**<{one_line(prose(text))}*/ " for other in others) + last
            return "/**<" + prose(text) + "*/"
        if text.startswith("/* ----"):
            was, self.section = self.section, True
            return heading(text, was)
        if self.block == "enum" and text[3:6].lower() == "of " or not re.match(r"\n *\S", behind):
            return text
        if self.block is None:
            self.above = ""
        elif self.block != "enum":
            self.member = text
        return "/**" + prose(text) + "*/"

    def code(self, line):
        """One line, or what is left of one around comments."""
        declaration = DECLARATION.match(line) if self.block is None else None
        before = ""
        if line == "\n" and self.out.endswith("\n"):
            self.above = None
        elif declaration and self.above:
            before = f"/** @copydoc {self.above} */ "
        elif declaration and self.above == "":
            self.above = declaration[1] or declaration[2] or declaration[3]
        if self.block is None:
            kind = re.match(r"(?:typedef )?(enum|struct) .*\{|static (inline) ", line)
            self.block = (kind[1] or kind[2]) if kind and "}" not in line else None
        elif line.startswith("}"):
            self.block = None
        elif self.member and line.strip():
            first, *others = several(line)
            return first + "".join(f" /**{one_line(prose(self.member))}*/ {other.lstrip(' ')}" for other in others)
        return before + line


def label(path, place):
    """Doxygen's name for a place of a page."""
    return re.sub(r"\W", "_", f"{path.resolve().relative_to(ROOT)}_{place}")


def slug(title):
    """The place of a heading, as GitHub names it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-")


def page(text, path):
    def link(m):
        target, _, place = m[2].partition("#")
        to = path.parent / target if target else path
        if place and to.suffix == ".md":
            return f"[{m[1]}](#{label(to, place)})"
        return m[0] if to.suffix in (".md", ".svg", ".png") else m[1]

    text = re.sub(r"\[[^]]*\]\((?:\.\./)*include/quatsimd/(\w+\.h)\)", r"quatsimd/\1", text)
    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\[([^]]*)\]\((?!http)([^)]*)\)", link, parts[i])
        parts[i] = re.sub(r"^(##+ )(.+)$", lambda m: f"{m[0]} {{#{label(path, slug(m[2]))}}}", parts[i], flags=re.M)
    return "".join(parts)


def main(text):
    filtered = Filter()
    parts = re.split(r"(/\*.*?\*/)", text, flags=re.S)
    for i, part in enumerate(parts):
        if i % 2:
            marked = filtered.comment(part, parts[i + 1])  # which may change what is there
            filtered.out += marked
        else:
            for line in part.splitlines(True):
                filtered.out += filtered.code(line)
    end = "#ifdef __cplusplus\n}"  # which Doxygen does not see
    return filtered.out.replace("\n\n" + end, "\n/**@}*/\n" + end if filtered.section else "\n\n" + end)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(page(file.read(), pathlib.Path(sys.argv[1])) if sys.argv[1].endswith(".md") else main(file.read()))
