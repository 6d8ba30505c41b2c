"""From a corpus to an index: each text is read once, counted and let go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from foreart import index
from foreart.corpus import Corpus
from foreart.errors import IndexError_, StaleIndex
from foreart.features import Features, Tfidf
from foreart.index import Index
from foreart.text import section_text

Progress = Callable[[int, int], None]


def build(
    corpus: Corpus,
    folder: str | Path,
    *,
    sections: str = "full",
    features: Features | None = None,
    progress: Progress | None = None,
) -> Index:
    """Builds the index of a corpus in a folder; `progress` is told after each document how many of how many."""
    before = corpus.fingerprint
    total = len(corpus)
    if not total:
        raise IndexError_(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    learned = features if features is not None else Tfidf()
    ids: list[str] = []

    def texts() -> Iterator[str]:
        for patent in corpus:
            ids.append(patent.id)
            yield section_text(patent, sections)
            if progress is not None:
                progress(len(ids), total)

    rows = learned.fit_encode(texts())
    if corpus.fingerprint != before:
        raise StaleIndex(f"the corpus {corpus.path} changed while it was indexed: build again when it has come to rest")
    return index.write(folder, rows, ids, learned, sections=sections, corpus=before)
