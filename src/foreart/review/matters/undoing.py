"""Which events of a log count after undo and redo; each rater has their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreart.review.matters.matter_events import UNDOABLE, Event, Logged, RedoAsked, UndoAsked


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
