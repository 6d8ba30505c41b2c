"""A few seeds become a corpus of their field."""

from foreart.crawl.conditions import REPORTS, Conditions
from foreart.crawl.crawl_spec import CrawlSpec
from foreart.crawl.crawler import crawl
from foreart.crawl.fetching.policy import Manners
from foreart.crawl.following import Following
from foreart.crawl.sites.bulk import PRODUCTS
from foreart.crawl.sites.source_table import SOURCES, Access, download_weeks, open_source
from foreart.crawl.status import CrawlOutcome, Status

__all__ = [
    "PRODUCTS",
    "REPORTS",
    "SOURCES",
    "Access",
    "Conditions",
    "CrawlOutcome",
    "CrawlSpec",
    "Following",
    "Manners",
    "Status",
    "crawl",
    "download_weeks",
    "open_source",
]
