"""Extracts text from XML and HTML in reading order, with line breaks, scripts, formulas and tables readable.

A subscript that starts with a digit joins its word (`CO2`), any other is marked (`V_in`); a superscript is marked
(`10^6`) unless it is an ordinal (`46th`). A formula becomes one line (`(a + b)/(c)`), a table one line per row with
` | ` between cells, a list one line per item. Drawings and chemical structures given as images give no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lxml import etree

from foreart.sources.markup.maths import formula
from foreart.sources.markup.xml import Element

# Marks a line break until white space is folded; it cannot occur in XML.
BREAK = "\x1e"

Rule = Callable[[Element, list[str]], None]

_ORDINAL = re.compile(r"^(?:st|nd|rd|th|[a-z]{2,}|®|™|©|℠)$", re.IGNORECASE)
_SIMPLE = re.compile(r"^[\w.′'″*+-]+$")
# A single term with its sign; anything else, such as a sum (`n+1`), is put in brackets.
_ATOM = re.compile(r"^(?:[+−-]?[\w.′'″*]+[+−-]?|[+−-]|\([^()]*\))$")


def text_of(element: Element | None) -> str:
    """All text of an element, with line breaks, white space folded; `""` for None."""
    if element is None:
        return ""
    if not len(element):
        return one_line(element.text or "")
    parts: list[str] = []
    _collect(element, parts)
    return fold("".join(parts))


def marked_up(element: Element) -> set[Element]:
    """The descendants that contain markup for `text_of`; in one pass, which is faster than testing each."""
    marked: set[Element] = set()
    for special in element.iterdescendants(*_TAGS):
        parent = special.getparent()
        while parent is not None and parent is not element and parent not in marked:
            marked.add(parent)
            parent = parent.getparent()
    return marked


def plain_of(element: Element) -> str:
    """The text of an element that is not in `marked_up`: the same as `text_of`, several times as fast."""
    return one_line(etree.tostring(element, method="text", encoding="unicode", with_tail=False))


def fold(text: str) -> str:
    """The text with white space folded to single spaces within lines, without empty lines."""
    if BREAK not in text:
        return one_line(text)
    lines = (one_line(line) for line in text.split(BREAK))
    return "\n".join(line for line in lines if line)


def line_of(element: Element | None) -> str:
    """All text of an element on one line."""
    if element is None:
        return ""
    return one_line(text_of(element) if len(element) else element.text or "")


def one_line(text: str) -> str:
    """White space folded to single spaces; fast for texts with nothing to fold, which are most."""
    if text.isascii() and "\n" not in text and "  " not in text and "\t" not in text and "\r" not in text:
        return text.strip()
    return " ".join(text.split())


def _collect(element: Element, parts: list[str]) -> None:
    if element.text:
        parts.append(element.text)
    for child in element:
        rule = RULES.get(child.tag)
        if rule is None:
            if len(child):
                _collect(child, parts)
            elif child.text:  # most children are a bold numeral: saves a call
                parts.append(child.text)
        else:
            rule(child, parts)
        if child.tail:
            parts.append(child.tail)


def _inner(element: Element) -> str:
    parts: list[str] = []
    _collect(element, parts)
    return fold("".join(parts)).replace("\n", " ")


def _sub(element: Element, parts: list[str]) -> None:
    text = _inner(element)
    if text:
        parts.append(text if text[0].isdigit() and _SIMPLE.match(text) else "_" + _grouped(text))
        parts.append(_space_after(element))


def _sup(element: Element, parts: list[str]) -> None:
    text = _inner(element)
    if text:
        parts.append(text if _ORDINAL.match(text) else "^" + _grouped(text))
        parts.append(_space_after(element))


def _space_after(element: Element) -> str:
    """The space at the end of a script, `46<sup>th </sup>Conference`, which separates words."""
    last = element
    while len(last) and not last[-1].tail:
        last = last[-1]
    text = last[-1].tail if len(last) else last.text
    return " " if text and text[-1].isspace() else ""


def _grouped(text: str) -> str:
    return text if _ATOM.match(text) else f"({text})"


def _nothing(element: Element, parts: list[str]) -> None:
    parts.append(" ")


def _break(element: Element, parts: list[str]) -> None:
    parts.append(BREAK)
    _collect(element, parts)


def _block(element: Element, parts: list[str]) -> None:
    parts.append(BREAK)
    _collect(element, parts)
    parts.append(BREAK)


def _inline(element: Element, parts: list[str]) -> None:
    """Text within a sentence, although its children would be blocks elsewhere."""
    inner: list[str] = []
    _collect(element, inner)
    parts.append("".join(inner).replace(BREAK, ""))


def _maths(element: Element, parts: list[str]) -> None:
    parts.append(f" {formula(element)} ")


def _table(element: Element, parts: list[str]) -> None:
    for row in _rows(element):
        cells = (_inner(cell) for cell in row if isinstance(cell.tag, str))
        parts.append(BREAK + " | ".join(cell for cell in cells if cell))
    parts.append(BREAK)


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table; a table inside a cell is text of the cell, or each nesting would double the work."""
    stack = [table]
    while stack:
        element = stack.pop()
        if element.tag in ("row", "tr", "ROW"):
            yield element
        else:
            stack.extend(reversed(element))


RULES: dict[str, Rule] = {
    **dict.fromkeys(("sub", "sub2", "SB", "subscript", "Subscript", "SUB", "Sub"), _sub),
    **dict.fromkeys(("sup", "sup2", "SP", "superscript", "Superscript", "SUP", "Sup"), _sup),
    **dict.fromkeys(("math", "mml:math", "{http://www.w3.org/1998/Math/MathML}math"), _maths),
    **dict.fromkeys(
        ("img", "image", "EMI", "MATH-CWU", "CHEM-US", "figure", "chemistry-img", "cross-reference-target"), _nothing
    ),
    # Running heads and line numbers of scanned pages, and text that an amendment deletes.
    **dict.fromkeys(("BoundaryData", "ClaimLabelText", "Del"), _nothing),
    **dict.fromkeys(("table", "TABLE", "CHEMTABLE"), _table),
    **dict.fromkeys(("br", "BR"), _break),
    "dependent-claim-reference": _inline,
    **dict.fromkeys(
        (
            *("p", "li", "dd", "dt", "row", "tr", "claim-text", "para", "paragraph", "list-item", "heading"),
            *("PARA", "CLMSTEP", "LI", "DD", "DT", "ClaimText"),
        ),
        _block,
    ),
}
_TAGS: tuple[str, ...] = tuple(RULES)
