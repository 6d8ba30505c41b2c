"""Bridges between other words, on texts made for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from foreart.document.patent import Claim, Paragraph, Patent
from foreart.index.storage.store import load
from foreart.library import Library
from foreart.search.explaining.bridge_vectors import CosineThresholds, WordVectors, vectors_of
from foreart.search.explaining.bridge_word_kinds import is_noun_like, kind_of_word
from foreart.search.explaining.bridges import Bridge, WordStatistics, bridges, chart_bridges
from foreart.search.explaining.term_places import Located
from foreart.text import tokens


def drawn(**angles: float) -> WordVectors:
    """Vectors in the plane, by their angle in degrees."""

    def vectors(columns: Sequence[int]) -> np.ndarray:
        turned = np.radians([list(angles.values())[column] for column in columns])
        return np.stack([np.cos(turned), np.sin(turned)], axis=1)

    thresholds = CosineThresholds(same=0.6, other=0.7, phrase=0.7, head=0.5)
    return WordVectors("drawn", {word: column for column, word in enumerate(angles)}, vectors, thresholds=thresholds)


def statistics(
    vectors: WordVectors | None, together: Sequence[tuple[str, str]] = (), documents: int = 100
) -> WordStatistics:
    """Every word stands in ten documents of its own; those `together` in the same ones."""
    places: dict[str, int] = {}

    def having(word: str) -> np.ndarray:
        name = next((one for one, other in together if word in (one, other)), word)
        mask = np.zeros(documents * 100, dtype=bool)
        start = places.setdefault(name, 10 * len(places))
        mask[start : start + 10] = True
        return mask

    return WordStatistics(lambda words: [10] * len(list(words)), having, documents, vectors)


def located(text: str, *claims: str) -> Located:
    made = tuple(Claim(number, claim) for number, claim in enumerate(claims, start=1))
    return Located(Patent("XX1", description=(Paragraph(text, "0001"),), claims=made), tokens)


def told(found: Sequence[Bridge]) -> list[tuple[str, str, str]]:
    return [(item.kind, item.draft.term, item.document.term) for item in found]


def test_each_is_the_nearest_of_the_other_and_near_enough() -> None:
    vectors = drawn(rod=0, lever=20, bolt=90, membrane=180, pole=5, screw=100, bicycle=270)
    mine = located("A rod and a rod, a bolt and a bolt, a membrane and a membrane, a lever and a lever.")
    theirs = located("A pole on a pole, a screw on a screw, a bicycle on a bicycle.")
    found = bridges(mine, theirs, statistics(vectors), "en")
    assert told(found) == [("near in meaning", "rod", "pole"), ("near in meaning", "bolt", "screw")]
    assert [item.similarity for item in found] == [round(float(np.cos(np.radians(a))), 6) for a in (5, 10)]
    assert found[0].draft.documents == 10
    assert [(found[0].draft.where.times, spot.label) for spot in found[0].draft.where.spots] == [(2, "[0001]")]


def test_words_of_both_texts_and_words_that_stand_once_do_not_bridge() -> None:
    vectors = drawn(rod=0, pole=5, bolt=90, screw=95)
    mine = located("A rod and a rod and a pole, a bolt and a bolt.")
    theirs = located("A pole on a pole, one screw.")
    assert bridges(mine, theirs, statistics(vectors), "en") == ()


def test_forms_of_one_word_come_first_and_are_told_as_such() -> None:
    vectors = drawn(needles=0, needle=0, rod=90, pole=92, echo=45, echoes=45)
    mine = located("Needles and needles. A rod, a rod. An echo, an echo.")
    theirs = located("One needle. A pole, a pole. Echoes and echoes.")
    found = bridges(mine, theirs, statistics(vectors), "en")
    assert told(found) == [
        ("same stem", "echo", "echoes"),
        ("same stem", "needles", "needle"),
        ("near in meaning", "rod", "pole"),
    ]
    assert [item.similarity for item in found[:2]] == [1.0, 1.0]


def test_what_goes_together_or_is_a_name_does_not_mean_the_same() -> None:
    vectors = drawn(shaft=0, motor=3, rod=90, pole=92, miami=180, boston=181, ultrasound=270, ultrasonic=271)
    mine = located("A shaft, a shaft, a rod, a rod. Miami, Miami. Ultrasound is ultrasound.")
    theirs = located("A motor, a motor, a pole, a pole. Of Boston, of Boston. Ultrasonic, ultrasonic means.")
    apart = statistics(vectors)
    pairs = {(item.draft.term, item.document.term) for item in bridges(mine, theirs, apart, "en")}
    assert pairs == {("shaft", "motor"), ("rod", "pole"), ("ultrasound", "ultrasonic")}
    together = statistics(vectors, [("shaft", "motor"), ("ultrasound", "ultrasonic")])
    pairs = {(item.draft.term, item.document.term) for item in bridges(mine, theirs, together, "en")}
    assert pairs == {("rod", "pole"), ("ultrasound", "ultrasonic")}  # words that begin alike may


def test_a_noun_and_an_adjective_must_be_nearer_than_two_nouns() -> None:
    vectors = drawn(rod=0, tubular=48, bolt=180, nail=228)  # cos 48° is 0.669
    mine = located("A rod and a rod, a bolt and a bolt.")
    theirs = located("Tubular or tubular, a nail and a nail.")
    assert told(bridges(mine, theirs, statistics(vectors), "en")) == [("near in meaning", "bolt", "nail")]
    assert [kind_of_word(word, "en") for word in ("tubular", "rod", "firmly", "signal", "signals", "sliding")] == [
        "adjective", "noun", "adverb", "noun", "noun", "ing",
    ]  # fmt: skip
    assert kind_of_word("tubular", "de") == ""
    assert is_noun_like("bar", "en")
    assert not is_noun_like("distal", "en")


def test_phrases_bridge_by_the_mean_of_their_words() -> None:
    vectors = drawn(connecting=0, bar=40, elongate=5, fusion=20, member=45, window=200)
    text = "The connecting bar of a connecting bar with the connecting bar."
    other = "An elongate fusion member, the elongate fusion member or an elongate fusion member."
    found = bridges(located(text), located(other), statistics(vectors), "en")
    assert ("near in meaning", "connecting bar", "elongate fusion member") in told(found)
    phrase = next(item for item in found if item.draft.term == "connecting bar")
    means = [np.radians(angles) for angles in ((0, 40), (5, 20, 45))]
    one, two = (np.array([np.cos(a).mean(), np.sin(a).mean()]) for a in means)
    expected = float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))
    assert phrase.similarity == pytest.approx(expected, abs=1e-6)
    assert phrase.document.where.times == 3


def test_bridges_of_a_chart_are_those_of_claimed_words_with_the_square_as_credit() -> None:
    vectors = drawn(rod=0, pole=30, bolt=180, screw=185)
    mine = located("A rod and a rod. A bolt and a bolt.", "A device with a rod.")
    theirs = located("A pole, a pole. A screw, a screw.")
    credit = float(np.cos(np.radians(30)) ** 2)
    assert chart_bridges(mine, [theirs], statistics(vectors), "en") == {
        "rod": {"pole": pytest.approx(credit, abs=1e-4)}
    }


def test_topics_are_named_as_such() -> None:
    vectors = replace(drawn(rod=0, pole=5), topical=True)
    found = bridges(located("A rod, a rod."), located("A pole, a pole."), statistics(vectors), "en")
    assert told(found) == [("same topic", "rod", "pole")]


def test_without_vectors_only_forms_of_one_word_bridge() -> None:
    found = bridges(
        located("Needles, needles, rod, rod."), located("A needle, a pole, a pole."), statistics(None), "en"
    )
    assert told(found) == [("same stem", "needles", "needle")]


CONTEXTS = (
    "the {} encloses the pump and is closed by a lid with a gasket",
    "a gasket seals the {} against the lid of the pump",
    "the wall of the {} has ribs beside the lid",
)
OTHER = ("the antenna receives waves of the radio station", "an amplifier follows the antenna of the radio")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    random = Random(0)
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.corpus.add(_patent(number, random) for number in range(60))
        made.build("log-tfidf")
        yield made


def test_vectors_learned_from_a_corpus_bridge_what_stands_in_the_same_places(library: Library) -> None:
    library.build("ppmi", parameters={"dimensions": 20})
    vectors = vectors_of("ppmi", library.index("ppmi"))
    assert vectors is not None
    rows = vectors.rows(["casing", "housing", "antenna"])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(3))
    similarity = rows @ rows.T
    assert similarity[0, 1] > 0.6
    assert similarity[0, 1] > similarity[0, 2] + 0.3
    assert vectors.known(["casing", "zebra"]).tolist() == [True, False]
    mine, theirs = (Located(library.corpus[f"XX100{number}A1"], tokens) for number in (0, 1))
    found = bridges(mine, theirs, WordStatistics.of(load(library.folder / "postings" / "full"), vectors), "en")
    assert found == ()  # a third of the documents have each: too usual
    wider = replace(WordStatistics.of(load(library.folder / "postings" / "full"), vectors), documents=1000)
    assert ("near in meaning", "casing", "housing") in told(bridges(mine, theirs, wider, "en"))


def test_vectors_of_topics_are_those_of_texts_of_one_word(library: Library) -> None:
    index = library.build("topics", parameters={"dimensions": 10})["topics"]
    vectors = vectors_of("topics", index)
    assert vectors is not None
    words = ["casing", "housing", "antenna", "lid"]
    assert vectors.topical
    assert vectors.rows(words) == pytest.approx(index.features.encode(words), abs=1e-6)  # type: ignore[attr-defined]
    assert vectors_of("log-tfidf", library.index("log-tfidf")) is None


def _patent(number: int, random: Random) -> Patent:
    name = ("casing", "housing")[number % 2]
    lines = [random.choice(CONTEXTS).format(name) for _ in range(12)] if number < 40 else list(OTHER) * 4
    return Patent(f"XX{1000 + number}A1", title="Device", description=tuple(Paragraph(line) for line in lines))
