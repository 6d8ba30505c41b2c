"""One request, however it is made: checked when it is made, kept in the result, and saved with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foreart.corpus import Selection
from foreart.corpus.views import read_view
from foreart.document.draft import Draft, analysed
from foreart.document.patent import Paragraph
from foreart.errors import BadRequest, CorpusError, ForeartError, StaleIndex
from foreart.library import Library
from foreart.records import diff, read_record
from foreart.search import Emphasis, Filters, IndexRanker, SearchOptions, SearchRequest, request_of, search
from foreart.sources import read_draft
from pawls import DRAFT, PATENTS


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library") as made:
        made.corpus.add(PATENTS)
        made.build("log-tfidf")
        yield made


def test_options_by_keyword_make_the_same_request_as_its_parts() -> None:
    flat = SearchRequest.of(
        DRAFT, k=3, classes=["A61B"], countries=["US"], must="pawl", ignore=["XX1A"], emphasise=["ratchet"]
    )
    parts = SearchRequest(
        DRAFT,
        k=3,
        filters=Filters(Selection(classes=("A61B",), countries=("US",)), must=("pawl",), ignore=("XX1A",)),
        emphasis=Emphasis(terms=("ratchet",)),
    )
    assert flat == parts
    assert hash(flat.filters) == hash(parts.filters)
    assert request_of(DRAFT, **flat.options()) == flat


def test_single_conditions_change_a_selection_that_is_given_as_a_whole() -> None:
    asked = SearchRequest.of(DRAFT, selection=Selection(classes=("A61B",), kinds=("A",)), kinds=["B"])
    assert asked.filters.selection == Selection(classes=("A61B",), kinds=("B",))


def test_options_change_single_parts_of_a_request() -> None:
    first = SearchRequest.of(DRAFT, k=3, must=["pawl"])
    assert request_of(first) is first
    assert request_of(first, k=5) == replace(first, k=5)
    assert request_of(first, cutoff="20140310").cutoff == "2014-03-10"


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no hits": ({"k": 0}, "k is 0: it must be a whole number of at least 1"),
    "half a hit": ({"k": 2.5}, "k is 2.5"),
    "a month": ({"cutoff": "2014-03"}, "'2014-03' is not a day: write the cut-off as 2014-03-10"),
    "a foreign law": ({"regime": "uk"}, "'uk' is not a regime; there are any, epc, us, pct"),
    "another ranking": ({"ranking": "best"}, "'best' is not a ranking; there are auto, learned"),
    "a term without words": ({"must": ["--"]}, "has no word"),
    "a paragraph that is not there": ({"emphasise_paragraphs": ["0099"]}, "has no paragraph numbered 0099"),
    "a subclass": ({"emphasise_classes": ["A61B"]}, "'A61B' has no main group"),
    "another option": ({"colour": "red"}, "a search has no option 'colour'; it has k, cutoff"),
}


@pytest.mark.parametrize(("options", "told"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_meant_is_refused_when_the_request_is_made(options: SearchOptions, told: str) -> None:
    with pytest.raises(BadRequest, match=told):
        SearchRequest.of(DRAFT, **options)


def test_values_of_a_selection_are_checked_too() -> None:
    with pytest.raises(CorpusError, match="'USA' is not a valid country"):
        SearchRequest.of(DRAFT, countries=["USA"])
    with pytest.raises(BadRequest, match=r"not a str: foreart\.read_draft reads one"):
        SearchRequest("application.docx")  # type: ignore[arg-type]


def test_a_request_of_json_may_name_conditions_one_by_one() -> None:
    assert SearchRequest.from_record({"k": 5, "classes": ["A61B"]}, DRAFT) == SearchRequest.of(
        DRAFT, k=5, classes=("A61B",)
    )
    with pytest.raises(BadRequest, match="the option k='5', which foreart"):
        SearchRequest.from_record({"k": "5"}, DRAFT)


def test_printing_a_request_or_a_result_shows_no_words_of_the_draft(library: Library) -> None:
    result = library.search(DRAFT, k=1)
    assert "ratchet" in DRAFT.description_text
    assert DRAFT.description_text not in repr(result)
    assert repr(DRAFT) in repr(result.request)


def test_a_draft_with_options_and_a_request_find_the_same(library: Library) -> None:
    one = library.search(DRAFT, k=2, must=["pawl"])
    two = library.search(SearchRequest.of(DRAFT, k=2, must=["pawl"]))
    assert one == two
    assert [hit.id for hit in one] == [hit.id for hit in one.hits]
    assert len(one) == 2
    assert one.request.k == 2


def test_the_request_of_a_result_holds_numbers_in_place_of_files(library: Library, tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text("XX1A\nXX4A\n", "utf-8")
    result = library.search(DRAFT, ignore=[str(tmp_path / "seen.txt")])
    assert result.request.filters.ignore == ("XX1A", "XX4A")
    (tmp_path / "seen.txt").unlink()
    assert library.search(result.request) == result


def test_a_result_saves_itself(library: Library, tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text(
        "Ratchet\n\nA pawl holds the bar.\n\nClaims\n\n1. A bar with a pawl.\n", "utf-8"
    )
    result = library.search(read_draft(tmp_path / "draft.txt"), k=2, regime="epc", countries=["XX"])
    result.save(tmp_path / "record.json")
    record = read_record(tmp_path / "record.json")
    assert (record.parameters["k"], record.parameters["regime"]) == (2, "epc")
    assert record.parameters["selection"]["countries"] == ["XX"]
    assert record.draft.path == str((tmp_path / "draft.txt").resolve())
    assert diff(record, library.rerun(record)).empty
    result.save(tmp_path / "private.json", private=True)
    assert "pawl" not in json.dumps(json.loads((tmp_path / "private.json").read_text("utf-8"))["hits"][0]["words"])


def test_a_result_of_an_earlier_corpus_or_of_no_library_is_not_saved(library: Library, tmp_path: Path) -> None:
    result = library.search(DRAFT)
    library.corpus.add([replace(PATENTS[0], id="XX77A")])
    result.save(tmp_path / "same.json")
    assert read_record(tmp_path / "same.json").corpus.documents == len(PATENTS)
    library.build("log-tfidf")
    with pytest.raises(StaleIndex, match="has changed since this search"):
        result.save(tmp_path / "record.json")
    alone = search(SearchRequest(DRAFT), IndexRanker(library.index(), read_view(library.corpus)), library.corpus)
    with pytest.raises(ForeartError, match=r"search with Library\.search"):
        alone.save(tmp_path / "record.json")
    assert not (tmp_path / "record.json").exists()


def test_explaining_a_result_explains_its_list(library: Library) -> None:
    """With the same filters: the rank is that of the hit, and what was filtered out is no hit."""
    result = library.search(DRAFT, k=9, index="log-tfidf", ignore=["XX1A"])
    assert result.hits[0].id != library.search(DRAFT, index="log-tfidf").hits[0].id
    for hit in result:
        reasons = library.explain(result, hit.id)
        assert (reasons.rank, reasons.score, reasons.status, reasons.listed) == (hit.rank, hit.score, hit.status, True)
    assert not library.explain(result, "XX1A").listed
    assert library.explain(DRAFT, "XX1A", index="log-tfidf").listed
    assert library.explain(result.request, result.hits[0].id).rank == 1


def test_explaining_a_result_takes_the_date_that_counted(library: Library) -> None:
    undated = Draft(title="Pawl", description=(Paragraph("A pawl and a ratchet hold the bar."),))
    result = library.search(undated, cutoff="2013-01-01")
    assert library.explain(result, result.hits[0].id).cutoff.date == "2013-01-01"


def test_a_chart_takes_a_result_and_its_best_hits(library: Library) -> None:
    result = library.search(analysed(DRAFT), k=3)
    made = library.chart(result, [result.hits[0].id])
    assert [reference.id for reference in made.references] == [result.hits[0].id]
    top = library.chart(result, top=2)
    assert {reference.id for reference in top.references} == {hit.id for hit in result.hits[:2]}
    assert made.cutoff == result.cutoff
