"""Title and dates of every patent, without opening their texts."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Front:
    """What a list of documents shows of one. Dates are ISO texts, `""` if unknown."""

    title: str
    published: str
    filed: str
    priority: str


def fronts(corpus: Corpus) -> dict[str, Front]:
    """The fronts of all patents by id, in order of arrival."""
    rows = corpus.connection.execute("SELECT id, title, published, filed, priority FROM patent ORDER BY serial")
    return {number: Front(*columns) for number, *columns in rows}
