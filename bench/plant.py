#!/usr/bin/python3
"""Copies what is built of this checkout to a folder, with faults that bench/gate must catch (gate_selftest). Usage: plant.py FOLDER"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = "CMakeLists.txt", "CMakePresets.json", "bench", "cmake", "include", "src", "third_party"
TWICE = "v_mul(v_mul({}, v_set(2)), v_set(0.5f))"
FAULTS = {
    # a few multiplications more
    "src/simd/kernels/smallest3.h": (
        "return derive_largest(index_top, a, b, c);",
        f"return derive_largest(index_top, {TWICE.format(TWICE.format('a'))}, {TWICE.format(TWICE.format('b'))}, {TWICE.format('c')});",
    ),
    # a division in the place of a multiplication
    "src/simd/kernels/cube32.h": ("v_mul(v_sub(e, v_set(centre)), v_set(2.0f / 1023.0f))", "v_div(v_sub(e, v_set(centre)), v_set(511.5f))"),
    # three more steps in a call of quatsimd_pack
    "src/codec/codec.c": (
        "                              size_t count) {\n  const quatsimd_format_entry *entry",
        '                              size_t count) {\n  __asm__ volatile("nop\\n\\tnop\\n\\tnop");\n  const quatsimd_format_entry *entry',
    ),
}


def main(folder):
    for path in (file for part in PARTS for file in [ROOT / part, *(ROOT / part).rglob("*")] if file.is_file()):
        name, content = str(path.relative_to(ROOT)), path.read_bytes()
        if name in FAULTS:
            before, after = (text.encode() for text in FAULTS[name])
            if content.count(before) != 1:
                sys.exit(f"{name} is not what it was: plant.py needs another line to change")
            content = content.replace(before, after)
        copy = pathlib.Path(folder, name)
        if not copy.is_file() or copy.read_bytes() != content:  # what stays is not compiled again
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1])
