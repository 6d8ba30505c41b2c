"""What decides gets the weight; where there is nothing to learn, that is said; the same corpus teaches the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app
from foreart.document.draft import draft_of_patent
from foreart.document.patent import Patent
from foreart.errors import ForeartError
from foreart.learning import learn
from foreart.learning.examples import Examples
from foreart.learning.hubs import hubs_of
from foreart.library import Library
from foreart.search.ranking import CHANNELS, FusedRanker, Hubs, Learned, RankingInputs, TextIndexes, ranking_inputs_of
from ranking_world import LEARNED_KEYS, Town, all_scores, citing, graph, library_of, number, town


@pytest.fixture(scope="module")
def by_name(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """Documents cite what they name, drawn by lot: no other channel can know."""
    made = Town(tmp_path_factory.mktemp("by-name"), town("named", documents=40))
    yield made
    made.close()


@pytest.fixture(scope="module")
def named(by_name: Town) -> Learned:
    return learn(by_name.corpus, by_name.inputs)


@pytest.fixture(scope="module")
def drawn(by_lot: Town) -> Learned:
    return learn(by_lot.corpus, by_lot.inputs)


def test_the_channel_that_decides_gets_the_weight(by_name: Town, named: Learned) -> None:
    assert named.metrics["map"] > 0.99
    assert max(named.weights, key=lambda name: abs(named.weights[name])) == "named in draft"
    assert named.weights["named in draft"] > 2 * max(
        weight for name, weight in named.weights.items() if name != "named in draft"
    )
    without = learn(by_name.corpus, by_name.inputs, channels=[name for name in CHANNELS if name != "named in draft"])
    assert without.metrics["map"] < named.metrics["map"] - 0.2
    assert "named in draft" not in without.weights
    alone = learn(by_name.corpus, by_name.inputs, channels=["named in draft"])
    assert set(alone.weights) == {"named in draft"}
    assert alone.metrics["map"] > 0.99


def test_where_nothing_decides_nothing_is_found(drawn: Learned) -> None:
    assert drawn.metrics["map"] < 0.45
    assert drawn.weights["named in draft"] == 0.0


def test_no_weight_has_the_wrong_sign(named: Learned, drawn: Learned) -> None:
    for learned in (named, drawn):
        for weights in (learned.weights, *(fold.weights for fold in learned.folds)):
            assert set(weights) == set(learned.weights)
            for name, weight in weights.items():
                channel = next(item for item in sorted(CHANNELS, key=len, reverse=True) if name.startswith(item))
                assert weight * CHANNELS[channel].sign >= 0, name


def test_the_record_says_how_it_was_done(by_name: Town, named: Learned) -> None:
    taught = {number for fold in named.folds for number in fold.ids}
    assert named.training["queries"] == len(taught) == named.metrics["judged"] == 32
    assert len(named.folds) == 3
    assert sum(len(fold.ids) for fold in named.folds) == len(taught)
    assert all(fold.weights != named.weights for fold in named.folds)
    assert named.corpus == by_name.corpus.fingerprint
    assert set(named.indexes) == set(by_name.inputs.texts.indexes)
    calibration = named.held_out.calibration
    assert named.held_out.kinds is None, "too few have siblings, so that all queries calibrate"
    assert sum(calibration.cited) == sum(len(patent.citations) for patent in by_name.patents if patent.id in taught)
    assert sum(calibration.counts) == sum(range(8, 40))
    assert named.metrics["how"].startswith("3 folds")


def test_the_same_corpus_teaches_the_same(by_name: Town, named: Learned) -> None:
    assert json.dumps(learn(by_name.corpus, by_name.inputs).to_record()) == json.dumps(named.to_record())


def test_steps_are_told(by_name: Town) -> None:
    told: list[tuple[str, int, int]] = []
    learn(by_name.corpus, by_name.inputs, channels=["named in draft"], progress=lambda *step: told.append(step))
    assert told[0] == ("comparing", 1, 32)
    assert told[-1] == ("judging", 3, 3)


def test_those_left_out_do_not_teach(by_name: Town, named: Learned) -> None:
    """The last document is known to nobody: whatever it cites, nothing is learned of it, unless it teaches."""
    last = by_name.patents[39]
    _, other = by_name.changed({39: citing(last, range(12))})
    left = f"{last.id[:-2]}A1"
    one, two = (learn(by_name.corpus, inputs, without=[left]) for inputs in (by_name.inputs, other))
    assert dict(one.weights) == dict(two.weights)
    assert one.fingerprint == two.fingerprint
    assert last.id not in {number for fold in one.folds for number in fold.ids}
    assert one.training["without"] == [left]
    assert one.training["queries"] == named.training["queries"] - 1
    assert learn(by_name.corpus, other).fingerprint != named.fingerprint, "it would teach otherwise"


def test_without_enough_teachers_it_is_refused(by_name: Town) -> None:
    few = [number(place) for place in range(40) if place not in range(20, 29)]
    with pytest.raises(
        ForeartError, match=r"^only 9 documents of the corpus cite earlier ones of it: too few to learn"
    ):
        learn(by_name.corpus, by_name.inputs, without=few)
    ten = [number(place) for place in range(40) if place not in range(20, 30)]
    assert learn(by_name.corpus, by_name.inputs, without=ten).training["queries"] == 10


def test_numbers_in_texts_are_no_citations_to_learn_from(by_name: Town) -> None:
    """They would stand in the draft: nothing but what it names itself would be learned."""
    corpus, inputs = by_name.changed({place: citing(patent, ()) for place, patent in enumerate(by_name.patents)})
    assert inputs.graph.from_texts
    with pytest.raises(ForeartError, match="no document of the corpus has citations"):
        learn(corpus, inputs)
    taught = learn(corpus, inputs, labels=by_name.inputs.graph, channels=["words", "named in draft"])
    assert taught.metrics["map"] > 0.99


def test_one_family_cannot_be_divided(by_name: Town) -> None:
    family = {place: replace(patent, family_id="F") for place, patent in enumerate(by_name.patents) if place >= 25}
    corpus, inputs = by_name.changed(family)
    with pytest.raises(ForeartError, match="one family"):
        learn(corpus, inputs, without=[number(place) for place in range(8, 25)])


def test_a_narrow_field_can_be_learned_from(by_name: Town) -> None:
    """All lists are nearly the same: they overlap, and yet somebody must judge."""
    alike = {place: citing(by_name.patents[place], range(6)) for place in range(8, 40)}
    corpus, inputs = by_name.changed(alike)
    found = learn(corpus, inputs, channels=["words", "cited by near"])
    assert [bool(fold.ids) for fold in found.folds] == [True] * 3
    assert found.metrics["map"] > 0.9


def test_without_neighbours_only_channels_are_weighed(by_name: Town) -> None:
    """All that cite something are of one day, so that none is earlier than another."""
    changed = {
        place: replace(
            citing(by_name.patents[place], [(place + step) % 8 for step in range(6)]),
            priority="2005-01-01",
            published="2007-01-01",
        )
        for place in range(8, 40)
    }
    corpus, inputs = by_name.changed(changed)
    found = learn(corpus, inputs)
    assert found.models.neighbours is None
    assert all(fold.models.neighbours is None for fold in found.folds)
    compared = FusedRanker(inputs, found).compare(draft_of_patent(by_name.patents[30]), by_name.scope(30))
    assert np.isfinite(all_scores(compared)).all()


def test_the_hubs_of_searches_are_those_that_were_learned_with(by_lot: Town, drawn: Learned) -> None:
    examples = Examples(by_lot.corpus, by_lot.inputs, by_lot.inputs.graph)
    rows = sorted(by_lot.ids.index(number) for fold in drawn.folds for number in fold.ids)
    found, every = FusedRanker(by_lot.inputs, drawn).hubs, np.arange(len(by_lot.ids))
    assert found.at(every).tolist() == hubs_of(examples, rows).at(every).tolist()
    assert len(set(found.at(every).tolist())) > 1
    assert Hubs(found.strongest, 0.25).at(np.array([len(every)])).tolist() == [0.25], "one that came later"


def test_an_optional_index_that_came_later_weighs_nothing(by_lot: Town, drawn: Learned) -> None:
    indexes = {**by_lot.inputs.texts.indexes, "ppmi": by_lot.inputs.texts.indexes["topics"]}
    more = ranking_inputs_of(by_lot.inputs.graph, indexes)
    draft, scope = draft_of_patent(by_lot.patents[40]), by_lot.scope(40)
    one, other = (FusedRanker(inputs, drawn).compare(draft, scope) for inputs in (by_lot.inputs, more))
    assert "word vectors" in other.known.columns
    assert other.contributions(3)["word vectors"] == 0.0
    assert all_scores(other) == pytest.approx(all_scores(one), abs=1e-12)


def test_an_empty_corpus_teaches_nothing(tmp_path: Path, by_lot: Town) -> None:
    with pytest.raises(ForeartError, match="only 0 documents"):
        learn(by_lot.corpus, RankingInputs(graph({"A": ("X",)}), TextIndexes({}, ("A",))))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with library_of(tmp_path_factory.mktemp("library"), town("named", documents=30)) as made:
        yield made


def run(library: Library, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["learn", "-l", str(library.folder), *arguments])


def test_the_command_tells_what_it_learned_and_searches_use_it(library: Library, tmp_path: Path) -> None:
    assert library.ranker().ranking.name == "default-weights"  # type: ignore[union-attr]
    left = tmp_path / "targets.qrels"
    left.write_text(f"{number(29)} 0 {number(3)} 1\n{number(28)} 0 {number(4)} 1\n\n")
    result = run(library, "--json", "--without", str(left), "--seed", "3")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert set(told) >= LEARNED_KEYS
    assert told["training"]["without"] == [number(29), number(28)]
    assert told["training"]["seed"] == 3
    assert told["training"]["queries"] == 20
    assert {"map", "ndcg@10", "recall@100", "pres@100", "judged", "how"} <= set(told["metrics"])
    assert set(told["neighbours"]) == {"coupled", "shared"}
    assert told["similarity"] == ["learned topics", "learned brief topics"], "the matrices are in the file only"
    assert set(told["calibration"]) == set(told["cold_calibration"]) == {"floors", "counts", "cited"}
    assert [set(fold) for fold in told["folds"]] == [{"ids", "weights", "neighbours", "similarity"}] * 3
    assert {"foreart", "numpy", "scipy", "python"} <= set(told["versions"])
    assert told["corpus"] == library.corpus.fingerprint
    ranking = library.ranker().ranking
    assert ranking is not None
    assert (ranking.name, ranking.fingerprint) == ("learned", told["fingerprint"])
    assert json.loads((library.folder / "ranking" / "learned.json").read_text("utf-8"))["weights"] == told["weights"]


def test_the_command_in_words(library: Library) -> None:
    result = run(library)
    assert result.exit_code == 0, result.output
    assert "named in draft" in result.stdout
    words = " ".join(result.stdout.split())
    assert "held out number map ndcg@10 recall@100 pres@100 warm 22 1.000 1.000 1.000" in words
    assert re.search(r" cold \d+ [01]\.\d{3} ", words)
    assert re.search(r" 95 % interval \d+ groups [01]\.\d\d–[01]\.\d\d ", words)
    assert re.search(r" plain mean \d+ [01]\.\d{3} ", words)
    assert "Cold: without siblings, what a draft of today on a new subject can expect." in words


def test_the_command_refuses_in_a_sentence(tmp_path: Path) -> None:
    with library_of(tmp_path / "lonely", [Patent("US1B1", title="one"), Patent("US2B1", title="two")]) as lonely:
        result = run(lonely)
        assert result.exit_code == 1
        assert "no document of the corpus has citations" in " ".join(result.stderr.split())
        assert not (lonely.folder / "ranking" / "learned.json").exists()
    with Library(tmp_path / "unbuilt") as unbuilt:
        unbuilt.corpus.add(town("named", documents=12))
        result = run(unbuilt)
        assert result.exit_code == 1
        assert "foreart build" in result.stderr


def test_scores_are_finite(by_lot: Town, drawn: Learned) -> None:
    found = FusedRanker(by_lot.inputs, drawn).compare(draft_of_patent(by_lot.patents[40]), by_lot.scope(40))
    assert np.isfinite(all_scores(found)).all()
    calibrated = found.calibrated(int(np.argmax(all_scores(found))))
    assert calibrated is not None
    assert 0 <= calibrated.chance.low <= calibrated.chance.share <= calibrated.chance.high <= 1
