"""`foreart chart` and `foreart verify`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from foreart.cli.options import COUNT, command, json_option, law_options, library_option, on_option
from foreart.cli.outputs import OutputFile, write_output
from foreart.cli.printing import messages, output, print_json
from foreart.cli.search_commands.searching import existing

if TYPE_CHECKING:
    from foreart.search.charting import Chart


@command("chart", example="foreart chart application.docx US7585299B2 EP1000000A1 --docx chart.docx --html chart.html")
@click.argument("source", metavar="DRAFT")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--top", type=COUNT, help="Also use the best hits of a search for DRAFT as references.")
@click.option("--claim", "claims", multiple=True, type=COUNT, help="Only this claim (can be repeated).")
@click.option("--all-claims", is_flag=True, help="Include the additional features of dependent claims.")
@click.option("--bridges", is_flag=True, help="Count words of similar meaning too, marked and with less weight.")
@click.option("--quotes", type=click.IntRange(1, 9), default=3, show_default=True, help="Maximum per cell.")
@law_options
@click.option("--csv", "csv_file", type=OutputFile(), help="Write CSV, one line per quote.")
@click.option("--xlsx", "xlsx_file", type=OutputFile(), help="Write an Excel workbook.")
@click.option("--html", "html_file", type=OutputFile(), help="Write a page for the browser.")
@click.option(
    "--docx", "docx_file", type=OutputFile(), help="Write a Word document: element on the left, disclosure right."
)
@on_option
@library_option
@json_option
def chart_command(
    source: str,
    ids: tuple[str, ...],
    top: int | None,
    claims: tuple[int, ...],
    all_claims: bool,
    bridges: bool,
    quotes: int,
    cutoff: str,
    regime: str,
    folder: Path,
    on: str,
    as_json: bool,
    **files: Path | None,
) -> None:
    """Chart the claim elements of DRAFT against references: what each discloses, with verbatim quotes.

    ID is a publication number in the corpus, with or without kind code; DRAFT is a file or a publication number. Each
    cell has the best quotes of a document with their locations, and how much of the element's words they cover, rare
    words weighted higher. The summary names the closest reference, the best combination of up to three, and elements
    that no reference discloses.
    """
    if not ids and not top:
        raise click.UsageError("name references by their publication numbers, or take the best hits with --top 5")
    if claims and all_claims:
        raise click.UsageError("--claim and --all-claims exclude each other")
    with existing(folder, on) as library:
        made = library.chart(
            library.draft(source),
            ids,
            top=top or 0,
            claims=claims,
            all_claims=all_claims,
            quotes=quotes,
            bridges=bridges,
            cutoff=cutoff,
            regime=regime,
        )
    written = _written(made, files)
    if as_json:
        from foreart.report.exports.chart_json import chart_record

        print_json(chart_record(made))
        return
    from foreart.report.terminal.chart_terminal import terminal_chart

    console = output()
    console.print(terminal_chart(made, width=console.width))
    for path in written:
        console.print(Text(f"written: {path}"))


def _written(made: Chart, files: dict[str, Path | None]) -> list[Path]:
    """Writes the requested files and returns their paths."""
    done = []
    for name, path in files.items():
        if path is not None:
            write_output(path, _WRITERS[name](made))
            done.append(path)
    return done


def _csv(made: Chart) -> bytes:
    from foreart.report.exports.chart_lines import chart_csv

    return chart_csv(made).encode("utf-8")


def _xlsx(made: Chart) -> bytes:
    from foreart.report.exports.chart_xlsx import chart_xlsx

    return chart_xlsx(made)


def _html(made: Chart) -> bytes:
    from foreart.report.pages.chart_page import chart_html

    return chart_html(made, made=datetime.now().astimezone().isoformat(timespec="minutes")).encode("utf-8")


def _docx(made: Chart) -> bytes:
    from foreart.report.exports.chart_docx import chart_docx

    return chart_docx(made)


_WRITERS: dict[str, Callable[[Any], bytes]] = {
    "csv_file": _csv,
    "xlsx_file": _xlsx,
    "html_file": _html,
    "docx_file": _docx,
}


@command("verify", example="foreart verify chart.docx")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@library_option
@json_option
@click.pass_context
def verify_command(context: click.Context, file: Path, folder: Path, as_json: bool) -> None:
    """Check every quote of a chart or report against the corpus: JSON, CSV, XLSX, HTML or DOCX, edited or not.

    A quote is valid if it occurs, character by character, at the stated location of the stated document; a document is
    valid if its text has not changed since it was quoted. Every fault is reported, and the exit code is 1.
    """
    with existing(folder) as library:
        checked = library.verify(file)
    if as_json:
        print_json({"holds": checked.holds, "quotes": checked.quotes, "documents": checked.documents,
                    "faults": list(checked.faults)})  # fmt: skip
    else:
        for fault in checked.faults:
            messages().print(Text(fault))
        _verdict(checked.quotes, checked.documents, len(checked.faults))
    context.exit(0 if checked.holds else 1)


def _verdict(quotes: int, documents: int, faults: int) -> None:
    from foreart.report.wording.phrases import count

    checked = f"{count(quotes, 'quote')} of {count(documents, 'document')} checked"
    verdict = "all valid" if not faults else f"{count(faults, 'fault')}"
    output().print(Text(f"{checked}: {verdict}"))
