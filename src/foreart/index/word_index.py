"""An index of words: postings of counts under one weighting."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from foreart.errors import NotInCorpus
from foreart.features import Bm25, Features, Tfidf, make
from foreart.index.build.document_rows import DocumentRows
from foreart.index.index import Description, Explanation, Index, greatest_first
from foreart.index.index_kinds import BuildInputs, IndexForm, Kind
from foreart.index.query.engine import Engine
from foreart.index.query.near import near_pairs
from foreart.index.query.recall import recall_key
from foreart.index.query.snapshot_counts import counts_of, frequencies
from foreart.index.scoring.query_terms import Query
from foreart.index.storage import store
from foreart.index.storage.frequent import grid_name
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_folder import write_words


class WordIndex(Index):
    """Documents by the words they share with a query; `features` has the weighting's parameters and learns nothing."""

    def __init__(self, snapshot: Snapshot, features: Features) -> None:
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
        return self._ids

    @cached_property
    def _ids(self) -> list[str]:
        return list(self.snapshot.ids)

    def has_rows(self, ids: Sequence[str]) -> bool:
        """Whether its rows are of these ids, in their order."""
        return self.snapshot.has_rows(ids)

    def words(self, text: str) -> list[str]:
        """A text cut as the postings are."""
        return self.features.words(text)

    def encode(self, text: str) -> Query:
        """The weighted words of a text."""
        return self.engine.query(self.words(text))

    def scores(self, query: Query) -> np.ndarray:
        """The score of every document, to six digits."""
        return self.engine.scores(query)

    def top(
        self, query: Query, k: int, *, allowed: np.ndarray | None = None, exact: bool | None = None
    ) -> list[tuple[str, float]]:
        """The k best documents of those allowed, with exact scores.

        A large index is asked in two stages, which miss the share of documents that `description.recall` names, unless
        `exact` is True.
        """
        rows, scores = self.engine.top(query, k, allowed=allowed, exact=exact)
        ids = self.snapshot.ids
        return [(ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]

    def near(self, threshold: float) -> Iterator[tuple[str, str, float]]:
        """All pairs of documents whose cosine is `threshold` or more, as they are found."""
        lengths = self.snapshot.lengths.get(self.weighting.lengths_key or "")
        ids = self.ids
        for one, other, score in near_pairs(self.snapshot, self.weighting, threshold, lengths=lengths):
            yield ids[one], ids[other], score

    def explanation(self, text: str) -> Explanation:
        """Ready to say why documents score as they do for a query text."""
        return WordExplanation(self, self.encode(text))

    @property
    def postings(self) -> Snapshot | None:
        """Its own, unless they are of a section or cut as the paper cuts."""
        usual = self.sections == "full" and not self.features.parameters.get("as_published")
        return self.snapshot if usual else None

    def row_of(self, number: str) -> int:
        """The row of an id."""
        row = int(self.snapshot.rows([number])[0])
        if row < 0:
            raise NotInCorpus(f"{number} is not in the index: build it of the corpus it is in")
        return row

    def weighted(self, ids: Iterable[str]) -> csr_array:
        """The weighted rows of some documents, over the words that they have."""
        counts = counts_of(self.snapshot, [self.row_of(number) for number in ids])
        learned = make(self.features.name, self.features.parameters)
        assert isinstance(learned, Tfidf | Bm25)
        df = frequencies(self.snapshot, counts.terms)
        learned.know(counts.terms, df, documents=len(self.snapshot), words=self.snapshot.words)
        return learned.encode_counts(counts)


@dataclass(frozen=True)
class WordExplanation(Explanation):
    """A query and the index it was made for."""

    index: WordIndex
    query: Query

    def of(self, number: str) -> tuple[tuple[str, float], ...]:
        """What each word of the query adds to the score of a document."""
        shares = self.index.engine.shares(self.query, self.index.row_of(number))
        return greatest_first(self.query.words, shares.tolist())


class PostingsForm(IndexForm):
    """Indexes that search postings they share with others: a small file in the folder of the index names them."""

    kind: Kind

    @abstractmethod
    def over(self, snapshot: Snapshot) -> Index:
        """The index of a snapshot."""

    def build(self, inputs: BuildInputs) -> Index:
        """Names the postings in the folder of the index."""
        assert inputs.snapshot is not None and inputs.place is not None
        write_words(inputs.folder, self.kind, inputs.place)
        return self.over(inputs.snapshot)

    def open(self, postings: Path) -> Index:
        """The index of postings that its folder names."""
        return self.over(store.load(postings))


class WordForm(PostingsForm):
    """Indexes of words: postings of whole documents, shared by all weightings of a section."""

    def __init__(self, features: Features) -> None:
        self.kind = self.features = features

    def source(self, sections: str) -> DocumentRows:
        """The postings of the section."""
        return DocumentRows.of(self.features, sections)

    def weighting(self) -> Weighting:
        """That of the features."""
        return Weighting.of(self.features.name, self.features.parameters)

    def over(self, snapshot: Snapshot) -> WordIndex:
        """The index of a snapshot."""
        return WordIndex(snapshot, self.features)


def described(snapshot: Snapshot, features: str, parameters: dict[str, Any]) -> Description:
    """What an index that asks the postings of a snapshot says of itself."""
    about = snapshot.manifest
    assert about is not None
    return Description(
        sections=about.sections,
        features=features,
        parameters=parameters,
        corpus=about.corpus,
        documents=about.documents,
        columns=about.statistics.terms,
        numbers=about.postings,
        fingerprint=about.fingerprint,
        foreart=about.foreart,
        form=about.form,
        statistics=asdict(about.statistics),
    )


def _description(snapshot: Snapshot, features: Features, weighting: Weighting) -> Description:
    measured = snapshot.manifest.recall if snapshot.manifest is not None else {}
    recall = dict(measured.get(recall_key(weighting), {}))
    return replace(described(snapshot, features.name, features.parameters), recall=recall)
