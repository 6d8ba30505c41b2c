"""The best quotes of a document for an element: few sentences, tight, that together have most of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from foreart.search.charting.claim_chart import Match, Quote
from foreart.search.charting.coverage import GRADES, Wanted, earned
from foreart.search.charting.reference_words import Reading, WordMatch

QUOTES = 3
_SENTENCES = 3
_WORDS = 120
# What a second quote has counts for this part only: the document does not say there that it belongs together.
FURTHER = 0.5
# What another sentence, and a hundred words, must add to be worth reading.
_PER_SENTENCE, _PER_HUNDRED = 0.02, 0.02
# The least that a further quote must add, or else have of what the first has.
_ADDS, _ALIKE = 0.04, 0.9
# Where the same is said in several places, the description is cited first.
_PARTS = {"description": 0.0, "claim": 0.002, "abstract": 0.004, "title": 0.03}


@dataclass(frozen=True, eq=False)
class Windows:
    """All runs of one to three sentences of a text: the first sentence, how many, and the credit of each term."""

    reading: Reading
    first: np.ndarray = field(init=False)
    size: np.ndarray = field(init=False)
    cost: np.ndarray = field(init=False)
    credits: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        found = self.reading.sentences
        texts = np.array([sentence.text for sentence in found], dtype=np.int64)
        words = np.array([sentence.words for sentence in found], dtype=np.int64)
        parts = np.array([_PARTS[self.reading.texts[text][0].part] for text in texts.tolist()])
        firsts, sizes, costs, credits = [], [], [], []
        best = self.reading.credits
        total = words
        for size in range(1, _SENTENCES + 1):
            if size > 1:
                best = np.maximum(best[:-1], self.reading.credits[size - 1 :])
                total = total[:-1] + words[size - 1 :]
            kept = np.flatnonzero((texts[: len(total)] == texts[size - 1 :]) & ((total <= _WORDS) | (size == 1)))
            kept = kept[best[kept].any(axis=1)]
            firsts.append(kept)
            sizes.append(np.full(len(kept), size))
            costs.append(parts[kept] + (size - 1) * _PER_SENTENCE + total[kept] / 100 * _PER_HUNDRED)
            credits.append(best[kept])
            if len(total) <= 1:
                break
        for name, pieces in (("first", firsts), ("size", sizes), ("cost", costs), ("credits", credits)):
            object.__setattr__(self, name, np.concatenate(pieces))

    @cached_property
    def anywhere(self) -> np.ndarray:
        """The best credit of each term in the whole document."""
        best: np.ndarray = self.reading.credits.max(axis=0, initial=0.0)
        return best

    def hits(self, window: int) -> list[WordMatch]:
        """The words of the chart in a window."""
        start = int(self.first[window])
        return [hit for sentence in range(start, start + int(self.size[window])) for hit in self.reading.hits[sentence]]

    def span(self, window: int) -> tuple[int, int, int]:
        """The text a window is of, its beginning and its end."""
        start = int(self.first[window])
        one, last = self.reading.sentences[start], self.reading.sentences[start + int(self.size[window]) - 1]
        return one.text, one.start, last.end


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    window: int
    credits: np.ndarray
    best: tuple[WordMatch | None, ...]
    own: float
    cost: float


def quotes(
    wanted: Wanted, windows: Windows, words: Sequence[str], most: int = QUOTES
) -> tuple[tuple[Quote, ...], float]:
    """The quotes of an element, best first, and what they cover of it together; `words` are those of its terms."""
    view = windows.credits[:, list(wanted.columns)]
    chosen: list[_Candidate] = []
    made: list[Quote] = []
    have = np.zeros(len(wanted.columns))
    known: dict[int, _Candidate] = {}
    while len(chosen) < most:
        part = FURTHER if chosen else 1.0
        found = _next(wanted, windows, view, have, part, chosen, known)
        if found is None:
            break
        gained = np.maximum(have, part * found.credits)
        adds = float(wanted.shares @ (gained - have))
        have = gained
        chosen.append(found)
        made.append(_quote(windows, found, words, adds))
    return tuple(made), float(wanted.shares @ have)


def _next(
    wanted: Wanted,
    windows: Windows,
    view: np.ndarray,
    have: np.ndarray,
    part: float,
    chosen: Sequence[_Candidate],
    known: dict[int, _Candidate],
) -> _Candidate | None:
    """The window that adds most; where none adds enough, another that has nearly as much as the first."""
    best: _Candidate | None = None
    best_score = 0.0
    bound = np.maximum(part * view - have, 0.0) @ wanted.shares - windows.cost
    for window in _promising(bound):
        if bound[window] <= best_score:
            break
        candidate = _looked_at(wanted, windows, window, known)
        adds = float(wanted.shares @ np.maximum(part * candidate.credits - have, 0.0))
        score = adds - candidate.cost
        if score > best_score and (not chosen or adds >= _ADDS) and not _overlaps(windows, candidate, chosen):
            best, best_score = candidate, score
    return best if best is not None or not chosen else _alike(wanted, windows, view, chosen, known)


def _alike(
    wanted: Wanted,
    windows: Windows,
    view: np.ndarray,
    chosen: Sequence[_Candidate],
    known: dict[int, _Candidate],
) -> _Candidate | None:
    """The best window of another text that says nearly as much as the first quote; None if none does."""
    least = max(_ALIKE * chosen[0].own, GRADES["partly"])
    texts = {windows.span(candidate.window)[0] for candidate in chosen}
    best: _Candidate | None = None
    bound = view @ wanted.shares
    for window in _promising(np.where(bound >= least, bound - windows.cost, 0.0)):
        if best is not None and bound[window] - windows.cost[window] <= best.own - best.cost:
            break
        if windows.span(window)[0] in texts:
            continue
        candidate = _looked_at(wanted, windows, window, known)
        if candidate.own >= least and (best is None or candidate.own - candidate.cost > best.own - best.cost):
            best = candidate
    return best


def _promising(bound: np.ndarray) -> Iterator[int]:
    """Windows by what they can be worth at most, those of no worth left out."""
    good = np.flatnonzero(bound > 0)
    top = good[np.argsort(-bound[good], kind="stable")]
    yield from top.tolist()


def _looked_at(wanted: Wanted, windows: Windows, window: int, known: dict[int, _Candidate]) -> _Candidate:
    if window not in known:
        credits, best = earned(wanted, windows.hits(window))
        own = float(wanted.shares @ credits)
        known[window] = _Candidate(window, credits, best, own, float(windows.cost[window]))
    return known[window]


def _overlaps(windows: Windows, candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    text, start, end = windows.span(candidate.window)
    spans = [windows.span(other.window) for other in chosen]
    return any(text == other and start < last and first < end for other, first, last in spans)


def _quote(windows: Windows, found: _Candidate, words: Sequence[str], adds: float) -> Quote:
    text, start, end = windows.span(found.window)
    place, whole = windows.reading.texts[text]
    own = {
        hit.term: (word, credit)
        for hit, word, credit in zip(found.best, words, found.credits.tolist(), strict=True)
        if hit
    }
    matches = [
        Match(hit.start - start, hit.end - start, own[hit.term][0], own[hit.term][1], hit.bridge)
        for hit in windows.hits(found.window)
        if hit.term in own
    ]
    return Quote(whole[start:end], place, start, round(found.own, 6), round(adds, 6), tuple(matches))
