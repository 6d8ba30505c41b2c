"""The statistics in the terminal: right numbers, eighty columns."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from foreart.corpus import Corpus, Selection
from foreart.corpus.statistics import statistics
from foreart.document.patent import Citation, Patent, Symbol
from foreart.report.spans import grouped_years
from foreart.report.terminal.statistics_terminal import terminal_statistics

PATENTS = [
    Patent(
        f"US{1_000 + place}B2",
        title="t",
        abstract="a b c",
        published=f"{1950 + place % 60}",
        cpc=(Symbol(f"A{place % 20 + 1:02}B 1/00"),),
        citations=(Citation("US1000B2", "examiner"),) * (place % 3),
        collection="bad\x1b[31m",
    )
    for place in range(120)
]


def shown(corpus: Corpus, selection: Selection) -> list[str]:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(terminal_statistics(statistics(corpus, selection)))
    return console.export_text().splitlines()


@pytest.fixture
def corpus(tmp_path: Path):
    with Corpus(tmp_path / "corpus.db", create=True) as made:
        made.add(PATENTS)
        yield made


def test_every_line_fits_and_the_numbers_are_there(corpus: Corpus) -> None:
    lines = shown(corpus, Selection())
    text = "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("120 patents · ")
    assert any(line.split()[:1] == ["A01B"] for line in lines)
    assert "5 other subclasses" in text and "30  " in text
    assert "120 citations of patents: 120 examiner" in text
    assert "120 (100.0%) to patents in this corpus" in text
    assert "\x1b" not in text


def test_the_chart_of_years_has_a_column_a_year(corpus: Corpus) -> None:
    lines = shown(corpus, Selection())
    top = lines[lines.index("Year of publication") + 1]
    assert top.split() == ["2", "█" * 60]
    axis = next(line for line in lines if line.strip().startswith("1950"))
    assert axis.split() == ["1950", "1956", "1962", "1968", "1974", "1980", "1986", "1992", "1998", "2004"]


def test_a_selection_says_of_how_many(corpus: Corpus) -> None:
    assert shown(corpus, Selection(published_to="1950"))[0].startswith("2 patents of 120 stored")


def test_nothing_selected(corpus: Corpus) -> None:
    lines = shown(corpus, Selection(countries=("EP",)))
    assert lines[0].startswith("0 patents of 120 stored")
    assert "Missing" not in lines


def test_years_taken_together() -> None:
    assert grouped_years({}, limit=5) == (1, {})
    assert grouped_years({1999: 1, 2000: 2, 2001: 3}, limit=3) == (1, {1999: 1, 2000: 2, 2001: 3})
    assert grouped_years({1999: 1, 2000: 2, 2001: 3}, limit=2) == (2, {1998: 1, 2000: 5})
    step, counts = grouped_years(dict.fromkeys(range(1, 10_000), 1), limit=60)
    assert (step, len(counts), sum(counts.values())) == (200, 50, 9_999)
