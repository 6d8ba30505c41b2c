"""Splitting long texts into passages."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.errors import ForeartError
from foreart.text.passages import passage_spans, passages

UNITS = st.lists(
    st.sampled_from(["probe", "echo.", "Bone", "FIG.", "3", "one;", "two:", "\n", "骨折。", "x" * 90, "…", "\n\n"]),
    max_size=120,
).map(" ".join)


def units(text: str) -> int:
    """Word count as in passages: each character in scripts without spaces, long runs split every forty."""
    return len(re.findall(r"[骨折]。?|[^\s骨折]{1,40}", text))


def test_short_text_is_one_passage() -> None:
    assert passages("  A probe.\nAn echo. ") == ["A probe.\nAn echo."]
    assert passages("") == passages(" \n ") == passages("… -- ?!") == []


def test_passages_end_at_sentence_ends() -> None:
    text = "One two three. Four five six. Seven eight nine ten. Eleven twelve."
    assert passages(text, words=8) == ["One two three. Four five six.", "Seven eight nine ten. Eleven twelve."]


def test_paragraph_ends_are_preferred_to_sentence_ends_to_clause_ends() -> None:
    assert passages("a b c. D e\nf g. H i j k", words=7) == ["a b c. D e", "f g. H i j k"]
    assert passages("a b c; d e f. G h; i j k l", words=7) == ["a b c; d e f.", "G h; i j k l"]
    assert passages("a b c d e: f g h i j", words=7) == ["a b c d e:", "f g h i j"]


@pytest.mark.parametrize("dot", ["FIG. 3", "No. 7", "U.S. Pat", "(e.g. Bone", "J. Smith", "approx. 3", "one. two"])
def test_not_every_full_stop_ends_a_sentence(dot: str) -> None:
    """If the only full stop, in the middle of ten words, is no boundary, the text is split in half."""
    first, second = dot.split()
    text = f"a b c {first} {second} d e f g h"
    assert passages(text, words=8) == [f"a b c {first} {second}", "d e f g h"]
    assert passages("a b c end. Second d e f g h", words=8)[0] == "a b c end."


def test_words_without_boundaries_are_split_evenly() -> None:
    cut = passages(" ".join(["w"] * 301), words=150)
    assert [len(passage.split()) for passage in cut] == [100, 100, 101]


def test_last_passage_is_not_short() -> None:
    text = " ".join(f"Word {number} of a sentence." for number in range(61))
    sizes = [len(passage.split()) for passage in passages(text, words=150)]
    assert sum(sizes) == 305
    assert min(sizes) >= 95


def test_scripts_without_spaces_are_split() -> None:
    text = "超音波を送る装置。骨を見る。" * 20
    cut = passages(text, words=50)
    assert "".join(cut) == text
    assert all(passage.endswith("。") and len(passage) <= 57 for passage in cut)
    assert [len(part) for part in passages("A" * 100, words=2)] == [80, 20]


def test_overlap_starts_at_a_sentence() -> None:
    text = "One two three. Four five six. Seven eight nine. Ten eleven twelve. Last of all."
    assert passages(text, words=9, overlap=3) == [
        "One two three. Four five six. Seven eight nine.",
        "Seven eight nine. Ten eleven twelve. Last of all.",
    ]
    assert passages("a b c d e f g h i j k l", words=9, overlap=2) == ["a b c d e f", "e f g h i j k l"]


@given(text=UNITS, words=st.integers(1, 20))
def test_every_word_is_in_one_passage_of_limited_length(text: str, words: int) -> None:
    spans = passage_spans(text, words=words)
    assert all(0 < units(text[start:end]) <= words for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert re.sub(r"[\s…]", "", kept) == re.sub(r"[\s…]", "", text)
    assert passages(text, words=words) == [text[start:end] for start, end in spans]


@given(text=UNITS, words=st.integers(3, 20), share=st.floats(0, 1))
def test_overlapping_passages_cover_the_text(text: str, words: int, share: float) -> None:
    spans = passage_spans(text, words=words, overlap=int(share * (words // 3)))
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))
    covered = {offset for start, end in spans for offset in range(start, end)}
    assert all(offset in covered for offset, sign in enumerate(text) if sign.isalnum())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"words": 0}, "at least one word"), ({"words": 9, "overlap": 4}, "0 to 3"), ({"overlap": -1}, "0 to 50")],
)
def test_wrong_sizes_are_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(ForeartError, match=message):
        passages("a", **wrong)
