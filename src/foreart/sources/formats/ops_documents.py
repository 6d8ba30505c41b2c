"""Parses one document of a response of the EPO's Open Patent Services, complete or in part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import numbered, plain_paragraphs, under_headings
from foreart.document.patent import Citation, Literature, Paragraph, Patent
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application, epodoc_application
from foreart.sources.formats import st36
from foreart.sources.formats.citing import letters_of, merged, merged_literature, phase_of
from foreart.sources.formats.languages import Claims, in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.markup.text import line_of, text_of
from foreart.sources.markup.xml import Element

_ORDER = ("docdb", "epodoc", "original")


def publication(reference: Element | None) -> str:
    """The publication number of a reference: DOCDB's with its kind code if it is given."""
    for document in _ids(reference):
        identity = st36.document_number(document)
        if identity:
            return identity
    return ""


def exchange_patent(document: Element) -> Patent:
    """The patent of an exchange-document: bibliographic data, abstract, or both."""
    biblio = document.find("bibliographic-data")
    if biblio is None:
        biblio = document
    given = (document.get("country", ""), document.get("doc-number", ""), document.get("kind", ""))
    identity = st36.publication_id(*given) if given[1] else publication(biblio.find("publication-reference"))
    if not identity:
        raise BadRecord("no publication number")
    titles = _by_language((item, line_of(item)) for item in biblio.iterfind("invention-title"))
    abstracts = _by_language(
        (item, text_of(item)) for item in (*document.iterfind("abstract"), *biblio.iterfind("abstract"))
    )
    language = _language(biblio, titles, abstracts)
    texts = in_language(language, titles, abstracts, {})
    citations, literature = _citations(biblio)
    inventors = _named(biblio, "inventor")
    return replace(
        _dated(biblio, identity),
        title=texts.title,
        abstract=texts.abstract,
        translations=texts.translations,
        language=language,
        cpc=st36.symbols(item for item, scheme in _schemes(biblio) if scheme.startswith("CPC")),
        ipc=st36.symbols(_ipc(biblio)),
        uspc=st36.unique(
            st36.text_at(item, "classification-symbol").replace(" ", "")
            for item, scheme in _schemes(biblio)
            if scheme in ("UC", "USPC")
        ),
        applicants=owners(_named(biblio, "applicant"), inventors),
        inventors=people(inventors),
        citations=citations,
        literature=literature,
        family_id=document.get("family-id", ""),
        document_type=document_type(identity),
    )


def listed_patent(member: Element, reference: Element) -> Patent:
    """The patent of a member in a family list; an empty id if it has no number."""
    return replace(_dated(member, publication(reference), reference), family_id=member.get("family-id", ""))


def fulltext_patent(document: Element) -> Patent:
    """The patent of a fulltext-document: description or claims, as plain text with one line per paragraph."""
    identity = publication(document.find("bibliographic-data/publication-reference"))
    if not identity:
        raise BadRecord("no publication number")
    descriptions = document.findall("description")
    claims: dict[str, Claims] = {}
    for item in document.iterfind("claims"):
        claims.setdefault(language_code(item.get("lang")), _claims(item))
    given = (item.get("lang") for item in (*descriptions, *document.iterfind("claims")))
    language = next(filter(None, map(language_code, given)), "")
    texts = in_language(language, {}, {}, claims)
    main = next((item for item in descriptions if language_code(item.get("lang")) == language), None)
    return Patent(
        id=identity,
        claims=texts.claims,
        description=() if main is None else under_headings(_paragraphs(main)),
        language=language,
        translations=texts.translations,
    )


def _ids(reference: Element | None) -> list[Element]:
    """The document-ids of a reference, DOCDB's first."""
    if reference is None:
        return []
    default = reference.get("data-format", "docdb")
    documents = [(item.get("document-id-type", default), item) for item in reference.iterfind("document-id")]
    known = [item for wanted in _ORDER for form, item in documents if form == wanted]
    return [*known, *(item for form, item in documents if form not in _ORDER)]


def _form(reference: Element, wanted: str) -> Element | None:
    return next((item for item in reference.iterfind("document-id") if item.get("document-id-type") == wanted), None)


def _dated(biblio: Element, identity: str, reference: Element | None = None) -> Patent:
    """Numbers and dates, without the application itself, which DOCDB lists among its priorities."""
    published = biblio.find("publication-reference") if reference is None else reference
    application = biblio.find("application-reference")
    filed = _date(application)
    own = _application(application)
    spellings = {st36.text_at(item, "doc-number") for item in _ids(application)} - {""}
    numbers: list[str] = []
    dates: list[str] = []
    for claim in biblio.iter("priority-claim"):
        number, date = _application(claim), _date(claim)
        same = number == own or any(st36.text_at(item, "doc-number") in spellings for item in _ids(claim))
        if not (same and date in ("", filed)) and not (number.startswith("PCT") and date == filed):
            numbers.append(number)
            dates.append(date)
    return Patent(
        id=identity,
        published=_date(published),
        filed=filed,
        priority=st36.earliest(dates),
        application_number=own,
        priority_numbers=st36.unique(numbers),
    )


