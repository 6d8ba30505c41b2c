"""What an evaluation tells, as JSON or as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

from foreart.cli.printing import messages, output
from foreart.cli.study_commands import evaluation_tables as tables
from foreart.cli.study_commands.evaluation_bench import Bench, Side
from foreart.evaluation import GROUPINGS, Assessment, Contrast, Found, Group, Interval, by_group, compare, intervals
from foreart.evaluation.evaluation_json import contrast_records, evaluation_record, group_records, per_query_record
from foreart.evaluation.significance import LEVEL, SAMPLES


@dataclass(frozen=True)
class Report:
    """What is told, as JSON or as tables."""

    bench: Bench
    sides: Sequence[Side]
    samples: int
    grouping: str | None
    per_query: bool
    level: float = LEVEL

    @property
    def first(self) -> Assessment:
        """The one that is told in full, and held against the others."""
        return self.sides[0].assessment

    @cached_property
    def intervals(self) -> Mapping[str, Interval] | None:
        """Of every metric, unless none were asked for."""
        if not self.samples:
            return None
        return intervals(self.first.evaluation, samples=self.samples, level=self.level, seed=self.bench.conditions.seed)

    @cached_property
    def contrasts(self) -> Sequence[Contrast]:
        """The first against each of the others, which are its baselines."""
        mine, *others = self.sides
        samples, seed = self.samples or SAMPLES, self.bench.conditions.seed
        return [
            contrast
            for other in others
            for contrast in compare(
                {other.name: other.assessment.evaluation, mine.name: mine.assessment.evaluation},
                samples=samples,
                level=self.level,
                seed=seed,
            )
        ]

    @cached_property
    def groups(self) -> Sequence[Group]:
        """Groups of queries, if they were asked for."""
        if not self.grouping:
            return ()
        return by_group(self.first.evaluation, GROUPINGS[self.grouping](self.bench.found.queries))

    @cached_property
    def notes(self) -> list[str]:
        """What a reader of the figures must know, each once."""
        found = self._looked_up
        notes = [*(found.notes if found else ()), *(note for side in self.sides for note in side.assessment.notes)]
        return list(dict.fromkeys(notes))

    @property
    def _looked_up(self) -> Found | None:
        """The queries, if anything needed them."""
        return self.bench.found if self.grouping or any(side.index for side in self.sides) else None

    @property
    def missing(self) -> list[str]:
        """Queries of the qrels that no index could be asked."""
        return list(self.bench.found.missing) if any(side.index for side in self.sides) else []

    def record(self) -> dict[str, Any]:
        """The contract: `metrics` has the names as they were given."""
        side = self.sides[0]
        evaluation = side.assessment.evaluation
        corpus = self._corpus()
        record = {
            **evaluation_record(evaluation, self.intervals),
            "missing_queries": self.missing,
            "random_documents": side.assessment.random,
            "index": {"name": side.name, **side.index.to_record()} if side.index else None,
            "ranking": side.ranking.to_record() if side.ranking else None,
            "run": None if side.index else side.name,
            "corpus": corpus,
            "conditions": {**asdict(self.bench.conditions), "samples": self.samples, "level": self.level},
            "foreart": version("foreart"),
            "notes": self.notes,
        }
        if len(self.sides) > 1:
            record["against"] = contrast_records(self.contrasts)
        if self.grouping:
            record["groups"] = {"by": self.grouping, "rows": group_records(self.groups)}
        if self.per_query:
            record["per_query"] = per_query_record(evaluation)
        return record

    def show(self) -> None:
        """Tables on standard output, notes on standard error."""
        console = output()
        evaluation = self.first.evaluation
        console.print(tables.figures(evaluation, self.intervals, self.level))
        if len(self.sides) > 1:
            tables.print_wide(console, tables.contrasts(self.contrasts, self.level))
        if self.grouping:
            tables.print_wide(console, [tables.groups(self.groups, self.grouping, evaluation.values)])
        if self.per_query:
            tables.print_wide(console, [tables.per_query(evaluation)])
        console.print(f"\n{self.sides[0].name}: {self._counts()}")
        for note in self._all_notes():
            messages().print(f"note: {note}", style="yellow")

    def _corpus(self) -> dict[str, Any] | None:
        used = self._looked_up is not None or self.bench.conditions.pooled
        corpus = self.bench.corpus if used and self.bench.library.corpus_path.exists() else None
        return {"fingerprint": corpus.fingerprint, "documents": len(corpus)} if corpus is not None else None

    def _counts(self) -> str:
        evaluation = self.first.evaluation
        pairs = evaluation.pairs
        told = f"{len(evaluation.queries):,} queries"
        if pairs is not None:
            told += f", {len(pairs):,} pairs of which {pairs.cited:,} are relevant"
        return told

    def _all_notes(self) -> list[str]:
        evaluation = self.first.evaluation
        lists = (
            (self.missing, "queries were not found and do not count"),
            (evaluation.unranked, "queries are not ranked and count 0"),
            (evaluation.left_out, "queries have no relevant document and are left out"),
        )
        told = [f"{len(names):,} {what}: {', '.join(names)}" for names, what in lists if names]
        return [*told, *self.notes]
