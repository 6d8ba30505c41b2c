"""Opens the rankings of a library, and chooses the one that a search uses."""

from __future__ import annotations

from pathlib import Path

from foreart.errors import IndexingError
from foreart.index.published_state import PublishedState, published_state
from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS, RANKINGS, RRF_RANKING
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.fused import FusedRanker
from foreart.search.ranking.ranking_inputs import RankingInputs, ranking_inputs_of
from foreart.search.ranking.text_channels import TEXT_CHANNELS
from foreart.search.ranking.weights.default_weights import default_weights
from foreart.search.ranking.weights.learned import FILE as LEARNED
from foreart.search.ranking.weights.learned import load_learned


def ranking_path(library: Path) -> Path:
    """The folder of the learned ranking."""
    return library / "ranking"


def open_inputs(library: Path | PublishedState) -> RankingInputs:
    """The view of the published state of a library, and those indexes of its channels that were built."""
    state = published_state(library) if isinstance(library, Path) else library
    names = dict.fromkeys(channel.index for channel in TEXT_CHANNELS)
    built = {name: state.index(name) for name in names if name in state.indexes}
    return ranking_inputs_of(CitationGraph(state.view), built)


def open_ranker(state: PublishedState, ranking: str = "auto") -> FusedRanker:
    """All channels, fused in the named way."""
    library = state.library
    if ranking not in RANKINGS:
        raise IndexingError(f"{ranking!r} is not a ranking; there are {', '.join(RANKINGS)}")
    path = ranking_path(library) / LEARNED
    if ranking == LEARNED_WEIGHTS and not path.exists():
        raise IndexingError(f"nothing was learned in {library}: `foreart learn` does it")
    inputs = open_inputs(state)
    if ranking == RRF_RANKING:
        return FusedRanker(inputs, None, name=RRF_RANKING)
    if ranking == LEARNED_WEIGHTS or (ranking == "auto" and path.exists()):
        return FusedRanker(inputs, load_learned(path), name=LEARNED_WEIGHTS)
    return FusedRanker(inputs, default_weights(inputs.graph), name=DEFAULT_WEIGHTS)


def ranking_state(library: Path) -> str:
    """Changes whenever the learned ranking changes."""
    file = ranking_path(library) / LEARNED
    return str(file.stat().st_mtime_ns) if file.exists() else ""
