"""Figures are drawn from plain numbers, with names on their axes and nothing in each other's way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from extras import reason
from foreart.paper.exhibits.drawing import KINDS, draw, png, svg
from foreart.paper.exhibits.exhibit import FigureExhibit
from foreart.paper.paper_page import embeddable

pytest.importorskip("matplotlib", reason=reason("matplotlib"))

EDGES = np.linspace(0.0, 1.0, 6).tolist()
CURVE = {"false": [0.0, 0.1, 1.0], "true": [0.0, 0.8, 1.0], "auc": 0.85}
PANEL: dict[str, Any] = {
    "heading": "Full text",
    "pairs": {"random": 100, "cited": 10, "duplicate": 0},
    "shares": {"random": [80, 20, 0, 0, 0], "cited": [10, 20, 40, 20, 10], "duplicate": [0, 0, 0, 0, 0]},
    **CURVE,
}
JUDGED: dict[str, Any] = {
    "heading": "Target US1",
    "ids": ["a", "b", "c", "d"],
    "cosine": [0.1, 0.4, 0.6, 0.3],
    "score": [0.0, 3.0, 5.0, 1.5],
    "groups": ["cited", "random, high", "random, middle", "random, low"],
    "marked": 1,
    "marked_id": "b",
}
DATA: dict[str, dict[str, Any]] = {
    "histograms": {"edges": EDGES, "panels": [PANEL, {**PANEL, "heading": "Claims"}]},
    "roc": {"edges": EDGES, "panels": [PANEL, {**PANEL, "heading": "Claims"}, {**PANEL, "heading": "Abstract"}]},
    "roc of all": {"curves": [{"heading": f"kind {number}", **CURVE} for number in range(9)]},
    "years": {"step": 1, "years": [2001, 2002], "patents": [3, 4], "targets": [0, 2], "undated": 1},
    "subclasses": {"symbols": ["A61B"], "titles": ["Diagnosis"], "patents": [3], "of": 2},
    "citations": {"citations": [0, 1, 90], "patents": [7, 3, 1], "sampled": 11, "of": 20, "drawn": True},
    "correlations": {"panels": [JUDGED, {**JUDGED, "marked": None, "marked_id": ""}]},
}


def test_every_kind_is_drawn_here() -> None:
    assert DATA.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", DATA)
def test_axes_have_names_and_texts_do_not_leave_the_picture(kind: str) -> None:
    canvas = draw(FigureExhibit("F0", "t", "c", kind, DATA[kind]))
    assert png(canvas)[:4] == b"\x89PNG"
    for axes in canvas.axes:
        assert axes.get_title(loc="left")
    assert any(axes.get_xlabel() for axes in canvas.axes)
    width, height = canvas.get_size_inches() * canvas.dpi
    boxes = [legend.get_window_extent() for legend in canvas.legends]
    boxes += [axes.title.get_window_extent() for axes in canvas.axes]
    assert all(box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height for box in boxes if box.width)
    for legend in canvas.legends:  # below the plots, not over them
        assert all(legend.get_window_extent().y1 <= axes.get_window_extent().y0 for axes in canvas.axes)


def test_the_same_figure_gives_the_same_bytes_and_fits_into_a_page() -> None:
    figure = FigureExhibit("F8", "Patents & <citations>", "", "citations", DATA["citations"])
    one, other = svg(draw(figure), "F8"), svg(draw(figure), "F8")
    assert one == other
    inside = embeddable(one, "F8", figure.title)
    assert inside.startswith('<svg role="img" aria-label="Patents &amp; &lt;citations&gt;"')
    assert "http" not in inside
    assert 'id="F8-' in inside
    assert 'href="#F8-' in inside
    assert "url(#F8-" in inside
    assert inside.count("<svg") == inside.count("</svg>") == 1


def test_a_histogram_shows_the_shares_it_was_given() -> None:
    canvas = draw(FigureExhibit("F2", "t", "c", "histograms", DATA["histograms"]))
    drawn = {patch.get_label(): patch.get_data().values.tolist() for patch in canvas.axes[0].patches}
    assert drawn["cited (10 pairs)"] == [10, 20, 40, 20, 10]
    assert not any("duplicate" in label for label in drawn), "a label without pairs is not drawn"
