"""Documents that are likely to cite what the draft will: near in text, of the same people, naming the same patents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from foreart.search.ranking.bibliography import Bibliography
from foreart.search.ranking.logistic import Logistic, fit_logistic
from foreart.search.ranking.question import Question
from foreart.search.ranking.ragged import overlap

# So many of the nearest documents that cite anything are looked at.
MOST = 300
_YEAR = 365.25
# Two documents are coupled if the cosine of their lists of citations is above this.
COUPLED = 0.05
# Newer documents with long lists may be better or worse neighbours; all else makes them better.
_FREE = ("youth", "list length")
_PENALTY = 1e-4
_TEXTS = ("words", "brief", "topics", "word vectors", "counts", "claims", "abstract", "claims in text")


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A draft beside all documents before any citation is looked at.

    `texts` are scores by channel, `relative` the same divided by the greatest of a known document, `near` their mean
    over words, brief and topics. `known` is the mask of documents that may be used, `day` the draft's own.
    """

    texts: Mapping[str, np.ndarray]
    relative: Mapping[str, np.ndarray]
    near: np.ndarray
    known: np.ndarray
    day: int
    people: Mapping[str, np.ndarray]
    shared_numbers: np.ndarray
    named: np.ndarray


def compared(
    texts: Mapping[str, np.ndarray], question: Question, known: np.ndarray, day: int, bibliography: Bibliography
) -> Compared:
    """What texts, people and numbers in the text say of every document."""
    relative = {name: _relative(scores, known) for name, scores in texts.items()}
    leading = [relative[name] for name in ("words", "brief", "topics") if name in relative]
    places = bibliography.places(question.named)
    named = np.zeros(len(bibliography))
    named[bibliography.rows_of(places)] = 1.0
    people = {
        "applicant": np.minimum(overlap(bibliography.applicants, question.applicants), 1.0),
        "inventor": np.minimum(overlap(bibliography.inventors, question.inventors), 1.0),
    }
    shared = overlap(bibliography.cited, places) + overlap(bibliography.named, places)
    near: np.ndarray = np.mean(leading, axis=0)
    return Compared(texts, relative, near, known, day, people, np.log1p(shared), named)


def _relative(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    greatest = float(scores[known].max(initial=0.0))
    return scores / greatest if greatest > 0 else np.zeros_like(scores)


def candidates(found: Compared, bibliography: Bibliography) -> np.ndarray:
    """The nearest documents that cite something, nearest first."""
    rows = np.flatnonzero(found.known & (np.diff(bibliography.cited.starts) > 0))
    return rows[np.argsort(-found.near[rows], kind="stable")[:MOST]]


def values(found: Compared, rows: np.ndarray, bibliography: Bibliography) -> tuple[tuple[str, ...], np.ndarray]:
    """What is known of some documents as neighbours, a column a name."""
    columns: dict[str, np.ndarray] = {}
    for name in _TEXTS:
        if name in found.texts:
            columns[name] = found.texts[name][rows]
            columns[f"{name}, relative"] = found.relative[name][rows]
    columns["order"] = -np.log1p(np.arange(len(rows)))
    columns |= {name: mask[rows] for name, mask in found.people.items()}
    columns["youth"] = -np.log1p(np.maximum(0, found.day - bibliography.days[rows].astype(np.int64)) / _YEAR)
    columns["list length"] = np.log1p(np.diff(bibliography.cited.starts)[rows])
    columns["named"] = found.named[rows]
    columns["shared numbers"] = found.shared_numbers[rows]
    return tuple(columns), np.stack(list(columns.values()), axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Two ways to weigh a neighbour: the chance that it is coupled, and the share of its citations that are shared."""

    coupled: Logistic
    shared: Logistic

    def weights(self, found: Compared, bibliography: Bibliography) -> tuple[np.ndarray, np.ndarray]:
        """Both weights of every document, 0 beyond the candidates."""
        rows = candidates(found, bibliography)
        likely, share = np.zeros(len(bibliography)), np.zeros(len(bibliography))
        if len(rows):
            names, table = values(found, rows, bibliography)
            likely[rows], share[rows] = self.coupled.chances(names, table), self.shared.chances(names, table)
        return likely, share


def plain_weights(found: Compared, bibliography: Bibliography) -> tuple[np.ndarray, np.ndarray]:
    """Weights where nothing was learned: likeness of text, more for the same applicant."""
    rows = candidates(found, bibliography)[:30]
    weights = np.zeros(len(bibliography))
    weights[rows] = found.near[rows] ** 2 * (1.0 + 0.5 * found.people["applicant"][rows])
    return weights, weights


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One document that played the draft: its candidates, and how much of the two lists of citations is common."""

    names: tuple[str, ...]
    table: np.ndarray
    cosine: np.ndarray
    share: np.ndarray
    lengths: np.ndarray


def example(found: Compared, row: int, bibliography: Bibliography, labels: Bibliography) -> Example:
    """What there is to learn from a document of the corpus about its neighbours; `labels` has the lists that teach."""
    rows = candidates(found, bibliography)
    names, table = values(found, rows, bibliography)
    common = overlap_of(labels, row, rows)
    lengths = np.diff(labels.cited.starts)
    own = max(1, int(lengths[row]))
    theirs = np.maximum(1, lengths[rows])
    return Example(names, table, common / np.sqrt(own * theirs), common / theirs, theirs)


def overlap_of(bibliography: Bibliography, row: int, rows: np.ndarray) -> np.ndarray:
    """How many citations each of some documents shares with one."""
    mine = np.zeros(len(bibliography.numbers), dtype=np.float32)
    mine[bibliography.cited.row(row)] = 1.0
    found: np.ndarray = bibliography.lists[rows] @ mine
    return found


def fit_neighbours(examples: list[Example]) -> Neighbours:
    """Learns both weights."""
    names = examples[0].names
    signs = [0 if name in _FREE else 1 for name in names]
    table = np.concatenate([item.table for item in examples])
    cosine = np.concatenate([item.cosine for item in examples])
    coupled = fit_logistic(table, (cosine > COUPLED).astype(float), names, signs=signs, penalty=_PENALTY)
    # Each citation of a neighbour is an observation; the root keeps the longest lists from deciding alone.
    weights = np.sqrt(np.concatenate([item.lengths for item in examples]).astype(float))
    share = np.concatenate([item.share for item in examples])
    shared = fit_logistic(table, share, names, signs=signs, penalty=_PENALTY, weights=weights)
    return Neighbours(coupled, shared)
