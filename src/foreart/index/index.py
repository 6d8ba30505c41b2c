"""An index in use: its rows, the features that made them, and the description of both."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.features import Features
from foreart.index.rows import Rows


@dataclass(frozen=True, slots=True)
class Description:
    """What `index.json` says. `corpus` is the fingerprint of the corpus the rows were made from."""

    sections: str
    features: str
    parameters: dict[str, Any]
    corpus: str
    documents: int
    terms: int
    postings: int
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

    def encode(self, text: str) -> csr_array:
        """The row of a text, comparable with the rows here."""
        return self.features.encode([text])

    def scores(self, query: csr_array) -> np.ndarray:
        """The score of every document, in the order of rows."""
        return self.rows.scores(query)

    def top(self, query: csr_array, k: int) -> list[tuple[str, float]]:
        """The k best documents, without regard to dates and families."""
        return self.rows.top(query, k)

    def explain(self, query: csr_array, number: str) -> tuple[tuple[str, float], ...]:
        """What each shared word adds to the score of a document, greatest first; the sum is the score."""
        terms = self._terms
        return tuple((terms[column], share) for column, share in self.rows.explain(query, self.rows.row_of(number)))

    @cached_property
    def _terms(self) -> list[str]:
        return list(self.features.terms)
