"""Weekly files of the USPTO by date: listed, downloaded with resume, and verified."""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from foreart.crawl.fetching.fetcher import Fetcher
from foreart.crawl.fetching.http import Request
from foreart.crawl.fetching.policy import LATER, MOVED, REFUSALS
from foreart.crawl.sites.uspto_portal import ADDRESS, HOSTS
from foreart.durable import replace_text
from foreart.errors import CrawlError, Refused, Unreachable

PRODUCTS: Mapping[str, str] = {
    "PTGRXML": "grants, full text",
    "APPXML": "applications, full text",
}
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(?:zip|xml|tar|gz)", re.ASCII)
_CHUNK = 1 << 18
_HOURS = 6 * 3600.0
_DIGESTS = {"sha-256": "sha256", "sha-512": "sha512", "md5": "md5"}
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Weekly:
    """A file of the office: its name, URL, size in bytes (0 if unknown) and the dates it covers."""

    name: str
    url: str
    size: int
    begin: str
    end: str


def weekly_files(
    fetcher: Fetcher, key: str, product: str, begin: str, end: str, *, address: str = ADDRESS
) -> list[Weekly]:
    """The files of a product in a range of dates, both inclusive, in order of date."""
    url = (
        f"{address}/api/v1/datasets/products/{product}?fileDataFromDate={begin}&fileDataToDate={end}&includeFiles=true"
    )
    page = fetcher.get(url, ("application/json",), {"X-API-KEY": key})
    if page is None:
        raise CrawlError(f"the USPTO has no product {product}; known are {', '.join(PRODUCTS)}")
    try:
        bags = json.loads(page.body)["bulkDataProductBag"]
        listed = [item for bag in bags for item in bag["productFileBag"]["fileDataBag"]]
        files = [_weekly(item, address) for item in listed]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CrawlError(f"{url}: the response is not a list of files") from error
    # The office also lists files outside the range.
    chosen = [item for item in files if item is not None and item.end >= begin and item.begin <= end + "~"]
    return sorted(chosen, key=lambda item: (item.begin, item.name))


def download(fetcher: Fetcher, key: str, file: Weekly, folder: Path, *, progress: Progress | None = None) -> Path:
    """Downloads a file into a folder: resumes a partial one, keeps a complete one whose hash is right."""
    target = folder / file.name
    folder.mkdir(parents=True, exist_ok=True)
    if target.exists() and _recorded(target) == _hash(target):
        return target
    part = target.with_name(target.name + ".part")
    headers = _fetch(fetcher, key, file, part, progress)
    _verify(part, file, headers)
    _record(target, _hash(part))
    part.replace(target)
    return target


def _weekly(item: Mapping[str, object], address: str) -> Weekly | None:
    """One entry of the list, if it is a data file with a safe name."""
    name, url = str(item.get("fileName", "")), str(item.get("fileDownloadURI", ""))
    if not _SAFE_NAME.fullmatch(name) or urlsplit(url).netloc not in (urlsplit(address).netloc, *HOSTS):
        return None
    size = item.get("fileSize")
    begin = str(item.get("fileDataFromDate") or "")[:10]
    end = str(item.get("fileDataToDate") or begin)[:10]
    return Weekly(name, url, size if isinstance(size, int) and size > 0 else 0, begin, end or begin)


def _fetch(fetcher: Fetcher, key: str, file: Weekly, part: Path, progress: Progress | None) -> Mapping[str, str]:
    """Downloads the rest of the partial file; every attempt resumes."""
    last = ""
    for attempt in range(fetcher.policy.attempts):
        try:
            return _resume(fetcher, key, file, part, progress)
        except Unreachable as error:
            last = str(error)
            if attempt + 1 < fetcher.policy.attempts:
                fetcher.wait(fetcher.policy.first_wait * 2.0**attempt, last)
    raise Unreachable(f"{last}; what was downloaded is kept, and the same command continues")


