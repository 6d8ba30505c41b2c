"""The USPTO's Open Data Portal as a source, with the user's own key: US grants and published applications."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

from foreart.crawl.candidate import NOTHING, Answer, candidate
from foreart.crawl.fetching.fetcher import BadAnswer, Fetcher
from foreart.crawl.sites.source import Judge, RemoteSource
from foreart.document.patent import Origin, Patent
from foreart.document.reject import RAW_LIMIT, Reject
from foreart.identifiers.numbers import Number, parse_number
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.patent_files import Document, parse_record
from foreart.sources.readers import recognise

ADDRESS = "https://api.uspto.gov"
# Files are on another host of the office, to which the portal redirects with a signed URL.
HOSTS = frozenset(("data.uspto.gov",))
_JSON = ("application/json",)
_XML = ("application/xml", "text/xml", "application/octet-stream", "binary/octet-stream", "text/plain")


class OpenDataPortal(RemoteSource):
    """Searches for the file of a document, then fetches it: the same XML as in the weekly files."""

    name = "uspto"
    knows_citing = False

    def __init__(self, fetcher: Fetcher, key: str, *, address: str = ADDRESS) -> None:
        super().__init__(fetcher, address)
        self._headers = {"X-API-KEY": key}

    def fetch(self, number: str, judge: Judge) -> Answer:
        """The document of a US number; the office has no others."""
        wanted = parse_number(number)
        if wanted.country != "US":
            return NOTHING
        url = f"{self.place}/api/v1/patent/applications/search?q={quote(_query(wanted), safe=':')}&limit=1"
        try:
            url = self._file(url, wanted)
            page = self._fetcher.get(url, _XML, self._key_for(url)) if url else None
        except BadAnswer as error:
            return Answer(reject=Reject(url, "", str(error), error.raw[:RAW_LIMIT]))
        answer = NOTHING if page is None else _read(page.body, url, wanted)
        if answer.reject is not None:
            self._fetcher.forget(url)
        return answer

    def _file(self, url: str, wanted: Number) -> str:
        """The URL of the XML of a document; `""` if there is none."""
        page = self._fetcher.get(url, _JSON, self._headers)
        if page is None:
            return ""
        wrapper = _first(page.body)
        metadata = wrapper.get("pgpubDocumentMetaData" if _is_application(wanted) else "grantDocumentMetaData")
        location = metadata.get("fileLocationURI") if isinstance(metadata, dict) else ""
        if not isinstance(location, str) or not location:
            return ""
        if urlsplit(location).netloc not in (urlsplit(self.place).netloc, *HOSTS):
            raise BadAnswer(f"the file is on another host, {urlsplit(location).netloc[:80]!r}", page.body)
        return location

    def _key_for(self, url: str) -> Mapping[str, str]:
        return self._headers if urlsplit(url).netloc == urlsplit(self.place).netloc else {}


def _is_application(number: Number) -> bool:
    return len(number.number) == 11 and number.number.isdigit()


def _query(number: Number) -> str:
    if _is_application(number):
        return f"applicationMetaData.earliestPublicationNumber:{number.country}{number.number}{number.kind or '*'}"
    return f"applicationMetaData.patentNumber:{number.number}"


def _first(body: bytes) -> dict[str, Any]:
    """The first file wrapper of a response."""
    try:
        bag = json.loads(body)["patentFileWrapperDataBag"]
        first = bag[0] if bag else {}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadAnswer("not the response of a search", body) from error
    if not isinstance(first, dict):
        raise BadAnswer("not the response of a search", body)
    return first


def _read(body: bytes, url: str, wanted: Number) -> Answer:
    reader = recognise(body[: 1 << 16], url)
    if reader is None:
        return Answer(reject=Reject(url, "", "no known patent format", body[:RAW_LIMIT]))
    for item in parse_record(Document(url, reader.name, RawRecord(1, 0, body))):
        if isinstance(item, Reject):
            return Answer(reject=replace(item, position=""))
        if item.number.key == wanted.key:
            return Answer((candidate(_from(item, url)),))
    return Answer(reject=Reject(url, "", f"the file is not of {wanted}", body[:RAW_LIMIT], reader.name))


def _from(patent: Patent, url: str) -> Patent:
    return replace(patent, origins=tuple(replace(origin, file=url) for origin in patent.origins) or (Origin(url),))
