"""From files to hits, typed as a user types it."""

from __future__ import annotations

import io
import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app

SAMPLE = Path(str(resources.files("foreart").joinpath("sample")))
DRAFT = str(SAMPLE / "drafts" / "insulin-pump.txt")


def foreart(*words: str, library: Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [*words, "--library", str(library)], input=io.BytesIO(stdin), catch_exceptions=False)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    assert foreart("add", str(SAMPLE / "patents.jsonl"), library=folder).exit_code == 0
    result = foreart("build", "--json", library=folder)
    built = json.loads(result.stdout)
    assert [(made["index"], made["documents"]) for made in built] == [("log-tfidf", 50), ("tfidf", 50)]
    return folder


def test_search_gives_hits_with_dates_scores_status_and_words(library: Path) -> None:
    found = json.loads(foreart("search", DRAFT, "--json", library=library).stdout)
    assert found["cutoff"]["date"] == "2014-03-10"
    first = found["hits"][0]
    assert first["id"] in {"XX20090748218A1", "XX8246714B2"}
    assert (first["rank"], first["status"]) == (1, "prior art")
    assert first["published"] < "2014-03-10"
    assert 0 < first["score"] < 1
    assert first["words"]
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_a_given_cutoff_counts(library: Path) -> None:
    early = json.loads(foreart("search", DRAFT, "--cutoff", "1995-01-01", "--json", library=library).stdout)
    dated = [hit for hit in early["hits"] if hit["status"] == "prior art"]
    assert dated
    assert all(hit["published"] < "1995-01-01" for hit in dated)
    assert foreart("search", DRAFT, "--cutoff", "soon", library=library).exit_code == 1


def test_search_prints_a_table_and_writes_a_page(library: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = foreart("search", DRAFT, "--html", str(page), "-k", "3", library=library)
    assert result.exit_code == 0
    assert "prior art" in result.stdout
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") or text.startswith("<!doctype html>")
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


def test_a_draft_may_come_from_standard_input(library: Path) -> None:
    piped = json.loads(foreart("search", "-", "--json", library=library, stdin=Path(DRAFT).read_bytes()).stdout)
    named = json.loads(foreart("search", DRAFT, "--json", library=library).stdout)
    assert [hit["id"] for hit in piped["hits"]] == [hit["id"] for hit in named["hits"]]


def test_the_index_of_the_paper_is_built_too_and_can_be_searched(library: Path) -> None:
    found = json.loads(foreart("search", DRAFT, "--index", "tfidf", "--json", library=library).stdout)
    assert found["hits"][0]["id"] == "XX20090748218A1"


def test_an_index_has_sections_parameters_and_a_name(library: Path) -> None:
    words = ("build", "tfidf", "--sections", "claims", "--set", "norm=max", "--set", "idf=false")
    (built,) = json.loads(foreart(*words, "--json", library=library).stdout)
    assert (built["index"], built["sections"]) == ("tfidf-claims", "claims")
    assert built["parameters"] == {"tf": "count", "idf": False, "norm": "max", "as_published": False}
    assert foreart(*words, "--name", "mine", library=library).exit_code == 0
    assert foreart("search", DRAFT, "--index", "mine", library=library).exit_code == 0
    missing = foreart("search", DRAFT, "--index", "yours", library=library)
    assert missing.exit_code == 1
    assert "there is no index 'yours'" in missing.stderr
    assert "log-tfidf, mine" in missing.stderr


def test_indexes_of_other_kinds_built_together_keep_their_names(library: Path) -> None:
    words = ("build", "ppmi", "bm25", "lsa", "--json", "--sections", "abstract")
    built = json.loads(foreart(*words, library=library).stdout)
    assert [(made["index"], made["features"]) for made in built] == [
        ("ppmi-abstract", "ppmi"),
        ("bm25-abstract", "bm25"),
        ("lsa-abstract", "lsa"),
    ]
    assert foreart("build", "lsa", "kpca", "--set", "as_published=true", library=library).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("tfidf", "--set", "depth=3"), 1, "tfidf has no parameter 'depth'; it has tf, idf, norm, as_published"),
        (("tfidf", "--set", "idf"), 2, "write it as NAME=VALUE"),
        (("tfidf", "--set", "norm=none"), 1, "norm is 'none'; it can be length, max"),
        (("tfidf", "log-tfidf", "--name", "both"), 1, "can be given to one index, not to 2"),
    ],
)
def test_wrong_words_for_an_index_are_told(library: Path, words: tuple[str, ...], code: int, told: str) -> None:
    result = foreart("build", *words, library=library)
    assert (result.exit_code, told in " ".join(result.stderr.split())) == (code, True), result.stderr


def test_searching_a_changed_corpus_asks_for_a_new_index(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    foreart("add", str(SAMPLE / "patents.jsonl"), library=folder)
    assert "`foreart build` makes them" in foreart("search", DRAFT, library=folder).stderr
    foreart("build", library=folder)
    foreart("remove", "XX5304988", library=folder)
    result = foreart("search", DRAFT, library=folder)
    assert result.exit_code == 1
    assert "run `foreart build` again" in result.stderr
    assert "older than the corpus" in foreart("doctor", library=folder).stdout


def test_demo_does_it_all_and_says_what_is_next(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    result = foreart("demo", library=folder)
    assert result.exit_code == 0
    assert "XX20090312644A1" in result.stdout
    assert "foreart add FILE" in result.stdout
    assert (folder / "report.html").stat().st_size > 20_000
    again = foreart("demo", "--draft", "ultrasound-probe.pdf", "--json", library=folder)
    assert json.loads(again.stdout)["hits"][0]["id"] == "XX8026938B2"


def test_draft_text_goes_to_no_message(tmp_path: Path) -> None:
    secret = tmp_path / "secret.docx"
    secret.write_bytes(b"PK\x03\x04 the quick brown unobtainium flange")
    folder = tmp_path / "library"
    foreart("add", str(SAMPLE / "patents.jsonl"), library=folder)
    foreart("build", library=folder)
    result = foreart("search", str(secret), library=folder)
    assert result.exit_code == 1
    assert "unobtainium" not in result.output


def test_near_pairs_are_listed_with_their_cosine(library: Path) -> None:
    found = [
        json.loads(line)
        for line in foreart("near", "--threshold", "0.5", "--json", library=library).stdout.splitlines()
    ]
    assert {("XX20060129477A1", "XX20100076391A1")} <= {(pair["one"], pair["other"]) for pair in found}
    assert all(0.5 <= pair["cosine"] <= 1 for pair in found)
    assert any(pair["family"] for pair in found)
    plain = foreart("near", "--threshold", "0.5", library=library).stdout.splitlines()
    assert len(plain) == len(found)
    assert plain[0].split("\t")[:2] == [found[0]["one"], found[0]["other"]]
    assert foreart("near", "--threshold", "0", library=library).exit_code == 2


def test_a_search_compares_only_what_is_selected(library: Path) -> None:
    every = json.loads(foreart("search", DRAFT, "--json", library=library).stdout)
    few = json.loads(foreart("search", DRAFT, "--class", "A61M", "--to", "2005", "--json", library=library).stdout)
    assert 0 < few["compared"] < every["compared"] == 50
    assert few["hits"]
    assert all(hit["published"] < "2006" for hit in few["hits"])
