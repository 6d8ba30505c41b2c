"""Normalises category, phase and relevance letters of citations in the EPO's data products."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from foreart.document.patent import CATEGORIES, Category, Citation, Literature

_SEARCH: tuple[str, Category] = ("search", "examiner")
_INTERNATIONAL: tuple[str, Category] = ("international search", "examiner")
_SUPPLEMENTARY: tuple[str, Category] = ("supplementary search", "examiner")
_EXAMINATION: tuple[str, Category] = ("examination", "examiner")
_PRELIMINARY: tuple[str, Category] = ("international preliminary examination", "examiner")
_OPPOSITION: tuple[str, Category] = ("opposition", "other")
_THIRD_PARTY: tuple[str, Category] = ("third party observation", "other")
_APPEAL: tuple[str, Category] = ("appeal", "other")
_APPLICATION: tuple[str, Category] = ("application", "applicant")

# The codes of DOCDB and MAREC, and the words of OPS and ST.36.
PHASES: dict[str, tuple[str, Category]] = {
    **dict.fromkeys(("sea", "search", "search-report", "national-search-report", "national-search"), _SEARCH),
    **dict.fromkeys(("isr", "international-search-report", "international-search"), _INTERNATIONAL),
    **dict.fromkeys(("sup", "supplementary-search-report", "supplementary-search", "supplementary"), _SUPPLEMENTARY),
    **dict.fromkeys(("exa", "examination", "national-examination"), _EXAMINATION),
    **dict.fromkeys(("ch2", "chapter2", "chapter-2"), _PRELIMINARY),
    **dict.fromkeys(("opp", "fop", "opposition", "filed-opposition"), _OPPOSITION),
    **dict.fromkeys(("115", "tpo", "thp", "third-party-observation", "third-party-observations"), _THIRD_PARTY),
    **dict.fromkeys(("apl", "appeal"), _APPEAL),
    **dict.fromkeys(("app", "applicant", "application"), _APPLICATION),
    "description": ("description", "applicant"),
    "prs": ("pre-grant", "unknown"),
    "undefined": ("", "unknown"),
    "": ("", "unknown"),
}
_BY: dict[str, Category] = {"examiner": "examiner", "applicant": "applicant"}


def phase_of(word: str, by: str = "") -> tuple[str, Category]:
    """The phase and the category of a citation; the citing party (`by`) is sometimes a separate word.

    >>> phase_of("national-search-report"), phase_of("undefined", "applicant"), phase_of("OPP")
    (('search', 'examiner'), ('', 'applicant'), ('opposition', 'other'))
    """
    phase, category = PHASES.get(word.strip().lower(), (word.strip().lower().replace("-", " "), "unknown"))
    if not by.strip():
        return phase, category
    return phase, _BY.get(by.strip().lower(), "other")


def letters_of(categories: Iterable[str]) -> str:
    """The distinct letters of a search report, in order: `X`, `Y` and `XD` become `XYD`."""
    return "".join(dict.fromkeys(char for text in categories for char in text.upper() if char.isalpha()))


def merged(citations: Iterable[Citation], same: Callable[[str], str] = str) -> tuple[Citation, ...]:
    """Each document once: the strongest category with its phase, and all letters. `same` is the key of a document."""
    found: dict[str, Citation] = {}
    for new in citations:
        key = same(new.id)
        old = found.get(key)
        if old is None:
            found[key] = new
            continue
        best = old if CATEGORIES.index(old.category) <= CATEGORIES.index(new.category) else new
        found[key] = replace(best, letters=letters_of((old.letters, new.letters)), phase=best.phase or old.phase)
    return tuple(found.values())


def merged_literature(items: Iterable[Literature]) -> tuple[Literature, ...]:
    """Each text once, in its first form."""
    found: dict[str, Literature] = {}
    for item in items:
        if item.text:
            found.setdefault(" ".join(item.text.casefold().split()), item)
    return tuple(found.values())
