"""Passages are brought to the state of the corpus, for each index that asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foreart.corpus import Corpus
from foreart.index.build.corpus_reading import Progress
from foreart.index.passages.kind import Passages
from foreart.index.passages.passage_index import PassageIndex, open_passages
from foreart.index.passages.passage_updating import update
from foreart.index.word_folder import write_words


def passages_path(postings: Path, sections: str, kind: Passages) -> Path:
    """Where the passages of a section are, beside the postings of whole texts."""
    usual = sections == "full" and kind.words == Passages().words
    return postings / ("passages" if usual else f"passages-{kind.words}-{sections}")


def build_passages(
    corpus: Corpus,
    wanted: Mapping[Path, Passages],
    *,
    postings: Path,
    sections: str = "full",
    merge: bool = False,
    progress: Progress | None = None,
) -> dict[Path, PassageIndex]:
    """Brings passages to the state of the corpus and lets each folder name them; those of one length are shared."""
    built: dict[Path, PassageIndex] = {}
    for folder, kind in wanted.items():
        kind.check()
        place = passages_path(postings, sections, kind)
        update(place, corpus, kind, sections=sections, merge=merge, progress=progress)
        write_words(folder, kind, place)
        built[folder] = open_passages(place, kind)
    return built
