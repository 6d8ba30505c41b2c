"""The labelling session in the terminal: shows a target and a document, and asks for a score without any hint."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from foreart.cli.options import open_corpus
from foreart.cli.printing import messages, output, print_json, visible
from foreart.corpus import Corpus
from foreart.document.patent import Claim, Patent
from foreart.review.expert_folder import labels_folder, read_sheet
from foreart.review.labels import HIGHEST, LOWEST, Pair, append_label, label_file, latest, rater_name, read_labels
from foreart.review.session import Session, rater_order
from foreart.review.sheet import SCALE, SheetRow

# Answers other than a score: their name in the question and their explanation in the help.
KEYS: dict[str, tuple[str, str]] = {
    "s": ("skip", "leave it for the next session"),
    "b": ("back", "return to the pair before"),
    "c": ("comment", "write a remark on this pair"),
    "m": ("more", "read all claims of the document"),
    "t": ("target", "read the target again"),
    "q": ("quit", "stop; the same command resumes here"),
    "?": ("help", "show this help"),
}
_SCORES = [str(score) for score in range(LOWEST, HIGHEST + 1)]


def label(path: Path, rater: str, folder: Path, as_json: bool) -> None:
    """Asks a rater to judge the pairs of a sheet until all are judged, the rater quits, or the input ends."""
    name = rater_name(rater)
    rows = {(row.target, row.document): row for row in read_sheet(path)}
    file = label_file(labels_folder(path), name)
    known = latest(read_labels(file))
    session = Session(rater_order(rows, name), known, partial(append_label, file), rater=name)
    corpus = open_corpus(folder) if (folder / "corpus.db").exists() else None
    try:
        stopped = Dialogue(session, rows, corpus, messages() if as_json else output()).run()
    finally:
        if corpus is not None:
            corpus.close()
    if as_json:
        print_json({"rater": name, "judged": session.judged, "left": session.left, "file": str(file)})
    else:
        _print_summary(session, file)
    if stopped:
        raise SystemExit(130)


def _print_summary(session: Session, file: Path) -> None:
    summary = f"{session.judged} of {len(session.pairs)} judged, saved in {file}"
    output().print(summary + ("; run the same command again to resume" if session.left else ""), soft_wrap=True)


class Dialogue:
    """One labelling session at the terminal or through a pipe."""

    def __init__(
        self, session: Session, rows: Mapping[Pair, SheetRow], corpus: Corpus | None, console: Console
    ) -> None:
        self.session = session
        self.rows = rows
        self.corpus = corpus
        self.console = console
        self._target = ""

    def run(self) -> bool:
        """Asks until the session ends; returns whether Ctrl-C interrupted it."""
        if self.session.current is not None:
            self._help()
        try:
            while (pair := self.session.current) is not None:
                self._show(pair)
                if not self._answered(pair):
                    break
        except EOFError:
            self.console.print()
        except KeyboardInterrupt:
            self.console.print()
            return True
        return False

    def _answered(self, pair: Pair) -> bool:
        """Asks until the pair is judged or skipped; False if the rater quits."""
        actions: dict[str, Callable[[Pair], None]] = {
            "m": self._more,
            "t": self._show_target,
            "c": self._comment,
            "?": lambda pair: self._help(),
        }
        while True:
            answer = self._ask(self._question(pair)).lower()
            if answer in _SCORES:
                self.session.judge(int(answer))
                return True
            if answer == "s":
                self.session.skip()
                return True
            if answer == "b":
                if self.session.back():
                    return True
                self._say("this is the first pair")
            elif answer == "q":
                return False
            elif answer in actions:
                actions[answer](pair)
            else:
                self._say(f"enter a whole number from {LOWEST} to {HIGHEST}, or one of {' '.join(KEYS)}")

    def _question(self, pair: Pair) -> str:
        position = self.session.pairs.index(pair) + 1
        keys = ", ".join(f"{key} {name}" for key, (name, _) in KEYS.items())
        return f"{position} of {len(self.session.pairs)} · {LOWEST}–{HIGHEST}, {keys}: "

    def _ask(self, question: str) -> str:
        self.console.print(Text(question, "bold"), end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()

    def _comment(self, pair: Pair) -> None:
        self.session.comment(self._ask("comment: "))

    def _help(self) -> None:
        self._say("How relevant is the document as prior art of the target?")
        for key, meaning in (*SCALE.items(), *((key, f"{name}: {text}") for key, (name, text) in KEYS.items())):
            self._say(f"  {key}  {meaning}")

    def _show(self, pair: Pair) -> None:
        if pair[0] != self._target:
            self._show_target(pair)
        row = self.rows[pair]
        self.console.print(Rule(Text(f"document {row.document}"), align="left"))
        self._text(self._patent(row.document), row.title, row.abstract)
        before = self.session.label(pair)
        if before is not None:
            score = "no score" if before.score is None else before.score
            self._say(f"your score: {score}" + (f", comment: {before.comment}" if before.comment else ""))

    def _show_target(self, pair: Pair) -> None:
        self._target = pair[0]
        self.console.print(Rule(Text(f"target {pair[0]}"), align="left", characters="═"))
        self._text(self._patent(pair[0]), self.rows[pair].target_title, "")

    def _text(self, patent: Patent | None, title: str, abstract: str) -> None:
        """Title, abstract and first claim, from the corpus where it has them, else from the sheet."""
        self.console.print(Text((patent.title if patent else title) or "(no title)", "bold"))
        self.console.print(Padding(Text((patent.abstract if patent else abstract) or "(no abstract)"), (1, 0)))
        if patent is not None and patent.claims:
            self.console.print(Padding(Text(_numbered(patent.claims[0])), (0, 0, 1, 2)))

    def _more(self, pair: Pair) -> None:
        patent = self._patent(pair[1])
        claims = "\n\n".join(map(_numbered, patent.claims)) if patent is not None else ""
        text = claims or "(the corpus has no claims of this document)"
        if self.console.is_terminal:
            click.echo_via_pager(visible(text))
        else:
            self._say(text)

    def _patent(self, number: str) -> Patent | None:
        return self.corpus[number] if self.corpus is not None and number in self.corpus else None

    def _say(self, text: str) -> None:
        self.console.print(Text(text))


def _numbered(claim: Claim) -> str:
    return f"{claim.number}. {claim.text}"
