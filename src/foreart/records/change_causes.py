"""Why two searches may differ: changes of draft, corpus, parameters, ranking and versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from foreart.records.documents import Turnover, turnover_text
from foreart.records.record_data import SearchRecord

Kind = Literal["draft", "corpus", "parameters", "ranking", "versions"]

CAUSES: dict[Kind, str] = {
    "draft": "The text of the draft, its file, or the corrections beside it.",
    "corpus": "Documents were added, removed, or have another content.",
    "parameters": "The cut-off date or another option of the search.",
    "ranking": "An index or a learned ranking was rebuilt, or another one was used.",
    "versions": "The versions of foreart, Python or a library that computes scores.",
}
# Fields of an index description that follow from the corpus: they are reported once, as a change of the corpus.
_OF_THE_CORPUS = ("corpus", "documents", "columns", "numbers", "statistics", "recall")


@dataclass(frozen=True, slots=True)
class ChangeCause:
    """One difference; `before` and `after` are for a reader, `effect` says what it amounts to."""

    kind: Kind
    what: str
    before: str
    after: str
    effect: str = ""


def causes(one: SearchRecord, two: SearchRecord, corpus: Turnover) -> tuple[ChangeCause, ...]:
    """All differences, in the order of `CAUSES`; `corpus` counts the documents that changed."""
    return (
        *_draft(one, two),
        *_corpus(one, two, corpus),
        *_parameters(one, two),
        *_ranking(one, two),
        *_versions(one, two),
    )


def _draft(one: SearchRecord, two: SearchRecord) -> Iterator[ChangeCause]:
    before, after = one.draft, two.draft
    if before.fingerprint != after.fingerprint:
        yield ChangeCause("draft", "text", before.fingerprint, after.fingerprint, "other words")
    elif before.sha256 != after.sha256 and before.sha256 and after.sha256:
        yield ChangeCause("draft", "file", before.sha256, after.sha256, "another file, the same words")
    if before.sidecar_sha256 != after.sidecar_sha256 and _comparable(one, two):
        yield ChangeCause("draft", "corrections", before.sidecar_sha256 or "none", after.sidecar_sha256 or "none")


def _comparable(one: SearchRecord, two: SearchRecord) -> bool:
    """Whether both drafts came from files: only then can there be corrections beside them."""
    return bool(one.draft.path and two.draft.path)


def _corpus(one: SearchRecord, two: SearchRecord, told: Turnover) -> Iterator[ChangeCause]:
    if one.corpus.fingerprint == two.corpus.fingerprint:
        return
    before, after = (
        f"{record.corpus.documents:,} documents ({record.corpus.fingerprint[:12]})" for record in (one, two)
    )
    yield ChangeCause("corpus", "documents", before, after, turnover_text(told))


def _parameters(one: SearchRecord, two: SearchRecord) -> Iterator[ChangeCause]:
    """The effective cut-off date is compared in place of the option."""
    if one.cutoff.date != two.cutoff.date:
        before, after = (f"{record.cutoff.date} ({record.cutoff.source})" for record in (one, two))
        yield ChangeCause("parameters", "cutoff", before, after)
    for name, before, after in _unequal(one.parameters, two.parameters):
        if name != "cutoff":
            yield ChangeCause("parameters", name, before, after)


def _ranking(one: SearchRecord, two: SearchRecord) -> Iterator[ChangeCause]:
    moved = one.corpus.fingerprint != two.corpus.fingerprint
    for name in dict.fromkeys((*one.ranking, *two.ranking)):
        before, after = one.ranking.get(name), two.ranking.get(name)
        if before == after:
            continue
        if before is None or after is None:
            yield ChangeCause("ranking", name, _print(before), _print(after), "used in one search only")
            continue
        leaves = [leaf for leaf in _unequal(before, after) if leaf[0] != "fingerprint"]
        told = [leaf for leaf in leaves if not (moved and leaf[0].split(".")[0] in _OF_THE_CORPUS)]
        if _print(before) != _print(after) or not told:
            yield ChangeCause(
                "ranking", name, _print(before), _print(after), "" if told else "built from another corpus"
            )
        yield from (ChangeCause("ranking", f"{name}.{leaf}", old, new) for leaf, old, new in told)


def _print(description: Mapping[str, Any] | None) -> str:
    return "none" if description is None else str(description.get("fingerprint", "")) or "without fingerprint"


def _versions(one: SearchRecord, two: SearchRecord) -> Iterator[ChangeCause]:
    for name, before, after in _unequal(one.versions, two.versions):
        yield ChangeCause("versions", name, before, after)


def _unequal(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The leaves of two JSON objects that differ, by path; a missing one is `not set`."""
    before, after = dict(_leaves(one)), dict(_leaves(two))
    names = sorted(before.keys() | after.keys())
    return [
        (name, _worded(before, name), _worded(after, name))
        for name in names
        if before.get(name, ...) != after.get(name, ...)
    ]


def _leaves(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, item in value.items():
        if isinstance(item, Mapping) and item:
            yield from _leaves(item, f"{above}{name}.")
        else:
            yield f"{above}{name}", item


def _worded(leaves: Mapping[str, Any], name: str) -> str:
    if name not in leaves:
        return "not set"
    value = leaves[name]
    if value in ("", [], {}) or value is None:
        return "none"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
