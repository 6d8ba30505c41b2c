"""A learned ranking as a record: weights, how they were trained, and their metrics on held-out folds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from foreart.corpus import Corpus
from foreart.durable import replace_text
from foreart.errors import IndexingError
from foreart.identifiers.numbers import number_key
from foreart.search.ranking.ranking_inputs import RankingInputs, SignalModels
from foreart.search.ranking.weights.held_out import HeldOut, held_out_of, held_out_record
from foreart.search.ranking.weights.model_records import models_of, models_record

FORM = 2
# Forms that this version reads; the first lacks cold figures and learned similarity.
_FORMS = (1, FORM)
FILE = "learned.json"
_CHECKSUM = "checksum"
# The version whose files may lack a checksum.
_UNCHECKED = "0.1.0"
# Learned weights are outdated if more than this share of documents is new, or of training queries is gone.
_MAX_CHANGED = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """A held-out fold: weights and models learned without its documents, to evaluate on them."""

    ids: tuple[str, ...]
    weights: Mapping[str, float]
    models: SignalModels


@dataclass(frozen=True, slots=True, eq=False)
class WeightSet:
    """Weights of signals, those of each fold, and what held-out folds showed of them."""

    weights: Mapping[str, float]
    fold_weights: tuple[Mapping[str, float], ...]
    held_out: HeldOut


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which ranking made a list, for records: its name, and a fingerprint of everything that affects scores."""

    name: str
    fingerprint: str
    corpus: str = ""
    metrics: Mapping[str, Any] = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """Weights of signals, and the models that signals use. `hubs` are the mean similarities of documents, by id.

    `folds` divide the training queries; `held_out` is measured on each fold with the weights learned without it.
    `topics` are fingerprints of the topics that the matrices of similarity were learned for; `plain` is used instead
    when they have changed: it has the weights without learned similarity. `training` has parameters and counts,
    `versions` and `indexes` what was used.
    """

    weights: Mapping[str, float]
    models: SignalModels
    held_out: HeldOut = field(default_factory=HeldOut)
    corpus: str = ""
    hubs: Mapping[str, float] = field(default_factory=dict)
    hub_mean: float = 0.0
    folds: tuple[Fold, ...] = ()
    topics: Mapping[str, str] = field(default_factory=dict)
    plain: WeightSet | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    indexes: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def metrics(self) -> Mapping[str, Any]:
        """The metrics of held-out folds, with siblings in the corpus."""
        return self.held_out.metrics

    @property
    def cold(self) -> Mapping[str, Any]:
        """The metrics of held-out folds, without siblings."""
        return self.held_out.cold

    @property
    def fingerprint(self) -> str:
        """A hash of everything that affects scores; without learned similarity, the same as in 0.1."""
        models = models_record(self.models)
        ranking = {
            "weights": dict(self.weights),
            **{name: model for name, model in models.items() if name != "similarity" or model},
            "hubs": dict(self.hubs),
            "hub_mean": self.hub_mean,
        }
        return blake2b(json.dumps(ranking, sort_keys=True).encode(), digest_size=16).hexdigest()

    def fitting(self, inputs: RankingInputs) -> Learned:
        """Itself, or the ranking without learned similarity if the topics have changed since."""
        if not self.models.similarity or self.plain is None or self.topics == inputs.texts.models():
            return self
        folds = zip(self.folds, self.plain.fold_weights, strict=True)
        return replace(
            self,
            weights=self.plain.weights,
            models=SignalModels(self.models.neighbours),
            held_out=self.plain.held_out,
            folds=tuple(Fold(fold.ids, weights, SignalModels(fold.models.neighbours)) for fold, weights in folds),
        )

    def unlearned(self, *numbers: str) -> Learned:
        """With the weights of the first fold that holds out one of these documents, whatever its kind code."""
        folds = {number_key(number): fold for fold in self.folds for number in fold.ids}
        for number in numbers:
            fold = folds.get(number_key(number))
            if fold is not None:
                return replace(self, weights=fold.weights, models=fold.models)
        return self

    def to_record(self, *, matrices: bool = True) -> dict[str, Any]:
        """As JSON can hold it, without loss of precision; without `matrices` not those of learned similarity."""
        return {
            "form": FORM,
            "fingerprint": self.fingerprint,
            "corpus": self.corpus,
            "weights": dict(self.weights),
            **models_record(self.models, matrices=matrices),
            **held_out_record(self.held_out),
            "training": dict(self.training),
            "folds": [
                {
                    "ids": list(fold.ids),
                    "weights": dict(fold.weights),
                    **models_record(fold.models, matrices=matrices),
                }
                for fold in self.folds
            ],
            "topics": dict(self.topics),
            "plain": None
            if self.plain is None
            else {
                "weights": dict(self.plain.weights),
                "folds": [dict(weights) for weights in self.plain.fold_weights],
                **held_out_record(self.plain.held_out),
            },
            "indexes": dict(self.indexes),
            "versions": dict(self.versions),
            "hub_mean": self.hub_mean,
            "hubs": dict(self.hubs),
        }


def learned_of(record: Mapping[str, Any]) -> Learned:
    """The ranking of a record."""
    rest = {name: record[name] for name in ("corpus", "hubs", "hub_mean", "training", "indexes", "versions")}
    plain = record.get("plain")
    return Learned(
        weights=record["weights"],
        models=models_of(record),
        held_out=held_out_of(record),
        folds=tuple(Fold(tuple(fold["ids"]), fold["weights"], models_of(fold)) for fold in record["folds"]),
        topics=record.get("topics", {}),
        plain=None if plain is None else WeightSet(plain["weights"], tuple(plain["folds"]), held_out_of(plain)),
        **rest,
    )


def write_learned(learned: Learned, folder: Path) -> Path:
    """Writes it atomically with a checksum; returns the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    record = learned.to_record()
    replace_text(path, json.dumps({**record, _CHECKSUM: _checksum(record)}, indent=1) + "\n")
    return path


def load_learned(path: Path) -> Learned:
    """Reads a learned ranking; IndexingError if the file is damaged or of another version."""
    try:
        record = json.loads(path.read_text("utf-8"))
        if record.get("form") not in _FORMS:
            raise IndexingError(f"{path} is of another version of foreart: run `foreart learn`")
        checksum = record.pop(_CHECKSUM, None)
        learned = learned_of(record)
        unchecked = checksum is None and learned.versions["foreart"] == _UNCHECKED
        if record.keys() - learned.to_record().keys() or not (unchecked or checksum == _checksum(record)):
            raise IndexingError(f"{path} is not as it was written: run `foreart learn`")
        return learned
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart learn`") from None


def outgrown(learned: Learned, corpus: Corpus) -> str:
    """Why the corpus has changed too much for these weights; `""` if it has not."""
    if learned.corpus == corpus.fingerprint:
        return ""
    then, now = int(learned.training.get("documents", 0)), len(corpus)
    if not then:
        return "it does not say how many documents there were"
    if now - then > _MAX_CHANGED * now:
        return f"{now - then:,} of {now:,} documents are new since"
    used = [number for fold in learned.folds for number in fold.ids]
    gone = sum(number not in corpus for number in used)
    return (
        f"{gone:,} of the {len(used):,} documents it was learned from are gone"
        if gone > _MAX_CHANGED * len(used)
        else ""
    )


def _checksum(record: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()
