"""The server of the benchmarks of the desk in a process of its own, and users that ask it over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from environment import own_memory

# A user opens a new connection after so many seconds without a request; the server closes idle ones after 20.
_IDLE = 10.0


class DeskServer:
    """`foreart serve` on a free port of loopback; `cores` are those it may use."""

    def __init__(self, library: Path, *options: str, cores: Sequence[int] = ()) -> None:
        self._command = [sys.executable, "-m", "foreart", "serve", "--library", str(library), "--port", "0", *options]
        self._cores = cores

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=(lambda: os.sched_setaffinity(0, self._cores)) if self._cores else None,
        )
        assert self.process.stdout is not None
        address, _, self.token = self.process.stdout.readline().strip().partition("#")
        if not address:
            raise SystemExit("the server did not start")
        self.port = int(address.rstrip("/").rpartition(":")[2])
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @property
    def megabytes(self) -> float:
        """What all processes of the server hold, without pages of files."""
        # Workers are children of a fork server; a process that ends while it is looked at counts as nothing.
        return round(own_memory(self.process.pid) / 1e6, 1)

    @property
    def processor_seconds(self) -> float:
        """What all its processes have computed, which other work on the machine hardly changes."""
        return _processor_seconds(self.process.pid)

    @property
    def machine_seconds(self) -> float:
        """What all processes of the machine have computed, and what its host gave to other machines."""
        user, nice, system, _, _, *interrupts_and_steal = Path("/proc/stat").read_text().split()[1:9]
        return sum(map(int, (user, nice, system, *interrupts_and_steal))) / os.sysconf("SC_CLK_TCK")

    def user(self) -> DeskUser:
        """One who keeps a connection."""
        return DeskUser(self.port, self.token)


class DeskUser:
    """One user on one kept connection, opened anew after a pause: the server closes idle ones."""

    def __init__(self, port: int, token: str) -> None:
        self._used = time.monotonic()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Status and body of an answer."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if time.monotonic() - self._used > _IDLE:
            self._connection.close()  # the next request opens it
        self._connection.request(method, path, data, self._headers)
        answer = self._connection.getresponse()
        status, found = answer.status, answer.read()
        self._used = time.monotonic()
        return status, found

    def get(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 JSON
        """The JSON of an answer that has to be a success."""
        status, data = self.ask(method, path, body)
        if status not in (200, 202):
            raise SystemExit(f"{method} {path.partition('?')[0]}: {status} {data[:200]!r}")
        return json.loads(data)

    def search(self, draft: str) -> bool:
        """A search; false if it failed."""
        status, data = self.ask("POST", "/api/search", {"draft": draft, "k": 20})
        return status == 200 and data.startswith(b'{"ok":true')


def _processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has just ended
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_processor_seconds(int(child)) for child in children)


def times_of(users: int, each: Callable[[int, list[float], list[str]], None]) -> tuple[list[float], list[str]]:
    """The seconds and errors of users who run at the same time, in threads: they do nothing but wait."""
    seconds: list[float] = []
    errors: list[str] = []

    def one(number: int) -> None:
        try:
            each(number, seconds, errors)
        except Exception as error:  # noqa: BLE001 every failure of a user counts
            errors.append(type(error).__name__)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(users)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seconds, errors


def closed_loop(
    server: DeskServer, drafts: Sequence[str], users: int, each: int, *, pause: float = 0.0
) -> tuple[list[float], list[str]]:
    """Every user searches again as soon as there is an answer, or after a pause."""

    def run(number: int, seconds: list[float], errors: list[str]) -> None:
        user, chance = server.user(), random.Random(number)
        for _ in range(each):
            began = time.perf_counter()
            if not user.search(chance.choice(drafts)):
                errors.append("refused")
            seconds.append(time.perf_counter() - began)
            time.sleep(pause)

    return times_of(users, run)


def open_loop(
    server: DeskServer, drafts: Sequence[str], users: int, *, every: float, last: float
) -> tuple[list[float], list[str]]:
    """Every user starts a search every so many seconds on average; late ones wait from the time they were due."""

    def run(number: int, seconds: list[float], errors: list[str]) -> None:
        user, chance = server.user(), random.Random(100 + number)
        due, end = time.perf_counter() + chance.uniform(0, every), time.perf_counter() + last
        while due < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            if not user.search(chance.choice(drafts)):
                errors.append("refused")
            seconds.append(time.perf_counter() - due)
            due += chance.expovariate(1 / every)

    return times_of(users, run)
