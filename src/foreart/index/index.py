"""An index in use: its rows, the features that made them, and the description of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foreart.features import Features, RowArray
from foreart.index.rows import Rows

# What stands for the share of a score that no word has: centred features have one.
CONSTANT = "(constant)"


@dataclass(frozen=True, slots=True)
class Description:
    """What `index.json` says. `corpus` is the fingerprint of the corpus the rows were made from.

    `columns` are the terms of sparse rows or the dimensions of dense ones, `numbers` all numbers that are stored.
    """

    sections: str
    features: str
    parameters: dict[str, Any]
    corpus: str
    documents: int
    columns: int
    numbers: int
    fingerprint: str
    foreart: str
    form: int

    def to_record(self) -> dict[str, Any]:
        """The description as JSON holds it."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.features} of {self.sections} text"

    @property
    def settings(self) -> str:
        """The parameters in one line."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())


@dataclass(frozen=True)
class Index:
    """Never changed: a new state of the corpus gets a new index."""

    rows: Rows
    features: Features
    description: Description

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sections(self) -> str:
        """Which text of a document was indexed."""
        return self.description.sections

    @property
    def ids(self) -> list[str]:
        """The id of each row."""
        return list(self.rows.ids)

    def encode(self, text: str) -> RowArray:
        """The row of a query, comparable with the rows here."""
        return self.features.encode_queries([text])

    def scores(self, query: RowArray) -> np.ndarray:
        """The score of every document, in the order of rows."""
        return self.rows.scores(query, measure=self.features.measure)

    def top(self, query: RowArray, k: int) -> list[tuple[str, float]]:
        """The k best documents, without regard to dates and families."""
        return self.rows.top(query, k, measure=self.features.measure)

    def explanation(self, text: str) -> Explanation:
        """Ready to say why documents score as they do for a query text."""
        parts = self.features.parts(text)
        return Explanation(self, *(parts if parts is not None else ((), None)))


@dataclass(frozen=True)
class Explanation:
    """A query in its parts, one a word; without any where the features have none."""

    index: Index
    words: Sequence[str]
    parts: RowArray | None

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document, greatest first; the sum is the score."""
        if self.parts is None:
            return ()
        rows = self.index.rows
        shares = rows.shares(self.parts, rows.row_of(number), measure=self.index.features.measure)
        found = [(word or CONSTANT, share) for word, share in zip(self.words, shares.tolist(), strict=True) if share]
        return tuple(sorted(found, key=lambda item: (-item[1], item[0])))
