"""An index of passages: a document scores by those of its passages that are most like a query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from foreart.errors import NotInCorpus
from foreart.index.build.passage_rows import SEPARATOR, PassageRows
from foreart.index.index import Explanation, Index, greatest_first
from foreart.index.passage_kind import Passages
from foreart.index.query.engine import Engine
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.segment import Segment
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_index import PostingsForm, described
from foreart.parallel import cores, side_by_side
from foreart.text import asking, tokens
from foreart.text.passages import passage_spans

WEIGHTING = Weighting(tf="log")
# A sum of n positive numbers in single precision is off by less than (n + 1) times this, relatively.
_SINGLE = 2.0**-24

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """The weighted words of a text, or of each of its passages that has any; `asked` are their places in the text."""

    parts: tuple[Query, ...]
    asked: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True, slots=True)
class Pair:
    """A part of a query, from `asked[0]` to `asked[1]` of its text, and the passage of a document most like it.

    Passage n is number n, from 0, of `foreart.text.passages.passages(text, words=N)` of the document's text.
    """

    asked: tuple[int, int]
    passage: int
    score: float


class PassageForm(PostingsForm):
    """Indexes of passages: postings of passages of one length and section, shared."""

    def __init__(self, passages: Passages) -> None:
        self.kind = self.passages = passages

    def source(self, sections: str) -> PassageRows:
        """The postings of the passages of the section."""
        return PassageRows.of(self.passages, sections)

    def weighting(self) -> Weighting:
        """Log-tf-idf."""
        return WEIGHTING

    def over(self, snapshot: Snapshot) -> PassageIndex:
        """The index of a snapshot."""
        return PassageIndex(snapshot, self.passages)


class PassageIndex(Index):
    """Passages are the documents of a snapshot; those of one document are rows behind one another."""

    def __init__(self, snapshot: Snapshot, kind: Passages) -> None:
        self.snapshot = snapshot
        self.kind = kind
        self.engine = Engine(
            snapshot,
            WEIGHTING,
            snapshot.lengths.get(WEIGHTING.lengths_key or ""),
            grids=snapshot.grids.get(grid_name(WEIGHTING)),
        )
        # The first passage of each document, and behind the last one the number of all.
        self.starts = np.append(_heads(snapshot), len(snapshot))
        self.description = replace(described(snapshot, kind.name, kind.parameters), documents=len(self.starts) - 1)

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self._ids

    @cached_property
    def _ids(self) -> list[str]:
        ids = self.snapshot.ids
        return [ids[row].rpartition(SEPARATOR)[0] for row in self.starts[:-1].tolist()]

    def row_of(self, number: str) -> int:
        """The row of an id."""
        passage = int(self.snapshot.rows([f"{number}{SEPARATOR}0"])[0])
        if passage < 0:
            raise NotInCorpus(f"{number} is not in the index: build it of the corpus it is in")
        return int(np.searchsorted(self.starts, passage))

    def words(self, text: str) -> list[str]:
        """The words of a text that are asked for."""
        return asking(tokens(text))

    def encode(self, text: str) -> PassageQuery:
        """The weighted words of a text, or of its passages."""
        places = [(0, len(text))] if self.kind.aggregate == "best" else passage_spans(text, words=self.kind.query)
        parts = [(self.engine.query(self.words(text[start:end])), (start, end)) for start, end in places]
        found = [(query, place) for query, place in parts if len(query)]
        return PassageQuery(tuple(query for query, _ in found), tuple(place for _, place in found))

    def scores(self, query: PassageQuery) -> np.ndarray:
        """The score of every document, to six digits."""
        return self._mean(self._each(query, self._greatest))

    def top(
        self, query: PassageQuery, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> list[tuple[str, float]]:
        """The k best documents of those allowed, with exact scores; always exact."""
        near = self._each(query, self._nearest)
        scores = self._mean([best for best, _ in near])
        if allowed is not None:
            scores = np.where(allowed, scores, 0.0)
        rows = np.flatnonzero(scores > 0)
        if k < 1 or not len(rows):
            return []
        if len(rows) > k:
            least = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
            rows = rows[scores[rows] >= least * min(map(_share, query.parts))]
        values = self._exact(query, rows, [passages for _, passages in near])
        found = [(self.ids[row], value) for row, value in zip(rows.tolist(), values.tolist(), strict=True)]
        return sorted(found, key=_order)[:k]

    def explanation(self, text: str) -> PassageExplanation:
        """Ready to say why documents score as they do for a query text."""
        return PassageExplanation(self, self.encode(text))

    def best_passage(self, part: Query, row: int) -> tuple[int, float]:
        """Which passage of a document is most like a part of a query, the first of equal ones, and its score."""
        allowed = np.zeros(len(self.snapshot), dtype=bool)
        allowed[self.starts[row] : self.starts[row + 1]] = True
        passages, scores = self.engine.top(part, int(allowed.sum()), allowed=allowed, exact=True)
        if not len(passages):
            return 0, 0.0
        return int(passages[scores == scores[0]].min() - self.starts[row]), float(scores[0])

    def _each(self, query: PassageQuery, task: Callable[[Query, int | None], Found]) -> list[Found]:
        """What a task finds for each part of a query; several parts side by side, each in one thread."""
        if len(query) == 1:
            return [task(query.parts[0], None)]
        self.engine.prepare()
        return side_by_side(lambda part: task(part, 1), query.parts, cores())

    def _greatest(self, part: Query, threads: int | None) -> np.ndarray:
        """For each document the score of the passage most like a part of a query."""
        found: np.ndarray = np.maximum.reduceat(self.engine.scores(part, threads=threads), self.starts[:-1])
        return found

    def _nearest(self, part: Query, threads: int | None) -> tuple[np.ndarray, np.ndarray]:
        """The same, and all passages that may be the most like one of their document."""
        scores = self.engine.scores(part, threads=threads)
        best = np.maximum.reduceat(scores, self.starts[:-1])
        least = np.where(best > 0, best * _share(part), np.inf)
        return best, np.flatnonzero(scores >= np.repeat(least, np.diff(self.starts)))

    def _mean(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """The mean over the parts of a query."""
        total = np.zeros(len(self))
        for scores in parts:
            total += scores
        return total / max(len(parts), 1)

    def _exact(self, query: PassageQuery, rows: np.ndarray, near: Sequence[np.ndarray]) -> np.ndarray:
        """The scores of documents in double precision, of whose passages those near the best are known."""
        wanted = np.zeros(len(self), dtype=bool)
        wanted[rows] = True
        parts = []
        for part, passages in zip(query.parts, near, strict=True):
            allowed = np.zeros(len(self.snapshot), dtype=bool)
            owners = np.searchsorted(self.starts, passages, side="right") - 1
            allowed[passages[wanted[owners]]] = True
            nearest, scores = self.engine.top(part, int(allowed.sum()), allowed=allowed, exact=True)
            best = np.zeros(len(self))
            np.maximum.at(best, np.searchsorted(self.starts, nearest, side="right") - 1, scores)
            parts.append(best)
        found: np.ndarray = self._mean(parts)[rows]
        return found


@dataclass(frozen=True)
class PassageExplanation(Explanation):
    """A query and the index it was made for."""

    index: PassageIndex
    query: PassageQuery

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document, by the passages that made it."""
        row = self.index.row_of(number)
        shares: defaultdict[str, float] = defaultdict(float)
        for part in self.query.parts:
            passage, _ = self.index.best_passage(part, row)
            own = self.index.engine.shares(part, int(self.index.starts[row]) + passage)
            for word, share in zip(part.words, own.tolist(), strict=True):
                shares[word] += share / len(self.query)
        return greatest_first(shares, shares.values())

    def pairs(self, number: str) -> tuple[Pair, ...]:
        """For each part of the query the passage of a document most like it; the document's score is the mean."""
        row = self.index.row_of(number)
        found = [self.index.best_passage(part, row) for part in self.query.parts]
        return tuple(Pair(asked, *best) for asked, best in zip(self.query.asked, found, strict=True))


def _share(part: Query) -> float:
    """What is below this share of a sum in single precision is below it exactly."""
    off = (len(part) + 16) * _SINGLE
    return (1.0 - off) / (1.0 + off)


def _order(hit: tuple[str, float]) -> tuple[float, str]:
    return -hit[1], hit[0]


def _heads(snapshot: Snapshot) -> np.ndarray:
    """The rows of passages that are the first of their document: their ids end so."""
    found = [
        _first(segment) if alive is None else _first(segment)[alive]
        for segment, alive in zip(snapshot.segments, snapshot.alive, strict=True)
    ]
    return np.flatnonzero(np.concatenate([np.zeros(0, dtype=bool), *found]))


def _first(segment: Segment) -> np.ndarray:
    letters, ends = segment.arrays.id_letters, np.asarray(segment.arrays.id_ends[1:])
    sign, zero = SEPARATOR.encode() + b"0"
    first: np.ndarray = (letters[ends - 1] == zero) & (letters[ends - 2] == sign)
    return first
