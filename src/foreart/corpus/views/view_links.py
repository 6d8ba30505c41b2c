"""Links between the documents of a view, by the numbers that they list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foreart.corpus.views.view_columns import Ragged, inverted_lists, offsets


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """For each row the rows that it links to, and those that link to it; in increasing order, without itself."""

    to: Ragged
    by: Ragged


def links_between(lists: Ragged, own: np.ndarray, rows: np.ndarray, numbers: int) -> Links:
    """Links to the documents whose numbers are listed; several may have one number.

    `own` are the numbers of documents in increasing order, `rows` the row of each.
    """
    count = len(lists)
    bounds = np.searchsorted(own, np.arange(numbers + 1))
    first, times = bounds[lists.values], np.diff(bounds)[lists.values]
    targets = rows[np.repeat(first, times) + _places(times)].astype(np.int64)
    sources = np.repeat(np.repeat(np.arange(count), np.diff(lists.starts)), times)
    other = sources != targets
    pairs = np.unique(sources[other] * max(1, count) + targets[other])
    sources, targets = np.divmod(pairs, max(1, count))
    to = Ragged(offsets(np.searchsorted(sources, np.arange(count + 1))), targets.astype(np.int32))
    return Links(to, inverted_lists(to, count))


def _places(times: np.ndarray) -> np.ndarray:
    """0, 1, 2 … up to each number, one after the other."""
    places: np.ndarray = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    return places
