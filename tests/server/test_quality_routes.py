"""What the pages Corpus and Evaluate ask for: state of the indexes, what learning measured, evaluations, labelling."""

from __future__ import annotations

import json
import os
import shutil
import time

import pytest
from fastapi.testclient import TestClient

import foreart
from foreart import Library
from foreart.search.ranking import LEARNED, load_learned, ranking_path
from foreart.server import ServerSettings
from foreart.server.application import make_app
from server_world import BASE, TOKEN


def finished(client: TestClient, path: str, **asked) -> dict:
    job = client.post(f"/api/jobs/{path}", **asked).json()["job"]
    for _ in range(600):
        state = client.get(f"/api/jobs/{job}").json()
        if state["state"] not in ("waiting", "running"):
            return state
        time.sleep(0.1)
    raise AssertionError(state)


@pytest.fixture
def own(sample_library, tmp_path):
    """A client of a copy that the test may change, and its folder."""
    folder = tmp_path / "sample"
    shutil.copytree(sample_library, folder)
    settings = ServerSettings(libraries=(folder,), token=TOKEN, workers=1)
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as found:
        yield found, folder


def test_an_evaluation_is_that_of_python(client: TestClient, sample_library) -> None:
    with Library(sample_library) as library:
        known = set(library.corpus.ids())
        judged = {patent.id: {item.id: 1 for item in patent.citations if item.id in known} for patent in library.corpus}
        judged = {query: held for query, held in judged.items() if len(held) > 2}
        expected = foreart.evaluate(library, foreart.Qrels(judged)).to_record(per_query=True)
    result = finished(client, "evaluate", json={"judgements": judged})["result"]
    assert {name: result[name] for name in expected} == json.loads(json.dumps(expected))
    assert set(result["per_query"]) == set(result["titles"]) == set(judged)
    assert result["described"]["recall@100"] == "share of the relevant documents among the first 100"
    assert result["source"] == {"kind": "judgements"}


def test_citations_of_the_corpus_are_judgements(client: TestClient, sample_library) -> None:
    first, again = (finished(client, "evaluate", json={"citing": 4, "seed": 2})["result"] for _ in range(2))
    assert first == again
    assert first["queries"] == 4
    with Library(sample_library) as library:
        for query in first["per_query"]:
            assert len(library.corpus[query].citations) >= 3
    neither = finished(client, "evaluate", json={})
    assert (neither["state"], neither["error"][:11]) == ("failed", "give either")


def test_the_ranking_says_what_learning_measured(own) -> None:
    client, folder = own
    assert client.get("/api/ranking").json()["learned"] is None
    assert finished(client, "learn")["state"] == "done"
    found = client.get("/api/ranking").json()
    with Library(folder) as library:
        learned = load_learned(ranking_path(library.folder) / LEARNED)
    assert found["learned"]["warm"] == learned.metrics
    assert found["learned"]["cold"] == learned.cold
    assert found["learned"]["outgrown"] == ""
    assert found["metrics"]["map"] == "mean average precision"


def test_what_was_added_and_is_not_searched_yet_is_counted(own) -> None:
    client, _ = own
    before = client.get("/api/libraries").json()["libraries"][0]
    assert (before["searched"], before["changes"]["added"], before["changes"]["note"]) == (50, 0, "")
    line = '{"id": "XX99900%02dA1", "title": "A pump with a sensor", "abstract": "A pump.", "published": "2001-02-03"}'
    added = client.post("/api/corpus/files?name=two.jsonl", content="\n".join(line % n for n in (1, 2)).encode())
    while client.get(f"/api/jobs/{added.json()['job']}").json()["state"] in ("waiting", "running"):
        time.sleep(0.1)
    now = client.get("/api/libraries").json()["libraries"][0]
    assert (now["documents"], now["searched"], now["changes"]["added"]) == (52, 50, 2)
    assert now["changes"]["note"].startswith("2 documents were added")


def test_a_rater_goes_back_and_skips(own) -> None:
    client, _ = own
    asked = {"name": "spring", "number": 1, "each": 1, "seed": 3, "random": 12, "min_cited": 1}
    assert finished(client, "expert-set", json=asked)["error"] == ""
    path = "/api/expert-sets/spring/next?rater=ann"
    first = client.get(path).json()
    assert (first["place"], first["given"]) == (0, None)
    skipped = client.get(f"{path}&after=0").json()
    assert skipped["place"] == 1
    pair = {"target": skipped["pair"]["target"]["id"], "document": skipped["pair"]["document"]["id"]}
    client.post("/api/expert-sets/spring/labels", json={"rater": "ann", **pair, "score": 4, "comment": "close"})
    back = client.get(f"{path}&place=1").json()
    assert (back["pair"], back["given"]) == (skipped["pair"], {"label": 4, "comment": "close"})
    # What was skipped comes again after the last one.
    last = first["judged"] + first["left"] - 1
    assert client.get(f"{path}&after={last}").json()["place"] == 0


def test_the_report_of_the_paper(own) -> None:
    client, _ = own
    found = client.get("/api/paper").json()
    assert found["report"] is None
    assert found["sizes"]["targets"] > 0
    assert 0 < found["sizes"]["seconds"]["words"] < found["sizes"]["seconds"]["topics"]
    assert client.get("/api/paper/report").status_code == 404
    made = finished(client, "paper?size=words")
    assert made["error"] == ""
    found = client.get("/api/paper").json()
    assert found["report"] == made["result"]["report"]
    assert found["report"]["corpus"]["fingerprint"] == found["current"]
    assert {item["verdict"] for item in found["report"]["findings"]} <= {"yes", "partly", "no", "open"}
    assert found["sizes"]["seconds"]["words"] == 0
    page = client.get("/api/paper/report")
    assert page.headers["content-disposition"] == 'attachment; filename="paper-report.html"'
    assert page.text.startswith("<!DOCTYPE html>")


def test_what_cancelled_jobs_have_left_of_uploads_is_removed_a_day_later(tmp_path) -> None:
    uploads = tmp_path / "library" / "desk" / "uploads"
    uploads.mkdir(parents=True)
    for name in ("old", "new"):
        (uploads / name).write_bytes(b"x")
    os.utime(uploads / "old", (time.time() - 90_000,) * 2)
    with TestClient(make_app(ServerSettings(libraries=(tmp_path / "library",), token=TOKEN, workers=1))):
        pass
    assert [path.name for path in uploads.iterdir()] == ["new"]
