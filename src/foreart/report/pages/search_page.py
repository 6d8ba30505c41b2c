"""The result as one page that needs nothing but a browser: no script, no network, nothing to install."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from foreart.report.pages.hit_card import badge, card, score_bar
from foreart.report.pages.marked_text import escape
from foreart.report.pages.score_plot import score_plot
from foreart.report.wording.channel_groups import groups_of
from foreart.report.wording.phrases import LAWS, count, percent
from foreart.report.wording.search_wording import (
    chance_sentence,
    judged_drafts,
    left_out_sentence,
    missing_sentence,
    nothing_sentence,
    own_family_sentence,
    published_text,
    ranking_texts,
    removed_sentence,
)
from foreart.search import REGIMES, STATUSES, Hit, LeftOut, Result

# Nothing may be loaded from anywhere, whatever a title in the corpus says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SCORE = (
    "<strong>The score</strong> is the cosine between the words of the draft and the words of a document, from 0 "
    "(no common word of weight) to 1 (the same words in the same proportion). Every document of the corpus was "
    "compared with the draft. A word weighs more the more often it occurs in a text and the fewer documents of "
    "the corpus have it; the settings of the index are given below. Each word adds its part to the score, and the "
    "parts shown are exact: together with “other words” they are the score. The words that weigh most "
    "are <mark>marked</mark> in the texts. The score orders documents; it is not a probability, and it does not "
    "know synonyms. Of each family the member with the best score stands in the list."
)
_FUSED = (
    "<strong>The score</strong> orders the documents: the higher, the more likely one belongs to the prior art of the "
    "draft. It has no unit and no upper end, and it is no probability. It is the sum of what several channels add, "
    "which each hit shows in detail. Bars and figures take them together:"
)
_LIKENESS = (
    "<strong>The words</strong> beside a hit are those that make its whole text like that of the draft: a word weighs "
    "more the more often it occurs in a text and the fewer documents of the corpus have it. Those that weigh most are "
    "<mark>marked</mark> in the texts. Of each family the member with the best score stands in the list."
)
_CHANCE = (
    "<strong>Cited in past searches</strong>: {drafts} of the corpus played the draft, without their own citations, "
    "their families and all that came later. The percentage tells how many of the documents at a score were really "
    "cited, for patents that the ranking had not learned from; the range is a 95 % interval. An examiner or applicant "
    "who did not cite a document may still have overlooked it."
)
_NO_CHANCE = (
    "How often documents at such a score are really cited was not counted for this ranking; where it was learned with "
    "<code>foreart learn</code>, every hit tells it."
)
_COLUMNS = ('<span class="quiet">Rank</span>', "Score", "Document", "Published", "Status")


def search_html(result: Result, *, made: str = "") -> str:
    """The whole page. `made` is the time to print on it; without one, the same search gives the same bytes."""
    title = result.draft_title or result.draft_source or "draft"
    style = resources.files("foreart.report").joinpath("templates", "report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Prior art: {escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#hits">To the hits</a>\n{_head(result, title)}\n<main>\n'
        f"{_overview(result)}\n{_cards(result)}\n{_own_family(result)}\n{_left_out(result)}\n{_method(result)}\n"
        "</main>\n"
        f"<footer><p>{escape(_foot(result, made))}</p></footer>\n</body>\n</html>\n"
    )


def _head(result: Result, title: str) -> str:
    facts = (
        ("Cut-off date", result.cutoff.date, f"{result.cutoff.source}; what counts under {LAWS[result.regime]}"),
        ("Compared", count(result.compared, "document"), f"corpus {result.corpus_fingerprint[:12]}"),
        ("Ranked by", *(text.replace("`", "") for text in ranking_texts(result))),
        ("Draft", result.draft_source or "unnamed", f"fingerprint {result.draft_fingerprint[:12]}"),
    )
    boxes = "".join(
        f"<div><dt>{name}</dt><dd>{escape(text)}<small>{escape(more)}</small></dd></div>" for name, text, more in facts
    )
    notes = f'<p class="filters">{escape(removed_sentence(result))}</p>' if result.removed else ""
    notes += f'<p class="note">{escape(missing_sentence(result).replace("`", ""))}</p>' if result.missing_terms else ""
    notes += "".join(f'<p class="note">Note on the draft: {escape(note)}</p>' for note in result.notes)
    heading = f'<p class="kind">Prior-art search</p><h1>{escape(title)}</h1>'
    return f'<header class="top">{heading}<dl>{boxes}</dl>{notes}</header>'


def _overview(result: Result) -> str:
    if not result.hits:
        return f'<section><h2 id="hits">Hits</h2><p>{nothing_sentence(result)}</p></section>'
    best = result.hits[0].score
    rows = "".join(
        f'<tr><td class="number">{hit.rank}</td><td>{score_bar(hit, best)}{_cited(hit)}</td>'
        f'<td><a href="#hit-{hit.rank}">{escape(hit.title or "(no title)")}</a>'
        f'<span class="id">{escape(hit.id)}</span></td>'
        f'<td class="date">{escape(published_text(hit))}</td><td>{badge(hit.status, hit.rule)}</td></tr>'
        for hit in result.hits
    )
    columns = "".join(f'<th scope="col">{column}</th>' for column in _COLUMNS)
    sentence = "".join(
        f'<p class="left-out"><a href="#{place}">{escape(said)}</a></p>'
        for place, said in (("own-family", own_family_sentence(result)), ("left-out", left_out_sentence(result)))
        if said
    )
    return (
        f'<section aria-labelledby="glance"><h2 id="glance">At a glance</h2>{score_plot(result.scores, result.hits)}'
        '<p class="caption">How the scores of all documents are distributed (number of documents, logarithmic); '
        f"each dot is a hit of the list below, in the colour of its status.</p>{_legend(result)}"
        f'<div class="scroll"><table><thead><tr>{columns}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{sentence}</section>"
    )


def _cited(hit: Hit) -> str:
    if hit.chance is None:
        return ""
    return (
        f'<small class="cited" title="{escape(chance_sentence(hit.chance))}">{percent(hit.chance.share)} cited</small>'
    )


def _legend(result: Result) -> str:
    """What the colours of the bars stand for."""
    keys = "".join(
        f'<li title="{escape(group.about)}"><span class="key {group.colour}" aria-hidden="true"></span>'
        f"{escape(group.name)}</li>"
        for group in groups_of(result.hits)
    )
    if not keys:
        return ""
    counted = any(hit.chance for hit in result.hits)
    chance = " Below each score: how many of the documents at such a score were cited in past searches."
    said = f"What made the scores.{chance if counted else ''}"
    return f'<p class="caption above">{said}</p><ul class="keys legend">{keys}</ul>'


def _cards(result: Result) -> str:
    if not result.hits:
        return ""
    best = result.hits[0].score
    cards = "\n".join(card(hit, best) for hit in result.hits)
    return f'<section aria-labelledby="hits"><h2 id="hits">Hits</h2>\n{cards}\n</section>'


def _own_family(result: Result) -> str:
    if not result.own_family:
        return ""
    return (
        f'<section id="own-family"><h2>The draft’s own family</h2><p>{escape(own_family_sentence(result))}</p>'
        f'<ul class="out">{_left_out_items(result.own_family)}</ul></section>'
    )


def _left_out(result: Result) -> str:
    if not result.left_out_count:
        return ""
    shown = len(result.left_out)
    more = f" The {shown} nearest of them:" if 0 < shown < result.left_out_count else ""
    return (
        f'<section id="left-out"><h2>Left out by date</h2><p>{escape(left_out_sentence(result) + more)}</p>'
        f'<ul class="out">{_left_out_items(result.left_out)}</ul></section>'
    )


def _left_out_items(items: Iterable[LeftOut]) -> str:
    return "".join(
        f'<li><span class="id">{escape(item.id)}</span> {badge(item.status)} {escape(item.title or "(no title)")} '
        f"<small>score {item.score:.3f} · {escape(item.rule)}</small></li>"
        for item in items
    )


def _method(result: Result) -> str:
    meanings = "".join(f"<dt>{badge(status)}</dt><dd>{escape(meaning)}</dd>" for status, meaning in STATUSES.items())
    ranking = f"Ranking: {result.ranking.name}, {result.ranking.fingerprint}. " if result.ranking is not None else ""
    record = (
        f"{ranking}Index of words: {result.index} ({result.index.settings}). "
        f"Corpus fingerprint: {result.corpus_fingerprint}. "
        f"Draft fingerprint: {result.draft_fingerprint}."
    )
    return (
        f'<section class="method"><h2>How to read this</h2>{_meaning(result)}'
        "<p><strong>The status</strong> follows from dates, office and kind of document, under this law: "
        f"{escape(REGIMES[result.regime])}. The rule beside it names article and dates.</p><dl>{meanings}</dl>"
        f'<p class="index">{escape(record)}</p></section>'
    )


def _meaning(result: Result) -> str:
    """What the score is."""
    groups = groups_of(result.hits)
    if not groups:
        return f"<p>{_SCORE}</p>"
    terms = "".join(
        f'<dt><span class="key {group.colour}" aria-hidden="true"></span>{escape(group.name)}</dt>'
        f"<dd>{escape(group.about)}</dd>"
        for group in groups
    )
    counted = any(hit.chance for hit in result.hits)
    drafts = count(judged_drafts(result), "patent")
    chance = _CHANCE.format(drafts=drafts) if counted else _NO_CHANCE
    return f"<p>{_FUSED}</p><dl>{terms}</dl><p>{_LIKENESS}</p><p>{chance}</p>"


def _foot(result: Result, made: str) -> str:
    return (
        f"foreart {result.foreart}"
        + (f" · {made}" if made else "")
        + " · This page names an unpublished draft: keep it confidential."
    )
