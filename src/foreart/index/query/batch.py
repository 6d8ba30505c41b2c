"""Many queries, each in a thread of its own: nothing is waited for, and results come in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import numpy as np

from foreart.index.query.engine import Engine
from foreart.index.query.exact import Found
from foreart.parallel import cores, in_order

# Queries that wait for each thread: so many results may lie around, and no more texts are read.
_WAITING = 4


def many(
    engine: Engine,
    texts: Iterable[Iterable[str] | Mapping[str, int]],
    k: int,
    *,
    allowed: Iterable[np.ndarray | None] | None = None,
    exact: bool | None = None,
    threads: int | None = None,
) -> Iterator[Found]:
    """The rows and scores of the k best documents of each text, which is cut into words or given as words and counts.

    `allowed` has a mask over rows for each text. Texts are taken as results are: there may be any number of them.
    """
    number = threads or cores()
    engine.prepare(threads=number)

    def ask(asked: tuple[Iterable[str] | Mapping[str, int], np.ndarray | None]) -> Found:
        words, mask = asked
        return engine.top(engine.query(words), k, allowed=mask, exact=exact, threads=1)

    asked = zip(texts, repeat(None) if allowed is None else allowed, strict=allowed is not None)
    with ThreadPoolExecutor(number) as pool:
        yield from in_order(pool, ask, asked, ahead=_WAITING * number)
