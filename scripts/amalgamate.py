#!/usr/bin/python3
"""Makes quatsimd.c and quatsimd.h, all of the library in one source and one header. Usage:
  scripts/amalgamate.py FOLDER    writes both there; CC is asked which names sources define (cc)

Every header comes once, every source follows; kernels come once for each instruction set. In one file names of different sources
must differ: those that do not are renamed by macros around the text that has them, so that the text stays that of the tree. What sources
share begins with a macro, by which QUATSIMD_STATIC makes it static."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = [ROOT / "src", ROOT / "include", ROOT / "third_party/xxhash"]
KERNELS = ("src/simd/vec/", "src/simd/kernels/", "src/scalar/")  # a text for each instruction set
ISAS = sorted(path.stem[len("isa_") :] for path in (ROOT / "src/simd").glob("isa_*.c"))
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include (?:"([^"]+)"|<(xxhash\.h)>)', re.M)
CODEC = re.compile(r"#define CODEC\(name\) <(.*)/name\.h>")


def find(name, beside=None):
    """The path of a file of the project that an #include names; None: of its tests with SIMDe."""
    folders = [beside.parent] if beside else []
    found = next((folder / name for folder in folders + FOLDERS if (folder / name).exists()), None)
    if not found and not name.startswith("simde_"):
        sys.exit(f"{short(beside) if beside else sys.argv[0]}: there is no {name}")
    return found


def short(path):
    return str(path.relative_to(ROOT))


def is_kernel(path):
    return short(path).startswith(KERNELS)


def is_list(path):
    """Included as often as it is needed."""
    return path.suffix == ".def" or path.name.endswith(".inc.h")


def marked(text):
    """With macros, by which all may become static, before what sources share: its declarations and definitions."""
    shared = r"(?:quatsimd_\w+|[A-Z_]+\([\w, ]+\))"
    declared = "".join(re.findall(r"^ *extern ([^;]*;)", text, re.M))
    variables = "|".join(re.escape(name) for name in sorted(set(re.findall(rf"({shared})[\[,;]", declared))))
    text = re.sub(r'^( *)extern (?!"C"|void\(__cdecl)', r"\1QUATSIMD_DECLARED ", text, flags=re.M)
    variable = rf"(?!return )(?:const )?[a-z]\w* (?:\*const )?(?:{variables})(?:\[.*\])?(?: =|;|,)"
    text = re.sub(rf"^( *)({variable})", r"\1QUATSIMD_DEFINED \2", text, flags=re.M)
    return re.sub(rf"^((?!static |typedef |return )[a-z][\w *]* \*?{shared}\()", r"QUATSIMD_DEFINED \1", text, flags=re.M)


class Text:
    """Lines of the amalgamation; a header comes once."""

    def __init__(self, seen=()):
        self.lines = []
        self.seen = set(seen)
        self.codec = None  # the folder of the codecs' headers that formats.def includes

    def add(self, path, skip=lambda path: False):
        """A file and, where it includes them, its headers."""
        if path is None or path in self.seen or skip(path):
            return
        if not is_list(path):
            self.seen.add(path)
        self.lines.append(f"/* ---- {short(path)} ---- */")
        text = path.read_text(encoding="utf-8")
        if path.name == "formats.def":
            codecs, formats = re.search(r"#ifdef CODEC\n(.*?)#undef CODEC\n+#else\n(.*)#endif\n", text, re.S).groups()
            if self.codec:
                for line in codecs.splitlines():
                    name = re.search(r"CODEC\((\w+)\)", line)
                    if name:
                        self.add(find(f"{self.codec}/{name[1]}.h"), skip)
                    else:
                        self.lines.append(line)
                self.codec = None
                return
            text = formats
        branches = []  # what was there before each conditional: of its branches only one is compiled
        for line in text.splitlines():
            if re.match(r"\s*#\s*if", line):
                branches.append(set(self.seen))
            elif re.match(r"\s*#\s*el", line):
                self.seen = set(branches[-1])
            elif re.match(r"\s*#\s*endif", line):
                branches.pop()
            if found := INCLUDE.match(line):
                self.add(find(found[1] or found[2], path), skip)
            elif found := CODEC.match(line):
                self.codec = found[1]
            else:
                self.lines.append(line)


