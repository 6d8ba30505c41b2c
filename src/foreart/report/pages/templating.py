"""The one Jinja environment of all pages: every value is escaped, and a name that does not exist is an error."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from foreart.report.wording.phrases import count, percent, plain, signed, whole_percent
from foreart.search import STATUSES
from foreart.search.charting.verifying import holdable


class Verbatim(str):
    """A text that a page shows to the letter, escaped but not cleaned: what a reader copies is what the corpus has."""


@dataclass(frozen=True, slots=True)
class BarPiece:
    """A piece of a bar: the class of its colour, where it starts and how wide it is, in percent of the whole."""

    colour: str
    start: float
    width: float


def render(name: str, **view: object) -> str:
    """The page that a template makes of a view."""
    return environment().get_template(name).render(view)


@cache
def environment() -> Environment:
    """Templates with autoescape. `Markup` is made in one place only, `trusted_svg`."""
    made = Environment(
        loader=PackageLoader("foreart.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": count,
        "csp_hash": _csp_hash,
        "percent": percent,
        "signed": signed,
        "verbatim": verbatim,
        "whole_percent": whole_percent,
    }
    made.globals["STATUSES"] = STATUSES
    return made


def verbatim(text: str) -> Verbatim:
    """The text with its control characters, except those that HTML cannot hold."""
    return Verbatim(holdable(text))


def trusted_svg(drawing: str) -> Markup:
    """An SVG that our own code has drawn, for a page to take over as it is. Never for text from a corpus or a draft."""
    return Markup(drawing)  # noqa: S704


def pieces(values: list[tuple[str, float]], whole: float, length: float = 1.0) -> tuple[BarPiece, ...]:
    """Values with their colours side by side, as parts of a bar that `whole` fills to the share `length`."""
    found, start = [], 0.0
    for colour, value in values:
        width = value / whole * length * 100
        found.append(BarPiece(colour, round(start, 1), round(width, 1)))
        start += width
    return tuple(found)


def _cleaned(value: object) -> object:
    """Texts of unknown origin lose their control characters."""
    return value if isinstance(value, Markup | Verbatim | int | float) else plain(str(value))


def _csp_hash(script: str) -> str:
    """What a content security policy calls an inline script by."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
