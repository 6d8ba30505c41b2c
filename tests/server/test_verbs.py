"""Every verb of the API gives what Python and the command line give."""

from __future__ import annotations

import csv
import json
import shutil
import time
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from extras import needs
from foreart import SAMPLE, Library
from foreart.cli.app import app
from foreart.document.patent import Patent
from foreart.server import ServerSettings
from foreart.server.application import make_app
from foreart.server.work.corpus_tasks import citations_task
from foreart.server.work.search_tasks import patent_draft
from server_world import BASE, TOKEN

DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"


def test_a_search_is_that_of_the_command_line(client: TestClient, draft: str, sample_library) -> None:
    answer = client.post("/api/search", json={"draft": draft, "k": 5}).json()
    printed = CliRunner().invoke(app, ["search", str(DRAFT), "-k", "5", "--json", "-l", str(sample_library)]).stdout
    expected = json.loads(printed)
    assert answer.pop("ok") is True
    assert answer.pop("search") is None
    assert answer == expected
    assert len(answer["hits"]) == 5


def test_an_upload_answers_what_was_understood(client: TestClient) -> None:
    for name in ("insulin-pump.txt", "interspinous-fusion.docx", "ultrasound-probe.pdf"):
        answer = client.post(f"/api/drafts?name={name}", content=(SAMPLE / "drafts" / name).read_bytes()).json()
        printed = json.loads(CliRunner().invoke(app, ["draft", str(SAMPLE / "drafts" / name), "--json"]).stdout)
        assert answer["ok"] is True
        assert {key: answer[key] for key in printed} == printed
        assert answer["name"] == name
        inside = [item["name"] for item in answer["sections"] if item["name"] not in ("title", "claims", "abstract")]
        assert [item["name"] for item in answer["borders"]] == inside
        assert answer["borders"][-1]["end"] == len(answer["paragraphs"])


def test_corrections_are_those_of_a_sidecar(client: TestClient, tmp_path) -> None:
    found = client.post("/api/drafts?name=pump.txt", content=DRAFT.read_bytes()).json()
    path = f"/api/drafts/{found['draft']}"
    elements = [item["text"] for item in found["claims"][0]["elements"]]
    claim = found["claims"][0]
    joined = [claim["text"][: claim["elements"][1]["end"]], *elements[2:]]
    changed = client.patch(path, json={"priority": "2012-01-02", "claims": [{"number": 1, "elements": joined}]})
    assert changed.status_code == 200, changed.text
    assert changed.json()["dates"]["priority"] == "2012-01-02"
    assert len(changed.json()["claims"][0]["elements"]) == len(elements) - 1
    # The same by the command line.
    copied = tmp_path / "pump.txt"
    copied.write_bytes(DRAFT.read_bytes())
    sidecar = {"priority": "2012-01-02", "claims": [{"number": 1, "elements": joined}]}
    (tmp_path / "pump.txt.foreart.json").write_text(json.dumps(sidecar))
    printed = json.loads(CliRunner().invoke(app, ["draft", str(copied), "--json"]).stdout)
    assert changed.json()["claims"] == printed["claims"]
    assert client.post("/api/search", json={"draft": found["draft"]}).json()["cutoff"]["date"] == "2012-01-02"
    # A null takes a correction back; the others stay.
    back = client.patch(path, json={"priority": None}).json()
    assert back["dates"] == found["dates"]
    assert len(back["claims"][0]["elements"]) == len(elements) - 1
    assert client.patch(path, json={"priority": "yesterday"}).status_code == 422
    assert client.patch(path, json={"colour": "red"}).json()["error"].startswith("the corrections: there is no key")


def test_documents_by_any_spelling(client: TestClient, sample_library) -> None:
    with Library(sample_library) as library:
        number = library.corpus.ids()[3]
    answer = client.get(f"/api/documents/{number}").json()
    assert (answer["ok"], answer["id"]) == (True, number)
    shown = [answer["description"][item["start"] : item["end"]] for item in answer["figures"]]
    assert shown
    assert all("FIG" in text.upper() for text in shown)
    assert client.get(f"/api/documents/{number[:-2].lower()}").json()["id"] == number
    around = client.get(f"/api/documents/{number}/citations").json()
    assert around["ok"] is True
    assert set(around) == {"ok", "id", "cites", "cited_by", "family"}
    missing = client.get("/api/documents/US0")
    assert (missing.status_code, missing.json()) == (
        404, {"ok": False, "error": "US0 is not in the corpus", "status": 404}
    )  # fmt: skip


