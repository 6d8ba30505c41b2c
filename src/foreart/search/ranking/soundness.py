"""Is what a ranking stands on whole, and how far has the corpus gone on since something was learned?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foreart.corpus import Corpus
from foreart.search.ranking.bibliography import Bibliography
from foreart.search.ranking.learned import Learned
from foreart.search.ranking.ragged import Ragged

# What was learned holds while no more than this share of documents is new to it.
_NEW = 0.1


def problems(found: Bibliography) -> list[str]:
    """A few words for each array that does not fit the others; none if all are whole."""
    return list(_problems(found))


def _problems(found: Bibliography) -> Iterator[str]:
    documents, numbers = len(found), len(found.numbers)
    for name in ("contents", "days", "families", "own"):
        have = len(getattr(found, name))
        if have != documents:
            yield f"{name} of {have:,} documents instead of {documents:,}"
    for name in ("cited", "named", "applicants", "inventors", "classes"):
        lists: Ragged = getattr(found, name)
        if not _is_whole(lists, documents):
            yield f"lists of {name} that are not whole"
        elif name in ("cited", "named") and not _inside(lists.values, 0, numbers):
            yield f"lists of {name} that name what is not there"
    if not _inside(found.own, -1, numbers):
        yield "numbers of documents that are not there"
    if (found.numbers[1:] <= found.numbers[:-1]).any():
        yield "numbers out of order"
    if len(set(found.ids)) != documents:
        yield "documents that stand there twice"


def _is_whole(lists: Ragged, documents: int) -> bool:
    starts = lists.starts
    if len(starts) != documents + 1 or starts[0] != 0 or starts[-1] != len(lists.values):
        return False
    return bool((np.diff(starts) >= 0).all())


def _inside(values: np.ndarray, low: int, high: int) -> bool:
    return not len(values) or bool(values.min() >= low and values.max() < high)


def outgrown(learned: Learned, corpus: Corpus) -> str:
    """Why it is time to learn again, if the corpus has changed much; `""` if not."""
    if learned.corpus == corpus.fingerprint:
        return ""
    then, now = int(learned.training.get("documents", 0)), len(corpus)
    if not then:
        return "it does not tell how many documents there were"
    if now - then > _NEW * now:
        return f"{now - then:,} of {now:,} documents are new since"
    taught = [number for fold in learned.folds for number in fold.ids]
    gone = sum(number not in corpus for number in taught)
    return f"{gone:,} of the {len(taught):,} documents that taught are gone" if gone > _NEW * len(taught) else ""
