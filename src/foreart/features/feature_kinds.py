"""The table of kinds of features, by name, and loading from a folder."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from foreart.errors import ForeartError, IndexingError
from foreart.features.base import Features

# The module and class of each kind; imported on first use, because compiled loops take half a second to import.
_CLASSES = {
    "tfidf": ("tfidf", "Tfidf"),
    "bm25": ("bm25", "Bm25"),
    "lsa": ("topics.lsa", "Lsa"),
    "kpca": ("topics.kpca", "Kpca"),
    "word2vec": ("vectors.word2vec", "Word2Vec"),
    "ppmi": ("vectors.ppmi", "Ppmi"),
    "doc2vec": ("vectors.doc2vec", "Doc2Vec"),
    "embedding": ("vectors.embedding", "Embedding"),
}

_TYPES = {"int": "a whole number", "float": "a number", "bool": "true or false", "None": "null", "Path": "a folder"}
_MAX_NUMBER = 1_000_000_000


class _Kinds(Mapping[str, type[Features]]):
    """Imports a kind on first access."""

    def __getitem__(self, name: str) -> type[Features]:
        module, kind = _CLASSES[name]
        found: type[Features] = getattr(importlib.import_module(f"foreart.features.{module}"), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


FEATURES: Mapping[str, type[Features]] = _Kinds()


def make(name: str, parameters: Mapping[str, object]) -> Features:
    """Features of a kind with parameters by name; missing ones have the defaults of the paper."""
    if name not in FEATURES:
        raise ForeartError(f"unknown features {name!r}; choose one of {', '.join(FEATURES)}")
    kind = FEATURES[name]
    known = inspect.signature(kind).parameters
    for parameter, value in parameters.items():
        if parameter not in known:
            raise ForeartError(f"{name} has no parameter {parameter!r}; it has {', '.join(known)}")
        wanted = str(known[parameter].annotation).split(" | ")
        if not any(_is_of(value, each) for each in wanted):
            allowed = " or ".join(_TYPES.get(each, "a text") for each in wanted)
            raise ForeartError(f"{parameter} of {name} is {str(value)[:80]!r}; it can be {allowed}")
    missing = [each.name for each in known.values() if each.default is each.empty and each.name not in parameters]
    if missing:
        raise ForeartError(f"{name} needs {', '.join(missing)}: say {missing[0]}=VALUE")
    return kind(**parameters)


def _is_of(value: object, annotation: str) -> bool:
    """Whether a value is of an annotated type; numbers are finite and no larger than any array."""
    if annotation in ("int", "float"):
        return type(value) in (int, float if annotation == "float" else int) and abs(value) <= _MAX_NUMBER  # type: ignore[arg-type]
    if annotation in ("bool", "None"):
        return value is None if annotation == "None" else isinstance(value, bool)
    return isinstance(value, Path if annotation == "Path" else str)


def load(folder: Path) -> Features:
    """Reads the features written by `save`."""
    try:
        record = json.loads((folder / "features.json").read_text("utf-8"))
        parameters = record["parameters"]
        if parameters.get("int8") is False:  # an embedding of version 0.1.0
            del parameters["int8"]
        features = FEATURES[record["name"]](**parameters)
        features.load_learned(folder)
    except (OSError, EOFError, ValueError, LookupError, TypeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise IndexingError(f"{folder}: the features cannot be read ({reason}); rebuild the index") from None
    return features
