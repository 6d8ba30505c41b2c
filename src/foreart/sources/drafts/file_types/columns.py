"""Pages in two columns, read one column after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

_GUTTER = 2  # minimum number of spaces between two columns
_MIN_FREE = 0.88  # share of lines that leave the gutter free
_BOTH = 0.5  # share of lines with text on both sides of it
# A page of two columns has 100 to 160 characters per line. Each column of a page is tried as the gutter.
_WIDEST = 400
_NUMBER_BETWEEN = re.compile(r"(?<!\s)\s{2,}+\d?[05]$")
_NUMBER_BEFORE = re.compile(r"^\s*\d?[05](?=\s{2,})")


def in_one_column(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of each page; if most pages have two columns, those of the left column, then of the right one."""
    places = [_gutter(page, both=_BOTH) for page in pages]
    known = sorted(place for place in places if place is not None)
    if 2 * len(known) <= len(pages):
        return [list(page) for page in pages]
    usual = known[len(known) // 2]
    near = range(usual - 3, usual + 4)
    return [
        _split_columns(page, place if place is not None else _gutter(page, both=0.0, among=near))
        for page, place in zip(pages, places, strict=True)
    ]


def _gutter(lines: Sequence[str], *, both: float, among: range | None = None) -> int | None:
    """The column near the middle of a page that nearly all lines leave free, with text on both sides in many."""
    full = [line for line in lines if line.strip()]
    if not full or (among is None and len(full) < 12):
        return None
    width = sorted(len(line) for line in full)[int(0.9 * len(full))]
    if width > _WIDEST:
        return None
    edges = {line: (len(line) - len(line.lstrip()), len(line.rstrip())) for line in full}
    best: tuple[int, int] | None = None
    for place in among or range(int(0.38 * width), int(0.62 * width)):
        free = [line for line in full if not line[place : place + _GUTTER].strip()]
        sides = sum(edges[line][0] < place < edges[line][1] for line in free)
        if len(free) >= _MIN_FREE * len(full) and sides >= both * len(full) and (best is None or sides > best[0]):
            best = (sides, place)
    return best[1] if best else None


def _split_columns(lines: Sequence[str], place: int | None) -> list[str]:
    """Left lines, then right ones; headers and footers in the middle of the page stay first and last."""
    if place is None:
        return list(lines)
    full = [number for number, line in enumerate(lines) if line.strip()]
    left, right = [], []
    head = [number for number in full[:2] if _is_middle(lines[number], place)]
    foot = [number for number in full[-2:] if _is_middle(lines[number], place) and number not in head]
    for number, line in enumerate(lines):
        if number in head or number in foot:
            continue
        free = not line[place : place + _GUTTER].strip()
        left.append(line[:place].rstrip() if free else line)
        right.append(line[place:] if free else "")
    columns = [*_unnumbered(left, _NUMBER_BETWEEN), "", *_unnumbered(right, _NUMBER_BEFORE)]
    return [*(lines[number] for number in head), *columns, "", *(lines[number] for number in foot)]


def _is_middle(line: str, place: int) -> bool:
    """Whether a line has only words near the gutter."""
    words = line.strip()
    start = len(line) - len(line.lstrip())
    return "   " not in words and abs(start + len(words) / 2 - place) < 0.3 * place


def _unnumbered(lines: list[str], number: re.Pattern[str]) -> list[str]:
    """Without the line numbers between the columns; one or two such numbers are text."""
    found = [line for line in lines if number.search(line)]
    return lines if len(found) < 3 else [number.sub("", line) for line in lines]
