"""Which patents a text names in its prose: what a draft says itself, and not a list of citations copied behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from foreart.mentions import Mention, mentions
from foreart.numbers import number_key

# A number has five figures or more within so many bytes; what leads to it, and a list after it, are near.
_FIGURES, _WINDOW, _MARGIN = 5, 12, 240
_HEADING = re.compile(
    r"\W*(?:references? cited|(?:patent |family[- ]to[- ]family |non-patent )?citations?|patents? cited|cited (?:by"
    r"|documents|patents|references)|(?:u\.?s\.? |foreign )?patent documents|angeführte (?:patente|schriften))"
    r"(?:\W*\d*\W*$|\W*\(\d+\)|\W+(?:US|EP|WO|DE|JP)?\s?\d)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
# Short lines that name one patent each are entries of a list, and so are numbers with kind codes in a row; so many
# make a list. An author who names patents in a sentence writes neither.
_WORDS_AN_ENTRY = 12
_ENTRIES = 5
_KIND = re.compile(r"[A-Z]\d?$")


def named_numbers(text: str) -> list[str]:
    """The numbers of publications that the prose of a description names, without kind codes, each once, in order."""
    found = [key for part in _parts(text) for key in _prose(part)]
    return list(dict.fromkeys(found))


def _parts(text: str) -> Iterator[str]:
    """The lines around figures, in runs: the rest of a text names no number."""
    lines = text.split("\n")
    ends = np.cumsum([len(line.encode("utf-8", "replace")) + 1 for line in lines])
    letters = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    figures = np.cumsum((letters >= ord("0")) & (letters <= ord("9")), dtype=np.int64)
    if len(figures) < _FIGURES or figures[-1] < _FIGURES:
        return
    dense = figures - np.concatenate([np.zeros(min(_WINDOW, len(figures)), np.int64), figures[:-_WINDOW]])
    near = np.unique(np.searchsorted(ends, np.flatnonzero(dense >= _FIGURES), side="right"))
    if not len(near):
        return
    for run in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
        first = max(0, int(run[0]) - 1)  # the heading of a list stands before it
        yield "\n".join(lines[first : int(run[-1]) + 1])


def _prose(text: str) -> Iterator[str]:
    """The numbers of a part, but for those in lists."""
    listed = False
    entries: list[str] = []
    for line in text.split("\n"):
        named = [item for item in _near_figures(line) if item.kind == "publication"]
        listed = bool(_HEADING.match(line)) or (listed and bool(named))
        keys = [number_key(item.number) for item in named]
        if named and not listed and len(keys) == 1 and len(_WORD.findall(line)) <= _WORDS_AN_ENTRY:
            entries += keys
            continue
        yield from _few(entries)
        entries = []
        if not listed and not _is_row(named):
            yield from keys
    yield from _few(entries)


def _few(entries: list[str]) -> Iterable[str]:
    """Short lines that name a patent each: a few are prose, many are a list."""
    return entries if len(entries) < _ENTRIES else ()


def _is_row(named: list[Mention]) -> bool:
    """Whether numbers stand as in a table, each with its kind code."""
    return len(named) >= _ENTRIES and 2 * sum(bool(_KIND.search(item.printed)) for item in named) > len(named)


def _near_figures(line: str) -> tuple[Mention, ...]:
    """The mentions of a line; of a long one only the surroundings of its figures are read."""
    if len(line) < 4 * _MARGIN:
        return mentions(line)
    spans: list[list[int]] = []
    for found in re.finditer(r"\d{5}|\d[,.'’/\s-]\s?\d{3}", line):
        first, last = max(0, found.start() - _MARGIN), found.end() + _MARGIN
        if spans and first <= spans[-1][1]:
            spans[-1][1] = last
        else:
            spans.append([first, last])
    return tuple(item for first, last in spans for item in mentions(line[first:last]))
