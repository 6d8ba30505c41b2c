"""Pools the rows of tokens to one row per passage."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Pooling = Callable[[np.ndarray], np.ndarray]


def _mean(tokens: np.ndarray) -> np.ndarray:
    return np.asarray(tokens.mean(axis=0))


def _cls(tokens: np.ndarray) -> np.ndarray:
    return np.asarray(tokens[0])


def _max(tokens: np.ndarray) -> np.ndarray:
    return np.asarray(tokens.max(axis=0))


def _last(tokens: np.ndarray) -> np.ndarray:
    return np.asarray(tokens[-1])


# Each takes the rows of the tokens to pool, in order. `mean_sqrt_len` of sentence-transformers, the mean times the root
# of the length, is the mean after rows are divided by their length.
POOLINGS: dict[str, Pooling] = {"mean": _mean, "cls": _cls, "max": _max, "last": _last}

# The flags of `1_Pooling/config.json`; newer files have `"pooling_mode": "cls"`.
FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_cls": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_max": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}
