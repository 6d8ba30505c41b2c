"""Checks the contents of wheel and sdist: `python scripts/check_archives.py WHEEL SDIST`.

The wheel has the files of src/foreart that git knows; the sdist has all files that git knows, but for those of CI. A
stray corpus, report or cache in the checkout must never be published.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Not of use in an archive without git.
_OF_THE_REPOSITORY = (".ci/", ".github/")
# hatchling adds these.
_MADE = {"PKG-INFO"}


def known_files() -> set[str]:
    """All files of the checkout that git knows."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return set(listed.stdout.splitlines())


def difference(found: Iterable[str], expected: Iterable[str]) -> list[str]:
    """One line for each file too many or missing."""
    found, expected = set(found), set(expected)
    many = [f"{name} must not be there" for name in sorted(found - expected)]
    return many + [f"{name} is missing" for name in sorted(expected - found)]


def of_wheel(path: Path, known: set[str]) -> list[str]:
    """What is wrong with the files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    return difference(names, (name.removeprefix("src/") for name in known if name.startswith("src/foreart/")))


def of_sdist(path: Path, known: set[str]) -> list[str]:
    """What is wrong with the files of an sdist."""
    with tarfile.open(path) as archive:
        names = {member.name.split("/", 1)[1] for member in archive if member.isfile()}
    return difference(names - _MADE, (name for name in known if not name.startswith(_OF_THE_REPOSITORY)))


def main(wheel: Path, sdist: Path) -> int:
    """Tells what is wrong; 1 if anything is."""
    known = known_files()
    found = [
        f"{path.name}: {line}" for path, wrong in ((wheel, of_wheel), (sdist, of_sdist)) for line in wrong(path, known)
    ]
    for line in found:
        sys.stderr.write(f"{line}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
