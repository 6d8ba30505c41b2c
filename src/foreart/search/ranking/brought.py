"""The weights that foreart brings along, for corpora from which nothing was learned yet, or nothing can be."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from foreart.search.ranking.bibliography import Bibliography
from foreart.search.ranking.learned import Learned, learned_of
from foreart.search.ranking.signals import of_citations

FILE = "brought.json"
CITATIONS, TEXTS = "citations", "texts"
# A corpus of so many documents trusts citations half as much.
_SMALL = 300


def brought_along(bibliography: Bibliography) -> Learned:
    """Weights learned on the patents of ../shared/data: with citations, or where documents have none, without.

    Who cites whom says less in a small corpus, where most citations lead out of it.
    """
    found = _brought()[TEXTS if bibliography.from_texts else CITATIONS]
    trust = len(bibliography) / (len(bibliography) + _SMALL)
    weights = {name: weight * (trust if of_citations(name) else 1.0) for name, weight in found.weights.items()}
    return replace(found, weights=weights)


@cache
def _brought() -> dict[str, Learned]:
    stored = files("foreart.search.ranking").joinpath(FILE).read_text("utf-8")
    return {name: learned_of(record) for name, record in json.loads(stored).items()}
