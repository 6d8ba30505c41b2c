"""Pages of Google Patents from 2012 to 2017 at google.com/patents, which Helmers et al. 2019 used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Category, Citation, Literature, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, normalise, number_key
from foreart.identifiers.symbols import class_symbol, uspc_symbol
from foreart.sources.formats.google_html_text import language_of, read_texts
from foreart.sources.formats.st36 import unique
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element

MARK = re.compile(rb"class=[\"']?patent-bibdata")
_SECTIONS = {
    "patent-abstract-section": "abstract",
    "patent-claims-section": "claims",
    "patent-description-section": "description",
}
# The anchors before the tables of the page.
_CITED, _LITERATURE, _CLASSES = "backward-citations", "npl-citations", "classifications"
_LISTS = "patent-bibdata-value"


def parse_page(root: Element) -> Iterator[Patent]:
    """The patent of one page. Labels are those of the English site; on others, numbers are found by their format."""
    facts = _facts(root)
    identity = _identity(root, facts)
    sections = _texts(root)
    language = language_of(sections)
    texts, _ = read_texts(sections)
    application = _first(facts, "application number")
    classes = _classes(root)
    yield Patent(
        id=identity,
        title=_title(root),
        abstract=texts.abstract,
        claims=texts.claims,
        description=texts.description,
        published=iso_date(_first(facts, "publication date")),
        filed=iso_date(_first(facts, "filing date")),
        priority=iso_date(_first(facts, "priority date")),
        cpc=_symbols(classes.get("cooperative classification", [])),
        ipc=_symbols(classes.get("international classification", [])),
        uspc=unique(uspc_symbol(text) for text in classes.get("u.s. classification", [])),
        applicants=unique(facts.get("original assignee") or facts.get("applicant") or facts.get("assignee") or []),
        inventors=unique(facts.get("inventors") or facts.get("inventor") or []),
        citations=_citations(root, identity),
        literature=tuple(_literature(root)),
        application_number=application_number(application, country=identity[:2]) if application else "",
        family_refs=_also_published(facts, identity),
        language=language,
        document_type=document_type(identity),
    )


def _facts(root: Element) -> dict[str, list[str]]:
    """The table of bibliographic data: values by their label in lower case."""
    found: dict[str, list[str]] = {}
    for row in _with_class(root, "tr", "", inside="patent-bibdata"):
        cells = list(row.iter("td"))
        if len(cells) < 2:
            continue
        label = line_of(cells[0]).casefold().rstrip(":")
        listed = [line_of(item) for item in cells[1].iter("span") if _is(item, _LISTS)]
        found.setdefault(label, listed or [line_of(cells[1])])
    return found


def _first(facts: dict[str, list[str]], label: str) -> str:
    return next(iter(facts.get(label, ())), "")


def _identity(root: Element, facts: dict[str, list[str]]) -> str:
    shown = [line_of(item) for item in root.iter("span") if _is(item, "patent-number")]
    named = [item.get("content") or "" for item in root.iter("meta") if item.get("name") == "citation_patent_number"]
    for candidate in (_first(facts, "publication number"), *shown, *named):
        try:
            return normalise(candidate.replace(":", ""))
        except BadNumber:
            continue
    raise BadRecord("no publication number")


def _title(root: Element) -> str:
    for tag in ("invention-title", "span", "meta"):
        for item in root.iter(tag):
            if tag == "invention-title" or _is(item, "patent-title") or item.get("name") == "DC.title":
                text = line_of(item) or " ".join((item.get("content") or "").split())
                if text:
                    return text
    return ""


def _texts(root: Element) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for item in root.iter("div"):
        name = next((_SECTIONS[word] for word in (item.get("class") or "").split() if word in _SECTIONS), "")
        text = next((inner for inner in item.iter("div") if _is(inner, "patent-text")), None)
        if name and text is not None:
            found.setdefault(name, text)
    return found


def _citations(root: Element, identity: str) -> tuple[Citation, ...]:
    """Each document once; the page marks only citations of the examiner, with a star."""
    found: dict[str, Citation] = {}
    for cell in _with_class(root, "td", "citation-patent", behind=_CITED):
        number = line_of(next(cell.iter("a"), cell)).rstrip(" *")
        category: Category = "examiner" if "*" in line_of(cell) else "unknown"
        try:
            cited = normalise(number)
        except BadNumber:
            continue
        if cited != identity:
            found.setdefault(number_key(cited), Citation(cited, category))
    return tuple(found.values())


def _literature(root: Element) -> Iterator[Literature]:
    """Literature from rows of a number, a star or nothing, and the text."""
    for row in _with_class(root, "tr", "", behind=_LITERATURE):
        cells = [line_of(cell) for cell in row.iter("td")]
        if len(cells) >= 2 and cells[-1]:
            yield Literature(cells[-1], "examiner" if "*" in "".join(cells[:-1]) else "unknown")


def _classes(root: Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in _with_class(root, "tr", "", behind=_CLASSES):
        cells = list(row.iter("td"))
        if len(cells) >= 2:
            nested = [line_of(item) for item in cells[1].iter("span") if _is(item, "nested-value")]
            found[line_of(cells[0]).casefold()] = nested or [part.strip() for part in line_of(cells[1]).split(",")]
    return found


def _symbols(texts: list[str]) -> tuple[Symbol, ...]:
    return tuple(Symbol(symbol) for symbol in unique(class_symbol(text) for text in texts) if symbol)


def _also_published(facts: dict[str, list[str]], identity: str) -> tuple[str, ...]:
    found = []
    for number in facts.get("also published as", ()):
        try:
            found.append(normalise(number.strip(" ,")))
        except BadNumber:
            continue
    return tuple(number for number in unique(found) if number != identity)


def _is(item: Element, name: str) -> bool:
    return name in (item.get("class") or "").split()


def _with_class(root: Element, tag: str, name: str, *, inside: str = "", behind: str = "") -> Iterator[Element]:
    """Elements of a class, inside tables of a class, or in the section of an anchor."""
    for holder in root.iter():
        if inside and not (holder.tag == "table" and _is(holder, inside)):
            continue
        if behind and not (holder.tag == "a" and holder.get("id") == behind):
            continue
        section = holder if inside else holder.getparent()
        for item in section.iter(tag) if section is not None else ():
            if not name or _is(item, name):
                yield item
        return
