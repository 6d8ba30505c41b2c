"""Reasons sum to scores, to the last digit, and say where everything stands."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from math import fsum
from pathlib import Path

import numpy as np
import pytest

from foreart.document.draft import Draft, analysed, draft_of_patent
from foreart.document.patent import Citation, Paragraph, Patent
from foreart.errors import NotInCorpus
from foreart.library import Library
from foreart.search import SearchRequest
from foreart.search.explaining import Explainer, Reasons
from foreart.search.ranking import Calibration, FusedComparison, FusedRanker, HeldOut, Learned, fused
from foreart.search.ranking.near import signal_pieces
from foreart.sources import read_draft
from foreart.text import section_text, tokens
from ranking_world import all_signals

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
DRAFTS = ("interspinous-fusion.docx", "insulin-pump.txt", "ultrasound-probe.pdf")
BEST, LISTED_BY_NEAR, WRENCH = "XX20140257312A1", "XX20090312644A1", "US7585299B2"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.corpus.add([Patent("US7999999B2", title="Pawl", published="2011-01-01", citations=(Citation(WRENCH),))])
        lines = ("A ratchet wrench turns bolts.", "Its pawl engages a toothed wheel.")
        made.corpus.add(
            [Patent(WRENCH, title="Wrench", published="2001-05-01", description=tuple(map(Paragraph, lines)))]
        )
        made.build()
        made.build("ppmi")
        yield made


@pytest.fixture(scope="module")
def drafts(library: Library) -> list[Draft]:
    read = [read_draft(SAMPLE / "drafts" / name) for name in DRAFTS]
    return [*read, draft_of_patent(library.corpus[BEST])]


def hits(library: Library, draft: Draft, **asked: str) -> list[tuple[str, int, float]]:
    found = library.search(draft, k=9, passages=False, **asked)  # type: ignore[arg-type]
    return [(hit.id, hit.rank, hit.score) for hit in found.hits]


@pytest.mark.parametrize("ranking", ["default-weights", "rrf"])
def test_channels_words_and_causes_sum_to_the_score(library: Library, drafts: list[Draft], ranking: str) -> None:
    seen: set[str] = set()
    for draft in drafts:
        explainer = library.explainer(draft, ranking=ranking)
        for number, rank, score in hits(library, draft, ranking=ranking):
            found = explainer.of(number)
            assert (found.id, found.rank, found.score) == (number, rank, score)
            assert fsum(item.contribution for item in found.channels) == pytest.approx(score, abs=1e-9)
            assert abs(found.rounding) < 1e-9
            for item in found.channels:
                seen.add(item.channel)
                if item.words is not None:
                    assert item.words.total == pytest.approx(item.value, abs=1e-9)
                    # Ranking is in single precision, and takes a similarity below 0 for 0.
                    exact = item.value - item.words.rounding
                    assert max(0.0, exact) == pytest.approx(item.value, rel=1e-6, abs=1e-6)
                if item.causes and item.causes[0].contribution is not None:
                    added = fsum(cause.contribution or 0.0 for cause in item.causes) + item.causes_rest
                    assert added == pytest.approx(item.contribution, abs=1e-9)
    assert {"words", "topics", "claims", "abstract", "cited by near", "cited by nearest", "co-cited"} <= seen


def test_words_over_all_channels_sum_to_what_channels_of_text_add(library: Library, drafts: list[Draft]) -> None:
    found = library.explain(drafts[0], BEST, ranking="default-weights", words=5)
    assert len(found.words) == 5
    texts = fsum(item.contribution for item in found.channels if item.words is not None)
    assert fsum(share.contribution for share in found.words) + found.words_rest == pytest.approx(texts, abs=1e-9)
    channel = next(item for item in found.channels if item.channel == "claims")
    assert channel.words is not None
    first = channel.words.shown[0]
    assert first.adds == pytest.approx(first.contribution * channel.contribution / channel.value, abs=1e-12)
    assert len(channel.words.shown) == 5
    assert not library.explain(drafts[0], BEST, ranking="rrf").words


@pytest.mark.parametrize("index", ["log-tfidf", "tfidf", "bm25", "topics", "ppmi", "log-tfidf-claims"])
def test_one_index_alone_is_explained_by_its_words(library: Library, drafts: list[Draft], index: str) -> None:
    for draft in drafts[:2]:
        explainer = library.explainer(draft, index=index)
        for number, rank, score in hits(library, draft, index=index)[:3]:
            found = explainer.of(number)
            assert (found.rank, found.score, found.fusion) == (rank, score, "index")
            (channel,) = found.channels
            assert channel.words is not None
            assert channel.contribution == score
            assert channel.words.total == pytest.approx(score, abs=1e-9)
            assert abs(channel.words.rounding) < 1e-6 * max(1.0, score)
            assert found.calibrated is None


def test_all_words_are_there_if_all_are_asked_for(library: Library, drafts: list[Draft]) -> None:
    found = library.explain(drafts[0], BEST, index="log-tfidf", words=10_000)
    words = found.channels[0].words
    assert words is not None
    assert (words.rest, words.others) == (0.0, 0)
    exact = library.index("log-tfidf").explanation(section_text(drafts[0], "full")).of(BEST)
    assert sorted((share.word, share.contribution) for share in words.shown) == sorted(exact)


def comparison_of(library: Library, draft: Draft, ranking: str) -> FusedComparison:
    comparison = library.explainer(draft, ranking=ranking)._listing.comparison
    assert isinstance(comparison, FusedComparison)
    return comparison


@pytest.mark.parametrize("ranking", ["default-weights", "rrf"])
def test_documents_behind_a_channel_are_those_its_formula_sums(
    library: Library, drafts: list[Draft], ranking: str
) -> None:
    """If a signal were made otherwise one day, the sums over documents would no longer be in proportion to it."""
    comparison = comparison_of(library, drafts[0], ranking)
    near = comparison.near
    raw: dict[str, dict[int, float]] = {}
    for terms in (
        signal_pieces.cited_by_near,
        signal_pieces.cited_by_nearest,
        signal_pieces.cites_near,
        signal_pieces.co_cited,
        signal_pieces.coupled,
        signal_pieces.named_by_near,
        signal_pieces.cited_by_same_people,
    ):
        for row in range(len(comparison.ranker.ids)):
            for name, numbers in terms(near, row)[1].items():
                raw.setdefault(name, {})[row] = float(numbers.sum())
    signals = all_signals(comparison)
    channels = {signals.channels[name] for name in raw}
    assert set(raw) == {name for name, channel in signals.channels.items() if channel in channels}
    logarithms = {"cited by near, sum", "cites near", "co-cited", "named by near", "coupled"}
    logarithms |= {name for name in raw if name.startswith("cited by same people")}
    checked = 0
    for name, sums in raw.items():
        column = signals.columns[name]
        found = np.expm1(column) if name in logarithms else column
        totals = np.array([sums[row] for row in range(len(column))])
        if name == "cited by near, evidence":
            found = -np.log1p(-np.expm1(column) / 100.0)
        if name.startswith("cites near, "):
            totals = totals / np.sqrt(1.0 + np.diff(near.graph.cites.indptr))
        if name == "coupled":
            totals = totals / np.sqrt(1.0 + np.diff(near.graph.lists.indptr))
        there = found > 1e-12
        assert (there == (totals > 1e-12)).all(), name
        if there.sum() > 1:
            checked += 1
            ratios = found[there] / totals[there]
            assert ratios == pytest.approx(np.full(len(ratios), ratios[0]), rel=1e-5), name
    assert checked >= 12


def test_near_documents_that_cite_it_are_named(library: Library, drafts: list[Draft]) -> None:
    found = library.explain(drafts[0], LISTED_BY_NEAR, ranking="default-weights")
    channel = next(item for item in found.channels if item.channel == "cited by near")
    first = channel.causes[0]
    assert first.name == BEST
    assert LISTED_BY_NEAR in {citation.id for citation in library.corpus[BEST].citations}
    words = library.explain(drafts[0], BEST, ranking="default-weights")
    similarity = next(item.value for item in words.channels if item.channel == "words")
    assert first.similarity == similarity
    assert first.title == library.corpus[BEST].title
    assert first.weight is not None
    assert 0 < first.weight <= 1


def test_a_number_in_the_draft_is_named_with_its_place(library: Library, drafts: list[Draft]) -> None:
    texts = ("A wrench is known from US 7,585,299.", "So is another.", "See also U.S. Pat. No. 7,585,299 B2 for it.")
    added = [Paragraph(text, f"09{number:02}") for number, text in enumerate(texts)]
    draft = analysed(replace(drafts[0], description=(*drafts[0].description, *added)))
    found = library.explain(draft, WRENCH, ranking="default-weights")
    channel = next(item for item in found.channels if item.channel == "named in draft")
    (cause,) = channel.causes
    assert (cause.name, channel.value) == ("US7585299", 1.0)
    assert cause.note.startswith("named in the draft at [0900]")
    assert "[0902]" in cause.note
    assert "[0901]" not in cause.note
    assert channel.contribution > 1


def learned_ranker(library: Library, **changes: object) -> FusedRanker:
    ranker = library.ranker(ranking="default-weights")
    assert isinstance(ranker, FusedRanker)
    assert isinstance(ranker.learned, Learned)
    return FusedRanker(ranker.inputs, replace(ranker.learned, **changes))  # type: ignore[arg-type]


def explained(library: Library, ranker: FusedRanker, draft: Draft, number: str) -> Reasons:
    postings = ranker.inputs.texts.indexes["log-tfidf"].snapshot  # type: ignore[attr-defined]
    return Explainer(SearchRequest(draft), ranker, library.corpus, postings=postings).of(number)


def test_the_chance_of_being_cited_has_the_interval_of_wilson(library: Library, drafts: list[Draft]) -> None:
    calibration = Calibration((-100.0, -50.0, 50.0), (1000, 10, 20), (1, 8, 20))
    corpus = library.corpus.fingerprint
    ranker = learned_ranker(library, held_out=HeldOut({"judged": 7}, calibration=calibration), corpus=corpus)
    found = explained(library, ranker, drafts[0], BEST).calibrated
    assert found is not None
    # 8 of 10: centre (0.8 + z²/20) / (1 + z²/10), spread z·sqrt(0.016 + z²/400) / (1 + z²/10), z = 1.959964.
    assert found.chance.share == 0.8
    assert found.chance.low == pytest.approx(0.490162, abs=1e-6)
    assert found.chance.high == pytest.approx(0.943318, abs=1e-6)
    assert (found.chance.cited, found.chance.documents, found.drafts, found.here) == (8, 10, 7, True)
    elsewhere = explained(
        library, learned_ranker(library, held_out=HeldOut(calibration=calibration), corpus="x"), drafts[0], BEST
    )
    assert elsewhere.calibrated is not None
    assert not elsewhere.calibrated.here


def test_a_hub_is_told_and_other_documents_are_none(
    library: Library, drafts: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fused, "_HUBS", 25)  # two of the fifty documents of the sample
    ranker = learned_ranker(library, hubs={BEST: 0.4, "XX1": 0.9}, hub_mean=0.1)
    found = explained(library, ranker, drafts[0], BEST).hub
    assert found is not None
    assert (found.value, found.mean, found.place) == (0.4, 0.1, 2)
    assert explained(library, ranker, drafts[0], LISTED_BY_NEAR).hub is None


def test_rare_terms_are_in_both_texts_where_they_are_said_to_be(library: Library, drafts: list[Draft]) -> None:
    draft = drafts[0]
    found = library.explain(draft, LISTED_BY_NEAR, ranking="default-weights")
    assert found.terms
    patent = library.corpus[LISTED_BY_NEAR]
    for term in found.terms:
        assert term.documents <= 3  # 5 % of 50 documents are fewer
        for document, where in ((draft, term.in_draft), (patent, term.in_document)):
            assert where.times >= where.places >= len(where.spots) > 0
            for spot in where.spots:
                text = _text_at(document, spot.label)
                assert term.term in " ".join(text.lower().replace("-", " ").split()), (term, spot)
    df = {term.term: term.documents for term in found.terms}
    everything = [set(tokens(section_text(patent, "full"))) for patent in library.corpus]
    assert df["fusing"] == sum("fusing" in words for words in everything)
    assert df["container"] == sum("container" in words for words in everything)


def _text_at(document: object, label: str) -> str:
    if label in ("title", "abstract"):
        return str(getattr(document, label))
    if label.startswith("claim "):
        return next(item.text for item in document.claims if f"claim {item.number}" == label)  # type: ignore[attr-defined]
    paragraphs = [item for item in document.description if not item.is_heading]  # type: ignore[attr-defined]
    if label.startswith("paragraph "):
        return str(paragraphs[int(label.split()[1]) - 1].text)
    return str(next(item.text for item in paragraphs if f"[{item.number}]" == label))


def test_extracts_are_verbatim(library: Library, drafts: list[Draft]) -> None:
    for draft in drafts[:3]:
        number = hits(library, draft, ranking="default-weights")[0][0]
        found = library.explain(draft, number, ranking="default-weights")
        patent = library.corpus[number]
        assert 1 <= len(found.extracts) <= 3
        for item in found.extracts:
            assert item.text == _text_at(patent, item.spot.label)
            assert 0 < item.share <= 1


def test_a_document_after_the_date_has_the_rank_it_would_have(library: Library, drafts: list[Draft]) -> None:
    found = library.explain(drafts[0], BEST, ranking="default-weights", cutoff="2000-01-01")
    assert found.status == "after the date"
    assert not found.listed
    assert found.cutoff.date == "2000-01-01"
    known = library.search(drafts[0], k=50, cutoff="2000-01-01", passages=False, ranking="default-weights")
    assert found.rank == 1 + sum(hit.score > found.score for hit in known.hits)


def test_a_number_that_is_not_there_is_refused(library: Library, drafts: list[Draft]) -> None:
    with pytest.raises(NotInCorpus, match="US1 is not in the corpus"):
        library.explain(drafts[0], "US1")


def test_no_text_of_the_draft_gets_into_logs_or_errors(
    library: Library, drafts: list[Draft], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = "zyxomatic"
    draft = replace(drafts[0], abstract=f"{drafts[0].abstract} A {secret} {secret} member.")
    with caplog.at_level(logging.DEBUG):
        explainer = library.explainer(draft)
        explainer.of(BEST)
        with pytest.raises(NotInCorpus) as refused:
            explainer.of("US1")
    told = capfd.readouterr()
    assert secret not in caplog.text + told.out + told.err + str(refused.value) + repr(explainer)


def test_the_same_draft_has_the_same_reasons(library: Library, drafts: list[Draft]) -> None:
    one, other = (library.explain(drafts[0], BEST, ranking="default-weights") for _ in range(2))
    assert one == other
