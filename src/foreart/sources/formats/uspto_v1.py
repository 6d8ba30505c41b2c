"""USPTO applications of 2001 to 2004: PAP XML v1.5 and v1.6 (`<patent-application-publication>`), single or weekly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.claims import numbered_claim
from foreart.document.paragraphs import numbered, under_headings
from foreart.document.patent import Citation, Claim, Paragraph, Patent, Symbol
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number
from foreart.identifiers.symbols import class_symbol, uspc_symbol
from foreart.sources.formats.st36 import earliest, publication_id, text_at, unique
from foreart.sources.formats.uspto import botany, publication_status, related_application
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.record_splitting import xml_documents
from foreart.sources.reader import Reader

_ROOT = "patent-application-publication"
_SNIFF = re.compile(rb"<!DOCTYPE\s+patent-application-publication\b|<patent-application-publication[\s>]")
_BLOCKS = {"paragraph", "heading", "section"}
_PRINTED = re.compile(r"^[\[(]?\s*(\d{1,5})\s*[\])]?\.?$")


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document."""
    root = parse_xml(data)
    if root.tag != _ROOT:
        raise BadRecord(f"a <{root.tag}> instead of <{_ROOT}>")
    biblio = root.find("subdoc-bibliographic-information")
    document = biblio.find("document-id") if biblio is not None else None
    identity = _publication(document)
    if biblio is None or not identity:
        raise BadRecord("no publication number")
    domestic = biblio.find("domestic-filing-data")
    application = related_application(
        text_at(domestic, "application-number/doc-number"), series=text_at(domestic, "application-number-series-code")
    )
    technical = biblio.find("technical-information")
    filing_type = text_at(biblio, "publication-filing-type").lower()
    inventors, applicants = _parties(biblio)
    yield Patent(
        id=identity,
        title=text_at(technical, "title-of-invention"),
        abstract="\n".join(filter(None, (_text(item) for item in root.iterfind("subdoc-abstract/*")))),
        claims=_claims(root),
        description=under_headings((*botany(biblio), *_blocks(root.find("subdoc-description")))),
        published=iso_date(text_at(document, "document-date")),
        filed=iso_date(text_at(domestic, "filing-date")),
        priority=_priority(biblio),
        ipc=_ipc(technical),
        uspc=_uspc(technical),
        applicants=applicants,
        inventors=inventors,
        citations=_citations(biblio),
        application_number=application,
        priority_numbers=_priority_numbers(biblio),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref not in (identity, application)),
        language="en",
        document_type="plant" if "plant" in filing_type else document_type(identity),
        publication_status="corrected" if "correct" in filing_type else publication_status(identity),
    )


def _publication(document: Element | None) -> str:
    number = text_at(document, "doc-number")
    if document is None or not number:
        return ""
    country = text_at(document, "country-code") or text_at(document, "country") or "US"
    return publication_id(country, number, text_at(document, "kind-code"))


def _application(document: Element) -> str:
    country = text_at(document, "country-code") or text_at(document, "country")
    return related_application(text_at(document, "doc-number"), country=country)


def _text(element: Element) -> str:
    return "" if element.tag in ("heading", "image", "figure") else text_of(element)


def _claims(root: Element) -> tuple[Claim, ...]:
    found: list[Claim] = []
    for position, element in enumerate(root.iterfind("subdoc-claims//claim"), start=1):
        number = _claim_number(element.get("id", "")) or position
        parents = {
            _claim_number(target)
            for reference in element.iter("dependent-claim-reference")
            for target in re.split(r"[\s,]+", reference.get("depends_on", ""))
        }
        found.append(numbered_claim(number, text_of(element), parents=parents - {0}))
    return tuple(found)


def _claim_number(identity: str) -> int:
    match = re.match(r"CLM-0*(\d{1,5})$", identity.strip())
    return int(match[1]) if match else 0


def _blocks(parent: Element | None) -> Iterator[Paragraph]:
    """Headings and paragraphs in printed order; other elements are searched for them, else they are text."""
    for child in parent if parent is not None else ():
        if child.tag == "heading":
            yield Paragraph(line_of(child), is_heading=True)
        elif child.tag == "paragraph":
            yield _paragraph(child)
        elif any(item.tag in _BLOCKS for item in child):
            yield from _blocks(child)
        else:
            yield Paragraph(text_of(child))


