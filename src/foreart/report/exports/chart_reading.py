"""Reads exported claim charts and search reports: the quotes that a file states, with document and location."""

from __future__ import annotations

import csv
import json
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from lxml import etree

from foreart.errors import BadFile, ForeartError, UnknownFormat
from foreart.report.exports.chart_docx import CLOSING, DOCUMENT, OPENING, PLACE, QUOTE
from foreart.report.exports.chart_lines import unshielded
from foreart.report.exports.chart_xlsx import QUOTES_SHEET, openpyxl
from foreart.search.charting import Stated
from foreart.sources.drafts.file_types.packed import MALFORMED, Element, check_size
from foreart.sources.drafts.file_types.word import Style, W, document_of, main_part, paragraph_text, style_of

_NEEDED = ("document", "place", "quote", "fingerprint")
# A chart of 20 claims and 20 references has a megabyte.
_MAX_BYTES = 128 << 20
# A chart of 100 elements and 100 references, three quotes each, has 30,000 rows; a damaged file may claim 10^9.
_MAX_ROWS, _MAX_COLUMNS = 200_000, 100
_MAX_DEPTH = 1000  # nested tags of a page; charts have 10


def read_chart(path: str | Path) -> tuple[list[Stated], bool]:
    """The quotes of a chart or report, and whether its format cannot represent every character (see `verify`)."""
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise UnknownFormat(f"{file}: a chart or report is {', '.join(READERS)}")
    try:
        with file.open("rb") as raw:
            data = raw.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise BadFile(f"{file} has more than {_MAX_BYTES >> 20} MB: no chart or report is that large")
        quotes = [_checked(item) for item in reader(data)]
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror or error}") from None
    except ForeartError as error:
        raise BadFile(f"{file}: {error}") from None
    except (*MALFORMED, csv.Error, SyntaxError) as error:
        raise BadFile(f"{file} is not a chart or report written by foreart: {str(error)[:100]}") from None
    if not quotes:
        raise BadFile(f"{file}: it has no quotes in the format that foreart writes")
    return quotes, file.suffix.lower() not in (".json", ".csv")


