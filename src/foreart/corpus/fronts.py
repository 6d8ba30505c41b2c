"""Titles and dates of patents, without decompressing their texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreart.corpus.corpus import Corpus
from foreart.corpus.packing import unpack
from foreart.document.patent import Patent

# Every SQLite accepts at least 999 parameters in a statement.
_MAX_PARAMETERS = 900
_FRONT = "title, published, filed, priority, country, kind, document_type"


@dataclass(frozen=True, slots=True)
class Front:
    """The columns that a list of documents shows. Dates are ISO dates, `""` if unknown."""

    title: str
    published: str
    filed: str
    priority: str
    country: str = ""
    kind: str = ""
    document_type: str = ""


def fronts(corpus: Corpus) -> dict[str, Front]:
    """The fronts of all patents by id, in order of arrival."""
    rows = corpus.connection.execute(f"SELECT id, {_FRONT} FROM patent ORDER BY serial")  # noqa: S608 names only
    return {number: Front(*columns) for number, *columns in rows}


def fronts_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, Front]:
    """The fronts of the given patents by id."""
    wanted = list(ids)
    fronts_by_id: dict[str, Front] = {}
    for start in range(0, len(wanted), _MAX_PARAMETERS):
        batch = wanted[start : start + _MAX_PARAMETERS]
        rows = corpus.connection.execute(
            f"SELECT id, {_FRONT} FROM patent WHERE id IN ({', '.join('?' * len(batch))})",  # noqa: S608 placeholders only
            batch,
        )
        fronts_by_id.update((number, Front(*columns)) for number, *columns in rows)
        former = ((number, corpus.former_record(number)) for number in batch)
        fronts_by_id.update((number, _front(unpack(record))) for number, record in former if record is not None)
    return fronts_by_id


def _front(patent: Patent) -> Front:
    return Front(
        patent.title,
        patent.published,
        patent.filed,
        patent.priority,
        patent.country,
        patent.kind,
        patent.document_type,
    )
