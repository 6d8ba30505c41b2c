"""The JSON form of a patent: a flat record, one per line, that other tools can read.

Texts are plain strings and lists of strings; further data are in parallel lists (`claims` and `claim_numbers`, `cpc`
and `cpc_positions`), so that readers who need only the text can ignore them. Keys without a value are left out, except
those in the first table of docs/record.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from foreart.document.claims import numbered_claims
from foreart.document.paragraphs import plain_paragraphs, under_headings
from foreart.document.patent import (
    CATEGORIES,
    Category,
    Citation,
    Claim,
    Literature,
    Origin,
    Paragraph,
    Patent,
    Symbol,
    Translation,
)
from foreart.errors import BadRecord
from foreart.identifiers.numbers import loose_number


def to_record(patent: Patent) -> dict[str, Any]:
    """The record of a patent, ready for `json.dumps`."""
    description, spans = _description(patent.description)
    record: dict[str, Any] = {
        "id": patent.id,
        "title": patent.title or None,
        "abstract": patent.abstract or None,
        "claims": [f"{claim.number}. {claim.text}" for claim in patent.claims],
        "description": description or None,
        "publication_date": patent.published or None,
        "publication_date_estimated": patent.published_estimated,
        "filing_date": patent.filed or None,
        "priority_date": patent.priority or None,
        "cpc": [symbol.symbol for symbol in patent.cpc],
        "ipc": [symbol.symbol for symbol in patent.ipc],
        "inventors": list(patent.inventors),
        "applicants": list(patent.applicants),
        "country": patent.country,
        "kind": patent.kind or None,
        "language": patent.language or None,
        "citations": [_cited({"id": citation.id}, citation) for citation in patent.citations],
        "family_refs": list(patent.family_refs),
        "collection": patent.collection or None,
    }
    more: dict[str, Any] = {
        "claim_numbers": [claim.number for claim in patent.claims],
        "claim_depends_on": [list(claim.depends_on) for claim in patent.claims],
        "paragraphs": spans,
        **_symbol_lists("cpc", patent.cpc),
        **_symbol_lists("ipc", patent.ipc),
        "uspc": list(patent.uspc),
        "locarno": list(patent.locarno),
        "non_patent_citations": [_cited({"text": item.text}, item) for item in patent.literature],
        "application_number": patent.application_number,
        "priority_numbers": list(patent.priority_numbers),
        "family_id": patent.family_id,
        "document_type": patent.document_type,
        "publication_status": patent.publication_status,
        "translations": [_translation(item) for item in patent.translations],
        "origins": [
            {"file": origin.file, "position": origin.position, "format": origin.format} for origin in patent.origins
        ],
    }
    record.update((key, value) for key, value in more.items() if value)
    return record


def to_json(patent: Patent) -> str:
    """The record as one line of JSON."""
    return json.dumps(to_record(patent), ensure_ascii=False, separators=(",", ":"))


def from_record(record: Mapping[str, Any]) -> Patent:
    """The patent of a record; missing fields are empty.

    >>> from_record({"id": "us7,585,299 b2", "claims": ["1. A screw."]}).claims
    (Claim(number=1, text='A screw.', depends_on=()),)
    """
    number = record.get("id")
    if not isinstance(number, str) or not number.strip():
        raise BadRecord("no id")
    return Patent(
        id=str(loose_number(number)),
        title=_text(record, "title"),
        abstract=_text(record, "abstract"),
        claims=_claims(record),
        description=_paragraphs(record),
        published=_text(record, "publication_date"),
        published_estimated=bool(record.get("publication_date_estimated")),
        filed=_text(record, "filing_date"),
        priority=_text(record, "priority_date"),
        cpc=_symbols(record, "cpc"),
        ipc=_symbols(record, "ipc"),
        uspc=_texts(record, "uspc"),
        locarno=_texts(record, "locarno"),
        applicants=_texts(record, "applicants"),
        inventors=_texts(record, "inventors"),
        citations=tuple(Citation(*parts) for parts in _citing(record, "citations", "id")),
        literature=tuple(Literature(*parts) for parts in _citing(record, "non_patent_citations", "text")),
        application_number=_text(record, "application_number"),
        priority_numbers=_texts(record, "priority_numbers"),
        family_id=_text(record, "family_id"),
        family_refs=_texts(record, "family_refs"),
        language=_text(record, "language"),
        document_type=_text(record, "document_type"),
        publication_status=_text(record, "publication_status"),
        translations=tuple(
            Translation(_text(item, "language"), _text(item, "title"), _text(item, "abstract"), _claims(item))
            for item in _objects(record, "translations")
        ),
        collection=_text(record, "collection"),
        origins=tuple(
            Origin(_text(item, "file"), _text(item, "position"), _text(item, "format"))
            for item in _objects(record, "origins")
        ),
    )


def from_json(line: str | bytes) -> Patent:
    """Parses one line of JSON."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"not valid JSON: {error}") from None
    if not isinstance(record, dict):
        raise BadRecord("not a JSON object")
    return from_record(record)


