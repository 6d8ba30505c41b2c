"""Facts of texts, extracted in parts by a pool that does not open the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from foreart.corpus.corpus import Corpus
from foreart.corpus.record_files import read_records, record_path, write_records
from foreart.corpus.relations.signature import PERMUTATIONS
from foreart.corpus.views.text_facts import Progress, TextFacts, facts_of
from foreart.part_files import PartFolder, PartTask, batches, is_intact, joined, read_part, split, write_part

# Increased when what is extracted from a text changes, so that parts of an older foreart are not used.
_FORM = 1


@dataclass(frozen=True)
class FactsTask(PartTask):
    """Extracts the facts of the patents in a file of records."""

    records: Path
    path: Path
    documents: int

    def is_written(self, root: Path) -> bool:
        """Whether they are there."""
        return is_intact(root / self.path)

    def write(self, root: Path) -> None:
        """Extracts and writes them."""
        facts = [facts_of(record.json, record.signature) for record in read_records(root / self.records)]
        names, name_ends = joined([name.encode() for each in facts for name in each.inventors])
        sketches, _ = joined([each.sketch for each in facts])
        write_part(
            root / self.path,
            {
                "named": np.concatenate([np.zeros(0, dtype=np.uint64), *(each.named for each in facts)]),
                "named_ends": _ends([len(each.named) for each in facts]),
                "names": names,
                "name_ends": name_ends,
                "inventor_ends": _ends([len(each.inventors) for each in facts]),
                "estimated": np.array([each.estimated for each in facts], dtype=bool),
                "sketches": sketches,
            },
        )


def facts_by_parts(
    corpus: Corpus, parts: PartFolder, rows: np.ndarray, serials: Sequence[int], *, progress: Progress | None = None
) -> Iterator[TextFacts]:
    """The facts of the patents in these rows of the corpus, in order."""
    ends = np.cumsum([len(batch) for batch in batches(rows)])[:-1].astype(np.int64)
    groups = [group.tolist() for group in np.split(np.asarray(serials, dtype=np.int64), ends)] if len(rows) else []
    tasks = [_task(corpus, parts, group) for group in groups]
    serials_of = {task.path: group for task, group in zip(tasks, groups, strict=True)}
    parts.make(
        tasks,
        prepare=lambda task: write_records(parts, corpus, serials_of[task.path]),
        report=lambda done: progress(done, len(serials)) if progress is not None else None,
    )
    for task in tasks:
        yield from _read(parts.root / task.path)


def _task(corpus: Corpus, parts: PartFolder, serials: list[int]) -> FactsTask:
    records = record_path(parts, corpus, serials)
    return FactsTask(records, parts.path("facts", _FORM, records.name), len(serials))


def _read(path: Path) -> Iterator[TextFacts]:
    arrays = read_part(path)
    names = [name.decode() for name in split(arrays["names"], arrays["name_ends"])]
    inventors, named = pairwise(arrays["inventor_ends"].tolist()), pairwise(arrays["named_ends"].tolist())
    sketches, estimated = arrays["sketches"].tobytes(), arrays["estimated"].tolist()
    for document, (own, numbers, day) in enumerate(zip(inventors, named, estimated, strict=True)):
        start = document * PERMUTATIONS
        yield TextFacts(
            np.array(arrays["named"][slice(*numbers)]),
            tuple(names[slice(*own)]),
            day,
            sketches[start : start + PERMUTATIONS],
        )


def _ends(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
