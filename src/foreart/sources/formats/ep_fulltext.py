"""Full texts of European patent documents from the EPO: ep-patent-document 1.0 to 1.7, single or many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Patent, Position, Symbol, Value
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number, docdb_application
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats import ep_citations, st36
from foreart.sources.formats.languages import Claims, in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.record_splitting import xml_documents
from foreart.sources.reader import Reader

_ROOT = "ep-patent-document"
_SNIFF = re.compile(rb"<ep-patent-document[\s>]")
_EDITION = re.compile(r"^\s*\d?\s*")
_STATUS = {"c": "corrected", "d": "deleted", "w": "withdrawn"}
# IPC of the first seven editions: main, further, additional information, linked and unlinked indexing codes.
_OLD_IPC: dict[str, tuple[Position | None, Value | None]] = {
    "B511": ("first", "inventive"),
    "B512": ("later", "inventive"),
    "B513": ("later", "additional"),
    "B514": ("later", "additional"),
    "B515": ("later", "additional"),
}
# ST.9: 71 applicant, 73 proprietor, 75 inventor and applicant, 76 inventor, applicant and proprietor.
_OWNERS = ("B711", "B712", "B713", "B731", "B732", "B733")
_INVENTORS = ("B721", "B751", "B761")


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document. Its claims are the first set in its language; amended sets do not replace them."""
    root = parse_xml(data)
    if root.tag != _ROOT:
        raise BadRecord(f"a <{root.tag}> instead of <{_ROOT}>")
    found = root.find("SDOBI")
    biblio = root if found is None else found
    identity = _identity(root, biblio)
    if not identity:
        raise BadRecord("no publication number")
    language = _language(root, biblio)
    texts = in_language(language, _titles(biblio), _abstracts(root, language), _claims(root, language))
    priorities = _priorities(biblio)
    application = application_number(st36.text_at(biblio, ".//B210"), country="EP") if _at(biblio, "B210") else ""
    citations, literature = ep_citations.cited(root, known=(application, *(number for number, _ in priorities)))
    inventors = [_name(item) for item in biblio.iter(*_INVENTORS)]
    yield Patent(
        id=identity,
        title=texts.title,
        abstract=texts.abstract,
        claims=texts.claims,
        description=st36.description(_in_language(root, "description", language)),
        published=iso_date(root.get("date-publ")) or iso_date(_at(biblio, "B140/date")),
        filed=iso_date(_at(biblio, "B220/date") or _at(biblio, "B861/date")),
        priority=st36.earliest(date for _, date in priorities),
        cpc=st36.symbols(item for group in biblio.iter("B520EP", "B520") for item in group.iter("classification-cpc")),
        ipc=_ipc(biblio),
        applicants=owners((_name(item) for item in biblio.iter(*_OWNERS)), inventors),
        inventors=people(inventors),
        citations=citations,
        literature=literature,
        application_number=application,
        priority_numbers=st36.unique(number for number, _ in priorities),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref not in (identity, application)),
        language=language,
        publication_status=_status(root, biblio, identity),
        translations=texts.translations,
    )


def _at(biblio: Element, path: str) -> str:
    """The text at a path anywhere below: field numbers are unique, whatever their group."""
    return st36.text_at(biblio, f".//{path}")


def _identity(root: Element, biblio: Element) -> str:
    number = root.get("doc-number", "") or _at(biblio, "B110")
    office = root.get("country", "") or _at(biblio, "B190") or "EP"
    return st36.publication_id(office, number, root.get("kind", "") or _at(biblio, "B130")) if number.strip() else ""


def _language(root: Element, biblio: Element) -> str:
    description = root.find("description")
    given = (root.get("lang"), biblio.get("lang"), "" if description is None else description.get("lang"))
    return next(filter(None, map(language_code, (*given, _at(biblio, "B260")))), "")


def _in_language(root: Element, tag: str, language: str) -> Element | None:
    sections = root.findall(tag)
    same = (item for item in sections if language_code(item.get("lang")) in (language, ""))
    return next(same, sections[0] if sections else None)


