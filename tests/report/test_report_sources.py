"""A report made from a search, its record and a claim chart: its quotes hold against the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foreart.document.draft import Draft, analysed
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.library import Library
from foreart.report.forms.report_data import CategoryLine, RemovedCount, SearchReport
from foreart.report.forms.report_sources import chart_passages, reported_document, reported_draft, reported_search
from foreart.report.writers.form_table import FORMS, write_report

DRAFT = analysed(
    Draft(
        title="Ratchet",
        claims=(
            Claim(1, "A ratchet comprising: a locking lever; a pawl held by the locking lever; and steel teeth."),
            Claim(2, "The ratchet of claim 1, wherein the teeth are round.", (1,)),
            Claim(5, "A method of turning a round ratchet, wherein a spring is bent."),
        ),
        priority="2014-03-10",
        filed="2015-03-10",
        language="en",
    )
)


def patent(number: str, *texts: str, published: str = "2001-01-01") -> Patent:
    numbered = (Paragraph(text, number=f"{place:04}") for place, text in enumerate(texts, start=1))
    return Patent(number, title="Lever", description=tuple(numbered), published=published, language="en")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.corpus.add(
            [
                patent("EP1000001A1", "The locking lever holds the pawl between steel teeth.", "A spring is bent."),
                patent("EP1000002A1", "A round ratchet is turned, and a spring is bent.", published="2003-01-01"),
                *(patent(f"EP200000{number}A1", f"Tea number {number} is poured.") for number in range(6)),
            ]
        )
        made.build("tfidf")
        yield made


def test_searches_and_charts_become_a_report_whose_quotes_hold(library: Library, tmp_path: Path) -> None:
    result = library.search(DRAFT, k=5, index="tfidf", countries=["EP"])
    record = library.record(result)
    search = reported_search(record, "tf-idf", unknown={"countries EP": 2})
    assert (search.cutoff, search.documents, search.compared, search.hits) == ("2014-03-10", 8, 8, len(result.hits))
    assert (search.corpus_fingerprint, search.draft_fingerprint) == (result.corpus_fingerprint, DRAFT.fingerprint)
    assert dict(search.versions)["foreart"] == result.foreart
    chart = library.chart(DRAFT, ["EP1000001A1", "EP1000002A1"])
    passages = chart_passages(chart, "EP1000001A1", limit=2)
    assert {passage.claims for passage in passages} == {(1,), (5,)}
    assert all(sum(one.claims == (claim,) for one in passages) <= 2 for claim in (1, 5))
    document = reported_document(
        library.corpus["EP1000001A1"],
        status=result.hits[0].status,
        rule=result.hits[0].rule,
        passages=passages,
        categories=(CategoryLine("X", (1,)),),
    )
    report = SearchReport(reported_draft(DRAFT), result.cutoff, (document,), searches=(search,))
    assert report.draft.independent == (1, 5)
    for form in FORMS.values():
        if form.verified:
            path = tmp_path / form.file_name
            path.write_bytes(write_report(report, form.name))
            checked = library.verify(path)
            assert (checked.faults, checked.quotes) == ((), len(passages))


def test_filters_keep_what_they_removed(library: Library) -> None:
    result = library.search(DRAFT, index="tfidf", published_from="2002-01-01")
    search = reported_search(library.record(result), "tf-idf")
    assert search.filters == tuple(RemovedCount(name, number) for name, number in result.removed.items())
    assert sum(item.removed for item in search.filters) == 7
