"""Which rows have a word, or any word with a beginning: read off the lists of documents, without weights."""

from __future__ import annotations

import numpy as np

from foreart.index.storage.lexicon import Lexicon
from foreart.index.storage.snapshot import Snapshot


def rows_with(snapshot: Snapshot, word: str, *, beginning: bool = False) -> np.ndarray:
    """For each row whether its document has the word; `beginning` asks for any word that begins so."""
    found = [np.zeros(0, dtype=bool)]
    for segment, alive in zip(snapshot.segments, snapshot.alive, strict=True):
        numbers = _beginning(segment.terms, word.encode()) if beginning else segment.terms.find([word])
        mask = np.zeros(len(segment), dtype=bool)
        for number in numbers[numbers >= 0].tolist():
            mask[segment.arrays.docs[segment.arrays.starts[number] : segment.arrays.starts[number + 1]]] = True
        found.append(mask if alive is None else mask[alive])
    return np.concatenate(found)


def _beginning(terms: Lexicon, letters: bytes) -> np.ndarray:
    """The numbers of the terms that begin with some letters: those left are looked at letter by letter."""
    starts, sizes = terms.ends[:-1], np.diff(terms.ends)
    left = np.flatnonzero(sizes >= len(letters))
    for place, letter in enumerate(letters):
        left = left[terms.letters[starts[left] + place] == letter]
    return left
