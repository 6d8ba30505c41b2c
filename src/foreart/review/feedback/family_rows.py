"""Families are judged once: one row stands for each."""

from __future__ import annotations

import numpy as np

from foreart.corpus.views import ALONE

# How many candidates of a search a review orders: the best by the learned ranking.
POOL = 2000


def family_names(rows: np.ndarray, families: np.ndarray) -> np.ndarray:
    """A number for each row that only members of one family share; `families` is the column of a view."""
    codes = families[rows].astype(np.int64)
    return np.where(codes == ALONE, -1 - np.asarray(rows, dtype=np.int64), codes)


def first_of_families(rows: np.ndarray, families: np.ndarray) -> np.ndarray:
    """The places of the first row of each family, in order."""
    _, places = np.unique(family_names(rows, families), return_index=True)
    return np.sort(places)
