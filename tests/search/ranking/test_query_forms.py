"""What a ranking knows of a draft, and what its author may emphasise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foreart.corpus.views import hashed
from foreart.document.draft import Draft, analysed, draft_of_patent
from foreart.document.patent import Citation, Claim, Paragraph, Patent, Symbol
from foreart.errors import ForeartError
from foreart.search import IndexRanker
from foreart.search.ranking import (
    RRF,
    FusedRanker,
    default_weights,
    query_forms_of,
)
from foreart.search.request import NO_EMPHASIS, Emphasis
from ranking_world import Town, all_scores

PATENT = Patent(
    "US7585299B2",
    title="Wrench",
    abstract="A wrench with a pawl.",
    description=(
        Paragraph("TECHNICAL FIELD", is_heading=True),
        Paragraph("Wrenches.", number="0001"),
        Paragraph("BACKGROUND", is_heading=True),
        Paragraph("U.S. Pat. No. 5,123,456 slips.", number="0002"),
        Paragraph("DETAILED DESCRIPTION", is_heading=True),
        Paragraph("A toothed wheel.\nA pin.", number="0003"),
    ),
    claims=(Claim(1, "A wrench, comprising a pawl."), Claim(2, "The wrench of claim 1.")),
    citations=(Citation("US5999999A"),),
    cpc=(Symbol("B25B 13/46"),),
    applicants=("ACME, Inc.",),
    inventors=("Ann Ott",),
)


def test_what_is_known_of_a_document_that_plays_the_draft() -> None:
    found = query_forms_of(PATENT)
    assert found.texts["whole"].count("pawl") == 2
    assert found.texts["brief"] == (
        "Wrench\nA wrench with a pawl.\nWrenches.\nU.S. Pat. No. 5,123,456 slips.\nA wrench, comprising a pawl."
    )
    assert "claim 1" in found.texts["claims"]
    assert "toothed" not in found.texts["claims"]
    assert found.texts["abstract"] == "Wrench\nA wrench with a pawl."
    assert found.named.tolist() == hashed(["US5123456"]).tolist(), "not what it cites"
    assert found.classes.tolist() == [], "not its own"
    assert found.applicants.tolist() == hashed(["acme"]).tolist()
    assert found.inventors.tolist() == hashed(["ann ott"]).tolist()
    draft = query_forms_of(draft_of_patent(PATENT))
    assert draft.texts == found.texts
    assert draft.named.tolist() == found.named.tolist()


def test_a_copied_list_is_in_no_text() -> None:
    copied = ("References Cited", "US5999999A Ratchet of steel", "US5999998A Handle of wood")
    listed = replace(PATENT, description=(*PATENT.description, *map(Paragraph, copied)))
    assert query_forms_of(listed).texts["brief"] == query_forms_of(PATENT).texts["brief"]
    assert query_forms_of(listed).texts["whole"].split() == query_forms_of(PATENT).texts["whole"].split()
    assert query_forms_of(listed).named.tolist() == query_forms_of(PATENT).named.tolist()
    inside = replace(PATENT, description=(*PATENT.description[:5], Paragraph("\n".join(("A pin.", *copied)), "0003")))
    assert "Ratchet" not in query_forms_of(inside).texts["whole"]
    assert "A pin." in query_forms_of(inside).texts["whole"]


def test_terms_and_paragraphs_stand_in_the_text_once_more_and_again() -> None:
    plain = query_forms_of(PATENT)
    terms = query_forms_of(PATENT, Emphasis(terms=("pawl",)))
    for form, text in plain.texts.items():
        assert terms.texts[form].count("pawl") == text.count("pawl") + 10
    wheel = query_forms_of(PATENT, Emphasis(paragraphs=("0003",)))
    assert [wheel.texts[form].count("toothed wheel") for form in ("whole", "claims")] == [3, 2]


@pytest.mark.parametrize("written", ["0003", "3", "[0003]", " 03 "])
def test_a_paragraph_may_be_written_as_printed_or_plainly(written: str) -> None:
    assert query_forms_of(PATENT, Emphasis(paragraphs=(written,))).texts["claims"].count("toothed wheel") == 2


def test_paragraphs_that_are_not_there_are_named() -> None:
    with pytest.raises(ForeartError, match=r"the draft has no paragraph numbered 0009$"):
        query_forms_of(PATENT, Emphasis(paragraphs=("0003", "0009")))
    twice = replace(PATENT, description=(*PATENT.description, Paragraph("More.", number="0003")))
    with pytest.raises(ForeartError, match=r"no paragraph numbered 0009$"):
        query_forms_of(twice, Emphasis(paragraphs=("0003", "0009")))
    with pytest.raises(ForeartError, match=r"no paragraph numbered 1, 2$"):
        query_forms_of(Draft(title="x"), Emphasis(paragraphs=("2", "1")))


@pytest.mark.parametrize("written", ["A61B 8", "A61B 8/12", "a61b8/00", " A61B008/12 ", "A61B 8/"])
def test_classes_are_understood_as_people_write_them(written: str) -> None:
    assert query_forms_of(PATENT, Emphasis(classes=(written,))).classes.tolist() == hashed(["A61B 8"]).tolist()


@pytest.mark.parametrize("written", ["A61B", "ultrasound", ""])
def test_what_is_no_main_group_is_refused(written: str) -> None:
    with pytest.raises(ForeartError, match="has no main group"):
        query_forms_of(PATENT, Emphasis(classes=(written,)))


@pytest.fixture(params=["default-weights", "rrf"])
def ranker(by_words: Town, request: pytest.FixtureRequest) -> FusedRanker:
    learned = None if request.param == "rrf" else default_weights(by_words.inputs.graph)
    return FusedRanker(by_words.inputs, learned, name=request.param)


def test_a_term_raises_the_documents_that_have_it(by_words: Town, ranker: FusedRanker) -> None:
    """A word of another topic than the draft's."""
    draft, scope = draft_of_patent(by_words.patents[48]), by_words.scope(48)
    other = by_words.patents[1].title.split()[0]
    having = np.array([other in f"{patent.abstract} {patent.description_text}" for patent in by_words.patents])
    emphasised = ranker.emphasising(Emphasis(terms=(other,)))
    before, after = (all_scores(each.compare(draft, scope)) for each in (ranker, emphasised))
    rise = (after - before)[scope.known]
    assert 0 < having[scope.known].sum() < 15
    assert rise[having[scope.known]].mean() > rise[~having[scope.known]].mean()
    places = [np.argsort(np.argsort(-scores[scope.known]))[having[scope.known]] for scores in (before, after)]
    assert places[1].mean() < places[0].mean() - 2


