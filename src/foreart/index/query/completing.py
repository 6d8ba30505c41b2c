"""The second stage: of the documents that came out first, as many are summed by all words as it takes.

What the first stage left out of a query adds something to every document, to some more than to others. The more of them
are known, the better it is known how much that can be: so documents are taken in the order of the first stage, until
the next one would have to gain more than chance allows to come among the best.
"""

from __future__ import annotations

import numpy as np

from foreart.index.query.splitting import Split
from foreart.index.scoring.sums import Sums
from foreart.parallel import side_by_side

# Documents for each of the best that are taken in any case, to know how much may be gained.
_FIRST = 3
# So many times as many are known after each step, at most.
_TIMES = 3
# Documents that are worth a thread.
_THREAD = 256


def completed(
    sums: Sums,
    split: Split,
    near: tuple[np.ndarray, np.ndarray],
    k: int,
    *,
    limit: int,
    sure: float,
    share: float,
    threads: int,
) -> np.ndarray:
    """The places of the documents that may be the k best, in order, of the `limit` best of the first stage.

    `near` are at least those, and their sums. It ends where a document would have to gain `sure` times the usual spread
    more than is usual.
    """
    order = np.argsort(-near[1], kind="stable")[:limit]
    places, values = near[0][order], near[1][order].astype(np.float64)
    gained, done = np.empty(len(places)), 0
    wanted = min(_FIRST * k, len(places))
    while done < wanted:
        # Not all at once: the better it is known what may be gained, the fewer are wanted.
        end = min(wanted, _TIMES * done or wanted)
        gained[done:end] = _gained(sums, split, places[done:end], threads)
        done = end
        wanted = _wanted(values, gained[:done], k, sure)
    complete = values[:done] + gained[:done]
    if done > k:
        places = places[:done][complete >= share * np.partition(complete, done - k)[done - k]]
    return np.sort(places[:done])


def _wanted(values: np.ndarray, gained: np.ndarray, k: int, sure: float) -> int:
    """How many documents may come among the best by what is known."""
    done = len(gained)
    if done < k:
        return len(values)
    least = np.partition(values[:done] + gained, done - k)[done - k]
    cut = least - gained.mean() - sure * gained.std()
    return int(np.searchsorted(-values, -cut, side="right"))


def _gained(sums: Sums, split: Split, places: np.ndarray, threads: int) -> np.ndarray:
    order = np.argsort(places)
    tasks = sums.by_segment(places[order])
    found = np.empty(len(places), dtype=np.float32)
    number = threads if len(places) > _THREAD else 1
    found[order] = np.concatenate(side_by_side(lambda task: split.gained(*task), tasks, number))
    return found
