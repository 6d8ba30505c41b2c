"""Reasons as one page that needs nothing but a browser: no script, no network, nothing to install."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

from foreart.report.pages.hit_card import badge
from foreart.report.pages.marked_text import escape, marked_extract
from foreart.report.pages.waterfall import kind_of, waterfall
from foreart.report.wording.explain_wording import (
    METHOD,
    amount,
    behind,
    bridge_text,
    chance_sentence,
    cutoff_text,
    figure,
    fusion_text,
    hub_sentence,
    percent,
    place_sentence,
    rest_text,
    rounding_text,
    silent,
    spot_text,
    sum_sentence,
    where_text,
)
from foreart.report.wording.phrases import count
from foreart.search.explaining import Cause, ChannelReason, Extract, Reasons, Share, Words
from foreart.search.explaining.bridges import BridgeEnd

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

_KEY = (
    '<p class="key">'
    + "".join(
        f'<span class="{kind}">{name}</span>'
        for kind, name in (
            ("text", "words"),
            ("near", "near documents"),
            ("other", "other facts"),
            ("less", "takes away"),
        )
    )
    + "</p>"
)
# Channels of which a reader wants to see at once what stands behind them.
_OPEN = ("named in draft", "cited by near")


def explain_html(reasons: Sequence[Reasons], *, made: str = "") -> str:
    """The whole page. `made` is the time to print on it; without one, the same reasons give the same bytes."""
    first = reasons[0]
    title = first.draft_title or first.draft_source or "draft"
    style = resources.files("foreart.report").joinpath("templates", "explain.css").read_text("utf-8")
    documents = "\n".join(_document(item) for item in reasons)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Reasons: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header class="top"><p class="kind">Why these documents</p><h1>{escape(title)}</h1>'
        f'<p class="facts">{escape(cutoff_text(first))} · {count(first.documents, "document")} compared · '
        f"{escape(fusion_text(first))}</p>{_contents(reasons)}</header>\n<main>\n{documents}\n"
        f'<section class="method"><h2>How to read this</h2><p>{escape(METHOD)}</p></section>\n</main>\n'
        f"<footer><p>{escape(_foot(first, made))}</p></footer>\n</body>\n</html>\n"
    )


def _contents(reasons: Sequence[Reasons]) -> str:
    if len(reasons) < 2:
        return ""
    items = "".join(
        f'<li><a href="#{escape(item.id)}">{escape(item.id)}</a> {escape(item.title)} <small>score {item.score:.3f}, '
        f"{escape(place_sentence(item))}</small></li>"
        for item in reasons
    )
    return f'<ol class="contents">{items}</ol>'


def _document(item: Reasons) -> str:
    badges = badge(item.status, item.rule)
    if item.hub is not None:
        badges += f' <span class="badge hub" title="{escape(hub_sentence(item.hub))}">hub</span>'
    sentences = (chance_sentence(item.calibrated), hub_sentence(item.hub), *item.notes)
    told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences if sentence)
    return (
        f'<article id="{escape(item.id)}"><header><h2><span class="id">{escape(item.id)}</span> '
        f"{escape(item.title or '(no title)')}</h2>"
        f'<p class="line"><b class="score">{item.score:.3f}</b> <span>{escape(place_sentence(item))}</span> '
        f"{badges}</p>"
        f'<p class="rule">{escape(item.rule)}</p><div class="said">{told}</div></header>'
        f"{_score(item)}{_words(item)}{_terms(item)}{_bridges(item)}{_extracts(item)}</article>"
    )


def _score(item: Reasons) -> str:
    nothing = silent(item)
    quiet = f'<p class="quiet">Adding nothing: {escape(", ".join(nothing))}.</p>' if nothing else ""
    told = {channel.channel for channel in behind(item)}
    rows = "".join(_channel(each) for each in item.channels if each.contribution or each.channel in told)
    return (
        f"<section><h3>What made the score</h3>{waterfall(item.channels, item.score)}{_KEY}"
        f'<p class="sum">{escape(sum_sentence(item))}</p>{quiet}<div class="channels">{rows}</div></section>'
    )


def _channel(item: ChannelReason) -> str:
    rank = f"rank {item.rank:,} there" if item.rank else "not ranked there"
    said = f"<p>{escape(item.sentence)}</p>" if item.sentence else ""
    return (
        f'<details class="{kind_of(item)}"{" open" if item.channel in _OPEN else ""}>'
        f"<summary><b>{escape(item.channel)}</b> <span>{escape(item.about)}</span> "
        f'<i>{figure(item.contribution)}</i></summary><p class="quiet">value {amount(item.value)}, {rank}</p>{said}'
        f"{_channel_words(item, item.words)}{_causes(item)}</details>"
    )


def _channel_words(item: ChannelReason, words: Words | None) -> str:
    if words is None:
        return ""
    rest = f"{count(words.others, 'other word')} {words.rest:+.6f}, {rounding_text(item)}"
    return f'{_bars(words.shown, "{:.6f}")}<p class="quiet">{escape(rest)}; sum {words.total:.6f}</p>'


def _causes(item: ChannelReason) -> str:
    if not item.causes:
        return ""
    rest = rest_text(item)
    more = f'<p class="quiet">{escape(rest)}</p>' if rest else ""
    return f'<ul class="causes">{"".join(map(_cause, item.causes))}</ul>{more}'


def _cause(cause: Cause) -> str:
    facts = [cause.note] if cause.note else []
    if cause.likeness is not None:
        facts.insert(0, f"likeness {cause.likeness:.2f}, weight {cause.weight or 0.0:.2f}")
    adds = f"<i>{figure(cause.contribution)}</i>" if cause.contribution is not None else ""
    told = escape("; ".join(facts))
    return f'<li><b class="id">{escape(cause.name)}</b> {escape(cause.title)} <small>{told}</small>{adds}</li>'


def _bars(shares: Iterable[Share], form: str = "{:+.3f}") -> str:
    shown = tuple(shares)
    greatest = max((abs(share.contribution) for share in shown), default=1.0) or 1.0
    items = "".join(
        f'<li class="{"less" if share.contribution < 0 else "more"}"><span class="word">{escape(share.word)}</span>'
        f'<span class="bar" aria-hidden="true"><span style="width:{abs(share.contribution) / greatest * 100:.1f}%">'
        f'</span></span><span class="figure">{form.format(share.contribution)}</span></li>'
        for share in shown
    )
    return f'<ol class="bars">{items}</ol>'


def _words(item: Reasons) -> str:
    if item.fusion != "learned" or not item.words:
        return ""
    return (
        "<section><h3>What words add to the score, over all channels of text</h3>"
        f'{_bars(item.words)}<p class="quiet">All other words together {figure(item.words_rest)}.</p></section>'
    )


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    body = "".join(
        "<tr>" + "".join(f'<td data-name="{name}">{cell}</td>' for name, cell in zip(names, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _terms(item: Reasons) -> str:
    if not item.terms:
        return ""
    rows = (
        (
            f"<b>{escape(term.term)}</b>",
            count(term.documents, "document"),
            escape(where_text(term.in_draft)),
            escape(where_text(term.in_document)),
        )
        for term in item.terms
    )
    names = ("Term", "In the corpus", "In the draft", "In the document")
    return f"<section><h3>Rare terms that both have</h3>{_table(names, rows)}</section>"


def _bridges(item: Reasons) -> str:
    if not item.bridges:
        return ""
    rows = (
        (
            _end(bridge.draft),
            _end(bridge.document),
            escape(bridge_text(bridge)),
            escape(where_text(bridge.draft.where)),
            escape(where_text(bridge.document.where)),
        )
        for bridge in item.bridges
    )
    by = f" By the word vectors of the index {escape(item.bridges_by)}." if item.bridges_by else ""
    names = ("The draft has", "The document has", "Bridge", "In the draft", "In the document")
    return (
        "<section><h3>Bridges: other words that may mean the same</h3>"
        f'<p class="quiet">They add nothing to the score.{by}</p>{_table(names, rows)}</section>'
    )


def _end(end: BridgeEnd) -> str:
    return f'<span class="bridge">{escape(end.term)}</span> <small>{count(end.documents, "document")}</small>'


def _extracts(item: Reasons) -> str:
    if not item.extracts:
        return ""
    language = f' lang="{escape(item.language)}"' if item.language else ""
    quotes = "".join(_extract(extract, language) for extract in item.extracts)
    return f"<section><h3>Where it lies in the document</h3>{quotes}</section>"


def _extract(item: Extract, language: str) -> str:
    return (
        f'<figure><blockquote dir="auto"{language}>{marked_extract(item)}</blockquote><figcaption>'
        f"{escape(spot_text(item.spot))} · its words make {percent(item.share)} of the likeness of texts</figcaption>"
        "</figure>"
    )


def _foot(first: Reasons, made: str) -> str:
    facts = (
        f"foreart {first.foreart}",
        f"draft {first.draft_source or 'unnamed'}, fingerprint {first.draft_fingerprint}",
        f"corpus {first.corpus_fingerprint}",
        f"weights {first.learned}" if first.learned else "",
        f"made {made}" if made else "",
        "This page names an unpublished draft: keep it confidential.",
    )
    return " · ".join(fact for fact in facts if fact)
