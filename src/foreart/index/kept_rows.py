"""Which rows of an earlier index are those of unchanged documents, so that only the others are encoded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.corpus import Corpus, scanning
from foreart.features.counting.string_arrays import ends_of
from foreart.index.row_index import RowIndex
from foreart.index.storage.snapshot import Snapshot

_HASH = 16  # bytes of the content hash of a patent


@dataclass(frozen=True, eq=False)
class Documents:
    """The documents of an index in the order of its rows: ids, serials, and hashes of their contents."""

    ids: list[str]
    serials: np.ndarray
    contents: np.ndarray  # uint8, 16 columns


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Documents `here` are rows `there` of the earlier index; the documents `new` must be encoded."""

    index: RowIndex
    here: np.ndarray
    there: np.ndarray
    new: np.ndarray


def documents_of(corpus: Corpus, snapshot: Snapshot | None) -> Documents:
    """All documents of a corpus, in the order of a snapshot, or of arrival."""
    scanned = list(scanning.contents(corpus))
    if snapshot is not None:
        by_id = {entry[1]: entry for entry in scanned}
        # A document that is gone meanwhile is found by the fingerprint of the corpus at the end of the build.
        scanned = [by_id.get(number, (0, number, bytes(_HASH))) for number in snapshot.ids]
    contents = np.frombuffer(b"".join(content for _, _, content in scanned), dtype=np.uint8)
    serials = np.array([serial for serial, _, _ in scanned], dtype=np.int64)
    return Documents([number for _, number, _ in scanned], serials, contents.reshape(-1, _HASH))


def kept_of(index: RowIndex | None, documents: Documents) -> KeptRows | None:
    """The rows of an earlier index that are still right; None if there is no earlier index."""
    if index is None:
        return None
    every = np.arange(len(documents.ids))
    if index.contents is None:  # written by foreart 0.2: its model is kept, its rows are not known to be right
        return KeptRows(index, every[:0], every[:0], every)
    known = {number: row for row, number in enumerate(index.ids)}
    rows = np.fromiter((known.get(number, -1) for number in documents.ids), np.int64, len(documents.ids))
    same = (rows >= 0) & (np.asarray(index.contents)[rows] == documents.contents).all(axis=1)
    return KeptRows(index, every[same], rows[same], every[~same])


def joined_groups(kept: KeptRows, encoded: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and offsets of all documents, if each has several: kept ones, and those of new documents."""
    old, groups = kept.index.rows.data, np.asarray(kept.index.rows.groups)
    sizes = np.zeros(len(kept.here) + len(kept.new), dtype=np.int64)
    sizes[kept.here], sizes[kept.new] = np.diff(groups)[kept.there], np.diff(ends)
    offsets = ends_of(sizes)
    rows = np.empty((int(offsets[-1]), old.shape[1]), dtype=np.float32)
    rows[_ranges(offsets[kept.here], sizes[kept.here])] = old[_ranges(groups[kept.there], sizes[kept.here])]
    if len(kept.new):
        rows[_ranges(offsets[kept.new], sizes[kept.new])] = encoded
    return rows, offsets


def _ranges(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The numbers of consecutive ranges, one after another."""
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    positions: np.ndarray = np.repeat(starts, sizes) + within
    return positions
