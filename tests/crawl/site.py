"""A local web site with invented patents, and with every fault that a crawl must handle."""

from __future__ import annotations

import email.utils
import gzip
import hashlib
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from crawl.pages import Invented, page

Fault = Callable[["Visit"], bool]


@dataclass
class Visit:
    """One incoming request; a fault returns True if it answered it."""

    request: BaseHTTPRequestHandler
    number: str
    times: int

    def answer(self, status: int, body: bytes = b"", **headers: str) -> bool:
        self.request.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **_spelled(headers)}.items():
            self.request.send_header(name, value)
        self.request.send_header("Content-Length", str(len(body)))
        self.request.end_headers()
        self.request.wfile.write(body)
        return True


def _spelled(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


@dataclass
class Site:
    """Documents by number, faults by number, robots.txt, and a log of requests."""

    documents: dict[str, Invented] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    routes: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    robots: str | int = "User-agent: *\nAllow: /\n"
    delay: float = 0.0
    log: list[tuple[float, str, dict[str, str]]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    open_now: int = 0
    max_open: int = 0
    base: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return self.base + "/patent/{number}/en"

    def requested(self, part: str = "/patent/") -> list[str]:
        """The requested paths, without robots.txt."""
        return [path for _, path, _ in self.log if path.startswith(part)]


def site_of(documents: Iterable[Invented]) -> Site:
    return Site({document.number: document for document in documents})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def setup(self) -> None:
        super().setup()
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.site.lock:
            self.site.open_now += 1
            self.site.max_open = max(self.site.max_open, self.site.open_now)

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()
        with self.site.lock:
            self.site.open_now -= 1

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing."""

    def do_POST(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        site = self.site
        with site.lock:
            site.log.append((time.monotonic(), self.path, {k.lower(): v for k, v in self.headers.items()}))
            site.counts[self.path] += 1
            times = site.counts[self.path]
        try:
            self._serve(site, times)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _serve(self, site: Site, times: int) -> None:
        if self.path == "/robots.txt":
            text = site.robots if isinstance(site.robots, str) else ""
            status = 200 if isinstance(site.robots, str) else site.robots
            Visit(self, "", times).answer(status, text.encode(), Content_Type="text/plain")
            return
        route = site.routes.get(self.path) or site.routes.get(self.path.partition("?")[0])
        if route is not None:
            route(self)
            return
        number = self.path.split("/")[2] if self.path.startswith(("/patent/", "/patents/")) else ""
        visit = Visit(self, number, times)
        if site.delay:
            time.sleep(site.delay)
        fault = site.faults.get(number)
        if fault is not None and fault(visit):
            return
        document = site.documents.get(number)
        if document is None:
            visit.answer(404, b"<html>not here</html>")
            return
        self._document(visit, document)

    def _document(self, visit: Visit, document: Invented) -> None:
        body = page(document)
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == tag:
            visit.answer(304, ETag=tag)
            return
        headers = {"ETag": tag}
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        visit.answer(200, body, **headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores clients that are killed or disconnect early: this is what is tested."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serves the site at its own address while the block runs."""
    handler = type("Handler", (_Handler,), {"site": site})
    server = _Server(("127.0.0.1", 0), handler)
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Faults, each for the first `times` requests of a number (all, if 0).


def first(times: int, act: Callable[[Visit], bool]) -> Fault:
    return lambda visit: (not times or visit.times <= times) and act(visit)


def status(code: int, *, times: int = 1, **headers: str) -> Fault:
    return first(times, lambda visit: visit.answer(code, b"<html>no</html>", **headers))


def later(seconds: int, *, times: int = 1) -> Fault:
    return status(429, times=times, Retry_After=str(seconds))


def later_at(seconds: float, *, times: int = 1) -> Fault:
    def act(visit: Visit) -> bool:
        return visit.answer(503, b"", Retry_After=email.utils.formatdate(time.time() + seconds, usegmt=True))

    return first(times, act)


def silence(seconds: float, *, times: int = 1) -> Fault:
    def act(visit: Visit) -> bool:
        time.sleep(seconds)
        visit.request.close_connection = True
        return True

    return first(times, act)


def cut(*, times: int = 1) -> Fault:
    """Sends half of the announced bytes, then closes the connection."""

    def act(visit: Visit) -> bool:
        body = b"<!DOCTYPE html><html><body>" + b"x" * 5000
        visit.request.send_response(200)
        visit.request.send_header("Content-Type", "text/html")
        visit.request.send_header("Content-Length", str(2 * len(body)))
        visit.request.end_headers()
        visit.request.wfile.write(body)
        visit.request.close_connection = True
        return True

    return first(times, act)


def drip(seconds: float, *, times: int = 1) -> Fault:
    """Sends a byte at intervals, forever: it neither pauses nor ends."""

    def act(visit: Visit) -> bool:
        visit.request.send_response(200)
        visit.request.send_header("Content-Type", "text/html")
        visit.request.send_header("Content-Length", "1000000")
        visit.request.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            visit.request.wfile.write(b"x")
            time.sleep(0.05)
        visit.request.close_connection = True
        return True

    return first(times, act)


def body(data: bytes, **headers: str) -> Fault:
    return lambda visit: visit.answer(200, data, **headers)


def moved(location: str, code: int = 302) -> Fault:
    return lambda visit: visit.answer(code, b"", Location=location)
