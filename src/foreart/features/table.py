"""The kinds of features by name, and one of them back from its folder."""

from __future__ import annotations

import json
from pathlib import Path

from foreart.errors import IndexError_
from foreart.features.base import Features
from foreart.features.tfidf import Tfidf

FEATURES: dict[str, type[Features]] = {kind.name: kind for kind in (Tfidf,)}


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
