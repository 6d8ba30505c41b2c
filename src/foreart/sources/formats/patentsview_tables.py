"""Joins the tables of PatentsView's bulk data in a temporary SQLite file."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreart.errors import BadFile
from foreart.sources.opening.containers import members
from foreart.sources.opening.stream import Budget, Stream
from foreart.sources.opening.tabular import table as tsv

_SUFFIXES = re.compile(r"(?:\.(?:tsv|txt|zip|gz|xz|bz2|zst))+$", re.IGNORECASE)
_NOTHING = {"NULL", "\\N"}
MAIN = re.compile(r"(?:g_)?patent$")


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A companion table: the pattern of its file name and, for each column, its names over the years."""

    name: str
    file: re.Pattern[str]
    columns: dict[str, tuple[str, ...]]


def _table(name: str, file: str, **columns: str) -> SourceTable:
    return SourceTable(
        name, re.compile(rf"(?:g_)?(?:{file})(?:_\d{{4}})?$"), {key: tuple(v.split()) for key, v in columns.items()}
    )


def _person(prefix: str) -> dict[str, str]:
    return {"first": f"{prefix}name_first name_first", "last": f"{prefix}name_last name_last"}


def _owner(prefix: str) -> dict[str, str]:
    return {**_person(f"{prefix}individual_"), "organisation": f"{prefix}organization organization"}


_CITED = {"category": "citation_category category"}
_CPC = {"symbol": "cpc_group subgroup_id", "type": "cpc_type category"}
_IPC = {
    "section": "section",
    "class": "ipc_class class",
    "subclass": "subclass",
    "group": "main_group",
    "subgroup": "subgroup",
    "position": "symbol_position",
    "value": "classification_value",
}
TABLES = (
    _table("abstract", "patent_abstract", text="patent_abstract"),
    _table("claims", "claims?", number="claim_number", text="claim_text text", dependent="dependent"),
    _table("relations", "rel_app_text", text="rel_app_text text"),
    _table("summary", "brf_sum_text", text="summary_text text"),
    _table("drawings", "draw_desc_text", text="draw_desc_text text"),
    _table("description", "detail_desc_text", text="description_text text"),
    _table(
        "us_citations", "us_?patent_?citation", number="citation_patent_id citation_id", kind="wipo_kind kind", **_CITED
    ),
    _table(
        "us_applications_cited",
        "us_?application_?citation",
        number="citation_document_number number application_id",
        kind="wipo_kind kind",
        **_CITED,
    ),
    _table(
        "foreign_citations",
        "foreign_?citation",
        number="citation_application_id number",
        country="citation_country country",
        **_CITED,
    ),
    _table("literature", "other_?reference", text="other_reference_text text"),
    _table("cpc", "cpc_current", **_CPC),
    _table("cpc_at_issue", "cpc_at_issue|cpc", **_CPC),
    _table("ipc", "ipc_at_issue|ipcr", **_IPC),
    _table(
        "uspc",
        "uspc_at_issue|uspc|uspc_current",
        main="uspc_mainclass_id mainclass_id",
        group="uspc_subclass_id subclass_id",
    ),
    _table("inventors", "rawinventor|inventor_not_disambiguated", **_person("raw_inventor_")),
    _table("inventors_disambiguated", "inventor_disambiguated", **_person("disambig_inventor_")),
    _table("assignees", "rawassignee|assignee_not_disambiguated", **_owner("raw_assignee_")),
    _table("assignees_disambiguated", "assignee_disambiguated", **_owner("disambig_assignee_")),
    _table(
        "applicants",
        "applicant_not_disambiguated|non_inventor_applicant",
        first="raw_applicant_name_first fname",
        last="raw_applicant_name_last lname",
        organisation="raw_applicant_organization organization",
    ),
    _table("application", "application", number="application_id id", date="filing_date date"),
    _table(
        "related",
        "us_?rel_?doc(?:ument)?",
        number="related_doc_number reldocno",
        type="related_doc_type doctype",
        relation="related_doc_kind relkind",
        date="related_doc_published_date date",
        country="published_country country",
        kind="wipo_kind kind",
    ),
    _table(
        "priorities",
        "foreign_priority",
        number="foreign_application_id number",
        date="filing_date date",
        country="foreign_country_filed country_transformed country",
    ),
    _table(
        "pct",
        "pct_data|pct",
        number="pct_doc_number rel_id",
        date="published_or_filed_date date",
        type="pct_doc_type doc_type",
    ),
)


def stem(name: str) -> str:
    """The name of a table from its file or member: `data/g_claims_2005.tsv.zip` is `g_claims_2005`."""
    return _SUFFIXES.sub("", re.split(r"[!/\\]", name)[-1]).lower()


def companion_files(name: str) -> list[Path]:
    """The files that may contain companions of a file: those in its folder with a table's name, and its archive."""
    own = Path(name.partition("!")[0])
    if not own.is_file():
        return []
    found = [
        file
        for file in sorted(own.parent.iterdir())
        if file.is_file() and (_role(file.name) or MAIN.match(stem(file.name)))
    ]
    return found if own in found else [*found, own]


