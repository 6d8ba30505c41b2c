"""docs/crawling.md agrees with the measurements, and names all sources and conditions."""

from __future__ import annotations

import json
import re
from pathlib import Path

from foreart.crawl import REPORTS, SOURCES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "crawling.md").read_text("utf-8")


def test_the_documented_reach_is_the_measured_one() -> None:
    reach = json.loads((ROOT / "benchmarks" / "results" / "crawl.json").read_text("utf-8"))["reach"]
    for number in ("5", "10", "20"):
        cited = [step["mean"] for step in reach["cited"][number]["drawn"]]
        both = [step["mean"] for step in reach["cited_and_citing"][number]["drawn"]]
        shares = (cited[1], cited[2], cited[3], cited[-1], both[-1])
        row = f"| {number} | " + " | ".join(f"{share:.0%}" for share in shares) + " |"
        assert row in TEXT


def test_the_thresholds_are_met() -> None:
    found = json.loads((ROOT / "benchmarks" / "results" / "crawl.json").read_text("utf-8"))
    assert min(part["a_second"] for part in found["speed"].values()) >= 2000
    assert min(part["share_of_rate"] for part in found["pace"].values()) >= 0.95
    assert found["memory"]["pages"] == 20_000
    assert abs(found["memory"]["growth_after_a_quarter"]) < 0.02


def test_every_source_and_kind_of_report_is_named() -> None:
    assert set(re.findall(r"^\| `([a-z-]+)`", TEXT, re.MULTILINE)) >= set(SOURCES)
    assert all(f"`--search-report {name}" in TEXT or f"`{name}`" in TEXT for name in REPORTS)
