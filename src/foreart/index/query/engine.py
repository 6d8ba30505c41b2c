"""Searches one snapshot with one weighting: the best documents and their exact scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

import numpy as np

from foreart.index.query import exact as exactly
from foreart.index.query.costs import SAFETY, exact_cost, rows_cost, sums_cost, threads_for
from foreart.index.query.exact import Blocks, Ranked
from foreart.index.query.filtered_scan import scanned
from foreart.index.query.two_stage import Stages, chosen, default_stages, staged, staged_cost
from foreart.index.scoring.allowed import allowed_by
from foreart.index.scoring.blocks import Block
from foreart.index.scoring.blocks import lengths as lengths_of
from foreart.index.scoring.query_terms import Query, make_query
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import cores

# Snapshots of at least this many documents are searched in two stages by default.
LARGE = 100_000


class Engine:
    """Answers queries; nothing is read or computed before the first one.

    `lengths` has for each segment the lengths of its documents (`blocks.lengths`), `grids` the bytes of its frequent
    words (`frequent.frequent_grid`); if missing, they are computed and kept in memory.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        weighting: Weighting,
        lengths: Sequence[np.ndarray] | None = None,
        *,
        grids: Sequence[np.ndarray] | None = None,
        stages: Stages | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.weighting = weighting
        self.stages = stages or default_stages(weighting)
        self._lengths = lengths
        self._grids = grids
        self._lock = Lock()
        self._blocks: Blocks | None = None

    def prepare(self, *, threads: int | None = None) -> None:
        """Reads and computes in advance what the first query needs."""
        self._ready(threads or cores())

    def query(self, words: Iterable[str] | Mapping[str, int]) -> Query:
        """The query of a list of words, or of words with their counts."""
        return make_query(self.snapshot, self.weighting, words)

    def scores(self, query: Query, *, exact: bool = False, threads: int | None = None) -> np.ndarray:
        """The score of every row, 0 if no word is shared: to six digits, or exact, which takes ten times as long."""
        number = threads or cores()
        blocks = self._ready(number)
        if not exact:
            return exactly.scores(blocks, query, threads=threads_for(sums_cost(blocks, query), number))
        rows, values = scanned(blocks, query, None, threads=number)
        scores = np.zeros(len(self.snapshot))
        scores[rows] = values
        return scores

    def top(
        self,
        query: Query,
        k: int,
        *,
        allowed: np.ndarray | None = None,
        exact: bool | None = None,
        threads: int | None = None,
    ) -> Ranked:
        """The rows and scores of the k best documents, best first, ties by id; only documents that share a word.

        `allowed` is a mask over rows. `exact=False` searches in two stages, which may miss some (`measured_recall`); by
        default large snapshots are searched so if that is faster. Scores are always exact.
        """
        number = threads or cores()
        blocks = self._ready(number)
        if not len(query) or k < 1:
            return np.empty(0, dtype=np.int64), np.empty(0)
        among = allowed_by(allowed)
        stages = None if exact or (exact is None and len(self.snapshot) < LARGE) else self.stages
        cost = exact_cost(blocks, query, k)
        if stages is not None:
            own = stages.among(among)
            taken = chosen(query, own, len(self.snapshot), saturating=self.weighting.saturating)
            # The cost without a filter, so that a filter never reduces the number of threads.
            two_stage = staged_cost(blocks, query, k, stages, taken)
            if exact is None and two_stage >= cost:
                stages = None
            else:
                cost = two_stage
        scan = np.inf if among is None else rows_cost(blocks, among.count)
        if scan < SAFETY * cost:
            rows, values = scanned(blocks, query, among, threads=threads_for(scan, number))
            return exactly.ordered(self.snapshot, rows, values, k)
        number = threads_for(cost, number)
        if stages is None:
            return exactly.top(blocks, query, k, allowed=among, threads=number)
        return staged(blocks, query, k, own, taken, allowed=among, threads=number)

    def scores_of(self, query: Query, rows: np.ndarray, *, threads: int | None = None) -> np.ndarray:
        """The exact scores of some rows, in their order, 0 if no word is shared."""
        blocks = self._ready(threads or cores())
        mask = np.zeros(len(self.snapshot), dtype=bool)
        mask[rows] = True
        among = allowed_by(mask)
        number = threads_for(rows_cost(blocks, len(rows)), threads or cores())
        found, values = scanned(blocks, query, among, threads=number)
        return values[np.searchsorted(found, rows)] if len(found) else np.zeros(len(rows))

    def divisors(self, rows: np.ndarray) -> np.ndarray:
        """By what the weights of some documents are divided: their lengths, or the length norms of BM25."""
        blocks = self._ready(1).blocks
        places = [self.snapshot.locate(row) for row in rows.tolist()]
        saturating = self.weighting.saturating
        arrays = [block.length_norms if saturating else block.divisors for block in blocks]
        return np.array([arrays[part][document] for part, document in places], dtype=np.float64)

    @property
    def largest_sum(self) -> float:
        """The largest sum of the weights of one document; for BM25."""
        return max((block.largest_sum for block in self._ready(1).blocks), default=0.0)

    def shares(self, query: Query, row: int) -> np.ndarray:
        """The contribution of each query word to the score of a row; they sum to it."""
        part, document = self.snapshot.locate(row)
        return self._ready(1).blocks[part].shares(query, document)

    def _ready(self, threads: int) -> Blocks:
        with self._lock:
            if self._blocks is None:
                self._blocks = self._prepared(threads)
            return self._blocks

    def _prepared(self, threads: int) -> Blocks:
        nothing: Sequence[np.ndarray | None] = [None] * len(self.snapshot.segments)
        lengths, grids = self._lengths or nothing, self._grids or nothing
        if lengths is nothing and not self.weighting.saturating:
            lengths = lengths_of(self.snapshot, self.weighting, threads=threads)
        made = tuple(
            Block(self.snapshot, part, self.weighting, length, grid)
            for part, (length, grid) in enumerate(zip(lengths, grids, strict=True))
        )
        blocks = Blocks(self.snapshot, self.weighting, made)
        blocks.prepare(threads)
        return blocks
