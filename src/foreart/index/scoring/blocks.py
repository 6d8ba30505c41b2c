"""A segment made ready for one weighting: what every query needs of it, made once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from foreart.features.counting.string_arrays import frozen
from foreart.index.scoring import kernels, row_kernels
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import common_terms, frequent_grid
from foreart.index.storage.segment import GREAT
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.parallel import side_by_side

# A word of a segment is rare that one in so many documents has, or fewer.
RARE = 100
# Documents whose lengths one thread takes in one go.
_LENGTHS_STEP = 4096

Span = tuple[int, int]
NOBODY = frozen(np.empty(0, dtype=np.uint8))


class Block:
    """One segment of a snapshot; its lengths are those of the weighting, and None for BM25."""

    def __init__(
        self, snapshot: Snapshot, part: int, weighting: Weighting, lengths: np.ndarray | None, grid: np.ndarray | None
    ) -> None:
        self.part = part
        self.weighting = weighting
        self.arrays = snapshot.segments[part].arrays
        self.documents = len(snapshot.segments[part])
        self.first = int(snapshot.firsts[part])
        self.living = snapshot.living[part]
        self.alive = snapshot.alive[part]
        self._lengths = lengths
        self._grid = grid
        self._snapshot = snapshot

    @cached_property
    def lists(self) -> kernels.Lists:
        """Postings by term."""
        return frozen(self.arrays.starts), frozen(self.arrays.docs), frozen(self.arrays.codes)

    @cached_property
    def rows(self) -> row_kernels.Rows:
        """Postings by document."""
        return frozen(self.arrays.row_ends), frozen(self.arrays.row_terms), frozen(self.arrays.row_codes)

    @cached_property
    def great(self) -> kernels.Great:
        """Great counts by term."""
        terms = np.asarray(self.arrays.great_terms).astype(np.int64)
        starts = np.flatnonzero(np.concatenate([[True], terms[1:] != terms[:-1]])) if len(terms) else terms
        worth = self.weighting.worth(np.asarray(self.arrays.great_counts))
        bounds = np.concatenate([starts, [len(terms)]]).astype(np.int64)
        return frozen(terms[starts]), frozen(bounds), frozen(self.arrays.great_docs), frozen(worth)

    @cached_property
    def great_rows(self) -> row_kernels.GreatRows:
        """Great counts by document."""
        documents = np.asarray(self.arrays.great_docs)
        order = np.argsort(documents, kind="stable")
        ends = np.searchsorted(documents[order], np.arange(self.documents + 1))
        return frozen(ends), frozen(np.asarray(self.arrays.great_terms)[order]), frozen(self.great[3][order])

    @cached_property
    def grid(self) -> np.ndarray:
        """The bytes of frequent words."""
        return frozen(frequent_grid(self.arrays, self.weighting) if self._grid is None else self._grid)

    @cached_property
    def table(self) -> np.ndarray:
        """The worth of codes in double precision."""
        return frozen(self.weighting.table)

    @cached_property
    def rooms(self) -> np.ndarray:
        """BM25's room of each document."""
        return frozen(self.weighting.rooms(self.arrays.words, self._snapshot.documents, self._snapshot.words))

    @cached_property
    def divisors(self) -> np.ndarray:
        """What the sum over shared words is divided by: the length of the document, and infinity where it has none."""
        if self._lengths is None:
            return frozen(np.ones(self.documents))
        return frozen(np.where(self._lengths > 0, self._lengths, np.inf))

    @cached_property
    def scale(self) -> np.ndarray:
        """What the sums of documents are multiplied by, in single precision; 0 for the dead."""
        scale = 1.0 / self.divisors
        return frozen((scale if self.alive is None else np.where(self.alive, scale, 0.0)).astype(np.float32))

    @cached_property
    def _single(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """In single precision: the worth of codes, what great counts are worth beyond theirs, and the rooms."""
        extra = self.great[3] - self.weighting.table[GREAT]
        rooms = self.rooms if self.weighting.saturating else np.empty(0)
        table, extra, rooms = (frozen(each.astype(np.float32)) for each in (self.weighting.table, extra, rooms))
        return table, extra, rooms

    @cached_property
    def _units(self) -> np.ndarray:
        """Powers of 2 so great that no sum of a document, in whole numbers of their inverse, passes 61 bits.

        A sum is at most the length of the document, for that of a query is 1.
        """
        return _units(self.divisors)

    @cached_property
    def common(self) -> int:
        """How many terms more than one in `RARE` documents have: they are the first ones."""
        return common_terms(self.arrays, RARE)

    def prepare(self) -> None:
        """Makes now what is made at the first need, so that threads do not make it twice."""
        made = (self.grid, self.lists, self.rows, self.table, self.scale, self.great_rows, self._single, self._units)
        for _ in made:
            pass

    def terms(self, query: Query, *, precise: bool) -> kernels.Terms:
        """The terms of a query by their number here, with their factors; the first of them are taken from the grid."""
        own = query.terms[self.part]
        there = np.flatnonzero(own >= 0)
        order = there[np.argsort(own[there])]
        numbers = own[order]
        # Levels are near the weights of log-tf, not equal to them.
        gridded = 0 if precise and self.weighting.levelled else int(np.searchsorted(numbers, len(self.grid)))
        return numbers, query.factors[order].astype(np.float32), gridded

    def add(self, terms: kernels.Terms, span: Span, sums: np.ndarray, few: np.ndarray = NOBODY) -> None:
        """Adds the worth of terms to the documents of a span, each times its factor.

        `few` is 1 for documents that are wanted; the sums of others then may lack something. Empty, it says nothing.
        """
        table, extra, rooms = self._single
        if self.weighting.saturating:
            kernels.add_saturated(self.grid, rooms, self.lists, self.great, terms, span, few, sums)
            return
        step = self.weighting.step if self.weighting.levelled else 1.0
        ceiling = 1 if self.weighting.tf == "binary" else 255
        kernels.add_weights(self.grid, step, ceiling, self.lists, self.great, extra, table, terms, span, few, sums)

    def exact(self, query: Query, documents: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The scores of some documents in double precision; `places` is all 0 before and after."""
        scores = np.empty(len(documents))
        saturating = self.weighting.saturating
        rooms = self.rooms if saturating else self.divisors
        units = np.full(self.documents, _units(query.factors.sum())) if saturating else self._units
        asked = query.terms[self.part], query.scored, places
        row_kernels.row_scores(
            self.rows, self.great_rows, self.table, asked, documents, rooms, saturating, units, self.divisors, scores
        )
        return scores

    def gained(self, factors: np.ndarray, usual: np.ndarray, times: float, documents: np.ndarray) -> np.ndarray:
        """The scores of some documents over the first terms, each times its factor, beyond so many times the usual."""
        table, _, rooms = self._single
        scores = np.empty(len(documents), dtype=np.float32)
        saturating = self.weighting.saturating
        own = rooms if saturating else self.scale
        row_kernels.row_rest(
            self.rows, self.great_rows, table, factors, (usual, self.scale), times, documents, own, saturating, scores
        )
        return scores

    def shares(self, query: Query, document: int) -> np.ndarray:
        """What each word of a query adds to the score of a document."""
        terms, counts = self._snapshot.segments[self.part].row(document)
        own = query.terms[self.part]
        places = np.minimum(np.searchsorted(terms, own), max(len(terms) - 1, 0))
        shared = np.flatnonzero((own >= 0) & (terms[places] == own)) if len(terms) else np.empty(0, dtype=np.int64)
        worth = self.weighting.worth(counts[places[shared]])
        if self.weighting.saturating:
            worth /= worth + self.rooms[document]
        found = np.zeros(len(query))
        found[shared] = query.factors[shared] * worth / self.divisors[document]
        return found

    def rows_of(self, documents: np.ndarray) -> np.ndarray:
        """The rows of living documents in the snapshot."""
        within = documents if self.living is None else np.searchsorted(self.living, documents)
        rows: np.ndarray = within.astype(np.int64) + self.first
        return rows

    def documents_of(self, mask: np.ndarray | None) -> np.ndarray:
        """Of living documents those that a mask over all rows of the snapshot lets through."""
        living = np.arange(self.documents) if self.living is None else self.living
        return living if mask is None else living[mask[self.first : self.first + len(living)]]


def _units(most: np.ndarray) -> np.ndarray:
    """Powers of 2 by which whole numbers may be multiplied that are no greater than some."""
    return np.exp2(61.0 - np.ceil(np.log2(np.where(np.isfinite(most) & (most > 0), most, 1.0))))


def lengths(snapshot: Snapshot, weighting: Weighting, *, threads: int = 1) -> tuple[np.ndarray, ...]:
    """The length (L2) of the weighted row of each document of each segment, dead ones included."""
    blocks = [Block(snapshot, part, weighting, None, None) for part in range(len(snapshot.segments))]
    return tuple(_lengths(block, snapshot, threads) for block in blocks)


def _lengths(block: Block, snapshot: Snapshot, threads: int) -> np.ndarray:
    rarity = frozen(block.weighting.rarity(snapshot.df[block.part], snapshot.documents))
    rows, great, table = block.rows, block.great_rows, block.table
    squares = np.empty(block.documents)

    def take(first: int) -> None:
        last = min(first + _LENGTHS_STEP, block.documents)
        row_kernels.row_squares(rows, great, table, rarity, first, last, squares)

    side_by_side(take, range(0, block.documents, _LENGTHS_STEP), threads)
    return np.sqrt(squares)
