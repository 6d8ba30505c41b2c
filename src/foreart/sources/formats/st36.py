"""Parses the elements that XML formats after WIPO's ST.36 share: document ids, classes, claims, descriptions, names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foreart.document.claims import numbered_claim
from foreart.document.paragraphs import numbered
from foreart.document.patent import Claim, Paragraph, Position, Symbol, Value
from foreart.errors import BadNumber
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import parse_number
from foreart.identifiers.symbols import class_symbol
from foreart.sources.markup.text import line_of, marked_up, one_line, plain_of, text_of
from foreart.sources.markup.xml import Element

_POSITIONS: dict[str, Position] = {"F": "first", "L": "later"}
_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}
# White space has been folded, and OPS omits version and dates: `B28B 1/ 29 A I`.
_ST8 = re.compile(r"\s(?:\d{8}[ACS ]|[AC]\s?)([FL ])\s?([IAN ])(?=\d{8}|\s*$)")
# `A-10-100907`: citations of Japan and Australia have the kind code first.
_KIND_FIRST = re.compile(r"([A-Z]\d?)-(\d.*)$")
# Inline elements of a claim that do not change its text.
_PLAIN_IN_CLAIMS = {"claim-ref", "b", "i", "u"}
# Elements of a description that only contain others.
_WRAPPERS = {
    "description-of-drawings",
    "technical-field",
    "background-art",
    "disclosure",
    "summary-of-invention",
    "best-mode",
    "mode-for-invention",
    "industrial-applicability",
    "description-of-embodiments",
    "citation-list",
    "invention-title",
    "RELAPP",
    "TECHFLD",
    "BACKART",
    "SUMMINV",
    "DRWDESC",
    "DETDESC",
}


def text_at(element: Element | None, path: str) -> str:
    """The text of the first element at a path, on one line; `""` if there is none."""
    if element is None:
        return ""
    found = element.find(path)
    if found is None:
        return ""
    return line_of(found)


def document_number(document: Element | None, *, country: str = "") -> str:
    """The normalised publication number in a `document-id`; as printed if it cannot be parsed."""
    if document is None:
        return ""
    # One pass, because a patent may cite hundreds.
    parts = {child.tag: (child.text or "").strip() for child in document}
    number = parts.get("doc-number", "")
    if not number:
        return ""
    return publication_id(parts.get("country") or country, number, parts.get("kind") or parts.get("kind-code", ""))


def publication_id(office: str, number: str, kind: str = "") -> str:
    """A publication number from its parts; an invalid kind code (`00`; `S` and `I5` are valid) is dropped."""
    kind = kind.strip().upper()
    if not (kind[:1].isalpha() and len(kind) <= 2):
        kind = ""
    if (
        number[:1].isalpha()
        and number[: len(office)].upper() == office.upper()
        and not number[: len(office) + 1].isalpha()
    ):
        number = number[len(office) :]  # WO as the country of WO99/20849
    leading = _KIND_FIRST.match(number)
    if leading:
        number, kind = leading[2], kind or leading[1]
    for text in (f"{office}{number}{kind}", f"{office}{number}"):
        try:
            return str(parse_number(text))
        except BadNumber:
            continue
    return "".join(f"{office}{number}{kind}".split())


def symbols(elements: Iterable[Element]) -> tuple[Symbol, ...]:
    """Class symbols given in parts (section, class, subclass, groups) or as text, in printed order."""
    found: dict[str, Symbol] = {}
    for element in elements:
        parts = [text_at(element, name) for name in ("section", "class", "subclass", "main-group", "subgroup")]
        if parts[0]:
            text = f"{parts[0]}{parts[1]}{parts[2]} {parts[3]}/{parts[4]}" if parts[3] else "".join(parts[:3])
            position, value = text_at(element, "symbol-position"), text_at(element, "classification-value")
        else:
            text, position, value = _written(element)
        symbol = class_symbol(text)
        if symbol and symbol not in found:
            found[symbol] = Symbol(symbol, _POSITIONS.get(position), _VALUES.get(value))
    return tuple(found.values())


def _written(element: Element) -> tuple[str, str, str]:
    symbol = text_at(element, "classification-symbol")
    if symbol:
        return symbol, text_at(element, "symbol-position"), text_at(element, "classification-value")
    return _fixed_width(text_at(element, "text") or line_of(element))


def _fixed_width(text: str) -> tuple[str, str, str]:
    """ST.8 text, `A24C   5/20        20060101AFI20150420BHEP`: level, position and value follow the version."""
    tail = _ST8.search(text)
    return (text[: tail.start()], tail[1], tail[2]) if tail else (text, "", "")


def claims(elements: Iterable[Element]) -> tuple[Claim, ...]:
    """Claims with their numbers; the printed number is removed from the text."""
    found: list[Claim] = []
    for position, element in enumerate(elements, start=1):
        digits = re.match(r"\s*0*(\d{1,5})(?:\s*-\s*\d{1,5})?\s*$", element.get("num", ""))  # 01-38: all cancelled
        number = int(digits[1]) if digits else position
        found.append(numbered_claim(number, _claim_text(element)))
    return tuple(found)


def _claim_text(claim: Element) -> str:
    """The text of a claim; fast for most claims, which are plain text with a reference."""
    if (
        len(claim) == 1
        and claim[0].tag == "claim-text"
        and all(part.tag in _PLAIN_IN_CLAIMS and not len(part) for part in claim[0])
    ):
        return plain_of(claim)
    return text_of(claim)


def description(element: Element | None) -> tuple[Paragraph, ...]:
    """The paragraphs of a description in printed order, each with its heading."""
    found: list[Paragraph] = []
    if element is not None:
        _gather(element, marked_up(element), found)
    return tuple(found)


def _gather(parent: Element, marked: set[Element], found: list[Paragraph]) -> None:
    """Adds the paragraphs of an element; one function for speed, because it runs for every paragraph."""
    if parent.text and not parent.text.isspace():
        _place(found, one_line(parent.text))
    for child in parent:
        tag = child.tag
        if tag == "heading":
            _place(found, line_of(child), is_heading=True)
        elif tag in _WRAPPERS:
            _gather(child, marked, found)
        else:
            digits = child.get("num", "") if tag == "p" else ""
            text = text_of(child) if child in marked else plain_of(child)
            _place(found, text, digits if digits.isdigit() and digits.strip("0") else "")
        tail = child.tail
        if tail and not tail.isspace():
            _place(found, one_line(tail))


def _place(found: list[Paragraph], text: str, number: str = "", *, is_heading: bool = False) -> None:
    if not text:
        return
    if text[0] in "[(\u3010":
        paragraph = numbered(text, number=number)
        text, number = paragraph.text, paragraph.number
    heading = text if is_heading else found[-1].heading if found else ""
    found.append(Paragraph(text, number, heading, is_heading))


def person(addressbook: Element | None) -> str:
    """A name with the given name first; the name of an organisation unchanged."""
    if addressbook is None:
        return ""
    organisation = text_at(addressbook, "orgname")
    if organisation:
        return organisation
    given = " ".join(filter(None, (text_at(addressbook, "first-name"), text_at(addressbook, "middle-name"))))
    family = text_at(addressbook, "last-name") or text_at(addressbook, "name")
    suffix = text_at(addressbook, "suffix")
    return " ".join(filter(None, (given, family, suffix)))


def earliest(dates: Iterable[str]) -> str:
    """The earliest of some dates; `""` if there is none."""
    return min((date for date in map(iso_date, dates) if date), default="")


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """The distinct non-empty items, in order."""
    return tuple(dict.fromkeys(item for item in items if item))
