"""The paragraphs of an HTML page, without scripts, comments, struck-out and hidden text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.drafts.file_types.packed import Element

_UNREAD = {
    "head", "script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "button", "svg",
    "del", "s", "strike",
}  # fmt: skip
_BLOCKS = {
    "p", "div", "li", "ol", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table", "tbody", "thead", "td", "th", "dl",
    "section", "article", "main", "body", "html", "blockquote", "pre", "dt", "dd", "figure", "figcaption", "hr",
}  # fmt: skip
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-element\s*:\s*(?:header|footer|comment)", re.IGNORECASE
)
_HEADING = re.compile(r"h[1-6]$")


def html_lines(text: str, name: str) -> list[Line]:
    """The paragraphs in the order of the page; `<br>` inside one stays a line break."""
    try:
        root = html.document_fromstring(text.encode("utf-8"), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.LxmlError, ValueError):
        raise BadFile(f"{name} is not an HTML page that can be read: save it anew") from None
    return [line for line in _lines(root) if line.text]


def _lines(root: Element) -> Iterator[Line]:
    """Blocks open and close paragraphs; what stands between is one."""
    pieces: list[str] = []
    state = {"heading": False, "numbered": False}

    def closed() -> Line:
        whole = "".join(pieces).replace("\u00ad", "")
        text = "\n".join(" ".join(part.split()) for part in whole.split("\v") if part.strip())
        pieces.clear()
        heading = bool(text) and (state["heading"] or (len(text) <= 200 and known_heading(text) is not None))
        line = Line(unmarked(text) if heading else text, heading, False, state["numbered"])
        if text:
            state["numbered"] = False
        return line

    for kind, item in _walk(root):
        if kind == "text":
            pieces.append(item)
            continue
        yield closed()
        state["heading"] = kind == "open" and _HEADING.match(item) is not None
        if kind == "open" and item == "li in ol":
            state["numbered"] = True
    yield closed()


def _walk(element: Element) -> Iterator[tuple[str, str]]:
    """Texts, and where blocks open and close. Without recursion: pages nest deeply."""
    stack: list[tuple[Element, bool]] = [(element, False)]
    while stack:
        node, leaving = stack.pop()
        tag = node.tag if isinstance(node.tag, str) else ""
        if leaving:
            if tag in _BLOCKS:
                yield "close", tag
            yield "text", node.tail or ""
            continue
        stack.append((node, True))
        if not tag or tag in _UNREAD or _is_hidden(node):
            continue
        if tag == "br":
            yield "text", "\v"
        if tag in _BLOCKS:
            yield "open", "li in ol" if tag == "li" and _in_outer_ol(node) else tag
        yield "text", node.text or ""
        stack.extend((child, False) for child in reversed(node))


def _is_hidden(node: Element) -> bool:
    return node.get("hidden") is not None or _HIDDEN.search(node.get("style", "")) is not None


def _in_outer_ol(node: Element) -> bool:
    parent = node.getparent()
    return parent is not None and parent.tag == "ol" and not any(above.tag == "li" for above in parent.iterancestors())
