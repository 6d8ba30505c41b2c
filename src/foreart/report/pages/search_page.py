"""The result of a search as a page."""

from __future__ import annotations

from foreart.report.pages.hit_card import hit_card
from foreart.report.pages.score_plot import score_plot
from foreart.report.pages.templating import render
from foreart.report.wording import search_wording
from foreart.report.wording.channel_groups import groups_of
from foreart.report.wording.phrases import LAWS, count
from foreart.search import REGIMES, Result


def search_html(result: Result, *, made: str = "") -> str:
    """The page as HTML. `made` is the time to print on it; without one, the same search gives the same bytes."""
    best = result.hits[0].score if result.hits else 0.0
    return render(
        "search.html",
        result=result,
        made=made,
        facts=_facts(result),
        plot=score_plot(result.scores, result.hits),
        groups=groups_of(result.hits),
        cards=[hit_card(hit, best) for hit in result.hits],
        law=REGIMES[result.regime],
        wording=search_wording,
    )


def _facts(result: Result) -> tuple[tuple[str, str, str], ...]:
    what, how = (text.replace("`", "") for text in search_wording.ranking_texts(result))
    law = f"{result.cutoff.source}; prior art under {LAWS[result.regime]}"
    return (
        ("Cut-off date", result.cutoff.date, law),
        (
            "Compared",
            count(result.compared, "document"),
            "; ".join(
                filter(None, (f"corpus {result.corpus_fingerprint[:12]}", search_wording.candidates_sentence(result)))
            ),
        ),
        ("Ranked by", what, how),
        ("Draft", result.draft_source or "unnamed", f"fingerprint {result.draft_fingerprint[:12]}"),
    )
