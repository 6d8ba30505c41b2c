"""The paragraphs of an HTML page, without scripts, comments, struck-out and hidden text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line

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
# Pages in which no tag is ever closed nest as deep as they are long. The parser looks through all open tags at each
# closing tag that closes none of them, which takes quadratic time without a bound.
_DEEPEST = 10_000


def html_lines(text: str, name: str) -> list[Line]:
    """The paragraphs in the order of the page; `<br>` inside one stays a line break."""
    # Events, not a tree: libxml2 leaves everything out of a tree that is nested deeper than 2,048.
    page = _Paragraphs(name)
    parser = etree.HTMLParser(target=page, encoding="utf-8", huge_tree=True)  # type: ignore[arg-type]
    try:
        etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        raise BadFile(f"{name} is not a readable HTML page: save it again") from None
    return page.lines


class _Paragraphs:
    """Collects paragraphs while the parser reports tags and text: blocks start and end them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.lines: list[Line] = []
        self._parts: list[str] = []
        self._open: list[str] = []
        self._items = 0  # open list items
        self._skipped = 0  # open tags from the outermost one that is not read
        self._heading = self._numbered = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag opens."""
        if len(self._open) + self._skipped >= _DEEPEST:
            raise BadFile(f"{self._name} nests more than {_DEEPEST:,} tags: save it again with its tags closed")
        if self._skipped or tag in _UNREAD or _is_hidden(attributes):
            self._skipped += 1
            return
        if tag == "br":
            self._parts.append("\v")
        if tag in _BLOCKS:
            self._end_paragraph()
            self._heading = _HEADING.match(tag) is not None
            # The browser numbers the items; lists within an item are parts of one claim.
            if tag == "li" and not self._items and self._open[-1:] == ["ol"]:
                self._numbered = True
        self._items += tag == "li"
        self._open.append(tag)

    def end(self, tag: str) -> None:
        """A tag closes, by itself or with the one around it."""
        if self._skipped:
            self._skipped -= 1
            if self._skipped:
                return
        else:
            self._items -= self._open.pop() == "li"
        if tag in _BLOCKS:
            self._end_paragraph()
            self._heading = False

    def data(self, text: str) -> None:
        """Text between tags."""
        if not self._skipped:
            self._parts.append(text)

    def close(self) -> None:
        """The page ends."""
        self._end_paragraph()

    def _end_paragraph(self) -> None:
        whole = "".join(self._parts).replace("\u00ad", "")
        self._parts.clear()
        text = "\n".join(" ".join(part.split()) for part in whole.split("\v") if part.strip())
        if not text:
            return
        heading = self._heading or (len(text) <= 200 and known_heading(text) is not None)
        self.lines.append(Line(unmarked(text) if heading else text, heading, False, self._numbered))
        self._numbered = False


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")) is not None
