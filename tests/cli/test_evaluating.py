"""`foreart evaluate`, typed as a user types it."""

from __future__ import annotations

import csv
import json
from importlib import resources
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app
from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.document.record import to_json
from foreart.evaluation import evaluate_run, qrels_of, read_qrels, read_run, write_qrels
from foreart.library import Library

SAMPLE = Path(str(resources.files("foreart").joinpath("sample"))) / "patents.jsonl"
METRICS = "map,ndcg@10,recall@100,pres@100,auc,ap"


def foreart(*words: str | Path, library: Path) -> Result:
    return CliRunner().invoke(app, ["evaluate", *map(str, words), "--library", str(library)], catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with Library(folder) as made:
        made.add([SAMPLE])
        made.build("tfidf")
        made.build("log-tfidf")
    return folder


@pytest.fixture(scope="module")
def qrels(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the sample patents published since 2008 cite, under numbers without kind code."""
    place = tmp_path_factory.mktemp("qrels") / "sample.qrels"
    with Corpus(library / "corpus.db") as corpus:
        known = set(corpus.ids())
        targets = [patent for patent in corpus if patent.published >= "2008"]
        found = [
            (f"{patent.number.country}{patent.number.number}", citation.id, 1)
            for patent in targets
            for citation in patent.citations
            if citation.id in known
        ]
    write_qrels(qrels_of(found), place)
    return place


def asked(*words: str | Path, library: Path) -> dict[str, object]:
    result = foreart(*words, "--json", library=library)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_the_contract(library: Path, qrels: Path) -> None:
    found = asked("--qrels", qrels, "--index", "tfidf", "--metrics", METRICS, "--random", "10", library=library)
    assert next(iter(found)) == "metrics"
    assert list(found["metrics"]) == METRICS.split(",")
    assert all(0 < value <= 1 for value in found["metrics"].values())
    assert found["intervals"]["map"][0] < found["metrics"]["map"] < found["intervals"]["map"][1]
    assert found["queries"] == len(read_qrels(qrels))
    assert found["pairs"] == {
        "relevant": sum(map(len, read_qrels(qrels).grades.values())),
        "other": 10 * found["queries"],
    }
    assert found["index"]["name"] == "tfidf"
    assert found["index"]["features"] == "tfidf"
    assert found["corpus"] == {"fingerprint": found["index"]["corpus"], "documents": 50}
    assert found["conditions"]["seed"] == 1
    assert found["conditions"]["random"] == found["random_documents"] == 10
    assert (found["missing_queries"], found["unranked_queries"], found["left_out_queries"]) == ([], [], [])
    assert set(found["mean_over_queries"]) == {"auc", "ap"}
    assert (found["run"], found["foreart"], found["notes"]) == (None, version("foreart"), [])


def test_names_of_metrics_come_back_as_they_were_given(library: Path, qrels: Path) -> None:
    found = asked("--qrels", qrels, "--metrics", "MAP, nDCG@5,Recall@5", "--samples", "0", library=library)
    assert list(found["metrics"]) == ["MAP", "nDCG@5", "Recall@5"]
    assert "intervals" not in found
    assert found["index"]["name"] == "log-tfidf"
    assert "ranked by log-tfidf alone" in " ".join(found["notes"])


def test_the_same_twice_and_another_seed(library: Path, qrels: Path) -> None:
    words = ("--qrels", qrels, "--random", "5", "--metrics", "map,auc", "--samples", "50")
    one = asked(*words, library=library)
    assert one == asked(*words, library=library)
    other = asked(*words, "--seed", "2", library=library)
    assert other["metrics"]["map"] == one["metrics"]["map"]
    assert other["metrics"]["auc"] != one["metrics"]["auc"]
    assert other["intervals"]["map"] != one["intervals"]["map"]


def test_queries_of_a_file_outside_the_corpus(library: Path, qrels: Path, tmp_path: Path) -> None:
    """The same queries under a number the corpus does not have rank the same documents, and themselves too."""
    queries, renamed = tmp_path / "queries.jsonl", tmp_path / "renamed.qrels"
    known = read_qrels(qrels)
    names = {query: f"ZZ{number}A1" for number, query in enumerate(known.queries, start=1)}
    with Corpus(library / "corpus.db") as corpus:
        lines = [to_json(Patent(**{**vars(corpus[old]), "id": new})) for old, new in names.items() if corpus[old]]
    queries.write_text("\n".join(lines[1:]), encoding="utf-8")
    write_qrels(
        qrels_of((names[query], number, 1) for query, grades in known.grades.items() for number in grades), renamed
    )
    words = ("--queries", queries, "--qrels", renamed, "--index", "tfidf", "--metrics", "recall@50", "--samples", "0")
    found = asked(*words, library=library)
    assert found["missing_queries"] == ["ZZ1A1"]
    assert found["queries"] == len(known) - 1
    assert found["metrics"]["recall@50"] == pytest.approx(1.0, abs=0.05)


def test_missing_queries_are_told_and_do_not_count(library: Path, tmp_path: Path) -> None:
    place = tmp_path / "some.qrels"
    place.write_text("XX8246714B2 0 XX5428634A 1\nUS9999999 0 XX5428634A 1\nXX8026938 0 XX5840226A 0\n")
    found = asked("--qrels", place, "--metrics", "recall@50,map", library=library)
    assert found["missing_queries"] == ["US9999999"]
    assert found["left_out_queries"] == ["XX8026938"]
    assert (found["queries"], found["metrics"]["recall@50"]) == (1, 1.0)
    result = foreart("--qrels", place, "--metrics", "map", library=library)
    assert "1 queries were not found and do not count: US9999999" in result.stderr
    place.write_text("US9999999 0 XX5428634A 1\n")
    result = foreart("--qrels", place, library=library)
    assert (result.exit_code, "none of the 1 queries" in result.output) == (1, True)


def test_a_saved_run_is_evaluated_alike_and_needs_no_library(library: Path, qrels: Path, tmp_path: Path) -> None:
    saved, table = tmp_path / "made.run.gz", tmp_path / "out" / "values.csv"
    words = ("--qrels", qrels, "--metrics", "map,pres@10", "--per-query")
    made = asked(*words, "--index", "tfidf", "--save-run", saved, "--csv", table, library=library)
    again = asked(*words, "--run", saved, library=tmp_path / "none")
    assert again["metrics"] == made["metrics"]
    assert again["per_query"] == made["per_query"]
    assert (again["index"], again["corpus"], again["run"]) == (None, None, str(saved))
    assert made["metrics"] == evaluate_run(read_run(saved), read_qrels(qrels), ["map", "pres@10"]).values
    with table.open(newline="") as file:
        rows = {row["query"]: float(row["map"]) for row in csv.DictReader(file)}
    assert rows == {query: values["map"] for query, values in made["per_query"].items()}
    assert read_run(saved).tag == "tfidf"


def test_a_run_without_a_corpus_has_the_metrics_that_can_be_told(library: Path, tmp_path: Path) -> None:
    place, run = tmp_path / "a.qrels", tmp_path / "a.run"
    place.write_text("q1 0 US1 1\n")
    run.write_text("q1 Q0 US1 1 3.5 x\n")
    found = asked("--qrels", place, "--run", run, library=tmp_path / "none")
    assert list(found["metrics"]) == ["map", "mrr", "ndcg@10", "p@10", "recall@100", "pres@100"]
    result = foreart("--qrels", place, "--run", run, "--metrics", "auc", library=tmp_path / "none")
    assert (result.exit_code, "no corpus at" in result.output) == (1, True)


def test_a_query_that_a_run_lacks_counts_0(library: Path, tmp_path: Path) -> None:
    place, run = tmp_path / "a.qrels", tmp_path / "a.run"
    place.write_text("q1 0 XX5428634A 1\nq2 0 XX5428634A 1\n")
    run.write_text("q1 Q0 XX5428634 1 3.5 x\n")
    found = asked("--qrels", place, "--run", run, "--metrics", "map,auc", library=library)
    assert found["metrics"]["map"] == 0.5
    assert found["unranked_queries"] == ["q2"]
    assert found["notes"][0].startswith("the run is missing")
    assert 0.5 < found["metrics"]["auc"] < 1


def test_one_index_against_another_and_against_a_run(library: Path, qrels: Path, tmp_path: Path) -> None:
    saved = tmp_path / "made.run"
    words = ("--qrels", qrels, "--metrics", "map,auc", "--samples", "50", "--random", "10")
    baseline = asked(*words, "--index", "tfidf", "--save-run", saved, library=library)
    found = asked(*words, "--against", "tfidf", "--against", saved, library=library)
    assert [(item["baseline"], item["metric"]) for item in found["against"]] == [
        ("tfidf", "map"),
        ("tfidf", "auc"),
        (str(saved), "map"),
        (str(saved), "auc"),
    ]
    first = found["against"][0]
    assert first["baseline_value"] == baseline["metrics"]["map"]
    assert first["other_value"] == found["metrics"]["map"]
    assert first["difference"] == pytest.approx(found["metrics"]["map"] - baseline["metrics"]["map"])
    assert first["wins"] + first["ties"] + first["losses"] == found["queries"]
    assert 0 < first["p"] <= 1
    shown = foreart(*words, "--against", "tfidf", library=library).stdout
    assert "log-tfidf" in shown
    assert f"{first['difference']:+.4f}" in shown


def test_groups_families_depth_and_ties(library: Path, qrels: Path) -> None:
    words = ("--qrels", qrels, "--index", "tfidf", "--metrics", "map,auc", "--random", "10", "--samples", "0")
    plain = asked(*words, "--by", "subclass", library=library)
    groups = plain["groups"]["rows"]
    assert plain["groups"]["by"] == "subclass"
    assert sum(group["queries"] for group in groups) == plain["queries"]
    mean = sum(group["queries"] * group["metrics"]["map"] for group in groups) / plain["queries"]
    assert mean == pytest.approx(plain["metrics"]["map"])
    assert asked(*words, "--families", library=library)["conditions"]["families"]
    assert asked(*words, "--depth", "1", library=library)["metrics"]["map"] < plain["metrics"]["map"]
    tied = asked(*words, "--tie-tolerance", "1", library=library)["metrics"]
    assert tied == {"map": plain["metrics"]["map"], "auc": 0.5}


def test_tables_are_whole_on_a_narrow_terminal(library: Path, qrels: Path) -> None:
    result = foreart("--qrels", qrels, "--by", "year", "--per-query", "--samples", "20", library=library)
    assert result.exit_code == 0
    assert "95% interval" in result.stdout
    assert "mean average precision" in result.stdout
    assert "recall@100" in result.stdout
    assert "…" not in result.stdout.split("queries", 1)[1]
    assert all(query in result.stdout for query in read_qrels(qrels).queries)


def test_topics_with_judgements(library: Path, tmp_path: Path) -> None:
    (tmp_path / "t1.xml").write_text("<query><title>insulin pump</title><description>worn pumps</description></query>")
    (tmp_path / "t1-qrels+ve.txt").write_text("XX8246714B2\r\nXX20090748218A1\r\n")
    (tmp_path / "t1-qrels-ve.txt").write_text("XX5694310A\r\nXX7024816\r\n")
    found = asked("--topics", tmp_path, "--index", "tfidf", "--metrics", "mrr,auc", library=library)
    assert found["queries"] == 1
    assert found["notes"][0].startswith("ranked against all documents")
    judged = asked("--topics", tmp_path, "--judged", "--metrics", "map,auc,p@4", library=library)
    assert judged["metrics"] == {"map": 1.0, "auc": 1.0, "p@4": 0.5}
    assert (judged["pairs"], judged["random_documents"]) == ({"relevant": 2, "other": 2}, 0)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "either --qrels FILE or --topics FOLDER"),
        (("--qrels", "{qrels}", "--topics", "{folder}"), 2, "either --qrels"),
        (("--topics", "{folder}", "--queries", "{qrels}"), 2, "leave out --queries"),
        (("--qrels", "{qrels}", "--index", "tfidf", "--run", "{qrels}"), 2, "either --index or --run"),
        (("--qrels", "{qrels}", "--index", "tfidf", "--against", "tfidf"), 2, "twice"),
        (("--qrels", "{qrels}", "--metrics", "recal@5"), 1, "there is no metric 'recal@5'; there are map"),
        (("--qrels", "{qrels}", "--index", "nothing"), 1, "there is no index"),
        (("--qrels", "{qrels}", "--against", "nothing"), 1, "neither an index"),
        (("--qrels", "{qrels}", "--run", "{qrels}"), 1, "fields instead of 6"),
        (("--qrels", "none.qrels"), 2, "does not exist"),
    ],
)
def test_what_cannot_be_done_is_told(
    words: tuple[str, ...], code: int, told: str, library: Path, qrels: Path, tmp_path: Path
) -> None:
    result = foreart(*(word.format(qrels=qrels, folder=tmp_path) for word in words), library=library)
    assert result.exit_code == code, result.output
    assert told in " ".join(result.output.split())


def test_no_corpus_and_a_corpus_that_grew(qrels: Path, tmp_path: Path) -> None:
    result = foreart("--qrels", qrels, library=tmp_path / "none")
    assert (result.exit_code, "no corpus at" in result.output) == (1, True)
    assert not (tmp_path / "none").exists()
    with Library(tmp_path / "library") as made:
        made.add([SAMPLE])
        made.build("log-tfidf")
        made.corpus.add([Patent("US1A", title="new")])
    result = foreart("--qrels", qrels, library=tmp_path / "library")
    assert (result.exit_code, "1 document was added since and is not searched yet" in result.output) == (0, True)
