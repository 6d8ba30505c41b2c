"""The difference of two searches as one page that needs nothing but a browser."""

from __future__ import annotations

from importlib import resources

from foreart.records.change_causes import CAUSES
from foreart.records.difference import FATES, Difference, Line
from foreart.records.record_data import SearchRecord
from foreart.report.pages.bump_chart import MOST, bump_chart, way
from foreart.report.pages.marked_text import escape
from foreart.report.wording.difference_wording import (
    cause_value,
    draft_name,
    rank_text,
    remarks,
    score_text,
    status_text,
    summary,
    verdict,
    when,
)
from foreart.report.wording.phrases import count

# Nothing may be loaded from anywhere, whatever a title in the corpus says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def difference_html(one: SearchRecord, two: SearchRecord, difference: Difference) -> str:
    """The whole page: verdict, causes, a chart of ranks, and every document; the same records give the same bytes."""
    style = "".join(_sheet(name) for name in ("report.css", "difference.css"))
    title = draft_name(two)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>What changed: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{_head(one, two, difference, title)}\n<main>\n{_causes(difference)}\n{_chart(difference)}\n"
        f"{_documents(difference)}\n</main>\n"
        "<footer><p>Made of two search records by foreart · This page names an unpublished draft: keep it confidential."
        "</p></footer>\n</body>\n</html>\n"
    )


def _sheet(name: str) -> str:
    return resources.files("foreart.report").joinpath("templates", name).read_text("utf-8")


def _head(one: SearchRecord, two: SearchRecord, difference: Difference, title: str) -> str:
    boxes = "".join(
        f"<div><dt>{name}</dt><dd>{escape(when(record))}<small>{escape(_about(record))}</small></dd></div>"
        for name, record in (("First search", one), ("Second search", two))
    )
    said = escape(verdict(difference)[:1].upper() + verdict(difference)[1:])
    kind = "same" if difference.same_list else "other"
    return (
        f'<header class="top"><p class="kind">Two searches compared</p><h1>{escape(title)}</h1><dl>{boxes}</dl>'
        f'<p class="verdict {kind}"><strong>{said}.</strong> {escape(summary(difference))}.</p></header>'
    )


def _about(record: SearchRecord) -> str:
    return (
        f"{draft_name(record)} · {count(len(record.hits), 'hit')} of {count(record.corpus.documents, 'document')} "
        f"· cut-off {record.cutoff.date}"
    )


def _causes(difference: Difference) -> str:
    rows = "".join(
        f'<tr><th scope="row" title="{escape(CAUSES[cause.kind])}">{cause.kind}</th><td>{escape(cause.what)}</td>'
        f"<td>{escape(cause_value(cause.before))}</td><td>{escape(cause_value(cause.after))}</td>"
        f"<td>{escape(cause.effect)}</td></tr>"
        for cause in difference.causes
    ) + "".join(
        f'<tr><th scope="row">counts</th><td>{escape(item.what)}</td>'
        f"<td>{_number(item.before)}</td><td>{_number(item.after)}</td><td></td></tr>"
        for item in difference.counts
    )
    if not rows:
        return "<section><h2>What is not the same</h2><p>Nothing that is recorded, but the time.</p></section>"
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("", "What", "First", "Second", ""))
    return (
        '<section><h2>What is not the same</h2><div class="scroll wide"><table class="causes">'
        f"<thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _number(value: int | None) -> str:
    return "not counted" if value is None else f"{value:,}"


def _chart(difference: Difference) -> str:
    chart = bump_chart(difference)
    if not chart:
        return ""
    deeper = any(place.rank > MOST for line in difference.lines for place in (line.before, line.after) if place)
    limit = f" Ranks below {MOST} are in the table only." if deeper else ""
    keys = "".join(
        f'<span class="key {name}">{text}</span>'
        for name, text in (
            ("up", "▲ up"),
            ("down", "▼ down"),
            ("new", "new"),
            ("gone", "gone"),
            ("stayed", "same rank"),
        )
    )
    return (
        f'<section><h2>Ranks</h2><p class="keys">{keys}</p><div class="scroll wide">{chart}</div>'
        f'<p class="caption">Each line is a document, from its rank in the first search to that in the second.{limit}'
        "</p></section>"
    )


def _documents(difference: Difference) -> str:
    if not difference.lines:
        return "<section><h2>Documents</h2><p>Both lists are empty.</p></section>"
    order = list(FATES)
    lines = sorted(difference.lines, key=lambda line: order.index(line.fate))  # stable: by rank within each
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("Rank", "Document", "Score", "Status", "Why"))
    rows = "".join(_row(line) for line in lines)
    return (
        '<section><h2>Documents</h2><div class="scroll wide"><table class="lines">'
        f"<thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _row(line: Line) -> str:
    score, status, why = (escape(text) for text in (score_text(line), status_text(line), "; ".join(remarks(line))))
    return (
        f'<tr class="{way(line)}"><td class="number">{escape(rank_text(line))}</td>'
        f'<td>{escape(line.title or "(no title)")}<span class="id">{escape(line.id)}</span></td>'
        f'<td class="date">{score}</td><td>{status}</td><td>{why}</td></tr>'
    )
