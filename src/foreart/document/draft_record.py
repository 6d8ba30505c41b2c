"""The JSON form of a draft, with warnings about what may have been read wrongly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import Any

from foreart.document.claims import independent_claims
from foreart.document.draft import Draft
from foreart.document.elements import by_claim
from foreart.document.figures import figures
from foreart.document.numerals import numerals


def draft_record(draft: Draft) -> dict[str, Any]:
    """All parts of a draft. Spans of numerals, figures and citations are offsets in the description."""
    text = draft.description_text
    elements, mentioned = by_claim(draft.elements), _mentioned(draft)
    independent = {claim.number for claim in independent_claims(draft.claims)}
    return {
        "title": draft.title,
        "language": draft.language,
        "dates": {"priority": draft.priority or None, "filed": draft.filed or None},
        "applicants": list(draft.applicants),
        "inventors": list(draft.inventors),
        "grounds": dict(draft.grounds),
        "sections": list(_sections(draft)),
        "claims": [
            {
                "number": claim.number,
                "text": claim.text,
                "parents": list(claim.depends_on),
                "independent": claim.number in independent,
                "elements": [
                    {"text": item.text, "start": item.start, "end": item.end, "kind": item.kind}
                    for item in elements.get(claim.number, ())
                ],
            }
            for claim in draft.claims
        ],
        "numerals": [
            {
                "numeral": item.numeral,
                "name": item.name,
                "count": len(item.spans),
                "spans": [list(at) for at in item.spans],
            }
            for item in numerals(text)
        ],
        "figures": [
            {
                "figure": item.labels,
                "kind": item.kind,
                "text": text[item.start : item.end],
                "start": item.start,
                "end": item.end,
            }
            for item in figures(text)
        ],
        "citations": [item for kind, item in mentioned if kind == "publication"],
        "applications": [item for kind, item in mentioned if kind == "application"],
        "notes": [*draft.notes, *draft_warnings(draft)],
        "source": draft.source,
        "fingerprint": draft.fingerprint,
    }


def draft_warnings(draft: Draft) -> list[str]:
    """What a person should check; never quotes the draft."""
    return [*_missing(draft), *_odd_claims(draft)]


def _sections(draft: Draft) -> Iterator[dict[str, Any]]:
    """The sections in the order of a specification; headings are not counted as paragraphs."""
    if draft.title:
        yield {"name": "title", "heading": "", "paragraphs": 1, "words": len(draft.title.split())}
    for section in draft.sections:
        texts = [item.text for item in draft.description[section.start : section.end] if not item.is_heading]
        words = sum(len(text.split()) for text in texts)
        yield {"name": section.name, "heading": section.heading, "paragraphs": len(texts), "words": words}
    if draft.claims:
        words = sum(len(claim.text.split()) for claim in draft.claims)
        yield {"name": "claims", "heading": "", "paragraphs": len(draft.claims), "words": words}
    if draft.abstract:
        texts = draft.abstract.split("\n")
        yield {"name": "abstract", "heading": "", "paragraphs": len(texts), "words": len(draft.abstract.split())}


def _mentioned(draft: Draft) -> list[tuple[str, dict[str, Any]]]:
    """Kind and record of each patent number in the text; its section matters: `related` often has the own family."""
    sizes = (
        sum(len(item.text) + 1 for item in draft.description[section.start : section.end]) for section in draft.sections
    )
    ends = list(accumulate(sizes))
    names = [*(section.name for section in draft.sections), ""]
    return [
        (
            item.kind,
            {
                "printed": item.printed,
                "number": item.number,
                "section": names[bisect_right(ends, item.start)],
                "start": item.start,
                "end": item.end,
            },
        )
        for item in draft.citations
    ]


def _missing(draft: Draft) -> Iterator[str]:
    for name in ("title", "abstract", "description", "claims"):
        if not getattr(draft, name):
            yield f"no {name} found"
    if draft.description and all(section.name in ("description", "field") for section in draft.sections):
        yield "the description has no known heading: it is read as one section"
    if not draft.priority and not draft.filed:
        yield "no priority or filing date found: searches use today unless a date is given"
    if draft.language == "other":
        yield "the language is not known"


def _odd_claims(draft: Draft) -> Iterator[str]:
    known = {claim.number for claim in draft.claims}
    gaps = list(islice((number for number in range(1, max(known, default=0)) if number not in known), 10))
    if gaps:
        yield f"claims {', '.join(map(str, gaps))} are missing" if len(gaps) > 1 else f"claim {gaps[0]} is missing"
    for claim in draft.claims:
        absent = [parent for parent in claim.depends_on if parent not in known]
        if absent:
            yield f"claim {claim.number} refers to claim {', '.join(map(str, absent))}, which does not exist"
        later = [parent for parent in claim.depends_on if parent in known and parent > claim.number]
        if later:
            yield f"claim {claim.number} refers to claim {', '.join(map(str, later))}, which comes after it"
    elements = by_claim(draft.elements)
    for claim in independent_claims(draft.claims):
        if len(elements.get(claim.number, ())) == 1 and len(claim.text.split()) > 60:
            yield f"claim {claim.number} was not split into elements"
