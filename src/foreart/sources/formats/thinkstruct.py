"""ThinkStruct's JSON of US weekly applications: an array of records, each with text, claims and one class."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Claim, Patent, Position, Symbol, Value
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import parse_number
from foreart.identifiers.symbols import joined_symbol
from foreart.sources.formats.uspto import publication_status
from foreart.sources.markup.json_object import first_keys, folded, load, objects, string
from foreart.sources.reader import Reader

# US20240227432A9-20240711.XML: number, kind and date of publication
_FILE = re.compile(r"^(.*/)?([A-Z]{2}[A-Z]{0,2}\d+[A-Z]\d?)-(\d{8})\b")
_CLASS = re.compile(r"^\s*([A-HY]\d\d[A-Z][\d/ ]*?)([FL])?([IAN])?\s*$")
_POSITIONS: dict[str | None, Position] = {"F": "first", "L": "later"}
_VALUES: dict[str | None, Value] = {"I": "inventive", "A": "additional", "N": "additional"}


def _sniff(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    return "doc_number" in keys and bool(keys & {"bibtex", "detailed_description"})


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one record; kind and date are from the file name, because the record lacks them."""
    record = load(data)
    identity, published = _identity(string(record.get("filename")), string(record.get("doc_number")))
    yield Patent(
        id=identity,
        title=" ".join(string(record.get("title")).split()),
        abstract=folded(string(record.get("abstract"))),
        claims=_claims(record.get("claims")),
        description=plain_paragraphs(
            "\n".join(string(record.get(key)) for key in ("background", "summary", "detailed_description"))
        ),
        published=published,
        cpc=_symbols(string(record.get("classification"))),
        language="en",
        document_type=document_type(identity),
        publication_status=publication_status(identity),
    )


def _identity(file: str, number: str) -> tuple[str, str]:
    match = _FILE.match(file)
    if match:
        return str(parse_number(match[2])), iso_date(match[3])
    if not number:
        raise BadRecord("no publication number")
    try:
        return str(parse_number(number, country="US")), ""
    except BadNumber:
        raise BadRecord(f"{number[:40]!r} is not a publication number") from None


def _claims(value: object) -> tuple[Claim, ...]:
    if isinstance(value, str):
        return split_claims(value)
    return numbered_claims(string(item) for item in value) if isinstance(value, list) else ()


def _symbols(text: str) -> tuple[Symbol, ...]:
    """Class symbols: `B60B104FI` is `B60B 1/04`, first, inventive."""
    match = _CLASS.match(text)
    symbol = joined_symbol(match[1]) if match else ""
    if not match or not symbol:
        return (Symbol(text),) if text else ()
    return (Symbol(symbol, _POSITIONS.get(match[2]), _VALUES.get(match[3])),)


READER = Reader(
    name="thinkstruct-json",
    title="ThinkStruct research collection, JSON of US weekly applications",
    sniff=_sniff,
    split=objects,
    parse=parse,
)
