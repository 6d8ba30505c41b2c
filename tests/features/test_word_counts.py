"""The compiled tokenizer and counter against `tokens` and Counter."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foreart.features import Tfidf, count
from foreart.features.counting.compiled_counter import CompiledCounter
from foreart.features.counting.count_rows import count_known
from foreart.features.counting.string_arrays import split
from foreart.features.counting.text_counts import word_counter
from foreart.features.counting.word_counts import WordCounter
from foreart.text import tokens

# Separators, digits, letters whose lower case depends on their neighbours, combining marks, ligatures, characters that
# normalise to several or to a space, a lone surrogate, and characters beyond 16 bits.
_SIGNS = " \t\n\0\x1f\x7f_-.:'^`\"/09azAZ@[{éßİſΣΑσ\u0301\u0338\u0327<=ﬁ½²µ\u00a0\u00ad\u2028…数가\u1161\u11a8\ud800𝚺𝒜"
_TEXTS = st.one_of(
    st.text(st.sampled_from(_SIGNS), max_size=40), st.text(max_size=40), st.text(st.characters(codec="ascii"))
)
COUNTERS = [WordCounter, CompiledCounter]


def dictionaries(counter: WordCounter) -> list[dict[str, int]]:
    words, rows = split(*counter.letters()), counter.rows()
    assert (rows.ends.dtype, rows.terms.dtype, rows.counts.dtype) == (np.int64, np.uint32, np.uint32)
    assert len(words) == len(set(words)) == counter.terms
    return [
        {words[term]: int(times) for term, times in zip(rows.terms[start:end], rows.counts[start:end], strict=True)}
        for start, end in zip(rows.ends[:-1], rows.ends[1:], strict=True)
    ]


@pytest.mark.parametrize("kind", COUNTERS)
@settings(deadline=None, max_examples=200)
@given(texts=st.lists(_TEXTS, max_size=4))
@example(
    texts=[
        "ΑΣ",
        "ΑΣ.Α",
        "ΑΣ Α",
        "Α\u0301Σ\0Α",
        "a <\u0338 b <\u0338",
        " \u0301a",
        "x" * 8,
        "x" * 16 + " " + "x" * 8,
        "x" * 9,
    ]
)
def test_words_equal_tokens(kind: type[WordCounter], texts: list[str]) -> None:
    counter = kind()
    for text in texts:
        counter.add(text)
    expected = [Counter(tokens(text)) for text in texts]
    assert len(counter) == len(texts)
    assert dictionaries(counter) == expected
    encoded = kind()
    for text in texts:
        encoded.add(text.encode("utf-8", "replace"))
    assert dictionaries(encoded) == expected


@pytest.mark.parametrize("kind", COUNTERS)
def test_tables_grow(kind: type[WordCounter]) -> None:
    many = " ".join(f"w{number}" for number in range(30_000))
    long = "acgt" * 60_000
    texts = ["one", many, long, f"{long} {long}x one", f"{many} é{long} {many}", ""]
    counter = kind()
    for text in texts:
        counter.add(text)
    assert dictionaries(counter) == [Counter(tokens(text)) for text in texts]


@pytest.mark.parametrize("kind", COUNTERS)
@settings(deadline=None, max_examples=50)
@given(first=st.lists(_TEXTS, max_size=3), second=st.lists(_TEXTS, max_size=3))
def test_ids_of_another_counter(kind: type[WordCounter], first: list[str], second: list[str]) -> None:
    counters = kind(), kind()
    for counter, texts in zip(counters, (first, second), strict=True):
        for text in texts:
            counter.add(text)
    common, from_strings = kind(), kind()
    ids = [common.ids_of(counter) for counter in (*counters, counters[0])]
    for counter, found in zip((*counters, counters[0]), ids, strict=True):
        assert from_strings.ids_of_strings(*counter.letters()).tolist() == found.tolist()
    assert split(*from_strings.letters()) == split(*common.letters())
    words = split(*common.letters())
    assert sorted(words) == sorted({word for text in (*first, *second) for word in tokens(text)})
    for counter, found in zip((*counters, counters[0]), ids, strict=True):
        assert [words[number] for number in found] == split(*counter.letters())
    common.add("and this, and that")
    assert dictionaries(common) == [{"and": 2, "this": 1, "that": 1}]


def test_counters_of_different_kinds_are_refused() -> None:
    with pytest.raises(TypeError):
        CompiledCounter().ids_of(WordCounter())


def test_counting_is_thread_safe() -> None:
    def counted(first: int) -> list[dict[str, int]]:
        counter = word_counter()
        for text in range(first, first + 50):
            counter.add(" ".join(f"Wort{number % (text + 7)} größe" for number in range(400)))
        return dictionaries(counter)

    alone = [counted(first) for first in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(counted, range(4))) == alone


@settings(deadline=None, max_examples=30)
@given(st.lists(_TEXTS, min_size=12, max_size=24))
def test_compiled_counts_equal_plain_counts(texts: list[str]) -> None:
    found, expected = count(texts, tokens), count(texts, lambda text: tokens(text))
    assert list(found.terms) == list(expected.terms) == sorted({word for text in texts for word in tokens(text)})
    assert found.rows.dtype == expected.rows.dtype == np.int32
    assert found.rows.has_sorted_indices
    assert (found.rows != expected.rows).nnz == 0
    known = found.terms[::2]
    columns = {term: column for column, term in enumerate(known)}
    here, there = (count_known(texts, words, known, columns).rows for words in (tokens, lambda text: tokens(text)))
    assert here.shape == there.shape == (len(texts), len(known))
    assert (here != there).nnz == 0
    assert here.sum() == sum(word in columns for text in texts for word in tokens(text))


def test_compiled_counter_is_used_for_the_default_tokenizer() -> None:
    assert type(word_counter(Tfidf().tokenizer)) is type(word_counter()) is CompiledCounter
    for words in (str.split, Tfidf(as_published=True).tokenizer):
        assert type(word_counter(words)) is WordCounter
    assert dictionaries_of("A-b A-b", str.split) == [{"A-b": 2}]


def dictionaries_of(text: str, words: object) -> list[dict[str, int]]:
    counter = word_counter(words)  # type: ignore[arg-type]
    counter.add(text)
    return dictionaries(counter)
