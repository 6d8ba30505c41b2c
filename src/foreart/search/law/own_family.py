"""Which documents are of the draft's own family, and why: text may propose one, names can refuse it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.relations.family_names import led_to, reason_of
from foreart.corpus.relations.signature import shingles
from foreart.corpus.relations.text_families import BY_TEXT, NEAR_IDENTICAL
from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.parties import Agreement, Parties
from foreart.search.law.relatives import relatives

# Members of a family whose names are read: more of them add no name.
_MEMBERS = 50


class OwnFamily:
    """Rows of the draft's family, each with a reason; more are found while documents are read.

    `refused` has the reasons why rows are not of the family although their text or their number suggests it.
    """

    def __init__(self, draft: Draft, view: CorpusView, corpus: Corpus) -> None:
        self._view, self._corpus = view, corpus
        self._shingles = shingles(draft)
        self._parties = Parties.of(draft)
        self.reasons: dict[int, str] = {}
        self.refused: dict[int, str] = {}
        own = view.ids.row(draft.source)
        if own is not None:
            self._take({own: "the draft itself"})
        self._take(dict(self._claimed(draft)))

    def _claimed(self, draft: Draft) -> Iterable[tuple[int, str]]:
        """Documents that the draft claims the priority or benefit of; a description may tell of others' claims too."""
        for number, named in led_to(self._corpus, relatives(draft)).items():
            row = self._view.ids.row(number)
            if row is None or row in self.reasons:
                continue
            if self.people(self._corpus[number]) == "other":
                self.refused[row] = f"the draft names {named} as claimed, but its inventors are others"
            else:
                yield row, f"the draft claims {named}"

    def like(self, patents: Iterable[tuple[int, Patent]]) -> bool:
        """Whether some documents have nearly the draft's own text and no other names; takes their families in.

        The names are those of the whole family of a document, because not every publication has them.
        """
        found = {}
        for row, patent in patents:
            if row in self.reasons or row in self.refused:
                continue
            alike = _jaccard(self._shingles, shingles(patent))
            if alike < NEAR_IDENTICAL:
                continue
            told = f"text nearly the same as the draft's ({alike:.2f})"
            people = self._parties.agreement(self._family_parties(row, patent))
            if people == "same":
                found[row] = f"{told}, and a name agrees"
            elif people == "unknown":
                found[row] = f"{told}, and no names to compare"
            else:
                self.refused[row] = f"{told}, but no applicant or inventor agrees: not taken for the draft's own family"
        self._take(found)
        return bool(found)

    def people(self, patent: Patent) -> Agreement:
        """Whether a document names the draft's applicants or inventors."""
        return self._parties.agreement(Parties.of(patent))

    def _family_parties(self, row: int, patent: Patent) -> Parties:
        others = [other for other in self._view.members([row]).tolist() if other != row]
        return Parties.of(patent, *(self._corpus[self._view.ids[other]] for other in others[:_MEMBERS]))

    def _take(self, found: dict[int, str]) -> None:
        for row, reason in found.items():
            self.reasons.setdefault(row, reason)
        for row in self._view.members(found).tolist():
            if row in self.reasons or row in self.refused:
                continue
            known = reason_of(self._corpus, self._view.ids[row])
            told = f"of the family {self._view.family(row)} ({known})"
            by_text = known.startswith(BY_TEXT)
            if by_text and self.people(self._corpus[self._view.ids[row]]) in ("other", "unclear"):
                self.refused[row] = f"{told}, but no applicant or inventor agrees: not taken for the draft's own family"
            else:
                self.reasons[row] = told


def _jaccard(one: np.ndarray, other: np.ndarray) -> float:
    """The share of common shingles; each is given once."""
    if not len(one) or not len(other):
        return 0.0
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
