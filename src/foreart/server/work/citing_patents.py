"""Patents of a corpus whose own citations can serve as judgements: they cite enough earlier documents of it."""

from __future__ import annotations

import random
from collections.abc import Mapping

from foreart.corpus.views import ALONE, CorpusView
from foreart.errors import BadRequest
from foreart.identifiers.date_spans import EARLIEST


def drawn_citing(
    view: CorpusView, number: int, seed: int, *, least: int, most: int = 10_000, fewer: bool = False
) -> Mapping[str, list[str]]:
    """As many patents that cite `least` to `most` earlier documents, and those; `fewer` if there are not as many."""
    cited = {row: found for row in range(len(view)) if least <= len(found := _cited(view, row)) <= most}
    if not cited or (len(cited) < number and not fewer):
        raise BadRequest(
            f"{len(cited):,} patents of this corpus cite {least} to {most:,} earlier ones of it, too few for this: ask "
            "for fewer patents or citations, or add files with citations"
        )
    # The same patents for the same seed, whatever the order in which files were added.
    rows = random.Random(seed).sample(sorted(cited, key=lambda row: view.ids[row]), min(number, len(cited)))  # noqa: S311
    return {view.ids[row]: [view.ids[other] for other in cited[row]] for row in rows}


def _cited(view: CorpusView, row: int) -> list[int]:
    """The rows that a row cites, as far as a search for it may find them: earlier ones, not of its family."""
    day, family = view.days[row], view.families[row]
    if day == EARLIEST:
        return []
    return [
        int(other)
        for other in view.rows_at(view.cited.row(row))
        if EARLIEST < view.days[other] < day and (family == ALONE or view.families[other] != family)
    ]
