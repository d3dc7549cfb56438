#!/usr/bin/python3
"""Holds the headers of the vector layer to their contract. src/simd/vec/vec.h lists the operations of each vec_<isa>.h,
clip.h those of each vec_clip_<isa>.h: name and types must be the same, and none may be missing or more.
Usage: vector_layer.py [FOLDER]; --self-test plants faults and must find each."""
import pathlib
import re
import shutil
import sys
import tempfile

LISTED = re.compile(r"^ \*   ([a-z].*?\b[vd]_\w+\(.*?\))", re.MULTILINE)
SHARED = re.compile(r'^#include "simd/vec/(\w+\.inc\.h)"', re.MULTILINE)
DEFINED = re.compile(r"^V_INLINE (.*?\b[vd]_\w+\([^{;]*?\)) {", re.MULTILINE)


def signatures(pattern, text):
    """{name: types}, and those that are there twice; names of parameters and sizes of arrays do not count."""
    found, twice = {}, []
    for match in pattern.findall(text):
        returned, name, parameters = re.fullmatch(r"(.*?)\b([vd]_\w+)\((.*)\)", " ".join(match.split())).groups()
        types = [re.sub(r"\w+(\[\w*\])?$", lambda m: "[]" if m[1] else "", p.strip()) for p in parameters.split(",")]
        if name in found and found[name] != [returned, *types]:
            twice.append(name)
        found[name] = [returned, *types]
    return found, twice


def faults(folder):
    for contract, prefix in ("vec.h", "vec_"), ("clip.h", "vec_clip_"):
        comment = (folder / contract).read_text(encoding="ascii").split("*/")[0]
        listed, _ = signatures(LISTED, comment)
        if len(listed) != len(LISTED.findall(comment)) or not listed:
            yield f"{contract}: an operation is listed twice, or none is"
        headers = [p for p in sorted(folder.glob(prefix + "*.h")) if re.fullmatch(prefix + "[a-z]+[0-9]*", p.stem)]
        if not headers:
            yield f"{contract}: no headers {prefix}*.h"
        for header in headers:
            text = header.read_text(encoding="ascii")
            for name in SHARED.findall(text):
                text += (folder / name).read_text(encoding="ascii")
            defined, twice = signatures(DEFINED, text)
            for name in twice:
                yield f"{header.name}: {name} is there twice, with other types"
            for name in sorted(listed.keys() - defined.keys()):
                yield f"{header.name}: {name} is missing, which {contract} lists"
            for name in sorted(defined.keys() - listed.keys()):
                yield f"{header.name}: {name} is not listed in {contract}"
            for name in sorted(defined.keys() & listed.keys()):
                if defined[name] != listed[name]:
                    yield f"{header.name}: {name} has the types {defined[name]}, in {contract} {listed[name]}"


def self_test(folder):
    plants = [
        ("vec_avx2.h", "V_INLINE vf v_keep(", "V_INLINE vf kept(", "v_keep is missing"),
        ("vec_neon.h", "V_INLINE vf v_keep(vm m, vf a)", "V_INLINE vf v_kept(vm m, vf a)", "v_kept is not listed"),
        ("x86.inc.h", "V_INLINE vi v_or(", "V_INLINE vi either(", "vec_avx512.h: v_or is missing"),
        ("vec_sse2.h", "V_INLINE vi v_shl(vi a, int n)", "V_INLINE vi v_shl(vi a, unsigned n)", "v_shl"),
        ("four.inc.h", "V_INLINE vi v_to_aos_order(", "V_INLINE vi to_aos_order(", "vec_neon.h: v_to_aos_order is missing"),
        ("vec.h", " *   vi v_xor(", " *   vi xor(", "v_xor is not listed"),
        ("vec_clip_avx2.h", "V_INLINE void v_storei(", "V_INLINE void storei(", "v_storei is missing"),
        ("vec_sse2.h", "V_INLINE vdm d_eq(vd a, vd b)", "V_INLINE vd d_eq(vd a, vd b)", "d_eq has the types"),
        ("clip.h", " *   vi v_loadi(const void *p)", " *   vi v_loadi(const char *p)", "v_loadi has the types"),
    ]
    for name, before, after, message in plants:
        with tempfile.TemporaryDirectory() as copy:
            copy = pathlib.Path(copy, "vec")
            shutil.copytree(folder, copy)
            text = (copy / name).read_text(encoding="ascii")
            if before not in text:
                sys.exit(f"{name} is not what it was: the self-test needs another line to change")
            (copy / name).write_text(text.replace(before, after), encoding="ascii")
            if not any(message in fault for fault in faults(copy)):
                sys.exit(f"not found: {message} ({name})")


def main():
    arguments = sys.argv[1:]
    testing = "--self-test" in arguments
    rest = [a for a in arguments if a != "--self-test"]
    folder = pathlib.Path(rest[0]) if rest else pathlib.Path(__file__).parents[1] / "src/simd/vec"
    found = list(faults(folder))
    for fault in found:
        print(fault)
    if not found and testing:
        self_test(folder)
    sys.exit(1 if found else 0)


main()
