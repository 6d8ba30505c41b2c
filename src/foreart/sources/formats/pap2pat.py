"""Pap2Pat's JSON: US applications as trees of sections, paired with the papers they are based on."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import numbered, under_headings
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import parse_number
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.reader import Reader


def _sniff(head: bytes, name: str) -> bool:
    return {"id", "authors", "sections"} <= first_keys(head)


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one object; a paper of the collection, whose id is not a publication number, is refused."""
    record = load(data)
    given = string(record.get("id"))
    if not given:
        raise BadRecord("no id")
    number = parse_number(given)
    # Numbers of US applications start with the year of publication.
    year = number.number[:4] if number.country == "US" and len(number.number) == 11 else ""
    yield Patent(
        id=str(number),
        title=" ".join(string(record.get("title")).split()),
        abstract=folded(string(record.get("abstract"))),
        claims=_claims(record.get("claims")),
        description=under_headings(_blocks(record.get("sections"))),
        published=year,
        published_estimated=bool(year),
        # The only date of the collection is the filing date: it is before the year in the publication number.
        filed=iso_date(record.get("date")),
        inventors=strings(record.get("authors")),
        language="en" if number.country == "US" else "",
        document_type=document_type(str(number)),
    )


def _claims(value: object) -> tuple[Claim, ...]:
    return split_claims(value) if isinstance(value, str) else numbered_claims(strings(value))


def _blocks(sections: object) -> Iterator[Paragraph]:
    """Titles and paragraphs in reading order; iterative, so that any depth of nesting is safe."""
    waiting = mappings(sections)[::-1]
    while waiting:
        section = waiting.pop()
        yield Paragraph(" ".join(string(section.get("title")).split()), is_heading=True)
        for text in _texts(section.get("paragraphs")):
            yield numbered(folded(text))
        waiting.extend(mappings(section.get("subsections"))[::-1])


def _texts(value: object) -> list[str]:
    return [string(item) for item in value] if isinstance(value, list) else [string(value)]


READER = Reader(
    name="pap2pat-json",
    title="Pap2Pat research collection, JSON of US applications with their outline",
    sniff=_sniff,
    split=objects,
    parse=parse,
)
