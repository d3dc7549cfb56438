"""The page of `quatsimd compress --report`."""
import json
import re


def page_source(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def page_run(path):
    """The run's JSON in the page."""
    return json.loads(re.search(r'<script type="application/json" id="json">(.*?)</script>', page_source(path), re.S)[1])


def largest_share(entry):
    """Of a clip's bounds, the one that is used most."""
    return max(share or 0 for share in entry["of_bound"].values())
