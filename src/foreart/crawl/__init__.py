"""Grows a corpus from seed patents along citations."""

from foreart.crawl.conditions import REPORTS, CrawlConditions
from foreart.crawl.crawl_spec import CrawlSpec
from foreart.crawl.crawler import crawl
from foreart.crawl.fetching.policy import CrawlPolicy
from foreart.crawl.following import Following
from foreart.crawl.sites.bulk import PRODUCTS
from foreart.crawl.sites.source_table import SOURCES, CrawlAccess, download_weeks, open_source
from foreart.crawl.status import CrawlOutcome, CrawlStatus, crawl_records

__all__ = [
    "PRODUCTS",
    "REPORTS",
    "SOURCES",
    "CrawlAccess",
    "CrawlConditions",
    "CrawlOutcome",
    "CrawlPolicy",
    "CrawlSpec",
    "CrawlStatus",
    "Following",
    "crawl",
    "crawl_records",
    "download_weeks",
    "open_source",
]
