"""Reads only the texts of patents, for full scans: building full patents takes several times as long."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import zstandard

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import unpack
from foreart.document.patent import Claim, Paragraph, Patent


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
    """The patent in a stored record, with id and texts only; the description is one paragraph."""
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
