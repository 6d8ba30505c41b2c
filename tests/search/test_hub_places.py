"""Documents that come up for many drafts are told as such: a hundredth of all, and none where nothing was learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import foreart
from foreart.library import Library
from foreart.search.ranking import FusedRanker, fused
from foreart.sources import read_draft

SAMPLE = Path(foreart.__file__).parent / "sample"


def test_the_first_hundredth_of_hubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library(tmp_path) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
        brought = library.ranker()
        assert isinstance(brought, FusedRanker)
        assert brought.hub_places == {}
        learned = library.learn()
        draft = read_draft(SAMPLE / "drafts" / "interspinous-fusion.docx")
        assert {hit.hub for hit in library.search(draft, k=50).hits} == {0}
        monkeypatch.setattr(fused, "_HUBS", 25)
        ranker = FusedRanker(brought.inputs, learned)
        most = sorted(learned.hubs, key=lambda number: -learned.hubs[number])[:2]
        assert ranker.hub_places == {most[0]: 1, most[1]: 2}
        tied = replace(learned, hubs={"XX6514209B1": 0.5, "XX5694310A": 0.5, "XX5304988A": 0.6})
        assert FusedRanker(brought.inputs, tied).hub_places == {"XX5304988A": 1, "XX5694310A": 2}
        assert FusedRanker(brought.inputs, None, name="rrf").hub_places == {}
        library.close()
        places = {hit.id: hit.hub for hit in library.search(draft, k=50).hits if hit.hub}
        assert places
        assert places.items() <= ranker.hub_places.items()
