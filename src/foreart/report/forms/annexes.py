"""The annexes that every printed report has: families, passages, what is left to decide, and the search record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foreart.regimes import Regime
from foreart.report.forms.citation_text import NONE, claim_numbers, printed_number, printed_time, st2
from foreart.report.forms.open_points import OpenPoint, open_points
from foreart.report.forms.proposed_letters import proposed_letters
from foreart.report.forms.report_data import ReportedDocument, ReportedSearch, SearchReport, StoppingFigures
from foreart.report.forms.sheet_parts import (
    SheetCell,
    SheetHeading,
    SheetList,
    SheetPart,
    SheetQuotes,
    SheetTable,
    SheetText,
    cell,
    columns,
    facts,
    strong,
    table,
)
from foreart.report.wording.phrases import LAWS, count, percent, whole_percent

FAMILY_COLUMNS = columns(
    ("Patent document cited", 4), ("Publication date", 3), ("Patent family member(s)", 5), ("Publication date", 3)
)
FILTER_COLUMNS = columns(("Filter", 7), ("Removed", 3), ("of them because the field is missing", 5))
_ASSURANCE = (
    "Each quote is a verbatim excerpt of the stored text at the place named beside it; `foreart verify` with the DOCX, "
    "HTML, XLSX, CSV or JSON file of this report checks every one against the corpus."
)


def family_annex(report: SearchReport, *, title: str, new_page: bool = False) -> Iterator[SheetPart]:
    """The publications of the family of each document that is cited."""
    if not report.contents.families or not report.documents:
        return
    yield SheetHeading(title, new_page=new_page)
    yield SheetText(
        "Patent family members of the documents cited, as far as the corpus knows them: other members may exist.",
        "quiet",
    )
    yield SheetTable(FAMILY_COLUMNS, tuple(row for document in report.documents for row in _family_rows(document)))


def _family_rows(document: ReportedDocument) -> Iterator[tuple[SheetCell, ...]]:
    first = cell(strong(printed_number(document.id))), cell(st2(document.published))
    members = [(printed_number(item.id), st2(item.published)) for item in document.family] or [("none known", "")]
    for number, (member, published) in enumerate(members):
        yield (*(first if not number else ((), ())), cell(member), cell(published))


def passage_annex(report: SearchReport, *, new_page: bool = False) -> Iterator[SheetPart]:
    """The quotes of all documents; documents without a quote are listed as well, so that a check covers their text."""
    if not report.contents.passages or not report.documents:
        return
    yield SheetHeading("Passages cited", new_page=new_page)
    yield SheetText(_ASSURANCE, "quiet")
    for place, document in enumerate(report.documents, start=1):
        yield SheetQuotes(
            document.id,
            f"D{place}: {document.title or printed_number(document.id)}",
            f"published {document.published or 'unknown'}",
            document.text_fingerprint,
            document.language,
            document.passages,
        )


def decision_annex(report: SearchReport, law: Regime) -> Iterator[SheetPart]:
    """Proposed letters with their reasons, and the open points, on a page of its own, which can be taken away."""
    proposals = proposed_letters(report, law)
    points = open_points(report, law) if report.contents.open_points else ()
    if not proposals and not points:
        return
    yield SheetHeading("For the person who signs: proposals and open points", new_page=True)
    yield SheetText("For the file: take this page out before the report is passed on.", "note")
    if proposals:
        yield SheetHeading("Letters proposed", 2)
        yield SheetText(
            "D, P, E and & are proposed from numbers and dates and stand in square brackets; X, Y, A and all other "
            f"letters are those of a person. Law: {LAWS[law]}.",
            "quiet",
        )
        yield table(
            columns(("Document", 4), ("Letter", 2), ("Reason", 10)),
            [(cell(strong(printed_number(item.document))), cell(item.letter), cell(item.reason)) for item in proposals],
        )
    if points:
        yield SheetHeading("Open points", 2)
        yield points_table(points)


def points_table(points: Iterable[OpenPoint]) -> SheetTable:
    """Open points as a table."""
    named = columns(("About", 4), ("To decide or to complete", 12))
    return table(named, [(cell(strong(point.about)), cell(point.sentence)) for point in points])


def record_annex(report: SearchReport) -> Iterator[SheetPart]:
    """The searches with their filters, the estimate of what is unread, and the log."""
    contents = report.contents
    shown = [(contents.searches, report.searches), (contents.estimate, report.estimate), (contents.log, report.log)]
    if not any(wanted and there for wanted, there in shown):
        return
    yield SheetHeading("Search record")
    if contents.searches:
        for number, search in enumerate(report.searches, start=1):
            yield from _search(search, number, len(report.searches))
    if contents.estimate and report.estimate:
        yield from estimate_parts(report.estimate)
        if report.agreement:
            yield SheetText(report.agreement)
    if contents.log and report.log:
        yield SheetHeading("Log of exports", 2)
        yield table(
            columns(("Time", 4), ("What", 9), ("By", 3)),
            [(cell(printed_time(item.time)), cell(item.what), cell(item.by)) for item in report.log],
        )


def _search(search: ReportedSearch, number: int, of: int) -> Iterator[SheetPart]:
    yield SheetHeading(f"Search {number} of {of}" if of > 1 else "Search", 2)
    yield facts(*search_facts(search))
    if search.filters:
        yield table(
            FILTER_COLUMNS,
            [
                (cell(item.filter), cell(count(item.removed, "document")), cell(count(item.unknown, "document")))
                for item in search.filters
            ],
        )
    else:
        yield SheetText("No filter was set.", "quiet")


def search_facts(search: ReportedSearch) -> tuple[tuple[str, str], ...]:
    """A search as names and values."""
    return (
        ("Date", printed_time(search.time)),
        ("Query", search.query + (f" (fingerprint {search.draft_fingerprint})" if search.draft_fingerprint else "")),
        ("Cut-off", f"{search.cutoff} ({search.cutoff_source})"),
        ("Law", LAWS[search.regime]),
        ("Corpus", f"{count(search.documents, 'document')}, fingerprint {search.corpus_fingerprint}"),
        ("Compared", f"{count(search.compared, 'document')} that the filters left"),
        ("Left out", f"{search.left_out:,} after the date, {search.own_family:,} of the draft's own family"),
        ("Ranking", search.ranking),
        ("Listed", count(search.hits, "document")),
        ("Fingerprints", "; ".join(f"{name} {value}" for name, value in search.fingerprints)),
        ("Versions", ", ".join(f"{name} {value}" for name, value in search.versions)),
    )


def estimate_parts(estimate: StoppingFigures) -> Iterator[SheetPart]:
    """The estimate as a sentence and as figures with their intervals."""
    yield SheetHeading("Estimate of what is still unread", 2)
    yield SheetText(estimate.sentence, "lead")
    yield facts(*estimate_facts(estimate))
    yield SheetText(
        "An estimate: of what this corpus holds, by the date, a family counted once, relevant as judged here.", "quiet"
    )


def estimate_facts(estimate: StoppingFigures) -> tuple[tuple[str, str], ...]:
    """The figures of an estimate as names and values; what was not estimated is left out."""
    interval = f"{percent(estimate.level)} interval"
    made = [("Found", f"{estimate.found:,} in {count(estimate.read, 'document')} read")]
    if estimate.unread:
        unread = estimate.unread
        made.append(
            (
                "Relevant and still unread",
                f"about {unread.value:.0f} ({interval}: {unread.low:.0f} to {unread.high:.0f})",
            )
        )
    if estimate.share:
        share = [whole_percent(value) for value in (estimate.share.value, estimate.share.low, estimate.share.high)]
        made.append(("Share found", f"about {share[0]} ({interval}: {share[1]} to {share[2]})"))
    if estimate.next_finds is not None:
        made.append((f"The next {estimate.next_count:,} would bring", f"about {estimate.next_finds:.1f}"))
    if estimate.target is not None and estimate.confidence is not None:
        held = {True: "held", False: "did not hold", None: "was not applied"}[estimate.may_stop]
        rule = f"{percent(estimate.target)} found, with {percent(estimate.confidence)} confidence"
        made.append((f"Stopping rule, {estimate.rule}", f"{rule}: it {held}"))
    if estimate.basis:
        made.append(("Basis", estimate.basis))
    return tuple(made)


def claims_line(report: SearchReport) -> str:
    """For which claims a report is drawn up."""
    if report.claims_searched:
        return f"claims {claim_numbers(report.claims_searched)}"
    return "all claims" if report.draft.claims else NONE


def sheet_foot(report: SearchReport) -> tuple[str, ...]:
    """What stands at the foot of every page."""
    docket = report.draft.docket and f"docket {report.draft.docket}"
    made = report.made and f"made {printed_time(report.made)}"
    return tuple(text for text in (f"foreart {report.foreart}".strip(), docket, made) if text)


def noted(report: SearchReport) -> Iterator[SheetPart]:
    """Notes of the report, such as warnings about the draft."""
    if report.notes:
        yield SheetList(report.notes)
