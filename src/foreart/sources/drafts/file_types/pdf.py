"""The text layer of a PDF, without running headers and footers."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from foreart.document.headings import known_heading
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.columns import in_one_column
from foreart.sources.drafts.file_types.lines import Line, joined
from foreart.sources.drafts.file_types.printed_lines import PrintedLine, rows_of, text_of_pages, width_of

_MALFORMED = (
    PyPdfError, OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
# Lone surrogates, which broken fonts map to and which cannot be encoded.
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_PAGES = 10_000
# The drawing instructions of pages compress 5 to 20 times; reading them takes a second per megabyte.
_MAX_RATIO, _RATIO_FLOOR = 100, 4 << 20
_FIGURE = re.compile(r"(?:fig(?:ure|ur)?s?|abb)\.?\s*\d+\w?\W*$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:\b[a-zäöüß]+\b[ ,]+){4}")


def pdf_lines(data: bytes, name: str) -> tuple[list[Line], tuple[str, ...]]:
    """The paragraphs of a PDF, and a note on pages without text."""
    try:
        with _silence():
            pages = _pages(data, name)
    except _MALFORMED:
        # Neither the cause nor its text is passed on: it may quote the draft.
        raise BadFile(f"{name} is not a readable PDF: save it again, or as DOCX") from None
    empty = [number for number, page in enumerate(pages, start=1) if not _has_text(page)]
    if len(empty) == len(pages):
        raise BadFile(f"{name} has no text layer: run OCR first")
    sheets = {number: True for number, page in enumerate(pages, start=1) if _is_drawing(page)}
    sheets = sheets if len(sheets) + len(empty) < len(pages) else {}
    notes = [f"no text layer on page {_listed(empty)} of {len(pages)}"] if empty else []
    notes += [f"page {_listed(sheets)} of {len(pages)} skipped: drawings"] if sheets else []
    text = [page for number, page in enumerate(pages, start=1) if number not in sheets]
    return joined(text_of_pages([_close_set(text[0]), *text[1:]])), tuple(notes)


def _pages(data: bytes, name: str) -> list[list[PrintedLine]]:
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise BadFile(f"{name} is protected by a password: save it without one")
    if len(reader.pages) > _MAX_PAGES:
        raise BadFile(f"{name} has more than {_MAX_PAGES:,} pages: give the draft alone")
    left = max(_RATIO_FLOOR, _MAX_RATIO * len(data))
    pages: list[list[str]] = []
    for page in reader.pages:
        contents = page.get_contents()
        left -= len(contents.get_data()) if contents is not None else 0
        if left < 0:
            raise BadFile(f"{name} unpacks to more than {_MAX_RATIO} times its size: save it again, or as DOCX")
        pages.append(_SURROGATE.sub("\ufffd", _page_text(page)).translate(_LIGATURES).splitlines())
    return [rows_of(page, turned=True) for page in in_one_column(pages)]


def _page_text(page: PageObject) -> str:
    """The text in page layout, which distinguishes margins from text; in file order if that fails."""
    try:
        text = page.extract_text(extraction_mode="layout", layout_mode_strip_rotated=True)
    except _MALFORMED:
        text = ""
    return text if text.strip() else page.extract_text()


def _close_set(page: Sequence[PrintedLine]) -> list[PrintedLine]:
    """The first page without the gaps between the lines of a title in large letters."""
    full = 0.75 * width_of(page)
    rows = list(page)
    start = 0
    for place, row in enumerate(page[:10]):
        short = row.indent + len(row.text) < full and known_heading(row.text) is None
        if place and (row.gap != 1 or not short):
            if row.gap >= 2 and place - start > 1:
                rows[start + 1 : place] = [replace(line, gap=0) for line in page[start + 1 : place]]
                break
            start = place
    return rows


def _has_text(page: Sequence[PrintedLine]) -> bool:
    return any(sign.isalnum() for row in page for sign in row.text)


def _is_drawing(page: Sequence[PrintedLine]) -> bool:
    """A sheet of drawings: a figure's label on a line of its own, and nothing that reads like a sentence."""
    return any(_FIGURE.match(row.text) for row in page) and not any(_SENTENCE.search(row.text) for row in page)


def _listed(numbers: Iterable[int]) -> str:
    """`3, 7-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


@contextmanager
def _silence() -> Iterator[None]:
    """pypdf logs what is unusual in a file; a draft must leave no trace in logs."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
