"""What a snapshot says of itself: which segments, which statistics, and for every array its place and checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from foreart.array_files import ArraysFile, arrays_file
from foreart.index.storage.document_frequencies import TermStatistics

# Raised whenever arrays get another meaning or words are cut in another way: what was made before is then made anew.
FORM = 2
CUTTINGS = ("default", "as_published")


class WrongForm(Exception):
    """Made by a foreart whose arrays this one does not know; the text is its version."""


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A segment on disk: the name of its folder, and its arrays."""

    name: str
    documents: int
    postings: int
    arrays: ArraysFile

    def to_record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SegmentFile:
        """From JSON."""
        return cls(**{**record, "arrays": arrays_file(**record["arrays"])})


@dataclass(frozen=True, slots=True)
class Manifest:
    """Of a snapshot.

    `corpus` is the fingerprint of the corpus it was made of; `fingerprint` is that of all its own arrays: equal for
    equal bytes. `recall` is what the fast mode was measured to find on this very index. `lengths` may be missing.
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
        """How many, with those of documents that are no longer there."""
        return sum(segment.postings for segment in self.segments)

    @property
    def measured(self) -> frozenset[str]:
        """The keys of lengths and of recall."""
        pieces = self.lengths.pieces if self.lengths is not None else ()
        return frozenset(self.recall) | {weighting_of(piece.name) for piece in pieces}

    def to_record(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Manifest:
        """From JSON; `WrongForm` if it is in another form, ValueError if it is none."""
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
    """The name of the array of the lengths of a segment."""
    return f"{weighting}-{part}"


def weighting_of(name: str) -> str:
    """The weighting in the name of an array of lengths."""
    return name.rpartition("-")[0]


def fingerprint(files: Iterable[ArraysFile]) -> str:
    """Equal for files of equal bytes, told from their checksums."""
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        for piece in file.pieces:
            digest.update(f"{piece.name}\0{piece.checksum}\n".encode())
        digest.update(b"\n")
    return digest.hexdigest()
