"""Expert sets, labelled blind by several raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Path, Query, Response
from pydantic import ConfigDict, Field

from foreart.server.json_answers import json_bytes
from foreart.server.routes.asked_search import LONGEST_ID, STRICT, LibraryName
from foreart.server.routes.job_routes import JobAnswer, started
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.study_tasks import (
    agreement_task,
    judge_task,
    next_pair_task,
    sample_set_job,
    sets_task,
)

ROUTER = APIRouter(tags=["study"])
SetName = Annotated[str, Path(max_length=80)]
Rater = Annotated[str, Query(description="Who judges.", min_length=1, max_length=80)]
PatentId = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]


@dataclass(frozen=True, slots=True)
class SetsAnswer:
    """Expert sets: name, number of pairs, and how many each rater has judged."""

    sets: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.get("/expert-sets", response_model=SetsAnswer)
async def expert_sets(desk: DeskOf, library: LibraryName = "") -> Response:
    """The expert sets of a library."""
    return json_bytes(await desk.pool.run(sets_task, desk.library(library)))


@dataclass(frozen=True)
class SampleBody:
    """A new expert set: its name, how many targets, how many random documents of high, middle and low score."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    name: Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$")]
    number: Annotated[int, Field(ge=1, le=1000)] = 10
    each: Annotated[int, Field(ge=1, le=100)] = 10
    random: Annotated[int, Field(ge=1, le=100_000)] = 1000
    min_cited: Annotated[int, Field(ge=0, le=10_000)] = 5
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    library: Annotated[str, Field(max_length=200)] = ""


@ROUTER.post("/jobs/expert-set", response_model=JobAnswer, status_code=202)
def sample_set(desk: DeskOf, asked: Annotated[SampleBody, Body()]) -> Response:
    """Draws pairs of targets and documents for experts to judge blind."""
    names = ("name", "number", "each", "random", "min_cited", "seed")
    arguments = {name: getattr(asked, name) for name in names}
    return started(desk, "expert-set", sample_set_job, asked.library, **arguments)


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The next pair of a rater: the texts of target and document, null after the last; never a score or citation.

    `place` is its place in the order of the rater, `given` what this rater has said of it before.
    """

    set: str
    rater: str
    judged: int
    left: int
    place: int | None
    scale: dict[str, str]
    pair: dict[str, Any] | None
    given: dict[str, Any] | None
    ok: Literal[True] = True


@ROUTER.get("/expert-sets/{name}/next", response_model=PairAnswer)
async def next_pair(
    desk: DeskOf,
    name: SetName,
    rater: Rater,
    library: LibraryName = "",
    place: Annotated[int | None, Query(description="The pair at this place, to go back.", ge=0, le=10**6)] = None,
    after: Annotated[int | None, Query(description="The next one after this place.", ge=0, le=10**6)] = None,
) -> Response:
    """The next pair that a rater has not judged, or the one at a place of the rater's order."""
    folder = desk.library(library)
    return json_bytes(await desk.pool.run(next_pair_task, folder, name=name, rater=rater, place=place, after=after))


@dataclass(frozen=True)
class LabelBody:
    """A judgement of a pair, 0 to 5, or a comment alone."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    rater: Annotated[str, Field(min_length=1, max_length=80)]
    target: PatentId
    document: PatentId
    score: Annotated[int, Field(ge=0, le=5)] | None = None
    comment: Annotated[str, Field(max_length=2000)] = ""
    library: Annotated[str, Field(max_length=200)] = ""


@dataclass(frozen=True, slots=True)
class LabelAnswer:
    """How many pairs the rater has judged, and how many are left."""

    judged: int
    left: int
    ok: Literal[True] = True


@ROUTER.post("/expert-sets/{name}/labels", response_model=LabelAnswer)
async def label(desk: DeskOf, name: SetName, given: Annotated[LabelBody, Body()]) -> Response:
    """Keeps a judgement; a later one of the same pair counts."""
    arguments = {key: getattr(given, key) for key in ("rater", "target", "document", "score", "comment")}
    return json_bytes(await desk.pool.run(judge_task, desk.library(given.library), name=name, **arguments))


@dataclass(frozen=True, slots=True)
class AgreementAnswer:
    """Weighted kappa of every two raters on what both judged, and the mean."""

    pairs: list[dict[str, Any]]
    mean: dict[str, Any] | None
    ok: Literal[True] = True


@ROUTER.get("/expert-sets/{name}/agreement", response_model=AgreementAnswer)
async def agreement(desk: DeskOf, name: SetName, library: LibraryName = "") -> Response:
    """The agreement of raters."""
    return json_bytes(await desk.pool.run(agreement_task, desk.library(library), name=name))
