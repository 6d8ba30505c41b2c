"""The indexes and rankings in the folder of a library: which kinds there are, how they are built and opened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from foreart.corpus import Corpus
from foreart.errors import IndexingError

if TYPE_CHECKING:
    from foreart.index import Index
    from foreart.search import Ranker

# The kinds of index by name: the features of each and their parameters.
INDEXES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "log-tfidf": ("tfidf", {"tf": "log"}),
    "tfidf": ("tfidf", {}),
    "bm25": ("bm25", {}),
    "lsa": ("lsa", {}),
    "topics": ("lsa", {"dimensions": 250, "tf": "log", "min_df": 3, "sample": 10_000}),
    "kpca": ("kpca", {}),
    "ppmi": ("ppmi", {}),
    "word2vec": ("word2vec", {}),
    "doc2vec": ("doc2vec", {}),
    "embedding": ("embedding", {}),
    "passages": ("passages", {}),
}
# `tfidf` is that of Helmers et al. 2019; dampened counts rank better on the 179 targets of ../shared/data (MAP .167
# against .145, by `foreart evaluate`), so they are the default where a single index ranks.
DEFAULT_INDEX = "log-tfidf"
# The indexes of the default ranking: kinds by sections.
DEFAULT_BUILD: Mapping[str, tuple[str, ...]] = {
    "full": (DEFAULT_INDEX, "tfidf", "bm25", "topics"),
    "claims": (DEFAULT_INDEX,),
    "abstract": (DEFAULT_INDEX,),
    "abstract-claims": ("topics",),
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
# The note of a search if only the default index was built.
_ALONE = f"ranked by {DEFAULT_INDEX} alone: `foreart build`, without a kind, builds what all channels need"

Progress = Callable[[int, int], None]


def index_name(kind: str, sections: str = "full") -> str:
    """The default name of an index."""
    return kind if sections == "full" else f"{kind}-{sections}"


class IndexStore:
    """`indexes/`, `postings/` and `ranking/` of a folder; rankers are cached until their files change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rankers: dict[str, tuple[str, Ranker]] = {}

    @property
    def postings(self) -> Path:
        """The folder of the postings that all word indexes share."""
        return self.folder / "postings"

    @property
    def names(self) -> list[str]:
        """The names of the indexes that were built."""
        folder = self.folder / "indexes"
        names = {path.parent.name for name in ("current", "words.json") for path in folder.glob(f"*/{name}")}
        return sorted(filter(_NAME.fullmatch, names))

    def path(self, name: str) -> Path:
        """The folder of an index, built or not; its name is one plain path component."""
        if not _NAME.fullmatch(name):
            raise IndexingError(
                f"{name[:80]!r} cannot be the name of an index: use at most 64 characters of a-z, A-Z, 0-9 and - _ ., "
                "with a letter or digit first"
            )
        return self.folder / "indexes" / name

    def index(self, name: str) -> Index:
        """An index that was built before."""
        from foreart.index import load

        folder = self.path(name)
        if name not in self.names:
            built = f"there are {', '.join(self.names)}" if self.names else "there is none yet"
            raise IndexingError(f"there is no index {name!r} in {self.folder}; {built}: `foreart build` builds them")
        return load(folder)

    def build(
        self,
        corpus: Corpus,
        kinds: Sequence[str],
        *,
        sections: str = "full",
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        merge: bool = False,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> dict[str, Index]:
        """Builds indexes of the given kinds, and the view of the corpus."""
        from foreart.corpus.views import renew_view

        built = self._build(corpus, kinds, sections, name, parameters, merge=merge, progress=progress)
        renew_view(corpus, self.folder, workers=workers, progress=progress)
        return built

    def build_ranking(
        self, corpus: Corpus, *, merge: bool = False, workers: int = 1, progress: Progress | None = None
    ) -> dict[str, Index]:
        """Builds all indexes that the default ranking needs, and the view; measures what its candidates find."""
        from foreart.corpus.views import renew_view
        from foreart.search.ranking import measure_candidates

        built: dict[str, Index] = {}
        for sections, kinds in DEFAULT_BUILD.items():
            built |= self._build(corpus, kinds, sections, merge=merge, progress=progress)
        renew_view(corpus, self.folder, workers=workers, progress=progress)
        (self.folder / "ranking" / "bibliography.npz").unlink(missing_ok=True)  # of foreart 0.1; replaced by the view
        measure_candidates(self.folder, corpus)
        return built

    def _build(
        self,
        corpus: Corpus,
        kinds: Sequence[str],
        sections: str,
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        *,
        merge: bool,
        progress: Progress | None,
    ) -> dict[str, Index]:
        from foreart.index.building import build_all
        from foreart.index.registry import make_kind

        if name and len(kinds) != 1:
            raise IndexingError(f"the name {name!r} can be given to one index, not to {len(kinds)}")
        features = {}
        for kind in kinds:
            if kind not in INDEXES:
                raise IndexingError(f"{kind!r} is not a kind of index; there are {', '.join(INDEXES)}")
            feature_kind, preset = INDEXES[kind]
            folder = self.path(name or index_name(kind, sections))
            features[folder] = make_kind(feature_kind, {**preset, **(parameters or {})})
        built = build_all(corpus, features, sections=sections, postings=self.postings, merge=merge, progress=progress)
        return {folder.name: built[folder] for folder in features}

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """Ranks all documents for a draft: by one index, or by all channels."""
        from foreart.search.ranking import ranking_state

        name = index or f"\0{ranking}"
        used = [index] if index else self.names
        state = "\0".join([ranking_state(self.folder), *map(self._state, used)])
        cached = self._rankers.get(name)
        if cached is None or cached[0] != state:
            cached = self._rankers[name] = (state, self._opened(index, ranking))
        return cached[1]

    def _opened(self, index: str, ranking: str) -> Ranker:
        from foreart.corpus.views import load_view
        from foreart.search import IndexRanker
        from foreart.search.ranking import open_ranker

        if index:
            return IndexRanker(self.index(index), load_view(self.folder), name=index)
        needed = {index_name(kind, sections) for sections, kinds in DEFAULT_BUILD.items() for kind in kinds}
        if ranking == "auto" and not needed.issubset(self.names):
            alone = self.index(DEFAULT_INDEX)
            return IndexRanker(alone, load_view(self.folder), name=DEFAULT_INDEX, notes=(_ALONE,))
        return open_ranker(self.folder, ranking)

    def _state(self, name: str) -> str:
        """A string that changes whenever an index on disk changes; `""` if there is none."""
        from foreart.index import stored_at

        folder = self.path(name)
        files = (folder / "words.json", stored_at(folder) / "current") if name in self.names else ()
        return "\0".join(file.read_text("utf-8", "replace") for file in files if file.exists())

    def close(self) -> None:
        """Drops the cached rankers."""
        self._rankers.clear()
