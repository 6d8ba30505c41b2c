"""The rankings of a library: what they stand on in its folder, and which of them a search takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from foreart import index
from foreart.corpus import Corpus
from foreart.errors import IndexingError
from foreart.rankings import RANKINGS
from foreart.search.ranking.bibliography import FILE as BIBLIOGRAPHY
from foreart.search.ranking.bibliography import load_bibliography, read_bibliography, write_bibliography
from foreart.search.ranking.brought import brought_along
from foreart.search.ranking.fused import FusedRanker
from foreart.search.ranking.ground import Ground, ground_of
from foreart.search.ranking.learned import FILE as LEARNED
from foreart.search.ranking.learned import load_learned
from foreart.search.ranking.texts import TEXT_CHANNELS


def ranking_path(library: Path) -> Path:
    """Where the bibliography and what was learned are or will be."""
    return library / "ranking"


def open_ground(library: Path) -> Ground:
    """The bibliography and the indexes of all channels that were built."""
    names = dict.fromkeys(channel.index for channel in TEXT_CHANNELS)
    places = {name: library / "indexes" / name for name in names}
    there = {
        name: place
        for name, place in places.items()
        if any((place / name).exists() for name in ("current", "words.json"))
    }
    return ground_of(load_bibliography(ranking_path(library)), {name: index.load(there[name]) for name in there})


def open_ranker(library: Path, ranking: str = "auto") -> FusedRanker:
    """All channels, fused as is asked for."""
    if ranking not in RANKINGS:
        raise IndexingError(f"{ranking!r} is no ranking; there are {', '.join(RANKINGS)}")
    path = ranking_path(library) / LEARNED
    if ranking == "learned" and not path.exists():
        raise IndexingError(f"nothing was learned in {library}: `foreart learn` does it")
    ground = open_ground(library)
    if ranking == "rrf":
        return FusedRanker(ground, None, name="rrf")
    if ranking == "learned" or (ranking == "auto" and path.exists()):
        return FusedRanker(ground, load_learned(path), name="learned")
    return FusedRanker(ground, brought_along(ground.bibliography), name="brought")


def ranking_state(library: Path) -> str:
    """Another one whenever something was learned or read anew."""
    files = (ranking_path(library) / name for name in (BIBLIOGRAPHY, LEARNED))
    return " ".join(str(file.stat().st_mtime_ns) for file in files if file.exists())


def renew_bibliography(
    corpus: Corpus, library: Path, *, workers: int = 1, progress: Callable[[int, int], None] | None = None
) -> None:
    """Reads who cites and who names whom; of texts only those that are new."""
    place = ranking_path(library)
    try:
        before = load_bibliography(place)
    except IndexingError:  # there is none, or it cannot be used
        before = None
    write_bibliography(read_bibliography(corpus, before, workers=workers, progress=progress), place)
