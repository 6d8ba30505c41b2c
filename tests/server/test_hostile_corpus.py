"""A corpus of tricks behind every route and in every export: all of it stays text, and nothing is executed or lost."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import etree

from extras import needs
from foreart import Library
from foreart.records import diff
from foreart.report.pages.difference_page import difference_html
from foreart.report.pages.explain_page import explain_html
from foreart.report.pages.search_page import search_html
from foreart.server import ServerSettings
from foreart.server.application import make_app
from hostile_corpus import DRAFT_NAME, HUGE, PRODUCT, TRICKS, harmless, hostile_draft, hostile_library, hostile_records
from server_world import BASE, TOKEN

SCRIPT = TRICKS[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile") / SCRIPT.replace("/", "")[:40]
    hostile_library(made)
    return made


@pytest.fixture(scope="module")
def hostile_client(folder: Path) -> Iterator[TestClient]:
    settings = ServerSettings(libraries=(folder,), token=TOKEN, workers=1)
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as found:
        yield found


@pytest.fixture(scope="module")
def hostile(hostile_client: TestClient) -> str:
    answer = hostile_client.post("/api/drafts", params={"name": DRAFT_NAME}, content=hostile_draft())
    assert answer.status_code == 200, answer.text[:300]
    found = answer.json()
    assert SCRIPT in found["title"]
    assert len(found["claims"]) == 21
    return str(found["draft"])


def test_every_answer_is_json_that_gives_the_texts_back(hostile_client: TestClient, hostile: str) -> None:
    found = hostile_client.post("/api/search", json={"draft": hostile, "k": 70, "keep": f"{SCRIPT} kept"}).json()
    assert len(found["hits"]) > 40
    ids = [hit["id"] for hit in found["hits"]]
    tricky = [number for number in ids if not number.startswith("XX")]
    assert len(tricky) > 10
    asked = {"draft": hostile, "numbers": ids[:4]}
    get, post = hostile_client.get, hostile_client.post
    answers = [
        get(f"/api/drafts/{hostile}"),
        get("/api/drafts"),
        get("/api/searches"),
        get(f"/api/searches/{found['search']}"),
        get("/api/libraries"),
        get("/api/stats"),
        get("/api/rejects"),
        post("/api/facets", json={"draft": hostile}),
        post("/api/map", json={"draft": hostile}),
        post("/api/explain", json=asked),
        post("/api/chart", json={**asked, "all_claims": True}),
        post("/api/similar", json={"number": ids[0], "k": 5}),
        hostile_client.patch(f"/api/drafts/{hostile}", json={"applicants": [SCRIPT], "title": TRICKS[1]}),
        hostile_client.put(f"/api/drafts/{hostile}/grades", json={"row": "1.0", "reference": ids[0], "grade": 2}),
    ]
    for answer in answers:
        assert answer.status_code == 200, (answer.request.url, answer.text[:300])
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert PRODUCT not in answer.text
    assert answers[-2].json()["title"] == TRICKS[1]
    known = {record["id"]: record for record in hostile_records()}
    number = next(number for number in ids if number in known)
    assert SCRIPT[:7] in json.dumps(known)
    shown = get(f"/api/documents/{number}").json()
    assert shown["applicants"] == known[number]["applicants"]
    assert shown["claims"][0] == known[number]["claims"][0]


def test_ids_and_names_that_are_tricks_are_refused_or_found(hostile_client: TestClient) -> None:
    for trick in (*TRICKS, "a\x00b", "\ud800", "x" * 79, "'; DROP TABLE patents;--"):
        safe = trick.encode("utf-8", "replace").decode()[:79]
        answers = [
            hostile_client.post("/api/similar", json={"number": safe, "k": 1}),
            hostile_client.post("/api/search", json={"draft": safe}),
            hostile_client.post("/api/search", json={"number": safe, "index": safe[:64], "library": safe}),
            hostile_client.post("/api/search", json={"number": safe, "index": "../../corpus"}),
            hostile_client.post("/api/search", json={"number": "XX1", "cutoff": safe[:40], "classes": [safe]}),
            hostile_client.post("/api/verify", json={"quotes": [{"number": safe, "place": safe, "text": safe}]}),
            hostile_client.post("/api/jobs/expert-set", json={"name": safe}),
            hostile_client.get("/api/documents/" + "".join(f"%{byte:02x}" for byte in safe.encode())),
            hostile_client.get("/static/" + "".join(f"%{byte:02x}" for byte in safe.encode())),
            hostile_client.post("/api/search", content=json.dumps({"number": trick[:79], "cutoff": trick[:40]})),
        ]
        for answer in answers:
            assert answer.status_code in (200, 400, 404, 405, 409, 415, 422), (
                trick,
                answer.request.url,
                answer.text[:200],
            )
            assert answer.json()["ok"] is (answer.status_code == 200)
        assert "/etc/passwd" not in answers[-2].text.replace(trick, "")


@needs("openpyxl")
def test_a_chart_of_tricks_in_every_form(
    hostile_client: TestClient, hostile: str, folder: Path, tmp_path: Path
) -> None:
    import docx
    import openpyxl

    asked = {"draft": hostile, "top": 8, "all_claims": True}
    forms = {}
    for form in ("json", "csv", "xlsx", "html", "docx"):
        answer = hostile_client.post(f"/api/chart/file?form={form}", json=asked)
        assert answer.status_code == 200, answer.text[:300]
        assert answer.headers["content-disposition"] == f'attachment; filename="chart.{form}"'
        forms[form] = answer.content
        (tmp_path / f"chart.{form}").write_bytes(answer.content)
        with Library(folder) as library:
            assert library.verify(tmp_path / f"chart.{form}").holds, form
    harmless(forms["html"])
    assert json.loads(forms["json"])["rows"]
    cells = [cell for line in csv.reader(io.StringIO(forms["csv"].decode("utf-8-sig"))) for cell in line]
    assert [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(cell)] == []
    book = openpyxl.load_workbook(io.BytesIO(forms["xlsx"]))
    values = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [cell.value for cell in values if cell.data_type == "f" or cell.hyperlink] == []
    with zipfile.ZipFile(io.BytesIO(forms["docx"])) as archive:
        targets = [name for name in archive.namelist() if name.endswith(".rels")]
        assert b'TargetMode="External"' not in b"".join(archive.read(name) for name in targets)
        parts = [etree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith(".xml")]
    assert parts
    words = "\n".join(item.text for item in docx.Document(io.BytesIO(forms["docx"])).element.iter() if item.text)
    assert "<script>" in words
    assert PRODUCT not in words
    assert not [node for part in parts for node in part.iter("{*}fldSimple", "{*}instrText", "{*}hyperlink")]


def test_a_result_of_tricks_in_every_form(hostile_client: TestClient, hostile: str) -> None:
    asked = {"draft": hostile, "k": 60}
    made = {form: hostile_client.post(f"/api/search/file?form={form}", json=asked) for form in ("json", "csv", "html")}
    assert {answer.status_code for answer in made.values()} == {200}
    assert SCRIPT[:40] in "".join(harmless(made["html"].content).itertext())
    cells = [cell for line in csv.reader(io.StringIO(made["csv"].content.decode("utf-8-sig"))) for cell in line]
    assert [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(cell)] == []
    assert len(made["json"].json()["hits"]) > 40


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_pages_of_tricks_execute_nothing(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "draft.txt"
    file.write_bytes(hostile_draft())
    with Library(folder) as library:
        result = library.search(library.draft(file), k=30)
        reasons = [library.explain(result, hit.id) for hit in list(result)[:3]]
        before, after = (
            library.record(result),
            library.record(library.search(library.draft(file), k=5, cutoff="2005-01-01")),
        )
        made = "2026-01-01"
        pages = [search_html(result, made=made), explain_html(reasons, made=made)]
        pages.append(difference_html(before, after, diff(before, after)))
    for page in pages:
        tree = harmless(page)
        assert SCRIPT[:40] in "".join(tree.itertext())
        assert "\u202e" not in page  # it would turn the text around it
        assert not {sign for sign in page if ord(sign) < 32} - {"\n", "\t"}
        assert len(page) < 10 * len(HUGE)
