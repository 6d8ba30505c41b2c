"""The statistics of a corpus as data, and their JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from foreart.corpus.selection import Selection

SECTIONS = ("abstract", "claims", "description")
Counts = Mapping[str, int]
Histogram = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SubclassCount:
    """The number of patents in a subclass: by a CPC symbol, or by an IPC symbol if the patent has no CPC."""

    symbol: str
    title: str
    cpc: int
    ipc: int

    @property
    def patents(self) -> int:
        """The total of both schemes."""
        return self.cpc + self.ipc


@dataclass(frozen=True, slots=True)
class Subclasses:
    """Subclasses, the largest first; a patent counts once in each of its subclasses."""

    counts: tuple[SubclassCount, ...]
    cpc: int  # patents with a CPC symbol
    ipc: int  # patents with an IPC symbol only


@dataclass(frozen=True, slots=True)
class Citations:
    """Citations of patents, without literature; a patent that is listed twice is counted twice."""

    total: int
    categories: Counts
    into_corpus: int  # citations of stored patents, matched without kind code
    made: Histogram  # (citations, patents that make this many), from 0 on, without empty bins
    received: Histogram  # (citations by patents of the corpus, patents that receive this many)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words of one section over the patents that have it; all 0 if none has.

    Bins of the histogram are (first number of words, that of the next bin, patents), a tenth of a decade wide.
    """

    count: int
    mean: float
    median: float
    low: float  # 5 % are shorter
    high: float  # 5 % are longer
    max: int
    histogram: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Families:
    """Families of more than one stored publication, and the reasons that joined their members."""

    families: int
    patents: int
    reasons: Counts  # patents by their reason


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The statistics of a corpus, or of a selection.

    `stored`, `fingerprint`, `size` and `rejects` are of the whole corpus, whatever is selected.
    """

    documents: int
    stored: int
    fingerprint: str
    size: int  # bytes on disk
    selection: Selection
    years: Mapping[int, int]  # every year from the first to the last
    undated: int
    subclasses: Subclasses
    citations: Citations
    depth: Counts
    depth_by_country: Mapping[str, Counts]
    lengths: Mapping[str, Lengths]
    languages: Counts
    countries: Counts
    kinds: Counts
    document_types: Counts
    collections: Counts
    missing: Counts
    families: Families
    rejects: int

    def share(self, number: int) -> float:
        """A number of patents as a fraction of all; 0 for an empty corpus."""
        return number / self.documents if self.documents else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The statistics for `json.dumps`; the keys are stable between versions."""
        made: dict[str, Any] = {
            "documents": self.documents,
            "stored": self.stored,
            "fingerprint": self.fingerprint,
            "size": self.size,
            "selection": {key: value for key, value in asdict(self.selection).items() if value},
            "years": {str(year): count for year, count in self.years.items()},
            "undated": self.undated,
            "subclasses": {
                "cpc": self.subclasses.cpc,
                "ipc_only": self.subclasses.ipc,
                "counts": [
                    {"symbol": row.symbol, "title": row.title, "patents": row.patents, "cpc": row.cpc, "ipc": row.ipc}
                    for row in self.subclasses.counts
                ],
            },
            "citations": {
                "total": self.citations.total,
                "categories": dict(self.citations.categories),
                "into_corpus": self.citations.into_corpus,
                "made": _steps(self.citations.made, "citations"),
                "received": _steps(self.citations.received, "citations"),
            },
            "depth": {
                "all": dict(self.depth),
                "countries": {key: dict(of) for key, of in self.depth_by_country.items()},
            },
            "lengths": {section: _length_record(self.lengths[section]) for section in SECTIONS},
        }
        for name in ("languages", "countries", "kinds", "document_types", "collections"):
            made[name] = dict(getattr(self, name))
        made["missing"] = {
            field: {"patents": count, "share": self.share(count)} for field, count in self.missing.items()
        }
        made["families"] = asdict(self.families)
        made["rejects"] = self.rejects
        return made


def _steps(histogram: Iterable[tuple[int, int]], unit: str) -> list[dict[str, int]]:
    return [{unit: value, "patents": patents} for value, patents in histogram]


def _length_record(of: Lengths) -> dict[str, Any]:
    return {
        "patents": of.count,
        "mean": of.mean,
        "median": of.median,
        "p5": of.low,
        "p95": of.high,
        "max": of.max,
        "histogram": [{"from": start, "before": end, "patents": count} for start, end, count in of.histogram],
    }
