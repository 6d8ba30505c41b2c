"""Topics with human judgements, invented ones and those beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import OWN, SHARED
from foreart.corpus import Corpus
from foreart.corpus.views import read_view
from foreart.errors import BadFile
from foreart.evaluation import EvaluationOptions, assess_scorer, collection_of, ranker_scorer, read_topics
from foreart.index.building import build
from foreart.search import IndexRanker
from foreart.sources import scan

PATSNAP = SHARED / "patsnap"


def topic(folder: Path, name: str, *, relevant: str = "US1A\r\n", other: str | None = None, xml: str = "") -> None:
    plain = f"<query><title>\n  Pawls {name}\n</title><description> Any\n  pawl. </description></query>"
    (folder / f"{name}.xml").write_text(xml or f"<?xml version='1.0' ?>\n{plain}")
    (folder / f"{name}-qrels+ve.txt").write_bytes(relevant.encode())
    if other is not None:
        (folder / f"{name}-qrels-ve.txt").write_bytes(other.encode())


def test_topics_become_drafts_and_judgements(tmp_path: Path) -> None:
    topic(tmp_path, "q2", relevant="US1A\r\n\r\nEP0735178A1", other="US3A\n")
    topic(tmp_path, "q1")
    (tmp_path / "US9A.xml").write_text("<doc><str name='Patent Number'>US9A</str></doc>")
    found = read_topics(tmp_path)
    assert [query.id for query in found.queries] == ["q1", "q2"]
    draft = found.queries[0].document
    assert (draft.title, draft.abstract, found.queries[0].date) == ("Pawls q1", "Any pawl.", "")
    assert found.qrels.grades == {"q1": {"US1A": 1}, "q2": {"US1A": 1, "EP0735178A1": 1, "US3A": 0}}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"relevant": "US1A\nUS2A US3A\n"}, r"q1-qrels\+ve\.txt: line 2: 2 fields instead of 1"),
        ({"other": "US1B2\n"}, r"q1-qrels-ve\.txt: line 1: US1B2 was judged relevant before"),
        ({"xml": "<query><title>x</query>"}, r"q1\.xml: not well-formed"),
        ({"xml": "<query><title> </title></query>"}, r"q1\.xml: the topic has neither a title nor a description"),
        ({"xml": "<doc/>"}, "has no topics"),
    ],
)
def test_bad_topics_are_told_with_their_file(tmp_path: Path, options: dict[str, str], told: str) -> None:
    topic(tmp_path, "q1", **options)  # type: ignore[arg-type]
    with pytest.raises(BadFile, match=told):
        read_topics(tmp_path)


def test_a_topic_without_a_list_of_relevant_documents_is_told(tmp_path: Path) -> None:
    topic(tmp_path, "q1")
    (tmp_path / "q1-qrels+ve.txt").unlink()
    with pytest.raises(BadFile, match=r"q1-qrels\+ve\.txt: No such file"):
        read_topics(tmp_path)


def test_a_topic_is_evaluated(tmp_path: Path) -> None:
    """Only the relevant document shares a word with the topic: it is first of all, and of the three judged."""
    topics = read_topics(OWN / "patsnap_xml")
    assert topics.qrels.grades == {"q1": {"EP1990036A1": 1, "US7990037": 0, "WO2010990038A1": 0}}
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(patent for path in sorted((OWN / "patsnap_xml").glob("[EUW]*.xml")) for patent in scan(path))
        ranker = IndexRanker(build(corpus, tmp_path / "index"), read_view(corpus))
        parts = (ranker_scorer(ranker), collection_of(ranker, corpus), topics.queries, topics.qrels)
        every = assess_scorer(*parts, EvaluationOptions(metrics=("map", "recall@100", "auc")))
        judged = assess_scorer(*parts, EvaluationOptions(metrics=("map", "auc"), judged=True))
    assert every.evaluation.values == {"map": 1.0, "recall@100": 1.0, "auc": 1.0}
    assert judged.evaluation.values == {"map": 1.0, "auc": 1.0}
    assert judged.evaluation.pairs is not None
    assert len(judged.evaluation.pairs) == 3


@pytest.mark.skipif(not PATSNAP.is_dir(), reason=f"the judged topics are not beside the project ({PATSNAP})")
def test_both_topics_of_patsnap_are_evaluated(tmp_path: Path) -> None:
    topics = read_topics(PATSNAP)
    assert {
        query: (sum(grade > 0 for grade in grades.values()), len(grades))
        for query, grades in topics.qrels.grades.items()
    } == {
        "q1": (22, 47),
        "q2": (25, 50),
    }
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(scan(PATSNAP / "patsnap_abstracts.jsonl.gz"))
        ranker = IndexRanker(build(corpus, tmp_path / "index"), read_view(corpus))
        parts = (ranker_scorer(ranker), collection_of(ranker, corpus), topics.queries, topics.qrels)
        every = assess_scorer(*parts, EvaluationOptions(metrics=("map", "recall@100", "auc")))
        judged = assess_scorer(*parts, EvaluationOptions(metrics=("map", "auc"), judged=True))
    assert every.evaluation.values == pytest.approx({"map": 0.2091, "recall@100": 0.4691, "auc": 0.9065}, abs=0.005)
    assert judged.evaluation.values == pytest.approx({"map": 0.7876, "auc": 0.7957}, abs=0.005)
    assert judged.evaluation.pairs is not None
    assert len(judged.evaluation.pairs) == 97
