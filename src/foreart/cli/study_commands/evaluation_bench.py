"""What an evaluation needs, opened when it is needed: judgements, queries, corpus, indexes and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from foreart.cli.printing import progress
from foreart.corpus import Corpus
from foreart.errors import CorpusError, ForeartError
from foreart.evaluation import (
    Assessment,
    Conditions,
    Found,
    Qrels,
    RankerScorer,
    Scorer,
    Topics,
    assess_run,
    assess_scorer,
    corpus_queries,
    documents_of,
    file_queries,
    index_scorer,
    ranker_scorer,
    read_qrels,
    read_run,
    read_topics,
)
from foreart.index import Description
from foreart.index_store import DEFAULT_INDEX
from foreart.library import Library
from foreart.rankings import RANKINGS
from foreart.search.ranker import Fingerprinted


@dataclass(frozen=True)
class Side:
    """One thing that was evaluated: an index, a ranking (which has an index that explains), or a run in a file."""

    name: str
    assessment: Assessment
    index: Description | None = None
    ranking: Fingerprinted | None = None


@dataclass(frozen=True)
class Bench:
    """Judgements, queries and corpus, each opened when it is first needed."""

    library: Library
    conditions: Conditions
    qrels_file: Path | None
    queries_file: str | None
    topics: Path | None

    @cached_property
    def qrels(self) -> Qrels:
        """What is relevant to which query."""
        if self.qrels_file is not None:
            return read_qrels(self.qrels_file)
        return self._topics.qrels

    @cached_property
    def _topics(self) -> Topics:
        assert self.topics is not None
        return read_topics(self.topics)

    @cached_property
    def found(self) -> Found:
        """The queries; refused if there is none."""
        if self.topics is not None:
            return Found(self._topics.queries)
        if self.queries_file is not None:
            found, place = file_queries(self.queries_file, self.qrels), self.queries_file
        else:
            found, place = corpus_queries(self.corpus, self.qrels), f"the corpus {self.corpus.path}"
        if not found.queries:
            raise ForeartError(
                f"none of the {len(self.qrels):,} queries of {self.qrels_file} is in {place}: "
                "give the file that has them with --queries"
            )
        return found

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus, which must be there."""
        if not self.library.corpus_path.exists():
            raise CorpusError(f"no corpus at {self.library.corpus_path}: load files with `foreart add FILE...`")
        return self.library.corpus

    def sides(self, names: Sequence[str], *, runs: Sequence[bool | None]) -> list[Side]:
        """Every index and run evaluated, on the queries that all of them can answer for."""
        kinds = [self._is_run(name) if is_run is None else is_run for name, is_run in zip(names, runs, strict=True)]
        queries = None if all(kinds) else [query.id for query in self.found.queries]
        return [
            self._run(name, queries) if is_run else self._index(name) for name, is_run in zip(names, kinds, strict=True)
        ]

    def _is_run(self, name: str) -> bool:
        if name in RANKINGS or name in self.library.indexes:
            return False
        if Path(name).is_file():
            return True
        raise ForeartError(f"{name} is neither an index of {self.library.folder} nor a file")

    def _index(self, name: str) -> Side:
        if name in RANKINGS:
            ranker = self.library.ranker(ranking=name)
            called = ranker.ranking.name if ranker.ranking else DEFAULT_INDEX
            told = self._assessed(called, ranker_scorer(ranker, self.corpus), ranker.ids)
            return Side(called, replace(told, notes=(*told.notes, *ranker.notes)), ranker.description, ranker.ranking)
        index = self.library.index(name)
        return Side(name, self._assessed(name, index_scorer(index, self.corpus), index.ids), index.description)

    def _assessed(self, name: str, scorer: Scorer | RankerScorer, ids: Sequence[str]) -> Assessment:
        documents = documents_of(self.corpus, ids)
        with progress(f"ranking by {name}") as show:
            return assess_scorer(
                scorer,
                documents,
                self.found.queries,
                self.qrels,
                self.conditions,
                tag=name,
                progress=lambda done, total: show(None, done, total),
            )

    def _run(self, name: str, queries: Sequence[str] | None) -> Side:
        """A run needs no corpus, but for the random documents that pooled metrics compare with."""
        corpus = self.corpus if self.conditions.pooled else None
        return Side(name, assess_run(read_run(name), self.qrels, self.conditions, corpus=corpus, queries=queries))
