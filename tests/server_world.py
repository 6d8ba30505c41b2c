"""A real `foreart serve` process for tests, and raw requests to it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

TOKEN = "token-of-the-tests-0123456789-abcdefghijklmn"
BASE = "http://127.0.0.1:8765"


class Serving:
    """`foreart serve` on a free port; `start` waits for the address that it prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.token = ""
        self.process: subprocess.Popen[str] | None = None
        self.log: list[str] = []
        self._readers: list[threading.Thread] = []

    def start(self, *options: str, environment: dict[str, str] | None = None) -> Serving:
        command = [sys.executable, "-m", "foreart", "serve", "--library", str(self.folder), "--workers", "1"]
        self.process = subprocess.Popen(
            [*command, "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        self.address, _, self.token = line.partition("#")
        self._readers = [
            threading.Thread(target=self._read, args=(stream,), daemon=True)
            for stream in (self.process.stdout, self.process.stderr)
        ]
        for reader in self._readers:
            reader.start()
        return self

    def _read(self, stream: Any) -> None:
        with stream:
            for line in stream:
                self.log.append(line)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address.rstrip("/") + path, data, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def raw(self, data: bytes, *, seconds: float = 10.0) -> bytes:
        """What the server answers to bytes, until it closes or is quiet."""
        host, _, port = self.address.removeprefix("http://").rstrip("/").rpartition(":")
        with socket.create_connection((host, int(port)), timeout=seconds) as connection:
            connection.sendall(data)
            found = b""
            while b"}" not in found and (more := connection.recv(65536)):
                found += more
            return found

    @property
    def processor_seconds(self) -> float:
        """What the server and all its processes, also ended ones, have computed; a busy machine hardly changes it."""
        assert self.process is not None
        return _processor_seconds(self.process.pid)

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self._close()

    def _close(self) -> None:
        """Workers keep the streams open until they have seen that their parent is gone."""
        for reader in self._readers:
            reader.join(15)


def _processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has just ended
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_processor_seconds(int(child)) for child in children)
