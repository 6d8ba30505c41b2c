"""Responses of the services of the EPO and the USPTO for invented patents, in the documented formats."""

from __future__ import annotations

import io
import json
import zipfile
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, unquote, urlsplit

from crawl.pages import Invented
from crawl.site import Site, Visit

SPACES = 'xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org" xmlns:ftxt="http://www.epo.org/fulltext"'


def split(number: str) -> tuple[str, str, str]:
    return number[:2], number[2:-2], number[-2:]


def _document_id(number: str, form: str = "docdb") -> str:
    country, body, kind = split(number)
    return (
        f'<document-id document-id-type="{form}"><country>{country}</country><doc-number>{body}</doc-number>'
        f"<kind>{kind}</kind></document-id>"
    )


def ops_biblio(document: Invented) -> bytes:
    country, body, kind = split(document.number)
    cited = "".join(
        f'<citation cited-phase="search" sequence="{place}"><patcit num="{place}">{_document_id(number)}</patcit>'
        "<category>X</category></citation>"
        for place, number in enumerate(document.cites, start=1)
    )
    symbols = "".join(
        '<patent-classification><classification-scheme office="EP" scheme="CPCI"/>'
        f"<section>{symbol[0]}</section><class>{symbol[1:3]}</class><subclass>{symbol[3]}</subclass>"
        f"<main-group>{symbol[4:].split('/')[0]}</main-group><subgroup>{symbol.split('/')[1]}</subgroup>"
        "</patent-classification>"
        for symbol in document.classes
    )
    published = document.published.replace("-", "")
    return f"""<?xml version="1.0" encoding="UTF-8"?><ops:world-patent-data {SPACES}><exchange-documents>
<exchange-document system="ops.epo.org" family-id="{document.family_id or body}" country="{country}"
 doc-number="{body}" kind="{kind}"><bibliographic-data><publication-reference><document-id document-id-type="docdb">
<country>{country}</country><doc-number>{body}</doc-number><kind>{kind}</kind><date>{published}</date></document-id>
</publication-reference><patent-classifications>{symbols}</patent-classifications>
<invention-title lang="en">{document.text("title", 3)}</invention-title>
<references-cited>{cited}</references-cited></bibliographic-data>
<abstract lang="en"><p>{document.text("abstract", 20)}.</p></abstract></exchange-document></exchange-documents>
</ops:world-patent-data>""".encode()


def ops_text(document: Invented, part: str) -> bytes:
    body = (
        f'<description lang="EN"><p>{document.text("description", 40)}.</p></description>'
        if part == "description"
        else f'<claims lang="EN"><claim><claim-text>1. A {document.text("claim", 9)}.</claim-text></claim></claims>'
    )
    return f"""<?xml version="1.0"?><ops:world-patent-data {SPACES}><ftxt:fulltext-documents
 xmlns="http://www.epo.org/fulltext"><fulltext-document system="ops.epo.org"><bibliographic-data>
<publication-reference data-format="docdb">{_document_id(document.number)}</publication-reference></bibliographic-data>
{body}</fulltext-document></ftxt:fulltext-documents></ops:world-patent-data>""".encode()


def ops_found(numbers: list[str]) -> bytes:
    found = "".join(
        f'<ops:publication-reference system="ops.epo.org" family-id="1">{_document_id(number)}'
        "</ops:publication-reference>"
        for number in numbers
    )
    return f"""<ops:world-patent-data {SPACES}><ops:biblio-search total-result-count="{len(numbers)}">
<ops:search-result>{found}</ops:search-result></ops:biblio-search></ops:world-patent-data>""".encode()


