"""USPTO Patent Public Search (ppubs) JSON: documents, single, in an array, or as search results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from foreart.document.paragraphs import under_headings
from foreart.document.patent import Citation, Literature, Paragraph, Patent, Position, Symbol, Value
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, number_key, parse_number
from foreart.identifiers.symbols import class_symbol, locarno_symbol, uspc_symbol
from foreart.sources.formats import st36, uspto_text
from foreart.sources.formats.ppubs_text import line_of, lines_of, section
from foreart.sources.formats.uspto import publication_status
from foreart.sources.formats.uspto_text import Relative
from foreart.sources.markup.json_object import load
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import json_values
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

Record = Mapping[str, Any]

_SNIFF = re.compile(
    rb'"(?:publicationReferenceDocumentNumber|idWithoutSolrPartition)"\s*:|"guid"\s*:\s*"[A-Z]{2}-[A-Z0-9]+-[A-Z]\d?"'
)
_RESULTS = re.compile(rb'"(?:docs|patents|results)"\s*:\s*(?=\[)')
_SERIAL = re.compile(r"(?:PCT/\S+|[\dD]\d?/?\d{6}|\d{6,8})$")
_CODED = re.compile(r"us-provisional-application|parent-doc|child-doc|\bparent US\b|\bchild US\b|parent-grant-document")
_SECTIONS = ("backgroundTextHtml", "governmentInterest", "briefHtml", "drawingDescription", "descriptionHtml")
# The office's placeholder for documents that exist only as scanned pages.
_NO_TITLE = "OCR SCANNED DOCUMENT"
_POSITIONS: dict[str, Position] = {"F": "first", "L": "later"}
_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}


def _sniff(head: bytes, name: str) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") and _SNIFF.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    """One record per document, also if documents are in a list inside the response of a search."""
    results = _RESULTS.search(stream.head)
    skip = results.end() if results and b'"guid"' not in stream.head[: results.start()] else 0
    stream.read(skip)
    for record in json_values(stream):
        yield replace(record, offset=record.offset + skip)


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document; none for an object that is not a document (metadata of a search)."""
    record = load(data)
    if not {"guid", "inventionTitle", "publicationReferenceDocumentNumber", "documentId"} & record.keys():
        return
    identity = _identity(record)
    filed = iso_date(_first(record, "applicationFilingDate", "applicationFilingDateInt"))
    # The filing date of an application under the PCT is that of the international one: not a priority.
    relatives = [replace(item, filed="") if item.filed == filed else item for item in _relatives(record)]
    claimed = list(_claimed(record))
    own = uspto_text.application(_first(record, "applicationNumber", "applicationSeriesAndNumber"))
    title = line_of(_first(record, "inventionTitle"))
    yield Patent(
        id=identity,
        title="" if title == _NO_TITLE else title,
        abstract="\n".join(lines_of(_first(record, "abstractHtml"))),
        claims=uspto_text.claims_of(lines_of(_first(record, "claimsHtml"))),
        description=under_headings(_description(record)),
        published=iso_date(_first(record, "datePublished", "datePublSearch", "datePublYear")),
        filed=filed,
        priority=uspto_text.priority_date([item.filed for item in (*claimed, *relatives)], filed),
        cpc=_cpc(record),
        ipc=_ipc(record),
        uspc=_uspc(record),
        locarno=st36.unique(locarno_symbol(text) for text in _locarno(record) if not class_symbol(text)),
        applicants=uspto_text.owners(map(line_of, (*_texts(record, "applicantName"), *_texts(record, "assigneeName")))),
        inventors=st36.unique(uspto_text.person(line_of(name)) for name in _texts(record, "inventorsName")),
        citations=tuple(item for item in _citations(record) if number_key(item.id) != number_key(identity)),
        literature=tuple(_literature(record)),
        application_number=own,
        priority_numbers=st36.unique(item.application for item in (*claimed, *relatives) if _is_priority(item)),
        family_id=_first(record, "familyIdentifierCur", "familyIdentifierCurStr"),
        family_refs=st36.unique(ref for ref in _family(record, relatives) if ref not in (own, identity)),
        language=(_first(record, "languageIndicator") or "en").lower()[:2],
        document_type=_type(record, identity),
        publication_status=publication_status(identity),
    )


