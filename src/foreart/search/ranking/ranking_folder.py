"""Opens the rankings of a library, and chooses the one that a search uses."""

from __future__ import annotations

from pathlib import Path

from foreart import index
from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import load_view
from foreart.errors import IndexingError
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


def open_inputs(library: Path) -> RankingInputs:
    """The view of a library, and those indexes of its channels that were built."""
    names = dict.fromkeys(channel.index for channel in TEXT_CHANNELS)
    folders = {name: library / "indexes" / name for name in names}
    built = {
        name: folder
        for name, folder in folders.items()
        if any((folder / file).exists() for file in ("current", "words.json"))
    }
    return ranking_inputs_of(
        CitationGraph(load_view(library)), {name: index.load(folder) for name, folder in built.items()}
    )


def open_ranker(library: Path, ranking: str = "auto") -> FusedRanker:
    """All channels, fused in the named way."""
    if ranking not in RANKINGS:
        raise IndexingError(f"{ranking!r} is not a ranking; there are {', '.join(RANKINGS)}")
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
    """Changes whenever the view or the learned ranking changes."""
    files = (library / VIEW, ranking_path(library) / LEARNED)
    return " ".join(str(file.stat().st_mtime_ns) for file in files if file.exists())