def _paragraph(element: Element) -> Paragraph:
    """A paragraph without its printed number, which precedes the text as `[0012]` or `12.`."""
    number = element.find("number")
    printed = _PRINTED.match(line_of(number))
    text = text_of(element)
    if printed is None:
        return numbered(text)
    return Paragraph(text.removeprefix(line_of(number)).strip(), number=printed[1])


def _ipc(technical: Element | None) -> tuple[Symbol, ...]:
    if technical is None:
        return ()
    found: dict[str, Symbol] = {}
    for holder in technical.iterfind("classification-ipc/*"):
        for item in holder.iter("ipc"):
            symbol = class_symbol(line_of(item))
            if symbol:
                is_first = holder.tag == "classification-ipc-primary"
                found.setdefault(symbol, Symbol(symbol, "first" if is_first else "later"))
    return tuple(found.values())


def _uspc(technical: Element | None) -> tuple[str, ...]:
    if technical is None:
        return ()
    items = technical.iterfind("classification-us//uspc")
    return unique(uspc_symbol(f"{text_at(item, 'class'):>3}{text_at(item, 'subclass'):>3}") for item in items)


def _person(party: Element) -> str:
    organisation = text_at(party, "organization-name")
    if organisation:
        return organisation
    name = party.find("name")
    parts = ("given-name", "middle-name", "family-name", "name-suffix")
    return " ".join(filter(None, (text_at(party if name is None else name, part) for part in parts)))


def _parties(biblio: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Assignees (companies if there are any, else persons) and inventors."""
    inventors = unique(_person(party) for party in biblio.iterfind("inventors/*"))
    owners = [*biblio.iterfind("assignee"), *biblio.iterfind("assignees/assignee"), *biblio.iterfind("applicants/*")]
    companies = [_person(party) for party in owners if text_at(party, "organization-name")]
    return inventors, unique(companies or (_person(party) for party in owners))


def _citations(biblio: Element) -> tuple[Citation, ...]:
    """Patents that the applicant cites; a published application has no search report."""
    found = (_publication(item) for item in biblio.iterfind("references-cited//document-id"))
    return tuple(Citation(number, "applicant") for number in unique(found))


def _priority(biblio: Element) -> str:
    """The earliest claimed date: foreign priority, provisional, parent or international application."""
    dates = [text_at(item, "filing-date") for item in biblio.iterfind("foreign-priority-data")]
    for document in biblio.iterfind("continuity-data//document-id"):
        if _holder(document) not in ("child", "parent-patent"):
            dates.append(text_at(document, "document-date"))
    return earliest(dates)


def _holder(document: Element) -> str:
    parent = document.getparent()
    return str(parent.tag) if parent is not None else ""


def _is_provisional(document: Element) -> bool:
    return any(item.tag == "non-provisional-of-provisional" for item in document.iterancestors())


def _priority_numbers(biblio: Element) -> tuple[str, ...]:
    foreign = (
        application_number(
            text_at(item, "priority-application-number/doc-number") or text_at(item, "priority-application-number"),
            country=text_at(item, "country-code"),
        )
        for item in biblio.iterfind("foreign-priority-data")
    )
    related = biblio.iterfind("continuity-data//document-id")
    provisional = (_application(item) for item in related if _is_provisional(item) and _holder(item) != "child")
    return unique((*foreign, *provisional))


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents by application number and, if granted, by patent number; the document's own earlier publications."""
    found: list[str] = []
    for document in biblio.iterfind("continuity-data//document-id"):
        if _holder(document) == "parent-patent":
            found.append(_publication(document))
        elif not _is_provisional(document):
            found.append(_application(document))
    found += [_publication(document) for document in biblio.iterfind("prior-publication/document-id")]
    return unique(found)


READER = Reader(
    name="uspto-xml-v1",
    title="USPTO applications, PAP XML v1.5 and v1.6 (2001 to 2004), single or weekly",
    sniff=_sniff,
    split=xml_documents(_ROOT),
    parse=parse,
)
