"""What a person takes away: the page, the table, the JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from asked import search
from foreart.corpus import Corpus, Selection
from foreart.document.draft import Draft, draft_of_patent
from foreart.index.building import build
from foreart.report.exports.result_json import result_record
from foreart.report.pages.marked_text import word_segments
from foreart.report.pages.score_plot import score_plot
from foreart.report.pages.search_page import search_html
from foreart.report.terminal.search_terminal import terminal_search
from foreart.report.wording.channel_groups import GROUPS, added, seen
from foreart.report.wording.search_wording import chance_sentence
from foreart.search import Chance, Part, Result, Scores
from foreart.search.ranking import CHANNELS
from html_page import Page, marked
from pawls import DRAFT, PATENTS

HOSTILE = '<script>alert("x")</script> \x1b[31m & "quoted" \u202egnp'


@pytest.fixture
def result(tmp_path: Path) -> Result:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        hostile = replace(PATENTS[3], title=HOSTILE, abstract=f"A pawl {HOSTILE}")
        corpus.add([*PATENTS[:3], hostile, *PATENTS[4:]])
        return search(replace(DRAFT, title=HOSTILE), build(corpus, tmp_path / "index"), corpus)


def test_the_page_is_whole_and_asks_for_nothing(result: Result) -> None:
    text = search_html(result)
    page = Page(text)
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "link", "iframe", "object", "form"}
    assert not re.search(r"https?://|url\(|@import", text)
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)


def test_titles_from_anywhere_are_escaped(result: Result) -> None:
    text = search_html(result)
    assert "<script>" not in text
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Acme &lt;b&gt;Tools&lt;/b&gt; &amp; Sons" in text


def test_the_page_says_what_an_attorney_asks_first(result: Result) -> None:
    text = search_html(result, made="2024-05-06")
    for said in (
        "2014-03-10",
        "priority date named in the draft",
        "8 documents",
        result.corpus_fingerprint,
        "3 documents are left out: published and filed after the cut-off.",
        "prior art",
        "novelty only",
        "date unknown",
        "Closest paragraph of the description",
        "FIELD · [0002]",
        "Same family",
        "2024-05-06",
    ):
        assert said in text, said
    assert text.count("<article") == len(result.hits)
    assert '<mark class="' not in text
    assert "<mark>pawl</mark>" in text
    assert 'role="img" aria-label="Scores of 5 documents' in text


def test_shares_of_a_card_sum_to_all(result: Result) -> None:
    card = search_html(result).split("<article")[1].split("</article>")[0]
    shares = [int(share) for share in re.findall(r'class="share">(\d+) %', card)]
    assert 97 <= sum(shares) <= 103


def test_the_same_result_gives_the_same_bytes(result: Result) -> None:
    assert search_html(result) == search_html(result)


def test_marking_keeps_the_text_and_marks_whole_words() -> None:
    segments = word_segments("Pawls & a PAWL-like <pawl>.", {"pawl"})
    assert [part.text for part in segments] == ["Pawls & a ", "PAWL", "-like <", "pawl", ">."]
    assert [part.kind for part in segments] == ["", "shared", "", "shared", ""]
    assert marked(segments) == "Pawls &amp; a <mark>PAWL</mark>-like &lt;<mark>pawl</mark>&gt;."


def test_the_table_shows_rank_id_date_status_score_and_words(result: Result) -> None:
    out = StringIO()
    Console(file=out, width=120, force_terminal=False).print(terminal_search(result))
    text = out.getvalue()
    first = result.hits[0]
    for said in (
        first.id,
        f"{first.score:.3f}",
        first.status,
        first.words[0][0],
        "Cut-off 2014-03-10",
        "3 documents are",
    ):
        assert said in text, said
    assert "\x1b[31m" not in text
    assert "█" in text


def test_the_record_is_json_and_holds_every_hit(result: Result) -> None:
    record = json.loads(json.dumps(result_record(result)))
    assert [hit["id"] for hit in record["hits"]] == [hit.id for hit in result.hits]
    first = record["hits"][0]
    assert sum(word["contribution"] for word in first["words"]) == pytest.approx(first["score"])
    assert record["cutoff"] == {"date": "2014-03-10", "source": "priority date named in the draft", "filed": ""}
    assert record["left_out_count"] == 3
    assert record["index"]["features"] == "tfidf"


def test_reports_of_a_search_without_hits(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(PATENTS)
        result = search(
            Draft(title="Zebra", notes=("no text layer on page 2 of 3",)), build(corpus, tmp_path / "i"), corpus
        )
    text = search_html(result)
    assert Page(text).open == []
    assert "shares a word with the draft" in text
    assert "no text layer on page 2 of 3" in text
    out = StringIO()
    Console(file=out, width=100).print(terminal_search(result))
    assert "No document that can be prior art shares a word" in out.getvalue()


@pytest.fixture
def narrowed(tmp_path: Path) -> Result:
    """A patent of the corpus as draft, under one law, with filters, a family and a hit that several channels made."""
    with Corpus(tmp_path / "narrow.db", create=True) as corpus:
        corpus.add(PATENTS)
        chosen = Selection(published_from="1995")
        asked = {"cutoff": "2014-03-10", "regime": "epc", "selection": chosen, "without": ("<tea>",)}
        found = search(draft_of_patent(corpus["XX4A"]), build(corpus, tmp_path / "narrow"), corpus, **asked)
    first, *others = found.hits
    parts = (
        Part("words", 1, 0.9, 0.75),
        Part("cited by near", 2, 0.5, 0.5),
        Part("order", 0, -1.0, -0.125),
        Part("<b>new</b>", 0, 0.0, -0.25),
    )
    made = replace(first, score=0.875, parts=parts, chance=Chance(0.34, 0.29, 0.39, 120, 353), hub=4)
    return replace(found, hits=(made, *others), missing_terms=("ratchet", "<i>", "click"))


def printed(result: Result, *, family: bool = False) -> str:
    out = StringIO()
    Console(file=out, width=160, force_terminal=False).print(terminal_search(result, family=family))
    return " ".join(out.getvalue().split())


def test_reports_tell_the_law_the_rule_and_what_was_removed(narrowed: Result) -> None:
    dates = "published from 1995: 2, 1 of them because no date is known"
    removed = f"Filters removed 2 of 8 documents ({dates}; without <tea>: 0)."
    own = "1 document of the draft's own family is listed separately."
    page, table = search_html(narrowed), printed(narrowed)
    assert Page(page).open == []
    for said in (
        "under the EPC",
        "2014-03-10: Art. 54(2) EPC",
        "own family: the draft itself",
        removed.replace("<", "&lt;").replace(">", "&gt;"),
        own.replace("'", "&#39;"),
        "European Patent Convention: Art. 54(2) and (3), 89",
    ):
        assert said in page, said
    for said in ("the EPC ·", "2014-03-10: Art. 54(2) EPC", "XX4A own family: the draft itself", removed, own):
        assert said in table, said
    (item,) = narrowed.own_family
    counting = replace(narrowed, own_family=(item, replace(item, by_date="novelty only")))
    more = "2 documents of the draft's own family are listed separately; by its date 1 may still be prior art."
    assert more in printed(counting)
    page = search_html(counting)
    assert more.replace("'", "&#39;") in page
    assert page[page.index('id="own-family"') :].count('class="badge novelty-only"') == 2, "one in the legend"
    assert page.count('href="#own-family"') == page.count('id="own-family"') == 1


def test_other_members_of_a_family_are_one_key_away(narrowed: Result) -> None:
    shown = next(hit for hit in narrowed.hits if hit.family_members)
    page = search_html(narrowed)
    inside = page.split('<details class="more"><summary>Same family: 2 other publications</summary>')[1]
    for member in shown.family_members:
        assert member.id in inside.split("</details>")[0]
        assert member.rule in inside.split("</details>")[0]
    assert "<details open" not in page
    plain, expanded = printed(narrowed), printed(narrowed, family=True)
    assert f"also {shown.family_members[0].id}, {shown.family_members[1].id}" in plain
    assert "└" not in plain
    assert expanded.count("└") == sum(len(hit.family_members) for hit in narrowed.hits)
    assert "after the date" in expanded


def test_channels_are_shown_with_what_they_add(narrowed: Result) -> None:
    page, table = search_html(narrowed), printed(narrowed)
    first = page.split("<article")[1].split("</article>")[0]
    assert Page(page).open == []
    assert "It is the sum of the contributions of several channels" in page
    assert "Words with the largest share of the text similarity" in first
    assert "text <b>+0.62</b>" in first
    assert "citations <b>+0.50</b>" in first
    assert "other <b>\u22120.25</b>" in first
    assert '&lt;b&gt;new&lt;/b&gt;</th><td class="number">–</td><td class="number">\u22120.25</td>' in first
    assert 'near documents cite it</th><td class="number">2</td><td class="number">+0.50</td>' in first
    assert 'class="figure">0.875<' in first
    assert "▌text +0.62 ▌citations +0.50 ▌other \u22120.25" in table
    hit = result_record(narrowed)["hits"][0]
    assert hit["parts"][0] == {"channel": "words", "rank": 1, "value": 0.9, "contribution": 0.75}


def test_pieces_of_a_bar_are_parts_of_the_best_score(narrowed: Result) -> None:
    """0.625 of text and 0.5 of citations make a bar of full length; half the score makes half the bar."""
    half = replace(narrowed, hits=(narrowed.hits[0], replace(narrowed.hits[0], rank=2, score=0.4375)))
    rows = search_html(half).split("<tbody>")[1].split("</tbody>")[0].split("</tr>")
    widths = [
        [float(width) for width in re.findall(r'class="c-(?:text|citations)" x="[\d.]+" width="([\d.]+)"', row)]
        for row in rows
    ]
    assert widths[:2] == [[55.6, 44.4], [27.8, 22.2]]


def test_every_channel_has_a_group_and_groups_sum_to_the_score(narrowed: Result) -> None:
    # Two channels are of reviews alone.
    assert set(GROUPS) - {"place in the list", "your judgements"} == set(CHANNELS)
    assert sum(item.value for item in added(narrowed.hits[0])) == narrowed.hits[0].score
    assert [item.group.name for item in seen(added(narrowed.hits[0]))] == ["text", "citations", "other"]
    small = replace(narrowed.hits[0], parts=(Part("words", 1, 1.0, 1.0), Part("claims", 1, 1.0, 0.004)))
    assert [item.group.name for item in seen(added(small))] == ["text"]
    assert added(replace(small, parts=())) == []


def test_chance_hub_and_missing_terms_are_told(narrowed: Result) -> None:
    assert "The only hit has none of the draft's 3 most important rare terms (ratchet, <i>, click)" in printed(narrowed)
    plain = replace(narrowed.hits[0], rank=2, chance=None, hub=0)
    narrowed = replace(narrowed, hits=(*narrowed.hits, plain))
    page, table = search_html(narrowed), printed(narrowed)
    first, second = page.split("<article")[1:3]
    chance = "34 % of documents with this score were cited in past searches (29–39 %)"
    hub = "Hub: ranks high for drafts on any subject"
    missing = "None of the 2 hits has any of the draft's 3 most important rare terms (ratchet, <i>, click)"
    for said in (chance, hub):
        assert said in first
        assert said not in second
        assert said in table
    assert "34 % cited</small>" in page.split("<tbody>")[1].split("</tr>")[0]
    assert missing in table
    assert missing.replace("<i>", "&lt;i&gt;").replace("'", "&#39;") in page
    record = result_record(narrowed)
    assert record["missing_terms"] == ["ratchet", "<i>", "click"]
    assert record["hits"][0]["chance"] == {"share": 0.34, "low": 0.29, "high": 0.39, "cited": 120, "documents": 353}
    assert (record["hits"][0]["hub"], record["hits"][1]["hub"]) == (4, 0)
    assert chance_sentence(Chance(0.0, 0.0, 0.031, 0, 120)) == (
        "0 % of documents with this score were cited in past searches (0–3.1 %)"
    )


@dataclass(frozen=True)
class Ranked:
    """A ranking as records name it."""

    name: str
    corpus: str = ""
    fingerprint: str = "f" * 32

    def to_record(self) -> dict[str, Any]:
        return {"name": self.name, "corpus": self.corpus, "metrics": {"judged": 179}}


def test_the_ranking_is_told_in_words(narrowed: Result) -> None:
    here = replace(narrowed, ranking=Ranked("learned", narrowed.corpus_fingerprint))
    assert "weights learned from the citations of this corpus<" in search_html(here)
    assert "179 patents of the corpus were used as queries" in search_html(here)
    assert "ranked by all channels: weights learned from the citations of this corpus" in printed(here)
    assert "citations of this corpus, in an earlier state of it" in printed(replace(here, ranking=Ranked("learned")))
    uncounted = replace(here, ranking=Ranked("default-weights"), hits=(replace(here.hits[0], chance=None),))
    assert "default weights" in printed(uncounted)
    assert "is not known for this ranking" in search_html(uncounted)
    assert "reciprocal rank fusion, without weights" in printed(replace(here, ranking=Ranked("rrf")))
    assert "ranked by tfidf of full text" in printed(narrowed)
    assert "No document of the corpus can be prior art" in printed(replace(here, hits=(), removed={}))


@pytest.mark.parametrize("width", [40, 60, 80, 119, 120, 200])
def test_the_terminal_holds_its_width(narrowed: Result, width: int) -> None:
    out = StringIO()
    Console(file=out, width=width, force_terminal=False).print(terminal_search(narrowed, family=True))
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert ("Title, score contributions" in " ".join(text.split())) is (width >= 120)
    for hit in narrowed.hits:
        assert hit.id in text
        assert hit.status in " ".join(text.split())


@pytest.mark.parametrize(
    ("least", "greatest", "ticks"),
    [
        (0.0, 0.6, ["0.00", "0.05", "0.60"]),
        (0.0, 1.0, ["0.0", "0.1", "1.0"]),
        (-1.1, 4.4, ["-1.5", "-1.0", "0.0", "4.5"]),
        (-3.0, 12.3, ["-4", "-2", "0", "14"]),
        (0.0, 0.192, ["0.00", "0.02", "0.20"]),
        (-40.0, 160.0, ["-40", "-20", "0", "160"]),
    ],
)
def test_the_axis_of_scores_is_round_and_holds_them_all(least: float, greatest: float, ticks: list[str]) -> None:
    """The histogram once took every score for a cosine from 0 to 1."""
    plot = score_plot(Scores(greatest, (3, 0, 1), least), ())
    assert plot is not None
    texts = [text for _, text in plot.ticks]
    assert set(ticks) <= set(texts)
    assert (texts[0], texts[-1]) == (ticks[0], ticks[-1])
    assert "-0" not in texts
    assert "-0.0" not in texts
    (first, high, width), (second, low, _) = plot.columns
    assert 66 <= first < second + width <= 694.1
    assert second - first == pytest.approx(2 * (width + 1), abs=0.2)
    assert high < low < plot.floor


def test_the_record_tells_all_of_it(narrowed: Result) -> None:
    record = json.loads(json.dumps(result_record(narrowed)))
    assert record["regime"] == "epc"
    assert record["filters"] == {"published_from": "1995", "without": ["<tea>"]}
    assert record["removed"] == {
        "together": 2,
        "each": {"published from 1995": 2, "without <tea>": 0},
        "unknown": {"published from 1995": 1},
    }
    assert record["own_family_count"] == 1
    assert (record["own_family"][0]["id"], record["own_family"][0]["status"]) == ("XX4A", "own family")
    assert all(hit["rule"] and hit["similarity"] > 0 for hit in record["hits"])
    assert all(item["rule"] and item["status"] == "after the date" for item in record["left_out"])


def test_filters_that_leave_nothing_say_so(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(PATENTS)
        result = search(DRAFT, build(corpus, tmp_path / "i"), corpus, must=("unobtainium",))
    assert "The filters leave no document." in search_html(result)
    assert "The filters leave no document." in printed(result)
    assert "must have unobtainium: 8" in printed(result)
