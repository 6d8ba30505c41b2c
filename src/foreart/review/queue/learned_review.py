"""What `foreart learn` keeps for reviews, in one file: weights of feedback, the model of the unread; and defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from foreart.durable import ChecksumError, read_checked, write_checked
from foreart.errors import IndexingError
from foreart.review.feedback import FeedbackWeights, feedback_weights_of
from foreart.review.stopping import StoppingModel, stopping_model_of

FILE, FORM = "review.json", 1
DEFAULTS = "default_review.json"
# The sets of default weights: for learned rankings with citations and without, and for every other ranking.
CITATIONS, TEXTS, PLACES = "citations", "texts", "places"


@dataclass(frozen=True, slots=True)
class LearnedReview:
    """Weights, the model of the unread, and what they were learned from.

    `ranking` is the fingerprint of the weights whose scores were used; `stopping` is None for default weights, because
    chances are those of one corpus.
    """

    weights: FeedbackWeights
    stopping: StoppingModel | None = None
    ranking: str = ""
    corpus: str = ""
    training: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "form": FORM,
            "weights": self.weights.to_record(),
            "stopping": None if self.stopping is None else self.stopping.to_record(),
            "ranking": self.ranking,
            "corpus": self.corpus,
            "training": dict(self.training),
            "versions": dict(self.versions),
        }


def learned_review_of(record: Mapping[str, Any]) -> LearnedReview:
    """From its JSON form; KeyError, TypeError or ValueError if that is not one."""
    stopping = record["stopping"]
    return LearnedReview(
        feedback_weights_of(record["weights"]),
        None if stopping is None else stopping_model_of(stopping),
        str(record["ranking"]),
        str(record["corpus"]),
        dict(record["training"]),
        dict(record["versions"]),
    )


def write_review(learned: LearnedReview, folder: Path) -> Path:
    """Writes it atomically with a checksum; returns the path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_checked(folder / FILE, learned.to_record())
    return folder / FILE


def load_review(path: Path) -> LearnedReview:
    """Reads what was learned; IndexingError if the file is damaged or of another version."""
    try:
        record = read_checked(path)
        if record.get("form") != FORM:
            raise IndexingError(f"{path} is of another version of foreart: run `foreart learn`")
        return learned_review_of(record)
    except ChecksumError as error:
        raise IndexingError(f"{error}: run `foreart learn`") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise IndexingError(f"{path} is damaged ({type(error).__name__}): run `foreart learn`") from None


def default_review(kind: str) -> LearnedReview:
    """The weights that come with foreart: `citations`, `texts` or `places`."""
    return _stored()[kind]


@cache
def _stored() -> dict[str, LearnedReview]:
    text = files("foreart.review.queue").joinpath(DEFAULTS).read_text("utf-8")
    return {name: learned_review_of(record) for name, record in json.loads(text).items()}
