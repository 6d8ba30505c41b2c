"""Reference implementation of passage scores: a matrix with one row per passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.text import tokens
from foreart.text.passages import passages


@dataclass(frozen=True)
class Plain:
    """The weighted passages of documents, of unit length unless empty, and their documents."""

    idf: Mapping[str, float]
    columns: Mapping[str, int]
    rows: np.ndarray
    owners: np.ndarray
    documents: int

    @classmethod
    def of(cls, texts: Mapping[str, str], words: int) -> Plain:
        """Passages of documents in the given order."""
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
        """The largest cosine of a passage of each document with the full query."""
        words = [word for word in tokens(query) if len(word) >= 3 and not any(sign.isdigit() for sign in word)]
        cosines = self.rows @ _row(Counter(words), self.idf, self.columns)
        return np.array([cosines[self.owners == owner].max() for owner in range(self.documents)])

    def mean(self, query: str, words: int) -> np.ndarray:
        """The mean of `best` over the passages of a query that have a known word."""
        found = [self.best(part) for part in passages(query, words=words)]
        return np.mean([scores for scores in found if scores.any()] or [np.zeros(self.documents)], axis=0)


def _row(counts: Counter[str], idf: Mapping[str, float], columns: Mapping[str, int]) -> np.ndarray:
    row = np.zeros(len(columns))
    for word, number in counts.items():
        if word in columns:
            row[columns[word]] = (1 + np.log(number)) * idf[word]
    length = np.linalg.norm(row)
    return row / length if length else row
