"""The report of foreart's own form: all that was found, judged and recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from foreart.report.forms.annexes import (
    claims_line,
    decision_annex,
    family_annex,
    noted,
    passage_annex,
    record_annex,
    sheet_foot,
)
from foreart.report.forms.citation_text import NONE, claim_numbers, holder, printed_number
from foreart.report.forms.epo_form import LEGEND
from foreart.report.forms.proposed_letters import (
    OPINIONS,
    ProposedLetter,
    category_text,
    given_letters,
    merged_lines,
    proposed_letters,
)
from foreart.report.forms.report_data import CategoryLine, ReportedDocument, ReportedVerdict, SearchReport
from foreart.report.forms.sheet_parts import (
    ReportSheet,
    SheetCell,
    SheetHeading,
    SheetPart,
    SheetText,
    cell,
    columns,
    facts,
    quiet,
    strong,
    table,
)
from foreart.report.wording.phrases import LAWS, count, percent

COLUMNS = columns(
    ("No", 1.1), ("Document", 5.2), ("Dates and status", 5.8), ("Category and claims", 2.4), ("Judgement", 3.2)
)


def generic_sheet(report: SearchReport) -> ReportSheet:
    """The sheet: result, documents with judgements and notes, then the annexes."""
    return ReportSheet("Prior-art search report", report.title, tuple(_parts(report)), sheet_foot(report))


def _parts(report: SearchReport) -> Iterator[SheetPart]:
    draft = report.draft
    yield facts(
        (
            "Application",
            " ".join(filter(None, (draft.application_number, draft.docket and f"(docket {draft.docket})"))),
        ),
        ("Applicant", "; ".join(draft.applicants)),
        ("Inventor", "; ".join(draft.inventors)),
        ("Priority, filing", f"{draft.priority or NONE}, {draft.filed or NONE}"),
        ("Cut-off", f"{report.cutoff.date} ({report.cutoff.source})"),
        ("Law", LAWS[report.regime]),
        ("Classification", "; ".join(draft.classes)),
        ("Technical fields searched", "; ".join(report.fields)),
        ("Drawn up for", claims_line(report)),
        ("Searched by", ", ".join(filter(None, (report.searcher, report.place, report.completed)))),
    )
    yield from noted(report)
    yield SheetHeading("Result")
    yield SheetText(result_sentence(report), "lead")
    if report.contents.estimate and report.estimate:
        yield SheetText(report.estimate.sentence)
    yield SheetHeading("Documents")
    proposals = proposed_letters(report, report.regime)
    yield table(COLUMNS, (_row(report, item, place, proposals) for place, item in enumerate(report.documents, start=1)))
    yield SheetText(LEGEND, "quiet")
    yield from _literature(report)
    yield from _abstracts(report)
    yield from passage_annex(report)
    yield from family_annex(report, title="Patent families")
    yield from record_annex(report)
    yield from decision_annex(report, report.regime)


def result_sentence(report: SearchReport) -> str:
    """How many documents are cited, and how many have each of X, Y and A."""
    cited = count(len(report.documents) + len(report.literature), "document")
    given = [*map(given_letters, report.documents), *(given_letters(item) for item in report.literature)]
    numbers = Counter(letter for letters in given for letter in letters if letter in OPINIONS)
    each = [f"{letter} for {numbers[letter]:,}" for letter in OPINIONS if numbers[letter]]
    if not each:
        return f"{cited} cited; no person gave a category X, Y or A."
    return f"{cited} cited; the person who searched gave category {', '.join(each)}."


def _row(
    report: SearchReport, item: ReportedDocument, place: int, proposals: tuple[ProposedLetter, ...]
) -> tuple[SheetCell, ...]:
    own = [proposal for proposal in proposals if proposal.document == item.id]
    name = holder(item.applicants, item.inventors)
    return (
        cell(strong(f"D{place}")),
        cell(strong(printed_number(item.id)), item.title, quiet(name)),
        cell(
            strong(item.status),
            f"published {item.published or 'unknown'}{' (estimated)' * item.published_estimated}",
            quiet(f"priority {item.priority or NONE}, filed {item.filed or NONE}"),
            quiet(item.rule),
        ),
        cell(*(_category(line, own) for line in merged_lines(item.categories) or (CategoryLine(""),))),
        cell(*_judgements(report, item)),
    )


def _category(line: CategoryLine, proposals: list[ProposedLetter]) -> str:
    claims = claim_numbers(line.claims)
    return category_text(line.letters, proposals) + (f" for {claims}" if claims else "")


def _judgements(report: SearchReport, item: ReportedDocument) -> Iterator[str]:
    for verdict in item.verdicts:
        yield _verdict(verdict)
        if verdict.note and report.contents.notes:
            yield verdict.note
    if item.rank:
        chance = f", {percent(item.chance.share)} of such scores were cited" if item.chance else ""
        yield f"rank {item.rank:,}{chance}"


def _verdict(verdict: ReportedVerdict) -> str:
    return f"{verdict.verdict}{f' ({verdict.rater})' if verdict.rater else ''}"


def _literature(report: SearchReport) -> Iterator[SheetPart]:
    if not report.literature:
        return
    yield SheetHeading("Other literature")
    yield table(
        columns(("No", 1.1), ("Document", 10.8), ("Category and claims", 2.6), ("Judgement", 3.2)),
        [
            (
                cell(strong(f"D{place}")),
                cell(item.text, quiet("; ".join(item.places))),
                cell(*(_category(line, []) for line in merged_lines(item.categories) or (CategoryLine(""),))),
                cell(*(_verdict(one) for one in item.verdicts), item.note if report.contents.notes else ""),
            )
            for place, item in enumerate(report.literature, start=len(report.documents) + 1)
        ],
    )


def _abstracts(report: SearchReport) -> Iterator[SheetPart]:
    if not report.contents.abstracts:
        return
    yield SheetHeading("Abstracts")
    for place, item in enumerate(report.documents, start=1):
        if item.abstract:
            yield SheetText(f"D{place}: {item.abstract}")
