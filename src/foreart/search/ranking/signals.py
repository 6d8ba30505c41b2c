"""Signals: what each channel says of every document, in numbers that a weighted sum can add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.neighbours import DraftFeatures
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.text_channels import TEXT_CHANNELS

# The neighbours whose best is taken, and those whose classes stand for the draft's.
_BEST, _CLASSED = 100, 50
# Shares are taken as if one more of the nearest cited something else: a neighbour alone proves little.
_OTHERS = 1.0


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's name, what it is in words, and whether its weight must not be negative (1), positive (-1), or may."""

    name: str
    about: str
    sign: int = 1
    citations: bool = False


CHANNELS: Mapping[str, Channel] = {
    channel.name: channel
    for channel in (
        *(Channel(text.name, text.about) for text in TEXT_CHANNELS),
        Channel("order", "place in the order of words, brief and topics together"),
        Channel("named in draft", "the draft names it in its text"),
        Channel("cited by near", "near documents cite it", citations=True),
        Channel("cited by nearest", "the document most like the draft that cites it", citations=True),
        Channel("cites near", "it cites near documents", citations=True),
        Channel("co-cited", "cited together with near documents", citations=True),
        Channel("coupled", "it cites what near documents cite", citations=True),
        Channel("often cited", "cited by many documents that were known by then", 0, citations=True),
        Channel("named by near", "near documents name it in their text"),
        Channel("shared numbers", "names or cites patents that the draft names"),
        Channel("applicant", "of the same applicant"),
        Channel("inventor", "of the same inventor"),
        Channel("classes", "in the classes of near documents, or in those emphasised"),
        Channel("hub", "comes up for many drafts, whatever they are about", -1),
    )
}


def of_citations(signal: str) -> bool:
    """Whether a signal is of a channel that knows who cites whom: signals are named after their channels."""
    return any(signal.startswith(name) for name, channel in CHANNELS.items() if channel.citations)


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """Columns by name; `channels` says which channel each belongs to."""

    columns: Mapping[str, np.ndarray]
    channels: Mapping[str, str]


def signals(
    found: DraftFeatures,
    forms: QueryForms,
    weights: tuple[np.ndarray, np.ndarray],
    graph: CitationGraph,
    hubs: np.ndarray | None = None,
) -> Signals:
    """All signals of a draft; of citations only those of known documents are used."""
    columns: dict[tuple[str, str], np.ndarray] = {}
    for name, scores in found.texts.items():
        columns[name, name] = scores
        columns[name, f"{name}, relative"] = found.relative[name]
    columns["order", "order"] = _order(found)
    columns["named in draft", "named in draft"] = found.named
    columns |= _of_citations(found, weights, graph)
    likely = _sharpened(weights[0], 4)
    columns["named by near", "named by near"] = np.log1p(graph.named_by @ likely)
    columns["shared numbers", "shared numbers"] = found.shared_numbers
    columns |= {(name, name): mask for name, mask in found.people.items()}
    columns["classes", "classes"] = class_prior(found, forms, graph)
    columns["hub", "hub"] = np.zeros(len(graph)) if hubs is None else hubs
    return Signals(
        {name: values for (_, name), values in columns.items()}, {name: channel for channel, name in columns}
    )


def _order(found: DraftFeatures) -> np.ndarray:
    """The negative logarithm of the place by text."""
    places = np.empty(len(found.near))
    places[np.argsort(-np.where(found.known, found.near, -1.0), kind="stable")] = np.arange(len(found.near))
    return -np.log1p(places)


def _of_citations(
    found: DraftFeatures, weights: tuple[np.ndarray, np.ndarray], graph: CitationGraph
) -> dict[tuple[str, str], np.ndarray]:
    likely, share = weights
    cited_by, cites = graph.cited_by, graph.cites
    sharp, once, twice = _sharpened(likely, 4), _sharpened(share, 1), _sharpened(share, 2)
    summed = cited_by @ twice
    best = _best(likely, graph)
    citing = cites @ sharp
    # A document that cites a hundred others says little by citing two of the near ones.
    together = np.where(found.known, citing, 0.0) / np.sqrt(1.0 + np.diff(cites.indptr))
    lists = graph.lists
    numbers = (graph.listed_by @ sharp) * number_worths(found.known, graph)
    near = "cited by near"
    return {
        (near, "cited by near, share"): (cited_by @ once) / (_OTHERS + float(once.sum())),
        (near, "cited by near, share of nearest"): summed / (_OTHERS + float(twice.sum())),
        (near, "cited by near, sum"): np.log1p(summed),
        (near, "cited by near, share of likely"): (cited_by @ sharp) / (_OTHERS + float(sharp.sum())),
        ("cited by nearest", "cited by nearest"): best,
        ("cited by nearest", "cited by nearest, relative"): best / max(1e-9, float(best.max(initial=0.0))),
        ("cites near", "cites near"): np.log1p(citing),
        ("co-cited", "co-cited"): np.log1p(cited_by @ together),
        ("coupled", "coupled"): np.log1p((lists @ numbers) / np.sqrt(1.0 + np.diff(lists.indptr))),
        ("often cited", "often cited"): np.log1p(cited_by @ found.known.astype(np.float64)),
    }


def number_worths(known: np.ndarray, graph: CitationGraph) -> np.ndarray:
    """What it says that two documents cite a number: less, the more of the known do."""
    worths: np.ndarray = 1.0 / np.sqrt(1.0 + graph.listed_by @ known.astype(np.float64))
    return worths


def _sharpened(weights: np.ndarray, power: int) -> np.ndarray:
    """Weights from 0 to 1, the greater ones standing out the more."""
    greatest = float(weights.max(initial=0.0))
    return (weights / greatest) ** power if greatest > 0 else np.zeros_like(weights)


def _best(weights: np.ndarray, graph: CitationGraph) -> np.ndarray:
    """The weight of the best of the nearest documents that cite each."""
    best = np.zeros(len(weights))
    cites = graph.cites
    for row in np.argsort(-weights, kind="stable")[:_BEST][::-1]:
        if weights[row] > 0:
            best[cites.indices[cites.indptr[row] : cites.indptr[row + 1]]] = weights[row]
    return best


def class_prior(found: DraftFeatures, forms: QueryForms, graph: CitationGraph) -> np.ndarray:
    """How far the classes of each document are those of near documents; emphasised ones count as much as the first."""
    names, table = graph.class_table
    if not len(names):
        return np.zeros(len(graph))
    rows = np.flatnonzero(found.known)
    rows = rows[np.argsort(-found.near[rows], kind="stable")[:_CLASSED]]
    profile = table.T @ _only(found.near, rows)
    wanted = np.isin(names, forms.classes)
    profile[wanted] = max(1e-9, float(profile.max(initial=0.0))) * (2.0 if wanted.any() else 1.0)
    scores: np.ndarray = table @ profile
    greatest = float(scores[found.known].max(initial=0.0))
    return scores / greatest if greatest > 0 else scores


def _only(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    kept = np.zeros(len(values))
    kept[rows] = values[rows]
    return kept
