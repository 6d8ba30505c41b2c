"""One record of a file, before it is parsed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawRecord:
    """The bytes of one record and its position in the file (index from 1, offset in bytes from 0)."""

    index: int
    offset: int
    data: bytes
    # Why it cannot be read, if that is known after splitting.
    problem: str = ""

    @property
    def position(self) -> str:
        """The position in words."""
        return f"document {self.index}, byte {self.offset}"
