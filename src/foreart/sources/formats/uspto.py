"""What the formats of the USPTO share: the status a number tells, relatives, plants and the marks of a reissue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Paragraph
from foreart.identifiers.numbers import application_number, loose_number
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element

_BOTANY = (("Latin name", "latin-name"), ("Variety denomination", "variety"))
# What a reissue deletes is printed in brackets, what it adds in italics. XML v4 marks both with processing
# instructions, v2 with empty elements.
_DELETED = re.compile(rb"<\?delete-start\b[^<>]*\?>|<DEL-S(?=[\s/>])[^<>]*>(?:</DEL-S>)?")
_DELETED_END = re.compile(rb"<\?delete-end\b[^<>]*\?>|<DEL-E(?=[\s/>])[^<>]*>(?:</DEL-E>)?")


def publication_status(identity: str) -> str:
    """`corrected` for the kind codes of corrected publications (A9, P9, B9, …)."""
    return "corrected" if loose_number(identity).kind[1:] == "9" else ""


def related_application(number: str, *, country: str = "", series: str = "") -> str:
    """The application number of a relative; serial numbers without their series code get it where it is given."""
    digits = re.sub(r"^PCT[/ ]?(?=[A-Z]{2}\d)", "PCT/", number.strip())
    if series and digits.isdigit() and len(digits) <= 6:
        digits = f"{series.strip()}{digits.zfill(6)}"
    return application_number(digits, country=country or "US") if digits else ""


def botany(biblio: Element) -> Iterator[Paragraph]:
    """What the front page of a plant patent says of the plant, as the first paragraph of its description."""
    names = ((label, line_of(next(biblio.iter(tag), None))) for label, tag in _BOTANY)
    said = [f"{label}: {name}" for label, name in names if name]
    if said:
        yield Paragraph("; ".join(said))


def bracketed(data: bytes) -> bytes:
    """The same document with brackets around what a reissue deletes, as the printed patent has them."""
    if b"<?delete-" not in data and b"<DEL-" not in data:
        return data
    return _DELETED_END.sub(b"]", _DELETED.sub(b"[", data))