def closure(path, seen):
    """All files that a file includes, and it."""
    if path is not None and path not in seen:
        seen.append(path)
        text = path.read_text(encoding="utf-8")
        for name, other in INCLUDE.findall(text):
            closure(find(name or other, path), seen)
        for folder in CODEC.findall(text):
            for name in re.findall(r"#include CODEC\((\w+)\)", find("codec/formats.def").read_text(encoding="utf-8")):
                closure(find(f"{folder}/{name}.h"), seen)
    return seen


# ---- names ----


def preprocessed(lines):
    """What the compiler sees behind each MARK, without the headers of systems."""
    compiler = os.environ.get("CC", "cc")
    with tempfile.TemporaryDirectory() as stubs:
        for header in set(re.findall(r"#\s*include <([^>]+)>", "\n".join(lines))):
            (pathlib.Path(stubs) / header).parent.mkdir(exist_ok=True)
            (pathlib.Path(stubs) / header).touch()
        (pathlib.Path(stubs) / "quatsimd.h").write_text(re.sub("#include <.*", "", HEADER), encoding="utf-8")
        command = [*shlex.split(compiler), "-E", "-P", "-nostdinc", f"-I{stubs}", "-xc", "-"] + [
            f"-DQUATSIMD_HAS_{isa.upper()}" for isa in ISAS
        ]
        found = subprocess.run(command, input="\n".join(lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        sys.exit(found.stderr)
    return found.stdout.split(MARK)[1:]


def without_groups(text, opening, closing):
    """Text outside of pairs of brackets, with the pairs empty."""
    depth, kept = 0, []
    for c in text:
        if c == opening:
            depth += 1
            if depth == 1:
                kept.append(c)
        elif c == closing:
            depth -= 1
        if depth == 0:
            kept.append(c)
    return "".join(kept)


def pieces_of(code):
    """Declarations and definitions at file scope: the text before a body in braces, that body, the text behind it."""
    depth, parts = 0, ["", "", ""]
    for text, c in re.findall(r"([^{};]*)([{};])", code):
        parts[1 if depth else 2 if parts[1] else 0] += text
        if c == "}":
            depth -= 1
        if depth:
            parts[1] += c
        elif c == "}" and parts[0].rstrip().endswith(")") and "=" not in parts[0] or c == ";":
            yield parts
            parts = ["", "", ""]
        if c == "{":
            depth += 1


def names_of(code):
    """All that is defined at file scope."""
    names = set()
    code = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"^\s*#.*$", "", code, flags=re.M))
    for before, body, behind in pieces_of(code):
        words = without_groups(before, "(", ")").replace("__attribute__ ()", "").replace("__attribute__()", "").split("=")[0]
        if "extern" in words.split() or "_Static_assert" in words:
            continue
        if found := re.search(r"\b(?:struct|union|enum)\s+(\w+)\s*$", before):
            names.add(found[1])
        if re.search(r"\benum\b[^()]*$", before) and body:
            names.update(re.findall(r"(?:^|,)\s*(\w+)", without_groups(body, "(", ")")))
        declared = behind if behind.strip() else words
        if found := re.search(r"\(\s*\*\s*(\w+)", before) if "(*" in before and "typedef" in words else None:
            names.add(found[1])
        elif found := re.search(r"(\w+)\s*\(\)", declared) or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", declared.rstrip()):
            names.add(found[1])
    return {name for name in names if not name.isdigit()} - {"struct", "union", "enum", "const", "static", "int", "void", "char", "inline"}


def names_of_each(before, texts):
    """Names of each text, whose macros end with it, behind the same lines."""
    lines = list(before)
    for text in texts:
        lines += [MARK] + text + undefined(macros_of(text))
    return [names_of(code) for code in preprocessed(lines)]


def undefined(names):
    return [f"#undef {name}" for name in names]


