"""Evaluates what a library can rank with, or runs of other systems, against judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

from foreart.corpus import Corpus
from foreart.errors import CorpusError, ForeartError
from foreart.evaluation.assessment import EvaluationOptions, assess_run, assess_scorer
from foreart.evaluation.breakdown import GROUPINGS
from foreart.evaluation.evaluation_report import EvaluationReport, System
from foreart.evaluation.metrics import DEFAULT_METRICS, parse_metrics
from foreart.evaluation.protocol import collection_of, ranker_scorer
from foreart.evaluation.significance import SAMPLES
from foreart.evaluation.trec.qrels import Qrels, read_qrels
from foreart.evaluation.trec.queries import Found, QueryDocument, corpus_queries, file_queries
from foreart.evaluation.trec.run import read_run
from foreart.evaluation.trec.topics import read_topics
from foreart.index import Index
from foreart.rankings import RANKINGS
from foreart.search import Ranker

# Called after each query: the system that ranks, the number done, the number of all.
Progress = Callable[[str, int, int], None]


class Searched(Protocol):
    """The library whose indexes and rankings are evaluated: `foreart.Library`."""

    folder: Path

    @property
    def corpus_path(self) -> Path:
        """The file of the corpus, which may not exist yet."""

    @property
    def corpus(self) -> Corpus:
        """The corpus."""

    @property
    def indexes(self) -> list[str]:
        """The names of the indexes that were built."""

    def index(self, name: str = ...) -> Index:
        """An index that was built before."""

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """Ranks all documents for a draft."""


def evaluate(
    library: Searched,
    qrels: Qrels | str | Path,
    metrics: str | Iterable[str] | None = None,
    *,
    index: str = "",
    ranking: str = "auto",
    run: str | Path | None = None,
    against: Sequence[str] = (),
    queries: str | Path | None = None,
    exact: bool = False,
    conditions: EvaluationOptions | None = None,
    by: str = "",
    samples: int = SAMPLES,
    progress: Progress | None = None,
) -> EvaluationReport:
    """How well a library's searches, one index alone, or a run of any system find what is relevant.

    `qrels` are judgements, a TREC file of them, or a folder of topics; the queries are documents of the corpus unless
    `queries` is a file that has them. `against` names indexes, rankings or files of runs to compare with; `exact`
    compares every document in full, without choosing candidates first. `conditions` say how rankings are made, `by`
    divides queries into groups, `samples` are those of the bootstrap intervals.
    """
    known = conditions or EvaluationOptions()
    alone = run is not None and not library.corpus_path.exists()
    asked_for = replace(known, metrics=_metrics(metrics, known, alone=alone))
    bench = _Bench(library, asked_for, *_judgements(qrels), queries, progress, exact)
    if by and by not in GROUPINGS:
        raise ForeartError(f"queries cannot be grouped by {by!r}; there are {', '.join(GROUPINGS)}")
    first = str(run) if run is not None else index or ranking
    is_run = {name: bench.is_run(name) for name in against} | {first: run is not None}
    asked = None if all(is_run.values()) else [query.id for query in bench.found.queries]
    systems = tuple(bench.of_run(name, asked) if is_run[name] else bench.of_library(name) for name in (first, *against))
    found = bench.found if by or any(system.index for system in systems) else None
    return EvaluationReport(
        systems, bench.conditions, found, bench.corpus_record(used=found is not None), by=by, samples=samples
    )


def _judgements(given: Qrels | str | Path) -> tuple[Qrels, tuple[QueryDocument, ...] | None]:
    """Judgements, and their queries where a folder of topics has them."""
    if isinstance(given, Qrels):
        return given, None
    if Path(given).is_dir():
        topics = read_topics(Path(given))
        return topics.qrels, topics.queries
    return read_qrels(given), None


def _metrics(given: str | Iterable[str] | None, conditions: EvaluationOptions, *, alone: bool) -> tuple[str, ...]:
    """The requested metrics; by default all, without a corpus all except pooled ones."""
    asked = parse_metrics(conditions.metrics if given is None else given)
    usual = given is None and conditions.metrics == DEFAULT_METRICS
    return tuple(item.text for item in asked if not (usual and alone and item.metric.pooled))


@dataclass(frozen=True)
class _Bench:
    """Judgements, queries and corpus, each opened when it is first needed."""

    library: Searched
    conditions: EvaluationOptions
    qrels: Qrels
    topics: tuple[QueryDocument, ...] | None
    queries: str | Path | None
    progress: Progress | None
    exact: bool

    @cached_property
    def found(self) -> Found:
        """The queries; refused if there is none."""
        if self.topics is not None:
            return Found(self.topics)
        if self.queries is not None:
            found, place = file_queries(self.queries, self.qrels), str(self.queries)
        else:
            found, place = corpus_queries(self.corpus, self.qrels), f"the corpus {self.corpus.path}"
        if not found.queries:
            number = len(self.qrels)
            raise ForeartError(f"none of the {number:,} queries is in {place}: give the file that has them (--queries)")
        return found

    @cached_property
    def corpus(self) -> Corpus:
        if not self.library.corpus_path.exists():
            raise CorpusError(f"no corpus at {self.library.corpus_path}: load files with `foreart add FILE...`")
        return self.library.corpus

    def corpus_record(self, *, used: bool) -> dict[str, Any] | None:
        if not (used or self.conditions.pooled) or not self.library.corpus_path.exists():
            return None
        return {"fingerprint": self.corpus.fingerprint, "documents": len(self.corpus)}

    def is_run(self, name: str) -> bool:
        if name in RANKINGS or name in self.library.indexes:
            return False
        if Path(name).is_file():
            return True
        raise ForeartError(f"{name} is neither an index of {self.library.folder} nor a file")

    def of_library(self, name: str) -> System:
        """The system of an index, or of a ranking of all channels."""
        ranker = self.library.ranker(ranking=name) if name in RANKINGS else self.library.ranker(name)
        ranker = ranker.exactly() if self.exact else ranker
        collection = collection_of(ranker, self.corpus)
        called = ranker.ranking.name if ranker.ranking else next(iter(ranker.indexes))
        found = assess_scorer(
            ranker_scorer(ranker),
            collection,
            self.found.queries,
            self.qrels,
            self.conditions,
            tag=called,
            progress=partial(self.progress, called) if self.progress is not None else None,
        )
        noted = replace(found, notes=(*found.notes, *ranker.notes, *collection.notes))
        return System(called, noted, ranker.description, ranker.ranking)

    def of_run(self, name: str, queries: Sequence[str] | None) -> System:
        """The system of a run file, which needs a corpus only for the random documents of pooled metrics."""
        corpus = self.corpus if self.conditions.pooled else None
        return System(name, assess_run(read_run(name), self.qrels, self.conditions, corpus=corpus, queries=queries))
