"""A small corpus, and small settings of each kind of features, for the contract tests."""

from __future__ import annotations

import atexit
import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from extras import reason
from foreart.errors import MissingExtra
from foreart.features import FEATURES, Features

_TOPICS = (
    "ultrasound probe transducer echo beam tissue image array",
    "bone screw plate spine fusion implant vertebra rod",
    "pump insulin needle dose glucose reservoir valve patient",
    "engine piston cylinder fuel exhaust crankshaft ignition vehicle",
)
_COMMON = "the of a said first second device wherein claim 10 and comprising"


def _text(topic: int, random_: random.Random, length: int = 60) -> str:
    """Words of one topic, common words, and two that always occur together."""
    own, common = _TOPICS[topic].split(), _COMMON.split()
    words = [random_.choice(own if random_.random() < 0.5 else common) for _ in range(length)]
    return " ".join([*words[:20], "signal processor", *words[20:], "signal processor"]) + "."


def _texts(count: int = 40) -> list[str]:
    random_ = random.Random(7)
    found = [_text(number % len(_TOPICS), random_) for number in range(count)]
    # Other scripts and accents, a duplicate, a short text, one without words.
    foreign = [f"{FOREIGN} {word}" for word in ("probe", "bone", "pump", "engine", "probe", "bone")]
    return [*found, *foreign, found[3], "bone screw", "* … !"]


FOREIGN = "Ultraschallgerät für Größenmessung, 超声 探头, ультразвук naïve"
TEXTS = _texts()
QUERY = "An ultrasound probe with a transducer array (FIG. 3) and a signal processor; bone, bone, unheardof."


@dataclass(frozen=True)
class Example:
    """Features of a kind with small settings. `learns` is false if rows do not depend on a learned vocabulary."""

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    learns: bool = True
    # Allowed difference between rows computed in two ways; 0 is exact equality.
    tolerance: float = 1e-6

    def make(self) -> Features:
        """The features, not fitted; `embedding` has a tiny random encoder."""
        given = dict(self.parameters)
        if self.kind == "embedding":
            given["model"] = _tiny_encoder()
        return FEATURES[self.kind](**given)


_EXAMPLES = {
    "tfidf": Example("tfidf", tolerance=0.0),
    "tfidf log max": Example("tfidf", {"tf": "log", "norm": "max"}, tolerance=0.0),
    "tfidf as published": Example("tfidf", {"as_published": True}, tolerance=0.0),
    "bm25": Example("bm25", tolerance=0.0),
    "bm25 saturated": Example("bm25", {"query": "saturated", "as_published": True}, tolerance=0.0),
    "lsa": Example("lsa", {"dimensions": 16}),
    "lsa min_df": Example("lsa", {"dimensions": 8, "tf": "log", "min_df": 3}),
    "lsa as published": Example("lsa", {"dimensions": 8, "as_published": True}),
    "kpca": Example("kpca", {"dimensions": 6}),
    "kpca gaussian": Example("kpca", {"dimensions": 6, "kernel": "gaussian"}),
    "kpca landmarks": Example("kpca", {"dimensions": 6, "kernel": "gaussian", "landmarks": 20}),
    "kpca as published": Example("kpca", {"dimensions": 6, "as_published": True}),
    "ppmi": Example("ppmi", {"dimensions": 8}),
    "ppmi as published": Example("ppmi", {"dimensions": 8, "as_published": True}),
    "word2vec": Example("word2vec", {"dimensions": 8, "sample": 0.0, "epochs": 20}),
    "doc2vec": Example("doc2vec", {"dimensions": 8, "sample": 0.0, "epochs": 60}),
    "doc2vec mean": Example(
        "doc2vec", {"dimensions": 8, "epochs": 60, "method": "mean", "negative": 5, "infer_epochs": 60}
    ),
    "doc2vec concatenation": Example(
        "doc2vec", {"dimensions": 8, "sample": 0.0, "epochs": 60, "window": 2, "method": "concatenation"}
    ),
    "doc2vec bag": Example("doc2vec", {"dimensions": 8, "sample": 0.0, "epochs": 60, "method": "bag"}),
    "embedding": Example("embedding", learns=False),
}
# A kind without an example is tested with its defaults.
EXAMPLES = {name: each for name, each in _EXAMPLES.items() if each.kind in FEATURES}
EXAMPLES |= {name: Example(name) for name in FEATURES if name not in {each.kind for each in EXAMPLES.values()}}


@cache
def learned(name: str) -> Features:
    """The features of an example, fitted on the texts; skips the test if an extra is missing."""
    try:
        return EXAMPLES[name].make().fit(iter(TEXTS))
    except MissingExtra as missing:
        pytest.skip(str(missing))


@cache
def _tiny_encoder() -> Path:
    pytest.importorskip("tokenizers", reason=reason("tokenizers"))
    pytest.importorskip("onnxruntime", reason=reason("onnxruntime"))
    from features.models import tiny_model

    folder = tempfile.mkdtemp(prefix="foreart-encoder-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return tiny_model(Path(folder))
