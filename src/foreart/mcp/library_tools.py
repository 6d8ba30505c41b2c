"""The tool `stats`: what the corpus has, what is built, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from foreart.corpus.statistics import statistics
from foreart.errors import IndexingError
from foreart.library import Library
from foreart.mcp.tool_context import ToolContext
from foreart.search.ranking import LEARNED, ranking_path

_SUBCLASSES = 30


@dataclass(frozen=True, slots=True)
class CountedClass:
    """A subclass of the CPC, or of the IPC where a document has no CPC class, and how many patents are in it."""

    symbol: str
    title: str
    patents: int


@dataclass(frozen=True)
class LibraryState:
    """What the library has. `missing` counts documents without a field, `next_steps` are commands for a person."""

    corpus: str
    documents: int
    years: dict[str, int]
    undated: int
    countries: dict[str, int]
    languages: dict[str, int]
    depth: dict[str, int]
    classes: list[CountedClass]
    citations: int
    citations_into_corpus: int
    families: int
    missing: dict[str, int]
    rejects: int
    indexes: list[str]
    indexes_are_current: bool
    learned: bool
    next_steps: list[str]


def stats(context: ToolContext) -> LibraryState:
    """Describe the corpus on this machine: documents, years, offices, classes, depth of text, indexes, what is missing.

    A search finds only what is here: say so when you report what was found, or that nothing was.
    """
    library = context.library
    record = statistics(library.corpus).to_dict()
    indexes = library.indexes
    current = bool(indexes) and _searched_corpus(library) == record["fingerprint"]
    learned = (ranking_path(library.folder) / LEARNED).exists()
    return LibraryState(
        corpus=record["fingerprint"],
        documents=record["documents"],
        years=record["years"],
        undated=record["undated"],
        countries=record["countries"],
        languages=record["languages"],
        depth=record["depth"]["all"],
        classes=[
            CountedClass(item["symbol"], item["title"], item["patents"])
            for item in record["subclasses"]["counts"][:_SUBCLASSES]
        ],
        citations=record["citations"]["total"],
        citations_into_corpus=record["citations"]["into_corpus"],
        families=record["families"]["families"],
        missing={field: item["patents"] for field, item in record["missing"].items()},
        rejects=record["rejects"],
        indexes=indexes,
        indexes_are_current=current,
        learned=learned,
        next_steps=_next_steps(indexes, current=current, learned=learned, rejects=record["rejects"]),
    )


def _searched_corpus(library: Library) -> str:
    """The fingerprint of the corpus that the indexes were built from; empty if they cannot be used."""
    try:
        return library.ranker().view.corpus
    except IndexingError:
        return ""


def _next_steps(indexes: list[str], *, current: bool, learned: bool, rejects: int) -> list[str]:
    if not indexes:
        return ["`foreart build` builds the indexes that searches need"]
    steps = [] if current else ["`foreart build` again: the indexes are incomplete, or older than the corpus"]
    steps += [] if learned else ["`foreart learn` learns the weights of the ranking from the citations of the corpus"]
    return [*steps, *(["`foreart rejects` lists the records that could not be read"] if rejects else [])]
