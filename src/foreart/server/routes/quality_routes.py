"""How good the ranking is: what it measured of itself, evaluations, and the report of the paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Body, Query, Response
from pydantic import ConfigDict, Field

from foreart.server.downloads import made_download
from foreart.server.json_answers import json_bytes
from foreart.server.routes.asked_search import LONGEST_ID, STRICT, LibraryName
from foreart.server.routes.job_routes import JobAnswer, started
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.paper_tasks import paper_job, paper_page_task, paper_task
from foreart.server.work.quality_tasks import evaluate_job, ranking_task

ROUTER = APIRouter(tags=["quality"])
JudgedId = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]


@dataclass(frozen=True, slots=True)
class RankingAnswer:
    """What `foreart learn` measured, warm and cold, null with default weights; and what each metric says."""

    learned: dict[str, Any] | None
    metrics: dict[str, str]
    ok: Literal[True] = True


@ROUTER.get("/ranking", response_model=RankingAnswer)
async def ranking(desk: DeskOf, library: LibraryName = "") -> Response:
    """What the ranking of a library says of itself: metrics of held-out folds, warm and cold."""
    return json_bytes(await desk.pool.run(ranking_task, desk.library(library)))


@dataclass(frozen=True)
class EvaluateBody:
    """Judgements: for each query, a patent of the corpus, the grades of documents.

    Or without judgements, with `citing`: as many patents of the corpus are drawn, and what they cite is relevant.
    """

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    judgements: dict[JudgedId, dict[JudgedId, Annotated[int, Field(ge=0, le=100)]]] = field(default_factory=dict)
    citing: Annotated[int, Field(ge=0, le=10_000)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    library: Annotated[str, Field(max_length=200)] = ""


@ROUTER.post("/jobs/evaluate", response_model=JobAnswer, status_code=202)
def evaluation(desk: DeskOf, asked: Annotated[EvaluateBody, Body()]) -> Response:
    """The metrics of the default ranking against judgements, or against the citations of patents of the corpus."""
    given = {"judgements": asked.judgements, "citing": asked.citing, "seed": asked.seed}
    return started(desk, "evaluate", evaluate_job, asked.library, **given)


@dataclass(frozen=True, slots=True)
class PaperAnswer:
    """The findings of the report that was made, null without one, and the seconds that a new one takes by size."""

    report: dict[str, Any] | None
    sizes: dict[str, Any]
    current: str
    ok: Literal[True] = True


@ROUTER.get("/paper", response_model=PaperAnswer)
async def paper(desk: DeskOf, library: LibraryName = "") -> Response:
    """The report of the paper's tables and figures for a library: its findings, and how long making it takes."""
    return json_bytes(await desk.pool.run(paper_task, desk.library(library)))


@ROUTER.get(
    "/paper/report",
    response_class=Response,
    responses={200: {"description": "The report.", "content": {"text/html": {"schema": {"type": "string"}}}}},
)
async def paper_page(desk: DeskOf, library: LibraryName = "") -> Response:
    """The report of the paper as one HTML file."""
    found = await desk.pool.run(paper_page_task, desk.library(library))
    return made_download(found, "paper-report", "html")


@ROUTER.post("/jobs/paper", response_model=JobAnswer, status_code=202)
def make_report(
    desk: DeskOf,
    size: Annotated[
        Literal["words", "topics"], Query(description="Weightings of words alone, or topics and word vectors too.")
    ] = "words",
    library: LibraryName = "",
) -> Response:
    """Makes the report of the paper's tables and figures; cancelled or not, finished steps are kept."""
    return started(desk, "paper", paper_job, library, size=size)
