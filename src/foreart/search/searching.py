"""A draft becomes hits: encode, compare with every document, judge by dates, gather families."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version

import numpy as np

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.corpus.family_names import family_of
from foreart.corpus.fronts import Front, fronts
from foreart.draft import Draft
from foreart.errors import StaleIndex
from foreart.index import Explanation, Index
from foreart.search.evidence import best_passage
from foreart.search.hits import Hit, LeftOut, Member, Result, Scores
from foreart.search.priority import Status, cutoff_of, status
from foreart.text import section_text

WORDS = 25
_STEPS = 60


def search(
    draft: Draft,
    index: Index,
    corpus: Corpus,
    *,
    k: int = 20,
    cutoff: str = "",
    selection: Selection = EVERYTHING,
    today: str = "",
) -> Result:
    """The k families nearest to a draft that may count against it, and how many documents their dates leave out.

    Only the documents selected are compared; what they are is known before any is ranked.
    """
    if corpus.fingerprint != index.description.corpus:
        raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build` again")
    limit = cutoff_of(draft, cutoff, today=today)
    text = section_text(draft, index.sections)
    listing = _Listing(index, corpus, index.encode(text), limit.date, selected(index, corpus, selection))
    explanation = index.explanation(text)
    hits = tuple(
        _hit(rank, row, score, listing, explanation, corpus)
        for rank, (row, score) in enumerate(listing.families(k), start=1)
    )
    return Result(
        hits=hits,
        cutoff=limit,
        compared=int(listing.selected.sum()),
        left_out=tuple(listing.left_out(row, score) for row, score in listing.top(k, listing.late)),
        left_out_count=int(listing.late.sum()),
        scores=_distribution(index.scores(listing.query)[listing.selected]),
        draft_title=draft.title,
        draft_source=draft.source,
        draft_fingerprint=draft.fingerprint,
        draft_notes=draft.notes,
        corpus_fingerprint=index.description.corpus,
        index=index.description,
        foreart=version("foreart"),
    )


def selected(index: Index, corpus: Corpus, selection: Selection) -> np.ndarray:
    """For each row of an index whether its document is selected."""
    if selection == EVERYTHING:
        return np.ones(len(index), dtype=bool)
    known = index.mask(selection)
    if known is not None:
        return known
    numbers = set(corpus.ids(selection))
    return np.array([number in numbers for number in index.ids], dtype=bool)


class _Listing:
    """All documents of one search by row: status, family, and whether they are selected."""

    def __init__(self, index: Index, corpus: Corpus, query: object, cutoff: str, chosen: np.ndarray) -> None:
        known = fronts(corpus)
        named = family_of(corpus)
        self.index = index
        self.query = query
        self.selected = chosen
        self.ids = index.ids
        self.fronts: list[Front] = [known[number] for number in self.ids]
        self.statuses: list[Status] = [
            status(front.published, front.priority or front.filed, cutoff) for front in self.fronts
        ]
        self.late = chosen & np.array([state == "after the date" for state in self.statuses], dtype=bool)
        self.names = [named.get(number, "") for number in self.ids]
        self.members: dict[str, list[int]] = defaultdict(list)
        for row, name in enumerate(self.names):
            if name:
                self.members[name].append(row)

    def top(self, k: int, allowed: np.ndarray) -> list[tuple[int, float]]:
        """The rows and scores of the k best documents of those allowed."""
        found = self.index.top(self.query, k, allowed=allowed)
        return [(self.index.row_of(number), score) for number, score in found]

    def families(self, k: int) -> list[tuple[int, float]]:
        """The best row of each of the k best families, without documents after the date."""
        depth = 2 * k
        while True:
            ranked = self.top(depth, self.selected & ~self.late)
            found = self._firsts(ranked)[:k]
            if len(found) == k or len(ranked) < depth:
                return found
            depth *= 4

    def _firsts(self, ranked: list[tuple[int, float]]) -> list[tuple[int, float]]:
        seen: set[str] = set()
        found: list[tuple[int, float]] = []
        for row, score in ranked:
            name = self.names[row]
            if not name or name not in seen:
                found.append((row, score))
            seen.add(name)
        return found

    def others(self, row: int) -> tuple[Member, ...]:
        """The other members of a row's family, best first."""
        rows = [other for other in self.members.get(self.names[row], ()) if other != row]
        if not rows:
            return ()
        mask = np.zeros(len(self.ids), dtype=bool)
        mask[rows] = True
        scores = dict(self.top(len(rows), mask))
        rows.sort(key=lambda other: (-scores.get(other, 0.0), self.ids[other]))
        return tuple(
            Member(self.ids[other], self.statuses[other], scores.get(other, 0.0), self.fronts[other].published)
            for other in rows
        )

    def left_out(self, row: int, score: float) -> LeftOut:
        """A document after the date, as it is reported."""
        front = self.fronts[row]
        return LeftOut(self.ids[row], score, front.title, front.published, front.priority, front.filed)


def _hit(rank: int, row: int, score: float, listing: _Listing, explanation: Explanation, corpus: Corpus) -> Hit:
    number = listing.ids[row]
    patent = corpus[number]
    words = explanation.of(number)
    return Hit(
        rank=rank,
        id=number,
        score=score,
        status=listing.statuses[row],
        title=patent.title,
        published=patent.published,
        priority=patent.priority,
        words=words[:WORDS],
        family=listing.names[row],
        family_members=listing.others(row),
        filed=patent.filed,
        published_estimated=patent.published_estimated,
        applicants=patent.applicants,
        language=patent.language,
        abstract=patent.abstract,
        passage=best_passage(patent, dict(words), words=listing.index.words),
    )


def _distribution(scores: np.ndarray) -> Scores:
    greatest = float(scores.max(initial=0.0))
    counts, _ = np.histogram(scores, bins=_STEPS, range=(0.0, greatest or 1.0))
    return Scores(greatest, tuple(int(count) for count in counts))
