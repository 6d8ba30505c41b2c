"""Word vectors without a training loop: positive pointwise mutual information (PPMI) of words and contexts."""

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
from foreart.features.vectors.word_vectors import WordVectorFeatures, require_positive


@dataclass(kw_only=True, eq=False)
class Ppmi(WordVectorFeatures):
    """A word vector is its row of PPMI with the `contexts` most frequent words, projected to `dimensions`.

    The projection is on the right singular vectors of the square matrix of the contexts' own rows, because rarer words
    add more noise than meaning; singular values are raised to `power` (0 weights all equally, 0.5 and 1 favour the
    first). `smoothing` is the exponent of context frequencies, and ln `shift` is subtracted from each value (Levy,
    Goldberg and Dagan 2015 use 0.75 and 1). The defaults ranked cited patents best among a few settings. This
    factorises the matrix that skip-gram approximates (Levy and Goldberg 2014), in one pass over the words.
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
        order = kept[np.argsort(-totals[kept], kind="stable")]  # most frequent first, then alphabetical
        ranks = np.full(len(totals), -1, dtype=np.int32)
        ranks[order] = np.arange(len(order), dtype=np.int32)
        near = cooccurrences(stream, ranks, window=self.window, contexts=self.contexts)
        rows = positive_information(near, smoothing=self.smoothing, shift=self.shift)
        del near
        values, right = directions(rows, self.dimensions, seed=self.seed)
        vectors = np.zeros((len(kept), self.dimensions), dtype=np.float32)
        vectors[:, : len(values)] = times(rows, right * values ** (self.power - 1.0))[ranks[kept]]
        return vectors

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        super().check()
        require_positive(self, "contexts")
        if self.shift <= 0:
            raise ForeartError(f"shift is {self.shift}; it can be any number above 0")
        for name in ("smoothing", "power"):
            if not 0 <= getattr(self, name) <= 2:
                raise ForeartError(f"{name} is {getattr(self, name)}; it can be from 0 to 2")


def positive_information(counts: csr_array, *, smoothing: float = 1.0, shift: float = 1.0) -> csr_array:
    """max(0, ln(p(a, b) / (p(a) · q(b))) − ln shift), with q(b) as p(b)^smoothing; zeros are not stored."""
    rows = np.asarray(counts.sum(axis=1, dtype=np.float64)).ravel()
    columns = np.asarray(counts.sum(axis=0, dtype=np.float64)).ravel() ** smoothing
    # Rows and columns without counts have no entries, so that their 1 has no effect.
    by_row = np.log(np.where(rows > 0, rows, 1.0))
    by_column = np.log(np.where(columns > 0, columns, 1.0)) - np.log(max(columns.sum(), 1.0)) + np.log(shift)
    arrays = counts.indptr, counts.indices, counts.data, by_row, by_column
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    _information(*arrays, ends[1:], np.empty(0, np.int32), np.empty(0, np.float32))
    np.cumsum(ends, out=ends)
    indices, values = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1], dtype=np.float32)
    _information(*arrays, ends[:-1].copy(), indices, values)
    return csr_array((values, indices, ends), shape=counts.shape)


@compiled
def _information(
    ends: np.ndarray,
    columns: np.ndarray,
    counts: np.ndarray,
    by_row: np.ndarray,
    by_column: np.ndarray,
    positions: np.ndarray,
    indices: np.ndarray,
    values: np.ndarray,
) -> None:
    """Advances the position of each row by its positive values; writes entries if arrays are given."""
    for row in range(len(by_row)):
        for entry in range(ends[row], ends[row + 1]):
            value = np.log(counts[entry]) - by_row[row] - by_column[columns[entry]]
            if value > 0.0:
                if len(indices):
                    indices[positions[row]] = columns[entry]
                    values[positions[row]] = value
                positions[row] += 1


def directions(rows: csr_array, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """At most `count` singular values and right singular vectors (columns) of the square matrix of the first rows."""
    width = rows.shape[1]
    square = rows[:width]
    by_column = square.T.tocsr()
    squares, right = leading(lambda block: times(by_column, times(square, block)), width, count, seed=seed)
    return np.sqrt(squares), np.ascontiguousarray(right)
