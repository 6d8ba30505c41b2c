"""`foreart serve` as a process: what it prints, opens, logs, keeps and exports."""

from __future__ import annotations

import re
import shutil
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from foreart import SAMPLE
from server_world import Serving

DRAFT = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
AUDIT = Path(__file__).with_name("audit")


def test_the_contract_for_callers(serving: Serving) -> None:
    serving.start()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", serving.address)
    assert len(serving.token) >= 43
    status, found = serving.ask("POST", "/api/drafts?name=x.txt", DRAFT)
    assert (status, found["ok"]) == (200, True)
    status, result = serving.ask("POST", "/api/search", {"draft": found["draft"], "k": 10})
    assert (status, result["ok"], len(result["hits"])) == (200, True, 10)
    status, refused = serving.ask("POST", "/api/search", {"draft": "unknown", "k": 10})
    assert (status, refused["ok"], refused["status"]) == (404, False, 404)
    assert serving.ask("GET", "/api/drafts", Authorization="Bearer wrong")[0] == 401
    # One line each, with the template of the route, and nothing of what was asked.
    time.sleep(0.3)
    assert any(re.search(r"POST /api/search 200 \d+ ms$", line.strip()) for line in serving.log)
    assert found["draft"] not in "".join(serving.log)
    assert "x.txt" not in "".join(serving.log)
    serving.stop()
    assert serving.process is not None
    assert serving.process.returncode in (0, -15)


def test_no_socket_beyond_loopback_is_opened(serving: Serving, tmp_path: Path) -> None:
    file = tmp_path / "audit.txt"
    serving.start(environment={"PYTHONPATH": str(AUDIT), "FOREART_AUDIT": str(file)})
    for name in ("insulin-pump.txt", "ultrasound-probe.pdf"):
        found = serving.ask("POST", f"/api/drafts?name={name}", (SAMPLE / "drafts" / name).read_bytes())[1]
        hits = serving.ask("POST", "/api/search", {"draft": found["draft"], "k": 3})[1]["hits"]
        serving.ask("POST", "/api/explain", {"draft": found["draft"], "numbers": [hits[0]["id"]]})
        serving.ask("POST", "/api/chart", {"draft": found["draft"], "top": 2})
    job = serving.ask("POST", "/api/jobs/doctor")[1]["job"]
    while serving.ask("GET", f"/api/jobs/{job}")[1]["state"] in ("waiting", "running"):
        time.sleep(0.1)
    serving.stop()
    lines = file.read_text().splitlines()
    assert len({line.split()[0] for line in lines if line.endswith("started")}) >= 3  # server, workers, children
    opened = [line for line in lines if not line.endswith("started")]
    assert any("socket.bind" in line and "127.0.0.1" in line for line in opened)
    outside = [line for line in opened if "127.0.0.1" not in line and not re.search(r"\('?b?'?(/tmp|\\x00|/)", line)]
    assert outside == []


def test_first_hits_come_within_a_second_of_the_drop(serving: Serving) -> None:
    """The best of a few, so that a busy machine does not count; `benchmarks/desk.py` gives all figures."""
    serving.start()
    serving.ask("GET", "/api/stats")
    for name in ("insulin-pump.txt", "interspinous-fusion.docx", "ultrasound-probe.pdf"):
        data, seconds = (SAMPLE / "drafts" / name).read_bytes(), []
        for _ in range(4):
            started = time.monotonic()
            found = serving.ask("POST", f"/api/drafts?name={name}", data)[1]
            assert serving.ask("POST", "/api/search", {"draft": found["draft"]})[1]["hits"]
            seconds.append(time.monotonic() - started)
        assert min(seconds) < 1.0, name


def test_small_answers_on_a_kept_connection_are_not_delayed(serving: Serving) -> None:
    """Without TCP_NODELAY each takes the 40 ms of a delayed acknowledgement."""
    serving.start()
    host, _, port = serving.address.removeprefix("http://").rstrip("/").rpartition(":")
    connection, seconds = HTTPConnection(host, int(port), timeout=30), []
    for _ in range(20):
        started = time.monotonic()
        connection.request("GET", "/api/session")
        connection.getresponse().read()
        seconds.append(time.monotonic() - started)
    connection.close()
    assert min(seconds) < 0.03


@pytest.mark.slow
def test_kills_and_restarts_lose_nothing(serving: Serving) -> None:
    kept: list[tuple[str, str]] = []
    for round_ in range(6):
        serving.start()
        for draft, title in kept:
            status, found = serving.ask("GET", f"/api/drafts/{draft}")
            assert (status, found["title"]) == (200, title)
        status, found = serving.ask("POST", f"/api/drafts?name={round_}.txt", DRAFT)
        title = f"Title {round_}"
        assert serving.ask("PATCH", f"/api/drafts/{found['draft']}", {"title": title})[0] == 200
        kept.append((found["draft"], title))
        name = f"search {round_}"
        serving.ask("POST", "/api/search", {"draft": found["draft"], "k": 2, "keep": name})
        listed = serving.ask("GET", "/api/searches")[1]["searches"]
        assert sorted(item["name"] for item in listed) == [f"search {number}" for number in range(round_ + 1)]
        serving.kill()


def test_with_forget_nothing_is_written(sample_library: Path, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shutil.copytree(sample_library, folder)
    serving = Serving(folder).start("--forget")
    found = serving.ask("POST", "/api/drafts?name=x.txt", DRAFT)[1]
    assert serving.ask("POST", "/api/search", {"draft": found["draft"], "keep": "x"})[1]["search"]
    assert serving.ask("PATCH", f"/api/drafts/{found['draft']}", {"title": "T"})[1]["title"] == "T"
    assert len(serving.ask("GET", "/api/searches")[1]["searches"]) == 1
    serving.stop()
    assert not (folder / "desk").exists()


def test_a_slow_header_and_a_broken_request_do_no_harm(serving: Serving) -> None:
    serving.start()
    assert b"400" in serving.raw(b"GET / HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n")
    assert b"400" in serving.raw(b"nonsense\r\n\r\n}")
    assert b"400" in serving.raw(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n")
    assert serving.ask("GET", "/api/drafts")[0] == 200
