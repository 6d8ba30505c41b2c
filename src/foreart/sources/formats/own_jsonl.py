"""foreart's own JSON lines, and looser variants with the same keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.patent import Claim, Patent
from foreart.document.record import from_record
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import loose_number, parse_number
from foreart.identifiers.symbols import class_symbol
from foreart.sources.markup.json_object import first_keys, load, objects, string
from foreart.sources.reader import Reader

_KEYS = {"title", "abstract", "claims", "description", "publication_date", "citations"}
_FOREIGN = {"_id", "sections", "lens_id", "publicationNumber", "publication_number"}
_DATES = ("publication_date", "filing_date", "priority_date")
_LISTS = ("uspc", "locarno", "inventors", "applicants", "priority_numbers", "family_refs")
_BETWEEN = re.compile(r"[;|]")


def _sniff(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    return "id" in keys and bool(keys & _KEYS) and not keys & _FOREIGN


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one line."""
    yield patent_of(load(data))


def patent_of(record: dict[str, Any]) -> Patent:
    """The patent of a record with our keys, in any variant."""
    clean = dict(record)
    clean["id"] = _identity(record)
    for key in _DATES:
        clean[key] = iso_date(record.get(key))
    for key in _LISTS:
        clean[key] = _listed(record.get(key))
    for key in ("cpc", "ipc"):
        clean[key] = [class_symbol(symbol) or symbol for symbol in _listed(record.get(key))]
    clean["citations"] = [
        {**item, "id": str(loose_number(item["id"]))} for item in _cited(record.get("citations"), "id")
    ]
    clean["non_patent_citations"] = _cited(record.get("non_patent_citations"), "text")
    clean["family_refs"] = _family(clean["id"], clean["family_refs"], _listed(record.get("family")))
    clean["language"] = string(record.get("language")).lower()
    numbers = record.get("claim_numbers")
    if not numbers or not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        clean.update(_claim_lists(record.get("claims")))
    if not record.get("paragraphs"):
        clean["description"] = _joined(record.get("description"))
    return from_record(clean)


def _identity(record: dict[str, Any]) -> str:
    """The normalised id; a free id only if there is no country, which implies a publication number."""
    given = string(record.get("id"))
    if not given:
        raise BadRecord("no id")
    country = string(record.get("country"))
    try:
        return str(parse_number(given, country=country))
    except BadNumber:
        if country:
            raise
        return given


def _listed(value: object) -> list[str]:
    """The non-empty texts of a list, or of one text with `;` or `|` as separator."""
    if isinstance(value, str):
        return [part for text in _BETWEEN.split(value) if (part := text.strip())]
    if not isinstance(value, list):
        return [string(value)] if string(value) else []
    return [text for text in map(_inner, value) if text.strip()]


def _inner(item: object) -> str:
    """The text of an item: itself, or the field of an object."""
    if isinstance(item, dict):
        named = (item.get(key) for key in ("text", "name", "code", "symbol", "id"))
        return next((string(value) for value in named if value), "")
    return item if isinstance(item, str) else string(item)


def _cited(value: object, key: str) -> list[dict[str, Any]]:
    """Citations as objects, whether given as objects, numbers or texts."""
    found: list[dict[str, Any]] = []
    for item in _listed(value) if isinstance(value, str) else value if isinstance(value, list) else []:
        entry = dict(item) if isinstance(item, dict) else {key: item}
        entry[key] = entry[key] if isinstance(entry.get(key), str) else string(entry.get(key))
        if entry[key].strip():
            found.append(entry)
    return found


def _family(own: str, refs: list[str], members: list[str]) -> list[str]:
    """Relatives as given (including application numbers), then the members of the family."""
    named = [*refs, *(str(loose_number(member)) for member in members)]
    return [ref for ref in dict.fromkeys(named) if ref != own] if members else refs


def _claim_lists(value: object) -> dict[str, Any]:
    claims = _claims(value)
    return {
        "claims": [f"{claim.number}. {claim.text}" for claim in claims],
        "claim_numbers": [claim.number for claim in claims],
        "claim_depends_on": [list(claim.depends_on) for claim in claims],
    }


def _claims(value: object) -> tuple[Claim, ...]:
    if isinstance(value, str):
        return split_claims(value)
    texts = [text for text in map(_inner, value if isinstance(value, list) else []) if text.strip()]
    if len(texts) == 1:
        # All claims in one string of the list; not to be confused with an enumeration inside a single claim.
        parts = split_claims(texts[0])
        if any(claim.depends_on for claim in parts[1:]) and all(claim.text[:1].isupper() for claim in parts):
            return parts
    return numbered_claims(texts)


def _joined(value: object) -> str:
    """The description as one text with one line per paragraph, however it is divided."""
    parts = value if isinstance(value, list) else [value]
    return "\n".join(text for text in map(_inner, parts) if text)


READER = Reader(
    name="foreart-jsonl",
    title="foreart's own JSON lines (`foreart export`), and records with the same keys",
    sniff=_sniff,
    split=objects,
    parse=parse,
)
