"""Towns to learn from, built once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ranking_world import Town, town


@pytest.fixture(scope="session")
def by_lot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A town in which nothing tells who cites whom."""
    made = Town(tmp_path_factory.mktemp("by-lot"), town("lot", documents=48))
    yield made
    made.close()
