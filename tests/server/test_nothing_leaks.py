"""No word of a draft in logs, addresses, temporary files, error answers or traces, whatever a real server is asked."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from foreart import SAMPLE
from server_world import Serving

MARKER = "ZQXMARKERWORD"
TEXT = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
# The marker in the title, a heading, a paragraph and a claim.
DRAFT = (
    f"Title: {MARKER} pump\n\n{MARKER} FIELD\n\nThe {MARKER} pump has a reservoir.\n\n".encode()
    + TEXT
    + f"\n\n30. The pump of claim 1, wherein the {MARKER} is a spring.\n".encode()
)
RECORDER = """
import os
from opentelemetry.trace import NoOpTracer, TracerProvider

class Recorder(TracerProvider):
    def get_tracer(self, *given, **named):
        with open(os.environ["FOREART_SPANS"], "a") as file:
            file.write(repr(given) + "\\n")
        return NoOpTracer()
"""
CONTROL = """
from fastapi import FastAPI
from fastapi.testclient import TestClient
app = FastAPI()
app.get("/")(lambda: 1)
TestClient(app).get("/")
"""


class Watched(threading.Thread):
    """Reads every file of a folder again and again, for those that live only for a moment."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.found, self.seen, self.ended = folder, set(), set(), False

    def run(self) -> None:
        while not self.ended:
            for path in self.folder.rglob("*"):
                self.seen.add(path.name)
                try:
                    if MARKER in path.name or (path.is_file() and MARKER.encode() in path.read_bytes()):
                        self.found.add(str(path))
                except OSError:
                    pass
            time.sleep(0.005)


def finished(serving: Serving, job: str) -> dict[str, Any]:
    while True:
        state: dict[str, Any] = serving.ask("GET", f"/api/jobs/{job}")[1]
        if state["state"] not in ("waiting", "running"):
            return state
        time.sleep(0.1)


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder with a short path: the fork server has a socket in it."""
    with tempfile.TemporaryDirectory(prefix="foreart-test-") as name:
        yield Path(name)


def test_no_word_of_a_draft_is_left_anywhere(serving: Serving, temporary: Path) -> None:
    watched = Watched(temporary)
    watched.start()
    serving.start("--forget", environment={"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)})
    errors = []
    found = serving.ask("POST", "/api/drafts?name=x.txt", DRAFT)[1]
    assert MARKER in found["title"]
    draft = found["draft"]
    hits = serving.ask("POST", "/api/search", {"draft": draft, "k": 3})[1]["hits"]
    for path, body in {
        "/api/explain": {"draft": draft, "numbers": [hits[0]["id"]]},
        "/api/chart": {"draft": draft, "top": 2},
        "/api/facets": {"draft": draft},
        "/api/map": {"draft": draft},
    }.items():
        assert serving.ask("POST", path, body)[0] == 200
    assert serving.ask("PATCH", f"/api/drafts/{draft}", {"title": f"{MARKER} again"})[0] == 200
    job = serving.ask("POST", "/api/jobs/map", {"draft": draft})[1]["job"]
    assert finished(serving, job)["state"] == "done"
    # Everything that can be refused, with words of the draft in it.
    for method, path, body in [
        ("PATCH", f"/api/drafts/{draft}", {MARKER: MARKER}),
        ("PATCH", f"/api/drafts/{draft}", {"priority": MARKER}),
        ("PATCH", f"/api/drafts/{draft}", {"claims": [{"number": 1, "elements": [MARKER]}]}),
        ("PATCH", f"/api/drafts/{draft}", {"claims": MARKER}),
        ("PATCH", f"/api/drafts/{draft}", {"sections": {MARKER: [MARKER]}}),
        ("POST", "/api/search", {"draft": MARKER}),
        ("POST", "/api/search", {"draft": draft, "k": MARKER}),
        ("POST", "/api/search", {"draft": draft, MARKER: 1}),
        ("POST", "/api/search", f'{{"{MARKER}'.encode()),
        ("POST", "/api/search", {"draft": draft, "regime": MARKER}),
        ("POST", "/api/explain", {"draft": draft, "numbers": [hits[0]["id"]], "words": MARKER}),
        ("POST", "/api/verify", {"quotes": [{"number": hits[0]["id"], "place": "claim 1", "text": MARKER * 5}]}),
        ("POST", "/api/drafts?name=x.pdf", b"%PDF-1.7\n" + DRAFT),
        ("POST", "/api/drafts?name=x.docx", b"PK\x03\x04" + DRAFT),
        ("POST", "/api/drafts?name=x.json", b'{"id": "' + MARKER.encode()),
        ("POST", "/api/jobs/evaluate", {"judgements": MARKER}),
        ("GET", f"/api/documents/{draft}", None),
        ("GET", "/api/nothing", None),
    ]:
        status, answer = serving.ask(method, path, body)
        errors.append((status, str(answer.get("error"))))
    assert {status for status, _ in errors} <= {200, 400, 404, 415, 422}
    assert [text for _, text in errors if MARKER in text] == []
    serving.stop()
    watched.ended = True
    watched.join()
    assert watched.found == set()
    assert len(watched.seen) > 0  # the folder was that of the server: its fork server listens there
    assert MARKER not in "".join(serving.log)
    assert not (serving.folder / "desk").exists()
    kept = [path for path in serving.folder.rglob("*") if path.is_file() and MARKER.encode() in path.read_bytes()]
    assert kept == []


def test_nothing_is_traced_even_if_a_tracer_and_an_exporter_are_configured(serving: Serving, tmp_path: Path) -> None:
    """The same configuration records an application that does not switch it off."""
    asked: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)

        def log_message(self, *given: object) -> None:
            pass

    packages, spans = tmp_path / "packages", tmp_path / "spans"
    (packages / "recorder-1.0.dist-info").mkdir(parents=True)
    (packages / "recorder.py").write_text(RECORDER)
    (packages / "recorder-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: recorder\nVersion: 1.0\n"
    )
    (packages / "recorder-1.0.dist-info" / "entry_points.txt").write_text(
        "[opentelemetry_tracer_provider]\nrecorder = recorder:Recorder\n"
    )
    collector = HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    path = os.pathsep.join(filter(None, (str(packages), os.environ.get("PYTHONPATH"))))
    environment = {
        "PYTHONPATH": path,
        "FOREART_SPANS": str(spans),
        "OTEL_PYTHON_TRACER_PROVIDER": "recorder",
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_TRACES_EXPORTER": "otlp",
        "OTEL_LOGS_EXPORTER": "otlp",
        "OTEL_METRICS_EXPORTER": "otlp",
        "FASTAPI_OTEL_AUTO_CONFIGURE": "true",
    }
    control = {**environment, "FASTAPI_OTEL_AUTO_CONFIGURE": "false"}
    subprocess.run([sys.executable, "-c", CONTROL], env={**os.environ, **control}, check=True)
    assert "fastapi" in spans.read_text()
    spans.unlink()
    serving.start(environment=environment)
    draft = serving.ask("POST", "/api/drafts?name=x.txt", DRAFT)[1]["draft"]
    assert serving.ask("POST", "/api/search", {"draft": draft, "k": 2})[0] == 200
    assert serving.ask("POST", "/api/search", {"draft": draft, "k": "SECRET"})[0] == 422
    serving.stop()
    collector.shutdown()
    collector.server_close()
    printed = "".join(serving.log)
    assert "POST /api/search 422" in printed
    assert "trace" not in printed.lower()
    assert "SECRET" not in printed
    assert asked == []
    assert not spans.exists()
