"""What must be refused: other names, other sites, missing and wrong tokens, large and slow bodies."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.exceptions import HTTPException

from foreart.errors import BadFile, BadRequest
from foreart.server import ServerSettings
from foreart.server.application import make_app
from foreart.server.security.access import Access
from foreart.server.security.body_limits import LimitedBody
from foreart.server.security.passwords import hashed_password, is_password, read_password
from server_world import BASE, TOKEN

PASSWORD = "correct horse battery staple"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SETTINGS = ServerSettings(libraries=(Path("nowhere"),), token=TOKEN, workers=1, forget=True)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[TestClient]:
    """A browser without a session."""
    settings = replace(SETTINGS, libraries=(tmp_path / "library",), password=hashed_password(PASSWORD), forget=False)
    found = TestClient(make_app(settings), base_url=BASE, headers={"Sec-Fetch-Site": "same-origin"})
    yield found
    found.close()


def refused(answer) -> tuple[int, str]:
    record = answer.json()
    assert record["ok"] is False
    assert record["status"] == answer.status_code
    return answer.status_code, record["error"]


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8765", "127.0.0.1.evil.test", "", "localhost@evil.test", "[::2]"]
)
@pytest.mark.parametrize("path", ["/", "/api/session", "/api/jobs/x/events", "/static/start.js", "/openapi.json"])
def test_dns_rebinding_is_refused_by_the_host(browser: TestClient, host: str, path: str) -> None:
    # As Chromium sends it for a page of a name that was bound to 127.0.0.1: same origin, no Sec-Fetch-Site.
    del browser.headers["Sec-Fetch-Site"]
    answer = browser.get(path, headers={"Host": host, "Origin": f"http://{host}", "Authorization": f"Bearer {TOKEN}"})
    assert refused(answer)[0] == 400


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:1", "localhost", "[::1]:8765", "[::1]", "LOCALHOST"])
def test_our_own_names_are_accepted(browser: TestClient, host: str) -> None:
    assert browser.get("/", headers={"Host": host}).status_code == 200


def test_a_page_trades_the_token_for_a_cookie(browser: TestClient) -> None:
    assert refused(browser.get("/api/drafts"))[0] == 401
    assert browser.get("/api/session").json()["signed_in"] is False
    answer = browser.post("/api/session", json={"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert "Secure" not in cookie
    assert TOKEN not in cookie
    assert browser.get("/api/drafts").json()["drafts"] == []
    assert browser.delete("/api/session").status_code == 200
    assert refused(browser.get("/api/drafts"))[0] == 401


def test_a_password_opens_a_session(browser: TestClient) -> None:
    assert refused(browser.post("/api/session", json={"password": "wrong"}))[0] == 401
    assert browser.post("/api/session", json={"password": PASSWORD}).json()["signed_in"] is True
    assert browser.get("/api/drafts").status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "ü"])
def test_a_wrong_token_is_refused(browser: TestClient, token: str) -> None:
    answer = browser.get("/api/drafts", headers={"Authorization": f"Bearer {token}".encode()})
    assert refused(answer)[0] == 401


def test_failed_attempts_slow_down_but_a_right_token_passes(browser: TestClient) -> None:
    codes = [browser.post("/api/session", json={"password": f"guess {number}"}).status_code for number in range(8)]
    assert codes[:5] == [401] * 5
    assert set(codes[5:]) == {429}
    locked = browser.post("/api/session", json={"password": PASSWORD})
    assert locked.status_code == 429
    assert int(locked.headers["retry-after"]) >= 1
    assert browser.get("/api/drafts", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


CROSS_SITE = [
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),  # another port of this machine
    ({"Origin": "http://evil.test"}, 403),
    ({"Origin": "http://127.0.0.1:9999"}, 403),
    ({"Origin": "https://127.0.0.1:8765"}, 403),
    ({"Origin": "null"}, 403),
    ({}, 403),  # a cookie alone, as no browser sends it
    ({"Sec-Fetch-Site": "same-origin"}, 422),
    ({"Sec-Fetch-Site": "none"}, 422),
    ({"Origin": "http://127.0.0.1:8765"}, 422),
]


@pytest.mark.parametrize(("headers", "status"), CROSS_SITE, ids=str)
def test_another_site_cannot_use_the_cookie(browser: TestClient, headers: dict[str, str], status: int) -> None:
    browser.post("/api/session", json={"token": TOKEN})
    del browser.headers["Sec-Fetch-Site"]
    assert refused(browser.post("/api/search", json={}, headers=headers))[0] == status
    if status == 403 and headers:
        assert refused(browser.get("/api/drafts", headers=headers))[0] == 403


def test_a_program_with_the_token_needs_no_origin(browser: TestClient) -> None:
    del browser.headers["Sec-Fetch-Site"]
    answer = browser.post("/api/search", json={}, headers={"Authorization": f"Bearer {TOKEN}"})
    assert refused(answer)[0] == 422


def test_every_answer_has_the_headers(browser: TestClient) -> None:
    for path in ("/", "/results", "/api/session", "/api/drafts", "/nothing", "/static/start.js", "/openapi.json"):
        headers = browser.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert {part.split("=")[1] for part in headers["permissions-policy"].split(", ")} == {"()"}
        assert "access-control-allow-origin" not in headers
        assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")
        assert "server" not in headers


def test_a_large_body_is_refused_before_it_is_read(browser: TestClient) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    assert refused(browser.post("/api/search", content=b" " * (2 << 20), headers=headers))[0] == 413
    chunks = (b" " * 100_000 for _ in range(30))  # without a length
    assert refused(browser.post("/api/search", content=chunks, headers=headers))[0] == 413
    small = replace(SETTINGS, max_draft=1000)
    with TestClient(make_app(small), base_url=BASE, headers=headers) as other:
        assert refused(other.post("/api/drafts", content=b"x" * 1001))[0] == 413


def test_a_slow_body_is_refused() -> None:
    async def silent() -> dict:
        await asyncio.sleep(10)
        return {}

    with pytest.raises(HTTPException) as error:
        asyncio.run(LimitedBody(silent, 1000, chunk_seconds=0.05)())
    assert error.value.status_code == 408


def test_errors_of_the_framework_have_the_one_shape_and_repeat_nothing(browser: TestClient) -> None:
    browser.headers["Authorization"] = f"Bearer {TOKEN}"
    secret = "SECRET-OF-THE-DRAFT"
    asked = [
        browser.get(f"/{secret}"),
        browser.get(f"/api/{secret}"),
        browser.put("/api/search", json={}),
        browser.post("/api/search", content=f'{{"{secret}', headers={"Content-Type": "application/json"}),
        browser.post("/api/search", json={"k": secret}),
        browser.post("/api/search", json=[secret]),
        browser.post("/api/search", json={"draft": secret}),
        browser.post("/api/search", content=secret, headers={"Content-Type": "text/plain"}),
    ]
    found = [refused(answer) for answer in asked]
    assert [status for status, _ in found] == [404, 404, 405, 400, 422, 422, 404, 415]
    assert not [sentence for _, sentence in found if secret in sentence]


def test_files_are_private_and_names_are_no_paths(browser: TestClient, tmp_path: Path) -> None:
    browser.headers["Authorization"] = f"Bearer {TOKEN}"
    answer = browser.post("/api/drafts", params={"name": "../../../etc/pass\nwd\u202e"}, content=b"A lever. " * 20)
    assert answer.json()["name"] == "pass wd"
    browser.post("/api/session", json={"token": TOKEN})
    kept = [path for path in (tmp_path / "library" / "desk").rglob("*")]
    assert len([path for path in kept if path.is_file()]) == 3
    for path in (tmp_path / "library" / "desk", *kept):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert b"token" not in (tmp_path / "library" / "desk" / "sessions.json").read_bytes()


def test_sessions_outlive_a_restart_unless_nothing_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "desk" / "sessions.json"
    session = Access(SETTINGS, file=file).open_session()
    assert Access(SETTINGS, file=file).is_session(session)
    assert not Access(SETTINGS).is_session(session)
    assert session not in file.read_text()
    file.write_text("broken")
    assert not Access(SETTINGS, file=file).is_session(session)


def test_beyond_this_machine_only_with_password_and_tls() -> None:
    for address in ("0.0.0.0", "192.168.1.5", "::", "office.example"):
        open_to_others = replace(SETTINGS, address=address)
        with pytest.raises(BadRequest, match="--password-file"):
            open_to_others.checked()
        with pytest.raises(BadRequest, match="--password-file"):
            replace(open_to_others, password="a:b").checked()
        complete = replace(open_to_others, password="a:b", certfile=Path("c"), keyfile=Path("k"))
        assert complete.checked() is complete
    with pytest.raises(BadRequest, match="--host-name"):
        replace(SETTINGS, behind_proxy=True, password="a:b").checked()
    with pytest.raises(BadRequest, match="--keyfile"):
        replace(SETTINGS, certfile=Path("c")).checked()
    assert "127.0.0.2" in replace(SETTINGS, address="127.0.0.2").checked().hosts
    assert "[2001:db8::1]" in replace(complete, address="2001:db8::1").hosts
    assert "[::1]" in replace(SETTINGS, address="::1").checked().hosts
    assert not {"0.0.0.0", "::", "[::]"} & set(replace(complete, address="::").hosts)
    behind = replace(SETTINGS, behind_proxy=True, password="a:b", host_names=("Office.example",)).checked()
    assert "office.example" in behind.hosts


def test_passwords_are_salted_and_their_file_is_private(tmp_path: Path) -> None:
    assert hashed_password(PASSWORD) != hashed_password(PASSWORD)
    assert is_password(PASSWORD, hashed_password(PASSWORD))
    assert not is_password(PASSWORD + "x", hashed_password(PASSWORD))
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    file.chmod(0o644)
    with pytest.raises(BadFile, match="chmod 600"):
        read_password(file)
    file.chmod(0o600)
    assert is_password(PASSWORD, read_password(file))
    file.write_text("short\n")
    with pytest.raises(BadFile, match="fewer than 10"):
        read_password(file)


def test_a_proxy_does_tls_and_passes_the_name_on(tmp_path: Path) -> None:
    settings = replace(
        SETTINGS, behind_proxy=True, password=hashed_password(PASSWORD), host_names=("patents.office.example",)
    )
    browser = TestClient(make_app(settings), base_url="https://patents.office.example")
    own = {"Origin": "https://patents.office.example"}
    assert refused(browser.post("/api/session", json={"password": PASSWORD}, headers={"Host": "evil.test"}))[0] == 400
    assert refused(browser.post("/api/search", json={}, headers={"Origin": "http://patents.office.example"}))[0] == 401
    signed = browser.post("/api/session", json={"password": PASSWORD}, headers=own)
    assert signed.json()["signed_in"] is True
    assert signed.headers["set-cookie"].startswith("__Host-")
    assert "Secure" in signed.headers["set-cookie"]
    assert signed.headers["strict-transport-security"]
    assert browser.get("/api/drafts").status_code == 200
    assert refused(browser.post("/api/search", json={}, headers={"Origin": "http://patents.office.example"}))[0] == 403
    assert refused(browser.post("/api/search", json={}, headers=own))[0] == 422
