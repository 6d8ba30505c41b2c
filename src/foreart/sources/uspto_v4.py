"""USPTO Red Book XML v4.0–v4.7: grants since 2005 and applications since 2005, single or in weekly files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.dates import iso_date
from foreart.errors import BadRecord
from foreart.numbers import application_number
from foreart.patent import Category, Citation, Literature, Patent
from foreart.sources import st36
from foreart.sources.cutting import xml_documents
from foreart.sources.markup import line_of, text_of
from foreart.sources.reader import Reader
from foreart.sources.xml import Element, parse_xml

_ROOTS = ("us-patent-grant", "us-patent-application")
# Sequence listings and tables stand between the grants of a weekly file as documents of their own.
_COMPANIONS = ("sequence-cwu", "us-megatable-doc", "table-cwu")
_SNIFF = re.compile(rb"<(?:us-patent-grant|us-patent-application)[\s>]")
_CATEGORIES: dict[str, Category] = {"cited by examiner": "examiner", "cited by applicant": "applicant"}
_TYPES = {"sir": "statutory invention registration"}


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document; none for a sequence listing."""
    root = parse_xml(data)
    if root.tag in _COMPANIONS:
        return
    if root.tag not in _ROOTS:
        raise BadRecord(f"a <{root.tag}> where a <us-patent-grant> or <us-patent-application> should be")
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
    yield Patent(
        id=identity,
        title=line_of(biblio.find("invention-title")),
        abstract=_abstract(root),
        claims=st36.claims(root.iterfind("claims/claim")),
        description=st36.description(root.find("description")),
        published=iso_date(st36.text_at(publication, "date")),
        filed=iso_date(st36.text_at(application, "document-id/date")),
        priority=_priority(biblio),
        cpc=st36.symbols(biblio.iterfind("classifications-cpc//classification-cpc")),
        ipc=st36.symbols(_ipc(biblio)),
        uspc=_uspc(biblio),
        locarno=st36.unique(line_of(item) for item in biblio.iterfind("classification-locarno/main-classification")),
        applicants=applicants,
        inventors=inventors,
        citations=citations,
        literature=literature,
        application_number=_application(application),
        priority_numbers=_priority_numbers(biblio),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref != identity),
        language=root.get("lang", "").lower(),
        document_type=_type(biblio, application, identity),
    )


def _abstract(root: Element) -> str:
    texts = (text_of(item) for item in root.iterfind("abstract"))
    return "\n".join(text for text in texts if text)


def _type(biblio: Element, application: Element | None, identity: str) -> str:
    if biblio.find("us-sir-flag") is not None or identity.startswith("USH"):
        return _TYPES["sir"]
    given = application.get("appl-type", "") if application is not None else ""
    return _TYPES.get(given, given) or "utility"


def _application(reference: Element | None) -> str:
    number = st36.text_at(reference, "document-id/doc-number")
    country = st36.text_at(reference, "document-id/country") or "US"
    return application_number(number, country=country) if number else ""


def _ipc(biblio: Element) -> Iterator[Element]:
    yield from biblio.iterfind("classifications-ipcr/classification-ipcr")
    for old in biblio.iterfind("classification-ipc"):
        yield from old.iterfind("main-classification")
        yield from old.iterfind("further-classification")


def _uspc(biblio: Element) -> tuple[str, ...]:
    national = biblio.find("classification-national")
    if national is None:
        return ()
    items = [*national.iterfind("main-classification"), *national.iterfind("further-classification")]
    return st36.unique(_uspc_symbol(item.text or "") for item in items)


def _uspc_symbol(text: str) -> str:
    """Three places of class, then the subclass: `  2 21` is class 2, subclass 21."""
    flat = text.rstrip()
    return f"{flat[:3].strip()}/{flat[3:].strip()}" if len(flat) > 3 else flat.strip()


def _citations(biblio: Element) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    lists = (*biblio.iterfind("us-references-cited"), *biblio.iterfind("references-cited"))
    for item in (citation for references in lists for citation in references):
        category = _CATEGORIES.get(st36.text_at(item, "category"), "unknown" if item.find("category") is None else "other")
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
    """Inventors, and applicants with assignees; before 2012 the US named the inventors as applicants."""
    inventors: list[str] = []
    owners: list[str] = []
    for item in (*biblio.iterfind("us-parties/inventors/inventor"), *biblio.iterfind("parties/inventors/inventor")):
        inventors.append(st36.person(item.find("addressbook")))
    for item in (*biblio.iterfind("us-parties/us-applicants/us-applicant"), *biblio.iterfind("parties/applicants/applicant")):
        name = st36.person(item.find("addressbook"))
        (inventors if item.get("app-type") == "applicant-inventor" else owners).append(name)
    for item in biblio.iterfind("assignees/assignee"):
        owners.append(st36.person(item.find("addressbook")) or st36.person(item))
    named = {name.casefold() for name in inventors}
    companies = [name for name in owners if name.casefold() not in named]
    return st36.unique(inventors), st36.unique(companies or owners)


def _priority(biblio: Element) -> str:
    """The earliest date claimed: foreign priority, provisional or parent application."""
    dates = [st36.text_at(item, "date") for item in biblio.iterfind("priority-claims/priority-claim")]
    related = biblio.find("us-related-documents")
    if related is not None:
        dates += [st36.text_at(item, "document-id/date") for item in related.iterfind("us-provisional-application")]
        dates += [st36.text_at(item, "document-id/date") for item in related.iterfind(".//parent-doc")]
    pct = biblio.find("pct-or-regional-filing-data")
    dates.append(st36.text_at(pct, "document-id/date"))
    filed = iso_date(st36.text_at(biblio, "application-reference/document-id/date"))
    first = st36.earliest(dates)
    return first if not filed or first < filed else filed


def _priority_numbers(biblio: Element) -> tuple[str, ...]:
    claimed = [
        application_number(st36.text_at(item, "doc-number"), country=st36.text_at(item, "country"))
        for item in biblio.iterfind("priority-claims/priority-claim")
    ]
    provisional = [
        application_number(st36.text_at(item, "doc-number"), country=st36.text_at(item, "country") or "US")
        for item in biblio.iterfind("us-related-documents/us-provisional-application/document-id")
    ]
    return st36.unique((*claimed, *provisional))


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents, children and own earlier publications, by publication number where it is known, else application number."""
    related = biblio.find("us-related-documents")
    if related is None:
        return ()
    found: list[str] = []
    own = _application(biblio.find("application-reference"))
    for document in related.iter("document-id"):
        holder = document.getparent()
        tag = holder.tag if holder is not None else ""
        if tag in ("us-provisional-application", ""):
            continue
        if tag in ("related-publication", "parent-grant-document"):
            found.append(st36.document_number(document, country="US"))
        else:
            number = st36.text_at(document, "doc-number")
            found.append(application_number(number, country=st36.text_at(document, "country") or "US") if number else "")
    return tuple(item for item in st36.unique(found) if item != own)


READER = Reader(
    name="uspto-xml-v4",
    title="USPTO grants and applications, Red Book XML v4.0 to v4.7 (2005 to today), single or weekly",
    sniff=_sniff,
    cut=xml_documents(*_ROOTS, *_COMPANIONS),
    parse=parse,
)
