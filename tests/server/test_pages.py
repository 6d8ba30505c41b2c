"""Static files are sent once for each version, and the page for programs lists every endpoint."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from foreart.server.routes.page_routes import PAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.mark.parametrize("path", [*(path for path, _, _ in PAGES), "/api-docs"])
def test_a_second_load_costs_no_file_again(client: TestClient, path: str) -> None:
    names = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(path).text))
    assert "/static/page.css" in names
    for name in names:
        first = client.get(name)
        tag = first.headers["etag"]
        assert re.fullmatch(rf'"{re.escape(version("foreart"))}-[0-9a-f]{{20}}"', tag)
        assert first.content
        for given in (tag, f"W/{tag}", f'"of another version", {tag}'):
            again = client.get(name, headers={"If-None-Match": given})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
            assert again.headers["cache-control"] == "no-cache"
        assert client.get(name, headers={"If-None-Match": '"of another version"'}).content == first.content


@pytest.mark.parametrize("path", [*(path for path, _, _ in PAGES), "/api-docs"])
def test_a_page_with_all_it_loads_is_under_300_kilobytes(client: TestClient, path: str) -> None:
    """The document, its styles and scripts, and what scripts import, uncompressed."""
    seen, waiting, size = {path}, [path], 0
    while waiting:
        answer = client.get(waiting.pop())
        assert answer.status_code == 200
        size += len(answer.content)
        loaded = re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text)
        imported = re.findall(r'(?:from|import|import\() ?"\./([^"]+)"', answer.text)
        found = {*loaded, *(f"/static/{name}" for name in imported)} - seen
        seen |= found
        waiting += found
    assert len(seen) > 3
    assert size < 300_000


def test_files_have_tags_of_their_own(client: TestClient) -> None:
    names = ("page.css", "desk.css", "start.js", "keys.js")
    assert len({client.get(f"/static/{name}").headers["etag"] for name in names}) == len(names)
    assert client.get("/static/nothing.js").status_code == 404


def test_the_page_for_programs_lists_every_endpoint(client: TestClient) -> None:
    page = client.get("/api-docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert re.findall(r'<script[^>]*src="([^"]*)"', page.text) == ["/static/scheme.js"]
    listed = re.findall(r"<tr><td>([A-Z]+)</td><td><code>(\S+)</code></td><td>([^<]+)</td></tr>", page.text)
    paths = client.get("/openapi.json").json()["paths"]
    known = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert {(method, path) for method, path, _ in listed} == known
    assert len(listed) == len(known)
    assert '<a href="/api-docs">For programs</a>' in client.get("/results").text
