"""The state of a matter: a pure fold over its events that count after undo and redo; each rater has their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from foreart.document.draft import Draft
from foreart.document.reference import is_literature, literature_id
from foreart.records.record_data import SearchRecord
from foreart.review.matters.matter_events import (
    UNDOABLE,
    CategoryGiven,
    CriteriaSet,
    DocumentJudged,
    DocumentsShown,
    DraftKept,
    Event,
    ExportMade,
    FamilyIgnored,
    HighlightsSet,
    Judged,
    LiteratureKept,
    Logged,
    MatterCreated,
    NoteWritten,
    RedoAsked,
    SearchKept,
    SeedSet,
    StoppingRuleSet,
    UndoAsked,
)


@dataclass(frozen=True, slots=True, repr=False)
class MatterState:
    """What a matter contains after its events, each part in the order of the events that made it.

    A judgement counts for its document and the family; a rater has one for each family. `unseen` has, for judgements
    that replaced one which the rater had not seen (made in another tab), the event of the replaced one. `undo` and
    `redo` are the events that these would concern, by rater; `last` is the number of the last event.
    """

    title: str = ""
    created: str = ""
    drafts: tuple[Logged[DraftKept], ...] = ()
    searches: tuple[Logged[SearchKept], ...] = ()
    judgements: tuple[Logged[DocumentJudged], ...] = ()
    categories: tuple[Logged[CategoryGiven], ...] = ()
    notes: tuple[Logged[NoteWritten], ...] = ()
    highlights: tuple[Logged[HighlightsSet], ...] = ()
    seeds: tuple[Logged[SeedSet], ...] = ()
    ignored: tuple[Logged[FamilyIgnored], ...] = ()
    literature: tuple[Logged[LiteratureKept], ...] = ()
    criteria: str = ""
    stopping: Logged[StoppingRuleSet] | None = None
    exports: tuple[Logged[ExportMade], ...] = ()
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: Mapping[int, int] = field(default_factory=dict)
    raters: tuple[str, ...] = ()
    undo: Mapping[str, int] = field(default_factory=dict)
    redo: Mapping[str, int] = field(default_factory=dict)
    last: int = 0

    @property
    def draft(self) -> Draft | None:
        """The latest version of the draft."""
        return self.drafts[-1].event.draft if self.drafts else None

    @property
    def search(self) -> SearchRecord | None:
        """The record of the latest search."""
        return self.searches[-1].event.record if self.searches else None

    def judged_by(self, rater: str) -> Mapping[str, Logged[DocumentJudged]]:
        """The judgements of a rater, by every publication of the judged families."""
        mine = (item for item in self.judgements if item.rater == rater)
        return {number: item for item in mine for number in (item.event.document, *item.event.family)}

    def judgement(self, document: str, rater: str) -> Judged:
        """How a rater judged a document or its family."""
        found = self.judged_by(rater).get(document)
        return found.event.judgement if found else "unjudged"


@dataclass(frozen=True, slots=True, repr=False)
class Effective:
    """The events that count, in order, and for each rater the event that an undo and a redo would concern."""

    events: tuple[Logged[Event], ...]
    undo: Mapping[str, int]
    redo: Mapping[str, int]


def effective(log: Sequence[Logged[Event]]) -> Effective:
    """The events that count: an undo takes back the rater's last decision, a new decision forgets what was undone."""
    done: dict[str, list[int]] = defaultdict(list)
    undone: dict[str, list[int]] = defaultdict(list)
    for logged in log:
        mine, back = done[logged.rater], undone[logged.rater]
        if isinstance(logged.event, UndoAsked):
            back.extend([mine.pop()] if mine else [])
        elif isinstance(logged.event, RedoAsked):
            mine.extend([back.pop()] if back else [])
        elif isinstance(logged.event, UNDOABLE):
            mine.append(logged.n)
            back.clear()
    counted = {n for numbers in done.values() for n in numbers}
    return Effective(
        tuple(item for item in log if item.n in counted or not isinstance(item.event, UNDOABLE)),
        {rater: numbers[-1] for rater, numbers in done.items() if numbers},
        {rater: numbers[-1] for rater, numbers in undone.items() if numbers},
    )


