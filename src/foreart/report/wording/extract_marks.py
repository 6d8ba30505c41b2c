"""Where a passage has words of the draft, or bridges to them."""

from __future__ import annotations

from collections.abc import Iterator

from foreart.search.explaining import Extract
from foreart.text.tokens import WORD, tokens


def marks(text: str, item: Extract) -> Iterator[tuple[int, int, str]]:
    """Start, end, and the draft's term that a bridge stands for, `""` for a shared word."""
    found = [(match.start(), match.end(), tokens(match[0])) for match in WORD.finditer(text)]
    words = [cut[0] if len(cut) == 1 else "" for _, _, cut in found]
    across = {tuple(theirs.split()): mine for theirs, mine in item.bridged}
    place = 0
    while place < len(found):
        run = next((run for run in across if tuple(words[place : place + len(run)]) == run), ())
        last = place + max(1, len(run)) - 1
        if run or words[place] in item.words:
            yield found[place][0], found[last][1], across.get(run, "")
        place = last + 1
