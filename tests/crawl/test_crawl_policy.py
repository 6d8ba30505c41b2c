"""robots.txt, rate limits, waits and the cache, without a network."""

from __future__ import annotations

import email.utils
import itertools
import random
import time
import urllib.robotparser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.crawl.fetching.page_cache import Page, PageCache
from foreart.crawl.fetching.policy import CrawlPolicy
from foreart.crawl.fetching.rate_limiter import RateLimiter
from foreart.crawl.fetching.robots import parse_robots

ROBOTS = """
# comments, blank lines and unknown keys do not matter
Sitemap: http://site/map.xml
User-agent: other
Disallow: /

User-Agent: *
Disallow: /search
Disallow: /*?q=
Allow: /search/about
Disallow: /*.pdf$
Disallow: /caf%C3%A9
Crawl-delay: 2.5
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/patent/US1", True),
        ("/search", False),
        ("/searching", False),
        ("/search/about/us", True),
        ("/patent?q=x", False),
        ("/patent?p=x&q=x", True),
        ("/a/b.pdf", False),
        ("/a/b.pdf.html", True),
        ("/café/1", False),
        ("/robots.txt", True),
    ],
)
def test_robots_txt_by_rfc_9309(path: str, allowed: bool) -> None:
    assert parse_robots(ROBOTS, "foreart").allows(f"https://site{path}") is allowed


def test_a_specific_group_replaces_the_default_group() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: Foreart/1.0\nUser-agent: friend\nDisallow: /private\n"
    ours = parse_robots(text, "foreart")
    assert (ours.allows("http://s/x"), ours.allows("http://s/private/x")) == (True, False)
    assert not parse_robots(text, "foreartist").allows("http://s/x")
    assert parse_robots(ROBOTS, "foreart").delay == 2.5
    assert parse_robots("Disallow: /\n", "foreart").allows("http://s/x")  # a rule outside any group
    assert parse_robots("User-agent: *\nDisallow:\n", "foreart").allows("http://s/x")


def test_every_pattern_is_matched_in_linear_time() -> None:
    robots = parse_robots("User-agent: *\nDisallow: /" + "*a" * 2000 + "$\n", "foreart")
    began = time.perf_counter()
    assert robots.allows("http://s/" + "a" * 4000 + "b")
    assert time.perf_counter() - began < 0.5


PATHS = st.lists(st.text("ab", min_size=1, max_size=3), max_size=3).map(lambda parts: "/" + "/".join(parts))


@given(rule=PATHS, path=PATHS)
def test_plain_rules_agree_with_robotparser(rule: str, path: str) -> None:
    text = f"User-agent: *\nDisallow: {rule}\n"
    peer = urllib.robotparser.RobotFileParser()
    peer.parse(text.splitlines())
    assert parse_robots(text, "foreart").allows(f"http://s{path}") == peer.can_fetch("foreart", f"http://s{path}")


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_slots_keep_the_rate_with_jitter() -> None:
    clock = Clock()
    pace = RateLimiter(10.0, jitter=0.2, clock=clock)
    moments = []
    for _ in range(2000):
        clock.now += pace.reserve()
        moments.append(clock.now)
        clock.now += 0.004  # the duration of a request
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    assert 0.08 - 1e-9 <= min(gaps) < max(gaps) <= 0.12 + 1e-9
    assert len(set(gaps)) > 1000
    assert len(gaps) / sum(gaps) == pytest.approx(10.0, rel=0.01)


def test_only_small_delays_are_made_up_for() -> None:
    clock = Clock()
    pace = RateLimiter(0.5, jitter=0.2, clock=clock)
    assert pace.reserve() == 0.0
    clock.now += 5.0
    assert pace.reserve() == 0.0
    assert 2.0 * 0.8 - 0.4 <= pace.reserve() <= 2.0 * 1.2
    began = clock.now
    quick = RateLimiter(100.0, jitter=0.0, clock=clock)
    for late in (0.0, 0.018, 0.002):  # a delay after the second slot: the fourth is on time again
        clock.now += quick.reserve() + late
    assert clock.now + quick.reserve() == pytest.approx(began + 0.03)


def test_pauses_and_slower_rates() -> None:
    clock = Clock()
    pace = RateLimiter(10.0, jitter=0.0, clock=clock)
    pace.reserve()
    pace.pause(30.0)
    assert pace.reserve() == pytest.approx(30.0)
    clock.now += 30.0
    pace.allow(2.0)
    pace.reserve()
    assert pace.reserve() == pytest.approx(2.1)
    pace.allow(0.0)
    pace.slow_down(1.0)
    pace.reserve()
    assert pace.reserve() == pytest.approx(2.1 + 2.0 + 1.0)


def test_backoff_doubles_up_to_a_limit() -> None:
    policy = CrawlPolicy(first_wait=2.0, longest_wait=60.0)
    waits = [policy.backoff(attempt, random.Random(1)) for attempt in range(10)]
    for attempt, wait in enumerate(waits):
        assert 0.75 * min(60.0, 2.0 * 2**attempt) <= wait <= 1.25 * min(60.0, 2.0 * 2**attempt)


def test_retry_after_formats() -> None:
    soon = email.utils.formatdate(time.time() + 120, usegmt=True)
    assert CrawlPolicy().retry_after({"retry-after": "7"}) == 7.0
    assert CrawlPolicy(retry_unit=0.001).retry_after({"retry-after": "60000"}) == 60.0
    assert 115 < (CrawlPolicy().retry_after({"retry-after": soon}) or 0) <= 120
    assert CrawlPolicy().retry_after({"retry-after": email.utils.formatdate(0, usegmt=True)}) == 0.0
    assert [CrawlPolicy().retry_after({"retry-after": text}) for text in ("", "soon", "-3", "²")] == [None] * 4


def test_the_user_agent_identifies_the_crawler() -> None:
    assert CrawlPolicy().headers["User-Agent"].startswith("foreart/")
    named = CrawlPolicy(contact="ann@example.org").headers
    assert ("ann@example.org" in named["User-Agent"], named["From"]) == (True, "ann@example.org")
    assert "From" not in CrawlPolicy(contact="Ann Hall").headers
    assert "\n" not in CrawlPolicy(contact="Ünn\nX-Evil: 1").headers["User-Agent"]


def test_damaged_cached_pages_are_ignored(tmp_path: Path) -> None:
    clock = Clock()
    pages = PageCache(tmp_path, clock=clock)
    page = Page("http://s/b", "text/html", "utf-8", b"<html>\n\0" * 100, '"tag"', "Mon, 01 Jan 2024 00:00:00 GMT")
    assert pages.get("http://s:1/a") is None
    pages.put("http://s:1/a", page)
    found = pages.get("http://s:1/a")
    assert found is not None
    assert (found.body, found.tag, found.url) == (page.body, '"tag"', "http://s/b")
    clock.now += 60
    assert pages.age(found) == 60
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    for damaged in (file.read_bytes()[:-3], b"", b"{}\n", b"\xff\n\xff"):
        file.write_bytes(damaged)
        assert pages.get("http://s:1/a") is None
