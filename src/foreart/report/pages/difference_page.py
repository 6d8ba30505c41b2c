"""The difference between two searches as a page: verdict, causes, a chart of ranks, and every document."""

from __future__ import annotations

from foreart.records import CAUSES, FATES, Difference, SearchRecord
from foreart.report.pages.bump_chart import bump_chart, way
from foreart.report.pages.templating import render
from foreart.report.wording import difference_wording
from foreart.report.wording.phrases import count


def difference_html(before: SearchRecord, after: SearchRecord, difference: Difference) -> str:
    """The page as HTML; the same records give the same bytes."""
    order = list(FATES)
    lines = sorted(difference.lines, key=lambda line: order.index(line.fate))  # stable: by rank within each fate
    return render(
        "difference.html",
        before=before,
        after=after,
        difference=difference,
        lines=lines,
        chart=bump_chart(difference),
        causes=CAUSES,
        about=_about,
        way=way,
        wording=difference_wording,
    )


def _about(record: SearchRecord) -> str:
    documents = count(record.corpus.documents, "document")
    name = difference_wording.draft_name(record)
    return f"{name} · {count(len(record.hits), 'hit')} of {documents} · cut-off {record.cutoff.date}"
