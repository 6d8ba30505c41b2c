"""`foreart pairs`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from foreart.cli.options import (
    COUNT,
    COUNT_OR_NONE,
    SEED,
    command,
    json_option,
    library_option,
    open_corpus,
    selection,
    selection_options,
)
from foreart.cli.outputs import OutputFile
from foreart.cli.printing import output, print_json, working
from foreart.document.patent import CATEGORIES, Category
from foreart.evaluation.pairs.pairs import LABELS, RULES, Pairs, PairSettings, Rule

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("pairs", example="foreart pairs --year 2015 --class A61 --out pairs.tsv")
@click.option("--year", type=click.IntRange(1700, 2200), help="Targets are the patents published in this year.")
@selection_options
@click.option("--targets", "targets_file", type=_FILE, help="Targets are the ids in this file, one per line.")
@click.option(
    "--qrels", "qrels_file", type=_FILE, help="Targets and the documents they cite, from this TREC qrels file."
)
@click.option("--random", "number", type=COUNT, default=1000, show_default=True, help="How many random documents.")
@click.option(
    "--random-rule",
    "rule",
    type=click.Choice(list(RULES)),
    help="Which documents may be random.  [default: earlier; unrelated with --targets or --qrels]",
)
@click.option(
    "--category", "categories", multiple=True, type=click.Choice(CATEGORIES), help="Only citations of this category."
)
@click.option("--earlier-only", is_flag=True, help="Only cited documents whose date is before the target's.")
@click.option("--min-cited", type=COUNT_OR_NONE, default=0, help="Minimum citations of a target.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed for drawing random documents.")
@click.option("--out", type=OutputFile(), help="Write the pairs to this file.")
@library_option
@json_option
def pairs_command(
    year: int | None,
    targets_file: Path | None,
    qrels_file: Path | None,
    number: int,
    rule: Rule | None,
    categories: tuple[Category, ...],
    earlier_only: bool,
    min_cited: int,
    seed: int,
    out: Path | None,
    folder: Path,
    as_json: bool,
    **conditions: Any,  # noqa: ANN401
) -> None:
    """Pair targets with the documents they cite, random documents, and members of their own family.

    This is the first data set of Helmers et al. (2019), for any corpus. --from and --to, or --year, select when targets
    were published (by default in the last full year of the corpus); the other conditions apply to all documents.

    Random documents are `earlier`: published before the target period, neither cited by nor in the family of any
    target; `unrelated`: the same, of any date; or `uncited`: any document that is in no cited pair.
    """
    from foreart.evaluation.pairs.pairs_file import write_pairs
    from foreart.evaluation.pairs.pairs_making import make_pairs

    chosen = selection(**conditions)
    has_dates = bool(chosen.published_from or chosen.published_to)
    if (year is not None) + has_dates + (targets_file is not None) + (qrels_file is not None) > 1:
        raise click.UsageError("give one of --year, --from/--to, --targets and --qrels")
    if year is not None:
        chosen = replace(chosen, published_from=str(year), published_to=str(year))
    settings = PairSettings(chosen, number, rule or "", seed, categories, earlier_only, min_cited)
    with open_corpus(folder) as corpus, working("pairing"):
        pairs = make_pairs(corpus, settings, targets=targets_file, qrels=qrels_file)
    if out is not None:
        write_pairs(pairs, out)
    _print_pairs(pairs, out, as_json)


def _print_pairs(pairs: Pairs, out: Path | None, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                **pairs.counts,
                "pairs": len(pairs),
                "fingerprint": pairs.fingerprint,
                "corpus": pairs.corpus,
                "settings": pairs.settings,
                "notes": pairs.notes,
                "file": str(out) if out else None,
            }
        )
        return
    counts = pairs.counts
    console = output()
    console.print(
        _period(pairs) + f"{counts['targets']:,} targets, {counts['citing']:,} of them citing",
        soft_wrap=True,
    )
    for label in LABELS:
        console.print(f"{counts[label]:>12,} {label} pairs", soft_wrap=True)
    for note in pairs.notes:
        console.print(f"note: {note}", soft_wrap=True)
    console.print(f"fingerprint {pairs.fingerprint}", soft_wrap=True)
    console.print(f"written to {out}" if out else "nothing written: name a file with --out", soft_wrap=True)


def _period(pairs: Pairs) -> str:
    chosen = pairs.settings["selection"]
    first, last = chosen.get("published_from", ""), chosen.get("published_to", "")
    if first and first == last:
        return f"published in {first}: "
    return f"published {f'from {first}' if first else ''}{f' to {last}' if last else ''}: " if first or last else ""
