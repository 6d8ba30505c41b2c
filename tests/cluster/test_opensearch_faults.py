"""What the user sees when an OpenSearch cluster fails: one sentence for each fault, nothing lost, nothing partial."""

from __future__ import annotations

import json
import logging
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import certificates
import numpy as np
import pytest
from click.testing import CliRunner
from fake_opensearch import GONE, FakeOpenSearch

from foreart.cli.app import app
from foreart.cluster.cluster_settings import NO_TLS, ClusterSettings, TlsFiles
from foreart.cluster.home_address import HomeAddress, home_address
from foreart.cluster.opensearch.asking import multi_search
from foreart.cluster.opensearch.asking.stored_states import ClusterStates
from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.cluster.opensearch.storing.bulk_sending import BulkSender
from foreart.cluster.opensearch.storing.document_records import SentDocument
from foreart.cluster.opensearch.storing.state_storing import store_state
from foreart.errors import BadRequest, ClusterError, StaleIndex
from foreart.library import SAMPLE, Library

opensearchpy = pytest.importorskip("opensearchpy")
ADDRESS = "http://127.0.0.1:9200"
SETTINGS = ClusterSettings(ADDRESS)


def door(cluster: FakeOpenSearch, address: str = ADDRESS) -> OpenSearchDoor:
    return OpenSearchDoor(home_address(address), NO_TLS, lambda home, tls: cluster.perform)


def away(built: Path, cluster: FakeOpenSearch) -> Library:
    library = Library(built, on="here")
    library._states = ClusterStates(SETTINGS, door(cluster))
    return library


@pytest.fixture
def stored(built: Path, monkeypatch: pytest.MonkeyPatch) -> FakeOpenSearch:
    monkeypatch.setattr(multi_search, "_PAUSE", 0.0)
    cluster = FakeOpenSearch()
    with Library(built) as library:
        store_state(built, library.corpus, SETTINGS, door=door(cluster))
    return cluster


def documents(number: int) -> list[SentDocument]:
    return [
        SentDocument(row, f"US{row}A", json.dumps({"create": {"_id": f"US{row}A"}}) + f'\n{{"row": {row}}}\n')
        for row in range(number)
    ]


def sender(cluster: FakeOpenSearch, waits: list[float]) -> BulkSender:
    cluster.indexes["x-1"] = {"body": {}, "aliases": {"x.writing": {}}, "documents": {}}
    return BulkSender(door(cluster), "x.writing", waits.append)


def test_only_failed_documents_are_sent_again_and_ever_more_slowly() -> None:
    cluster, waits, sizes = FakeOpenSearch(), [], []
    send = sender(cluster, waits)

    def busy(method: str, path: str, body: Any) -> Any:
        if not path.endswith("_bulk"):
            return None
        ids = [json.loads(line)["create"]["_id"] for line in body.splitlines()[::2]]
        sizes.append(len(ids))
        if len(sizes) > 3:
            return None
        refused = {"status": 429, "error": {"type": "rejected_execution_exception", "reason": "queue"}}
        return {"items": [{"create": refused if number in ("US3A", "US7A") else {"status": 201}} for number in ids]}

    cluster.fault = busy
    done: list[int] = []
    send.send(documents(10), done.append)
    assert sizes == [10, 2, 2, 2] and waits == [0.5, 1.0, 2.0] and done == [10]
    assert set(cluster.indexes["x-1"]["documents"]) == {"US3A", "US7A"}


def too_busy() -> Exception:
    told = {"error": {"type": "circuit_breaking_exception", "reason": "[parent] Data too large"}, "status": 429}
    return opensearchpy.exceptions.TransportError(429, "circuit_breaking_exception", told)


def test_a_request_that_is_refused_as_a_whole_is_sent_again(built: Path, stored: FakeOpenSearch) -> None:
    cluster, waits, left = FakeOpenSearch(), [], [2, 2]
    send = sender(cluster, waits)

    def refused(method: str, path: str, body: Any) -> None:
        place = 0 if path.endswith("_bulk") else 1
        if path.endswith(("_bulk", "_msearch")) and left[place]:
            left[place] -= 1
            raise too_busy()

    cluster.fault = stored.fault = refused
    send.send(documents(10))
    assert len(cluster.indexes["x-1"]["documents"]) == 10 and waits == [0.5, 1.0]
    assert len(away(built, stored).similar(Library(built).corpus.ids()[0])) > 0 and left == [0, 0]


