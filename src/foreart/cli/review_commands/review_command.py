"""`foreart review`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import messages, output, print_json
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.cli.review_commands.review_dialogue import ReviewDialogue
from foreart.cli.search_commands.searching import existing
from foreart.report.wording.phrases import count
from foreart.review.labels import rater_name
from foreart.review.matters import Matter, reviewed


@command("review", example="foreart review hinge --rater ann")
@click.argument("matter")
@passphrase_option
@rater_option
@library_option
@json_option
def review_command(matter: str, passphrase_file: Path | None, rater: str, folder: Path, as_json: bool) -> None:
    """Judge the documents that the searches of MATTER found, one after the other.

    Each document is shown with its front page, its status on the cut-off date, the closest passage, and why it is
    there. One key judges it: r relevant, m maybe, i irrelevant, l later; v gives it a category of a search report, n a
    note; s names a seed, z undoes, Z redoes, ? shows all keys, q stops. Each step is kept before the next document is
    shown: after an interruption at any moment the same command resumes. Families are judged once.
    """
    name = rater and rater_name(rater)
    with existing(folder) as library, open_matter(library, matter, passphrase_file) as opened:
        stopped = ReviewDialogue(opened, library, name, messages() if as_json else output()).run()
        _print_summary(opened, name, as_json)
    if stopped:
        raise SystemExit(130)


def _print_summary(matter: Matter, rater: str, as_json: bool) -> None:
    state = matter.state
    mine = Counter(item.event.judgement for item in state.judgements if item.rater == rater)
    read, left = len(reviewed(state, rater)), len(matter.queue(rater=rater))
    if as_json:
        print_json({"matter": matter.name, "rater": rater, "read": read, "judged": dict(mine), "left": left})
        return
    judged = ", ".join(f"{number} {name}" for name, number in mine.items())
    told = f"{count(read, 'document')} read{f' ({judged})' if judged else ''}, {left} left"
    output().print(told + (f"; `foreart review {matter.name}` resumes" if left else ""), soft_wrap=True)
