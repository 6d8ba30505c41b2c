"""What each channel adds to the score of a document, and what each word adds to that of a channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from foreart.document.patent import Patent
from foreart.index import Explanation
from foreart.index.word_index import WordIndex
from foreart.search.explaining.channel_causes import Causes
from foreart.search.explaining.reasons import ChannelReason, Share, Words
from foreart.search.ranker import IndexRanker, Part
from foreart.search.ranking import CHANNELS, TEXT_CHANNELS, FusedComparison, Weighted

WORDS = 15
_TEXTS = {channel.name: channel for channel in TEXT_CHANNELS}

Shares = Sequence[tuple[str, float]]


class FusedChannels:
    """The channels of one comparison."""

    def __init__(self, comparison: FusedComparison, causes: Causes, *, most: int = WORDS) -> None:
        self._comparison, self._causes, self._most = comparison, causes, most
        self._linear = isinstance(comparison.ranker.fusion, Weighted)
        self._explanations: dict[str, Explanation] = {}

    def of(self, row: int, patent: Patent) -> tuple[tuple[ChannelReason, ...], dict[str, Shares]]:
        """All channels of a document, greatest first, and the words of those of text, all of them."""
        every: dict[str, Shares] = {}
        found = []
        for told in self._comparison.parts(row):
            part = replace(told, contribution=self._contribution(told, row))
            reason = ChannelReason(part.channel, CHANNELS[part.channel].about, part.rank, part.value, part.contribution)
            if part.channel in _TEXTS:
                shares = self._shares(part.channel, row)
                every[part.channel] = shares
                factor = part.contribution / part.value if self._linear and part.value else None
                found.append(replace(reason, words=words_of(shares, part.value, self._most, factor)))
            else:
                found.append(self._behind(reason, row, patent))
        return tuple(found), every

    def _contribution(self, part: Part, row: int) -> float:
        """What a channel adds, in the precision in which the ranking adds it: some signals are single."""
        fusion, found = self._comparison.ranker.fusion, self._comparison.found
        if not isinstance(fusion, Weighted):
            return part.contribution
        names = (name for name, channel in found.channels.items() if channel == part.channel)
        return fsum(float((fusion.weights.get(name, 0.0) * found.columns[name][row : row + 1])[0]) for name in names)

    def _shares(self, name: str, row: int) -> Shares:
        """The words of a channel; what an index of dense rows needs for it is made once for all documents."""
        channel = _TEXTS[name]
        texts, forms = self._comparison.ranker.inputs.texts, self._comparison.forms
        index = texts.indexes[channel.index]
        if isinstance(index, WordIndex):
            return self._comparison.channel_words(channel, row)
        if name not in self._explanations:
            self._explanations[name] = index.explanation(forms.texts[channel.form])
        return self._explanations[name].of(self._comparison.ranker.ids[row])

    def added(self, channels: Sequence[ChannelReason], every: dict[str, Shares]) -> tuple[tuple[Share, ...], float]:
        """What each word adds to the fused score over all channels, greatest first, and the rest of these channels."""
        if not self._linear:
            return (), 0.0
        total: dict[str, list[float]] = {}
        for item in channels:
            if item.channel in every and item.value:
                for word, share in every[item.channel]:
                    total.setdefault(word, []).append(share * item.contribution / item.value)
        summed = sorted(((word, fsum(values)) for word, values in total.items()), key=_greatest_first)
        shown = tuple(Share(word, value, value) for word, value in summed[: self._most] if value > 0)
        whole = fsum(item.contribution for item in channels if item.channel in every)
        return shown, whole - fsum(share.contribution for share in shown)

    def _behind(self, reason: ChannelReason, row: int, patent: Patent) -> ChannelReason:
        found = self._causes.of(reason.channel, row, patent, reason.contribution)
        return replace(
            reason,
            causes=found.causes,
            causes_count=found.count,
            causes_rest=found.rest,
            sentence=found.sentence,
        )


def index_channel(name: str, ranker: IndexRanker, part: Part, shares: Shares, most: int = WORDS) -> ChannelReason:
    """An index that ranks alone, as the one channel."""
    about = f"{ranker.description}, the only index asked"
    words = words_of(shares, part.value, most, 1.0)
    return ChannelReason(name or part.channel, about, part.rank, part.value, part.contribution, words)


def words_of(shares: Shares, value: float, most: int, factor: float | None) -> Words | None:
    """The heaviest words and the rest, so that their sum is the value; None where a channel has no words."""
    if not shares:
        return None
    ordered = sorted(shares, key=lambda item: (-abs(item[1]), item[0]))
    shown = tuple(Share(word, share, None if factor is None else share * factor) for word, share in ordered[:most])
    others = [share for _, share in ordered[most:] if share]
    total = fsum(share for _, share in shares)
    return Words(shown, fsum(others), len(others), value - total)


def _greatest_first(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]
