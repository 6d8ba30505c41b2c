"""All documents of one search by row: what their status is, which may be hits, which families they form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from foreart.corpus.fronts import fronts_of
from foreart.corpus.indexed_corpus import IndexedCorpus
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.parties import Agreement, Parties
from foreart.regimes import Regime
from foreart.search.hits import LeftOut, Member
from foreart.search.law.date_arrays import ORDER, DateArrays, statuses
from foreart.search.law.priority import Cutoff, Dated, Status, dated_of
from foreart.search.law.rules import rule_of
from foreart.search.ranker import Ranker
from foreart.search.scope import known_before

Ranked = list[tuple[int, float]]


class Listing:
    """Lists the documents for one draft under one law. `selected` are the rows that the filters left."""

    def __init__(
        self,
        draft: Draft,
        ranker: Ranker,
        corpus: IndexedCorpus,
        *,
        cutoff: Cutoff,
        regime: Regime,
        selected: np.ndarray,
    ) -> None:
        self._corpus, self._view, self._cutoff, self._regime = corpus, ranker.view, cutoff, regime
        self._patents: dict[int, Patent] = {}
        dates = DateArrays.of(self._view)
        self._by_date = statuses(dates, cutoff, regime)
        scope = known_before(draft, cutoff, self._view, corpus, regime=regime, dates=dates)
        self._removed = corpus.changes.removed
        scope.known[self._removed] = False
        self._own = scope.own
        # What the ranking may know of: earlier documents that are not of the draft's family, whatever the filters.
        self.known = scope.known
        self._codes = self._by_date.copy()
        self._codes[scope.own.rows] = ORDER.index("own family")
        self._parties = Parties.of(draft)
        self.selected = selected
        self.comparison = ranker.compare(draft, scope)

    @property
    def allowed(self) -> np.ndarray:
        """The rows that may be hits."""
        rows: np.ndarray = self.selected & ~self.having("after the date") & ~self.having("own family")
        return rows

    def candidate_scores(self) -> np.ndarray:
        """The scores of the documents that may be hits and were compared in full."""
        return self.comparison.scores_of(self.comparison.candidates(self.allowed))

    def having(self, status: Status) -> np.ndarray:
        """The rows of a status."""
        found: np.ndarray = self._codes == ORDER.index(status)
        return found

    def patent(self, row: int) -> Patent:
        """The document of a row, read once."""
        if row not in self._patents:
            self._patents[row] = self._corpus[self._view.ids[row]]
        return self._patents[row]

    def status(self, row: int) -> Status:
        """The status of a row."""
        return ORDER[int(self._codes[row])]

    def rule(self, row: int) -> str:
        """The rule that gave a row its status."""
        patent = self.patent(row)
        return self._rule(row, dated_of(patent), self._people(patent))

    def _people(self, patent: Patent) -> Agreement:
        """Whether a document names the draft's applicants or inventors."""
        return self._parties.agreement(Parties.of(patent))

    def _rule(self, row: int, document: Dated, people: Agreement) -> str:
        relation = self._own.reasons.get(row) or self._own.refused.get(row, "")
        return rule_of(document, self.status(row), self._cutoff, self._regime, people=people, relation=relation)

    def families(self, k: int) -> Ranked:
        """The best row of each of the k best families, of those allowed."""
        depth = 2 * k
        while True:
            ranked = self.comparison.top(depth, self.allowed)
            found = self._firsts(ranked)[:k]
            if len(found) == k or len(ranked) < depth:
                return found
            depth *= 4

    def _firsts(self, ranked: Ranked) -> Ranked:
        seen: set[str] = set()
        found: Ranked = []
        for row, score in ranked:
            name = self.family(row)
            if not name or name not in seen:
                found.append((row, score))
            seen.add(name)
        return found

    def family(self, row: int) -> str:
        """The name of the family of a row; `""` if it is alone."""
        return self._view.family(row)

    def members(self, rows: Iterable[int]) -> dict[str, tuple[Member, ...]]:
        """The families of some rows by name: the other members of each, best first.

        The people of a family are those of its row: reading every member would take too long.
        """
        shown = set(rows)
        people = {self.family(row): self._people(self.patent(row)) for row in shown if self.family(row)}
        gone = set(self._removed.tolist())
        others = [int(row) for row in self._view.members(shown) if row not in shown and row not in gone]
        mask = np.zeros(len(self._view), dtype=bool)
        mask[others] = True
        scores = dict(self.comparison.top(len(others), mask)) if others else {}
        found: dict[str, list[Member]] = {}
        for row, item in zip(others, self._items(others, scores, people), strict=True):
            member = Member(item.id, item.status, item.score, item.published, item.title, item.rule)
            found.setdefault(self.family(row), []).append(member)
        return {name: tuple(sorted(items, key=lambda item: (-item.score, item.id))) for name, items in found.items()}

    def left_out(self, k: int) -> tuple[LeftOut, ...]:
        """The k nearest of those after the date."""
        nearest = self.comparison.top(k, self.selected & self.having("after the date"))
        return self._items([row for row, _ in nearest], dict(nearest), {})

    def own_family(self) -> tuple[LeftOut, ...]:
        """All of the draft's own family, nearest first."""
        mask = self.selected & self.having("own family")
        rows = np.flatnonzero(mask).tolist()
        scores = dict(self.comparison.top(len(rows), mask)) if rows else {}
        items = self._items(rows, scores, {})
        return tuple(sorted(items, key=lambda item: (-item.score, item.id)))

    def _items(self, rows: list[int], scores: dict[int, float], people: Mapping[str, Agreement]) -> tuple[LeftOut, ...]:
        ids = [self._view.ids[row] for row in rows]
        known = fronts_of(self._corpus, ids)
        found = []
        for row, number in zip(rows, ids, strict=True):
            front = known[number]
            document = dated_of(front, estimated=bool(self._view.estimated[row]))
            rule = self._rule(row, document, people.get(self.family(row), "unknown"))
            dates = front.published, front.priority, front.filed
            by_date = ORDER[int(self._by_date[row])]
            found.append(LeftOut(number, scores.get(row, 0.0), front.title, *dates, self.status(row), rule, by_date))
        return tuple(found)
