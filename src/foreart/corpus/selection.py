"""Selections: conditions on the patents of a corpus, and their SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from foreart.document.patent import DEPTHS, Depth
from foreart.errors import CorpusError
from foreart.identifiers.dates import iso_date
from foreart.identifiers.symbols import class_symbol

_DATE = re.compile(r"(\d{4})(?:-?(\d\d?))?(?:-?(\d\d?))?")
_PADDED = re.compile(r"[A-HY]\d\d[A-Z]\d{10}")
_CLASS = re.compile(r"[A-HY](?:\d(?:\d(?:[A-Z](?: \d{1,4}(?:/\d{0,6})?)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that must all hold; of several values of one condition, one must match. Empty ones always hold.

    Dates are ISO dates and inclusive; a year or a month means its first day as `published_from` and its last as
    `published_to`. Classes are CPC or IPC symbols and include everything below: `A61B`; `A61B 17` and `A61B 17/00`, the
    full main group; `A61B 17/70` with `A61B 17/7001`. Applicants match as substrings.
    """

    published_from: str = ""
    published_to: str = ""
    classes: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    applicants: tuple[str, ...] = ()
    depths: tuple[Depth, ...] = ()

    def conditions(self) -> Iterator[tuple[str, Selection]]:
        """The conditions that are not empty: each in words, and as a selection of its own."""
        if self.published_from or self.published_to:
            words = f"from {self.published_from}" * bool(self.published_from)
            words += f" to {self.published_to}" * bool(self.published_to)
            alone = Selection(published_from=self.published_from, published_to=self.published_to)
            yield f"published {words.strip()}", alone
        for name, singular in _LISTS.items():
            values = getattr(self, name)
            if values:
                yield f"{singular} {' or '.join(values)}", replace(EVERYTHING, **{name: values})


_LISTS = {
    "classes": "class",
    "countries": "country",
    "kinds": "kind",
    "languages": "language",
    "applicants": "applicant",
    "depths": "depth",
}
EVERYTHING = Selection()


def checked(selection: Selection) -> Selection:
    """The selection with normalised dates; CorpusError for an invalid value."""
    first, last = _date(selection.published_from), _date(selection.published_to)
    if first and last and first > last + "~":
        raise CorpusError(f"nothing is published from {first} to {last}: swap the dates")
    _check(selection.classes, lambda value: _CLASS.fullmatch(class_prefix(value)), "class", "A61B or 'A61B 17/70'")
    _check(selection.countries, _matches(r"[A-Za-z]{2}"), "country", "US or EP, two letters")
    _check(selection.kinds, _matches(r"[A-Za-z]\d?"), "kind code", "B or A1")
    _check(selection.languages, _matches(r"[A-Za-z]{2,3}"), "language", "en or de")
    _check(selection.applicants, str.strip, "applicant's name", "a part of it, such as siemens")
    _check(selection.depths, DEPTHS.__contains__, "depth", ", ".join(DEPTHS))
    return replace(selection, published_from=first, published_to=last)


def _date(text: str) -> str:
    parts = _DATE.fullmatch(text.strip())
    date = iso_date(text.strip()) if parts else ""
    if text and (parts is None or date.count("-") != sum(part is not None for part in parts.groups()[1:]) or not date):
        raise CorpusError(f"{text!r} is not a date: write 2004, 2004-05 or 2004-05-17")
    return date


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


def _check(values: Iterable[str], is_valid: Callable[[str], object], what: str, example: str) -> None:
    for value in values:
        if not is_valid(value):
            raise CorpusError(f"{value!r} is not a valid {what}: write {example}")


def where(selection: Selection) -> tuple[str, list[str]]:
    """The WHERE clause over the table `patent`, and its values."""
    clauses: list[str] = []
    values: list[str] = []

    def add(clause: str, *items: str) -> None:
        clauses.append(clause)
        values.extend(items)

    if selection.published_from:
        add("published >= ?", selection.published_from)
    if selection.published_to:
        # '2004' must include '2004-12-31', and '' (unknown) must not match.
        add("published != '' AND published < ?", selection.published_to + "~")
    for column, items in (
        ("country", [item.upper() for item in selection.countries]),
        ("language", [item.lower() for item in selection.languages]),
        ("depth", list(selection.depths)),
    ):
        if items:
            add(f"{column} IN ({_placeholders(items)})", *items)
    if selection.kinds:
        kinds = [f"{_literal(kind.upper())}*" for kind in selection.kinds]
        add("(" + " OR ".join(["kind GLOB ?"] * len(kinds)) + ")", *kinds)
    if selection.classes:
        patterns = [pattern for symbol in selection.classes for pattern in _globs(symbol)]
        either = " OR ".join(["symbol GLOB ?"] * len(patterns))
        add(f"serial IN (SELECT serial FROM class WHERE {either})", *patterns)  # noqa: S608 placeholders only
    if selection.applicants:
        names = [f"%{_like(name)}%" for name in selection.applicants]
        either = " OR ".join(["name LIKE ? ESCAPE '\\'"] * len(names))
        add(f"serial IN (SELECT serial FROM applicant WHERE {either})", *names)  # noqa: S608 placeholders only
    return (" AND ".join(clauses) or "1", values)


def _placeholders(items: Sequence[str]) -> str:
    return ", ".join("?" * len(items))


def class_prefix(symbol: str) -> str:
    """A class prefix as stored, `A61B 17/70`, with or without the space."""
    compact = "".join(symbol.upper().split())
    if _PADDED.fullmatch(compact):  # DOCDB writes A61B0017700000
        return class_symbol(compact)
    return f"{compact[:4]} {compact[4:]}" if len(compact) > 4 else compact


def class_prefixes(symbol: str) -> tuple[str, str]:
    """The prefix of the symbols below a class, and a symbol that belongs to it without the prefix, `""` if none.

    >>> class_prefixes("A61B17/00"), class_prefixes("A61B 17"), class_prefixes("A61B 17/70")
    (('A61B 17/', 'A61B 17'), ('A61B 17/', 'A61B 17'), ('A61B 17/70', ''))
    """
    prefix = class_prefix(symbol)
    group, slash, subgroup = prefix.partition("/")
    is_main_group = not subgroup or (len(subgroup) > 1 and not subgroup.strip("0"))
    if len(prefix) > 5 and is_main_group and (slash or group[5:].isdigit()):
        return f"{group}/", group
    return prefix, ""


def _globs(symbol: str) -> Iterator[str]:
    prefix, alone = class_prefixes(symbol)
    yield f"{_literal(prefix)}*"
    if alone:
        yield _literal(alone)


def _literal(text: str) -> str:
    """A text with the wildcards of GLOB escaped."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


def _like(name: str) -> str:
    return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
