"""The corpus: patents are stored, skipped, replaced and completed, found by number, selected and removed."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from expectation import SHARED, needs_raw
from foreart.corpus import Corpus, Selection, Writer
from foreart.corpus.packing import COLUMNS, is_intact, pack, unpack
from foreart.corpus.schema import APPLICATION, MIGRATIONS, VERSION, prepare
from foreart.document.patent import Citation, Claim, Origin, Paragraph, Patent, Symbol
from foreart.document.record import from_json, to_json
from foreart.document.reject import Reject
from foreart.errors import CorpusBusy, CorpusError, NotInCorpus, WrongVersion
from foreart.sources import scan
from strategies import patents

SAMPLE = Path(str(resources.files("foreart").joinpath("sample/patents.jsonl")))
SCREW = Patent(
    id="US7000001B2",
    title="Bone screw",
    abstract="A screw for bones.",
    claims=(Claim(1, "A screw."), Claim(2, "The screw of claim 1.", (1,))),
    description=(Paragraph("FIELD", is_heading=True, heading="FIELD"), Paragraph("Screws.", "0001", "FIELD")),
    published="2006-02-14",
    priority="2003-01-05",
    cpc=(Symbol("A61B 17/86", "first", "inventive"), Symbol("A61B 17/70", "later", "additional")),
    applicants=("Anchor Works Ltd",),
    citations=(Citation("US5000000A", "examiner"),),
    language="en",
    origins=(Origin("one.xml", "document 1", "uspto-xml-v4"),),
)
PUMPE = Patent(id="DE10200300001A1", title="Pumpe", published="2004", language="de", ipc=(Symbol("A61M 5/142"),))


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        yield opened


def test_a_stored_patent_is_returned_unchanged(corpus: Corpus) -> None:
    summary = corpus.add([SCREW, PUMPE])
    assert (summary.read, summary.added, summary.rejected) == (2, 2, 0)
    assert corpus["US7000001B2"] == SCREW
    assert list(corpus) == [SCREW, PUMPE]
    assert len(corpus) == 2


@pytest.mark.parametrize("spelling", ["us 7,000,001 b2", "US07000001", "US7000001", "US7000001B1"])
def test_matching_ignores_spelling_kind_and_zeros(corpus: Corpus, spelling: str) -> None:
    corpus.add([SCREW])
    assert corpus.find(spelling) == ["US7000001B2"]
    assert corpus[spelling].title == "Bone screw"


def test_a_number_without_kind_matches_all_its_publications(corpus: Corpus) -> None:
    corpus.add([Patent("EP1000000B1", published="2003-01-01"), Patent("EP1000000A1", published="2000-01-01")])
    assert corpus.find("EP 1 000 000") == ["EP1000000A1", "EP1000000B1"]
    assert corpus.find("EP1000000A2") == ["EP1000000A1"]
    assert corpus["EP1000000"].id == "EP1000000B1"


def test_the_latest_publication_of_a_number(corpus: Corpus) -> None:
    corpus.add([Patent("EP1000000B1", published="2003-01-01"), Patent("EP1000000A1", published="2000-01-01")])
    assert [corpus.latest(number) for number in ("EP1000000", "EP1000000A1")] == ["EP1000000B1", "EP1000000A1"]
    with pytest.raises(NotInCorpus, match=r"^US1x{57} is not in the corpus$"):
        corpus.latest("US1" + "x" * 500)


def test_an_unknown_number_is_an_error(corpus: Corpus) -> None:
    with pytest.raises(NotInCorpus, match="US1 is not in the corpus"):
        corpus["US1"]


def test_adding_again_skips_unchanged_patents(corpus: Corpus) -> None:
    corpus.add([SCREW])
    moved = replace(SCREW, origins=(Origin("two.xml", "document 9", "uspto-xml-v4"),))
    summary = corpus.add([moved])
    assert (summary.added, summary.replaced, summary.unchanged) == (0, 0, 1)
    assert corpus["US7000001B2"].origins == SCREW.origins


def test_adding_a_changed_patent_replaces_it_and_keeps_missing_fields(corpus: Corpus) -> None:
    corpus.add([SCREW])
    summary = corpus.add([Patent("US7000001B2", title="Pedicle screw", origins=(Origin("list.csv"),))])
    assert (summary.added, summary.replaced, summary.unchanged) == (0, 1, 0)
    stored = corpus["US7000001B2"]
    assert stored.title == "Pedicle screw"
    assert stored.claims == SCREW.claims
    assert [origin.file for origin in stored.origins] == ["one.xml", "list.csv"]


def test_parts_of_one_document_are_merged_in_any_order(corpus: Corpus) -> None:
    claims = Patent("EP1000000A1", claims=SCREW.claims)
    text = Patent("EP1000000A1", description=SCREW.description)
    corpus.add([claims, text])
    one = corpus["EP1000000A1"]
    corpus.remove(["EP1000000A1"])
    corpus.add([text, claims])
    assert corpus["EP1000000A1"] == one
    assert (one.claims, one.description) == (SCREW.claims, SCREW.description)


def test_the_fingerprint_does_not_depend_on_the_order(tmp_path: Path) -> None:
    with Corpus(tmp_path / "a.db", create=True) as one, Corpus(tmp_path / "b.db", create=True) as other:
        one.add([SCREW, PUMPE])
        other.add([PUMPE, SCREW])
        assert one.fingerprint == other.fingerprint
        other.add([Patent("US1A")])
        assert one.fingerprint != other.fingerprint
        other.remove(["US1A"])
        assert one.fingerprint == other.fingerprint


def test_removing_deletes_all_rows(corpus: Corpus) -> None:
    corpus.add([SCREW, PUMPE])
    assert corpus.remove(["US7000001B2", "US9"]) == 1
    for table in ("record", "class", "applicant", "citation", "tie", "signature", "family"):
        query = f"SELECT count(*) FROM {table} WHERE serial NOT IN (SELECT serial FROM patent)"
        assert corpus.connection.execute(query).fetchone() == (0,), table


def test_rejects_are_kept_with_their_bytes(corpus: Corpus) -> None:
    reject = Reject("week.xml", "document 3, byte 99", "no publication number", b"<us-patent-grant/>", "uspto-xml-v4")
    summary = corpus.add([reject, SCREW])
    assert (summary.read, summary.added, summary.rejected) == (2, 1, 1)
    assert list(corpus.rejects()) == [reject]


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        (Selection(), ["US7000001B2", "DE10200300001A1"]),
        (Selection(published_from="2005"), ["US7000001B2"]),
        (Selection(published_to="2006-02-13"), ["DE10200300001A1"]),
        (Selection(published_from="2006-02-14", published_to="2006-02"), ["US7000001B2"]),
        (Selection(published_to="2004"), ["DE10200300001A1"]),
        (Selection(classes=("A61B",)), ["US7000001B2"]),
        (Selection(classes=("A61B17/7",)), ["US7000001B2"]),
        (Selection(classes=("A61B 17/9", "A61M")), ["DE10200300001A1"]),
        (Selection(countries=("us",)), ["US7000001B2"]),
        (Selection(kinds=("A",)), ["DE10200300001A1"]),
        (Selection(languages=("DE",)), ["DE10200300001A1"]),
        (Selection(applicants=("anchor works",)), ["US7000001B2"]),
        (Selection(applicants=("100%",)), []),
        (Selection(depths=("title",)), ["DE10200300001A1"]),
        (Selection(depths=("full", "abstract"), countries=("DE",)), []),
    ],
)
def test_selections(corpus: Corpus, selection: Selection, ids: list[str]) -> None:
    corpus.add([SCREW, PUMPE])
    assert corpus.ids(selection) == ids
    assert [patent.id for patent in corpus.select(selection)] == ids


def test_undated_patents_match_no_date_range(corpus: Corpus) -> None:
    corpus.add([Patent("US5A", title="Undated")])
    assert corpus.ids(Selection(published_to="2020")) == []
    assert corpus.ids(Selection(published_from="1900")) == []


def test_the_columns_are_those_of_the_schema(corpus: Corpus) -> None:
    rows = corpus.connection.execute("PRAGMA table_info(patent)").fetchall()
    assert tuple(row[1] for row in rows) == ("serial", *COLUMNS)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(patents())
def test_any_patent_survives_packing(patent: Patent) -> None:
    assert unpack(pack(patent).json) == patent


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(patents())
def test_any_patent_survives_the_corpus(patent: Patent) -> None:
    with Corpus(":memory:", create=True) as opened:
        connection = opened.connection
        writer = Writer(connection, Path(":memory:"))
        writer.add(pack(patent))
        assert opened[patent.id] == patent


def _real_documents() -> list[Patent]:
    with gzip.open(SHARED / "ultrasound.jsonl.gz") as file:
        return [from_json(line) for line, _ in zip(file, range(300), strict=False)]


def _long_documents() -> list[Patent]:
    """Documents of the length of real ones: each has the descriptions of twelve patents of the sample."""
    short = [item for item in scan(SAMPLE) if isinstance(item, Patent)]
    rng = random.Random(1)
    return [
        replace(item, description=tuple(part for other in rng.sample(short, 12) for part in other.description))
        for item in short
    ]


@pytest.mark.parametrize(
    # Drawn words of the sample repeat less than an attorney does.
    ("documents", "share"),
    [(_long_documents, 0.45), pytest.param(_real_documents, 0.30, marks=needs_raw)],
)
def test_a_full_text_is_stored_compressed(tmp_path: Path, documents: Callable[[], list[Patent]], share: float) -> None:
    added = documents()
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(added)
    assert (tmp_path / "corpus.db").stat().st_size <= share * sum(len(to_json(patent)) for patent in added)


def test_a_second_writer_is_refused_and_readers_continue(corpus: Corpus) -> None:
    corpus.add([SCREW])
    other = """