def _texts(record: Record, key: str) -> list[str]:
    """The values of a key, as a list; the site writes `N/A` and `[]` for none."""
    value = record.get(key)
    items = value if isinstance(value, list) else [value]
    texts = (str(item).strip() for item in items if isinstance(item, str | int | float) and item)
    return [text for text in texts if text not in ("", "N/A", "[]")]


def _aligned(record: Record, key: str) -> list[str]:
    """A list that is parallel to others: no item is dropped."""
    value = record.get(key)
    return [str(item or "") for item in value] if isinstance(value, list) else []


def _first(record: Record, *keys: str) -> str:
    return next((text for key in keys for text in _texts(record, key)), "")


def _identity(record: Record) -> str:
    for key in ("guid", "documentId"):
        try:
            return str(parse_number(line_of(_first(record, key))))
        except BadNumber:
            continue
    number = _first(record, "publicationReferenceDocumentNumber", "pubRefDocNumber", "patentNumber")
    if not number:
        raise BadRecord("no publication number")
    return st36.publication_id(
        _first(record, "country") or "US", number, _first(record, "kindCode", "applicationKindCode")
    )


def _description(record: Record) -> Iterator[Paragraph]:
    related = " ".join(_texts(record, "continuityData"))
    if related.rstrip(" \n</>br").endswith(".") and not _CODED.search(related):
        yield from (Paragraph(line) for line in lines_of(related))
    for key in _SECTIONS:
        # Only here are line breaks of the text significant.
        texts = (text.replace("\n", "<br/>") if key == _SECTIONS[0] else text for text in _texts(record, key))
        yield from section([line for text in texts for line in lines_of(text)])


def _cpc(record: Record) -> tuple[Symbol, ...]:
    """CPC symbols as published, then those added later: `H H04R H04R2420/07 20130101 L A B H 20230112 US`."""
    groups = [*_texts(record, "cpcOrigClassificationGroup"), *_texts(record, "cpcCurClassificationGroup")]
    items = [(parts[2], *parts[4:6]) for parts in (text.split() for text in groups) if len(parts) > 5]
    lists = (
        ("cpcInventive", "I"),
        ("cpcAdditional", "A"),
        ("cpcInventiveFlattened", "I"),
        ("cpcAdditionalFlattened", "A"),
    )
    items += [(text, "", value) for key, value in lists for text in _list(record, key)]
    return _symbols(items)


def _ipc(record: Record) -> tuple[Symbol, ...]:
    """IPC symbols as published (for old patents, in the field of design classes), then the current ones."""
    groups = (text.split() for text in _texts(record, "intlPubClassificationGroup"))
    items = [(parts[3], *parts[4:6]) for parts in groups if len(parts) > 5]
    items += [(text, "", "") for text in (*_locarno(record), *_texts(record, "internationalClassificationMain"))]
    lists = (
        ("intlPubClassificationPrimary", "F", "I"),
        ("intlPubClassificationSecondary", "L", "I"),
        ("intlPubClassificationNonInvention", "L", "N"),
        ("intlFurtherClassification", "L", ""),
        ("curIntlPatentClassificationPrimary", "F", "I"),
        ("curIntlPatentClassificationSecondary", "L", "I"),
        ("curIntlPatentClassificationNoninvention", "L", "N"),
        ("ipcCodeFlattened", "", ""),
    )
    items += [(text, position, value) for key, position, value in lists for text in _list(record, key)]
    return _symbols(items)


def _list(record: Record, key: str) -> list[str]:
    return [part for text in _texts(record, key) for part in text.split(";")]


def _locarno(record: Record) -> list[str]:
    return [*_texts(record, "locarnoMainClassification"), *_texts(record, "locarnoClassification")]


def _symbols(items: Iterable[tuple[str, ...]]) -> tuple[Symbol, ...]:
    """Distinct symbols, starting with the one marked as first; only one can be first."""
    found: dict[str, Symbol] = {}
    for text, position, value in items:
        symbol = class_symbol(text)
        if symbol and symbol not in found:
            has_first = any(item.position == "first" for item in found.values())
            rank = _POSITIONS.get("L" if has_first and position == "F" else position)
            found[symbol] = Symbol(symbol, rank, _VALUES.get(value))
    return tuple(sorted(found.values(), key=lambda item: item.position != "first"))


