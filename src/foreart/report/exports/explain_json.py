"""The reasons for scores as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from foreart.report.wording.explain_wording import calibration_sentence, hub_detail, place_sentence
from foreart.search.explaining import Reasons

FORM = 1


def reasons_record(reasons: Sequence[Reasons]) -> dict[str, Any]:
    """The reasons for documents of one draft as a JSON object; of the draft it has words, locations and title."""
    first = reasons[0]
    return {
        "foreart": first.foreart,
        "form": FORM,
        "draft": {
            "title": first.draft_title,
            "source": first.draft_source,
            "fingerprint": first.draft_fingerprint,
        },
        "corpus": {"fingerprint": first.corpus_fingerprint, "documents": first.documents},
        "cutoff": asdict(first.cutoff),
        "regime": first.regime,
        "ranking": {
            "fusion": first.fusion,
            "name": first.ranking,
            "index": first.index,
            "learned": first.learned,
        },
        "documents": [_document(item) for item in reasons],
    }


_WHOLE = ("draft_title", "draft_source", "draft_fingerprint", "corpus_fingerprint", "documents", "cutoff", "regime")
_RANKING = ("fusion", "ranking", "index", "learned", "foreart")


def _document(reasons: Reasons) -> dict[str, Any]:
    record = {name: value for name, value in asdict(reasons).items() if name not in (*_WHOLE, *_RANKING)}
    sentences = {
        "place": place_sentence(reasons),
        "chance": calibration_sentence(reasons.calibrated),
        "hub": hub_detail(reasons.hub),
    }
    return {**record, "sum": reasons.added, "rounding": reasons.rounding, "sentences": sentences}
