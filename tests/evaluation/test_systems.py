"""`foreart.evaluate` is what `foreart evaluate` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from foreart.cli.app import app
from foreart.errors import CorpusError, ForeartError
from foreart.evaluation import EvaluationOptions, Qrels, evaluate, evaluate_run, read_run, write_qrels, write_run
from foreart.library import Library

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
METRICS = ["map", "recall@100", "pres@100"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([SAMPLE / "patents.jsonl"])
        made.build()
        yield made


@pytest.fixture(scope="module")
def qrels(library: Library) -> Qrels:
    """What the patents of the sample cite in it."""
    known = set(library.corpus.ids())
    cited = {patent.id: {item.id: 1 for item in patent.citations if item.id in known} for patent in library.corpus}
    return Qrels({query: grades for query, grades in cited.items() if grades})


def test_the_figures_are_those_of_the_command(library: Library, qrels: Qrels, tmp_path: Path) -> None:
    write_qrels(qrels, tmp_path / "sample.qrels")
    words = ["evaluate", "--qrels", str(tmp_path / "sample.qrels"), "--metrics", ",".join(METRICS), "--json"]
    printed = json.loads(CliRunner().invoke(app, [*words, "-l", str(library.folder)]).stdout)
    report = evaluate(library, qrels, METRICS)
    assert printed["metrics"] == report.values
    assert list(report.values) == METRICS
    assert report["recall@100"] == report.values["recall@100"] > 0.5
    assert json.loads(json.dumps(report.to_record())) == printed
    assert evaluate(library, tmp_path / "sample.qrels", METRICS).values == report.values


def test_the_run_of_a_report_has_its_figures(library: Library, qrels: Qrels, tmp_path: Path) -> None:
    report = evaluate(library, qrels, ["map"], index="tfidf", against=["bm25"], samples=100)
    write_run(report.run, tmp_path / "made.run")
    assert evaluate_run(read_run(tmp_path / "made.run"), qrels, ["map"])["map"] == pytest.approx(
        report["map"], abs=1e-9
    )
    again = evaluate(library, qrels, ["map"], run=tmp_path / "made.run", against=["tfidf"], samples=100)
    assert again["map"] == pytest.approx(report["map"], abs=1e-9)
    (contrast,) = report.contrasts
    assert (contrast.baseline, contrast.other, contrast.other_value) == ("bm25", "tfidf", report["map"])
    assert report.intervals is not None
    assert report.intervals["map"].low <= report["map"] <= report.intervals["map"].high


def test_conditions_and_groups(library: Library, qrels: Qrels) -> None:
    report = evaluate(
        library, qrels, ["map"], index="tfidf", conditions=EvaluationOptions(depth=3), by="year", samples=0
    )
    assert max(len(ranked.ids) for ranked in report.run.rankings.values()) == 3
    assert sum(group.queries for group in report.groups) == len(report.evaluation.queries)
    assert report.intervals is None


def test_what_cannot_be_evaluated_is_one_sentence(library: Library, qrels: Qrels, tmp_path: Path) -> None:
    with pytest.raises(ForeartError, match="there is no index 'none'"):
        evaluate(library, qrels, index="none")
    with pytest.raises(ForeartError, match="elsewhere is neither an index of"):
        evaluate(library, qrels, against=["elsewhere"])
    with pytest.raises(ForeartError, match="cannot be grouped by 'colour'; there are year"):
        evaluate(library, qrels, by="colour")
    with pytest.raises(ForeartError, match="none of the 1 queries is in the corpus"):
        evaluate(library, Qrels({"US99": {"US98": 1}}))
    with pytest.raises(CorpusError, match="no corpus at"):
        evaluate(Library(tmp_path / "nothing"), qrels)
