"""Runs the steps one by one: finished steps are kept, missing ones computed, remaining time reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from foreart.errors import MissingExtra
from foreart.paper.experiments.results import Results
from foreart.paper.experiments.steps import CUT, Step, plan, with_cut
from foreart.paper.experiments.study import Study

_TRUST = 30.0  # seconds of work after which the estimates are halfway corrected
_LONG = 60.0  # seconds: before a step that takes longer, what is there is written


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: the step at work, its number, the share of it that is done, and seconds left in all."""

    title: str
    number: int
    of: int
    share: float
    left: float


Tell = Callable[[Progress], None]
Write = Callable[[Results, Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended: its results, and which steps were computed now (the others were there)."""

    results: Results
    computed: tuple[str, ...]


class _Clock:
    """Seconds left, from the estimates and from how they held so far."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._left = {step.name: step.cost for step in steps}
        self._meant = self._took = 0.0

    def finished(self, step: Step, seconds: float) -> None:
        self._left.pop(step.name, None)
        self._meant += step.cost
        self._took += seconds

    def left(self, step: Step, share: float) -> float:
        pace = (self._took + _TRUST) / (self._meant + _TRUST)
        return pace * max(0.0, sum(self._left.values()) - share * step.cost)


class _Session:
    """What is there, what failed and why, and what was computed now."""

    def __init__(self, study: Study, wanted: Sequence[Step], write: Write | None) -> None:
        self.study = study
        self.write = write
        found = {step.name: study.work.load(step.name, step.settings) for step in wanted}
        self.done = {name: done for name, done in found.items() if done is not None}
        self.failed: dict[str, str] = {}
        self.computed: list[str] = []

    @property
    def results(self) -> Results:
        return Results(self.study, dict(self.done), dict(self.failed))

    def put(self, left: Sequence[Step]) -> None:
        """Has what is there written, with the steps to come."""
        if self.write is not None:
            self.write(self.results, [step.title for step in left if step.name != CUT])

    def do(self, step: Step, progress: Callable[[float], None]) -> None:
        """Computes a step and keeps it, unless a library that it needs is not installed."""
        began = time.monotonic()
        try:
            if step.name == CUT:
                self.study.texts.cut(stream=step.words == "stream", progress=progress)
            else:
                found = replace(step.compute(), seconds=round(time.monotonic() - began, 3))
                self.study.work.save(step.name, step.settings, found)
                self.done[step.name] = found
        except MissingExtra as error:
            self.failed[step.name] = str(error)
        else:
            self.computed.append(step.name)


def run(
    study: Study, exhibits: Collection[str], *, tell: Tell = lambda progress: None, write: Write | None = None
) -> Ran:
    """Computes what the exhibits need and is not there yet.

    `write` is called with what is there and the titles of the steps to come: before every long step, at the end, and
    if the run is interrupted, before the interrupt is passed on.
    """
    study.work.sweep()
    wanted = plan(study, exhibits)
    session = _Session(study, wanted, write)
    todo = with_cut(study, [step for step in wanted if step.name not in session.done])
    clock = _Clock(todo)
    left = list(todo)
    try:
        for number, step in enumerate(todo, start=1):
            if step.cost >= _LONG and session.computed:
                session.put(left)
            progress = partial(_tell, tell, clock, step, number, len(todo))
            progress(0.0)
            began = time.monotonic()
            session.do(step, progress)
            clock.finished(step, time.monotonic() - began)
            left.remove(step)
    except KeyboardInterrupt:
        session.put(left)
        raise
    session.put(())
    if any(step.words == "stream" for step in todo):  # otherwise another run may be at it
        study.texts.drop_tape()
    return Ran(session.results, tuple(session.computed))


def _tell(tell: Tell, clock: _Clock, step: Step, number: int, of: int, share: float) -> None:
    tell(Progress(step.title, number, of, share, clock.left(step, share)))
