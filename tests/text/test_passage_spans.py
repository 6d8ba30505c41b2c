"""The compiled loops split passages exactly as the plain Python reference."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.sources import read
from foreart.text import section_text
from foreart.text.passages import passage_spans
from text.plain_passage_spans import plain_spans

SAMPLE = Path(__file__).resolve().parents[2] / "src" / "foreart" / "sample" / "patents.jsonl"
# Sentence ends and exceptions to them, letters with unusual case folding, and characters beyond the basic plane.
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
def test_passages_equal_the_reference(text: str, words: int) -> None:
    assert passage_spans(text, words=words) == plain_spans(text, words=words)


@settings(deadline=None)  # the first one compiles
@given(text=st.text(max_size=200), words=st.integers(1, 10))
def test_passages_of_random_text_equal_the_reference(text: str, words: int) -> None:
    assert passage_spans(text, words=words) == plain_spans(text, words=words)


@pytest.mark.parametrize("words", [20, 150, 300])
def test_passages_of_patents_equal_the_reference(words: int) -> None:
    for patent in read(SAMPLE):
        text = section_text(patent)
        assert passage_spans(text, words=words) == plain_spans(text, words=words)
