"""What the doctor says of a ranking: sound, damaged, old, outgrown."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import foreart
from foreart.cluster.cluster_settings import ClusterSettings, keep_settings
from foreart.corpus.views import FILE as VIEW
from foreart.corpus.views import load_view, view_file, write_view
from foreart.doctor import HealthCheck, examine
from foreart.document.patent import Patent
from foreart.errors import ClusterError, IndexingError
from foreart.index.published_state import FILE as PUBLISHED
from foreart.index.published_state import published_state
from foreart.library import Library
from foreart.search.ranking import LEARNED, load_learned, write_learned

SAMPLE = Path(foreart.__file__).parent / "sample" / "patents.jsonl"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    with Library(folder) as library:
        library.add([SAMPLE])
        library.build()
        library.learn()
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "library"))


def view_path(folder: Path) -> Path:
    return published_state(folder).view_folder / VIEW


def findings(folder: Path) -> dict[str, HealthCheck]:
    return {item.subject: item for item in examine(folder)}


def test_every_extra_of_the_project_is_reported(folder: Path) -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    named = {f"extra {name}" for name in project["optional-dependencies"] if name not in ("all", "dev")}
    assert {subject for subject in findings(folder) if subject.startswith("extra ")} == named
    assert len(named) == 10


def test_a_sound_ranking(folder: Path) -> None:
    found = findings(folder)
    assert found["view"].state == found["ranking"].state == "ok"
    assert found["view"].sentence == ("50 documents, up to date with the corpus; 117 citations; all checksums match")
    assert found["ranking"].sentence == "learned from 20 documents of this state of the corpus"


def test_what_is_not_there_yet(folder: Path) -> None:
    (folder / "ranking" / "learned.json").unlink()
    found = findings(folder)
    assert (found["ranking"].state, "`foreart learn`" in found["ranking"].sentence) == ("note", True)
    view_path(folder).unlink()
    found = findings(folder)
    assert "ranking" not in found
    assert (found["view"].state, "`foreart build`" in found["view"].sentence) == ("note", True)
    shutil.rmtree(folder / "indexes")
    (folder / PUBLISHED).unlink()
    assert "view" not in findings(folder)


@pytest.mark.parametrize("name", [VIEW, f"ranking/{LEARNED}"])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_a_truncated_file(folder: Path, name: str, part: float) -> None:
    path = view_path(folder) if name == VIEW else folder / name
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    subject, remedy = ("view", "foreart build") if name == VIEW else ("ranking", "foreart learn")
    found = findings(folder)[subject]
    assert found.state == "bad"
    assert str(path) in found.sentence
    assert f"run `{remedy}`" in found.sentence


def test_a_flipped_byte_of_the_lists(folder: Path) -> None:
    path = view_path(folder)
    data = path.read_bytes()
    own = load_view(path.parent).own.tobytes()
    for place in (data.index(own), data.index(own) + len(own) - 1):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        found = findings(folder)["view"]
        assert (found.state, "wrong checksum of own: run `foreart build`" in found.sentence) == ("bad", True)


def test_any_flipped_digit_of_what_was_learned(folder: Path) -> None:
    path = folder / "ranking" / "learned.json"
    text = path.read_text("utf-8")
    for place in range(0, len(text), len(text) // 40):
        digit = next((at for at in range(place, len(text)) if text[at] in "0123456789"), None)
        if digit is None:
            break
        path.write_text(text[:digit] + ("7" if text[digit] != "7" else "2") + text[digit + 1 :], "utf-8")
        assert findings(folder)["ranking"].state == "bad", text[digit - 30 : digit + 30]
    path.write_text(text.replace('"checksum"', '"checksun"'), "utf-8")
    assert findings(folder)["ranking"].state == "bad"


def test_only_a_file_of_the_first_version_may_lack_a_checksum(folder: Path) -> None:
    path = folder / "ranking" / "learned.json"
    record = json.loads(path.read_text("utf-8"))
    assert len(record.pop("checksum")) == 32
    path.write_text(json.dumps(record), "utf-8")
    assert findings(folder)["ranking"].state == "bad"
    path.write_text(json.dumps({**record, "versions": {**record["versions"], "foreart": "0.1.0"}}), "utf-8")
    assert findings(folder)["ranking"].state == "ok"


def test_any_flipped_letter_of_the_description_of_a_dense_index(folder: Path) -> None:
    (path,) = (folder / "indexes" / "topics").glob("*/index.json")
    text = path.read_text("utf-8")
    assert findings(folder)["index topics"].state == "ok"
    letters = [at for at, letter in enumerate(text) if letter.isalnum()]
    for at in letters[:: max(1, len(letters) // 60)]:
        path.write_text(text[:at] + ("7" if text[at] != "7" else "2") + text[at + 1 :], "utf-8")
        assert findings(folder)["index topics"].state == "bad", text[at - 30 : at + 30]
    path.write_text(text.replace('"checksum"', '"checksun"'), "utf-8")
    assert findings(folder)["index topics"].state == "bad"
    record = json.loads(text)
    del record["checksum"], record["drift"]  # as foreart 0.1.0 wrote it
    path.write_text(json.dumps(record, indent=1), "utf-8")
    assert findings(folder)["index topics"].state == "ok"


@pytest.mark.parametrize("name", ["indexes/topics", "postings/full"])
def test_a_current_that_names_no_folder(folder: Path, name: str) -> None:
    """Bytes that are not UTF-8, a path, nothing: searches use the published state, and a build repairs it."""
    for content in (b"\xff\xfe\x80", b"../..", b""):
        (folder / name / "current").write_bytes(content)
        with Library(folder) as library:
            assert len(library.index("topics" if "topics" in name else "tfidf")) == 50
        found = findings(folder)["published"]
        assert (found.state, "`foreart build` completes it" in found.sentence) == ("note", True)
    with Library(folder) as library:
        library.build()
    assert {item.state for item in examine(folder) if item.subject.startswith("index")} == {"ok"}
    assert findings(folder)["published"].state == "ok"


def test_a_damaged_published_state(folder: Path) -> None:
    text = (folder / PUBLISHED).read_text("utf-8")
    for content in (text[:-40], text.replace('"topics"', '"topicz"'), "[]", ""):
        (folder / PUBLISHED).write_text(content, "utf-8")
        with Library(folder) as library, pytest.raises(IndexingError, match=r"is damaged .*: run `foreart build`"):
            library.index("topics")
        assert findings(folder)["published"].state == "bad"
    with Library(folder) as library:
        library.build()
    assert findings(folder)["published"].state == "ok"


def test_old_forms_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder / "ranking"
    view = load_view(view_path(folder).parent)
    monkeypatch.setattr(view_file, "FORM", 0)
    write_view(view, view_path(folder).parent)
    monkeypatch.undo()
    record = json.loads((place / "learned.json").read_text("utf-8"))
    (place / "learned.json").write_text(json.dumps({**record, "form": 0}), "utf-8")
    found = findings(folder)
    for subject, remedy in (("view", "build"), ("ranking", "learn")):
        assert found[subject].state == "bad"
        assert f"another version of foreart: run `foreart {remedy}`" in found[subject].sentence


def test_a_corpus_that_went_on(folder: Path) -> None:
    """A few new documents: build. More than a tenth: learn too. Training queries that are gone: learn."""
    with Library(folder) as library:
        library.corpus.add([Patent(id=f"XX77{number}A", title="Pump") for number in range(5)])
        found = findings(folder)
        assert (found["view"].state, found["ranking"].state) == ("note", "ok")
        assert found["view"].sentence == "older than the corpus: run `foreart build` again"
        assert found["ranking"].sentence == "learned from 20 documents of an earlier state of the corpus"
        library.corpus.add([Patent(id=f"XX78{number}A", title="Pump") for number in range(1)])
        told = findings(folder)["ranking"]
        assert told.state == "note"
        assert told.sentence.endswith("6 of 56 documents are new since: `foreart learn` again")
        learned = load_learned(folder / "ranking" / "learned.json")
        taught = [number for fold in learned.folds for number in fold.ids]
        library.corpus.remove(taught[:6])
    told = findings(folder)["ranking"]
    assert told.state == "note"
    assert told.sentence.endswith("6 of the 20 documents it was learned from are gone: `foreart learn` again")
    write_learned(replace(learned, training={"queries": 20}), folder / "ranking")
    assert "does not say how many documents there were" in findings(folder)["ranking"].sentence


def test_damaged_figures_of_candidates_are_reported_and_measured_again(folder: Path) -> None:
    path = folder / "ranking" / "candidates.json"
    text = path.read_text("utf-8")
    assert findings(folder)["candidates"].state == "ok"
    for content in (text[:-20], text.replace('"best_20"', '"best_21"'), "[]", "[" * 100_000):
        path.write_text(content, "utf-8")
        found = findings(folder)["candidates"]
        assert (found.state, f"{path} is damaged" in found.sentence) == ("bad", True)
        assert "run `foreart build`" in found.sentence
    with Library(folder) as library:
        library.build()
    assert findings(folder)["candidates"].state == "ok"


@pytest.mark.parametrize("content", ["{", "[]", '{"address": 1}', '{"address": "ftp://x"}', "[" * 100_000, "\xff"])
def test_damaged_settings_of_a_cluster_are_one_sentence(folder: Path, content: str) -> None:
    path = folder / "cluster.json"
    path.write_bytes(content.encode("latin-1"))
    found = findings(folder)["cluster"]
    assert found.state == "bad"
    assert found.sentence.startswith(f"{path} cannot be read (")
    with Library(folder) as library, pytest.raises(ClusterError, match="`foreart cluster use ADDRESS` writes it"):
        library.index("topics")


def test_settings_and_shards_of_a_cluster_are_reported(folder: Path) -> None:
    assert {"cluster", "shards", "matters", "desk"}.isdisjoint(findings(folder))
    keep_settings(folder, ClusterSettings("dask://node7:8786"))
    found = findings(folder)["cluster"]
    assert (found.state, found.sentence) == ("note", "searches and builds of this library run on dask://node7:8786")
    (folder / "shards.json").write_text("{}", "utf-8")
    found = findings(folder)["shards"]
    assert (found.state, "the next search on the cluster writes it again" in found.sentence) == ("note", True)


def test_matters_are_verified_from_their_first_event_to_their_last(folder: Path) -> None:
    with Library(folder) as library:
        library.matter("open", create=True).close()
        library.matter("sealed", create=True, passphrase="a sentence of words").close()
    found = findings(folder)["matters"]
    assert (found.state, found.sentence) == ("ok", "1 verified; 1 sealed, which only their passphrases can verify")
    path = folder / "matters" / "open.matter"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE events SET rater = 'x'")
    found = findings(folder)["matter open"]
    assert (found.state, "is damaged" in found.sentence) == ("bad", True)


def test_records_of_the_desk_that_cannot_be_read_are_reported(folder: Path) -> None:
    kept = folder / "desk" / "drafts"
    kept.mkdir(parents=True)
    (kept / "a.json").write_text('{"id": "a"}', "utf-8")
    assert findings(folder)["desk"].sentence == "1 kept record, readable"
    (kept / "b.json").write_text('{"id": ', "utf-8")
    found = findings(folder)["desk"]
    assert (found.state, str(kept / "b.json") in found.sentence) == ("bad", True)
