"""The result as a table for the terminal."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from foreart.report.wording.channel_groups import added, seen
from foreart.report.wording.phrases import LAWS, count, plain, signed
from foreart.report.wording.search_wording import (
    bar_share,
    candidates_sentence,
    chance_sentence,
    cutoff_sentence,
    earlier_member,
    hub_sentence,
    left_out_sentence,
    missing_sentence,
    nothing_sentence,
    own_family_sentence,
    ranking_texts,
    removed_sentence,
    shares,
)
from foreart.search import Hit, Result, Status

_STYLES: dict[Status, str] = {
    "prior art": "bold green",
    "novelty only": "bold yellow",
    "mentioned": "bold cyan",
    "date unknown": "bold magenta",
    "own family": "bold blue",
    "after the date": "dim",
}
_COLOURS = {
    "c-text": "blue",
    "c-claims": "bright_cyan",
    "c-subject": "cyan",
    "c-citations": "yellow",
    "c-named": "bright_yellow",
    "c-people": "white",
    "c-often": "red",
}
_BAR, _LONG_BAR = 8, 16
_WORDS = 6
_EIGHTHS = " ▏▎▍▌▋▊▉█"
# Minimum widths for a table with all columns, and for long bars.
_TABLE, _ROOMY = 120, 140
_FUSED = "The score ranks documents and has no unit; `foreart explain DRAFT ID` shows its contributions."


def terminal_search(result: Result, *, family: bool = False) -> RenderableType:
    """A table of the hits, each with its rule and its most important words; to be printed with rich.

    `family` lists the other members of each hit's family with their statuses, not only their ids.
    """
    head = Text(plain(result.draft_title) or "(draft without a title)", style="bold")
    what, how = ranking_texts(result)
    facts = Text(
        f"Cut-off {cutoff_sentence(result)}, {LAWS[result.regime]} · {count(result.compared, 'document')} compared · "
        f"ranked by {what}" + (f": {how}" if result.ranking is not None else ""),
        style="dim",
    )
    parts: list[RenderableType] = [head, facts]
    for sentence in (candidates_sentence(result), removed_sentence(result)):
        if sentence:
            parts.append(Text(plain(sentence[0].upper() + sentence[1:]), style="dim"))
    parts += [Text(f"Note: {plain(note)}", style="yellow") for note in result.notes]
    if result.missing_terms:
        parts.append(Text(plain(missing_sentence(result)), style="yellow"))
    parts.append(_Hits(result, family) if result.hits else Text(f"\n{nothing_sentence(result)}"))
    if any(hit.parts for hit in result.hits):
        parts.append(Text(f"\n{_FUSED}", style="dim"))
    if result.own_family:
        parts.append(_own_family(result))
    if result.left_out_count:
        parts.append(Text(left_out_sentence(result), style="dim"))
    return Group(*parts)


class _Hits:
    """A table if the terminal is wide enough, else one hit after the other."""

    def __init__(self, result: Result, family: bool) -> None:
        self.result, self.family = result, family

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.max_width >= _TABLE
        cells = _LONG_BAR if options.max_width >= _ROOMY else _BAR
        yield _table(self.result, self.family, cells) if wide else _list(self.result, self.family)


def _table(result: Result, family: bool, cells: int) -> Table:
    table = Table(box=None, padding=(1, 1, 0, 0), header_style="dim")
    table.add_column("", justify="right")
    table.add_column("Score", no_wrap=True)
    table.add_column("Document", no_wrap=True)
    table.add_column("Status", no_wrap=True)
    table.add_column("Title, score contributions, and rule", ratio=1)
    best = result.hits[0].score
    for hit in result.hits:
        score = Text(f"{hit.score:.3f}\n").append_text(_bar(hit, best, cells))
        document = Text(plain(hit.id), style="bold").append(f"\n{hit.published or 'no date'}", style="not bold")
        table.add_row(str(hit.rank), score, document, _status(hit, "\n"), _description(hit, family))
    return table


def _list(result: Result, family: bool) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(ratio=1)
    best = result.hits[0].score
    for hit in result.hits:
        head = Text.assemble(
            (plain(hit.id), "bold"), f"  {hit.published or 'no date'}  ", _status(hit, ", "), f"  {hit.score:.3f} "
        ).append_text(_bar(hit, best, _BAR))
        grid.add_row(f"\n{hit.rank}", Text("\n").append_text(head).append("\n").append_text(_description(hit, family)))
    return grid


def _own_family(result: Result) -> Text:
    text = Text("\n" + own_family_sentence(result), style=_STYLES["own family"])
    for item in result.own_family:
        text.append(f"\n  {plain(item.id)}  ", style="not bold").append(plain(item.rule), style="dim not bold")
    return text


def _bar(hit: Hit, best: float, cells: int) -> Text:
    """A bar of block characters in steps of an eighth, with a segment for each group of channels."""
    eighths = round(bar_share(hit.score, best) * cells * 8)
    full, part = divmod(eighths, 8)
    blocks = ("█" * full + (_EIGHTHS[part] if part else "")).ljust(cells)
    positive = [item for item in seen(added(hit)) if item.value > 0]
    text = Text(blocks, style="cyan")
    total, done = sum(item.value for item in positive), 0.0
    for item in positive:
        start, done = done, done + item.value / total * eighths / 8
        text.stylize(_COLOURS[item.group.colour], round(start), round(done) if item is not positive[-1] else cells)
    return text


def _status(hit: Hit, between: str) -> Text:
    text = Text(hit.status, style=_STYLES[hit.status])
    if earlier_member(hit):
        text.append(f"{between}family: prior art", style="green")
    return text


def _description(hit: Hit, family: bool) -> Text:
    text = Text(plain(hit.title) or "(no title)")
    if hit.parts:
        text.append("\n").append_text(_added(hit))
    if hit.chance:
        text.append(f"\n{chance_sentence(hit.chance)}")
    if hit.hub:
        text.append(f"\n{hub_sentence(hit)}", style="yellow")
    words = ", ".join(f"{word} {share:.0%}" for word, share in shares(hit, _WORDS))
    text.append(f"\n{'words: ' if hit.parts and words else ''}{words}", style="dim")
    text.append(f"\n{plain(hit.rule)}", style="dim")
    if hit.family_members and not family:
        text.append("\nalso " + ", ".join(plain(member.id) for member in hit.family_members), style="dim italic")
    for member in hit.family_members if family else ():
        text.append(
            f"\n└ {plain(member.id)}  {member.published or 'no date'}  {member.score:.3f}  ", style="dim italic"
        )
        text.append(member.status, style=_STYLES[member.status])
        text.append(f"  {plain(member.rule)}", style="dim")
    return text


def _added(hit: Hit) -> Text:
    """The contribution of each group of channels, after a mark in its colour."""
    text = Text()
    for item in seen(added(hit)):
        text.append("▌", style=_COLOURS[item.group.colour]).append(f"{item.group.name} {signed(item.value)}  ")
    text.rstrip()
    return text
