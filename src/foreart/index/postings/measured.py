"""A segment made ready for measures: its documents' own sums, taken once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from foreart.features.compiling import HAVE_NUMBA
from foreart.features.letters import frozen
from foreart.index.postings import measure_kernels as kernels
from foreart.index.postings import own_sums, plain_measures
from foreart.index.postings.blocks import Block, Span
from foreart.index.postings.kernels import Great
from foreart.index.postings.query import Query
from foreart.index.postings.row_kernels import GreatRows, Rows

# The same functions in compiled loops or in NumPy.
_LOOPS: ModuleType = own_sums if HAVE_NUMBA else plain_measures
# Of documents that are at least so near, sums are taken exactly: their differences would show what is lost.
_NEAR = 0.5
# A document that has that many of a query's heaviest words is computed again.
_HEAVY = 32
KINDS = 9


@dataclass(frozen=True)
class Asked:
    """A query as measures see it: its row, the idf of its words, and the power of Minkowski's distance."""

    query: Query
    row: np.ndarray
    idf: np.ndarray
    power: float

    @cached_property
    def own(self) -> dict[str, float]:
        """The sums of its row."""
        row, powers = self.row, self.row**self.power
        return {"terms": len(row), "total": row.sum(), "squares": row @ row, "powers": powers.sum()}

    @cached_property
    def steps(self) -> np.ndarray:
        """What each word adds to the logarithm of the ratio of weights."""
        steps: np.ndarray = (np.log2(self.idf / self.row) + kernels.OCTAVES) * kernels.STEPS
        return steps

    @cached_property
    def factors(self) -> np.ndarray:
        """What functions of the ratio are multiplied by; then the same to take away what was added."""
        factors = kernels.term_factors(self.row, self.power)
        return np.concatenate([factors, -factors])

    @cached_property
    def from_one(self) -> np.ndarray:
        """The row with a 0 before it."""
        return np.concatenate([[0.0], self.row])


