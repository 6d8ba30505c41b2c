"""The reasons for a score for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from foreart.report.wording.explain_wording import (
    amount,
    behind,
    bridge_text,
    calibration_sentence,
    cause_text,
    cutoff_text,
    end_text,
    fusion_text,
    hub_detail,
    place_sentence,
    rest_text,
    silent,
    spot_text,
    sum_sentence,
    where_text,
    words_text,
)
from foreart.report.wording.extract_marks import marks
from foreart.report.wording.phrases import count, percent, plain, signed
from foreart.search.explaining import ChannelReason, Extract, Reasons, Share

_BAR = 24
_WORDS = 7
_SPOTS = 2
_EXTRACT = 700  # characters of a passage


def terminal_explain(reasons: Reasons) -> RenderableType:
    """The reasons of one document, to be printed with rich."""
    return Group(*_head(reasons), *_channels(reasons), *_words(reasons), *_terms(reasons), *_rest(reasons))


def _head(reasons: Reasons) -> Iterator[RenderableType]:
    title = plain(reasons.title) or "(no title)"
    yield Text(plain(reasons.id), style="bold").append(f"  {title}", style="not bold")
    yield Text(f"score {reasons.score:.3f} · {place_sentence(reasons)} · {reasons.status}")
    yield Text(plain(reasons.rule), style="dim")
    yield Text(f"{cutoff_text(reasons)} · {fusion_text(reasons)}", style="dim")
    for sentence in (calibration_sentence(reasons.calibrated), hub_detail(reasons.hub)):
        if sentence:
            yield Text(sentence, style="cyan")
    for note in reasons.notes:
        yield Text(plain(note), style="yellow")


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _channels(reasons: Reasons) -> Iterator[RenderableType]:
    yield _heading("Score contributions")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("channel", no_wrap=True)
    table.add_column("rank in it", justify="right", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("adds", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    largest = max((abs(item.contribution) for item in reasons.channels), default=1.0) or 1.0
    for item in reasons.channels:
        if item.contribution:
            style = "red" if item.contribution < 0 else "cyan"
            bar = Text("█" * max(1, round(abs(item.contribution) / largest * _BAR)), style=style)
            table.add_row(
                item.channel,
                f"{item.rank:,}" if item.rank else "–",
                amount(item.value),
                signed(item.contribution, 3),
                bar,
            )
    yield Padding(table, (0, 0, 0, 2))
    yield Text(f"  {sum_sentence(reasons)}", style="bold")
    silent_channels = silent(reasons)
    if silent_channels:
        yield Text(f"  no contribution: {', '.join(silent_channels)}", style="dim")
    other_channels = behind(reasons)
    if other_channels:
        yield _heading("Sources of the other channels")
        for item in other_channels:
            yield Padding(_behind(item), (0, 0, 0, 2))


def _behind(item: ChannelReason) -> Text:
    text = Text(f"{item.channel}: ", style="bold").append(item.about, style="dim not bold")
    if item.sentence:
        text.append(f"\n  {plain(item.sentence)}", style="not bold")
    for cause in item.causes:
        text.append(f"\n  {plain(cause_text(cause))}", style="not bold")
        if cause.title:
            text.append(f"  {plain(cause.title)}", style="dim not bold")
    rest = rest_text(item)
    return text.append(f"\n  {rest}", style="dim not bold") if rest else text


def _words(reasons: Reasons) -> Iterator[RenderableType]:
    if reasons.fusion == "learned" and reasons.words:
        yield _heading("Contribution of words to the score, over all text channels")
        yield Padding(_bars(reasons.words), (0, 0, 0, 2))
        yield Text(f"  the other words {signed(reasons.words_rest, 3)}", style="dim")
    texts = [item for item in reasons.channels if item.words is not None]
    if texts:
        yield _heading("Contribution of words to each channel")
    for item in texts:
        line = Text(f"{item.channel}: ", style="bold").append(plain(words_text(item, _WORDS)), style="not bold")
        yield Padding(line, (0, 0, 0, 2))


def _bars(shares: tuple[Share, ...]) -> Table:
    table = Table.grid(padding=(0, 2))
    largest = max(abs(share.contribution) for share in shares) or 1.0
    for share in shares:
        bar = Text("█" * max(1, round(abs(share.contribution) / largest * _BAR)), style="cyan")
        table.add_row(Text(plain(share.word)), Text(signed(share.contribution, 3)), bar)
    return table


def _terms(reasons: Reasons) -> Iterator[RenderableType]:
    if reasons.terms:
        yield _heading("Rare terms in both texts")
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("term", "in the corpus", "in the draft", "in the document"):
            table.add_column(name)
        for item in reasons.terms:
            row = (
                item.term,
                count(item.documents, "document"),
                where_text(item.in_draft, _SPOTS),
                where_text(item.in_document, _SPOTS),
            )
            table.add_row(*(Text(plain(cell)) for cell in row))
        yield Padding(table, (0, 0, 0, 2))
    if reasons.bridges:
        by = f", by the word vectors of index {reasons.bridges_by}" if reasons.bridges_by else ""
        yield _heading(f"Bridges: words of similar meaning{by}; they do not contribute to the score")
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("draft", "document", "", "in the draft", "in the document"):
            table.add_column(name)
        for bridge in reasons.bridges:
            where = (where_text(end.where, _SPOTS) for end in (bridge.draft, bridge.document))
            cells = (end_text(bridge.draft), end_text(bridge.document), bridge_text(bridge), *where)
            table.add_row(*(Text(plain(cell)) for cell in cells))
        yield Padding(table, (0, 0, 0, 2))


def _rest(reasons: Reasons) -> Iterator[RenderableType]:
    if reasons.extracts:
        yield _heading("Passages of the document")
    for item in reasons.extracts:
        yield Padding(_extract(item), (0, 0, 1, 2))


def _extract(item: Extract) -> Text:
    text = plain(item.text).replace("\n", " ").replace("\t", " ")
    shown = Text(text if len(text) <= _EXTRACT else text[:_EXTRACT] + " …")
    for start, end, bridge in marks(text[:_EXTRACT], item):
        shown.stylize("bold magenta" if bridge else "bold cyan", start, end)
    head = Text(
        f"{plain(spot_text(item.spot))} · its words are {percent(item.share)} of the text similarity\n", style="dim"
    )
    return head.append_text(shown)
