"""64-bit hashes of names, so that lists of names are arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np


def hash64(name: str) -> int:
    """The hash of a name, the same in every process."""
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest())


def hashed(names: Iterable[str]) -> np.ndarray:
    """The hashes of the distinct names, in increasing order."""
    return np.array(sorted(set(map(hash64, names))), dtype=np.uint64)


def main_group(symbol: str) -> str:
    """The main group of a class symbol: `A61B 8` of `A61B 8/12`."""
    return symbol.partition("/")[0]
