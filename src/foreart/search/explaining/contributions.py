"""What each channel contributes to the score of a document, and what each word contributes to a channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum

from foreart.document.patent import Patent
from foreart.index import Description
from foreart.search.explaining.channel_causes import Causes
from foreart.search.explaining.reasons import ChannelReason, Share, Words
from foreart.search.ranker import Comparison
from foreart.search.score_parts import Part, Shares

# How many words of a channel are shown.
WORDS = 15


class ChannelExplainer:
    """Explains the channels of one comparison; `limit` words of each are shown."""

    def __init__(self, comparison: Comparison, causes: Causes, *, limit: int = WORDS) -> None:
        self._comparison, self._causes, self._limit = comparison, causes, limit

    def of(self, row: int, patent: Patent) -> tuple[tuple[ChannelReason, ...], dict[str, Shares]]:
        """All channels of a document, largest contribution first, and all words of the text channels."""
        words: dict[str, Shares] = {}
        reasons = []
        for part in self._comparison.exact_parts(row):
            shares = self._comparison.channel_words(part.channel, row)
            if shares is None:
                reasons.append(self._with_causes(part, row, patent))
            else:
                words[part.channel] = shares
                factor = part.contribution / part.value if self._comparison.is_linear and part.value else None
                reasons.append(replace(self._reason(part), words=words_of(shares, part.value, self._limit, factor)))
        return tuple(reasons), words

    def summed(self, channels: Sequence[ChannelReason], words: Mapping[str, Shares]) -> tuple[tuple[Share, ...], float]:
        """What each word contributes to the fused score over all channels, largest first, and the rest of these."""
        if not self._comparison.is_linear:
            return (), 0.0
        totals: dict[str, list[float]] = {}
        for item in channels:
            if item.channel in words and item.value:
                for word, share in words[item.channel]:
                    totals.setdefault(word, []).append(share * item.contribution / item.value)
        sums = sorted(((word, fsum(values)) for word, values in totals.items()), key=lambda item: (-item[1], item[0]))
        shown = tuple(Share(word, value, value) for word, value in sums[: self._limit] if value > 0)
        whole = fsum(item.contribution for item in channels if item.channel in words)
        return shown, whole - fsum(share.contribution for share in shown)

    def _reason(self, part: Part) -> ChannelReason:
        return ChannelReason(
            part.channel, self._comparison.about(part.channel), part.rank, part.value, part.contribution
        )

    def _with_causes(self, part: Part, row: int, patent: Patent) -> ChannelReason:
        found = self._causes.of(part, row, patent)
        return replace(
            self._reason(part),
            causes=found.causes,
            causes_count=found.count,
            causes_rest=found.rest,
            sentence=found.sentence,
        )


def index_channel(description: Description, part: Part, shares: Shares, limit: int = WORDS) -> ChannelReason:
    """An index that ranks alone, as the only channel."""
    about = f"{description}, the only index used"
    words = words_of(shares, part.value, limit, 1.0)
    return ChannelReason(part.channel, about, part.rank, part.value, part.contribution, words)


def words_of(shares: Shares, value: float, limit: int, factor: float | None) -> Words | None:
    """The heaviest words and the rest, so that their sum is the value; None where a channel has no words."""
    if not shares:
        return None
    ordered = sorted(shares, key=lambda item: (-abs(item[1]), item[0]))
    shown = tuple(Share(word, share, None if factor is None else share * factor) for word, share in ordered[:limit])
    others = [share for _, share in ordered[limit:] if share]
    total = fsum(share for _, share in shares)
    return Words(shown, fsum(others), len(others), value - total)
