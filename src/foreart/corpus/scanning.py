"""Scans all patents for indexing: ids, hashes, lengths, stored records, and their texts alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import zstandard

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import unpack
from foreart.document.patent import Claim, Paragraph, Patent

# Every SQLite accepts at least 999 parameters in a statement.
_MAX_PARAMETERS = 900


def contents(corpus: Corpus) -> Iterator[tuple[int, str, bytes]]:
    """Serial, id and content hash of every patent."""
    yield from corpus.connection.execute("SELECT serial, id, content FROM patent ORDER BY serial")


def lengths(corpus: Corpus) -> Iterator[int]:
    """The approximate number of words of every patent."""
    rows = corpus.connection.execute(
        "SELECT abstract_words + claims_words + description_words FROM patent ORDER BY serial"
    )
    yield from (words for (words,) in rows)


def contents_of(corpus: Corpus, serials: Sequence[int]) -> Iterator[tuple[int, str, bytes]]:
    """Serial, id and content hash for increasing serials, without patents that were removed meanwhile."""
    for start in range(0, len(serials), _MAX_PARAMETERS):
        batch = list(serials[start : start + _MAX_PARAMETERS])
        yield from corpus.connection.execute(
            f"SELECT serial, id, content FROM patent WHERE serial IN ({_placeholders(batch)}) ORDER BY serial",  # noqa: S608
            batch,
        ).fetchall()


def _placeholders(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))


def stored(corpus: Corpus, serials: Sequence[int] | None = None) -> Iterator[tuple[str, bytes]]:
    """Id and stored record for these serials, or for all in order of arrival; removed patents are skipped."""
    if serials is None:
        rows = corpus.connection.execute("SELECT serial FROM patent ORDER BY serial")
        serials = [serial for (serial,) in rows.fetchall()]
    # One query per patent: a long read transaction would keep the WAL from shrinking.
    for serial in serials:
        row = corpus.connection.execute(
            "SELECT id, json FROM patent JOIN record USING (serial) WHERE serial = ?", (serial,)
        ).fetchone()
        if row is not None:
            yield row


def unpack_texts(blob: bytes) -> Patent:
    """The patent in a stored record, with id and texts only; the description is one paragraph.

    Building full patents takes several times as long.
    """
    record = json.loads(zstandard.ZstdDecompressor().decompress(blob))
    if not _is_simple(record):
        return unpack(blob)
    claims = zip(record["claims"], record.get("claim_numbers", ()), strict=True)
    return Patent(
        id=record["id"],
        title=record["title"] or "",
        abstract=record["abstract"] or "",
        claims=tuple([Claim(number, text.removeprefix(f"{number}. ")) for text, number in claims]),
        description=(Paragraph(record["description"]),) if record["description"] else (),
    )


def _is_simple(record: Mapping[str, Any]) -> bool:
    """Whether all claims have numbers and the description has no empty paragraphs, which joining would drop."""
    lengths = record.get("lengths", ())
    described = bool(lengths) == bool(record["description"]) and all(lengths)
    return described and len(record["claims"]) == len(record.get("claim_numbers", ()))
