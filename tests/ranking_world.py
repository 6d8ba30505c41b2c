"""A small made-up corpus in which it is known what decides who cites whom, and rankings of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.views import hashed, read_view
from foreart.document.patent import Citation, Claim, Paragraph, Patent, Symbol
from foreart.identifiers.date_spans import iso
from foreart.identifiers.parties import folded_name
from foreart.library import Library
from foreart.search import Cutoff, Ranker, Scope
from foreart.search.ranking import (
    CitationGraph,
    DraftQuery,
    FusedComparison,
    QueryForms,
    RankingInputs,
    Signals,
    TextIndexes,
    open_inputs,
)
from foreart.search.scope import known_before
from hand_views import Lists, hand_view

TOPICS, DOCUMENTS, LIST = 6, 60, 6
# What is kept of a learned ranking, in its file and as programs are told.
LEARNED_KEYS = frozenset(
    [
        "weights",
        "neighbours",
        "similarity",
        "calibration",
        "cold_calibration",
        "kinds",
        "metrics",
        "cold",
        "training",
        "folds",
        "topics",
        "plain",
        "corpus",
        "indexes",
        "versions",
        "fingerprint",
    ]
)
_SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "na",
    "ne",
    "ni",
    "no",
    "nu",
]
Choice = Callable[[int, Sequence[int], random.Random], Sequence[int]]


def word(number: int) -> str:
    """A word of its own for each number."""
    first, rest = divmod(number, len(_SYLLABLES))
    second, third = rest, (number * 7) % len(_SYLLABLES)
    return _SYLLABLES[first % len(_SYLLABLES)] + _SYLLABLES[second] + _SYLLABLES[third] + "t"


def number(place: int) -> str:
    """The id of the document at a place."""
    return f"US{7_000_101 + place * 13}B2"


def printed(place: int) -> str:
    """Its number as prose has it."""
    digits = number(place)[2:9]
    return f"U.S. Pat. No. {digits[0]},{digits[1:4]},{digits[4:]}"


def day(place: int) -> str:
    """Its priority: one a month."""
    return f"{1990 + place // 12}-{1 + place % 12:02d}-15"


def _random(place: int, earlier: Sequence[int], rng: random.Random) -> Sequence[int]:
    return rng.sample(earlier, min(LIST, len(earlier)))


def _same_words(place: int, earlier: Sequence[int], rng: random.Random) -> Sequence[int]:
    return [other for other in earlier if other % TOPICS == place % TOPICS][-LIST:]


# What decides: nothing (lists are drawn by lot), the words, or the lot, with those drawn named in the text.
CHOICES: Mapping[str, Choice] = {"lot": _random, "words": _same_words, "named": _random}


def town(decided_by: str = "lot", *, documents: int = DOCUMENTS, seed: int = 5) -> list[Patent]:
    """Documents in order of priority, each of one topic."""
    rng = random.Random(seed)
    found = []
    for place in range(documents):
        cited = CHOICES[decided_by](place, range(place), rng) if place >= 8 else ()
        named = f" As shown in {', in '.join(map(printed, cited))}." if cited and decided_by == "named" else ""
        found.append(_patent(place, cited, named, rng))
    return found


def _patent(place: int, cited: Iterable[int], named: str, rng: random.Random) -> Patent:
    own = [word(40 * (place % TOPICS) + item) for item in range(40)]
    shared = [word(40 * TOPICS + item) for item in range(120)]

    def some(topic: int, others: int) -> str:
        return " ".join((*rng.choices(own, k=topic), *rng.choices(shared, k=others)))

    return Patent(
        id=number(place),
        title=some(2, 2),
        abstract=some(6, 6),
        claims=(Claim(1, some(8, 6)),),
        description=(
            Paragraph("BACKGROUND", is_heading=True),
            Paragraph(some(10, 10) + "." + named, number="0001"),
            Paragraph("SUMMARY", is_heading=True),
            Paragraph(some(16, 30), number="0002"),
        ),
        priority=day(place),
        published=day(place + 18),
        cpc=(Symbol(f"A61B {1 + place % TOPICS}/00"),),
        inventors=(f"Person {rng.randrange(9)}",),
        applicants=(f"Company {rng.randrange(5)}",),
        citations=tuple(Citation(number(other)) for other in cited),
    )


def citing(patent: Patent, places: Iterable[int]) -> Patent:
    """The same patent with another list of citations."""
    return replace(patent, citations=tuple(Citation(number(place)) for place in places))


def with_lines(patent: Patent, *lines: str) -> Patent:
    """The same patent with more lines behind its description."""
    return replace(patent, description=(*patent.description, *map(Paragraph, lines)))


def library_of(folder: Path, patents: Iterable[Patent]) -> Library:
    """A library with all that a ranking needs."""
    library = Library(folder)
    library.corpus.add(patents)
    library.build()
    return library


_NAMES = count()


class Town:
    """Indexes built once, under views of other states of the same documents."""

    def __init__(self, folder: Path, patents: Sequence[Patent]) -> None:
        self.folder, self.patents = folder, list(patents)
        with library_of(folder / "built", patents) as library:
            self.inputs = open_inputs(library.folder)
        self.corpus = Corpus(folder / "built" / "corpus.db")
        self._opened = [self.corpus]

    @property
    def ids(self) -> tuple[str, ...]:
        """All documents."""
        return tuple(self.inputs.view.ids)

    def changed(self, changes: Mapping[int, Patent]) -> tuple[Corpus, RankingInputs]:
        """The corpus with some other documents at some places, and its ranking inputs, with the texts as they were."""
        corpus = Corpus(self.folder / f"changed-{next(_NAMES)}.db", create=True)
        self._opened.append(corpus)
        corpus.add(changes.get(place, patent) for place, patent in enumerate(self.patents))
        return corpus, on_texts(corpus, self.inputs.texts)

    def scope(self, place: int, *, also: Sequence[int] = ()) -> Scope:
        """What is known to a document as a draft; `also` are rows that a broken guard would let through."""
        view = self.inputs.view
        cutoff = Cutoff(iso(int(view.days[place])), "of the document")
        scope = known_before(self.corpus[view.ids[place]], cutoff, view, self.corpus)
        scope.known[list(also)] = True
        return scope

    def close(self) -> None:
        """Closes all corpora."""
        for corpus in self._opened:
            corpus.close()


def on_texts(corpus: Corpus, texts: TextIndexes) -> RankingInputs:
    """The inputs of a corpus whose texts are those of indexes that were built of another."""
    return RankingInputs(CitationGraph(read_view(corpus)), texts)


def graph(
    cites: Lists,
    *,
    named: Lists | None = None,
    days: Sequence[int] = (),
    classes: Lists | None = None,
    families: Sequence[int] = (),
) -> CitationGraph:
    """A citation graph by hand: ids in order, what each cites, names and is classed in."""
    ids = tuple(cites)
    view = hand_view(
        ids,
        days=days or range(1, len(ids) + 1),
        families=families,
        cited=cites,
        named=named,
        classes=classes,
        applicants={item: (f"Firm {item}",) for item in ids},
    )
    return CitationGraph(view)


def forms(**known: Iterable[str]) -> QueryForms:
    """A draft without text: what it names, its people, the classes emphasised."""
    people = (hashed(map(folded_name, known.get(name, ()))) for name in ("applicants", "inventors"))
    return QueryForms({}, hashed(known.get("named", ())), *people, hashed(known.get("classes", ())))


class HandTexts:
    """Text channels whose scores of all documents are given."""

    def __init__(self, **scores: Sequence[float]) -> None:
        self.scores = {name: np.array(values) for name, values in scores.items()}

    def scores_of(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The given scores of some rows."""
        return {name: values[rows] for name, values in self.scores.items()}

    def nearest(self, k: int, allowed: np.ndarray, channels: Sequence[str] | None = None) -> np.ndarray:
        """The union of the k best of each channel."""
        asked = [values for name, values in self.scores.items() if channels is None or name in channels]
        rows = np.flatnonzero(allowed)
        return np.unique(np.concatenate([rows[np.argsort(-values[rows], kind="stable")[:k]] for values in asked]))

    def vectors(self) -> dict[str, np.ndarray]:
        """No channel has dense rows."""
        return {}

    def products(self, vectors: Mapping[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
        """No channel has dense rows."""
        assert not vectors
        return {}

    def nearest_products(self, vectors: Mapping[str, np.ndarray], k: int, allowed: np.ndarray) -> list[np.ndarray]:
        """No channel has dense rows."""
        assert not vectors
        return []


def hand_query(graph: CitationGraph, near: Sequence[float], known: Sequence[bool], asked: QueryForms) -> DraftQuery:
    """A draft compared with the documents of a graph, as near as is said."""
    mask = np.array(known)
    return DraftQuery(HandTexts(words=near), asked, graph, mask, 10_000, np.flatnonzero(mask))


def all_rows(ranker: Ranker) -> np.ndarray:
    """Every row of the documents of a ranker."""
    return np.arange(len(ranker.view))


def all_scores(found: FusedComparison) -> np.ndarray:
    """The score of every document."""
    return found.scores_of(all_rows(found.ranker))


def all_signals(found: FusedComparison) -> Signals:
    """The signals of every document."""
    return found.signals(all_rows(found.ranker))
