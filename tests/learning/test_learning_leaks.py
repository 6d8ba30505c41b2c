"""What a teacher must not know is planted: with its guard nothing is found, without it everything is.

Lists of citations are drawn by lot, so whoever finds them has seen them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from foreart.corpus import Corpus
from foreart.corpus.views import CorpusView, text_facts
from foreart.document.mentions import mentions
from foreart.document.patent import Paragraph, Patent
from foreart.identifiers.numbers import number_key
from foreart.learning import examples as examples_module
from foreart.learning import learn, training
from foreart.learning.examples import Examples
from foreart.learning.judging import Judgement, judged
from foreart.learning.trainer import Neighboured, Trainer, TrainingRows, fit_weights
from foreart.learning.training import neighbour_examples_of, similarity_pools
from foreart.learning.training_queries import training_queries
from foreart.search.ranking import (
    CHANNELS,
    DEPTH,
    LEARNED_CHANNELS,
    Learned,
    RankingInputs,
    SignalModels,
    Signals,
    Weighted,
    query_forms,
    signals,
)
from foreart.search.ranking.signals import NO_HUBS
from foreart.search.scope import Scope, scope_of
from ranking_world import Town, citing, number, printed, with_lines

ROW, RELATIVE, LATER = 40, 34, 46
LISTS = ([1, 3, 5], [2, 8, 14, 20], ())


def columns(corpus: Corpus, inputs: RankingInputs, *left_out: int) -> Mapping[str, bytes]:
    """All signals of the example of one row, to the last bit, but those of some documents."""
    example = Examples(corpus, inputs, inputs.graph)[ROW]
    rows = example.query.texts.vectors()
    sizes = {channel: len(rows[text]) for channel, text in LEARNED_CHANNELS.items()}
    models = SignalModels(None, {channel: np.eye(size, dtype=np.float32) for channel, size in sizes.items()})
    found = signals(inputs.neighbourhood(example.query, models, depth=DEPTH), np.arange(len(inputs.view))).columns
    return {name: np.delete(values, left_out).tobytes() for name, values in found.items()}


def leaks(by_lot: Town, changes: list[dict[int, Patent]], *left_out: int) -> set[str]:
    """The signals that differ between states of the corpus."""
    found = [columns(*by_lot.changed(change), *left_out) for change in changes]
    return {name for name in found[0] if len({each[name] for each in found}) > 1}


def knowing(*rows: int) -> object:
    """A broken guard that lets rows be known, or the family of each query."""

    def leaking(*arguments: Any, **options: Any) -> Scope:
        scope = scope_of(*arguments, **options)
        scope.known[list(rows) or scope.own.rows] = True
        return scope

    return leaking


CITED = {"cited by near, share", "cited by near, sum", "cited by nearest", "coupled", "often cited"}
CITED |= {"cited by near, evidence", "cited by near, 200 texts", "cited by near, 200 alike", "citation walk"}


def test_a_teacher_does_not_know_its_own_citations(by_lot: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [{ROW: citing(by_lot.patents[ROW], places)} for places in LISTS]
    assert leaks(by_lot, changes, ROW) == set()
    monkeypatch.setattr(examples_module, "scope_of", knowing(ROW))
    assert leaks(by_lot, changes, ROW) >= CITED


def test_a_teacher_does_not_know_its_family(by_lot: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    target, relative = (replace(by_lot.patents[row], family_id="F") for row in (ROW, RELATIVE))
    changes = [{ROW: target, RELATIVE: citing(relative, places)} for places in LISTS]
    assert leaks(by_lot, changes, ROW, RELATIVE) == set()
    corpus, inputs = by_lot.changed(changes[0])
    example = Examples(corpus, inputs, inputs.graph)[ROW]
    assert not example.query.known[[ROW, RELATIVE]].any()
    monkeypatch.setattr(CorpusView, "members", lambda self, rows: np.array(rows))
    assert leaks(by_lot, changes, ROW, RELATIVE) >= CITED


def test_a_training_query_does_not_know_the_parents_that_its_text_claims(
    by_lot: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = by_lot.patents[ROW]
    claim = Paragraph(f"This is a continuation-in-part of {printed(RELATIVE)}, filed earlier.")
    claiming = replace(target, description=(claim, *target.description))
    parent = replace(by_lot.patents[RELATIVE], inventors=target.inventors)
    changes = [{ROW: claiming, RELATIVE: citing(parent, places)} for places in LISTS]
    assert leaks(by_lot, changes, ROW, RELATIVE) == set()
    monkeypatch.setattr(examples_module, "scope_of", knowing(RELATIVE))
    assert leaks(by_lot, changes, ROW, RELATIVE) >= CITED


def test_a_training_query_does_not_know_its_own_text_under_another_number(
    by_lot: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Families by text are those of the corpus; this one is known by a family id of its own, and yet a copy."""
    target = by_lot.patents[ROW]
    copy = replace(by_lot.patents[RELATIVE], description=target.description, family_id="F", inventors=target.inventors)
    changes = [{ROW: target, RELATIVE: citing(copy, places)} for places in LISTS]
    assert leaks(by_lot, changes, ROW, RELATIVE) == set()
    monkeypatch.setattr(examples_module, "scope_of", knowing(RELATIVE))
    assert leaks(by_lot, changes, ROW, RELATIVE) >= CITED