def as_category(value: object) -> Category:
    """The value as a category, `unknown` if it is none."""
    return next((category for category in CATEGORIES if category == value), "unknown")


def _cited(record: dict[str, Any], item: Citation | Literature) -> dict[str, Any]:
    record["category"] = item.category
    if item.letters:
        record["letters"] = item.letters
    if item.phase:
        record["phase"] = item.phase
    return record


def _citing(record: Mapping[str, Any], key: str, name: str) -> Iterator[tuple[str, Category, str, str]]:
    """The fields that citations and literature share: the cited document, category, letters, phase."""
    for item in _objects(record, key):
        if item.get(name):
            yield _text(item, name), as_category(item.get("category")), _text(item, "letters"), _text(item, "phase")


def _translation(item: Translation) -> dict[str, Any]:
    return {
        "language": item.language,
        "title": item.title,
        "abstract": item.abstract,
        "claims": [f"{claim.number}. {claim.text}" for claim in item.claims],
        "claim_numbers": [claim.number for claim in item.claims],
        "claim_depends_on": [list(claim.depends_on) for claim in item.claims],
    }


def _symbol_lists(name: str, symbols: Sequence[Symbol]) -> dict[str, Any]:
    positions = [symbol.position for symbol in symbols]
    values = [symbol.value for symbol in symbols]
    return {
        f"{name}_positions": positions if any(positions) else None,
        f"{name}_values": values if any(values) else None,
    }


def _symbols(record: Mapping[str, Any], name: str) -> tuple[Symbol, ...]:
    symbols = _texts(record, name)
    positions = record.get(f"{name}_positions") or [None] * len(symbols)
    values = record.get(f"{name}_values") or [None] * len(symbols)
    if not len(symbols) == len(positions) == len(values):
        raise BadRecord(f"{name}, {name}_positions and {name}_values differ in length")
    return tuple(Symbol(*parts) for parts in zip(symbols, positions, values, strict=True))


def _description(paragraphs: Sequence[Paragraph]) -> tuple[str, list[dict[str, Any]]]:
    """The description as one string, and the span of each paragraph in it."""
    spans: list[dict[str, Any]] = []
    start = 0
    for paragraph in paragraphs:
        span: dict[str, Any] = {"start": start, "end": start + len(paragraph.text)}
        if paragraph.number:
            span["number"] = paragraph.number
        if paragraph.is_heading:
            span["heading"] = True
        spans.append(span)
        start = span["end"] + 1
    return "\n".join(paragraph.text for paragraph in paragraphs), spans


def _paragraphs(record: Mapping[str, Any]) -> tuple[Paragraph, ...]:
    text = record.get("description") or ""
    if isinstance(text, list):
        text = "\n".join(str(part) for part in text)
    spans = _objects(record, "paragraphs")
    if not spans:
        return plain_paragraphs(str(text))
    try:
        return under_headings(
            Paragraph(
                text=text[span["start"] : span["end"]],
                number=str(span.get("number") or ""),
                is_heading=bool(span.get("heading")),
            )
            for span in spans
        )
    except (KeyError, TypeError):
        raise BadRecord("a paragraph has no start or no end") from None


def _claims(record: Mapping[str, Any]) -> tuple[Claim, ...]:
    texts = record.get("claims") or []
    if isinstance(texts, str):
        texts = [texts]
    numbers, parents = record.get("claim_numbers"), record.get("claim_depends_on")
    if numbers and parents:
        if not len(texts) == len(numbers) == len(parents):
            raise BadRecord("claims, claim_numbers and claim_depends_on differ in length")
        return tuple(
            Claim(number, text.removeprefix(f"{number}. "), tuple(parent))
            for text, number, parent in zip(texts, numbers, parents, strict=True)
        )
    return numbered_claims(str(text) for text in texts)


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value)


def _texts(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = record.get(key) or ()
    if isinstance(value, str):
        value = (value,)
    return tuple(str(item) for item in value if item)


def _objects(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = record.get(key) or []
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
