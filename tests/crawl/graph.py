"""Citation graphs of invented patents, and which of them a crawl must keep, by an independent search."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path

from crawl.pages import Invented
from crawl.site import Site
from foreart.crawl import CrawlAccess, CrawlConditions, CrawlPolicy, CrawlSpec
from foreart.crawl.fetching.http import Limits
from foreart.crawl.sites.source import Source
from foreart.crawl.sites.source_table import open_source

MEDICAL = CrawlSpec(CrawlConditions(classes=("A61",), published_from="2000"))
QUICK = CrawlPolicy(first_wait=0.01, longest_wait=0.02, limits=Limits(silence=0.4, seconds=1.0))


def opened(
    site: Site, folder: Path, *, policy: CrawlPolicy = QUICK, citing: bool = False, cache: bool = True
) -> Source:
    """The site as a source, without rate limits."""
    return open_source(
        "google", folder, CrawlAccess(address=site.address, rate=1000, policy=policy, cache=cache), citing=citing
    )


def fits(document: Invented) -> bool:
    """The conditions of MEDICAL, implemented a second time."""
    year = int(document.published[:4])
    return year >= 2000 and any(symbol.startswith("A61") for symbol in document.classes) and bool(document.cites)


def reached(
    documents: Mapping[str, Invented], seeds: Iterable[str], *, depth: int = 1 << 30, missing: Iterable[str] = ()
) -> dict[str, int]:
    """The ids that are kept, with their steps from a seed."""
    gone = set(missing)
    found: dict[str, int] = {}
    queue = deque((seed, 0) for seed in seeds)
    seen = set(seeds)
    while queue:
        number, steps = queue.popleft()
        document = documents.get(number)
        if document is None or number in gone or not fits(document):
            continue
        found[number] = steps
        for cited in document.cites:
            if cited not in seen and steps < depth:
                seen.add(cited)
                queue.append((cited, steps + 1))
    return found


def network(size: int, *, seed: int = 1, old_share: float = 0.3, per: int = 3) -> list[Invented]:
    """Documents that cite later ones of the list; some are too old, some of another class, some cite nothing."""
    rng = random.Random(seed)
    numbers = [f"US{7000001 + place}B2" for place in range(size)]
    made = []
    for place, number in enumerate(numbers):
        ahead = numbers[place + 1 : place + 30]
        cites = tuple(rng.sample(ahead, min(per, len(ahead))))
        kind = rng.random()
        made.append(
            Invented(
                number,
                cites=() if kind < 0.05 else cites,
                published=f"{1995 if 0.05 <= kind < 0.12 else rng.randint(2000, 2014)}-0{rng.randint(1, 9)}-11",
                classes=("G06F17/30",) if 0.12 <= kind < 0.2 else ("A61B17/70", "F16B35/00"),
                old=rng.random() < old_share,
                words=40,
            )
        )
    return made
