"""Postings of the full text, asked without weights: which rows are selected, and which have a word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from foreart.corpus import Selection
from foreart.index.storage.snapshot import Snapshot
from foreart.search.ranker import Ranker


class FullText(Protocol):
    """What knows the words of all documents."""

    def selected(self, selection: Selection) -> np.ndarray:
        """For each row whether its document is selected."""

    def having(self, word: str, beginning: bool) -> np.ndarray:
        """For each row whether its document has a word, or one that begins so."""


class PostedText(FullText):
    """That of postings, in the order of some ids."""

    def __init__(self, snapshot: Snapshot, rows: np.ndarray) -> None:
        self._snapshot, self._rows = snapshot, rows

    def selected(self, selection: Selection) -> np.ndarray:
        """For each row whether its document is selected."""
        assert self._snapshot.facts is not None
        mask: np.ndarray = self._snapshot.facts.mask(selection)[self._rows]
        return mask

    def having(self, word: str, beginning: bool) -> np.ndarray:
        """For each row whether its document has a word, or one that begins so."""
        from foreart.index.query.containing import rows_with

        mask: np.ndarray = rows_with(self._snapshot, word, beginning=beginning)[self._rows]
        return mask


def posted_text(ranker: Ranker, ids: Sequence[str], *, corpus: str, folder: Path | None = None) -> FullText | None:
    """The postings that a ranker has of the full text, or a folder; None if there are none of this state of the corpus.

    Those of one section or of another way to cut words do not answer for the full text.
    """
    snapshot = ranker.postings or _of_folder(folder)
    if snapshot is None or snapshot.manifest is None or snapshot.facts is None:
        return None
    about = snapshot.manifest
    if (about.sections, about.cutting, about.corpus) != ("full", "default", corpus):
        return None
    rows = snapshot.rows(ids)
    return PostedText(snapshot, rows) if (rows >= 0).all() else None


def _of_folder(folder: Path | None) -> Snapshot | None:
    if folder is None or not (folder / "full" / "current").exists():
        return None
    from foreart.index.storage import store

    return store.load(folder / "full")
