"""All that it takes to repeat a search and to say what has changed since, without the text of the draft."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from foreart.corpus import Corpus
from foreart.corpus.scanning import contents
from foreart.errors import BadFile
from foreart.records.documents import Documents, packed_documents
from foreart.records.typed_json import to_json
from foreart.search import Cutoff, Hit, Result, listed
from foreart.sources.drafts.sidecar import beside

_LISTS = ("ignore", "only_new")  # parameters that are files of numbers, or numbers
# What a score may depend on. Nothing of the machine is recorded: neither its name nor its kind may matter.
_LIBRARIES = ("foreart", "numpy", "scipy", "numba")


@dataclass(frozen=True, slots=True)
class DraftSource:
    """Which draft it was: a hash of its words, and where they came from. SHA-256 is that of the files as they were.

    `name` is that of the file, a publication number, or `standard input`; only a file has a `path`. `sidecar` is the
    name of the file with corrections beside it.
    """

    fingerprint: str
    name: str = ""
    path: str = ""
    sha256: str = ""
    sidecar: str = ""
    sidecar_sha256: str = ""


@dataclass(frozen=True, slots=True)
class CorpusState:
    """Which documents were compared: the fingerprint of the corpus and how many it held."""

    fingerprint: str
    documents: int


@dataclass(frozen=True, slots=True)
class Relative:
    """Another publication of a family in the list."""

    id: str
    status: str


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list. `parts` are what each channel contributes to the score, where there are several.

    `words` are those that draft and document share, with what each contributes; a private record has none.
    """

    rank: int
    id: str
    score: float
    status: str
    rule: str
    family: str
    title: str
    published: str
    family_members: tuple[Relative, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """One search. `parameters` are all options of the search as they were asked, `cutoff` is the date that counted.

    `ranking` describes the index and whatever else ranked, each with its fingerprint; `counts` tell how many documents
    were compared and how many were removed, and by what; `time` is in UTC.
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
    documents: Documents


def search_record(
    result: Result,
    corpus: Corpus,
    parameters: Mapping[str, Any],
    *,
    draft: str | Path = "",
    private: bool = False,
    time: str = "",
) -> SearchRecord:
    """The record of a search of this corpus. `draft` is the draft's file, if it came from one.

    `parameters` are those of the search by name. `private` leaves out the words that made the scores. `time` is now
    unless it is given.
    """
    return SearchRecord(
        time=time or datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
        draft=_draft_source(result, draft),
        cutoff=result.cutoff,
        parameters={name: to_json(_spelled_out(name, value, corpus)) for name, value in parameters.items()},
        corpus=CorpusState(result.corpus_fingerprint, len(corpus)),
        ranking=dict(_rankings(result)),
        counts=dict(_counts(result)),
        private=private,
        hits=tuple(_listed(hit, private) for hit in result.hits),
        documents=documents_of(corpus),
    )


def documents_of(corpus: Corpus) -> Documents:
    """The documents of a corpus as it is now."""
    return packed_documents((number, content) for _, number, content in contents(corpus))


def versions() -> dict[str, str]:
    """Those of Python and of the libraries that compute scores."""
    return {"foreart": version("foreart"), "python": platform.python_version()} | {
        name: version(name) for name in _LIBRARIES
    }


def _spelled_out(name: str, value: Any, corpus: Corpus) -> Any:  # noqa: ANN401 any parameter
    """Numbers in place of the files that list them, which may change or go."""
    return listed(value, corpus.__contains__) if name in _LISTS else value


def _draft_source(result: Result, draft: str | Path) -> DraftSource:
    if str(draft) in ("", "-") or not Path(draft).is_file():
        return DraftSource(result.draft_fingerprint, result.draft_source)
    place = Path(draft).resolve()
    corrections = beside(place)
    return DraftSource(
        fingerprint=result.draft_fingerprint,
        name=place.name,
        path=str(place),
        sha256=_sha256(place),
        sidecar=corrections.name if corrections else "",
        sidecar_sha256=_sha256(corrections) if corrections else "",
    )


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}") from None


def _rankings(result: Result) -> Iterator[tuple[str, Any]]:
    """Whatever the result says was used and has a fingerprint of its own: an index, several, a learned ranking."""
    for item in fields(result):
        value = getattr(result, item.name)
        several = value if isinstance(value, Mapping) else {}
        for name, one in ({item.name: value} | {f"{item.name}.{key}": held for key, held in several.items()}).items():
            if hasattr(one, "fingerprint"):
                yield name, to_json(one.to_record() if hasattr(one, "to_record") else one)


def _counts(result: Result) -> Iterator[tuple[str, int]]:
    yield "compared", result.compared
    for name, number in result.removed.items():
        yield f"removed: {name}", number
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
        family_members=tuple(Relative(member.id, member.status) for member in hit.family_members),
        parts={part.channel: float(part.contribution) for part in hit.parts},
        words={} if private else {word: float(share) for word, share in hit.words},
    )
