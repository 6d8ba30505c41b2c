"""The letters D, P, E and & that dates and numbers suggest, each with its reason; X, Y and A are never proposed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from foreart.identifiers.date_spans import EARLIEST, LATEST, day
from foreart.identifiers.numbers import number_key
from foreart.regimes import Regime
from foreart.report.forms.citation_text import NONE, printed_number
from foreart.report.forms.report_data import (
    CategoryLine,
    ReportedDocument,
    ReportedDraft,
    ReportedLiterature,
    SearchReport,
)
from foreart.search.law.priority import SECRET_PRIOR_ART, Dated

OPINIONS = ("X", "Y", "A")
# In this order on a line, opinions last: `P,X`.
_ORDER = "&DPELOTXYA"
# Categories of EPO Guidelines B-X 9.2 and of PCT/ISA/210.
LETTERS = {
    "X": "particularly relevant if taken alone",
    "Y": "particularly relevant if combined with another document of the same category",
    "A": "technological background",
    "O": "non-written disclosure",
    "P": "intermediate document",
    "T": "theory or principle underlying the invention",
    "E": "earlier patent document, but published on, or after the filing date",
    "D": "document cited in the application",
    "L": "document cited for other reasons",
    "&": "member of the same patent family, corresponding document",
}


@dataclass(frozen=True, slots=True)
class ProposedLetter:
    """A letter for a document, and why; not `certain` if a date is not known to the day."""

    document: str
    letter: str
    reason: str
    certain: bool = True


def proposed_letters(report: SearchReport, law: Regime) -> tuple[ProposedLetter, ...]:
    """All letters that are proposed for the documents of a report, in their order."""
    cited = {number_key(number): number for number in report.draft.cited}
    relatives = earlier_relatives(report.documents)
    return tuple(
        proposal
        for document in report.documents
        for proposal in (
            *_named(document, cited, relatives.get(document.id, "")),
            *_dated(document, report.draft, law),
        )
        if proposal.letter not in given_letters(document)
    )


def given_letters(document: ReportedDocument | ReportedLiterature) -> frozenset[str]:
    """All letters that a person gave a document."""
    return frozenset(letter for line in document.categories for letter in letters_in(line.letters))


def letters_in(letters: str) -> tuple[str, ...]:
    """The letters of a category, `P,X` or `PX`, in the order of a form; unknown signs last, as written."""
    signs = dict.fromkeys(sign.upper() for sign in letters if not sign.isspace() and sign not in ",;/[]–-")
    return tuple(sorted(signs, key=lambda sign: _ORDER.index(sign) if sign in _ORDER else len(_ORDER)))


def merged_lines(lines: Iterable[CategoryLine]) -> tuple[CategoryLine, ...]:
    """One line for each category: claims, places and raters of lines with the same letters together."""
    together: dict[str, list[CategoryLine]] = {}
    for line in lines:
        together.setdefault(",".join(letters_in(line.letters)), []).append(line)
    return tuple(
        CategoryLine(
            letters,
            tuple(sorted({claim for line in same for claim in line.claims})),
            tuple(dict.fromkeys(place for line in same for place in line.places)),
            ", ".join(dict.fromkeys(line.rater for line in same if line.rater)),
        )
        for letters, same in together.items()
        if letters
    )


def category_text(letters: str, proposals: Iterable[ProposedLetter]) -> str:
    """The category as printed: proposed letters in square brackets, and a dash if no person gave any.

    >>> category_text("X", [ProposedLetter("EP1", "P", ""), ProposedLetter("EP1", "D", "")])
    '[D],[P],X'
    >>> category_text("", [])
    '–'
    """
    proposed = sorted(proposals, key=lambda item: _ORDER.index(item.letter))
    return ",".join((*(f"[{item.letter}{'' if item.certain else '?'}]" for item in proposed), letters or NONE))


def publication_undecided(document: Dated, draft: ReportedDraft) -> bool:
    """Whether P and E cannot be decided: published after the priority of a draft without a filing date."""
    return bool(draft.priority) and not draft.filed and document.published_span[1] >= day(draft.priority)


def _named(document: ReportedDocument, cited: Mapping[str, str], earlier: str) -> Iterator[ProposedLetter]:
    """D if the draft names the document; & if it names, or the report cites, another publication of its family."""
    by_number = cited.get(number_key(document.id)) or cited.get(document.application_number)
    if by_number:
        yield ProposedLetter(document.id, "D", f"the draft names {printed_number(by_number)}")
    relative = next((cited[key] for item in document.family if (key := number_key(item.id)) in cited), "")
    if relative and not by_number:
        reason = f"the draft names {printed_number(relative)} of the same family"
        yield ProposedLetter(document.id, "&", reason)
        return
    if earlier:
        yield ProposedLetter(document.id, "&", f"of the same family as {printed_number(earlier)}, which is cited above")


def earlier_relatives(documents: Iterable[ReportedDocument]) -> dict[str, str]:
    """For each document of which another publication of the family is cited before it: the first of these."""
    found: dict[str, str] = {}
    first: dict[str, str] = {}  # by family or number: who was cited first
    for document in documents:
        family = f"family {document.family_id}" if document.family_id else ""
        key = number_key(document.id)
        if known := first.get(family) or first.get(key):
            found[document.id] = known
        for name in filter(None, (family, key, *(number_key(item.id) for item in document.family))):
            first.setdefault(name, known or document.id)
    return found


def _dated(document: ReportedDocument, draft: ReportedDraft, law: Regime) -> Iterator[ProposedLetter]:
    """P if published from the priority to the filing of the draft; E if published then or later, with an earlier date.

    EPO Guidelines B-X 9.2.4 and 9.2.6; PCT Rule 33.1(c) and ISPE 16.66 to 16.67. The day of priority belongs to P, and
    a document of the same date as the draft to E.
    """
    if not draft.filed:
        return
    filed, (first, last) = day(draft.filed), document.dated.published_span
    if draft.priority and day(draft.priority) < filed:
        possible = last >= day(draft.priority) and first < filed and first != EARLIEST
        if possible:
            certain = first >= day(draft.priority) and last < filed
            reason = (
                f"published {_date(document)}, from the priority {draft.priority} to before the filing {draft.filed}"
            )
            yield ProposedLetter(document.id, "P", reason + _doubt(certain), certain)
    early, late = document.dated.effective_span
    if last >= filed and EARLIEST < early <= filed and _counts(document.dated, law):
        certain = first >= filed and late <= filed and late != LATEST
        earliest = document.priority or document.filed
        reason = f"published {_date(document)}, on or after the filing {draft.filed}; its own earliest date {earliest}"
        yield ProposedLetter(document.id, "E", f"{reason} is not later{_doubt(certain)}", certain)


def _date(document: ReportedDocument) -> str:
    return f"about {document.published} (estimated)" if document.published_estimated else document.published or "later"


def _doubt(certain: bool) -> str:
    return "" if certain else ", but a date is not known to the day: check it"


def _counts(document: Dated, law: Regime) -> bool:
    """Whether the office of a document makes its earlier date count under a law."""
    if law in ("pct", "any") and not document.design:
        return True
    laws = SECRET_PRIOR_ART.values() if law == "any" else [SECRET_PRIOR_ART[law]] if law in SECRET_PRIOR_ART else []
    return any(document.office in offices and (designs or not document.design) for offices, designs in laws)
