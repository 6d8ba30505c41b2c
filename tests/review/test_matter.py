"""The verbs of a matter on a small library: search, judge, queue, export, purge, and two raters."""

from __future__ import annotations

import csv
import io
import json
import shutil
import stat
from pathlib import Path

import pytest

from foreart import Library
from foreart.errors import BadRequest, MatterError, NotInCorpus, UnknownMatter, WrongPassphrase
from foreart.review.casework.matter_forms import FORMS
from foreart.review.matters import Matter, purge, reviewed
from foreart.review.matters.matter_events import ExportMade
from foreart.review.matters.purging import KEY_DESTROYED, UNREAD
from matter_world import PASSPHRASE, bytes_of
from pawls import DRAFT, PATENTS


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("matters") / "library"
    with Library(folder) as library:
        library.corpus.add(PATENTS)
        library.build()
    return folder


@pytest.fixture
def library(built: Path, tmp_path: Path):
    shutil.copytree(built, tmp_path / "library")
    with Library(tmp_path / "library") as found:
        yield found


@pytest.fixture
def matter(library: Library):
    with library.matter("ratchet", create=True, title="Ratchet") as found:
        found.search(DRAFT, rater="ann")
        yield found


def ids(matter: Matter, rater: str = "ann") -> list[str]:
    return [item.id for item in matter.queue(rater=rater)]


def test_a_new_matter_is_private_and_listed(library: Library) -> None:
    assert library.matters() == ()
    with library.matter("one", create=True, title="First") as matter:
        assert matter.state.title == "First"
    library.matter("two", create=True, passphrase=PASSPHRASE).close()
    entries = {entry.name: entry for entry in library.matters()}
    assert {name: entry.sealed for name, entry in entries.items()} == {"one": False, "two": True}
    folder = library.folder / "matters"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    with pytest.raises(MatterError, match="there is a matter one already"):
        library.matter("one", create=True)
    with pytest.raises(UnknownMatter, match="there is no matter three; there are one, two"):
        library.matter("three")
    with pytest.raises(WrongPassphrase):
        library.matter("two")
    with pytest.raises(BadRequest, match="a passphrase needs at least 10 characters"):
        library.matter("four", create=True, passphrase="short")
    for name in ("", "../one", "a b", "CON", "x" * 61, ".hidden"):
        with pytest.raises(BadRequest, match="cannot be the name of a matter"):
            library.matter(name)
    (folder / "odd.matter").write_bytes(b"x" * 5000)
    assert {entry.name: entry.problem[:14] for entry in library.matters()}["odd"] == "the matter odd"


def test_the_queue_is_the_list_without_what_was_judged(matter: Matter, library: Library) -> None:
    result = library.search(DRAFT, k=200)
    assert ids(matter) == [hit.id for hit in result]
    assert len(ids(matter)) == 4
    first, second, third, fourth = ids(matter)
    matter.judge(second, "relevant", rater="ann")
    matter.judge(first, "later", rater="ann")
    matter.seed(third)
    assert ids(matter) == [fourth, first]
    assert [item.postponed for item in matter.queue(rater="ann")] == [False, True]
    assert ids(matter, "bob") == [first, second, fourth]
    undone = matter.undo(rater="ann")
    assert undone is not None
    assert (undone.event.document, undone.event.judgement) == (first, "later")
    assert ids(matter) == [first, fourth]
    assert matter.redo(rater="ann") == undone
    assert matter.redo(rater="ann") is None
    assert matter.undo(rater="carol") is None
    matter.ignore(fourth)
    assert ids(matter) == [first]


def test_a_family_is_judged_once_by_any_of_its_numbers(matter: Matter) -> None:
    assert "XX2B1" in {hit.id for hit in matter.queue()} or "XX1A" in {hit.id for hit in matter.queue()}
    matter.judge("XX 2", "no")
    judged = matter.state.judgements[-1].event
    assert (judged.document, set(judged.family)) == ("XX2B1", {"XX1A", "XX8A"})
    assert not {"XX1A", "XX2B1"} & set(ids(matter, ""))
    with pytest.raises(NotInCorpus, match="XX99 is not in the corpus"):
        matter.judge("XX99", "no")


