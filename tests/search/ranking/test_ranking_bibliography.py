"""Who cites, names and belongs to whom: by hand, after changes, and out of files that are not as they were."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.corpus import Corpus
from foreart.corpus.bibliography import Names, names_of
from foreart.document.patent import Citation, Paragraph, Patent, Symbol
from foreart.errors import IndexingError, StaleIndex
from foreart.identifiers.date_spans import EARLIEST, day
from foreart.search.ranking import Bibliography, Ragged, load_bibliography, read_bibliography, write_bibliography
from foreart.search.ranking import bibliography as module
from foreart.search.ranking.bibliography import FILE, main_group
from foreart.search.ranking.folder import renew_bibliography
from foreart.search.ranking.ragged import hashed

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
    """Kind codes do not matter, two publications of one number are both cited, nobody cites himself."""
    found = read_bibliography(corpus)
    assert found.ids == tuple(patent.id for patent in HAND)
    links = {(1, 0), (2, 0), (2, 1), (4, 2), (4, 3)}
    assert pairs(found.cites) == links
    assert pairs(found.cited_by) == {(cited, citing) for citing, cited in links}
    assert set(found.cites.data.tolist()) == {1.0}
    assert pairs(found.named_by) == {(0, 2), (3, 2)}, "and its own other publication, which it names"
    outside = int(found.places(hashed(["US5555555"]))[0])
    assert {row for row, place in pairs(found.lists) if place == outside} == {1, 4}
    assert {row for place, row in pairs(found.listed_by) if place == outside} == {1, 4}
    assert not found.from_texts


def test_dates_families_people_and_classes_by_hand(corpus: Corpus) -> None:
    found = read_bibliography(corpus)
    assert found.days.tolist() == [
        *(day(text) for text in ("2000-01-01", "2001-01-01", "2002-05-01", "2002-05-01")),
        EARLIEST,
        day("2004-01-01"),
    ]
    assert [found.relatives(row).tolist() for row in range(6)] == [[0], [1], [2, 3], [2, 3], [4, 5], [4, 5]]
    acme, ann = hashed(["acme"]), hashed(["ann ott"])
    assert [found.applicants.row(row).tolist() == acme.tolist() for row in range(6)] == [1, 0, 1, 0, 0, 0]
    assert [found.inventors.row(row).tolist() == ann.tolist() for row in range(6)] == [1, 0, 0, 0, 0, 1]
    names, table = found.class_table
    assert sorted(names.tolist()) == sorted(hashed(["A61B 17", "F16B 2"]).tolist())
    common, rare = np.log(7 / 3), np.log(7 / 2)
    place = {name: int(np.flatnonzero(names == hashed([name])[0])[0]) for name in ("A61B 17", "F16B 2")}
    dense = table.toarray()
    assert dense[2, place["A61B 17"]] == pytest.approx(1.0)
    assert dense[3, place["A61B 17"]] == pytest.approx(common / np.hypot(common, rare), rel=1e-6)
    assert dense[3, place["F16B 2"]] == pytest.approx(rare / np.hypot(common, rare), rel=1e-6)
    assert not dense[[0, 1, 4, 5]].any()


def test_a_document_that_nobody_names_can_be_named_by_a_draft(corpus: Corpus) -> None:
    found = read_bibliography(corpus)
    assert found.rows_of(found.places(hashed(["EP1000005"]))).tolist() == [5]
    assert found.rows_of(found.places(hashed(["US7000003"]))).tolist() == [2, 3]
    assert found.rows_of(found.places(hashed(["US5555555", "US1234"]))).tolist() == []
    assert found.places(hashed([])).tolist() == []


def test_without_citations_the_numbers_in_texts_stand_for_them(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(replace(patent, citations=()) for patent in HAND)
        found = read_bibliography(corpus)
        assert found.from_texts
        assert pairs(found.cites) == {(2, 0), (2, 3)}
        assert found.cited.row(2).tolist() == found.named.row(2).tolist()
        corpus.add([replace(HAND[0], citations=cites("US1B1"))])
        again = read_bibliography(corpus, found)
        assert not again.from_texts
        assert pairs(again.cites) == set(), "one citation anywhere, and texts no longer stand for them"


def test_classes_as_compared() -> None:
    assert main_group("A61B 17/70") == main_group("A61B 17/86") == "A61B 17"
    assert main_group("A61B") == "A61B"


def same(one: Bibliography, other: Bibliography) -> bool:
    def equal(mine: object, theirs: object) -> bool:
        if isinstance(mine, Ragged) and isinstance(theirs, Ragged):
            return equal(mine.starts, theirs.starts) and equal(mine.values, theirs.values)
        if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
            return mine.dtype == theirs.dtype and mine.tolist() == theirs.tolist()
        return mine == theirs

    return all(equal(getattr(one, item.name), getattr(other, item.name)) for item in fields(Bibliography))


def some_patent(place: int, rng: random.Random) -> Patent:
    def others(most: int) -> list[int]:
        return [7_000_000 + rng.randrange(12) for _ in range(rng.randrange(most))]

    named = ", ".join(f"US {str(other)[0]},{str(other)[1:4]},{str(other)[4:]}" for other in others(3))
    return Patent(
        f"US{7_000_000 + place}{rng.choice(['A1', 'B2'])}",
        title=rng.choice(["x", "y"]),
        description=(Paragraph(f"See {named}."),),
        citations=tuple(Citation(f"US{other}B2") for other in others(4)),
        inventors=tuple(rng.sample(["Ann", "Bob", "Cid"], rng.randrange(3))),
        priority=rng.choice(["", "2000", "2001-01-01"]),
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_reading_on_equals_reading_anew(tmp_path_factory: pytest.TempPathFactory, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    with Corpus(tmp_path_factory.mktemp("corpora") / "corpus.db", create=True) as corpus:
        corpus.add(some_patent(place, rng) for place in range(8))
        before = read_bibliography(corpus)
        for _ in range(steps):
            ids = corpus.ids()
            corpus.remove(rng.sample(ids, len(ids) // 3))
            corpus.add(some_patent(rng.randrange(12), rng) for _ in range(4))
            before = read_bibliography(corpus, before)
            assert same(before, read_bibliography(corpus))


def test_only_new_texts_are_read(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def spy(opened: Corpus, serials: Sequence[int]) -> Iterator[Names]:
        read.append(len(serials))
        return names_of(opened, serials)

    monkeypatch.setattr(module, "names_of", spy)
    before = read_bibliography(corpus)
    corpus.add([replace(HAND[0], title="changed"), Patent("US7000009B2", title="new")])
    corpus.remove(["US7000002B2"])
    told: list[tuple[int, int]] = []
    after = read_bibliography(corpus, before, progress=lambda *step: told.append(step))
    assert read == [6, 2]
    assert told == [(2, 2)]
    assert same(after, read_bibliography(corpus))


def test_processes_read_as_one_does(tmp_path: Path) -> None:
    rng = random.Random(3)
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(replace(some_patent(place % 12, rng), id=f"US{7_000_000 + place}B2") for place in range(70))
        assert same(read_bibliography(corpus, workers=2), read_bibliography(corpus))


def test_an_empty_corpus_has_an_empty_one(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        found = read_bibliography(corpus)
    assert len(found) == 0
    assert found.cites.shape == (0, 0)
    write_bibliography(found, tmp_path)
    assert same(load_bibliography(tmp_path), found)


def test_what_was_written_is_read(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add([Patent("größe α", title="a free id")])
    found = read_bibliography(corpus)
    write_bibliography(found, tmp_path / "ranking")
    assert same(load_bibliography(tmp_path / "ranking"), found)


def test_one_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(IndexingError, match=r"there is no .*bibliography\.npz: `foreart build` makes it"):
        load_bibliography(tmp_path)


def test_every_truncated_or_flipped_file_is_named_in_a_sentence(corpus: Corpus, tmp_path: Path) -> None:
    """Or it is read as it was, where the byte means nothing."""
    found = read_bibliography(corpus)
    write_bibliography(found, tmp_path)
    path = tmp_path / FILE
    whole = path.read_bytes()
    rng = random.Random(1)
    # The directory at the end of a zip file is where a byte means most.
    flips = [*rng.sample(range(len(whole) - 1500), 250), *rng.sample(range(len(whole) - 1500, len(whole)), 450)]
    damaged = [whole[: len(whole) * part // 20] for part in range(20)]
    for place in flips:
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        damaged.append(bytes(changed))
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            assert same(load_bibliography(tmp_path), found)
        except IndexingError as error:
            refused += 1
            assert str(error).startswith(str(path))
            assert "`foreart build`" in str(error)
            assert "\n" not in str(error)
    assert refused > 300


def test_another_form_is_refused_and_build_makes_it_anew(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "ranking"
    monkeypatch.setattr(module, "FORM", 0)
    write_bibliography(read_bibliography(corpus), place)
    monkeypatch.undo()
    with pytest.raises(StaleIndex, match="another version of foreart: run `foreart build`"):
        load_bibliography(place)
    renew_bibliography(corpus, tmp_path)
    assert same(load_bibliography(place), read_bibliography(corpus))


def test_a_kill_before_the_rename_leaves_the_old_one(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_bibliography(corpus)
    write_bibliography(before, tmp_path)
    corpus.add([Patent("US7000009B2", title="new")])
    after = read_bibliography(corpus, before)

    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            write_bibliography(after, tmp_path)
    assert same(load_bibliography(tmp_path), before)
    write_bibliography(after, tmp_path)
    assert same(load_bibliography(tmp_path), after)
    assert [path.name for path in tmp_path.glob("*.npz*")] == [FILE]
