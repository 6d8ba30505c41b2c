"""Word vectors without a training loop: positive pointwise mutual information of words and the words around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from foreart.compiling import compiled
from foreart.errors import ForeartError
from foreart.features.counting.token_stream import TokenStream
from foreart.features.products import times
from foreart.features.spectrum import leading
from foreart.features.vectors.cooccurrence import cooccurrences
from foreart.features.vectors.word_vectors import WordVectorFeatures, at_least_one


@dataclass(kw_only=True, eq=False)
class Ppmi(WordVectorFeatures):
    """A word's vector is its row of PPMI with the `contexts` most frequent words, turned to the best `dimensions`.

    Those are the right singular vectors of the square of the contexts' own rows, as rarer words add more chance than
    meaning; their singular values are raised to `power` (0 weighs all alike, 0.5 and 1 favour the first). `smoothing`
    is the exponent of the frequency of contexts, and the logarithm of `shift` is taken from each value (Levy, Goldberg
    and Dagan 2015 have 0.75 and 1 for these). The defaults are what ranked cited patents best among a few settings.
    This factorises what skip-gram approaches (Levy and Goldberg 2014), in one pass over the words.
    """

    name: ClassVar[str] = "ppmi"

    dimensions: int = 200
    window: int = 5
    min_count: int = 5
    contexts: int = 10_000
    smoothing: float = 1.0
    shift: float = 1.0
    power: float = 0.0
    tf: Literal["count", "binary", "log"] = "count"
    idf: bool = True
    as_published: bool = False
    seed: int = 0

    def _vectors(self, stream: TokenStream, totals: np.ndarray, kept: np.ndarray) -> np.ndarray:
        order = kept[np.argsort(-totals[kept], kind="stable")]  # the most frequent first, then by alphabet
        ranks = np.full(len(totals), -1, dtype=np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        near = cooccurrences(stream, ranks, window=self.window, contexts=self.contexts)
        rows = positive_information(near, smoothing=self.smoothing, shift=self.shift)
        del near
        values, right = directions(rows, self.dimensions, seed=self.seed)
        found = np.zeros((len(kept), self.dimensions), dtype=np.float32)
        found[:, : len(values)] = times(rows, right * values ** (self.power - 1.0))[ranks[kept]]
        return found

    def check(self) -> None:
        """Refuses parameters without a meaning."""
        super().check()
        at_least_one(self, "contexts")
        if self.shift <= 0:
            raise ForeartError(f"shift is {self.shift}; it can be any number above 0")
        for name in ("smoothing", "power"):
            if not 0 <= getattr(self, name) <= 2:
                raise ForeartError(f"{name} is {getattr(self, name)}; it can be from 0 to 2")


def positive_information(counts: csr_array, *, smoothing: float = 1.0, shift: float = 1.0) -> csr_array:
    """max(0, ln(p(a, b) / (p(a) · q(b))) − ln shift), with q(b) as p(b)^smoothing; zeros are not stored."""
    rows = np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
    columns = np.asarray(counts.sum(axis=0, dtype=np.float64)).ravel() ** smoothing
    # Where nothing was counted, there is no entry to see the 1.
    by_row = np.log(np.where(rows > 0, rows, 1.0))
    by_column = np.log(np.where(columns > 0, columns, 1.0)) - np.log(max(columns.sum(), 1.0)) + np.log(shift)
    arrays = counts.indptr, counts.indices, counts.data, by_row, by_column
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    _information(*arrays, ends[1:], np.empty(0, np.int32), np.empty(0, np.float32))
    np.cumsum(ends, out=ends)
    found, values = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=np.float32)
    _information(*arrays, ends[:-1].copy(), found, values)
    return csr_array((values, found, ends), shape=counts.shape)


@compiled
def _information(
    ends: np.ndarray,
    columns: np.ndarray,
    numbers: np.ndarray,
    by_row: np.ndarray,
    by_column: np.ndarray,
    places: np.ndarray,
    found: np.ndarray,
    values: np.ndarray,
) -> None:
    """Moves the place of each row on by its positive values, and fills in what there is room for."""
    for row in range(len(by_row)):
        for entry in range(ends[row], ends[row + 1]):
            value = np.log(numbers[entry]) - by_row[row] - by_column[columns[entry]]
            if value > 0.0:
                if len(found):
                    found[places[row]] = columns[entry]
                    values[places[row]] = value
                places[row] += 1


def directions(rows: csr_array, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """At most `count` singular values and right vectors, as columns, of the square that the first rows make."""
    width = rows.shape[1]
    square = rows[:width]
    by_column = square.T.tocsr()
    squares, right = leading(lambda block: times(by_column, times(square, block)), width, count, seed=seed)
    return np.sqrt(squares), np.ascontiguousarray(right)