def test_judgements_stay_when_the_corpus_and_the_draft_change(matter: Matter, library: Library) -> None:
    first = ids(matter)[0]
    matter.judge(first, "relevant", rater="ann")
    library.corpus.remove([first])
    library.build()
    matter.search(rater="ann")
    assert matter.state.judgement(first, "ann") == "relevant"
    matter.judge(first, "no", rater="ann")
    assert matter.state.judgement(first, "ann") == "no"
    assert [logged.event.documents_of for logged in matter.state.searches] == [0, 0]


def test_documents_of_a_corpus_are_kept_once(matter: Matter, library: Library) -> None:
    matter.search(rater="ann", k=2)
    first, second = matter.state.searches
    assert (first.event.documents_of, second.event.documents_of) == (0, first.n)
    assert second.event.record.documents == first.event.record.documents
    assert len(second.event.record.hits) == 2
    again = library.record(library.search(DRAFT, k=2, passages=False))
    assert (second.event.record.hits, second.event.record.documents) == (again.hits, again.documents)
    assert len(matter.state.drafts) == 1


def test_ignored_families_are_left_out_of_the_next_search(matter: Matter) -> None:
    first = ids(matter)[0]
    matter.ignore(first)
    result = matter.search()
    assert first not in [hit.id for hit in result]
    assert matter.state.search is not None
    assert matter.state.search.parameters["ignore"] == [first]
    matter.ignore(first, withdrawn=True)
    assert first in [hit.id for hit in matter.search()]


def test_two_raters_and_their_agreement(matter: Matter, library: Library) -> None:
    other = library.matter("ratchet")
    for document, one, two in zip(
        ids(matter), ("relevant", "no", "maybe", "no"), ("relevant", "no", "no", "later"), strict=True
    ):
        matter.judge(document, one, rater="ann")
        other.judge(document, two, rater="Bob")
    matter.refresh()
    (agreement,) = matter.agreement()
    assert (agreement.raters, agreement.common, agreement.equal) == (("Bob", "ann"), 3, 2)
    assert agreement.interval is None
    # Observed 2/3; by chance (2·1 + 1·1) / 9 = 1/3.
    assert agreement.kappa == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    assert len(agreement.differing) == 1
    other.close()


def test_shown_documents_are_counted_once(matter: Matter) -> None:
    first, second, *_ = ids(matter)
    assert matter.show([first, first], rater="ann") is not None
    assert matter.show([first], rater="ann") is None
    matter.judge(second, "no", rater="ann")
    assert reviewed(matter.state, "ann") == (first, second)


def test_exports_are_private_and_in_the_log(matter: Matter, library: Library, tmp_path: Path) -> None:
    first = ids(matter)[0]
    matter.judge(first, "relevant", rater="ann")
    matter.categorise(first, "p, x", [3, 1, 1], rater="ann")
    matter.note("=HYPERLINK(1)", first)
    inside, outside = library.folder / "reports" / "ratchet.json", tmp_path / "ratchet.csv"
    size = matter.export(inside)
    matter.export(outside, rater="ann")
    assert stat.S_IMODE(inside.stat().st_mode) == 0o600
    assert inside.stat().st_size == size
    record = json.loads(inside.read_text("utf-8"))
    assert (record["schema"], record["title"], record["events"]) == ("foreart matter", "Ratchet", 6)
    assert [event["kind"] for event in record["log"]] == ["created", "draft", "search", "judgement", "category", "note"]
    assert record["state"]["judgements"][0]["document"] == first
    assert record["state"]["read"] == {"ann": [first], "": []} or record["state"]["read"] == {"ann": [first]}
    (row,) = csv.DictReader(io.StringIO(outside.read_text("utf-8-sig")))
    assert (row["document"], row["judgement"], row["categories"]) == (first, "relevant", "P,X 1, 3")
    assert row["notes"] == "'=HYPERLINK(1)"
    made = [(item.event.form, item.event.file, item.event.inside) for item in matter.state.exports]
    assert made == [("json", "reports/ratchet.json", True), ("csv", "ratchet.csv", False)]
    with pytest.raises(BadRequest, match="'doc' is not a form of export; there are json, csv"):
        matter.export(tmp_path / "x.doc")
    assert set(FORMS) >= {"json", "csv"}
    assert matter.content("csv") == outside.read_bytes()


