"""The Jinja environment of all pages: every value is escaped, and an undefined name is an error."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from foreart.report.wording.phrases import count, percent, plain, signed, whole_percent
from foreart.search import STATUSES
from foreart.search.charting.verifying import holdable


class Verbatim(str):
    """A text that a page shows verbatim, escaped but not cleaned: what a reader copies is what the corpus has."""


@dataclass(frozen=True, slots=True)
class BarPiece:
    """A segment of a bar: the CSS class of its colour, and its start and width in percent of the full bar."""

    colour: str
    start: float
    width: float


def render(name: str, **view: object) -> str:
    """A page rendered from a template and its variables."""
    return environment().get_template(name).render(view)


@cache
def environment(*further: BaseLoader) -> Environment:
    """Templates with autoescape, and further ones on the same skeleton. `Markup` is made only in `trusted_svg`."""
    jinja = Environment(
        loader=ChoiceLoader([PackageLoader("foreart.report", "templates"), *further]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= {
        "count": count,
        "csp_hash": _csp_hash,
        "percent": percent,
        "signed": signed,
        "verbatim": verbatim,
        "whole_percent": whole_percent,
    }
    jinja.globals["STATUSES"] = STATUSES
    return jinja


def verbatim(text: str) -> Verbatim:
    """The text with its control characters, except those that HTML cannot hold."""
    return Verbatim(holdable(text))


def trusted_svg(drawing: str) -> Markup:
    """An SVG drawn by our own code, inserted unescaped. Never for text from a corpus or a draft."""
    return Markup(drawing)  # noqa: S704


def pieces(values: list[tuple[str, float]], whole: float, length: float = 1.0) -> tuple[BarPiece, ...]:
    """Values with their colours as adjacent segments of a bar that `whole` fills to the share `length`."""
    segments, start = [], 0.0
    for colour, value in values:
        width = value / whole * length * 100
        segments.append(BarPiece(colour, round(start, 1), round(width, 1)))
        start += width
    return tuple(segments)


def _cleaned(value: object) -> object:
    """Removes control characters from texts of unknown origin."""
    return value if isinstance(value, Markup | Verbatim | int | float) else plain(str(value))


def _csp_hash(script: str) -> str:
    """The hash by which a content security policy allows an inline script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
