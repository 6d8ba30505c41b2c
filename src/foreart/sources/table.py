"""The formats foreart reads, in the order in which they are tried."""

from __future__ import annotations

from foreart.sources import uspto_v4
from foreart.sources.reader import Reader

READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        uspto_v4.READER,
    )
}


def recognise(head: bytes, name: str) -> Reader | None:
    """The reader for a file that begins with these bytes."""
    return next((reader for reader in READERS.values() if reader.sniff(head, name)), None)
