"""The pages: shells without data, which their scripts fill from the API."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import PackageLoader
from starlette.exceptions import HTTPException

from foreart.document.reference import LITERATURE_FORMS
from foreart.report.pages.templating import environment
from foreart.review.casework.matter_forms import FORMS
from foreart.review.matters.export_options import PARTS

ROUTER = APIRouter(include_in_schema=False)
# Path, name of template and module, title in the navigation.
PAGES: tuple[tuple[str, str, str], ...] = (
    ("/", "start", "Start"),
    ("/results", "results", "Results"),
    ("/reading", "reading", "Reading"),
    ("/chart", "chart", "Chart"),
    ("/review", "review", "Review"),
    ("/map", "map", "Map"),
    ("/corpus", "corpus", "Corpus"),
    ("/evaluate", "evaluate", "Evaluate"),
)
# The stylesheet that is shared with the reports.
_SKELETON = "page.css"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}


def page(name: str) -> HTMLResponse:
    """The page of that name, from `templates/NAME.html`."""
    return HTMLResponse(_html(name))


@ROUTER.get("/api-docs")
def api_docs(request: Request) -> HTMLResponse:
    """The endpoints for programs, from the schema of the application: a page without a script of its own."""
    return HTMLResponse(_rendered("api-docs", endpoints=dict(_endpoints(request.app.openapi()))))


for _path, _name, _ in PAGES:
    ROUTER.add_api_route(_path, (lambda shown: lambda: page(shown))(_name), methods=["GET"], name=f"page {_name}")


@ROUTER.get("/static/{name}")
def static(name: str, request: Request) -> Response:
    """A script, a stylesheet or an image of the pages; 304 without it for a browser that has this version."""
    suffix = f".{name.rpartition('.')[2]}"
    if suffix not in _TYPES or name not in _static_names():
        raise HTTPException(404, "there is no such file")
    room = "foreart.report" if name == _SKELETON else "foreart.server"
    data = (files(room) / ("templates" if name == _SKELETON else "static") / name).read_bytes()
    tag = f'"{version("foreart")}-{hashlib.sha256(data).hexdigest()[:20]}"'
    if tag in _tags(request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(data, media_type=_TYPES[suffix], headers={"ETag": tag})


def _tags(header: str) -> set[str]:
    """The entity tags of If-None-Match, by weak comparison (RFC 9110, 13.1.2)."""
    return {part.strip().removeprefix("W/") for part in header.split(",")}


@cache
def _html(name: str) -> str:
    return _rendered(name)


def _rendered(name: str, **more: object) -> str:
    jinja = environment(PackageLoader("foreart.server", "templates"))
    forms = _forms() if name == "review" else {}
    view = {
        "page": name,
        "pages": PAGES,
        "forms": forms,
        "parts": PARTS,
        "literature_forms": LITERATURE_FORMS,
        "foot": (f"foreart {version('foreart')}", "Nothing leaves this machine."),
    }
    return jinja.get_template(f"desk_{name}.html").render(view | more)


def _endpoints(schema: dict[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """For each group of endpoints its name, and method, path and first sentence of each."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            row = (method.upper(), path, operation["description"].partition("\n")[0].replace("`", ""))
            found.setdefault(operation["tags"][0], []).append(row)
    yield from found.items()


def _forms() -> dict[str, list[tuple[str, str, str]]]:
    """The forms of a matter by what they are, reports first: name, kind of file, and ending of each."""
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for name, form in sorted(FORMS.items(), key=lambda item: not item[1].is_report):
        title, kind = form.about.split(", " if form.is_report else ": ", 1)
        groups.setdefault(title, []).append((name, kind, form.suffix))
    return groups


@cache
def _static_names() -> frozenset[str]:
    own = (files("foreart.server") / "static").iterdir()
    return frozenset({_SKELETON, *(item.name for item in own if item.is_file())})
