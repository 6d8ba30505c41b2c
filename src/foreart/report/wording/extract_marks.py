"""Positions of the draft's words, and of bridges to them, in a passage."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.search.explaining import Extract
from foreart.text.tokens import WORD, tokens


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