def test_a_cluster_that_stays_busy_is_given_up_after_ten_minutes() -> None:
    cluster, waits = FakeOpenSearch(), []
    send = sender(cluster, waits)
    refused = {"create": {"status": 429, "error": {"type": "circuit_breaking_exception"}}}
    cluster.fault = lambda method, path, body: {"items": [refused]} if path.endswith("_bulk") else None
    with pytest.raises(ClusterError, match=r"too busy for 10 minutes \(circuit_breaking_exception\).*what was stored"):
        send.send(documents(1))
    assert max(waits) == 30.0 and sum(waits) < 700


@pytest.mark.parametrize(
    ("status", "error", "sentence"),
    [
        (
            429,
            {
                "type": "cluster_block_exception",
                "reason": "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, "
                "index has read-only-allow-delete block];",
            },
            "disks of .* are too full.*free some space there and run the same command again",
        ),
        (403, {"type": "cluster_block_exception", "reason": "index [x] blocked by: [FORBIDDEN/8/write]"}, "is blocked"),
        (400, {"type": "mapper_parsing_exception", "reason": "failed"}, r"refused US0A \(mapper_parsing_exception\)"),
        (404, {"type": "index_not_found_exception", "reason": "no such index"}, "was deleted: `foreart build --on"),
    ],
)
def test_what_waiting_does_not_cure_ends_at_once(status: int, error: dict[str, str], sentence: str) -> None:
    cluster, waits = FakeOpenSearch(), []
    send = sender(cluster, waits)
    item = {"create": {"status": status, "error": error}}
    cluster.fault = lambda method, path, body: {"items": [item]} if path.endswith("_bulk") else None
    with pytest.raises((ClusterError, StaleIndex), match=sentence):
        send.send(documents(1))
    assert waits == []


def test_a_killed_storing_continues_and_searches_use_the_state_before(built: Path, tmp_path: Path) -> None:
    cluster = FakeOpenSearch()
    left = 2

    def killed(method: str, path: str, body: Any) -> Any:
        nonlocal left
        if path.endswith("_bulk"):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return None

    with Library(built) as library, pytest.MonkeyPatch.context() as patched:
        patched.setattr("foreart.cluster.opensearch.storing.bulk_sending._DOCUMENTS", 20)
        cluster.fault = killed
        with pytest.raises(KeyboardInterrupt):
            store_state(built, library.corpus, SETTINGS, door=door(cluster))
        ((index, about),) = cluster.indexes.items()
        assert len(about["documents"]) == 20 and "foreart" not in about["aliases"]
        with pytest.raises(ClusterError, match="nothing was stored as foreart on"):
            away(built, cluster).similar(library.corpus.ids()[0])
        cluster.fault = lambda method, path, body: None
        done = store_state(built, library.corpus, SETTINGS, door=door(cluster))
    assert (done.sent, done.there) == (30, 20) and list(cluster.indexes) == [index]
    assert cluster.indexes[index]["aliases"].keys() == {"foreart"}


def test_the_alias_moves_only_after_every_document_was_found_with_its_content(built: Path) -> None:
    cluster = FakeOpenSearch()

    def lossy(method: str, path: str, body: Any) -> Any:
        if path.endswith("_bulk"):
            return {"items": [{"create": {"status": 201}} for _ in body.splitlines()[::2]]}
        return None

    cluster.fault = lossy
    with Library(built) as library:
        with pytest.raises(ClusterError, match="lacks 50 documents that were stored"):
            store_state(built, library.corpus, SETTINGS, door=door(cluster))
        assert "foreart" not in next(iter(cluster.indexes.values()))["aliases"]
        cluster.fault = lambda method, path, body: None
        store_state(built, library.corpus, SETTINGS, door=door(cluster))
        held = next(iter(cluster.indexes.values()))["documents"]
        next(iter(held.values()))["content"] = "0" * 32
        with pytest.raises(ClusterError, match="has a document that is not of this state"):
            store_state(built, library.corpus, SETTINGS, door=door(cluster))


