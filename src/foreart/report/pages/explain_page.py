"""The reasons for the scores of some documents as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foreart.report.pages.marked_text import extract_segments
from foreart.report.pages.templating import BarPiece, render
from foreart.report.pages.waterfall import Waterfall, kind_of, waterfall
from foreart.report.wording import explain_wording
from foreart.search.explaining import Reasons, Share


@dataclass(frozen=True, slots=True)
class WordBar:
    """A word with its contribution and bar."""

    text: str
    value: float
    bar: BarPiece


def explain_html(reasons: Sequence[Reasons], *, made: str = "") -> str:
    """The page as HTML. `made` is the time to print on it; without one, the same reasons give the same bytes."""
    return render(
        "explain.html",
        reasons=reasons,
        made=made,
        wording=explain_wording,
        picture=_picture,
        kind_of=kind_of,
        bar_rows=word_bars,
        segments=extract_segments,
    )


def word_bars(shares: Sequence[Share]) -> list[WordBar]:
    """Words with bars relative to the largest contribution."""
    largest = max((abs(share.contribution) for share in shares), default=1.0) or 1.0
    return [
        WordBar(
            share.word,
            share.contribution,
            BarPiece(
                "c-less" if share.contribution < 0 else "c-text",
                0.0,
                max(0.2, round(abs(share.contribution) / largest * 100, 1)),
            ),
        )
        for share in shares
    ]


def _picture(item: Reasons) -> Waterfall:
    return waterfall(item.channels, item.score)
