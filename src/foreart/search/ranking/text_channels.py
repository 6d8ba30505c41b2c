"""Text channels: each queries one index with one form of the draft's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foreart.corpus.views.view_columns import inverse
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
        self._alignments = {name: _alignment(index, ids) for name, index in indexes.items()}

    def queries(self, forms: QueryForms) -> ChannelQueries:
        """The queries of all channels for a draft."""
        return ChannelQueries(self, forms)

    def alignment(self, channel: TextChannel) -> Alignment | None:
        """How rows of the index of a channel and of the view correspond; None where they are the same."""
        return self._alignments[channel.index]

    def table(self, channel: str) -> np.ndarray | None:
        """The dense rows of all documents in a text channel, by row of the view; None if its index has none."""
        name = _BY_NAME[channel].index
        table = self.indexes[name].row_table if name in self.indexes else None
        alignment = self._alignments.get(name)
        return table if table is None or alignment is None else table[alignment.in_index]

    def models(self) -> dict[str, str]:
        """Fingerprints of what the features of the channels with a learned similarity have learned."""
        names = {_BY_NAME[channel].index for channel in LEARNED_CHANNELS.values()}
        return {name: self.indexes[name].model for name in sorted(names & self.indexes.keys())}


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """For each row of a view that of an index, and for each row of the index that of the view."""

    in_index: np.ndarray
    in_view: np.ndarray


class ChannelQueries:
    """The queries of one draft in all channels; indexes share the tokens of a text. Scores are computed once."""

    def __init__(self, texts: TextIndexes, forms: QueryForms) -> None:
        drafts = {form: QueryText(text) for form, text in forms.texts.items()}
        self._queries = {
            channel.name: TextQuery(
                channel, texts.indexes[channel.index], drafts[channel.form], texts.alignment(channel)
            )
            for channel in texts.channels
        }
        self._rows: np.ndarray = np.empty(0, dtype=np.int64)
        self._scores = {name: np.empty(0) for name in self._queries}

    def __getitem__(self, channel: str) -> TextQuery:
        return self._queries[channel]

    def __contains__(self, channel: str) -> bool:
        return channel in self._queries

    def forget_terms(self) -> None:
        """Frees the tokens of the texts: queries that were encoded do not need them any more."""
        for query in self._queries.values():
            query.text.forget_terms()

    @property
    def scored(self) -> int:
        """How many scores are cached."""
        return len(self._rows) * len(self._scores)

    def scores_of(self, rows: np.ndarray) -> Mapping[str, np.ndarray]:
        """The scores of some rows of the view, ascending, in every channel; never negative."""
        missing = np.setdiff1d(rows, self._rows, assume_unique=True)
        if len(missing):
            every = np.concatenate([self._rows, missing])
            order = np.argsort(every, kind="stable")
            for name, query in self._queries.items():
                self._scores[name] = np.concatenate([self._scores[name], query.scores_of(missing)])[order]
            self._rows = every[order]
        places = np.searchsorted(self._rows, rows)
        return {name: scores[places] for name, scores in self._scores.items()}

    def nearest(self, k: int, allowed: np.ndarray, channels: Sequence[str] | None = None) -> np.ndarray:
        """The union of the k best allowed rows of each channel, or of some, ascending."""
        asked = [query for name, query in self._queries.items() if channels is None or name in channels]
        return np.unique(np.concatenate([query.nearest(k, allowed) for query in asked]))

    def vectors(self) -> dict[str, np.ndarray]:
        """The unit row of the draft in each channel whose similarity can be learned."""
        return {name: self._queries[name].row() for name in LEARNED_CHANNELS.values() if name in self._queries}

    def products(self, channel: str, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of documents' rows in a channel with a vector."""
        return self._queries[channel].products(vector, rows)

    def nearest_products(self, channel: str, vector: np.ndarray, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k allowed rows with the largest products."""
        return self._queries[channel].nearest_products(vector, k, allowed)


@dataclass(frozen=True, eq=False)
class TextQuery:
    """One draft in one channel, encoded when it is first needed."""

    channel: TextChannel
    index: Index
    text: QueryText
    alignment: Alignment | None

    @cached_property
    def _query(self) -> Any:  # noqa: ANN401 - each index has queries of its own
        return self.index.encode_draft(self.text)

    @cached_property
    def _explanation(self) -> Explanation:
        return self.index.explanation(self.text.text, self._query)

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """The scores of some rows of the view, negative ones set to 0."""
        scores: np.ndarray = np.maximum(self.index.scores_of(self._query, self._in_index(rows)), 0.0)
        return scores

    def nearest(self, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k best allowed rows of the view."""
        rows, _ = self.index.nearest(self._query, k, allowed=self._by_index(allowed))
        return self._in_view(rows)

    def products(self, vector: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The dot products of documents' rows with a vector."""
        return self.index.products(vector, self._in_index(rows))

    def nearest_products(self, vector: np.ndarray, k: int, allowed: np.ndarray) -> np.ndarray:
        """The k allowed rows of the view with the largest products."""
        return self._in_view(self.index.nearest_products(vector, k, allowed=self._by_index(allowed)))

    def _in_index(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.alignment is None else self.alignment.in_index[rows]

    def _in_view(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.alignment is None else self.alignment.in_view[rows]

    def _by_index(self, mask: np.ndarray) -> np.ndarray:
        return mask if self.alignment is None else mask[self.alignment.in_view]

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


def _alignment(index: Index, ids: Sequence[str]) -> Alignment | None:
    """The rows of ids in an index; None where rows are the same."""
    if index.has_rows(ids):
        return None
    rows = {number: row for row, number in enumerate(index.ids)}
    in_index = np.array([rows[number] for number in ids], dtype=np.int64)
    return Alignment(in_index, inverse(in_index))
