"""Reference implementation of passage splitting in plain Python, to test the compiled loops against."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foreart.text.sentences import ABBREVIATIONS

_SIGNS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNIT = re.compile(rf"[{_SIGNS}][、。，．！？；：]*|[^\s{_SIGNS}。！？]{{0,39}}[。！？]|[^\s{_SIGNS}]{{1,40}}")
_LETTER = re.compile(r"[^\W_]")
_ABBREVIATION = re.compile("[a-z]|" + "|".join(map(re.escape, ABBREVIATIONS)), re.IGNORECASE)


def plain_spans(text: str, *, words: int) -> list[tuple[int, int]]:
    """The same result as `passage_spans`."""
    units = [match.span() for match in _UNIT.finditer(text)]
    spans = []
    start = 0
    while start < len(units):
        end = _cut(text, units, start, words)
        spans.append((units[start][0], units[end - 1][1]))
        start = end
    return [(start, end) for start, end in spans if _LETTER.search(text, start, end)]


def _cut(text: str, units: Sequence[tuple[int, int]], start: int, words: int) -> int:
    rest = len(units) - start
    if rest <= words:
        return len(units)
    share = rest / -(-rest // words)
    lowest, highest = start + max(1, round(0.75 * share)), start + min(words, round(1.25 * share))
    target = start + min(words, round(share))
    return max(range(lowest, highest + 1), key=lambda end: (_end(text, units, end), -abs(end - target), end))


def _end(text: str, units: Sequence[tuple[int, int]], end: int) -> int:
    first, last = units[end - 1]
    following = units[end][0]
    if following == last and text[last - 1] not in "。！？":
        return 0
    if "\n" in text[last:following]:
        return 3
    word = text[first:last].rstrip("\"')]}”’»")
    if word.endswith(("!", "?", "。", "！", "？")):
        return 2
    if word.endswith(".") and not text[following].islower():
        plain = word.rstrip(".").lstrip("([\"'")
        return 2 * (not _ABBREVIATION.fullmatch(plain) if plain else len(word) == 1)
    return 1 if word.endswith((";", ":")) else 0
