"""The parts that a printed report is made of; each file type has one writer for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from foreart.report.forms.report_data import NOTICE, ReportedPassage

LineStyle = Literal["plain", "strong", "quiet"]
TextStyle = Literal["plain", "lead", "note", "quiet"]
Paper = Literal["a4", "us-letter"]


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a table cell."""

    text: str
    style: LineStyle = "plain"


SheetCell = tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a table and its width in parts of all widths."""

    name: str
    width: float


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table, ruled as on a form."""

    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """A heading; `level` 1 begins a part of the report, on a new page if `new_page`."""

    text: str
    level: int = 1
    new_page: bool = False
    kind: Literal["heading"] = "heading"


@dataclass(frozen=True, slots=True)
class SheetText:
    """A paragraph."""

    text: str
    style: TextStyle = "plain"
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """Names and values, as the boxes at the head of a form."""

    facts: tuple[tuple[str, str], ...]
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True, slots=True)
class SheetList:
    """A list of sentences."""

    items: tuple[str, ...]
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class SheetQuotes:
    """The verbatim quotes of one document, in the form that `foreart verify` reads in every file type."""

    document: str
    title: str
    about: str
    fingerprint: str
    language: str
    passages: tuple[ReportedPassage, ...]
    kind: Literal["quotes"] = "quotes"


SheetPart = SheetTable | SheetHeading | SheetText | SheetFacts | SheetList | SheetQuotes


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """A printed report: what it is, its title, and its parts. Every page has the notice and the foot."""

    form: str
    title: str
    parts: tuple[SheetPart, ...]
    foot: tuple[str, ...]
    paper: Paper = "a4"
    notice: str = NOTICE


def columns(*named: tuple[str, float]) -> tuple[SheetColumn, ...]:
    """Columns by name and width."""
    return tuple(SheetColumn(name, width) for name, width in named)


def cell(*lines: str | SheetLine) -> SheetCell:
    """A cell of lines, those without text left out."""
    made = (SheetLine(line) if isinstance(line, str) else line for line in lines)
    return tuple(line for line in made if line.text)


def strong(text: str) -> SheetLine:
    """A line in bold type."""
    return SheetLine(text, "strong")


def quiet(text: str) -> SheetLine:
    """A line in small type."""
    return SheetLine(text, "quiet")


def facts(*pairs: tuple[str, str]) -> SheetFacts:
    """Facts, with a dash for what is unknown."""
    return SheetFacts(tuple((name, value or "–") for name, value in pairs))


def table(named: Sequence[SheetColumn], rows: Iterable[Sequence[SheetCell]]) -> SheetTable:
    """A table of rows; one without rows has a row of dashes, as a form that was filled in and had nothing to say."""
    made = tuple(tuple(row) for row in rows)
    return SheetTable(tuple(named), made or (tuple(cell("–") for _ in named),))
