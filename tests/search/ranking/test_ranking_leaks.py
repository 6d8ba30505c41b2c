"""What a target must not know is planted: with its guard no score changes, without it scores do.

Every signal weighs something here, so that no leak hides behind a weight of 0.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foreart.corpus import Corpus
from foreart.document.draft import draft_of_patent
from foreart.document.mentions import mentions
from foreart.document.patent import Paragraph, Patent
from foreart.evaluation import (
    Collection,
    EvaluationOptions,
    QueryDocument,
    assess_scorer,
    protocol,
    qrels_of,
    ranker_scorer,
)
from foreart.identifiers.numbers import number_key
from foreart.search import Scope
from foreart.search.ranking import (
    LEARNED_CHANNELS,
    Fold,
    FusedRanker,
    Learned,
    RankingInputs,
    SignalModels,
    default_weights,
    query_forms,
)
from ranking_world import (
    TOPICS,
    Town,
    all_rows,
    all_scores,
    all_signals,
    citing,
    library_of,
    number,
    printed,
    town,
    with_lines,
)

TARGET, RELATIVE, LATER, NEAR = 50, 44, 56, 38
ANSWERS = (1, 3, 4)  # of other topics than the target: nothing but a leak finds them


def everything(inputs: RankingInputs) -> Learned:
    """Weights of 1 for all signals, the default model of neighbours, and some similarity of topics."""
    tables = {channel: inputs.texts.table(text) for channel, text in LEARNED_CHANNELS.items()}
    similarity = {
        channel: np.random.default_rng(1).normal(np.eye(table.shape[1]), 0.1).astype(np.float32)
        for channel, table in tables.items()
        if table is not None
    }
    assert set(similarity) == set(LEARNED_CHANNELS)
    models = SignalModels(default_weights(inputs.graph).models.neighbours, similarity)
    compared = FusedRanker(inputs, Learned({}, models)).compare(
        draft_of_patent(Patent("US1B1", title="x")), Scope(np.ones(len(inputs.view), bool))
    )
    weights = dict.fromkeys(compared.known.columns, 1.0)
    assert {"cited by near, 10 alike", *LEARNED_CHANNELS} <= set(weights)
    return Learned(weights, models)


def judged(corpus: Corpus, inputs: RankingInputs, query: Patent, learned: Learned | None = None) -> np.ndarray:
    """The scores of a query, as `foreart evaluate` asks for them."""
    return asked(FusedRanker(inputs, learned or everything(inputs)), corpus, QueryDocument(query.id, query))


def asked(ranker: FusedRanker, corpus: Corpus, query: QueryDocument) -> np.ndarray:
    """The scores of a ranker under the protocol."""
    compared = ranker_scorer(ranker)(query, Collection(ranker.view, corpus).scope(query))
    return compared.scores_of(all_rows(ranker))


def others(scores: np.ndarray, *rows: int) -> bytes:
    """All but some, to the last bit."""
    return np.delete(scores, rows).tobytes()


def unguarded(inputs: RankingInputs, town: Town, query: Patent, *also: int) -> bytes:
    """The scores if some rows were known to the target, without those of these rows."""
    found = FusedRanker(inputs, everything(inputs)).compare(draft_of_patent(query), town.scope(TARGET, also=also))
    return others(all_scores(found), TARGET, *also)


def variants(by_words: Town, changes: Sequence[Mapping[int, Patent]]) -> list[tuple[Corpus, RankingInputs]]:
    return [by_words.changed(change) for change in changes]


def test_the_citations_of_the_target_change_nothing(by_words: Town) -> None:
    target = by_words.patents[TARGET]
    lists = ([44, 38, 32], ANSWERS, range(30), ())
    made = variants(by_words, [{TARGET: citing(target, places)} for places in lists])
    found = {others(judged(corpus, inputs, corpus[target.id]), TARGET) for corpus, inputs in made}
    assert len(found) == 1
    leaking = {unguarded(inputs, by_words, target, TARGET) for _, inputs in made}
    assert len(leaking) == 4, "a target that knows itself knows its list"


def test_the_protocol_is_what_keeps_the_target_from_itself(by_words: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    target = by_words.patents[TARGET]
    made = variants(by_words, [{TARGET: citing(target, places)} for places in ([44, 38], ANSWERS)])
    everything_known = Scope(np.ones(len(by_words.ids), bool), 1 << 20)
    monkeypatch.setattr(protocol, "known_before", lambda *arguments, **options: everything_known)
    first, second = (judged(corpus, inputs, corpus[target.id]) for corpus, inputs in made)
    assert others(first, TARGET) != others(second, TARGET)
    rise = second - first
    assert rise[list(ANSWERS)].min() > np.delete(rise, [*ANSWERS, TARGET]).max(), "the leak finds the answers"


def test_the_family_of_the_target_changes_nothing_and_is_not_ranked(by_words: Town) -> None:
    """An earlier member of the family with the same list of citations."""
    target = replace(citing(by_words.patents[TARGET], ANSWERS), family_id="F")
    relative = replace(by_words.patents[RELATIVE], family_id="F")
    made = variants(
        by_words, [{TARGET: target, RELATIVE: citing(relative, places)} for places in ([38, 32], ANSWERS, ())]
    )
    scores = [judged(corpus, inputs, corpus[target.id]) for corpus, inputs in made]
    assert len({others(found, TARGET, RELATIVE) for found in scores}) == 1
    corpus, inputs = made[0]
    query = QueryDocument(target.id, corpus[target.id])
    assert np.flatnonzero(Collection(inputs.view, corpus).scope(query).known).tolist() == [
        row for row in range(TARGET) if row != RELATIVE
    ]
    leaking = {unguarded(inputs, by_words, target, RELATIVE) for _, inputs in made}
    assert len(leaking) == 3, "as if the family were not known to be one"


def test_a_relative_that_only_the_query_names_is_none_to_know_either(by_words: Town) -> None:
    """A query out of a file, not in the corpus, with the number of a relative that is."""
    query = replace(by_words.patents[TARGET], id="EP1999999A1", family_refs=(number(RELATIVE),), family_id="")
    changes = [{RELATIVE: citing(by_words.patents[RELATIVE], places)} for places in ([38], ANSWERS)]
    scores = [judged(corpus, inputs, query) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], RELATIVE) == others(scores[1], RELATIVE)
    stranger = replace(query, family_refs=())
    scores = [judged(corpus, inputs, stranger) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], RELATIVE) != others(scores[1], RELATIVE)


def test_a_parent_that_only_the_text_claims_is_none_to_know_either(by_words: Town) -> None:
    """A continuation-in-part has other citations and other words than its parent, and often no family id."""
    target = by_words.patents[TARGET]
    claim = Paragraph(f"This is a continuation-in-part of {printed(RELATIVE)}, filed earlier.")
    query = replace(target, description=(claim, *target.description))
    parent = replace(by_words.patents[RELATIVE], inventors=target.inventors)
    changes = [{RELATIVE: citing(parent, places)} for places in ([38], ANSWERS)]
    scores = [judged(corpus, inputs, query) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], TARGET, RELATIVE) == others(scores[1], TARGET, RELATIVE)
    scores = [judged(corpus, inputs, target) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], TARGET, RELATIVE) != others(scores[1], TARGET, RELATIVE)


def test_the_original_of_a_renumbered_query_is_none_to_know_either(by_words: Town) -> None:
    """A query out of a file whose text stands in the corpus under another number, with the list that is sought."""
    original = by_words.patents[TARGET]
    query = replace(original, id="EP1999999A1", priority="2010-01-01", family_id="", family_refs=())
    changes = [{TARGET: citing(original, places)} for places in ([38], ANSWERS)]
    scores = [judged(corpus, inputs, query) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], TARGET) == others(scores[1], TARGET)
    rewritten = replace(query, description=by_words.patents[TARGET - TOPICS].description[:3])
    scores = [judged(corpus, inputs, rewritten) for corpus, inputs in variants(by_words, changes)]
    assert others(scores[0], TARGET) != others(scores[1], TARGET)


def test_later_documents_change_nothing(by_words: Town) -> None:
    """One of the same topic that cites the answers, beside documents near the target and the target itself."""
    target, later = by_words.patents[TARGET], by_words.patents[LATER]
    assert LATER % TOPICS == TARGET % TOPICS
    made = variants(by_words, [{LATER: citing(later, places)} for places in ([2], [*ANSWERS, NEAR, 44, TARGET], ())])
    found = {others(judged(corpus, inputs, target), TARGET, LATER) for corpus, inputs in made}
    assert len(found) == 1
    leaking = {unguarded(inputs, by_words, target, LATER) for _, inputs in made}
    assert len(leaking) == 3


def test_nothing_that_is_not_known_ever_counts(by_words: Town) -> None:
    """All lists of all that came later, drawn by lot, and what their texts name."""
    target = by_words.patents[TARGET]
    rng = random.Random(4)
    found = set()
    for _ in range(4):
        drawn = {
            place: with_lines(
                citing(by_words.patents[place], rng.sample(range(60), 9)), f"A thing like {printed(rng.randrange(60))}."
            )
            for place in range(TARGET + 1, 60)
        }
        corpus, inputs = by_words.changed(drawn)
        found.add(judged(corpus, inputs, target)[:TARGET].tobytes())
    assert len(found) == 1


COPIED = {
    "under a heading": ["References Cited", *(f"{printed(place)} to Jones" for place in ANSWERS)],
    "rows": ["\t".join(number(place) for place in (*ANSWERS, 5, 6, 7))],
    "one a line": [number(place) for place in ANSWERS],
    "with titles": ["Patent Citations (3)", *(f"{number(place)} 1991-01-01 TITLE {place}" for place in ANSWERS)],
    "numbered citations": [f"[Patent Citation {place}] {number(place)}" for place in ANSWERS],
    "a search report": ["In Betracht gezogene Druckschriften: " + "; ".join(number(place) for place in ANSWERS)],
    "quoted titles": [f'{printed(place)}, entitled "A thing", issued to de Jong' for place in ANSWERS],
    "cells": [line for place in (*ANSWERS, 5, 6) for line in (number(place), "1991-01-01", f"TITLE {place}")],
}


def titled(line: str, by_words: Town) -> str:
    """A line with the title of the document that it stands for."""
    before, mark, place = line.partition("TITLE ")
    return f"{before}{by_words.patents[int(place)].title}" if mark else line


@pytest.mark.parametrize("form", COPIED)
def test_citations_copied_into_the_text_change_nothing(
    by_words: Town, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = by_words.patents[TARGET]
    copied = with_lines(plain, *(titled(line, by_words) for line in COPIED[form]))
    scores = [judged(by_words.corpus, by_words.inputs, query) for query in (plain, copied)]
    assert scores[0].tobytes() == scores[1].tobytes()

    def all_named(text: str) -> list[str]:
        return [number_key(item.number) for item in mentions(text)]

    monkeypatch.setattr(query_forms, "listed_lines", lambda text: set())
    monkeypatch.setattr(query_forms, "named_numbers", all_named)
    leaking = judged(by_words.corpus, by_words.inputs, copied)
    assert leaking.tobytes() != scores[0].tobytes()
    rise = leaking - scores[0]
    assert rise[list(ANSWERS)].min() > np.delete(rise, [*ANSWERS, 5, 6, 7]).mean(), "the leak finds the answers"


def test_a_number_in_prose_counts(by_words: Town) -> None:
    """The guard does not close its eyes to what an author says."""
    named = with_lines(
        by_words.patents[TARGET], f"The thing of {printed(3)} breaks under load, which ours does not do."
    )
    plain, other = (judged(by_words.corpus, by_words.inputs, query) for query in (by_words.patents[TARGET], named))
    assert other[3] - plain[3] > 0.9


def test_a_number_in_prose_counts_where_no_document_names_it(tmp_path: Path) -> None:
    """Nobody cites the last document but a draft that is not in the corpus."""
    made = Town(tmp_path, town("words", documents=14))
    draft = with_lines(replace(made.patents[12], id="EP1999999A1"), f"The thing of {printed(13)} breaks.")
    found = FusedRanker(made.inputs, everything(made.inputs)).compare(draft_of_patent(draft), made.scope(13, also=[13]))
    assert np.flatnonzero(all_signals(found).columns["named in draft"]).tolist() == [13]
    made.close()


def test_who_taught_is_judged_by_what_the_others_taught(by_words: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fold of a document, of its other publications, and of its family."""
    target = replace(by_words.patents[TARGET], family_id="F")
    corpus, inputs = by_words.changed({TARGET: target, RELATIVE: replace(by_words.patents[RELATIVE], family_id="F")})
    whole = everything(inputs)
    fold_weights = {**whole.weights, "words": 7.0}
    expected = judged(corpus, inputs, target, replace(whole, weights=fold_weights))
    untaught = judged(corpus, inputs, target, whole)
    assert expected.tobytes() != untaught.tobytes()
    other = Fold((number(9),), {**whole.weights, "words": -3.0}, whole.models)
    for taught in (target.id, f"{target.id[:-2]}A1", number(RELATIVE)):
        learned = replace(whole, folds=(other, Fold((taught,), fold_weights, whole.models)))
        assert judged(corpus, inputs, target, learned).tobytes() == expected.tobytes(), taught
        elsewhere = replace(target, id=f"{target.id[:-2]}B1")
        assert judged(corpus, inputs, elsewhere, learned).tobytes() == expected.tobytes(), taught
    assert judged(corpus, inputs, target, replace(whole, folds=(other,))).tobytes() == untaught.tobytes()
    learned = replace(whole, folds=(Fold((target.id,), fold_weights, whole.models),))
    monkeypatch.setattr(FusedRanker, "unlearned", lambda self, *numbers: self)
    assert judged(corpus, inputs, target, learned).tobytes() == untaught.tobytes()


