"""Which patents a text names in its prose: what a draft says itself, and not a list of citations copied behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from foreart.document.mentions import Mention, mentions
from foreart.identifiers.numbers import number_key

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
# make a list. An author who names patents in a sentence writes neither, nor numbers with kind codes and no word.
_WORDS_AN_ENTRY, _WORDS_A_NUMBER = 12, 8
_ENTRIES = 5
# Between two entries may stand the date, the owner and the title of the first, a line each.
_BETWEEN = 4
_KIND = re.compile(r"[A-Z]\d?$")


def named_numbers(text: str) -> list[str]:
    """The numbers of publications that the prose of a description names, without kind codes, each once, in order."""
    return list(dict.fromkeys(key for part in _parts(text) for key in part.keys))


def listed_lines(text: str) -> set[int]:
    """The lines that are a list of citations: its heading, its entries, and what stands between two of them."""
    return {line for part in _parts(text, lists_only=True) for line in part.listed}


def _parts(text: str, *, lists_only: bool = False) -> Iterator[_ListPart]:
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
    for run in np.split(near, np.flatnonzero(np.diff(near) > _BETWEEN + 1) + 1):
        part, figured = _ListPart(lists_only), set(run.tolist())
        # The heading of a list stands before it.
        for number in range(max(0, int(run[0]) - _BETWEEN), int(run[-1]) + 1):
            part.read(number, lines[number], figured=number in figured)
        part.close()
        yield part


@dataclass(slots=True)
class _ListPart:
    """Lines read one after the other: the `keys` of those in prose, unless only lists matter; the `listed` lines."""

    lists_only: bool
    keys: list[str] = field(default_factory=list)
    listed: list[int] = field(default_factory=list)
    _headed: bool = False
    # By line, of what may be a list; nothing for its heading, and for numbers with kind codes alone.
    _entries: dict[int, list[str]] = field(default_factory=dict)

    def read(self, number: int, line: str, *, figured: bool) -> None:
        """One line more; one without figures names no number."""
        words = len(_WORD.findall(line))
        looked_at = figured and (not self.lists_only or self._headed or words <= _WORDS_AN_ENTRY)
        named = [item for item in _near_figures(line) if item.kind == "publication"] if looked_at else []
        last = max(self._entries, default=number)
        if _HEADING.match(line):
            self.close()
            self._headed, self._entries = True, {number: []}
        elif not named and self._entries and words <= _WORDS_AN_ENTRY and number - last <= _BETWEEN:
            return
        elif named and not words and _coded(named) == len(named):
            self._entries[number] = []
        elif _is_entry(named, words) or (named and self._headed and number == last + 1):
            self._entries[number] = _keys(named)
        else:
            self.close()
            self.keys += [] if _is_row(named, words) else _keys(named)

    def close(self) -> None:
        """Short lines that name a patent each: a few are prose, many are a list, and so are those under a heading."""
        keys = [key for entry in self._entries.values() for key in entry]
        bare = [number for number, entry in self._entries.items() if not entry]
        if self._headed or len(bare) > 1 or len(keys) >= _ENTRIES:
            places = list(self._entries)
            # What stands behind every entry stands behind the last one too.
            gap = min(np.diff(places[1:] if self._headed else places), default=1)
            self.listed += range(places[0], places[-1] + int(gap))
        else:
            self.keys += keys
            self.listed += bare
        self._headed, self._entries = False, {}


def _keys(named: list[Mention]) -> list[str]:
    return [number_key(item.number) for item in named]


def _coded(named: list[Mention]) -> int:
    """How many numbers have a kind code."""
    return sum(bool(_KIND.search(item.printed)) for item in named)


def _is_entry(named: list[Mention], words: int) -> bool:
    """Whether a line may be one of a list."""
    return words <= _WORDS_AN_ENTRY and (len(named) == 1 or _coded(named) == len(named) > 0)


def _is_row(named: list[Mention], words: int) -> bool:
    """Whether numbers stand as in a table, each with its kind code and a few words at most."""
    return len(named) >= _ENTRIES and 2 * _coded(named) > len(named) and words <= _WORDS_A_NUMBER * len(named)


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
