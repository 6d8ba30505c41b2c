"""`foreart near`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from foreart.cli.options import Finite, command, json_option, library_option
from foreart.cli.printing import counting, write_line
from foreart.cli.search_commands.searching import existing
from foreart.corpus.relations.family_names import family_of
from foreart.index_store import DEFAULT_INDEX


@command("near", example="foreart near --threshold 0.8 --json > pairs.jsonl")
@click.option("--threshold", type=Finite(0, 1, min_open=True), default=0.9, show_default=True, help="Least cosine.")
@click.option("--index", default=DEFAULT_INDEX, show_default=True, metavar="NAME", help="Which index of words.")
@library_option
@json_option
def near_command(threshold: float, index: str, folder: Path, as_json: bool) -> None:
    """List all pairs of documents that are nearly the same, as they are found: copies, continuations, translations.

    Every pair whose cosine is the threshold or more is there, with the two numbers, the cosine, and whether the corpus
    holds both for one family already; one line each, of JSON if asked for.
    """
    with existing(folder) as library:
        words = library.index(index)
        families = family_of(library.corpus)
        with counting("pairs") as show:
            for done, (one, other, score) in enumerate(words.near(threshold), start=1):
                known = bool(families.get(one)) and families.get(one) == families.get(other)
                record = {"one": one, "other": other, "cosine": score, "family": known}
                mark = "\tfamily" if known else ""
                write_line(json.dumps(record) if as_json else f"{one}\t{other}\t{score:.4f}{mark}")
                show(done)
