"""`foreart matter stopping`, and the options of a stopping rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.text import Text

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import output, print_json
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.cli.search_commands.searching import existing
from foreart.review.casework import DEFAULT_RULE, MatterReview
from foreart.review.casework.review_json import stopping_record
from foreart.review.matters import Matter

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SHARE = click.FloatRange(0.5, 1.0, max_open=True)
elsewhere_option = click.option(
    "--elsewhere",
    type=click.FloatRange(0.0, 1.0),
    default=0.0,
    show_default=True,
    help="0: more like what was found relevant; 1: unlike everything judged.",
)


def rule_options(function: _Command) -> _Command:
    """The options of a stopping rule."""
    confidence = click.option(
        "--confidence", type=_SHARE, default=None, help=f"How sure that must be.  [default: {DEFAULT_RULE.confidence}]"
    )
    target = click.option(
        "--target",
        type=_SHARE,
        default=None,
        help=f"The share of relevant documents to find.  [default: {DEFAULT_RULE.target}]",
    )
    return target(confidence(function))


def keep_rule(
    matter: Matter, target: float | None, confidence: float | None, *, rater: str, default: bool = False
) -> None:
    """Keeps the rule of the options in the log if it is another one; `default` keeps one also without options."""
    state = matter.refresh()
    now = state.stopping.event if state.stopping else None
    before = now or DEFAULT_RULE
    rule = (target or before.target, confidence or before.confidence)
    asked = default or target is not None or confidence is not None
    if asked and (now is None or (now.target, now.confidence) != rule):
        matter.set_stopping(*rule, rater=rater)


@command("stopping", example="foreart matter stopping hinge")
@click.argument("name")
@rule_options
@click.option("--maybe", is_flag=True, help="Documents judged maybe count as found too.")
@passphrase_option
@rater_option
@library_option
@json_option
def stopping_command(
    name: str,
    target: float | None,
    confidence: float | None,
    maybe: bool,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Estimate how many relevant documents of the matter NAME are still unread, with the error of that estimate.

    Also tells the stopping rule, whether it was fixed before reading, and whether it lets reading end. With --target or
    --confidence another rule is kept in the log first.
    """
    with existing(folder) as library, open_matter(library, name, passphrase_file) as matter:
        keep_rule(matter, target, confidence, rater=rater)
        review = MatterReview.of(matter, rater=rater)
        if as_json:
            print_json(stopping_record(review, maybe=maybe))
            return
        stopping = review.stopping(maybe=maybe)
        lines = [stopping.sentence, review.snapshot.rule_sentence]
        if stopping.left is not None:
            lines.append("you may stop" if stopping.may_stop else f"the rule held at {stopping.held} of ten looks")
        for line in (*lines, *(change.sentence for change in review.changes)):
            output().print(Text(line), soft_wrap=True)
