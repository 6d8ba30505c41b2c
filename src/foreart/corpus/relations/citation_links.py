"""Which patents of a corpus cite which others of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from foreart.corpus.corpus import Corpus
from foreart.document.patent import Category

_LINKS = (
    "SELECT other.id, citation.category FROM patent JOIN citation USING (serial) "
    "JOIN patent AS other ON other.key = citation.cited "
    "WHERE patent.id = ? AND other.serial != patent.serial ORDER BY citation.position, other.published, other.id"
)


@dataclass(frozen=True, slots=True)
class Link:
    """One document of the corpus that another one cites, and who cited it."""

    citing: str
    cited: str
    category: Category


def citation_links(corpus: Corpus, citing: Iterable[str]) -> Iterator[Link]:
    """The citations that lead into the corpus, of the patents with these ids, in the order in which each lists them.

    Numbers are matched without kind code: one that is stored as application and as grant leads to both. A document
    that is listed twice comes twice.
    """
    for number in citing:
        for cited, category in corpus.connection.execute(_LINKS, (number,)):
            yield Link(number, cited, category)
