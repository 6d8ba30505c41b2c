"""`foreart crawl`."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from foreart.cli.options import COUNT, COUNT_OR_NONE, Finite, command, json_option, library_option, open_corpus
from foreart.cli.printing import messages, output, print_json, visible, working
from foreart.crawl import (
    PRODUCTS,
    REPORTS,
    SOURCES,
    CrawlAccess,
    CrawlConditions,
    CrawlOutcome,
    CrawlPolicy,
    CrawlSpec,
    CrawlStatus,
    Following,
    crawl_records,
    download_weeks,
)
from foreart.library import Library
from foreart.parallel import cores


@command("crawl", example="foreart crawl US20150066086A1 US20150066087A1 --class A61 --published-from 2000")
@click.argument("seeds", metavar="[SEED]...", nargs=-1)
@click.option("--seeds", "seeds_file", type=click.File("r", encoding="utf-8"), help="More seeds, one per line.")
@click.option("--class", "classes", multiple=True, metavar="PREFIX", help="Keep only this CPC or IPC class: A61.")
@click.option("--published-from", default="", metavar="DATE", help="Keep only patents published on or after: 2000.")
@click.option("--published-to", default="", metavar="DATE", help="Keep only patents published on or before.")
@click.option(
    "--country", "countries", multiple=True, metavar="CC", help="Keep only patents published by this office: US."
)
@click.option(
    "--search-report",
    "report",
    type=click.Choice(list(REPORTS)),
    default="report",
    show_default=True,
    help="Keep only patents with citations: by the examiner or unattributed, by the examiner only, by anybody.",
)
@click.option("--lenient", is_flag=True, help="Keep also patents without date or class.")
@click.option("--keep-seeds", is_flag=True, help="Keep the seeds even if they fail the conditions.")
@click.option("--max", "limit", type=COUNT, help="Stop when this many patents are kept.")
@click.option("--depth", type=COUNT_OR_NONE, help="Steps from the seeds: 1 is what they cite.")
@click.option("--citing", is_flag=True, help="Follow also the patents that cite a kept patent.")
@click.option("--family", is_flag=True, help="Follow also the other publications of a kept patent's family.")
@click.option(
    "--from",
    "source",
    default="google",
    show_default=True,
    metavar="SOURCE",
    help=f"{', '.join(SOURCES)}, or the path of a library, a corpus, a folder or a file.",
)
@click.option("--address", default="", envvar="FOREART_CRAWL_ADDRESS", show_envvar=True, help="Base URL of the source.")
@click.option("--key", default="", envvar="FOREART_CRAWL_KEY", show_envvar=True, help="Your key for epo or uspto.")
@click.option("--secret", default="", envvar="FOREART_CRAWL_SECRET", show_envvar=True, help="Your secret for epo.")
@click.option(
    "--rate",
    type=Finite(0.001, 1000),
    envvar="FOREART_CRAWL_RATE",
    show_envvar=True,
    help="Requests per second.  [default: 0.5; epo 1]",
)
@click.option(
    "--connections",
    type=click.IntRange(1, 8),
    default=1,
    show_default=True,
    help="Simultaneous connections; the rate stays the same.",
)
@click.option(
    "--contact", default="", envvar="FOREART_CRAWL_CONTACT", show_envvar=True, help="Your email, sent to the source."
)
@click.option("--no-cache", is_flag=True, help="Cache no pages, and fetch all of them.")
@click.option("--weeks", default="", metavar="FROM..TO", help="Which weekly files: 2015-01-01..2015-03-31.")
@click.option(
    "--product",
    "products",
    multiple=True,
    default=("PTGRXML",),
    type=click.Choice(list(PRODUCTS)),
    help="Kind of weekly files: grants, applications.",
)
@click.option("--again", is_flag=True, help="Fetch again what could not be read.")
@click.option("--status", "only_status", is_flag=True, help="Report the progress of crawls, and fetch nothing.")
@library_option
@json_option
def crawl_command(seeds: tuple[str, ...], only_status: bool, folder: Path, as_json: bool, **given: Any) -> None:  # noqa: ANN401
    """Grow the corpus from seeds: patents they cite, what those cite, and so on, as long as they match the conditions.

    A SEED is a publication number. A patent is kept, and its citations are followed, if it was published in the period,
    is in one of the classes and has a search report, as in Helmers et al. (2019); conditions that are not given do not
    apply. After an interruption at any moment the same command resumes and ends with the same corpus; seeds may be
    added, --depth and --max raised. This is the only command that uses the network. It identifies itself, obeys
    robots.txt, limits its rate, and stops when it is refused. Without seeds, --from uspto-bulk only downloads.
    """
    if only_status:
        _print_crawls(folder, as_json)
        return
    all_seeds = (*seeds, *_lines(given["seeds_file"]))
    if not all_seeds and given["source"] != "uspto-bulk":
        raise click.UsageError("name at least one patent of the field as a seed, such as US20150066086A1")
    access = _access(given)
    if not all_seeds:
        _download(folder, access, as_json)
        return
    outcome = _crawl(all_seeds, folder, access, given)
    _print_outcome(outcome, folder, as_json)
    if outcome.ended in ("refused", "stopped") or outcome.status.nothing_read:
        raise SystemExit(130 if outcome.ended == "stopped" else 1)


def _lines(file: Any) -> list[str]:  # noqa: ANN401 a text file or nothing
    return [line.strip() for line in file or () if line.strip() and not line.startswith("#")]


def _access(given: dict[str, Any]) -> CrawlAccess:
    first, _, last = given["weeks"].partition("..")
    return CrawlAccess(
        address=given["address"],
        key=given["key"],
        secret=given["secret"],
        rate=given["rate"] or 0.0,
        policy=CrawlPolicy(contact=given["contact"], connections=given["connections"]),
        cache=not given["no_cache"],
        weeks=(first, last or first),
        products=given["products"],
        workers=cores(),
    )


def _spec(given: dict[str, Any]) -> CrawlSpec:
    names = ("classes", "published_from", "published_to", "countries", "report", "lenient")
    return CrawlSpec(
        CrawlConditions(**{name: given[name] for name in names}),
        Following(citing=given["citing"], family=given["family"]),
        keep_seeds=given["keep_seeds"],
    )


def _crawl(seeds: tuple[str, ...], folder: Path, access: CrawlAccess, given: dict[str, Any]) -> CrawlOutcome:
    live = Live(Text("opening the source"), console=messages(), transient=True, refresh_per_second=5)
    with live, Library(folder) as library:
        return library.crawl(
            seeds,
            _spec(given),
            source=given["source"],
            access=replace(access, progress=lambda text: live.update(Text(visible(text)))),
            depth=given["depth"],
            limit=given["limit"],
            again=given["again"],
            progress=lambda status: live.update(_live_view(status)),
        )


def _live_view(status: CrawlStatus) -> Group:
    lines = [Text(line) for line in _lines_of(status)]
    left = f", about {_duration(status.left)} for these" if status.left else ""
    lines.append(Text(f"{status.waiting:,} waiting; {status.rate:,.1f} per second{left}"))
    if status.note:
        lines.append(Text(status.note, style="yellow"))
    return Group(*lines)


def _lines_of(status: CrawlStatus) -> list[str]:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in status.rejected.items())
    rejected = sum(status.rejected.values())
    return [
        f"{status.found:,} found: {status.kept:,} kept, {rejected:,} rejected, {status.missing:,} missing, "
        f"{status.failed:,} failed",
        *([f"rejected: {reasons}"] if reasons else []),
    ]


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _print_outcome(outcome: CrawlOutcome, folder: Path, as_json: bool) -> None:
    status = outcome.status
    if as_json:
        print_json(
            {
                "ended": outcome.ended,
                "message": outcome.message,
                "found": status.found,
                **{key: value for key, value in asdict(status).items() if key not in ("note", "seconds")},
                "seconds": round(status.seconds, 2),
            }
        )
        return
    console = output()
    for line in _lines_of(status):
        console.print(line, soft_wrap=True)
    if status.waiting or status.beyond:
        console.print(f"{status.waiting:,} waiting, {status.beyond:,} beyond the depth")
    if outcome.message:
        console.print(outcome.message, soft_wrap=True)
    if outcome.ended in ("refused", "stopped"):
        console.print("kept patents stay in the corpus; run the same command again to resume")
    elif status.failed:
        console.print("run the same command again to retry what failed")
    console.print(f"corpus in {folder}", soft_wrap=True)


def _print_crawls(folder: Path, as_json: bool) -> None:
    with open_corpus(folder) as corpus:
        records = crawl_records(corpus)
    if as_json:
        print_json(records)
        return
    console = output()
    for item in records:
        spec = item.pop("asked")
        console.print(f"from {spec['source']} {spec['place']}", soft_wrap=True)
        console.print(", ".join(f"{key} {value}" for key, value in item.items() if isinstance(value, int)))
        for reason, count in item["rejected"].items():
            console.print(f"  {count:,} rejected: {reason}")
        for failure in item["failures"]:
            console.print(f"  {failure['number']} failed: {failure['detail']}", soft_wrap=True)
    if not records:
        console.print("no crawl yet: `foreart crawl SEED...` starts one")


def _download(folder: Path, access: CrawlAccess, as_json: bool) -> None:
    with working("fetching the list of files") as show:
        files = download_weeks(folder, replace(access, progress=show))
    if as_json:
        print_json({"files": [str(file) for file in files]})
        return
    for file in files:
        output().print(str(file), soft_wrap=True)
    output().print("`foreart add` loads them")
