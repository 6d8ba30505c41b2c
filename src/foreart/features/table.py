"""The kinds of features by name, and one of them back from its folder."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path

from foreart.errors import ForeartError, IndexError_
from foreart.features.base import Features
from foreart.features.bm25 import Bm25
from foreart.features.doc2vec import Doc2Vec
from foreart.features.embedding import Embedding
from foreart.features.kpca import Kpca
from foreart.features.lsa import Lsa
from foreart.features.ppmi import Ppmi
from foreart.features.tfidf import Tfidf
from foreart.features.word2vec import Word2Vec

FEATURES: dict[str, type[Features]] = {
    kind.name: kind for kind in (Tfidf, Bm25, Lsa, Kpca, Word2Vec, Ppmi, Doc2Vec, Embedding)
}


def make(name: str, parameters: Mapping[str, object]) -> Features:
    """Features of a kind with parameters by name; those that are not given are the paper's."""
    if name not in FEATURES:
        raise ForeartError(f"there are no features {name!r}; there are {', '.join(FEATURES)}")
    kind = FEATURES[name]
    known = inspect.signature(kind).parameters
    for parameter in parameters:
        if parameter not in known:
            raise ForeartError(f"{name} has no parameter {parameter!r}; it has {', '.join(known)}")
    missing = [each.name for each in known.values() if each.default is each.empty and each.name not in parameters]
    if missing:
        raise ForeartError(f"{name} needs {', '.join(missing)}: say {missing[0]}=VALUE")
    return kind(**parameters)


def load(folder: Path) -> Features:
    """The features that `save` wrote."""
    try:
        form = json.loads((folder / "features.json").read_text("utf-8"))
        features = FEATURES[form["name"]](**form["parameters"])
        features.load_learned(folder)
    except (OSError, EOFError, ValueError, LookupError, TypeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise IndexError_(f"{folder}: the features cannot be read ({reason}); build the index anew") from None
    return features
