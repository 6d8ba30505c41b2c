"""The paragraphs of a plain text or Markdown file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.sources.drafts.file_types.lines import Line, joined
from foreart.sources.drafts.file_types.printed_lines import rows_of, text_of_pages

# Markdown has the comments of HTML, and CriticMarkup for changes and remarks: opening and end of each, in the order in
# which they are resolved; deletions and comments are removed, the others keep their text.
_REMARKS = ((("<!--", "-->"), ("{--", "--}"), ("{>>", "<<}")), (("{++", "++}"), ("{==", "==}")), (("{~~", "~~}"),))
_REMOVED, _CHANGED = _REMARKS[0], _REMARKS[2]
_ESCAPED_NUMBER = re.compile(r"^([^\S\n]*+\d++)\\([.)])", re.MULTILINE)


def plain_lines(text: str) -> list[Line]:
    """The paragraphs of a plain text or Markdown file; a form feed starts a new page."""
    for remarks in _REMARKS:
        text = "".join(_resolved(text, remarks))
    text = _ESCAPED_NUMBER.sub(r"\1\2", text)
    pages = [page.splitlines() for page in text.split("\f")]
    return joined(text_of_pages([rows_of(page, turned=number > 0) for number, page in enumerate(pages)]))


def _resolved(text: str, remarks: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """The parts of a text with one kind of remark resolved; one that never ends is text.

    By `find`, not by a pattern: that would search to the end of the text again for every remark that never ends.
    """
    ends = dict(remarks)
    place = 0
    for opened in re.finditer("|".join(map(re.escape, ends)), text):
        end = ends.get(opened[0])
        if opened.start() < place or end is None:
            continue
        inner = text.find("~>", opened.end()) + 2 if remarks is _CHANGED else opened.end()
        stop = text.find(end, inner) if inner >= opened.end() else -1
        if stop < 0:
            del ends[opened[0]]
            continue
        yield text[place : opened.start()]
        if remarks is not _REMOVED:
            yield text[inner:stop]
        place = stop + len(end)
    yield text[place:]
