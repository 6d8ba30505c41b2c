"""The stored arrays of dense rows: the values, and for many rows the codes for estimates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import numpy as np

from foreart.errors import IndexingError
from foreart.index.dense.row_codes import Codes, encoded

# The types of codes; values in single precision are always stored for exact scores.
STORAGES = ("float32", "float16", "int8")
CODES = tuple(field.name for field in fields(Codes))

_STEP = 1024
# From this many rows on, int8 codes are faster than plain values, and save enough memory.
_MANY = 65536
# The range of lengths in which single precision keeps its digits.
_SHORTEST, _LONGEST = 1e-15, 1e15


def stored(rows: np.ndarray, groups: np.ndarray | None = None, *, storage: str = "float32") -> dict[str, np.ndarray]:
    """The arrays to write, by name; `DenseRows.of` reads them.

    `data` has the values in single precision. If there are `codes`, in half precision or int8, it is read only for
    candidates.
    """
    if storage not in STORAGES:
        raise IndexingError(f"rows are stored as {', '.join(STORAGES)}, not as {storage!r}")
    arrays: dict[str, np.ndarray] = {"data": rows.astype(np.float32, copy=False)}
    if groups is not None:
        arrays["groups"] = np.asarray(groups, dtype=np.int64)
    lengths = None if storage == "float32" else lengths_of(arrays["data"])
    if lengths is None or not safe_lengths(lengths):
        return arrays
    codes = encoded(arrays["data"], storage)
    return {**arrays, "lengths": lengths, **{name: getattr(codes, name) for name in CODES}}


def storage_for(rows: int) -> str:
    """The best storage for this number of rows: plain values if there are few."""
    return "int8" if rows >= _MANY else "float32"


def belong_together(arrays: Mapping[str, np.ndarray], *, documents: int, columns: int) -> bool:
    """Whether arrays have the sizes that `stored` returns for these numbers of documents and columns."""
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
    """The length (L2) of each row, summed in a fixed order."""
    found = np.empty(len(data))
    for start in range(0, len(data), _STEP):
        here = slice(start, start + _STEP)
        part = data[here].astype(np.float64)
        found[here] = np.sqrt(np.einsum("ij,ij->i", part, part))
    return found


def safe_lengths(lengths: np.ndarray) -> bool:
    """Whether estimates in single precision are safe: no row is extremely short or long."""
    return bool(((lengths == 0) | ((lengths > _SHORTEST) & (lengths < _LONGEST))).all())
