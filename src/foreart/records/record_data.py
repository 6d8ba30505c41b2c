"""The record of a search: enough to repeat it and to report changes, without the text of the draft."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.index import Description
from foreart.records.documents import PackedDocuments, packed_documents
from foreart.search import Cutoff, Hit, Result
from foreart.search.draft_source import DraftSource
from foreart.search.ranker import Fingerprinted
from foreart.typed_json import to_json

# Libraries that scores may depend on. Nothing about the machine is recorded, because scores must not depend on it.
_LIBRARIES = ("foreart", "numpy", "scipy", "numba")


@dataclass(frozen=True, slots=True)
class CorpusState:
    """The corpus that was searched: its fingerprint and number of documents."""

    fingerprint: str
    documents: int


@dataclass(frozen=True, slots=True)
class RelatedPublication:
    """Another publication of a family in the list."""

    id: str
    status: str


@dataclass(frozen=True, slots=True)
class Listed:
    """One hit of the list. `parts` are the contributions of the channels to the score, if there are several.

    `words` are the words shared by draft and document with their contributions; a private record has none.
    """

    rank: int
    id: str
    score: float
    status: str
    rule: str
    family: str
    title: str
    published: str
    family_members: tuple[RelatedPublication, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """One search. `parameters` are all options as given, `cutoff` is the effective date.

    `ranking` describes the index and the ranking, each with its fingerprint; `counts` are the numbers of documents
    compared and removed, by reason; `time` is in UTC.
    """

    time: str
    versions: Mapping[str, str]
    draft: DraftSource
    cutoff: Cutoff
    parameters: Mapping[str, Any]
    corpus: CorpusState
    ranking: Mapping[str, Any]
    counts: Mapping[str, int]
    private: bool
    hits: tuple[Listed, ...]
    documents: PackedDocuments


def search_record(result: Result, corpus: IndexedCorpus, *, private: bool = False, time: str = "") -> SearchRecord:
    """The record of a search of this corpus; `private` omits the words of the scores. `time` defaults to now."""
    parameters, documents = result.request.to_record(), packed_documents(corpus.contents())
    return SearchRecord(
        time=time or datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
        draft=DraftSource(**parameters.pop("draft")),
        cutoff=result.cutoff,
        parameters=parameters,
        corpus=CorpusState(result.corpus_fingerprint, len(documents)),
        ranking={name: to_json(used.to_record()) for name, used in _used(result)},
        counts=dict(_counts(result)),
        private=private,
        hits=tuple(_listed(hit, private) for hit in result.hits),
        documents=documents,
    )


def versions() -> dict[str, str]:
    """The versions of Python and of the libraries that compute scores."""
    return {"foreart": version("foreart"), "python": platform.python_version()} | {
        name: version(name) for name in _LIBRARIES
    }


def _used(result: Result) -> Iterator[tuple[str, Description | Fingerprinted]]:
    yield "index", result.index
    if result.ranking is not None:
        yield "ranking", result.ranking


def _counts(result: Result) -> Iterator[tuple[str, int]]:
    yield "compared", result.compared
    for name, number in result.removed.items():
        yield f"removed: {name}", number
    for name, number in result.unknown.items():
        if number:
            yield f"unknown: {name}", number
    yield "left out: after the date", result.left_out_count
    yield "left out: own family", len(result.own_family)


def _listed(hit: Hit, private: bool) -> Listed:
    return Listed(
        rank=hit.rank,
        id=hit.id,
        score=float(hit.score),
        status=hit.status,
        rule=hit.rule,
        family=hit.family,
        title=hit.title,
        published=hit.published,
        family_members=tuple(RelatedPublication(member.id, member.status) for member in hit.family_members),
        parts={part.channel: float(part.contribution) for part in hit.parts},
        words={} if private else {word: float(share) for word, share in hit.words},
    )
