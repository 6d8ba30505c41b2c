"""`foreart demo`."""

from __future__ import annotations

import shutil
import sys
from importlib import resources
from pathlib import Path

import click

from foreart.cli.options import command, json_option
from foreart.cli.printing import messages, output
from foreart.cli.search_commands.learning import learn
from foreart.cli.search_commands.searching import build, search
from foreart.errors import CorpusError
from foreart.library import Library
from foreart.sources import read

_NEXT = """
That was a sample of invented patents. The same in the browser:

  {foreart} open --library {folder}

With your own files:

  {foreart} add FILE...         USPTO, EPO, Google, Lens, … files, compressed or not ({foreart} formats)
  {foreart} build               the indexes, again after each add
  {foreart} search draft.docx   your draft: Word, PDF or text; it stays on this machine
  {foreart} --help              everything else
"""


@command("demo", example="foreart demo")
@click.option(
    "--draft",
    type=click.Choice(["interspinous-fusion.docx", "ultrasound-probe.pdf", "insulin-pump.txt"]),
    default="interspinous-fusion.docx",
    show_default=True,
    help="Which sample draft.",
)
@click.option(
    "-l",
    "--library",
    "folder",
    default="foreart-demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the sample corpus, its indexes and the report.",
)
@json_option
def demo_command(draft: str, folder: Path, as_json: bool) -> None:
    """Load the sample corpus, build indexes, learn to rank, search a sample draft, and write an HTML report.

    The sample goes into its own folder; a library that holds other patents is refused.
    """
    console = messages()
    sample = resources.files("foreart").joinpath("sample")
    with resources.as_file(sample) as path, Library(folder) as library:
        _refuse_others(library, path / "patents.jsonl")
        summary = library.add([path / "patents.jsonl"])
        console.print(f"corpus: {summary.read} invented patents in {library.corpus_path}")
        made = build(library)
        console.print(f"indexes: {len(made)}, of {len(library.corpus)} full texts and parts of them")
        learned = learn(library)
        console.print(f"ranking: learned from {learned.training['queries']} training queries")
        search(library, library.draft(path / "drafts" / draft), k=10, page=folder / "report.html", as_json=as_json)
    if not as_json:
        output().print(_NEXT.format(foreart=_program_name(), folder=folder), soft_wrap=True)


def _refuse_others(library: Library, sample: Path) -> None:
    """Refuses a library with other patents, so that invented patents are never mixed with real ones."""
    if library.corpus_path.exists():
        invented = {patent.id for patent in read(sample)}
        others = [number for number in library.corpus.ids() if number not in invented]
        if others:
            raise CorpusError(
                f"{library.folder} has {others[0]}, which is not in the sample: name another folder with --library"
            )


def _program_name() -> str:
    """How this program is called: by its name, or by its path where it is not on PATH."""
    program = Path(sys.argv[0]).absolute()
    installed = shutil.which("foreart")
    if program.name != "foreart" or (installed and Path(installed).samefile(program)):
        return "foreart"
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)
