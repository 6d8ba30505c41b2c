"""`foreart evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foreart.cli.options import COUNT, FILES, SEED, Finite, command, json_option, library_option, on_option
from foreart.cli.outputs import OutputFile
from foreart.cli.printing import print_json, progress
from foreart.cli.study_commands.evaluation_tables import show_report
from foreart.evaluation import DEFAULT_METRICS, GROUPINGS, METRICS, EvaluationOptions, evaluate, write_run
from foreart.evaluation.evaluation_json import write_per_query
from foreart.evaluation.significance import SAMPLES
from foreart.library import Library
from foreart.rankings import RANKINGS

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command(
    "evaluate", example="foreart evaluate --qrels targets.qrels --index tfidf --metrics map,recall@100,pres@100,auc,ap"
)
@click.option("--qrels", "qrels_file", type=_FILE, help="Relevance judgements in TREC format.")
@click.option("--queries", "queries_file", type=FILES, help="The queries, in any format.  [default: from the corpus]")
@click.option(
    "--topics",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of topics with human judgements, instead of --qrels: q1.xml, q1-qrels+ve.txt, q1-qrels-ve.txt.",
)
@click.option("--index", metavar="NAME", help="Rank by this index alone.  [default: all channels, as `search` does]")
@click.option(
    "--ranking",
    type=click.Choice(RANKINGS),
    help="How channels are fused.  [default: learned, if `foreart learn` was run, else default-weights]",
)
@click.option("--exact", is_flag=True, help="Compare every document in full, without choosing candidates.")
@click.option("--run", "run_file", type=_FILE, help="A TREC run, instead of an index.")
@click.option("--against", multiple=True, metavar="NAME|FILE", help="Compare with another index or run; repeatable.")
@click.option(
    "--metrics",
    metavar="LIST",
    help=f"Separated by commas: {', '.join(metric.form for metric in METRICS.values())}.  "
    f"[default: {', '.join(DEFAULT_METRICS)}]",
)
@click.option("--random", type=COUNT, default=1000, show_default=True, help="Number of random documents in the pairs.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="For random documents, intervals and tests.")
@click.option("--depth", type=COUNT, help="Documents ranked per query.  [default: all]")
@click.option(
    "--families/--no-families",
    default=True,
    show_default="excluded",
    help="Exclude a query's own family from its ranking, or rank it too.",
)
@click.option("--judged", is_flag=True, help="Rank judged documents only; auc and ap compare them, not random ones.")
@click.option("--tie-tolerance", type=Finite(0), default=0.0, help="Scores this close are ties in auc and ap.")
@click.option(
    "--samples",
    type=click.IntRange(0, 100_000),
    default=SAMPLES,
    show_default=True,
    help="Bootstrap samples for the intervals; 0 for no intervals.",
)
@click.option(
    "--by", "grouping", type=click.Choice(list(GROUPINGS)), help="Report also by year, class or length of queries."
)
@click.option("--per-query", is_flag=True, help="Report also the values of each query.")
@click.option("--csv", "csv_file", type=OutputFile(), help="Write the values of each query as CSV.")
@click.option(
    "--save-run", "new_run", type=OutputFile(), help="Write the ranking as a TREC run; gzipped if it ends in .gz."
)
@on_option
@library_option
@json_option
def evaluate_command(
    qrels_file: Path | None,
    queries_file: str | None,
    topics: Path | None,
    index: str | None,
    ranking: str | None,
    exact: bool,
    run_file: Path | None,
    against: tuple[str, ...],
    metrics: str | None,
    samples: int,
    grouping: str | None,
    per_query: bool,
    csv_file: Path | None,
    new_run: Path | None,
    folder: Path,
    on: str,
    as_json: bool,
    **conditions: Any,  # noqa: ANN401 those of EvaluationOptions
) -> None:
    """Measure the retrieval quality of searches, of one index, or of a run of any system.

    Each query ranks the documents whose date is before its own, except itself and its family (the same number, claimed
    parents, near-identical text), and as in a search those that are no candidates count as not found; its citations are
    hidden from the ranking; a training query of the learned ranking is evaluated with weights learned without it. auc
    and ap compare, over all queries at once, the scores of relevant documents with those of random documents that are
    relevant to no query. Publication numbers match without kind code. Queries that are not found are listed and do not
    count; queries missing from a run count 0.
    """
    _check_usage(qrels_file, queries_file, topics, index, run_file)
    if ranking is not None and (index is not None or run_file is not None):
        raise click.UsageError("--ranking applies to all channels fused: leave out --index and --run.")
    names = [str(run_file) if run_file else index or ranking or RANKINGS[0], *against]
    if len(set(names)) < len(names):
        raise click.UsageError("--against names the same index or run twice.")
    with Library(folder, on=on) as library, progress("reading") as show:
        report = evaluate(
            library,
            qrels_file or topics or "",
            metrics,
            index=index or "",
            ranking=ranking or RANKINGS[0],
            run=run_file,
            against=against,
            queries=queries_file,
            exact=exact,
            conditions=EvaluationOptions(**conditions),
            by=grouping or "",
            samples=samples,
            progress=lambda name, done, total: show(f"ranking by {name}", done, total),
        )
    if new_run is not None:
        write_run(report.run, new_run)
    if csv_file is not None:
        write_per_query(report.evaluation, csv_file)
    if as_json:
        print_json(report.to_record(per_query=per_query))
    else:
        show_report(report, per_query=per_query)


def _check_usage(
    qrels_file: Path | None, queries_file: str | None, topics: Path | None, index: str | None, run_file: Path | None
) -> None:
    if (qrels_file is None) == (topics is None):
        raise click.UsageError("Give either --qrels FILE or --topics FOLDER: the relevance judgements.")
    if topics is not None and queries_file is not None:
        raise click.UsageError("--topics has its own queries: leave out --queries.")
    if index is not None and run_file is not None:
        raise click.UsageError("Give either --index or --run; --against compares the two.")
