"""Every example of the documentation runs as it is printed: doctests, Python blocks and shell commands."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import example_desk
import house
from extras import skip_without
from foreart.cli.app import COMMANDS, app
from foreart.library import Library

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# The invented corpus is small: it has no thousand random documents a target, and not every table of the paper is made.
ALSO = {"pairs": ["--random", "30"], "paper": ["--random", "30", "--only", "T6,F2,F8"]}
TYPED = {"label": "3\nq\n", "review": "r\nq\n"}  # what a person types who judges one pair or document
FETCHES = re.compile(r"foreart crawl (?!.*(--from all-patents|--status))")
SERVES = re.compile(
    r"foreart (serve|open|cluster (start|status)|mcp (?!.*--json))\b"
)  # until Ctrl-C; tests of their own start it
ELSEWHERE = re.compile(r" (dask|tls|https?)://")  # on a cluster: tests/cluster has one


def _doctests() -> list[str]:
    found = (path for path in house.modules() if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE))
    return [".".join(path.relative_to(ROOT / "src").with_suffix("").parts) for path in found]


@pytest.mark.parametrize("name", _doctests())
def test_doctests_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def _blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of each fenced block."""
    return [(match[1], match[2]) for match in FENCE.finditer((ROOT / page).read_text("utf-8"))]


def _commands(block: str) -> list[str]:
    return [line for line in block.splitlines() if line.startswith("foreart ")]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("examples")
    example_desk.lay(place / "desk")
    return place


def _runs(page: str) -> bool:
    return any(language == "python" or (language == "sh" and _commands(text)) for language, text in _blocks(page))


@pytest.mark.parametrize("page", [page for page in PAGES if _runs(page)])
def test_the_examples_of_a_page_run(page: str, laid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, as a reader would try them: one folder and one Python session a page."""
    shutil.copytree(laid, tmp_path, dirs_exist_ok=True)
    desk = tmp_path / "desk"
    monkeypatch.chdir(desk)
    session: dict[str, object] = {}
    try:
        _try(page, desk, session)
    finally:
        for value in session.values():
            if isinstance(value, Library):
                value.close()


def _try(page: str, desk: Path, session: dict[str, object]) -> None:
    for language, text in _blocks(page):
        if language == "python":
            example_desk.provide(desk, text)
            exec(compile(text, page, "exec"), session)
        elif language == "sh":
            for command in _commands(text):
                example_desk.provide(desk, command)
                _run(command)


def _run(command: str) -> None:
    words = shlex.split(command, comments=True)[1:]
    words, target = (words[: words.index(">")], words[-1]) if ">" in words else (words, "")
    if FETCHES.match(command) or SERVES.match(command) or ELSEWHERE.search(command):
        _understood(words)
        return
    result = CliRunner().invoke(app, [*words, *ALSO.get(words[0], ())], input=TYPED.get(words[0]))
    if result.exit_code:
        skip_without(result.output)
    assert result.exit_code == 0, (command, result.output, result.exception)
    if target:
        Path(target).write_text(result.stdout, "utf-8")


def _understood(words: list[str]) -> None:
    """Options and arguments are those of the command, or of its subcommand; nothing is fetched or served in a test."""
    command: click.Command = app
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, name, words = found, words[0], words[1:]
    command.make_context(name, words).close()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_in_the_help_of_a_command_is_understood(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = CliRunner().invoke(app, [name, "--help"], terminal_width=200).output.split("Example:\n")[1]
    lines = [shlex.split(line, comments=True)[1:] for line in example.splitlines() if line.strip()]
    assert lines
    for words in lines:
        for word in words:
            if word == "expert-set":
                Path(word).mkdir(exist_ok=True)
            elif Path(word).suffix and "://" not in word:
                Path(word).touch()
        _understood(words[: words.index(">")] if ">" in words else words)


def test_no_example_is_left_out() -> None:
    """A block whose language is misspelled, or a line that is no command, would never run."""
    blocks = [(page, *block) for page in PAGES if page != "docs/commands.md" for block in _blocks(page)]
    assert {language for _, language, _ in blocks} <= {"", "json", "python", "sh", "yaml"}
    unnamed = [text for _, language, text in blocks if not language]
    assert [text for text in unnamed if re.search(r"^(foreart|import|from) ", text, re.MULTILINE)] == []
    lines = [line for _, language, text in blocks if language == "sh" for line in text.splitlines() if line]
    assert [line for line in lines if not line.startswith(("foreart ", "make "))] == []
    assert len([line for line in lines if line.startswith("foreart ")]) > 50
