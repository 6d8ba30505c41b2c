"""What was learned comes back from its file to the last digit, or the file is named; default weights scale."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foreart.document.draft import draft_of_patent
from foreart.errors import IndexingError
from foreart.search.ranking import (
    CHANNELS,
    Calibration,
    CitationGraph,
    Fold,
    FusedRanker,
    HeldOut,
    KindRule,
    Learned,
    Logistic,
    Neighbours,
    SignalModels,
    WeightSet,
    default_weights,
    learned_of,
    load_learned,
    write_learned,
)
from foreart.search.ranking.signals import of_citations
from ranking_world import LEARNED_KEYS, Town, all_scores, graph

NEIGHBOURS = Neighbours(
    Logistic(("words", "youth"), np.array([1 / 3, -0.1]), 0.7), Logistic(("words",), np.array([2 / 7]), -1 / 3)
)
SIMILARITY = {"learned topics": np.array([[1.0, 1 / 3], [-0.1, 1e-7]], dtype=np.float32)}
HELD_OUT = HeldOut(
    metrics={"map": 0.5, "how": "3 folds"},
    cold={"map": 1 / 7, "how": "3 folds, siblings hidden"},
    calibration=Calibration((-0.1, 1 / 3), (100, 10), (3, 4)),
    cold_calibration=Calibration((-0.3, 1 / 7), (90, 12), (1, 2)),
    kinds=KindRule(1 / 9, 2 / 3),
)


def made() -> Learned:
    return Learned(
        weights={"words": 1 / 3, "cited by near, sum": 0.1 + 0.2, "hub": -1e-17},
        models=SignalModels(NEIGHBOURS, SIMILARITY),
        held_out=HELD_OUT,
        corpus="c0ffee",
        hubs={"US7000101B2": 0.1},
        hub_mean=1 / 7,
        folds=(
            Fold(("US7000114B2",), {"words": 0.5}, SignalModels()),
            Fold(("US7000127B2", "EP1000001A1"), {"words": 0.7}, SignalModels(NEIGHBOURS, SIMILARITY)),
        ),
        topics={"topics": "f00d"},
        plain=WeightSet({"words": 2 / 3}, ({"words": 0.4}, {"words": 0.6}), HeldOut({"map": 0.4})),
        training={"queries": 12},
        indexes={"log-tfidf": "abc"},
        versions={"foreart": "1"},
    )


def test_the_file_holds_every_digit(tmp_path: Path) -> None:
    before = made()
    after = load_learned(write_learned(before, tmp_path / "ranking"))
    assert after.to_record() == before.to_record()
    assert after.fingerprint == before.fingerprint
    assert dict(after.weights) == dict(before.weights)
    for name in HeldOut.__slots__:
        assert getattr(after.held_out, name) == getattr(before.held_out, name), name
    for one, other in zip((after, *after.folds), (before, *before.folds), strict=True):
        found, expected = one.models.similarity, other.models.similarity
        assert {name: matrix.tobytes() for name, matrix in found.items()} == {
            name: matrix.tobytes() for name, matrix in expected.items()
        }
    record = json.loads((tmp_path / "ranking" / "learned.json").read_text("utf-8"))
    assert record["fingerprint"] == before.fingerprint
    assert set(record) >= LEARNED_KEYS


def test_scores_out_of_the_file_are_the_same_bit_for_bit(by_words: Town, tmp_path: Path) -> None:
    before = replace(default_weights(by_words.inputs.graph), hubs={by_words.ids[3]: 0.9}, hub_mean=0.3)
    after = load_learned(write_learned(before, tmp_path))
    draft, scope = draft_of_patent(by_words.patents[50]), by_words.scope(50)
    one, other = (FusedRanker(by_words.inputs, learned).compare(draft, scope) for learned in (before, after))
    assert all_scores(one).tobytes() == all_scores(other).tobytes()
    assert one.parts(7) == other.parts(7)


@pytest.mark.parametrize(
    "change",
    [
        lambda made: replace(made, weights={**made.weights, "words": 0.3333333333333334}),
        lambda made: replace(made, weights={**made.weights, "new": 1.0}),
        lambda made: replace(made, models=SignalModels(None, SIMILARITY)),
        lambda made: replace(made, models=SignalModels(Neighbours(NEIGHBOURS.shared, NEIGHBOURS.coupled), SIMILARITY)),
        lambda made: replace(made, models=SignalModels(NEIGHBOURS)),
        lambda made: replace(
            made, models=SignalModels(NEIGHBOURS, {name: matrix.T for name, matrix in SIMILARITY.items()})
        ),
        lambda made: replace(made, hubs={}),
        lambda made: replace(made, hub_mean=0.2),
    ],
)
def test_the_fingerprint_changes_with_all_that_changes_a_score(change: object) -> None:
    assert change(made()).fingerprint != made().fingerprint  # type: ignore[operator]


def test_the_fingerprint_does_not_change_with_what_changes_no_score() -> None:
    other = replace(made(), held_out=HeldOut(), training={}, versions={}, corpus="", folds=(), plain=None)
    assert other.fingerprint == made().fingerprint


def test_who_taught_is_judged_by_his_fold_whatever_the_kind_code() -> None:
    learned = made()
    assert learned.unlearned("US7000114B2").weights == {"words": 0.5}
    assert learned.unlearned("US 7,000,114 A1").weights == {"words": 0.5}
    assert learned.unlearned("US7000127").weights == {"words": 0.7}
    assert learned.unlearned("US7000999B2", "EP1000001B1").models.neighbours is not None
    assert learned.unlearned("US7000114B2").models.neighbours is None
    assert learned.unlearned("US7000114B2").hubs == learned.hubs
    for stranger in ("US7000999B2", "", "free id"):
        assert learned.unlearned(stranger) is learned
    assert learned.unlearned() is learned


def test_every_damaged_file_is_named_in_a_sentence(tmp_path: Path) -> None:
    path = write_learned(made(), tmp_path)
    whole = path.read_bytes()
    rng = random.Random(2)
    damaged = [whole[: len(whole) * part // 12] for part in range(12)]
    for place in rng.sample(range(len(whole)), 300):
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        damaged.append(bytes(changed))
    damaged += [b"[]", b"null", b"17"]
    damaged += [
        content
        for form in (b"1", b"2")
        for content in (b'{"form": ' + form + b"}", b'{"form": ' + form + b', "weights": []}')
    ]
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            assert load_learned(path).to_record() == made().to_record(), content
        except IndexingError as error:
            refused += 1
            assert str(error).startswith(str(path))
            assert str(error).endswith("run `foreart learn`")
            assert "\n" not in str(error)
    assert refused > 250


def test_another_form_is_refused(tmp_path: Path) -> None:
    path = write_learned(made(), tmp_path)
    record = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(record | {"form": 0}))
    with pytest.raises(IndexingError, match="another version of foreart: run `foreart learn`"):
        load_learned(path)


def test_a_record_is_enough() -> None:
    record = json.loads(json.dumps(made().to_record()))
    assert learned_of(record).to_record() == made().to_record()


def test_what_is_brought_along_trusts_citations_more_in_a_large_corpus() -> None:
    tiny, small = (default_weights(graph({f"N{place}": ("X",) for place in range(size)})) for size in (30, 300))
    whole = {name: weight / 0.5 if of_citations(name) else weight for name, weight in small.weights.items()}
    assert any(of_citations(name) and weight > 0.5 for name, weight in whole.items())
    for name, weight in whole.items():
        expected = weight * 30 / 330 if of_citations(name) else weight
        assert tiny.weights[name] == pytest.approx(expected, abs=1e-12), name


def test_default_weights_keep_the_signs_of_channels_and_differs_without_citations() -> None:
    view = graph({"A": (), "B": ("A",)}).view
    found = {texts: default_weights(CitationGraph(view, from_texts=texts)) for texts in (False, True)}
    assert found[True].weights != found[False].weights
    for learned in found.values():
        assert learned.models.neighbours is not None
        assert not learned.models.similarity, "matrices fit the topics of one corpus only"
        for calibration in (learned.held_out.calibration, learned.held_out.cold_calibration):
            assert not calibration.floors, "how often documents are cited on another corpus says nothing of this one"
        for name, weight in learned.weights.items():
            channel = next(item for item in sorted(CHANNELS, key=len, reverse=True) if name.startswith(item))
            assert weight * CHANNELS[channel].sign >= 0, name
