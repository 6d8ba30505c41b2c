"""TREC's qrels and runs, read and written."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from foreart.errors import BadFile, ForeartError
from foreart.evaluation import (
    Qrels,
    condensed,
    evaluate_run,
    qrels_of,
    ranking,
    read_qrels,
    read_run,
    run_of,
    write_qrels,
    write_run,
)


def test_qrels_in_spaces_tabs_crlf_and_blank_lines(tmp_path: Path) -> None:
    place = tmp_path / "a.qrels"
    place.write_bytes(b"\xef\xbb\xbfEP2405819A2 0\tUS-4674515-A 1\r\n\r\n  q1\t0  US7585299B2\t-1 \r\nq1 0 doc 3")
    found = read_qrels(place)
    assert found.grades == {"EP2405819A2": {"US4674515A": 1}, "q1": {"US7585299B2": -1, "doc": 3}}
    assert found.queries == ("EP2405819A2", "q1")
    assert found.relevant("q1") == ("doc",)
    assert found.only(["q1"]).queries == ("q1",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a 0 b 1\na 0 c\n", r"x\.qrels: line 2: 3 fields instead of 4 \(query, 0, document, grade\)"),
        ("a 0 b 1\n\na 0 c high\n", r"line 3: the grade is 'high', which is not a whole number"),
        ("a 0 b 1.5\n", r"line 1: the grade is '1.5'"),
        ("a 0 b 1\na 0 b 0\n", r"line 2: b was graded 1 for a before, and now 0"),
        ("\n \n", "has no judgements"),
    ],
)
def test_bad_qrels_are_told_with_file_and_line(tmp_path: Path, text: str, told: str) -> None:
    place = tmp_path / "x.qrels"
    place.write_text(text)
    with pytest.raises(BadFile, match=told):
        read_qrels(place)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a Q0 b 1 2.0\n", "line 1: 5 fields instead of 6"),
        ("a Q0 b 1 fast t\n", "line 1: the score is 'fast'"),
        ("a Q0 b 1 nan t\n", "line 1: the score is 'nan'"),
        ("a Q0 b 1 inf t\n", "line 1: the score is 'inf'"),
        ("a Q0 b 1 2 t\na Q0 b 2 1 t\n", "line 2: b is ranked twice for a"),
        ("", "has no ranking"),
    ],
)
def test_bad_runs_are_told_with_file_and_line(tmp_path: Path, text: str, told: str) -> None:
    place = tmp_path / "x.run"
    place.write_text(text)
    with pytest.raises(BadFile, match=told):
        read_run(place)


def test_files_that_are_none_or_no_text_or_cut_off(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.qrels: No such file"):
        read_qrels(tmp_path / "none.qrels")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00a")
    with pytest.raises(BadFile, match="not a text file"):
        read_qrels(tmp_path / "binary")
    whole = gzip.compress(b"a 0 b 1\n" * 100)
    (tmp_path / "cut.gz").write_bytes(whole[:-10])
    with pytest.raises(BadFile, match=r"cut\.gz"):
        read_qrels(tmp_path / "cut.gz")


@pytest.mark.parametrize("name", ["a.qrels", "deep/a.qrels.gz"])
def test_qrels_come_back_as_they_were_written(tmp_path: Path, name: str) -> None:
    qrels = qrels_of([("US 7,585,299 B2", "ep1000000a1", 2), ("q", "x", 0), ("US7585299B2", "y", 1)])
    assert qrels == Qrels({"US7585299B2": {"EP1000000A1": 2, "y": 1}, "q": {"x": 0}})
    write_qrels(qrels, tmp_path / name)
    assert read_qrels(tmp_path / name) == qrels
    first = (tmp_path / name).read_bytes()
    write_qrels(qrels, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_a_run_is_written_in_its_order(tmp_path: Path) -> None:
    run = run_of({"q": {"US3A": 0.1, "US2A": 0.5, "US1A": 0.1, "x": float("-inf")}}, tag="mine")
    write_run(run, tmp_path / "a.run")
    assert (tmp_path / "a.run").read_text() == (
        "q Q0 US2A 1 0.5 mine\nq Q0 US3A 2 0.1 mine\nq Q0 US1A 3 0.1 mine\nq Q0 x 4 -inf mine\n"
    )
    again = read_run(tmp_path / "a.run")
    assert again.tag == "mine"
    assert again.rankings["q"].ids == run.rankings["q"].ids
    np.testing.assert_array_equal(again.rankings["q"].scores, run.rankings["q"].scores)


def test_scores_lose_no_digit_in_a_gzipped_run(tmp_path: Path) -> None:
    scores = {f"US{number}A": float(score) for number, score in enumerate(np.random.default_rng(1).random(50))}
    write_run(run_of({"q": scores}), tmp_path / "a.run.gz")
    found = read_run(tmp_path / "a.run.gz").rankings["q"]
    assert dict(zip(found.ids, found.scores.tolist(), strict=True)) == scores


def test_topics_of_other_collections_keep_their_names_and_match(tmp_path: Path) -> None:
    """`T1` could be a US defensive publication: it is matched as one and shown as it was written."""
    (tmp_path / "a.qrels").write_text("T1 0 us4674515a 1\nt2 0 D671233 1\n")
    qrels = read_qrels(tmp_path / "a.qrels")
    assert qrels.grades == {"T1": {"US4674515A": 1}, "t2": {"D671233": 1}}
    found = evaluate_run(run_of({"UST1": {"US4674515": 1.0}, "t2": {"USD671233S1": 1.0}}), qrels, ["mrr"])
    assert (found["mrr"], found.queries) == (1.0, ("T1", "t2"))


def test_the_score_decides_not_the_rank_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q\tQ0\ta\t1\t1\tt\r\nq\tQ0\tb\t2\t3\tt\r\n")
    assert read_run(tmp_path / "a.run").rankings["q"].ids == ("b", "a")


def test_ids_with_spaces_and_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ForeartError, match="no spaces"):
        write_run(run_of({"q": {"a b": 1.0}}), tmp_path / "a.run")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="file"):
        write_qrels(qrels_of([("q", "x", 1)]), tmp_path / "file" / "a.qrels")


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_scores_that_cannot_be_ranked_are_refused(bad: float) -> None:
    with pytest.raises(ForeartError, match="NaN or infinite"):
        ranking(["a", "b"], [1.0, bad])


def test_a_ranking_is_frozen() -> None:
    found = ranking(["a", "b"], [1.0, 2.0])
    assert (found.ids, len(found), found.first(1).ids) == (("b", "a"), 2, ("b",))
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0] = 3.0


def test_a_condensed_run_has_only_what_was_judged_without_regard_to_kind_codes() -> None:
    run = run_of({"EP1000001A1": {"US1A": 3.0, "US2B1": 2.0, "US3A": 1.0}, "other": {"US1A": 1.0}})
    found = condensed(run, qrels_of([("EP1000001B1", "US2A", 1), ("EP1000001B1", "US3A", 0)]))
    assert {query: ranked.ids for query, ranked in found.rankings.items()} == {"EP1000001A1": ("US2B1", "US3A")}
