#!/usr/bin/python3
"""Instructions per block in the main loop of every kernel: those of NEON, which no machine at hand can time, against those of
SSE2, both of four lanes. Exit status 1 where NEON needs more than 1.3 times as many.

Usage: count_instructions.py SOURCE_DIR NEON_OBJECT NEON_OBJDUMP
Compiles the SSE2 kernels of SOURCE_DIR with gcc, on an x86-64 machine."""
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 1.3


def target(instruction, index):
    """Where it jumps to, as an index; behind everything if it does not."""
    jump = re.match(r"(?:j\w+|b\.\w+|b|cbn?z\s+\w+,|tbn?z\s+\w+, #\d+,)\s+([0-9a-f]+)\b", instruction)
    return index.get(int(jump[1], 16), len(index)) if jump else len(index)


def loops(objdump, path):
    """Function -> instructions of its largest innermost loop with a square root or a division in it."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    result = {}
    for block in re.split(r"\n\n", text):
        head = re.match(r"[0-9a-f]+ <((?:un)?pack_all_\w+)>:", block)
        if not head:
            continue
        code = [(int(m[1], 16), m[2]) for m in re.finditer(r"^\s*([0-9a-f]+):\s+(.*)$", block, re.M)]
        index = {address: i for i, (address, _) in enumerate(code)}
        best = 0
        for i, (_, text_) in enumerate(code):
            start = target(text_, index)
            if start > i:
                continue
            body = [t for _, t in code[start : i + 1]]
            if any(target(t, index) in range(start, j + start + 1) for j, t in enumerate(body[:-1])):
                continue  # jumps back: there is a loop inside
            if any(re.match(r"(?:fsqrt|fdiv|sqrtps|divps)", t) for t in body):
                best = max(best, len(body))
        if len(code) > 4:  # shorter: a jump to a function that compiled to the same code
            result[head[1]] = best
    return result


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, neon_object, neon_objdump = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sse2_object = os.path.join(folder, "sse2.o")
        subprocess.run(
            [
                "gcc",
                "-std=c11",
                "-O3",
                "-ffp-contract=off",
                "-fno-math-errno",
                f"-I{source}/include",
                f"-I{source}/src",
                "-c",
                f"{source}/src/simd/isa_sse2.c",
                "-o",
                sse2_object,
            ],
            check=True,
        )
        sse2 = loops("objdump", sse2_object)
    neon = loops(neon_objdump, neon_object)
    wrong = 0
    print(f"{'kernel':32} {'sse2':>5} {'neon':>5} ratio")
    for name in sorted(sse2):
        a, b = sse2[name], neon.get(name, 0)
        good = a > 0 and 0 < b <= LIMIT * a
        wrong += not good
        print(f"{name:32} {a:5} {b:5} {b / a if a else 0:5.2f}{'' if good else '   WRONG'}")
    print(f"{len(sse2) - wrong} within {LIMIT} times, {wrong} not")
    return 1 if wrong or not sse2 else 0


sys.exit(main())
