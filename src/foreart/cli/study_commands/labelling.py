"""`foreart sample` and `foreart label`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from foreart.cli.options import COUNT, COUNT_OR_NONE, SEED, command, json_option, library_option
from foreart.cli.outputs import OutputFile, write_output
from foreart.cli.printing import messages, output, print_json, working, write_bytes
from foreart.cli.search_commands.searching import existing

if TYPE_CHECKING:
    from foreart.review import Item

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("sample", example="foreart sample --pairs pairs.tsv --out expert-set")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="New folder for the set.")
@click.option(
    "--pairs", "pairs_file", type=_FILE, help="Pairs written by `foreart pairs`.  [default: made with its defaults]"
)
@click.option("-n", "--number", type=COUNT, default=10, show_default=True, help="How many targets.")
@click.option("--target", "named", multiple=True, metavar="ID", help="Use this target instead of drawing one.")
@click.option(
    "--each",
    type=COUNT,
    default=10,
    show_default=True,
    help="How many random documents each of high, middle and low score.",
)
@click.option(
    "--min-cited", type=COUNT_OR_NONE, default=5, show_default=True, help="Minimum citations of a drawn target."
)
@click.option("--max-cited", type=COUNT, default=50, show_default=True, help="Maximum citations of a drawn target.")
@click.option("--index", default="tfidf", show_default=True, help="The index whose cosine ranks random documents.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed for drawing and shuffling.")
@library_option
@json_option
def sample_command(
    out: Path,
    pairs_file: Path | None,
    index: str,
    folder: Path,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 those of `sample_expert_set`
) -> None:
    """Sample pairs for experts to judge blind.

    For each target: all documents it cites, and random ones of high, middle and low score, shuffled. The folder gets a
    sheet to fill in (CSV, and Excel with the extra `sheets`) and key.json, which says which documents are cited: do not
    show it to raters. `foreart label` asks about the same pairs in the terminal.
    """
    from foreart.evaluation.pairs.pairs_file import read_pairs
    from foreart.evaluation.pairs.pairs_making import make_pairs
    from foreart.review.expert_sampling import sample_expert_set

    with existing(folder) as library, working("drawing"):
        pairs = read_pairs(pairs_file) if pairs_file else make_pairs(library.corpus)
        items, files = sample_expert_set(out, library.corpus, library.index(index), pairs, **asked)
    _print_sample(items, files, as_json)


def _print_sample(items: Iterable[Item], files: list[Path], as_json: bool) -> None:
    pairs = list(items)
    cited = sum(item.cited for item in pairs)
    targets = len({item.target for item in pairs})
    if as_json:
        print_json(
            {
                "targets": targets,
                "pairs": len(pairs),
                "cited": cited,
                "random": len(pairs) - cited,
                "files": [str(file) for file in files],
            }
        )
        return
    console = output()
    console.print(f"{len(pairs):,} pairs of {targets} targets: {cited} cited, {len(pairs) - cited} random")
    for file in files[:-1]:
        console.print(f"to fill in:  {file}", soft_wrap=True)
    console.print(f"not for raters: {files[-1]} says which documents are cited, and the scores", soft_wrap=True)
    if len(files) == 2:
        console.print("for an Excel sheet too: pip install 'foreart[sheets]'", soft_wrap=True)


@command("label", example="foreart label expert-set --rater ann")
@click.argument("path", metavar="SHEET_OR_FOLDER", type=click.Path(exists=True, path_type=Path))
@click.option("--rater", default="", metavar="NAME", help="Who judges; labels are kept per rater.")
@click.option("--import", "filled", type=_FILE, help="Import the rater's scores from this sheet, CSV or Excel.")
@click.option("--export", type=OutputFile(allow_dash=True), help="Write all labels as CSV; - prints it.")
@click.option("--agreement", is_flag=True, help="Report agreement between raters.")
@library_option
@json_option
def label_command(
    path: Path, rater: str, filled: Path | None, export: Path | None, agreement: bool, folder: Path, as_json: bool
) -> None:
    """Judge the pairs of an expert set: how relevant is each document to its target, from 0 to 5?

    Neither scores nor citations are shown. Each judgement is saved immediately; after an interruption at any moment the
    same command resumes where it stopped. The order of the pairs differs between raters.
    """
    if agreement:
        _agreement(path, as_json)
    elif export is not None:
        _export(path, export, as_json)
    elif not rater:
        raise click.UsageError("give the name of the rater with --rater NAME")
    elif filled is not None:
        _import(path, filled, rater, as_json)
    else:
        from foreart.cli.study_commands.dialogue import label

        label(path, rater, folder, as_json)


def _agreement(path: Path, as_json: bool) -> None:
    from foreart.review.agreement import agreement_record
    from foreart.review.expert_folder import raters_of
    from foreart.review.labels import scores

    agreement = agreement_record({name: scores(labels) for name, labels in raters_of(path).items()})
    if as_json:
        print_json(agreement)
        return
    figures = ("equal", "linear", "quadratic")
    table = Table("raters", "common", "equal", "linear kappa", "quadratic kappa", box=None)
    for item in agreement["pairs"]:
        table.add_row(" – ".join(item["raters"]), str(item["common"]), *(_figure(item[name]) for name in figures))
    if len(agreement["pairs"]) > 1:
        table.add_row("mean", "", *(_figure(agreement["mean"][name]) for name in figures))
    output().print(table)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _export(path: Path, export: Path, as_json: bool) -> None:
    from foreart.review.expert_folder import labels_csv, raters_of

    raters = raters_of(path)
    if str(export) == "-":
        write_bytes(labels_csv(raters).encode())
        return
    write_output(export, labels_csv(raters).encode("utf-8-sig"))
    count = sum(map(len, raters.values()))
    if as_json:
        print_json({"labels": count, "file": str(export)})
    else:
        output().print(f"{count:,} labels written to {export}", soft_wrap=True)


def _import(path: Path, filled: Path, rater: str, as_json: bool) -> None:
    from foreart.review.importing import import_sheet
    from foreart.review.labels import rater_name

    imported, file = import_sheet(path, filled, rater)
    for problem in imported.problems:
        messages().print(f"{filled}: {problem}", soft_wrap=True)
    summary = {
        "rater": rater_name(rater),
        "new": len(imported.labels),
        "unchanged": imported.unchanged,
        "empty": imported.empty,
    }
    if as_json:
        print_json({**summary, "problems": imported.problems, "file": str(file)})
    else:
        counts = ", ".join(f"{summary[key]} {key}" for key in ("new", "unchanged", "empty"))
        output().print(f"labels of {summary['rater']}: {counts}, {len(imported.problems)} rejected", soft_wrap=True)
    if imported.problems and not imported.labels and not imported.unchanged:
        raise SystemExit(1)
