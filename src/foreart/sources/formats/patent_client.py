"""EPO documents saved as JSON by the Python library patent_client: biblio, claims, description, family."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import under_headings
from foreart.document.patent import Citation, Paragraph, Patent, Symbol, Value
from foreart.errors import BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application, epodoc_application, normalise
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats import st36
from foreart.sources.formats.citing import merged, phase_of
from foreart.sources.formats.languages import in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.formats.ops_documents import block
from foreart.sources.markup.json_object import load, mappings, objects, string
from foreart.sources.reader import Reader

Object = Mapping[str, Any]

_DOCUMENTS = re.compile(rb'"(?:publication|application)_reference_docdb"\s*:')
_MEMBERS = re.compile(rb'"family_members"\s*:\s*\[\s*\{')
_TEXT = re.compile(rb'^[\s\xef\xbb\xbf\[]*\{\s*"document_id"\s*:\s*\{[^{}]{0,400}"doc_number"')
# The library joins claims without a space: `…green bricks.2. Apparatus as claimed in claim 1`.
_GLUED = re.compile(r"(?<=[.;:])(?=\d{1,3}\. )")
_VALUES: dict[str, Value] = {"I": "inventive", "A": "additional", "N": "additional"}


def _sniff(head: bytes, name: str) -> bool:
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n[").startswith(b"{"):
        return False
    return any(pattern.search(head) for pattern in (_DOCUMENTS, _MEMBERS, _TEXT))


def parse(data: bytes) -> Iterator[Patent]:
    """The documents of one saved response."""
    answer = load(data)
    if "document_id" in answer:
        yield _full_text(answer)
    elif "family_members" in answer:
        yield from _family(_objects(answer, "family_members"))
    else:
        for document in _objects(answer, "documents") or [answer]:
            yield _document(document)


def _full_text(answer: Object) -> Patent:
    document = _object(answer, "document_id")
    number = _text(document, "doc_number") or _text(document, "number")
    if not number:
        raise BadRecord("no publication number")
    running = split_claims(_GLUED.sub("\n", _text(answer, "claim_text")))
    listed = numbered_claims(
        f"{item.get('number')}. " + "\n".join(map(str, item.get("limitations") or [_text(item, "text")]))
        for item in _objects(answer, "claims")
    )
    return Patent(
        id=st36.publication_id(_text(document, "country"), number, _text(document, "kind")),
        claims=running if len(running) > len(listed) else listed,
        description=under_headings(_description(_text(answer, "description"))),
    )


def _description(text: str) -> Iterator[Paragraph]:
    """The paragraphs, separated by empty lines; lines within a paragraph are items of a list."""
    for part in re.split(r"\n[ \t]*\n", text):
        yield from block([line for line in (" ".join(line.split()) for line in part.splitlines()) if line])


def _document(document: Object) -> Patent:
    identity = _identity(document)
    titles = {language_code(_text(item, "lang")): _text(item, "text") for item in _objects(document, "titles")}
    texts = in_language("", titles or {"": _text(document, "title")}, {}, {})
    inventors = _names(document, "inventors")
    return replace(
        _dated(document, identity),
        title=texts.title,
        abstract=_text(document, "abstract"),
        translations=texts.translations,
        cpc=_symbols(document.get("cpc_class")),
        ipc=_symbols(document.get("intl_class")),
        uspc=st36.unique(str(item) for item in document.get("us_class") or ()),
        applicants=owners(_names(document, "applicants"), inventors),
        inventors=people(inventors),
        citations=merged(_citations(document)),
        document_type=document_type(identity),
    )


def _family(members: Sequence[Object]) -> Iterator[Patent]:
    ids = [_identity(member) for member in members]
    for identity, member in zip(ids, members, strict=True):
        yield replace(_dated(member, identity), family_refs=st36.unique(other for other in ids if other != identity))


def _identity(document: Object) -> str:
    for number in (*_references(document, "publication_reference"), document):
        text = _text(number, "number") or _text(number, "doc_number")
        if text:
            return st36.publication_id(_text(number, "country"), text, _text(number, "kind"))
    text = _text(document, "publication_number")
    if not text:
        raise BadRecord("no publication number")
    return normalise(text)


def _dated(document: Object, identity: str) -> Patent:
    """Numbers and dates, without the application's own number among its priorities."""
    published = (_text(item, "date") for item in _references(document, "publication_reference"))
    references = list(_references(document, "application_reference"))
    filed = next(filter(None, (iso_date(_text(item, "date")) for item in references)), "")
    own = {_text(item, "number") for item in references} - {""}
    claimed = [claim for claim in _priorities(document) if not any(_text(form, "number") in own for form in claim)]
    return Patent(
        id=identity,
        published=next(filter(None, map(iso_date, published)), ""),
        filed=filed,
        priority=st36.earliest(_text(form, "date") for claim in claimed for form in claim),
        application_number=_application(references),
        priority_numbers=st36.unique(map(_application, claimed)),
        family_id=_text(document, "family_id"),
    )


