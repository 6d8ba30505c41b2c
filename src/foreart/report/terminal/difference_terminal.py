"""The difference between two searches for the terminal: causes first, then the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from foreart.records.difference import FATES, Difference, DocumentChange, Fate
from foreart.report.wording.difference_wording import (
    FATE_WORDS,
    cause_sentence,
    more_than_score,
    quiet_sentence,
    rank_text,
    remarks,
    score_text,
    status_text,
    summary,
    verdict,
)
from foreart.report.wording.phrases import plain

_STYLES: dict[Fate, str] = {"new": "bold cyan", "gone": "dim", "moved": "", "stayed": ""}


def terminal_difference(difference: Difference) -> RenderableType:
    """Verdict, causes, counts and a table of the documents that changed; to be printed with rich."""
    style = "bold green" if difference.same_list else "bold yellow"
    parts: list[RenderableType] = [Text(verdict(difference), style=style)]
    parts += _causes(difference)
    changed = [line for line in difference.lines if more_than_score(line)]
    if not difference.same_list:
        parts.append(Text(f"\n{summary(difference)}", style="bold"))
    if changed:
        parts.append(_documents(changed))
    quiet = quiet_sentence(difference)
    if quiet:
        parts.append(Text(f"\n{quiet}", style="dim"))
    return Group(*parts)


def _causes(difference: Difference) -> Iterator[RenderableType]:
    rows: list[tuple[str, str]] = [(cause.kind, cause_sentence(cause)) for cause in difference.causes]
    rows += [("counts", f"{item.what}: {_number(item.before)} → {_number(item.after)}") for item in difference.counts]
    if not rows:
        return
    grid = Table.grid(padding=(0, 2))
    previous = ""
    for kind, sentence in rows:
        grid.add_row(Text("" if kind == previous else kind, style="dim"), Text(plain(sentence)))
        previous = kind
    yield Text("")
    yield grid


def _number(value: int | None) -> str:
    return "not counted" if value is None else f"{value:,}"


def _documents(lines: Iterable[DocumentChange]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("Rank", "Score", "Document and status"):
        table.add_column(name, no_wrap=True)
    table.add_column("Title", ratio=1)
    changes = list(lines)
    for fate in FATES:
        group = [line for line in changes if line.fate == fate]
        for position, line in enumerate(group):
            if not position:
                table.add_row(Text(f"\n{FATE_WORDS[fate]}", style="bold"))
            _add(table, line)
    return table


def _add(table: Table, line: DocumentChange) -> None:
    title = Text(plain(line.title) or "(no title)", style=_STYLES[line.fate])
    for remark in remarks(line):
        title.append(f"\n{plain(remark)}", style="dim")
    rise = "green" if line.rise > 0 else "yellow" if line.rise < 0 else _STYLES[line.fate]
    document = Text(plain(line.id), style="bold")
    document.append(f"\n{plain(status_text(line))}", style="yellow" if _restated(line) else "not bold dim")
    table.add_row(Text(rank_text(line), style=rise), score_text(line), document, title)


def _restated(line: DocumentChange) -> bool:
    return bool(line.before and line.after and line.before.status != line.after.status)
