"""Checks of the source tree that no linter has; each returns what breaks a rule."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "foreart"
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "service", "handler"}
MOST_LINES = 300
MOST_MODULES = 15
FEWEST = 5
# One module a format: the only package that grows with the world.
OPEN_ENDED = {"sources/formats"}
# What prints text as markup or as it is, and what writes a file in place and readable for all.
PRINTERS = {"Console", "Progress", "TextColumn", "from_markup", "status", "echo", "secho"}
WRITERS = {"write_text", "write_bytes", "open", "savefig"}
STATEMENTS = {"execute", "executemany", "executescript"}
# Archaic or private phrases and the words of the field that replace them.
DIALECT = {
    "anew": "again",
    "by and by": "later",
    "dear": "expensive",
    "dearer": "more expensive",
    "for want of": "without",
    "foretells?": "predicts",
    "in one go": "at once",
    "lest": "so that … not",
    "likeness": "similarity",
    "parted": "separated, split",
    "plays the draft": "is the training query",
    "told apart": "distinguished",
    "weightiest": "with the highest weight",
    "worth a thread": "minimum per thread",
}
# Refuses to import anything but the standard library, foreart and click.
ONLY_CLICK = """
import sys
class Closed:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in {"foreart", "click", *sys.stdlib_module_names}:
            raise ImportError(f"{name} is closed")
sys.meta_path.insert(0, Closed())
"""


def modules(root: Path = SOURCE) -> list[Path]:
    """All Python files of a source tree."""
    return sorted(root.rglob("*.py"))


def undocumented(source: str) -> str:
    """Why the first line of a module's docstring is no sentence, or nothing."""
    lines = (ast.get_docstring(ast.parse(source)) or "").splitlines()
    if not lines:
        return "no docstring"
    return "" if lines[0].endswith((".", "?", ":")) else f"no sentence: {lines[0]}"


def misplaced(path: Path) -> str:
    """Why a module is too general by name or too long, or nothing."""
    if path.stem in DRAWERS:
        return f"{path.stem} says nothing of what is in it"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    return f"{lines} lines" if lines > MOST_LINES else ""


def speaks_sql(source: str) -> bool:
    """Whether a module opens a database or runs statements."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    names = {ast.unparse(func) for func in calls if isinstance(func, ast.Attribute)}
    return any(name == "sqlite3.connect" or name.rpartition(".")[2] in STATEMENTS for name in names)


def kind_questions(source: str, contracts: Collection[str]) -> set[str]:
    """Classes that `isinstance` asks for and that are kinds of a contract: a method is missing there."""
    asked = {
        name.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        for name in ast.walk(node.args[1])
        if isinstance(name, ast.Name)
    }
    return asked & set(contracts)


def kinds_of(contracts: Collection[str], root: Path = SOURCE) -> set[str]:
    """The classes of a source tree that derive from some classes, these included."""
    bases: dict[str, set[str]] = {}
    for path in modules(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    kinds = set(contracts)
    while more := {name for name, parents in bases.items() if parents & kinds} - kinds:
        kinds |= more
    return kinds


def unlisted(source: str) -> set[str]:
    """By how much `__all__` of a package and the public names that it imports from foreart or defines differ."""
    tree = ast.parse(source)
    offered: set[str] = set()
    listed: set[str] = set()
    inside = {inner for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if node in inside:
            continue
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == "foreart"):
            offered |= {alias.asname or alias.name for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            offered.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            if names == {"__all__"} and node.value is not None:
                listed = set(ast.literal_eval(node.value))
            offered |= names
    return listed ^ {name for name in offered if not name.startswith("_") and name != "TYPE_CHECKING"}


def past_the_door(source: str) -> set[str]:
    """What a module calls to print or write past `cli.printing` and `cli.outputs`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            last = name.rpartition(".")[2]
            if last in PRINTERS or (name != last and last in WRITERS):
                found.add(name)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr"):
            found.add(ast.unparse(node))
    return found


