"""One representation of one section: fitted without the targets, then every pair compared by cosine."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from foreart.durable import new_folder
from foreart.errors import IndexingError
from foreart.evaluation.pairs.pooled import auc, average_precision, histogram, roc
from foreart.features import FEATURES, CountedFeatures, Features, RowArray, SequenceFeatures, load, make
from foreart.features.vectors.model_folder import fingerprint, read_model_folder
from foreart.paper.experiments.comparing import Comparisons, scores
from foreart.paper.experiments.representations import REPRESENTATIONS, Representation
from foreart.paper.experiments.study import Study
from foreart.paper.experiments.work import Done
from foreart.text import section_text

BINS = 50
_POINTS = 400  # of a ROC curve in a figure


def parameters(name: str, study: Study) -> dict[str, Any]:
    """The parameters of a representation's features."""
    kind, settings = REPRESENTATIONS[name], study.settings
    values = dict(kind.parameters)
    if kind.dimensions:
        values[kind.dimensions] = max(dimensions(study))
    if name == "embedding":
        values["model"] = settings.model
    known = _defaults(kind)
    values |= {each: getattr(settings, each) for each in ("seed", "workers") if each in known}
    return {**values, **settings.parameters.get(name, {})}


def _defaults(kind: Representation) -> dict[str, Any]:
    known = inspect.signature(FEATURES[kind.kind]).parameters if kind.kind in FEATURES else {}
    return {name: each.default for name, each in known.items() if each.default is not each.empty}


def dimensions(study: Study) -> list[int]:
    """The numbers of dimensions to try, limited by the number of training documents."""
    limit = max(1, len(study.learned) - 1)
    return sorted({min(wanted, limit) for wanted in study.settings.dimensions})


def score(name: str, section: str, study: Study) -> Done:
    """Scores of all pairs, one row per number of dimensions, and their metrics: AUC, AP, ROC, histogram."""
    kind = REPRESENTATIONS[name]
    features = make(kind.kind, parameters(name, study))
    queries, documents = _rows(features, kind, section, study)
    widths = dimensions(study) if kind.dimensions else [queries.shape[1]]
    all_scores = np.stack(
        [
            scores(_cut(queries, width), _cut(documents, width), study.compared, measure=features.measure)
            for width in widths
        ]
    )
    metrics = [metrics_of(line, study.compared) for line in all_scores]
    used = [min(width, queries.shape[1]) for width in widths]
    return Done({"dimensions": used, "metrics": metrics}, {"scores": all_scores})


def metrics_of(scores: np.ndarray, compared: Comparisons) -> dict[str, Any]:
    """AUC, AP, ROC curve and histogram of the scores of all pairs."""
    chosen = compared.cited_or_random
    values, labels = scores[chosen], compared.labels[chosen]
    curve = roc(values, labels)
    false, true = curve.false_positive_rate, curve.true_positive_rate
    # Sampled evenly along the length of the curve, to keep its bend.
    along = np.cumsum(np.abs(np.diff(false, prepend=0.0)) + np.abs(np.diff(true, prepend=0.0)))
    kept = np.unique(np.searchsorted(along, np.linspace(0.0, along[-1], _POINTS)).clip(max=len(along) - 1))
    groups = {label: scores[compared.of(label)] for label in ("random", "cited", "duplicate")}
    clipped = {label: np.clip(group, 0.0, 1.0) for label, group in groups.items()}
    counted = histogram(clipped, bins=BINS, low=0.0, high=1.0)
    return {
        "auc": auc(values, labels),
        "ap": average_precision(values, labels),
        "roc": {"false": np.round(false[kept], 6).tolist(), "true": np.round(true[kept], 6).tolist()},
        "histogram": {label: counts.tolist() for label, counts in counted.counts.items()},
        "median": {label: float(np.median(group)) if len(group) else None for label, group in groups.items()},
    }


def _cut(rows: RowArray, width: int) -> RowArray:
    """The first dimensions of dense rows; sparse word rows unchanged."""
    return rows[:, :width] if isinstance(rows, np.ndarray) and width < rows.shape[1] else rows


def _rows(features: Features, kind: Representation, section: str, study: Study) -> tuple[RowArray, RowArray]:
    """The rows of the targets and of the documents they are compared with."""
    targets, documents = study.compared.targets, study.compared.documents
    if isinstance(features, SequenceFeatures):
        fitted = _fitted(features, kind, section, study)
        queries, others = (study.texts.stream(section, rows) for rows in (targets, documents))
        return fitted.encode_stream(queries), fitted.encode_stream(others)
    if isinstance(features, CountedFeatures):
        counts = study.texts.counts(section)
        features.fit_counts(counts if kind.whole else counts.take(study.learned))
        return features.encode_query_counts(counts.take(targets)), features.encode_counts(counts.take(documents))
    features.fit(())
    return features.encode_queries(_texts(section, targets, study)), features.encode(_texts(section, documents, study))


def _fitted(features: SequenceFeatures, kind: Representation, section: str, study: Study) -> SequenceFeatures:
    """The features fitted without the targets; those that learn from one section for all are kept for the others."""
    if not kind.learns:
        return features.fit_stream(study.texts.stream(section, study.learned))
    kept = study.work.folder_of(f"{kind.name}:learned", settings(kind.name, study))
    with suppress(IndexingError):  # absent or damaged
        found = load(kept / "features")
        assert isinstance(found, SequenceFeatures)
        return found
    features.fit_stream(study.texts.stream(kind.learns, study.learned))
    with new_folder(kept) as new:
        features.save(new / "features")
        shutil.rmtree(kept, ignore_errors=True)  # one that could not be loaded
    return features


def _texts(section: str, rows: np.ndarray, study: Study) -> Iterator[str]:
    return (section_text(study.corpus[study.ids[row]], section) for row in rows.tolist())


def settings(name: str, study: Study) -> Mapping[str, Any]:
    """What the result of `score` depends on besides the section, the corpus and the pairs.

    Defaults are included: another version may have others.
    """
    kind = REPRESENTATIONS[name]
    widths = dimensions(study) if kind.dimensions else []
    key = {
        "parameters": {**_defaults(kind), **parameters(name, study)},
        "learns": kind.learns,
        "dimensions": widths,
        "as_published": study.settings.as_published,
    }
    if name == "embedding":
        key["files"] = fingerprint(read_model_folder(Path(study.settings.model)))
    return key
