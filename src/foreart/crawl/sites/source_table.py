"""The sources by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from foreart.crawl.fetching.fetcher import Fetcher
from foreart.crawl.fetching.page_cache import PageCache
from foreart.crawl.fetching.policy import CrawlPolicy
from foreart.crawl.sites import bulk, epo, google, uspto_portal
from foreart.crawl.sites.file_source import folder_source
from foreart.crawl.sites.local import LocalCorpus
from foreart.crawl.sites.source import Source
from foreart.errors import CrawlError

# The description of each source. Any other name is the path of a library, a corpus or files.
SOURCES: Mapping[str, str] = {
    "google": "pages of Google Patents",
    "epo": "Open Patent Services of the EPO, with your key and secret",
    "uspto": "Open Data Portal of the USPTO, with your key",
    "uspto-bulk": "weekly files of the USPTO, downloaded once, with your key",
}
_ADDRESSES = {
    "google": google.ADDRESS,
    "epo": epo.ADDRESS,
    "uspto": uspto_portal.ADDRESS,
    "uspto-bulk": uspto_portal.ADDRESS,
}
# Requests per second, below the limits of the offices.
RATES = {"google": 0.5, "epo": 1.0, "uspto": 0.5, "uspto-bulk": 0.5}


@dataclass(frozen=True, slots=True)
class CrawlAccess:
    """How a source is accessed. An empty address and a rate of 0 are the defaults of the source."""

    address: str = ""
    key: str = ""
    secret: str = ""
    rate: float = 0.0
    policy: CrawlPolicy = field(default_factory=CrawlPolicy)
    cache: bool = True
    weeks: tuple[str, str] = ("", "")
    products: tuple[str, ...] = ("PTGRXML",)
    workers: int = 1
    progress: Callable[[str], None] | None = None


def open_source(name: str, folder: Path, access: CrawlAccess, *, citing: bool = False) -> Source:
    """The source of a name or at a path. Its cache is in `folder`, the folder of the library."""
    if name not in SOURCES:
        return _at(Path(name), folder, access, citing)
    address = _address(name, access)
    fetcher = _fetcher(name, folder, access)
    if name == "google":
        if "{number}" not in address and "{bare}" not in address:
            raise CrawlError(
                f"the address {address} must contain {{number}}, which is replaced by the publication number"
            )
        return google.GooglePatents(fetcher, address=address, citing=citing)
    if not access.key:
        raise CrawlError(f"the source {name} needs your own key: `foreart crawl --help` says how to pass it")
    if name == "epo":
        if not access.secret:
            raise CrawlError("the EPO needs both a key and a secret")
        return epo.OpenPatentServices(fetcher, access.key, access.secret, address=address, citing=citing)
    if name == "uspto":
        return uspto_portal.OpenDataPortal(fetcher, access.key, address=address)
    files = download_weeks(folder, access, fetcher=fetcher)
    return folder_source(files, folder / "crawl", citing=citing, workers=access.workers)


def download_weeks(folder: Path, access: CrawlAccess, *, fetcher: Fetcher | None = None) -> list[Path]:
    """The weekly files of a range of dates, in the folder `downloads` of the library."""
    begin, end = access.weeks
    if not begin or not end:
        raise CrawlError("weekly files need a range of dates: 2015-01-01..2015-03-31")
    fetcher = fetcher or _fetcher("uspto-bulk", folder, access)
    address = _address("uspto-bulk", access)
    paths: list[Path] = []
    try:
        for product in access.products:
            listed = bulk.weekly_files(fetcher, access.key, product, begin, end, address=address)
            for position, file in enumerate(listed, start=1):
                prefix = f"{product} {position} of {len(listed)}: "
                paths.append(
                    bulk.download(
                        fetcher, access.key, file, folder / "downloads" / product, progress=_reporter(access, prefix)
                    )
                )
    finally:
        fetcher.close()
    if not paths:
        raise CrawlError(f"the USPTO lists no file of {', '.join(access.products)} from {begin} to {end}")
    return paths


def _address(name: str, access: CrawlAccess) -> str:
    address = (access.address or _ADDRESSES[name]).rstrip("/")
    if not re.match(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/|$)", address):
        raise CrawlError(f"{address} is not an address of a site; one looks like {_ADDRESSES[name]}")
    return address


def _reporter(access: CrawlAccess, prefix: str) -> bulk.Progress | None:
    report = access.progress
    if report is None:
        return None

    def show(name: str, have: int, size: int) -> None:
        report(f"{prefix}{name} {have / 1e6:,.0f}" + (f" of {size / 1e6:,.0f} MB" if size else " MB"))

    return show


def _at(path: Path, folder: Path, access: CrawlAccess, citing: bool) -> Source:
    """A library, a corpus, or files."""
    corpus = path / "corpus.db" if path.is_dir() else path
    if corpus.is_file() and corpus.suffix == ".db":
        if corpus.resolve() == (folder / "corpus.db").resolve():
            raise CrawlError(f"{corpus} is the corpus to grow: name another one as the source")
        return LocalCorpus(corpus, citing=citing)
    if not path.exists():
        raise CrawlError(
            f"{path} is neither a source ({', '.join(SOURCES)}) nor a library, a corpus, a folder or a file"
        )
    return folder_source([path], folder / "crawl", citing=citing, workers=access.workers)


def _fetcher(name: str, folder: Path, access: CrawlAccess) -> Fetcher:
    policy = replace(
        access.policy,
        rate=access.rate or RATES[name],
        # robots.txt applies to pages, not to APIs that need a key.
        robots=access.policy.robots and name == "google",
        retry_unit=0.001 if name == "epo" else 1.0,
        hosts=access.policy.hosts | (uspto_portal.HOSTS if name.startswith("uspto") else frozenset()),
    )
    pages = PageCache(folder / "pages") if access.cache else None
    return Fetcher(policy, pages, allowed=epo.throttled if name == "epo" else None)
