"""What the server does at its bounds: slow clients, full queues, killed workers, unexpected errors, two tabs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException

from foreart import SAMPLE
from foreart.child_process import TaskFailure, outcome_of
from foreart.parallel import cores
from foreart.server import ServerSettings
from foreart.server.application import make_app
from foreart.server.desk import Desk
from foreart.server.error_answers import add_error_handlers
from foreart.server.routes.asked_search import can_wait
from foreart.server.routes.job_routes import event_stream
from foreart.server.security import connections
from foreart.server.security.access import Access
from foreart.server.security.request_guard import RequestGuard
from foreart.server.work.jobs import Job
from foreart.server.work.worker_pool import PRELOAD, WorkerPool
from server_world import BASE, TOKEN, Serving

DRAFT = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
SECRET = "SECRETWORD"
SETTINGS = ServerSettings(libraries=(Path("nowhere"),), token=TOKEN, workers=1, forget=True)
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def sleeping(library, seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def process_id(library) -> int:
    return os.getpid()


def failing(library) -> None:
    raise KeyError(SECRET)


def nothing(library) -> int:
    return 0


def test_a_full_queue_answers_503_and_when_to_come_back(tmp_path: Path) -> None:
    pool = WorkerPool(1, 2)

    async def ask() -> list:
        running = [asyncio.create_task(pool.run(sleeping, tmp_path, seconds=0.5)) for _ in range(3)]
        await asyncio.sleep(0.1)
        with pytest.raises(HTTPException) as error:
            await pool.run(sleeping, tmp_path, seconds=0.0)
        assert error.value.status_code == 503
        assert int((error.value.headers or {})["Retry-After"]) >= 1
        found = await asyncio.gather(*running)
        return [*found, await pool.run(sleeping, tmp_path, seconds=0.0)]

    try:
        assert asyncio.run(ask()) == [b"0.5", b"0.5", b"0.5", b"0.0"]
    finally:
        pool.close()


def test_a_killed_worker_loses_no_request(tmp_path: Path) -> None:
    pool = WorkerPool(2, 20)

    async def ask() -> list[bytes]:
        process = int(await pool.run(process_id, tmp_path))
        running = [asyncio.create_task(pool.run(sleeping, tmp_path, seconds=0.2)) for _ in range(8)]
        await asyncio.sleep(0.3)
        os.kill(process, signal.SIGKILL)
        return await asyncio.gather(*running)

    try:
        assert asyncio.run(ask()) == [b"0.2"] * 8
    finally:
        pool.close()


def test_what_nobody_waits_for_leaves_the_queue(tmp_path: Path) -> None:
    pool = WorkerPool(1, 20)

    async def ask() -> float:
        await pool.run(process_id, tmp_path)
        left = [asyncio.create_task(pool.run(sleeping, tmp_path, seconds=1.0)) for _ in range(10)]
        await asyncio.sleep(0.1)
        for one in left:
            one.cancel()
        started = time.monotonic()
        await pool.run(process_id, tmp_path)
        return time.monotonic() - started

    try:
        # One runs, and the executor has passed two more to its processes.
        assert asyncio.run(ask()) < 8
    finally:
        pool.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_what_can_wait_lets_others_pass(tmp_path: Path, workers: int) -> None:
    """Four requests fetched ahead are there first; the one that somebody waits for is served before the last three."""
    pool = WorkerPool(workers, 20)
    ended: list[str] = []

    async def asked(name: str, *, can_wait: bool) -> None:
        await pool.run(sleeping, tmp_path, seconds=0.4, can_wait=can_wait)
        ended.append(name)

    async def ask() -> None:
        await pool.run(process_id, tmp_path)
        ahead = [asyncio.create_task(asked(f"ahead {number}", can_wait=True)) for number in range(4)]
        await asyncio.sleep(0.1)
        left = asyncio.create_task(asked("left", can_wait=True))
        await asyncio.sleep(0)
        left.cancel()
        await asked("searched", can_wait=False)
        await asyncio.gather(*ahead)

    try:
        asyncio.run(ask())
    finally:
        pool.close()
    assert set(ended[:2]) == {"ahead 0", "searched"}
    assert ended[2:] == ["ahead 1", "ahead 2", "ahead 3"]


def test_what_can_wait_has_a_bounded_queue_too(tmp_path: Path) -> None:
    pool = WorkerPool(1, 2)

    async def ask() -> None:
        running = [asyncio.create_task(pool.run(sleeping, tmp_path, seconds=0.3, can_wait=True)) for _ in range(3)]
        await asyncio.sleep(0.1)
        with pytest.raises(HTTPException) as error:
            await pool.run(sleeping, tmp_path, seconds=0.0, can_wait=True)
        assert error.value.status_code == 503
        assert await asyncio.gather(*running) == [b"0.3"] * 3

    try:
        asyncio.run(ask())
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("header", "expected"),
    [("u=7", True), ("u=7, i", True), ("i, u=7", True), ("u=3", False), ("u=70", False), ("", False)],
)
def test_only_the_priority_of_background_work_can_wait(header: str, expected: bool) -> None:
    assert can_wait(header) is expected


def test_what_workers_share_is_imported_before_they_are_forked() -> None:
    """A name that cannot be imported is passed over in silence, and each upload would import its reader again."""
    for name in PRELOAD:
        import_module(name)


def test_more_libraries_than_places_in_the_queue_are_warmed(tmp_path: Path) -> None:
    settings = replace(SETTINGS, libraries=tuple(tmp_path / str(number) for number in range(5)), waiting=1)
    with TestClient(make_app(settings), base_url=BASE, headers=HEADERS) as client:
        assert len(client.get("/api/libraries").json()["libraries"]) == 5
    with client:  # an application can be started again
        assert client.get("/api/libraries").status_code == 200


_warm: set[str] = set()


def warming(library) -> None:
    _warm.add(str(library.folder))


def is_warm(library) -> bool:
    time.sleep(0.05)
    return str(library.folder) in _warm


def test_every_worker_is_warm_also_after_one_was_killed(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    pool = WorkerPool(2, 40, warm=warming, folders=folders)

    async def ask() -> list[bytes]:
        first = await asyncio.gather(*(pool.run(is_warm, folder) for folder in folders * 6))
        os.kill(int(await pool.run(process_id, tmp_path)), signal.SIGKILL)
        await asyncio.sleep(0.3)
        return [*first, *await asyncio.gather(*(pool.run(is_warm, folder) for folder in folders * 6))]

    try:
        assert set(asyncio.run(ask())) == {b"true"}
    finally:
        pool.close()


def cores_of(library) -> int:
    return cores()


def test_workers_share_the_cores(tmp_path: Path) -> None:
    """Two searches at once with two threads each compute a third more for the same result."""
    for workers, expected in ((cores(), 1), (1, cores())):
        pool = WorkerPool(workers, 2)
        try:
            assert int(asyncio.run(pool.run(cores_of, tmp_path))) == expected
        finally:
            pool.close()


def test_the_end_waits_for_no_task(tmp_path: Path) -> None:
    pool = WorkerPool(1, 2)

    async def ask() -> None:
        await pool.run(process_id, tmp_path)
        task = asyncio.create_task(pool.run(sleeping, tmp_path, seconds=30.0))
        await asyncio.sleep(0.2)
        pool.close()
        with pytest.raises(BaseException):  # noqa: B017 cancelled or broken
            await task

    started = time.monotonic()
    asyncio.run(ask())
    assert time.monotonic() - started < 10


def test_an_unexpected_error_says_type_and_place_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = outcome_of(lambda: failing(None))
    assert SECRET not in repr(outcome)
    with pytest.raises(TaskFailure, match=r"^KeyError at test_bounds\.py:\d+$"):
        outcome.result()

    app = FastAPI()
    app.get("/api/fails")(lambda: failing(None))
    add_error_handlers(app)
    guarded = RequestGuard(app, SETTINGS, Access(SETTINGS))
    client = TestClient(guarded, base_url=BASE, headers=HEADERS)
    with caplog.at_level("INFO", logger="foreart.server"):
        answer = client.get("/api/fails")
    assert (answer.status_code, answer.json()["status"], answer.json()["ok"]) == (500, 500, False)
    assert "content-security-policy" in answer.headers
    assert "KeyError at test_bounds.py:" in caplog.text
    assert SECRET not in caplog.text + answer.text


def test_the_log_names_no_method_that_does_not_exist(caplog: pytest.LogCaptureFixture) -> None:
    client = TestClient(make_app(SETTINGS), base_url=BASE, headers=HEADERS)
    with caplog.at_level("INFO", logger="foreart.server"):
        client.request(SECRET, "/api/search")
    assert SECRET not in caplog.text


def test_too_many_requests_at_once_are_refused_in_the_one_shape() -> None:
    async def ask() -> list[int]:
        free = asyncio.Event()

        async def app(scope, receive, send) -> None:
            await free.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"{}"})

        guard = RequestGuard(app, SETTINGS, Access(SETTINGS), most=3)
        statuses: list[int] = []

        async def one() -> None:
            async def send(message) -> None:
                if message["type"] == "http.response.start":
                    statuses.append(message["status"])
                else:
                    json.loads(message["body"])

            async def receive() -> dict:
                await asyncio.sleep(60)
                return {"type": "http.disconnect"}

            headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {TOKEN}".encode())]
            scope = {"type": "http", "method": "GET", "path": "/api/x", "headers": headers, "client": ("127.0.0.1", 1)}
            await guard(scope, receive, send)

        tasks = [asyncio.create_task(one()) for _ in range(5)]
        await asyncio.sleep(0.1)
        free.set()
        await asyncio.gather(*tasks)
        return statuses

    assert asyncio.run(ask()) == [503, 503, 200, 200, 200]


def test_a_client_that_goes_away_ends_its_request() -> None:
    ended: list[str] = []

    async def ask() -> None:
        async def app(scope, receive, send) -> None:
            await receive()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

        messages = iter([{"type": "http.request", "body": b"{}", "more_body": False}, {"type": "http.disconnect"}])

        async def receive() -> dict:
            await asyncio.sleep(0.05)
            return next(messages)

        async def send(message) -> None:
            raise AssertionError(message)

        headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {TOKEN}".encode())]
        scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": headers, "client": ("127.0.0.1", 1)}
        await RequestGuard(app, SETTINGS, Access(SETTINGS))(scope, receive, send)

    asyncio.run(asyncio.wait_for(ask(), 5))
    assert ended == ["cancelled"]


def test_events_have_a_heartbeat_and_resume() -> None:
    job = Job("id", "build", "library", 0.0)
    job.events += [(1, "progress", {"done": 1}), (2, "progress", {"done": 2})]
    job.count, job.state = 2, "running"

    async def read() -> list[str]:
        found = []
        async for text in event_stream(job, 1, heartbeat=0.05, look=0.01):
            found.append(text)
            if len(found) == 3:
                job.events.append((3, "done", {}))
                job.state = "done"
        return found

    found = asyncio.run(asyncio.wait_for(read(), 5))
    assert found[0] == 'id: 2\nevent: progress\ndata: {"done": 2}\n\n'
    assert found[1:3] == [": waiting\n\n"] * 2
    assert found[-1] == "id: 3\nevent: done\ndata: {}\n\n"
    assert [text for text in found[3:-1] if text != ": waiting\n\n"] == []


def test_two_tabs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    settings = replace(SETTINGS, libraries=(tmp_path / "library",), forget=False)
    with TestClient(make_app(settings), base_url=BASE, headers=HEADERS) as client:
        draft = client.post("/api/drafts?name=x.txt", content=DRAFT).json()["draft"]

        def grade(number: int) -> int:
            body = {"row": f"{number % 5}", "reference": f"XX{number}", "grade": 1 + number % 5}
            return client.put(f"/api/drafts/{draft}/grades", json=body).status_code

        with ThreadPoolExecutor(8) as threads:
            assert set(threads.map(grade, range(40))) == {200}
        grades = client.get(f"/api/drafts/{draft}/grades").json()["grades"]
        assert {reference for row in grades.values() for reference in row} == {f"XX{number}" for number in range(40)}

        changes = [{"title": "A title"}, {"priority": "2012-01-02"}, {"applicants": ["Somebody"]}]
        with ThreadPoolExecutor(3) as threads:
            sent = threads.map(lambda one: client.patch(f"/api/drafts/{draft}", json=one).status_code, changes)
            assert set(sent) == {200}
        corrected = client.get(f"/api/drafts/{draft}").json()["corrections"]
        assert corrected == {key: value for one in changes for key, value in one.items()}


def test_uploads_left_by_a_kill_are_removed_at_the_start(tmp_path: Path) -> None:
    uploads = tmp_path / "library" / "desk" / "uploads"
    uploads.mkdir(parents=True)
    (uploads / "0123abcd-week.xml").write_bytes(b"half of a file")
    (uploads.parent / ".0123456789abcdef.new").write_bytes(b"half of a draft")
    (uploads / "another server receives").write_bytes(b"")
    for path in (uploads / "0123abcd-week.xml", uploads.parent / ".0123456789abcdef.new"):
        os.utime(path, (time.time() - 7200,) * 2)
    settings = replace(SETTINGS, libraries=(tmp_path / "library",), forget=False)
    with TestClient(make_app(settings), base_url=BASE, headers=HEADERS):
        assert [path.name for path in uploads.parent.rglob("*") if path.is_file()] == ["another server receives"]


def test_a_cancelled_addition_leaves_no_file(tmp_path: Path) -> None:
    settings = replace(SETTINGS, libraries=(tmp_path / "library",), forget=False)
    with TestClient(make_app(settings), base_url=BASE, headers=HEADERS) as client:
        first = client.post("/api/jobs/sample").json()["job"]
        data = (SAMPLE / "patents.jsonl").read_bytes()
        second = client.post("/api/corpus/files?name=a.jsonl", content=data).json()["job"]  # waits for the first
        for job in (first, second):
            client.delete(f"/api/jobs/{job}")
        uploads = tmp_path / "library" / "desk" / "uploads"
        for _ in range(100):
            if not list(uploads.iterdir()):
                break
            time.sleep(0.1)
        assert list(uploads.iterdir()) == []


def test_drafts_in_memory_are_few_however_many_are_uploaded(tmp_path: Path) -> None:
    desk = Desk(replace(SETTINGS, libraries=(tmp_path,), forget=False))
    record = {"title": "", "abstract": "", "description": [], "claims": []}
    added = [desk.drafts.add(f"{number}.txt", b"x", {**record, "title": str(number)}).id for number in range(80)]
    assert len(desk.drafts._drafts) <= 32
    assert [item.draft.title for item in desk.drafts.all()] == [str(number) for number in reversed(range(80))]
    assert desk.drafts.get(added[0]).draft.title == "0"


def test_a_slow_head_is_cut_off(serving: Serving) -> None:
    assert connections.HEAD_SECONDS <= 15
    serving.start()
    host, _, port = serving.address.removeprefix("http://").rstrip("/").rpartition(":")
    started = time.monotonic()
    with socket.create_connection((host, int(port))) as silent, socket.create_connection((host, int(port))) as slow:
        silent.settimeout(0.3)
        slow.settimeout(0.3)
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        closed = set()
        while len(closed) < 2 and time.monotonic() - started < 40:
            for name, connection in (("silent", silent), ("slow", slow)):
                try:
                    if name == "slow":
                        connection.sendall(b"X-A: b\r\n")
                    if connection.recv(100) == b"":
                        closed.add(name)
                except TimeoutError:
                    pass
                except OSError:
                    closed.add(name)
    assert closed == {"silent", "slow"}
    assert time.monotonic() - started < connections.HEAD_SECONDS + 10
    assert serving.ask("GET", "/api/drafts")[0] == 200


def test_a_broken_or_large_head_is_answered_in_the_one_shape(serving: Serving) -> None:
    serving.start()
    for data in (b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n"):
        head, _, body = serving.raw(data).partition(b"\r\n\r\n")
        assert b" 400 " in head
        assert b"content-security-policy" in head.lower()
        assert json.loads(body)["status"] == 400
