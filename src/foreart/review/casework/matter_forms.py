"""The forms in which a matter is exported, by name: a new report is one line here."""

from __future__ import annotations

from collections.abc import Mapping

from foreart.review.matters.matter import MatterForm
from foreart.review.matters.matter_exports import export_json, judgements_csv

FORMS: Mapping[str, MatterForm] = {
    "json": MatterForm("state and all events", ".json", "application/json", export_json),
    "csv": MatterForm("the judgements, one line each", ".csv", "text/csv", judgements_csv),
}
