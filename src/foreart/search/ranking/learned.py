"""A learned ranking as a record: weights, how they were trained, and their metrics on held-out folds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus import Corpus
from foreart.durable import replace_text
from foreart.errors import IndexingError
from foreart.identifiers.numbers import number_key
from foreart.search.ranking.calibration import Calibration
from foreart.search.ranking.logistic import Logistic
from foreart.search.ranking.neighbours import Neighbours

FORM = 1
FILE = "learned.json"
_CHECKSUM = "checksum"
# The version whose files may lack a checksum.
_UNCHECKED = "0.1.0"
# Learned weights are outdated if more than this share of documents is new, or of training queries is gone.
_MAX_CHANGED = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """A held-out fold: the weights learned without its documents, to evaluate on them."""

    ids: tuple[str, ...]
    weights: Mapping[str, float]
    neighbours: Neighbours | None


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
    """Weights of signals and of neighbours. `hubs` are the mean similarities of documents to drafts, by id.

    `folds` divide the training queries; `metrics` are measured on each fold with the weights learned without it.
    `training` has parameters and counts, `versions` and `indexes` what was used.
    """

    weights: Mapping[str, float]
    neighbours: Neighbours | None
    calibration: Calibration
    corpus: str = ""
    hubs: Mapping[str, float] = field(default_factory=dict)
    hub_mean: float = 0.0
    folds: tuple[Fold, ...] = ()
    training: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    indexes: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """A hash of everything that affects scores."""
        ranking = {
            "weights": dict(self.weights),
            "neighbours": _neighbours_record(self.neighbours),
            "hubs": dict(self.hubs),
            "hub_mean": self.hub_mean,
        }
        return blake2b(json.dumps(ranking, sort_keys=True).encode(), digest_size=16).hexdigest()

    def unlearned(self, *numbers: str) -> Learned:
        """With the weights of the first fold that holds out one of these documents, whatever its kind code."""
        folds = {number_key(number): fold for fold in self.folds for number in fold.ids}
        for number in numbers:
            fold = folds.get(number_key(number))
            if fold is not None:
                return replace(self, weights=fold.weights, neighbours=fold.neighbours)
        return self

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it, without loss of precision."""
        return {
            "form": FORM,
            "fingerprint": self.fingerprint,
            "corpus": self.corpus,
            "weights": dict(self.weights),
            "neighbours": _neighbours_record(self.neighbours),
            "calibration": asdict(self.calibration),
            "metrics": dict(self.metrics),
            "training": dict(self.training),
            "folds": [
                {
                    "ids": list(fold.ids),
                    "weights": dict(fold.weights),
                    "neighbours": _neighbours_record(fold.neighbours),
                }
                for fold in self.folds
            ],
            "indexes": dict(self.indexes),
            "versions": dict(self.versions),
            "hub_mean": self.hub_mean,
            "hubs": dict(self.hubs),
        }


def learned_of(record: Mapping[str, Any]) -> Learned:
    """The ranking of a record."""
    rest = {name: record[name] for name in ("corpus", "hubs", "hub_mean", "training", "metrics", "indexes", "versions")}
    return Learned(
        weights=record["weights"],
        neighbours=_neighbours(record["neighbours"]),
        calibration=Calibration(**{name: tuple(value) for name, value in record["calibration"].items()}),
        folds=tuple(
            Fold(tuple(fold["ids"]), fold["weights"], _neighbours(fold["neighbours"])) for fold in record["folds"]
        ),
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
        if record.get("form") != FORM:
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


def _neighbours_record(model: Neighbours | None) -> dict[str, Any] | None:
    return None if model is None else {name: _logistic_record(getattr(model, name)) for name in ("coupled", "shared")}


def _logistic_record(model: Logistic) -> dict[str, Any]:
    return {"intercept": model.intercept, "weights": dict(zip(model.names, model.weights.tolist(), strict=True))}


def _neighbours(record: Mapping[str, Any] | None) -> Neighbours | None:
    if record is None:
        return None
    models = {
        name: Logistic(tuple(item["weights"]), np.array(list(item["weights"].values())), item["intercept"])
        for name, item in record.items()
    }
    return Neighbours(**models)
