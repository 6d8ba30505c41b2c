"""What stands behind a channel that is not of words: documents, numbers, people, classes, with their parts of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.fronts import fronts_of
from foreart.corpus.views import hashed, main_group
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.identifiers.numbers import number_key
from foreart.identifiers.parties import folded_name, folded_names
from foreart.search.explaining.citations import Neighbourhood, Pieces
from foreart.search.explaining.reasons import Cause
from foreart.search.explaining.term_places import spots_at
from foreart.search.ranking import FusedComparison, ReciprocalRanks, Weighted

CAUSES = 8


@dataclass(frozen=True, slots=True)
class Behind:
    """The first causes of a channel, how many there are, what the others add together, and a sentence."""

    causes: tuple[Cause, ...] = ()
    count: int = 0
    rest: float = 0.0
    sentence: str = ""


class Causes:
    """One draft, of whose comparison any channel of any document can be looked behind."""

    def __init__(self, draft: Draft, comparison: FusedComparison, corpus: Corpus) -> None:
        self._draft, self._comparison, self._corpus = draft, comparison, corpus
        self._near = Neighbourhood(comparison)

    def of(self, channel: str, row: int, patent: Patent, contribution: float) -> Behind:
        """What stands behind a channel of a document."""
        pieces = self._near.pieces(channel, row)
        if pieces is not None:
            return self._documents(channel, row, pieces, contribution)
        if channel in ("named in draft", "shared numbers"):
            return _listed(self._numbers(channel, patent, row))
        if channel in ("applicant", "inventor"):
            return _listed(_people(getattr(self._draft, f"{channel}s"), getattr(patent, f"{channel}s")))
        if channel == "classes":
            return _classes(patent)
        return Behind(sentence=self._told(channel, row))

    def _documents(self, channel: str, row: int, pieces: Pieces, contribution: float) -> Behind:
        added = self._shared_out(pieces, contribution)
        order = [place for place in np.argsort(-np.abs(added), kind="stable").tolist() if added[place]]
        shown = order[:CAUSES]
        rows = pieces.rows[shown].tolist()
        ids = self._near.graph.view.ids
        titles = fronts_of(self._corpus, [ids[place] for place in rows])
        causes = tuple(
            Cause(
                name=ids[near],
                title=titles[ids[near]].title if ids[near] in titles else "",
                likeness=float(self._comparison.features.texts["words"][near]),
                weight=float(self._near.likely[near]),
                contribution=float(added[place]),
                note=self._note(channel, row, near),
            )
            for place, near in zip(shown, rows, strict=True)
        )
        return Behind(causes, len(order), fsum(added[place] for place in order[CAUSES:]))

    def _shared_out(self, pieces: Pieces, contribution: float) -> np.ndarray:
        """What each piece adds to the fused score: by weights of signals, or in proportion where ranks are fused."""
        fusion = self._comparison.ranker.fusion
        if isinstance(fusion, Weighted):
            return _summed(pieces, {name: fusion.weights.get(name, 0.0) for name in pieces.values})
        used = set(fusion.channels) if isinstance(fusion, ReciprocalRanks) else set(pieces.values)
        values = _summed(pieces, {name: float(name in used) for name in pieces.values})
        total = float(values.sum())
        return values * (contribution / total) if total > 0 else values

    def _note(self, channel: str, row: int, near: int) -> str:
        if channel == "co-cited":
            beside = self._near.beside_it(row, near)
            ids = [self._near.graph.view.ids[place] for place in beside[:2]]
            more = f" and {len(beside) - 2} more" if len(beside) > 2 else ""
            return f"cites it beside {', '.join(ids)}{more}" if ids else ""
        if channel == "coupled":
            if near == row:
                return "the document itself, which is near"
            number = self._near.in_common(row, near)
            return f"{number} {'citation' if number == 1 else 'citations'} in common"
        return ""

    def _numbers(self, channel: str, patent: Patent, row: int) -> list[Cause]:
        """The numbers that the draft names and that are the document's, or among those it names or cites, and where."""
        named: dict[str, list[int]] = {}
        for item in self._draft.citations:
            if item.kind == "publication":
                named.setdefault(number_key(item.number), []).append(item.start)
        if channel == "named in draft":
            wanted = {number_key(patent.id)} if self._comparison.features.named[row] else set()
        else:
            wanted = {key for key in named if self._has(key, row)}
        found = []
        for key in named:
            if key in wanted:
                spots = spots_at(self._draft, named[key])
                where = ", ".join(spot.label + (f" ({spot.section})" if spot.section else "") for spot in spots[:4])
                found.append(Cause(key, note=f"named in the draft at {where}"))
        return found

    def _has(self, key: str, row: int) -> bool:
        """Whether a document cites or names a number."""
        graph = self._near.graph
        places = graph.view.places(hashed([key]))
        return any(np.isin(places, part.row(row)).any() for part in (graph.cited, graph.view.named))

    def _told(self, channel: str, row: int) -> str:
        features = self._comparison.features
        if channel == "order":
            place = 1 + int((features.near[features.known] > features.near[row]).sum())
            return (
                f"place {place:,} of {int(features.known.sum()):,} known documents by words, brief and topics together"
            )
        if channel == "often cited":
            number = self._near.known_citing(row)
            return f"{number:,} known {'document cites' if number == 1 else 'documents cite'} it"
        if channel == "hub":
            value = float(self._comparison.found.columns["hub"][row])
            return f"on average {value:.0%} as like a draft as the document that is most like it"
        return ""


def _summed(pieces: Pieces, weights: Mapping[str, float]) -> np.ndarray:
    total = np.zeros(len(pieces.rows))
    for name, values in pieces.values.items():
        total += weights[name] * values
    return total


def _listed(causes: Sequence[Cause]) -> Behind:
    return Behind(tuple(causes[:CAUSES]), len(causes))


def _people(asked: Iterable[str], have: Iterable[str]) -> list[Cause]:
    """The names that both have, as the document writes them."""
    wanted = folded_names(asked)
    return [Cause(name) for name in have if folded_name(name) in wanted]


def _classes(patent: Patent) -> Behind:
    groups = dict.fromkeys(main_group(item.symbol) for item in (*patent.cpc, *patent.ipc))
    return Behind(sentence=f"its main groups: {', '.join(list(groups)[:CAUSES])}" if groups else "")
