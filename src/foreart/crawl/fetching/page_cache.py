"""A cache of fetched pages, with the validators for conditional requests."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

import zstandard

from foreart.durable import replace_bytes


@dataclass(frozen=True, slots=True)
class Page:
    """A response body with its metadata. `url` is the address after redirects."""

    url: str
    type: str
    charset: str
    body: bytes
    tag: str = ""
    modified: str = ""
    fetched: float = 0.0


class PageCache:
    """A folder of pages, one file each, written atomically."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock

    def get(self, url: str) -> Page | None:
        """The cached page of a URL; None if there is none, or its file is damaged."""
        try:
            head, _, packed = self._path(url).read_bytes().partition(b"\n")
            return Page(**json.loads(head), body=zstandard.ZstdDecompressor().decompress(packed))
        except (OSError, ValueError, TypeError, zstandard.ZstdError):
            return None

    def put(self, url: str, page: Page) -> None:
        """Stores a page under the URL of the request."""
        path = self._path(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        head = asdict(page)
        body = zstandard.ZstdCompressor().compress(head.pop("body"))
        head["fetched"] = self._clock()
        replace_bytes(path, json.dumps(head).encode() + b"\n" + body)

    def drop(self, url: str) -> None:
        """Removes the page of a URL."""
        self._path(url).unlink(missing_ok=True)

    def age(self, page: Page) -> float:
        """Seconds since it was fetched or validated."""
        return max(0.0, self._clock() - page.fetched)

    def _path(self, url: str) -> Path:
        name = hashlib.sha256(url.encode()).hexdigest()
        host = "".join(char if char.isalnum() or char in ".-" else "_" for char in urlsplit(url).netloc)
        return self._folder / host / name[:2] / f"{name}.page"
