"""Targets paired with cited documents, random documents and family members: the first data set of the paper.

Helmers et al. (2019), Supporting Information S2: 2,427 targets, 41,762 cited, 2,427,000 random, 1,974 duplicate pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from foreart.corpus import EVERYTHING, Selection
from foreart.document.patent import Category
from foreart.errors import ForeartError, StaleIndex

Label = Literal["random", "cited", "duplicate"]
Rule = Literal["earlier", "unrelated", "uncited"]

# The position of a label is its number in arrays: 1 is cited, 0 is random, as AUC and AP expect.
LABELS: tuple[Label, ...] = ("random", "cited", "duplicate")
# The first is that of the paper, the last that of the baselines in ../shared/data.
RULES: dict[Rule, str] = {
    "earlier": "published before the target period, neither cited by nor in the family of any target",
    "unrelated": "of any date, neither cited by nor in the family of any target",
    "uncited": "of any date, in no cited pair; families are not considered",
}


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How pairs are made. The dates of the selection are the target period; its other conditions hold for all.

    An empty `rule` is `earlier` for the targets of a period and `unrelated` for named targets.
    """

    selection: Selection = EVERYTHING
    random: int = 1000
    rule: Rule | Literal[""] = ""
    seed: int = 1
    categories: tuple[Category, ...] = ()
    earlier_only: bool = False
    min_cited: int = 0

    def to_record(self) -> dict[str, Any]:
        """The settings as a JSON object, without empty conditions."""
        record = asdict(self)
        record["categories"] = list(self.categories)
        record["selection"] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in record["selection"].items()
            if value
        }
        return record


@dataclass(frozen=True, slots=True, eq=False)
class PairRows:
    """Pairs as arrays: rows of targets and documents, and the position of each label in LABELS.

    The pairs of the n-th target are those from `ends[n]` to `ends[n + 1]`.
    """

    targets: np.ndarray
    documents: np.ndarray
    labels: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Pairs:
    """A set of pairs. Random documents are shared: each target is paired with each. `corpus` is a fingerprint."""

    targets: tuple[str, ...]
    random: tuple[str, ...]
    cited: Mapping[str, tuple[str, ...]]
    duplicates: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    corpus: str = ""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        counts = self.counts
        return sum(counts[label] for label in LABELS)

    def __iter__(self) -> Iterator[tuple[str, str, Label]]:
        """Target, document and label of every pair, target by target: cited, random, duplicates."""
        for target in self.targets:
            for label, documents in self._of(target):
                for document in documents:
                    yield target, document, label

    def _of(self, target: str) -> tuple[tuple[Label, tuple[str, ...]], ...]:
        return (
            ("cited", self.cited.get(target, ())),
            ("random", self.random),
            ("duplicate", self.duplicates.get(target, ())),
        )

    @property
    def counts(self) -> dict[str, int]:
        """The number of targets, of targets that cite, and of pairs of each label."""
        return {
            "targets": len(self.targets),
            "citing": sum(bool(self.cited.get(target)) for target in self.targets),
            "cited": sum(map(len, self.cited.values())),
            "random": len(self.targets) * len(self.random),
            "duplicate": sum(map(len, self.duplicates.values())),
        }

    def documents(self) -> list[str]:
        """Every id of the set once, in order of id."""
        ids = {*self.targets, *self.random}
        for links in (self.cited, self.duplicates):
            ids.update(*links.values())
        return sorted(ids)

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """The set as rows of a table: random documents once, without a target, and targets without a document."""
        yield from ((target, "", "target") for target in self.targets)
        yield from (("", document, "random") for document in self.random)
        for label, links in (("cited", self.cited), ("duplicate", self.duplicates)):
            for target in self.targets:
                yield from ((target, document, label) for document in links.get(target, ()))

    @cached_property
    def fingerprint(self) -> str:
        """One hash of all pairs, without settings and corpus."""
        digest = hashlib.blake2b(digest_size=16)
        for line in self.lines():
            digest.update("\t".join(line).encode() + b"\n")
        return digest.hexdigest()

    def rows(self, ids: Sequence[str], *, labels: Iterable[Label] = LABELS) -> PairRows:
        """All pairs with one of the labels as row numbers in the order of `ids`, in the order of iteration."""
        row_of = {number: row for row, number in enumerate(ids)}
        missing = [number for number in self.documents() if number not in row_of]
        if missing:
            raise StaleIndex(
                f"{len(missing):,} documents of these pairs are not in the index (the first is {missing[0]}): "
                "make pairs and index from the same corpus, with `foreart pairs` and `foreart build`"
            )
        wanted = set(labels)
        shared = _rows(self.random, row_of)
        blocks: list[np.ndarray] = []
        marks: list[np.ndarray] = []
        ends = [0]
        for target in self.targets:
            for label, documents in self._of(target):
                if label in wanted:
                    blocks.append(shared if label == "random" else _rows(documents, row_of))
                    marks.append(np.full(len(documents), LABELS.index(label), np.int8))
            ends.append(ends[-1] + sum(len(documents) for label, documents in self._of(target) if label in wanted))
        sizes = np.diff(ends)
        return PairRows(
            targets=np.repeat(_rows(self.targets, row_of), sizes),
            documents=_joined(blocks, np.int32),
            labels=_joined(marks, np.int8),
            ends=np.array(ends, np.int64),
        )


def _rows(numbers: Sequence[str], row_of: Mapping[str, int]) -> np.ndarray:
    return np.fromiter((row_of[number] for number in numbers), np.int32, len(numbers))


def _joined(blocks: list[np.ndarray], kind: type[np.integer[Any]]) -> np.ndarray:
    return np.concatenate(blocks) if blocks else np.empty(0, kind)


def check(pairs: Pairs) -> None:
    """Raises an error for a set without targets or citations, which cannot be evaluated."""
    if not pairs.targets:
        raise ForeartError("there are no targets: choose another period with --year, --from and --to, or name them")
    if not pairs.counts["cited"]:
        raise ForeartError(
            f"none of the {len(pairs.targets):,} targets cites a document of the corpus: "
            "choose another period, or add the documents that they cite"
        )
