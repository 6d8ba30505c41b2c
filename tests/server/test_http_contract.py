"""What a caller who only has the issue's contract sends, rightly and wrongly: every answer has one of two shapes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from foreart import SAMPLE
from server_world import Serving

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

PUMP = "XX8246714B2"
JSON = {"Content-Type": "application/json"}


def refused(answer: Any, status: int) -> str:
    record = answer.json()
    assert (answer.status_code, record["ok"], record["status"]) == (status, False, status), record
    assert set(record) == {"ok", "error", "status"}
    assert answer.headers["content-type"] == "application/json"
    return str(record["error"])


@pytest.mark.parametrize("k", [0, -1, 1001, 10**30, "ten", 2.5, None, [3], {}])
def test_k_is_a_number_from_1_to_1000(client: TestClient, draft: str, k: Any) -> None:
    assert refused(client.post("/api/search", json={"draft": draft, "k": k}), 422).startswith("k: ")


@pytest.mark.parametrize("k", [1, 3, 1000])
def test_as_many_hits_as_asked_for(client: TestClient, draft: str, k: int) -> None:
    answer = client.post("/api/search", json={"draft": draft, "k": k}).json()
    assert answer["ok"] is True
    families = len(answer["hits"])
    assert families == min(k, families)
    assert k == 1000 or families == k
    assert [hit["rank"] for hit in answer["hits"]] == list(range(1, families + 1))


BODIES = [
    (b"", JSON, 422),
    (b"null", JSON, 422),
    (b"[]", JSON, 422),
    (b'"draft"', JSON, 422),
    (b"{}", JSON, 422),
    (b"{", JSON, 400),
    (b'{"draft": "x"} {"draft": "y"}', JSON, 400),
    (b"\xff\xfe{\x00}\x00", JSON, 422),
    (b'{"draft": "' + b"\xc3\x28" + b'"}', JSON, 400),
    (b"[" * 50_000, JSON, 400),
    (b'{"draft": {"draft": "x"}}', JSON, 422),
    (b'{"draft": "x", "K": 3}', JSON, 422),
    (b'{"draft": "x", "k": 1e400}', JSON, 422),
    (b'{"draft": "x", "k": NaN}', JSON, 422),
    (b'{"draft": "\\ud800"}', JSON, 422),
    (b'{"draft": ""}', JSON, 422),
    (b'{"draft": "x", "number": "US1"}', JSON, 422),
    (b'{"draft": "../../corpus"}', JSON, 404),
    (b'{"draft": "x"}', {"Content-Type": "text/plain"}, 415),
    (b'{"draft": "x"}', {}, 415),
    (b'{"draft": "x"}', {"Content-Type": "application/vnd.x+json"}, 404),
    (b'{"draft": "x"}', {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    (b'{"draft": "x"}', {"Content-Type": "multipart/form-data; boundary=x"}, 415),
    (b'{"draft": "x"}', {"Content-Type": "application/json; charset=utf-16"}, 404),
]


@pytest.mark.parametrize(("body", "headers", "status"), BODIES, ids=lambda value: repr(value)[:40])
def test_odd_bodies_end_in_one_sentence(client: TestClient, body: bytes, headers: dict[str, str], status: int) -> None:
    assert len(refused(client.post("/api/search", content=body, headers=headers), status)) < 300


@pytest.mark.parametrize("body", [b"", b" ", b"\n\n", b"\x00" * 100])
def test_a_draft_without_text_is_none(client: TestClient, body: bytes) -> None:
    before = client.get("/api/drafts").json()["drafts"]
    assert client.post("/api/drafts?name=x.docx", content=body).status_code in (415, 422)
    assert client.get("/api/drafts").json()["drafts"] == before


@pytest.mark.parametrize(
    "kind", ["", "application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense"]
)
def test_the_bytes_of_a_draft_count_and_not_their_type(client: TestClient, kind: str) -> None:
    data = (SAMPLE / "drafts" / "interspinous-fusion.docx").read_bytes()
    answer = client.post("/api/drafts?name=x.docx", content=data, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code == 200
    assert answer.json()["claims"]
    client.delete(f"/api/drafts/{answer.json()['draft']}")


@pytest.mark.parametrize("path", ["/api/drafts", "/api/corpus/files"])
def test_a_form_is_refused_and_not_read_as_text(client: TestClient, path: str) -> None:
    text = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
    assert "--data-binary" in refused(client.post(path, files={"file": ("x.txt", text)}), 415)


def test_a_draft_for_a_library_that_there_is_not_is_not_kept(client: TestClient, draft: str) -> None:
    before = client.get("/api/drafts").json()["drafts"]
    data = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
    assert "sample, empty, hostile" in refused(client.post("/api/drafts?name=x&library=nowhere", content=data), 404)
    assert client.get("/api/drafts").json()["drafts"] == before
    refused(client.patch(f"/api/drafts/{draft}?library=nowhere", json={"title": "T"}), 404)
    assert client.get(f"/api/drafts/{draft}").json()["corrections"] == {}


@pytest.mark.parametrize(
    "path", ["/", "/chart", "/api/drafts", "/api/stats", f"/api/documents/{PUMP}", "/openapi.json"]
)
def test_head_is_get_without_its_body(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-security-policy"]


def test_other_methods_are_refused_and_say_which_there_are(client: TestClient) -> None:
    for method, path, allowed in [
        ("OPTIONS", "/api/search", "POST"),
        ("GET", "/api/search", "POST"),
        ("PUT", "/api/drafts", "GET, HEAD, POST"),
        ("HEAD", "/api/search", "POST"),
        ("OPTIONS", "/", "GET, HEAD"),
        ("DELETE", f"/api/documents/{PUMP}", "GET, HEAD"),
        ("HEAD", "/api/jobs/x/events", "GET, HEAD"),
    ]:
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed), (method, path)
        assert "access-control-allow-origin" not in answer.headers


def test_unknown_things_are_404_in_the_one_shape(client: TestClient) -> None:
    refused(client.post("/api/search", json={"draft": "unknown", "k": 10}), 404)
    for path in (
        "/api/nothing",
        "/nothing",
        "/api",
        "/api/",
        "/api/drafts/unknown",
        "/static/../start.js",
        "/results/",
        "/api/stats/",
    ):
        refused(client.get(path), 404)


def test_head_on_a_real_connection_has_no_body(serving: Serving) -> None:
    serving.start()
    found = serving.raw(
        b"HEAD /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".replace(b"}", b"")
    )
    head, _, body = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert body == b""
    assert json.loads(serving.raw(b"GET /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                      .partition(b"\r\n\r\n")[2])["ok"] is True  # fmt: skip
