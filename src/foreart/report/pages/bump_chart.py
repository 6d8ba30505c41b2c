"""Two lists of ranks side by side, each document a line from its rank in the first to its rank in the second."""

from __future__ import annotations

from collections.abc import Sequence

from foreart.records.difference import Difference, Line
from foreart.report.pages.marked_text import escape
from foreart.report.wording.difference_wording import rank_text, score_text
from foreart.report.wording.phrases import count

MOST = 100  # ranks: more than that nobody follows with the eye; the table below has them all
_WIDTH, _ROW, _TOP = 1000, 26, 46
_LEFT, _RIGHT = 385, 615  # where the ranks of both lists stand
_STUB = 46
_LETTERS = 46  # of id and title beside the chart


def bump_chart(difference: Difference) -> str:
    """An SVG; what it shows is in the table too, so that its label need not say it all."""
    lines = [line for line in difference.lines if _deepest(line) <= MOST]
    if not lines:
        return ""
    rows = max(_deepest(line) for line in lines)
    height = _TOP + _ROW * rows + 6
    label = (
        f"Ranks of {count(len(lines), 'document')} in the first and in the second search: "
        f"{len(difference.of('new'))} new, {len(difference.of('gone'))} gone, {len(difference.of('moved'))} moved."
    )
    # What moves least is drawn first, so that what matters lies on top.
    drawn = sorted(lines, key=lambda line: (line.fate != "stayed", abs(line.rise), line.id))
    return (
        f'<svg class="bump" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">'
        f'<text class="tick" x="{_LEFT}" y="22" text-anchor="end">first search</text>'
        f'<text class="tick" x="{_RIGHT}" y="22">second search</text>{_grid(rows)}'
        f"{''.join(_drawn(line) for line in drawn)}</svg>"
    )


def _deepest(line: Line) -> int:
    return max(place.rank for place in (line.before, line.after) if place)


def _y(rank: int) -> float:
    return _TOP + _ROW * (rank - 0.5)


def _grid(rows: int) -> str:
    return "".join(
        f'<line class="grid" x1="0" y1="{_TOP + _ROW * row}" x2="{_WIDTH}" y2="{_TOP + _ROW * row}"/>'
        for row in range(0, rows + 1, 5)
    )


def way(line: Line) -> str:
    """The class of a line, by which it is coloured."""
    if line.fate == "moved":
        return "up" if line.rise > 0 else "down"
    return line.fate


def _drawn(line: Line) -> str:
    parts: list[str] = []
    if line.before and line.after:
        parts.append(_curve(_y(line.before.rank), _y(line.after.rank)))
    for place, x, side in ((line.before, _LEFT, -1), (line.after, _RIGHT, 1)):
        if place:
            parts += _end(line, _y(place.rank), place.rank, x, side)
    name = escape(f"{line.id}: {rank_text(line)}, score {score_text(line)}")
    return f'<g class="{way(line)}"><title>{name}</title>{"".join(parts)}</g>'


def _curve(start: float, end: float) -> str:
    middle = (_LEFT + _RIGHT) / 2
    return f'<path d="M{_LEFT} {start}C{middle} {start} {middle} {end} {_RIGHT} {end}"/>'


def _end(line: Line, y: float, rank: int, x: int, side: int) -> Sequence[str]:
    """A dot, the rank, id and title outside of it, and for a document of one list a stub inside."""
    anchor = "end" if side < 0 else "start"
    words = (f"{_cut(line)}  ", line.id, f"  {rank}") if side < 0 else (f"{rank}  ", line.id, f"  {_cut(line)}")
    spans = "".join(
        f'<tspan class="{name}">{escape(text)}</tspan>'
        for text, name in zip(words, ("soft", "id", "rank-no") if side < 0 else ("rank-no", "id", "soft"), strict=True)
    )
    parts = [
        f'<circle cx="{x}" cy="{y}" r="4"/>',
        f'<text x="{x + side * 12}" y="{y + 4.5}" text-anchor="{anchor}" xml:space="preserve">{spans}</text>',
    ]
    if line.before is None or line.after is None:
        inner = x - side * _STUB
        other = "start" if side < 0 else "end"
        parts.append(f'<path class="stub" d="M{x} {y}H{inner}"/>')
        parts.append(f'<text class="fate" x="{inner - side * 5}" y="{y + 4}" text-anchor="{other}">{line.fate}</text>')
    return parts


def _cut(line: Line) -> str:
    """As much of the title as fits; capitals are wide, and so is an id, as it is bold."""
    room = _LETTERS - 1.35 * len(line.id)
    for at, char in enumerate(line.title):
        room -= 1.35 if char.isupper() else 1.0
        if room < 0:
            return f"{line.title[:at].rstrip()}…"
    return line.title
