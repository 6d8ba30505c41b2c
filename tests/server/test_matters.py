"""Matters over HTTP: what two tabs see, what a session may read, and that Python finds the same file."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from foreart import SAMPLE, Library
from foreart.report.forms.report_data import NOTICE
from foreart.review.casework import MatterReview, snapshot_of
from foreart.review.casework.matter_forms import FORMS
from foreart.review.casework.review_json import stopping_record
from foreart.server import ServerSettings
from foreart.server.application import make_app
from server_world import BASE, TOKEN, Serving

TEXTS = {"json", "csv", "report-csv", "report-json", "ris", "biblatex", "bibtex"}
PASSPHRASE = "seven quiet otters row home"


@pytest.fixture
def folder(client: TestClient) -> Path:
    return client.app._app.state.desk.libraries["sample"]


@pytest.fixture
def matter(client: TestClient) -> Iterator[str]:
    """A matter with a search; purged afterwards, with its draft."""
    name = f"pump-{time.monotonic_ns()}"
    data = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
    draft = ok(client.post("/api/drafts", params={"name": "pump.txt"}, content=data))["draft"]
    ok(client.post("/api/matters", json={"name": name, "title": "Pump"}))
    ok(client.post(f"/api/matters/{name}/events", json={"kind": "draft", "draft": draft}))
    found = ok(client.post(f"/api/matters/{name}/search", json={"k": 10, "rater": "ann"}))
    assert (found["event"], found["hits"]) == (3, 10)
    yield name
    client.delete(f"/api/matters/{name}")


def ok(answer: Any) -> dict[str, Any]:
    record = answer.json()
    assert answer.status_code == 200, record
    assert record["ok"] is True
    return record


def refused(answer: Any) -> tuple[int, str]:
    record = answer.json()
    assert (record["ok"], record["status"]) == (False, answer.status_code)
    return answer.status_code, record["error"]


def event(client: TestClient, matter: str, kind: str, **fields: Any) -> dict[str, Any]:
    return ok(client.post(f"/api/matters/{matter}/events", json={"kind": kind, "rater": "ann", **fields}))


def queue(client: TestClient, matter: str, **query: Any) -> list[dict[str, Any]]:
    return ok(client.get(f"/api/matters/{matter}/queue", params={"rater": "ann", **query}))["queue"]


def test_a_review_over_http_is_that_of_python(client: TestClient, matter: str, folder: Path) -> None:
    first, second, third = (item["id"] for item in queue(client, matter, limit=3))
    kept = event(client, matter, "judgement", document=first, judgement="relevant", seen=3)
    assert (kept["event"]["n"], kept["event"]["judgement"], kept["last"], kept["undo"]) == (4, "relevant", 4, 4)
    event(client, matter, "judgement", document=second, judgement="later")
    event(client, matter, "category", document=first, category="p, x", claims=[3, 1])
    event(client, matter, "note", text="as in the draft", document=first)
    event(client, matter, "highlight", name="parts", words=["pump"], colour="red")
    event(client, matter, "criteria", text="Any occlusion sensor.")
    event(client, matter, "stopping", target=0.8, confidence=0.95)
    event(client, matter, "seed", document=third)
    event(client, matter, "shown", documents=[first, second])
    assert event(client, matter, "shown", documents=[first])["event"] is None
    undone = event(client, matter, "undo")
    assert (undone["event"]["kind"], undone["event"]["document"]) == ("seed", third)
    assert undone["redo"] == undone["event"]["n"]
    event(client, matter, "redo")
    with Library(folder) as library, library.matter(matter) as found:
        state = found.state
        assert [(item.event.document, item.event.judgement) for item in state.judgements] == [
            (first, "relevant"), (second, "later")
        ]  # fmt: skip
        assert [(line.event.category, line.event.claims) for line in state.categories] == [("P,X", (1, 3))]
        assert state.criteria == "Any occlusion sensor."
        assert [seed.event.document for seed in state.seeds] == [third]
        items = MatterReview(snapshot_of(found), library, rater="ann").queue().items
        expected = [item.queued.id for item in items]
        digest = found.digest
    assert [item["id"] for item in queue(client, matter, limit=200)] == expected
    assert queue(client, matter, limit=200)[-1]["postponed"] is True
    shown = ok(client.get(f"/api/matters/{matter}"))
    assert (shown["title"], shown["check"], shown["judged"], shown["relevant"]) == ("Pump", digest, 2, 1)
    assert shown["state"]["read"]["ann"] == [first, second]
    listed = ok(client.get("/api/matters"))["matters"]
    assert {"Pump"} == {entry["title"] for entry in listed if entry["name"] == matter}


def test_an_item_of_the_queue_has_all_that_a_judgement_needs(client: TestClient, matter: str) -> None:
    answer = ok(client.get(f"/api/matters/{matter}/queue", params={"limit": 1}))
    (item,) = answer["queue"]
    assert (answer["left"], answer["last"], item["place"], item["rank"]) == (46, 3, 1, 1)
    for key in ("id", "title", "published", "applicants", "status", "rule", "abstract", "channels", "words", "score"):
        assert item[key], key
    assert item["passage"]["text"]


def test_a_judgement_changes_the_order_and_its_parts_sum(client: TestClient, matter: str, folder: Path) -> None:
    before = queue(client, matter, limit=50)
    event(client, matter, "judgement", document=before[0]["id"], judgement="relevant")
    event(client, matter, "judgement", document=before[1]["id"], judgement="no")
    after = queue(client, matter, limit=50)
    assert [item["id"] for item in after] != [item["id"] for item in before[2:]]
    prior = {item["id"]: item["score"] for item in before}
    for item in after:
        told = item["judgements"]
        assert told["channel"] == "your judgements"
        assert sum(part["contribution"] for part in told["parts"]) == pytest.approx(told["contribution"], abs=1e-12)
        assert item["score"] == pytest.approx(prior[item["id"]] + told["contribution"], abs=1e-9)
        assert 0 < item["chance"] < 1
    assert [place for place, item in enumerate(after, start=1) if item["elsewhere"]] == [8, 18, 28, 38]
    far = queue(client, matter, limit=50, elsewhere=1)
    assert [item["id"] for item in far] != [item["id"] for item in after]
    other = ok(client.get(f"/api/matters/{matter}/queue", params={"rater": "bob", "limit": 50}))
    assert [item["id"] for item in other["queue"]] == [item["id"] for item in before]
    assert other["changes"] == []
    number = after[3]["id"]
    body = {"numbers": [number], "rater": "ann", "words": 3}
    (reasons,) = ok(client.post(f"/api/matters/{matter}/explain", json=body))["documents"]
    assert reasons["channels"][-1]["channel"] == "your judgements"
    assert reasons["channels"][-1]["contribution"] == pytest.approx(after[3]["judgements"]["contribution"], abs=1e-12)
    assert reasons["score"] == pytest.approx(after[3]["score"], abs=1e-9)
    assert sum(item["contribution"] for item in reasons["channels"]) == pytest.approx(reasons["score"], abs=1e-9)
    event(client, matter, "undo")
    event(client, matter, "undo")
    assert [item["id"] for item in queue(client, matter, limit=50)] == [item["id"] for item in before]


def test_the_estimate_over_http_is_that_of_python(client: TestClient, matter: str, folder: Path) -> None:
    event(client, matter, "stopping", target=0.75, confidence=0.8)
    for item in queue(client, matter, limit=4):
        event(client, matter, "judgement", document=item["id"], judgement="relevant")
    record = ok(client.get(f"/api/matters/{matter}/stopping", params={"rater": "ann"}))
    with Library(folder) as library, library.matter(matter) as found:
        expected = stopping_record(MatterReview(snapshot_of(found), library, rater="ann"))
    assert {name: record[name] for name in expected} == expected
    assert (record["found"], record["read"], record["target"], record["may_stop"]) == (4, 4, 0.75, False)
    assert record["curve"] == [{"read": count, "found": count} for count in range(5)]
    assert record["rule"]["fixed_before_reading"] is True
    assert record["last"] == 8


def test_a_report_is_a_download_with_what_was_judged(client: TestClient, matter: str, folder: Path) -> None:
    first = queue(client, matter)[0]["id"]
    event(client, matter, "judgement", document=first, judgement="relevant")
    event(client, matter, "category", document=first, category="X", claims=[1])
    path = f"/api/matters/{matter}/export"
    page = client.post(path, json={"form": "epo-html", "rater": "ann"})
    assert page.headers["content-disposition"] == f'attachment; filename="{matter}-epo-html.html"'
    body = {"form": "report-json", "rater": "ann", "docket": "N-1", "items_before": 51, "leave_out": ["passages"]}
    record = client.post(path, json=body).json()
    assert [document["id"] for document in record["documents"]] == [first]
    assert (record["draft"]["docket"], record["items_before"]) == ("N-1", 51)
    assert "passages" not in record["documents"][0]
    with Library(folder) as library, library.matter(matter) as found:
        assert [item.event.form for item in found.state.exports] == ["epo-html", "report-json"]
    assert refused(client.post(path, json={"form": "json", "leave_out": ["colour"]}))[0] == 422
    assert refused(client.post(path, json={"form": "json", "x": 1}))[0] == 422


def test_a_judgement_over_one_of_another_tab_is_told(client: TestClient, matter: str) -> None:
    number = queue(client, matter)[0]["id"]
    first = event(client, matter, "judgement", document=number, judgement="relevant", seen=3)
    assert first["unseen"] is None
    second = event(client, matter, "judgement", document=number, judgement="no", seen=3)
    assert second["unseen"] == first["last"]
    assert ok(client.get(f"/api/matters/{matter}"))["state"]["judgements"][0]["judgement"] == "no"


def test_what_cannot_be_done_is_told(client: TestClient, matter: str) -> None:
    path = f"/api/matters/{matter}"
    assert refused(client.get("/api/matters/none"))[0] == 404
    assert refused(client.get("/api/matters/a%20b"))[0] == 422
    assert refused(client.post("/api/matters", json={"name": matter}))[1].startswith(
        f"there is a matter {matter} already"
    )
    assert refused(client.post(f"{path}/events", json={"kind": "dance"}))[0] == 422
    assert refused(client.post(f"{path}/events", json={"kind": "undo", "x": 1}))[1].endswith(
        "it has an option that does not exist"
    )
    wrong = {"kind": "judgement", "document": "XX0", "judgement": "no"}
    assert refused(client.post(f"{path}/events", json=wrong)) == (404, "XX0 is not in the corpus")
    bad = {"kind": "category", "document": "XX8246714B2", "category": "Q"}
    assert refused(client.post(f"{path}/events", json=bad))[0] == 422
    assert refused(client.get(f"{path}/export?form=doc")) == (
        422, f"there is no such form of export; there are {', '.join(FORMS)}"
    )  # fmt: skip
    ok(client.post("/api/matters", json={"name": "bare"}))
    assert refused(client.post("/api/matters/bare/search", json={}))[0] == 409
    ok(client.delete("/api/matters/bare"))


def test_an_export_is_a_download_and_is_in_the_log_unless_it_is_only_read(client: TestClient, matter: str) -> None:
    read = client.get(f"/api/matters/{matter}/export", params={"form": "csv", "rater": "ann"})
    answer = client.post(f"/api/matters/{matter}/export", json={"form": "csv", "rater": "ann"})
    assert read.content == answer.content
    assert answer.headers["content-disposition"] == f'attachment; filename="{matter}.csv"'
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.lstrip("\ufeff").startswith("rater,document,judgement")
    record = client.get(f"/api/matters/{matter}/export").json()
    assert [item["kind"] for item in record["log"]] == ["created", "draft", "search", "export"]
    assert record["log"][-1]["file"] == f"{matter}.csv"


def test_a_number_of_the_corpus_can_be_the_draft(client: TestClient) -> None:
    ok(client.post("/api/matters", json={"name": "from-number"}))
    found = ok(client.post("/api/matters/from-number/search", json={"number": "XX8246714B2", "k": 3}))
    assert found["hits"] == 3
    assert ok(client.get("/api/matters/from-number"))["state"]["drafts"][0]["source"] == "XX8246714B2"
    removed = ok(client.delete("/api/matters/from-number"))
    assert removed["removed"][0]["file"] == "matters/from-number.matter"
    assert any("SSDs" in note for note in removed["notes"])
    assert refused(client.get("/api/matters/from-number"))[0] == 404


@pytest.fixture
def served(sample_library: Path, tmp_path: Path) -> Iterator[tuple[Any, Path]]:
    """An application of its own, so that sessions can be opened and closed."""
    folder = tmp_path / "library"
    (folder / "desk").mkdir(parents=True)
    app = make_app(ServerSettings(libraries=(folder,), token=TOKEN, workers=1))
    yield app, folder


def browser(app: Any) -> TestClient:
    found = TestClient(app, base_url=BASE, headers={"Sec-Fetch-Site": "same-origin"})
    ok(found.post("/api/session", json={"token": TOKEN}))
    return found


def test_a_passphrase_opens_a_matter_for_one_session_only(served) -> None:
    app, folder = served
    ann, bob = browser(app), browser(app)
    made = ok(ann.post("/api/matters", json={"name": "deep", "title": "Secret", "passphrase": PASSPHRASE}))
    assert made["sealed"] is True
    ok(ann.post("/api/matters/deep/events", json={"kind": "note", "text": "quicksilver"}))
    assert refused(bob.get("/api/matters/deep")) == (403, "the matter deep is sealed: give its passphrase")
    assert [entry["title"] for entry in ok(bob.get("/api/matters"))["matters"]] == [None]
    assert [entry["title"] for entry in ok(ann.get("/api/matters"))["matters"]] == ["Secret"]
    wrong = bob.post("/api/matters/deep/open", json={"passphrase": "another passphrase"})
    assert refused(wrong) == (403, "the passphrase does not open the matter deep")
    assert ok(bob.post("/api/matters/deep/open", json={"passphrase": PASSPHRASE}))["title"] == "Secret"
    ok(bob.post("/api/matters/deep/close"))
    assert refused(bob.get("/api/matters/deep"))[0] == 403
    # What one session appends, the other sees.
    ok(bob.post("/api/matters/deep/open", json={"passphrase": PASSPHRASE}))
    ok(bob.post("/api/matters/deep/events", json={"kind": "note", "text": "escapement", "rater": "bob"}))
    assert len(ok(ann.get("/api/matters/deep"))["state"]["notes"]) == 2
    data = b"".join(file.read_bytes() for file in (folder / "matters").iterdir())
    assert not any(word in data for word in (b"Secret", b"quicksilver", b"escapement", b"bob"))
    ann.delete("/api/session")
    assert ann.get("/api/matters").status_code == 401
    desk = app._app.state.desk
    assert {key[2] for key in desk.matters._logs} == {"deep"}
    assert len(desk.matters._logs) == 1  # bob's
    desk.matters.close_all()


def test_wrong_passphrases_slow_down(served) -> None:
    app, _ = served
    client = browser(app)
    ok(client.post("/api/matters", json={"name": "deep", "passphrase": PASSPHRASE}))
    ok(client.post("/api/matters/deep/close"))
    statuses = [client.post("/api/matters/deep/open", json={"passphrase": f"wrong {n}"}).status_code for n in range(6)]
    assert statuses[:4] == [403] * 4
    assert statuses[-1] == 429
    app._app.state.desk.matters.close_all()


def test_another_passphrase_over_http_shuts_other_sessions_out(served) -> None:
    app, _ = served
    ann, bob = browser(app), browser(app)
    ok(ann.post("/api/matters", json={"name": "deep", "title": "Secret", "passphrase": PASSPHRASE}))
    ok(bob.post("/api/matters/deep/open", json={"passphrase": PASSPHRASE}))
    new = "nine loud herons fly north"
    wrong = ann.post("/api/matters/deep/passphrase", json={"passphrase": "another passphrase", "new": new})
    assert refused(wrong) == (403, "the passphrase does not open the matter deep")
    changed = ok(ann.post("/api/matters/deep/passphrase", json={"passphrase": PASSPHRASE, "new": new}))
    assert (changed["title"], changed["sealed"]) == ("Secret", True)
    assert ok(ann.get("/api/matters/deep"))["title"] == "Secret"
    assert refused(bob.get("/api/matters/deep")) == (403, "the matter deep is sealed: give its passphrase")
    assert refused(bob.post("/api/matters/deep/open", json={"passphrase": PASSPHRASE}))[0] == 403
    assert ok(bob.post("/api/matters/deep/open", json={"passphrase": new}))["title"] == "Secret"
    ok(ann.post("/api/matters", json={"name": "plain"}))
    sentence = refused(ann.post("/api/matters/plain/passphrase", json={"passphrase": PASSPHRASE, "new": new}))[1]
    assert sentence == "the matter plain is not sealed: seal it with a passphrase"
    app._app.state.desk.matters.close_all()


def test_sealing_over_http_shuts_other_sessions_out(served) -> None:
    app, folder = served
    ann, bob = browser(app), browser(app)
    ok(ann.post("/api/matters", json={"name": "plain", "title": "Secret"}))
    assert ok(bob.get("/api/matters/plain"))["title"] == "Secret"
    assert ok(ann.post("/api/matters/plain/seal", json={"passphrase": PASSPHRASE}))["sealed"] is True
    assert refused(bob.get("/api/matters/plain"))[0] == 403
    assert ok(ann.get("/api/matters/plain"))["title"] == "Secret"
    # Purged by the one who has it open; the other's tab finds nothing.
    assert any("key" in note for note in ok(ann.delete("/api/matters/plain"))["notes"])
    assert refused(bob.get("/api/matters/plain"))[0] == 404
    assert list((folder / "matters").iterdir()) == []
    app._app.state.desk.matters.close_all()


def test_a_preview_shows_what_the_file_will_have_and_keeps_nothing(client: TestClient, matter: str) -> None:
    first = queue(client, matter, limit=1)[0]["id"]
    event(client, matter, "judgement", document=first, judgement="relevant")
    before = ok(client.get(f"/api/matters/{matter}"))["check"]

    def previewed(form: str, **head: Any) -> dict[str, Any]:
        return ok(client.post(f"/api/matters/{matter}/preview", json={"form": form, "rater": "ann", **head}))

    for form, name in FORMS.items():
        found = previewed(form, docket="N-7")
        assert (found["sheet"] is None) == (form in TEXTS), form
        assert bool(found["text"]) == (form in TEXTS), form
        if found["sheet"]:
            assert found["sheet"]["notice"] == NOTICE
            assert "N-7" in json.dumps(found["sheet"]), form
        assert name.about
    sheet = previewed("epo-pdf")["sheet"]
    page = client.get(f"/api/matters/{matter}/export", params={"form": "epo-html"}).text
    for part in sheet["parts"]:
        if part["kind"] == "heading":
            assert f">{part['text']}</h" in page.replace("&amp;", "&"), part
    assert "passages cited" not in json.dumps(previewed("docx", leave_out=["passages"])["sheet"]).lower()
    assert ok(client.get(f"/api/matters/{matter}"))["check"] == before
    wrong = client.post(f"/api/matters/{matter}/preview", json={"form": "odt"})
    assert refused(wrong)[1].startswith("there is no such form of export; there are json, csv")


def test_literature_over_http_is_judged_like_a_document(client: TestClient, matter: str) -> None:
    fields = {"title": "Leaf springs", "authors": ["Hartwell, Ruth"], "item": "J. Mech.", "published": "1998"}
    kept = event(client, matter, "literature", **fields, places=["page 104"])["event"]
    assert (kept["document"], kept["reference"]["item"], kept["places"]) == ("NPL-4", "J. Mech.", ["page 104"])
    event(client, matter, "judgement", document="NPL-4", judgement="relevant")
    event(client, matter, "category", document="NPL-4", category="Y", claims=[1])
    event(client, matter, "note", document="NPL-4", text="get a copy")
    changed = event(client, matter, "literature", document="NPL-4", **fields | {"published": "1999"})["event"]
    assert (changed["document"], changed["reference"]["published"]) == ("NPL-4", "1999")
    state = ok(client.get(f"/api/matters/{matter}"))["state"]
    assert [(item["document"], item["reference"]["published"]) for item in state["literature"]] == [("NPL-4", "1999")]
    report = client.get(f"/api/matters/{matter}/export", params={"form": "report-json"}).json()
    assert [item["text"] for item in report["literature"]] == ["HARTWELL, RUTH; “Leaf springs”; J. Mech.; 1999"]
    wrong = {"kind": "judgement", "document": "NPL-7", "judgement": "no"}
    assert refused(client.post(f"/api/matters/{matter}/events", json=wrong)) == (
        404, f"NPL-7 is not in the matter {matter}"
    )  # fmt: skip


def test_a_purge_removes_the_uploaded_draft_too(client: TestClient) -> None:
    draft = ok(client.post("/api/drafts?name=a.txt", content=b"Title\n\nA clock with an escapement.\n"))["draft"]
    ok(client.post("/api/matters", json={"name": "clock"}))
    ok(client.post("/api/matters/clock/events", json={"kind": "draft", "draft": draft}))
    removed = [item["file"] for item in ok(client.delete("/api/matters/clock"))["removed"]]
    assert {f"desk/drafts/{draft}.json", f"desk/drafts/{draft}.source"} <= set(removed)
    assert refused(client.get(f"/api/drafts/{draft}"))[0] == 404


def test_other_tabs_learn_of_every_event(serving: Serving) -> None:
    serving.start()
    assert serving.ask("POST", "/api/matters", {"name": "clock", "title": "Clock"})[0] == 200
    request = urllib.request.Request(
        f"{serving.address.rstrip('/')}/api/matters/clock/events", headers={"Authorization": f"Bearer {serving.token}"}
    )
    lines: list[str] = []

    def follow() -> None:
        with urllib.request.urlopen(request, timeout=60) as stream:
            lines.extend(line.decode().rstrip("\n") for line in stream)

    follower = threading.Thread(target=follow)
    follower.start()
    time.sleep(1.0)
    assert serving.ask("POST", "/api/matters/clock/events", {"kind": "note", "text": "from a tab"})[0] == 200
    with Library(serving.folder) as library, library.matter("clock") as matter:
        matter.note("from Python", rater="bob")
    time.sleep(1.0)
    assert serving.ask("DELETE", "/api/matters/clock")[0] == 200
    follower.join(30)
    assert not follower.is_alive()
    data = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert [(item["n"], item["text"], item["rater"]) for item in data[:-1]] == [
        (2, "from a tab", ""),
        (3, "from Python", "bob"),
    ]
    assert [line for line in lines if line.startswith(("id:", "event:"))] == [
        "id: 2", "event: appended", "id: 3", "event: appended", "event: closed"
    ]  # fmt: skip
    log = "".join(serving.log)
    assert "clock" not in log
    assert "/api/matters/{matter}/events" in log
