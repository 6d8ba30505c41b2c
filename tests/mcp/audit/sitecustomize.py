"""Writes every socket that a process binds or connects, every name it resolves, and every file it opens to read."""

import os
import sys
from contextlib import suppress

_FILE = os.environ.get("FOREART_AUDIT")
_SOCKETS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname")
if _FILE:
    _HANDLE = os.open(_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def _hook(event: str, arguments: tuple) -> None:
        told = ""
        if event in _SOCKETS:
            told = repr(arguments[1:])
        elif event == "open":
            told = repr(arguments[0])
        elif event == "import" and arguments[0] in ("opentelemetry", "mcp"):
            told = f"{arguments[0]} OTEL_SDK_DISABLED={os.environ.get('OTEL_SDK_DISABLED')}"
        if told:
            with suppress(OSError):  # a process that reads a draft may not write files
                os.write(_HANDLE, f"{event} {told}\n".encode("utf-8", "replace"))

    sys.addaudithook(_hook)
