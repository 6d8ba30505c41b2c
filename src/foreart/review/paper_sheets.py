"""Reads the attorney's sheets as Helmers et al. (2019) published them: `<target>_human_eval.csv`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foreart.errors import BadFile
from foreart.identifiers.numbers import loose_number
from foreart.review.judged import JudgedPair
from foreart.review.labels import HIGHEST, LOWEST
from foreart.review.sheet import table

COLUMNS = ("id", "cited", "human", "cosine", "jaccard")
_SUFFIX = "_human_eval"
_FILES = (".csv", ".tsv", ".txt")
_EMPTY = {"", "nan", "na", "n/a", "none", "null", "-", "?"}
_CITED = {"1": True, "true": True, "yes": True, "cited": True, "x": True}
_CITED |= {"0": False, "false": False, "no": False, "random": False, "": False}


@dataclass(frozen=True, slots=True)
class _Place:
    """The position of a row, for errors."""

    path: Path
    row: int

    def bad(self, what: str) -> BadFile:
        return BadFile(f"{self.path}: row {self.row}: {what}")


def paper_sheets(path: Path) -> list[Path]:
    """The sheets in a folder and below it, in order of target; or the one file."""
    if path.is_file():
        return [path] if path.stem.endswith(_SUFFIX) else []
    return sorted(found for found in path.rglob(f"*{_SUFFIX}.*") if found.suffix.lower() in _FILES)


def read_paper_sheet(path: Path) -> list[JudgedPair]:
    """The judged pairs of a sheet; rows without a judgement are left out. The target is named by the file.

    There may be a header, and then further columns; numbers may have a decimal comma.
    """
    target = str(loose_number(path.stem.removesuffix(_SUFFIX)))
    cells = [[cell.strip() for cell in line] for line in table(path)]
    header = [cell.lower() for cell in cells[0]] if cells else []
    named = "id" in header
    if not named:
        header = list(COLUMNS)
    order = _order(header, path)
    found: list[JudgedPair] = []
    for number, line in enumerate(cells, start=1):
        if (named and number == 1) or not any(line):
            continue
        place = _Place(path, number)
        if len(line) <= max(order) or any(line[len(header) :]):
            raise place.bad(f"{len(line)} cells where there should be {len(header)}")
        judged = _judged(target, [line[column] for column in order], place)
        if judged is not None:
            found.append(judged)
    return found


def _order(header: Sequence[str], path: Path) -> list[int]:
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise BadFile(f"{path} has no column {missing[0]!r}: its first row must name {', '.join(COLUMNS)}")
    return [header.index(name) for name in COLUMNS]


def _judged(target: str, cells: Sequence[str], place: _Place) -> JudgedPair | None:
    document, cited, human, cosine, jaccard = cells
    score = _number(human, place)
    if score is None:
        return None
    if not LOWEST <= score <= HIGHEST:
        raise place.bad(f"the score {human!r} is not from {LOWEST} to {HIGHEST}")
    return JudgedPair(
        target=target,
        document=str(loose_number(document)),
        cited=_cited(cited, place),
        score=score,
        cosine=_number(cosine, place),
        jaccard=_number(jaccard, place),
    )


def _number(text: str, place: _Place) -> float | None:
    if text.lower() in _EMPTY:
        return None
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise place.bad(f"{text!r} is not a number") from None


def _cited(text: str, place: _Place) -> bool:
    plain = text.lower().replace(",", ".")
    plain = plain.rstrip("0").rstrip(".") or "0" if "." in plain else plain
    if plain not in _CITED:
        raise place.bad(f"{text!r} in the column cited is neither 1 nor 0")
    return _CITED[plain]
