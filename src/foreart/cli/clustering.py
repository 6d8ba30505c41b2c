"""`foreart cluster` and its subcommands."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import wraps
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from rich.table import Table

from foreart.cli.options import InOrder, command, json_option, library_option, on_option
from foreart.cli.printing import announce, messages, output, print_json, working
from foreart.cli.search_commands.searching import existing
from foreart.cluster.cluster_settings import HERE, ClusterSettings, TlsFiles, cluster_settings, keep_settings
from foreart.errors import BadRequest, ClusterError

if TYPE_CHECKING:
    from foreart.cluster.spread.cluster_status import ClusterStatus

Function = TypeVar("Function", bound=Callable[..., Any])
_EXAMPLE = """\b
Example:
  foreart cluster start --workers 3
  foreart search application.docx --on dask://127.0.0.1:8786
"""
_FILE = click.Path(exists=True, dir_okay=False, resolve_path=True)
_SHARDS = click.option(
    "--shards", type=click.IntRange(1, 10_000), help="How many parts of the indexes.  [default: as before, or workers]"
)


def _tls_options(function: Function) -> Function:
    """The certificates by Dask's own names, as the one argument `tls`."""

    @wraps(function)
    def gathered(*given: Any, tls_ca: str | None, tls_cert: str | None, tls_key: str | None, **options: Any) -> Any:  # noqa: ANN401
        return function(*given, tls=TlsFiles(tls_ca or "", tls_cert or "", tls_key or "").checked(), **options)

    wrapped: Any = gathered
    described = {
        "key": "Key of that certificate.",
        "cert": "Certificate of this side.",
        "ca": "Certificate of the authority that signed the others.",
    }
    for name, about in described.items():
        wrapped = click.option(f"--tls-{name}", type=_FILE, metavar="FILE", help=about)(wrapped)
    return cast(Function, wrapped)


