"""The rankings of a library: the files they need, and which of them a search takes."""

from __future__ import annotations

from pathlib import Path

from foreart import index
from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import load_view
from foreart.errors import IndexingError
from foreart.rankings import DEFAULT_WEIGHTS, LEARNED_WEIGHTS, RANKINGS, RRF_RANKING
from foreart.search.ranking.citation_graph import CitationGraph
from foreart.search.ranking.default_weights import default_weights
from foreart.search.ranking.fused import FusedRanker
from foreart.search.ranking.learned import FILE as LEARNED
from foreart.search.ranking.learned import load_learned
from foreart.search.ranking.ranking_inputs import RankingInputs, ranking_inputs_of
from foreart.search.ranking.text_channels import TEXT_CHANNELS


def ranking_path(library: Path) -> Path:
    """The folder of what was learned."""
    return library / "ranking"


def open_inputs(library: Path) -> RankingInputs:
    """The view of a library and the indexes of all channels that were built."""
    names = dict.fromkeys(channel.index for channel in TEXT_CHANNELS)
    places = {name: library / "indexes" / name for name in names}
    there = {
        name: place
        for name, place in places.items()
        if any((place / name).exists() for name in ("current", "words.json"))
    }
    return ranking_inputs_of(CitationGraph(load_view(library)), {name: index.load(there[name]) for name in there})


def open_ranker(library: Path, ranking: str = "auto") -> FusedRanker:
    """All channels, fused as asked."""
    if ranking not in RANKINGS:
        raise IndexingError(f"{ranking!r} is no ranking; there are {', '.join(RANKINGS)}")
    path = ranking_path(library) / LEARNED
    if ranking == LEARNED_WEIGHTS and not path.exists():
        raise IndexingError(f"nothing was learned in {library}: `foreart learn` does it")
    inputs = open_inputs(library)
    if ranking == RRF_RANKING:
        return FusedRanker(inputs, None, name=RRF_RANKING)
    if ranking == LEARNED_WEIGHTS or (ranking == "auto" and path.exists()):
        return FusedRanker(inputs, load_learned(path), name=LEARNED_WEIGHTS)
    return FusedRanker(inputs, default_weights(inputs.graph), name=DEFAULT_WEIGHTS)


def ranking_state(library: Path) -> str:
    """Changes whenever the view or what was learned does."""
    files = (library / VIEW, ranking_path(library) / LEARNED)
    return " ".join(str(file.stat().st_mtime_ns) for file in files if file.exists())
