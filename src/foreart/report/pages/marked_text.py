"""Text for a page: escaped, and with the shared words marked."""

from __future__ import annotations

from collections.abc import Collection
from html import escape as _escape

from foreart.report.wording.extract_marks import marks
from foreart.report.wording.phrases import plain
from foreart.search.explaining import Extract
from foreart.text.tokens import WORD, tokens


def escape(text: str) -> str:
    """A text that can stand anywhere in HTML, in attributes too."""
    return _escape(plain(text), quote=True)


def marked(text: str, words: Collection[str]) -> str:
    """Escaped HTML in which each of the words is inside `<mark>`."""
    source = plain(text)
    pieces: list[str] = []
    end = 0
    for found in WORD.finditer(source):
        cut = tokens(found[0])
        if cut and all(token in words for token in cut):
            pieces += [_escape(source[end : found.start()]), "<mark>", _escape(found[0]), "</mark>"]
            end = found.end()
    pieces.append(_escape(source[end:]))
    return "".join(pieces)


def marked_extract(item: Extract) -> str:
    """Escaped HTML: `<mark>` for shared words, `<mark class="bridge">` for bridges, which say what they stand for."""
    source = plain(item.text)
    pieces: list[str] = []
    end = 0
    for start, stop, bridge in marks(source, item):
        kind = f' class="bridge" title="may stand for: {escape(bridge)}"' if bridge else ""
        pieces += [_escape(source[end:start]), f"<mark{kind}>", _escape(source[start:stop]), "</mark>"]
        end = stop
    return "".join((*pieces, _escape(source[end:])))
