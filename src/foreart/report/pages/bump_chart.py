"""View model of a bump chart: the ranks of two lists, each document a line from one list to the other."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.records import Difference, DocumentChange
from foreart.report.wording.difference_wording import rank_text, score_text
from foreart.report.wording.phrases import count

LIMIT = 100  # ranks; more are not readable, and the table below the chart has them all
_WIDTH, _ROW, _TOP = 1000, 26, 46
_LEFT, _RIGHT = 385, 615  # x coordinates of both lists
_LETTERS = 46  # width in letters of id and title next to the chart


@dataclass(frozen=True, slots=True)
class RankEnd:
    """A document in one list: its dot, and rank, id and title next to it on the `side` -1 (left) or 1 (right)."""

    x: int
    y: float
    side: int
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RankCurve:
    """A document; `path` joins its ranks and is empty if one list does not have it. `way` is its CSS class."""

    way: str
    tooltip: str
    path: str
    ends: tuple[RankEnd, ...]


@dataclass(frozen=True, slots=True)
class BumpChart:
    """All documents with ranks up to `limit`; `cut` is whether there are others."""

    label: str
    curves: tuple[RankCurve, ...]
    grid: tuple[int, ...]
    height: int
    cut: bool
    width: int = _WIDTH
    left: int = _LEFT
    right: int = _RIGHT
    limit: int = LIMIT


def bump_chart(difference: Difference) -> BumpChart | None:
    """The chart, or None without documents; its label is a summary, because the table has the details."""
    lines = [line for line in difference.lines if _deepest(line) <= LIMIT]
    if not lines:
        return None
    rows = max(map(_deepest, lines))
    label = (
        f"Ranks of {count(len(lines), 'document')} in the first and in the second search: "
        f"{len(difference.of('new'))} new, {len(difference.of('gone'))} gone, {len(difference.of('moved'))} moved."
    )
    # The largest moves are drawn last, on top of the others.
    drawn = sorted(lines, key=lambda line: (line.fate != "stayed", abs(line.rise), line.id))
    return BumpChart(
        label=label,
        curves=tuple(map(_curve, drawn)),
        grid=tuple(range(_TOP, _TOP + _ROW * rows + 1, 5 * _ROW)),
        height=_TOP + _ROW * rows + 6,
        cut=len(lines) < len(difference.lines),
    )


def way(line: DocumentChange) -> str:
    """The CSS class of a line."""
    if line.fate == "moved":
        return "up" if line.rise > 0 else "down"
    return line.fate


def _deepest(line: DocumentChange) -> int:
    return max(place.rank for place in (line.before, line.after) if place)


def _curve(line: DocumentChange) -> RankCurve:
    ends = tuple(
        _end(line, place.rank, side) for place, side in ((line.before, -1), (line.after, 1)) if place is not None
    )
    path = ""
    if len(ends) == 2:
        middle = (_LEFT + _RIGHT) / 2
        path = f"M{_LEFT} {ends[0].y}C{middle} {ends[0].y} {middle} {ends[1].y} {_RIGHT} {ends[1].y}"
    return RankCurve(way(line), f"{line.id}: {rank_text(line)}, score {score_text(line)}", path, ends)


def _end(line: DocumentChange, rank: int, side: int) -> RankEnd:
    words = ((f"{rank}", "soft"), ("  ", ""), (line.id, "id"), ("  ", ""), (_shortened(line), "soft"))
    x = _LEFT if side < 0 else _RIGHT
    return RankEnd(x, _TOP + _ROW * (rank - 0.5), side, words[::side])


def _shortened(line: DocumentChange) -> str:
    """The title, shortened to fit; capitals and bold ids are wider."""
    room = _LETTERS - 1.35 * len(line.id)
    for position, char in enumerate(line.title):
        room -= 1.35 if char.isupper() else 1.0
        if room < 0:
            return f"{line.title[:position].rstrip()}…"
    return line.title