def repeated_modules(root: Path = SOURCE) -> set[str]:
    """Names that two modules have: a reader who hears the name must know the module."""
    return _repeated(path.stem for path in modules(root) if not path.stem.startswith("__"))


def repeated_classes(root: Path = SOURCE) -> set[str]:
    """Names that two classes have."""
    return _repeated(
        node.name
        for path in modules(root)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )


def _repeated(names: Iterable[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def odd_packages(root: Path = SOURCE) -> set[str]:
    """Packages of too little to be one, or of more modules than a person surveys at a glance."""
    return {name for name in _packages(root) if name not in OPEN_ENDED and not _has_a_good_size(root / name)}


def _packages(root: Path) -> list[str]:
    return sorted(path.parent.relative_to(root).as_posix() for path in root.rglob("__init__.py"))


def _has_a_good_size(package: Path) -> bool:
    inside = sum(not path.stem.startswith("__") for path in package.glob("*.py"))
    return inside + len(list(package.glob("*/__init__.py"))) >= FEWEST and inside <= MOST_MODULES


def cycles(root: Path = SOURCE) -> list[str]:
    """Neighbours in a package, modules or packages, that import each other directly or through others."""
    paths = {(root.name, *path.relative_to(root).with_suffix("").parts): path for path in modules(root)}
    neighbours: defaultdict[tuple[str, ...], dict[str, set[str]]] = defaultdict(dict)
    for module, path in paths.items():
        for asked in _imported(path.read_text(encoding="utf-8")):
            names = next((name for end in (0, 1) if (name := asked[: len(asked) - end]) and _is_there(name, paths)), ())
            target = names if names in paths else (*names, "__init__")
            if names and target != module:
                depth = next(place for place, pair in enumerate(zip(module, target, strict=False)) if len({*pair}) > 1)
                neighbours[module[:depth]].setdefault(module[depth], set()).add(target[depth])
    found = []
    for package, graph in sorted(neighbours.items()):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            found.append(f"{'.'.join(package)}: {' ← '.join(error.args[1])}")
    return found


def _is_there(name: tuple[str, ...], paths: Collection[tuple[str, ...]]) -> bool:
    return name in paths or (*name, "__init__") in paths


def _imported(source: str) -> Iterator[tuple[str, ...]]:
    """What a module imports when it runs, also inside functions; a name of `from` may be that of a module."""
    typing = {
        inner
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in map(ast.unparse, node.body)
    }
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and ast.unparse(node) not in typing:
            yield from ((*node.module.split("."), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)


def third_party(statement: str) -> list[str]:
    """The libraries that a statement imports in a fresh process."""
    code = (
        "import sys; before = set(sys.modules); " + statement + "; found = {name.split('.')[0] for name in "
        "set(sys.modules) - before}; print(*sorted(found - {'foreart', *sys.stdlib_module_names}))"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def with_only_click(code: str) -> subprocess.CompletedProcess[str]:
    """What code does where click is the only library."""
    return subprocess.run([sys.executable, "-c", ONLY_CLICK + code], capture_output=True, text=True)


def dialect(path: Path) -> list[str]:
    """Phrases of `DIALECT` in the prose of a module or page, with their lines and replacements."""
    text = path.read_text(encoding="utf-8")
    pieces = _module_prose(text) if path.suffix == ".py" else _page_prose(text)
    return [
        f"{path.name}:{line}: {found[0]!r}: write {better!r}"
        for line, piece in pieces
        for phrase, better in DIALECT.items()
        for found in re.finditer(rf"(?<![\w-]){phrase}(?![\w-])", _without_code(piece), re.IGNORECASE)
    ]


def _module_prose(source: str) -> list[tuple[int, str]]:
    """Docstrings, messages (strings with a space) and comments."""
    strings = [
        (node.lineno, node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return strings + [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def _page_prose(text: str) -> list[tuple[int, str]]:
    """The lines of a page outside of fenced code."""
    lines: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.splitlines(), start=1):
        fenced ^= line.startswith("```")
        lines += [] if fenced else [(number, line)]
    return lines


def _without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`|\{\{.*?\}\}|\{%.*?%\}", "", text)
