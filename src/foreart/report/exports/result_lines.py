"""The hits of a search as a table, one row per hit, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from foreart.report.exports.chart_lines import shielded
from foreart.search import Hit, Result

HIT_COLUMNS = (
    "rank", "document", "title", "applicants", "status", "rule", "priority", "filed", "published", "language", "text",
    "family", "score", "chance", "paragraph", "passage", "words", "cut-off", "draft",
)  # fmt: skip
_WORDS = 10


def result_csv(result: Result) -> str:
    """The hits as CSV, with a byte order mark for Excel; texts that a spreadsheet would execute are shielded."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(HIT_COLUMNS)
    for hit in result.hits:
        values = (*_values(hit), result.cutoff.date, result.draft_source or result.draft_fingerprint[:12])
        writer.writerow([shielded(value) if isinstance(value, str) else value for value in values])
    return "\ufeff" + file.getvalue()


def _values(hit: Hit) -> Sequence[str | float]:
    passage = hit.passage
    return (
        hit.rank,
        hit.id,
        hit.title,
        "; ".join(hit.applicants),
        hit.status,
        hit.rule,
        hit.priority,
        hit.filed,
        f"{hit.published} (estimated)" if hit.published_estimated else hit.published,
        hit.language,
        hit.depth,
        ", ".join(member.id for member in hit.family_members),
        round(hit.score, 4),
        round(hit.chance.share, 3) if hit.chance else "",
        passage.number if passage else "",
        passage.text if passage else "",
        ", ".join(word for word, _ in hit.words[:_WORDS]),
    )
