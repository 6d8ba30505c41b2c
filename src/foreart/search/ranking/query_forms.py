"""The query forms of a draft: the texts that channels query with, the patents it names, its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from foreart.corpus.views import hashed
from foreart.document.draft import Draft, outlined
from foreart.document.named_numbers import listed_lines, named_numbers
from foreart.document.patent import Patent
from foreart.identifiers.parties import folded_names
from foreart.search.request import NO_EMPHASIS, Emphasis
from foreart.text import section_text

# How many times an emphasised term or paragraph is repeated.
_TERM, _PARAGRAPH = 10, 2


@dataclass(frozen=True, eq=False)
class QueryForms:
    """Texts by form; `named` are hashes of the publication numbers in the description, the others hashes of names."""

    texts: Mapping[str, str]
    named: np.ndarray
    applicants: np.ndarray
    inventors: np.ndarray
    classes: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64))


def query_forms_of(
    document: Patent | Draft, emphasis: Emphasis = NO_EMPHASIS, *, named: np.ndarray | None = None
) -> QueryForms:
    """The query forms of a draft, or of a published document without its citations and classes.

    `named` are the hashes of the numbers in its text, if they were extracted before.
    """
    draft = _unlisted(outlined(document) if isinstance(document, Patent) else document)
    return QueryForms(
        texts={name: _emphasised(draft, form(draft), emphasis) for name, form in FORMS.items()},
        named=hashed(named_numbers(draft.description_text)) if named is None else named,
        applicants=hashed(folded_names(draft.applicants)),
        inventors=hashed(folded_names(draft.inventors)),
        classes=hashed(emphasis.main_groups),
    )


def _unlisted(draft: Draft) -> Draft:
    """The draft without a citation list copied after its text, whose numbers and titles would leak."""
    listed = listed_lines(draft.description_text)
    if not listed:
        return draft
    description, line = [], 0
    for paragraph in draft.description:
        lines = paragraph.text.split("\n")
        kept = [text for place, text in enumerate(lines, start=line) if place not in listed]
        description.append(paragraph if len(kept) == len(lines) else replace(paragraph, text="\n".join(kept)))
        line += len(lines)
    return replace(draft, description=tuple(description))


def _brief(draft: Draft) -> str:
    """Title, abstract, field, background, summary and first claim."""
    sections = draft.section_text("field", "background", "summary")
    first = draft.claims[0].text if draft.claims else ""
    return "\n".join(part for part in (draft.title, draft.abstract, sections, first) if part)


# The texts of a draft that channels query with.
FORMS: Mapping[str, Callable[[Draft], str]] = {
    "whole": lambda draft: section_text(draft, "full"),
    "brief": _brief,
    "claims": lambda draft: section_text(draft, "claims"),
    "abstract": lambda draft: section_text(draft, "abstract"),
}


def _emphasised(draft: Draft, text: str, emphasis: Emphasis) -> str:
    """The text, with its emphasised paragraphs and terms repeated."""
    if not emphasis.terms and not emphasis.paragraphs:
        return text
    paragraphs = [paragraph.text for paragraph in emphasis.paragraphs_of(draft)]
    return "\n".join((text, *(paragraphs * _PARAGRAPH), *(emphasis.terms * _TERM)))
