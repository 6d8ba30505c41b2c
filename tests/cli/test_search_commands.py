"""From files to hits, typed as a user types it."""

from __future__ import annotations

import io
import json
import shutil
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foreart.cli.app import app
from foreart.document.patent import Patent
from foreart.library import Library
from foreart.search import REGIMES

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
    names = ["log-tfidf", "tfidf", "bm25", "topics", "log-tfidf-claims", "log-tfidf-abstract"]
    names.append("topics-abstract-claims")
    assert [(made["index"], made["documents"]) for made in built] == [(name, 50) for name in names]
    return folder


def test_search_gives_hits_with_dates_scores_status_and_words(library: Path) -> None:
    found = json.loads(foreart("search", DRAFT, "--json", library=library).stdout)
    assert found["cutoff"]["date"] == "2014-03-10"
    first = found["hits"][0]
    assert first["id"] in {"XX20090748218A1", "XX8246714B2"}
    assert (first["rank"], first["status"]) == (1, "prior art")
    assert first["published"] < "2014-03-10"
    assert sum(part["contribution"] for part in first["parts"]) == pytest.approx(first["score"], abs=1e-9)
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
    assert "log-tfidf-claims, mine, tfidf" in missing.stderr


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


def test_a_build_tells_how_well_topics_fit_new_documents(library: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(library, tmp_path / "library")
    assert "learned from" not in foreart("build", library=copy).stdout
    lines = (SAMPLE / "patents.jsonl").read_text("utf-8").splitlines()[:7]
    added = tmp_path / "added.jsonl"
    records = [json.loads(line) | {"id": f"XX90{place}A1", "title": "Qwxz"} for place, line in enumerate(lines)]
    added.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    foreart("add", str(added), library=copy)
    told = " ".join(foreart("build", library=copy).stdout.split())
    drift = Library(copy).index("topics").description.drift
    assert (
        f"7 encoded since; {drift['recall']:.0%} of the nearest 20 are those that learning again gives (`--refresh`)"
        in told
    )
    assert "learned from 50 documents, 7 encoded since" in told


def test_a_changed_corpus_is_searched_as_it_was_indexed(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    foreart("add", str(SAMPLE / "patents.jsonl"), library=folder)
    assert "`foreart build` builds them" in foreart("search", DRAFT, library=folder).stderr
    foreart("build", library=folder)
    first = foreart("search", DRAFT, "--json", library=folder)
    best = json.loads(first.stdout)["hits"][0]["id"]
    added = tmp_path / "added.jsonl"
    record = json.loads((SAMPLE / "patents.jsonl").read_text("utf-8").splitlines()[0])
    added.write_text(json.dumps(record | {"id": "XX999A1"}), encoding="utf-8")
    foreart("remove", best, library=folder)
    foreart("add", str(added), library=folder)
    result = foreart("search", DRAFT, "--json", library=folder)
    assert result.exit_code == 0
    assert best not in [hit["id"] for hit in json.loads(result.stdout)["hits"]]
    assert "1 document was added since and is not searched yet" in result.stdout
    assert "older than the corpus" in foreart("doctor", library=folder).stdout


def test_demo_does_it_all_and_says_what_is_next(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    result = foreart("demo", library=folder)
    assert result.exit_code == 0
    assert "XX20090312644A1" in result.stdout
    assert "foreart add FILE" in result.stdout
    assert (folder / "report.html").stat().st_size > 20_000
    again = foreart("demo", "--draft", "ultrasound-probe.pdf", "--json", library=folder)
    assert "XX8026938B2" in [hit["id"] for hit in json.loads(again.stdout)["hits"][:4]]


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


def test_a_publication_of_the_corpus_may_be_the_draft(library: Path) -> None:
    found = json.loads(foreart("search", "XX8246714B2", "--json", library=library).stdout)
    assert found["draft"]["source"] == "XX8246714B2"
    own = {item["id"]: item["rule"] for item in found["own_family"]}
    assert own["XX8246714B2"].startswith("own family: the draft itself")
    assert found["own_family_count"] == len(own)
    assert not own.keys() & {hit["id"] for hit in found["hits"]}
    missing = foreart("search", "XX9999999B2", library=library)
    assert (missing.exit_code, "neither a file nor in the corpus" in missing.stderr) == (1, True)
    nothing = foreart("search", "nowhere.docx", library=library)
    assert (nothing.exit_code, "no such file, and it is not a publication number" in nothing.stderr) == (1, True)


def test_the_law_is_chosen_and_each_hit_names_its_rule(library: Path) -> None:
    told = {}
    for regime in ("any", "epc", "us", "pct"):
        found = json.loads(foreart("search", DRAFT, "--regime", regime, "--json", library=library).stdout)
        assert found["regime"] == regime
        told[regime] = {
            hit["rule"].split(": ")[1].split(";")[0] for hit in found["hits"] if hit["status"] == "prior art"
        }
    assert told["epc"] == {"Art. 54(2) EPC"}
    assert told["us"] == {"35 USC 102(a)(1)"}
    assert told["pct"] == {"PCT Rules 33.1(a) and 64.1"}
    assert told["any"] == {"Art. 54(2) EPC, 35 USC 102(a)(1), PCT Rules 33.1(a) and 64.1"}
    assert foreart("search", DRAFT, "--regime", "epo", library=library).exit_code == 2
    assert list(REGIMES) == list(told)


def test_filters_say_what_they_removed(library: Path, tmp_path: Path) -> None:
    words = ("--must", "insulin", "--without", '"glucose sensor"', "--ignore", "XX8246714", "--country", "XX")
    found = json.loads(foreart("search", DRAFT, *words, "--json", library=library).stdout)
    removed = found["removed"]
    assert list(removed["each"]) == ["country XX", "ignore list", "must have insulin", "without glucose sensor"]
    assert removed["together"] == sum(removed["each"].values()) == 50 - found["compared"]
    assert removed["each"]["ignore list"] >= 2  # with its family
    assert found["filters"]["ignore"] == ["XX8246714"]
    shown = foreart("search", DRAFT, *words, library=library).stdout
    assert f"Filters removed {removed['together']} of 50 documents" in " ".join(shown.split())


def test_only_what_is_new_since_a_saved_search(library: Path, tmp_path: Path) -> None:
    first = foreart("search", DRAFT, "-k", "5", "--json", library=library).stdout
    record = tmp_path / "first.json"
    record.write_text(first, "utf-8")
    second = json.loads(foreart("search", DRAFT, "--only-new", str(record), "--json", library=library).stdout)
    old, new = ({hit["id"] for hit in found["hits"]} for found in (json.loads(first), second))
    assert new
    assert not old & new
    every = json.loads(foreart("search", DRAFT, "-k", "50", "--json", library=library).stdout)
    assert [hit["id"] for hit in second["hits"]] == [hit["id"] for hit in every["hits"]][5:25]


def test_the_family_is_listed_when_asked_for(library: Path) -> None:
    short, long = (foreart("search", DRAFT, *words, library=library).stdout for words in ((), ("--family",)))
    assert "also XX" in short
    assert "└ XX" not in short
    assert "└ XX" in long


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--from", "soon"), "'soon' is not a date"),
        (("--class", "screws"), "'screws' is not a valid class"),
        (("--country", "Germany"), "'Germany' is not a valid country"),
        (("--must", "scr*w"), "a * is only allowed at the end of a word"),
        (("--ignore", "nowhere.txt"), "there is no such file, and it is not a publication number"),
        (("--only-new", DRAFT), "has no publication number"),
    ],
)
def test_a_bad_filter_is_one_sentence(library: Path, words: tuple[str, ...], told: str) -> None:
    result = foreart("search", DRAFT, *words, library=library)
    assert result.exit_code == 1
    assert told in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_demo_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a real library, and whatever FOREART_LIBRARY says: no invented patent comes into it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOREART_LIBRARY", "foreart-data")
    with Library("foreart-data") as library:
        library.corpus.add([Patent("US7585299B2", title="Real")])
    result = CliRunner().invoke(app, ["demo", "--json"])
    assert result.exit_code == 0, result.output
    with Library("foreart-data") as library:
        assert library.corpus.ids() == ["US7585299B2"]
    assert (tmp_path / "foreart-demo" / "report.html").is_file()
    refused = CliRunner().invoke(app, ["demo", "--library", "foreart-data"])
    assert refused.exit_code == 1
    assert "foreart-data has US7585299B2, which is not in the sample" in refused.output
    with Library("foreart-data") as library:
        assert library.corpus.ids() == ["US7585299B2"]


def test_similar_is_the_search_of_a_patent_of_the_corpus(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = "XX8246714B2"
    options = ("-k", "7", "--to", "2012", "--json")
    found = json.loads(foreart("similar", "XX 8,246,714 B2", *options, library=library).stdout)
    assert found == json.loads(foreart("search", number, *options, library=library).stdout)
    assert found["draft"]["source"] == number
    assert 0 < len(found["hits"]) <= 7 and number not in [hit["id"] for hit in found["hits"]]
    with Library(library) as opened:
        hits = opened.similar(number, k=7, published_to="2012")
    assert [(hit.id, hit.score) for hit in hits] == [(hit["id"], hit["score"]) for hit in found["hits"]]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "US1234567A").write_text("A file that has the name of a number.", "utf-8")
    refused = foreart("similar", "US1234567A", library=library)
    assert refused.exit_code == 1 and "US1234567A is not in the corpus" in refused.stderr
