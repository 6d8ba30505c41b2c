"""Recorded quality does not slip.

Each sample patent that cites others plays the draft; how well are the cited ones ranked among the earlier documents?
`golden.json` holds what was measured last; a change that ranks better records the new value there.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from foreart.library import Library
from foreart.text import section_text

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([ROOT / "src" / "foreart" / "sample" / "patents.jsonl"])
        yield made


def mean_average_precision(library: Library, name: str) -> float:
    """MAP over the patents with citations; the patent itself, its family and later documents do not take part."""
    index = library.build(name)[name]
    patents = {patent.id: patent for patent in library.corpus}
    found: list[float] = []
    for query in patents.values():
        cited = {citation.id for citation in query.citations} & set(patents)
        if not cited:
            continue
        allowed = [
            row
            for row, number in enumerate(index.ids)
            if number != query.id
            and patents[number].effective_date < query.effective_date
            and (not query.family_id or patents[number].family_id != query.family_id)
        ]
        scores = index.scores(index.encode(section_text(query)))
        ranked = sorted(allowed, key=lambda row: (-scores[row], index.ids[row]))
        hits = np.array([index.ids[row] in cited for row in ranked])
        precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
        found.append(float(precision[hits].sum() / len(cited)))
    return sum(found) / len(found)


@pytest.mark.parametrize("name", GOLDEN["sample_map"])
def test_ranking_is_as_good_as_recorded(library: Library, name: str) -> None:
    measured = mean_average_precision(library, name)
    assert measured >= GOLDEN["sample_map"][name] - 0.002, f"MAP fell to {measured:.4f}"
    assert measured <= GOLDEN["sample_map"][name] + 0.02, f"MAP rose to {measured:.4f}: record it in golden.json"


def test_the_learned_ranking_is_as_good_as_recorded(library: Library) -> None:
    library.build()
    measured = float(library.learn().metrics["map"])
    assert measured >= GOLDEN["sample_learned_map"] - 0.002, f"MAP fell to {measured:.4f}"
    assert measured <= GOLDEN["sample_learned_map"] + 0.02, f"MAP rose to {measured:.4f}: record it in golden.json"
