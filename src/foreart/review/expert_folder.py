"""An expert set as a folder: the sheet for the raters, the key that they must not see, and what they judged.

expert-set/
├── sheet.csv, sheet.xlsx   the pairs in blind order, to hand out
├── key.json                which are cited, which random, and their scores: not for raters
└── labels/NAME.jsonl       the judgements of each rater
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

from foreart.document.patent import Patent
from foreart.durable import new_folder, replace_text
from foreart.errors import BadFile, ForeartError
from foreart.review import workbook
from foreart.review.expert_set import Item
from foreart.review.labels import Label, Pair, read_raters
from foreart.review.sheet import SheetRow, plain, read_csv, write_csv

FORM = 1
COLUMNS = ("rater", "target", "document", "score", "comment", "time")
SHEET, WORKBOOK, KEY, LABELS = "sheet.csv", "sheet.xlsx", "key.json", "labels"
_WORKBOOKS = (".xlsx", ".xlsm")


def write_set(
    folder: str | Path,
    items: Sequence[Item],
    rows: Sequence[SheetRow],
    targets: Iterable[Patent],
    *,
    about: Mapping[str, Any],
) -> list[Path]:
    """Writes a new folder, complete or not at all; returns its files, a workbook only with the extra for it."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ForeartError(f"{place} exists already, and labels of two sets must not be mixed: name a new folder")
    key = {"form": FORM, "about": dict(about), "items": [asdict(item) for item in items]}
    with new_folder(place) as made:
        write_csv(rows, made / SHEET)
        if workbook.available():
            workbook.write_workbook(rows, targets, made / WORKBOOK)
        replace_text(made / KEY, json.dumps(key, ensure_ascii=False, indent=1) + "\n")
    return [path for name in (SHEET, WORKBOOK, KEY) if (path := place / name).exists()]


def read_key(folder: str | Path) -> tuple[Item, ...]:
    """The pairs of a set with their labels and scores, in the order of the sheet."""
    path = Path(folder) / KEY
    try:
        record = json.loads(path.read_text("utf-8"))
        if record["form"] != FORM:
            raise BadFile(f"{path} was made by another version of foreart")
        return tuple(Item(**item) for item in record["items"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path} cannot be read as the key of an expert set: {error}") from None


def read_sheet(path: str | Path) -> list[SheetRow]:
    """The rows of a sheet, CSV or Excel, or of the sheet in the folder of a set."""
    place = Path(path)
    if place.is_dir():
        place = place / SHEET if (place / SHEET).exists() else place / WORKBOOK
    if not place.exists():
        raise BadFile(f"there is no sheet at {place}: make one with `foreart sample --out FOLDER`")
    return workbook.read_workbook(place) if place.suffix.lower() in _WORKBOOKS else read_csv(place)


def labels_folder(path: str | Path) -> Path:
    """Where the labels of a sheet, or of the folder of a set, are kept."""
    place = Path(path)
    return (place if place.is_dir() else place.parent) / LABELS


def raters_of(path: str | Path) -> dict[str, dict[Pair, Label]]:
    """The judgements of each rater of a set; refused if nobody has judged anything."""
    found = read_raters(labels_folder(path))
    if not found:
        raise ForeartError(f"{path} has no judgements yet: run `foreart label {path} --rater NAME`")
    return found


def labels_csv(raters: Mapping[str, Mapping[Pair, Label]]) -> str:
    """All judgements as CSV, a line each."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for given in raters.values():
        for _, label in sorted(given.items()):
            record = asdict(label) | {"comment": plain(label.comment)}
            writer.writerow(["" if record[name] is None else record[name] for name in COLUMNS])
    return text.getvalue()
