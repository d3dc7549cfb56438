#!/usr/bin/python3
"""Reads the comments of C and C++ and prints those that the house does not write: questions, comments that begin with "Of", "What" or
"Whether", and the words of scripts/words.txt.
  scripts/comments.py FILE...       exit status 1 if there are any
  scripts/comments.py --self-test   plants one of each kind"""
import pathlib
import re
import sys

WORDS = pathlib.Path(__file__).with_name("words.txt")
# A comment, or a literal, which may look like one. Lines of // that follow each other are one comment.
TOKEN = re.compile(
    r"""R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|(?P<comment>/\*.*?\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*)""",
    re.S,
)
QUESTION = re.compile(r"[\w)'\"`]\?(?=[\s\"')]|$)")  # a ? b : c has a space before it


def comments(text):
    """Line number and text of each comment, without its marks."""
    for found in TOKEN.finditer(text):
        if comment := found["comment"]:
            lines = re.sub(r"\A/\*+|\*+/\Z", "", comment).split("\n")
            said = " ".join(re.sub(r"^[ \t]*(?:\*(?!/)|//+)?[ \t]*", "", line) for line in lines)
            yield text.count("\n", 0, found.start()) + 1, " ".join(said.split())


def words():
    """A pattern for each line of words.txt that is no remark."""
    lines = [line.split("#")[0].strip() for line in WORDS.read_text(encoding="utf-8").splitlines()]
    return [re.compile(rf"\b(?:{line})\b", re.I) for line in lines if line]


def faults(text, patterns):
    """Line number, fault and comment of each."""
    for line, comment in comments(text):
        if QUESTION.search(comment):
            yield line, "a question", comment
        if found := re.match(r"(?:of|what|whether)\b", comment, re.I):
            yield line, f'begins with "{found[0]}"', comment
        for pattern in patterns:
            if found := pattern.search(comment):
                yield line, f'the word "{found[0]}"', comment


def self_test(patterns):
    bad = [
        "/* Of each joint. */",
        "// of each\n",
        "/* What is packed. */",
        "/* Whether it is there. */",
        "/* Is it there? */",
        "/** What\n * is this? */",
        "int a; // one\n// Is it?\n",
        "/* the\n * rest of it */",
        "/* a hopeless one */",
        "'\"' /* Of this */ '\"'",
        "/* the room\n * for it */",
    ]
    good = [
        "/* a > b ? a : b */",
        'char s[] = "/* Of what? */";',
        "/* The rest pose of it. Offset. */",
        "'\"'; '?'",
        'char *s = "\\"// Of";',
        'R"x(/* Of it */)x"',
        "int a; /* one */ int b = c ? d : e;",
    ]
    missed = [text for text in bad if not list(faults(text, patterns))] + [text for text in good if list(faults(text, patterns))]
    for text in missed:
        print(f"self-test: {text!r} is not judged rightly")
    return missed


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    patterns = words()
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test(patterns) else 0)
    count = 0
    for path in sys.argv[1:]:
        for line, fault, comment in faults(pathlib.Path(path).read_text(encoding="utf-8"), patterns):
            print(f"{path}:{line}: {fault}: {comment[:120]}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
