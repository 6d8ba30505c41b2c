"""An index of words: postings of counts with one weighting."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import NotInCorpus
from foreart.features import WordFeatures
from foreart.index.build.document_rows import DocumentRows
from foreart.index.index import Description, Explanation, Index, QueryTerm, largest_first
from foreart.index.index_kinds import BuildInputs, IndexForm, Kind
from foreart.index.query.engine import Engine
from foreart.index.query.near import near_pairs
from foreart.index.query.recall import recall_key
from foreart.index.query.snapshot_counts import counts_of, frequencies
from foreart.index.scoring.query_terms import Query
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_folder import write_words
from foreart.text import QueryText


class WordIndex(Index):
    """Ranks documents by the words they share with a query; `features` only has the parameters of the weighting."""

    def __init__(self, snapshot: Snapshot, features: WordFeatures) -> None:
        self.snapshot = snapshot
        self.features = features
        self.weighting = Weighting.of(features.name, features.parameters)
        self.engine = Engine(
            snapshot,
            self.weighting,
            snapshot.lengths.get(self.weighting.lengths_key or ""),
            grids=snapshot.grids.get(grid_name(self.weighting)),
        )
        self.description = _description(snapshot, features, self.weighting)

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self.snapshot.ids

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether the rows have these ids, in this order."""
        return self.snapshot.has_rows(ids)

    def words(self, text: str) -> list[str]:
        """The words of a text, split as in the postings."""
        return self.features.words(text)

    def encode(self, text: str) -> Query:
        """The weighted words of a text."""
        return self.engine.query(self.words(text))

    def encode_draft(self, text: QueryText) -> Query:
        """The weighted words of a draft, without numbers and very short words."""
        return self.engine.query(text.terms(self.features.tokenizer))

    def query_terms(self, query: Query) -> tuple[QueryTerm, ...]:
        """The words of a query with their weights."""
        rows = zip(query.words, query.weights.tolist(), query.df.tolist(), strict=True)
        return tuple(QueryTerm(word, weight, documents) for word, weight, documents in rows)

    def scores(self, query: Query) -> np.ndarray:
        """The score of every document, to six digits."""
        return self.engine.scores(query)

    def scores_of(self, query: Query, rows: np.ndarray) -> np.ndarray:
        """The exact scores of some documents."""
        return self.engine.scores_of(query, rows)

    def nearest(
        self, query: Query, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The k best allowed documents with exact scores.

        A large index is searched in two stages, with the recall in `description.recall`, unless `exact` is True.
        """
        return self.engine.top(query, k, allowed=allowed, exact=exact)

    def between(self, first: int, last: int) -> WordIndex:
        """The rows from `first` to before `last` alone, with the statistics of all."""
        return WordIndex(self.snapshot.between(first, last), self.features)

    def prepare(self) -> None:
        """Reads and computes in advance what the first query needs."""
        self.engine.prepare()

    @property
    def boundaries(self) -> np.ndarray:
        """The first rows of segments."""
        return self.snapshot.firsts[1:-1]

    def outgoing(self, query: Query) -> Query:
        """Without the numbers of words in segments."""
        return query.unplaced

    def incoming(self, query: Query) -> Query:
        """With the numbers of words in the segments of this index."""
        return query.over(self.snapshot)

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents with a cosine of at least `threshold`, as they are found."""
        lengths = self.snapshot.lengths.get(self.weighting.lengths_key or "")
        ids = list(self.ids)
        for left, right, score in near_pairs(self.snapshot, self.weighting, threshold, lengths=lengths):
            yield ids[left], ids[right], score

    def explanation(self, text: str, query: Query | None = None) -> Explanation:
        """Explains the scores of documents by the words that they share with a query."""
        return WordExplanation(self, self.encode(text) if query is None else query)

    @property
    def postings(self) -> Snapshot | None:
        """Its own, unless they are of one section or use the tokenizer of the paper."""
        default = self.sections == "full" and not self.features.parameters.get("as_published")
        return self.snapshot if default else None

    def rows_of(self, ids: Sequence[str]) -> np.ndarray:
        """The row of each id, -1 where there is none."""
        return self.snapshot.rows(ids)

    def row_of(self, number: str) -> int:
        """The row of an id."""
        row = int(self.snapshot.rows([number])[0])
        if row < 0:
            raise NotInCorpus(f"{number} is not in the index: run `foreart build` on a corpus that has it")
        return row

    @property
    def largest_weight_sum(self) -> float:
        """A row of unit length has a sum below the root of its number of words; that of BM25 is computed."""
        if self.weighting.saturating:
            return self.engine.largest_sum
        words = max(
            (int(np.diff(segment.arrays.row_ends).max(initial=0)) for segment in self.snapshot.segments), default=0
        )
        return float(np.sqrt(words))

    def document_weights(self, rows: np.ndarray) -> tuple[Sequence[str], csr_array]:
        """Words, and for some documents their weights: those of a row of unit length, or without idf for BM25."""
        counts = counts_of(self.snapshot, rows)
        data = self.weighting.tf_weight(counts.rows.data)
        owners = np.repeat(self.engine.divisors(rows), np.diff(counts.rows.indptr))
        if self.weighting.saturating:
            data = data / (data + owners)
        else:
            df = frequencies(self.snapshot, counts.terms)
            data = data * self.weighting.idf_of(df, self.snapshot.documents)[counts.rows.indices] / owners
        return counts.terms, csr_array((data, counts.rows.indices, counts.rows.indptr), shape=counts.rows.shape)

    def query_weights(self, query: Query) -> tuple[Sequence[str], np.ndarray]:
        """The words of a query, and by what the weights of documents are multiplied."""
        return query.words, query.factors if self.weighting.saturating else query.weights

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words they contain."""
        counts = counts_of(self.snapshot, [self.row_of(number) for number in ids])
        learned = copy(self.features)
        df = frequencies(self.snapshot, counts.terms)
        learned.set_statistics(counts.terms, df, documents=self.snapshot.documents, words=self.snapshot.words)
        return learned.encode_counts(counts)


@dataclass(frozen=True)
class WordExplanation(Explanation):
    """A query and its index."""

    index: WordIndex
    query: Query

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """The contribution of each query word to the score of a document."""
        shares = self.index.engine.shares(self.query, self.index.row_of(number))
        return largest_first(self.query.words, shares.tolist())


class PostingsForm(IndexForm):
    """Indexes of shared postings; the folder of the index has only a reference to them."""

    kind: Kind

    @abstractmethod
    def over(self, snapshot: Snapshot) -> Index:
        """The index of a snapshot."""

    def build(self, inputs: BuildInputs) -> Index:
        """Writes the reference to the postings."""
        assert inputs.snapshot is not None and inputs.postings is not None
        write_words(inputs.folder, self.kind, inputs.postings, keep=inputs.keep)
        return self.over(inputs.snapshot)


class WordForm(PostingsForm):
    """Indexes of words, which share the postings of a section."""

    def __init__(self, features: WordFeatures) -> None:
        self.kind = self.features = features

    def source(self, sections: str) -> DocumentRows:
        """The postings of the section."""
        return DocumentRows.of(self.features, sections)

    def weighting(self) -> Weighting:
        """The weighting of the features."""
        return Weighting.of(self.features.name, self.features.parameters)

    def over(self, snapshot: Snapshot) -> WordIndex:
        """The index of a snapshot."""
        return WordIndex(snapshot, self.features)


def described(snapshot: Snapshot, features: str, parameters: dict[str, Any]) -> Description:
    """The description of an index of the postings of a snapshot."""
    manifest = snapshot.manifest
    assert manifest is not None
    return Description(
        sections=manifest.sections,
        features=features,
        parameters=parameters,
        corpus=manifest.corpus,
        documents=manifest.documents,
        columns=manifest.statistics.terms,
        numbers=manifest.postings,
        fingerprint=manifest.fingerprint,
        foreart=manifest.foreart,
        form=manifest.form,
        statistics=asdict(manifest.statistics),
    )


def _description(snapshot: Snapshot, features: WordFeatures, weighting: Weighting) -> Description:
    measured = snapshot.manifest.recall if snapshot.manifest is not None else {}
    recall = dict(measured.get(recall_key(weighting), {}))
    return replace(described(snapshot, features.name, features.parameters), recall=recall)
