"""From a corpus to indexes: each text is read once, however many indexes are made of it, and let go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from foreart import index
from foreart.corpus import Corpus
from foreart.errors import IndexError_, StaleIndex
from foreart.features import CountedFeatures, Counts, Features, RowArray, TapedFeatures, Tfidf, count
from foreart.index import Index
from foreart.text import section_text

# Told after each document that is read: how many of how many. What features do with the texts comes after that.
Progress = Callable[[int, int], None]


def build(
    corpus: Corpus,
    folder: str | Path,
    *,
    sections: str = "full",
    features: Features | None = None,
    progress: Progress | None = None,
) -> Index:
    """Builds the index of a corpus in a folder, of tf-idf rows if no features are given."""
    wanted = {Path(folder): features if features is not None else Tfidf()}
    return build_all(corpus, wanted, sections=sections, progress=progress)[Path(folder)]


def build_all(
    corpus: Corpus,
    features: Mapping[Path, Features],
    *,
    sections: str = "full",
    progress: Progress | None = None,
) -> dict[Path, Index]:
    """Builds an index of the corpus in each folder, of the features named with it."""
    before = corpus.fingerprint
    if not len(corpus):
        raise IndexError_(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    built: dict[Path, Index] = {}
    for group in _alike(features):
        ids: list[str] = []
        texts = _texts(corpus, sections, ids, progress)
        for folder, rows, groups in _encoded(group, texts):
            if corpus.fingerprint != before:
                raise StaleIndex(
                    f"the corpus {corpus.path} changed while it was indexed: build again when it has come to rest"
                )
            learned = features[folder]
            built[folder] = index.write(folder, rows, ids, learned, sections=sections, corpus=before, groups=groups)
    return built


def _alike(features: Mapping[Path, Features]) -> list[dict[Path, Features]]:
    """Features that can be made of the same counts, together; each of the others alone."""
    counted: dict[Path, Features] = {}
    alone: list[dict[Path, Features]] = []
    for folder, kind in features.items():
        # Those that cut words another way, or join them, need counts of their own.
        other = any(kind.parameters.get(name) for name in ("as_published", "bigrams"))
        if isinstance(kind, CountedFeatures) and not isinstance(kind, TapedFeatures) and not other:
            counted[folder] = kind
        else:
            alone.append({folder: kind})
    return [counted, *alone] if counted else alone


def _texts(corpus: Corpus, sections: str, ids: list[str], progress: Progress | None) -> Iterator[str]:
    total = len(corpus)
    for patent in corpus:
        ids.append(patent.id)
        yield section_text(patent, sections)
        if progress is not None:
            progress(len(ids), total)


def _encoded(
    group: Mapping[Path, Features], texts: Iterable[str]
) -> Iterator[tuple[Path, RowArray, np.ndarray | None]]:
    """The rows of each of the features, and where the rows of each text begin if it has several."""
    if len(group) == 1:
        ((folder, kind),) = group.items()
        if kind.grouped:
            yield (folder, *kind.fit_encode_groups(texts))
        else:
            yield folder, kind.fit_encode(texts), None
        return
    counts: Counts | None = None
    for folder, kind in group.items():
        if isinstance(kind, CountedFeatures):
            counts = counts if counts is not None else count(texts, kind.words)
            yield folder, kind.fit_counts(counts).encode_counts(counts), None