class Measured:
    """A segment under a weighting; `df` are the document frequencies of its terms among all `documents`."""

    def __init__(self, block: Block, documents: int, df: np.ndarray) -> None:
        self.block = block
        self.rarity = frozen(block.weighting.rarity(df, documents))
        self._sums: dict[float, np.ndarray] = {}

    def sums(self, power: float) -> np.ndarray:
        """The sums of each document's own row, in the rows of `own_sums`."""
        if power not in self._sums:
            self._sums[power] = self._scaled(power)
        return self._sums[power]

    @cached_property
    def scale(self) -> np.ndarray:
        """What turns the weights of each document into those of its row; 0 for a document without any."""
        if self.block.weighting.norm == "length":
            return frozen(1.0 / self.block.divisors)
        greatest = self._raw(1.0)[own_sums.GREATEST]
        return frozen(np.divide(1.0, greatest, out=np.zeros(len(greatest)), where=greatest > 0))

    @cached_property
    def heaviest(self) -> tuple[np.ndarray, np.ndarray]:
        """The heaviest terms of each document, and their weights."""
        documents = self.block.documents
        terms = np.zeros((documents, own_sums.HEAVIEST), dtype=np.uint32)
        weights = np.zeros((documents, own_sums.HEAVIEST))
        own_sums.row_heaviest(*self._rows, 0, documents, terms, weights)
        return frozen(terms), frozen(weights)

    def prepare(self, power: float) -> None:
        """Makes now what queries need, so that threads do not make it twice."""
        for _ in (self.sums(power), self._steps, self.heaviest) if HAVE_NUMBA else (self.sums(power),):
            pass

    def add(self, asked: Asked, needs: Collection[str], places: np.ndarray, span: Span, out: np.ndarray) -> np.ndarray:
        """Adds the terms of a query to the sums of a span; which documents are to be computed again."""
        own = asked.query.terms[self.block.part]
        there = np.flatnonzero(own >= 0)
        order = there[np.argsort(own[there])]
        codes, great, documents = self._steps
        picked = np.concatenate([order, order + len(own)])
        factors = asked.factors.reshape(-1, 8)[picked].ravel()
        table = kernels.ratio_table(asked.power)
        terms = own[order], asked.steps[order]
        kernels.add_overlaps(self.block.lists, great, codes, table, *terms, factors, documents, span, out)
        again = self._near(asked, span, out)
        if "widest" in needs:
            self._add_widest(asked, places, span, out[kernels.WIDEST], again)
        return again

    def products(self, asked: Asked, span: Span, out: np.ndarray) -> np.ndarray:
        """Only the products, in less time; which documents are to be computed again."""
        query, block = asked.query, self.block
        sums = np.zeros(span[1] - span[0], dtype=np.float32)
        block.add(block.terms(query, precise=True), span, sums)
        out[kernels.PRODUCT] = sums * (self.scale[slice(*span)] * (asked.row[0] / query.weights[0]))
        squares = self.sums(asked.power)[own_sums.SQUARES, slice(*span)]
        near: np.ndarray = out[kernels.PRODUCT] > _NEAR * np.sqrt(squares * asked.own["squares"])
        return near

    def again(self, asked: Asked, documents: np.ndarray, places: np.ndarray, first: int, out: np.ndarray) -> None:
        """Takes the sums of some documents again, in double precision."""
        if len(documents):
            exact = np.empty((KINDS, len(documents)))
            own_sums.row_overlap(*self._rows, places, asked.from_one, documents, self.scale, asked.power, exact)
            out[:, documents - first] = exact

    def _near(self, asked: Asked, span: Span, out: np.ndarray) -> np.ndarray:
        """Documents whose distances are small beside the sums that they are differences of."""
        sums = self.sums(asked.power)[:, slice(*span)]
        near: np.ndarray = out[kernels.PRODUCT] > _NEAR * np.sqrt(sums[own_sums.SQUARES] * asked.own["squares"])
        near |= out[kernels.LEAST] > _NEAR * np.minimum(sums[own_sums.TOTAL], asked.own["total"])
        return near

    def _add_widest(self, asked: Asked, places: np.ndarray, span: Span, widest: np.ndarray, again: np.ndarray) -> None:
        """The heaviest terms of both sides: one of them has the greatest difference."""
        heavy = np.argsort(-asked.row, kind="stable")[:_HEAVY]
        numbers, x, idf = asked.query.terms[self.block.part][heavy], asked.row[heavy], asked.idf[heavy]
        block = self.block
        kernels.add_heaviest(block.lists, block.table, numbers, x, idf, self.scale, span, widest, again)
        own_sums.add_own_heaviest(*self.heaviest, places, asked.from_one, self.scale, span, widest, again)

    @cached_property
    def _rows(self) -> tuple[Rows, GreatRows, np.ndarray, np.ndarray]:
        return self.block.rows, self.block.great_rows, self.block.table, self.rarity

    @cached_property
    def _steps(self) -> tuple[np.ndarray, Great, np.ndarray]:
        """Logarithms in steps: of the worth of codes, of great counts, and of what rows are scaled by."""
        great, worth = self.block.great, self.block.weighting.table
        codes = np.log2(np.maximum(worth, 1e-300)) * kernels.STEPS
        documents = np.log2(np.where(self.scale > 0, self.scale, 1.0)) * kernels.STEPS
        return (
            frozen(codes),
            (great[0], great[1], great[2], frozen(np.log2(great[3]) * kernels.STEPS)),
            frozen(documents),
        )

    def _raw(self, power: float) -> np.ndarray:
        out = np.empty((len(own_sums.KINDS), self.block.documents))
        _LOOPS.row_sums(*self._rows, power, 0, self.block.documents, out)
        return out

    def _scaled(self, power: float) -> np.ndarray:
        sums = self._raw(power)
        sums[own_sums.TOTAL] *= self.scale
        sums[own_sums.GREATEST] *= self.scale
        sums[own_sums.SQUARES] *= self.scale**2
        sums[own_sums.POWERS] *= self.scale**power
        return frozen(sums)
