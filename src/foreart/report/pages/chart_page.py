"""A claim chart as one page: a heat table one sees at a glance, and behind each cell its quotes.

It needs nothing but a browser. Cells are links and open without any script; the one script, which the page names by its
hash, adds the arrow keys.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib import resources

from foreart.report.pages.chart_panel import GRADE_CLASSES, panels
from foreart.report.pages.marked_text import escape
from foreart.report.wording.chart_wording import (
    METHOD,
    added_text,
    closest_text,
    combination_text,
    gist,
    grades_text,
    percent,
    scope,
    size,
)
from foreart.search.charting import GRADES, Cell, Chart, Finding, Reference

_KINDS = ("css", "js")
_NOTHING_ELSE = "base-uri 'none'; form-action 'none'"


def chart_html(chart: Chart, *, made: str = "") -> str:
    """The whole page. `made` is the time to print on it; without one, the same chart gives the same bytes."""
    title = chart.draft_title or chart.draft_source or "draft"
    style, script = (
        resources.files("foreart.report").joinpath("templates", f"chart.{kind}").read_text("utf-8") for kind in _KINDS
    )
    mark = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Nothing may be loaded from anywhere, and no other script run, whatever a text in the corpus says.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{mark}'; {_NOTHING_ELSE}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Claim chart: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#chart">To the chart</a>\n{_head(chart, title)}\n<main>\n{_heat(chart)}\n'
        f"{_findings(chart)}\n{_references(chart)}\n{panels(chart)}\n{_method(chart)}\n</main>\n"
        f"<footer><p>{escape(_foot(chart, made))}</p></footer>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _head(chart: Chart, title: str) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in chart.notes)
    return (
        f'<header class="top"><p class="kind">Claim chart</p><h1>{escape(title)}</h1>'
        f'<p class="facts">{escape(size(chart))} · cut-off {escape(f"{chart.cutoff.date} ({chart.cutoff.source})")} · '
        f'{chart.documents:,} documents in the corpus</p><p class="gist">{escape(gist(chart))}</p>{notes}</header>'
    )


def _heat(chart: Chart) -> str:
    heads = "".join(
        f'<th scope="col"><a href="#d-{place}" title="{escape(reference.title)}">{escape(reference.id)}</a>'
        f"<b>D{place}</b></th>"
        for place, reference in enumerate(chart.references, start=1)
    )
    totals = "".join(f"<td>{_total(reference)}</td>" for reference in chart.references)
    claims = list(dict.fromkeys(row.claim for row in chart.rows))
    bodies = "".join(_body(chart, claim, headed=len(claims) > 1) for claim in claims)
    return (
        '<section aria-labelledby="chart"><h2 id="chart">What each reference has of each element</h2>'
        '<div class="scroll"><table class="heat"><thead><tr><th scope="col">Element</th>'
        f'{heads}</tr></thead><tbody><tr class="all"><th scope="row">All elements, by the rarity of their words</th>'
        f"{totals}</tr></tbody>{bodies}</table></div>{_key()}</section>"
    )


def _total(reference: Reference) -> str:
    return f"<span>{reference.coverage * 100:.0f}</span>"


def _body(chart: Chart, claim: int, *, headed: bool) -> str:
    empty = f'<td colspan="{len(chart.references)}"></td>'
    head = f'<tr class="claim"><th scope="rowgroup">Claim {claim}</th>{empty}</tr>' if headed else ""
    missing = set(chart.findings[0].undisclosed)
    rows = "".join(
        f'<tr><th scope="row"{_gap(row.label in missing)}><p title="{escape(row.text)}"><b>{escape(row.label)}</b>'
        f"{escape(row.text)}</p>{'<i>found in none</i>' if row.label in missing else ''}</th>"
        + "".join(
            f"<td>{_cell(cell, f'c-{number}-{place}', best=chart.best[number] == cell.reference)}</td>"
            for place, cell in enumerate(chart.cells[number], start=1)
        )
        + "</tr>"
        for number, row in enumerate(chart.rows)
        if row.claim == claim
    )
    return f"<tbody>{head}{rows}</tbody>"


def _gap(missing: bool) -> str:
    return ' class="gap"' if missing else ""


def _cell(cell: Cell, name: str, *, best: bool) -> str:
    told = f"{cell.row}, {cell.reference}: {cell.grade}, {percent(cell.coverage)}{', best of its row' if best else ''}"
    shown = "·" if cell.grade == "not found" else f"{cell.coverage * 100:.0f}"
    classes = f"{GRADE_CLASSES[cell.grade]}{' best' if best else ''}"
    return f'<a class="{classes}" href="#{name}" title="{escape(told)}" aria-label="{escape(told)}">{shown}</a>'


def _key() -> str:
    grades = "".join(
        f'<span><i class="{GRADE_CLASSES[name]}"></i>{name}{f", from {percent(least)}" if least else ""}</span>'
        for name, least in GRADES.items()
    )
    return (
        f'<p class="key">{grades}<span><i class="dot"></i>best of its row</span>'
        '<span class="keys">A cell opens its quotes; <kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> move, '
        "<kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes</span></p>"
    )


def _findings(chart: Chart) -> str:
    cards = "".join(_finding(finding, len(chart.references)) for finding in chart.findings)
    return (
        '<section aria-labelledby="findings"><h2 id="findings">What follows from it</h2>'
        f'<div class="findings">{cards}</div></section>'
    )


def _finding(finding: Finding, references: int) -> str:
    about = scope(finding)
    together = combination_text(finding)
    added = "".join(f"<li>{escape(added_text(step))}</li>" for step in finding.combination[1:])
    combination = f"{escape(together)}<ul>{added}</ul>" if together else '<span class="none">none covers more</span>'
    undisclosed = (
        escape(", ".join(finding.undisclosed)) or '<span class="none">every element is found, at least partly</span>'
    )
    rows = [("Closest single reference", escape(closest_text(finding)))]
    if references > 1:
        rows.append(("Best combination", combination))
    rows.append(("Found in none, not even partly", undisclosed))
    listed = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows)
    return f'<div class="finding"><h3>{escape(about[0].upper() + about[1:])}</h3><dl>{listed}</dl></div>'


def _references(chart: Chart) -> str:
    rows = "".join(_reference_row(place, reference) for place, reference in enumerate(chart.references, start=1))
    names = ("", "Document", "Published", "All elements", "Title", "Fingerprint of its text")
    columns = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        '<section aria-labelledby="references"><h2 id="references">References</h2>'
        f'<table class="list"><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table></section>'
    )


def _reference_row(place: int, reference: Reference) -> str:
    remarks = "".join(f'<span class="remark">{escape(note)}</span>' for note in reference.notes)
    cells: Iterable[str] = (
        f"D{place}",
        f'<span class="id">{escape(reference.id)}</span>',
        f'<span class="figure">{escape(reference.published or "unknown")}</span>',
        f'<span class="figure">{percent(reference.coverage)}</span>',
        f"{escape(reference.title or '(no title)')}{remarks}",
        f"<small>{escape(reference.fingerprint)}</small>",
    )
    known = f'data-document="{escape(reference.id)}" data-fingerprint="{escape(reference.fingerprint)}"'
    return f'<tr id="d-{place}" {known}>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _method(chart: Chart) -> str:
    bridges = '<p>Words <mark class="bridge">so marked</mark> are others, near in meaning.</p>' if chart.bridged else ""
    return (
        '<section class="method" aria-labelledby="method"><h2 id="method">How to read it</h2>'
        f"<p>{escape(METHOD)}</p><p>Grades: {escape(grades_text())}.</p>{bridges}"
        '<p>In quotes, <mark>words so marked</mark> count in full, <mark class="alone">words so underlined</mark> for '
        "half. `foreart verify` with this file looks up every quote in the corpus again.</p></section>"
    )


def _foot(chart: Chart, made: str) -> str:
    facts = (
        f"foreart {chart.foreart}",
        f"draft {chart.draft_source or 'unnamed'}, fingerprint {chart.draft_fingerprint}",
        f"corpus {chart.corpus_fingerprint}",
        f"made {made}" if made else "",
    )
    return " · ".join(fact for fact in facts if fact)
