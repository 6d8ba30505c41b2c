"""The metrics by name, and the syntax of a request: `map`, `recall@100`, `ndcg@10`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from foreart.errors import ForeartError
from foreart.evaluation import formulas
from foreart.evaluation.formulas import JudgedRanking
from foreart.evaluation.pairs import pooled

Cut = Literal["never", "optional", "always"]
_REQUEST = re.compile(r"([a-z][a-z_-]*?)(?:@(\d+))?$")
_TREC = re.compile(r"(p|recall|ndcg_cut|map_cut|success)_(\d+)$")


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `ranked` metrics are means over queries; `pooled` ones compare scores across all queries at once.

    `cut` is whether it takes a rank cut-off (`recall@100`).
    """

    name: str
    title: str
    cut: Cut = "never"
    ranked: Callable[[JudgedRanking, int | None], float] | None = None
    pooled: Callable[[np.ndarray, np.ndarray], float] | None = None

    @property
    def form(self) -> str:
        """Its syntax."""
        return {"never": self.name, "optional": f"{self.name}[@K]", "always": f"{self.name}@K"}[self.cut]


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("map", "mean average precision", "optional", formulas.average_precision),
        Metric("mrr", "mean reciprocal rank of the first relevant document", "optional", formulas.reciprocal_rank),
        Metric("ndcg", "normalised discounted cumulative gain", "optional", formulas.ndcg),
        Metric("p", "precision among the first K", "always", formulas.precision),
        Metric("recall", "share of the relevant documents among the first K", "always", formulas.recall),
        Metric("rprec", "precision among the first R, where R are relevant", "never", formulas.r_precision),
        Metric("success", "share of queries with a relevant document among the first K", "always", formulas.success),
        Metric("pres", "patent retrieval evaluation score (Magdy & Jones 2010), Nmax = K", "always", formulas.pres),
        Metric("auc", "area under the ROC curve, relevant pairs against others, pooled", pooled=pooled.grouped_auc),
        Metric("ap", "average precision, relevant pairs against others, pooled", pooled=pooled.grouped_ap),
    )
}
# Names of trec_eval and ir_measures.
ALIASES: dict[str, str] = {
    "recip_rank": "mrr",
    "rr": "mrr",
    "precision": "p",
    "r": "recall",
    "r-precision": "rprec",
    "ndcg_cut": "ndcg",
    "map_cut": "map",
}
DEFAULT_METRICS = ("map", "mrr", "ndcg@10", "p@10", "recall@100", "pres@100", "auc", "ap")


@dataclass(frozen=True, slots=True)
class RequestedMetric:
    """A requested metric: `text` is the user's spelling, `k` its rank cut-off."""

    text: str
    metric: Metric
    k: int | None = None


def parse_metric(text: str) -> RequestedMetric:
    """Parses the name of a metric in any spelling.

    >>> parse_metric("Recall@100").metric.title, parse_metric("Recall@100").k
    ('share of the relevant documents among the first K', 100)
    """
    plain = _TREC.sub(r"\1@\2", text.strip().lower())
    match = _REQUEST.match(plain)
    name = ALIASES.get(match[1], match[1]) if match else ""
    if not match or name not in METRICS:
        raise ForeartError(f"there is no metric {text.strip()!r}; there are {_forms()}")
    metric, k = METRICS[name], int(match[2]) if match[2] else None
    if k == 0 or (metric.cut == "never" and k is not None) or (metric.cut == "always" and k is None):
        example = f", as in {metric.name}@100" if metric.cut != "never" else ""
        raise ForeartError(f"{text.strip()!r} is not a metric: write {metric.form}{example}")
    return RequestedMetric(text.strip(), metric, k)


def parse_metrics(texts: str | Iterable[str]) -> tuple[RequestedMetric, ...]:
    """The metrics of a list, or of one comma-separated string; each once."""
    parts = texts.split(",") if isinstance(texts, str) else list(texts)
    requested = {part.strip(): parse_metric(part) for part in parts if part.strip()}
    if not requested:
        raise ForeartError(f"no metric is named; there are {_forms()}")
    return tuple(requested.values())


def _forms() -> str:
    return ", ".join(metric.form for metric in METRICS.values())
