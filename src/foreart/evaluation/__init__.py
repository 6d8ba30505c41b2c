"""Evaluation of rankings: IR metrics, the paper's pooled metrics, confidence intervals and significance tests."""

from foreart.evaluation.assessment import Assessment, EvaluationOptions, assess_run, assess_scorer
from foreart.evaluation.breakdown import GROUPINGS, Grouping, QueryGroup, by_group
from foreart.evaluation.evaluation import Evaluation, evaluate_run
from foreart.evaluation.evaluation_report import EvaluationReport, System
from foreart.evaluation.metrics import DEFAULT_METRICS, METRICS, Metric, RequestedMetric, parse_metric, parse_metrics
from foreart.evaluation.pairs.labelled import Labelled, judged_pairs, labelled_pairs, run_pairs
from foreart.evaluation.pairs.pooled import (
    Confusion,
    Curve,
    Histogram,
    auc,
    average_precision,
    confusion,
    histogram,
    roc,
    spearman,
)
from foreart.evaluation.protocol import (
    AllScores,
    Collection,
    Outcome,
    Scorer,
    collection_of,
    random_rows,
    ranker_scorer,
    run_protocol,
)
from foreart.evaluation.significance import Contrast, Interval, compare, intervals, randomisation
from foreart.evaluation.systems import evaluate
from foreart.evaluation.trec.qrels import Qrels, qrels_of, read_qrels, write_qrels
from foreart.evaluation.trec.queries import Found, QueryDocument, corpus_queries, file_queries, patent_queries
from foreart.evaluation.trec.run import RankedList, Run, condensed, ranking, read_run, run_of, write_run
from foreart.evaluation.trec.topics import Topics, read_topics

__all__ = [
    "DEFAULT_METRICS",
    "GROUPINGS",
    "METRICS",
    "AllScores",
    "Assessment",
    "Collection",
    "Confusion",
    "Contrast",
    "Curve",
    "Evaluation",
    "EvaluationOptions",
    "EvaluationReport",
    "Found",
    "Grouping",
    "Histogram",
    "Interval",
    "Labelled",
    "Metric",
    "Outcome",
    "Qrels",
    "QueryDocument",
    "QueryGroup",
    "RankedList",
    "RequestedMetric",
    "Run",
    "Scorer",
    "System",
    "Topics",
    "assess_run",
    "assess_scorer",
    "auc",
    "average_precision",
    "by_group",
    "collection_of",
    "compare",
    "condensed",
    "confusion",
    "corpus_queries",
    "evaluate",
    "evaluate_run",
    "file_queries",
    "histogram",
    "intervals",
    "judged_pairs",
    "labelled_pairs",
    "parse_metric",
    "parse_metrics",
    "patent_queries",
    "qrels_of",
    "random_rows",
    "randomisation",
    "ranker_scorer",
    "ranking",
    "read_qrels",
    "read_run",
    "read_topics",
    "roc",
    "run_of",
    "run_pairs",
    "run_protocol",
    "spearman",
    "write_qrels",
    "write_run",
]
