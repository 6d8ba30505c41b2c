"""A folder with a corpus and its indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from foreart.corpus import EVERYTHING, Corpus, Selection, Summary
from foreart.errors import IndexError_
from foreart.loading import Progress, load

if TYPE_CHECKING:
    from foreart.crawl import Access, Asked, Outcome, Status
    from foreart.draft import Draft
    from foreart.index import Index
    from foreart.search import Result

# The kinds of index by name: the features of each and the parameters that make it.
INDEXES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "log-tfidf": ("tfidf", {"tf": "log"}),
    "tfidf": ("tfidf", {}),
    "bm25": ("bm25", {}),
    "lsa": ("lsa", {}),
    "kpca": ("kpca", {}),
    "ppmi": ("ppmi", {}),
    "word2vec": ("word2vec", {}),
    "doc2vec": ("doc2vec", {}),
    "embedding": ("embedding", {}),
}
# `tfidf` is that of Helmers et al. 2019; dampened counts rank better on the 179 targets of ../shared/data (MAP .167
# against .145, by `foreart evaluate`), so searches take them.
DEFAULT_INDEX = "log-tfidf"
DEFAULT_INDEXES = (DEFAULT_INDEX, "tfidf")


class Library:
    """One folder: `corpus.db`, `postings/` and `indexes/`. The corpus is made when something is first added."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._corpus: Corpus | None = None

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def corpus_path(self) -> Path:
        """Where the corpus is or will be."""
        return self.folder / "corpus.db"

    @property
    def corpus(self) -> Corpus:
        """The corpus, opened when first asked for and made if there is none."""
        if self._corpus is None:
            self._corpus = Corpus(self.corpus_path, create=True)
        return self._corpus

    def add(self, paths: Iterable[str | Path], *, workers: int = 1, progress: Progress | None = None) -> Summary:
        """Loads files in any known format; what cannot be read goes to the reject ledger."""
        return load(paths, self.corpus, workers=workers, progress=progress)

    def crawl(
        self,
        seeds: Iterable[str],
        asked: Asked | None = None,
        *,
        source: str | Path = "google",
        access: Access | None = None,
        depth: int | None = None,
        most: int | None = None,
        again: bool = False,
        progress: Callable[[Status], None] | None = None,
    ) -> Outcome:
        """Grows the corpus from seeds along citations: the only thing here that may fetch anything."""
        from foreart.crawl import Access, Asked, crawl, open_source

        wanted = asked or Asked()
        opened = open_source(str(source), self.folder, access or Access(), citing=wanted.following.citing)
        with closing(opened):
            return crawl(self.corpus, opened, seeds, wanted, depth=depth, most=most, again=again, progress=progress)

    def index_path(self, name: str = DEFAULT_INDEX) -> Path:
        """Where an index is or will be."""
        return self.folder / "indexes" / name

    @property
    def postings_path(self) -> Path:
        """Where the words of all documents are counted, for all indexes of words."""
        return self.folder / "postings"

    def build(
        self,
        *kinds: str,
        sections: str = "full",
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        merge: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Index]:
        """Builds indexes of the corpus as it is now, the default ones if none is named; only what is new is read.

        An index is named after its kind, and its sections if they are not the full text, unless `name` names it; it
        takes the place of one of the same name. `parameters` change those of its features. `merge` brings the postings
        to the form in which a build from nothing would leave them.
        """
        from foreart.features import make
        from foreart.search import build_all

        chosen = kinds or DEFAULT_INDEXES
        if name and len(chosen) != 1:
            raise IndexError_(f"the name {name!r} can be given to one index, not to {len(chosen)}")
        features = {}
        for kind in chosen:
            if kind not in INDEXES:
                raise IndexError_(f"{kind!r} is no kind of index; there are {', '.join(INDEXES)}")
            made, preset = INDEXES[kind]
            features[self.index_path(name or index_name(kind, sections))] = make(made, {**preset, **(parameters or {})})
        built = build_all(
            self.corpus, features, sections=sections, postings=self.postings_path, merge=merge, progress=progress
        )
        return {folder.name: built[folder] for folder in features}

    @property
    def indexes(self) -> list[str]:
        """The names of the indexes that were built."""
        places = self.folder / "indexes"
        return sorted({path.parent.name for name in ("current", "words.json") for path in places.glob(f"*/{name}")})

    def index(self, name: str = DEFAULT_INDEX) -> Index:
        """An index that was built before."""
        from foreart.index import load as load_index

        if name not in self.indexes:
            have = f"there are {', '.join(self.indexes)}" if self.indexes else "there is none yet"
            raise IndexError_(f"there is no index {name!r} in {self.folder}; {have}: `foreart build` makes them")
        return load_index(self.index_path(name))

    def search(
        self,
        draft: Draft,
        *,
        k: int = 20,
        cutoff: str = "",
        index: str = DEFAULT_INDEX,
        selection: Selection = EVERYTHING,
    ) -> Result:
        """The documents nearest to a draft that may count against it, best first, of those selected."""
        from foreart.search import search

        return search(draft, self.index(index), self.corpus, k=k, cutoff=cutoff, selection=selection)

    def close(self) -> None:
        """Lets go of all files."""
        if self._corpus is not None:
            self._corpus.close()
            self._corpus = None


def index_name(kind: str, sections: str = "full") -> str:
    """How an index of a kind is called unless it is given a name."""
    return kind if sections == "full" else f"{kind}-{sections}"
