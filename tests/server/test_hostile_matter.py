"""A matter about a draft and documents of tricks: every form of its report has them as text, and runs nothing."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest
from fastapi.testclient import TestClient
from lxml import etree

from extras import needs
from foreart.review.casework.matter_forms import FORMS
from foreart.server import ServerSettings
from foreart.server.application import make_app
from hostile_corpus import DRAFT_NAME, PRODUCT, TRICKS, harmless, hostile_draft, hostile_library, hostile_matter
from server_world import BASE, TOKEN

SCRIPT = TRICKS[0]


@pytest.fixture(scope="module")
def matter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a server that has the matter `tricks`."""
    folder = tmp_path_factory.mktemp("hostile") / "library"
    hostile_library(folder)
    settings = ServerSettings(libraries=(folder,), token=TOKEN, workers=1)
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        answer = client.post("/api/drafts", params={"name": DRAFT_NAME}, content=hostile_draft())
        hostile_matter(lambda path, body: client.post(path, json=body).json(), answer.json()["draft"])
        yield client


def exported(client: TestClient, form: str) -> bytes:
    asked = {"form": form, "docket": TRICKS[18], "examiner": SCRIPT, "place": TRICKS[14], "searcher": TRICKS[20]}
    answer = client.post("/api/matters/tricks/export", json=asked)
    assert answer.status_code == 200, answer.text[:300]
    assert answer.headers["content-disposition"].startswith("attachment; ")
    assert PRODUCT.encode() not in answer.content
    return answer.content


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".html"])
def test_pages_of_a_report_run_nothing(matter: TestClient, form: str) -> None:
    tree = harmless(exported(matter, form))
    assert SCRIPT[:30] in "".join(tree.itertext())


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".csv"])
def test_no_cell_of_a_report_is_a_formula(matter: TestClient, form: str) -> None:
    text = exported(matter, form).decode("utf-8-sig")
    cells = [cell for line in csv.reader(io.StringIO(text)) for cell in line]
    assert any(SCRIPT[:8] in cell for cell in cells)
    assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and not cell.lstrip("-").isdigit()] == []


@needs("openpyxl")
@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".xlsx"])
def test_no_cell_of_a_workbook_is_a_formula(matter: TestClient, form: str) -> None:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(exported(matter, form)))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert cells
    assert [cell.value for cell in cells if cell.data_type == "f" or cell.hyperlink] == []


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".docx"])
def test_word_has_no_field_and_no_link(matter: TestClient, form: str) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(matter, form))) as archive:
        names = archive.namelist()
        assert b'TargetMode="External"' not in b"".join(archive.read(name) for name in names if name.endswith(".rels"))
        parts = [etree.fromstring(archive.read(name)) for name in names if name.endswith(".xml")]
    assert not [node for part in parts for node in part.iter("{*}hyperlink", "{*}fldSimple", "{*}object")]
    fields = {(node.text or "").strip() for part in parts for node in part.iter("{*}instrText")}
    assert fields <= {"PAGE", "NUMPAGES"}
    assert any(SCRIPT[:8] in (node.text or "") for part in parts for node in part.iter("{*}t"))


@needs("typst")
@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".pdf"])
def test_typst_evaluates_nothing(matter: TestClient, form: str, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(exported(matter, form))
    assert file.read_bytes().startswith(b"%PDF")
    assert b"/JavaScript" not in file.read_bytes()
    if which("pdftotext"):
        text = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, text=True, check=True).stdout
        text = text.replace("\u200b", "")  # where a long word may be broken
        assert PRODUCT not in text
        assert "alert" in text


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix == ".json"])
def test_json_gives_the_texts_back(matter: TestClient, form: str) -> None:
    assert SCRIPT in json.dumps(json.loads(exported(matter, form)), ensure_ascii=False).replace('\\"', '"')


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.suffix in (".ris", ".bib")])
def test_a_title_is_one_line_of_a_reference(matter: TestClient, form: str) -> None:
    """A line break in a field would begin another field, and a brace would end the entry."""
    text = exported(matter, form).decode()
    if form.endswith("ris"):
        assert [line for line in text.splitlines() if line and not line[:6].endswith("  - ")] == []
    else:
        assert text.count("@patent{") == sum(line.startswith("@patent{") for line in text.splitlines())
        assert text.count("{") == text.count("}")
