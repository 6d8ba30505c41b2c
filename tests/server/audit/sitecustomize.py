"""Writes every socket that a Python process binds or connects, and every name it resolves, to FOREART_AUDIT."""

import os
import sys

_FILE = os.environ.get("FOREART_AUDIT")
if _FILE:
    _HANDLE = os.open(_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def _hook(event: str, arguments: tuple) -> None:
        if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto"):
            os.write(_HANDLE, f"{os.getpid()} {event} {arguments[1:]!r}\n".encode())

    sys.addaudithook(_hook)
    os.write(_HANDLE, f"{os.getpid()} started\n".encode())
