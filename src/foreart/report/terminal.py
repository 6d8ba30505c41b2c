"""The result as a table for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from foreart.report.wording import count, cutoff_sentence, earlier_member, left_out_sentence, plain, shares
from foreart.search import Hit, Result, Status

_STYLES: dict[Status, str] = {
    "prior art": "bold green",
    "novelty only": "bold yellow",
    "date unknown": "bold magenta",
    "after the date": "dim",
}
_BAR = 8
_WORDS = 6
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def terminal_report(result: Result) -> RenderableType:
    """A table of the hits with the words that made each score; to be printed with rich."""
    head = Text(plain(result.draft_title) or "(draft without a title)", style="bold")
    facts = Text(
        f"Cut-off {cutoff_sentence(result)} · {count(result.compared, 'document')} compared · {result.index}",
        style="dim",
    )
    parts: list[RenderableType] = [head, facts]
    parts += [Text(f"Note on the draft: {plain(note)}", style="yellow") for note in result.draft_notes]
    parts.append(_table(result) if result.hits else Text("\nNo document shares a word with the draft."))
    if result.left_out_count:
        parts.append(Text(left_out_sentence(result), style="dim"))
    return Group(*parts)


def _table(result: Result) -> Table:
    table = Table(box=None, padding=(1, 1, 0, 0), header_style="dim")
    table.add_column("", justify="right")
    table.add_column("Score", no_wrap=True)
    table.add_column("Document", no_wrap=True)
    table.add_column("Status", no_wrap=True)
    table.add_column("Title, and the words that made the score", ratio=1)
    best = result.hits[0].score
    for hit in result.hits:
        table.add_row(str(hit.rank), _score(hit, best), _document(hit), _status(hit), _title(hit))
    return table


def _score(hit: Hit, best: float) -> Text:
    return Text(f"{hit.score:.3f}\n").append(_bar(hit.score / best), style="cyan")


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


def _title(hit: Hit) -> Text:
    text = Text(plain(hit.title) or "(no title)")
    words = ", ".join(f"{word} {share:.0%}" for word, share in shares(hit, _WORDS))
    text.append(f"\n{words}", style="dim")
    if hit.family_members:
        text.append("\nalso " + ", ".join(plain(member.id) for member in hit.family_members), style="dim italic")
    return text