def test_citations_are_those_of_the_corpus(client: TestClient, sample_library) -> None:
    with Library(sample_library) as library:
        patents = {patent.id: patent for patent in library.corpus}
        keys = {patent.id[:-2]: patent.id for patent in patents.values()}
    cites = {
        number: {keys[cited.id[:-2]] for cited in patent.citations if cited.id[:-2] in keys}
        for number, patent in patents.items()
    }
    number = max(cites, key=lambda item: len(cites[item]))
    answer = client.get(f"/api/documents/{number}/citations").json()
    assert len(cites[number]) > 1
    assert {item["id"] for item in answer["cites"]} == cites[number]
    cited = sorted(cites[number])[0]
    answer = client.get(f"/api/documents/{cited}/citations").json()
    assert {item["id"] for item in answer["cited_by"]} == {one for one, them in cites.items() if cited in them}


def test_a_removed_document_is_no_relation_and_a_number_is_no_file(
    sample_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(sample_library, tmp_path / "library"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("TITLE\nSECRETWORD of glass and silver\n", "utf-8")
    with Library(folder) as library:
        library.corpus.add([Patent("notes.txt", title="A pump")])
        library.corpus.remove(["XX5880446A"])
        assert patent_draft(library, "notes.txt").title == "A pump"
        cites = [item["id"] for item in citations_task(library, "XX8246714B2")["cites"]]
        assert cites == ["XX20060784226A1", "XX4882616A", "XX5428634A", "XX6428716B1"]


def test_reasons_sum_to_the_score(client: TestClient, draft: str) -> None:
    hits = client.post("/api/search", json={"draft": draft, "k": 3}).json()["hits"]
    answer = client.post("/api/explain", json={"draft": draft, "numbers": [hit["id"] for hit in hits]}).json()
    assert [item["id"] for item in answer["documents"]] == [hit["id"] for hit in hits]
    for item, hit in zip(answer["documents"], hits, strict=True):
        assert item["score"] == pytest.approx(hit["score"])
        assert sum(part["contribution"] for part in item["channels"]) == pytest.approx(hit["score"])


def test_a_chart_and_its_quotes_hold(client: TestClient, draft: str) -> None:
    hits = client.post("/api/search", json={"draft": draft, "k": 2}).json()["hits"]
    asked = {"draft": draft, "numbers": [hit["id"] for hit in hits]}
    chart = client.post("/api/chart", json=asked).json()
    assert [item["id"] for item in chart["references"]] == asked["numbers"]
    quotes = [
        {"number": cell["reference"], "place": quote["place"], "text": quote["text"]}
        for cell in chart["cells"]
        for quote in cell["quotes"]
    ]
    checked = client.post("/api/verify", json={"quotes": quotes}).json()
    assert (checked["holds"], checked["quotes"]) == (True, len(quotes))
    quotes[0]["text"] += " and more"
    assert client.post("/api/verify", json={"quotes": quotes}).json()["holds"] is False
    best = client.post("/api/chart", json={"draft": draft, "top": 2}).json()
    assert [item["id"] for item in best["references"]] == asked["numbers"]
    refused = client.post("/api/chart", json={"draft": draft})
    assert (refused.status_code, "references" in refused.json()["error"]) == (422, True)


@needs("openpyxl")
def test_a_chart_in_every_form(client: TestClient, draft: str, sample_library, tmp_path) -> None:
    for form in ("json", "csv", "xlsx", "html", "docx"):
        answer = client.post(f"/api/chart/file?form={form}", json={"draft": draft, "top": 2})
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="chart.{form}"'
        file = tmp_path / f"chart.{form}"
        file.write_bytes(answer.content)
        with Library(sample_library) as library:
            assert library.verify(file).holds
    assert client.post("/api/chart/file?form=exe", json={"draft": draft, "top": 2}).status_code == 422


def test_a_sample_draft_to_try(client: TestClient) -> None:
    answer = client.post("/api/drafts/sample").json()
    assert (answer["ok"], answer["name"], len(answer["claims"])) == (True, "insulin-pump.txt", 8)
    assert client.delete(f"/api/drafts/{answer['draft']}").status_code == 200
    states = {item["name"]: item for item in client.get("/api/libraries").json()["libraries"]}
    assert (states["sample"]["citations"], states["empty"]["citations"]) == (True, False)


def test_a_result_in_every_form(client: TestClient, draft: str) -> None:
    asked = {"draft": draft, "k": 4, "statuses": ["prior art"]}
    found = client.post("/api/search", json=asked).json()
    assert {hit["status"] for hit in found["hits"]} == {"prior art"}
    assert list(found["removed"]["each"]) == ["status prior art"]
    files = {form: client.post(f"/api/search/file?form={form}", json=asked) for form in ("json", "csv", "html")}
    for form, answer in files.items():
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="prior-art.{form}"'
    assert files["json"].json()["hits"] == found["hits"]
    rows = list(csv.DictReader(StringIO(files["csv"].content.decode("utf-8-sig"))))
    assert [row["document"] for row in rows] == [hit["id"] for hit in found["hits"]]
    assert rows[0]["passage"] == found["hits"][0]["passage"]["text"]
    assert rows[0]["text"] == found["hits"][0]["depth"] == "full"
    assert found["hits"][0]["id"] in files["html"].text
    assert client.post("/api/search/file?form=docx", json=asked).status_code == 422


def test_a_patent_of_the_corpus_as_the_draft(client: TestClient, sample_library) -> None:
    with Library(sample_library) as library:
        number = library.corpus.ids()[0]
        expected = [hit.id for hit in library.search(library.draft(number), k=4)]
    for path in ("search", "similar"):
        answer = client.post(f"/api/{path}", json={"number": number, "k": 4}).json()
        assert [hit["id"] for hit in answer["hits"]] == expected
    assert client.post("/api/similar", json={"number": "US0"}).status_code == 404
    assert client.post("/api/search", json={}).json()["error"].startswith("give either")


def test_facets_count_what_a_search_compares(client: TestClient, draft: str, sample_library) -> None:
    found = client.post("/api/search", json={"draft": draft, "k": 50}).json()
    facets = client.post("/api/facets", json={"draft": draft}).json()
    by_status = {item["value"]: item["count"] for item in facets["statuses"]}
    assert facets["documents"] == found["compared"] == sum(by_status.values())
    assert by_status.get("after the date", 0) == found["left_out_count"]
    assert by_status.get("own family", 0) == found["own_family_count"]
    assert facets["admissible"] == found["compared"] - found["left_out_count"] - found["own_family_count"]
    for name in ("years", "countries", "languages", "depths"):
        assert sum(item["count"] for item in facets[name]) == facets["admissible"], name
    # A facet chosen as a filter leaves exactly what it counted.
    chosen = facets["subclasses"][0]
    assert chosen["title"]
    again = client.post("/api/facets", json={"draft": draft, "classes": [chosen["value"]]}).json()
    assert again["admissible"] == chosen["count"]
    assert sum(again["removed"].values()) == facets["documents"] - again["documents"]


def test_a_kept_search_and_what_is_new_since(client: TestClient, draft: str) -> None:
    first = client.post("/api/search", json={"draft": draft, "k": 3, "keep": "Friday"}).json()
    kept = client.get(f"/api/searches/{first['search']}").json()
    assert kept["name"] == "Friday"
    assert [hit["id"] for hit in kept["hits"]] == [hit["id"] for hit in first["hits"]]
    assert first["search"] in [item["search"] for item in client.get("/api/searches").json()["searches"]]
    new = client.post("/api/search", json={"draft": draft, "k": 3, "new_since": first["search"]}).json()
    assert not {hit["id"] for hit in new["hits"]} & {hit["id"] for hit in first["hits"]}
    assert len(new["hits"]) == 3
    assert client.delete(f"/api/searches/{first['search']}").json()["ok"] is True
    assert client.get(f"/api/searches/{first['search']}").status_code == 404
    assert client.post("/api/search", json={"draft": draft, "new_since": first["search"]}).status_code == 404


def test_grades_of_a_person(client: TestClient, draft: str) -> None:
    path = f"/api/drafts/{draft}/grades"
    assert client.put(path, json={"row": "1.0", "reference": "XX1", "grade": 4}).json()["grades"] == {"1.0": {"XX1": 4}}
    assert client.get(path).json()["grades"] == {"1.0": {"XX1": 4}}
    assert client.put(path, json={"row": "1.0", "reference": "XX1", "grade": 9}).status_code == 422
    assert client.put(path, json={"row": "1.0", "reference": "XX1"}).json()["grades"] == {}


@needs("openpyxl")
def test_a_chart_follows_the_grades_of_a_person_in_every_form(client: TestClient, sample_library, tmp_path) -> None:
    draft = client.post("/api/drafts?name=x.txt", content=DRAFT.read_bytes()).json()["draft"]
    asked = {"draft": draft, "top": 3}
    before = client.post("/api/chart", json=asked).json()
    last = before["references"][-1]["id"]
    for row in before["rows"]:
        given = {"row": row["label"], "reference": last, "grade": 5}
        assert client.put(f"/api/drafts/{draft}/grades", json=given).status_code == 200
    chart = client.post("/api/chart", json=asked).json()
    assert (chart["references"][0]["id"], chart["references"][0]["coverage"]) == (last, 1.0)
    assert chart["findings"][0]["ranking"][0] == {"reference": last, "coverage": 1.0}
    assert {row["best"] for row in chart["rows"]} == {last}
    computed = {(cell["row"], cell["reference"]): (cell["grade"], cell["coverage"]) for cell in before["cells"]}
    assert {(c["row"], c["reference"]): (c["grade"], c["coverage"]) for c in chart["cells"]} == computed
    assert client.post("/api/chart", json={**asked, "own_grades": False}).json() == before
    for form in ("json", "csv", "xlsx", "html", "docx"):
        file = tmp_path / f"chart.{form}"
        file.write_bytes(client.post(f"/api/chart/file?form={form}", json=asked).content)
        with Library(sample_library) as library:
            assert library.verify(file).holds
    assert "own grade" in (tmp_path / "chart.csv").read_text("utf-8").splitlines()[0]
    assert "own grade (computed: " in (tmp_path / "chart.html").read_text("utf-8")
    # A correction that changes an element takes its grades back, those of other elements stay.
    claim = client.get(f"/api/drafts/{draft}").json()["claims"][0]
    texts = [item["text"] for item in claim["elements"]]
    joined = [claim["text"][: claim["elements"][1]["end"]], *texts[2:]]
    client.patch(f"/api/drafts/{draft}", json={"claims": [{"number": 1, "elements": joined}]})
    kept = set(client.get(f"/api/drafts/{draft}/grades").json()["grades"])
    assert "1.1" not in kept
    assert kept == {row["label"] for row in before["rows"] if row["claim"] != 1}


def test_passages_for_a_paragraph_of_the_draft_hold(client: TestClient, draft: str) -> None:
    paragraphs = client.get(f"/api/drafts/{draft}").json()["paragraphs"]
    place = max(range(len(paragraphs)), key=lambda number: len(paragraphs[number]["text"]))
    hits = client.post("/api/search", json={"draft": draft, "k": 2}).json()["hits"]
    asked = {"draft": draft, "paragraph": place, "numbers": [hit["id"] for hit in hits]}
    found = client.post("/api/passages", json=asked).json()
    assert [item["id"] for item in found["documents"]] == asked["numbers"]
    quotes = [
        {"number": item["id"], "place": quote["place"], "text": quote["text"], "fingerprint": item["fingerprint"]}
        for item in found["documents"]
        for quote in item["quotes"]
    ]
    checked = client.post("/api/verify", json={"quotes": quotes}).json()
    assert (checked["holds"], checked["quotes"]) == (True, len(quotes))
    best = [quote["coverage"] for quote in found["documents"][0]["quotes"]]
    assert best[0] == max(best) > 0.1
    refused = client.post("/api/passages", json={**asked, "paragraph": 999})
    assert (refused.status_code, refused.json()["error"]) == (
        422, f"the draft has {len(paragraphs)} paragraphs: there is no number 999"
    )  # fmt: skip
    assert client.post("/api/passages", json={**asked, "numbers": ["US0"]}).status_code == 404


def test_what_is_kept_beside_a_draft(client: TestClient) -> None:
    draft = client.post("/api/drafts?name=x.txt", content=DRAFT.read_bytes()).json()["draft"]
    path = f"/api/drafts/{draft}/workspace"
    blank = {"ok": True, "highlights": [], "references": [], "claims": "", "purpose": "novelty"}
    assert client.get(path).json() == blank
    groups = [{"name": "pumps", "words": ["pump", "syringe"], "colour": 2, "on": True}]
    assert client.put(path, json={"highlights": groups}).json() == {**blank, "highlights": groups}
    kept = client.put(path, json={"references": ["A", "B", "A"], "purpose": "invalidity"}).json()
    assert kept == {**blank, "highlights": groups, "references": ["A", "B"], "purpose": "invalidity"}
    assert client.get(path).json() == kept
    assert client.put(path, json={"highlights": [{"name": "x", "words": [], "colour": 7}]}).status_code == 422
    assert len(client.delete(f"/api/drafts/{draft}").json()["removed"]) == 3
    assert client.get(path).status_code == 404


def test_the_corpus_and_an_empty_library(client: TestClient) -> None:
    stats = client.get("/api/stats").json()
    assert (stats["ok"], stats["documents"]) == (True, 50)
    found = {item["name"]: item for item in client.get("/api/libraries").json()["libraries"]}
    assert found["sample"]["documents"] == 50
    assert "topics" in found["sample"]["indexes"]
    assert found["empty"]["documents"] == 0
    refused = client.post("/api/search", json={"number": "US1", "library": "empty"})
    assert (refused.status_code, "add files" in refused.json()["error"]) == (404, True)
    assert client.get("/api/stats?library=nowhere").status_code == 404
    assert client.get("/api/rejects").json()["rejects"] == []


def finished(client: TestClient, job: str) -> dict:
    for _ in range(600):
        state = client.get(f"/api/jobs/{job}").json()
        if state["state"] not in ("waiting", "running"):
            return state
        time.sleep(0.1)
    raise AssertionError(state)


def test_a_file_is_added_and_built_and_searched(client: TestClient) -> None:
    data = (SAMPLE / "patents.jsonl").read_bytes() + b'{"id": "broken\n'
    started = client.post("/api/corpus/files?library=empty&name=../../etc/a b.jsonl", content=data)
    assert started.status_code == 202
    added = finished(client, started.json()["job"])
    assert (added["state"], added["result"]["added"], added["result"]["rejected"]) == ("done", 50, 1)
    rejects = client.get("/api/rejects?library=empty").json()["rejects"]
    assert len(rejects) == 1
    assert "/" not in rejects[0]["file"].rpartition("uploads/")[2]
    built = finished(client, client.post("/api/jobs/build?library=empty").json()["job"])
    assert built["state"] == "done"
    stream = client.get(f"/api/jobs/{built['job']}/events").text
    assert "event: progress" in stream
    assert "event: done" in stream
    last = int(stream.rpartition("id: ")[2].split("\n")[0])
    resumed = client.get(f"/api/jobs/{built['job']}/events", headers={"Last-Event-ID": str(last - 1)}).text
    assert resumed.startswith(f"id: {last}\nevent: done\n")
    with_hits = client.post("/api/drafts?library=empty&name=p", content=DRAFT.read_bytes()).json()
    asked = {"draft": with_hits["draft"], "library": "empty"}
    assert len(client.post("/api/search", json=asked).json()["hits"]) == 20
    checked = finished(client, client.post("/api/jobs/doctor?library=empty").json()["job"])
    assert checked["result"]["ok"] is True


def test_a_large_file_is_added_on_all_cores(tmp_path) -> None:
    """Workers of a job are processes of a process: only an independent one may start them."""
    records = [json.loads(line) for line in (SAMPLE / "patents.jsonl").read_text("utf-8").splitlines()]
    lines = "".join(
        json.dumps({**record, "id": f"XX{20010000000 + 100 * copy + place}A1", "family_refs": [], "citations": []})
        + "\n"
        for copy in range(20)
        for place, record in enumerate(records)
    )
    settings = ServerSettings(libraries=(tmp_path / "large",), token=TOKEN, workers=1, forget=True)
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        job = client.post("/api/corpus/files?name=large.jsonl", content=lines.encode()).json()["job"]
        added = finished(client, job)
        assert (added["state"], added["error"]) == ("done", "")
        assert added["result"]["added"] == 1000
        assert [event for event in client.get(f"/api/jobs/{job}/events").text.split("\n\n") if "progress" in event]


def test_a_job_is_cancelled(client: TestClient) -> None:
    job = client.post("/api/jobs/build").json()["job"]
    cancelled = client.delete(f"/api/jobs/{job}").json()
    assert cancelled["state"] == "cancelled"
    assert client.get(f"/api/jobs/{job}/events").text.endswith("event: cancelled\ndata: {}\n\n")
    assert client.delete("/api/jobs/nothing").status_code == 404


def test_maps_are_reproducible_and_say_how_far_they_can_be_trusted(client: TestClient, draft: str) -> None:
    first = client.post("/api/map", json={"draft": draft}).json()
    assert first == client.post("/api/map", json={"draft": draft}).json()
    assert first["draft"] == {"x": 0.0, "y": 0.0}
    assert max(abs(point[axis]) for point in first["points"] for axis in "xy") == 1.0
    better = finished(client, client.post("/api/jobs/map", json={"draft": draft}).json()["job"])["result"]
    assert better["layout"] == "tsne"
    assert {point["id"] for point in better["points"]} == {point["id"] for point in first["points"]}
    assert better["trustworthiness"] >= first["trustworthiness"]


def test_a_draft_is_removed_with_all_that_was_kept_of_it(client: TestClient) -> None:
    found = client.post("/api/drafts?name=x.txt", content=DRAFT.read_bytes()).json()["draft"]
    kept = client.post("/api/search", json={"draft": found, "keep": "x"}).json()["search"]
    client.put(f"/api/drafts/{found}/grades", json={"row": "1", "reference": "A", "grade": 1})
    assert found in [item["draft"] for item in client.get("/api/drafts").json()["drafts"]]
    removed = client.delete(f"/api/drafts/{found}").json()["removed"]
    assert sorted(item["file"] for item in removed) == sorted(
        [f"{found}.source", f"{found}.json", f"{found}.json", f"{kept}.json"]
    )
    assert all(item["bytes"] > 0 for item in removed)
    assert client.get(f"/api/drafts/{found}").status_code == 404
    assert client.get(f"/api/searches/{kept}").status_code == 404


def test_a_zip_that_is_no_word_file_is_refused_in_one_sentence(client: TestClient) -> None:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "secret words")
    answer = client.post("/api/drafts?name=a.zip", content=file.getvalue())
    assert answer.status_code == 415
    assert answer.json()["error"].startswith("a.zip is a zip file but not a Word document")


def test_an_expert_set_is_labelled_blind_by_two_raters(client: TestClient, sample_library) -> None:
    asked = {"name": "spring", "number": 2, "each": 2, "seed": 3, "random": 12, "min_cited": 1}
    drawn = finished(client, client.post("/api/jobs/expert-set", json=asked).json()["job"])
    assert drawn["error"] == ""
    assert drawn["result"]["targets"] == 2
    given = {"ann": 4, "bob": 3}
    for rater, score in given.items():
        first = client.get(f"/api/expert-sets/spring/next?rater={rater}").json()
        assert set(first["pair"]["document"]) == {"id", "title", "abstract", "claims", "language"}
        for _ in range(first["left"]):
            pair = client.get(f"/api/expert-sets/spring/next?rater={rater}").json()["pair"]
            label = {"rater": rater, "target": pair["target"]["id"], "document": pair["document"]["id"]}
            answer = client.post("/api/expert-sets/spring/labels", json={**label, "score": score, "comment": "ok"})
            assert answer.status_code == 200, answer.text
        assert answer.json()["left"] == 0
        assert client.get(f"/api/expert-sets/spring/next?rater={rater}").json()["pair"] is None
    assert client.get("/api/expert-sets/spring/agreement").json()["pairs"][0]["equal"] == 0.0
    listed = {item["name"]: item for item in client.get("/api/expert-sets").json()["sets"]}
    assert listed["spring"]["raters"] == dict.fromkeys(given, drawn["result"]["pairs"])
    assert client.get("/api/expert-sets/nothing/next?rater=ann").status_code == 404
    assert client.get("/api/expert-sets/..%2f..%2fetc/next?rater=ann").status_code == 404
    assert client.get("/api/expert-sets/spring/next?rater=../x").status_code == 422
