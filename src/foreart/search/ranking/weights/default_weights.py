"""The weights that come with foreart, for corpora without learned weights."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.signals import of_citations
from foreart.search.ranking.weights.learned import Learned, learned_of

FILE = "default_weights.json"
CITATIONS, TEXTS = "citations", "texts"
# Citation signals have half their weight in a corpus of this size.
_SMALL = 300


def default_weights(graph: CitationGraph) -> Learned:
    """Weights learned on the patents of ../shared/data, one set for corpora with citations and one for those without.

    Citation signals weigh less in a small corpus, where most citations lead out of it.
    """
    stored = _stored()[TEXTS if graph.from_texts else CITATIONS]
    trust = len(graph) / (len(graph) + _SMALL)
    weights = {name: weight * (trust if of_citations(name) else 1.0) for name, weight in stored.weights.items()}
    return replace(stored, weights=weights)


@cache
def _stored() -> dict[str, Learned]:
    stored = files("foreart.search.ranking.weights").joinpath(FILE).read_text("utf-8")
    return {name: learned_of(record) for name, record in json.loads(stored).items()}
