"""What a reader of one format is: how to recognise it, cut it into records, and read one record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from foreart.document.patent import Patent
from foreart.sources.opening.stream import Stream


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The bytes of one record, and where in its file it stands (counted from 1; offset in bytes from 0)."""

    index: int
    offset: int
    data: bytes
    # Why it cannot be read, where the cutting already knows.
    problem: str = ""

    @property
    def position(self) -> str:
        """The place in words, for people who look for it."""
        return f"document {self.index}, byte {self.offset}"


@dataclass(frozen=True, slots=True)
class Reader:
    """One format. `cut` streams and holds one record at a time; `parse` is pure, so that it can run in any process.

    `parse` raises BadRecord, or any error that malformed input provokes: the piece then goes to the ledger. It gives
    no patent for a piece that holds none (a sequence listing among grants).
    """

    name: str
    title: str
    sniff: Callable[[bytes, str], bool]
    cut: Callable[[Stream], Iterator[RawRecord]]
    parse: Callable[[bytes], Iterable[Patent]]
    # A real file of the format was at hand when the reader was written; otherwise it follows the published schema.
    seen: bool = True
    # Members of one archive that are parts of one document share a group and become one piece.
    group: Callable[[str], str] | None = None
