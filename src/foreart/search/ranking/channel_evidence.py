"""The evidence of channels that do not compare text: near documents with their parts, or a sentence."""

from __future__ import annotations

from math import fsum

import numpy as np

from foreart.search.ranking.fusion import Fusion
from foreart.search.ranking.neighbourhood import Neighbourhood
from foreart.search.ranking.signals import Signals
from foreart.search.score_parts import Cause, Evidence

# How many causes of a channel are listed.
CAUSES = 8


def channel_evidence(
    channel: str, row: int, contribution: float, *, near: Neighbourhood, signals: Signals, fusion: Fusion
) -> Evidence:
    """What a channel's contribution to the score of a row is based on."""
    pieces = near.pieces(channel, row, signals.of(channel, row))
    if pieces is None:
        return Evidence(sentence=_sentence(channel, row, near, signals))
    added = fusion.split(pieces.values, contribution)
    order = [place for place in np.argsort(-np.abs(added), kind="stable").tolist() if added[place]]
    causes = tuple(
        Cause(
            name=near.graph.view.ids[other],
            likeness=float(near.features.texts["words"][other]),
            weight=float(near.likely[other]),
            contribution=float(added[place]),
            note=_note(channel, row, other, near),
        )
        for place, other in zip(order[:CAUSES], pieces.rows[order[:CAUSES]].tolist(), strict=True)
    )
    return Evidence(causes, len(order), fsum(added[place] for place in order[CAUSES:]))


def _note(channel: str, row: int, other: int, near: Neighbourhood) -> str:
    if channel == "co-cited":
        together = near.cited_together(row, other)
        ids = [near.graph.view.ids[place] for place in together[:2]]
        more = f" and {len(together) - 2} more" if len(together) > 2 else ""
        return f"cites it together with {', '.join(ids)}{more}" if ids else ""
    if channel == "coupled":
        if other == row:
            return "the document itself, which is near"
        count = near.common_citations(row, other)
        return f"{count} {'citation' if count == 1 else 'citations'} in common"
    return ""


def _sentence(channel: str, row: int, near: Neighbourhood, signals: Signals) -> str:
    features = near.features
    if channel == "order":
        place = 1 + int((features.near[features.known] > features.near[row]).sum())
        return f"place {place:,} of {int(features.known.sum()):,} known documents by words, brief and topics together"
    if channel == "citation walk":
        return f"{near.walk[row]:.2%} of a random walk along citations from the nearest texts is here"
    if channel == "age":
        years = float(np.expm1(signals.columns["age"][row]))
        return f"{years:.1f} years before the draft"
    if channel == "often cited":
        count = near.known_citing(row)
        return f"{count:,} known {'document cites' if count == 1 else 'documents cite'} it"
    if channel == "hub":
        value = float(signals.columns["hub"][row])
        return f"its mean similarity to drafts is {value:.0%} of that of the most similar document"
    return ""
