"""Lexicons in memory and in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.index.storage import lexicon as module
from foreart.index.storage.lexicon import ABSENT, Lexicon

_STRINGS = st.lists(st.text(max_size=20), unique=True, max_size=40)


@settings(deadline=None)
@given(_STRINGS, st.lists(st.text(max_size=20), max_size=9))
def test_strings_and_numbers(strings: list[str], others: list[str]) -> None:
    made = Lexicon.of(strings)
    known = [string.encode("utf-8", "replace").decode() for string in strings]
    if len(set(known)) < len(known):  # several surrogates become the same question mark
        return
    assert (len(made), list(made)) == (len(known), known)
    numbers = {string: number for number, string in enumerate(known)}
    queries = [*known, *others]
    normalised = [string.encode("utf-8", "replace").decode() for string in queries]
    assert made.find(queries).tolist() == [numbers.get(string, ABSENT) for string in normalised]
    assert np.count_nonzero(made.slots) == len(known)
    assert len(made.slots) <= 4 * len(known) + 9


def test_crowded_table_still_distinguishes_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    """All have the last home slot: they overflow the table, and searches end."""
    monkeypatch.setattr(module, "hashes", lambda letters, ends: np.full(len(ends) - 1, 2**64 - 1, dtype=np.uint64))
    strings = [f"{number}" for number in range(50)]
    made = Lexicon.of(strings)
    assert made.slots[-1] == 0
    assert made.find([*strings, "50", ""]).tolist() == [*range(50), ABSENT, ABSENT]


def test_lookup_reads_only_what_it_needs(tmp_path: Path) -> None:
    made = Lexicon.of([f"word{number}" for number in range(1000)])
    for name in ("letters", "ends", "slots"):
        np.save(tmp_path / name, getattr(made, name))
    mapped = Lexicon(*(np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("letters", "ends", "slots")))
    assert isinstance(mapped.letters, np.memmap)
    assert mapped.find(["word999", "word1000", "word0"]).tolist() == [999, ABSENT, 0]
    assert (mapped[999], mapped[-1], mapped[0]) == ("word999", "word999", "word0")
    with pytest.raises(IndexError):
        mapped[1000]


def test_empty_lexicon() -> None:
    assert list(Lexicon.of([])) == []
    assert Lexicon.of([]).find(["a", ""]).tolist() == [ABSENT, ABSENT]
    assert Lexicon.of([""]).find(["a", ""]).tolist() == [ABSENT, 0]
