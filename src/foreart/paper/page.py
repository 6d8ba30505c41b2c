"""The report as one page that needs nothing but a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import resources

from foreart.paper.exhibits.exhibit import Exhibit, Figure, Table
from foreart.paper.exhibits.finding import VERDICTS, Finding
from foreart.paper.experiments.published_values import CITATION
from foreart.paper.page_tables import table_html
from foreart.report.pages.marked_text import escape

# Nothing may be loaded from anywhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_CLASSES = {"yes": "prior", "partly": "novelty", "no": "unknown", "open": "after"}
_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Cited against random", ("T1", "X1", "F2", "F4", "X2")),
    ("The expert's labels", ("T2", "T3", "F3", "F9", "T4")),
    ("Measures and weightings", ("T5", "T7")),
    ("The corpus", ("F6", "F7", "T6", "F8")),
)
_READ = (
    "In tables the large figure is of this corpus; below it, small, stands the paper's and, in italics, how much ours "
    "is above (+) or below (−) it. The best of a column is bold."
)


def page(
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
    """The whole page. `pictures` are SVG texts, `facts` are name, value and remark of the boxes on top."""
    style = "".join(
        resources.files(room).joinpath(file).read_text("utf-8")
        for room, file in (("foreart.report.templates", "report.css"), ("foreart.paper", "paper.css"))
    )
    shown = {exhibit.id: exhibit for exhibit in exhibits}
    parts = "\n".join(_part(name, [shown[each] for each in ids if each in shown], commands, pictures)
                      for name, ids in _PARTS)  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f'<title>The paper, for this corpus</title>\n<style>\n{style}</style>\n</head>\n<body class="paper">\n'
        f"{_head(facts, unfinished)}\n<main>\n{_contents(shown)}\n{_findings(findings)}\n{parts}\n{_method(method)}\n"
        f"</main>\n<footer><p>{escape(foot)}</p></footer>\n</body>\n</html>\n"
    )


def _head(facts: Sequence[tuple[str, str, str]], unfinished: Sequence[str]) -> str:
    boxes = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(text)}<small>{escape(more)}</small></dd></div>"
        for name, text, more in facts
    )
    note = ""
    if unfinished:
        note = (
            f'<p class="note">Not finished: {escape(" · ".join(unfinished))}. The same command goes on from here; '
            "what is missing is marked below.</p>"
        )
    return (
        '<header class="top"><p class="kind">Helmers et al. 2019, computed anew</p>'
        f"<h1>Full text similarity search for prior art: every table and figure, for this corpus</h1>"
        f'<dl>{boxes}</dl><p class="caption">{escape(CITATION)}. {escape(_READ)}</p>{note}</header>'
    )


def _contents(shown: Mapping[str, Exhibit]) -> str:
    links = [
        f'<li><a href="#{each}"><b>{each}</b> {escape(shown[each].title)}</a></li>'
        for _, ids in _PARTS
        for each in ids
        if each in shown
    ]
    return f'<nav aria-label="Tables and figures"><ul class="contents">{"".join(links)}</ul></nav>'


def _findings(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    items = "".join(
        f'<li><p class="line"><span class="badge {_CLASSES[item.verdict]}">{VERDICTS[item.verdict]}</span> '
        f"<strong>{escape(item.question)}</strong></p><p>{escape(item.text)}</p>"
        f'<p class="caption">The paper: {escape(item.paper)} See {_links(item.exhibits)}.</p></li>'
        for item in findings
    )
    return f'<section aria-labelledby="findings"><h2 id="findings">What holds here, and what does not</h2><ul class="findings">{items}</ul></section>'  # noqa: E501


def _links(ids: Sequence[str]) -> str:
    return ", ".join(f'<a href="#{each}">{each}</a>' for each in ids)


def _part(name: str, exhibits: Sequence[Exhibit], commands: Mapping[str, str], pictures: Mapping[str, str]) -> str:
    if not exhibits:
        return ""
    said: dict[str, str] = {}
    inside = "\n".join(
        _exhibit(each, _said_once(each, said), commands.get(each.id, ""), pictures.get(each.id, ""))
        for each in exhibits
    )
    return f'<h2 class="part">{escape(name)}</h2>\n{inside}'


def _said_once(exhibit: Exhibit, said: dict[str, str]) -> str:
    """The remark, or where it stands already."""
    if not exhibit.remark:
        return ""
    first = said.setdefault(exhibit.remark, exhibit.id)
    told = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(exhibit.remark))
    return told if first == exhibit.id else f'As for <a href="#{first}">{first}</a>.'


def _exhibit(exhibit: Exhibit, remark: str, command: str, picture: str) -> str:
    number = exhibit.id[1:]
    kind = {"T": "Table", "F": "Figure", "X": "Beyond the paper"}[exhibit.id[0]]
    heading = f"{kind} {number}" if exhibit.id[0] != "X" else kind
    note = f'<p class="note">{remark}</p>' if remark else ""
    body = table_html(exhibit) if isinstance(exhibit, Table) else _figure(exhibit, picture)
    run = f'<p class="command"><span>again with</span> <code>{escape(command)}</code></p>' if command else ""
    return (
        f'<section class="exhibit" id="{exhibit.id}"><h3><span>{heading}</span> {escape(exhibit.title)}</h3>'
        f'<p class="caption">{escape(exhibit.caption)}</p>{note}{body}{run}</section>'
    )


def _figure(figure: Figure, picture: str) -> str:
    return f'<figure class="drawn">{inline(picture, figure.id, figure.title)}</figure>' if picture else ""


def inline(picture: str, name: str, title: str) -> str:
    """An SVG that can stand inside a page among others: ids of its own, no address of anything outside."""
    start = picture.index("<svg")
    body = re.sub(r"<metadata>.*?</metadata>", "", picture[start:], flags=re.DOTALL)
    body = re.sub(r' xmlns(:\w+)?="[^"]*"', "", body)
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'href="#', f'href="#{name}-', body)
    body = re.sub(r"url\(#", f"url(#{name}-", body)
    return body.replace("<svg", f'<svg role="img" aria-label="{escape(title)}"', 1).strip()


def _method(method: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in method)
    return f'<section class="method"><h2 id="method">How it was computed</h2><ul>{items}</ul></section>'