def test_the_alias_waits_for_copies_that_are_behind(built: Path) -> None:
    cluster = FakeOpenSearch()
    cluster.copies = [3, 7, 7]
    with Library(built) as library:
        store_state(built, library.corpus, SETTINGS, door=door(cluster))
    looks = [path for _, path in cluster.calls if path.endswith("_stats/docs")]
    assert len(looks) == 4 and cluster.calls[-1] == ("POST", "/_aliases")


def test_a_new_state_replaces_the_old_one_which_stays_until_the_next(tmp_path: Path) -> None:
    cluster = FakeOpenSearch()
    with Library(tmp_path / "library") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build("log-tfidf")
        first = store_state(library.folder, library.corpus, SETTINGS, door=door(cluster)).index
        searching = away(library.folder, cluster)
        draft = library.draft("US20040523211A1" if "US20040523211A1" in library.corpus else library.corpus.ids()[0])
        before = [hit.id for hit in searching.search(draft, k=5)]
        library.corpus.remove([library.corpus.ids()[-1]])
        library.build("log-tfidf")
        # The library was built again and is not stored yet: searches use the state that the cluster has.
        assert [hit.id for hit in away(library.folder, cluster).search(draft, k=5)] == before
        second = store_state(library.folder, library.corpus, SETTINGS, door=door(cluster)).index
        assert first != second and set(cluster.indexes) == {first, second}
        assert cluster.indexes[first]["aliases"] == {} and cluster.indexes[second]["aliases"].keys() == {"foreart"}
        assert len(away(library.folder, cluster).search(draft, k=5)) == 5
        library.corpus.remove([library.corpus.ids()[-1]])
        library.build("log-tfidf")
        third = store_state(library.folder, library.corpus, SETTINGS, door=door(cluster)).index
        assert set(cluster.indexes) == {second, third}


def test_a_missing_shard_is_said_after_some_attempts(built: Path, stored: FakeOpenSearch) -> None:
    stored.shards = {"total": 3, "successful": 2, "failed": 0}
    with Library(built) as library, pytest.raises(ClusterError, match=r"1 of 3 shards of foreart-.* did not answer"):
        away(built, stored).similar(library.corpus.ids()[0])
    assert stored.calls.count(("POST", "/_msearch")) == 6


def test_a_shard_that_comes_back_is_asked_again_alone(built: Path, stored: FakeOpenSearch) -> None:
    number = Library(built).corpus.ids()[0]
    expected = [(hit.id, hit.score) for hit in away(built, stored).similar(number)]
    stored.searches.clear()
    plain, failed = stored._answered, [0]

    def failing(head: Any, body: Any) -> Any:
        answer = plain(head, body)
        if failed[0] == 2:
            return answer
        failed[0] += 1
        return {"status": 503, "error": {"type": "search_phase_execution_exception", "failed_shards": [
            {"reason": {"type": "no_shard_available_action_exception"}}]}}  # fmt: skip

    stored._answered = failing  # type: ignore[method-assign]
    assert [(hit.id, hit.score) for hit in away(built, stored).similar(number)] == expected
    assert failed == [2]


def test_an_index_that_was_deleted(built: Path, stored: FakeOpenSearch) -> None:
    searching = away(built, stored)
    number = searching.corpus.ids()[0]
    assert len(searching.similar(number)) > 0
    stored._answered = lambda head, body: {"status": 404, **GONE}  # type: ignore[method-assign]
    with pytest.raises(StaleIndex, match=r"was deleted: `foreart build --on http://127.0.0.1:9200` stores it again"):
        searching.similar(number)


