#!/usr/bin/python3
"""Makes the manual page quatsimd(1) of what `quatsimd help` prints, so that there is one text. The build calls it.
  man_page.py PAGE COMMAND...   writes the page. COMMAND is quatsimd, with an emulator before it in a cross build
  man_page.py --check PAGE      has man, groff or mandoc look at the page, whichever are there"""
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

ENVIRONMENT = """\
  QUATSIMD_ISA  the kernels to use: scalar, sse2, sse41, avx2, avx512, avx512vbmi, neon
                or simd128.
                A name that is unknown or not for this CPU is ignored, with a message.
                Default: the fastest kernels that the CPU can run. Results are the same
"""
FILES = """\
  share/doc/quatsimd
                 README.md, NEWS.md and docs/: the formats byte by byte, and their
                 costs. It is below the folder that the library is installed in;
                 Debian's package libquatsimd-dev has share/doc/libquatsimd-dev
"""
SEE_ALSO = "The library's header files, quatsimd/*.h, document its functions. jq(1) reads what --json prints.\n"


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti")
    return text


def guard(line):
    """No request, whatever it begins with."""
    return "\\&" + line if line.startswith((".", "\\(aq")) else line


def paragraph(lines):
    """Options and `commands` bold."""
    text = ""
    for part in re.split(r"(`[^`]+`|(?<![\w-])--?[a-z][\w-]*)", " ".join(line.strip() for line in lines)):
        bold = re.fullmatch(r"`[^`]+`|--?[a-z][\w-]*", part)
        text += f"\\fB{escape(part.strip('`'))}\\fR" if bold else escape(part)
    return [guard(line) for line in textwrap.wrap(text, 110, break_long_words=False, break_on_hyphens=False)]


def term(text):
    """What a description is of: options bold, what they take italic."""

    def words(m):
        return f"\\fI{m.group()}\\fR"

    bold = re.sub(r"(?<![\w-])--?[a-z][\w-]*", lambda m: f"\\fB{m.group()}\\fR", text)
    return (
        escape(re.sub(r"(?<![\w\\])[A-Z]+(?![\w\\])", words, bold)).replace("\\ef", "\\f") if "-" in text[:1] else f"\\fB{escape(text)}\\fR"
    )


def indent_of(line):
    return len(line) - len(line.lstrip())


def literal(lines):
    return [".PP", ".RS 4", ".nf"] + [guard(escape(line)) for line in lines] + [".fi", ".RE"]


def entries(lines):
    """A list: each entry's first line, then what is deeper below it. [(term, description lines)]"""
    found = []
    left = indent_of(lines[0])
    for line in lines:
        if indent_of(line) == left:
            m = re.match(r"(- |\S+(?: \S+)*?)(?:(?<=- )|  +|$)(.*)", line.strip())
            column = line.index(m[2], left + len(m[1])) if m[2] else None
            found.append((m[1], column, [line[column:]] if m[2] else []))
        else:
            name, column, text = found[-1]
            if column is None:
                found[-1] = (name, column := indent_of(line), text)
            text.append(line[min(column, indent_of(line)) :])
    return [(name, text) for name, _, text in found]


def body(lines, at_top):
    """Paragraphs and lists."""
    out, i = [], 0
    while i < len(lines):
        if not lines[i].strip():
            i += 1
            continue
        end = i
        inside = indent_of(lines[i]) > 0
        while end < len(lines) and lines[end].strip() and (indent_of(lines[end]) > 0) == inside:
            end += 1
        piece = lines[i:end]
        if not inside:
            if i > 0 or at_top:
                out.append(".PP" if at_top else '.IP "" 8')
            out += paragraph(piece)
        elif at_top and indent_of(piece[0]) >= 4:
            out += literal([line[4:] for line in piece])
        else:
            out += listed(piece, at_top)
        i = end
    return out


def listed(lines, at_top):
    out = [] if at_top else [".RS", ".PD 0"]
    found = entries(lines)
    for i in range(len(found) - 1, 0, -1):  # the second line of a name
        if not found[i][1]:
            found[i - 1 : i + 1] = [(f"{found[i - 1][0]} {found[i][0]}", found[i - 1][1])]
    for name, text in found:
        if name == "- ":
            out += [".IP \\(bu 2"] + body(text, False)
        else:
            out += [".TP 8", term(name)] + body(text, False)
    return out + ([] if at_top else [".PD", ".RE"])


def examples(lines):
    out = [".PD 0"]
    for name, text in entries(lines):
        out += [".TP 4", f"\\fB{escape(name)}\\fR"] + body(text, False)
    return out + [".PD"]


