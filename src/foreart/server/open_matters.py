"""The matters that are open on the server: files, and for sealed ones the keys of one session each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from fastapi import Request
from starlette.exceptions import HTTPException

from foreart.errors import MatterError, WrongPassphrase
from foreart.library import Library
from foreart.review.casework.matter_forms import FORMS
from foreart.review.matters import Matter
from foreart.review.matters.event_log import EventLog
from foreart.review.matters.matter_folder import existing_path
from foreart.server.security.access import Access, FailedAttempts

# Of whom a request comes: the session of a browser, or all programs with the token.
_PROGRAMS = "programs"
# Unsealed matters that are kept open; sealed ones stay until their session ends.
_MOST = 64


class OpenMatters:
    """Logs by session, library and name. A key is in the memory of the server only, until its session ends."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._logs: dict[tuple[str, Path, str], EventLog] = {}
        self._sessions: dict[str, str] = {}
        self._attempts = FailedAttempts()
        self._lock = Lock()

    def session(self, request: Request) -> str:
        """Whose request it is; only a hash of the cookie is kept."""
        cookie = request.cookies.get(self._access.cookie, "")
        if "authorization" in request.headers or not self._access.is_session(cookie):
            return _PROGRAMS
        session = hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()
        self._sessions[session] = cookie
        return session

    def matter(self, session: str, folder: Path, name: str) -> Matter:
        """A matter with what others have appended; WrongPassphrase if it is sealed and this session has no key."""
        self._forget_ended()
        key = (session, folder, name)
        log = self._logs.get(key)
        if log is not None:
            try:
                log.refresh()
            except MatterError:  # sealed or purged by another process: what is there now counts
                self.close(session, folder, name)
                log = None
        return self._matter(log or self._put(key, EventLog(existing_path(folder, name))), folder)

    def unlock(self, session: str, folder: Path, name: str, passphrase: str) -> Matter:
        """Opens a sealed matter for a session; failed attempts slow down."""
        path = existing_path(folder, name)
        with self._slowed(path):
            log = EventLog(path, passphrase)
        self.close(session, folder, name)
        return self._matter(self._put((session, folder, name), log), folder)

    def change_passphrase(self, session: str, folder: Path, name: str, passphrase: str, new: str) -> Matter:
        """Gives a sealed matter another passphrase; the other sessions lose its key."""
        found = self.matter(session, folder, name)
        with self._slowed(found.path):
            found.change_passphrase(passphrase, new)
        self._drop(lambda key: key[1:] == (folder, name) and key[0] != session)
        return found

    def is_open(self, session: str, folder: Path, name: str) -> bool:
        """Whether a session has opened a matter."""
        return (session, folder, name) in self._logs

    def close(self, session: str, folder: Path, name: str) -> None:
        """Forgets the key that a session has of a matter."""
        self._drop(lambda key: key == (session, folder, name))

    def close_for_all(self, folder: Path, name: str) -> None:
        """Closes a matter in every session, before it is purged."""
        self._drop(lambda key: key[1:] == (folder, name))

    def close_session(self, session: str) -> None:
        """Forgets all keys of a session."""
        self._sessions.pop(session, None)
        self._drop(lambda key: key[0] == session)

    def close_all(self) -> None:
        """Forgets everything."""
        self._drop(lambda key: True)

    @contextmanager
    def _slowed(self, path: Path) -> Iterator[None]:
        """Counts wrong passphrases of a file, and makes the next attempt wait."""
        if wait := self._attempts.wait(str(path)):
            raise HTTPException(429, "too many wrong passphrases: wait", {"Retry-After": str(int(wait) + 1)})
        try:
            yield
        except WrongPassphrase:
            self._attempts.failed(str(path))
            raise

    def _put(self, key: tuple[str, Path, str], log: EventLog) -> EventLog:
        with self._lock:
            kept = self._logs.setdefault(key, log)
        if kept is not log:  # opened by two requests at once
            log.close()
        unsealed = [other for other, found in list(self._logs.items()) if not found.is_sealed]
        for other in unsealed[:-_MOST]:  # nothing is lost: they are opened again
            self.close(*other)
        return kept

    def _drop(self, is_meant: Callable[[tuple[str, Path, str]], bool]) -> None:
        with self._lock:
            logs = [self._logs.pop(key) for key in list(self._logs) if is_meant(key)]
        for log in logs:
            log.close()

    def _forget_ended(self) -> None:
        for session, cookie in list(self._sessions.items()):
            if not self._access.is_session(cookie):
                self.close_session(session)

    @staticmethod
    def _matter(log: EventLog, folder: Path) -> Matter:
        # The library of the server's own process is not opened: what needs the corpus runs in a worker.
        return Matter(log, Library(folder), forms=FORMS)
