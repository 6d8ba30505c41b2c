"""Draws docs/images/rooms.svg, the import graph of the packages: `python scripts/draw_rooms.py`.

A room is a package or module directly in foreart. It stands above every room that it imports. Transitive edges (a
imports b and c, b imports c) are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "images" / "rooms.svg"
_LETTER, _SMALL = 8.4, 5.9  # widths of a letter
_BOX, _ROW, _GAP, _LANE, _MARGIN = 44, 92, 26, 14, 20
_LINE = 34  # letters of a line of sub-packages
_SWEEPS = 24
_STYLE = (
    "text{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1b2a3a}.room{font-size:14px;font-weight:600}"
    ".inside{font-size:10px;fill:#51606f}rect.box{fill:#eef4fa;stroke:#5b7fa3}"
    "path{fill:none;stroke:#8fa3b8;stroke-width:1.2}marker path{fill:#8fa3b8;stroke:none}"
)
Graph = dict[str, set[str]]
Rows = list[list[str]]
Lanes = list[list[str]]


def rooms(source: Path) -> dict[str, list[str]]:
    """Each room with the packages inside it."""
    found: dict[str, list[str]] = {}
    for path in sorted(source.iterdir()):
        if (path / "__init__.py").is_file():
            found[path.name] = sorted(each.parent.name for each in path.glob("*/__init__.py"))
        elif path.suffix == ".py" and not path.name.startswith("__"):
            found[path.stem] = []
    return found


def imports(source: Path, names: Iterable[str]) -> Graph:
    """Which rooms each room imports, wherever the statement stands."""
    graph: Graph = {name: set() for name in names}
    for path in sorted(source.rglob("*.py")):
        room = path.relative_to(source).parts[0].removesuffix(".py")
        if room in graph:
            found = _imported(ast.parse(path.read_text(encoding="utf-8")), source.name)
            graph[room] |= (found & graph.keys()) - {room}
    return graph


def _imported(tree: ast.AST, package: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith(f"{package}.")}
    return found


def reduced(graph: Graph) -> Graph:
    """Without the edges that follow from others; a cycle is an error."""
    below: Graph = {}

    def reach(name: str, path: tuple[str, ...]) -> set[str]:
        if name in path:
            raise SystemExit(f"rooms import each other: {' → '.join((*path, name))}")
        if name not in below:
            below[name] = set().union(*({other} | reach(other, (*path, name)) for other in sorted(graph[name])))
        return below[name]

    for name in graph:
        reach(name, ())
    return {
        name: {other for other in others if not any(other in below[between] for between in others)}
        for name, others in graph.items()
    }


def levels(graph: Graph) -> dict[str, int]:
    """The row of each room, 0 at the bottom: one above the highest room that it imports."""
    found: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in found:
            found[name] = 1 + max((level(other) for other in graph[name]), default=-1)
        return found[name]

    for name in graph:
        level(name)
    return found


def lanes(graph: Graph, level: Mapping[str, int]) -> Lanes:
    """Each edge as the places it passes, from top to bottom: in rows between its ends a lane of its own."""
    return [
        [name, *(f"{name}>{other}@{row}" for row in range(level[name] - 1, level[other], -1)), other]
        for name in sorted(graph)
        for other in sorted(graph[name])
    ]


def ordered(level: Mapping[str, int], edges: Lanes) -> Rows:
    """Rooms and lanes row by row, swept up and down so that each is near the middle of its neighbours."""
    rows: Rows = [[] for _ in range(max(level.values()) + 1)]
    for name in sorted(level):
        rows[level[name]].append(name)
    for edge in edges:
        for place in edge[1:-1]:
            rows[int(place.split("@")[1])].append(place)
    near = _neighbours(edges)
    for sweep in range(_SWEEPS):
        at = {place: index / max(1, len(row) - 1) for row in rows for index, place in enumerate(row)}
        for row in rows if sweep % 2 else reversed(rows):
            row.sort(key=lambda place: (_mean([at[other] for other in near.get(place, ())], at[place]), place))
            at |= {place: index / max(1, len(row) - 1) for index, place in enumerate(row)}
    return rows


def _neighbours(edges: Lanes) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {}
    for edge in edges:
        for upper, lower in pairwise(edge):
            near.setdefault(upper, []).append(lower)
            near.setdefault(lower, []).append(upper)
    return near


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def placed(rows: Rows, edges: Lanes, width: Mapping[str, float]) -> dict[str, float]:
    """The middle of each place: pulled towards its neighbours, never over the next one of its row."""
    near = _neighbours(edges)
    x: dict[str, float] = {}
    for row in rows:
        left = 0.0
        for place in row:
            x[place] = left + width[place] / 2
            left += width[place] + _GAP
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = [_mean([x[other] for other in near.get(place, ())], x[place]) for place in row]
            x |= dict(zip(row, _apart(wanted, [width[place] for place in row]), strict=True))
    leftmost = min(x[place] - width[place] / 2 for place in x)
    return {place: value - leftmost + _MARGIN for place, value in x.items()}


def _apart(wanted: list[float], widths: list[float]) -> list[float]:
    """Positions near the wanted ones without overlap: the mean of packing from the left and from the right."""

    def packed(values: list[float], sizes: list[float]) -> list[float]:
        found: list[float] = []
        for place, (value, size) in enumerate(zip(values, sizes, strict=True)):
            least = found[-1] + (sizes[place - 1] + size) / 2 + _GAP if found else value
            found.append(max(value, least))
        return found

    right = packed(wanted, widths)
    left = [-value for value in packed([-value for value in wanted[::-1]], widths[::-1])][::-1]
    return [(one + two) / 2 for one, two in zip(left, right, strict=True)]


def _lines(inside: Iterable[str]) -> list[str]:
    """The names of sub-packages in lines of some length."""
    lines = [""]
    for name in inside:
        if lines[-1] and len(lines[-1]) + len(name) > _LINE:
            lines.append("")
        lines[-1] += f"{' · ' if lines[-1] else ''}{name}"
    return [line for line in lines if line]


def _box(name: str, inside: list[str], x: float, y: float, width: float) -> str:
    height = _BOX + 13 * max(0, len(inside) - 1)
    texts = [f'<text class="room" x="{x:.0f}" y="{y + (18 if inside else 27):.0f}">{escape(name)}</text>']
    texts += [
        f'<text class="inside" x="{x:.0f}" y="{y + 34 + 13 * place:.0f}">{escape(line)}</text>'
        for place, line in enumerate(inside)
    ]
    box = f'<rect class="box" x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height}" rx="6"/>'
    return "\n".join([box, *texts])


def drawing(source: Path) -> str:
    """The picture as SVG."""
    names = {name: _lines(inside) for name, inside in rooms(source).items()}
    graph = reduced(imports(source, names))
    level = levels(graph)
    edges = lanes(graph, level)
    rows = ordered(level, edges)
    width = {place: float(_LANE) for row in rows for place in row}
    width |= {
        name: max(len(name) * _LETTER, *(len(line) * _SMALL for line in ["", *inside])) + 20
        for name, inside in names.items()
    }
    x = placed(rows, edges, width)
    y = {place: _MARGIN + (len(rows) - 1 - row) * _ROW for row, places in enumerate(rows) for place in places}
    size = (max(x[place] + width[place] / 2 for place in x) + _MARGIN, max(y.values()) + _BOX + _MARGIN)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" width="{size[0]:.0f}">',
        "<title>The rooms of foreart: arrows point to what is imported</title>",
        f"<style>{_STYLE}</style>",
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#fff"/>',
        *(_arrow(edge, x, y, names) for edge in edges),
        *(_box(name, names[name], x[name], y[name], width[name]) for name in sorted(names)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _arrow(edge: list[str], x: Mapping[str, float], y: Mapping[str, float], names: Mapping[str, list[str]]) -> str:
    """A line from the foot of the first box to the head of the last, upright where it passes a row."""
    start = y[edge[0]] + _BOX + 13 * max(0, len(names[edge[0]]) - 1)
    path, at, down = f"M{x[edge[0]]:.0f} {start:.0f}", x[edge[0]], start
    for place in edge[1:]:
        head = float(y[place])
        half = (down + head) / 2
        path += f"C{at:.0f} {half:.0f} {x[place]:.0f} {half:.0f} {x[place]:.0f} {head:.0f}"
        at, down = x[place], head
        if place is not edge[-1]:
            down = head + _BOX
            path += f"V{down:.0f}"
    return f'<path d="{path}" marker-end="url(#end)"/>'


if __name__ == "__main__":
    TARGET.write_text(drawing(ROOT / "src" / "foreart"), encoding="utf-8")
