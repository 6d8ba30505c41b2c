"""`foreart review`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import messages, output, print_json
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.cli.review_commands.review_dialogue import ReviewDialogue
from foreart.cli.review_commands.stopping_command import elsewhere_option, keep_rule, rule_options
from foreart.cli.search_commands.searching import existing
from foreart.report.wording.phrases import count
from foreart.review.casework import MatterReview
from foreart.review.casework.review_json import stopping_record
from foreart.review.labels import rater_name


@command("review", example="foreart review hinge --rater ann")
@click.argument("matter")
@passphrase_option
@rater_option
@elsewhere_option
@rule_options
@library_option
@json_option
def review_command(
    matter: str,
    passphrase_file: Path | None,
    rater: str,
    elsewhere: float,
    target: float | None,
    confidence: float | None,
    folder: Path,
    as_json: bool,
) -> None:
    """Judge the documents that the searches of MATTER found, one after the other.

    Each document is shown with its front page, its status on the cut-off date, the closest passage, and why it is
    there. One key judges it: r relevant, m maybe, i irrelevant, l later; v gives it a category of a search report, n a
    note; s names a seed, z undoes, Z redoes, ? shows all keys, q stops. Each step is kept before the next document is
    shown: after an interruption at any moment the same command resumes. Families are judged once.

    Each judgement changes the order of what is still unread, and one document in ten comes from elsewhere. After each
    judgement one line says how many relevant documents are probably left. The stopping rule (--target, --confidence) is
    kept in the log before the first document is shown; a later change of it is kept and told too.
    """
    name = rater and rater_name(rater)
    with existing(folder) as library, open_matter(library, matter, passphrase_file) as opened:
        keep_rule(opened, target, confidence, rater=name, default=True)
        console = messages() if as_json else output()
        stopped = ReviewDialogue(opened, library, name, console, elsewhere=elsewhere).run()
        _print_summary(MatterReview.of(opened, rater=name), as_json)
    if stopped:
        raise SystemExit(130)


def _print_summary(review: MatterReview, as_json: bool) -> None:
    state, name, rater = review.snapshot.state, review.snapshot.name, review.rater
    mine = Counter(item.event.judgement for item in state.judgements if item.rater == rater)
    read, left = len(review.read), review.queue(limit=0).left
    if as_json:
        counts = {"matter": name, "rater": rater, "read": read, "judged": dict(mine), "left": left}
        print_json({**counts, "stopping": stopping_record(review)})
        return
    judged = ", ".join(f"{number} {verdict}" for verdict, number in mine.items())
    told = f"{count(read, 'document')} read{f' ({judged})' if judged else ''}, {left} left"
    output().print(told + (f"; `foreart review {name}` resumes" if left else ""), soft_wrap=True)
