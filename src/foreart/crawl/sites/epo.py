"""The EPO's Open Patent Services as a source, with the user's own key."""

from __future__ import annotations

import base64
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

from foreart.crawl.candidate import NOTHING, Answer, candidate
from foreart.crawl.fetching.fetcher import BadAnswer, Fetcher
from foreart.crawl.fetching.http import Reply, Request
from foreart.crawl.fetching.policy import LATER
from foreart.crawl.sites.source import Judge, RemoteSource
from foreart.document.patent import Origin, Patent, merge
from foreart.document.reject import RAW_LIMIT, Reject
from foreart.errors import CrawlError, ForeartError, Refused, Unreachable
from foreart.identifiers.numbers import Number, parse_number
from foreart.sources.formats.epo_ops import parse_response
from foreart.sources.patent_files import MALFORMED

ADDRESS = "https://ops.epo.org/3.2"
_TYPES = ("application/xml", "text/xml", "application/exchange+xml", "application/fulltext+xml", "application/ops+xml")
_FORMAT = "epo-ops-xml"
_RENEW_EARLY = 60.0  # seconds before its expiry that a token is renewed
_THROTTLING = re.compile(r"\bretrieval=(\w+):(\d{1,6})")
# The maximum number of documents of a search, and of a page of it.
_MAX_RESULTS, _PAGE_SIZE = 2000, 100


class OpenPatentServices(RemoteSource):
    """Fetches bibliographic data, and the full text only of documents that will be kept: the EPO has a quota."""

    name = "epo"
    knows_citing = True

    def __init__(
        self, fetcher: Fetcher, key: str, secret: str, *, address: str = ADDRESS, citing: bool = False
    ) -> None:
        super().__init__(fetcher, address)
        self._basic = base64.b64encode(f"{key}:{secret}".encode()).decode("ascii")
        self._citing = citing
        self._token = ""
        self._expires = 0.0
        self._lock = threading.Lock()

    def fetch(self, number: str, judge: Judge) -> Answer:
        """The document of a number, with claims and description if the EPO has them."""
        wanted = parse_number(number)
        url = ""
        try:
            for spelling in _spellings(wanted):
                url = self._url(spelling, "biblio")
                if patents := self._patents(url):
                    break
            else:
                return NOTHING
            matches = [patent for patent in patents if patent.number.key == wanted.key][:1]
            if not matches:
                raise BadAnswer(f"the response is about {patents[0].id}", b"")
            patent = replace(matches[0], origins=(Origin(url, "", _FORMAT),))
            if not judge(candidate(patent)):
                patent = self._with_texts(patent, spelling)
            citing = self._cited_by(patent.number) if self._citing and not judge(candidate(patent)) else ()
        except BadAnswer as error:
            return Answer(reject=Reject(url, "", str(error), error.raw[:RAW_LIMIT], _FORMAT))
        return Answer((candidate(patent, citing=citing),))

    def _url(self, spelling: str, part: str) -> str:
        return f"{self.place}/rest-services/published-data/publication/{spelling}/{part}"

    def _with_texts(self, patent: Patent, spelling: str) -> Patent:
        for part in ("claims", "description"):
            for text in self._patents(self._url(spelling, part)):
                if text.number.key == patent.number.key:
                    patent = merge(replace(text, id=patent.id), patent)
        return patent

    def _cited_by(self, number: Number) -> tuple[str, ...]:
        """The citing documents, by a search."""
        ids: list[str] = []
        query = quote(f"ct={number.country}{number.number}", safe="")
        for begin in range(1, _MAX_RESULTS, _PAGE_SIZE):
            url = f"{self.place}/rest-services/published-data/search?q={query}&Range={begin}-{begin + _PAGE_SIZE - 1}"
            page = [patent.id for patent in self._patents(url)]
            ids += page
            if len(page) < _PAGE_SIZE:
                break
        return tuple(dict.fromkeys(ids))

    def _patents(self, url: str) -> list[Patent]:
        """The documents of a response; none if the EPO has none."""
        page = self._get(url)
        if page is None:
            return []
        try:
            return list(parse_response(page))
        except MALFORMED as error:
            reason = str(error) if isinstance(error, ForeartError) else f"malformed ({type(error).__name__}: {error})"
            self._fetcher.forget(url)
            raise BadAnswer(reason, page) from error

    def _get(self, url: str) -> bytes | None:
        try:
            page = self._fetcher.get(url, _TYPES, {"Authorization": f"Bearer {self._access()}"})
        except BadAnswer as error:
            if b"invalid_access_token" not in error.raw:
                raise
            page = self._fetcher.get(url, _TYPES, {"Authorization": f"Bearer {self._access(renew=True)}"})
        return page.body if page is not None else None

    def _access(self, *, renew: bool = False) -> str:
        """The access token, which is valid for twenty minutes."""
        with self._lock:
            if renew or time.monotonic() > self._expires:
                reply = self._fetcher.send(_token_request(self.place, self._basic))
                self._token, seconds = _token(reply)
                self._expires = time.monotonic() + seconds - _RENEW_EARLY
            return self._token


def throttled(reply: Reply) -> float:
    """The seconds between requests by the EPO's throttling header; 0 if there is none."""
    match = _THROTTLING.search(reply.headers.get("x-throttling-control", ""))
    return 60.0 / int(match[2]) if match and int(match[2]) else 0.0


def _token_request(address: str, basic: str) -> Request:
    headers = {"Authorization": f"Basic {basic}", "Content-Type": "application/x-www-form-urlencoded"}
    return Request(f"{address}/auth/accesstoken", headers, "POST", b"grant_type=client_credentials")


def _token(reply: Reply) -> tuple[str, float]:
    if reply.status in LATER:
        raise Unreachable(f"the EPO gives no token: it answered {reply.status}")
    if reply.status != 200:
        raise Refused(f"the EPO does not accept the key and secret (it answered {reply.status})")
    try:
        answer = json.loads(reply.body)
        return str(answer["access_token"]), float(answer.get("expires_in", 1200))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CrawlError("the EPO's response to the key is not a token") from error


def _spellings(number: Number) -> Iterator[str]:
    """The number in DOCDB format if the kind code is known, else in EPODOC format."""
    for body in _bodies(number):
        yield f"docdb/{number.country}.{body}.{number.kind}" if number.kind else f"epodoc/{number.country}{body}"


def _bodies(number: Number) -> Iterator[str]:
    body = number.number
    if number.country == "US" and len(body) == 11 and body[4] == "0":
        yield body[:4] + body[5:]  # six digits of serial
    elif number.country == "WO" and len(body) == 10 and body < "2004":
        yield body[2:4] + body[5:]  # two digits of the year, and five of serial until July 2002, then six
        yield body[2:]
    else:
        yield quote(body)
