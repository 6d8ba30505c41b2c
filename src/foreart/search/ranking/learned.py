"""What was learned from the citations of a corpus, as a record: weights, how they were found, how good they are."""

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
# What was learned holds while no more than this share of documents is new.
_NEW = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """The weights learned without some documents, to evaluate on these."""

    ids: tuple[str, ...]
    weights: Mapping[str, float]
    neighbours: Neighbours | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which ranking made a list, for records: its name, and a fingerprint of all that changes a score."""

    name: str
    fingerprint: str
    corpus: str = ""
    metrics: Mapping[str, Any] = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """Weights of signals and of neighbours. `hubs` are ids that come up for many drafts, with how much.

    `folds` divide the training queries, `metrics` are those of each fold under the weights of the others;
    `training` says how it was done, `versions` and `indexes` what it was made with.
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
        """A hash of all that changes a score."""
        ranking = {
            "weights": dict(self.weights),
            "neighbours": _neighbours_record(self.neighbours),
            "hubs": dict(self.hubs),
            "hub_mean": self.hub_mean,
        }
        return blake2b(json.dumps(ranking, sort_keys=True).encode(), digest_size=16).hexdigest()

    def unlearned(self, *numbers: str) -> Learned:
        """The weights of the fold that left out the first of some documents that has one, whatever its kind code."""
        folds = {number_key(number): fold for fold in self.folds for number in fold.ids}
        for number in numbers:
            fold = folds.get(number_key(number))
            if fold is not None:
                return replace(self, weights=fold.weights, neighbours=fold.neighbours)
        return self

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it; numbers keep every digit."""
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
    """What a record says."""
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
    """Writes it with a checksum, at one moment, and gives the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    record = learned.to_record()
    replace_text(path, json.dumps({**record, _CHECKSUM: _checksum(record)}, indent=1) + "\n")
    return path


def load_learned(path: Path) -> Learned:
    """What was written; a sentence that says what to do if it cannot be read."""
    try:
        record = json.loads(path.read_text("utf-8"))
        if record.get("form") != FORM:
            raise IndexingError(f"{path} is of another version of foreart: run `foreart learn`")
        checksum = record.pop(_CHECKSUM, None)
        learned = learned_of(record)
        if record.keys() - learned.to_record().keys() or checksum not in (None, _checksum(record)):
            raise IndexingError(f"{path} is not as it was written: run `foreart learn`")
        return learned
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart learn`") from None


def outgrown(learned: Learned, corpus: Corpus) -> str:
    """Why it is time to learn again, if the corpus has changed much; `""` if not."""
    if learned.corpus == corpus.fingerprint:
        return ""
    then, now = int(learned.training.get("documents", 0)), len(corpus)
    if not then:
        return "it does not tell how many documents there were"
    if now - then > _NEW * now:
        return f"{now - then:,} of {now:,} documents are new since"
    used = [number for fold in learned.folds for number in fold.ids]
    gone = sum(number not in corpus for number in used)
    return f"{gone:,} of the {len(used):,} documents it was learned from are gone" if gone > _NEW * len(used) else ""


def _checksum(record: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(record, sort_keys=True).encode(), digest_size=16).hexdigest()


def _neighbours_record(found: Neighbours | None) -> dict[str, Any] | None:
    return None if found is None else {name: _logistic_record(getattr(found, name)) for name in ("coupled", "shared")}


def _logistic_record(model: Logistic) -> dict[str, Any]:
    return {"intercept": model.intercept, "weights": dict(zip(model.names, model.weights.tolist(), strict=True))}


def _neighbours(record: Mapping[str, Any] | None) -> Neighbours | None:
    if record is None:
        return None
    made = {
        name: Logistic(tuple(item["weights"]), np.array(list(item["weights"].values())), item["intercept"])
        for name, item in record.items()
    }
    return Neighbours(**made)
