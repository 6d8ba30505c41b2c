"""Signals: what each channel says about documents, as numbers for a weighted sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.search.ranking.near.draft_query import DraftQuery
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.sparse_columns import SparseColumn
from foreart.search.ranking.text_channels import TEXT_CHANNELS

# How many of the nearest documents the classes of a draft are taken from.
_CLASSED = 50
# A hub is among this many nearest documents of many training queries (their k-occurrence; Radovanović et al. 2010).
HUB_PLACES = 100
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
        Channel("learned topics", "topics of the whole text, with weights learned from the citations of this corpus"),
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
class Hubs:
    """How strong the strongest hubs are, and the `mean` of all documents, which the others are given."""

    strongest: SparseColumn
    mean: float = 0.0

    def at(self, rows: np.ndarray) -> np.ndarray:
        """The values of some documents."""
        values = self.strongest.at(rows)
        return np.where(values > 0, values, self.mean)


NO_HUBS = Hubs(SparseColumn(np.empty(0, dtype=np.int64), np.empty(0)))


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """Columns by name for some documents, whose rows ascend; `channels` says which channel each belongs to."""

    rows: np.ndarray
    columns: Mapping[str, np.ndarray]
    channels: Mapping[str, str]

    def place(self, row: int) -> int:
        """Where a row is in the columns."""
        return int(np.searchsorted(self.rows, row))

    def of(self, channel: str, row: int) -> dict[str, float]:
        """The signals of a channel for one document."""
        names = (name for name, owner in self.channels.items() if owner == channel)
        place = self.place(row)
        return {name: float(self.columns[name][place]) for name in names}


def signals(near: Neighbourhood, rows: np.ndarray, hubs: Hubs = NO_HUBS) -> Signals:
    """All signals of a draft for some documents, in ascending order; only citations of known documents are used."""
    features = near.query.features(rows)
    columns: dict[tuple[str, str], np.ndarray] = {}
    for name, scores in features.texts.items():
        columns[name, name] = scores
        columns[name, f"{name}, relative"] = features.relative[name]
    columns |= {(name, name): scores for name, scores in near.similarity(rows).items()}
    columns["order", "order"] = features.order
    columns["age", "age"] = np.log1p(np.minimum(features.ages, _MAX_AGE))
    columns["named in draft", "named in draft"] = features.named
    columns |= near.columns(rows)
    columns["shared numbers", "shared numbers"] = features.shared_numbers
    columns |= {(name, name): mask for name, mask in features.people.items()}
    columns["classes", "classes"] = class_similarity(near.query, rows)
    columns["hub", "hub"] = hubs.at(rows)
    return Signals(
        rows, {name: values for (_, name), values in columns.items()}, {name: channel for channel, name in columns}
    )


def class_similarity(query: DraftQuery, rows: np.ndarray) -> np.ndarray:
    """The similarity of classes to those of near documents, relative to the largest; emphasised ones weigh twice."""
    names = query.graph.class_names
    if not len(names):
        return np.zeros(len(rows))
    features = query.listed
    nearest = np.argsort(-np.where(features.known, features.near, -1.0), kind="stable")[:_CLASSED]
    profile = query.graph.classes_of(features.rows[nearest]).T @ features.near[nearest]
    wanted = np.isin(names, query.forms.classes)
    profile[wanted] = max(1e-9, float(profile.max(initial=0.0))) * (2.0 if wanted.any() else 1.0)
    largest = float((query.graph.classes_of(features.rows) @ profile).max(initial=0.0))
    similar: np.ndarray = query.graph.classes_of(rows) @ profile
    return similar / largest if largest > 0 else similar
