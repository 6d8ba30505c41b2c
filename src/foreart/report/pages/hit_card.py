"""One hit as a card of the page."""

from __future__ import annotations

from foreart.report.pages.marked_text import escape, marked
from foreart.report.pages.score_plot import CLASSES
from foreart.report.wording.channel_groups import about_channel, added, group_of, seen
from foreart.report.wording.phrases import count, signed
from foreart.report.wording.search_wording import (
    bar_share,
    chance_sentence,
    earlier_member,
    hub_sentence,
    published_text,
    shares,
)
from foreart.search import STATUSES, Hit, Member, Passage, Status

_WORDS = 10
_LEAST = 0.0005  # what a channel adds to be named
_MARKED = 0.05  # of what the heaviest word adds: below it stand the words of every text


def badge(status: Status, rule: str = "") -> str:
    """The status in words, and in colour; the rule, or what the status means, is told on pointing at it."""
    return f'<span class="badge {CLASSES[status]}" title="{escape(rule or STATUSES[status])}">{escape(status)}</span>'


def bar(share: float, text: str) -> str:
    """A bar with its figure beside it; the bar itself says nothing a screen reader would miss."""
    return (
        '<span class="score"><span class="bar" aria-hidden="true">'
        f'<span style="width:{share * 100:.1f}%"></span></span>'
        f'<span class="figure">{escape(text)}</span></span>'
    )


def score_bar(hit: Hit, best: float) -> str:
    """The score with its bar; where channels made it, the bar has a piece for each group that added something."""
    if not hit.parts:
        return bar(bar_share(hit.score, best), f"{hit.score:.3f}")
    up = [item for item in seen(added(hit)) if item.value > 0]
    whole = sum(item.value for item in up)
    width = bar_share(hit.score, best) * 100
    pieces = "".join(
        f'<span class="{item.group.colour}" style="width:{item.value / whole * width:.1f}%"></span>' for item in up
    )
    return (
        f'<span class="score"><span class="bar pieces" aria-hidden="true">{pieces}</span>'
        f'<span class="figure">{hit.score:.3f}</span></span>'
    )


def card(hit: Hit, best: float) -> str:
    """All that is known of a hit, in the order in which it is judged."""
    words = _heavy(hit)
    language = f' lang="{escape(hit.language)}"' if hit.language else ""
    return "".join(
        (
            f'<article class="card {CLASSES[hit.status]}" id="hit-{hit.rank}" aria-labelledby="title-{hit.rank}">',
            f'<header><p class="rank" aria-label="Rank {hit.rank}">{hit.rank}</p><div class="name">',
            f'<h3 id="title-{hit.rank}"{language}>{escape(hit.title or "(no title)")}</h3>',
            f'<p class="line"><span class="id">{escape(hit.id)}</span>{badge(hit.status)}</p></div>',
            score_bar(hit, best),
            "</header>",
            f'<p class="rule">{escape(hit.rule)}</p>' if hit.rule else "",
            f'<p class="chance">{escape(chance_sentence(hit.chance))}.</p>' if hit.chance else "",
            f'<p class="hub">{escape(hub_sentence(hit))}</p>' if hit.hub else "",
            _facts(hit),
            _parts(hit),
            _words(hit),
            _abstract(hit, words, language),
            _passage(hit.passage, words, language, _whole(hit)) if hit.passage else "",
            _family(hit),
            "</article>",
        )
    )


def _heavy(hit: Hit) -> set[str]:
    """The words worth marking in the texts."""
    return {word for word, contribution in hit.words if contribution >= _MARKED * hit.words[0][1]}


def _facts(hit: Hit) -> str:
    facts = (
        ("Published", published_text(hit)),
        ("Priority", hit.priority or "unknown"),
        ("Filed", hit.filed or "unknown"),
        ("Applicant", "; ".join(hit.applicants) or "not given"),
    )
    return (
        '<dl class="facts">'
        + "".join(f"<div><dt>{name}</dt><dd>{escape(text)}</dd></div>" for name, text in facts)
        + "</dl>"
    )