def test_a_purge_deletes_all_that_the_matter_names(matter: Matter, library: Library, tmp_path: Path) -> None:
    desk = library.folder / "desk"
    for file, text in (
        ("drafts/ID1.json", "{}"), ("drafts/ID1.source", "text"), ("drafts/ID2.json", "{}"), ("grades/ID1.json", "{}"),
        ("searches/a.json", '{"asked": {"draft": "ID1"}}'), ("searches/b.json", '{"asked": {"draft": "ID2"}}'),
        ("workspaces/ID1.json", "{}"), ("workspaces/ID2.json", "{}"),
    ):  # fmt: skip
        (desk / file).parent.mkdir(parents=True, exist_ok=True)
        (desk / file).write_text(text)
    matter.keep_draft(DRAFT.__class__(title="Second version"), desk="ID1")
    matter.export(library.folder / "reports" / "ratchet.csv")
    matter.export(library.folder / "ratchet.htm", "pct-html")
    matter.export(tmp_path / "kept.csv")
    size = matter.path.stat().st_size
    purged = matter.purge()
    assert {file.file for file in purged.files} == {
        "matters/ratchet.matter", "matters/ratchet.matter-wal", "matters/ratchet.matter-shm", "reports/ratchet.csv",
        "desk/drafts/ID1.json", "desk/drafts/ID1.source", "desk/grades/ID1.json", "desk/searches/a.json",
        "desk/workspaces/ID1.json", "ratchet.htm",
    }  # fmt: skip
    assert next(file.size for file in purged.files if file.file.endswith(".matter")) == size
    assert KEY_DESTROYED not in purged.notes
    assert any("SSDs" in note for note in purged.notes)
    assert sorted(path.name for path in library.folder.rglob("*") if "ratchet" in path.name or "ID1" in path.name) == []
    assert (tmp_path / "kept.csv").exists()
    assert (desk / "searches" / "b.json").exists()
    assert library.matters() == ()


@pytest.mark.parametrize("file", ["published.json", "corpus.db", "desk/sessions.json", "indexes/x.json", "../out.json"])
def test_no_log_makes_a_purge_delete_a_file_that_is_no_export(matter: Matter, library: Library, file: str) -> None:
    """A matter may come from somebody else, with any name in its log."""
    place = library.folder / file
    place.parent.mkdir(exist_ok=True)
    if not place.exists():
        place.write_text("kept")
    before = place.read_bytes()
    matter.append(ExportMade(place.suffix.removeprefix("."), file, 4, inside=True))
    assert file not in {purged.file for purged in matter.purge().files}
    assert place.read_bytes() == before


def test_a_matter_that_another_process_has_open_takes_no_events_after_a_purge(matter: Matter, library: Library) -> None:
    other = library.matter("ratchet")
    matter.purge()
    with pytest.raises(MatterError):
        other.note("lost?")
    other.close()


def test_a_sealed_matter_is_purged_with_and_without_its_passphrase(library: Library) -> None:
    for passphrase in (PASSPHRASE, ""):
        matter = library.matter("deep", create=True, passphrase=PASSPHRASE)
        matter.keep_draft(DRAFT)
        matter.export(library.folder / "deep.csv")
        assert DRAFT.title.encode() not in bytes_of(matter.path)
        matter.close()
        if passphrase:
            with pytest.raises(WrongPassphrase):
                purge(library.folder, "deep", passphrase="another passphrase")
        purged = purge(library.folder, "deep", passphrase=passphrase)
        assert (KEY_DESTROYED in purged.notes, UNREAD in purged.notes) == (True, not passphrase)
        assert (library.folder / "deep.csv").exists() is not passphrase or passphrase
        assert ("deep.csv" in {file.file for file in purged.files}) is bool(passphrase)


def test_sealing_keeps_everything(matter: Matter, library: Library) -> None:
    before = matter.state
    matter.seal(PASSPHRASE)
    matter.note("after", rater="ann")
    digest = matter.digest
    matter.close()
    assert DRAFT.title.encode() not in bytes_of(matter.path)
    with library.matter("ratchet", passphrase=PASSPHRASE) as again:
        assert again.is_sealed
        assert again.digest == digest
        assert again.state.judgements == before.judgements
        assert again.state.draft == DRAFT


def test_a_matter_without_a_draft_says_so(library: Library) -> None:
    with library.matter("empty", create=True) as matter:
        with pytest.raises(MatterError, match="the matter empty has no draft yet: give one"):
            matter.search()
        assert matter.queue() == ()