class _Folding:
    """The parts of a state while events are applied, by what a later event of the same thing replaces."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[Any, Logged[Any]]] = {
            name: {}
            for name in (
                "drafts",
                "searches",
                "judgements",
                "categories",
                "notes",
                "highlights",
                "seeds",
                "ignored",
                "literature",
            )
        }
        self.values: dict[str, Any] = {}
        self.exports: list[Logged[ExportMade]] = []
        self.shown: dict[str, dict[str, None]] = {}
        self.raters: dict[str, None] = {}
        self.unseen: dict[int, int] = {}
        # The judgement of each publication, by rater and number.
        self.judged: dict[tuple[str, str], int] = {}

    def put(self, part: str, key: object, logged: Logged[Any], *, present: bool = True) -> None:
        """Replaces what a part has under a key; it becomes the last one."""
        self.parts[part].pop(key, None)
        if present:
            self.parts[part][key] = logged


def fold(events: Sequence[Logged[Event]]) -> MatterState:
    """The state after all events."""
    counted = effective(events)
    folding = _Folding()
    for logged in counted.events:
        _APPLY.get(type(logged.event), _nothing)(folding, logged)
    for logged in events:
        if logged.rater:
            folding.raters[logged.rater] = None
    parts: dict[str, Any] = {name: tuple(part.values()) for name, part in folding.parts.items()}
    return MatterState(
        **parts,
        **folding.values,
        exports=tuple(folding.exports),
        shown={rater: tuple(documents) for rater, documents in folding.shown.items()},
        unseen=folding.unseen,
        raters=tuple(folding.raters),
        undo=counted.undo,
        redo=counted.redo,
        last=events[-1].n if events else 0,
    )


def _nothing(folding: _Folding, logged: Logged[Any]) -> None:
    pass


def _created(folding: _Folding, logged: Logged[MatterCreated]) -> None:
    folding.values |= {"title": logged.event.title, "created": logged.time}


def _search(folding: _Folding, logged: Logged[SearchKept]) -> None:
    """A search of a corpus that an earlier one has recorded gets its documents back."""
    source = folding.parts["searches"].get(logged.event.documents_of)
    if source is not None:
        record = replace(logged.event.record, documents=source.event.record.documents)
        logged = replace(logged, event=SearchKept(record, logged.event.documents_of))
    folding.put("searches", logged.n, logged)


def _judged(folding: _Folding, logged: Logged[DocumentJudged]) -> None:
    """Replaces all judgements of the rater on the same family, whichever of its documents they named."""
    event, part, known = logged.event, folding.parts["judgements"], folding.judged
    family = {event.document, *event.family}
    before = {known[logged.rater, number] for number in family if (logged.rater, number) in known}
    for key in sorted(before):
        replaced = part.pop(key)
        family |= {replaced.event.document, *replaced.event.family}
        if 0 < event.seen < replaced.n:
            folding.unseen[logged.n] = replaced.n
    for number in family:
        known.pop((logged.rater, number), None)
    if event.judgement != "unjudged":
        members = tuple(sorted(family - {event.document}))
        part[logged.n] = replace(logged, event=replace(event, family=members))
        known.update(((logged.rater, number), logged.n) for number in family)


def _category(folding: _Folding, logged: Logged[CategoryGiven]) -> None:
    key = (logged.event.document, logged.event.category)
    folding.put("categories", key, logged, present=not logged.event.withdrawn)


def _note(folding: _Folding, logged: Logged[NoteWritten]) -> None:
    """A note that replaces another one keeps its place and number."""
    part = folding.parts["notes"]
    key = logged.event.replaces if logged.event.replaces in part else logged.n
    if logged.event.text.strip():
        part[key] = replace(logged, n=key)
    else:
        part.pop(key, None)


def _literature(folding: _Folding, logged: Logged[LiteratureKept]) -> None:
    """What replaces an item keeps its place, and does nothing if that is gone; an undo brings a withdrawn one back."""
    part, event = folding.parts["literature"], logged.event
    if event.document and event.document not in part:
        return
    document = event.document or literature_id(logged.n)
    part[document] = replace(logged, event=replace(event, document=document))
    if event.withdrawn:
        del part[document]


def _highlights(folding: _Folding, logged: Logged[HighlightsSet]) -> None:
    folding.parts["highlights"][logged.event.name] = logged
    if not logged.event.words:
        del folding.parts["highlights"][logged.event.name]


def _shown(folding: _Folding, logged: Logged[DocumentsShown]) -> None:
    folding.shown.setdefault(logged.rater, {}).update(dict.fromkeys(logged.event.documents))


_Applied = Callable[[_Folding, Logged[Any]], None]
_APPLY: Mapping[type, _Applied] = {
    MatterCreated: _created,
    DraftKept: lambda folding, logged: folding.put("drafts", logged.n, logged),
    SearchKept: _search,
    DocumentJudged: _judged,
    CategoryGiven: _category,
    NoteWritten: _note,
    HighlightsSet: _highlights,
    SeedSet: lambda folding, logged: folding.put(
        "seeds", logged.event.document, logged, present=not logged.event.withdrawn
    ),
    FamilyIgnored: lambda folding, logged: folding.put(
        "ignored", logged.event.document, logged, present=not logged.event.withdrawn
    ),
    LiteratureKept: _literature,
    CriteriaSet: lambda folding, logged: folding.values.update(criteria=logged.event.text),
    StoppingRuleSet: lambda folding, logged: folding.values.update(stopping=logged),
    DocumentsShown: _shown,
    ExportMade: lambda folding, logged: folding.exports.append(logged),
}


def reviewed(state: MatterState, rater: str) -> tuple[str, ...]:
    """The documents of the corpus that a rater has read: shown or judged, in order; a family counts once."""
    judged = state.judged_by(rater)
    read: dict[str, None] = {}
    for number in _looked_at(state, rater):
        found = judged.get(number)
        read[found.event.document if found else number] = None
    return tuple(read)


def _looked_at(state: MatterState, rater: str) -> Iterable[str]:
    yield from state.shown.get(rater, ())
    judged = (item.event.document for item in state.judgements if item.rater == rater)
    yield from (number for number in judged if not is_literature(number))
