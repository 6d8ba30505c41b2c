"""The retrieval protocol and the pair protocol, for anything that can score every document of a corpus.

Retrieval: each query ranks every document whose date (priority, else filing, else publication) is before its own,
without itself. Pairs, as in Helmers et al. (2019): each query is scored with its cited documents and with one shared
random set, whatever their dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.fronts import fronts
from foreart.corpus.relations.family_names import family_of
from foreart.document.draft import Draft, outlined
from foreart.document.patent import Patent
from foreart.errors import ForeartError, StaleIndex
from foreart.evaluation.pairs.labelled import Labelled, labelled_pairs
from foreart.evaluation.trec.qrels import Qrels
from foreart.evaluation.trec.queries import QueryDocument
from foreart.evaluation.trec.run import RankedList, Run, id_places
from foreart.identifiers.date_spans import day
from foreart.identifiers.numbers import number_key
from foreart.index import Index
from foreart.parallel import cores, in_order
from foreart.search import Ranker, Scope
from foreart.text import section_text

RANDOM = 1000
SEED = 1

Progress = Callable[[int, int], None]
# Gives the score of every document, in the order of rows, higher is better. The query comes without its citations; a
# scorer that uses what the corpus knows of citations must leave out those of the query itself. Several threads ask.
Scorer = Callable[[Patent | Draft], np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """What the protocols know of the documents, in the order of the scorer's rows.

    `rows` are those of a number, `kin` those of a family.
    """

    ids: tuple[str, ...]
    keys: tuple[str, ...]
    first_days: np.ndarray
    families: Mapping[str, str]
    rows: Mapping[str, tuple[int, ...]]
    kin: Mapping[str, tuple[int, ...]]
    places: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What the protocols give: rankings, labelled pairs, and what a person should know about them."""

    run: Run
    pairs: Labelled
    notes: tuple[str, ...] = ()


def index_scorer(index: Index, corpus: Corpus) -> Scorer:
    """The scorer of an index; StaleIndex if the corpus has changed since it was built."""
    _current(index.description.corpus, corpus)
    return lambda document: index.scores(index.encode(section_text(document, index.sections)))


@dataclass(frozen=True, slots=True, eq=False)
class RankerScorer:
    """Scores by a ranker, which is told what was known when the query was a draft: earlier documents, not its family.

    As in a search, the query's own family is no hit: it comes last. What taught the ranker is judged by the rest.
    """

    ranker: Ranker

    def scores(self, query: QueryDocument, documents: Documents) -> np.ndarray:
        """The score of every document."""
        if documents.ids != tuple(self.ranker.ids):
            raise ForeartError("the documents do not stand in the order of the ranker: take `documents_of` its ids")
        known = allowed(query, documents, families=True)
        document = query.blind
        draft = outlined(document) if isinstance(document, Patent) else document
        scope = Scope(known, day(query.date) if query.date else 0)
        own = _relatives(query, documents)
        ranker = self.ranker.unlearned(query.id, *(documents.ids[row] for row in own))
        found = ranker.compare(draft, scope).scores.copy()
        found[own] = found.min(initial=0.0) - 1.0
        return found


def ranker_scorer(ranker: Ranker, corpus: Corpus) -> RankerScorer:
    """The scorer of a ranker; StaleIndex if the corpus has changed since it was built."""
    _current(ranker.description.corpus, corpus)
    return RankerScorer(ranker)


def _current(built_of: str, corpus: Corpus) -> None:
    if corpus.fingerprint != built_of:
        raise StaleIndex(f"the corpus {corpus.path} has changed since this index was built: run `foreart build` again")


def documents_of(corpus: Corpus, ids: Sequence[str] | None = None) -> Documents:
    """The documents of a corpus in the order of these ids; without them in the order of arrival."""
    known = fronts(corpus)
    chosen = tuple(known if ids is None else ids)
    dates = ((known[number].priority or known[number].filed or known[number].published) for number in chosen)
    keys = tuple(number_key(number) for number in chosen)
    families = family_of(corpus)
    days = np.array([_first_day(date) for date in dates], dtype=np.str_)
    kin = _rows_by(families.get(number, "") for number in chosen)
    return Documents(chosen, keys, days, families, _rows_by(keys), kin, id_places(chosen))


def random_rows(documents: Documents, qrels: Qrels, *, count: int = RANDOM, seed: int = SEED) -> tuple[int, ...]:
    """Documents drawn from those that are neither a query nor relevant to any; all of them, if there are no more."""
    taken = {number_key(number) for query in qrels.queries for number in (query, *qrels.relevant(query))}
    free = [row for row, key in enumerate(documents.keys) if key not in taken]
    return tuple(free if count >= len(free) else Random(seed).sample(free, count))  # noqa: S311 a sample, no secret


