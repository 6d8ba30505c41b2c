"""Passages scored by the letter of the definition: a matrix of all passages, one row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.text import tokens
from foreart.text.passages import passages


@dataclass(frozen=True)
class Plain:
    """The weighted passages of documents, each of length 1 unless it is empty, and whose each is."""

    idf: Mapping[str, float]
    columns: Mapping[str, int]
    rows: np.ndarray
    owners: np.ndarray
    documents: int

    @classmethod
    def of(cls, texts: Mapping[str, str], words: int) -> Plain:
        """Documents in the order given."""
        cut = [
            (owner, part) for owner, text in enumerate(texts.values()) for part in passages(text, words=words) or [""]
        ]
        counts = [Counter(tokens(part)) for _, part in cut]
        df = Counter(word for counted in counts for word in counted)
        idf = {word: float(np.log(len(cut) / number)) for word, number in df.items()}
        columns = {word: column for column, word in enumerate(sorted(df))}
        rows = np.stack([_row(counted, idf, columns) for counted in counts])
        return cls(idf, columns, rows, np.array([owner for owner, _ in cut]), len(texts))

    def best(self, query: str) -> np.ndarray:
        """For each document the greatest cosine of one of its passages with a query, as a whole."""
        asked = [word for word in tokens(query) if len(word) >= 3 and not any(sign.isdigit() for sign in word)]
        cosines = self.rows @ _row(Counter(asked), self.idf, self.columns)
        return np.array([cosines[self.owners == owner].max() for owner in range(self.documents)])

    def mean(self, query: str, words: int) -> np.ndarray:
        """The mean of that over the passages of a query that have a known word."""
        found = [self.best(part) for part in passages(query, words=words)]
        return np.mean([scores for scores in found if scores.any()] or [np.zeros(self.documents)], axis=0)


def _row(counts: Counter[str], idf: Mapping[str, float], columns: Mapping[str, int]) -> np.ndarray:
    row = np.zeros(len(columns))
    for word, number in counts.items():
        if word in columns:
            row[columns[word]] = (1 + np.log(number)) * idf[word]
    length = np.linalg.norm(row)
    return row / length if length else row
