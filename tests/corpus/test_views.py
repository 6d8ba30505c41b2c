"""Views: checked by hand, after changes, reordered, and read from damaged files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.corpus import Corpus
from foreart.corpus.relations.signature import signature
from foreart.corpus.views import (
    ALONE,
    FILE,
    CorpusView,
    damaged_columns,
    hashed,
    load_view,
    main_group,
    read_view,
    text_facts,
    view_file,
    view_reader,
    write_view,
)
from foreart.document.patent import Citation, Paragraph, Patent, Symbol
from foreart.errors import IndexingError, StaleIndex
from foreart.identifiers.date_spans import EARLIEST, day
from foreart.search.ranking import CitationGraph

OUTSIDE = "US5555555B1"


def cites(*numbers: str) -> tuple[Citation, ...]:
    return tuple(map(Citation, numbers))


HAND = (
    Patent("US7000001B2", priority="2000-01-01", applicants=("ACME, Inc.",), inventors=("Ann Ott",)),
    Patent("US7000002B2", priority="2001", citations=cites("US7000001A1", OUTSIDE, "US7000002B2")),
    Patent(
        "US7000003A1",
        priority="2002-05",
        citations=cites("US7000001B2", "US7000002"),
        description=(Paragraph("As in U.S. Pat. No. 7,000,001 and US 5,555,555, but not U.S. Pat. No. 7,000,003."),),
        cpc=(Symbol("A61B 17/70"), Symbol("A61B 17/86")),
        applicants=("Acme Inc",),
    ),
    Patent("US7000003B2", priority="2002-05", cpc=(Symbol("A61B 17/70"), Symbol("F16B 2/00"))),
    Patent("US7000004B2", family_id="F", citations=cites("US7000003A1", OUTSIDE)),
    Patent("EP1000005A1", family_id="F", published="2004-01-01", inventors=("Ann Ott", "ann  OTT")),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(HAND)
        yield opened


def pairs(table: object) -> set[tuple[int, int]]:
    rows, columns = table.nonzero()  # type: ignore[attr-defined]
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def test_links_by_hand(corpus: Corpus) -> None:
    """Kind codes are ignored, two publications of one number are both cited, no document cites itself."""
    view = read_view(corpus)
    graph = CitationGraph(view)
    assert list(view.ids) == [patent.id for patent in HAND]
    links = {(1, 0), (2, 0), (2, 1), (4, 2), (4, 3)}
    assert pairs(graph.cites) == links
    assert pairs(graph.cited_by) == {(cited, citing) for citing, cited in links}
    assert set(graph.cites.data.tolist()) == {1.0}
    assert pairs(graph.named_by) == {(0, 2), (3, 2)}, "and its own other publication, which it names"
    outside = int(view.positions(hashed(["US5555555"]))[0])
    assert {row for row, position in pairs(graph.lists) if position == outside} == {1, 4}
    assert {row for position, row in pairs(graph.listed_by) if position == outside} == {1, 4}
    assert not graph.from_texts


def test_dates_and_families_by_hand(corpus: Corpus) -> None:
    view = read_view(corpus)
    firsts = [day(text) for text in ("2000-01-01", "2001-01-01", "2002-05-01", "2002-05-01")]
    assert view.days.tolist() == [*firsts, EARLIEST, day("2004-01-01")]
    assert view.spans[view.priority[1]].tolist() == [day("2001-01-01"), day("2001-12-31")]
    assert [view.date(view.priority, row) for row in (1, 2, 5)] == ["2001", "2002-05", ""]
    assert [view.date(view.published, row) for row in (0, 5)] == ["", "2004-01-01"]
    assert [view.members([row]).tolist() for row in range(6)] == [[0], [1], [2, 3], [2, 3], [4, 5], [4, 5]]
    assert view.members([0, 3, 5]).tolist() == [0, 2, 3, 4, 5]
    assert [view.family(row) for row in (0, 2, 3, 4, 5)] == ["", "US7000003A1", "US7000003A1", *["EP1000005A1"] * 2]
    assert view.families.tolist() == [ALONE, ALONE, 2, 2, 5, 5]


def test_people_and_classes_by_hand(corpus: Corpus) -> None:
    view = read_view(corpus)
    assert view.applicants.rows_with(hashed(["acme"])).tolist() == [0, 2]
    assert view.inventors.rows_with(hashed(["ann ott"])).tolist() == [0, 5]
    assert view.inventors.rows_with(hashed([])).tolist() == []
    assert list(view.applicants.values) == [b"ACME, Inc.", b"Acme Inc"]
    graph = CitationGraph(view)
    names, table = graph.class_names, graph.classes_of(np.arange(len(view)))
    assert sorted(names.tolist()) == sorted(hashed(["A61B 17", "F16B 2"]).tolist())
    common, rare = np.log(7 / 3), np.log(7 / 2)
    columns = {name: int(np.flatnonzero(names == hashed([name])[0])[0]) for name in ("A61B 17", "F16B 2")}
    dense = table.toarray()
    assert dense[2, columns["A61B 17"]] == pytest.approx(1.0)
    assert dense[3, columns["A61B 17"]] == pytest.approx(common / np.hypot(common, rare), rel=1e-6)
    assert dense[3, columns["F16B 2"]] == pytest.approx(rare / np.hypot(common, rare), rel=1e-6)
    assert not dense[[0, 1, 4, 5]].any()


def test_a_document_that_no_other_names_can_be_named_by_a_draft(corpus: Corpus) -> None:
    view = read_view(corpus)
    assert view.rows_of(["EP1000005"]).tolist() == [5]
    assert view.rows_of(["US7000003", "EP1000005"]).tolist() == [2, 3, 5]
    assert view.rows_of(["US5555555", "US1234"]).tolist() == []
    assert view.positions(hashed([])).tolist() == []


def test_ids_are_found_and_unknown_ones_are_not(corpus: Corpus) -> None:
    corpus.add([Patent("größe α", title="a free id")])
    ids = read_view(corpus).ids
    assert [ids.row(number) for number in ids] == list(range(7))
    assert (ids[6], ids[-1]) == ("größe α", "größe α")
    assert ids.row("US7000001") is None
    assert "US7000001B2" in ids
    assert "" not in ids
    with pytest.raises(IndexError):
        ids[7]


def test_without_citations_the_numbers_in_texts_replace_them(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(replace(patent, citations=()) for patent in HAND)
        view = read_view(corpus)
        graph = CitationGraph(view)
        assert graph.from_texts
        assert pairs(graph.cites) == {(2, 0), (2, 3)}
        assert graph.cited.row(2).tolist() == view.named.row(2).tolist()
        corpus.add([replace(HAND[0], citations=cites("US1B1"))])
        again = CitationGraph(read_view(corpus, view))
        assert not again.from_texts
        assert pairs(again.cites) == set(), "a single citation is enough for texts not to replace them"


def test_main_groups() -> None:
    assert main_group("A61B 17/70") == main_group("A61B 17/86") == "A61B 17"
    assert main_group("A61B") == "A61B"


def test_every_text_has_a_sketch_with_or_without_a_family_id(tmp_path: Path) -> None:
    """The corpus stores signatures only for documents whose source gives no family id."""
    text = (Paragraph(" ".join(f"word{number * number % 71}" for number in range(300))),)
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([Patent("US1A", description=text), Patent("US2A", description=text, family_id="F"), Patent("US3A")])
        view = read_view(corpus)
    expected = np.frombuffer(signature(Patent("US1A", description=text)), dtype="<u4").astype(np.uint8)
    assert view.sketches[0].tolist() == view.sketches[1].tolist() == expected.tolist()
    assert not view.sketches[2].any()


def arrays(view: CorpusView) -> dict[str, tuple[str, bytes]]:
    return {name: (str(array.dtype), array.tobytes()) for name, array in view_file._arrays(view)}


def same(one: CorpusView, other: CorpusView) -> bool:
    return one.corpus == other.corpus and arrays(one) == arrays(other)


def some_patent(number: int, rng: random.Random) -> Patent:
    def others(limit: int) -> list[int]:
        return [7_000_000 + rng.randrange(12) for _ in range(rng.randrange(limit))]

    named = ", ".join(f"US {str(other)[0]},{str(other)[1:4]},{str(other)[4:]}" for other in others(3))
    return Patent(
        f"US{7_000_000 + number}{rng.choice(['A1', 'B2'])}",
        title=rng.choice(["x", "y"]),
        description=(Paragraph(f"See {named}."),),
        citations=tuple(Citation(f"US{other}B2") for other in others(4)),
        inventors=tuple(rng.sample(["Ann", "Bob", "Cid"], rng.randrange(3))),
        applicants=tuple(rng.sample(["Acme Inc.", "ACME", "Müller GmbH", "Bolt"], rng.randrange(4))),
        cpc=tuple(map(Symbol, rng.sample(["A61B 8/00", "A61B 8/12", "G06F 17/30"], rng.randrange(4)))),
        priority=rng.choice(["", "2000", "2001-01-01"]),
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_an_update_equals_a_full_read(tmp_path_factory: pytest.TempPathFactory, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    with Corpus(tmp_path_factory.mktemp("corpora") / "corpus.db", create=True) as corpus:
        corpus.add(some_patent(number, rng) for number in range(8))
        before = read_view(corpus)
        for _ in range(steps):
            ids = corpus.ids()
            corpus.remove(rng.sample(ids, len(ids) // 3))
            corpus.add(some_patent(rng.randrange(12), rng) for _ in range(4))
            before = read_view(corpus, before)
            assert same(before, read_view(corpus))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_reordered_rows_belong_to_the_same_documents(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    with Corpus(tmp_path_factory.mktemp("corpora") / "corpus.db", create=True) as corpus:
        corpus.add(some_patent(number, rng) for number in range(12))
        view = read_view(corpus)
    ids = rng.sample(list(view.ids), len(view))
    other = view.aligned(ids)
    assert list(other.ids) == ids
    assert same(other.aligned(list(view.ids)), view)
    assert view.aligned(list(view.ids)) is view
    for row, number in enumerate(ids):
        old = view.ids.row(number)
        assert other.ids.row(number) == row
        assert other.family(row) == view.family(old)
        assert {other.ids[each] for each in other.members([row])} == {view.ids[each] for each in view.members([old])}
        assert other.cited.row(row).tolist() == view.cited.row(old).tolist()
        assert other.days[row] == view.days[old]
    with pytest.raises(StaleIndex, match="run `foreart build` again"):
        view.aligned([*ids[:-1], "US1A"])
    with pytest.raises(StaleIndex):
        view.aligned(ids[:-1])


def test_only_new_texts_are_read(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    plain = text_facts.text_facts

    def spy(opened: Corpus, serials: list[int], **options: object) -> Iterator[text_facts.TextFacts]:
        read.append(len(serials))
        return plain(opened, serials, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(view_reader, "text_facts", spy)
    before = read_view(corpus)
    corpus.add([replace(HAND[0], title="changed"), Patent("US7000009B2", title="new")])
    corpus.remove(["US7000002B2"])
    steps: list[tuple[int, int]] = []
    after = read_view(corpus, before, progress=lambda *step: steps.append(step))
    assert read == [6, 2]
    assert steps == [(2, 2)]
    assert same(after, read_view(corpus))


def test_lists_are_read_of_new_documents_only(corpus: Corpus) -> None:
    before = read_view(corpus)
    corpus.add(
        [Patent("US7000009B2", citations=(Citation("US7000001B2"),)), Patent("US7000010B2", applicants=("Bolt",))]
    )
    corpus.remove(["US7000002B2"])
    corpus.add([replace(HAND[0], title="changed")])
    queries: list[str] = []
    corpus.connection.set_trace_callback(queries.append)
    after = read_view(corpus, before)
    corpus.connection.set_trace_callback(None)
    added = corpus.connection.execute("SELECT serial FROM patent WHERE id IN ('US7000009B2', 'US7000010B2')").fetchall()
    changed = corpus.connection.execute("SELECT serial FROM patent WHERE id = ?", (HAND[0].id,)).fetchone()[0]
    new = sorted(serial for (serial,) in added)
    assert new[1] == new[0] + 1  # one run
    for table in ("citation", "applicant", "class"):
        ranges = [query.partition("BETWEEN")[2] for query in queries if f"FROM {table} " in query]
        assert ranges == [f" {first} AND {last} ORDER BY serial" for first, last in ((changed, changed), new)]
    assert same(after, read_view(corpus))


def test_several_processes_read_the_same_as_one(tmp_path: Path) -> None:
    rng = random.Random(3)
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(replace(some_patent(number % 12, rng), id=f"US{7_000_000 + number}B2") for number in range(70))
        assert same(read_view(corpus, workers=2), read_view(corpus))


def test_an_empty_corpus_has_an_empty_view(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        view = read_view(corpus)
    assert len(view) == 0
    assert CitationGraph(view).cites.shape == (0, 0)
    write_view(view, tmp_path)
    assert same(load_view(tmp_path), view)


def test_a_written_view_is_read_back(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add([Patent("größe α", title="a free id")])
    view = read_view(corpus)
    write_view(view, tmp_path)
    loaded = load_view(tmp_path)
    assert same(loaded, view)
    assert damaged_columns(tmp_path) == []
    with pytest.raises(ValueError, match="read-only"):
        loaded.own[0] = 1


def test_a_missing_view_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match=r"there is no .*corpus\.view: `foreart build` creates it"):
        load_view(tmp_path)


def test_every_truncated_or_changed_file_is_detected(corpus: Corpus, tmp_path: Path) -> None:
    """If opening does not detect it, the doctor does; and a build reads everything again."""
    view = read_view(corpus)
    write_view(view, tmp_path)
    path = tmp_path / FILE
    original = path.read_bytes()
    rng = random.Random(1)
    damaged = [original[: len(original) * part // 20] for part in range(20)]
    for offset in rng.sample(range(len(original)), 300):
        changed = bytearray(original)
        changed[offset] ^= 1 << rng.randrange(8)
        damaged.append(bytes(changed))
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            assert damaged_columns(tmp_path) != []
        except IndexingError as error:
            refused += 1
            assert str(error).startswith(str(path))
            assert "`foreart build`" in str(error)
            assert "\n" not in str(error)
    assert refused > 20
    write_view(view, tmp_path)
    assert damaged_columns(tmp_path) == []


def test_another_format_version_is_refused_and_build_replaces_it(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_file, "FORM", 0)
    write_view(read_view(corpus), tmp_path)
    monkeypatch.undo()
    with pytest.raises(StaleIndex, match="another version of foreart: run `foreart build`"):
        load_view(tmp_path)
    write_view(read_view(corpus), tmp_path)
    assert same(load_view(tmp_path), read_view(corpus))


def test_a_kill_before_the_rename_leaves_the_old_view(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_view(corpus)
    write_view(before, tmp_path)
    corpus.add([Patent("US7000009B2", title="new")])
    after = read_view(corpus, before)

    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            write_view(after, tmp_path)
    assert same(load_view(tmp_path), before)
    write_view(after, tmp_path)
    assert same(load_view(tmp_path), after)
    assert [path.name for path in tmp_path.glob("*.view*")] == [FILE]
