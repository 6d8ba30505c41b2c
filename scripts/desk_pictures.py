"""Photographs of the desk with the sample corpus: a server of a fresh library, and Chromium."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from PIL import Image

from foreart import SAMPLE, Library

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DRAFT = SAMPLE / "drafts" / "insulin-pump.txt"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
# What the date line of Start calls today.
TODAY = "2026-11-18"
WINDOW, PHONE = (1280, 860), (380, 860)
# Colours of a palette that are exact.
_EXACT = 64


def photograph(folder: Path, browser: str, target: Path) -> None:
    """Writes `desk-PAGE.png`, `desk-PAGE-dark.png` and `desk-PAGE-phone.png` into `target`."""
    from playwright.sync_api import sync_playwright

    library = folder / "sample"
    with Library(library) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.build()
    with _served(library) as (address, token), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(FLAGS))
        for suffix, (size, scheme, names) in SERIES.items():
            page = _opened(chromium, size, scheme, f"{address}#{token}")
            for name in names:
                if name != "start":
                    page.goto(address + name)
                    page.wait_for_selector("body[data-ready]")
                PAGES[name](page)
                page.mouse.move(0, 0)
                page.evaluate("document.activeElement?.blur()")
                page.wait_for_timeout(300)
                _write(page.screenshot(animations="disabled", caret="hide"), target / f"desk-{name}{suffix}.png")
            page.context.close()
        chromium.close()


@contextmanager
def _served(library: Path) -> Iterator[tuple[str, str]]:
    """A server of the library: its address and token."""
    command = [sys.executable, "-m", "foreart", "serve", "--library", str(library), "--port", "0", "--workers", "1"]
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        address, _, token = process.stdout.readline().strip().partition("#")
        try:
            yield address, token
        finally:
            process.terminate()


def _opened(chromium: Browser, size: tuple[int, int], scheme: Literal["light", "dark"], address: str) -> Page:
    """A page of a new context in which the sample draft was dropped."""
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
    )
    page = context.new_page()
    page.clock.set_fixed_time(TODAY)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.set_input_files("#file", DRAFT)
    page.wait_for_selector("#to-results")
    return page


def _start(page: Page) -> None:
    page.evaluate("scrollTo(0, 0)")


def _results(page: Page) -> None:
    page.wait_for_selector("#hits li")


def _reading(page: Page) -> None:
    """The second element of claim 1 beside the best hit."""
    page.wait_for_selector("#passages .chip")
    page.locator('[data-pick^="element:"]').nth(1).click()
    page.wait_for_selector("mark.current")


def _chart(page: Page) -> None:
    """The five best hits, and the quotes of one cell."""
    page.click("#none button")
    page.locator("#matrix [data-row='1'][data-column='0']").click()
    page.wait_for_selector(".quotes-panel blockquote")


def _review(page: Page) -> None:
    """A matter with the first eight documents judged."""
    page.fill("#rater", "A. Reader")
    page.press("#rater", "Tab")
    page.fill("[name=name]", "pump")
    page.fill("[name=title]", "Insulin pump with occlusion detection")
    page.click("#new-matter button")
    page.wait_for_selector("#texts details")
    page.focus("#document")
    for number, key in enumerate("rrmrimii", start=1):
        page.keyboard.press(key)
        page.wait_for_selector(f"#count:has-text('in {number} read')")
    page.evaluate("scrollTo(0, 0)")


def _map(page: Page) -> None:
    page.wait_for_selector(".dot")


def _quiet(page: Page) -> None:
    page.wait_for_load_state("networkidle")


def _evaluate(page: Page) -> None:
    """The figures of a measurement on the citations of the sample."""
    page.click("#draw button")
    page.wait_for_selector("#evaluation h3")


PAGES: dict[str, Callable[[Page], None]] = {
    "start": _start,
    "results": _results,
    "reading": _reading,
    "chart": _chart,
    "review": _review,
    "map": _map,
    "corpus": _quiet,
    "evaluate": _evaluate,
}


# By the end of the name of a picture: window, scheme and pages.
SERIES: dict[str, tuple[tuple[int, int], Literal["light", "dark"], tuple[str, ...]]] = {
    "": (WINDOW, "light", tuple(PAGES)),
    "-dark": (WINDOW, "dark", ("results", "reading")),
    "-phone": (PHONE, "light", ("results",)),
}


def _write(picture: bytes, target: Path) -> None:
    """Writes it with a palette: the most frequent colours exactly, so that paper stays white, and rare ones spread."""
    with Image.open(BytesIO(picture)) as opened:
        found = opened.convert("RGB")
    colours, where, counts = np.unique(
        np.asarray(found, dtype=np.int32).reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    spread = found.quantize(256 - _EXACT, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.concatenate([colours[np.argsort(-counts, kind="stable")[:_EXACT]], np.reshape(spread, (-1, 3))])
    nearest = ((colours[:, None] - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
    small = Image.fromarray(nearest[where].reshape(found.height, found.width).astype(np.uint8), "P")
    small.putpalette([int(part) for part in palette.ravel()])
    small.save(target, optimize=True)
