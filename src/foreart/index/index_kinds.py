"""The contract of a kind of index: what it is made of, how it is built and opened.

A kind is features or passages with their parameters. `registry` has the table of the forms in which kinds are stored:
a new form is one module and one line there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from foreart.corpus import Corpus
from foreart.index.index import Index

if TYPE_CHECKING:  # compiled loops, which take half a second to import
    from foreart.index.build.corpus_scan import Progress
    from foreart.index.build.snapshot_updating import RowReader
    from foreart.index.storage.snapshot import Snapshot
    from foreart.index.storage.weighting import Weighting


class Kind(Protocol):
    """What an index is made of; `stored_as` names the form in `registry.FORMS`."""

    @property
    def name(self) -> str:
        """The name of the kind."""

    @property
    def stored_as(self) -> str:
        """The form in which an index of it is stored."""

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""

    def check(self) -> None:
        """Refuses parameters without a meaning."""


@dataclass(frozen=True)
class BuildInputs:
    """What an index is built from; `place` and `snapshot` are those of its postings, if it has any."""

    corpus: Corpus
    folder: Path
    sections: str
    progress: Progress | None
    place: Path | None = None
    snapshot: Snapshot | None = None


class IndexForm(ABC):
    """One form of storing indexes, for one kind."""

    @abstractmethod
    def source(self, sections: str) -> RowReader | None:
        """The postings that it needs; None if it reads the texts itself."""

    def weighting(self) -> Weighting | None:
        """The weighting under which its postings are searched."""
        return None

    @abstractmethod
    def build(self, inputs: BuildInputs) -> Index:
        """Builds the index in its folder."""

    def open(self, postings: Path) -> Index:
        """The index of postings that its folder names."""
        raise TypeError(f"{type(self).__name__} is not opened from postings")
