"""Documents of several segments become one, as if it had been made of their texts; and which are merged when."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foreart.features.counting.string_arrays import ends_of, joined, taken
from foreart.index.build.coded_rows import CodedRows
from foreart.index.build.inverting import inverted
from foreart.index.storage.matching import matches
from foreart.index.storage.segment import DOCUMENTS, SegmentArrays
from foreart.index.storage.store import Stored

# Of a segment; with more of them it is made anew.
WORN = 0.2
# So many full segments are made anew at most by one update; the rest waits for the next.
AT_MOST = 4
# Rows that are copied at once: some ten megabytes.
_AT_ONCE = 1024


def chosen(living: Sequence[int], documents: Sequence[int], *, size: int = DOCUMENTS) -> list[int]:
    """The segments to merge now, by how many documents of each live, and how many it has.

    Those less than half full are put together, so that one such is left at most, and those of which more than a
    fifth is dead are made anew, the most worn first, as long as the documents fill four segments at most:
    that bounds what an update costs, whatever the size of the corpus.
    """
    worn = [1 - alive / all_ for alive, all_ in zip(living, documents, strict=True)]
    small = {part for part, alive in enumerate(living) if 2 * alive < size}
    wanted = [part for part in range(len(living)) if worn[part] > WORN or part in small]
    if len(wanted) < 2 and not any(worn[part] > WORN for part in wanted):
        return []
    taken: list[int] = []
    filled = 0
    for part in sorted(wanted, key=lambda part: (part not in small, -worn[part], part)):
        if filled + living[part] <= AT_MOST * size:
            taken.append(part)
            filled += living[part]
    return sorted(taken)


def merged(parts: Sequence[Stored], sources: np.ndarray, documents: np.ndarray) -> tuple[SegmentArrays, np.ndarray]:
    """A segment whose document n is `documents[n]` of part `sources[n]`: words and digests."""
    used = np.unique(sources)
    parts = [parts[part] for part in used.tolist()]
    sources = np.searchsorted(used, sources)
    renamed, letters, ends = _union(parts)
    rows = _rows(parts, renamed, sources, documents)
    ids = joined(
        parts[part].segment.ids[document] for part, document in zip(sources.tolist(), documents.tolist(), strict=True)
    )
    digests = np.empty((len(documents), parts[0].digests.shape[1]), dtype=np.uint8)
    for part, each in enumerate(parts):
        mine = sources == part
        digests[mine] = each.digests[documents[mine]]
    return inverted(ids, letters, ends, rows), digests


def _union(parts: Sequence[Stored]) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """The number of each term of each part among the terms of all, and those terms behind one another."""
    lexicons = [each.terms for each in parts]
    renamed = [np.zeros(len(strings), dtype=np.uint32) for strings in lexicons]
    letters: list[np.ndarray] = [np.zeros(0, dtype=np.uint8)]
    lengths: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
    first = 0
    for found in matches(lexicons):
        for part, names in enumerate(renamed):
            names[found.numbers(part)] = first + found.of(found.group, part)
        first += len(found.example)
        text, text_ends = taken(found.letters, found.ends, found.example)
        letters.append(text)
        lengths.append(np.diff(text_ends))
    return renamed, np.concatenate(letters), ends_of(np.concatenate(lengths))


def _rows(
    parts: Sequence[Stored], renamed: Sequence[np.ndarray], sources: np.ndarray, documents: np.ndarray
) -> CodedRows:
    """The rows of the documents over the terms of all parts."""
    lengths, words = np.zeros(len(documents), dtype=np.int64), np.zeros(len(documents), dtype=np.uint32)
    for part, each in enumerate(parts):
        mine = np.flatnonzero(sources == part)
        lengths[mine] = np.diff(each.arrays["row_ends"])[documents[mine]]
        words[mine] = each.arrays["words"][documents[mine]]
    ends = ends_of(lengths)
    terms, codes = np.empty(ends[-1], dtype=np.uint32), np.empty(ends[-1], dtype=np.uint8)
    for part, each in enumerate(parts):
        begins = np.asarray(each.arrays["row_ends"], dtype=np.int64)
        mine = np.flatnonzero(sources == part)
        for start in range(0, len(mine), _AT_ONCE):
            those = mine[start : start + _AT_ONCE]
            here, there = _ranges(ends[those], lengths[those]), _ranges(begins[documents[those]], lengths[those])
            terms[here] = renamed[part][each.arrays["row_terms"][there]]
            codes[here] = each.arrays["row_codes"][there]
    return CodedRows(ends, terms, codes, words, *_great(parts, renamed, sources, documents))


def _great(
    parts: Sequence[Stored], renamed: Sequence[np.ndarray], sources: np.ndarray, documents: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows, terms and numbers of the counts that no code can hold."""
    rows, terms, counts = [], [], []
    for part, each in enumerate(parts):
        mine = np.flatnonzero(sources == part)
        numbers = np.full(len(each), -1, dtype=np.int64)
        numbers[documents[mine]] = mine
        found = numbers[each.arrays["great_docs"]]
        rows.append(found[found >= 0])
        terms.append(renamed[part][each.arrays["great_terms"][found >= 0]])
        counts.append(each.arrays["great_counts"][found >= 0])
    return np.concatenate(rows), np.concatenate(terms), np.concatenate(counts)


def _ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """All numbers of several ranges, one behind the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    numbers: np.ndarray = np.arange(total) + np.repeat(starts - ends + lengths, lengths)
    return numbers