def test_a_library_without_the_state_that_the_cluster_has(stored: FakeOpenSearch, tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build("log-tfidf")
        with pytest.raises(StaleIndex, match=r"does not have the state that .* has.*`foreart build --on"):
            away(library.folder, stored).similar(library.corpus.ids()[0])


@pytest.mark.parametrize("limit", [1_000, 60])
def test_few_words_at_once_where_the_cluster_allows_no_more(
    built: Path, stored: FakeOpenSearch, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foreart.cluster.opensearch.asking.field_asking._FEW_WORDS", limit)
    with Library(built) as library:
        number = library.corpus.ids()[3]
        expected = library.similar(number, k=30)
        stored.most_clauses = limit
        found = away(built, stored).similar(number, k=30)
    assert [hit.id for hit in found] == [hit.id for hit in expected]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)


def test_a_million_documents_are_found_by_some_words_and_scored_by_all(
    built: Path, stored: FakeOpenSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = "foreart.cluster.opensearch.asking.field_asking"
    monkeypatch.setattr(f"{asking}.LARGE", 1)
    monkeypatch.setattr(f"{asking}._FIRST_WORDS", 40)
    with Library(built) as library:
        number = library.corpus.ids()[3]
        expected = library.similar(number, k=5, index="log-tfidf")
        stored.searches.clear()
        found = away(built, stored).similar(number, k=5, index="log-tfidf")
    first, second = stored.searches[:2]
    assert len(first["query"]["bool"]["should"]) == 40 < len(second["query"]["bool"]["should"])
    assert first["size"] > 5 and [hit.id for hit in found] == [hit.id for hit in expected]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ({"number": "2.4.1", "distribution": "opensearch"}, r"runs OpenSearch 2\.4\.1: 2\.10 or later is needed"),
        ({"number": "8.13.0"}, "is not OpenSearch, but Elasticsearch"),
    ],
)
def test_an_old_version_or_another_product(version: dict[str, str], sentence: str) -> None:
    cluster = FakeOpenSearch()
    cluster.version = version
    with pytest.raises(ClusterError, match=sentence):
        door(cluster).call("GET", "/_cluster/health")


@pytest.mark.parametrize(
    ("lost", "sentence"),
    [
        (("ConnectionError", "N/A", "refused"), "no OpenSearch node answers at http://127.0.0.1:9200"),
        (("ConnectionTimeout", "TIMEOUT", "timed out"), "http://127.0.0.1:9200 did not answer in time"),
    ],
    ids=["gone", "hanging"],
)
def test_another_node_answers_where_one_is_lost(lost: tuple[str, str, str], sentence: str) -> None:
    first, second = FakeOpenSearch(), FakeOpenSearch()
    nodes = {"nodes": {"a": {"http": {"publish_address": "h/10.0.0.2:9201"}}}}
    first.fault = lambda method, path, body: nodes if path == "/_nodes/http" else None
    asked: list[HomeAddress] = []

    def connect(home: HomeAddress, tls: TlsFiles) -> Any:
        asked.append(home)
        return (first if home.port == 9200 else second).perform

    both = OpenSearchDoor(home_address(ADDRESS), NO_TLS, connect)
    assert both.call("GET", "/_cluster/health")["status"] == "green"

    def fail(method: str, path: str, body: Any) -> Any:
        raise getattr(opensearchpy.exceptions, lost[0])(*lost[1:], OSError(lost[2]))

    first.fault = fail
    assert both.call("GET", "/_cluster/health")["status"] == "green"
    assert [(home.host, home.port) for home in asked] == [("127.0.0.1", 9200), ("10.0.0.2", 9201)]
    second.fault = fail
    with pytest.raises(ClusterError, match=re.escape(sentence)):
        both.call("GET", "/_cluster/health")


class _Refusing(BaseHTTPRequestHandler):
    """Answers everything with one status and error; `asked` has the authorization of each request."""

    status, error = 401, {"error": {"type": "security_exception", "reason": "Unauthorized"}}
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.headers.get("authorization", ""))
        body = json.dumps(self.error).encode()
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def server(handler: type[BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), handler) as running:
        if tls is not None:
            running.socket = tls.wrap_socket(running.socket, server_side=True)
        running.handle_error = lambda request, address: None  # type: ignore[method-assign]
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield running.server_address[1]
        finally:
            running.shutdown()
            thread.join()


def refusing(status: int, error: Any) -> type[_Refusing]:
    return type("Refusing", (_Refusing,), {"status": status, "error": error, "asked": []})


