"""What a person takes away: the page, the table, the JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from foreart.corpus import Corpus
from foreart.draft import Draft
from foreart.report import html_report, result_record, terminal_report
from foreart.report.marking import marked
from foreart.search import Result, build, search
from pawls import DRAFT, PATENTS

HOSTILE = '<script>alert("x")</script> \x1b[31m & "quoted" \u202egnp'


@pytest.fixture
def result(tmp_path: Path) -> Result:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        hostile = replace(PATENTS[3], title=HOSTILE, abstract=f"A pawl {HOSTILE}")
        corpus.add([*PATENTS[:3], hostile, *PATENTS[4:]])
        return search(replace(DRAFT, title=HOSTILE), build(corpus, tmp_path / "index"), corpus)


class Page(HTMLParser):
    """Checks that tags nest, and keeps what was seen."""

    VOID = frozenset({"meta", "line", "rect", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_asks_for_nothing(result: Result) -> None:
    text = html_report(result)
    page = Page(text)
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "link", "iframe", "object", "form"}
    assert not re.search(r"https?://|url\(|@import", text)
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)


def test_titles_from_anywhere_are_escaped(result: Result) -> None:
    text = html_report(result)
    assert "<script>" not in text
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Acme &lt;b&gt;Tools&lt;/b&gt; &amp; Sons" in text


def test_the_page_says_what_an_attorney_asks_first(result: Result) -> None:
    text = html_report(result, made="2024-05-06")
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
    assert 'role="img" aria-label="Scores of 8 documents' in text


def test_shares_of_a_card_sum_to_all(result: Result) -> None:
    card = html_report(result).split("<article")[1].split("</article>")[0]
    shares = [int(share) for share in re.findall(r'class="share">(\d+) %', card)]
    assert 97 <= sum(shares) <= 103


def test_the_same_result_gives_the_same_bytes(result: Result) -> None:
    assert html_report(result) == html_report(result)


def test_marking_keeps_the_text_and_marks_whole_words() -> None:
    assert marked("Pawls & a PAWL-like <pawl>.", {"pawl"}) == (
        "Pawls &amp; a <mark>PAWL</mark>-like &lt;<mark>pawl</mark>&gt;."
    )


def test_the_table_shows_rank_id_date_status_score_and_words(result: Result) -> None:
    out = StringIO()
    Console(file=out, width=120, force_terminal=False).print(terminal_report(result))
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
    assert record["cutoff"] == {"date": "2014-03-10", "source": "priority date named in the draft"}
    assert record["left_out_count"] == 3
    assert record["index"]["features"] == "tfidf"


def test_reports_of_a_search_without_hits(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(PATENTS)
        result = search(
            Draft(title="Zebra", notes=("no text layer on page 2 of 3",)), build(corpus, tmp_path / "i"), corpus
        )
    text = html_report(result)
    assert Page(text).open == []
    assert "shares a word with the draft" in text
    assert "no text layer on page 2 of 3" in text
    out = StringIO()
    Console(file=out, width=100).print(terminal_report(result))
    assert "No document shares a word" in out.getvalue()
