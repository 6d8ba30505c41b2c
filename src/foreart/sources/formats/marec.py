"""The research collections MAREC and CLEF-IP (2009 to 2013), and later feeds in Matrixware's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.claims import split_claims
from foreart.document.patent import Citation, Literature, Patent
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application
from foreart.identifiers.symbols import locarno_symbol, uspc_symbol
from foreart.sources.formats import st36
from foreart.sources.formats.citing import letters_of, merged, merged_literature, phase_of
from foreart.sources.formats.languages import Claims, in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element, parse_xml
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

_SNIFF = re.compile(rb"<patent-document\s[^<>]{0,600}\bucid\s*=|-//MXW//DTD patent-document")
_START = re.compile(rb"<patent-document[\s>]")
_PROLOG = re.compile(rb"^\s*<\?xml[^>]{0,200}\?>")
_END = re.compile(rb"</patent-document\s*>|<\?xml(?=[ \t\r\n])")
_STATUS = {"corrected": "corrected", "correction": "corrected", "deleted": "deleted", "withdrawn": "withdrawn"}
_SEVERAL = re.compile(
    r"^\s*+(?:claims?|patent\s?claims|anspr\u00fcche|revendications)?\s*+:?\s*+1\s?[.)]", re.IGNORECASE
)
# The text of the office is preferred over that of data suppliers.
_FORMATS = ("original", "intermediate", "epo")


def _sniff(head: bytes, name: str) -> bool:
    return _SNIFF.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _END, opens=b"<?")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one document, also if it is wrapped in a topic or a list; none for the text after the last."""
    start = _START.search(data)
    if start is None:
        if b"<patent-document" in data or not re.fullmatch(rb"(?:\s|</?[^<>]*>)*+", data):
            raise BadRecord("it has no <patent-document>")
        return
    prolog = _PROLOG.match(data)
    root = parse_xml((prolog[0] if prolog else b"") + data[start.start() :])
    found = root.find("bibliographic-data")
    biblio = root if found is None else found
    identity = _identity(root, biblio)
    if not identity:
        raise BadRecord("no publication number")
    technical = biblio.find("technical-data")
    yield _patent(root, biblio, biblio if technical is None else technical, identity)


def _patent(root: Element, biblio: Element, technical: Element, identity: str) -> Patent:
    language = _language(root)
    texts = in_language(language, _titles(biblio), _abstracts(root), _claims(root))
    application = biblio.find("application-reference")
    filed = iso_date(_date(application))
    own = _application(application)
    priorities = [item for item in _priorities(biblio, application) if not _is_own(item, filed)]
    citations, literature = _citations(technical)
    inventors = _names(biblio, "inventors/inventor")
    return Patent(
        id=identity,
        title=texts.title,
        abstract=texts.abstract,
        claims=texts.claims,
        description=st36.description(_section(root, "description", language)),
        published=iso_date(root.get("date")) or iso_date(_date(biblio.find("publication-reference"))),
        filed=filed,
        priority=st36.earliest((*(date for _, date in priorities), *_parents(biblio))),
        cpc=st36.symbols(technical.iterfind("classifications-cpc//classification-cpc")),
        ipc=st36.symbols(_ipc(technical)),
        uspc=_national(technical),
        locarno=st36.unique(
            locarno_symbol(line_of(item)) for item in technical.iterfind("classification-locarno/main-classification")
        ),
        applicants=owners((*_names(biblio, "applicants/applicant"), *_names(biblio, "assignees/assignee")), inventors),
        inventors=people(inventors),
        citations=citations,
        literature=literature,
        application_number=own,
        priority_numbers=st36.unique(number for number, _ in priorities),
        family_id=root.get("family-id", "").strip().removeprefix("-1"),
        family_refs=tuple(ref for ref in _relatives(biblio) if ref not in (identity, own)),
        language=language,
        document_type=document_type(identity),
        publication_status=_STATUS.get(root.get("status", "").strip().lower(), ""),
        translations=texts.translations,
    )


def _identity(root: Element, biblio: Element) -> str:
    """The id from the attributes, else from the `ucid` (`EP-1000000-A1`), else from the bibliographic data."""
    if root.get("doc-number", "").strip():
        return st36.publication_id(root.get("country", ""), root.get("doc-number", ""), root.get("kind", ""))
    return _ucid(root) or st36.document_number(biblio.find("publication-reference/document-id"))


def _ucid(element: Element) -> str:
    office, _, rest = element.get("ucid", "").strip().partition("-")
    number, _, kind = rest.partition("-")
    return st36.publication_id(office, number, kind) if number else ""


def _language(root: Element) -> str:
    given = (root.get("lang"), *(item.get("lang") for tag in ("description", "claims") for item in root.iterfind(tag)))
    return next(filter(None, map(language_code, given)), "")


def _section(root: Element, tag: str, language: str) -> Element | None:
    sections = root.findall(tag)
    same = (item for item in sections if language_code(item.get("lang")) == language)
    return next(same, sections[0] if sections else None)


