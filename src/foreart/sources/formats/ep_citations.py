"""Citations of a European patent document: field 56, the search report, and the list of those in the description."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.patent import Citation, Literature
from foreart.errors import BadNumber
from foreart.identifiers.numbers import application_number, normalise, number_key
from foreart.sources.formats import st36
from foreart.sources.formats.citing import letters_of, merged, merged_literature, phase_of
from foreart.sources.markup.text import line_of
from foreart.sources.markup.xml import Element

Cited = Citation | Literature
_PARTS = re.compile(r"\b([A-Z]{2})\s?-\s?([A-Z]\d?)\s?-\s?([A-Z]{0,2}\s?\d[\d /]{2,18})")


def cited(root: Element, *, known: tuple[str, ...]) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    """Each cited document once, whatever its kind code: those of the search, then those of the applicant.

    `known` are the document's own application and priorities, which descriptions mention without citing them.
    """
    found = [*_field_56(root), *_search_report(root), *_reference_list(root, known)]
    return (
        merged((item for item in found if isinstance(item, Citation)), number_key),
        merged_literature(item for item in found if isinstance(item, Literature)),
    )


def literature_text(citation: Element) -> str:
    """A citation of literature as one line: its text, or its parts joined by commas."""
    text = st36.text_at(citation, "text")
    if text:
        return text
    parts = (" ".join(str(part).split()).strip(" ,;") for part in citation.itertext())
    return ", ".join(part for part in parts if part)


def _field_56(root: Element) -> Iterator[Cited]:
    """The documents on the title page of a specification, which are those of search and examination."""
    for item in root.iterfind(".//B560/B561"):
        text = st36.text_at(item, "text") or line_of(item)
        number = _number(text)
        if number:
            yield Citation(number, "examiner", phase="search")
        elif text:
            yield Literature(text, "examiner", phase="search")
    for item in root.iterfind(".//B560/B562"):
        yield Literature(literature_text(item), "examiner", phase="search")


def _number(text: str) -> str:
    try:
        return normalise(text)
    except BadNumber:
        found = _PARTS.search(text)  # a number with text around it
    try:
        return normalise(found[0]) if found else ""
    except BadNumber:
        return ""


def _search_report(root: Element) -> Iterator[Cited]:
    for report in root.iter("search-report-data"):
        for item in report.iter("citation"):
            word = item.get("cited-phase") or item.get("srep-phase") or report.get("srep-type") or "search"
            phase, category = phase_of(word, item.get("cited-by", ""))
            letters = letters_of(line_of(letter) for letter in item.iter("category"))
            patent, literature = item.find("patcit"), item.find("nplcit")
            number = "" if patent is None else _patent_number(patent)
            if number:
                yield Citation(number, category, letters, phase)
            elif literature is not None:
                yield Literature(literature_text(literature), category, letters, phase)


def _reference_list(root: Element, known: tuple[str, ...]) -> Iterator[Cited]:
    for references in root.iter("ep-reference-list"):
        for item in references.iter("patcit", "nplcit"):
            if item.tag == "nplcit":
                yield Literature(literature_text(item), "applicant", phase="description")
                continue
            number = _application(item) if item.get("dnum-type") == "L" else _patent_number(item)
            if number and number not in known:
                yield Citation(number, "applicant", phase="description")


def _patent_number(citation: Element) -> str:
    document = citation.find("document-id")
    if document is not None:
        return st36.document_number(document)
    return _number(citation.get("dnum", "") or st36.text_at(citation, "text"))


def _application(citation: Element) -> str:
    """A citation by application number (`dnum-type="L"`)."""
    document = citation.find("document-id")
    number = st36.text_at(document, "doc-number") or citation.get("dnum", "")
    return application_number(number, country=st36.text_at(document, "country") or number[:2]) if number else ""
