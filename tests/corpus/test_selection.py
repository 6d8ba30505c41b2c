"""Selections: what class symbols include, and invalid values."""

from __future__ import annotations

import pytest

from foreart.corpus import EVERYTHING, Selection
from foreart.corpus.selection import checked, class_prefixes
from foreart.errors import CorpusError


@pytest.mark.parametrize(
    ("symbol", "inside", "outside"),
    [
        ("A61B 17/00", ["A61B 17/00", "A61B 17/70", "A61B 17/7001", "A61B 17"], ["A61B 170/00", "A61B 1/00", "A61B"]),
        ("a61b17", ["A61B 17/00", "A61B 17/70", "A61B 17"], ["A61B 170/00", "A61B"]),
        ("A61B 17/70", ["A61B 17/70", "A61B 17/7001"], ["A61B 17/00", "A61B 17", "A61B 17/72"]),
        ("A61B 17/7", ["A61B 17/70", "A61B 17/7001", "A61B 17/72"], ["A61B 17/00", "A61B 17/86"]),
        ("A61B 17/", ["A61B 17/00", "A61B 17"], ["A61B 170/00"]),
        ("A61B", ["A61B", "A61B 17/70"], ["A61F 2/00"]),
        ("A6", ["A61B 17/70", "A63B 1/00"], ["B60B 1/00"]),
        ("A61B0017700000", ["A61B 17/70", "A61B 17/7001"], ["A61B 17/72"]),
        ("A61B 1", ["A61B 1/00", "A61B 1"], ["A61B 17/70"]),
    ],
)
def test_a_class_includes_all_symbols_below(symbol: str, inside: list[str], outside: list[str]) -> None:
    prefix, alone = class_prefixes(symbol)
    assert [known for known in (*inside, *outside) if known.startswith(prefix) or known == alone] == inside


def test_conditions_in_words() -> None:
    chosen = Selection("2004", "2005-06", classes=("A61B", "A61F"), kinds=("B",))
    conditions = dict(chosen.conditions())
    assert list(conditions) == ["published from 2004 to 2005-06", "class A61B or A61F", "kind B"]
    assert conditions["class A61B or A61F"] == Selection(classes=("A61B", "A61F"))
    assert conditions["published from 2004 to 2005-06"] == Selection("2004", "2005-06")
    assert dict(EVERYTHING.conditions()) == {}
    assert list(dict(Selection(published_to="2004").conditions())) == ["published to 2004"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [("2004", "2004"), ("2004-5", "2004-05"), ("20040517", "2004-05-17"), (" 2004-05 ", "2004-05")],
)
def test_dates_are_normalised(written: str, expected: str) -> None:
    assert checked(Selection(published_from=written)).published_from == expected


@pytest.mark.parametrize("written", ["soon", "04", "2004-13", "2004-02-30", "2004-05-17-1", "17.05.2004", "0000"])
def test_invalid_dates_are_refused(written: str) -> None:
    with pytest.raises(CorpusError, match="write 2004, 2004-05 or 2004-05-17"):
        checked(Selection(published_to=written))


def test_a_month_within_the_last_year_of_a_range() -> None:
    assert checked(Selection("2004-05", "2004"))
    with pytest.raises(CorpusError, match="nothing is published from 2005 to 2004-12"):
        checked(Selection("2005", "2004-12"))


def test_the_empty_selection_is_valid() -> None:
    assert checked(EVERYTHING) == EVERYTHING
    chosen = Selection(classes=("A61B17/70", "Y"), countries=("us",), kinds=("b", "A1"), languages=("EN",))
    assert checked(chosen) == chosen
