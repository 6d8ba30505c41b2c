"""Merges segments, with the same result as a build from texts, and selects which to merge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foreart.features.counting.string_arrays import ends_of, joined, taken
from foreart.index.build.coded_rows import CodedRows
from foreart.index.build.inverting import inverted
from foreart.index.storage.matching import matches
from foreart.index.storage.segment import DOCUMENTS, SegmentArrays
from foreart.index.storage.store import StoredSegment

# A segment with a larger share of deleted documents is rewritten.
MAX_DELETED = 0.2
# An update rewrites at most this many full segments; others wait for the next one.
MAX_REWRITTEN = 4
# Rows copied at once: some ten megabytes.
_BATCH = 1024


def chosen(live: Sequence[int], documents: Sequence[int], *, size: int = DOCUMENTS) -> list[int]:
    """The segments to merge, by their numbers of live documents and of all documents.

    Segments less than half full are merged, so that at most one such is left; segments with more than a fifth of
    deleted documents are rewritten, those with most first. Together they fill at most four segments, which bounds the
    cost of an update for any size of the corpus.
    """
    deleted = [1 - alive / all_ for alive, all_ in zip(live, documents, strict=True)]
    small = {part for part, alive in enumerate(live) if 2 * alive < size}
    wanted = [part for part in range(len(live)) if deleted[part] > MAX_DELETED or part in small]
    if len(wanted) < 2 and not any(deleted[part] > MAX_DELETED for part in wanted):
        return []
    selected: list[int] = []
    filled = 0
    for part in sorted(wanted, key=lambda part: (part not in small, -deleted[part], part)):
        if filled + live[part] <= MAX_REWRITTEN * size:
            selected.append(part)
            filled += live[part]
    return sorted(selected)


def merged(
    parts: Sequence[StoredSegment], sources: np.ndarray, documents: np.ndarray
) -> tuple[SegmentArrays, np.ndarray]:
    """The arrays and digests of a segment whose document n is `documents[n]` of part `sources[n]`."""
    used = np.unique(sources)
    parts = [parts[part] for part in used.tolist()]
    sources = np.searchsorted(used, sources)
    new_numbers, letters, ends = _union(parts)
    rows = _rows(parts, new_numbers, sources, documents)
    ids = joined(
        parts[part].segment.ids[document] for part, document in zip(sources.tolist(), documents.tolist(), strict=True)
    )
    digests = np.empty((len(documents), parts[0].digests.shape[1]), dtype=np.uint8)
    for part, each in enumerate(parts):
        mine = sources == part
        digests[mine] = each.digests[documents[mine]]
    return inverted(ids, letters, ends, rows), digests


def _union(parts: Sequence[StoredSegment]) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """The number of each term of each part in the union of terms, and the union as a string array."""
    lexicons = [each.terms for each in parts]
    new_numbers = [np.zeros(len(strings), dtype=np.uint32) for strings in lexicons]
    letters: list[np.ndarray] = [np.zeros(0, dtype=np.uint8)]
    lengths: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
    first = 0
    for found in matches(lexicons):
        for part, numbers in enumerate(new_numbers):
            numbers[found.numbers(part)] = first + found.of(found.group, part)
        first += len(found.example)
        text, text_ends = taken(found.letters, found.ends, found.example)
        letters.append(text)
        lengths.append(np.diff(text_ends))
    return new_numbers, np.concatenate(letters), ends_of(np.concatenate(lengths))


def _rows(
    parts: Sequence[StoredSegment], new_numbers: Sequence[np.ndarray], sources: np.ndarray, documents: np.ndarray
) -> CodedRows:
    """The rows of the documents over the union of terms."""
    lengths, words = np.zeros(len(documents), dtype=np.int64), np.zeros(len(documents), dtype=np.uint32)
    for part, each in enumerate(parts):
        mine = np.flatnonzero(sources == part)
        lengths[mine] = np.diff(each.arrays["row_ends"])[documents[mine]]
        words[mine] = each.arrays["words"][documents[mine]]
    ends = ends_of(lengths)
    terms, codes = np.empty(ends[-1], dtype=np.uint32), np.empty(ends[-1], dtype=np.uint8)
    for part, each in enumerate(parts):
        own_ends = np.asarray(each.arrays["row_ends"], dtype=np.int64)
        mine = np.flatnonzero(sources == part)
        for start in range(0, len(mine), _BATCH):
            batch = mine[start : start + _BATCH]
            here, there = _ranges(ends[batch], lengths[batch]), _ranges(own_ends[documents[batch]], lengths[batch])
            terms[here] = new_numbers[part][each.arrays["row_terms"][there]]
            codes[here] = each.arrays["row_codes"][there]
    return CodedRows(ends, terms, codes, words, *_overflows(parts, new_numbers, sources, documents))


def _overflows(
    parts: Sequence[StoredSegment], new_numbers: Sequence[np.ndarray], sources: np.ndarray, documents: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows, terms and values of the overflow counts."""
    rows, terms, counts = [], [], []
    for part, each in enumerate(parts):
        mine = np.flatnonzero(sources == part)
        numbers = np.full(len(each), -1, dtype=np.int64)
        numbers[documents[mine]] = mine
        found = numbers[each.arrays["great_docs"]]
        rows.append(found[found >= 0])
        terms.append(new_numbers[part][each.arrays["great_terms"][found >= 0]])
        counts.append(each.arrays["great_counts"][found >= 0])
    return np.concatenate(rows), np.concatenate(terms), np.concatenate(counts)


def _ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The integers of several ranges, concatenated."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    numbers: np.ndarray = np.arange(total) + np.repeat(starts - ends + lengths, lengths)
    return numbers
