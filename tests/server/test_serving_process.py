"""`foreart serve` as a process: what it prints, opens, logs, keeps and exports."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from ssl import create_default_context
from urllib.request import Request, urlopen

import pytest

from foreart import SAMPLE
from foreart.cli.serving import synchronised
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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are not files here")
def test_first_hits_take_less_than_half_a_second_of_a_core(serving: Serving) -> None:
    """Wall-clock time, below a second, is in `benchmarks/desk.py`: here other tests run at the same time."""
    serving.start()
    found = serving.ask("POST", "/api/drafts?name=x.txt", DRAFT)[1]
    serving.ask("POST", "/api/search", {"draft": found["draft"]})
    for name in ("insulin-pump.txt", "interspinous-fusion.docx", "ultrasound-probe.pdf"):
        data, seconds = (SAMPLE / "drafts" / name).read_bytes(), []
        for _ in range(4):
            before = serving.processor_seconds
            found = serving.ask("POST", f"/api/drafts?name={name}", data)[1]
            assert serving.ask("POST", "/api/search", {"draft": found["draft"]})[1]["hits"]
            seconds.append(serving.processor_seconds - before)
        assert min(seconds) < 0.5, (name, seconds)


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
    assert min(seconds) < 0.035


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


def test_a_forged_address_does_not_start_the_count_of_failed_attempts_anew(serving: Serving) -> None:
    serving.start()
    wrong = {"Authorization": "Bearer wrong"}
    codes = [
        serving.ask(
            "GET", "/api/drafts", X_Forwarded_For=f"192.0.2.{number}", Forwarded=f"for=192.0.2.{number}", **wrong
        )[0]
        for number in range(8)
    ]
    assert codes[:4] == [401] * 4
    assert codes[-1] == 429


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 that signs itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "office.pem").write_bytes(made.public_bytes(pem))
    (folder / "office.key").write_bytes(secret)
    return folder / "office.pem", folder / "office.key"


def test_an_office_signs_in_with_password_over_tls(serving: Serving, tmp_path: Path) -> None:
    certfile, keyfile = certificate(tmp_path)
    password = tmp_path / "password"
    password.write_text("correct horse battery staple\n")
    password.chmod(0o600)
    options = ("--password-file", str(password), "--certfile", str(certfile), "--keyfile", str(keyfile))
    serving.start("--address", "0.0.0.0", "--host-name", "patents.office.example", *options)
    assert serving.address.startswith("https://patents.office.example:")
    port = int(serving.address.rstrip("/").rpartition(":")[2])
    connection = HTTPSConnection("127.0.0.1", port, context=create_default_context(cafile=str(certfile)), timeout=30)
    headers = {"Host": "patents.office.example", "Origin": "https://patents.office.example"}

    def ask(body: dict[str, str]) -> HTTPResponse:
        connection.request("POST", "/api/session", json.dumps(body), {**headers, "Content-Type": "application/json"})
        return connection.getresponse()

    refused = ask({"password": "a wrong password"})
    assert (refused.status, json.loads(refused.read())["ok"]) == (401, False)
    answer = ask({"password": "correct horse battery staple"})
    cookie = str(answer.headers["set-cookie"])
    answer.read()
    assert re.match(r"__Host-foreart-\d+=", cookie)
    assert {"Secure", "HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "max-age" in str(answer.headers["strict-transport-security"])
    connection.request("GET", "/api/libraries", headers={**headers, "Cookie": cookie.partition(";")[0]})
    assert json.loads(connection.getresponse().read())["libraries"][0]["documents"] == 50
    connection.request("GET", "/api/libraries", headers={"Host": "evil.test", "Cookie": cookie.partition(";")[0]})
    assert connection.getresponse().status == 400
    connection.close()


def test_beyond_loopback_without_password_and_tls_it_does_not_start(serving: Serving) -> None:
    serving.start("--address", "0.0.0.0")
    assert serving.process is not None
    assert serving.process.wait(30) == 1
    assert serving.address == ""


def test_open_takes_a_free_port_and_opens_the_browser(sample_library: Path, tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o700)
    command = [sys.executable, "-m", "foreart", "open", "--library", str(sample_library), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": str(browser)}
    ) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            for _ in range(200):
                if opened.exists() and opened.read_text():
                    break
                time.sleep(0.05)
            assert opened.read_text() == f"{told['address']}#{told['token']}"
            request = Request(f"{told['address']}api/stats", headers={"Authorization": f"Bearer {told['token']}"})
            assert json.loads(urlopen(request).read())["ok"] is True
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("token", "accepted"),
    [("short", False), ("with spaces in it, although it is long enough", False), ("b64+/" + "A" * 38 + "=", True)],
)
def test_a_token_of_your_own_fits_into_a_header_and_an_address(token: str, accepted: bool, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foreart", "serve", "--library", str(tmp_path), "--token", token]
    told = subprocess.run([*command, "--certfile", __file__], check=False, capture_output=True, text=True)
    assert told.returncode != 0
    assert ("--token: at least 32 letters" in told.stderr) is not accepted


def test_without_a_token_it_warns(serving: Serving) -> None:
    serving.start("--no-token")
    assert serving.token == ""
    assert serving.ask("GET", "/api/drafts", Authorization="")[0] == 200
    # Another site is refused all the same.
    assert serving.ask("GET", "/api/drafts", Sec_Fetch_Site="cross-site")[0] == 403
    assert serving.ask("POST", "/api/search", {"number": "XX1"}, Origin="http://evil.test")[0] == 403
    serving.stop()
    assert "every user and program of this machine can read drafts" in " ".join("".join(serving.log).split())


def test_folders_that_are_copied_to_other_machines_are_recognised() -> None:
    assert synchronised(Path("/home/ann/Dropbox (Office)/patents")) == "Dropbox (Office)"
    assert synchronised(Path("/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/patents")) != ""
    assert synchronised(Path("/home/ann/OneDrive - Office/patents")) == "OneDrive - Office"
    assert synchronised(Path("/srv/patents")) == ""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_unit_of_systemd_is_valid(tmp_path: Path) -> None:
    unit = Path(__file__).parents[2] / "docs" / "foreart.service"
    file = tmp_path / "foreart.service"
    file.write_text(unit.read_text().replace("/opt/foreart/bin/foreart", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
