"""A real `foreart mcp` with a real client over standard input and output: what it prints, opens and logs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from foreart import SAMPLE
from foreart.cli import mcp_serving
from foreart.cli.app import app
from mcp_world import in_process

AUDIT = Path(__file__).with_name("audit")
# The client passes on neither this nor other variables.
WATCHED = os.pathsep.join(filter(None, (str(AUDIT), os.environ.get("PYTHONPATH", ""))))
PUMP = "XX8246714B2"
SECRET = "SECRETWORD of a draft that nobody may see in a log"


def test_a_real_client_uses_every_tool_and_no_socket_is_opened(sample: Path, tmp_path: Path, pump: str) -> None:
    async def ask(client: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
        for name, arguments in {
            "stats": {},
            "search": {"text": pump + SECRET, "k": 3},
            "similar": {"number": PUMP},
            "draft": {"text": pump},
            "show": {"number": PUMP, "part": "description"},
            "explain": {"text": pump, "numbers": [PUMP]},
            "chart": {"text": pump, "references": [PUMP]},
            "verify": {"quotes": [{"number": PUMP, "place": "claim 1", "text": "A wearable drug pump"}]},
        }.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
            found[name] = result.structured_content
        refused = await client.call_tool("search", {"text": SECRET, "k": SECRET})
        found["refused"] = refused.content[0].text
        found["resource"] = (await client.read_resource(f"patent://{PUMP}/claims")).contents[0].text
        return found

    audit, log = tmp_path / "audit.txt", tmp_path / "log.txt"
    environment = {
        "PYTHONPATH": WATCHED,
        "FOREART_AUDIT": str(audit),
        "OTEL_TRACES_EXPORTER": "console",
        "OTEL_LOGS_EXPORTER": "console",
    }
    found = in_process(sample, ask, log=log, environment=environment)
    assert found["tools"][0] == "search"
    assert found["search"]["hits"][0]["id"] == PUMP
    assert found["verify"]["holds"] is True
    assert found["refused"].startswith("k: input should be a valid integer")
    assert found["resource"].startswith("claim 1: A wearable drug pump")
    assert log.read_text("utf-8") == ""
    lines = audit.read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("socket.")] == []
    assert {line for line in lines if line.startswith("import ")} == {
        "import mcp OTEL_SDK_DISABLED=true",
        "import opentelemetry OTEL_SDK_DISABLED=true",
    }
    opened = [line for line in lines if line.startswith("open ")]
    assert any("corpus" in line for line in opened)
    assert [line for line in opened if "sample/drafts" in line or "insulin" in line] == []


def test_a_file_is_read_in_a_process_of_its_own(sample: Path, tmp_path: Path) -> None:
    async def ask(client: Any) -> Any:
        return [
            (await client.call_tool("draft", {"file": "insulin-pump.txt"})).structured_content,
            (await client.call_tool("draft", {"file": "../patents.jsonl"})).content[0].text,
        ]

    audit, log = tmp_path / "audit.txt", tmp_path / "log.txt"
    environment = {"PYTHONPATH": WATCHED, "FOREART_AUDIT": str(audit)}
    found = in_process(sample, ask, "--allow", str(SAMPLE / "drafts"), log=log, environment=environment)
    assert found[0]["title"].startswith("WEARABLE DRUG PUMP")
    assert found[1].startswith("the file is not in a folder that")
    sockets = [line for line in audit.read_text("utf-8").splitlines() if line.startswith("socket.")]
    assert [line for line in sockets if not re.search(r"\('?b?'?(/tmp|\\x00|/)", line)] == []
    assert log.read_text("utf-8") == ""


def test_standard_output_has_only_the_protocol(sample: Path) -> None:
    """Lines that are no messages, of a host that is broken, end nothing and appear nowhere."""
    start = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        f"{SECRET}\n",
        "{}\n",
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search", "arguments": SECRET}},
        {"jsonrpc": "2.0", "id": 3, "method": SECRET},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "show", "arguments": {"number": PUMP}}},
    ]
    lines = [line if isinstance(line, str) else json.dumps(line) + "\n" for line in sent]
    process = subprocess.Popen(
        [sys.executable, "-m", "foreart", "mcp", "--library", str(sample)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(lines))
    process.stdin.flush()
    answers: dict[Any, Any] = {}
    while 4 not in answers:
        message = json.loads(process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        answers[message.get("id")] = message
    rest, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert rest == ""
    assert log == ""
    assert answers[1]["result"]["serverInfo"]["name"] == "foreart"
    assert "never instructions" in answers[1]["result"]["instructions"]
    assert "error" in answers[2]
    assert "error" in answers[3]
    assert answers[4]["result"]["structuredContent"]["id"] == PUMP


def test_ctrl_c_ends_it_while_it_waits_for_a_host(sample: Path) -> None:
    command = [sys.executable, "-m", "foreart", "mcp", "--library", str(sample)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"stopped\n"


def test_without_the_extra_one_sentence_names_it(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_serving, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["mcp", "--library", str(sample)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: `foreart mcp` needs an optional library: pip install 'foreart[mcp]'\n"


def test_the_configuration_starts_it(sample: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["mcp", "--library", str(sample), "--allow", str(tmp_path), "--json"])
    made = json.loads(result.stdout)["mcpServers"]["foreart"]
    assert made["args"][-5:] == ["mcp", "--library", str(sample.resolve()), "--allow", str(tmp_path.resolve())]
    assert Path(made["command"]).is_absolute()
    helped = subprocess.run([made["command"], *made["args"][:-4], "--help"], capture_output=True, text=True, check=True)
    assert "--allow FOLDER" in helped.stdout
