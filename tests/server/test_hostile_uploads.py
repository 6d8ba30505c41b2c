"""Uploads made to harm: each is refused or read in bounded time, in one sentence that quotes nothing."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import hostile
from foreart.child_process import in_child
from foreart.errors import BadFile
from foreart.server.work import draft_readers
from hostile_corpus import SECRET, TRAVERSALS, hostile_uploads

UPLOADS = hostile_uploads()


@pytest.mark.parametrize("name", UPLOADS)
def test_hostile_uploads_end_in_one_sentence(client: TestClient, name: str) -> None:
    started = time.monotonic()
    answer = client.post("/api/drafts?name=upload", content=UPLOADS[name])
    assert time.monotonic() - started < 60
    record = answer.json()
    assert answer.status_code in (200, 415, 422), record
    if answer.status_code != 200:
        assert record["ok"] is False
        assert record["error"].startswith("upload")
        assert SECRET.decode() not in record["error"]
        assert len(record["error"]) < 200
    assert "root:" not in answer.text
    assert not any(Path(place).exists() for place in ("/tmp/foreart-evil", "/etc/foreart-evil"))


@pytest.mark.parametrize("name", [name for name in UPLOADS if name not in ("zip bomb", "one long line")])
def test_hostile_files_for_the_corpus_end_in_one_sentence(client: TestClient, name: str, tmp_path: Path) -> None:
    answer = client.post("/api/corpus/files", params={"library": "hostile", "name": "../x"}, content=UPLOADS[name])
    if answer.status_code != 202:
        assert answer.status_code == 422
        return
    job = answer.json()["job"]
    for _ in range(600):
        state = client.get(f"/api/jobs/{job}").json()
        if state["state"] not in ("waiting", "running"):
            break
        time.sleep(0.1)
    assert state["state"] in ("done", "failed"), state
    assert state["state"] == "done" or 0 < len(state["error"]) < 300
    assert "root:" not in json.dumps(state)
    assert not any(Path(place).exists() for place in ("/tmp/foreart-evil", "/etc/foreart-evil"))


@pytest.mark.parametrize("name", TRAVERSALS)
def test_names_of_uploads_are_only_shown(client: TestClient, name: str) -> None:
    answer = client.post("/api/drafts", params={"name": name}, content=b"A lever holds a wheel. " * 20)
    assert answer.status_code == 200, answer.text
    shown = answer.json()["name"]
    assert shown
    assert not set(shown) & {"/", "\\", "\0", "\n", "\u202e"}
    assert len(shown) <= 120


def test_markup_in_a_draft_stays_text(client: TestClient) -> None:
    texts = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{7*7}}", "javascript:alert(1)")
    data = ("Title " + " ".join(texts) + "\n\nCLAIMS\n1. A lever " + " ".join(texts) + ".").encode()
    answer = client.post("/api/drafts?name=<b>.txt", content=data)
    assert answer.headers["content-type"] == "application/json"
    assert all(text in answer.json()["claims"][0]["text"] for text in texts)
    page = client.post("/api/chart/file?form=html", json={"draft": answer.json()["draft"], "top": 1})
    assert b"<script>alert" not in page.content
    assert b"49" not in page.content.split(b"<h1>")[1].split(b"</h1>")[0]


def _endless() -> None:
    while True:
        pass


def _greedy() -> int:
    return len(bytearray(2 << 30))


def _writing() -> int:
    import tempfile

    with tempfile.TemporaryFile() as file:
        return file.write(b"x" * 10_000_000)


def test_a_child_has_limits_of_time_and_memory_and_writes_no_file() -> None:
    with pytest.raises(BadFile, match="takes more than 1 seconds"):
        in_child(_endless, what="upload", seconds=1.0)
    with pytest.raises(Exception, match="memory"):
        in_child(_greedy, what="upload")
    with pytest.raises(BadFile, match="upload cannot be read"):
        in_child(_writing, what="upload")


def _which_process(data: bytes, name: str, corrections: object) -> int:
    return os.getpid()


def test_every_upload_is_read_in_a_child_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_readers, "read_upload", _which_process)

    async def read() -> list[int]:
        readers = draft_readers.DraftReaders(1, 1)
        return [await readers.read(b"", "x.pdf", {}) for _ in range(2)]

    first, second = asyncio.run(read())
    assert len({first, second, os.getpid()}) == 3


def test_the_texts_of_an_attacker_are_read_in_bounded_time(client: TestClient) -> None:
    atoms = [atom for group in (hostile.SPACES, hostile.CLAIMS, hostile.HEADINGS) for atom in group.split("¦") if atom]
    data = "".join(atom * 300 for atom in atoms).encode()
    started = time.monotonic()
    assert client.post("/api/drafts?name=long.txt", content=data).status_code in (200, 422)
    assert time.monotonic() - started < 40
