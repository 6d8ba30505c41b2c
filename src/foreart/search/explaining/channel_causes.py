"""The evidence of a channel, with titles, numbers in the draft, people and classes from the documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.fronts import fronts_of
from foreart.corpus.views import CorpusView, hashed, main_group
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.numbers import number_key
from foreart.identifiers.parties import folded_name, folded_names
from foreart.search.explaining.term_places import spots_at
from foreart.search.ranker import Comparison
from foreart.search.ranking.channel_evidence import CAUSES
from foreart.search.score_parts import Cause, Evidence, Part


class Causes:
    """One draft and its comparison; finds what is behind any channel of any document."""

    def __init__(self, draft: Draft, comparison: Comparison, corpus: Corpus, view: CorpusView) -> None:
        self._draft, self._comparison, self._corpus, self._view = draft, comparison, corpus, view

    def of(self, part: Part, row: int, patent: Patent) -> Evidence:
        """What a channel's contribution to the score of a document is based on."""
        channel = part.channel
        if channel == "named in draft":
            return _listed(self._numbers({number_key(patent.id)} if part.value else set()))
        if channel == "shared numbers":
            return _listed(self._numbers({key for key in self._named if self._has(key, row)}))
        if channel in ("applicant", "inventor"):
            return _listed(_people(getattr(self._draft, f"{channel}s"), getattr(patent, f"{channel}s")))
        if channel == "classes":
            return _classes(patent)
        return self._titled(self._comparison.evidence(channel, row, part.contribution))

    def _titled(self, evidence: Evidence) -> Evidence:
        """Evidence with the titles of its documents."""
        fronts = fronts_of(self._corpus, [cause.name for cause in evidence.causes])
        titles = {number: front.title for number, front in fronts.items()}
        causes = (replace(cause, title=titles.get(cause.name, "")) for cause in evidence.causes)
        return replace(evidence, causes=tuple(causes))

    @property
    def _named(self) -> dict[str, list[int]]:
        """The publications that the draft names, with their offsets in its description."""
        named: dict[str, list[int]] = {}
        for item in self._draft.citations:
            if item.kind == "publication":
                named.setdefault(number_key(item.number), []).append(item.start)
        return named

    def _numbers(self, wanted: set[str]) -> list[Cause]:
        """Some of the numbers that the draft names, and where it names them."""
        causes = []
        for key, starts in self._named.items():
            if key in wanted:
                spots = spots_at(self._draft, starts)
                where = ", ".join(spot.label + (f" ({spot.section})" if spot.section else "") for spot in spots[:4])
                causes.append(Cause(key, note=f"named in the draft at {where}"))
        return causes

    def _has(self, key: str, row: int) -> bool:
        """Whether a document cites or names a number."""
        places = self._view.positions(hashed([key]))
        return any(np.isin(places, numbers.row(row)).any() for numbers in (self._view.cited, self._view.named))


def _listed(causes: Sequence[Cause]) -> Evidence:
    return Evidence(tuple(causes[:CAUSES]), len(causes))


def _people(names: Iterable[str], others: Iterable[str]) -> list[Cause]:
    """The names that draft and document share, as the document writes them."""
    wanted = folded_names(names)
    return [Cause(name) for name in others if folded_name(name) in wanted]


def _classes(patent: Patent) -> Evidence:
    groups = dict.fromkeys(main_group(item.symbol) for item in (*patent.cpc, *patent.ipc))
    return Evidence(sentence=f"its main groups: {', '.join(list(groups)[:CAUSES])}" if groups else "")
