"""A few seeds become a corpus of their field."""

from foreart.crawl.asking import Asked
from foreart.crawl.bulk import PRODUCTS
from foreart.crawl.conditions import REPORTS, Conditions
from foreart.crawl.following import Following
from foreart.crawl.manners import Manners
from foreart.crawl.running import crawl
from foreart.crawl.status import Outcome, Status
from foreart.crawl.table import SOURCES, Access, download_weeks, open_source

__all__ = [
    "PRODUCTS",
    "REPORTS",
    "SOURCES",
    "Access",
    "Asked",
    "Conditions",
    "Following",
    "Manners",
    "Outcome",
    "Status",
    "crawl",
    "download_weeks",
    "open_source",
]
