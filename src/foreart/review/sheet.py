"""The blind sheet an expert fills in, as data and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foreart.document.patent import Patent
from foreart.durable import replace_bytes
from foreart.errors import BadFile
from foreart.identifiers.numbers import loose_number

SCALE: dict[int, str] = {
    0: "not relevant: another field",
    1: "hardly relevant: the same field, another problem",
    2: "somewhat relevant: background that one would not cite",
    3: "relevant: one would cite it",
    4: "very relevant: comes close to the invention",
    5: "most relevant: shows the invention, or nearly",
}
# Header of the column, and attribute of a row.
COLUMNS: dict[str, str] = {
    "target": "target",
    "target title": "target_title",
    "document": "document",
    "title": "title",
    "abstract": "abstract",
    "link": "link",
    "score": "score",
    "comment": "comment",
}
NEEDED = ("target", "document", "score")
INSTRUCTIONS = (
    "For each row: how relevant is the document as prior art of the target? Write a whole number from 0 to 5 into the "
    "column score; leave it empty if you cannot say. Write what you like into the column comment.",
    "Judge by the texts. Do not look up search reports, citations or other ratings before you have finished.",
    "The rows of a target are in random order. You may sort and save the sheet as you like: rows are known by the "
    "columns target and document, so leave those as they are.",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One pair to judge, as texts; `number` is the row of the sheet it was read from."""

    target: str
    document: str
    target_title: str = ""
    title: str = ""
    abstract: str = ""
    link: str = ""
    score: str = ""
    comment: str = ""
    number: int = 0


def sheet_rows(pairs: Iterable[tuple[str, str]], patent_of: Callable[[str], Patent]) -> list[SheetRow]:
    """The rows for pairs of target and document, in their order."""
    titles: dict[str, str] = {}
    rows: list[SheetRow] = []
    for target, document in pairs:
        if target not in titles:
            titles[target] = patent_of(target).title
        patent = patent_of(document)
        abstract = " ".join(patent.abstract.split())
        rows.append(SheetRow(target, document, titles[target], patent.title, abstract, link(document)))
    return rows


def link(number: str) -> str:
    """Where a publication can be read; `""` for free ids, and for XX, which no office uses."""
    parts = loose_number(number)
    return f"https://patents.google.com/patent/{parts}/en" if parts.country not in ("", "XX") else ""


def write_csv(rows: Iterable[SheetRow], path: Path) -> None:
    """The sheet with a byte-order mark, without which Excel assumes another encoding."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([plain(getattr(row, name)) for name in COLUMNS.values()] for row in rows)
    replace_bytes(path, text.getvalue().encode("utf-8-sig"))


def plain(text: str) -> str:
    """A text that no spreadsheet interprets as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def read_csv(path: Path) -> list[SheetRow]:
    """The rows of a sheet, whatever separator and encoding a spreadsheet program used."""
    return rows_of(table(path), path)


def table(path: Path) -> list[list[str]]:
    """The cells of a file of values between tabs, semicolons or commas, whichever its first line has most of."""
    text = decoded(path)
    first = text.partition("\n")[0]
    separator = max("\t;,", key=first.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise BadFile(f"{path} cannot be read as a table: {error}") from None


def decoded(path: Path) -> str:
    """The text of a file in UTF-8, in UTF-16, or in what Excel calls CSV."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def rows_of(cells: Sequence[Sequence[str]], path: Path) -> list[SheetRow]:
    """Rows from cells whose first row has the names of the columns; rows without a pair are left out."""
    header = [cell.strip().lower() for cell in cells[0]] if cells else []
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise BadFile(f"{path} has no column {missing[0]!r}: its first row must name {', '.join(NEEDED)}")
    rows: list[SheetRow] = []
    for number, line in enumerate(cells[1:], start=2):
        values = {COLUMNS[name]: cell.strip() for name, cell in zip(header, line, strict=False) if name in COLUMNS}
        if values.get("target") and values.get("document"):
            rows.append(SheetRow(**values, number=number))
    return rows
