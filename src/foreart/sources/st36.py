"""What the XML of WIPO's ST.36 family shares across offices: document ids, classes, claims, descriptions, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foreart.claims import references
from foreart.dates import iso_date
from foreart.errors import BadNumber
from foreart.numbers import parse_number
from foreart.paragraphs import numbered, under_headings
from foreart.patent import Claim, Paragraph, Position, Symbol, Value
from foreart.sources.markup import line_of, text_of
from foreart.sources.xml import Element
from foreart.symbols import class_symbol

_POSITIONS: dict[str, Position] = {"F": "first", "L": "later"}
_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}
# Elements of a description that only hold others.
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
    """The text of the first element at a path, on one line; `""` where there is none."""
    if element is None:
        return ""
    found = element.find(path)
    return "" if found is None else line_of(found)


def document_number(document: Element | None, *, country: str = "") -> str:
    """The publication number in a `document-id`, in the one spelling; as printed where it cannot be one."""
    if document is None:
        return ""
    number = text_at(document, "doc-number")
    if not number:
        return ""
    office = text_at(document, "country") or country
    kind = text_at(document, "kind") or text_at(document, "kind-code")
    return publication_id(office, number, kind)


def publication_id(office: str, number: str, kind: str = "") -> str:
    """A publication number from its parts; a kind that is no kind code (`S`, `I5` are, `00` is not) is dropped."""
    kind = kind.strip().upper()
    if not (kind[:1].isalpha() and len(kind) <= 2):
        kind = ""
    for text in (f"{office}{number}{kind}", f"{office}{number}"):
        try:
            return str(parse_number(text))
        except BadNumber:
            continue
    return "".join(f"{office}{number}{kind}".split())


def symbols(elements: Iterable[Element]) -> tuple[Symbol, ...]:
    """Class symbols given in parts (section, class, subclass, groups) or as text, first ones first as printed."""
    found: dict[str, Symbol] = {}
    for element in elements:
        parts = [text_at(element, name) for name in ("section", "class", "subclass", "main-group", "subgroup")]
        if parts[0]:
            text = f"{parts[0]}{parts[1]}{parts[2]} {parts[3]}/{parts[4]}" if parts[3] else "".join(parts[:3])
            position, value = text_at(element, "symbol-position"), text_at(element, "classification-value")
        else:
            text, position, value = _fixed_width(text_at(element, "text") or line_of(element), element)
        symbol = class_symbol(text)
        if symbol and symbol not in found:
            found[symbol] = Symbol(symbol, _POSITIONS.get(position), _VALUES.get(value))
    return tuple(found.values())


def _fixed_width(text: str, element: Element) -> tuple[str, str, str]:
    """ST.8 text: `A24C   5/20        20060101AFI20150420BHEP`: place 28 is the level, 29 the position, 30 the value."""
    raw = element.find("text")
    padded = (raw.text if raw is not None else element.text) or ""
    tail = padded.strip()
    if len(tail) >= 30 and tail[19:27].isdigit():
        return tail[:19], tail[28], tail[29]
    return text, "", ""


def claims(elements: Iterable[Element]) -> tuple[Claim, ...]:
    """Claims with their numbers; the printed number is taken off the text."""
    found: list[Claim] = []
    for position, element in enumerate(elements, start=1):
        digits = element.get("num", "").strip().lstrip("0")
        number = int(digits) if digits.isdigit() else position
        text = text_of(element)
        for printed in (f"{number}.", f"{number} .", f"{number} -", f"{number})"):
            if text.startswith(printed):
                text = text[len(printed) :].strip()
                break
        found.append(Claim(number, text, references(text, number)))
    return tuple(found)


def description(element: Element | None) -> tuple[Paragraph, ...]:
    """The description's headings and paragraphs in printed order."""
    return () if element is None else under_headings(_blocks(element))


def _blocks(parent: Element) -> Iterator[Paragraph]:
    if parent.text and parent.text.strip():
        yield numbered(" ".join(parent.text.split()))
    for child in parent:
        if child.tag == "heading":
            yield Paragraph(line_of(child), is_heading=True)
        elif child.tag in _WRAPPERS:
            yield from _blocks(child)
        else:
            digits = child.get("num", "") if child.tag == "p" else ""
            yield numbered(text_of(child), number=digits if digits.isdigit() else "")
        if child.tail and child.tail.strip():
            yield numbered(" ".join(child.tail.split()))


def person(addressbook: Element | None) -> str:
    """A name as people say it, given name first; the name of an organisation as it is."""
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
    """The first of some dates in order of time; `""` if there is none."""
    return min((date for date in map(iso_date, dates) if date), default="")


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """The non-empty items, each once, in order."""
    return tuple(dict.fromkeys(item for item in items if item))
