"""Normalisation of class symbols."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foreart.identifiers.symbols import class_symbol, fixed_symbol, joined_symbol, locarno_symbol, subclass, uspc_symbol


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A61B 17/70", "A61B 17/70"),
        ("A61B17/70", "A61B 17/70"),
        ("A61B0017700000", "A61B 17/70"),
        ("B08B003/00", "B08B 3/00"),
        ("A61B 17/7005 (2013.01)", "A61B 17/7005"),
        ("A61B   17/70        20060101AFI20150420BHEP", "A61B 17/70"),
        ("G06F17:30", "G06F 17/30"),
        ("Y02E 10/70", "Y02E 10/70"),
        ("A61B", "A61B"),
        ("A61B 17", "A61B 17"),
        ("600/443", ""),
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_class_symbol(text: str, expected: str):
    assert class_symbol(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("G06F 1516", "G06F 15/16"), ("G06F  728", "G06F 7/28"), ("A61B 17/70", "A61B 17/70")],
)
def test_fixed_symbol(text: str, expected: str):
    assert fixed_symbol(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G06F1730", "G06F 17/30"),
        ("B60B104", "B60B 1/04"),
        ("B60B1900", "B60B 19/00"),
        ("C07D40112", "C07D 401/12"),
        ("G06F16245", "G06F 16/245"),
        ("H01L2128518", "H01L 21/28518"),
        ("A61B20170046", "A61B 2017/0046"),
        ("Y02E10", "Y02E 10"),
        ("A61B", "A61B"),
        ("A61B 17/70", "A61B 17/70"),
        ("", ""),
        ("None", ""),
    ],
)
def test_joined_symbol(text: str, expected: str):
    assert joined_symbol(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("166266", "166/266"), ("166 52", "166/52"), ("1662726", "166/272.6"), ("  2 21", "2/21"), ("D24158", "D24/158")],
)
def test_uspc_symbol(text: str, expected: str):
    assert uspc_symbol(text) == expected


def test_locarno_symbol():
    assert [locarno_symbol(text) for text in ("0601", "6-1", "24-02")] == ["06-01", "06-01", "24-02"]


def test_subclass():
    assert [subclass(text) for text in ("A61B 17/70", "G06F", "600/443", "")] == ["A61B", "G06F", "", ""]


@given(
    st.sampled_from("ABCDEFGHY"),
    st.integers(1, 99),
    st.sampled_from("BFKN"),
    st.integers(1, 9999),
    st.integers(0, 999999),
)
@settings(deadline=None)
def test_a_normalised_symbol_is_unchanged(section: str, klass: int, letter: str, group: int, subgroup: int):
    symbol = f"{section}{klass:02d}{letter} {group}/{subgroup:02d}"
    assert class_symbol(symbol) == symbol
    assert class_symbol(symbol.replace(" ", "")) == symbol
    assert subclass(symbol) == symbol[:4]


@given(st.text(max_size=40))
@settings(deadline=None)
def test_normalisation_is_idempotent(text: str):
    for spell in (class_symbol, fixed_symbol, joined_symbol):
        assert class_symbol(spell(text)) == spell(text)
