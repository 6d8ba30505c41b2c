"""A draft becomes hits: encode, compare with every document, judge by dates, gather families."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version

import numpy as np

from foreart.corpus import Corpus
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


def search(draft: Draft, index: Index, corpus: Corpus, *, k: int = 20, cutoff: str = "", today: str = "") -> Result:
    """The k families nearest to a draft that may count against it, and how many documents their dates leave out."""
    if corpus.fingerprint != index.description.corpus:
        raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build` again")
    limit = cutoff_of(draft, cutoff, today=today)
    text = section_text(draft, index.sections)
    scores = index.scores(index.encode(text))
    listing = _Listing(index, corpus, scores, limit.date)
    explanation = index.explanation(text)
    hits = tuple(_hit(rank, row, listing, explanation, corpus) for rank, row in enumerate(listing.families(k), start=1))
    late = [row for row in listing.ranked if listing.statuses[row] == "after the date"]
    return Result(
        hits=hits,
        cutoff=limit,
        compared=len(index),
        left_out=tuple(listing.left_out(row) for row in late[:k]),
        left_out_count=sum(state == "after the date" for state in listing.statuses),
        scores=_distribution(scores),
        draft_title=draft.title,
        draft_source=draft.source,
        draft_fingerprint=draft.fingerprint,
        draft_notes=draft.notes,
        corpus_fingerprint=index.description.corpus,
        index=index.description,
        foreart=version("foreart"),
    )


class _Listing:
    """All documents of one search by row: score, status, family."""

    def __init__(self, index: Index, corpus: Corpus, scores: np.ndarray, cutoff: str) -> None:
        known = fronts(corpus)
        named = family_of(corpus)
        self.ids = index.ids
        self.scores = scores
        self.fronts: list[Front] = [known[number] for number in self.ids]
        self.statuses: list[Status] = [
            status(front.published, front.priority or front.filed, cutoff) for front in self.fronts
        ]
        self.names = [named.get(number, "") for number in self.ids]
        self.members: dict[str, list[int]] = defaultdict(list)
        for row, name in enumerate(self.names):
            if name:
                self.members[name].append(row)
        self.ranked: list[int] = index.rows.ranked(scores).tolist()

    def families(self, k: int) -> list[int]:
        """The best row of each of the k best families, without documents after the date."""
        found: list[int] = []
        seen: set[str] = set()
        for row in self.ranked:
            if len(found) >= k:
                break
            if self.statuses[row] == "after the date" or self.names[row] in seen:
                continue
            if self.names[row]:
                seen.add(self.names[row])
            found.append(row)
        return found

    def others(self, row: int) -> tuple[Member, ...]:
        """The other members of a row's family, best first."""
        rows = [other for other in self.members.get(self.names[row], ()) if other != row]
        rows.sort(key=lambda other: (-self.scores[other], self.ids[other]))
        return tuple(
            Member(self.ids[other], self.statuses[other], float(self.scores[other]), self.fronts[other].published)
            for other in rows
        )

    def left_out(self, row: int) -> LeftOut:
        """A document after the date, as it is reported."""
        front = self.fronts[row]
        return LeftOut(
            self.ids[row], float(self.scores[row]), front.title, front.published, front.priority, front.filed
        )


def _hit(rank: int, row: int, listing: _Listing, explanation: Explanation, corpus: Corpus) -> Hit:
    number = listing.ids[row]
    patent = corpus[number]
    words = explanation.of(number)
    return Hit(
        rank=rank,
        id=number,
        score=float(listing.scores[row]),
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
        passage=best_passage(patent, dict(words), words=explanation.index.features.words),
    )


def _distribution(scores: np.ndarray) -> Scores:
    greatest = float(scores.max(initial=0.0))
    counts, _ = np.histogram(scores, bins=_STEPS, range=(0.0, greatest or 1.0))
    return Scores(greatest, tuple(int(count) for count in counts))
