"""The table of keys in docs/desk.md, from the one that the pages read."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "desk.md"
KEYS = ROOT / "src" / "foreart" / "server" / "static" / "keys.js"
_MARKS = ("<!-- keys -->\n", "<!-- /keys -->")
# Contexts that are not called as their page.
_PAGES = {"list": "Results", "judging": "Evaluate, labelling"}
_ROW = re.compile(r'^  \["([^"]+)", "([^"]+)", "([^"]+)"\],$', re.MULTILINE)


def desk_page() -> str:
    """The text of docs/desk.md with the keys of today."""
    before, _, rest = TARGET.read_text(encoding="utf-8").partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return before + _MARKS[0] + _table() + _MARKS[1] + after


def keys() -> list[tuple[str, str, str]]:
    """Page, key and meaning of every key."""
    return [(page, key, meaning) for page, key, meaning in _ROW.findall(KEYS.read_text(encoding="utf-8"))]


def _table() -> str:
    rows = (f"| {_PAGES.get(page, page.capitalize())} | `{key}` | {meaning} |\n" for page, key, meaning in keys())
    return "| page | key | what it does |\n|---|---|---|\n" + "".join(rows)
