"""Google Patents as a source: one page for each document, in the current or the older layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from foreart.crawl.candidate import NOTHING, Answer, candidate
from foreart.crawl.fetching.fetcher import BadAnswer, Fetcher
from foreart.crawl.fetching.page_cache import Page
from foreart.crawl.sites.google_citing import citing_numbers
from foreart.crawl.sites.source import Judge, RemoteSource
from foreart.document.patent import Origin, Patent
from foreart.document.reject import RAW_LIMIT, Reject
from foreart.errors import BadRecord, ForeartError
from foreart.identifiers.numbers import Number, parse_number
from foreart.sources import READERS
from foreart.sources.markup.xml import as_utf8
from foreart.sources.patent_files import MALFORMED

ADDRESS = "https://patents.google.com/patent/{number}/en"
_TYPES = ("text/html", "application/xhtml+xml")
_FORMAT = "google-html"
# The kind codes to try for a number without one: US applications, US grants, other offices.
_US_APPLICATION, _US_GRANT, _OTHER = ("A1", "A2"), ("B2", "B1", "A"), ("A1", "B1", "A", "B2")


class GooglePatents(RemoteSource):
    """Pages by URL; `{number}` in it is the publication number, `{bare}` the same without kind code."""

    name = "google"
    knows_citing = True

    def __init__(self, fetcher: Fetcher, *, address: str = ADDRESS, citing: bool = False) -> None:
        super().__init__(fetcher, address)
        self._citing = citing

    def fetch(self, number: str, judge: Judge) -> Answer:
        """The document of the page of a number."""
        for spelling in _spellings(parse_number(number), bare="{bare}" in self.place):
            url = self._url(spelling)
            try:
                page = self._fetcher.get(url, _TYPES)
            except BadAnswer as error:
                return Answer(reject=Reject(url, "", str(error), error.raw[:RAW_LIMIT], _FORMAT))
            if page is not None:
                return self._read(page, url, number)
        return NOTHING

    def _url(self, number: Number) -> str:
        return self.place.replace("{number}", str(number)).replace("{bare}", f"{number.country}{number.number}")

    def _read(self, page: Page, url: str, number: str) -> Answer:
        data = _in_utf8(page)
        try:
            patent = _parse(data, parse_number(number).key)
            citing = tuple(citing_numbers(data)) if self._citing else ()
        except MALFORMED as error:
            reason = str(error) if isinstance(error, ForeartError) else f"malformed ({type(error).__name__}: {error})"
            self._fetcher.forget(url)
            return Answer(reject=Reject(url, "", reason, page.body[:RAW_LIMIT], _FORMAT))
        return Answer((candidate(replace(patent, origins=(Origin(url, "", _FORMAT),)), citing=citing),))


def _parse(data: bytes, key: str) -> Patent:
    """The patent of a page; checks that it is complete, because libxml2 would silently parse half a page."""
    if b"</html" not in data[-1024:].lower():
        raise BadRecord("the page is truncated")
    reader = READERS[_FORMAT]
    if not reader.sniff(data[: 1 << 16], ""):
        raise BadRecord("not a page of a patent")
    (patent,) = reader.parse(data)
    if patent.number.key != key:
        raise BadRecord(f"the page is of {patent.id}")
    return patent


def _spellings(number: Number, *, bare: bool) -> Iterator[Number]:
    yield number
    if number.kind or bare:
        return
    kinds: tuple[str, ...] = _OTHER
    if number.country == "US":
        kinds = _US_APPLICATION if len(number.number) == 11 else _US_GRANT
    for kind in kinds:
        yield replace(number, kind=kind)


def _in_utf8(page: Page) -> bytes:
    """The page in UTF-8, decoded by the charset of the response if it fits, else by that of the page."""
    decoded = as_utf8(page.body, page.charset)
    return page.body if decoded == as_utf8(page.body) else decoded
