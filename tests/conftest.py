"""Settings of all tests."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

from extras import skip_without
from foreart.errors import MissingExtra

# How long an example takes depends on what else the machine does.
settings.register_profile("foreart", deadline=None)
settings.load_profile("foreart")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make test` starts no JVMs: in each of its processes there would be three."""
    parser.addoption("--cluster", action="store_true", help="run the tests marked cluster too: they start OpenSearch")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what needs OpenSearch, unless it is asked for."""
    if not config.getoption("--cluster"):
        left_out = [item for item in items if item.get_closest_marker("cluster")]
        items[:] = [item for item in items if not item.get_closest_marker("cluster")]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """A fixture that needs an extra skips its tests where the extra is not installed."""
    try:
        yield
    except MissingExtra as error:
        skip_without(str(error))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """So does a test that did not expect the error."""
    try:
        yield
    except MissingExtra as error:
        skip_without(str(error))
        raise
