"""The texts of a Google Patents page: abstract, claims and description, in English and in the original."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from foreart.document.claims import references, split_claims
from foreart.document.paragraphs import looks_like_heading, numbered, under_headings
from foreart.document.patent import Claim, Paragraph
from foreart.errors import BadRecord
from foreart.sources.markup.text import BREAK, fold, line_of, text_of
from foreart.sources.markup.xml import Element

# Google translates sentence by sentence and keeps the original next to each: only one of them is read.
_ORIGINAL = "google-src-text"
_PAIR = "notranslate"
_HEADINGS = ("heading", "h1", "h2", "h3", "h4", "h5", "h6")
_PARAGRAPHS = ("description-paragraph", "description-line")
_BLOCKS = frozenset(("p", "para-num", *_HEADINGS))
_INLINE = frozenset(
    ("span", "b", "i", "u", "em", "strong", "a", "sub", "sup", "font", "small", "figref", "figure-callout", "claim-ref")
)
_CLAIMS = ("claim", "claim-dependent")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_DIGITS = re.compile(r"(\d{1,6})\D*$")
_LEAD = "claim-statement"


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The texts of a page in one language."""

    abstract: str = ""
    claims: tuple[Claim, ...] = ()
    description: tuple[Paragraph, ...] = ()


def read_texts(sections: dict[str, Element]) -> tuple[PageTexts, PageTexts]:
    """The English texts and, if the page has all of it, the original; `sections` are by itemprop."""
    english: dict[str, Element] = {}
    original: dict[str, Element] = {}
    for name, section in sections.items():
        content = next((item for item in section.iter() if item.get("itemprop") == "content"), section)
        _as_markup(content)
        if _by_class(content, _ORIGINAL):
            original[name] = _only_original(content)
            _without_original(content)
        english[name] = content
    texts = _read(english)
    return texts, _complete(_read({name: item for name, item in original.items() if name != "description"}), texts)


def html_claims(text: str) -> tuple[Claim, ...]:
    """The claims of a fragment in this layout."""
    content = parse_html(text.encode())
    _as_markup(content)
    return _claims(content)


def html_description(text: str) -> tuple[Paragraph, ...]:
    """The description of a fragment in this layout."""
    content = parse_html(text.encode())
    _as_markup(content)
    return _description(content)


def parse_html(data: bytes) -> Element:
    """The root of a page in UTF-8, even if it is malformed; nothing is fetched."""
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True, recover=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise BadRecord(f"not readable HTML: {error.msg}") from None
    if root is None:
        raise BadRecord("no HTML element in it")
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise BadRecord("tags nested too deeply: their content would be lost")
    return root


def translated_from(sections: dict[str, Element]) -> str:
    """The language from which a page was translated, in the words of the page (`Japanese`)."""
    for section in sections.values():
        for item in section.iter():
            if item.get("itemprop") == "translatedLanguage":
                return line_of(item)
    return ""


def language_of(sections: dict[str, Element]) -> str:
    """The two-letter code of the language of the texts."""
    for section in sections.values():
        for item in section.iter():
            if item.get("lang") and item.tag != "span":
                return str(item.get("lang")).strip().lower()[:2]
    return ""


def _read(sections: dict[str, Element]) -> PageTexts:
    return PageTexts(
        abstract=_abstract(sections.get("abstract")),
        claims=_claims(sections.get("claims")),
        description=_description(sections.get("description")),
    )


def _complete(original: PageTexts, english: PageTexts) -> PageTexts:
    """The original if it is complete; claims are dropped if one has no original."""
    claims = {claim.number: claim for claim in original.claims if claim.text}
    if len(claims) != len(english.claims) or any(claim.number not in claims for claim in english.claims):
        return replace(original, claims=())
    paired = (replace(claims[claim.number], depends_on=claim.depends_on) for claim in english.claims)
    return replace(original, claims=tuple(paired))


def _classes(element: Element) -> list[str]:
    return (element.get("class") or "").split()


def _by_class(element: Element, name: str) -> list[Element]:
    return [item for item in element.iter() if name in _classes(item)]


def _as_markup(content: Element) -> None:
    """Renames `div`s, which break lines in HTML, to the elements that break lines in the markup of offices."""
    for item in content.iter("div"):
        item.tag = "claim-text" if "claim-text" in _classes(item) else "p"