def has_main(name: str) -> bool:
    """Whether the main table is in the same folder or archive."""
    return any(MAIN.match(stem(file.name)) or _holds_main(file) for file in companion_files(name))


def _holds_main(file: Path) -> bool:
    if not zipfile.is_zipfile(file):
        return False
    with zipfile.ZipFile(file) as archive:
        return any(MAIN.match(stem(member)) for member in archive.namelist())


def _role(name: str) -> SourceTable | None:
    plain = stem(name)
    return next((item for item in TABLES if item.file.match(plain)), None)


def joined(stream: Stream) -> Iterator[tuple[int, Any]]:
    """Each row of the main table with its offset and companion rows; a reason instead of a malformed row."""
    with tempfile.TemporaryDirectory(prefix="foreart-") as folder:
        try:
            with closing(sqlite3.connect(Path(folder, "tables.db"), isolation_level=None)) as database:
                database.execute("PRAGMA journal_mode=OFF")
                database.execute("PRAGMA synchronous=OFF")
                yield from _joined(database, stream)
        except sqlite3.Error as error:
            raise BadFile(f"the tables do not fit into the folder for temporary files: {error}") from error


def _joined(database: sqlite3.Connection, stream: Stream) -> Iterator[tuple[int, Any]]:
    database.execute("CREATE TABLE patent (offset INTEGER, id TEXT, row TEXT)")
    database.execute("CREATE TABLE part (id TEXT, role TEXT, file TEXT, sequence INTEGER, row TEXT)")
    database.execute("BEGIN")
    database.executemany("INSERT INTO patent VALUES (?, ?, ?)", _main_rows(stream))
    database.execute("CREATE INDEX patent_id ON patent (id)")
    broken: list[tuple[int, str]] = []
    for file in companion_files(stream.name):
        _load(database, file, broken)
    database.execute("CREATE INDEX part_id ON part (id)")
    database.execute("COMMIT")
    for offset, identity, row in database.execute("SELECT offset, id, row FROM patent ORDER BY rowid"):
        record: dict[str, Any] = {"patent": json.loads(row)}
        parts = "SELECT role, row FROM part WHERE id = ? ORDER BY role, file, sequence, rowid"
        for role, part in database.execute(parts, (identity,)):
            record.setdefault(role, []).append(json.loads(part))
        yield offset, record
    yield from broken


def _main_rows(stream: Stream) -> Iterator[tuple[int, str, str]]:
    columns: list[str] = []
    for offset, row in tsv(stream, "\t"):
        if not columns and isinstance(row, list):
            columns = [cell.strip().lower() for cell in row]
        elif isinstance(row, str) or len(row) != len(columns):
            reason = row if isinstance(row, str) else f"a row of {len(row)} cells, but the header has {len(columns)}"
            yield offset, "", json.dumps(reason)
        else:
            cells = {column: cell for column, cell in zip(columns, row, strict=True) if cell and cell not in _NOTHING}
            yield offset, _key(cells.get("patent_id") or cells.get("id", "")), json.dumps(cells, ensure_ascii=False)


def _key(identity: str) -> str:
    """The number without leading zeros, which some tables drop."""
    return re.sub(r"^([A-Z]*)0+(?=\d)", r"\1", identity.strip().upper())


def _load(database: sqlite3.Connection, file: Path, broken: list[tuple[int, str]]) -> None:
    """Loads the rows of a file that belong to patents of the main table into the temporary database."""
    # Numbered placeholders (?1) warn in Python 3.12.0 to 3.12.3.
    query = "INSERT INTO part SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM patent WHERE id = ?)"
    with file.open("rb") as raw:
        for member in members(Stream(str(file), raw, path=file), Budget(file.stat().st_size)):
            role = _role(member.name)
            if role is not None:
                database.executemany(query, ((*row, row[0]) for row in _part_rows(member, role, broken)))


def _part_rows(
    member: Stream, role: SourceTable, broken: list[tuple[int, str]]
) -> Iterator[tuple[str, str, str, int, str]]:
    name = stem(member.name)
    positions: dict[str, int] = {}
    sequence = identity = -1
    width = 0
    for offset, row in tsv(member, "\t"):
        if not width:
            columns = [cell.strip().lower() for cell in row]
            width = len(columns)
            identity = columns.index("patent_id") if "patent_id" in columns else -1
            sequence = next((position for position, column in enumerate(columns) if column.endswith("sequence")), -1)
            positions = {
                key: columns.index(alias)
                for key, names in role.columns.items()
                for alias in names[::-1]
                if alias in columns
            }
            if identity < 0:
                broken.append((0, f"{name}: there is no column patent_id"))
                return
        elif isinstance(row, str) or len(row) != width:
            if len(broken) < 1000:
                reason = row if isinstance(row, str) else f"a row of {len(row)} cells, but the header has {width}"
                broken.append((offset, f"{name}: byte {offset}: {reason}"))
        else:
            cells = {
                key: row[position]
                for key, position in positions.items()
                if row[position] and row[position] not in _NOTHING
            }
            order = int(row[sequence]) if sequence >= 0 and row[sequence].isdecimal() else -1
            if order >= 0:
                cells["sequence"] = str(order)
            yield _key(row[identity]), role.name, name, order, json.dumps(cells, ensure_ascii=False)
