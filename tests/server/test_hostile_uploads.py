"""Uploads made to harm: each is refused or read in bounded time, in one sentence that quotes nothing."""

from __future__ import annotations

import io
import time
import zipfile

import pytest
from fastapi.testclient import TestClient

import hostile
from foreart.child_process import in_child
from foreart.errors import BadFile


def packed(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return data.getvalue()


TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Override PartName="/word/document.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
DOCTYPE = b'<!DOCTYPE a [<!ENTITY b "SECRETWORD"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>'
SECRET = b"SECRETWORD"
UPLOADS = {
    "empty": b"",
    "blank": b" \n\t ",
    "zip bomb": packed(**{"[Content_Types]_xml": TYPES, "word__document_xml": b"<a>" + b" " * (300 << 20) + b"</a>"}),
    "entity bomb": packed(**{
        "[Content_Types]_xml": TYPES,
        "word__document_xml": DOCTYPE + b"<a>&c;&c;</a>",
    }),
    "external entity": b'<?xml version="1.0"?>' + DOCTYPE + b"<us-patent-grant>&d;</us-patent-grant>",
    "not a pdf": b"%PDF-1.7\n" + b"\xff" * 5000,
    "pdf and zip": b"%PDF-1.7\n" + packed(a=SECRET),
    "old word": b"\xd0\xcf\x11\xe0" + b"\0" * 5000,
    "binary": bytes(range(256)) * 50,
    "broken zip": b"PK\x03\x04" + b"\0" * 500,
    "deep json": b"[" * 200_000,
    "deep html": b"<html>" + b"<div>" * 50_000 + SECRET,
    "rtf groups": b"{\\rtf1" + b"{" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("name", UPLOADS)
def test_hostile_uploads_end_in_one_sentence(client: TestClient, name: str) -> None:
    started = time.monotonic()
    answer = client.post("/api/drafts?name=upload", content=UPLOADS[name])
    assert time.monotonic() - started < 30
    record = answer.json()
    assert answer.status_code in (200, 415, 422), record
    if answer.status_code != 200:
        assert record["ok"] is False
        assert record["error"].startswith("upload")
        assert SECRET.decode() not in record["error"]
        assert len(record["error"]) < 200
    assert "root:" not in answer.text


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


def test_the_texts_of_an_attacker_are_read_in_bounded_time(client: TestClient) -> None:
    atoms = [atom for group in (hostile.SPACES, hostile.CLAIMS, hostile.HEADINGS) for atom in group.split("¦") if atom]
    data = "".join(atom * 300 for atom in atoms).encode()
    started = time.monotonic()
    assert client.post("/api/drafts?name=long.txt", content=data).status_code in (200, 422)
    assert time.monotonic() - started < 40
