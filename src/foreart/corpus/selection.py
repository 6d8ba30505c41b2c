"""Which patents of a corpus are meant: a selection, and its SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foreart.patent import Depth


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that must all hold; of several values of one condition one must hold. Empty ones ask nothing.

    Dates are ISO texts and inclusive; a year or a month stands for its first day as `published_from` and for its
    last as `published_to`. Class prefixes are of CPC or IPC (`A61B`, `A61B 17/70`); applicants match in any part.
    """

    published_from: str = ""
    published_to: str = ""
    classes: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    applicants: tuple[str, ...] = ()
    depths: tuple[Depth, ...] = ()


EVERYTHING = Selection()


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
        # '2004' must include '2004-12-31', and '' (unknown) must not slip in.
        add("published != '' AND published < ?", selection.published_to + "~")
    for column, items in (
        ("country", [item.upper() for item in selection.countries]),
        ("language", [item.lower() for item in selection.languages]),
        ("depth", list(selection.depths)),
    ):
        if items:
            add(f"{column} IN ({_marks(items)})", *items)
    if selection.kinds:
        kinds = [f"{_literal(kind.upper())}*" for kind in selection.kinds]
        add("(" + " OR ".join(["kind GLOB ?"] * len(kinds)) + ")", *kinds)
    if selection.classes:
        prefixes = [f"{_literal(class_prefix(symbol))}*" for symbol in selection.classes]
        either = " OR ".join(["symbol GLOB ?"] * len(prefixes))
        add(f"serial IN (SELECT serial FROM class WHERE {either})", *prefixes)  # noqa: S608 marks only
    if selection.applicants:
        names = [f"%{_like(name)}%" for name in selection.applicants]
        either = " OR ".join(["name LIKE ? ESCAPE '\\'"] * len(names))
        add(f"serial IN (SELECT serial FROM applicant WHERE {either})", *names)  # noqa: S608 marks only
    return (" AND ".join(clauses) or "1", values)


def _marks(items: Sequence[str]) -> str:
    return ", ".join("?" * len(items))


def class_prefix(symbol: str) -> str:
    """A class prefix as stored, `A61B 17/70`, whether or not the space was typed."""
    compact = "".join(symbol.upper().split())
    return f"{compact[:4]} {compact[4:]}" if len(compact) > 4 else compact


def _literal(text: str) -> str:
    """A text that GLOB takes for itself."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


def _like(name: str) -> str:
    return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
