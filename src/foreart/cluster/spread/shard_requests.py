"""What travels between the asking process and the workers: questions to shards, and their answers.

Nothing of it shows its content when it is printed: a runtime writes the arguments of failed tasks into its logs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from foreart.cluster.spread.shard_plan import Shard
from foreart.index import Verb

# `scores` are those of all rows.
ShardVerb = Literal["scores"] | Verb
# Rows, best first, and scores; or scores in the order of the rows that were named.
Answer = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShardQuestion:
    """A question to one index; `query` is as the index sends it. `version` is the fingerprint of the index."""

    index: str
    version: str
    verb: ShardVerb
    query: Any
    k: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShardPart:
    """What a question means in one shard: rows to score, counted from its first, or a mask in bits, or all rows."""

    question: int
    rows: np.ndarray | None = None
    allowed: np.ndarray | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShardRequest:
    """Questions to some shards of one state. `library` is the folder as the workers see it."""

    foreart: str
    library: str
    state: Mapping[str, Any]
    shards: tuple[Shard, ...]
    questions: Sequence[ShardQuestion] = ()
    parts: Mapping[int, Sequence[ShardPart]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShardAnswers:
    """The answers by shard and question; or why there are none: a class of the error tree, and a sentence."""

    worker: str
    answers: Mapping[int, Mapping[int, Answer]] = field(default_factory=dict)
    error: str = ""
    sentence: str = ""


def packed(allowed: np.ndarray) -> np.ndarray | None:
    """A mask in bits; None if everything is allowed."""
    return None if bool(allowed.all()) else np.packbits(allowed)


def unpacked(bits: np.ndarray | None, rows: int) -> np.ndarray | None:
    """The mask again."""
    return None if bits is None else np.unpackbits(bits, count=rows).astype(bool)
