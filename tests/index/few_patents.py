"""A corpus of a few short texts, and its indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from foreart import index
from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.features import Features, Tfidf, make
from foreart.index import Index
from foreart.index.building import build_all
from foreart.index.word_index import WordIndex

TEXTS = {
    "US2B1": "the cat sat on the mat",
    "US1B1": "the cat ate the rat",
    "US4B1": "a dog sat on a log 42 17",
    "US3B1": "the cat ate the rat",
}


def corpus_of(path: Path, texts: Mapping[str, str]) -> Corpus:
    """A corpus of patents that have only a title."""
    corpus = Corpus(path, create=True)
    corpus.add(Patent(id=number, title=text) for number, text in texts.items())
    return corpus


def word_index(folder: Path, features: Features | None = None, texts: Mapping[str, str] = TEXTS) -> WordIndex:
    """An index of words in the folder layout of a library."""
    place = folder / "indexes" / "words"
    with corpus_of(folder / "corpus.db", texts) as corpus:
        wanted = {place: features or Tfidf()}
        made = build_all(corpus, wanted, postings=folder / "postings")[place]
    assert isinstance(made, WordIndex)
    return made


def row_index(folder: Path, texts: Mapping[str, str] = TEXTS, *, dimensions: int = 2) -> Index:
    """An index of dense rows."""
    learned = make("lsa", {"dimensions": dimensions})
    rows = np.asarray(learned.fit_encode(texts.values()))
    return index.write(folder, rows, list(texts), learned, sections="full", corpus="c0ffee")


def numbers(found: Sequence[tuple[str, float]]) -> list[str]:
    """The ids of hits."""
    return [number for number, _ in found]
