"""What a ranking knows of a draft: its text in several forms, the patents it names, its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from foreart.draft import Draft, draft_of_patent
from foreart.errors import ForeartError
from foreart.patent import Patent
from foreart.search.ranking.bibliography import main_group, plain_name
from foreart.search.ranking.named_numbers import named_numbers
from foreart.search.ranking.ragged import hashed
from foreart.text import section_text

# How many times more often the words of an emphasised term or paragraph count.
_TERM, _PARAGRAPH = 10, 2


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What of a draft matters most to its author: terms, printed numbers of paragraphs, class symbols."""

    terms: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


NO_EMPHASIS = Emphasis()


@dataclass(frozen=True, eq=False)
class Question:
    """Texts by form; `named` are hashes of the numbers in the draft's prose, people and classes hashes of names."""

    texts: Mapping[str, str]
    named: np.ndarray
    applicants: np.ndarray
    inventors: np.ndarray
    classes: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64))


def question_of(document: Patent | Draft, emphasis: Emphasis = NO_EMPHASIS) -> Question:
    """What may be known of a draft; of a published document neither its citations nor its classes."""
    draft = draft_of_patent(document) if isinstance(document, Patent) else document
    return Question(
        texts={name: _emphasised(draft, form(draft), emphasis) for name, form in FORMS.items()},
        named=hashed(named_numbers(draft.description_text)),
        applicants=hashed(map(plain_name, draft.applicants)),
        inventors=hashed(map(plain_name, draft.inventors)),
        classes=hashed(main_group(symbol.strip().upper()) for symbol in emphasis.classes),
    )


def _brief(draft: Draft) -> str:
    """What was known and what is new about it: title, abstract, field, background, summary, first claim."""
    told = draft.section_text("field", "background", "summary")
    first = draft.claims[0].text if draft.claims else ""
    return "\n".join(part for part in (draft.title, draft.abstract, told, first) if part)


# Which text of a draft a channel asks with.
FORMS: Mapping[str, Callable[[Draft], str]] = {
    "whole": lambda draft: section_text(draft, "full"),
    "brief": _brief,
    "claims": lambda draft: section_text(draft, "claims"),
    "abstract": lambda draft: section_text(draft, "abstract"),
}


def _emphasised(draft: Draft, text: str, emphasis: Emphasis) -> str:
    """The text with what is emphasised once more, and again."""
    if not emphasis.terms and not emphasis.paragraphs:
        return text
    wanted = set(emphasis.paragraphs)
    found = [paragraph.text for paragraph in draft.description if paragraph.number in wanted]
    if len(found) < len(wanted):
        have = {paragraph.number for paragraph in draft.description}
        raise ForeartError(f"the draft has no paragraph numbered {', '.join(sorted(wanted - have))}")
    return "\n".join((text, *(found * _PARAGRAPH), *(emphasis.terms * _TERM)))