def _priorities(document: Object) -> list[list[Object]]:
    """The priority claims, each in all its formats: one in the format of the office follows the one it repeats."""
    claims: list[list[Object]] = []
    for item in _objects(document, "priority_claims"):
        form = _object(item, "application_reference") or item
        if claims and _text(form, "id_type") == "original":
            claims[-1].append(form)
        else:
            claims.append([form])
    return claims


def _references(document: Object, name: str) -> Iterator[Object]:
    yield from _objects(document, name)
    for form in ("_docdb", "_epodoc", "_original"):
        reference = _object(document, f"{name}{form}")
        if reference:
            yield reference


def _application(references: Sequence[Object]) -> str:
    """An application number: DOCDB's, except for the US, where only the original has the series."""
    forms = {_text(item, "id_type"): item for item in references if _text(item, "number")}
    docdb, epodoc, original = (forms.get(form, {}) for form in ("docdb", "epodoc", "original"))
    office = _text(docdb, "country") or _text(epodoc, "number")[:2].upper()
    if original and office.isalpha() and (office == "US" or (not docdb and office != "WO")):
        return application_number(_text(original, "number"), country=office)
    if docdb:
        return docdb_application(_text(docdb, "number"), country=office, kind=_text(docdb, "kind"))
    return epodoc_application(_text(epodoc, "number")) if epodoc else ""


def _symbols(items: Iterable[object] | None) -> tuple[Symbol, ...]:
    found: dict[str, Symbol] = {}
    for item in items or ():
        symbol = class_symbol(str(item))
        value = _VALUES.get(str(item)[-1:]) if str(item)[-2:-1] == " " else None
        if symbol:
            found.setdefault(symbol, Symbol(symbol, None, value))
    return tuple(found.values())


def _names(document: Object, role: str) -> list[str]:
    return [str(name) for name in document.get(f"{role}_original") or document.get(f"{role}_epodoc") or ()]


def _citations(document: Object) -> Iterator[Citation]:
    for item in _objects(document, "citations"):
        cited = _object(item, "docdb") or _object(item, "epodoc") or _object(item, "original")
        phase, category = phase_of(_text(item, "cited_phase"), _text(item, "cited_by"))
        if _text(cited, "number"):
            number = st36.publication_id(_text(cited, "country"), _text(cited, "number"), _text(cited, "kind"))
            yield Citation(number, category, _text(item, "category"), phase)


def _text(record: Object, key: str) -> str:
    return string(record.get(key))


def _object(record: Object, key: str) -> Object:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _objects(record: Object, key: str) -> list[dict[str, Any]]:
    return mappings(record.get(key))


READER = Reader(
    name="patent-client-json",
    title="EPO documents saved as JSON by the library patent_client: biblio, claims, description, family",
    sniff=_sniff,
    split=objects,
    parse=parse,
)
