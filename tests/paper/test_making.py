"""The whole paper on the sample corpus: values against a second computation, files, resuming, labels."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extras import needs
from foreart.corpus import Corpus, Selection
from foreart.errors import ForeartError, MissingExtra
from foreart.evaluation.pairs.pairs import Pairs, PairSettings
from foreart.evaluation.pairs.pairs_making import make_pairs
from foreart.features import load, make
from foreart.library import Library
from foreart.paper import EXHIBITS, OMISSIBLE, Made, Progress, StudySettings, make_paper
from foreart.paper.experiments import scoring as scoring_module
from foreart.paper.experiments.study import study
from foreart.review import JudgedPair
from foreart.text import section_text, tokens

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
SMALL = StudySettings(
    dimensions=(3, 5), without=("word2vec", "doc2vec"), sampled=20, parameters={"ppmi": {"dimensions": 5}}
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Library(tmp_path_factory.mktemp("library")) as library:
        library.add([SAMPLE / "patents.jsonl"])
        yield library.corpus


@pytest.fixture(scope="module")
def pairs(corpus: Corpus) -> Pairs:
    chosen = Selection(published_from="2010", published_to="2013")
    return make_pairs(corpus, PairSettings(chosen, 10, "unrelated", 1))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def made(corpus: Corpus, pairs: Pairs, work: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_paper(corpus, pairs, work, tmp_path_factory.mktemp("out"), settings=SMALL)


@pytest.fixture(scope="module")
def found(made: Made) -> dict[str, Any]:
    return read(made.page.parent)


def read(folder: Path) -> dict[str, Any]:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} in results.json")

    content: dict[str, Any] = json.loads((folder / "results.json").read_text("utf-8"), parse_constant=refuse)
    return content


def row(table: dict[str, Any], label: str) -> dict[str, Any]:
    (chosen,) = (each for each in table["rows"] if label in (each.get("Features"), each.get("Measure")))
    return dict(chosen)


# A second computation, with dictionaries and by the definitions.


def weights(corpus: Corpus, section: str, *, tf: bool, idf: bool, norm: str) -> dict[str, dict[str, float]]:
    counts = {patent.id: Counter(tokens(section_text(patent, section))) for patent in corpus}
    df = Counter(word for of in counts.values() for word in of)
    made: dict[str, dict[str, float]] = {}
    for number, of in counts.items():
        raw = {w: (n if tf else 1) * (math.log(len(counts) / df[w]) if idf else 1.0) for w, n in of.items()}
        size = math.sqrt(sum(x * x for x in raw.values())) if norm == "length" else max(raw.values(), default=0.0)
        made[number] = {w: x / size for w, x in raw.items() if x and size}
    return made


def linear(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(x * other.get(w, 0.0) for w, x in one.items())


def jaccard(one: dict[str, float], other: dict[str, float]) -> float:
    least = sum(min(x, other.get(w, 0.0)) for w, x in one.items())
    return least / (sum(one.values()) + sum(other.values()) - least)


def manhattan(one: dict[str, float], other: dict[str, float]) -> float:
    return -sum(abs(one.get(w, 0.0) - other.get(w, 0.0)) for w in one.keys() | other.keys())


def auc(pairs: Pairs, rows: dict[str, dict[str, float]], measure: Any) -> float:
    scored = [(round(measure(rows[one], rows[other]), 12), label) for one, other, label in pairs]
    cited = [score for score, label in scored if label == "cited"]
    random = [score for score, label in scored if label == "random"]
    wins = sum((one > other) + (one == other) / 2 for one in cited for other in random)
    return wins / (len(cited) * len(random))


@pytest.mark.parametrize(("section", "column"), [("full", "full text"), ("abstract", "abstract"), ("claims", "claims")])
def test_table_one_has_the_auc_of_bags_of_words(
    corpus: Corpus, pairs: Pairs, found: dict[str, Any], section: str, column: str
) -> None:
    rows = weights(corpus, section, tf=True, idf=True, norm="length")
    ours = row(found["tables"]["T1"], "Bag-of-words")
    assert ours[f"AUC {column}"] == pytest.approx(auc(pairs, rows, linear), abs=1e-12)
    assert ours["AUC full text (paper)"] == 0.9560
    assert ours["AUC full text (difference)"] == pytest.approx(ours["AUC full text"] - 0.9560)


@pytest.mark.parametrize(
    ("label", "measure", "column", "weighting"),
    [
        ("Linear", linear, "length normalisation tf-idf", {"tf": True, "idf": True, "norm": "length"}),
        ("Jaccard", jaccard, "max normalisation tf", {"tf": True, "idf": False, "norm": "max"}),
        ("Manhattan", manhattan, "length normalisation 0/1-idf", {"tf": False, "idf": True, "norm": "length"}),
        ("Manhattan", manhattan, "max normalisation 0/1", {"tf": False, "idf": False, "norm": "max"}),
    ],
)
def test_table_seven_has_the_auc_of_every_measure(
    corpus: Corpus,
    pairs: Pairs,
    found: dict[str, Any],
    label: str,
    measure: Any,
    column: str,
    weighting: dict[str, Any],
) -> None:
    expected = auc(pairs, weights(corpus, "full", **weighting), measure)
    assert row(found["tables"]["T7"], label)[column] == pytest.approx(expected, abs=1e-9)


def test_no_cell_is_empty_that_was_asked_for(found: dict[str, Any]) -> None:
    cells = [value for each in found["tables"]["T7"]["rows"] for key, value in each.items() if "normalisation" in key]
    assert len(cells) == 3 * 160
    assert all(isinstance(value, float) for value in cells)
    for label in ("Bag-of-words", "LSA", "KPCA", "Bag-of-words, log tf", "BM25", "BOW + PPMI vectors"):
        of = row(found["tables"]["T1"], label)
        values = [of[f"{metric} {section}"] for metric in ("AUC", "AP")
                  for section in ("full text", "abstract", "claims", "description")]  # fmt: skip
        assert all(0.0 <= value <= 1.0 for value in values), label
        assert of["remark"] == ""
    assert row(found["tables"]["T1"], "doc2vec")["remark"] == "left out (--without doc2vec)"
    assert "--model" in row(found["tables"]["T1"], "Sentence embedding")["remark"]
    assert {each["Dimensions"] for each in found["tables"]["X1"]["rows"]} == {"3", "5"}


def test_the_last_dimensions_are_those_of_table_one(found: dict[str, Any]) -> None:
    by_width = {(each["group"], each["Dimensions"]): each for each in found["tables"]["X1"]["rows"]}
    assert by_width["LSA", "5"]["AUC claims"] == row(found["tables"]["T1"], "LSA")["AUC claims"]
    assert by_width["LSA", "3"]["AUC claims"] != by_width["LSA", "5"]["AUC claims"]


@needs("matplotlib")
def test_all_files_are_there_and_csv_has_what_json_has(made: Made, found: dict[str, Any]) -> None:
    folder = made.page.parent
    tables = {name for name in EXHIBITS if name in found["tables"]}
    assert {path.stem for path in (folder / "tables").iterdir()} == tables
    drawn = {name for name, figure in found["figures"].items() if figure["data"]}
    assert drawn == {"F2", "F4", "F6", "F7", "F8", "X2"}
    assert {path.name for path in (folder / "figures").iterdir()} == {f"{n}.{f}" for n in drawn for f in ("png", "svg")}
    for name in tables:
        with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        theirs = [{key: "" if value is None else str(value) for key, value in each.items()}
                  for each in found["tables"][name]["rows"]]  # fmt: skip
        assert rows == theirs, name


def test_the_record_tells_how_it_was_made(found: dict[str, Any], corpus: Corpus, pairs: Pairs) -> None:
    assert found["corpus"] == {"fingerprint": corpus.fingerprint, "documents": 50}
    assert found["pairs"]["fingerprint"] == pairs.fingerprint
    assert (found["pairs"]["cited"], found["pairs"]["random"]) == (29, 90)
    assert found["settings"]["dimensions"] == [3, 5]
    assert {"cut", "corpus", "tfidf:full", "measures:tf-idf:length"} <= found["seconds"].keys()
    assert {"python", "numpy", "foreart"} <= found["versions"].keys()
    assert found["unfinished"] == []
    assert sum(found["figures"]["F8"]["data"]["patents"]) == 20
    assert sum(found["figures"]["F6"]["data"]["patents"]) + found["figures"]["F6"]["data"]["undated"] == 50
    questions = {finding["question"]: finding for finding in found["findings"]}
    assert len(questions) == len(found["findings"]) >= 4
    assert all(finding["verdict"] in ("yes", "partly", "no") for finding in found["findings"])


def test_the_page_needs_nothing_from_outside_and_names_every_exhibit(made: Made) -> None:
    page = made.page.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    for address in re.findall(r'(?:src|href|action|poster|data)\s*=\s*"([^"]*)"', page):
        assert address.startswith("#"), address
    assert not re.search(r"<(script|link|iframe|img|object|embed)\b", page)
    assert not re.search(r"@import|url\((?!#)", page)
    identities = re.findall(r'\bid="([^"]+)"', page)
    assert len(identities) == len(set(identities))
    for name in EXHIBITS:
        assert f'<section class="exhibit" id="{name}">' in page
        assert f"foreart paper --only {name}</code>" in page
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets <= set(identities)
    assert "Which findings hold for this corpus" in page
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL).lower().split()


def test_a_second_run_computes_nothing(corpus: Corpus, pairs: Pairs, work: Path, made: Made, tmp_path: Path) -> None:
    assert len(made.computed) == len(set(made.computed)) == 1 + 1 + 6 * 4 + 8  # cut, corpus, T1, T7
    tables = [name for name in EXHIBITS if name[0] == "T"]  # figures take longest to draw, and need no other steps
    again = make_paper(corpus, pairs, work, tmp_path, settings=SMALL, only=[*tables, "X1", "F8"])
    assert again.computed == ()
    assert read(tmp_path)["tables"] == read(made.page.parent)["tables"]
    assert not list(work.glob("stream*")), "the stream is large and goes when the run is over"


def test_only_what_is_asked_for(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    made = make_paper(corpus, pairs, tmp_path / "work", tmp_path / "out", settings=SMALL, only=["f2", "T6"])
    assert made.computed == ("corpus", "cut", "tfidf:full", "tfidf:claims")
    content = read(tmp_path / "out")
    assert (set(content["tables"]), set(content["figures"])) == ({"T6"}, {"F2"})
    with pytest.raises(ForeartError, match="no table or figure 'T8'"):
        make_paper(corpus, pairs, tmp_path / "work", tmp_path / "out", only=["T8"])
    with pytest.raises(ForeartError, match="cannot be left out"):
        make_paper(corpus, pairs, tmp_path / "work", tmp_path / "out", settings=replace(SMALL, without=("tfidf",)))


def test_other_settings_and_other_pairs_are_other_questions(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    def computed(pairs: Pairs, settings: StudySettings) -> tuple[str, ...]:
        return make_paper(corpus, pairs, tmp_path / "w", tmp_path / "o", settings=settings, only=["T6", "F2"]).computed

    assert computed(pairs, SMALL) == ("corpus", "cut", "tfidf:full", "tfidf:claims")
    assert computed(pairs, replace(SMALL, sampled=10)) == ("corpus",)
    assert computed(replace(pairs, random=pairs.random[:9]), SMALL) == ("corpus", "tfidf:full", "tfidf:claims")
    assert computed(pairs, replace(SMALL, as_published=True)) == ("cut", "tfidf:full", "tfidf:claims")


def test_a_changed_default_is_another_question(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    """Otherwise rows of a former version's default would pass for those of today's."""
    of = study(corpus, pairs, tmp_path, settings=SMALL)
    assert scoring_module.settings("doc2vec", of)["parameters"] == {**make("doc2vec", {}).parameters, "seed": 1}


@needs("gensim")
def test_one_model_of_full_texts_infers_all_sections(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    """As in the authors' scripts; it is learned once and kept."""
    others = tuple(name for name in OMISSIBLE if name not in ("doc2vec", "description"))
    small = replace(SMALL, without=others, parameters={"doc2vec": {"dimensions": 4, "epochs": 2}})
    made = make_paper(corpus, pairs, tmp_path / "w", tmp_path / "o", settings=small, only=["T1"])
    (kept,) = (tmp_path / "w").glob("doc2vec-learned.*")
    of = study(corpus, pairs, tmp_path / "w", settings=small)
    of.texts.cut(stream=True)
    expected = make("doc2vec", {"dimensions": 4, "epochs": 2, "seed": 1}).fit_stream(  # type: ignore[attr-defined]
        of.texts.stream("full", of.learned)
    )
    claims = of.texts.stream("claims", of.compared.targets)
    np.testing.assert_array_equal(load(kept / "features").encode_stream(claims), expected.encode_stream(claims))  # type: ignore[attr-defined]
    again = scoring_module.score("doc2vec", "claims", of)
    assert again.numbers["metrics"][0]["auc"] == row(read(tmp_path / "o")["tables"]["T1"], "doc2vec")["AUC claims"]
    (kept / "features" / "words.json").write_text("[]")
    assert scoring_module.score("doc2vec", "claims", of).numbers == again.numbers, "a damaged model is learned again"
    assert made.results.failed == {}


