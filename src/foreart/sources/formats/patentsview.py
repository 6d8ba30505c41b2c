"""PatentsView's bulk tables of US grants: `g_patent.tsv` joined with the other tables in its folder or archive."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from foreart.document.claims import numbered_claim, numbered_claims
from foreart.document.paragraphs import plain_paragraphs, under_headings
from foreart.document.patent import Category, Citation, Claim, Literature, Paragraph, Patent, Position, Symbol, Value
from foreart.errors import BadFile, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats.patentsview_tables import TABLES, has_main, joined, stem
from foreart.sources.formats.st36 import earliest, publication_id, unique
from foreart.sources.markup.json_object import folded, load, string
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.opening.tabular import header
from foreart.sources.reader import Reader

_MAINS = (
    {"patent_id", "patent_type", "patent_date", "patent_title"},
    {"id", "type", "number", "country", "date", "title", "kind"},
)
# Columns that identify a companion table; `text`, `number` and the like are too common.
_MARKS = {name for table in TABLES for names in table.columns.values() for name in names if "_" in name} | {
    *("claim_sequence", "uuid", "gi_statement", "num_figures", "latin_name", "wipo_field_id", "term_grant"),
    *(
        "location_id",
        "rawlocation_id",
        "raw_examiner_name_last",
        "attorney_sequence",
        "assignee_sequence",
        "assignee_id",
        "inventor_id",
    ),
}
# Lookup tables without patent_id, which a folder of downloads also contains.
_LOOKUPS = {"disambig_city", "raw_city", "cpc_subclass_title"}
_CATEGORIES: dict[str, Category] = {"cited by examiner": "examiner", "cited by applicant": "applicant", "": "unknown"}
_CPC_VALUES: dict[str, Value] = {"inventional": "inventive", "inventive": "inventive", "additional": "additional"}
_IPC_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}
_POSITIONS: dict[str, Position] = {"F": "first", "L": "later"}

Rows = list[dict[str, str]]


def _is_main(head: bytes) -> bool:
    columns = {name.lower() for name in header(head, "\t")}
    return any(main <= columns for main in _MAINS)


def _sniff(head: bytes, name: str) -> bool:
    if _is_main(head):
        return True
    columns = {column.lower() for column in header(head, "\t")}
    return ("patent_id" in columns and bool(columns & _MARKS)) or bool(columns & _LOOKUPS)


def _split(stream: Stream) -> Iterator[RawRecord]:
    """The joined rows of the main table; nothing for a companion table, which is read with the main one."""
    if not _is_main(stream.head):
        if not has_main(stream.name):
            raise BadFile(f"{stem(stream.name)} belongs to g_patent.tsv, which is not in the same folder or archive")
        return
    for index, (offset, record) in enumerate(joined(stream), start=1):
        yield RawRecord(index, offset, json.dumps(record, ensure_ascii=False).encode())


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one joined record; a row that does not match its header is refused with the reason."""
    if data.startswith(b'"'):
        raise BadRecord(str(json.loads(data)))
    record = load(data)
    row = record.get("patent")
    if not isinstance(row, dict):
        raise BadRecord(string(row) or "not a row of the main table")
    number = row.get("patent_id") or row.get("number") or row.get("id")
    if not number:
        raise BadRecord("no publication number")
    tables = {table.name: _rows(record, table.name) for table in TABLES}
    filed = next((iso_date(item.get("date")) for item in tables["application"] if item.get("date")), "")
    yield Patent(
        id=publication_id("US", number, row.get("wipo_kind") or row.get("kind") or ""),
        title=" ".join((row.get("patent_title") or row.get("title") or "").split()),
        abstract=folded(_first(tables["abstract"], "text") or row.get("patent_abstract") or row.get("abstract") or ""),
        claims=_claims(tables["claims"]),
        description=_description(tables),
        published=iso_date(row.get("patent_date") or row.get("date")),
        filed=filed,
        priority=_priority(tables, filed),
        cpc=_cpc(tables["cpc"] or tables["cpc_at_issue"]),
        ipc=_ipc(tables["ipc"]),
        uspc=unique(_uspc(item) for item in tables["uspc"]),
        applicants=_owners(tables),
        inventors=unique(_name(item) for item in tables["inventors"] or tables["inventors_disambiguated"]),
        citations=_citations(tables),
        literature=tuple(Literature(" ".join(item["text"].split())) for item in tables["literature"] if "text" in item),
        application_number=_application(_first(tables["application"], "number")),
        priority_numbers=_priority_numbers(tables),
        family_refs=_relatives(tables["related"]),
        language="en",
        document_type=(row.get("patent_type") or row.get("type") or "").lower(),
        publication_status="withdrawn" if row.get("withdrawn") in ("1", "1.0", "TRUE", "True", "true") else "",
    )


def _rows(record: dict[str, Any], name: str) -> Rows:
    found = record.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _first(rows: Rows, key: str) -> str:
    return next((item[key] for item in rows if item.get(key)), "")


