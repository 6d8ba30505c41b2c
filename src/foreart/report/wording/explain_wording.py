"""The reasons for a score in words, the same in the terminal and on the page."""

from __future__ import annotations

from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS
from foreart.report.wording.phrases import LAWS, count, percent, signed
from foreart.search.explaining import Calibrated, Cause, ChannelReason, Hub, Reasons
from foreart.search.explaining.bridges import Bridge, BridgeEnd
from foreart.search.explaining.term_places import Occurrences, Spot

_LEARNED = {
    LEARNED_WEIGHTS: "the weights learned from the citations of this corpus",
    DEFAULT_WEIGHTS: "the default weights",
}


def amount(value: float) -> str:
    """The value of a channel, formatted."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}"


def fusion_text(reasons: Reasons) -> str:
    """How the channels are combined."""
    if reasons.fusion == "index":
        return f"index {reasons.index} alone"
    if reasons.fusion == "ranks":
        return "reciprocal ranks of the channels, 1 / (60 + rank)"
    return f"the signals of each channel, weighted by {_LEARNED.get(reasons.ranking, 'learned weights')}"


def place_sentence(reasons: Reasons) -> str:
    """The rank, and why the document is not in the list."""
    if not reasons.listed:
        return f"not a hit; its rank would be {reasons.rank:,}"
    rank = f"rank {reasons.rank:,} of {count(reasons.hits, 'hit')}"
    return f"{rank}, listed as {reasons.instead} of the same family" if reasons.instead else rank


def sum_sentence(reasons: Reasons) -> str:
    """The sum of the contributions and the score."""
    return f"sum {reasons.added:.6f} = score {reasons.score:.6f}"


def calibration_sentence(calibrated: Calibrated | None) -> str:
    """How often documents with this score were cited, with the counts; `""` without a calibration."""
    if calibrated is None:
        return ""
    chance = calibrated.chance
    where = "of this corpus" if calibrated.here else "of an earlier state of the corpus or of another corpus"
    counted = f", over {count(calibrated.drafts, 'patent')} {where} used as queries"
    kinds = {
        "warm": "; the corpus seems to have documents with nearly the same citations as the draft",
        "cold": "; counted for drafts like this one, which seems to have no documents with nearly the same citations",
    }
    kind = kinds.get(calibrated.kind or "", "")
    share, low, high = (percent(value) for value in (chance.share, chance.low, chance.high))
    return (
        f"{share} of documents with such a score are cited (95 % interval {low} to {high}): "
        f"{chance.cited:,} of {chance.documents:,}{counted if calibrated.drafts else ''}{kind}"
    )


def hub_detail(hub: Hub | None) -> str:
    """How strong a hub is; `""` for other documents."""
    if hub is None:
        return ""
    return (
        f"hub: ranks high for drafts on any subject, number {hub.place:,} of such documents. It is among the "
        f"nearest of {percent(hub.value)} of the training queries; the mean of all documents is {percent(hub.mean)}"
    )


def cutoff_text(reasons: Reasons) -> str:
    """The cut-off date and the law."""
    return f"cut-off {reasons.cutoff.date} ({reasons.cutoff.source}), {LAWS[reasons.regime]}"


def spot_text(spot: Spot) -> str:
    """`[0012] (background)`."""
    return f"{spot.label} ({spot.section})" if spot.section else spot.label


def where_text(where: Occurrences, limit: int = 4) -> str:
    """The first locations and how many more there are."""
    shown = where.spots[:limit]
    more = where.places - len(shown)
    return f"{where.times}×: {', '.join(map(spot_text, shown))}" + (f" and {more:,} more" if more > 0 else "")


def words_text(channel: ChannelReason, limit: int) -> str:
    """The sum of a channel’s words: `.21 = bubbles .021 + … + 190 other words .09`."""
    words = channel.words
    if words is None:
        return ""
    shown = words.shown[:limit]
    rest = words.rest + sum(share.contribution for share in words.shown[limit:]) + words.rounding
    others = words.others + len(words.shown) - len(shown)
    parts = [f"{share.word} {share.contribution:.4g}" for share in shown]
    if others or abs(rest) > 1e-6:
        parts.append(f"{count(others, 'other word')} {rest:.4g}")
    return f"{channel.value:.4f} = " + " + ".join(parts)


def rounding_text(channel: ChannelReason) -> str:
    """The rounding between the sum of all words and the value of a channel."""
    words = channel.words
    if words is None:
        return ""
    if not channel.value and words.rounding > 0:
        return f"a similarity below 0 counts as 0 ({words.rounding:+.6f})"
    return f"rounding {words.rounding:+.1e}"


def cause_facts(cause: Cause) -> list[str]:
    """The similarity and weight of a document that contributes to a channel, or the location of a number or name."""
    figures = (("similarity", cause.similarity), ("weight", cause.weight))
    facts = [f"{name} {value:.2f}" for name, value in figures if value is not None]
    return [*facts, cause.note] if cause.note else facts


def cause_text(cause: Cause) -> str:
    """A cause with its facts and its contribution."""
    adds = [f"adds {signed(cause.contribution, 3)}"] if cause.contribution is not None else []
    facts = ", ".join((*cause_facts(cause), *adds))
    return f"{cause.name} ({facts})" if facts else cause.name


def rest_text(channel: ChannelReason) -> str:
    """The contribution of the causes that are not shown; `""` if there are none."""
    more = channel.causes_count - len(channel.causes)
    return f"{more:,} more {signed(channel.causes_rest, 3)}" if more > 0 else ""


def end_text(end: BridgeEnd) -> str:
    """A term and its document frequency."""
    return f"{end.term} ({count(end.documents, 'document')})"


def bridge_text(bridge: Bridge) -> str:
    """The kind of a bridge, and its similarity."""
    return bridge.kind if bridge.kind == "same stem" else f"{bridge.kind}, {bridge.similarity:.2f}"


def behind(reasons: Reasons) -> list[ChannelReason]:
    """The channels, other than text channels, that have causes or a sentence."""
    return [item for item in reasons.channels if item.causes or (item.sentence and item.contribution)]


def silent(reasons: Reasons) -> list[str]:
    """The channels without a contribution."""
    return [item.channel for item in reasons.channels if not item.contribution]
