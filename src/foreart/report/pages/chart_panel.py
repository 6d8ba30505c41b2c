"""The quotes of each cell of a claim chart, as parts of a page that open one at a time."""

from __future__ import annotations

from html import escape as escape_verbatim

from foreart.report.pages.marked_text import escape
from foreart.report.wording.chart_wording import percent
from foreart.search.charting import Cell, Chart, Grade, Match, Quote, Reference, Row
from foreart.search.charting.verifying import holdable

GRADE_CLASSES: dict[Grade, str] = {"disclosed": "g4", "mostly": "g3", "partly": "g2", "hardly": "g1", "not found": "g0"}
_ARROWS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
_TOLD = {"left": "reference before", "right": "next reference", "up": "element before", "down": "next element"}


def panels(chart: Chart) -> str:
    """All cells, reference by reference: on the screen each is hidden until it is asked for, on paper all are there."""
    return "\n".join(
        f'<section class="reference"><h2>D{place}: {escape(reference.id)}, {escape(reference.title)}</h2>'
        + "\n".join(_panel(chart, number, place, reference) for number in range(len(chart.rows)))
        + "</section>"
        for place, reference in enumerate(chart.references, start=1)
    )


def _panel(chart: Chart, number: int, place: int, reference: Reference) -> str:
    row, cell = chart.rows[number], chart.cells[number][place - 1]
    empty = "" if cell.quotes else " empty"
    return (
        f'<article class="panel{empty}" id="c-{number}-{place}" tabindex="-1" aria-labelledby="t-{number}-{place}">'
        f"{_bar(chart, number, place)}"
        f'<h3 id="t-{number}-{place}"><b>{escape(row.label)}</b>{escape(row.text)}</h3>'
        f'<p class="by"><span class="id">{escape(reference.id)}</span> {escape(reference.title)}'
        f" <small>published {escape(reference.published or 'unknown')}</small></p>"
        f'<p><span class="grade {GRADE_CLASSES[cell.grade]}">{cell.grade}, {percent(cell.coverage)}</span></p>'
        f"{''.join(_quote(quote, row, reference) for quote in cell.quotes)}{_missing(cell)}</article>"
    )


def _bar(chart: Chart, number: int, place: int) -> str:
    ways = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
    links = []
    for way, (down, right) in ways.items():
        row, column = number + down, place + right
        if 0 <= row < len(chart.rows) and 1 <= column <= len(chart.references):
            told = _TOLD[way]
            links.append(
                f'<a data-go="{way}" href="#c-{row}-{column}" title="{told}" aria-label="{told}">{_ARROWS[way]}</a>'
            )
    keys = "<kbd>←</kbd> <kbd>→</kbd> reference, <kbd>J</kbd> <kbd>K</kbd> element"
    close = '<a data-go="close" href="#chart" title="close" aria-label="close">✕</a>'
    return f'<nav class="bar">{"".join(links)}<span class="where keys">{keys}</span>{close}</nav>'


def _quote(quote: Quote, row: Row, reference: Reference) -> str:
    language = quote.place.language or reference.language
    known = "".join(
        f' data-{name}="{escape_verbatim(holdable(value), quote=True)}"'
        for name, value in (
            ("document", reference.id),
            ("place", quote.place.label),
            ("element", row.label),
            ("fingerprint", reference.fingerprint),
        )
    )
    spoken = f' lang="{escape(language)}"' if language else ""
    adds = f"{percent(quote.coverage)} of the element" + (
        f", adds {percent(quote.adds)}" if quote.adds < quote.coverage else ""
    )
    return (
        f'<figure class="quote"><blockquote dir="auto"{spoken}{known}>{marked(quote)}</blockquote>'
        f"<figcaption><b>{escape(reference.id)}, {escape(quote.place.label)}</b> · {adds}</figcaption></figure>"
    )


def marked(quote: Quote) -> str:
    """The quote, every letter of it, with its matched words marked."""
    pieces: list[str] = []
    end = 0
    for match in quote.matches:
        if match.start < end:  # a word can bridge to several
            continue
        pieces.append(_verbatim(quote.text[end : match.start]))
        pieces.append(f"<mark{_kind(match)}>{_verbatim(quote.text[match.start : match.end])}</mark>")
        end = match.end
    return "".join((*pieces, _verbatim(quote.text[end:])))


def _kind(match: Match) -> str:
    if match.bridge:
        return f' class="bridge" title="near in meaning to {escape(match.word)}"'
    return "" if match.credit == 1 else ' class="alone"'


def _verbatim(text: str) -> str:
    """Escaped and else untouched: what a reader copies is what the corpus has."""
    return escape_verbatim(holdable(text), quote=False)


def _missing(cell: Cell) -> str:
    nowhere = [word for word in cell.missing if word not in cell.elsewhere]
    parts = []
    if not cell.quotes:
        parts.append("Nothing in it comes near to this element.")
    if cell.elsewhere:
        parts.append(f"<b>Elsewhere in the document:</b> {escape(', '.join(cell.elsewhere))}.")
    if nowhere:
        parts.append(f"<b>Nowhere in the document:</b> {escape(', '.join(nowhere))}.")
    return f'<p class="words">{" ".join(parts)}</p>' if parts else ""
