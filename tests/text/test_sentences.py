"""Sentence boundaries, and sentences too long to quote."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.text.sentences import ABBREVIATIONS, MAX_QUOTE_WORDS, sentences


def cut(text: str, *, clauses: bool = False) -> list[str]:
    return [text[start:end] for start, end in sentences(text, clauses=clauses)]


def test_sentence_ends() -> None:
    text = "As FIG. 2 shows, U.S. Pat. No. 5,123,456 has it, e.g. here. The lever 12 moves! Yes?\nA new line"
    assert [text[start:end] for start, end in sentences(text)] == [
        "As FIG. 2 shows, U.S. Pat. No. 5,123,456 has it, e.g. here.",
        "The lever 12 moves!",
        "Yes?",
        "A new line",
    ]


def test_semicolons_end_clauses() -> None:
    text = "A device comprising: a head; a shank; and a tip."
    assert [text[start:end] for start, end in sentences(text, clauses=True)] == [
        "A device comprising: a head;",
        "a shank;",
        "and a tip.",
    ]


def test_long_sentences_are_split_at_commas() -> None:
    text = ", ".join(f"the {number}th lever holds the bar" for number in range(40)) + "."
    pieces = [text[start:end] for start, end in sentences(text)]
    assert all(len(piece.split()) <= MAX_QUOTE_WORDS for piece in pieces)
    assert all(piece.endswith((",", ".")) for piece in pieces)
    assert " ".join(pieces) == text


def test_sequence_without_spaces_is_split() -> None:
    text = "acgt" * 5000
    assert max(end - start for start, end in sentences(text)) <= 900
    assert "".join(text[start:end] for start, end in sentences(text)) == text


@settings(deadline=None)  # the first call compiles
@given(st.text(alphabet="ab.;,: \n\t!?FIG\u00a0。", max_size=400), st.booleans())
def test_sentences_cover_the_text_without_overlap(text: str, clauses: bool) -> None:
    spans = sentences(text, clauses=clauses)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


def test_no_abbreviation_ends_a_sentence() -> None:
    for word in ABBREVIATIONS:
        for written in (word, word.upper(), f"({word}"):
            assert cut(f"Of {written}. Ends. Here") == [f"Of {written}. Ends.", "Here"]
    assert cut("Of prob. Ends") == ["Of prob.", "Ends"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The lever 5. The pawl", ["The lever 5.", "The pawl"]),  # a reference numeral is not an initial
        ("By J. Smith. Then", ["By J. Smith.", "Then"]),
        ("As shown . Then", ["As shown .", "Then"]),
        ("Of 1, 2, ... N of them", ["Of 1, 2, ... N of them"]),
        ("(劣化度）。BW偏差", ["(劣化度）。", "BW偏差"]),
        ("Within 5 ms. The 𝛼 wave! 😀 Yes", ["Within 5 ms.", "The 𝛼 wave!", "😀 Yes"]),
        ("The fırſt. Figſ. 2. End", ["The fırſt.", "Figſ. 2.", "End"]),
    ],
)
def test_full_stops(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


def test_text_without_words_has_no_sentences() -> None:
    assert sentences("") == sentences(" \n ") == []
