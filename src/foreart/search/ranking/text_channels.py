"""Channels of text: one form of the draft's text against one index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index import Index
from foreart.index.index import greatest_first
from foreart.index.scoring.query_terms import Query
from foreart.index.word_index import WordIndex
from foreart.search.ranking.query_forms import QueryForms
from foreart.text import asking


@dataclass(frozen=True, slots=True)
class TextChannel:
    """A channel's name, the index it queries, the query form it uses, and what it is in words."""

    name: str
    index: str
    form: str
    about: str


TEXT_CHANNELS: tuple[TextChannel, ...] = (
    TextChannel("words", "log-tfidf", "whole", "words of the whole text, counts dampened"),
    TextChannel("brief", "log-tfidf", "brief", "words of background, summary and first claim in the whole document"),
    TextChannel("claims in text", "log-tfidf", "claims", "words of the claims in the whole document"),
    TextChannel("claims", "log-tfidf-claims", "claims", "words of the claims in the claims"),
    TextChannel("abstract", "log-tfidf-abstract", "abstract", "words of title and abstract in title and abstract"),
    TextChannel("counts", "tfidf", "whole", "words of the whole text, as Helmers et al. 2019"),
    TextChannel("bm25", "bm25", "whole", "words of the whole text, as search engines weigh them"),
    TextChannel("topics", "topics", "whole", "topics of the whole text (latent semantic analysis)"),
    TextChannel("word vectors", "ppmi", "whole", "sums of word vectors learned on this corpus"),
    TextChannel("passages", "passages", "brief", "the nearest passage to background, summary and first claim"),
    TextChannel("embedding", "embedding", "whole", "a sentence encoder of yours"),
)
# Channels whose indexes a ranking needs; the others are used where their index was built.
NEEDED = tuple(channel.name for channel in TEXT_CHANNELS[:7])


class TextIndexes:
    """The indexes of the channels, and where in each the documents of a view are."""

    def __init__(self, indexes: Mapping[str, Index], ids: Sequence[str]) -> None:
        self.channels = tuple(channel for channel in TEXT_CHANNELS if channel.index in indexes)
        self.indexes = indexes
        self._places = {name: _places(index, ids) for name, index in indexes.items()}

    def queries(self, forms: QueryForms) -> ChannelQueries:
        """The queries of all channels for a draft."""
        return ChannelQueries(self, forms)

    def placed(self, channel: TextChannel, scores: np.ndarray) -> np.ndarray:
        """Scores of an index in the order of the view, 0 at least."""
        places = self._places[channel.index]
        positive: np.ndarray = np.maximum(scores if places is None else scores[places], 0.0).astype(np.float64)
        return positive


class ChannelQueries:
    """The queries of one draft in all channels, each made when first needed; indexes share the tokens of a text."""

    def __init__(self, texts: TextIndexes, forms: QueryForms) -> None:
        self._texts, self._forms = texts, forms
        self._words: dict[tuple[str, bool], list[str]] = {}
        self._queries: dict[str, Query] = {}

    def scores(self) -> dict[str, np.ndarray]:
        """The score of every document in every channel, 0 at least."""
        return {channel.name: self._scores(channel) for channel in self._texts.channels}

    def words(self, channel: TextChannel, number: str) -> tuple[tuple[str, float], ...]:
        """The contribution of each shared word to the score of a document in a channel, greatest first."""
        index = self._texts.indexes[channel.index]
        if isinstance(index, WordIndex):
            query = self._query(channel, index)
            shares = index.engine.shares(query, index.row_of(number))
            return greatest_first(query.words, shares.tolist())
        return tuple(index.explanation(self._forms.texts[channel.form]).of(number))

    def query(self, channel: TextChannel) -> Query | None:
        """The query of a word channel; None for a channel of another kind."""
        index = self._texts.indexes[channel.index]
        return self._query(channel, index) if isinstance(index, WordIndex) else None

    def _scores(self, channel: TextChannel) -> np.ndarray:
        index = self._texts.indexes[channel.index]
        if isinstance(index, WordIndex):
            found = index.engine.scores(self._query(channel, index))
        else:
            found = index.scores(index.encode(self._forms.texts[channel.form]))
        return self._texts.placed(channel, found)

    def _query(self, channel: TextChannel, index: WordIndex) -> Query:
        if channel.name not in self._queries:
            cut = channel.form, bool(index.features.parameters.get("as_published"))
            if cut not in self._words:
                self._words[cut] = asking(index.words(self._forms.texts[channel.form]))
            self._queries[channel.name] = index.engine.query(self._words[cut])
        return self._queries[channel.name]


def _places(index: Index, ids: Sequence[str]) -> np.ndarray | None:
    """The row of each id in an index; None where rows are the same."""
    if index.has_rows(ids):
        return None
    rows = {number: row for row, number in enumerate(index.ids)}
    return np.array([rows[number] for number in ids], dtype=np.int64)
