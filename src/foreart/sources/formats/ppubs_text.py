"""Extracts lines, paragraphs and headings from the HTML of the USPTO's Public Search."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.paragraphs import looks_like_heading, numbered
from foreart.document.patent import Paragraph
from foreart.errors import BadRecord
from foreart.sources.markup.dotcodes import readable
from foreart.sources.markup.text import text_of
from foreart.sources.markup.xml import parse_xml

_TAG = re.compile(r"<[^<>]{0,400}>")
_LINE_TAG = re.compile(r"(?=<(?:br|p|/p|li|tr)\b)")
_COUNTED = re.compile(r"^\((\d{1,4})\)\s+")
_INLINE = re.compile(r"\s\[(\d{4,5})\]\s")
_PRINTED = re.compile(r"^\[(\d{4,5})\]\s")


def lines_of(html: str) -> list[str]:
    """The lines of an HTML fragment; one that is not well-formed loses its tags and nothing else."""
    if "<" not in html and "&" not in html:
        text = html
    else:
        try:
            text = text_of(parse_xml(f"<text><br/>{html}</text>".encode()))
        except BadRecord:
            text = _TAG.sub("", _LINE_TAG.sub("\n", html))
    lines = (" ".join(readable(line).split()) for line in text.split("\n"))
    return [line for line in lines if line]


def line_of(html: str) -> str:
    """The text of an HTML fragment on one line."""
    return " ".join(lines_of(html))


def section(lines: list[str]) -> Iterator[Paragraph]:
    """Paragraphs: applications print `[0001]`; `(1)` counts the paragraphs in a section of a grant."""
    expected = 1
    are_numbered = any(_COUNTED.match(line) or _PRINTED.match(line) for line in lines)
    for line in _split_list(lines):
        count = _COUNTED.match(line)
        if count and int(count[1]) == expected:
            text = line[count.end() :]
            expected += 1
            yield Paragraph(text, is_heading=True) if looks_like_heading(text) else Paragraph(text, number=count[1])
        elif looks_like_heading(line) or (are_numbered and _is_short_title(line)):
            yield Paragraph(line, is_heading=True)
        else:
            yield numbered(line)


def _split_list(lines: list[str]) -> Iterator[str]:
    """Splits a list of applications on one line where the next number of the sequence is printed."""
    for line in lines:
        printed = _PRINTED.match(line)
        last, start = (int(printed[1]), 0) if printed else (-2, 0)
        for match in _INLINE.finditer(line):
            if int(match[1]) == last + 1:
                yield line[start : match.start()].strip()
                last, start = last + 1, match.start()
        yield line[start:].strip()


def _is_short_title(line: str) -> bool:
    """Whether a line among numbered paragraphs is a heading: short, without number and full stop, not of a table."""
    words = line.split()
    opens = line[0].isupper() or (line[0].isdigit() and len(words) > 1 and words[1][0].isupper())
    letters = sum(char.isalpha() or char == " " for char in line)
    return (
        opens
        and 4 <= len(line) <= 80
        and len(words) <= 10
        and line[-1] not in ".;,:"
        and not line.startswith(("FIG", "TABLE", "Table"))
        and "=" not in line
        and "|" not in line
        and letters >= 0.8 * len(line)
    )
