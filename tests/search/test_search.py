"""From a draft to hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log, sqrt
from pathlib import Path

import pytest

from asked import search
from foreart.corpus import Corpus
from foreart.corpus.fronts import fronts
from foreart.corpus.relations.family_names import family_of
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.errors import ForeartError, IndexingError, StaleIndex
from foreart.features import Tfidf
from foreart.index.building import build
from foreart.search import Result
from foreart.text import section_text, tokens
from pawls import DRAFT, PATENTS


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


@pytest.fixture
def result(corpus: Corpus, tmp_path: Path) -> Result:
    return search(DRAFT, build(corpus, tmp_path / "index"), corpus)


def cosine(one: str, other: str, texts: list[str]) -> float:
    known = [set(tokens(text)) for text in texts]

    def row(text: str) -> dict[str, float]:
        counts = Counter(tokens(text))
        df = {word: sum(word in words for words in known) for word in counts}
        return {word: count * log(len(texts) / df[word]) for word, count in counts.items() if df[word]}

    x, y = row(one), row(other)
    product = sum(x[word] * y[word] for word in x.keys() & y.keys())
    return product / sqrt(sum(w * w for w in x.values()) * sum(w * w for w in y.values()))


def test_scores_are_the_cosine_of_the_full_texts(result: Result) -> None:
    texts = {patent.id: section_text(patent) for patent in PATENTS}
    for hit in result.hits:
        expected = cosine(section_text(DRAFT), texts[hit.id], list(texts.values()))
        assert hit.score == pytest.approx(expected, rel=1e-6)
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)


def test_dates_decide_and_what_is_after_is_counted_and_told(result: Result) -> None:
    states = {hit.id: hit.status for hit in result.hits}
    assert states["XX4A"] == "mentioned", "an office that only the PCT asks for"
    assert states["XX5A"] == "date unknown"
    assert not {"XX3A", "XX7A", "XX8A"} & states.keys()
    assert result.left_out_count == 3
    assert {item.id for item in result.left_out} == {"XX3A", "XX7A", "XX8A"}
    assert (result.cutoff.date, result.cutoff.source) == ("2014-03-10", "priority date named in the draft")


def test_a_family_is_one_hit_with_its_best_member(result: Result) -> None:
    family = [hit for hit in result.hits if hit.id in ("XX1A", "XX2B1")]
    assert len(family) == 1
    assert family[0].family == "XX1A"
    assert family[0].status == "prior art"
    others = {member.id: member for member in family[0].family_members}
    assert set(others) == {"XX1A", "XX2B1", "XX8A"} - {family[0].id}
    assert others["XX8A"].status == "after the date"
    assert family[0].score >= max(member.score for member in others.values() if member.status == "prior art")


def test_a_family_is_shown_by_a_member_that_counts_even_if_a_later_one_is_nearer(
    corpus: Corpus, tmp_path: Path
) -> None:
    result = search(Draft(title="lever ratchet pawl", priority="2014-03-10"), build(corpus, tmp_path / "index"), corpus)
    assert "XX8A" not in {hit.id for hit in result.hits}
    shown = next(hit for hit in result.hits if hit.family == "XX1A")
    assert next(member.score for member in shown.family_members if member.id == "XX8A") > shown.score


def test_words_explain_the_score_and_the_passage_is_where_they_stand(result: Result) -> None:
    hit = next(hit for hit in result.hits if hit.family == "XX1A")
    assert sum(share for _, share in hit.words) == pytest.approx(hit.score)
    assert {"pawl", "ratchet", "bar"} <= {word for word, _ in hit.words}
    assert hit.passage is not None
    assert (hit.passage.number, hit.passage.heading) == ("0002", "FIELD")
    assert 0.5 < hit.passage.share <= 1.0


def test_all_documents_that_may_be_hits_are_in_the_distribution(result: Result) -> None:
    assert result.compared == len(PATENTS)
    assert sum(result.scores.counts) == len(PATENTS) - result.left_out_count - len(result.own_family) > 4


def test_k_and_a_given_cutoff(corpus: Corpus, tmp_path: Path) -> None:
    built = build(corpus, tmp_path / "index")
    assert len(search(DRAFT, built, corpus, k=2).hits) == 2
    late = search(DRAFT, built, corpus, cutoff="2020-01-01")
    assert late.left_out_count == 0
    assert late.cutoff.source == "given"
    with pytest.raises(ForeartError):
        search(DRAFT, built, corpus, cutoff="tomorrow")


def test_a_draft_that_shares_no_word_has_no_hits(corpus: Corpus, tmp_path: Path) -> None:
    result = search(Draft(title="Zebra"), build(corpus, tmp_path / "index"), corpus)
    assert result.hits == ()
    assert result.scores.greatest == 0.0


def test_the_same_search_twice_is_the_same(corpus: Corpus, tmp_path: Path) -> None:
    one = search(DRAFT, build(corpus, tmp_path / "one"), corpus)
    two = search(DRAFT, build(corpus, tmp_path / "two"), corpus)
    assert one == two


def test_sections_and_features_are_those_of_the_index(corpus: Corpus, tmp_path: Path) -> None:
    built = build(corpus, tmp_path / "claims", sections="claims", features=Tfidf(tf="log", as_published=True))
    assert built.words("No. 10") == ["no", "11"]
    assert built.description.sections == "claims"
    found = search(DRAFT, built, corpus)
    assert {hit.id for hit in found.hits} >= {"XX4A", "XX5A"}


def test_a_corpus_that_changed_makes_the_index_stale(corpus: Corpus, tmp_path: Path) -> None:
    built = build(corpus, tmp_path / "index")
    corpus.add([Patent("XX9A", title="New")])
    with pytest.raises(StaleIndex, match="foreart build"):
        search(DRAFT, built, corpus)


def test_an_index_of_a_corpus_that_moves_under_it_is_not_published(corpus: Corpus, tmp_path: Path) -> None:
    def meddle(done: int, total: int) -> None:
        if done == total:
            corpus.add([Patent("XX9A", title="New")])

    with pytest.raises(StaleIndex, match="changed while"):
        build(corpus, tmp_path / "index", progress=meddle)
    assert not (tmp_path / "index").exists()


def test_progress_is_told_for_each_document(corpus: Corpus, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    build(corpus, tmp_path / "index", progress=lambda done, total: told.append((done, total)))
    assert told == [(number, len(PATENTS)) for number in range(1, len(PATENTS) + 1)]


def test_an_empty_corpus_cannot_be_indexed(tmp_path: Path) -> None:
    with Corpus(tmp_path / "empty.db", create=True) as empty, pytest.raises(IndexingError, match="is empty"):
        build(empty, tmp_path / "index")


def test_families_and_fronts_of_a_corpus(corpus: Corpus) -> None:
    assert family_of(corpus) == {"XX1A": "XX1A", "XX2B1": "XX1A", "XX8A": "XX1A"}
    front = fronts(corpus)["XX4A"]
    assert (front.title, front.published, front.filed, front.priority) == (
        "Hidden pawl",
        "2014-09-01",
        "",
        "2013-09-01",
    )
