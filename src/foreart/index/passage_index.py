"""An index of passages: a document scores by its passages that are most similar to a query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from foreart.errors import NotInCorpus
from foreart.index.build.passage_rows import SEPARATOR, PassageRows
from foreart.index.index import Explanation, Index, largest_first
from foreart.index.passage_kind import Passages
from foreart.index.query.engine import Engine
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.segment import Segment
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_index import PostingsForm, described
from foreart.parallel import cores, parallel_map
from foreart.text import query_words, tokens
from foreart.text.passages import passage_spans

WEIGHTING = Weighting(tf="log")
# The relative error of a sum of n positive numbers in single precision is below (n + 1) times this.
_SINGLE = 2.0**-24

Output = TypeVar("Output")


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """The weighted words of a text, or of each of its passages that has any; `spans` are their offsets in the text."""

    parts: tuple[Query, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True, slots=True)
class Pair:
    """A part of a query, `text[span[0]:span[1]]`, and the most similar passage of a document.

    `passage` is an index into `foreart.text.passages.passages(text, words=N)` of the document.
    """

    span: tuple[int, int]
    passage: int
    score: float


class PassageForm(PostingsForm):
    """Indexes of passages, which share postings if length and section are equal."""

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
    """Passages are the rows of a snapshot; those of a document are consecutive."""

    def __init__(self, snapshot: Snapshot, kind: Passages) -> None:
        self.snapshot = snapshot
        self.kind = kind
        self.engine = Engine(
            snapshot,
            WEIGHTING,
            snapshot.lengths.get(WEIGHTING.lengths_key or ""),
            grids=snapshot.grids.get(grid_name(WEIGHTING)),
        )
        # The first passage of each document, and the number of all passages.
        self.starts = np.append(_heads(snapshot), len(snapshot))
        self.description = replace(described(snapshot, kind.name, kind.parameters), documents=len(self.starts) - 1)

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return _DocumentIds(self.snapshot.ids, self.starts)

    def rows_of(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none."""
        passages = self.snapshot.rows(f"{number}{SEPARATOR}0" for number in ids)
        return np.where(passages < 0, -1, np.searchsorted(self.starts, passages))

    def row_of(self, number: str) -> int:
        """The row of an id."""
        passage = int(self.snapshot.rows([f"{number}{SEPARATOR}0"])[0])
        if passage < 0:
            raise NotInCorpus(f"{number} is not in the index: run `foreart build` on a corpus that has it")
        return int(np.searchsorted(self.starts, passage))

    def words(self, text: str) -> list[str]:
        """The words of a text that are searched."""
        return query_words(tokens(text))

    def encode(self, text: str) -> PassageQuery:
        """The weighted words of a text, or of its passages."""
        spans = [(0, len(text))] if self.kind.aggregate == "best" else passage_spans(text, words=self.kind.query)
        parts = [(self.engine.query(self.words(text[start:end])), (start, end)) for start, end in spans]
        nonempty = [(query, span) for query, span in parts if len(query)]
        return PassageQuery(tuple(query for query, _ in nonempty), tuple(span for _, span in nonempty))

    def scores(self, query: PassageQuery) -> np.ndarray:
        """The score of every document, to six digits."""
        return self._mean(self._each(query, self._best_scores))

    def scores_of(self, query: PassageQuery, rows: np.ndarray) -> np.ndarray:
        """The exact scores of some documents."""
        counts = np.diff(self.starts)[rows]
        owners = np.repeat(np.arange(len(rows)), counts)
        passages = self.starts[rows][owners] + np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        firsts = np.cumsum(counts) - counts
        total = np.zeros(len(rows))
        for part in query.parts if len(rows) else ():
            total += np.maximum.reduceat(self.engine.scores_of(part, passages), firsts)
        return total / max(len(query), 1)

    def nearest(
        self, query: PassageQuery, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best allowed documents with exact scores; always exact."""
        near = self._each(query, self._best_passages)
        scores = self._mean([best for best, _ in near])
        if allowed is not None:
            scores = np.where(allowed, scores, 0.0)
        rows = np.flatnonzero(scores > 0)
        if k < 1 or not len(rows):
            return np.empty(0, dtype=np.int64), np.empty(0)
        if len(rows) > k:
            kth = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
            rows = rows[scores[rows] >= kth * min(map(_margin, query.parts))]
        values = self._exact(query, rows, [passages for _, passages in near])
        ids = self.ids
        order = sorted(range(len(rows)), key=lambda place: (-values[place], ids[int(rows[place])]))[:k]
        return rows[order], values[order]

    def between(self, first: int, last: int) -> PassageIndex:
        """The documents from `first` to before `last` alone, with the statistics of all passages."""
        return PassageIndex(self.snapshot.between(int(self.starts[first]), int(self.starts[last])), self.kind)

    def prepare(self) -> None:
        """Reads and computes in advance what the first query needs."""
        self.engine.prepare()

    @property
    def boundaries(self) -> np.ndarray:
        """The documents with which segments begin; a document may continue in the next one."""
        return np.flatnonzero(np.isin(self.starts[:-1], self.snapshot.firsts[1:-1]))

    def outgoing(self, query: PassageQuery) -> PassageQuery:
        """Without the numbers of words in segments."""
        return replace(query, parts=tuple(part.unplaced for part in query.parts))

    def incoming(self, query: PassageQuery) -> PassageQuery:
        """With the numbers of words in the segments of this index."""
        return replace(query, parts=tuple(part.over(self.snapshot) for part in query.parts))

    def explanation(self, text: str, query: PassageQuery | None = None) -> PassageExplanation:
        """Explains the scores of documents by their passages."""
        return PassageExplanation(self, self.encode(text) if query is None else query)

    def best_passage(self, part: Query, row: int) -> tuple[int, float]:
        """The passage of a document most similar to a part of a query, the first of ties, and its score."""
        allowed = np.zeros(len(self.snapshot), dtype=bool)
        allowed[self.starts[row] : self.starts[row + 1]] = True
        passages, scores = self.engine.top(part, int(allowed.sum()), allowed=allowed, exact=True)
        if not len(passages):
            return 0, 0.0
        return int(passages[scores == scores[0]].min() - self.starts[row]), float(scores[0])

    def _each(self, query: PassageQuery, task: Callable[[Query, int | None], Output]) -> list[Output]:
        """The output of a task for each part of a query; several parts run in parallel, one thread each."""
        if len(query) == 1:
            return [task(query.parts[0], None)]
        self.engine.prepare()
        return parallel_map(lambda part: task(part, 1), query.parts, cores())

    def _best_scores(self, part: Query, threads: int | None) -> np.ndarray:
        """The score of the best passage of each document for a part of a query."""
        scores: np.ndarray = np.maximum.reduceat(self.engine.scores(part, threads=threads), self.starts[:-1])
        return scores

    def _best_passages(self, part: Query, threads: int | None) -> tuple[np.ndarray, np.ndarray]:
        """The same, and all passages that may be the best of their document."""
        scores = self.engine.scores(part, threads=threads)
        best = np.maximum.reduceat(scores, self.starts[:-1])
        threshold = np.where(best > 0, best * _margin(part), np.inf)
        return best, np.flatnonzero(scores >= np.repeat(threshold, np.diff(self.starts)))

    def _mean(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """The mean over the parts of a query."""
        total = np.zeros(len(self))
        for scores in parts:
            total += scores
        return total / max(len(parts), 1)

    def _exact(self, query: PassageQuery, rows: np.ndarray, near: Sequence[np.ndarray]) -> np.ndarray:
        """The scores of documents in double precision; `near` are their candidate passages for each part."""
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
        exact: np.ndarray = self._mean(parts)[rows]
        return exact


class _DocumentIds(Sequence[str]):
    """The ids of documents, read on access from those of their first passages."""

    def __init__(self, passages: Sequence[str], starts: np.ndarray) -> None:
        self._passages, self._starts = passages, starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, row: int) -> str:  # type: ignore[override] # no slices, which would copy
        return self._passages[int(self._starts[:-1][row])].rpartition(SEPARATOR)[0]

    def __iter__(self) -> Iterator[str]:
        firsts = set(self._starts[:-1].tolist())
        return (number.rpartition(SEPARATOR)[0] for row, number in enumerate(self._passages) if row in firsts)


@dataclass(frozen=True)
class PassageExplanation(Explanation):
    """A query and its index."""

    index: PassageIndex
    query: PassageQuery

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """The contribution of each query word to the score of a document, by its best passages."""
        row = self.index.row_of(number)
        shares: defaultdict[str, float] = defaultdict(float)
        for part in self.query.parts:
            passage, _ = self.index.best_passage(part, row)
            own = self.index.engine.shares(part, int(self.index.starts[row]) + passage)
            for word, share in zip(part.words, own.tolist(), strict=True):
                shares[word] += share / len(self.query)
        return largest_first(shares, shares.values())

    def pairs(self, number: str) -> tuple[Pair, ...]:
        """The best passage of a document for each part of the query; the score is their mean."""
        row = self.index.row_of(number)
        best = [self.index.best_passage(part, row) for part in self.query.parts]
        return tuple(Pair(span, *found) for span, found in zip(self.query.spans, best, strict=True))


def _margin(part: Query) -> float:
    """A sum below this share of another in single precision is also below it in exact arithmetic."""
    error = (len(part) + 16) * _SINGLE
    return (1.0 - error) / (1.0 + error)


def _heads(snapshot: Snapshot) -> np.ndarray:
    """The rows of the first passage of each document, recognised by the end of their ids."""
    masks = [
        _first(segment) if alive is None else _first(segment)[alive]
        for segment, alive in zip(snapshot.segments, snapshot.alive, strict=True)
    ]
    return np.flatnonzero(np.concatenate([np.zeros(0, dtype=bool), *masks]))


def _first(segment: Segment) -> np.ndarray:
    letters, ends = segment.arrays.id_letters, np.asarray(segment.arrays.id_ends[1:])
    sign, zero = SEPARATOR.encode() + b"0"
    first: np.ndarray = (letters[ends - 1] == zero) & (letters[ends - 2] == sign)
    return first
