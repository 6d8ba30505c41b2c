"""`foreart doctor`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.text import Text

from foreart.cli.options import command, json_option, library_option
from foreart.cli.printing import output, print_json
from foreart.doctor import examine

_MARKS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "bad": ("✗", "red")}


@command("doctor", example="foreart doctor")
@library_option
@json_option
def doctor_command(folder: Path, as_json: bool) -> None:
    """Check corpus, indexes and installation for damage; exit code 1 if a check fails."""
    findings = examine(folder)
    if as_json:
        print_json(
            {"ok": all(item.state != "bad" for item in findings), "findings": [asdict(item) for item in findings]}
        )
    else:
        console = output()
        for item in findings:
            mark, style = _MARKS[item.state]
            console.print(Text.assemble((mark, style), f" {item.subject}: {item.sentence}"))
    if any(item.state == "bad" for item in findings):
        raise SystemExit(1)
