"""The evidence of channels that do not compare text: near documents with their parts, or a sentence."""

from __future__ import annotations

from math import fsum

import numpy as np

from foreart.search.ranking.fusion import Fusion
from foreart.search.ranking.near.draft_query import ORDERED
from foreart.search.ranking.near.neighbourhood import Neighbourhood
from foreart.search.ranking.near.signal_pieces import cited_together, common_citations, known_citing, pieces, words_of
from foreart.search.ranking.signals import Signals
from foreart.search.score_parts import Cause, Evidence

# How many causes of a channel are listed.
CAUSES = 8


def channel_evidence(
    channel: str, row: int, contribution: float, *, near: Neighbourhood, signals: Signals, fusion: Fusion
) -> Evidence:
    """What a channel's contribution to the score of a row is based on."""
    found = pieces(near, channel, row, signals.of(channel, row))
    if found is None:
        return Evidence(sentence=_sentence(channel, row, near, signals))
    added = fusion.split(found.values, contribution)
    order = [place for place in np.argsort(-np.abs(added), kind="stable").tolist() if added[place]]
    shown = found.rows[order[:CAUSES]]
    similarities = words_of(near, shown)
    causes = tuple(
        Cause(
            name=near.graph.view.ids[other],
            similarity=similarities[other],
            weight=float(near.likely.at(np.array([other]))[0]),
            contribution=float(added[place]),
            note=_note(channel, row, other, near),
        )
        for place, other in zip(order[:CAUSES], shown.tolist(), strict=True)
    )
    return Evidence(causes, len(order), fsum(added[place] for place in order[CAUSES:]))


def _note(channel: str, row: int, other: int, near: Neighbourhood) -> str:
    if channel == "co-cited":
        together = cited_together(near, row, other)
        ids = [near.graph.view.ids[place] for place in together[:2]]
        more = f" and {len(together) - 2} more" if len(together) > 2 else ""
        return f"cites it together with {', '.join(ids)}{more}" if ids else ""
    if channel == "coupled":
        if other == row:
            return "the document itself, which is near"
        count = common_citations(near, row, other)
        return f"{count} {'citation' if count == 1 else 'citations'} in common"
    return ""


def _sentence(channel: str, row: int, near: Neighbourhood, signals: Signals) -> str:
    if channel == "order":
        return _place(int(np.exp(-signals.of(channel, row)["order"]) + 0.5), near)
    if channel == "citation walk":
        share = float(near.walk.at(np.array([row]))[0])
        return f"{share:.2%} of a random walk along citations from the nearest texts is here"
    if channel == "age":
        years = float(np.expm1(signals.of(channel, row)["age"]))
        return f"{years:.1f} years before the draft"
    if channel == "often cited":
        count = known_citing(near, row)
        return f"{count:,} known {'document cites' if count == 1 else 'documents cite'} it"
    if channel == "hub":
        value = signals.of(channel, row)["hub"]
        return f"among the nearest documents of {value:.0%} of the training queries"
    return ""


def _place(place: int, near: Neighbourhood) -> str:
    """The place of a document by text; those far behind are not distinguished."""
    known = f"of {int(near.query.known.sum()):,} known documents by words, brief and topics together"
    return f"place {place:,} {known}" if place <= ORDERED else f"behind place {ORDERED:,} {known}"
