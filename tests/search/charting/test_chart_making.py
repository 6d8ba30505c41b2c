"""Whole charts: of the sample corpus, of invented documents, and of real ones where they are at hand."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expectation import SHARED, needs_raw
from foreart.corpus import Corpus
from foreart.document.draft import Draft, analysed, draft_of_patent
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.errors import ForeartError, IndexingError, NotInCorpus
from foreart.library import Library
from foreart.search.charting import GRADES, Chart, QuotableTexts, Stated, places, verify
from foreart.sources import read_draft, scan

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
REAL = SHARED / "ultrasound.jsonl.gz"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.build("tfidf")
        yield made


@pytest.fixture(scope="module")
def draft() -> Draft:
    return read_draft(SAMPLE / "drafts" / "interspinous-fusion.docx")


@pytest.fixture(scope="module")
def chart(library: Library, draft: Draft) -> Chart:
    return library.chart(draft, library.corpus.ids())


def check_quotes(chart: Chart, corpus: Corpus) -> int:
    """Every quote is a piece of the stored text where it is said to be, and its matches are pieces of it."""
    count = 0
    for row, cells in zip(chart.rows, chart.cells, strict=True):
        words = {word.word for word in row.words}
        for cell in cells:
            assert 0.0 <= cell.coverage <= 1.0
            assert cell.coverage >= GRADES[cell.grade]
            texts = dict(places(corpus[cell.reference]))
            for quote in cell.quotes:
                assert texts[quote.place][quote.start :].startswith(quote.text)
                assert quote.text == quote.text.strip() != ""
                assert all(0 <= match.start < match.end <= len(quote.text) for match in quote.matches)
                assert {match.word for match in quote.matches} <= words
                count += 1
            assert {*cell.missing, *(m.word for quote in cell.quotes for m in quote.matches)} == words
    return count


def test_every_quote_of_the_sample_is_verbatim(chart: Chart, library: Library) -> None:
    assert len(chart.references) == 50
    assert check_quotes(chart, library.corpus) > 100


def test_every_quote_of_published_drafts_is_verbatim(library: Library) -> None:
    ids = library.corpus.ids()
    for number in ids[:4]:
        patent = library.corpus[number]
        if patent.claims:
            check_quotes(library.chart(draft_of_patent(patent), ids[:25], all_claims=True), library.corpus)


def test_a_patent_discloses_itself_and_says_so(library: Library) -> None:
    for number in library.corpus.ids():
        patent = library.corpus[number]
        if not patent.claims or not patent.description:
            continue
        made = library.chart(draft_of_patent(patent), [number])
        assert made.references[0].coverage >= 0.97, number
        assert made.references[0].notes == ("this is the draft itself",)
        assert all(cell.grade == "disclosed" for row in made.cells for cell in row), number


@pytest.mark.parametrize(
    "path", [SAMPLE / "patents.jsonl", pytest.param(REAL, marks=needs_raw)], ids=["sample", "real"]
)
def test_every_quote_of_documents_is_verbatim(tmp_path: Path, path: Path) -> None:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        lines = [line for _, line in zip(range(36), file, strict=False)]
    (tmp_path / "some.jsonl").write_text("".join(lines), "utf-8")
    with Library(tmp_path / "library") as library:
        library.add([tmp_path / "some.jsonl"])
        library.build("tfidf")
        ids = library.corpus.ids()
        claimed = [number for number in ids if library.corpus[number].claims]
        for number in claimed[:3]:
            made = library.chart(draft_of_patent(library.corpus[number]), ids[:20])
            assert check_quotes(made, library.corpus) > 0
            stated = [Stated(c.reference, q.place.label, q.text) for row in made.cells for c in row for q in c.quotes]
            assert verify(stated, library.corpus).holds


def test_rows_are_the_elements_of_independent_claims(chart: Chart, draft: Draft) -> None:
    assert [row.text for row in chart.rows] == [item.text for item in draft.elements]
    assert [row.label for row in chart.rows[:3]] == ["1.0", "1.1", "1.2"]
    assert {row.claim for row in chart.rows} == {1, 8}
    assert sum(row.weight for row in chart.rows) == pytest.approx(1.0)
    assert all(sum(word.weight for word in row.words) == pytest.approx(1.0) for row in chart.rows)


def test_some_claims_or_all_with_their_own_features(library: Library, draft: Draft) -> None:
    number = library.corpus.ids()[0]
    only = library.chart(draft, [number], claims=[8])
    assert {row.claim for row in only.rows} == {8}
    every = library.chart(draft, [number], all_claims=True)
    assert [row.claim for row in every.rows] == sorted(row.claim for row in every.rows)
    assert {row.claim for row in every.rows} == {claim.number for claim in draft.claims}
    own = [row for row in every.rows if row.claim == 2]
    assert own
    assert all("claim 1" not in row.text for row in own)
    with pytest.raises(ForeartError, match="no claim 99; it has claims 1 to 8"):
        library.chart(draft, [number], claims=[99])


def test_references_stand_closest_first_and_their_coverage_is_that_of_their_cells(chart: Chart) -> None:
    totals = [reference.coverage for reference in chart.references]
    assert totals == sorted(totals, reverse=True)
    for column, reference in enumerate(chart.references):
        cells = [row[column] for row in chart.cells]
        assert {cell.reference for cell in cells} == {reference.id}
        weighted = sum(row.weight * cell.coverage for row, cell in zip(chart.rows, cells, strict=True))
        assert reference.coverage == pytest.approx(weighted, abs=2e-6)
    assert chart.findings[0].ranking == tuple(
        (one.id, one.coverage) for one in chart.references if one.status != "after the date"
    )
    assert len(chart.findings[0].ranking) < len(chart.references)
    assert totals[0] > 0.3
    assert totals[-1] < 0.1


def test_the_best_of_each_row_is_the_best(chart: Chart) -> None:
    for cells, best in zip(chart.cells, chart.best, strict=True):
        most = max(cell.coverage for cell in cells)
        told = [cell.coverage for cell in cells if cell.reference == best]
        assert told == ([most] if most >= GRADES["hardly"] else [])


def test_what_is_not_found_has_no_quotes_and_all_its_words_are_missing(chart: Chart) -> None:
    for row, cells in zip(chart.rows, chart.cells, strict=True):
        for cell in cells:
            assert bool(cell.quotes) == (cell.grade != "not found")
            assert set(cell.elsewhere) <= set(cell.missing)
            if not cell.quotes:
                assert cell.missing == tuple(word.word for word in row.words)


def test_numbers_are_found_without_kind_code_and_what_is_unknown_is_told(library: Library, draft: Draft) -> None:
    number = library.corpus.ids()[3]
    bare = number.rstrip("0123456789").rstrip("ABC") if number[-1].isdigit() else number[:-1]
    made = library.chart(draft, [bare, "US999999999", number])
    assert [reference.id for reference in made.references] == [number]
    assert made.notes == ("US999999999 is not in the corpus: load it with `foreart add` to include it in the chart",)
    with pytest.raises(NotInCorpus, match="US999999999 is not in the corpus"):
        library.chart(draft, ["US999999999"])
    with pytest.raises(NotInCorpus, match="at least one"):
        library.chart(draft, [])


def test_a_draft_without_claims_and_a_library_without_index_are_told_what_to_do(
    library: Library, tmp_path: Path
) -> None:
    with pytest.raises(ForeartError, match="no claims"):
        library.chart(Draft(title="Lever"), library.corpus.ids()[:1])
    with pytest.raises(ForeartError, match="no claims to chart"):
        library.chart(Draft(title="Lever", claims=(Claim(1, "--"),)), library.corpus.ids()[:1])
    with Library(tmp_path / "new") as new, pytest.raises(IndexingError, match="foreart build"):
        new.chart(Draft(title="Lever"), ["US1A"])


def small(tmp_path: Path, *patents: Patent) -> Library:
    made = Library(tmp_path / "small")
    made.corpus.add(patents)
    made.build("tfidf")
    return made


def test_dates_languages_and_missing_texts_are_remarked(tmp_path: Path) -> None:
    text = (Paragraph("A lever holds the pawl."),)
    library = small(
        tmp_path,
        Patent("XX1A", title="Old", description=text, published="2001-01-01", language="en"),
        Patent("XX2A", title="Late", description=text, published="2020-01-01", priority="2019-01-01", language="en"),
        Patent("XX3A", title="Alt", description=text, published="2001-01-01", language="de"),
        Patent("XX4A", title="Short", abstract="A lever.", published="2001-01-01", language="en"),
    )
    draft = analysed(Draft(claims=(Claim(1, "A lever comprising a pawl."),), priority="2010-01-01", language="en"))
    with library:
        made = library.chart(draft, ["XX1A", "XX2A", "XX3A", "XX4A"])
    notes = {reference.id: (reference.status, reference.notes) for reference in made.references}
    assert notes["XX1A"] == ("prior art", ())
    assert notes["XX2A"] == ("after the date", ("no prior art: after the date",))
    assert notes["XX3A"][1] == ("its text is in de, the draft in en: words cannot be compared",)
    assert notes["XX4A"][1] == ("the corpus has no description of it",)
    assert made.cutoff.date == "2010-01-01"


WORDS = st.lists(
    st.sampled_from(("lever", "levers", "pawl", "spring", "ratchet", "housing,", "the", "of", "is.", "İstanbul", "½"))
    | st.sampled_from(("12", "(14)", "=x", ";", "\n", "\t")),
    max_size=60,
).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(WORDS, min_size=1, max_size=4), claim=WORDS, bridged=st.booleans())
def test_whatever_the_texts_every_quote_is_verbatim(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], claim: str, bridged: bool
) -> None:
    patent = Patent(
        "XX1A", title=texts[0], description=tuple(map(Paragraph, texts)), claims=(Claim(1, texts[-1]),), language="en"
    )
    draft = analysed(Draft(claims=(Claim(1, f"A lever comprising {claim}"),), language="en"))
    bridges = {"lever": {"pawl": 0.5, "spring": 0.5}} if bridged else None
    with small(tmp_path_factory.mktemp("any"), patent) as library:
        check_quotes(library.chart(draft, ["XX1A"], bridges=bridges), library.corpus)


def test_two_processes_make_the_same_chart(library: Library) -> None:
    code = (
        "import json, sys; from foreart.library import Library; from foreart.sources import read_draft;"
        "from foreart.report.exports.chart_json import chart_record; library = Library(sys.argv[1]);"
        "print(json.dumps(chart_record(library.chart(read_draft(sys.argv[2]), library.corpus.ids()[:9]))))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code, str(library.folder), str(SAMPLE / "drafts" / "insulin-pump.txt")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert len(json.loads(told[0])["references"]) == 9


def test_a_changed_document_a_wrong_place_and_wrong_words_are_told_apart(library: Library, chart: Chart) -> None:
    cell = next(cell for row in chart.cells for cell in row if len(cell.quotes) > 1)
    quote = cell.quotes[0]
    mark = next(one.fingerprint for one in chart.references if one.id == cell.reference)

    def faults(**changes: str) -> tuple[str, ...]:
        stated = Stated(cell.reference, quote.place.label, quote.text, mark)
        return verify([replace(stated, **changes)], library.corpus).faults

    assert faults() == ()
    (wrong,) = faults(place="paragraph 9999")
    assert f"is in {quote.place.label}, not there" in wrong
    (wrong,) = faults(text=quote.text[:20] + "X" + quote.text[20:])
    assert "differs after" in wrong
    assert quote.text[:20][-8:] in wrong
    (wrong,) = faults(fingerprint="0" * 16)
    assert "has changed since it was quoted" in wrong
    (wrong,) = faults(id="US999999999A1")
    assert "US999999999A1 is not in the corpus" in wrong
    (wrong,) = faults(text="")
    assert "the quote is empty" in wrong


def test_the_sample_patents_are_read_as_they_are_stored(library: Library) -> None:
    for item in scan(SAMPLE / "patents.jsonl"):
        assert isinstance(item, Patent)
        assert list(places(item)) == list(places(library.corpus[item.id]))


def test_the_places_where_a_text_stands() -> None:
    patent = Patent(
        "XX1A1",
        abstract="A pawl of steel.",
        description=(
            Paragraph("THE PAWL", is_heading=True),
            Paragraph("A pawl of steel.", "0001"),
            Paragraph("Iron."),
        ),
        claims=(Claim(1, "A pawl."),),
    )
    texts = QuotableTexts(patent)
    assert texts.labels_of("A pawl") == ["[0001]", "claim 1", "abstract"]
    assert texts.labels_of("THE PAWL") == []
    assert texts.labels_of("Iron.") == ["paragraph 2"]
    assert texts.fault(Stated("XX1A1", "[0001]", "pawl of")) == ""
    assert texts.fault(Stated("XX1A1", "", "")) == ""
    assert texts.fault(Stated("XX1A1", "claim 1", "pawl of")).startswith(
        "XX1A1 claim 1: the quote is in [0001], abstract"
    )
