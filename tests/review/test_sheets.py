"""The sheet: blind, readable by spreadsheet programs, and read back whatever they made of it."""

from __future__ import annotations

import csv
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from extras import needs
from foreart.document.patent import Claim, Patent
from foreart.errors import BadFile, ForeartError, MissingExtra
from foreart.review.expert_folder import labels_folder, read_key, read_sheet, write_set
from foreart.review.expert_set import Item
from foreart.review.importing import labels_of
from foreart.review.labels import Label
from foreart.review.sheet import COLUMNS, SCALE, SheetRow, link, read_csv, sheet_rows, write_csv
from foreart.review.workbook import read_workbook, write_workbook

PATENTS = {
    "US1A1": Patent("US1A1", title="Hinge", abstract="A hinge.\nIt turns.", claims=(Claim(1, "A hinge."),)),
    "US7585299B2": Patent("US7585299B2", title='=SUM(A1), "odd"; title', abstract="Ärger\x0b – 数"),
    "XX5A": Patent("XX5A", title="Door"),
}
ITEMS = (
    Item("US1A1", "XX5A", False, "low", 0.0625, 0.03125),
    Item("US1A1", "US7585299B2", True, "cited", 0.7421875, 0.421875),
)
ROWS = sheet_rows([(item.target, item.document) for item in ITEMS], PATENTS.__getitem__)


def made(folder: Path) -> Path:
    write_set(folder, ITEMS, ROWS, [PATENTS["US1A1"]], about={"seed": 1})
    return folder


def test_rows_have_texts_and_links_and_nothing_filled_in() -> None:
    assert ROWS[1] == SheetRow(
        target="US1A1",
        document="US7585299B2",
        target_title="Hinge",
        title='=SUM(A1), "odd"; title',
        abstract="Ärger – 数",
        link="https://patents.google.com/patent/US7585299B2/en",
    )
    assert [link("XX5A"), link("doc 7"), link("EP1000000A1")] == [
        "",
        "",
        "https://patents.google.com/patent/EP1000000A1/en",
    ]


