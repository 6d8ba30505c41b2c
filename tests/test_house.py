"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import foreart
from foreart.cli.app import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "foreart"
MODULES = sorted(SOURCE.rglob("*.py"))
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "service", "handler"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text
    assert text.splitlines()[0].endswith((".", "?", ":")), text.splitlines()[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_is_a_drawer_or_a_warehouse(path: Path) -> None:
    assert path.stem not in DRAWERS
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_the_public_names_are_exactly_those_of_all() -> None:
    assert foreart.__all__ == sorted(foreart.__all__)
    for name in foreart.__all__:
        assert getattr(foreart, name) is not None
    assert set(dir(foreart)) >= set(foreart.__all__)


def test_import_is_light_and_without_effects() -> None:
    code = (
        "import sys, threading, logging; before = set(sys.modules); import foreart; "
        "heavy = {'numpy', 'scipy', 'lxml', 'click', 'rich', 'datasketch', 'matplotlib', 'pyarrow', 'docx', 'pypdf'}; "
        "print(sorted(heavy & set(sys.modules)), threading.active_count(), logging.getLogger().handlers)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "[] 1 []\n"


def test_help_works_without_any_dependency_but_click() -> None:
    """Not even the libraries of the base install are touched by `--help`."""
    code = (
        "import sys\n"
        "class Closed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'matplotlib', 'pyarrow', 'pytest', 'hypothesis', 'lxml', 'scipy'}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Closed())\n"
        "sys.argv = ['foreart', '--help']\n"
        "from foreart.cli import main\n"
        "main()\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.startswith("Usage: foreart")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_an_example_and_json(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert "Example:" in result.output
    assert f"foreart {name}" in result.output.split("Example:")[1]
    assert "--json" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_in_the_table_is_the_help_of_the_command(name: str) -> None:
    command = app.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert command.name == name
    assert (command.help or "").strip()


def test_every_room_names_what_it_offers() -> None:
    for package in sorted(path.parent for path in SOURCE.rglob("__init__.py")):
        name = ".".join(("foreart", *package.relative_to(SOURCE).parts))
        module = importlib.import_module(name)
        offered = getattr(module, "__all__", None)
        assert offered is not None, name
        assert all(hasattr(module, item) for item in offered), name


RULES = {
    "an undocumented function": ("def thing() -> None:\n    pass\n", "D103"),
    "an unannotated one": ('"""M."""\n\n\ndef thing(a):\n    """D."""\n', "ANN001"),
    "a print": ('"""M."""\n\nprint("x")\n', "T201"),
    "a broad except": ('"""M."""\n\ntry:\n    x = 1\nexcept Exception:\n    x = 2\n', "BLE001"),
    "an unused import": ('"""M."""\n\nimport os\n', "F401"),
    "os.path": ('"""M."""\n\nimport os\n\nX = os.path.join("a", "b")\n', "PTH118"),
    "eval": ('"""M."""\n\nX = eval("1")\n', "S307"),
}


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


def test_the_layers_really_hold(tmp_path: Path) -> None:
    """A copy of the house in which a lower room imports a higher one, and one with a new drawer, are refused."""
    import shutil

    for name, text in (
        ("patent.py", "from foreart.corpus import Corpus\n"),
        ("gadgets.py", '"""A drawer."""\n'),
    ):
        copy = tmp_path / name.removesuffix(".py")
        shutil.copytree(SOURCE, copy / "foreart", ignore=shutil.ignore_patterns("__pycache__", "sample"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        target = copy / "foreart" / name
        target.write_text((target.read_text(encoding="utf-8") if target.exists() else "") + text)
        result = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()",
                "--no-cache",
            ],
            capture_output=True,
            text=True,
            cwd=copy,
        )
        assert result.returncode == 1, result.stdout + result.stderr
        assert "BROKEN" in result.stdout
