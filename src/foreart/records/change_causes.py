"""Why two searches may differ: changes of draft, corpus, parameters, ranking and versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from foreart.records.documents import Turnover, turnover_text
from foreart.records.record_data import SearchRecord

# Options that older records do not have, with what they mean there.
_ADDED: Mapping[str, Any] = {"exact": False}
Kind = Literal["draft", "corpus", "parameters", "ranking", "versions"]

CAUSES: dict[Kind, str] = {
    "draft": "The text of the draft, its file, or its corrections file.",
    "corpus": "Documents were added, removed, or changed.",
    "parameters": "The cut-off date or another option of the search.",
    "ranking": "An index or a learned ranking was rebuilt, or another one was used.",
    "versions": "The versions of foreart, Python or a library that computes scores.",
}
# Fields of an index description that follow from the corpus: they are reported once, as a change of the corpus.
_FROM_CORPUS = ("corpus", "documents", "columns", "numbers", "statistics", "recall")


@dataclass(frozen=True, slots=True)
class ChangeCause:
    """One difference; `before` and `after` are readable values, `effect` describes the consequence."""

    kind: Kind
    what: str
    before: str
    after: str
    effect: str = ""


def causes(first: SearchRecord, second: SearchRecord, corpus: Turnover) -> tuple[ChangeCause, ...]:
    """All differences, in the order of `CAUSES`; `corpus` counts the documents that changed."""
    return (
        *_draft(first, second),
        *_corpus(first, second, corpus),
        *_parameters(first, second),
        *_ranking(first, second),
        *_versions(first, second),
    )


def _draft(first: SearchRecord, second: SearchRecord) -> Iterator[ChangeCause]:
    before, after = first.draft, second.draft
    if before.fingerprint != after.fingerprint:
        yield ChangeCause("draft", "text", before.fingerprint, after.fingerprint, "different words")
    elif before.sha256 != after.sha256 and before.sha256 and after.sha256:
        yield ChangeCause("draft", "file", before.sha256, after.sha256, "another file, the same words")
    if before.sidecar_sha256 != after.sidecar_sha256 and _comparable(first, second):
        yield ChangeCause("draft", "corrections", before.sidecar_sha256 or "none", after.sidecar_sha256 or "none")


def _comparable(first: SearchRecord, second: SearchRecord) -> bool:
    """Whether both drafts came from files: only files can have corrections."""
    return bool(first.draft.path and second.draft.path)


def _corpus(first: SearchRecord, second: SearchRecord, changed: Turnover) -> Iterator[ChangeCause]:
    if first.corpus.fingerprint == second.corpus.fingerprint:
        return
    before, after = (
        f"{record.corpus.documents:,} documents ({record.corpus.fingerprint[:12]})" for record in (first, second)
    )
    yield ChangeCause("corpus", "documents", before, after, turnover_text(changed))


def _parameters(first: SearchRecord, second: SearchRecord) -> Iterator[ChangeCause]:
    """Compares the effective cut-off date instead of the option."""
    if first.cutoff.date != second.cutoff.date:
        before, after = (f"{record.cutoff.date} ({record.cutoff.source})" for record in (first, second))
        yield ChangeCause("parameters", "cutoff", before, after)
    given = ({**_ADDED, **record.parameters} for record in (first, second))
    for name, before, after in _unequal(*given):
        if name != "cutoff":
            yield ChangeCause("parameters", name, before, after)


def _ranking(first: SearchRecord, second: SearchRecord) -> Iterator[ChangeCause]:
    corpus_changed = first.corpus.fingerprint != second.corpus.fingerprint
    for name in dict.fromkeys((*first.ranking, *second.ranking)):
        before, after = first.ranking.get(name), second.ranking.get(name)
        if before == after:
            continue
        if before is None or after is None:
            yield ChangeCause("ranking", name, _print(before), _print(after), "used in one search only")
            continue
        leaves = [leaf for leaf in _unequal(before, after) if leaf[0] != "fingerprint"]
        reported = [leaf for leaf in leaves if not (corpus_changed and leaf[0].split(".")[0] in _FROM_CORPUS)]
        if _print(before) != _print(after) or not reported:
            yield ChangeCause(
                "ranking", name, _print(before), _print(after), "" if reported else "built from another corpus"
            )
        yield from (ChangeCause("ranking", f"{name}.{leaf}", old, new) for leaf, old, new in reported)


def _print(description: Mapping[str, Any] | None) -> str:
    return "none" if description is None else str(description.get("fingerprint", "")) or "without fingerprint"


def _versions(first: SearchRecord, second: SearchRecord) -> Iterator[ChangeCause]:
    for name, before, after in _unequal(first.versions, second.versions):
        yield ChangeCause("versions", name, before, after)


def _unequal(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The leaves of two JSON objects that differ, by path; a missing leaf is `not set`, and equals an empty one."""
    before, after = dict(_leaves(first)), dict(_leaves(second))
    names = sorted(before.keys() | after.keys())
    return [
        (name, _formatted(before, name), _formatted(after, name))
        for name in names
        if (before.get(name) or None) != (after.get(name) or None)
    ]


def _leaves(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, item in value.items():
        if isinstance(item, Mapping) and item:
            yield from _leaves(item, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", item


def _formatted(leaves: Mapping[str, Any], name: str) -> str:
    if name not in leaves:
        return "not set"
    value = leaves[name]
    if value in ("", [], {}) or value is None:
        return "none"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
