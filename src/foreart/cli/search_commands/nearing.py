"""`foreart near`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from foreart.cli.options import Finite, command, json_option, library_option, on_option
from foreart.cli.printing import counting, write_line
from foreart.cli.search_commands.searching import existing
from foreart.corpus.relations.family_names import family_of
from foreart.index_store import DEFAULT_INDEX


@command("near", example="foreart near --threshold 0.8 --json > pairs.jsonl")
@click.option("--threshold", type=Finite(0, 1, min_open=True), default=0.9, show_default=True, help="Minimum cosine.")
@click.option("--index", default=DEFAULT_INDEX, show_default=True, metavar="NAME", help="Which word index.")
@on_option
@library_option
@json_option
def near_command(threshold: float, index: str, folder: Path, on: str, as_json: bool) -> None:
    """List all pairs of near-duplicate documents, as they are found: copies, continuations, translations.

    Lists every pair with a cosine of at least the threshold: the two publication numbers, the cosine, and whether the
    corpus already has both in one family; one line per pair, with --json as JSON.
    """
    with existing(folder, on) as library:
        words = library.index(index)
        families = family_of(library.corpus)
        with counting("pairs") as show:
            for done, (left, right, cosine) in enumerate(words.near(threshold), start=1):
                same_family = bool(families.get(left)) and families.get(left) == families.get(right)
                record = {"one": left, "other": right, "cosine": cosine, "family": same_family}
                mark = "\tfamily" if same_family else ""
                write_line(json.dumps(record) if as_json else f"{left}\t{right}\t{cosine:.4f}{mark}")
                show(done)