def _resume(fetcher: Fetcher, key: str, file: Weekly, part: Path, progress: Progress | None) -> Mapping[str, str]:
    url, headers = file.url, {"X-API-KEY": key}
    for _ in range(6):
        have = part.stat().st_size if part.exists() else 0
        sent = {**fetcher.policy.headers, **headers, "Accept-Encoding": "identity", **_from(part, have)}
        fetcher.turn(url)
        with fetcher.client.open(Request(url, sent), seconds=_HOURS) as response:
            if response.status not in MOVED:
                _check(response, url, part, have)
                _append(response, part, have if response.status == 206 else 0, file, progress)
                return {name.lower(): value for name, value in response.getheaders()}
            url = urljoin(url, response.getheader("Location") or "")
        if urlsplit(url).netloc not in (urlsplit(file.url).netloc, *HOSTS, *fetcher.policy.hosts):
            raise Refused(f"{file.name}: redirected to another host, {urlsplit(url).netloc!r}")
        headers = headers if urlsplit(url).netloc == urlsplit(file.url).netloc else {}
    raise Unreachable(f"{file.name}: too many redirects")


def _from(part: Path, have: int) -> dict[str, str]:
    """Requests the rest, if the file has not changed since."""
    tag_file = part.with_name(part.name + ".tag")
    tag = tag_file.read_text("utf-8") if tag_file.exists() else ""
    return {"Range": f"bytes={have}-", "If-Range": tag} if have and tag else {}


def _check(response: http.client.HTTPResponse, url: str, part: Path, have: int) -> None:
    host = urlsplit(url).netloc
    if response.status in REFUSALS or response.status == 429:
        raise Refused(f"{host} answered {response.status}")
    if response.status in LATER:
        raise Unreachable(f"{host} answered {response.status}")
    resumes = (response.getheader("Content-Range") or "").startswith(f"bytes {have}-")
    if response.status == 416 or (response.status == 206 and not resumes):
        part.unlink()
        raise Unreachable(f"{host} does not resume the download: it starts again")
    if response.status not in (200, 206):
        raise CrawlError(f"{url}: answered {response.status}")


def _append(response: http.client.HTTPResponse, part: Path, have: int, file: Weekly, progress: Progress | None) -> None:
    if not have:
        tag = response.getheader("ETag") or response.getheader("Last-Modified") or ""
        part.with_name(part.name + ".tag").write_text("" if tag.startswith("W/") else tag, "utf-8")
    with part.open("ab" if have else "wb") as out:
        while data := response.read1(_CHUNK):
            out.write(data)
            have += len(data)
            if file.size and have > 2 * file.size + (1 << 20):
                raise CrawlError(f"{file.name}: far larger than the {file.size:,} bytes that the office lists")
            if progress is not None:
                progress(file.name, have, file.size)
    if response.length:
        raise Unreachable(f"{file.name}: the connection was closed after {have:,} bytes")
    response.read()


def _verify(part: Path, file: Weekly, headers: Mapping[str, str]) -> None:
    """Checks the size, the checksums of the server and those inside a zip; a file that fails is deleted."""
    problem = ""
    size = part.stat().st_size
    if file.size and size != file.size:
        problem = f"{size:,} bytes instead of {file.size:,}"
    for name, expected in _digests(headers):
        if not problem and _hash(part, name) != expected.hex():
            problem = f"its {name} differs from that of the server"
    if not problem and file.name.endswith(".zip"):
        problem = _zip_problem(part)
    if problem:
        part.unlink()
        raise CrawlError(f"{file.name}: {problem}; it was deleted, and the same command fetches it again")


def _digests(headers: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """The digests of `Repr-Digest` (RFC 9530), `Digest` (RFC 3230) and `Content-MD5`."""
    pairs = [("md5", headers.get("content-md5", ""))]
    for header in ("repr-digest", "digest"):
        pairs += re.findall(r"([A-Za-z0-9-]+)=:?([A-Za-z0-9+/=]+):?", headers.get(header, ""))
    for name, value in pairs:
        if value and name.lower() in _DIGESTS:
            try:
                yield _DIGESTS[name.lower()], base64.b64decode(value, validate=True)
            except ValueError:
                continue


def _zip_problem(part: Path) -> str:
    try:
        with zipfile.ZipFile(part) as archive:
            bad = archive.testzip()
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        return f"damaged: {error}"
    return f"damaged: the checksum of {bad} does not match" if bad else ""


def _hash(path: Path, name: str = "sha256") -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, name).hexdigest()


def _hash_file(target: Path) -> Path:
    return target.with_name(target.name + ".sha256")


def _record(target: Path, digest: str) -> None:
    """Writes the hash in the format of `sha256sum`, which can check it."""
    replace_text(_hash_file(target), f"{digest}  {target.name}\n")


def _recorded(target: Path) -> str:
    return _hash_file(target).read_text("utf-8").split()[0] if _hash_file(target).exists() else ""
