"""Every verb of REST answers what its command prints with `--json`: the same keys at every depth, the same values."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from foreart import SAMPLE, Library
from foreart.cli.app import app
from foreart.server import ServerSettings
from foreart.server.application import make_app
from server_world import BASE, TOKEN

DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"
PUMP, OTHER = "XX8246714B2", "XX5880446A"
# What differs between two runs.
_TIMES = ("seconds", "started", "time", "created", "changed", "made", "size", "events", "check")


def printed(*arguments: str | Path, code: int = 0) -> Any:
    """What a command prints with `--json`."""
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def plain(value: Any) -> Any:
    """A record without what differs between two runs; their keys stay."""
    if isinstance(value, dict):
        return {key: type(item).__name__ if key in _TIMES else plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def finished(client: TestClient, path: str, **given: Any) -> Any:
    """The result of a job."""
    job = client.post(path, **given).json()["job"]
    for _ in range(900):
        state = client.get(f"/api/jobs/{job}").json()
        if state["state"] not in ("waiting", "running"):
            assert state["state"] == "done", state["error"]
            return state["result"]
        time.sleep(0.1)
    raise AssertionError(state)


def post(path: str, **body: Any) -> Callable[[TestClient, str], Any]:
    return lambda client, draft: client.post(path, json={"draft": draft, **body}).json()


def get(path: str, key: str = "") -> Callable[[TestClient, str], Any]:
    return lambda client, draft: client.get(path).json()[key] if key else client.get(path).json()


VERBS: dict[str, tuple[Callable[[TestClient, str], Any], tuple[Any, ...], tuple[str, ...]]] = {
    "search": (post("/api/search", k=4), ("search", DRAFT, "-k", 4), ("search",)),
    "search, filtered": (
        post("/api/search", k=4, cutoff="2010-05-01", regime="epc", classes=["A61M"], must=["pump"]),
        ("search", DRAFT, "-k", 4, "--cutoff", "2010-05-01", "--regime", "epc", "--class", "A61M", "--must", "pump"),
        ("search",),
    ),
    "similar": (
        lambda client, _: client.post("/api/similar", json={"number": PUMP, "k": 3}).json(),
        ("similar", PUMP, "-k", 3),
        (),
    ),
    "draft": (
        lambda client, draft: client.get(f"/api/drafts/{draft}").json(),
        ("draft", DRAFT),
        ("draft", "name", "abstract", "paragraphs", "corrections", "understood", "borders", "in_corpus"),
    ),
    "show": (get(f"/api/documents/{PUMP}"), ("show", PUMP), ("figures",)),
    "explain": (post("/api/explain", numbers=[PUMP, OTHER]), ("explain", DRAFT, PUMP, OTHER), ()),
    "chart": (post("/api/chart", numbers=[PUMP], top=2), ("chart", DRAFT, PUMP, "--top", 2), ()),
    "stats": (get("/api/stats"), ("stats",), ()),
    "rejects": (get("/api/rejects", "rejects"), ("rejects",), ()),
    "matters": (get("/api/matters", "matters"), ("matter", "list"), ()),
    "matter": (get("/api/matters/hinge"), ("matter", "open", "hinge"), ()),
    "stopping": (get("/api/matters/hinge/stopping"), ("matter", "stopping", "hinge"), ("last",)),
}


@pytest.fixture(scope="module")
def folder(sample_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with a matter and a record that could not be read."""
    found = tmp_path_factory.mktemp("same") / "library"
    shutil.copytree(sample_library, found)
    broken = found.parent / "broken.jsonl"
    broken.write_text('{"id": "broken\n')
    printed("add", broken, "-l", found, code=1)
    printed("matter", "new", "hinge", DRAFT, "-l", found)
    return found


