"""What may be known for a draft: the one definition that search, explain, evaluate and learn share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import CorpusView
from foreart.document.draft import Draft, outlined
from foreart.document.patent import Patent
from foreart.identifiers.date_spans import day
from foreart.regimes import Regime
from foreart.search.law.date_arrays import DateArrays, earlier
from foreart.search.law.own_family import OwnFamily, own_family
from foreart.search.law.priority import Cutoff


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """What a ranker may use, by row: `known` documents are, or may be, earlier than the draft, and not of its family.

    `day` is that of the draft, as `date_spans.day` counts; 0 means the day after the latest known document. `own` is
    the draft's family, with reasons.
    """

    known: np.ndarray
    day: int = 0
    own: OwnFamily = field(default_factory=OwnFamily)


def known_before(
    document: Patent | Draft,
    cutoff: Cutoff,
    view: CorpusView,
    corpus: Corpus,
    *,
    regime: Regime = "any",
    numbers: Iterable[str] = (),
    dates: DateArrays | None = None,
) -> Scope:
    """The documents that are, or may be, earlier than the cut-off, without the document and its family.

    The dates are whatever is there: priority, filing, else publication; a document without any may be earlier.
    `numbers` are those under which the document is published, besides its own; `dates` those of the view, if they are
    loaded.
    """
    if isinstance(document, Patent):
        numbers = (document.id, *numbers)
        own = own_family(outlined(document), view, corpus, numbers=numbers, claimed=document.family_refs)
    else:
        own = own_family(document, view, corpus, numbers=numbers)
    return scope_of(DateArrays.of(view) if dates is None else dates, cutoff, own, regime=regime)


def scope_of(dates: DateArrays, cutoff: Cutoff, own: OwnFamily, *, regime: Regime = "any") -> Scope:
    """The scope of a draft whose family is known."""
    known = earlier(dates, cutoff, regime)
    known[own.rows] = False
    return Scope(known, day(cutoff.date), own)
