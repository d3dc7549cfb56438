#!/usr/bin/python3
"""Copies the library's sources and makes one kernel slower, for bench/gate_selftest: unpacking smallest3 and mirage gets a few
multiplications more, by 2 and by 1/2, which change no bit. Usage: plant.py SOURCES COPY"""
import pathlib
import shutil
import sys

source, copy = map(pathlib.Path, sys.argv[1:])
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(source, copy, copy_function=shutil.copyfile)  # all of it new, for the build
path = copy / "simd/kernels/smallest3.h"
text = path.read_text(encoding="utf-8")
before = "  return derive_largest(index_top, a, b, c);\n"
twice = "v_mul(v_mul({}, v_set(2)), v_set(0.5f))"
after = f"  return derive_largest(index_top, {twice.format(twice.format('a'))}, {twice.format(twice.format('b'))}, {twice.format('c')});\n"
if text.count(before) != 1:
    sys.exit(f"{path} is not what it was: plant.py needs another line to change")
path.write_text(text.replace(before, after), encoding="utf-8")
