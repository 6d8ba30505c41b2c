"""Title and dates of every patent, without opening their texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreart.corpus.corpus import Corpus

# SQLite takes 999 values in one statement at least.
_AT_ONCE = 900
_FRONT = "title, published, filed, priority, country, kind, document_type"


@dataclass(frozen=True, slots=True)
class Front:
    """What a list of documents shows of one. Dates are ISO texts, `""` if unknown."""

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
    """The fronts of some patents by id."""
    asked = list(ids)
    found: dict[str, Front] = {}
    for start in range(0, len(asked), _AT_ONCE):
        those = asked[start : start + _AT_ONCE]
        rows = corpus.connection.execute(
            f"SELECT id, {_FRONT} FROM patent WHERE id IN ({', '.join('?' * len(those))})",  # noqa: S608 marks only
            those,
        )
        found.update((number, Front(*columns)) for number, *columns in rows)
    return found
