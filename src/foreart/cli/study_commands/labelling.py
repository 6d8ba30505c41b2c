"""`foreart sample` and `foreart label`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from foreart.cli.options import command, json_option, library_option
from foreart.cli.outputs import OutputFile, write_output
from foreart.cli.printing import messages, output, print_json, working, write_bytes
from foreart.cli.search_commands.searching import existing
from foreart.errors import ForeartError, NotInCorpus, StaleIndex

if TYPE_CHECKING:
    from foreart.corpus import Corpus
    from foreart.evaluation.pairs.pairs import Pairs
    from foreart.review import Item
    from foreart.review.labels import Label, Pair

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("sample", example="foreart sample --pairs pairs.tsv --out expert-set")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="A new folder for the set."
)
@click.option("--pairs", "pairs_file", type=_FILE, help="Pairs of `foreart pairs`.  [default: made as it does]")
@click.option("-n", "--number", type=click.IntRange(1), default=10, show_default=True, help="How many targets.")
@click.option("--target", "named", multiple=True, metavar="ID", help="Take this target, instead of drawing.")
@click.option(
    "--each",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many random documents of high, of middle and of low score.",
)
@click.option(
    "--min-cited", type=click.IntRange(0), default=5, show_default=True, help="Draw targets that cite so many."
)
@click.option("--max-cited", type=click.IntRange(1), default=50, show_default=True, help="And not more than so many.")
@click.option("--index", default="tfidf", show_default=True, help="The index whose cosine ranks random documents.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed draws and shuffles otherwise.")
@library_option
@json_option
def sample_command(
    out: Path,
    pairs_file: Path | None,
    number: int,
    named: tuple[str, ...],
    each: int,
    min_cited: int,
    max_cited: int,
    index: str,
    seed: int,
    folder: Path,
    as_json: bool,
) -> None:
    """Make a set of pairs for experts to judge, blind.

    For each target: all documents it cites, and random ones of high, middle and low score, shuffled. The folder gets a
    sheet to fill in (CSV, and Excel with the extra `sheets`) and key.json, which tells what each document is: keep it
    from the raters. `foreart label` asks the same pairs in the terminal.
    """
    from foreart.evaluation.pairs.pairs_file import read_pairs
    from foreart.evaluation.pairs.pairs_making import make_pairs
    from foreart.review import choose_targets, expert_set
    from foreart.review.expert_folder import write_set
    from foreart.review.likeness import likeness
    from foreart.review.sheet import sheet_rows

    with existing(folder) as library, working("drawing"):
        rows_of = library.index(index)
        if rows_of.description.corpus != library.corpus.fingerprint:
            raise StaleIndex(f"the corpus has changed since {index} was built: run `foreart build {index}` again")
        pairs = read_pairs(pairs_file) if pairs_file else make_pairs(library.corpus)
        targets = _named(named, pairs, library.corpus) or choose_targets(
            pairs.cited, number=number, min_cited=min_cited, max_cited=max_cited, seed=seed
        )
        items = expert_set(
            targets, cited=pairs.cited, others=pairs.random, likeness=partial(likeness, rows_of), each=each, seed=seed
        )
        rows = sheet_rows(((item.target, item.document) for item in items), library.corpus.__getitem__)
        about = {"seed": seed, "each": each, "index": rows_of.description.to_record(), "pairs": pairs.fingerprint}
        files = write_set(out, items, rows, map(library.corpus.__getitem__, targets), about=about)
    _tell_sample(items, files, as_json)


def _named(numbers: Iterable[str], pairs: Pairs, corpus: Corpus) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for number in numbers:
        matches = [match for match in corpus.find(number) if match in pairs.targets]
        if not matches:
            raise NotInCorpus(f"{number} is no target of these pairs: name it when you make them (--targets)")
        found[matches[-1]] = None
    return tuple(found)


def _tell_sample(items: Iterable[Item], files: list[Path], as_json: bool) -> None:
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
    console.print(f"to keep back: {files[-1]} tells which documents are cited, and the scores", soft_wrap=True)
    if len(files) == 2:
        console.print("for an Excel sheet as well: pip install 'foreart[sheets]'", soft_wrap=True)


@command("label", example="foreart label expert-set --rater ann")
@click.argument("place", metavar="SHEET_OR_FOLDER", type=click.Path(exists=True, path_type=Path))
@click.option("--rater", default="", metavar="NAME", help="Who judges; each rater has labels of their own.")
@click.option("--import", "filled", type=_FILE, help="Take the scores of this sheet, CSV or Excel, as the rater's.")
@click.option("--export", type=OutputFile(allow_dash=True), help="Write all labels as CSV; - prints it.")
@click.option("--agreement", is_flag=True, help="Tell how far raters agree.")
@library_option
@json_option
def label_command(
    place: Path, rater: str, filled: Path | None, export: Path | None, agreement: bool, folder: Path, as_json: bool
) -> None:
    """Judge the pairs of an expert set: how relevant is each document to its target, from 0 to 5?

    Neither scores nor citations are shown. Each judgement is kept at once; stopped at any moment, the same command
    goes on where it was. Raters meet the pairs in an order of their own.
    """
    if agreement:
        _agreement(place, as_json)
    elif export is not None:
        _export(place, export, as_json)
    elif not rater:
        raise click.UsageError("who judges? give --rater NAME")
    elif filled is not None:
        _import(place, filled, rater, as_json)
    else:
        from foreart.cli.study_commands.dialogue import label

        label(place, rater, folder, as_json)


def _raters(place: Path) -> dict[str, dict[Pair, Label]]:
    from foreart.review.expert_folder import labels_folder
    from foreart.review.labels import read_raters

    found = read_raters(labels_folder(place))
    if not found:
        raise ForeartError(f"nobody has judged anything of {place} yet: `foreart label {place} --rater NAME` asks")
    return found


def _agreement(place: Path, as_json: bool) -> None:
    from foreart.review import agreements, mean_agreement
    from foreart.review.labels import scores

    raters = {name: scores(labels) for name, labels in _raters(place).items()}
    if len(raters) < 2:
        raise ForeartError(f"only {next(iter(raters))} has judged pairs of {place}: agreement needs two raters")
    found = agreements(raters)
    mean = mean_agreement(found)
    if as_json:
        judged = {name: len(given) for name, given in raters.items()}
        print_json({"judged": judged, "pairs": [asdict(item) for item in found], "mean": asdict(mean)})
        return
    table = Table("raters", "common", "equal", "linear kappa", "quadratic kappa", box=None)
    for item in found:
        table.add_row(
            " – ".join(item.raters), str(item.common), *map(_figure, (item.equal, item.linear, item.quadratic))
        )
    if len(found) > 1:
        table.add_row("mean", "", *map(_figure, (mean.equal, mean.linear, mean.quadratic)))
    output().print(table)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _export(place: Path, export: Path, as_json: bool) -> None:
    from foreart.review.sheet import plain

    names = ("rater", "target", "document", "score", "comment", "time")
    labels = [label for given in _raters(place).values() for _, label in sorted(given.items())]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    for label in labels:
        record = asdict(label) | {"comment": plain(label.comment)}
        writer.writerow(["" if record[name] is None else record[name] for name in names])
    if str(export) == "-":
        write_bytes(text.getvalue().encode())
        return
    write_output(export, text.getvalue().encode("utf-8-sig"))
    if as_json:
        print_json({"labels": len(labels), "file": str(export)})
    else:
        output().print(f"{len(labels):,} labels written to {export}", soft_wrap=True)


def _import(place: Path, filled: Path, rater: str, as_json: bool) -> None:
    from foreart.review.expert_folder import labels_folder, read_sheet
    from foreart.review.importing import labels_of
    from foreart.review.labels import append_label, label_file, latest, rater_name, read_labels
    from foreart.review.session import now

    name = rater_name(rater)
    file = label_file(labels_folder(place), name)
    pairs = {(row.target, row.document) for row in read_sheet(place)}
    known = latest(read_labels(file))
    found = labels_of(read_sheet(filled), rater=name, time=now(), pairs=pairs, known=known)
    for label in found.labels:
        append_label(file, label)
    for problem in found.problems:
        messages().print(f"{filled}: {problem}", soft_wrap=True)
    told = {"rater": name, "new": len(found.labels), "unchanged": found.unchanged, "empty": found.empty}
    if as_json:
        print_json({**told, "problems": found.problems, "file": str(file)})
    else:
        counts = ", ".join(f"{told[key]} {key}" for key in ("new", "unchanged", "empty"))
        output().print(f"labels of {name}: {counts}, {len(found.problems)} not taken", soft_wrap=True)
    if found.problems and not found.labels and not found.unchanged:
        raise SystemExit(1)
