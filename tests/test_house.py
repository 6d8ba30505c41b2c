"""The rules of the house that no linter knows."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import foreart
import house
from extras import needs_tools
from foreart import errors
from foreart.cli.app import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
SOURCE = house.SOURCE


@pytest.mark.parametrize("path", house.modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert house.undocumented(path.read_text(encoding="utf-8")) == ""


@pytest.mark.parametrize("path", house.modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_is_a_drawer_or_a_warehouse(path: Path) -> None:
    assert house.misplaced(path) == ""


def test_no_name_is_used_twice_and_no_package_is_too_small_or_too_large() -> None:
    assert house.repeated_modules() == set()
    assert house.repeated_classes() == set()
    assert house.odd_packages() == set()


def test_no_neighbours_in_any_package_import_each_other(tmp_path: Path) -> None:
    """`lint-imports` names the layers of most packages; this sees cycles in all of them."""
    assert house.cycles() == []
    planted = {
        "one.py": "from room.two import b\n",
        "two.py": "def b():\n    import room.three\n",
        "three.py": "from room import one\n",
        "four.py": "if TYPE_CHECKING:\n    from room.five import e\n",
        "five.py": "import room.four\n",
        "inner/__init__.py": "from room.inner.six import f\n",
        "inner/six.py": "from room.inner import g\n",
    }
    for name, source in planted.items():
        (tmp_path / "room" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "room" / name).write_text(source, encoding="utf-8")
    outer, inner = house.cycles(tmp_path / "room")
    assert outer.startswith("room: ") and {"one", "two", "three"} == set(outer[6:].split(" ← "))
    assert inner.startswith("room.inner: ") and {"__init__", "six"} == set(inner[12:].split(" ← "))


def test_nobody_asks_which_kind_of_index_or_ranker_it_has() -> None:
    kinds = house.kinds_of({"Index", "IndexForm", "Explanation", "Ranker", "Comparison", "Fusion"})
    assert {"WordIndex", "PassageExplanation", "FusedRanker", "_IndexComparison", "Weighted"} <= kinds
    sources = {path: path.read_text(encoding="utf-8") for path in house.modules()}
    assert {
        path.name: asked for path, source in sources.items() if (asked := house.kind_questions(source, kinds))
    } == {}
    assert house.kind_questions("isinstance(x, str | WordIndex)", kinds) == {"WordIndex"}


# A matter is a file of its own; the paper's data are SQLite, and PatentsView's tables are joined in a temporary file.
SQL = {"sources/formats/paper_data.py", "sources/formats/patentsview_tables.py", "review/matters/event_log.py"}


def test_only_the_corpus_speaks_sql_and_three_named_modules() -> None:
    found = {str(path.relative_to(SOURCE)) for path in house.modules() if house.speaks_sql(path.read_text("utf-8"))}
    assert {name for name in found if not name.startswith("corpus/")} == SQL
    assert house.speaks_sql("import sqlite3\nsqlite3.connect('x')")
    assert house.speaks_sql("self._connection.executemany('INSERT', rows)")
    assert not house.speaks_sql("execute(x); sqlite3.Error")


PAGES = [*sorted(SOURCE.rglob("*.html")), *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("*.md"))]


@pytest.mark.parametrize("path", [*house.modules(), *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_prose_uses_the_words_of_the_field(path: Path) -> None:
    assert house.dialect(path) == []


def test_the_check_of_prose_really_checks(tmp_path: Path) -> None:
    module = tmp_path / "planted.py"
    module.write_text(
        '"""Names are parted."""\n\nlikeness = "likeness"  # `anew` is a name\n# To split all is dear.\n'
        'MESSAGE = f"{likeness} is damaged: build it anew"\n',
        encoding="utf-8",
    )
    assert house.dialect(module) == [
        "planted.py:1: 'parted': write 'separated, split'",
        "planted.py:5: 'anew': write 'again'",
        "planted.py:4: 'dear': write 'expensive'",
    ]
    page = tmp_path / "planted.md"
    page.write_text("For want of a date, `likeness` decides.\n```\nanew\n```\nTold apart.\n", encoding="utf-8")
    assert house.dialect(page) == [
        "planted.md:1: 'For want of': write 'without'",
        "planted.md:5: 'Told apart': write 'distinguished'",
    ]


PACKAGES = sorted(path for path in house.modules() if path.name == "__init__.py")


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: str(path.parent.relative_to(SOURCE)))
def test_every_package_lists_exactly_what_it_offers(path: Path) -> None:
    """Ruff's RUF022 sees to the order."""
    assert house.unlisted(path.read_text(encoding="utf-8")) == set()
    module = importlib.import_module(".".join(("foreart", *path.parent.relative_to(SOURCE).parts)))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert len(module.__all__) == len(set(module.__all__))


