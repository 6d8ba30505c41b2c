"""The report as a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from foreart.paper.exhibits.exhibit import Exhibit, TableExhibit
from foreart.paper.exhibits.finding import VERDICTS, Finding
from foreart.paper.experiments.published_values import CITATION
from foreart.paper.table_view import TableView, table_view
from foreart.report.pages.templating import render, trusted_svg

_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Cited against random", ("T1", "X1", "F2", "F4", "X2")),
    ("Expert labels", ("T2", "T3", "F3", "F9", "T4")),
    ("Measures and weightings", ("T5", "T7")),
    ("The corpus", ("F6", "F7", "T6", "F8")),
)
_KINDS = {"T": "Table", "F": "Figure"}


@dataclass(frozen=True, slots=True)
class ExhibitView:
    """A table or figure on the page; `same_as` is an earlier exhibit with the same remark."""

    exhibit: Exhibit
    heading: str
    same_as: str
    command: str
    table: TableView | None
    picture: Markup | None


def paper_html(
    exhibits: Sequence[Exhibit],
    findings: Sequence[Finding],
    *,
    facts: Sequence[tuple[str, str, str]],
    commands: Mapping[str, str],
    pictures: Mapping[str, str],
    method: Sequence[str],
    unfinished: Sequence[str] = (),
    foot: str = "",
) -> str:
    """The page as HTML. `pictures` are SVG texts, `facts` are name, value and remark of the boxes at the top."""
    shown = {exhibit.id: exhibit for exhibit in exhibits}
    parts = []
    for name, ids in _PARTS:
        first: dict[str, str] = {}  # by remark: each is printed once per part
        views = [_view(shown[each], first, commands, pictures) for each in ids if each in shown]
        parts.append((name, views))
    return render(
        "paper.html",
        parts=parts,
        findings=findings,
        verdicts=VERDICTS,
        facts=facts,
        citation=CITATION,
        method=method,
        unfinished=unfinished,
        foot_text=foot,
    )


def _view(
    exhibit: Exhibit, first: dict[str, str], commands: Mapping[str, str], pictures: Mapping[str, str]
) -> ExhibitView:
    earlier = first.setdefault(exhibit.remark, exhibit.id) if exhibit.remark else exhibit.id
    kind = _KINDS.get(exhibit.id[0])
    picture = pictures.get(exhibit.id)
    return ExhibitView(
        exhibit=exhibit,
        heading=f"{kind} {exhibit.id[1:]}" if kind else "Beyond the paper",
        same_as=earlier if earlier != exhibit.id else "",
        command=commands.get(exhibit.id, ""),
        table=table_view(exhibit) if isinstance(exhibit, TableExhibit) else None,
        picture=trusted_svg(embeddable(picture, exhibit.id, exhibit.title)) if picture else None,
    )


def embeddable(picture: str, name: str, title: str) -> str:
    """An SVG that can share a page with others: unique ids, no external addresses."""
    body = re.sub(r"<metadata>.*?</metadata>", "", picture[picture.index("<svg") :], flags=re.DOTALL)
    body = re.sub(r' xmlns(:\w+)?="[^"]*"', "", body)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'href="#', f'href="#{name}-', body)
    body = re.sub(r"url\(#", f"url(#{name}-", body)
    return body.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1).strip()
