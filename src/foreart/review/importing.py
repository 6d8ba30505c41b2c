"""Labels from a filled-in sheet; problems are reported row by row."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from foreart.review.expert_folder import labels_folder, read_sheet
from foreart.review.labels import (
    HIGHEST,
    LOWEST,
    Label,
    Pair,
    append_label,
    label_file,
    latest,
    rater_name,
    read_labels,
)
from foreart.review.session import now
from foreart.review.sheet import SheetRow

_WHOLE = re.compile(r"(\d+)(?:[.,]0*)?")


@dataclass(frozen=True, slots=True)
class Imported:
    """The labels that are new or changed, how many rows had nothing new, how many were empty, and what is wrong."""

    labels: tuple[Label, ...]
    unchanged: int
    empty: int
    problems: tuple[str, ...]


def import_sheet(place: Path, filled: Path, rater: str) -> tuple[Imported, Path]:
    """Adds the labels of a filled-in sheet to those of a rater; what was found, and the file of the rater's labels."""
    file = label_file(labels_folder(place), rater)
    pairs = {(row.target, row.document) for row in read_sheet(place)}
    known = latest(read_labels(file))
    found = labels_of(read_sheet(filled), rater=rater_name(rater), time=now(), pairs=pairs, known=known)
    for label in found.labels:
        append_label(file, label)
    return found, file


def labels_of(
    rows: Iterable[SheetRow],
    *,
    rater: str,
    time: str,
    pairs: Collection[Pair],
    known: Mapping[Pair, Label] | None = None,
) -> Imported:
    """The labels of a sheet's rows, as far as they are pairs of the set and differ from what is known."""
    found: dict[Pair, Label] = {}
    problems: list[str] = []
    unchanged = empty = 0
    for row in rows:
        pair = (row.target, row.document)
        score, problem = _score(row.score)
        if pair not in pairs:
            problem = f"{row.document} for {row.target} is not a pair of this set"
        elif not problem and pair in found:
            problem = f"{row.document} for {row.target} is in the sheet twice; the first row counts"
        if problem:
            problems.append(f"row {row.number}: {problem}")
        elif score is None and not row.comment:
            empty += 1
        elif (score, row.comment) == _said(known, pair):
            unchanged += 1
        else:
            found[pair] = Label(rater, *pair, score, row.comment, time)
    return Imported(tuple(found.values()), unchanged, empty, tuple(problems))


def _said(known: Mapping[Pair, Label] | None, pair: Pair) -> tuple[int | None, str] | None:
    label = (known or {}).get(pair)
    return None if label is None else (label.score, label.comment)


def _score(text: str) -> tuple[int | None, str]:
    """The score of a cell, and what is wrong with it."""
    if not text:
        return None, ""
    match = _WHOLE.fullmatch(text)
    if match and LOWEST <= int(match[1]) <= HIGHEST:
        return int(match[1]), ""
    shown = text if len(text) <= 20 else text[:17] + "..."
    return None, f"the score {shown!r} is not a whole number from {LOWEST} to {HIGHEST}"
