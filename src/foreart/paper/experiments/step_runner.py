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

_TRUST = 30.0  # seconds of work after which the estimates are half corrected
_LONG = 60.0  # seconds; before a longer step the report is written


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run: the current step, its number, the share of it done, and the seconds left in total."""

    title: str
    number: int
    of: int
    share: float
    left: float


Tell = Callable[[Progress], None]
Write = Callable[[Results, Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of a run: its results, and the steps that it computed (the others were cached)."""

    results: Results
    computed: tuple[str, ...]


class _Clock:
    """Estimates the seconds left, corrected by the steps finished so far."""

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
    """Finished steps, failed steps with reasons, and the steps computed by this run."""

    def __init__(self, study: Study, wanted: Sequence[Step], write: Write | None) -> None:
        self.study = study
        self.write = write
        cached = {step.name: study.work.load(step.name, step.settings) for step in wanted}
        self.done = {name: done for name, done in cached.items() if done is not None}
        self.failed: dict[str, str] = {}
        self.computed: list[str] = []

    @property
    def results(self) -> Results:
        return Results(self.study, dict(self.done), dict(self.failed))

    def put(self, left: Sequence[Step]) -> None:
        """Writes the current results, with the titles of the remaining steps."""
        if self.write is not None:
            self.write(self.results, [step.title for step in left if step.name != CUT])

    def do(self, step: Step, progress: Callable[[float], None]) -> None:
        """Computes a step and saves it, unless a required library is not installed."""
        started = time.monotonic()
        try:
            if step.name == CUT:
                self.study.texts.cut(stream=step.words == "stream", progress=progress)
            else:
                done = replace(step.compute(), seconds=round(time.monotonic() - started, 3))
                self.study.work.save(step.name, step.settings, done)
                self.done[step.name] = done
        except MissingExtra as error:
            self.failed[step.name] = str(error)
        else:
            self.computed.append(step.name)


def run(
    study: Study, exhibits: Collection[str], *, tell: Tell = lambda progress: None, write: Write | None = None
) -> RunResult:
    """Computes the missing steps that the exhibits need.

    `write` is called with the current results and the titles of the remaining steps: before every long step, at the
    end, and on an interrupt before it is raised again.
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
            started = time.monotonic()
            session.do(step, progress)
            clock.finished(step, time.monotonic() - started)
            left.remove(step)
    except KeyboardInterrupt:
        session.put(left)
        raise
    session.put(())
    if any(step.words == "stream" for step in todo):  # otherwise another run may be using it
        study.texts.drop_stream()
    return RunResult(session.results, tuple(session.computed))


def seconds_to_do(study: Study, exhibits: Collection[str]) -> float:
    """The estimate for the missing steps that the exhibits need, before any of them corrects it."""
    missing = [step for step in plan(study, exhibits) if study.work.load(step.name, step.settings) is None]
    return sum(step.cost for step in with_cut(study, missing))


def _tell(tell: Tell, clock: _Clock, step: Step, number: int, of: int, share: float) -> None:
    tell(Progress(step.title, number, of, share, clock.left(step, share)))
