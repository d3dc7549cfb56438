#!/usr/bin/python3
"""Makes the site of pages and API reference with Doxygen, and checks it: every function, macro and type of the headers is there,
and every link inside it leads to a file and a place that are there.
Usage: reference.py DOXYGEN DOXYFILE TAG_FILE HEADER_DIR"""
import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

doxygen, doxyfile, tags, headers = sys.argv[1:]
status = subprocess.run([doxygen, doxyfile]).returncode
if status:
    sys.exit("Doxygen complains of the comments in the headers, or of what scripts/doxygen_filter.py makes of them")

tree = ElementTree.parse(tags).getroot()
there = {
    name.text
    for kind in ("compound", "compound/member", "compound/member/enumvalue")
    for name in tree.findall(kind if kind.endswith("enumvalue") else f"{kind}/name")
}
missing = []
for header in sorted(pathlib.Path(headers).glob("*.h")):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
    names = re.findall(
        r"^(?:QUATSIMD_API|static inline) [^;{]*?(quatsimd_\w+)\(|^#define (QUATSIMD_\w+)\(?[^\n]* |"
        r"^(?:typedef .*|\}) (quatsimd_\w+);|\b(QUATSIMD_\w+) = ",
        text,
        re.M,
    )
    missing += [f"{header.name}: {name}" for found in names for name in found if name and name not in there]
missing = [name for name in missing if not name.endswith(" QUATSIMD_API")]
if missing:
    sys.exit("Not in the reference: " + ", ".join(missing))


class Page(html.parser.HTMLParser):
    """The places of a page that links may lead to, and its links."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = {""}, set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag, name) == ("a", "name"):
                self.places.add(value)
            elif name in ("href", "src") and value and not urllib.parse.urlparse(value).scheme:
                self.links.add(value)


site = pathlib.Path(tags).parent / "html"
pages = {path: Page(path) for path in sorted(site.glob("*.html"))}
dead = []
for path, page in pages.items():
    for link in sorted(page.links):
        name, _, place = urllib.parse.unquote(link).partition("#")
        to = site / name if name else path
        if not to.exists() or (to in pages and place not in pages[to].places):
            dead.append(f"{path.name}: {link}")
if dead:
    sys.exit("Links that lead nowhere: " + ", ".join(dead))
print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, all of which lead somewhere")
