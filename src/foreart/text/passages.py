"""Splits a long text into passages of about equal length, at paragraph and sentence ends where possible."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.errors import ForeartError
from foreart.text.sentences import ALPHANUMERIC, SENTENCE_END, boundary_after, tables, word_spans


def passages(text: str, *, words: int = 150, overlap: int = 0) -> list[str]:
    """The passages of a text in order, each of at most `words` words.

    >>> passages("One two three. Four five six. Seven eight.", words=6)
    ['One two three.', 'Four five six. Seven eight.']
    """
    return [text[start:end] for start, end in passage_spans(text, words=words, overlap=overlap)]


def passage_spans(text: str, *, words: int = 150, overlap: int = 0) -> list[tuple[int, int]]:
    """Start and end offsets of each passage; passages without a letter or digit are left out.

    Up to `overlap` words of a passage are repeated at the start of the next, full sentences where one starts there.
    """
    if words < 1:
        raise ForeartError(f"words is {words}; a passage has at least one word")
    if not 0 <= overlap <= words // 3:
        raise ForeartError(
            f"overlap is {overlap}; it can be 0 to {words // 3}, a third of the {words} words of a passage"
        )
    characters, starts, ends = word_spans(text)
    first, last = np.empty((2, len(starts)), dtype=np.int32)
    count = _passages(characters, *tables(), starts, ends, words, overlap, first, last)
    return list(zip(first[:count].tolist(), last[:count].tolist(), strict=True))


@compiled
def _passages(
    characters: np.ndarray,
    classes: np.ndarray,
    known: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    words: int,
    overlap: int,
    first: np.ndarray,
    last: np.ndarray,
) -> int:
    """Writes passage offsets to `first` and `last`; returns the number of passages with a letter or digit.

    The remaining text is divided evenly among as few passages as can hold it, so that the last one is not three words
    long; each ends near its target length, at the strongest boundary within 25 % of it.
    """
    count = start = 0
    total = len(starts)
    while start < total:
        rest = total - start
        end = total
        if rest > words:
            share = rest / -(-rest // words)
            target = start + min(words, int(np.rint(share)))
            lowest, highest = start + max(1, int(np.rint(0.75 * share))), start + min(words, int(np.rint(1.25 * share)))
            end = lowest
            best = -1
            for word in range(lowest, highest + 1):
                kind = boundary_after(characters, classes, known, starts[word - 1], ends[word - 1], starts[word])
                if kind > best or (kind == best and abs(word - target) <= abs(end - target)):
                    best, end = kind, word
        for position in range(starts[start], ends[end - 1]):
            if classes[characters[position]] & ALPHANUMERIC:
                first[count], last[count] = starts[start], ends[end - 1]
                count += 1
                break
        start = end
        if end < total:
            start = end - overlap
            for word in range(end - overlap, end):
                kind = boundary_after(characters, classes, known, starts[word - 1], ends[word - 1], starts[word])
                if kind >= SENTENCE_END:
                    start = word
                    break
    return count
