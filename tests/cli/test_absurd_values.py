"""Absurd values of options: a sentence and an exit code, whatever is asked of whichever command."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from cli.commands import FIRST, SAMPLE
from foreart.cli.app import COMMANDS, app

PUMP = SAMPLE / "drafts" / "insulin-pump.txt"
# What makes each command with numbers among its options do something.
BASE = {
    "add": (SAMPLE / "patents.jsonl",),
    "chart": (PUMP, FIRST),
    "crawl": ("XX5304988", "--from", SAMPLE / "patents.jsonl"),
    "evaluate": ("--qrels", "{qrels}"),
    "explain": (PUMP, FIRST),
    "learn": (),
    "list": (),
    "near": (),
    "pairs": ("--random", "3"),
    "paper": ("--only", "T7", "--random", "3", "--targets", "{targets}"),
    "rejects": (),
    "review": ("none",),
    "sample": ("--out", "{out}", "--pairs", "{pairs}", "--min-cited", "1", "--each", "1", "-n", "1"),
    "search": (PUMP,),
    "similar": (FIRST,),
    "serve": ("--address", "192.0.2.1"),  # refused without a password, so nothing is served
}
NUMBERS = (
    "-1",
    "0",
    "1",
    "1000000000",
    "99999999999999999999",
    "-99999999999999999999",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "x",
    "",
    "٣",
)
TEXTS = (
    "",
    "-",
    "/",
    "..",
    "../..",
    "\n",
    "a" * 100_000,
    "[" * 100_000,
    "(?" * 1000,
    "%" * 50,
    "' OR 1=1 --",
    "\ud800",
    "*",
    "2004-99-99",
    "9" * 5000,
    "A61B 17/" + "9" * 50,
)


@pytest.fixture
def places(folder: Path, tmp_path: Path) -> dict[str, Path]:
    """A library that may be spoilt, and files that commands read."""
    library = Path(shutil.copytree(folder, tmp_path / "library"))
    (tmp_path / "qrels").write_text(f"{FIRST} 0 XX5304988A 1\n", "utf-8")
    (tmp_path / "targets").write_text(f"{FIRST}\n", "utf-8")
    found = {name: tmp_path / name for name in ("qrels", "targets", "pairs", "out")}
    run("pairs", "--random", "3", "--out", found["pairs"], "-l", library)
    return {"library": library, **found}


def run(*words: object) -> Result:
    """A command that ends, and not with a traceback."""
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), (
        [str(word)[:80] for word in words],
        repr(result.exception)[:500],
    )
    assert result.exit_code in (0, 1, 2)
    assert len(result.stderr) < 20_000
    return result


def options(name: str, *kinds: type) -> Iterator[str]:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    for param in command.params:
        if isinstance(param, click.Option) and isinstance(param.type, kinds) and not param.is_flag:
            yield param.opts[-1]


def words_of(name: str, places: dict[str, Path]) -> list[str]:
    return [name, *(str(word).format(**places) for word in BASE[name]), "-l", str(places["library"])]


def test_every_command_with_numbers_is_tried() -> None:
    kinds = (click.types.IntParamType, click.types.FloatParamType)
    assert {name for name in COMMANDS if list(options(name, *kinds))} == set(BASE)


@pytest.mark.parametrize("name", BASE)
def test_absurd_numbers_are_refused_or_served(name: str, places: dict[str, Path]) -> None:
    for option in options(name, click.types.IntParamType, click.types.FloatParamType):
        for value in NUMBERS:
            shutil.rmtree(places["out"], ignore_errors=True)
            run(*words_of(name, places), f"{option}={value}")


@pytest.mark.parametrize("name", ["list", "search", "chart", "explain", "pairs", "crawl", "evaluate", "near", "sample"])
def test_absurd_texts_are_refused_or_served(name: str, places: dict[str, Path]) -> None:
    rng = random.Random(name)
    for option in options(name, click.types.StringParamType):
        if option not in ("--address", "--weeks", "--contact", "--key", "--secret", "--from"):
            for value in rng.sample(TEXTS, 6):
                shutil.rmtree(places["out"], ignore_errors=True)
                run(*words_of(name, places), f"{option}={value}")


@pytest.mark.parametrize("value", TEXTS, ids=range(len(TEXTS)))
def test_absurd_arguments_are_refused(value: str, places: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    deep = places["library"].parent / "a" / "b" / "c"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    value = "." if value == "/" else value  # all files of the machine would be read
    for words in (("show", value), ("search", value), ("draft", value), ("families", value), ("remove", value),
                  ("chart", PUMP, value), ("explain", PUMP, value), ("add", value), ("read", value),
                  ("verify", value), ("rerun", value), ("diff", value, value), ("label", value, "--rater", value),
                  ("list", "--library", value), ("doctor", "--library", value), (value,)):  # fmt: skip
        at = () if words[0] in ("read", "diff", value) or "--library" in words else ("-l", places["library"])
        run(*words, *at)


SETTINGS = (
    "-1",
    "0",
    "1",
    "1e9",
    "999999999999999999999999",
    "NaN",
    "Infinity",
    "null",
    "true",
    "[]",
    "{}",
    '"x"',
    "x",
)


@pytest.mark.parametrize(
    "kind", ["tfidf", "log-tfidf", "bm25", "lsa", "kpca", "topics", "ppmi", "passages", "embedding"]
)
def test_absurd_parameters_of_an_index_are_refused_or_served(kind: str, places: dict[str, Path]) -> None:
    told = run("build", kind, "--set", "nothing=1", "-l", places["library"]).stderr
    names = told.strip().rpartition("it has ")[2].split(", ")
    assert len(names) >= 2
    rng = random.Random(kind)
    for name in names:
        for value in rng.sample(SETTINGS, 4):
            run("build", kind, "--name", "tried", "--set", f"{name}={value}", "-l", places["library"])
    run("build", kind, "--set", "nothing=" + "[" * 100_000, "-l", places["library"])
    assert run("doctor", "-l", places["library"]).exit_code == 0