def usage(lines):
    """Usage: of a command, which may have several forms."""
    out = []
    text = " ".join(line.strip() for line in lines).removeprefix("Usage: ")
    for form in re.split(r" (?=quatsimd )", text):
        name, rest = re.match(r"(quatsimd(?: [a-z]+)?) ?(.*)", form).groups()
        words = re.findall(r"\[[^]]*\][.]*|--?[a-z]+ [A-Z.a-z]+|\S+", rest)
        out += [f".SY {escape(name) if ' ' not in name else chr(34) + escape(name) + chr(34)}"]
        out += [term_of_usage(word) for word in words] + [".YS"]
    return out


def term_of_usage(word):
    text = re.sub(r"(?<![\w-])--?[a-z][\w-]*", r"<b>\g<0></b>", word)
    text = re.sub(r"[A-Z]+(?![\w>])(?:\.[a-z]+)?", r"<i>\g<0></i>", text)
    text = escape(text).replace(" ", "\\ ") + ("\\&" if word.endswith("]") else "")  # no end of a sentence
    return re.sub(r"<(/?)([bi])>", lambda m: "\\fR" if m[1] else "\\f" + m[2].upper(), text)


def split_help(text):
    """The usage, what follows it, and the examples."""
    lines = text.rstrip("\n").split("\n")
    blank = lines.index("")
    rest, shown = lines[blank + 1 :], []
    for i, line in enumerate(rest):
        if re.fullmatch(r"Examples?:", line):
            end = next((k for k in range(i, len(rest)) if not rest[k]), len(rest))
            rest, shown = rest[:i] + rest[end:], rest[i + 1 : end]
            break
    return lines[:blank], rest, shown


def make(command):
    def said(*arguments):
        return subprocess.run([*command, *arguments], check=True, capture_output=True, text=True).stdout

    head, rest, shown = split_help(said("--help"))
    version = said("--version").split()[1]
    i = next(i for i, line in enumerate(rest) if line.startswith("  "))
    about, summaries = rest[:i], entries([line for line in rest[i:] if line.startswith("  ")])
    status = [line for line in rest if line.startswith("The exit status")]
    names = [name for name, _ in summaries if re.fullmatch("[a-z]+", name) and name != "help"]
    out = [
        '.\\" Made of `quatsimd help` by scripts/man_page.py: edit that, or tools/commands/.',
        ".nr HY 0",
        f'.TH QUATSIMD 1 "" "libquatsimd {version}" "User Commands"',
        ".ad l",
        ".SH NAME",
        "quatsimd \\- pack rotations into few bits, compress animations, and measure size, error and speed",
        ".SH SYNOPSIS",
    ]
    for line in [head[0], "quatsimd help [COMMAND]", "quatsimd --version"]:
        out += usage([line])
    out += [".SH DESCRIPTION"] + body(about, True)[1:] + [".PP", "The commands:", ".PD 0"]
    for name, text in summaries:
        if name in names:
            out += [".TP 12", f"\\fB{name}\\fR"] + body(text, False)
    out += [
        ".PD",
        ".PP",
        "A long option takes its argument after a space or =, a short one after a space or directly. \\-\\- ends the options.",
        ".SH COMMANDS",
    ]
    for name in names:
        form, rest, its = split_help(said("help", name))
        out += [f".SS {name}"] + usage(form) + body(rest, True)
        if its:
            out += [".PP", "Example:" if len(entries(its)) == 1 else "Examples:"] + examples(its)
    out += [".SH ENVIRONMENT"] + listed(ENVIRONMENT.rstrip().split("\n"), True)
    out += [".SH EXIT STATUS"] + body(status, True)[1:]
    out += [".SH FILES"] + listed(FILES.rstrip().split("\n"), True)
    out += [".SH EXAMPLES"] + examples(shown)
    out += [".SH SEE ALSO"] + paragraph([SEE_ALSO])
    return "\n".join(out) + "\n"


def check(page):
    """True if these programs find no fault in the page."""
    looked = {
        "man": ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
        "groff": ["groff", "-man", "-ww", "-Tutf8", "-z", page],
        "mandoc": ["mandoc", "-T", "lint", "-W", "warning", page],
    }
    looked, good = {name: command for name, command in looked.items() if shutil.which(name)}, True
    if not looked:
        print("SKIP: no man, groff or mandoc, so none looks at the manual page")
    for name, command in looked.items():
        result = subprocess.run(command, capture_output=True, text=True)
        lines = result.stderr.splitlines() + (result.stdout.splitlines() if name == "mandoc" else [])
        wrong = [line for line in lines if "missing date" not in line]  # a page that a build makes has none
        if wrong or (result.returncode != 0 and not lines):
            print(f"{name} complains (exit status {result.returncode}):", *wrong, sep="\n")
            good = False
    return good


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        sys.exit(0 if check(sys.argv[2]) else 1)
    pathlib.Path(sys.argv[1]).write_text(make(sys.argv[2:]), encoding="utf-8")
