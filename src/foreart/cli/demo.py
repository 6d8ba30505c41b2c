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
That was a sample of invented patents. With your own files:

  {foreart} add FILE...         USPTO, EPO, Google, Lens, … files, packed or not ({foreart} formats)
  {foreart} build               the index, again after each add
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

    The sample goes into a folder of its own; a library that has other patents is refused.
    """
    console = messages()
    sample = resources.files("foreart").joinpath("sample")
    with resources.as_file(sample) as place, Library(folder) as library:
        _refuse_others(library, place / "patents.jsonl")
        summary = library.add([place / "patents.jsonl"])
        console.print(f"corpus: {summary.read} invented patents in {library.corpus_path}")
        made = build(library)
        console.print(f"indexes: {len(made)}, of {len(library.corpus)} full texts and parts of them")
        learned = learn(library)
        console.print(f"ranking: learned from {learned.training['queries']} of them")
        search(library, str(place / "drafts" / draft), k=10, page=folder / "report.html", as_json=as_json)
    if not as_json:
        output().print(_NEXT.format(foreart=_typed()), soft_wrap=True)


def _refuse_others(library: Library, sample: Path) -> None:
    """Invented patents have no place among real ones."""
    if library.corpus_path.exists():
        invented = {patent.id for patent in read(sample)}
        others = [number for number in library.corpus.ids() if number not in invented]
        if others:
            raise CorpusError(
                f"{library.folder} has {others[0]}, which is not of the sample: name another folder with --library"
            )


def _typed() -> str:
    """What a person has to type to run this program: its name, or its place where the shell would not find it."""
    program = Path(sys.argv[0]).absolute()
    found = shutil.which("foreart")
    if program.name != "foreart" or (found and Path(found).samefile(program)):
        return "foreart"
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)
