"""Patents of Lens.org: records of its API and of its JSON lines export, single or in a response."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Citation, Claim, Literature, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import docdb_application, normalise, number_key
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats.citing import letters_of, merged, merged_literature, phase_of
from foreart.sources.formats.languages import in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.formats.st36 import earliest, publication_id, unique
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import json_values
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_PATENT = {"biblio", "jurisdiction", "doc_number", "doc_key"}
_DATA = re.compile(rb'"data"\s*:\s*(?=\[)')
_LENS_ID = re.compile(rb'"lens_id"\s*:\s*"\d{3}-')
_LEAD = re.compile(
    r"^\s*+(?:what (?:is|we) claim(?:ed)?(?: is)?|(?:we|i) claim|claims?)\s*+[:.]?\s*+(?=1\b)", re.IGNORECASE
)
_TYPES = {
    "DESIGN_RIGHT": "design",
    "PLANT_PATENT": "plant",
    "STATUTORY_INVENTION_REGISTRATION": "statutory invention registration",
}


def _sniff(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    if "lens_id" in keys:
        return bool(keys & _PATENT)
    return (
        "data" in keys and _LENS_ID.search(head) is not None and any(b'"%s"' % key.encode() in head for key in _PATENT)
    )


def _split(stream: Stream) -> Iterator[RawRecord]:
    """Single records, or those in the list `data` of an API response."""
    data = _DATA.search(stream.head) if "data" in first_keys(stream.head) else None
    if data is None:
        yield from objects(stream)
        return
    stream.read(data.end())
    for record in json_values(stream):
        yield replace(record, offset=record.offset + data.end())


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one record."""
    record = load(data)
    biblio = _object(record.get("biblio"))
    identity = _number(record) or _number(_object(biblio.get("publication_reference")))
    if not identity:
        raise BadRecord("no publication number")
    titles = _texts(biblio.get("invention_title") or record.get("title"))
    abstracts = _texts(record.get("abstract") or biblio.get("abstract"))
    claims = _claims(record.get("claims"))
    described, description = _description(record.get("description"))
    language = _language(record, described, (*claims, *abstracts, *titles))
    texts = in_language(language, titles, abstracts, claims)
    application = _object(biblio.get("application_reference"))
    priorities = _priorities(biblio)
    own = _application(application)
    inventors, applicants = _parties(_object(biblio.get("parties")))
    citations, literature = _citations(biblio, identity)
    yield Patent(
        id=identity,
        title=texts.title,
        abstract=texts.abstract,
        claims=texts.claims,
        description=plain_paragraphs(description),
        published=iso_date(record.get("date_published") or _object(biblio.get("publication_reference")).get("date")),
        filed=iso_date(application.get("date")),
        priority=earliest(string(item.get("date")) for item in priorities),
        cpc=_symbols(biblio.get("classifications_cpc")),
        ipc=_symbols(biblio.get("classifications_ipcr")),
        uspc=unique(_codes(biblio.get("classifications_national"))),
        applicants=applicants,
        inventors=inventors,
        citations=citations,
        literature=literature,
        application_number=own,
        priority_numbers=tuple(number for number in unique(map(_application, priorities)) if number != own),
        family_refs=_family(_object(record.get("families") or biblio.get("families")), identity),
        language=language,
        document_type=_TYPES.get(string(record.get("publication_type")).upper(), "") or document_type(identity),
        translations=texts.translations,
    )


def _object(value: object) -> dict[str, Any]:
    return next(iter(mappings(value)), {})


def _number(document: dict[str, Any]) -> str:
    number = string(document.get("doc_number"))
    if not number:
        return ""
    text = publication_id(string(document.get("jurisdiction")), number, string(document.get("kind")))
    try:
        return normalise(text)
    except BadNumber:
        return ""


def _application(document: dict[str, Any]) -> str:
    number = string(document.get("doc_number"))
    if not number:
        return ""
    return docdb_application(number, country=string(document.get("jurisdiction")), kind=string(document.get("kind")))


