"""The rows that contain a word, or any word with a prefix, from posting lists."""

from __future__ import annotations

import numpy as np

from foreart.index.storage.lexicon import Lexicon
from foreart.index.storage.snapshot import Snapshot


def rows_with(snapshot: Snapshot, word: str, *, beginning: bool = False) -> np.ndarray:
    """Whether the document of each row has the word, or with `beginning` any word with this prefix."""
    masks = [np.zeros(0, dtype=bool)]
    for segment, alive in zip(snapshot.segments, snapshot.alive, strict=True):
        numbers = _with_prefix(segment.terms, word.encode()) if beginning else segment.terms.find([word])
        mask = np.zeros(len(segment), dtype=bool)
        for number in numbers[numbers >= 0].tolist():
            mask[segment.arrays.docs[segment.arrays.starts[number] : segment.arrays.starts[number + 1]]] = True
        masks.append(mask if alive is None else mask[alive])
    return np.concatenate(masks)


def _with_prefix(terms: Lexicon, prefix: bytes) -> np.ndarray:
    """The numbers of the terms with a prefix, filtered byte by byte."""
    starts, sizes = terms.ends[:-1], np.diff(terms.ends)
    matching = np.flatnonzero(sizes >= len(prefix))
    for offset, byte in enumerate(prefix):
        matching = matching[terms.letters[starts[matching] + offset] == byte]
    return matching
