"""A segment prepared for one weighting: values that all queries need, computed once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from foreart.features.counting.string_arrays import frozen
from foreart.index.scoring import kernels, row_kernels
from foreart.index.scoring.kernels import CHUNK
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import common_terms, frequent_grid
from foreart.index.storage.segment import OVERFLOW
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import parallel_map

# A word is rare in a segment if at most one in this many documents has it.
RARE = 100
# Documents per task when lengths are computed.
_LENGTHS_STEP = 4096

Span = tuple[int, int]
NO_FILTER = frozen(np.empty(0, dtype=np.uint8))


class Block:
    """One segment of a snapshot; `lengths` are those of its documents under the weighting, None for BM25."""

    def __init__(
        self, snapshot: Snapshot, part: int, weighting: Weighting, lengths: np.ndarray | None, grid: np.ndarray | None
    ) -> None:
        self.part = part
        self.weighting = weighting
        self.arrays = snapshot.segments[part].arrays
        self.documents = len(snapshot.segments[part])
        self.first = int(snapshot.firsts[part])
        self.live = snapshot.live[part]
        self.alive = snapshot.alive[part]
        self._lengths = lengths
        self._grid = grid
        self._snapshot = snapshot

    @cached_property
    def span(self) -> Span:
        """The span of live documents, in complete chunks: of a segment that is cut, the others need no sums."""
        if self.live is None or not len(self.live):
            return 0, self.documents
        first, last = int(self.live[0]), int(self.live[-1]) + 1
        return first // CHUNK * CHUNK, min(-(-last // CHUNK) * CHUNK, self.documents)

    @cached_property
    def lists(self) -> kernels.Lists:
        """Postings by term."""
        return frozen(self.arrays.starts), frozen(self.arrays.docs), frozen(self.arrays.codes)

    @cached_property
    def rows(self) -> row_kernels.Rows:
        """Postings by document."""
        return frozen(self.arrays.row_ends), frozen(self.arrays.row_terms), frozen(self.arrays.row_codes)

    @cached_property
    def overflows(self) -> kernels.Overflows:
        """Overflow counts by term."""
        terms = np.asarray(self.arrays.great_terms).astype(np.int64)
        starts = np.flatnonzero(np.concatenate([[True], terms[1:] != terms[:-1]])) if len(terms) else terms
        weights = self.weighting.tf_weight(np.asarray(self.arrays.great_counts))
        bounds = np.concatenate([starts, [len(terms)]]).astype(np.int64)
        return frozen(terms[starts]), frozen(bounds), frozen(self.arrays.great_docs), frozen(weights)

    @cached_property
    def overflow_rows(self) -> row_kernels.OverflowRows:
        """Overflow counts by document."""
        documents = np.asarray(self.arrays.great_docs)
        order = np.argsort(documents, kind="stable")
        ends = np.searchsorted(documents[order], np.arange(self.documents + 1))
        return frozen(ends), frozen(np.asarray(self.arrays.great_terms)[order]), frozen(self.overflows[3][order])

    @cached_property
    def grid(self) -> np.ndarray:
        """The bytes of frequent words."""
        return frozen(frequent_grid(self.arrays, self.weighting) if self._grid is None else self._grid)

    @cached_property
    def table(self) -> np.ndarray:
        """The tf weights of codes in double precision."""
        return frozen(self.weighting.table)

    @cached_property
    def length_norms(self) -> np.ndarray:
        """The BM25 length norm of each document."""
        return frozen(self.weighting.length_norms(self.arrays.words, self._snapshot.documents, self._snapshot.words))

    @property
    def largest_sum(self) -> float:
        """The largest sum of count / (count + length norm) in a document; a count that is stored elsewhere counts 1."""
        largest, (ends, _, codes) = 0.0, self.rows
        for first in range(0, self.documents, _LENGTHS_STEP):
            last = min(first + _LENGTHS_STEP, self.documents)
            own = codes[int(ends[first]) : int(ends[last])].astype(np.float64)
            sizes: np.ndarray = np.diff(ends[first : last + 1].astype(np.int64))
            owners = np.repeat(np.arange(last - first), sizes)
            weights = np.where(own == OVERFLOW, 1.0, own / (own + self.length_norms[first:last][owners]))
            largest = max(largest, float(np.bincount(owners, weights, last - first).max(initial=0.0)))
        return largest

    @cached_property
    def divisors(self) -> np.ndarray:
        """The divisors of the sums over shared words: the lengths of documents, infinity for empty ones."""
        if self._lengths is None:
            return frozen(np.ones(self.documents))
        return frozen(np.where(self._lengths > 0, self._lengths, np.inf))

    @cached_property
    def scale(self) -> np.ndarray:
        """The factors of the sums of documents, in single precision; 0 if deleted."""
        scale = 1.0 / self.divisors
        return frozen((scale if self.alive is None else np.where(self.alive, scale, 0.0)).astype(np.float32))

    @cached_property
    def _single(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """In single precision: tf weights of codes, corrections for overflow counts, and length norms."""
        extra = self.overflows[3] - self.weighting.table[OVERFLOW]
        norms = self.length_norms if self.weighting.saturating else np.empty(0)
        table, extra, norms = (frozen(each.astype(np.float32)) for each in (self.weighting.table, extra, norms))
        return table, extra, norms

    @cached_property
    def _units(self) -> np.ndarray:
        """Powers of 2 for fixed-point sums: the largest for which no sum of the document exceeds 61 bits.

        A sum is at most the length of the document, because queries have length 1.
        """
        return _units(self.divisors)

    @cached_property
    def common(self) -> int:
        """The number of terms that more than one in `RARE` documents have; they are the first ones."""
        return common_terms(self.arrays, RARE)

    def prepare(self) -> None:
        """Computes cached properties in advance, so that threads do not compute them twice."""
        made = (self.grid, self.lists, self.rows, self.table, self.scale, self.overflow_rows, self._single, self._units)
        for _ in made:
            pass

    def terms(self, query: Query, *, precise: bool) -> kernels.Terms:
        """The terms of a query by their number in the segment, with factors; the first of them are in the grid."""
        own = query.terms[self.part]
        present = np.flatnonzero(own >= 0)
        order = present[np.argsort(own[present])]
        numbers = own[order]
        # Levels only approximate the weights of log-tf.
        gridded = 0 if precise and self.weighting.uses_levels else int(np.searchsorted(numbers, len(self.grid)))
        return numbers, query.factors[order].astype(np.float32), gridded

    def add(self, terms: kernels.Terms, span: Span, sums: np.ndarray, wanted: np.ndarray = NO_FILTER) -> None:
        """Adds the weights of terms, times their factors, to the documents of a span.

        `wanted` is 1 for documents whose sums are needed; other sums may be incomplete. Empty means all.
        """
        table, extra, norms = self._single
        if self.weighting.saturating:
            kernels.add_saturated(self.grid, norms, self.lists, self.overflows, terms, span, wanted, sums)
            return
        step = self.weighting.step if self.weighting.uses_levels else 1.0
        ceiling = 1 if self.weighting.tf == "binary" else 255
        kernels.add_weights(
            self.grid, step, ceiling, self.lists, self.overflows, extra, table, terms, span, wanted, sums
        )

    def exact(self, query: Query, documents: np.ndarray, positions: np.ndarray) -> np.ndarray:
        """The scores of some documents in double precision; `positions` is a buffer, all 0 before and after."""
        scores = np.empty(len(documents))
        saturating = self.weighting.saturating
        norms = self.length_norms if saturating else self.divisors
        units = np.full(self.documents, _units(query.factors.sum())) if saturating else self._units
        terms = query.terms[self.part], query.scored, positions
        row_kernels.row_scores(
            self.rows, self.overflow_rows, self.table, terms, documents, norms, saturating, units, self.divisors, scores
        )
        return scores

    def gains(self, factors: np.ndarray, prior: np.ndarray, times: float, documents: np.ndarray) -> np.ndarray:
        """The scores of some documents over the terms with factors, minus `times` the prior."""
        table, _, norms = self._single
        scores = np.empty(len(documents), dtype=np.float32)
        saturating = self.weighting.saturating
        own = norms if saturating else self.scale
        row_kernels.row_rest(
            self.rows,
            self.overflow_rows,
            table,
            factors,
            (prior, self.scale),
            times,
            documents,
            own,
            saturating,
            scores,
        )
        return scores

    def shares(self, query: Query, document: int) -> np.ndarray:
        """The contribution of each query word to the score of a document."""
        terms, counts = self._snapshot.segments[self.part].row(document)
        own = query.terms[self.part]
        positions = np.minimum(np.searchsorted(terms, own), max(len(terms) - 1, 0))
        shared = np.flatnonzero((own >= 0) & (terms[positions] == own)) if len(terms) else np.empty(0, dtype=np.int64)
        weights = self.weighting.tf_weight(counts[positions[shared]])
        if self.weighting.saturating:
            weights /= weights + self.length_norms[document]
        shares = np.zeros(len(query))
        shares[shared] = query.factors[shared] * weights / self.divisors[document]
        return shares

    def rows_of(self, documents: np.ndarray) -> np.ndarray:
        """The rows of live documents in the snapshot."""
        within = documents if self.live is None else np.searchsorted(self.live, documents)
        rows: np.ndarray = within.astype(np.int64) + self.first
        return rows

    def documents_of(self, mask: np.ndarray | None) -> np.ndarray:
        """The live documents allowed by a mask over all rows of the snapshot."""
        live = np.arange(self.documents) if self.live is None else self.live
        return live if mask is None else live[mask[self.first : self.first + len(live)]]


def _units(maxima: np.ndarray) -> np.ndarray:
    """The largest powers of 2 whose products with values up to `maxima` fit into 61 bits."""
    return np.exp2(61.0 - np.ceil(np.log2(np.where(np.isfinite(maxima) & (maxima > 0), maxima, 1.0))))


def lengths(snapshot: Snapshot, weighting: Weighting, *, threads: int = 1) -> tuple[np.ndarray, ...]:
    """The length (L2) of the weighted row of each document of each segment, deleted ones included."""
    blocks = [Block(snapshot, part, weighting, None, None) for part in range(len(snapshot.segments))]
    return tuple(_lengths(block, snapshot, threads) for block in blocks)


def _lengths(block: Block, snapshot: Snapshot, threads: int) -> np.ndarray:
    idf = frozen(block.weighting.idf_of(snapshot.df[block.part], snapshot.documents))
    rows, overflows, table = block.rows, block.overflow_rows, block.table
    squares = np.empty(block.documents)

    def take(first: int) -> None:
        last = min(first + _LENGTHS_STEP, block.documents)
        row_kernels.row_squares(rows, overflows, table, idf, first, last, squares)

    parallel_map(take, range(0, block.documents, _LENGTHS_STEP), threads)
    return np.sqrt(squares)
