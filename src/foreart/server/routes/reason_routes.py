"""Why a document has its rank, what it discloses, and whether quotes hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal, get_args

from fastapi import APIRouter, Body, Query, Response
from pydantic import ConfigDict, Field

from foreart.search.charting import GRADES
from foreart.server.desk import Desk
from foreart.server.downloads import file_responses, made_download
from foreart.server.json_answers import json_bytes
from foreart.server.routes.asked_search import LONGEST_ID, STRICT, AskedSearch, CanWait, asked_draft, search_arguments
from foreart.server.routes.session_routes import DeskOf
from foreart.server.work.reason_tasks import chart_file_task, chart_task, explain_task, passages_task, verify_task

ROUTER = APIRouter(tags=["reasons"])
Few = Annotated[list[Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]], Field(max_length=50)]
Form = Literal["json", "csv", "xlsx", "html", "docx"]


@dataclass(frozen=True)
class ExplainBody(AskedSearch):
    """A search, and the documents to explain."""

    numbers: Annotated[Few, Field(min_length=1)] = field(default_factory=list)
    words: Annotated[int, Field(ge=1, le=200)] = 15


@dataclass(frozen=True, slots=True)
class ReasonsAnswer:
    """The reasons for scores, as `foreart explain --json` prints them."""

    foreart: str
    form: int
    draft: dict[str, Any]
    corpus: dict[str, Any]
    cutoff: dict[str, Any]
    regime: str
    ranking: dict[str, Any]
    documents: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.post("/explain", response_model=ReasonsAnswer)
async def explain(desk: DeskOf, asked: Annotated[ExplainBody, Body()], can_wait: CanWait) -> Response:
    """The exact contributions that sum to the score of documents."""
    return json_bytes(
        await desk.pool.run(
            explain_task,
            desk.library(asked.library),
            can_wait=can_wait,
            **search_arguments(desk, asked),
            numbers=asked.numbers,
            words=asked.words,
        )
    )


@dataclass(frozen=True)
class ChartBody(AskedSearch):
    """A search, the references to chart, and the claims; findings follow the grades that a person gave, unless not."""

    numbers: Few = field(default_factory=list)
    top: Annotated[int, Field(ge=0, le=50)] = 0
    claims: Annotated[list[Annotated[int, Field(ge=1, le=10_000)]], Field(max_length=200)] = field(default_factory=list)
    all_claims: bool = False
    quotes: Annotated[int, Field(ge=1, le=9)] = 3
    bridges: bool = False
    own_grades: bool = True

    def chart(self) -> dict[str, Any]:
        """The arguments of `Library.chart`."""
        names = ("top", "claims", "all_claims", "quotes", "bridges")
        return {name: value for name, value in asdict(self).items() if name in names}


@dataclass(frozen=True, slots=True)
class ChartAnswer:
    """The chart, as `foreart chart --json` prints it."""

    foreart: str
    form: int
    draft: dict[str, Any]
    corpus: dict[str, Any]
    cutoff: dict[str, Any]
    grades: dict[str, Any]
    own_grades_count_as: dict[str, float]
    bridged: Any
    notes: list[str]
    rows: list[dict[str, Any]]
    references: list[dict[str, Any]]
    cells: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.post("/chart", response_model=ChartAnswer)
async def chart(desk: DeskOf, asked: Annotated[ChartBody, Body()], can_wait: CanWait) -> Response:
    """The elements of claims against references, with verbatim located quotes."""
    folder = desk.library(asked.library)
    return json_bytes(await desk.pool.run(chart_task, folder, can_wait=can_wait, **_chart_arguments(desk, asked)))


def _chart_arguments(desk: Desk, asked: ChartBody) -> dict[str, Any]:
    """What a task that charts is given."""
    return {
        **search_arguments(desk, asked),
        "numbers": asked.numbers,
        "chart": asked.chart(),
        "own_grades": _own_grades(desk, asked),
    }


def _own_grades(desk: Desk, asked: ChartBody) -> dict[str, dict[str, str]]:
    """The grades that a person gave to the draft's cells, by the words of the chart: 5 is disclosed, 1 not found."""
    kept = desk.grades.get(asked.draft) if asked.draft and asked.own_grades else None
    names = dict(enumerate(reversed(GRADES), start=1))
    return {row: {number: names[grade] for number, grade in cells.items()} for row, cells in (kept or {}).items()}


@ROUTER.post(
    "/chart/file",
    response_class=Response,
    responses=file_responses(get_args(Form)),
)
async def chart_file(
    desk: DeskOf, asked: Annotated[ChartBody, Body()], form: Annotated[Form, Query(description="The form.")]
) -> Response:
    """The chart as a file: JSON, CSV, XLSX, HTML or DOCX."""
    folder = desk.library(asked.library)
    found = await desk.pool.run(chart_file_task, folder, **_chart_arguments(desk, asked), form=form)
    return made_download(found, "chart", form)


@dataclass(frozen=True)
class PassagesBody:
    """A paragraph of a draft's description, counted from 0 and headings too, and the documents to look into."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    paragraph: Annotated[int, Field(ge=0, le=1_000_000)]
    numbers: Annotated[Few, Field(min_length=1)]
    draft: Annotated[str, Field(max_length=80)] = ""
    number: Annotated[str, Field(max_length=LONGEST_ID)] = ""
    library: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=9)] = 5


@dataclass(frozen=True, slots=True)
class PassagesAnswer:
    """The passages of each document, best first: verbatim quotes with place, offset and the words that match."""

    paragraph: int
    documents: list[dict[str, Any]]
    ok: Literal[True] = True


@ROUTER.post("/passages", response_model=PassagesAnswer)
async def passages(desk: DeskOf, asked: Annotated[PassagesBody, Body()]) -> Response:
    """The passages of documents that are closest to a paragraph of the draft; for elements of claims, `/api/chart`."""
    return json_bytes(
        await desk.pool.run(
            passages_task,
            desk.library(asked.library),
            draft=asked_draft(desk, asked.draft, asked.number),
            numbers=asked.numbers,
            paragraph=asked.paragraph,
            limit=asked.limit,
        )
    )


@dataclass(frozen=True)
class QuoteBody:
    """A quote: the document, the place as cited, and the text; `fingerprint` is that of the document, if known."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    number: Annotated[str, Field(max_length=LONGEST_ID)]
    place: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=20_000)]
    fingerprint: Annotated[str, Field(max_length=200)] = ""


@dataclass(frozen=True)
class VerifyBody:
    """Quotes to check."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    quotes: Annotated[list[QuoteBody], Field(min_length=1, max_length=200)]
    library: Annotated[str, Field(max_length=200)] = ""


@dataclass(frozen=True, slots=True)
class VerifyAnswer:
    """Whether all quotes hold, and a sentence for each fault."""

    holds: bool
    quotes: int
    documents: int
    faults: list[str]
    ok: Literal[True] = True


@ROUTER.post("/verify", response_model=VerifyAnswer)
async def verify(desk: DeskOf, asked: Annotated[VerifyBody, Body()]) -> Response:
    """Whether quotes stand, character by character, where they are said to."""
    quotes = [asdict(quote) for quote in asked.quotes]
    return json_bytes(await desk.pool.run(verify_task, desk.library(asked.library), quotes=quotes))