def _parts(hit: Hit) -> str:
    """What made the score, in groups; each channel with its rank is one key away."""
    if not hit.parts:
        return ""
    items = seen(added(hit))
    up = [item for item in items if item.value > 0]
    whole = sum(item.value for item in up) or 1.0
    pieces = "".join(
        f'<span class="{item.group.colour}" style="width:{item.value / whole * 100:.1f}%"></span>' for item in up
    )
    keys = "".join(
        f'<li title="{escape(item.group.about)}"><span class="key {item.group.colour}" aria-hidden="true"></span>'
        f"{escape(item.group.name)} <b>{signed(item.value)}</b></li>"
        for item in items
    )
    return (
        f'<h4>What made the score</h4><div class="pieces wide" aria-hidden="true">{pieces}</div>'
        f'<ul class="keys">{keys}</ul>{_channels(hit)}'
    )


def _channels(hit: Hit) -> str:
    """Every channel that added something, in words."""
    told = [part for part in hit.parts if abs(part.contribution) >= _LEAST]
    rows = "".join(
        f'<tr><th scope="row"><span class="key {group_of(part.channel).colour}" aria-hidden="true"></span>'
        f"{escape(about_channel(part.channel) or part.channel)}</th>"
        f'<td class="number">{f"{part.rank:,}" if part.rank else "–"}</td>'
        f'<td class="number">{signed(part.contribution)}</td></tr>'
        for part in told
    )
    return (
        f'<details class="more"><summary>In detail: {count(len(told), "channel")}</summary><table class="parts"><thead>'
        '<tr><th scope="col">What it says</th><th scope="col">Rank in it</th><th scope="col">Adds</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def _whole(hit: Hit) -> str:
    """What the shares of words are shares of."""
    return "the likeness of the texts" if hit.parts else "the score"


def _words(hit: Hit) -> str:
    found = shares(hit, _WORDS)
    if not found:
        return ""
    rest = 1.0 - sum(share for _, share in found)
    greatest = max((share for _, share in found), default=1.0)
    items = "".join(
        f'<li><span class="fill" style="width:{share / greatest * 100:.1f}%" aria-hidden="true"></span>'
        f'<span class="word">{escape(word)}</span> <span class="share">{_percent(share)}</span></li>'
        for word, share in found
    )
    more = f'<li class="rest"><span class="word">other words</span> <span class="share">{_percent(rest)}</span></li>'
    like = f" ({hit.likeness:.2f} of 1)" if hit.parts else ""
    return f'<h4>Words that made {_whole(hit)}{like}</h4><ul class="words">{items}{more if rest > 0.0005 else ""}</ul>'


def _percent(share: float) -> str:
    return "< 1 %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def _abstract(hit: Hit, words: set[str], language: str) -> str:
    if not hit.abstract:
        return '<h4>Abstract</h4><p class="none">The corpus holds no abstract of this document.</p>'
    return f"<h4>Abstract</h4><p{language}>{marked(hit.abstract, words)}</p>"


def _passage(passage: Passage, words: set[str], language: str, whole: str) -> str:
    place = " · ".join(part for part in (passage.heading, f"[{passage.number}]" if passage.number else "") if part)
    source = f"{place} · " if place else ""
    return (
        f"<h4>Closest paragraph of the description</h4>"
        f"<figure><blockquote{language}>{marked(passage.text, words)}</blockquote>"
        f"<figcaption>{escape(source)}its words make {_percent(passage.share)} of {whole}</figcaption></figure>"
    )


def _family(hit: Hit) -> str:
    if not hit.family_members:
        return ""
    earlier = earlier_member(hit)
    note = f'<p class="earlier">{escape(earlier)} of the same family is prior art.</p>' if earlier else ""
    items = "".join(_member(member) for member in hit.family_members)
    more = count(len(hit.family_members), "other publication")
    return (
        f'{note}<details class="more"><summary>Same family: {more}</summary><ul class="family">{items}</ul></details>'
    )


def _member(member: Member) -> str:
    published = f"published {member.published}" if member.published else "date of publication unknown"
    return (
        f'<li><span class="id">{escape(member.id)}</span> {badge(member.status)} {escape(published)}, '
        f"score {member.score:.3f}<small>{escape(member.rule)}</small></li>"
    )
