"""The documents of a draft's own family, and why: text may propose one, different names refuse it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.relations.family_names import ids_by_number, reason_of
from foreart.corpus.relations.signature import shingles, signature, sketch
from foreart.corpus.relations.text_families import BY_TEXT, NEAR_IDENTICAL
from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.numbers import number_key
from foreart.identifiers.parties import Agreement, Parties
from foreart.search.law.relatives import relatives

# Members of a family whose names are compared; more add no names.
_MEMBERS = 50
# A sketch estimates the share of common shingles with a standard error of .05 at .8; at this threshold none is missed.
_SKETCHED = 0.6
_OTHER_PEOPLE = "but no applicant or inventor matches: not treated as the draft's own family"


@dataclass(frozen=True, slots=True, eq=False)
class OwnFamily:
    """Rows of the family with their reasons; `refused` has rows that text or number suggest, and why they are not."""

    reasons: Mapping[int, str] = field(default_factory=dict)
    refused: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> np.ndarray:
        """The rows of the family, in order."""
        return np.array(sorted(self.reasons), dtype=np.int64)


def own_family(
    draft: Draft, view: CorpusView, corpus: Corpus, *, numbers: Iterable[str] = (), claimed: Iterable[str] = ()
) -> OwnFamily:
    """The draft itself, applications whose priority or benefit it claims, near-identical texts, and their families.

    `numbers` are the draft's own publication numbers, `claimed` relatives known from other sources than its text;
    neither needs a kind code.
    """
    search = _FamilySearch(draft, view, corpus)
    search.add({row: "the draft itself" for row in _own_rows(draft, view, numbers)})
    search.add(dict(search.claimed((*relatives(draft), *claimed))))
    search.add(dict(search.near_identical()))
    return OwnFamily(search.reasons, search.refused)


def _own_rows(draft: Draft, view: CorpusView, numbers: Iterable[str]) -> Iterator[int]:
    own = view.ids.row(draft.source)
    if own is not None:
        yield own
    yield from view.rows_of(map(number_key, numbers)).tolist()


class _FamilySearch:
    """Collects the rows of the family with their reasons."""

    def __init__(self, draft: Draft, view: CorpusView, corpus: Corpus) -> None:
        self._draft, self._view, self._corpus = draft, view, corpus
        self._parties = Parties.of(draft)
        self.reasons: dict[int, str] = {}
        self.refused: dict[int, str] = {}

    def claimed(self, numbers: Iterable[str]) -> Iterator[tuple[int, str]]:
        """Documents whose priority or benefit the draft claims; a description may also mention claims of others."""
        for number, named in ids_by_number(self._corpus, numbers).items():
            row = self._view.ids.row(number)
            if row is None or row in self.reasons:
                continue
            if self._people(self._corpus[number]) == "other":
                self.refused[row] = f"the draft names {named} as claimed, but its inventors differ"
            else:
                yield row, f"the draft claims {named}"

    def near_identical(self) -> Iterator[tuple[int, str]]:
        """Documents with nearly the same text as the draft, unless both sides name people and no name matches.

        The names are those of the full family of a document, because not every publication has them.
        """
        candidates = [row for row in _similar_sketches(self._draft, self._view) if row not in self.reasons]
        own = shingles(self._draft) if candidates else np.empty(0)
        for row in candidates:
            if row in self.refused:
                continue
            patent = self._corpus[self._view.ids[row]]
            similarity = _jaccard(own, shingles(patent))
            if similarity < NEAR_IDENTICAL:
                continue
            reason = f"text nearly the same as the draft's ({similarity:.2f})"
            people = self._parties.agreement(self._family_parties(row, patent))
            if people == "same":
                yield row, f"{reason}, and a name matches"
            elif people == "unknown":
                yield row, f"{reason}, and no names to compare"
            else:
                self.refused[row] = f"{reason}, {_OTHER_PEOPLE}"

    def add(self, rows: Mapping[int, str]) -> None:
        """Adds rows, and the members of their families."""
        for row, reason in rows.items():
            self.reasons.setdefault(row, reason)
        for row in self._view.members(rows).tolist():
            if row in self.reasons or row in self.refused:
                continue
            known = reason_of(self._corpus, self._view.ids[row])
            reason = f"of the family {self._view.family(row)} ({known})"
            by_text = known.startswith(BY_TEXT)
            if by_text and self._people(self._corpus[self._view.ids[row]]) in ("other", "unclear"):
                self.refused[row] = f"{reason}, {_OTHER_PEOPLE}"
            else:
                self.reasons[row] = reason

    def _people(self, patent: Patent) -> Agreement:
        return self._parties.agreement(Parties.of(patent))

    def _family_parties(self, row: int, patent: Patent) -> Parties:
        others = [member for member in self._view.members([row]).tolist() if member != row]
        return Parties.of(patent, *(self._corpus[self._view.ids[member]] for member in others[:_MEMBERS]))


def _similar_sketches(draft: Draft, view: CorpusView) -> list[int]:
    """Rows whose sketch agrees with the draft's; none for a text too short to have one."""
    draft_sketch = sketch(signature(draft))
    return view.sketched(draft_sketch, _SKETCHED).tolist() if draft_sketch else []


def _jaccard(left: np.ndarray, right: np.ndarray) -> float:
    """The share of common shingles of two arrays of distinct shingles."""
    if not len(left) or not len(right):
        return 0.0
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common / (len(left) + len(right) - common)
