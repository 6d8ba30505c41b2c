"""A page as the tests of reports look at it."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser

from foreart.report.pages.marked_text import TextSegment
from foreart.report.pages.templating import environment

_VOID = frozenset({"br", "col", "line", "link", "meta", "rect"})


class Page(HTMLParser):
    """Checks that tags nest: `open` are those that do not close, `tags` all that were seen."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def marked(segments: Iterable[TextSegment]) -> str:
    """Segments as the templates write them."""
    return str(environment().get_template("macros.html").module.marked(segments))  # type: ignore[attr-defined]