class Epo:
    """Routes of the Open Patent Services; a token is valid for `good_for` requests."""

    def __init__(self, site: Site, *, good_for: int = 1000) -> None:
        self.site = site
        self.tokens = 0
        self.left = 0
        self.good_for = good_for
        site.routes["/3.2/auth/accesstoken"] = self.token
        site.routes["/3.2/rest-services/published-data/search"] = self.search
        for number, document in site.documents.items():
            country, body, kind = split(number)
            for part in ("biblio", "claims", "description"):
                path = f"/3.2/rest-services/published-data/publication/docdb/{country}.{body}.{kind}/{part}"
                data = ops_biblio(document) if part == "biblio" else ops_text(document, part)
                site.routes[path] = lambda request, data=data: self.answer(request, data)  # type: ignore[misc]

    def token(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        good = request.headers["Authorization"] == "Basic a2V5OnNlY3JldA==" and body == b"grant_type=client_credentials"
        if not good:
            Visit(request, "", 1).answer(401, b"{}", Content_Type="application/json")
            return
        self.tokens += 1
        self.left = self.good_for
        answer = {"access_token": f"token{self.tokens}", "expires_in": "1199"}
        Visit(request, "", 1).answer(200, json.dumps(answer).encode(), Content_Type="application/json")

    def answer(self, request: BaseHTTPRequestHandler, data: bytes) -> None:
        if request.headers["Authorization"] != f"Bearer token{self.tokens}" or not self.left:
            Visit(request, "", 1).answer(400, b"<error>invalid_access_token</error>", Content_Type="application/xml")
            return
        self.left -= 1
        status = "idle (images=green:200, inpadoc=green:60, other=green:1000, retrieval=green:60000, search=green:30)"
        Visit(request, "", 1).answer(200, data, Content_Type="application/xml", X_Throttling_Control=status)

    def search(self, request: BaseHTTPRequestHandler) -> None:
        query = parse_qs(urlsplit(request.path).query)["q"][0].removeprefix("ct=")
        citing = [
            number
            for number, document in self.site.documents.items()
            if any(cited.startswith(query) for cited in document.cites)
        ]
        if citing:
            self.answer(request, ops_found(citing))
        else:
            Visit(request, "", 1).answer(404, b"<fault>No results found</fault>", Content_Type="application/xml")


def grant_xml(document: Invented) -> bytes:
    """A US grant as the weekly files have it."""
    _, body, kind = split(document.number)
    cited = "".join(
        f'<us-citation><patcit num="{place:05d}"><document-id><country>{number[:2]}</country>'
        f"<doc-number>{number[2:-2]}</doc-number><kind>{number[-2:]}</kind></document-id></patcit>"
        "<category>cited by examiner</category></us-citation>"
        for place, number in enumerate(document.cites, start=1)
    )
    symbols = "".join(
        f"<classification-cpc><section>{symbol[0]}</section><class>{symbol[1:3]}</class><subclass>{symbol[3]}</subclass>"
        f"<main-group>{symbol[4:].split('/')[0]}</main-group><subgroup>{symbol.split('/')[1]}</subgroup>"
        "</classification-cpc>"
        for symbol in document.classes
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>
<us-patent-grant lang="EN" dtd-version="v4.5 2014-04-03" file="{document.number}.XML" status="PRODUCTION" country="US">
<us-bibliographic-data-grant><publication-reference><document-id><country>US</country>
<doc-number>{body.zfill(8)}</doc-number><kind>{kind}</kind><date>{document.published.replace("-", "")}</date>
</document-id></publication-reference><application-reference appl-type="utility"><document-id><country>US</country>
<doc-number>14{body[-6:].zfill(6)}</doc-number><date>20130102</date></document-id></application-reference>
<classifications-cpc><main-cpc>{symbols}</main-cpc></classifications-cpc>
<invention-title id="t">{document.text("title", 3)}</invention-title>
<us-references-cited>{cited}</us-references-cited></us-bibliographic-data-grant>
<abstract id="abstract"><p>{document.text("abstract", 15)}.</p></abstract>
<description id="description"><p id="p-1" num="0001">{document.text("description", 40)}.</p></description>
<claims id="claims"><claim id="CLM-1" num="00001"><claim-text>1. A {document.text("claim", 9)}.</claim-text></claim>
</claims></us-patent-grant>
""".encode()


class Uspto:
    """Routes of the Open Data Portal."""

    def __init__(self, site: Site, *, key: str = "key") -> None:
        self.site = site
        self.key = key
        site.routes["/api/v1/patent/applications/search"] = self.search
        for number, document in site.documents.items():
            site.routes[f"/files/{number}.xml"] = lambda request, document=document: self.file(request, document)  # type: ignore[misc]

    def good(self, request: BaseHTTPRequestHandler) -> bool:
        if request.headers.get("X-API-KEY") == self.key:
            return True
        Visit(request, "", 1).answer(403, b'{"message": "Forbidden"}', Content_Type="application/json")
        return False

    def search(self, request: BaseHTTPRequestHandler) -> None:
        if not self.good(request):
            return
        query = unquote(parse_qs(urlsplit(request.path).query)["q"][0]).partition(":")[2]
        found = [number for number in self.site.documents if number[2:-2] == query or number == query]
        if not found:
            Visit(request, "", 1).answer(404, b'{"code": "404"}', Content_Type="application/json")
            return
        place = {"fileLocationURI": f"{self.site.base}/files/{found[0]}.xml"}
        answer = {"count": 1, "patentFileWrapperDataBag": [{"grantDocumentMetaData": place}]}
        Visit(request, "", 1).answer(200, json.dumps(answer).encode(), Content_Type="application/json")

    def file(self, request: BaseHTTPRequestHandler, document: Invented) -> None:
        if self.good(request):
            Visit(request, "", 1).answer(200, grant_xml(document), Content_Type="application/xml")


def weekly_zip(name: str, documents: list[Invented]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.xml", b"".join(grant_xml(document) for document in documents))
    return out.getvalue()


class Bulk:
    """The list of weekly files and the files, sent in chunks, interrupted `cuts` times, with checksums."""

    def __init__(self, site: Site, files: dict[str, tuple[str, bytes]], *, cuts: int = 0, wrong: str = "") -> None:
        self.site = site
        self.files = files
        self.cuts = cuts
        self.wrong = wrong
        self.sent = 0
        site.routes["/api/v1/datasets/products/PTGRXML"] = self.list
        for name in files:
            site.routes[f"/api/v1/datasets/products/files/PTGRXML/{name}"] = (
                lambda request, name=name: self.moved(request, name)  # type: ignore[misc]
            )
            site.routes[f"/signed/{name}"] = lambda request, name=name: self.file(request, name)  # type: ignore[misc]

    def list(self, request: BaseHTTPRequestHandler) -> None:
        bag = [
            {
                "fileName": name,
                "fileSize": len(data),
                "fileDataFromDate": day,
                "fileDataToDate": day,
                "fileTypeText": "Data",
                "fileDownloadURI": f"{self.site.base}/api/v1/datasets/products/files/PTGRXML/{name}",
                "fileReleaseDate": f"{day} 00:57:53",
            }
            for name, (day, data) in self.files.items()
        ]
        bag.append({"fileName": "../../evil.zip", "fileDownloadURI": f"{self.site.base}/evil", "fileSize": 1})
        bag.append(
            {"fileName": "ice.doc", "fileDownloadURI": f"{self.site.base}/ice.doc", "fileDataFromDate": "2015-01-06"}
        )
        answer = {"count": 1, "bulkDataProductBag": [{"productFileBag": {"count": len(bag), "fileDataBag": bag}}]}
        Visit(request, "", 1).answer(200, json.dumps(answer).encode(), Content_Type="application/json")

    def moved(self, request: BaseHTTPRequestHandler, name: str) -> None:
        status = 302 if request.headers.get("X-API-KEY") == "key" else 403
        Visit(request, "", 1).answer(status, Location=f"/signed/{name}")

    def file(self, request: BaseHTTPRequestHandler, name: str) -> None:
        import base64
        import hashlib

        _, data = self.files[name]
        begin = 0
        range_header = request.headers.get("Range")
        if range_header and request.headers.get("If-Range") == '"v1"':
            begin = int(range_header.removeprefix("bytes=").rstrip("-"))
        rest = data[begin:]
        request.send_response(206 if begin else 200)
        request.send_header("ETag", '"v1"')
        request.send_header("Content-Length", str(len(rest)))
        digest = hashlib.sha256(data + (b"!" if self.wrong == name else b"")).digest()
        request.send_header("Repr-Digest", f"sha-256=:{base64.b64encode(digest).decode()}:")
        if begin:
            request.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
        request.end_headers()
        if self.cuts:
            self.cuts -= 1
            rest = rest[: len(rest) // 3]
            request.close_connection = True
        self.sent += len(rest)
        request.wfile.write(rest)