def test_what_a_training_query_may_not_know_is_not_relevant_to_it(by_lot: Town) -> None:
    """A cited parent cannot be found, so it is none of what is to be found."""
    target = citing(by_lot.patents[ROW], [RELATIVE, 3, 5])
    claim = Paragraph(f"This is a continuation-in-part of {printed(RELATIVE)}, filed earlier.")
    parent = replace(by_lot.patents[RELATIVE], inventors=target.inventors)
    corpus, inputs = by_lot.changed({ROW: target, RELATIVE: parent})
    assert Examples(corpus, inputs, inputs.graph).relevant(ROW).tolist() == [3, 5, RELATIVE]
    claiming = replace(target, description=(claim, *target.description))
    corpus, inputs = by_lot.changed({ROW: claiming, RELATIVE: parent})
    assert Examples(corpus, inputs, inputs.graph)[ROW].relevant.tolist() == [3, 5]


def test_a_teacher_does_not_know_what_came_later(by_lot: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later document of the same topic that cites what the teacher cited, and the teacher."""
    own = [by_lot.ids.index(citation.id) for citation in by_lot.patents[ROW].citations]
    changes = [{LATER: citing(by_lot.patents[LATER], places)} for places in (*LISTS, [*own, ROW])]
    assert leaks(by_lot, changes, LATER) == set()
    monkeypatch.setattr(examples_module, "scope_of", knowing(LATER))
    assert leaks(by_lot, changes, LATER) >= CITED


def copied(patent: Patent) -> Patent:
    """With its citations behind its text."""
    return with_lines(patent, "References Cited", *(citation.id for citation in patent.citations))


def test_a_teacher_does_not_read_citations_copied_into_its_text(by_lot: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [{}, {ROW: copied(by_lot.patents[ROW])}]
    assert leaks(by_lot, changes) == set()
    unguard_texts(monkeypatch)
    assert leaks(by_lot, changes) >= {"named in draft", "shared numbers"}


def unguard_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_named(text: str) -> list[str]:
        return [number_key(item.number) for item in mentions(text)]

    for module in (query_forms, text_facts):
        monkeypatch.setattr(module, "named_numbers", all_named)
    monkeypatch.setattr(query_forms, "listed_lines", lambda text: set())


@pytest.fixture(scope="module")
def honest(by_lot: Town) -> Learned:
    return learn(by_lot.corpus, by_lot.inputs)


def test_what_is_learned_by_lot_finds_little(honest: Learned) -> None:
    assert honest.metrics["map"] < 0.45


def test_figures_would_show_own_citations(by_lot: Town, honest: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples_module, "scope_of", knowing())
    leaking = learn(by_lot.corpus, by_lot.inputs)
    assert leaking.metrics["map"] > honest.metrics["map"] + 0.3


def test_figures_do_not_show_what_families_cite(by_lot: Town, honest: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second document has the list, and the family, of the one before it."""
    pairs = {}
    for row in range(9, 48, 2):
        own = [by_lot.ids.index(citation.id) for citation in by_lot.patents[row - 1].citations]
        pairs[row] = replace(citing(by_lot.patents[row], own), family_id=f"F{row}")
        pairs[row - 1] = replace(by_lot.patents[row - 1], family_id=f"F{row}")
    corpus, inputs = by_lot.changed(pairs)
    guarded = learn(corpus, inputs)
    assert guarded.metrics["map"] < honest.metrics["map"] + 0.1
    side = {number: place for place, fold in enumerate(guarded.folds) for number in fold.ids}
    for row in range(9, 48, 2):
        assert side[number(row)] == side[number(row - 1)]
    monkeypatch.setattr(CorpusView, "members", lambda self, rows: np.array(rows))
    alike = {row: replace(patent, inventors=(f"Inventor {row | 1}",)) for row, patent in pairs.items()}
    assert learn(*by_lot.changed(alike)).metrics["map"] > guarded.metrics["map"] + 0.2


def test_figures_do_not_show_copied_lists(by_lot: Town, honest: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {row: copied(patent) for row, patent in enumerate(by_lot.patents) if patent.citations}
    guarded = learn(*by_lot.changed(changed))
    assert guarded.metrics == honest.metrics
    assert dict(guarded.weights) == dict(honest.weights)
    unguard_texts(monkeypatch)
    leaking = learn(*by_lot.changed(changed))
    assert leaking.metrics["map"] > 0.99


def test_each_fold_is_judged_by_weights_that_it_did_not_teach(by_lot: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor by models that it taught, and neither are its own training rows made with such models."""
    held_out: dict[int, set[int]] = {}  # by the identity of models
    used: list[tuple[int, set[int]]] = []
    row_of: dict[int, int] = {}  # by the identity of training rows
    taught: dict[int, set[int]] = {}  # by the identity of weights
    judgements: list[tuple[int, set[int]]] = []
    kept: list[object] = []  # so that no identity is used twice
    make_models, scored, rows = training.fit_models, Trainer.neighboured, Trainer.rows

    def spy_models(neighbours: Any, pools: Any, absent: set[int]) -> SignalModels:
        kept.append(found := make_models(neighbours, pools, absent))
        held_out[id(found)] = set(absent)
        return found

    def spy_scored(self: Trainer, row: int, models: SignalModels) -> list[Neighboured]:
        used.append((row, held_out[id(models)]))
        return scored(self, row, models)

    def spy_rows(self: Trainer, item: Neighboured) -> TrainingRows:
        kept.append(found := rows(self, item))
        row_of[id(found)] = item.example.row
        return found

    def spy_weights(tables: Sequence[TrainingRows], **options: bool) -> Weighted:
        kept.append(found := fit_weights(tables, **options))
        taught[id(found)] = {row_of[id(table)] for table in tables}
        return found

    def spy_judged(item: Neighboured, candidates: Signals, weights: Weighted) -> Judgement:
        judgements.append((item.example.row, taught[id(weights)]))
        return judged(item, candidates, weights)

    monkeypatch.setattr(training, "fit_models", spy_models)
    monkeypatch.setattr(training, "fit_weights", spy_weights)
    monkeypatch.setattr(training, "judged", spy_judged)
    monkeypatch.setattr(Trainer, "neighboured", spy_scored)
    monkeypatch.setattr(Trainer, "rows", spy_rows)
    learned = learn(by_lot.corpus, by_lot.inputs)
    ranked = set(row_of.values())
    folds = [{by_lot.ids.index(number) for number in fold.ids} for fold in learned.folds]
    fold_of = {row: fold for fold in folds for row in fold}
    assert {row for row, _ in used} == {row for row, _ in judgements} == ranked == set(fold_of)
    assert all(absent == fold_of[row] for row, absent in used)
    assert all(teachers == ranked - fold_of[row] for row, teachers in judgements)
    for fold in learned.folds:
        absent = {by_lot.ids.index(number) for number in fold.ids}
        assert held_out[id(fold.models)] == absent
        weights = [item.weights for item in kept if isinstance(item, Weighted) and taught[id(item)] == ranked - absent]
        assert dict(fold.weights) in [dict(item) for item in weights]
    assert held_out[id(learned.models)] == set()
    assert all(dict(fold.weights) != dict(learned.weights) for fold in learned.folds)


def test_a_school_without_some_does_not_hear_them(by_lot: Town) -> None:
    """The last documents are known to nobody: if they stay away, what they cite changes no weight and no model."""
    rows = {45, 46, 47}
    _, other = by_lot.changed({row: citing(by_lot.patents[row], range(row - 20, row - 11)) for row in rows})
    found: list[list[tuple[dict[str, float], dict[str, bytes]]]] = []
    for inputs in (by_lot.inputs, other):
        teach = training_queries(inputs.graph)
        assert rows <= set(teach.ranked)
        examples = Examples(by_lot.corpus, inputs, inputs.graph)
        neighbours, pools = neighbour_examples_of(examples, teach), similarity_pools(examples, teach.listed, 0)
        trainer = Trainer(examples, NO_HUBS, frozenset(CHANNELS), 0)
        found.append([])
        for absent in (rows, set()):
            models = training.fit_models(neighbours, pools, absent)
            heard = [row for row in teach.ranked if row not in absent]
            weights = fit_weights([trainer.rows(item) for row in heard for item in trainer.neighboured(row, models)])
            matrices = {name: matrix.tobytes() for name, matrix in models.similarity.items()}
            assert set(matrices) == set(LEARNED_CHANNELS)
            found[-1].append((dict(weights.weights), matrices))
    assert found[0][0] == found[1][0]
    for one, two in zip(found[0][1], found[1][1], strict=True):
        assert one != two


def test_a_name_in_prose_is_learned_from(by_lot: Town) -> None:
    """The guard of texts leaves what authors say."""
    said = {
        row: with_lines(
            patent,
            *(
                f"The thing of {printed(by_lot.ids.index(citation.id))} breaks under load, which the one shown here "
                "will not do as far as we could see in many trials."
                for citation in patent.citations
            ),
        )
        for row, patent in enumerate(by_lot.patents)
        if patent.citations
    }
    found = learn(*by_lot.changed(said))
    assert found.metrics["map"] > 0.99
    assert max(found.weights, key=lambda name: found.weights[name]) == "named in draft"
