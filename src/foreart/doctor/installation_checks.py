"""Checks of the installation: versions, extras, space on the disk."""

from __future__ import annotations

import platform
import re
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path
from typing import Literal

from foreart.doctor.health_check import HealthCheck

# A line of metadata such as `gensim>=4.4; python_version < '3.14' and extra == 'word2vec'`.
_REQUIREMENT = re.compile(r"(?P<package>[\w.-]+)[^;]*;.*\bextra == ['\"](?P<extra>\w+)['\"]")


def installation_checks() -> Iterator[HealthCheck]:
    """Versions and extras."""
    yield HealthCheck(
        "foreart", "ok", f"{version('foreart')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    for extra, packages in sorted(extras().items()):
        if all(map(_is_installed, packages)):
            yield HealthCheck(f"extra {extra}", "ok", "installed")
        else:
            yield HealthCheck(f"extra {extra}", "note", f"not installed: pip install 'foreart[{extra}]'")


def extras() -> dict[str, list[str]]:
    """The packages of each extra, from the metadata of this installation; without `all`, the union of the others."""
    packages: dict[str, list[str]] = {}
    for line in metadata("foreart").get_all("Requires-Dist") or ():
        match = _REQUIREMENT.match(line)
        if match and match["extra"] != "all":
            packages.setdefault(match["extra"], []).append(match["package"])
    return packages


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def disk_check(folder: Path) -> Iterator[HealthCheck]:
    """Free space where the library is, or will be."""
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(existing).free
    state: Literal["ok", "bad"] = "ok" if free > 1 << 30 else "bad"
    yield HealthCheck("disk", state, f"{free / (1 << 30):.1f} GiB free at {existing}")
