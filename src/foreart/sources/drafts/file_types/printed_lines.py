"""Printed lines without running headers and footers, page numbers and line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

# The gap above the first line of a page is unknown.
TURN = -1
_PAGE_NUMBER = re.compile(
    r"(?:.{0,12}\b(?:page|seite|sheet|blatt)\b|[-–—\s(]*+(?:p\.)?)\s*+\d{1,4}\s*+(?:(?:of|von|/)\s*+\d{1,4})?[-–—\s)]*+$",
    re.IGNORECASE,
)
_CLAIM = re.compile(r"(?:\d{1,3}\s+)?\d{1,3}\s?[.)]\s+[A-Z]")
_LEFT = re.compile(r"(\d{1,3})(?:\s+(?=\S)|$)")
_RIGHT = re.compile(r"(?:^|(?<=\S)\s{2,})(\d{1,3})$")
_MARGIN = 4  # lines at the top and bottom of a page that may be repeated on every page
_UNENDED = re.compile(r"[\w,-]$")


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One printed line: text, indentation, and empty lines above it (TURN: a new page)."""

    text: str
    indent: int = 0
    gap: int = 0


def rows_of(lines: Iterable[str], *, turned: bool = False) -> list[PrintedLine]:
    """The rows of a page; empty lines become gaps."""
    rows: list[PrintedLine] = []
    gap = TURN if turned else 0
    for line in lines:
        text = line.strip()
        if text:
            rows.append(PrintedLine(text, len(line.expandtabs()) - len(line.expandtabs().lstrip()), gap))
            gap = 0
        elif gap != TURN:
            gap += 1
    return rows


def width_of(rows: Sequence[PrintedLine]) -> int:
    """The columns of a full line; a few rows, such as sequences without spaces, may be longer."""
    lengths = sorted(row.indent + len(row.text) for row in rows)
    return lengths[int(len(lengths) * 0.95)] if lengths else 0


def text_of_pages(pages: Sequence[Sequence[PrintedLine]]) -> list[PrintedLine]:
    """All rows of the text itself, in one sequence."""
    kept = [without_page_lines(pages[0])] if len(pages) == 1 else without_running(pages)
    return without_wide_spacing(without_line_numbers([row for page in kept for row in page]))


