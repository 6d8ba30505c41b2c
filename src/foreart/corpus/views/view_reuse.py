"""Columns of a new view of which most rows are those of an older one: what is kept is copied, never read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.corpus.views.view import CorpusView
from foreart.corpus.views.view_columns import Inverted, Ragged, offsets


@dataclass(frozen=True, slots=True, eq=False)
class Reuse:
    """`rows` has for each row of the new view that of the older one, -1 if it has to be read."""

    before: CorpusView | None
    rows: np.ndarray

    @classmethod
    def of(cls, before: CorpusView | None, ids: Sequence[str], contents: Sequence[bytes]) -> Reuse:
        """A document is kept if its content is the same."""
        if before is None:
            return cls(None, np.full(len(ids), -1))
        rows = zip(range(len(before)), before.contents.tolist(), strict=True)
        old = dict(zip(before.ids, rows, strict=True))
        matches = (old.get(number, (-1, b"")) for number in ids)
        kept = (row if content == new else -1 for (row, content), new in zip(matches, contents, strict=True))
        return cls(before, np.fromiter(kept, np.int64, len(ids)))

    @property
    def fresh(self) -> np.ndarray:
        """The rows that have to be read."""
        return np.flatnonzero(self.rows < 0)

    def column(self, old: Callable[[CorpusView], np.ndarray], read: np.ndarray) -> np.ndarray:
        """A column with one value or vector per row; `read` are those of the fresh rows."""
        merged = np.zeros((len(self.rows), *read.shape[1:]), dtype=read.dtype)
        if self.before is not None:
            merged[self.rows >= 0] = old(self.before)[self.rows[self.rows >= 0]]
        merged[self.rows < 0] = read
        return merged

    def hashes(self, old: Callable[[CorpusView], Ragged], read: Ragged) -> Ragged:
        """A list of hashes per row, which the older view has as positions in its `numbers`."""
        if self.before is None:
            return read
        kept = old(self.before).take(self.rows[self.rows >= 0])
        values = np.concatenate([self.before.numbers[kept.values], read.values])
        starts = np.concatenate([kept.starts, kept.starts[-1].astype(np.int64) + read.starts[1:]])
        order = np.argsort(np.argsort(self.rows < 0, kind="stable"), kind="stable")
        return Ragged(offsets(starts), values).take(order)

    def inverted(
        self,
        old: Callable[[CorpusView], Inverted],
        texts: Sequence[str],
        codes: np.ndarray,
        rows: np.ndarray,
        fold: Callable[[str], str],
    ) -> Inverted:
        """The rows of each value: of the kept rows, and of others, where row `rows[i]` has `texts[codes[i]]`."""
        if self.before is None:
            return Inverted.of(texts, codes, rows, fold)
        column = old(self.before)
        table = {value.decode(): code for code, value in enumerate(column.values)}
        translated = np.array([table.setdefault(text, len(table)) for text in texts], dtype=np.int64)
        moved = np.full(len(self.before), -1)
        moved[self.rows[self.rows >= 0]] = np.flatnonzero(self.rows >= 0)
        kept = moved[column.rows]
        return Inverted.of(
            list(table),
            np.concatenate([column.codes[kept >= 0], translated[codes]]),
            np.concatenate([kept[kept >= 0], rows]),
            fold,
            known=dict(zip(column.values, column.hashes.tolist(), strict=True)),
        )
