"""Text of unknown origin reaches the terminal as text: no markup, no control characters, whatever the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.commands import SAMPLE
from foreart.cli.app import app
from foreart.cli.printing import visible
from foreart.corpus import Corpus
from foreart.corpus.frontier import Frontier
from foreart.document.patent import Citation, Claim, Origin, Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.library import Library

# Rich markup that does not close, a title and a colour for the terminal (C0 and C1), and text from right to left.
NASTY = "[/b] [bold]x[link=file:///etc] :bomb: \x1b]0;owned\x07\x1b[31m \x9b31m \x7f \u202egpj.exe \u2066 \ud83d"
FIRST, SECOND, THIRD = "[/b]1\x1b[31m", "[/b]2\x1b[31m", "US7999999B2"
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def nasty(number: str, cited: str) -> Patent:
    """A patent whose every text is hostile."""
    return Patent(
        id=number,
        title=NASTY,
        abstract=f"{NASTY} bone screw {number}",
        claims=(Claim(1, f"A bone screw {NASTY}"), Claim(2, f"The screw of claim 1 {NASTY}", (1,))),
        description=(Paragraph(NASTY, is_heading=True), Paragraph(f"The screw {NASTY}", number=NASTY)),
        published="2001-02-03",
        filed="2000-01-01",
        applicants=(NASTY,),
        inventors=(NASTY,),
        cpc=(Symbol(NASTY),),
        uspc=(NASTY,),
        language=NASTY,
        family_id=NASTY,
        application_number=NASTY,
        citations=(Citation(cited),),
        origins=(Origin(NASTY, NASTY, NASTY),),
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of hostile records, with a crawl in which a hostile number failed."""
    place = tmp_path_factory.mktemp("hostile")
    with Library(place) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.corpus.add(
            [
                nasty(FIRST, SECOND),
                nasty(SECOND, FIRST),
                nasty(THIRD, FIRST),
                Reject(NASTY, NASTY, NASTY, NASTY.encode("utf-8", "replace"), NASTY),
            ]
        )
        text = NASTY[:-1]  # SQLite refuses lone surrogates
        frontier = Frontier(library.corpus.connection, json.dumps({"source": NASTY, "place": NASTY}))
        frontier.begin([text, "US1A"])
        frontier.decide(text, "failed", detail=text)
        frontier.decide("US1A", "rejected", text)
        library.corpus.connection.execute("COMMIT")
        library.build()
    return place


def run(*words: object, **given: object) -> Result:
    """What a command prints, which is never a traceback and never steers the terminal."""
    result = CliRunner().invoke(app, [*map(str, words)], **given)
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    assert STEERING.findall(result.output) == [], words
    return result


COMMANDS = [
    (0, "list"),
    (0, "list", "--json"),
    (1, "list", "--class", NASTY),
    (1, "list", "--from", NASTY),
    (1, "list", "--applicant", NASTY),
    (2, "list", f"--{NASTY}"),
    (0, "show", FIRST),
    (0, "show", FIRST, "--json"),
    (1, "show", NASTY),
    (0, "export", "--from", "2001"),
    (0, "families"),
    (0, "families", FIRST, "--json"),
    (0, "stats"),
    (0, "rejects"),
    (0, "rejects", "--json"),
    (0, "doctor"),
    (0, "crawl", "--status"),
    (0, "crawl", "--status", "--json"),
    (1, "crawl", NASTY, "--from", NASTY),
    (0, "draft", THIRD),
    (0, "draft", "DRAFT"),
    (1, "draft", FIRST),
    (0, "search", THIRD, "--family"),
    (0, "search", "DRAFT", "--json"),
    (0, "search", "DRAFT", "--index", "tfidf"),
    (0, "search", "DRAFT", "--must", NASTY),
    (1, "search", NASTY),
    (0, "explain", "DRAFT", FIRST),
    (0, "explain", THIRD, SECOND, "--json"),
    (0, "chart", "DRAFT", FIRST, SECOND),
    (1, "chart", "DRAFT", NASTY),
    (0, "near", "--threshold", "0.5"),
    (0, "near", "--threshold", "0.5", "--json"),
    (0, "pairs", "--year", "2001", "--random", "3"),
    (1, "remove", NASTY),
    (0, "evaluate", "--qrels", "QRELS", "--per-query"),
    (1, "build", "--set", NASTY, "tfidf"),
    (1, "build", "--name", NASTY, "tfidf"),
    (2, NASTY),
]


@pytest.mark.parametrize(("code", "words"), [(code, words) for code, *words in COMMANDS], ids=range(len(COMMANDS)))
def test_no_record_steers_the_terminal_or_breaks_a_command(
    hostile: Path, tmp_path: Path, code: int, words: list[str]
) -> None:
    files = {
        "QRELS": f"{FIRST} 0 XX5304988A 1\n",
        "DRAFT": f"{NASTY[:-1]}\n\nWhat is claimed is:\n1. A bone screw {NASTY[:-1]}\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    given = [str(tmp_path / f"{word}.txt") if word in files else word for word in words]
    at = () if words == [NASTY] else ("--library", hostile)
    assert run(*given, *at).exit_code == code


def test_list_and_status_show_markup_as_it_stands(hostile: Path) -> None:
    assert "[/b]1\\u001b[31m" in run("list", "--library", hostile).stdout
    told = run("crawl", "--status", "--library", hostile).stdout
    assert "[/b] [bold]x[link=file:///etc] :bomb: \\u001b]0;owned" in told


def test_files_with_hostile_names_are_read_and_told(tmp_path: Path) -> None:
    name = tmp_path / "[bold]\x1b[31m\nforged line\x9b.jsonl"
    name.write_bytes(b'{"id": "US1A", "title": "x"}\n{"id": "", "title": "[/b]\\u001b[31m"}\n')
    for words in (("read", name), ("add", name, "--library", tmp_path / "l"), ("rejects", "--library", tmp_path / "l")):
        run(*words)
    raw = tmp_path / "\udcff[bold].jsonl"
    raw.write_bytes(b"nothing\x1b[31m")
    run("read", raw)
    assert "\\udcff[bold].jsonl" in run("add", raw, "--library", tmp_path / "l").output + run("read", raw).output


def test_printed_json_reads_back_as_it_was(hostile: Path) -> None:
    shown = json.loads(run("show", FIRST, "--json", "--library", hostile).stdout)
    with Corpus(hostile / "corpus.db") as corpus:
        assert shown["title"] == corpus[FIRST].title
    (line,) = (line for line in run("export", "--library", hostile).stdout.splitlines() if FIRST[:5] in line[:20])
    assert json.loads(line)["id"] == FIRST


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc é 数据 \u200d", "a\tb\nc é 数据 \u200d"),
        ("\x1b[31m", "\\u001b[31m"),
        ("\x9b\x7f\r\x00", "\\u009b\\u007f\\u000d\\u0000"),
        ("\u202e\u2028\ud800", "\\u202e\\u2028\\ud800"),
    ],
)
def test_what_steers_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