@click.group("cluster", cls=InOrder, epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
def cluster_command() -> None:
    """Search on a cluster: the same list.

    The indexes are divided into shards, which the workers of a Dask cluster open from the folder that all machines
    share, with the same scores, bit for bit. Any Dask cluster serves: on Kubernetes, Slurm or by SSH (docs/CLUSTER.md);
    `start` makes one on this machine. Or an OpenSearch cluster stores them (docs/opensearch.md). Subcommands print JSON
    for programs with --json.
    """


@command("start", example="foreart cluster start --workers 3")
@click.option("--workers", type=click.IntRange(1, 256), default=2, show_default=True, help="How many processes search.")
@click.option("--port", type=click.IntRange(0, 65535), default=8786, show_default=True, help="0 takes a free one.")
@click.option("--address", default="127.0.0.1", show_default=True, help="Address to listen on.")
@_SHARDS
@click.option("--dashboard", type=click.IntRange(1, 65535), help="Port of Dask's pages on this machine.")
@_tls_options
@library_option
@json_option
def start_command(
    workers: int,
    port: int,
    address: str,
    shards: int | None,
    dashboard: int | None,
    tls: TlsFiles,
    folder: Path,
    as_json: bool,
) -> None:
    """Start a scheduler and workers on this machine, which open the shards of the library, or build it.

    Prints the address for `--on` as soon as all shards are open, or at once if the library has no indexes yet. Only
    this machine can connect. For others certificates are needed, because whoever can connect can run programs here.
    Ctrl-C stops the scheduler and all workers.
    """
    from foreart.cluster.spread.dask_cluster import LocalSettings, local_cluster
    from foreart.index.published_state import published_state

    existing(folder).close()
    settings = LocalSettings(workers, address, port, tls, dashboard or 0)
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with local_cluster(settings) as home:
        parts, said = 0, f"nothing to search yet: `foreart build --on {home}` builds"
        if published_state(folder).indexes:
            found = _status(folder, ClusterSettings(str(home), shards=shards or 0, tls=settings.tls))
            if not found.holds:
                raise ClusterError(next(worker.problem for worker in found.workers if worker.problem))
            parts, said = found.shards, f"{found.shards} shards of {found.documents:,} documents"
        announce(json.dumps({"address": str(home), "workers": workers, "shards": parts}) if as_json else str(home))
        if not as_json:
            messages().print(f"{workers} workers, {said}; Ctrl-C stops")
        stopped.wait()


@command("use", example="foreart cluster use dask://node7:8786")
@click.argument("address")
@_SHARDS
@click.option("--folder", "theirs", default="", metavar="PATH", help="The library as Dask workers see it.")
@click.option("--name", default="", metavar="NAME", help="Alias in an OpenSearch cluster.  [default: foreart]")
@_tls_options
@library_option
@json_option
def use_command(
    address: str,
    shards: int | None,
    theirs: str,
    name: str,
    tls: TlsFiles,
    folder: Path,
    as_json: bool,
) -> None:
    """Search the library on the cluster at ADDRESS from now on, without `--on`; `here` ends that.

    Writes `cluster.json` into the library. The paths of certificates are kept there, never a password or key: those of
    an OpenSearch cluster come from the environment, in FOREART_OPENSEARCH_USER and FOREART_OPENSEARCH_PASSWORD, or
    FOREART_OPENSEARCH_API_KEY. Libraries in one OpenSearch cluster need different names.
    """
    existing(folder).close()
    settings = ClusterSettings() if address == HERE else ClusterSettings(address, theirs, shards or 0, tls, name)
    keep_settings(folder, settings)
    if as_json:
        print_json(asdict(settings))
    else:
        output().print(f"{folder} is searched {f'on {settings.home}' if settings.home else 'on this machine'}")


@command("status", example="foreart cluster status --on dask://127.0.0.1:8786")
@on_option
@_tls_options
@library_option
@json_option
@click.pass_context
def status_command(context: click.Context, on: str, tls: TlsFiles, folder: Path, as_json: bool) -> None:
    """Show the workers of a cluster and their shards; each opens those of the library, or says why it cannot.

    Of an OpenSearch cluster: its health, and whether it has every document of the library. Exit code 1 if a search
    would not be answered.
    """
    existing(folder).close()
    settings = cluster_settings(folder, on)
    if settings.home is None:
        raise BadRequest("name a cluster with --on ADDRESS, or for good with `foreart cluster use`")
    if tls:
        settings = replace(settings, tls=tls)
    if settings.home is not None and settings.home.kind == "opensearch":
        context.exit(0 if _opensearch_status(folder, settings, as_json=as_json) else 1)
    found = _status(folder, settings)
    if as_json:
        print_json(asdict(found))
    else:
        output().print(f"{found.address}: {found.shards} shards of {found.documents:,} documents in {found.library}")
        table = Table("worker", "address", "threads", "shards", "copies", "", box=None)
        for worker in found.workers:
            numbers = (", ".join(map(str, each)) for each in (worker.shards, worker.copies))
            table.add_row(worker.name, worker.address, str(worker.threads), *numbers, worker.problem)
        output().print(table)
    context.exit(0 if found.holds else 1)


def _opensearch_status(folder: Path, settings: ClusterSettings, *, as_json: bool) -> bool:
    """Shows what an OpenSearch cluster has; whether searches are answered."""
    from foreart.cluster.opensearch.asking.stored_states import ClusterStates
    from foreart.cluster.opensearch.home_status import home_status

    states = ClusterStates(settings)
    try:
        found = home_status(states, folder)
    finally:
        states.close()
    if as_json:
        print_json(asdict(found))
        return found.holds
    output().print(f"{found.address}: OpenSearch {found.version}, {found.nodes} nodes, {found.health}")
    output().print(
        f"{found.name} is {found.index}: {found.stored:,} of {found.documents:,} documents, {found.shards} shards with "
        f"copies, {found.bytes / 1e6:,.0f} MB"
    )
    if found.problem:
        output().print(found.problem)
    if not found.newest:
        output().print("the library was built again since it was stored: `foreart build --on ADDRESS`")
    return found.holds


def _status(folder: Path, settings: ClusterSettings) -> ClusterStatus:
    from foreart.cluster.spread.cluster_status import cluster_status
    from foreart.cluster.spread.spread_state import SpreadStates

    states = SpreadStates(settings)
    try:
        with working("opening shards"):
            return cluster_status(states, folder)
    finally:
        states.close()


for _command in (start_command, use_command, status_command):
    cluster_command.add_command(_command)
