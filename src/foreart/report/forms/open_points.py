"""The rules of search reports (EPO Guidelines B-X 9) checked on a report: what is missing, or does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foreart.identifiers.date_spans import EARLIEST, LATEST, day, span
from foreart.identifiers.numbers import number_key
from foreart.regimes import Regime
from foreart.report.forms.citation_text import claim_numbers, printed_number
from foreart.report.forms.proposed_letters import (
    LETTERS,
    OPINIONS,
    earlier_relatives,
    given_letters,
    letters_in,
    proposed_letters,
    publication_undecided,
)
from foreart.report.forms.report_data import CategoryLine, ReportedDocument, ReportedLiterature, SearchReport


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """Something a person has to decide or complete: about what, and one sentence."""

    about: str
    sentence: str


def open_points(report: SearchReport, law: Regime) -> tuple[OpenPoint, ...]:
    """All open points: those of the report, of its documents, and of its claims."""
    return (*_whole(report), *_documents(report, law), *_claims(report))


def _whole(report: SearchReport) -> Iterator[OpenPoint]:
    if not report.draft.filed:
        yield OpenPoint("draft", "no filing date is known: P and E are proposed only with one")
    if report.cutoff.source.startswith("today"):
        yield OpenPoint("draft", f"the cut-off {report.cutoff.date} is the day of the search: the draft names no date")
    if not report.draft.claims:
        yield OpenPoint("draft", "it has no claims: no document can be assigned to one")
    if not report.documents and not report.literature:
        yield OpenPoint("report", "no document is cited")


def _documents(report: SearchReport, law: Regime) -> Iterator[OpenPoint]:
    given: dict[str, set[str]] = {}
    for proposal in proposed_letters(report, law):
        given.setdefault(proposal.document, set()).add(proposal.letter)
    relatives = earlier_relatives(report.documents)
    for document in report.documents:
        name = printed_number(document.id)
        lines = document.categories
        points = [
            *_letters(lines, frozenset(given.get(document.id, ()))),
            *_assigned(document, report.draft.claims),
            *_contradictions(document, report, law),
            *_dates(document, report),
        ]
        if relative := relatives.get(document.id):
            points.append(f"it is of the same family as {printed_number(relative)}: cite one of them, the other with &")
        yield from (OpenPoint(name, sentence) for sentence in points)
    for item in report.literature:
        points = [
            *_letters(item.categories, frozenset()),
            *_assigned(item, report.draft.claims),
            *_literature_dates(item, report),
        ]
        yield from (OpenPoint(_short(item.text), sentence) for sentence in points)


def _letters(lines: Sequence[CategoryLine], proposed: frozenset[str]) -> Iterator[str]:
    """P stands with X, Y or A; L alone has no claims; opinions have claims; one line for each category."""
    if not lines:
        yield "no category was given: X, Y and A are the person's opinion"
        if "P" in proposed:
            yield "P, which is proposed, stands only with X, Y or A"
    for line in lines:
        letters = letters_in(line.letters)
        if unknown := [letter for letter in letters if letter not in LETTERS]:
            yield f"{', '.join(unknown)} is not a category of a search report"
        opinion = any(letter in OPINIONS for letter in letters)
        if "P" in letters and not opinion:
            yield "P stands only with X, Y or A"
        if letters == ("L",) and line.claims:
            yield "L alone has no claims"
        if opinion and not line.claims:
            yield f"{','.join(letters)} is given without claims"
        if len([letter for letter in letters if letter in OPINIONS]) > 1:
            yield f"{','.join(letters)}: a line has one of X, Y and A; another one needs its own line"
    if "P" in proposed and lines and not any(set(letters_in(line.letters)) & set(OPINIONS) for line in lines):
        yield "P, which is proposed, stands only with X, Y or A"


def _assigned(document: ReportedDocument | ReportedLiterature, claims: int) -> Iterator[str]:
    beyond = sorted({claim for line in document.categories for claim in line.claims if not 1 <= claim <= claims})
    if beyond and claims:
        yield f"the draft has no claim {claim_numbers(beyond)}: it has {claims}"
    opinions = given_letters(document) & set(OPINIONS)
    passages = document.passages if isinstance(document, ReportedDocument) else document.places
    if opinions and not passages and not any(line.places for line in document.categories):
        yield "no passage is cited"
    if not document.categories and any(verdict.verdict == "relevant" for verdict in document.verdicts):
        yield "it was judged relevant, but has no category"
    for claim in sorted({claim for line in document.categories for claim in line.claims}):
        letters = {
            letter for line in document.categories if claim in line.claims for letter in letters_in(line.letters)
        }
        if len(letters & set(OPINIONS)) > 1:
            both = " and ".join(letter for letter in OPINIONS if letter in letters)
            yield f"claim {claim} has {both}: one of them, or two raters who differ"


def _contradictions(document: ReportedDocument, report: SearchReport, law: Regime) -> Iterator[str]:
    """Letters of the person that numbers or dates do not bear out."""
    letters, draft = given_letters(document), report.draft
    first, last = document.dated.published_span
    if "D" in letters and number_key(document.id) not in {number_key(number) for number in draft.cited}:
        yield "D is given, but the draft does not name it"
    if "P" in letters and draft.priority and draft.filed and (last < day(draft.priority) or first >= day(draft.filed)):
        yield f"P is given, but it was not published from {draft.priority} to before {draft.filed}"
    if (
        "E" in letters
        and draft.filed
        and (last < day(draft.filed) or document.dated.effective_span[0] > day(draft.filed))
    ):
        yield f"E is given, but it is not an earlier document published on or after the filing {draft.filed}"
    if law == "epc" and "E" in letters and "Y" in letters:
        yield "E with Y: under Art. 54(3), 56 EPC it counts against novelty only"


def _dates(document: ReportedDocument, report: SearchReport) -> Iterator[str]:
    first, last = span(document.published)
    if not document.published:
        yield "its date of publication is not known"
    elif document.published_estimated:
        yield f"its date of publication {document.published} is an estimate: look it up"
    elif first != last and first != EARLIEST:
        yield f"its date of publication is known only as {document.published}"
    if publication_undecided(document.dated, report.draft):
        yield "published on or after the priority of a draft without a filing date: P or E, or neither"
    if document.status == "own family":
        yield f"it is of the draft's own family: {document.rule}" if document.rule else "it is of the own family"
    if document.status == "after the date":
        yield f"by its dates it does not count: {document.rule}" if document.rule else "by its dates it does not count"


def _literature_dates(item: ReportedLiterature, report: SearchReport) -> Iterator[str]:
    """Only literature whose parts were entered has a date that can be compared."""
    if item.reference is None:
        return
    first, last = span(item.published)
    if not item.published:
        yield "its date of publication is not known"
    elif first >= day(report.cutoff.date):
        yield f"published {item.published}, not before {report.cutoff.date}: by its date it does not count"
    elif last >= day(report.cutoff.date):
        yield f"its date of publication is known only as {item.published}: it may not be before {report.cutoff.date}"


def _claims(report: SearchReport) -> Iterator[OpenPoint]:
    """Y needs a partner for each claim; each independent claim is named beside a document before the priority."""
    patents = {claim for item in report.documents for claim in _claims_with_y(item.categories)}
    literature = {claim for item in report.literature for claim in _claims_with_y(item.categories)}
    for claim in sorted(patents | literature):
        if _partners(report, claim) == 1:
            yield OpenPoint(f"claim {claim}", "only one document has Y: Y needs another document of the same category")
    for claim in report.draft.independent:
        if (report.claims_searched and claim not in report.claims_searched) or _named_early(report, claim):
            continue
        yield OpenPoint(
            f"claim {claim}",
            f"this independent claim is named beside no document that was published before {report.cutoff.date}",
        )


def _claims_with_y(lines: Sequence[CategoryLine]) -> set[int]:
    return {claim for line in lines if "Y" in letters_in(line.letters) for claim in line.claims}


def _partners(report: SearchReport, claim: int) -> int:
    """The number of documents with Y for a claim, those of one family counted once."""
    patents = [item for item in report.documents if claim in _claims_with_y(item.categories)]
    return (
        len(patents)
        - len(earlier_relatives(patents))
        + sum(claim in _claims_with_y(item.categories) for item in report.literature)
    )


def _named_early(report: SearchReport, claim: int) -> bool:
    """Whether a claim is named beside a document that was certainly published before the earliest priority."""
    limit = day(report.cutoff.date)
    early = [
        *(item.categories for item in report.documents if item.dated.published_span[1] < min(limit, LATEST)),
        *(item.categories for item in report.literature if span(item.published)[1] < min(limit, LATEST)),
    ]
    return any(claim in line.claims for lines in early for line in lines)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