def _titles(biblio: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in biblio.iter("invention-title"):
        if line_of(item):
            found.setdefault(language_code(item.get("lang")), line_of(item))
    return found


def _abstracts(root: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in root.iterfind("abstract"):
        if text_of(item):
            found.setdefault(language_code(item.get("lang")), text_of(item))
    return found


def _claims(root: Element) -> dict[str, Claims]:
    found: dict[str, Claims] = {}
    for item in root.iterfind("claims"):
        claims = _claim_set(item)
        if claims:
            found.setdefault(language_code(item.get("lang")), claims)
    return found


def _claim_set(element: Element) -> Claims:
    """The claims of a set; scanned documents have all of them in one element, with their printed numbers."""
    claims = element.findall(".//claim")
    text = text_of(claims[0] if len(claims) == 1 else element)
    if len(claims) <= 1 and _SEVERAL.match(text):
        several = split_claims(text)
        if len(several) > 1:
            return several
    if not claims:
        return split_claims(text) if text else ()
    return st36.claims(claims)


def _date(reference: Element | None) -> str:
    return st36.text_at(reference, "document-id/date")


def _application(reference: Element | None) -> str:
    """An application number; MAREC gives the series of US ones in an attribute, `us-series-code="6 "`."""
    if reference is None:
        return ""
    document = reference.find("document-id")
    number, office = st36.text_at(document, "doc-number"), st36.text_at(document, "country")
    series = reference.get("us-series-code", "").strip()
    if office == "US" and series.isdigit() and number.isdigit() and len(number) == 8:
        return f"US{series.zfill(2)}/{number[:6]}"
    if document is not None and document.get("format") == "original":
        return application_number(number, country=office) if number else ""
    return docdb_application(number, country=office, kind=st36.text_at(document, "kind")) if number else ""


def _priorities(biblio: Element, application: Element | None) -> list[tuple[str, str]]:
    """Numbers and dates, without the application itself, which DOCDB lists among its priorities.

    A claim in the format of the office (`format="original"`) repeats one in DOCDB's.
    """
    own = _parts(application)
    claims = [item for item in biblio.iterfind("priority-claims/priority-claim") if _parts(item) != own]
    docdb = [item for item in claims if item.find("document-id[@format='original']") is None]
    return [(_application(item), iso_date(_date(item))) for item in docdb or claims]


def _parts(reference: Element | None) -> tuple[str, ...]:
    return tuple(st36.text_at(reference, f"document-id/{part}") for part in ("country", "doc-number", "kind", "date"))


def _is_own(priority: tuple[str, str], filed: str) -> bool:
    """Whether a priority is the international application of this document."""
    return priority[0].startswith("PCT") and priority[1] == filed


def _related(biblio: Element) -> Iterator[Element]:
    for document in biblio.iterfind("related-documents//document-id"):
        if not any(holder.tag == "child-doc" for holder in document.iterancestors()):
            yield document


def _parents(biblio: Element) -> list[str]:
    return [st36.text_at(item, "date") for item in _related(biblio)]


def _relatives(biblio: Element) -> tuple[str, ...]:
    """Parents, family members, and the international publication of a regional document."""
    found: list[str] = []
    for document in biblio.iterfind("related-documents//document-id"):
        number, office = st36.text_at(document, "doc-number"), st36.text_at(document, "country")
        kind = st36.text_at(document, "kind")
        if len(kind) == 2:
            found.append(st36.publication_id(office, number, kind))
        elif number:
            found.append(docdb_application(number, country=office, kind=kind))
    for item in biblio.iterfind(".//pct-or-regional-publishing-data"):
        found.append(_ucid(item) or st36.document_number(item.find("document-id")))
    for member in biblio.iterfind(".//patent-family//family-member"):
        found.append(_ucid(member) or st36.document_number(member.find(".//document-id")))
    return st36.unique(found)


def _ipc(technical: Element) -> Iterator[Element]:
    yield from technical.iterfind("classifications-ipcr/classification-ipcr")
    for old in technical.iterfind("classification-ipc"):
        for tag in ("main-classification", "further-classification", "additional-info"):
            yield from old.iterfind(tag)


def _national(technical: Element) -> tuple[str, ...]:
    found: list[str] = []
    for item in technical.iterfind("classification-national"):
        if item.get("country", "US") == "US":
            symbols = (*item.iterfind("main-classification"), *item.iterfind("further-classification"))
            found.extend(uspc_symbol(symbol.text or "") for symbol in symbols)
    return st36.unique(found)


def _names(biblio: Element, path: str) -> list[str]:
    parties = biblio.findall(f"parties/{path}")
    for form in (*_FORMATS, None):
        names = [_name(item) for item in parties if item.get("format") == form]
        if any(names):
            return names
    return []


def _name(party: Element) -> str:
    book = party.find("addressbook")
    given = " ".join(filter(None, (st36.text_at(book, "first-name"), st36.text_at(book, "middle-name"))))
    family = st36.text_at(book, "last-name") or st36.text_at(book, "name") or st36.text_at(book, "orgname")
    return f"{family}, {given}" if given else family


def _citations(technical: Element) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    for item in (entry for group in technical.iter("citations") for entry in group.iter("patcit", "nplcit")):
        number = "" if item.tag == "nplcit" else _ucid(item) or st36.document_number(item.find("document-id"))
        text = st36.text_at(item, "text") or line_of(item)
        for source in item.findall(".//source") or [item]:
            phase, category = phase_of(
                source.get("name") or source.get("srep-phase") or source.get("cited-phase") or ""
            )
            letters = letters_of([source.get("category") or ""])
            if number:
                patents.append(Citation(number, category, letters, phase))
            elif text:
                texts.append(Literature(text, category, letters, phase))
    return merged(patents), merged_literature(texts)


READER = Reader(
    name="marec",
    title="MAREC and CLEF-IP 2009 to 2013 collections and topics, Matrixware patent-document XML, single or many",
    sniff=_sniff,
    split=_split,
    parse=parse,
    seen=False,
)
