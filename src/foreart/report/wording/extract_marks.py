"""Positions of the draft's words, and of bridges to them, in a passage."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from foreart.search import Hit
from foreart.search.explaining import Extract
from foreart.text.tokens import WORD, tokens

_MARKED = 0.05  # minimum share of the largest contribution; words below it occur in every text


def marked_words(hit: Hit) -> frozenset[str]:
    """The words of a hit that are worth marking in its texts."""
    return frozenset(word for word, contribution in hit.words if contribution >= _MARKED * hit.words[0][1])


def word_marks(text: str, words: Collection[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each of the words in a text."""
    for match in WORD.finditer(text):
        found = tokens(match[0])
        if found and all(token in words for token in found):
            yield match.start(), match.end()


def marks(text: str, item: Extract) -> Iterator[tuple[int, int, str]]:
    """Start, end, and the draft's term that a bridge replaces, `""` for a shared word."""
    words = [(match.start(), match.end(), tokens(match[0])) for match in WORD.finditer(text)]
    word_tokens = [cut[0] if len(cut) == 1 else "" for _, _, cut in words]
    bridges = {tuple(theirs.split()): mine for theirs, mine in item.bridged}
    position = 0
    while position < len(words):
        run = next((run for run in bridges if tuple(word_tokens[position : position + len(run)]) == run), ())
        last = position + max(1, len(run)) - 1
        if run or word_tokens[position] in item.words:
            yield words[position][0], words[last][1], bridges.get(run, "")
        position = last + 1
