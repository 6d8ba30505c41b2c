"""A folder with a corpus and its indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from foreart.corpus import Corpus, Summary
from foreart.errors import IndexingError
from foreart.index_store import DEFAULT_INDEX, Answer, IndexStore

if TYPE_CHECKING:
    from foreart.cluster.homes import StateOpener
    from foreart.corpus.indexed_corpus import IndexedCorpus
    from foreart.crawl import CrawlAccess, CrawlOutcome, CrawlSpec, CrawlStatus
    from foreart.document.draft import Draft
    from foreart.index import Index
    from foreart.index.published_state import PublishedState
    from foreart.loading import Progress
    from foreart.records import SearchRecord
    from foreart.review.matters import Matter, MatterEntry
    from foreart.search import Ranker, Result, SearchOptions, SearchRequest
    from foreart.search.charting import Bridges, Chart, Checked, OwnGrades
    from foreart.search.explaining import Explainer, Reasons
    from foreart.search.ranking import Learned

SAMPLE = Path(__file__).with_name("sample")  # 50 invented patents (`patents.jsonl`) and three drafts (`drafts/`)


class Library:
    """One folder: `corpus.db`, `postings/` and `indexes/`. The corpus is created when something is first added.
    `on` is the address of a cluster that searches it, or `here`; by default what `foreart cluster use` said.
    """

    def __init__(self, folder: str | Path, *, on: str = "") -> None:
        self.folder = Path(folder)
        self._corpus: Corpus | None = None
        self._on = on
        self._states: StateOpener | None = None
        self._store = IndexStore(self.folder, lambda: self._opener)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _opener(self) -> StateOpener:
        if self._states is None:
            from foreart.cluster.homes import state_opener

            self._states = state_opener(self.folder, self._on)
        return self._states

    @property
    def corpus_path(self) -> Path:
        """The file of the corpus, which may not exist yet."""
        return self.folder / "corpus.db"

    @property
    def corpus(self) -> Corpus:
        """The corpus, opened on first use and created if there is none."""
        if self._corpus is None:
            self._corpus = Corpus(self.corpus_path, create=True)
        return self._corpus

    def add(self, paths: Iterable[str | Path], *, workers: int = 1, progress: Progress | None = None) -> Summary:
        """Loads files in any known format; records that cannot be read go to the reject ledger."""
        from foreart.loading import load

        return load(paths, self.corpus, workers=workers, progress=progress)

    def crawl(
        self,
        seeds: Iterable[str],
        spec: CrawlSpec | None = None,
        *,
        source: str | Path = "google",
        access: CrawlAccess | None = None,
        depth: int | None = None,
        limit: int | None = None,
        again: bool = False,
        progress: Callable[[CrawlStatus], None] | None = None,
    ) -> CrawlOutcome:
        """Grows the corpus from seeds along citations; the only method that may access the network."""
        from foreart.crawl import CrawlAccess, CrawlSpec, crawl, open_source

        spec = spec or CrawlSpec()
        opened = open_source(str(source), self.folder, access or CrawlAccess(), citing=spec.following.citing)
        with closing(opened):
            return crawl(self.corpus, opened, seeds, spec, depth=depth, limit=limit, again=again, progress=progress)

    def build(
        self,
        *kinds: str,
        sections: str = "full",
        name: str = "",
        parameters: Mapping[str, object] | None = None,
        merge: bool = False,
        refresh: bool = False,
        workers: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, Index]:
        """Builds indexes of the current corpus; without kinds, all that the default ranking needs.

        Only new documents are read and encoded; all indexes that were built before are brought up to date too, and
        then published together: until then, searches use the state before. Topics and word vectors keep what they
        learned, unless `refresh` learns again.

        The default name of an index is its kind, with the sections if they are not the full text; an index of the same
        name is replaced. `parameters` override those of its features. `merge` brings the postings to the form that a
        build from scratch would have. `workers` processes extract the publication numbers from texts.
        """
        from foreart.cluster.homes import build_home
        from foreart.library_building import BuildOptions

        if not kinds and (name or parameters or sections != "full"):
            raise IndexingError("a name, sections or parameters belong to one kind of index: name the kind too")
        with build_home(self.folder, self.corpus, self._on, progress) as pool:
            how = BuildOptions(merge, refresh, workers, pool, progress)
            if not kinds:
                return self._store.build_ranking(self.corpus, how=how)
            return self._store.build(self.corpus, kinds, sections=sections, name=name, parameters=parameters, how=how)

    @property
    def indexes(self) -> list[str]:
        """The names of the indexes that were built."""
        return self._store.names

    def index(self, name: str = DEFAULT_INDEX) -> Index:
        """An index that was built before."""
        return self._store.index(name)

    def ranker(self, index: str = "", *, ranking: str = "auto") -> Ranker:
        """Ranks all documents for a draft, by one index or by all channels; cached until its files change."""
        return self._store.ranker(index, ranking=ranking)

    def draft(self, source: str | Path, *, sidecar: str | Path | None = None) -> Draft:
        """The draft in a file, or a patent of the corpus, given by its number, as a draft."""
        from foreart.search.draft_source import open_draft

        known = self.corpus if self.corpus_path.exists() else None
        return open_draft(str(source), known, sidecar=str(sidecar) if sidecar else None)

    def search(self, asked: Draft | SearchRequest, **options: Unpack[SearchOptions]) -> Result:
        """The documents most similar to a draft that may count against it, best first.

        `asked` is a draft or a request; options override single fields of the request.
        """
        from foreart.search import request_of, search

        request = request_of(asked, **options)
        result = self.answer(
            request, lambda state, ranker: search(request, ranker, self.corpus, postings=state.full_text_if_built)
        )
        return replace(result, saver=self._save)

    def answer(self, request: SearchRequest, answer: Callable[[PublishedState, Ranker], Answer]) -> Answer:
        """What a function finds with the published state and the ranker of a request, opened together."""
        return self._store.answer(answer, request.index, ranking=request.ranking)

    def similar(self, number: str, **options: Unpack[SearchOptions]) -> Result:
        """The documents most similar to a patent of the corpus that may count against it: its search as a draft."""
        from foreart.search.draft_source import publication_draft

        return self.search(publication_draft(number, self.corpus), **options)

    def learn(
        self, *, without: Sequence[str] = (), seed: int = 0, progress: Callable[[str, int, int], None] | None = None
    ) -> Learned:
        """Learns the weight of each channel from the citations of the corpus; later searches use the weights.

        Documents in `without` are not used for training.
        """
        from foreart.index.published_state import published_state
        from foreart.learning import learn_and_keep

        return learn_and_keep(self.corpus, published_state(self.folder), without=without, seed=seed, progress=progress)

    def record(self, result: Result, *, private: bool = False) -> SearchRecord:
        """The search record of a result: everything needed to repeat the search, without the text of the draft.

        `private` also leaves out the words behind the scores. `Result.save` writes it to a file.
        """
        from foreart.records import search_record

        return search_record(result, self._indexed(self._store.state), private=private)

    def rerun(self, record: SearchRecord, *, draft: Draft | str | Path | None = None) -> SearchRecord:
        """Repeats the search of a record, with its cutoff date; `foreart.diff` shows what changed.

        The draft is read from its recorded path, unless another one is given.
        """
        from foreart.records import repeat

        return repeat(record, self.search, self.corpus, lambda: self._indexed(self._store.state), draft=draft)

    def explain(
        self, asked: Draft | SearchRequest | Result, number: str, *, words: int = 15, **options: Unpack[SearchOptions]
    ) -> Reasons:
        """Why a document has its rank and score: the exact contribution of each channel and each word."""
        return self.explainer(asked, words=words, **options).of(number)

    def explainer(
        self, asked: Draft | SearchRequest | Result, *, words: int = 15, **options: Unpack[SearchOptions]
    ) -> Explainer:
        """Explains several documents after comparing the draft once; `words` is the number shown for each channel."""
        from foreart.search import repeated_request
        from foreart.search.explaining import open_explainer

        request = repeated_request(asked, **options)
        return self.answer(
            request, lambda state, ranker: open_explainer(request, ranker, self.corpus, state=state, words=words)
        )

    def chart(
        self,
        asked: Draft | SearchRequest | Result,
        ids: Iterable[str] = (),
        *,
        top: int = 0,
        claims: Iterable[int] = (),
        all_claims: bool = False,
        quotes: int = 3,
        bridges: Bridges | bool = False,
        own_grades: OwnGrades | None = None,
        **options: Unpack[SearchOptions],
    ) -> Chart:
        """The elements of a draft's claims against references, with verbatim located quotes and their coverage.

        References are the documents of `ids` and the best `top` hits of the search. The elements are those of the
        independent claims, of the given `claims`, or of all claims, where dependent ones have only their own features.
        With `bridges`, words of similar meaning count too, marked and with less weight: from word vectors, or as given
        for each word. `own_grades` has a person's grades by label of a row and reference: findings follow them, and the
        computed ones stay beside them.
        """
        from foreart.search import repeated_request
        from foreart.search.charting import graded
        from foreart.search.explaining import open_chart

        request = repeated_request(asked, **options)
        numbers = list(dict.fromkeys((*ids, *self._best(request, top))))
        state = self._store.state
        how = {"claims": claims, "all_claims": all_claims, "limit": quotes}
        made = open_chart(request, numbers, self._indexed(state), state=state, bridges=bridges, **how)
        return graded(made, own_grades or {}, request.regime)

    def matters(self) -> tuple[MatterEntry, ...]:
        """The matters of the library, the last changed first."""
        from foreart.review.matters import list_matters

        return list_matters(self.folder)

    def matter(self, name: str, *, passphrase: str = "", create: bool = False, title: str = "") -> Matter:
        """A matter by its name. `create` makes a new one with a title, sealed if there is a passphrase."""
        from foreart.review.casework.matter_forms import FORMS
        from foreart.review.matters import opened_matter

        return opened_matter(self, name, forms=FORMS, passphrase=passphrase, create=create, title=title)

    def verify(self, file: str | Path) -> Checked:
        """Looks up every quote of a chart or report in the corpus: JSON, CSV, XLSX, HTML or DOCX, edited or not."""
        from foreart.report.exports.chart_reading import read_chart
        from foreart.search.charting import verify

        claimed, held = read_chart(file)
        return verify(claimed, self.corpus, held=held)

    def _indexed(self, state: PublishedState, corpus: Corpus | None = None) -> IndexedCorpus:
        """The corpus as the documents of a state were indexed."""
        from foreart.corpus.indexed_corpus import as_indexed

        return as_indexed(corpus or self.corpus, state.view)

    def _best(self, request: SearchRequest, top: int) -> list[str]:
        """The best hits of a request, without the draft itself if it is in the corpus."""
        hits = self.search(request, k=top + 1, passages=False) if top else ()
        return [hit.id for hit in hits if hit.id != request.draft.source][:top]

    def _save(self, result: Result, path: Path, private: bool) -> None:
        """Writes the search record of a result, unless other indexes were published since the search."""
        from foreart.records import save_record

        with Corpus(self.corpus_path) as corpus:
            save_record(result, self._indexed(self._store.state, corpus), path, private=private)

    def close(self) -> None:
        """Closes all files."""
        self._store.close()
        for opened in (self._states, self._corpus):
            if opened is not None:
                opened.close()
        self._states = self._corpus = None
