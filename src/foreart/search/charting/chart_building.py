"""A draft and some references become a claim chart."""

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
from foreart.search.charting.combining import closest_first, findings
from foreart.search.charting.coverage import GRADES, Wanted, grade
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
    most: int = QUOTES,
    cutoff: str = "",
    regime: str = "any",
    bridges: Bridges | None = None,
) -> Chart:
    """The elements of a draft's claims by the references of these numbers, each cell with at most `most` quotes.

    Words weigh by the documents of the postings that have them. `bridges` gives for a word others near in meaning, each
    with the part of the credit it earns. Numbers that the corpus does not have are named in the chart's notes.
    """
    limit, law = cutoff_of(draft, cutoff), regime_of(regime)
    patents, notes = _found(ids, corpus)
    asked = rows_of(
        draft,
        lambda words: frequencies(postings, words).tolist(),
        len(postings),
        claims=claims,
        all_claims=all_claims,
    )
    columns = columns_of(asked)
    spelled = {term.stem: term.word for each in reversed(asked) for term in reversed(each.terms)}
    vocabulary = ChartVocabulary(list(columns), [spelled[key] for key in columns], draft.language, bridges or {})
    cells = {patent.id: _cells(patent, asked, columns, vocabulary, most) for patent in patents}
    rows = [each.row for each in asked]
    order, coverage = _ordered(rows, cells)
    by_id = {patent.id: patent for patent in patents}
    statuses = {patent.id: status_of(dated_of(patent), limit, law) for patent in patents}
    manifest = postings.manifest
    return Chart(
        rows=tuple(rows),
        references=tuple(_reference(by_id[number], draft, total, statuses[number]) for number, total in order),
        cells=tuple(tuple(cells[number][place] for number, _ in order) for place in range(len(rows))),
        best=tuple(_best(cells, order, place) for place in range(len(rows))),
        findings=findings(rows, [number for number, _ in order], coverage, statuses, law),
        notes=tuple(notes),
        cutoff=limit,
        draft_title=draft.title,
        draft_source=draft.source,
        draft_fingerprint=draft.fingerprint,
        corpus_fingerprint=manifest.corpus if manifest else "",
        documents=len(postings),
        bridged=bool(bridges),
        foreart=version("foreart"),
    )


def _found(ids: Iterable[str], corpus: Corpus) -> tuple[list[Patent], list[str]]:
    """The patents of some numbers, each once, and a sentence for each number that names none or several."""
    patents: dict[str, Patent] = {}
    notes: list[str] = []
    for asked in dict.fromkeys(ids):
        found = corpus.find(asked)
        if not found:
            notes.append(f"{asked} is not in the corpus: load it with `foreart add` to have it in the chart")
            continue
        if len(found) > 1:
            notes.append(f"{asked} stands for {', '.join(found)}: {found[-1]} was taken")
        patents.setdefault(found[-1], corpus[found[-1]])
    if not patents:
        raise NotInCorpus("; ".join(notes) or "a chart needs at least one publication number")
    return list(patents.values()), notes


def columns_of(asked: Sequence[ChartedElement]) -> dict[str, int]:
    """The number of each term of a chart."""
    stems = dict.fromkeys(term.stem for each in asked for term in each.terms)
    return {key: column for column, key in enumerate(stems)}


def _cells(
    patent: Patent, asked: Sequence[ChartedElement], columns: dict[str, int], vocabulary: ChartVocabulary, most: int
) -> list[Cell]:
    windows = Windows(read(patent, vocabulary))
    return [_cell(patent.id, each, Wanted.of(each.terms, columns), windows, most) for each in asked]


def _cell(number: str, asked: ChartedElement, wanted: Wanted, windows: Windows, most: int) -> Cell:
    words = [term.word for term in asked.terms]
    found, total = quotes(wanted, windows, words, most)
    coverage = round(total, 6)
    told = grade(coverage)
    if told == "not found":
        found = ()
    matched = {match.word for quote in found for match in quote.matches}
    missing = [(word, column) for word, column in zip(words, wanted.columns, strict=True) if word not in matched]
    return Cell(
        row=asked.row.label,
        reference=number,
        coverage=coverage,
        grade=told,
        quotes=found,
        missing=tuple(word for word, _ in missing),
        elsewhere=tuple(word for word, column in missing if windows.anywhere[column] > 0),
    )


def _ordered(rows: Sequence[ChartRow], cells: dict[str, list[Cell]]) -> tuple[list[tuple[str, float]], np.ndarray]:
    """The references, closest first, and the coverage of rows by references in that order."""
    coverage = np.array([[cell.coverage for cell in cells[number]] for number in cells]).T
    order = closest_first(rows, list(cells), coverage)
    places = {number: place for place, number in enumerate(cells)}
    return order, coverage[:, [places[number] for number, _ in order]]


def _best(cells: dict[str, list[Cell]], order: Sequence[tuple[str, float]], place: int) -> str:
    """The reference that covers a row best, the closer one of equals."""
    found = [cells[number][place] for number, _ in order]
    top = max(found, key=lambda cell: round(cell.coverage, 9))
    return top.reference if top.coverage >= GRADES["hardly"] else ""


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
    """What must be known of a document before its column is believed."""
    remarks = []
    if patent.id == draft.source:
        remarks.append("this is the draft itself")
    elif status != "prior art":
        remarks.append("no prior art: after the date" if status == "after the date" else status)
    languages = {patent.language, *(other.language for other in patent.translations)}
    if draft.language and patent.language and draft.language not in languages:
        remarks.append(f"its text is in {patent.language}, the draft in {draft.language}: their words do not compare")
    if patent.depth != "full":
        remarks.append(
            "the corpus has no description of it" if patent.depth == "abstract" else "the corpus has no text of it"
        )
    return remarks
