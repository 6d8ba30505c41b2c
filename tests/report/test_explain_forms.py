"""Reasons as page, table and JSON."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from rich.console import Console

from foreart.library import Library
from foreart.report.exports.explain_json import reasons_record
from foreart.report.pages.explain_page import explain_html
from foreart.report.pages.marked_text import extract_segments
from foreart.report.pages.waterfall import waterfall
from foreart.report.terminal.explain_terminal import terminal_explain
from foreart.report.wording.explain_wording import calibration_sentence, hub_detail, place_sentence, where_text
from foreart.report.wording.extract_marks import marks
from foreart.search.explaining import Calibrated, ChannelReason, Extract, Hub, Reasons
from foreart.search.explaining.term_places import Occurrences, Spot
from foreart.search.score_parts import Chance
from foreart.sources import read_draft
from html_page import Page, marked

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
IDS = ("XX20140257312A1", "XX20090312644A1")


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Reasons]]:
    with Library(tmp_path_factory.mktemp("library")) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
        explainer = library.explainer(
            read_draft(SAMPLE / "drafts" / "interspinous-fusion.docx"), ranking="default-weights"
        )
        yield [explainer.of(number) for number in IDS]


def printed(item: Reasons) -> str:
    console = Console(file=io.StringIO(), width=110, color_system=None)
    console.print(terminal_explain(item))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_the_json_keys_are_stable(reasons: list[Reasons]) -> None:
    record = json.loads(json.dumps(reasons_record(reasons)))
    assert list(record) == ["foreart", "form", "draft", "corpus", "cutoff", "regime", "ranking", "documents"]
    assert [item["id"] for item in record["documents"]] == list(IDS)
    document = record["documents"][1]
    assert set(document) == {
        "id", "title", "published", "priority", "filed", "applicants", "language", "score", "rank", "hits", "listed",
        "instead", "status", "rule", "channels", "words", "words_rest", "terms", "bridges", "bridges_by", "extracts",
        "calibrated", "hub", "notes", "sum", "rounding", "sentences",
    }  # fmt: skip
    assert document["sum"] + document["rounding"] == pytest.approx(document["score"], abs=1e-12)
    assert set(document["channels"][0]) == {
        "channel", "about", "rank", "value", "contribution", "words", "causes", "causes_count", "causes_rest",
        "sentence",
    }  # fmt: skip
    texts = next(item["words"] for item in document["channels"] if item["channel"] == "words")
    assert set(texts) == {"shown", "rest", "others", "rounding"}
    assert set(texts["shown"][0]) == {"word", "contribution", "adds"}
    causes = next(item["causes"] for item in document["channels"] if item["channel"] == "cited by near")
    assert set(causes[0]) == {"name", "title", "similarity", "weight", "contribution", "note"}
    assert set(document["terms"][0]) == {"term", "documents", "contribution", "in_draft", "in_document"}
    assert set(document["terms"][0]["in_draft"]) == {"times", "places", "spots"}
    assert set(document["bridges"][0]) == {"kind", "draft", "document", "similarity"}
    assert set(document["bridges"][0]["draft"]) == {"term", "documents", "where"}
    assert set(document["extracts"][0]) == {"text", "spot", "share", "words", "bridged"}


def test_the_page_is_whole_and_needs_nothing_else(reasons: list[Reasons]) -> None:
    page = explain_html(reasons)
    parsed = Page(page)
    assert not parsed.open
    tags = [tag for tag, _ in parsed.tags]
    assert not {"script", "img", "link", "iframe"} & set(tags)
    assert not re.search(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", page)
    assert sum("waterfall" in (attributes.get("class") or "") for _, attributes in parsed.tags) == 2
    assert page == explain_html(reasons)
    for item in reasons:
        assert f"sum {item.added:.6f} = score {item.score:.6f}" in page
        assert f'id="{item.id}"' in page


def test_hostile_texts_are_only_texts(reasons: list[Reasons]) -> None:
    bad = "<script>alert(1)</script>\x1b[31m"
    item = replace(
        reasons[0],
        title=bad,
        rule=bad,
        draft_title=bad,
        notes=(bad,),
        extracts=(Extract(bad, Spot(bad, "claim"), 0.5, ("alert",)),),
    )
    page = explain_html([item])
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\x1b" not in printed(item)


def test_the_waterfall_has_a_bar_for_each_channel_that_adds_and_one_for_the_score() -> None:
    channels = [ChannelReason(name, "", 1, 1.0, added) for name, added in (("a", 3.0), ("b", -1.0), ("c", 0.0))]
    picture = waterfall(channels, 2.0)
    bars = [(step.start, step.width) for step in picture.steps]
    # 480 points for 0 to 3: a from 170 to 650, b back to 490, the score from 170 to 490.
    assert bars == [(170.0, 480.0), (490.0, 160.0), (170.0, 320.0)]
    assert [step.text for step in picture.steps] == ["+3.000", "\u22121.000", "2.000"]


def test_the_table_shows_sum_words_and_causes(reasons: list[Reasons]) -> None:
    told = printed(reasons[1])
    assert f"sum {reasons[1].score:.6f} = score {reasons[1].score:.6f}" in told
    assert "cited by near" in told
    assert IDS[0] in told
    assert "Rare terms in both texts" in told
    assert "same stem" in told
    assert "other words" in told


def test_chances_and_hubs_are_put_into_sentences() -> None:
    chance = Chance(0.8, 0.4901, 0.9433, 8, 10)
    assert calibration_sentence(Calibrated(chance, 235, here=True)) == (
        "80 % of documents with such a score are cited (95 % interval 49 % to 94 %): 8 of 10, "
        "over 235 patents of this corpus used as queries"
    )
    assert "of another" in calibration_sentence(Calibrated(chance, 235, here=False))
    assert calibration_sentence(None) == hub_detail(None) == ""
    assert "among the nearest of 40 % of the training queries; the mean of all documents is 10 %" in hub_detail(
        Hub(0.4, 0.1, 2)
    )


def test_places_are_put_into_words(reasons: list[Reasons]) -> None:
    spots = (Spot("claim 1", "claim"), Spot("[0012]", "description", "background"))
    assert where_text(Occurrences(9, 5, spots)) == "9×: claim 1, [0012] (background) and 3 more"
    assert where_text(Occurrences(2, 2, spots), 1) == "2×: claim 1 and 1 more"
    assert place_sentence(replace(reasons[0], rank=3, hits=40)) == "rank 3 of 40 hits"
    assert place_sentence(replace(reasons[0], rank=3, listed=False)) == "not a hit; its rank would be 3"
    assert place_sentence(replace(reasons[0], rank=3, hits=40, instead="XX1")).endswith(
        "listed as XX1 of the same family"
    )


def test_shared_words_and_bridges_are_marked_differently() -> None:
    item = Extract(
        "The Housing & air vent.", Spot("claim 1", "claim"), 0.5, ("housing", "air"), (("air vent", "duct"),)
    )
    assert marked(extract_segments(item)) == (
        'The <mark>Housing</mark> &amp; <mark class="bridge" title="may mean: duct">air vent</mark>.'
    )
    assert list(marks(item.text, item)) == [(4, 11, ""), (14, 22, "duct")]
