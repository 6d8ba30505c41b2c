"""A record that could not be read; reported, and reading continues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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


def numbered_rejects(rejects: Iterable[Reject], *, start: int = 1) -> Iterator[dict[str, Any]]:
    """Rejects as JSON can hold them, without their bytes, numbered as `foreart rejects --raw` counts them."""
    for number, item in enumerate(rejects, start=start):
        yield {
            "number": number,
            "file": item.file,
            "position": item.position,
            "format": item.format or None,
            "reason": item.reason,
            "bytes": len(item.raw),
        }
