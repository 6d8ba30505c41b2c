"""The pages: shells without data, which their scripts fill from the API."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from jinja2 import PackageLoader
from starlette.exceptions import HTTPException

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
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}


def page(name: str) -> HTMLResponse:
    """The page of that name, from `templates/NAME.html`."""
    return HTMLResponse(_html(name))


for _path, _name, _ in PAGES:
    ROUTER.add_api_route(_path, (lambda shown: lambda: page(shown))(_name), methods=["GET"], name=f"page {_name}")


@ROUTER.get("/static/{name}")
def static(name: str) -> Response:
    """A script, a stylesheet or an image of the pages."""
    if name == "page.css":  # shared with the reports
        return Response(_skeleton_style(), media_type=_TYPES[".css"])
    suffix = f".{name.rpartition('.')[2]}"
    if suffix not in _TYPES or name not in _static_names():
        raise HTTPException(404, "there is no such file")
    return Response((files("foreart.server") / "static" / name).read_bytes(), media_type=_TYPES[suffix])


@cache
def _html(name: str) -> str:
    jinja = environment(PackageLoader("foreart.server", "templates"))
    forms = _forms() if name == "review" else {}
    view = {
        "page": name,
        "pages": PAGES,
        "forms": forms,
        "parts": PARTS,
        "foot": (f"foreart {version('foreart')}", "Nothing leaves this machine."),
    }
    return jinja.get_template(f"desk_{name}.html").render(view)


def _forms() -> dict[str, list[tuple[str, str, str]]]:
    """The forms of a matter by what they are, reports first: name, kind of file, and ending of each."""
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for name, form in sorted(FORMS.items(), key=lambda item: not item[1].is_report):
        title, kind = form.about.split(", " if form.is_report else ": ", 1)
        groups.setdefault(title, []).append((name, kind, form.suffix))
    return groups


@cache
def _static_names() -> frozenset[str]:
    return frozenset(item.name for item in (files("foreart.server") / "static").iterdir() if item.is_file())


@cache
def _skeleton_style() -> bytes:
    return (files("foreart.report") / "templates" / "page.css").read_bytes()
