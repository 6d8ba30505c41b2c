"""Token streams return the words in order."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.features import TokenStream, count, tokenized

_WORDS = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "größe", "骨"])
_TEXTS = st.lists(st.lists(_WORDS, max_size=12), max_size=8)


def words(stream: TokenStream) -> list[list[str]]:
    return [[stream.terms[word] for word in text] for text in stream]


@settings(deadline=None)
@given(_TEXTS)
def test_words_are_returned_in_order(texts: list[list[str]]) -> None:
    stream = tokenized((" ".join(text) for text in texts), str.split)
    assert words(stream) == texts
    assert len(stream) == len(texts)
    assert list(stream.terms) == sorted({word for text in texts for word in text})
    for number, text in enumerate(texts):
        assert [stream.terms[word] for word in stream[number]] == text


@settings(deadline=None)
@given(_TEXTS)
def test_counts_equal_those_of_the_texts(texts: list[list[str]]) -> None:
    sources = [" ".join(text) for text in texts]
    found, expected = tokenized(sources, str.split).counts(), count(sources, str.split)
    assert list(found.terms) == list(expected.terms)
    assert found.rows.shape == expected.rows.shape
    assert (found.rows != expected.rows).nnz == 0


def test_ids_of_long_streams_are_remapped_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foreart.features.counting.token_stream._STEP", 4)
    assert words(tokenized(["z y x w v u t s", "a z b"], str.split)) == [list("zyxwvuts"), list("azb")]


def test_temporary_file_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stream = tokenized(["the cat sat"], str.split)
    assert isinstance(stream.ids, np.memmap)
    assert words(stream) == [["the", "cat", "sat"]]
    assert list(tmp_path.iterdir()) == []
