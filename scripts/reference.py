#!/usr/bin/python3
"""Makes the API reference with Doxygen, and looks that every function, macro and type of the headers is in it.
Usage: reference.py DOXYGEN DOXYFILE TAG_FILE HEADER_DIR"""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

doxygen, doxyfile, tags, headers = sys.argv[1:]
status = subprocess.run([doxygen, doxyfile]).returncode
if status:
    sys.exit("Doxygen complains of the comments in the headers, or of what scripts/doxygen_filter.py makes of them")

tree = ElementTree.parse(tags).getroot()
there = {name.text for kind in ("compound", "compound/member", "compound/member/enumvalue")
         for name in tree.findall(kind if kind.endswith("enumvalue") else f"{kind}/name")}
missing = []
for header in sorted(pathlib.Path(headers).glob("*.h")):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
    names = re.findall(r"^(?:QUATSIMD_API|static inline) [^;{]*?(quatsimd_\w+)\(|^#define (QUATSIMD_\w+)\(?[^\n]* |"
                       r"^(?:typedef .*|\}) (quatsimd_\w+);|\b(QUATSIMD_\w+) = ", text, re.M)
    missing += [f"{header.name}: {name}" for found in names for name in found if name and name not in there]
missing = [name for name in missing if not name.endswith(" QUATSIMD_API")]
if missing:
    sys.exit("Not in the reference: " + ", ".join(missing))
