"""Lookups in the postings of the full text, without weights: which rows have a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from foreart.index.storage.snapshot import Snapshot
from foreart.search.ranker import Ranker

# For each row whether its document has a word, or, if the second argument is true, a word with this prefix.
HasWord = Callable[[str, bool], np.ndarray]


def posted_text(ranker: Ranker, ids: Sequence[str], *, corpus: str, postings: Snapshot | None = None) -> HasWord | None:
    """Lookup in the postings of a ranker, or in others; None if they were built from another state of the corpus.

    Postings of one section, or of another tokenization, cannot answer for the full text.
    """
    snapshot = ranker.postings or postings
    if snapshot is None or snapshot.manifest is None:
        return None
    manifest = snapshot.manifest
    if (manifest.sections, manifest.cutting, manifest.corpus) != ("full", "default", corpus):
        return None
    rows = snapshot.rows(ids)
    return _has_word(snapshot, rows) if (rows >= 0).all() else None


def _has_word(snapshot: Snapshot, rows: np.ndarray) -> HasWord:
    from foreart.index.query.containing import rows_with

    def has_word(word: str, prefix: bool) -> np.ndarray:
        mask: np.ndarray = rows_with(snapshot, word, beginning=prefix)[rows]
        return mask

    return has_word
