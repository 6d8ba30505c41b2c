"""The figures of a corpus show its numbers, whether it holds none, one or a million patents."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from extras import reason
from foreart.corpus import Corpus
from foreart.corpus.corpus_counts import Citations, CorpusStatistics, Lengths, SubclassCount, Subclasses
from foreart.corpus.statistics import FIELDS, statistics
from foreart.document.patent import Patent, Symbol
from foreart.errors import MissingExtra
from foreart.report.statistics_plots import FIGURES, citations, depth, lengths, missing, plot, subclasses, years

pytest.importorskip("matplotlib", reason=reason("matplotlib"))


@pytest.fixture
def empty(tmp_path: Path) -> CorpusStatistics:
    with Corpus(tmp_path / "empty.db", create=True) as corpus:
        return statistics(corpus)


@pytest.fixture
def one(tmp_path: Path) -> CorpusStatistics:
    with Corpus(tmp_path / "one.db", create=True) as corpus:
        corpus.add([Patent("US1A", title="t", abstract="a b", published="1836-07-13", cpc=(Symbol("A61B 1/00"),))])
        return statistics(corpus)


@pytest.fixture
def large(empty: CorpusStatistics) -> CorpusStatistics:
    return replace(
        empty,
        documents=1_000_000,
        years={year: (year - 1975) * 1_000 for year in range(1976, 2025)},
        undated=1_234,
        subclasses=Subclasses(
            tuple(SubclassCount(f"A{place:02}B", "Title " * 20, 400_000 - place, 7 * place) for place in range(60)),
            cpc=900_000,
            ipc=90_000,
        ),
        citations=Citations(
            20_000_000,
            {"examiner": 20_000_000},
            5_000_000,
            tuple((n, 900_000 // (n + 1)) for n in range(900)),
            ((0, 9),),
        ),
        depth={"full": 750_000, "abstract": 250_000, "title": 0, "empty": 0},
        depth_by_country={f"C{n:02}": {"full": 3, "abstract": 1, "title": 0, "empty": 0} for n in range(40)},
        lengths={
            section: Lengths(9, 5.0, 5.0, 2.0, 8.0, 9_000, ((100, 126, 7), (126, 159, 400_000)))
            for section in ("abstract", "claims", "description")
        },
        missing={field: 100_000 * place for place, field in enumerate(FIELDS)},
    )


def heights(axes) -> list[float]:
    return [bar.get_height() for bar in axes.patches]


def widths(axes) -> list[float]:
    return [bar.get_width() for bar in axes.patches]


@pytest.mark.parametrize("size", ["empty", "one", "large"])
def test_all_files_are_written_and_whole(size: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    made = plot(request.getfixturevalue(size), tmp_path / "new" / "plots")
    assert [path.name for path in made] == [f"{name}.{form}" for name in FIGURES for form in ("png", "svg")]
    for path in made:
        data = path.read_bytes()
        if path.suffix == ".png":
            assert data.startswith(b"\x89PNG\r\n\x1a\n") and data[-8:-4] == b"IEND"
        else:
            assert etree.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"


def test_only_the_formats_asked_for(one: CorpusStatistics, tmp_path: Path) -> None:
    assert {path.suffix for path in plot(one, tmp_path, formats=("pdf",))} == {".pdf"}


def test_a_bar_a_year(large: CorpusStatistics) -> None:
    (axes,) = years(large).axes
    assert heights(axes) == list(large.years.values())
    assert axes.patches[0].get_x() + axes.patches[0].get_width() / 2 == 1976
    assert axes.get_title(loc="right") == "1,234 without a publication date"
    assert axes.yaxis.get_major_formatter()(40_000) == "40,000"
    assert axes.xaxis.get_major_formatter()(1990) == "1990"


def test_centuries_are_taken_together(large: CorpusStatistics) -> None:
    (axes,) = years(replace(large, years=dict.fromkeys(range(1700, 2000), 1))).axes
    assert heights(axes) == [5] * 60
    assert "5 years" in axes.get_ylabel()


def test_a_row_a_subclass_with_symbol_and_title(large: CorpusStatistics, one: CorpusStatistics) -> None:
    (axes,) = subclasses(large).axes
    shown = large.subclasses.counts[:25]
    assert widths(axes) == [row.cpc for row in shown] + [row.ipc for row in shown]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert len(labels) == 25
    assert labels[3].startswith("A03B  Title Title") and labels[3].endswith(" …")
    assert [text.get_text() for text in axes.texts][:2] == ["400,000", "400,006"]
    assert axes.get_title(loc="right") == "the largest 25 of 60 subclasses"
    (axes,) = subclasses(one).axes
    assert (widths(axes), axes.get_legend()) == ([1], None)


def test_citation_counts_on_logarithmic_axes(large: CorpusStatistics) -> None:
    made, received = citations(large).axes
    (dots,) = made.lines
    assert list(zip(*dots.get_data(), strict=True)) == list(large.citations.made)
    assert (made.get_yscale(), made.get_xscale()) == ("log", "symlog")
    assert (received.get_yscale(), received.get_xscale()) == ("log", "linear")
    assert heights(received) == [9]


def test_depth_is_a_share_of_the_country(large: CorpusStatistics) -> None:
    (axes,) = depth(large).axes
    assert widths(axes) == [75.0] * 15 + [25.0] * 15 + [0.0] * 30
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert (labels[0], labels[-1]) == ("C00 (4)", "26 others (104)")


def test_steps_of_lengths(large: CorpusStatistics) -> None:
    for axes in lengths(large).axes:
        assert heights(axes) == [7, 400_000]
        assert widths(axes) == [26, 33]
        assert axes.get_xscale() == "log"
        assert axes.lines[0].get_xdata()[0] == 5.0


def test_missing_fields_are_shares(large: CorpusStatistics) -> None:
    (axes,) = missing(large).axes
    assert widths(axes) == pytest.approx([10 * place for place in range(len(FIELDS))])
    assert axes.texts[10].get_text() == "100.0 %  (1,000,000)"


@pytest.mark.parametrize("name", FIGURES)
def test_an_empty_corpus_says_so(name: str, empty: CorpusStatistics) -> None:
    for axes in FIGURES[name](empty).axes:
        assert not axes.patches
        assert [text.get_text() for text in axes.texts] == ["no data"]


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_leaves_the_page_and_no_labels_overlap(name: str, large: CorpusStatistics) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = FIGURES[name](large)
    FigureCanvasAgg(figure).draw()
    page = figure.bbox
    for axes in figure.axes:
        titles = [text for text in (axes.title, axes._right_title, axes._left_title) if text.get_text()]
        low, high = sorted(axes.get_ylim())
        # Ticks beyond the limits exist, but are not drawn.
        labels = [
            label for label in axes.get_yticklabels() if label.get_text() and low <= label.get_position()[1] <= high
        ]
        for text in (*titles, *labels, *axes.texts, axes.xaxis.label, axes.yaxis.label):
            if text.get_text():
                box = text.get_window_extent()
                assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= page.x1 and box.y1 <= page.y1, text
        for texts in (titles, labels):
            boxes = [text.get_window_extent() for text in texts]
            assert not any(a.overlaps(b) for at, a in enumerate(boxes) for b in boxes[at + 1 :])


def test_no_global_state_of_pyplot_is_touched(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from foreart.corpus import Corpus\n"
        "from foreart.corpus.statistics import statistics\n"
        "from foreart.report.statistics_plots import plot\n"
        "assert 'matplotlib' not in sys.modules\n"
        "with Corpus(sys.argv[1] + '/c.db', create=True) as corpus: plot(statistics(corpus), sys.argv[1])\n"
        "print('matplotlib.pyplot' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == "False\n"


def test_without_matplotlib_the_extra_is_named(
    one: CorpusStatistics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"foreart\[plots\]"):
        plot(one, tmp_path)
    assert not list(tmp_path.glob("*.png"))
