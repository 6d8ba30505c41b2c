"""Text channels: each queries one index with one form of the draft's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from foreart.index import Explanation, Index, QueryTerm, Question, answers
from foreart.index.storage.row_alignment import Alignment, alignment_of
from foreart.search.ranking.query_forms import QueryForms
from foreart.search.ranking.score_cache import ScoreCache
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
NO_SIMILARITY: Mapping[str, np.ndarray] = {}
NO_ALIGNMENTS: Mapping[str, Alignment | None] = {}
# Channels whose indexes every ranking needs; the others are used if their index was built.
NEEDED = tuple(channel.name for channel in TEXT_CHANNELS[:7])


class TextIndexes:
    """The indexes of the channels, with their rows aligned to those of a view with these ids.

    `alignments` are those that are known already, by index.
    """

    def __init__(
        self,
        indexes: Mapping[str, Index],
        ids: Sequence[str],
        alignments: Mapping[str, Alignment | None] = NO_ALIGNMENTS,
    ) -> None:
        self.channels = tuple(channel for channel in TEXT_CHANNELS if channel.index in indexes)
        self.indexes = indexes
        self._alignments = {
            name: alignments[name] if name in alignments else alignment_of(index, ids)
            for name, index in indexes.items()
        }

    def queries(self, forms: QueryForms, similarity: Mapping[str, np.ndarray] = NO_SIMILARITY) -> ChannelQueries:
        """The queries of all channels for a draft; `similarity` are the matrices of learned channels."""
        return ChannelQueries(self, forms, similarity)

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


class ChannelQueries:
    """The queries of one draft in all channels; indexes share the tokens of a text. Scores are computed once.

    What will be asked next is asked along, in one round trip where indexes are on a cluster: the documents that are
    nearest by learned similarity with those of the text channels, and products with scores.
    """

    def __init__(
        self, texts: TextIndexes, forms: QueryForms, similarity: Mapping[str, np.ndarray] = NO_SIMILARITY
    ) -> None:
        drafts = {form: QueryText(text) for form, text in forms.texts.items()}
        self._queries = {
            channel.name: TextQuery(
                channel, texts.indexes[channel.index], drafts[channel.form], texts.alignment(channel)
            )
            for channel in texts.channels
        }
        self._similarity = similarity
        learned = {LEARNED_CHANNELS[channel] for channel in similarity} & self._queries.keys()
        self._scores, self._products = ScoreCache(self._queries), ScoreCache(learned)
        # The last search for the nearest by learned similarity: how many, among which, and what was found.
        self._near: tuple[int, np.ndarray, dict[str, np.ndarray]] | None = None

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
        return len(self._scores)

    def scores_of(self, rows: np.ndarray) -> Mapping[str, np.ndarray]:
        """The scores of some rows of the view, ascending, in every channel; never negative."""
        missing = self._scores.missing(rows)
        if len(missing):
            along = self._products.missing(missing)
            products = [self._queries[name].products(vector, along) for name, vector in self.learned.items()]
            found = answers([*(query.scores_of(missing) for query in self._queries.values()), *products])
            scores = zip(self._queries, found, strict=False)
            self._scores.add(missing, {name: np.maximum(values, 0.0) for name, values in scores})
            self._products.add(along, dict(zip(self.learned, found[len(self._queries) :], strict=True)))
        return self._scores.at(rows)

    def nearest(self, k: int, allowed: np.ndarray, channels: Sequence[str] | None = None) -> np.ndarray:
        """The union of the k best allowed rows of each channel, or of some, ascending."""
        asked = [query for name, query in self._queries.items() if channels is None or name in channels]
        learned = {} if channels is not None else self.learned
        products = [self._queries[name].nearest_products(vector, k, allowed) for name, vector in learned.items()]
        found = answers([*(query.nearest(k, allowed) for query in asked), *products])
        if learned:
            near = zip(learned, found[len(asked) :], strict=True)
            self._near = k, allowed, {name: self._queries[name].in_view(rows) for name, rows in near}
        return np.unique(np.concatenate([query.in_view(rows) for query, rows in zip(asked, found, strict=False)]))

    def vectors(self) -> dict[str, np.ndarray]:
        """The unit row of the draft in each channel whose similarity can be learned."""
        return {name: self._queries[name].row() for name in LEARNED_CHANNELS.values() if name in self._queries}

    @cached_property
    def learned(self) -> dict[str, np.ndarray]:
        """The row of the draft under learned similarity, by the text channel whose rows it is compared with."""
        rows = self.vectors() if self._similarity else {}
        named = ((LEARNED_CHANNELS[channel], matrix) for channel, matrix in self._similarity.items())
        return {name: rows[name] @ matrix for name, matrix in named if name in rows}

    def products(self, vectors: Mapping[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
        """The dot products of documents' rows, ascending, in some channels with a vector for each."""
        if not self._are_learned(vectors):
            found = answers([self._queries[channel].products(vector, rows) for channel, vector in vectors.items()])
            return dict(zip(vectors, found, strict=True))
        missing = self._products.missing(rows)
        if len(missing):
            found = answers([self._queries[name].products(vector, missing) for name, vector in self.learned.items()])
            self._products.add(missing, dict(zip(self.learned, found, strict=True)))
        return self._products.at(rows)

    def nearest_products(self, vectors: Mapping[str, np.ndarray], k: int, allowed: np.ndarray) -> list[np.ndarray]:
        """The k allowed rows with the largest products with each vector."""
        if self._near is not None and self._are_learned(vectors) and self._near[0] == k and self._near[1] is allowed:
            return [self._near[2][name] for name in vectors]
        asked = {channel: self._queries[channel] for channel in vectors}
        found = answers([asked[channel].nearest_products(vector, k, allowed) for channel, vector in vectors.items()])
        return [query.in_view(rows) for query, rows in zip(asked.values(), found, strict=True)]

    def _are_learned(self, vectors: Mapping[str, np.ndarray]) -> bool:
        """Whether vectors are those of the learned similarity, all of them."""
        own = self.learned
        return (
            bool(own) and vectors.keys() == own.keys() and all(np.array_equal(own[name], vectors[name]) for name in own)
        )


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

    def scores_of(self, rows: np.ndarray) -> Question:
        """Asks for the scores of some rows of the view."""
        return Question(self.index, "scores_of", self._query, rows=self._in_index(rows))

    def nearest(self, k: int, allowed: np.ndarray) -> Question:
        """Asks for the k best allowed rows, of the index."""
        return Question(self.index, "nearest", self._query, k=k, allowed=self._by_index(allowed))

    def products(self, vector: np.ndarray, rows: np.ndarray) -> Question:
        """Asks for the dot products of documents' rows with a vector."""
        return Question(self.index, "products", vector, rows=self._in_index(rows))

    def nearest_products(self, vector: np.ndarray, k: int, allowed: np.ndarray) -> Question:
        """Asks for the k allowed rows with the largest products, of the index."""
        return Question(self.index, "nearest_products", vector, k=k, allowed=self._by_index(allowed))

    def _in_index(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.alignment is None else self.alignment.in_index[rows]

    def in_view(self, rows: np.ndarray) -> np.ndarray:
        """The rows of the view that rows of the index are."""
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
