"""The citing documents that a Google Patents page lists."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.errors import BadNumber
from foreart.identifiers.numbers import normalise
from foreart.sources.formats.google_html_text import parse_html
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element

# Documents that cite a relative (`forwardReferencesFamily`, or the sign ‡) do not count.
_ROWS = ("forwardReferencesOrig", "forwardReferences")
_OF_FAMILY = "‡"
# The older layout has an empty anchor before the table.
_ANCHOR = "forward-citations"
_CELL = "citation-patent"


def citing_numbers(data: bytes) -> Iterator[str]:
    """The numbers under "Cited By" or "Referenced by", each once."""
    root = parse_html(data)
    listed = [*_cited_by(root), *_referenced_by(root)]
    for number in dict.fromkeys(listed):
        try:
            yield normalise(number)
        except BadNumber:
            continue


def _cited_by(root: Element) -> Iterator[str]:
    for row in root.iter("tr"):
        if row.get("itemprop") not in _ROWS or _OF_FAMILY in line_of(next(row.iter("td"), row)):
            continue
        for item in row.iter():
            if item.get("itemprop") == "publicationNumber":
                yield line_of(item)


def _referenced_by(root: Element) -> Iterator[str]:
    for anchor in root.iter("a"):
        section = anchor.getparent() if anchor.get("id") == _ANCHOR else None
        for cell in section.iter("td") if section is not None else ():
            if _CELL in (cell.get("class") or "").split():
                yield line_of(next(cell.iter("a"), cell)).rstrip(" *")