@pytest.fixture(scope="module")
def own(folder: Path) -> Iterator[TestClient]:
    """A server of that library."""
    settings = ServerSettings(libraries=(folder,), token=TOKEN, workers=1)
    with TestClient(make_app(settings), base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}) as found:
        yield found


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_is_its_command(own: TestClient, folder: Path, verb: str) -> None:
    ask, command, more = VERBS[verb]
    draft = own.post(f"/api/drafts?name={DRAFT.name}", content=DRAFT.read_bytes()).json()["draft"]
    found = ask(own, draft)
    expected = printed(*command, "-l", folder)
    if isinstance(found, dict):
        assert found.pop("ok") is True
        assert {key for key in more if key not in found} == set()
        found = {key: value for key, value in found.items() if key not in more}
    elif verb == "matters":  # a page shows titles too, of those that are not sealed
        assert [item.pop("title") for item in found] == [""]
    if verb == "draft":
        expected["source"] = found["source"] = ""
    assert plain(found) == plain(expected)


def test_quotes_are_verified_as_by_the_command(own: TestClient, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "chart.csv"
    printed("chart", DRAFT, PUMP, "--csv", file, "-l", folder)
    expected = printed("verify", file, "-l", folder)
    chart = printed("chart", DRAFT, PUMP, "-l", folder)
    quotes = [
        {"number": PUMP, "place": quote["place"], "text": quote["text"]}
        for cell in chart["cells"]
        for quote in cell["quotes"]
    ]
    assert own.post("/api/verify", json={"quotes": quotes}).json() == {"ok": True, **expected}


def test_jobs_end_with_what_their_commands_print(own: TestClient, folder: Path, tmp_path: Path) -> None:
    """On copies: what one has built, the other would not build again."""
    copy = tmp_path / "library"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("desk", "matters"))
    added = printed("add", SAMPLE / "patents.jsonl", "-l", copy)
    found = finished(own, "/api/corpus/files?name=patents.jsonl", content=(SAMPLE / "patents.jsonl").read_bytes())
    assert found.pop("files") == ["patents.jsonl"]
    assert set(found) == set(added)
    assert plain(finished(own, "/api/jobs/build")) == plain(printed("build", "-l", copy))
    checked = finished(own, "/api/jobs/doctor")
    assert set(checked) == set(printed("doctor", "-l", copy))
    with Library(copy) as library:
        cites = {patent.id: [item.id for item in patent.citations] for patent in library.corpus}
        known = set(cites)
    judged = {number: [one for one in named if one in known] for number, named in cites.items()}
    query, relevant = next((number, named) for number, named in judged.items() if len(named) > 1)
    qrels = tmp_path / "targets.qrels"
    qrels.write_text("".join(f"{query} 0 {number} 1\n" for number in relevant))
    body = {"judgements": {query: dict.fromkeys(relevant, 1)}}
    evaluated = finished(own, "/api/jobs/evaluate", json=body)
    for more in ("titles", "described", "source"):
        evaluated.pop(more)
    assert plain(evaluated) == plain(printed("evaluate", "--qrels", qrels, "--per-query", "-l", copy))


def test_what_is_written_and_purged_is_said_alike(own: TestClient, folder: Path) -> None:
    for name in ("by command", "by request"):
        matter = name.replace(" ", "-")
        printed("matter", "new", matter, "-l", folder)
        if name == "by command":
            noted = printed("matter", "note", matter, "Ask about the spring", "--rater", "ann", "-l", folder)
            purged = printed("matter", "purge", matter, "--yes", "-l", folder)
    body = {"kind": "note", "text": "Ask about the spring", "rater": "ann"}
    found = own.post("/api/matters/by-request/events", json=body).json()
    assert found["ok"] is True
    assert plain(found["event"]) == plain(noted)
    gone = own.delete("/api/matters/by-request").json()
    assert gone["ok"] is True
    assert set(purged) - {"name"} == set(gone) - {"ok"}
    assert [set(item) for item in purged["removed"]] == [set(item) for item in gone["removed"]]
