"""Compiled cutting finds the passages that `foreart.text.passages` finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.index.passages import cutting
from foreart.index.passages.cutting import spans
from foreart.sources import read
from foreart.text import passage_spans, section_text

SAMPLE = Path(__file__).resolve().parents[3] / "src" / "foreart" / "sample" / "patents.jsonl"
# All that cuts or keeps from cutting, and what is left to Python: letters that are others in small, and two-part signs.
WORDS = st.one_of(
    st.sampled_from(["probe", "echo.", "Bone", "3", "3.5", "one;", "two:", "end.)", 'so!"', "«was?»", ")", "'.", "_"]),
    st.sampled_from(["FIG.", "fig.", "(e.g.", "U.S.", "approx.", "appr.", "J.", ".."]),
    st.sampled_from(
        ["骨折。", "骨、折", "（。", "カ！」", "…", "é.", "ǆ", "Ä", "figſ.", "ın", "No\u212a.", "𝛼", "😀."]
    ),
    st.sampled_from(["x" * 90, "\ud800", "\n", "\n\n", "\t", "\u00a0", "\u3000", "\x1c", "\u2028"]),
)
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from([" ", " ", " ", "", "\n"])).map("".join), max_size=100).map("".join)


@settings(deadline=None)  # the first one compiles
@given(text=TEXTS, words=st.integers(1, 30))
def test_the_same_passages(text: str, words: int) -> None:
    assert spans(text, words) == passage_spans(text, words=words)


@settings(deadline=None)  # the first one compiles
@given(text=st.text(max_size=200), words=st.integers(1, 10))
def test_the_same_of_any_text(text: str, words: int) -> None:
    assert spans(text, words) == passage_spans(text, words=words)


@pytest.mark.parametrize("words", [20, 150, 300])
def test_the_same_of_patents(words: int) -> None:
    for patent in read(SAMPLE):
        text = section_text(patent)
        assert spans(text, words) == passage_spans(text, words=words)


def test_each_abbreviation_ends_no_sentence() -> None:
    for word in cutting._ABBREVIATIONS.split():
        for written in (word, word.upper(), word.title()):
            text = f"a b c d {written}. E f g h i"
            assert spans(text, 8) == passage_spans(text, words=8)
    assert spans("a b c d prob. E f g h i", 8) == [(0, 13), (14, 23)]
