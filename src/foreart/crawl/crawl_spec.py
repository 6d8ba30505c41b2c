"""The specification of a crawl, which identifies it when a command is repeated."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from foreart.crawl.conditions import CrawlConditions
from foreart.crawl.following import Following, normalised
from foreart.crawl.sites.source import Source
from foreart.errors import CrawlError
from foreart.identifiers.numbers import loose_number


@dataclass(frozen=True, slots=True)
class CrawlSpec:
    """Which patents are kept and which links are followed. `keep_seeds` keeps seeds unconditionally."""

    conditions: CrawlConditions = field(default_factory=CrawlConditions)
    following: Following = field(default_factory=Following)
    keep_seeds: bool = False

    def identity(self, source: Source) -> str:
        """The parameters that must be equal to continue a crawl: all except seeds, depth and limit, which may grow."""
        return json.dumps({"source": source.name, "place": source.place, **asdict(self)}, sort_keys=True)


def seed_numbers(seeds: Iterable[str], source: Source) -> list[str]:
    """Normalised seeds, each once; CrawlError for what is not a publication number."""
    numbers: list[str] = []
    for seed in seeds:
        number = normalised(seed) if source.connections else str(loose_number(seed))
        if not number:
            raise CrawlError(f"the seed {seed!r} is not a publication number; one looks like US20150066086A1")
        numbers.append(number)
    if not numbers:
        raise CrawlError("a crawl needs at least one seed: the publication number of a patent in the field")
    return list(dict.fromkeys(numbers))
