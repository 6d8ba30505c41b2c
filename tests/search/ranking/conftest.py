"""Towns that all tests of rankings look at, built once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ranking_world import Town, town


@pytest.fixture(scope="session")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A town in which documents of the same words cite each other."""
    made = Town(tmp_path_factory.mktemp("by-words"), town("words"))
    yield made
    made.close()
