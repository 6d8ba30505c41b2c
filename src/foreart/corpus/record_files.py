"""Stored records of some patents in one file, for processes that must not open the corpus.

SQLite cannot share a file between machines: one process reads the corpus, and others read these files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foreart.corpus import scanning
from foreart.corpus.corpus import Corpus
from foreart.errors import StaleIndex
from foreart.part_files import PartFolder, is_intact, joined, read_part, split, write_part


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A patent as it is stored, with the hash of its content, and the signature of its text if the corpus has one."""

    id: str
    content: bytes
    json: bytes
    signature: bytes | None


def record_path(parts: PartFolder, corpus: Corpus, serials: Sequence[int]) -> Path:
    """The path of the file with the records of these patents, in increasing order of their serials."""
    known = scanning.contents_of(corpus, serials)
    return parts.path("records", *(f"{number}\0{content.hex()}" for _, number, content in known))


def write_records(parts: PartFolder, corpus: Corpus, serials: Sequence[int]) -> Path:
    """Writes the records of these patents, unless they are there; raises StaleIndex if the corpus changed meanwhile."""
    path = record_path(parts, corpus, serials)
    if is_intact(parts.root / path):
        return path
    rows = [corpus.connection.execute(_RECORD, (serial,)).fetchone() for serial in serials]
    if None in rows or record_path(parts, corpus, serials) != path:
        raise StaleIndex(
            f"the corpus {corpus.path} changed while it was indexed: build again when no process writes to it"
        )
    letters, ends = joined([number.encode() for number, *_ in rows])
    contents, content_ends = joined([content for _, content, *_ in rows])
    data, data_ends = joined([record for *_, record, _ in rows])
    signatures, signature_ends = joined([signature or b"" for *_, signature in rows])
    write_part(
        parts.root / path,
        {
            "ids": letters,
            "id_ends": ends,
            "contents": contents,
            "content_ends": content_ends,
            "json": data,
            "json_ends": data_ends,
            "signatures": signatures,
            "signature_ends": signature_ends,
            "signed": np.array([signature is not None for *_, signature in rows], dtype=bool),
        },
    )
    return path


_RECORD = (
    "SELECT id, content, json, minhash FROM patent JOIN record USING (serial) LEFT JOIN signature USING (serial) "
    "WHERE serial = ?"
)


def read_records(path: Path) -> list[StoredRecord]:
    """The records of a file, in order."""
    arrays = read_part(path)
    ids = split(arrays["ids"], arrays["id_ends"])
    contents = split(arrays["contents"], arrays["content_ends"])
    records = split(arrays["json"], arrays["json_ends"])
    signatures = split(arrays["signatures"], arrays["signature_ends"])
    signed = arrays["signed"].tolist()
    return [
        StoredRecord(ids[row].decode(), contents[row], records[row], signatures[row] if signed[row] else None)
        for row in range(len(ids))
    ]
