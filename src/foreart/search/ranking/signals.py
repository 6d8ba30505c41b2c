"""Signals: what each channel says about every document, as numbers for a weighted sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.neighbourhood import Neighbourhood
from foreart.search.ranking.neighbours import DraftFeatures, ages
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.text_channels import TEXT_CHANNELS

# How many of the nearest documents the classes of a draft are taken from.
_CLASSED = 50
# Differences in age beyond this many years say nothing.
_MAX_AGE = 60.0


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's name and description in plain words; `sign` of its weight: 1 not negative, -1 not positive, 0 any.

    `citations` marks channels that use citations of the corpus.
    """

    name: str
    about: str
    sign: int = 1
    citations: bool = False


CHANNELS: Mapping[str, Channel] = {
    channel.name: channel
    for channel in (
        *(Channel(text.name, text.about) for text in TEXT_CHANNELS),
        Channel("learned topics", "topics of the whole text, weighted as citations in this corpus teach"),
        Channel("learned brief topics", "topics of background, summary and first claim, weighted in the same way"),
        Channel("order", "place in the order of words, brief and topics together"),
        Channel("named in draft", "the draft names it in its text"),
        Channel("cited by near", "near documents cite it", citations=True),
        Channel("cited by nearest", "the document most like the draft that cites it", citations=True),
        Channel("cites near", "it cites near documents", citations=True),
        Channel("citation walk", "reached from near documents along citations", citations=True),
        Channel("cited by same people", "documents of the same applicant or inventor cite it", citations=True),
        Channel("co-cited", "cited together with near documents", citations=True),
        Channel("coupled", "it cites what near documents cite", citations=True),
        Channel("often cited", "cited by many documents that were known by then", 0, citations=True),
        Channel("named by near", "near documents name it in their text"),
        Channel("shared numbers", "names or cites patents that the draft names"),
        Channel("applicant", "of the same applicant"),
        Channel("inventor", "of the same inventor"),
        Channel("age", "years between it and the draft", 0),
        Channel("classes", "in the classes of near documents, or in those emphasised"),
        Channel("hub", "comes up for many drafts, whatever they are about", -1),
    )
}


def of_citations(signal: str) -> bool:
    """Whether a signal is of a channel that uses citations: signals are named after their channels."""
    return any(signal.startswith(name) for name, channel in CHANNELS.items() if channel.citations)


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """Columns by name; `channels` says which channel each belongs to."""

    columns: Mapping[str, np.ndarray]
    channels: Mapping[str, str]

    def of(self, channel: str, row: int) -> dict[str, float]:
        """The signals of a channel for one document."""
        names = (name for name, owner in self.channels.items() if owner == channel)
        return {name: float(self.columns[name][row]) for name in names}


def signals(near: Neighbourhood, forms: QueryForms, hubs: np.ndarray | None = None) -> Signals:
    """All signals of a draft; only citations of known documents are used."""
    features, graph = near.features, near.graph
    columns: dict[tuple[str, str], np.ndarray] = {}
    for name, scores in features.texts.items():
        columns[name, name] = scores
        columns[name, f"{name}, relative"] = features.relative[name]
    columns |= {(name, name): scores for name, scores in near.similarity.items()}
    columns["order", "order"] = _order(features)
    columns["age", "age"] = np.log1p(np.minimum(ages(graph.view.days, features.day), _MAX_AGE))
    columns["named in draft", "named in draft"] = features.named
    columns |= near.columns()
    columns["shared numbers", "shared numbers"] = features.shared_numbers
    columns |= {(name, name): mask for name, mask in features.people.items()}
    columns["classes", "classes"] = class_prior(features, forms, graph)
    columns["hub", "hub"] = np.zeros(len(graph)) if hubs is None else hubs
    return Signals(
        {name: values for (_, name), values in columns.items()}, {name: channel for channel, name in columns}
    )


def _order(features: DraftFeatures) -> np.ndarray:
    """The negative logarithm of the rank by text."""
    ranks = np.empty(len(features.near))
    ranks[np.argsort(-np.where(features.known, features.near, -1.0), kind="stable")] = np.arange(len(features.near))
    return -np.log1p(ranks)


def class_prior(features: DraftFeatures, forms: QueryForms, graph: CitationGraph) -> np.ndarray:
    """Similarity of each document's classes to those of near documents; emphasised ones weigh twice the heaviest."""
    names, table = graph.class_table
    if not len(names):
        return np.zeros(len(graph))
    rows = np.flatnonzero(features.known)
    rows = rows[np.argsort(-features.near[rows], kind="stable")[:_CLASSED]]
    profile = table.T @ _only(features.near, rows)
    wanted = np.isin(names, forms.classes)
    profile[wanted] = max(1e-9, float(profile.max(initial=0.0))) * (2.0 if wanted.any() else 1.0)
    scores: np.ndarray = table @ profile
    largest = float(scores[features.known].max(initial=0.0))
    return scores / largest if largest > 0 else scores


def _only(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    kept = np.zeros(len(values))
    kept[rows] = values[rows]
    return kept
