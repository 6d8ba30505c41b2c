"""Reads exported claim charts of every form: which quotes a file states, of which document and place."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from foreart.errors import BadFile, UnknownFormat
from foreart.report.exports.chart_docx import CLOSING, DOCUMENT, OPENING, PLACE, QUOTE
from foreart.report.exports.chart_lines import unshielded
from foreart.report.exports.chart_xlsx import QUOTES_SHEET, openpyxl
from foreart.search.charting import Stated

_NEEDED = ("document", "place", "quote", "fingerprint")


def read_chart(path: str | Path) -> tuple[list[Stated], bool]:
    """The quotes of an exported chart, and whether its form cannot hold every character (see `verify`)."""
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise UnknownFormat(f"{file}: a chart is {', '.join(READERS)}")
    try:
        found = list(reader(file.read_bytes()))
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, BadZipFile, csv.Error) as error:
        raise BadFile(f"{file} is not a chart that foreart has written: {error}") from None
    if not found:
        raise BadFile(f"{file}: it has no quotes in the form that foreart writes")
    return found, file.suffix.lower() not in (".json", ".csv")


def _json(data: bytes) -> Iterator[Stated]:
    record = json.loads(data)
    known = {reference["id"]: reference["fingerprint"] for reference in record["references"]}
    yield from (Stated(number, "", "", fingerprint) for number, fingerprint in known.items())
    for cell in record["cells"]:
        for quote in cell["quotes"]:
            number = cell["reference"]
            yield Stated(number, quote["place"], quote["text"], known.get(number, ""), f"element {cell['row']}")


def _csv(data: bytes) -> Iterator[Stated]:
    lines = csv.DictReader(StringIO(data.decode("utf-8-sig"), newline=""))
    for number, line in enumerate(lines, start=2):
        yield _line({name: unshielded(str(value or "")) for name, value in line.items() if name}, number)


def _xlsx(data: bytes) -> Iterator[Stated]:
    book = openpyxl().load_workbook(BytesIO(data), read_only=True)
    lines = book[QUOTES_SHEET].iter_rows(values_only=True)
    names = [str(name) for name in next(lines)]
    for number, line in enumerate(lines, start=2):
        texts = ["" if value is None else str(value) for value in line]
        if any(texts):
            yield _line(dict(zip(names, texts, strict=False)), number)


def _line(line: Mapping[str, str], number: int) -> Stated:
    missing = [name for name in _NEEDED if name not in line]
    if missing:
        raise ValueError(f"the column {missing[0]!r} is not there")
    return Stated(line["document"], line["place"], line["quote"], line["fingerprint"], f"line {number}")


def _html(data: bytes) -> Iterator[Stated]:
    page = _Page()
    page.feed(data.decode("utf-8"))
    page.close()
    yield from page.found


class _Page(HTMLParser):
    """Collects the quotes of a page as a browser shows them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Stated] = []
        self._open: dict[str, str] | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begins a quote, or notes a document."""
        known = {name: value or "" for name, value in attrs}
        if tag == "blockquote" and "data-document" in known:
            self._open, self._text = known, []
        elif tag == "tr" and "data-document" in known:
            self.found.append(Stated(known["data-document"], "", "", known.get("data-fingerprint", "")))

    def handle_data(self, data: str) -> None:
        """Collects the text of a quote."""
        if self._open is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Ends a quote."""
        if tag == "blockquote" and self._open is not None:
            known = self._open
            place, where = known.get("data-place", ""), f"element {known.get('data-element', '')}"
            self.found.append(
                Stated(known["data-document"], place, "".join(self._text), known.get("data-fingerprint", ""), where)
            )
            self._open = None


def _docx(data: bytes) -> Iterator[Stated]:
    """Numbers and fingerprints come from the headings of references, quotes and places from the cells."""
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError

    try:
        document = Document(BytesIO(data))
    except PackageNotFoundError as error:
        raise ValueError(str(error)) from None
    fingerprints: dict[str, str] = {}
    for paragraph in document.paragraphs:
        if _style(paragraph) == DOCUMENT:
            number = paragraph.text.split(" · ")[0].strip()
            fingerprints[number] = paragraph.text.rpartition("text fingerprint ")[2].strip()
            yield Stated(number, "", "", fingerprints[number])
    for table in document.tables:
        for line in table.rows:
            yield from _disclosures(line, fingerprints)


def _disclosures(line: Any, fingerprints: Mapping[str, str]) -> Iterator[Stated]:  # noqa: ANN401 python-docx has no types
    left, right = line.cells[0], line.cells[-1]
    where = f"element {left.text.split()[0]}" if left.text.split() else ""
    waiting: list[str] = []
    for paragraph in right.paragraphs:
        if _style(paragraph) == QUOTE:
            waiting.append(paragraph.text.removeprefix(OPENING).removesuffix(CLOSING))
        elif _style(paragraph) == PLACE:
            number, _, place = paragraph.text.partition(", ")
            for text in waiting:
                yield Stated(number, place, text, fingerprints.get(number, ""), where)
            waiting = []
    yield from (Stated("", "", text, "", where) for text in waiting)


def _style(paragraph: Any) -> str:  # noqa: ANN401
    return str(paragraph.style.name) if paragraph.style is not None else ""


READERS: dict[str, Callable[[bytes], Iterator[Stated]]] = {
    ".json": _json,
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".html": _html,
    ".htm": _html,
    ".docx": _docx,
}
