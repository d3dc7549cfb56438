"""Mends the links of pages: one to what is not beside the page leads to where the archive has it, or becomes plain text.
   links.py PAGES ARCHIVE    PAGES: README.md and docs/ of the repository, somewhere in ARCHIVE"""
import os
import re
import sys
from pathlib import Path

pages, archive = (Path(argument).resolve() for argument in sys.argv[1:])
there = sorted(archive.rglob("*"))


def mended(page, link):
    text, target, part = link.groups("")
    if "://" in target or (page.parent / target).exists():
        return link[0]
    wanted = "/" + os.path.relpath(page.parent / target, pages)
    found = next((path for path in there if str(path).endswith(wanted)), None)
    return f"[{text}]({os.path.relpath(found, page.parent)}{part})" if found else text


for page in (path for path in there if path.suffix == ".md" and path.is_relative_to(pages)):
    text = page.read_bytes().decode()
    page.write_bytes(re.sub(r"(?<!!)\[([^][]*)\]\(([^()#\s]+)(#[^()\s]*)?\)", lambda link: mended(page, link), text).encode())
