"""A long text cut into passages of about equal length, at the ends of paragraphs and sentences where there are any."""

from __future__ import annotations

import numpy as np

from foreart.compiling import compiled
from foreart.errors import ForeartError
from foreart.text.sentences import ALPHANUMERIC, SENTENCE_END, end_behind, tables, words_of


def passages(text: str, *, words: int = 150, overlap: int = 0) -> list[str]:
    """The passages of a text in order; none has more than `words` words.

    >>> passages("One two three. Four five six. Seven eight.", words=6)
    ['One two three.', 'Four five six. Seven eight.']
    """
    return [text[start:end] for start, end in passage_spans(text, words=words, overlap=overlap)]


def passage_spans(text: str, *, words: int = 150, overlap: int = 0) -> list[tuple[int, int]]:
    """The start and end of each passage; passages without a letter or digit are left out.

    Up to `overlap` words of a passage are repeated at the start of the next: whole sentences where one starts there.
    """
    if words < 1:
        raise ForeartError(f"words is {words}; a passage has at least one word")
    if not 0 <= overlap <= words // 3:
        raise ForeartError(
            f"overlap is {overlap}; it can be 0 to {words // 3}, a third of the {words} words of a passage"
        )
    characters, starts, ends = words_of(text)
    first, last = np.empty((2, len(starts)), dtype=np.int32)
    number = _passages(characters, *tables(), starts, ends, words, overlap, first, last)
    return list(zip(first[:number].tolist(), last[:number].tolist(), strict=True))


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
    """Fills in where passages start and end; returns how many have a letter or digit.

    The rest of the text is shared among as few passages as can hold it, so that the last one is not a scrap of three
    words; each ends near its share, at the best kind of end within a quarter of it.
    """
    number = start = 0
    total = len(starts)
    while start < total:
        rest = total - start
        end = total
        if rest > words:
            share = rest / -(-rest // words)
            goal = start + min(words, int(np.rint(share)))
            lowest, highest = start + max(1, int(np.rint(0.75 * share))), start + min(words, int(np.rint(1.25 * share)))
            end = lowest
            best = -1
            for place in range(lowest, highest + 1):
                kind = end_behind(characters, classes, known, starts[place - 1], ends[place - 1], starts[place])
                if kind > best or (kind == best and abs(place - goal) <= abs(end - goal)):
                    best, end = kind, place
        for place in range(starts[start], ends[end - 1]):
            if classes[characters[place]] & ALPHANUMERIC:
                first[number], last[number] = starts[start], ends[end - 1]
                number += 1
                break
        start = end
        if end < total:
            start = end - overlap
            for place in range(end - overlap, end):
                kind = end_behind(characters, classes, known, starts[place - 1], ends[place - 1], starts[place])
                if kind >= SENTENCE_END:
                    start = place
                    break
    return number