def macros_of(lines, but=()):
    """Those that a text leaves defined. With _ begin those of compilers, which are not ours to take away where the text is not compiled."""
    text = "\n".join(lines)
    left = set(re.findall(r"^\s*#\s*define ([A-Za-z]\w*)", text, re.M)) - set(re.findall(r"^\s*#\s*undef (\w+)", text, re.M))
    return sorted(left - set(but))


# ---- parts ----


def sources(variable):
    """The .c files in a list of CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return [ROOT / name for name in re.search(rf"\nset\({variable}(.*?)\)\n", text, re.S)[1].split() if name.endswith(".c")]


def is_left_out_of_player(path):
    return path in ENCODER or short(path) in ("src/clip/inspect.c", "src/clip/sample/velocity.c")


def condition(path):
    """Of the macros that leave parts out."""
    room = path.relative_to(ROOT / "src").parts
    if is_left_out_of_player(path):
        return "#ifndef QUATSIMD_PLAYER"
    if room[-1] == "bit_plan.c":  # of bit-packed formats, which clips have none of
        return "#ifndef QUATSIMD_ONLY_CLIPS"
    return "" if room[0] in ("core", "clip", "skeleton", "bundle", "pose", "scalar", "simd") else "#ifndef QUATSIMD_ONLY_CLIPS"


def guarded(path, lines):
    first = condition(path)
    return [first] + lines + ["#endif"] if first else lines


def licences():
    ours = (ROOT / "LICENSE").read_text(encoding="utf-8").strip()
    xxhash = (ROOT / "third_party/xxhash/LICENSE").read_text(encoding="utf-8").strip()
    return f"libquatsimd\n\n{ours}\n\n\nxxHash, which is part of this file\n\n{xxhash}"


def comment(text):
    return "/*\n" + "\n".join(f" * {line}".rstrip() for line in text.splitlines()) + "\n */"


def header():
    text = Text()
    text.add(find("quatsimd/quatsimd.h"))
    return (
        f"/* libquatsimd {VERSION}, all of its headers: made by scripts/amalgamate.py. Licence: in quatsimd.c. */\n"
        + "\n".join(text.lines)
        + "\n"
    )


def common(files, kernels):
    """Headers of all sources, and those of kernels that are no kernel's own."""
    text = Text(closure(find("quatsimd/quatsimd.h"), []))
    own = set()
    for path in files:
        own.update(closure(path, []))

    def add(paths):
        for path in paths:
            for name in closure(path, []):
                if name.suffix == ".h" and not is_list(name) and (not is_kernel(name) or name in own):
                    text.add(name, lambda p: is_kernel(p) and p not in own)

    add(path for path in files + kernels if not is_left_out_of_player(path))
    text.lines.append("#ifndef QUATSIMD_PLAYER")
    add(filter(is_left_out_of_player, files + kernels))
    text.lines.append("#endif")
    return text


def section(path, seen):
    text = Text(seen)
    text.add(path)
    return text.lines


