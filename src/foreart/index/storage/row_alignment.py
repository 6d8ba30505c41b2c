"""Which row of an index is which row of a view: found once, when a state is published, and kept beside the view."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from foreart.corpus.views.view_columns import inverse
from foreart.durable import replace_bytes
from foreart.errors import IndexingError, StaleIndex

SAME = "same"  # instead of the name of a file: the rows of an index are those of the view
_PREFIX = "rows-"


class Rows(Protocol):
    """Anything whose rows have ids: an index."""

    def __len__(self) -> int:
        """How many."""

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order."""

    def rows_of(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """For each row of a view that of an index, and for each row of the index that of the view."""

    in_index: np.ndarray
    in_view: np.ndarray


def alignment_of(index: Rows, ids: Sequence[str]) -> Alignment | None:
    """The rows of ids in an index; None where rows are the same."""
    if index.has_rows(ids):
        return None
    in_index = index.rows_of(ids)
    if len(in_index) != len(index) or (in_index < 0).any():
        raise StaleIndex("the corpus has changed since this index was built: run `foreart build` again")
    return Alignment(in_index, inverse(in_index))


def keep_alignment(alignment: Alignment | None, folder: Path) -> str:
    """Writes an alignment to the folder of a view; returns the name of its file, which tells its content."""
    name = name_of(alignment)
    if alignment is not None and not is_intact(folder, name):
        replace_bytes(folder / name, _stored(alignment))
    return name


def name_of(alignment: Alignment | None) -> str:
    """The name of the file of an alignment."""
    return SAME if alignment is None else _PREFIX + _digest(_stored(alignment))


def kept_alignment(folder: Path, name: str) -> Alignment | None:
    """The alignment of that name."""
    if name == SAME:
        return None
    try:
        in_index = np.fromfile(folder / name, dtype="<i4").astype(np.int64)
        return Alignment(in_index, inverse(in_index))
    except (OSError, IndexError, ValueError) as error:
        raise IndexingError(f"{folder / name} is damaged ({type(error).__name__}): run `foreart build`") from None


def is_intact(folder: Path, name: str) -> bool:
    """Whether a file has the content that its name tells."""
    try:
        return name == SAME or name == _PREFIX + _digest((folder / name).read_bytes())
    except OSError:
        return False


def remove_alignments(folder: Path, keep: set[str]) -> None:
    """Removes all alignments of a view but some."""
    for path in folder.glob(f"{_PREFIX}*"):
        if path.name not in keep:
            path.unlink(missing_ok=True)


def _stored(alignment: Alignment) -> bytes:
    return bytes(alignment.in_index.astype("<i4").tobytes())


def _digest(stored: bytes) -> str:
    return hashlib.blake2b(stored, digest_size=16).hexdigest()
