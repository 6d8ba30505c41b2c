"""Fetches pages: robots.txt, rate limit, retries, redirects within the host, cache."""

from __future__ import annotations

import email.message
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from foreart.crawl.fetching import robots
from foreart.crawl.fetching.http import HttpClient, Reply, Request
from foreart.crawl.fetching.page_cache import Page, PageCache
from foreart.crawl.fetching.policy import AGENT, GONE, LATER, MOVED, REFUSALS, CrawlPolicy
from foreart.crawl.fetching.rate_limiter import RateLimiter
from foreart.errors import CrawlError, Refused, Unreachable

_REDIRECTS = 5
_ROBOTS_MAX_AGE = 86400.0
_MIN_REPORTED = 5.0


class Disallowed(Unreachable):
    """The robots.txt of a site disallows a URL; a retry would not help."""


class Stopped(CrawlError):
    """The crawl was stopped while it waited."""


class BadAnswer(CrawlError):
    """A response that is not what was requested, with its bytes."""

    def __init__(self, reason: str, raw: bytes) -> None:
        super().__init__(reason)
        self.raw = raw


class Fetcher:
    """Fetches from the hosts of one source. `note` says what it is waiting for, for the progress display.

    `allowed` reads the minimum seconds between requests from a response of the server.
    """

    def __init__(
        self, policy: CrawlPolicy, pages: PageCache | None = None, *, allowed: Callable[[Reply], float] | None = None
    ) -> None:
        self.policy = policy
        self._interval = allowed
        self.note = ""
        self._pages = pages
        self._client = HttpClient(policy.limits)
        self._stop = threading.Event()
        self._lock = threading.RLock()
        self._limiters: dict[str, RateLimiter] = {}
        self._robots: dict[str, tuple[float, robots.Robots]] = {}
        self._random = random.Random(0)  # noqa: S311 no secret

    def get(self, url: str, types: Sequence[str], headers: Mapping[str, str] | None = None) -> Page | None:
        """The page at a URL; None if there is none. `headers` are sent to the host of the URL only."""
        cached = self._pages.get(url) if self._pages else None
        if cached is not None and self._pages and self._pages.age(cached) < self.policy.fresh:
            return cached
        sent = {**(headers or {}), "Accept": ", ".join(types), **_validators(cached)}
        reply = self.send(Request(url, sent))
        if reply.status in GONE:
            return None
        page = cached if reply.status == 304 else _page(reply, types)
        if page is not None and self._pages:
            try:
                self._pages.put(url, page)
            except OSError as error:
                raise CrawlError(f"pages cannot be cached ({error}): free some space, or use --no-cache") from error
        return page

    def forget(self, url: str) -> None:
        """Removes the page of a URL from the cache, so that the next attempt fetches it again."""
        if self._pages:
            self._pages.drop(url)

    def send(self, request: Request) -> Reply:
        """The response to a request, after retries and redirects within the host."""
        for _ in range(_REDIRECTS + 1):
            if self.policy.robots and not self._allowed(request.url):
                raise Disallowed(f"robots.txt of {urlsplit(request.url).netloc} does not allow {request.url}")
            reply = self._send(request)
            if reply.status not in MOVED:
                return _not_refused(reply)
            request = self._redirected(request, reply)
        raise Unreachable(f"{request.url}: more than {_REDIRECTS} redirects")

    def limiter(self, url: str) -> RateLimiter:
        """The rate limiter of the host of a URL."""
        origin = _origin(url)
        with self._lock:
            if origin not in self._limiters:
                self._limiters[origin] = RateLimiter(self.policy.rate, jitter=self.policy.jitter)
            return self._limiters[origin]

    def turn(self, url: str) -> None:
        """Waits until the next request to the host of a URL may go out."""
        seconds = self.limiter(url).reserve()
        self.wait(seconds, "for the rate limit" if seconds > _MIN_REPORTED else "")

    def wait(self, seconds: float, reason: str = "") -> None:
        """Waits; raises Stopped if the crawl is stopped meanwhile."""
        if reason:
            self.note = f"waiting {seconds:,.0f} s: {reason}"
        stopped = self._stop.wait(seconds) if seconds > 0 else self._stop.is_set()
        if reason:
            self.note = ""
        if stopped:
            raise Stopped("stopped")

    def stop(self) -> None:
        """Ends all waits, including those for responses."""
        self._stop.set()
        self._client.abort()

    def close(self) -> None:
        """Closes all connections."""
        self._client.close()

    @property
    def client(self) -> HttpClient:
        """The HTTP client, for downloads that are larger than a page."""
        return self._client

    def _send(self, request: Request) -> Reply:
        host = urlsplit(request.url).netloc
        last = ""
        for attempt in range(self.policy.attempts):
            self.turn(request.url)
            wait = self.policy.backoff(attempt, self._random)
            try:
                reply = self._client.exchange(replace(request, headers={**self.policy.headers, **request.headers}))
            except Unreachable as error:
                last = str(error)
            else:
                if self._interval is not None:
                    self.limiter(request.url).allow(self._interval(reply))
                retry_after = self.policy.retry_after(reply.headers)
                if reply.status not in LATER and not (reply.status in REFUSALS and retry_after is not None):
                    return reply
                last = f"{host} answered {reply.status}{_reason(reply)}"
                wait = self._checked_wait(host, retry_after) if retry_after is not None else wait
            if attempt + 1 < self.policy.attempts:
                self.limiter(request.url).pause(wait)
                self.wait(wait, last)
        if " 429" in last:
            raise Refused(f"{last} {self.policy.attempts} times in a row")
        raise Unreachable(f"{last}, after {self.policy.attempts} attempts")

    def _checked_wait(self, host: str, retry_after: float) -> float:
        if retry_after > self.policy.patience:
            raise Refused(f"{host} accepts no requests for {retry_after:,.0f} seconds")
        return retry_after

    def _redirected(self, request: Request, reply: Reply) -> Request:
        here = urlsplit(request.url)
        try:
            target = urljoin(request.url, reply.headers.get("location", ""))
            there = urlsplit(target)
            if _same_host(request.url, target):
                return Request(target, request.headers)
        except ValueError as error:
            raise Unreachable(f"{here.netloc} redirects {here.path} to an invalid address") from error
        if there.scheme in ("http", "https") and there.netloc in self.policy.hosts:
            # Credentials are only sent to the host they were given for.
            return Request(target, {name: request.headers[name] for name in ("Accept",) if name in request.headers})
        raise Unreachable(f"{here.netloc} redirects {here.path} to another host, {there.netloc or target[:80]!r}")

    def _allowed(self, url: str) -> bool:
        origin = _origin(url)
        with self._lock:
            known = self._robots.get(origin)
            if known is None or time.monotonic() - known[0] > _ROBOTS_MAX_AGE:
                known = (time.monotonic(), self._read_robots(origin))
                self._robots[origin] = known
                if known[1].delay:
                    self.limiter(url).slow_down(known[1].delay)
        return known[1].allows(url)

    def _read_robots(self, origin: str) -> robots.Robots:
        """By RFC 9309, a missing file allows everything, an unavailable or forbidden one nothing."""
        request = Request(f"{origin}/robots.txt", {"Accept": "text/plain, */*"})
        reply = self._send(request)
        for _ in range(_REDIRECTS):
            if reply.status in MOVED:
                reply = self._send(self._redirected(request, reply))
        if reply.status in REFUSALS or reply.status >= 500:
            return robots.NOTHING
        if reply.status != 200:
            return robots.EVERYTHING
        return robots.parse_robots(reply.body[: robots.SIZE].decode("utf-8", "replace"), AGENT)