def run_protocol(
    queries: Sequence[QueryDocument],
    scorer: Scorer | RankerScorer,
    documents: Documents,
    qrels: Qrels,
    *,
    random: Sequence[int] = (),
    depth: int | None = None,
    families: bool = False,
    tag: str = "foreart",
    progress: Progress | None = None,
) -> Outcome:
    """Scores each query once; ranks what is earlier, `depth` documents deep, and takes the scores of its pairs.

    `families` also leaves out the query's own family. A query without a date is ranked against all documents. Several
    queries are under way at once.
    """
    rankings: dict[str, RankedList] = {}
    pairs: list[tuple[str, np.ndarray, np.ndarray]] = []
    drawn = list(random)

    def take(query: QueryDocument) -> tuple[RankedList, np.ndarray, np.ndarray]:
        scores = _scores(query, scorer, documents)
        ranked = _ranking(scores, allowed(query, documents, families=families), documents, depth)
        return ranked, _cited(query, qrels, documents, scores), scores[drawn]

    with ThreadPoolExecutor(cores()) as pool:
        for query, (ranked, cited, other) in zip(
            queries, in_order(pool, take, queries, ahead=2 * cores()), strict=True
        ):
            rankings[query.id] = ranked
            pairs.append((query.id, cited, other))
            if progress is not None:
                progress(len(pairs), len(queries))
    return Outcome(Run(rankings, tag), labelled_pairs(pairs), tuple(_notes(queries, qrels, documents)))


def allowed(query: QueryDocument, documents: Documents, *, families: bool = False) -> np.ndarray:
    """Which rows may be ranked: surely or possibly earlier, and not the query under any kind code.

    As in a search, a date known only to the month or year, or not at all, leaves a document in where it may be
    earlier; the query's own counts from its first day.
    """
    limit = _first_day(query.date) if query.date else "9999"
    mask = np.asarray(documents.first_days < limit)
    own = number_key(query.id)
    out = [*documents.rows.get(own, ()), *documents.rows.get(_key(query), ())]
    mask[out] = False
    if families:
        mask[_relatives(query, documents)] = False
    return mask


def _rows_by(names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The rows that have a name, by name; no name is none."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name:
            rows.setdefault(name, []).append(row)
    return {name: tuple(found) for name, found in rows.items()}


def _key(query: QueryDocument) -> str:
    return query.document.number.key if isinstance(query.document, Patent) else ""


def _relatives(query: QueryDocument, documents: Documents) -> list[int]:
    """The rows of the query's family: what the corpus holds for one, and what the query itself names as relatives."""
    refs = query.document.family_refs if isinstance(query.document, Patent) else ()
    named = {number_key(number) for number in (query.id, *refs)}
    rows = {row for key in named for row in documents.rows.get(key, ())}
    names = {documents.families.get(documents.ids[row], "") for row in rows} - {""}
    return sorted(rows.union(*(documents.kin[name] for name in names)))


def _scores(query: QueryDocument, scorer: Scorer | RankerScorer, documents: Documents) -> np.ndarray:
    found = scorer.scores(query, documents) if isinstance(scorer, RankerScorer) else scorer(query.blind)
    scores = np.asarray(found, dtype=np.float64)
    if scores.shape != (len(documents.ids),):
        raise ForeartError(f"{query.id}: {scores.size:,} scores for {len(documents.ids):,} documents")
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise ForeartError(f"{query.id}: a score is NaN or infinite, and cannot be ranked")
    return scores


def _ranking(scores: np.ndarray, mask: np.ndarray, documents: Documents, depth: int | None) -> RankedList:
    order = np.lexsort((documents.places, -scores))
    rows = order[mask[order]][:depth]
    found = scores[rows]
    found.setflags(write=False)
    return RankedList(tuple(documents.ids[row] for row in rows.tolist()), found)


def _cited(query: QueryDocument, qrels: Qrels, documents: Documents, scores: np.ndarray) -> np.ndarray:
    """The scores of the relevant documents that are in the corpus; the best of several with one number."""
    keys = dict.fromkeys(number_key(number) for number in qrels.relevant(query.id))
    return np.array([scores[list(documents.rows[key])].max() for key in keys if key in documents.rows])


def _first_day(date: str) -> str:
    """The first day a date can mean; before all others if it is unknown."""
    return {0: "0000", 4: f"{date}-01-01", 7: f"{date}-01"}.get(len(date), date)


def _notes(queries: Iterable[QueryDocument], qrels: Qrels, documents: Documents) -> Iterable[str]:
    """What a reader of the figures must know."""
    undated = [query.id for query in queries if not query.date]
    if undated:
        yield f"ranked against all documents, for want of a date: {', '.join(undated)}"
    lost = {
        number for query in queries for number in qrels.relevant(query.id) if number_key(number) not in documents.rows
    }
    if lost:
        yield (
            f"{len(lost):,} relevant documents are not in the corpus: they count as not found, and make no pairs "
            f"({', '.join(sorted(lost)[:5])}{' …' if len(lost) > 5 else ''})"
        )