def _date(reference: Element | None) -> str:
    return next(filter(None, (iso_date(st36.text_at(item, "date")) for item in _ids(reference))), "")


def _application(reference: Element | None) -> str:
    """An application number: DOCDB's, except for the US, where only the original has the series."""
    if reference is None:
        return ""
    docdb, epodoc, original = (_form(reference, form) for form in _ORDER)
    office = st36.text_at(docdb, "country") or st36.text_at(epodoc, "doc-number")[:2].upper()
    printed = st36.text_at(original, "doc-number")
    if printed and office.isalpha() and (office == "US" or (docdb is None and office != "WO")):
        return application_number(printed, country=office)
    if docdb is not None and st36.text_at(docdb, "doc-number"):
        return docdb_application(st36.text_at(docdb, "doc-number"), country=office, kind=st36.text_at(docdb, "kind"))
    if epodoc is not None and st36.text_at(epodoc, "doc-number"):
        return epodoc_application(st36.text_at(epodoc, "doc-number"))
    return application_number(printed, country="") if printed else ""


def _by_language(items: Iterable[tuple[Element, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for element, text in items:
        if text:
            found.setdefault(language_code(element.get("lang")), text)
    return found


def _language(biblio: Element, titles: dict[str, str], abstracts: dict[str, str]) -> str:
    """The stated language, or that of a single abstract or title: three titles of an EP document are no evidence."""
    stated = language_code(st36.text_at(biblio, "language-of-publication"))
    only = abstracts or titles
    return stated or (next(iter(only)) if len(only) == 1 else "")


def _schemes(biblio: Element) -> Iterator[tuple[Element, str]]:
    for item in biblio.iterfind("patent-classifications/patent-classification"):
        scheme = item.find("classification-scheme")
        yield item, "" if scheme is None else scheme.get("scheme", "")


def _ipc(biblio: Element) -> Iterator[Element]:
    yield from biblio.iterfind("classifications-ipcr/classification-ipcr")
    yield from biblio.iterfind("classification-ipc/text")


def _named(biblio: Element, role: str) -> list[str]:
    """Names as the office printed them, else as in DOCDB or EPODOC."""
    parties = biblio.findall(f"parties/{role}s/{role}")
    for form in ("original", "docdb", "docdba", "epodoc"):
        names = [st36.text_at(item, f"{role}-name/name") for item in parties if item.get("data-format") == form]
        if any(names):
            return names
    return [st36.text_at(item, f"{role}-name/name") or st36.text_at(item, "name") for item in parties]


def _citations(biblio: Element) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    for item in biblio.iterfind("references-cited/citation"):
        phase, category = phase_of(item.get("cited-phase") or item.get("srep-phase") or "", item.get("cited-by", ""))
        letters = letters_of(line_of(letter) for letter in item.iter("category"))
        number, literature = publication(item.find("patcit")), item.find("nplcit")
        if number:
            patents.append(Citation(number, category, letters, phase))
        elif literature is not None:
            text = st36.text_at(literature, "text") or line_of(literature)
            texts.append(Literature(text, category, letters, phase))
    return merged(patents), merged_literature(texts)


def _lines(element: Element) -> list[str]:
    """The lines of a plain text: OPS starts a new line for each paragraph or element."""
    text = text_of(element) if len(element) else element.text or ""
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def _claims(element: Element) -> Claims:
    """The claims, which OPS puts into one element, as one text each or one text for all, with printed numbers."""
    claims = element.findall("claim")
    if len(claims) > 1:
        if any(item.get("num") for item in claims):
            return st36.claims(claims)
        return numbered_claims("\n".join(line for text in _texts(item) for line in text) for item in claims)
    texts = [text for item in claims for text in _texts(item)]
    lines = [line for text in texts for line in text]
    if len(texts) > 1 and not any(line[:1].isdigit() for line in lines):
        return numbered_claims("\n".join(text) for text in texts)
    return split_claims("\n".join(lines))


def _texts(claim: Element) -> list[list[str]]:
    return [_lines(item) for item in claim.iterfind("claim-text")] or [_lines(claim)]


def _paragraphs(description: Element) -> Iterator[Paragraph]:
    for child in description:
        lines = _lines(child)
        if child.tag == "heading":
            yield Paragraph(" ".join(lines), is_heading=True)
        else:
            yield from block(lines)


def block(lines: list[str]) -> Iterator[Paragraph]:
    """The lines of one text: one paragraph if only the first has a printed number, else one paragraph per line."""
    first = numbered(lines[0]) if lines else Paragraph("")
    if first.number and not any(numbered(line).number for line in lines[1:]):
        yield replace(first, text="\n".join((first.text, *lines[1:])))
    else:
        yield from plain_paragraphs("\n".join(lines))
