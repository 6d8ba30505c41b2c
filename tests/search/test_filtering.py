"""Filters before ranking, and what they say they removed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asked import search
from foreart.corpus import Corpus, Selection
from foreart.corpus.views import read_view
from foreart.document.draft import Draft
from foreart.document.patent import Claim, Paragraph, Patent, Symbol
from foreart.errors import BadFile, CorpusError, ForeartError
from foreart.index import Index
from foreart.index.building import build
from foreart.library import Library
from foreart.search import Filters, IndexRanker
from foreart.search.filters import filtered
from foreart.search.full_text import posted_text


def patent(number: str, text: str, symbol: str, published: str, **more: object) -> Patent:
    return Patent(
        number,
        title="Screw",
        description=(Paragraph(text),),
        claims=(Claim(1, "A screw."),),
        published=published,
        cpc=(Symbol(symbol),),
        **more,  # type: ignore[arg-type]
    )


PATENTS = (
    patent("US1000001A", "A pedicle screw holds.", "A61B 17/70", "2001-01-01", language="en", applicants=("Acme",)),
    patent("US1000002B2", "Screws, a pedicle, a rod.", "A61B 17/7001", "2003-01-01", family_id="F"),
    patent("US1000003B2", "A screw for wood.", "A61B 17/86", "2005-01-01", family_id="F"),
    patent("EP1000004A1", "A screw of titanium.", "A61B 170/10", "2007-01-01", language="de"),
    patent("DE1000005U1", "Pedicle-screw with rod.", "A61B 1/00", "2009-01-01"),
    patent("EP1000006B1", "A screwdriver turns a screw.", "A61B 17", "2011-01-01"),
)
DRAFT = Draft(title="Screw", description=(Paragraph("A pedicle screw with a rod."),))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


@pytest.fixture(params=["full", "claims"])
def index(corpus: Corpus, tmp_path: Path, request: pytest.FixtureRequest) -> Index:
    """Of the full text, whose words answer, and of claims, where texts have to be read: the answers are the same."""
    return build(corpus, tmp_path / request.param, sections=request.param)


ALL = {item.id for item in PATENTS}


@pytest.mark.parametrize(
    ("asked", "gone"),
    [
        ({"selection": Selection(classes=("A61B 17/00",))}, {"EP1000004A1", "DE1000005U1"}),
        ({"selection": Selection(classes=("A61B17",))}, {"EP1000004A1", "DE1000005U1"}),
        ({"selection": Selection(classes=("A61B 17/70",))}, ALL - {"US1000001A", "US1000002B2"}),
        ({"selection": Selection(classes=("A61B 1", "A61B 170/00"))}, ALL - {"DE1000005U1", "EP1000004A1"}),
        ({"selection": Selection(countries=("ep",), kinds=("B",))}, ALL - {"EP1000006B1"}),
        ({"selection": Selection(languages=("de",))}, ALL - {"EP1000004A1"}),
        ({"selection": Selection(applicants=("acme",))}, ALL - {"US1000001A"}),
        ({"selection": Selection(published_from="2006", published_to="2009")}, ALL - {"EP1000004A1", "DE1000005U1"}),
        ({"must": ("pedicle screw",)}, ALL - {"US1000001A", "DE1000005U1"}),
        ({"must": ("pedicle", "rod")}, ALL - {"US1000002B2", "DE1000005U1"}),
        ({"must": ("screwdr*",)}, ALL - {"EP1000006B1"}),
        ({"without": ("pedicle screw", "titan*")}, {"US1000001A", "DE1000005U1", "EP1000004A1"}),
        ({"ignore": ("US1000002",)}, {"US1000002B2", "US1000003B2"}),
        ({"only_new": ("EP1000004A1", "EP9999999A1")}, {"EP1000004A1"}),
    ],
)
def test_what_filters_leave(corpus: Corpus, index: Index, asked: dict[str, Any], gone: set[str]) -> None:
    ranker = IndexRanker(index, read_view(corpus))
    words = posted_text(ranker, ranker.ids, corpus=corpus.fingerprint)
    assert (words is not None) == (index.sections == "full")
    found = filtered(Filters(**asked), ranker.view, corpus, words)
    assert {number for number, kept in zip(index.ids, found.allowed, strict=True) if kept} == ALL - gone
    assert sum(found.removed.values()) == len(gone)
    result = search(DRAFT, index, corpus, today="2020-01-01", **asked)
    assert (result.removed, result.compared) == (found.removed, len(ALL - gone))
    assert sum(result.scores.counts) == result.compared - result.left_out_count - len(result.own_family)
    assert {hit.id for hit in result.hits} <= ALL - gone


def test_each_filter_says_what_it_removed_of_what_was_left(corpus: Corpus, index: Index) -> None:
    chosen = Selection(published_from="2002", classes=("A61B 17",))
    asked = {"must": ("screw",), "without": ('"for wood"',), "ignore": ("EP1000006B1",)}
    result = search(DRAFT, index, corpus, selection=chosen, today="2020-01-01", **asked)
    assert result.removed == {
        "published from 2002": 1,
        "class A61B 17": 2,
        "ignore list": 1,
        "must have screw": 0,
        "without for wood": 1,
    }
    assert list(result.removed) == [
        "published from 2002",
        "class A61B 17",
        "ignore list",
        "must have screw",
        "without for wood",
    ]
    assert (result.removed_count, result.compared) == (5, 1)
    if index.sections == "full":
        assert [hit.id for hit in result.hits] == ["US1000002B2"]


@pytest.mark.parametrize(
    ("asked", "name", "removed", "unknown"),
    [
        (Selection(classes=("A61B 1",)), "class A61B 1", 7, 2),
        (Selection(published_from="2009"), "published from 2009", 6, 1),
        (Selection(published_to="2003"), "published to 2003", 5, 1),
        (Selection(applicants=("acme",)), "applicant acme", 7, 7),
        (Selection(languages=("de",)), "language de", 7, 6),
        (Selection(kinds=("B",)), "kind B", 5, 2),
        (Selection(countries=("EP",)), "country EP", 6, 0),
        (Selection(depths=("title",)), "depth title", 8, 0),
    ],
)
def test_a_filter_says_how_many_it_could_not_judge(
    corpus: Corpus, tmp_path: Path, asked: Selection, name: str, removed: int, unknown: int
) -> None:
    bare = replace(PATENTS[0], id="US1000008", cpc=(), applicants=(), language="")
    corpus.add([Patent("US1000007", description=(Paragraph("A nut."),)), bare])
    for sections in ("full", "claims"):
        index = build(corpus, tmp_path / sections, sections=sections)
        ranker = IndexRanker(index, read_view(corpus))
        words = posted_text(ranker, index.ids, corpus=corpus.fingerprint)
        assert (words is None) == (sections == "claims")
        found = filtered(Filters(selection=asked), ranker.view, corpus, words)
        assert found.removed == {name: removed}
        assert found.unknown == ({name: unknown} if unknown else {})


def test_a_status_is_that_of_the_dates(corpus: Corpus, index: Index) -> None:
    asked = {"cutoff": "2006-01-01", "today": "2020-01-01"}
    result = search(DRAFT, index, corpus, statuses=("prior art",), **asked)
    assert (result.compared, result.removed) == (3, {"status prior art": 3})
    assert {hit.id for hit in result.hits} <= {"US1000001A", "US1000002B2", "US1000003B2"}
    none = search(DRAFT, index, corpus, statuses=("novelty only", "mentioned"), **asked)
    assert {hit.status for hit in none.hits} <= {"novelty only", "mentioned"}
    with pytest.raises(ForeartError, match="'own family' is not a status of hits"):
        search(DRAFT, index, corpus, statuses=("own family",), **asked)


def test_without_filters_nothing_is_removed(corpus: Corpus, index: Index) -> None:
    result = search(DRAFT, index, corpus)
    assert (result.removed, result.removed_count, result.compared) == ({}, 0, len(PATENTS))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"selection": Selection(published_from="soon")}, "'soon' is not a date: write 2004, 2004-05 or 2004-05-17"),
        ({"selection": Selection(published_to="2004-13")}, "'2004-13' is not a date"),
        ({"selection": Selection(published_from="2004-02-30")}, "is not a date"),
        ({"selection": Selection(published_from="2010", published_to="2004")}, "swap the dates"),
        ({"selection": Selection(classes=("screws",))}, "'screws' is not a valid class"),
        ({"selection": Selection(countries=("USA",))}, "'USA' is not a valid country: write US or EP, two letters"),
        ({"selection": Selection(kinds=("patent",))}, "'patent' is not a valid kind code"),
        ({"selection": Selection(languages=("German",))}, "'German' is not a valid language"),
        ({"selection": Selection(applicants=(" ",))}, "is not a valid applicant's name"),
        ({"must": ("scr*w",)}, r"a \* is only allowed at the end of a word"),
        ({"without": ("--",)}, "has no word"),
        ({"regime": "epo"}, "there are any, epc, us, pct"),
    ],
)
def test_values_that_cannot_be_meant(corpus: Corpus, index: Index, asked: dict[str, object], told: str) -> None:
    with pytest.raises(ForeartError, match=told):
        search(DRAFT, index, corpus, **asked)  # type: ignore[arg-type]


def test_a_list_that_is_none(corpus: Corpus, index: Index) -> None:
    with pytest.raises(BadFile, match="no such file"):
        search(DRAFT, index, corpus, ignore=("nowhere.txt",))
    with pytest.raises(CorpusError):
        search(DRAFT, index, corpus, selection=Selection(depths=("deep",)))  # type: ignore[arg-type]


def test_dates_are_taken_as_people_write_them(corpus: Corpus, index: Index) -> None:
    result = search(DRAFT, index, corpus, selection=Selection(published_from="2004-5", published_to="20080101"))
    assert result.removed == {"published from 2004-05 to 2008-01-01": 4}


def test_the_same_in_a_library(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.corpus.add(PATENTS)
        library.build("log-tfidf", "lsa", parameters={})
        first = library.search(DRAFT, k=2)
        record = tmp_path / "seen.json"
        record.write_text(json.dumps({"hits": [{"id": hit.id} for hit in first.hits]}))
        for name in ("log-tfidf", "lsa"):
            second = library.search(DRAFT, index=name, only_new=(str(record),), must=("screw",), without=("titanium",))
            assert second.hits
            assert not {hit.id for hit in first.hits} & {hit.id for hit in second.hits}
            assert second.removed["without titanium"] == 1
            assert list(second.removed) == ["only new", "must have screw", "without titanium"]
        assert library.search(DRAFT, must="pedicle").compared == 3  # type: ignore[arg-type] # a text is one term


def test_a_library_keeps_what_it_knows_until_something_changes(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.corpus.add(PATENTS[:4])
        library.build("log-tfidf")
        library.search(DRAFT)
        ranker = library.ranker()
        library.search(DRAFT)
        assert library.ranker() is ranker
        library.corpus.add(PATENTS[4:])
        library.build("log-tfidf")
        assert library.search(DRAFT).compared == len(PATENTS)
        assert library.ranker() is not ranker
        assert library.ranker().view is not ranker.view
