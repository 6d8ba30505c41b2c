"""Every figure of a small corpus, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from foreart.corpus import Corpus, Selection
from foreart.corpus.corpus_counts import CorpusStatistics, SubclassCount
from foreart.corpus.statistics import FIELDS, REASONS, _lengths_of, statistics
from foreart.document.patent import Citation, Claim, Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.identifiers.cpc_titles import class_titles, subclass_titles, title


def symbols(*texts: str) -> tuple[Symbol, ...]:
    return tuple(Symbol(text) for text in texts)


PATENTS = (
    Patent(
        "US1000001B2",
        title="Probe",
        abstract="one two three",
        claims=(Claim(1, "a b"), Claim(2, "c d e")),
        description=(Paragraph("w " * 10),),
        published="2001-02-03",
        filed="2000-01-01",
        priority="1999-01-01",
        cpc=symbols("A61B 8/00", "A61B 8/12", "G06T 7/00"),
        ipc=symbols("A61B 8/00", "H04N 5/00"),
        applicants=("Acme", "Other"),
        inventors=("Doe",),
        citations=(
            Citation("EP2000002A1", "examiner"),
            Citation("US5555555A", "applicant"),
            Citation("EP2000002B1", "applicant"),
        ),
        language="en",
        document_type="utility",
        collection="small",
    ),
    Patent(
        "EP2000002A1",
        title="Sonde",
        abstract="a b c d e",
        published="2004",
        ipc=symbols("A61B 8/00"),
        language="de",
    ),
    Patent("EP2000002B1", title="Sonde", published="2004-05", citations=(Citation("US1000001B2", "examiner"),)),
    Patent(
        "US1000004A1",
        claims=(Claim(1, "a b c"),),
        filed="2002",
        cpc=symbols("A61B 1/00"),
        ipc=symbols("G01N 1/00"),
    ),
    Patent(
        "US1000005A1",
        title="Nothing",
        published="2001",
        cpc=symbols("nonsense"),
        ipc=symbols("C12N 1/00", "C12N 2/00"),
    ),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as made:
        made.add([*PATENTS, Reject("f.xml", "3", "no id", b"<x/>", "st36")])
        yield made


@pytest.fixture
def counted(corpus: Corpus) -> CorpusStatistics:
    return statistics(corpus)


def test_the_corpus_as_a_whole(corpus: Corpus, counted: CorpusStatistics) -> None:
    assert (counted.documents, counted.stored, counted.rejects) == (5, 5, 1)
    assert counted.fingerprint == corpus.fingerprint
    assert counted.size >= corpus.path.stat().st_size > 0


def test_years_without_patents_are_zero_and_undated_patents_are_separate(counted: CorpusStatistics) -> None:
    assert dict(counted.years) == {2001: 2, 2002: 0, 2003: 0, 2004: 2}
    assert counted.undated == 1


def test_a_patent_counts_once_in_each_subclass_and_by_ipc_only_without_cpc(counted: CorpusStatistics) -> None:
    assert counted.subclasses.counts == (
        SubclassCount("A61B", title("A61B"), cpc=2, ipc=1),
        SubclassCount("C12N", title("C12N"), cpc=0, ipc=1),
        SubclassCount("G06T", title("G06T"), cpc=1, ipc=0),
    )
    assert (counted.subclasses.cpc, counted.subclasses.ipc) == (2, 2)


def test_citations(counted: CorpusStatistics) -> None:
    found = counted.citations
    assert found.total == 4
    assert found.categories == {"examiner": 2, "applicant": 2, "other": 0, "unknown": 0}
    assert found.into_corpus == 3  # both EP numbers and the US grant, whatever their kind codes
    assert found.made == ((0, 3), (1, 1), (3, 1))
    assert found.received == ((0, 2), (1, 1), (2, 2))  # both EP publications receive both citations of their number


def test_depth_overall_and_by_country(counted: CorpusStatistics) -> None:
    assert counted.depth == {"full": 1, "abstract": 2, "title": 2, "empty": 0}
    assert counted.depth_by_country == {
        "US": {"full": 1, "abstract": 1, "title": 1, "empty": 0},
        "EP": {"full": 0, "abstract": 1, "title": 1, "empty": 0},
    }


def test_lengths_are_of_present_sections_only(counted: CorpusStatistics) -> None:
    abstract, claims = counted.lengths["abstract"], counted.lengths["claims"]
    assert (abstract.count, abstract.mean, abstract.median, abstract.max) == (2, 4.0, 4.0, 5)
    assert (abstract.low, abstract.high) == (pytest.approx(3.1), pytest.approx(4.9))
    assert abstract.histogram == ((3, 4, 1), (4, 6, 1))  # 10 ** 0.6 and 10 ** 0.7 are 3.98 and 5.01
    assert (claims.count, claims.mean, claims.histogram) == (2, 4.0, ((3, 4, 1), (4, 6, 1)))
    assert counted.lengths["description"].histogram == ((10, 13, 1),)


def test_lengths_agree_with_numpy_and_the_histogram_is_complete() -> None:
    words = np.random.default_rng(1).integers(0, 30_000, 5_001)
    found = _lengths_of(words)
    present = words[words > 0]
    assert found.median == np.median(present)
    assert found.mean == present.mean()
    assert sum(count for _, _, count in found.histogram) == found.count == len(present)
    for start, end, count in found.histogram:
        assert count == np.count_nonzero((present >= start) & (present < end))
    ends = [end for _, end, _ in found.histogram]
    assert [start for start, _, _ in found.histogram[1:]] == ends[:-1]
    assert ends[-1] > found.max


@pytest.mark.parametrize("words", [1, 9, 10, 99, 100, 1000, 999_999, 1_000_000])
def test_the_longest_text_has_a_bin(words: int) -> None:
    (step,) = _lengths_of(np.array([words])).histogram
    assert step[0] <= words < step[1]


def test_values_of_fields_largest_first(counted: CorpusStatistics) -> None:
    assert list(counted.countries.items()) == [("US", 3), ("EP", 2)]
    assert list(counted.kinds.items()) == [("A1", 3), ("B1", 1), ("B2", 1)]
    assert list(counted.languages.items()) == [("unknown", 3), ("de", 1), ("en", 1)]
    assert list(counted.document_types.items()) == [("unknown", 4), ("utility", 1)]
    assert list(counted.collections.items()) == [("unknown", 4), ("small", 1)]


def test_missing_fields(counted: CorpusStatistics) -> None:
    assert counted.missing == {
        "title": 1, "abstract": 3, "claims": 3, "description": 4, "published": 1, "filed": 3, "priority": 4,
        "classes": 1, "applicants": 4, "inventors": 4, "citations": 3,
    }  # fmt: skip
    assert tuple(counted.missing) == FIELDS
    assert counted.share(counted.missing["abstract"]) == 0.6


def test_families_by_reason(counted: CorpusStatistics) -> None:
    assert (counted.families.families, counted.families.patents) == (1, 2)
    assert counted.families.reasons == {"same publication number": 2}


def test_every_reason_of_a_family_is_listed(tmp_path: Path) -> None:
    text = (Paragraph(" ".join(f"word{number}" for number in range(200))),)
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(
            [
                Patent("US1A", family_id="7"), Patent("US2A", family_id="7"),
                Patent("EP3A1"), Patent("EP3B1"),
                Patent("US4A", priority_numbers=("GB1",)), Patent("US5A", priority_numbers=("GB1",)),
                Patent("US6A", application_number="US99"), Patent("US7A", application_number="US99"),
                Patent("US8A"), Patent("US9A", family_refs=("US8A",)),
                Patent("US10A", family_refs=("US88",)), Patent("US11A", family_refs=("US88",)),
                Patent("US12A", description=text), Patent("US13A", description=text),
            ]
        )  # fmt: skip
        found = statistics(corpus).families
    assert (found.families, found.patents) == (7, 14)
    assert found.reasons == dict.fromkeys(REASONS, 2)


def test_a_selection_counts_only_its_patents(corpus: Corpus) -> None:
    found = statistics(corpus, Selection(countries=("US",), classes=("A61B",)))
    assert (found.documents, found.stored, found.rejects) == (2, 5, 1)
    assert dict(found.years) == {2001: 1}
    assert [(row.symbol, row.cpc, row.ipc) for row in found.subclasses.counts] == [("A61B", 2, 0), ("G06T", 1, 0)]
    assert (found.citations.total, found.citations.into_corpus) == (3, 2)
    assert found.citations.made == ((0, 1), (3, 1))
    assert found.citations.received == ((0, 1), (1, 1))  # by a patent outside the selection
    assert found.missing["applicants"] == 1
    assert found.lengths["claims"].count == 2
    assert found.families.families == 0
    assert found.to_dict()["selection"] == {"countries": ("US",), "classes": ("A61B",)}


def test_an_empty_corpus(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        found = statistics(corpus)
    assert (found.documents, dict(found.years), found.undated) == (0, {}, 0)
    assert found.subclasses.counts == found.citations.made == found.citations.received == ()
    assert found.depth == {"full": 0, "abstract": 0, "title": 0, "empty": 0}
    assert set(found.missing.values()) == {0}
    assert found.share(0) == 0.0
    json.dumps(found.to_dict())


def test_the_json_form_has_stable_keys_and_is_serialisable(counted: CorpusStatistics) -> None:
    record = json.loads(json.dumps(counted.to_dict()))
    assert list(record) == [
        "documents", "stored", "fingerprint", "size", "selection", "years", "undated", "subclasses", "citations",
        "depth", "lengths", "languages", "countries", "kinds", "document_types", "collections", "missing", "families",
        "rejects",
    ]  # fmt: skip
    assert record["years"] == {"2001": 2, "2002": 0, "2003": 0, "2004": 2}
    assert record["subclasses"]["counts"][0] == {
        "symbol": "A61B", "title": title("A61B"), "patents": 3, "cpc": 2, "ipc": 1,
    }  # fmt: skip
    assert record["citations"]["made"] == [
        {"citations": 0, "patents": 3}, {"citations": 1, "patents": 1}, {"citations": 3, "patents": 1},
    ]  # fmt: skip
    assert record["depth"]["countries"]["EP"]["title"] == 1
    assert record["lengths"]["description"] == {
        "patents": 1, "mean": 10.0, "median": 10.0, "p5": 10.0, "p95": 10.0, "max": 10,
        "histogram": [{"from": 10, "before": 13, "patents": 1}],
    }  # fmt: skip
    assert record["missing"]["title"] == {"patents": 1, "share": 0.2}
    assert record["families"] == {"families": 1, "patents": 2, "reasons": {"same publication number": 2}}


def test_counting_leaves_no_transaction_open(corpus: Corpus) -> None:
    statistics(corpus)
    assert not corpus.connection.in_transaction


def test_titles_of_classes() -> None:
    assert title("A61B 17/70") == title("A61B") == subclass_titles()["A61B"]
    assert title("A61") == class_titles()["A61"]
    assert title("Z99Z") == title("") == ""
    assert all(len(symbol) == 4 and name for symbol, name in subclass_titles().items())