def _without_original(content: Element) -> None:
    for span in _by_class(content, _ORIGINAL):
        _remove(span)


def _only_original(content: Element) -> Element:
    kept = copy.deepcopy(content)
    for pair in _by_class(kept, _PAIR):
        pair.text = None
        for child in list(pair):
            if _ORIGINAL not in _classes(child):
                _remove(child)
            child.tail = None
    return kept


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is None:
        return
    previous = element.getprevious()
    if element.tail:
        if previous is not None:
            previous.tail = (previous.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _abstract(content: Element | None) -> str:
    if content is None:
        return ""
    lines = text_of(content).split("\n")
    if lines[0].casefold().strip(" :") in ("abstract", "zusammenfassung", "résumé"):
        del lines[0]
    return "\n".join(lines)


def _claims(content: Element | None) -> tuple[Claim, ...]:
    if content is None:
        return ()
    found: dict[int, Claim] = {}
    for item in content.iter():
        if item.get("num") and (item.tag == "claim" or any(name in _CLAIMS for name in _classes(item))):
            claim = _claim(item, len(found) + 1)
            if claim.text:
                found.setdefault(claim.number, claim)
    return tuple(found.values()) or _unmarked_claims(content)


def _claim(element: Element, position: int) -> Claim:
    digits = _DIGITS.search(element.get("num") or "")
    number = int(digits[1]) if digits and int(digits[1]) else position
    text = re.sub(
        rf"^(?:claim\s+)?{number}\s?(?:[.):]|\s-|\uff0e|\u3001)\s*(?=\D|$)", "", text_of(element), flags=re.IGNORECASE
    )
    parents = set(references(text, number))
    for reference in element.iter("claim-ref"):
        target = _DIGITS.search(reference.get("idref") or "")
        if target:
            parents.add(int(target[1]))
    return Claim(number, text.strip(), tuple(sorted(parents - {number, 0})))


def _unmarked_claims(content: Element) -> tuple[Claim, ...]:
    """The claims of pages that have them as one text."""
    lines = [text_of(item) for item in content.iter() if item.tag == "claim-text" and not _inside(item, "claim-text")]
    if not lines:
        parts = [content.text or ""]
        parts += [part for item in content if item.tag != _LEAD for part in (text_of(item), item.tail or "")]
        lines = [fold(part.replace("\n", BREAK)) for part in parts]
    text = "\n".join(line for line in lines if line)
    return split_claims(text) if text else ()


def _inside(element: Element, tag: str) -> bool:
    return next(element.iterancestors(tag), None) is not None


def _description(content: Element | None) -> tuple[Paragraph, ...]:
    return () if content is None else under_headings(_blocks(content, [""]))


def _blocks(parent: Element, printed: list[str]) -> Iterator[Paragraph]:
    """Paragraphs below an element; `printed` is a number on its own before the next one."""
    run = [parent.text or ""]  # text between paragraphs, with its inline elements
    for child in parent:
        if child.tag in _INLINE:
            run += (text_of(child), child.tail or "")
            continue
        yield from _loose(run)
        run = [child.tail or ""]
        if child.tag in _HEADINGS:
            yield Paragraph(line_of(child), is_heading=True)
        elif child.tag == "para-num":
            printed[0] = _number(child.get("num"))
        elif _holds_paragraphs(child):
            yield from _blocks(child, printed)
        elif text := text_of(child):
            number, printed[0] = _number(child.get("num")) or printed[0], ""
            yield numbered(text, number=number)
    yield from _loose(run)


def _holds_paragraphs(element: Element) -> bool:
    if element.tag == "table" or element.get("num") or any(name in _PARAGRAPHS for name in _classes(element)):
        return False
    return any(item is not element and item.tag in _BLOCKS for item in element.iter())


def _loose(run: list[str]) -> Iterator[Paragraph]:
    for part in _BLANK_LINE.split("".join(run)):
        text = " ".join(part.split())
        if text:
            yield Paragraph(text, is_heading=True) if looks_like_heading(text) else numbered(text)


def _number(text: str | None) -> str:
    digits = _DIGITS.search(text or "")
    return digits[1] if digits else ""