def call(address: str, tls: TlsFiles = NO_TLS) -> Any:
    return OpenSearchDoor(home_address(address), tls).call("GET", "/_cluster/health")


def test_a_wrong_password_is_never_repeated_and_never_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FOREART_OPENSEARCH_USER", "anna")
    monkeypatch.setenv("FOREART_OPENSEARCH_PASSWORD", "very-secret-word")
    handler = refusing(401, _Refusing.error)
    refused = pytest.raises(ClusterError, match="does not accept the user: set FOREART_OPENSEARCH_USER")
    with caplog.at_level(logging.DEBUG), server(handler) as port, refused as caught:
        call(f"http://127.0.0.1:{port}")
    assert handler.asked[0].startswith("Basic ") and len(handler.asked) == 1
    assert "very-secret-word" not in str(caught.value) + caplog.text


def test_a_key_is_sent_as_opensearch_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREART_OPENSEARCH_API_KEY", "a2V5")
    handler = refusing(403, {"error": {"type": "security_exception", "reason": "no permissions for "
        "[cluster:monitor/main] and User [name=anna, backend_roles=[secret-role]]"}})  # fmt: skip
    with server(handler) as port, pytest.raises(ClusterError, match=r"lacks the right cluster:monitor/main$"):
        call(f"http://127.0.0.1:{port}")
    assert handler.asked == ["ApiKey a2V5"]


def test_no_password_is_sent_to_another_machine_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREART_OPENSEARCH_USER", "anna")
    monkeypatch.setenv("FOREART_OPENSEARCH_PASSWORD", "very-secret-word")
    with pytest.raises(BadRequest, match=r"never sent without encryption: use https://search\.example\.com:9200"):
        call("http://search.example.com:9200")


def test_nobody_listens_and_the_wrong_protocol(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"no OpenSearch node answers at http://127\.0\.0\.1:1: is it started"):
        call("http://127.0.0.1:1")
    with server(refusing(200, {})) as port, pytest.raises(ClusterError, match="does not speak TLS: is it http://"):
        call(f"https://127.0.0.1:{port}")


def test_certificates(tmp_path: Path) -> None:
    files = certificates.authority(tmp_path).files
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.cert, files.key)
    with server(refusing(401, _Refusing.error), context) as port:
        with pytest.raises(ClusterError, match="certificate of an unknown authority: name its file with"):
            call(f"https://127.0.0.1:{port}")
        with pytest.raises(ClusterError, match="does not accept the user"):
            call(f"https://127.0.0.1:{port}", TlsFiles(ca=files.ca))
        with pytest.raises(ClusterError, match=r"ended the connection: is it https://127.0.0.1"):
            call(f"http://127.0.0.1:{port}")


def test_the_command_line_says_one_sentence(built: Path) -> None:
    outcome = CliRunner().invoke(app, ["cluster", "status", "--on", "http://127.0.0.1:1", "-l", str(built)])
    assert outcome.exit_code == 1 and "no OpenSearch node answers at http://127.0.0.1:1" in outcome.output
    named = CliRunner().invoke(app, ["cluster", "use", "dask://h:1", "--name", "x", "-l", str(built)])
    assert named.exit_code != 0 and "a Dask cluster has none" in named.output


def test_scores_of_all_documents_are_asked_in_slices(built: Path, stored: FakeOpenSearch) -> None:
    with Library(built) as library, pytest.MonkeyPatch.context() as patched:
        patched.setattr("foreart.cluster.opensearch.asking.field_asking._ROWS", 7)
        patched.setattr("foreart.cluster.opensearch.asking.stored_index._SCORED_HERE", 0)
        text = library.draft(library.corpus.ids()[5]).description_text
        for name in ("log-tfidf", "bm25", "topics"):
            exact, found = library.index(name), away(built, stored).index(name)
            stored.searches.clear()
            right = exact.scores_of(exact.encode(text), np.arange(50))
            np.testing.assert_allclose(found.scores(found.encode(text)), right, rtol=1e-6, atol=1e-6)
            assert len(stored.searches) == 8
