"""The result as a table for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from foreart.report.wording import (
    LAWS,
    bar_share,
    count,
    cutoff_sentence,
    earlier_member,
    left_out_sentence,
    nothing_sentence,
    own_family_sentence,
    part_texts,
    plain,
    removed_sentence,
    shares,
)
from foreart.search import Hit, Result, Status

_STYLES: dict[Status, str] = {
    "prior art": "bold green",
    "novelty only": "bold yellow",
    "date unknown": "bold magenta",
    "own family": "bold blue",
    "after the date": "dim",
}
_BAR = 8
_WORDS = 6
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def terminal_report(result: Result, *, family: bool = False) -> RenderableType:
    """A table of the hits, each with its rule and the words that made its score; to be printed with rich.

    `family` lists the other members of each hit's family with their statuses instead of naming them.
    """
    head = Text(plain(result.draft_title) or "(draft without a title)", style="bold")
    facts = Text(
        f"Cut-off {cutoff_sentence(result)}, {LAWS[result.regime]} · {count(result.compared, 'document')} compared · "
        f"{result.index}",
        style="dim",
    )
    parts: list[RenderableType] = [head, facts]
    if result.removed:
        parts.append(Text(plain(removed_sentence(result)), style="dim"))
    parts += [Text(f"Note on the draft: {plain(note)}", style="yellow") for note in result.draft_notes]
    parts.append(_table(result, family) if result.hits else Text(f"\n{nothing_sentence(result)}"))
    if result.own_family:
        parts.append(_own_family(result))
    if result.left_out_count:
        parts.append(Text(left_out_sentence(result), style="dim"))
    return Group(*parts)


def _table(result: Result, family: bool) -> Table:
    table = Table(box=None, padding=(1, 1, 0, 0), header_style="dim")
    table.add_column("", justify="right")
    table.add_column("Score", no_wrap=True)
    table.add_column("Document", no_wrap=True)
    table.add_column("Status", no_wrap=True)
    table.add_column("Title, the words that made the score, and the rule", ratio=1)
    best = result.hits[0].score
    for hit in result.hits:
        table.add_row(str(hit.rank), _score(hit, best), _document(hit), _status(hit), _title(hit, family))
    return table


def _own_family(result: Result) -> Text:
    text = Text("\n" + own_family_sentence(result), style=_STYLES["own family"])
    for item in result.own_family:
        text.append(f"\n  {plain(item.id)}  ", style="not bold").append(plain(item.rule), style="dim not bold")
    return text


def _score(hit: Hit, best: float) -> Text:
    return Text(f"{hit.score:.3f}\n").append(_bar(bar_share(hit.score, best)), style="cyan")


def _bar(share: float) -> str:
    """A bar of block characters in steps of an eighth."""
    eighths = round(share * _BAR * 8)
    full, part = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[part] if part else "")).ljust(_BAR)


def _document(hit: Hit) -> Text:
    return Text(plain(hit.id), style="bold").append(f"\n{hit.published or 'no date'}", style="not bold")


def _status(hit: Hit) -> Text:
    text = Text(hit.status, style=_STYLES[hit.status])
    earlier = earlier_member(hit)
    if earlier:
        text.append("\nfamily: prior art", style="green")
    return text


def _title(hit: Hit, family: bool) -> Text:
    text = Text(plain(hit.title) or "(no title)")
    words = ", ".join(f"{word} {share:.0%}" for word, share in shares(hit, _WORDS))
    text.append(f"\n{words}", style="dim")
    if hit.parts:
        text.append("\n" + " · ".join(map(plain, part_texts(hit))), style="dim cyan")
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
