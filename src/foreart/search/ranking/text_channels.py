"""Text channels: each queries one index with one form of the draft's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foreart.index import Explanation, Index, QueryTerm
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.score_parts import Shares
from foreart.text import QueryText


@dataclass(frozen=True, slots=True)
class TextChannel:
    """A channel's name, the index it queries, the query form it uses, and a description in plain words."""

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
    TextChannel(
        "brief topics",
        "topics-abstract-claims",
        "brief",
        "topics of background, summary and first claim in title, abstract and claims",
    ),
    TextChannel("word vectors", "ppmi", "whole", "sums of word vectors learned on this corpus"),
    TextChannel("passages", "passages", "brief", "the nearest passage to background, summary and first claim"),
    TextChannel("embedding", "embedding", "whole", "a sentence encoder of yours"),
)
_BY_NAME = {channel.name: channel for channel in TEXT_CHANNELS}
# Channels of a similarity that is learned from citations, and the text channel whose rows each compares.
LEARNED_CHANNELS: Mapping[str, str] = {"learned topics": "topics", "learned brief topics": "brief topics"}
# Channels whose indexes every ranking needs; the others are used if their index was built.
NEEDED = tuple(channel.name for channel in TEXT_CHANNELS[:7])


class TextIndexes:
    """The indexes of the channels, with their rows aligned to those of a view."""

    def __init__(self, indexes: Mapping[str, Index], ids: Sequence[str]) -> None:
        self.channels = tuple(channel for channel in TEXT_CHANNELS if channel.index in indexes)
        self.indexes = indexes
        self._rows = {name: _rows(index, ids) for name, index in indexes.items()}

    def queries(self, forms: QueryForms) -> ChannelQueries:
        """The queries of all channels for a draft."""
        return ChannelQueries(self, forms)

    def aligned(self, channel: TextChannel, scores: np.ndarray) -> np.ndarray:
        """Scores of an index in the row order of the view, negative ones set to 0."""
        rows = self._rows[channel.index]
        positive: np.ndarray = np.maximum(scores if rows is None else scores[rows], 0.0).astype(np.float64)
        return positive

    def products(self, channel: str, vector: np.ndarray) -> np.ndarray:
        """The dot product of each document's row in a text channel with a vector, by row of the view."""
        name = _BY_NAME[channel].index
        products, rows = self.indexes[name].products(vector), self._rows[name]
        found: np.ndarray = products if rows is None else products[rows]
        return found

    def table(self, channel: str) -> np.ndarray | None:
        """The dense rows of all documents in a text channel, by row of the view; None if its index has none."""
        name = _BY_NAME[channel].index
        table = self.indexes[name].row_table if name in self.indexes else None
        rows = self._rows.get(name)
        return table if table is None or rows is None else table[rows]

    def models(self) -> dict[str, str]:
        """Fingerprints of what the features of the channels with a learned similarity have learned."""
        names = {_BY_NAME[channel].index for channel in LEARNED_CHANNELS.values()}
        return {name: self.indexes[name].model for name in sorted(names & self.indexes.keys())}


class ChannelQueries:
    """The queries of one draft in all channels; indexes share the tokens of a text."""

    def __init__(self, texts: TextIndexes, forms: QueryForms) -> None:
        self._texts = texts
        drafts = {form: QueryText(text) for form, text in forms.texts.items()}
        self._queries = {
            channel.name: TextQuery(channel, texts.indexes[channel.index], drafts[channel.form])
            for channel in texts.channels
        }

    def __getitem__(self, channel: str) -> TextQuery:
        return self._queries[channel]

    def __contains__(self, channel: str) -> bool:
        return channel in self._queries

    def scores(self) -> dict[str, np.ndarray]:
        """The score of every document in every channel, by row of the view; never negative."""
        return {name: self._texts.aligned(query.channel, query.scores()) for name, query in self._queries.items()}

    def rows(self) -> dict[str, np.ndarray]:
        """The unit row of the draft in each channel whose similarity can be learned."""
        return {name: self._queries[name].row() for name in LEARNED_CHANNELS.values() if name in self._queries}


@dataclass(frozen=True, eq=False)
class TextQuery:
    """One draft in one channel, encoded when it is first needed."""

    channel: TextChannel
    index: Index
    text: QueryText

    @cached_property
    def _query(self) -> Any:  # noqa: ANN401 - each index has queries of its own
        return self.index.encode_draft(self.text)

    @cached_property
    def _explanation(self) -> Explanation:
        return self.index.explanation(self.text.text, self._query)

    def scores(self) -> np.ndarray:
        """The score of every document, by row of the index."""
        return self.index.scores(self._query)

    def row(self) -> np.ndarray:
        """The query as a dense row of length 1; zero if no word is known."""
        row = np.asarray(self._query, dtype=np.float64).ravel()
        length = float(np.linalg.norm(row))
        return row / length if length > 0 else row

    def mapped_words(self, number: str, matrix: np.ndarray) -> Shares:
        """What each word of the draft contributes to the product of its row, a matrix and a document's row."""
        return self._explanation.mapped(number, matrix)

    def words(self, number: str) -> Shares:
        """What each shared word contributes to the score of a document, largest first."""
        return self._explanation.of(number)

    def terms(self) -> tuple[QueryTerm, ...]:
        """The words of the query with their weights."""
        return self.index.query_terms(self._query)


def _rows(index: Index, ids: Sequence[str]) -> np.ndarray | None:
    """The row of each id in an index; None where rows are the same."""
    if index.has_rows(ids):
        return None
    rows = {number: row for row, number in enumerate(index.ids)}
    return np.array([rows[number] for number in ids], dtype=np.int64)
