"""Draws an expert set from labelled pairs of a corpus and writes its folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from foreart.corpus import Corpus
from foreart.errors import NotInCorpus, StaleIndex
from foreart.index import Index
from foreart.review.expert_folder import write_set
from foreart.review.expert_set import Item, choose_targets, expert_set
from foreart.review.pair_similarity import pair_similarity
from foreart.review.sheet import sheet_rows


class LabelledPairs(Protocol):
    """The pairs of `foreart pairs`: what targets cite, and the random documents of all of them."""

    @property
    def targets(self) -> Collection[str]:
        """All targets."""

    @property
    def cited(self) -> Mapping[str, Sequence[str]]:
        """The documents that each target cites."""

    @property
    def random(self) -> Sequence[str]:
        """The random documents."""

    @property
    def fingerprint(self) -> str:
        """A hash of the pairs."""


def sample_expert_set(
    out: Path,
    corpus: Corpus,
    index: Index,
    pairs: LabelledPairs,
    *,
    named: Iterable[str] = (),
    number: int = 10,
    each: int = 10,
    min_cited: int = 5,
    max_cited: int = 50,
    seed: int = 1,
) -> tuple[tuple[Item, ...], list[Path]]:
    """The pairs of a new set and the files of its folder.

    Targets are those that are `named`, else `number` drawn; `each` random documents are of high, middle and low score.
    """
    if index.description.corpus != corpus.fingerprint:
        raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build` again")
    targets = _named(named, pairs, corpus) or choose_targets(
        pairs.cited, number=number, min_cited=min_cited, max_cited=max_cited, seed=seed
    )
    items = expert_set(
        targets,
        cited=pairs.cited,
        others=pairs.random,
        similarity=partial(pair_similarity, index),
        each=each,
        seed=seed,
    )
    rows = sheet_rows(((item.target, item.document) for item in items), corpus.__getitem__)
    about = {"seed": seed, "each": each, "index": index.description.to_record(), "pairs": pairs.fingerprint}
    return items, write_set(out, items, rows, map(corpus.__getitem__, targets), about=about)


def _named(numbers: Iterable[str], pairs: LabelledPairs, corpus: Corpus) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for number in numbers:
        matches = [match for match in corpus.find(number) if match in pairs.targets]
        if not matches:
            raise NotInCorpus(f"{number} is not a target of these pairs: name it when you make them (--targets)")
        found[matches[-1]] = None
    return tuple(found)
