"""The report as files: a page, tables as CSV, figures as PNG and SVG, all numbers as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from foreart.durable import replace_bytes, replace_text
from foreart.errors import MissingExtra
from foreart.paper.exhibits.drawing import draw, png, svg
from foreart.paper.exhibits.exhibit import Exhibit, FigureExhibit, TableExhibit
from foreart.paper.exhibits.exhibits import EXHIBITS
from foreart.paper.exhibits.findings import findings
from foreart.paper.exhibits.method import facts, foot, method
from foreart.paper.exhibits.paper_json import record
from foreart.paper.experiments.results import Results
from foreart.paper.paper_page import paper_html


@dataclass(frozen=True, slots=True)
class _Picture:
    data: str
    text: str


class Report:
    """A report folder, rewritten as results come in; a figure is redrawn only if its data changed."""

    def __init__(self, folder: str | Path, exhibits: Sequence[str], commands: Mapping[str, str]) -> None:
        self.folder = Path(folder)
        self.exhibits = tuple(exhibits)
        self.commands = dict(commands)
        self._drawn: dict[str, _Picture] = {}

    @property
    def page(self) -> Path:
        """The HTML file."""
        return self.folder / "report.html"

    def write(self, results: Results, unfinished: Sequence[str] = ()) -> None:
        """Writes all files, each atomically, the page last."""
        for part in ("tables", "figures"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        shown = [self._with_picture(EXHIBITS[name](results)) for name in self.exhibits]
        all_findings = findings(results)
        made = datetime.now().astimezone().isoformat(timespec="minutes")
        for table in shown:
            if isinstance(table, TableExhibit):
                replace_text(self.folder / "tables" / f"{table.id}.csv", table_csv(table))
        content = record(results, shown, all_findings, made=made, unfinished=unfinished)
        replace_text(self.folder / "results.json", json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))
        pictures = {name: picture.text for name, picture in self._drawn.items()}
        text = paper_html(
            shown, all_findings, facts=facts(results, made), commands=self.commands, pictures=pictures,
            method=method(results), unfinished=unfinished, foot=foot(made),
        )  # fmt: skip
        replace_text(self.page, text)

    def _with_picture(self, exhibit: Exhibit) -> Exhibit:
        if not isinstance(exhibit, FigureExhibit) or not exhibit.data:
            return exhibit
        data = json.dumps(exhibit.data)
        if exhibit.id not in self._drawn or self._drawn[exhibit.id].data != data:
            try:
                canvas = draw(exhibit)
            except MissingExtra as error:
                return replace(exhibit, remark=str(error))
            self._drawn[exhibit.id] = _Picture(data, svg(canvas, exhibit.id))
            replace_text(self.folder / "figures" / f"{exhibit.id}.svg", self._drawn[exhibit.id].text)
            replace_bytes(self.folder / "figures" / f"{exhibit.id}.png", png(canvas))
        return exhibit


def table_csv(table: TableExhibit) -> str:
    """The table as CSV, numbers with full precision."""
    records = table.records()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]) if records else list(table.labels), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()
