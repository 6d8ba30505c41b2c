"""Targets, cited, random and duplicate pairs of small corpora, set by set."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.corpus import Corpus, Selection
from foreart.document.patent import Citation, Patent, Symbol
from foreart.errors import ForeartError, StaleIndex
from foreart.evaluation.pairs.pairs import LABELS, RULES, Pairs, PairSettings
from foreart.evaluation.pairs.pairs_making import known_earlier, last_whole_year, make_pairs
from foreart.evaluation.trec.qrels import qrels_of
from foreart.sources import read

SAMPLE = Path(str(resources.files("foreart").joinpath("sample", "patents.jsonl")))
OF_2015 = Selection(published_from="2015", published_to="2015")


def patent(number: str, published: str, *cited: str, **more: object) -> Patent:
    return Patent(number, published=published, citations=tuple(Citation(item) for item in cited), **more)  # type: ignore[arg-type]


# Two targets of 2015. US1 cites US11 without its kind code, itself as grant (US2, its family), a later patent and one
# that is not stored. US3 cites US12 twice, once as examiner.
WORLD = (
    patent("US11A1", "2001-01-01", cpc=(Symbol("A61B 8/00"),)),
    patent("US12B1", "2002", filed="2000-05-01"),
    patent("US13B1", "2003-03-03"),
    patent("US14B1", "2014-12-31"),
    patent("US15B1", "2016-01-01"),
    patent("US16B1", ""),
    patent("US17B1", "2004-04-04", family_id="seven"),
    patent("US18B1", "2005-05-05"),
    patent("US2B2", "2010-10-10", family_id="seven"),
    patent("US1A1", "2015-01-01", "US11", "US2B2", "US15B1", "US99", family_id="seven", priority="2009-09-09"),
    Patent(
        "US3A1",
        published="2015-12-31",
        filed="2014-01-01",
        citations=(Citation("US12B1", "applicant"), Citation("US12", "examiner"), Citation("US13B1", "applicant")),
    ),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as made:
        made.add(WORLD)
        yield made


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Corpus(tmp_path_factory.mktemp("sample") / "corpus.db", create=True) as made:
        made.add(read(SAMPLE))
        yield made


def test_cited_are_matched_without_kind_code_less_the_own_family(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(OF_2015, random=2))
    assert pairs.targets == ("US1A1", "US3A1")
    assert pairs.cited == {"US1A1": ("US11A1", "US15B1"), "US3A1": ("US12B1", "US13B1")}


def test_duplicates_are_the_family(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(OF_2015, random=2))
    assert pairs.duplicates == {"US1A1": ("US17B1", "US2B2")}
    assert pairs.counts == {"targets": 2, "citing": 2, "cited": 4, "random": 4, "duplicate": 2}
    assert len(pairs) == 10


def test_random_are_published_before_and_neither_cited_nor_family(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(OF_2015, random=2))
    assert set(pairs.random) == {"US14B1", "US18B1"}
    assert (pairs.settings["targets"], pairs.settings["rule"]) == ("period", "earlier")
    # A citation that the settings leave out of the cited pairs does not make its document random.
    few = make_pairs(corpus, PairSettings(OF_2015, random=2, categories=("examiner",)))
    assert few.cited == {"US3A1": ("US12B1",)}
    assert set(few.random) == {"US14B1", "US18B1"}


def test_the_rules_of_random_documents(corpus: Corpus) -> None:
    unrelated = make_pairs(corpus, PairSettings(OF_2015, random=3, rule="unrelated"))
    assert set(unrelated.random) == {"US14B1", "US16B1", "US18B1"}
    uncited = make_pairs(corpus, PairSettings(OF_2015, random=5, rule="uncited"))
    assert set(uncited.random) == {"US14B1", "US16B1", "US17B1", "US18B1", "US2B2"}
    with pytest.raises(ForeartError, match="there is no rule 'any'; there are earlier, unrelated, uncited"):
        make_pairs(corpus, PairSettings(OF_2015, rule="any"))  # type: ignore[arg-type]


def test_too_few_random_documents_are_refused_with_their_number(corpus: Corpus) -> None:
    with pytest.raises(ForeartError, match=r"only 2 documents published before the target period.*fewer than the 3"):
        make_pairs(corpus, PairSettings(OF_2015, random=3))


def test_no_targets_and_no_citations_are_refused(corpus: Corpus) -> None:
    with pytest.raises(ForeartError, match="there are no targets"):
        make_pairs(corpus, PairSettings(Selection(published_from="2017"), random=1))
    with pytest.raises(ForeartError, match="none of the 1 targets cites"):
        make_pairs(corpus, PairSettings(Selection(published_from="2016"), random=1))


def test_earlier_only_takes_the_date_that_counts(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(OF_2015, random=2, earlier_only=True))
    assert pairs.cited == {"US1A1": ("US11A1",), "US3A1": ("US12B1", "US13B1")}


@pytest.mark.parametrize(
    ("date", "other", "expected"),
    [
        ("2004-05-16", "2004-05-17", True),
        ("2004-05-17", "2004-05-17", False),
        ("2004-05", "2004-05-17", False),
        ("2004-04", "2004-05-17", True),
        ("2004-12-31", "2005", True),
        ("2005-01-01", "2005", False),
        ("", "2005", False),
        ("2005", "", False),
    ],
)
def test_a_date_is_earlier_only_if_it_surely_is(date: str, other: str, expected: bool) -> None:
    assert known_earlier(date, other) is expected


def test_conditions_hold_for_all_documents(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(Selection("2015", "2015", kinds=("A1", "B2")), random=1, rule="uncited"))
    assert pairs.targets == ("US1A1", "US3A1")
    assert pairs.cited == {"US1A1": ("US11A1",)}
    assert pairs.duplicates == {"US1A1": ("US2B2",)}
    assert pairs.random == ("US2B2",)
    assert pairs.settings["selection"] == {"published_from": "2015", "published_to": "2015", "kinds": ["A1", "B2"]}


def test_targets_that_cite_too_little_can_be_left_out(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(Selection(published_from="2014-12"), random=1))
    assert pairs.targets == ("US14B1", "US15B1", "US1A1", "US3A1")
    assert (pairs.counts["random"], pairs.counts["citing"]) == (4, 2)
    assert make_pairs(corpus, PairSettings(OF_2015, random=2, min_cited=2)).targets == ("US1A1", "US3A1")
    with pytest.raises(ForeartError, match="no targets"):
        make_pairs(corpus, PairSettings(OF_2015, random=2, min_cited=3))


def test_named_targets(corpus: Corpus) -> None:
    pairs = make_pairs(corpus, PairSettings(random=3), targets=["US3", "US 99", "US3A1"])
    assert pairs.targets == ("US3A1",)
    assert pairs.notes == ("1 targets are not among the documents, the first is US 99",)
    assert (pairs.settings["targets"], pairs.settings["rule"]) == ("named", "unrelated")
    before = make_pairs(corpus, PairSettings(random=3, rule="earlier", earlier_only=True), targets=["US1A1"])
    assert set(before.random) <= {"US12B1", "US13B1", "US14B1", "US18B1"}


def test_qrels_say_what_is_cited(corpus: Corpus) -> None:
    qrels = qrels_of(
        [("US1", "US14", 1), ("US1", "US2B2", 1), ("US1", "US77", 1), ("US1", "US13B1", 0), ("US98", "US1", 1)]
    )
    pairs = make_pairs(corpus, PairSettings(random=2), qrels=qrels)
    assert pairs.cited == {"US1A1": ("US14B1", "US2B2")}
    assert pairs.duplicates == {"US1A1": ("US17B1",)}
    assert set(pairs.random) <= {"US12B1", "US13B1", "US16B1", "US18B1", "US3A1"}
    assert pairs.notes == (
        "1 targets are not among the documents, the first is US98",
        "1 judgements of the qrels have no other document in the corpus",
    )


def test_the_protocol_of_the_baselines(sample: Corpus) -> None:
    """Random documents as the README of the shared data says, in its own words."""
    qrels = qrels_of([("XX20140257312A1", "XX6514209B1", 1), ("XX8246714B2", "XX5428634A", 1)])
    pairs = make_pairs(sample, PairSettings(random=20, rule="uncited"), qrels=qrels)
    pool = [
        number
        for number in sample.ids()
        if number not in {"XX20140257312A1", "XX8246714B2", "XX6514209B1", "XX5428634A"}
    ]
    assert list(pairs.random) == random.Random(1).sample(pool, 20)


def test_the_default_period_is_the_last_whole_year_with_citations(
    sample: Corpus, corpus: Corpus, tmp_path: Path
) -> None:
    assert last_whole_year(sample) == "2014"  # the last document is of November 2015
    assert make_pairs(sample, PairSettings(random=10)).targets == ("XX20140257312A1", "XX20140726418A1")
    assert last_whole_year(corpus) == "2015"  # that of 2016 cites nothing
    assert last_whole_year(corpus, Selection(published_to="2015-06")) == "2015"
    with Corpus(tmp_path / "dateless.db", create=True) as dateless:
        dateless.add([patent("US1A", "", "US2"), patent("US2A", "")])
        with pytest.raises(ForeartError, match=r"no document of .* with a date cites another"):
            make_pairs(dateless)


def test_a_seed_gives_the_same_pairs_in_another_process(sample: Corpus) -> None:
    code = (
        "import sys; from foreart.corpus import Corpus; from foreart.evaluation.pairs.pairs import PairSettings; "
        "from foreart.evaluation.pairs.pairs_making import make_pairs; "
        "print(make_pairs(Corpus(sys.argv[1]), PairSettings(random=10, seed=7)).fingerprint)"
    )
    told = subprocess.run([sys.executable, "-c", code, str(sample.path)], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == make_pairs(sample, PairSettings(random=10, seed=7)).fingerprint
    assert told.stdout.strip() != make_pairs(sample, PairSettings(random=10, seed=8)).fingerprint


SMALL = Pairs(("a", "b"), ("r", "s"), {"a": ("c",)}, {"b": ("d", "a")}, {"seed": 1}, "f00")


def test_iteration_and_rows_say_the_same() -> None:
    assert list(SMALL) == [
        ("a", "c", "cited"), ("a", "r", "random"), ("a", "s", "random"),
        ("b", "r", "random"), ("b", "s", "random"), ("b", "d", "duplicate"), ("b", "a", "duplicate"),
    ]  # fmt: skip
    ids = ["s", "x", "d", "c", "b", "r", "a"]
    rows = SMALL.rows(ids)
    assert [
        (ids[t], ids[d], LABELS[n]) for t, d, n in zip(rows.targets, rows.documents, rows.labels, strict=True)
    ] == list(SMALL)
    assert rows.ends.tolist() == [0, 3, 7]
    assert (rows.targets.dtype, rows.documents.dtype, rows.labels.dtype) == (np.int32, np.int32, np.int8)
    judged = SMALL.rows(ids, labels=("cited", "random"))
    assert judged.labels.tolist() == [1, 0, 0, 0, 0]
    assert judged.ends.tolist() == [0, 3, 5]
    assert len(SMALL.rows(ids, labels=())) == 0


def test_rows_of_another_corpus_are_refused() -> None:
    with pytest.raises(StaleIndex, match=r"2 documents of these pairs are not in the index \(the first is b\)"):
        SMALL.rows(["a", "c", "d", "r"])


NAMES = st.sampled_from("abcdef")
LINKS = st.dictionaries(NAMES, st.lists(st.sampled_from("ghij"), min_size=1, unique=True).map(tuple))


@given(
    targets=st.lists(NAMES, min_size=1, unique=True).map(tuple),
    random_ids=st.lists(st.sampled_from("uvwxyz"), unique=True).map(tuple),
    cited=LINKS,
    duplicates=LINKS,
)
def test_every_pair_is_a_row_whatever_the_set(
    targets: tuple[str, ...],
    random_ids: tuple[str, ...],
    cited: dict[str, tuple[str, ...]],
    duplicates: dict[str, tuple[str, ...]],
) -> None:
    def of(links: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {target: links[target] for target in targets if target in links}

    pairs = Pairs(targets, random_ids, of(cited), of(duplicates))
    ids = sorted("abcdefghijuvwxyz", reverse=True)
    rows = pairs.rows(ids)
    assert len(rows) == len(pairs) == len(list(pairs))
    assert [ids[row] for row in rows.documents] == [document for _, document, _ in pairs]
    assert np.bincount(rows.labels, minlength=3).tolist() == [pairs.counts[label] for label in LABELS]


def test_the_fingerprint_changes_with_every_part() -> None:
    others = [
        Pairs(("a",), ("r", "s"), {"a": ("c",)}, {}),
        Pairs(("a", "b"), ("r",), {"a": ("c",)}, {"b": ("d", "a")}),
        Pairs(("a", "b"), ("r", "s"), {"b": ("c",)}, {"b": ("d", "a")}),
        Pairs(("a", "b"), ("r", "s"), {"a": ("c",)}, {"a": ("d",), "b": ("a",)}),
    ]
    assert len({SMALL.fingerprint, *(other.fingerprint for other in others)}) == 5
    assert Pairs(SMALL.targets, SMALL.random, SMALL.cited, SMALL.duplicates).fingerprint == SMALL.fingerprint


def test_the_first_rule_is_that_of_the_paper() -> None:
    assert next(iter(RULES)) == "earlier"