@needs("openpyxl")
def test_the_sheets_tell_nothing_of_the_answer(tmp_path: Path) -> None:
    """Neither labels, strata nor scores are anywhere in what raters get, hidden parts of the workbook included."""
    folder = made(tmp_path / "set")
    assert sorted(path.name for path in folder.iterdir()) == ["key.json", "sheet.csv", "sheet.xlsx"]
    (tmp_path / "unpacked").mkdir()
    with zipfile.ZipFile(folder / "sheet.xlsx") as packed:
        packed.extractall(tmp_path / "unpacked")
    files = [folder / "sheet.csv", *(path for path in (tmp_path / "unpacked").rglob("*") if path.is_file())]
    assert len(files) > 8
    for file in files:
        text = file.read_text(encoding="utf-8").lower()
        for secret in ("0.0625", "0.742", "0.03125", "0.421", "stratum", "cosine", "jaccard", "random document"):
            assert secret not in text, (file.name, secret)
    with (folder / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == ["target", "target title", "document", "title", "abstract", "link", "score", "comment"]
    assert [line[6:] for line in lines] == [["", ""], ["", ""]]


def test_the_key_tells_all_of_it(tmp_path: Path) -> None:
    assert read_key(made(tmp_path / "set")) == ITEMS
    (tmp_path / "set" / "key.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadFile, match="cannot be read as the key"):
        read_key(tmp_path / "set")


def test_a_set_never_takes_the_place_of_another(tmp_path: Path) -> None:
    made(tmp_path / "set")
    with pytest.raises(ForeartError, match="name a new folder"):
        made(tmp_path / "set")


def test_a_set_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        with pytest.raises(TypeError):
            write_set(tmp_path / name, ITEMS, ROWS, [PATENTS["US1A1"]], about={"seed": object()})
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
    assert read_key(made(tmp_path / "empty")) == ITEMS


def test_csv_is_read_as_it_was_written_but_for_formulas(tmp_path: Path) -> None:
    write_csv(ROWS, tmp_path / "sheet.csv")
    found = read_csv(tmp_path / "sheet.csv")
    assert found[0] == replace(ROWS[0], number=2)
    assert found[1] == replace(ROWS[1], number=3, title="'" + ROWS[1].title)


@pytest.mark.parametrize(
    ("separator", "encoding"), [(";", "cp1252"), ("\t", "utf-16"), (",", "utf-8"), (";", "utf-8-sig")]
)
def test_csv_is_read_as_spreadsheet_programs_save_it(tmp_path: Path, separator: str, encoding: str) -> None:
    path = tmp_path / "saved.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=separator)
        writer.writerows(
            [["Score", "document", "Target ", "comment"], ["3", "US2A", "US1A", "gut für\nvieles"], ["", "", "", ""]]
        )
    assert read_csv(path) == [SheetRow("US1A", "US2A", score="3", comment="gut für\nvieles", number=2)]


def test_a_table_without_the_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(BadFile, match="has no column 'target': its first row must name target, document, score"):
        read_sheet(tmp_path / "other.csv")
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    with pytest.raises(BadFile, match="has no column"):
        read_sheet(tmp_path / "empty.csv")
    with pytest.raises(BadFile, match="there is no sheet at"):
        read_sheet(tmp_path)


@needs("openpyxl")
def test_the_workbook_helps_to_fill_it_in(tmp_path: Path) -> None:
    write_workbook(ROWS, [PATENTS["US1A1"]], tmp_path / "sheet.xlsx")
    import openpyxl

    book = openpyxl.load_workbook(tmp_path / "sheet.xlsx")
    assert book.sheetnames == ["Instructions", "Pairs", "Targets"]
    pairs = book["Pairs"]
    assert pairs.freeze_panes == "A2"
    assert [cell.value for cell in pairs[1]] == list(COLUMNS)
    assert (pairs["D3"].value, pairs["D3"].data_type) == (ROWS[1].title, "s")
    assert pairs["F3"].hyperlink.target == ROWS[1].link
    assert pairs["F2"].value is None
    assert pairs["E3"].alignment.wrap_text
    assert pairs.column_dimensions["E"].width == 90
    (rule,) = pairs.data_validations.dataValidation
    assert (rule.type, rule.formula1, rule.formula2, str(rule.sqref)) == ("whole", "0", "5", "G2:G3")
    told = "\n".join(str(row[0].value) for row in book["Instructions"].iter_rows())
    assert all(f"{score}  {meaning}" in told for score, meaning in SCALE.items())
    assert [cell.value for cell in book["Targets"][2]][:4] == ["US1A1", "Hinge", "A hinge.\nIt turns.", "A hinge."]


@needs("openpyxl")
def test_a_filled_workbook_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    write_workbook(ROWS, [], path)
    import openpyxl

    book = openpyxl.load_workbook(path)
    book["Pairs"]["G2"], book["Pairs"]["G3"], book["Pairs"]["H3"] = 4.0, 2.5, "half"
    book.save(path)
    found = read_sheet(path)
    assert [(row.document, row.score, row.comment) for row in found] == [
        ("XX5A", "4", ""),
        ("US7585299B2", "2.5", "half"),
    ]
    book.remove(book["Pairs"])
    book.save(path)
    with pytest.raises(BadFile, match="has no worksheet whose first row names"):
        read_workbook(path)
    path.write_bytes(b"PK no workbook")
    with pytest.raises(BadFile, match="cannot be read as an Excel workbook"):
        read_workbook(path)


def test_without_the_library_for_workbooks_there_is_still_a_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    made(tmp_path / "set")
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == ["key.json", "sheet.csv"]
    with pytest.raises(MissingExtra, match=r"pip install 'foreart\[sheets\]'"):
        read_workbook(tmp_path / "sheet.xlsx")


def test_labels_lie_beside_the_sheet(tmp_path: Path) -> None:
    folder = made(tmp_path / "set")
    assert labels_folder(folder) == labels_folder(folder / "sheet.csv") == folder / "labels"


PAIRS = {("T", f"D{number}") for number in range(9)}


def test_bad_cells_are_told_by_row_and_the_rest_goes_on() -> None:
    rows = [
        SheetRow("T", "D0", score="3", number=2),
        SheetRow("T", "D1", score="6", number=3),
        SheetRow("T", "D2", score="2.5", number=4),
        SheetRow("T", "D3", score="0,0", comment="far off", number=5),
        SheetRow("T", "D4", score="three", number=6),
        SheetRow("T", "E1", score="1", number=7),
        SheetRow("T", "D0", score="4", number=8),
        SheetRow("T", "D5", number=9),
        SheetRow("T", "D6", comment="cannot say", number=10),
        SheetRow("T", "D7", score="5.0", number=11),
        SheetRow("T", "D8", score="-1", number=12),
    ]
    known = {("T", "D7"): Label("ann", "T", "D7", 5)}
    found = labels_of(rows, rater="ann", time="now", pairs=PAIRS, known=known)
    assert found.labels == (
        Label("ann", "T", "D0", 3, "", "now"),
        Label("ann", "T", "D3", 0, "far off", "now"),
        Label("ann", "T", "D6", None, "cannot say", "now"),
    )
    assert (found.unchanged, found.empty) == (1, 1)
    assert found.problems == (
        "row 3: the score '6' is not a whole number from 0 to 5",
        "row 4: the score '2.5' is not a whole number from 0 to 5",
        "row 6: the score 'three' is not a whole number from 0 to 5",
        "row 7: E1 for T is not a pair of this set",
        "row 8: D0 for T is in the sheet twice; the first row counts",
        "row 12: the score '-1' is not a whole number from 0 to 5",
    )
