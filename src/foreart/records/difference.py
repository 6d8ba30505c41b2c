"""The difference between two searches: documents that are new, gone, moved or have another status or score, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from foreart.records.change_causes import ChangeCause, causes
from foreart.records.documents import Change, Turnover, changes, turnover
from foreart.records.record_data import Listed, SearchRecord
from foreart.typed_json import to_json

Fate = Literal["new", "gone", "moved", "stayed"]

FATES: dict[Fate, str] = {
    "new": "Only in the second list.",
    "gone": "Only in the first list.",
    "moved": "In both lists, at another rank.",
    "stayed": "In both lists, at the same rank; its score or status may have changed.",
}
# Why a document may be in only one list, by its change in the corpus.
_ADDED_REASONS: dict[Change, str] = {
    "added": "added to the corpus",
    "removed": "removed from the corpus",  # possible in the list if a record was edited by hand
    "changed": "its content changed",
    "as it was": "was in the corpus before",
}
_GONE_REASONS: dict[Change, str] = {**_ADDED_REASONS, "as it was": "is still in the corpus"}


@dataclass(frozen=True, slots=True)
class ListPlace:
    """The rank, score and status of a document in one list."""

    rank: int
    score: float
    status: str
    rule: str
    family: str


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document of either list; `before` or `after` is None if a list lacks it, for the `reason`, if known."""

    id: str
    title: str
    fate: Fate
    before: ListPlace | None
    after: ListPlace | None
    reason: str = ""

    @property
    def rise(self) -> int:
        """The number of ranks it rose; 0 if it is in one list only."""
        return self.before.rank - self.after.rank if self.before and self.after else 0

    @property
    def same(self) -> bool:
        """Whether rank, score, status, rule and family are the same, bit for bit."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Count:
    """A count of documents that differs; None if it was not counted."""

    what: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Causes, and all documents of two lists: those of the second in order, then those that are gone."""

    causes: tuple[ChangeCause, ...]
    corpus: Turnover
    lines: tuple[DocumentChange, ...]
    counts: tuple[Count, ...]

    @property
    def same_list(self) -> bool:
        """Whether both lists have the same documents with the same ranks, scores and statuses, bit for bit."""
        return all(line.same for line in self.lines)

    @property
    def empty(self) -> bool:
        """Whether nothing differs except the time."""
        return self.same_list and not self.causes and not self.counts

    def of(self, fate: Fate) -> list[DocumentChange]:
        """The documents of one fate."""
        return [line for line in self.lines if line.fate == fate]

    @property
    def restated(self) -> list[DocumentChange]:
        """The documents of both lists whose status changed."""
        return [line for line in self.lines if line.before and line.after and line.before.status != line.after.status]

    @property
    def rescored(self) -> list[DocumentChange]:
        """The documents of both lists whose score changed."""
        return [line for line in self.lines if line.before and line.after and line.before.score != line.after.score]


def diff(one: SearchRecord, two: SearchRecord) -> Difference:
    """What changed from the first search to the second."""
    moved = turnover(one.documents, two.documents)
    return Difference(causes(one, two, moved), moved, tuple(_lines(one, two)), tuple(_counts(one, two)))


def difference_json(difference: Difference) -> dict[str, Any]:
    """The difference as a JSON object."""
    return {
        "same_list": difference.same_list,
        "causes": to_json(difference.causes),
        "corpus": to_json(difference.corpus),
        "counts": to_json(difference.counts),
        "summary": {fate: len(difference.of(fate)) for fate in FATES}
        | {"status changed": len(difference.restated), "score changed": len(difference.rescored)},
        "documents": [{**to_json(line), "same": line.same} for line in difference.lines],
    }


def _lines(first: SearchRecord, second: SearchRecord) -> Iterator[DocumentChange]:
    before, after = ({hit.id: hit for hit in record.hits} for record in (first, second))
    only_in_one = [number for number in (*after, *before) if (number in before) != (number in after)]
    moved = first.corpus.fingerprint != second.corpus.fingerprint
    fates = changes(first.documents, second.documents, only_in_one) if moved else {}
    for number in dict.fromkeys((*after, *before)):
        old, new = before.get(number), after.get(number)
        reason = ""
        if old is None:
            reason = _reason(_ADDED_REASONS, fates.get(number), _relation(after[number], first))
        elif new is None:
            reason = _reason(_GONE_REASONS, fates.get(number), _relation(before[number], second))
        title = next(hit.title for hit in (new, old) if hit)
        yield DocumentChange(number, title, _fate(old, new), _list_place(old), _list_place(new), reason)


def _fate(old: Listed | None, new: Listed | None) -> Fate:
    if old is None:
        return "new"
    if new is None:
        return "gone"
    return "stayed" if old.rank == new.rank else "moved"


def _list_place(hit: Listed | None) -> ListPlace | None:
    return ListPlace(hit.rank, hit.score, hit.status, hit.rule, hit.family) if hit else None


def _reason(words: dict[Change, str], change: Change | None, relation: str) -> str:
    """Why a document is in only one list; `change` is None if the corpus is the same."""
    if change is None or (change == "as it was" and relation):
        return relation
    return f"{words[change]}; {relation}" if relation else words[change]


def _relation(hit: Listed, other: SearchRecord) -> str:
    """The document that represents the same family in the other list."""
    relative = next((listed.id for listed in other.hits if hit.family and listed.family == hit.family), "")
    return f"{relative} represents its family in the other list" if relative else ""


def _counts(first: SearchRecord, second: SearchRecord) -> Iterator[Count]:
    for what in dict.fromkeys((*first.counts, *second.counts)):
        before, after = first.counts.get(what), second.counts.get(what)
        if before != after:
            yield Count(what, before, after)
