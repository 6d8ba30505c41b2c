"""Saved pages of Google Patents: the layout with itemprop microdata, one or several in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from foreart.document.patent import Category, Citation, Literature, Patent, Position, Symbol, Translation, Value
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application, normalise, number_key
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats import google_html_2012
from foreart.sources.formats.google_html_text import language_of, parse_html, read_texts, translated_from
from foreart.sources.formats.st36 import unique
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element, as_utf8
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import split
from foreart.sources.opening.stream import Stream
from foreart.sources.reader import Reader

Props = dict[str, list[Element]]

_HTML = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_GOOGLE = re.compile(
    rb"itemprop=[\"']?publicationNumber|https?://patents\.google\.com/patent/[A-Z]{2}|" + google_html_2012.MARK.pattern,
    re.IGNORECASE,
)
_PAGE = re.compile(rb"<!doctype\s+html", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9._-]{1,40})", re.IGNORECASE)
_PATENT_LINK = re.compile(r"/patent/([A-Z]{2}[A-Z0-9]{2,24})(?:[/?#]|$)")
# Serial and year, as DOCDB gives them: without the series, so not an application number in normal form.
_DOCDB = re.compile(r"^US(\d{8})([A-Z])$")
_SECTIONS = ("abstract", "claims", "description")
# Parents, children, other publications of the family. "Priority Applications" lists those that share a priority.
_RELATIVES = (
    "pubs",
    "docdbFamily",
    "directAssociations",
    "applications",
    "parentApps",
    "childApps",
    "priorityApps",
    "priorApps",
    "appsClaimingPriority",
    "countryStatus",
)
_PRIORITIES = ("appsClaimingPriority", "priorApps", "priorityApps")
_LANGUAGES = {
    "arabic": "ar", "bulgarian": "bg", "chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl",
    "estonian": "et", "finnish": "fi", "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "hungarian": "hu",
    "italian": "it", "japanese": "ja", "korean": "ko", "norwegian": "no", "polish": "pl", "portuguese": "pt",
    "romanian": "ro", "russian": "ru", "serbian": "sr", "slovak": "sk", "slovenian": "sl", "spanish": "es",
    "swedish": "sv", "turkish": "tr", "ukrainian": "uk",
}  # fmt: skip


def _sniff(head: bytes, name: str) -> bool:
    return _HTML.search(head, 0, 4096) is not None and _GOOGLE.search(head) is not None


def _split(stream: Stream) -> Iterator[RawRecord]:
    return split(stream, _PAGE, opens=b"<")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one page, in the current or the older layout."""
    root = _tree(data)
    if google_html_2012.MARK.search(data):
        yield from google_html_2012.parse_page(root)
        return
    props: Props = {}
    for element in root.iter():
        name = element.get("itemprop")
        if name:
            props.setdefault(name, []).append(element)
    identity = _identity(root, props)
    country = identity[:2]
    own_application = _application(_first(props, "applicationNumber"), country)
    filed = _date(props, "filingDate")
    sections = {name: item for name in _SECTIONS for item in props.get(name, ()) if item.tag == "section"}
    language, source = language_of(sections), translated_from(sections)
    texts, original = read_texts(sections)
    title = _title(root, props)
    yield Patent(
        id=identity,
        title=title,
        abstract=texts.abstract,
        claims=texts.claims,
        description=texts.description,
        published=_date(props, "publicationDate"),
        filed=filed,
        priority=_date(props, "priorityDate"),
        cpc=_symbols(props, cpc=True),
        ipc=_symbols(props, cpc=False),
        applicants=_applicants(props),
        inventors=unique(line_of(item) for item in _own(props, "inventor")),
        citations=_citations(props, identity),
        literature=tuple(_literature(props)),
        application_number=own_application,
        priority_numbers=_priority_numbers(props, own_application, filed),
        family_id=_family_id(props),
        family_refs=_family(props, identity),
        language=language or (root.get("lang") or "").lower()[:2],
        document_type=document_type(identity),
        translations=(
            (Translation(_LANGUAGES.get(source.casefold(), ""), "", original.abstract, original.claims),)
            if original.abstract or original.claims
            else ()
        ),
    )


def _tree(data: bytes) -> Element:
    declared = _CHARSET.search(data, 0, 4096)
    text = as_utf8(data, declared[1].decode("ascii") if declared else "")
    return parse_html(text.removeprefix(b"\xef\xbb\xbf"))


def _identity(root: Element, props: Props) -> str:
    candidates = [line_of(item) for item in _own(props, "publicationNumber")]
    for link in root.iter("link"):
        match = _PATENT_LINK.search(link.get("href") or "") if link.get("rel") == "canonical" else None
        if match:
            candidates.append(match[1])
    candidates += [_meta(root, "citation_patent_publication_number"), _meta(root, "citation_patent_number")]
    for candidate in candidates:
        try:
            return normalise(candidate.replace(":", ""))
        except BadNumber:
            continue
    raise BadRecord("no publication number")


def _meta(root: Element, name: str) -> str:
    return next((item.get("content") or "" for item in root.iter("meta") if item.get("name") == name), "")


def _title(root: Element, props: Props) -> str:
    """The title without the number before it and the name of the site after it."""
    for text in (_first(props, "title"), _meta(root, "DC.title"), _first(props, "pageTitle")):
        flat = " ".join(text.split())
        flat = re.sub(r"\s*[-–|]\s*Google Patents$", "", flat)
        flat = re.sub(r"^[A-Z]{2}[A-Z0-9]{4,20}\s+[-–]\s+", "", flat)
        if flat:
            return flat
    return ""


