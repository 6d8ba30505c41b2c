"""The indexes and rankings in the folder of a library: which kinds there are, how they are built and opened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from foreart.corpus import Corpus
from foreart.errors import IndexingError, StaleIndex

if TYPE_CHECKING:
    from foreart.index import Index
    from foreart.index.index_kinds import Kind
    from foreart.index.published_state import PublishedState
    from foreart.library_building import BuildOptions
    from foreart.search import Ranker

Answer = TypeVar("Answer")

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


def index_name(kind: str, sections: str = "full") -> str:
    """The default name of an index."""
    return kind if sections == "full" else f"{kind}-{sections}"


class StateSource(Protocol):
    """Where the states of a library come from: this machine, or a cluster."""

    def __call__(self, library: Path) -> PublishedState:
        """The state that searches use now."""

    def name(self, library: Path) -> str:
        """A text that changes whenever another state is published."""


class IndexStore:
    """`indexes/`, `postings/` and `ranking/` of a folder; rankers are cached until their files change."""

    def __init__(self, folder: Path, opener: Callable[[], StateSource] | None = None) -> None:
        self.folder = folder
        self._opener = opener
        self._rankers: dict[str, tuple[str, Ranker]] = {}
        self._state: tuple[str, PublishedState] | None = None

    @property
    def state(self) -> PublishedState:
        """The published state, opened once: files of a state do not change."""
        from foreart.index.published_state import published_state, state_name

        opener = self._opener() if self._opener else None
        name = state_name(self.folder) if opener is None else opener.name(self.folder)
        if self._state is None or self._state[0] != name:
            self._state = name, (opener or published_state)(self.folder)
        return self._state[1]

    @property
    def names(self) -> list[str]:
        """The names of the indexes that were built."""
        return _names(self.state)

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
        return self._index(self.state, name)

    def _index(self, state: PublishedState, name: str) -> Index:
        self.path(name)
        names = _names(state)
        if name not in names:
            built = f"there are {', '.join(names)}" if names else "there is none yet"
            raise IndexingError(f"there is no index {name!r} in {self.folder}; {built}: `foreart build` builds them")
        return state.index(name)

    def build(
        self,
        corpus: Corpus,
        kinds: Sequence[str],
        *,
        sections: str = "full",
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        how: BuildOptions | None = None,
    ) -> dict[str, Index]:
        """Builds indexes of the given kinds, brings the others up to date, and publishes all with their view."""
        if name and len(kinds) != 1:
            raise IndexingError(f"the name {name!r} can be given to one index, not to {len(kinds)}")
        wanted: dict[str, tuple[Kind, str]] = {}
        for kind in kinds:
            folder = self.path(name or index_name(kind, sections))
            wanted[folder.name] = _kind(kind, parameters or {}), sections
        return self._published(corpus, wanted, how)

    def build_ranking(self, corpus: Corpus, *, how: BuildOptions | None = None) -> dict[str, Index]:
        """Builds all indexes that the default ranking needs, brings others up to date, and publishes all.

        Then measures what the candidates of the ranking find of an exact search.
        """
        from foreart.index.published_state import published_state
        from foreart.search.ranking import measure_candidates

        wanted = {
            index_name(kind, sections): (_kind(kind, {}), sections)
            for sections, kinds in DEFAULT_BUILD.items()
            for kind in kinds
        }
        built = self._published(corpus, wanted, how)
        measure_candidates(published_state(self.folder), corpus)
        return built

    def _published(
        self, corpus: Corpus, wanted: Mapping[str, tuple[Kind, str]], how: BuildOptions | None
    ) -> dict[str, Index]:
        from foreart.index.published_state import published_state
        from foreart.library_building import publish_indexes

        publish_indexes(self.folder, corpus, wanted, how)
        (self.folder / "ranking" / "bibliography.npz").unlink(missing_ok=True)  # of foreart 0.1; replaced by the view
        built = published_state(self.folder)  # not that of a home, where it is stored afterwards
        return {name: self._index(built, name) for name in wanted}

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """Ranks all documents for a draft: by one index, or by all channels."""
        return self.opened(index, ranking=ranking)[1]

    def answer(
        self, answer: Callable[[PublishedState, Ranker], Answer], index: str = "", *, ranking: str = "auto"
    ) -> Answer:
        """An answer from the published state; from the next one, if builds removed what this one needs meanwhile."""
        while True:
            state, ranker = self.opened(index, ranking=ranking)
            try:
                return answer(state, ranker)
            except StaleIndex:
                if self.state is state:
                    raise

    def opened(self, index: str = "", *, ranking: str = "auto") -> tuple[PublishedState, Ranker]:
        """A ranker, and the published state that it is of."""
        from foreart.search.ranking import ranking_state

        name = index or f"\0{ranking}"
        while True:
            state = self.state
            known = f"{id(state)} {ranking_state(self.folder)}"
            cached = self._rankers.get(name)
            if cached is not None and cached[0] == known:
                return state, cached[1]
            try:
                ranker = self._ranker(state, index, ranking)
            except IndexingError:
                if self.state is state:  # else others were published, and these were removed while they were opened
                    raise
                continue
            self._rankers[name] = (known, ranker)
            return state, ranker

    def _ranker(self, state: PublishedState, index: str, ranking: str) -> Ranker:
        from foreart.search import IndexRanker
        from foreart.search.ranking import open_ranker

        if index:
            return IndexRanker(self._index(state, index), state.view, name=index)
        needed = {index_name(kind, sections) for sections, kinds in DEFAULT_BUILD.items() for kind in kinds}
        if ranking == "auto" and not needed.issubset(_names(state)):
            alone = self._index(state, DEFAULT_INDEX)
            return IndexRanker(alone, state.view, name=DEFAULT_INDEX, notes=(_ALONE,))
        return open_ranker(state, ranking)

    def close(self) -> None:
        """Drops the cached rankers and the state."""
        self._rankers.clear()
        self._state = None


def _names(state: PublishedState) -> list[str]:
    return sorted(filter(_NAME.fullmatch, state.indexes))


def _kind(name: str, parameters: Mapping[str, object]) -> Kind:
    """The features or passages of a kind of index."""
    from foreart.index.registry import make_kind

    if name not in INDEXES:
        raise IndexingError(f"{name!r} is not a kind of index; there are {', '.join(INDEXES)}")
    features, preset = INDEXES[name]
    return make_kind(features, {**preset, **parameters})
