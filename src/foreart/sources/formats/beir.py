"""The corpus.jsonl of a BEIR collection: `_id`, `title`, `text`, with ids of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from foreart.document.patent import Patent
from foreart.errors import BadFile, BadRecord
from foreart.identifiers.numbers import loose_number
from foreart.sources.formats.own_jsonl import patent_of
from foreart.sources.markup.json_object import first_keys, load, objects, string
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

# The keys of `metadata` that have the same meaning in our records.
_METADATA = (
    "abstract",
    "claims",
    "publication_date",
    "filing_date",
    "priority_date",
    "cpc",
    "ipc",
    "uspc",
    "inventors",
    "applicants",
    "citations",
    "family_refs",
    "language",
)


def _sniff(head: bytes, name: str) -> bool:
    return {"_id", "text"} <= first_keys(head)


def _split(stream: Stream) -> Iterator[RawRecord]:
    if PurePath(stream.name.rpartition("!")[2]).name.startswith("queries"):
        raise BadFile("the queries of a BEIR collection, not documents; its documents are in corpus.jsonl")
    return objects(stream)


def parse(data: bytes) -> Iterator[Patent]:
    """The document of one line; `text` is its description. An id that is not a publication number stays unchanged."""
    record = load(data)
    identity = string(record.get("_id"))
    if not identity:
        raise BadRecord("no _id")
    metadata = record.get("metadata")
    known = {key: metadata[key] for key in _METADATA if key in metadata} if isinstance(metadata, dict) else {}
    yield patent_of(
        {
            **known,
            "id": str(loose_number(identity)),
            "title": " ".join(string(record.get("title")).split()),
            "description": string(record.get("text")),
        }
    )


READER = Reader(
    name="beir-jsonl",
    title="BEIR collections, corpus.jsonl (documents of any kind, with any ids)",
    sniff=_sniff,
    split=_split,
    parse=parse,
    seen=False,
)
