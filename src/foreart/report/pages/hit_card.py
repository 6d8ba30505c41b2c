"""View model of the card of one hit."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.report.pages.marked_text import TextSegment, word_segments
from foreart.report.pages.templating import BarPiece, pieces
from foreart.report.wording.channel_groups import Added, about_channel, added, group_of, seen
from foreart.report.wording.extract_marks import marked_words
from foreart.report.wording.phrases import whole_percent
from foreart.report.wording.search_wording import bar_share, published_text, shares
from foreart.search import Hit, Part

_WORDS = 10
_MIN_CONTRIBUTION = 0.0005  # of a channel, to be listed


@dataclass(frozen=True, slots=True)
class WordShare:
    """A word, its share of the total, and a bar relative to the largest share."""

    text: str
    share: float
    bar: BarPiece


@dataclass(frozen=True, slots=True)
class HitCard:
    """A hit with bars, facts and marked texts, as `hit_card.html` shows them."""

    hit: Hit
    score_bar: tuple[BarPiece, ...]
    groups: tuple[Added, ...]
    groups_bar: tuple[BarPiece, ...]
    channels: tuple[tuple[str, str, Part], ...]
    facts: tuple[tuple[str, str], ...]
    whole: str
    words: tuple[WordShare, ...]
    rest: float
    abstract: tuple[TextSegment, ...]
    passage: tuple[TextSegment, ...]
    passage_source: str


def hit_card(hit: Hit, best: float) -> HitCard:
    """The card of a hit; `best` is the score of the first hit, to which its bar is relative."""
    groups = seen(added(hit))
    positive = [(item.group.colour, item.value) for item in groups if item.value > 0]
    total = sum(value for _, value in positive) or 1.0
    length = bar_share(hit.score, best)
    word_shares = shares(hit, _WORDS)
    largest = max((share for _, share in word_shares), default=1.0)
    marked = marked_words(hit)
    return HitCard(
        hit=hit,
        score_bar=pieces(positive, total, length) if hit.parts else pieces([("c-text", 1.0)], 1.0, length),
        groups=tuple(groups),
        groups_bar=pieces(positive, total),
        channels=tuple(
            (group_of(part.channel).colour, about_channel(part.channel), part)
            for part in hit.parts
            if abs(part.contribution) >= _MIN_CONTRIBUTION
        ),
        facts=_facts(hit),
        whole=_whole(hit),
        words=tuple(WordShare(word, share, *pieces([("", share)], largest)) for word, share in word_shares),
        rest=1.0 - sum(share for _, share in word_shares),
        abstract=word_segments(hit.abstract, marked),
        passage=word_segments(hit.passage.text if hit.passage else "", marked),
        passage_source=_passage_source(hit),
    )


def _facts(hit: Hit) -> tuple[tuple[str, str], ...]:
    return (
        ("Published", published_text(hit)),
        ("Priority", hit.priority or "unknown"),
        ("Filed", hit.filed or "unknown"),
        ("Applicant", "; ".join(hit.applicants) or "not given"),
    )


def _whole(hit: Hit) -> str:
    """The total of which the words have shares."""
    return "the text similarity" if hit.parts else "the score"


def _passage_source(hit: Hit) -> str:
    if hit.passage is None:
        return ""
    number = f"[{hit.passage.number}]" if hit.passage.number else ""
    share = f"its words are {whole_percent(hit.passage.share)} of {_whole(hit)}"
    return " · ".join(part for part in (hit.passage.heading, number, share) if part)
