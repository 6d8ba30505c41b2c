"""A folder with a corpus and its indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from foreart.corpus import EVERYTHING, Corpus, Selection, Summary
from foreart.errors import IndexingError
from foreart.index_store import DEFAULT_INDEX, IndexStore

if TYPE_CHECKING:
    from foreart.crawl import Access, Asked, Outcome, Status
    from foreart.document.draft import Draft
    from foreart.index import Index
    from foreart.loading import Progress
    from foreart.records import SearchRecord
    from foreart.search import Ranker, Result
    from foreart.search.charting import Bridges, Chart
    from foreart.search.explaining import Explainer, Reasons
    from foreart.search.ranking import Learned


class Library:
    """One folder: `corpus.db`, `postings/` and `indexes/`. The corpus is made when something is first added."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._corpus: Corpus | None = None
        self._store = IndexStore(self.folder)

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
        from foreart.loading import load

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
        return self._store.path(name)

    @property
    def postings_path(self) -> Path:
        """Where the words of all documents are counted, for all indexes of words."""
        return self._store.postings

    def build(
        self,
        *kinds: str,
        sections: str = "full",
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        merge: bool = False,
        workers: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Index]:
        """Builds indexes of the corpus as it is now, all that the default ranking needs if none is named.

        Only what is new is read where counts of words are enough.

        An index is named after its kind, and its sections if they are not the full text, unless `name` names it; it
        takes the place of one of the same name. `parameters` change those of its features. `merge` brings the postings
        to the form in which a build from nothing would leave them. `workers` processes read the numbers in texts.
        """
        if not kinds:
            if name or parameters or sections != "full":
                raise IndexingError("a name, sections or parameters are those of one kind of index: name the kind too")
            return self._store.build_ranking(self.corpus, merge=merge, workers=workers, progress=progress)
        return self._store.build(
            self.corpus, kinds, sections=sections, name=name, parameters=parameters, merge=merge, progress=progress
        )

    @property
    def indexes(self) -> list[str]:
        """The names of the indexes that were built."""
        return self._store.names

    def index(self, name: str = DEFAULT_INDEX) -> Index:
        """An index that was built before."""
        return self._store.index(name)

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """What ranks all documents for a draft, kept until it is built or learned anew: one index, or all channels."""
        return self._store.ranker(index, ranking=ranking)

    def search(
        self,
        draft: Draft,
        *,
        k: int = 20,
        cutoff: str = "",
        index: str = "",
        ranking: str = "auto",
        emphasise: tuple[str, ...] = (),
        emphasise_paragraphs: tuple[str, ...] = (),
        emphasise_classes: tuple[str, ...] = (),
        selection: Selection = EVERYTHING,
        regime: str = "any",
        must: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        ignore: tuple[str, ...] = (),
        only_new: tuple[str, ...] = (),
        passages: bool = True,
    ) -> Result:
        """The documents nearest to a draft that may count against it, best first, of those that the filters leave.

        All channels rank, fused as `ranking` says, unless one `index` is to rank alone; terms, numbered paragraphs and
        classes may be emphasised. `must` and `without` are terms of the full text, `ignore` and `only_new` numbers or
        files with numbers; `regime` is the law that says what counts (`foreart.search.REGIMES`).
        """
        from foreart.search import search
        from foreart.search.ranking import Emphasis, emphasising

        emphasis = Emphasis(tuple(emphasise), tuple(emphasise_paragraphs), tuple(emphasise_classes))
        ranker = emphasising(self.ranker(index, ranking=ranking), emphasis)
        return search(
            draft,
            ranker,
            self.corpus,
            k=k,
            cutoff=cutoff,
            regime=regime,
            selection=selection,
            must=must,
            without=without,
            ignore=ignore,
            only_new=only_new,
            passages=passages,
            standing=self._store.standing(self.corpus, ranker),
            postings=self.postings_path,
        )

    def learn(
        self, *, without: Sequence[str] = (), seed: int = 0, progress: Callable[[str, int, int], None] | None = None
    ) -> Learned:
        """Learns from the citations of the corpus how much each channel is worth; searches use it from then on.

        Documents named in `without` do not teach.
        """
        from foreart.learning import learn
        from foreart.search.ranking import open_ground, ranking_path, write_learned

        learned = learn(self.corpus, open_ground(self.folder), without=without, seed=seed, progress=progress)
        write_learned(learned, ranking_path(self.folder))
        return learned

    def record(
        self, result: Result, parameters: Mapping[str, Any], *, draft: str | Path = "", private: bool = False
    ) -> SearchRecord:
        """All that it takes to repeat a search: `parameters` are those it was given, `draft` the file of the draft.

        `private` leaves out the words that made the scores; the text of the draft is never in it.
        """
        from foreart.records import all_parameters, search_record

        asked = all_parameters(self.search, parameters)
        return search_record(result, self.corpus, asked, draft=draft, private=private)

    def rerun(self, record: SearchRecord, *, draft: Draft | str | Path | None = None) -> SearchRecord:
        """The search of a record once more, with the date that counted then; `foreart.records.diff` tells what changed.

        The draft is read from where it was, unless another one is given.
        """
        from foreart.records import repeat

        return repeat(record, self.search, self.corpus, draft=draft)

    def explain(self, draft: Draft, number: str, **asked: Any) -> Reasons:  # noqa: ANN401 those of `explainer`
        """Why a document stands where it stands for a draft; what else is asked are parameters of `explainer`."""
        return self.explainer(draft, **asked).of(number)

    def explainer(
        self,
        draft: Draft,
        *,
        index: str = "",
        ranking: str = "auto",
        emphasise: tuple[str, ...] = (),
        emphasise_paragraphs: tuple[str, ...] = (),
        emphasise_classes: tuple[str, ...] = (),
        **asked: Any,  # noqa: ANN401 those of an explainer
    ) -> Explainer:
        """A draft compared once, to explain several documents; `cutoff`, `regime` and `words` may be asked too."""
        from foreart.search.explaining import open_explainer
        from foreart.search.ranking import Emphasis, emphasising

        emphasis = Emphasis(tuple(emphasise), tuple(emphasise_paragraphs), tuple(emphasise_classes))
        ranker = emphasising(self.ranker(index, ranking=ranking), emphasis)
        asked |= {"standing": self._store.standing(self.corpus, ranker), "name": index}
        built = self.indexes
        postings = self.postings_path
        return open_explainer(draft, ranker, self.corpus, postings=postings, indexes=built, load=self.index, **asked)

    def chart(
        self,
        draft: Draft,
        ids: Iterable[str],
        *,
        claims: Iterable[int] = (),
        all_claims: bool = False,
        quotes: int = 3,
        cutoff: str = "",
        regime: str = "any",
        bridges: Bridges | None = None,
    ) -> Chart:
        """The elements of a draft's claims by some references, with verbatim located quotes and their coverage.

        The elements are those of the independent claims, of some claims, or of all with the own features of dependent
        ones. `bridges` names for a word others near in meaning, each with the part of the credit that it earns.
        """
        from foreart.index.storage.store import load as load_postings
        from foreart.search.charting import chart

        postings = load_postings(self.postings_path / "full")
        return chart(
            draft,
            ids,
            self.corpus,
            postings,
            claims=claims,
            all_claims=all_claims,
            most=quotes,
            cutoff=cutoff,
            regime=regime,
            bridges=bridges,
        )

    def close(self) -> None:
        """Lets go of all files."""
        self._store.close()
        if self._corpus is not None:
            self._corpus.close()
            self._corpus = None