def without_running(pages: Sequence[Sequence[PrintedLine]]) -> list[list[PrintedLine]]:
    """The pages without running headers, footers and page numbers.

    A line is removed if many pages have it at the top or bottom, numbers aside; a claim is never removed.
    """
    counts = Counter(key for page in pages for key in {_key(page[place].text) for place in _margins(page)})
    needed = max(2, len(pages) // 2 + 1) if len(pages) < 6 else max(3, round(0.3 * len(pages)))

    def runs(row: PrintedLine) -> bool:
        if _CLAIM.match(row.text):
            return False
        return counts[_key(row.text)] >= needed or _PAGE_NUMBER.fullmatch(row.text) is not None

    return [_trimmed(page, runs) for page in pages]


def without_page_lines(rows: Sequence[PrintedLine]) -> list[PrintedLine]:
    """For texts without form feeds: removes consecutive page numbers on their own lines, and repeated lines nearby."""
    kept = list(rows)
    numbers = [(place, row) for place, row in enumerate(rows) if _PAGE_NUMBER.fullmatch(row.text)]
    by_key: dict[str, list[tuple[int, int]]] = {}
    for place, row in numbers:
        by_key.setdefault(_key(row.text), []).append((place, int(re.findall(r"\d+", row.text)[0])))
    removed: set[int] = set()
    for found in by_key.values():
        counting = [place for number, (place, value) in enumerate(found) if _counts_on(found, number, value)]
        if len(counting) >= 2 and (not rows[counting[0]].text.isdigit() or _far_apart(counting)):
            removed.update(counting)
    near = {place for number in removed for place in range(max(0, number - 2), min(len(rows), number + 3))}
    near |= set(range(min(3, len(rows)))) if removed else set()
    keys = Counter(_key(rows[place].text) for place in near)
    removed |= {
        place
        for place in near
        if keys[_key(rows[place].text)] >= max(2, len(removed) - 1) and not _CLAIM.match(rows[place].text)
    }
    for place in removed:
        if place + 1 < len(kept):
            kept[place + 1] = replace(kept[place + 1], gap=TURN)
    return [row for place, row in enumerate(kept) if place not in removed]


def without_line_numbers(rows: Sequence[PrintedLine]) -> list[PrintedLine]:
    """The rows without line numbers in a margin, at every line or every second, fifth or tenth one."""
    for pattern in (_LEFT, _RIGHT):
        for step in (1, 5, 2, 10):
            counted = _line_numbers(rows, pattern, step)
            if len(counted) >= 3 and len(counted) * step >= 0.5 * len(rows):
                return [row for place, row in enumerate(_without(rows, counted)) if row.text or place not in counted]
    return list(rows)


def without_wide_spacing(rows: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Double-spaced lines are joined into paragraphs again if sentences continue across the empty lines."""
    gaps = Counter(row.gap for row in rows if row.gap != TURN)
    usual = gaps.most_common(1)[0][0] if gaps else 0
    if usual < 1:
        return list(rows)
    full = 0.7 * width_of(rows)
    apart = [before for before, row in pairwise(rows) if row.gap == usual and before.indent + len(before.text) >= full]
    running = sum(_UNENDED.search(row.text) is not None for row in apart)
    if len(apart) < 4 or running < 0.4 * len(apart):
        return list(rows)
    return [row if row.gap == TURN else replace(row, gap=max(0, row.gap - usual)) for row in rows]


def _trimmed(page: Sequence[PrintedLine], runs: Callable[[PrintedLine], bool]) -> list[PrintedLine]:
    start, end = 0, len(page)
    tops = [place for place in range(min(_MARGIN, len(page))) if runs(page[place])]
    feet = [place for place in range(max(0, len(page) - _MARGIN), len(page)) if runs(page[place])]
    removed = {*tops, *feet}
    kept = [page[place] for place in range(start, end) if place not in removed]
    return [replace(kept[0], gap=TURN), *kept[1:]] if kept else []


def _margins(page: Sequence[PrintedLine]) -> list[int]:
    places = range(len(page))
    return [place for place in places if place < _MARGIN or place >= len(page) - _MARGIN]


def _key(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()).lower())


def _counts_on(found: Sequence[tuple[int, int]], number: int, value: int) -> bool:
    before = number > 0 and found[number - 1][1] == value - 1
    after = number + 1 < len(found) and found[number + 1][1] == value + 1
    return before or after


def _far_apart(places: Sequence[int]) -> bool:
    """Whether there is usually a page between them: the last one may be short."""
    gaps = sorted(later - earlier for earlier, later in pairwise(places))
    return gaps[len(gaps) // 2] >= 10


def _line_numbers(rows: Sequence[PrintedLine], pattern: re.Pattern[str], step: int) -> set[int]:
    """The rows with the next number of a count by `step`, which may start again (on a new page)."""
    counted: set[int] = set()
    last = 0
    since = 0
    values = {place: int(match[1]) for place, row in enumerate(rows) if (match := _number(row, pattern))}
    for place, row in enumerate(rows):
        found = _number(row, pattern)
        alone = found is not None and found[0].strip() == row.text
        since += not alone
        if found is None:
            continue
        number = int(found[1])
        steps = (number - last) // step
        # A number may have been removed with a running line; the number of lines since then still fits the count.
        near = steps in (1, 2, 3) and (steps - 0.5) * step <= since + alone <= (steps + 0.6) * step + 1
        # A number that begins a line of text is no new start if the count continues below.
        room = int(1.6 * step + 1) - since
        goes_on = last > 0 and any(values.get(place + more) == last + step for more in range(1, room + 1))
        if ((number - last) % step == 0 and near) or (number == step and not goes_on):
            counted.add(place)
            last, since = number, 0
    return counted


def _number(row: PrintedLine, pattern: re.Pattern[str]) -> re.Match[str] | None:
    return pattern.search(row.text) if pattern is _RIGHT else pattern.match(row.text)


def _without(rows: Sequence[PrintedLine], counted: set[int]) -> list[PrintedLine]:
    """The same rows without their numbers; a row of only a number becomes empty, and the next row gets its gap."""
    done: list[PrintedLine] = []
    left = 0
    for place, row in enumerate(rows):
        gap = row.gap if row.gap == TURN or not left else left + row.gap
        left = 0
        if place not in counted:
            done.append(replace(row, gap=gap))
            continue
        number = _LEFT.match(row.text)
        if number:
            done.append(PrintedLine(row.text[number.end() :], row.indent + number.end(), gap))
        else:
            done.append(PrintedLine(_RIGHT.sub("", row.text), row.indent, gap))
        left = gap if not done[-1].text else 0
    return done
