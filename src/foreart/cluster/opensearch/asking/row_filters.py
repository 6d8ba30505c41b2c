"""A mask of documents as a filter of OpenSearch: by few rows, by days with exceptions, or by bits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

# So many rows can be named one by one; the largest that an index allows is far above.
NAMED = 20_000
# If at most one in this many documents passes, these alone are scored.
_SELECTIVE = 20
_BITS = """
int row = (int) doc['row'].value;
return ((((Number) params.bits.get(row >>> 6)).longValue() >>> (row & 63)) & 1L) == 1L;
"""


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Clauses of a search: `before` narrows what is scored, `after` what is found; scores are the same."""

    before: tuple[dict[str, Any], ...] = ()
    after: tuple[dict[str, Any], ...] = field(default=())

    @property
    def every(self) -> tuple[dict[str, Any], ...]:
        """All clauses."""
        return self.before + self.after


NO_FILTER = RowFilter()


def row_filter(allowed: np.ndarray | None, days: np.ndarray) -> RowFilter:
    """The filter of a mask; `days` are those of documents, by which most masks are made.

    Without a filter Lucene sums the words of a query in its fast way, so that what lets many pass is applied after it.
    """
    if allowed is None or bool(allowed.all()):
        return NO_FILTER
    rows = np.flatnonzero(allowed)
    if len(rows) * _SELECTIVE <= len(allowed) and len(rows) <= NAMED:
        return RowFilter(before=(named_rows(rows),))
    last = int(days[rows].max(initial=0)) if len(rows) else 0
    early = days <= last
    except_for = np.flatnonzero(early & ~allowed)
    if len(rows) <= min(NAMED, len(except_for)):
        return RowFilter(after=(named_rows(rows),))
    if len(except_for) <= NAMED:
        clauses: dict[str, Any] = {"must_not": [named_rows(except_for)]} if len(except_for) else {}
        if not early.all():
            clauses["filter"] = [{"range": {"day": {"lte": last}}}]
        return RowFilter(after=({"bool": clauses},))
    return RowFilter(after=(_bits(allowed),))


def named_rows(rows: np.ndarray) -> dict[str, Any]:
    """The documents of some rows: a range where these follow one another."""
    if len(rows) and int(rows[-1]) - int(rows[0]) == len(rows) - 1 and bool((np.diff(rows) == 1).all()):
        return {"range": {"row": {"gte": int(rows[0]), "lte": int(rows[-1])}}}
    return {"terms": {"row": rows.tolist()}}


def _bits(allowed: np.ndarray) -> dict[str, Any]:
    """One bit for each document, in whole numbers of 64 bits."""
    packed = np.packbits(allowed, bitorder="little")
    words = np.zeros(-(-len(allowed) // 64) * 8, dtype=np.uint8)
    words[: len(packed)] = packed
    return {"script": {"script": {"source": _BITS, "params": {"bits": words.view("<i8").tolist()}}}}
