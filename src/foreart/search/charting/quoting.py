"""The best quotes of a document for an element: a few short runs of sentences that together cover most of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np

from foreart.search.charting.claim_chart import Match, Quote
from foreart.search.charting.coverage import GRADES, Wanted, earned
from foreart.search.charting.reference_words import Reading, WordMatch

QUOTES = 3
_SENTENCES = 3
_WORDS = 120
# Further quotes count with this factor, because the document does not combine them with the first.
FURTHER = 0.5
# Cost of another sentence and of a hundred words: the minimum they must add.
_PER_SENTENCE, _PER_HUNDRED = 0.02, 0.02
# Minimum that a further quote must add, or else its minimum share of the coverage of the first.
_MIN_GAIN, _EQUIVALENT = 0.04, 0.9
# How many windows with the highest bounds are compared exactly for quotes that stand alone.
_COMPARED = 60
# Of equal quotes in several places, the description is cited first.
_PARTS = {"description": 0.0, "claim": 0.002, "abstract": 0.004, "title": 0.03}


@dataclass(frozen=True, eq=False)
class Windows:
    """All runs of one to three sentences of a text: the first sentence, the number, and the credit of each term."""

    reading: Reading
    first: np.ndarray = field(init=False)
    size: np.ndarray = field(init=False)
    cost: np.ndarray = field(init=False)
    credits: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        all_sentences = self.reading.sentences
        texts = np.array([sentence.text for sentence in all_sentences], dtype=np.int64)
        words = np.array([sentence.words for sentence in all_sentences], dtype=np.int64)
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
        """The best credit of each term in the full document."""
        best: np.ndarray = self.reading.credits.max(axis=0, initial=0.0)
        return best

    def hits(self, window: int) -> list[WordMatch]:
        """The words of the chart in a window."""
        start = int(self.first[window])
        return [hit for sentence in range(start, start + int(self.size[window])) for hit in self.reading.hits[sentence]]

    def span(self, window: int) -> tuple[int, int, int]:
        """The text of a window, its start and its end."""
        start = int(self.first[window])
        first, last = self.reading.sentences[start], self.reading.sentences[start + int(self.size[window]) - 1]
        return first.text, first.start, last.end


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    window: int
    credits: np.ndarray
    best: tuple[WordMatch | None, ...]
    own: float
    cost: float


def quotes(
    wanted: Wanted, windows: Windows, words: Sequence[str], limit: int = QUOTES
) -> tuple[tuple[Quote, ...], float]:
    """The quotes of an element, best first, and their joint coverage; `words` are those of its terms."""
    view = windows.credits[:, list(wanted.columns)]
    chosen: list[_Candidate] = []
    selected: list[Quote] = []
    have = np.zeros(len(wanted.columns))
    known: dict[int, _Candidate] = {}
    while len(chosen) < limit:
        part = FURTHER if chosen else 1.0
        candidate = _next(wanted, windows, view, have, part, chosen, known)
        if candidate is None:
            break
        gained = np.maximum(have, part * candidate.credits)
        adds = float(wanted.shares @ (gained - have))
        have = gained
        chosen.append(candidate)
        selected.append(_quote(windows, candidate, words, adds))
    return tuple(selected), float(wanted.shares @ have)


def separate_quotes(wanted: Wanted, windows: Windows, words: Sequence[str], limit: int) -> tuple[Quote, ...]:
    """The windows that cover most, each taken alone, best first and none overlapping a better one."""
    bound = windows.credits[:, list(wanted.columns)] @ wanted.shares - windows.cost
    compared = [_candidate(wanted, windows, window, {}) for window in islice(_promising(bound), _COMPARED)]
    chosen: list[_Candidate] = []
    for candidate in sorted(compared, key=lambda item: (item.cost - item.own, item.window)):
        if len(chosen) < limit and not _overlaps(windows, candidate, chosen):
            chosen.append(candidate)
    return tuple(_quote(windows, candidate, words, candidate.own) for candidate in chosen)


def _next(
    wanted: Wanted,
    windows: Windows,
    view: np.ndarray,
    have: np.ndarray,
    part: float,
    chosen: Sequence[_Candidate],
    known: dict[int, _Candidate],
) -> _Candidate | None:
    """The window with the largest gain; if none adds enough, another that covers nearly as much as the first."""
    best: _Candidate | None = None
    best_score = 0.0
    bound = np.maximum(part * view - have, 0.0) @ wanted.shares - windows.cost
    for window in _promising(bound):
        if bound[window] <= best_score:
            break
        candidate = _candidate(wanted, windows, window, known)
        adds = float(wanted.shares @ np.maximum(part * candidate.credits - have, 0.0))
        score = adds - candidate.cost
        if score > best_score and (not chosen or adds >= _MIN_GAIN) and not _overlaps(windows, candidate, chosen):
            best, best_score = candidate, score
    return best if best is not None or not chosen else _equivalent(wanted, windows, view, chosen, known)


def _equivalent(
    wanted: Wanted,
    windows: Windows,
    view: np.ndarray,
    chosen: Sequence[_Candidate],
    known: dict[int, _Candidate],
) -> _Candidate | None:
    """The best window of another text that covers nearly as much as the first quote; None if there is none."""
    threshold = max(_EQUIVALENT * chosen[0].own, GRADES["partly"])
    texts = {windows.span(candidate.window)[0] for candidate in chosen}
    best: _Candidate | None = None
    bound = view @ wanted.shares
    for window in _promising(np.where(bound >= threshold, bound - windows.cost, 0.0)):
        if best is not None and bound[window] - windows.cost[window] <= best.own - best.cost:
            break
        if windows.span(window)[0] in texts:
            continue
        candidate = _candidate(wanted, windows, window, known)
        if candidate.own >= threshold and (best is None or candidate.own - candidate.cost > best.own - best.cost):
            best = candidate
    return best


def _promising(bound: np.ndarray) -> Iterator[int]:
    """Windows with a positive upper bound, highest first."""
    good = np.flatnonzero(bound > 0)
    top = good[np.argsort(-bound[good], kind="stable")]
    yield from top.tolist()


def _candidate(wanted: Wanted, windows: Windows, window: int, known: dict[int, _Candidate]) -> _Candidate:
    if window not in known:
        credits, best = earned(wanted, windows.hits(window))
        own = float(wanted.shares @ credits)
        known[window] = _Candidate(window, credits, best, own, float(windows.cost[window]))
    return known[window]


def _overlaps(windows: Windows, candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    text, start, end = windows.span(candidate.window)
    spans = [windows.span(other.window) for other in chosen]
    return any(text == other and start < last and first < end for other, first, last in spans)


def _quote(windows: Windows, candidate: _Candidate, words: Sequence[str], adds: float) -> Quote:
    text, start, end = windows.span(candidate.window)
    place, full_text = windows.reading.texts[text]
    own = {
        hit.term: (word, credit)
        for hit, word, credit in zip(candidate.best, words, candidate.credits.tolist(), strict=True)
        if hit
    }
    matches = [
        Match(hit.start - start, hit.end - start, own[hit.term][0], own[hit.term][1], hit.bridge)
        for hit in windows.hits(candidate.window)
        if hit.term in own
    ]
    return Quote(full_text[start:end], place, start, round(candidate.own, 6), round(adds, 6), tuple(matches))
