"""`foreart matter literature`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click
from rich.text import Text

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import output, print_json
from foreart.cli.review_commands.passphrases import open_matter, passphrase_option, rater_option
from foreart.cli.review_commands.review_dialogue import parsed_category
from foreart.document.reference import LITERATURE_FORMS, LiteratureReference
from foreart.errors import BadRequest
from foreart.library import Library
from foreart.report.wording.phrases import plain
from foreart.review.matters import JUDGEMENTS, Judged, Matter, event_json
from foreart.review.matters.matter_events import LiteratureKept

_FIELDS = ("item", "published", "volume", "pages", "publisher", "place", "identifier", "language", "form")


@command("literature", example="foreart matter literature hinge 'On springs' --author 'Hartwell, R.' --published 1998")
@click.argument("name")
@click.argument("title", default="")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="As `Last, First`; repeatable.")
@click.option("--item", default=None, help="The journal, book, conference or site that it appeared in.")
@click.option("--published", default=None, metavar="DATE", help="2014-03-10, 2014-03 or 2014.")
@click.option("--volume", default=None, help="Volume and issue, as 12-3.")
@click.option("--pages", default=None, help="As 101-109.")
@click.option("--publisher", default=None, help="Who published it.")
@click.option("--place", default=None, help="City or country where it was published.")
@click.option("--identifier", default=None, help="A DOI or an address.")
@click.option("--language", default=None, metavar="CODE", help="Two letters, as en.")
@click.option("--form", type=click.Choice(LITERATURE_FORMS), default=None, help="What it is.  [default: article]")
@click.option("--passage", "places", multiple=True, help="A relevant passage, as `page 104`; repeatable.")
@click.option("--translated", is_flag=True, default=None, help="A translation is attached.")
@click.option("--document", default="", metavar="ID", help="Change the item with this id, as NPL-4.")
@click.option("--withdraw", is_flag=True, help="Take the item of --document out of the matter.")
@click.option("--judgement", type=click.Choice(JUDGEMENTS), default=None, help="Judge it.")
@click.option("--category", default="", help="A category of a search report, and claims: `X 1,3-5`.")
@passphrase_option
@rater_option
@library_option
@json_option
def literature_command(
    name: str,
    title: str,
    document: str,
    withdraw: bool,
    judgement: str | None,
    category: str,
    passphrase_file: Path | None,
    rater: str,
    folder: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 the fields of a LiteratureReference
) -> None:
    """Add literature that is no patent to the matter NAME: an article with its TITLE, author, journal and date.

    It is judged, categorised and noted like a document, by the id that is printed, and stands in every report. Without
    a TITLE and --document, the literature of the matter is listed. It is not in the corpus: it neither changes the
    order nor counts in the estimate of what is unread.
    """
    if withdraw and not document:
        raise click.UsageError("--withdraw needs --document ID")
    with Library(folder) as library, open_matter(library, name, passphrase_file) as matter:
        if title or document:
            added = _kept(matter, title, document, given, withdraw=withdraw, rater=rater)
            if judgement:
                matter.judge(added, cast(Judged, judgement), rater=rater)
            if category:
                matter.categorise(added, *parsed_category(category), rater=rater)
        _print_literature(matter, as_json)


def _kept(matter: Matter, title: str, document: str, given: dict[str, Any], *, withdraw: bool, rater: str) -> str:
    """Adds an item, or changes what is given of one; returns its id."""
    kept = next((item.event for item in matter.refresh().literature if item.event.document == document), None)
    if document and kept is None:
        raise BadRequest(f"{document[:60]} is not in the matter {matter.name}: `foreart matter literature` lists them")
    told = {name: given[name] for name in _FIELDS if given[name] is not None}
    told |= {"authors": given["authors"]} if given["authors"] else {}
    told |= {"title": title} if title else {}
    before = kept or LiteratureKept(LiteratureReference("untitled"))
    reference = replace(before.reference, **told)
    places, translated = given["places"] or before.places, given["translated"] or before.translated
    if kept and not withdraw and (reference, places, translated) == (kept.reference, kept.places, kept.translated):
        return document
    return matter.add_literature(
        reference, places=places, translated=translated, replaces=document, withdrawn=withdraw, rater=rater
    )


def _print_literature(matter: Matter, as_json: bool) -> None:
    state = matter.state
    if as_json:
        print_json([event_json(item) for item in state.literature])
        return
    for item in state.literature:
        number = item.event.document
        judged = [one.event.judgement for one in state.judgements if one.event.document == number]
        letters = [one.event.category for one in state.categories if one.event.document == number]
        told = ", ".join((*judged, *letters))
        line = f"{number}  {plain(item.event.reference.citation)}{f' ({told})' if told else ''}"
        output().print(Text(line), soft_wrap=True)
