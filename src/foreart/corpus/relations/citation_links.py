"""Citations between patents of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from foreart.corpus.relations.families import Connected
from foreart.document.patent import Category

_LINKS = (
    "SELECT other.id, citation.category FROM patent JOIN citation USING (serial) "
    "JOIN patent AS other ON other.key = citation.cited "
    "WHERE patent.id = ? AND other.serial != patent.serial ORDER BY citation.position, other.published, other.id"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A citation of one document of the corpus by another, with its category."""

    citing: str
    cited: str
    category: Category


def citation_links(corpus: Connected, citing: Iterable[str]) -> Iterator[Link]:
    """The citations of the given patents to documents of the corpus, in the order in which each patent lists them.

    Numbers are matched without kind code: if application and grant are stored, both are cited. A document that is
    listed twice occurs twice.
    """
    for number in citing:
        for cited, category in corpus.connection.execute(_LINKS, (number,)):
            yield Link(number, cited, category)
