"""A real Chromium on a real server with the sample corpus; nothing leaves loopback."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from foreart import SAMPLE, Library
from hostile_corpus import hostile_library
from server_world import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("FOREART_CHROMIUM") or shutil.which("chromium") or ""
if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "playwright", "axe_playwright_python")):
    collect_ignore_glob = ["test_*.py"]
# Milliseconds; others may be using the processors.
_TIMEOUT = 40_000
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or the one that FOREART_CHROMIUM names."""
    if not CHROMIUM:
        pytest.skip("there is no chromium: install it, or name its path in FOREART_CHROMIUM")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_TIMEOUT)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of the sample corpus, one for all tests of a module's session."""
    folder = tmp_path_factory.mktemp("browser") / "library"
    with Library(folder) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    process = Serving(folder).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def hostile_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server of a corpus with scripts in every field."""
    folder = tmp_path_factory.mktemp("hostile") / "library"
    hostile_library(folder)
    process = Serving(folder).start()
    yield process
    process.stop()


@pytest.fixture
def open_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts; at the end no request may have left loopback and no page may have failed."""
    contexts: list[BrowserContext] = []
    requested: list[str] = []
    faults: list[str] = []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        context.set_default_timeout(_TIMEOUT)
        context.add_init_script(
            "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
        )
        context.on("request", lambda request: requested.append(request.url))
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on(
            "console", lambda message: faults.append(message.text) if message.text.startswith("policy: ") else None
        )
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert faults == []
    assert {urlsplit(url).hostname for url in requested if not url.startswith(("data:", "blob:"))} <= {"127.0.0.1"}


@pytest.fixture
def page(open_context: Callable[..., BrowserContext], desk: Serving) -> Page:
    """The start page at 1280 px, signed in."""
    found = open_context().new_page()
    found.goto(f"{desk.address}#{desk.token}")
    # Before it is ready nobody listens to its controls.
    found.wait_for_selector("body[data-ready]")
    return found


@pytest.fixture
def draft_file() -> Path:
    """A draft of the sample."""
    return SAMPLE / "drafts" / "insulin-pump.txt"
