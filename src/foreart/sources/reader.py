"""The contract of a reader: it recognises a format, splits files into records and parses one record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from foreart.document.patent import Patent
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream


@dataclass(frozen=True, slots=True)
class Reader:
    """One format. `split` streams, with one record in memory at a time; `parse` is pure, for worker processes.

    `parse` raises BadRecord, or any error that malformed input causes: the record then becomes a reject. It returns no
    patent for a record that has none (a sequence listing among grants).
    """

    name: str
    title: str
    sniff: Callable[[bytes, str], bool]
    split: Callable[[Stream], Iterator[RawRecord]]
    parse: Callable[[bytes], Iterable[Patent]]
    # Whether the reader was tested on real files; otherwise it follows the published schema.
    seen: bool = True
    # Members of an archive that are parts of one document have the same group and become one record.
    group: Callable[[str], str] | None = None
