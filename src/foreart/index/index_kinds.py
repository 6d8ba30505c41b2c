"""The contract of a kind of index: its parameters, and how it is built and opened.

A kind is features or passages with their parameters. `registry` has the table of storage forms: a new form is one
module and one line there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from foreart.corpus import Corpus
from foreart.index.index import Index

if TYPE_CHECKING:  # compiled loops, which take half a second to import
    from foreart.index.build.corpus_scan import Progress
    from foreart.index.build.row_reader import RowReader
    from foreart.index.storage.snapshot import Snapshot
    from foreart.index.storage.weighting import Weighting
    from foreart.part_files import PartFolder


class Kind(Protocol):
    """Features or passages; `stored_as` names the storage form in `registry.FORMS`."""

    @property
    def name(self) -> str:
        """The name of the kind."""

    @property
    def stored_as(self) -> str:
        """The storage form of its indexes."""

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""

    def check(self) -> None:
        """Raises an error for invalid parameters."""


@dataclass(frozen=True)
class BuildInputs:
    """The inputs of a build; `postings` (a folder) and `snapshot` are set if the form needs postings.

    Generations `keep` are not removed: searches open them by name. With `refresh` nothing learned before is kept. With
    `parts`, a pool encodes the documents.
    """

    corpus: Corpus
    folder: Path
    sections: str
    progress: Progress | None
    postings: Path | None = None
    snapshot: Snapshot | None = None
    keep: Collection[str] = ()
    refresh: bool = False
    parts: PartFolder | None = None


class IndexForm(ABC):
    """A storage form of indexes, for one kind."""

    @abstractmethod
    def source(self, sections: str) -> RowReader | None:
        """The postings that it needs; None if it reads the texts."""

    def weighting(self) -> Weighting | None:
        """The weighting of its postings."""
        return None

    @abstractmethod
    def build(self, inputs: BuildInputs) -> Index:
        """Builds the index in its folder."""

    def over(self, snapshot: Snapshot) -> Index:
        """The index of a snapshot of postings."""
        raise TypeError(f"{type(self).__name__} has no postings")
