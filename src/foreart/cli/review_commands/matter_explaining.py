"""`foreart matter explain`."""

from __future__ import annotations

from pathlib import Path

import click

from foreart.cli.options import COUNT, command, json_option, library_option
from foreart.cli.outputs import OutputFile
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.cli.search_commands.explaining import print_reasons
from foreart.cli.search_commands.searching import existing
from foreart.review.casework import MatterReview
from foreart.review.casework.judged_reasons import explained


@command("explain", example="foreart matter explain hinge US7585299B2")
@click.argument("name")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--words", type=COUNT, default=15, show_default=True, help="Terms shown per text channel.")
@click.option("--html", "page", type=OutputFile(), help="Write a page for the browser.")
@passphrase_option
@rater_option
@library_option
@json_option
def explain_matter_command(
    name: str,
    ids: tuple[str, ...],
    words: int,
    page: Path | None,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Explain the score of documents in the queue of the matter NAME: the channels of the search and your judgements.

    All contributions sum to the score. ID is a publication number in the corpus, judged or not.
    """
    with existing(folder) as library, open_matter(library, name, passphrase_file) as matter:
        review = MatterReview.of(matter, rater=rater)
        reasons = explained(review, list(dict.fromkeys(ids)), words=words)
    print_reasons(reasons, page, as_json=as_json)
