"""HTTP requests over persistent connections, within limits of time and size."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from foreart.document.reject import RAW_LIMIT
from foreart.errors import Unreachable

_CHUNK = 1 << 16
# Errors of a persistent connection that the server has closed: not a failure of the new request.
_STALE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)
_GZIP = ("gzip", "x-gzip", "deflate")
_ANY_WRAPPER = 47  # zlib and gzip headers are both recognised


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one response: seconds without data, seconds in all, bytes after decompression."""

    silence: float = 30.0
    seconds: float = 120.0
    size: int = 20 << 20


@dataclass(frozen=True, slots=True)
class Request:
    """A request. Only a POST has a body."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A response; header names in lower case. Of a body with a problem only the beginning is kept."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    problem: str = ""


class HttpClient:
    """Persistent connections, one for each host and thread."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._local = threading.local()
        self._all: list[http.client.HTTPConnection] = []
        self._over = threading.Event()
        self._context: ssl.SSLContext | None = None

    def exchange(self, request: Request) -> Reply:
        """The response to a request, whatever its status; Unreachable if it is not complete."""
        with self.open(request) as response:
            body, problem = _read(response, self.limits.size)
            headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(request.url, response.status, headers, body, problem)

    @contextmanager
    def open(self, request: Request, *, seconds: float = 0.0) -> Iterator[http.client.HTTPResponse]:
        """The response before its body is read; errors within the block become Unreachable."""
        parts = urlsplit(request.url)
        late = threading.Event()
        complete = False
        try:
            response = self._send(request, parts, late, seconds or self.limits.seconds)
            try:
                yield response
                complete = response.isclosed()
            finally:
                self._watch.cancel()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unreachable(f"{parts.netloc}: {_describe(error, late, seconds or self.limits.seconds)}") from error
        finally:
            if not complete:
                self._drop(parts)

    def abort(self) -> None:
        """Ends requests in flight, from any thread."""
        self._over.set()
        for connection in tuple(self._all):
            _shut(connection.sock)

    def close(self) -> None:
        """Closes all connections; the threads that used them have ended."""
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._local = threading.local()

    @property
    def _connections(self) -> dict[tuple[str, str], http.client.HTTPConnection]:
        if not hasattr(self._local, "connections"):
            self._local.connections = {}
        connections: dict[tuple[str, str], http.client.HTTPConnection] = self._local.connections
        return connections

    @property
    def _watch(self) -> threading.Timer:
        watch: threading.Timer = self._local.watch
        return watch

    def _send(
        self, request: Request, parts: SplitResult, late: threading.Event, seconds: float
    ) -> http.client.HTTPResponse:
        reused = (parts.scheme, parts.netloc) in self._connections
        try:
            return self._exchange(request, parts, late, seconds)
        except _STALE:
            if not reused or late.is_set() or self._over.is_set():
                raise
            self._drop(parts)
            return self._exchange(request, parts, late, seconds)

    def _exchange(
        self, request: Request, parts: SplitResult, late: threading.Event, seconds: float
    ) -> http.client.HTTPResponse:
        connection = self._connection(parts)
        if connection.sock is None:
            connection.connect()
        self._local.watch = _watchdog(connection.sock, late, seconds)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request(request.method, target, request.body, dict(request.headers))
            return connection.getresponse()
        except BaseException:
            self._watch.cancel()
            raise

    def _connection(self, parts: SplitResult) -> http.client.HTTPConnection:
        key = (parts.scheme, parts.netloc)
        if key not in self._connections:
            self._connections[key] = self._new(parts)
            self._all.append(self._connections[key])
        return self._connections[key]

    def _new(self, parts: SplitResult) -> http.client.HTTPConnection:
        host = parts.hostname or ""
        if parts.scheme == "https":
            self._context = self._context or ssl.create_default_context()
            return http.client.HTTPSConnection(host, parts.port, timeout=self.limits.silence, context=self._context)
        if parts.scheme == "http":
            return http.client.HTTPConnection(host, parts.port, timeout=self.limits.silence)
        raise ValueError(f"{parts.scheme or 'nothing'}:// is not a scheme that can be fetched")

    def _drop(self, parts: SplitResult) -> None:
        connection = self._connections.pop((parts.scheme, parts.netloc), None)
        if connection is not None:
            connection.close()
            self._all.remove(connection)


def _watchdog(sock: socket.socket, late: threading.Event, seconds: float) -> threading.Timer:
    """Ends a connection whose response arrives too slowly, but without a pause that would time out."""

    def end() -> None:
        late.set()
        _shut(sock)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def _shut(sock: socket.socket | None) -> None:
    """Shuts down the socket below TLS, whose own shutdown needs the peer."""
    if sock is None:
        return
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:  # already closed
        return


def _describe(error: Exception, late: threading.Event, seconds: float) -> str:
    if late.is_set():
        return f"no complete response within {seconds:g} seconds"
    if isinstance(error, TimeoutError):
        return "the connection timed out"
    if isinstance(error, http.client.IncompleteRead):
        return "the connection was closed in the middle of the response"
    return f"{error}" or type(error).__name__


def _read(response: http.client.HTTPResponse, limit: int) -> tuple[bytes, str]:
    """The decompressed body, and a problem if it is not usable; a body cut off by the network is an error."""
    encoding = (response.getheader("Content-Encoding") or "").strip().lower()
    if encoding in ("", "identity"):
        return _collect(response, limit, lambda data, _: data, lambda: True)
    if encoding not in _GZIP:
        return _beginning(response), f"unsupported content encoding: {encoding[:40]}"
    decompressor = zlib.decompressobj(_ANY_WRAPPER)
    try:
        return _collect(response, limit, decompressor.decompress, lambda: decompressor.eof)
    except zlib.error as error:
        return b"", f"damaged compression: {error}"


def _collect(
    response: http.client.HTTPResponse,
    limit: int,
    decompress: Callable[[bytes, int], bytes],
    is_complete: Callable[[], bool],
) -> tuple[bytes, str]:
    parts: list[bytes] = []
    size = 0
    while data := response.read1(_CHUNK):
        parts.append(decompress(data, limit + 1 - size))
        size += len(parts[-1])
        if size > limit:
            return b"".join(parts)[:RAW_LIMIT], f"larger than {limit / (1 << 20):g} MiB"
    if response.length or (parts and not is_complete()):
        raise http.client.IncompleteRead(b"")
    response.read()  # marks the connection as free
    return b"".join(parts), ""


def _beginning(response: http.client.HTTPResponse) -> bytes:
    return response.read(RAW_LIMIT)
