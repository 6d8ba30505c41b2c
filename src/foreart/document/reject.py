"""A record that could not be read; reported, and reading continues."""

from __future__ import annotations

from dataclasses import dataclass

RAW_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Reject:
    """The position of the record, why it was refused, and its bytes (at most the first MiB)."""

    file: str
    position: str
    reason: str
    raw: bytes = b""
    format: str = ""

    def __str__(self) -> str:
        source = f"{self.file}: {self.position}" if self.position else self.file
        return f"{source}: {self.reason}"
