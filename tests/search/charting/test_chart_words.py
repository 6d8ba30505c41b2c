"""Which words of an element count, and in which forms."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.search.charting.element_terms import counted_words, idf_by_stem, terms_of
from foreart.text.stems import forms, stem

FAMILIES = {
    "en": (
        "rotate rotates rotated rotating rotation rotations rotatable rotatably rotational",
        "pivot pivots pivoted pivoting pivotally pivotable",
        "move moves moving moved movable movement",
        "connect connects connected connecting connection connectable",
        "body bodies",
        "control controls controlled controlling",
        "adjust adjustable adjustably adjustment adjusting",
        "thread threads threaded threadedly",
        "box boxes",
        "axis axes",
        "slide slides sliding",
        "sense senses sensed sensing",
        "curve curves curved curving",
        "guide guides guided guiding",
        "angle angles angled",
        "image images imaged imaging",
        "bridge bridging bridges",
        "open opens opened opening",
        "lock locks locked locking",
        "cut cuts cutting",
        "plate plates plated plating",
        "measure measures measured measuring",
        "weave weaves weaving woven",
        "hang hanging hangs",
    ),
    "de": (
        "Gehäuse Gehäuses Gehäusen",
        "Rad Räder Rädern Rades",
        "befestigt befestigen befestigte befestigter Befestigung",
        "Feder Federn",
        "rotieren rotiert",
    ),
}
STRANGERS = (
    ("portion", "port"),
    ("station", "state"),
    ("portable", "port"),
    ("cable", "c"),
    ("lens", "len"),
    ("plane", "plan"),
    ("tape", "tap"),
    ("taping", "tapping"),
    ("tube", "tub"),
)


@pytest.mark.parametrize(
    ("language", "words"), [(language, words.lower().split()) for language, all_ in FAMILIES.items() for words in all_]
)
def test_forms_of_one_word_share_a_stem(language: str, words: list[str]) -> None:
    assert len({stem(word, language) for word in words}) == 1


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_words_that_only_look_alike_do_not(one: str, other: str) -> None:
    assert stem(one, "en") != stem(other, "en")


def test_other_languages_keep_their_words() -> None:
    assert stem("mouvements", "fr") == "mouvements"


@given(st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1), st.sampled_from(["en", "de", "fr", ""]))
def test_every_form_shares_the_stem_and_the_word_is_its_first_form(word: str, language: str) -> None:
    found = forms(word, language)
    assert found[0] == word
    assert {stem(form, language) for form in found} == {stem(word, language)}


def test_claim_language_numerals_letters_and_claim_numbers_do_not_count() -> None:
    text = "b) wherein said lever (12, 14a) according to any of claims 1 to 3 is configured to lock the pawl 16"
    assert counted_words(text, "en", {"16": "spring pawl"}) == ["lever", "lock", "pawl"]
    assert counted_words("a pawl of 16 mm", "en", {"16": "bore"}) == ["pawl", "16", "mm"]
    german = "wobei die genannte Feder (7) nach Anspruch 1 die Sperrklinke umfasst"
    assert counted_words(german, "de", {}) == ["feder", "sperrklinke"]


def test_german_articles_are_english_tools() -> None:
    assert counted_words("the die", "en", {}) == ["die"]


def test_an_element_of_claim_language_alone_keeps_its_words() -> None:
    assert counted_words("wherein said means", "en", {}) == ["wherein", "said", "means"]
    assert counted_words("12", "en", {}) == ["12"]


def test_the_most_frequent_form_gives_the_weight() -> None:
    df = {"lever": 9, "levers": 39, "pawl": 0}
    idf = idf_by_stem(["levers", "pawl"], "en", lambda words: [df.get(word, 0) for word in words], 99)
    assert idf == {"lever": pytest.approx(log(100 / 40)), "pawl": pytest.approx(log(100))}
    large = idf_by_stem(["pawl"], "en", lambda words: [0 for _ in words], 20_000)
    assert large["pawl"] == pytest.approx(log(20_001 / 6))
    everywhere = idf_by_stem(["pawl"], "en", lambda words: [99 for _ in words], 99)
    assert everywhere["pawl"] == 0.1


def test_neighbours_are_the_words_beside_it_whatever_stands_between() -> None:
    idf = dict.fromkeys(("lock", "lever", "pawl"), 1.0)
    found = terms_of("a locking lever for the pawl, the lever being locked", "en", idf)
    assert [(term.word, sorted(term.neighbours)) for term in found] == [
        ("locking", ["lever"]),
        ("lever", ["lock", "pawl"]),
        ("pawl", ["lever"]),
    ]
