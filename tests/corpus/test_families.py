"""Families: publications of one invention are grouped, with the reason."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from foreart.corpus import Corpus, Writer, pack
from foreart.corpus.relations.families import families, families_are_stale, refresh_families
from foreart.corpus.relations.signature import signature
from foreart.document.patent import Paragraph, Patent


def found(tmp_path: Path, *patents: Patent) -> dict[str, dict[str, str]]:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(patents)
        return {item.name: {member.id: member.reason for member in item.members} for item in families(corpus)}


def text(seed: int, *, words: int = 400, other: int = 0) -> tuple[Paragraph, ...]:
    """A different text for each seed, in which `other` words come from another seed."""
    rng = random.Random(seed)
    picked = [f"w{rng.randrange(5000)}" for _ in range(words)]
    strange = random.Random(seed + 1000)
    for position in range(other):
        picked[position] = f"x{strange.randrange(5000)}"
    return (Paragraph(" ".join(picked)),)


def test_by_family_id(tmp_path: Path) -> None:
    result = found(
        tmp_path,
        Patent("EP1000000B1", published="2003-01-01", family_id="42"),
        Patent("US7000001B2", published="2002-01-01", family_id="42"),
        Patent("US7000002B2", family_id="43"),
    )
    assert result == {"US7000001B2": {"US7000001B2": "family id 42", "EP1000000B1": "family id 42"}}


def test_by_shared_priority(tmp_path: Path) -> None:
    result = found(
        tmp_path,
        Patent("EP1000000A1", published="2000-01-01", priority_numbers=("DE19812345", "DE19812346")),
        Patent("US7000001B2", published="2002-01-01", priority_numbers=("DE19812346",)),
    )
    assert result == {"EP1000000A1": dict.fromkeys(("EP1000000A1", "US7000001B2"), "shared priority DE19812346")}


def test_by_continuation_reference_to_a_publication_or_an_application(tmp_path: Path) -> None:
    result = found(
        tmp_path,
        Patent("US6000001A", published="1999-01-01", application_number="US09/000001"),
        Patent("US7000001B2", published="2002-01-01", application_number="US10/000001", family_refs=("US09/000001",)),
        Patent("US7000002B2", published="2003-01-01", family_refs=("US7000001B1",)),
    )
    assert result == {
        "US6000001A": {
            "US6000001A": "continuation reference US09/000001",
            "US7000001B2": "continuation reference US09/000001",
            "US7000002B2": "continuation reference US7000001",
        }
    }


def test_by_the_same_number_with_another_kind(tmp_path: Path) -> None:
    result = found(tmp_path, Patent("EP1000000B1", published="2003"), Patent("EP1000000A1", published="2000"))
    assert result == {"EP1000000A1": dict.fromkeys(("EP1000000A1", "EP1000000B1"), "same publication number EP1000000")}


def test_by_near_identical_text_if_ids_are_missing(tmp_path: Path) -> None:
    result = found(
        tmp_path,
        Patent("US1A", published="1990", description=text(1)),
        Patent("US2A", published="1991", description=text(1, other=10)),
        Patent("US3A", published="1992", description=text(1, other=200)),
        Patent("US4A", published="1993", description=text(2)),
    )
    assert list(result) == ["US1A"]
    assert list(result["US1A"]) == ["US1A", "US2A"]
    assert result["US1A"]["US2A"].startswith("near-identical text (0.9")


def test_short_texts_are_not_compared(tmp_path: Path) -> None:
    same = (Paragraph("The ornamental design as shown."),)
    assert found(tmp_path, Patent("USD1S", description=same), Patent("USD2S", description=same)) == {}


def test_removing_a_member_dissolves_the_family(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([Patent("US1A", family_id="1"), Patent("US2A", family_id="1")])
        assert len(list(families(corpus))) == 1
        corpus.remove(["US1A"])
        assert list(families(corpus)) == []


def test_signatures_equal_those_of_older_corpora() -> None:
    """Recorded from datasketch 2.0.0 (`MinHash(64, seed=1, hashfunc=int)`), which 0.1.0 used."""
    words = " ".join(f"word{number * number % 97} of{number % 13}" for number in range(200))
    made = signature(Patent("US1A", description=(Paragraph(words),)))
    assert len(made) == 256
    assert made[:32].hex() == "5769d900f3c314013d7270004974310060ed34007b247902f84d0401e8180d01"
    assert signature(Patent("US1A", description=(Paragraph("too short"),))) == b""


ANN, WEI = {"inventors": ("Ann Hall",)}, {"inventors": ("Wei Zhang",)}


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ((ANN, WEI), []),
        ((ANN, {"inventors": ("HALL, Ann",)}), [{"US1A", "US2A"}]),
        ((ANN, {}), [{"US1A", "US2A"}]),
        (({"applicants": ("Acme",)}, {"applicants": ("Beta",)}), []),
        (({"applicants": ("Acme",)}, {"applicants": ("Acme, Inc.",), **WEI}), [{"US1A", "US2A"}]),
        (({"applicants": ("Acme",), **ANN}, {"applicants": ("Beta",), **ANN}), [{"US1A", "US2A"}]),
        ((ANN, WEI, ANN, WEI), [{"US1A", "US3A"}, {"US2A", "US4A"}]),
        ((ANN, {}, WEI), [{"US1A", "US2A"}]),
        ((WEI, {"inventors": ("Bo Ray",)}, {"inventors": ("Cy Ott",)}, ANN, ANN), [{"US4A", "US5A"}]),
    ],
)
def test_different_names_prevent_a_family_by_text(
    tmp_path: Path, people: tuple[dict[str, tuple[str, ...]], ...], expected: list[set[str]]
) -> None:
    patents = [
        Patent(f"US{number}A", published=f"19{90 + number}", description=text(1), **names)
        for number, names in enumerate(people, start=1)
    ]
    assert [set(members) for members in found(tmp_path, *patents).values()] == expected


def test_names_of_any_member_count_for_its_family(tmp_path: Path) -> None:
    result = found(
        tmp_path,
        Patent("US1A", published="1990", description=text(1), priority_numbers=("DE19812345",)),
        Patent("US2A", published="1991", priority_numbers=("DE19812345",), inventors=("Ann Hall",)),
        Patent("US3A", published="1992", description=text(1), inventors=("Wei Zhang",)),
    )
    assert [set(members) for members in result.values()] == [{"US1A", "US2A"}]


def test_families_of_an_earlier_version_are_recomputed_on_the_next_write(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([Patent("US1A", description=text(1), **ANN), Patent("US2A", description=text(1), **WEI)])
        for serial in (1, 2):
            corpus.connection.execute("INSERT INTO family VALUES (?, 'US1A', 'near-identical text (1.00)')", (serial,))
        corpus.connection.execute("INSERT OR REPLACE INTO meta VALUES ('families', 'fresh')")
        corpus.add([Patent("US1A", description=text(1), **ANN)])
        assert list(families(corpus)) == []


def _drawn(draw: random.Random, number: int) -> Patent:
    """Few values of each sort, so that most patents are connected in several ways."""
    names = {"inventors": (draw.choice(("Ann Hall", "Wei Zhang", "Bo Ray")),)} if draw.random() < 0.5 else {}
    ties = {"priority_numbers": (f"DE198{draw.randrange(30)}",)} if draw.random() < 0.2 else {}
    parent = {"family_refs": (draw.choice((f"US{draw.randrange(40)}A", f"US09/0000{draw.randrange(10, 50)}")),)}
    return Patent(
        f"US{number}{draw.choice(('A', 'B1'))}",
        published=f"20{draw.randrange(10, 25)}",
        family_id=str(draw.randrange(20)) if draw.random() < 0.15 else "",
        application_number=f"US09/0000{draw.randrange(10, 50)}" if draw.random() < 0.3 else "",
        description=text(draw.randrange(12), words=80, other=draw.choice((0, 0, 3, 40))),
        **names,
        **ties,
        **(parent if draw.random() < 0.2 else {}),
    )


def _rows(corpus: Corpus) -> list[tuple[object, ...]]:
    return corpus.connection.execute("SELECT serial, family, reason FROM family ORDER BY serial").fetchall()


@pytest.mark.parametrize("seed", range(12))
def test_families_of_changed_patents_are_those_that_computing_all_gives(tmp_path: Path, seed: int) -> None:
    """Members, names and reasons, after adding, replacing and removing."""
    draw = random.Random(seed)
    everything = 0
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(_drawn(draw, number) for number in range(40))
        for _ in range(6):
            match draw.randrange(3):
                case 0:
                    corpus.add(_drawn(draw, draw.randrange(80)) for _ in range(3))
                case 1:
                    corpus.remove(draw.sample(corpus.ids(), 2))
                case _:
                    corpus.remove([corpus.ids()[-1]])  # whose serial the next one gets
                    corpus.add([_drawn(draw, 100 + draw.randrange(9))])
            found = _rows(corpus)
            assert corpus.connection.execute("SELECT count(*) FROM family_change").fetchone() == (0,)
            corpus.connection.execute("INSERT OR REPLACE INTO meta VALUES ('families', 'stale')")
            refresh_families(corpus.connection)
            everything += len(found)
            assert found == _rows(corpus)
    assert everything > 20


def test_only_connected_patents_are_grouped_again(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(
            Patent(f"US{number}A", priority_numbers=(f"DE198{number // 2:05}",), description=text(number))
            for number in range(40)
        )
        corpus.connection.execute("UPDATE family SET reason = 'kept'")
        corpus.add([Patent("US99A", priority_numbers=("DE19800003",), description=text(20))])
        ids = dict(corpus.connection.execute("SELECT serial, id FROM patent"))
        affected = {ids[serial] for serial, _, reason in _rows(corpus) if reason != "kept"}
    assert affected == {"US6A", "US7A", "US20A", "US21A", "US99A"}


def test_families_that_a_killed_load_left_are_computed_by_the_next(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(Patent(f"US{number}A") for number in range(9))
        with contextlib.suppress(KeyboardInterrupt), Writer(corpus.connection, corpus.path) as writer:
            writer.add(pack(Patent("US3B1")))
            writer.commit()
            raise KeyboardInterrupt
        assert families_are_stale(corpus.connection)
        corpus.add([Patent("US20A")])
        assert not families_are_stale(corpus.connection)
        assert [item.name for item in families(corpus)] == ["US3A"]


def test_removing_a_patent_that_has_no_family_may_join_others(tmp_path: Path) -> None:
    """Only so many texts of a band are compared: without one of them, another is."""
    people = (*(f"Name{number} Of{number}" for number in range(10)), "Name8 Of8")
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(
            Patent(f"US{number}A", description=text(1), inventors=(name,)) for number, name in enumerate(people, 10)
        )
        corpus.add(Patent(f"US{number}A", description=text(number)) for number in range(30, 60))
        assert _rows(corpus) == []
        corpus.remove(["US10A"])
        assert [{member.id for member in item.members} for item in families(corpus)] == [{"US18A", "US20A"}]
