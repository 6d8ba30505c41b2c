"""What users read when something else stands at the address of a cluster: one sentence that says what to do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cluster.bare_servers import OPENSEARCH, bare_server
from cluster.certificates import Certificates, authority
from extras import needs
from foreart.cluster.cluster_settings import NO_TLS, ClusterSettings, TlsFiles, keep_settings
from foreart.errors import ClusterError
from foreart.library import SAMPLE, Library

DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"
opensearch = needs("opensearchpy")
dask = needs("distributed")


def sentence(folder: Path, address: str, tls: TlsFiles = NO_TLS) -> str:
    """What a search and a build say; both say the same."""
    keep_settings(folder, ClusterSettings(address, tls=tls))
    told = set()
    with Library(folder) as library:
        draft = library.draft(DRAFT)
        for act in (lambda: library.search(draft), lambda: library.build()):
            with pytest.raises(ClusterError) as error:
                act()
            told.add(str(error.value))
    (text,) = told
    assert "\n" not in text and len(text) < 250, text
    return text


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return authority(tmp_path_factory.mktemp("ours"))


@opensearch
@pytest.mark.parametrize(
    ("about", "words"),
    [
        (
            {"version": {"distribution": "opensearch", "number": "1.3.20"}},
            "runs OpenSearch 1.3.20: 2.10 or later is needed",
        ),
        ({"cluster_name": "c", "version": {"number": "8.17.0"}}, "is not OpenSearch, but Elasticsearch"),
        ({"hello": "world"}, "is not OpenSearch, but another server"),
        ([], "is not OpenSearch, but another server"),
    ],
)
def test_an_old_or_another_server(folder: Path, about: object, words: str) -> None:
    with bare_server(lambda path: (200, about)) as port:
        assert sentence(folder, f"http://127.0.0.1:{port}") == f"http://127.0.0.1:{port} {words}"


@opensearch
def test_a_user_that_is_not_known_or_may_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREART_OPENSEARCH_USER", "somebody")
    monkeypatch.setenv("FOREART_OPENSEARCH_PASSWORD", "a-secret")
    with bare_server(lambda path: (401, {})) as port:
        told = sentence(folder, f"http://127.0.0.1:{port}")
        assert "does not accept the user: set FOREART_OPENSEARCH_USER and" in told and "a-secret" not in told
    reason = {"type": "security_exception", "reason": "no permissions for [indices:data/read/search] and User somebody"}

    def answer(path: str) -> tuple[int, object]:
        return (200, OPENSEARCH) if path == "/" else (403, {"error": reason, "status": 403})

    with bare_server(answer) as port:
        told = sentence(folder, f"http://127.0.0.1:{port}")
        assert told.endswith("does not allow this user to do that: it lacks the right indices:data/read/search")


@opensearch
def test_encrypted_or_not(folder: Path, certificates: Certificates) -> None:
    with bare_server(lambda path: (200, OPENSEARCH), certificates.files) as port:
        assert sentence(folder, f"http://127.0.0.1:{port}").endswith(f"is it https://127.0.0.1:{port}?")
    with bare_server(lambda path: (200, OPENSEARCH)) as port:
        assert sentence(folder, f"https://127.0.0.1:{port}").endswith(f"is it http://127.0.0.1:{port}?")


@opensearch
def test_certificates_that_are_not_trusted(folder: Path, certificates: Certificates, tmp_path: Path) -> None:
    stranger = TlsFiles(ca=authority(tmp_path / "theirs").files.ca)
    with bare_server(lambda path: (200, OPENSEARCH), certificates.files) as port:
        for tls in (NO_TLS, stranger):
            told = sentence(folder, f"https://127.0.0.1:{port}", tls)
            assert "shows a certificate of an unknown authority" in told and "--tls-ca" in told
    other = authority(tmp_path / "elsewhere", host="search.example").files
    with bare_server(lambda path: (200, OPENSEARCH), other) as port:
        assert "is for another host name" in sentence(folder, f"https://127.0.0.1:{port}", TlsFiles(ca=other.ca))


@pytest.mark.parametrize("scheme", [pytest.param("https", marks=opensearch), pytest.param("tls", marks=dask)])
def test_a_certificate_that_ends(folder: Path, tmp_path: Path, scheme: str) -> None:
    """Accepted at first, refused a moment later."""
    seconds = 4
    ends = time.time() + seconds
    short = authority(tmp_path / "short", seconds=seconds).files
    tls = short if scheme == "tls" else TlsFiles(ca=short.ca)
    with bare_server(lambda path: (200, {"version": {}}), short) as port:
        address = f"{scheme}://127.0.0.1:{port}"
        if scheme == "https":
            assert "is not OpenSearch" in sentence(folder, address, tls)
        time.sleep(max(0.0, ends + 1 - time.time()))
        assert sentence(folder, address, tls) == (f"the certificate of {address} has expired: its keeper must renew it")


@opensearch
def test_nothing_is_there(folder: Path) -> None:
    assert "no OpenSearch node answers at http://127.0.0.1:9:" in sentence(folder, "http://127.0.0.1:9")
    assert sentence(folder, "http://no-such-host.invalid:9200").startswith("there is no host no-such-host.invalid")
