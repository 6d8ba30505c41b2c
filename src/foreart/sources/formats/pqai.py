"""PQAI's JSON of US patents: one object per document, with names and citations both plain and in detail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Category, Citation, Claim, Literature, Patent, Symbol
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number, loose_number, parse_number
from foreart.identifiers.symbols import class_symbol, uspc_symbol
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.reader import Reader


def _sniff(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    return "publicationNumber" in keys and bool(keys & {"publicationDate", "kindCode", "claims", "citationsDetails"})


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one object."""
    record = load(data)
    given = string(record.get("publicationNumber"))
    if not given:
        raise BadRecord("no publication number")
    number = parse_number(given, country=string(record.get("countryCode")))
    classes = record.get("classifications")
    classes = classes if isinstance(classes, dict) else {}
    citations, literature = _citations(record)
    inventors = _names(record, "inventors")
    yield Patent(
        id=str(number),
        title=" ".join(string(record.get("title")).split()),
        abstract=folded(string(record.get("abstract"))),
        claims=_claims(record.get("claims")),
        description=plain_paragraphs(string(record.get("description"))),
        published=iso_date(record.get("publicationDate")),
        filed=iso_date(record.get("filingDate")),
        priority=iso_date(record.get("priorityDate")),
        cpc=_symbols((*strings(classes.get("cpcs")), *strings(record.get("cpcs")))),
        ipc=_symbols((*strings(classes.get("ipcr")), *strings(classes.get("ipc")), *strings(record.get("ipcs")))),
        uspc=tuple(uspc_symbol(item) for item in _raw(classes.get("classificationNational"))),
        locarno=strings(classes.get("locarno")),
        applicants=_owners(record, inventors),
        inventors=inventors,
        citations=citations,
        literature=literature,
        application_number=_application(record, number.country),
        language="en" if number.country == "US" else "",
        document_type=string(record.get("applicationType")).lower(),
    )


def _claims(value: object) -> tuple[Claim, ...]:
    return split_claims(value) if isinstance(value, str) else numbered_claims(strings(value))


def _symbols(codes: Iterable[str]) -> tuple[Symbol, ...]:
    return tuple(Symbol(symbol) for symbol in dict.fromkeys(class_symbol(code) for code in codes) if symbol)


def _raw(value: object) -> list[str]:
    """Texts with their leading spaces: USPC symbols have fixed columns."""
    return [item for item in value if isinstance(item, str) and item.strip()] if isinstance(value, list) else []


def _names(record: dict[str, Any], key: str) -> tuple[str, ...]:
    plain = strings(record.get(key))
    if plain:
        return plain
    details = record.get(f"{key}Details")
    return strings(details.get("names")) if isinstance(details, dict) else ()


def _owners(record: dict[str, Any], inventors: tuple[str, ...]) -> tuple[str, ...]:
    """Applicants and assignees that are not inventors; inventors only if there are no others."""
    owners = tuple(dict.fromkeys((*_names(record, "applicants"), *_names(record, "assignees"))))
    return tuple(name for name in owners if name not in inventors) or owners


def _citations(record: dict[str, Any]) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    """Citations: the details have the citing party and literature; the plain list adds what they lack."""
    details = record.get("citationsDetails")
    patents: dict[str, Citation] = {}
    texts: list[Literature] = []
    for item in mappings(details.get("details") if isinstance(details, dict) else details):
        cited = string(item.get("citation"))
        examiner = item.get("examiner")
        category: Category = "examiner" if examiner is True else "other" if examiner is False else "unknown"
        if not cited:
            continue
        if item.get("npl") is True:
            texts.append(Literature(" ".join(cited.split()), category))
        else:
            number = str(loose_number(cited))
            patents.setdefault(number, Citation(number, category))
    for cited in strings(record.get("citations")):
        number = str(loose_number(cited))
        patents.setdefault(number, Citation(number))
    return tuple(patents.values()), tuple(texts)


def _application(record: dict[str, Any], country: str) -> str:
    number = string(record.get("applicationNumber"))
    return application_number(number, country=string(record.get("applicationCountryCode")) or country) if number else ""


READER = Reader(
    name="pqai-json",
    title="PQAI's JSON of US patents and applications",
    sniff=_sniff,
    split=objects,
    parse=parse,
)
