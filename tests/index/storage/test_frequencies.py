"""Document frequencies over all segments: strings are distinguished even if their hashes collide."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.features.counting.string_arrays import hashes, joined
from foreart.index.storage import matching
from foreart.index.storage.document_frequencies import PreviousStatistics, sum_frequencies
from foreart.index.storage.matching import Strings, by_hash, matches

WORD = st.one_of(
    st.text(st.sampled_from("ab\0é数"), max_size=20),
    st.text(st.sampled_from("ab"), min_size=60, max_size=70),
)


def strings_of(words: list[str]) -> Strings:
    letters, ends = joined(words)
    return Strings(letters, ends, by_hash(letters, ends))


def frequencies_of(lists: list[dict[str, int]], at_once: int) -> tuple[list[dict[str, int]], object]:
    df = [np.array(list(each.values()), dtype=np.uint32) for each in lists]
    statistics = sum_frequencies([strings_of(list(each)) for each in lists], df, documents=99, words=5, at_once=at_once)
    return [dict(zip(each, found.tolist(), strict=True)) for each, found in zip(lists, df, strict=True)], statistics


LISTS = st.lists(st.dictionaries(WORD, st.integers(0, 9), max_size=30), min_size=1, max_size=4)


@given(LISTS, st.sampled_from([1, 7, 1000]))
@settings(deadline=None, max_examples=60)
def test_frequencies_are_summed_over_equal_strings(lists: list[dict[str, int]], at_once: int) -> None:
    totals: Counter[str] = Counter()
    for each in lists:
        totals.update(each)
    found, statistics = frequencies_of(lists, at_once)
    assert found == [{word: totals[word] for word in each} for each in lists]
    assert statistics.terms == sum(number > 0 for number in totals.values())
    # For any division of words into lists and parts.
    assert frequencies_of([dict(totals)], 5)[1] == statistics
    assert frequencies_of([dict(sorted(totals.items())), {}], 1000)[1] == statistics


@pytest.mark.parametrize("bits", [0, 1, 3])
def test_hash_collisions_are_resolved(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    real = hashes
    # All strings have the same hash, or one of two, or one of eight.
    monkeypatch.setattr(
        matching, "hashes", lambda letters, ends: (real(letters, ends) >> np.uint64(61)) >> np.uint64(3 - bits)
    )
    rng = random.Random(bits)
    words = ["a" * length + ending for length in (1, 7, 8, 9, 15, 16, 17, 40, 80) for ending in ("", "b", "c", "\0")]
    lists = [{word: rng.randrange(4) for word in rng.sample(words, 25)} for _ in range(5)]
    totals: Counter[str] = Counter()
    for each in lists:
        totals.update(each)
    assert frequencies_of(lists, 1000)[0] == [{word: totals[word] for word in each} for each in lists]


def test_fingerprint_depends_on_words_and_frequencies() -> None:
    rng = random.Random(1)
    lists = [{f"w{number}": rng.randrange(1, 5) for number in range(50)} for _ in range(3)]
    prints = {frequencies_of(lists, 1000)[1].fingerprint}
    for _ in range(100):
        changed = [dict(each) for each in lists]
        changed[rng.randrange(3)][f"w{rng.randrange(50)}"] += 1
        prints.add(frequencies_of(changed, 1000)[1].fingerprint)
        swapped = [{word.replace("w7", "v7"): number for word, number in each.items()} for each in lists]
    prints.add(frequencies_of(swapped, 1000)[1].fingerprint)
    assert 40 < len(prints) <= 102


def test_every_string_is_in_one_part() -> None:
    lists = [[f"w{number}" for number in range(start, start + 500)] for start in (0, 250, 400)]
    parts = list(matches([strings_of(each) for each in lists], at_once=100))
    assert len(parts) == 15
    assert sum(len(part.example) for part in parts) == 900
    for lexicon, words in enumerate(lists):
        numbers = np.concatenate([part.numbers(lexicon) for part in parts])
        assert sorted(numbers.tolist()) == list(range(len(words)))
    assert max(len(part.number) for part in parts) < 200


def test_drift_ignores_new_and_deleted_words() -> None:
    strings = [strings_of(["a", "b"]), strings_of(["a", "c"])]
    df = [np.array([3, 0], dtype=np.uint32), np.array([1, 1], dtype=np.uint32)]
    before = PreviousStatistics(10, [np.array([2, 5], dtype=np.uint32), None])
    drift = sum_frequencies(strings, df, documents=20, words=0, before=before).drift
    assert drift == pytest.approx(abs(np.log(20 / 4) - np.log(10 / 2)))
    assert sum_frequencies(strings, df, documents=20, words=0).drift == 0
