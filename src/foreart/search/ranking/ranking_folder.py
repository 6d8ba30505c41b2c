"""Opens the rankings of a library, and chooses the one that a search uses."""

from __future__ import annotations

from pathlib import Path

from foreart.corpus import Corpus
from foreart.corpus.indexed_corpus import as_indexed
from foreart.errors import IndexingError
from foreart.index.published_state import PublishedState, published_state
from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS, RANKINGS, RRF_RANKING
from foreart.search.ranking.candidate_recall import FILE as CANDIDATES
from foreart.search.ranking.candidate_recall import load_candidates, measured_candidates, write_candidates
from foreart.search.ranking.fused import FusedRanker
from foreart.search.ranking.near.citation_graph import CitationGraph
from foreart.search.ranking.ranking_inputs import RankingInputs, ranking_inputs_of
from foreart.search.ranking.text_channels import TEXT_CHANNELS
from foreart.search.ranking.weights.default_weights import default_weights
from foreart.search.ranking.weights.learned import FILE as LEARNED
from foreart.search.ranking.weights.learned import load_learned
from foreart.search.score_parts import CandidateRecall


def ranking_path(library: Path) -> Path:
    """The folder of the learned ranking."""
    return library / "ranking"


def open_inputs(library: Path | PublishedState) -> RankingInputs:
    """The view of the published state of a library, and those indexes of its channels that were built."""
    state = published_state(library) if isinstance(library, Path) else library
    names = dict.fromkeys(channel.index for channel in TEXT_CHANNELS)
    built = {name: state.index(name) for name in names if name in state.indexes}
    fresh = {name: index for name, index in built.items() if index.description.corpus == state.view.corpus}
    alignments = {name: state.alignment(name) for name in fresh}
    return ranking_inputs_of(CitationGraph(state.view), built, alignments)


def open_ranker(state: PublishedState, ranking: str = "auto") -> FusedRanker:
    """All channels, fused in the named way."""
    library = state.library
    if ranking not in RANKINGS:
        raise IndexingError(f"{ranking!r} is not a ranking; there are {', '.join(RANKINGS)}")
    path = ranking_path(library) / LEARNED
    if ranking == LEARNED_WEIGHTS and not path.exists():
        raise IndexingError(f"nothing was learned in {library}: `foreart learn` does it")
    ranker = _ranker(open_inputs(state), ranking, path)
    recall = load_candidates(ranking_path(library), ranker)
    return ranker if recall is None else ranker.measured(recall)


def measure_candidates(state: PublishedState, corpus: Corpus) -> CandidateRecall:
    """Measures what the candidates of the ranking that searches use find of an exact search, unless that is known."""
    ranker = open_ranker(state)
    if ranker.candidate_recall is not None:
        return ranker.candidate_recall
    recall = measured_candidates(ranker, as_indexed(corpus, state.view))
    write_candidates(recall, ranking_path(state.library))
    return recall


def _ranker(inputs: RankingInputs, ranking: str, learned: Path) -> FusedRanker:
    if ranking == RRF_RANKING:
        return FusedRanker(inputs, None, name=RRF_RANKING)
    if ranking == LEARNED_WEIGHTS or (ranking == "auto" and learned.exists()):
        return FusedRanker(inputs, load_learned(learned), name=LEARNED_WEIGHTS)
    return FusedRanker(inputs, default_weights(inputs.graph), name=DEFAULT_WEIGHTS)


def ranking_state(library: Path) -> str:
    """Changes whenever the learned ranking changes, or what is known of its candidates."""
    files = (ranking_path(library) / name for name in (LEARNED, CANDIDATES))
    return " ".join(str(file.stat().st_mtime_ns) for file in files if file.exists())
