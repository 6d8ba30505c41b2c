"""A report as BibLaTeX (`@patent`) or as plain BibTeX (`@misc`), with the search record in a comment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from foreart.document.reference import LiteratureForm
from foreart.report.forms.citation_text import is_us_publication, printed_number
from foreart.report.forms.report_data import NOTICE, ReportedDocument, ReportedLiterature, SearchReport
from foreart.report.writers.report_ris import document_notes, literature_notes
from foreart.report.writers.report_rows import record_rows

# BibTeX counts braces even after a backslash, so that a brace of a text is written as a command.
_LATEX = str.maketrans({
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
})  # fmt: skip
# Offices for which BibLaTeX has a word of its own: `patentus`, `patreqeu`.
_OFFICES = {"US": "us", "EP": "eu", "DE": "de", "FR": "fr", "GB": "uk"}
_LITERATURE: Mapping[LiteratureForm, str] = {
    "article": "article",
    "book": "book",
    "web page": "online",
    "other": "misc",
}
Fields = list[tuple[str, str]]
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def report_biblatex(report: SearchReport) -> bytes:
    """Entries of the type `@patent`, those of applications with the type `patreq…`."""
    return _file(report, "patent", _patent, "annotation")


def report_bibtex(report: SearchReport) -> bytes:
    """Entries of the type `@misc`, for styles that know no patents."""
    return _file(report, "misc", _misc, "annote")


def patent_type(item: ReportedDocument) -> str:
    """The BibLaTeX type of a document: a granted patent, or an application (`patreq`).

    >>> patent_type(ReportedDocument("US7585299B2", country="US", kind="B2"))
    'patentus'
    >>> patent_type(ReportedDocument("WO2007012345A1", country="WO", kind="A1"))
    'patreq'
    """
    application = item.kind.startswith("A") if item.country != "US" else is_us_publication(item.id)
    return f"{'patreq' if application else 'patent'}{_OFFICES.get(item.country, '')}"


def _patent(item: ReportedDocument) -> list[tuple[str, str]]:
    return [
        ("author", _people(item.inventors)),
        ("title", _escaped(item.title)),
        ("number", _escaped(item.id)),
        ("type", patent_type(item)),
        ("holder", " and ".join(f"{{{_escaped(name)}}}" for name in item.applicants)),
        ("location", _escaped(item.country)),
        ("date", item.published),
    ]


def _misc(item: ReportedDocument) -> list[tuple[str, str]]:
    year, month, day = (*item.published.split("-"), "", "")[:3]
    return [
        ("author", _people(item.inventors) or " and ".join(f"{{{_escaped(name)}}}" for name in item.applicants)),
        ("title", _escaped(item.title)),
        ("howpublished", _escaped(f"Patent {printed_number(item.id)}")),
        ("year", year),
        ("month", _month(month)),
        ("day", day),
    ]


def _shared(report: SearchReport, item: ReportedDocument) -> list[tuple[str, str]]:
    return [
        ("abstract", _escaped(item.abstract) if report.contents.abstracts else ""),
        ("keywords", ", ".join(map(_escaped, dict.fromkeys((*item.cpc, *item.ipc))))),
    ]


def _file(report: SearchReport, kind: str, fields: Callable[[ReportedDocument], Fields], note: str) -> bytes:
    """The search record as a comment, an entry for each document, and one for each of the other literature."""
    text = [_comment([("notice", NOTICE), *((f"{part}, {name}", value) for part, name, value in record_rows(report))])]
    keys: set[str] = set()
    for item, notes in zip(report.documents, document_notes(report), strict=True):
        own = [*fields(item), *_shared(report, item), (note, "; ".join(map(_escaped, notes)))]
        text.append(_entry(kind, _key(item.id, keys), own))
    for place, other in enumerate(report.literature, start=1):
        own = [
            *_literature(other, plain=kind == "misc"),
            (note, "; ".join(map(_escaped, literature_notes(report, other)))),
        ]
        text.append(_entry(_literature_kind(other, kind == "misc"), _key(f"npl{place}", keys), own))
    return "\n".join(text).encode("utf-8", "replace")


def _literature_kind(item: ReportedLiterature, plain: bool) -> str:
    if item.reference is None:
        return "misc"
    kind = _LITERATURE.get(item.reference.form, "misc")
    return "misc" if plain and kind == "online" else kind


def _literature(item: ReportedLiterature, *, plain: bool) -> Fields:
    """The fields of literature; `plain` BibTeX has other names for some."""
    known = item.reference
    if known is None:
        return [("title", _escaped(item.text))]
    year, month = (*known.published.split("-"), "")[:2]
    name = ("journal" if plain else "journaltitle") if known.form == "article" else "howpublished"
    date = [("year", year), ("month", _month(month))] if plain else [("date", known.published)]
    linked = "url" if "://" in known.identifier else "doi"
    return [
        ("author", _people(known.authors)),
        ("title", _escaped(known.title)),
        (name, _escaped(known.item)),
        *date,
        ("volume", _escaped(known.volume)),
        ("pages", _escaped(known.pages)),
        ("publisher", _escaped(known.publisher)),
        ("address" if plain else "location", _escaped(known.place)),
        (linked, _escaped(known.identifier)),
    ]


def _month(number: str) -> str:
    return _MONTHS[int(number) - 1] if number.isdigit() and 1 <= int(number) <= len(_MONTHS) else ""


def _comment(rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"  {_escaped(name)}: {_escaped(value)}\n" for name, value in rows if value)
    return f"@comment{{\n{lines}}}\n"


def _entry(kind: str, key: str, fields: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def _key(number: str, used: set[str]) -> str:
    """A key of letters and digits that no other entry has."""
    base = re.sub(r"[^A-Za-z0-9]", "", number) or "document"
    key = next(name for name in _numbered(base) if name not in used)
    used.add(key)
    return key


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}x{number}"
        number += 1


def _people(names: Iterable[str]) -> str:
    """Names joined as BibTeX does; one that has `and` in it, or a comma too many, is kept together by braces."""
    return " and ".join(_person(name) for name in names)


def _person(name: str) -> str:
    text = _escaped(name)
    return f"{{{text}}}" if re.search(r"\band\b", text) or text.count(",") > 1 else text


def _escaped(text: str) -> str:
    """A text on one line without anything that TeX would execute."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split()).translate(_LATEX)
