"""Channels in a few groups that users understand without explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreart.search import Hit, Part
from foreart.search.ranking import CHANNELS


@dataclass(frozen=True, slots=True)
class ChannelGroup:
    """A group of channels: its name, what it compares, and the class of its colour."""

    name: str
    about: str
    colour: str


_TEXT = ChannelGroup("text", "the same words, in the full texts or in title and abstract", "c-text")
_CLAIMS = ChannelGroup("claims", "words of the draft’s claims, in the document’s claims or anywhere in it", "c-claims")
_TOPICS = ChannelGroup("subject", "the same subject, also in other words", "c-subject")
_CITATIONS = ChannelGroup(
    "citations", "documents similar to the draft cite it, are cited by it, or cite what it cites", "c-citations"
)
_NAMED = ChannelGroup(
    "named", "the draft or similar documents name it in their text, or it names numbers that the draft names", "c-named"
)
_PEOPLE = ChannelGroup("people and classes", "the same applicant, inventor or classes, and its age", "c-people")
_HUB = ChannelGroup("hub", "subtracted from hubs, documents that rank high for drafts on any subject", "c-often")
_JUDGED = ChannelGroup(
    "judgements", "what your judgements add: citations and topics shared with documents that you judged", "c-near"
)
_OTHER = ChannelGroup("other", "channels of another version of foreart", "c-often")
GROUPS: Mapping[str, ChannelGroup] = {
    **dict.fromkeys(("words", "brief", "abstract", "counts", "bm25", "order", "passages"), _TEXT),
    **dict.fromkeys(("claims", "claims in text"), _CLAIMS),
    **dict.fromkeys(
        (
            "topics",
            "brief topics",
            "learned topics",
            "learned brief topics",
            "word vectors",
            "embedding",
        ),
        _TOPICS,
    ),
    **dict.fromkeys(
        (
            "cited by near",
            "cited by nearest",
            "cites near",
            "citation walk",
            "cited by same people",
            "co-cited",
            "coupled",
            "often cited",
        ),
        _CITATIONS,
    ),
    **dict.fromkeys(("named in draft", "named by near", "shared numbers"), _NAMED),
    **dict.fromkeys(("applicant", "inventor", "classes", "age"), _PEOPLE),
    **dict.fromkeys(("your judgements", "place in the list"), _JUDGED),
    "hub": _HUB,
}
# Smaller shares of all contributions are invisible in a bar, and are not listed.
_SEEN = 0.005


@dataclass(frozen=True, slots=True)
class Added:
    """The contribution of a group to a score, and its parts."""

    group: ChannelGroup
    value: float
    parts: tuple[Part, ...]


def added(hit: Hit) -> list[Added]:
    """The contribution of each group, in the order of groups: they sum to the score."""
    parts: dict[ChannelGroup, list[Part]] = {group: [] for group in dict.fromkeys([*GROUPS.values(), _OTHER])}
    for part in hit.parts:
        parts[group_of(part.channel)].append(part)
    return [
        Added(group, sum(part.contribution for part in members), tuple(members))
        for group, members in parts.items()
        if members
    ]


def seen(items: Sequence[Added]) -> list[Added]:
    """The contributions large enough to show, in the same order for every hit, negative ones last."""
    total = sum(abs(item.value) for item in items)
    kept = [item for item in items if item.value and abs(item.value) >= _SEEN * total]
    return sorted(kept, key=lambda item: item.value < 0)


def groups_of(hits: Sequence[Hit]) -> list[ChannelGroup]:
    """The groups shown for at least one hit, in their order."""
    shown = {item.group for hit in hits for item in seen(added(hit))}
    return [group for group in dict.fromkeys([*GROUPS.values(), _OTHER]) if group in shown]


def group_of(channel: str) -> ChannelGroup:
    """The group of a channel."""
    return GROUPS.get(channel, _OTHER)


def about_channel(name: str) -> str:
    """What a channel compares; its name if the channel is unknown."""
    return CHANNELS[name].about if name in CHANNELS else name
