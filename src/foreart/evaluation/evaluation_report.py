"""The metrics of one or several systems on the same queries, with intervals, paired tests and groups of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

from foreart.evaluation.assessment import Assessment, EvaluationOptions
from foreart.evaluation.breakdown import GROUPINGS, QueryGroup, by_group
from foreart.evaluation.evaluation import Evaluation
from foreart.evaluation.evaluation_json import (
    cold_record,
    contrast_records,
    evaluation_record,
    group_records,
    per_query_record,
)
from foreart.evaluation.significance import LEVEL, SAMPLES, Contrast, Interval, compare, intervals
from foreart.evaluation.trec.queries import Found
from foreart.evaluation.trec.run import Run
from foreart.index import Description
from foreart.search.ranker import Fingerprinted


@dataclass(frozen=True)
class System:
    """One evaluated system: an index, a ranking (with the index that explains it), or a run in a file."""

    name: str
    assessment: Assessment
    index: Description | None = None
    ranking: Fingerprinted | None = None


@dataclass(frozen=True)
class EvaluationReport:
    """What `foreart.evaluate` returns: `report["map"]` is a figure of the first of `systems`, the others are baselines.

    `queries` are the query documents, None if runs are evaluated without them; `corpus` has fingerprint and number of
    documents. `samples` is the number of bootstrap samples, 0 for no intervals.
    """

    systems: tuple[System, ...]
    conditions: EvaluationOptions
    queries: Found | None = None
    corpus: Mapping[str, Any] | None = None
    by: str = ""
    samples: int = SAMPLES
    level: float = LEVEL

    def __getitem__(self, metric: str) -> float:
        return self.evaluation[metric]

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the first system."""
        return self.systems[0].assessment.evaluation

    @property
    def values(self) -> Mapping[str, float]:
        """The figures of the first system by metric."""
        return self.evaluation.values

    @property
    def cold(self) -> Evaluation | None:
        """The evaluation of the first system without siblings of the queries; None if it was not made."""
        return self.systems[0].assessment.cold

    @property
    def run(self) -> Run:
        """The evaluated rankings."""
        return self.systems[0].assessment.run

    @cached_property
    def intervals(self) -> Mapping[str, Interval] | None:
        """The bootstrap interval of each metric, if requested."""
        if not self.samples:
            return None
        return intervals(self.evaluation, samples=self.samples, level=self.level, seed=self.conditions.seed)

    @cached_property
    def contrasts(self) -> tuple[Contrast, ...]:
        """The first system against each of the others, which are its baselines."""
        first, *others = self.systems
        return tuple(
            contrast
            for other in others
            for contrast in compare(
                {other.name: other.assessment.evaluation, first.name: first.assessment.evaluation},
                samples=self.samples or SAMPLES,
                level=self.level,
                seed=self.conditions.seed,
            )
        )

    @cached_property
    def groups(self) -> tuple[QueryGroup, ...]:
        """The metrics by groups of queries, if requested."""
        if not self.by or self.queries is None:
            return ()
        return tuple(by_group(self.evaluation, GROUPINGS[self.by](self.queries.queries)))

    @property
    def missing(self) -> tuple[str, ...]:
        """Queries of the qrels whose documents were not found, so that no index could rank for them."""
        uses_index = self.queries is not None and any(system.index for system in self.systems)
        return self.queries.missing if self.queries is not None and uses_index else ()

    @property
    def notes(self) -> list[str]:
        """Caveats of the figures, each once."""
        query_notes = self.queries.notes if self.queries is not None else ()
        return list(
            dict.fromkeys((*query_notes, *(note for system in self.systems for note in system.assessment.notes)))
        )

    def to_record(self, *, per_query: bool = False) -> dict[str, Any]:
        """The report as a JSON object; `metrics` has the requested spellings."""
        first = self.systems[0]
        record = {
            **evaluation_record(self.evaluation, self.intervals),
            "cold": cold_record(first.assessment.cold, first.assessment.with_siblings),
            "missing_queries": list(self.missing),
            "random_documents": first.assessment.random,
            "index": {"name": first.name, **first.index.to_record()} if first.index else None,
            "ranking": first.ranking.to_record() if first.ranking else None,
            "run": None if first.index else first.name,
            "corpus": dict(self.corpus) if self.corpus is not None else None,
            "conditions": {**asdict(self.conditions), "samples": self.samples, "level": self.level},
            "foreart": version("foreart"),
            "notes": self.notes,
        }
        if len(self.systems) > 1:
            record["against"] = contrast_records(self.contrasts)
        if self.by:
            record["groups"] = {"by": self.by, "rows": group_records(self.groups)}
        if per_query:
            record["per_query"] = per_query_record(self.evaluation)
        return record
