"""The shared state of the steps of one run: the corpus, the pairs, the labels and the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.corpus_counts import CorpusStatistics
from foreart.corpus.statistics import statistics
from foreart.evaluation.pairs.pairs import Pairs
from foreart.paper.experiments.comparing import Comparisons, comparisons
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.section_texts import SectionTexts
from foreart.paper.experiments.work import Work
from foreart.review import JudgedPair
from foreart.text import SECTIONS


@dataclass(frozen=True, slots=True)
class StudySettings:
    """Options of a study; the defaults are the paper's.

    `without` names representations, or the section `description`, to skip. `parameters` override those of a
    representation's features. `sampled` is the number of patents of F8.
    """

    dimensions: tuple[int, ...] = (100, 250, 500, 1000)
    without: tuple[str, ...] = ()
    model: str = ""
    seed: int = 1
    workers: int = 1
    as_published: bool = False
    sampled: int = 5000
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of the paper, then the description."""
        return tuple(name for name in SECTIONS if name not in (*self.without, "abstract-claims"))

    def sections_of(self, name: str) -> tuple[str, ...]:
        """The sections for which a representation is computed."""
        return tuple(each for each in self.sections if each != "description" or not REPRESENTATIONS[name].slow)

    @property
    def representations(self) -> tuple[str, ...]:
        """The representations that are computed."""
        left_out = {*self.without} | (set() if self.model else {"embedding"})
        return tuple(name for name in REPRESENTATIONS if name not in left_out)

    def to_record(self) -> dict[str, Any]:
        """The settings as a JSON object."""
        return {
            "dimensions": list(self.dimensions),
            "without": list(self.without),
            "model": self.model,
            "seed": self.seed,
            "workers": self.workers,
            "as_published": self.as_published,
            "sampled": self.sampled,
            "parameters": {name: dict(values) for name, values in self.parameters.items()},
        }


@dataclass(frozen=True)
class Study:
    """One run. `ids` are the documents in the order of rows; `judged` pairs have the ids of the corpus."""

    corpus: Corpus
    ids: Sequence[str]
    pairs: Pairs
    compared: Comparisons
    judged: tuple[JudgedPair, ...]
    texts: SectionTexts
    work: Work
    settings: StudySettings
    statistics: CorpusStatistics

    @property
    def learned(self) -> np.ndarray:
        """The rows of all documents except the targets, on which representations are fitted."""
        return np.setdiff1d(np.arange(len(self.ids)), self.compared.targets)

    def words(self, section: str) -> float:
        """The approximate number of words of a section in the full corpus, in millions."""
        lengths = self.statistics.lengths
        parts = SECTIONS[section]
        return (sum(lengths[part].count * lengths[part].mean for part in parts) + 8 * len(self.ids)) / 1e6


def study(
    corpus: Corpus, pairs: Pairs, folder: str | Path, *, settings: StudySettings, judged: Sequence[JudgedPair] = ()
) -> Study:
    """The study of a corpus and pairs, with a folder of finished steps."""
    ids = corpus.ids()
    named = _named(corpus, judged)
    compared = comparisons(pairs, ids, [(item.target, item.document) for item in named])
    order = hashlib.blake2b("\n".join(ids).encode(), digest_size=8).hexdigest()
    basis = {"corpus": corpus.fingerprint, "order": order, "foreart": version("foreart")}
    texts = SectionTexts(corpus, Work(folder, basis=basis), as_published=settings.as_published)
    work = Work(folder, basis={**basis, "pairs": compared.fingerprint})
    return Study(corpus, ids, pairs, compared, named, texts, work, settings, statistics(corpus))


def _named(corpus: Corpus, judged: Sequence[JudgedPair]) -> tuple[JudgedPair, ...]:
    """Replaces numbers without kind code by ids of the corpus, where it has them."""
    known: dict[str, str] = {}
    for number in {name for item in judged for name in (item.target, item.document)}:
        known[number] = (corpus.find(number) or [number])[-1]
    return tuple(replace(item, target=known[item.target], document=known[item.document]) for item in judged)
