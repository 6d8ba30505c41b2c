"""USPTO Red Book XML v4.0–v4.7: grants since 2005 and applications since 2005, single or in weekly files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from foreart.document.paragraphs import under_headings
from foreart.document.patent import Category, Citation, Literature, Paragraph, Patent, Symbol
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number
from foreart.identifiers.symbols import fixed_symbol, locarno_symbol, uspc_symbol
from foreart.sources.formats import st36
from foreart.sources.formats.uspto import botany, bracketed, publication_status, related_application
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.record_splitting import xml_documents
from foreart.sources.reader import Reader

_ROOTS = ("us-patent-grant", "us-patent-application")
# Sequence listings and tables, which are separate documents between the grants of a weekly file.
_COMPANIONS = ("sequence-cwu", "us-megatable-doc", "table-cwu")
_FIGURE = re.compile(r"\bFIGS?\. ?\d{1,3}[A-Z]?(?=[a-z]{2})")
_SNIFF = re.compile(rb"<(?:us-patent-grant|us-patent-application)[\s>]")
_CATEGORIES: dict[str, Category] = {"cited by examiner": "examiner", "cited by applicant": "applicant"}
_PUBLICATIONS = ("related-publication", "parent-grant-document", "us-prior-publication")
_TYPES = {"sir": "statutory invention registration"}


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document; none for a sequence listing."""
    root = parse_xml(bracketed(data))
    if root.tag in _COMPANIONS:
        return
    if root.tag not in _ROOTS:
        raise BadRecord(f"a <{root.tag}> instead of <us-patent-grant> or <us-patent-application>")
    biblio = next((child for child in root if str(child.tag).startswith("us-bibliographic-data")), None)
    if biblio is None:
        raise BadRecord("no bibliographic data")
    publication = biblio.find("publication-reference/document-id")
    identity = st36.document_number(publication, country="US")
    if not identity:
        raise BadRecord("no publication number")
    citations, literature = _citations(biblio)
    inventors, applicants = _parties(biblio)
    application = biblio.find("application-reference")
    kind = _type(biblio, application, identity)
    yield Patent(
        id=identity,
        title=line_of(biblio.find("invention-title")),
        abstract=_abstract(root),
        claims=st36.claims(root.iterfind("claims/claim")),
        description=_description(root, biblio, kind),
        published=iso_date(st36.text_at(publication, "date")),
        filed=_filed(biblio),
        priority=_priority(biblio),
        cpc=st36.symbols(biblio.iterfind("classifications-cpc//classification-cpc")),
        ipc=_ipc(biblio),
        uspc=_uspc(biblio),
        locarno=st36.unique(locarno_symbol(line_of(item)) for item in _classes(biblio.find("classification-locarno"))),
        applicants=applicants,
        inventors=inventors,
        citations=citations,
        literature=literature,
        application_number=_application(application),
        priority_numbers=_priority_numbers(biblio),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref != identity),
        language=root.get("lang", "").lower() or "en",
        document_type=kind,
        publication_status="corrected" if _is_correction(biblio) else publication_status(identity),
    )


def _description(root: Element, biblio: Element, kind: str) -> tuple[Paragraph, ...]:
    """The description, after the names of a plant, with the space after `FIG. 1` that designs lack."""
    found = st36.description(root.find("description"))
    if kind == "plant":
        return under_headings((*botany(biblio), *found))
    if kind != "design":
        return found
    return tuple(replace(item, text=_FIGURE.sub(r"\g<0> ", item.text)) for item in found)


def _abstract(root: Element) -> str:
    texts = (text_of(item) for item in root.iterfind("abstract"))
    return "\n".join(text for text in texts if text)


def _type(biblio: Element, application: Element | None, identity: str) -> str:
    if biblio.find("us-sir-flag") is not None or identity.startswith("USH"):
        return _TYPES["sir"]
    given = application.get("appl-type", "").strip().lower() if application is not None else ""
    return _TYPES.get(given, given) or document_type(identity)


def _is_correction(biblio: Element) -> bool:
    filing = biblio.find("us-publication-filing-type")
    return filing is not None and any("correct" in str(child.tag) for child in filing)


def _filed(biblio: Element) -> str:
    """The filing date; of a design under the Hague Agreement, the international one if there is no other."""
    national = iso_date(st36.text_at(biblio, "application-reference/document-id/date"))
    return national or iso_date(st36.text_at(biblio, "hague-agreement-data/international-filing-date/date"))


def _application(reference: Element | None) -> str:
    number = st36.text_at(reference, "document-id/doc-number")
    return related_application(number, country=st36.text_at(reference, "document-id/country"))


def _classes(holder: Element | None) -> Iterator[Element]:
    for tag in ("main-classification", "further-classification"):
        yield from holder.iterfind(tag) if holder is not None else ()


