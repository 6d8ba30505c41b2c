"""The slider between more of the same and elsewhere, and the one document in ten that is shown from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# At the far end of the slider a document whose topics are those of a judged one loses this much log-odds: between the
# best hundred candidates of a search and the next thousand there are about 4.
FARTHEST = 4.0
# One document in this many is shown from elsewhere.
ONE_IN = 10


def nearness(topics: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """The largest cosine of each document with a judged one (places), 0 at least; rows have length 1."""
    if not len(judged) or not topics.shape[1]:
        return np.zeros(len(topics))
    nearest: np.ndarray = np.maximum(np.einsum("ik,jk->ij", topics, topics[judged]).max(axis=1), 0.0)
    return nearest


def moved(logits: np.ndarray, near: np.ndarray, elsewhere: float) -> np.ndarray:
    """Log-odds less a share of the nearness to judged documents (maximal marginal relevance)."""
    shifted: np.ndarray = logits - elsewhere * FARTHEST * near
    return shifted


def in_order(values: np.ndarray, places: np.ndarray, ids: Sequence[str]) -> np.ndarray:
    """Places by falling value, ties by id; `ids` are those of the places."""
    found: np.ndarray = places[np.lexsort((np.array(ids), -values[places]))] if len(places) else places
    return found


def interleaved(order: np.ndarray, far: np.ndarray, judged: int) -> tuple[np.ndarray, np.ndarray]:
    """The order with one in ten from the other order, and which these are; a place comes once.

    Tens are counted from the first document of the review, of which so many are judged, so that reading one
    by one also shows one in ten from elsewhere.
    """
    merged = np.empty_like(order)
    strange = np.zeros(len(order), dtype=bool)
    taken = np.zeros(int(order.max(initial=-1)) + 1, dtype=bool)
    sources = {False: iter(order.tolist()), True: iter(far.tolist())}
    for place in range(len(order)):
        turn = (judged + place + 1) % ONE_IN == 0
        merged[place] = next(item for item in sources[turn] if not taken[item])
        taken[merged[place]] = True
        strange[place] = turn
    return merged, strange
