"""Classes and applicants of all documents as arrays, to be counted for any set of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from foreart.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True, eq=False)
class FacetColumn:
    """Pairs of a serial number and the position of a value in `values`."""

    serials: np.ndarray
    codes: np.ndarray
    values: tuple[str, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, str]]) -> FacetColumn:
        """The column of pairs."""
        positions: dict[str, int] = {}
        serials, codes = [], []
        for serial, value in pairs:
            serials.append(serial)
            codes.append(positions.setdefault(value, len(positions)))
        return cls(np.array(serials, dtype=np.int64), np.array(codes, dtype=np.int64), tuple(positions))

    def counts(self, serials: np.ndarray, limit: int) -> list[tuple[str, int]]:
        """The most frequent values among documents, and how many of them have each."""
        found = np.bincount(self.codes[np.isin(self.serials, serials)], minlength=len(self.values))
        order = sorted(np.flatnonzero(found).tolist(), key=lambda code: (-found[code], self.values[code]))
        return [(self.values[code], int(found[code])) for code in order[:limit]]


@dataclass(frozen=True, slots=True, eq=False)
class FacetColumns:
    """Subclasses (`A61B`), main groups (`A61B 17`) and applicants of a corpus, by CPC where there is one, else IPC."""

    subclasses: FacetColumn
    groups: FacetColumn
    applicants: FacetColumn

    @classmethod
    def of(cls, corpus: Corpus) -> FacetColumns:
        """The columns of a corpus as it is now."""
        symbols = corpus.connection.execute("SELECT serial, scheme, symbol FROM class ORDER BY serial, scheme")
        by_document: dict[int, tuple[str, set[str]]] = {}
        for serial, scheme, symbol in symbols:
            # Schemes are in alphabetical order: cpc is first, and ipc counts only where there is no cpc.
            known_scheme, known = by_document.setdefault(serial, (scheme, set()))
            if known_scheme == scheme:
                known.add(symbol.partition("/")[0])
        pairs = [(serial, group) for serial, (_, groups) in by_document.items() for group in sorted(groups)]
        names = corpus.connection.execute("SELECT serial, name FROM applicant ORDER BY serial, name")
        return cls(
            FacetColumn.of(dict.fromkeys((serial, group[:4]) for serial, group in pairs)),
            FacetColumn.of(pairs),
            FacetColumn.of(names),
        )
