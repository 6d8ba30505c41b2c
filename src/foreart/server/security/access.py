"""Tokens, sessions and failed attempts: who may use the API."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from threading import Lock

from foreart.durable import replace_text
from foreart.server.security.passwords import is_password
from foreart.server.server_settings import ServerSettings

SESSION_SECONDS = 12 * 3600
_FREE_ATTEMPTS = 5
_LONGEST_WAIT = 60.0
_FORGOTTEN_AFTER = 600.0
_MOST_CLIENTS = 10_000
_MOST_SESSIONS = 1_000


class Access:
    """The token of this start and the sessions that were opened with it or with the password.

    Sessions are kept as hashes in a private file, so that a restarted server knows the open pages.
    """

    def __init__(self, settings: ServerSettings, *, file: Path | None = None) -> None:
        self._settings = settings
        self._file = file
        self._attempts = FailedAttempts()
        self._lock = Lock()
        self._sessions = _read_sessions(file)

    @property
    def is_open(self) -> bool:
        """Whether nothing is asked for."""
        return not self._settings.token and not self._settings.password

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers send it to all ports of a host, so it has the port in it."""
        return f"{'__Host-' if self._settings.is_secure else ''}foreart-{self._settings.port}"

    def wait(self, client: str) -> float:
        """The seconds until a client may try again."""
        return self._attempts.wait(client)

    def is_token(self, token: str, client: str) -> bool:
        """Whether this is the token of the start; a wrong one counts as a failed attempt."""
        known = self._settings.token
        if known and hmac.compare_digest(token.encode("utf-8", "replace"), known.encode()):
            return True
        self._attempts.failed(client)
        return False

    def is_password(self, password: str, client: str) -> bool:
        """Whether this is the password; a wrong one counts as a failed attempt."""
        known = self._settings.password
        if known and is_password(password, known):
            return True
        self._attempts.failed(client)
        return False

    def open_session(self) -> str:
        """A new session: the value of its cookie."""
        session = secrets.token_urlsafe(32)
        with self._lock:
            now = time.time()
            alive = sorted((end, name) for name, end in self._sessions.items() if end > now)[-_MOST_SESSIONS:]
            self._sessions = {name: end for end, name in alive} | {_name(session): now + SESSION_SECONDS}
            self._write()
        return session

    def is_session(self, session: str) -> bool:
        """Whether a cookie is that of an open session."""
        return self._sessions.get(_name(session), 0.0) > time.time()

    def close_session(self, session: str) -> None:
        """Ends a session."""
        with self._lock:
            self._sessions.pop(_name(session), None)
            self._write()

    def _write(self) -> None:
        if self._file is not None:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_text(self._file, json.dumps(self._sessions), private=True)


class FailedAttempts:
    """Failed attempts by client: after a few of them, each doubles the wait."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = Lock()

    def failed(self, client: str) -> None:
        """Counts a failed attempt."""
        with self._lock:
            count, last = self._failures.pop(client, (0, 0.0))
            now = time.monotonic()
            self._failures[client] = (count + 1 if now - last < _FORGOTTEN_AFTER else 1, now)
            while len(self._failures) > _MOST_CLIENTS:
                self._failures.popitem(last=False)

    def wait(self, client: str) -> float:
        """The seconds until the next attempt is allowed."""
        count, last = self._failures.get(client, (0, 0.0))
        if count < _FREE_ATTEMPTS:
            return 0.0
        delay = min(_LONGEST_WAIT, 2.0 ** min(count - _FREE_ATTEMPTS, 10))
        return max(0.0, last + delay - time.monotonic())


def _name(session: str) -> str:
    """Only hashes are kept: who reads the file has no session."""
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()


def _read_sessions(file: Path | None) -> dict[str, float]:
    if file is None:
        return {}
    try:
        stored = json.loads(file.read_text("utf-8"))
        return {str(name): float(end) for name, end in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