import sys
from foreart.corpus import Corpus
from foreart.errors import CorpusBusy
from foreart.document.patent import Patent
with Corpus(sys.argv[1]) as corpus:
    print(len(corpus))
    try:
        corpus.add([Patent("US1A")])
    except CorpusBusy as error:
        print(error)
"""
    with Writer(corpus.connection, corpus.path) as writer:
        writer.add(pack(PUMPE))
        errors = subprocess.run(
            [sys.executable, "-c", other, str(corpus.path)], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    assert errors == [
        "1",
        f"{corpus.path} is being written by another foreart process: wait until it has finished, then run this again",
    ]
    assert len(corpus) == 2


def test_a_failing_stream_leaves_the_corpus_unchanged(corpus: Corpus) -> None:
    corpus.add([SCREW])

    def broken() -> object:
        yield PUMPE
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"):
        corpus.add(broken())
    assert corpus.ids() == ["US7000001B2"]
    assert corpus.add([PUMPE]).added == 1


def test_a_corpus_of_a_newer_version_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    with Corpus(path, create=True) as opened:
        opened.add([SCREW])
        opened.connection.execute(f"PRAGMA user_version = {VERSION + 5}")
    before = path.read_bytes()
    with pytest.raises(WrongVersion, match=r"newer foreart .*upgrade foreart; nothing was changed"):
        Corpus(path)
    assert path.read_bytes() == before


def test_a_corpus_of_an_older_version_is_migrated_or_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    with Corpus(path, create=True) as opened:
        opened.add([SCREW])
    connection = sqlite3.connect(path, isolation_level=None)
    good = "ALTER TABLE patent ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';\nCREATE INDEX c ON patent (colour);"
    with pytest.raises(sqlite3.OperationalError):
        prepare(connection, path, migrations=(*MIGRATIONS, good + "\nINSERT INTO nowhere VALUES (1);"))
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert "colour" not in [row[1] for row in connection.execute("PRAGMA table_info(patent)")]
    prepare(connection, path, migrations=(*MIGRATIONS, good))
    assert connection.execute("SELECT id, colour FROM patent").fetchall() == [("US7000001B2", "grey")]
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    connection.close()
    with pytest.raises(WrongVersion):
        Corpus(path)


def test_an_unversioned_corpus_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    with Corpus(path, create=True) as opened:
        opened.connection.execute("PRAGMA user_version = 0")
    with pytest.raises(WrongVersion, match="load its files again"):
        Corpus(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "other.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE patent (id TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(CorpusError, match="not a foreart corpus"):
        Corpus(foreign, create=True)
    text = tmp_path / "text.db"
    text.write_text(json.dumps({"a": 1}) * 100)
    with pytest.raises(CorpusError, match="cannot be opened as a corpus"):
        Corpus(text)
    with pytest.raises(CorpusError, match="foreart add FILE"):
        Corpus(tmp_path / "none.db")
    assert int.from_bytes(b"fore", "big") == APPLICATION


def test_the_writer_lock_is_released_at_the_end(corpus: Corpus) -> None:
    with Writer(corpus.connection, corpus.path), pytest.raises(CorpusBusy), Writer(corpus.connection, corpus.path):
        pass
    assert corpus.add([SCREW]).added == 1


def test_lone_surrogates_do_not_stop_a_load(corpus: Corpus) -> None:
    odd = Patent("US1A", title="Half \ud83d pair", origins=(Origin("bad\udcff.json", "document 1"),))
    summary = corpus.add([odd, Reject("bad\udcff.json", "document 2", "no \ud800 number", b"x"), SCREW])
    assert (summary.added, summary.rejected) == (2, 1)
    assert corpus["US1A"].title == "Half ? pair"
    assert next(corpus.rejects()).file == "bad?.json"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(patents())
def test_a_changed_record_is_not_intact(patent: Patent) -> None:
    packed = pack(patent)
    assert is_intact(packed.json, packed.content)
    assert is_intact(pack(replace(patent, origins=(Origin("elsewhere"),))).json, packed.content)
    assert not is_intact(pack(replace(patent, title=patent.title + "x")).json, packed.content)
    assert not is_intact(packed.json[:-1], packed.content)
