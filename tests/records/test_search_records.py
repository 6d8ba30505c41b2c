"""A search is recorded, read back, repeated and compared: nothing is lost, and every change is named."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from foreart.corpus import Corpus, Selection
from foreart.corpus.indexed_corpus import IndexedCorpus, as_indexed
from foreart.corpus.views import read_view
from foreart.document.draft import Draft
from foreart.document.patent import Paragraph, Patent
from foreart.errors import BadFile, BadRequest, ForeartError
from foreart.library import Library
from foreart.records import (
    CAUSES,
    FATES,
    Difference,
    DocumentChange,
    Listed,
    SearchRecord,
    diff,
    difference_json,
    read_record,
    record_json,
    search_record,
    write_record,
)
from foreart.records.documents import PackedDocuments, Turnover, packed_documents, turnover
from foreart.records.record_data import CorpusState
from foreart.report.pages.difference_page import difference_html
from foreart.report.terminal.difference_terminal import terminal_difference
from foreart.search import Cutoff, SearchRequest
from foreart.search.draft_source import DraftSource
from foreart.search.ranking import Ranking
from foreart.typed_json import TypeMismatch, from_json, to_json
from html_page import Page
from pawls import DRAFT, PATENTS

SECRET = "zyzzogeton"
TEXT = f"Ratchet\n\nThe pawl engages the ratchet of the bar. A {SECRET} holds it.\n\nClaims\n\n1. A bar with a pawl.\n"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library") as made:
        secret = replace(PATENTS[5], abstract=f"A {SECRET} of tea.")
        made.corpus.add([*PATENTS[:5], secret, *PATENTS[6:]])
        made.build("tfidf", name="log-tfidf")
        yield made


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    place = tmp_path / "drafts" / "ratchet.txt"
    place.parent.mkdir()
    place.write_text(TEXT, "utf-8")
    return place


def record_of(library: Library, draft: Path, *, private: bool = False, **asked: Any) -> SearchRecord:
    from foreart.sources import read_draft

    return library.record(library.search(read_draft(draft), **asked), private=private)


def kinds(difference: Difference) -> set[str]:
    return {cause.kind for cause in difference.causes}


# --- what is recorded -------------------------------------------------------------------------------------------------


def test_a_record_holds_what_was_asked_of_what_and_what_came_of_it(library: Library, draft: Path) -> None:
    record = record_of(library, draft, k=3, cutoff="2014-03-10", selection=Selection(countries=("XX",)))
    assert record.cutoff.date == "2014-03-10"
    assert (record.parameters["k"], record.parameters["selection"]["countries"]) == (3, ["XX"])
    assert "index" in record.parameters  # what was not asked for is recorded too
    assert record.corpus == CorpusState(library.corpus.fingerprint, len(PATENTS))
    assert record.ranking["index"]["fingerprint"] == library.index().description.fingerprint
    assert set(record.versions) == {"foreart", "python", "numpy", "scipy", "numba"}
    assert (record.draft.name, record.draft.path) == ("ratchet.txt", str(draft.resolve()))
    assert len(record.draft.sha256) == 64
    found = library.search(_read(draft), k=3, cutoff="2014-03-10")
    assert [(hit.id, hit.rank, hit.score, hit.status) for hit in record.hits] == [
        (hit.id, hit.rank, hit.score, hit.status) for hit in found.hits
    ]
    assert record.counts["compared"] == found.compared == len(PATENTS)
    with pytest.raises(FrozenInstanceError):
        record.time = "now"  # type: ignore[misc]


def _read(draft: Path) -> Draft:
    from foreart.sources import read_draft

    return read_draft(draft)


def test_the_text_of_the_draft_is_not_recorded_and_its_words_only_if_not_private(
    library: Library, draft: Path, tmp_path: Path
) -> None:
    for private in (False, True):
        place = tmp_path / f"{private}.json"
        write_record(record_of(library, draft, private=private), place)
        text = place.read_text("utf-8")
        assert "engages the ratchet" not in text
        assert "bar with a pawl" not in text
        assert (SECRET in text) is not private
        assert any(hit.words for hit in read_record(place).hits) is not private


def indexed(library: Library) -> IndexedCorpus:
    return as_indexed(library.corpus, read_view(library.corpus))


def test_a_draft_from_elsewhere_is_known_by_its_fingerprint_alone(library: Library) -> None:
    record = search_record(library.search(DRAFT), indexed(library), time="2026-01-02T03:04:05+00:00")
    assert record.draft == DraftSource(DRAFT.fingerprint, "draft.docx")
    assert record.time == "2026-01-02T03:04:05+00:00"


def test_the_index_and_the_ranking_are_recorded_with_their_fingerprints(library: Library) -> None:
    result, corpus = library.search(DRAFT), indexed(library)
    one = search_record(result, corpus)
    two = search_record(replace(result, ranking=Ranking("rrf", "f2", metrics={"map": 0.5})), corpus)
    three = search_record(replace(result, ranking=Ranking("rrf", "f3", metrics={"map": 0.6})), corpus)
    assert (list(one.ranking), list(two.ranking)) == (["index"], ["index", "ranking"])
    assert [(cause.what, cause.before, cause.after) for cause in diff(two, three).causes] == [
        ("ranking", "f2", "f3"),
        ("ranking.metrics.map", "0.5", "0.6"),
    ]
    assert [(cause.what, cause.before, cause.after) for cause in diff(one, two).causes] == [("ranking", "none", "f2")]


def test_every_option_of_a_request_is_recorded_and_comes_back() -> None:
    """Whoever gives a search another option learns here whether records can hold it."""
    options: dict[str, Any] = {
        "k": 7, "cutoff": "2014-03-10", "regime": "epc", "ranking": "rrf", "index": "",
        "exact": True, "passages": False,
        "emphasise": ("pawl",), "emphasise_paragraphs": ("0001",), "emphasise_classes": ("A61B 8",),
        "selection": Selection(classes=("A61B",), kinds=("A",), published_from="2004"),
        "must": ("pawl",), "without": ("tea",), "statuses": ("prior art",), "ignore": ("XX4A",), "only_new": ("XX5A",),
    }  # fmt: skip
    draft = replace(DRAFT, description=(Paragraph("A pawl.", number="0001"),))
    request = SearchRequest.of(draft, **options)
    assert request.options() == options
    record = json.loads(json.dumps(request.to_record()))
    assert set(record) == {"draft", *options}
    assert record["draft"]["fingerprint"] == draft.fingerprint
    assert "A pawl." not in json.dumps(record)
    assert SearchRequest.from_record(record, draft) == request


def test_files_that_list_documents_are_recorded_as_their_numbers(library: Library, draft: Path, tmp_path: Path) -> None:
    file = tmp_path / "seen.txt"
    file.write_text("XX4A  # seen\nXX1A\n", "utf-8")
    record = record_of(library, draft, ignore=(str(file),), only_new=("XX5A",))
    assert (record.parameters["ignore"], record.parameters["only_new"]) == (["XX4A", "XX1A"], ["XX5A"])
    file.unlink()
    assert diff(record, library.rerun(record)).empty


def test_a_parameter_that_a_search_does_not_know_is_refused(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    with pytest.raises(BadRequest, match="no option 'colour'"):
        library.search(DRAFT, colour="red")  # type: ignore[call-arg]
    later = replace(record, parameters={**record.parameters, "colour": "red"}, versions={"foreart": "9.0"})
    with pytest.raises(ForeartError, match=r"the option colour='red'.*repeat it with foreart 9\.0"):
        library.rerun(later)
    odd = replace(record, parameters={**record.parameters, "k": "many"})
    with pytest.raises(ForeartError, match="k='many'"):
        library.rerun(odd)


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_record_comes_back_from_its_file_as_it_was_and_in_the_same_bytes(
    library: Library, draft: Path, tmp_path: Path
) -> None:
    record = record_of(library, draft)
    one, two = tmp_path / "new" / "one.json", tmp_path / "new" / "two.json"
    write_record(record, one)
    assert read_record(one) == record
    write_record(read_record(one), two)
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in one.parent.iterdir()) == ["one.json", "two.json"]
    assert json.loads(one.read_text("utf-8"))["draft"]["path"] == "../drafts/ratchet.txt"


def test_record_and_draft_can_be_moved_together(library: Library, draft: Path, tmp_path: Path) -> None:
    write_record(record_of(library, draft), draft.parent / "r.json")
    draft.parent.rename(tmp_path / "moved")
    record = read_record(tmp_path / "moved" / "r.json")
    assert Path(record.draft.path) == (tmp_path / "moved" / "ratchet.txt").resolve()
    assert diff(record, library.rerun(record)).empty


def _edited(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """A record that was changed and given a new checksum, so that only its content can betray it."""

    def edit(data: bytes) -> bytes:
        from foreart.durable import json_checksum

        body = json.loads(data)
        del body["checksum"]
        change(body)
        return json.dumps({**body, "checksum": json_checksum(body)}).encode()

    return edit


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut off": (lambda data: data[: len(data) // 2], "it is not JSON"),
    "empty": (lambda data: b"", "it is not JSON"),
    "binary": (lambda data: b"\xff\xfe\x00\x81" * 9, "it is not JSON"),
    "nested to crash": (lambda data: b"[" * 200_000, "it is not JSON"),
    "foreign object": (lambda data: b'{"hits": []}', "is not a search record"),
    "foreign list": (lambda data: b"[1, 2]", "is not a search record"),
    "a digit changed": (lambda data: data.replace(b'"rank": 1', b'"rank": 2', 1), "its checksum does not match"),
    "newer": (_edited(lambda body: body.update(version=2)), "version 2 of search records"),
    "without hits": (_edited(lambda body: body.pop("hits")), "missing required field hits"),
    "text for a score": (
        _edited(lambda body: body["hits"][0].update(score="high")),
        r"hits\[0\].score: Expected float, got str",
    ),
    "documents unpackable": (_edited(lambda body: body.update(documents="AAA")), "documents cannot be unpacked"),
    "no documents": (_edited(lambda body: body.pop("documents")), "documents.packed: Expected str, got null"),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_and_foreign_files_are_refused_in_one_sentence(
    damage: Callable[[bytes], bytes], told: str, tmp_path: Path
) -> None:
    place = tmp_path / "r.json"
    write_record(_record(["XX1A"]), place)
    place.write_bytes(damage(place.read_bytes()))
    with pytest.raises(BadFile, match=told) as refused:
        read_record(place)
    assert str(refused.value).startswith(str(place))
    assert "\n" not in str(refused.value)


def test_a_record_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "r.json"
    write_record(_record(["XX1A"]), place)
    before = place.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadFile, match=r"r\.json: the search record cannot be written: No space left"):
        write_record(_record(["XX2A"]), place)
    assert place.read_bytes() == before
    assert list(tmp_path.iterdir()) == [place]
    with pytest.raises(BadFile, match="No such file"):
        read_record(tmp_path / "none.json")


def test_half_a_surrogate_in_a_title_can_be_written(tmp_path: Path) -> None:
    record = _record(["XX1A"])
    record = replace(record, hits=(replace(record.hits[0], title="Pawl \ud800"),))
    write_record(record, tmp_path / "r.json")
    assert read_record(tmp_path / "r.json").hits[0].title == "Pawl \ud800"


# --- the same again, and what is not the same -------------------------------------------------------------------------


def test_an_untouched_library_gives_the_same_list_bit_for_bit(library: Library, draft: Path) -> None:
    record = record_of(library, draft, k=4)
    again = library.rerun(record)
    assert diff(record, again).empty
    assert replace(again, time=record.time) == record


def test_a_changed_draft_is_named(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    draft.write_text(TEXT.replace("pawl", "teapot spout"), "utf-8")
    found = diff(record, library.rerun(record))
    assert kinds(found) == {"draft"}
    assert [(cause.what, cause.effect) for cause in found.causes] == [("text", "different words")]
    assert not found.same_list


def test_another_file_with_the_same_words_gives_the_same_list(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    draft.write_text(TEXT.replace("\n", "\r\n"), "utf-8", newline="")
    found = diff(record, library.rerun(record))
    assert [(cause.kind, cause.what) for cause in found.causes] == [("draft", "file")]
    assert found.same_list
    assert not found.empty


def test_corrections_beside_the_draft_are_named(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    draft.with_name("ratchet.txt.foreart.json").write_text('{"language": "en"}', "utf-8")
    found = diff(record, library.rerun(record))
    assert [(cause.kind, cause.what, cause.before) for cause in found.causes] == [("draft", "corrections", "none")]


def test_a_changed_corpus_is_counted_and_explains_what_is_new_and_gone(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    gone, changed = record.hits[1].id, next(hit.id for hit in record.hits[2:])
    library.corpus.remove([gone])
    library.corpus.add(
        [
            replace(library.corpus[changed], abstract="A pawl that was amended."),
            replace(PATENTS[0], id="XX10A", family_id="F10", priority_numbers=(), title="Another pawl"),
            Patent("XX11A", title="Zebra", published="1999-01-01"),
        ]
    )
    library.build("tfidf", name="log-tfidf")
    found = diff(record, library.rerun(record))
    assert found.corpus == Turnover(added=2, removed=1, changed=1)
    assert kinds(found) == {"corpus", "ranking"}
    (told,) = (cause for cause in found.causes if cause.kind == "corpus")
    assert told.effect == "2 added, 1 removed, 1 changed"
    (index,) = (cause for cause in found.causes if cause.kind == "ranking")
    assert (index.what, index.effect) == ("index", "built from another corpus")
    reasons = {line.id: line.reason for line in found.lines}
    assert "removed from the corpus" in reasons[gone]
    assert "added to the corpus" in reasons["XX10A"]
    assert {line.id for line in found.of("gone")} == {gone}


def test_an_index_that_was_built_otherwise_is_named_with_its_settings(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    library.build("tfidf", name="log-tfidf", parameters={"tf": "log"})
    found = diff(record, library.rerun(record))
    assert kinds(found) == {"ranking"}
    assert ("index.parameters.tf", "count", "log") in {
        (cause.what, cause.before, cause.after) for cause in found.causes
    }


def test_a_document_removed_since_the_build_is_told(library: Library, draft: Path) -> None:
    """It disappears at once, and the difference says why."""
    record = record_of(library, draft)
    library.corpus.remove(["XX6A"])
    found = diff(record, library.rerun(record))
    assert "corpus" in kinds(found)
    assert library.rerun(record).corpus.documents == record.corpus.documents - 1


def test_other_parameters_are_named_one_by_one(library: Library, draft: Path) -> None:
    one = record_of(library, draft, k=2, cutoff="2014-03-10")
    two = record_of(library, draft, k=3, cutoff="2020-01-01", selection=Selection(countries=("XX", "YY")))
    found = diff(one, two)
    assert kinds(found) == {"parameters"}
    assert [(cause.what, cause.before, cause.after) for cause in found.causes] == [
        ("cutoff", "2014-03-10 (given)", "2020-01-01 (given)"),
        ("k", "2", "3"),
        ("selection.countries", "none", "XX, YY"),
    ]


def test_other_versions_are_named(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    old = replace(record, versions={**record.versions, "numpy": "1.26.0"})
    found = diff(old, library.rerun(old))
    assert [(cause.kind, cause.what, cause.before) for cause in found.causes] == [("versions", "numpy", "1.26.0")]
    assert found.same_list


def test_the_day_of_the_search_counts_again_though_it_is_past(library: Library, tmp_path: Path) -> None:
    undated = replace(DRAFT, priority="")
    result = library.search(undated)
    assert "today" in result.cutoff.source
    record = library.record(result)
    old = replace(record, cutoff=replace(record.cutoff, date="2013-01-01"))
    again = library.rerun(old, draft=undated)
    assert again.cutoff == old.cutoff
    assert again.parameters == old.parameters
    wanted = library.search(undated, cutoff="2013-01-01").hits
    assert [(hit.id, hit.score, hit.status) for hit in again.hits] == [
        (hit.id, hit.score, hit.status) for hit in wanted
    ]
    assert [hit.id for hit in wanted] != [hit.id for hit in result.hits] or wanted[0].status != result.hits[0].status


def test_a_draft_that_is_gone_or_never_was_a_file_is_asked_for(library: Library, draft: Path) -> None:
    record = record_of(library, draft)
    draft.rename(draft.with_name("elsewhere.txt"))
    with pytest.raises(BadFile, match=r"was at .*ratchet\.txt.*--draft FILE"):
        library.rerun(record)
    found = diff(record, library.rerun(record, draft=draft.with_name("elsewhere.txt")))
    assert found.empty
    piped = replace(record, draft=DraftSource(record.draft.fingerprint, "standard input"))
    with pytest.raises(BadFile, match=r"came from standard input.*--draft FILE"):
        library.rerun(piped)


def test_a_patent_of_the_corpus_may_have_been_the_draft(library: Library) -> None:
    from foreart.document.draft import draft_of_patent

    record = library.record(library.search(draft_of_patent(library.corpus["XX3A"])))
    assert record.draft.name == "XX3A"
    assert diff(record, library.rerun(record)).empty


def test_a_member_of_the_family_that_takes_the_place_of_another_is_called_so(tmp_path: Path) -> None:
    one, two = _record(["XX1A", "XX9A"], family="F"), _record(["XX2B1", "XX9A"], family="F")
    found = {line.id: line for line in diff(one, two).lines}
    assert found["XX2B1"].reason == "XX1A represents its family in the other list"
    assert found["XX1A"].reason == "XX2B1 represents its family in the other list"
    later = _record(["XX2B1", "XX9A"], family="F", corpus=[*NUMBERS, "XX2B1"])
    found = {line.id: line for line in diff(one, replace(later, corpus=CorpusState("c1", 13))).lines}
    assert found["XX2B1"].reason == "added to the corpus; XX1A represents its family in the other list"
    assert found["XX1A"].reason == "XX2B1 represents its family in the other list"


# --- laws -------------------------------------------------------------------------------------------------------------

NUMBERS = [f"XX{number}A" for number in range(1, 13)]
STATUSES = ("prior art", "novelty only", "date unknown")


def _record(numbers: list[str], family: str = "", corpus: list[str] | None = None) -> SearchRecord:
    return SearchRecord(
        time="2026-01-01T00:00:00+00:00",
        versions={"foreart": "0.1.0"},
        draft=DraftSource("d0", "draft.txt"),
        cutoff=Cutoff("2014-03-10", "given"),
        parameters={"k": 20},
        corpus=CorpusState("c0", len(corpus or NUMBERS)),
        ranking={"index": {"fingerprint": "i0", "parameters": {"tf": "log"}}},
        counts={"compared": 12},
        private=False,
        hits=tuple(
            Listed(rank, number, 1.0 / rank, "prior art", "", "" if at else family, f"Title of {number}", "2001-01-01")
            for at, (rank, number) in enumerate(enumerate(numbers, start=1))
        ),
        documents=packed_documents((number, b"content") for number in corpus or NUMBERS),
    )


@st.composite
def records(draw: st.DrawFn) -> SearchRecord:
    numbers = draw(st.lists(st.sampled_from(NUMBERS), unique=True, max_size=10))
    contents = draw(st.dictionaries(st.sampled_from(NUMBERS), st.sampled_from([b"a", b"b"])))
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731 short for many fields
    hits = tuple(
        Listed(
            rank=rank,
            id=number,
            score=draw(st.floats(allow_nan=False, allow_infinity=False)),
            status=pick(*STATUSES),
            rule=pick("", "Art. 54(2) EPC"),
            family=pick("", "F1", number),
            title=draw(st.text(max_size=5)),
            published="2001-01-01",
            words=draw(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=2)),
        )
        for rank, number in enumerate(numbers, start=1)
    )
    return SearchRecord(
        time=pick("2026-01-01T00:00:00+00:00", "2026-02-01T00:00:00+00:00"),
        versions={"foreart": pick("1", "2"), "numpy": pick("1", "2")},
        draft=DraftSource(pick("d0", "d1"), "draft.txt", "", pick("", "aa", "bb")),
        cutoff=Cutoff(pick("2014-03-10", "2015-03-10"), pick("given", "today")),
        parameters=pick({"k": 20}, {"k": 10, "selection": {"kinds": ["A"]}}, {"k": 20, "new": None}),
        corpus=CorpusState(str(sorted(contents.items())), len(contents)),
        ranking=pick({}, {"index": {"fingerprint": "i0", "documents": 3}}, {"index": {"fingerprint": "i1", "form": 2}}),
        counts=pick({}, {"compared": 12}, {"compared": 11, "left out by date": 1}),
        private=draw(st.booleans()),
        hits=hits,
        documents=packed_documents(contents.items()),
    )


@given(records())
def test_nothing_differs_from_itself(record: SearchRecord) -> None:
    found = diff(record, record)
    assert found.empty
    assert found.causes == found.counts == ()
    assert all(line.same and line.fate == "stayed" and not line.rise for line in found.lines)
    assert len(found.lines) == len(record.hits)


def _turned(line: DocumentChange) -> tuple[object, ...]:
    fate = {"new": "gone", "gone": "new"}.get(line.fate, line.fate)
    return line.id, fate, line.after, line.before


@given(records(), records())
def test_the_difference_the_other_way_round_is_the_same_turned_round(one: SearchRecord, two: SearchRecord) -> None:
    there, back = diff(one, two), diff(two, one)
    assert {(line.id, line.fate, line.before, line.after) for line in there.lines} == set(map(_turned, back.lines))
    assert {line.id: line.rise for line in there.lines} == {line.id: -line.rise for line in back.lines}
    assert {(cause.kind, cause.what, cause.before, cause.after) for cause in there.causes} == {
        (cause.kind, cause.what, cause.after, cause.before) for cause in back.causes
    }
    assert {(item.what, item.before, item.after) for item in there.counts} == {
        (item.what, item.after, item.before) for item in back.counts
    }
    assert there.corpus == Turnover(back.corpus.removed, back.corpus.added, back.corpus.changed)
    assert there.same_list == back.same_list


@given(records(), records())
def test_the_lines_are_the_union_and_lead_from_one_list_to_the_other(one: SearchRecord, two: SearchRecord) -> None:
    found = diff(one, two)
    before = sorted((line.before.rank, line.id) for line in found.lines if line.before)
    after = [(line.after.rank, line.id) for line in found.lines if line.after]
    assert before == [(hit.rank, hit.id) for hit in one.hits]
    assert after == [(hit.rank, hit.id) for hit in two.hits]
    assert found.same_list == (
        [replace(hit, title="", words={}) for hit in one.hits] == [replace(hit, title="", words={}) for hit in two.hits]
    )


@given(records())
def test_any_record_comes_back_from_json(record: SearchRecord) -> None:
    from foreart.records.record_file import _bytes, _record

    body = json.loads(_bytes(record_json(record)))
    for name in ("schema", "version", "checksum"):
        del body[name]
    assert _record(body, Path("r.json")) == record


@given(
    st.dictionaries(st.text(max_size=8), st.binary(max_size=4)),
    st.dictionaries(st.text(max_size=8), st.binary(max_size=4)),
)
def test_documents_are_counted_as_sets_are(one: dict[str, bytes], two: dict[str, bytes]) -> None:
    packed = packed_documents(one.items()), packed_documents(two.items())
    assert turnover(*packed) == Turnover(
        added=len(two.keys() - one.keys()),
        removed=len(one.keys() - two.keys()),
        changed=sum(one[key] != two[key] for key in one.keys() & two.keys()),
    )
    assert len(packed[0]) == len(one)
    assert packed_documents(reversed(list(one.items()))) == packed[0]


def test_what_does_not_fit_its_type_is_told_with_its_place() -> None:
    assert from_json(tuple[tuple[str, int], ...], [["a", 1]], "x") == (("a", 1),)
    assert from_json(frozenset[str], ["b"], "x") == frozenset({"b"})
    assert from_json(int | None, None, "x") is None
    assert from_json(Path, "a/b", "x") == Path("a/b")
    assert from_json(float, 3, "x") == 3.0
    for kind, value, told in (
        (int, True, "x: Expected int, got bool"),
        (tuple[str, ...], ["a", 2], r"x\[1\]: Expected str, got int"),
        (dict[str, int], {"a": "b"}, r"x\[...\]: Expected int, got str"),
        (Selection, {"classes": "A61B"}, "x.classes: Expected array, got str"),
        (int | None, "a", r"x: Expected int \| null, got str"),
    ):
        with pytest.raises(TypeMismatch, match=told):
            from_json(kind, value, "x")
    with pytest.raises(TypeError, match="cannot hold a module"):
        to_json(json)
    assert not PackedDocuments("!").sound


# --- what is shown ----------------------------------------------------------------------------------------------------

HOSTILE = '<script>alert("x")</script>\x1b[31m & \u202egnp'


def _two() -> tuple[SearchRecord, SearchRecord]:
    one = _record(["XX1A", "XX2A", "XX3A", "XX4A"])
    two = _record(["XX2A", "XX5A", "XX3A", "XX1A"], corpus=[*NUMBERS, "XX99A"])
    two = replace(two, corpus=CorpusState("c1", 13), time="2026-03-01T00:00:00+00:00", counts={"compared": 13})
    hits = list(two.hits)
    hits[0] = replace(hits[0], status="novelty only", title=HOSTILE)
    hits[2] = replace(hits[2], score=hits[2].score + 1e-9)
    return one, replace(two, hits=tuple(hits))


def test_the_table_says_causes_first_and_then_each_document_that_changed() -> None:
    out = StringIO()
    Console(file=out, width=110, force_terminal=False).print(terminal_difference(diff(*_two())))
    text = out.getvalue()
    said = [
        "a different list",
        "corpus  documents: 12 documents (c0) → 13 documents (c1) (1 added, 0 removed, 0 changed)",
        "counts  compared: 12 → 13",
        "1 new, 1 gone, 2 moved, 1 with another status, 0 unchanged",
        "new 2",
        "was in the corpus before",
        "gone 4",
        "is still in the corpus",
        "2 → 1 ▲1",
        "prior art → novelty only",
        "1 → 4 ▼3",
        "1 document keeps its rank, its score changed by up to 1e-09",
    ]
    places = [text.index(part) for part in said]
    assert places == sorted(places)
    assert "\x1b[31m" not in text
    assert "XX3A" not in text  # only its score changed


def test_the_verdict_tells_same_from_nearly_same() -> None:
    one, two = _two()
    told = {}
    for name, pair in {
        "same": (one, replace(one, time="later")),
        "cause": (one, replace(one, versions={"foreart": "0.2.0"})),
        "other": (one, two),
        "riddle": (one, replace(one, hits=one.hits[:2])),
    }.items():
        out = StringIO()
        Console(file=out, width=110).print(terminal_difference(diff(*pair)))
        told[name] = out.getvalue().splitlines()[0].strip()
    assert told == {
        "same": "the same list, bit for bit; nothing else changed either",
        "cause": "the same list, bit for bit, although something else changed",
        "other": "a different list",
        "riddle": "a different list, although nothing recorded has changed",
    }


def test_the_json_has_counts_causes_and_every_document() -> None:
    told = json.loads(json.dumps(difference_json(diff(*_two()))))
    assert told["same_list"] is False
    assert told["corpus"] == {"added": 1, "removed": 0, "changed": 0}
    assert told["summary"] == {
        "new": 1, "gone": 1, "moved": 2, "stayed": 1, "status changed": 1, "score changed": 3,
    }  # fmt: skip
    assert [(line["id"], line["fate"]) for line in told["documents"]] == [
        ("XX2A", "moved"), ("XX5A", "new"), ("XX3A", "stayed"), ("XX1A", "moved"), ("XX4A", "gone"),
    ]  # fmt: skip
    assert told["documents"][1]["before"] is None


def test_the_page_draws_every_document_once_and_asks_for_nothing() -> None:
    one, two = _two()
    text = difference_html(one, two, diff(one, two))
    page = Page(text)
    assert page.open == []
    assert not {tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "object", "form"}
    assert "http" not in text.replace("http-equiv", "")
    assert "<script>" not in text
    assert "\x1b" not in text
    ways = [attributes.get("class") for tag, attributes in page.tags if tag == "g"]
    assert sorted(map(str, ways)) == ["down", "gone", "new", "stayed", "up"]
    curves = [attributes["d"] for tag, attributes in page.tags if tag == "path" and "C" in str(attributes["d"])]
    assert len(curves) == 3  # documents of both lists
    # From rank 1 to rank 4: rows of 26 under a head of 46, each line at the middle of its row.
    assert "M385 59.0C500.0 59.0 500.0 137.0 615 137.0" in curves
    assert text.count("<tr class=") == 5
    assert difference_html(one, two, diff(one, two)) == text


def test_the_page_of_empty_and_of_long_lists() -> None:
    empty = _record([])
    assert "Both lists are empty" in difference_html(empty, empty, diff(empty, empty))
    long = _record([f"XX{number}A" for number in range(1, 131)])
    text = difference_html(long, long, diff(long, long))
    assert text.count("<g class=") == 100
    assert "Ranks below 100 are in the table only" in text
    assert text.count("<tr class=") == 130


@settings(max_examples=25)
@given(records(), records())
def test_any_difference_can_be_shown(one: SearchRecord, two: SearchRecord) -> None:
    found = diff(one, two)
    assert Page(difference_html(one, two, found)).open == []
    Console(file=StringIO(), width=80).print(terminal_difference(found))
    json.dumps(difference_json(found))


def _rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading of the page."""
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
    section = page.split(f"## {title}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:3] == "| `"]


def test_the_page_names_every_key_every_cause_and_every_fate() -> None:
    held = record_json(_record(["XX1A"]))
    keys = {row[0].strip("`"): row[1] for row in _rows("The file")}
    assert list(keys) == list(held)
    for name, one in (("draft", held["draft"]), ("corpus", held["corpus"]), ("hits", held["hits"][0])):
        assert [key for key in re.findall(r"`(\w+)`", keys[name]) if key in one] == list(one)
    assert [row[0].strip("`") for row in _rows("What is compared")] == [*CAUSES, *FATES]


def test_a_corpus_of_many_documents_is_recorded_in_a_few_bytes_each(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(Patent(f"XX{number}A", description=(Paragraph("pawl"),)) for number in range(500))
        packed = packed_documents(as_indexed(corpus, read_view(corpus)).contents())
    assert len(packed) == 500
    assert len(packed.packed) == 12 * 500
