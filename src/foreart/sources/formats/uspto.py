"""Parts that the XML formats of the USPTO share: status, relatives, plants and the marks of reissues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Paragraph
from foreart.identifiers.numbers import application_number, loose_number
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element

_BOTANY = (("Latin name", "latin-name"), ("Variety denomination", "variety"))
# Reissues print deleted text in brackets and added text in italics. XML v4 marks both with processing instructions,
# v2 with empty elements.
_DELETED = re.compile(rb"<\?delete-start\b[^<>]*\?>|<DEL-S(?=[\s/>])[^<>]*>(?:</DEL-S>)?")
_DELETED_END = re.compile(rb"<\?delete-end\b[^<>]*\?>|<DEL-E(?=[\s/>])[^<>]*>(?:</DEL-E>)?")


def publication_status(identity: str) -> str:
    """`corrected` for the kind codes of corrected publications (A9, P9, B9, …)."""
    return "corrected" if loose_number(identity).kind[1:] == "9" else ""


def related_application(number: str, *, country: str = "", series: str = "") -> str:
    """The application number of a relative; a serial number gets its series code if that is given."""
    digits = re.sub(r"^PCT[/ ]?(?=[A-Z]{2}\d)", "PCT/", number.strip())
    if series and digits.isdigit() and len(digits) <= 6:
        digits = f"{series.strip()}{digits.zfill(6)}"
    return application_number(digits, country=country or "US") if digits else ""


def botany(biblio: Element) -> Iterator[Paragraph]:
    """The botanical names on the front page of a plant patent, as the first paragraph of its description."""
    names = ((label, line_of(next(biblio.iter(tag), None))) for label, tag in _BOTANY)
    parts = [f"{label}: {name}" for label, name in names if name]
    if parts:
        yield Paragraph("; ".join(parts))


def bracketed(data: bytes) -> bytes:
    """The document with brackets around the deletions of a reissue, as in print."""
    if b"<?delete-" not in data and b"<DEL-" not in data:
        return data
    return _DELETED_END.sub(b"]", _DELETED.sub(b"[", data))
