"""Renders the images of README and docs from the sample corpus: `python scripts/make_images.py [CHROMIUM]`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from desk_pictures import photograph

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
# By file: the size of the window, and what is hidden to show one part of the page.
PICTURES = {
    "report-list.png": ("980,1228", "main > section:not(:first-child), footer { display: none; }"),
    "report-hit.png": (
        "980,996",
        ".top, main > section:not([aria-labelledby=hits]), #hit-1 ~ article { display: none; }",
    ),
}
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


def main(browser: str) -> None:
    """Photographs the pages of the desk, and the parts of the report of `foreart demo`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photograph(folder, browser, IMAGES)
        command = [sys.executable, "-m", "foreart", "demo", "--library", str(folder / "data")]
        subprocess.run(command, check=True)  # noqa: S603
        page = next(folder.rglob("report.html")).read_text("utf-8")
        for image, (size, hidden) in PICTURES.items():
            part = folder / "part.html"
            part.write_text(page.replace("</style>", f"{hidden}\n</style>"), "utf-8")
            subprocess.run(  # noqa: S603
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *QUIET,
                 f"--user-data-dir={folder / 'profile'}", f"--window-size={size}",
                 f"--screenshot={IMAGES / image}", part.as_uri()],
                check=True, capture_output=True,
            )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium") or "chromium")