def _uspc(record: Record) -> tuple[str, ...]:
    keys = (
        "issuedUsOrigClassification",
        "issuedUsCrossRefClassification",
        "currentUsOriginalClassification",
        "currentUsCrossReferenceClassification",
        "uspcFullClassificationFlattened",
    )
    texts = (uspc_symbol(text) for key in keys for text in _list(record, key))
    return st36.unique(text for text in texts if text != "1/1")  # the class of documents that are no longer classified


def _citations(record: Record) -> Iterator[Citation]:
    groups = _texts(record, "usRefGroup")
    for text in groups or _texts(record, "urpn"):
        described, category = uspto_text.cited_by(text)
        number = uspto_text.cited_patent(described, "US")
        if number:
            yield Citation(number, category)
    countries, numbers = _aligned(record, "foreignRefCountryCode"), _aligned(record, "foreignRefPatentNumber")
    for text, country in zip_longest(_aligned(record, "foreignRefGroup") or numbers, countries, fillvalue=""):
        described, category = uspto_text.cited_by(text)
        number = uspto_text.cited_patent(described, country)
        if number:
            yield Citation(number, category)
    keys = (
        "refCitedPatentDocCountryCode",
        "refCitedPatentDocNumber",
        "refCitedPatentDocKindCode",
        "referenceCitedSearchPhase",
    )
    for country, number, kind, phase in zip_longest(*(_aligned(record, key) for key in keys), fillvalue=""):
        if number:
            yield Citation(st36.publication_id(country or "US", number, kind), phase=phase)


def _literature(record: Record) -> Iterator[Literature]:
    for text in (*_texts(record, "otherRefPub"), *_texts(record, "refCitedOthers")):
        for line in lines_of(text):
            yield Literature(*uspto_text.cited_by(line))


def _claimed(record: Record) -> Iterator[Relative]:
    """Claimed foreign priorities."""
    keys = ("priorityClaimsCountry", "priorityClaimsDocNumber", "priorityClaimsDate")
    for country, number, date in zip_longest(*(_aligned(record, key) for key in keys), fillvalue=""):
        yield Relative(application_number(number, country=country) if number else "", iso_date(date))


def _relatives(record: Record) -> Iterator[Relative]:
    """Parents, provisionals and the international application; numbers and dates are in parallel lists."""
    for key in (
        "relatedApplNumber",
        "pctFilingNumber",
        "relatedApplChildPatentNumber",
        "reissueApplNumber",
        "reissuedPatentApplNumber",
    ):
        for text in _texts(record, key):
            serial = _SERIAL.search(text)
            yield Relative(uspto_text.application(serial[0]) if serial else "")
    for key in ("relatedApplPatentNumber", "reissueParentNumber"):
        yield from (Relative(publication=uspto_text.cited_patent(text, "US")) for text in _texts(record, key))
    dates = _texts(record, "relatedApplFilingDate")
    for date in (*dates, *_texts(record, "pctFilingDate"), *_texts(record, "reissuedPatentApplFilingDate")):
        yield Relative(filed=iso_date(date))
    if not dates:
        yield from uspto_text.provisionals(line_of(" ".join(_texts(record, "continuityData"))))


def _is_priority(item: Relative) -> bool:
    """Foreign priorities and provisionals; a US parent or PCT application is a relative."""
    return uspto_text.is_provisional(item.application) or not item.application.startswith(("US", "PCT"))


def _family(record: Record, relatives: Iterable[Relative]) -> Iterator[str]:
    for item in relatives:
        if not uspto_text.is_provisional(item.application):
            yield item.application
        yield item.publication
    for text in _texts(record, "priorPublishedDocIdentifier") or _texts(record, "priorPublishedDocNumber"):
        yield uspto_text.cited_patent(line_of(text), "US")
    for text in _texts(record, "pctPubNumber") or _texts(record, "pctPubDocIdentifier"):
        yield uspto_text.cited_patent(text, "WO")


def _type(record: Record, identity: str) -> str:
    """The document type by the number, which is more reliable than the site's, which calls plants utility patents."""
    by_number = document_type(identity)
    return (
        by_number
        if by_number not in ("", "utility")
        else _first(record, "applicationRefFilingType").lower() or "utility"
    )


READER = Reader(
    name="uspto-ppubs",
    title="USPTO Patent Public Search (ppubs) JSON: documents or search results",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
