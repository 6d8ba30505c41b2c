"""Which documents are of the draft's own family, and by what that is known."""

from __future__ import annotations

from collections.abc import Iterable

from foreart.corpus import Corpus
from foreart.corpus.families import NEAR_IDENTICAL
from foreart.corpus.family_names import led_to, reason_of
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.search.law.relatives import relatives
from foreart.search.standing import Standing

# As in `corpus.signature`: the beginnings of two texts, in runs of five words.
_WORDS = 1200
_SHINGLE = 5
_LEAST_WORDS = 60


class OwnFamily:
    """Rows of the draft's family, each with a reason; more may be found while documents are read."""

    def __init__(self, draft: Draft, standing: Standing, corpus: Corpus) -> None:
        self._standing, self._corpus = standing, corpus
        self._shingles = _shingles(draft)
        self.reasons: dict[int, str] = {}
        own = standing.row.get(draft.source)
        self.document = corpus[draft.source] if own is not None else None
        if own is not None:
            self._take({own: "the draft itself"})
        named = led_to(corpus, relatives(draft))
        rows = ((standing.row.get(number), number) for number in named)
        self._take({row: f"the draft claims {named[number]}" for row, number in rows if row is not None})

    def like(self, patents: Iterable[tuple[int, Patent]]) -> bool:
        """Whether some documents have nearly the draft's own text; then they and their families are taken in."""
        found = {}
        for row, patent in patents:
            alike = _likeness(self._shingles, _shingles(patent)) if row not in self.reasons else 0.0
            if alike >= NEAR_IDENTICAL:
                found[row] = f"text nearly the same as the draft's ({alike:.2f})"
        self._take(found)
        return bool(found)

    def same_people(self, patent: Patent) -> bool | None:
        """Whether a document is of the draft's applicant or inventor; None if the draft names neither."""
        mine = _people(self.document) if self.document else set()
        return bool(mine & _people(patent)) if mine else None

    def _take(self, found: dict[int, str]) -> None:
        for row, reason in found.items():
            self.reasons.setdefault(row, reason)
        for row in self._standing.families.members(found).tolist():
            if row not in self.reasons:
                known = reason_of(self._corpus, self._standing.ids[row])
                self.reasons[row] = f"of the family {self._standing.families.name(row)} ({known})"


def _people(patent: Patent) -> set[str]:
    return {" ".join(name.casefold().split()) for name in (*patent.applicants, *patent.inventors) if name.strip()}


def _shingles(document: Draft | Patent) -> frozenset[tuple[str, ...]]:
    """Runs of five words at the beginning of a text; none of a text too short to judge."""
    text = document.description_text or f"{document.abstract}\n{document.claims_text}"
    words = text[: 16 * _WORDS].lower().split()[:_WORDS]
    if len(words) < _LEAST_WORDS:
        return frozenset()
    return frozenset(zip(*(words[place:] for place in range(_SHINGLE)), strict=False))


def _likeness(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """The share of common shingles (Jaccard)."""
    return len(one & other) / len(one | other) if one and other else 0.0
