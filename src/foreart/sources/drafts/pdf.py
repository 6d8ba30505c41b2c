"""The text layer of a PDF, without what is printed on every page."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from foreart.errors import BadFile
from foreart.sources.drafts.lines import Line, joined

_MALFORMED = (PyPdfError, OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
_PAGE_NUMBER = re.compile(
    r"[-–—\s]*(?:page|seite|p\.)?\s*\d{1,4}\s*(?:(?:of|von|/)\s*\d{1,4})?[-–—\s]*$", re.IGNORECASE
)
_CLAIM = re.compile(r"\d{1,3}\s?[.)]\s+[A-Z]")
_MARGIN = 3  # lines at the head and at the foot of a page that may be printed on every one


def pdf_lines(data: bytes, name: str) -> tuple[list[Line], tuple[str, ...]]:
    """The paragraphs of a PDF, and a note on pages without text."""
    try:
        with _silence():
            pages = _pages(data, name)
    except _MALFORMED:
        # Neither the cause nor its text is passed on: it may quote the draft.
        raise BadFile(f"{name} is not a PDF that can be read: save it anew, or as DOCX") from None
    empty = [number for number, page in enumerate(pages, start=1) if not any(map(str.isalnum, "".join(page)))]
    if len(empty) == len(pages):
        raise BadFile(f"{name} has no text layer: run OCR first")
    notes = (f"no text layer on page {', '.join(map(str, empty))} of {len(pages)}",) if empty else ()
    return joined([line for page in without_running(pages) for line in page]), notes


def without_running(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without running headers, footers and page numbers.

    A line goes if it stands at the head or foot of most pages, but for its numbers; a claim never goes.
    """
    counts = Counter(key for page in pages for key in {_key(page[place]) for place in _margin(page)})
    needed = max(2, len(pages) // 2 + 1)
    kept: list[list[str]] = []
    for page in pages:
        gone = {
            place
            for place in _margin(page)
            if (counts[_key(page[place])] >= needed and not _CLAIM.match(page[place].strip()))
            or _PAGE_NUMBER.match(page[place])
        }
        kept.append([line for place, line in enumerate(page) if place not in gone])
    return kept


def _pages(data: bytes, name: str) -> list[list[str]]:
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise BadFile(f"{name} is protected by a password: save it without one")
    return [[line for line in page.extract_text().splitlines() if line.strip()] for page in reader.pages]


def _margin(page: Sequence[str]) -> list[int]:
    places = range(len(page))
    return [place for place in places if place < _MARGIN or place >= len(page) - _MARGIN]


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()).lower())


@contextmanager
def _silence() -> Iterator[None]:
    """pypdf writes oddities of a file to its log; a draft must leave no trace there."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