def test_drafts_under_the_number_of_a_teacher_are_judged_without_it(by_words: Town) -> None:
    whole = everything(by_words.inputs)
    target = by_words.patents[TARGET]
    weights = {**whole.weights, "words": 7.0}
    learned = replace(whole, folds=(Fold((target.id,), weights, whole.models),))
    query = QueryDocument(target.id, draft_of_patent(target))
    one = asked(FusedRanker(by_words.inputs, learned), by_words.corpus, query)
    other = asked(FusedRanker(by_words.inputs, replace(whole, weights=weights)), by_words.corpus, query)
    assert one.tobytes() == other.tobytes()


def test_figures_of_an_evaluation_do_not_move(by_words: Town) -> None:
    """The own list of a target, and that of a later document, are what is relevant, or something else."""
    qrels = qrels_of((number(TARGET), number(cited), 1) for cited in ANSWERS)
    figures = []
    for lists in ([2, 8], ANSWERS):
        changes = {place: citing(by_words.patents[place], lists) for place in (TARGET, LATER)}
        corpus, inputs = by_words.changed(changes)
        told = assess_scorer(
            ranker_scorer(FusedRanker(inputs, everything(inputs))),
            Collection(inputs.view, corpus),
            [QueryDocument(number(TARGET), corpus[number(TARGET)])],
            qrels,
            EvaluationOptions(metrics=("map", "ndcg@10", "auc"), random=20),
        )
        figures.append(told.evaluation.values)
    assert figures[0] == figures[1]
    assert 0 < figures[0]["map"] < 0.5


def test_a_search_by_number_knows_neither_its_own_list_nor_later_ones(tmp_path: Path) -> None:
    patents = town("words", documents=24)
    found = []
    for place, lists in enumerate(([17, 11], [1, 3, 4], ())):
        changed = {18: citing(patents[18], lists), 23: citing(patents[23], [*lists, 18])}
        folder = tmp_path / str(place)
        with library_of(folder, [changed.get(row, patent) for row, patent in enumerate(patents)]) as library:
            draft = draft_of_patent(library.corpus[number(18)])
            for ranking in ("default-weights", "rrf"):
                hits = library.search(draft, k=50, ranking=ranking, passages=False).hits
                found.append((ranking, [(hit.id, hit.score, hit.parts) for hit in hits if hit.id != number(23)]))
    assert found[0][1]
    assert found[0] == found[2] == found[4]
    assert found[1] == found[3] == found[5]
