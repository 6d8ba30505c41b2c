"""Channels of text: one form of the draft's text against one index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foreart.index import Index
from foreart.index.index import greatest_first
from foreart.index.scoring.query_terms import Query
from foreart.index.word_index import WordIndex
from foreart.search.ranking.question import Question
from foreart.text import asking


@dataclass(frozen=True, slots=True)
class TextChannel:
    """A channel's name, the index it asks, the form of the text it asks with, and what it is in words."""

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
# Those whose indexes a ranking needs; the others take part where their index was built.
NEEDED = tuple(channel.name for channel in TEXT_CHANNELS[:7])


class Texts:
    """The indexes of the channels, and the order of their rows in the bibliography."""

    def __init__(self, indexes: Mapping[str, Index], ids: Sequence[str]) -> None:
        self.channels = tuple(channel for channel in TEXT_CHANNELS if channel.index in indexes)
        self.indexes = indexes
        self._places = {name: _places(index, ids) for name, index in indexes.items()}

    def asked(self, question: Question) -> Asked:
        """The queries of all channels for a draft, each made when it is first needed."""
        return Asked(self, question)

    def scores(self, question: Question) -> dict[str, np.ndarray]:
        """The likeness of every document in every channel, 0 at least."""
        return self.asked(question).scores()

    def placed(self, channel: TextChannel, scores: np.ndarray) -> np.ndarray:
        """Scores of an index in the order of the bibliography."""
        places = self._places[channel.index]
        positive: np.ndarray = np.maximum(scores if places is None else scores[places], 0.0).astype(np.float64)
        return positive


class Asked:
    """One draft, asking all channels: what a text is cut into serves all indexes that are cut alike."""

    def __init__(self, texts: Texts, question: Question) -> None:
        self._texts, self._question = texts, question
        self._words: dict[tuple[str, bool], list[str]] = {}
        self._queries: dict[str, Query] = {}

    def scores(self) -> dict[str, np.ndarray]:
        """The likeness of every document in every channel, 0 at least."""
        return {channel.name: self._scores(channel) for channel in self._texts.channels}

    def words(self, channel: TextChannel, number: str) -> tuple[tuple[str, float], ...]:
        """What each shared word adds to the score of a document in a channel, greatest first."""
        index = self._texts.indexes[channel.index]
        if isinstance(index, WordIndex):
            query = self._query(channel, index)
            shares = index.engine.shares(query, index.row_of(number))
            return greatest_first(query.words, shares.tolist())
        return tuple(index.explanation(self._question.texts[channel.form]).of(number))

    def query(self, channel: TextChannel) -> Query | None:
        """The words that ask in a channel of words; None in one of another kind."""
        index = self._texts.indexes[channel.index]
        return self._query(channel, index) if isinstance(index, WordIndex) else None

    def _scores(self, channel: TextChannel) -> np.ndarray:
        index = self._texts.indexes[channel.index]
        if isinstance(index, WordIndex):
            found = index.engine.scores(self._query(channel, index))
        else:
            found = index.scores(index.encode(self._question.texts[channel.form]))
        return self._texts.placed(channel, found)

    def _query(self, channel: TextChannel, index: WordIndex) -> Query:
        if channel.name not in self._queries:
            cut = channel.form, bool(index.features.parameters.get("as_published"))
            if cut not in self._words:
                self._words[cut] = asking(index.words(self._question.texts[channel.form]))
            self._queries[channel.name] = index.engine.query(self._words[cut])
        return self._queries[channel.name]


def _places(index: Index, ids: Sequence[str]) -> np.ndarray | None:
    """The row of each id in an index; None where they are the same."""
    if index.has_rows(ids):
        return None
    rows = {number: row for row, number in enumerate(index.ids)}
    return np.array([rows[number] for number in ids], dtype=np.int64)