def _claims(rows: Rows) -> tuple[Claim, ...]:
    """The claims with the numbers of the table, or the printed ones; `dependent` gives parents besides the text."""
    texts = [folded(item.get("text", "")) for item in rows]
    numbers = [item.get("number", "").lstrip("0") for item in rows]
    if len(set(numbers)) < len(numbers) or not all(number.isdecimal() for number in numbers):
        return numbered_claims(texts)
    return tuple(
        numbered_claim(
            int(number), text, parents=map(int, re.findall(r"(?<![-\d])\d{1,4}\b", item.get("dependent", "")))
        )
        for number, text, item in zip(numbers, texts, rows, strict=True)
        if text
    )


def _description(tables: dict[str, Rows]) -> tuple[Paragraph, ...]:
    parts = (tables[name] for name in ("relations", "summary", "drawings", "description"))
    return under_headings(
        paragraph for rows in parts for item in rows for paragraph in plain_paragraphs(item.get("text", ""))
    )


def _cpc(rows: Rows) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for item in rows:
        symbol = class_symbol(item.get("symbol", ""))
        if symbol and symbol not in found:
            position: Position = "later" if found else "first"
            found[symbol] = Symbol(symbol, position, _CPC_VALUES.get(item.get("type", "").lower()))
    return tuple(found.values())


def _ipc(rows: Rows) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for item in rows:
        section, group, subgroup = item.get("section", ""), item.get("group", ""), item.get("subgroup", "")
        head = f"{section}{item.get('class', '').zfill(2)}{item.get('subclass', '')}"
        symbol = class_symbol(f"{head} {group}/{subgroup}" if group and subgroup else head)
        if symbol and symbol not in found:
            position = _POSITIONS.get(item.get("position", "").upper())
            found[symbol] = Symbol(symbol, position, _IPC_VALUES.get(item.get("value", "").upper()))
    return tuple(found.values())


def _uspc(item: dict[str, str]) -> str:
    """The USPC class from main class 600 and subclass `600/443` or `443`."""
    main, group = item.get("main", ""), item.get("group", "")
    if "/" in group or not main:
        return group
    return f"{main}/{group}" if group else main


def _name(item: dict[str, str]) -> str:
    person = " ".join(f"{item.get('first', '')} {item.get('last', '')}".split())
    return " ".join(item.get("organisation", "").split()) or person


def _owners(tables: dict[str, Rows]) -> tuple[str, ...]:
    rows = [*(tables["assignees"] or tables["assignees_disambiguated"]), *tables["applicants"]]
    companies = unique(_name(item) for item in rows if item.get("organisation"))
    return companies or unique(_name(item) for item in rows)


def _citations(tables: dict[str, Rows]) -> tuple[Citation, ...]:
    found: dict[str, Citation] = {}
    for table, office in (("us_citations", "US"), ("us_applications_cited", "US"), ("foreign_citations", "")):
        for item in tables[table]:
            number = item.get("number", "")
            if number:
                identity = publication_id(office or item.get("country", ""), number, item.get("kind", ""))
                category = _CATEGORIES.get(item.get("category", "").lower(), "other")
                found.setdefault(identity, Citation(identity, category))
    return tuple(found.values())


def _application(number: str, country: str = "US") -> str:
    return application_number(number, country=country or "US") if number else ""


def _is_provisional(item: dict[str, str]) -> bool:
    return "provisional" in f"{item.get('type', '')} {item.get('relation', '')}".lower()


def _is_publication(item: dict[str, str]) -> bool:
    words = f"{item.get('type', '')} {item.get('relation', '')}".lower()
    return "publication" in words or "grant" in words


def _is_parent(item: dict[str, str]) -> bool:
    """Whether its date is the filing date of an application on which this patent is based."""
    return "child" not in item.get("relation", "").lower() and not _is_publication(item)


def _priority(tables: dict[str, Rows], filed: str) -> str:
    dates = [item.get("date", "") for item in tables["priorities"]]
    dates += [item.get("date", "") for item in tables["related"] if _is_parent(item)]
    dates += [item.get("date", "") for item in tables["pct"] if "application" in item.get("type", "").lower()]
    first = earliest(dates)
    return first if not filed or first < filed else filed


def _priority_numbers(tables: dict[str, Rows]) -> tuple[str, ...]:
    foreign = (_application(item.get("number", ""), item.get("country", "")) for item in tables["priorities"])
    provisional = (_application(item.get("number", "")) for item in tables["related"] if _is_provisional(item))
    return unique((*foreign, *provisional))


def _relatives(rows: Rows) -> tuple[str, ...]:
    """Grants and publications by their number, applications by theirs; provisionals are priorities."""
    found: list[str] = []
    for item in rows:
        number, country = item.get("number", ""), item.get("country", "") or "US"
        if number and _is_publication(item):
            found.append(publication_id(country, number, item.get("kind", "")))
        elif number and not _is_provisional(item):
            found.append(_application(number, country))
    return unique(found)


READER = Reader(
    name="patentsview-tsv",
    title="PatentsView bulk tables of US grants (g_patent.tsv with its companion tables, also the names before 2022)",
    sniff=_sniff,
    split=_split,
    parse=parse,
    seen=False,
)
