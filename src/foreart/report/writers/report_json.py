"""A report as JSON: everything that it was made from, with the proposed letters and the open points."""

from __future__ import annotations

import json
from typing import Any

from foreart.report.forms.open_points import open_points
from foreart.report.forms.proposed_letters import proposed_letters
from foreart.report.forms.report_data import NOTICE, SearchReport
from foreart.typed_json import to_json

FORM = 1
KIND = "search report"


def report_record(report: SearchReport) -> dict[str, Any]:
    """The report as a JSON object; `foreart verify` reads its quotes. Parts that are not wanted are left out."""
    record: dict[str, Any] = to_json(report)
    contents = report.contents
    for wanted, name in ((contents.searches, "searches"), (contents.estimate, "estimate"), (contents.log, "log")):
        if not wanted:
            del record[name]
    for document in record["documents"]:
        _without_unwanted(document, report)
    if not contents.notes:
        for item in record["literature"]:
            del item["note"]
    proposals, points = proposed_letters(report, report.regime), open_points(report, report.regime)
    return {
        "foreart": report.foreart,
        "form": FORM,
        "kind": KIND,
        "notice": NOTICE,
        **record,
        "proposed_letters": to_json(proposals),
        "open_points": to_json(points) if contents.open_points else [],
    }


def _without_unwanted(document: dict[str, Any], report: SearchReport) -> None:
    contents = report.contents
    wanted = {"passages": contents.passages, "abstract": contents.abstracts, "family": contents.families}
    for name in [name for name, keep in wanted.items() if not keep]:
        del document[name]
    if not contents.notes:
        for verdict in document["verdicts"]:
            del verdict["note"]


def report_json(report: SearchReport) -> bytes:
    """The object as text in UTF-8."""
    return (json.dumps(report_record(report), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