def _scope(element: Element) -> Element | None:
    return next((item for item in element.iterancestors() if item.get("itemscope") is not None), None)


def _own(props: Props, name: str) -> list[Element]:
    """The values of the document itself, without those of the documents and events that the page lists."""
    found = []
    for item in props.get(name, ()):
        scope = _scope(item)
        if scope is None or scope.get("itemtype"):
            found.append(item)
    return found


def _first(props: Props, name: str) -> str:
    return next((line_of(item) for item in _own(props, name)), "")


def _date(props: Props, name: str) -> str:
    dates = (iso_date(item.get("datetime") or line_of(item)) for item in _own(props, name))
    return next((date for date in dates if date), "")


def _inside(row: Element, name: str) -> str:
    return next((line_of(item) for item in row.iter() if item.get("itemprop") == name), "")


def _flag(row: Element, name: str) -> bool:
    return any(item.get("itemprop") == name and item.get("content") == "true" for item in row.iter("meta"))


def _symbols(props: Props, *, cpc: bool) -> tuple[Symbol, ...]:
    """The leaves of the class trees; Google marks only the first."""
    found: dict[str, Symbol] = {}
    rows = [item for item in props.get("classifications", ()) if item.tag == "li" and _flag(item, "Leaf")]
    marked = any(_flag(row, "FirstCode") for row in rows)
    for row in rows:
        symbol = class_symbol(_inside(row, "Code"))
        if symbol and _flag(row, "IsCPC") is cpc:
            position: Position = "first" if _flag(row, "FirstCode") else "later"
            value: Value | None = "additional" if _flag(row, "Additional") else None
            found.setdefault(symbol, Symbol(symbol, position if marked else None, value))
    return tuple(found.values())


def _applicants(props: Props) -> tuple[str, ...]:
    """The original applicants; the current owners if the page does not give them. `Individual` is not a name."""
    for name in ("assigneeOriginal", "assigneeCurrent"):
        names = unique(line_of(item) for item in _own(props, name))
        if named := tuple(item for item in names if item.casefold() != "individual"):
            return named
    return ()


def _citations(props: Props, identity: str) -> tuple[Citation, ...]:
    """The citations of the document, then (phase `family`) those of its relatives only; each document once."""
    found: dict[str, Citation] = {}
    for name in ("backwardReferencesOrig", "backwardReferencesFamily", "backwardReferences"):
        for row in props.get(name, ()):
            category, of_family = _marks(row)
            try:
                cited = normalise(_inside(row, "publicationNumber"))
            except BadNumber:
                continue
            phase = "family" if of_family or name.endswith("Family") else ""
            if cited != identity:
                found.setdefault(number_key(cited), Citation(cited, category, phase=phase))
    return tuple(found.values())


def _marks(row: Element) -> tuple[Category, bool]:
    """Category and whether only the family cites, by the legend: * examiner, † third party, ‡ family; else unknown."""
    cell = next(row.iter("td"), row)
    marks = line_of(cell) + _inside(row, "examinerCited")
    if "*" in marks:
        return "examiner", "‡" in marks
    return ("other" if "†" in marks else "unknown"), "‡" in marks


def _literature(props: Props) -> Iterator[Literature]:
    seen: set[str] = set()
    for row in (*props.get("detailedNonPatentLiterature", ()), *props.get("nonPatentLiterature", ())):
        title = _inside(row, "title") or line_of(row)
        text = title.rstrip(" *†‡").strip('" ')
        category, of_family = _marks(row)
        if text and text not in seen:
            seen.add(text)
            yield Literature(text, category, phase="family" if of_family else "")


def _application(text: str, country: str) -> str:
    if not text:
        return ""
    docdb = _DOCDB.match(text)
    if docdb:
        return docdb_application(docdb[1], country="US", kind=docdb[2])
    prefix = re.match(r"[A-Z]{2}(?=\W?\d)", text)
    return application_number(text, country=prefix[0] if prefix else country)


def _priority_numbers(props: Props, own: str, filed: str) -> tuple[str, ...]:
    """Applications in the priority tables that are not this one and not later: the tables also list children."""
    found = []
    for row in _rows(props, _PRIORITIES):
        number = _application(_inside(row, "applicationNumber"), own[:2])
        date = iso_date(_inside(row, "filingDate"))
        if number != own and not (date and filed and date > filed):
            found.append(number)
    return unique(found)


def _family(props: Props, identity: str) -> tuple[str, ...]:
    """Publication numbers of relatives, or application numbers if the page gives no other."""
    found: list[str] = []
    own = _application(_first(props, "applicationNumber"), identity[:2])
    for row in _rows(props, _RELATIVES):
        published = _inside(row, "publicationNumber") or _inside(row, "representativePublication")
        try:
            found.append(normalise(published))
        except BadNumber:
            found.append(_application(_inside(row, "applicationNumber"), identity[:2]))
    return tuple(item for item in unique(found) if item not in (identity, own))


def _rows(props: Props, names: Iterable[str]) -> Iterator[Element]:
    for name in names:
        yield from props.get(name, ())


def _family_id(props: Props) -> str:
    for section in props.get("family", ()):
        for heading in section.iter("h2"):
            text = line_of(heading)
            if text.startswith("ID="):
                return text[3:].strip()
    return ""


READER = Reader(
    name="google-html",
    title="Google Patents, pages saved as HTML",
    sniff=_sniff,
    split=_split,
    parse=parse,
)
