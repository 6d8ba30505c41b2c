"""The models that signals use, as JSON: logistic models of neighbours and matrices of learned similarity."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from foreart.search.ranking.logistic import Logistic
from foreart.search.ranking.near.neighbours import Neighbours
from foreart.search.ranking.ranking_inputs import SignalModels


def models_record(models: SignalModels, *, matrices: bool = True) -> dict[str, Any]:
    """As JSON can hold it, without loss of precision; without `matrices` only the channels that have one."""
    similarity = _matrices_record(models.similarity) if matrices else list(models.similarity)
    return {"neighbours": _neighbours_record(models.neighbours), "similarity": similarity}


def models_of(record: Mapping[str, Any]) -> SignalModels:
    """From a record of this version, or of 0.1, which has no matrices."""
    return SignalModels(_neighbours(record["neighbours"]), _matrices(record.get("similarity", {})))


def _matrices_record(matrices: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Square matrices of single precision, as base64 in little-endian order."""
    return {
        name: {"size": len(matrix), "float32": b64encode(matrix.astype("<f4").tobytes()).decode()}
        for name, matrix in matrices.items()
    }


def _matrices(record: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {
        name: np.frombuffer(b64decode(item["float32"]), dtype="<f4").reshape(item["size"], item["size"])
        for name, item in record.items()
    }


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