def _checked(item: Stated) -> Stated:
    """The quote if all its fields are text; lone surrogates, which no corpus has, are replaced."""
    values = [getattr(item, field.name) for field in fields(Stated)]
    if not all(isinstance(value, str) for value in values):
        raise ValueError("a quote, location or publication number that is not text")
    return Stated(*(value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") for value in values))


def _json(data: bytes) -> Iterator[Stated]:
    record = json.loads(data)
    yield from _report(record["documents"]) if "documents" in record else _chart(record)


def _report(documents: Iterable[Mapping[str, Any]]) -> Iterator[Stated]:
    """The quotes of a search report, and its documents, whose texts are compared as well."""
    for item in documents:
        number, fingerprint = item["id"], item["text_fingerprint"]
        yield Stated(number, "", "", fingerprint)
        for quote in item.get("passages", ()):
            where = f"element {quote['element']}" if quote["element"] else ""
            yield Stated(number, quote["place"], quote["text"], fingerprint, where)


def _chart(record: Mapping[str, Any]) -> Iterator[Stated]:
    known = {reference["id"]: reference["fingerprint"] for reference in record["references"]}
    yield from (Stated(number, "", "", fingerprint) for number, fingerprint in known.items())
    for cell in record["cells"]:
        for quote in cell["quotes"]:
            number = cell["reference"]
            yield Stated(number, quote["place"], quote["text"], known.get(number, ""), f"element {cell['row']}")


def _csv(data: bytes) -> Iterator[Stated]:
    lines = csv.DictReader(StringIO(data.decode("utf-8-sig"), newline=""))
    for number, line in enumerate(lines, start=2):
        stated = _line({name: unshielded(str(value or "")) for name, value in line.items() if name}, number)
        if any((stated.id, stated.place, stated.text, stated.fingerprint)):  # the record of a report has none of them
            yield stated


def _xlsx(data: bytes) -> Iterator[Stated]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for part in archive.infolist():
            check_size(part, "the workbook")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about oddities that do not affect the quotes
        sheet = openpyxl().load_workbook(BytesIO(data), read_only=True)[QUOTES_SHEET]
    sheet.reset_dimensions()  # the size stated in the file may be wrong
    lines = sheet.iter_rows(values_only=True, max_row=_MAX_ROWS, max_col=_MAX_COLUMNS)
    names = [str(name) for name in next(lines, ())]
    for number, line in enumerate(lines, start=2):
        texts = ["" if value is None else str(value) for value in line]
        if any(texts):
            yield _line(dict(zip(names, texts, strict=False)), number)


def _line(line: Mapping[str, str], number: int) -> Stated:
    missing = [name for name in _NEEDED if name not in line]
    if missing:
        raise ValueError(f"the column {missing[0]!r} is missing")
    return Stated(line["document"], line["place"], line["quote"], line["fingerprint"], f"line {number}")


def _html(data: bytes) -> Iterator[Stated]:
    page = _Quotes()
    parser = etree.HTMLParser(target=page, encoding="utf-8", huge_tree=True)  # type: ignore[arg-type]
    etree.fromstring(data, parser)
    yield from page.quotes


class _Quotes:
    """Collects the quotes of a page as a browser shows them."""

    def __init__(self) -> None:
        self.quotes: list[Stated] = []
        self._depth = 0
        self._open: Mapping[str, str] | None = None
        self._text: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Starts a quote, or records a document."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError("tags nested too deep")
        if tag == "blockquote" and "data-document" in attributes:
            self._open, self._text = attributes, []
        elif tag in ("tr", "section") and "data-document" in attributes:
            self.quotes.append(Stated(attributes["data-document"], "", "", attributes.get("data-fingerprint", "")))

    def data(self, text: str) -> None:
        """Collects the text of a quote."""
        if self._open is not None:
            self._text.append(text)

    def end(self, tag: str) -> None:
        """Ends a quote."""
        self._depth -= 1
        if tag == "blockquote" and self._open is not None:
            known = self._open
            place, element = known.get("data-place", ""), known.get("data-element", "")
            where = f"element {element}" if element else ""
            self.quotes.append(
                Stated(known["data-document"], place, "".join(self._text), known.get("data-fingerprint", ""), where)
            )
            self._open = None

    def close(self) -> None:
        """Ends the page."""


def _docx(data: bytes) -> Iterator[Stated]:
    """Reads ids and fingerprints from the headings of references, quotes and locations from the cells."""
    name = "the document"
    with zipfile.ZipFile(BytesIO(data)) as archive:
        main = main_part(archive, name)
        if not main:
            raise ValueError("it is not a Word document")
        root, styles = document_of(archive, main, name)
    fingerprints: dict[str, str] = {}
    for paragraph in root.iterfind(f"{W}body/{W}p"):
        if style_of(paragraph, styles).name == DOCUMENT:
            text = paragraph_text(paragraph)
            number = text.split(" · ")[0].strip()
            fingerprints[number] = text.rpartition("text fingerprint ")[2].strip()
            yield Stated(number, "", "", fingerprints[number])
    for row in root.iterfind(f"{W}body/{W}tbl/{W}tr"):
        # Cells as written, without expanding spans: a cell may claim to span 2^31 columns.
        cells = row.findall(f"{W}tc")
        if cells:
            yield from _disclosures(cells[0], cells[-1], styles, fingerprints)


def _disclosures(
    left: Element, right: Element, styles: dict[str, Style], fingerprints: Mapping[str, str]
) -> Iterator[Stated]:
    label = " ".join(map(paragraph_text, left.iterfind(f"{W}p"))).split()
    where = f"element {label[0]}" if label else ""
    pending: list[str] = []
    for paragraph in right.iterfind(f"{W}p"):
        style, text = style_of(paragraph, styles).name, paragraph_text(paragraph)
        if style == QUOTE:
            pending.append(text.removeprefix(OPENING).removesuffix(CLOSING))
        elif style == PLACE:
            number, _, place = text.partition(", ")
            yield from (Stated(number, place, quote, fingerprints.get(number, ""), where) for quote in pending)
            pending = []
    yield from (Stated("", "", quote, "", where) for quote in pending)


READERS: dict[str, Callable[[bytes], Iterator[Stated]]] = {
    ".json": _json,
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".html": _html,
    ".htm": _html,
    ".docx": _docx,
}