def test_interrupted_it_writes_what_is_there_and_goes_on(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.title == "Bag-of-words, claims":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_paper(corpus, pairs, tmp_path / "w", tmp_path / "o", settings=SMALL, only=["F2", "F6"], tell=stop)
    content = read(tmp_path / "o")
    assert content["unfinished"] == ["Bag-of-words, claims"]
    assert content["figures"]["F6"]["data"]
    assert not content["figures"]["F2"]["data"]
    assert "Not finished: Bag-of-words, claims" in (tmp_path / "o" / "report.html").read_text("utf-8")
    made = make_paper(corpus, pairs, tmp_path / "w", tmp_path / "o", settings=SMALL, only=["F2", "F6"])
    assert made.computed == ("tfidf:claims",)


def test_the_time_left_falls_to_nothing(corpus: Corpus, pairs: Pairs, tmp_path: Path) -> None:
    told: list[Progress] = []
    make_paper(corpus, pairs, tmp_path / "w", tmp_path / "o", settings=SMALL, only=["F2"], tell=told.append)
    assert {progress.of for progress in told} == {3}
    assert [progress.number for progress in told] == sorted(progress.number for progress in told)
    assert all(0.0 <= progress.share <= 1.0 and progress.left >= 0.0 for progress in told)
    assert told[0].left > told[-1].left


def test_a_missing_library_costs_only_its_row(
    corpus: Corpus, pairs: Pairs, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = scoring_module.make

    def closed(name: str, parameters: dict[str, Any]) -> Any:
        if name == "ppmi":
            raise MissingExtra("word vectors", "word2vec")
        return real(name, parameters)

    monkeypatch.setattr(scoring_module, "make", closed)
    changed = replace(SMALL, parameters={"ppmi": {"dimensions": 4}})
    made = make_paper(corpus, pairs, work, tmp_path, settings=changed, only=["T1"])
    assert all(name == "cut" for name in made.computed)
    ours = row(read(tmp_path)["tables"]["T1"], "BOW + PPMI vectors")
    assert "foreart[word2vec]" in ours["remark"]
    assert ours["AUC claims"] is None
    assert row(read(tmp_path)["tables"]["T1"], "LSA")["AUC claims"] is not None


def test_without_matplotlib_all_but_the_pictures_is_there(
    corpus: Corpus, pairs: Pairs, work: Path, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    make_paper(corpus, pairs, work, tmp_path, settings=SMALL, only=["T6", "F8"])
    content = read(tmp_path)
    assert "foreart[plots]" in content["figures"]["F8"]["remark"]
    assert content["figures"]["F8"]["data"] == read(made.page.parent)["figures"]["F8"]["data"]
    assert list((tmp_path / "figures").iterdir()) == []
    assert "foreart[plots]" in (tmp_path / "report.html").read_text("utf-8")


@needs("matplotlib")
def test_labels_fill_the_tables_of_the_expert(
    corpus: Corpus, pairs: Pairs, work: Path, made: Made, tmp_path: Path
) -> None:
    judged = []
    for target in pairs.targets[:3]:
        judged += [JudgedPair(target, document, cited=True, score=4) for document in pairs.cited[target]]
        judged += [
            JudgedPair(target, document, cited=False, score=place % 4) for place, document in enumerate(pairs.random)
        ]
    asked = ["T1", "T2", "T3", "T4", "F3", "F9"]
    of = make_paper(corpus, pairs, work, tmp_path, settings=SMALL, judged=judged, only=asked)
    assert of.computed == (), "labelled pairs are among all pairs: nothing is computed anew"
    content = read(tmp_path)
    cited = sum(len(pairs.cited[target]) for target in pairs.targets[:3])
    (relevant, irrelevant, recall, precision) = content["tables"]["T2"]["rows"]
    assert (relevant["cited"], relevant["random"], irrelevant["cited"], irrelevant["random"]) == (cited, 6, 0, 24)
    assert (relevant["cited (paper)"], recall["cited (paper)"]) == (65, 0.78)
    assert (recall["cited"], precision["cited"]) == (cited / (cited + 6), 1.0)
    assert all(each["Spearman's ρ"] is not None for each in content["tables"]["T3"]["rows"])
    ours = row(content["tables"]["T4"], "Bag-of-words")
    assert ours["AUC cited (all)"] == row(content["tables"]["T1"], "Bag-of-words")["AUC full text"]
    assert 0.5 < ours["AUC cited (labelled)"] <= 1.0
    assert ours["AP relevant (labelled) (paper)"] == 0.5274
    assert content["figures"]["F3"]["data"]["panels"][0]["marked_id"] in pairs.random
    assert (tmp_path / "figures" / "F9.png").exists()
    assert "foreart sample" not in (tmp_path / "report.html").read_text("utf-8")
    assert "foreart sample" in made.page.read_text("utf-8")
