"""CSV exports of the Lens.org search page: bibliographic data and abstracts, without claims and description."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Literature, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import docdb_application, normalise
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats.names import owners, people
from foreart.sources.formats.st36 import unique
from foreart.sources.markup.running_text import guess_language
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.opening.tabular import cells, header, rows
from foreart.sources.reader import Reader

_NEEDED = {"display key", "lens id"}
_APPLICATION = re.compile(r"^([A-Z]{2})\s+(.+?)(?:(?<!\s)\s+([A-Z]\d?))?$")
_TYPES = {
    "design right": "design",
    "plant patent": "plant",
    "statutory invention registration": "statutory invention registration",
}


def _column(name: str) -> str:
    return name.strip().lower().replace("_", " ")


def _sniff(head: bytes, name: str) -> bool:
    return head[:1] not in (b"{", b"<") and {_column(column) for column in header(head, ",")} >= _NEEDED


def _split(stream: Stream) -> Iterator[RawRecord]:
    return rows(stream, ",")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one row."""
    row = {_column(column): " ".join(cell.split()) for column, cell in cells(data).items()}
    try:
        identity = normalise(row.get("display key", ""))
    except BadNumber:
        raise BadRecord("no publication number") from None
    title, abstract = row.get("title", ""), row.get("abstract", "")
    inventors = people(_parts(row, "inventors"))
    own = _application(row.get("application number", ""))
    yield Patent(
        id=identity,
        title=title,
        abstract=abstract,
        published=iso_date(row.get("publication date")),
        filed=iso_date(row.get("application date")),
        priority=iso_date(row.get("earliest priority date")),
        cpc=_symbols(row, "cpc classifications"),
        ipc=_symbols(row, "ipcr classifications"),
        uspc=unique(_parts(row, "us classifications")),
        applicants=owners(_parts(row, "applicants") or _parts(row, "owners"), inventors),
        inventors=inventors,
        literature=tuple(Literature(text) for text in unique(_parts(row, "npl citations"))),
        application_number=own,
        priority_numbers=tuple(
            number for number in unique(map(_application, _parts(row, "priority numbers"))) if number != own
        ),
        family_refs=_family(row, identity),
        language=guess_language(f"{title}\n{abstract}"),
        document_type=_TYPES.get(row.get("document type", "").lower(), "") or document_type(identity),
    )


def _parts(row: dict[str, str], column: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in row.get(column, "").split(";;") if part.strip())


def _symbols(row: dict[str, str], column: str) -> tuple[Symbol, ...]:
    return tuple(Symbol(symbol) for symbol in unique(map(class_symbol, _parts(row, column))))


def _application(text: str) -> str:
    match = _APPLICATION.match(text)
    return docdb_application(match[2], country=match[1], kind=match[3] or "") if match else text


def _family(row: dict[str, str], identity: str) -> tuple[str, ...]:
    found: list[str] = []
    for text in (*_parts(row, "simple family members"), *_parts(row, "extended family members")):
        try:
            found.append(normalise(text))
        except BadNumber:
            continue
    return tuple(number for number in unique(found) if number != identity)


READER = Reader(
    name="lens-csv",
    title="Lens.org patents, CSV export",
    sniff=_sniff,
    split=_split,
    parse=parse,
    seen=False,
)
