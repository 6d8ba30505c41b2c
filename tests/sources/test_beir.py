"""BEIR collections: documents numbered in any way."""

from __future__ import annotations

import pytest

from foreart.document.patent import Citation, Paragraph, Patent, Symbol
from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.beir import READER


def parse(line: str) -> Patent:
    (patent,) = READER.parse(line.encode())
    return patent


def test_by_value():
    assert parse('{"_id": "MED-10", "title": "Statins", "text": "One.\\nTwo.", "metadata": {}}') == Patent(
        id="MED-10", title="Statins", description=(Paragraph("One."), Paragraph("Two."))
    )


@pytest.mark.parametrize("identity", ["4983", "doc17", "MED-10", "https://example.org/1", "数"])
def test_any_id_stays_as_it_is(identity: str):
    patent = parse(f'{{"_id": "{identity}", "text": "x"}}')
    assert patent.id == identity
    assert (patent.country, patent.number.number, patent.kind) == ("", identity, "")
    assert patent.number.key == identity


def test_a_publication_number_is_spelt_as_one():
    assert parse('{"_id": "US-7585299-B2", "title": "x", "text": ""}').id == "US7585299B2"
    assert parse('{"_id": 4983, "text": "x"}').id == "4983"


def test_metadata_in_our_words_is_taken():
    patent = parse(
        '{"_id": "US1A", "text": "x", "metadata": {"publication_date": "20090908", "cpc": ["A61B17/70"],'
        ' "citations": ["US2A"], "url": "http://x", "id": "US9A", "collection": 3}}'
    )
    assert (patent.id, patent.published, patent.cpc) == ("US1A", "2009-09-08", (Symbol("A61B 17/70"),))
    assert (patent.citations, patent.collection) == ((Citation("US2A"),), "")


def test_no_id_is_refused():
    with pytest.raises(BadRecord, match="no _id"):
        parse('{"_id": "", "text": "x"}')


def test_a_corpus_file(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"_id": "1", "title": "", "text": "a"}\n{"_id": "2", "text": \n{"_id": "3", "text": "c"}\n')
    found = list(scan(file))
    assert [item.id if isinstance(item, Patent) else item.position for item in found] == [
        "1",
        "document 2, byte 39",
        "3",
    ]


def test_queries_are_no_documents(tmp_path):
    file = tmp_path / "queries.jsonl"
    file.write_text('{"_id": "q1", "text": "a screw"}\n')
    (reject,) = scan(file)
    assert isinstance(reject, Reject)
    assert reject.reason == "the queries of a BEIR collection, not documents; its documents are in corpus.jsonl"
