"""PatSnap exports in Solr's XML: one `<doc>` of named strings per patent, with lists separated by ` | `."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Category, Citation, Claim, Literature, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, normalise, parse_number
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats import st36
from foreart.sources.formats.citing import merged, merged_literature
from foreart.sources.formats.names import owners, people
from foreart.sources.markup.dotcodes import readable
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_SNIFF = re.compile(rb'<doc\b[^<>]{0,100}>\s*<(?:str|arr)\s+name\s*=\s*["\'](?:Patent|Publication) Number["\']')
_START = re.compile(rb"<doc[\s>]")
_PROLOG = re.compile(rb"^\s*<\?xml[^>]{0,200}\?>")
_END = re.compile(rb"</doc\s*>|<\?xml(?=[ \t\r\n])")
_CITED_BY = re.compile(r"(?<!\s)\s*+\b[Cc]ited by (examiner|applicant|other)\b[\s.]*+$")
_CATEGORIES: dict[str, Category] = {"examiner": "examiner", "applicant": "applicant", "other": "other"}

Fields = dict[str, str]


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _END, opens=b"<?")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one `<doc>`; none for the closing tags of the surrounding list."""
    start = _START.search(data)
    if start is None:
        if not re.fullmatch(rb"(?:\s|</?[^<>]*>)*+", data):
            raise BadRecord("no <doc> in it")
        return
    prolog = _PROLOG.match(data)
    fields = _fields(parse_xml((prolog[0] if prolog else b"") + data[start.start() :]))
    identity = _identity(fields)
    if not identity:
        raise BadRecord("no publication number")
    office = parse_number(identity).country
    inventors = _list(fields, "Inventor(s)", "Inventors", "Inventor", "1st Inventor")
    members = (_number(text) for text in _list(fields, "Family Members"))
    yield Patent(
        id=identity,
        title=readable(_line(fields, "Title")),
        abstract=readable(_line(fields, "Abstract")),
        claims=_claims(fields),
        description=plain_paragraphs(readable(fields.get("Description", ""))),
        published=iso_date(_line(fields, "Publication Date")),
        filed=iso_date(_line(fields, "Application Date")),
        priority=st36.earliest(_list(fields, "Priority Date")),
        cpc=_symbols(fields, "CPC"),
        ipc=_symbols(fields, "IPC"),
        uspc=st36.unique(_list(fields, "UPC Primary") + _list(fields, "All UPC")),
        applicants=owners(_list(fields, "Assignee(s)", "Assignees", "Applicant(s)", "1st Assignee"), inventors),
        inventors=people(inventors),
        citations=merged(Citation(number) for number in map(_number, _list(fields, "Cites")) if number),
        literature=merged_literature(_literature(text) for text in _list(fields, "Other References")),
        application_number=_application(_line(fields, "Application Number"), office),
        priority_numbers=_priorities(fields),
        family_id=_line(fields, "Family ID"),
        family_refs=st36.unique(number for number in members if number != identity),
        document_type=document_type(identity),
    )


def _fields(root: Element) -> Fields:
    """Named strings with their lines; the values of an array are joined by ` | `."""
    found: Fields = {}
    for item in root:
        values = ["".join(map(str, value.itertext())).strip() for value in (item if len(item) else [item])]
        text = " | ".join(value for value in values if value)
        if text:
            found.setdefault(item.get("name", ""), text)
    return found


def _line(fields: Fields, name: str) -> str:
    return " ".join(fields.get(name, "").split())


def _list(fields: Fields, *names: str) -> list[str]:
    """The values of the first of these fields that is not empty."""
    text = next(filter(None, (_line(fields, name) for name in names)), "")
    return [part.strip() for part in text.split(" | ") if part.strip()]


def _identity(fields: Fields) -> str:
    number = _line(fields, "Patent Number") or _line(fields, "Publication Number")
    if not number:
        return ""
    parsed = parse_number(number)
    return (
        str(parsed) if parsed.kind else st36.publication_id(parsed.country, parsed.number, _line(fields, "Kind Code"))
    )


def _number(text: str) -> str:
    try:
        return normalise(text)
    except BadNumber:
        return "".join(text.split())


def _claims(fields: Fields) -> tuple[Claim, ...]:
    text = readable(fields.get("Claims", "") or fields.get("Claim", "") or fields.get("First Claim", ""))
    parts = [part for part in text.split(" | ") if part.strip()]
    return numbered_claims(parts) if len(parts) > 1 else split_claims(text) if text else ()


def _symbols(fields: Fields, scheme: str) -> tuple[Symbol, ...]:
    first = next(map(class_symbol, _list(fields, f"{scheme} Primary")), "")
    every = st36.unique((first, *map(class_symbol, _list(fields, f"All {scheme}"))))
    return tuple(Symbol(symbol, ("first" if symbol == first else "later") if first else None) for symbol in every)


def _literature(text: str) -> Literature:
    """The citations of literature; in the USPTO's format, each ends with the citing party."""
    by = _CITED_BY.search(text)
    return Literature(readable(text[: by.start()] if by else text), _CATEGORIES[by[1]] if by else "unknown")


def _application(text: str, office: str) -> str:
    return application_number(text, country=office) if text else ""


def _priorities(fields: Fields) -> tuple[str, ...]:
    numbers, offices = _list(fields, "Priority Number"), _list(fields, "Priority Country")
    padded = (*offices, *[offices[-1] if offices else ""] * len(numbers))
    return st36.unique(
        application_number(number, country=office) for number, office in zip(numbers, padded, strict=False)
    )


READER = Reader(
    name="patsnap-xml",
    title="PatSnap exports, XML with named strings (Patent Number, Title, Abstract, Cites, Family Members)",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
