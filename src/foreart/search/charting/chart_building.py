"""Builds a claim chart from a draft and references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.index.query.snapshot_counts import frequencies
from foreart.index.storage.snapshot import Snapshot
from foreart.search.charting.chart_rows import ChartedElement, rows_of
from foreart.search.charting.claim_chart import Cell, Chart, ChartRow, Reference
from foreart.search.charting.combining import best_of, closest_first, findings
from foreart.search.charting.coverage import Wanted, grade
from foreart.search.charting.places import text_fingerprint
from foreart.search.charting.quoting import QUOTES, Windows, quotes
from foreart.search.charting.reference_words import Bridges, ChartVocabulary, read
from foreart.search.law.date_arrays import status_of
from foreart.search.law.priority import Status, cutoff_of, dated_of, regime_of


def chart(
    draft: Draft,
    ids: Iterable[str],
    corpus: Corpus,
    postings: Snapshot,
    *,
    claims: Iterable[int] = (),
    all_claims: bool = False,
    limit: int = QUOTES,
    cutoff: str = "",
    regime: str = "any",
    bridges: Bridges | None = None,
) -> Chart:
    """The elements of a draft's claims against the references of these numbers, each cell with at most `limit` quotes.

    Words are weighted by their document frequency in the postings. `bridges` maps a word to words of similar meaning,
    each with its share of the credit. Numbers that are not in the corpus are named in the chart's notes.
    """
    effective, law = cutoff_of(draft, cutoff), regime_of(regime)
    patents, notes = _references_of(ids, corpus)
    charted = rows_of(
        draft,
        lambda words: frequencies(postings, words).tolist(),
        len(postings),
        claims=claims,
        all_claims=all_claims,
    )
    columns = columns_of(charted)
    vocabulary = vocabulary_of(charted, columns, draft.language, bridges)
    cells = {patent.id: _cells(patent, charted, columns, vocabulary, limit) for patent in patents}
    rows = [each.row for each in charted]
    order, coverage = _ordered(rows, cells)
    by_id = {patent.id: patent for patent in patents}
    statuses = {patent.id: status_of(dated_of(patent), effective, law) for patent in patents}
    ordered = tuple(tuple(cells[number][row] for number, _ in order) for row in range(len(rows)))
    manifest = postings.manifest
    return Chart(
        rows=tuple(rows),
        references=tuple(_reference(by_id[number], draft, total, statuses[number]) for number, total in order),
        cells=ordered,
        best=tuple(map(best_of, ordered)),
        findings=findings(rows, [number for number, _ in order], coverage, statuses, law),
        notes=tuple(notes),
        cutoff=effective,
        draft_title=draft.title,
        draft_source=draft.source,
        draft_fingerprint=draft.fingerprint,
        corpus_fingerprint=manifest.corpus if manifest else "",
        documents=len(postings),
        bridged=bool(bridges),
        foreart=version("foreart"),
    )


def _references_of(ids: Iterable[str], corpus: Corpus) -> tuple[list[Patent], list[str]]:
    """The patents of some numbers, each once, and a note for each number that names none or several."""
    patents: dict[str, Patent] = {}
    notes: list[str] = []
    for number in dict.fromkeys(ids):
        matches = corpus.find(number)
        if not matches:
            notes.append(f"{number} is not in the corpus: load it with `foreart add` to include it in the chart")
            continue
        if len(matches) > 1:
            notes.append(f"{number} matches {', '.join(matches)}: {matches[-1]} is used")
        patents.setdefault(matches[-1], corpus[matches[-1]])
    if not patents:
        raise NotInCorpus("; ".join(notes) or "a chart needs at least one publication number")
    return list(patents.values()), notes


def columns_of(charted: Sequence[ChartedElement]) -> dict[str, int]:
    """The column of each term of a chart."""
    stems = dict.fromkeys(term.stem for each in charted for term in each.terms)
    return {key: column for column, key in enumerate(stems)}


def vocabulary_of(
    charted: Sequence[ChartedElement], columns: dict[str, int], language: str, bridges: Bridges | None = None
) -> ChartVocabulary:
    """The words of a document that are terms of these rows."""
    spelled = {term.stem: term.word for each in reversed(charted) for term in reversed(each.terms)}
    return ChartVocabulary(list(columns), [spelled[key] for key in columns], language, bridges or {})


def _cells(
    patent: Patent, charted: Sequence[ChartedElement], columns: dict[str, int], vocabulary: ChartVocabulary, limit: int
) -> list[Cell]:
    windows = Windows(read(patent, vocabulary))
    return [_cell(patent.id, each, Wanted.of(each.terms, columns), windows, limit) for each in charted]


def _cell(number: str, charted: ChartedElement, wanted: Wanted, windows: Windows, limit: int) -> Cell:
    words = [term.word for term in charted.terms]
    cell_quotes, total = quotes(wanted, windows, words, limit)
    coverage = round(total, 6)
    cell_grade = grade(coverage)
    if cell_grade == "not found":
        cell_quotes = ()
    matched = {match.word for quote in cell_quotes for match in quote.matches}
    missing = [(word, column) for word, column in zip(words, wanted.columns, strict=True) if word not in matched]
    return Cell(
        row=charted.row.label,
        reference=number,
        coverage=coverage,
        grade=cell_grade,
        quotes=cell_quotes,
        missing=tuple(word for word, _ in missing),
        elsewhere=tuple(word for word, column in missing if windows.anywhere[column] > 0),
    )


def _ordered(rows: Sequence[ChartRow], cells: dict[str, list[Cell]]) -> tuple[list[tuple[str, float]], np.ndarray]:
    """The references, closest first, and the coverage of rows by references in that order."""
    coverage = np.array([[cell.coverage for cell in cells[number]] for number in cells]).T
    order = closest_first(rows, list(cells), coverage)
    positions = {number: row for row, number in enumerate(cells)}
    return order, coverage[:, [positions[number] for number, _ in order]]


def _reference(patent: Patent, draft: Draft, coverage: float, status: Status) -> Reference:
    return Reference(
        id=patent.id,
        title=patent.title,
        published=patent.published,
        priority=patent.priority,
        status=status,
        language=patent.language,
        fingerprint=text_fingerprint(patent),
        coverage=round(coverage, 6),
        notes=tuple(_remarks(patent, draft, status)),
    )


def _remarks(patent: Patent, draft: Draft, status: Status) -> list[str]:
    """Warnings about a document that affect how its column is read."""
    remarks = []
    if patent.id == draft.source:
        remarks.append("this is the draft itself")
    elif status != "prior art":
        remarks.append("no prior art: after the date" if status == "after the date" else status)
    languages = {patent.language, *(other.language for other in patent.translations)}
    if draft.language and patent.language and draft.language not in languages:
        remarks.append(f"its text is in {patent.language}, the draft in {draft.language}: words cannot be compared")
    if patent.depth != "full":
        remarks.append(
            "the corpus has no description of it" if patent.depth == "abstract" else "the corpus has no text of it"
        )
    return remarks