def source():
    files = sources("library_sources") + ENCODER
    kernels = [path for path in files if any(short(found).startswith("src/simd/vec/") for found in closure(path, []))] + [
        ROOT / f"src/simd/isa_{isa}.c" for isa in ISAS
    ]
    files = [path for path in files if path not in kernels]
    shared = common(files, kernels)
    out = [
        comment(
            f"libquatsimd {VERSION}, all of it: made by scripts/amalgamate.py. Compile it as C11 with gcc, clang or Visual C++; no flag is\n"
            + "needed but Visual C++'s /std:c11.\n\n"
            + licences()
        ),
        "#ifdef __cplusplus",
        '#error "quatsimd.c is C11: compile it by the C compiler, and include quatsimd.h in C++"',
        "#endif",
        "",
        "#if defined QUATSIMD_PLAYER && !defined QUATSIMD_ONLY_CLIPS",
        "#define QUATSIMD_ONLY_CLIPS",
        "#endif",
        "#ifdef QUATSIMD_STATIC /* how sources declare and define what they share */",
        "#define QUATSIMD_DECLARED static",
        "#define QUATSIMD_DEFINED static",
        "#else",
        "#define QUATSIMD_DECLARED extern",
        "#define QUATSIMD_DEFINED",
        "#endif",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "#include <stdlib.h>",
        "#include <string.h>",
        "",
        "#if !defined _MSC_VER || defined __clang__",
        "#pragma GCC visibility push(hidden)",
        "#pragma GCC diagnostic push",
        '#pragma GCC diagnostic ignored "-Wunused-function"',
        '#pragma GCC diagnostic ignored "-Wunused-variable"',
        '#pragma GCC diagnostic ignored "-Wunused-const-variable"',
        '#pragma GCC diagnostic ignored "-Wshadow" /* a local name of one source, a function of another */',
        "#ifndef __clang__ /* which gcc 12 imagines in so large a file */",
        '#pragma GCC diagnostic ignored "-Wstringop-overflow"',
        '#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"',
        "#pragma GCC push_options",
        "#ifdef QUATSIMD_OPTIMIZE",
        '#pragma GCC optimize("O2")',
        "#endif",
        "#endif",
        "#else",
        "#pragma warning(push)",
        "#endif",
        '#include "quatsimd.h" /* hidden, if QUATSIMD_API says nothing else */',
    ] + shared.lines
    macros = macros_of(shared.lines)
    # Names that several sources define.
    texts = [section(path, shared.seen) for path in files]
    headers, names = names_of_each([], [out])[0], names_of_each(out, texts)
    for i, (path, lines) in enumerate(zip(files, texts)):
        again = sorted(name for name in headers.union(*(names[:i] + names[i + 1 :])) & names[i] if not name.startswith("quatsimd_"))
        suffix = "_".join(path.with_suffix("").relative_to(ROOT / "src").parts)
        renamed = [f"#define {name} {name}_{suffix}" for name in again]
        out += guarded(path, renamed + lines + undefined(again + macros_of(lines, macros)))
    # Kernels: each name is one of an instruction set.
    out += [
        "/* Names of kernels end with the instruction set. */",
        "#define QUATSIMD_PASTE(name, isa) name##_##isa",
        "#define QUATSIMD_OF(name, isa) QUATSIMD_PASTE(name, isa)",
    ]
    for group in [[path] for path in kernels if not path.name.startswith("isa_")] + [
        [path for path in kernels if path.name.startswith("isa_")]
    ]:
        sections = [section(path, shared.seen) for path in group]
        own = sorted(name for name in set().union(*names_of_each(out, sections)) if not name.startswith(("quatsimd_", "_")))
        out += [f"#define {name} QUATSIMD_OF({name}, QUATSIMD_ISA)" for name in own]
        for path, lines in zip(group, sections):
            if "QUATSIMD_ISA" not in macros_of(lines):
                lines = [f"#define QUATSIMD_ISA {path.stem}"] + lines
            out += guarded(path, lines + undefined(macros_of(lines, macros)))
        out += undefined(own)
    out += undefined(macros) + [
        "#if !defined _MSC_VER || defined __clang__",
        "#pragma GCC diagnostic pop",
        "#pragma GCC visibility pop",
        "#ifdef __clang__",
        "#pragma STDC FP_CONTRACT DEFAULT",
        "#else",
        "#pragma GCC pop_options",
        "#if defined QUATSIMD_STATIC && defined QUATSIMD_ONLY_CLIPS",
        '#pragma GCC diagnostic ignored "-Wunused-function" /* gcc warns at the end of functions that are left out */',
        "#endif",
        "#endif",
        "#else",
        "#pragma warning(pop)",
        "#ifdef QUATSIMD_STATIC",
        "#pragma warning(disable : 4505) /* cl warns at the end of functions that nothing calls */",
        "#endif",
        "#endif",
    ]
    return marked("\n".join(out) + "\n")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "quatsimd.h").write_text(HEADER, encoding="utf-8")
    (folder / "quatsimd.c").write_text(source(), encoding="utf-8")


MARK = "int quatsimd_amalgamation_mark;"
ENCODER = sources("encoder_sources")
VERSION = re.search(r'QUATSIMD_VERSION_STRING "([\d.]+)"', find("quatsimd/version.h").read_text(encoding="utf-8"))[1]
HEADER = header()
main()
