"""Text out of marked-up text: reading order and line breaks kept, sub- and superscripts, formulas and tables readable.

A subscript that begins with a figure joins its word (`CO2`), any other is marked (`V_in`); a superscript is marked
(`10^6`) unless it is an ordinal (`46th`). Formulas become one line (`(a + b)/(c)`), a table a line a row with
` | ` between cells, a list a line an item. Drawings and chemical structures given as images leave no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from foreart.sources.maths import formula
from foreart.sources.xml import Element

# Cannot occur in XML, so it can stand for a line break until white space is folded.
BREAK = "\x1e"

Rule = Callable[[Element, list[str]], None]

_ORDINAL = re.compile(r"^(?:st|nd|rd|th|[a-z]{2,}|®|™|©|℠)$", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{2}")
_SIMPLE = re.compile(r"^[\w.′'″*+-]+$")


def text_of(element: Element | None) -> str:
    """All text of an element, lines kept apart, white space folded; `""` for None."""
    if element is None:
        return ""
    if not len(element):
        return " ".join((element.text or "").split())
    parts: list[str] = []
    _collect(element, parts)
    return fold("".join(parts))


def fold(text: str) -> str:
    """White space folded to single spaces, line breaks kept, empty lines dropped."""
    if BREAK not in text:
        return " ".join(text.split())
    lines = (" ".join(line.split()) for line in text.split(BREAK))
    return "\n".join(line for line in lines if line)


def line_of(element: Element | None) -> str:
    """All text of an element on one line."""
    return " ".join(text_of(element).split())


def _collect(element: Element, parts: list[str]) -> None:
    if element.text:
        parts.append(element.text)
    for child in element:
        rule = RULES.get(child.tag)
        if rule is None:
            if len(child):
                _collect(child, parts)
            elif child.text:  # most children are a bold numeral: no call for them
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
    """The space that ends a script, `46<sup>th </sup>Conference`: it parts words."""
    last = element
    while len(last) and not last[-1].tail:
        last = last[-1]
    text = last[-1].tail if len(last) else last.text
    return " " if text and text[-1].isspace() else ""


def _grouped(text: str) -> str:
    return text if _SIMPLE.match(text) else f"({text})"


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
    """What stands inside a sentence, though its children would be blocks elsewhere."""
    inner: list[str] = []
    _collect(element, inner)
    parts.append("".join(inner).replace(BREAK, ""))


def _reference(element: Element, parts: list[str]) -> None:
    """Design patents print `FIG. 1` and the next word without a space between them."""
    _collect(element, parts)
    if element.tail and _WORD.match(element.tail):
        parts.append(" ")


def _maths(element: Element, parts: list[str]) -> None:
    parts.append(f" {formula(element)} ")


def _table(element: Element, parts: list[str]) -> None:
    for row in _rows(element):
        cells = (_inner(cell) for cell in row if isinstance(cell.tag, str))
        parts.append(BREAK + " | ".join(cell for cell in cells if cell))
    parts.append(BREAK)


def _rows(table: Element) -> Iterator[Element]:
    return table.iter("row", "tr", "ROW")


RULES: dict[object, Rule] = {
    **dict.fromkeys(("sub", "sub2", "SB", "subscript", "Subscript", "SUB", "Sub"), _sub),
    **dict.fromkeys(("sup", "sup2", "SP", "superscript", "Superscript", "SUP", "Sup"), _sup),
    **dict.fromkeys(("math", "mml:math", "{http://www.w3.org/1998/Math/MathML}math"), _maths),
    **dict.fromkeys(
        ("img", "image", "EMI", "MATH-CWU", "CHEM-US", "figure", "chemistry-img", "cross-reference-target"), _nothing
    ),
    # Running heads and line numbers of scanned pages, and what an amendment strikes out.
    **dict.fromkeys(("BoundaryData", "ClaimLabelText", "Del"), _nothing),
    **dict.fromkeys(("table", "TABLE", "CHEMTABLE"), _table),
    **dict.fromkeys(("br", "BR"), _break),
    "figref": _reference,
    "dependent-claim-reference": _inline,
    **dict.fromkeys(
        (
            *("p", "li", "dd", "dt", "row", "tr", "claim-text", "para", "paragraph", "list-item", "heading"),
            *("PARA", "CLMSTEP", "LI", "DD", "DT", "ClaimText"),
        ),
        _block,
    ),
}