def test_the_public_names_are_exactly_those_of_all() -> None:
    assert len(foreart.__all__) == len(set(foreart.__all__))  # the order is that of RUF022
    assert set(foreart.__all__) <= set(dir(foreart))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        foreart.Nothing  # noqa: B018


def test_every_error_of_the_tree_is_public_and_drawn() -> None:
    """Each class stands in the tree at the depth of its ancestors."""
    tree = (errors.__doc__ or "").split("\n\n", 1)[1].splitlines()
    drawn = {match[2]: len(match[1]) // 4 for line in tree if (match := re.match(r"([│├└─ ]*)(\w+)", line))}
    found = {name: held for name, held in vars(errors).items() if isinstance(held, type)}
    assert set(found) <= set(foreart.__all__)
    assert drawn == {
        name: len([one for one in held.__mro__ if one.__name__ in found]) - 1 for name, held in found.items()
    }


def test_the_function_evaluate_is_not_hidden_by_a_module() -> None:
    importlib.import_module("foreart.evaluation")
    assert callable(foreart.evaluate)


def test_import_is_light_and_without_effects() -> None:
    assert house.third_party("import foreart") == []
    code = (
        "import threading, logging, foreart; "
        "print(threading.active_count(), logging.getLogger().handlers, logging.getLogger('foreart').handlers)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1 [] []\n"


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_works_without_any_dependency_but_click(option: str) -> None:
    """Not even the libraries of the base install are touched."""
    code = f"sys.argv = ['foreart', '{option}']\nfrom foreart.cli import main\nmain()\n"
    done = house.with_only_click(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith({"--help": "Usage: foreart", "--version": "foreart "}[option])


def test_the_table_of_commands_is_the_list_of_help_and_of_the_page() -> None:
    """Each command once, in the order of the table, with its line."""
    text = CliRunner().invoke(app, ["--help"], terminal_width=200).output
    listed = re.findall(r"^  (\w+)  +(.+)$", text.split("Commands:\n")[1].split("\n\n")[0], re.MULTILINE)
    assert listed == [(name, line) for name, (_, line) in COMMANDS.items()]
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^## foreart (\w+)$", page, re.MULTILINE) == list(COMMANDS)
    assert [line for _, line in COMMANDS.values() if not re.fullmatch(r"[A-Z].*\.", line)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_of_the_table_is_the_one_that_runs(name: str) -> None:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    assert command.name == name
    assert (command.help or "").strip().split("\n\n")[0].rstrip().endswith((".", "?"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_an_example_and_json(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Example:" in result.output
    assert f"foreart {name}" in result.output.split("Example:")[1]
    assert "--json" in result.output


DOORS = {"printing.py", "outputs.py", "edge.py"}
# The entry point writes one word where an import was interrupted: the doors are not there yet.
COMMAND_MODULES = sorted(path for path in house.modules(SOURCE / "cli") if path.name not in DOORS | {"__init__.py"})


@pytest.mark.parametrize("path", COMMAND_MODULES, ids=lambda path: path.stem)
def test_commands_print_and_write_through_the_doors(path: Path) -> None:
    assert house.past_the_door(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("Console(stderr=True).print(x)", {"Console"}),
        ("click.echo(x); Text.from_markup(x)", {"click.echo", "Text.from_markup"}),
        ("path.write_text(x); write_bytes(x); messages().status(x)", {"path.write_text", "messages().status"}),
        ("sys.stdout.write(x); sys.stdin.read()", {"sys.stdout"}),
        ("output().print(x); click.echo_via_pager(visible(x))", set()),
    ],
)
def test_the_check_of_doors_really_checks(source: str, found: set[str]) -> None:
    assert house.past_the_door(source) == found


def _tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_the_checks_of_modules_really_check(tmp_path: Path) -> None:
    """Each rule of this page is broken on purpose, here and below."""
    assert house.undocumented("X = 1\n") == "no docstring"
    assert house.undocumented('"""Things"""\n') == "no sentence: Things"
    tree = _tree(tmp_path, {"utils.py": "", "long.py": "\n" * 301, "good.py": "\n" * 300})
    assert house.misplaced(tree / "utils.py")
    assert house.misplaced(tree / "long.py") == "301 lines"
    assert house.misplaced(tree / "good.py") == ""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from foreart.document.patent import Claim, Patent\n__all__ = ['Patent']\n", {"Claim"}),
        ("from foreart.document.patent import Patent\n__all__ = ['Claim', 'Patent']\n", {"Claim"}),
        ("X = 1\ndef f(): ...\nclass C: ...\n__all__: list[str] = []\n", {"X", "f", "C"}),
        ("from pathlib import Path\n_X = 1\n__all__ = []\n", set()),
        ("if TYPE_CHECKING:\n    from .patent import Patent\n__all__ = []\n", {"Patent"}),
    ],
)
def test_the_check_of_all_really_checks(source: str, found: set[str]) -> None:
    assert house.unlisted(source) == found


def test_the_checks_of_names_and_sizes_really_check(tmp_path: Path) -> None:
    many = {f"many/m{item}.py": "" for item in range(16)} | {f"good/g{item}.py": "" for item in range(5)}
    tree = _tree(
        tmp_path,
        {
            **dict.fromkeys(("__init__.py", "few/__init__.py", "many/__init__.py", "good/__init__.py"), ""),
            **many,
            "few/reading.py": "class Table: ...\nclass Row: ...\n",
            "good/reading.py": "class Table: ...\n",
        },
    )
    assert house.repeated_modules(tree) == {"reading"}
    assert house.repeated_classes(tree) == {"Table"}
    assert house.odd_packages(tree) == {".", "few", "many"}


def test_the_checks_of_imports_really_check() -> None:
    assert "click" in house.third_party("import click")
    done = house.with_only_click("import click, numpy\n")
    assert done.returncode == 1
    assert "numpy is closed" in done.stderr


RULES = {
    "an undocumented function": ("def thing() -> None:\n    pass\n", "D103"),
    "an unannotated one": ('"""M."""\n\n\ndef thing(a):\n    """D."""\n', "ANN001"),
    "a print": ('"""M."""\n\nprint("x")\n', "T201"),
    "a broad except": ('"""M."""\n\ntry:\n    x = 1\nexcept Exception:\n    x = 2\n', "BLE001"),
    "an unused import": ('"""M."""\n\nimport os\n', "F401"),
    "os.path": ('"""M."""\n\nimport os\n\nX = os.path.join("a", "b")\n', "PTH118"),
    "an unsorted __all__": ('"""M."""\n\nB = 1\nA = 1\n__all__ = ["B", "A"]\n', "RUF022"),
    "eval": ('"""M."""\n\nX = eval("1")\n', "S307"),
}


@needs_tools
@pytest.mark.parametrize(("source", "rule"), RULES.values(), ids=RULES)
def test_the_linter_really_checks(source: str, rule: str) -> None:
    """Each rule is broken on purpose: a checker that checks nothing would say nothing."""
    result = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--stdin-filename", "src/foreart/broken.py", "-"],
        input=source,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert result.returncode == 1
    assert rule in result.stdout


@needs_tools
def test_the_type_checker_really_checks(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text('def length(text: str) -> int:\n    return text == 1 and text or "x"\n')
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(broken)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert result.returncode == 1
    assert "Incompatible return value" in result.stdout


def _linted(copy: Path) -> str:
    """What import-linter says of a copy of the source tree; it must find fault."""
    code = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], capture_output=True, text=True, cwd=copy, env=_ENVIRONMENT
    )
    assert result.returncode == 1, result.stdout + result.stderr
    return result.stdout


# The copy is linted, wherever else foreart may be found.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _copied(copy: Path) -> Path:
    shutil.copytree(SOURCE, copy / "foreart", ignore=shutil.ignore_patterns("__pycache__", "sample"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def _file_of(copy: Path, module: str) -> Path:
    """The file of a module, or of a package its first module."""
    path = copy / module.replace(".", "/")
    return path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"


@needs_tools
def test_every_contract_of_imports_really_holds(tmp_path: Path) -> None:
    """In a copy of the house the lowest layer of each contract imports the highest, and each is reported."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    copy = _copied(tmp_path)
    for contract in contracts:
        (container,) = contract["containers"]
        highest, lowest = (contract["layers"][place].split(" | ")[0].strip() for place in (0, -1))
        target = _file_of(copy, f"{container}.{lowest}")
        target.write_text(target.read_text("utf-8") + f"\nimport {container}.{highest}\n", "utf-8")
    told = _linted(copy)
    assert [
        each["name"] for each in contracts if not re.search(rf"^{re.escape(each['name'])} BROKEN", told, re.M)
    ] == []


@needs_tools
def test_a_module_in_no_layer_is_refused(tmp_path: Path) -> None:
    copy = _copied(tmp_path)
    (copy / "foreart" / "gadgets.py").write_text('"""A drawer."""\n')
    assert re.search(r"BROKEN", _linted(copy))
