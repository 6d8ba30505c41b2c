"""Explanations, charts and checks of quotes, as JSON or as files; they run in worker processes."""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from foreart.document.draft import Draft
from foreart.errors import BadFile, BadRequest
from foreart.library import Library
from foreart.report.exports.chart_json import chart_record, quote_record
from foreart.report.exports.chart_lines import chart_csv
from foreart.report.exports.explain_json import reasons_record
from foreart.search.charting import Chart, OwnGrades, Stated, graded, passages, verify
from foreart.search.explaining import Explainer
from foreart.search.ranker import Ranker
from foreart.search.request import SearchRequest
from foreart.search.retrieval import searched_corpus
from foreart.server.work.search_tasks import document_id, patent_draft, request, require_corpus

FORMS = ("json", "csv", "xlsx", "html", "docx")
_MOST_EXPLAINERS = 4
_MOST_CHARTS = 8
# The drafts compared last: a reader asks about one document of a search after the other.
_explainers: OrderedDict[str, tuple[Ranker, Explainer]] = OrderedDict()
# Charts without anybody's grades: one grade more changes the findings, not the quotes.
_charts: OrderedDict[str, tuple[Ranker, Chart]] = OrderedDict()


def explain_task(
    library: Library, draft: Draft | str, numbers: Sequence[str], words: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Why documents have their rank and score, as `foreart explain --json` prints it."""
    explainer = kept_explainer(library, request(library, draft, options), words)
    return reasons_record([explainer.of(document_id(library, number)) for number in numbers])


def chart_task(
    library: Library,
    draft: Draft | str,
    numbers: Sequence[str],
    chart: Mapping[str, Any],
    options: Mapping[str, Any],
    own_grades: OwnGrades,
) -> dict[str, Any]:
    """The elements of claims against references, as `foreart chart --json` prints it."""
    return chart_record(_graded(library, draft, numbers, chart, options, own_grades))


def passages_task(
    library: Library, draft: Draft | str, numbers: Sequence[str], paragraph: int, limit: int
) -> dict[str, Any]:
    """The passages of documents that are closest to a paragraph of the draft."""
    found = patent_draft(library, draft) if isinstance(draft, str) else draft
    require_corpus(library)
    ids = [document_id(library, number) for number in numbers]
    best = library.answer(
        SearchRequest(found),
        lambda state, ranker: passages(
            found, paragraph, ids, searched_corpus(library.corpus, ranker), state.full_text, limit=limit
        ),
    )
    return {
        "paragraph": paragraph,
        "documents": [
            {
                "id": item.id,
                "fingerprint": item.fingerprint,
                "language": item.language,
                "quotes": [quote_record(quote) for quote in item.quotes],
            }
            for item in best
        ],
    }


def chart_file_task(
    library: Library,
    draft: Draft | str,
    numbers: Sequence[str],
    chart: Mapping[str, Any],
    options: Mapping[str, Any],
    own_grades: OwnGrades,
    form: str,
) -> str:
    """A chart as a file of that form, in base64."""
    made = _graded(library, draft, numbers, chart, options, own_grades)
    return base64.b64encode(_WRITERS[form](made)).decode("ascii")


def verify_task(library: Library, quotes: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Whether quotes stand, character by character, where they are said to."""
    require_corpus(library)
    stated = [
        Stated(item["number"], item["place"], item["text"], item.get("fingerprint", ""), f"quote {count}")
        for count, item in enumerate(quotes, start=1)
    ]
    checked = verify(stated, library.corpus)
    return {
        "holds": checked.holds,
        "quotes": checked.quotes,
        "documents": checked.documents,
        "faults": list(checked.faults),
    }


def kept_explainer(library: Library, asked: SearchRequest, words: int) -> Explainer:
    """The explainer of a request; the last ones are kept."""
    state = library.corpus.fingerprint
    key = json.dumps([str(library.folder), state, words, asked.to_record()], sort_keys=True, default=str)
    # The library opens another ranker when indexes or weights were published since.
    ranker = library.ranker(asked.index, ranking=asked.ranking)
    kept = _explainers.pop(key, None)
    found = kept[1] if kept and kept[0] is ranker else library.explainer(asked, words=words)
    _explainers[key] = ranker, found
    while len(_explainers) > _MOST_EXPLAINERS:
        _explainers.popitem(last=False)
    return found


def _graded(
    library: Library,
    draft: Draft | str,
    numbers: Sequence[str],
    chart: Mapping[str, Any],
    options: Mapping[str, Any],
    own_grades: OwnGrades,
) -> Chart:
    """A chart with a person's grades, made of the one that was computed last if nothing else has changed."""
    asked = request(library, draft, options)
    said = [str(library.folder), library.corpus.fingerprint, list(numbers), dict(chart), asked.to_record()]
    key = json.dumps(said, sort_keys=True, default=str)
    ranker = library.ranker(asked.index, ranking=asked.ranking)
    kept = _charts.pop(key, None)
    found = kept[1] if kept and kept[0] is ranker else _chart(library, asked, numbers, chart)
    _charts[key] = ranker, found
    while len(_charts) > _MOST_CHARTS:
        _charts.popitem(last=False)
    return graded(found, own_grades, asked.regime)


def _chart(library: Library, asked: SearchRequest, numbers: Sequence[str], chart: Mapping[str, Any]) -> Chart:
    if not asked.draft.claims:
        raise BadRequest("the draft has no claims to chart: correct its sections first")
    ids = [document_id(library, number) for number in numbers]
    if not ids and not chart.get("top"):
        raise BadRequest("name references by their publication numbers, or take the best hits with `top`")
    try:
        return library.chart(asked, ids, **chart)
    except BadFile as error:
        raise BadRequest(str(error)) from None


def _xlsx(made: Chart) -> bytes:
    from foreart.report.exports.chart_xlsx import chart_xlsx

    return chart_xlsx(made)


def _docx(made: Chart) -> bytes:
    from foreart.report.exports.chart_docx import chart_docx

    return chart_docx(made)


def _html(made: Chart) -> bytes:
    from foreart.report.pages.chart_page import chart_html

    return chart_html(made, made=datetime.now().astimezone().isoformat(timespec="minutes")).encode("utf-8")


_WRITERS: Mapping[str, Callable[[Chart], bytes]] = {
    "json": lambda made: json.dumps(chart_record(made), ensure_ascii=False, indent=1).encode(),
    "csv": lambda made: chart_csv(made).encode("utf-8"),
    "xlsx": _xlsx,
    "html": _html,
    "docx": _docx,
}