def _ipc(biblio: Element) -> tuple[Symbol, ...]:
    """IPC symbols: in parts since 2006, before that in the fixed columns of the seventh edition, `H01L 2994`."""
    found = {item.symbol: item for item in st36.symbols(biblio.iterfind("classifications-ipcr/classification-ipcr"))}
    for old in biblio.iterfind("classification-ipc"):
        for item in _classes(old):
            symbol = fixed_symbol((item.text or "").strip())
            if symbol:
                is_first = item.tag == "main-classification"
                found.setdefault(symbol, Symbol(symbol, "first" if is_first else "later"))
    return tuple(found.values())


def _uspc(biblio: Element) -> tuple[str, ...]:
    """USPC symbols, read with their leading spaces because of their fixed columns."""
    return st36.unique(uspc_symbol(item.text or "") for item in _classes(biblio.find("classification-national")))


def _citations(biblio: Element) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    lists = (*biblio.iterfind("us-references-cited"), *biblio.iterfind("references-cited"))
    for item in (citation for references in lists for citation in references):
        if item.tag not in ("citation", "us-citation"):
            continue
        stated = item.find("category")
        category = "unknown" if stated is None else _CATEGORIES.get(line_of(stated), "other")
        cited = item.find("patcit")
        if cited is not None:
            number = st36.document_number(cited.find("document-id"), country="US")
            if number:
                patents.append(Citation(number, category))
            continue
        text = line_of(item.find("nplcit"))
        if text:
            texts.append(Literature(text, category))
    return tuple(patents), tuple(texts)


def _parties(biblio: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Applicants and assignees (companies if there are any, else persons), and inventors.

    Before 2012 the applicants of US patents were the inventors; they are applicants here only if there are no others.
    """
    inventors: list[str] = []
    owners: list[Element] = []
    persons: list[str] = []
    for holder in (*biblio.iterfind("us-parties"), *biblio.iterfind("parties")):
        inventors += [st36.person(item.find("addressbook")) for item in holder.iterfind("inventors/*")]
        for item in (*holder.iterfind("us-applicants/us-applicant"), *holder.iterfind("applicants/applicant")):
            if item.get("app-type") == "applicant-inventor":
                persons.append(st36.person(item.find("addressbook")))
            else:
                owners.append(item)
    owners += biblio.iterfind("assignees/assignee")
    companies = [_owner(item) for item in owners if next(item.iter("orgname"), None) is not None]
    return st36.unique((*inventors, *persons)), st36.unique(companies or [*map(_owner, owners)] or persons)


def _owner(item: Element) -> str:
    return st36.person(item.find("addressbook")) or st36.person(item)


def _priority(biblio: Element) -> str:
    """The earliest claimed date: foreign priority, provisional or parent application."""
    dates = [st36.text_at(item, "date") for item in biblio.iterfind("priority-claims/priority-claim")]
    related = biblio.find("us-related-documents")
    if related is not None:
        dates += [st36.text_at(item, "document-id/date") for item in related.iterfind("us-provisional-application")]
        dates += [st36.text_at(item, "document-id/date") for item in related.iterfind(".//parent-doc")]
    filed = _filed(biblio)
    # In the US the international filing date is the filing date: not a priority, unless it is earlier.
    pct = iso_date(st36.text_at(biblio, "pct-or-regional-filing-data/document-id/date"))
    first = st36.earliest([*dates, pct if pct < filed else ""])
    return min(first, filed) if filed else first


def _priority_numbers(biblio: Element) -> tuple[str, ...]:
    claimed = [
        application_number(st36.text_at(item, "doc-number"), country=st36.text_at(item, "country"))
        for item in biblio.iterfind("priority-claims/priority-claim")
    ]
    provisional = [
        _related(item) for item in biblio.iterfind("us-related-documents/us-provisional-application/document-id")
    ]
    return st36.unique((*claimed, *provisional))


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents, children and own other publications: by publication number if known, else by application number."""
    found: list[str] = []
    own = _application(biblio.find("application-reference"))
    for document in biblio.iterfind("us-related-documents//document-id"):
        holder = document.getparent()
        tag = str(holder.tag) if holder is not None else ""
        if tag == "us-provisional-application":
            continue
        if tag in _PUBLICATIONS:
            found.append(st36.document_number(document, country="US"))
        else:
            found.append(_related(document))
    found += [_related(item) for item in biblio.iterfind("pct-or-regional-filing-data/document-id")]
    for item in biblio.iterfind("pct-or-regional-publishing-data/document-id"):
        found.append(st36.document_number(item, country="WO"))
    found.append(st36.text_at(biblio, "hague-agreement-data/international-registration-number"))
    return tuple(item for item in st36.unique(found) if item != own)


def _related(document: Element) -> str:
    return related_application(st36.text_at(document, "doc-number"), country=st36.text_at(document, "country"))


READER = Reader(
    name="uspto-xml-v4",
    title="USPTO grants and applications, Red Book XML v4.0 to v4.7 (2005 to today), single or weekly",
    sniff=_sniff,
    split=xml_documents(*_ROOTS, *_COMPANIONS),
    parse=parse,
)