def _priorities(biblio: dict[str, Any]) -> list[dict[str, Any]]:
    claims = _object(biblio.get("priority_claims"))
    return [*mappings(claims.get("claims")), *mappings(claims.get("earliest_claim"))]


def _texts(value: object) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in mappings(value):
        text = folded(string(item.get("text")))
        if text:
            found.setdefault(language_code(string(item.get("lang"))), text)
    return found or ({"": folded(value)} if isinstance(value, str) and value.strip() else {})


def _claims(value: object) -> dict[str, tuple[Claim, ...]]:
    found: dict[str, tuple[Claim, ...]] = {}
    for item in mappings(value):
        texts = [folded(string(claim.get("claim_text"))) for claim in mappings(item.get("claims"))]
        texts = [text for text in texts if text]
        if texts:
            texts[0] = _LEAD.sub("", texts[0])
            claims = split_claims(texts[0]) if len(texts) == 1 else numbered_claims(texts)
            found.setdefault(language_code(string(item.get("lang"))), claims)
    return found


def _description(value: object) -> tuple[str, str]:
    texts = {language_code(string(item.get("lang"))): string(item.get("text")) for item in mappings(value)}
    if isinstance(value, str):
        texts[""] = value
    code = "en" if "en" in texts else next(iter(texts), "")
    return code, texts.get(code, "")


def _language(record: dict[str, Any], described: str, others: tuple[str, ...]) -> str:
    """The language of the description, else of the record, else of the longest text, English first."""
    own = described or language_code(string(record.get("lang")))
    if own:
        return own
    known = [language for language in others if language]
    return "en" if "en" in known else next(iter(known), "")


def _name(party: dict[str, Any]) -> str:
    """The name, which the API has had in several fields: `extracted_name.value`, `name.name`, `name`."""
    for key in ("extracted_name", "name"):
        value = party.get(key)
        inner = _object(value)
        text = string(inner.get("value") or inner.get("name")) if inner else string(value)
        if text:
            return text
    return ""


def _parties(parties: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    inventors = people(_name(item) for item in mappings(parties.get("inventors")))
    filed = [name for item in mappings(parties.get("applicants")) if (name := _name(item))]
    later = [name for item in mappings(parties.get("owners_all")) if (name := _name(item))]
    return inventors, owners(filed or later, inventors)


def _codes(value: object) -> Iterator[str]:
    for holder in mappings(value):
        items = mappings(holder.get("classifications")) or [holder]
        yield from (string(item.get("symbol")) for item in items)
    if not mappings(value):
        yield from strings(value)


def _symbols(value: object) -> tuple[Symbol, ...]:
    return tuple(Symbol(symbol) for symbol in unique(class_symbol(code) for code in _codes(value)))


def _citations(biblio: dict[str, Any], identity: str) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    for item in mappings(_object(biblio.get("references_cited")).get("citations")):
        phase, category = phase_of(string(item.get("cited_phase")))
        letters = letters_of(strings(item.get("category")))
        text = string(_object(item.get("nplcit")).get("text"))
        if text:
            texts.append(Literature(text, category, letters, phase))
        for document in mappings(_object(item.get("patcit")).get("document_id")):
            cited = _number(document)
            if cited and cited != identity:
                patents.append(Citation(cited, category, letters, phase))
    return merged(patents, number_key), merged_literature(texts)


def _family(families: dict[str, Any], identity: str) -> tuple[str, ...]:
    members = [
        _number(_object(member.get("document_id")))
        for name in ("simple_family", "extended_family")
        for member in mappings(_object(families.get(name)).get("members"))
    ]
    return tuple(number for number in unique(members) if number != identity)


READER = Reader(
    name="lens-json",
    title="Lens.org patents, JSON lines and API responses",
    sniff=_sniff,
    split=_split,
    parse=parse,
    seen=False,
)
