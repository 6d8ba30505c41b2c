"""The query documents of qrels, from a file or from the corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from foreart.corpus import Corpus
from foreart.document.draft import Draft
from foreart.document.patent import Patent
from foreart.document.reject import Reject
from foreart.evaluation.trec.qrels import Qrels
from foreart.identifiers.numbers import number_key
from foreart.sources import scan


@dataclass(frozen=True, slots=True)
class QueryDocument:
    """A document with its id in the qrels."""

    id: str
    document: Patent | Draft

    @property
    def date(self) -> str:
        """Priority, else filing, else publication; `""` if none is known."""
        if isinstance(self.document, Patent):
            return self.document.effective_date
        return self.document.priority or self.document.filed

    @property
    def blind(self) -> Patent | Draft:
        """The document without its citations, which a ranker must not see."""
        if isinstance(self.document, Patent):
            return replace(self.document, citations=())
        return self.document


@dataclass(frozen=True, slots=True)
class Found:
    """The query documents; `missing` are queries of the qrels that were not found."""

    queries: tuple[QueryDocument, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def file_queries(path: str | Path, qrels: Qrels) -> Found:
    """The queries of the qrels among the documents of a file in any format foreart reads."""
    rejects: list[Reject] = []

    def patents() -> Iterable[Patent]:
        for item in scan(path):
            if isinstance(item, Reject):
                rejects.append(item)
            else:
                yield item

    found = patent_queries(patents(), qrels)
    if not rejects:
        return found
    note = f"{len(rejects):,} records of {path} could not be read; the first: {rejects[0].reason}"
    return replace(found, notes=(*found.notes, note))


def patent_queries(patents: Iterable[Patent], qrels: Qrels) -> Found:
    """The queries of the qrels among patents: by id, else by number without kind code, the latest publication."""
    wanted = {number_key(query) for query in qrels.queries}
    known: dict[str, list[Patent]] = defaultdict(list)
    others = 0
    for patent in patents:
        key = patent.number.key
        if key in wanted:
            known[key].append(patent)
        else:
            others += 1
    queries = [QueryDocument(query, _chosen(known[key], query)) for query, key in _keys(qrels) if key in known]
    missing = tuple(query for query, key in _keys(qrels) if key not in known)
    notes = (f"{others:,} documents that are in no judgement are excluded from the queries",) if others else ()
    return Found(tuple(queries), missing, notes)


def corpus_queries(corpus: Corpus, qrels: Qrels) -> Found:
    """The queries of the qrels that are documents of the corpus."""
    inside = [query for query in qrels.queries if query in corpus]
    missing = tuple(query for query in qrels.queries if query not in set(inside))
    return Found(tuple(QueryDocument(query, corpus[query]) for query in inside), missing)


def _keys(qrels: Qrels) -> list[tuple[str, str]]:
    return [(query, number_key(query)) for query in qrels.queries]


def _chosen(patents: Sequence[Patent], query: str) -> Patent:
    exact = [patent for patent in patents if patent.id == query]
    return max(exact or patents, key=lambda patent: (patent.published, patent.id))