def _not_refused(reply: Reply) -> Reply:
    if reply.status in REFUSALS:
        raise Refused(f"{urlsplit(reply.url).netloc} answered {reply.status}{_reason(reply)}")
    return reply


def _reason(reply: Reply) -> str:
    reason = reply.headers.get("x-rejection-reason", "")
    return f" ({reason[:80]})" if reason else ""


def _page(reply: Reply, types: Sequence[str]) -> Page:
    """The page of a response; BadAnswer if it is not a page of these types."""
    message = email.message.Message()
    message["Content-Type"] = reply.headers.get("content-type", "")
    kind = message.get_content_type() if reply.headers.get("content-type") else types[0]
    if reply.problem:
        raise BadAnswer(reply.problem, reply.body)
    if reply.status != 200:
        raise BadAnswer(f"answered {reply.status}", reply.body)
    if kind not in types:
        raise BadAnswer(f"of type {kind[:60]}, not {types[0]}", reply.body)
    return Page(
        url=reply.url,
        type=kind,
        charset=str(message.get_param("charset", "") or ""),
        body=reply.body,
        tag=reply.headers.get("etag", ""),
        modified=reply.headers.get("last-modified", ""),
    )


def _validators(cached: Page | None) -> dict[str, str]:
    if cached is None:
        return {}
    headers = {"If-None-Match": cached.tag, "If-Modified-Since": cached.modified}
    return {name: value for name, value in headers.items() if value}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _same_host(url: str, target: str) -> bool:
    """The same host and port, or the same host over TLS."""
    here, there = urlsplit(url), urlsplit(target)
    if _origin(url) == _origin(target):
        return True
    return (here.scheme, there.scheme) == ("http", "https") and here.hostname == there.hostname and not there.port
