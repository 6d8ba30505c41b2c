"""A folder with every file that the examples of the documentation name, so that they run as they are printed."""

from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from extras import reason
from foreart.document.patent import Patent
from foreart.document.record import to_record
from foreart.library import Library
from ranking_world import town
from schema_files import schema_files

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
# Patents of the sample under the numbers that the documentation uses.
NUMBERS = {
    "XX20090312644A1": "US7585299B2",
    "XX20140257312A1": "EP1000000A1",
    "XX7648516B2": "US8925100B2",
    "XX8246714B2": "EP2405819A2",
    "XX8026938B2": "EP1234567A1",
    "XX20150320463A1": "US20150066086A1",
    "XX20100076391A1": "US20150066087A1",
}
TARGETS = 20
DAMAGED = """
{"id": "US1A", "title"
{"id": "US2A",
{"id": "US3A" 3}
"""


def _patents() -> list[str]:
    """The sample, and invented targets of 2015 with what they cite, as JSON lines."""
    text = (SAMPLE / "patents.jsonl").read_text("utf-8")
    for number, printed in NUMBERS.items():
        text = text.replace(number, printed)
    return text.splitlines() + [json.dumps(to_record(patent)) for patent in _targets()]


def _targets() -> list[Patent]:
    made = town("words")
    early = len(made) - TARGETS
    return [
        replace(patent, priority="2014-01-15", published="2015-03-12")
        if place >= early
        else replace(patent, priority="2001-01-15", published=f"2003-{1 + place % 12:02d}-15")
        for place, patent in enumerate(made)
    ]


def _packed(target: Path, lines: list[str]) -> None:
    target.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))


def _qrels() -> str:
    return "".join(
        f"{patent.id} 0 {citation.id} 1\n" for patent in _targets()[-TARGETS:] for citation in patent.citations
    )


def lay(desk: Path) -> None:
    """Puts the files there; the library `foreart-data` is built and has learned to rank."""
    desk.mkdir(parents=True)
    lines = _patents()
    (desk / "patents.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    with zipfile.ZipFile(desk / "ipg150106.zip", "w") as archive:
        archive.write(desk / "patents.jsonl", "ipg150106.jsonl")
    shutil.copy(desk / "patents.jsonl", desk / "grants.xml")  # known by its content, not by its name
    shared = desk.parent / "shared" / "data"
    shared.mkdir(parents=True)
    for folder in (desk, shared):
        _packed(folder / "ultrasound.jsonl.gz", lines[:40])
        _packed(folder / "background.jsonl.gz", lines[40:])
        (folder / "ultrasound.qrels").write_text(_qrels())
    (desk / "targets.qrels").write_text(_qrels())
    for name in ("all-patents", "ep-bulk"):
        (desk / name).mkdir()
        shutil.copy(desk / "ipg150106.zip", desk / name)
    (desk / "ep-bulk" / "damaged.jsonl").write_text(
        lines[0] + '\n{"id": "US1A", "title"\n{"id": "US2A", \n{"id": "US3A" 3}\n'
    )
    (desk / "lens-export.jsonl.gz").write_bytes(gzip.compress(schema_files()["lens-json"]))
    for name in ("application.docx", "draft.docx"):
        shutil.copy(SAMPLE / "drafts" / "interspinous-fusion.docx", desk / name)
    (desk / "seeds.txt").write_text("US7585299B2\nUS20150066086A1\n")
    (desk / "seen.txt").write_text("US8925100B2\n")
    with Library(desk / "foreart-data") as library:
        library.add([desk / "ipg150106.zip"])
        library.build()
        library.learn()


def _filled_sheet(desk: Path) -> None:
    """The sheet of an expert set as a rater gives it back."""
    openpyxl = pytest.importorskip("openpyxl", reason=reason("openpyxl"))
    book = openpyxl.load_workbook(desk / "expert-set" / "sheet.xlsx")
    sheet = book["Pairs"]
    column = [cell.value for cell in sheet[1]].index("score") + 1
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, column).value = row % 6
    book.save(desk / "ann-filled.xlsx")


def _another_library(name: str) -> Callable[[Path], None]:
    def make(desk: Path) -> None:
        shutil.copytree(desk / "foreart-data", desk / name)

    return make


# Made when an example first names them: what it takes for granted, but other examples make themselves.
def _secrets(desk: Path) -> None:
    for name in ("password.txt", "office.pem", "office.key"):
        (desk / name).write_text("a password of the office\n")
        (desk / name).chmod(0o600)


def _passphrase(desk: Path) -> None:
    for name, passphrase in (
        ("passphrase.txt", "seven quiet otters row home"),
        ("new-passphrase.txt", "nine loud herons"),
    ):
        (desk / name).write_text(f"{passphrase}\n")
        (desk / name).chmod(0o600)


LATER: Mapping[str, Callable[[Path], None]] = {
    "ann-filled.xlsx": _filled_sheet,
    'Library("data")': _another_library("data"),
    "password.txt": _secrets,
    "passphrase.txt": _passphrase,
}


def provide(desk: Path, example: str) -> None:
    """Makes what an example needs and is not there yet."""
    for name, make in LATER.items():
        if name in example and not (desk / name).exists():
            make(desk)
