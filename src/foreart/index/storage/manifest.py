"""The manifest of a snapshot: segments, statistics, and the position and checksum of every array."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from foreart.array_files import ArraysFile, arrays_file
from foreart.index.storage.document_frequencies import TermStatistics

# Increased when the meaning of arrays or a tokenizer changes: older postings are then rebuilt.
FORM = 2


class WrongForm(Exception):
    """The manifest has another format; the text is the version of foreart that wrote it."""


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A segment on disk: the name of its folder, and its arrays."""

    name: str
    documents: int
    postings: int
    arrays: ArraysFile

    def to_record(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SegmentFile:
        """From a JSON object."""
        return cls(**{**record, "arrays": arrays_file(**record["arrays"])})


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a snapshot; `cutting` names the tokenizer.

    `corpus` is the fingerprint of the indexed corpus; `fingerprint` is that of all its own arrays: equal for equal
    bytes. `recall` is the measured recall of two-stage search on this index. `lengths` may be missing.
    """

    sections: str
    cutting: str
    corpus: str
    documents: int
    words: int
    segments: tuple[SegmentFile, ...]
    statistics: TermStatistics
    arrays: ArraysFile
    lengths: ArraysFile | None
    recall: Mapping[str, Any]
    fingerprint: str
    foreart: str
    form: int = FORM

    @property
    def postings(self) -> int:
        """The number of postings, including those of deleted documents."""
        return sum(segment.postings for segment in self.segments)

    @property
    def measured(self) -> frozenset[str]:
        """The keys of the stored lengths and recalls."""
        pieces = self.lengths.pieces if self.lengths is not None else ()
        return frozenset(self.recall) | {weighting_of(piece.name) for piece in pieces}

    def to_record(self) -> dict[str, Any]:
        """As a JSON object."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Manifest:
        """From a JSON object; raises `WrongForm` for another format, ValueError for an invalid manifest."""
        if record.get("form") != FORM:
            raise WrongForm(str(record.get("foreart", "(unknown)")))
        try:
            return cls(
                **{
                    **record,
                    "segments": tuple(map(SegmentFile.from_record, record["segments"])),
                    "statistics": TermStatistics(**record["statistics"]),
                    "arrays": arrays_file(**record["arrays"]),
                    "lengths": record["lengths"] and arrays_file(**record["lengths"]),
                }
            )
        except (TypeError, KeyError) as error:
            raise ValueError(str(error)) from None


def length_name(weighting: str, part: int) -> str:
    """The name of the array of document lengths of a segment."""
    return f"{weighting}-{part}"


def weighting_of(name: str) -> str:
    """The weighting key in the name of an array of lengths."""
    return name.rpartition("-")[0]


def fingerprint(files: Iterable[ArraysFile]) -> str:
    """Equal for files of equal bytes; computed from their checksums."""
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        for piece in file.pieces:
            digest.update(f"{piece.name}\0{piece.checksum}\n".encode())
        digest.update(b"\n")
    return digest.hexdigest()
