"""A long text cut into passages of about as many words, at the ends of paragraphs and sentences where there are any."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foreart.errors import ForeartError

# In scripts without spaces each sign counts as a word. Other runs are cut at 40 signs: sequence listings have no space.
_SIGNS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNIT = re.compile(rf"[{_SIGNS}][、。，．！？；：]*|[^\s{_SIGNS}]{{1,40}}")
_LETTER = re.compile(r"[^\W_]")
_CLOSING = "\"')]}”’»"
_ABBREVIATIONS = re.compile(
    r"abb|al|appl?|approx|art|bzw|ca|cf|co|corp|d\.h|dr|e\.g|eqs?|et|etc|ex|figs?|i\.e|inc|jr|ltd|mrs?|ms|nos?|nr|pats?"
    r"|pp?|prof|publ?|refs?|sec|ser|st|u\.s|usw|vgl|vols?|vs|z\.b",
    re.IGNORECASE,
)
_PARAGRAPH, _SENTENCE, _CLAUSE, _NOWHERE = 3, 2, 1, 0


def passages(text: str, *, words: int = 150, overlap: int = 0) -> list[str]:
    """The passages of a text in their order; none of them has more than `words` words.

    >>> passages("One two three. Four five six. Seven eight.", words=6)
    ['One two three.', 'Four five six. Seven eight.']
    """
    return [text[start:end] for start, end in passage_spans(text, words=words, overlap=overlap)]


def passage_spans(text: str, *, words: int = 150, overlap: int = 0) -> list[tuple[int, int]]:
    """Where each passage begins and ends in the text; passages without a letter or digit are left out.

    `overlap` words at most stand in a passage and in the one before it: whole sentences if there are any among them.
    """
    if words < 1:
        raise ForeartError(f"words is {words}; a passage has at least one word")
    if not 0 <= overlap <= words // 3:
        raise ForeartError(
            f"overlap is {overlap}; it can be 0 to {words // 3}, a third of the {words} words of a passage"
        )
    units = [found.span() for found in _UNIT.finditer(text)]
    spans = []
    start = 0
    while start < len(units):
        end = _cut(text, units, start, words)
        spans.append((units[start][0], units[end - 1][1]))
        start = end if end == len(units) else _restart(text, units, end, overlap)
    return [(start, end) for start, end in spans if _LETTER.search(text, start, end)]


def _cut(text: str, units: Sequence[tuple[int, int]], start: int, words: int) -> int:
    """The unit before which a passage that begins at `start` ends.

    What remains is shared among as few passages as can hold it, so that the last one is no scrap of three words; each
    ends near its share, at the best kind of break within a quarter of it.
    """
    rest = len(units) - start
    if rest <= words:
        return len(units)
    share = rest / -(-rest // words)
    lowest, highest = start + max(1, round(0.75 * share)), start + min(words, round(1.25 * share))
    goal = start + min(words, round(share))
    return max(range(lowest, highest + 1), key=lambda end: (_break(text, units, end), -abs(end - goal), end))


def _restart(text: str, units: Sequence[tuple[int, int]], end: int, overlap: int) -> int:
    """Where the next passage begins: at a sentence within the overlap, else the whole overlap back."""
    for start in range(end - overlap, end):
        if _break(text, units, start) >= _SENTENCE:
            return start
    return end - overlap


def _break(text: str, units: Sequence[tuple[int, int]], end: int) -> int:
    """How good a place it is to cut before unit `end`."""
    first, last = units[end - 1]
    following = units[end][0]
    if following == last and text[last - 1] not in "。！？":
        return _NOWHERE
    if "\n" in text[last:following]:
        return _PARAGRAPH
    word = text[first:last].rstrip(_CLOSING)
    if word.endswith(("!", "?", "。", "！", "？")) or (word.endswith(".") and _ends_sentence(word, text[following])):
        return _SENTENCE
    return _CLAUSE if word.endswith((";", ":")) else _NOWHERE


def _ends_sentence(word: str, following: str) -> bool:
    """Whether a full stop ends a sentence: not after `FIG.`, `No.` or an initial, and not before a small letter."""
    plain = word.rstrip(".").lstrip("([\"'")
    return len(plain) > 1 and not _ABBREVIATIONS.fullmatch(plain) and not following.islower()
