"""A record that could not be read: never a stop, never silence."""

from __future__ import annotations

from dataclasses import dataclass

RAW_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Reject:
    """Where the record stands, why it was refused, and its bytes (at most the first MiB of them)."""

    file: str
    position: str
    reason: str
    raw: bytes = b""
    format: str = ""

    def __str__(self) -> str:
        place = f"{self.file}: {self.position}" if self.position else self.file
        return f"{place}: {self.reason}"