def _titles(biblio: Element) -> dict[str, str]:
    """Titles in printed order: each B542 follows its language in B541."""
    found: dict[str, str] = {}
    code = ""
    for item in biblio.iter("B541", "B542"):
        if item.tag == "B541":
            code = language_code(item.text)
        else:
            found.setdefault(code, line_of(item))
    return {code: title for code, title in found.items() if title}


def _abstracts(root: Element, language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in root.iterfind("abstract"):
        text = text_of(item)
        if text:
            found.setdefault(language_code(item.get("lang")) or language, text)
    return found


def _claims(root: Element, language: str) -> dict[str, Claims]:
    """The first set of claims of each language: later ones are amended, or for some contracting states only."""
    found: dict[str, Claims] = {}
    for item in (*root.iterfind("claims"), *root.iterfind("amended-claims")):
        claims = st36.claims(item.iter("claim"))
        if claims:
            found.setdefault(language_code(item.get("lang")) or language, claims)
    return found


def _ipc(biblio: Element) -> tuple[Symbol, ...]:
    new = st36.symbols(item for group in biblio.iter("B510EP", "B510") for item in group.iter("classification-ipcr"))
    found = {symbol.symbol: symbol for symbol in new}
    for item in biblio.iter(*_OLD_IPC):
        symbol = class_symbol(_EDITION.sub("", line_of(item)))
        if symbol:
            found.setdefault(symbol, Symbol(symbol, *_OLD_IPC[str(item.tag)]))
    return tuple(found.values())


def _name(party: Element) -> str:
    surname, given = st36.text_at(party, "snm"), st36.text_at(party, "fnm")
    return f"{surname}, {given}" if surname and given else surname or given or st36.text_at(party, "onm")


def _priorities(biblio: Element) -> list[tuple[str, str]]:
    """Numbers and dates of the claimed priorities: a sequence of B310, B320, B330 for each."""
    rows: list[dict[str, str]] = []
    for item in biblio.iter("B310", "B320", "B330"):
        tag = str(item.tag)
        if not rows or tag in rows[-1]:
            rows.append({})
        inner = {"B320": "date", "B330": "ctry"}.get(tag, "")
        rows[-1][tag] = (st36.text_at(item, inner) if inner else "") or line_of(item)
    return [(_priority_number(row), row.get("B320", "")) for row in rows]


def _priority_number(row: dict[str, str]) -> str:
    number = row.get("B310", "")
    return application_number(number, country=row.get("B330", "")) if number else ""


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents and divisionals of group 600, and the international publication of this document."""
    found: list[str] = []
    for document in (item for group in biblio.iter("B600") for item in group.iter("dnum")):
        publication, application = st36.text_at(document, "pnum"), st36.text_at(document, "anum")
        if publication:
            found.append(_published(publication))
        elif application:
            found.append(application_number(application, country="EP"))
    found.extend(_published(line_of(item)) for item in biblio.iterfind(".//B871/dnum/pnum"))
    if not any(ref.startswith("WO") for ref in found):
        found.extend(_international(line_of(item)) for item in biblio.iterfind(".//B861/dnum/anum"))
    return st36.unique(found)


def _published(number: str) -> str:
    return st36.publication_id("" if number[:2].isalpha() else "EP", number)


def _international(number: str) -> str:
    flat = number.upper().removeprefix("PCT").lstrip("/ ").replace("/", "")
    return docdb_application(flat[2:], country=flat[:2], kind="W") if flat[:2].isalpha() else ""


def _status(root: Element, biblio: Element, identity: str) -> str:
    """The status that the document states; kinds A8, A9, B8 and B9 are corrections by definition (ST.50)."""
    given = _STATUS.get(root.get("status", "").strip().lower()[:1], "")
    corrected = identity[-2:] in ("A8", "A9", "B8", "B9") or biblio.find(".//B150") is not None
    return given or ("corrected" if corrected else "")


READER = Reader(
    name="ep-fulltext",
    title="EPO full text of European applications and patents, XML 1.0 to 1.7, single or many in one file",
    sniff=_sniff,
    split=xml_documents(_ROOT),
    parse=parse,
)
