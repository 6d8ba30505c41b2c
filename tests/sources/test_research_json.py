"""Readers of JSON collections answer whatever stands in a record, or refuse it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.document.record import to_json
from foreart.sources.formats import beir, hupd, own_jsonl, pap2pat, paper_data, patentsview, pqai, thinkstruct
from foreart.sources.patent_files import MALFORMED

READERS = {
    "own": own_jsonl.READER,
    "pqai": pqai.READER,
    "pap2pat": pap2pat.READER,
    "thinkstruct": thinkstruct.READER,
    "hupd": hupd.READER,
    "beir": beir.READER,
    "paper": paper_data.SQLITE_READER,
    "paper-csv": paper_data.CSV_READER,
    "patentsview": patentsview.READER,
}
KEYS = [
    "abstract",
    "application_number",
    "authors",
    "bibtex",
    "citations",
    "citationsDetails",
    "cited_patents",
    "claim_depends_on",
    "claim_numbers",
    "claims",
    "classification",
    "classifications",
    "cpc",
    "cpc_labels",
    "date",
    "description",
    "detailed_description",
    "doc_number",
    "family",
    "family_refs",
    "filename",
    "full_description",
    "inventor_list",
    "inventors",
    "ipc",
    "main_cpc_label",
    "metadata",
    "non_patent_citations",
    "origins",
    "paragraphs",
    "patent_number",
    "pub_date",
    "publication_date",
    "publication_number",
    "sections",
    "text",
    "title",
    "translations",
    "us_citations",
    "uspc_class",
]
IDS = {key: "US7585299B2" for key in ("id", "_id", "publicationNumber", "publication_number", "doc_number")}
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["", "1. A", "x; y", "2009", "US1"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["id", "text", "title", "details", "patent_id", "start", "end", "x"]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("name", READERS)
@given(record=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6))
@settings(max_examples=60, deadline=None)
def test_odd_values_are_read_or_refused(name: str, record: dict[str, object]):
    named = {**IDS, "patent": {"patent_id": "7585299"}}  # the number is what must not be odd
    data = json.dumps({**record, **named}).encode()
    try:
        found = list(READERS[name].parse(data))
    except MALFORMED:
        return
    assert [patent.number.key for patent in found] == ["US7585299"]
    for patent in found:
        to_json(patent).encode()


@pytest.mark.parametrize("name", READERS)
@given(data=st.binary(max_size=200))
@settings(max_examples=30, deadline=None)
def test_odd_bytes_are_refused(name: str, data: bytes):
    try:
        list(READERS[name].parse(data))
    except MALFORMED:
        return
    pytest.fail("random bytes became a patent")


@pytest.mark.parametrize("name", READERS)
@given(head=st.binary(max_size=300).filter(lambda head: b"SQLite format 3" not in head))
@settings(max_examples=30, deadline=None)
def test_odd_bytes_are_not_claimed(name: str, head: bytes):
    assert not READERS[name].sniff(head, "x")
