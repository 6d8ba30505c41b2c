"""The arrays in which dense rows are stored: the numbers, and for many rows the codes of a quick first look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import numpy as np

from foreart.errors import IndexingError
from foreart.index.dense.row_codes import Codes, encoded

# What a first look is at; the numbers in single precision are always there for the second.
STORAGES = ("float32", "float16", "int8")
CODES = tuple(field.name for field in fields(Codes))

_STEP = 1024
# Rows from which on the first look is quicker at int8 than at the plain numbers, and saves memory worth it.
_MANY = 65536
# The lengths between which single precision is sure to keep its digits.
_SHORTEST, _LONGEST = 1e-15, 1e15


def stored(rows: np.ndarray, groups: np.ndarray | None = None, *, storage: str = "float32") -> dict[str, np.ndarray]:
    """The arrays to write, by name; `DenseRows.of` takes them up.

    `data` has the numbers in single precision. Where there are `codes`, in half precision or int8, it is read only for
    the rows that need a second look.
    """
    if storage not in STORAGES:
        raise IndexingError(f"rows are stored as {', '.join(STORAGES)}, not as {storage!r}")
    arrays: dict[str, np.ndarray] = {"data": rows.astype(np.float32, copy=False)}
    if groups is not None:
        arrays["groups"] = np.asarray(groups, dtype=np.int64)
    lengths = None if storage == "float32" else lengths_of(arrays["data"])
    if lengths is None or not ordinary(lengths):
        return arrays
    codes = encoded(arrays["data"], storage)
    return {**arrays, "lengths": lengths, **{name: getattr(codes, name) for name in CODES}}


def storage_for(rows: int) -> str:
    """What is best for so many rows: the plain numbers as long as there are few."""
    return "int8" if rows >= _MANY else "float32"


def belong_together(arrays: Mapping[str, np.ndarray], *, documents: int, columns: int) -> bool:
    """Whether arrays have the sizes that `stored` gave those of so many documents."""
    data, groups = arrays["data"], arrays.get("groups")
    if groups is None:
        groups = np.arange(len(data) + 1)
    if data.ndim != 2 or data.shape[1] != columns or len(groups) != documents + 1 or groups[-1] != len(data):
        return False
    sizes = {"codes": data.shape, "weights": (columns,)}
    return "codes" not in arrays or all(
        name in arrays and arrays[name].shape == sizes.get(name, (len(data),)) for name in ("lengths", *CODES)
    )


def lengths_of(data: np.ndarray) -> np.ndarray:
    """The length (L2) of each row, by sums in one order."""
    found = np.empty(len(data))
    for start in range(0, len(data), _STEP):
        here = slice(start, start + _STEP)
        part = data[here].astype(np.float64)
        found[here] = np.sqrt(np.einsum("ij,ij->i", part, part))
    return found


def ordinary(lengths: np.ndarray) -> bool:
    """Whether estimates in single precision are safe: no row is absurdly short or long."""
    return bool(((lengths == 0) | ((lengths > _SHORTEST) & (lengths < _LONGEST))).all())
