"""The sample corpus as a library, for the commands that are called on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands import SAMPLE
from foreart.library import Library


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, to be read only."""
    place = tmp_path_factory.mktemp("library")
    with Library(place) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.build()
    return place