def test_a_class_raises_the_documents_that_are_in_it(by_words: Town, ranker: FusedRanker) -> None:
    draft, scope = draft_of_patent(by_words.patents[48]), by_words.scope(48)
    inside = np.arange(len(by_words.ids)) % 6 == 2
    before, after = (
        all_scores(each.compare(draft, scope)) for each in (ranker, ranker.emphasising(Emphasis(classes=("A61B 3",))))
    )
    rise = after - before
    assert rise[inside & scope.known].min() > rise[~inside & scope.known].max()


def test_emphasis_is_of_all_channels_only(by_words: Town, ranker: FusedRanker) -> None:
    assert ranker.emphasising(NO_EMPHASIS) is ranker
    asked = Emphasis(terms=("x",))
    assert ranker.emphasising(asked).emphasising(asked).emphasis == asked
    alone = IndexRanker(by_words.inputs.texts.indexes["tfidf"], by_words.inputs.view)
    assert alone.emphasising(NO_EMPHASIS) is alone
    with pytest.raises(ForeartError, match="an index that ranks alone cannot emphasise"):
        alone.emphasising(asked)


def test_an_emphasis_of_classes_changes_only_their_weight(by_words: Town) -> None:
    learned = default_weights(by_words.inputs.graph)
    asked = Emphasis(classes=("A61B 3",))
    found = FusedRanker(by_words.inputs, learned, emphasis=asked).fusion
    weights = found.weights  # type: ignore[attr-defined]
    assert {name for name in weights if weights[name] != learned.weights.get(name)} == {"classes"}
    strong = replace(learned, weights={**learned.weights, "classes": 3.0})
    assert FusedRanker(by_words.inputs, strong, emphasis=asked).fusion.weights["classes"] == 3.0  # type: ignore[attr-defined]
    assert FusedRanker(by_words.inputs, None).fusion is RRF


DRAFTS = {
    "empty": Draft(),
    "only a title": Draft(title="Schraube"),
    "only an abstract": Draft(abstract="Eine Vorrichtung zum Drehen."),
    "only claims": Draft(claims=(Claim(1, "A thing."),)),
    "an empty claim": Draft(title="x", claims=(Claim(1, ""),)),
    "only a heading": Draft(description=(Paragraph("SUMMARY", is_heading=True),)),
    "an empty paragraph": Draft(description=(Paragraph(""), Paragraph("\n\n"))),
    "figures": Draft(description=(Paragraph("12 345 6789 10,000,000"),)),
    "signs": Draft(title="数据 处理", abstract="¿? — ☃ \ud800"),
    "German": Draft(
        title="Knochenschraube",
        description=(
            Paragraph("Stand der Technik", is_heading=True),
            Paragraph("Aus der DE 10 2005 012 345 A1 ist eine Schraube bekannt, die größer ist."),
            Paragraph("Zusammenfassung der Erfindung", is_heading=True),
            Paragraph("Aufgabe ist es, die Schraube zu verbessern."),
        ),
        claims=(Claim(1, "Schraube, dadurch gekennzeichnet, dass sie ein Gewinde hat."),),
        language="de",
    ),
}


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize("known", ["all", "none"])
def test_short_empty_and_foreign_drafts_are_ranked(by_words: Town, ranker: FusedRanker, name: str, known: str) -> None:
    draft = analysed(DRAFTS[name])
    mask = np.full(len(by_words.ids), known == "all")
    for scope_day in (0, 730_000):
        found = ranker.compare(draft, replace(by_words.scope(0), known=mask, day=scope_day))
        assert np.isfinite(all_scores(found)).all()
        ranked = found.top(5, np.ones(len(by_words.ids), bool))
        assert len(ranked) == 5
        row = ranked[0][0]
        assert sum(part.contribution for part in found.parts(row)) == pytest.approx(ranked[0][1], abs=1e-9)
        assert found.words(row) is not None
        assert found.top(0, mask) == []
