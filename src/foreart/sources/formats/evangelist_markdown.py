"""US grants as markdown with front matter (title, abstract, number, owner), published by API Evangelist."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Patent
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import normalise
from foreart.sources.formats.grant_dates import grant_date
from foreart.sources.markup.xml import as_utf8
from foreart.sources.opening.record_splitting import single_record
from foreart.sources.reader import Reader

_FENCE = re.compile(r"(?m)^---[ \t]*$")
_SNIFF = re.compile(rb"^[\s\xef\xbb\xbf]*---[ \t]*\r?\n")
_KEY = re.compile(r"^([A-Za-z_][A-Za-z0-9_ -]{0,40}):(?:[ \t]+(.*)|[ \t]*)$")


def _sniff(head: bytes, name: str) -> bool:
    if not _SNIFF.match(head):
        return False
    front = re.split(rb"(?m)^---[ \t]*\r?$", head, maxsplit=2)
    return len(front) > 1 and all(
        re.search(rb"(?m)^%s:" % key, front[1]) for key in (b"title", b"number", b"publication_date")
    )


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one file."""
    text = as_utf8(data).decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    parts = _FENCE.split(text, maxsplit=2)
    if len(parts) < 3 or parts[0].strip():
        raise BadRecord("there is no front matter between lines of ---")
    front = _front_matter(parts[1])
    country = front.get("country", "US")
    try:
        identity = normalise(front.get("number", ""), country=country)
    except BadNumber:
        raise BadRecord("no publication number") from None
    published, filed = _dates(identity, iso_date(front.get("publication_date")))
    owner = front.get("owner", "")
    yield Patent(
        id=identity,
        title=front.get("title", ""),
        abstract=front.get("abstract", ""),
        description=plain_paragraphs(parts[2]),
        published=published,
        published_estimated=bool(filed),
        filed=iso_date(front.get("filing_date")) or filed,
        applicants=(owner,) if owner else (),
        language="en",
        document_type=document_type(identity),
    )


def _front_matter(text: str) -> dict[str, str]:
    """`key: value` lines; a value may contain colons, and continues on lines without a key."""
    found: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        match = _KEY.match(line)
        if match and match[1] not in found:
            key = match[1]
            found[key] = _unquoted((match[2] or "").strip())
        elif key and line.strip():
            found[key] = f"{found[key]} {line.strip()}".strip()
    return found


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


def _dates(identity: str, date: str) -> tuple[str, str]:
    """The publication date, and the filing date if the file gives that as `publication_date`.

    Files of 2012-01-10 contain grants of 2013 and 2014 that were filed on that day. If the number is of a later year
    than the date, the date is the filing date, and the publication date is estimated from the number.
    """
    granted = grant_date(identity)
    if date and granted and date[:4] < granted[:4]:
        return granted, date
    return date, ""


READER = Reader(
    name="patent-markdown",
    title="US grants as markdown with front matter (API Evangelist)",
    sniff=_sniff,
    split=single_record,
    parse=parse,
)
